// Checker: warnings about parts without effect or intention. This unit only collects conditions, comparisons and calls,
// as written and with their meaning; lang/proof/doubts.hpp does the proofs. There are no warnings about other files, or
// about declarations that a rubric inherits, because those may matter elsewhere.
#include "lang/check/expr/expressions.hpp"
#include "lang/proof/example_proof.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

namespace {

std::string range_text(const Interval& range) {
  const bool single = finite(range) && compare(range.low, range.high) == 0;
  return single ? " " + shortest_text(range.low) : str(range, false).substr(6);
}

bool mentions_name(const ast::Expr& e) {
  std::set<std::string> names;
  names_in(e, names);
  return !names.empty();
}

}  // namespace

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

// Records, for every expression, the parts that are examined later.
void DoubtChecker::note_expr(const ast::Expr& node, Expr* value, const Context& cx) {
  const bool constant_truth = is_constant(value) && kind_of(value) == TypeKind::boolean;
  if (constant_truth && node.kind != ast::ExprKind::boolean && mentions_name(node)) state_.noted.settings.insert(value);
  const bool considers = node.kind == ast::ExprKind::is_missing || node.kind == ast::ExprKind::is_given ||
                         (node.kind == ast::ExprKind::binary && node.text == "default");
  if (considers && !node.args[0]->text.empty()) state_.noted.considered.insert(node.args[0]->text);
  if (considers) state_.noted.answered.insert(node.args[0].get());
  switch (node.kind) {
    case ast::ExprKind::binary: {
      static const std::set<std::string_view> kAsked = {"==", "!=", "<", "<=", ">", ">=", "in", "not in"};
      if (kAsked.count(node.text) > 0 && !is_constant(value)) written(Asked::part, node, value, cx);
      break;
    }
    case ast::ExprKind::is_missing:
    case ast::ExprKind::is_given: {
      const Expr* of = value;
      while (of->op == Op::not_ || of->op == Op::is_missing) of = of->args[0];
      if (of->op == Op::slot || of->op == Op::item) written(Asked::part, node, value, cx);
      break;
    }
    case ast::ExprKind::call:
    case ast::ExprKind::index:
      if (value->op == Op::builtin || value->op == Op::list_get) written(Asked::call, node, value, cx);
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
  WayOut way("write " + digits + " for points");
  if (Number share; sign(range.low) >= 0 && parse_decimal(digits, share, numbers(), true)) {
    const std::string points = shortest_text(div(mul(share, range.high, numbers()), whole(100), numbers()));
    way = WayOut(
        "write " + points + (points == digits ? " for points" : ": " + node.text + " of " + shortest_text(range.high)),
        points, false);
  }
  doubt(Code::percent_of_points, node.span, rubric_index,
        of + " is" + range_text(range) + ", and " + node.text + " is a share of 1", std::move(way));
}

void DoubtChecker::doubt_cap(const ast::Cap& cap, const Expr* value, const Expr* at, int rubric_index) {
  if (kind_of(value) != TypeKind::number) return;
  const Interval& of = range_of(value);
  const Interval& limit = range_of(at);
  const std::string name = "'" + cap.target.text + "'";
  const std::size_t before = state_.noted.doubts.size();
  doubt_percent(*cap.at, of, name, rubric_index);
  if (state_.noted.doubts.size() > before) return;
  if (!of.high.missing() && !limit.low.missing() && compare(limit.low, of.high) >= 0) {
    doubt(Code::idle_cap, cap.at->span, rubric_index,
          "this cap never lowers anything: " + name + " is" + range_text(of),
          "name a number below " + shortest_text(of.high) + ", or leave the cap out");
  } else if (!of.low.missing() && !limit.high.missing() && compare(limit.high, of.low) < 0) {
    doubt(Code::idle_cap, cap.at->span, rubric_index,
          "this cap is below everything that " + name + " can be: it is" + range_text(of),
          "name a number within the range");
  }
}

void DoubtChecker::doubt_amount(const AdjustmentRow& step, const ast::Expr& node, const Expr* amount,
                                RubricContext& rc) {
  if (kind_of(amount) != TypeKind::number || !model(rc).has_scale) return;
  const Interval& scale = model(rc).scale;
  const Interval& range = range_of(amount);
  const std::string word(step.word);
  const std::size_t before = state_.noted.doubts.size();
  doubt_percent(node, scale, "the scale", rc.index);
  // "10% * days": what is counted without an end is no score that a share could be taken of.
  if (node.kind == ast::ExprKind::binary && node.text == "*" && amount->op == Op::mul && amount->args.size() == 2) {
    for (const std::size_t side : {0U, 1U}) {
      const Type& counted = types_[amount->args[1 - side]->type];
      if (counted.kind == TypeKind::number && counted.whole && counted.range.high.missing())
        doubt_percent(*node.args[side], scale, "the scale", rc.index);
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
            WayOut("write 0 where there is none: a deduction takes away, a bonus adds", "0", false));
    }
    if (of->args.size() < 3 || !of->args[2]) break;
  }
  if (!range.high.missing() && sign(range.high) <= 0 && !is_constant(amount)) {
    doubt(Code::idle_amount, node.span, rc.index,
          "this " + word + " is never above 0, so it is never listed: it is" + range_text(range),
          node.kind == ast::ExprKind::unary && node.text == "-"
              ? WayOut(std::string(step.sign_help), std::string(sources_.text(node.args[0]->span)), false)
              : WayOut(std::string(step.sign_help)));
  }
  if (!finite(scale) || range.low.missing()) return;
  const Number most = compare(abs(scale.low, numbers()), abs(scale.high, numbers())) > 0 ? abs(scale.low, numbers())
                                                                                         : abs(scale.high, numbers());
  if (compare(range.low, most) > 0) {
    doubt(Code::large_amount, node.span, rc.index,
          "this " + word + " is larger than the scale" + range_text(scale) + ": it is" + range_text(range),
          "count it in points of the scale");
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
        continue;
      }
      doubt_percent(*cap->at, model(rc).scale, "the scale", rc.index);
      Context cx;
      cx.rubric = rc.index;
      const Expr* at = exprs_.number_expr(*cap->at, cx, "a cap");
      if (!bounded || kind_of(at) != TypeKind::number || range_of(at).low.missing()) continue;
      // standards often state the largest possible total as a limit
      if (compare(range_of(at).low, most) <= 0) continue;
      doubt(Code::idle_cap, cap->at->span, rc.index,
            "this cap never lowers anything: all " + std::string(step.list) + " together are at most " +
                shortest_text(most),
            "name a number below " + shortest_text(most) + ", or leave the cap out");
    }
  }
}

// Whether the pipeline may withhold it, like the score.
bool DoubtChecker::made_of_score(const Expr* e, RubricContext& rc, std::set<int>& seen) {
  const Nesting nesting(budget_);
  if (e->op == Op::item) {
    const int index = static_cast<int>(e->index);
    const Item& item = model(rc).items[e->index];
    if (item.kind == ItemKind::pipeline) return item.name == "score" || item.name == "composite";
    if (item.kind != ItemKind::let && item.kind != ItemKind::output) return false;
    return seen.insert(index).second && item.body && made_of_score(item.body, rc, seen);
  }
  if (e->op == Op::default_) return false;
  return std::any_of(e->args.begin(), e->args.end(), [&](const Expr* a) { return made_of_score(a, rc, seen); });
}

void DoubtChecker::doubt_bands(RubricContext& rc, const ast::Bands& node, const std::vector<Expr*>& keys) {
  const auto cells = [&](std::size_t row, std::size_t k) -> const std::vector<ast::CellPattern>& {
    return node.rows.rows[row][k].patterns;
  };
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (kind_of(keys[k]) != TypeKind::number) continue;
    const std::string name = "'" + node.params[k].text + "'";
    for (std::size_t row = 0; row < node.rows.rows.size(); ++row) {
      for (const ast::CellPattern& pattern : cells(row, k)) {
        if (pattern.expr) doubt_percent(*pattern.expr, range_of(keys[k]), name, rc.index);
        for (const ast::CellBound& bound : pattern.bounds)
          doubt_percent(*bound.expr, range_of(keys[k]), name, rc.index);
      }
    }
    std::set<int> seen;
    const bool score = node.params[k].text == "score" && rc.own.find("score") == rc.own.end();
    if (!keys[k]->optional || (score && k == 0) || !made_of_score(keys[k], rc, seen)) continue;
    const ast::CellPattern* otherwise = nullptr;
    bool tells = false;  // it has a row for missing
    for (std::size_t row = 0; row < node.rows.rows.size(); ++row) {
      for (const ast::CellPattern& pattern : cells(row, k)) {
        if (pattern.tag == ast::CellPattern::Tag::otherwise) otherwise = &pattern;
        tells = tells || pattern.tag == ast::CellPattern::Tag::missing;
      }
    }
    if (otherwise == nullptr || tells) continue;
    doubt(Code::withheld_grade, otherwise->span, rc.index,
          name + " is missing when the score is withheld, and 'otherwise' fits that too: such a record gets this grade",
          "write the bound that is meant, such as '>= 0', or a row 'missing' above it");
  }
}

// "${x}" is how other languages insert a value into a text; here the $ is shown.
void DoubtChecker::doubt_text(const ast::Text& text_of, const ast::TextPart& part, const Expr* value,
                              const Context& cx) {
  const std::size_t at = static_cast<std::size_t>(&part - text_of.parts.data());
  if (at == 0 || text_of.parts[at - 1].expr || !text_of.parts[at - 1].literal.ends_with('$')) return;
  if (kind_of(value) == TypeKind::number) {  // an amount in dollars
    static constexpr std::string_view kMoney[] = {"cost", "price", "budget",  "amount", "usd",    "dollar", "fee",
                                                  "pay",  "spen",  "revenue", "money",  "salary", "value",  "total"};
    const std::string name = source_text(part.expr->span);
    const bool money = std::any_of(std::begin(kMoney), std::end(kMoney),
                                   [&name](std::string_view word) { return name.find(word) != name.npos; });
    if (part.decimals >= 0 || money) return;
  }
  Span dollar = part.span;
  const std::string_view text = sources_.file(part.span.file).text;
  if (dollar.begin > 0 && text[dollar.begin] == '{' && text[dollar.begin - 1] == '$') --dollar.begin;
  const std::string value_alone(text.substr(part.span.begin, part.span.end - part.span.begin));
  const std::string help = "a value in a text is written {" + short_text(part.expr->span) + "}, without '$'";
  doubt(Code::dollar_in_text, dollar, cx.rubric, "the '$' before this value is shown as it is",
        dollar.begin < part.span.begin ? WayOut(help, value_alone, false) : WayOut(help));
}

void DoubtChecker::prove_examples(RubricContext& rc, Knowledge& knowledge) {
  std::optional<std::set<std::string>> flags = std::set<std::string>();
  for (const ast::Item* item : rc.items) {
    const auto* flag = std::get_if<ast::Flag>(&item->node);
    if (!flag) continue;
    if (!flag->label.plain()) flags.reset();
    if (flags) flags->insert(flag->label.str());
  }
  ExampleProof proof(model_, *diagnostics_, knowledge, rc.index, std::move(flags));
  for (const ast::Item* item : rc.items) {
    const auto* example = std::get_if<ast::Example>(&item->node);
    if (example && is_own(item->span, rc.index)) proof.example(*example);
  }
}

void DoubtChecker::report_doubts(RubricContext* main) {
  if (main != nullptr) doubt_group_caps(*main);
  if (diagnostics_->has_errors()) return;
  std::erase_if(state_.noted.claims,
                [this](const Claim& c) { return c.asked == Asked::call && state_.noted.answered.count(c.node) > 0; });
  Doubts proofs(model_, sources_, *diagnostics_, budget_, state_.noted.settings, state_.noted.considered);
  proofs.claims(state_.noted.claims);
  if (main != nullptr) {
    for (const ast::Item* item : main->items) {
      if (std::holds_alternative<ast::Rank>(item->node) && is_own(item->span, main->index))
        proofs.ranks(model(*main), main->index, state_.main_file);
    }
    prove_examples(*main, proofs.knowledge());
  }
  for (Doubt& d : state_.noted.doubts) {
    if (d.node == nullptr || state_.noted.answered.count(d.node) == 0)
      error(d.code, d.span, std::move(d.message), {}, std::move(d.help));
  }
}

}  // namespace assay
