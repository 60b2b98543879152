// The formats, a row each, in the order of help.
#include <assay/verdicts.hpp>

#include <algorithm>

namespace assay {

namespace {

using Layout = OutputFormat::Layout;

std::string csv(const std::vector<std::string>& cells) { return separated_row(cells, ','); }
std::string tsv(const std::vector<std::string>& cells) { return separated_row(cells, '\t'); }
std::string text(const TextTable& table, std::size_t width) { return table.text(width); }
std::string markdown(const TextTable& table, std::size_t) { return table.markdown(); }

constexpr OutputFormat kOutputFormats[] = {
    {"ndjson", "jsonl", Layout::lines},
    {"json", "", Layout::array},
    {"csv", "", Layout::rows, csv},
    {"tsv", "", Layout::rows, tsv},
    {"table", "", Layout::table, nullptr, text, "\n", ""},
    {"markdown", "md", Layout::table, nullptr, markdown, "\n```json\n", "```\n"},
    {"npy", "", Layout::columns},
};

}  // namespace

const OutputFormat* find_output_format(std::string_view name) {
  const auto* found = std::find_if(std::begin(kOutputFormats), std::end(kOutputFormats), [&](const OutputFormat& f) {
    return !name.empty() && (f.name == name || f.other_name == name);
  });
  return found == std::end(kOutputFormats) ? nullptr : found;
}

std::vector<std::string> output_format_names(bool all, bool columns) {
  std::vector<std::string> names;
  for (const OutputFormat& format : kOutputFormats) {
    if (format.layout == Layout::columns && !columns) continue;
    names.emplace_back(format.name);
    if (all && !format.other_name.empty()) names.emplace_back(format.other_name);
  }
  return names;
}

}  // namespace assay
