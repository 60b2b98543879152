// A whole rubric as an outline of YAML, or as JSON: its sections become declarations, its other keys those of the rubric.
#include "lang/mend/blocks/outline.hpp"
#include "lang/mend/blocks/readers.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>

namespace assay::mending {
namespace {

std::string words_of(const Tokens& tokens, const BlockItem& item) {
  return item.value.end == item.value.begin + 1 && tokens[item.value.begin].is_text()
             ? without_quotes(tokens, item.value.begin)
             : raw(tokens, item.value);
}

struct Outline {
  std::string name, title, decimals, body;
};

bool read_document(const Tokens& tokens, const std::vector<BlockItem>& items, Outline& out, int deep);

bool read_key(const Tokens& tokens, const BlockItem& item, Outline& out, int deep) {
  const std::string key = in_lower_case(item.key), value = words_of(tokens, item), indent = "  ";
  std::string_view section = word_of_section(key);
  if (section.empty()) section = known_word(key);
  if (section.empty() && key.size() > 3 && key.back() == 's')
    section = known_word(std::string_view(key).substr(0, key.size() - 1));
  const auto line = [&](const std::string& text) {
    out.body += indent + text + "\n";
    return !text.empty();
  };
  if (among(key, {"rubric", "name", "id"}) && item.inside.empty() && !out.name.empty()) {  // rubric hw { "name": …
    if (out.title.empty() && key == "name") out.title = value;
  } else if (among(key, {"rubric", "name", "id"}) && item.inside.empty()) {
    out.name = as_name(value);
    if (out.title.empty() && value.find(' ') != value.npos) out.title = value;
  } else if (key == "rubric") {
    return deep < 2 && read_document(tokens, item.inside, out, deep + 1);
  } else if (among(key, {"title", "description"})) {
    out.title = value;
  } else if (key == "version") {
    return line("version " + as_text("'" + value + "'"));
  } else if (among(key, {"decimals", "rounding", "round", "precision"})) {
    out.decimals = value;
  } else if (among(key, {"scale", "range", "score"}) && (!item.inside.empty() || !item.value.empty())) {
    const std::string scale = scale_of(tokens, {item.all.begin + 1, item.all.end});
    return !scale.empty() && line(scale);
  } else if (among(key, {"bands", "grades", "levels", "grading", "ratings", "tiers", "thresholds", "grade"}) &&
             !item.inside.empty()) {
    const std::string bands = bands_of(tokens, {item.inside.front().all.begin, item.all.end}, "grade", "score", indent);
    return !bands.empty() && line(bands);
  } else if (among(key, {"rank", "ranking", "sort", "order", "order_by"})) {
    bool certain = true;
    const std::string keys = ranking_of(
        tokens, {item.inside.empty() ? item.value.begin : item.inside.front().all.begin, item.all.end}, certain);
    return !keys.empty() && line("rank by " + keys);
  } else if (among(key, {"examples", "tests", "cases", "test_cases"})) {
    const std::string examples = examples_of(tokens, item.inside, indent);
    return !examples.empty() && line(examples);
  } else if (among(key, {"composite", "formula", "score", "total"}) && item.inside.empty()) {
    return line("composite = " + value);
  } else if (!section.empty() && !item.inside.empty()) {
    for (const BlockItem& one : item.inside) {
      std::string declared = declare(tokens, section, one, indent).text;
      // Words about other declarations are read once these are there.
      if (declared.empty() && one.inside.empty()) declared = std::string(section) + " " + raw(tokens, one.all);
      if (declared.empty() || declared.find('\n') == 0) return false;
      line(declared);
    }
  } else if (item.inside.empty() && !value.empty() && section.empty()) {  // what the document says of itself
    line("# " + item.key + ": " + value);
  } else {
    return false;
  }
  return true;
}

bool read_document(const Tokens& tokens, const std::vector<BlockItem>& items, Outline& out, int deep) {
  return !items.empty() && std::all_of(items.begin(), items.end(),
                                       [&](const BlockItem& item) { return read_key(tokens, item, out, deep); });
}

// settings { version: "4", scale: 0..10 }: what concerns all of a rubric
void settings(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = line_first(tokens, window.at);
  if (window.problem.code.substr(0, 3) != "E01" ||
      !among(in_lower_case(tokens[i].shown),
             {"settings", "config", "configuration", "options", "general", "setup", "properties", "metadata", "meta"}))
    return;
  std::size_t at = i + 1;
  while (tokens.is(at, ":") || tokens.is(at, "=")) ++at;
  const Block block = block_behind(tokens, at, column_of(tokens, i));
  Outline read;
  if (block.inside.empty() || !read_document(tokens, read_block(tokens, block.inside), read, 0) || read.body.size() < 2)
    return;
  if (const std::size_t scale = read.body.find("  scale "); scale != std::string::npos && !read.decimals.empty())
    read.body.insert(read.body.find('\n', scale), " decimals " + read.decimals);
  if (!read.title.empty()) read.body = "  # " + read.title + "\n" + read.body;
  out.add(tokens[i].begin, tokens[block.last].end, read.body.substr(2, read.body.size() - 3), true);
}

// The rubric of the document that begins at a token; `inputs`: receives its lines that declare inputs.
std::string rubric_from(const Tokens& tokens, std::size_t first, std::string& inputs) {
  while (tokens.is(first, "-") && tokens.is(first + 1, "-")) ++first;  // ---
  while (tokens.is(first, "-")) ++first;
  Outline read;
  const std::size_t head = tokens[2].is_text() ? 3 : 2;  // rubric hw { "name": …
  const bool json = first == 0 && tokens.is(0, "rubric") && tokens.is(head, "{") && tokens[head + 1].is_text() &&
                    tokens.is(head + 2, ":") && tokens[head].partner == tokens.size() - 2;
  if (json) {
    read.name = tokens[1].shown;
    if (head == 3) read.title = without_quotes(tokens, 2);
    first = head;
  }
  for (std::size_t i = first; i + 3 < tokens.size(); ++i) {  // rubric bus "Bus" {: the lines above are about it
    if (tokens[i].first && tokens.is(i, "rubric") && tokens[i + 1].kind == Token::Kind::word &&
        tokens.is(tokens[i + 2].is_text() ? i + 3 : i + 2, "{"))
      return {};
  }
  Span all{first, tokens.size() - 1};
  if (tokens.is(first, "{") && tokens[first].partner == all.end - 1) all = {first + 1, all.end - 1};
  else if (!tokens.is(first + 1, ":") || tokens[first].starts) return {};
  std::vector<BlockItem> items = read_block(tokens, all);
  if (items.size() == 1 && !items[0].inside.empty()) {  // essay: …
    if (in_lower_case(items[0].key) != "rubric") read.name = as_name(items[0].key);
    std::vector<BlockItem> inner = items[0].inside;
    items = std::move(inner);
  }
  if (!read_document(tokens, items, read, 0) || read.body.find("  dimension") == std::string::npos) return {};
  if (const std::size_t scale = read.body.find("  scale "); scale != std::string::npos && !read.decimals.empty())
    read.body.insert(read.body.find('\n', scale), " decimals " + read.decimals);
  for (std::size_t at = 0; at < read.body.size();) {
    const std::size_t line = read.body.find('\n', at) + 1;
    if (read.body.compare(at, 8, "  input ") == 0) inputs += read.body.substr(at, line - at);
    at = line;
  }
  return "rubric " + (read.name.empty() ? "main" : read.name) +
         (read.title.empty() ? "" : " " + as_text("'" + read.title + "'")) + " {\n" + read.body + "}\n";
}

}  // namespace

std::string rubric_of_document(const Tokens& tokens) {
  std::string inputs, same;
  const std::string rubric = rubric_from(tokens, 0, inputs);
  if (inputs.empty()) return rubric;
  // Its other parts speak of its inputs: '5 points per late day'.
  const std::string with_inputs = inputs + std::string(tokens.text());
  return rubric_from(Tokens(with_inputs), Tokens(inputs).size() - 1, same);
}

void documents(const Window& window, Proposals& out) {
  settings(window, out);
  constexpr std::size_t kMost = std::size_t{1} << 16;  // bytes
  const Tokens& tokens = window.tokens;
  if (window.problem.code.substr(0, 3) != "E01" || tokens.text().size() > kMost || tokens.size() < 4) return;
  if (const std::string rubric = rubric_of_document(tokens); !rubric.empty())
    out.add(0, tokens.text().size(), rubric, true);
}

}  // namespace assay::mending
