// Counting steps, bytes and depth of a Lua state.
#include "runtime/hooks/lua/lua_meter.hpp"

#include <algorithm>
#include <cstdlib>

namespace assay {

namespace {

constexpr int kTick = 250;  // instructions between two looks at the meter
// A table that is called as a function calls another table, and so on: each moves the whole stack up, all within one
// instruction. Beyond so many values a stack that grows costs the square of its size, and ends when that is too much.
constexpr std::uint64_t kDeepStack = 8192;
constexpr std::size_t kSlot = 16;  // bytes of a value

// The number of active functions, in few calls: looking up a level walks the stack.
int levels(lua_State* L) {
  lua_Debug at;
  int low = 0, high = 1;  // level low exists, level high is to be tried
  while (lua_getstack(L, high, &at)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (lua_getstack(L, middle, &at) ? low : high) = middle;
  }
  return low + 1;
}

}  // namespace

void Meter::begin(lua_State* L, int at_most) {
  stopped = Stop::none;
  budget = memory_limit < SIZE_MAX - memory ? memory + memory_limit : SIZE_MAX;
  interval = exact ? 1 : std::min(kTick, depth_limit + 1);
  if (left() < static_cast<std::uint64_t>(interval)) interval = static_cast<int>(left()) + 1;
  if (at_most > 0 && at_most < interval) {  // there will be no tick
    if (counting) lua_sethook(L, nullptr, 0, 0);
    counting = false;
    return;
  }
  lua_sethook(L, tick, LUA_MASKCOUNT, interval);
  counting = true;
}

void Meter::stop(lua_State* L, Stop why) {
  stopped = why;
  interval = 1;  // handlers that still run do not run for long
  counting = true;
  lua_sethook(L, tick, LUA_MASKCOUNT, 1);
  lua_pushlightuserdata(L, this);  // needs no memory
  lua_error(L);
  std::abort();  // lua_error does not return
}

void Meter::tick(lua_State* L, lua_Debug*) {
  Meter& m = of(L);
  m.pass_on(L);
  const std::uint64_t weight = m.weight();
  m.steps += static_cast<std::uint64_t>(m.interval) * weight;
  if (m.steps > m.step_limit) m.stop(L, Stop::steps);
  const int depth = levels(L) - m.outer_levels;
  if (depth > m.depth_limit) m.stop(L, Stop::depth);
  m.steps += static_cast<std::uint64_t>(depth) / 8;
  // No call can pass the depth, and no instruction the steps, before the next look.
  const std::uint64_t next = std::min({static_cast<std::uint64_t>(m.exact ? 1 : kTick),
                                       static_cast<std::uint64_t>(m.depth_limit - depth) + 1, m.left() / weight + 1});
  if (static_cast<int>(next) == m.interval) return;
  m.interval = static_cast<int>(next);
  lua_sethook(L, tick, LUA_MASKCOUNT, m.interval);
}

// Nothing is collected while a hook runs (the host collects between calls), so what a hook sees never depends on when
// memory is collected, and the limit is on all that a call allocates.
void* Meter::allocate(void* self, void* block, std::size_t old_size, std::size_t size) {
  Meter& m = *static_cast<Meter*>(self);
  const std::size_t before = block ? old_size : 0;
  if (size == 0) {
    if (block && block == m.stack) {  // the new one has just been made
      const std::uint64_t slots = m.watched_bytes / kSlot;
      if (slots > kDeepStack && m.watched_bytes > m.stack_bytes) m.steps += slots * slots / 64;
      m.stack = m.watched;
      m.stack_bytes = m.watched_bytes;
    }
    std::free(block);
    m.memory -= before;
    return nullptr;
  }
  if (size > before && (m.memory + (size - before) > m.budget || m.stopped == Stop::memory)) {
    if (m.stopped == Stop::none) m.stopped = Stop::memory;
    return nullptr;
  }
  if (size > before && size > kDeepStack * kSlot && m.steps > m.step_limit) {  // the next stack, before any tick
    if (m.stopped == Stop::none) m.stopped = Stop::steps;
    return nullptr;
  }
  void* moved = std::realloc(block, size);
  if (!moved) {
    if (size <= before) return block;
    if (m.stopped == Stop::none) m.stopped = Stop::memory;
    return nullptr;
  }
  m.memory += size - before;
  if (m.memory > m.peak) m.peak = m.memory;
  if (!block && old_size == LUA_TSTRING && size > m.longest) m.longest = size;
  if (block || old_size == 0) {  // no object, but an array of Lua's own
    if (block && block == m.stack) {
      m.stack = moved;
      m.stack_bytes = size;
    }
    m.watched = moved;
    m.watched_bytes = size;
  }
  return moved;
}

std::string Meter::message() const {
  switch (stopped) {
    case Stop::steps: return "it takes more than the " + std::to_string(step_limit) + " steps that the limit allows";
    case Stop::memory: return "it needs more than the " + std::to_string(memory_limit) + " bytes that the limit allows";
    case Stop::depth: return "its calls are nested deeper than the limit of " + std::to_string(depth_limit);
    case Stop::none: break;
  }
  return {};
}

}  // namespace assay
