// Declarations shared by the files of the extension module.
#pragma once

#include <assay/assay.hpp>

#include <nanobind/nanobind.h>

#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay_python {

namespace nb = nanobind;

// Raises assay.RecordError(path, code, message), which the Python side constructs.
[[noreturn]] void raise_record_error(const assay::InputError& error);

inline nb::str text(std::string_view view) { return nb::str(view.data(), view.size()); }

// A str of the exception's or any object's text. Never fails: half of a surrogate pair is escaped.
std::string shown(nb::handle object);

// A call of the engine by Python. A hook of Python that raises what is no Exception (KeyboardInterrupt, SystemExit) must end
// the call, not reject the record: the hook keeps the exception, further hooks of this thread are not called, and finish()
// raises it. Worker threads of the engine share one place for it. Everything here needs the interpreter's lock.
class Call {
 public:
  Call();
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  void finish();

  static void keep(std::exception_ptr raised);  // from a hook
  static bool ended();                          // hooks need not be called any more
};

// A call that is under way without the interpreter's lock, which it takes to begin and to end. When the interpreter exits
// under a daemon thread that scores, end_running() cancels the calls and waits for them: a thread that came for the lock
// later would be torn out of C++. From then on hooks must not wait for the lock.
class Running {
 public:
  explicit Running(assay::Interrupt* interrupt);  // null: it ends soon by itself
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  assay::Interrupt* interrupt_;
};
void end_running();
bool interpreter_exits();  // may be asked without the lock

// Looks at the signals of Python (Ctrl-C) for work without the interpreter's lock. Belongs to the thread that made it.
class Signals {
 public:
  explicit Signals(assay::Interrupt& interrupt) : interrupt_(interrupt) {}
  void look() noexcept;  // takes the lock; a signal that raises cancels the interrupt
  void finish();         // with the lock, after the work: raises what a signal raised

 private:
  assay::Interrupt& interrupt_;
  std::exception_ptr raised_;
};

// Runs `work` without the interpreter's lock. `interrupt` ends it when the interpreter exits.
void unlocked(assay::Interrupt& interrupt, const std::function<void()>& work);
// The same on another thread, for work that cannot look at signals itself: this thread looks at them meanwhile.
void unlocked_elsewhere(assay::Interrupt& interrupt, const std::function<void()>& work);

// The bytes of a str, bytes or other object with a byte buffer. Valid as long as the object.
std::string_view bytes_of(nb::handle object);

assay::Limits limits_of(const nb::dict& limits);
assay::Settings settings_of(const nb::list& contexts, const nb::list& weights);
std::vector<std::string> strings_of(const nb::list& list);
void set_timeout(assay::Interrupt& interrupt, double seconds);  // starting now; ValueError: not a valid time

void bind_arrow(nb::module_& module);
void bind_cohorts(nb::module_& module);
void bind_questions(nb::module_& module);
void bind_streams(nb::module_& module);

}  // namespace assay_python
