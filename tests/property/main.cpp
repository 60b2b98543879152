// Run by hand, for any length of time: assay-exactness RUBRIC COUNT SEED. Prints what was compared. Exits with 1 and
// the first request whose evaluations differ. The short run is tests/unit/exactness_test.cpp.
#include "tests/property/exactness.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: assay-exactness RUBRIC COUNT SEED\n", stderr);
    return 2;
  }
  std::string source;
  const std::optional<assay::Rubric> rubric = assay_tests::load_rubric(argv[1], source);
  if (!rubric) {
    std::fprintf(stderr, "%s: no rubric that compiles\n", argv[1]);
    return 2;
  }
  const std::uint64_t count = std::strtoull(argv[2], nullptr, 10);
  const assay_tests::ExactnessRun run =
      assay_tests::compare_evaluations(*rubric, source, count, std::strtoull(argv[3], nullptr, 10));
  std::printf("%s: %" PRIu64 " records, %" PRIu64 " scored, %" PRIu64 " with history, %" PRIu64
              " with weights or contexts, %" PRIu64 " beyond 64 bits; %zu of %zu fields by kernels, which took %" PRIu64
              " of %" PRIu64 " records in batches, %" PRIu64 " in other ways: %s\n",
              rubric->name().c_str(), run.records, run.scored, run.with_history, run.with_settings, run.exact_path,
              run.fields, run.all_fields, run.by_kernel, run.in_batches, run.by_lines,
              run.difference.empty() ? "alike" : "DIFFERENT");
  if (run.difference.empty()) return 0;
  std::printf("%s\n", run.difference.c_str());
  return 1;
}
