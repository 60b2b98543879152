// What a text turns away: "Claims above 100 euros are rejected", "Who misses more than two meetings cannot pass".
#pragma once

#include "lang/proof/prose.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct SaidRefusal {
  SaidBound bound;  // of what is turned away
  // Words between the number and a verdict on things, where nothing stands before the bound: "absences" of "More than two
  // absences are rejected". If they are not what the condition counts, those things are rejected and not their number.
  std::vector<std::string> counted;
};
// Empty if the text turns nothing away, or if a second verdict or another denial makes it unclear what.
std::optional<SaidRefusal> refused_said(std::string_view prose, NumberPool& pool);

// What a text lets pass without a word for the bound: "Two absences are allowed", "Up to two absences are allowed".
struct SaidAllowance {
  SaidNumber number;
  std::string noun;  // behind the number
};
std::optional<SaidAllowance> allowed_said(std::string_view prose, NumberPool& pool);

}  // namespace assay
