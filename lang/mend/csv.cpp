// CSV files that a rubric names as tables, as a spreadsheet or another language writes them: another separator, blanks
// between cells, decimal commas, percent signs, words for bounds, ranges and everything else. The whole file is read and
// written anew in memory; only cells that change become edits.
#include "lang/mend/cells.hpp"
#include "lang/mend/mend.hpp"
#include "lang/number/percent.hpp"
#include "lang/text/ascii.hpp"

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

std::string_view trimmed(std::string_view s) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!s.empty() && blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && blank(s.back())) s.remove_suffix(1);
  return s;
}

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
    if (row.size() > 1 || !trimmed(row[0].text).empty()) rows.push_back(std::move(row));
  }
  return rows;
}

std::string written(const std::string& cell) {
  if (cell.find_first_of(",\"\n") == cell.npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

bool plain_number(std::string_view s) {
  if (!s.empty() && s.front() == '-') s.remove_prefix(1);
  const std::size_t digits = std::min(s.find_first_not_of("0123456789"), s.size());
  if (digits == 0) return false;
  if (digits == s.size()) return true;
  return s[digits] == '.' && digits + 1 < s.size() && s.find_first_not_of("0123456789", digits + 1) == s.npos;
}

void replace_all(std::string& s, std::string_view what, std::string_view by) {
  for (std::size_t at = s.find(what); at != s.npos; at = s.find(what, at + by.size())) s.replace(at, what.size(), by);
}

// "1,000", "5,5", "€ 5", "7 %", "'5'", "−3"; `percent`: what a percent sign is worth.
std::optional<Form> number_form(std::string_view cell, bool in_percent) {
  std::string s(trimmed(cell));
  Form form;
  for (const std::string_view sign : {"$", "€", "£", "°", "\xC2\xA0", "\xE2\x80\xAF", "'", "\"", "_"})
    replace_all(s, sign, "");
  replace_all(s, "−", "-");
  s = std::string(trimmed(s));
  const bool percent = !s.empty() && s.back() == '%';
  if (percent) s = std::string(trimmed(s.substr(0, s.size() - 1)));
  if (s.empty()) return std::nullopt;
  if (s.front() == '+') s.erase(0, 1);
  // A unit: "5 kg", "12h". The number stays.
  const std::size_t digits = s.find_last_of("0123456789");
  if (digits == s.npos) return std::nullopt;
  const std::string unit(trimmed(std::string_view(s).substr(digits + 1)));
  if (!unit.empty()) {
    if (unit.size() > 4 ||
        unit.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != unit.npos || unit == "k" ||
        unit == "M" || unit == "m" || unit == "K")
      return std::nullopt;
    s.resize(digits + 1);
    form.sure = false;
  }
  replace_all(s, " ", "");
  const auto commas = std::count(s.begin(), s.end(), ',');
  if (commas > 0) {
    const std::size_t last = s.rfind(',');
    const bool groups = s.size() - last == 4 && s.find('.') == s.npos && last < 4;
    const bool before_point = s.find('.') != s.npos && last < s.find('.');
    if (groups || before_point || commas > 1) {
      form.sure = form.sure && (before_point || commas > 1);
      replace_all(s, ",", "");
    } else {
      replace_all(s, ".", "");
      replace_all(s, ",", ".");
    }
  }
  if (s.front() == '.') s.insert(0, "0");
  if (!plain_number(s)) return std::nullopt;
  if (percent && !in_percent) {
    const bool negative = s.front() == '-';
    s = (negative ? "-" : "") + hundredth(s.substr(negative ? 1 : 0));
  }
  form.sure = form.sure && !percent;
  form.text = s;
  return form;
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool means_otherwise(std::string_view word) {
  return one_of(word, {"otherwise", "else", "default", "*", "any", "other", "others", "all", "rest", "_", "anything",
                       "everything else", "all other", "all others", "any other", "sonst", "catch-all", "fallback"});
}

bool means_nothing(std::string_view word) {
  return one_of(word,
                {"", "-", "--", "–", "—", "n/a", "na", "#n/a", "nan", "null", "none", "nil", "?", "missing", "."});
}

// A key of numbers: a number, a bound, a range, or everything else.
std::optional<Form> key_form(std::string_view cell) {
  std::string s(trimmed(cell));
  while (s.size() > 1 && s.front() == '\'' && s.back() == '\'') s = std::string(trimmed(s.substr(1, s.size() - 2)));
  const std::string lower = in_lower_case(s);
  if (means_otherwise(lower)) return Form{"otherwise", lower == "otherwise"};
  if (means_nothing(lower)) return Form{lower == "missing" ? "missing" : "", true};
  for (const auto& [sign, plain] : {std::pair<std::string_view, std::string_view>{"≤", "<="},
                                    {"≥", ">="},
                                    {"=<", "<="},
                                    {"=>", ">="},
                                    {"–", "-"},
                                    {"—", "-"},
                                    {"…", ".."},
                                    {"...", ".."}})
    replace_all(s, sign, plain);
  // Words before a number.
  struct Word {
    std::string_view word, bound;
  };
  static constexpr Word kBefore[] = {{">=", ">="},       {"<=", "<="},    {">", ">"},          {"<", "<"},
                                     {"over ", ">"},     {"above ", ">"}, {"more than ", ">"}, {"greater than ", ">"},
                                     {"under ", "<"},    {"below ", "<"}, {"less than ", "<"}, {"up to ", "<="},
                                     {"at most ", "<="}, {"max ", "<="},  {"at least ", ">="}, {"from ", ">="},
                                     {"min ", ">="}};
  const std::string small = in_lower_case(s);
  for (const Word& row : kBefore) {
    if (small.substr(0, row.word.size()) != row.word) continue;
    const std::string_view rest = std::string_view(s).substr(row.word.size());
    const std::optional<Form> number = number_form(rest, true);
    if (!number) break;
    return Form{std::string(row.bound) + ' ' + number->text, number->sure};
  }
  for (const std::string_view after : {"+", " and above", " or more", " and over", " or above", " and more"}) {
    if (s.size() <= after.size() || in_lower_case(std::string_view(s).substr(s.size() - after.size())) != after)
      continue;
    if (const std::optional<Form> number = number_form(std::string_view(s).substr(0, s.size() - after.size()), true))
      return Form{">= " + number->text, number->sure};
  }
  for (const std::string_view after : {" or less", " and below", " or below", " and less", " and under"}) {
    if (s.size() <= after.size() || in_lower_case(std::string_view(s).substr(s.size() - after.size())) != after)
      continue;
    if (const std::optional<Form> number = number_form(std::string_view(s).substr(0, s.size() - after.size()), true))
      return Form{"<= " + number->text, number->sure};
  }
  if (std::optional<Form> number = number_form(s, true)) return number;
  for (const std::string_view between : {"..", " to ", " bis ", "-", ":", "~"}) {
    for (std::size_t at = s.find(between, 1); at != s.npos; at = s.find(between, at + 1)) {
      std::string low(trimmed(std::string_view(s).substr(0, at))),
          high(trimmed(std::string_view(s).substr(at + between.size())));
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
    const std::string word = in_lower_case(trimmed(cell));
    std::optional<Form> number = key ? key_form(cell) : number_form(cell, in_percent);
    if (!number && !key && means_nothing(word)) number = Form{"", word.empty()};
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
  while (row.size() > columns && trimmed(row.back().text).empty()) row.pop_back();
  for (std::size_t c = row.size(); c-- > 1 && row.size() > columns;) {
    const auto digits = [](std::string_view s) { return !s.empty() && s.find_first_not_of("0123456789") == s.npos; };
    const std::string_view before = trimmed(row[c - 1].text);
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
  std::string name = in_lower_case(trimmed(header));
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

}  // namespace csv

std::vector<std::string> keys_of_table(std::string_view rubric, std::string_view file) {
  using csv::trimmed;
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
      keys.emplace_back(trimmed(param.substr(0, std::min(param.find(':'), param.size()))));
      if (comma == list.size()) return keys;
      list.remove_prefix(comma + 1);
    }
  }
  return {};
}

std::vector<Proposal> propose_table(const std::string& name, std::string_view text,
                                    const std::vector<std::string>& keys) {
  using namespace csv;
  std::vector<Proposal> result;
  if (text.size() > kMostBytes || keys.empty()) return result;
  const std::size_t start = std::min(text.find_first_not_of("\r\n \t"), text.size());
  const std::string_view first = text.substr(start, text.find('\n', start) - start);
  const char separator = separator_of(first);
  std::vector<Row> rows = rows_of(text, separator);
  if (rows.empty()) return result;
  bool whole = separator != ',', sure = true;
  if (separator == '|') {  // Markdown
    std::erase_if(rows, [](const Row& row) {
      return std::all_of(row.begin(), row.end(),
                         [](const Cell& c) { return c.text.find_first_not_of("-: ") == c.text.npos; });
    });
    for (Row& row : rows) {
      if (!row.empty() && trimmed(row.front().text).empty()) row.erase(row.begin());
      if (!row.empty() && trimmed(row.back().text).empty()) row.pop_back();
    }
    if (rows.empty()) return result;
  }
  const std::vector<Row> before = rows;
  const auto named = [&](const Cell& cell) {
    return std::find(keys.begin(), keys.end(), key_name(cell.text)) != keys.end();
  };
  if (std::none_of(rows[0].begin(), rows[0].end(), named)) {  // no header
    if (rows[0].size() <= keys.size()) return result;
    Row header;
    for (std::size_t c = 0; c < rows[0].size(); ++c) {
      const std::size_t more = c - std::min(c, keys.size());
      header.push_back(
          {c < keys.size() ? keys[c] : "value" + (more == 0 ? "" : std::to_string(more + 1)), 0, 0, false});
    }
    rows.insert(rows.begin(), std::move(header));
    whole = true, sure = false;
  }
  const std::size_t columns = rows[0].size();
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (!fit_length(rows[r], columns, keys.size(), sure)) return result;
  }
  for (Cell& cell : rows[0]) {
    std::string plain(trimmed(cell.text));
    const auto key = std::find(keys.begin(), keys.end(), key_name(plain));
    cell.text = key != keys.end() ? *key : plain;
  }
  // The keys are the first columns, in their order.
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const auto found = std::find_if(rows[0].begin(), rows[0].end(), [&](const Cell& c) { return c.text == keys[k]; });
    if (found == rows[0].end()) return result;
    const auto at = static_cast<std::size_t>(found - rows[0].begin());
    if (at == k) continue;
    if (at < k) return result;
    for (Row& row : rows)
      std::rotate(row.begin() + static_cast<std::ptrdiff_t>(k), row.begin() + static_cast<std::ptrdiff_t>(at),
                  row.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    whole = true;
  }
  for (std::size_t c = 0; c < columns; ++c) {
    const bool key = c < keys.size();
    const std::optional<Cells> column = column_of(rows, c, key, rows[0][c].text);
    for (std::size_t r = 1; r < rows.size(); ++r) {
      std::string& cell = rows[r][c].text;
      if (column) {
        const Form& form = (*column)[r - 1];
        // The blanks after a bound are a matter of taste.
        std::string old(trimmed(cell)), now = form.text;
        std::string plain = now;
        replace_all(plain, " ", "");
        replace_all(old, " ", "");
        if (plain == old && trimmed(cell) == cell) continue;
        sure = sure && (form.sure || plain == old);
        cell = plain == old ? std::string(trimmed(cell)) : now;
        continue;
      }
      std::string_view plain = trimmed(cell);
      if (plain.size() > 1 && plain.front() == '\'' && plain.back() == '\'') plain = plain.substr(1, plain.size() - 2);
      std::string now(plain);
      const std::string word = in_lower_case(plain);
      if (key && means_otherwise(word) && (word == "otherwise" || r + 1 == rows.size())) {
        sure = sure && word == "otherwise";
        now = "otherwise";
      }
      cell = std::move(now);
    }
  }
  Proposal proposal;
  proposal.certain = sure;
  if (whole) {
    std::string all;
    for (const Row& row : rows) {
      for (std::size_t c = 0; c < row.size(); ++c) all += (c == 0 ? "" : ",") + written(row[c].text);
      all += '\n';
    }
    if (all == text) return result;
    proposal.edits.push_back({name, 0, text.size(), std::move(all)});
  } else {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t c = 0; c < rows[r].size(); ++c) {
        const Cell& now = rows[r][c];
        const Cell* old = c < before[r].size() ? &before[r][c] : nullptr;
        const bool left_out = old == nullptr;
        if (!left_out && old->text == now.text && old->end == now.end) continue;
        proposal.edits.push_back({name, now.begin, now.end, (left_out ? "," : "") + written(now.text)});
      }
    }
    if (proposal.edits.empty()) return result;
  }
  result.push_back(std::move(proposal));
  return result;
}

}  // namespace assay::mending
