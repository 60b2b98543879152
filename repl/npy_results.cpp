// Rows are put together field by field, so that each field is one loop of copies.
#include "repl/npy_results.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace assay::cli {

namespace {

constexpr std::string_view kError = "error";  // the status of a row that is refused, as in tables

std::size_t number_at(const char* values, std::size_t index, std::size_t bytes) {
  std::uint32_t number = 0;
  switch (bytes) {
    case 1: return static_cast<unsigned char>(values[index]);
    case 2: {
      std::uint16_t half = 0;
      std::memcpy(&half, values + index * sizeof half, sizeof half);
      return half;
    }
    default: std::memcpy(&number, values + index * sizeof number, sizeof number); return number;
  }
}

}  // namespace

void NpyResults::place(Field& field, std::string name, std::string type, std::size_t size) {
  field.place.path = std::move(name);
  field.place.type = std::move(type);
  field.place.offset = row_bytes_;
  field.place.size = size;
  row_bytes_ += size;
}

std::optional<InputError> NpyResults::add(const std::string& field, Columns& columns) {
  Field added;
  ResultColumn column;
  const std::vector<std::string> texts = columns.texts(field);
  const auto write = [&](Field::Kind kind, ColumnType type, std::size_t bytes) {
    added.kind = kind;
    added.values.assign(most_ * bytes, '\0');
    column.data = added.values.data();
    column.type = type;
    return columns.write(field, column);
  };
  std::optional<InputError> error;
  if (!texts.empty()) {
    added.code_bytes = texts.size() < 0xff ? 1 : texts.size() < 0xffff ? 2 : 4;
    error = write(Field::Kind::text,
                  added.code_bytes == 1   ? ColumnType::u8
                  : added.code_bytes == 2 ? ColumnType::u16
                                          : ColumnType::u32,
                  added.code_bytes);
  } else {
    error = write(Field::Kind::number, ColumnType::f64, sizeof(double));
    if (error && !write(Field::Kind::truth, ColumnType::i8, 1)) error.reset();
  }
  if (error) return error;
  switch (added.kind) {
    case Field::Kind::number: place(added, field, "<f8", sizeof(double)); break;
    case Field::Kind::truth: place(added, field, "|i1", 1); break;
    case Field::Kind::text: {
      const bool status = field == "status";
      std::size_t width = status ? kError.size() : 1;
      for (const std::string& text : texts) width = std::max(width, text.size());
      added.count = texts.size();
      added.names.assign((texts.size() + 2) * width, '\0');
      for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(added.names.data() + i * width, width);
      if (status) kError.copy(added.names.data() + (texts.size() + 1) * width, width);
      place(added, field, "|S" + std::to_string(width), width);
      break;
    }
    case Field::Kind::copy: break;
  }
  fields_.push_back(std::move(added));  // vectors keep their memory when they are moved
  return std::nullopt;
}

void NpyResults::add_copy(const NpyField& field) {
  Field added;
  added.kind = Field::Kind::copy;
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
                        const std::vector<std::size_t>& faulty) const {
  const std::size_t count = records.size() / row_bytes, begin = out.size();
  out.resize(begin + count * row_bytes_);
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  for (const Field& field : fields_) {
    char* const first = out.data() + begin + field.place.offset;
    const std::size_t width = field.place.size;
    const auto name = [&](std::size_t number) { return field.names.data() + number * width; };
    switch (field.kind) {
      case Field::Kind::number:
        for (std::size_t i = 0; i < count; ++i)
          std::memcpy(first + i * row_bytes_, field.values.data() + i * sizeof(double), sizeof(double));
        for (const std::size_t i : faulty) std::memcpy(first + i * row_bytes_, &kMissing, sizeof kMissing);
        break;
      case Field::Kind::truth:
        for (std::size_t i = 0; i < count; ++i) first[i * row_bytes_] = field.values[i];
        for (const std::size_t i : faulty) first[i * row_bytes_] = static_cast<char>(-1);
        break;
      case Field::Kind::text:
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t number = std::min(number_at(field.values.data(), i, field.code_bytes), field.count);
          std::memcpy(first + i * row_bytes_, name(number), width);
        }
        for (const std::size_t i : faulty) std::memcpy(first + i * row_bytes_, name(field.count + 1), width);
        break;
      case Field::Kind::copy:
        for (std::size_t i = 0; i < count; ++i)
          std::memcpy(first + i * row_bytes_, records.data() + i * row_bytes + field.from, width);
        break;
    }
  }
}

}  // namespace assay::cli
