// Lines from a person: with editing, history and completion on a terminal, plain lines from anything else (so that a
// session can be a test). The only place that knows libedit.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

// What the word at the cursor could become. `line` is everything before the cursor, `word` its last word.
struct Completions {
  bool file_names = false;
  std::vector<std::string> words;
};
using Completer = std::function<Completions(std::string_view line, std::string_view word)>;

class LineReader {
 public:
  explicit LineReader(Completer completer);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  bool interactive() const { return interactive_; }
  // The next line without its newline; nothing at the end.
  std::optional<std::string> read(const char* prompt);

 private:
  std::optional<std::string> read_plain();

  bool interactive_ = false;
  std::string history_file_;  // empty: not kept
  std::string last_;
  std::string buffer_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

}  // namespace assay::cli
