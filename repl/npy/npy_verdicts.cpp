// A block of rows is scored by columns, then put together row by row from pieces that do not change.
#include "repl/npy/npy_verdicts.hpp"

#include "repl/npy/number_text.hpp"
#include "repl/terminal/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace assay::cli {

namespace {

constexpr std::string_view kEnd = "}\n", kNull = "null";

// A character that stands for itself in a JSON text.
bool plain(std::uint32_t c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

// The same of eight: each byte is looked at for what sets its high bit.
bool plain_eight(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U, kHigh = 0x80 * kOnes;
  const auto zeros = [](std::uint64_t x) { return (x - kOnes) & ~x; };  // a lowest zero byte has its high bit set
  const std::uint64_t control = (word - 0x20 * kOnes) & ~word;
  return ((word | control | zeros(word ^ ('"' * kOnes)) | zeros(word ^ ('\\' * kOnes)) | zeros(word ^ (0x7f * kOnes))) &
          kHigh) == 0;
}

// Copies a text of which that is true, or returns null.
char* put_plain(char* out, std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  std::uint64_t word = 0;
  for (; end - p >= 8; p += 8, out += 8) {
    std::memcpy(&word, p, 8);
    if (!plain_eight(word)) return nullptr;
    std::memcpy(out, &word, 8);
  }
  for (; p < end; ++p) {
    if (!plain(static_cast<unsigned char>(*p))) return nullptr;
    *out++ = *p;
  }
  return out;
}

}  // namespace

NpyVerdicts::Fragment::Fragment(std::string_view of) : text(of), size(of.size()) {
  text.resize(std::max(size, kCopied));
}

char* NpyVerdicts::put(char* out, const Fragment& fragment) {
  if (fragment.size > Fragment::kCopied) return std::copy_n(fragment.text.data(), fragment.size, out);
  std::memcpy(out, fragment.text.data(), Fragment::kCopied);
  return out + fragment.size;
}

NpyVerdicts::NpyVerdicts(const RecordFile& file, const Rubric& rubric, const std::vector<std::string>& fields,
                         const Limits& limits)
    : row_bytes_(file.table().row_bytes),
      block_rows_(npy_block_rows(row_bytes_)),
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
    part.before = Fragment(before + quoted(field.name) + ":");
    before = ",";
    part.decimals = field.decimals;
    std::size_t longest = kMostNumberText;
    if (field.name == "id") {
      if (id_ == nullptr) return false;
      longest = std::max(longest, id_->size + 2);
    } else {
      if (results_.add(field.name, columns_)) return false;
      part.result = &results_.last();
      if (part.result->kind == ResultColumns::Field::Kind::truth)
        part.texts = {Fragment("null"), Fragment("false"), Fragment("true")};
      for (const std::string& text : part.result->texts) part.texts.emplace_back(quoted(text));
      if (!part.result->texts.empty()) part.texts.emplace_back("null");
      for (const Fragment& text : part.texts) longest = std::max(longest, text.size);
    }
    most_ += part.before.size + longest;
    parts_.push_back(std::move(part));
  }
  most_ += kEnd.size() + Fragment::kCopied;  // copies go further than they count
  lines_ = std::make_unique<char[]>(block_rows_ * most_);
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
  char* end = lines_.get();
  for (std::size_t i = 0; i < count; ++i) {
    bool good = whole;
    for (; wrong != wrong_end && wrong->first == i; ++wrong) good = false;
    for (; unread != unread_end && unread->first == i; ++unread) good = false;
    const char* const row = rows.data() + i * row_bytes_;
    if (char* const after = good ? put_row(end, row, i) : nullptr; after != nullptr) {
      end = after;
      continue;
    }
    out.append(lines_.get(), end);
    end = lines_.get();
    append_record(out, row, first + i);
  }
  out.append(lines_.get(), end);
}

// Null: another way has to be found.
char* NpyVerdicts::put_row(char* out, const char* row, std::size_t index) const {
  using Kind = ResultColumns::Field::Kind;
  for (const Part& part : parts_) {
    out = put(out, part.before);
    if (part.result == nullptr) {
      out = put_id(out, row);
    } else if (part.result->kind == Kind::text) {
      out = put(out, part.texts[part.result->text(index)]);
    } else if (part.result->kind == Kind::truth) {
      out = put(out, part.texts[static_cast<std::size_t>(part.result->truth(index) + 1)]);
    } else if (const double value = part.result->number(index); std::isnan(value)) {
      out = std::copy(kNull.begin(), kNull.end(), out);
    } else {
      out = part.decimals >= 0 ? put_rounded(out, value, part.decimals) : put_significant(out, value);
    }
    if (out == nullptr) return nullptr;
  }
  return std::copy(kEnd.begin(), kEnd.end(), out);
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
    out = put_plain(out, text);
    if (out == nullptr) return nullptr;
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
