// Finding references. See references.hpp.
#include "runtime/engine/references.hpp"

#include <algorithm>
#include <set>

namespace assay {

namespace {

class Collector {
 public:
  Collector(const Model& model, int rubric, int item, const Reached* reached)
      : model_(model),
        index_(rubric),
        rubric_(model.rubrics[static_cast<std::size_t>(rubric)]),
        item_(item),
        reached_(reached) {}

  void collect(const Expr* e) {
    if (e == nullptr) return;
    if (e->op == Op::slot) once(refs_.slots, e->index);
    if (e->op == Op::weight) once(refs_.weights, e->index);
    if (e->op == Op::item) {
      const Item& it = rubric_.items[e->index];
      if (it.kind != ItemKind::hidden && !it.name.empty()) {
        once(refs_.items, e->index);
      } else if (hidden_.insert(e->index).second) {
        const int outer = item_;
        item_ = static_cast<int>(e->index);
        collect(it.body);
        item_ = outer;
      }
    }
    if (e->op == Op::call && functions_.insert(e->index).second) {
      const Function& f = model_.functions[e->index];
      if (f.rubric == index_) collect(f.body);
    }
    for (std::size_t i = 0; i < e->args.size(); ++i) {
      const bool side = e->op == Op::choice && i != 1;
      if (!side || asked(*e, i == 0 ? 1 : 0)) collect(e->args[i]);
    }
    if (!e->loop) return;
    for (const LoopClause& clause : e->loop->clauses) collect(clause.expr);
    if (!asked(*e, 1)) return;
    for (const Expr* part : {e->loop->start, e->loop->next, e->loop->key, e->loop->value}) collect(part);
    for (const LoopOrder& order : e->loop->order) collect(order.expr);
  }
  References take() { return std::move(refs_); }

 private:
  bool asked(const Expr& e, int side) const { return reached_ == nullptr || (*reached_)(item_, e, side); }

  static void once(std::vector<int>& list, std::uint32_t index) {
    const int i = static_cast<int>(index);
    if (std::find(list.begin(), list.end(), i) == list.end()) list.push_back(i);
  }

  const Model& model_;
  int index_;
  const RubricModel& rubric_;
  int item_;
  const Reached* reached_;  // null: everything counts
  References refs_;
  std::set<std::uint32_t> functions_, hidden_;
};

}  // namespace

References references_of(const Model& model, int rubric, const Expr* body, int self) {
  Collector collector(model, rubric, self, nullptr);
  collector.collect(body);
  References refs = collector.take();
  std::erase(refs.items, self);
  return refs;
}

References references_asked(const Model& model, int rubric, const Expr* body, int self, const Reached& reached) {
  Collector collector(model, rubric, self, &reached);
  collector.collect(body);
  References refs = collector.take();
  std::erase(refs.items, self);
  return refs;
}

}  // namespace assay
