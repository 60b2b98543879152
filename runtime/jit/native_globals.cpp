// The three functions of asmjit that report to people, without the printing and aborting that its own do. The library
// never prints or aborts; and Debian's libasmjit.a, whose own versions name `stderr` in a way that only a program can
// link, becomes usable in a shared library, because the linker finds these first and leaves those out.
#include <asmjit/core.h>

#include <cstdlib>

ASMJIT_BEGIN_NAMESPACE

namespace DebugUtils {

const char* errorAsString(Error) noexcept { return "asmjit refused an instruction"; }

void debugOutput(const char*) noexcept {}

// Only builds of asmjit with assertions call this, which none that we link is.
void assertionFailed(const char*, int, const char*) noexcept { std::abort(); }

}  // namespace DebugUtils

ASMJIT_END_NAMESPACE
