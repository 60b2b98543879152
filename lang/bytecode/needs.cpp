// The parts of a record on which an item depends; see needs.hpp.
#include "lang/bytecode/needs.hpp"

#include "lang/bytecode/walk.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace assay {

namespace {

Needs needs_from(const Model& model, int rubric, const Expr* body, int item) {
  Needs needs;
  const RubricModel& r = model.rubrics[static_cast<std::size_t>(rubric)];
  std::set<int> items, functions;
  std::vector<const Expr*> waiting;
  const auto use = [&](std::set<int>& known, std::uint32_t index, const auto& list) {
    if (known.insert(static_cast<int>(index)).second) waiting.push_back(list[index].body);
  };
  if (body != nullptr) waiting.push_back(body);
  else use(items, static_cast<std::uint32_t>(item), r.items);
  while (!waiting.empty()) {
    const Expr* const next = waiting.back();
    waiting.pop_back();
    walk(next, [&](const Expr& e) {
      switch (e.op) {
        case Op::slot: needs.slots.insert(static_cast<int>(e.index)); break;
        case Op::raw_history: needs.history = true; break;
        case Op::item: use(items, e.index, r.items); break;
        case Op::call: use(functions, e.index, model.functions); break;
        default: break;
      }
    });
  }
  return needs;
}

}  // namespace

Needs needs_of(const Model& model, int rubric, int item) { return needs_from(model, rubric, nullptr, item); }

Needs needs_of(const Model& model, int rubric, const Expr* body) { return needs_from(model, rubric, body, -1); }

}  // namespace assay
