// Looking at the beginning of a file without losing it.
#include "repl/files/record_file.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

#include <algorithm>
#include <cstring>

namespace assay::cli {

namespace {

constexpr std::size_t kRaw = std::size_t{1} << 16;

constexpr std::pair<std::string_view, Format> kFormats[] = {
    {"ndjson", Format::ndjson}, {"jsonl", Format::ndjson}, {"json", Format::json},
    {"csv", Format::csv},       {"tsv", Format::tsv},      {"npy", Format::npy},
};

std::optional<Format> format_named(std::string_view name) {
  for (const auto& [known, format] : kFormats) {
    if (known == name) return format;
  }
  return std::nullopt;
}

bool names_packed(const std::string& path) { return path.ends_with(".gz") || path.ends_with(".zst"); }

// That of a compressed file left out: of "records.csv.gz" it is "csv".
std::string ending(const std::string& path) {
  const std::string last = file_ending(names_packed(path) ? path.substr(0, path.rfind('.')) : path);
  return last.empty() ? last : last.substr(1);
}

std::string unknown_ending(const std::string& label) {
  std::string problem = "the ending of '" + printable(label) + "' does not say how its records are written; known are ";
  for (const auto& [known, format] : kFormats)
    problem += (known == kFormats[0].first ? "." : ", .") + std::string(known);
  return problem + ", also with .gz or .zst; --from says it whatever the name";
}

}  // namespace

std::optional<RecordFile> RecordFile::open(const std::string& path, const std::string& from, const Rubric& rubric,
                                           bool strict, std::string& problem) {
  std::optional<InputFile> input = InputFile::open(path, problem);
  if (!input) return std::nullopt;
  RecordFile file(std::move(*input), file_label(path), strict);
  if (file.detect_packing() && file.detect_format(path, from, rubric)) return file;
  problem = file.problem_;
  return std::nullopt;
}

// Reads from the file behind what is unread. False: its end, or a failure.
bool RecordFile::more(std::size_t size) {
  if (ended_) return false;
  raw_.erase(0, used_);
  used_ = 0;
  const std::size_t old = raw_.size();
  raw_.resize(old + size);
  const long count = file_.read(raw_.data() + old, size);
  raw_.resize(old + static_cast<std::size_t>(std::max(count, 0L)));
  ended_ = count <= 0;
  if (count < 0) problem_ = file_.problem();
  return count > 0;
}

bool RecordFile::detect_packing() {
  const auto begins = [this](std::string_view magic) { return unread().substr(0, magic.size()) == magic; };
  const auto may_begin = [this](std::string_view magic) {
    return unread().size() < magic.size() && magic.substr(0, unread().size()) == unread();
  };
  while (may_begin(kGzip) || may_begin(kZstd)) {
    if (!more(kRaw)) break;
  }
  if (begins(kGzip)) unpack_ = unpack_gzip();
  if (begins(kZstd)) unpack_ = unpack_zstd();
  return problem_.empty();
}

bool RecordFile::detect_format(const std::string& path, const std::string& from, const Rubric& rubric) {
  std::optional<Format> format = format_named(from);
  if (!format && path != "-") {
    const std::string last = ending(path);
    format = format_named(last);
    if (!format && !last.empty() && (!unpack_ || names_packed(path))) {
      problem_ = unknown_ending(label_);
      return false;
    }
  }
  if (!format) {  // nothing says what it is: an array begins with '[', and what begins as .npy does is no text
    char buffer[4096];
    const std::string_view space = " \t\r\n\xef\xbb\xbf";
    while (sniffed_.find_first_not_of(space) == std::string::npos && sniffed_.size() < (std::size_t{1} << 20)) {
      const long count = unpacked(buffer, sizeof buffer);
      if (count < 0) return false;
      if (count == 0) break;
      sniffed_.append(buffer, static_cast<std::size_t>(count));
    }
    const std::size_t first = sniffed_.find_first_not_of(space);
    const char begin = first == std::string::npos ? ' ' : sniffed_[first];
    format = begin == '[' ? Format::json : begin == kNpyMagic.front() ? Format::npy : Format::ndjson;
  }
  format_ = beginning_.format = *format;
  return format_ != Format::npy || open_npy(rubric);
}

std::string RecordFile::unreadable(std::string_view why) const { return file_.unreadable(printable(why).c_str()); }

// Reads the header and keeps it for whoever reads the file.
bool RecordFile::open_npy(const Rubric& rubric) {
  std::string why;
  const auto refuse = [&] {
    if (problem_.empty()) problem_ = unreadable(why);
    return false;
  };
  char buffer[4096];
  std::optional<std::size_t> wanted = npy_header_bytes(sniffed_, why);
  while (wanted && (*wanted == 0 || sniffed_.size() < *wanted)) {
    const long count = unpacked(buffer, sizeof buffer);
    if (count == 0) why = sniffed_.empty() ? "it is empty" : "it ends within its header";
    if (count <= 0) return refuse();
    sniffed_.append(buffer, static_cast<std::size_t>(count));
    if (*wanted == 0) wanted = npy_header_bytes(sniffed_, why);
  }
  if (!wanted) return refuse();
  std::optional<NpyTable> table = parse_npy_header(std::string_view(sniffed_).substr(0, *wanted), why);
  if (!table) return refuse();
  std::optional<std::vector<NpyInput>> inputs = npy_inputs(*table, rubric, strict_, why);
  if (!inputs) return refuse();
  table_ = std::move(*table);
  inputs_ = std::move(*inputs);
  for (const NpyField& field : table_.fields) beginning_.fields.push_back(field.path);
  return true;
}

long RecordFile::unpacked(char* buffer, std::size_t size) {
  if (!unpack_) {
    if (!unread().empty()) {
      const std::size_t count = unread().copy(buffer, size);
      used_ += count;
      return static_cast<long>(count);
    }
    if (ended_) return problem_.empty() ? 0 : -1;
    const long count = file_.read(buffer, size);
    ended_ = count <= 0;
    if (count < 0) problem_ = file_.problem();
    return count;
  }
  for (;;) {
    if (interrupted()) return -1;  // little that is packed may be endless unpacked
    std::string_view input = unread();
    std::string why;
    const long count = unpack_(input, ended_, buffer, size, why);
    used_ = raw_.size() - input.size();
    if (count > 0) return count;
    if (count < 0) problem_ = file_.unreadable(why.c_str());
    if (count < 0) return -1;
    if (!problem_.empty()) return -1;
    if (ended_) return 0;
    (void)more(kRaw);
    if (!problem_.empty()) return -1;
  }
}

long RecordFile::read(char* buffer, std::size_t size) {
  long count = 0;
  if (!sniffed_.empty()) {
    count = static_cast<long>(sniffed_.copy(buffer, size));
    sniffed_.erase(0, static_cast<std::size_t>(count));
  } else {
    count = unpacked(buffer, size);
  }
  if (count <= 0) return count;
  bytes_ += static_cast<std::uint64_t>(count);
  if (beginning_.whole && !strict_ && format_ != Format::npy) keep({buffer, static_cast<std::size_t>(count)});
  return count;
}

void RecordFile::keep(std::string_view read) {
  const std::size_t room = Beginning::kMost - beginning_.text.size();
  beginning_.whole = read.size() <= room;
  beginning_.text.append(read.substr(0, room));
}

}  // namespace assay::cli
