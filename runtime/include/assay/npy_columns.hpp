// Rows of .npy files as columns (assay/columns.hpp), and fields of verdicts as rows of such files:
//
//   NpyColumns inputs(*npy_inputs(table, rubric, false, problem), table.row_bytes, npy_block_rows(table.row_bytes));
//   Columns columns(rubric);
//   NpyResults results(npy_block_rows(table.row_bytes));
//   inputs.bind(columns); results.add("score", columns);
//   inputs.load(rows); columns.score(0, count); results.append(out, rows, table.row_bytes, faulty);
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

// How many rows of so many bytes are scored at once: their columns stay in the cache.
inline std::size_t npy_block_rows(std::size_t row_bytes) {
  return std::clamp<std::size_t>((std::size_t{1} << 17) / row_bytes, 1, 2048);
}

// The fields of a block of rows, each copied to memory of its own, values side by side, as vector instructions want them
// (and aligned, which members of packed records are not).
class NpyColumns {
 public:
  // Columns for blocks of at most `most` rows, each of `row_bytes`.
  NpyColumns(const std::vector<NpyInput>& inputs, std::size_t row_bytes, std::size_t most);
  NpyColumns(const NpyColumns&) = delete;
  NpyColumns& operator=(const NpyColumns&) = delete;

  // Binds all of them, to columns that are gone before this is. Returns what is wrong, or nothing.
  std::optional<InputError> bind(Columns& columns);

  // Takes rows apart. What texts refer to is in `rows`, which stays until they have been scored.
  void load(std::string_view rows);
  // Rows of the last load() with a value that no column holds; by row, one each.
  const std::vector<std::pair<std::size_t, InputError>>& faults() const { return faults_; }

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
  void refuse(std::size_t row, const Field& field, const char* code, const std::string& message);

  std::size_t row_bytes_;
  std::deque<Field> fields_;
  std::vector<std::pair<std::size_t, InputError>> faults_;
};

// Fields of verdicts as columns that the library writes, for a block of rows: what is made of them is somebody else's
// business. Numbers are doubles, texts of a known set and truths are small integers.
class ResultColumns {
 public:
  struct Field {
    std::string name;
    enum class Kind : std::uint8_t { number, text, truth } kind = Kind::number;
    std::vector<std::string> texts;  // of a text: all that it can be
    std::size_t code_bytes = 0;      // of a text: bytes of a value
    std::vector<char> values;

    double number(std::size_t row) const {  // NaN: there is none
      double value = 0;
      std::memcpy(&value, values.data() + row * sizeof value, sizeof value);
      return value;
    }
    signed char truth(std::size_t row) const { return static_cast<signed char>(values[row]); }  // -1: there is none
    // The position of a text in `texts`; one behind the last: there is none.
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

  // Adds a field of the verdict, which `columns` write from now on; they are gone before this is. Returns what is
  // wrong, or nothing, and then the field is the last one.
  std::optional<InputError> add(const std::string& field, Columns& columns);
  const Field& last() const { return fields_.back(); }  // stays where it is

 private:
  std::size_t most_;
  std::deque<Field> fields_;
};

// Fields of verdicts as rows of a .npy file: their columns put together row by row. Numbers are doubles ('<f8', NaN where
// there is none), texts of a known set are their names ('S' with the width of the longest), truths '|i1' (1, 0, -1 where
// there is none), ids stay as they are in the file of the records.
class NpyResults {
 public:
  // For blocks of at most `most` rows.
  explicit NpyResults(std::size_t most) : columns_(most) {}
  NpyResults(const NpyResults&) = delete;
  NpyResults& operator=(const NpyResults&) = delete;

  // Adds a field of the verdict, which `columns` write from now on; they are gone before this is. Returns what is
  // wrong, or nothing.
  std::optional<InputError> add(const std::string& field, Columns& columns);
  // Adds a field of the records as it is.
  void add_copy(const NpyField& field);

  // The header of a file of so many rows.
  std::string header(std::uint64_t rows) const;
  // Appends the rows of the verdicts of `records`, rows of `row_bytes` each. Those in `faulty` (ascending) have the status
  // "error" and are otherwise missing.
  void append(std::string& out, std::string_view records, std::size_t row_bytes,
              const std::vector<std::size_t>& faulty) const;
  // Writes a verdict into the row that begins at `at`, in place of what append() wrote there.
  void replace(std::string& out, std::size_t at, const Verdict& verdict) const;
  std::vector<std::string> names() const;  // of the fields of the verdict
  std::size_t row_bytes() const { return row_bytes_; }

 private:
  struct Field {
    NpyField place;                                // in the rows that are written
    const ResultColumns::Field* result = nullptr;  // null: a copy of what is in the records
    std::size_t from = 0;                          // of a copy: its offset in a record
    std::string names;  // of a text, each as it is written; at the end what is missing, and an error
  };

  void place(Field& field, std::string name, std::string type, std::size_t size);

  ResultColumns columns_;
  std::size_t row_bytes_ = 0;
  std::vector<Field> fields_;
};

}  // namespace assay
