// Questions about a rubric and its records: what would change, what it would take, what the result depends on.
//
//   assay::Analysis analysis(rubric);
//   assay::Reach reach;
//   if (auto error = analysis.reach(record, {.target = "A"}, reach)) …   // what is wrong with the record or the question
//   for (const assay::FieldChange& change : reach.fewest.changes) …      // correctness: 7.5 → 9
//   reach.json();
//
// Everything is computed with exact fractions by the engine that scores, and every answer that names a verdict has been
// scored again before it is returned. Numbers stand in texts as exact decimals, or as fractions ("5/7") where no decimal
// ends; where they are estimates, from samples or of statistics, they are doubles. docs/analysis.md gives the formulas and
// their sources. An Analysis belongs to one thread; the Rubric may be shared. Errors are values. Every call ends: by the
// limits of EvaluatorOptions, by the counts of its question, or by the interrupt.
#pragma once

#include <assay/assay.hpp>
#include <assay/diff.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

// ---- what if

struct FieldChange {
  std::string path;           // "scores.correctness", "red_flags[1]"
  std::string before, after;  // JSON; before "null": absent; after empty: the item is taken out of its list
};

// A value of the rubric that differs between two evaluations.
struct ValueChange {
  std::string stage;                 // "input", "gate", "dimension", "score", "band", "value", "output", "flag" …
  std::string name;                  // "correctness", "composite", "grade"
  std::string before, after;         // JSON as a verdict shows it
  std::vector<std::string> because;  // the changed values that its definition reads
  std::string declaration;           // of two rubrics: the change of its declaration, or empty
};

struct WhatIf {
  std::string id;
  std::vector<FieldChange> set;
  std::vector<ValueChange> changes;  // in the order of the pipeline; empty: nothing changes
  std::string before, after;         // verdicts as JSON
  std::string json() const;
};

// ---- reach

struct ReachQuestion {
  std::string target;  // a band's name ("A"), a score ("8.5"), "eligible", "place 1"; empty: the next better band
  std::vector<std::pair<std::string, std::string>> costs;  // of a point of a field, of an item removed: "2"; default 1
  std::vector<std::string> keep;                           // paths that stay as they are
  std::string grid;                                        // steps of numbers: "0.5"; empty: as `decimals` of the scale
  std::size_t nodes = 4000;                                // boxes looked at for each measure
  std::vector<std::string_view> others;                    // records that a place is among
};

struct ReachAnswer {
  bool found = false;
  bool proved = false;  // found: none is smaller; not found: no change of these fields gets there
  std::vector<FieldChange> changes;
  std::size_t fields = 0;      // changed
  std::string points, cost;    // sums over the changes; the removal of an item, a choice or a truth is one point
  std::string score, verdict;  // after the changes, by the engine; verdict as JSON
};

struct FieldGain {
  std::string path;
  std::string best;    // JSON: the value that gains most when nothing else changes
  std::string gain;    // of the score before rounding
  std::string points;  // what that takes
  std::string each;    // gain a point
};

struct Reach {
  std::string id, target, score, band;  // as the record stands; band: JSON
  bool already = false;
  ReachAnswer fewest;            // the fewest fields, and of those the least cost that was found
  ReachAnswer least;             // the least cost
  std::vector<FieldGain> gains;  // largest gain first
  std::size_t boxes = 0;
  std::string json() const;
};

// ---- sensitivity

struct SensitivityOptions {
  std::uint32_t samples = 9604;  // of weights and of noise; 9,604 estimate a share within 0.01 with 95% confidence
  std::uint64_t seed = 1;
  std::string noise;                  // standard deviation of judged dimensions, in their units; empty: none
  std::size_t most_reversals = 2000;  // records above which no deletion is tried
  std::size_t most_rivals = 10;       // the nearest rivals of the winner that are answered
};

// While the weight lies between low and high and the others keep their proportions.
struct WeightInterval {
  std::string low, high;  // shares of the whole weight
  std::string low_at,
      high_at;  // who stands how beyond it: "b > a", "a = b" (level); empty: nothing changes up to 0 or 1
};

struct WeightSensitivity {
  std::string name, weight;  // share of the whole
  WeightInterval order, winner;
  std::string least_change;  // of the weight alone, renormalised, that makes two records tie; empty: none does
  std::string criticality;   // in percent of the weight; the smallest is the most critical dimension
  std::string pair;          // of that tie: "a, b"
  double effect = 0;         // main effect on the score (0..1), as a share of all dimensions
  double correlation_ratio = 0;
  bool constant = false;  // all records have the same value
  bool dead = false;      // its whole range moves no score by half a last place
  bool advisory = false;
};

struct GradeInterval {
  std::string id, dimension, band, low, high;
};

struct Rival {
  std::string id;
  std::string distance;  // Euclidean, of the weights, to a tie with the winner; 12 digits
  std::string total;     // sum of the absolute changes, exact
  std::vector<std::pair<std::string, std::string>> weights;  // at the nearest tie
};

struct Acceptability {
  std::string id;
  std::vector<double> ranks;    // shares of samples with place 1, 2, …; at most 10 places
  std::vector<double> central;  // mean weights of the samples where it is first; empty: never
  double confidence = 0;        // share of samples around those weights where it is first
};

struct RecordMargin {
  std::string id, score, band;
  std::string margin;       // distance of the exact score to the nearest other band
  std::string last_places;  // the same in units of the score's last place
  double flips = -1;        // share of draws of noise in which a band changes; -1: no noise was given
};

struct Stability {    // around the declared weights
  double spread = 0;  // each weight times 1 + spread * u, u in -1..1
  double winner = 0;  // share of the samples with the same winner
};

struct Sensitivity {
  std::size_t records = 0;
  std::vector<std::string> left_out;  // ids, with the reason: "x: efficiency is missing"
  std::string note;                   // why weights cannot be analysed, or empty
  std::string winner;
  std::vector<WeightSensitivity> weights;
  std::vector<GradeInterval> grades;
  std::vector<std::string> taken;  // what depends on weights as well and was taken as it stands: "gate good"
  std::vector<Rival> rivals;       // nearest first, at most `most_rivals`
  std::vector<Acceptability> acceptability;
  std::vector<Stability> stability;
  std::string stable_to;  // the largest change of all weights, in percent, within which the winner is proved to stay
  std::vector<std::pair<std::string, double>> alike;  // "a, b": correlation of dimensions at 0.9 or above
  std::vector<std::string> never;  // "band grade \"A+\"", "gate safe fails", "flag late", "row 3 of table t"
  bool reversal_impossible = false;
  std::vector<std::string> reversals;  // "without x: a and b change places"
  std::size_t reversals_tried = 0;
  std::vector<RecordMargin> margins;
  std::string json() const;
};

// ---- one against another

struct VersusPart {
  std::string stage, name;  // "dimension", "correctness"
  std::string p, q;         // JSON
  std::string difference;   // of what it adds to the score, p - q
};

struct Versus {
  std::string p, q;    // ids
  std::string before;  // the id of the one that stands before the other; empty: they share a place
  std::string key;     // the first ranking key that differs, "higher score", or "eligible"; empty: none
  std::string p_key, q_key;
  std::vector<VersusPart> parts;  // largest difference first
  std::string p_verdict, q_verdict;
  std::string json() const;
};

// ---- agreement with people

// Two ratings of one thing; a number is missing when its text is empty. All are decimals.
struct RatedPair {
  std::string id, judge;    // judge: empty when only one is there
  std::string measure;      // "correctness", "score", "grade"
  std::string rated, gold;  // numbers as decimals, or names of bands
};

struct CalibrationOptions {
  std::size_t floor = 10;  // pairs below which nothing is concluded
  double confidence = 0.95;
  std::uint32_t resamples = 2000;  // of the bootstrap
  std::uint64_t seed = 1;
};

// NaN where a figure is undefined.
struct Estimate {
  double value, low, high;
};

struct Agreement {
  std::string measure, judge;  // judge empty: all
  std::size_t pairs = 0;
  bool enough = false;  // at least as many pairs as the floor
  bool names = false;   // categories without numbers: exact, kappa and alpha (nominal) alone
  Estimate exact, within_one, mae, bias, kappa, linear, quadratic, spearman, tau_b, alpha;
  std::vector<std::string> categories;              // of the confusion
  std::vector<std::vector<std::size_t>> confusion;  // [gold][rated]
};

struct ItemFigure {  // item analysis: of one dimension over all records
  std::string name;
  std::size_t count = 0;
  double mean, stdev, discrimination;  // correlation with the score without it
};

struct Calibration {
  std::vector<Agreement> figures;
  std::vector<ItemFigure> items;
  double alpha_items;  // Cronbach's alpha
  std::string json() const;
};

// `order`: names of categories from low to high by measure, for weighted kappas of bands.
Calibration calibrate(const std::vector<RatedPair>& pairs,
                      const std::vector<std::pair<std::string, std::vector<std::string>>>& order,
                      const CalibrationOptions& options = {});

// Bands in an order, as a table of thresholds has them.
struct BandOrder {
  std::string name;                      // "grade"
  std::vector<std::string> worst_first;  // its names
};

// ---- the questions

class Analysis {
 public:
  explicit Analysis(const Rubric& rubric, EvaluatorOptions options = {});
  ~Analysis();
  Analysis(Analysis&&) noexcept;
  Analysis& operator=(Analysis&&) noexcept;

  // As of Evaluator, for every question from now on.
  std::optional<InputError> configure(const Settings& settings);
  void set_history(std::vector<std::string> records);
  // Where a rubric has a `history by`: an earlier record, for those of its series that questions are about.
  void pass(std::string_view record);

  // `members`: paths and values, as with_member() sets them.
  std::optional<InputError> what_if(std::string_view record,
                                    const std::vector<std::pair<std::string, std::string>>& members, WhatIf& answer);
  std::optional<InputError> reach(std::string_view record, const ReachQuestion& question, Reach& answer);
  // Records that the rubric refuses, or that lack a weighted dimension, are left out and named.
  std::optional<InputError> sensitivity(const std::vector<std::string_view>& records, const SensitivityOptions& options,
                                        Sensitivity& answer);
  std::optional<InputError> versus(std::string_view p, std::string_view q, Versus& answer);
  // The pipeline as a tree, each value with what it read and what happened inside of it, nothing cut off: JSON, whose
  // schema is in docs/analysis.md. An error with the code "limit" where it would be larger than Limits::output_bytes.
  std::optional<InputError> explanation(std::string_view record, std::string& json);
  // Why the verdicts of two rubrics on one record differ. `after` has the same settings.
  std::optional<InputError> compare(std::string_view record, Analysis& after, std::string_view after_record,
                                    const std::vector<Change>& declarations, std::vector<ValueChange>& changes);

  std::vector<BandOrder> bands() const;
  // The input after which records form series, in which each is later than those before it; empty: there is none.
  const std::string& series_by() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
