// Irrational functions in integers of 256 bits: forty digits of a result in a microsecond or two, or the answer that
// its rounding is in doubt. Private to lang/number/number_math.cpp, which then computes the result with 120 digits; so
// both ways give the same digits, and nothing depends on a platform's floating point.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "lang/number/big_rational.hpp"

namespace assay::number_detail {

// A magnitude of 256 bits, lowest word first. The users define the unit.
using Words = std::array<std::uint64_t, 4>;

// mantissa * 2^(exponent - 256), where the mantissa's top bit is set, so the value is in [2^(exponent - 1),
// 2^exponent).
struct Real {
  Words mantissa{};
  int exponent = 0;
  bool negative = false;
};

// `digits` / 10^decimals, the result rounded to 40 significant digits.
struct FortyDigits {
  BigInt digits;
  int decimals = 0;
};

// num / den, neither of them 0 and den > 0. Nothing if they have so many bits that the slow path should handle them.
std::optional<Real> to_real(const BigInt& num, const BigInt& den);

// Each returns nothing if the rounding is in doubt, or if the argument or the result is outside the range of 256 bits:
// |x| up to 4000 ln 10 for exp, up to 10 for erf.
std::optional<FortyDigits> fast_exp(const Real& x);
std::optional<FortyDigits> fast_ln(const Real& x);                         // x > 0
std::optional<FortyDigits> fast_log10(const Real& x);                      // x > 0
std::optional<FortyDigits> fast_pow(const Real& x, const Real& exponent);  // x > 0
std::optional<FortyDigits> fast_erf(const Real& x);

}  // namespace assay::number_detail
