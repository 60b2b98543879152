// What the examples of a rubric exercise: rows of bands and tables, gates both ways, conditions of caps, deductions,
// bonuses and flags, the arms of choices, contexts. A point is exercised when some example makes it so; what a record
// cannot tell from outside (conditions within functions and loops) is listed as not measured and does not count.
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
  // An expression that is true of the records that exercise it. Empty where it is exercised, cannot be measured, or where
  // writing it would take more than a few hundred kilobytes together with the others.
  std::string condition;
};
const char* name_of(CoveragePoint::Kind kind);  // "row"

struct Coverage {
  std::vector<CoveragePoint> points;  // in the order of the text
  std::size_t measured = 0, exercised = 0;
};

// Runs each example once. `interrupt`: not owned; what is not run by then is not exercised. Any thread.
Coverage example_coverage(const Rubric& rubric, const Interrupt* interrupt = nullptr);

}  // namespace assay
