// Messages of the command: errors and notes on standard error, coloured for terminals. Results of a verb go through
// Output instead; the two never mix. Failures to write here are ignored.
#pragma once

#include <assay/assay.hpp>
#include <assay/verdicts.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

inline constexpr int kDone = 0;      // everything was in order
inline constexpr int kRejected = 1;  // the command ran, and the data or an example of the rubric is wrong
inline constexpr int kRefused = 2;   // wrong usage, files, or a rubric that does not compile

// Set by --color and --quiet, once, before a verb runs.
enum class Colour : std::uint8_t { automatic, always, never };
void set_colour(Colour colour);
void set_quiet(bool quiet);
bool quiet();

// Whether `fd` is a terminal that should get colours (NO_COLOR and TERM=dumb turn them off), unless --color decides.
bool wants_colour(int fd);

// The lines in printable form, with "error…:" and "warning…:" at their beginnings coloured if `fd` wants colours.
std::string painted(std::string_view lines, int fd);
// A diff in printable form that `patch` can still apply: tabs, carriage returns at ends of lines and a byte order mark
// that the file keeps are written as they are.
std::string shown_diff(std::string_view diff);

// These functions make all their output printable; see <assay/text.hpp>.
void say(std::string_view text);  // lines
void say(const std::vector<Diagnostic>& diagnostics);
void complain(std::string_view text);  // "error: …\n"
void note(std::string_view text);      // "note: …\n"; nothing with --quiet
// While such an object exists, messages for standard error (except those of write_control()) go into its text instead:
// for a prompt, whose answers are one text. They can be nested.
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
void write_control(std::string_view text);  // unchanged, to the terminal: for a line that is overwritten

// Prints the output of --stats. `malformed`: records not counted in `statistics`; `bytes` and `seconds` cover all
// records.
void say_statistics(const Statistics& statistics, std::uint64_t malformed, std::uint64_t bytes, double seconds);

// "records.ndjson:3: correctness: message", as compilers place their messages.
std::string place_message(std::string_view place, const InputError& error);

// "1 record", "2 records".
std::string counted(std::size_t count, std::string_view noun);

// The candidate that `word` probably meant; empty if none is similar.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace assay::cli
