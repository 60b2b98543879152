// Intervals of weights, and the nearest ties: exact. See weighted.hpp; the formulas and their sources are in
// docs/analysis.md.
#include "runtime/analysis/weighted.hpp"

#include "runtime/json/json_out.hpp"

#include <algorithm>
#include <cmath>

namespace assay {

int WeightedModel::tie(const WeightedRecord& a, const WeightedRecord& b) const {
  for (std::size_t k = 0; k < tie_keys.size(); ++k) {
    const RankModel& key = rubric->rank[tie_keys[k]];
    const TypeId type = rubric->items[static_cast<std::size_t>(key.item)].type;
    const int order = compare_keys(model->types, type, a.keys[k], b.keys[k], key.higher);
    if (order != 0) return order < 0 ? -1 : 1;
  }
  return 0;
}

Number WeightedModel::after(const WeightedRecord& r, Number composite, NumberPool& pool) const {
  const auto keep = [&](Number n) {
    if (!scale.low.missing()) n = max(n, scale.low);
    if (!scale.high.missing()) n = min(n, scale.high);
    return n;
  };
  if (!adjusts) return composite;
  Number n = composite;
  if (sign(r.down) != 0) n = keep(sub(n, r.down, pool));
  if (sign(r.up) != 0) n = keep(add(n, r.up, pool));
  return n;
}

namespace {

// A score as a function of the share t of one dimension: rest + slope t, then what follows the composite.
struct Line {
  const WeightedRecord* record;
  Number rest, slope;  // S(t) = rest + slope t
};

Line line_of(const WeightedModel& m, std::size_t k, const WeightedRecord& r, NumberPool& pool) {
  const Number w = m.shares[k];
  const Number rest = div(sub(r.composite, mul(w, r.values[k], pool), pool), sub(whole(1), w, pool), pool);
  return {&r, rest, sub(r.values[k], rest, pool)};
}

Number raw_at(const WeightedModel& m, const Line& line, Number t, NumberPool& pool) {
  return m.after(*line.record, add(line.rest, mul(line.slope, t, pool), pool), pool);
}

// 1: a before b, 0: level, -1: behind.
int relation(const WeightedModel& m, const Line& a, const Line& b, Number t, NumberPool& pool) {
  const int order = compare(m.rounded(raw_at(m, a, t, pool), pool), m.rounded(raw_at(m, b, t, pool), pool));
  return order != 0 ? order : -m.tie(*a.record, *b.record);
}

// Where a line reaches a value of its score: t, within what the scale does not cut.
Number reaches(const Line& line, Number composite, NumberPool& pool) {
  if (sign(line.slope) == 0) return kMissing;
  return div(sub(composite, line.rest, pool), line.slope, pool);
}

// The next t beyond `from` at which a rounded score of this line changes.
Number next_step(const WeightedModel& m, const Line& line, Number from, bool up, NumberPool& pool) {
  if (sign(line.slope) == 0 || m.unit.missing()) return kMissing;
  const bool rises = (sign(line.slope) > 0) == up;
  const Number s = add(line.rest, mul(line.slope, from, pool), pool);
  const Number shift = m.adjusts ? sub(line.record->up, line.record->down, pool) : whole(0);
  const Number half = div(m.unit, whole(2), pool);
  // Edges of rounding lie at odd halves of the unit of the score.
  const Number position = div(sub(add(s, shift, pool), half, pool), m.unit, pool);
  Number edge = round_to(position, 0, rises ? Rounding::floor : Rounding::ceil, pool);
  edge = rises ? add(edge, whole(1), pool) : sub(edge, whole(1), pool);
  const Number target = sub(add(mul(edge, m.unit, pool), half, pool), shift, pool);
  return reaches(line, target, pool);
}

// From the declared share towards 0 or 1: the first t at which the relation is another one.
Number first_change(const WeightedModel& m, const Line& a, const Line& b, Number w, bool up, NumberPool& pool) {
  const int now = relation(m, a, b, w, pool);
  const Number end = whole(up ? 1 : 0);
  const auto beyond = [&](Number t, Number than) { return up ? compare(t, than) > 0 : compare(t, than) < 0; };
  Number t = w;
  constexpr int kMostSteps = 20'000;
  for (int step = 0; step < kMostSteps && beyond(end, t); ++step) {
    // As long as they are a whole unit apart, and on the unbent part of the scale, nothing can change.
    Number next = end;
    const auto take = [&](Number candidate) {
      if (!candidate.missing() && beyond(candidate, t) && beyond(next, candidate)) next = candidate;
    };
    const Number gap = sub(raw_at(m, a, t, pool), raw_at(m, b, t, pool), pool);
    const Number slopes = sub(a.slope, b.slope, pool);
    const Number unit = m.unit.missing() ? whole(0) : m.unit;
    bool skipped = false;
    for (const Line* line : {&a, &b}) {  // where the scale begins and ends to cut
      if (!m.adjusts) break;
      const WeightedRecord& r = *line->record;
      for (const Number edge : {m.scale.low, m.scale.high}) {
        if (edge.missing()) continue;
        take(reaches(*line, add(edge, r.down, pool), pool));
        take(reaches(*line, sub(add(edge, r.down, pool), r.up, pool), pool));
      }
    }
    if (compare(assay::abs(gap, pool), unit) > 0 && sign(slopes) != 0) {
      const Number shift = sub(sub(gap, mul(slopes, t, pool), pool), whole(0), pool);  // gap(t) = shift + slopes t
      const Number at = div(sub(sign(gap) > 0 ? unit : neg(unit, pool), shift, pool), slopes, pool);
      if (beyond(at, t)) {
        take(at);
        skipped = true;
      }
    }
    if (!skipped && m.unit.missing()) {
      if (sign(slopes) != 0) take(div(neg(sub(gap, mul(slopes, t, pool), pool), pool), slopes, pool));
    } else if (!skipped) {
      take(next_step(m, a, t, up, pool));
      take(next_step(m, b, t, up, pool));
    }
    const Number middle = div(add(t, next, pool), whole(2), pool);
    if (relation(m, a, b, middle, pool) != now) return t;
    if (relation(m, a, b, next, pool) != now) return next;
    t = next;
  }
  return kMissing;
}

std::string share_text(Number n) { return exact_text(n); }

// Where a pair comes within a unit, in doubles: not later than it changes.
double soonest(const WeightedModel& m, std::size_t k, const WeightedRecord& a, const WeightedRecord& b, double w,
               bool up) {
  const double gap = (to_double(a.composite) + a.offset) - (to_double(b.composite) + b.offset);
  const double rest_a = (to_double(a.composite) - w * a.approximate[k]) / (1 - w);
  const double rest_b = (to_double(b.composite) - w * b.approximate[k]) / (1 - w);
  const double slope = (a.approximate[k] - rest_a) - (b.approximate[k] - rest_b);
  const double unit = m.unit.missing() ? 0 : to_double(m.unit);
  constexpr double kSafe = 1e-9;
  if (m.adjusts && (a.offset != 0 || b.offset != 0)) return w;  // the scale may bend it
  const double room = std::abs(gap) - unit;
  if (room <= 0) return w;
  const double towards = gap > 0 ? -slope : slope;  // how fast the gap closes as t grows
  const double speed = up ? towards : -towards;
  if (speed <= 0) return up ? 2 : -1;
  return up ? w + room / speed - kSafe : w - room / speed + kSafe;
}

}  // namespace

Bounds pair_bounds(const WeightedModel& m, std::size_t k, const WeightedRecord& a, const WeightedRecord& b,
                   NumberPool& pool) {
  if (compare(m.shares[k], whole(1)) == 0) return {kMissing, kMissing};
  const Line x = line_of(m, k, a, pool), y = line_of(m, k, b, pool);
  return {first_change(m, x, y, m.shares[k], false, pool), first_change(m, x, y, m.shares[k], true, pool)};
}

namespace {

void interval(const WeightedModel& m, std::size_t k, const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
              WeightInterval& into, NumberPool& pool) {
  into = {"0", "1", "", ""};
  if (compare(m.shares[k], whole(1)) == 0) return;
  const double w = to_double(m.shares[k]);
  for (const bool up : {false, true}) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t p = 0; p < pairs.size(); ++p)
      order.emplace_back(soonest(m, k, m.records[pairs[p].first], m.records[pairs[p].second], w, up), p);
    std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
      return a.first != b.first ? (up ? a.first < b.first : a.first > b.first) : a.second < b.second;
    });
    Number best = kMissing;
    for (const auto& [soon, p] : order) {
      if (up ? soon > 1 : soon < 0) break;
      if (!best.missing() && (up ? soon > to_double(best) : soon < to_double(best))) break;
      const WeightedRecord &a = m.records[pairs[p].first], &b = m.records[pairs[p].second];
      const Number at = first_change(m, line_of(m, k, a, pool), line_of(m, k, b, pool), m.shares[k], up, pool);
      if (at.missing() || (!best.missing() && (up ? compare(at, best) >= 0 : compare(at, best) <= 0))) continue;
      best = at;
      (up ? into.high_at : into.low_at) = b.id + " > " + a.id;
    }
    if (!best.missing()) (up ? into.high : into.low) = share_text(best);
  }
}

}  // namespace

void weight_intervals(const WeightedModel& m, Sensitivity& answer, NumberPool& pool) {
  const std::size_t n = m.records.size();
  std::vector<std::pair<std::size_t, std::size_t>> neighbours, first;
  for (std::size_t i = 0; i + 1 < n; ++i) neighbours.emplace_back(i, i + 1);
  for (std::size_t i = 1; i < n; ++i) first.emplace_back(0, i);
  for (std::size_t k = 0; k < m.names.size(); ++k) {
    WeightSensitivity w;
    w.name = m.names[k];
    w.weight = share_text(m.shares[k]);
    // The smallest change of this weight alone that makes two neighbours tie, before the others are renormalised.
    Number least = kMissing;
    for (const auto& [i, j] : neighbours) {
      const WeightedRecord &a = m.records[i], &b = m.records[j];
      const Number gap = sub(b.raw, a.raw, pool);
      const Number offsets = sub(sub(a.raw, a.composite, pool), sub(b.raw, b.composite, pool), pool);
      const Number slope = add(sub(a.values[k], b.values[k], pool), offsets, pool);
      if (sign(slope) == 0) continue;
      const Number d = div(gap, slope, pool);
      if (sign(add(m.shares[k], d, pool)) < 0) continue;
      if (!least.missing() && compare(assay::abs(d, pool), assay::abs(least, pool)) >= 0) continue;
      least = d;
      w.pair = a.id + ", " + b.id;
    }
    w.least_change = exact_text(least);
    if (!least.missing() && sign(m.shares[k]) != 0)
      w.criticality = exact_text(mul(div(assay::abs(least, pool), m.shares[k], pool), whole(100), pool));
    interval(m, k, neighbours, w.order, pool);
    interval(m, k, first, w.winner, pool);
    answer.weights.push_back(std::move(w));
    pool.clear();
  }
}

void grade_intervals(const WeightedModel& m, Sensitivity& answer, NumberPool& pool) {
  if (m.ladder.labels.empty()) return;
  Number half = m.unit.missing() ? whole(0) : div(m.unit, whole(2), pool);
  for (std::size_t k = 0; k < m.names.size(); ++k) {
    if (compare(m.shares[k], whole(1)) == 0) continue;
    for (const WeightedRecord& r : m.records) {
      if (r.row < 0) continue;
      const Line line = line_of(m, k, r, pool);
      if (sign(line.slope) == 0) continue;
      // Edges of the row on either side, as composites; a scale that cuts is met before.
      Number low = whole(0), high = whole(1);
      const auto edge = [&](std::size_t row) {
        if (row >= m.ladder.thresholds.size() || m.ladder.thresholds[row].missing()) return;
        const Number composite = add(sub(sub(m.ladder.thresholds[row], half, pool), r.up, pool), r.down, pool);
        const Number t = reaches(line, composite, pool);
        if (t.missing()) return;
        const int side = compare(t, m.shares[k]);
        if (side <= 0 && compare(t, low) > 0 && (side < 0 || sign(line.slope) > 0)) low = t;
        if (side > 0 && compare(t, high) < 0) high = t;
      };
      for (std::size_t row = 0; row < m.ladder.thresholds.size(); ++row) edge(row);
      if (sign(low) == 0 && compare(high, whole(1)) == 0) continue;
      answer.grades.push_back(
          {r.id, m.names[k], m.ladder.labels[static_cast<std::size_t>(r.row)], share_text(low), share_text(high)});
    }
    half = m.unit.missing() ? whole(0) : div(m.unit, whole(2), pool);
  }
}

void rivals(const WeightedModel& m, Sensitivity& answer, NumberPool& pool) {
  if (m.records.size() < 2) return;
  const std::size_t count = m.names.size();
  const WeightedRecord& first = m.records.front();
  struct Near {
    Number square;
    Rival rival;
  };
  std::vector<Near> found;
  Number stable = kMissing;
  for (std::size_t j = 1; j < m.records.size(); ++j) {
    const WeightedRecord& other = m.records[j];
    // What the weights do not decide counts in every dimension alike, as shares add up to 1.
    const Number offset = sub(sub(first.raw, first.composite, pool), sub(other.raw, other.composite, pool), pool);
    std::vector<Number> d(count);
    Number total = whole(0), spread = whole(0);
    for (std::size_t k = 0; k < count; ++k) {
      d[k] = add(sub(first.values[k], other.values[k], pool), offset, pool);
      total = add(total, mul(m.shares[k], d[k], pool), pool);
      spread = add(spread, mul(m.shares[k], assay::abs(d[k], pool), pool), pool);
    }
    if (sign(spread) > 0) {
      const Number e = div(total, spread, pool);
      if (sign(e) >= 0 && (stable.missing() || compare(e, stable) < 0)) stable = e;
    }
    // The nearest weights, in squares, at which both are level; those that would fall below 0 stay there.
    std::vector<Number> w = m.shares;
    std::vector<bool> fixed(count, false);
    bool possible = true;
    for (std::size_t round = 0; round <= count; ++round) {
      Number free = whole(0), sum_d = whole(0), rest = whole(1), gap = whole(0);
      for (std::size_t k = 0; k < count; ++k) {
        if (fixed[k]) continue;
        free = add(free, whole(1), pool);
        sum_d = add(sum_d, d[k], pool);
      }
      if (sign(free) == 0) {
        possible = false;
        break;
      }
      // Of the free weights: as declared, moved alike so that all add up to 1, then along c until level.
      Number declared = whole(0);
      for (std::size_t k = 0; k < count; ++k) declared = fixed[k] ? declared : add(declared, m.shares[k], pool);
      const Number alike = div(sub(rest, declared, pool), free, pool), mean = div(sum_d, free, pool);
      Number square = whole(0);
      for (std::size_t k = 0; k < count; ++k) {
        if (fixed[k]) continue;
        gap = add(gap, mul(add(m.shares[k], alike, pool), d[k], pool), pool);
        const Number c = sub(d[k], mean, pool);
        square = add(square, mul(c, c, pool), pool);
      }
      if (sign(square) == 0) {
        possible = sign(gap) == 0;
        break;
      }
      const Number by = div(gap, square, pool);
      bool below = false;
      for (std::size_t k = 0; k < count; ++k) {
        w[k] = fixed[k] ? whole(0) : sub(add(m.shares[k], alike, pool), mul(by, sub(d[k], mean, pool), pool), pool);
      }
      for (std::size_t k = 0; k < count; ++k) {
        if (sign(w[k]) >= 0) continue;
        fixed[k] = true;
        below = true;
      }
      if (!below) break;
    }
    if (!possible) continue;
    Number square = whole(0);
    for (std::size_t k = 0; k < count; ++k) {
      const Number by = sub(w[k], m.shares[k], pool);
      square = add(square, mul(by, by, pool), pool);
    }
    // The least mass that has to move from dimension to dimension: from the largest difference to the smallest.
    std::vector<std::size_t> order(count);
    for (std::size_t k = 0; k < count; ++k) order[k] = k;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const int by = compare(d[a], d[b]);
      return by != 0 ? by > 0 : a < b;
    });
    Number gap = total, moved = whole(0);
    for (std::size_t at = 0; at + 1 < count && sign(gap) > 0; ++at) {
      const std::size_t donor = order[at];
      const Number difference = sub(d[donor], d[order.back()], pool);
      if (sign(difference) <= 0) break;
      const Number mass = min(m.shares[donor], div(gap, difference, pool));
      moved = add(moved, mass, pool);
      gap = sub(gap, mul(mass, difference, pool), pool);
    }
    Near near{square, {other.id, short_text(assay::sqrt(square, pool)), "", {}}};
    if (sign(gap) <= 0) near.rival.total = exact_text(mul(moved, whole(2), pool));
    for (std::size_t k = 0; k < count; ++k) near.rival.weights.emplace_back(m.names[k], exact_text(w[k]));
    found.push_back(std::move(near));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Near& a, const Near& b) { return compare(a.square, b.square) < 0; });
  for (Near& near : found) answer.rivals.push_back(std::move(near.rival));
  if (!stable.missing()) answer.stable_to = exact_text(mul(stable, whole(100), pool));
}

}  // namespace assay
