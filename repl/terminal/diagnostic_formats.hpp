// Diagnostics for machines: JSON of our own, SARIF 2.1.0, and the commands that GitHub shows at the lines of a change.
// docs/cli.md describes them.
#pragma once

#include <assay/assay.hpp>

#include <map>
#include <string>
#include <vector>

namespace assay::cli {

// What became of one file that was checked.
struct CheckedFile {
  std::string label;                    // as messages call it
  bool ok = false;                      // nothing that the exit code tells of
  std::string rubric, version;          // empty: none
  std::vector<Diagnostic> diagnostics;  // of it, and of what it imports
};

// The texts of files by the names that diagnostics use, to turn bytes into lines; of others no fix can be placed.
using FileTexts = std::map<std::string, std::string, std::less<>>;

std::string to_json(const std::vector<CheckedFile>& files);
std::string to_sarif(const std::vector<CheckedFile>& files, const FileTexts& texts);
std::string to_github(const std::vector<CheckedFile>& files);

}  // namespace assay::cli
