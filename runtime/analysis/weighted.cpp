// Exact intervals of weights. docs/analysis.md gives the formulas and their sources.
#include "runtime/analysis/weighted.hpp"

#include "runtime/cohort/rank_order.hpp"
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

namespace {

constexpr double kRoom = 1e-12;  // relative: far above the error of a few double operations

// The scores of a run as functions of the share of one dimension.
class Moving {
 public:
  Moving(const WeightedModel& m, std::size_t k, bool up, NumberPool& pool)
      : m_(m), k_(k), up_(up), rest_(sub(whole(1), m.shares[k], pool)), pool_(pool) {
    end_ = up ? whole(1) : div(m.shares[k], rest_, pool);
    approximations_.reserve(m.records.size());
    for (const WeightedRecord& r : m.records) {
      ScoreApproximation line = r.line;
      line.slope = r.approximate[k] - to_double(r.composite);
      line.size += std::abs(r.approximate[k]);
      if (!up) line.slope = -line.slope;
      approximations_.push_back(line);
    }
  }

  Number end() const { return end_; }  // the largest x
  Number share(Number x) const {
    const Number by = mul(x, rest_, pool_);
    return up_ ? add(m_.shares[k_], by, pool_) : sub(m_.shares[k_], by, pool_);
  }
  ScoreLine line(std::size_t i) const {
    const WeightedRecord& r = m_.records[i];
    const Number slope = sub(r.values[k_], r.composite, pool_);
    return {add(r.composite, r.shift, pool_), up_ ? slope : neg(slope, pool_), r.low, r.high};
  }
  const ScoreApproximation& about(std::size_t i) const { return approximations_[i]; }

 private:
  const WeightedModel& m_;
  std::size_t k_;
  bool up_;
  Number rest_, end_;
  std::vector<ScoreApproximation> approximations_;
  NumberPool& pool_;
};

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

// The first x at which one of the pairs changes places, and the order beyond it. Pairs are examined by their lower
// bounds in doubles, smallest first, until a bound exceeds the x found.
Number first_change(WeightWork& work, const Moving& moving, const Pairs& pairs, std::string& beyond) {
  const WeightedModel& m = work.m;
  const double unit = m.unit.missing() ? 0 : to_double(m.unit), end = to_double(moving.end()) * (1 + kRoom);
  std::vector<std::pair<double, std::size_t>> open;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const double bound = soonest(moving.about(pairs[p].first), moving.about(pairs[p].second), unit);
    if (bound <= end) open.emplace_back(bound, p);
  }
  const auto later = [](const auto& a, const auto& b) { return a > b; };
  std::make_heap(open.begin(), open.end(), later);
  const Crossing crossing(m.unit, m.decimals, work.pool);
  Number best = kMissing;
  double most = end;
  std::size_t at = pairs.size();
  while (!open.empty() && open.front().first <= most && !work.stopped()) {
    const std::size_t p = open.front().second;
    std::pop_heap(open.begin(), open.end(), later);
    open.pop_back();
    const auto [i, j] = pairs[p];
    const Number x = crossing.first(moving.line(i), moving.line(j), m.tie(m.records[i], m.records[j]), moving.end());
    if (x.missing()) continue;
    const int side = best.missing() ? -1 : compare(x, best);
    if (side > 0 || (side == 0 && p > at)) continue;
    best = x;
    at = p;
    most = std::min(end, to_double(best) * (1 + kRoom));
  }
  if (best.missing()) return best;
  const WeightedRecord &a = m.records[pairs[at].first], &b = m.records[pairs[at].second];
  const int then = crossing.beyond(moving.line(pairs[at].first), moving.line(pairs[at].second), m.tie(a, b), best);
  beyond = then > 0 ? a.id + " > " + b.id : then < 0 ? b.id + " > " + a.id : a.id + " = " + b.id;
  return best;
}

void interval(WeightWork& work, std::size_t k, const Pairs& pairs, WeightInterval& into) {
  into = {"0", "1", "", ""};
  if (compare(work.m.shares[k], whole(1)) == 0) return;
  for (const bool up : {false, true}) {
    const Moving moving(work.m, k, up, work.pool);
    const Number x = first_change(work, moving, pairs, up ? into.high_at : into.low_at);
    if (!x.missing()) (up ? into.high : into.low) = exact_or_short(moving.share(x));
  }
}

// The smallest change of this weight alone, before renormalising the others, that makes two neighbours tie.
void least_change(WeightWork& work, std::size_t k, const Pairs& neighbours, WeightSensitivity& w) {
  const WeightedModel& m = work.m;
  NumberPool& pool = work.pool;
  // For a pair: the lead to make up, and the gain per unit of the weight.
  const auto estimate = [&](std::size_t p) {
    const WeightedRecord &a = m.records[neighbours[p].first], &b = m.records[neighbours[p].second];
    const double error = kRoom * (a.line.size + b.line.size + std::abs(a.approximate[k]) + std::abs(b.approximate[k]));
    const double gap = std::max(0.0, std::abs(to_double(b.raw) - to_double(a.raw)) - error);
    const double slope = std::abs((a.approximate[k] + to_double(a.shift)) - (b.approximate[k] + to_double(b.shift)));
    return std::pair(gap / (slope + error), slope > 2 * error ? (gap + 2 * error) / (slope - error) : -1.0);
  };
  const double lowest = -to_double(m.shares[k]);
  double most = -1;  // an upper bound of the least change, from the certainly possible ones
  std::vector<std::pair<double, std::size_t>> open;
  for (std::size_t p = 0; p < neighbours.size(); ++p) {
    const auto [low, high] = estimate(p);
    open.emplace_back(low, p);
    if (high >= 0 && high < -lowest && (most < 0 || high < most)) most = high;
  }
  Number least = kMissing;
  for (const auto& [low, p] : open) {
    if (most >= 0 && low > most) continue;
    const WeightedRecord &a = m.records[neighbours[p].first], &b = m.records[neighbours[p].second];
    const Number slope = sub(add(a.values[k], a.shift, pool), add(b.values[k], b.shift, pool), pool);
    if (sign(slope) == 0) continue;
    const Number d = div(sub(b.raw, a.raw, pool), slope, pool);
    if (sign(add(m.shares[k], d, pool)) < 0) continue;
    if (!least.missing() && compare(assay::abs(d, pool), assay::abs(least, pool)) >= 0) continue;
    least = d;
    w.pair = a.id + ", " + b.id;
  }
  w.least_change = exact_or_short(least);
  if (!least.missing() && sign(m.shares[k]) != 0)
    w.criticality = exact_or_short(mul(div(assay::abs(least, pool), m.shares[k], pool), whole(100), pool));
}

}  // namespace

void weight_intervals(WeightWork& work, Sensitivity& answer) {
  const WeightedModel& m = work.m;
  Pairs neighbours, first;
  for (std::size_t i = 0; i + 1 < m.records.size(); ++i) neighbours.emplace_back(i, i + 1);
  for (std::size_t i = 1; i < m.records.size(); ++i) first.emplace_back(0, i);
  for (std::size_t k = 0; k < m.names.size() && !work.stopped(); ++k) {
    WeightSensitivity w;
    w.name = m.names[k];
    w.weight = exact_or_short(m.shares[k]);
    least_change(work, k, neighbours, w);
    interval(work, k, neighbours, w.order);
    interval(work, k, first, w.winner);
    answer.weights.push_back(std::move(w));
    work.pool.clear();
  }
}

void grade_intervals(WeightWork& work, Sensitivity& answer) {
  const WeightedModel& m = work.m;
  NumberPool& pool = work.pool;
  if (m.edges.empty()) return;
  for (std::size_t k = 0; k < m.names.size() && !work.stopped(); ++k) {
    if (compare(m.shares[k], whole(1)) == 0) continue;
    const Moving up(m, k, true, pool), down(m, k, false, pool);
    const double ends[2] = {to_double(down.end()) * (1 + kRoom), to_double(up.end()) * (1 + kRoom)};
    for (std::size_t i = 0; i < m.records.size(); ++i) {
      const WeightedRecord& r = m.records[i];
      if (r.row < 0) continue;
      // The edges on either side of the score, if the scale allows it to reach them.
      const auto above =
          std::upper_bound(m.edges.begin(), m.edges.end(), r.raw, [](Number a, Number b) { return compare(a, b) < 0; });
      const bool to_upper = above != m.edges.end() && (r.high.missing() || compare(r.high, *above) >= 0);
      const bool to_lower = above != m.edges.begin() && (r.low.missing() || compare(r.low, *(above - 1)) < 0);
      GradeInterval g{r.id, m.names[k], m.ladder.labels[static_cast<std::size_t>(r.row)], "0", "1"};
      bool bounded = false;
      for (const bool upwards : {false, true}) {
        const Moving& moving = upwards ? up : down;
        const ScoreApproximation& about = moving.about(i);
        const bool rises = about.slope > 0;
        if (std::abs(about.slope) > kRoom * about.size) {
          if (!(rises ? to_upper : to_lower)) continue;
          const double distance = std::abs(to_double(rises ? *above : *(above - 1)) - about.start) - kRoom * about.size;
          if (distance / (std::abs(about.slope) + kRoom * about.size) > ends[upwards ? 1 : 0]) continue;
        }
        const ScoreLine line = moving.line(i);
        const int direction = sign(line.slope);
        if (direction == 0 || !(direction > 0 ? to_upper : to_lower)) continue;
        const Number x = div(sub(direction > 0 ? *above : *(above - 1), line.start, pool), line.slope, pool);
        if (compare(x, moving.end()) >= 0) continue;
        (upwards ? g.high : g.low) = exact_or_short(moving.share(x));
        bounded = true;
      }
      if (bounded) answer.grades.push_back(std::move(g));
    }
    pool.clear();
  }
}

}  // namespace assay
