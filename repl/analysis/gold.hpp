// Human ratings of records ("gold"), from the records themselves or from a separate file.
#pragma once

#include <assay/assay.hpp>

#include <set>
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
// What gold may name: dimensions and fields of the verdict.
std::set<std::string> known_measures(const Rubric& rubric);

}  // namespace assay::cli
