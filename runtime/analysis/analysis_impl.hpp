// The implementation of an Analysis: two probes, so that two evaluations can be compared.
#pragma once

#include "runtime/boxes/box.hpp"
#include "runtime/boxes/probe.hpp"

#include <assay/analysis.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

struct Analysis::Impl {
  Impl(const Rubric& the_rubric, const EvaluatorOptions& the_options)
      : rubric(the_rubric), options(the_options), first(the_rubric, the_options), second(the_rubric, the_options) {}

  Rubric rubric;
  EvaluatorOptions options;
  Probe first, second;
  std::vector<std::string> history;
};

// The differences between two evaluations, in the order of the pipeline. The rubrics may differ: values are matched by
// kind and name.
std::vector<ValueChange> value_changes(Probe& before, Probe& after, const std::vector<Change>& declarations);

// The JSON at a path of a record: "scores.clarity", "parts[2].severity"; empty: absent.
std::string json_at(std::string_view record, std::string_view path);

std::string_view stage_of(const Item& item);

}  // namespace assay
