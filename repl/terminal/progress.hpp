// A progress line for long runs on a terminal: shown after a second, never written to a file or a pipe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::cli {

class Progress {
 public:
  // `total`: bytes of all input, 0 if unknown. The line goes to standard error; --quiet turns it off.
  Progress(std::uint64_t total, bool wanted);
  ~Progress();  // removes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Any thread.
  void read(std::uint64_t bytes);
  void scored(std::string_view lines);  // one verdict per line
  void hide();                          // call before other output

 private:
  void show();

  const bool on_;
  const std::uint64_t total_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> bytes_{0}, records_{0};
  std::atomic<std::int64_t> next_{1'000'000};  // microseconds since the start
  std::atomic<bool> shown_{false};
};

// "3 s", "2 min 5 s", "1 h 4 min".
std::string duration_text(double seconds);

}  // namespace assay::cli
