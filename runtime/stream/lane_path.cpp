// Lines through a kernel, one by one.
#include "runtime/stream/lane_path.hpp"

#include "runtime/engine/evaluator.hpp"

namespace assay {

LanePath::LanePath(const Model& model, int rubric, const std::vector<VerdictField>& fields,
                   std::shared_ptr<SharedKernel> kernel, const EvaluatorOptions& options)
    : model_(&model),
      limits_(options.limits),
      runner_(kernel, options.native_after),
      reader_(model, rubric, kernel->kernel(), limits_, options.strict),
      writer_(model, rubric, fields, kernel->kernel(), asks_for(options, "rubric"), asks_for(options, "version"),
              asks_for(options, "scoring_hash")),
      shown_(model.rubrics[static_cast<std::size_t>(rubric)].slots.size()) {
  const std::vector<LaneResult>& results = runner_.kernel().results;
  const auto is_input = [](const LaneResult& result) { return result.kind == LaneResult::Kind::input; };
  shown_count_ = static_cast<std::size_t>(std::count_if(results.begin(), results.end(), is_input));
}

bool LanePath::score_line(std::string_view line, char*& out) {
  const bool native = runner_.native();
  if (room(line.size()) > limits_.output_bytes || !reader_.read(line, runner_.lanes(), shown_.data()) || !runner_.run())
    return false;
  out = writer_.write<false>(runner_.lanes(), shown_.data(), out);
  ++taken_;
  native_ += native;
  return true;
}

// `read` reads a record as LaneReader::record does.
template <bool kBare, class Read>
std::uint64_t LanePath::score(const char*& p, const char* end, char*& out, std::size_t space, Read&& read) {
  const char* const last = out + space;
  std::int64_t* const lanes = runner_.lanes();
  std::uint64_t count = 0;
  while (p < end) {
    const char* const after = read(p, lanes);
    if (after == nullptr || (*after != '\n' && after != end)) break;
    const auto size = static_cast<std::size_t>(after - p);
    const std::size_t room = this->room(size + 2) + 1;  // with quotes, and a line feed
    const bool native = runner_.native();
    if (size > limits_.record_bytes || room > static_cast<std::size_t>(last - out) || room > limits_.output_bytes ||
        !runner_.run())
      break;
    out = writer_.write<kBare>(lanes, shown_.data(), out);
    *out++ = '\n';
    p = after + (after != end);
    ++count;
    native_ += native;
  }
  taken_ += count;
  return count;
}

std::uint64_t LanePath::score_lines(const char*& p, const char* end, char*& out, std::size_t space) {
  const auto read = [this](const char* at, std::int64_t* lanes) { return reader_.record(at, lanes, shown_.data()); };
  return score<false>(p, end, out, space, read);
}

std::uint64_t LanePath::score_rows(const std::shared_ptr<const CsvTable>& table, const char*& p, const char* end,
                                   char*& out, std::size_t space) {
  if (!cells_ || &cells_->table() != table.get())
    cells_ = std::make_unique<LaneCells>(reader_, *model_, table, limits_);
  const auto read = [this, end](const char* at, std::int64_t* lanes) {
    return cells_->row(at, end, lanes, shown_.data());
  };
  return score<true>(p, end, out, space, read);
}

Statistics LanePath::take_statistics() {
  Statistics taken;
  taken.records = taken.kernel = std::exchange(taken_, 0);
  taken.native = std::exchange(native_, 0);
  taken.steps = taken.records * runner_.kernel().code.size();
  return taken;
}

}  // namespace assay
