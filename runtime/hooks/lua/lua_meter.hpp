// Keeps a Lua state within its limits: steps, memory and depth, a deadline or a cancellation; and the only way in which
// these end a call. Shared by the units of the Lua host (lua_*.cpp); the only header that includes Lua's.
//
// Lua counts instructions and calls `tick` at the end of an interval. Work outside instructions is counted where it
// happens: library functions `charge` in proportion to their work, the allocator counts bytes as memory and as steps,
// and an instruction whose cost depends on the length of a text, of the stack or of a chain of metatables makes every
// step weigh more.
// An end cannot be caught: `stopped` stays set until the call ends, and every function that could swallow the error
// checks it. Only `stopped` tells an end from an error: nothing depends on the text of a message.
#pragma once

#include <assay/interrupt.hpp>

#include "runtime/hooks/lua/lua_chains.hpp"

#include <lua.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

struct Meter {
  enum class Stop : std::uint8_t { none, steps, memory, depth, cancelled, timeout };

  struct Bounds {
    std::uint64_t steps = 0;
    std::size_t memory = 0;                // bytes
    int depth = 0;                         // <= kMostHookDepth: Lua itself stops at 200, with an ordinary error
    const Interrupt* interrupt = nullptr;  // null: none
  };
  // The texts of one call, which make instructions on them cost more.
  struct Texts {
    std::size_t longest = 0;      // bytes of the longest text made
    std::size_t most_zeros = 0;   // NULs in one text: Lua compares the parts between them one by one
    bool zeros = false;           // some text may contain NULs
    const char* fresh = nullptr;  // the last long text made, whose NULs are not counted yet
    std::size_t fresh_bytes = 0;
  };
  // Blocks of Lua's own that the allocator recognises.
  struct Blocks {
    void* stack = nullptr;  // holds Lua's stack
    std::size_t stack_bytes = 0;
    void* watched = nullptr;  // the last array that was made or moved, to find the stack
    std::size_t watched_bytes = 0;
    void* names = nullptr;  // the table of short texts, which grows because of earlier entries
  };

  Bounds bounds;

  // ---- for one evaluation
  std::uint64_t steps = 0;

  // ---- for one call
  Stop stopped = Stop::none;
  int interval = 0;               // instructions until the next tick
  int unlooked = 0;               // library functions that call others, since the depth was checked
  bool counting = false;          // Lua counts instructions, from the first use until it is turned off
  bool exact = false;             // tick at every instruction, to report exact steps
  bool loading = false;           // a file is running, not a hook
  int outer_levels = 0;           // levels of the host's own functions
  std::size_t budget = SIZE_MAX;  // for `memory`
  std::size_t returned = 0;       // bytes of the result, which the host keeps
  std::uint64_t watch = 0;        // steps at which the limit and the interrupt are checked
  std::uint32_t chained = 0;      // metatables set: one instruction may follow a chain of that many

  // ---- for the state
  lua_State* state = nullptr;
  std::size_t memory = 0;
  std::size_t peak = 0;  // of `memory`
  std::size_t code = 0;  // bytes of the longest chunk: Lua searches a function to describe its error
  bool limited = false;  // a call or a file is running: allocations count
  Blocks blocks;
  Texts texts;
  Chains chains;  // of colliding keys in large tables

  static Meter& of(lua_State* L) { return **static_cast<Meter**>(lua_getextraspace(L)); }

  std::uint64_t chain_weight() const { return 1 + (chained < 2048 ? chained : 2048) / 16; }
  std::uint64_t weight() const {
    const std::size_t slots = blocks.stack_bytes / 16;
    return chain_weight() + texts.longest / 1024 + texts.most_zeros * 2 + (slots > 1024 ? slots / 128 : 0) +
           chains.weight();
  }
  std::uint64_t left() const { return steps < bounds.steps ? bounds.steps - steps : 0; }

  // Starts counting a call. `at_most`: the instructions that it takes, if known; 0: unknown.
  void begin(lua_State* L, int at_most = 0);
  // Counts work outside instructions. Raises the error of an end.
  void charge(lua_State* L, std::uint64_t work) {
    steps += work;
    if (steps > watch) look(L);
  }
  // The same for reading or writing `count` fields of a table that may have metatables.
  void charge_fields(lua_State* L, std::uint64_t count) { charge(L, count * chain_weight()); }
  // Call before a library function calls another function, in any way: no instruction may come between.
  void descend(lua_State* L) {
    if (++unlooked >= 8) look_down(L);
  }
  // Counts `bytes` that the host is about to keep, and the work of copying them. False: too many; see `stopped`.
  bool keep(std::size_t bytes);
  // Like charge, where no error can be raised. True: the call must end; see `stopped`.
  bool must_end();
  bool over() const { return stopped != Stop::none; }
  // Ends the call.
  [[noreturn]] void stop(lua_State* L, Stop why);
  // Call after anything that may have caught an error.
  void pass_on(lua_State* L) {
    if (over()) stop(L, stopped);
  }

  // The error message of an end, about `what` ("hook 'f'").
  std::string message(const std::string& what) const;
  const char* error_code() const;
  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t size);
  static void tick(lua_State* L, lua_Debug* at);

 private:
  Stop due() const;  // whether a limit or the interrupt ends the call
  void look(lua_State* L);
  void look_down(lua_State* L);
  void count_zeros();
  void count_growth(std::size_t size, std::size_t kind, bool object);
};

// The work of converting the value at `index`, a number or a text, to a text.
inline std::uint64_t shown_work(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TNUMBER) return lua_rawlen(L, index) / 32;
  return lua_isinteger(L, index) ? 15 : 80;
}

inline std::string_view text_at(lua_State* L, int index) {
  std::size_t size = 0;
  const char* text = lua_tolstring(L, index, &size);
  return {text, size};
}

// ---- the library (lua_library.cpp, lua_table.cpp, lua_text.cpp, lua_pattern.cpp)

// Pushes a table with every function and library that hooks may use.
void push_library(lua_State* L);
void forget_metatables(lua_State* L);      // resets Meter::chained
void add_table_library(lua_State* L);      // to the table on top
void add_text_library(lua_State* L);       // to the table on top, and as the methods of texts
void add_pattern_functions(lua_State* L);  // find, match, gmatch, gsub to the table on top
int lua_tostring_function(lua_State* L);
void push_shown(lua_State* L, int index);  // tostring(value)
int require_module(lua_State* L);          // lua_load.cpp

// ---- constant tables: everything a file made while it was loaded (lua_freeze.cpp)

// The capacity of a table for fields, filled or not: walking through it takes as long (lua_layout.cpp).
std::size_t table_room(lua_State* L, int index);
// Whether the linked Lua lays out its tables as lua_layout.cpp expects.
bool layout_is_known(lua_State* L);

// Replaces a constant table at `index` by the hidden one that holds its fields. True when it was constant.
bool to_hidden(lua_State* L, int index);
// The metatable of the constant table at `index`, as its author set it: pushes it, or nil.
void push_constant_metatable(lua_State* L, int index);
// Pushes the constant table of a hidden one, or the value at `index` itself.
void push_face(lua_State* L, int index);
// Argument: a table of roots. Makes all newly reachable tables constant, and returns the list of variables to reset
// before a call (closure, position, value, closure, …; the list itself represents nil).
int freeze(lua_State* L);

}  // namespace assay
