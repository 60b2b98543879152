// Deadlines and cancellations: every operation ends with one error, and works as before once the interrupt is cleared.
// No test depends on time: a hook or a callback cancels in the middle of the work.
#include <assay/assay.hpp>
#include <assay/diff.hpp>

#include "tests/unit/catch.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

using namespace assay;

namespace {

// A rubric whose evaluation cancels itself if a record requests it, and then has much work left.
struct Stoppable {
  Interrupt interrupt;
  bool armed = true;
  std::optional<Rubric> rubric;

  explicit Stoppable(const std::string& more = "") {
    CompileOptions options;
    options.hooks["stop"] = [this](const std::vector<HookValue>& args) {
      if (args[0].boolean && armed) interrupt.cancel();
      return HookValue(1);
    };
    const Compiled compiled = compile("t.rubric",
                                      "rubric t { version \"1\"\n"
                                      "hook stop(now: bool): number from \"host:stop\"\n"
                                      "input a: number  input now: bool default false\n"
                                      "input xs: list of number default []\n"
                                      "output n = stop(now) + count(1 for x in xs for y in xs for z in xs)\n" +
                                          more + "}",
                                      options);
    INFO(render(compiled.diagnostics));
    REQUIRE(compiled.rubric);
    rubric = *compiled.rubric;
  }
  EvaluatorOptions options() {
    EvaluatorOptions result;
    result.interrupt = &interrupt;
    result.limits.steps = UINT64_MAX;  // no other limit ends it
    return result;
  }
};

std::string many() {
  std::string text = R"({"a": 1, "now": true, "xs": [0)";
  for (int i = 1; i < 20'000; ++i) text += ',' + std::to_string(i);
  return text + "]}";
}

const std::string kShort = R"({"id": "x", "a": 1, "xs": [1, 2]})";

std::string code(const std::optional<InputError>& error) { return error ? error->code : "none"; }
std::string code(const Verdict& verdict) { return verdict.error() != nullptr ? verdict.error()->code : "none"; }

}  // namespace

TEST_CASE("an interrupt ends an evaluation, and the evaluator stays usable", "[interrupt]") {
  Stoppable s;
  Evaluator evaluator(*s.rubric, s.options());
  const std::string before(evaluator.score(kShort).json());
  CHECK(before.starts_with("{\"rubric\""));
  const Verdict& stopped = evaluator.score(many());
  CHECK(code(stopped) == "cancelled");
  CHECK(stopped.error()->path.empty());
  CHECK(stopped.error()->message == "the evaluation was cancelled");
  CHECK(code(evaluator.score(kShort)) == "cancelled");  // until the interrupt is cleared
  s.interrupt.clear();
  CHECK(evaluator.score(kShort).json() == before);

  s.interrupt.set_deadline(Interrupt::Clock::now() - std::chrono::seconds(1));
  CHECK(code(evaluator.score(kShort)) == "timeout");
  CHECK(evaluator.score(kShort).error()->message == "the evaluation ran out of time");
  s.interrupt.set_deadline(Interrupt::Clock::now() + std::chrono::hours(1));
  CHECK(evaluator.score(kShort).json() == before);
}

TEST_CASE("a deadline ends an evaluation that has begun", "[interrupt]") {
  Stoppable s;
  s.armed = false;
  Evaluator evaluator(*s.rubric, s.options());
  s.interrupt.set_deadline(Interrupt::Clock::now() + std::chrono::milliseconds(20));
  CHECK(code(evaluator.score(many())) == "timeout");  // 8,000 billion rounds
}

TEST_CASE("big numbers are interrupted, too", "[interrupt]") {
  Stoppable s("output big = last([p for x in xs with p = a + 1/3 then p * (1 + 1/(x + 7))])\n");
  Evaluator evaluator(*s.rubric, s.options());
  CHECK(code(evaluator.score(many())) == "cancelled");
}

TEST_CASE("an interrupt ends every way to evaluate", "[interrupt]") {
  Stoppable s(
      "rank by higher n\n"
      "cohort { output all = sum(r.n for r in records) }\n");
  Evaluator evaluator(*s.rubric, s.options());
  const std::string record = many();
  const auto with_id = [&](const std::string& id) { return R"({"id": ")" + id + "\"," + record.substr(1); };
  const auto calm = [](const std::string& id) { return R"({"id": ")" + id + R"(", "a": 1})"; };

  SECTION("inputs") {
    Inputs& inputs = evaluator.inputs();
    inputs.set_number(*inputs.find("a"), 1.0);
    CHECK(code(evaluator.score_inputs()) == "none");
    s.interrupt.cancel();
    CHECK(code(evaluator.score_inputs()) == "cancelled");
    s.interrupt.clear();
    CHECK(code(evaluator.score_inputs()) == "none");
  }
  SECTION("rank") {
    const std::string first = calm("p"), second = with_id("q"), third = calm("r");
    Ranking ranking;
    CHECK(code(evaluator.rank({first, second, third}, ranking)) == "cancelled");
    s.interrupt.clear();
    std::vector<std::pair<std::size_t, InputError>> errors;
    CHECK(evaluator.rank_valid({first, second, third}, errors).groups.empty());
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].second.code == "cancelled");
    s.interrupt.clear();
    CHECK(code(evaluator.rank({first, third}, ranking)) == "none");
    CHECK(ranking.groups.size() == 1);
  }
  SECTION("requests") {
    const auto cancelled = [&](const std::string& request) {
      const bool is = evaluator.eval(request).find("\"code\":\"cancelled\"") != std::string_view::npos;
      s.interrupt.clear();
      return is;
    };
    CHECK(cancelled("{\"input\":" + record + "}"));
    CHECK(cancelled("{\"op\":\"rank\",\"inputs\":[" + with_id("q") + "]}"));
    s.interrupt.cancel();
    CHECK(cancelled("{\"input\":" + kShort + "}"));
    CHECK_FALSE(cancelled("{\"input\":" + kShort + "}"));
  }
  SECTION("expressions and explanations") {
    CHECK(code(evaluator.evaluate("n + 1", record).error) == "cancelled");
    CHECK(evaluator.explain(kShort) == "The record is rejected: the evaluation was cancelled\n");
    s.interrupt.clear();
    CHECK(evaluator.evaluate("n + 1", kShort).value == "10");
    CHECK(evaluator.explain(kShort).find("refused") == std::string::npos);
  }
  SECTION("a history whose reading is interrupted is read with the next record") {
    Stoppable with_history("output earlier = count(history)\n");
    Evaluator one(*with_history.rubric, with_history.options());
    with_history.interrupt.cancel();
    one.set_history({kShort, kShort, kShort});
    CHECK(code(one.score(kShort)) == "cancelled");
    with_history.interrupt.clear();
    CHECK(one.score(kShort).json("earlier") == "3");
  }
  SECTION("a cohort") {
    evaluator.start_cohort();
    CHECK(code(evaluator.score(kShort)) == "none");
    s.interrupt.cancel();
    CHECK(evaluator.cohort().find("cancelled") != std::string_view::npos);
    s.interrupt.clear();
    CHECK(evaluator.cohort() == "{\"all\":9}");
  }
  SECTION("columns") {
    Columns columns(*s.rubric, s.options());
    std::vector<double> values(100'000, 1.0), results(values.size());
    Column column;
    column.data = values.data();
    column.type = ColumnType::f64;
    column.stride = sizeof(double);
    REQUIRE_FALSE(columns.bind("a", column));
    ResultColumn result;
    result.data = results.data();
    result.type = ColumnType::f64;
    result.stride = sizeof(double);
    REQUIRE_FALSE(columns.write("n", result));
    s.interrupt.cancel();
    CHECK(code(columns.score(0, values.size())) == "cancelled");
    CHECK(columns.errors().empty());
    s.interrupt.clear();
    CHECK(code(columns.score(0, 1000)) == "none");
  }
}

TEST_CASE("an interrupt ends the reading of one large record", "[interrupt]") {
  const Compiled compiled = compile("t.rubric",
                                    "rubric t { version \"1\" input xs: list of number default []  input m: map of "
                                    "number default {}  output n = count(xs) + count(m) }");
  REQUIRE(compiled.rubric);
  Interrupt interrupt;
  EvaluatorOptions options;
  options.interrupt = &interrupt;
  Evaluator evaluator(*compiled.rubric, options);
  interrupt.cancel();
  const auto stopped = [&](const std::string& record) { return code(evaluator.score(record)) == "cancelled"; };
  std::string list = "[0", members = "\"k\":0";
  for (int i = 1; i < 5000; ++i) {
    list += "," + std::to_string(i);
    members += ",\"k" + std::to_string(i) + "\":1";
  }
  CHECK(stopped("{\"xs\":" + list + "]}"));
  CHECK(stopped("{\"m\":{" + members + "}}"));
  CHECK(stopped("{\"unknown\":" + list + "]}"));
  CHECK(stopped("{" + members + "}"));
  CHECK(stopped("{\"unknown\":" + list + "}"));  // an invalid record, too
  CHECK(stopped("[" + members));
  interrupt.clear();
  CHECK(evaluator.score("{\"xs\":" + list + "]}").json("n") == "5000");
}

TEST_CASE("an interrupted batch has written whole records, in order, and no error for each of the others",
          "[interrupt]") {
  const Compiled compiled =
      compile("t.rubric", "rubric t { version \"1\" input a: number  output n = a * 2  output m = \"{a}\" }");
  REQUIRE(compiled.rubric);
  std::string ndjson, json = "[", csv = "id,a\n";
  constexpr int kRecords = 20'000;
  for (int i = 0; i < kRecords; ++i) {
    const std::string id = std::to_string(i), record = "{\"id\":\"" + id + "\",\"a\":" + id + "}";
    ndjson += record + "\n";
    json += (i > 0 ? "," : "") + record;
    csv += id + "," + id + "\n";
  }
  json += "]";
  struct Input {
    Format format;
    const std::string& text;
  };
  for (const Input& input : {Input{Format::ndjson, ndjson}, Input{Format::json, json}, Input{Format::csv, csv}}) {
    for (const unsigned threads : {1u, 4u}) {
      for (const bool render : {false, true}) {
        Interrupt interrupt;
        BatchOptions options;
        options.threads = threads;
        options.block_bytes = 4096;
        options.evaluator.interrupt = &interrupt;
        if (render) options.render = [](std::string_view verdict, bool, std::string& out) { (out += verdict) += '\n'; };
        Batch batch(*compiled.rubric, std::move(options));
        std::string out;
        std::uint64_t faults = 0;
        const auto run = [&](std::size_t cancel_at) {  // once so many bytes have been written; 0: never
          std::size_t at = 0;
          out.clear();
          faults = 0;
          const auto read = [&](char* buffer, std::size_t size) {
            const std::size_t count = input.text.copy(buffer, size, at);
            at += count;
            return static_cast<long>(count);
          };
          const auto write = [&](std::string_view block) {
            out += block;
            if (cancel_at > 0 && out.size() >= cancel_at) interrupt.cancel();
            return true;
          };
          return batch.run({input.format, read, {}}, {write, [&](std::uint64_t, const InputError&) { ++faults; }});
        };
        const Batch::Result whole = run(0);
        CHECK(whole.status == Batch::Status::done);
        CHECK(whole.records == kRecords);
        const std::string all = out;

        const Batch::Result part = run(all.size() / 4);
        CHECK(part.status == Batch::Status::interrupted);
        CHECK(part.records < kRecords);
        CHECK(part.rejected == 0);
        CHECK(faults == 0);
        CHECK(out.size() < all.size());
        CHECK(all.starts_with(out));
        CHECK((!out.empty() && out.back() == '\n'));
        CHECK(static_cast<std::uint64_t>(std::count(out.begin(), out.end(), '\n')) == part.records);

        CHECK(run(0).status == Batch::Status::interrupted);  // until the interrupt is cleared
        CHECK(out.empty());
        interrupt.clear();
        CHECK(run(0).status == Batch::Status::done);
        CHECK(out == all);
      }
    }
  }
}

TEST_CASE("an interrupted reader of records says so", "[interrupt]") {
  const Compiled compiled = compile("t.rubric", "rubric t { version \"1\" input a: number  output n = a }");
  REQUIRE(compiled.rubric);
  const std::string text = "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n";
  std::size_t at = 0;
  Interrupt interrupt;
  RecordReader reader(
      Format::ndjson,
      [&](char* buffer, std::size_t size) {
        const std::size_t count = text.copy(buffer, size, at);
        at += count;
        return static_cast<long>(count);
      },
      *compiled.rubric, {}, false, &interrupt);
  Record record;
  InputError problem;
  CHECK(reader.next(record, problem) == RecordReader::Status::record);
  interrupt.cancel();
  CHECK(reader.next(record, problem) == RecordReader::Status::error);
  CHECK(problem.code == "cancelled");
  interrupt.clear();
  CHECK(reader.next(record, problem) == RecordReader::Status::record);
  CHECK(record.json == "{\"a\":2}");
}

TEST_CASE("examples are interrupted", "[interrupt]") {
  Interrupt interrupt;
  const Compiled compiled = compile("t.rubric",
                                    "rubric t { version \"1\" input a: number  output n = a\n"
                                    "example \"one\" { given { a: 1 } expect { n: 1 } } }");
  REQUIRE(compiled.rubric);
  CHECK(compiled.rubric->test(&interrupt)[0].passed);
  interrupt.cancel();
  CHECK_FALSE(compiled.rubric->test(&interrupt)[0].passed);
  interrupt.clear();
  CHECK(compiled.rubric->test(&interrupt)[0].passed);
}

TEST_CASE("views of a rubric and comparisons of two are interrupted", "[interrupt]") {
  const auto made = [](int factor) {
    std::string text = "rubric t {\ninput x: number\n";
    for (int i = 0; i < 3000; ++i)
      text += "output o" + std::to_string(i) + " = x * " + std::to_string(factor) + " + " + std::to_string(i) + "\n";
    return *compile("t.rubric", text + "}\n").rubric;
  };
  const Rubric one = made(2), other = made(3);
  Interrupt interrupt;
  interrupt.cancel();
  for (const View view : {View::ast, View::model, View::bytecode, View::kernel}) {
    CHECK(one.show(view, &interrupt).empty());
    CHECK_FALSE(one.show(view).empty());
  }
  CHECK(differences(one, other, &interrupt).empty());
  interrupt.clear();
  CHECK(differences(one, other, &interrupt).size() == 3000);
  CHECK(one.show(View::ast, &interrupt) == one.show(View::ast));
}
