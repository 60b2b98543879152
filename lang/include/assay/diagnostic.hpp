// What the author of a rubric did wrong, as a value. Every stage of `lang` returns the diagnostics it finds and
// goes on; none throws, prints or stops the process. A diagnostic holds plain resolved text (file, line, column),
// so that it outlives the source it speaks of. Codes are stable: they are listed in lang/text/diagnostics.def and
// documented in docs/language.md.
#pragma once

#include <assay/text.hpp>

#include <cstddef>
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
  // The same place in bytes of the file, as edits count.
  std::size_t offset = 0, bytes = 0;
};

struct Note {
  Location at;  // line 0: a note without a place
  Printable message;
};

// One change of a file: the bytes from `begin` to `end` (exclusive; equal: an insertion) become `text`.
struct Edit {
  std::string file;  // as the compilation named it: the name of the rubric, or what the importer called an import
  std::size_t begin = 0, end = 0;
  std::string text;
};

// A way out of a problem, as data. The edits belong together, do not overlap and are in the order of their places.
// A diagnostic with several suggestions offers alternatives, the likeliest first.
struct Suggestion {
  Printable title;  // what it does, as a sentence in the imperative without a full stop: "write 'and'"
  std::vector<Edit> edits;
  // There is one way only to read what the author meant, and the edits write it: `assay check --fix` may apply them.
  bool certain = false;
};

struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;   // "E0203"
  Printable message;  // one sentence: what was found, what was expected
  Location at;
  Printable label;  // stands beside the caret; may be empty
  Printable help;   // a way out in words; where it is empty, the titles of the suggestions say it
  std::vector<Note> notes;
  std::vector<Suggestion> suggestions;
};

// The text form, as `assay check` shows it. Ends with a newline. Any thread.
std::string render(const Diagnostic& diagnostic);
std::string render(const std::vector<Diagnostic>& diagnostics);

bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace assay
