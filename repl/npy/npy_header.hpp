// What a .npy file says of itself: the header that NumPy describes in numpy.lib.format, versions 1.0 to 3.0, of an array
// of records (a structured array): one dimension, a type for each field. Only the format: which fields mean something
// to a rubric is not its business. No NumPy is needed, and no pickled object is ever read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

enum class NpyType : std::uint8_t {
  f64,
  f32,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  truth,    // a byte: 0 or 1
  bytes,    // a text in UTF-8, filled up with zeros
  unicode,  // a text in characters of 32 bits, filled up with zeros
  other,    // of known size, but nothing that can be read here
};

struct NpyField {
  std::string path;  // the names down to it, in UTF-8: "scores.correctness"
  std::string type;  // as in the header: "<f8"
  NpyType kind = NpyType::other;
  std::size_t offset = 0;  // in a row, in bytes
  std::size_t size = 0;    // of one item, in bytes
  std::size_t items = 1;
  bool list = false;     // a subarray, of one dimension unless it is `other`
  bool foreign = false;  // it would not be `other` if its bytes were in the order of this machine
};

struct NpyTable {
  std::vector<NpyField> fields;  // each path once, none within another; fields without a name are left out
  std::uint64_t rows = 0;
  std::size_t row_bytes = 0;  // 1 … kMostNpyRow; every field lies within
};

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
inline constexpr std::size_t kMostNpyHeader = std::size_t{1} << 20;  // bytes
inline constexpr std::size_t kMostNpyRow = std::size_t{1} << 24;     // bytes, and items of a subarray

// How many bytes there are before the first row of a file that begins with `start`; 0: more of it has to be seen, at
// most 12 bytes. Nothing, and a `problem` that ends "cannot read 'x': ", when it is no such file.
std::optional<std::size_t> npy_header_bytes(std::string_view start, std::string& problem);

// The table of a file whose first npy_header_bytes() bytes are `header`. Nothing, and a `problem` as above (which may
// show text of the header as it is), when the header is damaged or the array is not one of records.
std::optional<NpyTable> parse_npy_header(std::string_view header, std::string& problem);

// The bytes before the first row of a table, as NumPy writes them. Paths are the names of fields: no dot reaches into
// anything.
std::string npy_header(const NpyTable& table);

}  // namespace assay::cli
