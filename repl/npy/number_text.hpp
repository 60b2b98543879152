// Doubles as the decimals that they stand for. Each function writes at most kMostNumberText bytes (and may write over
// all of them), returns the end, or null when it is not for that number.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::cli {

inline constexpr std::size_t kMostNumberText = 64;

// digits / 10^decimals, of 0 to 18 decimals; zeros at the end of a fraction are left out.
char* put_scaled(char* out, std::int64_t digits, unsigned decimals);

// A number of at most six decimals, as most are, and 15 digits: then its text is the shortest that reads back as it.
// `decimals`: as many are tried first, and how many it had.
char* put_short(char* out, double value, std::uint8_t& decimals);

// A number that a rule has rounded to so many decimals: the double is the one nearest to it. Null beyond 15 digits.
char* put_rounded(char* out, double value, int decimals);

// The 12 significant digits of the number that the double is the nearest one to. Null where the double does not decide
// them, and for numbers below 10^-6 or from 10^12 on.
char* put_significant(char* out, double value);

}  // namespace assay::cli
