// The smallest changes against brute force: every record that random small rubrics allow is scored, and the changes
// that `reach` proves must be the smallest that reach the goal. Also tests the knapsack solver that it uses.
#include "runtime/reach/knapsack.hpp"

#include "tests/unit/given.hpp"

#include <assay/analysis.hpp>
#include <assay/assay.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

struct Field {
  std::string name;
  std::vector<std::string> values;  // as JSON, in order; numbers are whole
  std::string cost;
};

std::vector<Field> fields(std::mt19937& random) {
  const auto any = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const auto cost = [&] { return std::to_string(any(1, 3)); };
  const std::vector<std::string> points{"0", "1", "2", "3", "4", "5", "6"};
  return {{"a", points, cost()},
          {"b", points, cost()},
          {"c", points, cost()},
          {"flag", {"false", "true"}, cost()},
          {"kind", {"\"x\"", "\"y\"", "\"z\""}, cost()}};
}

std::string random_rubric(std::mt19937& random) {
  const auto any = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const int first = 10 * any(1, 7), second = 10 * any(1, 8 - first / 10);
  std::string text = "rubric r { version \"1\" scale 0..6 decimals " + std::to_string(any(0, 2)) +
                     " input flag: bool input kind: one of (\"x\", \"y\", \"z\")";
  if (any(0, 1) == 0) text += " gate ok = a >= " + std::to_string(any(1, 3)) + (any(0, 1) == 0 ? " or flag" : "");
  text += " dimension a: whole 0..6 weight " + std::to_string(first) + "% dimension b: whole 0..6 weight " +
          std::to_string(second) + "% dimension c: whole 0..6 weight " + std::to_string(100 - first - second) + "%";
  if (any(0, 1) == 0) text += " deduction less = " + std::string(any(0, 1) == 0 ? "1" : "kept") + " when kind == \"x\"";
  if (any(0, 2) == 0) text += " bonus more = 0.5 when flag and c > 2";
  if (any(0, 2) == 0) text += " cap score at " + std::to_string(any(2, 5)) + " when kind != \"z\" and b < 3";
  const std::string kept = " let kept = 0.5 * (6 - c)";
  if (text.find("kept") != std::string::npos) text += kept;
  return text + " rank by higher score }";
}

std::string record_of(const std::vector<Field>& all, const std::vector<std::size_t>& at) {
  std::string text = "{\"id\":\"r\"";
  for (std::size_t i = 0; i < all.size(); ++i) text += ",\"" + all[i].name + "\":" + all[i].values[at[i]];
  return text + "}";
}

// Every combination of values.
void each_record(const std::vector<Field>& all, const std::function<void(const std::vector<std::size_t>&)>& visit) {
  std::vector<std::size_t> at(all.size(), 0);
  while (true) {
    visit(at);
    std::size_t i = 0;
    while (i < all.size() && ++at[i] == all[i].values.size()) at[i++] = 0;
    if (i == all.size()) return;
  }
}

struct Smallest {
  bool any = false;
  int fields = 0, cost = 0;  // each the least of its own
};

}  // namespace

TEST_CASE("the least price of a knapsack is that of all choices") {
  std::mt19937 random(3);
  const auto any = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const std::size_t count = rounds(20000);
  for (std::size_t round = 0; round < count; ++round) {
    const bool by_fields = any(0, 1) == 0, linear = any(0, 1) == 0;
    std::vector<KnapsackItem> items(static_cast<std::size_t>(any(1, 5)));
    for (KnapsackItem& item : items) {
      const int positions = any(1, 4), gain = any(1, 6), cost = any(0, 5);
      const bool counts = any(0, 3) > 0;
      for (int p = 1; p <= positions; ++p) {
        const std::int64_t last_gain = item.empty() ? 0 : item.back().gain,
                           last_cost = item.empty() ? 0 : item.back().price.cost;
        item.push_back({linear ? p * gain : last_gain + any(1, 6),
                        {by_fields && counts ? 1 : 0, linear ? p * cost : last_cost + any(0, 5)}});
      }
    }
    const std::int64_t need = any(-2, 30);
    std::optional<KnapsackPrice> below;
    if (any(0, 2) == 0) below = KnapsackPrice{by_fields ? any(0, 4) : 0, any(0, 20)};
    std::optional<KnapsackPrice> least = below;
    bool better = false;
    std::vector<std::size_t> at(items.size(), 0);
    while (true) {
      std::int64_t gain = 0;
      KnapsackPrice price;
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (at[i] == 0) continue;
        gain += items[i][at[i] - 1].gain;
        price.fields += items[i][at[i] - 1].price.fields;
        price.cost += items[i][at[i] - 1].price.cost;
      }
      if (gain >= need && (!least || price < *least)) {
        least = price;
        better = true;
      }
      std::size_t i = 0;
      while (i < items.size() && ++at[i] > items[i].size()) at[i++] = 0;
      if (i == items.size()) break;
    }
    const KnapsackAnswer answer = least_price(items, need, below, nullptr);
    REQUIRE(answer.complete);
    REQUIRE(answer.found == better);
    if (!better) continue;
    CHECK(answer.price.fields == least->fields);
    CHECK(answer.price.cost == least->cost);
    std::int64_t gain = 0, cost = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (answer.chosen[i] < 0) continue;
      gain += items[i][static_cast<std::size_t>(answer.chosen[i])].gain;
      cost += items[i][static_cast<std::size_t>(answer.chosen[i])].price.cost;
    }
    CHECK(gain >= need);
    CHECK(cost == least->cost);
  }
}

TEST_CASE("what reach proves is the smallest of all records that get there") {
  std::mt19937 random(20260302);
  const auto any = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const std::size_t count = rounds(200);
  std::size_t asked = 0, proved = 0;
  for (std::size_t round = 0; round < count; ++round) {
    const std::string text = random_rubric(random);
    const std::vector<Field> all = fields(random);
    const Rubric rubric = rubric_of(text);
    std::vector<std::size_t> stand;
    for (const Field& field : all)
      stand.push_back(static_cast<std::size_t>(any(0, static_cast<int>(field.values.size()) - 1)));
    const std::string target = any(0, 5) == 0 ? "eligible" : std::to_string(any(2, 6));
    double goal = -1;
    if (target != "eligible") goal = std::stod(target);
    Smallest smallest;
    Evaluator evaluator(rubric);
    // A score is a goal for the record itself: an ineligible record need not become eligible.
    const bool eligible = goal < 0 || evaluator.score(record_of(all, stand)).json("status") == "\"eligible\"";
    each_record(all, [&](const std::vector<std::size_t>& at) {
      const Verdict& verdict = evaluator.score(record_of(all, at));
      REQUIRE(verdict.error() == nullptr);
      const std::string status(verdict.json("status")), score(verdict.json("score"));
      const bool there =
          (!eligible || status == "\"eligible\"") && (goal < 0 || (score != "null" && std::stod(score) >= goal));
      if (!there) return;
      int fields = 0, cost = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (at[i] == stand[i]) continue;
        ++fields;
        const bool number = i < 3;
        const int points = number ? std::abs(static_cast<int>(at[i]) - static_cast<int>(stand[i])) : 1;
        cost += points * std::stoi(all[i].cost);
      }
      smallest.fields = smallest.any ? std::min(smallest.fields, fields) : fields;
      smallest.cost = smallest.any ? std::min(smallest.cost, cost) : cost;
      smallest.any = true;
    });
    const std::string record = record_of(all, stand);
    INFO(text << "\n" << record << "\nto " << target);
    Analysis analysis(rubric);
    ReachQuestion question;
    question.target = target;
    for (const Field& field : all) question.costs.emplace_back(field.name, field.cost);
    Reach reach;
    const auto error = analysis.reach(record, question, reach);
    REQUIRE(!error);
    if (reach.already) {
      CHECK((smallest.any && smallest.fields == 0));
      continue;
    }
    ++asked;
    proved += reach.fewest.proved && reach.least.proved ? 1 : 0;
    if (!smallest.any) {
      CHECK(!reach.fewest.found);
      CHECK(!reach.least.found);
      continue;
    }
    REQUIRE(reach.fewest.found);
    REQUIRE(reach.least.found);
    CHECK(static_cast<int>(reach.fewest.fields) >= smallest.fields);
    CHECK(std::stod(reach.least.cost) >= smallest.cost);
    if (reach.fewest.proved) CHECK(static_cast<int>(reach.fewest.fields) == smallest.fields);
    if (reach.least.proved) CHECK(std::stod(reach.least.cost) == smallest.cost);
  }
  CHECK(proved * 100 >= asked * 98);
}
