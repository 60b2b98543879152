// Reading through POSIX calls, because their errors tell apart what streams blur: a directory, a missing file, a file
// that may not be read, a read that failed half way.
#include "repl/files/files.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

#include <assay/limits.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace assay::cli {

namespace {

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

}  // namespace

std::string file_label(const std::string& path) { return path == "-" ? std::string(kStandardInput) : path; }

std::optional<InputFile> InputFile::open(const std::string& path, std::string& problem) {
  const std::string label = file_label(path);
  const int fd = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (fd < 0 || ::fstat(fd, &status) != 0) {
    problem = cannot_read(label, reason(errno));
    return std::nullopt;
  }
  InputFile file(fd, S_ISREG(status.st_mode), label);
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
    const ssize_t count = ::read(fd_, buffer, size);
    if (count >= 0) return count;
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

bool readable(const std::string& path, std::string& problem) {
  if (path == "-") return true;
  struct stat status {};
  int code = ::stat(path.c_str(), &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
  if (code == 0 && ::access(path.c_str(), R_OK) != 0) code = errno;
  if (code == 0) return true;
  problem = cannot_read(path, reason(code));
  return false;
}

std::optional<std::string> read_file(const std::string& path, std::size_t limit, std::string& problem) {
  std::optional<InputFile> file = InputFile::open(path, problem);
  if (!file) return std::nullopt;
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= limit) {
    const long count = file->read(buffer, sizeof buffer);
    if (count < 0) {
      problem = file->problem();
      return std::nullopt;
    }
    if (count == 0) break;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  if (text.size() > limit + 1) text.resize(limit + 1);
  return text;
}

Importer file_importer() {
  return [](std::string_view path, std::string_view from, std::string& name) -> std::optional<std::string> {
    const std::filesystem::path beside = std::filesystem::path(from).parent_path();
    name = (beside / std::filesystem::path(path)).lexically_normal().string();
    std::string problem;
    struct stat status {};
    if (::stat(name.c_str(), &status) != 0 && errno == ENOENT) return std::nullopt;
    std::optional<std::string> text = read_file(name, Limits{}.source_bytes, problem);
    if (!text) note(problem);  // the diagnostic at the import can only say that it is not there
    return text;
  };
}

}  // namespace assay::cli
