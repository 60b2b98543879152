// Recognises files with an unintended layout: UTF-16, tabs in a .csv, JSON over several lines where each line is a
// record, a table without a header. Such a file would give one error for each line; instead, one sentence explains the
// problem.
#pragma once

#include "repl/files/record_file.hpp"

#include <assay/assay.hpp>

#include <cstddef>
#include <cstdint>
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

// Puts the cause in place of an error that the first line of a table has, which may only be its consequence. False: no
// cause is known.
bool tell_cause(const Beginning& beginning, const Rubric& rubric, std::uint64_t line, InputError& error);

// The first control character of a text; no text: there is none.
LayoutProblem control_character(std::string_view text);

}  // namespace assay::cli
