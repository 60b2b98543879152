// Recognises files with an unintended layout: UTF-16, tabs in a .csv, JSON over several lines where each line is a
// record, a table without a header. Such a file would give one error for each line; instead, one sentence explains the
// problem.
#pragma once

#include "repl/files/record_file.hpp"

#include <assay/assay.hpp>

#include <string>

namespace assay::cli {

// Empty: the beginning shows no problem.
std::string layout_problem(const Beginning& beginning, const Rubric& rubric);

}  // namespace assay::cli
