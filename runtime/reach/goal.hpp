// What a change is to achieve, as a test of one evaluation and as a test of a box of records.
#pragma once

#include "runtime/reach/levers.hpp"

#include <assay/analysis.hpp>

#include <optional>
#include <string>
#include <vector>

namespace assay {

struct Goal {
  enum class Kind : std::uint8_t { band, score, eligible, place } kind = Kind::band;
  std::string text;          // as people read it: "grade A or better"
  BandLadder ladder;         // band
  std::vector<bool> rows;    // band: those that will do
  Number score = kMissing;   // score: at least
  bool eligible = false;     // the record has to be eligible as well
  std::vector<Value> keys;   // place: ranking keys of the record that has to be passed …
  bool enough = false;       // … fewer records stand before that place than it takes: any will do
  bool first_higher = true;  // of the first key
  int score_item = -1, status_item = -1;
  std::vector<int> items;  // that it depends on

  // Whether the record that the probe has taken is there.
  bool reached(const Probe& probe) const;
  // False: no record of the box is.
  bool may(BoxEvaluator& boxes) const;
};

// The goal that a question names, for the record that `probe` has taken.
// `arena` keeps what the goal refers to.
std::optional<InputError> find_goal(Probe& probe, Probe& other, Arena& arena, const ReachQuestion& question,
                                    Goal& goal);

// The goal as a sum: where it needs a number that is a weighted sum of levers over a box of records, and that rises or falls
// with each of them all the way.
struct Linear {
  struct Term {
    std::size_t lever;
    Number gain;  // a point
  };
  std::vector<Term> terms;
  Number need;  // of the sum of gains, counted from where the levers start
  bool reached = false, impossible = false;
};
// Nothing where the rubric is not of that form in the box: `blame` holds levers that are in the way. `start`: in the box.
std::optional<Linear> linear_form(const Goal& goal, const RubricModel& rubric, BoxEvaluator& boxes,
                                  const Levers& levers, const Ranges& box, const Settings_& start, NumberPool& pool,
                                  std::vector<std::size_t>& blame);

}  // namespace assay
