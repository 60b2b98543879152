// See depth.hpp. Each item and each function is measured once, so that the work is linear in the size of the model; the
// result is added wherever its name is used.
#include "lang/proof/depth.hpp"

#include <algorithm>
#include <vector>

namespace assay {
namespace {

class Depths {
 public:
  Depths(const Model& model, Budget& budget) : model_(model), budget_(budget), functions_(model.functions.size(), -1) {
    for (const RubricModel& rubric : model.rubrics) items_.emplace_back(rubric.items.size(), -1);
  }

  void run() {
    for (std::size_t r = 0; r < model_.rubrics.size(); ++r) {
      const RubricModel& rubric = model_.rubrics[r];
      const int index = static_cast<int>(r);
      for (std::size_t i = 0; i < rubric.items.size(); ++i) item(index, i);
      for (const RequiredWhen& rule : rubric.required_when) expr(rule.condition, index);
      for (const Embedded& rule : rubric.embedded) expr(rule.body, index);
      for (const Check& rule : rubric.checks) expr(rule.body, index);
    }
    for (std::size_t f = 0; f < functions_.size(); ++f) function(f);
  }

 private:
  int item(int rubric, std::size_t index) {
    int& known = items_[static_cast<std::size_t>(rubric)][index];
    if (known >= 0) return known;
    const Item& item = model_.rubrics[static_cast<std::size_t>(rubric)].items[index];
    const WorkingOn working(budget_, item.span);
    known = 0;
    return known = expr(item.body, rubric);
  }

  int function(std::size_t index) {
    int& known = functions_[index];
    if (known >= 0) return known;
    known = 0;  // also for recursive calls
    return known = expr(model_.functions[index].body, model_.functions[index].rubric);
  }

  int expr(const Expr* e, int rubric) {
    if (e == nullptr) return 0;
    const Nesting nesting(budget_);
    int deepest = 0;
    const auto part = [&](const Expr* below) { deepest = std::max(deepest, expr(below, rubric)); };
    if (e->op == Op::item && rubric >= 0) deepest = item(rubric, e->index);
    if (e->op == Op::call) deepest = function(e->index);
    for (const Expr* arg : e->args) part(arg);
    if (e->loop) {
      for (const LoopClause& clause : e->loop->clauses) part(clause.expr);
      for (const Expr* below : {e->loop->start, e->loop->next, e->loop->key, e->loop->value}) part(below);
      for (const LoopOrder& order : e->loop->order) part(order.expr);
    }
    if (deepest >= Budget::kMostDepth) budget_.stop(OutOfBudget::Cause::depth);
    return deepest + 1;
  }

  const Model& model_;
  Budget& budget_;
  std::vector<std::vector<int>> items_;  // by rubric; -1: unknown
  std::vector<int> functions_;
};

}  // namespace

void measure_depth(const Model& model, Budget& budget) { Depths(model, budget).run(); }

}  // namespace assay
