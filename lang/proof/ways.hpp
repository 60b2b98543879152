// Ways out of a doubt, as edits: a condition that cannot decide anything is offered in the forms that its author may have
// meant. Each is only a proposal: whoever shows it compiles it first (runtime/engine/mend.cpp).
#pragma once

#include "lang/number/number.hpp"
#include "lang/syntax/ast.hpp"
#include "lang/value/interval.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Another text for a place.
struct Rewording {
  Span at;
  std::string text;
};
using Way = std::vector<Rewording>;  // rewordings that belong together, in any order

// Adds each way as a suggestion, the likeliest first.
void offer(const Diagnostics& diagnostics, Diagnostic& problem, const std::vector<Way>& ways, bool certain = false);

// A number of another scale as one of `range`, as text: 0.85 of 0..100 is "85", 80 of 0..1 is "80%", 70 of 0..10 is "7".
// Empty: it fits, or no scale explains it.
std::string on_scale(Number n, const Interval& range, NumberPool& pool);

// The literals of a comparison, brought to the range of the value that they are compared with; empty: none.
Way rescaled(const ast::Expr& literal, const Interval& range, NumberPool& pool);

// Other forms of a condition: its comparisons the other way round, at their bound, and joined by the other word.
// `passes`: it says what is to hold, so that 'x < 1 and x > 5' is likelier to mean 'x >= 1 and x <= 5'.
void other_forms(const ast::Expr& condition, bool passes, std::vector<Way>& ways);

}  // namespace assay
