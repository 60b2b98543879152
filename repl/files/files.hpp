// Opens files for reading. Every failure is one sentence that names the file and the reason. "-" is standard input, which
// can be read once: a second opening would find nothing, and that would look like an empty file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay::cli {

inline constexpr std::string_view kStandardInput = "<stdin>";

// The name of a file in messages.
std::string file_label(const std::string& path);
// ".csv" for "a/b.csv"; empty: the name has no ending.
std::string file_ending(const std::string& path);
// "cannot read 'x': it is a directory"; the reason comes from the system's error number.
std::string cannot_read(const std::string& label, const char* why);
const char* reason(int code);
// "; did you mean 'hotel.rubric'?", of the same folder, for a file that is not there. Empty: no name is near.
std::string file_meant(const std::string& path);

// An open file, closed by the destructor. Can be moved, not copied.
class InputFile {
 public:
  static std::optional<InputFile> open(const std::string& path, std::string& problem);
  // Takes over an open descriptor, and closes it with the object.
  static std::optional<InputFile> adopt(int fd, const std::string& path, std::string& problem);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  // Returns the bytes read; 0 at the end; negative on a failure, which `problem()` then describes.
  long read(char* buffer, std::size_t size);
  // The sentence for a file with invalid content.
  std::string unreadable(const char* why) const;
  // Whether a read might block: the moment to write out what is buffered.
  bool would_wait() const;
  const std::string& problem() const { return problem_; }

 private:
  InputFile(int fd, bool regular, std::string label) : fd_(fd), regular_(regular), label_(std::move(label)) {}
  int fd_ = -1;
  bool regular_ = false;
  std::string label_;
  std::string problem_;
};

// Whether this process has opened the file at `path` for reading, under any name.
bool has_read(const std::string& path);

// Whether the file can be opened later, without opening it now (that would disturb a pipe).
bool readable(const std::string& path, std::string& problem);

}  // namespace assay::cli
