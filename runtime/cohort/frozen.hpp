// The values of a finished cohort: its outputs as JSON, what its 'each output's are given, and the ranking keys of all
// eligible verdicts in their order, for places.
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
  std::vector<std::shared_ptr<const Arena>> arenas;  // behind the values
  std::shared_ptr<Arena> own;
  std::size_t verdicts = 0;
  std::string outputs;
  std::vector<Value> handed;          // by RubricModel::handed
  std::vector<const Value*> keys;     // of the eligible, each set once, best first …
  std::vector<std::uint64_t> better;  // … and how many verdicts come before it
  std::string saved, hash;            // once it is sealed

  // 1 and the number of eligible verdicts that come before one with these keys: that of a verdict of the cohort, or the
  // place that another one would take.
  std::uint64_t place(const Value* of) const;
};

// A hook runner and limits of an evaluation over a whole cohort.
struct CohortRun {
  Limits limits;
  const Interrupt* interrupt = nullptr;
  std::uint64_t steps = 0;  // taken
};

// Null: `error`. Sorts the store. Not sealed: without what only bytes for elsewhere need.
std::shared_ptr<FrozenCohort::Impl> freeze(CohortStore& store, CohortRun& run, InputError& error);
void seal(FrozenCohort::Impl& frozen);

// The limits of a machine for one evaluation.
VmLimits machine_limits(const Limits& limits, const Interrupt* interrupt);
// Null when the rubric has no hooks.
std::unique_ptr<HookRunner> hook_runner(const Rubric::Impl& rubric, const Limits& limits, const Interrupt* interrupt);

}  // namespace assay
