// The least cost that reaches a goal: by closed form where there is one, by branch and bound elsewhere.
#include "runtime/reach/search.hpp"

#include <algorithm>
#include <functional>

namespace assay {

// Least sum of cost × points so that the gains reach what is needed, each lever in steps of its grid up to the end of its
// domain: depth first over the levers, best gain for the cost first, bounded by the same problem without a grid.
bool Search::knapsack(const Linear& form, const Ranges& box, const Settings_& start, Number most, Found& found) {
  struct Part {
    std::size_t lever;
    Number gain, cost, room;  // of a point; points up to the end, missing: without end
    Number from;
    bool up;
  };
  std::vector<Part> items;
  for (const Linear::Term& term : form.terms) {
    const Lever& lever = levers_[term.lever];
    const bool up = sign(term.gain) > 0;
    const Interval& range = box[term.lever].numbers;
    const Number from = start[term.lever].number, end = up ? range.high : range.low;
    // Moving on from where it stands costs; moving back towards the record would save, which a box is split for.
    if (compare(from, lever.now) != 0 && (compare(from, lever.now) > 0) != up) return false;
    Part item{term.lever, assay::abs(term.gain, pool_), lever.cost, kMissing, from, up};
    if (!end.missing()) {
      const Number last = levers_.on_grid(term.lever, end, !up, pool_);
      item.room = assay::abs(sub(last, from, pool_), pool_);
      if (sign(item.room) == 0 || (compare(last, from) > 0) != up) continue;
    }
    items.push_back(item);
  }
  std::sort(items.begin(), items.end(), [&](const Part& a, const Part& b) {
    const int order = compare(mul(a.gain, b.cost, pool_), mul(b.gain, a.cost, pool_));
    return order != 0 ? order > 0 : a.lever < b.lever;
  });
  // What is still to be paid at least, from the k-th item on.
  const auto bound = [&](std::size_t k, Number need) {
    Number cost = whole(0);
    for (; k < items.size() && sign(need) > 0; ++k) {
      const Part& item = items[k];
      Number points = div(need, item.gain, pool_);
      if (!item.room.missing()) points = min(points, item.room);
      cost = add(cost, mul(points, item.cost, pool_), pool_);
      need = sub(need, mul(points, item.gain, pool_), pool_);
    }
    return sign(need) > 0 ? kMissing : cost;
  };
  std::size_t visits = 0;
  bool complete = true;
  Number best = most;
  Settings_ settings = start;
  const Number base = levers_.cost(start, pool_);
  const std::function<void(std::size_t, Number, Number)> go = [&](std::size_t k, Number need, Number cost) {
    if (++visits > nodes_ || stopped_) {
      complete = false;
      return;
    }
    if (sign(need) <= 0) {
      if (!best.missing() && compare(cost, best) >= 0) return;
      best = cost;
      found = {true, cost, settings};
      return;
    }
    const Number rest = k < items.size() ? bound(k, need) : kMissing;
    if (rest.missing()) return;
    if (!best.missing() && compare(add(cost, rest, pool_), best) >= 0) return;
    const Part& item = items[k];
    const Lever& lever = levers_[item.lever];
    // Numbers that may be best for this lever: all that is needed, rounded up, and each fewer step as long as the bound
    // allows. Steps lie on the grid, or at the end.
    Number points = div(need, item.gain, pool_);
    if (!item.room.missing()) points = min(points, item.room);
    const Number target = item.up ? add(item.from, points, pool_) : sub(item.from, points, pool_);
    Number at = levers_.on_grid(item.lever, target, item.up, pool_);
    while (complete) {
      const Number moved = item.up ? sub(at, item.from, pool_) : sub(item.from, at, pool_);
      if (sign(moved) < 0) break;
      settings[item.lever].number = at;
      go(k + 1, sub(need, mul(moved, item.gain, pool_), pool_), add(cost, mul(moved, item.cost, pool_), pool_));
      if (sign(moved) == 0) break;
      // Fewer of this one: whatever follows is no better for its cost, so stop once that cannot win.
      Number next = item.up ? sub(at, lever.step, pool_) : add(at, lever.step, pool_);
      next = levers_.on_grid(item.lever, next, item.up, pool_);
      if (compare(next, at) == 0 || (compare(next, item.from) < 0) == item.up) next = item.from;
      const Number less = item.up ? sub(next, item.from, pool_) : sub(item.from, next, pool_);
      const Number other = bound(k + 1, sub(need, mul(less, item.gain, pool_), pool_));
      if (other.missing()) break;
      const Number total = add(add(cost, mul(less, item.cost, pool_), pool_), other, pool_);
      if (!best.missing() && compare(total, best) >= 0) break;
      at = next;
    }
    settings[item.lever].number = item.from;
  };
  go(0, form.need, base);
  return complete;
}

// Best first over boxes. A box in which the goal is a weighted sum is solved by the closed form; any other is split at a
// lever that is in the way of one.
void Search::least(const Found& known, Found& found, bool& proved) {
  struct Node {
    Number cost;
    std::size_t order;
    Ranges ranges;
  };
  const auto later = [](const Node& a, const Node& b) {
    const int order = compare(a.cost, b.cost);
    return order != 0 ? order > 0 : a.order > b.order;
  };
  found = known;
  proved = true;
  Ranges all = levers_.fixed();
  for (std::size_t i = 0; i < levers_.size(); ++i) all[i] = levers_.full(i);
  std::vector<Node> open{{whole(0), 0, std::move(all)}};
  std::size_t order = 0;
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end(), later);
    Node node = std::move(open.back());
    open.pop_back();
    if (found.any && compare(node.cost, found.cost) >= 0) break;
    if (order > nodes_ || stopped_) {
      proved = false;
      break;
    }
    Settings_ start;
    for (std::size_t i = 0; i < node.ranges.size(); ++i) start.push_back(nearest(i, node.ranges[i]));
    if (reached(start)) {
      found = {true, node.cost, std::move(start)};
      continue;
    }
    std::vector<std::size_t> blame;
    const std::optional<Linear> form =
        linear_form(goal_, probe_.rubric(), boxes_, levers_, node.ranges, start, pool_, blame);
    ++looked_;
    if (form) {
      if (form->impossible) continue;
      Found here;
      const bool complete = knapsack(*form, node.ranges, start, found.any ? found.cost : kMissing, here);
      if (!here.any && complete) continue;
      if (here.any && reached(here.settings)) {
        found = std::move(here);
        if (!complete) proved = false;
        continue;
      }
      if (complete && !here.any) continue;
    }
    std::vector<Range> parts;
    std::size_t lever = 0;
    for (std::size_t step = 0; step < blame.size() && parts.empty(); ++step) {
      lever = blame[(order + step) % blame.size()];
      parts = split(lever, node.ranges[lever]);
    }
    for (std::size_t step = 0; step < levers_.size() && parts.empty(); ++step) {
      lever = (order + step) % levers_.size();
      parts = split(lever, node.ranges[lever]);
    }
    if (parts.empty()) {
      for (std::size_t i = 0; i < levers_.size(); ++i) {
        if (levers_[i].was_missing && node.ranges[i].allowed == 1U << levers_[i].options.size()) proved = false;
      }
    }
    for (const Range& part : parts) {
      Ranges next = node.ranges;
      next[lever] = part;
      ++order;
      Number cost = whole(0);
      for (std::size_t i = 0; i < next.size(); ++i)
        cost = add(cost, levers_.cost(i, nearest(i, next[i]), pool_), pool_);
      if ((found.any && compare(cost, found.cost) >= 0) || !may(next)) continue;
      open.push_back({cost, order, std::move(next)});
      std::push_heap(open.begin(), open.end(), later);
    }
  }
}

}  // namespace assay
