// Writing documents. See document.hpp.
#include "repl/analysis/document.hpp"

#include "repl/verdicts/formats.hpp"

#include <assay/assay.hpp>

#include <charconv>
#include <cmath>
#include <cstdio>

namespace assay::cli {

void Document::heading(std::string text) { parts_.push_back({Part::Kind::heading, std::move(text), {}}); }
void Document::line(std::string text) { parts_.push_back({Part::Kind::line, std::move(text), {}}); }
void Document::item(std::string text) { parts_.push_back({Part::Kind::item, std::move(text), {}}); }
void Document::table(TextTable table) { parts_.push_back({Part::Kind::table, {}, std::move(table)}); }

std::string Document::text() const {
  std::string out;
  for (const Part& part : parts_) {
    switch (part.kind) {
      case Part::Kind::heading: out += (out.empty() ? "" : "\n") + printable(part.text) + "\n"; break;
      case Part::Kind::line: out += "  " + printable(part.text) + "\n"; break;
      case Part::Kind::item: out += "  - " + printable(part.text) + "\n"; break;
      case Part::Kind::table: {
        const std::string rows = part.table.text(table_width());
        for (std::size_t at = 0; at < rows.size();) {
          const std::size_t end = rows.find('\n', at);
          out += "  " + rows.substr(at, end - at) + "\n";
          at = end + 1;
        }
      }
    }
  }
  return out;
}

std::string Document::markdown() const {
  std::string out;
  bool listed = false;
  for (const Part& part : parts_) {
    const bool item = part.kind == Part::Kind::item;
    if (!out.empty() && !(listed && item)) out += "\n";
    listed = item;
    switch (part.kind) {
      case Part::Kind::heading: out += "## " + plain_markdown(part.text) + "\n"; break;
      case Part::Kind::line: out += plain_markdown(part.text) + "\n"; break;
      case Part::Kind::item: out += "- " + plain_markdown(part.text) + "\n"; break;
      case Part::Kind::table: out += part.table.markdown();
    }
  }
  return out;
}

std::string shown_double(double value, int decimals) {
  if (!std::isfinite(value)) return "–";
  constexpr double kLarge = 1e15;  // from here on, a double has no digit behind the point
  char text[64];
  if (std::abs(value) >= kLarge) std::snprintf(text, sizeof text, "%.6g", value);
  else std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string shown_number(std::string_view exact, int digits) {
  const std::size_t slash = exact.find('/');
  const std::size_t all = exact.size() - (exact.find('.') != std::string_view::npos ? 1 : 0);
  if (slash == std::string_view::npos && all <= static_cast<std::size_t>(digits) + 1) return std::string(exact);
  const auto part = [](std::string_view text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  const double value =
      slash == std::string_view::npos ? part(exact) : part(exact.substr(0, slash)) / part(exact.substr(slash + 1));
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return std::string("≈") + text;
}

std::string bare(std::string_view json) {
  if (json.empty() || json == "null") return "–";
  if (json.front() != '"') return std::string(json);
  const std::vector<std::string> cell = cells("{\"v\":" + std::string(json) + "}", {"v"});
  return cell.empty() ? std::string(json) : cell.front();
}

}  // namespace assay::cli
