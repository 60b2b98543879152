// The least cost that reaches a goal: in closed form if there is one, otherwise by branch and bound.
#include "lang/value/interval.hpp"
#include "runtime/reach/knapsack.hpp"
#include "runtime/reach/search.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace assay {

namespace {

int compare_prices(const Price& a, const Price& b) {
  return a.fields != b.fields ? (a.fields < b.fields ? -1 : 1) : compare(a.cost, b.cost);
}

// Converts fractions to integers of one unit, if 64 bits suffice.
class Units {
 public:
  bool take(Number n) {
    if (!n.small()) return false;
    const std::int64_t den = n.den / std::gcd(n.num, n.den);
    const std::int64_t by = den / std::gcd(den_, den);
    return by <= kKnapsackMost / den_ && (den_ *= by, true);
  }
  // Rounded up if it is not an integer number of units.
  std::optional<std::int64_t> of(Number n) const {
    if (!n.small()) return std::nullopt;
    const Wide top = static_cast<Wide>(n.num) * den_;
    const Wide units = top / n.den + (top > 0 && top % n.den != 0 ? 1 : 0);
    if (units > kKnapsackMost || units < -kKnapsackMost) return std::nullopt;
    return static_cast<std::int64_t>(units);
  }
  Number number(std::int64_t units) const { return {units, den_}; }

 private:
  std::int64_t den_ = 1;
};

}  // namespace

Price Search::price(bool by_fields, const LeverSettings& settings) {
  Price price{0, levers_.cost(settings, pool_)};
  for (std::size_t i = 0; by_fields && i < settings.size(); ++i) price.fields += levers_.moved(i, settings[i]) ? 1 : 0;
  return price;
}

// The least sum of prices for which the gains reach what is needed, each lever on its grid up to the end of its domain:
// an integer knapsack.
bool Search::knapsack(bool by_fields, const Linear& form, const Ranges& box, const LeverSettings& start,
                      const std::optional<Price>& most, Found& found) {
  struct Part {
    std::size_t lever;
    std::vector<Number> at, gains, costs;  // of each position
    bool counts;                           // counts as a changed field
  };
  constexpr std::size_t kMostPositions = 20'000;
  Units gain_units, cost_units;
  std::vector<Part> parts;
  std::size_t positions = 0;
  for (const Linear::Term& term : form.terms) {
    const Lever& lever = levers_[term.lever];
    const bool up = sign(term.gain) > 0;
    const Interval& range = box[term.lever].numbers;
    const Number from = start[term.lever].number, end = up ? range.high : range.low;
    // Moving further away costs; moving back towards the record would save, and boxes are split for that.
    const bool away = compare(from, lever.now) != 0;
    if (away && (compare(from, lever.now) > 0) != up) return false;
    Part part{term.lever, {}, {}, {}, by_fields && !away};
    const Number gain = assay::abs(term.gain, pool_);
    const Number last = end.missing() ? kMissing : levers_.on_grid(term.lever, end, !up, pool_);
    // From the next number of the grid, until this lever alone meets the need or its range ends.
    Number at = from;
    while (true) {
      const Number beyond = up ? add(at, lever.step, pool_) : sub(at, lever.step, pool_);
      Number next = levers_.on_grid(term.lever, beyond, !up, pool_);
      if (compare(next, at) == 0 || (compare(next, at) > 0) != up)
        next = levers_.on_grid(term.lever, beyond, up, pool_);
      if (!last.missing() && (compare(next, last) > 0) == up) next = last;
      if (compare(next, at) == 0 || (compare(next, at) > 0) != up) break;
      at = next;
      const Number moved = assay::abs(sub(at, from, pool_), pool_);
      part.at.push_back(at);
      part.gains.push_back(mul(moved, gain, pool_));
      part.costs.push_back(mul(moved, lever.cost, pool_));
      if (!gain_units.take(part.gains.back()) || !cost_units.take(part.costs.back())) return false;
      if (++positions > kMostPositions) return false;
      if (compare(part.gains.back(), form.need) >= 0) break;
    }
    if (!part.at.empty()) parts.push_back(std::move(part));
  }
  if (parts.size() > kKnapsackItems) return false;
  const std::optional<std::int64_t> need = gain_units.of(form.need);
  if (!need) return false;
  const Price base = price(by_fields, start);
  std::optional<KnapsackPrice> below;
  if (most) {
    if (compare_prices(base, *most) >= 0) return true;
    const std::optional<std::int64_t> cost = cost_units.of(sub(most->cost, base.cost, pool_));
    if (!cost) return false;
    below = KnapsackPrice{static_cast<std::int64_t>(most->fields) - static_cast<std::int64_t>(base.fields), *cost};
  }
  std::vector<KnapsackItem> items;
  for (const Part& part : parts) {
    KnapsackItem& item = items.emplace_back();
    for (std::size_t p = 0; p < part.at.size(); ++p) {
      const std::optional<std::int64_t> gain = gain_units.of(part.gains[p]), cost = cost_units.of(part.costs[p]);
      if (!gain || !cost) return false;
      item.push_back({*gain, {part.counts ? 1 : 0, *cost}});
    }
  }
  const KnapsackAnswer answer = least_price(items, *need, below, probe_.interrupt());
  if (!answer.found) return answer.complete;
  found.settings = start;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (answer.chosen[i] >= 0)
      found.settings[parts[i].lever].number = parts[i].at[static_cast<std::size_t>(answer.chosen[i])];
  }
  found.any = true;
  found.cost = levers_.cost(found.settings, pool_);
  return answer.complete;
}

// Whatever else moves in the box costs at least what it costs at `here`: the difference to the best answer is all that one
// lever may cost more. A price per point then bounds how far a number may move, and boxes that are bounded decide sooner.
void Search::within(bool by_fields, const Price& here, const Price& best, Ranges& box) {
  for (std::size_t i = 0; i < box.size() && !ended(); ++i) {
    work(1);
    const Lever& lever = levers_[i];
    const Setting near = nearest(i, box[i]);
    const bool away = levers_.moved(i, near);
    const std::size_t fields = here.fields + (by_fields && !away ? 1 : 0);
    if (by_fields && fields < best.fields) continue;  // fewer fields, whatever they cost
    const bool still = by_fields && fields > best.fields;
    const Number room = add(sub(best.cost, here.cost, pool_), levers_.cost(i, near, pool_), pool_);
    if (lever.kind != Lever::Kind::number) {
      if (!away && (still || compare(lever.cost, room) >= 0)) box[i].allowed = 1U;
      continue;
    }
    Interval& range = box[i].numbers;
    if (still) {
      range = exactly(near.number);
      continue;
    }
    const Number reach = div(room, lever.cost, pool_);
    const Number high = max(levers_.on_grid(i, add(lever.now, reach, pool_), false, pool_), near.number);
    const Number low = min(levers_.on_grid(i, sub(lever.now, reach, pool_), true, pool_), near.number);
    if (range.high.missing() || compare(high, range.high) < 0) range.high = high, range.high_open = false;
    if (range.low.missing() || compare(low, range.low) > 0) range.low = low, range.low_open = false;
  }
}

// Divides the range of a lever, preferably of one to `blame`; empty: no range can be divided. `turn` varies which one it
// is, so that none is left out for ever.
std::vector<Range> Search::split_any(const Ranges& ranges, const std::vector<std::size_t>& blame, std::size_t turn,
                                     std::size_t& lever) {
  // Whether it may still both stay and move.
  const auto undecided = [&](std::size_t i) {
    const Range& range = ranges[i];
    if (levers_[i].kind != Lever::Kind::number) return (range.allowed & 1U) != 0 && range.allowed != 1U;
    const Interval& r = range.numbers;
    const bool one = !r.low.missing() && !r.high.missing() && compare(r.low, r.high) == 0;
    return !one && holds(r, levers_[i].now);
  };
  const auto first_step = [&](std::size_t i) {
    const Lever& l = levers_[i];
    return l.kind == Lever::Kind::number ? mul(l.step, l.cost, pool_) : l.cost;
  };
  std::vector<Range> parts;
  const auto divided = [&](std::size_t i) {
    lever = i;
    parts = split(i, ranges[i]);
    return !parts.empty();
  };
  // First levers whose first step is expensive: their effect soon costs more than the best answer.
  std::vector<std::size_t> first;
  std::copy_if(blame.begin(), blame.end(), std::back_inserter(first), undecided);
  std::stable_sort(first.begin(), first.end(),
                   [&](std::size_t a, std::size_t b) { return compare(first_step(a), first_step(b)) > 0; });
  for (const std::size_t i : first) {
    if (divided(i)) return parts;
  }
  for (std::size_t step = 0; step < blame.size(); ++step) {
    if (divided(blame[(turn + step) % blame.size()])) return parts;
  }
  for (std::size_t step = 0; step < levers_.size(); ++step) {
    if (divided((turn + step) % levers_.size())) return parts;
  }
  return {};
}

// A box in which the goal is a weighted sum is solved by the closed form; any other is split at a lever that is in the way
// of one.
void Search::best_first(bool by_fields, std::size_t limit, const Found& known, Found& found, bool& proved) {
  struct Node {
    Price price;
    std::size_t order;
    Ranges ranges;
  };
  const auto later = [](const Node& a, const Node& b) {
    const int order = compare_prices(a.price, b.price);
    return order != 0 ? order > 0 : a.order > b.order;
  };
  found = known;
  proved = true;
  std::optional<Price> best;
  if (found.any) best = price(by_fields, found.settings);
  const auto take = [&](Found better) {
    found = std::move(better);
    best = price(by_fields, found.settings);
  };
  Ranges all = levers_.fixed();
  for (std::size_t i = 0; i < levers_.size(); ++i) all[i] = levers_.full(i);
  std::vector<Node> open;
  open.push_back({Price(), 0, std::move(all)});
  std::size_t order = 0;
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end(), later);
    Node node = std::move(open.back());
    open.pop_back();
    if (best && compare_prices(node.price, *best) >= 0) break;
    if (order > limit || ended()) {
      proved = false;
      break;
    }
    if (best) within(by_fields, node.price, *best, node.ranges);
    LeverSettings start;
    for (std::size_t i = 0; i < node.ranges.size(); ++i) start.push_back(nearest(i, node.ranges[i]));
    if (reached(start)) {
      take({true, levers_.cost(start, pool_), std::move(start)});
      continue;
    }
    std::vector<std::size_t> blame;
    const std::optional<Linear> form =
        linear_form(goal_, probe_.rubric(), boxes_, levers_, node.ranges, start, pool_, blame);
    ++looked_;
    work(levers_.size() + boxes_.work());
    if (form) {
      if (form->impossible) continue;
      Found here;
      const bool complete = knapsack(by_fields, *form, node.ranges, start, best, here);
      if (complete && !here.any) continue;
      if (here.any && reached(here.settings)) {
        take(std::move(here));
        if (complete) continue;
      }
    }
    std::size_t lever = 0;
    const std::vector<Range> parts = split_any(node.ranges, blame, order, lever);
    if (parts.empty()) {
      for (std::size_t i = 0; i < levers_.size(); ++i) {
        if (levers_[i].was_missing && node.ranges[i].allowed == 1U << levers_[i].options.size()) proved = false;
      }
    }
    for (const Range& part : parts) {
      Ranges next = node.ranges;
      next[lever] = part;
      ++order;
      if (!levers_.in_turn(lever, next)) continue;
      LeverSettings at = start;
      for (std::size_t i = 0; i < at.size(); ++i) {
        if (i == lever || levers_[i].kind == Lever::Kind::item) at[i] = nearest(i, next[i]);
      }
      const Price least = price(by_fields, at);
      if (best && compare_prices(least, *best) >= 0) continue;
      if (best) within(by_fields, least, *best, next);
      if (!may(next)) continue;
      open.push_back({least, order, std::move(next)});
      std::push_heap(open.begin(), open.end(), later);
    }
  }
  proved = proved && !ended();
}

}  // namespace assay
