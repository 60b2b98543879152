// A line on a terminal that says how far a long run is: shown after a second, never into a file or a pipe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::cli {

class Progress {
 public:
  // `total`: bytes of all input, 0 when it is not known. The line is on standard error; --quiet turns it off.
  Progress(std::uint64_t total, bool wanted);
  ~Progress();  // takes the line away
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Any thread.
  void read(std::uint64_t bytes);
  void scored(std::string_view lines);  // a verdict each
  void hide();                          // before something else is written

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
