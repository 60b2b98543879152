// The formatter: takes a text and returns the formatted text, or the reason why it cannot be formatted. The result has
// the same tokens and comments in the same order, and formatting it again changes nothing; every call checks both. Only
// the syntax has to be right: a rubric with errors of meaning can be formatted.
#pragma once

#include <assay/diagnostic.hpp>
#include <assay/interrupt.hpp>
#include <assay/limits.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

inline constexpr std::size_t kFormatWidth = 120;  // longest line, in terminal columns, where the text can be broken
inline constexpr std::size_t kFormatIndent = 2;   // columns for each level of nesting

struct FormatOptions {
  Limits limits = {};                    // source_bytes, compile_steps and compile_memory_bytes
  const Interrupt* interrupt = nullptr;  // not owned; null: no interrupt
};

struct Formatted {
  std::optional<std::string> text;      // UTF-8, lines end with \n; empty: the text was not formatted
  std::vector<Diagnostic> diagnostics;  // the reason: a syntax error or a limit
  Printable problem;                    // or a failed check, which is a defect of the formatter
};

// Formats a whole file; diagnostics use `name`. Any thread; throws only std::bad_alloc.
Formatted format_rubric(std::string_view name, std::string_view text, const FormatOptions& options = {});

// Replaces the bytes begin..end of a text by `text`.
struct TextEdit {
  std::size_t begin = 0, end = 0;
  std::string text;
};

struct FormattedRange {
  std::optional<TextEdit> edit;         // empty: these lines are formatted already, or cannot be
  std::vector<Diagnostic> diagnostics;  // as above
  Printable problem;
};

// Formats the lines that the bytes begin..end touch, plus the neighbouring lines that share a line of the layout. The
// rest of the file stays as it is. Bounds outside the text are cut to it.
FormattedRange format_rubric_range(std::string_view name, std::string_view text, std::size_t begin, std::size_t end,
                                   const FormatOptions& options = {});

}  // namespace assay
