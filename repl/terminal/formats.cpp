// The formats, one row each, in the order of the help.
#include "repl/terminal/formats.hpp"

#include "repl/files/files.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <utility>

namespace assay::cli {

namespace {

using Layout = OutputFormat::Layout;

std::string csv(const std::vector<std::string>& cells) { return separated_row(cells, ','); }
std::string tsv(const std::vector<std::string>& cells) { return separated_row(cells, '\t'); }
std::string text(const Table& table) { return table.text(); }
std::string markdown(const Table& table) { return table.markdown(); }

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

const OutputFormat* find_format(std::string_view name) {
  const auto* found = std::find_if(std::begin(kOutputFormats), std::end(kOutputFormats), [&](const OutputFormat& f) {
    return !name.empty() && (f.name == name || f.other_name == name);
  });
  return found == std::end(kOutputFormats) ? nullptr : found;
}

const OutputFormat* choose_format(const std::string& to, const std::string& output, bool terminal,
                                  std::string_view piped, std::string& problem) {
  if (const OutputFormat* named = find_format(to)) return named;
  const std::string ending = file_ending(output);
  if (ending.empty()) return find_format(terminal ? "table" : piped);
  if (const OutputFormat* named = find_format(std::string_view(ending).substr(1))) return named;
  problem = "--output: the ending of '" + printable(output) + "' says nothing; known are ";
  std::string_view between = ".";
  for (const std::string& name : format_names(true, true)) problem += std::exchange(between, ", .").data() + name;
  problem += "; --to says how to write whatever the name";
  return nullptr;
}

std::vector<std::string> format_names(bool all, bool columns) {
  std::vector<std::string> names;
  for (const OutputFormat& format : kOutputFormats) {
    if (format.layout == Layout::columns && !columns) continue;
    names.emplace_back(format.name);
    if (all && !format.other_name.empty()) names.emplace_back(format.other_name);
  }
  return names;
}

}  // namespace assay::cli
