// Cells of tables in the forms that people write them in: of files and of rubrics.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::mending::csv {

// A cell brought to the notation of tables; `sure`: it cannot be read in another way.
struct Form {
  std::string text;
  bool sure = true;
};

// "1,000", "5,5", "€ 5", "7 %", "'5'", "−3"; `in_percent`: a column of
// percentages, whose numbers stay as they are.
std::optional<Form> number_form(std::string_view cell, bool in_percent);
// A key of numbers: a number, a bound, a range, or everything else.
std::optional<Form> key_form(std::string_view cell);
bool means_otherwise(std::string_view word);

}  // namespace assay::mending::csv
