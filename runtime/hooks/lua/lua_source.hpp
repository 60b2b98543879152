// Preparing the text of a chunk for Lua.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

struct LuaSource {
  std::string text;       // the text to compile, with the lines of the original (not set by inspect_source)
  std::size_t zeros = 0;  // the largest number of NULs in one of its texts
  std::string problem;    // empty: it can be compiled
  int line = 0;           // of the problem
};

// Examines any text.
LuaSource inspect_source(std::string_view text);
// The text must be one that Lua can parse.
LuaSource rewrite_source(std::string_view text);

}  // namespace assay
