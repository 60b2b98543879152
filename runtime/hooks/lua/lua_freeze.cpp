// Constant tables. A hook must not keep state between records, so everything that its file made while it was loaded
// becomes constant: the fields of each reachable table are moved to a hidden table behind it. The table itself keeps
// its identity but is empty; its metatable reads from the hidden table and refuses writes. Local variables of the file
// that functions share (upvalues) cannot refuse writes; they are listed, and the host resets them before each call.
// Freezing the next file leaves what is already constant, including the library, unchanged.
#include "runtime/hooks/lua/lua_meter.hpp"

namespace assay {

namespace {

char kHidden, kOriginal;  // keys, by address, in the metatable of a constant table
char kFaces;              // in the registry: hidden table → the table that it belongs to
char kFrozen;             // in the registry: the set of all tables, functions and variables seen so far

constexpr const char* kMetamethods[] = {"__add",  "__sub",      "__mul",    "__div",   "__mod",  "__pow",
                                        "__unm",  "__idiv",     "__band",   "__bor",   "__bxor", "__bnot",
                                        "__shl",  "__shr",      "__concat", "__eq",    "__lt",   "__le",
                                        "__call", "__tostring", "__name",   "__pairs", "__len",  "__metatable"};

int refuse_write(lua_State* L) {
  if (lua_type(L, 2) == LUA_TSTRING) {
    return luaL_error(
        L, "cannot set '%s': what a file makes while it is loaded is constant; use a local variable in the function",
        lua_tostring(L, 2));
  }
  return luaL_error(L, "cannot change a table that was made while the file was loaded: it is constant");
}

int hidden_length(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(lua_rawlen(L, lua_upvalueindex(1))));
  return 1;
}

// __index of a hidden table whose author supplied a function: the function sees the constant table, never the hidden
// one.
int index_by_function(lua_State* L) {
  lua_settop(L, 2);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 2);
  lua_call(L, 2, 1);
  return 1;
}

// stack: 1 roots, 2 queue, 3 seen, 4 list
constexpr int kQueue = 2, kSeen = 3, kList = 4;

// Adds the value on top to the queue if it is new; pops it.
void enqueue(lua_State* L) {
  const int type = lua_type(L, -1);
  if (type != LUA_TTABLE && type != LUA_TFUNCTION) return lua_pop(L, 1);
  lua_pushvalue(L, -1);
  const bool known = lua_rawget(L, kSeen) != LUA_TNIL;
  lua_pop(L, 1);
  if (known) return lua_pop(L, 1);
  lua_pushvalue(L, -1);
  lua_pushboolean(L, 1);
  lua_rawset(L, kSeen);
  lua_rawseti(L, kQueue, static_cast<lua_Integer>(lua_rawlen(L, kQueue)) + 1);
}

void enqueue_fields(lua_State* L, int table) {
  Meter::of(L).charge(L, table_room(L, table));
  lua_pushnil(L);
  while (lua_next(L, table)) {
    enqueue(L);
    lua_pushvalue(L, -1);
    enqueue(L);
  }
}

void freeze_table(lua_State* L, int table) {
  Meter& meter = Meter::of(L);
  meter.charge(L, 20 + 2 * table_room(L, table));
  lua_newtable(L);
  const int hidden = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, hidden);
  }
  lua_pushnil(L);
  while (lua_next(L, hidden)) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, table);
  }
  lua_newtable(L);
  const int meta = lua_gettop(L);
  lua_pushcclosure(L, (lua_pushvalue(L, hidden), hidden_length), 1);
  lua_setfield(L, meta, "__len");
  if (lua_getmetatable(L, table)) {
    lua_pushvalue(L, -1);
    enqueue(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, meta, &kOriginal);
    meter.chained += 2;  // a field is looked up in the table, in the hidden one and in the one behind that
    const int author = lua_gettop(L);
    if (lua_rawequal(L, author, table)) {  // it is its own metatable, and is empty by now
      lua_pushvalue(L, hidden);
      lua_replace(L, author);
    } else {
      to_hidden(L, author);
    }
    for (const char* name : kMetamethods) {
      lua_pushstring(L, name);
      if (lua_rawget(L, author) == LUA_TNIL) {
        lua_pop(L, 1);
      } else {
        lua_setfield(L, meta, name);
      }
    }
    lua_pushliteral(L, "__index");
    const int kind = lua_rawget(L, author);
    if (kind != LUA_TNIL) {
      if (kind == LUA_TFUNCTION) {
        lua_pushvalue(L, table);
        lua_insert(L, -2);
        lua_pushcclosure(L, index_by_function, 2);
      }
      lua_createtable(L, 0, 1);
      lua_insert(L, -2);
      lua_setfield(L, -2, "__index");
      lua_setmetatable(L, hidden);
    } else {
      lua_pop(L, 1);
    }
  }
  lua_settop(L, meta);
  lua_pushvalue(L, hidden);
  lua_setfield(L, meta, "__index");
  lua_pushcfunction(L, refuse_write);
  lua_setfield(L, meta, "__newindex");
  lua_pushvalue(L, hidden);
  lua_rawsetp(L, meta, &kHidden);
  lua_setmetatable(L, table);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kFaces);
  lua_pushvalue(L, hidden);
  lua_pushvalue(L, table);
  lua_rawset(L, -3);
  enqueue_fields(L, hidden);
  lua_settop(L, hidden - 1);
}

// Lists a variable that several functions share once.
void list_variables(lua_State* L, int function) {
  for (int n = 1; lua_getupvalue(L, function, n); ++n) {
    Meter::of(L).charge(L, 5);
    lua_pushvalue(L, -1);
    enqueue(L);
    const void* id = lua_upvalueid(L, function, n);
    const bool known = lua_rawgetp(L, kSeen, id) != LUA_TNIL;
    lua_pop(L, 1);
    if (known) {
      lua_pop(L, 1);
      continue;
    }
    lua_pushboolean(L, 1);
    lua_rawsetp(L, kSeen, id);
    const auto size = static_cast<lua_Integer>(lua_rawlen(L, kList));
    lua_pushvalue(L, function);
    lua_rawseti(L, kList, size + 1);
    lua_pushinteger(L, n);
    lua_rawseti(L, kList, size + 2);
    if (lua_isnil(L, -1)) {  // a list cannot hold nil: the list itself represents it
      lua_pop(L, 1);
      lua_pushvalue(L, kList);
    }
    lua_rawseti(L, kList, size + 3);
  }
}

}  // namespace

bool to_hidden(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (!lua_getmetatable(L, index)) return false;
  const bool constant = lua_rawgetp(L, -1, &kHidden) != LUA_TNIL;
  if (constant) lua_replace(L, index);
  lua_settop(L, lua_gettop(L) - (constant ? 1 : 2));
  return constant;
}

void push_constant_metatable(lua_State* L, int index) {
  if (!lua_getmetatable(L, index)) return lua_pushnil(L);
  lua_rawgetp(L, -1, &kOriginal);
  lua_remove(L, -2);
}

void push_face(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &kFaces) != LUA_TNIL) {
    lua_pushvalue(L, index);
    lua_rawget(L, -2);
    lua_remove(L, -2);
  }
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  lua_pushvalue(L, index);
}

int freeze(lua_State* L) {
  for (const char* key : {&kFaces, &kFrozen}) {
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) != LUA_TNIL) continue;
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, key);
  }
  lua_settop(L, 1);
  lua_newtable(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kFrozen);
  lua_newtable(L);
  enqueue_fields(L, 1);
  for (lua_Integer i = 1; lua_rawgeti(L, kQueue, i) != LUA_TNIL; ++i) {
    luaL_checkstack(L, 20, "freeze");
    const int item = lua_gettop(L);
    if (lua_isfunction(L, item)) {
      list_variables(L, item);
    } else {
      lua_pushvalue(L, item);
      if (to_hidden(L, item + 1)) {
        enqueue_fields(L, item + 1);
        push_constant_metatable(L, item);
        enqueue(L);
        lua_settop(L, item);
      } else {
        lua_settop(L, item);
        freeze_table(L, item);
      }
    }
    lua_settop(L, kList);
  }
  lua_settop(L, kList);
  return 1;
}

}  // namespace assay
