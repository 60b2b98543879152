// Proofs about the rows of tables and bands. Representative keys show which rows can be reached, and whether some keys
// have no row: every value that a cell names, its neighbours, and one value between each two. See
// lang/proof/table_proof.hpp.
#include "lang/check/expr/expressions.hpp"
#include "lang/proof/table_proof.hpp"
#include "lang/value/constant_text.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace assay {

namespace {

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

}  // namespace

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

// For each key, the values that its cells name, their neighbours, and one between each two; `within`: only the key's
// possible values.
std::vector<std::vector<Value>> TableReader::representatives(const LookupTable& table, int decimals, bool within) {
  const std::size_t n = table.keys.size();
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
      for (const Number p : points_of_key(table, k, decimals >= 0 && k == 0 ? decimals : type.whole ? 0 : -1)) {
        if (!within || holds(type.range, p)) out.push_back(make_number(p));
      }
    }
    bool tests_missing = false;
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

// The keys of a row as text; empty: some of them are not constant.
std::string TableReader::constant_keys(const TableRow& row, const std::vector<TypeId>& keys) const {
  std::string all;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::vector<CellTest>& cell = row.cells[k];
    if (cell.size() != 1 || cell[0].kind != CellTest::Kind::value || cell[0].value.missing()) return {};
    all += (k > 0 ? ", " : "") + show_key(types_, keys[k], cell[0].value);
  }
  return all;
}

// `reached`: by any value; `inside_range`: by a value of the keys' types.
void TableReader::report_unreached(const LookupTable& table, const ast::Rows& rows, const std::vector<TypeId>& keys,
                                   const std::vector<char>& reached, const std::vector<char>& inside_range,
                                   const std::string& name) {
  const std::size_t n = keys.size();
  const bool some_unreached = std::count(reached.begin(), reached.end(), 0) > 0;
  std::map<std::string, std::size_t> first;  // the first row with these constant keys
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string same = some_unreached ? constant_keys(table.rows[r], keys) : std::string();
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
      state_.noted.doubts.push_back({Code::unreachable_band, table.rows[r].span,
                                     "this row of '" + name + "' is never reached: '" + rows.columns[0].text + "' is " +
                                         types_.say(table.keys[0].type),
                                     "remove the row, or check its key", nullptr});
    }
  }
}

void TableReader::prove_table(const LookupTable& table, const ast::Rows& rows, const std::vector<TypeId>& keys,
                              bool bands_table, int decimals, const std::string& name) {
  const std::size_t n = keys.size();
  const auto several = [this](const TableKey& key) { return types_.kind(key.type) == TypeKind::either; };
  if (std::any_of(table.keys.begin(), table.keys.end(), several)) {
    // Rows of each type would need separate proofs; a key that is repeated, or below a row that takes anything, does not.
    std::vector<char> reached(table.rows.size(), 1);
    std::set<std::string> before;
    bool anything = false;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      budget_.step();
      const std::string same = constant_keys(table.rows[r], keys);
      reached[r] = !anything && (same.empty() || before.insert(same).second) ? 1 : 0;
      const auto& cells = table.rows[r].cells;
      anything = anything || std::all_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.empty(); });
    }
    report_unreached(table, rows, keys, reached, reached, name);
    return;
  }
  const auto candidates = [&](bool within) { return representatives(table, decimals, within); };
  if (table.rows.empty()) {
    error(Code::bad_cell, rows.span, "'" + name + "' has no rows", "", "write a row for each case: | >= 0 | \"…\" |");
    return;
  }
  // For all tables together, so that many tables do not exceed the limit of one.
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
  const auto is_reached = [](char one) { return one != 0; };
  const bool all = complete && (std::all_of(reached.begin(), reached.end(), is_reached) ||
                                TableProof(types_, table, candidates(false), budget_).run(reached, false, work));
  proof_work_ += work;
  if (!all) {
    const std::string fewer = "decide by fewer keys at a time";
    error(Code::unproven_rows, rows.span,
          "the rows of '" + name + "' overlap in too many ways to tell whether " +
              (open ? "every value has one" : "each of them is ever reached"),
          "", open ? "let the last row be 'otherwise', or " + fewer : fewer);
    return;
  }
  report_unreached(table, rows, keys, reached, inside_range, name);
  if (bands_table && n == 1 && may_overlap(table)) report_overlaps(table, name);
}

// Two-sided ranges that overlap.
void TableReader::report_overlaps(const LookupTable& table, const std::string& name) {
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
          error(Code::band_overlap, table.rows[r].span, "this row of '" + name + "' overlaps an earlier one at " + at,
                "", "let one of them end below, or write lower bounds: '>= " + at + "'");
        }
      }
    }
  }
}

}  // namespace assay
