// Checker: the ways out that show the author's own words, for habits of other languages and of spreadsheets that the
// grammar lets pass.
#include "lang/checker.hpp"
#include "lang/foreign_words.hpp"

#include <algorithm>
#include <cctype>

namespace assay {

std::string Checker::short_text(Span span) const {
  const std::string_view s = sources_.text(span);
  return s.size() <= 40 && s.find('\n') == s.npos ? std::string(s) : "…";
}

// 'a == null': says so, when nothing has that name.
bool Checker::compared_with_null(const ast::Expr& e, Context& cx) {
  for (std::size_t i = 0; i < 2; ++i) {
    const ast::Expr& side = *e.args[i];
    const auto local = [&side](const Local& l) { return l.name == side.text; };
    if (side.kind != ast::ExprKind::name || !is_null_word(side.text) ||
        std::any_of(cx.scope.begin(), cx.scope.end(), local) ||
        (cx.rubric >= 0 && find_value(rubric(cx.rubric), side.text) >= 0) ||
        find(side.text, &Names::tables, cx.rubric) >= 0)
      continue;
    const ast::Expr& other = *e.args[1 - i];
    error(Code::unknown_name, side.span, "nothing is named '" + side.text + "'", "",
          "write " + short_text(other.span) + (e.text == "==" ? " is missing" : " is given"));
    expr(other, cx);
    return true;
  }
  return false;
}

// A comparison with the key of a column as its cells are written: 'a < 3' → '< 3'; empty: it is none.
std::string Checker::as_bound(const ast::Expr& e, const std::string& key) const {
  if (e.kind != ast::ExprKind::binary) return {};
  if (e.text == "and") {
    const std::string a = as_bound(*e.args[0], key), b = as_bound(*e.args[1], key);
    return a.empty() || b.empty() ? std::string() : a + " " + b;
  }
  const auto is_key = [&key](const ast::Expr& side) { return side.kind == ast::ExprKind::name && side.text == key; };
  const bool left = is_key(*e.args[0]), right = is_key(*e.args[1]);
  if (left == right) return {};
  const std::string value = short_text(e.args[left ? 1 : 0]->span);
  if (e.text == "==") return value;
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"<", ">"}, {"<=", ">="}, {">", "<"}, {">=", "<="}};
  for (const auto& [sign, turned] : kSigns) {
    if (e.text == sign) return std::string(left ? sign : turned) + " " + value;
  }
  return {};
}

// "0-5" → "0..5"; empty: the text is no such range.
std::string Checker::hyphen_range(std::string_view s) {
  std::string numbers[2];
  std::size_t at = 0;
  const auto digit = [&s](std::size_t i) {
    return i < s.size() && std::isdigit(static_cast<unsigned char>(s[i])) != 0;
  };
  for (std::string& number : numbers) {
    while (at < s.size() && s[at] == ' ') ++at;
    while (digit(at) || (!number.empty() && at < s.size() && s[at] == '.' && digit(at + 1))) number += s[at++];
    while (at < s.size() && s[at] == ' ') ++at;
    if (number.empty()) return {};
    if (&number == &numbers[0] && (at >= s.size() || s[at++] != '-')) return {};
  }
  return at == s.size() ? numbers[0] + ".." + numbers[1] : std::string();
}

// What a column of texts was meant to be when one of them is such as "0-5".
std::string Checker::meant_as_range(const LookupTable& table, std::size_t column) {
  for (const TableRow& row : table.rows) {
    if (column >= row.cells.size()) continue;
    for (const CellTest& t : row.cells[column]) {
      if (t.kind != CellTest::Kind::value || t.value.missing()) continue;
      if (const std::string range = hyphen_range(t.value.text.view()); !range.empty())
        return "a range is written " + range;
    }
  }
  return {};
}

}  // namespace assay
