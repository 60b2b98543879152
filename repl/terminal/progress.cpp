#include "repl/terminal/progress.hpp"

#include "repl/terminal/messages.hpp"

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace assay::cli {

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

Progress::Progress(std::uint64_t total, bool wanted)
    : on_(wanted && !quiet() && ::isatty(STDERR_FILENO) == 1), total_(total) {}

Progress::~Progress() { hide(); }

void Progress::hide() {
  if (shown_.exchange(false)) write_control("\r\033[K");
}

void Progress::read(std::uint64_t bytes) {
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
  if (!on_) return;
  constexpr std::int64_t kBetween = 200'000;
  const std::int64_t now =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start_).count();
  std::int64_t due = next_.load(std::memory_order_relaxed);
  if (now >= due && next_.compare_exchange_strong(due, now + kBetween)) show();
}

void Progress::scored(std::string_view lines) {
  if (!on_) return;  // counting costs some of the scoring time
  records_.fetch_add(static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n')),
                     std::memory_order_relaxed);
}

void Progress::show() {
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
  const auto records = static_cast<double>(records_.load());
  const auto bytes = static_cast<double>(bytes_.load());
  char text[160];
  int size = std::snprintf(text, sizeof text, "\r%.0f records, %.0f a second", records, records / taken.count());
  if (total_ > 0 && bytes > 0 && bytes <= static_cast<double>(total_)) {
    const double share = bytes / static_cast<double>(total_);
    size += std::snprintf(text + size, sizeof text - static_cast<std::size_t>(size), ", %.0f%%, %s left", share * 100,
                          duration_text(taken.count() * (1 - share) / share).c_str());
  }
  shown_.store(true);
  write_control(std::string(text, static_cast<std::size_t>(size)) + "\033[K");
}

}  // namespace assay::cli
