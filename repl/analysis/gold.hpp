// Human ratings of records ("gold"), from the records themselves or from a separate file.
#pragma once

#include <assay/assay.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::cli {

struct Gold {
  std::string id, judge;
  std::vector<std::pair<std::string, std::string>> values;  // measure, value without quotes
};

// `flat`: if there is no member 'gold', all members except the id and the judge are gold.
Gold gold_of(std::string_view record, bool flat);
// The rubric's value for a measure that gold names; empty: none.
std::string rated_value(const Verdict& verdict, const std::string& measure);
// Whether it is a dimension, or a field of the verdict.
bool known_measure(const Rubric& rubric, const std::string& measure);

}  // namespace assay::cli
