// Checker: warnings about bands that cannot be meant: grades that stand twice or that a withheld score has, bounds that the
// rounded score never has.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/words/words.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

// Whether the pipeline may withhold it, like the score.
bool DoubtChecker::made_of_score(const Expr* e, RubricContext& rc, std::set<int>& seen) {
  const Nesting nesting(budget_);
  if (e->op == Op::item) {
    const int index = static_cast<int>(e->index);
    const Item& item = model(rc).items[e->index];
    if (item.kind == ItemKind::pipeline) return item.name == "score" || item.name == "composite";
    if (item.kind != ItemKind::let && item.kind != ItemKind::output) return false;
    return seen.insert(index).second && item.body && made_of_score(item.body, rc, seen);
  }
  if (e->op == Op::default_) return false;
  return std::any_of(e->args.begin(), e->args.end(), [&](const Expr* a) { return made_of_score(a, rc, seen); });
}

// Two rows one below the other with the same result, as a copied row has.
void DoubtChecker::doubt_same_grade(RubricContext& rc, const ast::Bands& node) {
  const std::vector<std::vector<ast::Cell>>& rows = node.rows.rows;
  const auto bounded = [](const std::vector<ast::Cell>& row) {
    return row[0].patterns.size() == 1 && row[0].patterns[0].tag != ast::CellPattern::Tag::missing &&
           row[0].patterns[0].tag != ast::CellPattern::Tag::otherwise && row[1].patterns.size() == 1 &&
           row[1].patterns[0].expr && row[1].patterns[0].expr->kind == ast::ExprKind::text;
  };
  const auto letter = [&](std::size_t r) {
    const ast::Expr& e = *rows[r][1].patterns[0].expr;
    const std::string name = e.literal.plain() ? e.literal.str() : std::string();
    return name.size() == 1 ? name[0] : '\0';
  };
  for (std::size_t r = 1; r < rows.size(); ++r) {
    bool same = bounded(rows[r - 1]) && bounded(rows[r]);
    for (std::size_t c = 1; same && c < rows[r].size(); ++c)
      same = sources_.text(rows[r - 1][c].span) == sources_.text(rows[r][c].span);
    if (!same) continue;
    const Span at = rows[r][1].patterns[0].expr->span;
    doubt(Code::same_grade, at, rc.index,
          "this row of '" + node.name.text + "' and the one above it have the same result, " + source_text(at),
          "give each its own, or write both as one row");
    if (!is_own(at, rc.index)) continue;
    std::vector<Fix>& fixes = state_.noted.doubts.back().fixes;
    const char between = static_cast<char>(letter(r) + 1);
    if (letter(r) != '\0' && r + 1 < rows.size() && bounded(rows[r + 1]) && letter(r + 1) == between + 1)
      fixes.push_back({{at, std::string("\"") + between + '"'}});
  }
}

// '>= 89.5' for a score without decimals, which is never 89.5.
void DoubtChecker::doubt_finer(const ast::CellBound& bound, int decimals, int rubric_index) {
  Number n;
  const ast::Expr& literal = *bound.expr;
  if (literal.kind != ast::ExprKind::number || !parse_decimal(literal.text, n, numbers(), true)) return;
  // '> 89.5' begins at 90 as well, and '<= 89.5' ends at 89.
  const Rounding mode =
      bound.bound == ast::Bound::less_equal || bound.bound == ast::Bound::greater ? Rounding::floor : Rounding::ceil;
  const Number near = round_to(n, decimals, mode, numbers());
  if (compare(near, n) == 0) return;
  const std::string text = shortest_text(near);
  doubt(Code::beyond_range, literal.span, rubric_index,
        "the score is rounded to " +
            (decimals == 0   ? std::string("a whole number")
             : decimals == 1 ? std::string("1 decimal")
                             : std::to_string(decimals) + " decimals") +
            ", so it is never " + literal.text,
        FixIt("write " + text + ", which is the same, or give the scale more decimals", text, false));
}

// Keys in percent of what is counted in points.
void DoubtChecker::doubt_percents(const ast::Rows& rows, std::size_t k, const Interval& range, const std::string& name,
                                  int rubric_index) {
  for (const std::vector<ast::Cell>& row : rows.rows) {
    if (k >= row.size()) continue;
    for (const ast::CellPattern& pattern : row[k].patterns) {
      if (pattern.expr) doubt_percent(*pattern.expr, range, name, rubric_index);
      for (const ast::CellBound& bound : pattern.bounds) doubt_percent(*bound.expr, range, name, rubric_index);
    }
  }
}

namespace {

// The 'otherwise' that fits a missing key, where no row says 'missing'; null: there is none.
const ast::CellPattern* takes_missing(const ast::Rows& rows, std::size_t k) {
  const ast::CellPattern* otherwise = nullptr;
  for (const std::vector<ast::Cell>& row : rows.rows) {
    if (k >= row.size()) continue;
    for (const ast::CellPattern& pattern : row[k].patterns) {
      if (pattern.tag == ast::CellPattern::Tag::otherwise) otherwise = &pattern;
      if (pattern.tag == ast::CellPattern::Tag::missing) return nullptr;
    }
  }
  return otherwise;
}

}  // namespace

// A table that is asked for a score that may be withheld.
void DoubtChecker::doubt_withheld(const ast::Rows& rows, const Expr* key, Span asked, int rubric_index) {
  const ast::CellPattern* otherwise = key->optional && rubric_index >= 0 ? takes_missing(rows, 0) : nullptr;
  std::set<int> seen;
  if (otherwise == nullptr || !made_of_score(key, rubric(rubric_index), seen)) return;
  doubt(Code::withheld_grade, asked, rubric_index,
        "'" + short_text(asked) +
            "' is missing when the score is withheld, and 'otherwise' fits that too: such a record gets its value",
        "write the bound that is meant, such as '>= 0', or a row 'missing' above it");
}

void DoubtChecker::doubt_bands(RubricContext& rc, const ast::Bands& node, const std::vector<Expr*>& keys) {
  if (keys.size() == 1 && kind_of(keys[0]) == TypeKind::number) doubt_same_grade(rc, node);
  const auto cells = [&](std::size_t row, std::size_t k) -> const std::vector<ast::CellPattern>& {
    return node.rows.rows[row][k].patterns;
  };
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (kind_of(keys[k]) != TypeKind::number) continue;
    const std::string name = "'" + node.params[k].text + "'";
    const bool score = node.params[k].text == "score" && rc.by_name.own.find("score") == rc.by_name.own.end();
    const int decimals = model(rc).scale.decimals;
    doubt_percents(node.rows, k, range_of(keys[k]), name, rc.index);
    for (std::size_t row = 0; score && k == 0 && decimals >= 0 && row < node.rows.rows.size(); ++row) {
      for (const ast::CellPattern& pattern : cells(row, k)) {
        for (const ast::CellBound& bound : pattern.bounds) doubt_finer(bound, decimals, rc.index);
      }
    }
    std::set<int> seen;
    const auto input = rc.last_inputs.find(node.params[k].text);
    const bool of_record = keys.size() == 1 && input != rc.last_inputs.end() &&
                           input->second->policy.tag == ast::PolicyTag::optional &&
                           rc.by_name.own.find(node.params[k].text) == rc.by_name.own.end();
    if (!keys[k]->optional || (score && k == 0) || (!of_record && !made_of_score(keys[k], rc, seen))) continue;
    const ast::CellPattern* otherwise = takes_missing(node.rows, k);
    if (otherwise == nullptr) continue;
    if (of_record) {
      const std::vector<ast::Cell>& row = node.rows.rows.back();
      const ast::Expr* result = row.size() > 1 && row[1].patterns.size() == 1 ? row[1].patterns[0].expr.get() : nullptr;
      const bool text = result != nullptr && result->kind == ast::ExprKind::text && result->literal.plain();
      const std::vector<std::string> words = words_of(text ? result->literal.str() : "");
      const auto unknown = [](const std::string& word) {
        return has_word("no none not unknown unrated missing open", word);
      };
      if (!text || std::any_of(words.begin(), words.end(), unknown)) continue;
      ast::Expr& value = state_.synthetic.emplace_back();
      value.kind = ast::ExprKind::name;
      value.text = node.params[k].text;
      doubt(Code::withheld_grade, otherwise->span, rc.index,
            "a record may lack " + name + ", and 'otherwise' fits that too: such a record gets this row",
            "write the bound that is meant, and a row 'missing' for records without it");
      // Where 'otherwise' stands for the highest values, nobody means it for those that were not measured.
      const bool highest = std::all_of(node.rows.rows.begin(), node.rows.rows.end() - 1, [](const auto& one) {
        const std::vector<ast::CellPattern>& key = one[0].patterns;
        return key.size() == 1 && key[0].bounds.size() == 1 &&
               (key[0].bounds[0].bound == ast::Bound::less || key[0].bounds[0].bound == ast::Bound::less_equal);
      });
      if (is_own(otherwise->span, rc.index) && !highest) state_.noted.doubts.back().node = &value;
      continue;
    }
    doubt(Code::withheld_grade, otherwise->span, rc.index,
          name + " is missing when the score is withheld, and 'otherwise' fits that too: such a record gets this grade",
          "write the bound that is meant, such as '>= 0', or a row 'missing' above it");
  }
}

}  // namespace assay
