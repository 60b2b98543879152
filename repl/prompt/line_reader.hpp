// Entries from a user: on a terminal, edited over several lines, with colours, completion and a history; otherwise
// plain lines (so that a session can be a test). The only place that uses libedit.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

// A completion of the word before the cursor.
struct Candidate {
  std::string insert;  // replaces the text from `begin` to the cursor
  std::string label, detail, prose;
};
struct Candidates {
  std::size_t begin = 0;  // in bytes of the entry
  std::vector<Candidate> all;
  std::string hint;  // if there is nothing to complete: the call that contains the cursor
};

// The colour of a part of the entry, as the parameters of an escape sequence: "36".
struct Paint {
  std::size_t begin = 0, end = 0;  // bytes
  const char* colour = "";
};

// Functions that the reader calls while the user types; each may be empty. `at`: bytes of the entry before the cursor.
struct Helpers {
  std::function<Candidates(std::string_view entry, std::size_t at)> complete;
  std::function<std::vector<Paint>(std::string_view entry)> colours;
  std::function<bool(std::string_view entry)> unfinished;  // Enter then starts another line
  std::function<std::string()> idle;                       // called from time to time; its result is shown
};

class LineReader {
 public:
  explicit LineReader(Helpers helpers);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  bool interactive() const { return terminal_ != nullptr; }
  // The next entry without its last newline; nothing at the end. Without a terminal: the next line.
  std::optional<std::string> read(const std::string& prompt);

 private:
  struct Terminal;
  std::optional<std::string> read_plain();

  std::unique_ptr<Terminal> terminal_;  // null: standard input or output is not a terminal
  std::string buffer_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

}  // namespace assay::cli
