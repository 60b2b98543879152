// What happened in an evaluation, as a tree: items, and in them calls, loops with their rounds, choices, rows of tables
// and values with names. Only so many nodes are kept; whether a choice took a side is known in any case.
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
  std::uint32_t rounds = 0, passed = 0;                     // of a loop; passed of a round: 0 or 1
  std::uint32_t dropped = 0;                                // nodes below it that were not kept
  std::uint32_t depth = 0;
  std::int8_t side = -1;  // of a choice: 1 the first, 0 the second
};

struct TraceLimits {
  std::size_t nodes = 400'000;  // in all
  std::size_t item = 400'000;   // of one item
  std::uint32_t depth = 600;    // within each other: what is made of the tree walks down it
};

class Trace : public Tracer {
 public:
  explicit Trace(const RubricModel& rubric, TraceLimits limits = {});

  void begin(const TracePoint& point) override;
  void value(const TracePoint& point, const Value& value) override;

  const TraceNode& operator[](std::uint32_t at) const { return nodes_[at]; }
  std::uint32_t item(int index) const { return items_[static_cast<std::size_t>(index)]; }  // 0: it was not evaluated
  // Of an item at the top: whether the choice took that side; whether a round of the loop passed.
  bool reached(int item, const Expr& e, int side) const;
  void keep(std::shared_ptr<const Program> program) { program_ = std::move(program); }  // its points
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
  std::size_t skipped_ = 0;     // nodes that have begun and are not kept
  std::size_t item_nodes_ = 0;  // kept of the item at the top
  int top_item_ = -1, nested_ = 0;
  std::vector<std::unordered_set<const Expr*>> sides_[2];  // by item
};

// Evaluates all items of the rubric with the slots and settings at hand; their values are put in `items`, those of the
// arena of the evaluator. False: `error`.
bool run_traced(EvaluatorAccess::Inside& inside, Trace& trace, std::vector<Value>& items, InputError& error);

}  // namespace assay
