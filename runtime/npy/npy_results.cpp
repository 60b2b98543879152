// Rows are assembled field by field, so that each field is one loop of copies.
#include <assay/npy_columns.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace assay {

namespace {

constexpr std::string_view kError = "error";  // the status of a rejected row, as in tables

}  // namespace

void NpyResults::place(Field& field, std::string name, std::string type, std::size_t size) {
  field.place.path = std::move(name);
  field.place.type = std::move(type);
  field.place.offset = row_bytes_;
  field.place.size = size;
  row_bytes_ += size;
}

std::optional<InputError> NpyResults::add(const std::string& field, Columns& columns) {
  if (std::optional<InputError> error = columns_.add(field, columns)) return error;
  using Kind = ResultColumns::Field::Kind;
  Field added;
  added.result = &columns_.last();
  switch (added.result->kind) {
    case Kind::number: place(added, field, "<f8", sizeof(double)); break;
    case Kind::truth: place(added, field, "|i1", 1); break;
    case Kind::text: {
      const std::vector<std::string>& texts = added.result->texts;
      const bool status = field == "status";
      std::size_t width = status ? kError.size() : 1;
      for (const std::string& text : texts) width = std::max(width, text.size());
      added.names.assign((texts.size() + 2) * width, '\0');
      for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(added.names.data() + i * width, width);
      if (status) kError.copy(added.names.data() + (texts.size() + 1) * width, width);
      place(added, field, "|S" + std::to_string(width), width);
      break;
    }
  }
  fields_.push_back(std::move(added));
  return std::nullopt;
}

void NpyResults::add_copy(const NpyField& field) {
  Field added;
  added.from = field.offset;
  place(added, field.path, field.type, field.size);
  fields_.push_back(std::move(added));
}

std::string NpyResults::header(std::uint64_t rows) const {
  NpyTable table;
  table.rows = rows;
  for (const Field& field : fields_) table.fields.push_back(field.place);
  return npy_header(table);
}

void NpyResults::append(std::string& out, std::string_view records, std::size_t row_bytes,
                        const std::vector<std::size_t>& rejected) const {
  const std::size_t count = records.size() / row_bytes, begin = out.size();
  out.resize(begin + count * row_bytes_);
  constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
  for (const Field& field : fields_) {
    char* const first = out.data() + begin + field.place.offset;
    const std::size_t width = field.place.size;
    if (field.result == nullptr) {
      for (std::size_t i = 0; i < count; ++i)
        std::memcpy(first + i * row_bytes_, records.data() + i * row_bytes + field.from, width);
      continue;
    }
    const ResultColumns::Field& result = *field.result;
    const auto name = [&](std::size_t number) { return field.names.data() + number * width; };
    switch (result.kind) {
      case ResultColumns::Field::Kind::number:
        for (std::size_t i = 0; i < count; ++i)
          std::memcpy(first + i * row_bytes_, result.values.data() + i * sizeof(double), sizeof(double));
        for (const std::size_t i : rejected) std::memcpy(first + i * row_bytes_, &kNotANumber, sizeof kNotANumber);
        break;
      case ResultColumns::Field::Kind::truth:
        for (std::size_t i = 0; i < count; ++i) first[i * row_bytes_] = result.values[i];
        for (const std::size_t i : rejected) first[i * row_bytes_] = static_cast<char>(-1);
        break;
      case ResultColumns::Field::Kind::text:
        for (std::size_t i = 0; i < count; ++i) std::memcpy(first + i * row_bytes_, name(result.text(i)), width);
        for (const std::size_t i : rejected) std::memcpy(first + i * row_bytes_, name(result.texts.size() + 1), width);
        break;
    }
  }
}

void NpyResults::replace(std::string& out, std::size_t at, const Verdict& verdict) const {
  using Kind = ResultColumns::Field::Kind;
  for (const Field& field : fields_) {
    if (field.result == nullptr) continue;
    char* const to = out.data() + at + field.place.offset;
    const std::string& name = field.place.path;
    switch (field.result->kind) {
      case Kind::number: {
        const double value = verdict.number(name).value_or(std::numeric_limits<double>::quiet_NaN());
        std::memcpy(to, &value, sizeof value);
        break;
      }
      case Kind::truth: {
        const std::optional<bool> truth = verdict.boolean(name);
        *to = static_cast<char>(truth ? static_cast<int>(*truth) : -1);
        break;
      }
      case Kind::text: {
        const std::vector<std::string>& texts = field.result->texts;
        const auto found = std::find(texts.begin(), texts.end(), verdict.text(name));
        const std::size_t number = static_cast<std::size_t>(found - texts.begin());  // past the last: missing
        std::memcpy(to, field.names.data() + number * field.place.size, field.place.size);
        break;
      }
    }
  }
}

std::vector<std::string> NpyResults::names() const {
  std::vector<std::string> names;
  for (const Field& field : fields_) {
    if (field.result != nullptr) names.push_back(field.place.path);
  }
  return names;
}

}  // namespace assay
