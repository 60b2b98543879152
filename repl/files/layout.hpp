// How a file of records is laid out when that is hardly what was meant: in UTF-16, with tabs in a .csv, JSON over several
// lines where each line is a record, a table without a header. Each such file would be one error for each of its lines;
// one sentence says what the matter is.
#pragma once

#include "repl/files/record_file.hpp"

#include <assay/assay.hpp>

#include <string>

namespace assay::cli {

// Empty: nothing is wrong with the layout, as far as its beginning shows.
std::string layout_problem(const Beginning& beginning, const Rubric& rubric);

}  // namespace assay::cli
