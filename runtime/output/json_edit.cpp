// Helpers for JSON texts of a host: cells of a table, changing one member, indenting. Numbers keep their spelling.
#include "runtime/json/json_tree.hpp"

#include <assay/assay.hpp>

#include <algorithm>
#include <charconv>
#include <deque>

namespace assay {

namespace {

using Kind = JsonNode::Kind;

// Takes the first key off a path: up to a dot, or in brackets and quotes: latency["p99.9 ms"].max. `more`: others follow.
std::string_view next_key(std::string_view& path, bool& more) {
  constexpr std::string_view kOpen = "[\"", kClose = "\"]";
  const std::size_t close = path.starts_with(kOpen) ? path.find(kClose, kOpen.size()) : std::string_view::npos;
  const bool quoted = close != std::string_view::npos;
  const std::string_view key = quoted ? path.substr(kOpen.size(), close - kOpen.size())
                                      : path.substr(0, std::min(path.find('.'), path.find(kOpen, 1)));
  path.remove_prefix(quoted ? close + kClose.size() : key.size());
  more = !path.empty();
  if (path.starts_with(".")) path.remove_prefix(1);
  return key;
}

std::string json_of(const JsonNode& node) {
  std::string json;
  write_json(node, json);
  return json;
}

std::string cell(const JsonNode& node) {
  switch (node.kind) {
    case Kind::null: return {};
    case Kind::text: return node.text;
    case Kind::list: {
      std::string joined;
      for (const JsonNode& item : node.items)
        joined += (&item == &node.items[0] ? "" : "; ") + (item.is(Kind::list) ? json_of(item) : cell(item));
      return joined;
    }
    case Kind::object: return json_of(node);
    default: return std::string(node.raw);
  }
}

void write_pretty(const JsonNode& node, std::size_t indent, std::string& out) {
  const auto line = [&](std::size_t depth) { out += '\n' + std::string(2 * depth, ' '); };
  if (node.is(Kind::list) && !node.items.empty()) {
    bool short_list = node.raw.size() <= 80;
    for (const JsonNode& item : node.items) short_list = short_list && !item.is(Kind::list) && !item.is(Kind::object);
    out += '[';
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      if (i > 0) out += short_list ? ", " : ",";
      if (!short_list) line(indent + 1);
      write_pretty(node.items[i], indent + 1, out);
    }
    if (!short_list) line(indent);
    out += ']';
  } else if (node.is(Kind::object) && !node.members.empty()) {
    out += '{';
    for (std::size_t i = 0; i < node.members.size(); ++i) {
      if (i > 0) out += ',';
      line(indent + 1);
      write_json_text(node.members[i].first, out);
      out += ": ";
      write_pretty(node.members[i].second, indent + 1, out);
    }
    line(indent);
    out += '}';
  } else if (node.is(Kind::list) || node.is(Kind::object)) {
    out += node.is(Kind::list) ? "[]" : "{}";
  } else {
    write_json(node, out);
  }
}

// The member of that name, or the item "name[2]" of its list; created if absent, but list items only directly after the
// last. A value that is not an object is replaced by one. Null: there is no such item.
JsonNode* step_into(JsonNode& from, std::string_view key) {
  if (!from.is(Kind::object)) {
    from = JsonNode();
    from.kind = Kind::object;
  }
  const auto find = [&](std::string_view name) -> JsonNode* {
    JsonNode* found = nullptr;
    for (auto& member : from.members) {
      if (member.first == name) found = &member.second;
    }
    return found;
  };
  if (JsonNode* const member = find(key)) return member;
  const std::size_t bracket = key.find('[');
  if (bracket == std::string_view::npos || bracket == 0 || key.back() != ']') {
    from.members.push_back({std::string(key), JsonNode()});
    return &from.members.back().second;
  }
  JsonNode* at = find(key.substr(0, bracket));
  if (at == nullptr) {
    if (!key.substr(bracket).starts_with("[0]")) return nullptr;
    from.members.push_back({std::string(key.substr(0, bracket)), JsonNode()});
    at = &from.members.back().second;
    at->kind = Kind::list;
  }
  for (std::string_view rest = key.substr(bracket); !rest.empty();) {
    const std::size_t close = rest.find(']');
    std::size_t index = 0;
    const auto [end, code] = std::from_chars(rest.data() + 1, rest.data() + close, index);
    if (rest.front() != '[' || close == std::string_view::npos || code != std::errc() || end != rest.data() + close ||
        !at->is(Kind::list) || index > at->items.size()) {
      return nullptr;
    }
    if (index == at->items.size()) at->items.emplace_back();
    at = &at->items[index];
    rest.remove_prefix(close + 1);
  }
  return at;
}

}  // namespace

std::vector<std::string> cells(std::string_view json, const std::vector<std::string>& fields) {
  std::vector<std::string> result(fields.size());
  JsonNode root;
  JsonProblem problem;
  if (!parse_json(json, root, problem)) return result;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const JsonNode* node = root.find(fields[i]);  // a key may itself contain dots
    for (std::string_view path = fields[i]; node == nullptr && !path.empty();) {
      const JsonNode* at = &root;
      while (at != nullptr && !path.empty()) {
        const std::size_t dot = path.find('.');
        at = at->find(path.substr(0, dot));
        path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
      }
      node = at;
    }
    if (node != nullptr) result[i] = cell(*node);
  }
  return result;
}

namespace {

// Sets a member of the tree. `value` has to outlive it. False: there is no such place.
bool set_member(JsonNode& root, std::string_view path, std::string_view value, std::deque<std::string>& quoted) {
  if (path.empty() || !is_utf8(path) ||
      std::count_if(path.begin(), path.end(), [](char c) { return c == '.' || c == '['; }) >= kMostNesting)
    return false;
  JsonNode set;
  JsonProblem problem;
  if (!parse_json(value, set, problem)) {
    write_json_bytes(value, quoted.emplace_back());
    if (!parse_json(quoted.back(), set, problem)) return false;  // not UTF-8
  }
  JsonNode* at = &root;
  for (bool more = true; more;) {
    at = step_into(*at, next_key(path, more));
    if (at == nullptr) return false;
  }
  *at = std::move(set);
  return true;
}

}  // namespace

std::string with_members(std::string_view record, const std::vector<std::pair<std::string, std::string>>& members,
                         std::size_t* set) {
  JsonNode root;
  JsonProblem problem;
  std::deque<std::string> quoted;
  std::size_t count = 0;
  if (!members.empty() && parse_json(record, root, problem) && root.is(Kind::object)) {
    while (count < members.size() && set_member(root, members[count].first, members[count].second, quoted)) ++count;
  }
  if (set != nullptr) *set = count;
  if (count == 0) return std::string(record);
  // What cannot be set may have left a part of its path.
  if (count < members.size())
    return with_members(record, {members.begin(), members.begin() + static_cast<std::ptrdiff_t>(count)});
  std::string out;
  write_json(root, out);
  return out;
}

std::optional<std::string> with_member(std::string_view record, std::string_view path, std::string_view value) {
  std::size_t set = 0;
  std::string changed = with_members(record, {{std::string(path), std::string(value)}}, &set);
  if (set == 0) return std::nullopt;
  return changed;
}

std::string pretty(std::string_view json) {
  JsonNode root;
  JsonProblem problem;
  if (!parse_json(json, root, problem)) return printable_lines(json);
  std::string out;
  write_pretty(root, 0, out);
  return printable_json(out);
}

}  // namespace assay
