// A temporary file of the C library: it has no name, so nothing is left behind however the process ends.
#include "repl/files/spool.hpp"

#include <cerrno>
#include <cstring>

namespace assay::cli {

Spool::~Spool() {
  if (file_ != nullptr) std::fclose(file_);
}

bool Spool::fail() {
  problem_ = std::string("the temporary file of the second pass failed: ") + std::strerror(errno);
  return false;
}

bool Spool::open(std::string& problem) {
  file_ = std::tmpfile();
  if (file_ != nullptr) return true;
  fail();
  problem = problem_;
  return false;
}

bool Spool::write(std::string_view bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size() || fail();
}

bool Spool::rewind() { return (std::fflush(file_) == 0 && std::fseek(file_, 0, SEEK_SET) == 0) || fail(); }

long Spool::read(char* buffer, std::size_t size) {
  const std::size_t count = std::fread(buffer, 1, size, file_);
  if (count > 0 || std::ferror(file_) == 0) return static_cast<long>(count);
  fail();
  return -1;
}

}  // namespace assay::cli
