// Two decimals of at most 15 digits are never the same double, so a decimal that short which a double is nearest to is the
// one that it was made from.
#include "repl/npy/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>

namespace assay::cli {

namespace {

constexpr std::size_t kPiece =
    32;  // bytes that are copied at once: more than needed, and a copy of known size is short
constexpr std::size_t kMostDecimals = 18;
constexpr double kBeyond = 1e15;  // numbers of 15 digits are below
constexpr double kUnits[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

char* put_piece(char* out, const char* text, std::size_t size) {
  std::memcpy(out, text, kPiece);
  return out + size;
}

std::int64_t nearest_whole(double value) { return static_cast<std::int64_t>(value + (value < 0 ? -0.5 : 0.5)); }

}  // namespace

char* put_scaled(char* out, std::int64_t digits, unsigned decimals) {
  if (digits < 0) *out++ = '-';
  // .05 is 5 hundredths: zeros in front, for a digit before the point.
  char text[kMostDecimals + 2 * kPiece];
  std::fill_n(text, kMostDecimals, '0');
  char* const first = text + kMostDecimals;
  const auto magnitude = digits < 0 ? 0 - static_cast<std::uint64_t>(digits) : static_cast<std::uint64_t>(digits);
  const char* const end = std::to_chars(first, first + kPiece, magnitude).ptr;
  const char* const point = end - decimals;
  const char* const begin = std::min<const char*>(first, point - 1);
  out = put_piece(out, begin, static_cast<std::size_t>(point - begin));
  const char* last = end;
  while (last > point && last[-1] == '0') --last;
  if (last == point) return out;
  *out++ = '.';
  return put_piece(out, point, static_cast<std::size_t>(last - point));
}

char* put_short(char* out, double value, std::uint8_t& decimals) {
  constexpr std::uint8_t kMost = 6;
  std::int64_t digits = 0;
  const auto with = [&](std::uint8_t k) {
    const double scaled = value * kUnits[k];
    if (!(std::abs(scaled) < kBeyond)) return false;
    digits = nearest_whole(scaled);
    // The quotient of two doubles without error is the double nearest to it.
    return static_cast<double>(digits) / kUnits[k] == value;
  };
  if (!with(decimals)) {
    std::uint8_t k = 0;
    while (k <= kMost && !with(k)) ++k;
    if (k > kMost) return nullptr;
    decimals = k;
  }
  return put_scaled(out, digits, decimals);
}

char* put_rounded(char* out, double value, int decimals) {
  if (decimals < 0 || decimals >= static_cast<int>(std::size(kUnits))) return nullptr;
  const double scaled = value * kUnits[decimals];  // off by less than a quarter
  if (!(std::abs(scaled) < kBeyond)) return nullptr;
  return put_scaled(out, nearest_whole(scaled), static_cast<unsigned>(decimals));
}

char* put_significant(char* out, double value) {
  // 17 digits: what the double is the nearest one to differs from it by at most 12 in the last one.
  constexpr int kDigits = 12, kMore = 5;
  constexpr std::int64_t kTie = 50'000, kDoubt = 20;
  const double magnitude = std::abs(value);
  if (value == 0) {
    *out++ = '0';
    return out;
  }
  if (!(magnitude >= 1e-6 && magnitude < 1e12)) return nullptr;
  char text[kPiece];
  constexpr auto kScientific = std::chars_format::scientific;
  const char* const end = std::to_chars(text, text + kPiece, magnitude, kScientific, kDigits + kMore - 1).ptr;
  std::int64_t digits = text[0] - '0', rest = 0;
  const char* p = text + 2;  // behind the point
  for (int i = 1; i < kDigits; ++i) digits = digits * 10 + (*p++ - '0');
  for (int i = 0; i < kMore; ++i) rest = rest * 10 + (*p++ - '0');
  if (std::abs(rest - kTie) <= kDoubt) return nullptr;
  digits += rest > kTie;
  int exponent = 0;
  const bool small = p[1] == '-';
  std::from_chars(p + 2, end, exponent);
  // digits × 10^(exponent - 11)
  const int decimals = kDigits - 1 - (small ? -exponent : exponent);
  return put_scaled(out, value < 0 ? -digits : digits, static_cast<unsigned>(decimals));
}

}  // namespace assay::cli
