// Errors and notes on standard error, colours, and small texts about texts. Written with write(2), so that nothing is
// left in a buffer when the process ends and no stream state can go bad.
#include "repl/terminal/messages.hpp"

#include "repl/terminal/utf8.hpp"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace assay::cli {

bool wants_colour(int fd) {
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* term = std::getenv("TERM");
  if (term == nullptr || std::strcmp(term, "dumb") == 0) return false;
  return isatty(fd) == 1;
}

std::string painted(std::string_view text, int fd) {
  if (!wants_colour(fd)) return std::string(text);
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t newline = text.find('\n', at);
    const std::size_t stop = newline == std::string_view::npos ? text.size() : newline + 1;
    const std::string_view line = text.substr(at, stop - at);
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

void say(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void complain(std::string_view text) { say(painted("error: " + std::string(text) + "\n", STDERR_FILENO)); }

void note(std::string_view text) { say("note: " + std::string(text) + "\n"); }

void say_statistics(const Statistics& statistics, std::uint64_t unreadable, std::uint64_t bytes, double seconds) {
  const std::uint64_t records = statistics.records + unreadable;
  const auto per = [](double amount, double by) { return by > 0 ? amount / by : 0.0; };
  const double megabytes = static_cast<double>(bytes) / 1e6;
  char text[512];
  std::snprintf(text, sizeof text,
                "records     %llu\nrejected    %llu\nexact path  %llu\n"
                "vm          %llu\ninterpreter %llu\nrow code    %llu\nvectors     %llu\n"
                "steps       %llu (%.1f a record)\ninput       %.3f MB in %.3f s: %.1f MB/s, %.0f records/s\n",
                static_cast<unsigned long long>(records),
                static_cast<unsigned long long>(statistics.rejected + unreadable),
                static_cast<unsigned long long>(statistics.exact_path),
                static_cast<unsigned long long>(statistics.records - statistics.kernel),
                static_cast<unsigned long long>(statistics.kernel - statistics.native),
                static_cast<unsigned long long>(statistics.native - statistics.vectors),
                static_cast<unsigned long long>(statistics.vectors), static_cast<unsigned long long>(statistics.steps),
                per(static_cast<double>(statistics.steps), static_cast<double>(statistics.records)), megabytes, seconds,
                per(megabytes, seconds), per(static_cast<double>(records), seconds));
  say(text);
}

std::string error_text(const InputError& error) {
  const std::string& path = error.path;
  if (path.empty() || error.message.compare(0, path.size() + 1, path + " ") == 0) return error.message;
  return path + ": " + error.message;
}

std::string place_message(std::string_view place, const InputError& error) {
  std::string line(place);
  if (!line.empty()) line += ": ";
  return printable(line + error_text(error)) + "\n";
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    char32_t character = 0;
    const std::size_t length = decode(text, character);
    const bool control = character < 0x20 || (character >= 0x7f && character < 0xa0) || character == 0xfffd;
    if (control) {
      result += character == '\n' || character == '\t' || character == '\r' ? ' ' : '?';
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return result;
}

std::string counted(std::size_t count, std::string_view noun) {
  std::string result = std::to_string(count) + " ";
  result += noun;
  if (count != 1) result += 's';
  return result;
}

namespace {

// The number of letters to change, insert, drop or swap with a neighbour.
std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before(right.size() + 1), row(right.size() + 1), next(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t change = row[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
      next[j] = std::min({change, row[j] + 1, next[j - 1] + 1});
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
        next[j] = std::min(next[j], before[j - 2] + 1);
      }
    }
    before.swap(row);
    row.swap(next);
  }
  return row[right.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > 64) return {};
  std::string best;
  std::size_t best_distance = 2 * std::max<std::size_t>(1, word.size() / 3) + 2;
  for (const std::string& candidate : candidates) {
    const std::size_t d = 2 * distance(word, candidate) + (candidate.size() == word.size() ? 0 : 1);
    if (d < best_distance) {
      best_distance = d;
      best = candidate;
    }
  }
  return best;
}

}  // namespace assay::cli
