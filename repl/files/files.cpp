// Reads through POSIX calls, because their errors distinguish cases that C++ streams do not: a directory, a missing
// file, a file without permission, a read that failed halfway.
#include "repl/files/files.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

namespace assay::cli {

std::string cannot_read(const std::string& label, const char* why) {
  return "cannot read '" + printable(label) + "': " + why;
}

const char* reason(int code) {
  switch (code) {
    case ENOENT: return "there is no such file";
    case EACCES: return "permission denied";
    case EISDIR: return "it is a directory";
    case EBADF: return "it is closed";
    case ENOTDIR: return "a part of its path is not a directory";
    default: return std::strerror(code);
  }
}

std::string file_label(const std::string& path) { return path == "-" ? std::string(kStandardInput) : path; }

namespace {

// Standard input belongs to the process, and so does what has been read of it.
bool standard_input_taken = false;
std::set<std::pair<dev_t, ino_t>> files_read;  // by this process, which opens files on one thread

std::string only_once(const std::string& label) {
  return cannot_read(label, "it is read already, and only one file can be standard input");
}

}  // namespace

std::string file_ending(const std::string& path) { return std::filesystem::path(path).extension().string(); }

std::optional<InputFile> InputFile::open(const std::string& path, std::string& problem) {
  if (path != "-") return adopt(::open(path.c_str(), O_RDONLY | O_CLOEXEC), path, problem);
  if (std::exchange(standard_input_taken, true)) {
    problem = only_once(file_label(path));
    return std::nullopt;
  }
  return adopt(STDIN_FILENO, path, problem);
}

std::optional<InputFile> InputFile::adopt(int fd, const std::string& path, std::string& problem) {
  const std::string label = file_label(path);
  struct stat status {};
  if (fd < 0 || ::fstat(fd, &status) != 0) {
    const int code = errno;
    problem = cannot_read(label, reason(code)) + (code == ENOENT ? file_meant(path) : "");
    return std::nullopt;
  }
  InputFile file(fd, S_ISREG(status.st_mode), label);
  if (S_ISREG(status.st_mode)) files_read.emplace(status.st_dev, status.st_ino);
#ifdef F_SETPIPE_SZ
  if (S_ISFIFO(status.st_mode)) (void)::fcntl(fd, F_SETPIPE_SZ, 1 << 20);  // so that the writer need not wait for us
#endif
  if (S_ISDIR(status.st_mode)) {
    problem = cannot_read(label, reason(EISDIR));
    return std::nullopt;
  }
  return file;
}

InputFile::InputFile(InputFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      regular_(other.regular_),
      label_(std::move(other.label_)),
      problem_(std::move(other.problem_)) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(regular_, other.regular_);
  std::swap(label_, other.label_);
  std::swap(problem_, other.problem_);
  return *this;
}

std::string InputFile::unreadable(const char* why) const { return cannot_read(label_, why); }

InputFile::~InputFile() {
  if (fd_ > STDIN_FILENO) ::close(fd_);
}

long InputFile::read(char* buffer, std::size_t size) {
  for (;;) {
    // Checked for each read: skipping an endless line only reads, and a file that never blocks never fails.
    const bool ends = interrupted();
    const ssize_t count = ends ? -1 : ::read(fd_, buffer, size);
    if (count >= 0) return count;
    if (ends) errno = EINTR;
    if (errno == EINTR && !interrupted()) continue;
    problem_ = cannot_read(label_, reason(errno));
    return -1;
  }
}

bool InputFile::would_wait() const {
  if (regular_) return false;
  pollfd ready{fd_, POLLIN, 0};
  return ::poll(&ready, 1, 0) == 0;
}

std::string file_meant(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr std::size_t kMost = 2000;  // names of a folder
  const fs::path missing(path);
  const std::string stem = missing.stem().string(), ending = missing.extension().string();
  // A name with the same ending, or another ending of the same name: two differences are another file.
  std::vector<std::string> stems, endings;
  std::error_code failed;
  std::size_t count = 0;
  for (fs::directory_iterator entry(missing.has_parent_path() ? missing.parent_path() : ".", failed), end;
       !failed && entry != end && count++ < kMost; entry.increment(failed)) {
    std::error_code unknown;
    if (entry->is_directory(unknown)) continue;
    const fs::path name = entry->path().filename();
    if (name.extension() == ending) stems.push_back(name.stem().string());
    if (name.stem() == stem) endings.push_back(name.extension().string());
  }
  std::sort(stems.begin(), stems.end());  // the system has no order
  std::sort(endings.begin(), endings.end());
  const std::string near_ending = ending.empty() && endings.size() == 1 ? endings.front() : nearest(ending, endings);
  const std::string near_stem = near_ending.empty() ? nearest(stem, stems) : "";
  if (near_ending.empty() && near_stem.empty()) return {};
  const fs::path meant = missing.parent_path() / (near_ending.empty() ? near_stem + ending : stem + near_ending);
  return "; did you mean '" + printable(meant.string()) + "'?";
}

bool has_read(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && files_read.count({status.st_dev, status.st_ino}) > 0;
}

bool readable(const std::string& path, std::string& problem) {
  if (path == "-") {
    if (standard_input_taken) problem = only_once(file_label(path));
    return !standard_input_taken;
  }
  struct stat status {};
  int code = ::stat(path.c_str(), &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
  if (code == 0 && ::access(path.c_str(), R_OK) != 0) code = errno;
  if (code == 0) return true;
  problem = cannot_read(path, reason(code)) + (code == ENOENT ? file_meant(path) : "");
  return false;
}

}  // namespace assay::cli
