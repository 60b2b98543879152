// Finds the ends of records: a newline for lines, a newline outside quotes for rows. The search continues where the last
// one stopped, so each byte is visited once, however long its record is.
#include "runtime/stream/blocks.hpp"

#include "lang/text/ascii.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/input/inputs.hpp"
#include "runtime/json/bytes.hpp"
#include "runtime/json/json_tree.hpp"
#include "runtime/rubric/rubric_impl.hpp"
#include "runtime/stream/kernel_stream.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace assay {

// ---- bytes

BlockText::~BlockText() { std::free(data_); }

char* BlockText::room(std::size_t bytes) {
  const std::size_t needed = size_ + bytes;
  if (data_ == nullptr || needed > capacity_) {
    const std::size_t capacity = std::max(needed + needed / 8, capacity_ + capacity_ / 2);
    void* grown = std::realloc(data_, capacity + kPadding);  // moves pages instead of bytes when there are many
    if (grown == nullptr) throw std::bad_alloc();
    data_ = static_cast<char*>(grown);
    capacity_ = capacity;
  }
  return data_ + size_;
}

void BlockText::append(std::string_view text) {
  if (text.empty()) return;
  std::memcpy(room(text.size()), text.data(), text.size());
  size_ += text.size();
}

void BlockText::drop_front(std::size_t bytes) {
  std::memmove(data_, data_ + bytes, size_ - bytes);
  size_ -= bytes;
}

void BlockText::clear(std::size_t keep) {
  size_ = 0;
  if (capacity_ <= keep) return;
  std::free(std::exchange(data_, nullptr));
  capacity_ = 0;
}

void BlockText::close() {
  room(0);
  std::memset(data_ + size_, 0, kPadding);
  data_[size_] = '\n';
}

void BlockText::swap(BlockText& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
}

namespace {

constexpr std::size_t kLeastRead = 4096;
// for a record of this size, room for the longest record is reserved,
constexpr std::size_t kLong = std::size_t{1} << 20;
constexpr std::size_t kMostRoom = std::size_t{128} << 20;  // up to this size
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// What may be wrong with a row of another length: 4,5 or a text with a comma takes two cells of a table of commas.
std::string length_help(const std::vector<std::string_view>& cells, std::size_t columns) {
  const auto digits = [](std::string_view s) {
    return !s.empty() && s.size() < 10 && s.find_first_not_of("0123456789") == s.npos;
  };
  if (cells.size() < columns) return "; an empty cell has its separator, too";
  for (std::size_t i = 1; i < cells.size(); ++i) {  // a text goes on with a blank
    if (cells[i].size() < 2 || cells[i].size() > 40 || cells[i - 1].size() > 40 || cells[i][0] != ' ') continue;
    std::string text = std::string(cells[i - 1]) + ',' + std::string(cells[i]), quoted;
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return "; if " + text + " is one text, write \"" + quoted + '"';
  }
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (digits(cells[i - 1]) && digits(cells[i]))
      return "; if " + std::string(cells[i - 1]) + ',' + std::string(cells[i]) + " is one number, write " +
             std::string(cells[i - 1]) + '.' + std::string(cells[i]);
  }
  return {};
}

constexpr const char* kOpenQuote = "a cell in quotes has no closing quote";
constexpr const char* kBehindQuote =
    "a cell goes on behind its closing quote: a cell in quotes ends with a quote, and doubles those within it";
constexpr const char* kWide = "the text is not UTF-8, but UTF-16 or UTF-32: nothing of it is read";
constexpr const char* kLinesOfCr = "the lines end with CR alone: convert them with tr '\\r' '\\n'";

std::size_t kept(std::size_t block_bytes) { return 2 * block_bytes + 2 * kLeastRead; }

bool blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

// Skips and counts blank lines from `at` on; lines longer than `most` are left to the caller. Files may begin with many
// blank lines, so this examines eight bytes at once.
std::size_t behind_blank_lines(std::string_view text, std::size_t at, std::size_t most, std::uint64_t& lines) {
  const auto all = [&](std::size_t p, unsigned char c) {
    return p + sizeof(std::uint64_t) <= text.size() && word_at(text.data() + p) == repeated(c);
  };
  for (std::size_t p = at; p < text.size(); ++p) {
    while (p == at && all(p, '\n')) {
      p = at += sizeof(std::uint64_t);
      lines += sizeof(std::uint64_t);
    }
    while (all(p, ' ')) p += sizeof(std::uint64_t);
    if (p >= text.size()) break;
    const char c = text[p];
    if (c == '\n') {
      if (p - at > most) break;
      at = p + 1;
      ++lines;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      break;
    }
  }
  return at;
}
// sep=; as Excel writes it in front of a header, with the end of its line. Empty: it is no such line.
std::string_view separator_line(std::string_view text) {
  if (text.size() < 6 || to_lower(text[0]) != 's' || to_lower(text[1]) != 'e' || to_lower(text[2]) != 'p' ||
      text[3] != '=' || std::string_view(",;\t|:").find(text[4]) == std::string_view::npos)
    return {};
  const std::size_t end = text[5] == '\r' ? 6 : 5;
  return end < text.size() && text[end] == '\n' ? text.substr(0, end + 1) : std::string_view();
}

// Whether the records are rows of a table.
bool has_header(Format format) { return format == Format::csv || format == Format::tsv; }

InputError longer_than(std::size_t bytes) {
  return {"", "limit", limit_message("the record takes", bytes, "bytes", "record_bytes")};
}

}  // namespace

// ---- a stream → blocks

BlockReader::BlockReader(Format format, RecordReader::Read read, const Rubric& rubric, const Limits& limits,
                         bool strict, std::size_t block_bytes, const Interrupt* interrupt)
    : format_(format),
      read_(std::move(read)),
      rubric_(rubric),
      limits_(limits),
      strict_(strict),
      block_bytes_(std::max<std::size_t>(block_bytes, 1)),
      interrupt_(interrupt) {
  if (format == Format::tsv) rows_.separator = '\t';
  limits_.nesting = std::min(limits_.nesting, kMostNesting);
}

InputError BlockReader::too_long() const { return longer_than(limits_.record_bytes); }

bool BlockReader::fill() {
  if (ended_) return false;
  if (format_ == Format::npy) return fill_rows();
  const std::size_t old = pending_.size();
  const std::size_t want =
      std::max(old < block_bytes_ ? block_bytes_ - old : block_bytes_, std::min(block_bytes_, kLeastRead));
  // Only the used part becomes memory, and nothing is moved on the way.
  const std::size_t longest = std::min(limits_.record_bytes, kMostRoom) + 2 * block_bytes_;
  if (old > kLong && longest > old) pending_.room(longest - old);
  const long got = read_(pending_.room(want), want);
  if (got <= 0) {
    ended_ = true;
    failed_ = got < 0;
  } else {
    pending_.add(static_cast<std::size_t>(got));
  }
  if (!started_) {
    const std::string_view text = pending_.view();
    if (!ended_ && text.size() < kByteOrderMark.size() && kByteOrderMark.substr(0, text.size()) == text) return true;
    started_ = true;
    const bool wide = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) begin_ = rows_.scanned = kByteOrderMark.size();
    if (wide) stop({"", "syntax", kWide});  // neither lines nor records could be cut
    scan(begin_);
  } else {
    scan(old);
  }
  if (failed_) return false;  // an incomplete record stays incomplete
  if (ended_ && format_ == Format::json) load_document();
  if (ended_ && format_ != Format::json && !skipping_) whole_ = pending_.size();
  return !ended_;
}

bool BlockReader::fill_rows() {
  using Status = NpyReader::Status;
  std::string_view rows;
  const Status status = npy_.file || open_npy() ? npy_.reader.next(read_, rows) : Status::failed;
  ended_ = status != Status::rows;
  failed_ = status == Status::failed;
  if (failed_ && failure_.empty()) failure_ = npy_.reader.problem();
  pending_.append(rows);
  whole_ = pending_.size();
  return !ended_;
}

bool BlockReader::open_npy() {
  if (!npy_.reader.open(read_)) return false;
  const NpyTable& table = npy_.reader.table();
  const std::optional<std::vector<NpyInput>> inputs = npy_inputs(table, rubric_, strict_, failure_);
  if (inputs) npy_.file = std::make_shared<NpyFile>(NpyFile{table, *inputs, NpyLines(*inputs)});
  return inputs.has_value();
}

void BlockReader::scan(std::size_t from) {
  if (skipping_) {
    const std::size_t newline = pending_.view().find('\n');
    skipping_ = newline == std::string_view::npos;
    if (skipping_) return pending_.clear(kept(block_bytes_));
    pending_.drop_front(newline + 1);
    from = 0;
  }
  if (format_ == Format::json) {
    if (pending_.size() > limits_.record_bytes) stop(too_long());
    return;
  }
  if (has_header(format_)) {
    scan_rows();
    if (whole_ <= begin_ && pending_.size() - begin_ > limits_.record_bytes) stop(too_long());
    return;
  }
  const std::size_t newline = pending_.view(from).rfind('\n');
  if (newline != std::string_view::npos) whole_ = from + newline + 1;
  if (whole_ > begin_ || pending_.size() - begin_ <= limits_.record_bytes + 1) return;  // room for a carriage return
  problem_ = too_long();
  skipping_ = true;
  begin_ = whole_ = 0;
  pending_.clear(kept(block_bytes_));
}

// A quote at the beginning of a cell opens a quoted cell, as in read_csv_row().
void BlockReader::scan_rows() {
  const char* const text = pending_.data();
  while (rows_.scanned < pending_.size()) {
    const std::string_view rest = pending_.view(rows_.scanned);
    const std::size_t quote = rest.find('"');
    if (!rows_.inside) {
      const std::size_t newline = rest.substr(0, quote).rfind('\n');
      if (newline != std::string_view::npos) whole_ = rows_.scanned + newline + 1;
    }
    if (quote == std::string_view::npos) {
      rows_.scanned = pending_.size();
      return;
    }
    const std::size_t at = rows_.scanned + quote;
    if (!rows_.inside) {
      std::size_t before = at;
      while (before > begin_ && text[before - 1] == '\r') --before;
      rows_.inside = before == begin_ || text[before - 1] == rows_.separator || text[before - 1] == '\n';
    } else if (at + 1 == pending_.size()) {
      rows_.scanned = at;  // the next byte decides whether it is the closing quote
      return;
    } else if (text[at + 1] == '"') {
      rows_.scanned = at + 2;
      continue;
    } else {
      rows_.inside = false;
    }
    rows_.scanned = at + 1;
  }
}

// After another separator has become known: the ends of rows change, too.
void BlockReader::rescan_rows() {
  rows_.scanned = whole_ = begin_;
  rows_.inside = false;
  scan_rows();
  if (ended_) whole_ = pending_.size();
}

void BlockReader::stop(InputError problem) {
  problem_ = std::move(problem);
  ended_ = true;
  begin_ = whole_ = 0;
  pending_.clear(0);
}

// False: there was no header, or a bad one.
bool BlockReader::read_header() {
  // Lines that end with CR alone would all be one header, and the file would hold no records.
  const auto ends_with_cr_alone = [](std::string_view text) {
    const std::size_t cr = text.find('\r');
    return cr < text.find_first_of("\n\"") && text.find_first_not_of('\r', cr) != text.npos &&
           text[text.find_first_not_of('\r', cr)] != '\n';
  };
  std::vector<std::string_view> cells;
  pending_.close();  // the padding is unused: the data read ends before it
  while (begin_ < whole_) {
    char* const first = pending_.data() + begin_;
    if (const std::string_view named = separator_line({first, whole_ - begin_}); !named.empty() && lines_before_ == 0) {
      rows_.separator = named[4];
      begin_ += named.size();
      ++lines_before_;
      rescan_rows();
      continue;
    }
    const bool lines_of_cr = ends_with_cr_alone({first, whole_ - begin_});
    const CsvRow row = read_csv_row(first, pending_.data() + whole_, rows_.separator, cells);
    const auto size = static_cast<std::size_t>(row.next - first);
    if (size > limits_.record_bytes) return stop(too_long()), false;
    if (row.open) return stop({"", "syntax", kOpenQuote}), false;
    if (row.behind_quote) return stop({"", "syntax", kBehindQuote}), false;
    if (lines_of_cr) return stop({"", "syntax", kLinesOfCr}), false;
    if (cells.size() > 1 || !cells[0].empty()) {
      InputError problem;
      rows_.table = CsvTable::make(*rubric_.impl().model, rubric_.impl().index(), {cells.begin(), cells.end()}, problem,
                                   strict_, limits_, rows_.separator);
      if (!rows_.table) return stop(std::move(problem)), false;
    }
    begin_ += size;
    lines_before_ += row.newlines;
    if (!rows_.table) continue;
    if (rows_.separator != rows_.table->separator()) {
      rows_.separator = rows_.table->separator();
      rescan_rows();
    }
    return true;
  }
  return false;
}

void BlockReader::load_document() {
  if (problem_) return;
  pending_.close();
  const std::string_view all = pending_.view(begin_);
  if (all.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
  if (cut_json(all, limits_.nesting + 1, document_.items, interrupt_)) return;
  failed_ = interrupted(interrupt_);
  if (failed_) return document_.items.clear();
  JsonNode document;
  JsonProblem wrong;
  const bool value = parse_json(all, document, wrong, 0, limits_.nesting);
  document_.items.push_back({document.raw, 1});
  if (value) return;
  document_.items.back() = {all, 1, JsonItem::Fault::malformed, true};
}

// What is wrong with an item, and the line of the place. Nothing: it is well-formed.
std::optional<InputError> BlockReader::problem_of(const JsonItem& item, std::uint64_t& line) const {
  JsonNode ignored;
  JsonProblem wrong;
  switch (item.fault) {
    case JsonItem::Fault::none: return std::nullopt;
    case JsonItem::Fault::malformed:
      if (parse_json(item.text, ignored, wrong, 0, limits_.nesting)) return std::nullopt;
      if (wrong.too_deep) return too_deep_error("the record", limits_.nesting);
      if (item.text.empty()) wrong.message = item.last ? "the text ends where a value is expected" : "expected a value";
      break;
    case JsonItem::Fault::no_comma: wrong.message = "expected ',' or ']' after an item of a list"; break;
    case JsonItem::Fault::after: wrong.message = "there is something after the end of the JSON value"; break;
  }
  const std::string_view before = item.text.substr(0, wrong.offset), rest = item.text.substr(before.size());
  line = item.line + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  const auto byte = static_cast<std::size_t>(item.text.data() - pending_.data()) - begin_ + before.size();
  InputError problem{"", "syntax", wrong.message + ", at byte " + std::to_string(byte)};
  if (item.last && rest.find('{') != rest.npos) problem.message = problem.message.str() + "; nothing after it is read";
  problem.id = id_before_fault(item.text, limits_.nesting);
  return problem;
}

bool BlockReader::ready() const { return problem_ || whole_ > begin_ || document_.next < document_.items.size(); }

bool BlockReader::full() const {
  return problem_ || document_.next < document_.items.size() ||
         (whole_ > begin_ && (ended_ || pending_.size() >= block_bytes_));
}

void BlockReader::cut_items(Chunk& block) {
  while (document_.next < document_.items.size() && block.text.size() < block_bytes_ && !block.problem) {
    const JsonItem& item = document_.items[document_.next];
    if (item.fault != JsonItem::Fault::none && !block.items.empty()) break;
    ++document_.next;
    block.problem = problem_of(item, block.problem_line);
    if (block.problem) break;
    block.items.push_back({block.text.size(), item.text.size(), item.line});
    block.text.append(item.text);
    block.text.append("\n");
  }
  block.text.close();
  if (document_.next == document_.items.size()) pending_.clear(0);
}

bool BlockReader::cut(Chunk& block) {
  block.format = format_;
  block.text.clear(kept(block_bytes_));
  block.begin = 0;
  block.items.clear();
  block.problem.reset();
  block.lines_before = 0;
  block.problem_line = 1;
  if (document_.next < document_.items.size()) {
    cut_items(block);
    return true;
  }
  if (!problem_ && has_header(format_) && !rows_.table && whole_ > begin_ && !read_header() && !problem_) return false;
  block.table = rows_.table;
  block.npy = npy_.file;
  if (problem_) {
    block.problem = std::exchange(problem_, std::nullopt);
    block.lines_before = std::exchange(lines_before_, 1);  // the line that could not be read
    return true;
  }
  if (whole_ <= begin_) return false;
  block.text.swap(pending_);
  block.begin = begin_;
  block.lines_before = std::exchange(lines_before_, 0);
  pending_.clear(kept(block_bytes_));
  pending_.append(block.text.view(whole_));
  block.text.resize(whole_);
  block.text.close();
  rows_.scanned -= std::min(rows_.scanned, whole_);
  begin_ = whole_ = 0;
  return true;
}

// ---- a block → records

BlockRecords::BlockRecords(const Rubric& rubric, const Limits& limits) : model_(rubric.impl().model), limits_(limits) {}

void BlockRecords::begin(Chunk& block) {
  block_ = &block;
  at_ = block.begin;
  item_ = 0;
  lines_ = 0;
  stopped_ = false;
  made_lines_ = false;
}

BlockRecords::Step BlockRecords::next(Record& record, InputError& problem) {
  if (block_->problem) {
    record = {{}, block_->problem_line};
    problem = *std::exchange(block_->problem, std::nullopt);
    return Step::malformed;
  }
  switch (block_->format) {
    case Format::ndjson: return next_line(record, problem);
    case Format::csv:
    case Format::tsv: return next_row(record, problem);
    case Format::npy: return next_npy_row(record, problem);
    case Format::json: break;
  }
  if (item_ == block_->items.size()) return Step::end;
  const Chunk::Item& item = block_->items[item_++];
  record = {block_->text.view().substr(item.begin, item.size), item.line};
  return Step::record;
}

BlockRecords::Step BlockRecords::next_line(Record& record, InputError& problem) {
  if (at_ < block_->text.size() && static_cast<unsigned char>(block_->text.data()[at_]) <= ' ')
    at_ = behind_blank_lines(block_->text.view(), at_, limits_.record_bytes, lines_);
  while (at_ < block_->text.size()) {
    std::string_view line = block_->text.view(at_);
    const std::size_t newline = line.find('\n');
    line = line.substr(0, newline);
    at_ += line.size() + (newline != std::string_view::npos);
    ++lines_;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.size() > limits_.record_bytes) {
      record = {{}, lines_};
      problem = longer_than(limits_.record_bytes);
      return Step::malformed;
    }
    if (blank(line)) continue;
    record = {line, lines_};
    return Step::record;
  }
  return Step::end;
}

std::uint64_t BlockRecords::take(KernelStream& path, char*& out, std::size_t space) {
  if (block_->problem) return 0;
  if (block_->format == Format::json) return take_items(path, out, space);
  const char* const begin = block_->text.data();
  const char* const end = begin + block_->text.size();
  const char* p = begin + at_;
  const std::uint64_t count = block_->npy                  ? path.score_rows(block_->npy, p, end, out, space)
                              : has_header(block_->format) ? path.score_rows(block_->table, p, end, out, space)
                                                           : path.score_lines(p, end, out, space);
  at_ = static_cast<std::size_t>(p - begin);
  lines_ += count;
  return count;
}

// A line feed follows each item: without other line feeds, the items are lines.
std::uint64_t BlockRecords::take_items(KernelStream& path, char*& out, std::size_t space) {
  const std::vector<Chunk::Item>& items = block_->items;
  if (item_ == items.size()) return 0;
  if (!made_lines_) {
    made_lines_ = true;
    item_begins_.clear();
    item_lines_.clear(std::size_t{1} << 20);
    const auto spread = [this](const Chunk::Item& item) {
      return std::memchr(block_->text.data() + item.begin, '\n', item.size) != nullptr;
    };
    if (std::any_of(items.begin(), items.end(), spread)) {
      item_lines_.room(block_->text.size() + kBlock);
      for (const Chunk::Item& item : items) {
        item_begins_.push_back(item_lines_.size());
        char* const at = item_lines_.room(item.size + 1 + kBlock);
        char* const end = compact_json(block_->text.view().substr(item.begin, item.size), at);
        *end = '\n';
        item_lines_.add(static_cast<std::size_t>(end + 1 - at));
      }
      item_lines_.close();
    }
  }
  const bool made = !item_begins_.empty();
  const BlockText& text = made ? item_lines_ : block_->text;
  const char* p = text.data() + (made ? item_begins_[item_] : items[item_].begin);
  const std::uint64_t count = path.score_lines(p, text.data() + text.size(), out, space);
  item_ += static_cast<std::size_t>(count);
  return count;
}

namespace {

std::string behind_lines(std::uint64_t lines) {
  return "; this row goes on for " + std::to_string(lines - 1) + (lines == 2 ? " line" : " lines") +
         ", whose rows are within its quotes";
}

}  // namespace

BlockRecords::Step BlockRecords::next_row(Record& record, InputError& problem) {
  while (at_ < block_->text.size()) {
    char* const first = block_->text.data() + at_;
    const CsvRow row =
        read_csv_row(first, block_->text.data() + block_->text.size(), block_->table->separator(), cells_);
    const auto size = static_cast<std::size_t>(row.next - first);
    record = {{}, lines_ + 1};
    at_ += size;
    lines_ += row.newlines;
    stopped_ = size > limits_.record_bytes || row.open;
    if (stopped_) {
      problem = size > limits_.record_bytes ? longer_than(limits_.record_bytes) : InputError{"", "syntax", kOpenQuote};
      at_ = block_->text.size();
      return Step::malformed;
    }
    if (cells_.size() == 1 && cells_[0].empty()) continue;
    if (row.behind_quote) {  // a quote that was not meant may have taken rows into its cell
      problem = {"", "syntax", std::string(kBehindQuote) + (row.newlines > 1 ? behind_lines(row.newlines) : "")};
      return Step::malformed;
    }
    if (cells_.size() != block_->table->size()) {  // the next one may be valid
      problem = {"", "syntax",
                 "the row has " + std::to_string(cells_.size()) + " cells, the header " +
                     std::to_string(block_->table->size()) + length_help(cells_, block_->table->size())};
      if (block_->table->begins_with_id() && !cells_[0].empty()) write_json_text(cells_[0], problem.id);
      return Step::malformed;
    }
    if (const auto [why, ends] = block_->table->no_record(cells_); !why.empty()) {
      problem = {"", "syntax", std::string(why)};
      stopped_ = ends;
      if (ends) at_ = block_->text.size();
      return Step::malformed;
    }
    row_.clear(std::size_t{1} << 20);
    char* const json = row_.room(block_->table->most(size));
    row_.add(static_cast<std::size_t>(block_->table->write(cells_, *model_, limits_.nesting, json) - json));
    row_.close();
    if (!is_utf8(row_.view())) {
      const auto bad = std::find_if_not(cells_.begin(), cells_.end(), is_utf8);
      const std::string column = block_->table->name(static_cast<std::size_t>(bad - cells_.begin()));
      problem = {column, "syntax", column + " is not valid UTF-8"};
      if (block_->table->begins_with_id() && is_utf8(cells_[0])) write_json_text(cells_[0], problem.id);
      return Step::malformed;
    }
    record.json = row_.view();
    return Step::record;
  }
  return Step::end;
}

BlockRecords::Step BlockRecords::next_npy_row(Record& record, InputError& problem) {
  if (at_ == block_->text.size()) return Step::end;
  npy_row_.clear();
  block_->npy->lines.append(npy_row_, block_->text.data() + at_);
  at_ += block_->npy->table.row_bytes;
  record = {{}, ++lines_};
  if (npy_row_.size() > limits_.record_bytes) {
    problem = longer_than(limits_.record_bytes);
    return Step::malformed;
  }
  row_.clear(std::size_t{1} << 20);
  row_.append(npy_row_);
  row_.close();
  record.json = row_.view();
  return Step::record;
}

}  // namespace assay
