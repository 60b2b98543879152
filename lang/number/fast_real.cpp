// Why the results are correct. Every function below has a relative error of at most 2^-good, and round_to_forty()
// accepts its result only if every value within that error rounds to the same digits (Ziv's strategy; J.-M. Muller,
// Elementary Functions, 3rd ed., chapter 12). `good` is above 190 unless the result is within 2^-30 of a zero, and
// forty digits are 133 bits, so fewer than one result in 2^50 is in doubt.
//
// Three forms of numbers are used. Each truncates and never rounds up, so that one operation has an error below one
// unit in its last place (ulp):
//   S240  a word of two's complement, unit 2^-240: logarithms and the arguments of exp, |x| < 2^15
//   Q252  unit 2^-252: numbers in [0, 16)
//   Real  256 leading bits and an exponent; a product has a relative error below 2^-254
//
// exp:  |x| = n ln 2 + r with 0 <= r < ln 2. The constant ln 2 is off by 2^-241, n is below 2^14, cutting x off costs 2^-240:
//       r is off by less than 2^-226. e^(r / 2^14) is a Taylor sum of 14 terms (the rest is below 2^-256) with an error of
//       at most 6 ulp (the coefficient k is off by k ulp, times 2^-14k); 14 squarings double the error each and add one ulp, and their factors multiply to e^r <= 2: in the
//       end at most 2^14 * 2 * 7 < 2^18 ulp, 2^-234. Together below 2^-225, relative, as the result is at least 1.
// ln:   x = 2^k m with m in [0.7, 1.42). y is ln m to some 50 bits, computed with doubles; what their last bits are does not
//       matter, as y is taken to be exact from then on. m e^-y = 1 + d, with |d| < 2^-45 (which is looked at),
//       gives ln m = y + d - d²/2 + d³/3 - d⁴/4 + d⁵/5, the rest below 2^-270. e^-y is off by 2^-229 (n is 0 or 1), so ln m
//       is off by less than 2^-228; k ln 2 and the change of units add k 2^-241 + 2^-240 < 2^-226. Absolute: the nearer
//       the logarithm is to 0, the fewer bits are good.
// pow:  e^(y ln x): the error of ln x times |y| is the error of the argument of exp, and so the relative error of the result.
// erf:  2 / sqrt(pi) e^-x² (x + 2x³/3 + 4x⁵/(3·5) + …), whose terms have one sign. A term comes from the one before it by a
//       product, and another one by 1 / k for k < 2^10, which cost less than 2^-244 of it; after 500 terms 2^-235. The sum ends when
//       a term is below 2^-225 of the sum, and the terms at least halve from there on. x² is off by 2^-239 in e^-x².
//       Together below 2^-220.
#include "lang/number/fast_real.hpp"

#include <algorithm>

namespace assay::number_detail {

namespace {

__extension__ typedef unsigned __int128 Double;

constexpr Words kLn2 = {0xb62d8a0d175b8bab, 0xf6af40f343267298, 0x79abc9e3b39803f2, 0x0000b17217f7d1cf};  // S240
constexpr Real kInverseLn10 = {{0x3a3f2d44f78ea53c, 0x3ee3460245c9a202, 0x355baaafad33dc32, 0xde5bd8a937287195}, -1};
constexpr Real kTwoOverRootPi = {{0x39a15830cce620b1, 0x1409a0ebac3e7517, 0x71d48a7f6bfec344, 0x906eba8214db688d}, 1};
constexpr int kS240 = 240, kQ252 = 252;
constexpr int kDigits = 40;

// ---- words

bool is_zero(const Words& a) { return (a[0] | a[1] | a[2] | a[3]) == 0; }

Words plus(const Words& a, const Words& b) {
  Words r;
  Double carry = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    carry += Double{a[i]} + b[i];
    r[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return r;
}

Words minus(const Words& a, const Words& b) {
  Words r;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Double difference = Double{a[i]} - b[i] - borrow;
    r[i] = static_cast<std::uint64_t>(difference);
    borrow = static_cast<std::uint64_t>(difference >> 64) & 1;
  }
  return r;
}

bool below(const Words& a, const Words& b) {
  for (std::size_t i = 4; i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  return false;
}

Words negated(const Words& a) { return minus({}, a); }
bool is_negative(const Words& a) { return (a[3] >> 63) != 0; }  // in two's complement

Words left(const Words& a, int count) {
  Words r{};
  const int words = count / 64, rest = count % 64;
  for (int i = 3; i >= words; --i) {
    const auto at = static_cast<std::size_t>(i - words);
    r[static_cast<std::size_t>(i)] = a[at] << rest;
    if (rest != 0 && at > 0) r[static_cast<std::size_t>(i)] |= a[at - 1] >> (64 - rest);
  }
  return r;
}

Words right(const Words& a, int count) {
  Words r{};
  if (count >= 256) return r;
  const int words = count / 64, rest = count % 64;
  for (int i = 0; i + words < 4; ++i) {
    const auto at = static_cast<std::size_t>(i + words);
    r[static_cast<std::size_t>(i)] = a[at] >> rest;
    if (rest != 0 && at < 3) r[static_cast<std::size_t>(i)] |= a[at + 1] << (64 - rest);
  }
  return r;
}

int leading_zeros(const Words& a) {
  int count = 0;
  for (std::size_t i = 4; i-- > 0; count += 64) {
    if (a[i] != 0) return count + __builtin_clzll(a[i]);
  }
  return count;
}

// The product, truncated below bit `drop`; 192 <= drop <= 256, and the result must fit 256 bits.
Words product(const Words& a, const Words& b, int drop) {
  std::array<std::uint64_t, 9> p{};
  // unrolled by hand, because not every compiler does it
  const auto row = [&a, &p](std::size_t at, std::uint64_t factor) {
    Double sum = Double{a[0]} * factor + p[at];
    p[at] = static_cast<std::uint64_t>(sum);
    sum = Double{a[1]} * factor + p[at + 1] + static_cast<std::uint64_t>(sum >> 64);
    p[at + 1] = static_cast<std::uint64_t>(sum);
    sum = Double{a[2]} * factor + p[at + 2] + static_cast<std::uint64_t>(sum >> 64);
    p[at + 2] = static_cast<std::uint64_t>(sum);
    sum = Double{a[3]} * factor + p[at + 3] + static_cast<std::uint64_t>(sum >> 64);
    p[at + 3] = static_cast<std::uint64_t>(sum);
    p[at + 4] = static_cast<std::uint64_t>(sum >> 64);
  };
  row(0, b[0]);
  row(1, b[1]);
  row(2, b[2]);
  row(3, b[3]);
  const auto words = static_cast<std::size_t>(drop / 64);
  const int rest = drop % 64;
  Words r;
  for (std::size_t i = 0; i < 4; ++i) {
    r[i] = p[i + words] >> rest;
    if (rest != 0) r[i] |= p[i + words + 1] << (64 - rest);
  }
  return r;
}

Words times_small(const Words& a, std::uint64_t k) {
  Words r;
  Double carry = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    carry += Double{a[i]} * k;
    r[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return r;
}

Words over_small(const Words& a, std::uint64_t k) {  // k < 2^32, so that each division is of 64 bits
  Words r;
  std::uint64_t rest = 0;
  for (std::size_t i = 4; i-- > 0;) {
    const std::uint64_t high = (rest << 32) | (a[i] >> 32);
    const std::uint64_t low = (high % k << 32) | (a[i] & 0xFFFFFFFF);
    r[i] = (high / k << 32) | low / k;
    rest = low % k;
  }
  return r;
}

Words one_in_q252() { return {0, 0, 0, std::uint64_t{1} << 60}; }
Words times(const Words& a, const Words& b) { return product(a, b, kQ252); }

// ---- reals

Real normal(const Words& a, int unit, bool negative = false) {  // a * 2^-unit; not 0
  const int zeros = leading_zeros(a);
  return {left(a, zeros), 256 - zeros - unit, negative};
}

Real product(const Real& a, const Real& b) {
  Real r{product(a.mantissa, b.mantissa, 256), a.exponent + b.exponent, a.negative != b.negative};
  if ((r.mantissa[3] >> 63) == 0) {  // the product of mantissas is in [1/4, 1)
    r.mantissa = product(a.mantissa, b.mantissa, 255);
    r.exponent -= 1;
  }
  return r;
}

Words magnitude_in_s240(const Real& x) { return right(x.mantissa, 256 - kS240 - x.exponent); }  // exponent <= 16

Words words_of(const BigInt& a) {  // below 2^256
  Words w{};
  const auto* limbs = a.backend().limbs();
  std::copy(limbs, limbs + std::min<std::size_t>(a.backend().size(), 4), w.begin());
  return w;
}

Real whole_real(const BigInt& a) {  // a > 0, rounded down
  const int width = static_cast<int>(bits(a));
  BigInt leading = a;
  leading >>= static_cast<unsigned>(std::max(width - 256, 0));
  Real r = normal(words_of(leading), 0);
  r.exponent += std::max(width - 256, 0);
  return r;
}

// 10^(2^i) and 10^-(2^i).
struct PowersOfTen {
  static constexpr int kCount = 13;
  std::array<Real, kCount> up, down;
  PowersOfTen() {
    for (int i = 0; i < kCount; ++i) {
      const BigInt power = pow10(1 << i);
      const auto width = static_cast<unsigned>(bits(power)) + 256;
      up[static_cast<std::size_t>(i)] = whole_real(power);
      Real inverse = whole_real((BigInt(1) << width) / power);
      inverse.exponent -= static_cast<int>(width);
      down[static_cast<std::size_t>(i)] = inverse;
    }
  }
};

Real power_of_ten(int exponent) {  // |exponent| < 2^13; twelve products, each off by 2^-254
  static const PowersOfTen kPowers;
  const auto& table = exponent < 0 ? kPowers.down : kPowers.up;
  Real r{{0, 0, 0, std::uint64_t{1} << 63}, 1};
  unsigned left_over = static_cast<unsigned>(std::abs(exponent));
  for (std::size_t i = 0; left_over != 0; ++i, left_over >>= 1) {
    if ((left_over & 1) != 0) r = product(r, table[i]);
  }
  return r;
}

// `x` has a relative error of at most 2^-good.
std::optional<FortyDigits> round_to_forty(const Real& x, int good) {
  constexpr int kLeastGood = 150;
  if (good < kLeastGood || x.exponent > 13'300 || x.exponent < -13'300) return std::nullopt;
  const int low = x.exponent - 1;  // 2^low <= |x|
  int exponent = low * 30103 / 100000 - 1;
  static const Words kLimit = words_of(pow10(kDigits));
  for (;; ++exponent) {
    const Real scaled = product(x, power_of_ten(kDigits - 1 - exponent));
    if (scaled.exponent > 192) continue;
    const Words integer = right(scaled.mantissa, 256 - scaled.exponent);
    if (!below(integer, kLimit)) continue;
    // The error is below 10^40 * 2^-(good - 1) < 2^(134 - good); the first 64 bits of the fraction decide.
    const std::uint64_t fraction = left(scaled.mantissa, scaled.exponent)[3];
    const int error_bits = 134 - good + 64;
    const std::uint64_t margin = 2 + (error_bits > 0 ? std::uint64_t{1} << error_bits : 0);
    constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
    if (fraction >= kHalf - margin && fraction <= kHalf + margin) return std::nullopt;
    FortyDigits r;
    for (std::size_t i = 4; i-- > 0;) {
      r.digits <<= 64;
      r.digits += integer[i];
    }
    if (fraction > kHalf) ++r.digits;
    if (x.negative) r.digits = -r.digits;
    r.decimals = kDigits - 1 - exponent;
    return r;
  }
}

// ---- functions

// e^x for a magnitude in S240 below 2^14; relative error below 2^-225.
Real exp_of(const Words& magnitude, bool negative) {
  constexpr int kHalvings = 14;
  constexpr std::size_t kTerms = 14;
  static const std::array<Words, kTerms + 1> kCoefficients = [] {  // 1 / k!
    std::array<Words, kTerms + 1> c{one_in_q252()};
    for (std::size_t k = 1; k <= kTerms; ++k) c[k] = over_small(c[k - 1], k);
    return c;
  }();
  // The quotient by ln 2 of the first 48 bits is off by at most one; the same holds for doubles.
  const auto leading = static_cast<double>(magnitude[3]);
  auto n = static_cast<std::int64_t>(leading / static_cast<double>(kLn2[3]));
  Words rest = minus(magnitude, times_small(kLn2, static_cast<std::uint64_t>(n)));
  for (; is_negative(rest); --n) rest = plus(rest, kLn2);
  for (; !below(rest, kLn2); ++n) rest = minus(rest, kLn2);
  if (negative) {  // e^-(n ln 2 + r) = 2^-(n + 1) e^(ln 2 - r)
    n = -(n + 1);
    rest = minus(kLn2, rest);
  }
  const Words small = right(left(rest, kQ252 - kS240), kHalvings);
  Words sum = kCoefficients[kTerms];
  for (std::size_t k = kTerms; k-- > 0;) sum = plus(kCoefficients[k], times(small, sum));
  for (int i = 0; i < kHalvings; ++i) sum = times(sum, sum);
  Real r = normal(sum, kQ252);
  r.exponent += static_cast<int>(n);
  return r;
}

// ln x in S240, with an error below 2^-226, or 2^-228 if it contains no multiple of ln 2.
struct Logarithm {
  Words value{};
  int good = 0;  // the error is below 2^-good
};

std::optional<Logarithm> ln_of(const Real& x) {
  constexpr std::uint64_t kRootOfHalf = 0xB504F333F9DE6484;
  int k = x.exponent;
  int drop = 256 - kQ252;
  if (x.mantissa[3] < kRootOfHalf) {
    k -= 1;
    drop -= 1;
  }
  if (k > (1 << 14) || k < -(1 << 14)) return std::nullopt;
  const Words m = right(x.mantissa, drop);
  const double near = static_cast<double>(m[3] >> 8) / static_cast<double>(std::uint64_t{1} << 52);
  const double s = (near - 1) / (near + 1);  // ln m = 2 artanh s, |s| < 0.18
  const double square = s * s;
  double series = 0;
  for (int i = 21; i > 0; i -= 2) series = series * square + 1.0 / i;
  const auto y = static_cast<std::int64_t>(2 * s * series * static_cast<double>(std::int64_t{1} << 60));  // unit 2^-60
  const Words magnitude = {0, 0, 0, y < 0 ? 0 - static_cast<std::uint64_t>(y) : static_cast<std::uint64_t>(y)};
  const Real inverse = exp_of(right(magnitude, 252 - 240), y > 0);  // unit 2^-252
  const Words around_one = times(m, right(inverse.mantissa, 256 - kQ252 - inverse.exponent));
  const bool negative = below(around_one, one_in_q252());
  const Words d = negative ? minus(one_in_q252(), around_one) : minus(around_one, one_in_q252());
  constexpr int kLeastZeros = 4 + 45;
  if (leading_zeros(d) < kLeastZeros) return std::nullopt;
  // d - d²/2 + …, or for a negative one -(d + d²/2 + …).
  Words sum{}, power = d;
  for (std::uint64_t i = 1; i <= 5; ++i, power = times(power, d)) {
    const Words term = over_small(power, i);
    sum = negative || (i & 1) != 0 ? plus(sum, term) : minus(sum, term);
  }
  if (negative) sum = negated(sum);
  sum = plus(sum, y < 0 ? negated(magnitude) : magnitude);
  const bool below_zero = is_negative(sum);
  Words value = right(below_zero ? negated(sum) : sum, kQ252 - kS240);
  if (below_zero) value = negated(value);
  const Words multiple = times_small(kLn2, static_cast<std::uint64_t>(std::abs(k)));
  value = k < 0 ? minus(value, multiple) : plus(value, multiple);
  return Logarithm{value, k == 0 ? 228 : 226};
}

// The same as a Real; nothing if it is 0 in S240.
std::optional<Real> real_of(const Logarithm& l) {
  const bool negative = is_negative(l.value);
  const Words magnitude = negative ? negated(l.value) : l.value;
  if (is_zero(magnitude)) return std::nullopt;
  return normal(magnitude, kS240, negative);
}

// Whether an argument of exp is certainly within the bounds of results, 4000 ln 10 = 9210.34…
bool within_bounds(const Real& x) { return x.exponent <= 14 && magnitude_in_s240(x)[3] < (std::uint64_t{9210} << 48); }

}  // namespace

std::optional<Real> to_real(const BigInt& num, const BigInt& den) {
  constexpr std::size_t kMost = 1024;
  const std::size_t wide = bits(num), low = bits(den);
  if (wide <= 64 && low <= 32) {  // the usual decimal: word by word
    const std::uint64_t divisor = *den.backend().limbs();
    const int zeros = __builtin_clzll(*num.backend().limbs());
    const Words shifted = {0, 0, 0, *num.backend().limbs() << zeros};  // num * 2^(192 + zeros)
    const Words quotient = over_small(shifted, divisor);
    Real r = normal(quotient, 192 + zeros, num.sign() < 0);
    // The quotient lacks up to 32 bits, those of the divisor; the remainder supplies them.
    const Words rest = minus(shifted, times_small(quotient, divisor));
    const std::uint64_t next = (rest[0] << 32) / divisor;  // its first 32 bits
    r.mantissa[0] |= next >> (32 - leading_zeros(quotient));
    return r;
  }
  const BigInt top = abs(num);
  if (wide > kMost || low > kMost) return std::nullopt;
  const int shift = 257 - static_cast<int>(wide) + static_cast<int>(low);  // the quotient has 257 or 258 bits
  Real r = shift >= 0 ? whole_real((top << static_cast<unsigned>(shift)) / den)
                      : whole_real(top / (den << static_cast<unsigned>(-shift)));
  r.exponent -= shift;
  r.negative = num.sign() < 0;
  return r;
}

std::optional<FortyDigits> fast_exp(const Real& x) {
  if (!within_bounds(x)) return std::nullopt;
  return round_to_forty(exp_of(magnitude_in_s240(x), x.negative), 224);
}

std::optional<FortyDigits> fast_ln(const Real& x) {
  const std::optional<Logarithm> l = ln_of(x);
  const std::optional<Real> r = l ? real_of(*l) : std::nullopt;
  if (!r) return std::nullopt;
  return round_to_forty(*r, l->good + r->exponent - 1);
}

std::optional<FortyDigits> fast_log10(const Real& x) {
  const std::optional<Logarithm> l = ln_of(x);
  const std::optional<Real> r = l ? real_of(*l) : std::nullopt;
  if (!r) return std::nullopt;
  return round_to_forty(product(*r, kInverseLn10), l->good + r->exponent - 2);
}

std::optional<FortyDigits> fast_pow(const Real& x, const Real& exponent) {
  const std::optional<Logarithm> l = ln_of(x);
  const std::optional<Real> r = l ? real_of(*l) : std::nullopt;
  if (!r) return std::nullopt;
  const Real y = product(*r, exponent);
  if (!within_bounds(y)) return std::nullopt;
  return round_to_forty(exp_of(magnitude_in_s240(y), y.negative), std::min(224, l->good - exponent.exponent) - 1);
}

namespace {

// 1 / k for odd k from 1 on, unit 2^-256, truncated: replaces division by multiplication.
constexpr std::size_t kInverses = 512;
const Words& inverse_of_odd(std::uint64_t k) {
  static const std::array<Words, kInverses> kTable = [] {
    std::array<Words, kInverses> t{};
    constexpr std::uint64_t kAll = ~std::uint64_t{0};
    for (std::size_t i = 0; i < kInverses; ++i) t[i] = over_small({kAll, kAll, kAll, kAll}, 2 * i + 1);
    return t;
  }();
  return kTable[(k - 1) / 2];
}

}  // namespace

std::optional<FortyDigits> fast_erf(const Real& x) {
  constexpr int kMostExponent = 4, kLeastExponent = -600, kLastBit = 235;
  if (x.exponent > kMostExponent || x.exponent < kLeastExponent) return std::nullopt;
  const Real square = product(Real{x.mantissa, x.exponent, false}, Real{x.mantissa, x.exponent, false});
  const Words exact = magnitude_in_s240(square);
  const int whole_square = static_cast<int>(exact[3] >> 48) + 1;
  if (whole_square > 110) return std::nullopt;
  // The sum is at most x e^x²: units of 2^(top - 256).
  const int top = x.exponent + whole_square * 1443 / 1000 + 2;
  Real term{x.mantissa, x.exponent, false};
  Words sum = right(term.mantissa, top - term.exponent);
  for (std::uint64_t k = 3;; k += 2) {
    const Words scaled = product(term.mantissa, square.mantissa, 256);
    if (k > 2 * kInverses - 1) return std::nullopt;
    const Words divided = product(scaled, inverse_of_odd(k), 256);
    const int zeros = leading_zeros(divided);
    term.mantissa = left(divided, zeros);
    term.exponent += square.exponent + 1 - zeros;
    if (top - term.exponent > kLastBit && k > 4 * static_cast<std::uint64_t>(whole_square)) break;
    sum = plus(sum, right(term.mantissa, top - term.exponent));
  }
  const Real series = normal(sum, 256 - top);
  Real r = product(product(series, exp_of(exact, true)), kTwoOverRootPi);
  r.negative = x.negative;
  return round_to_forty(r, 210);
}

}  // namespace assay::number_detail
