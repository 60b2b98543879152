// Signal handlers need global state, which is here. Handlers are installed without SA_RESTART, so that a blocking read
// returns and its caller can check the interrupt.
#include "repl/terminal/interruption.hpp"

#include "repl/files/output.hpp"
#include "repl/terminal/messages.hpp"

#include <sys/time.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <optional>
#include <string>

namespace assay::cli {

namespace {

Interrupt the_interrupt;
bool noticed = false;
std::optional<Interrupt::Clock::time_point> deadline;

void install(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

// The end of a run that does not end by itself. Written before signals may come; handlers read it.
struct Backstop {
  std::string on_cancel, on_timeout;  // the messages
  std::atomic<bool> off{false};
  std::atomic<bool> said{false};  // main() reports the reason
  std::atomic<int> rounds{0};     // of the timer, since the interrupt
};
Backstop backstop;

constexpr int kMicrosPerRound = 5000, kMostRounds = 200;

int rounds_for(AtStake what) {
  switch (what) {
    case AtStake::nothing: return 3;
    case AtStake::end: return 20;
    case AtStake::lines: break;
  }
  return kMostRounds;
}

// Runs while a blocking call waits, which then returns, or while a thread works.
void wake(int) {
  const int saved = errno;
  const Interrupt::State state = the_interrupt.state();
  if (!backstop.off && state != Interrupt::State::none) {
    const int rounds = ++backstop.rounds;
    if (rounds >= (backstop.said ? kMostRounds : rounds_for(at_stake()))) {
      const bool cancelled = state == Interrupt::State::cancelled;
      const std::string& message = cancelled ? backstop.on_cancel : backstop.on_timeout;
      remove_unfinished_output();
      if (!backstop.said) (void)!::write(STDERR_FILENO, message.data(), message.size());
      ::_exit(cancelled ? kCancelled : kRefused);
    }
  }
  errno = saved;
}

// Sends signals repeatedly from then on, because a read may begin just after one.
void wake_again_and_again(long seconds, long micros) {
  itimerval timer{};
  timer.it_interval.tv_usec = kMicrosPerRound;
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(micros);
  install(SIGALRM, wake);
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

void cancel(int) {
  the_interrupt.cancel();
  wake_again_and_again(0, kMicrosPerRound);  // a system call that, like sigaction, is allowed in a handler
  install(SIGINT, end_by_signal);            // the next one kills
}

}  // namespace

const Interrupt* interrupt() { return &the_interrupt; }

bool interrupted() {
  noticed = noticed || the_interrupt.state() != Interrupt::State::none;
  return noticed;
}

void cancel_on_signal() {
  // A progress line on a terminal is overwritten.
  const std::string line_start = ::isatty(STDERR_FILENO) == 1 && wants_colour(STDERR_FILENO) ? "\r\033[K" : "";
  backstop.on_cancel = line_start + painted("error: interrupted\n", STDERR_FILENO);
  backstop.on_timeout = line_start + painted("error: out of time (--timeout)\n", STDERR_FILENO);
  install(SIGINT, cancel);
  end_in_order_by_signals();
}

void end_only_in_order() { backstop.off = true; }

void end_after(double seconds) {
  constexpr double kLongest = 1e9;
  const double within = std::min(seconds, kLongest);
  const auto after = std::chrono::duration_cast<Interrupt::Clock::duration>(std::chrono::duration<double>(within));
  deadline = Interrupt::Clock::now() + after;
  the_interrupt.set_deadline(*deadline);
  const auto micros = static_cast<long>(std::fmod(within, 1.0) * 1e6) + 1000;
  wake_again_and_again(static_cast<long>(within) + micros / 1'000'000, micros % 1'000'000);
}

bool take_cancellation() {
  if (the_interrupt.state() != Interrupt::State::cancelled) return false;
  the_interrupt.clear();
  const itimerval none{};
  ::setitimer(ITIMER_REAL, &none, nullptr);
  if (deadline) {
    const std::chrono::duration<double> left = *deadline - Interrupt::Clock::now();
    end_after(std::max(left.count(), 0.001));
  }
  install(SIGINT, cancel);
  noticed = false;
  return true;
}

int refuse(std::string_view message) {
  if (!interrupted()) complain(message);
  return kRefused;
}

int finish_interrupted(int code) {
  if (!noticed) return code;
  backstop.said = true;
  const bool cancelled = the_interrupt.state() == Interrupt::State::cancelled;
  complain(cancelled ? "interrupted" : "out of time (--timeout)");
  return cancelled ? kCancelled : kRefused;
}

}  // namespace assay::cli
