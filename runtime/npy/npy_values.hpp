// Values in the rows of a .npy file: as bytes, as texts without padding, and as JSON.
#pragma once

#include <assay/npy.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// A file whose header has been read; shared by every block of its rows.
struct NpyFile {
  NpyTable table;
  std::vector<NpyInput> inputs;
  NpyLines lines;
};

constexpr std::size_t kMostNumber = 64;  // bytes of a number as JSON

template <class T>
T npy_read(const char* item) {
  T value;
  std::memcpy(&value, item, sizeof value);
  return value;
}

// The bytes of a text without its padding. Inline, because most items of a list are only padding.
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

// Appends a text of 32-bit characters as UTF-8 (for invalid characters see append_utf8).
void append_npy_unicode(std::string& out, const char* item, std::size_t size);

// Appends a value as JSON. Returns false, and appends nothing, for a missing value: an empty text, the least '<i8'. NaN
// becomes null; a value that JSON cannot express (an infinity, invalid UTF-8) is written so that the reader of the
// record rejects it.
bool append_npy_value(std::string& out, NpyType kind, const char* item, std::size_t size);
// Appends the field of a row: null if missing, a list without its padding.
void append_npy_field(std::string& out, const NpyField& field, const char* row);

}  // namespace assay
