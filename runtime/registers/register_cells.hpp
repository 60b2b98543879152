// Reads the rows of a CSV table straight into the registers of a kernel: the columns are resolved once, with the header, to
// the places that runtime/registers/register_reader.hpp fills, and the cells of a row go there without becoming JSON first.
//
// As that reader, it takes what nearly every row is and leaves the rest (another number of cells, a text that JSON
// would write with an escape, a value that its type refuses) to whoever makes JSON of the row (runtime/input/csv.hpp). What
// it takes means exactly what that JSON would have meant: tests/unit/register_cells_test.cpp compares the two.
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

  // Reads into the places of `reader`, which has to outlive it, as has the model.
  RegisterCells(RegisterReader& reader, const Model& model, std::shared_ptr<const CsvTable> table,
                const Limits& limits);

  // The row at p, of a text that ends at `end`, where a line feed stands, and kPadding bytes more. Fills registers and texts
  // as RegisterReader::record does, but the texts are without quotes. Returns where the line feed of the row is, or null:
  // then nothing is known about the row. The text stays as it is.
  const char* row(const char* p, const char* end, std::int64_t* registers, std::string_view* shown);
  const CsvTable& table() const { return *table_; }

 private:
  struct Cell : ColumnPlaces::Column {
    char stop = ',';  // what stands behind the cell
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
  std::string cell_, json_;  // one that is not read where it stands
};

}  // namespace assay
