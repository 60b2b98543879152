// Texts of authors, records, hooks and hosts may hold any bytes. Every message that contains them is printable UTF-8,
// and every JSON text is one line of valid UTF-8.
#include "runtime/json/json_tree.hpp"
#include "tests/property/random.hpp"
#include "tests/unit/given.hpp"

#include <assay/assay.hpp>
#include <assay/batch.hpp>

#include <simdjson.h>

#include <cstring>
#include <string>
#include <vector>

using namespace assay;
using assay_tests::Random;

namespace {

// Parts of random texts; some are not valid UTF-8.
const std::vector<std::string> kParts = {"a",
                                         "id",
                                         "x.y",
                                         "\x1b[31m",
                                         "\x7f",
                                         "\u0085",
                                         "中",
                                         "e\u0301",
                                         "\u202E",
                                         "\u2066",
                                         "\u2028",
                                         "\xff",
                                         "\xc0\x80",
                                         "\xed\xa0\x80",
                                         "\xe4\xb8",
                                         "\x80",
                                         "\"",
                                         "\\",
                                         "\n",
                                         "'",
                                         "{",
                                         "[0]",
                                         "\t",
                                         "\r",
                                         "😀",
                                         "\\u0000\\u001b",
                                         "=",
                                         "%",
                                         ",",
                                         "\uFEFF",
                                         "]",
                                         "\xf5",
                                         std::string(1, '\0')};

std::string hostile(Random& random) {
  std::string text;
  for (std::size_t parts = 1 + random.below(6); parts > 0; --parts) {
    text += random.one_in(4) ? std::string(1, static_cast<char>(random.below(256))) : random.pick(kParts);
  }
  if (random.one_in(10)) {
    while (text.size() < 5000) text += text;
  }
  return text;
}

// Safe to show on a terminal: no control characters, and no marks that change the direction of a line.
void check_shown(std::string_view text, bool lines = false) {
  bool good = simdjson::validate_utf8(text.data(), text.size());
  for (std::string_view rest = text; good && !rest.empty();) {
    char32_t c = 0;
    rest.remove_prefix(decode(rest, c));
    good = (c >= 0x20 && c < 0x7F) || (c >= 0xA0 && (c < 0x2028 || c > 0x202E) && (c < 0x2066 || c > 0x2069)) ||
           (lines && c == '\n');
  }
  if (!good) FAIL("not printable: " << printable(text));
}

void check_error(const InputError& error) {
  check_shown(error.path);
  check_shown(error.code);
  check_shown(error.message);
  CHECK(error.path.size() < 4 * kMostPrintable + 10);
  CHECK(error.message.size() < 4 * kMostPrintable + 10);
}

void check_json(std::string_view json) {
  bool good = simdjson::validate_utf8(json.data(), json.size());
  for (const char c : json) good = good && static_cast<unsigned char>(c) >= 0x20;
  JsonNode node;
  JsonProblem problem;
  good = good && parse_json(json, node, problem);
  if (!good) FAIL("not one line of JSON: " << printable(json));
}

void check_diagnostics(const std::vector<Diagnostic>& diagnostics) {
  check_shown(render(diagnostics), true);
  for (const Diagnostic& diagnostic : diagnostics) {
    check_shown(diagnostic.message);
    check_shown(diagnostic.label);
    check_shown(diagnostic.help);
    check_shown(diagnostic.at.file);
    CHECK(simdjson::validate_utf8(diagnostic.at.line_text));
    for (const Note& note : diagnostic.notes) check_shown(note.message);
  }
}

constexpr std::string_view kRubric = R"(
rubric r "Rubric" {
  version "1" scale 0..10 decimals 1 weights rescaled
  dimension a weight 50%
  dimension b weight 50%
  input t: text default ""
  input c: one of ("one", "two") default "one"
  input m: map of number 0..10 default {}
  input l: list of text default []
  input p: { name: text default "", n: number 0..10 default 1 } optional
  input fail: bool default false
  context strict { weight a 60% }
  hook f(t: text, fail: bool): number 0..1 from "host:f"
  hook g(t: text): one of ("x", "y") from "host:g"
  output y = f(t, fail)
  output z = g(t)
  output s = t
  output k = m
  deduction "{x}" = 0.1 for x in l
  rank by higher score
}
)";

Compiled compiled() {
  CompileOptions options;
  options.hooks["f"] = [](const std::vector<HookValue>& args) {
    return args[1].boolean ? HookValue::error(args[0].text) : HookValue(0.5);
  };
  options.hooks["g"] = [](const std::vector<HookValue>& args) {
    return HookValue(args[0].text == "" ? "x" : args[0].text);
  };
  return compile("r.rubric", kRubric, options);
}

// A JSON text; not always a valid one.
std::string json_text(Random& random) {
  std::string json;
  if (!random.one_in(10)) write_json_text(hostile(random), json);
  else json = '"' + hostile(random) + '"';
  return json;
}

std::string record(Random& random) {
  std::string json = "{\"a\":5,\"b\":" + std::string(random.one_in(8) ? "11" : "6") + ",\"id\":" + json_text(random);
  if (random.one_in(2)) json += ",\"t\":" + json_text(random);
  if (random.one_in(4)) json += ",\"c\":" + json_text(random);
  if (random.one_in(4)) json += ",\"m\":{" + json_text(random) + ":" + (random.one_in(2) ? "11" : "1") + "}";
  if (random.one_in(4)) json += ",\"m\":{" + json_text(random) + ":" + json_text(random) + "}";
  if (random.one_in(4)) json += ",\"l\":[" + json_text(random) + "," + json_text(random) + "]";
  if (random.one_in(4)) json += ",\"p\":{" + json_text(random) + ":" + json_text(random) + "}";
  if (random.one_in(4)) json += "," + json_text(random) + ":" + json_text(random);
  if (random.one_in(2)) json += ",\"fail\":true";
  return json + "}";
}

}  // namespace

TEST_CASE("records of any bytes", "[messages]") {
  const Compiled of = compiled();
  INFO(render(of.diagnostics));
  REQUIRE(of.rubric);
  Evaluator plain(*of.rubric);
  EvaluatorOptions options;
  options.strict = true;
  Evaluator strict(*of.rubric, options);
  Random random(1);
  std::size_t scored = 0, rejected = 0;
  for (int i = 0; i < 1500; ++i) {
    const std::string json = record(random);
    for (Evaluator* evaluator : {&plain, &strict}) {
      const Verdict& verdict = evaluator->score(json);
      check_json(verdict.json());
      if (verdict.error() != nullptr) check_error(*verdict.error());
      (verdict.error() != nullptr ? rejected : scored) += 1;
    }
    for (const UnknownKey& key : of.rubric->unknown_keys(json)) check_shown(key.message);
    check_shown(plain.explain(json), true);
    check_shown(plain.explain(json, hostile(random)), true);
    std::vector<std::pair<std::size_t, InputError>> errors;
    check_json(plain.rank_valid({json, json}, errors).json());
    for (const auto& [row, error] : errors) check_error(error);
    check_json(plain.eval("{\"op\":\"score\",\"input\":" + json + "}"));
    check_json(plain.eval("{\"op\":" + json_text(random) + "," + json_text(random) + ":" + json + "}"));
    check_json(plain.eval(hostile(random)));
  }
  CHECK(scored > 100);
  CHECK(rejected > 300);
}

TEST_CASE("streams of any bytes", "[messages]") {
  const Compiled of = compiled();
  REQUIRE(of.rubric);
  Random random(2);
  for (int i = 0; i < 150; ++i) {
    std::string text;
    for (int k = 0; k < 5; ++k) text += record(random) + "\n";
    if (random.one_in(2))
      text = "a,b,id," + hostile(random) + "\n5,6," + hostile(random) + "," + hostile(random) + "\n";
    for (const Format format : {Format::ndjson, Format::json, Format::csv}) {
      RecordReader reader(format, reader_of(text), *of.rubric);
      Evaluator evaluator(*of.rubric);
      Record one;
      InputError problem;
      for (;;) {
        const RecordReader::Status status = reader.next(one, problem);
        if (status == RecordReader::Status::end) break;
        if (status == RecordReader::Status::error) check_error(problem);
        else check_json(evaluator.score(one.json).json());
      }
    }
  }
}

TEST_CASE("settings, fields and inputs of any bytes", "[messages]") {
  const Compiled of = compiled();
  REQUIRE(of.rubric);
  Evaluator evaluator(*of.rubric);
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    for (const auto& error :
         {evaluator.configure({{hostile(random)}, {}}), evaluator.configure({{}, {{hostile(random), "0.5"}}}),
          evaluator.configure({{}, {{"a", hostile(random)}}})}) {
      if (error) check_error(*error);
    }
    EvaluatorOptions options;
    options.fields = {hostile(random)};
    const Evaluator other(*of.rubric, options);
    if (other.error() != nullptr) check_error(*other.error());
    const std::string text = hostile(random);
    Inputs& inputs = evaluator.inputs();
    for (const char* name : {"id", "t", "c", "l", "a", "b"}) {
      const auto handle = inputs.find(name);
      REQUIRE(handle);
      const std::string_view texts[] = {text, "b"};
      if (*name == 'l') inputs.set_texts(*handle, texts, 2);
      else if (*name == 'a' || *name == 'b') inputs.set_number(*handle, 5.0);
      else if (*name != 'c' || random.one_in(4)) inputs.set_text(*handle, text);
    }
    const Verdict& verdict = evaluator.score_inputs();
    check_json(verdict.json());
    if (verdict.error() != nullptr) check_error(*verdict.error());
    inputs.reset();
    const Evaluator::Evaluated evaluated = evaluator.evaluate(hostile(random), "{\"a\":1,\"b\":2}");
    check_diagnostics(evaluated.diagnostics);
    if (evaluated.error) check_error(*evaluated.error);
    const auto changed = with_member("{\"a\":1,\"b\":2}", hostile(random), hostile(random));
    if (changed) check_json(*changed);
  }
}

TEST_CASE("rubrics of any bytes", "[messages]") {
  Random random(4);
  CompileOptions options;
  options.importer = [](std::string_view path, std::string_view, std::string& name) -> std::optional<std::string> {
    name = path;
    return std::string("key,value\n\xff,\x1b\n");
  };
  std::size_t refused = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string text(kRubric);
    for (std::size_t changes = 1 + random.below(3); changes > 0; --changes) {
      text.insert(random.below(text.size()), hostile(random));
    }
    const Compiled of = compile(hostile(random), text, options);
    refused += of.rubric ? 0 : 1;
    check_diagnostics(of.diagnostics);
  }
  CHECK(refused > 1000);
}

TEST_CASE("a name of any length is said shortly", "[messages]") {
  const std::string name(1'000'000, 'n');
  const Compiled of = compile("r.rubric", "rubric r { output y = " + name + " + x }");
  REQUIRE(!of.rubric);
  const std::string text = render(of.diagnostics);
  CHECK(text.size() < 8000);
  check_diagnostics(of.diagnostics);
}
