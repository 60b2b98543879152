// How verdicts and rankings are written: a row of kOutputFormats in formats.cpp for each format, with what stands
// before, between and behind its rows. Verbs know formats by these columns only, so that another format is another row
// and the function that writes a row of cells.
#pragma once

#include "repl/terminal/table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

struct OutputFormat {
  std::string_view name, other_name;  // of --to, and of the ending of --output
  enum class Layout : std::uint8_t {
    lines,   // a verdict's JSON a line
    array,   // a JSON array of verdicts
    rows,    // cells of each verdict at once
    table,   // cells of all verdicts, when the last has come
    columns  // numbers of all verdicts, not by way of text: repl/verbs/score_npy.cpp
  } layout;
  std::string (*row)(const std::vector<std::string>& cells) = nullptr;  // rows: one line
  std::string (*table)(const Table& all) = nullptr;                     // table: all of it
  std::string_view before_json = {}, behind_json = {};                  // table: around the JSON of a cohort
};

// Null: there is none of that name.
const OutputFormat* find_format(std::string_view name);
// By the option, else by the name of the output file, else a table for a terminal and `piped` for a pipe. Null (and
// `problem`) when the name has an ending that says nothing.
const OutputFormat* choose_format(const std::string& to, const std::string& output, bool terminal,
                                  std::string_view piped, std::string& problem);

// What --to takes, in the order of help: with the other names of formats, too, or without; `columns`: formats of that
// layout, too.
std::vector<std::string> format_names(bool all, bool columns);

}  // namespace assay::cli
