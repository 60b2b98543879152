// Where a verb writes what it was asked for: standard output, or a file that appears whole or not at all (a file
// of its own, which takes the name when everything went well). A reader that goes away (`| head`) is no error.
#pragma once

#include <assay/text.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace assay::cli {

// A handler of signals: removes the temporary file of an output that is not complete, and lets the signal end the process.
void end_by_signal(int signal);

class Output {
 public:
  // Standard output when `path` is empty or "-".
  static std::optional<Output> open(const std::string& path, std::string& problem);
  Output(Output&& other) noexcept;
  Output& operator=(Output&&) = delete;
  ~Output();  // without finish(), a file is left as it was

  // False when there is no point in going on: nobody reads any more, or writing failed.
  bool write(std::string_view text) {
    if (buffer_.empty() && text.size() >= kBuffered) return write_now(text);
    buffer_ += text;
    return buffer_.size() < kBuffered ? alive() : flush();
  }
  // The same for a text that people read: what is written is printable, line by line.
  bool write_lines(std::string_view text) { return write(printable_lines(text)); }
  bool flush();
  bool alive() const { return failure_ == 0; }
  bool terminal() const;

  // Makes the file appear. Returns `code`, or says what went wrong and returns 2; a reader gone is 0.
  int finish(int code);

 private:
  static constexpr std::size_t kBuffered = std::size_t{1} << 16;
  Output() = default;
  bool write_now(std::string_view text);
  void fail(int code);
  void discard();

  int fd_ = 1;
  int failure_ = 0;        // errno of the first failure
  std::string target_;     // empty: standard output
  std::string name_;       // the target as it was asked for
  std::string temporary_;  // empty: unnamed, or written directly (a device, a pipe)
  bool unnamed_ = false;
  std::string buffer_;
};

}  // namespace assay::cli
