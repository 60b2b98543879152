// A page of the documentation, split into the parts that tests need: its fenced blocks, the words after each fence, and
// the comments before a block that hold the text around it. Lines are kept, so that a page can be written back with
// other lines in a block.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay_tests {

struct Fence {
  std::string language;                                 // "assay-part"; empty: none
  std::vector<std::string> words;                       // the words after the language
  std::string text;                                     // the lines of the block, each with its newline
  std::string with;                                     // the text of a comment <!-- with … --> before the fence
  std::size_t first = 0;                                // index of the first line of the block
  std::size_t count = 0;                                // lines of the block
  int line() const { return static_cast<int>(first); }  // 1-based line of the fence itself
};

struct Link {
  std::string target;  // "language.md#3-types"; never a target outside the project
  int line = 0;
};

struct Document {
  std::filesystem::path path;
  std::vector<std::string> lines;
  std::vector<Fence> fences;
  std::vector<Link> links;
  std::vector<std::string> anchors;  // of the headings, as GitHub generates them
};

std::vector<std::string> split_lines(const std::string& text);
std::string join_lines(const std::vector<std::string>& lines);

Document read_document(const std::filesystem::path& path);  // throws std::runtime_error

// The page with new text in some of its fences (same index as in `fences`). Unchanged fences keep their lines.
std::string with_fences(const Document& document, const std::vector<std::string>& texts);

// Regenerates the parts of a page that come from tables in the code: the blocks between <!-- begin NAME --> and <!--
// end NAME -->, and the headings of diagnostics. `problems` receives missing and unknown parts.
std::vector<std::string> builtin_examples();
std::string regenerate(const Document& document, std::vector<std::string>& problems);

}  // namespace assay_tests
