// Runs a rubric's examples; shared by `assay test` and the REPL's `:test`.
#pragma once

#include <assay/assay.hpp>
#include <assay/coverage.hpp>

#include <cstddef>
#include <string>

namespace assay::cli {

struct TestCount {
  std::size_t examples = 0;
  std::size_t failed = 0;
};

// Appends the failures to `text`: file:line, the example's name, one line per difference.
// `told`: what has been said about the rubric; a failed example with a warning of its own is left out.
void run_examples(const Rubric& rubric, int colour_fd, std::string& text, TestCount& count,
                  const std::vector<Diagnostic>& told = {});

// Appends what the examples do not exercise, one line each, and a summary; `file`: the rubric's name in it.
void coverage_text(const std::string& file, const Coverage& coverage, std::string& text);

// "12 examples, 1 failed\n".
std::string summary(const TestCount& count);

}  // namespace assay::cli
