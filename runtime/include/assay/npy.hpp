// NumPy's .npy format (numpy.lib.format, versions 1.0 to 3.0) for arrays of records (structured arrays): one dimension, a
// type for each field. No NumPy is needed, and no pickled object is ever read. Batch and RecordReader read such files as
// Format::npy; what is here is for hosts that look at the header themselves, or write such files.
//
// Problems are said as the end of a sentence that begins "cannot read 'x': ", and may show text of the header as it is.
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
// most 12 bytes. Nothing, and a `problem`, when it is no such file.
std::optional<std::size_t> npy_header_bytes(std::string_view start, std::string& problem);

// The table of a file whose first npy_header_bytes() bytes are `header`. Nothing, and a `problem`, when the header is
// damaged or the array is not one of records.
std::optional<NpyTable> parse_npy_header(std::string_view header, std::string& problem);

// The bytes before the first row of a table, as NumPy writes them. Paths are the names of fields: no dot reaches into
// anything.
std::string npy_header(const NpyTable& table);

// ---- the rows

// The rows of a file as they come, from bytes that somebody else reads: as many at a time as one reading brings, so that
// memory is bounded by one row and one reading, and a row that comes alone through a pipe is there at once. Belongs to
// one thread.
class NpyReader {
 public:
  // Fills a buffer and returns the bytes read; 0 at the end; negative on a failure.
  using Read = std::function<long(char* buffer, std::size_t size)>;

  // Reads the header. False: problem() says why, or is empty when `read` failed.
  bool open(const Read& read);
  const NpyTable& table() const { return table_; }

  enum class Status : std::uint8_t { rows, end, failed };
  // rows: at least one, whole, in `rows` until the next call. failed: as of open(); also when the file ends before the
  // last row that its header promises, or goes on behind it.
  Status next(const Read& read, std::string_view& rows);
  const std::string& problem() const { return problem_; }

 private:
  long more(const Read& read, std::size_t size);
  std::string_view unread() const { return std::string_view(buffer_).substr(used_, end_ - used_); }

  NpyTable table_;
  std::string buffer_;  // of which there is something from used_ to end_
  std::size_t used_ = 0, end_ = 0;
  std::uint64_t seen_ = 0;  // rows given out
  std::string problem_;
};

// ---- what the fields mean to a rubric

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

// Which fields are inputs of a rubric, and as what they are read, in the order of the table. Fields that the rubric does
// not name are passed over, as keys of a record are. Nothing, and a `problem`, when a field is an input and cannot be read
// as one; `strict`: when the rubric does not name it, too.
std::optional<std::vector<NpyInput>> npy_inputs(const NpyTable& table, const Rubric& rubric, bool strict,
                                                std::string& problem);

// Rows as records: an object of JSON each.
class NpyLines {
 public:
  explicit NpyLines(const std::vector<NpyInput>& inputs);

  // Appends the object of a row. What is missing (NaN, an empty text, the least '<i8') is null. What no JSON can say (an
  // infinity, bytes that are no UTF-8) is written so that the reader of the record refuses it.
  void append(std::string& text, const char* row) const;

 private:
  void plan(const std::vector<const NpyField*>& fields, std::size_t begin, std::string& before);

  struct Value {
    std::string before;  // what stands before it in the line
    NpyField field;
  };
  std::vector<Value> values_;
  std::string end_;
};

}  // namespace assay
