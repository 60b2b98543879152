// Records as rows of CSV tables, written in the various ways of different programs.
#pragma once

#include "tests/property/random.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay_tests {

// The columns for records like these, in order of appearance: "scores.safety".
std::vector<std::string> csv_columns(const std::vector<std::string>& records);

// How to write a table.
struct CsvStyle {
  char separator = ',';
  std::uint64_t quoted = 0;      // one in this many cells is quoted needlessly; 0: none
  bool lists_as_json = false;    // instead of items with ';' between them, where possible
  bool carriage_return = false;  // before each line feed
};
std::string csv_header(const std::vector<std::string>& columns, const CsvStyle& style);
// Returns a row without its line feed. Keys without a column are left out; null and empty lists become empty cells.
std::string csv_row(std::string_view record, const std::vector<std::string>& columns, const CsvStyle& style,
                    Random& random);

}  // namespace assay_tests
