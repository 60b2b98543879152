// Tables whose rows stand in another form than bars: bars inside the line alone, commas, arrows, or a map.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/items.hpp"
#include "lang/mend/tables/cells.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cstdlib>

namespace assay::mending {
namespace {

constexpr std::size_t kMostRows = 500;

bool is_arrow(const Tokens& tokens, std::size_t i) { return among(tokens[i].shown, {"=>", "->", ":", "=", "→", ":="}); }

// A cell as the language writes it.
std::string cell_of(const Tokens& tokens, Span cell) {
  if (cell.empty()) return "missing";
  const bool one = cell.end == cell.begin + 1;
  if (one && tokens[cell.begin].is_text()) return as_text(tokens[cell.begin].shown);
  if (one && among(in_lower_case(tokens[cell.begin].shown), {"default", "else", "_", "*", "other", "otherwise", "any"}))
    return "otherwise";
  std::string text;
  for (std::size_t i = cell.begin; i < cell.end; ++i) {  // 'a' in other quotation marks
    const bool space = i > cell.begin && tokens[i].begin > tokens[i - 1].end;
    text += (space ? " " : "") + (tokens[i].is_text() ? as_text(tokens[i].shown) : std::string(tokens[i].shown));
  }
  return text;
}

std::vector<Span> divided(const Tokens& tokens, Span span, std::string_view sign) {
  std::vector<Span> cells;
  std::size_t from = span.begin;
  for (std::size_t i = span.begin; i < span.end; i = std::min(tokens.behind(i), span.end)) {
    if (!tokens.is(i, sign)) continue;
    cells.push_back({from, i});
    from = i + 1;
  }
  if (from < span.end) cells.push_back({from, span.end});
  return cells;
}

// Cells between which a tab or several blanks stand, as pasted from a spreadsheet.
std::vector<Span> divided_by_gaps(const Tokens& tokens, Span line) {
  std::vector<Span> cells{{line.begin, line.begin}};
  for (std::size_t i = line.begin; i < line.end; ++i) {
    const std::string_view gap =
        i == line.begin ? "" : tokens.text().substr(tokens[i - 1].end, tokens[i].begin - tokens[i - 1].end);
    if (gap.find('\t') != gap.npos || gap.find("  ") != gap.npos) cells.push_back({i, i});
    cells.back().end = i + 1;
  }
  return cells;
}

std::string row_of(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row;
}

std::vector<Span> lines_of(const Tokens& tokens, Span block) {
  std::vector<Span> lines;
  for (std::size_t i = block.begin; i < block.end && lines.size() < kMostRows;) {
    std::size_t end = i + 1;
    while (end < block.end && !tokens[end].first) ++end;
    Span line{i, end};
    while (!line.empty() && (tokens.is(line.end - 1, ",") || tokens.is(line.end - 1, ";"))) --line.end;
    if (!line.empty() && (tokens.is(line.begin, "-") || tokens.is(line.begin, "*")) && line.end > line.begin + 1 &&
        tokens[line.begin + 1].begin > tokens[line.begin].end)
      ++line.begin;
    lines.push_back(line);
    i = end;
  }
  return lines;
}

// Lines with as many bars or commas each, the first of them a header of names.
bool read_columns(const Tokens& tokens, Span block, std::vector<std::vector<std::string>>& rows) {
  const std::vector<Span> lines = lines_of(tokens, block);
  if (lines.size() < 2) return false;
  const bool bars = divided(tokens, lines[0], "|").size() > 1;
  const std::string_view sign = bars ? "|" : divided(tokens, lines[0], ";").size() > 1 ? ";" : ",";
  const bool gaps = !bars && sign == "," && divided(tokens, lines[0], sign).size() < 2;
  for (Span line : lines) {
    if (bars && tokens.is(line.begin, "|")) ++line.begin;
    std::vector<std::string> row;
    bool rule = true;  // |---|---|
    for (const Span& cell : gaps ? divided_by_gaps(tokens, line) : divided(tokens, line, sign)) {
      rule = rule && !cell.empty() && raw(tokens, cell).find_first_not_of("-:= ") == std::string::npos;
      if (rows.empty() && (cell.end != cell.begin + 1 ||
                           !(tokens[cell.begin].kind == Token::Kind::word || tokens[cell.begin].is_text())))
        return false;
      // Of a group of rows only the first has its key, as in merged cells of a spreadsheet.
      const bool merged = cell.empty() && row.empty() && rows.size() > 1;
      row.push_back(rows.empty() ? as_name(without_quotes(tokens, cell.begin))
                    : merged     ? rows.back()[0]
                                 : cell_of(tokens, cell));
    }
    if (rule) continue;
    if (row.size() < 2 || (!rows.empty() && row.size() != rows[0].size())) return false;
    rows.push_back(std::move(row));
  }
  return rows.size() >= 2;
}

// "NL", "BE" => 10, line by line or between commas; a value that is a record has a column for each key.
bool read_map(const Tokens& tokens, Span block, const std::vector<std::string>& keys, const std::string& name,
              std::vector<std::vector<std::string>>& rows) {
  std::vector<Span> entries = lines_of(tokens, block);
  if (entries.size() == 1) {
    entries.clear();
    std::size_t from = block.begin;
    for (std::size_t i = block.begin; i <= block.end;
         i = i < block.end ? std::min(tokens.behind(i), block.end) : i + 1) {
      const bool cut =
          i == block.end || ((tokens.is(i, ",") || tokens.is(i, ";")) && i + 2 < block.end && is_arrow(tokens, i + 2));
      if (!cut) continue;
      if (i > from) entries.push_back({from, i});
      from = i + 1;
    }
  }
  std::vector<std::string> header = keys;
  std::vector<std::vector<std::string>> body;
  for (const Span& entry : entries) {
    std::size_t arrow = entry.begin;
    while (arrow < entry.end && !is_arrow(tokens, arrow)) arrow = tokens.behind(arrow);
    const bool plain = arrow >= entry.end && entry.end > entry.begin + 1 && tokens[entry.end - 1].value();  // steel 120
    if (plain) arrow = entry.end - 1;
    if (arrow == entry.begin || (arrow + 1 >= entry.end && !plain)) return false;
    std::vector<std::string> row;
    Span left{entry.begin, arrow};
    if (tokens.is(left.begin, "case")) ++left.begin;
    if (tokens.is(left.begin, "(") && tokens[left.begin].partner == left.end - 1) ++left.begin, --left.end;
    if (keys.size() == 1) {
      if (tokens.is(left.begin, keys[0]) && left.end > left.begin + 1) ++left.begin;  // weight > 5 => …
      row.push_back(cell_of(tokens, left));
      if (const auto form = csv::key_form(raw(tokens, left)); form && !form->text.empty()) row[0] = form->text;
      if (tokens[left.begin].kind == Token::Kind::word && left.end == left.begin + 1 && row[0] != "otherwise" &&
          !among(row[0], {"true", "false", "missing"}))
        row[0] = as_text("'" + row[0] + "'");  // a key of a map
    } else {
      for (const Span& cell : divided(tokens, left, ",")) row.push_back(cell_of(tokens, cell));
      if (row.size() != keys.size()) return false;
    }
    Span right{plain ? arrow : arrow + 1, entry.end};
    if (tokens.is(right.begin, "{") && tokens[right.begin].partner == right.end - 1) {
      for (const BlockItem& one : read_block(tokens, {right.begin + 1, right.end - 1})) {
        if (one.key.empty() || !one.inside.empty()) return false;
        if (body.empty()) header.push_back(as_name(one.key));
        else if (row.size() >= header.size() || header[row.size()] != as_name(one.key)) return false;
        row.push_back(cell_of(tokens, one.value));
      }
    } else {
      if (body.empty()) header.push_back(name);
      row.push_back(cell_of(tokens, right));
    }
    if (row.size() != header.size()) return false;
    body.push_back(std::move(row));
  }
  if (body.size() < 2) return false;
  rows.push_back(std::move(header));
  for (std::vector<std::string>& row : body) rows.push_back(std::move(row));
  return true;
}

// The keys of rows as the lower ends of bands, '16: 5'; false: they are something else, or do not fall.
bool limits_of(std::vector<std::vector<std::string>>& rows) {
  double before = 1e300;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    std::string& key = rows[r][0];
    if (key == "otherwise" || key.find_first_of("<>") == 0) continue;
    if (key.find_first_not_of("-.0123456789") != key.npos) return false;
    const double limit = std::strtod(key.c_str(), nullptr);
    if (limit >= before) return false;
    before = limit;
    key = ">= " + key;
  }
  return true;
}

void table_at(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const bool bands = tokens.is(i, "bands");
  if (!bands && !among(in_lower_case(tokens[i].shown), {"table", "lookup", "map", "dict", "mapping"})) return;
  std::size_t at = i + 1;
  if (tokens[at].kind != Token::Kind::word || tokens[at].first) return;
  const std::string name(tokens[at++].shown);
  std::vector<std::string> keys;
  if (tokens.is(at, "(") && tokens[at].partner != kNone) {
    for (std::size_t k = at + 1; k < tokens[at].partner; ++k) {
      const bool begins = k == at + 1 || tokens.is(k - 1, ",");
      if (begins && tokens[k].kind == Token::Kind::word) keys.emplace_back(tokens[k].shown);
    }
    at = tokens[at].partner + 1;
  }
  std::string text;
  if (tokens[at].is_text()) text = " " + as_text(tokens[at++].shown);
  while (is_arrow(tokens, at) && !tokens[at].first) ++at;
  if (at > i + 2 && is_arrow(tokens, at - 1) && tokens[at].kind == Token::Kind::word && tokens.is(at + 1, "{"))
    ++at;  // -> number {
  if (!tokens.opens(at) && !tokens[at].first) return;
  const Block block = block_behind(tokens, at, column_of(tokens, i));
  if (block.inside.empty() || block.last < window.at) return;
  std::vector<std::vector<std::string>> rows;
  if (keys.empty()) keys.emplace_back(bands ? "score" : "key");
  if (!read_columns(tokens, block.inside, rows)) {
    rows.clear();
    Span entries = block.inside;
    const std::size_t second = line_last(tokens, entries.begin) + 1;  // a header with bars above rows without
    if (tokens.is(entries.begin, "|") && second < entries.end && !tokens.is(second, "|")) entries.begin = second;
    if (!read_map(tokens, entries, keys, name, rows) || (bands && !limits_of(rows))) return;
  }
  const std::string indent = indent_before(tokens, i);
  std::string all = (bands ? "bands " : "table ") + name + "(";
  for (std::size_t k = 0; k < keys.size(); ++k) all += (k == 0 ? "" : ", ") + keys[k];
  all += ")" + text + " {";
  for (const std::vector<std::string>& row : rows) all += "\n" + indent + "  " + row_of(row);
  out.add(tokens[i].begin, tokens[block.last].end, all + "\n" + indent + "}", true);
}

// A table whose first column is not its key: the key stands further behind, or in two columns, 'from' and 'to'.
void columns_at(const Window& window, std::size_t i, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const bool bands = tokens.is(i, "bands");
  if ((!bands && !tokens.is(i, "table")) || !tokens[i].starts || !tokens.is(i + 2, "(") || !tokens.is(i + 4, ")"))
    return;
  std::size_t open = i + 5;
  while (!tokens[open].starts && open + 1 < tokens.size() && !tokens.is(open, "{")) ++open;
  if (!tokens.is(open, "{") || tokens[open].partner == kNone || tokens[open].partner < window.at) return;
  std::vector<std::vector<std::string>> rows;
  if (!read_columns(tokens, {open + 1, tokens[open].partner}, rows)) return;
  const std::string key(tokens[i + 3].shown);
  std::vector<std::string>& header = rows[0];
  const auto column = [&header](std::initializer_list<std::string_view> words) {
    return static_cast<std::size_t>(std::find_if(header.begin(), header.end(),
                                                 [&](const std::string& h) { return among(in_lower_case(h), words); }) -
                                    header.begin());
  };
  const std::size_t at = static_cast<std::size_t>(std::find(header.begin(), header.end(), key) - header.begin());
  const std::size_t low = column({"from", "min", "low", "lower", "minimum", "at_least", "over"});
  const std::size_t high = column({"to", "max", "high", "upper", "maximum", "below", "up_to"});
  if (at < header.size()) {
    for (std::vector<std::string>& row : rows)
      std::rotate(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(at),
                  row.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  } else if (low < header.size() && bands) {
    for (std::vector<std::string>& row : rows) {
      std::string limit = row[low];
      for (const std::size_t c : {std::max(low, high), std::min(low, high)}) {
        if (c < row.size()) row.erase(row.begin() + static_cast<std::ptrdiff_t>(c));
      }
      row.insert(row.begin(), limit == "missing" ? "otherwise" : limit);
    }
    header = rows[0];
    rows[0][0] = key;
    if (!limits_of(rows)) {
      std::reverse(rows.begin() + 1, rows.end());
      for (std::size_t r = 1; r < rows.size(); ++r) {
        if (rows[r][0].find(">= ") == 0) rows[r][0].erase(0, 3);
      }
      if (!limits_of(rows)) return;
    }
  } else {
    return;
  }
  const KnownNames known(tokens);
  for (std::size_t r = 1; r < rows.size(); ++r) {  // a grade without its quotation marks
    for (std::size_t c = 1; c < rows[r].size(); ++c) {
      const Tokens cell(rows[r][c]);
      const bool word = cell.size() == 2 && cell[0].kind == Token::Kind::word && !known.declares(cell[0].shown) &&
                        !among(cell[0].shown, {"true", "false", "missing"});
      if (word) rows[r][c] = as_text("'" + rows[r][c] + "'");
    }
  }
  const std::string indent = indent_before(tokens, i);
  std::string text;
  for (const std::vector<std::string>& row : rows) text += "\n" + indent + "  " + row_of(row);
  out.add(tokens[open].end, tokens[tokens[open].partner].begin, text + "\n" + indent, true);
}

// Lines of '+---+' among the rows, as databases print tables.
void ruled_lines(const Tokens& tokens, std::size_t open, Proposals& out) {
  std::vector<Edit> edits;
  for (std::size_t i = open + 1; i < tokens[open].partner;) {
    std::size_t next = i + 1;
    while (next < tokens[open].partner && !tokens[next].first) ++next;
    bool ruled = tokens.is(i, "+");
    for (std::size_t k = i; k < next; ++k)
      ruled = ruled && tokens[k].shown.find_first_not_of("+-=") == std::string_view::npos;
    if (ruled) edits.push_back(out.edit(tokens[i - 1].end, tokens[next - 1].end, ""));
    i = next;
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

// Bands whose limits stand beside each other, '| score | >= 85 | >= 70 |' above '| grade | "A" | "B" |'; and the values of
// a second key in the header, '| likelihood | minor | major |'.
void grid_at(const Tokens& tokens, std::size_t i, Proposals& out) {
  if ((!tokens.is(i, "bands") && !tokens.is(i, "table")) || !tokens[i].starts || !tokens.is(i + 2, "(")) return;
  const std::size_t close = tokens[i + 2].partner, open = close == kNone ? kNone : close + 1;
  if (open == kNone || !tokens.is(open, "{") || tokens[open].partner == kNone) return;
  ruled_lines(tokens, open, out);
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> names;  // whether a cell of the first row may be one
  for (std::size_t at = open + 1; at < tokens[open].partner && rows.size() < kMostRows;) {
    std::size_t next = at + 1;
    while (next < tokens[open].partner && !tokens[next].first) ++next;
    if (!tokens.is(at, "|") || !tokens.is(next - 1, "|")) return;
    rows.emplace_back();
    for (const Span& cell : divided(tokens, {at + 1, next}, "|")) {
      if (rows.size() == 1) names.push_back(cell.end == cell.begin + 1 && tokens[cell.begin].kind == Token::Kind::word);
      rows.back().push_back(cell_of(tokens, cell));
    }
    if (rows.back().size() != rows[0].size()) return;
    at = next;
  }
  if (rows.size() < 2 || rows[0].size() < 3 || !tokens.is(i + 3, rows[0][0])) return;
  const auto limits = std::none_of(names.begin() + 1, names.end(), [](bool name) { return name; });
  std::vector<std::vector<std::string>> turned;
  if (close == i + 4 && limits && rows.size() <= 4) {
    for (std::size_t c = 0; c < rows[0].size(); ++c) {
      turned.emplace_back();
      for (const std::vector<std::string>& row : rows) turned.back().push_back(row[c]);
    }
  } else if (close == i + 6 && tokens.is(i + 4, ",") && rows[0][1] != tokens[i + 5].shown) {
    turned.push_back({rows[0][0], std::string(tokens[i + 5].shown), std::string(tokens[i + 1].shown)});
    for (std::size_t r = 1; r < rows.size(); ++r) {
      for (std::size_t c = 1; c < rows[r].size(); ++c)
        turned.push_back({rows[r][0], names[c] ? as_text("'" + rows[0][c] + "'") : rows[0][c], rows[r][c]});
    }
  }
  if (turned.empty()) return;
  const std::string indent = indent_before(tokens, i);
  std::string text;
  for (const std::vector<std::string>& row : turned) text += "\n" + indent + "  " + row_of(row);
  out.add(tokens[open].end, tokens[tokens[open].partner].begin, text + "\n" + indent, true);
}

// A line with commas, semicolons or gaps among rows with bars: as many cells as they have.
void lines_without_bars(const Tokens& tokens, std::size_t i, Proposals& out) {
  if (!among(tokens[i].shown, {"bands", "table"}) || !tokens[i].starts || !tokens.is(i + 2, "(")) return;
  const std::size_t close = tokens[i + 2].partner, open = close == kNone ? kNone : close + 1;
  if (open == kNone || !tokens.is(open, "{") || tokens[open].partner == kNone) return;
  std::size_t cells = 0;
  std::vector<Span> others;
  for (std::size_t at = open + 1; at < tokens[open].partner;) {
    std::size_t next = at + 1;
    while (next < tokens[open].partner && !tokens[next].first) ++next;
    if (!tokens.is(at, "|")) others.push_back({at, next});
    else if (tokens.is(next - 1, "|") && cells == 0) cells = divided(tokens, {at + 1, next}, "|").size();
    at = next;
  }
  std::vector<Edit> edits;
  for (const Span& line : others) {
    std::vector<Span> parts = divided(tokens, line, ",");
    if (parts.size() != cells) parts = divided(tokens, line, ";");
    if (parts.size() != cells) parts = divided_by_gaps(tokens, line);
    if (parts.size() != cells || cells < 2) return;
    std::vector<std::string> row;
    for (const Span& part : parts) row.push_back(cell_of(tokens, part));
    edits.push_back(out.edit(tokens[line.begin].begin, tokens[line.end - 1].end, row_of(row)));
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

}  // namespace

void rows_of_tables(const Window& window, Proposals& out) {
  if (window.problem.code == "E0502") {
    for (const std::size_t i : lines_upwards(window.tokens, window.at, 3)) columns_at(window, i, out);
  }
  if (window.problem.code.substr(0, 3) == "E01" || window.problem.code == "E0502") {
    for (const std::size_t i : lines_upwards(window.tokens, window.at, 12)) grid_at(window.tokens, i, out);
  }
  if (window.problem.code.substr(0, 3) != "E01") return;
  constexpr std::size_t kLines = 30;
  for (const std::size_t i : lines_upwards(window.tokens, window.at, kLines)) {
    lines_without_bars(window.tokens, i, out);
    table_at(window, i, out);
  }
}

}  // namespace assay::mending
