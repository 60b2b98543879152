// Checker: warnings about parts without effect or intention. This unit only collects conditions, comparisons and calls,
// as written and with their meaning; lang/proof/doubts.hpp does the proofs. There are no warnings about other files, or
// about declarations that a rubric inherits, because those may matter elsewhere.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/proof/example_proof.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

namespace {

// The '-' before an amount, or before its branches and factors.
void without_signs(const Sources& sources, const ast::Expr& e, Fix& fix) {
  const bool from_zero = e.kind == ast::ExprKind::binary && e.text == "-" && e.args[0]->text == "0";
  if (from_zero) {
    fix.push_back({e.span, std::string(sources.text(e.args[1]->span))});
  } else if (e.kind == ast::ExprKind::unary && e.text == "-") {
    fix.push_back({e.span, std::string(sources.text(e.args[0]->span))});
  } else if (e.kind == ast::ExprKind::choice) {
    without_signs(sources, *e.args[0], fix);
    if (e.args.size() > 2 && e.args[2]) without_signs(sources, *e.args[2], fix);
  } else if (e.kind == ast::ExprKind::binary && (e.text == "*" || e.text == "/")) {
    without_signs(sources, *e.args[0], fix);
    if (fix.empty()) without_signs(sources, *e.args[1], fix);
  } else if (e.kind == ast::ExprKind::call && (e.text == "min" || e.text == "max") && !e.loop) {
    for (const ast::ExprPtr& arg : e.args) without_signs(sources, *arg, fix);
  }
}

bool names_key(Budget& budget, const ast::Expr& e, const std::string& key) {
  const Nesting nesting(budget);
  budget.step(e.fields.size());
  for (const ast::Name& field : e.fields) {
    if (field.text == key) return true;
  }
  return std::any_of(e.args.begin(), e.args.end(),
                     [&](const ast::ExprPtr& arg) { return arg && names_key(budget, *arg, key); });
}

}  // namespace

// m.length, where the size of the map may be meant: no example has such a key. m["length"] says that the key is meant.
void DoubtChecker::doubt_map_key(const Expr* map, const std::string& field, Span word, int rubric_index) {
  struct Row {
    std::string_view word, call;
    bool usual;  // as a key of data
  };
  static constexpr Row kMeant[] = {{"length", "count", false},  {"len", "count", false}, {"keys", "keys", false},
                                   {"values", "values", false}, {"size", "count", true}, {"count", "count", true},
                                   {"sum", "sum", true},        {"total", "sum", true},  {"average", "mean", true},
                                   {"mean", "mean", true},      {"max", "max", true},    {"min", "min", true}};
  const auto* row =
      std::find_if(std::begin(kMeant), std::end(kMeant), [&field](const Row& r) { return r.word == field; });
  const Span path = hints_.path_of(word);
  if (row == std::end(kMeant) || path.begin == word.begin || is_constant(map) || rubric_index < 0) return;
  bool some_example = false;
  for (const ast::Item* item : rubric(rubric_index).items) {
    const auto* example = std::get_if<ast::Example>(&item->node);
    if (!example || !example->given) continue;
    some_example = true;
    if (names_key(budget_, *example->given, field)) return;
  }
  if (row->usual && !some_example) return;
  const std::string of = short_text({path.file, path.begin, word.begin - 1});
  const std::string call = std::string(row->call) + "(" + of + ")";
  doubt(Code::key_of_map, path, rubric_index, "'" + short_text(path) + "' is the key '" + field + "' of a map",
        FixIt("write " + call + ", or " + of + "[\"" + field + "\"] for the key", call, false));
}

void DoubtChecker::written(Asked asked, const ast::Expr& node, Expr* value, const Context& cx) {
  if (!is_own(node.span, cx.rubric) || kind_of(value) == TypeKind::unknown) return;
  if (asked != Asked::call && kind_of(value) != TypeKind::boolean) return;
  bool any_arguments = false;
  if (cx.instance >= 0) {
    const Instance& in = declared_.instances[static_cast<std::size_t>(cx.instance)];
    const std::vector<ast::Param>& params = declared_.fns[static_cast<std::size_t>(in.decl)].node->params;
    any_arguments = std::any_of(params.begin(), params.end(), [](const ast::Param& p) { return !p.kind; });
  }
  budget_.take(sizeof(Claim));
  state_.noted.claims.push_back({asked, &node, value, any_arguments});
}

// x - x, x / x, x == x, x and x: the same text on both sides.
void DoubtChecker::doubt_same_sides(const ast::Expr& node, const Expr* value, const Context& cx) {
  if (node.kind == ast::ExprKind::unary) {  // not not x
    const ast::Expr& inner = *node.args[0];
    if (inner.kind != ast::ExprKind::unary || inner.text != node.text || !is_own(node.span, cx.rubric)) return;
    doubt(Code::same_sides, node.span, cx.rubric, "one '" + node.text + "' takes back what the other one does",
          "remove one of them, or both");
    state_.noted.doubts.back().fixes = {{{node.span, source_text(inner.span)}},
                                        {{node.span, source_text(inner.args[0]->span)}}};
    return;
  }
  struct Row {
    std::string_view word, result;
  };
  static constexpr Row kRows[] = {{"-", "is always 0"},         {"/", "is always 1"},   {"==", "always holds"},
                                  {"!=", "never holds"},        {"<", "never holds"},   {"<=", "always holds"},
                                  {">", "never holds"},         {">=", "always holds"}, {"and", "asks the same twice"},
                                  {"or", "asks the same twice"}};
  const auto* row =
      std::find_if(std::begin(kRows), std::end(kRows), [&node](const Row& r) { return r.word == node.text; });
  if (row == std::end(kRows) || !is_own(node.span, cx.rubric)) return;
  const ast::Expr &left = *node.args[0], &right = *node.args[1];
  if (left.span.end - left.span.begin != right.span.end - right.span.begin || left.kind != right.kind) return;
  const std::string_view text = sources_.text(left.span);
  budget_.step(1 + text.size() / 8);
  std::set<std::string> names;
  if (text != sources_.text(right.span) || (names_in(left, names), names.empty())) return;
  if (is_own(node.span, cx.rubric)) state_.noted.same_sides.push_back(&node);
  const bool unknown = value->optional && row->result.find("always") != row->result.npos;
  doubt(Code::same_sides, node.span, cx.rubric,
        "both sides of '" + node.text + "' are " + short_text(left.span) + ", so it " + std::string(row->result) +
            (unknown ? " where it is known" : ""),
        "one of them is another value: correct it");
  std::vector<Fix>& fixes = state_.noted.doubts.back().fixes;
  static constexpr std::pair<std::string_view, std::string_view> kOpposite[] = {
      {"max", "min"}, {"min", "max"}, {"first", "last"}, {"last", "first"}, {"any", "all"}, {"all", "any"}};
  for (const auto& [call, other] : kOpposite) {
    if (right.kind == ast::ExprKind::call && right.text == call) fixes.push_back({{right.word, std::string(other)}});
  }
  if (node.text == "and" || node.text == "or") fixes.push_back({{node.span, std::string(text)}});
}

// sum(p.share for p in parts) == 100, where each is at most 1; or == 1, where each is at most 100.
void DoubtChecker::doubt_sum_of_shares(const ast::Expr& node, const Expr* value, const Context& cx) {
  const Expr* of = value;
  while (of->op == Op::not_) of = of->args[0];
  if (of->args.size() != 2) return;
  for (const std::size_t side : {0U, 1U}) {
    const Expr* sum = of->args[side];
    const ast::Expr& literal = *node.args[1 - side];
    const bool loop = sum->op == Op::loop && sum->loop->collect == Collect::sum;
    const bool call = sum->op == Op::builtin && static_cast<Builtin>(sum->index) == Builtin::sum &&
                      !sum->args.empty() && types_.kind(sum->args[0]->type) == TypeKind::list;
    if (literal.kind != ast::ExprKind::number || (!loop && !call)) continue;
    const Type& each = types_[loop ? sum->loop->value->type : types_[sum->args[0]->type].element];
    const bool from_zero = each.kind == TypeKind::number && finite(each.range) && sign(each.range.low) == 0;
    if (!from_zero || each.whole) continue;
    const bool of_one = compare(each.range.high, whole(1)) == 0, of_hundred = compare(each.range.high, whole(100)) == 0;
    const bool hundred = literal.text == "100", one = literal.text == "1" || literal.text == "100%";
    if (!(of_one && hundred) && !(of_hundred && one)) continue;
    const std::string meant = of_one ? "1" : "100";
    doubt(Code::percent_of_points, literal.span, cx.rubric,
          "each of what is added here is" + range_text(each.range) + ", so all of it is " + meant + ", not " +
              literal.text,
          FixIt("write " + meant, meant, false));
    return;
  }
}

// percentile(0.9, xs): percentiles are counted from 0 to 100.
void DoubtChecker::doubt_percentile(const ast::Expr& node, const Context& cx) {
  if (node.args.empty() || node.args[0]->kind != ast::ExprKind::number) return;
  const ast::Expr& literal = *node.args[0];
  const bool percent = literal.text.ends_with('%');
  const std::string digits = literal.text.substr(0, literal.text.size() - (percent ? 1 : 0));
  Number n;
  if (!parse_decimal(digits, n, numbers(), true) || sign(n) <= 0 || (!percent && compare(n, whole(1)) >= 0)) return;
  const std::string meant = percent ? digits : shortest_text(mul(n, whole(100), numbers()));
  doubt(Code::percent_of_points, literal.span, cx.rubric,
        "percentiles are counted 0..100, and " + literal.text + " is less than one of them",
        FixIt("write " + meant, meant, false));
}

// x >= 60 default false: 'default' binds tighter than the comparison that it is meant for.
void DoubtChecker::doubt_default_of_side(const ast::Expr& node, const Context& cx) {
  const ast::Expr& side = *node.args[1];
  static const std::set<std::string_view> kComparisons = {"==", "!=", "<", "<=", ">", ">="};
  if (kComparisons.count(node.text) == 0 || side.kind != ast::ExprKind::binary || side.text != "default") return;
  const bool literal = side.args[0]->kind == ast::ExprKind::number || side.args[0]->kind == ast::ExprKind::text;
  if (!literal || side.args[1]->kind != ast::ExprKind::boolean) return;
  state_.noted.defaults[{side.word.file, side.word.begin}].useful = true;
  const std::string comparison = source_text({node.span.file, node.span.begin, side.args[0]->span.end});
  const std::string meant = "(" + comparison + ") default " + source_text(side.args[1]->span);
  doubt(Code::useless_default, side.word, cx.rubric,
        "this 'default' is for " + short_text(side.args[0]->span) + " alone, not for the whole comparison",
        "write " + meant);
  if (is_own(side.word, cx.rubric)) state_.noted.doubts.back().fixes = {{{node.span, meant}}};
}

// x == "", where a record that lacks x is meant: a missing value equals nothing.
void DoubtChecker::doubt_empty_text(const ast::Expr& node, const Expr* value, const Context& cx) {
  if (node.text != "==" || value->op != Op::eq || value->args.size() != 2) return;
  for (const std::size_t side : {0U, 1U}) {
    const ast::Expr &empty = *node.args[side], &of = *node.args[1 - side];
    const bool path = of.kind == ast::ExprKind::name || of.kind == ast::ExprKind::field;
    const Expr* e = value->args[1 - side];
    const bool given = e->op == Op::slot || e->op == Op::field || e->op == Op::item;
    if (empty.kind != ast::ExprKind::text || !empty.literal.plain() || !empty.literal.str().empty()) continue;
    if (!path || !given || !e->optional || kind_of(e) != TypeKind::text) continue;
    const std::string name = source_text(of.span);
    doubt(Code::empty_text, node.span, cx.rubric,
          "'" + short_text(of.span) + "' is missing where a record lacks it, and missing is no empty text",
          FixIt("write " + name + " is missing", name + " is missing", false));
    if (is_own(node.span, cx.rubric)) state_.noted.doubts.back().node = &of;
    return;
  }
}

// Records, for every expression, the parts that are examined later.
void DoubtChecker::note_expr(const ast::Expr& node, Expr* value, const Context& cx) {
  const bool constant_truth = is_constant(value) && kind_of(value) == TypeKind::boolean;
  if (constant_truth && node.kind != ast::ExprKind::boolean) {
    std::set<std::string> names;
    names_in(node, names);
    for (const char* computed : {"coverage", "degraded"}) {  // constant where nothing may be missing: nobody set it
      const bool own =
          cx.rubric < 0 || rubric(cx.rubric).by_name.own.find(computed) != rubric(cx.rubric).by_name.own.end();
      if (!own) names.erase(computed);
    }
    if (!names.empty()) state_.noted.settings.insert(value);
  }
  const bool considers = node.kind == ast::ExprKind::is_missing || node.kind == ast::ExprKind::is_given ||
                         (node.kind == ast::ExprKind::binary && node.text == "default");
  if (considers && !node.args[0]->text.empty()) state_.noted.considered.insert(node.args[0]->text);
  if (considers) state_.noted.answered.insert(node.args[0].get());
  note_lists(node, value, cx);
  note_units(node, cx);
  switch (node.kind) {
    case ast::ExprKind::binary: {
      static const std::set<std::string_view> kAsked = {"==", "!=", "<", "<=", ">", ">=", "in", "not in"};
      const bool joins = node.text == "and" || node.text == "or";
      if ((joins || kAsked.count(node.text) > 0) && !is_constant(value)) written(Asked::part, node, value, cx);
      if (kind_of(value) == TypeKind::unknown) break;
      doubt_same_sides(node, value, cx);
      if ((node.text == "*" || node.text == "+") && node.args[0]->kind == ast::ExprKind::name &&
          node.args[1]->kind == ast::ExprKind::name && node.args[0]->text == node.args[1]->text &&
          is_own(node.span, cx.rubric))
        state_.noted.squares.push_back(&node);
      if (node.text == "+") doubt_mixed_scales({node.args[0].get(), node.args[1].get()}, cx);
      if (kAsked.count(node.text) > 0 && !is_constant(value)) {
        doubt_sum_of_shares(node, value, cx);
        doubt_counted_share(node, cx);
        doubt_thousands(node, value, cx);
      }
      doubt_rounded_share(node, value, cx);
      doubt_empty_text(node, value, cx);
      doubt_share_of_amount(node, value, cx);
      doubt_default_of_side(node, cx);
      if (node.text == "in" || node.text == "not in") {
        doubt_list_as_range(node, value, cx);
        if (!is_constant(value)) doubt_range_end(node, value, cx);
      }
      break;
    }
    case ast::ExprKind::unary: doubt_same_sides(node, value, cx); break;
    case ast::ExprKind::is_missing:
    case ast::ExprKind::is_given: {
      const Expr* of = value;
      while (of->op == Op::not_ || of->op == Op::is_missing) of = of->args[0];
      if (of->op == Op::slot || of->op == Op::item) written(Asked::part, node, value, cx);
      doubt_defaulted(node, cx);
      break;
    }
    case ast::ExprKind::choice:
      doubt_sum_in_else(node, cx);
      if (kind_of(value) != TypeKind::unknown) doubt_same_parts(node, cx);
      budget_.take(4 * sizeof(void*));
      state_.noted.around.cases[node.args[1].get()] = &node;
      if (node.args.size() > 2 && node.args[2] && node.args[2]->kind == ast::ExprKind::choice)
        state_.noted.around.cases[node.args[2].get()] = &node;
      break;
    case ast::ExprKind::name:
    case ast::ExprKind::field:
      if (kind_of(value) == TypeKind::number && finite(range_of(value)) && !types_[value->type].whole) {
        budget_.take(sizeof(Interval) + 4 * sizeof(void*));
        state_.noted.paths.emplace(&node, range_of(value));
      }
      break;
    case ast::ExprKind::call:
      if ((node.text == "starts_with" || node.text == "ends_with" || node.text == "contains") && !is_constant(value))
        written(Asked::part, node, value, cx);
      if ((node.text == "clamp" || node.text == "min" || node.text == "max") && kind_of(value) != TypeKind::unknown)
        doubt_clamp(node, value, cx);
      if (kind_of(value) != TypeKind::unknown) doubt_same_parts(node, cx);
      if ((node.text == "mean" || node.text == "sum" || node.text == "median") && node.args.size() == 1 &&
          node.args[0]->kind == ast::ExprKind::list && !node.args[0]->loop) {
        std::vector<const ast::Expr*> all;
        for (const ast::ExprPtr& arg : node.args[0]->args) all.push_back(arg.get());
        doubt_mixed_scales(all, cx);
      }
      if (node.text == "interpolate" && kind_of(value) != TypeKind::unknown) doubt_interpolate(node, value, cx);
      if (node.text == "count" && kind_of(value) != TypeKind::unknown) doubt_counted_condition(node, value, cx);
      if (node.text == "percentile" && kind_of(value) != TypeKind::unknown) doubt_percentile(node, cx);
      [[fallthrough]];
    case ast::ExprKind::index:
      if (value->op == Op::builtin || value->op == Op::list_get || value->op == Op::loop)
        written(Asked::call, node, value, cx);
      break;
    default: break;
  }
}

// "60%" where points are counted.
void DoubtChecker::doubt_percent(const ast::Expr& node, const Interval& range, const std::string& of,
                                 int rubric_index) {
  if (node.kind == ast::ExprKind::choice || node.kind == ast::ExprKind::range) {
    for (std::size_t i = 0; i < node.args.size(); ++i) {
      if (i != 1 || node.kind == ast::ExprKind::range) doubt_percent(*node.args[i], range, of, rubric_index);
    }
    return;
  }
  if (node.kind != ast::ExprKind::number || !node.text.ends_with('%')) return;
  const std::string digits = node.text.substr(0, node.text.size() - 1);
  if (digits.find_first_not_of("0._") == digits.npos) return;
  if (!finite(range) || compare(range.high, whole(10)) < 0) return;
  FixIt fix("write " + digits + " for points");
  if (Number share; sign(range.low) >= 0 && parse_decimal(digits, share, numbers(), true)) {
    const std::string points = shortest_text(div(mul(share, range.high, numbers()), whole(100), numbers()));
    fix = FixIt(
        "write " + points + (points == digits ? " for points" : ": " + node.text + " of " + shortest_text(range.high)),
        points, false);
  }
  doubt(Code::percent_of_points, node.span, rubric_index,
        of + " is" + range_text(range) + ", and " + node.text + " is a share of 1", std::move(fix));
}

void DoubtChecker::doubt_cap(const ast::Cap& cap, const Expr* value, const Expr* at, int rubric_index) {
  if (kind_of(value) != TypeKind::number) return;
  const Interval& of = range_of(value);
  const Interval& limit = range_of(at);
  const std::string name = "'" + cap.target.text + "'";
  const std::size_t before = state_.noted.doubts.size();
  doubt_percent(*cap.at, of, name, rubric_index);
  if (state_.noted.doubts.size() > before) return;
  const std::vector<Fix> fixes = {rescaled(*cap.at, of, numbers())};
  const bool share = finite(of) && compare(of.high, whole(20)) >= 0 && !limit.high.missing() && sign(limit.high) > 0 &&
                     compare(limit.high, whole(1)) < 0;
  if (share && !fixes.front().empty()) {
    doubt(Code::percent_of_points, cap.at->span, rubric_index,
          name + " is" + range_text(of) + ", and " + source_text(cap.at->span) + " is almost nothing of it",
          FixIt("write " + fixes.front().front().text + " for " + source_text(cap.at->span) + " of " +
                    shortest_text(of.high),
                fixes.front().front().text, false));
    return;
  }
  if (!of.high.missing() && !limit.low.missing() && compare(limit.low, of.high) >= 0) {
    doubt(Code::idle_cap, cap.at->span, rubric_index,
          "this cap never lowers anything: " + name + " is" + range_text(of),
          "name a number below " + shortest_text(of.high) + ", or leave the cap out");
    if (is_own(cap.at->span, rubric_index) && !fixes.front().empty()) state_.noted.doubts.back().fixes = fixes;
  } else if (!of.low.missing() && !limit.high.missing() && compare(limit.high, of.low) < 0) {
    doubt(Code::idle_cap, cap.at->span, rubric_index,
          "this cap is below everything that " + name + " can be: it is" + range_text(of),
          "name a number within the range");
  }
}

void DoubtChecker::doubt_amount(const AdjustmentRow& step, const ast::Expr& node, const Expr* amount,
                                RubricContext& rc) {
  if (kind_of(amount) != TypeKind::number || !model(rc).scale.declared) return;
  const Interval& scale = model(rc).scale.range;
  const Interval& range = range_of(amount);
  const std::string word(step.word);
  const std::size_t before = state_.noted.doubts.size();
  doubt_percent(node, scale, "the scale", rc.index);
  // "10% * days": what is counted without an end is no score that a share could be taken of.
  if (node.kind == ast::ExprKind::binary && node.text == "*" && amount->op == Op::mul && amount->args.size() == 2) {
    for (const std::size_t side : {0U, 1U}) {
      const Type& counted = types_[amount->args[1 - side]->type];
      Number share;
      const std::string& text = node.args[side]->text;
      if (counted.kind != TypeKind::number || !counted.whole || !text.ends_with('%')) continue;
      const bool read = parse_decimal(text.substr(0, text.size() - 1), share, numbers(), true);
      const bool little =
          counted.range.high.missing() ||  // all of it is a twentieth of the scale or less
          (read && finite(scale) &&
           compare(mul(share, counted.range.high, numbers()), mul(scale.high, whole(5), numbers())) <= 0);
      if (little) doubt_percent(*node.args[side], scale, "the scale", rc.index);
    }
  }
  if (state_.noted.doubts.size() > before) return;
  const bool some_count = range.high.missing() || sign(range.high) > 0;
  for (const ast::Expr* of = &node; some_count && of->kind == ast::ExprKind::choice; of = of->args[2].get()) {
    for (const std::size_t branch : {0U, 2U}) {
      if (of->args.size() <= branch || !of->args[branch]) continue;
      const ast::Expr& value = *of->args[branch];
      if (value.kind != ast::ExprKind::unary || value.text != "-" || value.args[0]->kind != ast::ExprKind::number)
        continue;
      doubt(Code::idle_amount, value.span, rc.index,
            "this " + word + " is below 0 here, so it is not listed: it is " + std::string(sources_.text(value.span)),
            FixIt("write 0 where there is none: a deduction takes away, a bonus adds", "0", false));
    }
    if (of->args.size() < 3 || !of->args[2]) break;
  }
  // -min(0.5 * faults, 4): at most 4 is what it takes away
  const ast::Expr& first = node.kind == ast::ExprKind::choice ? *node.args[0] : node;
  const bool negated = first.kind == ast::ExprKind::unary && first.text == "-";
  const ast::Expr* limited = negated && first.args[0]->kind == ast::ExprKind::call ? first.args[0].get() : nullptr;
  const bool below = some_count && (range.low.missing() || sign(range.low) < 0);
  if (below && limited != nullptr && limited->text == "min" && !limited->loop && limited->args.size() == 2 &&
      std::any_of(limited->args.begin(), limited->args.end(),
                  [](const auto& e) { return e->kind == ast::ExprKind::number && e->text != "0"; })) {
    const std::string plain = source_text(limited->span);
    doubt(Code::idle_amount, first.span, rc.index,
          "this " + word + " is listed only where it is above 0, and it has a minus sign",
          FixIt("write " + plain + ": a deduction takes away, a bonus adds", plain, false));
  }
  if (!range.high.missing() && sign(range.high) <= 0 && !is_constant(amount)) {
    doubt(Code::idle_amount, node.span, rc.index,
          "this " + word + " is never above 0, so it is never listed: it is" + range_text(range),
          sign(range.high) < 0 || range.low.missing() || sign(range.low) < 0
              ? std::string(step.sign_help)
              : "correct its numbers, so that more than 0 comes out");
    Fix positive;
    without_signs(sources_, node, positive);
    if (is_own(node.span, rc.index) && !positive.empty()) {
      state_.noted.doubts.back().fixes = {positive};
      if (positive.size() == 1 && word == "deduction") {  // -2, of what takes 2 away
        std::string plain = source_text(node.span);
        const Span at = positive.front().at;
        plain.replace(at.begin - node.span.begin, at.end - at.begin, positive.front().text);
        state_.noted.doubts.back().help = FixIt(std::string(step.sign_help), plain, true);
      }
    }
  }
  const bool least = node.kind == ast::ExprKind::call && node.text == "max" && !node.loop && node.args.size() == 2;
  if (least && !range.low.missing() && sign(range.low) > 0 && !is_constant(amount)) {
    doubt(Code::always_true, node.span, rc.index, "every record has this " + word + ": it is" + range_text(range),
          FixIt("write min(…) for an amount that grows up to a limit"));
    if (is_own(node.span, rc.index)) state_.noted.doubts.back().fixes = {{{node.word, "min"}}};
  }
  if (!finite(scale) || range.low.missing()) return;
  const Number most = compare(abs(scale.low, numbers()), abs(scale.high, numbers())) > 0 ? abs(scale.low, numbers())
                                                                                         : abs(scale.high, numbers());
  const auto large = [&](const ast::Expr& at, const std::string& is) {
    doubt(Code::large_amount, at.span, rc.index,
          "this " + word + " is larger than the scale" + range_text(scale) + ": it is" + is,
          "count it in points of the scale");
  };
  // 0.25 when minor else 50, of which only one branch is too large
  for (const ast::Expr* of = &node; of->kind == ast::ExprKind::choice && compare(range.low, most) <= 0;) {
    const bool more = of->args.size() > 2 && of->args[2];
    for (const std::size_t branch : {0U, 2U}) {
      if (branch == 2 && !more) continue;
      const ast::Expr& value = *of->args[branch];
      Number number;
      if (value.kind != ast::ExprKind::number || !parse_decimal(value.text, number, numbers(), true) ||
          compare(number, most) <= 0)
        continue;
      large(value, " " + value.text);
      Fix fix = rescaled(value, scale, numbers());
      if (is_own(value.span, rc.index) && !fix.empty()) state_.noted.doubts.back().fixes = {std::move(fix)};
    }
    if (!more) break;
    of = of->args[2].get();
  }
  if (compare(range.low, most) > 0) {
    large(node, range_text(range));
    Fix fix;
    if (node.kind == ast::ExprKind::call) {
      for (const ast::ExprPtr& arg : node.args) {
        for (Rewording& one : rescaled(*arg, scale, numbers())) fix.push_back(std::move(one));
      }
    } else {
      fix = rescaled(node.kind == ast::ExprKind::choice ? *node.args[0] : node, scale, numbers());
    }
    if (is_own(node.span, rc.index) && !fix.empty()) state_.noted.doubts.back().fixes = {std::move(fix)};
  }
}

// Caps on all adjustments of a kind: whether there are any adjustments, and whether their total can exceed the cap.
void DoubtChecker::doubt_group_caps(RubricContext& rc) {
  for (const AdjustmentRow& step : kAdjustments) {
    const auto caps = rc.caps.find(step.list);
    if (caps == rc.caps.end()) continue;
    bool any = false, bounded = true;
    Number most = whole(0);
    for (const ast::Item* item : rc.items) {
      const auto* node = std::get_if<ast::Adjustment>(&item->node);
      if (!node || node->kind != step.kind) continue;
      any = true;
      bounded = bounded && !node->loop && is_own(item->span, rc.index);
      if (!bounded) continue;
      Context cx;
      cx.rubric = rc.index;
      const Expr* amount = exprs_.body(node->body, cx);
      bounded = kind_of(amount) == TypeKind::number && !range_of(amount).high.missing();
      if (bounded) most = add(most, assay::max(range_of(amount).high, whole(0)), numbers());
    }
    for (const ast::Cap* cap : caps->second) {
      if (!any) {
        doubt(Code::idle_cap, cap->target.span, rc.index,
              "there is no " + std::string(step.word) + ", so this cap limits nothing",
              "declare one: " + std::string(step.word) + " name = … \"reason\"; or leave the cap out");
        for (const AdjustmentRow& other : kAdjustments) {
          const bool there = std::any_of(rc.items.begin(), rc.items.end(), [&other](const ast::Item* item) {
            const auto* node = std::get_if<ast::Adjustment>(&item->node);
            return node && node->kind == other.kind;
          });
          if (there && is_own(cap->target.span, rc.index))
            state_.noted.doubts.back().fixes.push_back({{cap->target.span, std::string(other.list)}});
        }
        continue;
      }
      doubt_percent(*cap->at, model(rc).scale.range, "the scale", rc.index);
      Context cx;
      cx.rubric = rc.index;
      const Expr* at = exprs_.number_expr(*cap->at, cx, "a cap");
      if (kind_of(at) != TypeKind::number || range_of(at).low.missing()) continue;
      const Interval& scale = model(rc).scale.range;
      if (finite(scale) && compare(range_of(at).low, sub(scale.high, scale.low, numbers())) > 0) {
        doubt(Code::idle_cap, cap->at->span, rc.index,
              "this cap never lowers anything: no score changes by more than the scale" + range_text(scale),
              "name a number within the scale, or leave the cap out");
        Fix fix = rescaled(*cap->at, scale, numbers());
        if (is_own(cap->at->span, rc.index) && !fix.empty()) state_.noted.doubts.back().fixes = {std::move(fix)};
        continue;
      }
      if (!bounded) continue;
      // standards often state the largest possible total as a limit
      if (compare(range_of(at).low, most) <= 0) continue;
      doubt(Code::idle_cap, cap->at->span, rc.index,
            "this cap never lowers anything: all " + std::string(step.list) + " together are at most " +
                shortest_text(most),
            "name a number below " + shortest_text(most) + ", or leave the cap out");
    }
  }
}

// An input that nothing uses, in place of one of two equal sides.
void DoubtChecker::offer_unused(const RubricContext& rc, Doubt& d) {
  const auto node = std::find_if(state_.noted.same_sides.begin(), state_.noted.same_sides.end(),
                                 [&d](const ast::Expr* e) { return e->span.begin == d.span.begin; });
  if (node == state_.noted.same_sides.end()) return;
  for (const auto& [name, item] : rc.by_name.inputs) {
    const bool used = rc.used_inputs.count(name) > 0 || rc.pending[static_cast<std::size_t>(item)].used;
    if (used || name == "id") continue;
    for (const std::size_t side : {1U, 0U}) d.fixes.insert(d.fixes.begin(), {{(*node)->args[side]->span, name}});
  }
}

// Whether a condition is, or begins with, one that is written elsewhere in the same words, in a rubric that it extends.
bool DoubtChecker::names_part(const ast::Expr& condition, const std::string& text) const {
  const ast::Expr* e = &condition;
  while (true) {
    if (source_text(e->span) == text) return true;
    if (!is_binary(*e, "and")) return false;
    if (source_text(e->args[1]->span) == text) return true;
    e = e->args[0].get();
  }
}

// cap score at 8 when copied > 20%, beside cap score at 6 when copied > 10%: the lower one applies wherever this one does.
void DoubtChecker::doubt_hidden_caps(RubricContext& rc, Doubts& proofs) {
  for (const auto& [target, caps] : rc.caps) {
    constexpr std::size_t kMost = 20;
    for (std::size_t i = 0; i < caps.size() && caps.size() <= kMost; ++i) {
      for (std::size_t k = 0; k < caps.size(); ++k) {
        const ast::Cap &cap = *caps[i], &lower = *caps[k];
        Number at, below;
        const auto number = [this](const ast::ExprPtr& e, Number& n) {
          return e && e->kind == ast::ExprKind::number && parse_decimal(e->text, n, numbers(), true);
        };
        if (i == k || !cap.when || !is_own(cap.at->span, rc.index) || !number(cap.at, at) || !number(lower.at, below) ||
            compare(below, at) >= 0 ||
            (lower.when && !proofs.implies(*cap.when, *lower.when) &&
             !names_part(*cap.when, source_text(lower.when->span))))
          continue;
        doubt(Code::idle_cap, cap.at->span, rc.index,
              "this cap never lowers anything: wherever it applies, the cap at " + lower.at->text + " does as well",
              "exchange the two limits, or leave this one out");
        if (lower.when && lower.at->span.file == cap.at->span.file)
          state_.noted.doubts.back().fixes = {{{cap.at->span, lower.at->text}, {lower.at->span, cap.at->text}}};
        break;
      }
    }
  }
}

// incomplete when a < 2, below incomplete when a < 3: the first reason that holds is given.
void DoubtChecker::doubt_hidden_reasons(RubricContext& rc, Doubts& proofs) {
  std::vector<const ast::Incomplete*> above;
  constexpr std::size_t kMost = 20;
  for (const ast::Item* item : rc.items) {
    const auto* one = std::get_if<ast::Incomplete>(&item->node);
    if (one == nullptr || !one->when || above.size() == kMost) continue;
    const auto hides = [&](const ast::Incomplete* other) { return proofs.implies(*one->when, *other->when); };
    const auto first = std::find_if(above.begin(), above.end(), hides);
    if (first != above.end() && is_own(one->when->span, rc.index) && !proofs.told(one->when->span))
      doubt(Code::always_false, one->when->span, rc.index,
            "no record is ever incomplete for this reason: wherever it holds, " + short_text((*first)->when->span) +
                " above it does as well",
            "put the narrower condition first, or leave this one out");
    above.push_back(one);
  }
}

void DoubtChecker::prove_examples(RubricContext& rc, Knowledge& knowledge, bool hopeless) {
  ExampleProof proof(model_, *diagnostics_, knowledge, rc.index, hopeless);
  for (const ast::Item* item : rc.items) {
    const auto* example = std::get_if<ast::Example>(&item->node);
    if (example && is_own(item->span, rc.index)) proof.example(*example);
  }
}

// Edits of whole declarations: an input that becomes optional, a declaration that is left out.
void DoubtChecker::note_declarations(RubricContext& rc) {
  Surroundings& around = state_.noted.around;
  for (const ast::Item* item : rc.items) {
    if (!is_own(item->span, rc.index)) continue;
    const auto about = [&](const ast::ExprPtr& condition) {
      if (condition) around.declarations[condition.get()] = item->span;
    };
    if (const auto* input = std::get_if<ast::Input>(&item->node);
        input && input->policy.tag == ast::PolicyTag::missing) {
      for (const ast::Name& name : input->names) around.replaced.insert(name.text);
    }
    if (const auto* input = std::get_if<ast::Input>(&item->node); input && input->kind) {
      const std::uint32_t end = input->kind->span.end;
      const bool required = input->policy.tag == ast::PolicyTag::required;
      Fix fix = {required ? Rewording{{item->span.file, end, end}, " optional"}
                          : Rewording{input->policy.span, "optional"}};
      for (const ast::Name& name : input->names) around.optional.emplace(name.text, fix);
    }
    if (const auto* cap = std::get_if<ast::Cap>(&item->node)) about(cap->when);
    if (const auto* flag = std::get_if<ast::Flag>(&item->node)) about(flag->when);
    if (const auto* advice = std::get_if<ast::Advice>(&item->node)) about(advice->when);
    if (const auto* check = std::get_if<ast::Check>(&item->node)) about(check->condition);
    if (const auto* incomplete = std::get_if<ast::Incomplete>(&item->node)) about(incomplete->when);
  }
}

void DoubtChecker::report_doubts(RubricContext* main) {
  if (main != nullptr) doubt_group_caps(*main);
  if (diagnostics_->has_errors()) return;
  std::erase_if(state_.noted.claims,
                [this](const Claim& c) { return c.asked == Asked::call && state_.noted.answered.count(c.node) > 0; });
  if (main != nullptr) {
    note_declarations(*main);
    doubt_statements(*main);
    doubt_unread(*main);
    doubt_lost_sums(*main);
    doubt_sums(*main);
    doubt_keys(*main);
    doubt_squares(*main);
    doubt_computed_ranges(*main);
    doubt_outside(*main);
  }
  for (Doubt& d : state_.noted.doubts) {
    if (d.code != Code::same_sides && d.code != Code::beyond_range) continue;
    state_.noted.around.told.push_back(d.span);
    if (main != nullptr && d.code == Code::same_sides) offer_unused(*main, d);
  }
  Doubts proofs(model_, sources_, *diagnostics_, budget_, state_.noted.settings, state_.noted.considered,
                state_.noted.around);
  proofs.claims(state_.noted.claims);
  if (main != nullptr) {
    proofs.gates_together(main->index);
    // A gate that another one implies still tells how far a record got, where the results of gates are read.
    const int gates = exprs_.find_value(*main, "gates");
    if (gates < 0 || !main->pending[static_cast<std::size_t>(gates)].used) proofs.gates_implied(main->index);
    proofs.gates_leave(main->index);
    proofs.against_checks(main->index);
    proofs.idle_parts(main->index);
    doubt_hidden_caps(*main, proofs);
    doubt_hidden_reasons(*main, proofs);
    for (const ast::Item* item : main->items) {
      if (std::holds_alternative<ast::Rank>(item->node) && is_own(item->span, main->index))
        proofs.ranks(model(*main), main->index, state_.main_file);
    }
    // Where points are out of reach, so are rows and expectations above them.
    const auto unreached = [](const Doubt& d) {
      return d.code == Code::unreached_points || d.code == Code::same_sides;
    };
    if (std::any_of(state_.noted.doubts.begin(), state_.noted.doubts.end(), unreached))
      std::erase_if(state_.noted.doubts, [](const Doubt& d) { return d.code == Code::unreachable_band; });
    else prove_examples(*main, proofs.knowledge(), proofs.hopeless());
  }
  // A condition that its text contradicts is told by its text alone.
  std::erase_if(state_.noted.doubts, [this](const Doubt& turned) {
    return (turned.code == Code::wrong_way || turned.code == Code::against_name) &&
           std::any_of(state_.noted.doubts.begin(), state_.noted.doubts.end(), [&turned](const Doubt& d) {
             return d.code == Code::contradicts_prose && d.span.begin >= turned.span.begin &&
                    d.span.end <= turned.span.end;
           });
  });
  for (Doubt& d : state_.noted.doubts) {
    const bool of_missing = d.code == Code::empty_text || (d.code == Code::withheld_grade && d.node != nullptr);
    if (of_missing && state_.noted.considered.count(d.node->text) > 0) continue;
    if (d.code == Code::contradicts_prose && proofs.told(d.span)) continue;
    if (d.node == nullptr || state_.noted.answered.count(d.node) == 0)
      offer(*diagnostics_, error(d.code, d.span, std::move(d.message), {}, std::move(d.help)), d.fixes);
  }
}

}  // namespace assay
