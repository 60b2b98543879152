// Decimals as text: the fast path against the one for all numbers.
#include "lang/number/decimal_text.hpp"
#include "lang/number/powers_of_ten.hpp"

#include "tests/unit/catch.hpp"

#include <cstdint>
#include <random>
#include <string>

using namespace assay;

namespace {

std::string quick(std::int64_t n, int decimals, bool keep_zeros) {
  char text[kMostDecimalText];
  return {text, put_decimal(n, decimals, keep_zeros, text)};
}

std::string plain(std::int64_t n, int decimals, bool keep_zeros) {
  char text[kMostDecimalText];
  char* const from = text + (n < 0 ? 1 : 0);
  text[0] = '-';
  const std::uint64_t magnitude = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  return {text, number_detail::put_long_decimal(magnitude, decimals, keep_zeros, from)};
}

}  // namespace

TEST_CASE("decimals of every length") {
  CHECK(quick(0, 0, false) == "0");
  CHECK(quick(0, 7, true) == "0.0000000");
  CHECK(quick(0, 7, false) == "0");
  CHECK(quick(850, 2, false) == "8.5");
  CHECK(quick(850, 2, true) == "8.50");
  CHECK(quick(-5, 3, false) == "-0.005");
  CHECK(quick(99'999'999, 0, false) == "99999999");
  CHECK(quick(99'999'999, 7, false) == "9.9999999");
  CHECK(quick(100'000'000, 2, false) == "1000000");
  CHECK(quick(INT64_MIN, 18, false) == "-9.223372036854775808");
  CHECK(quick(INT64_MAX, 0, false) == "9223372036854775807");
}

TEST_CASE("decimals are the same in both ways") {
  std::mt19937_64 random(11);
  const auto both = [](std::int64_t n, int decimals) {
    for (const bool keep_zeros : {false, true}) {
      if (quick(n, decimals, keep_zeros) != plain(n, decimals, keep_zeros)) {
        CAPTURE(n, decimals, keep_zeros);
        CHECK(quick(n, decimals, keep_zeros) == plain(n, decimals, keep_zeros));
      }
    }
  };
  for (int decimals = 0; decimals <= kMostPowerOfTen; ++decimals) {
    for (std::int64_t n = 0; n < 20'000; ++n) both(n, decimals);
    for (const std::int64_t power : kPowersOfTen) {
      for (std::int64_t n = -2; n <= 2; ++n) {
        both(power + n, decimals);
        both(-power + n, decimals);
      }
    }
    for (int i = 0; i < 20'000; ++i) {
      const auto n = static_cast<std::int64_t>(random() >> (random() % 64));
      both(n, decimals);
      both(-n, decimals);
    }
  }
  SUCCEED();
}
