// Reads the rows of a .npy file directly into the registers of a kernel: the fields are mapped once to the places that
// runtime/registers/register_reader.hpp fills, and values go there without becoming JSON.
//
// Like that reader, it accepts the usual rows and leaves the others (a number with more decimals than before, an id
// that needs an escape in JSON, a value that its type rejects) to NpyLines, which writes the row as a record. A row
// that it accepts has exactly the values of that record: tests/cli/npy_pair.cpp compares the two.
#pragma once

#include "runtime/npy/npy_values.hpp"
#include "runtime/registers/column_places.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class NpyRegisters {
 public:
  // Fills the registers of `reader`, which must outlive it.
  NpyRegisters(RegisterReader& reader, const std::vector<NpyInput>& inputs, const Limits& limits);

  // Fills registers and texts from a row, like RegisterReader::record. RegisterReader::kPadding bytes after the row
  // must be readable; texts have no quotes, and are valid until the next row. False: the row has to be read as a
  // record.
  bool row(const char* row, std::int64_t* registers, std::string_view* shown);

 private:
  // How a field is read, by its type in the file and its place in the record.
  enum class Way : std::uint8_t { f64, number, truth, text, texts, unknown, other };
  struct Field {
    NpyField field;
    ColumnPlaces::Column column;
    Way way = Way::other;
    double scale = 1;                  // floating point: the register is the value times this,
    std::int64_t low = 0, high = 0;    // … which lies within these
    std::int64_t factor = 1;           // integers: the register is the value times this,
    std::int64_t least = 0, most = 0;  // … which is itself within these bounds
    std::string text;                  // a converted text, followed by the readable bytes that are required
  };
  enum class Outcome : std::uint8_t { read, missing, declined };

  static Way way_of(const NpyField& field, const FieldPlace& place);
  Outcome read(Field& field, const char* row) const;
  Outcome number(const Field& field, const char* item) const;
  Outcome integer(const Field& field, std::int64_t value) const;
  Outcome real(const Field& field, double value) const;
  Outcome real(const Field& field, float value) const;
  Outcome text(Field& field, const char* item) const;
  Outcome texts(Field& field, const char* item) const;
  Outcome unknown(Field& field, const char* item) const;
  Outcome other(Field& field, const char* row) const;
  std::string_view text_of(Field& field, const char* item) const;
  void put(const Field& field, std::int64_t value) const;

  RegisterReader* reader_;
  Limits limits_;
  ColumnPlaces places_;
  std::vector<Field> fields_;
  bool usable_ = true;
};

}  // namespace assay
