// The property behind all verdicts: however a record is evaluated, the text of the verdict is the same. Compared are
// the normal evaluation (64-bit fractions, big ones on overflow), the same bytecode with every operation forced through
// big rationals, and the request protocol; for the fields that a kernel computes (lang/kernel/kernel.hpp), also a
// Batch, which uses kernels, and each single way to run one.
#pragma once

#include <assay/assay.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace assay_tests {

struct ExactnessRun {
  std::uint64_t records = 0;
  std::uint64_t scored = 0;  // the others were rejected in all three ways
  std::uint64_t with_history = 0;
  std::uint64_t with_settings = 0;
  std::size_t fields = 0;  // computed by a kernel; 0: nothing below was compared
  std::size_t all_fields = 0;
  std::uint64_t in_batches = 0;  // records of the batches
  std::uint64_t by_kernel = 0;   // of those, accepted by a kernel
  std::uint64_t by_lines = 0;    // records accepted by the kernel of default weights in its other ways
  std::uint64_t exact_path = 0;  // records that needed more than 64 bits
  std::string difference;        // the first record with differing verdicts; empty: none
};

// Compares `count` random records. The same seed yields the same records.
ExactnessRun compare_evaluations(const assay::Rubric& rubric, const std::string& source, std::uint64_t count,
                                 std::uint64_t seed);

// Loads a rubric file and its imports from disk. Returns nothing if it is missing or does not compile.
std::optional<assay::Rubric> load_rubric(const std::string& path, std::string& source);

}  // namespace assay_tests
