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

// Cuts a stream into records. `read` fills a buffer and returns the bytes read (0: end; negative: failure). NDJSON: one
// record per line, blank lines skipped. JSON: one object, or an array of objects. CSV: a header, then one record per
// row; the types of the rubric's inputs decide how cells are read, dotted headers reach into objects, ';' separates the
// items of a list, an empty cell is absent. TSV: the same with tabs between cells. .npy: structured arrays of NumPy
// (assay/npy.hpp), one record per row; NaN, an empty text and the least int64 are null, and lines count rows. Memory:
// one record (JSON: the file).
class RecordReader {
 public:
  using Read = std::function<long(char* buffer, std::size_t size)>;
  // strict: a column that the rubric does not name is an error of the header, and nothing more is read.
  // interrupt: not owned; while it is due, every call returns an error with its code.
  RecordReader(Format format, Read read, const Rubric& rubric, Limits limits = {}, bool strict = false,
               const Interrupt* interrupt = nullptr);
  ~RecordReader();
  RecordReader(RecordReader&&) noexcept;
  enum class Status : std::uint8_t { record, end, error };
  // error: `problem` describes the error at record.line, and the next call continues with the next line, row or item of
  // a JSON document. After an unclosed quote in a table, and where nothing shows the beginning of the next item, the
  // reader stops. Code "read": reading failed, or the bytes are not a .npy file: `problem` then gives the reason, ending
  // "cannot read 'x': ".
  Status next(Record& record, InputError& problem);
  std::vector<std::string> columns() const;  // CSV, TSV: the header, after the first next()

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// ---- records and verdicts as text

// The values of `fields` in `json` (a verdict or error object) as table cells: numbers as shown, texts without quotes,
// missing values empty, lists joined with "; ", objects and lists in lists as JSON.
std::vector<std::string> cells(std::string_view json, const std::vector<std::string>& fields);

// Returns the record with one member replaced or added, as for --set and the REPL. `value` is JSON, or else taken as a
// text. Dotted paths reach into objects, and ["a.b"] is a key that holds a dot; "findings[0].severity" reaches into an
// existing list, at most one past its last item. Empty: the record is not an object, the list has no such item, the path
// has more than kMostNesting steps, or it is not UTF-8.
std::optional<std::string> with_member(std::string_view record, std::string_view path, std::string_view value);
// The same for paths and values, one after the other, up to the first that cannot be set; `set`: how many were.
std::string with_members(std::string_view record, const std::vector<std::pair<std::string, std::string>>& members,
                         std::size_t* set = nullptr);

// Re-indents the compact JSON of a value for people. Texts that cannot be shown are escaped; what is not JSON is only made
// printable.
std::string pretty(std::string_view json);

}  // namespace assay
