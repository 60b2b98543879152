// Roots, powers, logarithms, exponentials and the error function. A rational result is exact. Any other is rounded to
// 40 decimal digits: those of lang/number/fast_real.hpp if they are proved, otherwise computed with 120 digits, far
// more than any step can lose. So the 40 digits do not depend on the path. The only unit that uses floating point
// beyond double.
#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <algorithm>
#include <limits>
#include <optional>

#include "lang/number/big_division.hpp"
#include "lang/number/big_rational.hpp"
#include "lang/number/fast_real.hpp"
#include "lang/number/number.hpp"

namespace assay {

using number_detail::BigView;
using number_detail::store;

namespace {

namespace mp = boost::multiprecision;
using Float = mp::number<mp::cpp_bin_float<120>, mp::et_off>;

constexpr int kDigits = 40;
constexpr int kMaxExponent = 4000;             // results stay within 10^±4000
constexpr std::size_t kMaxExactBits = 13'288;  // 10^4000

// The leading 512 bits exceed the precision of a Float, so a long integer is read no further.
Float to_float(const BigInt& a) {
  constexpr std::size_t kKept = 512;
  const std::size_t width = number_detail::bits(a);
  if (width <= kKept) return Float(a);
  return ldexp(Float(BigInt(a >> (width - kKept))), static_cast<int>(width - kKept));
}

Float to_float(const BigView& a) { return to_float(a.num()) / to_float(a.den()); }

Number scaled_down(const BigInt& digits, int decimals, NumberPool& pool) {
  if (decimals < 0) return store(digits * number_detail::pow10(-decimals), 1, pool);
  return number_detail::store_decimal(digits, decimals, pool);
}

using number_detail::FortyDigits;
using number_detail::Real;
using number_detail::to_real;

// About two microseconds. A pool that is set to compare paths takes the slow one.
constexpr std::uint64_t kFastWork = 20;

bool taken(const std::optional<FortyDigits>& fast, Number& result, NumberPool& pool) {
  if (!fast) return false;
  pool.add_work(kFastWork);
  result = scaled_down(fast->digits, fast->decimals, pool);
  return true;
}

std::optional<Real> fast_real(const BigInt& num, const BigInt& den, const NumberPool& pool) {
  return pool.force_big() ? std::nullopt : to_real(num, den);
}

// (num / den)^exponent for num > 0.
bool fast_power(const BigInt& num, const BigInt& den, const std::optional<Real>& exponent, Number& result,
                NumberPool& pool) {
  const std::optional<Real> x = fast_real(num, den, pool);
  return x && exponent && taken(number_detail::fast_pow(*x, *exponent), result, pool);
}

// A logarithm takes some 50 microseconds. This number of steps is a compromise: a rubric may use fifty thousand of them
// for one record, and a harmful one ends within seconds.
constexpr std::uint64_t kIrrationalWork = 1000;

// `value`, rounded to 40 significant digits.
Number from_float(const Float& value, NumberPool& pool) {
  pool.add_work(kIrrationalWork);
  if (value == 0) return whole(0);
  const Float absolute = abs(value);
  int binary;
  frexp(absolute, &binary);
  const auto low = static_cast<std::int64_t>(binary) - 1;  // 2^low <= absolute
  int exponent = static_cast<int>(low * 30103 / 100000) - 1;
  int decimals = kDigits - 1 - exponent;
  Float scaled = absolute * pow(Float(10), decimals);
  for (const Float limit = pow(Float(10), kDigits); scaled >= limit; scaled /= 10) --decimals;
  BigInt digits = floor(scaled + Float(0.5)).convert_to<BigInt>();
  return scaled_down(value < 0 ? BigInt(-digits) : digits, decimals, pool);
}

Float ln_float(const BigInt& num, const BigInt& den) {
  const BigInt difference = num - den;
  if (abs(difference) * 10'000'000'000 >= den) return log(to_float(num) / to_float(den));
  // Near 1 a logarithm loses digits; 2 artanh((x - 1) / (x + 1)) does not.
  const Float t = to_float(difference) / to_float(num + den);
  const Float square = t * t;
  Float sum = 0;
  Float power = t;
  for (int k = 1; k < 16; k += 2) {
    sum += power / k;
    power *= square;
  }
  return sum * 2;
}

bool is_square(const BigInt& a, BigInt& square_root, NumberPool& pool) {
  // Squares have few endings: their last six bits exclude most numbers.
  constexpr std::uint64_t kResidues = 0x0202021202030213;
  if ((kResidues >> (*a.backend().limbs() & 63) & 1) == 0) return false;
  square_root = number_detail::root(a, 2, pool);
  return !pool.overflowed() && square_root * square_root == a;
}

// Whether a small integer may be a power, so that computing its root is worthwhile; few are. For a larger one always
// true.
bool maybe_power(const BigInt& a, const BigInt& degree) {
  if (number_detail::bits(a) > 64 || degree > 63) return true;
  const std::uint64_t wanted = *a.backend().limbs();
  const auto times = static_cast<unsigned>(degree);
  std::uint64_t low = 1, high = std::uint64_t{1} << (64 / times + 1 > 33 ? 33 : 64 / times + 1);
  while (low < high) {  // the least integer whose power is at least `a`
    const std::uint64_t middle = low + (high - low) / 2;
    std::uint64_t power = 1;
    bool above = false;
    for (unsigned i = 0; i < times && !above; ++i) above = __builtin_mul_overflow(power, middle, &power);
    if (above || power >= wanted) high = middle;
    else low = middle + 1;
  }
  std::uint64_t power = 1;
  for (unsigned i = 0; i < times; ++i) {
    if (__builtin_mul_overflow(power, low, &power)) return false;
  }
  return power == wanted;
}

Number power_of_whole(Number base, std::int64_t exponent, NumberPool& pool) {
  const bool inverse = exponent < 0;
  const std::uint64_t count = inverse ? 0 - static_cast<std::uint64_t>(exponent) : static_cast<std::uint64_t>(exponent);
  const BigView x(base);
  BigInt num = x.num();
  BigInt den = x.den();
  if (base.small()) {
    const BigInt divisor = number_detail::gcd(num, den, pool);
    num /= divisor;
    den /= divisor;
  }
  const std::size_t width = std::max(number_detail::bits(num), number_detail::bits(den));
  if (width <= 1) {  // 1 or -1
    return whole(num.sign() < 0 && (count & 1) != 0 ? -1 : 1);
  }
  if (count < kMaxExactBits && (width - 1) * count < kMaxExactBits) {
    BigInt top = mp::pow(num, static_cast<unsigned>(count));
    BigInt bottom = mp::pow(den, static_cast<unsigned>(count));
    if (number_detail::bits(top) <= kMaxExactBits && number_detail::bits(bottom) <= kMaxExactBits) {
      return inverse ? store(bottom, top, pool) : store(top, bottom, pool);
    }
  }
  const bool negative = num.sign() < 0 && (count & 1) != 0;
  if (Number fast; fast_power(abs(num), den, fast_real(BigInt(exponent), 1, pool), fast, pool))
    return negative ? neg(fast, pool) : fast;
  pool.add_work(kIrrationalWork);
  const Float logarithm = ln_float(abs(num), den) * exponent;
  if (abs(logarithm) > kMaxExponent * log(Float(10))) return kMissing;
  const Float result = mp::exp(logarithm);
  return from_float(negative ? Float(-result) : result, pool);
}

}  // namespace

Number sqrt(Number a, NumberPool& pool) {
  if (a.missing() || sign(a) < 0) return kMissing;
  if (a.small()) number_detail::reduce(a.num, a.den);
  const BigView x(a);
  if (x.num() == 0) return whole(0);
  BigInt top;
  BigInt bottom;
  if (is_square(x.num(), top, pool) && is_square(x.den(), bottom, pool)) return store(top, bottom, pool);
  // Twice the root of x * 10^(2 * decimals), rounded down, decides the rounding: an irrational root has no ties.
  const int exponent = number_detail::decimal_exponent(x.num(), x.den());
  const int half = exponent >= 0 ? exponent / 2 : -((1 - exponent) / 2);
  const int decimals = kDigits - 1 - half;
  const BigInt radicand = number_detail::scale_big(x.num() * 4, x.den(), 2 * decimals, Rounding::floor);
  const BigInt digits = (number_detail::root(radicand, 2, pool) + 1) / 2;
  return scaled_down(digits, decimals, pool);
}

Number pow(Number base, Number exponent, NumberPool& pool) {
  if (base.missing() || exponent.missing()) return kMissing;
  if (sign(exponent) == 0) return whole(1);
  if (sign(base) == 0) return sign(exponent) < 0 ? kMissing : whole(0);
  std::int64_t count;
  if (to_int64(exponent, count) && count != INT64_MIN) {
    if (count == 1) return base;
    if (count == 2) return mul(base, base, pool);
    return power_of_whole(base, count, pool);
  }
  if (exponent.small()) number_detail::reduce(exponent.num, exponent.den);
  if (base.small()) number_detail::reduce(base.num, base.den);
  const BigView x(base);
  const BigView e(exponent);
  if (e.den() == 1) {  // an integer power beyond 64 bits: only ±1 stays within the limits
    if (abs(x.num()) != x.den()) return kMissing;
    return whole(x.num().sign() < 0 && bit_test(BigInt(abs(e.num())), 0) ? -1 : 1);
  }
  if (x.num().sign() < 0) return kMissing;
  if (x.num() == x.den()) return whole(1);
  // Rational only if the base is a power of a rational number, by the exponent's denominator.
  const std::size_t width = std::max(number_detail::bits(x.num()), number_detail::bits(x.den()));
  if (e.den() <= width && maybe_power(x.num(), e.den()) && maybe_power(x.den(), e.den())) {
    const auto degree = static_cast<unsigned>(e.den());
    const BigInt top = number_detail::root(x.num(), degree, pool);
    if (pool.overflowed()) return kMissing;
    if (mp::pow(top, degree) == x.num()) {
      const BigInt bottom = number_detail::root(x.den(), degree, pool);
      if (pool.overflowed()) return kMissing;
      if (mp::pow(bottom, degree) == x.den()) return pow(store(top, bottom, pool), store(e.num(), 1, pool), pool);
    }
  }
  if (Number fast; fast_power(x.num(), x.den(), fast_real(e.num(), e.den(), pool), fast, pool)) return fast;
  pool.add_work(kIrrationalWork);  // a logarithm, then an exponential
  const Float logarithm = ln_float(x.num(), x.den()) * to_float(e);
  if (abs(logarithm) > kMaxExponent * log(Float(10))) return kMissing;
  return from_float(mp::exp(logarithm), pool);
}

Number ln(Number a, NumberPool& pool) {
  if (a.missing() || sign(a) <= 0) return kMissing;
  const BigView x(a);
  if (x.num() == x.den()) return whole(0);
  if (const std::optional<Real> r = fast_real(x.num(), x.den(), pool)) {
    if (Number fast; taken(number_detail::fast_ln(*r), fast, pool)) return fast;
  }
  return from_float(ln_float(x.num(), x.den()), pool);
}

Number log10(Number a, NumberPool& pool) {
  if (a.missing() || sign(a) <= 0) return kMissing;
  const BigView x(a);
  const int exponent = number_detail::decimal_exponent(x.num(), x.den());
  const bool exact = exponent >= 0 ? x.num() == x.den() * number_detail::pow10(exponent)
                                   : x.num() * number_detail::pow10(-exponent) == x.den();
  if (exact) return whole(exponent);
  if (const std::optional<Real> r = fast_real(x.num(), x.den(), pool)) {
    if (Number fast; taken(number_detail::fast_log10(*r), fast, pool)) return fast;
  }
  return from_float(ln_float(x.num(), x.den()) / log(Float(10)), pool);
}

Number exp(Number a, NumberPool& pool) {
  if (a.missing()) return kMissing;
  if (sign(a) == 0) return whole(1);
  const BigView view(a);
  if (const std::optional<Real> r = fast_real(view.num(), view.den(), pool)) {
    if (Number fast; taken(number_detail::fast_exp(*r), fast, pool)) return fast;
  }
  const Float x = to_float(view);
  const Float limit = kMaxExponent * log(Float(10));
  if (x > limit) return kMissing;
  if (x < -limit) return whole(0);
  return from_float(mp::exp(x), pool);
}

Number erf(Number a, NumberPool& pool) {
  if (a.missing()) return kMissing;
  if (sign(a) == 0) return whole(0);
  if (compare(a, whole(10)) > 0) return whole(1);  // 1 - erf(10) < 10^-44
  if (compare(a, whole(-10)) < 0) return whole(-1);
  // 2 / sqrt(pi) * exp(-x²) * (x + 2x³/3 + 4x⁵/(3·5) + …): all terms have one sign, so nothing cancels.
  const BigView view(a);
  if (const std::optional<Real> r = fast_real(view.num(), view.den(), pool)) {
    if (Number fast; taken(number_detail::fast_erf(*r), fast, pool)) return fast;
  }
  const Float x = to_float(view);
  const Float square = x * x * 2;
  Float term = x;
  Float sum = x;
  for (int k = 3; abs(term) > abs(sum) * std::numeric_limits<Float>::epsilon(); k += 2) {
    term *= square / k;
    sum += term;
  }
  return from_float(sum * 2 * mp::exp(-x * x) / mp::sqrt(boost::math::constants::pi<Float>()), pool);
}

}  // namespace assay
