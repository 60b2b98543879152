// Division, common divisors and digits of big integers, against Boost's.
#include "lang/number/big_division.hpp"

#include <assay/interrupt.hpp>

#include <cstdint>
#include <random>
#include "tests/unit/catch.hpp"

using assay::BigInt;
using assay::NumberPool;
namespace detail = assay::number_detail;

namespace {

// Runs of ones and zeros are what breaks estimates of quotients; random bits hardly ever do.
BigInt made(std::mt19937_64& random, unsigned limbs) {
  BigInt a = 0;
  const auto kind = random() % 4;
  for (unsigned i = 0; i < limbs; ++i) {
    std::uint64_t limb = random();
    if (kind == 1) limb = random() % 3 == 0 ? ~std::uint64_t{0} : 0;
    if (kind == 2) limb = i == 0 ? random() % 3 : ~std::uint64_t{0};
    if (kind == 3) limb = i == 0 ? std::uint64_t{1} << 63 : random() % 2;
    a = a << 64 | limb;
  }
  return a;
}

}  // namespace

TEST_CASE("big integers are divided as Boost divides them") {
  std::mt19937_64 random(7);
  NumberPool pool;
  for (int i = 0; i < 3000; ++i) {
    BigInt a = made(random, static_cast<unsigned>(random() % 60)),
           b = made(random, 1 + static_cast<unsigned>(random() % 40));
    if (b == 0) b = 1;
    if (i % 5 == 0) a *= b;
    if (i % 15 == 0) a -= 1;
    if (i % 3 == 0) a = -a;
    if (i % 7 == 0) b = -b;
    BigInt quotient, rest, expected, expected_rest;
    detail::divide_big(a, b, quotient, rest, &pool);
    boost::multiprecision::divide_qr(a, b, expected, expected_rest);
    REQUIRE(quotient == expected);
    REQUIRE(rest == expected_rest);
  }
}

TEST_CASE("the common divisors of big integers are those that Boost finds") {
  std::mt19937_64 random(8);
  NumberPool pool;
  for (int i = 0; i < 2000; ++i) {
    const BigInt common = made(random, static_cast<unsigned>(random() % 30));
    BigInt a = made(random, static_cast<unsigned>(random() % 40)) * common;
    BigInt b = made(random, static_cast<unsigned>(random() % 40)) * common;
    if (i % 11 == 0) b = a * random();
    if (i % 3 == 0) a = -a;
    REQUIRE(detail::gcd(a, b, pool) == BigInt(boost::multiprecision::gcd(a, b)));
  }
  // Neighbours in Fibonacci's sequence take the most steps, each with the quotient 1.
  BigInt a = 1, b = 1;
  for (int i = 0; i < 20'000; ++i) {
    a += b;
    a.swap(b);
  }
  REQUIRE(detail::gcd(a, b, pool) == 1);
  REQUIRE(detail::gcd(a * 12, b * 18, pool) == BigInt(boost::multiprecision::gcd(BigInt(a * 12), BigInt(b * 18))));
}

TEST_CASE("big integers are written as Boost writes them") {
  std::mt19937_64 random(9);
  for (const unsigned limbs : {0U, 1U, 15U, 16U, 17U, 31U, 32U, 33U, 100U, 1000U}) {
    const BigInt a = made(random, limbs);
    REQUIRE(detail::digits_of(a) == a.str());
    REQUIRE(detail::digits_of(-a) == BigInt(-a).str());
  }
  for (const int exponent : {303, 304, 305, 607, 608, 609, 3040}) {
    REQUIRE(detail::digits_of(detail::pow10(exponent)) == detail::pow10(exponent).str());
    REQUIRE(detail::digits_of(detail::pow10(exponent) - 1) == BigInt(detail::pow10(exponent) - 1).str());
  }
}
