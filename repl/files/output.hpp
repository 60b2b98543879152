// The output of a verb: standard output, or a file that is written completely or not at all (a separate file that takes
// the name at the end). A reader that goes away (`| head`) is not an error.
#pragma once

#include <assay/text.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::cli {

// For signal handlers, which may call all of these:
void remove_unfinished_output();  // the temporary file of an incomplete output
void end_by_signal(int signal);   // is a handler: removes that file, and lets the signal end the process

// What an abrupt end would lose: nothing; the end of an output that has begun, such as its last bracket; or whole lines
// that are still in a buffer, or the rest of several files that are being replaced.
enum class AtStake : std::uint8_t { nothing, end, lines };
AtStake at_stake();

void end_in_order_by_signals();  // installs end_by_signal for signals that end, unless they are ignored (nohup)

// While such an object exists, several files are being replaced that belong together: a run that is out of time ends
// after them.
class Replacing {
 public:
  Replacing();
  ~Replacing();
  Replacing(const Replacing&) = delete;
  Replacing& operator=(const Replacing&) = delete;
};

class Output {
 public:
  // Standard output if `path` is empty or "-".
  static std::optional<Output> open(const std::string& path, std::string& problem);
  // For what a verb computes: never over a file that this process reads, neither before nor after this call.
  static std::optional<Output> open_answer(const std::string& path, std::string& problem);
  Output(Output&& other) noexcept;
  Output& operator=(Output&&) = delete;
  ~Output();  // without finish(), an existing file keeps its contents

  // False if going on is pointless: nobody reads any more, or writing failed.
  bool write(std::string_view text) {
    if (buffer_.empty() && text.size() >= kBuffered) return write_now(text);
    buffer_ += text;
    if (fd_ == 1) mark(AtStake::lines);
    return buffer_.size() < kBuffered ? alive() : flush();
  }
  // The same for text for people: makes it printable, line by line.
  bool write_lines(std::string_view text) { return write(printable_lines(text)); }
  bool flush();
  bool alive() const { return failure_ == 0; }
  bool terminal() const;

  // Gives the file its name. Returns `code`, or reports an error and returns 2; a reader that went away gives 0.
  int finish(int code);

 private:
  static constexpr std::size_t kBuffered = std::size_t{1} << 16;
  Output() = default;
  bool write_now(std::string_view text);
  static void mark(AtStake what);
  void fail(int code);
  void discard();

  int fd_ = 1;
  int failure_ = 0;        // errno of the first failure
  std::string target_;     // empty: standard output
  std::string name_;       // the target as given
  std::string temporary_;  // empty: unnamed, or written directly (a device, a pipe)
  bool unnamed_ = false;
  bool answer_ = false;
  std::string buffer_;
};

}  // namespace assay::cli
