// Scores as functions of the weights: the composite S(w) is the sum of share times value; the later steps (deductions,
// bonuses, the scale, rounding) shift and limit it and do not depend on weights. All arithmetic uses fractions, except
// for samples; doubles exclude candidates first, and fractions decide the rest.
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
  std::vector<Number> values;       // by dimension: the composite if it had the whole weight
  Number composite, raw, score;     // raw: before rounding
  Number shift;                     // additions minus deductions
  Number low, high;                 // limits of composite + shift by the scale; missing: none
  int row = -1;                     // of the first band in an order
  std::vector<Value> keys;          // ranking keys after the score
  std::vector<double> approximate;  // the values
  ScoreApproximation line;          // composite + shift, slope 0
};

struct WeightedModel {
  std::vector<std::string> names;
  std::vector<Number> shares;           // add up to 1
  std::vector<double> per_unit;         // by how much a unit of a dimension raises the score
  std::vector<WeightedRecord> records;  // best first, in the rubric's order
  int decimals = -1;
  Number unit;                // of the score's last place; missing: not rounded
  bool ranked = false;        // places follow the rubric's ranking; otherwise the score
  BandLadder ladder;          // no labels: none
  std::vector<Number> edges;  // of that ladder, ascending: raw scores from which the next row answers
  const Model* model = nullptr;
  const RubricModel* rubric = nullptr;
  std::vector<std::size_t> tie_keys;  // the rubric's ranking keys after the score

  // Negative: a is better if their rounded scores are equal.
  int tie(const WeightedRecord& a, const WeightedRecord& b) const;
  Number rounded(Number raw, NumberPool& pool) const {
    return decimals < 0 ? raw : round_to(raw, decimals, Rounding::half_away, pool);
  }
};

// The work of one question: checks the interrupt from time to time, and copies results before freeing temporary
// numbers.
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

// Each returns early, with an incomplete answer, if the work is interrupted.
void weight_intervals(WeightWork& work, Sensitivity& answer);
void grade_intervals(WeightWork& work, Sensitivity& answer);
void rivals(WeightWork& work, const SensitivityOptions& options, Sensitivity& answer);
void acceptability(WeightWork& work, const SensitivityOptions& options, Sensitivity& answer);
void importance(WeightWork& work, Sensitivity& answer);
void margins(WeightWork& work, const SensitivityOptions& options, Sensitivity& answer);

}  // namespace assay
