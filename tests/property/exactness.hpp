// The property that makes verdicts trustworthy: however a record is evaluated, the verdict is the same text. Compared
// are the evaluation as it is (64-bit fractions, big ones where they overflow), the same bytecode with every operation
// forced through big rationals, and the request protocol.
#pragma once

#include <assay/assay.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace assay_tests {

struct ExactnessRun {
  std::uint64_t records = 0;
  std::uint64_t scored = 0;      // the others were refused, in all three ways alike
  std::uint64_t with_history = 0;
  std::uint64_t with_settings = 0;
  std::uint64_t exact_path = 0;  // needed more than 64 bits by themselves
  std::string difference;        // the first record that was not evaluated alike; empty: none
};

// Compares `count` random records. The same seed gives the same records.
ExactnessRun compare_evaluations(const assay::Rubric& rubric, const std::string& source, std::uint64_t count,
                                 std::uint64_t seed);

// A rubric file and what it imports, from the disk. Empty: it does not compile, or is not there.
std::optional<assay::Rubric> load_rubric(const std::string& path, std::string& source);

}  // namespace assay_tests
