// The history has libedit's own format: a header line, then one entry per line, with blanks and line feeds as octal
// escapes. Files that earlier versions wrote through libedit can be read.
#include "repl/prompt/history.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace assay::cli {

namespace {

constexpr std::string_view kHead = "_HiStOrY_V2_";

std::string chosen_path() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') {
    const std::filesystem::path folder = std::filesystem::path(state) / "assay";
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (!failed) return (folder / "history").string();
  }
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.assay_history" : std::string();
}

bool octal(char c) { return c >= '0' && c <= '7'; }

std::string escaped(std::string_view entry) {
  std::string out;
  for (const char c : entry) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte != '\\' && byte != 0x7f) {
      out += c;
      continue;
    }
    out += '\\';
    for (const int shift : {6, 3, 0}) out += static_cast<char>('0' + ((byte >> shift) & 7));
  }
  return out;
}

std::string plain(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 1 == line.size()) {
      out += line[i];
    } else if (i + 3 < line.size() && octal(line[i + 1]) && octal(line[i + 2]) && octal(line[i + 3])) {
      out += static_cast<char>((line[i + 1] - '0') * 64 + (line[i + 2] - '0') * 8 + (line[i + 3] - '0'));
      i += 3;
    } else {
      out += line[++i];
    }
  }
  return out;
}

void append(const std::string& path, const std::string& text, int more) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | more, 0600);
  if (fd < 0) return;
  // a single write: concurrent sessions do not mix their entries
  const ssize_t written = ::write(fd, text.data(), text.size());
  (void)written;
  ::close(fd);
}

}  // namespace

HistoryFile::HistoryFile() : path_(chosen_path()) {
  if (path_.empty()) return;
  std::ifstream file(path_, std::ios::binary);
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line);) {
    if (line == kHead || line.empty()) continue;
    ++lines;
    entries_.push_back(plain(line));
  }
  if (entries_.size() > kMost) entries_.erase(entries_.begin(), entries_.end() - kMost);
  if (lines <= 2 * kMost) return;
  std::string text = std::string(kHead) + "\n";
  for (const std::string& entry : entries_) text += escaped(entry) + "\n";
  append(path_, text, O_TRUNC);
}

void HistoryFile::add(std::string_view entry) const {
  if (path_.empty()) return;
  std::error_code failed;
  const bool fresh = !std::filesystem::exists(path_, failed) || std::filesystem::file_size(path_, failed) == 0;
  append(path_, (fresh ? std::string(kHead) + "\n" : std::string()) + escaped(entry) + "\n", 0);
}

}  // namespace assay::cli
