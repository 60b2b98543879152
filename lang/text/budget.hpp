// The budget of one compilation: steps, bytes and levels of recursion, and whether its host still wants the result.
// Each stage charges its own work. When something is used up, an OutOfBudget leaves the stage; `compile` catches it and
// reports one diagnostic. So a text designed to be expensive ends in the same way wherever its cost arises, and no
// exception leaves the API.
//
// One limit of depth serves every recursion over an author's text: each cycle of calls passes a Nesting, or walks
// something of known smaller depth. A level stands for about 300 bytes of the stack; a recursion that uses more counts
// several.
#pragma once

#include "lang/text/source.hpp"

#include <assay/interrupt.hpp>
#include <assay/limits.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace assay {

struct OutOfBudget {
  enum class Cause : std::uint8_t { depth, steps, memory, cancelled, timeout } cause;
  Span at;  // the declaration being processed
};

class Budget {
 public:
  static constexpr int kMostDepth = 3000;
  static constexpr int kCheckLevels = 5;    // in the checker, for a nested expression, type or declaration
  static constexpr int kRubricLevels = 10;  // in the checker, for a rubric that another one uses
  static constexpr int kSyntaxLevels = 15;  // in the grammar, for a nested bracket or block

  explicit Budget(const Limits& limits = {}, const Interrupt* interrupt = nullptr)
      : most_steps_(limits.compile_steps), most_bytes_(limits.compile_memory_bytes), interrupt_(interrupt) {
    look_again();
  }
  // Only for an interrupt: work on a compiled rubric, whose limits were checked when it was compiled.
  static Budget without_limits(const Interrupt* interrupt = nullptr) {
    Limits limits;
    limits.compile_steps = UINT64_MAX;
    limits.compile_memory_bytes = SIZE_MAX;
    return Budget(limits, interrupt);
  }

  void step(std::uint64_t count = 1) {
    steps_ += count;
    if (steps_ >= next_look_) look();
  }
  void look();  // checks the limit of steps, and whether the host still wants the result
  // Charges memory before it is allocated.
  void take(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > most_bytes_) stop(OutOfBudget::Cause::memory);
  }
  // Sets the declaration being processed, for the diagnostic.
  void work_on(Span declaration) { at_ = declaration; }
  Span working_on() const { return at_; }

  std::uint64_t steps() const { return steps_; }
  std::size_t bytes() const { return bytes_; }
  std::uint64_t most_steps() const { return most_steps_; }
  std::size_t most_bytes() const { return most_bytes_; }

  [[noreturn]] void stop(OutOfBudget::Cause cause) const;

 private:
  friend class Nesting;
  static constexpr std::uint64_t kBetweenLooks = 4096;  // steps: far less than a millisecond
  void look_again() { next_look_ = std::min(most_steps_, steps_ + kBetweenLooks); }

  std::uint64_t steps_ = 0, next_look_ = 0, most_steps_;
  std::size_t bytes_ = 0, most_bytes_;
  int depth_ = 0;
  Span at_;
  const Interrupt* interrupt_;
};

// One level of a recursion during its lifetime; also charges one step.
class Nesting {
 public:
  static bool fits(const Budget& budget, int levels = 1) { return budget.depth_ + levels <= Budget::kMostDepth; }

  explicit Nesting(Budget& budget, int levels = 1) : budget_(budget), levels_(levels) {
    budget_.step();
    if (!fits(budget, levels)) budget_.stop(OutOfBudget::Cause::depth);
    budget_.depth_ += levels;
  }
  ~Nesting() { budget_.depth_ -= levels_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  Budget& budget_;
  const int levels_;
};

// Sets the declaration being processed for its lifetime. When the budget runs out, OutOfBudget records the declaration
// before the destructor restores the enclosing one.
class WorkingOn {
 public:
  WorkingOn(Budget& budget, Span declaration) : budget_(budget), around_(budget.working_on()) {
    budget_.work_on(declaration);
  }
  ~WorkingOn() { budget_.work_on(around_); }
  WorkingOn(const WorkingOn&) = delete;
  WorkingOn& operator=(const WorkingOn&) = delete;

 private:
  Budget& budget_;
  const Span around_;
};

class Diagnostics;

// Reports what ran out, in one diagnostic.
void report(const OutOfBudget& out, const Budget& budget, Diagnostics& diagnostics);

}  // namespace assay
