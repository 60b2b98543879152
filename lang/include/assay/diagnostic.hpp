// What the author of a rubric did wrong, as a value. Every stage of `lang` returns the diagnostics it finds and
// goes on; none throws, prints or stops the process. A diagnostic holds plain resolved text (file, line, column),
// so that it outlives the source it speaks of. Codes are stable: they are listed in lang/text/diagnostics.def and
// documented in docs/language.md.
#pragma once

#include <assay/text.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

enum class Severity : std::uint8_t { error, warning };

// A place in a source text. Lines and columns count from 1; columns and lengths count characters (code points),
// so that the caret stands where an editor shows it.
struct Location {
  Printable file;
  int line = 0;
  int column = 0;
  int length = 1;
  // The line, without its newline; of one of more than 240 characters the part around the place. What cannot be shown
  // (see printable) is U+FFFD, a character for a character.
  std::string line_text;
  int line_text_column = 1;   // of the first character of line_text
  bool line_goes_on = false;  // behind line_text
  // False: the file is no rubric, and line_text is empty. Only rubrics are quoted: a rubric of somebody who is not trusted
  // may name any file as its table.
  bool quoted = true;
};

struct Note {
  Location at;  // line 0: a note without a place
  Printable message;
};

struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;   // "E0203"
  Printable message;  // one sentence: what was found, what was expected
  Location at;
  Printable label;  // stands beside the caret; may be empty
  Printable help;   // a way out; may be empty
  std::vector<Note> notes;
};

// The text form, as `assay check` shows it. Ends with a newline. Any thread.
std::string render(const Diagnostic& diagnostic);
std::string render(const std::vector<Diagnostic>& diagnostics);

bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace assay
