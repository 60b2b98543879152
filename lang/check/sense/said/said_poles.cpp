// See said_checker.hpp. Compares words for the two ends of a thing, and adjectives of a measure, with the order of the numbers
// beside them: "Straight as a ruler" at the lowest level, "hot" below 10 degrees.
#include "lang/check/sense/said/said_checker.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

// level 5 "Crooked from end to end", level 1 "Straight as a ruler". True: the texts are the wrong way round.
bool SaidChecker::doubt_pole_levels(RubricContext& rc, const ast::Dimension& node, bool tell_it) {
  constexpr std::size_t kMost = 20;
  if (node.levels.size() < 2 || node.levels.size() > kMost || !is_own(node.span, rc.index)) return false;
  std::vector<std::pair<Number, const ast::Level*>> all;
  for (const ast::Level& level : node.levels) {
    Number at;
    if (level.number->kind != ast::ExprKind::number || !parse_decimal(level.number->text, at, numbers(), true))
      return false;
    all.emplace_back(at, &level);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return compare(a.first, b.first) < 0; });
  const ast::Text &low = all.front().second->prose, &high = all.back().second->prose;
  const Pole at_low = pole_said(plain_words(low));
  const Pole at_high = at_low.sign > 0 ? pole_said(plain_words(high)) : Pole();
  if (at_high.sign >= 0 || at_low.row != at_high.row || told_at(low.span) != nullptr || told_at(high.span) != nullptr)
    return false;
  if (end_before_levels_ < 0 || says(node.name.text, WordRole::weighty) || sense_of_dimension(node).good < 0 ||
      ranked_low(rc, "score"))
    return false;
  // "How dirty is it?" may count what is bad.
  for (const std::string& word : words_of(node.name.text + " " + plain_words(node.prose))) {
    const Pole asked = pole_said(word);
    if ((asked.row == at_low.row && asked.sign < 0) || sense_of(word).good < 0) return false;
  }
  if (!tell_it) return true;
  Fix fix;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ast::Text &here = all[i].second->prose, &there = all[all.size() - 1 - i].second->prose;
    if (&here != &there) fix.push_back({here.span, source_text(there.span)});
  }
  const bool first = high.span.begin < low.span.begin;
  tell(rc, Code::worst_first, first ? high.span : low.span,
       first ? source_text(high.span) + " stands above " + source_text(low.span) + " here, which is better"
             : source_text(low.span) + " stands below " + source_text(high.span) + " here, which is worse",
       "exchange the texts: the last one first", {std::move(fix)});
  return true;
}

void SaidChecker::doubt_all_levels(RubricContext& rc) {
  std::vector<const DimensionItems*> all;
  each_dimension(rc.dimensions.all, all);
  std::vector<const ast::Dimension*> turned;
  std::size_t with_levels = 0;
  for (const DimensionItems* d : all) {
    with_levels += d->node->levels.size() > 1 ? 1 : 0;
    if (doubt_pole_levels(rc, *d->node, false)) turned.push_back(d->node);
  }
  if (turned.size() > 1 && turned.size() == with_levels) return;  // low is good here
  for (const ast::Dimension* node : turned) doubt_pole_levels(rc, *node, true);
}

// Whether a column holds points of which many are good: by its name, or as all of a dimension.
bool SaidChecker::gives_marks(RubricContext& rc, const ast::Table& table, std::size_t column) {
  const std::string& name = table.rows.columns[column].text;
  if (says(table.name.text, WordRole::weighty) || sense_of(table.name.text).good < 0 || end_ < 0 || of_school(rc) ||
      sense_of(name).good < 0 || says(name, WordRole::weighty))
    return false;
  bool marks = false, taken = false;
  const auto looked_up = [&](const ast::Expr& e) {
    const ast::Expr& of = core_of(e);
    const ast::Expr& call = of.kind == ast::ExprKind::field ? *of.args[0] : of;
    const bool here = call.kind == ast::ExprKind::call && call.text == table.name.text;
    return here && (&call == &of ? table.rows.columns.size() == 2 : of.text == name);
  };
  std::vector<const DimensionItems*> all;
  each_dimension(rc.dimensions.all, all);
  for (const DimensionItems* d : all) {
    const bool bad = sense_of_dimension(*d->node).good < 0 || says(d->node->name.text, WordRole::weighty);
    if (d->node->body.expr && !bad && looked_up(*d->node->body.expr)) marks = true;
  }
  for (const ast::Item* item : rc.items) {
    const auto* amount = std::get_if<ast::Adjustment>(&item->node);
    if (amount == nullptr || !amount->body.expr) continue;
    each_expr(budget_, *amount->body.expr, [&](const ast::Expr& e) { taken = taken || looked_up(e); });
  }
  return marks && !taken;
}

namespace {

// The text or the number of a cell that is nothing else; null: it is another one.
const ast::Expr* plain_value(const std::vector<ast::Cell>& row, std::size_t column) {
  const bool plain = column < row.size() && row[column].patterns.size() == 1 && row[column].patterns[0].bounds.empty();
  return plain ? row[column].patterns[0].expr.get() : nullptr;
}

}  // namespace

// | "green" | 10 | "Dying" |, above | "brown" | 0 | "Healthy" |
void SaidChecker::doubt_pole_rows(RubricContext& rc, const ast::Table& table) {
  const ast::Rows& rows = table.rows;
  constexpr std::size_t kMostColumns = 12, kMostRows = 50;
  if (table.params.size() != 1 || rows.rows.size() < 2 || rows.rows.size() > kMostRows ||
      rows.columns.size() > kMostColumns)
    return;
  for (std::size_t points = 1; points < rows.columns.size(); ++points) {
    const std::vector<Number> values = column_of(rc, rows, points);
    if (values.empty()) continue;
    const auto below = [](const Number& a, const Number& b) { return compare(a, b) < 0; };
    const auto low = static_cast<std::size_t>(std::min_element(values.begin(), values.end(), below) - values.begin());
    const auto high = static_cast<std::size_t>(std::max_element(values.begin(), values.end(), below) - values.begin());
    for (std::size_t column = 0; column < rows.columns.size(); ++column) {
      const ast::Expr *worst = plain_value(rows.rows[low], column), *best = plain_value(rows.rows[high], column);
      const bool texts = worst != nullptr && best != nullptr && worst->kind == ast::ExprKind::text &&
                         best->kind == ast::ExprKind::text;
      if (!texts || told_at(best->span) != nullptr || told_at(worst->span) != nullptr) continue;
      const Pole at_low = pole_said(plain_words(worst->literal)), at_high = pole_said(plain_words(best->literal));
      if (at_low.sign <= 0 || at_high.sign >= 0 || at_low.row != at_high.row || !gives_marks(rc, table, points))
        continue;
      const bool key = column == 0;
      const Span first = key ? plain_value(rows.rows[high], points)->span : best->span,
                 second = key ? plain_value(rows.rows[low], points)->span : worst->span;
      return tell(rc, Code::worst_first, first,
                  source_text(best->span) + " has the highest '" + rows.columns[points].text + "' here, and " +
                      source_text(worst->span) + " the lowest",
                  "exchange the two", {{{first, source_text(second)}, {second, source_text(first)}}});
    }
  }
}

// Whether a name is one for classes of a value: not 'drink' of celsius, which may well be cold where it is warm.
bool SaidChecker::classifies(std::string_view name, std::string_view key) {
  const std::vector<std::string> own = words_of(name), of = words_of(key);
  return says(name, WordRole::plain) ||
         has_word("climate weather temperature pace speed tempo age size label group", own) ||
         std::any_of(own.begin(), own.end(),
                     [&of](const std::string& word) { return std::find(of.begin(), of.end(), word) != of.end(); });
}

// A label, and how high the values are that it is for.
struct SaidChecker::Step {
  const ast::Expr* label;
  Number at;
};

// | > 30 | "cold" |, above | < 10 | "hot" |
void SaidChecker::doubt_measured_steps(RubricContext& rc, std::string_view key, std::vector<Step> steps) {
  if (steps.size() < 2 || says(key, WordRole::turns)) return;
  std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return compare(a.at, b.at) < 0; });
  const auto way = [key](const Step& step) {
    std::vector<std::string> words = words_of(plain_words(step.label->literal));
    while (words.size() > 1 && has_word("too very rather quite fairly", words[0])) words.erase(words.begin());
    return words.size() == 1 ? way_said(words[0], key, true) : 0;
  };
  const Step &low = steps.front(), &high = steps.back();
  if (way(low) <= 0 || way(high) >= 0 || told_at(low.label->span) != nullptr || told_at(high.label->span) != nullptr)
    return;
  Fix fix;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const ast::Expr *here = steps[i].label, *there = steps[steps.size() - 1 - i].label;
    if (here != there) fix.push_back({here->span, source_text(there->span)});
  }
  tell(rc, Code::worst_first, low.label->span.begin < high.label->span.begin ? low.label->span : high.label->span,
       "the highest '" + std::string(key) + "' is " + source_text(high.label->span) + " here, and the lowest " +
           source_text(low.label->span),
       "exchange the texts: the last one first", {std::move(fix)});
}

void SaidChecker::doubt_measured_rows(RubricContext& rc, std::string_view name, std::string_view key,
                                      const ast::Rows& rows) {
  constexpr std::size_t kMost = 20;
  if (rows.columns.size() < 2 || rows.rows.size() > kMost || !classifies(name, key)) return;
  for (std::size_t column = 1; column < rows.columns.size(); ++column) {
    std::vector<Step> steps;
    const ast::Expr* rest = nullptr;  // the label of all others
    bool up = false, down = false;
    for (const std::vector<ast::Cell>& row : rows.rows) {
      const ast::Expr* label = plain_value(row, column);
      if (label == nullptr || label->kind != ast::ExprKind::text || row[0].patterns.size() != 1) return;
      const ast::CellPattern& pattern = row[0].patterns[0];
      if (pattern.tag == ast::CellPattern::Tag::otherwise) {
        rest = label;
        continue;
      }
      const ast::Expr* at = pattern.bounds.size() == 1 ? pattern.bounds[0].expr.get() : pattern.expr.get();
      if (at != nullptr && at->kind == ast::ExprKind::range) at = at->args[0].get();
      const Interval here = at != nullptr ? slope_.range(rc, *at) : Interval();
      if (!finite(here)) return;
      if (pattern.bounds.size() == 1) {
        const ast::Bound bound = pattern.bounds[0].bound;
        (bound == ast::Bound::greater || bound == ast::Bound::greater_equal ? up : down) = true;
      }
      steps.push_back({label, here.low});
    }
    if (steps.empty() || (up && down)) continue;
    if (rest != nullptr && up != down) {
      const auto below = [](const Step& a, const Step& b) { return compare(a.at, b.at) < 0; };
      const Number end = up ? std::min_element(steps.begin(), steps.end(), below)->at
                            : std::max_element(steps.begin(), steps.end(), below)->at;
      steps.push_back({rest, add(end, whole(up ? -1 : 1), numbers())});
    } else if (rest != nullptr) {
      continue;
    }
    doubt_measured_steps(rc, key, std::move(steps));
  }
}

// "cold" when celsius > 25 else "hot"
void SaidChecker::doubt_measured_choice(RubricContext& rc, const Named& value) {
  std::vector<Step> steps;
  const ast::Expr* key = nullptr;
  std::string signs;
  const ast::Expr* e = &core_of(*value.e);
  for (; e->kind == ast::ExprKind::choice && e->args.size() == 3 && e->args[2]; e = e->args[2].get()) {
    const ast::Expr& asked = *e->args[1];
    const bool order =
        is_binary(asked, "<") || is_binary(asked, "<=") || is_binary(asked, ">") || is_binary(asked, ">=");
    const Interval at = order ? slope_.range(rc, *asked.args[1]) : Interval();
    if (!finite(at) || asked.args[1]->kind != ast::ExprKind::number || !is_path(*asked.args[0]) ||
        e->args[0]->kind != ast::ExprKind::text ||
        (key != nullptr && source_text(key->span) != source_text(asked.args[0]->span)))
      return;
    key = asked.args[0].get();
    signs += asked.text[0];
    steps.push_back({e->args[0].get(), at.low});
  }
  const bool up = signs.find_first_not_of('>') == signs.npos, down = signs.find_first_not_of('<') == signs.npos;
  if (key == nullptr || up == down || e->kind != ast::ExprKind::text || !classifies(value.name, key->text)) return;
  steps.push_back({e, add(steps.back().at, whole(up ? -1 : 1), numbers())});
  doubt_measured_steps(rc, key->text, std::move(steps));
}

}  // namespace assay
