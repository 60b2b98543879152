// libedit through its readline face, which wants global callbacks: they live here and nowhere else.
#include "repl/session/line_reader.hpp"

#include "repl/terminal/interruption.hpp"

#include <editline/readline.h>
#include <unistd.h>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace assay::cli {

namespace {

constexpr int kHistoryLines = 1000;

Completer current_completer;
std::vector<std::string> matches;
std::size_t next_match = 0;

char* generate(const char*, int state) {
  if (state == 0) next_match = 0;
  if (next_match == matches.size()) return nullptr;
  return ::strdup(matches[next_match++].c_str());
}

char** complete(const char* text, int start, int end) {
  rl_attempted_completion_over = 1;
  rl_completion_append_character = '\0';
  if (!current_completer || start < 0 || end < 0) return nullptr;
  const std::string_view line = rl_line_buffer == nullptr ? std::string_view() : std::string_view(rl_line_buffer);
  Completions completions = current_completer(line.substr(0, static_cast<std::size_t>(end)), text);
  if (completions.file_names) {
    rl_attempted_completion_over = 0;  // libedit's own
    return nullptr;
  }
  matches = std::move(completions.words);
  return matches.empty() ? nullptr : rl_completion_matches(text, generate);
}

// $XDG_STATE_HOME/assay/history where that is set, else ~/.assay_history.
std::string choose_history_file() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') {
    const std::filesystem::path folder = std::filesystem::path(state) / "assay";
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (!failed) return (folder / "history").string();
  }
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.assay_history" : std::string();
}

}  // namespace

LineReader::LineReader(Completer completer) {
  interactive_ = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
  if (!interactive_) return;
  std::setlocale(LC_CTYPE, "");  // characters of more than one byte can be edited
  static char name[] = "assay";
  static char breaks[] = " \t()[]{},=";
  rl_readline_name = name;
  rl_completer_word_break_characters = breaks;
  rl_attempted_completion_function = complete;
  current_completer = std::move(completer);
  using_history();
  stifle_history(kHistoryLines);
  history_file_ = choose_history_file();
  if (!history_file_.empty()) read_history(history_file_.c_str());
}

LineReader::~LineReader() {
  if (!interactive_) return;
  if (!history_file_.empty()) write_history(history_file_.c_str());  // a history that cannot be kept is no error
  current_completer = nullptr;
}

std::optional<std::string> LineReader::read(const char* prompt) {
  if (!interactive_) return read_plain();
  char* typed = ::readline(prompt);
  if (typed == nullptr) return std::nullopt;
  std::string line(typed);
  std::free(typed);
  if (line.find_first_not_of(" \t") != std::string::npos && line != last_) {
    add_history(line.c_str());
    last_ = line;
  }
  return line;
}

std::optional<std::string> LineReader::read_plain() {
  for (;;) {
    const std::size_t newline = buffer_.find('\n', at_);
    if (newline != std::string::npos || (ended_ && at_ < buffer_.size())) {
      const std::size_t stop = newline == std::string::npos ? buffer_.size() : newline;
      std::string line = buffer_.substr(at_, stop - at_);
      at_ = newline == std::string::npos ? stop : stop + 1;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return line;
    }
    if (ended_) return std::nullopt;
    buffer_.erase(0, at_);
    at_ = 0;
    char bytes[4096];
    const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR && !interrupted()) continue;
    if (count <= 0) {
      ended_ = true;
    } else {
      buffer_.append(bytes, static_cast<std::size_t>(count));
    }
  }
}

}  // namespace assay::cli
