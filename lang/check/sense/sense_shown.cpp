// See sense_checker.hpp. Compares what a text or a name says of percent, shares and rates with how the value is computed.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/check/words/units.hpp"
#include "lang/text/ascii.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <set>
#include <variant>

namespace assay {

WrittenParts written_parts(const ast::Item& item) {
  WrittenParts parts;
  const auto expr = [&parts](const ast::ExprPtr& e) {
    if (e) parts.exprs.push_back(e.get());
  };
  std::visit(
      [&](const auto& node) {
        if constexpr (requires { node.prose.parts; }) parts.texts.push_back(&node.prose);
        if constexpr (requires { node.label.parts; }) parts.texts.push_back(&node.label);
        if constexpr (requires { node.text.parts; }) parts.texts.push_back(&node.text);
        if constexpr (requires { node.when.get(); }) parts.when = node.when.get(), expr(node.when);
        if constexpr (requires { node.condition.get(); }) expr(node.condition);
        if constexpr (requires { node.body.expr; }) {
          expr(node.body.expr);
          for (const ast::Where& w : node.body.where) expr(w.expr);
        }
        if constexpr (requires { node.loop->clauses; }) {
          for (std::size_t i = 0; node.loop && i < node.loop->clauses.size(); ++i) expr(node.loop->clauses[i].expr);
        }
        if constexpr (requires { node.keys; }) {
          for (const ast::OrderKey& key : node.keys) expr(key.expr);
        }
      },
      item.node);
  return parts;
}

namespace {

bool is_hundred(const ast::Expr& e) { return e.kind == ast::ExprKind::number && e.text == "100"; }

// x, of x * 100 and 100 * x; null: another expression.
const ast::Expr* times_hundred(const ast::Expr& e) {
  if (!is_binary(e, "*") || is_hundred(*e.args[0]) == is_hundred(*e.args[1])) return nullptr;
  return e.args[is_hundred(*e.args[0]) ? 1 : 0].get();
}

bool says_percent(std::string_view behind) {
  while (behind.starts_with(' ')) behind.remove_prefix(1);
  return behind.starts_with('%') || behind.starts_with("percent") || behind.starts_with("per cent");
}

}  // namespace

// The formula behind a name.
const ast::Expr* SenseChecker::value_named(std::string_view name) const {
  const auto let = std::find_if(named_.begin(), named_.end(),
                                [name](const Named& n) { return n.kind == "value" && n.name == name; });
  return let == named_.end() ? nullptr : let->e;
}

const ast::Expr& SenseChecker::formula_of(const ast::Expr& of) const {
  const ast::Expr* formula = of.kind == ast::ExprKind::name ? value_named(of.text) : nullptr;
  return formula == nullptr ? of : *formula;
}

const ast::Expr* measured_by(const ast::Expr& e, const FormulaOf& formula, int level) {
  static constexpr std::string_view kSameUnit = "min max mean median sum percentile first last round abs floor ceil";
  constexpr int kMostLevels = 8;
  if (level > kMostLevels) return nullptr;
  if (e.kind == ast::ExprKind::call && !e.args.empty() && has_word(kSameUnit, e.text))
    return measured_by(e.text == "percentile" ? *e.args.back() : *e.args.front(), formula, level + 1);
  if (e.kind != ast::ExprKind::name) return e.kind == ast::ExprKind::field ? &e : nullptr;
  const ast::Expr* body = formula(e.text);
  const ast::Expr* behind =
      body != nullptr && body->kind == ast::ExprKind::call ? measured_by(*body, formula, level + 1) : nullptr;
  return behind == nullptr ? &e : behind;
}

const Unit* unit_of_value(const RubricContext& rc, const ast::Expr& e, const FormulaOf& formula) {
  const ast::Expr* of = measured_by(e, formula);
  const Unit* unit = of == nullptr ? nullptr : unit_of_name(of->text);
  const bool name = of != nullptr && of->kind == ast::ExprKind::name;
  const auto input = name && unit == nullptr ? rc.last_inputs.find(of->text) : rc.last_inputs.end();
  if (input == rc.last_inputs.end() || input->second->names.size() != 1) return unit;
  return unit_of_prose(plain_words(input->second->prose));
}

// Whether a value is a part of one: its range is 0..1, or it divides some of a list by all of it.
bool SenseChecker::is_share(RubricContext& rc, const ast::Expr& e, int level) {
  constexpr int kMostLevels = 4;
  if (level > kMostLevels || e.kind == ast::ExprKind::number) return false;
  const Interval range = slope_.range(rc, e);
  const auto input = e.kind == ast::ExprKind::name ? rc.by_name.inputs.find(e.text) : rc.by_name.inputs.end();
  const bool whole_input =
      input != rc.by_name.inputs.end() && types_[model(rc).items[static_cast<std::size_t>(input->second)].type].whole;
  if (finite(range))
    return !whole_input && sign(range.low) >= 0 && sign(range.high) > 0 && compare(range.high, whole(1)) <= 0;
  if (e.kind == ast::ExprKind::name) {
    const ast::Expr& body = meant_by(e);
    return &body != &e && is_share(rc, body, level + 1);
  }
  const bool one_of = e.kind == ast::ExprKind::call && e.args.size() == 1 && e.args[0] &&
                      has_word("mean median min max first last", e.text);
  if (one_of) return is_path(*e.args[0]) && e.loop && is_share(rc, *e.args[0], level + 1);
  if (is_binary(e, "-")) return e.args[0]->text == "1" && is_share(rc, core_of(*e.args[1]), level + 1);
  if (!is_binary(e, "/")) return false;
  const ast::Expr &part = meant_by(*e.args[0]), &all = meant_by(*e.args[1]);
  if (is_path(part) && is_path(all)) return counts_some(part.text, all.text);
  const auto over = [](const ast::Expr& call) -> const ast::Expr* {
    const bool adds = call.kind == ast::ExprKind::call && (call.text == "count" || call.text == "sum");
    if (!adds) return nullptr;
    if (call.loop) return call.loop->clauses.empty() ? nullptr : call.loop->clauses[0].expr.get();
    return call.args.size() == 1 ? call.args[0].get() : nullptr;
  };
  const ast::Expr *some = over(part), *total = over(all);
  if (some == nullptr || total == nullptr || !part.loop || part.loop->clauses.size() < 2 || part.text != all.text ||
      source_text(some->span) != source_text(total->span))
    return false;
  const bool same =
      part.text == "count" || (all.loop && source_text(part.args[0]->span) == source_text(all.args[0]->span));
  return same && (!all.loop || all.loop->clauses.size() < part.loop->clauses.size());
}

// "Only {coverage decimals 0}% of the weight", which is 0 or 1; "{marks * 100}%" of marks that are 0..100
void SenseChecker::doubt_percents_shown(RubricContext& rc) {
  std::vector<const ast::Text*> texts;
  std::vector<const ast::Expr*> exprs;
  for (const ast::Item* item : rc.items) {
    const WrittenParts parts = written_parts(*item);
    texts.insert(texts.end(), parts.texts.begin(), parts.texts.end());
    exprs.insert(exprs.end(), parts.exprs.begin(), parts.exprs.end());
  }
  const auto large = [&](const ast::Expr& e) {
    const Interval range = slope_.range(rc, e);
    return finite(range) && compare(range.high, whole(10)) > 0;
  };
  Compared numbers_of;
  std::set<std::string> shares;  // what the rubric compares with a percentage, or multiplies by 100 where it is shown
  for (const ast::Expr* root : exprs) {
    each_expr(budget_, *root, [&](const ast::Expr& e) {
      if (e.kind == ast::ExprKind::text) texts.push_back(&e.literal);
      doubt_percent_counted(rc, e);
      const bool compared = is_binary(e, "<") || is_binary(e, "<=") || is_binary(e, ">") || is_binary(e, ">=");
      if (compared && e.args[1]->kind == ast::ExprKind::number && e.args[1]->text.ends_with('%') && !large(*e.args[0]))
        shares.insert(squeezed(e.args[0]->span));
      Number n;
      if (compared && e.args[0]->kind == ast::ExprKind::name && e.args[1]->kind == ast::ExprKind::number &&
          parse_decimal(e.args[1]->text, n, numbers(), true))
        numbers_of[e.args[0]->text].push_back(n);
    });
  }
  doubt_percent_of_one(rc, numbers_of);
  const auto each_percent = [&texts](const auto& look) {
    for (const ast::Text* text : texts) {
      for (std::size_t i = 0; i + 1 < text->parts.size(); ++i) {
        const ast::TextPart &part = text->parts[i], &behind = text->parts[i + 1];
        if (part.expr && !behind.expr && says_percent(behind.literal)) look(*part.expr);
      }
    }
  };
  each_percent([&](const ast::Expr& e) {
    if (const ast::Expr* of = times_hundred(e); of != nullptr && !large(*of)) shares.insert(squeezed(of->span));
  });
  each_percent([&](const ast::Expr& e) {
    const std::string text = source_text(e.span);
    if (const ast::Expr* of = times_hundred(e)) {
      const Interval range = slope_.range(rc, *of);
      const bool percent =
          is_path(*of) && finite(range) && sign(range.low) == 0 && compare(range.high, whole(100)) == 0;
      if (percent)
        tell(rc, Code::other_unit, e.span, "'" + short_text(of->span) + "' is 0..100, so it is a percentage already",
             "write {" + source_text(of->span) + "}", {{{e.span, source_text(of->span)}}});
      return;
    }
    if (e.kind == ast::ExprKind::number || (shares.count(squeezed(e.span)) == 0 && !is_share(rc, e, 0))) return;
    const bool product = is_path(e) || e.kind == ast::ExprKind::call || is_binary(e, "/") || is_binary(e, "*");
    const std::string meant = (product ? text : "(" + text + ")") + " * 100";
    tell(rc, Code::other_unit, e.span,
         "'" + short_text(e.span) + "' is a share of 0..1, and the text shows it as a percentage",
         "write {" + meant + "}", {{{e.span, meant}}});
  });
  for (const Named& value : named_) {  // output late_percent = late / all
    const bool shown = value.kind == "output" ||
                       std::find(value.shown_as.begin(), value.shown_as.end(), value.name) != value.shown_as.end();
    const ast::Expr& e = core_of(*value.e);
    const std::vector<std::string> words = words_of(value.name);
    const bool percent = !words.empty() && (has_word("percent percentage pct", words.front()) ||
                                            has_word("percent percentage pct", words.back()));
    if (!shown || !percent || is_path(e) || shares.count(value.name) > 0 || !is_share(rc, e, 0)) continue;
    const std::string text = source_text(value.e->span);
    const std::string meant =
        "100 * " + (value.e->kind == ast::ExprKind::call || is_binary(*value.e, "/") ? text : "(" + text + ")");
    tell(rc, Code::other_unit, value.e->span, "'" + value.name + "' is a share of 0..1, and its name speaks of percent",
         "write " + meant, {{{value.e->span, meant}}});
  }
}

// let ratio = 100 * loan / value, which is compared with 0.9 and 1 alone
void SenseChecker::doubt_percent_of_one(RubricContext& rc, const Compared& compared) {
  for (const Named& value : named_) {
    const auto at = compared.find(value.name);
    if (at == compared.end() || at->second.size() < 2) continue;
    const ast::Expr& e = core_of(*value.e);
    const ast::Expr* product = is_binary(e, "/") ? e.args[0].get() : nullptr;
    const ast::Expr* of = product != nullptr ? times_hundred(*product) : nullptr;
    bool fraction = false, all = true, one = false;
    for (const Number& n : at->second) {
      fraction = fraction || (sign(n) > 0 && compare(n, whole(1)) < 0);
      one = one || compare(n, whole(1)) == 0;
      all = all && sign(n) >= 0 && compare(n, whole(1)) <= 0;
    }
    if (of == nullptr || !fraction || !one || !all) continue;
    const std::string meant = source_text(of->span);
    tell(rc, Code::percent_of_points, product->span,
         "'" + value.name + "' counts percent, and it is only compared with numbers up to 1", "write " + meant,
         {{{product->span, meant}}});
  }
}

// late_percent > 20%, of let late_percent = 100 * late / trips; 100 * fill_percent, of what is 0..100
void SenseChecker::doubt_percent_counted(RubricContext& rc, const ast::Expr& e) {
  if (const ast::Expr* of = times_hundred(e); of != nullptr && is_path(*of)) {
    const Interval range = slope_.range(rc, *of);
    if (!finite(range) || sign(range.low) != 0 || compare(range.high, whole(100)) != 0 ||
        !has_word("percent percentage pct", words_of(of->text)))
      return;
    const std::string meant = source_text(of->span);
    return tell(rc, Code::percent_of_points, e.span,
                "'" + short_text(of->span) + "' counts percent already: it is 0..100", "write " + meant,
                {{{e.span, meant}}});
  }
  const bool from_one = (is_binary(e, "-") || is_binary(e, "+")) && e.args[0]->text == "1" && is_path(*e.args[1]);
  if (from_one) {  // price * (1 - discount), of a discount that is 0..100
    const ast::Expr& of = *e.args[1];
    const Interval range = slope_.range(rc, of);
    const bool percent = has_word("percent percentage pct", words_of(of.text + " " + prose_of(rc, of.text)));
    if (!percent || !finite(range) || sign(range.low) != 0 || compare(range.high, whole(10)) < 0) return;
    const std::string part = source_text(of.span) + " / 100";
    return tell(rc, Code::percent_of_points, of.span,
                "'" + short_text(of.span) + "' counts percent, and all of it is 1 here", "write " + part,
                {{{of.span, part}}});
  }
  const bool compared = is_binary(e, "<") || is_binary(e, "<=") || is_binary(e, ">") || is_binary(e, ">=");
  if (!compared || e.args[0]->kind != ast::ExprKind::name || e.args[1]->kind != ast::ExprKind::number ||
      !e.args[1]->text.ends_with('%'))
    return;
  const ast::Expr& formula = meant_by(*e.args[0]);
  const bool hundred =
      times_hundred(formula) != nullptr || (is_binary(formula, "/") && times_hundred(*formula.args[0]) != nullptr);
  if (&formula == e.args[0].get() || !hundred || finite(slope_.range(rc, *e.args[0]))) return;
  const std::string meant = e.args[1]->text.substr(0, e.args[1]->text.size() - 1);
  tell(rc, Code::percent_of_points, e.args[1]->span,
       "'" + e.args[0]->text + "' counts percent, and " + e.args[1]->text + " is a share of 1", "write " + meant,
       {{{e.args[1]->span, meant}}});
}

namespace {

// x, of 100 * x, x * 100 and what keeps it in its range.
const ast::Expr& without_hundred(const ast::Expr& e) {
  const ast::Expr& core = core_of(e);
  const ast::Expr* of = times_hundred(core);
  return of != nullptr ? core_of(*of) : core;
}

}  // namespace

namespace {

// 1: by their names the first of two values is the later one, -1: the earlier one: revenue_2023 and revenue_2022, price_after
// and price_before, q2 and q1.
int later_by_name(const std::string& a, const std::string& b) {
  static constexpr std::string_view kBefore = "before old older previous prior baseline initial original past earlier",
                                    kAfter = "after new newer now current final later latest present",
                                    kPeriods = "year quarter month week day round season term test half q fy";
  const auto number_of = [](const std::string& word, std::string& prefix) {
    const std::size_t digits = std::min(word.find_first_of("0123456789"), word.size());
    prefix = word.substr(0, digits);
    constexpr std::size_t kMostDigits = 4;
    const bool number = digits < word.size() && word.find_first_not_of("0123456789", digits) == word.npos;
    return number && word.size() - digits <= kMostDigits ? std::stoi(word.substr(digits)) : -1;
  };
  const std::vector<std::string> first = words_of(a), second = words_of(b);
  if (const auto apart = only_difference(a, b)) {
    std::string prefix, other;
    const int left = number_of(apart->first, prefix), right = number_of(apart->second, other);
    const auto at = static_cast<std::size_t>(std::find(first.begin(), first.end(), apart->first) - first.begin());
    const std::string period = !prefix.empty() ? prefix : at > 0 ? first[at - 1] : std::string();
    constexpr int kFirstYear = 1900, kLastYear = 2199;
    const bool years = std::min(left, right) >= kFirstYear && std::max(left, right) <= kLastYear;
    const bool numbered = left >= 0 && right >= 0 && prefix == other;
    if (numbered && (years || has_word(kPeriods, period))) return left < right ? -1 : 1;
    const bool of_period = at + 1 < first.size() && has_word(kPeriods, first[at + 1]);
    if (of_period && apart->first == "this" && apart->second == "last") return 1;
    if (of_period && apart->first == "last" && apart->second == "this") return -1;
  }
  const auto when = [](const std::vector<std::string>& own) {
    return (has_word(kAfter, own) ? 1 : 0) - (has_word(kBefore, own) ? 1 : 0);
  };
  const auto others = [](std::vector<std::string> own) {  // current - target: two different things
    std::erase_if(own, [](const std::string& w) { return has_word(kAfter, w) || has_word(kBefore, w); });
    return own;
  };
  const int apart = others(first) == others(second) ? when(first) - when(second) : 0;
  return apart > 0 ? 1 : apart < 0 ? -1 : 0;
}

}  // namespace

// let growth_percent = 100 * (revenue_2022 - revenue_2023) / revenue_2023
void SenseChecker::doubt_turned_change(RubricContext& rc, const Named& value) {
  const ast::Expr& core = core_of(*value.e);
  const ast::Expr* e = &without_hundred(core);
  const bool from_one = is_binary(*e, "-") && e->args[1]->text == "1" && is_binary(*e->args[0], "/");  // new / old - 1
  if (from_one) e = e->args[0].get();
  const ast::Expr* by = is_binary(*e, "/") ? e->args[1].get() : nullptr;
  const ast::Expr* part = by != nullptr && !from_one ? &without_hundred(*e->args[0]) : e;
  if (!is_binary(*part, "-") && !from_one) return;
  const ast::Expr &first = *part->args[0], &second = *part->args[1];
  if (!is_path(first) || !is_path(second) || (by != nullptr && !is_path(*by))) return;
  static constexpr std::string_view kMore = "growth increase rise gain gained improvement progress inflation change",
                                    kLess = "reduction drop decline decrease fall saving savings";
  std::string names = value.name;
  for (const std::string& name : value.shown_as) names += " " + name;
  const int since = by == nullptr ? trend_of(budget_, first, second) : 0;  // score - last(history).score
  const std::vector<std::string> words = words_of(since != 0 ? value.said : names);
  const bool more = has_word(kMore, words), less = has_word(kLess, words);
  if (more == less || says(names, WordRole::deadline) ||
      has_word("not no without avoided lost needed required target remaining left expected", words))
    return;
  // Of a time a gain is less of it, and of what is no mark so may an improvement be.
  const std::string about = first.text + " " + prose_of(rc, first.text);
  if (has_word("gain gained", words) && says(about, WordRole::bad)) return;
  const auto mark = [](const ast::Expr& of) { return of.text == "score" || says(of.text, WordRole::mark); };
  if (has_word("improvement progress", words) && (end_ < 0 || by_grades_ < 0 || !mark(first) || !mark(second))) return;
  const int later = since != 0 ? since : later_by_name(first.text, second.text);
  if (later == 0 || (later > 0) == more) return;
  // "if decline < -5": the author counts what falls as negative.
  const std::string_view file = sources_.file(core.span.file).text;
  for (const std::string_view sign : {" < -", " <= -", " > -", " >= -"}) {
    if (file.find(value.name + std::string(sign)) != file.npos) return;
  }
  const ast::Expr &old = later > 0 ? second : first, &now = later > 0 ? first : second;
  Fix fix = {{first.span, source_text(second.span)}, {second.span, source_text(first.span)}};
  const std::string of = by != nullptr ? squeezed(by->span) : std::string();
  if (by != nullptr && !from_one && of == squeezed(now.span)) fix.push_back({by->span, source_text(old.span)});
  if (by != nullptr && !from_one && of != squeezed(now.span) && of != squeezed(old.span)) return;
  std::string meant = source_text(core.span);
  for (auto edit = fix.rbegin(); edit != fix.rend(); ++edit)
    meant.replace(edit->at.begin - core.span.begin, edit->at.end - edit->at.begin, edit->text);
  tell(rc, Code::against_name, part->span,
       "'" + value.name + "' " + (more ? "falls" : "rises") + " where '" + source_text(now.span) +
           "' is larger, and it is the later of the two" + (since != 0 ? "" : " by its name"),
       "write " + meant, {std::move(fix)});
}

// let reduction = (before - after) / after
void SenseChecker::doubt_base_of_change(RubricContext& rc, const Named& value) {
  const ast::Expr& e = without_hundred(*value.e);
  if (!is_binary(e, "/") || !is_path(*e.args[1])) return;
  const ast::Expr* part = &core_of(*e.args[0]);
  if (const ast::Expr* of = times_hundred(*part)) part = &core_of(*of);
  if (is_call(*part, "abs")) part = part->args[0].get();
  const ast::Expr& by = *e.args[1];
  if (!is_binary(*part, "-") || !is_path(*part->args[0]) || !is_path(*part->args[1])) return;
  const std::string of = squeezed(by.span);
  const bool first = squeezed(part->args[0]->span) == of, second = squeezed(part->args[1]->span) == of;
  if (first == second) return;
  const ast::Expr& other = *part->args[first ? 1 : 0];
  static constexpr std::string_view kLess = "reduction drop decline decrease fall discount rebate saving savings",
                                    kChange = "change improvement gain growth increase rise inflation",
                                    kOtherBase =
                                        "over above below vs versus relative to from needed required target "
                                        "remaining left markup excess",
                                    kBefore = "before old older previous prior baseline initial original past earlier",
                                    kAfter = "after new newer now current final later latest present";
  std::string names = value.name;
  for (const std::string& name : value.shown_as) names += " " + name;
  const std::vector<std::string> words = words_of(names);
  const auto word_of = [&words](std::string_view list) {
    const auto at = std::find_if(words.begin(), words.end(), [list](const auto& w) { return has_word(list, w); });
    return at == words.end() ? std::string() : *at;
  };
  if (told_at(part->span) != nullptr) return;
  const std::string less = word_of(kLess), change = less.empty() ? word_of(kChange) : less;
  if (change.empty() || !word_of(kOtherBase).empty() || told_at(by.span) != nullptr) return;
  const auto when = [](const ast::Expr& path) {  // 1: the later one, -1: the earlier one
    const std::vector<std::string> own = words_of(path.text);
    return (has_word(kAfter, own) ? 1 : 0) - (has_word(kBefore, own) ? 1 : 0);
  };
  const bool later = when(by) > 0 && when(other) < 0;
  const bool smaller = !less.empty() && second && when(by) >= 0 && when(other) <= 0;  // (a - b) / b, of what falls to b
  if (!later && !smaller) return;
  const std::string meant = source_text(other.span);
  tell(rc, Code::against_name, by.span,
       "'" + value.name + "' is a share of '" + source_text(by.span) +
           "', and a change is measured against what was there before",
       "write / " + meant, {{{by.span, meant}}});
}

namespace {

// A power of ten that a name counts by: "per_1000", "per_100_000", "per_100k", "per_million".
struct PerPower {
  int exponent = 0;  // 0: none
  std::string unit;  // behind it: "g" of per_100g
};
PerPower per_power(const std::vector<std::string>& words) {
  const auto per = std::find(words.begin(), words.end(), "per");
  if (per == words.end()) return {};
  PerPower found;
  std::size_t i = static_cast<std::size_t>(per - words.begin()) + 1;
  std::string digits;
  for (; i < words.size() && is_digit(words[i][0]); ++i) {
    const std::size_t end = std::min(words[i].find_first_not_of("0123456789"), words[i].size());
    digits += words[i].substr(0, end);
    const std::string rest = words[i].substr(end);
    if (rest == "k") digits += "000";
    else if (!rest.empty()) found.unit = rest;
    if (!rest.empty()) {
      ++i;
      break;
    }
  }
  const bool power = !digits.empty() && digits[0] == '1' && digits.find_first_not_of('0', 1) == digits.npos;
  if (!digits.empty() && !power) return {};
  found.exponent = power ? static_cast<int>(digits.size()) - 1 : 0;
  for (; i < words.size(); ++i) {
    const int more = words[i] == "hundred" ? 2 : words[i] == "thousand" ? 3 : words[i] == "million" ? 6 : 0;
    if (more == 0) break;
    found.exponent += more;
  }
  if (found.unit.empty() && i < words.size() && unit_of(words[i]) != nullptr) found.unit = words[i];
  return found.exponent > 1 ? found : PerPower();
}

}  // namespace

// let deaths_per_100000 = 1000 * deaths / people
void SenseChecker::doubt_per_power(RubricContext& rc, const Named& value) {
  const PerPower said = per_power(words_of(value.name));
  if (said.exponent == 0) return;
  const Unit* unit = said.unit.empty() ? nullptr : unit_of(said.unit);
  if (unit == nullptr && !said.unit.empty()) return;
  static constexpr std::string_view kScaled =
      "hundred hundreds thousand thousands million millions mio k percent pct percentage per rate share ratio";
  struct Factor {
    const ast::Expr* e;
    bool divides;
  };
  std::vector<Factor> open = {{&core_of(*value.e), false}};
  const ast::Expr* literal = nullptr;
  int exponent = 0;
  bool quotient = false;
  while (!open.empty()) {
    const ast::Expr* e = open.back().e;
    const bool divides = open.back().divides;
    open.pop_back();
    budget_.step();
    if (is_binary(*e, "*") || is_binary(*e, "/")) {
      quotient = quotient || e->text == "/";
      open.push_back({e->args[0].get(), divides});
      open.push_back({e->args[1].get(), divides != (e->text == "/")});
      continue;
    }
    if (e->kind == ast::ExprKind::number) {
      std::string digits = e->text;
      std::erase(digits, '_');
      const bool power = digits.size() > 1 && digits[0] == '1' && digits.find_first_not_of('0', 1) == digits.npos;
      if (!power || literal != nullptr) return;
      literal = e;
      exponent = (divides ? -1 : 1) * (static_cast<int>(digits.size()) - 1);
      continue;
    }
    const bool counted = e->kind == ast::ExprKind::call && (e->text == "count" || e->text == "sum");
    if (!is_path(*e) && !counted) return;
    bool plain = true;
    each_expr(budget_, *e, [&](const ast::Expr& part) {
      if (!is_path(part)) return;
      const Unit* own = unit_of_name(part.text);
      const bool other =
          own != nullptr && (!divides || unit == nullptr || own->of != unit->of || own->size != unit->size);
      const std::vector<std::string> words = words_of(part.text + " " + prose_of(rc, part.text));
      plain = plain && !other && !has_word(kScaled, words) && (unit == nullptr || !divides || own != nullptr) &&
              std::none_of(words.begin(), words.end(), [](const std::string& w) { return is_digit(w[0]); });
    });
    if (!plain) return;
  }
  if (!quotient || literal == nullptr || exponent <= 0 || exponent == said.exponent) return;
  const std::string meant = "1" + std::string(static_cast<std::size_t>(said.exponent), '0');
  tell(rc, Code::against_name, literal->span,
       "'" + value.name + "' is for " + meant + " by its name, and this counts by " + literal->text, "write " + meant,
       {{{literal->span, meant}}});
}

// let share_failed = count(t for t in tests when t.failed) / count(suites), where 'share_passed' divides by count(tests)
void SenseChecker::doubt_share_of_others(RubricContext& rc, const Named& value) {
  struct Quotient {
    const ast::Expr* some = nullptr;  // count(t for t in tests when …)
    const ast::Expr* all = nullptr;   // count(tests)
    std::string part, of;             // the names of their lists
  };
  const auto quotient_of = [this](const ast::Expr& from) {
    Quotient q;
    const ast::Expr& e = without_hundred(from);
    if (!is_binary(e, "/")) return q;
    const ast::Expr* part = &core_of(*e.args[0]);
    if (const ast::Expr* of = times_hundred(*part)) part = of;
    const ast::Expr &some = meant_by(*part), &all = meant_by(*e.args[1]);
    const bool counts = some.kind == ast::ExprKind::call && some.text == "count" && some.loop &&
                        some.loop->clauses.size() == 2 && some.loop->clauses[1].kind == ast::ClauseKind::when &&
                        some.loop->clauses[0].expr && some.loop->clauses[0].second.text.empty();
    if (!counts || !is_call(all, "count") || all.args[0]->kind != ast::ExprKind::name ||
        some.loop->clauses[0].expr->kind != ast::ExprKind::name)
      return q;
    q = {&some, e.args[1].get(), some.loop->clauses[0].expr->text, all.args[0]->text};
    return q;
  };
  const std::vector<std::string> words = words_of(value.name);
  const bool share = has_word("share percent percentage pct proportion fraction", words);
  if (!share && !has_word("rate ratio", words)) return;
  const Quotient here = quotient_of(*value.e);
  const auto is_input = [&rc](const std::string& name) { return rc.by_name.inputs.count(name) > 0; };
  if (here.some == nullptr || here.part == here.of || !is_input(here.part) || !is_input(here.of)) return;
  // Another share of the same things, which divides by all of them.
  constexpr std::size_t kMost = 200;  // that are compared with each other
  const bool other_share = named_.size() <= kMost && std::any_of(named_.begin(), named_.end(), [&](const Named& other) {
                             const bool alike =
                                 share || only_difference(value.name, other.name);  // pass_rate, fail_rate
                             const Quotient q = &other == &value || !alike ? Quotient() : quotient_of(*other.e);
                             return q.some != nullptr && q.part == here.part && q.of == q.part;
                           });
  // What is asked of the items that are counted could be asked of the others as well.
  const Type* item = item_type(rc, *here.all->args[0]);
  bool asked = false, own = item != nullptr;
  each_expr(budget_, *here.some->loop->clauses[1].expr, [&](const ast::Expr& part) {
    if (part.kind != ast::ExprKind::field || item == nullptr) return;
    asked = true;
    own = own && std::any_of(item->fields.begin(), item->fields.end(),
                             [&part](const Field& f) { return f.name == part.text; });
  });
  // "Share of the tests that failed"
  const std::vector<std::string> said = words_of(value.said);
  bool of_all = false;
  for (std::size_t i = 0; i + 2 < said.size(); ++i) {
    const std::size_t noun = has_word("the all", said[i + 2]) ? i + 3 : i + 2;
    of_all = of_all || (has_word("share percent percentage proportion fraction", said[i]) && said[i + 1] == "of" &&
                        noun < said.size() && said[noun] == here.part &&
                        (noun + 1 == said.size() || has_word("that which who with", said[noun + 1])));
  }
  if (!other_share && !(share && ((asked && own) || of_all))) return;
  const std::string meant = "count(" + here.part + ")";
  tell(rc, Code::against_name, here.all->span,
       "'" + value.name + "' counts some of '" + here.part + "' and divides by all of '" + here.of +
           "', of which they are no part",
       "write " + meant, {{{here.all->span, meant}}});
}

}  // namespace assay
