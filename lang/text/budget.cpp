// Handles a compilation whose budget is used up.
#include "lang/text/budget.hpp"

#include <string>

namespace assay {

void Budget::stop(OutOfBudget::Cause cause) const { throw OutOfBudget{cause, at_}; }

void Budget::look() {
  if (steps_ > most_steps_) stop(OutOfBudget::Cause::steps);
  const Interrupt::State state = interrupt_ == nullptr ? Interrupt::State::none : interrupt_->state();
  if (state == Interrupt::State::cancelled) stop(OutOfBudget::Cause::cancelled);
  if (state == Interrupt::State::timeout) stop(OutOfBudget::Cause::timeout);
  look_again();
}

void report(const OutOfBudget& out, const Budget& budget, Diagnostics& diagnostics) {
  using Cause = OutOfBudget::Cause;
  const auto limit = [&](const std::string& name, std::uint64_t most, const char* what) {
    diagnostics.report(
        Code::compile_limit, out.at,
        "compiling takes more than the " + std::to_string(most) + " " + what + " that the limit '" + name + "' allows",
        "it ran out here",
        "make the rubric smaller, or raise the limit: --limit " + name + "=N, Limits::" + name + " of a host");
  };
  switch (out.cause) {
    case Cause::depth:
      diagnostics.report(Code::syntax_too_deep, out.at,
                         "values made of values made of values … are nested more than " +
                             std::to_string(Budget::kMostDepth / Budget::kCheckLevels) + " deep",
                         "", "use a list and an aggregate, such as sum(x for x in xs), or a loop with a state");
      return;
    case Cause::steps: return limit("compile_steps", budget.most_steps(), "steps");
    case Cause::memory: return limit("compile_memory_bytes", budget.most_bytes(), "bytes of memory");
    case Cause::cancelled:
      diagnostics.report(Code::compile_interrupted, out.at, "compiling was cancelled", "", "");
      return;
    case Cause::timeout:
      diagnostics.report(Code::compile_interrupted, out.at, "compiling did not end before its timeout", "", "");
      return;
  }
}

}  // namespace assay
