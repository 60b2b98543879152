// Calls of the engine by Python: how they end by what hooks raise, and by Ctrl-C.
#include "module.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
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

}  // namespace

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
  if (!raised) raised = std::exchange(ended_elsewhere, nullptr);
  if (raised) std::rethrow_exception(raised);
}

void unlocked(Interrupt& interrupt, bool many, const std::function<void()>& work) {
  if (!many) {
    {
      const nb::gil_scoped_release lock_given;
      work();
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return;
  }
  std::mutex mutex;
  std::condition_variable done_changed;
  bool done = false;
  std::exception_ptr failed, raised;
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
      if (raised) continue;
      guard.unlock();
      {
        const nb::gil_scoped_acquire lock;
        try {
          if (PyErr_CheckSignals() != 0) throw nb::python_error();
        } catch (...) {
          raised = std::current_exception();
          interrupt.cancel();
        }
      }
      guard.lock();
    }
    guard.unlock();
    worker.join();
  }
  if (raised) std::rethrow_exception(raised);
  if (failed) std::rethrow_exception(failed);
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace assay_python
