// Scores as functions of the weights: the composite S(w) is the sum of share times value; what follows it (deductions,
// bonuses, the scale, rounding) shifts and cuts it and does not depend on weights. All in fractions but for the samples.
// Doubles stand beside them to rule candidates out; what is left is decided by fractions.
#pragma once

#include "runtime/analysis/crossing.hpp"
#include "runtime/boxes/probe.hpp"

#include <assay/analysis.hpp>
#include <assay/interrupt.hpp>

#include <string>
#include <vector>

namespace assay {

struct WeightedRecord {
  std::string id;
  std::vector<Number> values;       // by dimension: what the whole share would give
  Number composite, raw, score;     // raw: before rounding
  Number shift;                     // what is added less what is deducted
  Number low, high;                 // where the scale cuts composite + shift; missing: it does not
  int row = -1;                     // of the first band in an order
  std::vector<Value> keys;          // ranking keys behind the score
  std::vector<double> approximate;  // the values
  ScoreApproximation line;          // composite + shift, slope 0
};

struct WeightedModel {
  std::vector<std::string> names;
  std::vector<Number> shares;           // add up to 1
  std::vector<double> per_unit;         // what a unit of a dimension adds to the score
  std::vector<WeightedRecord> records;  // best first, as the rubric ranks them
  int decimals = -1;
  Number unit;                // of the last place; missing: the score is not rounded
  bool ranked = false;        // places are the rubric's; otherwise by score
  BandLadder ladder;          // labels empty: none
  std::vector<Number> edges;  // of that ladder, rising: raw scores from which on the next row answers
  const Model* model = nullptr;
  const RubricModel* rubric = nullptr;
  std::vector<std::size_t> tie_keys;  // of the rubric's ranking keys: those behind the score

  // Negative: a stands before b where their rounded scores are equal.
  int tie(const WeightedRecord& a, const WeightedRecord& b) const;
  Number rounded(Number raw, NumberPool& pool) const {
    return decimals < 0 ? raw : round_to(raw, decimals, Rounding::half_away, pool);
  }
};

// One question: looks for the interrupt now and then, and keeps results where forgetting the work in between spares them.
class WeightWork {
 public:
  WeightWork(const WeightedModel& model, const Interrupt* interrupt) : m(model), interrupt_(interrupt) {
    pool.watch(interrupt);
  }
  bool stopped() {
    return stopped_ = stopped_ || (interrupt_ != nullptr && interrupt_->state() != Interrupt::State::none);
  }

  const WeightedModel& m;
  NumberPool pool;  // cleared between steps

 private:
  const Interrupt* interrupt_;
  bool stopped_ = false;
};

// Each returns early, with an incomplete answer, when the work is stopped.
void weight_intervals(WeightWork& work, Sensitivity& answer);
void grade_intervals(WeightWork& work, Sensitivity& answer);
void rivals(WeightWork& work, const SensitivityOptions& options, Sensitivity& answer);
void acceptability(WeightWork& work, const SensitivityOptions& options, Sensitivity& answer);
void importance(WeightWork& work, Sensitivity& answer);
void margins(WeightWork& work, const SensitivityOptions& options, Sensitivity& answer);

}  // namespace assay
