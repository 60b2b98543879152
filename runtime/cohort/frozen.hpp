// The values of a finished cohort: its outputs as JSON, the values passed to its 'each output's, and the sorted ranking
// keys of all eligible verdicts, for places.
#pragma once

#include "runtime/cohort/cohort_store.hpp"
#include "runtime/hooks/hooks.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace assay {

struct FrozenCohort::Impl {
  explicit Impl(const Rubric& rubric) : owner(rubric) {}

  Rubric owner;
  std::vector<std::shared_ptr<const Arena>> arenas;  // that hold the values
  std::shared_ptr<Arena> own;
  std::shared_ptr<const Program> program;  // its constants are among the values
  std::size_t verdicts = 0;
  std::string outputs;
  std::vector<Value> handed;          // by RubricModel::handed
  std::vector<const Value*> keys;     // of the eligible verdicts, each distinct set once, best first …
  std::vector<std::uint64_t> better;  // … and the number of better verdicts
  std::string saved, hash;            // set by seal()

  // 1 plus the number of eligible verdicts with better keys: the place of a verdict of the cohort, or the place that
  // another one would take.
  std::uint64_t place(const Value* of) const;
};

// A hook runner, and limits for an evaluation over a whole cohort.
struct CohortRun {
  Limits limits;
  const Interrupt* interrupt = nullptr;
  std::uint64_t steps = 0;  // steps taken
};

// Null: `error`. Sorts the store. The result is not sealed: it lacks the data that only saved bytes need.
std::shared_ptr<FrozenCohort::Impl> freeze(CohortStore& store, CohortRun& run, InputError& error);
// False: `error`; the values exceed Limits::memory_bytes once nothing of them is shared.
bool seal(FrozenCohort::Impl& frozen, const Limits& limits, InputError& error);

// The limits of a machine for one evaluation.
VmLimits machine_limits(const Limits& limits, const Interrupt* interrupt);
// Null when the rubric has no hooks.
std::unique_ptr<HookRunner> hook_runner(const Rubric::Impl& rubric, const Limits& limits, const Interrupt* interrupt);

}  // namespace assay
