// The changes between two texts, line by line: for whoever needs them as edits. unified_diff() in <assay/text.hpp> shows
// them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct LineChange {
  std::size_t begin, end;  // bytes of the text before: whole lines, or nothing between two
  std::string text;        // whole lines
};

// In the order of their places; lines that both texts have lie between any two. Any thread.
std::vector<LineChange> line_changes(std::string_view before, std::string_view after);

}  // namespace assay
