// Rubrics in foreign styles, derived from valid ones: each habit changes a piece of a rubric into what users of another
// language, a spreadsheet or a document would write. Measured are whether the error is found, whether it is reported on
// a changed line, and whether `mend()` restores the rubric, by its scoring hash.
#pragma once

#include "tests/property/random.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace assay_tests {

struct Habit {
  const char* group;
  const char* name;
  const char* pattern;      // the part of a line to change, as a std::regex
  const char* replacement;  // $1 … are the groups of the pattern
  bool everywhere;          // changes all places at once, for habits that apply throughout
};
const std::vector<Habit>& habits();

// The text with a habit applied at a random place, or nothing if there is none.
std::optional<std::string> with_habit(const std::string& text, const Habit& habit, Random& random);

struct Share {
  std::size_t tried = 0, found = 0, placed = 0, mended = 0;
  void add(const Share& other) {
    tried += other.tried, found += other.found, placed += other.placed, mended += other.mended;
  }
};

struct HabitFailure {
  std::string file, group, name, before, after;  // the changed line, and the first diagnostic
  std::string message;
};

// Tests this many rubrics with this seed: the shares of each group, and the cases that were not mended.
std::map<std::string, Share> measure_habits(std::uint64_t seed, std::size_t count, std::vector<HabitFailure>& failures);

}  // namespace assay_tests
