// The built-in functions that are called, by row of lang/model/builtins.def: a row without a function does not link.
// Arguments are never missing here (a missing one makes the result missing before the call); the items of a list may
// be.
#pragma once

#include "runtime/vm/execution_context.hpp"

namespace assay {

using BuiltinFunction = Value (*)(ExecutionContext& m, const BuiltinCall& call, const Value* args);

namespace builtins {
#define ASSAY_BUILTIN(id, ...) Value id##_(ExecutionContext& m, const BuiltinCall& call, const Value* args);
#include "lang/model/builtins.def"
#undef ASSAY_BUILTIN
}  // namespace builtins

inline constexpr BuiltinFunction kBuiltins[] = {
#define ASSAY_BUILTIN(id, ...) builtins::id##_,
#include "lang/model/builtins.def"
#undef ASSAY_BUILTIN
};

}  // namespace assay
