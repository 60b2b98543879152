// The notations of outlines: where the keys of a whole rubric stand in a document of YAML or JSON, in the sections of TOML,
// or in an object of JavaScript or Python, all of them as items with keys.
#include "lang/mend/blocks/outline.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>

namespace assay::mending {
namespace {

// The head of a section of TOML, [inputs.length] or [[bands]]: the keys in it, and behind which token it ends; empty: it is
// none.
std::vector<std::string> section_head(const Tokens& tokens, std::size_t i, bool& item, std::size_t& behind) {
  if (!tokens[i].first || !tokens.is(i, "[")) return {};
  item = tokens.is(i + 1, "[");
  std::vector<std::string> path;
  constexpr std::size_t kDeepest = 8;
  std::size_t k = i + (item ? 2 : 1);
  while (path.size() < kDeepest && (tokens[k].kind == Token::Kind::word || tokens[k].is_text())) {
    path.push_back(without_quotes(tokens, k++));
    if (!tokens.is(k, ".")) break;
    ++k;
  }
  const bool closed = tokens.is(k, "]") && (!item || tokens.is(k + 1, "]"));
  behind = k + (item ? 2 : 1);
  return closed && (tokens[behind].first || behind + 1 >= tokens.size()) ? path : std::vector<std::string>();
}

bool is_section(const Tokens& tokens, std::size_t i) {
  bool item = false;
  std::size_t behind = 0;
  return !section_head(tokens, i, item, behind).empty();
}

// Lines with 'key = value', and sections in brackets that hold such lines.
bool read_toml(const Tokens& tokens, std::size_t last, std::vector<BlockItem>& top) {
  std::vector<BlockItem>* into = &top;
  for (std::size_t i = 0; i < last;) {
    bool item = false;
    std::size_t body = i, owner = kNone;  // owner: the section, among those at the top
    if (const std::vector<std::string> path = section_head(tokens, i, item, body); !path.empty()) {
      into = &top;
      for (std::size_t k = 0; k < path.size(); ++k) {
        if (k == 0 && path[k] == "rubric") continue;
        auto found = std::find_if(into->begin(), into->end(), [&](const BlockItem& e) { return e.key == path[k]; });
        if (found == into->end()) {
          BlockItem section;
          section.key = path[k];
          section.all = section.value = {i, i};
          found = into->insert(into->end(), std::move(section));
        }
        if (into == &top) owner = static_cast<std::size_t>(found - top.begin());
        into = &found->inside;
      }
      if (item) {
        BlockItem entry;
        entry.all = entry.value = {i, i};
        into->push_back(std::move(entry));
        into = &into->back().inside;
      }
    } else if (i > 0) {
      return false;
    }
    std::size_t end = body;
    while (end < last && !is_section(tokens, end)) {
      if (tokens[end].first && !tokens.is(end + 1, "=")) return false;
      end = std::min(tokens.behind(end), last);
    }
    if (owner != kNone && top[owner].all.empty()) top[owner].all = {i, end};
    for (BlockItem& one : read_block(tokens, {body, end})) into->push_back(std::move(one));
    if (end == i) return false;
    i = end;
  }
  return !top.empty();
}

// The brace of an object that is all of a file, 'export default {', 'module.exports = {', 'const hostel = {', 'rubric = {',
// or the brace alone; kNone: it begins otherwise. `name`: receives that of the constant.
std::size_t object_of(const Tokens& tokens, std::size_t last, std::string& name) {
  constexpr std::size_t kFar = 10;  // tokens
  std::size_t open = 0;
  while (open < kFar && !tokens.is(open, "{")) {
    if (open > 0 && tokens[open].first) return kNone;
    ++open;
  }
  const std::size_t close = tokens[open].partner;
  if (!tokens.is(open, "{") || close == kNone) return kNone;
  for (std::size_t k = close + 1; k < last; ++k) {
    if (!among(tokens[k].shown, {";", ")", ","})) return kNone;
  }
  if (open == 0) return open;
  const bool assigned = tokens.is(open - 1, "="), exported = among(tokens[open - 1].shown, {"default", "return"}) ||
                                                             (tokens.is(open - 1, "(") && tokens[open - 2].value());
  if (!assigned && !exported) return kNone;
  for (std::size_t k = 0; assigned && k + 1 < open; ++k) {
    if (tokens[k].kind == Token::Kind::word && !tokens.is(k, "const") && !tokens.is(k, "let") && !tokens.is(k, "var") &&
        !tokens.is(k, "export")) {
      name = tokens[k].shown;
      break;
    }
  }
  if (among(in_lower_case(name), {"rubric", "module", "exports", "config", "data", "schema", "definition", "spec"}))
    name.clear();
  return open;
}

// ({ price }) => price < 50: what stands behind the parameters, which are the values of a record.
void without_parameters(const Tokens& tokens, std::vector<BlockItem>& items) {
  for (BlockItem& item : items) {
    without_parameters(tokens, item.inside);
    const std::size_t open = item.value.begin, close = tokens[open].partner;
    if (!tokens.is(open, "(") || !tokens.is(open + 1, "{") || close == kNone || !tokens.is(close + 1, "=>")) continue;
    if (tokens[open + 1].partner + 1 == close && close + 2 < item.value.end) item.value.begin = close + 2;
  }
}

}  // namespace

std::vector<BlockItem> items_of_document(const Tokens& tokens, std::size_t last, std::string& name) {
  std::vector<BlockItem> items;
  std::size_t first = 0;
  while (tokens.is(first, "-")) ++first;                 // ---
  const std::size_t head = tokens[2].is_text() ? 3 : 2;  // rubric hw { "name": …
  if (tokens.is(0, "rubric") && tokens[1].kind == Token::Kind::word && tokens.is(head, "{") &&
      tokens[head + 1].is_text() && tokens.is(head + 2, ":") && tokens[head].partner + 1 == last) {
    name = tokens[1].shown;
    return read_block(tokens, {head + 1, last - 1});
  }
  if (const std::size_t open = object_of(tokens, last, name); open != kNone) {
    items = read_block(tokens, {open + 1, tokens[open].partner});
    without_parameters(tokens, items);
    return items;
  }
  if (is_section(tokens, 0) || (tokens.is(1, "=") && tokens[0].kind == Token::Kind::word)) {
    if (!read_toml(tokens, last, items)) items.clear();
    return items;
  }
  if (tokens.is(first + 1, ":") && !tokens[first].starts) items = read_block(tokens, {first, last});
  return items;
}

std::vector<BlockItem> fields_of_schema(const Tokens& tokens, std::vector<BlockItem> items) {
  const auto named = [&items](std::string_view key) {
    return std::find_if(items.begin(), items.end(), [key](const BlockItem& one) { return one.key == key; });
  };
  const auto fields = named("properties"), required = named("required");
  const auto of_schema = [](const BlockItem& one) {
    return among(one.key, {"properties", "required", "type", "title", "$schema", "additionalProperties", "$id"});
  };
  if (fields == items.end() || fields->inside.empty() || !std::all_of(items.begin(), items.end(), of_schema))
    return items;
  std::vector<BlockItem> inputs = fields->inside;
  for (BlockItem& one : inputs) one.may_be_missing = required != items.end() && !lists(tokens, *required, one.key);
  return inputs;
}

}  // namespace assay::mending
