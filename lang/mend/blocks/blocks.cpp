// Declarations in blocks of other languages: keys in braces or parentheses, sections by indentation, blocks around
// declarations, blocks without braces.
#include "lang/mend/blocks/outline.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/mend/statements/facts.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace assay::mending {
namespace {

using Kind = Token::Kind;

std::string plain(std::string_view text) {
  return text.size() >= 2 && (text[0] == '"' || text[0] == '\'') ? std::string(text.substr(1, text.size() - 2))
                                                                 : std::string(text);
}
std::string_view declared(const Token& token) {
  return token.kind == Kind::word ? known_word(in_lower_case(token.shown)) : std::string_view();
}

std::size_t indent_of(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  return at - begin;
}
std::string indentation(std::string_view text, std::size_t at) {
  const std::size_t indent = indent_of(text, at);
  return std::string(text.substr(at - indent, indent));
}

// dimension skills { weight = 0.6, text = "…" }; dimension(name="skills", weight=0.6); skills = Dimension(weight=0.6)
void keyed(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> all;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens[i].first) continue;
    std::size_t word = i, at = i + 1;
    BlockItem item;
    std::string prose;
    const bool assigned = tokens[i].kind == Kind::word && (tokens.is(i + 1, "=") || tokens.is(i + 1, ":")) &&
                          tokens[i + 2].kind == Kind::word && tokens.is(i + 3, "(");
    if (assigned) {
      item.key = tokens[i].shown;
      word = i + 2, at = i + 3;
    } else {
      if (tokens[at].kind == Kind::word || tokens[at].is_text()) item.key = plain(tokens[at++].shown);
      if (!item.key.empty() && tokens[at].is_text()) prose = as_text(tokens[at++].shown);
      if (tokens.is(at, "=") || tokens.is(at, ":")) ++at;
    }
    const std::string_view known = declared(tokens[word]);
    if (known.empty() || !(tokens.is(at, "{") || tokens.is(at, "(")) || tokens[at].partner == kNone) continue;
    if (known == "rubric" || known == "bands" || known == "table" || known == "example" || known == "fn") continue;
    item.all = {at, tokens[at].partner + 1};
    item.inside = read_block(tokens, {at + 1, tokens[at].partner});
    const bool keys = std::any_of(item.inside.begin(), item.inside.end(),
                                  [](const BlockItem& one) { return is_key(one.key) && one.inside.empty(); });
    if (!keys) continue;
    std::string text = declare(tokens, known, item, indentation(tokens.text(), tokens[i].begin)).text;
    if (text.empty() || text.find('\n') != text.npos) continue;
    if (!prose.empty()) text += " " + prose;
    const Token& close = tokens[tokens[at].partner];
    out.add(tokens[i].begin, close.end, text, true);
    all.push_back(out.edit(tokens[i].begin, close.end, text));
  }
  if (all.size() > 1) out.add(std::move(all), true);
}

// 'dimensions { dimension a …' and 'weight dimensions { criterion …': a block that says nothing.
void wrappers(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens[i].first || tokens[i].kind != Kind::word) continue;
    std::size_t open = i + 1;
    while (open < i + 4 &&
           (tokens[open].kind == Kind::word || tokens[open].is_text() || tokens.is(open, ":") || tokens.is(open, "=")))
      ++open;
    if (!tokens.is(open, "{") || tokens[open].partner == kNone || !tokens[open + 1].starts) continue;
    const std::string_view inner = tokens[open + 1].shown;
    if (tokens[i].starts && (tokens.is(i, "rubric") || tokens.is(i, "cohort") || tokens.is(i, "dimension") ||
                             tokens.is(i, "criterion") || tokens.is(i, "context") || inner == "level"))
      continue;
    const Token& close = tokens[tokens[open].partner];
    const bool section = !word_of_section(tokens[open - 1].shown).empty() || !word_of_section(tokens[i].shown).empty();
    out.add({out.edit(tokens[i].begin, tokens[open].end, ""), out.edit(close.begin, close.end, "")}, section);
  }
}

// The lines behind the line that begins at this byte which are indented more than it: their end; the byte itself: none are.
std::size_t indented_end(std::string_view text, std::size_t at) {
  const std::size_t indent = indent_of(text, at);
  std::size_t end = std::min(text.find('\n', at), text.size()), last = end;
  bool any = false;
  while (end < text.size()) {
    const std::size_t begin = end + 1, next = std::min(text.find('\n', begin), text.size());
    const std::size_t first = text.find_first_not_of(" \t", begin);
    if (first < next) {
      const bool item = text[first] == '-' && first - begin == indent;
      if (first - begin <= indent && !item) break;
      any = true;
      last = next;
    }
    end = next;
  }
  return any ? last : at;
}

// Criteria and levels that stand deeper than their dimension: in its braces.
void nested(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  std::vector<Edit> edits;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].first || !tokens[i].starts || (!tokens.is(i, "dimension") && !tokens.is(i, "criterion"))) continue;
    const std::size_t indent = indent_of(text, tokens[i].begin);
    std::size_t child = i + 1;
    while (child < tokens.size() - 1 && !tokens[child].first) ++child;
    const bool part = tokens[child].starts &&
                      (tokens.is(child, "criterion") || tokens.is(child, "level") || tokens.is(child, "dimension"));
    if (!part || indent_of(text, tokens[child].begin) <= indent || tokens.is(child - 1, "{")) continue;
    std::size_t last = child;
    while (last + 1 < tokens.size() - 1 &&
           !(tokens[last + 1].first && indent_of(text, tokens[last + 1].begin) <= indent))
      ++last;
    const bool colon = tokens.is(child - 1, ":");
    const Token& before = tokens[colon ? child - 2 : child - 1];
    edits.push_back(out.edit(before.end, tokens[child - 1].end, " {"));
    edits.push_back(out.edit(tokens[last].end, tokens[last].end, "\n" + indentation(text, tokens[i].begin) + "}"));
    i = last;
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

// rubric talk "Talk", and then its declarations without braces
void bare_rubric(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    const bool rubric = tokens[i].first && (in_lower_case(tokens[i].shown) == "rubric" || tokens.is(i, "class"));
    if (!rubric) continue;
    std::size_t at = i + 1;
    while (at < tokens.size() - 1 && !tokens[at].first && !tokens.is(at, "{")) ++at;
    if (tokens.is(at, "{") || !tokens[at].first) continue;
    std::size_t behind = tokens[at - 1].end;
    const std::size_t sign = i + 1;
    if (tokens.is(sign, ":") || tokens.is(sign, "=")) {  // Rubric: Essay on history
      const std::string title = plain(raw(tokens, {sign + 1, at}));
      const bool one = at == sign + 2;
      bool certain = true;
      if (at == sign + 1 || is_outline(tokens) || !rubric_of_prose(tokens, certain).empty()) continue;
      const std::size_t end = tokens.text().size();
      out.add(
          {out.edit(tokens[i].begin, behind,
                    "rubric " + in_lower_case(as_name(title)) + (one ? "" : " " + as_text("'" + title + "'")) + " {"),
           out.edit(end, end, "}\n")},
          true);
      continue;
    }
    std::string head = "rubric " + as_name(plain(tokens[i + 1].shown));
    const bool called = tokens.is(i + 2, "(");
    if (called && tokens[i + 2].partner == kNone) continue;
    for (std::size_t k = called ? tokens[i + 2].partner + 1 : i + 2; k < at; ++k) {
      if (!tokens.is(k, ":") && !tokens.is(k, "-"))
        head += " " + (tokens[k].is_text() ? as_text(tokens[k].shown) : std::string(tokens[k].shown));
    }
    const std::size_t size = tokens.text().size();
    const std::size_t final = tokens.size() >= 2 ? tokens.size() - 2 : 0;
    const bool ends = tokens.is(final, "end") || tokens.is(final, "END");
    out.add({out.edit(tokens[i].begin, behind, head + " {"),
             out.edit(ends ? tokens[final].begin : size, ends ? tokens[final].end : size, ends ? "}" : "}\n")},
            true);
  }
}

// The lower or the upper end of the scale; empty where it is not said.
std::string end_of_scale(const Tokens& tokens, bool upper) {
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    if (tokens[i].starts && tokens.is(i, "scale") && tokens.is(i + 2, ".."))
      return std::string(tokens[upper ? i + 3 : i + 1].shown);
  }
  return {};
}

// 1: "cold" for 'level 1 "cold"', line by line; in braces where there are none.
void levels(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  std::size_t first = window.at;
  while (first > 0 && !tokens[first].first) --first;
  std::vector<Edit> edits;
  bool certain = true;
  for (std::size_t i = first, last = 0; i < tokens.size() - 1 && tokens[i].first; i = last + 1) {
    std::size_t at = i;
    if (tokens.is(at, "-") || tokens.is(at, "*")) ++at;
    // low "bad", max 10 "quiet"
    const std::string anchor = in_lower_case(tokens[at].shown);
    const bool low = among(anchor, {"low", "lowest", "min", "minimum", "bottom"}),
               high = among(anchor, {"high", "highest", "max", "maximum", "top"});
    std::string number;
    if ((low || high) && tokens[at + 1].is_text()) number = end_of_scale(tokens, high);
    else if ((low || high) && tokens[at + 1].kind == Kind::number && tokens[at + 2].is_text()) ++at;
    if (tokens.is(at, "level") || tokens.is(at, "Level") || tokens.is(at, "score") || tokens.is(at, "rating")) ++at;
    if (number.empty() && (tokens[at].kind != Kind::number || tokens[at].shown.ends_with('%'))) break;
    if (number.empty()) number = tokens[at].shown;
    std::size_t words = at + 1;
    while (tokens.is(words, ":") || tokens.is(words, "=") || tokens.is(words, "-") || tokens.is(words, ")") ||
           tokens.is(words, ".") || tokens.is(words, "–") || tokens.is(words, "=>") || tokens.is(words, "->"))
      ++words;
    if (tokens[words].first || tokens[words].kind == Kind::end || tokens.closes(words)) break;
    if (among(tokens[words].shown, {"when", "if", "otherwise", "else"})) return;  // a choice, not what a level means
    std::size_t end = words;
    while (end + 1 < tokens.size() - 1 && !tokens[end + 1].first && !tokens.closes(end + 1)) ++end;
    // '2 points off if late', '0.5 off per typo': an amount
    if (among(tokens[words].shown, {"points", "point", "pts", "marks", "off", "per"}) && !tokens.is(words - 1, ":"))
      return;
    const std::size_t stop = tokens.is(end, ",") || tokens.is(end, ";") ? end - 1 : end;
    // 0..3 "poor": a level is one number, and which one is not said
    const bool sign = among(tokens[at + 1].shown, {"..", "to"}) ||
                      (among(tokens[at + 1].shown, {"-", "–"}) && tokens[at + 2].begin == tokens[at + 1].end);
    const bool range = sign && tokens[at + 2].kind == Kind::number && at + 2 < stop;
    certain = certain && !range;
    if (range) words = tokens.is(at + 3, ":") || tokens.is(at + 3, "=") ? at + 4 : at + 3;
    std::string what = joined_text(tokens, {words, stop + 1});
    if (range) what.insert(1, std::string(tokens.text(at, at + 2)) + ": ");
    edits.push_back(out.edit(tokens[i].begin, tokens[end].end, "level " + number + " " + what));
    last = end;
  }
  if (edits.empty()) return;
  if (first > 0 && !tokens.is(first - 1, "{")) {
    std::size_t owner = first - 1;
    while (owner > 0 && !tokens[owner].first) --owner;
    if (!tokens.is(owner, "dimension") && !tokens.is(owner, "criterion")) return;
    edits.front().text = "{\n" + indentation(text, tokens[first].begin) + edits.front().text;
    const std::size_t before = tokens.is(first - 1, ":") ? first - 1 : first;
    edits.front().begin = tokens[before - 1].end;
    edits.front().text.insert(0, " ");
    edits.back().text += "\n" + indentation(text, tokens[owner].begin) + "}";
  }
  out.add(std::move(edits), certain);
}

// A table of Markdown among declarations.
void tables(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  const std::size_t i = window.at;
  if (!tokens[i].first || !tokens.is(i, "|") || window.problem.code.substr(0, 3) != "E01") return;
  if (const std::string_view word = section_of(tokens[i + 1]);
      tokens.is(i + 2, "|") && !word.empty() && !among(word, {"dimension", "criterion"}))
    return;  // inputs, deductions: sections.cpp
  const std::size_t begin = tokens[i].begin;
  std::size_t at = begin - indent_of(text, begin), end = begin;
  std::vector<std::string_view> rows;
  while (at < text.size()) {
    const std::size_t from = text.find_first_not_of(" \t", at), line = std::min(text.find('\n', at), text.size());
    if (from == text.npos || from >= line || text[from] != '|') break;
    std::size_t until = line;
    while (until > from && (text[until - 1] == ' ' || text[until - 1] == '\r')) --until;
    rows.push_back(text.substr(from, until - from));
    end = until;
    at = line + 1;
  }
  std::vector<Entry> entries;
  bool bands = false;
  if (rows.size() < 2 || !read_table(rows, bands, entries) || bands) return;
  const std::string block = as_block(entries);
  const Tokens read(block);
  std::string all;
  for (const BlockItem& item : read_block(read, {0, read.size() - 1})) {
    const std::string one = declare(read, "dimension", item, "").text;
    if (one.empty()) return;
    all += (all.empty() ? "" : "\n" + indentation(text, begin)) + one;
  }
  out.add(begin, end, all, true);
}

// class author: and its fields, by indentation or in braces
void types(const Window& window, Proposals& out) {
  static constexpr std::array<std::string_view, 9> kWords = {"class",  "struct", "record",    "interface", "model",
                                                             "schema", "object", "dataclass", "type"};
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens[i].first || std::find(kWords.begin(), kWords.end(), tokens[i].shown) == kWords.end()) continue;
    std::size_t at = i + 2;
    if (tokens[i + 1].kind != Kind::word) continue;
    if (tokens.is(at, "(")) at = tokens.behind(at);
    if (!tokens.is(at, ":") || !tokens[at + 1].first) continue;
    const std::size_t end = indented_end(text, tokens[i].begin);
    if (end <= tokens[at].end) continue;
    out.add(tokens[i].begin, end,
            "type " + std::string(tokens[i + 1].shown) + " = {" +
                std::string(text.substr(tokens[at].end, end - tokens[at].end)) + "\n" +
                indentation(text, tokens[i].begin) + "}",
            true);
  }
}

// enum hazard { LOW = "low", HIGH = "high" }, class Hazard(Enum): and its lines: a type of those texts
void enumerations(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    const std::string word = in_lower_case(tokens[i].shown);
    if (!tokens[i].first || !among(word, {"enum", "enumeration", "class"})) continue;
    std::size_t name = i + 1;
    while (among(tokens[name].shown, {"class", "struct"})) ++name;
    std::size_t at = name + 1;
    bool says = word != "class" || name > i + 1;
    for (const std::size_t close = tokens.is(at, "(") ? tokens[at].partner : kNone; close != kNone && at < close; ++at)
      says = says || tokens[at].shown.find("Enum") != std::string_view::npos;
    if (tokens.is(at, ")")) ++at;
    while (tokens.is(at, ":") || tokens.is(at, "=")) ++at;
    if (!says || tokens[name].kind != Kind::word) continue;
    const Block block = block_behind(tokens, at, column_of(tokens, i));
    std::string values;
    for (const BlockItem& item : read_block(tokens, block.inside)) {
      const bool one = item.value.end == item.value.begin + 1;
      const bool text = one && tokens[item.value.begin].is_text();
      const bool alone = one && item.key.empty() && tokens[item.value.begin].kind == Kind::word;
      if (!text && !alone && item.key.empty()) return;
      values += (values.empty() ? "" : ", ") + (text    ? as_text(tokens[item.value.begin].shown)
                                                : alone ? "\"" + std::string(tokens[item.value.begin].shown) + "\""
                                                        : "\"" + item.key + "\"");
    }
    if (values.empty()) continue;
    out.add(tokens[i].begin, tokens[block.last].end,
            "type " + std::string(tokens[name].shown) + " = one of (" + values + ")", true);
  }
}

// What a document says of itself: 'author "Jo"'. The language has no word for it; as a comment it stays.
void metadata(const Window& window, Proposals& out) {
  static constexpr std::array<std::string_view, 42> kWords = {
      "author",       "authors",      "description", "title",    "date",       "owner",    "tags",
      "tag",          "license",      "created",     "updated",  "maintainer", "reviewer", "email",
      "organization", "organisation", "subject",     "notes",    "note",       "url",      "homepage",
      "copyright",    "namespace",    "package",     "language", "locale",     "metadata", "meta",
      "purpose",      "summary",      "name",        "status",   "module",     "course",   "teacher",
      "school",       "year",         "audience",    "comment",  "comments",   "remark",   "todo"};
  const Tokens& tokens = window.tokens;
  const std::size_t i = window.at;
  const std::string& code = window.problem.code;
  if (code != "E0107" || !tokens[i].first ||
      std::find(kWords.begin(), kWords.end(), in_lower_case(tokens[i].shown)) == kWords.end())
    return;
  bool rubric = false;  // without one the name is that of the rubric
  for (std::size_t k = 0; k < tokens.size(); ++k) rubric = rubric || tokens.is(k, "rubric");
  if (!rubric && tokens.is(i, "name")) return;
  // All of it: to the end of the line, or of the bracket that the line opens.
  std::size_t last = i;
  while (last + 1 < tokens.size() - 1 && !tokens[last + 1].first) {
    ++last;
    if (is_condition_word(tokens[last].shown)) return;  // note "…" when late: advice
    if (tokens.opens(last) && tokens[last].partner != kNone) last = tokens[last].partner;
  }
  if (among(tokens[last].shown, {">", "|", ":"})) {  // a text of several lines in YAML
    const std::size_t column = indent_of(tokens.text(), tokens[i].begin);
    while (last + 2 < tokens.size() &&
           !(tokens[last + 1].first && indent_of(tokens.text(), tokens[last + 1].begin) <= column))
      ++last;
  }
  std::string comment = "# ";
  for (const char c : tokens.text(i, last)) {
    comment += c;
    if (c == '\n') comment += "# ";
  }
  out.add(tokens[i].begin, tokens[last].end, comment, true);
}

}  // namespace

void blocks_of_others(const Window& window, Proposals& out) {
  keyed(window, out);
  wrappers(window, out);
  nested(window, out);
  bare_rubric(window, out);
  levels(window, out);
  tables(window, out);
  enumerations(window, out);
  types(window, out);
  metadata(window, out);
}

}  // namespace assay::mending
