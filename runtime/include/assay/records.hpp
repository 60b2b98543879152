// Streams of records, cut into records; records and verdicts as text. Part of <assay/assay.hpp>.
#pragma once

#include <assay/interrupt.hpp>
#include <assay/limits.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class Rubric;
struct InputError;

enum class Format : std::uint8_t { ndjson, json, csv, tsv, npy };

struct Record {
  std::string_view json;   // one JSON object (a CSV row is written as one); valid until the next call
  std::uint64_t line = 0;  // 1-based line where it begins
};

// Cuts a stream into records. Reads through `read`, which fills a buffer and returns the bytes read (0: end; negative:
// failure). NDJSON: a record a line, blank lines skipped. JSON: one object, or the objects of one array. CSV: a header,
// then a record a row; cells are read by the types of the rubric's inputs, dotted headers reach into objects, cells of
// a list are separated by ';', an empty cell is absent. TSV: the same with tabs between cells. .npy: arrays of records of
// NumPy (assay/npy.hpp), a record a row; NaN, an empty text and the least int64 are null, a line is a row. Memory: one
// record (JSON: the file).
class RecordReader {
 public:
  using Read = std::function<long(char* buffer, std::size_t size)>;
  // strict: a column that the rubric does not name is an error of the header, after which nothing is read.
  // interrupt: not owned; when it asks for the end, every call is an error with its code, as long as it does.
  RecordReader(Format format, Read read, const Rubric& rubric, Limits limits = {}, bool strict = false,
               const Interrupt* interrupt = nullptr);
  ~RecordReader();
  RecordReader(RecordReader&&) noexcept;
  enum class Status : std::uint8_t { record, end, error };
  // error: `problem` says what is wrong at record.line, and the next call goes on behind it: with the next line, the
  // next row. What ends nowhere (JSON that is none, a quote never closed) has ended. Code "read": reading failed, or the
  // bytes are no .npy file: `problem` then says why, ending "cannot read 'x': ".
  Status next(Record& record, InputError& problem);
  std::vector<std::string> columns() const;  // CSV, TSV: the header, once next() has read it

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// ---- records and verdicts as text

// The JSON text of `json` (a verdict or error object) with `field`s as cells, for tables: numbers as shown, texts bare,
// missing "", lists joined with "; ", objects as JSON.
std::vector<std::string> cells(std::string_view json, const std::vector<std::string>& fields);

// A record with one member replaced or added: --set and the REPL. `value` is JSON, or else taken as a text.
// Dotted paths reach into objects, "findings[0].severity" into a list that is there, up to the item behind its last.
// Empty: the record is no object, the list has no such item, a path of over kMostNesting steps, or not UTF-8.
std::optional<std::string> with_member(std::string_view record, std::string_view path, std::string_view value);

// The compact JSON of a value re-indented, for people.
std::string pretty(std::string_view json);

}  // namespace assay
