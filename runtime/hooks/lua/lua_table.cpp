// table.*, rewritten: Lua's own functions trust a length that a hook may have made up, and are not metered. Every step
// of a loop is counted. sort is a stable merge sort and tolerates contradictory comparisons.
#include "runtime/hooks/lua/lua_meter.hpp"

#include <algorithm>

namespace assay {

namespace {

lua_Integer length(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TTABLE) luaL_checktype(L, index, LUA_TTABLE);
  Meter::of(L).descend(L);  // for __len, __index, __newindex
  return luaL_len(L, index);
}

lua_Integer integer_at(lua_State* L, int index, lua_Integer otherwise) {
  if (lua_isnoneornil(L, index)) return otherwise;
  luaL_checktype(L, index, LUA_TNUMBER);
  return luaL_checkinteger(L, index);
}

int insert(lua_State* L) {
  Meter& meter = Meter::of(L);
  const lua_Integer end = length(L, 1) + 1;
  lua_Integer at = end;
  if (lua_gettop(L) == 3) {
    at = integer_at(L, 2, end);
    if (at < 1 || at > end) return luaL_error(L, "bad argument #2 to 'insert' (position out of bounds)");
    for (lua_Integer i = end; i > at; --i) {
      meter.charge_fields(L, 2);
      lua_geti(L, 1, i - 1);
      lua_seti(L, 1, i);
    }
  } else if (lua_gettop(L) != 2) {
    return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_seti(L, 1, at);
  return 0;
}

int remove(lua_State* L) {
  Meter& meter = Meter::of(L);
  const lua_Integer size = length(L, 1);
  lua_Integer at = integer_at(L, 2, size);
  if (lua_gettop(L) > 1 && (at < 1 || at > size + 1) && !(size == 0 && at == 0)) {
    return luaL_error(L, "bad argument #2 to 'remove' (position out of bounds)");
  }
  lua_geti(L, 1, at);
  for (; at < size; ++at) {
    meter.charge_fields(L, 2);
    lua_geti(L, 1, at + 1);
    lua_seti(L, 1, at);
  }
  lua_pushnil(L);
  lua_seti(L, 1, at);
  return 1;
}

int concat(lua_State* L) {
  Meter& meter = Meter::of(L);
  const lua_Integer size = length(L, 1);
  std::size_t separator_size = 0;
  if (lua_type(L, 2) == LUA_TNUMBER) meter.charge(L, shown_work(L, 2));
  const char* separator = luaL_optlstring(L, 2, "", &separator_size);
  const lua_Integer from = integer_at(L, 3, 1), to = integer_at(L, 4, size);
  luaL_Buffer out;
  luaL_buffinit(L, &out);
  for (lua_Integer i = from; i <= to; ++i) {
    const int type = lua_geti(L, 1, i);
    if (type != LUA_TSTRING && type != LUA_TNUMBER) {
      return luaL_error(L, "invalid value (at index %I) in table for 'concat'", static_cast<LUAI_UACINT>(i));
    }
    meter.charge_fields(L, 1);
    meter.charge(L, separator_size / 32 + shown_work(L, -1));
    luaL_addvalue(&out);
    if (i == to) break;  // `to` may be the largest integer
    luaL_addlstring(&out, separator, separator_size);
  }
  luaL_pushresult(&out);
  return 1;
}

int pack(lua_State* L) {
  const int n = lua_gettop(L);
  Meter::of(L).charge(L, static_cast<std::uint64_t>(n));
  lua_createtable(L, n, 1);
  lua_insert(L, 1);
  for (int i = n; i >= 1; --i) lua_seti(L, 1, i);
  lua_pushinteger(L, n);
  lua_setfield(L, 1, "n");
  return 1;
}

int unpack(lua_State* L) {
  const lua_Integer from = integer_at(L, 2, 1);
  const lua_Integer to = lua_isnoneornil(L, 3) ? length(L, 1) : integer_at(L, 3, 0);
  if (from > to) return 0;
  const lua_Unsigned count = static_cast<lua_Unsigned>(to) - static_cast<lua_Unsigned>(from);
  if (count >= 10'000) return luaL_error(L, "too many results to unpack");
  Meter::of(L).descend(L);
  Meter::of(L).charge_fields(L, count);
  luaL_checkstack(L, static_cast<int>(count) + 1, "too many results to unpack");
  for (lua_Unsigned i = 0; i <= count; ++i)
    lua_geti(L, 1, static_cast<lua_Integer>(static_cast<lua_Unsigned>(from) + i));
  return static_cast<int>(count) + 1;
}

int move(lua_State* L) {
  Meter& meter = Meter::of(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  const lua_Integer from = integer_at(L, 2, 1), end = integer_at(L, 3, 0), to = integer_at(L, 4, 1);
  const int target = lua_isnoneornil(L, 5) ? 1 : 5;
  luaL_checktype(L, target, LUA_TTABLE);
  meter.descend(L);
  if (end >= from) {
    luaL_argcheck(L, from > 0 || end < LUA_MAXINTEGER + from, 3, "too many elements to move");
    luaL_argcheck(L, to <= LUA_MAXINTEGER - (end - from), 4, "destination wrap around");
    const bool forward = to > end || to <= from || target != 1;
    for (lua_Integer k = 0; k <= end - from; ++k) {
      const lua_Integer i = forward ? k : end - from - k;
      meter.charge_fields(L, 2);
      lua_geti(L, 1, from + i);
      lua_seti(L, target, to + i);
    }
  }
  lua_pushvalue(L, target);
  return 1;
}

// Charges the comparison of the two texts on top. Lua compares them part by part, between NULs.
void charge_comparison(lua_State* L) {
  const std::string_view a = text_at(L, -2), b = text_at(L, -1);
  const std::size_t size = std::min(a.size(), b.size());
  if (size < 64) return;
  std::size_t zeros = 0;
  if (Meter::of(L).texts.zeros)
    zeros = static_cast<std::size_t>(std::count(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(size), '\0'));
  Meter::of(L).charge(L, size / 256 + zeros * 2);
}

// stack: 1 table, 2 comparison or nil, 3 and 4 the two halves of the work
bool comes_before(lua_State* L, int table, lua_Integer a, lua_Integer b) {
  Meter::of(L).charge(L, 2);
  if (!lua_isnil(L, 2)) lua_pushvalue(L, 2);
  lua_rawgeti(L, table, a);
  lua_rawgeti(L, table, b);
  bool result;
  if (lua_isnil(L, 2)) {
    if (lua_type(L, -1) == LUA_TSTRING && lua_type(L, -2) == LUA_TSTRING) charge_comparison(L);
    result = lua_compare(L, -2, -1, LUA_OPLT) != 0;
    lua_pop(L, 2);
  } else {
    lua_call(L, 2, 1);
    result = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
  }
  return result;
}

int sort(lua_State* L) {
  Meter& meter = Meter::of(L);
  const lua_Integer size = length(L, 1);
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  if (size < 2) return 0;
  luaL_argcheck(L, size < 1'000'000'000, 1, "array too big");
  meter.charge_fields(L, static_cast<std::uint64_t>(size) * 2);
  lua_newtable(L);
  lua_newtable(L);
  for (lua_Integer i = 1; i <= size; ++i) {
    lua_geti(L, 1, i);
    lua_rawseti(L, 3, i);
  }
  int from = 3, to = 4;
  for (lua_Integer width = 1; width < size; width *= 2) {
    for (lua_Integer begin = 1; begin <= size; begin += 2 * width) {
      const lua_Integer end = begin + 2 * width <= size ? begin + 2 * width : size + 1;
      const lua_Integer middle = begin + width < end ? begin + width : end;
      lua_Integer left = begin, right = middle;
      for (lua_Integer out = begin; out < end; ++out) {
        const bool take_right = right < end && (left >= middle || comes_before(L, from, right, left));
        meter.charge(L, 1);
        lua_rawgeti(L, from, take_right ? right++ : left++);
        lua_rawseti(L, to, out);
      }
    }
    const int swapped = from;
    from = to;
    to = swapped;
  }
  for (lua_Integer i = 1; i <= size; ++i) {
    lua_rawgeti(L, from, i);
    lua_seti(L, 1, i);
  }
  return 0;
}

constexpr luaL_Reg kTableFunctions[] = {{"concat", concat}, {"insert", insert}, {"move", move},     {"pack", pack},
                                        {"remove", remove}, {"sort", sort},     {"unpack", unpack}, {nullptr, nullptr}};

}  // namespace

void add_table_library(lua_State* L) { luaL_setfuncs(L, kTableFunctions, 0); }

}  // namespace assay
