// string.*: Lua's own functions where their work is in proportion to arguments or results and is counted; format
// without conversions that would show an address. Patterns are in lua_pattern.cpp.
#include "runtime/hooks/lua/lua_meter.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace assay {

namespace {

void only_numbers_from(lua_State* L, int first) {
  for (int i = lua_gettop(L); i >= first; --i) {
    if (!lua_isnil(L, i)) luaL_checktype(L, i, LUA_TNUMBER);
  }
}

// The original function is upvalue 1; its work is in proportion to its results.
int by_result(lua_State* L) {
  only_numbers_from(L, 2);
  if (lua_type(L, 1) == LUA_TNUMBER) Meter::of(L).charge(L, shown_work(L, 1));
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
  for (const int text : {1, 3}) {
    if (lua_type(L, text) == LUA_TNUMBER) Meter::of(L).charge(L, shown_work(L, text));
  }
  luaL_checklstring(L, 1, &size);
  luaL_checktype(L, 2, LUA_TNUMBER);
  const lua_Integer n = luaL_checkinteger(L, 2);
  luaL_optlstring(L, 3, "", &separator);
  if (n <= 0 || size + separator == 0) return lua_pushliteral(L, ""), 1;
  Meter& meter = Meter::of(L);
  const auto count = static_cast<std::uint64_t>(n);
  const std::size_t unit = size + separator;
  if (count > meter.bounds.memory / unit + 1) meter.stop(L, Meter::Stop::memory);
  meter.charge(L, unit / 64 + count / 4);
  // In pieces, each charged before it is copied: Lua's own function copies a text of one byte byte by byte.
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const std::size_t whole = static_cast<std::size_t>(count) * unit - separator;
  luaL_Buffer buffer;
  char* const out = luaL_buffinitsize(L, &buffer, whole);
  std::size_t done = 0;
  const auto append = [&](const char* text, std::size_t bytes) {
    std::memcpy(out + done, text, bytes);
    done += bytes;
  };
  append(lua_tostring(L, 1), size);
  if (count > 1) {
    if (separator > 0) append(lua_tostring(L, 3), separator);
    while (done < whole) {  // what is there begins with whole units
      const std::size_t units = std::min(done, std::max(kPiece, unit)) / unit * unit;
      const std::size_t bytes = std::min(units, whole - done);
      meter.charge(L, bytes / 64);
      append(out, bytes);
    }
  }
  luaL_pushresultsize(&buffer, whole);
  return 1;
}

// The work of writing a number in up to 99 decimals.
std::uint64_t digits_work(double n, char conversion) {
  int exponent = 0;
  std::frexp(n, &exponent);
  const auto size = static_cast<std::uint64_t>(exponent < 0 ? -exponent : exponent);
  switch (conversion) {
    case 'f': return 40 + size;
    case 'e':
    case 'g':
    case 'a':
    case 's': return 40 + size / 4;
    default: return 0;
  }
}

int format(lua_State* L) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  const int arguments = lua_gettop(L);
  Meter& meter = Meter::of(L);
  std::uint64_t work = 1 + size / 8;
  int at = 1;
  for (std::size_t i = 0; i < size; ++i) {
    if (text[i] != '%') continue;
    if (++i < size && text[i] == '%') continue;
    while (i < size && ((text[i] >= '0' && text[i] <= '9') || text[i] == '.' || text[i] == '-' || text[i] == '+' ||
                        text[i] == '#' || text[i] == ' ')) {
      ++i;
    }
    if (++at > arguments) break;  // Lua reports the missing argument
    work += 40;
    if (i < size && text[i] == 'p') return luaL_error(L, "invalid conversion '%%p' to 'format'");
    const char conversion = i < size ? text[i] : '\0';
    if (conversion == 'c') meter.texts.zeros = true;
    if (lua_type(L, at) == LUA_TNUMBER) work += digits_work(lua_tonumber(L, at), conversion);
    const bool quoted = conversion == 'q';
    if (conversion == 's') {
      meter.descend(L);
      push_shown(L, at);
      lua_replace(L, at);
    } else if (!quoted && lua_type(L, at) == LUA_TSTRING) {
      luaL_checktype(L, at, LUA_TNUMBER);
    }
    if (lua_type(L, at) == LUA_TSTRING) work += quoted ? lua_rawlen(L, at) * 8 : lua_rawlen(L, at) / 16;
  }
  meter.charge(L, work);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// Adds `function` to the table on top, with the original function of that name as its upvalue.
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
