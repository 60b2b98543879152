// Checker: tables and bands. A table becomes a list of tests that chooses a row, and columns that are picked by the
// row's number. Which rows can be reached, and whether anything is left out, is found by trying representative keys:
// every value that a cell names, the values beside it and one between each two.
#include "lang/checker.hpp"
#include "lang/interval.hpp"

#include <algorithm>

namespace assay {

bool Checker::cell_test(const ast::CellPattern& pattern, int rubric_index, std::vector<CellTest>& tests, TypeId& type) {
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
      const Number n = constant_number(*b.expr, rubric_index, "a bound in a table");
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
  Expr* value = expr(*pattern.expr, cx);
  if (value->type == kUnknown && value->op == Op::constant) return false;
  if (!is_constant(value)) {
    error(Code::not_constant, pattern.span, "a key of a table must be known before a record is seen", "this depends on the record",
          "compare in a choice instead: v when c else w");
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

void Checker::declare_key_cells(const ast::Rows& rows, std::size_t keys, LookupTable& table, const std::vector<TypeId>& hints,
                                int rubric_index, std::vector<TypeId>& types) {
  types.assign(keys, kUnknown);
  for (const std::vector<ast::Cell>& cells : rows.rows) {
    TableRow row;
    row.span = cells.empty() ? rows.span : Span{cells.front().span.file, cells.front().span.begin, cells.back().span.end};
    for (std::size_t k = 0; k < keys; ++k) {
      std::vector<CellTest> tests;
      bool otherwise = false;
      if (k < cells.size()) {
        for (const ast::CellPattern& p : cells[k].patterns) {
          if (p.tag == ast::CellPattern::Tag::otherwise) {
            otherwise = true;
          } else if (const TypeId before = types[k]; !cell_test(p, rubric_index, tests, types[k])) {
            const std::size_t errors = diagnostics_->errors();
            if (errors == 0) {
              error(Code::types_differ, p.span, "this cell does not have the type of the cells above, " + types_.str(before));
            }
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
    if (k < hints.size() && types_.kind(hints[k]) != TypeKind::unknown) {
      if (types_.kind(type) != TypeKind::unknown && types_.kind(hints[k]) != types_.kind(type)) {
        error(Code::types_differ, rows.columns[k].span, "the keys in column '" + rows.columns[k].text + "' are " + types_.str(type) + ", the value looked up is " + types_.str(hints[k]));
      }
      type = hints[k];
    }
    table.keys.push_back({type});
  }
}

bool Checker::read_columns(TableDecl& decl, const ast::Rows& rows, std::size_t keys, int rubric_index) {
  bool good = true;
  for (std::size_t c = keys; c < rows.columns.size(); ++c) {
    TableDecl::Column column;
    decl.columns.push_back(rows.columns[c].text);
    for (const std::vector<ast::Cell>& cells : rows.rows) {
      if (c >= cells.size()) continue;
      const ast::Cell& cell = cells[c];
      const ast::Expr* e = nullptr;
      if (cell.patterns.size() == 1 && cell.patterns[0].tag == ast::CellPattern::Tag::value) e = cell.patterns[0].expr.get();
      if (cell.patterns.size() == 1 && cell.patterns[0].tag == ast::CellPattern::Tag::missing) {
        ast::Expr& none = synthetic_.emplace_back();
        none.kind = ast::ExprKind::missing;
        none.span = cell.span;
        e = &none;
      }
      if (!e) {
        error(Code::bad_cell, cell.span, "only the first columns, the keys, hold bounds, several values or 'otherwise'");
        good = false;
        continue;
      }
      column.cells.push_back(e);
    }
    // Constant columns are tables of values; the others are choices over the row, written out where they are used.
    Diagnostics quiet(sources_);
    Diagnostics* const loud = diagnostics_;
    diagnostics_ = &quiet;
    const auto remembered = reported_;
    for (const ast::Expr* e : column.cells) {
      Context cx;
      cx.rubric = decl.node ? -1 : rubric_index;  // keys are not in scope here: a cell that names one is no constant
      if (decl.node && rubric_index >= 0) cx.rubric = rubric_index;
      const std::vector<ast::Name> no_params;
      const std::vector<ast::Name>& params = decl.node ? decl.node->params : no_params;
      for (const ast::Name& p : params) push_local(cx, p.text, kUnknown, true);
      Expr* value = expr(*e, cx);
      if (!is_constant(value) || (value->type == kUnknown && e->kind != ast::ExprKind::missing) ||
          !types_.unify(column.type, value->type, column.type)) {
        column.constant = false;
        break;
      }
      column.optional = column.optional || value->value.missing();
      column.values.push_back(value->value);
    }
    reported_ = remembered;
    diagnostics_ = loud;
    decl.results.push_back(std::move(column));
  }
  return good;
}

bool Checker::rows_from_csv(const ast::Table& node, ast::Rows& rows) {
  std::string shown, source;
  if (!import_text(node.from, shown, source)) return false;
  const std::uint32_t file = sources_.add(std::move(shown), std::move(source));
  const std::string& text = sources_.file(file).text;
  rows.span = node.from.span;
  std::size_t at = text.rfind("\xEF\xBB\xBF", 0) == 0 ? 3 : 0;
  bool header = true;
  while (at < text.size()) {
    std::vector<std::pair<std::string, Span>> fields;
    bool more = true;
    while (more) {
      std::string field;
      const auto begin = static_cast<std::uint32_t>(at);
      if (at < text.size() && text[at] == '"') {
        ++at;
        while (at < text.size() && !(text[at] == '"' && (at + 1 >= text.size() || text[at + 1] != '"'))) {
          if (text[at] == '"') ++at;
          field += text[at++];
        }
        if (at < text.size()) ++at;
      } else {
        while (at < text.size() && text[at] != ',' && text[at] != '\n' && text[at] != '\r') field += text[at++];
      }
      const auto end = static_cast<std::uint32_t>(at);
      fields.emplace_back(std::move(field), Span{file, begin, std::max(end, begin + 1)});
      more = at < text.size() && text[at] == ',';
      if (more) ++at;
    }
    if (at < text.size() && text[at] == '\r') ++at;
    if (at < text.size() && text[at] == '\n') ++at;
    if (fields.size() == 1 && fields[0].first.empty()) continue;
    if (header) {
      header = false;
      for (auto& [name, span] : fields) rows.columns.push_back({name, span});
      continue;
    }
    if (fields.size() != rows.columns.size()) {
      error(Code::bad_cell, fields[0].second, "this row has " + std::to_string(fields.size()) + " cells, the header has " + std::to_string(rows.columns.size()));
      return false;
    }
    std::vector<ast::Cell> row;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto& [field, span] = fields[i];
      ast::Cell cell;
      cell.span = span;
      ast::CellPattern p;
      p.span = span;
      const auto value = [&span = span](std::string_view s) {
        auto e = std::make_unique<ast::Expr>();
        e->span = span;
        NumberPool pool;
        Number n;
        if (parse_decimal(s, n, pool)) {
          e->kind = ast::ExprKind::number;
          e->text = std::string(s);
          if (s.front() == '-') {
            auto positive = std::make_unique<ast::Expr>();
            positive->kind = ast::ExprKind::number;
            positive->span = span;
            positive->text = std::string(s.substr(1));
            e->kind = ast::ExprKind::unary;
            e->text = "-";
            e->args.push_back(std::move(positive));
          }
        } else if (s == "true" || s == "false") {
          e->kind = ast::ExprKind::boolean;
          e->flag = s == "true";
        } else {
          e->kind = ast::ExprKind::text;
          e->literal.given = true;
          e->literal.span = span;
          if (!s.empty()) e->literal.parts.push_back({std::string(s), nullptr, -1, span});
        }
        return e;
      };
      const std::size_t dots = field.find("..");
      if (i < node.params.size() && field == "otherwise") {
        p.tag = ast::CellPattern::Tag::otherwise;
      } else if (field.empty() || (i < node.params.size() && field == "missing")) {
        p.tag = ast::CellPattern::Tag::missing;
      } else if (i < node.params.size() && (field[0] == '<' || field[0] == '>')) {
        p.tag = ast::CellPattern::Tag::bound;
        const bool equal = field.size() > 1 && field[1] == '=';
        std::string_view rest = std::string_view(field).substr(equal ? 2 : 1);
        while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
        ast::CellBound b;
        b.bound = field[0] == '<' ? (equal ? ast::Bound::less_equal : ast::Bound::less) : (equal ? ast::Bound::greater_equal : ast::Bound::greater);
        b.expr = value(rest);
        p.bounds.push_back(std::move(b));
      } else if (i < node.params.size() && dots != std::string::npos && value(std::string_view(field).substr(0, dots))->kind != ast::ExprKind::text) {
        p.expr = std::make_unique<ast::Expr>();
        p.expr->kind = ast::ExprKind::range;
        p.expr->span = span;
        p.expr->args.push_back(value(std::string_view(field).substr(0, dots)));
        p.expr->args.push_back(value(std::string_view(field).substr(dots + 2)));
      } else {
        p.expr = value(field);
      }
      cell.patterns.push_back(std::move(p));
      row.push_back(std::move(cell));
    }
    rows.rows.push_back(std::move(row));
  }
  if (header) error(Code::bad_cell, node.from.span, "\"" + node.from.str() + "\" has no header line");
  return !header;
}

void Checker::build_table(int index) {
  TableDecl& decl = tables_[static_cast<std::size_t>(index)];
  if (decl.state == 1) error(Code::cycle, decl.node->name.span, "the table '" + decl.node->name.text + "' needs itself");
  if (decl.state != 0) return;
  decl.state = 1;
  const ast::Table& node = *decl.node;
  const ast::Rows* rows = &node.rows;
  if (node.from.given) {
    ast::Rows& read = csv_rows_.emplace_back();
    if (!rows_from_csv(node, read)) {
      decl.state = 2;
      return;
    }
    rows = &read;
  }
  const std::size_t keys = node.params.size();
  decl.state = 2;
  if (rows->columns.size() < keys + 1 || rows->columns.empty()) {
    error(Code::bad_cell, rows->span, "the table '" + node.name.text + "' needs a column for each key and at least one more");
    return;
  }
  for (std::size_t k = 0; k < keys; ++k) {
    if (rows->columns[k].text != node.params[k].text) {
      error(Code::bad_cell, rows->columns[k].span, "column " + std::to_string(k + 1) + " is '" + rows->columns[k].text + "', the key is '" + node.params[k].text + "'",
            "", "the first columns are the keys, in their order");
    }
  }
  for (const std::vector<ast::Cell>& row : rows->rows) {
    if (row.size() == rows->columns.size()) continue;
    error(Code::bad_cell, row.empty() ? rows->span : row[0].span, "this row has " + std::to_string(row.size()) + " cells, the header has " + std::to_string(rows->columns.size()));
    return;
  }
  if (!read_columns(decl, *rows, keys, decl.rubric)) return;
  if (!node.keyed) {  // a list of records
    std::vector<Expr*> records;
    TypeId element = kUnknown;
    Context cx;
    cx.rubric = decl.rubric;
    for (std::size_t r = 0; r < rows->rows.size(); ++r) {
      std::vector<std::pair<std::string, Expr*>> fields;
      for (std::size_t c = 0; c < decl.results.size(); ++c) {
        Expr* value = expr(*decl.results[c].cells[r], cx);
        Expr* typed = decl.results[c].constant && is_constant(value) ? constant(value->value, decl.results[c].type, value->span) : value;
        typed->optional = decl.results[c].optional || typed->optional;
        fields.emplace_back(decl.columns[c], typed);
      }
      Expr* record = record_of(std::move(fields), rows->span);
      if (!types_.unify(element, record->type, element)) {
        error(Code::types_differ, rows->span, "the rows of '" + node.name.text + "' have different types");
        return;
      }
      records.push_back(record);
    }
    decl.rows = list_of_exprs(std::move(records), element, rows->span);
    return;
  }
  LookupTable table;
  table.name = node.name.text;
  declare_key_cells(*rows, keys, table, {}, decl.rubric, decl.keys);
  decl.table = static_cast<int>(model_.tables.size());
  prove_table(table, *rows, decl.keys, false, -1, node.name.text);
  model_.tables.push_back(std::move(table));
}

Expr* Checker::table_value(int index, Span span) {
  build_table(index);
  TableDecl& decl = tables_[static_cast<std::size_t>(index)];
  decl.used = true;
  return decl.rows ? decl.rows : broken(span);
}

Expr* Checker::column_value(TableDecl& decl, std::size_t c, Expr* row, const std::vector<Expr*>& keys, Span span) {
  TableDecl::Column& column = decl.results[c];
  if (column.constant) {
    Expr* pick = make(Op::pick, column.type, span, {row});
    for (const Value& v : column.values) pick->args.push_back(constant(v, column.type, span));
    pick->optional = true;
    return pick;
  }
  (void)keys;
  return nullptr;
}

Expr* Checker::table_call(int index, const ast::Expr& e, std::vector<Expr*> args, Context& cx) {
  build_table(index);
  TableDecl& decl = tables_[static_cast<std::size_t>(index)];
  decl.used = true;
  const ast::Table& node = *decl.node;
  if (!node.keyed) {
    error(Code::wrong_type, e.word, "'" + e.text + "' is a table without keys: a list of its rows", "", "write " + e.text + " without '(…)'");
    return broken(e.span);
  }
  std::string signature = "table " + node.name.text + "(";
  for (std::size_t i = 0; i < node.params.size(); ++i) signature += (i ? ", " : "") + node.params[i].text;
  if (!arity(e, args.size(), node.params.size(), node.params.size(), signature + ")")) return broken(e.span);
  if (decl.table < 0) return broken(e.span);
  for (std::size_t k = 0; k < args.size(); ++k) {
    const TypeKind have = kind_of(args[k]), need = types_.kind(decl.keys[k]);
    if (have == TypeKind::unknown || need == TypeKind::unknown) continue;
    if (have != need) {
      error(Code::wrong_type, args[k]->span, "'" + node.params[k].text + "' of '" + e.text + "' is " + types_.str(decl.keys[k]) + ", this is " + types_.str(args[k]->type));
      return broken(e.span);
    }
    const std::vector<std::string>& choices = types_[args[k]->type].choices;
    if (choices.empty() || is_constant(args[k])) continue;
    for (const TableRow& row : model_.tables[static_cast<std::size_t>(decl.table)].rows) {
      for (const CellTest& t : row.cells[k]) {
        if (t.kind != CellTest::Kind::value || t.value.missing()) continue;
        const std::string value(t.value.text.view());
        if (std::find(choices.begin(), choices.end(), value) != choices.end()) continue;
        std::vector<std::string_view> names(choices.begin(), choices.end());
        error(Code::never_equal, row.span, "the key \"" + value + "\" never occurs: '" + node.params[k].text + "' is " + types_.str(args[k]->type), "", did_you_mean(value, names));
      }
    }
  }
  // row = lookup(keys) in its columns
  const std::size_t depth = cx.scope.size();
  std::vector<std::pair<int, Expr*>> bound;
  std::vector<Expr*> keys;
  for (std::size_t k = 0; k < args.size(); ++k) {
    Local& local = push_local(cx, node.params[k].text, args[k]->type, args[k]->optional);
    if (is_constant(args[k])) local.constant = args[k];
    else bound.emplace_back(local.id, args[k]);
    keys.push_back(local_ref(local, args[k]->span));
  }
  Expr* lookup = make(Op::lookup, kWhole, e.span, keys);
  lookup->index = static_cast<std::uint32_t>(decl.table);
  lookup->optional = true;
  Local& chosen = push_local(cx, "", kWhole, true);
  bound.emplace_back(chosen.id, lookup);
  const Local row = chosen;
  std::vector<std::pair<std::string, Expr*>> columns;
  for (std::size_t c = 0; c < decl.results.size(); ++c) {
    Expr* value = column_value(decl, c, local_ref(row, e.span), keys, e.span);
    if (!value) {  // expressions over the keys
      Context body = cx;
      body.rubric = decl.rubric >= 0 ? decl.rubric : cx.rubric;
      body.scope.assign(cx.scope.begin() + static_cast<std::ptrdiff_t>(depth), cx.scope.end());
      const std::vector<const ast::Expr*>& cells = decl.results[c].cells;
      for (std::size_t r = cells.size(); r-- > 0;) {
        Expr* cell = expr(*cells[r], body);
        if (!value) value = constant(missing_value(), cell->type, e.span);
        Expr* here = make(Op::eq, kBool, e.span, {local_ref(row, e.span), number(whole(static_cast<std::int64_t>(r)), e.span)});
        here->optional = true;
        value = choose(cell, here, value, cells[r]->span);
      }
      cx.locals = body.locals;
      if (!value) value = broken(e.span);
      value->optional = true;
    }
    columns.emplace_back(decl.columns[c], value);
  }
  cx.scope.resize(depth);
  Expr* result = nullptr;
  if (columns.size() == 1) {
    result = columns[0].second;
  } else {
    Expr* record = record_of(std::move(columns), e.span);
    Expr* given = make(Op::not_, kBool, e.span, {make(Op::is_missing, kBool, e.span, {local_ref(row, e.span)})});
    result = choose(record, given, constant(missing_value(), record->type, e.span), e.span);
  }
  for (auto it = bound.rbegin(); it != bound.rend(); ++it) {
    Expr* let = make(Op::let_in, result->type, e.span, {it->second, result});
    let->index = static_cast<std::uint32_t>(it->first);
    let->optional = result->optional;
    result = let;
  }
  return result;
}

namespace {

bool fits_cell(TypeKind kind, const std::vector<CellTest>& tests, const Value& key) {
  if (tests.empty()) return true;
  for (const CellTest& t : tests) {
    if (t.kind == CellTest::Kind::missing) {
      if (key.missing()) return true;
    } else if (key.missing()) {
      continue;
    } else if (t.kind == CellTest::Kind::range) {
      if (holds({t.range.low, t.range.high, t.range.low_open, t.range.high_open}, key.number)) return true;
    } else if (kind == TypeKind::text) {
      if (t.value.text.view() == key.text.view()) return true;
    } else if (kind == TypeKind::boolean) {
      if (t.value.boolean.truth == key.boolean.truth) return true;
    } else if (kind == TypeKind::number && compare(t.value.number, key.number) == 0) {
      return true;
    }
  }
  return false;
}

std::string show_key(TypeKind kind, const Value& key) {
  if (key.missing()) return "missing";
  if (kind == TypeKind::text) return "\"" + std::string(key.text.view()) + "\"";
  if (kind == TypeKind::boolean) return key.boolean.truth ? "true" : "false";
  std::string s;
  write_shortest(key.number, s);
  return s;
}

}  // namespace

void Checker::prove_table(const LookupTable& table, const ast::Rows& rows, const std::vector<TypeId>& keys, bool bands_table,
                          int decimals, const std::string& name) {
  NumberPool& pool = numbers();
  const std::size_t n = keys.size();
  const auto candidates = [&](bool within) {
    std::vector<std::vector<Value>> all(n);
    for (std::size_t k = 0; k < n; ++k) {
      const Type& type = types_[table.keys[k].type];
      std::vector<Value>& out = all[k];
      if (type.kind == TypeKind::text) {
        for (const std::string& choice : type.choices) out.push_back(make_text(choice));
        if (type.choices.empty()) out.push_back(make_text("\x01" "another"));
        for (const TableRow& row : table.rows) {
          for (const CellTest& t : row.cells[k]) {
            if (t.kind != CellTest::Kind::value || (within && !contains_value(type, t.value))) continue;
            const bool known = std::any_of(out.begin(), out.end(), [&t](const Value& v) { return v.text.view() == t.value.text.view(); });
            if (!known) out.push_back(t.value);
          }
        }
      } else if (type.kind == TypeKind::boolean) {
        out = {make_bool(true), make_bool(false)};
      } else if (type.kind == TypeKind::number) {
        std::vector<Number> bounds;
        const auto add_bound = [&bounds](Number b) {
          if (!b.missing()) bounds.push_back(b);
        };
        add_bound(type.range.low);
        add_bound(type.range.high);
        for (const TableRow& row : table.rows) {
          for (const CellTest& t : row.cells[k]) {
            if (t.kind == CellTest::Kind::value) add_bound(t.value.number);
            if (t.kind == CellTest::Kind::range) add_bound(t.range.low), add_bound(t.range.high);
          }
        }
        std::sort(bounds.begin(), bounds.end(), [](Number a, Number b) { return compare(a, b) < 0; });
        bounds.erase(std::unique(bounds.begin(), bounds.end(), [](Number a, Number b) { return compare(a, b) == 0; }), bounds.end());
        std::vector<Number> points;
        const int grid = decimals >= 0 && k == 0 ? decimals : type.whole ? 0 : -1;
        if (bounds.empty()) bounds.push_back(whole(0));
        if (grid >= 0) {
          const Number step = div(whole(1), pow(whole(10), whole(grid), pool), pool);
          for (const Number b : bounds) {
            const Number down = round_to(b, grid, Rounding::floor, pool), up = round_to(b, grid, Rounding::ceil, pool);
            for (const Number p : {sub(down, step, pool), down, up, add(up, step, pool)}) points.push_back(p);
          }
        } else {
          points.push_back(sub(bounds.front(), whole(1), pool));
          for (std::size_t i = 0; i < bounds.size(); ++i) {
            points.push_back(bounds[i]);
            if (i + 1 < bounds.size()) points.push_back(div(add(bounds[i], bounds[i + 1], pool), whole(2), pool));
          }
          points.push_back(add(bounds.back(), whole(1), pool));
        }
        for (const Number p : points) {
          if (!within || holds(type.range, p)) out.push_back(make_number(p));
        }
      }
      bool tests_missing = false;
      for (const TableRow& row : table.rows) {
        for (const CellTest& t : row.cells[k]) tests_missing = tests_missing || t.kind == CellTest::Kind::missing;
      }
      if (tests_missing) out.push_back(missing_value());
      if (out.empty()) out.push_back(missing_value());
    }
    return all;
  };
  std::vector<char> reached(table.rows.size(), 0);
  std::string uncovered;
  const auto walk = [&](const std::vector<std::vector<Value>>& all, bool look_for_gaps) {
    double combinations = static_cast<double>(table.rows.size());
    for (const auto& values : all) combinations *= static_cast<double>(values.size());
    if (combinations > 2e6) return false;
    std::vector<std::size_t> at(n, 0);
    while (true) {
      bool fitted = false;
      for (std::size_t r = 0; r < table.rows.size() && !fitted; ++r) {
        fitted = true;
        for (std::size_t k = 0; k < n && fitted; ++k) {
          fitted = fits_cell(types_.kind(table.keys[k].type), table.rows[r].cells[k], all[k][at[k]]);
        }
        if (fitted) reached[r] = 1;
      }
      if (!fitted && look_for_gaps && uncovered.empty()) {
        bool given = true;
        for (std::size_t k = 0; k < n; ++k) given = given && !all[k][at[k]].missing();
        for (std::size_t k = 0; k < n && given; ++k) {
          uncovered += (k ? ", " : "") + rows.columns[k].text + " = " + show_key(types_.kind(table.keys[k].type), all[k][at[k]]);
        }
      }
      std::size_t k = 0;
      while (k < n && ++at[k] == all[k].size()) at[k++] = 0;
      if (k == n) return true;
    }
  };
  if (table.rows.empty()) {
    error(Code::bad_cell, rows.span, "'" + name + "' has no rows");
    return;
  }
  if (!walk(candidates(true), bands_table)) return;
  if (!uncovered.empty()) {
    error(Code::band_gap, rows.span, "'" + name + "' has no row for " + uncovered, "",
          "add a row that covers it, or one with 'otherwise'");
  }
  const std::vector<char> inside_range = reached;
  walk(candidates(false), false);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (!reached[r]) {
      error(Code::unreachable_row, table.rows[r].span, "this row of '" + name + "' is never reached: the rows above it fit first", "",
            "rows are tried from the top: put the narrower ones first");
    } else if (!inside_range[r]) {
      error(Code::unreachable_band, table.rows[r].span, "this row of '" + name + "' is never reached: " + rows.columns[0].text + " is " +
            types_.str(table.keys[0].type));
    }
  }
  if (!bands_table || n != 1) return;
  for (std::size_t r = 1; r < table.rows.size(); ++r) {  // ranges with two ends that share values
    for (std::size_t q = 0; q < r; ++q) {
      for (const CellTest& a : table.rows[q].cells[0]) {
        for (const CellTest& b : table.rows[r].cells[0]) {
          if (a.kind != CellTest::Kind::range || b.kind != CellTest::Kind::range) continue;
          const Interval x{a.range.low, a.range.high, a.range.low_open, a.range.high_open};
          const Interval y{b.range.low, b.range.high, b.range.low_open, b.range.high_open};
          if (!finite(x) || !finite(y)) continue;
          const Interval both = {compare(x.low, y.low) > 0 ? x.low : y.low, compare(x.high, y.high) < 0 ? x.high : y.high,
                                 compare(x.low, y.low) > 0 ? x.low_open : y.low_open, compare(x.high, y.high) < 0 ? x.high_open : y.high_open};
          if (empty(both)) continue;
          std::string at;
          write_shortest(both.low, at);
          error(Code::band_overlap, table.rows[r].span, "this row of '" + name + "' overlaps an earlier one at " + at, "",
                "let one of them end below, or write lower bounds: '>= " + at + "'");
        }
      }
    }
  }
}

void Checker::bands(RubricContext& rc, const ast::Bands& node, const ast::Item&) {
  const std::size_t keys = node.params.size();
  const ast::Rows& rows = node.rows;
  if (keys == 0 || rows.columns.size() < keys + 1) {
    error(Code::bad_cell, rows.span, "the bands '" + node.name.text + "' need a column for each key and at least one more");
    return;
  }
  for (std::size_t k = 0; k < keys; ++k) {
    if (rows.columns[k].text == node.params[k].text) continue;
    error(Code::bad_cell, rows.columns[k].span, "column " + std::to_string(k + 1) + " is '" + rows.columns[k].text + "', the key is '" + node.params[k].text + "'");
    return;
  }
  for (const std::vector<ast::Cell>& row : rows.rows) {
    if (row.size() == rows.columns.size()) continue;
    error(Code::bad_cell, row.empty() ? rows.span : row[0].span, "this row has " + std::to_string(row.size()) + " cells, the header has " + std::to_string(rows.columns.size()));
    return;
  }
  auto& decl = tables_.emplace_back();
  decl.rubric = rc.index;
  decl.state = 2;
  const auto decl_index = tables_.size() - 1;
  if (!read_columns(decl, rows, keys, rc.index)) return;
  const int rubric_index = rc.index;
  // The row's number, after caps on the band.
  const int row_item = define(rc, ItemKind::hidden, node.name.text + " row", node.name.span, {}, "", [this, &node, rubric_index, decl_index, keys](Context& cx) {
    RubricContext& r = rubric(rubric_index);
    TableDecl& d = tables_[decl_index];
    std::vector<Expr*> args;
    std::vector<TypeId> hints;
    int decimals = -1;
    for (std::size_t k = 0; k < keys; ++k) {
      ast::Expr& name = synthetic_.emplace_back();
      name.kind = ast::ExprKind::name;
      name.text = node.params[k].text;
      name.span = name.word = node.params[k].span;
      args.push_back(expr(name, cx));
      hints.push_back(args.back()->type);
      if (k == 0 && name.text == "score" && r.own.find("score") == r.own.end()) decimals = model(r).decimals;
    }
    LookupTable table;
    table.name = node.name.text;
    declare_key_cells(node.rows, keys, table, hints, rubric_index, d.keys);
    d.table = static_cast<int>(model_.tables.size());
    prove_table(table, node.rows, hints, true, decimals, node.name.text);
    model_.tables.push_back(std::move(table));
    Interval places{whole(0), whole(static_cast<std::int64_t>(node.rows.rows.size()) - 1), false, false};
    Expr* lookup = make(Op::lookup, types_.number(places, true), node.name.span, args);
    lookup->index = static_cast<std::uint32_t>(d.table);
    for (const Expr* a : args) lookup->optional = lookup->optional || a->optional;
    Expr* row = lookup;
    // Without a score there is no band of it, whatever 'otherwise' says.
    if (decimals >= 0 && args[0]->optional) {
      Expr* given = make(Op::not_, kBool, node.name.span, {make(Op::is_missing, kBool, node.name.span, {args[0]})});
      row = choose(row, given, constant(missing_value(), row->type, node.name.span), node.name.span);
    }
    for (const ast::Item* item : r.items) {
      const auto* cap = std::get_if<ast::Cap>(&item->node);
      if (!cap || cap->target.text != node.name.text) continue;
      Expr* at = expr(*cap->at, cx);
      int place = -1;
      for (std::size_t i = 0; i < d.results[0].values.size(); ++i) {
        if (is_constant(at) && same_value(d.results[0].type, d.results[0].values[i], at->value)) place = static_cast<int>(i);
      }
      if (place < 0) {
        error(Code::bad_cap, cap->at->span, "'" + node.name.text + "' has no such row", "", "name one of its bands");
        continue;
      }
      Expr* lowered = max_of(row, number(whole(place), cap->at->span), cap->at->span);
      lowered->optional = row->optional;
      row = cap->when ? choose(lowered, condition(*cap->when, cx, "the condition after 'when'"), row, cap->at->span) : lowered;
    }
    return row;
  });
  for (std::size_t c = 0; c < decl.columns.size(); ++c) {
    const std::string& column = decl.columns[c];
    std::string name = c == 0 && (column == node.name.text || std::find(decl.columns.begin(), decl.columns.end(), node.name.text) == decl.columns.end())
                           ? node.name.text
                           : column == node.name.text ? node.name.text : node.name.text + "_" + column;
    ast::Name declared{name, node.name.text == name ? node.name.span : rows.columns[keys + c].span};
    const int item = define(rc, ItemKind::band, name, declared.span, {}, "", [this, rubric_index, row_item, decl_index, c](Context& cx) {
      RubricContext& r = rubric(rubric_index);
      Expr* row = item_ref(r, row_item, model(r).items[static_cast<std::size_t>(row_item)].span);
      TableDecl& d = tables_[decl_index];
      if (d.results[c].constant) {
        Expr* value = column_value(d, c, row, {}, row->span);
        value->optional = row->optional || d.results[c].optional;
        return value;
      }
      Expr* value = nullptr;
      for (std::size_t i = d.results[c].cells.size(); i-- > 0;) {
        Expr* cell = expr(*d.results[c].cells[i], cx);
        if (!value) value = constant(missing_value(), cell->type, row->span);
        Expr* here = make(Op::eq, kBool, row->span, {row, number(whole(static_cast<std::int64_t>(i)), row->span)});
        here->optional = row->optional;
        value = choose(cell, here, value, cell->span);
      }
      return value ? value : broken(row->span);
    });
    claim(rc, rc.own, declared, item, "band");
    model(rc).verdict.push_back({name, item, -1});
  }
}

}  // namespace assay
