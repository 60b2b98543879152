// Fields of verdicts as rows of a .npy file: their columns put together row by row. Numbers are doubles
// ('<f8', NaN where there is none), texts of a known set are their names ('S' with the width of the longest), truths '|i1'
// (1, 0, -1 where there is none), ids stay as they are in the file of the records.
#pragma once

#include "repl/npy/npy_header.hpp"
#include "repl/npy/result_columns.hpp"

#include <assay/assay.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

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

}  // namespace assay::cli
