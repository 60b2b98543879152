// Shared by the fuzz targets. A target defines LLVMFuzzerTestOneInput. libFuzzer calls it in the `fuzz` preset; in all
// other builds tests/fuzz/replay.cpp calls it for the seeds and for inputs found earlier.
#pragma once

#include <assay/assay.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace assay_tests {

// Limits that keep every run short, so that a hang is a bug, too.
assay::Limits tight_limits();

struct FuzzedRubric {
  std::string name;
  assay::Rubric rubric;
  std::unique_ptr<assay::Evaluator> evaluator, strict;
};

// The shipped rubrics, compiled once.
std::vector<FuzzedRubric>& shipped_rubrics();

// The rubric named by the first line of an input, which is removed; without such a line, the first rubric.
FuzzedRubric& choose_rubric(std::string_view& input);

// Checks an invariant. If it does not hold, aborts the program, as fuzzers require.
void insist(bool holds);

}  // namespace assay_tests
