// Reads the rows of a CSV table directly into the registers of a kernel: the columns are mapped once, from the header,
// to the places that runtime/registers/register_reader.hpp fills, and cells go there without becoming JSON.
//
// Like that reader, it accepts the usual rows and leaves the others (another number of cells, a text that needs an
// escape in JSON, a value that its type rejects) to runtime/input/csv.hpp, which converts the row to JSON. A row that
// it accepts has exactly the values of that JSON: tests/unit/register_cells_test.cpp compares the two.
#pragma once

#include "runtime/input/csv.hpp"
#include "runtime/registers/column_places.hpp"
#include "runtime/registers/register_reader.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class RegisterCells {
 public:
  static constexpr std::size_t kPadding = RegisterReader::kPadding;

  // Fills the places of `reader`, which must outlive this object, as must the model.
  RegisterCells(RegisterReader& reader, const Model& model, std::shared_ptr<const CsvTable> table,
                const Limits& limits);

  // Reads the row at p in a text that ends at `end` with a line feed and kPadding further bytes. Fills registers and
  // texts like RegisterReader::record, but texts have no quotes. Returns the position of the row's line feed, or null
  // if the row has to be read as JSON. The text is not changed.
  const char* row(const char* p, const char* end, std::int64_t* registers, std::string_view* shown);
  const CsvTable& table() const { return *table_; }

 private:
  struct Cell : ColumnPlaces::Column {
    char stop = ',';  // the character after the cell
  };
  const char* cells(const char* p, const char* end);
  const char* cell_end(const char* p, char also) const;
  const char* text(const char* p, const FieldPlace& place);
  const char* texts(const char* p, const FieldPlace& place);
  const char* other(const char* p, const char* end, const Cell& cell, bool& empty);
  const char* quoted_end(const char* p) const;
  const char* bare(const char* p);
  const char* unquoted(const char* p, const char* end);
  bool read_text(const FieldPlace& place);
  bool read_json(const Cell& cell);

  RegisterReader* reader_;
  const Model* model_;
  std::shared_ptr<const CsvTable> table_;
  Limits limits_;
  char separator_;
  ColumnPlaces places_;
  std::vector<Cell> cells_;
  std::string cell_, json_;  // for a cell that is not read in place
};

}  // namespace assay
