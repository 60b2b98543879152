// The functions available to hooks: those of Lua that are deterministic, harmless and bounded, some unchanged, most of
// them metered or rewritten. A function that is not listed here does not exist for a hook: no io, os, debug, load,
// coroutines, collectgarbage, random numbers.
#include "runtime/hooks/lua/lua_meter.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace assay {

namespace {

// ---- metered functions of Lua

// Charges work in proportion to text arguments: for functions that read them, or convert between texts and numbers.
template <bool numbers_are_shown>
int charged(lua_State* L) {
  std::uint64_t work = 1;
  for (int i = lua_gettop(L); i > 0; --i) {
    if (lua_type(L, i) == LUA_TSTRING) work += lua_rawlen(L, i) / 4;
    if (lua_type(L, i) == LUA_TNUMBER && numbers_are_shown) work += shown_work(L, i);
  }
  Meter::of(L).charge(L, work);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// Wraps functions that make characters from numbers: besides arguments, the only source of texts with NULs.
int made(lua_State* L) {
  Meter& meter = Meter::of(L);
  meter.charge(L, static_cast<std::uint64_t>(lua_gettop(L)));
  const int results = lua_tocfunction(L, lua_upvalueindex(1))(L);
  const std::string_view text = text_at(L, -1);
  if (text.find('\0') != std::string_view::npos) meter.texts.zeros = true;
  return results;
}

// Accepts numbers only: Lua would convert texts of any length.
int only_numbers(lua_State* L) {
  for (int i = lua_gettop(L); i > 0; --i) {
    if (lua_type(L, i) != LUA_TNUMBER) luaL_checktype(L, i, LUA_TNUMBER);
  }
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

std::uint64_t remainder_work(double a, double b) {
  int of_a = 0, of_b = 0;
  std::frexp(a, &of_a);
  std::frexp(b, &of_b);
  return of_a > of_b ? static_cast<std::uint64_t>(of_a - of_b) / 2 : 0;
}

// math.fmod: the C library divides bit by bit, one step for each bit between the exponents.
int remainder(lua_State* L) {
  luaL_checktype(L, 1, LUA_TNUMBER);
  luaL_checktype(L, 2, LUA_TNUMBER);
  Meter::of(L).charge(L, remainder_work(lua_tonumber(L, 1), lua_tonumber(L, 2)));
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// Copies `names` from the table at `from` to the table on top, each wrapped in `guard` (null: unchanged).
void copy_functions(lua_State* L, int from, lua_CFunction guard, const char* const* names) {
  for (; *names; ++names) {
    lua_getfield(L, from, *names);
    if (guard) lua_pushcclosure(L, guard, 1);
    lua_setfield(L, -2, *names);
  }
}

// ---- keys in order

struct Key {
  enum class Kind : std::uint8_t { number, text, truth } kind;
  bool integer;
  lua_Integer whole;
  lua_Number number;
  const char* text;
  std::size_t size;
};

void read_key(lua_State* L, int index, Key& key) {
  key = {};
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      key.kind = Key::Kind::number;
      key.integer = lua_isinteger(L, index) != 0;
      if (key.integer) key.whole = lua_tointeger(L, index);
      key.number = lua_tonumber(L, index);
      return;
    case LUA_TSTRING:
      key.kind = Key::Kind::text;
      key.text = lua_tolstring(L, index, &key.size);
      return;
    case LUA_TBOOLEAN:
      key.kind = Key::Kind::truth;
      key.whole = lua_toboolean(L, index);
      return;
    default:
      luaL_error(L, "a table that has a %s as a key has no order: it cannot be walked through",
                 luaL_typename(L, index));
  }
}

void push_key(lua_State* L, const Key& key) {
  if (key.kind == Key::Kind::text) {
    lua_pushlstring(L, key.text, key.size);
  } else if (key.kind == Key::Kind::truth) {
    lua_pushboolean(L, static_cast<int>(key.whole));
  } else if (key.integer) {
    lua_pushinteger(L, key.whole);
  } else {
    lua_pushnumber(L, key.number);
  }
}

bool before(const Key& a, const Key& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.kind == Key::Kind::number) {
    if (a.integer && b.integer) return a.whole < b.whole;
    return a.number != b.number ? a.number < b.number : a.integer && !b.integer;
  }
  if (a.kind == Key::Kind::truth) return a.whole < b.whole;
  const int order = std::memcmp(a.text, b.text, std::min(a.size, b.size));
  return order != 0 ? order < 0 : a.size < b.size;
}

// Upvalues: the table, its sorted keys (or the length of its sequence), the position.
int next_pair(lua_State* L) {
  for (;;) {
    const lua_Integer at = lua_tointeger(L, lua_upvalueindex(3)) + 1;
    lua_pushinteger(L, at);
    lua_copy(L, -1, lua_upvalueindex(3));
    if (lua_isinteger(L, lua_upvalueindex(2))) {
      if (at > lua_tointeger(L, lua_upvalueindex(2))) return lua_pushnil(L), 1;
    } else {
      lua_pop(L, 1);
      if (lua_geti(L, lua_upvalueindex(2), at) == LUA_TNIL) return 1;
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    to_hidden(L, -1);  // an iterator of the file itself, over a table that is constant by now
    lua_pushvalue(L, -2);
    if (lua_rawget(L, -2) != LUA_TNIL) {
      lua_remove(L, -2);
      return 2;
    }
    Meter::of(L).charge(L, 1);  // removed in the meantime
    lua_pop(L, 3);
  }
}

int pairs(lua_State* L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    Meter::of(L).descend(L);
    lua_pushvalue(L, 1);
    lua_call(L, 1, 3);
    return 3;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  to_hidden(L, 1);
  Meter& meter = Meter::of(L);
  meter.charge(L, table_room(L, 1) / 4);
  std::size_t count = 0;
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    lua_pop(L, 1);
    ++count;
  }
  if (count == lua_rawlen(L, 1)) {
    lua_pushinteger(L, static_cast<lua_Integer>(count));
  } else {
    meter.charge(L, count * 4);
    auto* keys = static_cast<Key*>(lua_newuserdatauv(L, count * sizeof(Key), 0));
    std::size_t i = 0;
    lua_pushnil(L);
    while (lua_next(L, 1)) {
      lua_pop(L, 1);
      read_key(L, -1, keys[i++]);
    }
    std::uint64_t bytes = 0;
    std::sort(keys, keys + count, [&](const Key& a, const Key& b) {
      bytes += std::min(a.size, b.size);
      return before(a, b);
    });
    meter.charge(L, bytes / 64);
    lua_createtable(L, static_cast<int>(count), 0);
    for (i = 0; i < count; ++i) {
      push_key(L, keys[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
    }
    lua_remove(L, 2);
  }
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_pair, 3);
  return 1;
}

// The key after another: walks over all keys and costs as much.
int next(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  to_hidden(L, 1);
  const bool first = lua_isnil(L, 2);
  Key last{}, best{};
  if (!first) read_key(L, 2, last);
  bool found = false;
  Meter::of(L).charge(L, 1 + table_room(L, 1));
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    lua_pop(L, 1);
    Key key;
    read_key(L, -1, key);
    if ((first || before(last, key)) && (!found || before(key, best))) {
      best = key;
      found = true;
    }
  }
  if (!found) return lua_pushnil(L), 1;
  push_key(L, best);
  lua_pushvalue(L, -1);
  lua_rawget(L, 1);
  return 2;
}

// ---- metatables and raw access: constant tables must look like all others

char kMetatables;  // in the registry: metatables that the file or the call has set

// Counts the metatable on top, if it is a new one: reading a field may have to follow that many.
void count_metatable(lua_State* L) {
  Meter& meter = Meter::of(L);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &kMetatables) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &kMetatables);
  }
  lua_pushvalue(L, -2);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    ++meter.chained;
    lua_pushvalue(L, -3);
    lua_pushboolean(L, 1);
    lua_rawset(L, -4);
  }
  lua_pop(L, 2);
}

}  // namespace

void forget_metatables(lua_State* L) {
  lua_pushboolean(L, 0);  // keeps its key in the registry
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kMetatables);
}

namespace {

int set_metatable(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
  lua_settop(L, 2);
  lua_pushvalue(L, 1);
  if (to_hidden(L, 3))
    return luaL_error(L, "cannot change a table that was made while the file was loaded: it is constant");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return luaL_error(L, "cannot change a protected metatable");
  lua_settop(L, 2);
  if (lua_istable(L, 2)) {
    to_hidden(L, 2);
    for (const char* name : {"__gc", "__close"}) {
      lua_pushstring(L, name);
      if (lua_rawget(L, 2) != LUA_TNIL) return luaL_error(L, "a hook cannot use '%s'", name);
      lua_pop(L, 1);
    }
  }
  lua_settop(L, 2);
  if (lua_istable(L, 2)) count_metatable(L);
  lua_setmetatable(L, 1);
  return 1;
}

int get_metatable(lua_State* L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return 1;
  lua_pushvalue(L, 1);
  if (to_hidden(L, 2)) {
    push_constant_metatable(L, 1);
    return 1;
  }
  if (!lua_getmetatable(L, 1)) return lua_pushnil(L), 1;
  push_face(L, -1);
  return 1;
}

int raw_get(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  to_hidden(L, 1);
  lua_rawget(L, 1);
  return 1;
}

int raw_set(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  lua_pushvalue(L, 1);
  if (to_hidden(L, 4))
    return luaL_error(L, "cannot change a table that was made while the file was loaded: it is constant");
  lua_pop(L, 1);
  lua_rawset(L, 1);
  return 1;
}

int raw_length(lua_State* L) {
  luaL_argexpected(L, lua_istable(L, 1) || lua_type(L, 1) == LUA_TSTRING, 1, "table or string");
  if (lua_istable(L, 1)) to_hidden(L, 1);
  lua_pushinteger(L, static_cast<lua_Integer>(lua_rawlen(L, 1)));
  return 1;
}

// ---- errors: the end by a limit cannot be caught

constexpr std::uint64_t kCaught = 100;  // steps: an error is a C++ exception, which takes as long

void check_caught(lua_State* L) {
  Meter& meter = Meter::of(L);
  meter.pass_on(L);
  meter.charge(L, kCaught + meter.code / 16);
}

int protected_call(lua_State* L) {
  luaL_checkany(L, 1);
  Meter::of(L).descend(L);
  if (lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0) != LUA_OK) {
    check_caught(L);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
  }
  Meter::of(L).pass_on(L);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  return lua_gettop(L);
}

int handle(lua_State* L) {
  if (Meter::of(L).over()) return 1;
  Meter::of(L).descend(L);
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

int protected_call_handled(lua_State* L) {
  luaL_checktype(L, 2, LUA_TFUNCTION);
  Meter::of(L).descend(L);
  const int arguments = lua_gettop(L) - 2;
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, handle, 1);
  lua_replace(L, 2);
  lua_pushvalue(L, 1);
  lua_insert(L, 3);
  if (lua_pcall(L, arguments, LUA_MULTRET, 2) != LUA_OK) {
    check_caught(L);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
  }
  Meter::of(L).pass_on(L);
  lua_pushboolean(L, 1);
  lua_replace(L, 2);
  return lua_gettop(L) - 1;
}

constexpr const char* kPlain[] = {"assert", "error", "ipairs", "rawequal", "select", "type", nullptr};
constexpr const char* kCharged[] = {"tonumber", nullptr};
constexpr luaL_Reg kOwn[] = {{"getmetatable", get_metatable},
                             {"next", next},
                             {"pairs", pairs},
                             {"pcall", protected_call},
                             {"rawget", raw_get},
                             {"rawlen", raw_length},
                             {"rawset", raw_set},
                             {"require", require_module},
                             {"setmetatable", set_metatable},
                             {"tostring", lua_tostring_function},
                             {"xpcall", protected_call_handled},
                             {nullptr, nullptr}};
constexpr const char* kMath[] = {"abs", "acos", "asin", "atan", "ceil", "cos",  "deg", "exp",       "floor", "log",
                                 "max", "min",  "modf", "rad",  "sin",  "sqrt", "tan", "tointeger", "ult",   nullptr};
constexpr const char* kMathPlain[] = {"type", "pi", "huge", "maxinteger", "mininteger", nullptr};

}  // namespace

void push_shown(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
    Meter::of(L).descend(L);
    lua_pushvalue(L, index);
    lua_call(L, 1, 1);
    if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "'__tostring' must return a string");
    return;
  }
  switch (lua_type(L, index)) {
    case LUA_TNIL: lua_pushliteral(L, "nil"); break;
    case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false"); break;
    case LUA_TNUMBER:
      Meter::of(L).charge(L, shown_work(L, index));
      lua_pushvalue(L, index);
      lua_tolstring(L, -1, nullptr);
      break;
    case LUA_TSTRING: lua_pushvalue(L, index); break;
    default: lua_pushstring(L, luaL_typename(L, index));  // never an address
  }
}

int lua_tostring_function(lua_State* L) {
  luaL_checkany(L, 1);
  push_shown(L, 1);
  return 1;
}

void push_library(lua_State* L) {
  const int top = lua_gettop(L);
  for (const luaL_Reg& library : {luaL_Reg{LUA_GNAME, luaopen_base},
                                  {LUA_STRLIBNAME, luaopen_string},
                                  {LUA_UTF8LIBNAME, luaopen_utf8},
                                  {LUA_MATHLIBNAME, luaopen_math}}) {
    luaL_requiref(L, library.name, library.func, 0);
  }
  const int base = top + 1, string = top + 2, utf8 = top + 3, math = top + 4;

  lua_newtable(L);
  copy_functions(L, base, nullptr, kPlain);
  copy_functions(L, base, charged<false>, kCharged);
  luaL_setfuncs(L, kOwn, 0);
  lua_pushliteral(L, LUA_VERSION);
  lua_setfield(L, -2, "_VERSION");

  lua_newtable(L);
  copy_functions(L, math, only_numbers, kMath);
  copy_functions(L, math, nullptr, kMathPlain);
  copy_functions(L, math, remainder, std::initializer_list<const char*>{"fmod", nullptr}.begin());
  lua_setfield(L, -2, "math");

  lua_newtable(L);
  static constexpr const char* kTextFunctions[] = {"lower", "upper", "reverse", nullptr};
  static constexpr const char* kMade[] = {"char", nullptr};
  copy_functions(L, string, charged<true>, kTextFunctions);
  copy_functions(L, string, made, kMade);
  copy_functions(L, string, nullptr,
                 std::initializer_list<const char*>{"len", "byte", "sub", "rep", "format", nullptr}.begin());
  add_text_library(L);
  add_pattern_functions(L);
  lua_pushliteral(L, "");
  lua_createtable(L, 0, 2);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
  lua_setfield(L, -2, "string");

  lua_newtable(L);
  static constexpr const char* kCharacters[] = {"len", "offset", "codepoint", nullptr};
  copy_functions(L, utf8, charged<true>, kCharacters);
  copy_functions(L, utf8, made, kMade);
  lua_pushliteral(L, "[^\x80-\xC1\xFE\xFF][\x80-\xBF]*");  // the same pattern as in Lua, without a NUL
  lua_setfield(L, -2, "charpattern");
  lua_setfield(L, -2, "utf8");

  lua_newtable(L);
  add_table_library(L);
  lua_setfield(L, -2, "table");

  // Creates in advance everything that calls would put into the registry on first use.
  forget_metatables(L);
  luaL_Buffer buffer;
  luaL_buffinitsize(L, &buffer, 2 * LUAL_BUFFERSIZE);
  luaL_pushresult(&buffer);
  lua_pop(L, 1);

  // Nothing else refers to what Lua's own libraries created.
  lua_pushnil(L);
  lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushglobaltable(L);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, -4);
  }
  lua_pop(L, 1);
  lua_replace(L, base);
  lua_settop(L, base);
}

}  // namespace assay
