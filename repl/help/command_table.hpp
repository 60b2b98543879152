// The command as a table: the declarations of main.cpp, for completion scripts and manual pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

struct OptionRow {
  std::string name;                  // "--to"; of an operand: "FILE"
  std::string letter;                // "-o"; empty: none
  std::string value;                 // "FILE", "text|json"; empty: no value
  std::string meaning;               // a sentence without a full stop
  std::vector<std::string> choices;  // the allowed values; empty: any
  bool operand = false, required = false, repeats = false;
  bool files() const;  // whether its value is a file name
};

struct VerbRow {
  std::string name, meaning, examples;
  std::vector<OptionRow> options;
};

struct CommandTable {
  std::string name, meaning, footer, version;
  std::vector<VerbRow> verbs;
};

// The script for "bash", "zsh" or "fish"; empty for another shell.
std::string completion_script(const CommandTable& table, std::string_view shell);

// The page of the command, or of a verb, in the macros of man(7). Empty: no such verb.
std::string manual_page(const CommandTable& table, std::string_view verb);

}  // namespace assay::cli
