// Evaluates a record with all values accessible: all items of the rubric, not only those in the verdict.
#pragma once

#include "runtime/engine/evaluator.hpp"

#include <assay/analysis.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class Probe {
 public:
  Probe(const Rubric& rubric, const EvaluatorOptions& options);

  std::optional<InputError> configure(const Settings& settings) { return evaluator_.configure(settings); }
  void set_history(std::vector<std::string> records) { evaluator_.set_history(std::move(records)); }

  // Scores the record. False: error(). Values are valid until the next take().
  bool take(std::string_view record);
  const InputError& error() const { return error_; }
  // Computes only the verdict, which is faster: items remain those of the last take().
  const Verdict& score(std::string_view record) { return evaluator_.score(record); }

  const Model& model() const { return *inside_.owner.impl().model; }
  const Rubric::Impl& source() const { return inside_.owner.impl(); }
  const RubricModel& rubric() const { return inside_.rubric; }
  int rubric_index() const { return inside_.owner.impl().index(); }
  const Value& item(int index) const { return items_[static_cast<std::size_t>(index)]; }
  const Value* items() const { return items_.data(); }
  const Value& slot(int index) const { return inside_.slots[static_cast<std::size_t>(index)]; }
  bool given(int slot) const { return given_[static_cast<std::size_t>(slot)]; }
  Number weight(int index) const;
  Number number(int item) const {
    return item < 0 || items_[static_cast<std::size_t>(item)].missing() ? kMissing
                                                                        : items_[static_cast<std::size_t>(item)].number;
  }
  std::string_view verdict() const { return verdict_; }
  const std::string& id() const { return id_; }
  bool eligible() const { return eligible_; }
  // Whether a ranking keeps the record: also one whose band is too close to call.
  bool ranked() const { return rubric().verdict.status < 0 || ranked_status(item(rubric().verdict.status)); }
  const Interrupt* interrupt() const { return inside_.options.interrupt; }
  EvaluatorAccess::Inside& inside() { return inside_; }
  bool interrupted() { return inside_.interrupted(error_); }

  // The JSON of a value, cut off only by the limit of outputs.
  std::string shown(TypeId type, const Value& value);
  std::string shown_item(int item) {
    return shown(rubric().items[static_cast<std::size_t>(item)].type, this->item(item));
  }

  // An item of the rubric of this kind and name, or -1. find_step: an item of the pipeline.
  int find(ItemKind kind, std::string_view name) const;
  int find_step(std::string_view name) const { return find(ItemKind::pipeline, name); }
  // The text that defines an item, on one line; empty: none was written.
  std::string source_text(int item) const;

 private:
  Evaluator evaluator_;
  EvaluatorAccess::Inside& inside_;
  Plan plan_;
  std::vector<std::size_t> places_;
  std::vector<Value> items_;
  std::vector<bool> given_;
  std::string verdict_, id_;
  bool eligible_ = true;
  InputError error_;
  ValueWriter writer_;
};

// Bands decided by a table.
struct BandLadder {
  int row_item = -1;  // the item that holds the row number
  int band = -1;      // its first column: "grade"
  std::string name;
  std::vector<std::string> labels;  // of the rows, in table order, as JSON
  std::vector<Number> thresholds;   // lower edges of those rows; missing: none
  std::vector<bool> open;           // whether the row excludes the edge itself
  bool ordered = false;             // the rows go from one end of a number to the other
  bool best_first = true;           // for ordered rows: the first row is the best; otherwise the last
  int key = -1;                     // the item that holds that number; -1: another expression
};
std::vector<BandLadder> band_ladders(const Model& model, const RubricModel& rubric);

// The expression whose rounded value is the score, and the decimals; -1: the score is not rounded.
struct RawScore {
  int item = -1;  // of the score
  const Expr* exact = nullptr;
  int decimals = -1;
};
RawScore raw_score(const RubricModel& rubric);

}  // namespace assay
