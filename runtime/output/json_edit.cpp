// Small things that a host does with JSON texts: cells of a table, one member changed, an indented text. Numbers keep
// the spelling that they have.
#include "runtime/json/json_tree.hpp"

#include <algorithm>

#include <assay/assay.hpp>

#include <algorithm>

namespace assay {

namespace {

using Kind = JsonNode::Kind;

std::string cell(const JsonNode& node) {
  switch (node.kind) {
    case Kind::null: return {};
    case Kind::text: return node.text;
    case Kind::list: {
      std::string joined;
      for (std::size_t i = 0; i < node.items.size(); ++i) joined += (i > 0 ? "; " : "") + cell(node.items[i]);
      return joined;
    }
    case Kind::object: {
      std::string json;
      write_json(node, json);
      return json;
    }
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

}  // namespace

std::vector<std::string> cells(std::string_view json, const std::vector<std::string>& fields) {
  std::vector<std::string> result(fields.size());
  JsonNode root;
  JsonProblem problem;
  if (!parse_json(json, root, problem)) return result;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const JsonNode* node = root.find(fields[i]);  // a key may hold dots itself
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

std::optional<std::string> with_member(std::string_view record, std::string_view path, std::string_view value) {
  JsonNode root;
  JsonProblem problem;
  if (!parse_json(record, root, problem) || !root.is(Kind::object) || path.empty() || !is_utf8(path) ||
      std::count(path.begin(), path.end(), '.') >= kMostNesting) {
    return std::nullopt;
  }
  if (std::count(path.begin(), path.end(), '.') >= kMostNesting) return std::nullopt;
  JsonNode set;
  std::string quoted;
  if (!parse_json(value, set, problem)) {
    write_json_bytes(value, quoted);
    if (!parse_json(quoted, set, problem)) return std::nullopt;  // not UTF-8
  }
  JsonNode* at = &root;
  while (true) {
    const std::size_t dot = path.find('.');
    const std::string_view key = path.substr(0, dot);
    JsonNode* next = nullptr;
    for (auto& member : at->members) {
      if (member.first == key) next = &member.second;
    }
    if (next == nullptr) {
      at->members.push_back({std::string(key), JsonNode()});
      next = &at->members.back().second;
    }
    if (dot == std::string_view::npos) {
      *next = std::move(set);
      break;
    }
    if (!next->is(Kind::object)) {
      *next = JsonNode();
      next->kind = Kind::object;
    }
    at = next;
    path = path.substr(dot + 1);
  }
  std::string out;
  write_json(root, out);
  return out;
}

std::string pretty(std::string_view json) {
  JsonNode root;
  JsonProblem problem;
  if (!parse_json(json, root, problem)) return std::string(json);
  std::string out;
  write_pretty(root, 0, out);
  return out;
}

}  // namespace assay
