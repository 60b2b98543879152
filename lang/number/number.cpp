// Exact arithmetic and rounding. Each operation has three steps: 64 bits, if the denominators allow it; 128 bits,
// reduced by the greatest common divisor if the plain cross product does not fit; big integers. A result whose lowest
// terms fit is always small again, so one overflow does not slow down later operations.
#include "lang/number/number.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lang/number/big_division.hpp"
#include "lang/number/big_rational.hpp"
#include "lang/text/budget.hpp"

#include <assay/interrupt.hpp>

namespace assay {

using number_detail::BigView;
using number_detail::store;
using number_detail::store_wide;

// ---- the pool

NumberPool::NumberPool() = default;
NumberPool::~NumberPool() = default;

NumberPool::NumberPool(NumberPool&& other) noexcept { *this = std::move(other); }

NumberPool& NumberPool::operator=(NumberPool&& other) noexcept {
  slots_ = std::move(other.slots_);
  used_ = std::exchange(other.used_, 0);
  total_ = std::exchange(other.total_, 0);
  work_ = std::exchange(other.work_, 0);
  work_allowed_ = std::exchange(other.work_allowed_, UINT64_MAX);
  bytes_ = std::exchange(other.bytes_, 0);
  bytes_allowed_ = std::exchange(other.bytes_allowed_, SIZE_MAX);
  end_ = std::exchange(other.end_, End::none);
  interrupt_ = other.interrupt_;
  force_big_ = other.force_big_;
  other.slots_.clear();
  return *this;
}

void NumberPool::clear() {
  used_ = 0;
  work_ = 0;
  work_allowed_ = UINT64_MAX;
  bytes_ = 0;
  bytes_allowed_ = SIZE_MAX;
  end_ = End::none;
}

void NumberPool::look() {
  if (interrupt_->state() != Interrupt::State::none) end_ = End::interrupted;
}

void NumberPool::charge(std::uint64_t steps) {
  constexpr std::uint64_t kStepsOfWork = 8;  // a step of a compilation takes some 10 ns
  budget_->step(kStepsOfWork * steps);
}

BigRational& NumberPool::next() {
  if (used_ == slots_.size()) slots_.push_back(std::make_unique<BigRational>());
  ++total_;
  return *slots_[used_++];
}

namespace number_detail {

static_assert(sizeof(void*) <= sizeof(std::int64_t));

// NOLINTNEXTLINE(performance-no-int-to-ptr): a number that is too big for two words holds the address of its parts
const BigRational& big_of(Number a) { return *reinterpret_cast<const BigRational*>(static_cast<std::intptr_t>(a.num)); }

Number number_of(const BigRational& big) {
  return {static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&big)), -1};
}

BigView::BigView(Number a) {
  if (a.small()) {
    own_num_ = a.num;
    own_den_ = a.den;
    num_ = &own_num_;
    den_ = &own_den_;
  } else {
    num_ = &big_of(a).num;
    den_ = &big_of(a).den;
  }
}

}  // namespace number_detail

void append_bits(Number n, std::string& out) {
  const BigRational& big = number_detail::big_of(n);
  for (const BigInt* part : {&big.num, &big.den}) {
    const auto& bits = part->backend();
    out += bits.sign() ? '-' : '+';
    out += std::to_string(bits.size()) + ':';
    out.append(reinterpret_cast<const char*>(bits.limbs()), bits.size() * sizeof(*bits.limbs()));
  }
}

namespace number_detail {

// ---- integers

std::uint64_t gcd(std::uint64_t a, std::uint64_t b) {
  if (a == 0) return b;
  if (b == 0) return a;
  const int shift = __builtin_ctzll(a | b);
  a >>= __builtin_ctzll(a);
  while (b != 0) {
    b >>= __builtin_ctzll(b);
    if (a > b) std::swap(a, b);
    b -= a;
  }
  return a << shift;
}

namespace {

std::uint64_t magnitude(std::int64_t a) {
  return a < 0 ? 0 - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a);
}

__extension__ typedef unsigned __int128 UnsignedWide;

bool fits(Wide a) { return a <= INT64_MAX && a >= -INT64_MAX; }

UnsignedWide gcd_wide(UnsignedWide a, UnsignedWide b) {
  // Euclid until both fit 64 bits; 128-bit divisions are slow, but this only happens after an overflow.
  while ((a >> 64) != 0 || (b >> 64) != 0) {
    if (a < b) std::swap(a, b);
    if (b == 0) return a;
    a %= b;
  }
  return gcd(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
}

bool fits(const BigInt& a) {
  return a.backend().size() == 1 && *a.backend().limbs() <= static_cast<std::uint64_t>(INT64_MAX);
}

std::int64_t to_small(const BigInt& a) {
  const std::int64_t n = static_cast<std::int64_t>(*a.backend().limbs());
  return a.backend().sign() ? -n : n;
}

struct Quotient {
  std::uint64_t value;
  std::uint64_t rest;
};

// Processors divide 32 bits several times faster than 64, and most numbers of a rubric are that small.
Quotient divide(std::uint64_t n, std::uint64_t d) {
  if (((n | d) >> 32) == 0) {
    const auto narrow_n = static_cast<std::uint32_t>(n);
    const auto narrow_d = static_cast<std::uint32_t>(d);
    return {narrow_n / narrow_d, narrow_n % narrow_d};
  }
  return {n / d, n % d};
}

// n / d as an integer; d > 0.
std::int64_t divide_rounded(std::int64_t n, std::int64_t d, Rounding mode) {
  const auto [value, rest] = divide(magnitude(n), static_cast<std::uint64_t>(d));
  const auto q = n < 0 ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  if (rest == 0) return q;
  const std::int64_t away = n < 0 ? -1 : 1;
  const std::uint64_t other = static_cast<std::uint64_t>(d) - rest;
  switch (mode) {
    case Rounding::half_away: return rest >= other ? q + away : q;
    case Rounding::half_even: return rest > other || (rest == other && (q & 1) != 0) ? q + away : q;
    case Rounding::floor: return away < 0 ? q - 1 : q;
    case Rounding::ceil: return away > 0 ? q + 1 : q;
    case Rounding::trunc: break;
  }
  return q;
}

BigInt divide_rounded(const BigInt& n, const BigInt& d, Rounding mode) {
  BigInt q, r;
  divide_big(n, d, q, r);
  if (r == 0) return q;
  const int away = n.sign() < 0 ? -1 : 1;
  const int half = BigInt(abs(r) * 2).compare(d);
  switch (mode) {
    case Rounding::half_away: return half >= 0 ? BigInt(q + away) : q;
    case Rounding::half_even: return half > 0 || (half == 0 && bit_test(BigInt(abs(q)), 0)) ? BigInt(q + away) : q;
    case Rounding::floor: return away < 0 ? BigInt(q - 1) : q;
    case Rounding::ceil: return away > 0 ? BigInt(q + 1) : q;
    case Rounding::trunc: break;
  }
  return q;
}

}  // namespace

void reduce(std::int64_t& num, std::int64_t& den) {
  const auto g = static_cast<std::int64_t>(gcd(magnitude(num), static_cast<std::uint64_t>(den)));
  num /= g;
  den /= g;
}

std::size_t bits(const BigInt& a) {
  const std::size_t size = a.backend().size();
  const std::uint64_t top = a.backend().limbs()[size - 1];
  return top == 0 ? 0 : size * 64 - static_cast<std::size_t>(__builtin_clzll(top));
}

BigInt pow10(int exponent) {
  if (exponent <= kMostPowerOfTen) return kPowersOfTen[exponent];
  return boost::multiprecision::pow(BigInt(10), static_cast<unsigned>(exponent));
}

int decimal_exponent(const BigInt& num, const BigInt& den) {
  const auto n = static_cast<std::int64_t>(bits(num));
  const auto d = static_cast<std::int64_t>(bits(den));
  const std::int64_t low = n - d - 1;                         // 2^low < |num / den|
  int exponent = static_cast<int>(low * 30103 / 100000) - 1;  // never above the result, for numbers that a pool keeps
  const BigInt absolute = abs(num);
  BigInt left = absolute;
  BigInt right = den;
  (exponent >= 0 ? right : left) *= pow10(exponent >= 0 ? exponent : -exponent);
  for (right *= 10; left >= right; right *= 10) ++exponent;
  return exponent;
}

namespace {

// An estimate slightly above the root of `a`, so that Newton's iteration doubles the correct digits from the first step
// on.
BigInt above_root(const BigInt& a, unsigned power) {
  const std::size_t width = bits(a);
  const std::size_t drop = width > 64 ? width - 64 : 0;
  const double top = static_cast<double>(static_cast<std::uint64_t>(BigInt(a >> drop)));
  const double exponent = (std::log2(top) + static_cast<double>(drop)) / power;  // of two
  constexpr int kKept = 50;
  const int shift = std::max(0, static_cast<int>(exponent) - kKept);
  BigInt guess = static_cast<std::uint64_t>(std::exp2(exponent - shift) * (1 + 1e-9)) + 2;
  return guess << static_cast<unsigned>(shift);
}

}  // namespace

BigInt root(const BigInt& a, unsigned power, NumberPool& pool) {
  if (a < 2 || power == 1) return a;
  const std::size_t width = bits(a);
  if (width <= power) return 1;
  // Newton's iteration descends from any guess that is not below the root.
  BigInt guess = above_root(a, power);
  const std::uint64_t size = a.backend().size();
  for (;;) {
    pool.add_work(size * size / 64);
    if (pool.overflowed()) return guess;
    BigInt better = (guess * (power - 1) + a / boost::multiprecision::pow(guess, power - 1)) / power;
    if (better >= guess) return guess;
    guess = std::move(better);
  }
}

// ---- results

namespace {

constexpr std::size_t kWordsInPlace = 4;  // for a BigInt

Number keep(const BigInt& num, const BigInt& den, NumberPool& pool) {
  std::size_t bytes = sizeof(BigRational);
  for (const BigInt* part : {&num, &den}) {
    if (part->backend().size() > kWordsInPlace)
      bytes += part->backend().size() * sizeof(boost::multiprecision::limb_type);
  }
  pool.add_bytes(bytes);
  BigRational& slot = pool.next();
  slot.num = num;
  slot.den = den;
  return number_of(slot);
}

// In lowest terms: small if it fits, missing if it is too large.
Number reduced(const BigInt& num, const BigInt& den, NumberPool& pool) {
  if (fits(num) && fits(den) && !pool.force_big()) return {to_small(num), to_small(den)};
  if (bits(num) <= kMaxBits && bits(den) <= kMaxBits) return keep(num, den, pool);
  pool.set_overflowed();
  return kMissing;
}

}  // namespace

Number store(BigInt num, BigInt den, NumberPool& pool) {
  if (pool.end() > NumberPool::End::number) return kMissing;  // the allowed work or memory is used up
  if (den.sign() < 0) {
    num = -num;
    den = -den;
  }
  const std::size_t size = num.backend().size() + den.backend().size();
  pool.add_work(1 + size * size / 8);
  if (size > 4 * (kMaxBits / 64)) {  // reducing could not make it fit, or would take too long
    pool.set_overflowed();
    return kMissing;
  }
  if (den != 1) {
    const BigInt divisor = gcd(num, den, pool);
    if (divisor != 1) {
      BigInt quotient, rest;
      for (BigInt* part : {&num, &den}) {
        divide_big(*part, divisor, quotient, rest, &pool);
        part->swap(quotient);
      }
    }
    if (pool.end() > NumberPool::End::number) return kMissing;
  }
  return reduced(num, den, pool);
}

Number store_decimal(BigInt num, int decimals, NumberPool& pool) {
  if (pool.end() > NumberPool::End::number) return kMissing;
  const std::size_t size = num.backend().size() + static_cast<std::size_t>(decimals) / 19;
  pool.add_work(1 + size * size / 256);
  if (num == 0) decimals = 0;
  auto twos = static_cast<unsigned>(decimals), fives = twos;
  const unsigned even = decimals == 0 ? 0 : std::min(twos, static_cast<unsigned>(lsb(BigInt(abs(num)))));
  num >>= even;
  twos -= even;
  constexpr std::uint64_t kFives = 7'450'580'596'923'828'125u;  // 5^27
  BigInt quotient, rest;
  for (const auto& [divisor, count] : {std::pair(kFives, 27u), std::pair(std::uint64_t{5}, 1u)}) {
    const BigInt by(divisor);
    for (; fives >= count; fives -= count) {
      divide_qr(num, by, quotient, rest);
      if (rest != 0) break;
      num.swap(quotient);
    }
  }
  BigInt den = boost::multiprecision::pow(BigInt(5), fives);
  den <<= twos;
  return reduced(num, den, pool);
}

Number store_wide(Wide num, Wide den, NumberPool& pool) {
  if (!pool.force_big()) {
    if (fits(num) && fits(den)) return {static_cast<std::int64_t>(num), static_cast<std::int64_t>(den)};
    const auto absolute = num < 0 ? -static_cast<UnsignedWide>(num) : static_cast<UnsignedWide>(num);
    const auto divisor = static_cast<Wide>(gcd_wide(absolute, static_cast<UnsignedWide>(den)));
    num /= divisor;
    den /= divisor;
    if (fits(num) && fits(den)) return {static_cast<std::int64_t>(num), static_cast<std::int64_t>(den)};
  }
  return store(BigInt(num), BigInt(den), pool);
}

// ---- scaling to whole numbers

bool scale_small(Number a, int decimals, Rounding mode, std::int64_t& result) {
  if (decimals > kMostPowerOfTen || decimals < -kMostPowerOfTen) return false;
  if (decimals < 0) {
    std::int64_t den;
    if (__builtin_mul_overflow(a.den, kPowersOfTen[-decimals], &den)) return false;
    result = divide_rounded(a.num, den, mode);
    return true;
  }
  const std::int64_t power = kPowersOfTen[decimals];
  if (a.den == power) {
    result = a.num;
    return true;
  }
  std::int64_t num;
  if (!__builtin_mul_overflow(a.num, power, &num) && num != INT64_MIN) {
    result = divide_rounded(num, a.den, mode);
    return true;
  }
  if (a.den % power == 0) {
    result = divide_rounded(a.num, a.den / power, mode);
    return true;
  }
  return false;
}

BigInt scale_big(const BigInt& num, const BigInt& den, int decimals, Rounding mode) {
  if (decimals >= 0) return divide_rounded(BigInt(num * pow10(decimals)), den, mode);
  return divide_rounded(num, BigInt(den * pow10(-decimals)), mode);
}

namespace {

// large / little if that is an integer, otherwise 0.
std::int64_t whole_factor(std::int64_t large, std::int64_t little) {
  const Quotient quotient = divide(static_cast<std::uint64_t>(large), static_cast<std::uint64_t>(little));
  return quotient.rest == 0 ? static_cast<std::int64_t>(quotient.value) : 0;
}

enum class Sum : bool { plus, minus };

Number add_or_sub(Number a, Number b, Sum sum, NumberPool& pool) {
  if (a.missing() || b.missing()) return kMissing;
  if (a.small() && b.small() && !pool.force_big()) {
    const std::int64_t right = sum == Sum::minus ? -b.num : b.num;
    if (a.den == b.den) return store_wide(static_cast<Wide>(a.num) + right, a.den, pool);
    // One denominator is often a multiple of the other: 8.25 + 1, 0.5 + 0.125.
    const bool scale_right = a.den > b.den;
    const std::int64_t large = scale_right ? a.den : b.den;
    const std::int64_t little = scale_right ? b.den : a.den;
    const std::int64_t factor = little == 1 ? large : whole_factor(large, little);
    if (factor != 0) {
      const std::int64_t kept = scale_right ? a.num : right;
      const std::int64_t scaled = scale_right ? right : a.num;
      std::int64_t num;
      if (!__builtin_mul_overflow(scaled, factor, &num) && !__builtin_add_overflow(num, kept, &num) &&
          num != INT64_MIN) {
        return {num, large};
      }
      return store_wide(static_cast<Wide>(scaled) * factor + kept, large, pool);
    }
    return store_wide(static_cast<Wide>(a.num) * b.den + static_cast<Wide>(right) * a.den,
                      static_cast<Wide>(a.den) * b.den, pool);
  }
  const BigView x(a);
  const BigView y(b);
  if (x.den() == y.den()) {
    return store(sum == Sum::plus ? BigInt(x.num() + y.num()) : BigInt(x.num() - y.num()), x.den(), pool);
  }
  BigInt left = x.num() * y.den();
  const BigInt right = y.num() * x.den();
  if (sum == Sum::plus) {
    left += right;
  } else {
    left -= right;
  }
  return store(std::move(left), x.den() * y.den(), pool);
}

}  // namespace
}  // namespace number_detail

// ---- arithmetic

namespace number_slow {

using number_detail::Sum;

Number add(Number a, Number b, NumberPool& pool) { return number_detail::add_or_sub(a, b, Sum::plus, pool); }
Number sub(Number a, Number b, NumberPool& pool) { return number_detail::add_or_sub(a, b, Sum::minus, pool); }

Number mul(Number a, Number b, NumberPool& pool) {
  if (a.missing() || b.missing()) return kMissing;
  if (a.small() && b.small()) {
    return store_wide(static_cast<Wide>(a.num) * b.num, static_cast<Wide>(a.den) * b.den, pool);
  }
  const BigView x(a);
  const BigView y(b);
  return store(x.num() * y.num(), x.den() * y.den(), pool);
}

Number neg(Number a, NumberPool& pool) {
  if (a.missing()) return kMissing;
  const BigView x(a);
  return store(-x.num(), x.den(), pool);
}

int compare(Number a, Number b) {
  const BigView x(a);
  const BigView y(b);
  if (x.num().sign() != y.num().sign()) return x.num().sign() < y.num().sign() ? -1 : 1;
  const int order =
      x.den() == y.den() ? x.num().compare(y.num()) : BigInt(x.num() * y.den()).compare(BigInt(y.num() * x.den()));
  return (order > 0) - (order < 0);
}

int sign(Number a) { return a.missing() ? 0 : number_detail::big_of(a).num.sign(); }

}  // namespace number_slow

Number div(Number a, Number b, NumberPool& pool) {
  if (a.missing() || b.missing() || sign(b) == 0) return kMissing;
  if (a.small() && b.small()) {
    Wide num = a.num;
    Wide den = b.num;
    if (a.den != b.den) {
      num *= b.den;
      den *= a.den;
    }
    return den < 0 ? store_wide(-num, -den, pool) : store_wide(num, den, pool);
  }
  const BigView x(a);
  const BigView y(b);
  return store(x.num() * y.den(), x.den() * y.num(), pool);
}

Number abs(Number a, NumberPool& pool) {
  if (a.missing()) return kMissing;
  return sign(a) < 0 ? neg(a, pool) : a;
}

Number mod(Number a, Number b, NumberPool& pool) {
  if (a.missing() || b.missing() || sign(b) == 0) return kMissing;
  if (a.small() && b.small() && a.den == b.den && !pool.force_big()) {
    const std::int64_t rest = a.num % b.num;
    return {rest != 0 && (rest < 0) != (b.num < 0) ? rest + b.num : rest, a.den};
  }
  return sub(a, mul(b, round_to(div(a, b, pool), 0, Rounding::floor, pool), pool), pool);
}

bool is_whole(Number a) {
  if (a.small()) return a.den == 1 || a.num % a.den == 0;
  return !a.missing() && number_detail::big_of(a).den == 1;
}

std::size_t words(Number a) {
  if (a.small() || a.missing()) return 0;
  const BigRational& big = number_detail::big_of(a);
  return big.num.backend().size() + big.den.backend().size();
}

Number min(Number a, Number b) {
  if (a.missing() || b.missing()) return kMissing;
  return compare(b, a) < 0 ? b : a;
}

Number max(Number a, Number b) {
  if (a.missing() || b.missing()) return kMissing;
  return compare(b, a) > 0 ? b : a;
}

Number round_to(Number a, int decimals, Rounding mode, NumberPool& pool) {
  using namespace number_detail;
  if (a.missing()) return kMissing;
  if (decimals > kMaxDecimals) decimals = kMaxDecimals;
  if (decimals < -kMaxDecimals) decimals = -kMaxDecimals;
  std::int64_t rounded;
  if (a.small() && !pool.force_big() && scale_small(a, decimals, mode, rounded)) {
    if (decimals >= 0) return {rounded, kPowersOfTen[decimals]};
    return store_wide(static_cast<Wide>(rounded) * kPowersOfTen[-decimals], 1, pool);
  }
  const BigView x(a);
  BigInt scaled = scale_big(x.num(), x.den(), decimals, mode);
  if (decimals >= 0) return store(std::move(scaled), pow10(decimals), pool);
  return store(scaled * pow10(-decimals), 1, pool);
}

Number adopt(Number a, NumberPool& pool) {
  if (a.missing() || a.small()) return a;
  const BigRational& big = number_detail::big_of(a);
  return number_detail::keep(big.num, big.den, pool);
}

}  // namespace assay
