// The smallest changes with which a record reaches a goal. Fewest fields: tries sets of fields by size; a set whose box
// cannot reach the goal is discarded, in others a record is searched. Least cost: in closed form if the rubric is a
// weighted sum, for each setting of the levers that are not numbers; otherwise by best-first branch and bound over
// boxes. Each answer is scored again.
#include "runtime/reach/search.hpp"

#include "runtime/json/json_out.hpp"

#include <algorithm>
#include <functional>

namespace assay {

namespace {

std::vector<Number> weights_of(const Probe& probe) {
  std::vector<Number> weights;
  for (std::size_t i = 0; i < probe.rubric().weighting.weights.size(); ++i)
    weights.push_back(probe.weight(static_cast<int>(i)));
  return weights;
}

}  // namespace

Search::Search(Probe& probe, Probe& still, const Goal& goal, const Levers& levers, std::size_t nodes)
    : probe_(probe),
      still_(still),
      goal_(goal),
      levers_(levers),
      boxes_(probe.model(), probe.rubric_index()),
      nodes_(nodes) {
  constexpr std::uint64_t kWorkOfBox = 2500, kLeastWork = 1'000'000;
  const std::uint64_t boxes = nodes;
  most_work_ = boxes > UINT64_MAX / kWorkOfBox ? UINT64_MAX : std::max(boxes * kWorkOfBox, kLeastWork);
  boxes_.watch(probe_.interrupt());
  rebase(still_, levers_.varied());
}

void Search::work(std::uint64_t values) {
  constexpr std::uint64_t kBetweenLooks = 2048;
  work_ += values;
  if (work_ < next_look_) return;
  next_look_ = work_ + kBetweenLooks;
  if (probe_.interrupt() != nullptr && probe_.interrupted()) stopped_ = true;
}

void Search::rebase(Probe& probe, std::vector<bool> varied) {
  boxes_.rebase(&probe.slot(0), probe.items(), weights_of(probe), std::move(varied));
}

bool Search::may(const Ranges& ranges) {
  if (ended()) return true;
  ++looked_;
  work(levers_.size());
  levers_.set_slots(boxes_, ranges);
  boxes_.begin();
  const bool answer = goal_.may(boxes_);
  work(boxes_.work());
  return answer || ended();
}

bool Search::reached(const LeverSettings& settings) { return !ended() && verified(settings); }

bool Search::verified(const LeverSettings& settings) { return scored(settings) && goal_.reached(probe_); }

bool Search::scored(const LeverSettings& settings) {
  work(levers_.size());
  if (stopped_) return false;
  if (probe_.take(levers_.record(settings))) return true;
  stopped_ = probe_.interrupted();  // otherwise each further record would be written and read in vain
  return false;
}

Setting Search::nearest(std::size_t i, const Range& range) {
  const Lever& lever = levers_[i];
  Setting setting{lever.now, 0};
  if (lever.kind == Lever::Kind::number) {
    if (!range.numbers.low.missing() && compare(lever.now, range.numbers.low) < 0) setting.number = range.numbers.low;
    if (!range.numbers.high.missing() && compare(lever.now, range.numbers.high) > 0)
      setting.number = range.numbers.high;
    return setting;
  }
  while ((range.allowed >> setting.option & 1U) == 0) ++setting.option;
  if (lever.was_missing && static_cast<std::size_t>(setting.option) == lever.options.size()) setting.option = 1;
  return setting;
}

// Divides the range of a free lever at its current value: below, at, and above it. Numbers are on the grid.
std::vector<Range> Search::split(std::size_t i, const Range& range) {
  const Lever& lever = levers_[i];
  std::vector<Range> parts;
  if (lever.kind != Lever::Kind::number) {
    if ((range.allowed & (range.allowed - 1)) == 0) return parts;
    for (int bit = 0; bit < 32; ++bit) {
      if ((range.allowed >> bit & 1U) != 0) parts.push_back({range.numbers, 1U << bit});
    }
    return parts;
  }
  const Interval& r = range.numbers;
  if (!r.low.missing() && !r.high.missing() && compare(r.low, r.high) >= 0) return parts;
  const auto piece = [&](Number low, Number high) {
    Interval numbers{low, high, false, false};
    if (!low.missing() && !high.missing() && compare(low, high) > 0) return;
    parts.push_back({numbers, range.allowed});
  };
  const auto above = [&](Number n) {  // the next number of the grid
    Number next = levers_.on_grid(i, add(n, lever.step, pool_), false, pool_);
    if (compare(next, n) <= 0) next = r.high.missing() ? add(n, lever.step, pool_) : r.high;
    return next;
  };
  const auto below = [&](Number n) {
    Number next = levers_.on_grid(i, sub(n, lever.step, pool_), true, pool_);
    if (compare(next, n) >= 0) next = r.low.missing() ? sub(n, lever.step, pool_) : r.low;
    return next;
  };
  const bool low_side = r.low.missing() || compare(r.low, lever.now) < 0;
  const bool high_side = r.high.missing() || compare(r.high, lever.now) > 0;
  const Number low_end = r.low.missing() ? r.low : levers_.on_grid(i, r.low, true, pool_);
  const Number high_end = r.high.missing() ? r.high : levers_.on_grid(i, r.high, false, pool_);
  if (low_side && high_side) {
    piece(low_end, below(lever.now));
    piece(lever.now, lever.now);
    piece(above(lever.now), high_end);
    return parts;
  }
  // Splits at the number nearest to the record with which the rubric compares; otherwise in the middle, or at twice the
  // distance.
  Number at = kMissing;
  const auto within = [&](Number n) {
    return (r.low.missing() || compare(n, r.low) > 0) && (r.high.missing() || compare(n, r.high) < 0);
  };
  for (const Number n : boxes_.thresholds()) {
    if (!within(n)) continue;
    if (at.missing() ||
        compare(assay::abs(sub(n, lever.now, pool_), pool_), assay::abs(sub(at, lever.now, pool_), pool_)) < 0)
      at = n;
  }
  if (at.missing()) {
    if (!r.low.missing() && !r.high.missing()) {
      at = div(add(r.low, r.high, pool_), whole(2), pool_);
    } else {
      const Number end = r.low.missing() ? r.high : r.low;
      const Number far = add(assay::abs(end, pool_), whole(1), pool_);
      at = r.low.missing() ? sub(end, far, pool_) : add(end, far, pool_);
    }
  }
  const Number cut = levers_.on_grid(i, at, !high_side, pool_);
  const bool at_low = !r.low.missing() && compare(cut, r.low) <= 0,
             at_high = !r.high.missing() && compare(cut, r.high) >= 0;
  if (high_side) {
    const Number first = at_low ? r.low : cut;
    piece(r.low, first);
    piece(above(first), r.high);
  } else {
    const Number last = at_high ? r.high : cut;
    piece(r.low, below(last));
    piece(last, r.high);
  }
  return parts;
}

bool Search::branch(Ranges start, Number most, std::size_t limit, Found& found) {
  struct Node {
    Number cost;
    std::size_t order;
    Ranges ranges;
  };
  const auto later = [](const Node& a, const Node& b) {
    const int order = compare(a.cost, b.cost);
    return order != 0 ? order > 0 : a.order < b.order;
  };
  const auto cost_of = [&](const Ranges& ranges) {
    Number sum = whole(0);
    work(ranges.size());
    for (std::size_t i = 0; i < ranges.size() && !stopped_; ++i)
      sum = add(sum, levers_.cost(i, nearest(i, ranges[i]), pool_), pool_);
    return sum;
  };
  bool unsplit = false;
  std::size_t at = 0;
  const auto anywhere = [&](const Range& range) {
    const Lever& lever = levers_[at++ % levers_.size()];
    return lever.was_missing && range.allowed == 1U << lever.options.size();
  };
  std::vector<Node> open;
  std::size_t order = 0;
  if (may(start)) open.push_back({cost_of(start), order++, std::move(start)});
  while (!open.empty()) {
    if (order > limit || ended()) return false;
    std::pop_heap(open.begin(), open.end(), later);
    Node node = std::move(open.back());
    open.pop_back();
    if (!most.missing() && compare(node.cost, most) >= 0) return true;
    if (found.any && compare(node.cost, found.cost) >= 0) return true;
    LeverSettings settings;
    for (std::size_t i = 0; i < node.ranges.size(); ++i) settings.push_back(nearest(i, node.ranges[i]));
    if (reached(settings)) {  // nothing in this or any remaining box costs less
      found = {true, node.cost, std::move(settings)};
      return true;
    }
    // The lever whose parts exclude most would be best; the one with the widest choice is easy to find.
    std::size_t lever = node.ranges.size();
    std::vector<Range> parts;
    for (std::size_t step = 0; step < node.ranges.size() && parts.empty(); ++step) {
      lever = (order + step) % node.ranges.size();
      parts = split(lever, node.ranges[lever]);
    }
    if (parts.empty()) {  // only numbers with any value are left
      unsplit = unsplit || std::any_of(node.ranges.begin(), node.ranges.end(), anywhere);
      continue;
    }
    for (Range& part : parts) {
      Ranges next = node.ranges;
      next[lever] = part;
      ++order;
      if (!levers_.in_turn(lever, next) || !may(next)) continue;
      open.push_back({cost_of(next), order, std::move(next)});
      std::push_heap(open.begin(), open.end(), later);
    }
  }
  return !unsplit && !ended();
}

// Tries the ends of the ranges of a set of levers, in all combinations.
bool Search::corner(const std::vector<std::size_t>& set, LeverSettings& settings) {
  std::vector<std::vector<Setting>> ends(set.size());
  std::size_t count = 1;
  constexpr std::size_t kMost = 256;
  for (std::size_t k = 0; k < set.size(); ++k) {
    const Lever& lever = levers_[set[k]];
    if (lever.kind == Lever::Kind::item) ends[k] = {{lever.now, 1}};
    for (std::size_t o = 1; lever.kind == Lever::Kind::options && o < lever.options.size(); ++o)
      ends[k].push_back({lever.now, static_cast<int>(o)});
    if (lever.kind == Lever::Kind::number) {
      for (const bool high : {true, false}) {
        Number end = high ? lever.domain.high : lever.domain.low;
        if (end.missing()) {  // far enough to exceed every number that the rubric names
          end = assay::abs(lever.now, pool_);
          for (const Number n : boxes_.thresholds()) end = max(end, assay::abs(n, pool_));
          end = mul(add(end, whole(1), pool_), whole(high ? 1000 : -1000), pool_);
        }
        const Number at = levers_.on_grid(set[k], end, !high, pool_);
        if (compare(at, lever.now) != 0) ends[k].push_back({at, 0});
      }
    }
    if (ends[k].empty()) return false;
    count *= ends[k].size();
  }
  settings = levers_.as_it_stands();
  for (std::size_t code = 0; code < std::min(count, kMost); ++code) {
    std::size_t rest = code;
    for (std::size_t k = 0; k < set.size(); ++k) {
      settings[set[k]] = ends[k][rest % ends[k].size()];
      rest /= ends[k].size();
    }
    if (reached(settings)) return true;
  }
  return false;
}

// Undoes unnecessary changes: numbers move back while the goal is still reached, most expensive first.
void Search::shrink(LeverSettings& settings) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (levers_.moved(i, settings[i])) order.push_back(i);
  }
  // The smallest gain per cost goes back first. The price of each lever's step is compared by trying it alone.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return worth_[a] < worth_[b]; });
  const LeverSettings stand = levers_.as_it_stands();
  for (const std::size_t i : order) {
    const Setting was = settings[i];
    settings[i] = stand[i];
    if (reached(settings)) continue;
    settings[i] = was;
    const Lever& lever = levers_[i];
    if (lever.kind != Lever::Kind::number) continue;
    Number good = was.number, bad = lever.now;
    constexpr int kRounds = 80;
    for (int round = 0; round < kRounds; ++round) {
      const bool up = compare(good, bad) > 0;
      const Number middle = levers_.on_grid(i, div(add(good, bad, pool_), whole(2), pool_), up, pool_);
      Number next = middle;
      if (compare(next, good) == 0)
        next = up ? levers_.on_grid(i, sub(good, lever.step, pool_), false, pool_)
                  : levers_.on_grid(i, add(good, lever.step, pool_), true, pool_);
      const bool between =
          up ? compare(next, bad) > 0 && compare(next, good) < 0 : compare(next, bad) < 0 && compare(next, good) > 0;
      if (!between) break;
      settings[i].number = next;
      (reached(settings) ? good : bad) = next;
    }
    settings[i].number = good;
  }
}

void Search::fewest(Found& found, bool& proved, std::size_t& size) {
  const std::size_t n = levers_.size();
  proved = true;
  Ranges all = levers_.fixed();
  for (std::size_t i = 0; i < n; ++i) all[i] = levers_.full(i);
  if (!may(all)) return;
  // A first answer, whatever it costs, bounds the boxes: every field at its better end, then taken back.
  Found first;
  LeverSettings ends;
  if (best_ends(ends) && reached(ends)) {
    shrink(ends);
    first = {true, levers_.cost(ends, pool_), ends};
  }
  best_first(true, std::min(kClosedForm, nodes_), first, found, proved);
  if (proved || ended()) {
    size = price(true, found.settings).fields;
    if (found.any) found.cost = levers_.cost(found.settings, pool_);
    return;
  }
  const Found closed = std::move(found);
  found = Found();
  proved = true;
  std::size_t budget = nodes_;
  for (size = 1; size <= n; ++size) {
    std::vector<std::size_t> set(size);
    bool unresolved = false;
    std::size_t feasible = 0;
    const std::function<void(std::size_t, std::size_t)> each = [&](std::size_t depth, std::size_t from) {
      if (feasible >= kMostFeasible) return;
      if (looked_ > budget || ended()) {
        unresolved = true;
        return;
      }
      if (depth == size) {
        Ranges ranges = levers_.fixed();
        for (const std::size_t i : set) ranges[i] = levers_.full(i);
        if (!may(ranges)) return;
        LeverSettings settings;
        Found here;
        if (corner(set, settings)) {
          shrink(settings);
          here = {true, levers_.cost(settings, pool_), settings};
        } else if (!branch(ranges, kMissing, kBranchOfSet, here)) {
          unresolved = true;
          return;
        }
        if (!here.any) return;
        ++feasible;
        if (!found.any || compare(here.cost, found.cost) < 0) found = std::move(here);
        return;
      }
      for (std::size_t i = from; i + (size - depth) <= n; ++i) {
        if (levers_[i].after_equal && (depth == 0 || set[depth - 1] + 1 != i)) continue;
        set[depth] = i;
        each(depth + 1, i + 1);
      }
    };
    each(0, 0);
    proved = proved && !ended();
    if (found.any) return;
    proved = proved && !unresolved;
    if (looked_ > budget || ended()) break;
  }
  if (!found.any && closed.any) {
    proved = false;
    found = closed;
    shrink(found.settings);
    found.cost = levers_.cost(found.settings, pool_);
  }
  if (!found.any) {
    // Too many fields to try as sets: takes the result of branch and bound.
    proved = false;
    branch(all, kMissing, nodes_, found);
    if (found.any) shrink(found.settings);
    if (found.any) found.cost = levers_.cost(found.settings, pool_);
    // Sets everything to its better end, then undoes unnecessary changes.
    LeverSettings settings;
    if (!found.any && best_ends(settings) && reached(settings)) {
      shrink(settings);
      found = {true, levers_.cost(settings, pool_), settings};
    }
  }
}

// Sets every lever to the value that gains most alone.
bool Search::best_ends(LeverSettings& settings) {
  settings = levers_.as_it_stands();
  for (std::size_t i = 0; i < levers_.size(); ++i) {
    if (best_[i].has_value()) settings[i] = *best_[i];
  }
  return true;
}

void Search::gains(std::vector<FieldGain>& gains) {
  worth_.assign(levers_.size(), 0);
  best_.assign(levers_.size(), std::nullopt);
  const RawScore raw = raw_score(probe_.rubric());
  if (raw.item < 0 || raw.exact == nullptr) return;
  const auto score = [&](const LeverSettings& settings, NumberPool& pool) {
    if (!scored(settings)) return kMissing;
    rebase(probe_, std::vector<bool>(levers_.varied().size(), false));
    boxes_.begin();
    const BoxRef value = boxes_.value(raw.exact);
    work(boxes_.work());
    return value->point() ? adopt(value->number.low, pool) : kMissing;
  };
  const LeverSettings stand = levers_.as_it_stands();
  const Number now = score(stand, pool_);
  const std::uint64_t part = most_work_ / 3;  // the rest is for the answers
  for (std::size_t i = 0; i < levers_.size() && !now.missing() && !stopped_ && work_ <= part; ++i) {
    ++measured_;
    const Lever& lever = levers_[i];
    std::vector<Setting> tries;
    if (lever.kind == Lever::Kind::item) tries = {{lever.now, 1}};
    for (std::size_t o = 1; lever.kind == Lever::Kind::options && o < lever.options.size(); ++o)
      tries.push_back({lever.now, static_cast<int>(o)});
    if (lever.kind == Lever::Kind::number) {
      for (const Number end : {lever.domain.high, lever.domain.low}) {
        if (!end.missing()) tries.push_back({levers_.on_grid(i, end, compare(end, lever.now) < 0, pool_), 0});
      }
      if (lever.domain.high.missing()) tries.push_back({add(lever.now, lever.step, pool_), 0});
    }
    Number most = whole(0);
    Setting best = stand[i];
    for (const Setting& setting : tries) {
      LeverSettings settings = stand;
      settings[i] = setting;
      const Number then = score(settings, pool_);
      if (then.missing()) continue;
      const Number gain = sub(then, now, pool_);
      if (compare(gain, most) <= 0) continue;
      most = gain;
      best = setting;
    }
    if (sign(most) <= 0) continue;
    best_[i] = best;
    // The least change with the same gain: a number moves back while the gain stays.
    const Number cost = levers_.cost(i, best, pool_);
    const Number points = div(cost, lever.cost, pool_);
    const Number each = div(most, points, pool_);
    worth_[i] = to_double(div(most, cost, pool_));
    const std::string value = lever.kind == Lever::Kind::number ? shortest_text(best.number)
                                                                : lever.options[static_cast<std::size_t>(best.option)];
    gains.push_back({lever.path, value, exact_or_short(most), exact_or_short(points), exact_or_short(each)});
  }
  std::stable_sort(gains.begin(), gains.end(), [&](const FieldGain& a, const FieldGain& b) {
    Number x, y;
    parse_exact(a.gain, x, pool_);
    parse_exact(b.gain, y, pool_);
    return !x.missing() && !y.missing() && compare(x, y) > 0;
  });
  rebase(still_, levers_.varied());
}

}  // namespace assay
