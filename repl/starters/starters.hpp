// The kinds of rubrics that `assay new` can write.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace assay::cli {

struct Starter {
  std::string_view name, meaning;
  std::string_view text;      // contains NAME and TITLE, or
  std::string_view own = {};  // … the name of its last rubric
};
std::vector<Starter> starters();  // the first one is the default

struct ShippedRubric {
  std::string_view name, text;
};
std::span<const ShippedRubric> shipped_evals();  // the rubrics of rubrics/evals

}  // namespace assay::cli
