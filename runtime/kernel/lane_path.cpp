// Lines through a kernel, one by one or by the block.
#include "runtime/kernel/lane_path.hpp"

#include <algorithm>

namespace assay {

LanePath::LanePath(const Model& model, int rubric, const std::vector<VerdictField>& fields,
                   std::shared_ptr<const Kernel> kernel, const Limits& limits, bool with_name, bool with_version,
                   bool with_hash, bool strict)
    : model_(&model),
      limits_(limits),
      machine_(kernel),
      reader_(model, rubric, kernel, limits, strict),
      writer_(model, rubric, fields, kernel, with_name, with_version, with_hash),
      shown_(model.rubrics[static_cast<std::size_t>(rubric)].slots.size()) {
  const auto is_input = [](const LaneResult& result) { return result.kind == LaneResult::Kind::input; };
  shown_count_ = static_cast<std::size_t>(std::count_if(kernel->results.begin(), kernel->results.end(), is_input));
  block_ = plan_blocks(kernel);
  block_.rows = kRows;
  loops_ = block_loops().front();
  narrow_ = kernel->narrow && std::endian::native == std::endian::little;  // only there the low half is the first
  memory_.resize((std::size_t{block_.registers} + 2) * kStride);
  writer_.lay_out(block_.results, block_.givens, kStride);
  // Lanes that no step reads go to a register behind all others.
  const std::uint32_t size = narrow_ ? sizeof(std::int32_t) : sizeof(std::int64_t);
  block_lanes_.assign(kernel->lanes, (block_.registers + 1) * kStride * size);
  for (const auto& [lane, reg] : block_.inputs) block_lanes_[lane] = reg * kStride * size;
  for (std::uint32_t i = 0; i < kernel->lanes; ++i) record_lanes_.push_back(i * std::uint32_t{sizeof(std::int64_t)});
  shown_rows_.resize(shown_.size() * kRows);
}

void LanePath::use_newer(bool on) {
  reader_.use_newer(on);
  if (cells_) cells_->use_newer(on);
}

// Computes the block and writes verdicts up to the first line that is refused. Returns how many.
template <bool kBare, class T>
std::uint32_t LanePath::finish_rows(std::uint32_t rows, char*& out) {
  T* const memory = reinterpret_cast<T*>(memory_.data());
  BlockRun run = block_run(block_, memory, kStride);
  run.rows = rows;
  const T* const refused = static_cast<T*>(run.refused);
  const bool any = sizeof(T) == 4 ? loops_->run_narrow(run) : loops_->run_wide(run);
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (any && refused[row] != 0) return row;
    out = writer_.write_row<kBare>(memory + row, shown_rows_.data() + row * shown_.size(), out);
    *out++ = '\n';
  }
  return rows;
}

// `read` reads a record as LaneReader::record does.
template <bool kBare, class Read>
std::uint64_t LanePath::score_block(const char*& p, const char* end, char*& out, std::size_t space, Read&& read) {
  lay_out(true);
  char* const memory = reinterpret_cast<char*>(memory_.data());
  const std::size_t lane = narrow_ ? sizeof(std::int32_t) : sizeof(std::int64_t);  // its size
  const char* const last = out + space;
  std::uint64_t total = 0;
  const char* begins[kRows + 1];
  for (bool more = true; more && p < end;) {
    std::uint32_t rows = 0;
    std::size_t left = static_cast<std::size_t>(last - out);
    const char* at = p;
    while (rows < most_rows_ && at < end) {
      begins[rows] = at;
      std::string_view* const shown = shown_rows_.data() + rows * shown_.size();
      const char* const after = read(at, memory + rows * lane, shown);
      more = after != nullptr && (*after == '\n' || after == end);
      if (!more) break;
      const auto size = static_cast<std::size_t>(after - at);
      const std::size_t room = this->room(size + 2) + 1;  // with quotes, and a line feed
      more = size <= limits_.record_bytes && room <= left && room <= limits_.output_bytes;
      if (!more) break;
      left -= room;
      at = after + (after != end);
      ++rows;
    }
    if (rows == 0) break;
    begins[rows] = at;
    const std::uint32_t done =
        narrow_ ? finish_rows<kBare, std::int32_t>(rows, out) : finish_rows<kBare, std::int64_t>(rows, out);
    total += done;
    p = begins[done];
    // Lines behind a refused one are read again: few at a time, where there are many refused ones.
    most_rows_ = done < rows ? std::max(most_rows_ / 2, 1u) : std::min(most_rows_ * 2, kRows);
    more = more && done == rows;
  }
  return total;
}

std::uint64_t LanePath::score_lines(const char*& p, const char* end, char*& out, std::size_t space) {
  const auto read = [this](const char* at, void* lanes, std::string_view* shown) {
    return reader_.record(at, lanes, shown);
  };
  return score_block<false>(p, end, out, space, read);
}

std::uint64_t LanePath::score_rows(const std::shared_ptr<const CsvTable>& table, const char*& p, const char* end,
                                   char*& out, std::size_t space) {
  if (!cells_ || &cells_->table() != table.get())
    cells_ = std::make_unique<LaneCells>(reader_, *model_, table, limits_);
  const auto read = [this, end](const char* at, void* lanes, std::string_view* shown) {
    return cells_->row(at, end, lanes, shown);
  };
  return score_block<true>(p, end, out, space, read);
}

}  // namespace assay
