// Division and common divisors of big integers, and their digits. Boost's take seconds for the largest numbers that a pool
// keeps, and cannot be interrupted. Private to the number units.
#pragma once

#include "lang/number/big_rational.hpp"

#include <string>

namespace assay::number_detail {

// a = quotient * b + rest, rounded towards zero, so the rest has the sign of a; b is not 0. Looks at the interrupt of
// the pool, if one is given; if that has ended, the results are meaningless.
void divide_big(const BigInt& a, const BigInt& b, BigInt& quotient, BigInt& rest, NumberPool* pool = nullptr);

// The greatest common divisor, positive, or 0 if both are 0: Lehmer's algorithm (Knuth, The Art of Computer Programming,
// volume 2, 4.5.2 L) with 128-bit leading parts. Looks and ends as divide_big() does.
BigInt gcd(const BigInt& a, const BigInt& b, NumberPool& pool);

std::string digits_of(const BigInt& a);  // decimal; with a sign if negative

}  // namespace assay::number_detail
