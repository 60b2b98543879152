// A page of the documentation, cut into what the tests need of it: its fenced blocks, each with the words behind its
// fence, and the comments before a block that say what has to be put around it. Lines are kept, so that a page can be
// written back with other lines in a block.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay_tests {

struct Fence {
  std::string language;                                 // "assay-part"; empty: none
  std::vector<std::string> words;                       // what stands behind it
  std::string text;                                     // the lines within, each with its newline
  std::string with;                                     // the text of a comment <!-- with … --> that stands before it
  std::size_t first = 0;                                // index of the first line within
  std::size_t count = 0;                                // lines within
  int line() const { return static_cast<int>(first); }  // 1-based line of the fence itself
};

struct Link {
  std::string target;  // "language.md#3-types"; none that leads out of the project
  int line = 0;
};

struct Document {
  std::filesystem::path path;
  std::vector<std::string> lines;
  std::vector<Fence> fences;
  std::vector<Link> links;
  std::vector<std::string> anchors;  // of its headings, as GitHub makes them
};

std::vector<std::string> split_lines(const std::string& text);
std::string join_lines(const std::vector<std::string>& lines);

Document read_document(const std::filesystem::path& path);  // throws std::runtime_error

// The page with other text in some of its fences (same index as in `fences`); an unchanged one keeps its lines.
std::string with_fences(const Document& document, const std::vector<std::string>& texts);

// The parts of a page that tables in the code decide, written anew: blocks between <!-- begin NAME --> and
// <!-- end NAME -->, and the headings of diagnostics. `problems` gets what is missing or not known.
std::vector<std::string> builtin_examples();
std::string regenerate(const Document& document, std::vector<std::string>& problems);

}  // namespace assay_tests
