// Decimals → text: n / 10^decimals in digits, as in verdicts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace assay {

// The largest size that put_decimal writes; it may overwrite all of that.
inline constexpr std::size_t kMostDecimalText = 24;

namespace number_detail {

// For numbers of any size.
char* put_long_decimal(std::uint64_t magnitude, int decimals, bool keep_zeros, char* out);

// The digits of a number below 10^4 or 10^8, the first in the lowest byte: groups of 4, 2 and 1 digits are split in
// parallel, with multiplications in place of divisions.
inline std::uint32_t four_digits(std::uint32_t n) {
  const std::uint32_t hundreds = (n * 5'243) >> 19, x = hundreds | (n - hundreds * 100) << 16;
  const std::uint32_t tens = ((x * 103) >> 10) & 0x000f000f;
  return tens | (x - tens * 10) << 8;
}
inline std::uint64_t eight_digits(std::uint32_t n) {
  std::uint64_t x = n / 10'000 | std::uint64_t{n % 10'000} << 32;
  const std::uint64_t hundreds = ((x * 10'486) >> 20) & 0x7f0000007f;
  x = hundreds | (x - hundreds * 100) << 16;
  const std::uint64_t tens = ((x * 103) >> 10) & 0x000f000f000f000f;
  return tens | (x - tens * 10) << 8;
}

// Four or eight digits as text, for fewer decimals than that.
template <class Word>
char* put_digits(Word digits, int decimals, bool keep_zeros, char* out) {
  constexpr int kDigits = sizeof(Word);
  const Word text = digits | static_cast<Word>(0x3030303030303030);
  const int size = std::max(decimals + 1, kDigits - std::countr_zero(digits | Word{1} << (8 * kDigits - 1)) / 8);
  const int kept = keep_zeros ? decimals : decimals - std::min(decimals, std::countl_zero(digits | 1) / 8);
  const Word all = text >> 8 * (kDigits - size);
  std::memcpy(out, &all, sizeof all);
  out += size - decimals;
  if (kept == 0) return out;
  *out = '.';
  const Word fraction = text >> 8 * (kDigits - decimals);
  std::memcpy(out + 1, &fraction, sizeof fraction);
  return out + 1 + kept;
}

}  // namespace number_detail

// Writes n / 10^decimals, for 0 to 18 decimals, and returns the end. Omits trailing zeros of a fraction unless
// `keep_zeros`.
inline char* put_decimal(std::int64_t n, int decimals, bool keep_zeros, char* out) {
  if (n < 0) *out++ = '-';
  const std::uint64_t magnitude = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  if (std::endian::native != std::endian::little || magnitude >= 100'000'000 || decimals > 7)
    return number_detail::put_long_decimal(magnitude, decimals, keep_zeros, out);
  const auto small = static_cast<std::uint32_t>(magnitude);
  if (small < 10'000 && decimals < 4)
    return number_detail::put_digits(number_detail::four_digits(small), decimals, keep_zeros, out);
  return number_detail::put_digits(number_detail::eight_digits(small), decimals, keep_zeros, out);
}

}  // namespace assay
