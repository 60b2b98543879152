// Checker: warnings about rows of tables and bands that are written as those of another scale, or with decimal commas, and
// edits for rows that leave a gap.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/words/words.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace assay {

// table target(quarter) with rows for 1 to 4, where the rubric computes a quarter that is 1..3. An input may well be
// narrower than a standard that is copied whole.
void TableReader::doubt_cases(const TableDecl& decl) {
  const Expr* value = decl.asked[0].value;
  if (value == nullptr || value->op != Op::item || decl.rubric < 0 || decl.table < 0) return;
  const Item& item = model_.rubrics[static_cast<std::size_t>(decl.rubric)].items[value->index];
  const Type& type = types_[decl.asked[0].type];
  const bool computed = item.kind == ItemKind::let && item.body != nullptr && !item.body->args.empty();
  if (!computed || !type.whole || !finite(type.range) || !decl.asked[0].constants.empty()) return;
  const LookupTable& table = model_.tables[static_cast<std::size_t>(decl.table)];
  const TableRow* out = nullptr;
  std::size_t reached = 0;
  for (const TableRow& row : table.rows) {
    if (row.cells[0].size() != 1 || row.cells[0][0].kind != CellTest::Kind::value) return;
    const bool meets = holds(type.range, row.cells[0][0].value.number);
    reached += meets ? 1 : 0;
    if (!meets) out = &row;
  }
  if (out == nullptr || reached + 1 != table.rows.size() || reached < 2) return;  // several are a part of a standard
  doubt(Code::unreachable_band, item.body->span, decl.rubric,
        "'" + item.name + "' is" + range_text(type.range) + ", and '" + decl.node->name.text + "' has a row for " +
            shortest_text(out->cells[0][0].value.number),
        "correct how it is computed, or leave out the rows that it never reaches");
}

namespace {

// The constant at which min, max or clamp limit a value, also behind a rounding; null: there is none.
const Expr* limit_at(const TypeTable& types, const Expr& e, Number end, int level = 0) {
  const bool number = e.op == Op::constant && types.kind(e.type) == TypeKind::number && !e.value.missing();
  if (number && compare(e.value.number, end) == 0) return &e;
  if (e.op == Op::constant && types.kind(e.type) == TypeKind::range && !e.value.missing()) {  // clamp(x, 0..6)
    const RangeData& range = *e.value.range.data;
    const bool low = !range.low.missing() && compare(range.low, end) == 0;
    return low || (!range.high.missing() && compare(range.high, end) == 0) ? &e : nullptr;
  }
  constexpr int kMostLevels = 4;
  const auto id = static_cast<Builtin>(e.index);
  const bool limits = e.op == Op::builtin && (id == Builtin::min || id == Builtin::max || id == Builtin::clamp);
  const bool rounds = e.op == Op::builtin && (id == Builtin::round || id == Builtin::floor || id == Builtin::ceil);
  if (level == kMostLevels || (!limits && !rounds && e.op != Op::make_range)) return nullptr;
  for (const Expr* arg : e.args) {
    const bool inside = arg->op != Op::constant || !rounds;
    if (const Expr* found = inside ? limit_at(types, *arg, end, level + 1) : nullptr) return found;
  }
  return nullptr;
}

}  // namespace

// let credited = min(years, 10), where the last row of seniority(credited) is for 15 years or more
void TableReader::doubt_limited(const TableDecl& decl) {
  const Expr* value = decl.asked[0].value;
  if (value == nullptr || value->op != Op::item || decl.rubric < 0 || decl.table < 0) return;
  const Item& item = model_.rubrics[static_cast<std::size_t>(decl.rubric)].items[value->index];
  const Interval& range = types_[decl.asked[0].type].range;
  if (item.kind != ItemKind::let || item.body == nullptr || !decl.asked[0].constants.empty()) return;
  const LookupTable& table = model_.tables[static_cast<std::size_t>(decl.table)];
  std::vector<Interval> cells;
  std::vector<Number> tried;  // values at the bounds and beside them
  const auto beside = [&](Number n) {
    if (n.missing()) return;
    for (const int step : {-1, 0, 1}) tried.push_back(add(n, whole(step), numbers()));
  };
  beside(range.low), beside(range.high);
  for (const TableRow& row : table.rows) {
    if (row.cells[0].size() != 1 || row.cells[0][0].kind != CellTest::Kind::range) return;
    const RangeData& cell = row.cells[0][0].range;
    cells.push_back({cell.low, cell.high, cell.low_open, cell.high_open});
    beside(cell.low), beside(cell.high);
  }
  std::vector<char> met(cells.size(), 0);
  for (const Number& n : tried) {
    const auto first = std::find_if(cells.begin(), cells.end(), [n](const Interval& cell) { return holds(cell, n); });
    if (holds(range, n) && first != cells.end()) met[static_cast<std::size_t>(first - cells.begin())] = 1;
  }
  const Interval* out = nullptr;
  for (std::size_t r = 0; r < cells.size(); ++r) {
    if (met[r] == 0) out = &cells[r];
  }
  const auto reached = static_cast<std::size_t>(std::count(met.begin(), met.end(), 1));
  if (out == nullptr || reached + 1 != table.rows.size() || reached < 2) return;  // several are a part of a standard
  const bool above = !range.high.missing() && !out->low.missing() && compare(out->low, range.high) >= 0;
  const bool below = !range.low.missing() && !out->high.missing() && compare(out->high, range.low) <= 0;
  if (above == below) return;
  const Number end = above ? range.high : range.low, needed = above ? out->low : out->high;
  const Expr* limit = limit_at(types_, *item.body, end);
  if (limit == nullptr || !is_own(item.body->span, decl.rubric)) return;
  const bool open = above ? out->low_open : out->high_open;
  const std::string meant = shortest_text(needed);
  doubt(Code::unreachable_band, item.body->span, decl.rubric,
        "'" + item.name + "' is" + range_text(range) + ", so it never reaches the row of '" + decl.node->name.text +
            (above ? "' that begins at " : "' that ends at ") + meant,
        "correct the limit " + shortest_text(end) + ", or leave the row out");
  std::string text = source_text(limit->span);
  const std::size_t dots = text.find("..");
  const std::string part = dots == text.npos ? text : above ? text.substr(dots + 2) : text.substr(0, dots);
  if (open || part != shortest_text(end)) return;
  text.replace(dots == text.npos || !above ? 0 : dots + 2, part.size(), meant);
  state_.noted.doubts.back().fixes = {{{limit->span, text}}};
}

// Rows that divide points as if they were shares: >= 0.9, >= 0.7 and >= 0 over 0..100.
void TableReader::doubt_shares(const LookupTable& table, const ast::Rows& rows, const std::string& name,
                               const std::vector<bool>& marks) {
  if (rows.rows.size() != table.rows.size()) return;  // of a file
  for (std::size_t k = 0; k < table.keys.size(); ++k) {
    if (!marks[k]) continue;  // less than 1 of 100 is much of an error
    const Type& type = types_[table.keys[k].type];
    if (type.kind != TypeKind::number || !finite(type.range) || sign(type.range.low) < 0 ||
        compare(type.range.high, whole(10)) < 0)
      continue;
    bool shares = true;
    std::vector<std::pair<Span, Number>> bounds;  // above 0
    Number most = whole(0);
    const auto take = [&](const ast::ExprPtr& literal) {
      Number n;
      if (!literal) return;
      const bool number = literal->kind == ast::ExprKind::number && !literal->text.ends_with('%') &&
                          parse_decimal(literal->text, n, numbers(), true);
      if (!number) {
        shares = false;
        return;
      }
      if (sign(n) > 0) bounds.emplace_back(literal->span, n);
      most = assay::max(most, n);
    };
    for (const std::vector<ast::Cell>& row : rows.rows) {
      for (const ast::CellPattern& pattern : row[k].patterns) {
        if (pattern.expr && pattern.expr->kind == ast::ExprKind::range) {
          for (const ast::ExprPtr& end : pattern.expr->args) take(end);
        } else {
          take(pattern.expr);
        }
        for (const ast::CellBound& bound : pattern.bounds) take(bound.expr);
      }
    }
    // Of a tenth of the range or less: shares of 1, or marks out of 4 or 5.
    const bool fraction =
        std::any_of(bounds.begin(), bounds.end(), [](const auto& b) { return compare(b.second, whole(1)) < 0; });
    const bool of_one = compare(most, whole(1)) <= 0;
    const bool tenth = compare(mul(most, whole(10), numbers()), type.range.high) <= 0 && compare(most, whole(5)) <= 0;
    const bool half = compare(mul(most, whole(2), numbers()), whole(1)) >= 0;
    if (!shares || !half || (of_one ? !fraction : !tenth || bounds.size() < 2)) continue;
    const Number of = whole(of_one ? 1 : compare(most, whole(4)) <= 0 ? 4 : 5);
    std::vector<Fix> fixes;
    for (const Number top : {of, whole(5)}) {
      if (of_one && compare(top, of) != 0) continue;
      Fix fix;
      for (const auto& [span, n] : bounds)
        fix.push_back({span, shortest_text(div(mul(n, type.range.high, numbers()), top, numbers()))});
      fixes.insert(fixes.begin(), std::move(fix));  // marks out of 5 are more usual than out of 4
    }
    const Rewording& first = fixes.front().front();
    state_.noted.doubts.push_back(
        {Code::percent_of_points, first.at,
         "'" + rows.columns[k].text + "' is " + types_.say(table.keys[k].type) + ", and all rows of '" + name +
             "' divide what is " + (of_one ? "below 1" : "at most " + shortest_text(most)),
         "write " + first.text + " for " + source_text(first.at) + " of " + shortest_text(type.range.high), nullptr,
         fixes});
  }
}

namespace {

// The literal with which a pattern of a key begins, or ends; null: something else.
const ast::Expr* end_of(const ast::CellPattern& pattern, bool last) {
  const bool bound = pattern.tag == ast::CellPattern::Tag::bound && !pattern.bounds.empty();
  if (bound) return last ? pattern.bounds.back().expr.get() : nullptr;
  const ast::Expr* e = pattern.expr.get();
  return e != nullptr && e->kind == ast::ExprKind::range ? e->args[last ? 1 : 0].get() : e;
}

}  // namespace

// Keys with a comma between them may be one with a decimal comma. That is likely where the first has a sign before it
// and no blank follows, two cells begin with the same key, only the number with the comma is within the range of the
// key, or a number beside a range lies in it or on its wrong side. The edits that make points of them; empty: it is not.
Fix TableReader::decimal_commas(const ast::Rows& rows, std::size_t k, TypeId key, Span& first_cell) {
  const Type& type = types_[key];
  if (type.kind != TypeKind::number || type.whole || is_foreign(rows.span)) return {};
  const auto digits = [this](const ast::Expr* e) {
    const std::string text = e != nullptr && e->kind == ast::ExprKind::number ? source_text(e->span) : std::string();
    return text.find_first_not_of("0123456789") == text.npos ? text : std::string();
  };
  const auto number = [this](const std::string& text) {
    Number n = kMissing;
    return parse_decimal(text, n, numbers(), true) ? n : kMissing;
  };
  const auto allowed = [&](const std::string& text) {
    const Number n = number(text);
    return !n.missing() && holds(type.range, n);
  };
  std::set<std::string> firsts;
  Fix fix;
  bool likely = false;
  budget_.step(1 + rows.rows.size());
  constexpr std::size_t kMost = 3;  // keys of one range: 7,5..8,4
  for (const std::vector<ast::Cell>& row : rows.rows) {
    if (k >= row.size() || row[k].patterns.empty() || row[k].patterns.size() > kMost) continue;
    const std::vector<ast::CellPattern>& keys = row[k].patterns;
    const auto ranges = std::count_if(keys.begin(), keys.end(), [](const ast::CellPattern& p) {
      return p.expr && p.expr->kind == ast::ExprKind::range;
    });
    const bool bound = keys[0].tag == ast::CellPattern::Tag::bound;
    const bool again = !bound && ranges == 0 && !firsts.insert(digits(end_of(keys[0], true))).second;
    if (ranges > 1 || (ranges == 0 && keys.size() > 2)) continue;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
      const std::string before = digits(end_of(keys[i], true)), behind = digits(end_of(keys[i + 1], false));
      const Span comma{row[k].span.file, keys[i].span.end, keys[i + 1].span.begin};
      const std::string between = source_text(comma);
      // The formatter writes the latter.
      if (before.empty() || behind.empty() || (between != "," && between != ", ")) continue;
      // 8,5..10; 7..8,4
      const bool low = ranges > 0 && keys[i + 1].expr->kind == ast::ExprKind::range;
      const std::string high = low ? digits(end_of(keys[i + 1], true)) : std::string();
      const bool within = low ? !high.empty() && compare(number(before), number(behind)) >= 0
                              : ranges > 0 && compare(number(behind), number(before)) <= 0;
      likely = likely || within || (bound && between == ",") || again ||
               (ranges == 0 && !allowed(behind) && allowed(before + "." + behind));
      if (fix.empty()) first_cell = row[k].span;
      fix.push_back({comma, "."});
    }
  }
  return likely ? fix : Fix();
}

void TableReader::doubt_decimal_commas(const ast::Rows& rows, std::size_t k, TypeId key, int rubric_index) {
  Span first_cell{};
  Fix fix = decimal_commas(rows, k, key, first_cell);
  const auto told = [&first_cell](const Doubt& d) {  // of another call
    return d.code == Code::comma_in_key && d.span.begin == first_cell.begin;
  };
  const std::vector<Doubt>& doubts = state_.noted.doubts;
  if (fix.empty() || std::any_of(doubts.begin(), doubts.end(), told)) return;
  const std::string shown = source_text(first_cell);
  FixIt help = "decimals are written with a point";
  // >= 2,5: what is 5 is at least 2 anyway, so nobody means both
  if (const std::size_t comma = shown.find(','), digit = shown.find_first_of("0123456789");
      fix.size() == 1 && comma != shown.npos && digit < comma && (shown[0] == '<' || shown[0] == '>')) {
    Number bound = kMissing, other = kMissing;
    const std::string behind = shown.substr(shown.find_first_not_of(' ', comma + 1));
    const bool read = parse_decimal(shown.substr(digit, comma - digit), bound, numbers(), true) &&
                      parse_decimal(behind, other, numbers(), true);
    const std::string meant = shown.substr(0, comma) + "." + behind;
    if (read && compare(other, bound) * (shown[0] == '>' ? 1 : -1) >= 0) help = FixIt("write " + meant, meant, true);
  }
  const bool edits = help.edits;
  doubt(Code::comma_in_key, first_cell, rubric_index,
        "this key is " + std::string(std::count(shown.begin(), shown.end(), ',') == 1 ? "two" : "three") + " keys, " +
            shown + ": a comma divides them",
        std::move(help));
  if (!edits && is_own(first_cell, rubric_index)) state_.noted.doubts.back().fixes = {std::move(fix)};
}

// | 0-5 |, which is a difference: once for all keys of a column.
void TableReader::report_differences(const ast::Rows& rows, std::size_t k) {
  Fix fix;
  const ast::Expr* first = nullptr;
  for (const std::vector<ast::Cell>& row : rows.rows) {
    if (k >= row.size()) continue;
    for (const ast::CellPattern& pattern : row[k].patterns) {
      const ast::Expr* e = pattern.expr.get();
      const bool difference = e != nullptr && e->kind == ast::ExprKind::binary && e->text == "-" &&
                              e->args[0]->kind == ast::ExprKind::number && e->args[1]->kind == ast::ExprKind::number &&
                              source_text(e->span).front() != '(';
      if (!difference) continue;
      if (first == nullptr) first = e;
      fix.push_back({pattern.span, e->args[0]->text + ".." + e->args[1]->text});
    }
  }
  if (fix.empty()) return;
  const std::string low = first->args[0]->text, high = first->args[1]->text;
  const std::string more = fix.size() == 1 ? "" : ", and so are others of '" + rows.columns[k].text + "'";
  Diagnostic& d =
      error(Code::range_as_difference, first->span,
            "this key is one number, the difference of " + low + " and " + high + more, "",
            "a range is written " + low + ".." + high + "; write (" + low + " - " + high + ") for the difference");
  offer(*diagnostics_, d, {fix}, true);
}

// Where a key is rounded so far that some of its rows are never reached: scale 0..1 decimals 0, round(average). False: no
// rounding explains them.
bool TableReader::report_rounded(const LookupTable& table, const ast::Rows& rows, const std::vector<char>& reached,
                                 int decimals, const std::string& name) {
  if (table.keys.size() != 1 || types_.kind(table.keys[0].type) != TypeKind::number) return false;
  const int has = decimals >= 0 ? decimals : types_[table.keys[0].type].whole ? 0 : -1;
  int needs = 0;
  std::size_t lost = table.rows.size();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    for (const CellTest& test : table.rows[r].cells[0]) {
      if (test.kind != CellTest::Kind::range || test.range.low.missing()) continue;
      constexpr int kMost = 4;
      int own = 0;
      while (own < kMost && compare(round_to(test.range.low, own, Rounding::half_away, numbers()), test.range.low) != 0)
        ++own;
      needs = std::max(needs, own);
      if (!reached[r] && own > has) lost = std::min(lost, r);
    }
  }
  if (has < 0 || lost == table.rows.size()) return false;
  const std::string& key = rows.columns[0].text;
  for (const std::unique_ptr<RubricContext>& rc : declared_.rubrics) {
    const Span whole_rubric = rc->node->span;
    if (whole_rubric.file != rows.span.file || rows.span.begin < whole_rubric.begin || rows.span.end > whole_rubric.end)
      continue;
    for (const ast::Item* item : rc->items) {
      const auto* let = std::get_if<ast::Let>(&item->node);
      const ast::Expr* e = let && let->name.text == key ? let->body.expr.get() : nullptr;
      const bool rounds = e && e->kind == ast::ExprKind::call && e->args.size() == 1 && !e->loop && e->text == "round";
      const bool scale = key == "score" && std::holds_alternative<ast::Scale>(item->node);
      if (!rounds && !scale) continue;
      const Span at = rounds ? e->span : item->span;
      std::string meant = source_text(at);
      if (rounds) {
        meant.insert(meant.size() - 1, ", " + std::to_string(needs));
      } else {
        const std::string before = "decimals " + std::to_string(has);
        const std::size_t place = meant.find(before);
        if (place == meant.npos) continue;
        meant.replace(place, before.size(), "decimals " + std::to_string(needs));
      }
      Diagnostic& d = error(Code::unreachable_row, at,
                            "'" + key + "' has " + (has == 0 ? "no decimals" : std::to_string(has) + " decimals") +
                                ", so some rows of '" + name + "' are never reached",
                            "", "write " + meant);
      d.notes.push_back(diagnostics_->note(table.rows[lost].span, "this row is never reached"));
      offer(*diagnostics_, d, {{{at, meant}}});
      return true;
    }
  }
  return false;
}

// A row below others that fit all values serves a missing key: 'otherwise', where no key that is looked up may be missing.
void TableReader::report_never_missing(const TableDecl& decl) {
  // A table of another file serves other callers as well.
  if (decl.asked_missing || decl.table < 0 || !is_own(decl.node->name.span, decl.rubric)) return;
  const LookupTable& table = model_.tables[static_cast<std::size_t>(decl.table)];
  const std::string& name = decl.node->name.text;
  const std::string keys = decl.params.size() == 1 ? "'" + decl.params[0].text + "' is" : "its keys are";
  for (std::size_t r = 0; r < decl.serve_missing.size(); ++r) {
    if (decl.serve_missing[r] == 0) continue;
    Diagnostic& d =
        error(Code::unreachable_row, table.rows[r].span,
              "this row of '" + name + "' is never reached: the rows above it fit every value, and " +
                  (decl.withheld ? "without a score there is no band" : keys + " never missing"),
              "",
              decl.withheld ? "remove the row; '" + name + " default …' is a value for records without a score"
                            : "remove the row");
    const Fix without = decl.written != nullptr ? without_row(table, *decl.written, r) : Fix();
    if (!without.empty()) offer(*diagnostics_, d, {without}, decl.withheld);
  }
}

// >= 90, >= 80, >= 7, >= 60: all other bounds are in order, and ten times this one is between its neighbours.
bool TableReader::report_odd_bound(const LookupTable& table, const ast::Rows& rows, const std::vector<char>& reached,
                                   const std::string& name) {
  constexpr std::size_t kFewest = 4;
  const std::size_t count = table.rows.size();
  if (table.keys.size() != 1 || count < kFewest || rows.rows.size() != count) return false;  // rows of a CSV file
  std::vector<Number> lows;
  for (std::size_t r = 0; r < count; ++r) {
    const std::vector<CellTest>& cell = table.rows[r].cells[0];
    const ast::CellPattern* p = rows.rows[r][0].patterns.size() == 1 ? rows.rows[r][0].patterns.data() : nullptr;
    const bool bound = cell.size() == 1 && cell[0].kind == CellTest::Kind::range && cell[0].range.high.missing() &&
                       !cell[0].range.low.missing() && p != nullptr && p->bounds.size() == 1 &&
                       p->bounds[0].expr->kind == ast::ExprKind::number;
    if (!bound) return false;
    lows.push_back(cell[0].range.low);
  }
  for (std::size_t i = 1; i + 1 < count; ++i) {
    if (reached[i + 1] && reached[i]) continue;
    bool falls = true;
    for (std::size_t k = 1, before = 0; k < count; ++k) {
      if (k == i) continue;
      falls = falls && compare(lows[k], lows[before]) < 0;
      before = k;
    }
    for (const Number& n : {mul(lows[i], whole(10), numbers()), div(lows[i], whole(10), numbers())}) {
      if (!falls || compare(n, lows[i - 1]) >= 0 || compare(n, lows[i + 1]) <= 0) continue;
      const ast::Expr& literal = *rows.rows[i][0].patterns[0].bounds[0].expr;
      const std::string meant = shortest_text(n);
      Diagnostic& d =
          error(Code::unreachable_row, literal.span,
                "all other bounds of '" + name + "' fall from row to row, and " + literal.text + " does not", "",
                "write " + meant + ", if a digit is missing or one too many");
      offer(*diagnostics_, d, {{{literal.span, meant}}});
      return true;
    }
  }
  return false;
}

// Whether two rows with the same keys have different results.
bool TableReader::other_result(const ast::Rows& rows, std::size_t keys, std::size_t a, std::size_t b) const {
  if (a >= rows.rows.size() || b >= rows.rows.size()) return false;
  for (std::size_t c = keys; c < rows.columns.size(); ++c) {
    const bool both = c < rows.rows[a].size() && c < rows.rows[b].size();
    if (both && source_text(rows.rows[a][c].span) != source_text(rows.rows[b][c].span)) return true;
  }
  return false;
}

// What a row with the key of another one may have instead: a bound between its neighbours, or the end of the range.
// False: its key is no bound that is written in the rubric.
bool TableReader::suggest_bound(const LookupTable& table, const ast::Rows& rows, std::size_t first, std::size_t r,
                                Diagnostic& d) {
  if (rows.rows.size() != table.rows.size()) return false;  // in a file
  const std::string own = source_text(rows.rows[r][0].span);
  const std::size_t sign = own.find_first_not_of("<>= ");
  if (r != first + 1 || sign == 0 || sign == own.npos) return false;
  const auto number = [&](std::size_t row) {
    const std::string cell = source_text(rows.rows[row][0].span);
    return cell.substr(0, sign) == own.substr(0, sign) ? cell.substr(sign) : std::string();
  };
  if (r + 1 < rows.rows.size()) {
    const std::string next = number(r + 1);
    d.help = "its result is another one: give it a bound of its own" +
             (next.empty() ? "" : ", between " + own.substr(sign) + " and " + next);
    return true;
  }
  const Interval& range = types_[table.keys[0].type].range;
  const Number end = own[0] == '>' ? range.low : range.high;
  if (end.missing()) return false;
  const std::string last = std::string(1, own[0]) + "= " + exact_text(end);
  d.help = "its result is another one: write " + last;
  offer(*diagnostics_, d, {Fix{{rows.rows[r][0].span, last}}});
  return true;
}

namespace {

// The text of a cell that is nothing else.
std::string plain_words_of(const ast::Cell& cell) {
  const ast::Expr* e = cell.patterns.size() == 1 ? cell.patterns[0].expr.get() : nullptr;
  return e != nullptr && e->kind == ast::ExprKind::text && e->literal.plain() ? e->literal.str() : std::string();
}

// Whether it is a grade of those who reach no other one.
bool names_nothing(const std::string& label) {
  static constexpr std::string_view kNothing[] = {"none", "no", "nothing", "-", "F", "fail", "failed", "insufficient"};
  return std::find(std::begin(kNothing), std::end(kNothing), label) != std::end(kNothing) || sense_of(label).good < 0;
}

}  // namespace

// 70..84, where 50..69.9 and 0..49.9 end a tenth before the next row: all rows but one end so.
Fix TableReader::stepped(const LookupTable& table, const ast::Rows& rows, Number gap) {
  NumberPool& pool = numbers();
  std::vector<std::pair<Number, std::size_t>> lows;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<CellTest>& cell = table.rows[r].cells[0];
    if (cell.size() != 1 || cell[0].kind != CellTest::Kind::range || cell[0].range.low.missing() ||
        cell[0].range.low_open || cell[0].range.high_open)
      return {};
    lows.emplace_back(cell[0].range.low, r);
  }
  std::sort(lows.begin(), lows.end(), [](const auto& a, const auto& b) { return compare(a.first, b.first) < 0; });
  Number step = kMissing, next = kMissing;  // next: the beginning of the row behind the odd one
  Rewording odd;
  for (std::size_t i = 0; i + 1 < lows.size(); ++i) {
    const CellTest& cell = table.rows[lows[i].second].cells[0][0];
    if (cell.range.high.missing()) return {};
    const Number between = sub(lows[i + 1].first, cell.range.high, pool);
    if (compare(cell.range.high, gap) < 0 && compare(gap, lows[i + 1].first) < 0) {
      const Span span = rows.rows[lows[i].second][0].span;
      const std::size_t dots = source_text(span).find("..");
      if (dots == std::string::npos || !next.missing()) return {};
      next = lows[i + 1].first;
      odd.at = {span.file, span.begin + static_cast<std::uint32_t>(dots + 2), span.end};
      continue;
    }
    if (!step.missing() && compare(between, step) != 0) return {};
    step = between;
  }
  if (next.missing() || step.missing() || sign(step) <= 0) return {};
  odd.text = shortest_text(sub(next, step, pool));
  return {odd};
}

// The bounds of all numbers between two rows that have none, as bounds of the row below them and of the row above.
std::vector<Fix> TableReader::gap_closed(const LookupTable& table, const ast::Rows& rows, Number gap,
                                         std::optional<std::size_t>& beside) {
  std::vector<Fix> fixes;
  std::optional<std::size_t> below, above;
  const auto range_of_row = [&](std::size_t r) -> std::optional<Interval> {
    const std::vector<CellTest>& cell = table.rows[r].cells[0];
    if (cell.size() != 1 || cell[0].kind != CellTest::Kind::range) return std::nullopt;
    const auto& range = cell[0].range;
    return Interval{range.low, range.high, range.low_open, range.high_open};
  };
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::optional<Interval> range = range_of_row(r);
    if (!range) continue;
    const bool under = !range->high.missing() && compare(range->high, gap) <= 0;
    const bool over = !range->low.missing() && compare(range->low, gap) >= 0;
    if (under && (!below || compare(range->high, range_of_row(*below)->high) > 0)) below = r;
    if (over && (!above || compare(range->low, range_of_row(*above)->low) < 0)) above = r;
  }
  beside = above ? above : below;
  // | >= 40 | "none" |, of a scale from 0: the last row is the one for all that is left.
  if (above && !below && !range_of_row(*above)->low.missing()) {
    const std::string label = plain_words_of(rows.rows[*above].back());
    const Interval key = types_[table.keys[0].type].range;
    if (range_of_row(*above)->high.missing() && !key.low.missing() && names_nothing(label))
      fixes.push_back({{rows.rows[*above][0].span, ">= " + shortest_text(key.low)}});
  }
  if (!below || !above) return fixes;
  const Interval low = *range_of_row(*below), high = *range_of_row(*above);
  // '> 85' and 70..84 lack 85: the bound that leaves it out is the mistake.
  const bool open = high.low_open && compare(high.low, gap) == 0;
  if (!open) beside = below;
  const auto cell = [&](std::size_t r) { return rows.rows[r][0].span; };
  const std::string from = low.low.missing() ? "" : (low.low_open ? "> " : ">= ") + shortest_text(low.low) + " ";
  const std::string to = high.high.missing() ? "" : (high.high_open ? " < " : " <= ") + shortest_text(high.high);
  fixes.push_back({{cell(*below), from + (high.low_open ? "<= " : "< ") + shortest_text(high.low)}});
  fixes.push_back({{cell(*above), (low.high_open ? ">= " : "> ") + shortest_text(low.high) + to}});
  // Rows begin at round numbers: 0..49 and 60..100 are likelier 0..49 and 50..100.
  if (compare(low.high, high.low) == 0) std::swap(fixes[0], fixes[1]);
  return fixes;
}

// Bands without their gap: a bound that includes it, or ranges as lower bounds from the best one down.
std::vector<Fix> TableReader::without_gap(const LookupTable& table, const ast::Rows& rows, Number gap,
                                          std::optional<std::size_t>& beside) {
  std::vector<Fix> fixes;
  if (!rewritable(table, rows)) return fixes;
  fixes = other_scale(table, rows);
  std::vector<Fix> closed = gap_closed(table, rows, gap, beside);
  bool ranges = true;
  std::vector<std::pair<Number, std::size_t>> lows;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::vector<CellTest>& cell = table.rows[r].cells[0];
    const bool one = cell.size() == 1 && cell[0].kind == CellTest::Kind::range;
    // Bare numbers, 85, 70, 50, are lower bounds, unless the key has only whole values.
    const bool bare = cell.size() == 1 && cell[0].kind == CellTest::Kind::value &&
                      types_.kind(table.keys[0].type) == TypeKind::number && !types_[table.keys[0].type].whole;
    if (bare) lows.emplace_back(cell[0].value.number, r);
    ranges = ranges && (bare || (one && !cell[0].range.low.missing()));
    if (!one) continue;
    const auto& range = cell[0].range;
    if (!range.low.missing()) lows.emplace_back(range.low, r);
    const bool at =
        (range.low_open && compare(range.low, gap) == 0) || (range.high_open && compare(range.high, gap) == 0);
    const Span span = rows.rows[r][0].span;
    const std::string text = source_text(span);
    const std::size_t sign = text.find_first_of("<>");
    if (at && sign != text.npos && text.find_first_of("<>", sign + 1) == text.npos)
      fixes.push_back({{span, text.substr(0, sign + 1) + "=" + text.substr(sign + 1)}});
  }
  for (Fix& fix : closed) fixes.push_back(std::move(fix));
  if (!ranges) return fixes;
  std::stable_sort(lows.begin(), lows.end(),
                   [](const auto& a, const auto& b) { return compare(a.first, b.first) > 0; });
  Fix bounds;
  for (std::size_t r = 0; r < lows.size(); ++r) {
    const std::vector<ast::Cell>& from = rows.rows[lows[r].second];
    const Span to{rows.span.file, rows.rows[r].front().span.begin, rows.rows[r].back().span.end};
    const Span rest{rows.span.file, from.front().span.end, from.back().span.end};
    bounds.push_back({to, ">= " + shortest_text(lows[r].first) + source_text(rest)});
  }
  fixes.push_back(std::move(bounds));
  return fixes;
}

}  // namespace assay
