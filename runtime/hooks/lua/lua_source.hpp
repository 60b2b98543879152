// Preparing the text of a chunk for Lua.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

struct Meter;

struct LuaSource {
  std::string text;       // the text to compile, with the lines of the original (not set by inspect_source)
  std::size_t zeros = 0;  // the largest number of NULs in one of its texts
  std::string problem;    // empty: it can be compiled
  int line = 0;           // of the problem
};

// Both look at the limits of the meter from time to time; what they return once it must end is incomplete.
// Examines any text.
LuaSource inspect_source(std::string_view text, Meter& meter);
// The text must be one that Lua can parse.
LuaSource rewrite_source(std::string_view text, Meter& meter);

}  // namespace assay
