// A line of NDJSON or a row of CSV → the line of its verdict, by the kernel alone: read into lanes, run, written from
// lanes. Whoever calls it has the complete way (runtime/engine/evaluator.hpp) for the records that it does not take.
#pragma once

#include "runtime/input/lane_cells.hpp"
#include "runtime/input/lane_reader.hpp"
#include "runtime/kernel/lane_block.hpp"
#include "runtime/kernel/lane_machine.hpp"
#include "runtime/output/lane_writer.hpp"

#include <algorithm>

namespace assay {

class LanePath {
 public:
  static constexpr std::size_t kPadding = LaneReader::kPadding;

  // `fields`: of the verdict, which the first results of the kernel are. `model` must outlive it. `strict`: as
  // LaneReader's.
  LanePath(const Model& model, int rubric, const std::vector<VerdictField>& fields,
           std::shared_ptr<const Kernel> kernel, const Limits& limits, bool with_name = true, bool with_version = true,
           bool with_hash = true, bool strict = false);
  LanePath(const LanePath&) = delete;  // parts of it refer to each other
  LanePath& operator=(const LanePath&) = delete;
  bool usable() const { return reader_.usable(); }
  void use_newer(bool on);  // as LaneReader's

  // How many bytes `score_line` may write for a line of this size.
  std::size_t room(std::size_t line) const { return writer_.max_size() + shown_count_ * line; }
  // Writes the verdict to `out`, without a line feed, and moves `out` behind it. `line` as LaneReader::read wants it.
  // False: nothing is known about the record; what is behind `out` is undefined.
  bool score_line(std::string_view line, char*& out) {
    lay_out(false);
    if (room(line.size()) > limits_.output_bytes || !reader_.read(line, machine_.lanes(), shown_.data()) ||
        !machine_.run())
      return false;
    out = writer_.write(machine_.lanes(), shown_.data(), out);
    return true;
  }
  // The same for the line at p of a block of lines that ends at `end`, where there is a line feed or a byte 0 (and
  // kPadding bytes more); moves p behind the line feed, or to `end`. Nobody has to look for the ends of lines first.
  // `space`: how many bytes there are at `out`.
  bool score_next(const char*& p, const char* end, char*& out, std::size_t space) {
    lay_out(false);
    const char* const after = reader_.record(p, machine_.lanes(), shown_.data());
    if (after == nullptr || (*after != '\n' && after != end)) return false;
    const auto size = static_cast<std::size_t>(after - p);
    if (size > limits_.record_bytes || room(size) > std::min(space, limits_.output_bytes) || !machine_.run())
      return false;
    out = writer_.write(machine_.lanes(), shown_.data(), out);
    p = after + (after != end);
    return true;
  }
  // As many lines as there are, or up to the first that is not for the kernel, as score_next does one, with a line feed
  // behind each verdict. Their lanes are computed by the block (runtime/kernel/lane_block.hpp). Returns how many those were.
  std::uint64_t score_lines(const char*& p, const char* end, char*& out, std::size_t space);
  // The same for rows of a CSV table, as LaneCells::row wants them.
  std::uint64_t score_rows(const std::shared_ptr<const CsvTable>& table, const char*& p, const char* end, char*& out,
                           std::size_t space);

 private:
  static constexpr std::uint32_t kRows = 64;
  // From one register of the block to the next. The reader writes eight bytes for a lane also where lanes are narrow:
  // the next row writes over what is too much, and behind the last row there is room for it.
  static constexpr std::uint32_t kStride = kRows + 16;
  template <bool kBare, class T>
  std::uint32_t finish_rows(std::uint32_t rows, char*& out);
  template <bool kBare, class Read>
  std::uint64_t score_block(const char*& p, const char* end, char*& out, std::size_t space, Read&& read);

  // The reader writes lanes to where they are computed: in the block, or in machine_.
  void lay_out(bool by_block) {
    if (by_block == by_block_) return;
    by_block_ = by_block;
    reader_.lay_out(by_block ? block_lanes_ : record_lanes_);
  }

  const Model* model_;
  Limits limits_;
  LaneMachine machine_;
  LaneReader reader_;
  std::unique_ptr<LaneCells> cells_;  // of the table that came last
  LaneWriter writer_;
  BlockProgram block_;
  const BlockLoops* loops_ = nullptr;
  std::vector<std::int64_t> memory_;                       // of the block, in its width
  std::vector<std::string_view> shown_rows_;               // of all rows
  std::vector<std::uint32_t> block_lanes_, record_lanes_;  // where the reader writes them
  bool by_block_ = false;
  bool narrow_ = false;
  std::uint32_t most_rows_ = kRows;      // fewer where lines are refused by a rule of the rubric
  std::vector<std::string_view> shown_;  // by slot
  std::size_t shown_count_ = 0;          // results that are inputs
};

}  // namespace assay
