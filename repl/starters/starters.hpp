// The kinds of rubrics that `assay new` can begin.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace assay::cli {

struct Starter {
  std::string_view name, meaning;
  std::string_view text;      // with NAME and TITLE in it, or
  std::string_view own = {};  // … the name that its last rubric has
};
std::vector<Starter> starters();  // the first one is what a rubric is like when nothing else is said

struct ShippedRubric {
  std::string_view name, text;
};
std::span<const ShippedRubric> shipped_evals();  // the rubrics of rubrics/evals

}  // namespace assay::cli
