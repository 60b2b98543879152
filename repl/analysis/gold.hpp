// What people say a record should get, as it stands beside the record or in a file of its own.
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

// `flat`: without a member 'gold', all members but the id and the judge are gold.
Gold gold_of(std::string_view record, bool flat);
// What the rubric makes of a measure that gold names; empty: nothing.
std::string rated_value(const Verdict& verdict, const std::string& measure);
// A dimension, or a field of the verdict.
bool known_measure(const Rubric& rubric, const std::string& measure);

}  // namespace assay::cli
