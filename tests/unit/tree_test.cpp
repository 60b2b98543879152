// Criteria as a tree in the record: a rubric grades trees as deep and as wide as those of published standards within
// the default limits, and a larger tree is an error of that record.
#include "tests/unit/catch.hpp"

#include <assay/assay.hpp>

#include <string>

namespace {

constexpr const char* kTree = R"(rubric tree {
  version "1"
  type node = { id: text, weight: number >= 0 default 1, score: number optional, parts: list of node default [] }
  input root: node
  fn grade(n: node) = n.score when count(n.parts) == 0
                 else sum(g.weight * g.grade for g in graded) / sum(g.weight for g in graded) default 0
    where all = [{ weight: p.weight, grade: grade(p) } for p in n.parts], graded = [g for g in all when g.grade is given]
  fn every(n: node) = [n.id] + flatten([every(p) for p in n.parts])
  output grade = grade(root)
  output nodes = count(every(root))
})";

std::string leaf(int i) { return R"({"id": "leaf", "weight": 2, "score": )" + std::to_string(i) + "}"; }

std::string deep(int levels) {
  std::string json = leaf(7);
  for (int i = 1; i < levels; ++i) json = R"({"id": "level", "parts": [)" + leaf(7) + ", " + json + "]}";
  return R"({"root": )" + json + "}";
}

std::string wide(int nodes) {
  std::string json;
  for (int i = 0; i < nodes; ++i) json += (i ? ", " : "") + leaf(i % 10);
  return R"({"root": {"id": "root", "parts": [)" + json + "]}}";
}

}  // namespace

TEST_CASE("a tree is graded 60 levels deep and 2500 nodes wide") {
  const auto compiled = assay::compile("tree.rubric", kTree);
  REQUIRE(compiled.rubric);
  assay::Evaluator evaluator(*compiled.rubric);
  CHECK(evaluator.score(deep(1)).number("grade") == 7);
  CHECK(evaluator.score(deep(60)).number("grade") == 7);
  CHECK(evaluator.score(deep(60)).number("nodes") == 119);
  CHECK(evaluator.score(wide(2500)).number("nodes") == 2501);
  CHECK(evaluator.score(wide(2500)).number("grade") == 4.5);
}

TEST_CASE("a tree that is too deep is an error in its own place") {
  const auto compiled = assay::compile("tree.rubric", kTree);
  REQUIRE(compiled.rubric);
  assay::Evaluator evaluator(*compiled.rubric);
  const assay::Verdict& verdict = evaluator.score(deep(5000));
  REQUIRE(verdict.error());
  CHECK(verdict.error()->code == "limit");
  CHECK(evaluator.score(deep(2)).number("grade") == 7);
}
