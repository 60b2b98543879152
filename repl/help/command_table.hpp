// The command as a table: what main.cpp declares for parsing, for whatever else is made of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

struct OptionRow {
  std::string name;                  // "--to"; of an operand: "FILE"
  std::string letter;                // "-o"; empty: none
  std::string value;                 // "FILE", "text|json"; empty: it takes none
  std::string meaning;               // a sentence without a full stop
  std::vector<std::string> choices;  // the values that it takes; empty: any
  bool operand = false, required = false, repeats = false;
  bool files() const;  // whether its value is the name of a file
};

struct VerbRow {
  std::string name, meaning, examples;
  std::vector<OptionRow> options;
};

struct CommandTable {
  std::string name, meaning, footer, version;
  std::vector<VerbRow> verbs;
};

// "bash", "zsh" or "fish"; empty for another shell.
std::string completion_script(const CommandTable& table, std::string_view shell);

// The page of the command, or of a verb, in the macros of man(7). Empty: there is no such verb.
std::string manual_page(const CommandTable& table, std::string_view verb);

}  // namespace assay::cli
