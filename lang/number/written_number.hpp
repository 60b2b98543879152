// Numbers as people and spreadsheets write them: "€ 1.234,50", "12 kg", "7 %", "−3", "007".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay {

struct WrittenNumber {
  std::string text;      // in decimal notation, without what follows
  std::string unit;      // the letters behind the number: "kg"
  bool percent = false;  // "7 %" is 7 with `percent`
  bool certain = true;   // false: 1,234 may also be 1.234
};

// Empty: it is no number, or its unit is a factor (5k), or its points and commas contradict each other. Linear.
std::optional<WrittenNumber> written_number(std::string_view text);

// Whether a cell or a text says that a value is not known, as other programs write it: "N/A", "-", "#DIV/0!", nothing.
bool says_unknown(std::string_view text);

}  // namespace assay
