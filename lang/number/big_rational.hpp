// The big form of a number, and integer functions shared by the number units. Private to those units: the only place
// that includes Boost.Multiprecision's integers. A BigRational is in lowest terms with a positive denominator.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "lang/number/number.hpp"
#include "lang/number/powers_of_ten.hpp"

namespace assay {

// 256 bits are stored inline, so that the usual overflow (a 40-digit root) allocates no memory.
using BigInt =
    boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
                                      256, 0, boost::multiprecision::signed_magnitude, boost::multiprecision::unchecked,
                                      std::allocator<boost::multiprecision::limb_type>>,
                                  boost::multiprecision::et_off>;
static_assert(sizeof(boost::multiprecision::limb_type) == 8);

struct BigRational {
  BigInt num;
  BigInt den;
};

namespace number_detail {

inline constexpr std::size_t kMaxBits = 200'000;
inline constexpr int kMaxDecimals = 4000;  // of a rounding

// Numerator and denominator of a number (not missing) as big integers, without a copy if they already are.
class BigView {
 public:
  explicit BigView(Number a);
  BigView(const BigView&) = delete;
  BigView& operator=(const BigView&) = delete;
  const BigInt& num() const { return *num_; }
  const BigInt& den() const { return *den_; }

 private:
  BigInt own_num_;
  BigInt own_den_;
  const BigInt* num_;
  const BigInt* den_;
};

// num / den as a number: reduced, small if it fits, in the pool otherwise; den is not 0 and may be negative.
Number store(BigInt num, BigInt den, NumberPool& pool);
// num / 10^decimals, decimals >= 0: reducing is cheap because the denominator is known.
Number store_decimal(BigInt num, int decimals, NumberPool& pool);
Number store_wide(Wide num, Wide den, NumberPool& pool);  // the same; den > 0, both below 2^127

std::size_t bits(const BigInt& a);                           // of the magnitude; 0 for 0
BigInt pow10(int exponent);                                  // exponent >= 0
int decimal_exponent(const BigInt& num, const BigInt& den);  // floor(log10 |num / den|); num not 0
std::uint64_t gcd(std::uint64_t a, std::uint64_t b);
void reduce(std::int64_t& num, std::int64_t& den);

// a * 10^decimals, rounded to an integer. The small version returns false if 64 bits are not enough.
bool scale_small(Number a, int decimals, Rounding mode, std::int64_t& result);
BigInt scale_big(const BigInt& num, const BigInt& den, int decimals, Rounding mode);

// The largest integer whose power is at most `a` >= 0; power >= 1. Charges its work to the pool; if the pool has
// overflowed, the result is meaningless.
BigInt root(const BigInt& a, unsigned power, NumberPool& pool);

}  // namespace number_detail
}  // namespace assay
