// The public API: settings by policy, evaluation, requests, rankings, histories, cohorts, examples, readers of records
// and explanations.
#include "lang/text/source.hpp"
#include "runtime/engine/settings.hpp"

#include <assay/assay.hpp>

#include "tests/unit/given.hpp"

#include <algorithm>
#include <cstring>

using namespace assay;

namespace {

const char* const kJudge = R"rubric(
rubric judge "Skill output evaluation" {
  version "1.0"
  scale   1..10 decimals 2
  weights exact
  dimension correctness weight 50%  "Is the output right?" { level 9 "nearly perfect"  level 5 "so so" }
  dimension safety      weight 30%
  dimension clarity     weight 20%
  input red_flags: set of text default []
  gate harmless = safety >= 2  "Does no harm"
  deduction "{flag}" = 0.50 for flag in red_flags  "Red flag: {flag}"
  cap deductions at 1.00
  bands grade(score) {
    | score   | grade | label  |
    | >= 9.00 | "A"   | "Good" |
    | >= 1.00 | "F"   | "Bad"  |
  }
  output earlier = count(history)
  rank by higher score, higher safety, lower count(red_flags)
  example "all nines are an A" { given { correctness: 9, safety: 9, clarity: 9 }  expect { score: 9.00, grade: "A" } }
  example "wrong"              { given { correctness: 8, safety: 8, clarity: 8 }  expect { score: 9, grade: "A" } }
  example "out of range"       { given { correctness: 11, safety: 8, clarity: 8 } error at correctness }
}
)rubric";

RubricModel weighted(WeightPolicy policy) {
  RubricModel rubric;
  const auto add = [&](const char* name, Number value, bool settable) {
    WeightModel weight;
    weight.name = name;
    weight.value = value;
    weight.settable = settable;
    rubric.weighting.weights.push_back(weight);
  };
  add("a", {1, 2}, true);
  add("a.x", {3, 8}, false);
  add("a.y", {1, 8}, false);
  add("b", {3, 10}, true);
  add("c", {1, 5}, true);
  rubric.weighting.policy = policy;
  rubric.weighting.total = whole(1);
  rubric.weighting.contexts.push_back({"heavy", "", {{3, {2, 5}}}});
  return rubric;
}

std::string apply(const RubricModel& rubric, const Settings& settings) {
  NumberPool pool;
  std::vector<Number> weights;
  if (const auto error = apply_settings(rubric, settings, pool, weights)) return error->path;
  std::string out;
  for (const Number weight : weights) {
    out += out.empty() ? "" : " ";
    write_exact(weight, out);
  }
  return out;
}

std::string all_records(const std::string& text, Format format, const Rubric& rubric) {
  RecordReader reader(format, reader_of(text, 7), rubric);
  Record record;
  InputError problem;
  std::string out;
  while (true) {
    const RecordReader::Status status = reader.next(record, problem);
    if (status == RecordReader::Status::end) return out;
    out += std::to_string(record.line) + ":" +
           (status == RecordReader::Status::record ? std::string(record.json) : problem.code) + "|";
  }
}

}  // namespace

TEST_CASE("weights by policy", "[engine]") {
  const RubricModel rescaled = weighted(WeightPolicy::rescaled);
  CHECK(apply(rescaled, {}).empty());
  CHECK(apply(rescaled, {{"heavy"}, {}}) == "3/7 9/28 3/28 0.4 6/35");
  CHECK(apply(rescaled, {{"heavy", "heavy"}, {}}) == "3/7 9/28 3/28 0.4 6/35");
  CHECK(apply(rescaled, {{"heavy"}, {{"b", "30%"}}}) == "0.5 0.375 0.125 0.3 0.2");
  CHECK(apply(rescaled, {{}, {{"a", "1"}}}) == "1 0.75 0.25 0 0");
  CHECK(apply(rescaled, {{}, {{"a", "0.7"}, {"b", "0.31"}}}) == "weights");
  CHECK(apply(rescaled, {{}, {{"a", "0.5"}, {"b", "0.2"}, {"c", "0.2"}}}) == "weights");
  CHECK(apply(rescaled, {{}, {{"a", "1.01"}}}) == "weights.a");
  CHECK(apply(rescaled, {{}, {{"a", "-0.1"}}}) == "weights.a");
  CHECK(apply(rescaled, {{}, {{"a.x", "0.1"}}}) == "weights.a.x");
  CHECK(apply(rescaled, {{}, {{"zz", "0.1"}}}) == "weights.zz");
  CHECK(apply(rescaled, {{"heavy", "light"}, {}}) == "context[1]");
  const RubricModel exact = weighted(WeightPolicy::exact);
  CHECK(apply(exact, {{}, {{"a", "0.4"}, {"b", "0.4"}}}) == "0.4 0.3 0.1 0.4 0.2");
  CHECK(apply(exact, {{}, {{"a", "0.4"}}}) == "weights");
  CHECK(apply(weighted(WeightPolicy::fixed), {{}, {{"a", "0.5"}}}) == "weights.a");
}

TEST_CASE("a record is scored, and its verdict read", "[engine]") {
  const Rubric rubric = rubric_of(kJudge);
  Evaluator evaluator(rubric);
  REQUIRE(evaluator.error() == nullptr);
  const Verdict& v =
      evaluator.score(R"({"id": "a", "correctness": 9.5, "safety": 9, "clarity": 9, "red_flags": ["x", "y", "x"]})");
  REQUIRE(v.error() == nullptr);
  CHECK(v.number("score") == 8.25);
  CHECK(v.text("grade") == "F");
  CHECK(v.text("grade_label") == "Bad");
  CHECK(v.text("rubric") == "judge");
  CHECK(v.id() == "a");
  CHECK(v.eligible());
  CHECK(v.json("composite") == "9.25");
  CHECK(v.json().substr(0, 35) == R"({"rubric":"judge","version":"1.0",")");
  CHECK_FALSE(v.number("grade"));
  CHECK_FALSE(v.number("nothing"));
  evaluator.score(R"({"correctness": 11, "safety": 9, "clarity": 9})");
  REQUIRE(v.error() != nullptr);
  CHECK(v.error()->path == "correctness");
  CHECK(v.json() ==
        R"({"error":{"path":"correctness","code":"range","message":"correctness is 11, expected a number 1..10"}})");
  CHECK(v.text("grade").empty());
  CHECK(evaluator.statistics().records == 2);
  CHECK(evaluator.statistics().rejected == 1);
  CHECK(evaluator.statistics().exact_path == 0);
}

TEST_CASE("only the fields that are asked for", "[engine]") {
  const Rubric rubric = rubric_of(kJudge);
  Evaluator evaluator(rubric, {{"grade", "score"}, {}});
  CHECK(evaluator.score(R"({"correctness": 9, "safety": 9, "clarity": 9})").json() == R"({"score":9,"grade":"A"})");
  Evaluator wrong(rubric, {{"grad"}, {}});
  REQUIRE(wrong.error() != nullptr);
  CHECK(wrong.error()->message == "the verdict has no field 'grad'; did you mean 'grade'?");
}

TEST_CASE("settings and history of an evaluator", "[engine]") {
  const Rubric rubric = rubric_of(kJudge);
  Evaluator evaluator(rubric);
  CHECK(evaluator.configure({{}, {{"correctness", "0.9"}}})->path == "weights");
  CHECK_FALSE(evaluator.configure({{}, {{"correctness", "60%"}, {"safety", "0.2"}}}));
  const char* record = R"({"correctness": 10, "safety": 5, "clarity": 5})";
  CHECK(evaluator.score(record).number("score") == 8);
  evaluator.set_history({record, record});
  CHECK(evaluator.score(record).number("earlier") == 2);
  evaluator.set_history({record, R"({"correctness": 10, "safety": 5})"});
  CHECK(evaluator.score(record).error()->path == "history[1].clarity");
  evaluator.set_history({});
  CHECK_FALSE(evaluator.configure({}));
  CHECK(evaluator.score(record).number("score") == 7.5);
}

TEST_CASE("requests are always answered", "[engine]") {
  const Rubric rubric = rubric_of(kJudge);
  Evaluator evaluator(rubric);
  const auto path = [&](std::string_view request) {
    const std::string answer(evaluator.eval(request));
    const std::size_t begin = answer.find("\"path\":\"");
    return begin == std::string::npos ? answer : answer.substr(begin + 8, answer.find('"', begin + 8) - begin - 8);
  };
  const std::string good = R"({"id": "a", "correctness": 9, "safety": 9, "clarity": 9})";
  CHECK(path("{\"input\": " + good + "}").find("\"score\":9,") != std::string::npos);
  CHECK(path("").empty());
  CHECK(path("[]").empty());
  CHECK(path("{}").empty());
  CHECK(path(R"({"op": "scor", "input": {}})") == "op");
  CHECK(path(R"({"op": 1, "input": {}})") == "op");
  CHECK(path(R"({"input": 3})").empty());
  CHECK(
      path("{\"input\": " + good + ", \"weights\": null, \"context\": [], \"history\": null}").find("\"earlier\":0") !=
      std::string::npos);
  CHECK(path("{\"input\": " + good + ", \"weights\": {\"safety\": null}}") == "weights.safety");
  CHECK(path("{\"input\": " + good + ", \"weights\": {\"safety\": \"0.3\"}}") == "weights.safety");
  CHECK(path("{\"input\": " + good + ", \"weights\": {\"safety\": 0.31}}") == "weights");
  CHECK(path("{\"input\": " + good + ", \"weights\": []}") == "weights");
  CHECK(path("{\"input\": " + good + ", \"context\": [1]}") == "context[0]");
  CHECK(path("{\"input\": " + good + ", \"context\": [\"x\"]}") == "context[0]");
  CHECK(path("{\"input\": " + good + ", \"context\": \"x\"}") == "context");
  CHECK(path("{\"input\": " + good + ", \"history\": [" + good + ", 3]}") == "history[1]");
  CHECK(path("{\"input\": " + good + ", \"history\": [{\"correctness\": 1}]}") == "history[0].safety");
  CHECK(path("{\"input\": " + good + ", \"history\": {}}") == "history");
  CHECK(path("{\"input\": " + good + ", \"history\": [" + good + "]}").find("\"earlier\":1") != std::string::npos);
  CHECK(path("{\"input\": " + good + "}").find("\"earlier\":0") != std::string::npos);
  CHECK(path(R"({"op": "rank", "inputs": []})") == R"({"ranking":[],"ineligible":[]})");
  CHECK(path(R"({"op": "rank"})") == "inputs");
  CHECK(path("{\"op\": \"rank\", \"inputs\": [" + good + "," + good + "]}") == "inputs[1].id");
  CHECK(path("{\"op\": \"rank\", \"inputs\": [" + good + ", 7]}") == "inputs[1]");
  CHECK(path("{\"op\": \"rank\", \"inputs\": [{\"correctness\": 9, \"safety\": 9, \"clarity\": 9}]}") ==
        "inputs[0].id");
}

TEST_CASE("records are ranked in groups", "[engine]") {
  const Rubric rubric = rubric_of(kJudge);
  Evaluator evaluator(rubric);
  const std::vector<std::string_view> records{R"({"id": "low", "correctness": 5, "safety": 5, "clarity": 5})",
                                              R"({"id": "bad", "correctness": 9, "safety": 1, "clarity": 9})",
                                              R"({"id": "high", "correctness": 9, "safety": 9, "clarity": 9})",
                                              R"({"id": "twin", "correctness": 5, "safety": 5, "clarity": 5})"};
  Ranking ranking;
  REQUIRE_FALSE(evaluator.rank(records, ranking));
  CHECK(ranking.json() == R"({"ranking":[["high"],["low","twin"]],"ineligible":["bad"]})");
  std::vector<std::pair<std::size_t, InputError>> errors;
  std::vector<std::string_view> with_rejected = records;
  with_rejected.push_back("{}");
  CHECK(evaluator.rank(with_rejected, ranking)->path == "inputs[4].correctness");
  CHECK(evaluator.rank_valid(with_rejected, errors).groups.size() == 2);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].first == 4);
}

TEST_CASE("examples are run and compared", "[engine]") {
  const std::vector<ExampleResult> results = rubric_of(kJudge).test();
  REQUIRE(results.size() == 3);
  CHECK(results[0].passed);
  CHECK(results[1].differences ==
        std::vector<Printable>{"score: expected 9, got 8", "grade: expected \"A\", got \"F\""});
  CHECK(results[2].passed);
}

TEST_CASE("the scoring hash follows numbers and not prose", "[engine]") {
  const std::string text = kJudge;
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    const std::size_t at = other.find(from);
    REQUIRE(at != std::string::npos);
    return rubric_of(other.replace(at, from.size(), to)).scoring_hash();
  };
  const std::string hash = rubric_of(text).scoring_hash();
  CHECK(hash.size() == 16);
  CHECK(changed("Is the output right?", "Right?") == hash);
  CHECK(changed("\"Red flag: {flag}\"", "\"Alas: {flag}\"") == hash);
  CHECK(changed("\"Bad\"", "\"Poor\"") == hash);
  CHECK(changed("0.50", "0.25") != hash);
  CHECK(changed(">= 9.00", ">= 8.90") != hash);
  CHECK(changed("weights exact", "weights rescaled") != hash);
  CHECK(changed("gate harmless", "flag plain when safety < 5 gate harmless") == hash);
  CHECK(changed("gate harmless", "advice \"More\" when safety < 5 gate harmless") == hash);
  CHECK(changed("cap deductions at 1.00", "cap deductions at 1 \"No more\"") == hash);
  CHECK(changed("50%", "0.5") == hash);
  CHECK(changed("dimension correctness", "# a comment\n  dimension correctness") == hash);
  CHECK(changed("\"Red flag: {flag}\"\n", "\"Red flag: {flag}\"\n check safety > 1 at safety \"Unsafe\"\n") != hash);
}

TEST_CASE("the scoring hash is of definitions, not of the names between them", "[engine]") {
  const auto hash = [](const std::string& text) {
    return rubric_of("rubric r { input x, y: number 0..1 " + text + "}").scoring_hash();
  };
  CHECK(hash("let a = x + y output o = a * a") == hash("let sum = x + y output o = sum * sum"));
  CHECK(hash("fn f(v) = v * 2 output o = f(x) + f(y)") == hash("fn twice(v) = v * 2 output o = twice(x) + twice(y)"));
  CHECK(hash("output o = { a: x, b: y }") != hash("output o = { b: x, a: y }"));
  CHECK(hash("output o = { reason: x, y }") != hash("output o = { reason: y, y }"));
  CHECK(hash("output o = x - y") == hash("output o = x - y \"The difference\""));
  CHECK(hash("check x > y at x \"a\" output o = x") == hash("check x > y at x \"b\" output o = x"));
  CHECK(hash("bands b(x) { | x | b | p | | >= 0.5 | \"A\" | 1 | | >= 0 | \"B\" | 0 | }") !=
        hash("bands b(x) { | x | b | p | | >= 0.5 | \"A\" | 2 | | >= 0 | \"B\" | 0 | }"));
  CHECK(rubric_of("rubric r { input x, y: number 0..1 output o = x + y }").scoring_hash() ==
        rubric_of("rubric r { input y, x: number 0..1 output o = x + y }").scoring_hash());
}

TEST_CASE("a verdict carries the scoring hash", "[engine]") {
  const Rubric rubric = rubric_of(kJudge);
  const char* record = R"({"correctness": 9, "safety": 9, "clarity": 9})";
  Evaluator whole(rubric);
  const Verdict& verdict = whole.score(record);
  CHECK(verdict.text("scoring_hash") == rubric.scoring_hash());
  CHECK(verdict.json("scoring_hash") == "\"" + rubric.scoring_hash() + "\"");
  Evaluator alone(rubric, {{"scoring_hash"}, {}});
  CHECK(alone.score(record).json() == "{\"scoring_hash\":\"" + rubric.scoring_hash() + "\"}");
  Evaluator some(rubric, {{"score", "scoring_hash"}, {}});
  CHECK(some.score(record).json() == "{\"scoring_hash\":\"" + rubric.scoring_hash() + "\",\"score\":9}");
}

TEST_CASE("streams are cut into records", "[engine]") {
  const Rubric rubric = rubric_of(kJudge);
  CHECK(all_records("{\"a\":1}\n\n  \r\n{\"b\":2}\r\n{\"c\":3}", Format::ndjson, rubric) ==
        "1:{\"a\":1}|4:{\"b\":2}|5:{\"c\":3}|");
  CHECK(all_records("", Format::ndjson, rubric).empty());
  CHECK(all_records("\xEF\xBB\xBF{\"a\":1}", Format::ndjson, rubric) == "1:{\"a\":1}|");
  CHECK(all_records("[\n{\"a\":1},\n\n{\"b\":2}]\n", Format::json, rubric) == "2:{\"a\":1}|4:{\"b\":2}|");
  CHECK(all_records("\n{\"a\":1}", Format::json, rubric) == "2:{\"a\":1}|");
  CHECK(all_records("[1,", Format::json, rubric) == "1:1|1:syntax|");
  CHECK(all_records("{\"a\":1}\n{\"b\":\n2}\n", Format::json, rubric) == "1:{\"a\":1}|2:{\"b\":\n2}|");
  CHECK(all_records("id,correctness,red_flags,note\na,9,x; y,\"say \"\"hi\"\"\"\n\nb,,,\n\"c\nd\",7,,\n", Format::csv,
                    rubric) ==
        "2:{\"id\":\"a\",\"correctness\":9,\"red_flags\":[\"x\",\"y\"],\"note\":\"say "
        "\\\"hi\\\"\"}|4:{\"id\":\"b\"}|5:{\"id\":\"c\\nd\",\"correctness\":7}|");
  CHECK(all_records("id;correctness\na;9\n", Format::csv, rubric) == "2:{\"id\":\"a\",\"correctness\":9}|");
  CHECK(all_records("id,a.x,a.y\n1,2,3\n", Format::csv, rubric) == "2:{\"id\":\"1\",\"a\":{\"x\":\"2\",\"y\":\"3\"}}|");
  CHECK(all_records("id\tcorrectness\tnote\na,b;c\t9\t\"x\ty\"\r\n", Format::tsv, rubric) ==
        "2:{\"id\":\"a,b;c\",\"correctness\":9,\"note\":\"x\\ty\"}|");
  CHECK(all_records("id;safety\tcorrectness\na\t9\n", Format::tsv, rubric) ==
        "2:{\"id;safety\":\"a\",\"correctness\":9}|");
  CHECK(all_records("id;correctness\na\n", Format::tsv, rubric) == "1:required|");
  CHECK(all_records("id,id\n", Format::csv, rubric) == "1:duplicate|");
  CHECK(all_records("id\na,b\n", Format::csv, rubric) == "2:syntax|");
}

TEST_CASE("explanations name every stage", "[engine]") {
  const Rubric rubric = rubric_of(kJudge);
  Evaluator evaluator(rubric);
  const std::string text =
      evaluator.explain(R"({"id": "a", "correctness": 9.5, "safety": 9, "clarity": 9, "red_flags": ["x"]})");
  INFO(text);
  for (const char* piece :
       {"Inputs", "given", "Gates", "harmless: passed", "Dimensions", "level 9: nearly perfect", "Composite",
        "9.5 × 0.5", "Deductions", "x: 0.5", "Red flag: x", "Score", "Bands", "grade = \"F\"", "Verdict"}) {
    INFO(piece);
    CHECK(text.find(piece) != std::string::npos);
  }
  CHECK(evaluator.explain("{}").substr(0, 25) == "The record is rejected at");
  CHECK(evaluator.explain(R"({"correctness": 9.5, "safety": 9, "clarity": 9})", "scor").find("did you mean 'score'") !=
        std::string::npos);
}

TEST_CASE("expressions over a record", "[engine]") {
  const Rubric rubric = rubric_of(kJudge);
  Evaluator evaluator(rubric);
  const char* record = R"({"correctness": 9.5, "safety": 9, "clarity": 9})";
  const Evaluator::Evaluated value = evaluator.evaluate("score - safety", record);
  INFO(render(value.diagnostics));
  CHECK(value.value == "0.25");
  CHECK_FALSE(evaluator.evaluate("scor", record).diagnostics.empty());
  CHECK(evaluator.evaluate("score", "{}").error->path == "correctness");
}

TEST_CASE("history by series, and a cohort", "[engine]") {
  const Rubric rubric = rubric_of(R"rubric(
rubric runs {
  scale 0..10 decimals 1
  history by series
  input series: text
  dimension value weight 100%
  output before = count(history)
  output mean_before = mean(h.value for h in history)
  cohort { output typical = median(r.score for r in records)  output size = count(records) }
}
)rubric");
  Evaluator evaluator(rubric);
  evaluator.start_cohort();
  CHECK(evaluator.score(R"({"series": "a", "value": 2})").number("before") == 0);
  CHECK(evaluator.score(R"({"series": "b", "value": 5})").number("before") == 0);
  CHECK(evaluator.score(R"({"series": "a", "value": 4})").number("before") == 1);
  CHECK(evaluator.score(R"({"series": "a", "value": 9})").number("mean_before") == 3);
  CHECK(evaluator.score(R"({"series": "a"})").error() != nullptr);
  CHECK(evaluator.score(R"({"series": "b", "value": 1})").number("mean_before") == 5);
  CHECK(evaluator.cohort() == R"({"typical":4,"size":5})");
  CHECK(evaluator.cohort() == R"({"typical":4,"size":5})");
}
