// Random records of a rubric, generated from the types of its inputs and concentrated on critical values: bounds of
// ranges, halves, ties, many decimals, absent fields, empty lists, and the words and numbers that the rubric compares
// with. Numbers have at most 15 significant digits. Most records are valid; a `check` of the rubric may reject some.
#pragma once

#include "tests/property/random.hpp"

#include <assay/assay.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace assay_tests {

class RecordGenerator {
 public:
  // `source` is the text of the rubric file. Its words and numbers are used in records.
  RecordGenerator(const assay::Rubric& rubric, std::string_view source, std::uint64_t seed);
  ~RecordGenerator();
  RecordGenerator(const RecordGenerator&) = delete;
  RecordGenerator& operator=(const RecordGenerator&) = delete;

  std::string record(std::string_view id);  // a JSON object
  void set_short_numbers(bool on);          // few decimals, as in practice: two for bounded numbers, otherwise none
  assay::Settings settings();               // often none; a context, or weights that need not add up
  Random& random();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay_tests
