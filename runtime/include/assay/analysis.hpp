// Questions about a rubric and its records: what would change, what it would take, what the result depends on.
//
//   assay::Analysis analysis(rubric);
//   assay::Reach reach;
//   if (auto error = analysis.reach(record, {.target = "A"}, reach)) …   // what is wrong with the record or the question
//   for (const assay::FieldChange& change : reach.fewest.changes) …      // correctness: 7.5 → 9
//   reach.json();
//
// All answers are computed with exact fractions by the engine that scores, and every answer that names a verdict is
// scored again before it is returned. Exact numbers are texts: decimals, or fractions ("5/7") if the decimal does not
// terminate. Estimates (from samples, or statistics) are doubles. docs/analysis.md gives the formulas and their
// sources. An Analysis belongs to one thread; the Rubric may be shared. Errors are values. Every call ends: by the
// limits of EvaluatorOptions, by the counts in its options, or by the interrupt.
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
  std::string before, after;  // JSON; before "null": absent; after empty: the item is removed from its list
};

// A value of the rubric that differs between two evaluations.
struct ValueChange {
  std::string stage;                 // "input", "gate", "dimension", "score", "band", "value", "output", "flag" …
  std::string name;                  // "correctness", "composite", "grade"
  std::string before, after;         // JSON as a verdict shows it
  std::vector<std::string> because;  // the changed values that its definition reads
  std::string declaration;           // when two rubrics are compared: the change of its declaration, or empty
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
  // of a point of a field, or of a removed item: "2"; default 1
  std::vector<std::pair<std::string, std::string>> costs;
  std::vector<std::string> keep;  // paths that must not change
  // step width of numbers: "0.5"; empty: from `decimals` of the scale
  std::string grid;
  // Boxes to search for each measure. Where records are large, the search ends earlier: see Reach::limited.
  std::size_t nodes = 4000;
  std::vector<std::string_view> others;  // the records to compete with, for a target like "place 1"
};

struct ReachAnswer {
  bool found = false;
  bool proved = false;  // found: no smaller change exists; not found: no change of these fields reaches the target
  std::vector<FieldChange> changes;
  std::size_t fields = 0;      // how many fields change
  std::string points, cost;    // sums over the changes; a removed item, a choice or a truth counts as one point
  std::string score, verdict;  // after the changes, computed by the engine; verdict as JSON
};

struct FieldGain {
  std::string path;
  std::string best;    // JSON: the value of this field that gains most if nothing else changes
  std::string gain;    // of the score before rounding
  std::string points;  // the size of that change
  std::string each;    // gain per point
};

struct Reach {
  std::string id, target, score, band;  // of the unchanged record; band: JSON
  bool already = false;
  ReachAnswer fewest;            // the fewest fields, and among those the least cost found
  ReachAnswer least;             // the least cost
  std::vector<FieldGain> gains;  // largest gain first
  std::size_t boxes = 0;
  std::size_t fields = 0;    // that may change
  std::size_t measured = 0;  // of those, the first ones: so many have their gain alone in `gains`, if they have one
  bool limited = false;      // the search ended because its work, about 2,500 values for each of the nodes, was used up
  std::string json() const;
};

// ---- sensitivity

struct SensitivityOptions {
  std::uint32_t samples = 9604;  // of weights and of noise; 9,604 estimate a share within 0.01 with 95% confidence
  std::uint64_t seed = 1;
  std::string noise;                  // standard deviation of judged dimensions, in their units; empty: no noise
  std::size_t most_reversals = 2000;  // with more records, no deletion is tried
  std::size_t most_rivals = 10;       // how many of the winner's nearest rivals to report
};

// The order holds while the weight lies between low and high and the others keep their proportions.
struct WeightInterval {
  std::string low, high;  // shares of the total weight
  std::string low_at,
      high_at;  // the order beyond it: "b > a", "a = b" (tied); empty: nothing changes up to 0 or 1
};

struct WeightSensitivity {
  std::string name, weight;  // share of the total
  WeightInterval order, winner;
  std::string least_change;  // of this weight alone, renormalised, until two records tie; empty: no change makes a tie
  std::string criticality;   // that change in percent of the weight; the smallest is the most critical dimension
  std::string pair;          // the two records that tie: "a, b"
  double effect = 0;         // main effect on the score (0..1), as a share of all dimensions
  double correlation_ratio = 0;
  bool constant = false;  // all records have the same value
  bool dead = false;      // even its whole range moves no score by half a unit in the last place
  bool advisory = false;
};

struct GradeInterval {
  std::string id, dimension, band, low, high;
};

struct Rival {
  std::string id;
  std::string distance;  // Euclidean distance of the weights to a tie with the winner; 12 digits
  std::string total;     // sum of the absolute changes, exact
  std::vector<std::pair<std::string, std::string>> weights;  // at the nearest tie
};

struct Acceptability {
  std::string id;
  std::vector<double> ranks;    // shares of samples in which it has place 1, 2, …; at most 10 places
  std::vector<double> central;  // mean weights of the samples in which it is first; empty: it never is
  double confidence = 0;        // share of samples around those weights in which it is first
};

struct RecordMargin {
  std::string id, score, band;
  std::string margin;       // distance of the exact score to the nearest other band
  std::string last_places;  // the same in units of the score's last place
  double flips = -1;        // share of noise draws in which a band changes; -1: no noise was given
};

struct Stability {    // under weights near the declared ones
  double spread = 0;  // each weight times 1 + spread * u, u in -1..1
  double winner = 0;  // share of samples with the same winner
};

struct Sensitivity {
  std::size_t records = 0;
  std::vector<std::string> left_out;  // ids, with the reason: "x: efficiency is missing"
  std::string note;                   // why weights cannot be analysed, or empty
  std::string winner;
  std::vector<WeightSensitivity> weights;
  std::vector<GradeInterval> grades;
  std::vector<std::string> taken;  // other values that depend on weights and were held fixed: "gate good"
  std::vector<Rival> rivals;       // nearest first, at most `most_rivals`
  std::vector<Acceptability> acceptability;
  std::vector<Stability> stability;
  std::string stable_to;  // the largest change of all weights, in percent, for which the winner is proved to stay first
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
  std::string difference;   // of the contributions to the score, p - q
};

struct Versus {
  std::string p, q;    // ids
  std::string before;  // id of the better one; empty: they share a place
  std::string key;     // the first ranking key that differs, "higher score", or "eligible"; empty: none
  std::string p_key, q_key;
  std::vector<VersusPart> parts;  // largest difference first
  std::string p_verdict, q_verdict;
  std::string json() const;
};

// ---- agreement with people

// Two ratings of one item, as decimals; an empty text means that the number is missing.
struct RatedPair {
  std::string id, judge;    // judge: empty if there is only one
  std::string measure;      // "correctness", "score", "grade"
  std::string rated, gold;  // numbers as decimals, or names of bands
};

struct CalibrationOptions {
  std::size_t floor = 10;  // with fewer pairs, no conclusion is drawn
  double confidence = 0.95;
  std::uint32_t resamples = 2000;  // of the bootstrap
  std::uint64_t seed = 1;
  const Interrupt* interrupt = nullptr;  // null: none. Once it is due, the result is incomplete
};

// NaN where the figure is undefined.
struct Estimate {
  double value, low, high;
};

struct Agreement {
  std::string measure, judge;  // judge empty: all judges
  std::size_t pairs = 0;
  bool enough = false;  // at least as many pairs as the floor
  bool names = false;   // the categories are not numbers: only exact, kappa and alpha (nominal) are computed
  Estimate exact, within_one, mae, bias, kappa, linear, quadratic, spearman, tau_b, alpha;
  // Of the confusion matrix; both are empty for numbers, and if there are far more categories than pairs.
  std::vector<std::string> categories;
  std::vector<std::vector<std::size_t>> confusion;  // [gold][rated]
};

struct ItemFigure {  // item analysis of one dimension over all records
  std::string name;
  std::size_t count = 0;
  double mean, stdev, discrimination;  // discrimination: correlation with the score without this dimension
};

struct Calibration {
  std::vector<Agreement> figures;
  std::vector<ItemFigure> items;
  double alpha_items;  // Cronbach's alpha
  std::string json() const;
};

// `order`: for each measure, its categories from low to high, for the weighted kappas of bands.
Calibration calibrate(const std::vector<RatedPair>& pairs,
                      const std::vector<std::pair<std::string, std::vector<std::string>>>& order,
                      const CalibrationOptions& options = {});

// The bands of a threshold table, in order.
struct BandOrder {
  std::string name;                      // "grade"
  std::vector<std::string> worst_first;  // its names
};

// ---- the questions

class Analysis {
 public:
  explicit Analysis(const Rubric& rubric, const EvaluatorOptions& options = {});
  ~Analysis();
  Analysis(Analysis&&) noexcept;
  Analysis& operator=(Analysis&&) noexcept;

  // As in Evaluator, for every later question.
  std::optional<InputError> configure(const Settings& settings);
  void set_history(std::vector<std::string> records);
  // For a rubric with `history by`: adds an earlier record of the series that later questions concern.
  void pass(std::string_view record);

  // `members`: paths and values, as with_member() sets them.
  std::optional<InputError> what_if(std::string_view record,
                                    const std::vector<std::pair<std::string, std::string>>& members, WhatIf& answer);
  std::optional<InputError> reach(std::string_view record, const ReachQuestion& question, Reach& answer);
  // Leaves out, and names, the records that the rubric rejects or that lack a weighted dimension.
  std::optional<InputError> sensitivity(const std::vector<std::string_view>& records, const SensitivityOptions& options,
                                        Sensitivity& answer);
  std::optional<InputError> versus(std::string_view p, std::string_view q, Versus& answer);
  // The complete pipeline as a tree of values, each with what it read and how it was computed, as JSON;
  // docs/analysis.md gives the schema. Returns the error "limit" if the text would exceed Limits::output_bytes.
  std::optional<InputError> explanation(std::string_view record, std::string& json);
  // Explains why two rubrics give one record different verdicts. `after` must have the same settings.
  std::optional<InputError> compare(std::string_view record, Analysis& after, std::string_view after_record,
                                    const std::vector<Change>& declarations, std::vector<ValueChange>& changes);

  std::vector<BandOrder> bands() const;
  // Why nobody can have given a value of the verdict this rating, a number as a decimal or a text without its quotes: no
  // number for a score, a number outside the scale, no band of the table. "score: is 'good', expected a number". Empty: a
  // person can.
  std::string wrong_rating(std::string_view measure, std::string_view rating) const;
  // The input that divides records into series, in which later records depend on earlier ones; empty: no series.
  const std::string& series_by() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
