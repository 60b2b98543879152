// The part of the arithmetic that nearly every step of a rubric uses: two small numbers with a small result, and the
// usual doubles. It is in this header so that the interpreter inlines it; everything else is a call. Included by
// number.hpp.
#pragma once

#include <cstdint>
#include <utility>

#include "lang/number/number.hpp"

namespace assay {

namespace number_slow {

// The complete operations; the inline ones below handle their most frequent case.
Number add(Number a, Number b, NumberPool& pool);
Number sub(Number a, Number b, NumberPool& pool);
Number mul(Number a, Number b, NumberPool& pool);
Number neg(Number a, NumberPool& pool);
int compare(Number a, Number b);
int sign(Number a);
double to_double(Number a);

}  // namespace number_slow

__extension__ typedef __int128 Wide;

inline Number add(Number a, Number b, NumberPool& pool) {
  if (a.den == 1) std::swap(a, b);
  std::int64_t right = b.num;
  std::int64_t sum;
  if (a.den > 0 && !pool.force_big() &&
      (a.den == b.den || (b.den == 1 && !__builtin_mul_overflow(b.num, a.den, &right))) &&
      !__builtin_add_overflow(a.num, right, &sum) && sum != INT64_MIN) {
    return {sum, a.den};
  }
  return number_slow::add(a, b, pool);
}

inline Number sub(Number a, Number b, NumberPool& pool) {
  std::int64_t right = b.num;
  std::int64_t difference;
  if (a.den > 0 && !pool.force_big() &&
      (a.den == b.den || (b.den == 1 && !__builtin_mul_overflow(b.num, a.den, &right))) &&
      !__builtin_sub_overflow(a.num, right, &difference) && difference != INT64_MIN) {
    return {difference, a.den};
  }
  return number_slow::sub(a, b, pool);
}

inline Number mul(Number a, Number b, NumberPool& pool) {
  std::int64_t num;
  std::int64_t den;
  if (a.den > 0 && b.den > 0 && !pool.force_big() && !__builtin_mul_overflow(a.num, b.num, &num) &&
      !__builtin_mul_overflow(a.den, b.den, &den) && num != INT64_MIN) {
    return {num, den};
  }
  return number_slow::mul(a, b, pool);
}

inline Number neg(Number a, NumberPool& pool) {
  if (a.den > 0 && !pool.force_big()) return {-a.num, a.den};
  return number_slow::neg(a, pool);
}

inline int compare(Number a, Number b) {
  if (a.den > 0 && b.den > 0) {
    if (a.den == b.den) return (a.num > b.num) - (a.num < b.num);
    const Wide left = static_cast<Wide>(a.num) * b.den;
    const Wide right = static_cast<Wide>(b.num) * a.den;
    return (left > right) - (left < right);
  }
  return number_slow::compare(a, b);
}

inline int sign(Number a) {
  if (a.den > 0) return (a.num > 0) - (a.num < 0);
  return number_slow::sign(a);
}

inline double to_double(Number a) {
  // Two integers that are also doubles: their quotient is rounded once.
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  constexpr std::int64_t kLargest = 1'000'000'000'000'000'000;
  if (a.num <= kExact && a.num >= -kExact && a.den > 0 && a.den <= kLargest) {
    const auto den = static_cast<double>(a.den);
    if (static_cast<std::int64_t>(den) == a.den) return static_cast<double>(a.num) / den;
  }
  return number_slow::to_double(a);
}

// Whether n / 10^decimals is the shortest decimal that reads back as `value`, for an integer n below 10^15 and at most
// kFewDecimals decimals. The division is rounded once, so equality proves that it reads back; with at most 15 digits no
// other decimal of that length does.
inline constexpr int kFewDecimals = 6;
inline bool decimal_of(double value, int decimals, std::int64_t& n) {
  constexpr double kScales[kFewDecimals + 1] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
  constexpr double kFifteenDigits = 999999999999999.0;
  constexpr double kRounding = 1.0 / (std::int64_t{1} << 51);  // at least the error of `value` and of `scaled` together
  const double scaled = value * kScales[decimals];
  const double size = scaled < 0 ? -scaled : scaled;
  if (!(size <= kFifteenDigits)) return false;
  n = static_cast<std::int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
  const auto nearest = static_cast<double>(n);
  const double off = scaled < nearest ? nearest - scaled : scaled - nearest;
  return off <= size * kRounding && nearest / kScales[decimals] == value;  // the first test is cheaper
}

}  // namespace assay
