// Copies values in both directions. A number becomes a Lua integer if it is whole and fits, otherwise the nearest
// float; a float becomes the shortest decimal that reads back as the same float. A missing value is nil. Results are
// checked against the declared type: kind, range, choices, fields.
#include "runtime/hooks/lua/lua_runtime.hpp"

#include <assay/text.hpp>

#include "lang/value/map.hpp"
#include "runtime/input/record_plan.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace assay {

namespace {

constexpr int kNesting = 100;
constexpr std::size_t kItems = 100'000'000;

// A result, for messages.
std::string shown(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNIL: return "nil";
    case LUA_TBOOLEAN: return lua_toboolean(L, index) ? "true" : "false";
    case LUA_TNUMBER: {
      char digits[64];
      if (lua_isinteger(L, index)) {
        std::snprintf(digits, sizeof digits, "%lld", static_cast<long long>(lua_tointeger(L, index)));
      } else {
        const double n = lua_tonumber(L, index);
        if (std::isnan(n)) return "NaN";
        if (std::isinf(n)) return n > 0 ? "inf" : "-inf";
        std::snprintf(digits, sizeof digits, "%.14g", n);
      }
      return digits;
    }
    case LUA_TSTRING: {
      const std::string_view text = text_at(L, index);
      std::string out = "the text ";
      const std::string cut = shorten(text, kMostQuoted);
      if (!simdjson::validate_utf8(cut.data(), cut.size())) return "a text that is not UTF-8";
      write_json_text(cut, out);
      return cut.size() < text.size() ? out + "…" : out;
    }
    default: return std::string("a ") + luaL_typename(L, index);
  }
}

// The number of values in a JSON text; slightly fewer if it is not JSON.
std::size_t json_items(std::string_view text) {
  std::size_t count = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '\\') ++i;  // occurs only within quotes
    else if (text[i] == ',' && !quoted) ++count;
  }
  return count;
}

}  // namespace

// ---- arguments

void LuaRuntime::push_number(const Number& n) {
  if (n.den == 1) return lua_pushinteger(L, n.num);
  if (n.missing()) return lua_pushnil(L);
  const double nearest = to_double(n);
  constexpr double kFractions = 4503599627370496.0;  // from here on all doubles are integers, whatever they stand for
  std::int64_t integer = 0;
  const bool fraction =
      std::fabs(nearest) < kFractions && static_cast<double>(static_cast<std::int64_t>(nearest)) != nearest;
  if (!fraction && to_int64(n, integer)) return lua_pushinteger(L, integer);
  lua_pushnumber(L, nearest);
}

// Lua allocates the text itself, and its bytes are counted there.
void LuaRuntime::push_text(std::string_view text) {
  charge(L, 2);
  if (!texts.zeros && std::memchr(text.data(), '\0', text.size()) != nullptr) texts.zeros = true;
  lua_pushlstring(L, text.data(), text.size());
}

void LuaRuntime::push(const TypeTable& types, TypeId type, const Value& value) {
  if (value.missing()) return lua_pushnil(L);
  const Type& t = types[type];
  switch (t.kind) {
    case TypeKind::number: return push_number(value.number);
    case TypeKind::boolean: return lua_pushboolean(L, value.boolean.truth != 0);
    case TypeKind::text: return push_text(value.text.view());
    case TypeKind::list:
      luaL_checkstack(L, 10, "nested too deep");
      charge(L, 10 + std::uint64_t{2} * value.list.size);
      lua_createtable(L, static_cast<int>(value.list.size), 0);
      for (std::uint32_t i = 0; i < value.list.size; ++i) {
        push(types, t.element, value.list.items[i]);
        lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
      }
      return;
    case TypeKind::map:
      luaL_checkstack(L, 10, "nested too deep");
      charge(L, 10 + std::uint64_t{4} * value.map.size);
      lua_createtable(L, 0, static_cast<int>(value.map.size));
      for (std::uint32_t i = 0; i < value.map.size; ++i) {
        push_text(value.map.data->keys[i].text.view());
        push(types, t.element, value.map.data->values[i]);
        lua_rawset(L, -3);
      }
      return;
    case TypeKind::record:
      luaL_checkstack(L, 10, "nested too deep");
      charge(L, 10 + std::uint64_t{4} * value.record.size);
      lua_createtable(L, 0, static_cast<int>(value.record.size));
      for (std::uint32_t i = 0; i < value.record.size && i < t.fields.size(); ++i) {
        lua_pushlstring(L, t.fields[i].name.data(), t.fields[i].name.size());
        push(types, t.fields[i].type, value.record.fields[i]);
        lua_rawset(L, -3);
      }
      return;
    case TypeKind::range: {
      lua_createtable(L, 0, 2);
      push(types, kNumber, make_number(value.range.data->low));
      lua_setfield(L, -2, "low");
      push(types, kNumber, make_number(value.range.data->high));
      lua_setfield(L, -2, "high");
      return;
    }
    case TypeKind::any: {
      const std::string_view text = value.text.view();
      charge(L, 1 + text.size() / 8);
      if (json_items(text) > bounds.memory / 16) stop(L, Stop::memory);  // each takes at least a slot in a table
      JsonProblem wrong;
      if (!parse_json(value.text.view(), json, wrong, 200, 200)) return lua_pushnil(L);
      return push_json(json);
    }
    case TypeKind::either: return push(types, types.actual(type, value), value);
    case TypeKind::unknown: return lua_pushnil(L);
  }
}

void LuaRuntime::push_json(const JsonNode& node) {
  luaL_checkstack(L, 10, "nested too deep");
  charge(L, 2 + node.raw.size() / 64);
  switch (node.kind) {
    case JsonNode::Kind::null: return lua_pushnil(L);
    case JsonNode::Kind::boolean: return lua_pushboolean(L, node.truth());
    case JsonNode::Kind::number: {
      Number n;
      if (!parse_decimal(node.raw, n, *numbers)) return lua_pushnil(L);
      return push_number(n);
    }
    case JsonNode::Kind::text: return push_text(node.text);
    case JsonNode::Kind::list:
      lua_createtable(L, static_cast<int>(node.items.size()), 0);
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        push_json(node.items[i]);
        lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
      }
      return;
    case JsonNode::Kind::object:
      lua_createtable(L, 0, static_cast<int>(node.members.size()));
      for (const JsonMember& member : node.members) {
        push_text(member.first);
        push_json(member.second);
        lua_rawset(L, -3);
      }
      return;
  }
}

// ---- results

bool LuaRuntime::refuse(int index, const std::string& expected) {
  problem = shown(L, index) + (path.empty() ? "" : " in " + path) + " instead of " + expected;
  return false;
}

bool LuaRuntime::read_number(const TypeTable& types, TypeId type, const Type& t, int index, Value& value) {
  Number n = kMissing;
  constexpr double kExact = 9007199254740992.0;  // 2^53; beyond, the double of an integer may be a different number
  const double nearest = lua_tonumber(L, index);
  if (std::fabs(nearest) < kExact || !lua_isinteger(L, index)) {
    n = from_double(nearest, *numbers);
  } else {
    const lua_Integer i = lua_tointeger(L, index);
    n = i == LUA_MININTEGER ? sub(whole(i + 1), whole(1), *numbers) : whole(i);
  }
  const bool any = t.range.low.missing() && t.range.high.missing();
  if (n.missing() || (t.whole && !is_whole(n)) || !(any || inside(n, t.range))) return refuse(index, types.str(type));
  value = make_number(n);
  return true;
}

bool LuaRuntime::read(const TypeTable& types, TypeId type, int index, Value& value, Arena& arena, int depth) {
  if (depth == 0) path.clear();
  index = lua_absindex(L, index);
  const Type& t = types[type];
  switch (t.kind) {
    case TypeKind::number:
      // a text that could be converted is refused, too
      if (lua_type(L, index) != LUA_TNUMBER) return refuse(index, types.str(type));
      return read_number(types, type, t, index, value);
    case TypeKind::boolean:
      if (!lua_isboolean(L, index)) return refuse(index, types.str(type));
      value = make_bool(lua_toboolean(L, index) != 0);
      return true;
    case TypeKind::text: {
      if (lua_type(L, index) != LUA_TSTRING) return refuse(index, types.str(type));
      const std::string_view text = text_at(L, index);
      if (!keep(text.size())) return false;
      if (!t.allows(text) || text.size() >= UINT32_MAX / 2 || !simdjson::validate_utf8(text.data(), text.size()))
        return refuse(index, types.str(type));
      value = make_text(arena.copy(text));
      return true;
    }
    case TypeKind::list: return read_list(types, type, index, value, arena, depth);
    case TypeKind::map: return read_map(types, type, index, value, arena, depth);
    case TypeKind::record: return read_record(types, type, index, value, arena, depth);
    case TypeKind::either: {
      const TypeId one = alternative_at(types, type, index);
      return one == kUnknown ? refuse(index, types.str(type)) : read(types, one, index, value, arena, depth);
    }
    default: return refuse(index, types.str(type));
  }
}

// Which of several types the value has; kUnknown: none. A table with a first item is a list, and so is an empty one if
// a list is allowed.
TypeId LuaRuntime::alternative_at(const TypeTable& types, TypeId either, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNUMBER: return types.alternative(either, TypeKind::number);
    case LUA_TBOOLEAN: return types.alternative(either, TypeKind::boolean);
    case LUA_TSTRING: return types.alternative(either, TypeKind::text);
    case LUA_TTABLE: break;
    default: return kUnknown;
  }
  const TypeId list = types.alternative(either, TypeKind::list), map = types.alternative(either, TypeKind::map);
  const TypeId object = map != kUnknown ? map : types.alternative(either, TypeKind::record);
  if (list == kUnknown || object == kUnknown) return list == kUnknown ? object : list;
  luaL_checkstack(L, 10, "nested too deep");
  lua_pushvalue(L, index);
  to_hidden(L, -1);
  bool of_list = lua_rawlen(L, -1) > 0;
  if (!of_list) {
    lua_pushnil(L);
    of_list = lua_next(L, -2) == 0;
    if (!of_list) lua_pop(L, 2);
  }
  lua_pop(L, 1);
  return of_list ? list : object;
}

bool LuaRuntime::enter_table(const TypeTable& types, TypeId type, int index, int depth) {
  if (lua_type(L, index) != LUA_TTABLE) return refuse(index, types.str(type));
  if (depth >= kNesting) return refuse(index, "a value that is not nested so deep");
  luaL_checkstack(L, 10, "nested too deep");
  lua_pushvalue(L, index);
  to_hidden(L, -1);
  charge(L, 10 + table_room(L, -1));  // because the table is walked through
  return true;
}

bool LuaRuntime::read_list(const TypeTable& types, TypeId type, int index, Value& value, Arena& arena, int depth) {
  if (!enter_table(types, type, index, depth)) return false;
  const TypeId element = types[type].element;
  const int table = lua_gettop(L);
  const std::size_t size = lua_rawlen(L, table);
  std::size_t count = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    ++count;
  }
  if (count != size || size > kItems) return refuse(index, types.str(type) + " (its keys are not 1, 2, 3 …)");
  charge(L, size * 2);
  if (!keep(size * sizeof(Value))) return false;
  Value* items = arena.array<Value>(size);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t before = path.size();
    path += "[" + std::to_string(i) + "]";
    lua_rawgeti(L, table, static_cast<lua_Integer>(i + 1));
    if (!read(types, element, -1, items[kept], arena, depth + 1)) return false;
    lua_pop(L, 1);
    path.resize(before);
    ++kept;
    if (types[type].set) {  // each text once, in the order of first appearance
      charge(L, kept / 8 + items[kept - 1].text.size / 64);
      for (std::size_t other = 0; other + 1 < kept; ++other) {
        if (items[other].text.view() != items[kept - 1].text.view()) continue;
        --kept;
        break;
      }
    }
  }
  lua_pop(L, 1);
  value = make_list(items, static_cast<std::uint32_t>(kept));
  return true;
}

bool LuaRuntime::read_map(const TypeTable& types, TypeId type, int index, Value& value, Arena& arena, int depth) {
  if (!enter_table(types, type, index, depth)) return false;
  const TypeId element = types[type].element;
  const int table = lua_gettop(L);
  std::size_t size = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING) return refuse(-1, "a text as a key of " + types.str(type));
    ++size;
  }
  charge(L, size * 8);
  if (!keep(size * 3 * sizeof(Value))) return false;
  Value* keys = arena.array<Value>(size);
  Value* values = arena.array<Value>(size);
  std::size_t n = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    const std::string_view key = text_at(L, -1);
    if (!keep(key.size())) return false;
    if (!simdjson::validate_utf8(key.data(), key.size())) return refuse(-1, "a text as a key of " + types.str(type));
    keys[n++] = make_text(arena.copy(key));
  }
  std::sort(keys, keys + size, [](const Value& a, const Value& b) { return a.text.view() < b.text.view(); });
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t before = path.size();
    path += (path.empty() ? "" : ".") + shorten(keys[i].text.view(), kMostQuoted);
    lua_pushlstring(L, keys[i].text.data, keys[i].text.size);
    lua_rawget(L, table);
    if (!read(types, element, -1, values[i], arena, depth + 1)) return false;
    lua_pop(L, 1);
    path.resize(before);
  }
  auto* data = arena.array<MapData>(1);
  *data = MapData{keys, values, nullptr, 0};
  const auto entries = static_cast<std::uint32_t>(size);
  if (entries >= kMapIndexFrom) {
    const std::uint32_t words = map_index_size(entries);
    map_build_index(*data, entries, arena.array<std::uint32_t>(words), words);
  }
  lua_pop(L, 1);
  value = make_map(data, entries);
  return true;
}

bool LuaRuntime::read_record(const TypeTable& types, TypeId type, int index, Value& value, Arena& arena, int depth) {
  if (!enter_table(types, type, index, depth)) return false;
  const std::vector<Field>& fields = types[type].fields;
  const int table = lua_gettop(L);
  charge(L, fields.size() * 4);
  if (!keep(fields.size() * sizeof(Value))) return false;
  Value* values = arena.array<Value>(fields.size());
  std::size_t found = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    lua_pushlstring(L, field.name.data(), field.name.size());
    if (lua_rawget(L, table) == LUA_TNIL) {
      values[i] = field.presence == Presence::defaulted ? field.fallback : missing_value();
      if (field.presence == Presence::required) {
        const std::size_t before = path.size();
        path += (path.empty() ? "" : ".") + field.name;
        refuse(-1, types.str(field.type));
        path.resize(before);
        return false;
      }
    } else {
      ++found;
      const std::size_t before = path.size();
      path += (path.empty() ? "" : ".") + field.name;
      if (!read(types, field.type, -1, values[i], arena, depth + 1)) return false;
      path.resize(before);
    }
    lua_pop(L, 1);
  }
  std::size_t size = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    ++size;
  }
  if (size != found) return refuse(index, types.str(type) + " (it has other fields, too)");
  lua_pop(L, 1);
  value = make_record(values, static_cast<std::uint32_t>(fields.size()));
  return true;
}

}  // namespace assay
