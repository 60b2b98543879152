// The texts of one compilation and the places in them. A Span is what syntax trees and models carry; it becomes
// a Location only when something is reported.
#pragma once

#include <assay/diagnostic.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Span {
  std::uint32_t file = 0;   // index in Sources
  std::uint32_t begin = 0;  // byte offset
  std::uint32_t end = 0;    // byte offset, exclusive
};

struct SourceFile {
  std::string name;  // as shown in diagnostics, and the base for relative imports
  std::string text;
  std::vector<std::uint32_t> lines;  // where each begins
  bool rubric = true;                // false: a CSV table or Lua, of which diagnostics show nothing
};

class Sources {
 public:
  std::uint32_t add(std::string name, std::string text, bool rubric = true);
  const SourceFile& file(std::uint32_t index) const { return files_[index]; }
  std::size_t size() const { return files_.size(); }
  std::string_view text(Span span) const;
  Location locate(Span span) const;

 private:
  std::deque<SourceFile> files_;  // stable addresses: spans and views stay valid while files are added
};

// Collects what the stages report. Codes come from lang/text/diagnostics.def as enumerators of Code, so that an
// undocumented diagnostic does not compile.
enum class Code : std::uint16_t {
#define ASSAY_DIAGNOSTIC(code, name, severity, title) name,
#include "lang/text/diagnostics.def"
#undef ASSAY_DIAGNOSTIC
};

class Diagnostics {
 public:
  explicit Diagnostics(const Sources& sources) : sources_(&sources) {}
  // The returned reference is valid until the next report: add help and notes at once.
  Diagnostic& report(Code code, Span at, std::string message, std::string label = {}, std::string help = {});
  Note note(Span at, std::string message) const { return Note{place(at), std::move(message)}; }
  void adopt(std::vector<Diagnostic> others);  // reported elsewhere
  bool has_errors() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }
  std::vector<Diagnostic> take() { return std::move(list_); }
  const std::vector<Diagnostic>& list() const { return list_; }

 private:
  Location place(Span at) const;

  const Sources* sources_;
  std::vector<Diagnostic> list_;
  std::size_t errors_ = 0;
};

// The candidate nearest to `name` by edit distance, or empty when none is near enough to suggest.
std::string_view nearest(std::string_view name, const std::vector<std::string_view>& candidates);

// Whether `name` is hardly anything but `known` with a slip in it, for remarks that nobody has asked for: the same but
// for capitals and separators ("editRatio", "edit_ratio"), or but for a letter of one long word, two of a very long
// one. Digits and first letters make another name, and so do short words: "score_2", "min_price".
bool misspelt(std::string_view name, std::string_view known);

}  // namespace assay
