// Checker: bands, and the possible bands of a value within a margin.
#include "lang/check/rubric/rubric_parts.hpp"
#include "lang/model/builtin_rows.hpp"
#include "lang/proof/fixes.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

// The number of the matching row.
Expr* BandsChecker::bands_row(RubricContext& r, const ast::Bands& node, TableDecl& d, Context& cx) {
  const std::size_t keys = node.params.size();
  const bool read = tables_.read_columns(d, node.rows, keys, r.index);
  std::vector<Expr*> args;
  std::vector<TypeId> hints;
  int decimals = -1;
  bool of_score = false;
  for (std::size_t k = 0; k < keys; ++k) {
    ast::Expr& name = state_.synthetic.emplace_back();
    name.kind = ast::ExprKind::name;
    name.text = node.params[k].text;
    name.span = name.word = node.params[k].span;
    args.push_back(exprs_.expr(name, cx));
    hints.push_back(args.back()->type);
    if (k == 0 && name.text == "score" && r.by_name.own.find("score") == r.by_name.own.end()) {
      decimals = model(r).scale.decimals;
      of_score = model(r).scale.declared;
    }
  }
  const bool optional = std::any_of(args.begin(), args.end(), [](const Expr* a) { return a->optional; });
  d.withheld = of_score && args[0]->optional;
  d.asked_missing = d.asked_missing || (optional && !d.withheld);
  LookupTable table;
  table.name = node.name.text;
  if (!tables_.declare_key_cells(node.rows, keys, table, hints, r.index, d.keys) || !read)
    return broken(node.name.span);
  d.table = static_cast<int>(model_.tables.size());
  d.key_decimals = decimals;
  // A key with a reported error has unknown values.
  const bool known =
      std::none_of(args.begin(), args.end(), [this](const Expr* a) { return kind_of(a) == TypeKind::unknown; });
  if (known || !diagnostics_->has_errors())
    tables_.prove_table(table, node.rows, hints, true, decimals, node.name.text, d.asked_missing, d.serve_missing);
  d.written = &node.rows;
  std::vector<bool> marks;
  for (const Expr* a : args) {
    const ItemKind kind = a->op == Op::item ? model(r).items[a->index].kind : ItemKind::hidden;
    marks.push_back(kind == ItemKind::dimension || kind == ItemKind::part || kind == ItemKind::pipeline);
  }
  if (is_own(node.name.span, r.index)) tables_.doubt_shares(table, node.rows, node.name.text, marks);
  for (std::size_t k = 0; k < keys; ++k) tables_.doubt_decimal_commas(node.rows, k, hints[k], r.index);
  doubts_.doubt_bands(r, node, args);
  model_.tables.push_back(std::move(table));
  Interval places{whole(0), whole(static_cast<std::int64_t>(node.rows.rows.size()) - 1), false, false};
  Expr* lookup = make(Op::lookup, types_.number(places, true), node.name.span, args);
  lookup->index = static_cast<std::uint32_t>(d.table);
  lookup->optional = optional;
  Expr* row = lookup;
  // Without a score there is no band of it, even with 'otherwise'.
  if (d.withheld) {
    Expr* given = make(Op::not_, kBool, node.name.span, {make(Op::is_missing, kBool, node.name.span, {args[0]})});
    row = choose(row, given, constant(missing_value(), row->type, node.name.span), node.name.span);
  }
  return row;
}

void BandsChecker::bands(RubricContext& rc, const ast::Bands& node, const ast::Item&) {
  const std::size_t keys = node.params.size();
  const ast::Rows& rows = node.rows;
  if (keys == 0 || rows.columns.size() < keys + 1) {
    error(Code::bad_cell, rows.span,
          "the bands '" + node.name.text + "' need a column for each key and at least one more", "",
          hints_.columns_help(node.params, rows, node.name.text, false));
    return;
  }
  for (std::size_t k = 0; k < keys; ++k) {
    const ast::Name& column = rows.columns[k];
    const std::string& key = node.params[k].text;
    if (column.text == key) continue;
    Diagnostic& d = error(Code::bad_cell, column.span,
                          "column " + std::to_string(k + 1) + " is '" + column.text + "', the key is '" + key + "'", "",
                          hints_.columns_help(node.params, rows, node.name.text, false));
    // The key stands in the header, in another place: perhaps only the header is in another order than the rows.
    const auto other = std::find_if(rows.columns.begin(), rows.columns.end(),
                                    [&key](const ast::Name& name) { return name.text == key; });
    if (other != rows.columns.end())
      offer(*diagnostics_, d, {Fix{{column.span, key}, {other->span, column.text}}}, true);
    else if (Hints::keys_renamed(node.params, rows, node.name.text))
      offer(*diagnostics_, d, {Fix{{column.span, key}}}, true);
    return;
  }
  auto& decl = declared_.tables.emplace_back();
  decl.rubric = rc.index;
  decl.state = 2;
  decl.params = node.params;
  for (std::size_t c = keys; c < rows.columns.size(); ++c) decl.columns.push_back(rows.columns[c].text);
  const auto decl_index = declared_.tables.size() - 1;
  ast::Table& called = tables_of_bands_.emplace_back();
  called.name = node.name;
  called.params = node.params;
  called.keyed = true;
  decl.node = &called;
  const std::string& function = node.name.text;  // an existing function keeps its name
  const bool taken = find(function, &DeclaredNames::tables, rc.index) >= 0 ||
                     find(function, &DeclaredNames::hooks, rc.index) >= 0 ||
                     find(function, &DeclaredNames::fns, rc.index) >= 0 || find_rubric(function) >= 0 ||
                     find_builtin(function) != nullptr;
  if (!taken) rc.names.tables.emplace(function, static_cast<int>(decl_index));
  const int rubric_index = rc.index;
  // The row's number.
  int row_item = define(rc, ItemKind::hidden, node.name.text + " row", node.name.span, {}, "",
                        [this, &node, rubric_index, decl_index](Context& cx) {
                          return bands_row(rubric(rubric_index), node, declared_.tables[decl_index], cx);
                        });
  rc.bands.push_back({node.name.text, decl_index, row_item});
  decl.row_item = row_item;
  const int plain_row = row_item;
  if (rc.caps.count(node.name.text)) {
    row_item = define(rc, ItemKind::hidden, node.name.text + " capped row", node.name.span, {}, "",
                      [this, &node, rubric_index, decl_index, before = row_item](Context& cx) {
                        RubricContext& r = rubric(rubric_index);
                        Expr* row = item_ref(r, before, node.name.span);
                        return caps_.capped_row(r, node.name.text, declared_.tables[decl_index], row, cx);
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
          return tables_.column_value(declared_.tables[decl_index], c, row, cx, row->span);
        });
    claim(rc, rc.by_name.own, declared, item, "band");
    const FieldRole role = name == node.name.text ? FieldRole::band : FieldRole::band_attribute;
    model(rc).verdict.fields.push_back({name, item, -1, role});
  }
  if (node.within) {
    const ast::Name declared{node.name.text + "_could_be", node.name.span};
    const int margin = define(
        rc, ItemKind::let, node.name.text + " within", node.within->span, node.within->span, "",
        [this, &node](Context& cx) { return exprs_.number_expr(*node.within, cx, "what stands after 'within'"); });
    const int item =
        define(rc, ItemKind::band, declared.text, declared.span, {}, "",
               [this, &node, rubric_index, decl_index, plain_row, margin](Context& cx) {
                 return bands_within(rubric(rubric_index), node, declared_.tables[decl_index], plain_row, margin, cx);
               });
    claim(rc, rc.by_name.own, declared, item, "band");
    model(rc).verdict.fields.push_back({declared.text, item, -1, FieldRole::band_attribute});
    rc.verdict.uncertain.emplace_back(node.name.text, item);
  }
}

// Ascending numbers that include, for any two given ones, a representative of everything the rows distinguish between
// them: the bounds, and numbers beside and between them.
Expr* BandsChecker::points_of(const LookupTable& table, int decimals, Span span) {
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

// "bands grade(score) within m": the bands of all numbers from score - m to score + m, in ascending order; missing if
// the score or m is.
Expr* BandsChecker::bands_within(RubricContext& rc, const ast::Bands& node, TableDecl& decl, int row_item,
                                 int margin_item, Context& cx) {
  const Span span = node.name.span;
  item_ref(rc, row_item, span);
  if (decl.table < 0) return broken(span);
  ast::Expr& name = state_.synthetic.emplace_back();
  name.kind = ast::ExprKind::name;
  name.text = node.params[0].text;
  name.span = name.word = node.params[0].span;
  Expr* key = exprs_.expr(name, cx);
  if (kind_of(key) == TypeKind::unknown) return broken(span);
  if (node.params.size() != 1 || kind_of(key) != TypeKind::number) {
    error(Code::bad_cell, node.within->span, "'within' is for bands over one number", "",
          "leave it out, or make bands of the one number that is not exact");
    return broken(span);
  }
  Expr* margin = item_ref(rc, margin_item, node.within->span);
  if (kind_of(margin) == TypeKind::unknown) return broken(span);
  const Interval& range = range_of(margin);
  if (!range.high.missing() && sign(range.high) < 0) {
    error(Code::bad_number, node.within->span, "what stands after 'within' is never below 0", "",
          "write how far the value may be off, to either side");
    return broken(span);
  }
  const Interval& of = range_of(key);
  if (!range.high.missing() && sign(range.high) == 0)
    doubt(Code::always_false, node.within->span, rc.index, "no value is too close to call: the margin is always 0",
          "write how far the value may be off, to either side, or leave 'within' out");
  else if (finite(of) && !range.low.missing() && compare(range.low, sub(of.high, of.low, numbers())) >= 0) {
    doubt(Code::always_true, node.within->span, rc.index,
          "every value is too close to call: the margin is" + range_text(range) + ", and '" + node.params[0].text +
              "' is" + range_text(of),
          "write the margin on the scale of '" + node.params[0].text + "'");
    Fix fix = rescaled(*node.within, of, numbers());
    if (is_own(node.within->span, rc.index) && !fix.empty()) state_.noted.doubts.back().fixes = {std::move(fix)};
  }
  doubts_.doubt_percent(*node.within, of, "'" + node.params[0].text + "'", rc.index);
  const LookupTable& table = model_.tables[static_cast<std::size_t>(decl.table)];
  Expr* points = points_of(table, decl.key_decimals, span);
  const Interval scale = decl.key_decimals >= 0 ? model(rc).scale.range : Interval{};
  const auto end_of = [&](Op op, Expr* m) {
    Expr* end = arithmetic(op, key, max_of(m, number(whole(0), span), span), span);
    if (!scale.low.missing()) end = max_of(end, number(scale.low, span), span);
    if (!scale.high.missing()) end = min_of(end, number(scale.high, span), span);
    if (decl.key_decimals < 0) return end;
    return builtin(Builtin::round, kNumber, span, {end, number(whole(decl.key_decimals), span)});
  };
  return once(end_of(Op::sub, margin), cx, [&](Expr* low) {
    return once(end_of(Op::add, margin), cx, [&](Expr* high) -> Expr* {
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
        if (rc.caps.count(node.name.text)) row = caps_.capped_row(rc, node.name.text, decl, row, cx);
        loop.value = tables_.column_value(decl, 0, row, cx, span);
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
}

}  // namespace assay
