// Records as rows of CSV tables, spelled in the many ways that programs spell them.
#pragma once

#include "tests/property/random.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay_tests {

// The columns of records like these, in the order in which they come: "scores.safety".
std::vector<std::string> csv_columns(const std::vector<std::string>& records);

// How a table is written.
struct CsvStyle {
  char separator = ',';
  std::uint64_t quoted = 0;      // one in so many cells is in quotes without need; 0: none
  bool lists_as_json = false;    // instead of ';' between the items, wherever that is possible
  bool carriage_return = false;  // before the line feed of a row
};
std::string csv_header(const std::vector<std::string>& columns, const CsvStyle& style);
// Without its line feed. What the columns do not name is left out; null and an empty list are empty cells.
std::string csv_row(std::string_view record, const std::vector<std::string>& columns, const CsvStyle& style,
                    Random& random);

}  // namespace assay_tests
