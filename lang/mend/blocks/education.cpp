// Rubrics of schools: a table with a row for each criterion and a column for each level, whose heads give the levels as
// numbers ('4 (Excellent)') or as words from the best to the worst.
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/items.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>

namespace assay::mending {
namespace {

// The cells of the rows of bars from this token on; `last`: their last token.
std::vector<std::vector<Span>> bars_from(const Tokens& tokens, std::size_t i, std::size_t& last) {
  std::vector<std::vector<Span>> rows;
  while (i + 1 < tokens.size() && tokens[i].first && tokens.is(i, "|")) {
    const std::size_t end = line_last(tokens, i);
    std::vector<Span> cells;
    std::size_t from = i + 1;
    for (std::size_t k = i + 1; k <= end; ++k) {
      if (!tokens.is(k, "|")) continue;
      cells.push_back({from, k});
      from = k + 1;
    }
    if (from <= end) cells.push_back({from, end + 1});
    const bool rule = std::all_of(cells.begin(), cells.end(), [&](const Span& c) {
      return !c.empty() && tokens[c.begin].kind == Token::Kind::sign;
    });
    if (!rule) rows.push_back(std::move(cells));
    last = end;
    i = end + 1;
  }
  return rows;
}

std::string number_in(const Tokens& tokens, Span cell) {
  for (std::size_t i = cell.begin; i < cell.end; ++i) {
    if (tokens[i].kind == Token::Kind::number) return std::string(tokens[i].shown);
  }
  return {};
}

// The columns of such a table: a name, perhaps a weight or points, and the levels.
struct Columns {
  std::size_t amount = kNone;
  bool points = false, numbered = true;
  std::vector<std::pair<std::size_t, std::string>> levels;  // column, number
};

bool read_columns(const Tokens& tokens, const std::vector<Span>& header, Columns& columns) {
  for (std::size_t c = 1; c < header.size(); ++c) {
    const std::string words = in_lower_case(raw(tokens, header[c]));
    if (among(words, {"weight", "share", "%", "points", "max"})) {
      columns.amount = c;
      columns.points = words == "points" || words == "max";
      continue;
    }
    if (words.find("description") != words.npos || words.find("question") != words.npos) return false;
    columns.levels.emplace_back(c, number_in(tokens, header[c]));
    columns.numbered = columns.numbered && !columns.levels.back().second.empty();
  }
  if (columns.numbered) return columns.levels.size() >= 2;
  for (std::size_t k = 0; k < columns.levels.size(); ++k)  // from the best to the worst
    columns.levels[k].second = std::to_string(columns.levels.size() - k);
  return columns.levels.size() >= 2;
}

// The dimension of a row; empty: it has none.
std::string dimension_of_row(const Tokens& tokens, const std::vector<Span>& row, const Columns& columns,
                             const std::string& indent) {
  const Span cell = row[0];
  const std::string weight = number_in(tokens, columns.amount == kNone ? cell : row[columns.amount]);
  const bool counts = columns.amount == kNone ? raw(tokens, cell).find('%') == std::string::npos : columns.points;
  std::size_t end = cell.begin;
  while (end < cell.end && (tokens[end].kind == Token::Kind::word || tokens[end].is_text())) ++end;
  if (end == cell.begin) return {};
  const std::string words = end == cell.begin + 1 ? without_quotes(tokens, cell.begin) : raw(tokens, {cell.begin, end});
  std::string text = "dimension " + as_name(words) +
                     (weight.empty() ? "" : (counts ? " points " : " weight ") + weight) +
                     (words.find(' ') == words.npos ? "" : " " + as_text("'" + words + "'")) + " {";
  for (const auto& [column, number] : columns.levels) {
    const std::string meaning = raw(tokens, row[column]);
    if (meaning.empty()) continue;
    text += "\n" + indent + "  level " + number + " " +
            as_text(tokens[row[column].begin].is_text() ? meaning : "'" + meaning + "'");
  }
  return text + "\n" + indent + "}";
}

}  // namespace

void levels_in_columns(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (window.problem.code.substr(0, 3) != "E01") return;
  std::size_t head = line_first(tokens, window.at), last = head;
  while (head > 0 && tokens.is(line_first(tokens, head - 1), "|")) head = line_first(tokens, head - 1);
  if (!tokens.is(head, "|")) return;
  const std::vector<std::vector<Span>> rows = bars_from(tokens, head, last);
  Columns columns;
  if (rows.size() < 2 || rows[0].size() < 3 || !read_columns(tokens, rows[0], columns)) return;
  const std::string indent = indent_before(tokens, head);
  std::string text;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (rows[r].size() < rows[0].size() || rows[r][0].empty()) return;
    const std::string one = dimension_of_row(tokens, rows[r], columns, indent);
    if (one.empty()) return;
    text += (text.empty() ? "" : "\n" + indent) + one;
  }
  out.add(tokens[head].begin, tokens[last].end, text, columns.numbered);
}

}  // namespace assay::mending
