// See ways.hpp.
#include "lang/proof/fixes.hpp"

#include "lang/proof/prose.hpp"

#include <algorithm>
#include <utility>

namespace assay {

namespace {

constexpr std::size_t kMostForms = 8;  // each costs a compilation

bool strictly_inside(Number n, const Interval& range) {
  return compare(n, range.low) > 0 && (compare(n, range.high) < 0 || (compare(n, range.high) == 0 && !range.high_open));
}

// The operator that turns a comparison round, and the one that moves its bound by nothing.
struct Turned {
  std::string_view word, round, bound;
};
constexpr Turned kTurned[] = {{">", "<", ">="}, {"<", ">", "<="}, {">=", "<=", ">"},    {"<=", ">=", "<"},
                              {"==", "!=", ""}, {"!=", "==", ""}, {"in", "not in", ""}, {"not in", "in", ""}};

bool alike(const ast::Expr& a, const ast::Expr& b) {
  return a.kind == b.kind && a.text == b.text && a.args.size() == b.args.size() &&
         std::equal(a.args.begin(), a.args.end(), b.args.begin(),
                    [](const ast::ExprPtr& x, const ast::ExprPtr& y) { return x && y && alike(*x, *y); });
}

void collect(const ast::Expr& e, bool inside, std::vector<Fix>& joined, std::vector<Fix>& bounds,
             std::vector<Fix>& round) {
  if (e.kind == ast::ExprKind::unary && e.text == "not") return collect(*e.args[0], true, joined, bounds, round);
  if (e.kind != ast::ExprKind::binary || joined.size() + bounds.size() + round.size() > 3 * kMostForms) return;
  if (e.text == "and" || e.text == "or") {
    Fix other = {{e.word, e.text == "and" ? "or" : "and"}};
    if (inside) {
      other.push_back({{e.span.file, e.span.begin, e.span.begin}, "("});
      other.push_back({{e.span.file, e.span.end, e.span.end}, ")"});
    }
    if (about_one_value(e)) joined.push_back(std::move(other));
    // From the right: what was added last is wrong more often than what stood first.
    collect(*e.args[1], true, joined, bounds, round);
    collect(*e.args[0], true, joined, bounds, round);
    return;
  }
  const auto* row =
      std::find_if(std::begin(kTurned), std::end(kTurned), [&e](const Turned& t) { return t.word == e.text; });
  if (row == std::end(kTurned)) return;
  if (row->bound.empty() && inside) return;  // a == "x" among others is hardly meant as its opposite
  if (!row->bound.empty()) bounds.push_back({{e.word, std::string(row->bound)}});
  round.push_back({{e.word, std::string(row->round)}});
}

}  // namespace

bool about_one_value(const ast::Expr& joined) {
  const auto first = [](const ast::Expr& e) {
    const ast::Expr* part = &e;
    while ((part->kind == ast::ExprKind::unary && part->text == "not") ||
           (part->kind == ast::ExprKind::binary && (part->text == "and" || part->text == "or")))
      part = part->args[0].get();
    return part;
  };
  const ast::Expr &x = *first(*joined.args[0]), &y = *first(*joined.args[1]);
  return x.kind == y.kind && !x.args.empty() && !y.args.empty() && x.args[0] && y.args[0] &&
         alike(*x.args[0], *y.args[0]);
}

void offer(const Diagnostics& diagnostics, Diagnostic& problem, const std::vector<Fix>& fixes, bool certain) {
  for (const Fix& fix : fixes) {
    Suggestion all;
    for (const Rewording& one : fix) {
      Suggestion single = diagnostics.suggestion(one.at, one.text, certain);
      for (Edit& edit : single.edits) all.edits.push_back(std::move(edit));
    }
    std::stable_sort(all.edits.begin(), all.edits.end(), [](const Edit& a, const Edit& b) {
      return std::pair{a.begin, a.end} < std::pair{b.begin, b.end};
    });
    all.certain = certain;
    problem.suggestions.push_back(std::move(all));
  }
}

std::string on_scale(Number n, const Interval& range, NumberPool& pool) {
  const bool signed_share = finite(range) && compare(range.low, whole(-1)) == 0 && compare(range.high, whole(1)) == 0;
  if (signed_share && compare(n, whole(1)) > 0 && compare(n, whole(100)) <= 0) return shortest_text(n) + "%";
  if (!finite(range) || sign(range.low) < 0 || sign(range.high) <= 0 || sign(n) <= 0) return {};
  const Number hundred = whole(100);
  std::string text;
  if (sign(range.low) > 0) {  // 9.5 of 50..100, 50 of 1..6: the point is at another place
    for (const std::int64_t factor : {10, 100, 1000}) {
      const bool below = compare(n, range.low)<0, above = compare(n, range.high)> 0;
      const Number other = below ? mul(n, whole(factor), pool) : div(n, whole(factor), pool);
      if ((below || above) && holds(range, other)) return shortest_text(other);
    }
  }
  if (compare(n, whole(1)) < 0) {
    if (compare(range.high, whole(5)) < 0) return {};
    const Number points = mul(n, range.high, pool);
    if (strictly_inside(points, range)) write_shortest(points, text);
    return text;
  }
  if (compare(n, range.high) <= 0 || compare(range.high, whole(1)) < 0) return {};  // no scale ends below 1
  const Number ten = whole(10);
  if (compare(n, ten) <= 0 && compare(range.high, whole(1)) > 0) {  // 9 of 10, where 5 is the most
    const Number points = div(mul(n, range.high, pool), ten, pool);
    return strictly_inside(points, range) ? shortest_text(points) : text;
  }
  if (compare(n, hundred) <= 0) {  // a percentage
    const Number points = div(mul(n, range.high, pool), hundred, pool);
    if (compare(range.high, whole(1)) == 0) return shortest_text(n) + "%";
    // 90 of 0..85 and 12 of 0..10 are mistakes of another kind.
    const bool other_scale =
        compare(mul(range.high, whole(3), pool), whole(200)) < 0 && compare(n, mul(range.high, whole(2), pool)) >= 0;
    if (other_scale && strictly_inside(points, range)) write_shortest(points, text);
    return text;
  }
  for (const std::int64_t factor : {10, 100, 1000}) {
    const Number points = div(n, whole(factor), pool);
    if (strictly_inside(points, range)) return shortest_text(points);
  }
  return {};
}

Fix rescaled(const ast::Expr& literal, const Interval& range, NumberPool& pool) {
  Fix fix;
  if (literal.kind == ast::ExprKind::range) {
    for (const ast::ExprPtr& end : literal.args) {
      if (!end) continue;
      Fix one = rescaled(*end, range, pool);
      fix.insert(fix.end(), one.begin(), one.end());
    }
    return fix;
  }
  Number n;
  const bool percent = literal.text.ends_with('%');
  if (literal.kind != ast::ExprKind::number ||
      !parse_decimal(literal.text.substr(0, literal.text.size() - (percent ? 1 : 0)), n, pool, true))
    return fix;
  if (percent) {  // 60% of 0..20 is 12
    const bool points = finite(range) && sign(range.low) >= 0 && compare(range.high, whole(10)) >= 0;
    if (points) fix.push_back({literal.span, shortest_text(div(mul(n, range.high, pool), whole(100), pool))});
    return fix;
  }
  if (std::string text = on_scale(n, range, pool); !text.empty()) fix.push_back({literal.span, std::move(text)});
  return fix;
}

void other_forms(const ast::Expr& condition, bool passes, bool inside, std::vector<Fix>& fixes) {
  std::vector<Fix> joined, bounds, round;
  const bool both = passes && condition.kind == ast::ExprKind::binary && condition.text == "and";
  if (both && !opposite_of(condition.args[0]->text).empty() && !opposite_of(condition.args[1]->text).empty()) {
    Fix fix;
    const ast::Expr &a = *condition.args[0], &b = *condition.args[1];
    const auto inclusive = [](const ast::Expr& e) {
      return (e.text == ">=" || e.text == "<=") && e.args[0]->kind == ast::ExprKind::name &&
             e.args[1]->kind == ast::ExprKind::number;
    };
    if (inclusive(a) && inclusive(b) && a.args[0]->text == b.args[0]->text && a.text != b.text)  // x >= 17 and x <= 12
      fixes.push_back({{a.args[1]->span, b.args[1]->text}, {b.args[1]->span, a.args[1]->text}});
    for (const ast::ExprPtr& side : condition.args) fix.push_back({side->word, std::string(opposite_of(side->text))});
    fixes.push_back(std::move(fix));
  }
  collect(condition, inside, joined, bounds, round);
  for (std::vector<Fix>* list : {&joined, &bounds, &round}) {
    for (Fix& fix : *list) {
      if (fixes.size() < kMostForms) fixes.push_back(std::move(fix));
    }
  }
}

}  // namespace assay
