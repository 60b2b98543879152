// The public API as its headers describe it: errors are values, and requested values are returned.
#include <assay/assay.hpp>

#include "tests/unit/catch.hpp"

namespace {

constexpr std::string_view kRubric = R"(
rubric tiny "Two dimensions" {
  version "1.2"
  scale 0..10 decimals 1
  dimension depth   weight 60%  "How deep?"
  dimension breadth weight 40%  "How broad?"
  bands grade(score) {
    | score | grade  | label  |
    | >= 5  | "pass" | "Good" |
    | >= 0  | "fail" | "Poor" |
  }
  rank by higher score
}
)";

}  // namespace

TEST_CASE("a rubric compiles and scores") {
  const auto compiled = assay::compile("tiny.rubric", kRubric);
  INFO(assay::render(compiled.diagnostics));
  REQUIRE(compiled.rubric);
  CHECK(compiled.diagnostics.empty());
  CHECK(compiled.rubric->name() == "tiny");
  CHECK(compiled.rubric->version() == "1.2");
  CHECK(compiled.rubric->ranked());

  assay::Evaluator evaluator(*compiled.rubric);
  REQUIRE(evaluator.error() == nullptr);
  const auto& verdict = evaluator.score(R"({"id": "a", "depth": 4.5, "breadth": 6})");
  REQUIRE(verdict.error() == nullptr);
  CHECK(verdict.id() == "a");
  CHECK(verdict.eligible());
  CHECK(verdict.number("score") == 5.1);
  CHECK(verdict.text("grade") == "pass");
  CHECK(verdict.text("grade_label") == "Good");
}

TEST_CASE("a rejected record is an error value, and the next one is scored") {
  const auto compiled = assay::compile("tiny.rubric", kRubric);
  REQUIRE(compiled.rubric);
  assay::Evaluator evaluator(*compiled.rubric);
  const auto& refused = evaluator.score(R"({"id": "a", "depth": 11, "breadth": 6})");
  REQUIRE(refused.error() != nullptr);
  CHECK(refused.error()->path == "depth");
  const auto& scored = evaluator.score(R"({"id": "b", "depth": 10, "breadth": 10})");
  REQUIRE(scored.error() == nullptr);
  CHECK(scored.number("score") == 10.0);
}

TEST_CASE("a wrong rubric is a list of diagnostics") {
  const auto compiled = assay::compile("wrong.rubric", "rubric wrong { scale 0..10  dimension a weight 90% }");
  CHECK_FALSE(compiled.rubric);
  REQUIRE(assay::has_errors(compiled.diagnostics));
  CHECK(compiled.diagnostics.front().at.file == "wrong.rubric");
  CHECK(compiled.diagnostics.front().at.line == 1);
}

TEST_CASE("records are placed, equal ones together") {
  const auto compiled = assay::compile("tiny.rubric", kRubric);
  REQUIRE(compiled.rubric);
  assay::Evaluator evaluator(*compiled.rubric);
  assay::Ranking ranking;
  const auto problem =
      evaluator.rank({R"({"id": "low", "depth": 1, "breadth": 1})", R"({"id": "x", "depth": 5, "breadth": 5})",
                      R"({"id": "y", "depth": 5, "breadth": 5})"},
                     ranking);
  REQUIRE_FALSE(problem);
  CHECK(ranking.groups == std::vector<std::vector<std::string>>{{"x", "y"}, {"low"}});
  CHECK(ranking.ineligible.empty());
}
