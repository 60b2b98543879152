// Small rubrics that together use everything a kernel can express, with the critical values of each, and some rubrics
// that no kernel can express.
#pragma once

#include "tests/property/kernel_rig.hpp"

#include <string>
#include <vector>

namespace assay_tests {

struct KernelCase {
  const char* name;
  // Whether a kernel must exist or must not: for some or all records that the VM scores. (The line reader leaves maps
  // to the VM.)
  enum class Fix { none, some, all } fix;
  const char* inputs;  // names for kernel_input, separated by spaces
  const char* body;    // the rest of the rubric
};
const std::vector<KernelCase>& kernel_cases();

// Adds the declaration of an input of that name, and its values in records.
void kernel_input(const std::string& name, std::string& declarations, std::vector<RigInput>& inputs);
// The rubric, with its inputs added.
std::string rubric_of(const KernelCase& one, std::vector<RigInput>& inputs);

}  // namespace assay_tests
