// The explanation of one verdict in words: every stage of the pipeline in order, each value with where it came from.
#pragma once

#include "runtime/cohort/each_runner.hpp"
#include "runtime/hooks/hooks.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Explained {
  const Rubric::Impl& rubric;
  std::vector<bool> given;           // one per slot: the record holds it
  const Value* slots = nullptr;      // one per slot
  const Value* items = nullptr;      // one per item
  const Number* weights = nullptr;   // in force; null: the defaults
  std::string_view verdict;          // as JSON
  std::vector<HookCall> hooks;       // calls, in their order
  const EachRunner* each = nullptr;  // with what the whole run says of the record; null: nothing
};

// The whole pipeline, or with `name` that value alone and what it was made of. `unknown`, unless null, becomes true when
// there is no such value.
std::string explain_text(const Explained& what, std::string_view name, bool* unknown);

}  // namespace assay
