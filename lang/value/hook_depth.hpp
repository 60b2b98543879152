// The deepest nesting of calls in Lua, whatever Limits::hook_depth says. Calls through library functions use the
// processor's stack; Lua itself ends them at 200, with an error that looks like a hook's own.
#pragma once

#include <cstdint>

namespace assay {

inline constexpr std::uint32_t kMostHookDepth = 180;

}  // namespace assay
