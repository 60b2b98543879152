// Earlier records of the subject that is scored: those that a host or a request has given, and those that a rubric with
// `history by` collects while records are scored. What a rule asks for their verdicts is kept with them.
#pragma once

#include "lang/model/model.hpp"
#include "lang/value/arena.hpp"
#include "runtime/input/inputs.hpp"
#include "runtime/vm/vm.hpp"

#include <assay/assay.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Earlier records as an evaluation sees them, and what is known of them.
struct Earlier {
  Value records = missing_value();  // the list; missing: there is none
  KeptVerdicts* kept = nullptr;
};

// Earlier records of one subject, read and kept.
struct History {
  Arena arena{1024};           // many series are short
  std::vector<Value> records;  // records of the slots, oldest first
  std::optional<InputError> error;
  std::vector<std::string> unread;  // texts whose reading was interrupted: it begins anew with the next record
  KeptVerdicts kept;
  std::uint64_t weights = 0;  // what is kept holds for: see HistoryStore::weights_changed

  Value value();  // the list, or missing when there is none
  void clear();
};

class HistoryStore {
 public:
  // All of these outlive it.
  HistoryStore(const Model& model, const RubricModel& rubric, const EvaluatorOptions& options, InputReader& reader)
      : model_(model), rubric_(rubric), limits_(options.limits), interrupt_(options.interrupt), reader_(reader) {}

  // False: one of the records cannot be read, as `into` says.
  bool read(const std::vector<std::string_view>& records, History& into);
  // The history of all records that are scored from now on.
  void set(std::vector<std::string> records);
  // Reads what set() could not, because it was interrupted.
  void resume();
  const std::optional<InputError>& error() const { return given_.error; }  // of what was set
  bool empty() const { return given_.records.empty() && !given_.error; }
  Value value() { return given_.value(); }
  Arena& arena() { return given_.arena; }
  // What is kept holds for the weights in force only.
  void weights_changed() { ++weights_; }

  // What was set, and what is kept of it, for the weights in force.
  Earlier earlier() { return seen(given_); }
  // The same, or, when there is none and the rubric says so, the series of the record in these slots.
  Earlier or_series(const Earlier& given, const Value* slots);
  void add_to_series(Value* slots);
  // An evaluation has changed what is kept, of `before` bytes before it.
  void account(KeptVerdicts& kept, std::size_t before);

 private:
  Earlier seen(History& past);
  std::string series_key(const Value* slots) const;

  const Model& model_;
  const RubricModel& rubric_;
  const Limits& limits_;
  const Interrupt* interrupt_;
  InputReader& reader_;
  History given_;
  std::map<std::string, History> series_;  // by the value of the rubric's history slot
  std::size_t kept_bytes_ = 0;             // of the verdicts of earlier records, of given_ and all series
  std::uint64_t weights_ = 0;              // counts the changes of the weights in force
};

}  // namespace assay
