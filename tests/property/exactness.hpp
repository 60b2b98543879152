// The property that makes verdicts trustworthy: however a record is evaluated, the verdict is the same text. Compared
// are the evaluation as it is (64-bit fractions, big ones where they overflow), the same bytecode with every operation
// forced through big rationals, and the request protocol; and for the fields that a kernel computes (lang/kernel/kernel.hpp),
// a Batch, which uses kernels, and one by one all the ways to run one.
#pragma once

#include <assay/assay.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace assay_tests {

struct ExactnessRun {
  std::uint64_t records = 0;
  std::uint64_t scored = 0;  // the others were refused, in all three ways alike
  std::uint64_t with_history = 0;
  std::uint64_t with_settings = 0;
  std::size_t fields = 0;  // that a kernel computes; 0: nothing below was compared
  std::size_t all_fields = 0;
  std::uint64_t in_batches = 0;  // records of those batches …
  std::uint64_t by_kernel = 0;   // … that a kernel took
  std::uint64_t by_lines = 0;    // records that the kernel of default weights took in its other ways
  std::uint64_t exact_path = 0;  // needed more than 64 bits by themselves
  std::string difference;        // the first record that was not evaluated alike; empty: none
};

// Compares `count` random records. The same seed gives the same records.
ExactnessRun compare_evaluations(const assay::Rubric& rubric, const std::string& source, std::uint64_t count,
                                 std::uint64_t seed);

// A rubric file and what it imports, from the disk. Empty: it does not compile, or is not there.
std::optional<assay::Rubric> load_rubric(const std::string& path, std::string& source);

}  // namespace assay_tests
