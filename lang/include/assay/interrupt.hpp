// Ends work early from outside, by a deadline or a cancellation. A host makes one, names it in CompileOptions and
// EvaluatorOptions, and keeps it alive while they are in use. Once the interrupt is due, work ends within about 10 ms
// with the error "cancelled" or "timeout". Compilers, evaluators and batches stay usable, and continue after clear() or
// a later deadline. An interrupt never changes a verdict: a record is scored as a whole or not at all.
//
// Thread rule: any thread may call any function at any time; a signal handler may call cancel().
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace assay {

class Interrupt {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State : std::uint8_t { none, cancelled, timeout };

  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  void set_deadline(Clock::time_point when) noexcept {
    deadline_.store(when.time_since_epoch().count(), std::memory_order_relaxed);
  }
  void clear() noexcept {  // removes the cancellation and the deadline
    cancelled_.store(false, std::memory_order_relaxed);
    deadline_.store(kNever, std::memory_order_relaxed);
  }
  // Whether work has to end, and why. Reads the clock only if a deadline is set.
  State state() const noexcept {
    if (cancelled_.load(std::memory_order_relaxed)) return State::cancelled;
    const Clock::rep deadline = deadline_.load(std::memory_order_relaxed);
    if (deadline == kNever || Clock::now().time_since_epoch().count() < deadline) return State::none;
    return State::timeout;
  }

 private:
  static constexpr Clock::rep kNever = INT64_MAX;
  std::atomic<bool> cancelled_{false};
  std::atomic<Clock::rep> deadline_{kNever};
};

}  // namespace assay
