// Many records at once: whole streams scored on several threads, the verdicts written in the order of the records.
//
//   assay::Batch batch(rubric, {.evaluator = {{"id", "score", "grade"}, {}}, .threads = 0});
//   if (batch.error()) …
//   const assay::Batch::Result result = batch.run({assay::Format::ndjson, read, {}}, {write, rejected});
//
// A stream is cut into blocks of whole records. A thread with its own Evaluator scores each block, which is written
// once all earlier blocks have been. The output is the same for any number of threads and any block size. Memory is
// bounded by the block size, not by the stream: about 2 MB per thread, unless a single record takes more.
//
// Only the thread that calls run() calls the callbacks of BatchInput and BatchOutput; all scoring threads call
// BatchOptions::render and the host's hooks. An exception from a callback, or std::bad_alloc in any thread, leaves
// run() after the other threads have stopped.
#pragma once

#include <assay/assay.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

struct BatchOptions {
  EvaluatorOptions evaluator;
  // Number of scoring threads, including the caller of run(); 0: as many as the machine runs at once. More threads are
  // started only when blocks wait for them, so a short stream starts none; with 1 none is ever started.
  unsigned threads = 1;
  std::size_t block_bytes = std::size_t{1} << 17;
  // Members to set in every record before it is scored, in this order, as with_member() does.
  std::vector<std::pair<std::string, std::string>> members;
  // Appends a verdict, or the {"error": …} of a rejected record, to the output; empty: one line each. All scoring
  // threads call it, concurrently.
  std::function<void(std::string_view json, bool rejected, std::string& out)> render;
};

struct BatchInput {
  Format format = Format::ndjson;
  RecordReader::Read read;
  // Optional: tells whether read() would block. If so, the records read so far are scored and written first, so that a
  // single record gets its verdict at once.
  std::function<bool()> waits;
};

struct BatchOutput {
  // Takes the verdicts of the next block, valid during the call. False ends the run.
  std::function<bool(std::string_view block)> write;
  // Optional: receives the error of a record and the line of the stream where it begins (1-based). Called in the order
  // of the records, before the write() that holds the record's {"error": …}.
  std::function<void(std::uint64_t line, const InputError& error)> rejected;
};

// Belongs to one thread. Keeps its evaluators and threads between runs. With `history by`, where records depend on
// earlier ones, and for a cohort, the calling thread scores all records in order, across all runs.
class Batch {
 public:
  explicit Batch(const Rubric& rubric, BatchOptions options = {});
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  // Null, or the error about an unknown field in the options. Check it once after construction.
  const InputError* error() const;

  // As in Evaluator; not during a run.
  std::optional<InputError> configure(const Settings& settings);
  void set_history(std::vector<std::string> records);
  void start_cohort(std::uint64_t first = 0);
  std::string_view cohort();
  const InputError* cohort_error() const;
  Cohort collected() const;
  std::optional<InputError> set_cohort(const FrozenCohort& cohort);

  enum class Status : std::uint8_t {
    done,         // the stream has ended
    stopped,      // write() returned false
    interrupted,  // by EvaluatorOptions::interrupt: a prefix of the verdicts has been written
    failed,  // read() failed, or see `problem`: all earlier records have been written, except an incomplete last one
  };
  struct Result {
    Status status = Status::done;
    std::uint64_t records = 0;  // with a verdict or an error
    std::uint64_t rejected = 0;
    std::string problem;  // failed: what is wrong with a .npy file, ending "cannot read 'x': "; empty: read() failed
  };
  Result run(const BatchInput& input, const BatchOutput& output);

  // A run and its second pass, scoring each record once. start_two_passes() acts like start_cohort(); run() then writes
  // verdicts as JSON lines, ignoring BatchOptions::render, and the host stores them, usually in a file. second_pass()
  // reads them all and writes each, rendered, with the values that the cohort adds. The `line` of a rejected record is its number
  // of the record in the run, from 1. If the cohort cannot be computed, cohort_error() returns the reason and the
  // verdicts are written unchanged.
  void start_two_passes();
  Result second_pass(const RecordReader::Read& verdicts, const BatchOutput& output);

  // Over all runs. Records that could not be read (for example a row with too many cells) count in malformed() only.
  const Statistics& statistics() const;
  std::uint64_t malformed() const;

 private:
  struct Impl;
  struct Worker;
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
