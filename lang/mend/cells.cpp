// The cells of a table of the rubric, each by itself: limits in words, decimal commas, formulas of spreadsheets, texts
// without quotation marks.
#include "lang/mend/cells.hpp"

#include "lang/mend/foreign/reader.hpp"
#include "lang/mend/mend.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace assay::mending {
namespace {

struct TableCell {
  std::size_t begin, end;  // tokens
  std::size_t column;
};

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
    if (end > i) result.push_back({i, end, column});
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
    text += comma ? "." : std::string(tokens[i].shown);
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
    // two numbers in a row belong to nothing
    if (i > cell.begin && t.kind == Token::Kind::number && tokens[i - 1].kind == Token::Kind::number) return false;
  }
  return true;
}

std::optional<csv::Form> key(const Tokens& tokens, const TableCell& cell, const KnownNames& facts) {
  const std::string_view text = tokens.text(cell.begin, cell.end - 1);
  if (is_key(tokens, cell)) return std::nullopt;
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

std::optional<csv::Form> value(const Tokens& tokens, TableCell cell, const KnownNames& facts) {
  const std::string_view text = tokens.text(cell.begin, cell.end - 1);
  if (is_plain(text, tokens, cell)) return std::nullopt;
  if (cell.end == cell.begin + 1 && tokens[cell.begin].is_text()) return csv::Form{as_text(text)};
  if (csv::means_nothing(in_lower_case(text))) return csv::Form{"missing"};
  if (is_free(tokens, cell, facts) && !among(in_lower_case(text), {"yes", "no", "true", "false"}))
    return csv::Form{"\"" + std::string(text) + "\""};
  const bool sign = tokens.is(cell.begin, "=") || tokens.is(cell.begin, ":");  // =a*2, of a spreadsheet
  if (sign) ++cell.begin;
  if (cell.begin == cell.end) return std::nullopt;
  Reader reader(tokens, facts, cell.begin, cell.end);
  const Expr e = reader.expression();
  if (!reader.failed() && reader.at() == cell.end) {
    const std::string written = write(e);
    const auto without_blanks = [](std::string_view s) {
      std::string result;
      std::copy_if(s.begin(), s.end(), std::back_inserter(result), [](char c) { return c != ' '; });
      return result;
    };
    const bool same = without_blanks(written) == without_blanks(tokens.text(cell.begin, cell.end - 1));
    if (!same) return csv::Form{written};
    return sign ? std::optional(csv::Form{std::string(tokens.text(cell.begin, cell.end - 1))}) : std::nullopt;
  }
  return csv::number_form(text, false);
}

}  // namespace

void cells(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::size_t open = 0;
  for (std::size_t i = window.at + 1; i-- > 0 && window.at - i < 2000;) {
    if (!tokens.is(i, "{") || tokens[i].partner == kNone || tokens[i].partner < window.at) continue;
    open = i;
    break;
  }
  if (open < 2 || !tokens.is(open + 1, "|")) return;
  std::size_t head = open;
  while (head > 0 && open - head < 12 && !tokens[head].starts) --head;
  const bool bands = tokens.is(head, "bands");
  if (!bands && !tokens.is(head, "table")) return;
  std::size_t keys = 0;
  if (tokens.is(head + 2, "(") && tokens[head + 2].partner != kNone) {
    keys = 1;
    for (std::size_t i = head + 3; i < tokens[head + 2].partner; ++i) keys += tokens.is(i, ",") ? 1 : 0;
  }
  std::size_t columns = 0;
  const std::vector<TableCell> list = cells_of(tokens, open, columns);
  if (columns < 2 || list.empty() || list.size() > 2000) return;
  const KnownNames facts(tokens);
  const bool commas = std::any_of(
      list.begin(), list.end(), [&](const TableCell& cell) { return cell.column >= keys && has_comma(tokens, cell); });
  std::vector<Edit> edits;
  bool sure = true;
  for (const TableCell& cell : list) {
    std::optional<csv::Form> form;
    if (commas && has_comma(tokens, cell)) form = csv::Form{with_points(tokens, cell)};
    else form = cell.column < keys ? key(tokens, cell, facts) : value(tokens, cell, facts);
    // Bands have to cover every value: grades.cpp makes limits of their ranges.
    if (!form || (bands && cell.column < keys && form->text.find("..") != std::string::npos)) continue;
    sure = sure && form->sure;
    edits.push_back(out.edit(tokens[cell.begin].begin, tokens[cell.end - 1].end, form->text));
  }
  out.add(std::move(edits), sure);
}

}  // namespace assay::mending
