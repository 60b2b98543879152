// The format of an output, and how wide tables are.
#include "repl/verdicts/formats.hpp"

#include "repl/files/files.hpp"
#include "repl/terminal/messages.hpp"

#include <assay/text.hpp>

#include <utility>

namespace assay::cli {

namespace {

std::size_t width_limit = 0;

}  // namespace

void set_table_width(std::size_t columns) { width_limit = columns; }

std::size_t table_width() { return width_limit; }

const OutputFormat* choose_format(const std::string& to, const std::string& output, bool terminal,
                                  std::string_view piped, std::string& problem) {
  const std::string ending = file_ending(output);
  if (const OutputFormat* named = find_output_format(to)) {
    const OutputFormat* const meant = ending.empty() ? nullptr : find_output_format(std::string_view(ending).substr(1));
    if (meant != nullptr && meant != named)
      note("'" + printable(output) + "' is written as " + std::string(named->name) +
           ", as --to says, and its name says " + std::string(meant->name));
    return named;
  }
  if (ending.empty()) return find_output_format(terminal ? "table" : piped);
  if (const OutputFormat* named = find_output_format(std::string_view(ending).substr(1))) return named;
  problem = "--output: the ending of '" + printable(output) + "' says nothing; known are ";
  std::string_view between = ".";
  for (const std::string& name : output_format_names(true, true))
    problem += std::exchange(between, ", .").data() + name;
  problem += "; --to says how to write whatever the name";
  return nullptr;
}

}  // namespace assay::cli
