// Files of records as they come: compressed or not, in any of the formats. In a library of its own, assay-files
// (assay::files), which needs zlib and libzstd; it opens nothing, and reads through a callback.
//
//   std::string problem;
//   std::optional<assay::RecordSource> source = assay::RecordSource::open({read, {}}, "answers.csv.zst", rubric, {}, problem);
//   if (!source) …
//   batch.run({source->format(), [&](char* buffer, std::size_t size) { return source->read(buffer, size); }, {}}, {write, fault});
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
  std::string from;     // "ndjson", "jsonl", "json", "csv", "tsv", "npy"; empty: the name, or the content
  bool strict = false;  // a field of a .npy file that the rubric does not name is an error
  const Interrupt* interrupt = nullptr;  // not owned; looked at while little that is packed becomes much
  std::string label;                     // what the host calls the file: goes into Beginning
};

// The names of formats, as SourceOptions::from takes them and names of files end with.
std::optional<Format> format_named(std::string_view name);

// How a file begins, kept for a look at the names in it after its records have been read.
struct Beginning {
  static constexpr std::size_t kMost = std::size_t{1} << 16;
  std::string label;  // as SourceOptions has it
  Format format = Format::ndjson;
  std::string text;                 // its first bytes, unpacked
  bool whole = true;                // there are no others
  std::vector<std::string> fields;  // of a .npy file, instead of text
};

// One file: its bytes, unpacked when they are compressed (by their first bytes, whatever the name says: gzip, Zstandard),
// and the format they are in. Moves, does not copy; belongs to one thread.
class RecordSource {
 public:
  struct Bytes {
    RecordReader::Read read;      // fills a buffer and returns the bytes read; 0 at the end; negative on a failure
    std::function<bool()> waits;  // optional: whether read() would have to wait for somebody
  };
  // `name`: of the file, of which only the ending counts (".csv", ".csv.gz"); empty or "-": the content decides between
  // NDJSON, JSON and .npy. Nothing, and a `problem` that ends "cannot read 'x': " (empty when `bytes.read` failed), when
  // its format is not known, its compressed data are damaged, or a .npy file does not fit the rubric.
  static std::optional<RecordSource> open(Bytes bytes, std::string_view name, const Rubric& rubric,
                                          const SourceOptions& options, std::string& problem);
  ~RecordSource();
  RecordSource(RecordSource&&) noexcept;
  RecordSource& operator=(RecordSource&&) noexcept;

  Format format() const;
  // Bytes of the file as its format has them; 0 at the end; negative on a failure: problem() says why, or is empty when
  // `bytes.read` failed or the interrupt asks for the end.
  long read(char* buffer, std::size_t size);
  bool would_wait() const;  // whether read() might have to wait for somebody
  const std::string& problem() const;
  std::uint64_t bytes() const;         // read so far, unpacked
  const Beginning& beginning() const;  // of what has been read; empty when `strict`
  // Of a .npy file: what its header says, which read() still gives.
  const NpyTable& table() const;
  const std::vector<NpyInput>& inputs() const;

 private:
  struct Impl;
  explicit RecordSource(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
