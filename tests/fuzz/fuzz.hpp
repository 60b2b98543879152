// What the fuzz targets share. A target defines LLVMFuzzerTestOneInput; in the `fuzz` preset libFuzzer calls it, in
// every other build tests/fuzz/replay.cpp does, over the seeds and whatever was found before.
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

// Limits under which nothing takes long: a hang is then a bug, too.
assay::Limits tight_limits();

struct FuzzedRubric {
  std::string name;
  assay::Rubric rubric;
  std::unique_ptr<assay::Evaluator> evaluator, strict;
};

// The shipped rubrics, compiled once.
std::vector<FuzzedRubric>& shipped_rubrics();

// The rubric that the first line of an input names, cut off from it; without such a line, the first.
FuzzedRubric& choose_rubric(std::string_view& input);

// An invariant of ours does not hold: stops the program, as a fuzzer wants it.
void insist(bool holds);

}  // namespace assay_tests
