// Looking at the beginning of a file without losing it.
#include "repl/record_file.hpp"

#include <algorithm>
#include <cstring>

namespace assay::cli {

namespace {

constexpr std::size_t kRaw = std::size_t{1} << 16;

std::optional<Format> format_named(std::string_view name) {
  if (name == "ndjson" || name == "jsonl") return Format::ndjson;
  if (name == "json") return Format::json;
  if (name == "csv") return Format::csv;
  return std::nullopt;
}

// By the ending, that of a compressed file left out: "records.csv.gz".
std::optional<Format> format_of_file(std::string_view path) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::nullopt : format_named(path.substr(dot + 1));
}

}  // namespace

std::optional<RecordFile> RecordFile::open(const std::string& path, const std::string& from, std::string& problem) {
  std::optional<InputFile> input = InputFile::open(path, problem);
  if (!input) return std::nullopt;
  RecordFile file(std::move(*input), file_label(path));
  if (file.detect_packing() && file.detect_format(path, from)) return file;
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

bool RecordFile::detect_format(const std::string& path, const std::string& from) {
  std::optional<Format> format = format_named(from);
  if (!format) format = format_of_file(path);
  if (!format) {  // nothing says what it is: an array begins with '['
    char buffer[4096];
    const std::string_view space = " \t\r\n\xef\xbb\xbf";
    while (sniffed_.find_first_not_of(space) == std::string::npos && sniffed_.size() < (std::size_t{1} << 20)) {
      const long count = unpacked(buffer, sizeof buffer);
      if (count < 0) return false;
      if (count == 0) break;
      sniffed_.append(buffer, static_cast<std::size_t>(count));
    }
    const std::size_t first = sniffed_.find_first_not_of(space);
    format = first != std::string::npos && sniffed_[first] == '[' ? Format::json : Format::ndjson;
  }
  format_ = *format;
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
  if (count > 0) bytes_ += static_cast<std::uint64_t>(count);
  return count;
}

}  // namespace assay::cli
