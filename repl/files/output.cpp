// Buffered writing with every error noticed, down to close(). A signal that ends the process takes the temporary file
// along.
#include "repl/files/output.hpp"

#include "repl/terminal/messages.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace assay::cli {

namespace {

char pending[PATH_MAX];  // the temporary file that a signal has to remove; empty: none

void set_pending(const std::string& path) {
  if (path.size() >= sizeof pending) return;
  std::memcpy(pending, path.c_str(), path.size() + 1);
  for (const int signal : {SIGTERM, SIGHUP}) std::signal(signal, path.empty() ? SIG_DFL : end_by_signal);
}

std::string cannot_write(const std::string& target, int code) {
  const std::string name = target.empty() ? "standard output" : "'" + printable(target) + "'";
  const char* why = code == EISDIR ? "it is a directory" : code == EBADF ? "it is closed" : std::strerror(code);
  return "cannot write " + name + ": " + why;
}

}  // namespace

void end_by_signal(int signal) {
  if (pending[0] != '\0') ::unlink(pending);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::optional<Output> Output::open(const std::string& path, std::string& problem) {
  Output output;
  if (path.empty() || path == "-") return output;
  std::error_code resolved;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, resolved);  // a link stays a link
  output.target_ = resolved ? path : real.string();
  output.name_ = path;
  const auto refuse = [&](int code) {
    problem = cannot_write(path, code);
    return std::nullopt;
  };
  struct stat status {};
  const bool exists = ::stat(output.target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return refuse(EISDIR);
  if (exists && ::access(output.target_.c_str(), W_OK) != 0) return refuse(errno);
  if (exists && !S_ISREG(status.st_mode)) {
    output.fd_ = ::open(output.target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (output.fd_ < 0) return refuse(errno);
    return output;
  }
  const std::filesystem::path file(output.target_);
  std::string name = (file.parent_path() / ("." + file.filename().string().substr(0, 200) + ".XXXXXX")).string();
  output.fd_ = ::mkstemp(name.data());
  if (output.fd_ < 0) return refuse(errno);
  output.temporary_ = name;
  set_pending(name);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  (void)::fchmod(output.fd_, exists ? status.st_mode & 07777U : 0666U & ~mask);
  return output;
}

Output::Output(Output&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      failure_(other.failure_),
      target_(std::move(other.target_)),
      name_(std::move(other.name_)),
      temporary_(std::exchange(other.temporary_, {})),
      buffer_(std::exchange(other.buffer_, {})) {}

Output::~Output() {
  if (fd_ == STDOUT_FILENO && failure_ == 0) flush();
  discard();
}

void Output::discard() {
  if (fd_ > STDERR_FILENO) ::close(fd_);
  fd_ = -1;
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  temporary_.clear();
  set_pending({});
}

void Output::fail(int code) {
  if (failure_ == 0) failure_ = code == 0 ? EIO : code;
  buffer_.clear();
}

bool Output::flush() {
  const bool written = write_now(buffer_);
  buffer_.clear();
  return written;
}

bool Output::write_now(std::string_view rest) {
  while (!rest.empty() && alive()) {
    const ssize_t count = ::write(fd_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      fail(errno);
      return false;
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  return alive();
}

bool Output::terminal() const { return target_.empty() && ::isatty(fd_) == 1; }

int Output::finish(int code) {
  flush();
  // Not synced: waiting for the disk can take longer than scoring, and what is lost with the machine can be made again.
  const int fd = std::exchange(fd_, -1);
  if (fd >= 0 && ::close(fd) != 0 && errno != EINTR) fail(errno);
  if (alive() && !temporary_.empty()) {
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
      fail(errno);
    } else {
      temporary_.clear();
      set_pending({});
    }
  }
  discard();
  if (alive()) return code;
  if (failure_ == EPIPE) return kDone;
  complain(cannot_write(name_, failure_));
  return kRefused;
}

}  // namespace assay::cli
