// Checker: a value that is compared with numbers of another size than it ever has. If they all lie outside, what computes the
// value is wrong, and not each of them.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/check/words/units.hpp"
#include "lang/check/words/words.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

namespace assay {

// The numbers that a value is compared with, in conditions and in rows.
struct DoubtChecker::Thresholds {
  std::vector<Number> all;
  std::vector<Span> conditions, rows;
};

namespace {

// How often a name is a factor of a product: 1, -2 of x / name ^ 2; empty: the expression is no product, or does not tell.
std::optional<int> power_of(const ast::Expr& e, const std::string& name, int level) {
  constexpr int kMostLevels = 20, kMostPower = 4;
  if (level > kMostLevels) return std::nullopt;
  if (e.kind == ast::ExprKind::number) return 0;
  if (is_path(e)) return e.kind == ast::ExprKind::name && e.text == name ? 1 : 0;
  if (e.kind == ast::ExprKind::call && !e.loop && e.args.size() == 1 && e.text == "round")
    return power_of(*e.args[0], name, level + 1);
  if (e.kind != ast::ExprKind::binary || (e.text != "*" && e.text != "/" && e.text != "^")) return std::nullopt;
  const std::optional<int> left = power_of(*e.args[0], name, level + 1), right = power_of(*e.args[1], name, level + 1);
  if (!left || !right) return std::nullopt;
  if (e.text != "^") return e.text == "*" ? *left + *right : *left - *right;
  const ast::Expr& n = *e.args[1];
  const bool digit = n.kind == ast::ExprKind::number && n.text.size() == 1 && n.text[0] - '0' <= kMostPower;
  if (!digit) return std::nullopt;
  return *left * (n.text[0] - '0');
}

}  // namespace

std::map<std::string, DoubtChecker::Thresholds, std::less<>> DoubtChecker::thresholds(const RubricContext& rc) {
  std::map<std::string, Thresholds, std::less<>> found;  // by the value
  const auto add = [this](const ast::Expr& e, Thresholds& to) {
    Number n;
    if (e.kind != ast::ExprKind::number || e.text.ends_with('%') || !parse_decimal(e.text, n, numbers(), true))
      return false;
    to.all.push_back(n);
    return true;
  };
  for (const ast::Item* item : rc.items) {
    for (const ast::Expr* part : written_parts(*item).exprs) {
      each_expr(budget_, *part, [&](const ast::Expr& e) {
        const bool order = e.kind == ast::ExprKind::binary && !opposite_of(e.text).empty();
        for (const std::size_t side : {0U, 1U}) {
          if (!order || e.args[side]->kind != ast::ExprKind::name || e.args[1 - side]->kind != ast::ExprKind::number)
            continue;
          Thresholds& to = found[e.args[side]->text];
          if (add(*e.args[1 - side], to)) to.conditions.push_back(e.span);
        }
      });
    }
    const auto* bands = std::get_if<ast::Bands>(&item->node);
    if (bands == nullptr || bands->params.size() != 1) continue;
    Thresholds& to = found[bands->params[0].text];
    to.rows.push_back(bands->rows.span);
    for (const std::vector<ast::Cell>& row : bands->rows.rows) {
      if (row.empty()) continue;
      for (const ast::CellPattern& pattern : row[0].patterns) {
        for (const auto& bound : pattern.bounds) add(*bound.expr, to);
        if (!pattern.expr) continue;
        if (pattern.expr->kind == ast::ExprKind::range)
          add(*pattern.expr->args[0], to), add(*pattern.expr->args[1], to);
        else add(*pattern.expr, to);
      }
    }
  }
  return found;
}

// Edits that measure an input of a product in the unit that formulas are in, or count percent where the name says so.
std::vector<Fix> DoubtChecker::in_other_units(const std::string& named, const ast::Expr& e, const Interval& range,
                                              const Number& lowest, const Number& highest) {
  static constexpr std::string_view kBase = "m kg l h euro";
  std::vector<const ast::Expr*> names;
  bool converted = false;  // already, by a number
  each_expr(budget_, e, [&](const ast::Expr& part) {
    if (part.kind == ast::ExprKind::name) names.push_back(&part);
    converted = converted || (part.kind == ast::ExprKind::number && part.text.size() > 1);
  });
  std::vector<Fix> fixes;
  if (converted) return fixes;
  const auto reaches = [&](const Number& factor) {
    return compare(mul(range.high, factor, numbers()), highest) >= 0 &&
           (range.low.missing() || compare(mul(range.low, factor, numbers()), lowest) < 0);
  };
  for (const ast::Expr* name : names) {
    const Unit* unit = unit_of_name(name->text);
    const auto same = [name](const ast::Expr* other) { return other->text == name->text; };
    const std::optional<int> power = power_of(e, name->text, 0);
    if (unit == nullptr || !power || *power == 0 || std::count_if(names.begin(), names.end(), same) != 1) continue;
    for (const Unit* other : units_of(unit->of)) {
      const bool base = has_word(kBase, other->words.substr(0, other->words.find(' ')));
      if (!base || other->size == unit->size) continue;
      const bool less = other->size < unit->size;  // smaller units: more of them
      const std::int64_t factor = less ? unit->size / other->size : other->size / unit->size;
      Number change = whole(1);
      for (int k = 0; k < std::abs(*power); ++k) change = mul(change, whole(factor), numbers());
      if (less != (*power > 0)) change = div(whole(1), change, numbers());
      if (reaches(change))
        fixes.push_back({{name->span, "(" + name->text + (less ? " * " : " / ") + std::to_string(factor) + ")"}});
    }
  }
  const std::string text = source_text(e.span);
  if (has_word("percent percentage pct 100", words_of(named)) && reaches(whole(100)))
    fixes.push_back({{e.span, "100 * " + (is_binary(e, "/") || is_binary(e, "*") ? text : "(" + text + ")")}});
  const bool cents = has_word("cent cents pence", words_of(text)) && !has_word("cent cents pence", words_of(named));
  if (const Number part = div(whole(1), whole(100), numbers()); cents && reaches(part))
    fixes.push_back({{e.span, (is_binary(e, "*") ? text : "(" + text + ")") + " / 100"}});
  return fixes;
}

// let bmi = weight_kg / height_cm ^ 2, with bands from 18.5 on
void DoubtChecker::doubt_computed_ranges(RubricContext& rc) {
  constexpr std::size_t kMostNamed = 4, kMostNumbers = 50;
  const auto all = thresholds(rc);
  for (const ast::Item* item : rc.items) {
    if (!is_own(item->span, rc.index)) continue;
    const auto* let = std::get_if<ast::Let>(&item->node);
    const auto* output = std::get_if<ast::Output>(&item->node);
    const ast::Body* body = let ? &let->body : output ? &output->body : nullptr;
    if (body == nullptr || !body->expr || !body->where.empty()) continue;
    const ast::Expr& e = *body->expr;
    const std::string& name = let ? let->name.text : output->name.text;
    const auto own = rc.by_name.own.find(name);
    const ast::Expr& core = core_of(e);
    const bool root = is_call(core, "sqrt");  // sqrt(height_m * weight_kg / 3600)
    if ((core.kind != ast::ExprKind::binary && !root) || !opposite_of(core.text).empty() || own == rc.by_name.own.end())
      continue;
    const Type& type = types_[model(rc).items[static_cast<std::size_t>(own->second)].type];
    const Interval range = type.range;
    if (type.kind != TypeKind::number || range.high.missing()) continue;
    const auto compared = all.find(name);
    if (compared == all.end() || compared->second.all.size() > kMostNumbers) continue;
    const Thresholds& found = compared->second;
    std::vector<Number> beyond;
    bool inside = false, above = false, below = false;
    const bool from_zero = !range.low.missing() && sign(range.low) == 0;
    for (const Number& n : found.all) {
      const bool end = sign(n) == 0 || compare(n, range.high) == 0 ||
                       (!range.low.missing() && compare(n, range.low) == 0);  // of a row that takes the rest
      if (end) continue;
      const bool over = compare(n, range.high) > 0, under = !range.low.missing() && compare(n, range.low) < 0;
      above = above || over, below = below || under;
      // 90 of what is 0..10 is rather on another scale
      inside = inside || (!over && !under) || (from_zero && !on_scale(n, range, numbers()).empty());
      if (std::none_of(beyond.begin(), beyond.end(), [&n](const Number& b) { return compare(b, n) == 0; }))
        beyond.push_back(n);
    }
    if (inside || above == below || beyond.size() < 2) continue;
    std::sort(beyond.begin(), beyond.end(), [](const Number& a, const Number& b) { return compare(a, b) < 0; });
    std::string listed;
    for (std::size_t i = 0; i < beyond.size() && i < kMostNamed; ++i)
      listed += (i == 0 ? "" : ", ") + shortest_text(beyond[i]);
    if (beyond.size() > kMostNamed) listed += ", …";
    const auto units = in_other_units(name, e, range, beyond.front(), beyond.back());
    // A conversion that is turned round is told there.
    const bool told = std::any_of(state_.noted.doubts.begin(), state_.noted.doubts.end(), [&e](const Doubt& d) {
      return d.span.file == e.span.file && e.span.begin <= d.span.begin && d.span.end <= e.span.end;
    });
    if (!told) {
      doubt(Code::beyond_range, e.span, rc.index,
            "'" + name + "' is always" + range_text(range) +
                " as it is computed here, and all that it is compared with is " + (above ? "larger" : "smaller") +
                ": " + listed,
            units.empty() ? FixIt("look for a factor or a unit that this lacks")
                          : FixIt("bring what it is computed from to the unit that the numbers are in"));
      state_.noted.doubts.back().fixes = units;
    }
    for (const Span& condition : found.conditions) state_.noted.around.told.push_back(condition);
    std::erase_if(state_.noted.doubts, [&found](const Doubt& d) {
      return d.code == Code::unreachable_band &&
             std::any_of(found.rows.begin(), found.rows.end(), [&d](const Span& rows) {
               return rows.file == d.span.file && rows.begin <= d.span.begin && d.span.end <= rows.end;
             });
    });
  }
}

// "Between 400 and 1200 g", and weight in [400, 1200].
void DoubtChecker::doubt_stated_range(const ast::Expr& condition, const ast::Text& prose, int rubric_index) {
  if (condition.kind != ast::ExprKind::binary || (condition.text != "in" && condition.text != "not in")) return;
  const ast::Expr& list = *condition.args[1];
  const std::string words = in_lower_case(prose.plain() ? prose.str() : "");
  const bool range = words.find("between") != words.npos || words.find("within") != words.npos ||
                     words.find("range") != words.npos || words.find(" to ") != words.npos;
  if (list.kind != ast::ExprKind::list || list.args.size() != 2) return;
  // "18 or 21", "Freezes at 0, boils at 100": each is told by itself
  const std::string &low = list.args[0]->text, &high = list.args[1]->text;
  const std::size_t first = words.find(low);
  const std::size_t second = first == words.npos ? words.npos : words.find(high, first + low.size());
  const bool apart =
      !range && second != words.npos &&
      std::any_of(words.begin() + static_cast<std::ptrdiff_t>(first + low.size()),
                  words.begin() + static_cast<std::ptrdiff_t>(second), [](char c) { return c >= 'a' && c <= 'z'; });
  if (apart) {
    std::erase_if(state_.noted.doubts,
                  [&list](const Doubt& d) { return d.code == Code::list_as_range && d.span.begin == list.span.begin; });
    return;
  }
  if (!range) return;
  const std::vector<SaidNumber> said = numbers_said(words, numbers());
  for (const std::size_t i : {0U, 1U}) {
    Number end;
    const bool number =
        list.args[i]->kind == ast::ExprKind::number && parse_decimal(list.args[i]->text, end, numbers(), true);
    if (!number || said.size() != 2 || compare(end, said[i].value) != 0) return;
  }
  const std::vector<Doubt>& doubts = state_.noted.doubts;
  if (std::any_of(doubts.begin(), doubts.end(),
                  [&list](const Doubt& d) { return d.code == Code::list_as_range && d.span.begin == list.span.begin; }))
    return;
  doubt(Code::list_as_range, list.span, rubric_index,
        short_text(condition.args[0]->span) + " is compared with two numbers, and with nothing between them",
        FixIt("write " + list.args[0]->text + ".." + list.args[1]->text + " for everything between them",
              list.args[0]->text + ".." + list.args[1]->text, false));
}

// age in 18..56, or age >= 18 and age <= 56, and "Between 18 and 65 years".
void DoubtChecker::doubt_stated_between(const ast::Expr& condition, const ast::Text& prose, int rubric_index) {
  if (condition.kind != ast::ExprKind::binary || !prose.plain()) return;
  const ast::Expr *low = nullptr, *high = nullptr;
  if (condition.text == "in" && condition.args[1]->kind == ast::ExprKind::range) {
    low = condition.args[1]->args[0].get(), high = condition.args[1]->args[1].get();
  } else if (condition.text == "and") {
    const ast::Expr &a = *condition.args[0], &b = *condition.args[1];
    const bool bounds = a.kind == ast::ExprKind::binary && b.kind == ast::ExprKind::binary && a.text.starts_with('>') &&
                        b.text.starts_with('<') && source_text(a.args[0]->span) == source_text(b.args[0]->span);
    if (bounds) low = a.args[1].get(), high = b.args[1].get();
  }
  Number from, to;
  const auto number = [this](const ast::Expr* e, Number& n) {
    return e != nullptr && e->kind == ast::ExprKind::number && parse_decimal(e->text, n, numbers(), true);
  };
  if (!number(low, from) || !number(high, to)) return;
  const std::vector<std::string> words = words_of(prose.str());
  const std::vector<SaidNumber> said = numbers_said(prose.str(), numbers());
  const auto at = std::find_if(words.begin(), words.end(), [](const auto& w) { return has_word("between from", w); });
  const bool between = at != words.end() && at + 1 != words.end() && !numbers_said(*(at + 1), numbers()).empty() &&
                       !has_word("not no never outside except unless", words);
  if (!between || said.size() != 2 || said[0].percent || said[1].percent) return;
  if (says_clock_time(prose.str()) || compare(said[0].value, said[1].value) >= 0) return;
  // Of whole numbers, 18..65 is also > 17 and < 66.
  const auto says_end = [&](const Number& n, const SaidNumber& is, bool strict) {
    const Number off = abs(sub(n, is.value, numbers()), numbers());
    return sign(off) == 0 || (strict && compare(off, whole(1)) == 0);
  };
  const bool both = condition.text == "and";
  const bool first = says_end(from, said[0], both && condition.args[0]->text == ">");
  const bool second = says_end(to, said[1], both && condition.args[1]->text == "<");
  if (first == second) return;  // both are right, or both are of another unit
  const ast::Expr& wrong = first ? *high : *low;
  const std::string meant = shortest_text(said[first ? 1 : 0].value);
  doubt(Code::contradicts_prose, wrong.span, rubric_index,
        "this condition is " + short_text(condition.span) + ", and " + source_says("its text", prose),
        FixIt("write " + meant, meant, false));
}

// first - second > 10 "The two readers differ by more than 10"
void DoubtChecker::doubt_stated_difference(const ast::Expr& condition, const ast::Text& prose, int rubric_index) {
  if (condition.kind != ast::ExprKind::binary || opposite_of(condition.text).empty() || !prose.plain()) return;
  const ast::Expr& left = *condition.args[0];
  const bool difference = left.kind == ast::ExprKind::binary && left.text == "-" && is_path(*left.args[0]) &&
                          is_path(*left.args[1]) && condition.args[1]->kind == ast::ExprKind::number;
  const std::vector<std::string> words = words_of(prose.str());
  const auto differ = [](const std::string& word) { return has_word("differ differs apart", word); };
  if (!difference || std::none_of(words.begin(), words.end(), differ)) return;
  for (const ast::ExprPtr& side : left.args) {  // the highest minus the lowest is never below 0
    const bool input = rubric(rubric_index).by_name.inputs.count(side->text) > 0 &&
                       let_named(rubric(rubric_index), side->text) == nullptr;
    const bool ordered =
        says(side->text, WordRole::topmost) || says(side->text, WordRole::lowermost) || has_word("max min", words);
    if (!input || ordered) return;
  }
  const std::string meant = "abs(" + source_text(left.span) + ")";
  doubt(Code::contradicts_prose, left.span, rubric_index,
        short_text(left.span) + " is below 0 where the second one is larger, and " + source_says("the text", prose),
        FixIt("write " + meant, meant, false));
}

// input marks: number 0..100 "Out of 10"; input share: number 0..1 "In percent"
void DoubtChecker::doubt_stated_input(const ast::Input& input, int rubric_index) {
  if (!input.kind || !input.kind->high || !input.prose.plain()) return;
  const std::string text = in_lower_case(input.prose.str());
  Number high;
  const ast::Expr& end = *input.kind->high;
  if (end.kind != ast::ExprKind::number || !parse_decimal(end.text, high, numbers(), true)) return;
  const std::size_t out_of = text.starts_with("of ") ? 0 : text.find("out of ");  // "Of the twelve questions"
  const std::vector<SaidNumber> said = numbers_said(text, numbers());
  if (out_of != text.npos && said.size() == 1 && !numbers_said(text.substr(out_of), numbers()).empty() &&
      !said[0].percent && compare(said[0].value, high) != 0 && compare(said[0].value, whole(1)) > 0 &&
      compare(high, whole(1)) != 0) {
    const std::string meant = shortest_text(said[0].value);
    doubt(Code::contradicts_prose, end.span, rubric_index,
          "this goes up to " + end.text + ", and its text says \"" + input.prose.str() + "\"",
          FixIt("write " + meant, meant, false));
  }
  if (compare(high, whole(1)) == 0 && said.empty() && (text.starts_with("in percent") || text.ends_with("in percent")))
    doubt(Code::contradicts_prose, end.span, rubric_index,
          "this is a share of 1, and its text says \"" + input.prose.str() + "\"", FixIt("write 100", "100", false));
}

// Of an input or the score; unknown for anything else.
Interval DoubtChecker::range_of_name(const ast::Expr& e, RubricContext& rc) {
  if (e.kind != ast::ExprKind::name) return {};
  const int item = exprs_.find_value(rc, e.text);
  const bool scored = e.text == "score" && rc.by_name.own.count("score") == 0;
  if (item >= 0 && !scored) return types_[model(rc).items[static_cast<std::size_t>(item)].type].range;
  return scored ? model(rc).scale.range : Interval();
}

}  // namespace assay
