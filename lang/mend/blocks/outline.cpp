// A rubric written as a document of Markdown: read as a tree of keys, and written as a block in braces, which document.cpp
// reads like an outline of YAML or JSON. Prose becomes a comment, so that nothing of the author's is lost.
#include "lang/mend/blocks/outline.hpp"

#include "lang/mend/blocks/readers.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/parse/syntax.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <initializer_list>

namespace assay::mending {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && std::string_view(" \t\r\n").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  return text;
}

// ---- Markdown: headings, lists, tables

// Without emphasis, and without decoration around a name.
std::string plain_words(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c != '*' && c != '`') result += c;
  }
  static constexpr std::string_view kAround[] = {" ", "\t", "\r", ":", "(", ")", "-", "–", "—", ",", "[", "]", "="};
  std::string_view rest = result;
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view sign : kAround) {
      if (rest.substr(0, sign.size()) == sign) rest.remove_prefix(sign.size()), more = true;
      if (rest.size() >= sign.size() && rest.substr(rest.size() - sign.size()) == sign)
        rest.remove_suffix(sign.size()), more = true;
    }
  }
  return std::string(rest);
}

struct Figure {  // the first number of a text, with its unit
  std::size_t begin = std::string_view::npos, end = 0;
  std::string low, high, unit;  // high: of a range
};

Figure figure_in(std::string_view text) {
  Figure f;
  const auto digits = [&](std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) || text[end] == '.')) ++end;
    while (end > at && text[end - 1] == '.') --end;
    return end;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool word = i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0 || text[i - 1] == '_');
    if (!std::isdigit(static_cast<unsigned char>(text[i])) || word) continue;
    f.begin = i;
    f.end = digits(i);
    f.low = text.substr(i, f.end - i);
    break;
  }
  if (f.begin == std::string_view::npos) return f;
  std::size_t at = f.end;
  const auto blanks = [&] {
    while (at < text.size() && text[at] == ' ') ++at;
  };
  blanks();
  for (const std::string_view sign : {"..", "-", "–", "to "}) {
    if (text.substr(at, sign.size()) != sign) continue;
    at += sign.size();
    blanks();
    const std::size_t end = digits(at);
    if (end > at) f.high = text.substr(at, end - at), f.end = end;
    break;
  }
  at = f.end;
  blanks();
  for (const std::string_view unit : {"%", "points", "point", "pts", "pt", "+"}) {
    if (text.substr(at, unit.size()) != unit) continue;
    f.unit = unit == "%" || unit == "+" ? unit : "points";
    f.end = at + unit.size();
    break;
  }
  return f;
}

Entry leaf(std::string key, std::string value) { return {std::move(key), std::move(value), {}}; }
std::string quoted_prose(const std::string& text) { return text.empty() ? text : "'" + text + "'"; }

// 'Style (20%): Is it a pleasure to read?'; for bands '4.5+: Excellent' as well as 'Excellent: 4.5+'.
bool read_item(std::string_view text, bool bands, Entry& out) {
  const Figure f = figure_in(text);
  if (f.begin == std::string_view::npos) return false;
  std::string_view before = text.substr(0, f.begin);
  while (!before.empty() && std::string_view("<>= ").find(before.back()) != std::string_view::npos)
    before.remove_suffix(1);
  std::string name = plain_words(before);
  const std::string behind = plain_words(text.substr(f.end));
  if (bands) {
    if (name.empty()) name = behind;
    if (name.empty()) return false;
    out.children = {leaf("name", name), leaf("min", f.low)};
    return true;
  }
  if (name.empty()) return false;
  const bool share = f.unit == "%";
  out.children = {leaf("name", name), share ? leaf("weight", f.low + "%") : leaf("points", f.low)};
  if (!behind.empty()) out.children.push_back(leaf("description", quoted_prose(behind)));
  return share || f.unit == "points";
}

std::vector<std::string> row_cells(std::string_view line) {
  std::vector<std::string> cells;
  line.remove_prefix(1);
  while (!line.empty()) {
    const std::size_t end = std::min(line.find('|'), line.size());
    if (end < line.size() || !trimmed(line).empty()) cells.push_back(plain_words(line.substr(0, end)));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return cells;
}

}  // namespace

bool read_table(const std::vector<std::string_view>& rows, bool& bands, std::vector<Entry>& out, std::string* called) {
  const std::vector<std::string> header = row_cells(rows[0]);
  std::size_t name = kNone, weight = kNone, points = kNone, text = kNone, bound = kNone;
  std::vector<std::size_t> others;  // whose cells stay with their heading
  for (std::size_t c = 0; c < header.size(); ++c) {
    const std::string word = in_lower_case(header[c]);
    const auto has = [&](std::string_view part) { return word.find(part) != word.npos; };
    if (has("weight") || has("share") || word == "%") weight = c;
    else if (has("description") || has("question") || has("notes") || has("meaning")) text = c;
    else if (has("score") || has("range") || has("minimum") || has("threshold") || has("from")) bound = c;
    else if (has("points") || word == "max" || word == "marks") points = c;
    else if (name == kNone) name = c;
    else others.push_back(c);
  }
  if (text == kNone && others.size() == 1) std::swap(text, others[0]), others.clear();
  if (name == kNone) return false;
  if (weight == kNone && bound == kNone) (bands ? bound : weight) = points;
  const bool counts = weight == points && points != kNone;
  bands = weight == kNone;
  const std::size_t figure = bands ? bound : weight;
  if (figure == kNone) return false;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (rows[r].find_first_not_of("|:- ") == std::string_view::npos) continue;
    const std::vector<std::string> cells = row_cells(rows[r]);
    if (cells.size() < header.size()) return false;
    const Figure f = figure_in(cells[figure]);
    if (f.low.empty()) return false;
    Entry& entry = out.emplace_back();
    if (bands && called != nullptr && called->empty()) *called = header[name];
    if (bands) {
      const std::string words = in_lower_case(cells[figure]);
      const bool below = words.find("below") != words.npos || words.find("under") != words.npos ||
                         words.find("less") != words.npos || words.find('<') != words.npos;
      entry = leaf(cells[name], (below ? "< " : ">= ") + f.low);
      continue;
    }
    entry.children.push_back(leaf("name", cells[name]));
    entry.children.push_back(counts ? leaf("points", f.low) : leaf("weight", f.low + f.unit));
    std::string prose = text == kNone ? std::string() : cells[text];
    for (const std::size_t c : others) {
      if (!cells[c].empty()) prose += (prose.empty() ? "" : "; ") + header[c] + ": " + cells[c];
    }
    if (!prose.empty()) entry.children.push_back(leaf("description", quoted_prose(prose)));
  }
  return !out.empty();
}

namespace {

// An item of a list as its declaration's own words: 'honest: not plagiarised — No plagiarism'.
Entry item_of_section(std::string_view item) {
  std::string text;
  for (const char c : item) {
    if (c != '*' && c != '`') text += c;
  }
  for (const std::string_view dash : {" — ", " – "}) {
    const std::size_t at = text.find(dash);
    if (at == text.npos) continue;
    const std::string prose = text.substr(at + dash.size());
    return leaf("", text.substr(0, at) + " " + as_text("'" + prose + "'"));
  }
  return leaf("", text);
}

bool read_markdown(std::string_view text, std::vector<Entry>& top) {
  std::vector<Entry> sections;  // but dimensions and bands
  std::string_view section;
  Entry dimensions{"dimensions", {}, {}}, bands{"bands", {}, {}};
  bool of_bands = false, marked = false;
  std::string called;  // the bands
  std::vector<Entry> rest;
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (line.empty() || line.find_first_not_of("-=") == line.npos) continue;
    if (line.front() == '#') {
      const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
      const std::string words = plain_words(line.substr(level));
      const std::string small = in_lower_case(words);
      of_bands = false;
      section = level > 1 ? word_of_section(small) : std::string_view();
      if (section == "dimension") section = {};
      if (!section.empty()) sections.push_back({small, {}, {}});
      for (const std::string_view word : {"grade", "band", "level", "threshold", "rating"})
        of_bands = of_bands || (level > 1 && small.find(word) != small.npos);
      if (const std::size_t colon = small.find(": "); of_bands && colon != small.npos)  // Bands: medal
        called = small.substr(colon + 2);
      if (level == 1 && rest.empty()) {
        rest.push_back(leaf("name", words));
        rest.push_back(leaf("title", quoted_prose(words)));
      }
      marked = true;
      continue;
    }
    if (line.front() == '|') {
      std::vector<std::string_view> rows;
      while (i < lines.size() && !lines[i].empty() && lines[i].front() == '|') rows.push_back(lines[i++]);
      --i;
      std::vector<Entry> read;
      if (!read_table(rows, of_bands, read, &called)) return false;
      std::vector<Entry>& into = of_bands ? bands.children : dimensions.children;
      into.insert(into.end(), read.begin(), read.end());
      marked = true;
      continue;
    }
    if (line.back() == ':') {  // Grades:, Deductions:, and lines below it
      const std::string head = in_lower_case(plain_words(line));
      const std::string_view word = word_of_section(head);
      if (heads_grades(head) || !word.empty()) {
        of_bands = word.empty();
        section = word == "dimension" ? std::string_view() : word;
        if (!section.empty()) sections.push_back({head, {}, {}});
        continue;
      }
    }
    const std::string small = in_lower_case(plain_words(line));
    const bool of_scale = small.find("scale") == 0 || small.find("score") == 0 || small.find("range") == 0;
    const Figure f = figure_in(line);
    if (of_scale && !f.high.empty()) {
      rest.push_back(leaf("scale", f.low + ".." + f.high));
      const Tokens words(small);  // of 0 to 100, with one decimal
      for (std::size_t k = 1; k + 1 < words.size(); ++k) {
        if (!words[k].shown.starts_with("decimal")) continue;
        const auto said = number_said(words[k - 1].shown);
        if (said || words[k - 1].kind == Token::Kind::number)
          rest.push_back(leaf("decimals", said ? std::to_string(*said) : std::string(words[k - 1].shown)));
      }
      continue;
    }
    const std::size_t number = std::min(line.find_first_not_of("0123456789"), line.size());
    const bool item = line.substr(0, 2) == "- " || line.substr(0, 2) == "* " ||
                      (number > 0 && (line.substr(number, 2) == ". " || line.substr(number, 2) == ") "));
    if (item && !section.empty()) {
      sections.back().children.push_back(item_of_section(trimmed(line.substr(number + 2))));
      continue;
    }
    Entry entry;
    if (of_bands && !item && f.begin != std::string_view::npos) {
      bands.children.push_back(leaf("", std::string(line)));
      continue;
    }
    // 'Style (20%): Is it a pleasure to read?' without a sign of a list
    constexpr std::size_t kLongName = 40;
    const bool share = !item && !of_bands && f.unit == "%" && f.begin > 0 && f.begin < kLongName;
    if ((item && read_item(trimmed(line.substr(number + 2)), of_bands, entry)) ||
        (share && read_item(line, of_bands, entry))) {
      (of_bands ? bands : dimensions).children.push_back(std::move(entry));
      marked = true;
    } else if (rest.empty() && dimensions.children.empty()) {  // what the document is of
      const std::size_t colon = line.find(": ");
      const std::string head = in_lower_case(line.substr(0, std::min(colon, line.size())));
      const bool said = colon != line.npos && among(head, {"rubric", "title", "name"});
      if (said) line.remove_prefix(head.size() + 2);
      rest.push_back(leaf("name", said ? in_lower_case(plain_words(line)) : plain_words(line)));
      rest.push_back(leaf("title", quoted_prose(plain_words(line))));
    } else {
      rest.push_back(leaf("#", std::string(line)));
    }
  }
  if (!marked || dimensions.children.empty()) return false;
  top = std::move(rest);
  for (const Entry& one : sections) {
    if (word_of_section(one.key) == "input" && !one.children.empty()) top.push_back(one);
  }
  top.push_back(std::move(dimensions));
  for (const Entry& one : sections) {
    if (word_of_section(one.key) != "input" && !one.children.empty()) top.push_back(one);
  }
  if (!bands.children.empty()) {
    const bool generic =
        among(in_lower_case(called), {"", "grade", "grades", "band", "bands", "label", "name", "result", "level",
                                      "meaning", "description", "rating", "verdict"});
    if (!generic && as_name(called).find('_') == std::string::npos) {
      Entry named{in_lower_case(as_name(called)), {}, std::move(bands.children)};
      bands.children.clear();
      bands.children.push_back(std::move(named));
    }
    top.push_back(std::move(bands));
  }
  return true;
}

// ---- from the tree to a block of keys, which is read like any other (document.cpp)

std::string key_of_block(const std::string& key) { return as_name(key) == key ? key : as_text("'" + key + "'"); }

}  // namespace

std::string as_block(const std::vector<Entry>& entries, int deep) {
  constexpr int kDeepest = 8;
  std::string text;
  for (const Entry& entry : entries) {
    if (deep > kDeepest || entry.key == "#") continue;
    if (!entry.key.empty()) text += key_of_block(entry.key) + ": ";
    const bool list = !entry.children.empty() && entry.children.front().key.empty();
    if (entry.children.empty()) text += entry.value + "\n";
    else text += (list ? "[\n" : "{\n") + as_block(entry.children, deep + 1) + (list ? "]\n" : "}\n");
  }
  return text;
}

std::string_view word_of_section(std::string_view key) {
  static constexpr std::pair<std::string_view, std::string_view> kSections[] = {{"inputs", "input"},
                                                                                {"fields", "input"},
                                                                                {"input", "input"},
                                                                                {"parameters", "input"},
                                                                                {"variables", "let"},
                                                                                {"dimensions", "dimension"},
                                                                                {"criteria", "dimension"},
                                                                                {"metrics", "dimension"},
                                                                                {"weights", "dimension"},
                                                                                {"factors", "dimension"},
                                                                                {"categories", "dimension"},
                                                                                {"aspects", "dimension"},
                                                                                {"sections", "dimension"},
                                                                                {"components", "dimension"},
                                                                                {"areas", "dimension"},
                                                                                {"weighting", "dimension"},
                                                                                {"scoring", "dimension"},
                                                                                {"measures", "dimension"},
                                                                                {"indicators", "dimension"},
                                                                                {"pillars", "dimension"},
                                                                                {"weightings", "dimension"},
                                                                                {"gates", "gate"},
                                                                                {"gate", "gate"},
                                                                                {"requirements", "gate"},
                                                                                {"rules", "gate"},
                                                                                {"constraints", "gate"},
                                                                                {"flags", "flag"},
                                                                                {"warnings", "flag"},
                                                                                {"alerts", "flag"},
                                                                                {"let", "let"},
                                                                                {"outputs", "output"},
                                                                                {"output", "output"},
                                                                                {"deductions", "deduction"},
                                                                                {"penalties", "deduction"},
                                                                                {"bonuses", "bonus"},
                                                                                {"caps", "cap"}};
  const std::string small = in_lower_case(key);
  for (const auto& [section, word] : kSections) {
    if (section == small) return word;
  }
  return {};
}

std::string_view section_of(const Token& token) {
  if (token.kind != Token::Kind::word && !token.is_text()) return {};
  std::string word = in_lower_case(token.shown);
  if (token.is_text()) word = word.substr(1, word.size() < 2 ? 0 : word.size() - 2);
  if (const std::string_view found = word_of_section(word); !found.empty()) return found;
  if (const std::string_view found = known_word(word); !found.empty()) return found;
  if (word.size() > 3 && word.back() == 's') return known_word(std::string_view(word).substr(0, word.size() - 1));
  return {};
}

namespace {

// input `year`: whole, dimension **tone**, = `2 * km`: the marks of Markdown around names and expressions
void marks_of_markdown(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (tokens.text().find_first_of("`*") == std::string_view::npos) return;
  std::vector<Edit> edits;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    const bool named = !known_word(tokens[i - 1].shown).empty() && tokens[i - 1].kind == Token::Kind::word;
    if (tokens[i].kind == Token::Kind::quoted && tokens[i].shown.size() > 2 && tokens[i].shown.front() == '`') {
      const bool code = named || among(tokens[i - 1].shown, {"=", "when", "unless", "if", ":"});
      if (!code || tokens[i].shown.find("${") != std::string_view::npos) continue;
      edits.push_back(out.edit(tokens[i].begin, tokens[i].begin + 1, ""));
      edits.push_back(out.edit(tokens[i].end - 1, tokens[i].end, ""));
    }
    const bool bold = named && tokens.is(i, "**") && tokens.is(i + 2, "**") && tokens[i].end == tokens[i + 1].begin &&
                      tokens[i + 1].end == tokens[i + 2].begin;
    if (bold) edits.push_back(out.edit(tokens[i].begin, tokens[i].end, ""));
    if (bold) edits.push_back(out.edit(tokens[i + 2].begin, tokens[i + 2].end, ""));
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

}  // namespace

// The rubric that a document of Markdown, or of plain prose with a list of percentages, stands for.
std::string rubric_of_prose(const Tokens& tokens, bool& certain) {
  constexpr std::size_t kMost = std::size_t{1} << 17;  // bytes
  const std::string_view text = tokens.text();
  bool declared = text.size() > kMost || (tokens[0].starts && !tokens.is(1, ":"));
  for (std::size_t i = 0; i < tokens.size() && !declared; ++i)
    declared = tokens.is(i, "rubric") && tokens.is(tokens[i + 2].is_text() ? i + 3 : i + 2, "{");
  std::vector<Entry> top;
  if (declared || !read_markdown(text, top)) return {};
  std::string rubric = rubric_of_outline("{\n" + as_block(top, 0) + "}\n", certain), notes;
  for (const Entry& entry : top) notes += entry.key == "#" ? "  # " + entry.value + "\n" : "";
  if (const std::size_t head = rubric.find("{\n"); head != rubric.npos) rubric.insert(head + 2, notes);
  certain = certain && notes.empty();
  return rubric;
}

void outline(const Window& window, Proposals& out) {
  if (window.problem.code.substr(0, 3) != "E01") return;
  marks_of_markdown(window, out);
  bool certain = true;
  const std::string rubric = rubric_of_prose(window.tokens, certain);
  if (!rubric.empty()) out.add(0, window.tokens.text().size(), rubric, certain);
}

}  // namespace assay::mending
