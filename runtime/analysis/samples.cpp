// What is estimated, in doubles: places under unknown weights, effects of dimensions, verdicts under noise. The samples come
// from a generator of their own, with operations whose results are the same on every machine.
#include "runtime/analysis/weighted.hpp"
#include "runtime/json/json_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace assay {

namespace {

// xoshiro256** by Blackman and Vigna, seeded by splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15u;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      word = z ^ (z >> 31);
    }
  }
  double uniform() {  // 0 <= u < 1
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9, t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return static_cast<double>(result >> 11) * 0x1p-53;
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t state_[4];
};

// Scores of all records under some weights.
class Scores {
 public:
  explicit Scores(const WeightedModel& m) : columns_(m.names.size()), offsets_(m.records.size()) {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      for (const WeightedRecord& r : m.records) columns_[k].push_back(r.approximate[k]);
    }
    for (std::size_t i = 0; i < offsets_.size(); ++i) offsets_[i] = m.records[i].offset;
  }
  const std::vector<double>& at(const std::vector<double>& weights) {
    scores_ = offsets_;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const double w = weights[k];
      const double* const column = columns_[k].data();
      double* const sum = scores_.data();
      for (std::size_t i = 0; i < scores_.size(); ++i) sum[i] += w * column[i];
    }
    return scores_;
  }

 private:
  std::vector<std::vector<double>> columns_;
  std::vector<double> offsets_, scores_;
};

std::size_t first_of(const std::vector<double>& scores) {
  return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

double mean_of(const std::vector<double>& x) {
  return x.empty() ? 0 : std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double variance_of(const std::vector<double>& x) {
  const double mean = mean_of(x);
  double sum = 0;
  for (const double v : x) sum += (v - mean) * (v - mean);
  return x.empty() ? 0 : sum / static_cast<double>(x.size());
}

// The share of the variance of y that the bins of x explain: its distinct values, or 20 bins of equal size.
double correlation_ratio(const std::vector<double>& x, const std::vector<double>& y) {
  const double all = variance_of(y);
  if (all <= 0) return 0;
  constexpr std::size_t kBins = 20;
  std::map<double, std::size_t> distinct;
  for (const double v : x) distinct.emplace(v, distinct.size());
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  std::map<std::size_t, std::pair<double, double>> bins;  // sum, count
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::size_t i = order[place];
    const std::size_t bin = distinct.size() <= kBins ? distinct[x[i]] : place * kBins / order.size();
    bins[bin].first += y[i];
    bins[bin].second += 1;
  }
  const double mean = mean_of(y);
  double between = 0;
  for (const auto& [bin, sum] : bins) {
    const double here = sum.first / sum.second;
    between += sum.second * (here - mean) * (here - mean);
  }
  return between / static_cast<double>(y.size()) / all;
}

}  // namespace

void acceptability(const WeightedModel& m, const SensitivityOptions& options, Sensitivity& answer) {
  const std::size_t n = m.records.size(), count = m.names.size();
  if (n < 2 || count < 2 || options.samples == 0) return;
  constexpr std::size_t kPlaces = 10;
  const std::size_t places = std::min(n, kPlaces);
  std::vector<std::vector<std::uint32_t>> ranks(n, std::vector<std::uint32_t>(places, 0));
  std::vector<std::vector<double>> central(n, std::vector<double>(count, 0));
  Scores scores(m);
  Random random(options.seed);
  std::vector<double> cuts(count + 1), weights(count);
  std::vector<std::uint32_t> order(n);
  for (std::uint32_t s = 0; s < options.samples; ++s) {
    // Even over all weights that add up to 1: the gaps between sorted even numbers.
    cuts[0] = 0;
    cuts[count] = 1;
    for (std::size_t k = 1; k < count; ++k) cuts[k] = random.uniform();
    std::sort(cuts.begin() + 1, cuts.end() - 1);
    for (std::size_t k = 0; k < count; ++k) weights[k] = cuts[k + 1] - cuts[k];
    const std::vector<double>& at = scores.at(weights);
    std::iota(order.begin(), order.end(), 0U);
    const auto before = [&](std::uint32_t a, std::uint32_t b) { return at[a] != at[b] ? at[a] > at[b] : a < b; };
    if (n > places) {
      std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(places - 1), order.end(), before);
    }
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(places), before);
    for (std::size_t place = 0; place < places; ++place) ++ranks[order[place]][place];
    for (std::size_t k = 0; k < count; ++k) central[order[0]][k] += weights[k];
  }
  const auto samples = static_cast<double>(options.samples);
  for (std::size_t i = 0; i < n; ++i) {
    Acceptability a;
    a.id = m.records[i].id;
    for (const std::uint32_t times : ranks[i]) a.ranks.push_back(times / samples);
    if (ranks[i][0] > 0) {
      for (const double sum : central[i]) a.central.push_back(sum / ranks[i][0]);
      a.confidence = first_of(scores.at(a.central)) == i ? 1 : 0;
    }
    answer.acceptability.push_back(std::move(a));
  }
  std::vector<double> declared(count);
  for (std::size_t k = 0; k < count; ++k) declared[k] = to_double(m.shares[k]);
  for (const double spread : {0.05, 0.10, 0.25}) {
    std::uint32_t same = 0;
    for (std::uint32_t s = 0; s < options.samples; ++s) {
      double sum = 0;
      for (std::size_t k = 0; k < count; ++k)
        sum += weights[k] = declared[k] * (1 + spread * (2 * random.uniform() - 1));
      for (double& w : weights) w /= sum;
      same += first_of(scores.at(weights)) == 0 ? 1 : 0;
    }
    answer.stability.push_back({spread, same / samples});
  }
}

void importance(const WeightedModel& m, Sensitivity& answer, NumberPool& pool) {
  const std::size_t count = m.names.size();
  std::vector<double> scores;
  for (const WeightedRecord& r : m.records) scores.push_back(to_double(r.raw));
  std::vector<std::vector<double>> columns(count);
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    WeightSensitivity& w = answer.weights[k];
    Number low = m.records.front().values[k], high = low;
    for (const WeightedRecord& r : m.records) {
      columns[k].push_back(r.approximate[k]);
      low = min(low, r.values[k]);
      high = max(high, r.values[k]);
    }
    const Number range = sub(high, low, pool);
    w.constant = sign(range) == 0;
    const Number moves = mul(range, m.shares[k], pool);
    w.dead = w.constant || (!m.unit.missing() && compare(mul(moves, whole(2), pool), m.unit) < 0);
    w.correlation_ratio = correlation_ratio(columns[k], scores);
    sum += w.correlation_ratio;
  }
  for (WeightSensitivity& w : answer.weights) w.effect = sum > 0 ? w.correlation_ratio / sum : 0;
  constexpr double kAlike = 0.9;
  for (std::size_t a = 0; a < count && m.records.size() > 2; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      const double va = variance_of(columns[a]), vb = variance_of(columns[b]);
      if (va <= 0 || vb <= 0) continue;
      const double ma = mean_of(columns[a]), mb = mean_of(columns[b]);
      double both = 0;
      for (std::size_t i = 0; i < scores.size(); ++i) both += (columns[a][i] - ma) * (columns[b][i] - mb);
      const double r = both / static_cast<double>(scores.size()) / std::sqrt(va * vb);
      if (std::abs(r) >= kAlike) answer.alike.emplace_back(m.names[a] + ", " + m.names[b], r);
    }
  }
}

void margins(const WeightedModel& m, const SensitivityOptions& options, Sensitivity& answer, NumberPool& pool) {
  if (m.ladder.labels.empty()) return;
  Number noise = kMissing;
  double spread = -1;
  if (!options.noise.empty() && parse_decimal(options.noise, noise, pool)) {
    double squares = 0;
    for (const double unit : m.per_unit) squares += unit * unit;
    spread = to_double(noise) * std::sqrt(squares);
  }
  const Number half = m.unit.missing() ? whole(0) : div(m.unit, whole(2), pool);
  for (const WeightedRecord& r : m.records) {
    if (r.row < 0) continue;
    Number nearest = kMissing, below = kMissing, above = kMissing;
    for (const Number edge : m.ladder.thresholds) {
      if (edge.missing()) continue;
      const Number at = sub(sub(edge, half, pool), r.raw, pool);
      const bool outside = (!m.scale.low.missing() && compare(edge, m.scale.low) <= 0);
      if (outside) continue;
      const Number distance = assay::abs(at, pool);
      if (nearest.missing() || compare(distance, nearest) < 0) nearest = distance;
      if (sign(at) <= 0 && (below.missing() || compare(distance, below) < 0)) below = distance;
      if (sign(at) > 0 && (above.missing() || compare(distance, above) < 0)) above = distance;
    }
    RecordMargin margin{r.id,
                        exact_text(r.score),
                        m.ladder.labels[static_cast<std::size_t>(r.row)],
                        exact_text(nearest),
                        m.unit.missing() || nearest.missing() ? "" : exact_text(div(nearest, m.unit, pool)),
                        -1};
    if (spread >= 0) {
      const auto tail = [&](Number distance) {
        if (distance.missing()) return 0.0;
        if (spread == 0) return 0.0;
        return 0.5 * std::erfc(to_double(distance) / spread / std::sqrt(2.0));
      };
      margin.flips = tail(below) + tail(above);
    }
    answer.margins.push_back(std::move(margin));
  }
  std::stable_sort(answer.margins.begin(), answer.margins.end(), [&](const RecordMargin& a, const RecordMargin& b) {
    Number x = kMissing, y = kMissing;
    parse_exact(a.margin, x, pool);
    parse_exact(b.margin, y, pool);
    if (x.missing() || y.missing()) return !x.missing() && y.missing();
    return compare(x, y) < 0;
  });
}

}  // namespace assay
