// What the examples of a rubric exercise: rows of bands and tables, both results of gates, conditions of caps,
// deductions, bonuses and flags, branches of choices, contexts. A point is exercised if some example reaches it. Points
// that cannot be observed from outside (conditions inside functions and loops) are listed as not measured and do not
// count.
#pragma once

#include <assay/assay.hpp>

#include <string>
#include <vector>

namespace assay {

struct CoveragePoint {
  enum class Kind : std::uint8_t { row, gate, cap, deduction, bonus, flag, branch, context };
  Kind kind = Kind::branch;
  Printable what;  // "row >= 9.50 of 'grade'", "gate 'viable' fails"
  Location at;
  bool measured = true;
  bool exercised = false;
  // An expression that is true for the records that exercise the point. Empty if the point is exercised or cannot be
  // measured, or if all conditions together would exceed a few hundred kilobytes.
  std::string condition;
};
const char* name_of(CoveragePoint::Kind kind);  // "row"

struct Coverage {
  std::vector<CoveragePoint> points;  // in the order of the text
  std::size_t measured = 0, exercised = 0;
};

// Runs each example once. `interrupt`: not owned; examples not run by then exercise nothing. Any thread.
Coverage example_coverage(const Rubric& rubric, const Interrupt* interrupt = nullptr);

}  // namespace assay
