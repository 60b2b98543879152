// find, match, gmatch and gsub with Lua's patterns. Lua's own matcher may take exponential time in C, where
// instructions are not counted; this one, after the reference implementation, counts each of its steps. Only ASCII
// letters are letters, whatever the locale.
#include "runtime/hooks/lua/lua_meter.hpp"

#include <algorithm>
#include <cstring>

namespace assay {

namespace {

constexpr int kCaptures = 32, kDepth = 200;
constexpr std::ptrdiff_t kOpen = -1, kPosition = -2;
constexpr char kEscape = '%';

bool in_class(unsigned char c, unsigned char name) {
  const unsigned char lower = static_cast<unsigned char>(name | 0x20);
  const bool alpha = (c | 0x20) >= 'a' && (c | 0x20) <= 'z', digit = c >= '0' && c <= '9';
  bool is;
  switch (lower) {
    case 'a': is = alpha; break;
    case 'c': is = c < 32 || c == 127; break;
    case 'd': is = digit; break;
    case 'g': is = c > 32 && c < 127; break;
    case 'l': is = c >= 'a' && c <= 'z'; break;
    case 'p': is = c > 32 && c < 127 && !alpha && !digit; break;
    case 's': is = c == ' ' || (c >= '\t' && c <= '\r'); break;
    case 'u': is = c >= 'A' && c <= 'Z'; break;
    case 'w': is = alpha || digit; break;
    case 'x': is = digit || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); break;
    default: return name == c;
  }
  return is != (name >= 'A' && name <= 'Z');
}

struct Matcher {
  lua_State* L;
  Meter* meter;
  const char *text, *text_end, *pattern_end;
  int depth = 0;
  int level = 0;
  struct Capture {
    const char* at;
    std::ptrdiff_t size;
  } captures[kCaptures];

  [[noreturn]] void fail(const char* message) {
    luaL_error(L, "%s", message);
    std::abort();
  }
  void count() { meter->charge(L, 1); }

  int open_capture(char digit) {
    const int at = digit - '1';
    if (at < 0 || at >= level || captures[at].size == kOpen) luaL_error(L, "invalid capture index %%%d", at + 1);
    return at;
  }
  const char* class_end(const char* p) {
    if (p == pattern_end) fail("malformed pattern (ends with '%')");
    const char c = *p++;
    if (c == kEscape) {
      if (p == pattern_end) fail("malformed pattern (ends with '%')");
      return p + 1;
    }
    if (c == '[') {
      if (p < pattern_end && *p == '^') ++p;
      do {
        if (p == pattern_end) fail("malformed pattern (missing ']')");
        if (*p++ == kEscape) {
          if (p == pattern_end) fail("malformed pattern (missing ']')");
          ++p;
        }
      } while (p == pattern_end || *p != ']');
      return p + 1;
    }
    return p;
  }
  // p at '[', end at its ']'
  bool in_set(unsigned char c, const char* p, const char* end) {
    bool found = true;
    if (p[1] == '^') {
      found = false;
      ++p;
    }
    meter->charge(L, static_cast<std::uint64_t>(end - p) / 8);
    while (++p < end) {
      if (*p == kEscape) {
        ++p;
        if (in_class(c, static_cast<unsigned char>(*p))) return found;
      } else if (p[1] == '-' && p + 2 < end) {
        p += 2;
        if (static_cast<unsigned char>(p[-2]) <= c && c <= static_cast<unsigned char>(*p)) return found;
      } else if (static_cast<unsigned char>(*p) == c) {
        return found;
      }
    }
    return !found;
  }
  bool single(const char* s, const char* p, const char* end) {
    count();
    if (s >= text_end) return false;
    const auto c = static_cast<unsigned char>(*s);
    switch (*p) {
      case '.': return true;
      case kEscape: return in_class(c, static_cast<unsigned char>(p[1]));
      case '[': return in_set(c, p, end - 1);
      default: return static_cast<unsigned char>(*p) == c;
    }
  }
  const char* balance(const char* s, const char* p) {
    if (p + 1 >= pattern_end) fail("malformed pattern (missing arguments to '%b')");
    if (s >= text_end || *s != *p) return nullptr;
    const char open = *p, close = p[1];
    int nested = 1;
    while (++s < text_end) {
      count();
      if (*s == close) {
        if (--nested == 0) return s + 1;
      } else if (*s == open) {
        ++nested;
      }
    }
    return nullptr;
  }
  const char* longest(const char* s, const char* p, const char* end) {
    std::ptrdiff_t i = 0;
    while (single(s + i, p, end)) ++i;
    for (; i >= 0; --i) {
      if (const char* found = match(s + i, end + 1)) return found;
    }
    return nullptr;
  }
  const char* shortest(const char* s, const char* p, const char* end) {
    for (;; ++s) {
      if (const char* found = match(s, end + 1)) return found;
      if (!single(s, p, end)) return nullptr;
    }
  }
  const char* start_capture(const char* s, const char* p, std::ptrdiff_t what) {
    if (level >= kCaptures) fail("too many captures");
    captures[level] = {s, what};
    ++level;
    const char* found = match(s, p);
    if (!found) --level;
    return found;
  }
  const char* end_capture(const char* s, const char* p) {
    int at = level - 1;
    while (at >= 0 && captures[at].size != kOpen) --at;
    if (at < 0) fail("invalid pattern capture");
    captures[at].size = s - captures[at].at;
    const char* found = match(s, p);
    if (!found) captures[at].size = kOpen;
    return found;
  }
  const char* back_reference(const char* s, char digit) {
    const int at = open_capture(digit);
    if (captures[at].size == kPosition) return nullptr;
    const auto size = static_cast<std::size_t>(captures[at].size);
    meter->charge(L, size / 32);
    if (static_cast<std::size_t>(text_end - s) < size || std::memcmp(captures[at].at, s, size) != 0) return nullptr;
    return s + size;
  }

  // The end of a match of p … at s, or null.
  const char* match(const char* s, const char* p) {
    if (++depth > kDepth) fail("pattern too complex");
    const char* found = follow(s, p);
    --depth;
    return found;
  }
  const char* follow(const char* s, const char* p) {
    for (;;) {
      count();
      if (p == pattern_end) return s;
      if (*p == '(')
        return p + 1 < pattern_end && p[1] == ')' ? start_capture(s, p + 2, kPosition) : start_capture(s, p + 1, kOpen);
      if (*p == ')') return end_capture(s, p + 1);
      if (*p == '$' && p + 1 == pattern_end) return s == text_end ? s : nullptr;
      if (*p == kEscape && p + 1 < pattern_end) {
        if (p[1] == 'b') {
          s = balance(s, p + 2);
          if (!s) return nullptr;
          p += 4;
          continue;
        }
        if (p[1] == 'f') {
          p += 2;
          if (p == pattern_end || *p != '[') fail("missing '[' after '%f' in pattern");
          const char* end = class_end(p);
          const auto previous = static_cast<unsigned char>(s == text ? '\0' : s[-1]);
          const auto current = static_cast<unsigned char>(s < text_end ? *s : '\0');
          if (in_set(previous, p, end - 1) || !in_set(current, p, end - 1)) return nullptr;
          p = end;
          continue;
        }
        if (p[1] >= '0' && p[1] <= '9') {
          s = back_reference(s, p[1]);
          if (!s) return nullptr;
          p += 2;
          continue;
        }
      }
      const char* end = class_end(p);
      const char suffix = end < pattern_end ? *end : '\0';
      if (suffix == '-') return shortest(s, p, end);
      if (suffix == '*') return longest(s, p, end);
      const bool fits = single(s, p, end);
      if (suffix == '+') return fits ? longest(s + 1, p, end) : nullptr;
      if (suffix == '?') {
        if (fits) {
          if (const char* found = match(s + 1, end + 1)) return found;
        }
        p = end + 1;
        continue;
      }
      if (!fits) return nullptr;
      ++s;
      p = end;
    }
  }

  // ---- captures
  void push_capture(int i, const char* s, const char* end) {
    meter->charge(L, 4);
    if (i >= level) {
      if (i != 0) luaL_error(L, "invalid capture index %%%d", i + 1);
      meter->charge(L, static_cast<std::uint64_t>(end - s) / 64);
      lua_pushlstring(L, s, static_cast<std::size_t>(end - s));
    } else if (captures[i].size == kPosition) {
      lua_pushinteger(L, captures[i].at - text + 1);
    } else if (captures[i].size == kOpen) {
      fail("unfinished capture");
    } else {
      meter->charge(L, static_cast<std::uint64_t>(captures[i].size) / 64);
      lua_pushlstring(L, captures[i].at, static_cast<std::size_t>(captures[i].size));
    }
  }
  int push_captures(const char* s, const char* end) {
    const int n = level == 0 && s ? 1 : level;
    luaL_checkstack(L, n, "too many captures");
    for (int i = 0; i < n; ++i) push_capture(i, s, end);
    return n;
  }
};

Matcher matcher(lua_State* L, std::string_view text, std::string_view pattern) {
  Matcher m;
  m.L = L;
  m.meter = &Meter::of(L);
  m.text = text.data();
  m.text_end = text.data() + text.size();
  m.pattern_end = pattern.data() + pattern.size();
  return m;
}

std::string_view checked_text(lua_State* L, int index) {
  if (lua_type(L, index) == LUA_TNUMBER) Meter::of(L).charge(L, shown_work(L, index));
  std::size_t size = 0;
  const char* text = luaL_checklstring(L, index, &size);
  return {text, size};
}

std::size_t start_of(lua_State* L, int index, std::size_t size) {
  if (lua_isnoneornil(L, index)) return 0;
  luaL_checktype(L, index, LUA_TNUMBER);
  const lua_Integer at = luaL_checkinteger(L, index);
  if (at > 0) return static_cast<std::size_t>(at) - 1;
  if (at == 0 || at < -static_cast<lua_Integer>(size)) return 0;
  return size - static_cast<std::size_t>(-at);
}

bool is_plain(std::string_view pattern) { return pattern.find_first_of("^$*+?.([%-") == std::string_view::npos; }

// A naive search from the first character of the pattern; each comparison is counted.
std::size_t find_plain(Meter& meter, lua_State* L, std::string_view text, std::string_view piece, std::size_t from) {
  if (piece.empty()) return from;
  while (from + piece.size() <= text.size()) {
    const void* at = std::memchr(text.data() + from, piece[0], text.size() - piece.size() - from + 1);
    if (!at) {
      meter.charge(L, (text.size() - from) / 64);
      break;
    }
    const auto found = static_cast<std::size_t>(static_cast<const char*>(at) - text.data());
    meter.charge(L, 1 + (found - from) / 64 + piece.size() / 32);
    if (text.compare(found, piece.size(), piece) == 0) return found;
    from = found + 1;
  }
  return std::string_view::npos;
}

int find_or_match(lua_State* L, bool find) {
  const std::string_view text = checked_text(L, 1);
  std::string_view pattern = checked_text(L, 2);
  const std::size_t init = start_of(L, 3, text.size());
  if (init > text.size()) return lua_pushnil(L), 1;
  Matcher m = matcher(L, text, pattern);
  if (find) {
    m.meter->charge(L, pattern.size() / 16);
    if (lua_toboolean(L, 4) || is_plain(pattern)) {
      const std::size_t at = find_plain(*m.meter, L, text, pattern, init);
      if (at == std::string_view::npos) return lua_pushnil(L), 1;
      lua_pushinteger(L, static_cast<lua_Integer>(at + 1));
      lua_pushinteger(L, static_cast<lua_Integer>(at + pattern.size()));
      return 2;
    }
  }
  const bool anchor = !pattern.empty() && pattern[0] == '^';
  const char* p = pattern.data() + (anchor ? 1 : 0);
  const char* s = text.data() + init;
  do {
    m.level = 0;
    if (const char* end = m.match(s, p)) {
      if (!find) return m.push_captures(s, end);
      lua_pushinteger(L, s - m.text + 1);
      lua_pushinteger(L, end - m.text);
      return m.push_captures(nullptr, nullptr) + 2;
    }
  } while (s++ < m.text_end && !anchor);
  return lua_pushnil(L), 1;
}

int find(lua_State* L) { return find_or_match(L, true); }
int match(lua_State* L) { return find_or_match(L, false); }

// Upvalues: text, pattern, start of the next search, end of the last match (or -1).
int next_match(lua_State* L) {
  const std::string_view text = text_at(L, lua_upvalueindex(1)), pattern = text_at(L, lua_upvalueindex(2));
  Matcher m = matcher(L, text, pattern);
  const lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
  for (lua_Integer at = lua_tointeger(L, lua_upvalueindex(3)); at <= static_cast<lua_Integer>(text.size()); ++at) {
    m.level = 0;
    const char* s = text.data() + at;
    const char* end = m.match(s, pattern.data());
    if (!end || end - m.text == last) continue;
    lua_pushinteger(L, end - m.text);
    lua_copy(L, -1, lua_upvalueindex(3));
    lua_copy(L, -1, lua_upvalueindex(4));
    lua_pop(L, 1);
    return m.push_captures(s, end);
  }
  return lua_pushnil(L), 1;
}

int gmatch(lua_State* L) {
  const std::string_view text = checked_text(L, 1);
  checked_text(L, 2);
  const std::size_t init = start_of(L, 3, text.size());
  lua_settop(L, 2);
  lua_pushinteger(L, static_cast<lua_Integer>(std::min(init, text.size() + 1)));
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, next_match, 4);
  return 1;
}

// Appends the replacement of a match; the buffer needs the top of the stack.
void add_replacement(Matcher& m, luaL_Buffer* out, const char* s, const char* end, int kind) {
  lua_State* L = m.L;
  if (kind == LUA_TFUNCTION) {
    m.meter->descend(L);
    lua_pushvalue(L, 3);
    lua_call(L, m.push_captures(s, end), 1);
  } else if (kind == LUA_TTABLE) {
    m.meter->descend(L);
    m.meter->charge_fields(L, 1);
    m.push_capture(0, s, end);
    lua_gettable(L, 3);
  } else {
    const std::string_view with = text_at(L, 3);
    m.meter->charge(L, with.size() / 16);
    for (std::size_t i = 0; i < with.size(); ++i) {
      if (with[i] != kEscape) {
        luaL_addchar(out, with[i]);
        continue;
      }
      const char digit = ++i < with.size() ? with[i] : '\0';
      if (digit == kEscape) {
        luaL_addchar(out, kEscape);
      } else if (digit == '0') {
        m.meter->charge(L, static_cast<std::uint64_t>(end - s) / 64);
        luaL_addlstring(out, s, static_cast<std::size_t>(end - s));
      } else if (digit >= '1' && digit <= '9') {
        m.push_capture(digit - '1', s, end);
        m.meter->charge(L, shown_work(L, -1));
        luaL_tolstring(L, -1, nullptr);
        lua_remove(L, -2);
        luaL_addvalue(out);
      } else {
        luaL_error(L, "invalid use of '%%' in replacement string");
      }
    }
    return;
  }
  if (!lua_toboolean(L, -1)) {  // keeps the original text
    lua_pop(L, 1);
    m.meter->charge(L, static_cast<std::uint64_t>(end - s) / 64);
    luaL_addlstring(out, s, static_cast<std::size_t>(end - s));
  } else if (!lua_isstring(L, -1)) {
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  } else {
    m.meter->charge(L, shown_work(L, -1));
    luaL_addvalue(out);
  }
}

int gsub(lua_State* L) {
  const std::string_view text = checked_text(L, 1), pattern = checked_text(L, 2);
  const int kind = lua_type(L, 3);
  luaL_argexpected(L, kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION || kind == LUA_TTABLE, 3,
                   "string/function/table");
  lua_Integer most = static_cast<lua_Integer>(text.size()) + 1;
  if (!lua_isnoneornil(L, 4)) {
    luaL_checktype(L, 4, LUA_TNUMBER);
    most = luaL_checkinteger(L, 4);
  }
  const bool anchor = !pattern.empty() && pattern[0] == '^';
  const char* p = pattern.data() + (anchor ? 1 : 0);
  Matcher m = matcher(L, text, pattern);
  const char *s = text.data(), *last = nullptr;
  lua_Integer n = 0;
  luaL_Buffer out;
  luaL_buffinit(L, &out);
  while (n < most) {
    m.level = 0;
    const char* end = m.match(s, p);
    if (end && end != last) {
      ++n;
      add_replacement(m, &out, s, end, kind);
      s = last = end;
    } else if (s < m.text_end) {
      luaL_addchar(&out, *s++);
    } else {
      break;
    }
    if (anchor) break;
  }
  m.meter->charge(L, static_cast<std::uint64_t>(m.text_end - s) / 64);
  luaL_addlstring(&out, s, static_cast<std::size_t>(m.text_end - s));
  luaL_pushresult(&out);
  lua_pushinteger(L, n);
  return 2;
}

constexpr luaL_Reg kPatternFunctions[] = {
    {"find", find}, {"gmatch", gmatch}, {"gsub", gsub}, {"match", match}, {nullptr, nullptr}};

}  // namespace

void add_pattern_functions(lua_State* L) { luaL_setfuncs(L, kPatternFunctions, 0); }

}  // namespace assay
