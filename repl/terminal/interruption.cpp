// Signal handlers need global state, which is here. Handlers are installed without SA_RESTART, so that a blocking read
// returns and its caller can check the interrupt.
#include "repl/terminal/interruption.hpp"

#include "repl/files/output.hpp"
#include "repl/terminal/messages.hpp"

#include <sys/time.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <optional>

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

void wake(int) {}  // makes a blocking read return

// Sends signals repeatedly from then on, because a read may begin just after one.
void wake_again_and_again(long seconds, long micros) {
  itimerval timer{};
  timer.it_interval.tv_usec = 5000;
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(micros);
  install(SIGALRM, wake);
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

void cancel(int) {
  the_interrupt.cancel();
  wake_again_and_again(0, 5000);   // a system call that, like sigaction, is allowed in a handler
  install(SIGINT, end_by_signal);  // the next one kills
}

}  // namespace

const Interrupt* interrupt() { return &the_interrupt; }

bool interrupted() {
  noticed = noticed || the_interrupt.state() != Interrupt::State::none;
  return noticed;
}

void cancel_on_signal() { install(SIGINT, cancel); }

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
  const bool cancelled = the_interrupt.state() == Interrupt::State::cancelled;
  complain(cancelled ? "interrupted" : "out of time (--timeout)");
  return cancelled ? kCancelled : kRefused;
}

}  // namespace assay::cli
