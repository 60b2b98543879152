// What differs between two texts, line by line, in the unified format that `diff -u` and `patch` know.
#pragma once

#include <string>
#include <string_view>

namespace assay::cli {

// "--- a/NAME", "+++ b/NAME" and the hunks, with three lines around each change; empty when the texts are equal.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace assay::cli
