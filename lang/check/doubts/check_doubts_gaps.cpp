// Checker: warnings about calls that are missing for a part of what an input may hold: beyond the points of 'interpolate', or
// the rows of a table.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace assay {

// Notes a call of what is declared as wider than the points or rows that it knows. What happens to a missing value is seen
// when all has been read.
void DoubtChecker::note_outside(const ast::Expr& call, const ast::Expr& arg, const Interval& is, const Interval& known,
                                int rubric_index) {
  Linear of;
  if (rubric_index < 0 || !is_own(call.span, rubric_index) || !finite(is) || !linear_of(arg, of) || !is_path(*of.of))
    return;
  const ast::Expr* root = of.of;
  while (root->kind == ast::ExprKind::field) root = root->args[0].get();
  const RubricContext& rc = rubric(rubric_index);
  if (root->kind != ast::ExprKind::name || rc.last_inputs.count(root->text) == 0) return;
  const auto beyond = [](const Number& end, const Number& bound, bool open, int way) {
    return !bound.missing() && (compare(end, bound) * way > 0 || (open && compare(end, bound) == 0));
  };
  const bool above = beyond(is.high, known.high, known.high_open, 1);
  const bool below = beyond(is.low, known.low, known.low_open, -1);
  const bool meet = (known.high.missing() || compare(is.low, known.high) < 0) &&
                    (known.low.missing() || compare(is.high, known.low) > 0);
  if (above == below || !meet) return;  // of both, the declared range may be a mere type
  const std::string name = short_text(arg.span), end = shortest_text(above ? known.high : known.low);
  const bool points = call.text == "interpolate";
  const std::string where = std::string(above ? "above " : "below ") + end;
  Doubt d{Code::table_gap,
          points ? arg.span : call.span,
          "'" + name + "' is" + range_text(is) + ", and " + where + " there is no " +
              (points ? "point" : "row of '" + call.text + "'") +
              ": there this is missing, and so is all that needs it",
          FixIt("add a row for it, a last row 'otherwise', or a 'default' to the call"),
          &call,
          {}};
  if (points) {
    d.help = FixIt("keep it within the points, or add a 'default' to the call");
    if (finite(known)) {
      const std::string meant =
          "clamp(" + source_text(arg.span) + ", " + shortest_text(known.low) + ".." + shortest_text(known.high) + ")";
      d.fixes = {{{arg.span, meant}}};
    }
  }
  state_.noted.outside.push_back(std::move(d));
}

namespace {

// The calls in an expression of which nothing handles a missing result, and the names in the other parts.
void unguarded(Budget& budget, const ast::Expr& e, std::set<const ast::Expr*>& calls, std::set<std::string>& handled) {
  const Nesting nesting(budget);
  const bool joins = is_binary(e, "and") || is_binary(e, "or") || is_binary(e, "default");
  const bool loops = e.loop != nullptr;
  if (joins || loops || e.kind == ast::ExprKind::choice || e.kind == ast::ExprKind::is_missing ||
      e.kind == ast::ExprKind::is_given)
    return names_in(e, handled);
  if (e.kind == ast::ExprKind::call) calls.insert(&e);
  for (const ast::ExprPtr& arg : e.args) {
    if (arg) unguarded(budget, *arg, calls, handled);
  }
}

}  // namespace

void DoubtChecker::doubt_outside(RubricContext& rc) {
  if (state_.noted.outside.empty()) return;
  std::set<const ast::Expr*> calls, shown;
  std::set<std::string> handled = state_.noted.considered;
  std::vector<const DimensionItems*> open;
  for (const DimensionItems& d : rc.dimensions.all) open.push_back(&d);
  while (!open.empty()) {
    const DimensionItems* d = open.back();
    open.pop_back();
    for (const DimensionItems& part : d->parts) open.push_back(&part);
    const ast::Dimension& node = *d->node;
    if (!node.body.expr) continue;
    if (node.policy.tag != ast::PolicyTag::required) names_in(*node.body.expr, handled);
    else if (handled.count(node.name.text) == 0) unguarded(budget_, *node.body.expr, calls, handled);
  }
  std::map<std::string, std::set<const ast::Expr*>> named;
  for (const ast::Item* item : rc.items) {
    const auto* let = std::get_if<ast::Let>(&item->node);
    const auto* amount = std::get_if<ast::Adjustment>(&item->node);
    const auto* output = std::get_if<ast::Output>(&item->node);
    if (let != nullptr && let->body.expr) unguarded(budget_, *let->body.expr, named[let->name.text], handled);
    if (amount != nullptr && amount->body.expr) unguarded(budget_, *amount->body.expr, calls, handled);
    if (output != nullptr && output->body.expr) unguarded(budget_, *output->body.expr, shown, handled);
  }
  for (const auto& [name, within] : named) {
    if (handled.count(name) == 0) calls.insert(within.begin(), within.end());
  }
  std::set<std::string> bounded;  // what a check or a gate asks about
  for (const ast::Item* item : rc.items) {
    const auto* check = std::get_if<ast::Check>(&item->node);
    const auto* gate = std::get_if<ast::Gate>(&item->node);
    if (check != nullptr && check->condition) names_in(*check->condition, bounded);
    if (gate != nullptr && gate->body.expr) names_in(*gate->body.expr, bounded);
  }
  for (Doubt& d : state_.noted.outside) {
    std::set<std::string> names;
    names_in(*d.node, names);
    const auto within = [&d](const Doubt& told) {
      return told.span.file == d.node->span.file && told.span.begin >= d.node->span.begin &&
             told.span.end <= d.node->span.end;
    };
    const bool asked =
        std::any_of(names.begin(), names.end(), [&bounded](const std::string& n) { return bounded.count(n) > 0; });
    // An output may be missing on purpose where a table has no row.
    const bool needed = calls.count(d.node) > 0 || (d.node->text == "interpolate" && shown.count(d.node) > 0);
    if (!asked && needed && std::none_of(state_.noted.doubts.begin(), state_.noted.doubts.end(), within))
      state_.noted.doubts.push_back(std::move(d));
  }
}

}  // namespace assay
