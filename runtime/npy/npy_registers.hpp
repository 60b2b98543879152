// Reads the rows of a .npy file straight into the registers of a kernel: the fields are resolved once to the places that
// runtime/registers/register_reader.hpp fills, and the values of a row go there without becoming JSON first.
//
// As that reader, it takes what nearly every row is and leaves the rest (a number with more decimals than before, an id
// that JSON would write with an escape, a value that its type refuses) to whoever reads the row as a record (NpyLines).
// What it takes means exactly what that record would have meant: tests/cli/npy_pair.cpp compares the two.
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
  // Fills the registers of `reader`, which has to outlive it.
  NpyRegisters(RegisterReader& reader, const std::vector<NpyInput>& inputs, const Limits& limits);

  // Fills registers and texts as RegisterReader::record does from a row, behind which RegisterReader::kPadding bytes can be
  // read; the texts are without quotes, and stay until the next row. False: nothing is known about the row.
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
    std::int64_t least = 0, most = 0;  // … which itself lies within these
    std::string text;                  // converted, and as many bytes as have to be readable
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
