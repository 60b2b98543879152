// Tests the comparison that the conformance tests rely on.
#include "tests/conformance/exact_json.hpp"
#include "tests/unit/catch.hpp"

using namespace assay_tests;

namespace {

std::string compare(std::string_view expected, std::string_view actual) {
  std::string problem;
  const auto left = parse_json(expected, problem);
  const auto right = parse_json(actual, problem);
  REQUIRE(left);
  REQUIRE(right);
  return difference(*left, *right);
}

}  // namespace

TEST_CASE("numbers are equal as decimals") {
  CHECK(normalised_decimal("8.50") == normalised_decimal("8.5"));
  CHECK(normalised_decimal("85e-1") == normalised_decimal("8.5"));
  CHECK(normalised_decimal("0.10e+2") == normalised_decimal("10"));
  CHECK(normalised_decimal("-0.0") == "0");
  CHECK(normalised_decimal("0.1") != normalised_decimal("0.10000000000000001"));
  CHECK(normalised_decimal("-1") != normalised_decimal("1"));
}

TEST_CASE("a verdict may say more, but not less and nothing else") {
  CHECK(compare(R"({"a": {"b": 1.0}})", R"({"a": {"b": 1, "c": 2}, "d": null})").empty());
  CHECK(compare(R"({"a": [{"b": 1}]})", R"({"a": [{"b": 1, "c": 2}]})").empty());
  CHECK(compare(R"({"a": 1})", R"({"a": true})") == "a: expected 1, got true");
  CHECK(compare(R"({"a": null})", R"({})") == "a: expected null, got nothing");
  CHECK(compare(R"({"a": [1, 2]})", R"({"a": [1]})") == "a: expected [1, 2], got [1]");
  CHECK(compare(R"({"a": [{"b": "x"}]})", R"({"a": [{"b": "y"}]})") == R"(a[0].b: expected "x", got "y")");
}

TEST_CASE("a request keeps the numbers as they were written") {
  std::string problem;
  const auto json = parse_json(R"({"x": [75e-1, 0.10, -3, "a\"b"]})", problem);
  REQUIRE(json);
  CHECK(to_text(*json) == R"({"x": [75e-1, 0.10, -3, "a\"b"]})");
  CHECK_FALSE(parse_json("{\"x\": 1,}", problem));
  CHECK_FALSE(problem.empty());
}
