// Diagnostics for programs: our own JSON, SARIF 2.1.0, and the commands that make GitHub show them at the lines of a
// change. docs/cli.md describes them.
#pragma once

#include <assay/assay.hpp>

#include <map>
#include <string>
#include <vector>

namespace assay::cli {

// The result of checking one file.
struct CheckedFile {
  std::string label;                    // its name in messages
  bool ok = false;                      // the exit code counts nothing against it
  std::string rubric, version;          // empty: none
  std::vector<Diagnostic> diagnostics;  // about it and its imports
};

// The texts of files, by the names that diagnostics use, to convert bytes to lines; fixes of other files cannot be
// placed.
using FileTexts = std::map<std::string, std::string, std::less<>>;

std::string to_json(const std::vector<CheckedFile>& files);
std::string to_sarif(const std::vector<CheckedFile>& files, const FileTexts& texts);
std::string to_github(const std::vector<CheckedFile>& files);

}  // namespace assay::cli
