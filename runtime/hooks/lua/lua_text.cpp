// string.*: Lua's own functions where their work is in proportion to what is given or made and is counted; format
// without what would show an address. Patterns are in lua_pattern.cpp.
#include "runtime/hooks/lua/lua_meter.hpp"

namespace assay {

namespace {

void only_numbers_from(lua_State* L, int first) {
  for (int i = lua_gettop(L); i >= first; --i) {
    if (!lua_isnil(L, i)) luaL_checktype(L, i, LUA_TNUMBER);
  }
}

// The original is upvalue 1; its work is in proportion to its results.
int by_result(lua_State* L) {
  only_numbers_from(L, 2);
  const int results = lua_tocfunction(L, lua_upvalueindex(1))(L);
  Meter::of(L).charge(L, static_cast<std::uint64_t>(results) + lua_rawlen(L, -1) / 64);
  return results;
}

int length(lua_State* L) {
  luaL_checktype(L, 1, LUA_TSTRING);
  lua_pushinteger(L, static_cast<lua_Integer>(lua_rawlen(L, 1)));
  return 1;
}

int repeat(lua_State* L) {
  std::size_t size = 0, separator = 0;
  luaL_checklstring(L, 1, &size);
  luaL_checktype(L, 2, LUA_TNUMBER);
  const lua_Integer n = luaL_checkinteger(L, 2);
  luaL_optlstring(L, 3, "", &separator);
  if (n <= 0 || size + separator == 0) return lua_pushliteral(L, ""), 1;
  Meter& meter = Meter::of(L);
  const auto count = static_cast<std::uint64_t>(n);
  if (count > meter.memory_limit / (size + separator) + 1) meter.stop(L, Meter::Stop::memory);
  meter.charge(L, count * (size + separator) / 64 + count / 4);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

int format(lua_State* L) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  const int arguments = lua_gettop(L);
  std::uint64_t work = 1 + size / 8;
  int at = 1;
  for (std::size_t i = 0; i < size; ++i) {
    if (text[i] != '%') continue;
    if (++i < size && text[i] == '%') continue;
    while (i < size && ((text[i] >= '0' && text[i] <= '9') || text[i] == '.' || text[i] == '-' || text[i] == '+' ||
                        text[i] == '#' || text[i] == ' ')) {
      ++i;
    }
    if (++at > arguments) break;  // Lua says which is missing
    work += 40;                   // a number of a hundred digits takes that long
    if (i < size && text[i] == 'p') return luaL_error(L, "invalid conversion '%%p' to 'format'");
    const bool shown = i < size && text[i] == 's';
    if (shown) {
      push_shown(L, at);
      lua_replace(L, at);
    } else if (!(i < size && text[i] == 'q') && lua_type(L, at) == LUA_TSTRING) {
      luaL_checktype(L, at, LUA_TNUMBER);
    }
    if (lua_type(L, at) == LUA_TSTRING) work += lua_rawlen(L, at) / 16;
  }
  Meter::of(L).charge(L, work);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// Puts `function`, with the function of that name as its upvalue, into the table on top.
void wrap(lua_State* L, const char* name, lua_CFunction function) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

}  // namespace

void add_text_library(lua_State* L) {
  wrap(L, "byte", by_result);
  wrap(L, "sub", by_result);
  wrap(L, "rep", repeat);
  wrap(L, "format", format);
  lua_pushcfunction(L, length);
  lua_setfield(L, -2, "len");
}

}  // namespace assay
