// Turns a line of NDJSON, a row of CSV or of a .npy file into the line of its verdict by the kernel alone: reads it into registers, runs
// the kernel, and writes the registers. The caller scores records that it declines with the evaluator
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

  // `fields`: of the verdict, which the first results of the kernel are. `model` must outlive it. Of `options`: limits,
  // what stands in front of the fields, strict, jit_threshold.
  KernelStream(const Model& model, int rubric, const std::vector<VerdictField>& fields,
               std::shared_ptr<SharedKernel> kernel, const EvaluatorOptions& options);
  bool usable() const { return reader_.usable(); }

  // How many bytes `score_line` may write for a line of this size.
  std::size_t room(std::size_t line) const { return writer_.max_size() + shown_count_ * line; }
  // Writes the verdict to `out`, without a line feed, and moves `out` behind it. `line` as RegisterReader::read wants it.
  // False if the kernel declines the record; the bytes behind `out` are then undefined.
  bool score_line(std::string_view line, char*& out);
  // The same for lines, of which the first is at p, of a text that ends at `end`, where there is a line feed or a byte 0
  // (and kPadding bytes more): as many as there are, or up to the first that is not for the kernel. Moves p behind the
  // line feed of the last one, or to `end`; writes a line feed behind each verdict, into the `space` bytes at `out`.
  // Returns how many those were. Nobody has to look for the ends of lines first.
  std::uint64_t score_lines(const char*& p, const char* end, char*& out, std::size_t space);
  // The same for rows of a CSV table, as RegisterCells::row wants them.
  std::uint64_t score_rows(const std::shared_ptr<const CsvTable>& table, const char*& p, const char* end, char*& out,
                           std::size_t space);
  // The same for rows of a .npy file.
  std::uint64_t score_rows(const std::shared_ptr<const NpyFile>& file, const char*& p, const char* end, char*& out,
                           std::size_t space);
  // What was taken since the last call.
  Statistics take_statistics();

 private:
  template <bool kBare, class Read>
  std::uint64_t score(const char*& p, const char* end, char*& out, std::size_t space, Read&& read);

  const Model* model_;
  Limits limits_;
  KernelRunner runner_;
  RegisterReader reader_;
  std::unique_ptr<RegisterCells> cells_;  // of the table that came last
  std::shared_ptr<const NpyFile> npy_;    // the file that came last
  std::unique_ptr<NpyRegisters> npy_rows_;
  RegisterWriter writer_;
  std::vector<std::string_view> shown_;  // by slot
  std::size_t shown_count_ = 0;          // results that are inputs
  std::uint64_t taken_ = 0, jit_ = 0;
};

}  // namespace assay
