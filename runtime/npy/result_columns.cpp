// A field can be written if a column type exists for it: a text of a known set, a number, a truth.
#include <assay/npy_columns.hpp>

#include <utility>

namespace assay {

std::optional<InputError> ResultColumns::add(const std::string& field, Columns& columns) {
  Field added;
  added.name = field;
  added.texts = columns.texts(field);
  const auto write = [&](Field::Kind kind, ColumnType type, std::size_t bytes) {
    added.kind = kind;
    added.values.assign(most_ * bytes, '\0');
    ResultColumn column;
    column.data = added.values.data();
    column.type = type;
    return columns.write(field, column);
  };
  std::optional<InputError> error;
  if (!added.texts.empty()) {
    // The largest number of a column represents no text.
    const auto [type, bytes] = added.texts.size() < 0xff     ? std::pair(ColumnType::u8, 1)
                               : added.texts.size() < 0xffff ? std::pair(ColumnType::u16, 2)
                                                             : std::pair(ColumnType::u32, 4);
    added.code_bytes = static_cast<std::size_t>(bytes);
    error = write(Field::Kind::text, type, added.code_bytes);
  } else {
    error = write(Field::Kind::number, ColumnType::f64, sizeof(double));
    if (error && !write(Field::Kind::truth, ColumnType::i8, 1)) error.reset();
  }
  if (!error) fields_.push_back(std::move(added));  // vectors keep their memory when moved
  return error;
}

}  // namespace assay
