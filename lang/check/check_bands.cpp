// Checker: bands, and what is proved about the rows of tables and bands. Which rows can be reached, and whether anything
// is left out, is found with representative keys: every value that a cell names, the values beside it and one between
// each two. See lang/proof/table_proof.hpp.
#include "lang/check/checker.hpp"
#include "lang/model/builtin_rows.hpp"
#include "lang/proof/table_proof.hpp"
#include "lang/value/constant_text.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace assay {

namespace {

constexpr std::size_t kMostOfTable = 10'000'000;  // rows looked at: about a second

std::string show_key(const TypeTable& types, TypeId type, const Value& key) {
  if (key.missing()) return "missing";
  type = types.actual(type, key);
  if (types.kind(type) == TypeKind::unknown) return "any value";
  std::string s;
  if (types.kind(type) == TypeKind::number) write_shortest(key.number, s);
  else write_constant(types, type, key, s);
  return s;
}

// Sorted, each once.
void in_order(std::vector<Number>& numbers) {
  std::sort(numbers.begin(), numbers.end(), [](Number a, Number b) { return compare(a, b) < 0; });
  numbers.erase(std::unique(numbers.begin(), numbers.end(), [](Number a, Number b) { return compare(a, b) == 0; }),
                numbers.end());
}

// Whether two of these ranges with two ends may share values.
bool may_overlap(const LookupTable& table) {
  std::vector<Interval> all;
  for (const TableRow& row : table.rows) {
    for (const CellTest& t : row.cells[0]) {
      if (t.kind != CellTest::Kind::range) continue;  // nothing is said of its range
      const Interval range{t.range.low, t.range.high, t.range.low_open, t.range.high_open};
      if (finite(range)) all.push_back(range);
    }
  }
  std::sort(all.begin(), all.end(), [](const Interval& a, const Interval& b) {
    const int order = compare(a.low, b.low);
    return order < 0 || (order == 0 && !a.low_open && b.low_open);
  });
  for (std::size_t i = 1; i < all.size(); ++i) {
    const int order = compare(all[i - 1].high, all[i].low);
    if (order > 0 || (order == 0 && !all[i - 1].high_open && !all[i].low_open)) return true;
  }
  return false;
}

}  // namespace

void Checker::prove_table(const LookupTable& table, const ast::Rows& rows, const std::vector<TypeId>& keys,
                          bool bands_table, int decimals, const std::string& name) {
  NumberPool& pool = numbers();
  const std::size_t n = keys.size();
  const auto several = [this](const TableKey& key) { return types_.kind(key.type) == TypeKind::either; };
  if (std::any_of(table.keys.begin(), table.keys.end(), several))
    return;  // rows of each type would have to be proved apart
  const auto candidates = [&](bool within) {
    std::vector<std::vector<Value>> all(n);
    for (std::size_t k = 0; k < n; ++k) {
      const Type& type = types_[table.keys[k].type];
      std::vector<Value>& out = all[k];
      if (type.kind == TypeKind::text) {
        for (const std::string& choice : type.choices) out.push_back(make_text(choice));
        if (type.choices.empty())
          out.push_back(
              make_text("\x01"
                        "another"));
        std::set<std::string_view> known;
        for (const Value& v : out) known.insert(v.text.view());
        for (const TableRow& row : table.rows) {
          for (const CellTest& t : row.cells[k]) {
            if (t.kind != CellTest::Kind::value || t.value.missing() || (within && !type.choices.empty())) continue;
            if (known.insert(t.value.text.view()).second) out.push_back(t.value);
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
        in_order(bounds);
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
        in_order(points);
        for (const Number p : points) {
          if (!within || holds(type.range, p)) out.push_back(make_number(p));
        }
      }
      bool tests_missing = false;
      for (const TableRow& row : table.rows) {
        for (const CellTest& t : row.cells[k]) tests_missing = tests_missing || t.kind == CellTest::Kind::missing;
      }
      // Of any type, since no row says of which: only that it is given.
      if (type.kind == TypeKind::unknown && tests_missing)
        out.push_back(
            make_text("\x01"
                      "another"));
      if (tests_missing) out.push_back(missing_value());
      if (out.empty()) out.push_back(missing_value());
    }
    return all;
  };
  if (table.rows.empty()) {
    error(Code::bad_cell, rows.span, "'" + name + "' has no rows", "", "write a row for each case: | >= 0 | \"…\" |");
    return;
  }
  // Of all tables together, so that many of them do not add up to what one may not be.
  std::size_t work = std::min(kMostOfTable, proof_work_);
  proof_work_ -= work;
  std::vector<char> reached(table.rows.size(), 0);
  TableProof proof(types_, table, candidates(true), budget_);
  const bool complete = proof.run(reached, bands_table, work);
  if (!proof.gap().empty()) {
    std::string uncovered;
    for (std::size_t k = 0; k < n; ++k) {
      uncovered +=
          (k ? ", " : "") + rows.columns[k].text + " = " + show_key(types_, table.keys[k].type, proof.gap()[k]);
    }
    error(Code::band_gap, rows.span, "the bands '" + name + "' have no row for " + uncovered, "",
          "add a row that covers it, or one with 'otherwise'");
  }
  const std::vector<char> inside_range = reached;
  const bool open = !complete && bands_table && proof.gap().empty();
  const bool all = complete && TableProof(types_, table, candidates(false), budget_).run(reached, false, work);
  proof_work_ += work;
  if (!all) {
    const std::string fewer = "decide by fewer keys at a time";
    error(Code::unproven_rows, rows.span,
          "the rows of '" + name + "' overlap in too many ways to tell whether " +
              (open ? "every value has one" : "each of them is ever reached"),
          "", open ? "let the last row be 'otherwise', or " + fewer : fewer);
    return;
  }
  const auto constant_keys = [&](const TableRow& row) {  // empty: there are others
    std::string all_keys;
    for (std::size_t k = 0; k < n; ++k) {
      const std::vector<CellTest>& cell = row.cells[k];
      if (cell.size() != 1 || cell[0].kind != CellTest::Kind::value || cell[0].value.missing()) return std::string();
      all_keys += (k > 0 ? ", " : "") + show_key(types_, keys[k], cell[0].value);
    }
    return all_keys;
  };
  const bool some_unreached = std::count(reached.begin(), reached.end(), 0) > 0;
  std::map<std::string, std::size_t> first;  // of the rows with these constant keys
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string same = some_unreached ? constant_keys(table.rows[r]) : std::string();
    const auto before = same.empty() ? first.end() : first.emplace(same, r).first;
    if (!reached[r] && before != first.end() && before->second < r) {
      Diagnostic& d = error(Code::unreachable_row, table.rows[r].span,
                            std::string(n == 1 ? "the key " : "the keys ") + same + (n == 1 ? " stands" : " stand") +
                                " twice in '" + name + "': this row is never reached",
                            "", "remove one of the two rows");
      d.notes.push_back(diagnostics_->note(table.rows[before->second].span, "the first one is here"));
    } else if (!reached[r]) {
      error(Code::unreachable_row, table.rows[r].span,
            "this row of '" + name + "' is never reached: the rows above it fit first", "",
            "rows are tried from the top: put the narrower ones first");
    } else if (!inside_range[r]) {
      doubts_.push_back({Code::unreachable_band, table.rows[r].span,
                         "this row of '" + name + "' is never reached: '" + rows.columns[0].text + "' is " +
                             types_.say(table.keys[0].type),
                         "remove the row, or check its key", nullptr});
    }
  }
  if (!bands_table || n != 1 || !may_overlap(table)) return;
  for (std::size_t r = 1; r < table.rows.size(); ++r) {  // ranges with two ends that share values
    budget_.step(r);
    if (diagnostics_->full()) break;
    for (std::size_t q = 0; q < r; ++q) {
      for (const CellTest& a : table.rows[q].cells[0]) {
        for (const CellTest& b : table.rows[r].cells[0]) {
          if (a.kind != CellTest::Kind::range || b.kind != CellTest::Kind::range) continue;
          const Interval x{a.range.low, a.range.high, a.range.low_open, a.range.high_open};
          const Interval y{b.range.low, b.range.high, b.range.low_open, b.range.high_open};
          if (!finite(x) || !finite(y)) continue;
          const Interval both = {compare(x.low, y.low) > 0 ? x.low : y.low,
                                 compare(x.high, y.high) < 0 ? x.high : y.high,
                                 compare(x.low, y.low) > 0 ? x.low_open : y.low_open,
                                 compare(x.high, y.high) < 0 ? x.high_open : y.high_open};
          if (empty(both)) continue;
          std::string at;
          write_shortest(both.low, at);
          error(Code::band_overlap, table.rows[r].span, "this row of '" + name + "' overlaps an earlier one at " + at,
                "", "let one of them end below, or write lower bounds: '>= " + at + "'");
        }
      }
    }
  }
}

void Checker::bands(RubricContext& rc, const ast::Bands& node, const ast::Item&) {
  const std::size_t keys = node.params.size();
  const ast::Rows& rows = node.rows;
  if (keys == 0 || rows.columns.size() < keys + 1) {
    error(Code::bad_cell, rows.span,
          "the bands '" + node.name.text + "' need a column for each key and at least one more", "",
          columns_help(node.params, rows, false));
    return;
  }
  for (std::size_t k = 0; k < keys; ++k) {
    if (rows.columns[k].text == node.params[k].text) continue;
    error(Code::bad_cell, rows.columns[k].span,
          "column " + std::to_string(k + 1) + " is '" + rows.columns[k].text + "', the key is '" + node.params[k].text +
              "'",
          "", columns_help(node.params, rows, false));
    return;
  }
  for (const std::vector<ast::Cell>& row : rows.rows) {
    if (row.size() == rows.columns.size()) continue;
    error(
        Code::bad_cell, row.empty() ? rows.span : row[0].span,
        "this row has " + std::to_string(row.size()) + " cells, the header has " + std::to_string(rows.columns.size()));
    return;
  }
  auto& decl = tables_.emplace_back();
  decl.rubric = rc.index;
  decl.state = 2;
  decl.params = node.params;
  for (std::size_t c = keys; c < rows.columns.size(); ++c) decl.columns.push_back(rows.columns[c].text);
  const auto decl_index = tables_.size() - 1;
  ast::Table& called = tables_of_bands_.emplace_back();
  called.name = node.name;
  called.params = node.params;
  called.keyed = true;
  decl.node = &called;
  const std::string& function = node.name.text;  // what is called so already keeps its name
  const bool taken = find(function, &DeclaredNames::tables, rc.index) >= 0 ||
                     find(function, &DeclaredNames::hooks, rc.index) >= 0 ||
                     find(function, &DeclaredNames::fns, rc.index) >= 0 || find_rubric(function) >= 0 ||
                     find_builtin(function) != nullptr;
  if (!taken) rc.names.tables.emplace(function, static_cast<int>(decl_index));
  const int rubric_index = rc.index;
  // The row's number.
  int row_item = define(
      rc, ItemKind::hidden, node.name.text + " row", node.name.span, {}, "",
      [this, &node, rubric_index, decl_index, keys](Context& cx) {
        RubricContext& r = rubric(rubric_index);
        TableDecl& d = tables_[decl_index];
        const bool read = read_columns(d, node.rows, keys, rubric_index);
        std::vector<Expr*> args;
        std::vector<TypeId> hints;
        int decimals = -1;
        bool of_score = false;
        for (std::size_t k = 0; k < keys; ++k) {
          ast::Expr& name = synthetic_.emplace_back();
          name.kind = ast::ExprKind::name;
          name.text = node.params[k].text;
          name.span = name.word = node.params[k].span;
          args.push_back(expr(name, cx));
          hints.push_back(args.back()->type);
          if (k == 0 && name.text == "score" && r.own.find("score") == r.own.end()) {
            decimals = model(r).decimals;
            of_score = model(r).has_scale;
          }
        }
        LookupTable table;
        table.name = node.name.text;
        if (!declare_key_cells(node.rows, keys, table, hints, rubric_index, d.keys) || !read)
          return broken(node.name.span);
        d.table = static_cast<int>(model_.tables.size());
        d.key_decimals = decimals;
        // Of a key whose own mistake is told, nothing is known that could be proved.
        const bool known =
            std::none_of(args.begin(), args.end(), [this](const Expr* a) { return kind_of(a) == TypeKind::unknown; });
        if (known || !diagnostics_->has_errors()) prove_table(table, node.rows, hints, true, decimals, node.name.text);
        doubt_bands(r, node, args);
        model_.tables.push_back(std::move(table));
        Interval places{whole(0), whole(static_cast<std::int64_t>(node.rows.rows.size()) - 1), false, false};
        Expr* lookup = make(Op::lookup, types_.number(places, true), node.name.span, args);
        lookup->index = static_cast<std::uint32_t>(d.table);
        for (const Expr* a : args) lookup->optional = lookup->optional || a->optional;
        Expr* row = lookup;
        // Without a score there is no band of it, whatever 'otherwise' says.
        if (of_score && args[0]->optional) {
          Expr* given = make(Op::not_, kBool, node.name.span, {make(Op::is_missing, kBool, node.name.span, {args[0]})});
          row = choose(row, given, constant(missing_value(), row->type, node.name.span), node.name.span);
        }
        return row;
      });
  rc.bands.push_back({node.name.text, decl_index, row_item});
  decl.row_item = row_item;
  const int plain_row = row_item;
  if (rc.caps.count(node.name.text)) {
    row_item = define(rc, ItemKind::hidden, node.name.text + " capped row", node.name.span, {}, "",
                      [this, &node, rubric_index, decl_index, before = row_item](Context& cx) {
                        RubricContext& r = rubric(rubric_index);
                        Expr* row = item_ref(r, before, node.name.span);
                        return capped_row(r, node.name.text, tables_[decl_index], row, cx);
                      });
  }
  for (std::size_t c = 0; c < decl.columns.size(); ++c) {
    const std::string& column = decl.columns[c];
    std::string name = c == 0 && (column == node.name.text || std::find(decl.columns.begin(), decl.columns.end(),
                                                                        node.name.text) == decl.columns.end())
                           ? node.name.text
                       : column == node.name.text ? node.name.text
                                                  : node.name.text + "_" + column;
    ast::Name declared{name, node.name.text == name ? node.name.span : rows.columns[keys + c].span};
    const int item = define(
        rc, ItemKind::band, name, declared.span, {}, "", [this, rubric_index, row_item, decl_index, c](Context& cx) {
          RubricContext& r = rubric(rubric_index);
          Expr* row = item_ref(r, row_item, model(r).items[static_cast<std::size_t>(row_item)].span);
          if (kind_of(row) == TypeKind::unknown) return broken(row->span);
          return column_value(tables_[decl_index], c, row, cx, row->span);
        });
    claim(rc, rc.own, declared, item, "band");
    const FieldRole role = name == node.name.text ? FieldRole::band : FieldRole::band_attribute;
    model(rc).verdict.push_back({name, item, -1, role});
  }
  if (node.within) {
    const ast::Name declared{node.name.text + "_could_be", node.name.span};
    const int item = define(rc, ItemKind::band, declared.text, declared.span, {}, "",
                            [this, &node, rubric_index, decl_index, plain_row](Context& cx) {
                              return bands_within(rubric(rubric_index), node, tables_[decl_index], plain_row, cx);
                            });
    claim(rc, rc.own, declared, item, "band");
    model(rc).verdict.push_back({declared.text, item, -1, FieldRole::band_attribute});
    rc.uncertain.emplace_back(node.name.text, item);
  }
}

// Numbers, rising, of which some lie in whatever the rows tell apart between two given ones: the bounds, and what lies
// beside or between them.
Expr* Checker::points_of(const LookupTable& table, int decimals, Span span) {
  NumberPool& pool = numbers();
  std::vector<Number> bounds, points;
  for (const TableRow& row : table.rows) {
    for (const CellTest& t : row.cells[0]) {
      if (t.kind == CellTest::Kind::value && !t.value.missing()) bounds.push_back(t.value.number);
      if (t.kind != CellTest::Kind::range) continue;
      for (const Number end : {t.range.low, t.range.high}) {
        if (!end.missing()) bounds.push_back(end);
      }
    }
  }
  in_order(bounds);
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (decimals >= 0) {
      const Number step = div(whole(1), pow(whole(10), whole(decimals), pool), pool);
      const Number down = round_to(bounds[i], decimals, Rounding::floor, pool);
      const Number up = round_to(bounds[i], decimals, Rounding::ceil, pool);
      for (const Number p : {sub(down, step, pool), down, up, add(up, step, pool)}) points.push_back(p);
    } else {
      points.push_back(bounds[i]);
      if (i + 1 < bounds.size()) points.push_back(div(add(bounds[i], bounds[i + 1], pool), whole(2), pool));
    }
  }
  in_order(points);
  Value* items = values(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) items[i] = make_number(points[i]);
  return constant(make_list(items, static_cast<std::uint32_t>(points.size())), types_.list(kNumber), span);
}

// "bands grade(score) within m": the bands of all numbers from score - m to score + m, from the lowest number on; missing
// when the score or m is.
Expr* Checker::bands_within(RubricContext& rc, const ast::Bands& node, TableDecl& decl, int row_item, Context& cx) {
  const Span span = node.name.span;
  item_ref(rc, row_item, span);
  if (decl.table < 0) return broken(span);
  ast::Expr& name = synthetic_.emplace_back();
  name.kind = ast::ExprKind::name;
  name.text = node.params[0].text;
  name.span = name.word = node.params[0].span;
  Expr* key = expr(name, cx);
  if (kind_of(key) == TypeKind::unknown) return broken(span);
  if (node.params.size() != 1 || kind_of(key) != TypeKind::number) {
    error(Code::bad_cell, node.within->span, "'within' is for bands over one number", "",
          "leave it out, or make bands of the one number that is not exact");
    return broken(span);
  }
  Expr* margin = number_expr(*node.within, cx, "what stands after 'within'");
  if (kind_of(margin) == TypeKind::unknown) return broken(span);
  const Interval& range = range_of(margin);
  if (!range.high.missing() && sign(range.high) < 0) {
    error(Code::bad_number, node.within->span, "what stands after 'within' is never below 0", "",
          "write how far the value may be off, to either side");
    return broken(span);
  }
  const LookupTable& table = model_.tables[static_cast<std::size_t>(decl.table)];
  Expr* points = points_of(table, decl.key_decimals, span);
  const Interval scale = decl.key_decimals >= 0 ? model(rc).scale : Interval{};
  const auto end_of = [&](Op op, Expr* m) {
    Expr* end = arithmetic(op, key, max_of(m, number(whole(0), span), span), span);
    if (!scale.low.missing()) end = max_of(end, number(scale.low, span), span);
    if (!scale.high.missing()) end = min_of(end, number(scale.high, span), span);
    if (decl.key_decimals < 0) return end;
    return builtin(Builtin::round, kNumber, span, {end, number(whole(decl.key_decimals), span)});
  };
  return once(margin, cx, [&](Expr* m) {
    return once(end_of(Op::sub, m), cx, [&](Expr* low) {
      return once(end_of(Op::add, m), cx, [&](Expr* high) -> Expr* {
        const TypeId numbers_list = types_.list(kNumber, false, true);
        const auto loop_over = [&](Expr* list, const std::function<void(Loop&, Expr*)>& fill) {
          Local item;
          item.type = kNumber;
          item.optional = true;
          item.id = add_local(cx);
          LoopClause over;
          over.expr = list;
          over.second = item.id;
          Expr* loop = make(Op::loop, numbers_list, span);
          loop->loop = std::make_unique<Loop>();
          loop->loop->clauses.push_back(over);
          fill(*loop->loop, local_ref(item, span));
          return loop;
        };
        Expr* between = loop_over(points, [&](Loop& loop, Expr* point) {
          for (const auto& [op, end] : {std::pair{Op::gt, low}, std::pair{Op::lt, high}}) {
            LoopClause when;
            when.kind = LoopClause::Kind::when;
            when.expr = make(op, kBool, span, {point, end});
            when.expr->optional = true;
            loop.clauses.push_back(when);
          }
          loop.value = point;
        });
        Expr* all = chain(Op::concat, numbers_list, span,
                          {list_of_exprs({low}, kNumber, span), between, list_of_exprs({high}, kNumber, span)});
        TypeId element = kUnknown;
        Expr* bands_of = loop_over(all, [&](Loop& loop, Expr* number_at) {
          const Interval places{whole(0), whole(static_cast<std::int64_t>(table.rows.size()) - 1), false, false};
          Expr* row = make(Op::lookup, types_.number(places, true), span, {number_at});
          row->index = static_cast<std::uint32_t>(decl.table);
          row->optional = true;
          if (rc.caps.count(node.name.text)) row = capped_row(rc, node.name.text, decl, row, cx);
          loop.value = column_value(decl, 0, row, cx, span);
          element = loop.value->type;
        });
        const TypeId list = types_.list(element);
        bands_of->type = types_.list(element, false, true);
        Expr* result = builtin(Builtin::distinct, list, span, {make(Op::compact, list, span, {bands_of})});
        if (!low->optional) return result;
        Expr* given = make(Op::not_, kBool, span, {make(Op::is_missing, kBool, span, {low})});
        return choose(result, given, constant(missing_value(), list, span), span);
      });
    });
  });
}

}  // namespace assay
