// Agreement of ratings with gold. Estimates are doubles; docs/analysis.md gives formulas and sources. A figure that
// cannot be computed (no variation, too few pairs) is NaN, never a misleading number.
#include "lang/value/limit_message.hpp"
#include "runtime/json/json_out.hpp"

#include <assay/analysis.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace assay {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Two ratings as numbers: values, or positions of categories.
struct Ratings {
  std::vector<double> rated, gold;
  const Interrupt* interrupt = nullptr;  // once it is due, figures are not computed
  std::size_t size() const { return rated.size(); }
};

double mean(const std::vector<double>& x) {
  return x.empty() ? kNone : std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const double mx = mean(x), my = mean(y);
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return x.size() < 2 || xx <= 0 || yy <= 0 ? kNone : std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0);
}

std::vector<double> ranks(const std::vector<double>& x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  std::vector<double> result(x.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && x[order[end]] == x[order[i]]) ++end;
    for (std::size_t k = i; k < end; ++k) result[order[k]] = static_cast<double>(i + end + 1) / 2;
    i = end;
  }
  return result;
}

// Pairs of `n` things.
double pairs_of(double n) { return n * (n - 1) / 2; }

// How many pairs of `x` are in descending order; sorts it.
double descents(std::vector<double>& x, std::vector<double>& scratch, std::size_t from, std::size_t to) {
  if (to - from < 2) return 0;
  const std::size_t middle = from + (to - from) / 2;
  double count = descents(x, scratch, from, middle) + descents(x, scratch, middle, to);
  for (std::size_t a = from, b = middle, at = from; at < to; ++at) {
    if (b < to && (a == middle || x[b] < x[a])) {
      count += static_cast<double>(middle - a);
      scratch[at] = x[b++];
    } else {
      scratch[at] = x[a++];
    }
  }
  std::copy(scratch.begin() + static_cast<std::ptrdiff_t>(from), scratch.begin() + static_cast<std::ptrdiff_t>(to),
            x.begin() + static_cast<std::ptrdiff_t>(from));
  return count;
}

// W. R. Knight, A computer method for calculating Kendall's tau with ungrouped data, JASA 1966: discordant pairs are those
// that descend in the gold once the pairs are sorted by rating and then gold.
double tau_b(const Ratings& p) {
  std::vector<std::pair<double, double>> sorted;
  for (std::size_t i = 0; i < p.size(); ++i) sorted.emplace_back(p.rated[i], p.gold[i]);
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> gold, scratch(p.size());
  double x_tied = 0, y_tied = 0, both_tied = 0, x_run = 0, run = 0, y_run = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    gold.push_back(sorted[i].second);
    const bool same_x = i > 0 && sorted[i].first == sorted[i - 1].first;
    x_run = same_x ? x_run + 1 : 0;
    run = same_x && sorted[i].second == sorted[i - 1].second ? run + 1 : 0;
    x_tied += x_run;
    both_tied += run;
  }
  const double discordant = descents(gold, scratch, 0, gold.size());
  for (std::size_t i = 1; i < gold.size(); ++i) {
    y_run = gold[i] == gold[i - 1] ? y_run + 1 : 0;
    y_tied += y_run;
  }
  const double all = pairs_of(static_cast<double>(p.size()));
  const double both = all - x_tied - y_tied + both_tied - 2 * discordant;
  const double under = (all - x_tied) * (all - y_tied);
  return under <= 0 ? kNone : both / std::sqrt(under);
}

enum class Distance { nominal, linear, quadratic };

double distance(Distance d, double a, double b) {
  const double by = std::abs(a - b);
  return d == Distance::nominal ? (by > 0 ? 1 : 0) : d == Distance::linear ? by : by * by;
}

using Counts = std::map<double, double>;  // of categories

// The sum of the distances between each thing of `x` and each of `y`, from sums over the categories: there may be as many
// of these as things. Values are taken from the first one on, so that sums of squares stay small, and equal values give 0.
double distances(Distance d, const Counts& x, const Counts& y) {
  if (x.empty() || y.empty()) return 0;
  const double from = x.begin()->first;
  double nx = 0, ny = 0, sx = 0, sy = 0, qx = 0, qy = 0, same = 0, apart = 0;
  for (const auto& [b, nb] : y) {
    ny += nb;
    sy += nb * (b - from);
    qy += nb * (b - from) * (b - from);
  }
  double below = 0, sum_below = 0;  // the things of `y` that are not above
  auto next = y.begin();
  for (const auto& [a, na] : x) {
    const double at = a - from;
    for (; next != y.end() && next->first <= a; ++next) {
      below += next->second;
      sum_below += next->second * (next->first - from);
      if (next->first == a) same += na * next->second;
    }
    nx += na;
    sx += na * at;
    qx += na * at * at;
    apart += na * (at * below - sum_below + (sy - sum_below) - at * (ny - below));
  }
  switch (d) {
    case Distance::nominal: return nx * ny - same;
    case Distance::linear: return apart;
    case Distance::quadratic: break;
  }
  return ny * qx + nx * qy - 2 * sx * sy;
}

// 1 - observed / expected disagreement, where the expectation uses the two raters' own shares of categories.
double kappa(const Ratings& p, Distance d) {
  Counts x, y;
  double observed = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    observed += distance(d, p.rated[i], p.gold[i]);
    ++x[p.rated[i]];
    ++y[p.gold[i]];
  }
  if (interrupted(p.interrupt)) return kNone;
  const double expected = distances(d, x, y);
  const auto n = static_cast<double>(p.size());
  return expected <= 0 ? kNone : 1 - observed * n / expected;
}

enum class Level { nominal, ordinal, interval };

double alpha(const Ratings& p, Level level) {
  Counts counts;
  for (std::size_t i = 0; i < p.size(); ++i) {
    ++counts[p.rated[i]];
    ++counts[p.gold[i]];
  }
  std::map<double, double> middle;  // ordinal: the mean rank of a category
  double before = 0;
  for (const auto& [value, count] : counts) {
    middle[value] = before + count / 2;
    before += count;
  }
  const auto apart = [&](double a, double b) {
    if (level == Level::nominal) return a == b ? 0.0 : 1.0;
    const double by = level == Level::interval ? a - b : middle.at(a) - middle.at(b);
    return by * by;
  };
  double observed = 0;
  for (std::size_t i = 0; i < p.size(); ++i) observed += apart(p.rated[i], p.gold[i]);
  if (interrupted(p.interrupt)) return kNone;
  Counts placed;  // ordinal: by mean rank
  for (const auto& [value, count] : counts) placed[level == Level::ordinal ? middle.at(value) : value] += count;
  const double expected = distances(level == Level::nominal ? Distance::nominal : Distance::quadratic, placed, placed);
  const auto n = static_cast<double>(p.size());
  return expected <= 0 ? kNone : 1 - (observed / n) * (2 * n) * (2 * n - 1) / expected;
}

// The z value whose central interval has this probability.
double deviation(double confidence) {
  double low = 0, high = 10;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle / std::sqrt(2.0)) < confidence ? low : high) = middle;
  }
  return low;
}

// Fisher's z, with the variances of Fieller, Hartley and Pearson (1957).
Estimate of_ranks(double value, double variance, double z) {
  if (std::isnan(value) || !(variance > 0) || !std::isfinite(variance) || std::abs(value) >= 1)
    return {value, kNone, kNone};
  const double at = std::atanh(value), by = z * std::sqrt(variance);
  return {value, std::tanh(at - by), std::tanh(at + by)};
}

std::uint64_t next_random(std::uint64_t& state) {  // splitmix64
  std::uint64_t x = state += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Percentiles of the figure over bootstrap samples of the pairs.
template <class Figure>
Estimate bootstrap(const Ratings& p, const CalibrationOptions& options, const Figure& figure) {
  Estimate estimate{figure(p), kNone, kNone};
  if (std::isnan(estimate.value) || p.size() < 2) return estimate;
  std::uint64_t state = options.seed;
  std::vector<double> values;
  Ratings sample = p;
  for (std::uint32_t r = 0; r < options.resamples && !interrupted(p.interrupt); ++r) {
    for (std::size_t i = 0; i < p.size(); ++i) {
      const std::size_t from = static_cast<std::size_t>(next_random(state) % p.size());
      sample.rated[i] = p.rated[from];
      sample.gold[i] = p.gold[from];
    }
    const double value = figure(sample);
    if (!std::isnan(value)) values.push_back(value);
  }
  if (values.size() < options.resamples / 2 || values.empty()) return estimate;  // undefined in most samples
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
  };
  estimate.low = at((1 - options.confidence) / 2);
  estimate.high = at((1 + options.confidence) / 2);
  return estimate;
}

void figures(const Ratings& p, Level level, const CalibrationOptions& options, Agreement& a) {
  const auto n = static_cast<double>(p.size());
  const auto share = [](const Ratings& q, const auto& holds) {
    double sum = 0;
    for (std::size_t i = 0; i < q.size(); ++i) sum += holds(q.rated[i], q.gold[i]);
    return sum / static_cast<double>(q.size());
  };
  a.exact = bootstrap(
      p, options, [&](const Ratings& q) { return share(q, [](double x, double y) { return x == y ? 1.0 : 0.0; }); });
  a.kappa = bootstrap(p, options, [](const Ratings& q) { return kappa(q, Distance::nominal); });
  a.alpha = bootstrap(p, options, [&](const Ratings& q) { return alpha(q, level); });
  a.within_one = a.mae = a.bias = a.linear = a.quadratic = a.spearman = a.tau_b = {kNone, kNone, kNone};
  if (level == Level::nominal) return;
  a.within_one = bootstrap(p, options, [&](const Ratings& q) {
    return share(q, [](double x, double y) { return std::abs(x - y) <= 1 ? 1.0 : 0.0; });
  });
  a.mae = bootstrap(p, options,
                    [&](const Ratings& q) { return share(q, [](double x, double y) { return std::abs(x - y); }); });
  a.bias = bootstrap(p, options, [&](const Ratings& q) { return share(q, [](double x, double y) { return x - y; }); });
  a.linear = bootstrap(p, options, [](const Ratings& q) { return kappa(q, Distance::linear); });
  a.quadratic = bootstrap(p, options, [](const Ratings& q) { return kappa(q, Distance::quadratic); });
  const double z = deviation(options.confidence);
  a.spearman = of_ranks(correlation(ranks(p.rated), ranks(p.gold)), 1.06 / (n - 3), z);
  a.tau_b = of_ranks(tau_b(p), 0.437 / (n - 4), z);
}

bool read_number(const std::string& text, double& value) {
  NumberPool pool;
  Number number;
  if (!parse_decimal(text, number, pool)) return false;
  value = to_double(number);
  return true;
}

Agreement agreement(const std::string& measure, const std::string& judge, const std::vector<const RatedPair*>& pairs,
                    const std::vector<std::string>* order, const CalibrationOptions& options) {
  Agreement a;
  a.measure = measure;
  a.judge = judge;
  a.pairs = pairs.size();
  a.enough = pairs.size() >= options.floor;
  Ratings p;
  p.interrupt = options.interrupt;
  bool numbers = order == nullptr;
  for (const RatedPair* pair : pairs) {
    double x = 0, y = 0;
    numbers = numbers && read_number(pair->rated, x) && read_number(pair->gold, y);
    p.rated.push_back(x);
    p.gold.push_back(y);
  }
  std::vector<std::string> names;
  if (!numbers) {
    if (order != nullptr) names = *order;
    std::set<std::string> rest;
    for (const RatedPair* pair : pairs) {
      rest.insert(pair->rated);
      rest.insert(pair->gold);
    }
    bool known = order != nullptr;
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < names.size(); ++i) places.emplace(names[i], i);
    for (const std::string& name : rest) {
      if (!places.emplace(name, names.size()).second) continue;
      names.push_back(name);
      known = false;  // a name that is not a band has no rank
    }
    a.names = !known;
    // A table of all categories would be far larger than the pairs if most categories occur once or never.
    constexpr std::size_t kAlways = 20, kCellsAPair = 64;
    if (names.size() <= kAlways || names.size() <= kCellsAPair * pairs.size() / names.size()) {
      a.categories = names;
      a.confusion.assign(names.size(), std::vector<std::size_t>(names.size(), 0));
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::size_t x = places.at(pairs[i]->rated), y = places.at(pairs[i]->gold);
      if (!a.confusion.empty()) ++a.confusion[y][x];
      p.rated[i] = static_cast<double>(x);
      p.gold[i] = static_cast<double>(y);
    }
  }
  figures(p, numbers ? Level::interval : a.names ? Level::nominal : Level::ordinal, options, a);
  return a;
}

// Uses the items that have a number for every measure except the score.
void item_analysis(const std::vector<RatedPair>& pairs, const std::vector<std::string>& measures,
                   const Interrupt* interrupt, Calibration& result) {
  result.alpha_items = kNone;
  std::map<std::pair<std::string, std::string>, std::map<std::string, double>> things;
  for (const RatedPair& pair : pairs) {
    if (interrupted(interrupt)) return;
    double value = 0;
    if (pair.measure != "score" && read_number(pair.rated, value)) things[{pair.id, pair.judge}][pair.measure] = value;
  }
  std::vector<std::string> items;
  for (const std::string& measure : measures) {
    const bool any =
        std::any_of(things.begin(), things.end(), [&](const auto& t) { return t.second.count(measure) > 0; });
    if (any) items.push_back(measure);
  }
  if (items.size() < 2) return;
  std::vector<std::vector<double>> columns(items.size());
  std::vector<double> totals;
  for (const auto& [thing, values] : things) {
    if (values.size() != items.size()) continue;
    double total = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      columns[i].push_back(values.at(items[i]));
      total += columns[i].back();
    }
    totals.push_back(total);
  }
  const auto variance = [](const std::vector<double>& x) {
    const double m = mean(x);
    double sum = 0;
    for (const double v : x) sum += (v - m) * (v - m);
    return x.size() < 2 ? kNone : sum / static_cast<double>(x.size() - 1);
  };
  double parts = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::vector<double> rest = totals;
    for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= columns[i][k];
    result.items.push_back({items[i], columns[i].size(), mean(columns[i]), std::sqrt(variance(columns[i])),
                            correlation(columns[i], rest)});
    parts += variance(columns[i]);
  }
  const double all = variance(totals), k = static_cast<double>(items.size());
  if (all > 0) result.alpha_items = k / (k - 1) * (1 - parts / all);
}

}  // namespace

Calibration calibrate(const std::vector<RatedPair>& pairs,
                      const std::vector<std::pair<std::string, std::vector<std::string>>>& order,
                      const CalibrationOptions& options) {
  Calibration result;
  std::vector<std::string> measures;
  std::set<std::string> judges;
  for (const RatedPair& pair : pairs) {
    if (!pair.judge.empty()) judges.insert(pair.judge);
  }
  using Groups = std::map<std::string, std::vector<const RatedPair*>>;  // by judge; all of them together: ""
  std::map<std::string, Groups> groups;                                 // of each measure
  for (const RatedPair& pair : pairs) {
    const auto [of, fresh] = groups.try_emplace(pair.measure);
    if (fresh) measures.push_back(pair.measure);
    if (pair.rated.empty() || pair.gold.empty()) continue;
    of->second[""].push_back(&pair);
    if (judges.size() > 1 && !pair.judge.empty()) of->second[pair.judge].push_back(&pair);
  }
  for (const std::string& measure : measures) {
    const std::vector<std::string>* names = nullptr;
    for (const auto& [of, categories] : order) names = of == measure ? &categories : names;
    for (const auto& [judge, here] : groups[measure])
      result.figures.push_back(agreement(measure, judge, here, names, options));
  }
  item_analysis(pairs, measures, options.interrupt, result);
  return result;
}

std::string Calibration::json() const {
  JsonOut out;
  out.object().key("figures").list();
  for (const Agreement& a : figures) {
    out.object().key("measure").text(a.measure).key("judge").text_or_null(a.judge).key("pairs").count(a.pairs);
    out.key("enough").truth(a.enough);
    const std::pair<const char*, const Estimate*> all[] = {
        {"exact", &a.exact},         {"within_one", &a.within_one}, {"mae", &a.mae},
        {"bias", &a.bias},           {"kappa", &a.kappa},           {"linear", &a.linear},
        {"quadratic", &a.quadratic}, {"spearman", &a.spearman},     {"tau_b", &a.tau_b},
        {"alpha", &a.alpha}};
    for (const auto& [name, e] : all) {
      out.key(name).object().key("value").number(e->value).key("low").number(e->low).key("high").number(e->high);
      out.end_object();
    }
    out.key("categories").list();
    for (const std::string& name : a.categories) out.text(name);
    out.end_list().key("confusion").list();
    for (const auto& row : a.confusion) {
      out.list();
      for (const std::size_t n : row) out.count(n);
      out.end_list();
    }
    out.end_list().end_object();
  }
  out.end_list().key("items").list();
  for (const ItemFigure& item : items) {
    out.object().key("name").text(item.name).key("count").count(item.count).key("mean").number(item.mean);
    out.key("stdev").number(item.stdev).key("discrimination").number(item.discrimination).end_object();
  }
  out.end_list().key("cronbach_alpha").number(alpha_items).end_object();
  return out.take();
}

}  // namespace assay
