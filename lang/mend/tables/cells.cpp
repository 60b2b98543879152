// The cells of a table of the rubric, each by itself: limits in words, decimal commas, formulas of spreadsheets, texts
// without quotation marks.
#include "lang/mend/tables/cells.hpp"
#include "lang/mend/foreign/reader.hpp"
#include "lang/mend/mend.hpp"
#include "lang/number/written_number.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace assay::mending {
namespace {

struct TableCell {
  std::size_t begin, end;  // tokens
  std::size_t column;
  bool empty() const { return begin == end; }
};

// [50, 120) of mathematics, as bounds; empty: the cell is no such interval.
std::string interval_of(const Tokens& tokens, const TableCell& cell) {
  const std::size_t i = cell.begin;
  const bool form = cell.end == i + 5 && (tokens.is(i, "[") || tokens.is(i, "(")) && tokens.is(i + 2, ",") &&
                    (tokens.is(i + 4, "]") || tokens.is(i + 4, ")")) && tokens[i + 1].kind == Token::Kind::number &&
                    tokens[i + 3].kind == Token::Kind::number;
  if (!form) return {};
  return (tokens.is(i, "[") ? ">= " : "> ") + std::string(tokens[i + 1].shown) +
         (tokens.is(i + 4, "]") ? " <= " : " < ") + std::string(tokens[i + 3].shown);
}

// The cells below the header; empty: the block is no table of this form.
std::vector<TableCell> cells_of(const Tokens& tokens, std::size_t open, std::size_t& columns) {
  std::vector<TableCell> result;
  const std::size_t close = tokens[open].partner;
  columns = 0;
  std::size_t column = 0;
  bool inside = false;  // a row
  for (std::size_t i = open + 1; i < close;) {
    if (!inside) {
      if (!tokens.is(i, "|")) return {};
      inside = true, column = 0, ++i;
      continue;
    }
    std::size_t end = i;
    while (end < close && !tokens.is(end, "|") && !tokens[end].first) end = tokens.behind(end);
    if (end >= close || !tokens.is(end, "|")) return {};
    const bool head = columns == 0 || result.empty();
    const bool empty = end == i && columns > 0 && column < columns;
    if (end > i || empty) result.push_back({i, end, column});
    ++column;
    i = end + 1;
    const bool last = i >= close || tokens[i].first || (head && columns == 0 && tokens.is(i, "|"));
    if (last && columns == 0) columns = column, result.clear();
    if (last || column == columns) inside = false;
  }
  return result;
}

bool is_plain(std::string_view text, const Tokens& tokens, const TableCell& cell) {
  if (cell.end == cell.begin + 1 && tokens[cell.begin].kind == Token::Kind::text) return true;
  return text == "otherwise" || text == "missing" || text == "true" || text == "false";
}

// d,d without blanks: a decimal comma, where a list of values has no place
bool has_comma(const Tokens& tokens, const TableCell& cell) {
  if (cell.end == cell.begin) return false;
  for (std::size_t i = cell.begin; i + 2 < cell.end; ++i) {
    const bool number = tokens[i].kind == Token::Kind::number && tokens[i + 2].kind == Token::Kind::number;
    if (number && tokens.is(i + 1, ",") && tokens[i].end == tokens[i + 1].begin &&
        tokens[i + 1].end == tokens[i + 2].begin)
      return true;
  }
  return false;
}

std::string with_points(const Tokens& tokens, const TableCell& cell) {
  std::string text;
  for (std::size_t i = cell.begin; i < cell.end; ++i) {
    const bool comma = i > cell.begin && tokens.is(i, ",") && tokens[i - 1].kind == Token::Kind::number &&
                       tokens[i + 1].kind == Token::Kind::number && tokens[i - 1].end == tokens[i].begin &&
                       tokens[i].end == tokens[i + 1].begin;
    if (i > cell.begin) text.append(tokens[i].begin - tokens[i - 1].end, ' ');
    // No decimals are three zeros.
    text += !comma ? std::string(tokens[i].shown) : tokens.is(i + 1, "000") ? "_" : ".";
  }
  return text;
}

// Whether a word of a cell is no name of the rubric: it stands for itself.
bool is_free(const Tokens& tokens, const TableCell& cell, const KnownNames& facts) {
  for (std::size_t i = cell.begin; i < cell.end; ++i) {
    const bool word = tokens[i].kind == Token::Kind::word && !facts.declares(tokens[i].shown) &&
                      !is_reserved(tokens[i].shown) && facts.shapes.count(tokens[i].shown) == 0;
    const bool sign = i > cell.begin && among(tokens[i].shown, {"-", "/", "&"});
    if (!word && !sign) return false;
  }
  return true;
}

// A comparison, a number or a range as Assay has it.
bool is_key(const Tokens& tokens, const TableCell& cell) {
  for (std::size_t i = cell.begin; i < cell.end; ++i) {
    const Token& t = tokens[i];
    const bool known = t.kind == Token::Kind::number || t.kind == Token::Kind::text ||
                       among(t.shown, {"..", ",", ">=", "<=", ">", "<", "otherwise", "missing", "true", "false"}) ||
                       (t.shown == "-" && (i == cell.begin || tokens[i - 1].kind == Token::Kind::sign));
    if (!known) return false;
    const bool ends = t.shown != ".." || (i > cell.begin && i + 1 < cell.end);
    if (!ends || (t.shown == ".." && among(tokens[i + 1].shown, {"<", "<="}))) return false;  // one end open, 0..<5
    // two numbers in a row belong to nothing
    if (i > cell.begin && t.kind == Token::Kind::number && tokens[i - 1].kind == Token::Kind::number) return false;
  }
  return true;
}

// < 0 or > 5: several keys; empty: the cell is something else.
std::string alternatives_of(const Tokens& tokens, const TableCell& cell) {
  std::string all;
  std::size_t begin = cell.begin, count = 0;
  for (std::size_t i = cell.begin; i <= cell.end; ++i) {
    if (i < cell.end && !tokens.is(i, "or")) continue;
    if (i == begin || !is_key(tokens, {begin, i, cell.column}) || tokens[begin].is_text()) return {};
    all += (all.empty() ? "" : ", ") + std::string(tokens.text(begin, i - 1));
    begin = i + 1, ++count;
  }
  return count > 1 ? all : std::string();
}

std::optional<csv::Form> key(const Tokens& tokens, const TableCell& cell, const KnownNames& facts) {
  const std::string_view text = tokens.text(cell.begin, cell.end - 1);
  if (is_key(tokens, cell)) return std::nullopt;
  if (text == "_" || text == "*") return csv::Form{"otherwise"};
  if (std::string limits = csv::limits_in(text); !limits.empty()) return csv::Form{std::move(limits)};
  if (std::string either = alternatives_of(tokens, cell); !either.empty()) return csv::Form{std::move(either)};
  const bool compares = cell.end > cell.begin + 2 && tokens[cell.begin].kind == Token::Kind::word &&
                        among(tokens[cell.begin + 1].shown, {"<", "<=", ">", ">=", "==", "=", "in", "is", "≥", "≤"});
  if (compares) {  // level < 5: the column says of what
    const bool sign = among(tokens[cell.begin + 1].shown, {"==", "=", "in", "is"});
    const TableCell rest{cell.begin + (sign ? 2 : 1), cell.end, cell.column};
    const std::string_view limit = tokens.text(rest.begin, rest.end - 1);
    if (is_key(tokens, rest)) return csv::Form{std::string(limit)};
    return csv::key_form(limit);
  }
  if (cell.end == cell.begin + 1 && tokens[cell.begin].is_text()) return csv::Form{as_text(text)};
  std::string all;  // several texts or words: a or b, a / b, a, b
  bool several = false;
  for (std::size_t i = cell.begin; i < cell.end; ++i) {
    if (among(tokens[i].shown, {"or", "/", "|", ","})) {
      several = true;
    } else if (tokens[i].is_text() || is_free(tokens, {i, i + 1, 0}, facts)) {
      all += (all.empty() ? "" : ", ") +
             (tokens[i].is_text() ? as_text(tokens[i].shown) : "\"" + std::string(tokens[i].shown) + "\"");
    } else {
      several = false;
      break;
    }
  }
  if (among(in_lower_case(text), {"more", "above", "over", "higher", "below", "less"}))
    return csv::Form{"otherwise", false};
  if (std::optional<csv::Form> form = csv::key_form(text)) {
    if (form->text.empty()) form->text = "missing";
    if (form->text != text) return form;
  }
  const std::string lower = in_lower_case(text);
  if (lower == "yes" || lower == "no") return csv::Form{lower == "yes" ? "true" : "false"};
  if (several) return csv::Form{all};
  if (is_free(tokens, cell, facts)) return csv::Form{"\"" + std::string(text) + "\""};
  return std::nullopt;
}

// Words beside each other of which the rubric knows none: for a museum, as a gift, when asked.
bool is_phrase(const Tokens& tokens, const TableCell& cell, const KnownNames& facts) {
  for (std::size_t i = cell.begin; i < cell.end; ++i) {
    const std::string_view word = tokens[i].shown;
    const bool joins = among(word, {"for", "as", "when", "if", "or", "and", "in", "not", "by", "with", "at", "is"});
    if (tokens[i].kind != Token::Kind::word || facts.declares(word) || facts.bound.count(word) != 0 ||
        (is_reserved(word) && !joins))
      return false;
  }
  return true;
}

std::optional<csv::Form> value(const Tokens& tokens, TableCell cell, const KnownNames& facts) {
  const std::string_view text = tokens.text(cell.begin, cell.end - 1);
  if (is_plain(text, tokens, cell)) return std::nullopt;
  if (cell.end == cell.begin + 1 && tokens[cell.begin].is_text()) return csv::Form{as_text(text)};
  if (says_unknown(in_lower_case(text))) return csv::Form{"missing"};
  if (among(text, {"✓", "✔", "☑", "✅"})) return csv::Form{"true"};
  if (among(text, {"✗", "✘", "☒", "❌"})) return csv::Form{"false"};
  bool words = cell.end > cell.begin + 1;  // which no expression has one beside the other: cheap and fast
  for (std::size_t i = cell.begin; i < cell.end; ++i)
    words = words && tokens[i].kind == Token::Kind::word &&
            (!is_reserved(tokens[i].shown) ||
             (among(tokens[i].shown, {"and", "or", "for", "in"}) && i > cell.begin && i + 1 < cell.end &&
              !facts.declares(tokens[i - 1].shown) && !facts.declares(tokens[i + 1].shown)));
  if (words) return csv::Form{"\"" + std::string(text) + "\""};
  if (cell.end > cell.begin + 1 && is_phrase(tokens, cell, facts)) return csv::Form{"\"" + std::string(text) + "\""};
  if (is_free(tokens, cell, facts) && !among(in_lower_case(text), {"yes", "no", "true", "false"}))
    return csv::Form{"\"" + std::string(text) + "\""};
  const bool sign = tokens.is(cell.begin, "=") || tokens.is(cell.begin, ":");  // =a*2, of a spreadsheet
  if (sign) ++cell.begin;
  if (cell.begin == cell.end) return std::nullopt;
  Reader reader(tokens, facts, cell.begin, cell.end);
  const Expr e = reader.expression();
  if (!reader.failed() && reader.at() == cell.end) {
    const std::string written = write(e);
    const auto signs = [](std::string_view s) {
      std::string result;
      std::copy_if(s.begin(), s.end(), std::back_inserter(result), [](char c) { return c != ' '; });
      return result;
    };
    const bool same = signs(written) == signs(tokens.text(cell.begin, cell.end - 1));
    if (!same) return csv::Form{written};
    return sign ? std::optional(csv::Form{std::string(tokens.text(cell.begin, cell.end - 1))}) : std::nullopt;
  }
  return csv::number_form(text, false);
}

// '60 >=' among '>= 90' and '>= 30': the sign stands on the wrong side. Among cells without such a sign it is 60 >= key.
bool sign_behind(const Tokens& tokens, const TableCell& cell, const std::vector<TableCell>& all) {
  if (cell.end != cell.begin + 2 || tokens[cell.begin].kind != Token::Kind::number) return false;
  const std::string_view sign = tokens[cell.begin + 1].shown;
  return among(sign, {">=", ">", "<=", "<"}) && std::any_of(all.begin(), all.end(), [&](const TableCell& other) {
           return other.column == cell.column && other.begin < other.end &&
                  among(tokens[other.begin].shown, {">=", ">", "<=", "<"}) &&
                  tokens[other.begin].shown.front() == sign.front();
         });
}

std::string sign_in_front(const Tokens& tokens, const TableCell& cell) {
  return std::string(tokens[cell.begin + 1].shown) + " " + std::string(tokens[cell.begin].shown);
}

// table t(k) { "a" -> 1, "b": 2 }, lines of cells with commas, or a list of pairs: as rows between bars.
void rows_of_others(const Window& window, std::size_t head, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!tokens.is(head + 2, "(") || tokens[head + 2].partner == kNone) return;
  std::vector<std::string> columns;
  for (std::size_t i = head + 3; i < tokens[head + 2].partner; ++i) {
    if (tokens[i].kind == Token::Kind::word && (tokens.is(i - 1, "(") || tokens.is(i - 1, ",")))
      columns.emplace_back(tokens[i].shown);
  }
  std::size_t open = tokens[head + 2].partner + 1;
  if (tokens[open].is_text()) ++open;
  if (tokens.is(open, "=") || tokens.is(open, ":")) ++open;
  const bool lines = !tokens.opens(open);  // up to the next declaration
  if (!lines && tokens[open].partner == kNone) return;
  if (lines || columns.empty() || tokens.is(open + 1, "|")) return;
  const std::size_t close = tokens[open].partner;
  const KnownNames facts(tokens);
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> rows;  // cells, as tokens
  const auto divides = [&](std::size_t i) { return among(tokens[i].shown, {"->", "=>", ":", "=", "→"}); };
  for (std::size_t i = open + 1; i < close;) {
    if (among(tokens[i].shown, {",", ";"})) {
      ++i;
      continue;
    }
    std::size_t begin = i, end = i;
    const bool bracket = (tokens.is(i, "[") || tokens.is(i, "(") || tokens.is(i, "{")) && tokens[i].partner < close;
    if (bracket) begin = i + 1, end = tokens[i].partner;
    std::vector<std::pair<std::size_t, std::size_t>> row;
    bool mapped = false;
    std::size_t k = begin;
    for (std::size_t from = begin;; ++k) {
      const bool stop = bracket ? k >= end : k >= close || (k > begin && tokens[k].first) || tokens.is(k, ";");
      const bool comma = tokens.is(k, ",") && !stop;
      const bool sign = divides(k) && !mapped && !stop;
      if (comma && mapped && !bracket && !tokens[k + 1].first) {  // the next pair, on the same line
        const bool pair = k + 2 < close && (divides(k + 2) || (tokens.is(k + 2, "..") && divides(k + 4)));
        if (pair) {
          row.emplace_back(from, k);
          break;
        }
      }
      if (!stop && !comma && !sign) continue;
      if (k > from) row.emplace_back(from, k);
      from = k + 1;
      mapped = mapped || sign;
      if (stop) break;
    }
    if (row.size() < 2) return;
    rows.push_back(std::move(row));
    i = bracket ? end + 1 : k;
  }
  if (rows.size() < 2) return;
  const std::size_t width = rows[0].size(), keys = columns.size();
  for (const auto& row : rows) {
    if (row.size() != width) return;
  }
  if (width <= keys) return;
  const auto shown = [&](const std::pair<std::size_t, std::size_t>& cell) {
    return std::string(tokens.text(cell.first, cell.second - 1));
  };
  const bool headed = std::all_of(rows[0].begin(), rows[0].end(),
                                  [&](const auto& cell) {
                                    return cell.second == cell.first + 1 &&
                                           tokens[cell.first].kind == Token::Kind::word &&
                                           !csv::means_otherwise(shown(cell));
                                  }) &&
                      shown(rows[0][0]) == columns[0];
  for (std::size_t c = columns.size(); c < width; ++c)
    columns.push_back(headed              ? shown(rows[0][c])
                      : width == keys + 1 ? "value"
                                          : "value" + std::to_string(c - keys + 1));
  const std::string indent(4, ' ');
  std::string text = "{\n" + indent + "|";
  for (const std::string& column : columns) text += " " + column + " |";
  for (std::size_t r = headed ? 1 : 0; r < rows.size(); ++r) {
    text += "\n" + indent + "|";
    for (std::size_t c = 0; c < width; ++c) {
      const TableCell cell{rows[r][c].first, rows[r][c].second, c};
      const std::optional<csv::Form> form = c < keys ? key(tokens, cell, facts) : value(tokens, cell, facts);
      text += " " + (form ? form->text : shown(rows[r][c])) + " |";
    }
  }
  const std::size_t before = tokens[head + 2].partner;
  out.add(tokens[tokens[before + 1].is_text() ? before + 1 : before].end, tokens[close].end, " " + text + "\n  }",
          true);
}

// A table with the names of its keys missing, that is called with some of them.
std::string names_of_keys(const Tokens& tokens, std::size_t head, std::size_t open) {
  const std::string_view name = tokens[head + 1].shown;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens.is(i, name) || i == head + 1 || !tokens.is(i + 1, "(") || tokens[i + 1].partner == kNone) continue;
    std::size_t given = 1;
    for (std::size_t k = i + 2; k < tokens[i + 1].partner; k = tokens.behind(k)) given += tokens.is(k, ",") ? 1 : 0;
    std::string keys;
    for (std::size_t c = 0; c < given; ++c) {
      if (tokens[open + 2 + 2 * c].kind != Token::Kind::word) return {};
      keys += (c == 0 ? "" : ", ") + std::string(tokens[open + 2 + 2 * c].shown);
    }
    return keys;
  }
  // Bands look up what their first column names.
  const bool bands = tokens.is(head, "bands") && tokens[open + 2].kind == Token::Kind::word && tokens.is(open + 3, "|");
  return bands ? std::string(tokens[open + 2].shown) : std::string();
}

// Rows that lack the bar at one end, among others that have it.
void bars_at_ends(const Window& window, std::size_t open, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  std::size_t whole = 0;
  for (std::size_t i = open + 1; i < tokens[open].partner; ++i) {
    if (!tokens[i].first) continue;
    std::size_t last = i, bars = 0;
    while (last + 1 < tokens[open].partner && !tokens[last + 1].first) ++last;
    for (std::size_t k = i; k <= last; ++k) bars += tokens.is(k, "|") ? 1 : 0;
    if (bars == 0) return;
    if (!tokens.is(i, "|")) edits.push_back(out.edit(tokens[i].begin, tokens[i].begin, "| "));
    if (!tokens.is(last, "|")) edits.push_back(out.edit(tokens[last].end, tokens[last].end, " |"));
    whole += tokens.is(i, "|") && tokens.is(last, "|") ? 1 : 0;
  }
  if (whole > 0 && !edits.empty()) out.add_here(std::move(edits));
}

// ---- a row with a cell too many or too few

// What the cells of a column have in common: numbers and their limits, texts, or something else.
char sort_of(const Tokens& tokens, const TableCell& cell) {
  const std::size_t last = cell.end - 1;
  if (cell.begin == cell.end) return '?';
  if (tokens[cell.begin].kind == Token::Kind::text) return 't';
  return tokens[last].kind == Token::Kind::number && is_key(tokens, cell) ? 'n' : '?';
}

// The rows of a table by its lines, each with the cells that it has; empty: a line begins otherwise. `odd`: the row of
// token `at`.
std::vector<std::vector<TableCell>> lines_of_cells(const Tokens& tokens, std::size_t open, std::size_t at,
                                                   std::size_t& odd) {
  constexpr std::size_t kMost = 500;
  std::vector<std::vector<TableCell>> rows;
  for (std::size_t i = open + 1; i < tokens[open].partner;) {
    if (!tokens.is(i, "|") || rows.size() == kMost) return {};
    std::size_t next = i + 1;
    while (next < tokens[open].partner && !tokens[next].first) ++next;
    if (at >= i && at < next) odd = rows.size();
    rows.emplace_back();
    for (std::size_t from = i + 1, k = from; k < next; k = tokens.behind(k)) {
      if (!tokens.is(k, "|")) continue;
      rows.back().push_back({from, k, rows.back().size()});
      from = k + 1;
    }
    i = next;
  }
  return rows;
}

// Rows with words in their first cell alone are headings of the rows below: comments. False: there are none.
bool headings(const Window& window, const std::vector<std::vector<TableCell>>& rows, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  for (const std::vector<TableCell>& row : rows) {
    if (row.size() == rows[0].size() && !row[1].empty()) continue;
    const bool alone = !row.empty() && !row[0].empty() &&
                       std::all_of(row.begin() + 1, row.end(), [](const auto& cell) { return cell.empty(); });
    bool words = alone;
    std::string text;
    for (std::size_t i = alone ? row[0].begin : 0; words && i < row[0].end; ++i) {
      const std::string_view shown = tokens[i].shown;
      words = shown != "otherwise" && !tokens[i].is_text() && (tokens[i].kind == Token::Kind::word || shown == "*");
      if (tokens[i].kind == Token::Kind::word) text += (text.empty() ? "" : " ") + std::string(shown);
    }
    if (!words || text.empty()) return false;
    edits.push_back(out.edit(tokens[row[0].begin - 1].begin, tokens[row.back().end].end, "# " + text));
  }
  if (edits.empty()) return false;
  out.add(std::move(edits), true);
  return true;
}

// The row of the problem with as many cells as there are columns: two numbers as a range among other ranges, a cell that
// differs from its column left out, a bar between two values, the cell above in place of an empty one.
void odd_row(const Window& window, std::size_t open, std::size_t keys, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::size_t odd = 0;
  const std::vector<std::vector<TableCell>> rows = lines_of_cells(tokens, open, window.at, odd);
  const std::size_t columns = rows.empty() ? 0 : rows[0].size();
  if (columns >= 2 && headings(window, rows, out)) return;
  if (odd == 0 && rows.size() > 1) odd = 1;  // the header, of which all rows differ
  if (odd == 0 || columns < 2) return;
  const std::vector<TableCell>& row = rows[odd];
  const auto written = [&](const TableCell& cell) { return tokens.text(cell.begin, cell.end - 1); };
  // Whether each cell may stand in its column, as far as the other rows show, with one more or less at `gap`.
  const auto all_fit = [&](std::size_t gap, bool more) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::size_t column = c < gap ? c : more ? c - 1 : c + 1;
      const char sort = sort_of(tokens, row[c]);
      const bool other = std::any_of(rows.begin() + 1, rows.end(), [&](const auto& one) {
        const char known = one.size() == columns && column < columns ? sort_of(tokens, one[column]) : '?';
        return known != '?' && known != sort;
      });
      if (!(more && c == gap) && sort != '?' && other) return false;
    }
    return true;
  };
  if (row.size() == columns + 1) {
    const bool all = std::all_of(rows.begin() + 1, rows.end(), [&](const auto& r) { return r.size() == columns + 1; });
    const auto number = [&](const TableCell& cell) {
      return cell.end == cell.begin + 1 && tokens[cell.begin].kind == Token::Kind::number;
    };
    for (std::size_t c = 0; c < keys; ++c) {  // 8 | 10 for 8..10
      std::vector<Edit> edits;
      bool ranges = false;
      for (const std::vector<TableCell>& one : rows) {
        ranges = ranges || (one.size() == columns && tokens.is(one[c].begin + 1, ".."));
        if (one.size() > columns && number(one[c]) && number(one[c + 1]))
          edits.push_back(out.edit(tokens[one[c].begin].end, tokens[one[c + 1].begin].begin, ".."));
      }
      // Without other ranges only those that lie behind one another are some.
      bool apart = true;
      for (std::size_t r = 1; all && apart && r < rows.size(); ++r) {
        const auto value = [&](std::size_t of, std::size_t cell) {
          return std::strtod(std::string(tokens[rows[of][cell].begin].shown).c_str(), nullptr);
        };
        apart = value(r, c) <= value(r, c + 1) &&
                (r == 1 || value(r, c) > value(r - 1, c + 1) || value(r, c + 1) < value(r - 1, c));
      }
      if (all ? edits.size() + 1 == rows.size() && apart : !edits.empty() && ranges)
        return out.add(std::move(edits), true);
    }
    const auto blank = std::find_if(row.begin(), row.end(), [](const TableCell& cell) { return cell.empty(); });
    if (blank != row.end() && blank != row.begin() && !all)  // | < 20 | | "fair" |
      return out.add(tokens[blank->begin - 1].end, tokens[blank->end].end, "", true);
    const std::size_t behind = tokens[rows[0].back().end].end;
    if (all) return out.add(behind, behind, " note |", false);
    std::size_t left_out = row.size();
    bool again = false;
    for (std::size_t gap = row.size(); gap-- > 0 && !again;) {
      again = gap > 0 && written(row[gap]) == written(row[gap - 1]);
      if (all_fit(gap, true) && (again || left_out == row.size())) left_out = gap;
    }
    if (left_out < row.size())
      out.add(tokens[row[left_out].begin - 1].end, tokens[row[left_out].end].end, "", again && left_out > 0);
  } else if (row.size() + 1 == columns && !row.empty()) {
    for (const TableCell& cell : row) {  // >= 60 "ok"; as a value "A", "Great"
      for (std::size_t k = cell.begin; k + 1 < cell.end; k = tokens.behind(k)) {
        const std::size_t next = k + (cell.column >= keys && tokens.is(k + 1, ",") ? 2 : 1);
        if (tokens.ends_value(k) && tokens[next].value() && !is_reserved(tokens[next].shown))
          return out.add(tokens[k].end, tokens[next].begin, " | ", true);
      }
    }
    for (std::size_t gap = columns; gap-- > 0;) {
      const bool above = gap < keys && odd > 1 && rows[odd - 1].size() == columns;
      if (!all_fit(gap, false) || (gap < keys && !above)) continue;
      const std::string cell(above ? written(rows[odd - 1][gap]) : "missing");
      const std::size_t at = gap < row.size() ? tokens[row[gap].begin].begin : tokens[row.back().end].end;
      return out.add(at, at, gap < row.size() ? cell + " | " : " " + cell + " |", false);
    }
  }
}

// Names of columns with their units: | kg (net) | fee, EUR | loses what stands behind the names.
std::vector<Edit> units_of_columns(const Tokens& tokens, std::size_t open, const Proposals& out) {
  std::size_t odd = 0;
  const std::vector<std::vector<TableCell>> rows = lines_of_cells(tokens, open, open, odd);
  std::set<std::string_view> names;  // of the keys
  for (std::size_t i = open; i-- > 0 && !tokens[i].starts;) names.insert(tokens[i].shown);
  std::vector<Edit> edits;
  for (const TableCell& cell : rows.empty() ? std::vector<TableCell>() : rows[0]) {
    std::size_t i = cell.begin;
    std::string name;
    for (; i < cell.end && tokens[i].kind == Token::Kind::word; ++i)
      name += (name.empty() ? "" : "_") + in_lower_case(tokens[i].shown);
    const bool unit = i + 1 < cell.end && (among(tokens[i].shown, {"(", "[", "/"}) ||
                                           (tokens.is(i, ",") && names.count(tokens[i + 1].shown) == 0));
    const bool percent = i + 1 == cell.end && among(tokens[i].shown, {"%", "€", "$", "£"});
    if (name.empty() || (i < cell.end && !unit && !percent)) return {};
    if (name != tokens.text(cell.begin, cell.end - 1))
      edits.push_back(out.edit(tokens[cell.begin].begin, tokens[cell.end - 1].end, name));
  }
  return edits;
}

// A table without the row that names its columns: the keys, then the table itself.
void names_of_columns(const Window& window, std::size_t head, std::size_t open, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::size_t bars = 0, keys = 1;
  bool named = true;  // it has that row
  for (std::size_t i = open + 1; i < tokens[open].partner && (i == open + 1 || !tokens[i].first); ++i) {
    bars += tokens.is(i, "|") ? 1 : 0;
    named = named && (tokens.is(i, "|") || tokens[i].kind == Token::Kind::word);
  }
  if (named) return;
  // The header stands among the rows.
  std::size_t odd = 0;
  const std::vector<std::vector<TableCell>> rows = lines_of_cells(tokens, open, open, odd);
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const bool header = rows[r].size() + 1 == bars && tokens.is(rows[r][0].begin, tokens[head + 3].shown) &&
                        std::all_of(rows[r].begin(), rows[r].end(), [&tokens](const TableCell& cell) {
                          return cell.end == cell.begin + 1 && tokens[cell.begin].kind == Token::Kind::word;
                        });
    if (!header) continue;
    const std::size_t bar = rows[r][0].begin - 1, last = rows[r].back().end;
    const std::string_view text = tokens.text();
    const std::size_t line = text.rfind('\n', tokens[bar].begin);
    if (line == text.npos || line < tokens[open].end) return;
    const std::string moved(text.substr(line, tokens[last].end - line));
    return out.add({out.edit(tokens[open].end, tokens[open].end, moved), out.edit(line, tokens[last].end, "")}, true);
  }
  std::string names = "| ";
  for (std::size_t i = head + 3; i < tokens[head + 2].partner; ++i) {
    if (tokens.is(i, ",")) ++keys;
    names += tokens.is(i, ",") ? "| " : std::string(tokens[i].shown) + " ";
  }
  if (!tokens.is(head + 2, "(") || bars < keys + 2) return;
  names += "| " + std::string(tokens[head + 1].shown) + " |";
  for (std::size_t c = keys + 2; c < bars; ++c)
    names += c == keys + 2 ? " label |" : " note" + std::to_string(c) + " |";
  const std::string_view before = tokens.text().substr(tokens[open].end, tokens[open + 1].begin - tokens[open].end);
  out.add(tokens[open].end, tokens[open].end, std::string(before) + names, bars == keys + 2);
}

// A row of two columns whose cells stand the other way round, '| "gold" | >= 9 |', beside rows in their order.
void swapped_cells(const Tokens& tokens, const std::vector<TableCell>& list, std::size_t columns, std::size_t keys,
                   Proposals& out) {
  if (columns != 2 || keys != 1) return;
  const auto bound = [&tokens](const TableCell& c) {
    return c.begin < c.end && (among(tokens[c.begin].shown, {">=", "<=", ">", "<", "otherwise"}) ||
                               (c.end == c.begin + 3 && tokens.is(c.begin + 1, "..")));
  };
  const auto text = [&tokens](const TableCell& c) { return c.end == c.begin + 1 && tokens[c.begin].is_text(); };
  std::vector<Edit> edits;
  std::size_t right = 0;
  for (std::size_t i = 0; i + 1 < list.size(); ++i) {
    const TableCell &first = list[i], &second = list[i + 1];
    if (first.column != 0 || second.column != 1) continue;
    right += bound(first) && text(second) ? 1 : 0;
    if (!text(first) || !bound(second)) continue;
    edits.push_back(out.edit(tokens[first.begin].begin, tokens[first.end - 1].end,
                             std::string(tokens.text(second.begin, second.end - 1))));
    edits.push_back(
        out.edit(tokens[second.begin].begin, tokens[second.end - 1].end, std::string(tokens[first.begin].shown)));
  }
  if (!edits.empty() && right > 0) out.add(std::move(edits), true);
}

}  // namespace

void cells(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i <= window.at; ++i) {
    if (tokens[i].starts && tokens.is(i, "table")) rows_of_others(window, i, out);
  }
  std::size_t open = 0;
  for (std::size_t i = window.at + 1; i-- > 0 && window.at - i < 2000;) {
    if (!tokens.is(i, "{") || tokens[i].partner == kNone || tokens[i].partner < window.at) continue;
    open = i;
    break;
  }
  const bool names =
      window.at > 0 && among(tokens[window.at - 1].shown, {"table", "bands"});  // the problem is its name
  for (std::size_t i = window.at; names && i < window.end && !tokens[i].first; ++i) {
    if (tokens.is(i, "{")) open = i;
  }
  if (open < 2 || !tokens.is(open + 1, "|")) return;
  std::size_t head = names ? window.at - 1 : open;
  while (!names && head > 0 && open - head < 12 && !tokens[head].starts) --head;
  const bool bands = tokens.is(head, "bands");
  if (!bands && !tokens.is(head, "table")) return;
  bars_at_ends(window, open, out);
  const std::string named = tokens.is(head + 2, "{") ? names_of_keys(tokens, head, open) : "";
  if (!named.empty()) out.add(tokens[head + 1].end, tokens[head + 1].end, "(" + named + ")", true);
  if (tokens.is(head + 1, "(") && tokens[head + 1].partner == open - 1) {  // table (kind) { | kind | fee |
    const std::size_t name = open - 1 - (head + 1) + open + 2;  // the column behind the keys: two tokens for each
    if (tokens[name].kind == Token::Kind::word)
      out.add(tokens[head].end, tokens[head].end, " " + std::string(tokens[name].shown), true);
  }
  std::vector<Edit> edits = units_of_columns(tokens, open, out);
  if (window.problem.code == "E0113" && window.at < tokens[open].partner) {
    out.add(edits, true);
    names_of_columns(window, head, open, out);
  }
  std::size_t keys = 0;
  if (tokens.is(head + 2, "(") && tokens[head + 2].partner != kNone) {
    keys = 1;
    for (std::size_t i = head + 3; i < tokens[head + 2].partner; ++i) keys += tokens.is(i, ",") ? 1 : 0;
  }
  if (window.problem.code.starts_with("E01") && window.at < tokens[open].partner) odd_row(window, open, keys, out);
  if (!named.empty()) {
    keys = 1 + static_cast<std::size_t>(std::count(named.begin(), named.end(), ','));
    edits.push_back(out.edit(tokens[head + 1].end, tokens[head + 1].end, "(" + named + ")"));
  }
  std::size_t columns = 0;
  const std::vector<TableCell> list = cells_of(tokens, open, columns);
  if (columns < 2 || list.empty() || list.size() > 2000) return;
  swapped_cells(tokens, list, columns, keys, out);
  const KnownNames facts(tokens);
  const bool commas = std::any_of(
      list.begin(), list.end(), [&](const TableCell& cell) { return cell.column >= keys && has_comma(tokens, cell); });
  bool sure = true;
  const bool half_open = std::any_of(list.begin(), list.end(), [&](const TableCell& cell) {
    return cell.column < keys && cell.end == cell.begin + 5 &&
           tokens.is(cell.begin, "[") != tokens.is(cell.end - 1, "]") && !interval_of(tokens, cell).empty();
  });
  for (const TableCell& cell : list) {
    std::optional<csv::Form> form;
    if (cell.begin == cell.end) {  // an empty key is anything, an empty value nothing
      edits.push_back(
          out.edit(tokens[cell.begin].begin, tokens[cell.begin].begin, cell.column < keys ? "otherwise " : "missing "));
      sure = false;
      continue;
    }
    if (commas && has_comma(tokens, cell)) form = csv::Form{with_points(tokens, cell)};
    else if (cell.column < keys && sign_behind(tokens, cell, list)) form = csv::Form{sign_in_front(tokens, cell)};
    else form = cell.column < keys ? key(tokens, cell, facts) : value(tokens, cell, facts);
    if (const std::string bounds = half_open && cell.column < keys ? interval_of(tokens, cell) : ""; !bounds.empty())
      form = csv::Form{bounds};
    // Bands have to cover every value: grades.cpp makes limits of their ranges.
    if (!form || (bands && cell.column < keys && form->text.find("..") != std::string::npos)) continue;
    sure = sure && form->sure;
    edits.push_back(out.edit(tokens[cell.begin].begin, tokens[cell.end - 1].end, form->text));
  }
  out.add(std::move(edits), sure);
}

}  // namespace assay::mending
