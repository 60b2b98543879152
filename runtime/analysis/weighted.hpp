// Scores as functions of the weights: S(w) is the sum of share × value, what follows it (deductions, bonuses, the scale,
// rounding) does not depend on weights. All in fractions but for the samples.
#pragma once

#include "runtime/boxes/probe.hpp"

#include <assay/analysis.hpp>

#include <string>
#include <vector>

namespace assay {

struct WeightedRecord {
  std::string id;
  std::vector<Number> values;       // by dimension: of the whole share
  Number composite, raw, score;     // raw: before rounding
  Number down, up;                  // what is deducted and added
  int row = -1;                     // of the first band in an order
  std::vector<Value> keys;          // ranking keys behind the score
  std::vector<double> approximate;  // the values
  double offset = 0;                // raw - composite
};

struct WeightedModel {
  std::vector<std::string> names;
  std::vector<Number> shares;           // add up to 1
  std::vector<double> per_unit;         // what a unit of a dimension adds to the score
  std::vector<WeightedRecord> records;  // best first, as the rubric ranks them
  Interval scale;
  bool has_scale = false, adjusts = false;
  int decimals = -1;
  Number unit;          // of the last place; missing: the score is not rounded
  bool ranked = false;  // places are the rubric's; otherwise by score
  BandLadder ladder;    // labels empty: none
  const Model* model = nullptr;
  const RubricModel* rubric = nullptr;
  std::vector<std::size_t> tie_keys;  // of the rubric's ranking keys: those behind the score

  // -1: a stands before b where their rounded scores are equal.
  int tie(const WeightedRecord& a, const WeightedRecord& b) const;
  Number after(const WeightedRecord& r, Number composite, NumberPool& pool) const;  // raw score of a composite
  Number rounded(Number raw, NumberPool& pool) const {
    return decimals < 0 ? raw : round_to(raw, decimals, Rounding::half_away, pool);
  }
};

// In which interval of its share dimension k leaves the relation of a before b as it is, the others in proportion: bounds
// of low and high; missing: nothing changes up to 0 or 1.
struct Bounds {
  Number low, high;
};
Bounds pair_bounds(const WeightedModel& m, std::size_t k, const WeightedRecord& a, const WeightedRecord& b,
                   NumberPool& pool);

void weight_intervals(const WeightedModel& m, Sensitivity& answer, NumberPool& pool);
void grade_intervals(const WeightedModel& m, Sensitivity& answer, NumberPool& pool);
void rivals(const WeightedModel& m, Sensitivity& answer, NumberPool& pool);
void acceptability(const WeightedModel& m, const SensitivityOptions& options, Sensitivity& answer);
void importance(const WeightedModel& m, Sensitivity& answer, NumberPool& pool);
void margins(const WeightedModel& m, const SensitivityOptions& options, Sensitivity& answer, NumberPool& pool);

}  // namespace assay
