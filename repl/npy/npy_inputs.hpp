// Which fields of a .npy file are inputs of a rubric, and as what they are read. Fields that the rubric does not name are
// passed over, as keys of a record are, unless reading is strict; a field that is an input and cannot be read as one
// refuses the file.
#pragma once

#include "repl/npy/npy_header.hpp"

#include <assay/assay.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

struct NpyInput {
  NpyField field;
  enum class Kind : std::uint8_t {
    number,
    truth,
    text,
    texts,  // a list of them
    other,  // what no column holds (a list of numbers, an entry of a map); records do
  } kind = Kind::other;
};

// In the order of the table. Nothing, and a `problem` that ends "cannot read 'x': ", when a field does not fit;
// `strict`: when the rubric does not name it, too.
std::optional<std::vector<NpyInput>> npy_inputs(const NpyTable& table, const Rubric& rubric, bool strict,
                                                std::string& problem);

// What both ways of reading rows make of a value: bytes of a text without the zeros behind it. Here, since most items of a
// list are nothing else.
inline std::string_view npy_bytes(const char* item, std::size_t size) {
  std::uint64_t eight = 0;
  while (size >= sizeof eight) {
    std::memcpy(&eight, item + size - sizeof eight, sizeof eight);
    if (eight != 0) {
      if constexpr (std::endian::native == std::endian::little)
        return {item, size - static_cast<std::size_t>(std::countl_zero(eight)) / 8};
      break;
    }
    size -= sizeof eight;
  }
  while (size > 0 && item[size - 1] == '\0') --size;
  return {item, size};
}
// A text of 32-bit characters: how many they are without the zeros behind them, and one of them.
std::size_t npy_unicode_size(const char* item, std::size_t size);
std::uint32_t npy_character(const char* item, std::size_t index);
// Appends a text of 32-bit characters as UTF-8 (what is no character: see append_utf8).
void append_npy_unicode(std::string& out, const char* item, std::size_t size);

}  // namespace assay::cli
