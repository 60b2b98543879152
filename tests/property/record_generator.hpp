// Random records of a rubric: made from the types of its inputs, and drawn to where evaluations go wrong: bounds of
// ranges, halves, ties, many decimals, absent fields, empty lists, the very words and numbers the rubric compares with.
// Numbers have at most 15 significant digits. Most records are valid; a `check` of the rubric may refuse some.
#pragma once

#include "tests/property/random.hpp"

#include <assay/assay.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace assay_tests {

class RecordGenerator {
 public:
  // `source` is the text of the rubric file: its words and numbers are what records are made of, too.
  RecordGenerator(const assay::Rubric& rubric, std::string_view source, std::uint64_t seed);
  ~RecordGenerator();
  RecordGenerator(const RecordGenerator&) = delete;
  RecordGenerator& operator=(const RecordGenerator&) = delete;

  std::string record(std::string_view id);  // a JSON object
  void set_short_numbers(bool on);          // few decimals, as in practice: two where there are bounds, none otherwise
  assay::Settings settings();               // often nothing; a context, or weights that may or may not add up
  Random& random();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay_tests
