// Texts that grow by declarations, and expressions beside unrelated errors.
#include "tests/unit/catch.hpp"

#include <assay/assay.hpp>
#include <assay/draft.hpp>

#include <string>
#include <string_view>

using namespace assay;

namespace {

constexpr std::string_view kBase = R"(# on top
import "std/text.rubric"

rubric r "Prose with a \{ in it" {
  scale 0..10 decimals 1
  dimension a weight 60%  # the first
  dimension b weight 40%
  let x = a + b
  example "one" { given { a: 1, b: 1 } expect { score: 1 } }
}
)";

std::string drafted(std::string_view declarations) {
  const Drafted result = with_declarations("r.rubric", kBase, declarations);
  INFO(render(result.diagnostics));
  CHECK(!has_errors(result.diagnostics));
  return result.text;
}

// Counts the occurrences.
std::size_t times(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("what was typed is told by how it begins") {
  CHECK(kind_of_typed("") == Typed::nothing);
  CHECK(kind_of_typed("  # so\n") == Typed::nothing);
  CHECK(kind_of_typed("a + b") == Typed::expression);
  CHECK(kind_of_typed("input.a") == Typed::expression);
  CHECK(kind_of_typed("composite + 1") == Typed::expression);
  CHECK(kind_of_typed("composite == 1") == Typed::expression);
  CHECK(kind_of_typed("composite = 1") == Typed::declarations);
  CHECK(kind_of_typed("let x = 1") == Typed::declarations);
  CHECK(kind_of_typed("# so\nrank by higher score") == Typed::declarations);
  CHECK(kind_of_typed("import \"std/text.rubric\"") == Typed::declarations);
  CHECK(kind_of_typed("rubric x {\n}") == Typed::rubric);
  CHECK(kind_of_typed("import \"std/text.rubric\"\nfn f(x) = x\nrubric x {\n}") == Typed::rubric);
  CHECK(kind_of_typed("rubric") == Typed::expression);
}

TEST_CASE("an entry goes on while something is open") {
  for (const char* open : {"(", "[1,", "f({", "rubric x {", "\"\"\"", "\"\"\"a\nb", "let x = (1\n+", "\"a)\" + ("})
    CHECK(is_unfinished(open));
  for (const char* done : {"", "1", "()", "[1]", ")", "(1))", "\"(\"", "# (", "\"\"\"(\"\"\"", "\"(", "} {"})
    CHECK(!is_unfinished(done));
}

TEST_CASE("a declaration is added behind its like, or takes the place of one") {
  const std::string added = drafted("dimension c advisory");
  CHECK(added.find("dimension b weight 40%\n  dimension c advisory\n  let x") != std::string::npos);
  const std::string first = drafted("version \"1\"");
  CHECK(first.find("{\n  version \"1\"\n  scale") != std::string::npos);
  const std::string replaced = drafted("dimension a weight 60% \"Said now\"");
  CHECK(replaced.find("dimension a weight 60%  \"Said now\"  # the first\n") != std::string::npos);
  CHECK(times(replaced, "dimension a") == 1);
  CHECK(times(drafted("scale 0..5"), "scale") == 1);
  CHECK(times(drafted("example \"one\" { given { a: 2, b: 2 } }"), "example") == 1);
  CHECK(times(drafted("example \"two\" { given { a: 2, b: 2 } }"), "example") == 2);
  CHECK(times(drafted("import \"std/text.rubric\""), "import") == 1);
  CHECK(times(drafted("import \"std/statistics.rubric\"\nlet m = median([a, b])"), "import") == 2);
  // Several at once; the existing text stays unchanged.
  const std::string all = drafted("let y = x\nlet x = 2 *   a\nrank by higher score");
  CHECK(times(all, "let ") == 2);
  CHECK(all.starts_with("# on top\n"));
  CHECK(compile("r.rubric", all).rubric.has_value());
}

TEST_CASE("a declaration that is wrong leaves no text, and its lines count from one") {
  const Drafted wrong = with_declarations("r.rubric", kBase, "let y = 1\nlet z = 1 +* 2\nlet u = 1");
  CHECK(wrong.text.empty());
  REQUIRE(has_errors(wrong.diagnostics));
  CHECK(wrong.diagnostics.front().at.line == 2);
  const Drafted broken = with_declarations("r.rubric", "rubric r {\n  let x = \n}\n", "let y = 1");
  CHECK(broken.text.empty());
  CHECK(has_errors(broken.diagnostics));
  CHECK(with_declarations("r.rubric", "", "let y = 1").text.empty());
  // Text that closes its frame cannot escape from it.
  CHECK(with_declarations("r.rubric", kBase, "let y = 1 } rubric other { let z = 1").text.empty());
  Limits small;
  small.source_bytes = 50;
  CHECK(has_errors(with_declarations("r.rubric", kBase, "let y = 1", small).diagnostics));
}

TEST_CASE("an expression needs only what it reads") {
  const Compiled compiled = compile("r", R"(rubric r {
  scale 0..10 decimals 1
  dimension a weight 100%
  input n: number default 1
  input items: list of number default []
  check n > 0 at n "Too small"
  let twice = 2 * n
  fn more(x) = x + n
})");
  REQUIRE(compiled.rubric);
  Evaluator evaluator(*compiled.rubric);
  const auto value = [&](std::string_view expression, std::string_view record) {
    const Evaluator::Evaluated result = evaluator.evaluate(expression, record);
    INFO(render(result.diagnostics));
    REQUIRE(!has_errors(result.diagnostics));
    return result.error ? "error at " + result.error->path.str() : result.value;
  };
  CHECK(value("1 + 1", "{}") == "2");
  CHECK(value("1 + 1", "no JSON") == "2");
  CHECK(value("n", "no JSON") == "error at ");
  CHECK(value("n", R"({"n": 3})") == "3");
  CHECK(value("twice", R"({"a": 99, "n": 3})") == "6");
  CHECK(value("more(1)", R"({"a": 99, "n": 3})") == "4");
  CHECK(value("more(1)", R"({"a": 99, "n": "x"})") == "error at n");
  CHECK(value("score", R"({"a": 99, "n": 3})") == "error at a");
  CHECK(value("score", R"({"a": 9, "items": [1, "x"]})") == "9");
  CHECK(value("count(items)", R"({"a": 9, "items": [1, "x"]})") == "error at items[1]");
  CHECK(value("a", R"({"a": 9, "n": -1})") == "9");
  CHECK(value("n", R"({"a": 9, "n": -1})") == "error at n");
  evaluator.set_history({R"({"a": 99})"});
  CHECK(value("n", R"({"n": 3})") == "3");
}

TEST_CASE("a value as an expression of its own") {
  const Compiled compiled = compile("r", "rubric r { input t: text default \"\" input r: any optional }");
  REQUIRE(compiled.rubric);
  Evaluator evaluator(*compiled.rubric);
  for (const std::string_view expression :
       {"1 / 3", "-2.5", "true", "missing", "[1, missing, 2 / 7]", "{a: 1, b: [\"x\"]}",
        "\"a \\\" \\\\ \\{1\\}\\n\\u{1F600}\"", "map(k: 1 / 3 for k in [\"x y\", \"\\{\"])", "[{a: 1, b: missing}]",
        "10 ^ 40"}) {
    CAPTURE(expression);
    const Evaluator::Evaluated first = evaluator.evaluate(expression, "{}");
    REQUIRE(!first.literal.empty());
    const Evaluator::Evaluated again = evaluator.evaluate(first.literal, "{}");
    INFO(render(again.diagnostics));
    CHECK(again.value == first.value);
    CHECK(again.literal == first.literal);
  }
  CHECK(evaluator.evaluate("1 / 3", "{}").literal == "(1/3)");
  CHECK(evaluator.evaluate("1..3", "{}").literal.empty());
  CHECK(evaluator.evaluate("r", R"({"r": {"x": 1}})").literal.empty());
}

TEST_CASE("a member of an item of a list") {
  constexpr std::string_view kRecord = R"({"f":[{"s":1},{"s":2}],"g[0]":3,"h":[[1,2]]})";
  CHECK(with_member(kRecord, "f[1].s", "9") == R"({"f":[{"s":1},{"s":9}],"g[0]":3,"h":[[1,2]]})");
  CHECK(with_member(kRecord, "f[2].s", "9") == R"({"f":[{"s":1},{"s":2},{"s":9}],"g[0]":3,"h":[[1,2]]})");
  CHECK(with_member(kRecord, "g[0]", "9") == R"({"f":[{"s":1},{"s":2}],"g[0]":9,"h":[[1,2]]})");
  CHECK(with_member(kRecord, "h[0][1]", "9") == R"({"f":[{"s":1},{"s":2}],"g[0]":3,"h":[[1,9]]})");
  CHECK(with_member("{}", "f[0].s", "9") == R"({"f":[{"s":9}]})");
  CHECK(with_member("{}", "f[\"a.b\"].s", "9") == R"({"f":{"a.b":{"s":9}}})");
  CHECK(with_member("{}", "[\"a.b\"]", "9") == R"({"a.b":9})");
  CHECK(with_member("{}", "a.", "9") == R"({"a":{"":9}})");
  for (const char* none : {"f[3].s", "f[-1]", "f[x]", "f[]", "f[1", "f[0]x", "f[99999999999999999999]"}) {
    CAPTURE(none);
    if (std::string_view(none).ends_with("]")) CHECK(!with_member(kRecord, none, "9"));
  }
}
