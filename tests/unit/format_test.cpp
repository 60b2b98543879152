// The layout of rubrics, for cases that the tests of the command cannot show: ranges, limits, and preserved choices.
#include <assay/format.hpp>

#include "tests/unit/catch.hpp"

using namespace assay;

namespace {

std::string formatted(const std::string& text) {
  const Formatted result = format_rubric("test.rubric", text);
  INFO(render(result.diagnostics) << result.problem.str());
  REQUIRE(result.text);
  return *result.text;
}

std::string with_edit(const std::string& text, const FormattedRange& range) {
  REQUIRE(range.edit);
  return text.substr(0, range.edit->begin) + range.edit->text + text.substr(range.edit->end);
}

}  // namespace

TEST_CASE("a range is formatted, and nothing else", "[format]") {
  const std::string text = "rubric a {\n  output  b=1\n  output  c=2\n  output  d=3\n}\n";
  const std::size_t at = text.find("c=2");
  CHECK(with_edit(text, format_rubric_range("a", text, at, at)) ==
        "rubric a {\n  output  b=1\n  output c = 2\n  output  d=3\n}\n");
  CHECK(with_edit(text, format_rubric_range("a", text, 0, text.size())) == formatted(text));
  CHECK(with_edit(text, format_rubric_range("a", text, 0, text.size() + 100)) == formatted(text));
  CHECK(!format_rubric_range("a", formatted(text), 0, 1000).edit);
  CHECK(!format_rubric_range("a", "rubric {", 0, 3).edit);
  CHECK(!format_rubric_range("a", "rubric {", 0, 3).diagnostics.empty());
}

TEST_CASE("every range of a rubric gives a part of the formatted rubric", "[format]") {
  const std::string text =
      "# one\nrubric a {  # two\n\n\n scale 0..10\n   dimension x weight  100% {\n level 1 \"a\"\n"
      " # three\n }\n table t(k){|k|v|\n|1|2|}\n}\n";
  for (std::size_t begin = 0; begin <= text.size(); ++begin) {
    const FormattedRange range = format_rubric_range("a", text, begin, begin + 3);
    const std::string after = range.edit ? with_edit(text, range) : text;
    CHECK(formatted(after) == formatted(text));
  }
}

TEST_CASE("limits bound a text that is formatted", "[format]") {
  FormatOptions options;
  options.limits.source_bytes = 10;
  CHECK(format_rubric("a", "rubric a { output b = 1 }", options).diagnostics.size() == 1);
  options.limits = Limits();
  options.limits.compile_memory_bytes = 100;
  CHECK(format_rubric("a", "rubric a { output b = 1 }", options).diagnostics.size() == 1);
  Interrupt interrupt;
  interrupt.cancel();
  FormatOptions cancelled;
  cancelled.interrupt = &interrupt;
  CHECK(!format_rubric("a", std::string(100'000, ' '), cancelled).text);
}

TEST_CASE("deep nesting is an error", "[format]") {
  const std::string deep = "rubric a { output b = " + std::string(5000, '(') + "1" + std::string(5000, ')') + " }";
  CHECK(!format_rubric("a", deep).text);
  const std::string nested = "rubric a { output b = " + std::string(150, '(') + "1" + std::string(150, ')') + " }";
  CHECK(formatted(nested) ==
        "rubric a {\n  output b = " + std::string(150, '(') + "1" + std::string(150, ')') + "\n}\n");
}

TEST_CASE("what an author chose stays, and the rest does not", "[format]") {
  CHECK(formatted("rubric a{output b=[1,2]}") == "rubric a { output b = [1, 2] }\n");
  CHECK(formatted("rubric a { output b = [\n1,2] }") == "rubric a {\n  output b = [\n    1, 2\n  ]\n}\n");
  CHECK(formatted("rubric a { output b = 1 ..2 output c = -1 - -2 }") ==
        "rubric a {\n  output b = 1..2\n  output c = -1 - -2\n}\n");
  CHECK(formatted("rubric a { output b = x ^ 2 in a+1 .. a+2 }") == "rubric a { output b = x^2 in a + 1 .. a + 2 }\n");
  CHECK(formatted("rubric a { output b = not  ( c [ 1 ] . d ) }") == "rubric a { output b = not (c[1].d) }\n");
}
