// Checker: shares of what is counted, compared with percentages.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/words/words.hpp"

namespace assay {

// passed / total, whatever the two may be.
bool is_counted_share(const ast::Expr& e) {
  const auto path = [](const ast::Expr& part) {
    return part.kind == ast::ExprKind::name || part.kind == ast::ExprKind::field;
  };
  if (e.kind == ast::ExprKind::binary && e.text == "default") return is_counted_share(*e.args[0]);
  return e.kind == ast::ExprKind::binary && e.text == "/" && path(*e.args[0]) && path(*e.args[1]) &&
         counts_some(e.args[0]->text, e.args[1]->text);
}

// passed / total >= 80, and clamp(passed / total, 0..100).
bool DoubtChecker::doubt_counted_share(const ast::Expr& node, const Context& cx) {
  const bool clamp = node.kind == ast::ExprKind::call;
  for (const std::size_t side : {0U, 1U}) {
    if (node.args.size() != 2 || (clamp && side == 1)) return false;
    const ast::Expr& share = *node.args[side];
    const ast::Expr& other = *node.args[1 - side];
    const ast::Expr& literal = other.kind == ast::ExprKind::range && clamp ? *other.args[1] : other;
    Number n;
    if (literal.kind != ast::ExprKind::number || !parse_decimal(literal.text, n, numbers(), true)) continue;
    if (!is_counted_share(share) || compare(n, whole(5)) < 0 || compare(n, whole(100)) > 0) continue;
    const std::string text = source_text(share.span), all = literal.text;
    const std::string meant = clamp ? all + " * clamp(" + text + ", 0..1)" : all + "%";
    doubt(Code::percent_of_points, clamp ? node.span : literal.span, cx.rubric,
          short_text(share.span) + " is a share of 1, and " + all + " is beyond it",
          FixIt("write " + meant, meant, false));
    return true;
  }
  return false;
}

}  // namespace assay
