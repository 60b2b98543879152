// Knowledge: what is known of several values together: that one is never above another, and the ranges that follow for
// sums and quotients in which a value occurs more than once. See known.hpp.
#include "lang/proof/known/polynomial.hpp"
#include "lang/proof/known/scopes.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

namespace {

bool never_below(const Interval& range, Number n) { return !range.low.missing() && compare(range.low, n) >= 0; }
bool never_above(const Interval& range, Number n) { return !range.high.missing() && compare(range.high, n) <= 0; }

}  // namespace

// The numbers of which min, max or a mean is asked, where they are written; empty: something else.
const std::vector<Expr*>& numbers_of(const Expr& e) {
  static const std::vector<Expr*> kNone;
  constexpr Builtin kBetween[] = {Builtin::min,  Builtin::max,    Builtin::mean,      Builtin::first,
                                  Builtin::last, Builtin::median, Builtin::percentile};
  const bool between =
      std::any_of(std::begin(kBetween), std::end(kBetween), [&](Builtin id) { return is_builtin(e, id); });
  if (!between || e.args.empty()) return kNone;
  if (e.args.back()->op == Op::make_list) return e.args.back()->args;
  return e.args.size() > 1 && (is_builtin(e, Builtin::min) || is_builtin(e, Builtin::max)) ? e.args : kNone;
}

const Expr& Knowledge::behind(const Expr& e) const {
  constexpr int kMostNames = 8;
  const Expr* value = &e;
  for (int names = 0; names < kMostNames; ++names) {
    const Item* item = item_of(*value);
    if (item == nullptr || item->body == nullptr || item->body->op == Op::let_in) break;
    value = item->body;
  }
  return *value;
}

bool Knowledge::repeats(const Expr& e) const {
  std::vector<std::uint64_t> seen;
  // The values behind names matter to ranges without an end, and to differences.
  const bool behind = e.op == Op::sub || e.op == Op::div || !finite(model_.types[e.type].range);
  return walk_names(e, behind ? Behind::several : Behind::nothing, [&seen](std::uint64_t name) {
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) return true;
    seen.push_back(name);
    return false;
  });
}

// Whether the test holds for some value that e names, or (`behind`) that one of those names, or one of several.
template <class Test>
bool Knowledge::walk_names(const Expr& e, Behind behind, const Test& test) const {
  constexpr std::size_t kMostLooked = 96;
  std::vector<const Expr*> parts = {&e}, bodies;
  std::size_t names = 0;
  for (std::size_t i = 0; i < kMostLooked; ++i) {
    if (i == parts.size()) {  // a single name has been looked at when its own body was
      if (behind == Behind::nothing || behind == Behind::lists || bodies.empty() ||
          (behind == Behind::several && names < 2))
        break;
      parts.insert(parts.end(), bodies.begin(), bodies.end());
      bodies.clear();
    }
    const Expr& part = *parts[i];
    if (part.op == Op::slot || part.op == Op::item || part.op == Op::local || part.op == Op::raw_history) {
      ++names;
      if (test((static_cast<std::uint64_t>(part.op) << 32) | part.index)) return true;
      const Item* item = item_of(part);
      if (item == nullptr || item->body == nullptr) continue;
      const TypeKind kind = model_.types.kind(item->type);
      const bool list = behind == Behind::lists && (kind == TypeKind::list || kind == TypeKind::map);
      (list || item->body->op == Op::item ? parts : bodies).push_back(item->body);
    } else if (part.op == Op::call && test((static_cast<std::uint64_t>(part.op) << 32) | part.index)) {
      return true;
    } else if (part.op == Op::call && part.args.empty()) {  // a function of the rubric, which names its values itself
      if (const Expr* body = model_.functions[part.index].body) parts.push_back(body);
    } else if (part.op == Op::loop) {
      for (const LoopClause& clause : part.loop->clauses) parts.push_back(clause.expr);
    } else if (part.op != Op::constant) {
      parts.insert(parts.end(), part.args.begin(), part.args.end());
    }
  }
  budget_.step(1 + parts.size() / 8);
  return false;
}

bool Knowledge::about_the_same(const Expr& a, const Expr& b) const {
  std::set<std::uint64_t> names[2];
  for (const bool second : {false, true}) {
    walk_names(second ? b : a, Behind::all, [&](std::uint64_t name) {
      const auto op = static_cast<Op>(name >> 32);
      if (op == Op::slot || op == Op::local) names[second].insert(name);
      return false;
    });
  }
  return !names[0].empty() && names[0] == names[1];
}

void Knowledge::ensured(int rubric, std::vector<std::pair<const Expr*, const Loop*>> conditions) {
  rubric_ = ensured_.rubric = rubric;
  std::reverse(conditions.begin(), conditions.end());
  while (!conditions.empty()) {  // each side of 'and', by itself
    const Loop* loop = conditions.back().second;
    const Expr& condition = behind(*conditions.back().first);
    conditions.pop_back();
    if (condition.op == Op::and_) {
      for (const std::size_t side : {1U, 0U}) conditions.emplace_back(condition.args[side], loop);
    } else if (!is_constant(condition)) {
      ensured_.rules.push_back({&condition, loop, {}});
    }
  }
  for (Rule& rule : ensured_.rules) {
    const auto add = [&rule](std::uint64_t name) {
      rule.names.push_back(name);
      return false;
    };
    walk_names(*rule.condition, Behind::all, add);
    if (rule.loop != nullptr) walk_names(*rule.loop->clauses.front().expr, Behind::all, add);
    ensured_.names.insert(ensured_.names.end(), rule.names.begin(), rule.names.end());
  }
  std::sort(ensured_.names.begin(), ensured_.names.end());
}

// The rules that name a value that e names, or one that such a rule names.
std::vector<const Knowledge::Rule*> Knowledge::rules_about(const Expr& e) const {
  std::vector<std::uint64_t> names;
  walk_names(e, Behind::lists, [&](std::uint64_t name) {
    if (std::binary_search(ensured_.names.begin(), ensured_.names.end(), name)) names.push_back(name);
    return false;
  });
  std::vector<const Rule*> found;
  if (names.empty()) return found;
  std::vector<bool> known(ensured_.rules.size());
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < known.size(); ++i) {
      const std::vector<std::uint64_t>& of = ensured_.rules[i].names;
      if (known[i] || std::find_first_of(of.begin(), of.end(), names.begin(), names.end()) == of.end()) continue;
      known[i] = more = true;
      names.insert(names.end(), of.begin(), of.end());
    }
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i]) found.push_back(&ensured_.rules[i]);
  }
  budget_.step(1 + known.size());
  return found;
}

std::optional<Known> Knowledge::closely(const Expr& e, int rubric) {
  rubric_ = rubric;
  std::vector<const Rule*>& rules = ensured_.about;
  rules.clear();
  if (ensures(rubric)) rules = rules_about(e);
  const bool counts_named =  // a list of known length, under a name
      e.op == Op::loop && e.loop->collect == Collect::count && e.loop->clauses.front().expr->op == Op::item;
  if (rules.empty() && e.op != Op::call && !counts_named && !repeats(e)) return {};
  enter(rubric, nullptr);
  asking_.keeping = true;
  constexpr std::size_t kMostRules = 16;  // that are looked at in full
  for (std::size_t pass = 0; pass < std::min<std::size_t>(rules.size(), 2);
       ++pass) {  // a later one matters to earlier ones
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (i < kMostRules) asking_.left = kMostUnderAssumptions;
      const Loop* loop = rules[i]->loop;
      if (loop == nullptr) {
        assume(*rules[i]->condition, Outcome::does_not_fail);
        continue;
      }
      learn(*loop->clauses.front().expr, Known{});
      assume_every({loop, loop->clauses.size(), rules[i]->condition, {}, Outcome::does_not_fail, mark() - 1});
    }
  }
  asking_.closely = true;
  locals_ = {++numbering_.bodies, {}, {}};  // not those of the loops in the rules
  const Known known = here(e);
  asking_.closely = asking_.keeping = false;
  return known;
}

// Adds e times a factor to the sum; false: it is too long.
bool Knowledge::add_to(Polynomial& sum, const Expr& named, Number factor) {
  const Nesting nesting(budget_);
  if (--asking_.looks < 0) return false;
  const Expr& body = behind(named);
  const Expr& e = is_sum(body) || body.op == Op::weighted_sum || summed(body) != nullptr ? body : named;
  switch (e.op) {
    case Op::add: return add_to(sum, *e.args[0], factor) && add_to(sum, *e.args[1], factor);
    case Op::sub: return add_to(sum, *e.args[0], factor) && add_to(sum, *e.args[1], neg(factor, pool_));
    case Op::neg: return add_to(sum, *e.args[0], neg(factor, pool_));
    case Op::mul: {
      for (const std::size_t side : {0U, 1U}) {
        const Expr& by = *e.args[side];
        if (is_constant(by) && !by.value.missing())
          return add_to(sum, *e.args[1 - side], mul(factor, by.value.number, pool_));
      }
      Polynomial a, b;
      if (!add_to(a, *e.args[0], factor) || !add_to(b, *e.args[1], whole(1))) return false;
      for (const Polynomial* part : {&a, &b}) {
        for (const Polynomial::Value& v : part->values) sum.know(v.number, *v.expr);
        sum.repeated = sum.repeated || part->repeated;
        sum.lost = sum.lost || part->lost;
      }
      for (const auto& [p, x] : a.terms) {
        for (const auto& [q, y] : b.terms) {
          budget_.step();
          Polynomial::Product both = p;
          both.insert(both.end(), q.begin(), q.end());
          std::sort(both.begin(), both.end());
          if (!sum.add(both, mul(x, y, pool_), pool_)) return false;
        }
      }
      return true;
    }
    case Op::div: {
      const Expr& by = *e.args[1];
      if (is_constant(by) && !by.value.missing() && sign(by.value.number) != 0)
        return add_to(sum, *e.args[0], div(factor, by.value.number, pool_));
      break;
    }
    case Op::weighted_sum: {
      const std::size_t values = e.args.size() / 2;
      for (std::size_t i = 0; i < values; ++i) {
        const Expr& weight = *e.args[values + i];
        if (!is_constant(weight) || weight.value.missing() ||
            !add_to(sum, *e.args[i], mul(factor, weight.value.number, pool_)))
          return false;
      }
      return true;
    }
    case Op::constant: {
      if (e.value.missing()) return false;
      const bool text = model_.types.kind(e.type) == TypeKind::text;
      const Number value = text ? place_of(e.value.text.view()) : e.value.number;
      return !value.missing() && sum.add({}, mul(factor, value, pool_), pool_);
    }
    default: break;
  }
  if (const std::vector<Expr*>* parts = summed(e)) {  // sum([a, b]), mean([a, b]), count(xs + ys)
    if (is_builtin(e, Builtin::mean)) factor = div(factor, whole(static_cast<std::int64_t>(parts->size())), pool_);
    return std::all_of(parts->begin(), parts->end(), [&](const Expr* part) {
      return add_to(sum, is_builtin(e, Builtin::count) ? count_of(*part) : *part, factor);
    });
  }
  const std::uint32_t number = same(e);
  sum.know(number, e);
  return sum.add({number}, factor, pool_);
}

// The sum of the ranges of its products; and a sum in which each product has a value only once is highest and lowest
// where each value is at an end of its range.
Interval Knowledge::range_of(const Polynomial& sum) {
  constexpr std::size_t kMostCorners = 4;
  std::map<std::uint32_t, Interval> ranges;
  std::vector<std::uint32_t> several;
  bool once = true;
  for (const auto& [product, factor] : sum.terms) {
    for (std::size_t i = 0; i < product.size(); ++i) {
      if (i > 0 && product[i] == product[i - 1]) {
        once = false;
        continue;
      }
      const auto [at, fresh] = ranges.emplace(product[i], Interval{});
      if (fresh) at->second = eval(sum.expr(product[i])).range;
      const bool known = std::find(several.begin(), several.end(), product[i]) != several.end();
      if (!fresh && !known && finite(at->second) && several.size() < kMostCorners) several.push_back(product[i]);
    }
  }
  if (!once) several.clear();
  Interval all;
  for (std::size_t corner = 0; corner < (std::size_t{1} << several.size()); ++corner) {
    budget_.step(1 + sum.terms.size());
    Interval here = exactly(whole(0));
    for (const auto& [product, factor] : sum.terms) {
      Interval term = exactly(factor);
      for (std::size_t i = 0; i < product.size();) {
        std::size_t power = 1;
        while (i + power < product.size() && product[i + power] == product[i]) ++power;
        Interval value = ranges.at(product[i]);
        const auto at = std::find(several.begin(), several.end(), product[i]);
        if (at != several.end()) value = exactly((corner >> (at - several.begin()) & 1U) != 0 ? value.high : value.low);
        if (power > 1) value = interval_pow(value, exactly(whole(static_cast<std::int64_t>(power))), pool_);
        term = interval_mul(term, value, pool_);
        i += power;
      }
      here = interval_add(here, term, pool_);
    }
    all = corner == 0 ? here : interval_hull(all, here);
  }
  return common(all, range_by_pairs(sum));
}

// 2 * max(xs) - 2 * min(xs): what is known of the difference of two values. Without ends: of none.
Interval Knowledge::range_by_pairs(const Polynomial& sum) {
  constexpr std::size_t kMostTerms = 6;
  if (sum.terms.size() > kMostTerms) return {};
  Interval all = exactly(whole(0));
  std::vector<bool> used(sum.terms.size());
  bool found = false;
  const auto value = [&](std::size_t i) {
    return sum.terms[i].first.size() == 1 ? &sum.expr(sum.terms[i].first[0]) : nullptr;
  };
  for (std::size_t i = 0; i < sum.terms.size(); ++i) {
    for (std::size_t k = i + 1; k < sum.terms.size() && !used[i]; ++k) {
      const Number factor = sum.terms[i].second;
      if (used[k] || sum.terms[i].first.size() != 1 || sum.terms[k].first.size() != 1) continue;
      if (compare(factor, neg(sum.terms[k].second, pool_)) != 0) continue;
      const Interval apart = apart_by(*value(i), *value(k));
      if (apart.low.missing() && apart.high.missing()) continue;
      used[i] = used[k] = found = true;
      all = interval_add(all, interval_mul(exactly(factor), apart, pool_), pool_);
    }
    if (used[i]) continue;
    Interval term = exactly(sum.terms[i].second);
    for (const std::uint32_t of : sum.terms[i].first) term = interval_mul(term, eval(sum.expr(of)).range, pool_);
    all = interval_add(all, term, pool_);
  }
  return found ? all : Interval{};
}

// The range of a - b, by the order of the two. Without ends: it is not known.
Interval Knowledge::apart_by(const Expr& a, const Expr& b) {
  Interval range = sum_known(difference(a, b));
  if (!never_below(range, whole(0)) && at_most(b, a)) range = common(range, {whole(0), Number(), false, false});
  if (!never_above(range, whole(0)) && at_most(a, b)) range = common(range, {Number(), whole(0), false, false});
  if (range.low.missing() && range.high.missing()) return range;
  return common(range, interval_add(eval(a).range, interval_neg(eval(b).range, pool_), pool_));
}

Interval Knowledge::sum_range(const Expr& e) {
  if (facts_.sums.empty() && !repeats(e)) return {};
  const OneQuestion question(*this);
  Interval range;
  Polynomial sum;
  if (add_to(sum, e, whole(1))) {
    range = sum.repeated ? range_of(sum) : range_by_pairs(sum);
    for (const Linear& fact : facts_.sums) range = common(range, weighted_by(sum, fact));
  }
  if (e.op == Op::sub) {
    const Expr &a = behind(*e.args[0]), &b = behind(*e.args[1]);
    // x - floor(x), ceil(x) - x
    const bool above = is_builtin(b, Builtin::floor) && b.args.size() == 1 && same(*b.args[0]) == same(*e.args[0]);
    const bool below = is_builtin(a, Builtin::ceil) && a.args.size() == 1 && same(*a.args[0]) == same(*e.args[1]);
    if (above || below) range = common(range, {whole(0), whole(1), false, true});
    range = common(range, apart_by(*e.args[0], *e.args[1]));
  }
  if (asking_.splitting) return range;
  // (2 when x == 1 else 0) + (3 when x == 2 else 0): what the same value decides
  std::vector<const Expr*> conditions;
  std::map<std::uint32_t, std::vector<const Expr*>> by_value;
  asking_.looks = OneQuestion::kMostLooks;
  conditions_in(e, by_value);
  constexpr std::size_t kMostConditions = 4;
  for (const auto& [value, all] : by_value) {
    if (all.size() > 1 && conditions.size() + all.size() <= kMostConditions)
      conditions.insert(conditions.end(), all.begin(), all.end());
  }
  if (conditions.empty()) return range;
  asking_.splitting = true;
  range = common(range, by_cases(e, conditions, 0));
  asking_.splitting = false;
  return range;
}

// p * x + q * y, where p + q is known: their mean, times that. Without ends: it is no mean.
Interval Knowledge::weighted_by(const Polynomial& sum, const Linear& weights) {
  const auto known = facts_.known.find(weights.number);
  Polynomial all;
  for (const Linear::Term& weight : weights.terms) {
    all.terms.emplace_back(weight.product, weight.factor);
    for (const std::uint32_t of : weight.product) {
      const auto value =
          std::find_if(sum.values.begin(), sum.values.end(), [of](const auto& v) { return v.number == of; });
      if (value == sum.values.end()) return {};  // it may be missing
      all.values.push_back(*value);
    }
  }
  const Interval mean = known == facts_.known.end() ? Interval{} : mean_of(sum, all);
  if (mean.low.missing() && mean.high.missing()) return {};  // also of weights that add up to 0
  return interval_mul(mean, known->second.range, pool_);
}

// The conditions of the choices that e adds up, by the value that they ask about.
void Knowledge::conditions_in(const Expr& named, std::map<std::uint32_t, std::vector<const Expr*>>& by_value) {
  const Nesting nesting(budget_);
  const Expr& e = behind(named);
  if (--asking_.looks < 0) return;
  if (is_sum(e) || e.op == Op::weighted_sum) {
    for (const Expr* arg : e.args) conditions_in(*arg, by_value);
  }
  if (e.op != Op::choice) return;
  const Expr* condition = &behind(*e.args[1]);
  while (condition->op == Op::not_) condition = &behind(*condition->args[0]);
  const bool asks = condition->args.size() == 2 && condition->op != Op::and_ && condition->op != Op::or_;
  const Expr* value = !asks ? condition : condition->args[is_constant(*condition->args[0]) ? 1 : 0];
  std::vector<const Expr*>& all = by_value[same(*value)];
  const bool known = std::any_of(all.begin(), all.end(), [&](const Expr* c) { return same(*c) == same(*condition); });
  if (!known || all.size() == 1) all.push_back(condition);  // the same one twice is enough
  conditions_in(*e.args[2], by_value);
}

// The range of e where each condition holds, and where it does not.
Interval Knowledge::by_cases(const Expr& e, const std::vector<const Expr*>& conditions, std::size_t from) {
  const Nesting nesting(budget_);
  if (from == conditions.size()) return eval(e).range;
  std::optional<Interval> all;
  for (const Outcome outcome : {Outcome::holds, Outcome::does_not_hold}) {
    const std::size_t at = mark();
    assume(*conditions[from], outcome);
    if (facts_.possible) {
      const Interval here = by_cases(e, conditions, from + 1);
      if (!empty(here)) all = all ? interval_hull(*all, here) : here;
    }
    back_to(at);
  }
  return all.value_or(Interval{});
}

// a + b <= c, of a check, for a <= c; the check is not followed by another one. It rejects no record in which something
// of its own is missing.
bool Knowledge::by_a_check(const Expr& a, const Expr& b) {
  if (ensured_.about.empty() || rubric_ != ensured_.rubric || asking_.following) return false;
  asking_.following = true;
  const bool found = std::any_of(ensured_.about.begin(), ensured_.about.end(), [&](const Rule* one) {
    const Expr* rule = one->condition;
    if (one->loop != nullptr) return false;
    const bool up = rule->op == Op::le || rule->op == Op::lt, down = rule->op == Op::ge || rule->op == Op::gt;
    if ((!up && !down && rule->op != Op::eq) || model_.types.kind(rule->args[0]->type) != TypeKind::number)
      return false;
    const Expr &less = *rule->args[down ? 1 : 0], &more = *rule->args[down ? 0 : 1];
    const auto given = [&](const Expr& side) {
      return same(side) == same(a) || same(side) == same(b) || !eval(side).missing || given_beside(side, a);
    };
    const auto follows = [&](const Expr& low, const Expr& high) {
      return at_most(a, low) && at_most(high, b) && given(low) && given(high);
    };
    return follows(less, more) || (rule->op == Op::eq && follows(more, less));
  });
  asking_.following = false;
  return found;
}

// -e, as b - a for a - b.
const Expr& Knowledge::negated(const Expr& named) {
  const Expr& e = behind(named);
  const auto [at, fresh] = owned_.opposites.try_emplace(&e);
  if (fresh) {
    at->second.op = e.op == Op::sub ? Op::sub : Op::neg;
    at->second.type = kNumber;
    at->second.optional = e.optional;
    if (e.op == Op::sub) at->second.args = {e.args[1], e.args[0]};
    else at->second.args = {const_cast<Expr*>(&e)};
  }
  return at->second;
}

bool Knowledge::at_most(const Expr& x, const Expr& y) {
  const Nesting nesting(budget_);
  if (--asking_.looks < 0) return false;
  const Expr &a = behind(x), &b = behind(y);
  if (is_constant(a) && a.value.missing()) return true;
  if (same(x) == same(y) || same(a) == same(b)) return true;
  if (never_above(sum_known(difference(x, y)), whole(0))) return true;
  if (by_a_check(x, y)) return true;
  const Known below = eval(x), above = eval(y);
  if (!below.range.high.missing() && never_below(above.range, below.range.high)) return true;
  const auto under = [&](const Expr* part) { return at_most(*part, y); };
  if (is_builtin(a, Builtin::abs) && under(a.args[0]) && under(&negated(*a.args[0]))) return true;
  const auto over = [&](const Expr* part) { return at_most(x, *part); };
  const std::vector<Expr*>&parts = numbers_of(a), &others = numbers_of(b);
  if (!parts.empty()) {
    if (is_builtin(a, Builtin::min) && std::any_of(parts.begin(), parts.end(), under)) return true;
    if (std::all_of(parts.begin(), parts.end(), under)) return true;
  }
  if (!others.empty()) {
    if (is_builtin(b, Builtin::max) && std::any_of(others.begin(), others.end(), over)) return true;
    if (std::all_of(others.begin(), others.end(), over)) return true;
  }
  if (is_builtin(a, Builtin::floor) && under(a.args[0])) return true;
  if (is_builtin(b, Builtin::ceil) && over(b.args[0])) return true;
  const bool rounds =
      is_builtin(b, Builtin::round) || is_builtin(b, Builtin::floor) || is_builtin(b, Builtin::round_even);
  if (rounds && below.whole) {  // a whole number is rounded to itself
    std::int64_t decimals = 0;
    const bool fine = b.args.size() == 1 || (is_constant(*b.args[1]) && !b.args[1]->value.missing() &&
                                             to_int64(b.args[1]->value.number, decimals) && decimals >= 0);
    if (fine && over(b.args[0])) return true;
  }
  if (a.op == Op::choice && under(a.args[0]) && under(a.args[2])) return true;
  if (a.op == Op::default_ && under(a.args[0]) && under(a.args[1])) return true;
  if (a.op == Op::mul) {  // a share of it
    for (const std::size_t side : {0U, 1U}) {
      const Interval share = eval(*a.args[side]).range, of = eval(*a.args[1 - side]).range;
      const bool part = never_below(of, whole(0)) && never_above(share, whole(1));
      if (part && under(a.args[1 - side])) return true;
    }
  }
  if (gathers_at_most(a, b) || items_at_most(a, b)) return true;
  if (!has_terms(a) && !has_terms(b)) return false;
  Polynomial less, more, difference;
  if (!add_to(less, x, whole(1)) || !add_to(more, y, whole(1))) return false;
  // (a + b) / 2 <= max(a, b)
  const auto mean = [&](const Polynomial& sum, const auto& test) {
    Number all = whole(0);
    for (const auto& [product, factor] : sum.terms) {
      if (product.size() != 1 || sign(factor) <= 0) return false;
      all = add(all, factor, pool_);
    }
    return sum.terms.size() > 1 && compare(all, whole(1)) == 0 &&
           std::all_of(sum.terms.begin(), sum.terms.end(), [&](const auto& t) { return test(&sum.expr(t.first[0])); });
  };
  if (mean(less, under) || mean(more, over)) return true;
  return add_to(difference, y, whole(1)) && add_to(difference, x, whole(-1)) &&
         never_below(range_of(difference), whole(0));
}

// (p * x + q * y) / (p + q), between x and y, and 2 * x * y / (x + y): each term of the product is one of the weights times
// something else, which is averaged. Without ends: it is no mean.
Interval Knowledge::mean_of(const Polynomial& product, const Polynomial& weights) {
  const std::size_t count = weights.terms.size();
  if (count < 2) return {};
  for (const auto& [weight, factor] : weights.terms) {
    const auto positive = [&](std::uint32_t of) { return never_below(eval(weights.expr(of)).range, whole(0)); };
    if (sign(factor) <= 0 || !std::all_of(weight.begin(), weight.end(), positive)) return {};
  }
  std::vector<Polynomial> averaged(count);
  for (const auto& [term, factor] : product.terms) {
    std::vector<std::size_t> in;
    for (std::size_t i = 0; i < count; ++i) {
      const Polynomial::Product& weight = weights.terms[i].first;
      if (std::includes(term.begin(), term.end(), weight.begin(), weight.end())) in.push_back(i);
    }
    if (in.empty()) return {};
    for (const std::size_t i : in) {
      const auto& [weight, times] = weights.terms[i];
      Polynomial::Product rest;
      std::set_difference(term.begin(), term.end(), weight.begin(), weight.end(), std::back_inserter(rest));
      const Number by = mul(times, whole(static_cast<std::int64_t>(in.size())), pool_);
      if (!averaged[i].add(rest, div(factor, by, pool_), pool_)) return {};
    }
  }
  Interval all;
  for (std::size_t i = 0; i < count; ++i) {
    averaged[i].values = product.values;
    const Interval one = range_of(averaged[i]);
    all = i == 0 ? one : interval_hull(all, one);
  }
  return all;
}

Interval Knowledge::quotient(const Expr& e) {
  const Expr &a = *e.args[0], &b = *e.args[1];
  Interval range;
  if (facts_.known.empty() && !repeats(e)) return range;
  if (is_constant(b) || !never_below(eval(b).range, whole(0))) return range;  // by 0, it is missing
  const OneQuestion question(*this);
  range = quotient_known(e);
  const bool lists = lists_known() || !facts_.counted.empty();
  if (lists) range = common(range, mean_of_items(a, b));
  if (at_most(a, b)) range = common(range, {Number(), whole(1), false, false});
  asking_.looks = OneQuestion::kMostLooks;
  if (at_most(b, a)) range = common(range, {whole(1), Number(), false, false});
  // x * (part / all)
  if (const Expr& product = behind(a); product.op == Op::mul) {
    for (const std::size_t side : {0U, 1U}) {
      const Expr &factor = *product.args[side], &part = *product.args[1 - side];
      Interval share;
      if (never_below(eval(part).range, whole(0))) share.low = whole(0);
      asking_.looks = OneQuestion::kMostLooks;
      if (at_most(part, b)) share.high = whole(1);
      if (lists) share = common(share, mean_of_items(part, b));
      range = common(range, interval_mul(eval(factor).range, share, pool_));
    }
  }
  Polynomial product, sum;
  if (is_sum(behind(b)) && add_to(product, a, whole(1)) && add_to(sum, b, whole(1)))
    range = common(range, mean_of(product, sum));
  return range;
}

}  // namespace assay
