// See first_records.hpp.
#include "repl/files/first_records.hpp"

namespace assay::cli {

namespace {

constexpr std::size_t kMostRecords = 100;

// The complete items among the first bytes of an array, as an array.
std::string whole_items(std::string_view text) {
  std::size_t end = 0, depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      i += c == '\\';
      quoted = c != '"';
      continue;
    }
    quoted = c == '"';
    depth += c == '{' || c == '[';
    depth -= depth > 0 && (c == '}' || c == ']');
    if (c == ',' && depth == 1) end = i;
  }
  return std::string(text.substr(0, end)) + ']';
}

std::string whole_records(const Beginning& beginning) {
  const std::string& text = beginning.text;
  if (beginning.whole) return text;
  return beginning.format == Format::json ? whole_items(text) : text.substr(0, text.rfind('\n') + 1);
}

}  // namespace

FirstRecords::FirstRecords(const Beginning& beginning, const Rubric& rubric)
    : text_(whole_records(beginning)),
      left_(text_),
      reader_(
          beginning.format,
          [this](char* buffer, std::size_t size) {
            const std::size_t count = left_.copy(buffer, size);
            left_.remove_prefix(count);
            return static_cast<long>(count);
          },
          rubric) {}

RecordReader::Status FirstRecords::next(Record& record) {
  if (count_++ == kMostRecords) return RecordReader::Status::end;
  InputError problem;
  return reader_.next(record, problem);
}

}  // namespace assay::cli
