// Keys that a rubric does not name: strict reading rejects them, in every form of records. Otherwise they are ignored,
// and Rubric::unknown_keys reports them.
#include <assay/assay.hpp>

#include "lang/text/nearest.hpp"

#include "tests/unit/given.hpp"

#include <string>
#include <string_view>
#include <vector>

using namespace assay;

namespace {

const char* const kRubric = R"rubric(
rubric shapes "Every kind of input" {
  version "1"
  scale 0..10 decimals 1
  type part = { name: text, severity: number 0..10 default 1, inner: { depth: number optional } optional }
  dimension clarity weight 100% missing 5
  input scores:  { clarity: number 0..10 default 5, correctness: number 0..10 optional } optional
  input parts:   list of part default []
  input grid:    list of list of part default []
  input labels:  map of number default {}
  input owners:  map of part default {}
  input extra:   any optional
  input reviewed: bool default false
  input editing_ratio: number optional
  output total = sum(p.severity for p in parts) + (scores.correctness default 0)
  rank by higher score
}
)rubric";

Rubric rubric() {
  static const Compiled compiled = compile("shapes.rubric", kRubric);
  INFO(render(compiled.diagnostics));
  REQUIRE(compiled.rubric);
  return *compiled.rubric;
}

EvaluatorOptions strictly() {
  EvaluatorOptions options;
  options.strict = true;
  return options;
}

// "path: code: message", or "" if the record is scored.
std::string refusal(std::string_view record) {
  Evaluator evaluator(rubric(), strictly());
  const InputError* error = evaluator.score(record).error();
  return error == nullptr ? "" : error->path + ": " + error->code + ": " + error->message;
}

std::string told(const std::vector<UnknownKey>& keys) {
  std::string text;
  for (const UnknownKey& key : keys) {
    text += (text.empty() ? "" : " ") + key.path;
    if (!key.nearest.empty())
      text += '(' + key.nearest + (key.absent ? " absent" : "") + (key.misspelt ? "!" : "") + ')';
  }
  return text;
}

}  // namespace

TEST_CASE("strict reading names the key, its place and the nearest one") {
  CHECK(refusal(R"({"clarity": 3})").empty());
  CHECK(refusal(R"({"id": "a", "cl\u0061rity": 3})").empty());
  CHECK(refusal(R"({"clarityy": 3})") ==
        "clarityy: unknown: clarityy is not known to the rubric; did you mean 'clarity'?");
  CHECK(refusal(R"({"scores": {"clarityy": 3}})") ==
        "scores.clarityy: unknown: scores.clarityy is not known to the rubric; did you mean 'clarity'?");
  CHECK(refusal(R"({"parts": [{"name": "a"}, {"name": "b", "inner": {"dept": 1}}]})") ==
        "parts[1].inner.dept: unknown: parts[1].inner.dept is not known to the rubric; did you mean 'depth'?");
  CHECK(refusal(R"({"grid": [[], [{"sevrity": 1, "name": "a"}]]})") ==
        "grid[1][0].sevrity: unknown: grid[1][0].sevrity is not known to the rubric; did you mean 'severity'?");
  CHECK(refusal(R"({"owners": {"x": {"name": "b", "what else": null}}})") ==
        "owners.x.what else: unknown: owners.x.what else is not known to the rubric");
  CHECK(refusal(R"({"": 3})") == R"(: unknown: the key "" is not known to the rubric)");
  CHECK(refusal(R"({"scores": {"a.b": 3}})") ==
        R"(scores.a.b: unknown: the key "a.b" of scores is not known to the rubric)");
  CHECK(refusal(R"({"x\ny": 3})") == "x\\ny: unknown: x\\ny is not known to the rubric");
  const std::string longest = refusal("{\"" + std::string(100'000, 'z') + "\": 3}");
  CHECK(longest.size() < 500);
}

TEST_CASE("keys of maps and what is in an input of any kind are data") {
  CHECK(refusal(R"({"labels": {"clarityy": 3}, "extra": {"clarityy": [{"a": 1}]}})").empty());
  CHECK(refusal(R"({"owners": {"clarityy": {"name": "b"}}})").empty());
  CHECK(rubric().unknown_keys(R"({"labels": {"clarityy": 3}, "extra": {"clarityy": [{"a": 1}]}})").empty());
}

TEST_CASE("a text that is no JSON is malformed, whatever keys it has") {
  CHECK(refusal(R"({"clarityy": 3)").find("syntax") != std::string::npos);
  CHECK(refusal(R"({"clarityy": [01]})").find("syntax") != std::string::npos);
  CHECK(refusal(R"([{"clarityy": 3}])").find("type") != std::string::npos);
}

TEST_CASE("strict holds for histories, rankings, requests, expressions and explanations") {
  Evaluator evaluator(rubric(), strictly());
  evaluator.set_history({R"({"clarity": 3})", R"({"clarityy": 3})"});
  const InputError* error = evaluator.score(R"({"clarity": 3})").error();
  REQUIRE(error != nullptr);
  CHECK(error->path == "history[1].clarityy");
  CHECK(error->code == "unknown");
  evaluator.set_history({});
  Ranking ranking;
  const auto wrong = evaluator.rank({R"({"id": "a"})", R"({"id": "b", "clarityy": 3})"}, ranking);
  REQUIRE(wrong);
  CHECK(wrong->path == "inputs[1].clarityy");
  CHECK(std::string(evaluator.eval(R"({"op": "score", "id": 7, "input": {"clarityy": 3}})")) ==
        R"({"error":{"path":"clarityy","code":"unknown",)"
        R"("message":"clarityy is not known to the rubric; did you mean 'clarity'?"}})");
  CHECK(evaluator.evaluate("clarity", R"({"clarityy": 3})").error);
  CHECK(evaluator.explain(R"({"clarityy": 3})").find("is not known to the rubric") != std::string::npos);
}

TEST_CASE("a header of CSV with a column that the rubric does not name is rejected once") {
  const std::string_view text = "id,scores.clarityy\na,1\nb,\n";
  BatchOptions options;
  options.evaluator = strictly();
  options.evaluator.fields = {"id", "score"};
  Batch batch(rubric(), options);
  std::string out, faults;
  const Batch::Result result = batch.run(
      {Format::csv, reader_of(text), {}},
      {[&](std::string_view block) {
         out += block;
         return true;
       },
       [&](std::uint64_t line, const InputError& fault) { faults += std::to_string(line) + ' ' + fault.path + '\n'; }});
  CHECK(result.rejected == 1);
  CHECK(faults == "1 scores.clarityy\n");
  CHECK(out == R"({"error":{"path":"scores.clarityy","code":"unknown",)"
               R"("message":"scores.clarityy is not known to the rubric; did you mean 'clarity'?"}})"
               "\n");

  RecordReader reader(Format::csv, reader_of(text), rubric());
  CHECK(reader.columns().empty());
  Record record;
  InputError problem;
  CHECK(reader.next(record, problem) == RecordReader::Status::record);
  CHECK(reader.columns() == std::vector<std::string>{"id", "scores.clarityy"});
  RecordReader strict(Format::csv, reader_of("labels.x,extra.y,owners.a.name,clarity.q\n1,2,3,\n"), rubric(), {}, true);
  CHECK(strict.next(record, problem) == RecordReader::Status::record);
}

TEST_CASE("a batch says of lines what an evaluator says of records, whatever a kernel does") {
  std::string text, expected;
  Evaluator one(rubric(), strictly());
  for (int i = 0; i < 400; ++i) {
    const std::string record =
        i % 7 == 3 ? R"({"clarityy": 3})" : R"({"id": "r", "clarity": )" + std::to_string(i % 10) + '}';
    text += record + '\n';
    expected += std::string(one.score(record).json()) + '\n';
  }
  BatchOptions options;
  options.evaluator = strictly();
  Batch batch(rubric(), options);
  std::string out;
  const Batch::Result result = batch.run({Format::ndjson, reader_of(text), {}}, {[&](std::string_view block) {
                                                                                   out += block;
                                                                                   return true;
                                                                                 },
                                                                                 {}});
  CHECK(out == expected);
  CHECK(result.rejected == 57);
}

TEST_CASE("unknown keys are told with what was perhaps meant") {
  const Rubric shapes = rubric();
  const auto keys = [&](std::string_view record) { return told(shapes.unknown_keys(record)); };
  CHECK(keys(R"({"clarity": 3, "id": "x"})").empty());
  CHECK(keys(R"({"clarityy": 3})") == "clarityy(clarity absent!)");
  CHECK(keys(R"({"clarityy": 3, "clarity": 4})") == "clarityy(clarity)");
  CHECK(keys(R"({"clarityy": 3, "clarity": null})") == "clarityy(clarity absent!)");
  CHECK(keys(R"({"scores": {"corectnes": 3}, "zz": 1})") == "scores.corectnes(scores.correctness absent!) zz");
  CHECK(keys(R"({"parts": [{"name": "a"}, {"name": "b", "sevrity": 2}]})") ==
        "parts[1].sevrity(parts[1].severity absent!)");
  CHECK(keys(R"({"owners": {"x": {"nam": "b"}}})") == "owners.x.nam(owners.x.name absent!)");  // short, but required
  CHECK(keys(R"({"EditingRatio": 0.5})") == "EditingRatio(editing_ratio absent!)");
  CHECK(keys(R"({"reviewer": "bob"})") == "reviewer(reviewed absent)");  // no truth
  CHECK(keys(R"({"reviewer": "true"})") == "reviewer(reviewed absent!)");
  CHECK(keys(R"({"clarityy": null})") == "clarityy(clarity absent)");
  for (const char* text : {"", "[]", "7", "{", R"({"clarityy": })"}) CHECK(keys(text).empty());
  std::string many = "{";
  for (int i = 0; i < 1000; ++i) many += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  CHECK(shapes.unknown_keys(many + '}').size() == 100);
  CHECK(shapes.unknown_keys(many + '}', 3).size() == 3);
  CHECK(shapes.unknown_keys(std::string(5000, '[')).empty());
}

TEST_CASE("unknown columns are told by their names") {
  const Rubric shapes = rubric();
  const auto columns = [&](const std::vector<std::string>& names) { return told(shapes.unknown_columns(names)); };
  CHECK(columns({"id", "clarity", "scores.clarity", "labels.x", "owners.a.name", "extra.b.c", "parts.0", "clarity.x"})
            .empty());
  CHECK(
      columns({"clarityy", "scores.clarityy", "owners.a.sevrity"}) ==
      "clarityy(clarity absent!) scores.clarityy(scores.clarity absent!) owners.a.sevrity(owners.a.severity absent!)");
  CHECK(columns({"clarityy", "clarity"}) == "clarityy(clarity)");
  CHECK(columns({"score.a", "score.b"}) == "score(scores absent!)");
  CHECK(columns({"score.a", "scores.clarity"}) == "score(scores)");
  CHECK(shapes.unknown_columns({"", ".", "zz."}).size() == 2);  // the first two are the same key
}

TEST_CASE("what is a slip and what is another name") {
  const auto slip = [](std::string_view name, std::string_view known) { return misspelt(name, known); };
  for (const auto& [name, known] :
       std::vector<std::pair<std::string, std::string>>{{"clarityy", "clarity"},
                                                        {"clraity", "clarity"},
                                                        {"clarit", "clarity"},
                                                        {"Clarity", "clarity"},
                                                        {"userEditRatio", "user_edit_ratio"},
                                                        {"user-edit-ratio", "user_edit_ratio"},
                                                        {"user_edited_ratios", "user_edited_ratio"},
                                                        {"corectnes", "correctness"},
                                                        {"score1", "score_1"}}) {
    INFO(name);
    CHECK(slip(name, known));
    CHECK(slip(known, name));
  }
  for (const auto& [name, known] : std::vector<std::pair<std::string, std::string>>{{"clarity", "clarity"},
                                                                                    {"ID", "id"},
                                                                                    {"_id", "id"},
                                                                                    {"note", "notes"},
                                                                                    {"start", "stars"},
                                                                                    {"score_1", "score_2"},
                                                                                    {"criterion2", "criterion3"},
                                                                                    {"score_a", "score_b"},
                                                                                    {"scoreA", "scoreB"},
                                                                                    {"min_price", "max_price"},
                                                                                    {"minimum", "maximum"},
                                                                                    {"duration_s", "duration"},
                                                                                    {"tested_by", "tested_at"},
                                                                                    {"hashed", "cashed"},
                                                                                    {"", "clarity"},
                                                                                    {"__", "--"},
                                                                                    {"clarity_note", "clarity"}}) {
    INFO(name);
    CHECK_FALSE(slip(name, known));
    CHECK_FALSE(slip(known, name));
  }
  CHECK_FALSE(slip(std::string(100'000, 'a'), std::string(100'001, 'a')));
}
