// The texts of one compilation and places in them. Syntax trees and models contain Spans; a Span becomes a Location
// only when it is reported.
#pragma once

#include <assay/diagnostic.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

struct Span {
  std::uint32_t file = 0;   // index in Sources
  std::uint32_t begin = 0;  // byte offset
  std::uint32_t end = 0;    // byte offset, exclusive
};

struct SourceFile {
  std::string name;  // as shown in diagnostics, and the base of relative imports
  std::string text;
  std::vector<std::uint32_t> lines;       // beginnings of lines
  std::vector<std::uint32_t> characters;  // before each block of the text, see Sources::count
  bool rubric = true;                     // false: a CSV table or Lua, which diagnostics do not quote
};

class Sources {
 public:
  std::uint32_t add(std::string name, std::string text, bool rubric = true);
  const SourceFile& file(std::uint32_t index) const { return files_[index]; }
  std::size_t size() const { return files_.size(); }
  std::string_view text(Span span) const;
  int line_of(Span span) const;  // from 1; 0 if there is no such file
  // Takes the same time for any length of line: a rubric in one line may have thousands of places.
  Location locate(Span span) const;

 private:
  static std::size_t count(const SourceFile& source, std::size_t begin, std::size_t end);  // characters
  std::deque<SourceFile> files_;  // stable addresses: spans and views stay valid when files are added
};

// Collects the diagnostics of the stages. Codes come from lang/text/diagnostics.def as enumerators of Code, so an
// undocumented diagnostic does not compile.
enum class Code : std::uint16_t {
#define ASSAY_DIAGNOSTIC(code, name, severity, title) name,
#include "lang/text/diagnostics.def"
#undef ASSAY_DIAGNOSTIC
};

// A fix-it hint: in words, and if it is a single edit, as the replacement for the marked text.
struct FixIt {
  FixIt(std::string text = {}) : words(std::move(text)) {}
  FixIt(const char* text) : words(text) {}
  FixIt(std::string text, std::string instead, bool is_certain)
      : words(std::move(text)), replacement(std::move(instead)), edits(true), certain(is_certain) {}
  bool empty() const { return words.empty() && !edits; }

  std::string words;  // empty: the edit describes itself
  std::string replacement;
  bool edits = false;    // whether there is a replacement
  bool certain = false;  // see Suggestion
};

class Diagnostics {
 public:
  explicit Diagnostics(const Sources& sources) : sources_(&sources) {}
  // The returned reference is valid until the next report: add help and notes at once. Only the first diagnostics are
  // kept, and long quotations are cut: `take` adds how many were left out.
  Diagnostic& report(Code code, Span at, std::string message, std::string label = {}, FixIt fix = {});
  // A suggestion of one edit: `text` replaces the span. Without a title, the title says what it writes.
  Suggestion suggestion(Span at, std::string text, bool certain, std::string title = {}) const;
  Note note(Span at, std::string message) const;
  void withdraw(Code code, Span at);           // one that another one explains
  void adopt(std::vector<Diagnostic> others);  // adds diagnostics that were made elsewhere
  bool has_errors() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }
  std::vector<Diagnostic> take();
  bool full() const { return errors_ >= kMost; }  // further errors are only counted
  const std::vector<Diagnostic>& list() const { return list_; }

 private:
  static constexpr std::size_t kMost = 100;  // errors kept, and warnings kept
  Location place(Span at) const;

  const Sources* sources_;
  std::vector<Diagnostic> list_;
  std::size_t errors_ = 0, warnings_ = 0;
  Diagnostic left_out_;
};

}  // namespace assay
