// CSV files that a rubric names as tables, as a spreadsheet or another language writes them: another separator, blanks
// between cells, decimal commas, percent signs, words for bounds, ranges and everything else. The whole file is read and
// written anew in memory; only cells that change become edits.
#include "lang/mend/mend.hpp"
#include "lang/mend/tables/cells.hpp"
#include "lang/mend/types/types.hpp"
#include "lang/number/percent.hpp"
#include "lang/number/written_number.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace assay::mending {

// Its own namespace: other files of the room also have rows, cells and forms.
namespace csv {

constexpr std::size_t kMostBytes = std::size_t{256} << 10;  // of a file that is looked at

struct Cell {
  std::string text;
  std::size_t begin = 0, end = 0;  // with its quotes
  bool quoted = false;
};
using Row = std::vector<Cell>;

std::vector<Row> rows_of(std::string_view text, char separator) {
  std::vector<Row> rows;
  std::size_t at = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
  while (at < text.size()) {
    Row row;
    while (true) {
      Cell cell;
      cell.begin = at;
      if (at < text.size() && text[at] == '"') {
        cell.quoted = true;
        for (++at; at < text.size() && (text[at] != '"' || (at + 1 < text.size() && text[at + 1] == '"')); ++at) {
          at += text[at] == '"' ? 1 : 0;
          cell.text += text[at];
        }
        at = std::min(at + 1, text.size());
      }
      const std::size_t rest = at;
      at = std::min(text.find_first_of(std::string("\r\n") + separator, at), text.size());
      cell.text += text.substr(rest, at - rest);
      cell.end = at;
      row.push_back(std::move(cell));
      if (at >= text.size() || text[at] != separator) break;
      ++at;
    }
    if (at < text.size() && text[at] == '\r') ++at;
    if (at < text.size() && text[at] == '\n') ++at;
    if (row.size() > 1 || !without_blanks(row[0].text).empty()) rows.push_back(std::move(row));
  }
  return rows;
}

std::string written(const std::string& cell) {
  if (cell.find_first_of(",\"\n") == cell.npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

void replace_all(std::string& s, std::string_view what, std::string_view by) {
  for (std::size_t at = s.find(what); at != s.npos; at = s.find(what, at + by.size())) s.replace(at, what.size(), by);
}

std::optional<Form> number_form(std::string_view cell, bool in_percent) {
  const std::string_view plain = without_blanks(cell);
  if (plain.size() > 1 && plain.find_first_not_of("0123456789") == plain.npos) return Form{std::string(plain)};  // 007
  std::optional<WrittenNumber> number = written_number(plain);
  if (!number || number->unit.size() > 4) return std::nullopt;
  const bool share = number->percent && !in_percent;
  const std::size_t sign = number->text.front() == '-' ? 1 : 0;
  if (share) number->text = (sign == 1 ? "-" : "") + hundredth(number->text.substr(sign));
  return Form{number->text, number->certain && number->unit.empty() && !number->percent};
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool means_otherwise(std::string_view word) {
  return one_of(word, {"otherwise",     "else",          "default",  "*",         "any",        "other",
                       "others",        "all",           "rest",     "_",         "anything",   "everything else",
                       "anything else", "everyone else", "the rest", "all other", "all others", "any other",
                       "sonst",         "catch-all",     "fallback"});
}

// A bound in signs or in words around its number, ">= 5", "up to 5", "5+": its comparison, and only the number is left in
// `cell`; empty: it is none.
std::string_view take_bound(std::string& cell) {
  for (const std::string_view sign : {">=", "<=", ">", "<"}) {
    if (!cell.starts_with(sign)) continue;
    cell.erase(0, sign.size());
    return sign;
  }
  if (cell.ends_with('+')) {
    cell.pop_back();
    return ">=";
  }
  const std::string small = in_lower_case(cell);
  std::vector<std::string_view> words;
  for (std::size_t at = small.find_first_not_of(' '); at != small.npos; at = small.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(small.find(' ', at), small.size());
    words.push_back(std::string_view(small).substr(at, end - at));
    at = end;
  }
  const auto from = [&words](std::size_t first) {
    return [&words, first](std::size_t k) { return first + k < words.size() ? words[first + k] : std::string_view(); };
  };
  const BoundWords* before = bound_words(BoundWords::cells, BoundWords::before, from(0));
  if (before != nullptr && before->count() < words.size()) {
    cell.erase(0, static_cast<std::size_t>(words[before->count()].data() - small.data()));
    return before->op;
  }
  for (std::size_t first = 1; first < words.size(); ++first) {
    const BoundWords* behind = bound_words(BoundWords::cells, BoundWords::behind, from(first));
    if (behind == nullptr || first + behind->count() != words.size()) continue;
    cell.resize(static_cast<std::size_t>(words[first].data() - small.data()));
    return behind->op;
  }
  return {};
}

std::string limits_in(std::string_view cell) {
  const std::string written = "number " + std::string(cell);
  const Tokens tokens(written);
  std::size_t numbers = 0;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].is_text() || tokens[i].first) return {};
    numbers += tokens[i].kind == Token::Kind::number ? 1 : 0;
  }
  if (numbers != 1 && numbers != 2) return {};
  Type type(tokens, "", 0, tokens.size() - 1);
  if (!type.read() || type.doubtful() || type.at() + 1 != tokens.size()) return {};
  const std::string limits = type.written().substr(7);
  const bool bounds =
      limits.find_first_of("<>") != limits.npos && limits.find_first_not_of("0123456789.<>=- ") == limits.npos;
  return bounds ? limits : std::string();
}

// A key of numbers: a number, a bound, a range, or everything else.
std::optional<Form> key_form(std::string_view cell) {
  std::string s(without_blanks(cell));
  while (s.size() > 1 && s.front() == '\'' && s.back() == '\'')
    s = std::string(without_blanks(s.substr(1, s.size() - 2)));
  const std::string lower = in_lower_case(s);
  // One word, "any" or "else", may also be a text.
  const bool rest = lower == "otherwise" || lower.find(' ') != lower.npos;
  if (means_otherwise(lower)) return Form{"otherwise", rest};
  if (says_unknown(lower)) return Form{lower == "missing" ? "missing" : "", true};
  for (const auto& [sign, plain] : {std::pair<std::string_view, std::string_view>{"≤", "<="},
                                    {"≥", ">="},
                                    {"=<", "<="},
                                    {"> =", ">="},
                                    {"< =", "<="},
                                    {"=>", ">="},
                                    {"–", "-"},
                                    {"—", "-"},
                                    {"…", ".."},
                                    {"...", ".."}})
    replace_all(s, sign, plain);
  if (s.starts_with("..")) {
    if (const auto number = number_form(std::string_view(s).substr(2), true))
      return Form{"<= " + number->text, number->sure};
  }
  std::string bound = s;
  if (const std::string_view op = take_bound(bound); !op.empty()) {
    if (const auto number = number_form(bound, true)) return Form{std::string(op) + ' ' + number->text, number->sure};
  }
  if (std::optional<Form> number = number_form(s, true)) return number;
  if (std::string limits = limits_in(s); !limits.empty()) return Form{std::move(limits)};
  for (const std::string_view between : {"..", " to ", " bis ", "-", ":", "~"}) {
    for (std::size_t at = s.find(between, 1); at != s.npos; at = s.find(between, at + 1)) {
      std::string low(without_blanks(std::string_view(s).substr(0, at))),
          high(without_blanks(std::string_view(s).substr(at + between.size())));
      if (!low.empty() && (low.front() == '[' || low.front() == '(')) low.erase(0, 1);
      if (!high.empty() && (high.back() == ']' || high.back() == ')')) high.pop_back();
      const bool open = one_of(in_lower_case(high), {"", "inf", "∞", "infinity", "max", "*"});
      const std::optional<Form> from = number_form(low, true), to = number_form(high, true);
      if (from && open) return Form{">= " + from->text, true};
      if (from && to) return Form{from->text + ".." + to->text, from->sure && to->sure};
      if (to && one_of(in_lower_case(low), {"-inf", "-∞", "min", "*", "-infinity"}))
        return Form{"<= " + to->text, true};
    }
  }
  return std::nullopt;
}

// A column, whose cells all become numbers, conditions, or nothing.
using Cells = std::vector<Form>;

std::optional<Cells> column_of(const std::vector<Row>& rows, std::size_t column, bool key, const std::string& name) {
  const std::string header = in_lower_case(name);
  const bool in_percent =
      header.find("percent") != header.npos || header.find("pct") != header.npos || header.find('%') != header.npos;
  Cells numbers, truths;
  bool some_number = false, all_numbers = true, all_truths = true, some_truth = false;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (column >= rows[r].size()) return std::nullopt;
    const std::string_view cell = rows[r][column].text;
    const std::string word = in_lower_case(without_blanks(cell));
    std::optional<Form> number = key ? key_form(cell) : number_form(cell, in_percent);
    if (!number && !key && says_unknown(word)) number = Form{"", word.empty()};
    all_numbers = all_numbers && number.has_value();
    some_number = some_number || (number && number->text.find_first_of("0123456789") != std::string::npos);
    if (number) numbers.push_back(*number);
    const bool yes = one_of(word, {"true", "yes", "y", "ja", "wahr"}),
               no = one_of(word, {"false", "no", "n", "nein", "falsch"});
    const bool other = (key && means_otherwise(word)) || word.empty();
    all_truths = all_truths && (yes || no || other);
    some_truth = some_truth || yes || no;
    truths.push_back({yes            ? "true"
                      : no           ? "false"
                      : word.empty() ? ""
                                     : "otherwise",
                      word == "true" || word == "false"});
  }
  if (all_numbers && some_number) return numbers;
  if (all_truths && some_truth) return truths;
  return std::nullopt;
}

// The row as long as the header: a decimal comma that is taken for a separator, or cells that are left out.
bool fit_length(Row& row, std::size_t columns, std::size_t keys, bool& sure) {
  while (row.size() > columns && without_blanks(row.back().text).empty()) row.pop_back();
  for (std::size_t c = row.size(); c-- > 1 && row.size() > columns;) {
    const auto digits = [](std::string_view s) { return !s.empty() && s.find_first_not_of("0123456789") == s.npos; };
    const std::string_view before = without_blanks(row[c - 1].text);
    const std::size_t last = before.find_last_not_of("0123456789");
    const std::string_view number = last == before.npos ? before : before.substr(last + 1);
    if (row[c].quoted || row[c - 1].quoted || !digits(row[c].text) || !digits(number)) continue;
    if (c - 1 < keys && row.size() - columns > 1) continue;
    row[c - 1].text += '.' + row[c].text;
    row[c - 1].end = row[c].end;
    row.erase(row.begin() + static_cast<std::ptrdiff_t>(c));
    sure = false;
  }
  if (row.size() < columns) sure = false;
  while (row.size() < columns) row.push_back({"", row.back().end, row.back().end, false});
  return row.size() == columns;
}

std::string key_name(std::string_view header) {
  std::string name = in_lower_case(without_blanks(header));
  for (char& c : name) c = c == ' ' || c == '-' ? '_' : c;
  return name;
}

char separator_of(std::string_view line) {
  if (line.find(',') != line.npos && line.find(';') == line.npos) return ',';
  for (const char c : {';', '\t', '|'}) {
    if (line.find(c) != line.npos) return c;
  }
  return ',';
}

// The file on its way to the table that is meant.
struct Table {
  std::vector<Row> rows;
  const std::vector<std::string>& keys;
  bool whole = false;  // more changes than cells: the file is written anew
  bool sure = true;
};

// The lines of a Markdown table have a bar at each end, and the second line is made of dashes.
void drop_bars(std::vector<Row>& rows) {
  std::erase_if(rows, [](const Row& row) {
    return std::all_of(row.begin(), row.end(),
                       [](const Cell& c) { return c.text.find_first_not_of("-: ") == c.text.npos; });
  });
  for (Row& row : rows) {
    if (!row.empty() && without_blanks(row.front().text).empty()) row.erase(row.begin());
    if (!row.empty() && without_blanks(row.back().text).empty()) row.pop_back();
  }
}

// Gives the table a header, if it has none, with its keys as the rubric spells them and in its order.
bool bring_header(Table& table) {
  const std::vector<std::string>& keys = table.keys;
  const auto key_of = [&](const Cell& cell) {
    return std::find_if(keys.begin(), keys.end(),
                        [&](const std::string& key) { return key_name(key) == key_name(cell.text); });
  };
  const auto is_key = [&](const Cell& cell) { return key_of(cell) != keys.end(); };
  if (std::none_of(table.rows[0].begin(), table.rows[0].end(), is_key)) {
    if (table.rows[0].size() <= keys.size()) return false;
    Row header;
    for (std::size_t c = 0; c < table.rows[0].size(); ++c) {
      const std::string value = c <= keys.size() ? "value" : "value" + std::to_string(c - keys.size() + 1);
      header.push_back({c < keys.size() ? keys[c] : value, 0, 0, false});
    }
    table.rows.insert(table.rows.begin(), std::move(header));
    table.whole = true, table.sure = false;
  }
  for (Cell& cell : table.rows[0]) cell.text = is_key(cell) ? *key_of(cell) : std::string(without_blanks(cell.text));
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const Row& header = table.rows[0];
    const auto found = std::find_if(header.begin(), header.end(), [&](const Cell& c) { return c.text == keys[k]; });
    const auto from = found - header.begin(), to = static_cast<std::ptrdiff_t>(k);
    if (found == header.end() || from < to) return false;
    if (from == to) continue;
    for (Row& row : table.rows) {
      if (static_cast<std::ptrdiff_t>(row.size()) <= from) return false;
      std::rotate(row.begin() + to, row.begin() + from, row.begin() + from + 1);
    }
    table.whole = true;
  }
  return true;
}

void bring_cells(Table& table, std::size_t column) {
  std::vector<Row>& rows = table.rows;
  const bool key = column < table.keys.size();
  const std::optional<Cells> forms = column_of(rows, column, key, rows[0][column].text);
  for (std::size_t r = 1; r < rows.size(); ++r) {
    std::string& cell = rows[r][column].text;
    const std::string plain(without_blanks(cell));
    if (forms) {
      // The blanks after a bound are a matter of taste.
      const Form& form = (*forms)[r - 1];
      std::string old = plain, now = form.text;
      replace_all(now, " ", "");
      replace_all(old, " ", "");
      table.sure = table.sure && (form.sure || now == old);
      cell = now == old ? plain : form.text;
      continue;
    }
    const bool quoted = plain.size() > 1 && plain.front() == '\'' && plain.back() == '\'';
    cell = quoted ? plain.substr(1, plain.size() - 2) : plain;
    const std::string word = in_lower_case(cell);
    if (key && means_otherwise(word) && (word == "otherwise" || r + 1 == rows.size())) {
      table.sure = table.sure && word == "otherwise";
      cell = "otherwise";
    }
  }
}

std::vector<Edit> edits_of(const Table& table, const std::vector<Row>& before, const std::string& name,
                           std::string_view text) {
  std::vector<Edit> edits;
  std::string all;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
      const Cell& now = table.rows[r][c];
      all += (c == 0 ? "" : ",") + written(now.text);
      if (table.whole) continue;
      const Cell* old = c < before[r].size() ? &before[r][c] : nullptr;
      if (old != nullptr && old->text == now.text && old->end == now.end) continue;
      edits.push_back({name, now.begin, now.end, (old == nullptr ? "," : "") + written(now.text)});
    }
    all += '\n';
  }
  if (table.whole && all != text) edits.push_back({name, 0, text.size(), std::move(all)});
  return edits;
}

}  // namespace csv

std::vector<std::string> keys_of_table(std::string_view rubric, std::string_view file) {
  const auto last_part = [](std::string_view path) { return path.substr(path.find_last_of('/') + 1); };
  for (std::size_t at = rubric.find("from"); at != rubric.npos; at = rubric.find("from", at + 1)) {
    const std::size_t quote = rubric.find_first_not_of(" \t\r\n", at + 4);
    if (quote == rubric.npos || rubric[quote] != '"') continue;
    const std::size_t end = rubric.find('"', quote + 1);
    if (end == rubric.npos || last_part(rubric.substr(quote + 1, end - quote - 1)) != last_part(file)) continue;
    const std::size_t table = rubric.rfind("table", at);
    if (table == rubric.npos) continue;
    const std::size_t open = rubric.find('(', table), close = rubric.find(')', table);
    if (open == rubric.npos || close == rubric.npos || open > at || close > at) continue;
    std::vector<std::string> keys;
    std::string_view list = rubric.substr(open + 1, close - open - 1);
    while (true) {
      const std::size_t comma = std::min(list.find(','), list.size());
      const std::string_view param = list.substr(0, comma);
      keys.emplace_back(without_blanks(param.substr(0, std::min(param.find(':'), param.size()))));
      if (comma == list.size()) return keys;
      list.remove_prefix(comma + 1);
    }
  }
  return {};
}

std::vector<Proposal> propose_table(const std::string& name, std::string_view text,
                                    const std::vector<std::string>& keys) {
  using namespace csv;
  if (text.size() > kMostBytes || keys.empty()) return {};
  const std::size_t start = std::min(text.find_first_not_of("\r\n \t"), text.size());
  const char separator = separator_of(text.substr(start, text.find('\n', start) - start));
  Table table{rows_of(text, separator), keys, separator != ','};
  if (separator == '|') drop_bars(table.rows);
  if (table.rows.empty()) return {};
  const std::vector<Row> before = table.rows;
  const std::size_t columns = table.rows[0].size();
  for (std::size_t r = 1; r < table.rows.size(); ++r) {
    if (!fit_length(table.rows[r], columns, keys.size(), table.sure)) return {};
  }
  if (!bring_header(table)) return {};
  for (std::size_t c = 0; c < columns; ++c) bring_cells(table, c);
  std::vector<Edit> edits = edits_of(table, before, name, text);
  if (edits.empty()) return {};
  return {{std::move(edits), table.sure}};
}

}  // namespace assay::mending
