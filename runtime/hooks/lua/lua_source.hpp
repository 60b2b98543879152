// What is done with the text of a chunk before Lua sees it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

struct LuaSource {
  std::string text;       // to be compiled; its lines are those of the original (not of inspect_source)
  std::size_t zeros = 0;  // NULs that one of its texts has at most
  std::string problem;    // empty: it can be compiled
  int line = 0;           // of the problem
};

// Looks through any text.
LuaSource inspect_source(std::string_view text);
// The text has to be one that Lua can parse.
LuaSource rewrite_source(std::string_view text);

}  // namespace assay
