// Changes of all weights together that make another record tie with the winner: the nearest one in Euclidean distance,
// the least sum of absolute changes, and how far all weights may change while the winner is proved to stay. See
// docs/analysis.md.
#include "runtime/analysis/weighted.hpp"

#include "runtime/json/json_out.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace assay {

namespace {

// Two arithmetics for one algorithm: fractions, and doubles that select what to compute with fractions.
struct Fractions {
  using Value = Number;
  NumberPool& pool;
  Number from(std::int64_t n) const { return whole(n); }
  Number plus(Number a, Number b) const { return add(a, b, pool); }
  Number minus(Number a, Number b) const { return sub(a, b, pool); }
  Number times(Number a, Number b) const { return mul(a, b, pool); }
  Number over(Number a, Number b) const { return div(a, b, pool); }
  int sign_of(Number a) const { return sign(a); }
};

struct Doubles {
  using Value = double;
  double from(std::int64_t n) const { return static_cast<double>(n); }
  double plus(double a, double b) const { return a + b; }
  double minus(double a, double b) const { return a - b; }
  double times(double a, double b) const { return a * b; }
  double over(double a, double b) const { return a / b; }
  int sign_of(double a) const { return (a > 0) - (a < 0); }
};

template <typename Value>
struct Tie {
  std::vector<Value> weights;
  Value alike, along;  // the multipliers: weight k is max(0, declared + alike + along * d_k)
};

// The non-negative weights nearest to `shares` with sum 1 at which the sum of weight × d is 0; nothing if there are
// none. The search follows the path of projections of shares + t × c onto the simplex, where c is ±d. Each weight is
// concave along the path, so a weight that has reached 0 stays there, and the path is linear between such events.
template <typename Arithmetic>
std::optional<Tie<typename Arithmetic::Value>> nearest_tie(const Arithmetic& n,
                                                           const std::vector<typename Arithmetic::Value>& shares,
                                                           const std::vector<typename Arithmetic::Value>& d) {
  using Value = typename Arithmetic::Value;
  const std::size_t count = shares.size();
  Value gap = n.from(0);
  for (std::size_t k = 0; k < count; ++k) gap = n.plus(gap, n.times(shares[k], d[k]));
  const Value towards = n.from(-n.sign_of(gap));
  std::vector<Value> c(count);
  for (std::size_t k = 0; k < count; ++k) c[k] = n.times(towards, d[k]);
  std::vector<bool> free(count, true);
  for (std::size_t fixed = 0; fixed < count; ++fixed) {
    Value free_count = n.from(0), sum_c = n.from(0), sum_w = n.from(0);
    for (std::size_t k = 0; k < count; ++k) {
      if (!free[k]) continue;
      free_count = n.plus(free_count, n.from(1));
      sum_c = n.plus(sum_c, c[k]);
      sum_w = n.plus(sum_w, shares[k]);
    }
    const Value base = n.over(n.minus(n.from(1), sum_w), free_count), mean = n.over(sum_c, free_count);
    // On this piece a free weight is shares + base + t (c - mean), and the sum of weight × c rises by `spread` per unit
    // of t.
    Value now = n.from(0), spread = n.from(0), next = n.from(0);
    std::size_t event = count;
    for (std::size_t k = 0; k < count; ++k) {
      if (!free[k]) continue;
      const Value slope = n.minus(c[k], mean), start = n.plus(shares[k], base);
      now = n.plus(now, n.times(c[k], start));
      spread = n.plus(spread, n.times(slope, slope));
      if (n.sign_of(slope) >= 0) continue;
      const Value when = n.over(n.minus(n.from(0), start), slope);
      if (event != count && n.sign_of(n.minus(when, next)) >= 0) continue;
      event = k;
      next = when;
    }
    const bool closes = n.sign_of(spread) > 0;
    const Value t = closes ? n.over(n.minus(n.from(0), now), spread) : n.from(0);
    if (n.sign_of(now) == 0 || (closes && (event == count || n.sign_of(n.minus(t, next)) <= 0))) {
      Tie<Value> tie{std::vector<Value>(count, n.from(0)), n.minus(base, n.times(t, mean)), n.times(t, towards)};
      for (std::size_t k = 0; k < count; ++k) {
        if (free[k]) tie.weights[k] = n.plus(n.plus(shares[k], base), n.times(t, n.minus(c[k], mean)));
      }
      return tie;
    }
    if (event == count) return std::nullopt;
    free[event] = false;
  }
  return std::nullopt;
}

// A lower bound of the squared distance to a tie, by weak duality: valid for any multipliers.
double lower_bound(const std::vector<double>& shares, const std::vector<double>& d, const Tie<double>& tie) {
  constexpr double kError = 1e-13;
  double squares = 0, sum = -1, gap = 0, size = 1;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const double w = std::max(0.0, shares[k] + tie.alike + tie.along * d[k]);
    squares += (w - shares[k]) * (w - shares[k]);
    sum += w;
    gap += w * d[k];
    size += std::abs(tie.along * w * d[k]) + std::abs(tie.alike * w) + (w - shares[k]) * (w - shares[k]);
  }
  return squares - 2 * tie.alike * sum - 2 * tie.along * gap - kError * size;
}

class RivalSearch {
 public:
  explicit RivalSearch(WeightWork& work) : m_(work.m), pool_(work.pool), first_(m_.records.front()) {
    for (const Number share : m_.shares) shares_.push_back(to_double(share));
  }

  // Differences by dimension. The part that does not depend on weights is added to each, because shares add up to 1.
  std::vector<Number> differences(const WeightedRecord& other) const {
    const Number shift = sub(first_.shift, other.shift, pool_);
    std::vector<Number> d;
    for (std::size_t k = 0; k < m_.names.size(); ++k)
      d.push_back(add(sub(first_.values[k], other.values[k], pool_), shift, pool_));
    return d;
  }
  // A lower bound of the squared distance.
  double estimate(const WeightedRecord& other) const {
    std::vector<double> d;
    const double shift = to_double(first_.shift) - to_double(other.shift);
    for (std::size_t k = 0; k < m_.names.size(); ++k) d.push_back(first_.approximate[k] - other.approximate[k] + shift);
    const std::optional<Tie<double>> tie = nearest_tie(Doubles(), shares_, d);
    return tie ? std::max(0.0, lower_bound(shares_, d, *tie)) : 0;
  }

  struct Near {
    Number square;
    std::size_t record;
    Rival rival;
  };
  std::optional<Near> nearest(std::size_t record, NumberPool& kept) const {
    const WeightedRecord& other = m_.records[record];
    const std::vector<Number> d = differences(other);
    const std::optional<Tie<Number>> tie = nearest_tie(Fractions{pool_}, m_.shares, d);
    if (!tie) return std::nullopt;
    Number square = whole(0);
    for (std::size_t k = 0; k < d.size(); ++k) {
      const Number by = sub(tie->weights[k], m_.shares[k], pool_);
      square = add(square, mul(by, by, pool_), pool_);
    }
    Near near{adopt(square, kept), record, {other.id, short_text(assay::sqrt(square, pool_)), moved(d), {}}};
    for (std::size_t k = 0; k < d.size(); ++k)
      near.rival.weights.emplace_back(m_.names[k], exact_or_short(tie->weights[k]));
    return near;
  }

  // The largest e for which no change of each weight by up to that share of itself lets `other` pass.
  Number stays(const WeightedRecord& other) const {
    // If equal scores favour the other one, the winner must lead by a whole unit to lead after rounding.
    const bool wins_ties = m_.tie(first_, other) < 0;
    const Number ahead = wins_ties || m_.unit.missing() ? whole(0) : m_.unit;
    Number least = whole(1);
    const auto line = [&](const auto& difference) {
      Number total = whole(0), spread = whole(0);
      for (std::size_t k = 0; k < m_.names.size(); ++k) {
        const Number part = mul(m_.shares[k], sub(difference(k), ahead, pool_), pool_);
        total = add(total, part, pool_);
        spread = add(spread, assay::abs(part, pool_), pool_);
      }
      if (sign(spread) != 0) least = min(least, max(whole(0), div(total, spread, pool_)));
      if (sign(spread) == 0 && !wins_ties) least = whole(0);
    };
    const auto mine = [&](std::size_t k) { return add(first_.values[k], first_.shift, pool_); };
    const auto its = [&](std::size_t k) { return add(other.values[k], other.shift, pool_); };
    line([&](std::size_t k) { return sub(mine(k), its(k), pool_); });
    // Cases in which the scale raises the other one, or limits the winner.
    if (!other.low.missing()) line([&](std::size_t k) { return sub(mine(k), other.low, pool_); });
    if (!first_.high.missing()) line([&](std::size_t k) { return sub(first_.high, its(k), pool_); });
    return least;
  }

 private:
  // The least sum of absolute changes: weight moves from the dimension with the largest difference to the one with the
  // smallest.
  std::string moved(const std::vector<Number>& d) const {
    std::vector<std::size_t> order(d.size());
    Number gap = whole(0), mass = whole(0);
    for (std::size_t k = 0; k < d.size(); ++k) {
      order[k] = k;
      gap = add(gap, mul(m_.shares[k], d[k], pool_), pool_);
    }
    const int towards = sign(gap);  // negative: only rounding puts the winner first, so the change goes the other way
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const int by = compare(d[a], d[b]) * (towards < 0 ? -1 : 1);
      return by != 0 ? by > 0 : a < b;
    });
    gap = assay::abs(gap, pool_);
    for (std::size_t at = 0; at + 1 < order.size() && sign(gap) > 0; ++at) {
      const Number difference = assay::abs(sub(d[order[at]], d[order.back()], pool_), pool_);
      if (sign(difference) == 0) break;
      const Number part = min(m_.shares[order[at]], div(gap, difference, pool_));
      mass = add(mass, part, pool_);
      gap = sub(gap, mul(part, difference, pool_), pool_);
    }
    return sign(gap) > 0 ? std::string() : exact_or_short(mul(mass, whole(2), pool_));
  }

  const WeightedModel& m_;
  NumberPool& pool_;
  const WeightedRecord& first_;
  std::vector<double> shares_;
};

}  // namespace

void rivals(WeightWork& work, const SensitivityOptions& options, Sensitivity& answer) {
  if (work.m.records.size() < 2) return;
  const RivalSearch search(work);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t j = 1; j < work.m.records.size(); ++j) order.emplace_back(search.estimate(work.m.records[j]), j);
  std::sort(order.begin(), order.end());
  // Nearest first, until the lower bound of the next one exceeds the last distance to be shown.
  std::vector<RivalSearch::Near> found;
  NumberPool kept;
  const auto nearer = [](const RivalSearch::Near& a, const RivalSearch::Near& b) {
    const int by = compare(a.square, b.square);
    return by != 0 ? by < 0 : a.record < b.record;
  };
  for (const auto& [bound, j] : order) {
    const bool full = found.size() >= options.most_rivals;
    if (work.stopped() || (full && (found.empty() || bound > to_double(found.back().square) * (1 + 1e-12)))) break;
    std::optional<RivalSearch::Near> near = search.nearest(j, kept);
    work.pool.clear();
    if (!near) continue;
    found.insert(std::upper_bound(found.begin(), found.end(), *near, nearer), std::move(*near));
    if (found.size() > options.most_rivals) found.pop_back();
  }
  for (RivalSearch::Near& near : found) answer.rivals.push_back(std::move(near.rival));
  Number stable = whole(1);
  for (std::size_t j = 1; j < work.m.records.size() && sign(stable) > 0 && !work.stopped(); ++j) {
    stable = adopt(min(stable, search.stays(work.m.records[j])), kept);
    work.pool.clear();
  }
  answer.stable_to = exact_or_short(mul(stable, whole(100), work.pool));
}

}  // namespace assay
