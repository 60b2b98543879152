// Columns of a table → the places of a record that they fill (runtime/registers/object_layout.hpp), resolved once, and what the
// registers hold of the fields that no column, or an empty cell, gives. What a cell is (text in CSV, bytes in .npy) is
// somebody else's business: runtime/registers/register_cells.hpp, runtime/npy/npy_registers.hpp.
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
    std::uint64_t bit = 0;  // in its word of `seen`
    std::uint32_t word = 0;
    int depth = 0;  // of the object that it is in
  };
  // `paths`: the keys that lead to each column. Fills the registers of `reader`, which has to outlive it.
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
  // Fills the registers of the fields that have no value. `objects_given`: an object whose columns are all empty is there;
  // else it is absent. False: something required is.
  bool complete(bool objects_given) {
    if (whole_row_ && whole_) {
      for (const RegisterWrite* write : writes_) write->apply(reader_->registers_);
      return true;
    }
    return complete_slowly(objects_given);
  }

 private:
  // An object that columns lead into; the first one is the record.
  struct Group {
    ObjectLayout* layout = nullptr;
    const ExpectedField* field = nullptr;  // of the object around it
    std::size_t around = 0;                // that object
    std::size_t first = 0, words = 0;      // its bits in seen_: of its fields, then of columns that it does not know
    int depth = 0;
  };
  bool complete_slowly(bool objects_given);

  RegisterReader* reader_;
  std::vector<Column> columns_;
  std::vector<Group> groups_;
  FieldPlace unknown_, refused_;              // of columns that the rubric does not know; that have to be empty
  std::vector<std::uint64_t> full_, seen_;    // bits of a row without empty cells; of this one
  std::vector<const RegisterWrite*> writes_;  // of a row without empty cells, besides those of its cells
  bool whole_ = true;                         // such a row lacks nothing
  bool whole_row_ = true;
};

}  // namespace assay
