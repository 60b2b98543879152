// Edits that resolve a warning: a condition that cannot decide anything is offered in the forms that its author may
// have meant. An edit is a proposal: runtime/mend compiles it before it is shown.
#pragma once

#include "lang/number/number.hpp"
#include "lang/syntax/ast.hpp"
#include "lang/value/interval.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// A new text for a place.
struct Rewording {
  Span at;
  std::string text;
};
using Fix = std::vector<Rewording>;  // rewordings that belong together, in any order

// Adds each fix as a suggestion, the likeliest first.
void offer(const Diagnostics& diagnostics, Diagnostic& problem, const std::vector<Fix>& fixes, bool certain = false);

// Converts a number of another scale to the scale of `range`: 0.85 for 0..100 is "85", 80 for 0..1 is "80%", 70 for
// 0..10 is "7". Empty if the number is in range, or if no scale explains it.
std::string on_scale(Number n, const Interval& range, NumberPool& pool);

// Edits that bring the literals of a comparison into the range of the compared value; empty if there are none.
Fix rescaled(const ast::Expr& literal, const Interval& range, NumberPool& pool);

// Whether the sides of 'and' or 'or' compare one value: x < 3 and x > 5, or x == "a" and (x == "b" or …). Of two values,
// both conditions are meant.
bool about_one_value(const ast::Expr& joined);

// Other forms of a condition: comparisons reversed, with or without equality, or joined by the other of 'and' and 'or'.
// `passes`: it states what must hold, so 'x < 1 and x > 5' more likely means 'x >= 1 and x <= 5'. `inside`: it is a part
// of another condition.
void other_forms(const ast::Expr& condition, bool passes, bool inside, std::vector<Fix>& fixes);

}  // namespace assay
