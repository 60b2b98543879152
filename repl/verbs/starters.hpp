// The kinds of rubrics that `assay new` can begin.
#pragma once

#include <span>
#include <string_view>

namespace assay::cli {

struct Starter {
  std::string_view name, meaning;
  std::string_view text;  // with NAME and TITLE in it
};
std::span<const Starter> starters();  // the first one is what a rubric is like when nothing else is said

}  // namespace assay::cli
