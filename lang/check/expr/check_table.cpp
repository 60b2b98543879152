// Checker: tables. A table becomes a list of tests that chooses a row, and columns that are read by row number.
#include "lang/check/expr/expressions.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

bool TableReader::cell_test(const ast::CellPattern& pattern, int rubric_index, const std::string& key,
                            std::vector<CellTest>& tests, TypeId& type) {
  CellTest test;
  Context cx;
  cx.rubric = rubric_index;
  if (pattern.tag == ast::CellPattern::Tag::missing) {
    test.kind = CellTest::Kind::missing;
    tests.push_back(test);
    return true;
  }
  if (pattern.tag == ast::CellPattern::Tag::bound) {
    std::vector<std::pair<Bool, int>> unused;
    test.kind = CellTest::Kind::range;
    test.range = {kMissing, kMissing, false, false};
    for (const ast::CellBound& b : pattern.bounds) {
      const Number n = kinds_.constant_number(*b.expr, rubric_index, "a bound in a table");
      if (n.missing()) return false;
      if (b.bound == ast::Bound::greater || b.bound == ast::Bound::greater_equal) {
        test.range.low = n;
        test.range.low_open = b.bound == ast::Bound::greater;
      } else {
        test.range.high = n;
        test.range.high_open = b.bound == ast::Bound::less;
      }
    }
    tests.push_back(test);
    return types_.unify(type, kNumber, type);
  }
  const ast::Expr& written = *pattern.expr;
  const std::string bound = hints_.as_bound(written, key);
  if (!bound.empty() && (rubric_index < 0 || exprs_.find_value(rubric(rubric_index), key) < 0)) {
    error(Code::not_constant, pattern.span, "a key of a table must be known before a record is seen",
          "the key itself is not written", "write " + bound);
    return false;
  }
  Expr* value = exprs_.expr(written, cx);
  if (is_constant(value) && value->value.missing()) {  // the name of what is missing
    if (diagnostics_->has_errors()) return false;
    test.kind = CellTest::Kind::missing;
    tests.push_back(test);
    return true;
  }
  if (!is_constant(value)) {
    error(Code::not_constant, pattern.span, "a key of a table must be known before a record is seen",
          "this depends on the record",
          bound.empty() ? "compare in a choice instead: v when c else w" : "write " + bound);
    return false;
  }
  if (kind_of(value) == TypeKind::range) {
    test.kind = CellTest::Kind::range;
    test.range = *value->value.range.data;
    tests.push_back(test);
    return types_.unify(type, kNumber, type);
  }
  TypeId plain = value->type;
  if (kind_of(value) == TypeKind::text) plain = kText;
  if (kind_of(value) == TypeKind::number) plain = kNumber;
  test.value = value->value;
  tests.push_back(test);
  return types_.unify(type, plain, type);
}

// Whether a key of another type than those above gives the column several types: "n/a" beside ranges.
bool TableReader::joins_keys(const std::vector<CellTest>& tests, TypeId before, TypeId& type) {
  if (tests.empty() || tests.back().kind == CellTest::Kind::missing || !types_.scalar(before)) return false;
  const CellTest& test = tests.back();
  const TypeKind k = test.kind == CellTest::Kind::range ? TypeKind::number : assay::kind_of(test.value);
  if (k != TypeKind::number && k != TypeKind::text && k != TypeKind::boolean) return false;
  return types_.join(before, k == TypeKind::number ? kNumber : k == TypeKind::text ? kText : kBool, type);
}

bool TableReader::declare_key_cells(const ast::Rows& rows, std::size_t keys, LookupTable& table,
                                    const std::vector<TypeId>& hints, int rubric_index, std::vector<TypeId>& types) {
  bool good = true;
  types.assign(keys, kUnknown);
  budget_.step(rows.rows.size());
  for (std::size_t k = 0; k < keys; ++k) report_differences(rows, k);
  for (const std::vector<ast::Cell>& cells : rows.rows) {
    budget_.step(keys);
    budget_.take(sizeof(TableRow) + keys * (sizeof(std::vector<CellTest>) + sizeof(CellTest)));
    TableRow row;
    row.span =
        cells.empty() ? rows.span : Span{cells.front().span.file, cells.front().span.begin, cells.back().span.end};
    for (std::size_t k = 0; k < keys; ++k) {
      std::vector<CellTest> tests;
      bool otherwise = false;
      if (k < cells.size()) {
        for (const ast::CellPattern& p : cells[k].patterns) {
          if (p.tag == ast::CellPattern::Tag::otherwise) {
            otherwise = true;
            continue;
          }
          const TypeId before = types[k];
          const std::size_t errors = diagnostics_->errors(), had = tests.size();
          const bool texts =
              types_.kind(before) == TypeKind::text || (types_.kind(before) == TypeKind::unknown &&
                                                        (k >= hints.size() || types_.kind(hints[k]) == TypeKind::text));
          Context cx;
          cx.rubric = rubric_index;
          if (texts && p.expr && hints_.unquoted(*p.expr, cx)) {
            good = false;
            continue;
          }
          if (cell_test(p, rubric_index, rows.columns[k].text, tests, types[k])) continue;
          const bool odd = diagnostics_->errors() == errors && types_.kind(before) != TypeKind::unknown;
          std::string range =
              odd && types_.kind(before) == TypeKind::text ? hints_.meant_as_range(table, k) : std::string();
          if (odd && p.expr && p.expr->kind == ast::ExprKind::text && types_.kind(before) == TypeKind::number) {
            range = hints_.hyphen_range(p.expr->literal.str());
            if (!range.empty()) range = "a range is written " + range;
          }
          if (odd && range.empty() && joins_keys(tests, before, types[k])) continue;
          good = false;
          tests.resize(had);
          if (odd) {
            error(Code::types_differ, p.span, "this key is not " + say_of(before, p.span) + ", as the keys above are",
                  "", range.empty() || is_foreign(p.span) ? "the keys of a column have one type" : range);
          }
        }
      }
      if (otherwise) tests.clear();
      row.cells.push_back(std::move(tests));
    }
    table.rows.push_back(std::move(row));
  }
  for (std::size_t k = 0; k < keys; ++k) {
    TypeId type = types[k];
    if (k < hints.size() && types_.kind(hints[k]) == TypeKind::either) {
      error(Code::ask_first, rows.columns[k].span,
            "a key of bands has one type, '" + rows.columns[k].text + "' is " + types_.say(hints[k]), "",
            "name the one that counts: let … = " + rows.columns[k].text + " as number");
      good = false;
    } else if (k < hints.size() && types_.kind(hints[k]) != TypeKind::unknown) {
      if (types_.kind(type) != TypeKind::unknown && types_.kind(hints[k]) != types_.kind(type)) {
        error(Code::types_differ, rows.columns[k].span,
              "a key in column '" + rows.columns[k].text + "' is " + types_.say(type) + ", the value looked up is " +
                  types_.say(hints[k]),
              "", types_.kind(type) == TypeKind::text ? hints_.meant_as_range(table, k) : std::string());
        good = false;
      }
      type = hints[k];
    }
    table.keys.push_back({type});
  }
  return good;
}

bool TableReader::read_columns(TableDecl& decl, const ast::Rows& rows, std::size_t keys, int rubric_index) {
  bool good = true;
  const std::vector<ast::Name>& keyed = decl.params;
  for (std::size_t c = keys; c < rows.columns.size(); ++c) {
    TableDecl::Column column;
    for (const std::vector<ast::Cell>& cells : rows.rows) {
      if (c >= cells.size()) continue;
      const ast::Cell& cell = cells[c];
      const ast::Expr* e = nullptr;
      if (cell.patterns.size() == 1 && cell.patterns[0].tag == ast::CellPattern::Tag::value)
        e = cell.patterns[0].expr.get();
      if (cell.patterns.size() == 1 && cell.patterns[0].tag == ast::CellPattern::Tag::missing) {
        ast::Expr& none = state_.synthetic.emplace_back();
        none.kind = ast::ExprKind::missing;
        none.span = cell.span;
        e = &none;
      }
      if (!e) {
        error(Code::bad_cell, cell.span, "only the first columns, the keys, hold bounds, several values or 'otherwise'",
              "", "give one value here; what is looked up stands in the columns of the keys");
        good = false;
        continue;
      }
      column.cells.push_back(e);
    }
    // Constant columns are tables of values; others, whose cells use a key, are choices by row.
    for (const ast::Expr* e : column.cells) {
      std::set<std::string> names;
      names_in(*e, names);
      column.constant = column.constant && std::none_of(keyed.begin(), keyed.end(), [&names](const ast::Name& key) {
                          return names.count(key.text) > 0;
                        });
    }
    const bool texts = std::all_of(column.cells.begin(), column.cells.end(), [](const ast::Expr* e) {
      return e->kind == ast::ExprKind::text || e->kind == ast::ExprKind::name || e->kind == ast::ExprKind::missing;
    });
    std::vector<TypeId> types;
    std::vector<Value> known;
    for (std::size_t r = 0; column.constant && r < column.cells.size(); ++r) {
      const ast::Expr& e = *column.cells[r];
      const std::size_t errors = diagnostics_->errors();
      Context cx;
      cx.rubric = rubric_index;
      if (texts && hints_.unquoted(e, cx)) {
        good = false;
        continue;
      }
      Expr* value = exprs_.expr(e, cx);
      if (diagnostics_->errors() != errors) good = false;
      const bool unknown = value->type == kUnknown && e.kind != ast::ExprKind::missing;
      if (!is_constant(value) || unknown) {
        column.constant = false;
      } else {
        types.push_back(value->type);
        column.optional = column.optional || value->value.missing();
        known.push_back(value->value);
      }
    }
    if (const std::size_t odd = types_.unify_all(types, column.type, true); odd < types.size()) {
      error(Code::types_differ, column.cells[odd]->span,
            "this cell is " + say_of(types[odd], column.cells[odd]->span) + ", the ones above are not", "",
            "the cells of a column have one type");
      good = false;
    }
    Value* kept = values(known.size());
    std::copy(known.begin(), known.end(), kept);
    column.values = {kept, known.size()};
    decl.results.push_back(std::move(column));
  }
  return good;
}

void TableReader::build_table(int index) {
  TableDecl& decl = declared_.tables[static_cast<std::size_t>(index)];
  if (decl.state == 1)
    error(Code::cycle, decl.node->name.span, "the table '" + decl.node->name.text + "' needs itself", "",
          "a value cannot be computed from itself");
  if (decl.state != 0) return;
  const WorkingOn working(budget_, decl.node->name.span);
  read_table(decl);
  decl.state = 2;
}

void TableReader::read_table(TableDecl& decl) {
  decl.state = 1;
  const ast::Table& node = *decl.node;
  CsvRows csv;
  if (node.from.given && !csv_.rows_from_csv(node, csv)) return;
  const ast::Rows* rows = node.from.given ? &csv.head : &node.rows;
  const std::size_t keys = node.params.size();
  decl.params = node.params;
  if (rows->columns.size() < keys + 1 || rows->columns.empty()) {
    error(Code::bad_cell, node.from.given && !rows->columns.empty() ? rows->columns[0].span : rows->span,
          "the table '" + node.name.text + "' needs a column for each key and at least one more", "",
          hints_.columns_help(node.params, *rows, node.name.text, node.from.given));
    return;
  }
  for (std::size_t k = 0; k < keys; ++k) {
    if (rows->columns[k].text != node.params[k].text) {
      Diagnostic& d = error(Code::bad_cell, rows->columns[k].span,
                            "column " + std::to_string(k + 1) + " is " +
                                (node.from.given ? "of another name" : "'" + rows->columns[k].text + "'") +
                                ", the key is '" + node.params[k].text + "'",
                            "", hints_.columns_help(node.params, *rows, node.name.text, node.from.given));
      if (!node.from.given && Hints::keys_renamed(node.params, *rows, node.name.text))
        offer(*diagnostics_, d, {Fix{{rows->columns[k].span, node.params[k].text}}}, true);
      return;
    }
  }
  for (std::size_t c = keys; c < rows->columns.size(); ++c) decl.columns.push_back(rows->columns[c].text);
  const auto is_value = [](const ast::Cell& cell) {
    using Tag = ast::CellPattern::Tag;
    return cell.patterns.size() == 1 && (cell.patterns[0].tag == Tag::value || cell.patterns[0].tag == Tag::missing);
  };
  for (const std::vector<ast::Cell>& row : rows->rows) {
    if (node.keyed || node.from.given || std::all_of(row.begin(), row.end(), is_value)) continue;
    error(Code::bad_cell, node.name.span,
          "the rows of '" + node.name.text + "' hold bounds, several values or 'otherwise', but it has no keys", "",
          "name the columns that are looked up: table " + node.name.text + "(" + rows->columns[0].text + ") { … }");
    return;
  }
  if (!(node.from.given ? csv_.read_csv_columns(decl, csv) : read_columns(decl, *rows, keys, decl.rubric))) return;
  if (!node.keyed && node.from.given) {
    decl.rows = csv_.list_of_csv_rows(decl, csv);
    return;
  }
  if (!node.keyed) {  // a list of records
    std::vector<Expr*> records;
    std::vector<TypeId> types;
    Context cx;
    cx.rubric = decl.rubric;
    for (std::size_t r = 0; r < rows->rows.size(); ++r) {
      std::vector<std::pair<std::string, Expr*>> fields;
      for (std::size_t c = 0; c < decl.results.size(); ++c) {
        Expr* value = exprs_.expr(*decl.results[c].cells[r], cx);
        Expr* typed = decl.results[c].constant && is_constant(value)
                          ? constant(value->value, decl.results[c].type, value->span)
                          : value;
        typed->optional = decl.results[c].optional || typed->optional;
        fields.emplace_back(decl.columns[c], typed);
      }
      const std::vector<ast::Cell>& cells = rows->rows[r];
      records.push_back(
          record_of(std::move(fields), Span{rows->span.file, cells.front().span.begin, cells.back().span.end}));
      types.push_back(records.back()->type);
    }
    TypeId element = kUnknown;
    if (const std::size_t odd = types_.unify_all(types, element, true); odd < types.size()) {
      error(Code::types_differ, records[odd]->span,
            "this row of '" + node.name.text + "' has other types than the rows above", "",
            "the cells of a column have one type");
      return;
    }
    decl.rows = list_of_exprs(std::move(records), element, rows->span);
    return;
  }
  LookupTable table;
  table.name = node.name.text;
  if (!(node.from.given ? csv_.declare_csv_keys(decl, csv, table)
                        : declare_key_cells(*rows, keys, table, {}, decl.rubric, decl.keys)))
    return;
  decl.table = static_cast<int>(model_.tables.size());
  prove_table(table, *rows, decl.keys, false, -1, node.name.text, true, decl.serve_missing);
  if (!node.from.given) decl.written = rows;
  model_.tables.push_back(std::move(table));
}

Expr* TableReader::table_value(int index, Span span) {
  build_table(index);
  TableDecl& decl = declared_.tables[static_cast<std::size_t>(index)];
  decl.used = true;
  return decl.rows ? decl.rows : broken(span);
}

// The cell of a row: read from the values of a constant column, otherwise a choice by row.
Expr* TableReader::column_value(TableDecl& decl, std::size_t c, Expr* row, Context& cx, Span span) {
  TableDecl::Column& column = decl.results[c];
  if (column.constant) {
    if (column.list == nullptr) {
      column.list = constant(make_list(column.values.data(), static_cast<std::uint32_t>(column.values.size())),
                             types_.list(column.type, false, column.optional), span);
    }
    Expr* pick = make(Op::pick, column.type, span, {row, column.list});
    pick->optional = row->optional || column.optional;
    return pick;
  }
  Expr* value = nullptr;
  for (std::size_t r = column.cells.size(); r-- > 0;) {
    Expr* cell = exprs_.expr(*column.cells[r], cx);
    if (!value) value = constant(missing_value(), cell->type, span);
    Expr* here = make(Op::eq, kBool, span, {row, number(whole(static_cast<std::int64_t>(r)), span)});
    here->optional = row->optional;
    value = choose(cell, here, value, column.cells[r]->span);
  }
  return value ? value : broken(span);
}

// A constant key that no row has: the call is missing for every record.
void TableReader::doubt_key(const TableDecl& decl, std::size_t k, const ast::Expr& call, const Expr* key,
                            int rubric_index) {
  std::vector<std::string_view> keys;
  for (const TableRow& row : model_.tables[static_cast<std::size_t>(decl.table)].rows) {
    if (row.cells[k].empty()) return;  // 'otherwise'
    for (const CellTest& t : row.cells[k]) {
      if (t.kind == CellTest::Kind::value) keys.push_back(t.value.text.view());
    }
  }
  const std::string_view asked = key->value.text.view();
  if (std::find(keys.begin(), keys.end(), asked) != keys.end() || !is_own(key->span, rubric_index)) return;
  const auto& inputs = rubric(rubric_index).by_name.inputs;
  const bool input = inputs.find(std::string(asked)) != inputs.end();  // whose quotation marks are too much
  state_.noted.doubts.push_back(
      {Code::always_missing, key->span, "no row of '" + call.text + "' has this key, so the call is always missing",
       input ? FixIt("", std::string(asked), false) : hints_.near_or_quoted(asked, keys, "its keys are "), &call});
}

Expr* TableReader::table_call(int index, const ast::Expr& e, std::vector<Expr*> args, Context& cx) {
  build_table(index);
  TableDecl& decl = declared_.tables[static_cast<std::size_t>(index)];
  decl.used = true;
  if (decl.row_item >= 0) ensure(rubric(decl.rubric), decl.row_item);  // bands, applied to another value
  const ast::Table& node = *decl.node;
  if (!node.keyed && decl.results.size() < decl.columns.size()) return broken(e.span);
  if (!node.keyed) {
    error(Code::wrong_type, e.word, "'" + e.text + "' is a table without keys: a list of its rows", "",
          "write " + e.text + " without '(…)'");
    return broken(e.span);
  }
  std::string signature = "table " + node.name.text + "(";
  for (std::size_t i = 0; i < node.params.size(); ++i) signature += (i ? ", " : "") + node.params[i].text;
  // rate(city), where the other key is a value of the rubric as well
  Fix others;
  bool named = args.size() < node.params.size() && !e.loop && hints_.call_of_table(node, cx.rubric).edits;
  for (std::size_t i = 0; named && i < e.args.size(); ++i)
    named = e.args[i]->kind == ast::ExprKind::name && e.args[i]->text == node.params[i].text;
  if (named && !e.args.empty()) {
    others = {{{e.span.file, e.args.back()->span.end, e.args.back()->span.end}, ""}};
    for (std::size_t i = args.size(); i < node.params.size(); ++i) others[0].text += ", " + node.params[i].text;
  }
  if (!calls_.arity(e, args.size(), node.params.size(), node.params.size(), signature + ")", others))
    return broken(e.span);
  if (decl.table < 0) return broken(e.span);
  decl.asked.resize(args.size());
  for (std::size_t k = 0; k < args.size(); ++k) {
    decl.asked_missing = decl.asked_missing || args[k]->optional || (is_constant(args[k]) && args[k]->value.missing());
    const TypeKind have = kind_of(args[k]), need = types_.kind(decl.keys[k]);
    if (have == TypeKind::unknown || need == TypeKind::unknown) continue;
    const bool same = have == need && (have != TypeKind::either || same_kinds(args[k]->type, decl.keys[k]));
    if (!same) {
      const std::string ask = asked_.ask_help(args[k], asked_.kind_word(decl.keys[k]));
      error(asked_.asked_or_wrong(ask), args[k]->span,
            "'" + node.params[k].text + "' of '" + e.text + "' is " +
                (node.from.given ? types_.say_kind(decl.keys[k]) : types_.say(decl.keys[k])) + ", this is " +
                types_.say(args[k]->type),
            "",
            !ask.empty() ? ask
            : have == TypeKind::number && need == TypeKind::text && !node.from.given
                ? hints_.meant_as_range(model_.tables[static_cast<std::size_t>(decl.table)], k)
                : std::string());
      return broken(e.span);
    }
    if (have == TypeKind::number && !node.from.given) doubt_decimal_commas(node.rows, k, args[k]->type, cx.rubric);
    TableDecl::Asked& asked = decl.asked[k];
    if (have == TypeKind::number) {
      if (!is_constant(args[k])) {
        const bool again = asked.value != nullptr && asked.value->op == Op::item && args[k]->op == Op::item &&
                           asked.value->index == args[k]->index;
        asked.value = !asked.computed || again ? args[k] : nullptr;
        asked.computed = true;
      }
      types_.unify(asked.type, args[k]->type, asked.type);
    }
    if (have != TypeKind::text) continue;
    if (is_constant(args[k])) {
      if (args[k]->value.missing()) continue;
      asked.constants.emplace(args[k]->value.text.view());
      doubt_key(decl, k, e, args[k], cx.rubric);
      continue;
    }
    asked.choices = asked.choices || !types_[args[k]->type].choices.empty();
    types_.unify(asked.type, args[k]->type, asked.type);
  }
  if (args.size() == 1) doubt_gaps(decl, e, args[0], cx.rubric);
  if (args.size() == 1 && !node.from.given) doubts_.doubt_withheld(node.rows, args[0], e.args[0]->span, cx.rubric);
  if (decl.key_decimals >= 0 && kind_of(args[0]) == TypeKind::number) {  // rounded like the score
    const Number decimals = whole(decl.key_decimals);
    args[0] =
        is_constant(args[0]) && !args[0]->value.missing()
            ? number(round_to(args[0]->value.number, decl.key_decimals, Rounding::half_away, numbers()), args[0]->span)
            : builtin(Builtin::round, kNumber, args[0]->span, {args[0], number(decimals, args[0]->span)});
  }
  const bool formulas =
      std::any_of(decl.results.begin(), decl.results.end(), [](const TableDecl::Column& c) { return !c.constant; });
  return formulas ? table_function(index, e, std::move(args), cx) : table_row(decl, args, cx, e.span);
}

bool TableReader::same_kinds(TypeId a, TypeId b) const {
  const std::vector<TypeId> first = types_.alternatives(a), second = types_.alternatives(b);
  return std::equal(first.begin(), first.end(), second.begin(), second.end(),
                    [this](TypeId x, TypeId y) { return types_.kind(x) == types_.kind(y); });
}

// A row is useless if no call of the table, from any function, can look up its key.
void TableReader::check_table_keys() {
  for (TableDecl& decl : declared_.tables) {
    if (decl.row_item >= 0 || !decl.asked.empty()) report_never_missing(decl);
    if (decl.asked.size() == 1 && decl.asked[0].computed) doubt_one_row(decl), doubt_cases(decl), doubt_limited(decl);
    for (std::size_t k = 0; k < decl.asked.size(); ++k) {
      const TableDecl::Asked& asked = decl.asked[k];
      if (asked.computed && !decl.node->from.given && types_.kind(asked.type) == TypeKind::number)
        doubts_.doubt_percents(decl.node->rows, k, types_[asked.type].range, "'" + decl.node->params[k].text + "'",
                               decl.rubric);
      const std::vector<std::string>& choices = types_[asked.type].choices;
      if (!asked.choices || choices.empty()) continue;
      const std::set<std::string_view> among(choices.begin(), choices.end());
      for (const TableRow& row : model_.tables[static_cast<std::size_t>(decl.table)].rows) {
        for (const CellTest& t : row.cells[k]) {
          if (t.kind != CellTest::Kind::value) continue;
          const std::string value(t.value.text.view());
          if (among.count(value) != 0 || asked.constants.count(value) != 0) continue;
          const std::vector<std::string_view> names(choices.begin(), choices.end());
          const FixIt near = did_you_mean(value, names);
          Diagnostic& d = error(Code::never_equal, row.span,
                                "the key \"" + value + "\" never occurs: '" + decl.node->params[k].text + "' is " +
                                    types_.say(asked.type),
                                "", near.words);
          const std::string quoted = '"' + value + '"';
          const std::size_t at = sources_.text(row.span).find(quoted);
          std::string meant = near.edits ? near.replacement : std::string();
          // Or the only choice without a row.
          std::size_t without = 0;
          for (const std::string& choice : choices) {
            const auto& all = model_.tables[static_cast<std::size_t>(decl.table)].rows;
            const bool there = std::any_of(all.begin(), all.end(), [&](const TableRow& other) {
              return std::any_of(other.cells[k].begin(), other.cells[k].end(), [&](const CellTest& cell) {
                return cell.kind == CellTest::Kind::value && cell.value.text.view() == choice;
              });
            });
            budget_.step(1 + all.size() / 8);
            if (there || ++without > 1 || near.edits) continue;
            meant = choice;
          }
          if (without > 1 && !near.edits) meant.clear();
          if (meant.empty() || decl.node->from.given || at == std::string_view::npos) continue;
          const std::uint32_t begin = row.span.begin + static_cast<std::uint32_t>(at);
          const Span key{row.span.file, begin, begin + static_cast<std::uint32_t>(quoted.size())};
          offer(*diagnostics_, d, {{{key, '"' + meant + '"'}}});
        }
      }
    }
  }
}

// row = lookup(keys) in its columns
Expr* TableReader::table_row(TableDecl& decl, const std::vector<Expr*>& args, Context& cx, Span span) {
  const std::size_t depth = cx.scope.size();
  struct Bound {
    int id;
    Expr* value;
    std::string name;
  };
  std::vector<Bound> bound;
  std::vector<Expr*> keys;
  for (std::size_t k = 0; k < args.size(); ++k) {
    Local& local = push_local(cx, decl.params[k].text, args[k]->type, args[k]->optional);
    if (is_constant(args[k])) local.constant = args[k];
    else bound.push_back({local.id, args[k], decl.params[k].text});
    keys.push_back(local_ref(local, args[k]->span));
  }
  Expr* lookup = make(Op::lookup, kWhole, span, keys);
  lookup->index = static_cast<std::uint32_t>(decl.table);
  lookup->optional = true;
  const Local row = push_local(cx, "", kWhole, true);
  bound.push_back({row.id, lookup, ""});
  std::vector<std::pair<std::string, Expr*>> columns;
  for (std::size_t c = 0; c < decl.results.size(); ++c) {
    Expr* value = column_value(decl, c, local_ref(row, span), cx, span);
    value->optional = true;
    columns.emplace_back(decl.columns[c], value);
  }
  cx.scope.resize(depth);
  Expr* result = nullptr;
  if (columns.size() == 1) {
    result = columns[0].second;
  } else {
    Expr* record = record_of(std::move(columns), span);
    Expr* given = make(Op::not_, kBool, span, {make(Op::is_missing, kBool, span, {local_ref(row, span)})});
    result = choose(record, given, constant(missing_value(), record->type, span), span);
  }
  for (auto it = bound.rbegin(); it != bound.rend(); ++it) {
    Expr* let = make(Op::let_in, result->type, span, {it->value, result});
    let->index = static_cast<std::uint32_t>(it->id);
    let->optional = result->optional;
    result = let;
  }
  return result;
}

// A table with formulas in its cells becomes a function, one for each combination of key types: so the size of tables
// that use tables stays linear, and a table that depends on itself is detected.
Expr* TableReader::table_function(int index, const ast::Expr& e, std::vector<Expr*> args, Context& cx) {
  constexpr int kExact = 100;  // instances with the exact ranges of their keys; further ones share their types
  TableDecl& decl = declared_.tables[static_cast<std::size_t>(index)];
  const int rubric_index = decl.rubric >= 0 ? decl.rubric : cx.rubric;
  std::vector<TypeId> types;
  std::vector<bool> optional;
  for (const Expr* a : args) {
    TypeId type = a->type;
    if (decl.instances >= kExact && kind_of(a) == TypeKind::number) type = types_[type].whole ? kWhole : kNumber;
    if (kind_of(a) == TypeKind::text && (decl.instances >= kExact || types_[type].choices.size() == 1)) type = kText;
    types.push_back(type);
    optional.push_back(a->optional);
  }
  TableInstance* found = nullptr;
  for (TableInstance& in : table_instances_) {
    if (in.decl == index && in.rubric == rubric_index && in.params == types && in.optional == optional) found = &in;
  }
  const bool within = std::any_of(table_instances_.begin(), table_instances_.end(),
                                  [&](const TableInstance& in) { return in.decl == index && !in.built; });
  if (within) {
    error(Code::recursion, e.word, "the table '" + e.text + "' needs itself", "",
          "a cell may use other tables, but none that leads back to its own");
    return broken(e.span);
  }
  if (!found) {
    found = &table_instances_.emplace_back();
    ++decl.instances;
    found->decl = index;
    found->rubric = rubric_index;
    found->params = types;
    found->optional = optional;
    found->function = static_cast<int>(model_.functions.size());
    {
      Function& f = model_.functions.emplace_back();
      f.name = decl.node->name.text;
      f.rubric = rubric_index;
      f.params = types;
      for (const ast::Name& p : decl.params) f.param_names.push_back(p.text);
    }
    Context inner;
    inner.rubric = rubric_index;
    std::vector<Expr*> keys;
    for (std::size_t k = 0; k < args.size(); ++k) {
      const Local key = push_local(inner, decl.params[k].text, types[k], optional[k]);
      keys.push_back(local_ref(key, args[k]->span));
    }
    Expr* result = table_row(decl, keys, inner, e.span);
    Function& f = model_.functions[static_cast<std::size_t>(found->function)];
    f.body = result;
    f.locals = inner.locals;
    f.result = result->type;
    found->result_optional = result->optional;
    found->built = true;
  }
  Expr* call =
      make(Op::call, model_.functions[static_cast<std::size_t>(found->function)].result, e.span, std::move(args));
  call->index = static_cast<std::uint32_t>(found->function);
  call->optional = found->result_optional;
  return call;
}

}  // namespace assay
