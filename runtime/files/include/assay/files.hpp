// Reads files of records, compressed or not, in any of the formats. It is a library of its own, assay-files
// (assay::files), which needs zlib and libzstd. It opens nothing and reads through a callback.
//
//   std::string problem;
//   std::optional<assay::RecordSource> source = assay::RecordSource::open({read, {}}, "answers.csv.zst", rubric, {}, problem);
//   if (!source) …
//   batch.run({source->format(), [&](char* buffer, std::size_t size) { return source->read(buffer, size); }, {}}, {write, rejected});
#pragma once

#include <assay/assay.hpp>
#include <assay/npy.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct SourceOptions {
  std::string from;     // "ndjson", "jsonl", "json", "csv", "tsv", "npy"; empty: by the name, or the content
  bool strict = false;  // a field of a .npy file that the rubric does not name is an error
  const Interrupt* interrupt = nullptr;  // not owned; also checked while a small compressed file expands
  std::string label;                     // the host's name for the file, passed on to Beginning
};

// Finds a format by the name that SourceOptions::from or the ending of a file uses.
std::optional<Format> format_named(std::string_view name);

// The beginning of a file, kept so that its field names can be examined after the records have been read.
struct Beginning {
  static constexpr std::size_t kMost = std::size_t{1} << 16;
  std::string label;  // as SourceOptions has it
  Format format = Format::ndjson;
  std::string text;                 // its first bytes, unpacked
  bool whole = true;                // the text is the complete file
  std::vector<std::string> fields;  // for a .npy file, instead of text
};

// One file: its bytes, decompressed if they are gzip or Zstandard (recognised by their first bytes, whatever the name
// says), and their format. Can be moved, not copied; belongs to one thread.
class RecordSource {
 public:
  struct Bytes {
    RecordReader::Read read;      // fills a buffer and returns the bytes read; 0 at the end; negative after a failure
    std::function<bool()> waits;  // optional: tells whether read() would block
  };
  // `name`: only its ending counts (".csv", ".csv.gz"); if it is empty or "-", the content decides between NDJSON, JSON
  // and .npy. Returns nothing, and a `problem` that ends "cannot read 'x': " (empty if `bytes.read` failed), if the
  // format is unknown, the compressed data is damaged, or a .npy file does not fit the rubric.
  static std::optional<RecordSource> open(Bytes bytes, std::string_view name, const Rubric& rubric,
                                          const SourceOptions& options, std::string& problem);
  ~RecordSource();
  RecordSource(RecordSource&&) noexcept;
  RecordSource& operator=(RecordSource&&) noexcept;

  Format format() const;
  // Reads decompressed bytes; 0 at the end; negative after a failure: problem() gives the reason, or is empty if
  // `bytes.read` failed or the interrupt is due.
  long read(char* buffer, std::size_t size);
  bool would_wait() const;  // whether read() might block
  const std::string& problem() const;
  std::uint64_t bytes() const;         // read so far, decompressed
  const Beginning& beginning() const;  // of what has been read; empty with `strict`
  // For a .npy file: its header. read() returns the header, too.
  const NpyTable& table() const;
  const std::vector<NpyInput>& inputs() const;

 private:
  struct Impl;
  explicit RecordSource(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
