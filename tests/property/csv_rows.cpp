// See csv_rows.hpp.
#include "tests/property/csv_rows.hpp"

#include "runtime/json/json_tree.hpp"

#include <algorithm>
#include <cstdlib>

namespace assay_tests {

using namespace assay;

namespace {

JsonNode tree(std::string_view json) {
  JsonNode node;
  JsonProblem problem;
  if (!parse_json(json, node, problem)) std::abort();
  return node;
}

void add_columns(const JsonNode& object, const std::string& before, std::vector<std::string>& columns) {
  for (const JsonMember& member : object.members) {
    const std::string name = before + member.first;
    if (member.second.is(JsonNode::Kind::object)) add_columns(member.second, name + '.', columns);
    else if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  }
}

const JsonNode* find(const JsonNode& object, std::string_view path) {
  const std::size_t dot = path.find('.');
  const JsonNode* const member = object.find(path.substr(0, dot));
  return member == nullptr || dot == std::string_view::npos ? member : find(*member, path.substr(dot + 1));
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

// A list whose items need no JSON.
bool plain(const JsonNode& list) {
  return std::all_of(list.items.begin(), list.items.end(), [](const JsonNode& item) {
    const bool nested = item.is(JsonNode::Kind::list) || item.is(JsonNode::Kind::object);
    return !nested && (!item.is(JsonNode::Kind::text) || item.text.find_first_of("; [") == std::string::npos);
  });
}

std::string cell(const JsonNode& node, const CsvStyle& style, Random& random) {
  if (node.is(JsonNode::Kind::null)) return {};
  if (node.is(JsonNode::Kind::text)) return node.text;
  if (!node.is(JsonNode::Kind::list)) return std::string(node.raw);
  if (node.items.empty()) return {};
  const bool one_empty = node.items.size() == 1 && node.items[0].is(JsonNode::Kind::text) && node.items[0].text.empty();
  if (style.lists_as_json || one_empty || !plain(node)) return std::string(node.raw);
  std::string out;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) out += random.one_in(8) ? " ; " : ";";
    out += node.items[i].is(JsonNode::Kind::text) ? node.items[i].text : std::string(node.items[i].raw);
  }
  return out;
}

std::string joined(const std::vector<std::string>& cells, const CsvStyle& style, Random& random) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += style.separator;
    const bool need = cells[i].find_first_of(std::string("\"\r\n") + style.separator) != std::string::npos;
    out += need || (style.quoted > 0 && random.one_in(style.quoted)) ? quoted(cells[i]) : cells[i];
  }
  if (style.carriage_return) out += '\r';
  return out;
}

}  // namespace

std::vector<std::string> csv_columns(const std::vector<std::string>& records) {
  std::vector<std::string> columns;
  for (const std::string& record : records) add_columns(tree(record), {}, columns);
  return columns;
}

std::string csv_header(const std::vector<std::string>& columns, const CsvStyle& style) {
  Random random(0);
  return joined(columns, {style.separator, 0, false, style.carriage_return}, random);
}

std::string csv_row(std::string_view record, const std::vector<std::string>& columns, const CsvStyle& style,
                    Random& random) {
  const JsonNode object = tree(record);
  std::vector<std::string> cells;
  for (const std::string& column : columns) {
    const JsonNode* const node = find(object, column);
    // An object, in a record where another has no members: its columns represent it fully.
    const bool parts = node == nullptr || (node->is(JsonNode::Kind::object) &&
                                           std::any_of(columns.begin(), columns.end(), [&](const std::string& other) {
                                             return other.starts_with(column + '.');
                                           }));
    cells.push_back(parts ? std::string() : cell(*node, style, random));
  }
  return joined(cells, style, random);
}

}  // namespace assay_tests
