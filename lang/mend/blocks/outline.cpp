// A rubric written as an outline of YAML, as JSON, or as a document of Markdown: read as a tree of keys, and written as the
// declarations that the keys stand for. A key that stands for none ends the attempt, and prose becomes a comment, so that
// nothing of the author's is lost.
#include "lang/mend/blocks/outline.hpp"

#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/parse/syntax.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/ascii.hpp"

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

bool is_quoted(std::string_view text) {
  return text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
}
// Without quotation marks.
std::string bare(std::string_view text) {
  if (is_quoted(text)) text = text.substr(1, text.size() - 2);
  return std::string(trimmed(text));
}
std::string prose(std::string_view text) {
  return text.empty() ? std::string()
                      : " " + (is_quoted(text) ? as_text(text) : as_text("'" + std::string(text) + "'"));
}

}  // namespace

namespace {

// ---- TOML: sections in brackets

bool read_toml(std::string_view text, std::vector<Entry>& top) {
  std::vector<Entry>* into = &top;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[') {
      const bool item = line.substr(0, 2) == "[[";
      while (!line.empty() && line.front() == '[') line.remove_prefix(1);
      if (line.empty() || line.find(']') == line.npos) return false;
      line = line.substr(0, line.find(']'));
      into = &top;
      while (!line.empty()) {
        const std::size_t dot = std::min(line.find('.'), line.size());
        const std::string key = bare(line.substr(0, dot));
        line.remove_prefix(std::min(dot + 1, line.size()));
        if (key == "rubric" && into == &top) continue;
        auto found = std::find_if(into->begin(), into->end(), [&key](const Entry& e) { return e.key == key; });
        if (found == into->end()) found = into->insert(into->end(), Entry{key, {}, {}});
        into = &found->children;
      }
      if (item) into = &into->emplace_back().children;
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals == line.npos) return false;
    std::string_view value = trimmed(line.substr(equals + 1));
    if (!is_quoted(value) && value.find(" #") != value.npos) value = trimmed(value.substr(0, value.find(" #")));
    Entry entry{bare(line.substr(0, equals)), std::string(value), {}};
    if (entry.key == "scale" && value.size() > 2 && value.front() == '[' && value.back() == ']') {
      value = value.substr(1, value.size() - 2);
      const std::size_t comma = std::min(value.find(','), value.size());
      entry.value = std::string(trimmed(value.substr(0, comma))) + ".." +
                    std::string(trimmed(value.substr(std::min(comma + 1, value.size()))));
    }
    into->push_back(std::move(entry));
  }
  return !top.empty();
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

bool read_table(const std::vector<std::string_view>& rows, bool& bands, std::vector<Entry>& out) {
  const std::vector<std::string> header = row_cells(rows[0]);
  std::size_t name = kNone, weight = kNone, points = kNone, text = kNone, bound = kNone;
  for (std::size_t c = 0; c < header.size(); ++c) {
    const std::string word = in_lower_case(header[c]);
    const auto has = [&](std::string_view part) { return word.find(part) != word.npos; };
    if (has("weight") || has("share") || word == "%") weight = c;
    else if (has("description") || has("question") || has("notes") || has("meaning")) text = c;
    else if (has("score") || has("range") || has("minimum") || has("threshold") || has("from")) bound = c;
    else if (has("points")) points = c;
    else if (name == kNone) name = c;
  }
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
    entry.children.push_back(leaf("name", cells[name]));
    if (bands) entry.children.push_back(leaf("min", f.low));
    else entry.children.push_back(counts ? leaf("points", f.low) : leaf("weight", f.low + f.unit));
    if (!bands && text != kNone && !cells[text].empty())
      entry.children.push_back(leaf("description", quoted_prose(cells[text])));
  }
  return !out.empty();
}

namespace {

bool read_markdown(std::string_view text, std::vector<Entry>& top) {
  Entry dimensions{"dimensions", {}, {}}, bands{"bands", {}, {}};
  bool of_bands = false, marked = false;
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
      for (const std::string_view word : {"grade", "band", "level", "threshold", "rating"})
        of_bands = of_bands || (level > 1 && small.find(word) != small.npos);
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
      if (!read_table(rows, of_bands, read)) return false;
      std::vector<Entry>& into = of_bands ? bands.children : dimensions.children;
      into.insert(into.end(), read.begin(), read.end());
      marked = true;
      continue;
    }
    const std::string small = in_lower_case(plain_words(line));
    const bool of_scale = small.find("scale") == 0 || small.find("score") == 0 || small.find("range") == 0;
    const Figure f = figure_in(line);
    if (of_scale && !f.high.empty()) {
      rest.push_back(leaf("scale", f.low + ".." + f.high));
      continue;
    }
    const std::size_t number = std::min(line.find_first_not_of("0123456789"), line.size());
    const bool item = line.substr(0, 2) == "- " || line.substr(0, 2) == "* " ||
                      (number > 0 && (line.substr(number, 2) == ". " || line.substr(number, 2) == ") "));
    Entry entry;
    // 'Style (20%): Is it a pleasure to read?' without a sign of a list
    constexpr std::size_t kLongName = 40;
    const bool share = !item && !of_bands && f.unit == "%" && f.begin > 0 && f.begin < kLongName;
    if ((item && read_item(trimmed(line.substr(number + 2)), of_bands, entry)) ||
        (share && read_item(line, of_bands, entry))) {
      (of_bands ? bands : dimensions).children.push_back(std::move(entry));
      marked = true;
    } else if (rest.empty() && dimensions.children.empty()) {  // what the document is of
      rest.push_back(leaf("name", plain_words(line)));
      rest.push_back(leaf("title", quoted_prose(plain_words(line))));
    } else {
      rest.push_back(leaf("#", std::string(line)));
    }
  }
  if (!marked || dimensions.children.empty()) return false;
  const auto least = [](const Entry& e) { return std::strtod(e.children[1].value.c_str(), nullptr); };
  std::stable_sort(bands.children.begin(), bands.children.end(),
                   [&least](const Entry& a, const Entry& b) { return least(a) > least(b); });
  top = std::move(rest);
  top.push_back(std::move(dimensions));
  if (!bands.children.empty()) top.push_back(std::move(bands));
  return true;
}

// ---- from the tree to declarations

struct Parts {  // of one declaration
  std::string name, value, when, weight, points, type, fallback, text, low, high, decimals;
  bool optional = false;
};

bool read_parts(const Entry& entry, Parts& parts) {
  parts.name = entry.key;
  if (entry.children.empty()) parts.value = entry.value;
  for (const Entry& child : entry.children) {
    const std::string value = bare(child.value);
    if (!child.children.empty()) return false;
    if (among(child.key, {"name", "id", "key"})) parts.name = value;
    else if (among(child.key, {"weight", "share", "percent", "percentage", "w"})) parts.weight = value;
    else if (child.key == "points") parts.points = value;
    else if (among(child.key, {"type", "kind"})) parts.type = value;
    else if (child.key == "default") parts.fallback = child.value;
    else if (child.key == "optional") parts.optional = value == "true";
    else if (child.key == "required") parts.optional = value == "false";
    else if (among(child.key, {"when", "condition", "if"})) parts.when = value;
    else if (among(child.key,
                   {"value", "formula", "amount", "expression", "expr", "at", "rule", "score", "calc", "compute"}))
      parts.value = value;
    else if (among(child.key, {"description", "text", "prose", "label", "reason", "question", "message", "title",
                               "desc", "prompt", "help"}))
      parts.text = child.value;
    else if (among(child.key, {"min", "low", "from"})) parts.low = value;
    else if (among(child.key, {"max", "high", "to"})) parts.high = value;
    else if (child.key == "decimals") parts.decimals = value;
    else return false;
  }
  parts.value = bare(parts.value);
  return true;
}

std::string declaration(std::string_view word, const Parts& p) {
  const std::string name = as_name(p.name), decimals = p.decimals.empty() ? "" : " decimals " + p.decimals;
  if (word == "input") {
    std::string type = p.type.empty() ? p.value : p.type;
    if (type.empty()) return {};
    if (!p.low.empty() && !p.high.empty()) type += " " + p.low + ".." + p.high;
    else if (!p.low.empty()) type += " >= " + p.low;
    else if (!p.high.empty()) type += " <= " + p.high;
    return "input " + name + ": " + type + (p.optional ? " optional" : "") +
           (p.fallback.empty() ? "" : " default " + (is_quoted(p.fallback) ? as_text(p.fallback) : p.fallback)) +
           prose(p.text);
  }
  if (word == "dimension" || word == "criterion") {
    std::string text = std::string(word) + " " + name;
    const bool weight = p.weight.empty() && p.points.empty() && !p.value.empty();  // style: 50%
    if (!p.type.empty()) text += ": " + p.type;
    if (!p.weight.empty() || weight) text += " weight " + (weight ? p.value : p.weight);
    if (!p.points.empty()) text += " points " + p.points;
    text += prose(p.text);
    return text + (p.value.empty() || weight ? "" : " = " + p.value);
  }
  const std::string value = p.value.empty() ? p.when : p.value;
  if (value.empty()) return {};
  if (word == "flag") return "flag " + name + " when " + value + prose(p.text);
  if (word == "cap") return "cap " + name + " at " + value + (p.when.empty() ? "" : " when " + p.when) + prose(p.text);
  return std::string(word) + " " + name + prose(p.text) + " = " + value +
         (p.when.empty() || p.value.empty() ? "" : " when " + p.when) + decimals;
}

}  // namespace

std::string write_declaration(std::string_view word, const Entry& entry) {
  Parts parts;
  if (!read_parts(entry, parts) || parts.name.empty()) return {};
  return declaration(word, parts);
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

namespace {

bool write_section(std::string_view word, const Entry& section, std::string& out) {
  for (const Entry& child : section.children) {
    const std::string text = write_declaration(word, child);
    if (text.empty()) return false;
    out += "  " + text + "\n";
  }
  return !section.children.empty();
}

bool write_bands(const Entry& section, std::string& out) {
  out += "  bands grade(score) {\n    | score | grade |\n";
  for (const Entry& child : section.children) {
    Parts parts;
    if (!read_parts(child, parts) || parts.name.empty()) return false;
    std::string bound = !parts.low.empty() ? parts.low : parts.value;
    if (bound.empty()) return false;
    if (bound.find_first_of("<>.") == bound.npos || bound.find("..") == bound.npos) {
      if (bound.find_first_of("<>") == bound.npos) bound.insert(0, ">= ");
    }
    out += "    | " + bound + " | " + as_text("'" + parts.name + "'") + " |\n";
  }
  out += "  }\n";
  return !section.children.empty();
}

bool write_scale(const Entry& entry, std::string& out) {
  Parts parts;
  const bool list = entry.children.size() == 2 && entry.children[0].key.empty();
  if (!list && !read_parts(entry, parts)) return false;
  std::string range = parts.value;
  if (range.empty() && !parts.low.empty() && !parts.high.empty()) range = parts.low + ".." + parts.high;
  if (list) range = bare(entry.children[0].value) + ".." + bare(entry.children[1].value);
  if (range.empty()) return false;
  if (const std::size_t to = range.find(" to "); to != range.npos) range.replace(to, 4, "..");
  else if (const std::size_t dash = range.find('-', 1); dash != range.npos && range.find("..") == range.npos)
    range.replace(dash, 1, "..");
  out += "  scale " + range + (parts.decimals.empty() ? "" : " decimals " + parts.decimals) + "\n";
  return true;
}

// The rubric; empty: the tree is not one.
std::string write_rubric(const std::vector<Entry>& top) {
  if (top.size() == 1 && !top[0].children.empty()) {  // rubric: { … }, essay: { … }
    std::vector<Entry> inner = top[0].children;
    if (top[0].key != "rubric") inner.insert(inner.begin(), Entry{"name", top[0].key, {}});
    return write_rubric(inner);
  }
  std::string name, text, body, decimals;
  for (const Entry& entry : top) {
    const std::string value = bare(entry.value);
    const std::string_view section = word_of_section(entry.key);
    if (!section.empty() && !entry.children.empty()) {
      if (!write_section(section, entry, body)) return {};
    } else if (among(entry.key, {"rubric", "name", "id"})) {
      name = as_name(value);
    } else if (among(entry.key, {"title", "description"})) {
      text = entry.value;
    } else if (entry.key == "#") {
      body += "  # " + entry.value + "\n";
    } else if (entry.key == "version") {
      body += "  version " + as_text("'" + value + "'") + "\n";
    } else if (entry.key == "decimals") {
      decimals = value;
    } else if (entry.key == "scale") {
      if (!write_scale(entry, body)) return {};
    } else if (among(entry.key, {"bands", "grades", "levels", "grading", "ratings", "tiers", "thresholds"})) {
      if (!write_bands(entry, body)) return {};
    } else if (entry.key == "composite") {
      body += "  composite = " + value + "\n";
    } else if (entry.key == "rank" && !value.empty()) {
      body += "  rank by " + value + "\n";
    } else {
      return {};
    }
  }
  if (body.empty()) return {};
  if (const std::size_t scale = body.find("  scale "); scale != body.npos && !decimals.empty())
    body.insert(body.find('\n', scale), " decimals " + decimals);
  return "rubric " + (name.empty() ? "main" : name) + prose(text) + " {\n" + body + "}\n";
}

}  // namespace

void outline(const Window& window, Proposals& out) {
  constexpr std::size_t kMost = std::size_t{1} << 17;  // bytes
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  if (text.size() > kMost || window.problem.code.substr(0, 3) != "E01") return;
  std::string rubric;
  if (tokens.is(0, "[")) {
    std::vector<Entry> top;
    if (read_toml(text, top)) rubric = write_rubric(top);
  }
  if (!rubric.empty()) out.add(0, text.size(), rubric, true);
  bool declared = false;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    declared = declared || (tokens.is(i, "rubric") && tokens.is(i + 2, "{"));
  std::vector<Entry> top;
  if (rubric.empty() && !declared && !tokens[0].starts && read_markdown(text, top)) {
    const bool all = std::none_of(top.begin(), top.end(), [](const Entry& e) { return e.key == "#"; });
    out.add(0, text.size(), write_rubric(top), all);
  }
}

}  // namespace assay::mending
