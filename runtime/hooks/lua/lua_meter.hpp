// What keeps a Lua state within its limits: steps, memory and depth, and the one way in which a limit ends a call.
// Shared by the units of the Lua host (lua_*.cpp); the only header that includes Lua's.
//
// Lua counts instructions and calls `tick` when an interval is over. What happens outside instructions is counted where
// it happens: library functions `charge` in proportion to their work, the allocator counts bytes, and an instruction
// whose cost depends on the length of a text or of the stack (a comparison, a vararg) makes every step weigh more.
// A limit cannot be caught: `stopped` stays set until the call ends, and everything that could swallow the error asks
// it.
#pragma once

#include <lua.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

struct Meter {
  enum class Stop : std::uint8_t { none, steps, memory, depth };

  // ---- limits
  std::uint64_t step_limit = 0;
  std::size_t memory_limit = 0;
  int depth_limit = 0;

  // ---- of one evaluation
  std::uint64_t steps = 0;

  // ---- of one call
  Stop stopped = Stop::none;
  int interval = 0;               // instructions until the next tick
  bool counting = false;          // Lua does: once begun, until it is turned off
  bool exact = false;             // tick at every instruction, to report exact steps
  bool loading = false;           // a file is being run, not a hook
  int outer_levels = 0;           // of the host's own functions
  std::size_t budget = SIZE_MAX;  // of `memory`
  std::size_t longest = 0;        // bytes of the longest text made

  // ---- of the state
  std::size_t memory = 0;
  std::size_t peak = 0;   // of `memory`
  void* stack = nullptr;  // the block that holds Lua's stack
  std::size_t stack_bytes = 0;
  void* watched = nullptr;  // the last array that was made or moved, to find the stack
  std::size_t watched_bytes = 0;

  static Meter& of(lua_State* L) { return **static_cast<Meter**>(lua_getextraspace(L)); }

  std::uint64_t weight() const {
    const std::size_t slots = stack_bytes / 16;
    return 1 + longest / 1024 + (slots > 1024 ? slots / 128 : 0);
  }
  std::uint64_t left() const { return steps < step_limit ? step_limit - steps : 0; }

  // Begins counting a call. `at_most`: instructions that it takes, when that is known; 0: it is not.
  void begin(lua_State* L, int at_most = 0);
  // Counts work outside instructions. Raises the limit's error.
  void charge(lua_State* L, std::uint64_t work) {
    steps += work;
    if (steps > step_limit) stop(L, Stop::steps);
  }
  // Ends the call with a limit.
  [[noreturn]] void stop(lua_State* L, Stop why);
  // To be asked after anything that may have caught an error.
  void pass_on(lua_State* L) {
    if (stopped != Stop::none) stop(L, stopped);
  }

  std::string message() const;
  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t size);
  static void tick(lua_State* L, lua_Debug* at);
};

inline std::string_view text_at(lua_State* L, int index) {
  std::size_t size = 0;
  const char* text = lua_tolstring(L, index, &size);
  return {text, size};
}

// ---- the library (lua_library.cpp, lua_table.cpp, lua_text.cpp, lua_pattern.cpp)

// Pushes a table with every function and library that hooks may use.
void push_library(lua_State* L);
void add_table_library(lua_State* L);      // to the table on top
void add_text_library(lua_State* L);       // to the table on top, and as the methods of texts
void add_pattern_functions(lua_State* L);  // find, match, gmatch, gsub to the table on top
int lua_tostring_function(lua_State* L);
void push_shown(lua_State* L, int index);  // tostring(value)
int require_module(lua_State* L);          // lua_load.cpp

// ---- constant tables: what a file made while it was loaded (lua_freeze.cpp)

// Replaces a constant table at `index` by the hidden one that holds its fields. True when it was constant.
bool to_hidden(lua_State* L, int index);
// The table that is the metatable of the constant table at `index`, as its author set it: pushes it, or nil.
void push_constant_metatable(lua_State* L, int index);
// Pushes the table that a hidden one belongs to, or the value at `index` itself.
void push_face(lua_State* L, int index);
// Arguments: a table of roots, a set of what is left alone (may be nil). Makes all tables that can be reached constant
// and returns the list of what has to be restored before a call (closure, position, value, closure, …; the list itself
// stands for nil) and the set of what it has seen.
int freeze(lua_State* L);

}  // namespace assay
