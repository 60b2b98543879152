// Builds the text of a rubric declaration by declaration, as at a prompt or in a notebook. Works on the syntax alone:
// compile() tells whether the result is valid. Opens and prints nothing; any thread.
#pragma once

#include <assay/assay.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// What somebody typed, judged by how it begins.
enum class Typed : std::uint8_t {
  nothing,       // blanks and comments
  expression,    // or anything else
  declarations,  // of a rubric, or imports
  rubric,        // a whole file
};
Typed kind_of_typed(std::string_view text);

// Whether the text ends inside brackets or inside a text of several lines, so that more has to follow. A closing
// bracket that matches no opening one completes it.
bool is_unfinished(std::string_view text);

// The same for a text that arrives line by line: each line is read once.
class UnfinishedText {
 public:
  bool add(std::string_view line);  // whether more has to follow after this line

 private:
  std::string open_;       // brackets
  bool in_text_ = false;   // of several lines
  bool complete_ = false;  // by a closing bracket that matches none
};

struct Drafted {
  std::string text;                     // empty when there are errors
  std::vector<std::string> done;        // "added let x", "replaced dimension clarity"
  std::vector<Diagnostic> diagnostics;  // about `declarations`, whose lines count from 1
};

// Returns the text with these declarations in its main (last) rubric, in the layout of `assay fmt`. A declaration
// replaces the one that it would replace in an extending rubric, or an example or input of the same name; any other
// follows the last one of its kind. Imports go to the top, each once. If `text` itself has errors, the result has its
// diagnostics, with lines of `text`.
Drafted with_declarations(std::string_view name, std::string_view text, std::string_view declarations,
                          const Limits& limits = {});

}  // namespace assay
