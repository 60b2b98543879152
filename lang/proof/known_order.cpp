// Knowledge: what is known of several values together: that one is never above another, and the ranges that follow for
// sums and quotients in which a value occurs more than once. See known.hpp.
#include "lang/proof/known.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

namespace {

constexpr int kMostLooks = 60;

bool is_builtin(const Expr& e, Builtin id) { return e.op == Op::builtin && static_cast<Builtin>(e.index) == id; }

bool never_below(const Interval& range, Number n) { return !range.low.missing() && compare(range.low, n) >= 0; }
bool never_above(const Interval& range, Number n) { return !range.high.missing() && compare(range.high, n) <= 0; }

// The list whose items a list, a map or a text has some of, at most as many of them as there are; null: not known.
const Expr* selected_from(const Expr& list) {
  if (list.op == Op::compact) return list.args[0];
  if (list.op == Op::loop) {
    const Collect collect = list.loop->collect;
    if (collect != Collect::list && collect != Collect::map) return nullptr;
    const auto lists = std::count_if(list.loop->clauses.begin(), list.loop->clauses.end(),
                                     [](const LoopClause& c) { return c.kind == LoopClause::Kind::for_in; });
    const LoopClause& first = list.loop->clauses.front();
    return lists == 1 && first.kind == LoopClause::Kind::for_in ? first.expr : nullptr;
  }
  if (list.op != Op::builtin) return nullptr;
  switch (static_cast<Builtin>(list.index)) {
    case Builtin::first:
    case Builtin::last: return list.args.size() == 2 ? list.args[1] : nullptr;
    case Builtin::distinct:
    case Builtin::reverse:
    case Builtin::values:
    case Builtin::words: return list.args[0];
    default: return nullptr;
  }
}

// The list whose items are counted, all of them or (`some`) some of them; null: something else.
const Expr* counted_list(const Expr& e, bool some) {
  if (is_builtin(e, Builtin::count)) return e.args[0];
  if (!some || e.op != Op::loop || e.loop->collect != Collect::count) return nullptr;
  const auto lists = std::count_if(e.loop->clauses.begin(), e.loop->clauses.end(),
                                   [](const LoopClause& c) { return c.kind == LoopClause::Kind::for_in; });
  const LoopClause& first = e.loop->clauses.front();
  return lists == 1 && first.kind == LoopClause::Kind::for_in ? first.expr : nullptr;
}

}  // namespace

// A sum of products of values, each a number of same().
struct Knowledge::Polynomial {
  using Product = std::vector<std::uint32_t>;  // in order
  struct Value {
    std::uint32_t number;
    const Expr* expr;
  };

  std::vector<std::pair<Product, Number>> terms;
  std::vector<Value> values;
  bool repeated = false;  // some value occurs more than once

  bool add(const Product& product, Number factor, NumberPool& pool) {
    constexpr std::size_t kMostTerms = 16;
    auto at = std::find_if(terms.begin(), terms.end(), [&](const auto& t) { return t.first == product; });
    if (at == terms.end()) at = terms.insert(at, {product, whole(0)});
    at->second = assay::add(at->second, factor, pool);
    if (at->second.missing() || !at->second.small()) return false;
    if (sign(at->second) == 0) terms.erase(at);
    return terms.size() <= kMostTerms;
  }
  void know(std::uint32_t number, const Expr& expr) {
    const bool known = std::any_of(values.begin(), values.end(), [=](const Value& v) { return v.number == number; });
    if (!known) values.push_back({number, &expr});
    repeated = repeated || known;
  }
  const Expr& expr(std::uint32_t number) const {
    return *std::find_if(values.begin(), values.end(), [=](const Value& v) { return v.number == number; })->expr;
  }
};

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
  return walk_names(e, behind, [&seen](std::uint64_t name) {
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) return true;
    seen.push_back(name);
    return false;
  });
}

// Whether the test holds for some value that e names, or (`behind`) that one of those names.
template <class Test>
bool Knowledge::walk_names(const Expr& e, bool behind, const Test& test) const {
  constexpr std::size_t kMostParts = 96;
  std::vector<const Expr*> parts = {&e}, bodies;
  std::size_t names = 0;
  for (std::size_t i = 0; i < kMostParts; ++i) {
    if (i == parts.size()) {  // a single name has been looked at when its own body was
      if (!behind || bodies.empty() || names < 2) break;
      parts.insert(parts.end(), bodies.begin(), bodies.end());
      bodies.clear();
    }
    const Expr& part = *parts[i];
    if (part.op == Op::slot || part.op == Op::item || part.op == Op::local || part.op == Op::raw_history) {
      ++names;
      if (test((static_cast<std::uint64_t>(part.op) << 32) | part.index)) return true;
      const Item* item = item_of(part);
      if (item != nullptr && item->body != nullptr) bodies.push_back(item->body);
    } else if (part.op == Op::loop) {
      for (const LoopClause& clause : part.loop->clauses) parts.push_back(clause.expr);
    } else if (part.op != Op::constant) {
      parts.insert(parts.end(), part.args.begin(), part.args.end());
    }
  }
  budget_.step(1 + parts.size() / 8);
  return false;
}

void Knowledge::ensured(int rubric, std::vector<const Expr*> conditions) {
  rubric_ = ensured_by_ = rubric;
  ensured_ = std::move(conditions);
  for (const Expr* condition : ensured_) {
    walk_names(*condition, true, [this](std::uint64_t name) {
      asked_by_checks_.push_back(name);
      return false;
    });
  }
  std::sort(asked_by_checks_.begin(), asked_by_checks_.end());
}

std::optional<Known> Knowledge::closely(const Expr& e, int rubric) {
  rubric_ = rubric;
  const bool asked = ensures(rubric) && walk_names(e, false, [this](std::uint64_t name) {
                       return std::binary_search(asked_by_checks_.begin(), asked_by_checks_.end(), name);
                     });
  if (!asked && e.op != Op::call && !repeats(e)) return {};
  enter(rubric, nullptr);
  for (std::size_t i = 0; asked && i < ensured_.size(); ++i) assume(*ensured_[i], Outcome::does_not_fail);
  closely_ = true;
  const Known known = here(e);
  closely_ = false;
  return known;
}

// Adds e times a factor to the sum; false: it is too long.
bool Knowledge::add_to(Polynomial& sum, const Expr& named, Number factor) {
  const Nesting nesting(budget_);
  if (--looks_ < 0) return false;
  const Expr& body = behind(named);
  const Expr& e = is_sum(body) || body.op == Op::weighted_sum ? body : named;
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
    case Op::constant: return !e.value.missing() && sum.add({}, mul(factor, e.value.number, pool_), pool_);
    default: {
      const std::uint32_t number = same(e);
      sum.know(number, e);
      return sum.add({number}, factor, pool_);
    }
  }
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
  return all;
}

Interval Knowledge::sum_range(const Expr& e) {
  if (!repeats(e)) {
    Interval range;
    if (e.op == Op::sub && ordered_by_facts(*e.args[1], *e.args[0])) range.low = whole(0);
    if (e.op == Op::sub && ordered_by_facts(*e.args[0], *e.args[1])) range.high = whole(0);
    return range;
  }
  const int outer = std::exchange(looks_, kMostLooks);
  Interval range;
  Polynomial sum;
  if (add_to(sum, e, whole(1)) && sum.repeated) range = range_of(sum);
  if (e.op == Op::sub) {
    const Expr &a = behind(*e.args[0]), &b = behind(*e.args[1]);
    // x - floor(x), ceil(x) - x
    const bool above = is_builtin(b, Builtin::floor) && b.args.size() == 1 && same(*b.args[0]) == same(*e.args[0]);
    const bool below = is_builtin(a, Builtin::ceil) && a.args.size() == 1 && same(*a.args[0]) == same(*e.args[1]);
    if (above || below) range = common(range, {whole(0), whole(1), false, true});
    const Interval apart = interval_add(eval(*e.args[0]).range, interval_neg(eval(*e.args[1]).range, pool_), pool_);
    range = common(range, apart);
    if (!never_below(range, whole(0)) && at_most(*e.args[1], *e.args[0]))
      range = common(range, {whole(0), Number(), false, false});
    if (!never_above(range, whole(0)) && at_most(*e.args[0], *e.args[1]))
      range = common(range, {Number(), whole(0), false, false});
  }
  looks_ = outer;
  if (splitting_) return range;
  // (2 when x == 1 else 0) + (3 when x == 2 else 0): what the same value decides
  std::vector<const Expr*> conditions;
  std::map<std::uint32_t, std::vector<const Expr*>> by_value;
  looks_ = kMostLooks;
  conditions_in(e, by_value);
  looks_ = outer;
  constexpr std::size_t kMostConditions = 4;
  for (const auto& [value, all] : by_value) {
    if (all.size() > 1 && conditions.size() + all.size() <= kMostConditions)
      conditions.insert(conditions.end(), all.begin(), all.end());
  }
  if (conditions.empty()) return range;
  splitting_ = true;
  range = common(range, by_cases(e, conditions, 0));
  splitting_ = false;
  return range;
}

// The conditions of the choices that e adds up, by the value that they ask about.
void Knowledge::conditions_in(const Expr& named, std::map<std::uint32_t, std::vector<const Expr*>>& by_value) {
  const Nesting nesting(budget_);
  const Expr& e = behind(named);
  if (--looks_ < 0) return;
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

bool Knowledge::ordered_by_facts(const Expr& a, const Expr& b) {
  if (facts_.known.empty() || is_constant(a) || is_constant(b)) return false;
  const auto [number, turn] = *difference(a, b);
  const auto fact = facts_.known.find(number);
  if (fact == facts_.known.end()) return false;
  const Interval& d = fact->second.range;
  return turn ? never_below(d, whole(0)) : never_above(d, whole(0));
}

// a + b <= c, of a check, for a <= c; the check is not followed by another one.
bool Knowledge::by_a_check(const Expr& a, const Expr& b) {
  if (ensured_.empty() || rubric_ != ensured_by_ || following_) return false;
  following_ = true;
  const bool found = std::any_of(ensured_.begin(), ensured_.end(), [&](const Expr* rule) {
    const bool up = rule->op == Op::le || rule->op == Op::lt, down = rule->op == Op::ge || rule->op == Op::gt;
    if ((!up && !down && rule->op != Op::eq) || model_.types.kind(rule->args[0]->type) != TypeKind::number)
      return false;
    const Expr &less = *rule->args[down ? 1 : 0], &more = *rule->args[down ? 0 : 1];
    if (at_most(a, less) && at_most(more, b)) return true;
    return rule->op == Op::eq && at_most(a, more) && at_most(less, b);
  });
  following_ = false;
  return found;
}

// Whether a counts some of the items that b counts.
bool Knowledge::counts_within(const Expr& a, const Expr& b) {
  const Expr *some = counted_list(a, true), *all = counted_list(b, false);
  if (some == nullptr || all == nullptr) return false;
  constexpr int kMostSteps = 8;
  const auto of_map = [](const Expr& list) { return is_builtin(list, Builtin::values) ? list.args[0] : &list; };
  const std::uint32_t wanted = same(*of_map(*all)), itself = same(*of_map(behind(*all)));
  for (int step = 0; step < kMostSteps && some != nullptr; ++step) {
    if (same(*some) == wanted || same(*some) == itself) return true;
    const Expr& list = behind(*some);
    if (same(list) == wanted || same(list) == itself) return true;
    some = selected_from(list);
  }
  return false;
}

bool Knowledge::at_most(const Expr& x, const Expr& y) {
  const Nesting nesting(budget_);
  if (--looks_ < 0) return false;
  const Expr &a = behind(x), &b = behind(y);
  if (is_constant(a) && a.value.missing()) return true;
  if (same(x) == same(y) || same(a) == same(b) || ordered_by_facts(x, y)) return true;
  if (by_a_check(x, y)) return true;
  const Known below = eval(x), above = eval(y);
  if (!below.range.high.missing() && never_below(above.range, below.range.high)) return true;
  const auto all = [](const std::vector<Expr*>& args, const auto& test) {
    return args.size() > 1 && std::all_of(args.begin(), args.end(), [&](const Expr* arg) { return test(*arg); });
  };
  const auto any = [](const std::vector<Expr*>& args, const auto& test) {
    return args.size() > 1 && std::any_of(args.begin(), args.end(), [&](const Expr* arg) { return test(*arg); });
  };
  const auto under = [&](const Expr& part) { return at_most(part, y); };
  const auto over = [&](const Expr& part) { return at_most(x, part); };
  if (is_builtin(a, Builtin::min) && any(a.args, under)) return true;
  if (is_builtin(a, Builtin::max) && all(a.args, under)) return true;
  if (is_builtin(b, Builtin::max) && any(b.args, over)) return true;
  if (is_builtin(b, Builtin::min) && all(b.args, over)) return true;
  if (is_builtin(a, Builtin::floor) && under(*a.args[0])) return true;
  if (is_builtin(b, Builtin::ceil) && over(*b.args[0])) return true;
  if (b.op == Op::builtin && below.whole) {  // a whole number is rounded to itself
    const auto id = static_cast<Builtin>(b.index);
    std::int64_t decimals = 0;
    const bool rounds = id == Builtin::round || id == Builtin::floor || id == Builtin::round_even;
    const bool fine = b.args.size() == 1 || (is_constant(*b.args[1]) && !b.args[1]->value.missing() &&
                                             to_int64(b.args[1]->value.number, decimals) && decimals >= 0);
    if (rounds && fine && over(*b.args[0])) return true;
  }
  if (a.op == Op::choice && under(*a.args[0]) && under(*a.args[2])) return true;
  if (a.op == Op::default_ && under(*a.args[0]) && under(*a.args[1])) return true;
  if (a.op == Op::mul) {  // a share of it
    for (const std::size_t side : {0U, 1U}) {
      const Interval share = eval(*a.args[side]).range, of = eval(*a.args[1 - side]).range;
      const bool part = never_below(of, whole(0)) && never_above(share, whole(1));
      if (part && under(*a.args[1 - side])) return true;
    }
  }
  if (counts_within(a, b)) return true;
  const auto sums = [](const Expr& e) { return is_sum(e) || e.op == Op::weighted_sum; };
  if (!sums(a) && !sums(b)) return false;
  Polynomial difference;
  return add_to(difference, y, whole(1)) && add_to(difference, x, whole(-1)) && difference.repeated &&
         never_below(range_of(difference), whole(0));
}

Interval Knowledge::quotient(const Expr& e) {
  const Expr &a = *e.args[0], &b = *e.args[1];
  Interval range;
  if (facts_.known.empty() && !repeats(e)) return range;
  if (is_constant(b) || !never_below(eval(b).range, whole(0))) return range;  // by 0, it is missing
  const int outer = std::exchange(looks_, kMostLooks);
  if (at_most(a, b)) range.high = whole(1);
  if (at_most(b, a)) range.low = whole(1);
  // x * (part / all)
  if (const Expr& product = behind(a); product.op == Op::mul) {
    for (const std::size_t side : {0U, 1U}) {
      const Expr &factor = *product.args[side], &part = *product.args[1 - side];
      Interval share;
      if (never_below(eval(part).range, whole(0))) share.low = whole(0);
      if (at_most(part, b)) share.high = whole(1);
      range = common(range, interval_mul(eval(factor).range, share, pool_));
    }
  }
  // 2 * x * y / (x + y), between x and y
  Polynomial product, sum;
  if (is_sum(behind(b)) && add_to(product, a, whole(1)) && add_to(sum, b, whole(1)) && product.terms.size() == 1 &&
      sum.terms.size() == 2) {
    const auto& [factors, by] = product.terms.front();
    const auto &x = sum.terms.front(), &y = sum.terms.back();
    const bool mean = factors.size() == 2 && factors[0] != factors[1] && x.first.size() == 1 && y.first.size() == 1 &&
                      std::min(x.first[0], y.first[0]) == factors[0] && compare(x.second, y.second) == 0 &&
                      std::max(x.first[0], y.first[0]) == factors[1] && sign(x.second) > 0;
    if (mean) {
      const Interval one = eval(sum.expr(factors[0])).range, other = eval(sum.expr(factors[1])).range;
      const Number half = div(by, mul(x.second, whole(2), pool_), pool_);
      if (never_below(one, whole(0)) && never_below(other, whole(0)))
        range = common(range, interval_mul(interval_hull(one, other), exactly(half), pool_));
    }
  }
  looks_ = outer;
  return range;
}

}  // namespace assay
