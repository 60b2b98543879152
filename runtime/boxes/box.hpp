// Evaluates a rubric for whole boxes of records at once: each input is the set of its possible values, and each result
// contains every value that the rubric has for a record of the box. So a band that a box cannot have is proved
// impossible for every record in it. Bounds are exact fractions. An expression that is not analysed yields everything
// that its type allows, which is always valid and only proves less.
#pragma once

#include "lang/model/model.hpp"
#include "lang/value/interval.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace assay {

struct Box;
using BoxRef = std::shared_ptr<const Box>;

struct BoxItem {
  BoxRef value;
  bool maybe = false;  // in a list or map: the item may be absent
  std::string key;     // in a map
};

// The set of possible values of an expression.
struct Box {
  TypeId type = kUnknown;
  TypeKind kind = TypeKind::unknown;
  bool may_miss = false, may_be = true;  // it may be missing; it may have a value
  Interval number;                       // number, or the bounds of a range; range: exact if `known`
  bool may_true = true, may_false = true;
  bool any_text = true;
  std::vector<std::string> texts;  // when not any
  bool known = false;              // list, map, record: `items` contains every possible item
  std::vector<BoxItem> items;      // for a record: its fields
  // for a list of amounts: their sum, if its bounds are tighter than those of the amounts
  std::shared_ptr<const Interval> total;

  bool point() const {
    return may_be && !may_miss && !number.low.missing() && !number.high.missing() &&
           compare(number.low, number.high) == 0;
  }
  bool one_text() const { return !any_text && texts.size() == 1; }
  bool holds() const { return may_be && may_true; }                 // the condition may be true
  bool fails() const { return may_miss || (may_be && may_false); }  // the condition may be false or unknown
};

class BoxEvaluator {
 public:
  // `items`, `slots`: values of an evaluation of the record; they must outlive this object or be replaced by rebase().
  BoxEvaluator(const Model& model, int rubric);
  // Sets the record around which boxes lie, and the slots that vary: items that do not depend on those keep their
  // values.
  void rebase(const Value* slots, const Value* items, const std::vector<Number>& weights, std::vector<bool> varied);
  // Sets the possible values of a varying slot until the next call, or of an item, whatever its definition. Values that
  // do not read a changed slot are not recomputed.
  void set_slot(int slot, BoxRef box);
  std::uint64_t generation() const { return generation_; }  // changes when all slots have to be set again
  void fix_item(int item, BoxRef box);

  // Forgets results computed for the previous slots.
  void begin();
  BoxRef item(int index);
  BoxRef value(const Expr* e);  // an expression of the rubric's items, outside any local scope
  bool depends(int item);       // whether it depends on a varying slot, or on a fixed item

  BoxRef of_value(TypeId type, const Value& v) const;
  BoxRef top(TypeId type, bool may_miss) const;
  NumberPool& numbers() { return pool_; }
  std::uint64_t evaluations = 0;
  std::uint64_t work() const { return work_; }  // expressions evaluated since begin()
  // Once the interrupt is due, every result is unbounded. Null: none.
  void watch(const Interrupt* interrupt) { interrupt_ = interrupt; }

  // Numbers with which the rubric compares a slot, at which to split its box: constants of comparisons, ranges and
  // tables.
  const std::vector<Number>& thresholds() const { return thresholds_; }

 private:
  using Frame = std::vector<BoxRef>;
  BoxRef eval(const Expr* e, Frame& frame);
  BoxRef eval_condition(const Expr* e, Frame& frame);
  BoxRef compare_boxes(Op op, const BoxRef& a, const BoxRef& b, TypeId type);
  BoxRef equal_boxes(bool negate, const BoxRef& a, const BoxRef& b);
  BoxRef arithmetic(const Expr* e, Frame& frame);
  BoxRef access(const Expr* e, Frame& frame);
  BoxRef build(const Expr* e, Frame& frame);
  BoxRef call(const Expr* e, Frame& frame);
  BoxRef lookup(const Expr* e, Frame& frame);
  BoxRef pick(const Expr* e, Frame& frame);
  BoxRef join(const Expr* e, Frame& frame);
  BoxRef weighted_sum(const Expr* e, Frame& frame);
  BoxRef adjust(const Expr* e, Frame& frame);
  BoxRef loop(const Expr* e, Frame& frame);
  BoxRef builtin(const Expr* e, Frame& frame);
  BoxRef builtin_of_values(const Expr* e, const std::vector<BoxRef>& args);
  BoxRef hull(const BoxRef& a, const BoxRef& b) const;
  BoxRef number(TypeId type, Interval range, bool may_miss) const;
  bool constant_item(int index);
  const std::vector<bool>& reads(int item);  // the slots that it reads, including through other items
  void find_reads(const Expr* e, int level, std::vector<bool>& slots);
  void find_thresholds(const Expr* e);

  struct LoopRun;
  bool run_clause(LoopRun& run, std::size_t clause, bool maybe, Frame& frame);
  int clauses_running_ = 0;  // levels of run_clause, of all loops within each other
  BoxRef collect(LoopRun& run, const Expr* e);

  const Model& model_;
  int index_;
  const RubricModel& rubric_;
  NumberPool pool_;
  struct {  // the record around which boxes lie
    const Value* slots = nullptr;
    const Value* items = nullptr;
    std::vector<Number> weights;
    std::vector<bool> varied;  // slots
  } record_;
  std::vector<BoxRef> slot_boxes_, memo_, fixed_, constant_;
  std::vector<signed char> depends_;      // -1: unknown, 2: being determined
  std::vector<std::vector<bool>> reads_;  // by item; empty: unknown
  struct {                                // since begin()
    std::vector<int> slots;
    bool all = true;
  } changed_;
  std::uint64_t generation_ = 0;
  int depth_ = 0;
  const Interrupt* interrupt_ = nullptr;
  std::uint64_t work_ = 0;  // for this evaluation: beyond a limit every result is unbounded
  std::vector<Number> thresholds_;
  std::unordered_map<const Expr*, BoxRef> constants_;  // of constant expressions
  std::vector<BoxRef> still_;                          // slots that do not vary
  Arena scratch_{4096};
};

BoxRef truth_box(bool may_true, bool may_false, bool may_miss);
BoxRef missing_box(TypeId type, TypeKind kind);

}  // namespace assay
