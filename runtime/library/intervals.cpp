// Uncertainty: quantiles for intervals, and the bootstrap with random numbers that are the same on every platform.
#include "runtime/library/library.hpp"

#include <algorithm>

namespace assay::library {

namespace {

constexpr std::int64_t kMostRounds = 100'000;

// SplitMix64 (Steele, Lea and Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // A random number 0 … size - 1, from the upper half of a product (Lemire 2019, without rejection: the bias is below
  // size / 2^32).
  std::uint32_t below(std::uint32_t size) { return static_cast<std::uint32_t>(((next() >> 32) * size) >> 32); }

 private:
  std::uint64_t state_;
};

// The p-th quantile of sorted numbers, interpolated linearly, as in percentile().
Number quantile(const std::vector<Number>& sorted, Number p, NumberPool& pool) {
  const Number position = mul(p, whole(static_cast<std::int64_t>(sorted.size()) - 1), pool);
  const Number below = round_to(position, 0, Rounding::floor, pool);
  std::int64_t at = 0;
  if (!to_int64(below, at)) return kMissing;
  const Number low = sorted[static_cast<std::size_t>(at)];
  if (static_cast<std::size_t>(at) + 1 >= sorted.size()) return low;
  const Number step = sub(sorted[static_cast<std::size_t>(at) + 1], low, pool);
  return add(low, mul(sub(position, below, pool), step, pool), pool);
}

}  // namespace

Value normal_quantile(ExecutionContext& m, const Value* args) {
  return make_number(assay::normal_quantile(args[0].number, *m.pool));
}
Value student_quantile(ExecutionContext& m, const Value* args) {
  return make_number(assay::student_quantile(args[0].number, args[1].number, *m.pool));
}
Value beta_quantile(ExecutionContext& m, const Value* args) {
  return make_number(assay::beta_quantile(args[0].number, args[1].number, args[2].number, *m.pool));
}

// The percentile interval of `rounds` samples with replacement, of the mean or the median.
Value bootstrap(ExecutionContext& m, const Value* args) {
  const ListValue& list = args[0].list;
  const bool median = args[1].text.view() == "median";
  const Number level = args[2].number;
  std::int64_t rounds = 0, seed = 0;
  const bool good = to_int64(args[3].number, rounds) && rounds >= 1 && rounds <= kMostRounds &&
                    to_int64(args[4].number, seed) && compare(level, whole(0)) > 0 && compare(level, whole(1)) < 0;
  Number bounds[] = {kMissing, kMissing};
  if (!good || list.size == 0 || has_gaps(list)) return make_fields(m, bounds, 2);
  NumberPool& pool = *m.pool;
  Random random(static_cast<std::uint64_t>(seed));
  // Numbers are drawn by their rank: sums need no comparison, and medians none of long numbers.
  std::vector<Number> values = scratch<Number>(m, list.size);
  for (std::uint32_t i = 0; i < list.size; ++i) values[i] = list.items[i].number;
  m.charge(std::uint64_t{list.size} * 2);
  std::sort(values.begin(), values.end(), [&](Number a, Number b) { return m.compare(a, b) < 0; });
  std::vector<std::uint32_t> drawn = scratch<std::uint32_t>(m, list.size);
  std::vector<Number> results = scratch<Number>(m, static_cast<std::size_t>(rounds));
  for (Number& result : results) {
    m.charge(1 + list.size / 2);
    std::fill(drawn.begin(), drawn.end(), 0);
    for (std::uint32_t i = 0; i < list.size; ++i) ++drawn[random.below(list.size)];
    if (median) {
      std::uint32_t seen = 0, at = 0;
      const std::uint32_t lower = (list.size - 1) / 2, upper = list.size / 2;
      while (seen + drawn[at] <= lower) seen += drawn[at++];
      std::uint32_t next = at;
      while (seen + drawn[next] <= upper) seen += drawn[next++];
      result = lower == upper ? values[at] : div(add(values[at], values[next], pool), whole(2), pool);
    } else {
      Number sum = whole(0);
      for (std::uint32_t i = 0; i < list.size; ++i) {
        if (drawn[i] != 0) sum = add(sum, mul(values[i], whole(drawn[i]), pool), pool);
      }
      result = div(sum, whole(list.size), pool);
    }
  }
  m.charge(static_cast<std::uint64_t>(rounds) * 2);
  std::sort(results.begin(), results.end(), [&](Number a, Number b) { return m.compare(a, b) < 0; });
  const Number tail = div(sub(whole(1), level, pool), whole(2), pool);
  bounds[0] = quantile(results, tail, pool);
  bounds[1] = quantile(results, sub(whole(1), tail, pool), pool);
  return make_fields(m, bounds, 2);
}

}  // namespace assay::library
