// A block of rows is scored by columns, then put together row by row from pieces that do not change.
#include "repl/npy_verdicts.hpp"

#include "repl/json_text.hpp"
#include "repl/number_text.hpp"

#include <algorithm>
#include <cmath>

namespace assay::cli {

namespace {

// Of rows that are scored at once: their columns stay in the cache.
constexpr std::size_t kBlockBytes = std::size_t{1} << 17;
constexpr std::size_t kBlockRows = 2048;

char* put(char* out, std::string_view text) { return std::copy(text.begin(), text.end(), out); }

// A character that stands for itself in a JSON text.
bool plain(std::uint32_t c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

}  // namespace

NpyVerdicts::NpyVerdicts(const RecordFile& file, const Rubric& rubric, const std::vector<std::string>& fields,
                         const Limits& limits)
    : row_bytes_(file.table().row_bytes),
      block_rows_(std::clamp<std::size_t>(kBlockBytes / row_bytes_, 1, kBlockRows)),
      inputs_(file.inputs(), row_bytes_, block_rows_),
      line_(file.inputs()),
      results_(block_rows_),
      records_(rubric, {fields, limits}),
      columns_(rubric, {{}, limits}) {
  for (const NpyInput& input : file.inputs()) {
    if (input.field.path == "id" && input.kind == NpyInput::Kind::text) id_ = &input.field;
  }
}

std::unique_ptr<NpyVerdicts> NpyVerdicts::make(const RecordFile& file, const Rubric& rubric,
                                               const std::vector<std::string>& fields, const Limits& limits,
                                               const Settings& settings) {
  std::unique_ptr<NpyVerdicts> made(new NpyVerdicts(file, rubric, fields, limits));
  return made->prepare(rubric, fields, limits, settings) ? std::move(made) : nullptr;
}

bool NpyVerdicts::prepare(const Rubric& rubric, const std::vector<std::string>& fields, const Limits& limits,
                          const Settings& settings) {
  if (line_.most_bytes() > limits.record_bytes) return false;
  if (columns_.configure(settings) || records_.configure(settings) || inputs_.bind(columns_)) return false;
  std::string before = "{";
  for (const FieldInfo& field : rubric.fields()) {  // as verdicts have them
    if (std::find(fields.begin(), fields.end(), field.name) == fields.end()) continue;
    Part part;
    part.before = before + quoted(field.name) + ":";
    before = ",";
    part.decimals = field.decimals;
    std::size_t longest = kMostNumberText;
    if (field.name == "id") {
      if (id_ == nullptr) return false;
      longest = std::max(longest, id_->size + 2);
    } else {
      if (results_.add(field.name, columns_)) return false;
      part.result = &results_.last();
      for (const std::string& text : part.result->texts) part.texts.push_back(quoted(text));
      part.texts.emplace_back("null");
      for (const std::string& text : part.texts) longest = std::max(longest, text.size());
    }
    most_ += part.before.size() + longest;
    parts_.push_back(std::move(part));
  }
  most_ += 2;  // a brace and a newline
  // A first look at what is bound: something required may not be.
  return !parts_.empty() && most_ <= limits.output_bytes && !columns_.score(0, 0);
}

void NpyVerdicts::append(std::string& out, std::string_view rows) {
  faults_.clear();
  const std::size_t block = block_rows_ * row_bytes_;
  for (std::size_t first = 0; !rows.empty(); first += block_rows_) {
    append_block(out, rows.substr(0, block), first);
    rows.remove_prefix(std::min(block, rows.size()));
  }
}

void NpyVerdicts::append_block(std::string& out, std::string_view rows, std::size_t first) {
  const std::size_t count = rows.size() / row_bytes_;
  inputs_.load(rows);
  const bool whole = !columns_.score(0, count);
  auto wrong = columns_.errors().begin();
  const auto wrong_end = columns_.errors().end();
  auto unread = inputs_.faults().begin();
  const auto unread_end = inputs_.faults().end();
  std::size_t used = out.size();
  for (std::size_t i = 0; i < count; ++i) {
    bool good = whole;
    for (; wrong != wrong_end && wrong->first == i; ++wrong) good = false;
    for (; unread != unread_end && unread->first == i; ++unread) good = false;
    const char* const row = rows.data() + i * row_bytes_;
    if (out.size() < used + most_) out.resize(used + (count - i) * most_);
    char* const begin = out.data() + used;
    if (char* const end = good ? put_row(begin, row, i) : nullptr; end != nullptr) {
      used += static_cast<std::size_t>(end - begin);
      continue;
    }
    out.resize(used);
    append_record(out, row, first + i);
    used = out.size();
  }
  out.resize(used);
}

// Null: another way has to be found.
char* NpyVerdicts::put_row(char* out, const char* row, std::size_t index) const {
  using Kind = ResultColumns::Field::Kind;
  for (const Part& part : parts_) {
    out = put(out, part.before);
    if (part.result == nullptr) {
      out = put_id(out, row);
      if (out == nullptr) return nullptr;
      continue;
    }
    const ResultColumns::Field& result = *part.result;
    switch (result.kind) {
      case Kind::number: {
        const double value = result.number(index);
        if (std::isnan(value)) out = put(out, "null");
        else out = part.decimals >= 0 ? put_rounded(out, value, part.decimals) : put_significant(out, value);
        if (out == nullptr) return nullptr;
        break;
      }
      case Kind::truth: {
        const signed char truth = result.truth(index);
        out = put(out, truth < 0 ? "null" : truth > 0 ? "true" : "false");
        break;
      }
      case Kind::text: out = put(out, part.texts[result.text(index)]); break;
    }
  }
  return put(out, "}\n");
}

// Of ASCII without escapes, as nearly all are. An empty one is whatever the rubric says that a missing one is.
char* NpyVerdicts::put_id(char* out, const char* row) const {
  const char* const item = row + id_->offset;
  *out++ = '"';
  if (id_->kind == NpyType::unicode) {
    const std::size_t size = npy_unicode_size(item, id_->size);
    if (size == 0) return nullptr;
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t c = npy_character(item, i);
      if (!plain(c)) return nullptr;
      *out++ = static_cast<char>(c);
    }
  } else {
    const std::string_view text = npy_bytes(item, id_->size);
    if (text.empty()) return nullptr;
    for (const char c : text) {
      if (!plain(static_cast<unsigned char>(c))) return nullptr;
      *out++ = c;
    }
  }
  *out++ = '"';
  return out;
}

void NpyVerdicts::append_record(std::string& out, const char* row, std::size_t index) {
  record_.clear();
  line_.append(record_, row);
  const Verdict& verdict = records_.score(std::string_view(record_).substr(0, record_.size() - 1));
  out += verdict.json();
  out += '\n';
  if (verdict.error() == nullptr) return;
  ++rejected_;
  faults_.emplace_back(index, *verdict.error());
}

Statistics NpyVerdicts::statistics() const {
  Statistics statistics = columns_.statistics();
  statistics.rejected = rejected_;
  return statistics;
}

}  // namespace assay::cli
