// How verdicts and rankings are written: each format is a row of kOutputFormats in formats.cpp, with the text before,
// between and after its rows. Verbs know formats only through these members, so a new format is a new row and a
// function that writes a row of cells.
#pragma once

#include "repl/terminal/table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

struct OutputFormat {
  std::string_view name, other_name;  // for --to, and as the ending of --output
  enum class Layout : std::uint8_t {
    lines,   // one verdict as JSON per line
    array,   // a JSON array of verdicts
    rows,    // cells, written verdict by verdict
    table,   // cells of all verdicts, written after the last
    columns  // numbers, not through text: repl/verbs/score_npy.cpp
  } layout;
  std::string (*row)(const std::vector<std::string>& cells) = nullptr;  // rows: writes one line
  std::string (*table)(const Table& all) = nullptr;                     // table: writes the whole table
  std::string_view before_json = {}, behind_json = {};                  // table: text around the JSON of a cohort
};

// Null: there is no such format.
const OutputFormat* find_format(std::string_view name);
// By the option, else by the name of the output file, else a table for a terminal and `piped` for a pipe. Null (and
// `problem`) if the name has an unknown ending.
const OutputFormat* choose_format(const std::string& to, const std::string& output, bool terminal,
                                  std::string_view piped, std::string& problem);

// The values of --to, in the order of the help; `all`: including the second names of formats; `columns`: including
// formats with that layout.
std::vector<std::string> format_names(bool all, bool columns);

}  // namespace assay::cli
