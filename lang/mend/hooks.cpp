// Hooks whose source stands where it belongs and whose head does not say so: 'hook f(a: text): whole = """ … """'.
#include "lang/mend/mend.hpp"

#include <string>

namespace assay::mending {

void hooks(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const auto joins = [&tokens](std::size_t i) {
    return among(tokens[i].shown, {"=", ":", "->", "=>", "from", "lua", "Lua", "LUA", "returns", "as", "in", "("});
  };
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens[i].first || !among(tokens[i].shown, {"hook", "fn", "function", "lua"})) continue;
    std::size_t name = i + 1;
    while (joins(name) || tokens.is(name, "hook") || tokens.is(name, "function")) ++name;
    const std::size_t open = name + 1;
    if (tokens[name].kind != Token::Kind::word || !tokens.is(open, "(") || tokens[open].partner == kNone) continue;
    std::size_t source = tokens[open].partner + 1;
    bool lua = tokens.is(i, "hook") || tokens.is(i + 1, "hook");
    while (source < window.end && !tokens[source].is_text() && !tokens[source].first) {
      lua = lua || tokens.is(source, "lua");
      ++source;
    }
    if (!lua || !tokens[source].shown.starts_with("\"\"\"")) continue;
    std::size_t first = tokens[open].partner + 1, last = source;  // the type of the result
    while (first < source && joins(first)) ++first;
    while (last > first && joins(last - 1)) --last;
    const std::string type = last > first ? std::string(tokens.text(first, last - 1)) : "number";
    out.add(tokens[i].begin, tokens[source].begin,
            "hook " + std::string(tokens.text(name, tokens[open].partner)) + ": " + type + " lua ", last > first);
  }
}

}  // namespace assay::mending
