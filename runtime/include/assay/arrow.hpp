// Records and verdicts as Arrow arrays, by the C data interface: what data frames, Parquet readers and query engines hand
// over without copying.
//
//   assay::ArrowScorer scorer(rubric);
//   if (auto error = scorer.bind(schema)) …            // a column that is missing, or of a type that no input has
//   scorer.result_schema(out_schema);
//   if (auto error = scorer.score(batch, verdicts)) …  // `batch` is moved from
//
// Each column is an input, by its name: "correctness"; "scores.correctness" and members of struct columns reach into
// records. Read are null, boolean, integers and floating point of every width, decimal32 to decimal256 (exact), utf8 and
// large utf8, utf8 views, dictionaries of these, lists of every layout, structs and maps; offsets and validity bitmaps
// need not be aligned. Null and NaN are missing. Columns that the rubric does not name are not looked at (strict: an error).
//
// The answers are those for the same records as JSON: rows go to the kernels of <assay/columns.hpp> as far as these take
// them, all others to the evaluator.
//
// Trust: lengths, offsets, null counts, indices and the order of offsets are checked before anything is read, so that an
// array that contradicts itself is an error. The interface does not say how long a buffer is: an array whose buffers are
// shorter than its lengths and offsets say cannot be recognised, and neither can a text without a NUL in a schema. Arrays
// have to come from this process.
#pragma once

#include <assay/arrow_abi.h>
#include <assay/assay.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace assay {

enum class ArrowNumbers : std::uint8_t {
  doubles,   // float64, the double nearest to the number as shown
  decimals,  // decimal128(38, n) for a field that a rule rounds to n decimals; others remain float64
};

enum class ArrowResult : std::uint8_t {
  columns,   // a column for each field, and `error`: a text, null where the record was scored
  verdicts,  // the same with every field of the verdict unless fields are chosen, and `error`: {path, code, message}
  json,      // one column `verdict`: the JSON text of each verdict, or of {"error": …}
};

struct ArrowOptions {
  // fields: which, in this order; empty, with columns: id, status, score, bands and those outputs that are numbers, truths
  // or texts of a known set. "id" is the column of the records as it is.
  EvaluatorOptions evaluator;
  ArrowNumbers numbers = ArrowNumbers::doubles;
  ArrowResult result = ArrowResult::columns;
  // The records are JSON texts, not arrays: see the last score(). Then "id" is a text, also of a
  // record that is refused.
  bool json_records = false;
  // Threads that score a batch, the calling one among them; 0: as many as the machine runs at once. Small batches and
  // rubrics with `history by` take one.
  unsigned threads = 1;
  // The first pass over a cohort: collected() has what is kept of all records. They stand by their ids, so that it is the
  // same for any division into batches. All records go to the evaluator.
  bool collect = false;
  // The second pass: verdicts also have the values of the 'each output's, which stand behind the others when no fields are
  // chosen. All records go to the evaluator.
  std::optional<FrozenCohort> cohort;
};

// Belongs to one thread. Keeps the rubric alive.
class ArrowScorer {
 public:
  explicit ArrowScorer(const Rubric& rubric, ArrowOptions options = {});
  ~ArrowScorer();
  ArrowScorer(ArrowScorer&&) noexcept;
  ArrowScorer& operator=(ArrowScorer&&) noexcept;

  // An unknown field in the options, or nothing. Check it once after construction.
  const InputError* error() const;
  // As of Evaluator, for what is scored from now on.
  std::optional<InputError> configure(const Settings& settings);

  // The schema of the records, a struct: what score() will be given. It is not kept. Errors have the code "column", and
  // as their path the column.
  std::optional<InputError> bind(const ArrowSchema& schema);
  // The schema of the verdicts, once records are bound; the caller releases it. `out` is overwritten.
  std::optional<InputError> result_schema(ArrowSchema& out) const;
  // Scores a batch, as many verdicts as records, in their order. `records` is moved from and released, when nothing of
  // the verdicts refers to it any longer; `verdicts` is overwritten and is the caller's to release, by any thread. A
  // record that is refused has nulls and its error. An error of the call ("column": the array contradicts its schema or
  // itself; "limit"; "cancelled", "timeout") leaves no verdicts.
  std::optional<InputError> score(ArrowArray& records, ArrowArray& verdicts);
  // The same of a stream, batch by batch, as the reader of `verdicts` asks for them. The scorer is used up: `verdicts`
  // holds what it needs. What is wrong with a batch is told by get_last_error.
  std::optional<InputError> score(ArrowArrayStream& records, ArrowArrayStream& verdicts) &&;

  // JSON objects → a batch of their verdicts, where ArrowOptions::json_records says so; nothing has to be bound.
  // `unread`: errors of records that could not be read, by position; their texts are not looked at.
  std::optional<InputError> score(const std::vector<std::string_view>& records, ArrowArray& verdicts,
                                  const std::map<std::size_t, InputError>& unread = {});

  std::uint64_t rejected() const;        // records refused so far
  Cohort collected() const;              // of the records so far, where ArrowOptions::collect says so
  const Statistics& statistics() const;  // of all batches; refreshed by the call

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace assay
