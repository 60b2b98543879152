// The deepest nesting of calls in Lua, whatever Limits::hook_depth says. Calls through functions of its library nest on
// the stack of the processor; Lua itself ends them at 200, with an error that cannot be told from a hook's own.
#pragma once

#include <cstdint>

namespace assay {

inline constexpr std::uint32_t kMostHookDepth = 180;

}  // namespace assay
