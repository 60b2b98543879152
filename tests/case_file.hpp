// Case files: the format of the corpus and the command-line tests. A file holds cases, and a case has sections:
//
//   === title of the case
//   text of the first section, which has no name
//   --- name of a section
//   its text
//
// Text is taken as it stands, up to the next mark; one empty line before a "===" belongs to no section. A line that
// would read as a mark, or begins with a backslash, is written behind a backslash. A text that does not end with a
// newline says so: "--- stdout (no newline)".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay_tests {

struct Section {
  std::string name;  // "stdout"; empty: the text after the title
  std::string text;
};

struct Case {
  std::string title;
  int line = 0;
  std::vector<Section> sections;

  const Section* find(std::string_view name) const;
  std::string text(std::string_view name) const;  // empty if there is no such section
  // Replaces the text of a section. A missing section is added at the end, unless its text is empty.
  void set(std::string_view name, std::string text);
};

struct CaseFile {
  std::string prologue;  // the text before the first case: comments
  std::vector<Case> cases;
};

CaseFile read_cases(const std::filesystem::path& path);  // throws std::runtime_error
void write_cases(const std::filesystem::path& path, const CaseFile& file);

// Prints where the two texts differ, as a short diff. Prints nothing if they are equal.
void print_difference(std::string_view what, std::string_view expected, std::string_view actual);

// The arguments of a test program that are no options; whether --update is among the others.
bool take_arguments(int argc, char** argv, std::vector<std::filesystem::path>& paths);

std::string read_file(const std::filesystem::path& path);  // throws std::runtime_error
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace assay_tests
