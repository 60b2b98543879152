// Recognises files with an unintended layout: UTF-16, tabs in a .csv, JSON over several lines where each line is a
// record, a table without a header. Such a file would give one error for each line; instead, one sentence explains the
// problem.
#pragma once

#include "repl/files/record_file.hpp"

#include <assay/assay.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

struct LayoutProblem {
  std::size_t line = 0;  // 0: the whole file
  std::string text;
};

// Empty: the beginning shows no problem.
std::vector<LayoutProblem> layout_problems(const Beginning& beginning, const Rubric& rubric);

// The first control character of a text; no text: there is none.
LayoutProblem control_character(std::string_view text);

}  // namespace assay::cli
