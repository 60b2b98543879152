// Runs a program to its end with files as its standard streams. With files instead of pipes, nothing can block.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay_tests {

struct Streams {
  std::filesystem::path in, out, err;
  std::filesystem::path directory;  // the working directory; empty: the current one
};

// Returns the exit code, 128 + the signal's number if a signal ended the program, or 127 if it could not be started.
int run_child(const std::vector<std::string>& command, const Streams& streams);

// An empty directory that is removed at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory();  // throws std::runtime_error
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace assay_tests
