// Cuts a stream of bytes into chunks of whole records, and chunks into records. One thread cuts chunks for all the others:
// it only looks for the end of the last complete record. Splitting a chunk into lines or rows, and reporting malformed ones,
// is left to its consumer: RecordReader walks through one chunk after the other, Batch gives each thread a chunk. Input
// arrives through a callback; nothing is opened here.
#pragma once

#include "runtime/input/csv.hpp"
#include "runtime/json/json_cut.hpp"
#include "runtime/npy/npy_values.hpp"

#include <assay/assay.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class KernelStream;

// A growable byte buffer that neither zero-fills nor copies large texts when it grows (realloc). At least kPadding
// bytes after its end are readable; after close() they are a newline and zeros, at which every reader stops.
class BlockText {
 public:
  static constexpr std::size_t kPadding = 64;

  BlockText() = default;
  ~BlockText();
  BlockText(const BlockText&) = delete;
  BlockText& operator=(const BlockText&) = delete;

  char* data() { return data_; }
  const char* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::string_view view(std::size_t begin = 0) const { return {data_ + begin, size_ - begin}; }

  char* room(std::size_t bytes);  // where up to `bytes` bytes can be written; then call add() with the number written
  void add(std::size_t bytes) { size_ += bytes; }
  void append(std::string_view text);
  void resize(std::size_t size) { size_ = size; }  // not beyond earlier contents
  void drop_front(std::size_t bytes);
  void clear(std::size_t keep);  // frees memory beyond `keep` bytes
  void close();
  void swap(BlockText& other) noexcept;

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  // excludes the padding
};

// Whole records in the order of the stream. Line numbers count from the first line of the chunk; add the lines of the
// chunks before it.
struct Chunk {
  struct Item {
    std::size_t begin = 0, size = 0;
    std::uint64_t line = 0;
  };
  Format format = Format::ndjson;
  BlockText text;
  std::size_t begin = 0;                  // position of the first record in the text
  std::uint64_t lines_before = 0;         // lines of the stream between the previous block and this one
  std::vector<Item> items;                // JSON: the records
  std::shared_ptr<const CsvTable> table;  // CSV, TSV
  std::shared_ptr<const NpyFile> npy;
  std::optional<InputError> problem;  // no records: the error at this line
  std::uint64_t problem_line = 1;
};

class BlockReader {
 public:
  // `strict`: a column of CSV that the rubric does not name is an error of the header.
  BlockReader(Format format, RecordReader::Read read, const Rubric& rubric, const Limits& limits, bool strict,
              std::size_t block_bytes, const Interrupt* interrupt = nullptr);

  // Reads once. False: there is nothing more to be read.
  bool fill();
  // Whether the data read fills a block of the requested size, or is the last.
  bool full() const;
  // Cuts all complete records read so far. False: there is none.
  bool cut(Chunk& block);
  bool done() const { return ended_ && !ready(); }
  bool failed() const { return failed_; }  // the last read failed, or the data is not a .npy file: see failure()
  const std::string& failure() const { return failure_; }

 private:
  bool ready() const;
  bool fill_rows();
  bool open_npy();
  void scan(std::size_t from);
  void scan_rows();
  void rescan_rows();
  void stop(InputError problem);
  bool read_header();
  void load_document();
  std::optional<InputError> problem_of(const JsonItem& item, std::uint64_t& line) const;
  void cut_items(Chunk& block);
  InputError too_long() const;

  Format format_;
  RecordReader::Read read_;
  Rubric rubric_;
  Limits limits_;
  bool strict_;
  std::size_t block_bytes_;
  const Interrupt* interrupt_;

  BlockText pending_;      // read, but not cut yet
  std::size_t begin_ = 0;  // position of its first record
  std::size_t whole_ = 0;  // the end of its last complete record; at most begin_: none
  std::uint64_t lines_before_ = 0;
  std::optional<InputError> problem_;
  bool started_ = false;   // the byte order mark has been passed
  bool skipping_ = false;  // inside a line that is too long
  bool ended_ = false;
  bool failed_ = false;
  std::string failure_;

  struct {
    NpyReader reader;
    std::shared_ptr<const NpyFile> file;
  } npy_;
  struct {  // of a table
    std::shared_ptr<const CsvTable> table;
    char separator = ',';
    bool inside = false;  // a quoted cell
    std::size_t scanned = 0;
  } rows_;
  struct {  // JSON
    std::vector<JsonItem> items;
    std::size_t next = 0;
  } document_;
};

// Iterates over the records of one block.
class BlockRecords {
 public:
  enum class Step : std::uint8_t { record, malformed, end };

  BlockRecords(const Rubric& rubric, const Limits& limits);

  void begin(Chunk& block);
  // A record is in the block, or (a row of a table) in a buffer that the next call reuses; kPadding bytes after it are
  // readable. `line` counts within the block.
  Step next(Record& record, InputError& problem);
  // Passes records to `path` (runtime/stream/kernel_stream.hpp), up to the first that it declines. Writes the verdicts,
  // one per line, to `out`, which has `space` bytes. Returns their number.
  std::uint64_t take(KernelStream& path, char*& out, std::size_t space);
  std::uint64_t lines() const { return lines_; }  // so far
  bool stopped() const { return stopped_; }       // nothing after the last malformed record may be read

 private:
  Step next_line(Record& record, InputError& problem);
  Step next_row(Record& record, InputError& problem);
  Step next_npy_row(Record& record, InputError& problem);
  std::uint64_t take_items(KernelStream& path, char*& out, std::size_t space);

  std::shared_ptr<const Model> model_;
  Limits limits_;
  Chunk* block_ = nullptr;
  std::size_t at_ = 0;
  std::size_t item_ = 0;
  std::uint64_t lines_ = 0;
  bool stopped_ = false;
  std::vector<std::string_view> cells_;
  BlockText row_;
  std::string npy_row_;
  // JSON: the records as lines; empty if they are lines already
  BlockText item_lines_;
  std::vector<std::size_t> item_begins_;
  bool made_lines_ = false;
};

}  // namespace assay
