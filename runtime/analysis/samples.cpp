// Estimates in doubles: places under unknown weights, effects of dimensions, verdicts under noise. The random generator
// uses only operations with the same results on every machine.
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

// Scores of all records under given weights: dimension by dimension, for several samples of weights at once, so that
// each value is read once for all of them. The scale limits the scores where it can; they are not rounded.
class Scores {
 public:
  static constexpr std::size_t kAtOnce = 4;

  explicit Scores(const WeightedModel& m) : count_(m.names.size()), records_(m.records.size()) {
    columns_.resize(count_ * records_);
    for (std::size_t i = 0; i < records_; ++i) {
      const WeightedRecord& r = m.records[i];
      shifts_.push_back(to_double(r.shift));
      lows_.push_back(r.line.low);
      highs_.push_back(r.line.high);
      cut_ = cut_ || std::isfinite(r.line.low) || std::isfinite(r.line.high);
      for (std::size_t k = 0; k < count_; ++k) columns_[k * records_ + i] = r.approximate[k];
    }
    for (std::vector<double>& one : scores_) one.resize(records_);
  }
  // `weights`: kAtOnce rows; their scores are scores(0) and so on.
  void compute(const std::vector<double>* weights) {
    double* const s0 = scores_[0].data();
    double* const s1 = scores_[1].data();
    double* const s2 = scores_[2].data();
    double* const s3 = scores_[3].data();
    for (std::vector<double>& one : scores_) std::copy(shifts_.begin(), shifts_.end(), one.begin());
    for (std::size_t k = 0; k < count_; ++k) {
      const double w0 = weights[0][k], w1 = weights[1][k], w2 = weights[2][k], w3 = weights[3][k];
      const double* const column = columns_.data() + k * records_;
      for (std::size_t i = 0; i < records_; ++i) {
        const double v = column[i];
        s0[i] += w0 * v;
        s1[i] += w1 * v;
        s2[i] += w2 * v;
        s3[i] += w3 * v;
      }
    }
    if (!cut_) return;
    for (std::vector<double>& one : scores_) {
      for (std::size_t i = 0; i < records_; ++i) one[i] = std::min(std::max(one[i], lows_[i]), highs_[i]);
    }
  }
  const std::vector<double>& scores(std::size_t sample) const { return scores_[sample]; }
  double at(std::size_t i, const std::vector<double>& weights) const {  // for one record
    double sum = shifts_[i];
    for (std::size_t k = 0; k < count_; ++k) sum += weights[k] * columns_[k * records_ + i];
    return std::min(std::max(sum, lows_[i]), highs_[i]);
  }

 private:
  std::size_t count_, records_;
  bool cut_ = false;
  std::vector<double> columns_, shifts_, lows_, highs_;
  std::vector<double> scores_[kAtOnce];
};

// The first places in order, best first, in one pass: most records are worse than the last of them. Equal scores keep
// the order that they have under the declared weights.
class Leaders {
 public:
  explicit Leaders(std::size_t places) : order_(places) {}
  const std::vector<std::uint32_t>& of(const std::vector<double>& scores) {
    std::size_t held = 0;
    double last = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double score = scores[i];
      if (held == order_.size() && !(score > last)) continue;
      std::size_t at = held < order_.size() ? held++ : held - 1;
      for (; at > 0 && score > scores[order_[at - 1]]; --at) order_[at] = order_[at - 1];
      order_[at] = static_cast<std::uint32_t>(i);
      last = scores[order_[held - 1]];
    }
    return order_;
  }

 private:
  std::vector<std::uint32_t> order_;
};

double mean_of(const std::vector<double>& x) {
  return x.empty() ? 0 : std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double variance_of(const std::vector<double>& x) {
  const double mean = mean_of(x);
  double sum = 0;
  for (const double v : x) sum += (v - mean) * (v - mean);
  return x.empty() ? 0 : sum / static_cast<double>(x.size());
}

// The share of the variance of y explained by bins of x: its distinct values, or 20 bins of about equal size. Equal
// values share the bin of the first of them, so the order of the records does not matter.
double correlation_ratio(const std::vector<double>& x, const std::vector<double>& y) {
  const double all = variance_of(y);
  if (all <= 0) return 0;
  constexpr std::size_t kBins = 20;
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  std::size_t distinct = x.empty() ? 0 : 1;
  for (std::size_t place = 1; place < order.size(); ++place) distinct += x[order[place]] != x[order[place - 1]] ? 1 : 0;
  std::map<std::size_t, std::pair<double, double>> bins;  // sum, count
  std::size_t first = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (x[order[place]] != x[order[first]]) first = place;
    auto& bin = bins[distinct <= kBins ? first : first * kBins / order.size()];
    bin.first += y[order[place]];
    bin.second += 1;
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

namespace {

// Uniform over all weights that add up to 1: the gaps between sorted uniform numbers.
void even_weights(Random& random, std::vector<double>& cuts, std::vector<double>& weights) {
  const std::size_t count = weights.size();
  cuts[0] = 0;
  cuts[count] = 1;
  for (std::size_t k = 1; k < count; ++k) cuts[k] = random.uniform();
  std::sort(cuts.begin() + 1, cuts.end() - 1);
  for (std::size_t k = 0; k < count; ++k) weights[k] = cuts[k + 1] - cuts[k];
}

// Records that can pass the first one at all if each weight changes by up to `spread` of itself: those that lead, or
// tie in doubles, when each weight takes the end that favours them.
std::vector<std::size_t> rivals_within(const WeightedModel& m, double spread) {
  constexpr double kError = 1e-12;
  std::vector<std::size_t> rivals;
  const WeightedRecord& first = m.records.front();
  for (std::size_t j = 1; j < m.records.size(); ++j) {
    const WeightedRecord& other = m.records[j];
    const double shift = to_double(other.shift) - to_double(first.shift);
    double most = 0;
    for (std::size_t k = 0; k < m.names.size(); ++k) {
      const double share = to_double(m.shares[k]), d = other.approximate[k] - first.approximate[k] + shift;
      most += share * (d + spread * std::abs(d));
    }
    if (most >= -kError * (other.line.size + first.line.size) || std::isfinite(other.line.low)) rivals.push_back(j);
  }
  return rivals;
}

// Under weights near the declared ones: how often the winner stays first.
void stability(WeightWork& work, const SensitivityOptions& options, const Scores& scores, Random& random,
               Sensitivity& answer) {
  constexpr std::uint32_t kOften = 64;
  const std::size_t count = work.m.names.size();
  std::vector<double> declared(count), weights(count);
  for (std::size_t k = 0; k < count; ++k) declared[k] = to_double(work.m.shares[k]);
  for (const double spread : {0.05, 0.10, 0.25}) {
    const std::vector<std::size_t> rivals = rivals_within(work.m, spread);
    std::uint32_t same = 0;
    for (std::uint32_t s = 0; s < options.samples; ++s) {
      if (s % kOften == 0 && work.stopped()) return;
      double sum = 0;
      for (std::size_t k = 0; k < count; ++k)
        sum += weights[k] = declared[k] * (1 + spread * (2 * random.uniform() - 1));
      for (double& w : weights) w /= sum;
      const double winner = scores.at(0, weights);
      const bool passed =
          std::any_of(rivals.begin(), rivals.end(), [&](std::size_t j) { return scores.at(j, weights) > winner; });
      same += passed ? 0 : 1;
    }
    answer.stability.push_back({spread, same / static_cast<double>(options.samples)});
  }
}

}  // namespace

void acceptability(WeightWork& work, const SensitivityOptions& options, Sensitivity& answer) {
  const WeightedModel& m = work.m;
  const std::size_t n = m.records.size(), count = m.names.size();
  if (n < 2 || count < 2 || options.samples == 0) return;
  constexpr std::size_t kPlaces = 10, kAtOnce = Scores::kAtOnce;
  const std::size_t places = std::min(n, kPlaces);
  std::vector<std::uint32_t> ranks(n * places, 0);
  std::vector<double> central(n * count, 0);
  Scores scores(m);
  Leaders leaders(places);
  Random random(options.seed);
  std::vector<double> cuts(count + 1);
  std::vector<double> weights[kAtOnce];
  for (std::vector<double>& one : weights) one.assign(count, 0);
  for (std::uint64_t s = 0; s < options.samples; s += kAtOnce) {
    if (work.stopped()) return;
    const std::size_t here = std::min<std::uint64_t>(kAtOnce, options.samples - s);
    for (std::size_t one = 0; one < here; ++one) even_weights(random, cuts, weights[one]);
    scores.compute(weights);
    for (std::size_t one = 0; one < here; ++one) {
      const std::vector<std::uint32_t>& order = leaders.of(scores.scores(one));
      for (std::size_t place = 0; place < places; ++place) ++ranks[order[place] * places + place];
      for (std::size_t k = 0; k < count; ++k) central[order[0] * count + k] += weights[one][k];
    }
  }
  const auto samples = static_cast<double>(options.samples);
  for (std::size_t i = 0; i < n && !work.stopped(); ++i) {
    Acceptability a;
    a.id = m.records[i].id;
    const std::uint32_t firsts = ranks[i * places];
    for (std::size_t place = 0; place < places; ++place) a.ranks.push_back(ranks[i * places + place] / samples);
    if (firsts > 0) {
      for (std::size_t k = 0; k < count; ++k) a.central.push_back(central[i * count + k] / firsts);
      const double mine = scores.at(i, a.central);
      bool first = true;
      for (std::size_t j = 0; j < n && first; ++j) {
        const double its = scores.at(j, a.central);
        first = j == i || its < mine || (its == mine && j > i);
      }
      a.confidence = first ? 1 : 0;
    }
    answer.acceptability.push_back(std::move(a));
  }
  stability(work, options, scores, random, answer);
}

void importance(WeightWork& work, Sensitivity& answer) {
  const WeightedModel& m = work.m;
  const std::size_t count = m.names.size();
  std::vector<double> scores;
  for (const WeightedRecord& r : m.records) scores.push_back(to_double(r.raw));
  std::vector<std::vector<double>> columns(count);
  double sum = 0;
  for (std::size_t k = 0; k < count && !work.stopped(); ++k) {
    WeightSensitivity& w = answer.weights[k];
    Number low = m.records.front().values[k], high = low;
    for (const WeightedRecord& r : m.records) {
      columns[k].push_back(r.approximate[k]);
      low = min(low, r.values[k]);
      high = max(high, r.values[k]);
    }
    const Number range = sub(high, low, work.pool);
    w.constant = sign(range) == 0;
    const Number moves = mul(range, m.shares[k], work.pool);
    w.dead = w.constant || (!m.unit.missing() && compare(mul(moves, whole(2), work.pool), m.unit) < 0);
    w.correlation_ratio = correlation_ratio(columns[k], scores);
    sum += w.correlation_ratio;
    work.pool.clear();
  }
  for (WeightSensitivity& w : answer.weights) w.effect = sum > 0 ? w.correlation_ratio / sum : 0;
  if (m.records.size() < 3) return;
  constexpr double kAlike = 0.9;
  std::vector<double> variances, means;
  for (const std::vector<double>& column : columns) {
    variances.push_back(variance_of(column));
    means.push_back(mean_of(column));
  }
  for (std::size_t a = 0; a < count && !work.stopped(); ++a) {
    for (std::size_t b = a + 1; b < count && !work.stopped(); ++b) {
      if (variances[a] <= 0 || variances[b] <= 0) continue;
      double both = 0;
      for (std::size_t i = 0; i < scores.size(); ++i) both += (columns[a][i] - means[a]) * (columns[b][i] - means[b]);
      const double r = both / static_cast<double>(scores.size()) / std::sqrt(variances[a] * variances[b]);
      if (std::abs(r) >= kAlike) answer.alike.emplace_back(m.names[a] + ", " + m.names[b], r);
    }
  }
}

void margins(WeightWork& work, const SensitivityOptions& options, Sensitivity& answer) {
  const WeightedModel& m = work.m;
  if (m.ladder.labels.empty()) return;
  NumberPool kept;
  Number noise = kMissing;
  double spread = -1;
  if (!options.noise.empty() && parse_decimal(options.noise, noise, kept)) {
    double squares = 0;
    for (const double unit : m.per_unit) squares += unit * unit;
    spread = to_double(noise) * std::sqrt(squares);
  }
  // The share of noise draws that move a score across an edge at this distance.
  const auto tail = [&](Number distance) {
    return distance.missing() || spread == 0 ? 0.0 : 0.5 * std::erfc(to_double(distance) / spread / std::sqrt(2.0));
  };
  std::vector<std::pair<Number, RecordMargin>> found;
  for (const WeightedRecord& r : m.records) {
    if (work.stopped()) return;
    if (r.row < 0) continue;
    const auto edge =
        std::upper_bound(m.edges.begin(), m.edges.end(), r.raw, [](Number a, Number b) { return compare(a, b) < 0; });
    const Number above = edge == m.edges.end() ? kMissing : sub(*edge, r.raw, kept);
    const Number below = edge == m.edges.begin() ? kMissing : sub(r.raw, *(edge - 1), kept);
    const Number nearest = above.missing() ? below : below.missing() ? above : min(below, above);
    RecordMargin margin{
        r.id, exact_or_short(r.score), m.ladder.labels[static_cast<std::size_t>(r.row)], exact_or_short(nearest), "",
        -1};
    if (!m.unit.missing() && !nearest.missing()) margin.last_places = exact_or_short(div(nearest, m.unit, kept));
    if (spread >= 0) margin.flips = tail(below) + tail(above);
    found.emplace_back(nearest, std::move(margin));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    if (a.first.missing() || b.first.missing()) return !a.first.missing() && b.first.missing();
    return compare(a.first, b.first) < 0;
  });
  for (auto& [distance, margin] : found) answer.margins.push_back(std::move(margin));
}

}  // namespace assay
