// Draws SVG. See drawing.hpp.
#include "repl/pages/drawing.hpp"

#include "repl/analysis/document.hpp"
#include "repl/pages/page.hpp"

#include <assay/assay.hpp>

#include <algorithm>

namespace assay::cli {

namespace {

// Percent with at most one decimal, as short as possible, because pages contain many of them.
std::string percent(double share) {
  std::string text = shown_double(100 * std::clamp(share, 0.0, 1.0), 1);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

const char* kind_class(Bar::Kind kind) { return kind == Bar::Kind::total ? "t" : kind == Bar::Kind::plus ? "p" : "m"; }

constexpr double kThinnest = 0.006;

// Positions are in percent, so the drawing has the width of its cell.
std::string bar_svg(const Bar& bar) {
  std::string out = "<svg>";
  const auto rect = [&](const char* name, double from, double to) {
    if (!(to > from)) return;
    from = std::clamp(from, 0.0, 1.0);
    const double width =
        std::max(std::min(to, 1.0) - from, kThinnest);  // what lies beyond the scale is a mark at its end
    out += std::string("<rect class=") + name;
    if (const std::string x = percent(std::min(from, 1 - width)); x != "0") out += " x=" + x + "%";
    out += " width=" + percent(width) + "% />";
  };
  if (bar.low >= 0) {
    out += "<line class=w x1=" + percent(bar.low) + "% x2=" + percent(bar.high) + "% y1=50% y2=50% />";
    for (const double end : {bar.low, bar.high})
      out += "<line class=w x1=" + percent(end) + "% x2=" + percent(end) + "% y1=10% y2=90% />";
    out += "<circle class=t cx=" + percent(bar.to) + "% cy=50% r=4 />";
  } else {
    if (bar.track >= 0) rect("g", 0, bar.track);
    rect(kind_class(bar.kind), std::min(bar.from, bar.to), std::max(bar.from, bar.to));
  }
  return out + "</svg>";
}

std::string px(double value) { return shown_double(value, 1); }

}  // namespace

std::string bar_table(std::string_view caption, const std::vector<Bar>& bars) {
  std::string out = "<table class=v><caption>" + escaped(caption) + "</caption>\n";
  for (const Bar& bar : bars)
    out += "<tr><th scope=row>" + escaped(bar.name) + "<td>" + bar_svg(bar) + "<td>" + escaped(bar.label) + "\n";
  return out + "</table>";
}

std::string picture(std::string_view title, std::string_view subtitle, const std::vector<Part>& parts) {
  constexpr double kNames = 190, kBars = 330, kLabels = 150, kRow = 24, kEdge = 16;
  constexpr std::size_t kNameLength = 26, kLabelLength = 22;
  double height = kEdge + 30 + (subtitle.empty() ? 0 : 22);
  for (const Part& part : parts) height += 34 + kRow * static_cast<double>(part.bars.size());
  height += kEdge;
  const double width = 2 * kEdge + kNames + kBars + kLabels;
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + px(width) + " " + px(height) + "\" width=\"" +
      px(width) + "\" height=\"" + px(height) + "\" role=\"img\"><title>" + escaped(title) +
      "</title><style>.b{fill:#fff}text{font:13px system-ui,sans-serif;fill:#1b1f24}.h{font-weight:600}"
      ".a{font-size:17px;font-weight:600}.s{fill:#57606a}.g{fill:#eaeef2}.t{fill:#0a5ea8}.p{fill:#1a7f37}"
      ".m{fill:#b42318}@media(prefers-color-scheme:dark){.b{fill:#0f1318}text{fill:#e6edf3}.s{fill:#9aa4af}"
      ".g{fill:#222932}.t{fill:#6cb2f7}.p{fill:#56c96e}.m{fill:#ff8a80}}</style>\n<rect class=\"b\" width=\"" +
      px(width) + "\" height=\"" + px(height) + "\"/>\n";
  double y = kEdge + 18;
  const auto write = [&](const char* style, double x, std::string_view text, const char* anchor) {
    out += "<text class=\"" + std::string(style) + "\" x=\"" + px(x) + "\" y=\"" + px(y) + "\"" + anchor + ">" +
           escaped(text) + "</text>";
  };
  constexpr std::size_t kTitleLength = 70;
  write("a", kEdge, shorten(std::string(title), kTitleLength), "");
  y += 22;
  if (!subtitle.empty()) {
    write("s", kEdge, shorten(std::string(subtitle), kTitleLength), "");
    y += 22;
  }
  for (const Part& part : parts) {
    y += 12;
    write("h", kEdge, part.title, "");
    y += 22;
    for (const Bar& bar : part.bars) {
      const double left = kEdge + kNames;
      write("n", left - 10, shorten(bar.name, kNameLength), " text-anchor=\"end\"");
      const auto rect = [&](const char* name, double from, double to) {
        if (!(to > from)) return;
        out += "<rect class=\"" + std::string(name) + "\" x=\"" + px(left + kBars * from) + "\" y=\"" + px(y - 12) +
               "\" width=\"" + px(kBars * std::max(to - from, kThinnest)) + "\" height=\"15\"/>";
      };
      if (bar.track >= 0) rect("g", 0, bar.track);
      rect(kind_class(bar.kind), std::min(bar.from, bar.to), std::max(bar.from, bar.to));
      write("n", left + kBars + 10, shorten(bar.label, kLabelLength), "");
      out += "\n";
      y += kRow;
    }
  }
  return out + "</svg>\n";
}

// A path for the line, points as strokes without length: a point takes ten bytes instead of a hundred, and a page has
// thousands. Its title, which a pointer shows, has every value.
std::string line_table(std::string_view caption, const std::vector<Line>& lines) {
  constexpr std::size_t kName = 60, kTitle = 8000, kTold = 3;
  std::string out = "<table class=\"v l\"><caption>" + escaped(caption) + "</caption>\n";
  for (const Line& line : lines) {
    const std::size_t n = line.values.size();
    std::string fix, points, marks, title, told;
    std::size_t apart = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = n < 2 ? 0.5 : 0.02 + 0.96 * static_cast<double>(i) / static_cast<double>(n - 1);
      const std::string at = percent(x) + " " + percent(0.9 - 0.8 * line.values[i]);
      fix += (i == 0 ? "M" : i == 1 ? "L" : " ") + at;
      (line.marked[i] ? marks : points) += "M" + at + "h0";
      const std::string label = shorten(line.labels[i], kName);
      title += (i > 0 ? ", " : "") + label;
      if (line.marked[i] && ++apart <= kTold) told += (told.empty() ? "; apart: " : ", ") + label;
    }
    if (apart > kTold) told += " and " + std::to_string(apart - kTold) + " more";
    out += "<tr><th scope=row>" + escaped(line.name, kName) +
           "<td><svg viewBox=\"0 0 100 100\" preserveAspectRatio=none><title>" + escaped(title, kTitle) +
           "</title><path d=\"" + fix + "\"/>";
    if (!points.empty()) out += "<path class=o d=\"" + points + "\"/>";
    if (!marks.empty()) out += "<path class=x d=\"" + marks + "\"/>";
    out += "</svg><td>" + (n == 0 ? std::string() : escaped(shorten(line.labels.back(), kName))) + escaped(told) + "\n";
  }
  return out + "</table>";
}

}  // namespace assay::cli
