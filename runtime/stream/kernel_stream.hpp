// Turns a line of NDJSON, a row of CSV or of a .npy file into the line of its verdict, by the kernel alone: reads it
// into registers, runs the kernel, and writes the registers. The caller scores declined records with the evaluator
// (runtime/engine/evaluator.hpp).
#pragma once

#include "runtime/dispatch/kernel_runner.hpp"
#include "runtime/npy/npy_registers.hpp"
#include "runtime/output/register_writer.hpp"
#include "runtime/registers/register_cells.hpp"
#include "runtime/registers/register_reader.hpp"

#include <assay/assay.hpp>

#include <algorithm>
#include <utility>

namespace assay {

class KernelStream {
 public:
  static constexpr std::size_t kPadding = RegisterReader::kPadding;

  // `fields`: the fields of the verdict, which are the first results of the kernel. `model` must outlive it. Uses from
  // `options`: limits, whether the rubric's name precedes the fields, strict, jit_threshold.
  KernelStream(const Model& model, int rubric, const std::vector<VerdictField>& fields,
               const std::shared_ptr<SharedKernel>& kernel, const EvaluatorOptions& options);
  bool usable() const { return reader_.usable(); }

  // The number of bytes that `score_line` may write for a line of this size.
  std::size_t room(std::size_t line) const { return writer_.max_size() + shown_count_ * line; }
  // Writes the verdict to `out`, without a line feed, and moves `out` past it. `line` must satisfy
  // RegisterReader::read. False if the kernel declines the record; the bytes after `out` are then undefined.
  bool score_line(std::string_view line, char*& out);
  // The same for consecutive lines, the first at p, in a text that ends at `end` with a line feed or a byte 0 (and
  // kPadding bytes more), up to the first that the kernel declines. Moves p past the line feed of the last line scored,
  // or to `end`; writes a line feed after each verdict, into the `space` bytes at `out`. Returns the number of
  // verdicts. The caller need not search for line ends.
  std::uint64_t score_lines(const char*& p, const char* end, char*& out, std::size_t space);
  // The same for rows of a CSV table, which must satisfy RegisterCells::row.
  std::uint64_t score_rows(const std::shared_ptr<const CsvTable>& table, const char*& p, const char* end, char*& out,
                           std::size_t space);
  // The same for rows of a .npy file.
  std::uint64_t score_rows(const std::shared_ptr<const NpyFile>& file, const char*& p, const char* end, char*& out,
                           std::size_t space);
  // Returns the statistics since the last call.
  Statistics take_statistics();

 private:
  template <bool kBare, class Read>
  std::uint64_t score(const char*& p, const char* end, char*& out, std::size_t space, Read&& read);

  const Model* model_;
  Limits limits_;
  KernelRunner runner_;
  RegisterReader reader_;
  std::unique_ptr<RegisterCells> cells_;  // for the most recent table
  std::shared_ptr<const NpyFile> npy_;    // the most recent file
  std::unique_ptr<NpyRegisters> npy_rows_;
  RegisterWriter writer_;
  std::vector<std::string_view> shown_;  // by slot
  std::size_t shown_count_ = 0;          // results that are inputs
  std::uint64_t taken_ = 0, jit_ = 0;
};

}  // namespace assay
