// Grades in other forms than a table of bands: blocks of pairs, lists, sentences, chains of 'if'. Each gives some
// limits and a word for each, which is all that bands need.
#include "lang/mend/blocks/grade_rows.hpp"
#include "lang/mend/blocks/readers.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cstdlib>

namespace assay::mending {
namespace {

std::string spaces_before(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  std::size_t end = begin;
  while (end < at && (text[end] == ' ' || text[end] == '\t')) ++end;
  return std::string(text.substr(begin, end - begin));
}

// The entries of a block: bracketed groups, lines, or what commas divide.
std::vector<std::pair<std::size_t, std::size_t>> entries(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  // Rows whose cells commas divide: every line has as many.
  std::size_t lines = 0, commas = 0, least = kNone, most = 0;
  for (std::size_t i = begin; i < end; i = std::min(tokens.behind(i), end)) {
    if (tokens[i].first || i == begin) {
      if (lines > 0) least = std::min(least, commas), most = std::max(most, commas);
      ++lines, commas = 0;
    }
    if (tokens.is(i, ",") && i + 1 < end && !tokens[i + 1].first) ++commas;
  }
  least = std::min(least, commas), most = std::max(most, commas);
  const bool rows = lines > 1 && least == most && least > 0;
  std::size_t from = begin;
  const auto close = [&](std::size_t at) {
    if (at > from) result.emplace_back(from, at);
    from = at;
  };
  bool listed = false;  // lines that begin with '-'
  for (std::size_t i = begin; i < end;) {
    const bool item = tokens[i].first && (tokens.is(i, "-") || tokens.is(i, "*") || tokens.is(i, "•"));
    if (item) listed = true;
    if (i > from && (item || (tokens[i].first && !listed && !(i > 0 && tokens.is(i - 1, ":"))))) close(i);
    if ((tokens.is(i, ",") && !(rows && i + 1 < end && !tokens[i + 1].first)) || tokens.is(i, ";")) {
      close(i);
      from = ++i;
      continue;
    }
    // [70, 85)
    const bool interval = (tokens.is(i, "[") || tokens.is(i, "(")) && tokens[i + 1].kind == Token::Kind::number &&
                          (tokens.is(i + 2, ",") || tokens.is(i + 2, "..") || tokens.is(i + 2, "-")) &&
                          tokens[i + 3].kind == Token::Kind::number && (tokens.is(i + 4, ")") || tokens.is(i + 4, "]"));
    i = interval ? std::min(i + 5, end) : std::min(tokens.behind(i), end);
  }
  close(end);
  return result;
}

// Where the table's own header is: a row of names.
bool is_header(const Tokens& tokens, std::size_t begin, std::size_t end) {
  bool bars = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (tokens.is(i, "|") || tokens.is(i, ",")) bars = true;
    else if (tokens[i].kind != Token::Kind::word && tokens[i].kind != Token::Kind::text) return false;
  }
  return bars;
}

// { min: 90, label: "A", points: 4 } and the like, where keys say what is what; empty: it has no keys, or unknown ones.
std::string bands_of_keys(const Tokens& tokens, const std::vector<BlockItem>& items, std::string name,
                          std::string_view of, std::string_view indent) {
  struct Row {
    double low;
    std::string limit, label;
    std::vector<std::string> more;
  };
  std::vector<Row> rows;
  std::vector<std::string> columns;  // the keys of further columns
  const auto generic = [](std::string_view key) {
    return among(key, {"label", "value", "name", "grade", "text", "title", "result", "band", "level", "id"});
  };
  for (const BlockItem& item : items) {
    Row row{-1e300, "otherwise", {}, {}};
    std::string high;
    if (!item.key.empty() && item.inside.size() > 1) row.label = as_text("'" + item.key + "'");
    std::vector<std::string> keys;
    for (const BlockItem& one : item.inside) {
      const std::string key = in_lower_case(one.key), value = raw(tokens, one.value);
      if (key.empty() || value.empty() || !one.inside.empty()) return {};
      const bool number = value.find_first_not_of("-.0123456789%") == value.npos;
      if (among(key, {"min", "from", "low", "lower", "above", "at_least", "minimum", "start", "threshold", "score",
                      "cutoff"}) &&
          number) {
        row.limit = ">= " + value, row.low = std::strtod(value.c_str(), nullptr);
      } else if (among(key, {"max", "to", "high", "upper", "below", "maximum", "end"}) && number) {
        high = (key == "below" ? "< " : "<= ") + value;
      } else if (row.label.empty() && (!number || generic(key))) {
        row.label = number ? value : tokens[one.value.begin].is_text() ? as_text(value) : as_text("'" + value + "'");
        if (name == "grade" && !generic(key)) name = as_name(key);
      } else {
        keys.push_back(as_name(one.key));
        row.more.push_back(number || value == "true" || value == "false"
                               ? value
                               : as_text(value[0] == '"' ? value : "'" + value + "'"));
      }
    }
    if (row.label.empty() || (!rows.empty() && keys != columns)) return {};
    if (row.low == -1e300 && !high.empty()) row.limit = high;
    columns = std::move(keys);
    rows.push_back(std::move(row));
  }
  if (rows.size() < 2) return {};
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.low > b.low; });
  const std::string in(indent);
  std::string text =
      "bands " + name + "(" + std::string(of) + ") {\n" + in + "  | " + std::string(of) + " | " + name + " |";
  for (const std::string& column : columns) text += " " + column + " |";
  for (const Row& row : rows) {
    text += "\n" + in + "  | " + row.limit + " | " + row.label + " |";
    for (const std::string& value : row.more) text += " " + value + " |";
  }
  return text + "\n" + in + "}";
}

// thresholds: [70, 50], labels: ["A", "B", "C"]: limits and words in two lists; empty: they are something else.
Written bands_of_lists(const Tokens& tokens, const std::vector<BlockItem>& items, std::string_view name,
                       std::string_view of, std::string_view indent) {
  std::vector<std::string> limits, labels;
  for (const BlockItem& item : items) {
    for (const BlockItem& one : item.inside) {
      const std::string value = raw(tokens, one.value);
      if (!one.key.empty() || !one.inside.empty() || value.empty()) return {};
      const bool number = value.find_first_not_of("-.0123456789") == value.npos;
      (number ? limits : labels).push_back(number ? value : as_text(value[0] == '"' ? value : "'" + value + "'"));
    }
    if (item.key.empty() || item.inside.empty()) return {};
  }
  if (limits.size() < 2 || (labels.size() != limits.size() && labels.size() != limits.size() + 1)) return {};
  const bool rises = std::strtod(limits[0].c_str(), nullptr) < std::strtod(limits[1].c_str(), nullptr);
  const bool rest = labels.size() > limits.size();  // of a label more than limits one is below them all
  std::vector<Grade> grades;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    Grade& grade = grades.emplace_back();
    grade.labels = {labels[k]};
    grade.rest = rest && k == (rises ? 0 : labels.size() - 1);
    if (!grade.rest) grade.limits = {limits[rest && rises ? k - 1 : k]};
  }
  return table_of_grades(name, of, grades, indent);
}

// A: ">= 90", F: "otherwise": the same without the quotation marks around the limits; empty: they are something else.
std::string unquoted_limits(const Tokens& tokens, Span block) {
  std::string text;
  for (const BlockItem& item : read_block(tokens, block)) {
    const bool one = item.value.end == item.value.begin + 1 && item.inside.empty();
    if (item.key.empty() || !one) return {};
    const std::string limit = without_quotes(tokens, item.value.begin);
    const bool rest = among(in_lower_case(limit), {"otherwise", "else", "rest", "default"});
    if (!rest && (limit.empty() || limit.find_first_of("<>=0123456789") == limit.npos)) return {};
    text += (text.empty() ? "" : "\n") + as_text("'" + item.key + "'") + ": " + limit;
  }
  return text;
}

// The grades between two tokens as bands; empty: they are none. A table's own header is skipped unless the problem
// stands before it.
Written bands_between(const Tokens& tokens, std::size_t begin, std::size_t end, std::string_view name,
                      std::string_view of, std::string_view indent, bool header) {
  const std::vector<BlockItem> items = read_block(tokens, {begin, end});
  if (Written lists = bands_of_lists(tokens, items, name, of, indent); !lists.text.empty()) return lists;
  if (std::string keyed = bands_of_keys(tokens, items, std::string(name), of, indent); !keyed.empty())
    return {std::move(keyed)};
  bool quoted = false;
  for (std::size_t i = begin; i < end; ++i)
    quoted = quoted || (tokens[i].is_text() && tokens[i].shown.find_first_of("<>=") != std::string_view::npos);
  if (const std::string plain = quoted ? unquoted_limits(tokens, {begin, end}) : ""; !plain.empty()) {
    const Tokens rows(plain);
    return bands_between(rows, 0, rows.size() - 1, name, of, indent, header);
  }
  std::vector<Grade> grades;
  std::vector<std::string> columns;
  std::size_t bars = 0;  // of the header
  for (const auto& [from, to] : entries(tokens, begin, end)) {
    std::size_t own = 0;
    for (std::size_t i = from; i < to; ++i) own += tokens.is(i, "|") ? 1 : 0;
    if (bars > 0 && own > bars) return {};  // a cell too many says nothing of a limit
    if (grades.empty() && is_header(tokens, from, to)) {
      if (!header) return {};
      bars = own;
      for (std::size_t i = from; i < to; ++i) {
        if (tokens[i].value()) columns.push_back(as_name(without_quotes(tokens, i)));
      }
      if (!columns.empty()) columns.erase(columns.begin());
      continue;
    }
    Grade grade;
    if (!read_grade(tokens, from, to, grade, nullptr, of)) return {};
    // A limit and its word may be divided by a comma of their own.
    if (!grades.empty() && !grades.back().good() && !grade.good() &&
        (grade.labels.empty() || grades.back().labels.empty())) {
      Grade& before = grades.back();
      before.limits.insert(before.limits.end(), grade.limits.begin(), grade.limits.end());
      before.labels.insert(before.labels.end(), grade.labels.begin(), grade.labels.end());
      if (before.sign.empty()) before.sign = grade.sign;
      before.rest = before.rest || grade.rest;
    } else if (!grade.limits.empty() || !grade.labels.empty()) {
      grades.push_back(std::move(grade));
    }
  }
  const bool good = std::all_of(grades.begin(), grades.end(), [](const Grade& g) { return g.good(); });
  // A row of a table with bars that lacks a cell may lack any of them.
  const bool ragged = bars > 0 && std::any_of(grades.begin(), grades.end(), [&](const Grade& g) {
                        return g.labels.size() != grades.front().labels.size();
                      });
  return good && !ragged ? table_of_grades(name, of, grades, indent, columns) : Written();
}

// The name of bands that have none: a key with a text that an example expects and nothing declares.
std::string expected_name(const Tokens& tokens) {
  int keys = 20;  // each is looked for in the whole text
  for (std::size_t i = 0; i + 1 < tokens.size() && keys > 0; ++i) {
    if (!tokens.is(i, "expect") || !tokens.is(i + 1, "{") || tokens[i + 1].partner == kNone) continue;
    for (const BlockItem& one : read_block(tokens, {i + 2, tokens[i + 1].partner})) {
      if (one.value.end != one.value.begin + 1 || !tokens[one.value.begin].is_text() || one.quoted ||
          among(one.key, {"status", "reason", "id"}))
        continue;
      if (--keys < 0) break;
      bool declared = false;
      for (std::size_t k = 0; k + 1 < tokens.size() && !declared; ++k)
        declared = tokens[k].starts && tokens.is(k + 1, one.key);
      if (!declared) return one.key;
    }
  }
  return "grade";
}

// match score { >= 90 => "A", _ => "B" }, as a declaration
void matched_grades(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = line_first(tokens, window.at);
  if (!among(tokens[i].shown, {"match", "switch", "case", "select"})) return;
  std::size_t of = i + 1;
  const bool bracket = tokens.is(of, "(");
  if (bracket) ++of;
  std::size_t at = of + (bracket ? 2 : 1);
  while (tokens.is(at, ":")) ++at;
  const Block block = block_behind(tokens, at, column_of(tokens, i));
  if (tokens[of].kind != Token::Kind::word || block.inside.empty()) return;
  const Written bands = bands_between(tokens, block.inside.begin, block.inside.end, expected_name(tokens),
                                      tokens[of].shown, indent_before(tokens, i), true);
  if (!bands.text.empty()) out.add(tokens[i].begin, tokens[block.last].end, bands.text, bands.sure);
}

// Whether the line of a token stands deeper than a dimension above it: its levels are none of the score.
bool inside_dimension(const Tokens& tokens, std::size_t i) {
  const std::size_t column = column_of(tokens, i);
  for (const std::size_t line : lines_upwards(tokens, i, 30)) {
    if (column_of(tokens, line) < column) return tokens.is(line, "dimension") || tokens.is(line, "criterion");
  }
  return false;
}

// Whether an unknown word heads grades, 'medal:', with limits that rise or fall in the lines below it.
bool heads_limits(const Tokens& tokens, std::size_t i) {
  if (!(tokens.is(i + 1, ":") || tokens.is(i + 1, "=")) || !tokens[i + 2].first || tokens[i].starts ||
      !known_word(tokens[i].shown).empty())
    return false;
  const Block block = block_behind(tokens, i + 2, column_of(tokens, i));
  std::vector<double> lows;
  std::size_t lines = 0;
  for (const auto& [from, to] : entries(tokens, block.inside.begin, block.inside.end)) {
    Grade grade;
    if (!read_grade(tokens, from, to, grade, nullptr) || !grade.good()) return false;
    if (raw(tokens, {from, to}).find('%') != std::string::npos) return false;
    if (!grade.rest && !grade.upper()) lows.push_back(grade.low());
    ++lines;
  }
  return lines > 2 && (std::is_sorted(lows.begin(), lows.end()) || std::is_sorted(lows.rbegin(), lows.rend()));
}

// grades { A: 90, B: 80 } and the like
void blocks_of_grades(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens[i].first || tokens[i].kind != Token::Kind::word || inside_dimension(tokens, i)) continue;
    const bool unknown = !heads_grades(tokens[i].shown);
    if (unknown && !(i == window.at && heads_limits(tokens, i))) continue;
    std::size_t at = i + 1;
    const std::string head = in_lower_case(tokens[i].shown);
    const bool plural = among(head, {"medals", "tiers", "ratings", "levels", "verdicts"});
    const bool single = among(head, {"medal", "tier", "rating", "level", "verdict", "class", "outcome"});
    std::string name = plural              ? head.substr(0, head.size() - 1)
                       : single || unknown ? as_name(head)
                                           : expected_name(tokens),
                of = "score";
    const auto named = [&](std::size_t k) {
      return (tokens[k].kind == Token::Kind::word && !is_reserved(tokens[k].shown) && !tokens[k].first) ||
             tokens[k].kind == Token::Kind::text;
    };
    if (named(at) && !among(tokens[at].shown, {"of", "by", "for", "on"}) &&
        (tokens.is(at + 1, "{") || tokens.is(at + 1, "(") || tokens.is(at + 1, ":") || tokens.is(at + 1, "=") ||
         tokens.is(at + 1, "[") || among(tokens[at + 1].shown, {"of", "by", "for", "on"})))
      name = as_name(tokens[at].shown[0] == '"' ? tokens[at].shown.substr(1, tokens[at].shown.size() - 2)
                                                : tokens[at].shown),
      ++at;
    if (tokens.is(at, "(") && tokens.is(at + 2, ")")) of = tokens[at + 1].shown, at += 3;
    if (among(tokens[at].shown, {"of", "by", "for", "on"}) && tokens[at + 1].kind == Token::Kind::word)
      of = tokens[at + 1].shown, at += 2;
    const bool sign = tokens.is(at, ":") || tokens.is(at, "=") || tokens.is(at, ":=") ||
                      ((tokens.is(at, "is") || tokens.is(at, "are")) && tokens[at + 1].is_text());
    if (sign) ++at;
    std::size_t begin = at, end = at, last = at;
    const bool bracket = tokens.opens(at) && tokens[at].partner != kNone && (tokens.is(at, "{") || sign);
    const std::size_t more = bracket ? tokens[at].partner + 1 : at;  // a second list, on the next line
    const bool two = bracket && tokens.is(at, "[") && tokens[more].first &&
                     tokens[more + 1].kind == Token::Kind::sign && tokens.is(more + 2, "[") &&
                     tokens[more + 2].partner != kNone;
    if (two) {
      begin = i, end = tokens[more + 2].partner + 1, last = end - 1;
    } else if (bracket) {
      begin = at + 1, end = tokens[at].partner, last = end;
    } else if (sign) {
      while (end < tokens.size() - 1 && !(tokens[end].first && tokens[end].starts) && !tokens.closes(end))
        end = tokens.behind(end);
      last = end - 1;
    }
    if (end <= begin || last < i) continue;
    const Written bands =
        bands_between(tokens, begin, end, name, of, spaces_before(tokens.text(), tokens[i].begin), window.at >= begin);
    if (!bands.text.empty()) out.add(tokens[i].begin, tokens[last].end, bands.text, bands.sure);
  }
}

// if score >= 90 then "A", and more lines of the kind
void chains_of_conditions(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const auto heads = [&tokens](std::size_t i) {
    // grade A from 90
    const bool graded = tokens[i].first &&
                        among(tokens[i].shown, {"grade", "band", "level", "tier", "rating", "medal"}) &&
                        (tokens[i + 1].value() && !tokens[i + 1].first) && !tokens.is(i + 1, "when");
    if (graded) return true;
    return tokens[i].first &&
           among(tokens[i].shown, {"if", "when", "elif", "elsif", "elseif", "else", "case", "otherwise", "default"});
  };
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!heads(i) || (i > 0 && heads(i - 1)) || (tokens.is(i, "level") && inside_dimension(tokens, i))) continue;
    std::vector<Grade> grades;
    std::string of;
    std::size_t at = i, behind = i;
    const bool graded = !among(tokens[i].shown, {"if", "when", "case"});
    while (at < tokens.size() - 1) {
      std::size_t from = at;
      if (!heads(from)) break;
      std::size_t to = from + 1;
      while (to < tokens.size() - 1 && !heads(to) && !tokens[to].starts &&
             !(tokens.closes(to) && (tokens[to].partner == kNone || tokens[to].partner < from)))
        to = tokens.behind(to);
      Grade grade;
      if (graded && tokens.is(from, tokens[i].shown)) ++from;  // the word 'grade' is no label
      if (tokens.is(from, "else") && tokens.is(from + 1, "if")) ++from;
      else if (among(tokens[from].shown, {"else", "otherwise", "default"})) grade.rest = true;
      if (!read_grade(tokens, from, to, grade, among(tokens[i].shown, {"if", "when", "case"}) ? &of : nullptr) ||
          !grade.good())
        break;
      grades.push_back(std::move(grade));
      at = behind = to;
    }
    if (graded) of = "score";
    if (grades.size() < 2 || of.empty()) continue;
    std::string name = graded && !among(tokens[i].shown, {"band", "else", "default", "otherwise"})
                           ? std::string(tokens[i].shown)
                           : expected_name(tokens);
    // the name that each branch sets
    for (std::size_t k = i; k + 2 < behind; ++k) {
      if (tokens[k].kind == Token::Kind::word && tokens.is(k + 1, "=") && tokens[k + 2].is_text())
        name = tokens[k].shown;
    }
    const Written bands = table_of_grades(name, of, grades, spaces_before(tokens.text(), tokens[i].begin));
    if (!bands.text.empty()) out.add(tokens[i].begin, tokens[behind - 1].end, bands.text, bands.sure);
  }
}

// A line of grades alone: 'A is 16 or more, B is 10 or more, C is anything below'
void line_of_grades(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = line_first(tokens, window.at), last = line_last(tokens, i);
  if (tokens.is(i, "bands") && tokens.is(i + 2, "=") &&
      last > i + 4) {  // bands verdict = merge >= 85, reject otherwise
    const Written bands = bands_between(tokens, i + 3, last + 1, std::string(tokens[i + 1].shown), "score",
                                        spaces_before(tokens.text(), tokens[i].begin), true);
    if (!bands.text.empty()) out.add(tokens[i].begin, tokens[last].end, bands.text, bands.sure);
  }
  if (tokens[i].starts || window.problem.code != "E0107" || !word_of_statement(tokens[i].shown).empty()) return;
  std::size_t limits = 0;
  for (std::size_t k = i; k <= last; ++k) limits += tokens[k].kind == Token::Kind::number ? 1 : 0;
  const Written bands = limits < 2 ? Written()
                                   : bands_between(tokens, i, last + 1, expected_name(tokens), "score",
                                                   spaces_before(tokens.text(), tokens[i].begin), true);
  if (!bands.text.empty()) out.add(tokens[i].begin, tokens[last].end, bands.text, bands.sure);
}

// Bands whose rows are differences, '90-100': ranges, of which the lower ends count, from the highest down.
void rows_of_ranges(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  struct Row {
    std::size_t begin, end;  // bytes
    double low;
    std::string text;
  };
  const auto value = [&tokens](std::size_t i) { return std::strtod(std::string(tokens[i].shown).c_str(), nullptr); };
  for (std::size_t i = 0; i <= window.at; ++i) {
    if (!tokens[i].starts || !tokens.is(i, "bands")) continue;
    std::size_t open = i;
    while (open < tokens.size() - 1 && !tokens.is(open, "{")) ++open;
    if (tokens[open].partner == kNone || tokens[open].partner < window.at) continue;
    std::vector<Row> rows;
    bool ranges = true;
    for (std::size_t k = open + 1; k < tokens[open].partner; ++k) {
      if (!tokens[k].first || !tokens.is(k, "|")) continue;
      std::size_t last = k;
      while (last + 1 < tokens[open].partner && !tokens[last + 1].first) ++last;
      if (tokens[k + 1].kind != Token::Kind::number) continue;
      const bool sign = among(tokens[k + 2].shown, {"-", "..", "–", "to"});
      ranges = ranges && sign && tokens[k + 3].kind == Token::Kind::number && tokens.is(k + 4, "|");
      if (!ranges) break;
      const std::size_t low = value(k + 1) <= value(k + 3) ? k + 1 : k + 3;
      rows.push_back({tokens[k].begin, tokens[last].end, value(low),
                      "| >= " + std::string(tokens[low].shown) + " " + std::string(tokens.text(k + 4, last))});
    }
    if (!ranges || rows.size() < 2) continue;
    std::vector<Row> sorted = rows;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Row& x, const Row& y) { return x.low > y.low; });
    std::string text;  // as one edit: comments go with their rows
    for (const Row& row : sorted) text += (text.empty() ? "" : "\n" + indent_before(tokens, open + 1)) + row.text;
    out.add(rows.front().begin, rows.back().end, text, true);
  }
}

}  // namespace

bool heads_grades(std::string_view word) {
  return among(in_lower_case(word),
               {"bands",  "band",   "grades",     "grade",     "grading", "levels",   "ratings", "rating",
                "tiers",  "tier",   "thresholds", "threshold", "cutoffs", "verdicts", "medals",  "labels",
                "ranges", "scores", "results",    "buckets",   "classes", "class",    "outcomes"});
}

std::string bands_of(const Tokens& tokens, const std::vector<BlockItem>& items, std::string_view name,
                     std::string_view indent, bool& sure) {
  if (Written lists = bands_of_lists(tokens, items, name, "score", indent); !lists.text.empty()) {
    sure = sure && lists.sure;
    return lists.text;
  }
  if (std::string keyed = bands_of_keys(tokens, items, std::string(name), "score", indent); !keyed.empty())
    return keyed;
  std::string rows;
  for (const BlockItem& item : items) rows += raw(tokens, item.all) + "\n";
  const Tokens lines(rows);
  const Written bands = bands_between(lines, 0, lines.size() - 1, name, "score", indent, true);
  sure = sure && bands.sure;
  return bands.text;
}

void grades(const Window& window, Proposals& out) {
  if (window.problem.code.substr(0, 3) == "E01") {
    blocks_of_grades(window, out);
    matched_grades(window, out);
    line_of_grades(window, out);
    chains_of_conditions(window, out);
  } else {
    rows_of_ranges(window, out);
  }
}

}  // namespace assay::mending
