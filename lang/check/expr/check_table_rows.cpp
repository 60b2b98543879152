// Proofs about the rows of tables and bands. Representative keys show which rows can be reached, and whether some keys
// have no row: every value that a cell names, its neighbours, and one value between each two. See
// lang/proof/table_proof.hpp.
#include "lang/check/expr/expressions.hpp"
#include "lang/proof/known/known.hpp"
#include "lang/proof/table_proof.hpp"
#include "lang/value/constant_text.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace assay {

namespace {

constexpr std::size_t kMostRows = 100;            // of a table that is written anew in a suggestion
constexpr std::size_t kMostOfTable = 10'000'000;  // rows examined: about a second

std::string show_key(const TypeTable& types, TypeId type, const Value& key) {
  if (key.missing()) return "missing";
  type = types.actual(type, key);
  if (types.kind(type) == TypeKind::unknown) return "any value";
  std::string s;
  if (types.kind(type) == TypeKind::number) write_shortest(key.number, s);
  else write_constant(types, type, key, s);
  return s;
}

// Whether two of the two-sided ranges may overlap.
bool may_overlap(const LookupTable& table) {
  std::vector<Interval> all;
  for (const TableRow& row : table.rows) {
    for (const CellTest& t : row.cells[0]) {
      if (t.kind != CellTest::Kind::range) continue;  // its range is not examined
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

// Whether every key of `inner` is one of `outer`.
bool holds_cell(const std::vector<CellTest>& outer, const std::vector<CellTest>& inner, TypeKind kind) {
  if (outer.empty()) return true;  // otherwise
  if (inner.empty()) return false;
  return std::all_of(inner.begin(), inner.end(), [&](const CellTest& in) {
    return std::any_of(outer.begin(), outer.end(), [&](const CellTest& out) {
      if (out.kind == CellTest::Kind::missing || in.kind == CellTest::Kind::missing) return out.kind == in.kind;
      if (kind == TypeKind::text) return out.value.text.view() == in.value.text.view();
      if (kind == TypeKind::boolean) return out.value.boolean.truth == in.value.boolean.truth;
      if (kind != TypeKind::number) return false;
      const auto range = [](const CellTest& t) {
        if (t.kind == CellTest::Kind::value) return exactly(t.value.number);
        return Interval{t.range.low, t.range.high, t.range.low_open, t.range.high_open};
      };
      return inside(range(in), range(out));
    });
  });
}

bool holds_row(const TypeTable& types, const LookupTable& table, std::size_t outer, std::size_t inner) {
  for (std::size_t k = 0; k < table.keys.size(); ++k) {
    if (!holds_cell(table.rows[outer].cells[k], table.rows[inner].cells[k], types.kind(table.keys[k].type)))
      return false;
  }
  return true;
}

// Whether the rows stand in the rubric, not in a file.
bool written_here(const LookupTable& table, const ast::Rows& rows) { return rows.rows.size() == table.rows.size(); }

// The rows with each one before those that hold all of its keys; empty: they are.
std::vector<std::size_t> narrower_first(const TypeTable& types, const LookupTable& table, Budget& budget) {
  std::vector<std::size_t> order;
  bool moved = false;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    budget.step(1 + order.size());
    const auto before = std::find_if(order.begin(), order.end(), [&](std::size_t q) {
      return holds_row(types, table, q, r) && !holds_row(types, table, r, q);
    });
    moved = moved || before != order.end();
    order.insert(before, r);
  }
  if (!moved) order.clear();
  return order;
}

}  // namespace

bool rewritable(const LookupTable& table, const ast::Rows& rows) {
  return written_here(table, rows) && rows.rows.size() <= kMostRows;
}

// 49 and 50, 24.9 and 25: the next number with as many decimals.
bool next_number(Number low, Number high, NumberPool& pool) {
  constexpr int kMostDecimals = 4;
  Number step = whole(1);
  for (int decimals = 0; decimals <= kMostDecimals; ++decimals, step = div(step, whole(10), pool)) {
    const bool written = is_whole(div(low, step, pool)) && is_whole(div(high, step, pool));
    if (written) return compare(sub(high, low, pool), step) == 0;
  }
  return false;
}

void in_order(std::vector<Number>& numbers) {
  std::sort(numbers.begin(), numbers.end(), [](Number a, Number b) { return compare(a, b) < 0; });
  numbers.erase(std::unique(numbers.begin(), numbers.end(), [](Number a, Number b) { return compare(a, b) == 0; }),
                numbers.end());
}

// `grid`: the decimals of the key's values; -1: any number.
std::vector<Number> TableReader::points_of_key(const LookupTable& table, std::size_t k, int grid) {
  NumberPool& pool = numbers();
  const Type& type = types_[table.keys[k].type];
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
  return points;
}

// For each key, the values that its cells name, their neighbours, and one between each two.
std::vector<std::vector<Value>> TableReader::representatives(const LookupTable& table, int decimals, Keys keys) {
  const std::size_t n = table.keys.size();
  const bool within = keys != Keys::any;
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
        budget_.step();
        for (const CellTest& t : row.cells[k]) {
          if (t.kind != CellTest::Kind::value || (within && !type.choices.empty())) continue;
          if (known.insert(t.value.text.view()).second) out.push_back(t.value);
        }
      }
    } else if (type.kind == TypeKind::boolean) {
      out = {make_bool(true), make_bool(false)};
    } else if (type.kind == TypeKind::number) {
      for (const Number p : points_of_key(table, k, decimals >= 0 && k == 0 ? decimals : type.whole ? 0 : -1)) {
        if (!within || holds(type.range, p)) out.push_back(make_number(p));
      }
    }
    bool tests_missing = keys == Keys::missing_too;
    for (const TableRow& row : table.rows) {
      for (const CellTest& t : row.cells[k]) tests_missing = tests_missing || t.kind == CellTest::Kind::missing;
    }
    // A key of unknown type, which rows only test for being given.
    if (type.kind == TypeKind::unknown && tests_missing)
      out.push_back(
          make_text("\x01"
                    "another"));
    if (tests_missing) out.push_back(missing_value());
    if (out.empty()) out.push_back(missing_value());
  }
  return all;
}

// The keys of a row as text: values as such, others as they are written; empty: some of them are written elsewhere.
std::string TableReader::text_of_keys(const LookupTable& table, const ast::Rows& rows, std::size_t r,
                                      const std::vector<TypeId>& keys) const {
  std::string all;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::vector<CellTest>& cell = table.rows[r].cells[k];
    const bool value = cell.size() == 1 && cell[0].kind == CellTest::Kind::value;
    if (!value && !written_here(table, rows)) return {};
    all += (k > 0 ? ", " : "") + (value ? show_key(types_, keys[k], cell[0].value) : source_text(rows.rows[r][k].span));
  }
  return all;
}

// A row with its bars, the comments on lines of their own above it, unless `bare`, and the one behind it.
Span TableReader::with_comments(const ast::Rows& rows, std::size_t r, bool bare) const {
  const std::string_view text = sources_.text(rows.span);
  const auto place = [&](std::uint32_t at) { return std::size_t{at - rows.span.begin}; };
  std::size_t begin = text.rfind('|', place(rows.rows[r].front().span.begin));
  std::size_t end = text.find('|', place(rows.rows[r].back().span.end)) + 1;
  const auto line_before = [&](std::size_t at) { return at == 0 ? 0 : text.rfind('\n', at - 1) + 1; };
  for (std::size_t line = line_before(begin); !bare && line > 1 && line != text.npos;) {
    if (text.find_first_not_of(" \t", line) != begin) break;  // another row stands before it on this line
    const std::size_t above = line_before(line - 1), first = text.find_first_not_of(" \t", above);
    if (first == text.npos || text[first] != '#') break;
    begin = first;
    line = above;
  }
  const std::size_t next = text.find_first_not_of(" \t", end);
  if (next != text.npos && text[next] == '#') end = text.find_last_not_of(" \t\r", text.find('\n', next) - 1) + 1;
  return {rows.span.file, rows.span.begin + static_cast<std::uint32_t>(begin),
          rows.span.begin + static_cast<std::uint32_t>(end)};
}

// The edit that puts the narrower rows first, each with its comments; empty: they are, or are not written here.
// `other_results`: the numbers of the results, which are in order now, would not be.
Fix TableReader::rows_in_order(const LookupTable& table, const ast::Rows& rows, bool& other_results) {
  Fix fix;
  if (!rewritable(table, rows)) return fix;
  const std::vector<std::size_t> order = narrower_first(types_, table, budget_);
  const auto bounds = [](const TableRow& row) {
    return row.cells.size() == 1 && row.cells[0].size() == 1 && row.cells[0][0].kind == CellTest::Kind::range;
  };
  constexpr std::size_t kFewest = 3;  // results whose order says something
  other_results = rows.rows.size() >= kFewest && std::count_if(table.rows.begin(), table.rows.end(), bounds) > 1 &&
                  in_line(rows) && !in_line(rows, order);
  if (other_results) return fix;
  // A comment above the first row alone is about the table.
  bool each = false;
  for (std::size_t r = 1; r < order.size(); ++r)
    each = each || with_comments(rows, r, false).begin != with_comments(rows, r, true).begin;
  const auto span_of = [&](std::size_t r) { return with_comments(rows, r, !each); };
  for (std::size_t r = 0; r < order.size(); ++r) {
    if (order[r] != r) fix.push_back({span_of(r), source_text(span_of(order[r]))});
  }
  return fix;
}

// Bounds of a key that lie beyond its range, on its scale: 80 as 80% of 0..1. All of them together, and all others too.
std::vector<Fix> TableReader::other_scale(const LookupTable& table, const ast::Rows& rows) {
  std::vector<Fix> fixes;
  if (!rewritable(table, rows)) return fixes;
  for (std::size_t k = 0; k < table.keys.size(); ++k) {
    if (types_.kind(table.keys[k].type) != TypeKind::number) continue;
    Fix fix;
    for (const std::vector<ast::Cell>& row : rows.rows) {
      for (const ast::CellPattern& pattern : row[k].patterns) {
        const auto take = [&](const ast::ExprPtr& literal) {
          if (!literal) return;
          for (Rewording& one : rescaled(*literal, types_[table.keys[k].type].range, numbers()))
            fix.push_back(std::move(one));
        };
        take(pattern.expr);
        for (const ast::CellBound& bound : pattern.bounds) take(bound.expr);
      }
    }
    if (!fix.empty()) fixes.push_back(std::move(fix));
  }
  return fixes;
}

// A row, with the bar behind it.
Fix TableReader::without_row(const LookupTable& table, const ast::Rows& rows, std::size_t r) {
  if (!written_here(table, rows) || r == 0) return {};
  const auto behind_bar = [&](std::uint32_t cell) {
    return cell + 1 + static_cast<std::uint32_t>(sources_.text({rows.span.file, cell, rows.span.end}).find('|'));
  };
  return {
      {{rows.span.file, behind_bar(rows.rows[r - 1].back().span.end), behind_bar(rows.rows[r].back().span.end)}, ""}};
}

// Upper bounds from the best row down, '<= 75', '<= 45': as lower bounds.
Fix TableReader::turned_bounds(const LookupTable& table, const ast::Rows& rows) {
  if (!rewritable(table, rows) || table.keys.size() != 1) return {};
  Fix fix;
  Number before = kMissing;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<CellTest>& cell = table.rows[r].cells[0];
    if (cell.size() != 1 || cell[0].kind != CellTest::Kind::range) continue;
    const auto& range = cell[0].range;
    const Number bound = range.low.missing() ? range.high : range.low;
    if (!before.missing() && compare(bound, before) >= 0) return {};
    before = bound;
    const Span span = rows.rows[r][0].span;
    std::string text = source_text(span);
    if (!range.low.missing() || text.empty() || text.front() != '<') continue;
    text.front() = '>';
    fix.push_back({span, std::move(text)});
  }
  return in_line(rows) ? fix : Fix();
}

// Whether the numbers in the first column of results rise or fall from row to row in this order (empty: as written), if
// they are numbers.
bool TableReader::in_line(const ast::Rows& rows, const std::vector<std::size_t>& order) {
  bool rises = true, falls = true;
  Number before = kMissing;
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    const std::vector<ast::Cell>& row = rows.rows[r < order.size() ? order[r] : r];
    Number n;
    const ast::Expr* cell = row.size() > 1 && !row[1].patterns.empty() ? row[1].patterns[0].expr.get() : nullptr;
    if (cell == nullptr || cell->kind != ast::ExprKind::number || !parse_decimal(cell->text, n, numbers(), true))
      return true;
    if (!before.missing()) rises = rises && compare(before, n) <= 0, falls = falls && compare(before, n) >= 0;
    before = n;
  }
  return rises || falls;
}

// A row that is not reached, before the row above it, or before all rows that share a key with it.
std::vector<Fix> TableReader::row_moved_up(const LookupTable& table, const ast::Rows& rows, std::size_t r) {
  std::vector<Fix> fixes;
  if (!rewritable(table, rows)) return fixes;
  const auto span_of = [&](std::size_t row) {
    return Span{rows.span.file, rows.rows[row].front().span.begin, rows.rows[row].back().span.end};
  };
  for (const std::size_t to : {r == 0 ? 0 : r - 1, std::size_t{0}}) {
    if (to >= r || (to == 0 && r == 1 && !fixes.empty())) continue;
    Fix fix;
    for (std::size_t i = to; i <= r; ++i) fix.push_back({span_of(i), source_text(span_of(i == to ? r : i - 1))});
    fixes.push_back(std::move(fix));
  }
  return fixes;
}

// `reached`: by any value; `inside_range`: by a value of the keys' types.
void TableReader::report_unreached(const LookupTable& table, const ast::Rows& rows, const std::vector<TypeId>& keys,
                                   const std::vector<char>& reached, const std::vector<char>& inside_range,
                                   const std::string& name) {
  const std::size_t n = keys.size();
  const bool some_unreached = std::count(reached.begin(), reached.end(), 0) > 0;
  // '<= 90' among '>= 60' and '>= 30': another sign may be meant.
  bool from = false, up_to = false;
  for (const TableRow& row : table.rows) {
    if (n != 1 || row.cells[0].size() != 1 || row.cells[0][0].kind != CellTest::Kind::range) continue;
    from = from || row.cells[0][0].range.high.missing();
    up_to = up_to || row.cells[0][0].range.low.missing();
  }
  const bool mixed = from && up_to;
  bool other_results = false;
  const Fix sorted = some_unreached ? rows_in_order(table, rows, other_results) : Fix();
  const bool odd = some_unreached || std::count(inside_range.begin(), inside_range.end(), 0) > 0;
  const std::vector<Fix> scaled = odd ? other_scale(table, rows) : std::vector<Fix>();
  if (some_unreached && n == 1 && !scaled.empty()) {  // 85% of 0..100 leaves nothing for the rows below it
    const Rewording& first_of = scaled.front().front();
    Diagnostic& d = error(Code::unreachable_row, first_of.at,
                          "'" + rows.columns[0].text + "' is " + types_.say(table.keys[0].type) + ", so with " +
                              source_text(first_of.at) + " some rows of '" + name + "' are never reached",
                          "", "write " + first_of.text);
    return offer(*diagnostics_, d, scaled);
  }
  if (some_unreached && report_odd_bound(table, rows, reached, name)) return;
  constexpr std::size_t kMostOffers = 10;  // of edits that change all rows
  std::size_t offered = 0;
  std::map<std::string, std::size_t> first;  // the first row with these keys
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string same = some_unreached ? text_of_keys(table, rows, r, keys) : std::string();
    const auto before = same.empty() ? first.end() : first.emplace(same, r).first;
    if (!reached[r] && before != first.end() && before->second < r) {
      Diagnostic& d = error(Code::unreachable_row, table.rows[r].span,
                            std::string(n == 1 ? "the key " : "the keys ") + same + (n == 1 ? " stands" : " stand") +
                                " twice in '" + name + "': this row is never reached",
                            "", "remove one of the two rows, or give it another key");
      d.notes.push_back(diagnostics_->note(table.rows[before->second].span, "the first one is here"));
      if (n == 1 && other_result(rows, n, before->second, r) && suggest_bound(table, rows, before->second, r, d))
        continue;
      if (const Fix without = without_row(table, rows, r); !without.empty()) offer(*diagnostics_, d, {without});
    } else if (!reached[r]) {
      Diagnostic& d = error(Code::unreachable_row, table.rows[r].span,
                            "this row of '" + name + "' is never reached: the rows above it fit first", "",
                            "rows are tried from the top: put the narrower ones first");
      if (++offered > kMostOffers) continue;
      std::vector<Fix> fixes = scaled;
      if (Fix turned = turned_bounds(table, rows); !turned.empty()) fixes.push_back(std::move(turned));
      const bool certain = fixes.empty() && !mixed;
      if (!sorted.empty()) fixes.push_back(sorted);
      if (!other_results)
        for (Fix& fix : row_moved_up(table, rows, r)) fixes.push_back(std::move(fix));
      if (other_results && fixes.empty())
        d.help = source_text(rows.rows[r].front().span) +
                 " lies within a row above it, and the results would not be in "
                 "order any more if it stood first: correct one of the two keys";
      offer(*diagnostics_, d, fixes, certain);
    } else if (!inside_range[r]) {
      std::vector<Fix> fixes = scaled;
      if (Fix without = without_row(table, rows, r); fixes.empty() && !without.empty())
        fixes.push_back(std::move(without));
      state_.noted.doubts.push_back({Code::unreachable_band, table.rows[r].span,
                                     "this row of '" + name + "' is never reached: '" + rows.columns[0].text + "' is " +
                                         types_.say(table.keys[0].type),
                                     "remove the row, or check its key", nullptr, std::move(fixes)});
    }
  }
}

void TableReader::prove_table(const LookupTable& table, const ast::Rows& rows, const std::vector<TypeId>& keys,
                              bool bands_table, int decimals, const std::string& name, bool may_miss,
                              std::vector<char>& serve_missing) {
  const std::size_t n = keys.size();
  const auto several = [this](const TableKey& key) { return types_.kind(key.type) == TypeKind::either; };
  if (std::any_of(table.keys.begin(), table.keys.end(), several)) {
    // Rows of each type would need separate proofs; a key that is repeated, or below a row that takes anything, does not.
    std::vector<char> reached(table.rows.size(), 1);
    std::set<std::string> before;
    bool anything = false;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      budget_.step();
      const std::string same = text_of_keys(table, rows, r, keys);
      reached[r] = !anything && (same.empty() || before.insert(same).second) ? 1 : 0;
      const auto& cells = table.rows[r].cells;
      anything = anything || std::all_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.empty(); });
    }
    report_unreached(table, rows, keys, reached, reached, name);
    return;
  }
  const auto candidates = [&](Keys all) { return representatives(table, decimals, all); };
  if (table.rows.empty()) {
    error(Code::bad_cell, rows.span, "'" + name + "' has no rows", "", "write a row for each case: | >= 0 | \"…\" |");
    return;
  }
  // For all tables together, so that many tables do not exceed the limit of one.
  std::size_t work = std::min(kMostOfTable, proof_work_);
  proof_work_ -= work;
  std::vector<char> reached(table.rows.size(), 0);
  TableProof proof(types_, table, candidates(Keys::possible), budget_);
  const bool complete = proof.run(reached, bands_table, work);
  if (!proof.gap().empty()) {
    std::string uncovered;
    for (std::size_t k = 0; k < n; ++k) {
      uncovered +=
          (k ? ", " : "") + rows.columns[k].text + " = " + show_key(types_, table.keys[k].type, proof.gap()[k]);
    }
    std::vector<Fix> fixes;
    std::optional<std::size_t> beside;  // the row from which the gap begins
    Fix known;
    if (n == 1 && types_.kind(table.keys[0].type) == TypeKind::number) {
      known = stepped(table, rows, proof.gap()[0].number);
      fixes = without_gap(table, rows, proof.gap()[0].number, beside);
    }
    Diagnostic& d = error(Code::band_gap, beside ? table.rows[*beside].span : rows.span,
                          "the bands '" + name + "' have no row for " + uncovered, "",
                          "add a row that covers it, or one with 'otherwise'");
    const bool differences =
        std::any_of(diagnostics_->list().begin(), diagnostics_->list().end(), [&](const Diagnostic& o) {
          return o.code == "W0706" && o.at.offset >= rows.span.begin && o.at.offset < rows.span.end;
        });
    if (!known.empty()) offer(*diagnostics_, d, {known}, true);
    else if (!differences) offer(*diagnostics_, d, fixes);  // 8-10, which is -2
  }
  const bool open = !complete && bands_table && proof.gap().empty();
  bool all = complete;
  const auto reach = [&](std::vector<char>& rows_reached, Keys tried) {
    const bool some = std::any_of(rows_reached.begin(), rows_reached.end(), [](char one) { return one == 0; });
    all = all && (!some || TableProof(types_, table, candidates(tried), budget_).run(rows_reached, false, work));
  };
  std::vector<char> inside_range = reached, with_missing = reached;
  reach(reached, Keys::any);
  reach(with_missing, Keys::missing_too);
  serve_missing.assign(reached.size(), 0);
  for (std::size_t r = 0; r < reached.size(); ++r) {
    if (with_missing[r] != 0 && may_miss) inside_range[r] = 1;
    if (with_missing[r] != 0 && reached[r] == 0) serve_missing[r] = reached[r] = inside_range[r] = 1;
  }
  proof_work_ += work;
  if (!all) {
    const std::string fewer = "decide by fewer keys at a time";
    error(Code::unproven_rows, rows.span,
          "the rows of '" + name + "' overlap in too many ways to tell whether " +
              (open ? "every value has one" : "each of them is ever reached"),
          "", open ? "let the last row be 'otherwise', or " + fewer : fewer);
    return;
  }
  const bool lost = std::count(reached.begin(), reached.end(), 0) > 0 && other_scale(table, rows).empty();
  if (lost && report_rounded(table, rows, reached, decimals, name)) return;
  report_unreached(table, rows, keys, reached, inside_range, name);
  if (bands_table && n == 1 && may_overlap(table)) report_overlaps(table, rows, keys[0], name);
}

// A table of which all calls together reach one row, or with rows that they reach on another scale only. Other rows out
// of reach are those of a standard that is copied whole.
void TableReader::doubt_one_row(const TableDecl& decl) {
  const ast::Rows& rows = decl.node->rows;
  LookupTable table = model_.tables[static_cast<std::size_t>(decl.table)];
  if (!rewritable(table, rows) || table.rows.size() < 2) return;
  const Interval& range = types_[decl.asked[0].type].range;
  std::size_t reached = 0;
  std::optional<std::size_t> out;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<CellTest>& cell = table.rows[r].cells[0];
    const auto value = [](const CellTest& t) { return t.kind != CellTest::Kind::range; };
    if (std::any_of(cell.begin(), cell.end(), value)) return;  // a list of cases, and no scale
    const bool meets = cell.empty() || std::any_of(cell.begin(), cell.end(), [&range](const CellTest& t) {
                         return !empty(common(range, {t.range.low, t.range.high, t.range.low_open, t.range.high_open}));
                       });
    reached += meets;
    if (!meets && !out) out = r;
  }
  if (!out) return;
  table.keys[0].type = decl.asked[0].type;
  std::vector<Fix> scaled = other_scale(table, rows);
  const bool shares = !range.high.missing() && compare(range.high, whole(1)) == 0;
  if (reached > 1 && (scaled.empty() || !shares)) return;
  doubt(Code::unreachable_band, table.rows[*out].span, decl.rubric,
        (reached > 1 ? "this row of '" + decl.node->name.text + "' is never reached: '"
                     : "'" + decl.node->name.text + "' has only one row that is ever reached: '") +
            rows.columns[0].text + "' is" + range_text(range) + " in all calls",
        "bring its keys to the scale of what is looked up");
  if (is_own(table.rows[*out].span, decl.rubric)) state_.noted.doubts.back().fixes = std::move(scaled);
}

bool TableReader::is_rounded(const Expr* key, int rubric_index) const {
  constexpr int kMostNames = 8;
  for (int level = 0; level < kMostNames && key->op == Op::item && rubric_index >= 0; ++level) {
    const Expr* body = model_.rubrics[static_cast<std::size_t>(rubric_index)].items[key->index].body;
    if (body == nullptr) return false;
    key = body;
  }
  const auto id = static_cast<Builtin>(key->index);
  return key->op == Op::builtin && (id == Builtin::round || id == Builtin::floor || id == Builtin::ceil ||
                                    id == Builtin::trunc || id == Builtin::round_even);
}

// A table without a row for a choice of its key, or for numbers between two rows that meet: '> 80' and '< 80', 0..49 and
// 50..100. Rows that leave more between them do so on purpose.
void TableReader::doubt_gaps(TableDecl& decl, const ast::Expr& call, const Expr* key, int rubric_index) {
  const ast::Rows& rows = decl.node->rows;
  if (decl.table < 0 || decl.doubted || is_constant(key)) return;
  const LookupTable& table = model_.tables[static_cast<std::size_t>(decl.table)];
  if (!rewritable(table, rows)) return;  // bands, or of a file
  budget_.step(1 + table.rows.size());
  const auto tell = [&](Span at, const std::string& value, std::vector<Fix> fixes) {
    decl.doubted = true;
    const std::string name = "'" + decl.node->name.text + "'";
    doubt(Code::table_gap, at, rubric_index,
          name + " has no row for " + value + ": there the call is missing, and so is all that needs it",
          "add a row for it, | " + value + " | … |, a last row 'otherwise', or a 'default' to the call");
    if (!is_own(at, rubric_index)) return;
    state_.noted.doubts.back().node = &call;
    state_.noted.doubts.back().fixes = std::move(fixes);
  };
  std::vector<Interval> ranges;
  std::set<std::string_view> texts;
  for (const TableRow& row : table.rows) {
    if (row.cells[0].empty()) return;  // otherwise
    for (const CellTest& t : row.cells[0]) {
      if (t.kind == CellTest::Kind::range)
        ranges.push_back({t.range.low, t.range.high, t.range.low_open, t.range.high_open});
      if (t.kind == CellTest::Kind::value && kind_of(key) == TypeKind::number)
        ranges.push_back(exactly(t.value.number));
      if (t.kind == CellTest::Kind::value && kind_of(key) == TypeKind::text) texts.insert(t.value.text.view());
    }
  }
  const Type& type = types_[key->type];
  if (type.kind == TypeKind::text) {
    std::string without;
    std::size_t count = 0;
    for (const std::string& choice : type.choices) {
      if (texts.count(choice) > 0) continue;
      without += (count == 0 ? "\"" : ", \"") + choice + '"';
      ++count;
    }
    if (count != 0 && count < type.choices.size()) tell(decl.node->name.span, without, {});
  }
  if (type.kind != TypeKind::number) return;
  for (const Interval& below : ranges) {
    for (const Interval& above : ranges) {
      if (below.high.missing() || above.low.missing() || compare(below.high, above.low) > 0) continue;
      const Number between = sub(above.low, below.high, numbers());
      const bool point = sign(between) == 0 && below.high_open && above.low_open;
      const bool next = !type.whole && next_number(below.high, above.low, numbers()) && !below.high_open &&
                        !above.low_open && (below.low.missing() || compare(below.low, below.high) != 0) &&
                        !is_rounded(key, rubric_index);
      if (!point && !next) continue;
      const Number gap = point ? above.low : div(add(below.high, above.low, numbers()), whole(2), numbers());
      const bool covered =
          std::any_of(ranges.begin(), ranges.end(), [gap](const Interval& one) { return holds(one, gap); });
      if (covered || !holds(type.range, gap)) continue;
      std::optional<std::size_t> beside;
      std::vector<Fix> fixes = without_gap(table, rows, gap, beside);
      tell(beside ? table.rows[*beside].span : decl.node->name.span, shortest_text(gap), std::move(fixes));
      return;
    }
  }
  if (ranges.size() < 2 || call.args.size() != 1) return;
  Interval all = ranges[0];
  for (const Interval& one : ranges) all = interval_hull(all, one);
  doubts_.note_outside(call, *call.args[0], type.range, all, rubric_index);
}

// Two-sided ranges that overlap.
void TableReader::report_overlaps(const LookupTable& table, const ast::Rows& rows, TypeId key,
                                  const std::string& name) {
  Span with_comma{};
  const Fix commas = decimal_commas(rows, 0, key, with_comma);
  for (std::size_t r = 1; r < table.rows.size(); ++r) {
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
          if (!commas.empty()) {
            Diagnostic& d = error(Code::band_overlap, with_comma,
                                  "a comma divides this key, and so rows of '" + name + "' overlap at " + at, "",
                                  "decimals are written with a point");
            return offer(*diagnostics_, d, {commas}, true);
          }
          error(Code::band_overlap, table.rows[r].span, "this row of '" + name + "' overlaps an earlier one at " + at,
                "", "let one of them end below, or write lower bounds: '>= " + at + "'");
        }
      }
    }
  }
}

}  // namespace assay
