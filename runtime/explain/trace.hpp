// A trace of an evaluation, as a tree: items, and inside them calls, loops with their rounds, choices, table rows and
// named values. The number of nodes is limited; which sides the choices took is always known.
#pragma once

#include "runtime/engine/evaluator.hpp"
#include "runtime/vm/vm.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace assay {

struct TraceNode {
  const TracePoint* point = nullptr;
  Value value = missing_value();
  std::uint32_t parent = 0, first = 0, last = 0, next = 0;  // positions; 0: none
  std::uint32_t rounds = 0, passed = 0;                     // of a loop; for a round, passed is 0 or 1
  std::uint32_t dropped = 0;                                // nodes below it that were not kept
  std::uint32_t depth = 0;
  std::int8_t side = -1;  // of a choice: 1 the first, 0 the second
};

struct TraceLimits {
  std::size_t nodes = 400'000;  // in total
  std::size_t item = 400'000;   // for one item
  std::uint32_t depth = 600;    // nesting: functions that process the tree recurse
};

class Trace : public Tracer {
 public:
  explicit Trace(const RubricModel& rubric, TraceLimits limits = {});

  void begin(const TracePoint& point) override;
  void value(const TracePoint& point, const Value& value) override;

  const TraceNode& operator[](std::uint32_t at) const { return nodes_[at]; }
  std::uint32_t item(int index) const { return items_[static_cast<std::size_t>(index)]; }  // 0: it was not evaluated
  // For an item at the top: whether the choice took that side; whether a round of the loop passed.
  bool reached(int item, const Expr& e, int side) const;
  void keep(std::shared_ptr<const Program> program) { program_ = std::move(program); }  // owns the points
  const std::vector<TracePoint>& points() const { return program_->points; }
  bool complete() const { return nodes_[0].dropped == 0; }

 private:
  std::uint32_t push(const TracePoint& point);
  void pop() { current_ = nodes_[current_].parent; }

  TraceLimits limits_;
  std::shared_ptr<const Program> program_;
  std::vector<TraceNode> nodes_;  // the first is the root
  std::vector<std::uint32_t> items_;
  std::uint32_t current_ = 0;
  std::size_t skipped_ = 0;     // nodes that have begun and are not recorded
  std::size_t item_nodes_ = 0;  // recorded nodes of the current top item
  int top_item_ = -1, nested_ = 0;
  std::vector<std::unordered_set<const Expr*>> sides_[2];  // by item
};

// Evaluates all items of the rubric with the current slots and settings; their values, in the arena of the evaluator,
// go to `items`. False: `error`.
bool run_traced(EvaluatorAccess::Inside& inside, Trace& trace, std::vector<Value>& items, InputError& error);

}  // namespace assay
