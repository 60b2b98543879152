// The differences of two rubrics: each kind of declaration, each way in which it may differ, and the effect.
#include <assay/assay.hpp>
#include <assay/diff.hpp>

#include "tests/unit/catch.hpp"

#include <string>
#include <vector>

using namespace assay;

namespace {

Rubric rubric_of(const std::string& text, const Importer& importer = {}) {
  CompileOptions options;
  options.importer = importer;
  Compiled compiled = compile("test.rubric", text, options);
  INFO(render(compiled.diagnostics));
  REQUIRE(compiled.rubric);
  return *compiled.rubric;
}

constexpr const char* kBase = R"(rubric r "All kinds" {
version "1"
scale 0..10 decimals 1
weights rescaled
type share = number 0..1
input n: number 0..10 default 1 "A number"
input m: number optional
check n <= 9 at n "Too much"
let half = n / 2
fn twice(x) = x * 2
table t(k) { | k | v | | >= 5 | 1 | | otherwise | 2 | }
gate big = n > 0 "Big"
dimension a weight 60% "The first" { criterion a1 weight 50% { level 9 "high" level 1 "low" } criterion a2 weight 50% }
dimension b weight 40% missing 5
cap a at 9 when n > 5 "Capped"
cap grade at "B" when n > 8
incomplete when n == 3 "Three"
deduction d = half when n > 4 "Deducted"
bonus e = 1 when n > 6
bands grade(score) { | score | grade | text | | >= 8 | "A" | "good" | | >= 4 | "B" | "fair" | | >= 0 | "C" | "poor" | }
output o = twice(n) + t(n) decimals 2
output p = n
flag f when n > 7
advice "Less" when n > 7
rank by higher score, lower n
context heavy "Heavy" { weight b 50% }
cohort { output typical = median(r.score for r in records) }
example "one" { given { a1: 1, a2: 1, b: 1 } expect { score: 1 } }
})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  INFO(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string name_of(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::changed: return "changed";
    case Change::Kind::added: return "added";
    case Change::Kind::removed: return "removed";
    case Change::Kind::renamed: return "renamed";
    case Change::Kind::moved: break;
  }
  return "moved";
}

std::string text_of(const Change& c) {
  const char* const effects[] = {"prose", "bands", "scores"};
  std::string text = std::string(effects[static_cast<std::size_t>(c.effect)]) + " " + name_of(c.kind) + " " + c.what;
  if (c.kind != Change::Kind::changed && c.kind != Change::Kind::renamed) return text;
  return text + ": " + (c.part.empty() ? "" : c.part + " ") + c.before + " -> " + c.after;
}

std::vector<std::string> texts(const std::vector<Change>& changes) {
  std::vector<std::string> all;
  for (const Change& change : changes) all.push_back(text_of(change));
  return all;
}

struct Replacement {
  const char* from;
  const char* to;
  std::vector<std::string> expected;
};

}  // namespace

TEST_CASE("each kind of declaration", "[diff]") {
  const Replacement edits[] = {
      {"\"All kinds\"", "\"Kinds\"", {"prose changed rubric r: prose \"All kinds\" -> \"Kinds\""}},
      {"version \"1\"", "version \"2\"", {"prose changed version: \"1\" -> \"2\""}},
      {"decimals 1\n", "decimals 2\n", {"scores changed scale: decimals 1 -> decimals 2"}},
      {"number 0..1\n", "number 0..2\n", {"prose changed type share: type number 0..1 -> number 0..2"}},
      {"weights rescaled", "weights exact", {"scores changed weights: rescaled -> exact"}},
      {"n: number 0..10 default 1",
       "n: number 0..9.5 default 1",
       {"scores changed input n: type number 0..10 -> number 0..9.5"}},
      {"default 1 \"A number\"", "default 2 \"A number\"", {"scores changed input n: policy default 1 -> default 2"}},
      {"input m: number optional", "input m, k: number optional", {"scores added input k"}},
      {"check n <= 9", "check n <= 8", {"scores changed check: condition n <= 9 -> n <= 8"}},
      {"\"Too much\"", "\"Too many\"", {"prose changed check: prose \"Too much\" -> \"Too many\""}},
      {"n / 2", "n / 4", {"scores changed let half: = n / 2 -> n / 4"}},
      {"x * 2", "x * 3", {"scores changed fn twice: = x * 2 -> x * 3"}},
      {"| >= 5 | 1 |", "| >= 5 | 3 |", {"scores changed table t, row >= 5: v 1 -> 3"}},
      {"gate big = n > 0", "gate big = n > 1", {"scores changed gate big: = n > 0 -> n > 1"}},
      {"\"The first\"", "\"First\"", {"prose changed dimension a: prose \"The first\" -> \"First\""}},
      {"level 9 \"high\"",
       "level 9 \"tall\"",
       {"prose changed dimension a, criterion a1, level 9: prose \"high\" -> \"tall\""}},
      {"level 9 \"high\"", "level 8 \"high\"", {"prose renamed dimension a, criterion a1, level 9: 9 -> 8"}},
      {"missing 5", "missing skip", {"scores changed dimension b: policy missing 5 -> missing skip"}},
      {"cap a at 9", "cap a at 8", {"scores changed cap a: at 9 -> 8"}},
      {"\"Capped\"", "\"Capped at {9}\"", {"prose changed cap a: prose \"Capped\" -> \"Capped at {9}\""}},
      {"at \"B\" when", "at \"C\" when", {"bands changed cap grade: at \"B\" -> \"C\""}},
      {"incomplete when n == 3", "incomplete when n == 2", {"scores changed incomplete: when n == 3 -> n == 2"}},
      {"\"Three\"", "\"3\"", {"prose changed incomplete: reason \"Three\" -> \"3\""}},
      {"half when n > 4", "half when n > 3", {"scores changed deduction d: = half when n > 4 -> half when n > 3"}},
      {"bonus e = 1", "bonus e = 2", {"scores changed bonus e: = 1 when n > 6 -> 2 when n > 6"}},
      {">= 8 | \"A\"", ">= 9 | \"A\"", {"bands changed bands grade, row \"A\": score >= 8 -> >= 9"}},
      {"\"A\" | \"good\"", "\"A+\" | \"good\"", {"bands changed bands grade, row \"A\": grade \"A\" -> \"A+\""}},
      {"\"good\"", "\"best\"", {"prose changed bands grade, row \"A\": text \"good\" -> \"best\""}},
      {"| >= 4 | \"B\"", "| >= 6 | \"B+\" | \"fair\" | | >= 4 | \"B\"", {"bands added bands grade, row \"B+\""}},
      {"+ t(n) decimals 2", "+ t(n) decimals 3", {"scores changed output o: decimals 2 -> decimals 3"}},
      {"flag f when n > 7", "flag f when n > 8", {"prose changed flag f: when n > 7 -> n > 8"}},
      {"advice \"Less\" when n > 7", "advice \"Less\"  when n > 6", {"prose changed advice Less: when n > 7 -> n > 6"}},
      {"lower n\n", "higher n\n", {"scores changed rank: by higher score, lower n -> higher score, higher n"}},
      {"weight b 50%", "weight b 55%", {"scores changed context heavy: weight b 50% -> 55%"}},
      {"median(",
       "mean(",
       {"scores changed cohort, output typical: = median(r.score for r in records) -> mean(r.score for r in records)"}},
      {"expect { score: 1 }",
       "expect { score: 2 }",
       {"prose changed example \"one\": expect { score: 1 } -> { score: 2 }"}},
      {"output p = n\n", "", {"scores removed output p"}},
      {"output p = n", "output q = n", {"scores renamed output p: p -> q"}},
      {"60%", "0.6", {}},
      {"gate big", "# a comment\n   gate big", {}},
  };
  const Rubric base = rubric_of(kBase);
  for (const Replacement& edit : edits) {
    INFO(edit.from << " -> " << edit.to);
    CHECK(texts(differences(base, rubric_of(replaced(kBase, edit.from, edit.to)))) == edit.expected);
  }
  CHECK(differences(base, base).empty());
}

TEST_CASE("lines, order and names", "[diff]") {
  const Rubric was = rubric_of("rubric r {\n scale 0..10\n dimension a weight 50%\n dimension b weight 50% }");
  const Rubric moved = rubric_of("rubric r {\n scale 0..10\n dimension b weight 50%\n dimension a weight 50% }");
  const std::vector<Change> changes = differences(was, moved);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].kind == Change::Kind::moved);
  CHECK(changes[0].effect == Effect::scores);
  const Rubric more = rubric_of("rubric s {\n scale 0..10\n\n dimension a weight 40%\n dimension b weight 60% }");
  const std::vector<Change> told = differences(was, more);
  CHECK(texts(told) == std::vector<std::string>{"prose renamed rubric r: r -> s",
                                                "scores changed dimension a: weight 50% -> 40%",
                                                "scores changed dimension b: weight 50% -> 60%"});
  REQUIRE(told.size() == 3);
  CHECK(told[1].was.line == 3);
  CHECK(told[1].is.line == 4);
  const std::vector<Change> gone = differences(was, rubric_of("rubric r {\n scale 0..10\n dimension a weight 100% }"));
  CHECK(texts(gone) ==
        std::vector<std::string>{"scores changed dimension a: weight 50% -> 100%", "scores removed dimension b"});
  CHECK(gone[1].is.line == 0);
  CHECK(gone[1].before == "dimension b weight 50%");
}

TEST_CASE("the same numbers make every change prose", "[diff]") {
  const auto of = [](const char* text) {
    return rubric_of(std::string("rubric r { input n, m: number 0..10 output o = m ") + text + "}");
  };
  CHECK(texts(differences(of("let a = n output p = a + a"), of("let b = n output p = b + b"))) ==
        std::vector<std::string>{"prose renamed let a: a -> b", "prose changed output p: = a + a -> b + b"});
  // A flag affects scores if something refers to it.
  CHECK(texts(differences(of("flag f when n > 1 output p = count(flags)"),
                          of("flag f when n > 2 output p = count(flags)"))) ==
        std::vector<std::string>{"scores changed flag f: when n > 1 -> n > 2"});
}

TEST_CASE("several of one name, and large tables", "[diff]") {
  const auto of = [](const std::string& text) {
    return rubric_of("rubric r { scale 0..10 dimension a weight 100% input n: number 0..9 default 0 " + text + "}");
  };
  CHECK(texts(differences(of("cap a at 5 when n > 1 cap a at 4 when n > 2"),
                          of("cap a at 5 when n > 1 cap a at 4 when n > 3 cap a at 3 when n > 4"))) ==
        std::vector<std::string>{"scores changed cap a: when n > 2 -> n > 3", "scores added cap a"});
  const auto table = [&](int changed) {
    std::string rows = "table t(k) { | k | v | ";
    for (int i = 0; i < 3000; ++i)
      rows += "| " + std::to_string(i) + " | " + std::to_string(i == changed ? -1 : i % 7) + " | ";
    return of(rows + "} output o = t(n)");
  };
  CHECK(texts(differences(table(-1), table(1234))) ==
        std::vector<std::string>{"scores changed table t, row 1234: v 2 -> -1"});
}

TEST_CASE("imported files, by their names", "[diff]") {
  const auto importer = [](const std::string& weight, const std::string& cell) {
    return [=](std::string_view path, std::string_view, std::string& name) -> std::optional<std::string> {
      name = weight + "/" + std::string(path);
      if (path == "base.rubric") return "rubric base {\n scale 0..10\n dimension a weight " + weight + " }";
      return "k,v\n>= 5,1\n>= 0," + cell + "\n";
    };
  };
  const auto of = [&](const std::string& weight, const std::string& rest, const std::string& cell) {
    return rubric_of("import \"base.rubric\" rubric r extends base { dimension b weight " + rest +
                         " table t(k) from \"t.csv\" output o = t(a) }",
                     importer(weight, cell));
  };
  const std::vector<Change> changes = differences(of("50%", "50%", "2"), of("40%", "60%", "3"));
  CHECK(texts(changes) == std::vector<std::string>{"scores changed dimension b: weight 50% -> 60%",
                                                   "scores changed dimension a: weight 50% -> 40%",
                                                   "scores changed file t.csv: >= 0,2 -> >= 0,3"});
  REQUIRE(changes.size() == 3);
  CHECK(changes[1].was.file == "50%/base.rubric");
  CHECK(changes[2].is.line == 3);
}
