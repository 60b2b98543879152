// Open files that are read. Every failure is one sentence that names the file and the reason. "-" is standard input.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay::cli {

inline constexpr std::string_view kStandardInput = "<stdin>";

// How messages call the file of that path.
std::string file_label(const std::string& path);
// ".csv" of "a/b.csv"; empty: its name has no ending.
std::string file_ending(const std::string& path);
// "cannot read 'x': it is a directory"; the reason as the system's error number gives it.
std::string cannot_read(const std::string& label, const char* why);
const char* reason(int code);

// An open file, closed with its object. Moves, does not copy.
class InputFile {
 public:
  static std::optional<InputFile> open(const std::string& path, std::string& problem);
  // Of a file that is open already, and is closed with the object.
  static std::optional<InputFile> adopt(int fd, const std::string& path, std::string& problem);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  // Bytes read; 0 at the end; negative on a failure, which `problem()` then describes.
  long read(char* buffer, std::size_t size);
  // The sentence for a file whose content is not what it should be.
  std::string unreadable(const char* why) const;
  // Whether a read might have to wait for somebody: the moment to hand out what was written so far.
  bool would_wait() const;
  const std::string& problem() const { return problem_; }

 private:
  InputFile(int fd, bool regular, std::string label) : fd_(fd), regular_(regular), label_(std::move(label)) {}
  int fd_ = -1;
  bool regular_ = false;
  std::string label_;
  std::string problem_;
};

// Whether the file can be opened later, without opening it (that would disturb a pipe).
bool readable(const std::string& path, std::string& problem);

}  // namespace assay::cli
