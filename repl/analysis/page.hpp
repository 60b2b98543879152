// The pieces of a page of HTML: escaped texts and drawings. Everything that comes from a rubric or a record passes
// through here, so that no id and no prose can be more than a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

// As a text or the value of an attribute; characters that change the direction of a line are shown as escapes, long
// texts are cut.
std::string escaped(std::string_view text);

struct Step {
  std::string name;
  double from = 0, to = 0;  // of the bar
  std::string label;
  enum class Kind : unsigned char { total, plus, minus } kind = Kind::total;
};
// From the composite to the score, on a scale.
std::string waterfall(const std::vector<Step>& steps, double low, double high, std::string_view title);

struct BarRow {
  std::string name, label;
  double value = 0;            // 0..1
  double low = -1, high = -1;  // a whisker; below 0: none
};
// Bars beside each other's names; with whiskers, the bar is a mark between them.
std::string bars(const std::vector<BarRow>& rows, std::string_view title);

std::string page_begin(std::string_view title);
std::string page_end();

}  // namespace assay::cli
