// The one layout of rubrics: a text in, the formatted text or the reason why there is none out. What is formatted has the
// same tokens and the same comments in the same order, and formatting it again changes nothing: both are checked in every
// call. Only the syntax has to be right; a rubric that does not check can be formatted.
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

inline constexpr std::size_t kFormatWidth =
    120;  // columns of a terminal that a line takes at most, where it can be broken
inline constexpr std::size_t kFormatIndent = 2;  // columns for each block around a line

struct FormatOptions {
  Limits limits = {};                    // source_bytes, compile_steps and compile_memory_bytes
  const Interrupt* interrupt = nullptr;  // not owned; null: nothing interrupts
};

struct Formatted {
  std::optional<std::string> text;      // UTF-8, lines end with \n; nothing: the text has to stay as it is
  std::vector<Diagnostic> diagnostics;  // why: the syntax is wrong, or a limit is reached
  Printable problem;                    // or: one of the checks failed, which is a fault of the formatter
};

// Formats a whole file. `name` is what diagnostics call it. Any thread; throws nothing but std::bad_alloc.
Formatted format_rubric(std::string_view name, std::string_view text, const FormatOptions& options = {});

// A replacement for the bytes begin..end of a text.
struct TextEdit {
  std::size_t begin = 0, end = 0;
  std::string text;
};

struct FormattedRange {
  std::optional<TextEdit> edit;         // nothing: these lines are formatted already, or cannot be
  std::vector<Diagnostic> diagnostics;  // as above
  Printable problem;
};

// Formats the lines that the bytes begin..end touch, and as many around them as a line of the layout needs; the rest of the
// file is left alone. The bounds may be any; they are cut to the text.
FormattedRange format_rubric_range(std::string_view name, std::string_view text, std::size_t begin, std::size_t end,
                                   const FormatOptions& options = {});

}  // namespace assay
