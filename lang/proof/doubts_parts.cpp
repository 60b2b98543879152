// Doubts about the parts of a condition: one that changes nothing beside another. See doubts.hpp.
#include "lang/proof/doubts.hpp"

#include <algorithm>

namespace assay {

// A comparison in `a and b and c`, as it is written.
struct Doubts::Part {
  const ast::Expr* node;
  const Expr* value;
};

std::vector<Doubts::Part> Doubts::compared_parts(const Seen& seen) const {
  std::vector<Part> parts, open = {{seen.claim.node, seen.first}};
  const Op op = seen.first->op;
  while (!open.empty()) {
    const Part part = open.back();
    open.pop_back();
    budget_.step();
    const ast::Expr& node = *part.node;
    if (node.kind != ast::ExprKind::binary || node.args.size() != 2 || part.value->args.size() != 2) continue;
    const bool chain = part.value->op == op && node.text == (op == Op::and_ ? "and" : "or");
    for (std::size_t i = 2; chain && i-- > 0;) open.push_back({node.args[i].get(), part.value->args[i]});
    const bool order = compares(part.value->op) && part.value->op != Op::eq && part.value->op != Op::ne;
    if (order && node.text.find_first_of("<>") == 0) parts.push_back(part);
  }
  return parts;
}

// s > 10 and s > 5; s > a and a - s < 0.5. That something is above 0 is a reason of its own.
void Doubts::idle_parts(int index) {
  const auto guards = [](const Part& part) {
    return std::any_of(part.node->args.begin(), part.node->args.end(), [](const ast::ExprPtr& side) {
      return side->kind == ast::ExprKind::number && (side->text == "0" || side->text == "1");
    });
  };
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const Seen& seen = seen_[i];
    if (!is_condition(seen.claim.asked) || seen.rubric != index || seen.first == nullptr || seen.function != nullptr ||
        !joins(seen.first->op) || !seen.holds || !seen.fails || told(seen.claim.node->span))
      continue;
    const bool both = seen.first->op == Op::and_;
    const auto follows = [&](const Part& weak, const Part& strong) {
      known_.enter(index, nullptr);
      const Known alone = known_.always(*weak.value);
      if (!alone.yes || !alone.no || !known_.about_the_same(*weak.value, *strong.value)) return false;
      known_.assume(*strong.value, both ? Outcome::holds : Outcome::fails);
      const Known then = known_.here(*weak.value);
      return known_.possible() && !then.missing && (both ? then.yes && !then.no : then.no && !then.yes);
    };
    const std::vector<Part> parts = compared_parts(seen);
    constexpr std::size_t kMost = 8;
    if (parts.size() < 2 || parts.size() > kMost) continue;
    for (std::size_t k = parts.size(); k-- > 0;) {  // of two that say the same, the second one
      const Part& weak = parts[k];
      const auto strong = std::find_if(parts.begin(), parts.end(), [&](const Part& other) {
        return other.node != weak.node && !guards(weak) && follows(weak, other);
      });
      if (strong == parts.end()) continue;
      const std::string here = words(weak.node->span), other = words(strong->node->span);
      Diagnostic& d = report(Code::always_true, weak.node->span,
                             here + " changes nothing beside " + other + ": " +
                                 (both ? "it holds wherever that does" : "that holds wherever it does"),
                             "correct one of the two, or leave this one out");
      d.notes.push_back(diagnostics_.note(strong->node->span, "the other one"));
      break;
    }
  }
}

}  // namespace assay
