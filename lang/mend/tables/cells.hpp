// Cells of tables as people write them, in files and in rubrics.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::mending::csv {

// A cell in the notation of tables; `sure`: there is no other way to read it.
struct Form {
  std::string text;
  bool sure = true;
};

// "1,000", "5,5", "€ 5", "7 %", "'5'", "−3"; `in_percent`: a column of
// percentages, whose numbers stay as they are.
std::optional<Form> number_form(std::string_view cell, bool in_percent);
// A key that matches numbers: a number, a bound, a range, or 'otherwise'.
std::optional<Form> key_form(std::string_view cell);
// [50, 120), 0 <= x < 5, "> 0 and < 5", 0..<5: the bounds of a number; empty: a plain range, or no limits.
std::string limits_in(std::string_view cell);
bool means_otherwise(std::string_view word);

}  // namespace assay::mending::csv
