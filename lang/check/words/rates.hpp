// What texts say of amounts for each of something: "30 cents a kilometre", "a point for every 500 m", "the first half hour
// is free".
#pragma once

#include "lang/number/number.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// A number and the word behind it: 500 with "m".
struct SaidAmount {
  Number value;
  std::string of;
};

// An amount for each of something: 1 "point" for 500 "m".
struct SaidRate {
  SaidAmount amount, each;
};
// All of a text; empty if one of its words leaves open when they hold.
std::vector<SaidRate> rates_said(std::string_view prose, NumberPool& pool);

// How much is left out before anything counts: "the first 30 minutes are free", "for each km above 5 km". Empty: nothing, or
// the text says it twice.
std::optional<SaidAmount> left_out_said(std::string_view prose, NumberPool& pool);

}  // namespace assay
