// Checker: warnings about values that are computed otherwise than their notation suggests: a percentage that is taken from
// an amount, a sum of choices without parentheses, a count that ignores its condition.
#include "lang/check/expr/expressions.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <array>

namespace assay {

namespace {

using ast::ExprKind;

template <std::size_t N>
bool holds_any(std::string_view name, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [name](std::string_view part) { return name.find(part) != name.npos; });
}

bool parenthesized(const ast::Expr& e) {
  const bool starts_inside = e.kind == ExprKind::binary || e.kind == ExprKind::choice;
  return starts_inside && !e.args.empty() && e.span.begin < e.args[0]->span.begin;
}

bool is_open_sum(const ast::Expr& e) {
  return e.kind == ExprKind::binary && (e.text == "+" || e.text == "-") && !parenthesized(e);
}

// The left end of a sum: 0 of '0 + a - b'.
const ast::Expr& first_term(const ast::Expr& sum, const ast::Expr*& joint) {
  const ast::Expr* e = &sum;
  while (is_open_sum(*e)) {
    joint = e;
    e = e->args[0].get();
  }
  return *e;
}

bool is_zero(const ast::Expr& e) {
  return e.kind == ExprKind::number && e.text.find_first_not_of("0._%") == e.text.npos;
}

constexpr std::array<std::string_view, 15> kMoney = {"cost",   "price",  "budget", "amount", "usd",
                                                     "dollar", "fee",    "pay",    "spen",   "revenue",
                                                     "money",  "salary", "value",  "total",  "gross"};
constexpr std::array<std::string_view, 6> kShares = {"rate", "share", "ratio", "percent", "pct", "growth"};

}  // namespace

bool names_money(std::string_view name) {
  const std::string word = in_lower_case(name);
  return (holds_any(word, kMoney) || word == "net" || word.starts_with("net_")) && !holds_any(word, kShares);
}

// price - 10%, which takes 0.1 from the price.
void DoubtChecker::doubt_share_of_amount(const ast::Expr& node, const Expr* value, const Context& cx) {
  if (node.text != "+" && node.text != "-") return;
  const ast::Expr &amount = *node.args[0], &percent = *node.args[1];
  if (percent.kind != ExprKind::number || !percent.text.ends_with('%') || is_zero(percent)) return;
  if (kind_of(value) != TypeKind::number || value->args.size() != 2) return;
  const Expr* of = value->args[0];
  const Interval& range = range_of(of);
  if (kind_of(of) != TypeKind::number) return;
  bool counts = false;
  if (range.high.missing()) {
    std::set<std::string> names;
    names_in(amount, names);
    counts = types_[of->type].whole || std::any_of(names.begin(), names.end(), names_money);
  } else {
    counts = compare(range.high, whole(2)) >= 0;
  }
  if (!counts) return;
  const std::string digits = percent.text.substr(0, percent.text.size() - 1);
  Number n;
  if (!parse_decimal(digits, n, numbers(), true)) return;
  const bool less = node.text == "-";
  const Number kept = less ? sub(whole(100), n, numbers()) : add(whole(100), n, numbers());
  if (sign(kept) <= 0) return;
  const std::string share = shortest_text(div(n, whole(100), numbers()));
  const bool wrap =
      (amount.kind == ExprKind::binary && amount.text != "*" && amount.text != "/" && amount.text != "^") ||
      amount.kind == ExprKind::choice;
  const std::string text = source_text(amount.span);
  const std::string whole_text = wrap && !parenthesized(amount) ? "(" + text + ")" : text;
  const std::string meant = whole_text + " * " + shortest_text(kept) + "%";
  const bool points = finite(range) && compare(range.high, whole(10)) >= 0;
  doubt(Code::percent_of_points, node.span, cx.rubric,
        percent.text + " is the number " + share + ", so this " + (less ? "takes " : "adds ") + share +
            (less ? " from " : " to ") + short_text(amount.span) + ", not " + percent.text + " of it",
        "write " + meant + (points ? ", or " + text + " " + node.text + " " + digits + " for points" : std::string()));
  if (!is_own(node.span, cx.rubric)) return;
  state_.noted.doubts.back().ways = {{{node.span, meant}}};
  if (points) state_.noted.doubts.back().ways.push_back({{percent.span, digits}});
}

// 1 when a else 0 + 1 when b else 0: the second choice belongs to the 'else' of the first.
void DoubtChecker::doubt_sum_in_else(const ast::Expr& node, const Context& cx) {
  if (node.args.size() < 3 || !node.args[2]) return;
  Way way = {{{node.args[0]->span.file, node.args[0]->span.begin, node.args[0]->span.begin}, "("}};
  Span at{};
  bool choice_before = true;  // a choice is open before the next joint
  for (const ast::Expr* rest = node.args[2].get(); rest != nullptr;) {
    const bool more = rest->kind == ExprKind::choice && !parenthesized(*rest);
    const ast::Expr& value = more ? *rest->args[0] : *rest;
    if (is_open_sum(value)) {
      const ast::Expr* joint = nullptr;
      const ast::Expr& first = first_term(value, joint);
      const bool constant = first.kind == ExprKind::number && joint->args[1]->kind == ExprKind::number;
      if (is_zero(first) || constant) {
        at = joint->word;
        const Span end{first.span.file, first.span.end, first.span.end};
        const std::uint32_t next = joint->args[1]->span.begin;
        way.push_back({end, ")"});
        choice_before = more;
        if (more) way.push_back({{first.span.file, next, next}, "("});
      }
    }
    rest = more && rest->args.size() > 2 ? rest->args[2].get() : nullptr;
  }
  if (at.begin == at.end) return;
  const std::uint32_t end = parenthesized(node) ? node.span.end - 1 : node.span.end;
  if (choice_before) way.push_back({{node.span.file, end, end}, ")"});
  std::erase_if(state_.noted.doubts, [&node](const Doubt& d) {
    return d.code == Code::sum_in_else && d.span.file == node.span.file && d.span.begin >= node.span.begin &&
           d.span.end <= node.span.end;
  });
  doubt(Code::sum_in_else, at, cx.rubric,
        "all of what follows an 'else' belongs to it, so this is added only if " + short_text(node.args[1]->span) +
            " does not hold",
        "put each choice that is added in parentheses: (1 when a else 0) + (1 when b else 0)");
  if (is_own(at, cx.rubric)) state_.noted.doubts.back().ways = {std::move(way)};
}

// count(r.mark >= 4 for r in replies), which counts all replies.
void DoubtChecker::doubt_counted_condition(const ast::Expr& node, const Expr* value, const Context& cx) {
  if (node.args.size() != 1) return;
  const bool bare = node.loop != nullptr;
  const ast::Expr& inside = *node.args[0];
  if (!bare && (inside.kind != ExprKind::list_loop || !inside.loop || inside.args.empty())) return;
  const ast::Expr& condition = bare ? inside : *inside.args[0];
  const ast::Loop& loop = bare ? *node.loop : *inside.loop;
  const Expr* list = bare ? value : value->args.empty() ? nullptr : value->args[0];
  if (list == nullptr || list->op != Op::loop || list->loop->value == nullptr) return;
  if (types_.kind(list->loop->value->type) != TypeKind::boolean || loop.clauses.empty()) return;
  const ast::Name& variable =
      loop.clauses.front().second.text.empty() ? loop.clauses.front().first : loop.clauses.front().second;
  const std::string asked = source_text(condition.span);
  const ast::Clause& last = loop.clauses.back();
  const bool filtered = last.kind == ast::ClauseKind::when && last.expr && source_text(last.expr->span) == asked;
  if (condition.kind == ExprKind::name || filtered) return;  // the items themselves are conditions
  const std::uint32_t end = loop.clauses.back().span.end;
  const Span file = condition.span;
  const std::string clauses = source_text({file.file, loop.clauses.front().span.begin, end});
  const bool wrap = condition.kind == ExprKind::choice && !parenthesized(condition);
  const std::string meant =
      "count(" + variable.text + " " + clauses + " when " + (wrap ? "(" + asked + ")" : asked) + ")";
  doubt(Code::counted_condition, condition.span, cx.rubric,
        "'count' counts every item here, also where " + short_text(condition.span) + " does not hold",
        "write " + meant);
  if (is_own(node.span, cx.rubric)) state_.noted.doubts.back().ways = {{{node.span, meant}}};
}

// width * width, while nothing uses the 'height' that is declared beside it.
void DoubtChecker::doubt_squares(const RubricContext& rc) {
  for (const ast::Expr* node : state_.noted.squares) {
    for (const ast::Item* item : rc.items) {
      const auto* input = std::get_if<ast::Input>(&item->node);
      if (!input || input->names.size() < 2) continue;
      const std::string& name = node->args[0]->text;
      const auto declares = [input](const std::string& n) {
        return std::any_of(input->names.begin(), input->names.end(), [&n](const ast::Name& x) { return x.text == n; });
      };
      if (!declares(name)) continue;
      for (const ast::Name& other : input->names) {
        const auto known = rc.by_name.inputs.find(other.text);
        if (known == rc.by_name.inputs.end() || rc.used_inputs.count(other.text) > 0 ||
            rc.pending[static_cast<std::size_t>(known->second)].used)
          continue;
        doubt(Code::same_sides, node->span, rc.index,
              "both sides of '" + node->text + "' are '" + name + "', and nothing uses '" + other.text + "'",
              "one of them is likely '" + other.text + "'");
        state_.noted.doubts.back().ways = {{{node->args[1]->span, other.text}}};
        break;
      }
    }
  }
}

}  // namespace assay
