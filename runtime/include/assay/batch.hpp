// Many records at once: whole streams scored on several threads, the verdicts written in the order of the records.
//
//   assay::Batch batch(rubric, {.evaluator = {{"id", "score", "grade"}, {}}, .threads = 0});
//   if (batch.error()) …
//   const assay::Batch::Result result = batch.run({assay::Format::ndjson, read, {}}, {write, fault});
//
// A stream is cut into blocks of whole records; each block is scored by a thread with an Evaluator of its own, and
// written when all before it have been. The bytes written are the same for any number of threads and any size of
// blocks. Memory is bounded by the size of a block, not by that of the stream: about 2 MB a thread, unless a single
// record takes more.
//
// The callbacks of BatchInput and BatchOutput are called by the thread that calls run() and by no other;
// BatchOptions::render and the host's hooks by all threads that score. What a callback throws leaves run(), after the
// other threads have been stopped; so does std::bad_alloc of any thread.
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
  // Threads that score, the one that calls run() among them; 0: as many as the machine runs at once. Others are started
  // when blocks wait for them, so that a short stream starts none. With 1 none is ever started.
  unsigned threads = 1;
  std::size_t block_bytes = std::size_t{1} << 17;
  // Set in every record before it is scored, in this order, as with_member() does.
  std::vector<std::pair<std::string, std::string>> members;
  // How a verdict, or {"error": …} of a faulty record, is appended to what is written; empty: a line each. Called by
  // all threads that score, at the same time.
  std::function<void(std::string_view json, bool faulty, std::string& out)> render;
};

struct BatchInput {
  Format format = Format::ndjson;
  RecordReader::Read read;
  // Optional: whether read() would have to wait for somebody. Then what has been read is scored and written first, so
  // that a record that comes alone gets its verdict at once.
  std::function<bool()> waits;
};

struct BatchOutput {
  // The verdicts of the next records, one block of them; valid during the call. False: nobody wants more, and the run
  // ends.
  std::function<bool(std::string_view block)> write;
  // Optional: what is wrong with a record, and the line of the stream where it begins (1-based). In the order of the
  // records, each before the write() that holds its {"error": …}.
  std::function<void(std::uint64_t line, const InputError& error)> fault;
};

// Belongs to one thread. Keeps its evaluators and threads from run to run. A rubric with `history by`, whose records
// depend on those before them, and a cohort are scored by the calling thread alone, in order, across all runs.
class Batch {
 public:
  explicit Batch(const Rubric& rubric, BatchOptions options = {});
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  // An unknown field in the options, or nothing. Check it once after construction.
  const InputError* error() const;

  // As of Evaluator; not during a run.
  std::optional<InputError> configure(const Settings& settings);
  void set_history(std::vector<std::string> records);
  void start_cohort(std::uint64_t first = 0);
  std::string_view cohort();
  const InputError* cohort_error() const;
  Cohort collected() const;
  std::optional<InputError> set_cohort(const FrozenCohort& cohort);

  enum class Status : std::uint8_t {
    done,         // the stream has ended
    stopped,      // write() said so
    interrupted,  // EvaluatorOptions::interrupt did: the verdicts of the first records have been written, of no others
    failed,       // read() did; what came before has been written, but for a record that was not complete
  };
  struct Result {
    Status status = Status::done;
    std::uint64_t records = 0;  // written, faulty ones included
    std::uint64_t faulty = 0;
  };
  Result run(const BatchInput& input, const BatchOutput& output);

  // A run and its second pass in one go, without scoring anything twice. start_two_passes() is start_cohort(), after which
  // run() writes verdicts as lines of JSON, whatever BatchOptions::render does: the host keeps them, in a file mostly.
  // second_pass() reads them all and writes each with what the cohort says of it, rendered. The `line` of a fault is the
  // record's number in the run, from 1. When the cohort cannot be computed, cohort_error() says so and verdicts are
  // written as they were.
  void start_two_passes();
  Result second_pass(const RecordReader::Read& verdicts, const BatchOutput& output);

  // Of all runs. Records that could not be read at all (a row with a cell too many) are in unreadable() alone.
  const Statistics& statistics() const;
  std::uint64_t unreadable() const;

 private:
  struct Impl;
  struct Worker;
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
