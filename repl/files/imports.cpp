// Opens files that a rubric names. A file is first opened as a location only (O_PATH), which neither blocks nor touches
// a device; its kind and location are checked on that descriptor, and the same file is then opened for reading through
// /proc.
#include "repl/files/imports.hpp"

#include "repl/terminal/messages.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string proc_path(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

// The location of an open file, symbolic links resolved; empty: the system does not tell.
std::string real_path(int fd) {
  std::string path(PATH_MAX, '\0');
  const ssize_t size = ::readlink(proc_path(fd).c_str(), path.data(), path.size());
  path.resize(size > 0 && static_cast<std::size_t>(size) < path.size() ? static_cast<std::size_t>(size) : 0);
  return path;
}

enum class Kind : std::uint8_t { named, import };

// Opens a file that the command line or a rubric names. Nothing (and `problem`) if reading it is not allowed or fails;
// a missing import is not reported here.
std::optional<InputFile> open_place(const std::string& path, const Roots& roots, Kind kind, std::string& problem) {
  const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  const int failure = errno;
  const auto outside = [&] {
    problem = cannot_read(path, roots.refusal().c_str());
    return std::nullopt;
  };
  if (!roots.empty()) {
    // Missing files are checked as well, so that nobody learns which files exist outside.
    std::error_code unresolved;
    const std::string real =
        place.get() >= 0 ? real_path(place.get()) : fs::weakly_canonical(path, unresolved).string();
    const bool direct = kind == Kind::named && fs::absolute(path, unresolved).lexically_normal() == real;
    if (!direct && (unresolved || !roots.hold(real))) return outside();
  }
  struct stat status {};
  if (place.get() < 0 && failure == ENOENT && kind == Kind::import) return std::nullopt;
  if (place.get() < 0 || ::fstat(place.get(), &status) != 0) {
    problem = cannot_read(path, reason(place.get() < 0 ? failure : errno));
    if (failure == ENOENT && place.get() < 0 && roots.empty()) problem += file_meant(path);
    return std::nullopt;
  }
  if (kind == Kind::import && !S_ISREG(status.st_mode)) {
    problem = cannot_read(path, S_ISDIR(status.st_mode) ? reason(EISDIR) : "it is not a regular file");
    return std::nullopt;
  }
  const int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (kind == Kind::import ? O_NONBLOCK : 0);
  int fd = ::open(proc_path(place.get()).c_str(), flags);
  if (fd < 0 && errno == ENOENT && roots.empty()) fd = ::open(path.c_str(), flags);  // a system without /proc
  if (fd < 0) {
    problem = cannot_read(path, reason(errno));
    return std::nullopt;
  }
  return InputFile::adopt(fd, path, problem);
}

// Reads the whole file, or its first `limit` + 1 bytes.
std::optional<std::string> read_some(InputFile& file, std::size_t limit, std::string& problem) {
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= limit) {
    const long count = file.read(buffer, std::min(sizeof buffer, limit + 1 - text.size()));
    if (count < 0) {
      problem = file.problem();
      return std::nullopt;
    }
    if (count == 0) break;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace

std::optional<Roots> Roots::open(const std::vector<std::string>& directories, std::string& problem) {
  Roots roots;
  for (const std::string& directory : directories) {
    std::error_code failed;
    const fs::path path = fs::canonical(directory, failed);
    if (directory.empty() || failed || !fs::is_directory(path, failed)) {
      problem = "--root: '" + printable(directory) + "' is not a directory";
      return std::nullopt;
    }
    roots.names_.push_back(directory);
    roots.paths_.push_back(path.string());
  }
  return roots;
}

bool Roots::hold(std::string_view real_path) const {
  return std::any_of(paths_.begin(), paths_.end(), [&](const std::string& root) {
    if (!real_path.starts_with(root)) return false;
    return real_path.size() == root.size() || root.back() == '/' || real_path[root.size()] == '/';
  });
}

std::string Roots::refusal() const {
  std::string text = "it is outside of --root";
  for (std::size_t i = 0; i < names_.size(); ++i) text += (i == 0 ? " '" : " and '") + printable(names_[i]) + "'";
  return text;
}

Importer file_importer(Roots roots, std::size_t limit) {
  return [roots = std::move(roots), limit](std::string_view path, std::string_view from,
                                           std::string& name) -> std::optional<std::string> {
    if (path.find('\0') != std::string_view::npos) return std::nullopt;
    name = (fs::path(from).parent_path() / fs::path(path)).lexically_normal().string();
    std::string problem;
    std::optional<std::string> text;
    if (std::optional<InputFile> file = open_place(name, roots, Kind::import, problem))
      text = read_some(*file, limit, problem);
    // The diagnostic at the import can only say that the file cannot be read, so the reason is a note; but not for a
    // module of the standard library, which is used if no file has its name.
    if (!problem.empty() && !path.starts_with("std/")) note(problem);
    return text;
  };
}

std::optional<std::string> read_rubric(const std::string& path, const Roots& roots, std::size_t limit,
                                       std::string& problem) {
  std::optional<InputFile> file =
      path == "-" || roots.empty() ? InputFile::open(path, problem) : open_place(path, roots, Kind::named, problem);
  if (!file) return std::nullopt;
  return read_some(*file, limit, problem);
}

}  // namespace assay::cli
