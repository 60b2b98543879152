// Fields of verdicts as columns that the library writes, for a block of rows: what is made of them (rows of a .npy file,
// lines of NDJSON) is somebody else's business. Numbers are doubles, texts of a known set and truths are small integers.
#pragma once

#include <assay/assay.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

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

}  // namespace assay::cli
