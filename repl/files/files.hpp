// Reading files: whole rubrics, the files they import, and streams of records. Every failure is one sentence that names
// the file and the reason. "-" is standard input.
#pragma once

#include <assay/importer.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay::cli {

inline constexpr std::string_view kStandardInput = "<stdin>";

// How messages call the file of that path.
std::string file_label(const std::string& path);

// An open file, closed with its object. Moves, does not copy.
class InputFile {
 public:
  static std::optional<InputFile> open(const std::string& path, std::string& problem);
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

// The whole text, or its first `limit` + 1 bytes: enough for the library to refuse it.
std::optional<std::string> read_file(const std::string& path, std::size_t limit, std::string& problem);

// Imports are found beside the file that names them.
Importer file_importer();

}  // namespace assay::cli
