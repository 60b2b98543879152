// Small rubrics that together use everything that a kernel can express, with the values at which each goes wrong if it
// does; and some that no kernel can express.
#pragma once

#include "tests/property/kernel_rig.hpp"

#include <string>
#include <vector>

namespace assay_tests {

struct KernelCase {
  const char* name;
  // Whether a kernel must not exist, or must: for some or all of the records that the VM scores. (The reader of lines
  // leaves maps to the VM.)
  enum class Way { none, some, all } way;
  const char* inputs;  // names of kernel_input, with spaces between
  const char* body;    // the rest of the rubric
};
const std::vector<KernelCase>& kernel_cases();

// The declaration of an input of that name, and its values in records; adds to both.
void kernel_input(const std::string& name, std::string& declarations, std::vector<RigInput>& inputs);
// The rubric, whose inputs are added.
std::string rubric_of(const KernelCase& one, std::vector<RigInput>& inputs);

}  // namespace assay_tests
