// Checker: tables whose rows come from a CSV file. Such a file may have millions of rows, so only the data that the
// model needs is built: cells are read directly into values. A syntax tree is only made for a cell with an error, which
// the code for written tables then reports.
#include "lang/check/expr/expressions.hpp"
#include "lang/text/utf8.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <unordered_set>

namespace assay {
namespace {

// The end of the cell that begins here.
std::size_t end_of_cell(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '"') return std::min(text.find_first_of(",\r\n", at), text.size());
  for (++at; at < text.size(); ++at) {
    if (text[at] != '"') continue;
    if (at + 1 >= text.size() || text[at + 1] != '"') return at + 1;
    ++at;
  }
  return at;
}

// The contents of a cell: a part of the text, unless it has doubled quotes.
std::string_view said(std::string_view cell, std::string& unescaped) {
  if (cell.empty() || cell.front() != '"') return cell;
  cell.remove_prefix(1);
  if (cell.find('"') == std::string_view::npos) return cell;  // its end is the end of the text
  unescaped.clear();
  for (std::size_t i = 0; i < cell.size() && !(cell[i] == '"' && (i + 1 >= cell.size() || cell[i + 1] != '"')); ++i) {
    if (cell[i] == '"') ++i;
    unescaped += cell[i];
  }
  return unescaped.size() + 1 == cell.size() ? cell.substr(0, unescaped.size()) : std::string_view(unescaped);
}

// Whether it has a leading zero, as numbers never do.
bool is_code(std::string_view s) {
  return s.size() > 1 && s[0] == '0' && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::unique_ptr<ast::Expr> number_or_text(std::string_view s, bool number, Span span) {
  auto e = std::make_unique<ast::Expr>();
  e->kind = number ? ast::ExprKind::number : ast::ExprKind::text;
  e->span = span;
  if (number) {
    e->text = std::string(s);
  } else {
    e->literal.given = true;
    e->literal.span = span;
    if (!s.empty()) e->literal.parts.push_back({std::string(s), nullptr, -1, span});
  }
  return e;
}

// For "< 5", ">= 5": the text after the sign.
std::string_view after_bound(std::string_view s, ast::Bound& bound) {
  const bool equal = s.size() > 1 && s[1] == '=';
  bound = s[0] == '<' ? (equal ? ast::Bound::less_equal : ast::Bound::less)
                      : (equal ? ast::Bound::greater_equal : ast::Bound::greater);
  s.remove_prefix(equal ? 2 : 1);
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  return s;
}

// The common type of a column's cells, determined while they are read.
class CsvColumnType {
 public:
  bool add(TypeKind kind, const Value& value, Budget& budget) {  // false: this cell has another kind
    if (value.missing()) return true;
    if (kind_ != TypeKind::unknown && kind != kind_) return false;
    if (kind == TypeKind::number) {
      const Number n = value.number;
      if (kind_ == TypeKind::unknown) range_ = exactly(n);
      if (compare(n, range_.low) < 0) range_.low = n;
      if (compare(n, range_.high) > 0) range_.high = n;
      whole_ = whole_ && is_whole(n);
    } else if (kind == TypeKind::text && known_.insert(value.text.view()).second) {
      budget.take(sizeof(std::string) + value.text.view().size());
      choices_.emplace_back(value.text.view());
    }
    kind_ = kind;
    return true;
  }
  TypeId type(TypeTable& types) {
    switch (kind_) {
      case TypeKind::number: return types.number(range_, whole_);
      case TypeKind::text: return types.text(std::move(choices_));
      case TypeKind::boolean: return kBool;
      default: return kUnknown;  // no test: a cell is one of these
    }
  }

 private:
  TypeKind kind_ = TypeKind::unknown;
  Interval range_;
  bool whole_ = true;
  std::vector<std::string> choices_;
  std::unordered_set<std::string_view> known_;
};

}  // namespace

bool CsvReader::rows_from_csv(const ast::Table& node, CsvRows& rows) {
  std::string shown, source;
  if (!import_text(node.from, shown, source)) return false;
  budget_.take(source.size());
  const std::uint32_t file = rows.file = sources_.add(std::move(shown), std::move(source), false);
  const std::string_view text = sources_.file(file).text;
  rows.head.span = node.from.span;
  if (!is_utf8(text)) {
    std::uint32_t bad = 0;
    while (const std::size_t length = utf8_length(text.substr(bad, 4))) bad += static_cast<std::uint32_t>(length);
    error(Code::syntax_bytes, {file, bad, bad + 1}, "the text is not valid UTF-8", "", "save the file as UTF-8");
    return false;
  }
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  bool header = true;
  rows.texts = node.texts;
  std::string unescaped;
  while (at < text.size()) {
    const std::size_t first = rows.begins.size();
    std::size_t cells = 0;
    bool more = true, blank = false;
    while (more) {
      const std::size_t begin = at;
      at = end_of_cell(text, begin);
      budget_.step();
      budget_.take(2 * sizeof(std::uint32_t));
      const std::string_view cell = said(text.substr(begin, at - begin), unescaped);
      blank = cells == 0 && cell.empty();
      if (header) {
        const auto from = static_cast<std::uint32_t>(begin);
        budget_.take(sizeof(ast::Name) + cell.size());
        rows.head.columns.push_back(
            {std::string(cell), {file, from, std::max(static_cast<std::uint32_t>(at), from + 1)}});
      } else {
        rows.begins.push_back(static_cast<std::uint32_t>(begin));
        if (cells < rows.texts.size() && is_code(cell)) rows.texts[cells] = true;
      }
      ++cells;
      more = at < text.size() && text[at] == ',';
      if (more) ++at;
    }
    if (at < text.size() && text[at] == '\r') ++at;
    if (at < text.size() && text[at] == '\n') ++at;
    if (cells == 1 && blank) {
      if (header) rows.head.columns.clear();
      rows.begins.resize(first);
    } else if (header) {
      header = false;
      rows.texts.resize(cells);
    } else if (cells != rows.head.columns.size()) {
      const std::uint32_t begin = rows.begins[first];
      const auto end = static_cast<std::uint32_t>(end_of_cell(text, begin));
      error(Code::bad_cell, {file, begin, std::max(end, begin + 1)},
            "this row has " + std::to_string(cells) + " cells, the header has " +
                std::to_string(rows.head.columns.size()),
            "", "a cell that holds a ',' stands in double quotes");
      return false;
    }
  }
  if (header)
    error(Code::bad_cell, node.from.span, "\"" + node.from.str() + "\" has no header line", "",
          "its first line names the columns: key,value");
  return !header;
}

CsvCell CsvReader::csv_cell(const CsvRows& rows, std::size_t row, std::size_t column, std::string& unescaped) const {
  budget_.step();
  const std::string_view text = sources_.file(rows.file).text;
  const std::uint32_t begin = rows.begins[row * rows.head.columns.size() + column];
  const auto end = static_cast<std::uint32_t>(end_of_cell(text, begin));
  return {said(text.substr(begin, end - begin), unescaped), {rows.file, begin, std::max(end, begin + 1)}};
}

// The value of a cell, and its kind as a type.
TypeId CsvReader::csv_value(std::string_view s, bool as_text, Value& value) {
  Number n;
  if (!as_text && parse_decimal(s, n, numbers())) {
    value = make_number(n);
    return kNumber;
  }
  if (!as_text && (s == "true" || s == "false")) {
    value = make_bool(s == "true");
    return kBool;
  }
  value = make_text(keep(s));
  return kText;
}

// The test of a key cell. False: an error, which has been reported, unless only the type differs.
bool CsvReader::csv_key(const CsvCell& cell, bool as_text, const std::string& key, int rubric_index,
                        std::vector<CellTest>& tests, TypeId& type) {
  const std::string_view s = cell.text;
  CellTest test;
  TypeId found = kNumber;
  const std::size_t dots = as_text ? std::string_view::npos : s.find("..");
  Number low, high;
  if (s.empty() || s == "missing") {
    test.kind = CellTest::Kind::missing;
    tests.push_back(test);
    return true;
  }
  if (!as_text && (s[0] == '<' || s[0] == '>')) {
    ast::CellBound b;
    const std::string_view rest = after_bound(s, b.bound);
    if (!parse_decimal(rest, low, numbers())) {
      ast::CellPattern p;
      p.tag = ast::CellPattern::Tag::bound;
      p.span = cell.span;
      b.expr = number_or_text(rest, false, cell.span);
      p.bounds.push_back(std::move(b));
      return tables_.cell_test(p, rubric_index, key, tests, type);
    }
    const bool lower = b.bound == ast::Bound::greater || b.bound == ast::Bound::greater_equal;
    test.kind = CellTest::Kind::range;
    test.range = {lower ? low : kMissing, lower ? kMissing : low, b.bound == ast::Bound::greater,
                  b.bound == ast::Bound::less};
  } else if (dots != std::string_view::npos && parse_decimal(s.substr(0, dots), low, numbers())) {
    const bool number = parse_decimal(s.substr(dots + 2), high, numbers());
    if (!number || compare(low, high) > 0) {
      ast::CellPattern p;
      p.span = cell.span;
      p.expr = std::make_unique<ast::Expr>();
      p.expr->kind = ast::ExprKind::range;
      p.expr->span = cell.span;
      p.expr->args.push_back(number_or_text(s.substr(0, dots), true, cell.span));
      p.expr->args.push_back(number_or_text(s.substr(dots + 2), number, cell.span));
      return tables_.cell_test(p, rubric_index, key, tests, type);
    }
    test.kind = CellTest::Kind::range;
    test.range = {low, high, false, false};
  } else {
    found = csv_value(s, as_text, test.value);
  }
  tests.push_back(test);
  return types_.unify(type, found, type);
}

bool CsvReader::declare_csv_keys(TableDecl& decl, const CsvRows& rows, LookupTable& table) {
  const std::size_t keys = decl.params.size();
  bool good = true;
  decl.keys.assign(keys, kUnknown);
  std::string unescaped;
  table.rows.reserve(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    budget_.step(keys);
    budget_.take(sizeof(TableRow) + keys * (sizeof(std::vector<CellTest>) + sizeof(CellTest)));
    TableRow& row = table.rows.emplace_back();
    row.cells.resize(keys);
    row.span = csv_cell(rows, r, 0, unescaped).span;
    row.span.end = csv_cell(rows, r, rows.head.columns.size() - 1, unescaped).span.end;
    for (std::size_t k = 0; k < keys; ++k) {
      const CsvCell cell = csv_cell(rows, r, k, unescaped);
      if (cell.text == "otherwise") continue;
      const TypeId before = decl.keys[k];
      const std::size_t errors = diagnostics_->errors();
      if (csv_key(cell, rows.texts[k], rows.head.columns[k].text, decl.rubric, row.cells[k], decl.keys[k])) continue;
      good = false;
      row.cells[k].clear();  // all tests of a column have one type
      if (diagnostics_->errors() == errors && types_.kind(before) != TypeKind::unknown) {
        error(Code::types_differ, cell.span, "this key is not " + say_of(before, cell.span) + ", as the keys above are",
              "", "the keys of a column have one type");
      }
    }
  }
  for (const TypeId type : decl.keys) table.keys.push_back({type});
  return good;
}

bool CsvReader::read_csv_columns(TableDecl& decl, const CsvRows& rows) {
  bool good = true;
  std::string unescaped;
  for (std::size_t c = decl.params.size(); c < rows.head.columns.size(); ++c) {
    TableDecl::Column column;
    CsvColumnType type;
    column.values = {values(rows.size()), rows.size()};
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const CsvCell cell = csv_cell(rows, r, c, unescaped);
      Value& value = column.values[r];
      TypeId found = kUnknown;
      value = missing_value();
      if (!cell.text.empty()) found = csv_value(cell.text, rows.texts[c], value);
      column.optional = column.optional || value.missing();
      if (type.add(types_.kind(found), value, budget_)) continue;
      error(Code::types_differ, cell.span, "this cell is " + say_of(found, cell.span) + ", the ones above are not", "",
            "the cells of a column have one type");
      good = false;
      break;
    }
    column.type = type.type(types_);
    decl.results.push_back(std::move(column));
  }
  return good;
}

// A table without keys: its rows as records.
Expr* CsvReader::list_of_csv_rows(TableDecl& decl, const CsvRows& rows) {
  const std::size_t columns = decl.results.size();
  std::vector<Field> fields;
  for (std::size_t c = 0; c < columns; ++c) {
    Field& f = fields.emplace_back();
    f.name = decl.columns[c];
    f.type = decl.results[c].type;
    f.presence = decl.results[c].optional ? Presence::optional : Presence::required;
  }
  Value* records = values(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Value* cells = values(columns);
    for (std::size_t c = 0; c < columns; ++c) cells[c] = decl.results[c].values[r];
    records[r] = make_record(cells, static_cast<std::uint32_t>(columns));
  }
  if (!decl.results.empty()) state_.constant_sizes[records] = 1 + rows.size() * (1 + columns);
  return constant(make_list(records, static_cast<std::uint32_t>(rows.size())),
                  types_.list(types_.record(std::move(fields)), false, false), rows.head.span);
}

}  // namespace assay
