// Buffered writing that checks every error, including close(). A file has no name until it is complete (O_TMPFILE), so
// that a killed run leaves nothing behind. On file systems without such files it is a hidden file beside the target,
// which is removed if a signal ends the process.
#include "repl/files/output.hpp"

#include "repl/files/files.hpp"
#include "repl/terminal/messages.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

namespace assay::cli {

namespace {

// Read by signal handlers. A name is stored before its file exists and removed after the file is gone or renamed, so
// that no moment is left in which a signal would leave the file behind.
char pending[PATH_MAX];  // the temporary file
std::atomic<bool> has_pending{false};
std::atomic<AtStake> on_standard_output{AtStake::nothing};
std::atomic<int> replacing{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
              std::atomic<AtStake>::is_always_lock_free);

void set_pending(const std::string& path) {
  has_pending = false;
  if (path.empty() || path.size() >= sizeof pending) return;
  std::memcpy(pending, path.c_str(), path.size() + 1);
  has_pending = true;
}

std::string cannot_write(const std::string& target, int code) {
  const std::string name = target.empty() ? "standard output" : "'" + printable(target) + "'";
  const std::filesystem::path parent = std::filesystem::path(target).parent_path();
  std::error_code failed;
  if (code == ENOENT && !parent.empty() && !std::filesystem::exists(parent, failed))
    return "cannot write " + name + ": there is no directory '" + printable(parent.string()) + "'";
  const char* why = code == EISDIR ? "it is a directory" : code == EBADF ? "it is closed" : std::strerror(code);
  return "cannot write " + name + ": " + why;
}

std::string reads_it(const std::string& target) {
  return "cannot write '" + printable(target) + "': this run reads it, so name another file";
}

// A hidden name beside the target that nothing else has: a number of 64 random bits.
std::string beside(const std::string& target) {
  const std::filesystem::path file(target);
  std::random_device random;
  char number[17];
  std::snprintf(number, sizeof number, "%08x%08x", random(), random());
  return (file.parent_path() / ("." + file.filename().string().substr(0, 200) + "." + number)).string();
}

// Resolves symbolic links: a link stays, and its target is written, whether it exists or not. False (and errno) if
// links form a cycle.
bool follow_links(std::string& path) {
  constexpr int kMostLinks = 40;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code none;
    const std::filesystem::path next = std::filesystem::read_symlink(path, none);
    if (none) return true;
    path = (std::filesystem::path(path).parent_path() / next).string();
  }
  errno = ELOOP;
  return false;
}

std::string open_path(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

// Makes a file without a name in the directory of the target; -1: the file system cannot.
int unnamed_file(const std::string& target) {
#ifdef O_TMPFILE
  const std::string directory = std::filesystem::path(target).parent_path().string();
  const int fd = ::open(directory.empty() ? "." : directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0 || ::access(open_path(fd).c_str(), F_OK) == 0) return fd;
  ::close(fd);  // without /proc it could not be named
  return -1;
#else
  return -1;
#endif
}

// Gives an unnamed file a name beside the target; empty (and errno): impossible.
std::string give_name(int fd, const std::string& target) {
  std::string name = beside(target);
  set_pending(name);
  if (::linkat(AT_FDCWD, open_path(fd).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return name;
  set_pending({});
  return {};
}

}  // namespace

void remove_unfinished_output() {
  if (has_pending) ::unlink(pending);
}

void end_by_signal(int signal) {
  remove_unfinished_output();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void end_in_order_by_signals() {
  // All that end a process and can be caught, except Ctrl-C, SIGPIPE and SIGXFSZ, which main() handles.
  for (const int signal : {SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU}) {
    if (std::signal(signal, end_by_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

AtStake at_stake() { return replacing > 0 ? AtStake::lines : on_standard_output.load(); }
void Output::mark(AtStake what) { on_standard_output.store(what, std::memory_order_relaxed); }

Replacing::Replacing() { ++replacing; }
Replacing::~Replacing() { --replacing; }

std::optional<Output> Output::open(const std::string& path, std::string& problem) {
  Output output;
  if (path.empty() || path == "-") return output;
  output.target_ = output.name_ = path;
  const auto refuse = [&](int code) {
    problem = cannot_write(path, code);
    return std::nullopt;
  };
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) return refuse(errno);
  if (exists ? S_ISDIR(status.st_mode) : path.back() == '/') return refuse(EISDIR);
  if (exists && ::access(output.target_.c_str(), W_OK) != 0) return refuse(errno);
  if (exists && !S_ISREG(status.st_mode)) {
    output.fd_ = ::open(output.target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (output.fd_ < 0) return refuse(errno);
    return output;
  }
  if (!follow_links(output.target_)) return refuse(errno);
  output.fd_ = unnamed_file(output.target_);
  output.unnamed_ = output.fd_ >= 0;
  if (!output.unnamed_) {
    std::string name = beside(output.target_);
    set_pending(name);
    output.fd_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (output.fd_ < 0) {
      const int code = errno;
      set_pending({});
      return refuse(code);
    }
    output.temporary_ = name;
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  (void)::fchmod(output.fd_, exists ? status.st_mode & 07777U : 0666U & ~mask);
  return output;
}

std::optional<Output> Output::open_answer(const std::string& path, std::string& problem) {
  std::optional<Output> output = open(path, problem);
  if (!output || output->target_.empty()) return output;
  output->answer_ = true;
  if (!has_read(output->target_)) return output;
  problem = reads_it(path);
  return std::nullopt;
}

Output::Output(Output&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      failure_(other.failure_),
      target_(std::move(other.target_)),
      name_(std::move(other.name_)),
      temporary_(std::exchange(other.temporary_, {})),
      unnamed_(std::exchange(other.unnamed_, false)),
      answer_(other.answer_),
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
  if (buffer_.empty()) return alive();
  const bool written = write_now(buffer_);
  buffer_.clear();
  return written;
}

bool Output::write_now(std::string_view rest) {
  if (fd_ == STDOUT_FILENO) mark(AtStake::lines);
  while (!rest.empty() && alive()) {
    const ssize_t count = ::write(fd_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      fail(errno);
      return false;
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  if (fd_ == STDOUT_FILENO) mark(AtStake::end);
  return alive();
}

bool Output::terminal() const { return target_.empty() && ::isatty(fd_) == 1; }

int Output::finish(int code) {
  flush();
  if (answer_ && alive() && (unnamed_ || !temporary_.empty()) && has_read(target_)) {
    discard();
    complain(reads_it(name_));
    return kRefused;
  }
  if (alive() && unnamed_) {
    temporary_ = give_name(fd_, target_);
    if (temporary_.empty()) fail(errno);
  }
  // Not synced: waiting for the disk can take longer than scoring, and lost output can be computed again.
  mark(AtStake::lines);  // the answer is complete: the run may end by itself, with its own exit code
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
