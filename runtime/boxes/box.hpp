// Evaluating a rubric for whole boxes of records at once: each input is given as all the values that it may take, each
// result contains every value that the rubric has for a record of the box. So a band that a box cannot have proves that no
// record in it gets there. Bounds are exact fractions. An expression that is not followed yields everything that its type
// allows, which is always true and only proves less.
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
  bool maybe = false;  // of a list or map: it may be left out
  std::string key;     // of a map
};

// Every value that something may have.
struct Box {
  TypeId type = kUnknown;
  TypeKind kind = TypeKind::unknown;
  bool may_miss = false, may_be = true;  // be missing; be a value
  Interval number;                       // number; range: itself, when `known`
  bool may_true = true, may_false = true;
  bool any_text = true;
  std::vector<std::string> texts;         // when not any
  bool known = false;                     // list, map, record: `items` are all that there can be
  std::vector<BoxItem> items;             // of a record: its fields
  std::shared_ptr<const Interval> total;  // of a list of amounts: their sum, where it is known better than the amounts

  bool point() const {
    return may_be && !may_miss && !number.low.missing() && !number.high.missing() &&
           compare(number.low, number.high) == 0;
  }
  bool one_text() const { return !any_text && texts.size() == 1; }
  bool holds() const { return may_be && may_true; }                 // the condition may be true
  bool fails() const { return may_miss || (may_be && may_false); }  // it may be false or unknown
};

class BoxEvaluator {
 public:
  // `items`, `slots`: of an evaluation of the record, which outlive it or are given again by rebase().
  BoxEvaluator(const Model& model, int rubric);
  // The record that boxes are around, and the slots that vary: items that do not depend on them are as they are there.
  void rebase(const Value* slots, const Value* items, const std::vector<Number>& weights, std::vector<bool> varied);
  // What a slot that varies may be, until the next call; and an item, whatever defines it. What does not read a slot that
  // was set anew is not computed again.
  void set_slot(int slot, BoxRef box);
  std::uint64_t generation() const { return generation_; }  // another one: all slots have to be set
  void fix_item(int item, BoxRef box);

  // Forgets what was computed for the last slots.
  void begin();
  BoxRef item(int index);
  BoxRef value(const Expr* e);  // an expression of the rubric's items, without locals of its own
  bool depends(int item);       // on a slot that varies, or an item that is fixed

  BoxRef of_value(TypeId type, const Value& v) const;
  BoxRef top(TypeId type, bool may_miss) const;
  NumberPool& numbers() { return pool_; }
  std::uint64_t evaluations = 0;

  // Numbers that the rubric compares a slot with, to split its box at: constants of comparisons, ranges and tables.
  const std::vector<Number>& thresholds() const { return thresholds_; }

 private:
  friend class BoxBuiltins;
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
  BoxRef hull(const BoxRef& a, const BoxRef& b) const;
  BoxRef number(TypeId type, Interval range, bool may_miss) const;
  bool constant_item(int index);
  const std::vector<bool>& reads(int item);  // the slots that it reads, by way of other items, too
  void find_reads(const Expr* e, int level, std::vector<bool>& slots);
  void find_thresholds(const Expr* e);

  struct LoopRun;
  bool run_clause(LoopRun& run, std::size_t clause, bool maybe, Frame& frame);
  BoxRef collect(LoopRun& run, const Expr* e);

  const Model& model_;
  int index_;
  const RubricModel& rubric_;
  NumberPool pool_;
  const Value* slots_ = nullptr;
  const Value* items_ = nullptr;
  std::vector<Number> weights_;
  std::vector<bool> varied_;
  std::vector<BoxRef> slot_boxes_, memo_, fixed_, constant_;
  std::vector<signed char> depends_;      // -1: not known yet, 2: being found
  std::vector<std::vector<bool>> reads_;  // by item; empty: not known yet
  std::vector<int> changed_;              // slots that were set since begin()
  bool all_changed_ = true;
  std::uint64_t generation_ = 0;
  int depth_ = 0;
  std::uint64_t work_ = 0;  // of this evaluation: beyond a bound everything is top
  std::vector<Number> thresholds_;
  std::unordered_map<const Expr*, BoxRef> constants_;  // of constant expressions
  std::vector<BoxRef> still_;                          // slots that do not vary
  Arena scratch_{4096};
};

BoxRef truth_box(bool may_true, bool may_false, bool may_miss);
BoxRef missing_box(TypeId type, TypeKind kind);

}  // namespace assay
