// Rows of .npy files as columns (assay/columns.hpp), and fields of verdicts as rows of such files:
//
//   NpyColumns inputs(*npy_inputs(table, rubric, false, problem), table.row_bytes, npy_block_rows(table.row_bytes));
//   Columns columns(rubric);
//   NpyResults results(npy_block_rows(table.row_bytes));
//   inputs.bind(columns); results.add("score", columns);
//   inputs.load(rows); columns.score(0, count); results.append(out, rows, table.row_bytes, rejected);
//
// Objects belong to one thread.
#pragma once

#include <assay/columns.hpp>
#include <assay/npy.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

// The number of rows of this size to score at once, so that their columns stay in the cache.
inline std::size_t npy_block_rows(std::size_t row_bytes) {
  return std::clamp<std::size_t>((std::size_t{1} << 17) / row_bytes, 1, 2048);
}

// The fields of a block of rows, each copied to its own contiguous and aligned memory, as vector instructions need it
// (members of packed records are not aligned).
class NpyColumns {
 public:
  // Columns for blocks of at most `most` rows, each of `row_bytes`.
  NpyColumns(const std::vector<NpyInput>& inputs, std::size_t row_bytes, std::size_t most);
  NpyColumns(const NpyColumns&) = delete;
  NpyColumns& operator=(const NpyColumns&) = delete;

  // Binds all of them. This object must outlive `columns`. Returns an error, or nothing.
  std::optional<InputError> bind(Columns& columns);

  // Copies the fields of `rows`. Texts stay in `rows`, which must remain valid until the rows have been scored.
  void load(std::string_view rows);
  // Rows of the last load() with a value that no column can hold; one entry each, by row.
  const std::vector<std::pair<std::size_t, InputError>>& errors() const { return errors_; }

 private:
  struct Field {
    NpyInput input;
    std::vector<char> values;  // of numbers and truths
    std::vector<std::string_view> texts;
    std::vector<std::int32_t> counts;  // of the texts of a list
    std::string converted;             // texts that were not UTF-8 in the file
  };

  void load_values(Field& field, const char* rows, std::size_t count);
  void load_texts(Field& field, const char* rows, std::size_t count);
  void reject(std::size_t row, const Field& field, const char* code, const std::string& message);

  std::size_t row_bytes_;
  std::deque<Field> fields_;
  std::vector<std::pair<std::size_t, InputError>> errors_;
};

// Fields of verdicts as columns that the library writes, for a block of rows; the caller decides what to make of them.
// Numbers are doubles; texts of a known set and truths are small integers.
class ResultColumns {
 public:
  struct Field {
    std::string name;
    enum class Kind : std::uint8_t { number, text, truth } kind = Kind::number;
    std::vector<std::string> texts;  // all values that a text can have
    std::size_t code_bytes = 0;      // bytes of the code of a text
    std::vector<char> values;

    double number(std::size_t row) const {  // NaN: missing
      double value = 0;
      std::memcpy(&value, values.data() + row * sizeof value, sizeof value);
      return value;
    }
    signed char truth(std::size_t row) const { return static_cast<signed char>(values[row]); }  // -1: missing
    // The position of a text in `texts`; texts.size(): missing.
    std::size_t text(std::size_t row) const {
      std::uint32_t code = 0;
      std::uint16_t half = 0;
      switch (code_bytes) {
        case 1: code = static_cast<unsigned char>(values[row]); break;
        case 2:
          std::memcpy(&half, values.data() + row * sizeof half, sizeof half);
          code = half;
          break;
        default: std::memcpy(&code, values.data() + row * sizeof code, sizeof code); break;
      }
      return std::min<std::size_t>(code, texts.size());
    }
  };

  // For blocks of at most `most` rows.
  explicit ResultColumns(std::size_t most) : most_(most) {}
  ResultColumns(const ResultColumns&) = delete;
  ResultColumns& operator=(const ResultColumns&) = delete;

  // Adds a field of the verdict, which `columns` write from now on. This object must outlive `columns`. Returns an
  // error, or nothing; after success last() is the new field.
  std::optional<InputError> add(const std::string& field, Columns& columns);
  const Field& last() const { return fields_.back(); }  // stays where it is

 private:
  std::size_t most_;
  std::deque<Field> fields_;
};

// Fields of verdicts as rows of a .npy file. Numbers are doubles ('<f8', NaN if missing), texts of a known set their
// names ('S' with the width of the longest), truths '|i1' (1, 0, -1 if missing); ids are copied from the file of the
// records.
class NpyResults {
 public:
  // For blocks of at most `most` rows.
  explicit NpyResults(std::size_t most) : columns_(most) {}
  NpyResults(const NpyResults&) = delete;
  NpyResults& operator=(const NpyResults&) = delete;

  // Adds a field of the verdict, which `columns` write from now on. This object must outlive `columns`. Returns an
  // error, or nothing.
  std::optional<InputError> add(const std::string& field, Columns& columns);
  // Adds a field of the records, copied unchanged.
  void add_copy(const NpyField& field);

  // The header of a file of so many rows.
  std::string header(std::uint64_t rows) const;
  // Appends the verdicts of `records`, whose rows have `row_bytes` bytes each. Rows in `rejected` (ascending) get the
  // status "error" and no other values.
  void append(std::string& out, std::string_view records, std::size_t row_bytes,
              const std::vector<std::size_t>& rejected) const;
  // Overwrites the row at `at`, which append() wrote, with a verdict.
  void replace(std::string& out, std::size_t at, const Verdict& verdict) const;
  std::vector<std::string> names() const;  // of the fields of the verdict
  std::size_t row_bytes() const { return row_bytes_; }

 private:
  struct Field {
    NpyField place;                                // in the written rows
    const ResultColumns::Field* result = nullptr;  // null: copied from the record
    std::size_t from = 0;                          // for a copy: the offset in a record
    std::string names;                             // for a text: each value as written; at the end, missing and error
  };

  void place(Field& field, std::string name, std::string type, std::size_t size);

  ResultColumns columns_;
  std::size_t row_bytes_ = 0;
  std::vector<Field> fields_;
};

}  // namespace assay
