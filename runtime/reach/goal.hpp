// The goal of a change, as a test of one evaluation and as a test of a box of records.
#pragma once

#include "runtime/reach/levers.hpp"

#include <assay/analysis.hpp>

#include <optional>
#include <string>
#include <vector>

namespace assay {

struct Goal {
  enum class Kind : std::uint8_t { band, score, eligible, place } kind = Kind::band;
  std::string text;          // for people: "grade A or better"
  BandLadder ladder;         // band
  std::vector<bool> rows;    // band: the acceptable rows
  Number score = kMissing;   // score: the least acceptable
  bool eligible = false;     // the record must also be eligible
  std::vector<Value> keys;   // place: ranking keys of the record to pass …
  bool enough = false;       // … fewer records precede that place than necessary: any keys will do
  bool first_higher = true;  // of the first key
  int score_item = -1, status_item = -1;
  std::vector<int> items;  // the items that it depends on

  // Whether the record in the probe reaches the goal.
  bool reached(const Probe& probe) const;
  // False: no record of the box reaches the goal.
  bool may(BoxEvaluator& boxes) const;
};

// The goal of a question, for the record in `probe`. `arena` keeps the data that the goal refers to.
std::optional<InputError> find_goal(Probe& probe, Probe& other, Arena& arena, const ReachQuestion& question,
                                    Goal& goal);

// The goal as a sum: if it requires a minimum of a number that is, over a box of records, a weighted sum of levers and
// monotone in each of them.
struct Linear {
  struct Term {
    std::size_t lever;
    Number gain;  // per point
  };
  std::vector<Term> terms;
  Number need;  // the required sum of gains, counted from the start of the levers
  bool reached = false, impossible = false;
};
// Nothing if the rubric does not have that form in the box: `blame` then contains levers that prevent it. `start`: a
// setting in the box.
std::optional<Linear> linear_form(const Goal& goal, const RubricModel& rubric, BoxEvaluator& boxes,
                                  const Levers& levers, const Ranges& box, const LeverSettings& start, NumberPool& pool,
                                  std::vector<std::size_t>& blame);

}  // namespace assay
