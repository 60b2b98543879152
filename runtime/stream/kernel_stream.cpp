// Scores lines with a kernel, one by one.
#include "runtime/stream/kernel_stream.hpp"

#include "runtime/engine/evaluator.hpp"

namespace assay {

namespace {

// Whether a line ends at `after`, which is null if the record could not be read; `next`: the beginning of the next
// line.
inline bool line_ends(const char* after, const char* end, const char*& next) {
  if (after == nullptr || (*after != '\n' && after != end)) return false;
  next = after + (after != end);
  return true;
}

}  // namespace

KernelStream::KernelStream(const Model& model, int rubric, const std::vector<VerdictField>& fields,
                           const std::shared_ptr<SharedKernel>& kernel, const EvaluatorOptions& options)
    : model_(&model),
      limits_(options.limits),
      runner_(kernel, options.jit_threshold),
      reader_(model, rubric, kernel->kernel(), limits_, options.strict),
      writer_(model, rubric, fields, kernel->kernel(), asks_for(options, "rubric"), asks_for(options, "version"),
              asks_for(options, "scoring_hash")),
      shown_(model.rubrics[static_cast<std::size_t>(rubric)].slots.size()) {
  const std::vector<KernelResult>& results = runner_.kernel().results;
  const auto is_input = [](const KernelResult& result) { return result.kind == KernelResult::Kind::input; };
  shown_count_ = static_cast<std::size_t>(std::count_if(results.begin(), results.end(), is_input));
}

bool KernelStream::score_line(std::string_view line, char*& out) {
  const bool jit = runner_.jitted();
  if (room(line.size()) > limits_.output_bytes || !reader_.read(line, runner_.registers(), shown_.data()) ||
      !runner_.run())
    return false;
  out = writer_.write<false>(runner_.registers(), shown_.data(), out);
  ++taken_;
  jit_ += jit;
  return true;
}

// `read` reads the record at p and sets its end and the beginning of the next; false: the kernel declines it.
template <bool kBare, class Read>
std::uint64_t KernelStream::score(const char*& p, const char* end, char*& out, std::size_t space, Read&& read) {
  const char* const last = out + space;
  std::int64_t* const registers = runner_.registers();
  std::uint64_t count = 0;
  while (p < end) {
    const char *after = nullptr, *next = nullptr;
    if (!read(p, registers, after, next)) break;
    const auto size = static_cast<std::size_t>(after - p);
    const std::size_t room = this->room(size + 2) + 1;  // including quotes, and a line feed
    const bool jit = runner_.jitted();
    if (size > limits_.record_bytes || room > static_cast<std::size_t>(last - out) || room > limits_.output_bytes ||
        !runner_.run())
      break;
    out = writer_.write<kBare>(registers, shown_.data(), out);
    *out++ = '\n';
    p = next;
    ++count;
    jit_ += jit;
  }
  taken_ += count;
  return count;
}

std::uint64_t KernelStream::score_lines(const char*& p, const char* end, char*& out, std::size_t space) {
  const auto read = [this, end](const char* at, std::int64_t* registers, const char*& after, const char*& next) {
    after = reader_.record(at, registers, shown_.data());
    return line_ends(after, end, next);
  };
  return score<false>(p, end, out, space, read);
}

std::uint64_t KernelStream::score_rows(const std::shared_ptr<const CsvTable>& table, const char*& p, const char* end,
                                       char*& out, std::size_t space) {
  if (!cells_ || &cells_->table() != table.get())
    cells_ = std::make_unique<RegisterCells>(reader_, *model_, table, limits_);
  const auto read = [this, end](const char* at, std::int64_t* registers, const char*& after, const char*& next) {
    after = cells_->row(at, end, registers, shown_.data());
    return line_ends(after, end, next);
  };
  return score<true>(p, end, out, space, read);
}

std::uint64_t KernelStream::score_rows(const std::shared_ptr<const NpyFile>& file, const char*& p, const char* end,
                                       char*& out, std::size_t space) {
  if (npy_ != file) {
    npy_rows_ = std::make_unique<NpyRegisters>(reader_, file->inputs, limits_);
    npy_ = file;
  }
  const auto read = [this, size = file->table.row_bytes](const char* at, std::int64_t* registers, const char*& after,
                                                         const char*& next) {
    after = next = at + size;
    return npy_rows_->row(at, registers, shown_.data());
  };
  return score<true>(p, end, out, space, read);
}

Statistics KernelStream::take_statistics() {
  Statistics taken;
  taken.records = taken.kernel = std::exchange(taken_, 0);
  taken.jit_rows = std::exchange(jit_, 0);
  taken.steps = taken.records * runner_.kernel().code.size();
  return taken;
}

}  // namespace assay
