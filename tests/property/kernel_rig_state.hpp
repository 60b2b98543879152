// The implementation of KernelRig.
#pragma once

#include "runtime/engine/evaluator.hpp"
#include "tests/property/kernel_rig.hpp"

namespace assay_tests {

struct KernelRig::State {
  State(assay::Rubric the_rubric, std::vector<std::string> the_fields);
  const assay::Model& model() const { return *rubric.impl().model; }
  const assay::RubricModel& meaning() const { return rubric.impl().rubric(); }

  assay::Rubric rubric;
  std::vector<std::string> names;
  std::vector<assay::VerdictField> fields;
  std::optional<assay::Evaluator> evaluator;
  std::optional<assay::Settings> settings;
  assay::NumberPool numbers;
  std::vector<assay::Number> weights;  // current weights; empty: the defaults
  std::shared_ptr<const assay::Kernel> kernel;
  std::string why;
};

}  // namespace assay_tests
