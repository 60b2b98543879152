// Errors and notes on standard error, colours, and small text helpers. Written with write(2), so that nothing stays in
// a buffer when the process ends and no stream state can fail.
#include "repl/terminal/messages.hpp"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace assay::cli {

namespace {

Colour chosen_colour = Colour::automatic;
bool is_quiet = false;
Overheard* listener = nullptr;

}  // namespace

void set_colour(Colour colour) { chosen_colour = colour; }
void set_quiet(bool be_quiet) { is_quiet = be_quiet; }
bool quiet() { return is_quiet; }

bool wants_colour(int fd) {
  if (chosen_colour != Colour::automatic) return chosen_colour == Colour::always;
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* term = std::getenv("TERM");
  if (term == nullptr || std::strcmp(term, "dumb") == 0) return false;
  return isatty(fd) == 1;
}

std::string painted(std::string_view lines, int fd) {
  const std::string text = printable_lines(lines);
  if (!wants_colour(fd)) return text;
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t newline = text.find('\n', at);
    const std::size_t stop = newline == std::string::npos ? text.size() : newline + 1;
    const std::string_view line = std::string_view(text).substr(at, stop - at);
    const bool error = line.rfind("error", 0) == 0;
    const bool warning = line.rfind("warning", 0) == 0;
    const std::size_t colon = error || warning ? line.find(": ") : std::string_view::npos;
    if (colon == std::string_view::npos) {
      result += line;
    } else {
      result += error ? "\033[1;31m" : "\033[1;33m";
      result += line.substr(0, colon + 1);
      result += "\033[0m";
      result += line.substr(colon + 1);
    }
    at = stop;
  }
  return result;
}

std::string shown_diff(std::string_view diff) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  const auto marked = [&](char sign) {
    return diff.find('\n' + std::string(1, sign) + std::string(kMark)) != diff.npos;
  };
  const bool kept = marked('-') == marked('+');
  std::string result;
  while (!diff.empty()) {
    const std::size_t size = std::min(diff.find('\n'), diff.size() - 1) + 1;
    std::string_view line = diff.substr(0, size);
    diff.remove_prefix(size);
    if (kept && line.substr(1, kMark.size()) == kMark) {
      (result += line.front()) += kMark;
      line.remove_prefix(1 + kMark.size());
    }
    const std::string_view end = line.ends_with("\r\n") ? "\r\n" : line.ends_with('\n') ? "\n" : "";
    line.remove_suffix(end.size());
    for (std::size_t tab = 0; (tab = line.find('\t')) != line.npos; line.remove_prefix(tab + 1))
      (result += printable(line.substr(0, tab))) += '\t';
    (result += printable(line)) += end;
  }
  return result;
}

namespace {

void send(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

namespace {

void tell(const std::string& shown) {
  if (listener != nullptr) {
    listener->add(shown);
  } else {
    send(shown);
  }
}

}  // namespace

Overheard::Overheard() : before_(listener) { listener = this; }
Overheard::~Overheard() { listener = before_; }

void say(std::string_view text) { tell(printable_lines(text)); }

void say(const std::vector<Diagnostic>& diagnostics) { tell(painted(render(diagnostics), STDERR_FILENO)); }

namespace {

// The text in printable form, without the middle of its longest words: a message may quote a name of a megabyte.
std::string quotable(std::string_view text) {
  constexpr std::size_t kLongest = 600, kBegin = 400, kEnd = 100;  // bytes of a word
  const std::string shown = printable(text);
  std::string result;
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t end = std::min(shown.find_first_of(" \n", at), shown.size() - 1) + 1;
    std::string_view word = std::string_view(shown).substr(at, end - at);
    if (word.size() > kLongest) {
      const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; };
      std::size_t head = kBegin, tail = word.size() - kEnd;
      while (continues(word[head])) --head;
      while (continues(word[tail])) ++tail;
      result.append(word.substr(0, head)).append("…");
      word.remove_prefix(tail);
    }
    result += word;
    at = end;
  }
  return result;
}

}  // namespace

void complain(std::string_view text) { tell(painted("error: " + quotable(text) + "\n", STDERR_FILENO)); }

void note(std::string_view text) {
  if (!is_quiet) { say("note: " + quotable(text) + "\n"); }
}

void write_control(std::string_view text) { send(text); }

void say_statistics(const Statistics& statistics, std::uint64_t malformed, std::uint64_t bytes, double seconds) {
  const std::uint64_t records = statistics.records + malformed;
  const auto per = [](double amount, double by) { return by > 0 ? amount / by : 0.0; };
  const double megabytes = static_cast<double>(bytes) / 1e6;
  char text[512];
  std::snprintf(text, sizeof text,
                "records     %llu\nrejected    %llu\nexact path  %llu\n"
                "vm          %llu\ninterpreter %llu\nrow code    %llu\nvectors     %llu\n"
                "steps       %llu (%.1f a record)\ninput       %.3f MB in %.3f s: %.1f MB/s, %.0f records/s\n",
                static_cast<unsigned long long>(records),
                static_cast<unsigned long long>(statistics.rejected + malformed),
                static_cast<unsigned long long>(statistics.exact_path),
                static_cast<unsigned long long>(statistics.records - statistics.kernel),
                static_cast<unsigned long long>(statistics.kernel - statistics.jit_rows),
                static_cast<unsigned long long>(statistics.jit_rows - statistics.vectors),
                static_cast<unsigned long long>(statistics.vectors), static_cast<unsigned long long>(statistics.steps),
                per(static_cast<double>(statistics.steps), static_cast<double>(statistics.records)), megabytes, seconds,
                per(megabytes, seconds), per(static_cast<double>(records), seconds));
  say(text);
}

std::string place_message(std::string_view place, const InputError& error) {
  std::string line(place);
  if (!error.id.empty() && error.id.size() <= 200)
    line += (line.empty() ? "id " : " (id ") + error.id + (line.empty() ? "" : ")");
  if (!line.empty()) line += ": ";
  std::string lines = printable(line + error_text(error)) + "\n";
  for (const InputFault& fault : error.others)
    lines += printable(line + error_text({fault.path, fault.code, fault.message})) + "\n";
  return lines;
}

std::string counted(std::size_t count, std::string_view noun) {
  std::string result = std::to_string(count) + " ";
  result += noun;
  if (count != 1) result += 's';
  return result;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  return std::string(assay::nearest(word, {candidates.begin(), candidates.end()}));
}

}  // namespace assay::cli
