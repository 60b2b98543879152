// See sense_checker.hpp. Compares amounts and required counts with the prose, and finds numbers in a table that break
// its trend.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/check/words/units.hpp"
#include "lang/number/number.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>

namespace assay {

namespace {

template <std::size_t N>
bool has_one_of(const std::vector<std::string>& words, const std::string_view (&set)[N]) {
  return std::any_of(words.begin(), words.end(), [&set](const std::string& word) {
    return std::find(std::begin(set), std::end(set), word) != std::end(set);
  });
}

constexpr std::string_view kEach[] = {"a", "an", "per", "each", "every", "for"};

// The points that a text gives before it says what for: "10 points per day late", "three points for two mistakes".
struct SaidPoints {
  Number points;
  Number count = whole(1);  // of what they are for
  std::string noun;         // what they are for; empty: it does not say
};

std::optional<SaidPoints> points_said(std::string_view prose, NumberPool& pool) {
  static constexpr std::string_view kPoints[] = {"point", "points", "pt", "pts"};
  const std::vector<std::string> words = words_of(prose);
  const std::vector<SaidNumber> said = numbers_said(prose, pool);
  const auto of = [&](Number points, std::size_t at) {  // the place of "points"
    SaidPoints all{points, whole(1), {}};
    std::size_t i = at + 1;
    while (i < words.size() && has_one_of({words[i]}, kEach)) ++i;
    if (i == at + 1 || i >= words.size()) return all;
    const std::vector<SaidNumber> count = numbers_said(words[i], pool);
    if (count.size() == 1 && !count[0].percent && sign(count[0].value) > 0) all.count = count[0].value, ++i;
    if (i < words.size()) all.noun = words[i];
    return all;
  };
  if (words.size() > 2 && words[1] == "a" && words[0] == "half" && words[2] == "point")
    return of(div(whole(1), whole(2), pool), 2);
  if (words.size() > 4 && words[0] == "a" && words[1] == "quarter" && words[2] == "of" && words[4] == "point")
    return of(div(whole(1), whole(4), pool), 4);
  if (words.size() > 2 && words[0] == "a" && words[1] == "point" && has_one_of({words[2]}, kEach) && said.empty())
    return of(whole(1), 1);
  if (said.empty() || said[0].percent || words.size() < 2 || numbers_said(words[0], pool).empty()) return {};
  // "0.5 points" has three words
  for (std::size_t i = 1; i < words.size() && i < 3; ++i) {
    const bool each = i + 1 < words.size() && has_one_of({words[i + 1]}, kEach);  // "1 point per day, at most 10"
    if (has_one_of({words[i]}, kPoints) && (each || said.size() == 1)) return of(said[0].value, i);
  }
  return {};
}

// The unit of what is counted, in that of the text: 7 for a week beside "a day". Missing: they are not converted.
Number units_in(std::string_view own, const std::string& said, NumberPool& pool) {
  const std::string_view named = unit_in_name(own), unit = unit_named(said);
  if (named == unit) return whole(1);
  const Unit *from = unit_of_name(own), *to = unit_of(said);
  const bool known =
      from != nullptr && to != nullptr && from->of == to->of && from->words == named && to->words == unit;
  return known ? div(whole(from->size), whole(to->size), pool) : kMissing;
}

// The number that an amount has once for each of something, up to a limit, or under a condition.
const ast::Expr* factor_of(const ast::Expr& e) {
  if (e.kind == ast::ExprKind::call && (e.text == "min" || e.text == "clamp") && !e.loop && e.args.size() == 2) {
    const ast::Expr* first = factor_of(*e.args[0]);
    return first != nullptr ? first : factor_of(*e.args[1]);
  }
  const bool product = e.kind == ast::ExprKind::binary && e.text == "*";
  const bool constant = e.kind == ast::ExprKind::choice && (e.args.size() < 3 || !e.args[2]);
  if (!product && !constant) return nullptr;
  const bool first = e.args[0]->kind == ast::ExprKind::number;
  const bool second = product && e.args[1]->kind == ast::ExprKind::number;
  return first == second ? nullptr : e.args[first ? 0 : 1].get();
}

// "Half a point for each, up to 5 points": the most points that a text gives.
std::optional<Number> most_points_said(std::string_view prose, NumberPool& pool) {
  static constexpr std::string_view kBefore[] = {"up to", "at most", "no more than", "not more than", "a maximum of"};
  const std::string text = in_lower_case(prose);
  std::optional<Number> found;
  for (const std::string_view before : kBefore) {
    const std::size_t at = text.find(before);
    if (at == text.npos) continue;
    const auto said = numbers_with_words(std::string_view(text).substr(at + before.size()), pool);
    const std::vector<std::string> behind = words_of(std::string_view(text).substr(at + before.size()));
    const bool next = !behind.empty() && !numbers_said(behind[0], pool).empty();
    if (said.empty() || !next || !has_word("point points pt pts", said[0].second)) continue;
    if (found) return std::nullopt;
    found = said[0].first.value;
  }
  return found;
}

// The limit of min(…, 10) and clamp(…, 0..10), also under a condition without which there is nothing.
const ast::Expr* limit_of(const ast::Expr& e) {
  const bool nothing_else =
      e.kind == ast::ExprKind::choice && (e.args.size() < 3 || !e.args[2] || e.args[2]->text == "0");
  if (nothing_else && e.args[0]->kind == ast::ExprKind::call) return limit_of(*e.args[0]);
  if (e.kind != ast::ExprKind::call || e.loop || e.args.size() != 2) return nullptr;
  const ast::Expr* limit = nullptr;
  if (e.text == "clamp" && e.args[1]->kind == ast::ExprKind::range) limit = e.args[1]->args[1].get();
  if (e.text == "min") limit = e.args[e.args[0]->kind == ast::ExprKind::number ? 0 : 1].get();
  return limit != nullptr && limit->kind == ast::ExprKind::number ? limit : nullptr;
}

}  // namespace

void SenseChecker::doubt_number(RubricContext& rc, const ast::Expr& e, const Number& said, bool percent,
                                const ast::Text& prose) {
  const Interval here = slope_.range(rc, e);
  if (!finite(here) || compare(here.low, percent ? div(said, whole(100), numbers()) : said) == 0) return;
  doubt(Code::amount_against_prose, e.span, rc.index,
        "this is " + short_text(e.span) + ", and its text says \"" + prose.str() + "\"", "bring the two into line");
  if (is_own(e.span, rc.index))
    state_.noted.doubts.back().fixes = {{{e.span, shortest_text(said) + (percent ? "%" : "")}}};
}

// deduction late = 5 * days_late "10 points per day late"; cap deductions at 20 "At most 10 points are taken"
void SenseChecker::doubt_amounts(RubricContext& rc, const ast::Item& item) {
  if (const auto* amount = std::get_if<ast::Adjustment>(&item.node)) {
    const ast::Expr* limit = amount->body.expr ? limit_of(*amount->body.expr) : nullptr;
    if (const auto most = limit ? most_points_said(plain_words(amount->prose), numbers()) : std::nullopt; most)
      doubt_number(rc, *limit, *most, false, amount->prose);
    const ast::Expr* factor = amount->body.expr ? factor_of(*amount->body.expr) : nullptr;
    if (factor == nullptr || !amount->prose.plain()) return;
    const auto said = points_said(amount->prose.str(), numbers());
    if (!said) return;
    if (amount->body.expr->kind == ast::ExprKind::call) {  // "30 points at most" is about the limit
      if (!has_one_of(words_of(amount->prose.str()), kEach)) return;
    }
    // "A point a day", of weeks; "3 points for 2 mistakes"
    Number units = whole(1);
    each_expr(budget_, *amount->body.expr, [&](const ast::Expr& e) {
      const std::size_t side = is_binary(e, "*") && e.args[0].get() == factor ? 1 : 0;
      if (is_binary(e, "*") && e.args[1 - side].get() == factor && is_path(*e.args[side]))
        units = units_in(e.args[side]->text, said->noun, numbers());
    });
    const Interval here = slope_.range(rc, *factor);
    if (units.missing() || (finite(here) && compare(here.low, said->points) == 0)) return;
    const Number each = mul(div(said->points, said->count, numbers()), units, numbers());
    doubt_number(rc, *factor, each, false, amount->prose);
  } else if (const auto* cap = std::get_if<ast::Cap>(&item.node)) {
    static constexpr std::string_view kPoints[] = {"point", "points"};
    if (!cap->at || cap->at->kind != ast::ExprKind::number || !cap->prose.plain()) return;
    if (cap->when && source_text(cap->when->span).find("point") != std::string::npos) return;
    const std::optional<SaidBound> said = bound_said(cap->prose.str(), numbers());
    if (said && said->op == "<=" && !said->number.percent && has_one_of(words_of(cap->prose.str()), kPoints))
      doubt_number(rc, *cap->at, said->number.value, false, cap->prose);
  }
}

// dimension novelty weight 25% "Counts for 40% of the score"
void SenseChecker::doubt_weight(RubricContext& rc, const ast::Dimension& node) {
  static constexpr std::string_view kTotals[] = {"score", "grade", "mark", "total", "result", "weight"};
  static constexpr std::string_view kCounts[] = {"counts", "weighs", "weight", "worth"};
  if (!node.weight || node.weight->kind != ast::ExprKind::number || !node.weight->text.ends_with('%') ||
      !node.prose.plain())
    return;
  const std::vector<std::string> words = words_of(node.prose.str());
  const std::vector<SaidNumber> said = numbers_said(node.prose.str(), numbers());
  // "50% of the mark"
  const bool of_total = words.size() == 4 && words[1] == "of" && words[2] == "the" && has_one_of({words[3]}, kTotals);
  if (said.size() != 1 || !said[0].percent || words.empty() || (!has_one_of({words[0]}, kCounts) && !of_total)) return;
  if (words.size() > 3 && !has_one_of(words, kTotals)) return;
  doubt_number(rc, *node.weight, said[0].value, true, node.prose);
}

// dimension piece weight 30% "It counts twice as much as the scales", beside dimension scales weight 60%
void SenseChecker::doubt_weight_of(RubricContext& rc, const ast::Dimension& node) {
  const auto percent = [](const ast::Dimension& d) {
    return d.weight && d.weight->kind == ast::ExprKind::number && d.weight->text.ends_with('%');
  };
  if (!percent(node)) return;
  const std::vector<std::string> words = words_of(plain_words(node.prose));
  const auto is = [&words](std::size_t i, std::string_view list) {
    return i < words.size() && has_word(list, words[i]);
  };
  for (std::size_t i = 0; i + 4 < words.size(); ++i) {
    const bool times = is(i + 1, "times");
    const std::size_t as = times ? i + 2 : i + 1;
    const std::optional<int> said = number_said(words[i]);
    const bool known = times ? said && *said > 1 : is(i, "twice double half");
    if (!known || !is(as, "as") || !is(as + 1, "much many heavily") || !is(as + 2, "as")) continue;
    const Number factor = times ? whole(*said) : words[i] == "half" ? div(whole(1), whole(2), numbers()) : whole(2);
    for (const DimensionItems& d : rc.dimensions.all) {
      const ast::Dimension& other = *d.node;
      const std::string& name = other.name.text;
      const auto named = [&name](const std::string& word) {
        return word == name || word + "s" == name || word == name + "s";
      };
      if (&other == &node || !percent(other) ||
          !std::any_of(words.begin() + static_cast<std::ptrdiff_t>(as), words.end(), named))
        continue;
      const Number mine = slope_.range(rc, *node.weight).low, theirs = slope_.range(rc, *other.weight).low;
      const Number meant = mul(theirs, factor, numbers());
      if (compare(mine, meant) == 0) return;
      Fix fix = {{node.weight->span, shortest_text(mul(meant, whole(100), numbers())) + "%"}};
      if (compare(mul(mine, factor, numbers()), theirs) == 0)
        fix = {{node.weight->span, other.weight->text}, {other.weight->span, node.weight->text}};
      return tell(rc, Code::amount_against_prose, node.weight->span,
                  "'" + node.name.text + "' weighs " + node.weight->text + " and '" + name + "' " + other.weight->text +
                      ", and the text says \"" + node.prose.str() + '"',
                  "bring the two into line", {std::move(fix)});
    }
  }
}

// | 24 | "within 4 hours" |, where the text of all other rows says their number
void SenseChecker::doubt_said_in_rows(RubricContext& rc, const ast::Rows& rows, std::size_t keys) {
  struct Said {
    const ast::Expr *number, *text;
    Number value, stated;
    bool bound;  // the text says the same bound, or another one
    bool converted;
  };
  const auto number_in = [](const ast::Cell& cell, std::string_view& op) -> const ast::Expr* {
    static constexpr std::string_view kSigns[] = {"<", "<=", ">", ">="};
    if (cell.patterns.size() != 1) return nullptr;
    const ast::CellPattern& p = cell.patterns[0];
    if (p.bounds.size() > 1 || (p.bounds.empty() && !p.expr)) return nullptr;
    if (!p.bounds.empty()) op = kSigns[static_cast<std::size_t>(p.bounds[0].bound)];
    const ast::Expr* e = p.bounds.empty() ? p.expr.get() : p.bounds[0].expr.get();
    return e->kind == ast::ExprKind::number && !e->text.ends_with('%') ? e : nullptr;
  };
  constexpr std::size_t kMostColumns = 12;
  if (rows.columns.size() > kMostColumns) return;
  for (std::size_t from = 0; from < rows.columns.size(); ++from) {
    for (std::size_t to = keys; to < rows.columns.size(); ++to) {
      std::vector<Said> all;
      for (const std::vector<ast::Cell>& row : rows.rows) {
        const ast::Expr& text = *row[to].patterns[0].expr;
        if (text.kind != ast::ExprKind::text || !text.literal.plain()) continue;
        std::string_view op;
        const ast::Expr* number = number_in(row[from], op);
        std::vector<SaidNumber> said = numbers_said(text.literal.str(), numbers());
        Number n;
        // "half a minute", of seconds
        const Unit* unit = unit_of_name(rows.columns[from].text);
        const std::optional<SaidMeasure> measure =
            unit != nullptr ? measure_said(text.literal.str(), numbers()) : std::nullopt;
        const bool converted = measure && measure->unit->of == unit->of && unit->of != Quantity::data &&
                               said.size() < 2 && !has_word("and", words_of(text.literal.str()));
        if (converted)
          said = {{div(mul(measure->value, whole(measure->unit->size), numbers()), whole(unit->size), numbers())}};
        // "40 to 59" begins where >= 40 does
        const auto behind = numbers_with_words(text.literal.str(), numbers());
        const bool range =
            said.size() == 2 && (behind[0].second == "to" || !numbers_said(behind[0].second, numbers()).empty());
        const std::size_t which = said.size() == 2 && op.starts_with('<') ? 1 : 0;
        if (number == nullptr || said.empty() || said.size() > (range && !op.empty() ? 2U : 1U) ||
            said[which].percent || !parse_decimal(number->text, n, numbers(), true))
          continue;
        const std::vector<std::string> words = words_of(text.literal.str());
        const BoundWords* bound = bound_words(BoundWords::cells, BoundWords::before, [&words](std::size_t k) {
          return k < words.size() ? std::string_view(words[k]) : std::string_view();
        });
        if (bound != nullptr && !op.empty() && bound->op.front() != op.front())
          continue;  // "below 40", of the last row
        all.push_back({number, &text, n, said[which].value,
                       from >= keys || said.size() == 2 || (bound != nullptr && bound->op == op), converted});
      }
      // "two hours and a half", "2 rounds", beside rows whose texts say a time
      if (std::any_of(all.begin(), all.end(), [](const Said& s) { return s.converted; }))
        std::erase_if(all, [](const Said& s) { return !s.converted; });
      const auto agrees = [](const Said& s) { return compare(s.value, s.stated) == 0; };
      const auto odd = std::find_if_not(all.begin(), all.end(), agrees);
      if (odd == all.end() || all.size() < 3 || !odd->bound ||
          std::count_if(all.begin(), all.end(), agrees) + 1 != static_cast<std::ptrdiff_t>(all.size()))
        continue;
      std::string text = source_text(odd->text->span);
      const std::string digits = shortest_text(odd->stated);
      std::vector<Fix> fixes = {{{odd->number->span, digits}}};
      if (const std::size_t at = text.find(digits); at != text.npos) {
        text.replace(at, digits.size(), shortest_text(odd->value));
        fixes.insert(from >= keys ? fixes.begin() : fixes.end(), {{odd->text->span, text}});
      }
      return tell(rc, Code::amount_against_prose, (from >= keys ? odd->text : odd->number)->span,
                  "this row has " + odd->number->text + ", and its text says \"" + odd->text->literal.str() +
                      "\"; in all other rows the two agree",
                  "bring the two into line", std::move(fixes));
    }
  }
}

// dimension style weight 0%, where no request can change it; context strict { weight style 30% }, which it has anyway
void SenseChecker::doubt_idle_weights(RubricContext& rc) {
  const auto number = [](const ast::ExprPtr& e) { return e && e->kind == ast::ExprKind::number; };
  const bool fixed = std::none_of(rc.items.begin(), rc.items.end(), [](const ast::Item* item) {
    return std::holds_alternative<ast::Weights>(item->node);
  });
  std::map<std::string_view, Number> weights;
  for (const DimensionItems& d : rc.dimensions.all) {
    const ast::Dimension& node = *d.node;
    if (!number(node.weight)) continue;
    const Number weight = slope_.range(rc, *node.weight).low;
    weights.emplace(node.name.text, weight);
    if (!fixed || weight.missing() || sign(weight) != 0) continue;
    std::string_view file = sources_.file(node.weight->span.file).text;
    const std::size_t word = file.rfind("weight", node.weight->span.begin);
    const Span clause{node.weight->span.file, static_cast<std::uint32_t>(word), node.weight->span.end};
    tell(rc, Code::idle_weight, node.weight->span, "'" + node.name.text + "' has no weight, so it never counts",
         "write 'advisory' if it is only shown", {{{clause, "advisory"}}});
  }
  for (const ast::Item* item : rc.items) {
    const auto* context = std::get_if<ast::Context>(&item->node);
    if (!context || context->weights.empty()) continue;
    const std::vector<std::string> words = words_of(context->name.text);
    if (has_word("default normal standard usual base regular general", words)) continue;
    const bool same = std::all_of(context->weights.begin(), context->weights.end(), [&](const ast::ContextWeight& w) {
      const auto at = weights.find(w.name.text);
      const Number n = number(w.weight) ? slope_.range(rc, *w.weight).low : kMissing;
      return at != weights.end() && !n.missing() && !at->second.missing() && compare(n, at->second) == 0;
    });
    if (same)
      tell(rc, Code::idle_weight, context->name.span,
           "the context '" + context->name.text + "' changes nothing: its weights are those of the rubric",
           "write the weights that it is for, or leave it out", {});
  }
}

// deduction long = max(0, limit - words) "A point for each word above the limit"
void SenseChecker::doubt_excess(RubricContext& rc) {
  for (const Named& value : named_) {
    const std::vector<std::string> words = words_of(value.said);
    for (std::size_t i = 0; i + 2 < words.size(); ++i) {
      const bool above = has_word("above over beyond exceeding", words[i]), below = has_word("below under", words[i]);
      if (above == below || words[i + 1] != "the") continue;
      const std::string& of = words[i + 2];
      each_expr(budget_, *value.e, [&](const ast::Expr& e) {
        if (e.kind != ast::ExprKind::binary || e.text != "-" || !is_path(*e.args[0]) || !is_path(*e.args[1])) return;
        const auto named = [&of](const ast::Expr& side) {
          const std::vector<std::string> parts = words_of(side.text);
          return std::find(parts.begin(), parts.end(), of) != parts.end();
        };
        const bool left = named(*e.args[0]), right = named(*e.args[1]);
        if (left == right || left != above) return;
        const std::string first = source_text(e.args[0]->span), last = source_text(e.args[1]->span);
        tell(rc, Code::against_name, e.span,
             "this is how far '" + last + "' is below '" + first + "', and the text says \"" + words[i] + " the " + of +
                 '"',
             "write " + last + " - " + first, {{{e.args[0]->span, last}, {e.args[1]->span, first}}});
      });
    }
  }
}

// points 30 = clamp(minutes / 10, 0..20), where all other dimensions reach their points
void SenseChecker::doubt_short_points(RubricContext& rc) {
  const RubricModel& m = model(rc);
  const ast::Expr* limit = nullptr;
  Number most, total = whole(0);
  std::size_t full = 0;
  for (const DimensionItems& d : rc.dimensions.all) {
    if (d.node->advisory) continue;
    if (d.weight < 0 || !d.node->body.expr || d.value < 0) return;
    const Interval& range = types_[m.items[static_cast<std::size_t>(d.value)].type].range;
    const Number points = m.weighting.weights[static_cast<std::size_t>(d.weight)].value;
    if (range.high.missing() || points.missing()) return;
    total = add(total, points, numbers());
    if (compare(range.high, points) == 0) {
      ++full;
      continue;
    }
    const ast::Expr& e = *d.node->body.expr;
    // Half of the points or less is told elsewhere.
    if (limit != nullptr || compare(range.high, points) > 0 ||
        compare(mul(range.high, whole(2), numbers()), points) <= 0 || e.kind != ast::ExprKind::call ||
        e.text != "clamp")
      return;
    limit = limit_of(e), most = points;
    if (limit == nullptr || !d.node->body.where.empty()) return;
  }
  if (limit == nullptr || full < 2 || m.scale.range.high.missing() || compare(total, m.scale.range.high) != 0) return;
  const std::string all = shortest_text(most);
  tell(rc, Code::unreached_points, limit->span,
       "this dimension has " + all + " points, and its value is at most " + limit->text +
           "; all others reach their points",
       "write " + all, {{{limit->span, all}}});
}

// let net = price * 15% "With 15% off"
void SenseChecker::doubt_reductions(RubricContext& rc) {
  for (const Named& value : named_) {
    if (says(value.name, WordRole::reduces)) continue;
    for (const auto& [said, behind] : numbers_with_words(value.said, numbers())) {
      if (!said.percent || !has_word("off cheaper less", behind) || compare(said.value, whole(100)) >= 0) continue;
      const ast::Expr* e = &core_of(*value.e);
      for (; e->kind == ast::ExprKind::choice; e = e->args[2].get()) {
        if (e->args[0]->kind == ast::ExprKind::binary || e->args.size() < 3 || !e->args[2]) {
          e = e->args[0].get();
          break;
        }
      }
      const ast::Expr* share = e->kind == ast::ExprKind::binary && e->text == "*" ? e->args[1].get() : nullptr;
      if (share == nullptr || share->kind != ast::ExprKind::number) continue;
      const Number n = slope_.range(rc, *share).low;
      if (compare(mul(n, whole(100), numbers()), said.value) != 0) continue;
      const std::string meant = shortest_text(sub(whole(100), said.value, numbers())) + "%";
      return tell(rc, Code::amount_against_prose, share->span,
                  "this leaves " + share->text + " of " + short_text(e->args[0]->span) + ", and the text says '" +
                      shortest_text(said.value) + "% " + behind + "'",
                  "write " + meant, {{{share->span, meant}}});
    }
  }
}

// let tax = price * 19 "19% of the price"
void SenseChecker::doubt_hundredfold(RubricContext& rc, const Named& value) {
  const auto said = numbers_with_words(value.prose, numbers());
  if ((value.kind != "value" && value.kind != "output") || said.size() != 1 || !said[0].first.percent ||
      !is_binary(core_of(*value.e), "*"))
    return;
  const ast::Expr& e = core_of(*value.e);
  const bool first = e.args[0]->kind == ast::ExprKind::number;
  const ast::Expr &literal = *e.args[first ? 0 : 1], &of = *e.args[first ? 1 : 0];
  if (literal.kind != ast::ExprKind::number || literal.text.ends_with('%') || !is_path(of)) return;
  const std::vector<std::string> words = words_of(value.prose), own = words_of(of.text);
  const bool named = std::any_of(words.begin(), words.end(), [&own](const std::string& word) {
    return std::find(own.begin(), own.end(), word) != own.end();
  });
  const bool part = has_word("of off", words) && named && !is_share(rc, of, 0);
  if (!part || compare(slope_.range(rc, literal).low, said[0].first.value) != 0) return;
  tell(rc, Code::amount_against_prose, literal.span,
       "this is " + literal.text + " times '" + of.text + "', and the text says \"" + value.prose + '"',
       "write " + literal.text + "%", {{{literal.span, literal.text + "%"}}});
}

// gate checks = any(c for c in checks) "All checks must pass"; gate known = passport and card "Either a passport or a
// card"
void SenseChecker::doubt_how_many(RubricContext& rc, const ast::Expr& e, const ast::Text& prose, bool passes) {
  static constexpr std::string_view kAgainst[] = {
      "not",     "no",     "none",   "never", "neither", "nor",      "without",  "unless",
      "except",  "if",     "when",   "below", "under",   "less",     "fewer",    "above",
      "over",    "more",   "fail",   "fails", "failed",  "failing",  "lack",     "lacks",
      "missing", "misses", "absent", "out",   "reject",  "rejected", "excluded", "disqualified"};
  static constexpr std::string_view kOne[] = {"any", "one", "some", "either", "or"};
  const std::vector<std::string> words = words_of(plain_words(prose));
  if (words.size() < 2) return;
  // gate clean_air = not smoker or pets "Neither smoke nor animals"
  const bool neither = words[0] == "neither" || (words[0] == "no" && has_one_of(words, kOne));
  if (passes && neither && e.kind == ast::ExprKind::binary && e.text == "or" &&
      e.args[0]->kind == ast::ExprKind::unary && e.args[0]->text == "not" && e.args[1]->kind != ast::ExprKind::unary) {
    const std::string rest = source_text({e.span.file, e.args[0]->args[0]->span.begin, e.span.end});
    return tell(rc, Code::contradicts_prose, e.span,
                "'not' is about " + short_text(e.args[0]->args[0]->span) + " alone here, and the text says \"" +
                    prose.str() + '"',
                "write not (" + rest + ")", {{{e.span, "not (" + rest + ")"}}});
  }
  // gate calm = not (fire_alarm and gas_alarm) "Neither a fire alarm nor a gas alarm is on"
  if (passes && neither && e.kind == ast::ExprKind::unary && e.text == "not" &&
      e.args[0]->kind == ast::ExprKind::binary && e.args[0]->text == "and")
    return tell(rc, Code::contradicts_prose, e.args[0]->span,
                "'not' of both together holds if only one of them is there, and the text says \"" + prose.str() + '"',
                "write 'or'", {{{e.args[0]->word, "or"}}});
  // gate named = first != "none" or second != "none" "Neither side is 'none'"; gate paid = fee or deposit "Both are paid"
  const auto differs = [](const ast::ExprPtr& side) { return is_binary(*side, "!="); };
  const bool two = passes && is_binary(e, "or") && !is_binary(*e.args[0], "or") && !is_binary(*e.args[1], "or");
  const bool none = two && words[0] == "neither" && std::all_of(e.args.begin(), e.args.end(), differs) &&
                    source_text(e.args[0]->args[1]->span) == source_text(e.args[1]->args[1]->span);
  if (none || (two && words[0] == "both" && !has_one_of(words, kOne) && !has_one_of(words, kAgainst)))
    return tell(rc, Code::contradicts_prose, e.span,
                "one side is enough for 'or', and the text says \"" + prose.str() + '"', "write 'and'",
                {{{e.word, "and"}}});
  // What a flag or a cap says may be about what fails: only its first words count.
  const bool lists = e.kind == ast::ExprKind::call && (e.text == "any" || e.text == "all");
  if (passes ? has_one_of(words, kAgainst) : !lists || has_one_of({words[0]}, kAgainst)) return;
  std::string meant;
  const bool every = words[0] == "all" || words[0] == "every" || words[0] == "each";
  const bool some = words.size() > 2 && words[0] == "at" && words[1] == "least" && words[2] == "one";
  if (passes && e.kind == ast::ExprKind::call && e.text == "any" && every && !has_one_of(words, kOne)) meant = "all";
  if (e.kind == ast::ExprKind::call && e.text == "all" && some) meant = "any";
  if (e.kind == ast::ExprKind::binary && e.text == "and") {
    static constexpr std::string_view kAnd[] = {"and", "both", "all", "also"};
    const auto plain = [](const ast::ExprPtr& arg) {
      return arg->kind == ast::ExprKind::name || arg->kind == ast::ExprKind::field;
    };
    const auto said = [&words](const ast::ExprPtr& arg) {  // its last word: "passport" of has_passport
      const std::vector<std::string> own = words_of(arg->text);
      return !own.empty() && std::find(words.begin(), words.end(), own.back()) != words.end();
    };
    const bool names = std::all_of(e.args.begin(), e.args.end(), plain);
    static constexpr std::string_view kOr[] = {"or"};
    if (words[0] == "either" && has_one_of(words, kOr) && !has_one_of(words, kAnd) && names &&
        std::any_of(e.args.begin(), e.args.end(), said))
      meant = "or";
  }
  std::vector<const ast::Expr*> joints;  // of a chain of 'or'
  if (e.kind == ast::ExprKind::binary && e.text == "or" && !has_one_of(words, kOne)) {
    static constexpr std::string_view kAnd[] = {"and", "both", "all"};
    const auto said = [&words](const ast::Expr& arg) {  // "reviewed" of is_reviewed, or "review"
      const std::vector<std::string> own = words_of(arg.text);
      constexpr std::size_t kStem = 4;
      return !own.empty() && own.back().size() >= kStem &&
             std::any_of(words.begin(), words.end(), [&own](const std::string& word) {
               return std::any_of(own.begin(), own.end(), [&word](const std::string& of) {
                 return of.size() >= kStem && word.substr(0, kStem) == of.substr(0, kStem);
               });
             });
    };
    const ast::Expr* left = &e;
    // "Passports and visas are accepted" names alternatives; "tested and reviewed" does not.
    const auto done = [](const std::string& word) { return word.size() > 4 && word.ends_with("ed"); };
    const std::vector<std::string> names = words_of(source_text(e.span));
    bool all = has_one_of(words, kAnd) && std::any_of(names.begin(), names.end(), done);
    for (; all && left->kind == ast::ExprKind::binary && left->text == "or"; left = left->args[0].get()) {
      joints.push_back(left);
      all = left->args[1]->kind == ast::ExprKind::name && said(*left->args[1]);
    }
    if (all && left->kind == ast::ExprKind::name && said(*left)) meant = "and";
  }
  if (meant.empty()) return;
  doubt(Code::contradicts_prose, e.span, rc.index,
        "this condition is " + short_text(e.span) + ", and its text says \"" + prose.str() + "\"",
        "write '" + meant + "'");
  const std::string text = source_text(e.span);
  if (!is_own(e.span, rc.index)) return;
  Fix joined;
  for (const ast::Expr* joint : joints) joined.push_back({joint->word, meant});
  if (!joints.empty()) state_.noted.doubts.back().fixes = {std::move(joined)};
  else if (e.kind == ast::ExprKind::binary) state_.noted.doubts.back().fixes = {{{e.word, meant}}};
  else if (text.starts_with(e.text))
    state_.noted.doubts.back().fixes = {{{e.span, meant + text.substr(e.text.size())}}};
}

// | 100 | 80 | 6 | 40 | 20 |: all others fall, and ten times this one is between its neighbours.
void SenseChecker::doubt_line(RubricContext& rc, const ast::Rows& rows) {
  constexpr std::size_t kFewest = 5;
  const std::size_t count = rows.rows.size();
  if (count < kFewest) return;
  for (std::size_t column = 1; column < rows.columns.size(); ++column) {
    std::vector<const ast::Expr*> cells;
    std::vector<Number> values;
    for (const std::vector<ast::Cell>& row : rows.rows) {
      if (row.size() != rows.columns.size() || row[column].patterns.size() != 1 || !row[column].patterns[0].expr) break;
      cells.push_back(row[column].patterns[0].expr.get());
      const Interval of = slope_.range(rc, *cells.back());
      if (cells.back()->kind != ast::ExprKind::number || cells.back()->text.ends_with('%') || !finite(of)) break;
      values.push_back(of.low);
    }
    if (values.size() != count) continue;
    for (std::size_t i = 1; i + 1 < count; ++i) {
      const int direction = compare(values.back(), values.front());
      bool in_order = direction != 0;
      for (std::size_t k = 1, before = 0; k < count && in_order; ++k) {
        if (k == i) continue;
        in_order = compare(values[k], values[before]) == direction;
        before = k;
      }
      const auto fits = [&](const Number& n) {
        return compare(n, values[i - 1]) == direction && compare(values[i + 1], n) == direction;
      };
      if (!in_order || fits(values[i])) continue;
      for (const Number& n : {mul(values[i], whole(10), numbers()), div(values[i], whole(10), numbers())}) {
        if (!fits(n)) continue;
        doubt(Code::out_of_line, cells[i]->span, rc.index,
              "all other numbers of '" + rows.columns[column].text + "' " + (direction > 0 ? "rise" : "fall") +
                  " from row to row, but " + cells[i]->text + " does not",
              "write " + shortest_text(n) + ", if a digit is missing or one too many");
        if (is_own(cells[i]->span, rc.index)) state_.noted.doubts.back().fixes = {{{cells[i]->span, shortest_text(n)}}};
        return;
      }
    }
  }
}

namespace {

// The trend that words tell outright: fewer, below.
constexpr std::string_view kFallen = "fewer less below lower fell fallen", kRisen = "above higher rose risen";

bool tells_trend(const std::vector<std::string>& words, bool up) {
  const bool or_more = has_word("or", words);  // "5 points or more"
  return has_word(up ? kRisen : kFallen, words) || (up && !or_more && has_word("more", words));
}

bool is_zero(const ast::Expr& number) { return number.text.find_first_not_of("0.") == number.text.npos; }

}  // namespace

// flag improving when slope(scores) < 0; "The score falls", and change > 0.
void SenseChecker::doubt_trend(RubricContext& rc, const ast::Expr& condition, std::string_view name,
                               std::string_view prose) {
  if (condition.kind != ast::ExprKind::binary || opposite_of(condition.text).empty()) return;
  const bool own = says(prose, WordRole::upwards) || says(prose, WordRole::downwards) ||
                   says(prose, WordRole::betters) || says(prose, WordRole::worsens);
  const std::string_view text = own ? prose : name;
  const bool judges = says(text, WordRole::betters) || says(text, WordRole::worsens);
  const bool up = says(text, WordRole::upwards) || says(text, WordRole::betters);
  const bool down = says(text, WordRole::downwards) || says(text, WordRole::worsens);
  if (up == down || has_word("not no never need needs should must keep try", words_of(text))) return;
  if (judges && !high_is_better(rc)) return;
  const ast::Expr &left = *condition.args[0], &right = *condition.args[1];
  const bool minus = right.kind == ast::ExprKind::unary && right.text == "-";
  const ast::Expr& number = minus ? *right.args[0] : right;
  int rises = trend_of(budget_, left, right);
  const bool direct = rises != 0;
  if (!direct && number.kind == ast::ExprKind::number) {
    const ast::Expr& value = meant_by(left);
    if (value.kind == ast::ExprKind::binary && value.text == "-")
      rises = trend_of(budget_, *value.args[0], *value.args[1]);
    if (value.kind == ast::ExprKind::call && value.text == "slope") {
      each_expr(budget_, value, [&rises](const ast::Expr& e) {
        if (e.kind == ast::ExprKind::name && e.text == "history") rises = 1;
      });
    }
  }
  const bool risen = (condition.text.front() == '>') == (rises > 0);
  if (rises == 0 || risen == up) return;
  if (judges && tells_trend(words_of(std::string(name) + " " + std::string(prose)), risen)) return;
  // What is added to the score before changes its sign with the comparison.
  Fix fix = {{condition.word, std::string(turned(condition.text))}};
  const ast::Expr& before = rises > 0 ? right : left;
  const bool offset = direct && before.kind == ast::ExprKind::binary;
  const bool sum = offset && (before.text == "+" || before.text == "-") &&
                   before.args[1]->kind == ast::ExprKind::number && before.args[0]->kind != ast::ExprKind::binary;
  if (sum) fix.push_back({before.word, before.text == "+" ? "-" : "+"});
  if (!direct && !is_zero(number)) fix.push_back({right.span, (minus ? "" : "-") + source_text(number.span)});
  std::string meant = source_text(condition.span);
  std::sort(fix.begin(), fix.end(), [](const Rewording& a, const Rewording& b) { return a.at.begin > b.at.begin; });
  for (const Rewording& part : fix)
    meant.replace(part.at.begin - condition.span.begin, part.at.end - part.at.begin, part.text);
  const bool plain = !offset || sum;
  tell(rc, Code::contradicts_prose, condition.span,
       "this condition holds where it has " + std::string(risen ? "risen" : "fallen") + ", and its text says \"" +
           std::string(text) + '"',
       plain ? FixIt("write " + meant) : FixIt("turn the comparison round, and what is added with it"),
       plain ? std::vector<Fix>{fix} : std::vector<Fix>());
}

void SenseChecker::doubt_stated(RubricContext& rc) {
  doubt_short_points(rc);
  const bool contexts = std::any_of(rc.items.begin(), rc.items.end(), [](const ast::Item* item) {
    return std::holds_alternative<ast::Context>(item->node);
  });
  for (const DimensionItems& d : rc.dimensions.all) {
    if (!contexts) doubt_weight(rc, *d.node), doubt_weight_of(rc, *d.node);
  }
  doubt_reductions(rc);
  for (const Named& value : named_) doubt_hundredfold(rc, value);
  doubt_idle_weights(rc);
  doubt_excess(rc);
  for (const ast::Item* item : rc.items) {
    doubt_amounts(rc, *item);
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node))
      doubt_once(rc, *amount), doubt_counted_again(rc, *amount), doubt_turned_difference(rc, *amount);
    if (const auto* cap = std::get_if<ast::Cap>(&item->node)) doubt_graded_cap(rc, *cap);
    if (const auto* example = std::get_if<ast::Example>(&item->node))
      doubt_named_example(rc, *example), doubt_named_truth(rc, *example);
    if (const auto* gate = std::get_if<ast::Gate>(&item->node); gate && gate->body.expr)
      doubt_how_many(rc, *gate->body.expr, gate->prose, true);
    if (const auto* flag = std::get_if<ast::Flag>(&item->node); flag && flag->when)
      doubt_how_many(rc, *flag->when, flag->prose, false),
          doubt_trend(rc, *flag->when, plain_words(flag->label), plain_words(flag->prose));
    if (const auto* cap = std::get_if<ast::Cap>(&item->node); cap && cap->when)
      doubt_how_many(rc, *cap->when, cap->prose, false), doubt_trend(rc, *cap->when, "", plain_words(cap->prose));
    if (const auto* incomplete = std::get_if<ast::Incomplete>(&item->node); incomplete && incomplete->when)
      doubt_trend(rc, *incomplete->when, "", plain_words(incomplete->prose));
    const auto* given = std::get_if<ast::Adjustment>(&item->node);
    const ast::Expr* choice = given ? given->body.expr.get() : nullptr;
    if (choice != nullptr && choice->kind == ast::ExprKind::choice && (choice->args.size() < 3 || !choice->args[2]))
      doubt_trend(rc, *choice->args[1], "", plain_words(given->prose));
    const auto rows = [&](const ast::Rows& of, std::size_t keys) {
      if (keys == 1) doubt_line(rc, of);
      doubt_said_in_rows(rc, of, keys);
    };
    if (const auto* bands = std::get_if<ast::Bands>(&item->node)) rows(bands->rows, bands->params.size());
    if (const auto* table = std::get_if<ast::Table>(&item->node); table && table->from.parts.empty())
      rows(table->rows, table->params.size());
  }
  for (const Named& value : named_) {
    doubt_said_rates(rc, value, value.prose, false);
    if (!is_own(value.e->span, rc.index)) continue;
    if (const std::string comment = comment_at(value.e->span); !comment.empty())
      doubt_said_rates(rc, value, comment, true);
  }
}

}  // namespace assay
