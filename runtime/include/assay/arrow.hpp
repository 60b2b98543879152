// Records and verdicts as Arrow arrays over the C data interface, which data frames, Parquet readers and query engines
// exchange without copying.
//
//   assay::ArrowScorer scorer(rubric);
// a missing column, or a type that no input has
//   scorer.result_schema(out_schema);
//   if (auto error = scorer.score(batch, verdicts)) …  // `batch` is moved from
//
// A column becomes the input of the same name: "correctness"; names like "scores.correctness" and members of struct
// columns reach into nested records. Supported types: null, boolean, integers and floating point of every width,
// decimal32 to decimal256 (exact), utf8, large utf8 and utf8 views, dictionaries of these, lists of every layout,
// structs and maps; offsets and validity bitmaps need not be aligned. Null and NaN are missing. Columns that the rubric
// does not name are ignored (strict: an error).
//
// Results equal those of the same records as JSON. The kernels of <assay/columns.hpp> score the rows they support, the
// evaluator all others.
//
// Trust: lengths, offsets, null counts, indices and the order of offsets are checked before anything is read, so an
// inconsistent array is an error. The interface does not carry the sizes of buffers: nobody can detect a buffer that is
// shorter than the lengths and offsets require, or a schema text without NUL. So only accept arrays made in this
// process.
#pragma once

#include <assay/arrow_abi.h>
#include <assay/assay.hpp>

#include <cstdint>
#include <functional>
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
  verdicts,  // the same with every field of the verdict, unless fields are chosen, and `error`: {path, code, message}
  json,      // one column `verdict`: the JSON text of each verdict, or of {"error": …}
};

struct ArrowOptions {
  // fields: the fields to write, in this order. If empty, with `columns`: id, status, score, bands, and the outputs
  // that are numbers, truths or texts of a known set. "id" is copied from the column of the records.
  EvaluatorOptions evaluator;
  ArrowNumbers numbers = ArrowNumbers::doubles;
  ArrowResult result = ArrowResult::columns;
  // The records are JSON texts, not arrays: see the last score(). "id" is then a text, for rejected records as well.
  bool json_records = false;
  // Number of threads that score a batch; 0: as many as the machine runs at once. If it is more than one, the calling
  // thread waits for them. Small batches and rubrics with `history by` are scored by the calling thread.
  unsigned threads = 1;
  // Called by the thread in score() about every 50 ms, between records and while it waits for other threads, so that a
  // host can look for signals. It may cancel the interrupt and must not throw. Null: never.
  std::function<void()> poll;
  // First pass over a cohort: collected() returns what is kept of all records. They are ordered by id, so the result
  // does not depend on the division into batches. The evaluator scores all records.
  bool collect = false;
  // Second pass: verdicts also have the values of the 'each output's, after the other fields if no fields are chosen.
  // The evaluator scores all records.
  std::optional<FrozenCohort> cohort;
};

// Belongs to one thread. Keeps the rubric alive.
class ArrowScorer {
 public:
  explicit ArrowScorer(const Rubric& rubric, ArrowOptions options = {});
  ~ArrowScorer();
  ArrowScorer(ArrowScorer&&) noexcept;
  ArrowScorer& operator=(ArrowScorer&&) noexcept;

  // Null, or the error about an unknown field in the options. Check it once after construction.
  const InputError* error() const;
  // As in Evaluator, for later calls.
  std::optional<InputError> configure(const Settings& settings);

  // Sets the schema (a struct) of the records that score() will receive. It is not kept. Errors have the code "column"
  // and the column as their path.
  std::optional<InputError> bind(const ArrowSchema& schema);
  // The schema of the verdicts; call bind() first. The caller releases it. `out` is overwritten.
  std::optional<InputError> result_schema(ArrowSchema& out) const;
  // Scores a batch: as many verdicts as records, in the same order. Takes `records` over and releases it when the
  // verdicts no longer refer to it. Overwrites `verdicts`, which the caller releases, on any thread. A rejected record
  // has nulls and its error. An error of the call ("column": the array contradicts its schema or itself; "limit";
  // "cancelled", "timeout") leaves no verdicts.
  std::optional<InputError> score(ArrowArray& records, ArrowArray& verdicts);
  // The same for a stream: each batch is scored when the reader of `verdicts` asks for it. This uses the scorer up:
  // `verdicts` owns what it needs. get_last_error tells the problem of a batch.
  std::optional<InputError> score(ArrowArrayStream& records, ArrowArrayStream& verdicts) &&;

  // Scores JSON objects, if ArrowOptions::json_records is set; bind() is not needed. `unread`: errors of records that
  // could not be read, by position; their texts are not parsed.
  std::optional<InputError> score(const std::vector<std::string_view>& records, ArrowArray& verdicts,
                                  const std::map<std::size_t, InputError>& unread = {});

  std::uint64_t rejected() const;        // records rejected so far
  Cohort collected() const;              // of the records so far, if ArrowOptions::collect is set
  const Statistics& statistics() const;  // over all batches; updated by this call

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace assay
