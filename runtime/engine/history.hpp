// Earlier records of the subject being scored: those that a host or a request supplies, and those that a rubric with
// `history by` collects. Their verdicts, if a rule needs them, are cached with them.
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

// Earlier records for an evaluation, and the cached facts about them.
struct Earlier {
  Value records = missing_value();  // the list; missing: none
  KeptVerdicts* kept = nullptr;
};

// Earlier records of one subject, read and kept.
struct History {
  Arena arena{1024};           // small, because many series are short
  std::vector<Value> records;  // records of the slots, oldest first
  std::optional<InputError> error;
  std::vector<std::string> unread;  // records whose reading was interrupted: it restarts with the next record
  KeptVerdicts kept;
  std::uint64_t weights = 0;  // weights for which the cache is valid: see HistoryStore::weights_changed

  Value value();  // the list, or missing when there is none
  void clear();
};

class HistoryStore {
 public:
  // All of these must outlive it.
  HistoryStore(const Model& model, const RubricModel& rubric, const EvaluatorOptions& options, InputReader& reader)
      : model_(model), rubric_(rubric), limits_(options.limits), interrupt_(options.interrupt), reader_(reader) {}

  // False: a record cannot be read; `into` has the error.
  bool read(const std::vector<std::string_view>& records, History& into);
  // Sets the history of all later records.
  void set(std::vector<std::string> records);
  // Reads what set() could not read because of an interrupt.
  void resume();
  const std::optional<InputError>& error() const { return given_.error; }  // of set()
  bool empty() const { return given_.records.empty() && !given_.error; }
  Value value() { return given_.value(); }
  Arena& arena() { return given_.arena; }
  // The cache is only valid for the weights in force.
  void weights_changed() { ++weights_; }

  // The records of set() with their cache, for the weights in force.
  Earlier earlier() { return seen(given_); }
  // The same; or, if there are none and the rubric has `history by`, the series of the record in these slots.
  Earlier or_series(const Earlier& given, const Value* slots);
  void add_to_series(Value* slots);
  // Call after an evaluation that changed the cache, which had `before` bytes.
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
  std::size_t kept_bytes_ = 0;             // of cached verdicts, in given_ and all series
  std::uint64_t weights_ = 0;              // counts the changes of the weights in force
};

}  // namespace assay
