// The possible changes of a record: its numbers, truths, choices, and the items of its lists, each with the cost of a
// change. A setting of all levers is a record; a range of settings is a box of records.
#pragma once

#include "runtime/boxes/box.hpp"
#include "runtime/boxes/probe.hpp"
#include "runtime/json/json_tree.hpp"

#include <assay/analysis.hpp>

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct Lever {
  enum class Kind : std::uint8_t {
    number,
    options,  // one of several values: truths, choices, a missing number that gets either end of its range
    item      // an item of a list, which can be removed
  } kind = Kind::number;
  int slot = 0;
  TypeId type = kUnknown;
  struct Step {
    std::string field;  // empty: the step is an index
    std::size_t index = 0;
  };
  std::vector<Step> steps;  // inside the slot
  std::string path;         // "scores.clarity", "parts[2].severity"
  Number now = kMissing;    // number: its current value
  Interval domain;          // number: the allowed values; a missing bound: unbounded
  Number step;              // the distance of allowed numbers, which are multiples of it, or ends of the domain
  Number cost;              // per point; options and items: of the change
  std::vector<std::string> options;  // JSON; the first is the current value
  std::vector<Value> values;         // the same as values
  bool was_missing = false;          // options of a number that the record lacks
  // item: the one before it in the list is equal, so that it may as well be taken out first. Of n equal items, n + 1
  // choices are left of 2^n.
  bool after_equal = false;
};

// The allowed settings of a lever.
struct Range {
  Interval numbers;           // number
  std::uint32_t allowed = 0;  // options: bits; item: bit 0: kept, bit 1: removed
};
// The setting of a lever.
struct Setting {
  Number number;
  int option = 0;
};
using LeverSettings = std::vector<Setting>;
using Ranges = std::vector<Range>;

class Levers {
 public:
  // Finds the levers of the record in `probe`, for a goal that depends on these items. Returns an error of the
  // question.
  std::optional<InputError> find(Probe& probe, std::string_view record, const ReachQuestion& question,
                                 const std::vector<int>& goal_items);

  std::size_t size() const { return levers_.size(); }
  const Lever& operator[](std::size_t i) const { return levers_[i]; }
  const std::vector<bool>& varied() const { return varied_; }  // slots

  LeverSettings as_it_stands() const;
  Ranges fixed() const;                 // all as they stand
  Range full(std::size_t lever) const;  // wherever it may stand
  // Equal items are taken out from the front: applies that to a box in which `lever` was narrowed. False: nothing is left.
  bool in_turn(std::size_t lever, Ranges& box) const;
  bool moved(std::size_t lever, const Setting& setting) const;
  Number cost(std::size_t lever, const Setting& setting, NumberPool& pool) const;
  Number cost(const LeverSettings& settings, NumberPool& pool) const;
  // Moves n to the grid, upwards if `up`, and into the domain.
  Number on_grid(std::size_t lever, Number n, bool up, NumberPool& pool) const;

  // The record with these settings.
  std::string record(const LeverSettings& settings) const;
  std::vector<FieldChange> changes(const LeverSettings& settings) const;
  // Sets the slots to the values of a box.
  void set_slots(BoxEvaluator& boxes, const Ranges& ranges) const;

 private:
  struct Finding;
  void find_equal_items();
  static bool set_choices(const Finding& f, const Type& t, const Value& value, bool optional, Lever& lever);
  void look(Finding& f, TypeId type, const Value& value, std::vector<Lever::Step>& steps, const std::string& path,
            bool optional);
  BoxRef box(BoxEvaluator& boxes, TypeId type, const Value& value, const std::string& path, const Ranges& ranges) const;

  std::vector<Lever> levers_;
  std::map<std::string, std::size_t> by_path_;
  std::map<std::string, std::size_t> items_;  // levers that remove an item, by its path
  std::vector<bool> varied_;
  std::vector<Value> slots_;
  mutable Ranges last_;  // the last ranges set, for that generation of boxes: unchanged slots are not set again
  mutable std::uint64_t last_generation_ = 0;
  const Model* model_ = nullptr;
  const RubricModel* rubric_ = nullptr;
  std::string record_;
  NumberPool pool_;
  Arena arena_;
};

// A number as JSON: a decimal if it terminates.

}  // namespace assay
