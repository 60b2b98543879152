// Conversion from and to doubles, for hooks and hosts. A double means the shortest decimal that reads back as it, and a
// number becomes the nearest double. Both directions are exact, in 64 and 128 bits if possible, otherwise through text
// and big integers; nothing here is an approximation.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "lang/number/big_division.hpp"
#include "lang/number/big_rational.hpp"
#include "lang/number/number.hpp"

namespace assay {

using number_detail::BigView;

namespace {

__extension__ typedef unsigned __int128 UnsignedWide;

constexpr int kMaxPow5 = 26;  // required for the smallest exponent below

struct PowersOfFive {
  std::uint64_t of[kMaxPow5 + 1];
  consteval PowersOfFive() : of{1} {                            // no test: the compiler runs it
    for (int i = 1; i <= kMaxPow5; ++i) of[i] = 5 * of[i - 1];  // no test: as above
  }                                                             // no test: as above
};
constexpr PowersOfFive kPow5;

// The shortest decimal n / 10^decimals in the interval of reals that round to m * 2^exponent; among equally short ones
// the nearest, and in a tie the even one. 2^52 < m < 2^53, so that the interval extends equally in both directions, and
// -85 < exponent < 0. This is Schubfach (Giulietti, 2020) with exact products instead of its tables: 10^-decimals is
// the largest power of ten that fits the interval, which contains at least one multiple of it, but at most one of the
// next power. All quantities are in units of 10^-decimals / 2^shift.
void shortest_decimal(std::uint64_t m, int exponent, std::uint64_t& n, int& decimals) {
  decimals = (-exponent * 1233 + 4095) >> 12;  // -floor(exponent * log10(2))
  const int shift = 1 - exponent - decimals;
  const std::uint64_t half = kPow5.of[decimals];  // of the interval
  const std::uint64_t reach = half - (m & 1);     // a tie reads back as the even one
  const UnsignedWide value = static_cast<UnsignedWide>(2 * m) * half;
  const auto below = static_cast<std::uint64_t>(value >> shift);
  const std::uint64_t rest = static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t tens = below / 10;
  const std::uint64_t down = (below - tens * 10) << shift | rest;
  const std::uint64_t up = (std::uint64_t{10} << shift) - down;
  if (down <= reach || up <= reach) {
    n = down <= reach ? tens : tens + 1;
    --decimals;
    while (n % 10 == 0) {  // terminates: an integer is itself a double, and not in this interval
      n /= 10;
      --decimals;
    }
    return;
  }
  const std::uint64_t middle = std::uint64_t{1} << (shift - 1);
  n = below + (rest > middle || (rest == middle && (below & 1) != 0) ? 1 : 0);
}

Number through_text(double value, NumberPool& pool) {
  char text[32];
  const char* end = std::to_chars(text, text + sizeof text, value).ptr;
  Number result = kMissing;
  parse_decimal({text, static_cast<std::size_t>(end - text)}, result, pool);
  return result;
}

// The nearest double to num / den of 63 bits each: uses 63 or 64 bits of the quotient, where the last bit represents
// all following ones.
double quotient(std::int64_t num, std::int64_t den) {
  auto n = num < 0 ? 0 - static_cast<std::uint64_t>(num) : static_cast<std::uint64_t>(num);
  auto d = static_cast<std::uint64_t>(den);
  const int up_n = __builtin_clzll(n), up_d = __builtin_clzll(d);
  n <<= up_n;
  d <<= up_d;
  const UnsignedWide dividend = static_cast<UnsignedWide>(n) << 63;
  const auto q = static_cast<std::uint64_t>(dividend / d);
  const std::uint64_t bits = q | (static_cast<UnsignedWide>(q) * d != dividend ? 1U : 0U);
  const std::uint64_t scale = static_cast<std::uint64_t>(1023 - 63 + up_d - up_n) << 52;  // a power of two, as a double
  double power;
  std::memcpy(&power, &scale, sizeof power);
  return static_cast<double>(bits) * (num < 0 ? -power : power);
}

}  // namespace

Number from_double(double value, NumberPool& pool) {
  if (!std::isfinite(value)) return kMissing;
  constexpr double kMaxWhole = 9007199254740991.0;
  if (std::fabs(value) <= kMaxWhole) {
    const auto n = static_cast<std::int64_t>(value);
    if (static_cast<double>(n) == value) return whole(n);
  }
  if (std::int64_t n; decimal_of(value, kFewDecimals, n)) {
    int decimals = kFewDecimals;
    if (n % 1000 == 0) {
      n /= 1000;
      decimals -= 3;
    }
    for (; n % 10 == 0; --decimals) n /= 10;  // terminates: it is not an integer
    return {n, kPowersOfTen[decimals]};
  }
  std::uint64_t pattern;
  static_assert(sizeof pattern == sizeof value && std::numeric_limits<double>::is_iec559);
  std::memcpy(&pattern, &value, sizeof value);
  const std::uint64_t fraction = pattern & ((std::uint64_t{1} << 52) - 1);
  const int exponent = static_cast<int>(pattern >> 52 & 0x7FF) - 1075;
  if (exponent >= 0 || exponent <= -85 || fraction == 0) return through_text(value, pool);
  std::uint64_t n;
  int decimals;
  shortest_decimal(fraction | std::uint64_t{1} << 52, exponent, n, decimals);
  const std::int64_t digits = value < 0 ? -static_cast<std::int64_t>(n) : static_cast<std::int64_t>(n);
  if (decimals <= kMostPowerOfTen) return {digits, kPowersOfTen[decimals]};
  return number_detail::store_wide(digits, static_cast<Wide>(kPow5.of[decimals]) << decimals, pool);
}

double number_slow::to_double(Number a) {
  if (a.missing()) return std::numeric_limits<double>::quiet_NaN();
  if (a.small() && a.num != 0) return quotient(a.num, a.den);
  const BigView x(a);
  if (x.num() == 0) return 0;
  const double direction = x.num().sign() < 0 ? -1.0 : 1.0;
  // A quotient of at least 55 bits, whose last bit represents all following ones, rounds like the exact value. Below
  // the smallest normal double, excess bits are first removed in the same way.
  const auto magnitude =
      static_cast<std::int64_t>(number_detail::bits(x.num())) - static_cast<std::int64_t>(number_detail::bits(x.den()));
  if (magnitude > 1100) return direction * std::numeric_limits<double>::infinity();
  if (magnitude < -1200) return direction * 0.0;
  const auto shift = static_cast<int>(std::min<std::int64_t>(56 - magnitude, 1076));
  BigInt num = abs(x.num());
  BigInt den = x.den();
  if (shift >= 0) {
    num <<= static_cast<unsigned>(shift);
  } else {
    den <<= static_cast<unsigned>(-shift);
  }
  BigInt quotient, rest;
  number_detail::divide_big(num, den, quotient, rest);
  auto bits = static_cast<std::uint64_t>(quotient) << 1 | (rest != 0 ? 1U : 0U);
  if (shift == 1076 && bits >> 56 == 0) {  // the value is bits * 2^-1077; doubles there are multiples of 2^-1074
    const std::uint64_t dropped = bits & 7;
    bits >>= 3;
    if (dropped > 4 || (dropped == 4 && (bits & 1) != 0)) ++bits;
    return direction * std::ldexp(static_cast<double>(bits), -1074);
  }
  return direction * std::ldexp(static_cast<double>(bits), -shift - 1);
}

}  // namespace assay
