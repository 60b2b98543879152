// Drawings as SVG: rows of a table whose bars need neither script nor style, and standalone pictures.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

struct Bar {
  std::string name, label;
  double from = 0, to = 0;     // 0..1
  double track = -1;           // 0..1: the length of a full bar; below 0: not drawn
  double low = -1, high = -1;  // 0..1: a whisker; below 0: none. With a whisker, the bar is a mark at `to`
  enum class Kind : unsigned char { total, plus, minus } kind = Kind::total;
};

// A table with a row for each bar: its name, the drawing, its label.
std::string bar_table(std::string_view caption, const std::vector<Bar>& bars);

struct Part {
  std::string title;
  std::vector<Bar> bars;
};
// The same as a standalone picture, with colours for light and dark.
std::string picture(std::string_view title, std::string_view subtitle, const std::vector<Part>& parts);

struct Line {
  std::string name;
  std::vector<double> values;  // 0..1
  std::vector<bool> marked;    // one for each value
  std::vector<std::string> labels;
};
// A row for each line: its name, the points in order, and its last value.
std::string line_table(std::string_view caption, const std::vector<Line>& lines);

}  // namespace assay::cli
