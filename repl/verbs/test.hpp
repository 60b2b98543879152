// Runs a rubric's examples; shared by `assay test` and the REPL's `:test`.
#pragma once

#include <assay/assay.hpp>
#include <assay/coverage.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace assay::cli {

struct TestCount {
  std::size_t examples = 0;
  std::size_t failed = 0;
};

// Runs the examples, counts them, and returns those that failed. `told`: what has been said about the rubric; a failed
// example with a warning of its own is left out.
std::vector<ExampleResult> failed_examples(const Rubric& rubric, TestCount& count,
                                           const std::vector<Diagnostic>& told = {});
// For each: file:line, its name, one line per difference. `colour_fd`: where the text goes.
std::string shown(const std::vector<ExampleResult>& failed, int colour_fd);

// Appends what the examples do not exercise, one line each, and a summary; `file`: the rubric's name in it.
void coverage_text(const std::string& file, const Coverage& coverage, std::string& text);

// "12 examples, 1 failed\n".
std::string summary(const TestCount& count);

}  // namespace assay::cli
