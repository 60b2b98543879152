// The capacity of a table. Walking through a table takes time in proportion to its capacity, filled or not, and Lua
// does not report it. So this reads it from the head of the table, which has been the same in every release of Lua 5.4;
// a state checks at creation that the linked Lua is one of them.
#include "runtime/hooks/lua/lua_meter.hpp"

#include <cstring>

namespace assay {

namespace {

struct TableHead {  // as in Lua's lobject.h
  void* next;
  std::uint8_t type, marked;
  std::uint8_t flags;
  std::uint8_t nodes;  // logarithm of their number
  std::uint32_t array;
};

TableHead head_of(lua_State* L, int index) {
  TableHead head;
  std::memcpy(&head, lua_topointer(L, index), sizeof head);
  return head;
}

}  // namespace

std::size_t table_room(lua_State* L, int index) {
  const TableHead head = head_of(L, index);
  return (std::size_t{1} << (head.nodes & 31)) + head.array;
}

bool layout_is_known(lua_State* L) {
  const auto fits = [&](int array, int fields, int nodes) {
    lua_createtable(L, array, fields);
    const TableHead head = head_of(L, -1);
    lua_pop(L, 1);
    return head.type == LUA_TTABLE && head.nodes == nodes && head.array == static_cast<std::uint32_t>(array);
  };
  return fits(0, 0, 0) && fits(5, 9, 4) && fits(1000, 32, 5);
}

}  // namespace assay
