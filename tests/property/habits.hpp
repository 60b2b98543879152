// Rubrics in foreign styles, written from valid ones: each habit turns a piece of a rubric into what somebody writes who is
// used to another language, a spreadsheet or a document. What is measured: whether the mistake is found, whether it is told
// on a line that was changed, and whether `mend()` brings the rubric back, by its scoring hash.
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
  const char* pattern;      // what it changes in a line, as std::regex reads it
  const char* replacement;  // $1 … are what the pattern caught
  bool everywhere;          // all places at once, for what somebody would do throughout
};
const std::vector<Habit>& habits();

// The text with a habit in it at a place by chance; nothing when there is none.
std::optional<std::string> with_habit(const std::string& text, const Habit& habit, Random& random);

struct Share {
  std::size_t tried = 0, found = 0, placed = 0, mended = 0;
  void add(const Share& other) {
    tried += other.tried, found += other.found, placed += other.placed, mended += other.mended;
  }
};

struct HabitFailure {
  std::string file, group, name, before, after;  // the changed line, and what the first diagnostic says
  std::string message;
};

// So many rubrics by this seed: the shares of each group, and what was not mended.
std::map<std::string, Share> measure_habits(std::uint64_t seed, std::size_t count, std::vector<HabitFailure>& failures);

}  // namespace assay_tests
