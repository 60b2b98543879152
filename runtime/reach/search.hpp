// The search for the smallest changes that reach a goal: see reach.cpp, and reach_least.cpp for the least cost.
#pragma once

#include "runtime/reach/goal.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace assay {

struct Found {
  bool any = false;
  Number cost;
  LeverSettings settings;
};

// The price of an answer: the cost, or the number of changed fields and then the cost.
struct Price {
  std::size_t fields = 0;  // 0 if they do not count
  Number cost = whole(0);
};

class Search {
 public:
  // Both probes hold the record; `still` keeps it, for boxes around it, while `probe` evaluates others.
  Search(Probe& probe, Probe& still, const Goal& goal, const Levers& levers, std::size_t nodes);

  // The gain of each lever alone. Call first: the other searches undo the smallest gains first.
  void gains(std::vector<FieldGain>& gains);
  // The fewest fields; `size`: their number. proved: fewer are impossible, or, if nothing is found, any number is.
  void fewest(Found& found, bool& proved, std::size_t& size);
  // The least cost; `known`: an answer to improve.
  void least(const Found& known, Found& found, bool& proved) { best_first(false, nodes_, known, found, proved); }

  // Whether the engine reaches the goal with these settings, even if the budget is used up. They then are in the probe.
  bool verified(const LeverSettings& settings);
  std::size_t boxes() const { return looked_; }
  std::size_t measured() const { return measured_; }  // levers whose gain alone is known
  bool stopped() const { return stopped_; }           // interrupted
  bool used_up() const { return work_ > most_work_; }
  NumberPool& numbers() { return pool_; }

 private:
  static constexpr std::size_t kMostFeasible = 6;  // sets of one size to compare
  static constexpr std::size_t kBranchOfSet = 60;  // boxes for one set of fields
  static constexpr std::size_t kClosedForm = 300;  // boxes to search for a closed form of the fewest fields

  // Counts work: values of records and of boxes. A search over records of usual sizes ends by its number of boxes long
  // before its work; one over long lists, where each box costs as much as the list is long, by its work.
  void work(std::uint64_t values);
  bool ended() const { return stopped_ || used_up(); }
  bool scored(const LeverSettings& settings);   // its values then are in the probe; false: invalid, or interrupted
  bool reached(const LeverSettings& settings);  // decided by the engine; false once the search has ended
  void rebase(Probe& probe, std::vector<bool> varied);
  bool may(const Ranges& ranges);
  Setting nearest(std::size_t lever, const Range& range);
  std::vector<Range> split(std::size_t lever, const Range& range);
  std::vector<Range> split_any(const Ranges& ranges, const std::vector<std::size_t>& blame, std::size_t turn,
                               std::size_t& lever);
  // Best first. True: nothing in the box costs less than `found`, or than `most`.
  bool branch(Ranges start, Number most, std::size_t limit, Found& found);
  bool corner(const std::vector<std::size_t>& set, LeverSettings& settings);
  void shrink(LeverSettings& settings);
  bool best_ends(LeverSettings& settings);
  // Over boxes, in closed form where possible. proved: nothing costs less than what is found, or nothing can be found.
  void best_first(bool by_fields, std::size_t limit, const Found& known, Found& found, bool& proved);
  Price price(bool by_fields, const LeverSettings& settings);
  // Takes out of a box, whose cheapest record costs `here`, what is certainly no better than `best`.
  void within(bool by_fields, const Price& here, const Price& best, Ranges& box);
  // The closed form in a box. True: nothing in it is better than what is found, or than `most`.
  bool knapsack(bool by_fields, const Linear& form, const Ranges& box, const LeverSettings& start,
                const std::optional<Price>& most, Found& found);

  Probe &probe_, &still_;
  const Goal& goal_;
  const Levers& levers_;
  BoxEvaluator boxes_;
  NumberPool pool_;
  std::size_t nodes_, looked_ = 0, measured_ = 0;
  std::uint64_t work_ = 0, most_work_, next_look_ = 0;
  bool stopped_ = false;
  std::vector<double> worth_;                 // gain per cost, of each lever alone
  std::vector<std::optional<Setting>> best_;  // the setting that gains most alone
};

}  // namespace assay
