// The format that a verb writes in, by its options.
#pragma once

#include <assay/verdicts.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::cli {

// By the option, else by the name of the output file, else a table for a terminal and `piped` for a pipe. Null (and
// `problem`) when the name has an unknown ending.
const OutputFormat* choose_format(const std::string& to, const std::string& output, bool terminal,
                                  std::string_view piped, std::string& problem);

// Columns of a terminal that a line of a table takes from now on; 0, as at first: any number.
void set_table_width(std::size_t columns);
std::size_t table_width();

}  // namespace assay::cli
