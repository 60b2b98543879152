// Bytes that are written once and then read once: an unnamed temporary file, which disappears with the process.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace assay::cli {

class Spool {
 public:
  Spool() = default;
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  // False: `problem` gives the system's reason: no space, no permission.
  bool open(std::string& problem);
  bool write(std::string_view bytes);         // false: problem()
  bool rewind();                              // starts reading; false: problem()
  long read(char* buffer, std::size_t size);  // returns the bytes read; 0: end; negative: problem()
  const std::string& problem() const { return problem_; }

 private:
  bool fail();
  std::FILE* file_ = nullptr;
  std::string problem_;
};

}  // namespace assay::cli
