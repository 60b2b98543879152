// NumPy's .npy format (numpy.lib.format, versions 1.0 to 3.0) for structured arrays: one dimension, a type for each
// field. Needs no NumPy and never reads a pickled object. Batch and RecordReader read such files as Format::npy; these
// functions are for hosts that examine the header themselves or write such files.
//
// A `problem` is the end of a sentence that begins "cannot read 'x': ", and may repeat text of the header.
#pragma once

#include <assay/assay.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// ---- the header

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
  bytes,    // a text in UTF-8, padded with zeros
  unicode,  // a text in 32-bit characters, padded with zeros
  other,    // of known size, but of an unsupported type
};

struct NpyField {
  std::string path;  // the names that lead to it, in UTF-8: "scores.correctness"
  std::string type;  // as in the header: "<f8"
  NpyType kind = NpyType::other;
  std::size_t offset = 0;  // in a row, in bytes
  std::size_t size = 0;    // of one item, in bytes
  std::size_t items = 1;
  bool list = false;     // a subarray, of one dimension unless it is `other`
  bool foreign = false;  // it is `other` only because of its byte order
};

struct NpyTable {
  std::vector<NpyField> fields;  // each path once, none within another; unnamed fields are left out
  std::uint64_t rows = 0;
  std::size_t row_bytes = 0;  // 1 … kMostNpyRow; every field lies inside
};

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
inline constexpr std::size_t kMostNpyHeader = std::size_t{1} << 20;  // bytes
inline constexpr std::size_t kMostNpyRow = std::size_t{1} << 24;     // bytes, and items of a subarray

// The number of bytes before the first row of a file that begins with `start`; 0: `start` must be longer, at most 12
// bytes. Nothing, and a `problem`, if it is not such a file.
std::optional<std::size_t> npy_header_bytes(std::string_view start, std::string& problem);

// The table of a file whose first npy_header_bytes() bytes are `header`. Nothing, and a `problem`, if the header is
// damaged or the array is not a structured one.
std::optional<NpyTable> parse_npy_header(std::string_view header, std::string& problem);

// The bytes before the first row of a table, as NumPy writes them. A path is one field name, even if it contains dots.
std::string npy_header(const NpyTable& table);

// ---- the rows

// The rows of a file, from bytes that the caller reads. Each call returns as many whole rows as one read supplies, so
// memory is bounded by one row plus one read, and a single row through a pipe arrives at once. Belongs to one thread.
class NpyReader {
 public:
  // Fills a buffer and returns the bytes read; 0 at the end; negative after a failure.
  using Read = std::function<long(char* buffer, std::size_t size)>;

  // Reads the header. False: problem() gives the reason, or is empty if `read` failed.
  bool open(const Read& read);
  const NpyTable& table() const { return table_; }

  enum class Status : std::uint8_t { rows, end, failed };
  // rows: at least one whole row, valid in `rows` until the next call. failed: as for open(); also if the file ends
  // before the last row that its header promises, or continues after it.
  Status next(const Read& read, std::string_view& rows);
  const std::string& problem() const { return problem_; }

 private:
  long more(const Read& read, std::size_t size);
  std::string_view unread() const { return std::string_view(buffer_).substr(used_, end_ - used_); }

  NpyTable table_;
  std::string buffer_;  // used_ to end_ is not yet consumed
  std::size_t used_ = 0, end_ = 0;
  std::uint64_t seen_ = 0;  // rows returned
  std::string problem_;
};

// ---- what the fields mean to a rubric

struct NpyInput {
  NpyField field;
  enum class Kind : std::uint8_t {
    number,
    truth,
    text,
    texts,  // a list of texts
    other,  // no column can hold it (a list of numbers, an entry of a map), but records can
  } kind = Kind::other;
};

// Which fields are inputs of a rubric and how they are read, in the order of the table. Other fields are ignored, like
// unknown keys of a record. Nothing, and a `problem`, if a field is an input and cannot be read as one; with `strict`,
// also if the rubric does not name a field.
std::optional<std::vector<NpyInput>> npy_inputs(const NpyTable& table, const Rubric& rubric, bool strict,
                                                std::string& problem);

// Writes rows as records: a JSON object each.
class NpyLines {
 public:
  explicit NpyLines(const std::vector<NpyInput>& inputs);

  // Appends the object of a row. Missing values (NaN, an empty text, the least '<i8') become null. A value that JSON
  // cannot express (an infinity, invalid UTF-8) is written so that the reader of the record rejects it.
  void append(std::string& text, const char* row) const;

 private:
  void plan(const std::vector<const NpyField*>& fields, std::size_t begin, std::string& before);

  struct Value {
    std::string before;  // the text before it in the line
    NpyField field;
  };
  std::vector<Value> values_;
  std::string end_;
};

}  // namespace assay
