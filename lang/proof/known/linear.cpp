// Knowledge: facts about sums. After `b <= 10 - a`, a + b is at most 10, and so is a, where b is never below 0. See
// known.hpp.
#include "lang/proof/known/polynomial.hpp"
#include "lang/proof/known/scopes.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace assay {

namespace {

constexpr std::size_t kMostTerms = 6;
constexpr int kMostSums = 2;     // of which a range follows
constexpr int kMostRests = 100;  // that are looked at for one question

Interval times(const Interval& range, Number factor, NumberPool& pool) {  // with open ends, too
  Interval r{mul(range.low, factor, pool), mul(range.high, factor, pool), range.low_open, range.high_open};
  if (sign(factor) < 0) std::swap(r.low, r.high), std::swap(r.low_open, r.high_open);
  return r;
}

}  // namespace

// The terms of a sum with the range of each, and apart from them the number that is added. Nothing: it is
// too long.
std::optional<Knowledge::Linear> Knowledge::linear(const Parts& parts) {
  constexpr int kMostLooks = 24;
  const OneQuestion question(*this, kMostLooks);
  Polynomial sum;
  for (const auto& [e, factor] : parts)
    if (!add_to(sum, *e, factor)) return {};
  Linear all{{}, whole(0), sum.lost, 0, 0};
  if (sum.terms.size() > kMostTerms + 1) return {};
  for (const auto& [product, factor] : sum.terms) {
    if (product.empty()) {
      all.constant = factor;
      continue;
    }
    const Expr* single = product.size() == 1 ? &sum.expr(product[0]) : nullptr;
    Linear::Term term{product, factor, exactly(whole(1)), false, true, single};
    for (std::size_t i = 0; i < product.size(); ++i) {
      const Known value = eval(sum.expr(product[i]));
      const bool square = i > 0 && product[i] == product[i - 1];
      term.range = single != nullptr ? value.range : interval_mul(term.range, square ? Interval{} : value.range, pool_);
      term.missing = term.missing || value.missing;
      term.whole = term.whole && value.whole;
    }
    all.terms.push_back(std::move(term));
  }
  std::sort(all.terms.begin(), all.terms.end(), [](const auto& x, const auto& y) { return x.product < y.product; });
  return all;
}

// That a sum is within the range, where it is given.
void Knowledge::learn_sum(const Parts& parts, const Interval& range, bool missing) {
  if (range.low.missing() && range.high.missing()) return;
  std::optional<Linear> sum = linear(parts);
  // What adds up to nothing may still be missing, and nothing is known of the others then.
  if (!sum || sum->terms.empty() || (sum->lost && missing)) return;
  const Number first = sum->terms.front().factor;
  Known known;
  known.missing = missing;
  known.range = interval_add(range, exactly(neg(sum->constant, pool_)), pool_);
  known.range = times(known.range, div(whole(1), first, pool_), pool_);
  if (sum->terms.size() == 1 && sum->terms.front().product.size() == 1) {
    const Expr& value = *sum->terms.front().value;
    if (&behind(value) == &behind(*parts.front().first)) learn(value, known);
    else learn_all(value, known);
    return;
  }
  constexpr std::uint64_t kSum = 1'000;  // no operation has this number
  std::vector<std::uint64_t> key = {kSum};
  known.whole = true;
  for (Linear::Term& term : sum->terms) {
    term.factor = div(term.factor, first, pool_);
    if (!term.factor.small()) return;
    const std::int64_t common = std::gcd(term.factor.num, term.factor.den);
    key.push_back(term.product.size());
    key.insert(key.end(), term.product.begin(), term.product.end());
    key.push_back(static_cast<std::uint64_t>(term.factor.num / common));
    key.push_back(static_cast<std::uint64_t>(term.factor.den / common));
    known.whole = known.whole && term.whole && is_whole(term.factor);
  }
  const std::uint32_t number =
      numbering_.numbers.emplace(std::move(key), static_cast<std::uint32_t>(numbering_.numbers.size())).first->second;
  sum->number = number;
  sum->mark = mark();
  known = meet(known, Known{}, pool_);  // whole numbers reach their ends
  learn(number, known);
  for (const Linear::Term& term : sum->terms) {  // what it leaves of each, with the others in their ranges
    Linear rest = *sum;
    std::erase_if(rest.terms, [&](const auto& t) { return t.product == term.product; });
    const bool given = std::none_of(rest.terms.begin(), rest.terms.end(), [](const auto& t) { return t.missing; });
    if (term.product.size() > 1 || (missing && !given)) continue;
    const Interval left = interval_add(known.range, interval_neg(range_of(rest, 0), pool_), pool_);
    Known own;
    own.missing = missing;
    own.range = times(left, div(whole(1), term.factor, pool_), pool_);
    if (!inside(term.range, own.range)) learn(term.product.front(), own);
  }
  constexpr std::size_t kMostFacts = 12;
  const bool old =
      std::any_of(facts_.sums.begin(), facts_.sums.end(), [=](const Linear& other) { return other.number == number; });
  if (!old && facts_.sums.size() < kMostFacts) facts_.sums.push_back(std::move(*sum));
}

// Adds another sum, times a factor.
bool Knowledge::add_linear(Linear& sum, const Linear& other, Number factor) {
  budget_.step(1 + other.terms.size());
  for (const Linear::Term& term : other.terms) {
    const auto at = std::lower_bound(sum.terms.begin(), sum.terms.end(), term.product,
                                     [](const Linear::Term& t, const auto& product) { return t.product < product; });
    const Number times = mul(term.factor, factor, pool_);
    if (at == sum.terms.end() || at->product != term.product) {
      sum.terms.insert(at, term)->factor = times;
      continue;
    }
    at->factor = add(at->factor, times, pool_);
    at->range = common(at->range, term.range);
    if (sign(at->factor) == 0) sum.terms.erase(at);
  }
  return std::all_of(sum.terms.begin(), sum.terms.end(), [](const Linear::Term& t) { return t.factor.small(); });
}

// The range of the terms together, from those of each and from the facts: with one about another sum, it is a multiple
// of that and what is left. `sums`: how many facts may still be added up.
Interval Knowledge::range_of(const Linear& sum, int sums) {
  Interval range = exactly(whole(0));
  for (const Linear::Term& term : sum.terms) range = interval_add(range, times(term.range, term.factor, pool_), pool_);
  if (sums == 0 || sum.terms.empty()) return range;
  for (const Linear& fact : facts_.sums) {
    const auto known = facts_.known.find(fact.number);
    if (known == facts_.known.end()) continue;
    const auto in_sum = [&sum](const Linear::Term& term) {
      return std::find_if(sum.terms.begin(), sum.terms.end(),
                          [&](const Linear::Term& t) { return t.product == term.product; });
    };
    // It says something where each of its values is given.
    const bool given = !known->second.missing || std::all_of(fact.terms.begin(), fact.terms.end(), [&](const auto& t) {
      return !t.missing || in_sum(t) != sum.terms.end();
    });
    if (!given) continue;
    for (const Linear::Term& term : fact.terms) {
      const auto own = in_sum(term);
      if (own == sum.terms.end()) continue;
      if (--asking_.rests < 0) return range;
      const Number factor = div(own->factor, term.factor, pool_);
      Linear rest = sum;
      if (!add_linear(rest, fact, neg(factor, pool_)) || rest.terms.size() > sum.terms.size()) continue;
      const Interval part = times(known->second.range, factor, pool_);
      range = common(range, interval_add(part, range_of(rest, sums - 1), pool_));
    }
  }
  return range;
}

// What the facts about sums tell of one. Without ends: nothing.
Interval Knowledge::sum_known(const Parts& parts) {
  if (facts_.sums.empty()) return {};
  const std::optional<Linear> sum = linear(parts);
  if (!sum) return {};
  const bool about = std::any_of(sum->terms.begin(), sum->terms.end(), [this](const Linear::Term& term) {
    return std::any_of(facts_.sums.begin(), facts_.sums.end(), [&](const Linear& fact) {
      return std::any_of(fact.terms.begin(), fact.terms.end(),
                         [&](const auto& t) { return t.product == term.product; });
    });
  });
  asking_.rests = kMostRests;
  return about ? interval_add(range_of(*sum, kMostSums), exactly(sum->constant), pool_) : Interval{};
}

// 1: above 0, -1: below 0, where what it divides is given, or (`missing`) always; 0: neither.
int Knowledge::side_of_0(const Interval& range, bool missing) {
  const auto apart = [missing](Number end, bool open, int side) {
    return !end.missing() && (sign(end) == side || (sign(end) == 0 && (open || !missing)));
  };
  return apart(range.low, range.low_open, 1) ? 1 : apart(range.high, range.high_open, -1) ? -1 : 0;
}

// What the range of a quotient tells of what it divides: after m / n <= 2, m - 2 * n is not above 0, where n is above 0.
void Knowledge::learn_quotient(const Expr& e, const Known& known) {
  const Expr &part = *e.args[0], &all = *e.args[1];
  const int side = is_constant(all) ? 0 : side_of_0(eval(all).range, known.missing);
  if (side == 0) return;
  for (const bool high : {false, true}) {
    const Number end = high ? known.range.high : known.range.low;
    if (end.missing()) continue;
    const bool open = high ? known.range.high_open : known.range.low_open;
    Interval range{whole(0), Number(), open, false};
    if (high == (side > 0)) range = {Number(), whole(0), false, open};
    learn_sum({{&part, whole(1)}, {&all, neg(end, pool_)}}, range, known.missing);
  }
}

// The range of left - right, times what it divides by: 5 * m - 2 * n for 5 * m / n against 2. Only its sign counts.
// Without ends: nothing is known.
Interval Knowledge::without_quotient(const Expr& left, const Expr& right) {
  const auto divides = [this](const Expr& side) {
    const Expr& e = behind(side);
    return e.op == Op::div ? !is_constant(*e.args[1]) : is_sum(e);
  };
  if (!divides(left) && !divides(right)) return {};
  const std::optional<Linear> sum = linear(difference(left, right));
  if (!sum || sum->terms.size() != 1 || sum->terms[0].value == nullptr) return {};
  const Expr& quotient = behind(*sum->terms[0].value);
  if (quotient.op != Op::div) return {};
  const Expr& all = *quotient.args[1];
  const int side = side_of_0(eval(all).range, false);
  const std::optional<Linear> parts =
      side == 0 ? std::nullopt : linear({{quotient.args[0], sum->terms[0].factor}, {&all, sum->constant}});
  if (!parts) return {};
  asking_.rests = kMostRests;
  return times(interval_add(range_of(*parts, kMostSums), exactly(parts->constant), pool_), whole(side), pool_);
}

// Of a / b, where b is above 0: 20 * m / n is at most 10 after m <= n / 2. Each fact about a sum gives a number that may
// be the end; one about m / n itself is multiplied. Without ends: nothing is known.
Interval Knowledge::quotient_known(const Expr& e) {
  if (facts_.known.empty()) return {};
  const std::optional<Linear> part = linear({{e.args[0], whole(1)}}), all = linear({{e.args[1], whole(1)}});
  if (!part || !all) return {};
  Interval range;
  asking_.rests = kMostRests;
  if (part->terms.size() == 1 && part->terms[0].product.size() == 1 && sign(part->constant) == 0) {
    const std::uint64_t of = part->terms[0].product[0];
    const Known* fact = fact_of({static_cast<std::uint64_t>(Op::div), e.index, of, same(*e.args[1])});
    if (fact != nullptr) range = times(fact->range, part->terms[0].factor, pool_);
  }
  for (const Linear& fact : facts_.sums) {
    for (const Linear::Term& term : fact.terms) {
      const auto factor_in = [&](const Linear& sum, const Linear::Term& of) {
        const auto at = std::find_if(sum.terms.begin(), sum.terms.end(),
                                     [&](const Linear::Term& t) { return t.product == of.product; });
        return at == sum.terms.end() ? whole(0) : at->factor;
      };
      if (sign(factor_in(*part, term)) == 0) continue;
      Linear rest = *part;
      if (!add_linear(rest, fact, neg(div(factor_in(*part, term), term.factor, pool_), pool_))) continue;
      for (const Linear::Term& other : all->terms) {
        const Number end = div(factor_in(rest, other), other.factor, pool_);
        Linear beyond = *part;
        if (!add_linear(beyond, *all, neg(end, pool_))) continue;
        const Number constant = sub(part->constant, mul(end, all->constant, pool_), pool_);
        const Interval above = interval_add(range_of(beyond, kMostSums), exactly(constant), pool_);
        if (!above.high.missing() && sign(above.high) <= 0) range = common(range, {Number(), end, false, false});
        if (!above.low.missing() && sign(above.low) >= 0) range = common(range, {end, Number(), false, false});
      }
    }
  }
  return range;
}

}  // namespace assay
