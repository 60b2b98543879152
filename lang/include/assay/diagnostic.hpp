// A mistake in a rubric, as a value. Every stage of `lang` returns the diagnostics it finds and continues; none throws,
// prints or stops the process. A diagnostic holds plain text and a resolved location (file, line, column), so it
// outlives the source. Codes are stable: lang/text/diagnostics.def lists them and docs/language.md documents them.
#pragma once

#include <assay/text.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

enum class Severity : std::uint8_t { error, warning };

// A place in a source text. Lines and columns count from 1; columns and lengths count characters (code points), so that
// a caret lines up with what an editor shows.
struct Location {
  Printable file;
  int line = 0;
  int column = 0;
  int length = 1;
  // The line, without its newline; of a line longer than 240 characters, the part around the place. U+FFFD replaces
  // each character that cannot be shown (see printable).
  std::string line_text;
  int line_text_column = 1;   // column of the first character of line_text
  bool line_goes_on = false;  // the line continues after line_text
  // False: the file is not a rubric, and line_text is empty. Only rubrics are quoted, because an untrusted rubric may
  // name any file as its table.
  // may name any file as its table.
  bool quoted = true;
  // The same place as bytes of the file, for edits.
  std::size_t offset = 0, bytes = 0;
};

struct Note {
  Location at;  // line 0: the note has no location
  Printable message;
};

// One change of a file: `text` replaces the bytes from `begin` to `end` (exclusive; equal: an insertion).
struct Edit {
  std::string file;  // as the compilation named it: the rubric's name, or the importer's name for an import
  std::size_t begin = 0, end = 0;
  std::string text;
};

// A fix-it hint, as data. The edits belong together, do not overlap and are sorted by place. Several suggestions of one
// diagnostic are alternatives, the likeliest first.
struct Suggestion {
  Printable title;  // what it does, as a sentence in the imperative without a full stop: "write 'and'"
  std::vector<Edit> edits;
  std::vector<Printable> lines;  // what to write, where that is several lines; their common indentation is left out
  // The author can only have meant this, and the edits write it: `assay check --fix` may apply them.
  bool certain = false;
};

struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;   // "E0203"
  Printable message;  // one sentence: what was found, what was expected
  Location at;
  Printable label;  // shown beside the caret; may be empty
  Printable help;   // how to put it right; if empty, the titles of the suggestions say it
  std::vector<Note> notes;
  std::vector<Suggestion> suggestions;
};

// The text that `assay check` prints. Ends with a newline. Any thread.
std::string render(const Diagnostic& diagnostic);
std::string render(const std::vector<Diagnostic>& diagnostics);

bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace assay
