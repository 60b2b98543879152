// Counts what a program allocates: calls of malloc and its relatives, by replacing them. So the numbers are the same on
// every run of the same program, unlike times. Programs built with sanitizers, which replace malloc themselves, count
// nothing.
#pragma once

#include <cstdint>

namespace assay_tests {

struct Allocations {
  std::uint64_t bytes = 0;  // handed out, all in all
  std::uint64_t live = 0;   // not given back
  std::uint64_t peak = 0;   // the most that was ever live since forget_peak()
};
Allocations allocations();
void forget_peak();
bool allocations_are_counted();

}  // namespace assay_tests
