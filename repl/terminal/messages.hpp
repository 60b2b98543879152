// What the command says on the side: errors and notes on standard error, painted when a person is looking. Everything a
// verb was asked for goes through Output instead; the two never mix. Writing here cannot fail: a closed standard error
// is nobody's loss.
#pragma once

#include <assay/assay.hpp>
#include <assay/verdicts.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

inline constexpr int kDone = 0;      // everything was in order
inline constexpr int kRejected = 1;  // it ran, and something in the data or in the rubric's examples is wrong
inline constexpr int kRefused = 2;   // usage, files, or a rubric that does not compile

// As --color and --quiet ask for; set once, before a verb runs.
enum class Colour : std::uint8_t { automatic, always, never };
void set_colour(Colour colour);
void set_quiet(bool quiet);
bool quiet();

// Whether `fd` is a terminal that wants colours (NO_COLOR and TERM=dumb turn them off), unless --color says it.
bool wants_colour(int fd);

// The lines as they can be shown, with "error…:" and "warning…:" at their beginnings in colour when `fd` wants it.
std::string painted(std::string_view lines, int fd);

// Whatever these are given, what they write is printable; see <assay/text.hpp>.
void say(std::string_view text);  // lines
void say(const std::vector<Diagnostic>& diagnostics);
void complain(std::string_view text);  // "error: …\n"
void note(std::string_view text);      // "note: …\n"; nothing with --quiet
// While such an object lives, what would be said on standard error (but for what write_control() writes) goes into its
// text instead: for a prompt, whose answers are one text. They nest.
class Overheard {
 public:
  Overheard();
  ~Overheard();
  Overheard(const Overheard&) = delete;
  Overheard& operator=(const Overheard&) = delete;
  const std::string& text() const { return text_; }
  void add(std::string_view text) { text_ += text; }

 private:
  std::string text_;
  Overheard* before_;
};
void write_control(std::string_view text);  // as it is, to the terminal: for a line that is written over

// What --stats says. `unreadable`: records that are not in `statistics`; `bytes` and `seconds` of all of them.
void say_statistics(const Statistics& statistics, std::uint64_t unreadable, std::uint64_t bytes, double seconds);

// "records.ndjson:3: correctness: message", as compilers place their messages.
std::string place_message(std::string_view place, const InputError& error);

// "1 record", "2 records".
std::string counted(std::size_t count, std::string_view noun);

// The candidate that `word` was probably meant to be; empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace assay::cli
