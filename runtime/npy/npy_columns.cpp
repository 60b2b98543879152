// Splits rows into fields: each field is a loop of copies of constant size.
#include <assay/npy_columns.hpp>

#include "runtime/npy/npy_values.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <cstring>

namespace assay {

namespace {

// The column type for a field: unsigned 64-bit numbers are read as signed.
ColumnType column_type(NpyType type) {
  switch (type) {
    case NpyType::f64: return ColumnType::f64;
    case NpyType::f32: return ColumnType::f32;
    case NpyType::i8: return ColumnType::i8;
    case NpyType::i16: return ColumnType::i16;
    case NpyType::i32: return ColumnType::i32;
    case NpyType::i64:
    case NpyType::u64: return ColumnType::i64;
    case NpyType::u8:
    case NpyType::truth: return ColumnType::u8;
    case NpyType::u16: return ColumnType::u16;
    case NpyType::u32: return ColumnType::u32;
    case NpyType::bytes:
    case NpyType::unicode:
    case NpyType::other: break;
  }
  return ColumnType::text;
}

template <std::size_t size>
void gather(const char* from, std::size_t stride, char* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * size, from + i * stride, size);
}

}  // namespace

NpyColumns::NpyColumns(const std::vector<NpyInput>& inputs, std::size_t row_bytes, std::size_t most)
    : row_bytes_(row_bytes) {
  for (const NpyInput& input : inputs) {
    Field& field = fields_.emplace_back();
    field.input = input;
    const bool text = column_type(input.field.kind) == ColumnType::text;
    if (!text) field.values.resize(most * input.field.size);
    else field.texts.resize(std::max<std::size_t>(most * input.field.items, 1));
    if (text && input.field.list) field.counts.resize(most);
    // The largest possible size, so that it never moves: a character has at most four bytes in UTF-8.
    if (input.field.kind == NpyType::unicode) field.converted.reserve(most * input.field.items * input.field.size);
  }
}

std::optional<InputError> NpyColumns::bind(Columns& columns) {
  for (Field& field : fields_) {
    const NpyField& of = field.input.field;
    Column column;
    column.type = column_type(of.kind);
    column.data = column.type == ColumnType::text ? static_cast<const void*>(field.texts.data()) : field.values.data();
    std::optional<InputError> error;
    if (!of.list) {
      error = columns.bind(of.path, column);
    } else {
      ListColumn list;
      list.count.data = field.counts.data();
      list.count.type = ColumnType::i32;
      list.items = column;
      list.items.stride = static_cast<std::ptrdiff_t>(std::max<std::size_t>(of.items, 1) * sizeof(std::string_view));
      error = columns.bind_list(of.path, list);
    }
    if (error) return error;
  }
  return std::nullopt;
}

void NpyColumns::reject(std::size_t row, const Field& field, const char* code, const std::string& message) {
  const std::string& path = field.input.field.path;
  errors_.emplace_back(row, InputError{path, code, path + " " + message});
}

void NpyColumns::load(std::string_view rows) {
  const std::size_t count = rows.size() / row_bytes_;
  errors_.clear();
  for (Field& field : fields_) {
    const char* const first = rows.data() + field.input.field.offset;
    if (field.texts.empty()) load_values(field, first, count);
    else load_texts(field, first, count);
  }
  // By row; if a row has several errors, that of the first field counts.
  const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  std::stable_sort(errors_.begin(), errors_.end(), before);
  errors_.erase(std::unique(errors_.begin(), errors_.end(), same), errors_.end());
}

void NpyColumns::load_values(Field& field, const char* rows, std::size_t count) {
  char* const values = field.values.data();
  switch (field.input.field.size) {
    case 1: gather<1>(rows, row_bytes_, values, count); break;
    case 2: gather<2>(rows, row_bytes_, values, count); break;
    case 4: gather<4>(rows, row_bytes_, values, count); break;
    default: gather<8>(rows, row_bytes_, values, count); break;
  }
  if (field.input.field.kind == NpyType::truth) {
    for (std::size_t i = 0; i < count; ++i) values[i] = values[i] != 0 ? 1 : 0;
  }
  for (std::size_t i = 0; i < count && field.input.field.kind == NpyType::u64; ++i) {
    std::uint64_t value = 0;
    std::memcpy(&value, values + i * sizeof value, sizeof value);
    if (value <= INT64_MAX) continue;
    reject(i, field, "range", "is " + std::to_string(value) + ", more than a column holds");
    std::memset(values + i * sizeof value, 0, sizeof value);
  }
}

void NpyColumns::load_texts(Field& field, const char* rows, std::size_t count) {
  const NpyField& of = field.input.field;
  const std::size_t size = of.size;
  const bool convert = of.kind == NpyType::unicode, list = of.list;
  std::string_view* text = field.texts.data();
  field.converted.clear();
  for (std::size_t row = 0; row < count; ++row, rows += row_bytes_, text += of.items) {
    std::string_view* next = text;
    // Most lists are shorter than their room.
    const char* const end = list ? rows + npy_bytes(rows, of.items * size).size() : rows + size;
    for (const char* item = rows; item < end; item += size) {
      std::string_view found;
      if (convert) {
        const std::size_t begin = field.converted.size();
        append_npy_unicode(field.converted, item, size);
        found = std::string_view(field.converted).substr(begin);
      } else {
        found = npy_bytes(item, size);
      }
      if (found.empty()) {  // missing, or padding of a list
        if (!list) *next++ = {};
        continue;
      }
      if (!is_utf8(found)) {
        reject(row, field, "syntax", "is not valid UTF-8");
        found = {};
        if (list) continue;
      }
      *next++ = found;
    }
    if (list) field.counts[row] = static_cast<std::int32_t>(next - text);
  }
}

}  // namespace assay
