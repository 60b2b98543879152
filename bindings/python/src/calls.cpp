// Calls of the engine by Python: how they end by what hooks raise, and by Ctrl-C.
#include "module.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace assay_python {

using assay::Interrupt;

namespace {

struct Ended {
  int depth = 0;
  std::exception_ptr raised;
};
thread_local Ended ended_here;
std::exception_ptr ended_elsewhere;  // in a thread of the engine

// Calls that are under way without the lock, and the process that they belong to: a fork takes none of their threads along.
std::multiset<Interrupt*>& under_way() {
  static auto* const all = new std::multiset<Interrupt*>;
  static pid_t owner = getpid();
  if (owner != getpid()) {
    all->clear();
    owner = getpid();
  }
  return *all;
}
std::atomic<bool> exiting = false;

}  // namespace

bool interpreter_exits() { return exiting; }

Running::Running(Interrupt* interrupt) : interrupt_(interrupt) { under_way().insert(interrupt); }
Running::~Running() {
  auto& all = under_way();
  if (const auto found = all.find(interrupt_); found != all.end()) all.erase(found);
}

void end_running() {
  exiting = true;
  for (Interrupt* interrupt : under_way()) {
    if (interrupt != nullptr) interrupt->cancel();
  }
  for (int i = 0; i < 1000 && !under_way().empty(); ++i) {
    const nb::gil_scoped_release lock_given;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  exiting = !under_way().empty();
}

Call::Call() { ++ended_here.depth; }
Call::~Call() {
  if (--ended_here.depth == 0) ended_here.raised = nullptr;  // the call ends by another exception
}

void Call::keep(std::exception_ptr raised) {
  std::exception_ptr& place = ended_here.depth > 0 ? ended_here.raised : ended_elsewhere;
  if (!place) place = std::move(raised);
}

bool Call::ended() { return static_cast<bool>(ended_here.depth > 0 ? ended_here.raised : ended_elsewhere); }

void Call::finish() {
  std::exception_ptr raised = std::exchange(ended_here.raised, nullptr);
  std::exception_ptr elsewhere = std::exchange(ended_elsewhere, nullptr);
  if (!raised) raised = std::move(elsewhere);
  if (raised) std::rethrow_exception(raised);
}

void Signals::look() noexcept {
  if (raised_ || exiting) return;
  const nb::gil_scoped_acquire lock;
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  } catch (...) {
    raised_ = std::current_exception();
    interrupt_.cancel();
  }
}

void Signals::finish() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void unlocked(Interrupt& interrupt, const std::function<void()>& work) {
  const Running running(&interrupt);
  const nb::gil_scoped_release lock_given;
  work();
}

void unlocked_elsewhere(Interrupt& interrupt, const std::function<void()>& work) {
  const Running running(&interrupt);
  Signals signals(interrupt);
  std::mutex mutex;
  std::condition_variable done_changed;
  bool done = false;
  std::exception_ptr failed;
  std::thread worker([&] {
    try {
      work();
    } catch (...) { failed = std::current_exception(); }
    const std::lock_guard guard(mutex);
    done = true;
    done_changed.notify_one();
  });
  {
    const nb::gil_scoped_release lock_given;
    std::unique_lock guard(mutex);
    while (!done_changed.wait_for(guard, std::chrono::milliseconds(50), [&] { return done; })) {
      guard.unlock();
      signals.look();
      guard.lock();
    }
    guard.unlock();
    worker.join();
  }
  signals.finish();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace assay_python
