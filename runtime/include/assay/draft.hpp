// The text of a rubric that somebody writes declaration by declaration, as at a prompt or in a notebook. Works on the
// syntax alone: whether the text that comes out means anything is for compile() to say. Nothing is opened or printed;
// any thread.
#pragma once

#include <assay/assay.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// What a text that somebody typed is, by how it begins.
enum class Typed : std::uint8_t {
  nothing,       // blanks and comments
  expression,    // or anything else
  declarations,  // of a rubric, or imports
  rubric,        // a whole file
};
Typed kind_of_typed(std::string_view text);

// Whether the text ends within brackets or within a text of several lines, so that more has to follow. A closing
// bracket that nothing opened ends it.
bool is_unfinished(std::string_view text);

struct Drafted {
  std::string text;                     // empty when there are errors
  std::vector<std::string> done;        // "added let x", "replaced dimension clarity"
  std::vector<Diagnostic> diagnostics;  // of `declarations`, whose lines count from 1
};

// The text with these declarations in its main (the last) rubric, laid out as `assay fmt` would. A declaration takes the
// place of the one that it would replace in a rubric that extends this one, and of an example or an input of its name;
// any other stands behind the last one of its kind. Imports go to the top, each once. Errors of `text` itself: its
// diagnostics, in lines of the text.
Drafted with_declarations(std::string_view name, std::string_view text, std::string_view declarations,
                          const Limits& limits = {});

}  // namespace assay
