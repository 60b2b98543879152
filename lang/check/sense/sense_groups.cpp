// See sense_checker.hpp. Finds steps that overlap or leave a gap: age groups of which two count who is 18, a deduction for
// high findings that counts the critical ones as well.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/proof/prose.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace assay {

namespace {

// Which values of a path a condition takes: those between two numbers, or some texts.
struct Taken {
  std::string path;                                 // without the name of the item
  const ast::Expr *low = nullptr, *high = nullptr;  // the comparisons; null: no bound
  Number from, to;
  bool low_open = false, high_open = false;
  std::vector<std::string> texts;
};

bool is_text(const ast::Expr& e) { return e.kind == ast::ExprKind::text && e.literal.plain(); }

}  // namespace

// A step of several that take the values of one path: a group of items, a deduction or bonus.
struct SenseChecker::Step {
  std::string_view kind;
  std::string name, said;
  const ast::Expr* condition = nullptr;
  Taken taken;
};

namespace {

// `item`: the name of the loop's item. False: the condition has another form.
bool read_taken(const ast::Expr& condition, std::string_view item, NumberPool& pool, Taken& taken) {
  std::vector<const ast::Expr*> open = {&condition};
  constexpr std::size_t kMost = 8;
  const auto path_of = [item](const ast::Expr& e) -> std::string {
    if (e.kind == ast::ExprKind::name) return e.text == item ? "." : item.empty() ? e.text : std::string();
    const bool field = e.kind == ast::ExprKind::field && e.args[0]->kind == ast::ExprKind::name;
    return !field ? std::string() : e.args[0]->text == item ? "." + e.text : e.args[0]->text + "." + e.text;
  };
  const auto bound = [&](const ast::Expr& comparison, const ast::Expr& literal, bool above, bool strict) {
    Number n;
    if (literal.kind != ast::ExprKind::number || !parse_decimal(literal.text, n, pool, true)) return false;
    if ((above ? taken.low : taken.high) != nullptr) return false;
    (above ? taken.low : taken.high) = &comparison;
    (above ? taken.from : taken.to) = n;
    (above ? taken.low_open : taken.high_open) = strict;
    return true;
  };
  while (!open.empty()) {
    const ast::Expr& e = *open.back();
    open.pop_back();
    if (e.kind != ast::ExprKind::binary || open.size() > kMost) return false;
    if (e.text == "and") {
      for (const ast::ExprPtr& side : e.args) open.push_back(side.get());
      continue;
    }
    const std::string path = path_of(*e.args[0]);
    const ast::Expr& other = *e.args[1];
    if (path.empty() || (!taken.path.empty() && path != taken.path)) return false;
    taken.path = path;
    bool read = false;
    if (e.text == "in" && other.kind == ast::ExprKind::range)
      read = bound(other, *other.args[0], true, false) && bound(other, *other.args[1], false, false);
    else if (e.text == ">" || e.text == ">=") read = bound(e, other, true, e.text == ">");
    else if (e.text == "<" || e.text == "<=") read = bound(e, other, false, e.text == "<");
    else if (e.text == "==" && is_text(other)) taken.texts.push_back(other.literal.str()), read = true;
    else if (e.text == "in" && other.kind == ast::ExprKind::list && !other.loop)
      for (const ast::ExprPtr& one : other.args) {
        read = is_text(*one);
        if (!read) return false;
        taken.texts.push_back(one->literal.str());
      }
    if (!read) return false;
  }
  return taken.texts.empty() != (taken.low == nullptr && taken.high == nullptr);
}

}  // namespace

// The steps of one path, in the order of the rubric: by the list whose items they take, or for the record itself.
std::map<std::string, std::vector<SenseChecker::Step>> SenseChecker::steps_of(const RubricContext& rc) {
  std::map<std::string, std::vector<Step>> all;
  const auto add = [&](const Named& value, const ast::Expr& condition, const std::string& list, std::string_view item) {
    Step step{value.kind, value.name, value.said, &condition, {}};
    if (!is_own(condition.span, rc.index) || !read_taken(condition, item, numbers(), step.taken)) return;
    const bool amount = value.kind == "deduction" || value.kind == "bonus";
    all[(amount ? std::string(value.kind) : "value") + " " + list + " " + step.taken.path].push_back(std::move(step));
  };
  for (const Named& value : named_) {
    if (value.kind == "gate" || value.kind == "flag") continue;
    const bool amount = value.kind == "deduction" || value.kind == "bonus";
    if (amount && value.e->kind == ast::ExprKind::choice && (value.e->args.size() < 3 || !value.e->args[2])) {
      add(value, *value.e->args[1], "", "");
      continue;
    }
    const ast::Expr* found = nullptr;
    std::size_t loops = 0;
    each_expr(budget_, *value.e, [&](const ast::Expr& e) {
      if (e.loop) ++loops, found = &e;
    });
    const bool counts =
        loops == 1 && (found->kind == ast::ExprKind::list_loop || found->text == "count" || found->text == "sum");
    if (!counts || found->loop->clauses.size() != 2 || found->loop->clauses[1].kind != ast::ClauseKind::when) continue;
    const ast::Clause& over = found->loop->clauses[0];
    if (over.second.text.empty())
      add(value, *found->loop->clauses[1].expr, source_text(over.expr->span), over.first.text);
  }
  return all;
}

// let pupils = count(a for a in ages when a >= 6 and a <= 18), beside adults that begin with a >= 18
void SenseChecker::doubt_touching(RubricContext& rc, const std::vector<Step>& steps) {
  const auto closed = [&steps](bool low) {
    return std::count_if(steps.begin(), steps.end(), [low](const Step& s) {
      return (low ? s.taken.low : s.taken.high) != nullptr && !(low ? s.taken.low_open : s.taken.high_open);
    });
  };
  const auto takes = [](const Taken& t, Number n) {
    const int low = t.low == nullptr ? 1 : compare(n, t.from), high = t.high == nullptr ? -1 : compare(n, t.to);
    return t.texts.empty() && (low > 0 || (low == 0 && !t.low_open)) && (high < 0 || (high == 0 && !t.high_open));
  };
  const auto doubt_pair = [&](const Step& a, const Step& b) {
    const Taken &lower = a.taken, &upper = b.taken;
    if (lower.high == nullptr || upper.low == nullptr || compare(lower.to, upper.from) != 0 ||
        lower.high_open != upper.low_open)
      return;
    const bool both = !lower.high_open, between = lower.low != nullptr || upper.high != nullptr;
    const bool point = lower.low != nullptr && compare(lower.from, lower.to) == 0;
    constexpr std::size_t kSeveral = 3;
    if (point || (steps.size() < kSeveral && (!between || !both)) || (!both && !between)) return;
    if (!both && std::any_of(steps.begin(), steps.end(), [&](const Step& s) { return takes(s.taken, lower.to); }))
      return;
    // The side that differs from the others is the slip.
    const bool turn_high = both ? closed(true) >= closed(false) : closed(true) < closed(false);
    const ast::Expr& slip = turn_high ? *lower.high : *upper.low;
    const bool range = slip.kind == ast::ExprKind::range;
    const std::string sign = slip.text.ends_with('=') ? slip.text.substr(0, 1) : slip.text + "=";
    const std::string at = shortest_text(lower.to);
    tell(rc, both ? Code::counted_twice : Code::lost_items, slip.span,
         both ? "'" + a.name + "' and '" + b.name + "' both take " + at + ", so it counts twice"
              : "neither '" + a.name + "' nor '" + b.name + "' takes " + at,
         range ? "let one of them leave it out" : "write '" + sign + "'",
         range ? std::vector<Fix>() : std::vector<Fix>{{{slip.word, sign}}});
  };
  for (const Step& a : steps) {
    for (const Step& b : steps) {
      if (&a != &b && a.taken.texts.empty() && b.taken.texts.empty()) doubt_pair(a, b);
    }
  }
}

// deduction high = 6 * count(f for f in open when f.severity in ["critical", "high"]), beside one for the critical ones
void SenseChecker::doubt_in_both(RubricContext& rc, const std::vector<Step>& steps) {
  for (const Step& wide : steps) {
    for (const Step& narrow : steps) {
      const std::vector<std::string>&all = wide.taken.texts, &some = narrow.taken.texts;
      if (&wide == &narrow || some.size() != 1 || all.size() < 2 ||
          std::find(all.begin(), all.end(), some[0]) == all.end())
        continue;
      const std::vector<std::string> words = words_of(wide.said);
      const auto named = [](const std::string& text, const std::vector<std::string>& in) {
        const std::vector<std::string> of = words_of(text);
        return !of.empty() && std::all_of(of.begin(), of.end(), [&in](const std::string& w) {
          return std::find(in.begin(), in.end(), w) != in.end();
        });
      };
      std::vector<std::string> left;
      bool all_named = true;
      for (const std::string& text : all) {
        if (text == some[0]) continue;
        left.push_back(text);
        all_named = all_named && named(text, words_of(wide.name));
      }
      const bool both = named(some[0], words) ||
                        has_word("or worse above least over more also too all any each_of", words_of(wide.name)) ||
                        says(wide.said, WordRole::again) || says(narrow.said, WordRole::again);
      if (!all_named || both || !named(some[0], words_of(narrow.name))) continue;
      const ast::Expr& e = *wide.condition;
      const std::string path = source_text(e.args[0]->span);
      std::string meant = path + " in [";
      for (const std::string& text : left) meant += (text == left[0] ? "\"" : ", \"") + text + "\"";
      meant = left.size() == 1 ? path + " == \"" + left[0] + "\"" : meant + "]";
      tell(rc, Code::counted_twice, e.span,
           "'" + wide.name + "' counts \"" + some[0] + "\" as well, for which there is '" + narrow.name + "'",
           "write " + meant, {{{e.span, meant}}});
    }
  }
}

// flag warning when gust > 60, flag critical when gust > 40: what is worse begins earlier
void SenseChecker::doubt_severities(RubricContext& rc) {
  static constexpr std::string_view kSteps[] = {"notice info hint", "warning warn low minor mild slight",
                                                "medium moderate", "high major severe serious alert",
                                                "critical extreme danger emergency alarm fatal"};
  struct Flag {
    const Named* value;
    Taken taken;
    std::ptrdiff_t step;
    std::string rest;  // of the name
  };
  std::vector<Flag> flags;
  for (const Named& value : named_) {
    const bool amount = value.kind == "deduction" && value.e->kind == ast::ExprKind::choice;
    const ast::Expr& condition = amount ? *value.e->args[1] : *value.e;
    Flag flag{&value, {}, -1, {}};
    if ((value.kind != "flag" && !amount) || !is_own(value.e->span, rc.index) ||
        !read_taken(condition, "", numbers(), flag.taken) ||
        (flag.taken.low == nullptr) == (flag.taken.high == nullptr))
      continue;
    for (const std::string& word : words_of(value.name)) {
      const auto* at = std::find_if(std::begin(kSteps), std::end(kSteps),
                                    [&word](std::string_view list) { return has_word(list, word); });
      if (at != std::end(kSteps) && flag.step < 0) flag.step = at - std::begin(kSteps);
      else if (has_word("very extremely", word) && flag.step < 0) flag.step = 100;
      else flag.rest += word + " ";
    }
    // a mild state beside "critical"
    if (flag.step < 0 &&
        has_word("warm cool late slow busy full tight near elevated raised unusual watch caution attention",
                 words_of(flag.rest)) &&
        words_of(flag.rest).size() == 1)
      flag.step = 1, flag.rest.clear();
    flags.push_back(std::move(flag));
  }
  constexpr std::size_t kMost = 30;
  for (std::size_t i = 0; i < flags.size() && flags.size() <= kMost; ++i) {
    for (const Flag& worse : flags) {
      const Flag& mild = flags[i];
      const bool very = worse.step == 100 && mild.step < 0;
      if (mild.value->kind != worse.value->kind || mild.taken.path != worse.taken.path || mild.rest != worse.rest ||
          (!very && (mild.step < 0 || worse.step == 100 || mild.step >= worse.step)) ||
          (mild.taken.low == nullptr) != (worse.taken.low == nullptr))
        continue;
      const bool above = mild.taken.low != nullptr;
      const int order = above ? compare(worse.taken.from, mild.taken.from) : compare(mild.taken.to, worse.taken.to);
      if (order >= 0) continue;
      const ast::Expr &first = *(above ? mild.taken.low : mild.taken.high)->args[1],
                      &second = *(above ? worse.taken.low : worse.taken.high)->args[1];
      if (first.kind != ast::ExprKind::number || second.kind != ast::ExprKind::number) continue;
      tell(rc, Code::worst_first, second.span,
           "'" + worse.value->name + "' begins at " + second.text + ", before '" + mild.value->name + "' at " +
               first.text,
           "exchange the two numbers", {{{first.span, second.text}, {second.span, first.text}}});
    }
  }
}

// gate passed = score >= 50, where the bands give "passed" from 60 on
void SenseChecker::doubt_band_of_name(RubricContext& rc) {
  for (const ast::Item* item : rc.items) {
    const auto* bands = std::get_if<ast::Bands>(&item->node);
    if (bands == nullptr || bands->params.size() != 1) continue;
    for (const std::vector<ast::Cell>& row : bands->rows.rows) {
      const bool plain = row.size() > 1 && row[0].patterns.size() == 1 && row[0].patterns[0].bounds.size() == 1 &&
                         row[1].patterns.size() == 1 && row[1].patterns[0].expr && is_text(*row[1].patterns[0].expr);
      if (!plain || row[0].patterns[0].bounds[0].bound != ast::Bound::greater_equal) continue;
      const ast::Expr& bound = *row[0].patterns[0].bounds[0].expr;
      const std::string result = row[1].patterns[0].expr->literal.str();
      for (const Named& value : named_) {
        const ast::Expr& e = *value.e;
        if (words_of(value.name) != words_of(result) || !is_binary(e, ">=") || e.args[0]->kind != ast::ExprKind::name ||
            e.args[0]->text != bands->params[0].text || e.args[1]->kind != ast::ExprKind::number ||
            bound.kind != ast::ExprKind::number)
          continue;
        const Interval own = slope_.range(rc, *e.args[1]), there = slope_.range(rc, bound);
        const bool shares = e.args[1]->text.ends_with('%') && bound.text.ends_with('%');  // told as such
        if (shares || !finite(own) || !finite(there) || compare(own.low, there.low) == 0) continue;
        tell(rc, Code::against_name, e.args[1]->span,
             "'" + value.name + "' holds from " + e.args[1]->text + " on, and '" + bands->name.text + "' gives \"" +
                 result + "\" from " + bound.text + " on",
             "bring the two into line", {{{e.args[1]->span, bound.text}}});
      }
    }
  }
}

// let pass_mark = 60, where the bands give "pass" from 65 on, or a gate of 65 says "at least the pass mark"
void SenseChecker::doubt_named_number(RubricContext& rc, const Named& constant) {
  if (constant.kind != "value" || constant.e->kind != ast::ExprKind::number) return;
  const std::vector<std::string> words = words_of(constant.name);
  const auto other = [&](const ast::Expr& literal) {
    const Interval here = slope_.range(rc, literal), there = slope_.range(rc, *constant.e);
    return literal.kind == ast::ExprKind::number && finite(here) && finite(there) &&
           literal.text.ends_with('%') == constant.e->text.ends_with('%') && compare(here.low, there.low) != 0;
  };
  // What is compared with the number by its name is what the number is about.
  const auto about = [&](const std::string& key) {
    bool fits = true;
    for (const ast::Item* item : rc.items) {
      for (const ast::Expr* e : written_parts(*item).exprs) {
        each_expr(budget_, *e, [&](const ast::Expr& part) {
          if (part.kind != ast::ExprKind::binary || part.args.size() != 2) return;
          for (const std::size_t i : {0U, 1U}) {
            if (part.args[i]->kind == ast::ExprKind::name && part.args[i]->text == constant.name)
              fits = fits && source_text(part.args[1 - i]->span) == key;
          }
        });
      }
    }
    return fits;
  };
  const auto named = [&words](std::string_view label) {  // "pass" of pass_mark, and "pass mark" itself
    const std::vector<std::string> own = words_of(label);
    const bool shorter =
        own.size() + 1 == words.size() && std::equal(own.begin(), own.end(), words.begin()) &&
        has_word("mark score limit threshold from line level minimum min points grade cutoff", words.back());
    return !own.empty() && (own == words || shorter);
  };
  const auto say = [&](const ast::Expr& literal, const std::string& what) {
    tell(rc, Code::against_name, literal.span,
         what + " begins at " + literal.text + " here, and '" + constant.name + "' is " + constant.e->text,
         "write " + constant.name, {{{literal.span, constant.name}}});
  };
  for (const ast::Item* item : rc.items) {
    const auto* bands = std::get_if<ast::Bands>(&item->node);
    if (bands == nullptr || bands->params.size() != 1) continue;
    for (const std::vector<ast::Cell>& row : bands->rows.rows) {
      const bool plain = row.size() > 1 && row[0].patterns.size() == 1 && row[0].patterns[0].bounds.size() == 1 &&
                         row[1].patterns.size() == 1 && row[1].patterns[0].expr && is_text(*row[1].patterns[0].expr);
      if (!plain || row[0].patterns[0].bounds[0].bound != ast::Bound::greater_equal) continue;
      const ast::Expr& bound = *row[0].patterns[0].bounds[0].expr;
      const std::string label = row[1].patterns[0].expr->literal.str();
      if (named(label) && other(bound) && about(bands->params[0].text)) say(bound, '"' + label + '"');
    }
  }
  if (words.size() < 2) return;
  const auto stated = [&](const ast::Expr& e, const std::string& prose) {
    const bool compared = is_binary(e, "<") || is_binary(e, "<=") || is_binary(e, ">") || is_binary(e, ">=");
    if (!compared || !is_path(*e.args[0]) || !other(*e.args[1])) return;
    // "at least the pass mark", and nothing that is near it
    const std::vector<std::string> said = words_of(prose);
    const auto at = std::search(said.begin(), said.end(), words.begin(), words.end());
    if (at == said.end() || at == said.begin() || !numbers_said(prose, numbers()).empty()) return;
    const auto before = *(at - 1) == "the" && at - 1 != said.begin() ? at - 2 : at - 1;
    const bool bound =
        has_word("least most below above under over than exceeds exceed within reaches reach", *before) &&
        !has_word("half twice near nearly almost close just far well slightly", said);
    if (!bound || !about(source_text(e.args[0]->span))) return;
    tell(rc, Code::contradicts_prose, e.args[1]->span,
         "this is " + e.args[1]->text + ", and its text says \"" + prose + "\", which is " + constant.e->text,
         "write " + constant.name, {{{e.args[1]->span, constant.name}}});
  };
  for (const Named& value : named_)
    stated(value.e->kind == ast::ExprKind::choice ? *value.e->args[1] : *value.e, value.prose);
  for (const ast::Item* item : rc.items) {
    const auto* cap = std::get_if<ast::Cap>(&item->node);
    if (cap != nullptr && cap->when) stated(*cap->when, plain_words(cap->prose));
  }
}

// fn outside(r) = r.celsius < 2 and r.celsius > 8; of other conditions that is proved
void SenseChecker::doubt_nothing_between(RubricContext& rc, const ast::Fn& fn) {
  if (!fn.body.expr || !is_own(fn.body.expr->span, rc.index)) return;
  each_expr(budget_, *fn.body.expr, [&](const ast::Expr& e) {
    const bool both = is_binary(e, "and");
    if (!both && !is_binary(e, "or")) return;
    Taken taken, first, second;
    bool all = false, none = false;
    if (both) {
      const bool read = read_taken(e, "", numbers(), taken) && taken.low != nullptr && taken.high != nullptr;
      const int gap = read ? compare(taken.from, taken.to) : -1;
      none = gap > 0 || (gap == 0 && (taken.low_open || taken.high_open));
    } else if (read_taken(*e.args[0], "", numbers(), first) && read_taken(*e.args[1], "", numbers(), second)) {
      if (first.low == nullptr) std::swap(first, second);
      const bool halves = first.path == second.path && first.low != nullptr && first.high == nullptr &&
                          second.high != nullptr && second.low == nullptr;
      all = halves && compare(first.from, second.to) < 0;
    }
    if (!all && !none) return;
    const std::string meant = both ? "or" : "and";
    tell(rc, none ? Code::always_false : Code::always_true, e.span,
         none ? "this never holds: nothing is " + short_text(e.args[0]->span) + " and " + short_text(e.args[1]->span) +
                    " at once"
              : "this always holds: everything is the one or the other",
         "write '" + meant + "'", {{{e.word, meant}}});
  });
}

// deduction late = 5 when days > 30 "31 to 60 days late", where more than 60 days have a deduction of their own
void SenseChecker::doubt_open_step(RubricContext& rc, const Step& step, const std::vector<Step>& all) {
  const Taken& taken = step.taken;
  if ((taken.low == nullptr) == (taken.high == nullptr)) return;
  const bool above = taken.low != nullptr;
  const ast::Expr& comparison = above ? *taken.low : *taken.high;
  const auto said = numbers_with_words(step.said, numbers());
  const std::vector<std::string> words = words_of(step.said);
  if (said.size() != 2 || said[0].first.percent || comparison.kind != ast::ExprKind::binary) return;
  const bool range = said[0].second == "to" || (said[0].second == "and" && has_word("between", words));
  const Number &low = said[0].first.value, &high = said[1].first.value;
  if (!range || compare(low, high) >= 0 || has_word("points point euro euros percent", said[1].second)) return;
  const Number at = above ? taken.from : taken.to;
  const Number end = above ? low : high;
  const bool strict = above ? taken.low_open : taken.high_open;
  const Number off = above ? sub(end, at, numbers()) : sub(at, end, numbers());
  if (sign(off) != 0 && !(strict && compare(off, whole(1)) == 0)) return;
  const Number limit = above ? high : low;
  const bool taken_next = std::any_of(all.begin(), all.end(), [&](const Step& s) {
    const Taken& t = s.taken;
    return &s != &step && (above ? t.low != nullptr && !t.low_open && compare(t.from, limit) == 0
                                 : t.high != nullptr && !t.high_open && compare(t.to, limit) == 0);
  });
  const std::string sign = std::string(above ? "<" : ">") + (taken_next ? "" : "=");
  const std::string bound = source_text(comparison.args[0]->span) + " " + sign + " " + shortest_text(limit);
  const std::string meant = source_text(comparison.span) + " and " + bound;
  tell(rc, Code::contradicts_prose, comparison.span,
       "this has no end at " + shortest_text(limit) + ", and its text says \"" +
           (said[0].second == "and" ? "between " : "") + shortest_text(low) + " " + said[0].second + " " +
           shortest_text(high) + '"',
       "write " + meant, {{{comparison.span, meant}}});
}

// deduction severe for ["critical", "high"], deduction others for ["high", "medium", "low"]
void SenseChecker::doubt_shared_text(RubricContext& rc, const std::vector<Step>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::size_t k = i + 1; k < steps.size(); ++k) {
      const std::vector<std::string>&a = steps[i].taken.texts, &b = steps[k].taken.texts;
      std::vector<std::string> shared;
      for (const std::string& text : a) {
        if (std::find(b.begin(), b.end(), text) != b.end()) shared.push_back(text);
      }
      const bool again = says(steps[i].said, WordRole::again) || says(steps[k].said, WordRole::again);
      if (shared.size() != 1 || a.size() < 2 || b.size() < 2 || again) continue;
      tell(rc, Code::counted_twice, steps[k].condition->span,
           "'" + steps[i].name + "' and '" + steps[k].name + "' both count \"" + shared[0] + '"',
           "name it in one of them", {});
    }
  }
}

void SenseChecker::doubt_steps(RubricContext& rc) {
  constexpr std::size_t kMost = 30;
  for (const auto& [key, steps] : steps_of(rc)) {
    if (steps.size() > kMost) continue;
    for (const Step& step : steps) doubt_open_step(rc, step, steps);
    if (steps.size() < 2) continue;
    doubt_touching(rc, steps);
    if (!key.starts_with("value ")) doubt_in_both(rc, steps), doubt_shared_text(rc, steps);
  }
  doubt_severities(rc);
  doubt_band_of_name(rc);
  for (const Named& value : named_) doubt_named_number(rc, value);
  for (const ast::Item* item : rc.items) {
    if (const auto* fn = std::get_if<ast::Fn>(&item->node)) doubt_nothing_between(rc, *fn);
  }
}

}  // namespace assay
