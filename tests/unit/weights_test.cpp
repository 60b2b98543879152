// Weight analyses against brute force: for random small rubrics and records, intervals of weights, ties and bands are
// computed a second time by trying every position where anything could change, with exact fractions.
#include "lang/number/number.hpp"

#include "tests/unit/given.hpp"

#include <assay/analysis.hpp>
#include <assay/assay.hpp>
#include <assay/interrupt.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

// A rubric of weighted dimensions with a choice of what may follow the composite, and its records.
struct Run {
  int dimensions = 2, decimals = 1,
      tie = 0;  // tie: 0 none, 1 by the first dimension, 2 by the id's opposite: lower first
  bool adjusts = false;
  std::vector<int> weights;              // percent
  std::vector<std::vector<int>> values;  // tenths
  std::vector<int> down, up;             // tenths
  std::vector<std::string> edges{"8", "5.5", "3"};

  std::string rubric() const {
    std::string text = "rubric r { version \"1\" scale 0..10 decimals " + std::to_string(decimals);
    if (adjusts) text += " input down: number 0..20 default 0 input up: number 0..20 default 0";
    for (int k = 0; k < dimensions; ++k)
      text +=
          " dimension d" + std::to_string(k) + " weight " + std::to_string(weights[static_cast<std::size_t>(k)]) + "%";
    if (adjusts) text += " deduction less = down when down > 0 bonus more = up when up > 0";
    text += " bands grade(score) { | score | grade | | >= " + edges[0] + " | \"A\" | | >= " + edges[1] +
            " | \"B\" | | >= " + edges[2] + " | \"C\" | | >= 0 | \"D\" | }";
    text += " rank by higher score";
    if (tie == 1) text += ", higher d0";
    if (tie == 2) text += ", lower d0, higher d1";
    return text + " }";
  }
  std::string record(std::size_t i) const {
    std::string text = "{\"id\":\"r" + std::to_string(i) + "\"";
    const auto tenths = [](int n) { return std::to_string(n / 10) + "." + std::to_string(n % 10); };
    for (std::size_t k = 0; k < values[i].size(); ++k)
      text += ",\"d" + std::to_string(k) + "\":" + tenths(values[i][k]);
    if (adjusts) text += ",\"down\":" + tenths(down[i]) + ",\"up\":" + tenths(up[i]);
    return text + "}";
  }
  std::vector<std::string> records() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < values.size(); ++i) all.push_back(record(i));
    return all;
  }
};

Run random_run(std::mt19937& random) {
  const auto any = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  Run run;
  run.dimensions = any(2, 4);
  run.decimals = any(0, 2);
  run.tie = any(0, 2);
  run.adjusts = any(0, 2) == 0;
  int rest = 100;
  for (int k = 0; k < run.dimensions; ++k) {
    const int w =
        k + 1 == run.dimensions ? rest : any(k == 1 && any(0, 5) == 0 ? 0 : 1, rest - (run.dimensions - k - 1));
    run.weights.push_back(w);
    rest -= w;
  }
  const int records = any(2, 6), coarse = any(0, 1);
  for (int i = 0; i < records; ++i) {
    std::vector<int>& row = run.values.emplace_back();
    for (int k = 0; k < run.dimensions; ++k) row.push_back(coarse != 0 ? 10 * any(0, 10) : any(0, 100));
    run.down.push_back(any(0, 1) * any(0, 60));
    run.up.push_back(any(0, 1) * any(0, 60));
  }
  return run;
}

// The rubric again, in fractions: scores, order and bands for any share of one dimension.
class Again {
 public:
  explicit Again(const Run& run) : run_(run) {}

  Number raw(std::size_t i, std::size_t k, Number t) {
    Number rest = kMissing, sum = whole(0);
    const Number w{run_.weights[k], 100};
    rest = div(sub(whole(1), t, pool), sub(whole(1), w, pool), pool);
    for (std::size_t d = 0; d < run_.weights.size(); ++d) {
      const Number share = d == k ? t : mul(Number{run_.weights[d], 100}, rest, pool);
      sum = add(sum, mul(share, Number{run_.values[i][d], 10}, pool), pool);
    }
    return after(i, sum);
  }
  Number after(std::size_t i, Number sum) {
    const auto cut = [&](Number n) { return max(whole(0), min(whole(10), n)); };
    if (run_.adjusts && run_.down[i] != 0) sum = cut(sub(sum, Number{run_.down[i], 10}, pool));
    if (run_.adjusts && run_.up[i] != 0) sum = cut(add(sum, Number{run_.up[i], 10}, pool));
    return sum;
  }
  Number score(std::size_t i, std::size_t k, Number t) {
    return round_to(raw(i, k, t), run_.decimals, Rounding::half_away, pool);
  }
  // 1: i ranks before j.
  int order(std::size_t i, std::size_t j, std::size_t k, Number t) {
    int by = compare(score(i, k, t), score(j, k, t));
    const auto& a = run_.values[i];
    const auto& b = run_.values[j];
    if (by == 0 && run_.tie == 1) by = (a[0] > b[0]) - (a[0] < b[0]);
    if (by == 0 && run_.tie == 2) by = a[0] != b[0] ? (a[0] < b[0] ? 1 : -1) : (a[1] > b[1]) - (a[1] < b[1]);
    return by;
  }
  int row(std::size_t i, std::size_t k, Number t) {
    const Number s = score(i, k, t);
    for (int row = 0; row < 3; ++row) {
      Number edge;
      parse_decimal(run_.edges[static_cast<std::size_t>(row)], edge, pool);
      if (compare(s, edge) >= 0) return row;
    }
    return 3;
  }
  // Every share at which some score may step, or be cut: whatever changes, changes there.
  std::vector<Number> places(std::size_t k) {
    std::vector<Number> all{whole(0), whole(1), {run_.weights[k], 100}};
    Number unit = whole(1);
    for (int i = 0; i < run_.decimals; ++i) unit = div(unit, whole(10), pool);
    for (std::size_t i = 0; i < run_.values.size(); ++i) {
      // The line before the scale cuts it, from its ends.
      Run plain = run_;
      plain.adjusts = false;
      Again line(plain);
      const Number at0 = line.raw(i, k, whole(0)), slope = sub(line.raw(i, k, whole(1)), at0, line.pool);
      if (sign(slope) == 0) continue;
      const Number down{run_.adjusts ? run_.down[i] : 0, 10}, up{run_.adjusts ? run_.up[i] : 0, 10};
      const auto place = [&](Number composite) {
        const Number t = div(sub(composite, at0, pool), slope, pool);
        if (sign(t) > 0 && compare(t, whole(1)) < 0) all.push_back(adopt(t, pool));
      };
      for (const Number cut : {whole(0), whole(10)}) {
        place(add(cut, down, pool));
        place(sub(add(cut, down, pool), up, pool));
      }
      const Number steps = div(whole(10), unit, pool);
      std::int64_t count = 0;
      REQUIRE(to_int64(steps, count));
      for (std::int64_t n = 0; n <= count; ++n) {
        const Number edge = mul(add(whole(n), Number{1, 2}, pool), unit, pool);
        place(sub(add(edge, down, pool), up, pool));
      }
    }
    std::sort(all.begin(), all.end(), [](Number a, Number b) { return compare(a, b) < 0; });
    return all;
  }
  NumberPool pool;

 private:
  Run run_;
};

Number exact(const std::string& text, NumberPool& pool) {
  Number n;
  INFO(text);
  REQUIRE(parse_exact(text, n, pool));
  return n;
}

// The interval around the declared share in which `same` holds between all places: bounds, 0 and 1 if nothing changes.
std::pair<Number, Number> around(Again& again, std::size_t k, Number w, const std::function<bool(Number)>& same) {
  const std::vector<Number> places = again.places(k);
  Number low = whole(0), high = whole(1);
  for (std::size_t p = 0; p + 1 < places.size(); ++p) {
    if (compare(places[p], places[p + 1]) == 0) continue;
    const Number middle = div(add(places[p], places[p + 1], again.pool), whole(2), again.pool);
    if (same(middle)) continue;
    if (compare(middle, w) < 0) low = places[p + 1];
    if (compare(middle, w) > 0 && compare(high, whole(1)) == 0) high = min(high, places[p]);
  }
  return {low, high};
}

void check_run(const Run& run) {
  INFO(run.rubric());
  const Rubric rubric = rubric_of(run.rubric());
  std::vector<std::string> texts;
  std::string shown;
  for (std::size_t i = 0; i < run.values.size(); ++i) {
    texts.push_back(run.record(i));
    shown += texts.back() + "\n";
  }
  INFO(shown);
  const std::vector<std::string_view> records(texts.begin(), texts.end());
  Analysis analysis(rubric);
  Sensitivity answer;
  SensitivityOptions options;
  options.samples = 4;
  REQUIRE(!analysis.sensitivity(records, options, answer));
  REQUIRE(answer.note.empty());
  REQUIRE(answer.left_out.empty());
  Again again(run);
  const std::size_t n = run.values.size();
  const auto index = [&](const std::string& id) { return static_cast<std::size_t>(std::stoul(id.substr(1))); };
  const std::size_t winner = index(answer.winner);
  for (std::size_t k = 0; k < run.weights.size(); ++k) {
    INFO("dimension " << k);
    const Number w{run.weights[k], 100};
    if (run.weights[k] == 100) continue;
    const WeightSensitivity& found = answer.weights[k];
    const auto same_pair = [&](std::size_t i, std::size_t j, Number t) {
      return again.order(i, j, k, t) == again.order(i, j, k, w);
    };
    const auto order = around(again, k, w, [&](Number t) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) {
          if (!same_pair(i, j, t)) return false;
        }
      }
      return true;
    });
    CHECK(compare(exact(found.order.low, again.pool), order.first) == 0);
    CHECK(compare(exact(found.order.high, again.pool), order.second) == 0);
    const auto first = around(again, k, w, [&](Number t) {
      for (std::size_t i = 0; i < n; ++i) {
        if (i != winner && !same_pair(winner, i, t)) return false;
      }
      return true;
    });
    CHECK(compare(exact(found.winner.low, again.pool), first.first) == 0);
    CHECK(compare(exact(found.winner.high, again.pool), first.second) == 0);
    for (std::size_t i = 0; i < n; ++i) {
      const auto grade = around(again, k, w, [&](Number t) { return again.row(i, k, t) == again.row(i, k, w); });
      const auto listed = std::find_if(answer.grades.begin(), answer.grades.end(), [&](const GradeInterval& g) {
        return index(g.id) == i && g.dimension == found.name;
      });
      const bool bounded = sign(grade.first) != 0 || compare(grade.second, whole(1)) != 0;
      INFO("record " << i);
      REQUIRE((listed != answer.grades.end()) == bounded);
      if (!bounded) continue;
      CHECK(compare(exact(listed->low, again.pool), grade.first) == 0);
      CHECK(compare(exact(listed->high, again.pool), grade.second) == 0);
    }
  }
}

// The least squared distance to weights at which the sum of weight × d is 0: over all sets of weights that are above 0.
Number least_square(const std::vector<Number>& w, const std::vector<Number>& d, NumberPool& pool) {
  Number least = kMissing;
  for (unsigned set = 1; set < 1U << w.size(); ++set) {
    Number count = whole(0), sum_d = whole(0), sum_dd = whole(0), sum_w = whole(0), sum_wd = whole(0);
    for (std::size_t k = 0; k < w.size(); ++k) {
      if ((set >> k & 1U) == 0) continue;
      count = add(count, whole(1), pool);
      sum_d = add(sum_d, d[k], pool);
      sum_dd = add(sum_dd, mul(d[k], d[k], pool), pool);
      sum_w = add(sum_w, w[k], pool);
      sum_wd = add(sum_wd, mul(w[k], d[k], pool), pool);
    }
    // w' = w + a + b d on the set: count a + sum_d b = 1 - sum_w, sum_d a + sum_dd b = -sum_wd.
    const Number det = sub(mul(count, sum_dd, pool), mul(sum_d, sum_d, pool), pool);
    const Number p = sub(whole(1), sum_w, pool), q = neg(sum_wd, pool);
    Number a = div(p, count, pool), b = whole(0);
    if (sign(det) != 0) {
      a = div(sub(mul(p, sum_dd, pool), mul(q, sum_d, pool), pool), det, pool);
      b = div(sub(mul(count, q, pool), mul(sum_d, p, pool), pool), det, pool);
    } else if (compare(mul(sum_d, a, pool), q) != 0) {
      continue;
    }
    Number square = whole(0);
    bool possible = true;
    for (std::size_t k = 0; k < w.size(); ++k) {
      const Number then = (set >> k & 1U) != 0 ? add(w[k], add(a, mul(b, d[k], pool), pool), pool) : whole(0);
      possible = possible && sign(then) >= 0;
      const Number by = sub(then, w[k], pool);
      square = add(square, mul(by, by, pool), pool);
    }
    if (possible && (least.missing() || compare(square, least) < 0)) least = square;
  }
  return least;
}

// What the analysis proves of the run: without random weights.
Sensitivity proved_of(const Run& run, const std::vector<std::string>& texts) {
  const std::vector<std::string_view> records(texts.begin(), texts.end());
  const Rubric rubric = rubric_of(run.rubric());
  Analysis analysis(rubric);
  Sensitivity answer;
  SensitivityOptions options;
  options.samples = 0;
  REQUIRE(!analysis.sensitivity(records, options, answer));
  return answer;
}

}  // namespace

TEST_CASE("intervals of weights and of bands are those that trying every place finds") {
  std::mt19937 random(20260301);
  const std::size_t count = rounds(800);
  for (std::size_t i = 0; i < count; ++i) check_run(random_run(random));
}

TEST_CASE("the nearest tie with the winner is the nearest of all ties") {
  std::mt19937 random(11);
  const std::size_t count = rounds(600);
  for (std::size_t round = 0; round < count; ++round) {
    Run run = random_run(random);
    run.adjusts = false;
    run.decimals = 2;
    INFO(run.rubric());
    const std::vector<std::string> texts = run.records();
    const Sensitivity answer = proved_of(run, texts);
    NumberPool pool;
    const auto index = [&](const std::string& id) { return static_cast<std::size_t>(std::stoul(id.substr(1))); };
    const auto winner = index(answer.winner);
    std::vector<Number> w;
    for (const int weight : run.weights) w.push_back({weight, 100});
    std::size_t possible = 0;
    Number before = whole(0);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i == winner) continue;
      std::vector<Number> d;
      for (std::size_t k = 0; k < w.size(); ++k) d.push_back({run.values[winner][k] - run.values[i][k], 10});
      const Number square = least_square(w, d, pool);
      const auto rival =
          std::find_if(answer.rivals.begin(), answer.rivals.end(), [&](const Rival& r) { return index(r.id) == i; });
      INFO(texts[winner] << texts[i]);
      REQUIRE((rival != answer.rivals.end()) == !square.missing());
      if (square.missing()) continue;
      ++possible;
      std::string distance;
      write_significant(sqrt(square, pool), 12, distance);
      CHECK(rival->distance == distance);
      // The weights there add up to 1, and both records are level.
      Number sum = whole(0), gap = whole(0), moved = whole(0);
      for (std::size_t k = 0; k < w.size(); ++k) {
        const Number at = exact(rival->weights[k].second, pool);
        CHECK(sign(at) >= 0);
        sum = add(sum, at, pool);
        gap = add(gap, mul(at, d[k], pool), pool);
        moved = add(moved, abs(sub(at, w[k], pool), pool), pool);
      }
      CHECK(compare(sum, whole(1)) == 0);
      CHECK(sign(gap) == 0);
      // No path to a tie has a smaller sum of changes than the answer's total.
      REQUIRE(!rival->total.empty());
      CHECK(compare(exact(rival->total, pool), moved) <= 0);
    }
    CHECK(answer.rivals.size() == possible);
    for (const Rival& rival : answer.rivals) {
      Number distance = exact(rival.distance, pool);
      CHECK(compare(before, distance) <= 0);
      before = distance;
    }
  }
}

TEST_CASE("the winner stays within the change of weights that is proved, at every corner") {
  std::mt19937 random(5);
  const std::size_t count = rounds(1000);
  for (std::size_t round = 0; round < count; ++round) {
    const Run run = random_run(random);
    INFO(run.rubric());
    const std::vector<std::string> texts = run.records();
    const Sensitivity answer = proved_of(run, texts);
    Again again(run);
    NumberPool& pool = again.pool;
    const Number e = div(exact(answer.stable_to, pool), whole(100), pool);
    CHECK((sign(e) >= 0 && compare(e, whole(1)) <= 0));
    const auto winner = static_cast<std::size_t>(std::stoul(answer.winner.substr(1)));
    const Number within = mul(e, Number{999, 1000}, pool);  // the edge itself may be a tie
    for (unsigned corner = 0; corner < 1U << run.weights.size() && sign(e) > 0; ++corner) {
      std::vector<Number> weights;
      Number sum = whole(0);
      for (std::size_t k = 0; k < run.weights.size(); ++k) {
        const Number factor = (corner >> k & 1U) != 0 ? add(whole(1), within, pool) : sub(whole(1), within, pool);
        weights.push_back(mul(Number{run.weights[k], 100}, factor, pool));
        sum = add(sum, weights.back(), pool);
      }
      std::vector<Number> scores;
      for (std::size_t i = 0; i < texts.size(); ++i) {
        Number composite = whole(0);
        for (std::size_t k = 0; k < weights.size(); ++k)
          composite = add(composite, mul(div(weights[k], sum, pool), Number{run.values[i][k], 10}, pool), pool);
        scores.push_back(round_to(again.after(i, composite), run.decimals, Rounding::half_away, pool));
      }
      for (std::size_t i = 0; i < texts.size(); ++i) {
        INFO("corner " << corner << ", " << texts[i] << ", winner " << texts[winner]);
        CHECK(compare(scores[winner], scores[i]) >= 0);
      }
    }
  }
}

TEST_CASE("a question about weights ends when it is interrupted") {
  Run run;
  run.dimensions = 2;
  run.weights = {50, 50};
  for (int i = 0; i < 300; ++i) run.values.push_back({(i * 37) % 101, (i * 61) % 101});
  run.down.assign(300, 0);
  run.up.assign(300, 0);
  const Rubric rubric = rubric_of(run.rubric());
  const std::vector<std::string> texts = run.records();
  const std::vector<std::string_view> records(texts.begin(), texts.end());
  Interrupt interrupt;
  EvaluatorOptions evaluation;
  evaluation.interrupt = &interrupt;
  Analysis analysis(rubric, evaluation);
  SensitivityOptions options;
  options.samples = 4'000'000'000U;  // hours
  Sensitivity answer;
  const auto begin = Interrupt::Clock::now();
  interrupt.set_deadline(begin + std::chrono::milliseconds(200));
  const auto error = analysis.sensitivity(records, options, answer);
  REQUIRE(error);
  CHECK(error->code == "timeout");
  CHECK(Interrupt::Clock::now() - begin < std::chrono::seconds(3));
  interrupt.clear();
  options.samples = 10;
  CHECK(!analysis.sensitivity(records, options, answer));
}

TEST_CASE("what weights decide besides the composite is named, and ties that hang on it are level") {
  const Rubric rubric = rubric_of(
      "rubric r { version \"1\" scale 0..10 decimals 0 gate good = composite > 1 dimension a weight 50% dimension b "
      "weight "
      "50% cap score at 9 when composite > 8 rank by higher score, higher composite }");
  Analysis analysis(rubric);
  Sensitivity answer;
  const std::vector<std::string_view> records{"{\"id\":\"x\",\"a\":5,\"b\":6}", "{\"id\":\"y\",\"a\":4,\"b\":4}"};
  REQUIRE(!analysis.sensitivity(records, {}, answer));
  CHECK(answer.taken == std::vector<std::string>{"gate good", "caps of the score",
                                                 "ranking key composite: records that only it tells apart are level"});
}
