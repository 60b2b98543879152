// What the prose of a declaration says about numbers: "At least three sources", "Between 400 and 1200 g".
#pragma once

#include "lang/number/number.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

// The numbers in a text, in order: in digits or as words up to twelve; "40%" is 40 with `percent`, and "45,000" is 45000
// with `grouped`.
struct SaidNumber {
  Number value;
  bool percent = false, grouped = false;
};
std::vector<SaidNumber> numbers_said(std::string_view prose, NumberPool& pool);
// Each with the word behind it, in lower case: "2 points per day" has 2 with "points".
std::vector<std::pair<SaidNumber, std::string>> numbers_with_words(std::string_view prose, NumberPool& pool);

// A bound in words, for a text with a single number.
struct SaidBound {
  std::string_view op;  // ">=", "<", …
  SaidNumber number;
  bool either = false;   // other words decide whether this must hold or must not: "5 or fewer are allowed"
  bool demands = false;  // true for "at least", "at most"; "more than", "fewer than" may also state what must not be
  bool must = false;     // the text begins with a demand: "Needs …", "Must be …"
};
// Empty if the text states no bound, denies it, or names several numbers. `sentence`: words that are bounds in a condition
// in words also count: "over 100 euros".
std::optional<SaidBound> bound_said(std::string_view prose, NumberPool& pool, bool sentence = false);

// A bound in words that is another value: "within the budget". `words` are those of the text, in lower case; `side_of`
// tells which side of a comparison a word names: 1 the right one, -1 the left one, 0 none or both.
struct SaidOf {
  std::string_view op;  // of the other side
  int side = 0;         // that is named
};
std::optional<SaidOf> bound_of_name(const std::vector<std::string>& words, bool passes,
                                    const std::function<int(std::string_view)>& side_of);

// The operator of the negated comparison: "<" for ">=".
std::string_view opposite_of(std::string_view op);
// The operator after exchanging the sides: "<=" for ">=".
std::string_view turned(std::string_view op);

}  // namespace assay
