// Kept earlier records change no verdict: a record of a series has the verdict of a request that includes the same
// earlier records, whatever happens in between. And they are kept: the cost of a record does not depend on its
// position.
#include "runtime/engine/evaluator.hpp"
#include "tests/property/exactness.hpp"
#include "tests/property/record_generator.hpp"
#include "tests/unit/given.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace assay;
using namespace assay_tests;

namespace {

// A rubric of the project whose records form series.
std::string in_series(const std::string& path) {
  std::string source;
  REQUIRE(load_rubric(path, source));
  const std::size_t at = source.find('\n', source.rfind("\nrubric ") + 1);
  return source.insert(at, "\n  input series: one of (\"p\", \"q\", \"r\") default \"p\"\n  history by series");
}

std::string around(const std::string& items) {
  return "rubric t {\n  scale 0..10 decimals 2\n  weights exact\n  dimension a weight 60%\n  dimension b weight 40%\n"
         "  input series: one of (\"p\", \"q\") default \"p\"\n  history by series\n" +
         items + "\n}\n";
}

const std::vector<std::string>& small_ones() {
  static const std::vector<std::string> kAll{
      around("  output n = count(history)\n  output before = last(history).score"),
      around(
          "  let past = [h.score for h in history]\n  output change = score - last(past)\n"
          "  output average = mean(last(3, past + [score])) decimals 2\n  output rising = slope(past + [score]) > 0.1"),
      // long fractions, which numbers of 64 bits do not hold
      around("  output third = score / 3 + a / 7\n  output all = sum(h.third * h.third for h in history) decimals 6\n"
             "  output spread = stdev(h.third for h in history) decimals 8"),
      // lists, maps, records and texts
      around("  input tags: set of text default []\n  deduction \"{t}\" = 0.5 for t in tags \"Tag {t}\"\n"
             "  output counts = map(t: count(h for h in history when t in h.marks) for t in tags)\n"
             "  output reasons = [d.reason for h in history for d in h.deductions]\n"
             "  output marks = tags\n  output said = \"{count(history)} before, the last {last(history).score}\""),
      // rules that hold for a record and not for the same one among the earlier: its own history is empty there
      around("  check a > 1 or count(history) > 0 at a \"too low for a first record\"\n"
             "  output mean_before = mean(h.a for h in history)"),
      // applied to what an earlier record was given
      around("  output low = min(h.b for h in history)\n  flag f when score < min(h.score for h in history) \"worse\"\n"
             "  output flags_before = [h.flags for h in history]"),
  };
  return kAll;
}

std::string request_of(const std::string& record, const std::vector<std::string>& history, const Settings& settings) {
  nlohmann::json weights = nlohmann::json::object();
  for (const auto& [name, weight] : settings.weights) weights[name] = nlohmann::json::parse(weight);
  std::string list;
  for (const std::string& one : history) list += (list.empty() ? "" : ",") + one;
  return "{\"op\":\"score\",\"context\":" + nlohmann::json(settings.contexts).dump() +
         ",\"weights\":" + weights.dump() + ",\"history\":[" + list + "],\"input\":" + record + "}";
}

struct Run {
  std::size_t scored = 0, refused = 0, configured = 0;
};

// Random records of series, against requests with the earlier records.
Run compare_series(const std::string& source, std::size_t count, std::uint64_t seed, const Limits& limits = {}) {
  const Rubric rubric = rubric_of(source);
  RecordGenerator generator(rubric, source, seed);
  EvaluatorOptions options, roomy;
  options.limits = limits;
  roomy.limits.list_items = limits.list_items;
  Evaluator normal(rubric, options), forced(rubric, options), fixed(rubric, roomy), asked(rubric, roomy);
  forced_big(forced, true);
  std::map<std::string, std::vector<std::string>> series;
  Settings settings;
  Run run;
  std::vector<std::string> given;  // to `fixed`, for some records
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 20 == 19) {
      settings = generator.random().one_in(2) ? Settings() : generator.settings();
      if (normal.configure(settings)) settings = Settings(), normal.configure(settings);
      REQUIRE_FALSE(forced.configure(settings));
      REQUIRE_FALSE(fixed.configure(settings));
      ++run.configured;
    }
    const std::string record = generator.record("r" + std::to_string(i));
    const auto parsed = nlohmann::json::parse(record);
    const auto named = parsed.find("series");
    const std::string key = named == parsed.end() || !named->is_string() ? "p" : named->get<std::string>();
    std::vector<std::string>& earlier = series[key];
    const std::string request = request_of(record, earlier, settings);
    const std::string expected(asked.eval(request));
    INFO(source);
    INFO(request);
    const Verdict& verdict = normal.score(record);
    const bool good = verdict.error() == nullptr;
    if (verdict.json() != expected) REQUIRE(verdict.json() == expected);
    if (forced.score(record).json() != expected) REQUIRE(forced.score(record).json() == expected);
    if (i % 7 == 0) {
      given = earlier;
      fixed.set_history(given);
    }
    if (!given.empty() && fixed.score(record).json() != asked.eval(request_of(record, given, settings)))
      REQUIRE(fixed.score(record).json() == asked.eval(request_of(record, given, settings)));
    good ? ++run.scored : ++run.refused;
    if (!good) continue;
    earlier.push_back(record);
    if (earlier.size() > limits.list_items)
      earlier.erase(earlier.begin(), earlier.begin() + static_cast<std::ptrdiff_t>(earlier.size() / 2));
  }
  return run;
}

}  // namespace

TEST_CASE("records of series have the verdicts of requests with their history", "[series]") {
  for (const std::string& source : small_ones()) {
    const Run run = compare_series(source, 400, 20'260'401);
    CHECK(run.scored > (source.find("check") == std::string::npos ? 100 : 10));
    CHECK(run.configured == 20);
  }
}

TEST_CASE("the same of the rubrics that ship and look back", "[series]") {
  for (const char* path : {"/rubrics/judge/judge.rubric", "/rubrics/skill/skill.rubric"}) {
    const Run run = compare_series(in_series(std::string(ASSAY_SOURCE_DIR) + path), 250, 11);
    CHECK(run.scored > 50);
  }
}

TEST_CASE("series that are cut, and verdicts for which there is no room", "[series]") {
  for (const std::string& source : small_ones()) {
    Limits limits;
    limits.list_items = 12;
    CHECK(compare_series(source, 200, 3, limits).scored > 2);
    limits.memory_bytes = 60'000;
    CHECK(compare_series(source, 200, 4, limits).scored > 2);
  }
}

TEST_CASE("verdicts that are too large to be kept are found again", "[series]") {
  const Rubric rubric =
      rubric_of(around("  input note: text\n  output noted = note\n  output n = count(history)\n"
                       "  output first = first(history).noted\n  output last = last(history).noted"));
  const auto record = [](int i, std::size_t size) {
    return "{\"a\":1,\"b\":2,\"series\":\"" + std::string(i % 3 == 0 ? "q" : "p") + "\",\"note\":\"" +
           std::string(size, static_cast<char>('a' + i % 26)) + "\"}";
  };
  const auto compare = [&](const Limits& limits, const std::function<std::size_t(int)>& size) {
    EvaluatorOptions options;
    options.limits = limits;
    Evaluator evaluator(rubric, options), asked(rubric);
    std::map<int, std::vector<std::string>> series;
    for (int i = 0; i < 40; ++i) {
      std::vector<std::string>& earlier = series[i % 3 == 0];
      const std::string one = record(i, size(i));
      if (evaluator.score(one).json() != asked.eval(request_of(one, earlier, {}))) return i;
      earlier.push_back(one);
    }
    return 40;
  };
  Limits limits;
  limits.memory_bytes = 100'000;  // of ten of these
  CHECK(compare(limits, [](int) { return 10'000; }) == 40);
  CHECK(compare({}, [](int i) { return i % 10 == 5 ? 1'048'570 : 10; }) == 40);

  std::string doubled = "  let a0 = [a, b]\n";  // small in memory, and 2^31 numbers as a copy
  for (int i = 1; i <= 30; ++i) {
    const std::string before = "a" + std::to_string(i - 1);
    doubled += "  let a" + std::to_string(i) + " = [" + before + ", " + before + "]\n";
  }
  Evaluator giant(
      rubric_of(around(doubled + "  output d = a30\n  output n = count(h for h in history when h.d is given)")),
      {{"id", "n"}, {}});
  for (int i = 0; i < 20; ++i) CHECK(giant.score(R"({"a": 1, "b": 2})").number("n") == i);
}

TEST_CASE("a record costs the same wherever it stands in its series", "[series]") {
  const Rubric rubric = rubric_of(around("  output before = last(history).score"));
  Evaluator evaluator(rubric);
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    const std::uint64_t before = evaluator.statistics().steps;
    REQUIRE(evaluator.score(R"({"a": 5, "b": )" + std::to_string(i % 10) + "}").error() == nullptr);
    const std::uint64_t taken = evaluator.statistics().steps - before;
    if (i == 1) steps = taken;
    if (i > 1 && taken != steps) REQUIRE(taken == steps);
  }
  // With new weights, all records are scored again, once. With the same weights, none is.
  const auto cost = [&] {
    const std::uint64_t before = evaluator.statistics().steps;
    REQUIRE(evaluator.score(R"({"a": 5, "b": 5})").error() == nullptr);
    return evaluator.statistics().steps - before;
  };
  const Settings settings{{}, {{"a", "50%"}, {"b", "50%"}}};
  REQUIRE_FALSE(evaluator.configure(settings));
  CHECK(cost() > 500 * steps / 2);
  CHECK(cost() == steps);
  REQUIRE_FALSE(evaluator.configure(settings));
  CHECK(cost() == steps);
  CHECK(evaluator.eval(R"({"input": {"a": 5, "b": 5}, "weights": {"a": 0.3, "b": 0.7}})").find("error") ==
        std::string::npos);
  CHECK(cost() == steps);
}

TEST_CASE("a history that is set is scored once for all records", "[series]") {
  const Rubric rubric = rubric_of(around("  output typical = mean(h.score for h in history)"));
  Evaluator evaluator(rubric);
  std::vector<std::string> records;
  for (int i = 0; i < 500; ++i) records.push_back(R"({"a": 4, "b": )" + std::to_string(i % 10) + "}");
  const auto cost = [&] {
    const std::uint64_t before = evaluator.statistics().steps;
    REQUIRE(evaluator.score(R"({"a": 5, "b": 5})").number("typical") == 4.2);
    return evaluator.statistics().steps - before;
  };
  evaluator.set_history(records);
  const std::uint64_t first = cost(), second = cost();
  CHECK(second * 2 < first);
  CHECK(cost() == second);
  records.back() = R"({"a": 4, "b": 3})";
  evaluator.set_history(records);
  CHECK(evaluator.score(R"({"a": 5, "b": 5})").number("typical") == 4.1952);
  evaluator.set_history({});
  CHECK_FALSE(evaluator.score(R"({"a": 5, "b": 5})").number("typical"));
}

TEST_CASE("hooks are called once for an earlier record", "[series]") {
  int calls = 0;
  CompileOptions options;
  options.hooks["half"] = [&calls](const std::vector<HookValue>& args) {
    ++calls;
    return HookValue(args[0].number / 2);
  };
  const Rubric rubric = rubric_of(around("  hook half(x: number): number from \"host:half\"\n  output h = half(a)\n"
                                         "  output all = sum(r.h for r in history)"),
                                  options);
  Evaluator evaluator(rubric);
  for (int i = 0; i < 50; ++i) {
    const Verdict& verdict = evaluator.score(R"({"a": 4, "b": 1})");
    REQUIRE(verdict.error() == nullptr);
    CHECK((i == 0 || verdict.number("all") == 2.0 * i));
  }
  CHECK(calls == 50 + 49);
  // An explanation shows each call, also for the earlier records, whose series it sees.
  const std::string text = evaluator.explain(R"({"a": 4, "b": 1})");
  CHECK(text.find("all = 100") != std::string::npos);
}

TEST_CASE("inputs set by handle have a series, too", "[series]") {
  const Rubric rubric = rubric_of(around("  output before = last(history).score\n  output n = count(history)"));
  Evaluator bound(rubric), read(rubric);
  Inputs& inputs = bound.inputs();
  const InputHandle a = *inputs.find("a"), b = *inputs.find("b"), series = *inputs.find("series");
  for (int i = 0; i < 60; ++i) {
    const std::string key = i % 3 == 0 ? "q" : "p";
    inputs.set_number(a, i % 11, 0);
    inputs.set_number(b, i * 7 % 101, 1);
    inputs.set_text(series, key);
    const std::string record = "{\"a\":" + std::to_string(i % 11) + ",\"b\":" + std::to_string(i * 7 % 101) +
                               "e-1,\"series\":\"" + key + "\"}";
    CHECK(bound.score_inputs().json() == read.score(record).json());
  }
}
