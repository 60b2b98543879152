// Maps the columns of a table to the fields of a record (runtime/registers/object_layout.hpp), once per table, and sets the
// registers of fields that no column, or an empty cell, supplies. How a cell is read (text in CSV, bytes in .npy) is
// left to runtime/registers/register_cells.hpp and runtime/npy/npy_registers.hpp.
#pragma once

#include "runtime/registers/register_reader.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

class ColumnPlaces {
 public:
  struct Column {
    const FieldPlace* place = nullptr;
    std::uint64_t bit = 0;  // its bit in the word of `seen`
    std::uint32_t word = 0;
    int depth = 0;  // depth of the object that contains it
  };
  // `paths`: for each column, the keys that lead to it. Fills the registers of `reader`, which must outlive this
  // object.
  ColumnPlaces(RegisterReader& reader, const std::vector<std::vector<std::string>>& paths);
  ColumnPlaces(const ColumnPlaces&) = delete;
  ColumnPlaces& operator=(const ColumnPlaces&) = delete;

  const std::vector<Column>& columns() const { return columns_; }

  // For each row: begin(), empty() for each column without a value, complete().
  void begin() { whole_row_ = true; }
  void empty(std::uint32_t word, std::uint64_t bit) {
    if (whole_row_) seen_ = full_;
    whole_row_ = false;
    seen_[word] &= ~bit;
  }
  // Fills the registers of the fields without a value. `objects_given`: an object whose columns are all empty counts as
  // present, otherwise as absent. False: a required field is absent.
  bool complete(bool objects_given) {
    if (whole_row_ && whole_) {
      for (const RegisterWrite* write : writes_) write->apply(reader_->registers_);
      return true;
    }
    return complete_slowly(objects_given);
  }

 private:
  // An object that columns reach into; the first one is the record.
  struct Group {
    ObjectLayout* layout = nullptr;
    const ExpectedField* field = nullptr;  // the field that holds this object
    std::size_t around = 0;                // index of the enclosing object
    std::size_t first = 0, words = 0;      // its bits in seen_: first for its fields, then for unknown columns
    int depth = 0;
  };
  bool complete_slowly(bool objects_given);

  RegisterReader* reader_;
  std::vector<Column> columns_;
  std::vector<Group> groups_;
  // for columns that the rubric does not know; for columns that must be empty
  FieldPlace unknown_, refused_;
  std::vector<std::uint64_t> full_, seen_;    // the bits of a row without empty cells; those of the current row
  std::vector<const RegisterWrite*> writes_;  // writes of a row without empty cells, besides those of its cells
  bool whole_ = true;                         // a row without empty cells lacks nothing
  bool whole_row_ = true;
};

}  // namespace assay
