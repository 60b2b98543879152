// Counting steps, bytes and depth of a Lua state.
#include "runtime/hooks/lua/lua_meter.hpp"

#include "lang/value/limit_message.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace assay {

namespace {

constexpr int kTick = 250;                           // instructions between two checks of the meter
constexpr std::uint64_t kWeightedTick = 250 * 1024;  // the same in steps, if they weigh much
constexpr std::uint64_t kLook = 8192;                // steps between two checks of the interrupt
constexpr std::size_t kLongText = std::size_t{64} << 10;
constexpr std::size_t kShortTexts = 66;  // bytes: Lua keeps shorter texts only once, so they may exist already
// If a table that is called as a function calls another such table, and so on, each call moves the whole stack up,
// within one instruction. Beyond this number of values, growing the stack costs the square of its size, which ends the
// call eventually.
constexpr std::uint64_t kDeepStack = 8192;
constexpr std::size_t kArrays = 128;  // bytes: smaller blocks may be Lua's own call records, which it keeps
constexpr std::size_t kSlot = 16;     // bytes of a value
constexpr std::size_t kTextHeader = 24;
constexpr std::size_t kNames = 128 * sizeof(void*);  // the initial size of Lua's table of short texts

// The number of active functions, in few calls: looking up a level walks the stack.
int levels(lua_State* L) {
  lua_Debug at;
  int low = 0, high = 1;  // level `low` exists, level `high` is tried next
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
  limited = true;
  unlooked = 0;
  returned = 0;
  chains.begin();
  watch = bounds.interrupt ? std::min(bounds.steps, steps) : bounds.steps;
  budget = bounds.memory < SIZE_MAX - memory ? memory + bounds.memory : SIZE_MAX;
  interval = exact ? 1 : std::min(kTick, bounds.depth + 1);
  if (left() < static_cast<std::uint64_t>(interval)) interval = static_cast<int>(left()) + 1;
  if (at_most > 0 && at_most < interval) {  // no tick will happen
    if (counting) lua_sethook(L, nullptr, 0, 0);
    counting = false;
    return;
  }
  lua_sethook(L, tick, LUA_MASKCOUNT, interval);
  counting = true;
}

void Meter::stop(lua_State* L, Stop why) {
  stopped = why;
  interval = 1;        // handlers that still run must not run for long
  watch = UINT64_MAX;  // and must be able to allocate: note_place has to run
  counting = true;
  lua_sethook(L, tick, LUA_MASKCOUNT, 1);
  lua_pushlightuserdata(L, this);  // needs no memory
  lua_error(L);
  std::abort();  // lua_error does not return
}

Meter::Stop Meter::due() const {
  if (stopped != Stop::none) return stopped;
  if (steps > bounds.steps) return Stop::steps;
  switch (interrupt_state(bounds.interrupt)) {
    case Interrupt::State::none: return Stop::none;
    case Interrupt::State::cancelled: return Stop::cancelled;
    case Interrupt::State::timeout: break;
  }
  return Stop::timeout;
}

void Meter::look(lua_State* L) {
  const Stop why = due();
  if (why != Stop::none) stop(L, why);
  watch = bounds.interrupt ? std::min(bounds.steps, steps + kLook) : bounds.steps;
}

void Meter::look_down(lua_State* L) {
  unlooked = 0;
  if (levels(L) - outer_levels > bounds.depth) stop(L, Stop::depth);
}

bool Meter::keep(std::size_t bytes) {
  steps += bytes / 64;
  const std::size_t most = budget > memory ? budget - memory : 0;
  if (bytes > most || returned > most - bytes) {
    if (!over()) stopped = Stop::memory;
    return false;
  }
  returned += bytes;
  return steps <= watch || !must_end();
}

bool Meter::must_end() {
  stopped = due();
  watch = bounds.interrupt ? std::min(bounds.steps, steps + kLook) : bounds.steps;
  return over();
}

void Meter::count_zeros() {
  if (!texts.fresh) return;
  const char* at = texts.fresh;
  const char* const end = texts.fresh + texts.fresh_bytes;
  texts.fresh = nullptr;
  std::size_t count = 0;
  while ((at = static_cast<const char*>(std::memchr(at, '\0', static_cast<std::size_t>(end - at)))) != nullptr) {
    ++count;
    if (++at == end) break;
  }
  texts.most_zeros = std::max(texts.most_zeros, count);
  steps += count / 4;
}

void Meter::tick(lua_State* L, lua_Debug*) {
  Meter& m = of(L);
  m.pass_on(L);
  if (m.texts.fresh) m.count_zeros();
  m.steps += m.chains.sample();
  const std::uint64_t weight = m.weight();
  m.steps += static_cast<std::uint64_t>(m.interval) * weight;
  const Stop why = m.due();
  if (why != Stop::none) m.stop(L, why);
  const int depth = levels(L) - m.outer_levels;
  m.unlooked = 0;
  if (depth > m.bounds.depth) m.stop(L, Stop::depth);
  m.steps += static_cast<std::uint64_t>(depth) / 8;
  // Before the next check, no call can exceed the depth and no instruction the steps.
  const std::uint64_t next = std::min({static_cast<std::uint64_t>(m.exact ? 1 : kTick), kWeightedTick / weight + 1,
                                       static_cast<std::uint64_t>(m.bounds.depth - depth) + 1, m.left() / weight + 1});
  if (static_cast<int>(next) == m.interval) return;
  m.interval = static_cast<int>(next);
  lua_sethook(L, tick, LUA_MASKCOUNT, m.interval);
}

// Counts the work that Lua does with memory within an instruction: it fills and copies what it creates, and rebuilds a
// table that has grown, or has been emptied and refilled.
void Meter::count_growth(std::size_t size, std::size_t kind, bool object) {
  if (!object) {
    if (size >= kArrays) steps += size / 32;
  } else if (kind == LUA_TFUNCTION) {  // for each variable it searches the open ones
    const std::size_t variables = size / 8;
    steps += variables * variables / 32;
  } else if (kind != LUA_TSTRING || size >= kShortTexts) {
    steps += size / 64;
  }
}

// No garbage is collected while a hook runs (the host collects between calls), so a hook cannot observe collections,
// and the limit applies to everything that a call allocates.
void* Meter::allocate(void* self, void* block, std::size_t old_size, std::size_t size) {
  Meter& m = *static_cast<Meter*>(self);
  if (m.texts.fresh) m.count_zeros();
  const std::size_t before = block ? old_size : 0;
  if (size == 0) {
    if (block && block == m.blocks.stack) {  // the new stack has just been made
      const std::uint64_t slots = m.blocks.watched_bytes / kSlot;
      if (slots > kDeepStack && m.blocks.watched_bytes > m.blocks.stack_bytes) m.steps += slots * slots / 64;
      if (m.limited && m.blocks.watched_bytes >= kArrays)
        m.steps -= m.blocks.watched_bytes / 32;  // the table grows because of earlier entries
      m.blocks.stack = m.blocks.watched;
      m.blocks.stack_bytes = m.blocks.watched_bytes;
    }
    if (block) m.chains.remove(block, old_size);
    std::free(block);
    m.memory -= before;
    return nullptr;
  }
  const bool object = !block && old_size != 0;
  if (m.limited && (!block || block != m.blocks.names)) m.count_growth(size, old_size, object);
  if (size > before && (m.memory + (size - before) > m.budget || m.stopped == Stop::memory)) {
    if (m.stopped == Stop::none) m.stopped = Stop::memory;
    return nullptr;
  }
  if (m.limited && !block && !object) m.steps += m.chains.work_of_moving(size);
  if (m.limited && size > before && m.steps > m.watch) {  // the next tick may be far away
    if (m.must_end()) return nullptr;
  }
  if (block) m.chains.remove(block, old_size);
  void* moved = std::realloc(block, size);
  if (!moved) {
    if (size <= before) return block;
    if (m.stopped == Stop::none) m.stopped = Stop::memory;
    return nullptr;
  }
  m.memory += size - before;
  if (m.memory > m.peak) m.peak = m.memory;
  if (object) {
    if (old_size != LUA_TSTRING || size < kShortTexts) return moved;
    const bool at_once = size >= kLongText && (m.texts.zeros || size > 2 * m.texts.longest);
    if (at_once && m.counting && m.interval > 1) {  // the next instructions may take long to process it
      m.steps += static_cast<std::uint64_t>(m.interval) * m.weight();
      m.interval = 1;
      lua_sethook(m.state, tick, LUA_MASKCOUNT, 1);
    }
    if (size > m.texts.longest) m.texts.longest = size;
    if (m.texts.zeros) {
      m.texts.fresh = static_cast<const char*>(moved) + kTextHeader;
      m.texts.fresh_bytes = size - kTextHeader - 1;
    }
    return moved;
  }
  if (!block) m.chains.add(moved, size);
  if (block && block == m.blocks.stack) {  // an internal array of Lua, not an object
    m.blocks.stack = moved;
    m.blocks.stack_bytes = size;
  }
  if (block ? block == m.blocks.names : !m.blocks.names && size == kNames) m.blocks.names = moved;
  m.blocks.watched = moved;
  m.blocks.watched_bytes = size;
  return moved;
}

std::string Meter::message(const std::string& what) const {
  switch (stopped) {
    case Stop::steps: return limit_message(what + " takes", bounds.steps, "steps of Lua", "hook_steps");
    case Stop::memory: return limit_message(what + " takes", bounds.memory, "bytes", "hook_memory_bytes");
    case Stop::depth:
      return limit_message(what + " nests", static_cast<std::uint64_t>(bounds.depth), "calls", "hook_depth");
    case Stop::cancelled: return interrupt_message(Interrupt::State::cancelled);
    case Stop::timeout: return interrupt_message(Interrupt::State::timeout);
    case Stop::none: break;
  }
  return {};
}

const char* Meter::error_code() const {
  if (stopped == Stop::cancelled) return interrupt_code(Interrupt::State::cancelled);
  if (stopped == Stop::timeout) return interrupt_code(Interrupt::State::timeout);
  return "limit";
}

}  // namespace assay
