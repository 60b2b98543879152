// Doubles as the decimals that they were made from.
#include "repl/npy/number_text.hpp"

#include "tests/property/random.hpp"
#include "tests/unit/catch.hpp"

#include <cmath>
#include <cstdlib>
#include <string>

using namespace assay::cli;

namespace {

template <class Put>
std::string text_of(Put&& put) {
  char text[kMostNumberText];
  const char* const end = put(text);
  return end == nullptr ? "none" : std::string(text, static_cast<std::size_t>(end - text));
}
std::string scaled(std::int64_t digits, unsigned decimals) {
  return text_of([&](char* out) { return put_scaled(out, digits, decimals); });
}
std::string rounded(double value, int decimals) {
  return text_of([&](char* out) { return put_rounded(out, value, decimals); });
}
std::string significant(double value) {
  return text_of([&](char* out) { return put_significant(out, value); });
}

}  // namespace

TEST_CASE("digits and decimals") {
  CHECK(scaled(0, 0) == "0");
  CHECK(scaled(0, 3) == "0");
  CHECK(scaled(5, 2) == "0.05");
  CHECK(scaled(-5, 2) == "-0.05");
  CHECK(scaled(850, 2) == "8.5");
  CHECK(scaled(800, 2) == "8");
  CHECK(scaled(-123456, 3) == "-123.456");
  CHECK(scaled(1, 18) == "0.000000000000000001");
  CHECK(scaled(INT64_MAX, 0) == "9223372036854775807");
  CHECK(scaled(INT64_MIN, 18) == "-9.223372036854775808");
}

TEST_CASE("rounded numbers from the doubles nearest to them") {
  CHECK(rounded(8.75, 2) == "8.75");
  CHECK(rounded(0.3, 1) == "0.3");
  CHECK(rounded(-0.0, 2) == "0");
  CHECK(rounded(999'999'999'999'999.0, 0) == "999999999999999");
  CHECK(rounded(1e15, 0) == "none");
  CHECK(rounded(1, -1) == "none");
  CHECK(rounded(1, 10) == "none");
  assay_tests::Random random(3);
  for (int i = 0; i < 100'000; ++i) {
    const int decimals = static_cast<int>(random.below(10));
    const std::string text =
        scaled(static_cast<std::int64_t>(random.below(1'000'000'000'000'000)) * (i % 2 == 0 ? 1 : -1),
               static_cast<unsigned>(decimals));
    REQUIRE(rounded(std::strtod(text.c_str(), nullptr), decimals) == text);
  }
}

TEST_CASE("twelve significant digits, where the double decides them") {
  CHECK(significant(0) == "0");
  CHECK(significant(1.0 / 3) == "0.333333333333");
  CHECK(significant(-2.0 / 3) == "-0.666666666667");
  CHECK(significant(0.1) == "0.1");
  CHECK(significant(123456.789) == "123456.789");
  CHECK(significant(9.9999999999996) == "10");
  CHECK(significant(999'999'999'999.7) == "1000000000000");
  CHECK(significant(1e-6) == "0.000001");
  CHECK(significant(1.23456789012e-6) == "0.00000123456789012");
  // A tie, or what is too near to one: the number that it was made from may lie on either side.
  CHECK(significant(0.1234567890125) == "none");
  CHECK(significant(std::nextafter(0.1234567890125, 1)) == "none");
  CHECK(significant(0.12345678901251) == "0.123456789013");
  CHECK(significant(1e12) == "none");
  CHECK(significant(9e-7) == "none");
  CHECK(significant(std::nan("")) == "none");
}
