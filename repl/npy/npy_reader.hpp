// The rows of a .npy file as they come, from bytes that somebody else reads: as many at a time as one reading brings, so
// that memory is bounded by one row and one reading, and a row that comes alone through a pipe is there at once.
#pragma once

#include "repl/npy/npy_header.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace assay::cli {

class NpyReader {
 public:
  // Fills a buffer and returns the bytes read; 0 at the end; negative on a failure.
  using Read = std::function<long(char* buffer, std::size_t size)>;

  // Reads the header. False: problem() says why, ending "cannot read 'x': ", or is empty when `read` failed.
  bool open(const Read& read);
  const NpyTable& table() const { return table_; }

  enum class Status : std::uint8_t { rows, end, failed };
  // rows: at least one, whole, in `rows` until the next call. failed: as of open(); also when the file ends before the
  // last row that its header promises, or goes on behind it.
  Status next(const Read& read, std::string_view& rows);
  const std::string& problem() const { return problem_; }

 private:
  long more(const Read& read, std::size_t size);
  std::string_view unread() const { return std::string_view(buffer_).substr(used_, end_ - used_); }

  NpyTable table_;
  std::string buffer_;  // of which there is something from used_ to end_
  std::size_t used_ = 0, end_ = 0;
  std::uint64_t seen_ = 0;  // rows given out
  std::string problem_;
};

}  // namespace assay::cli
