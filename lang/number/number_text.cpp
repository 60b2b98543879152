// Numbers from and to text. The usual numbers (few digits, few decimals) are read and written in 64 bits without
// allocation; all others take the same steps with big integers. std::from_chars is not used, because the result must be
// the decimal as written, not a double.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "lang/number/big_division.hpp"
#include "lang/number/big_rational.hpp"
#include "lang/number/number.hpp"
#include "lang/text/ascii.hpp"

namespace assay {

using number_detail::BigView;

namespace {

constexpr int kMaxTextExponent = 400;
constexpr int kMaxShortestDecimals = 30;
constexpr int kMaxExactDecimals = 400;
constexpr int kRoundedDigits = 12;

// ---- writing

// Writes the digits of a magnitude, scaled by 10^-decimals: "850" and 2 are 8.50 or 8.5, "12" and -2 are 1200.
void write_digits(bool negative, std::string_view digits, int decimals, bool keep_zeros, std::string& out) {
  const bool zero = digits == "0";
  if (negative && !zero) out += '-';
  if (decimals <= 0) {
    out += digits;
    if (!zero) out.append(static_cast<std::size_t>(-decimals), '0');
    return;
  }
  const auto places = static_cast<std::size_t>(decimals);
  if (digits.size() > places) {
    out += digits.substr(0, digits.size() - places);
    out += '.';
    out += digits.substr(digits.size() - places);
  } else {
    out += "0.";
    out.append(places - digits.size(), '0');
    out += digits;
  }
  if (keep_zeros) return;
  std::size_t end = out.size();
  while (out[end - 1] == '0') --end;
  if (out[end - 1] == '.') --end;
  out.resize(end);
}

void write_scaled(std::int64_t scaled, int decimals, bool keep_zeros, std::string& out) {
  if (decimals >= 0 && decimals <= kMostPowerOfTen) {
    char text[kMostDecimalText];
    out.append(text, static_cast<std::size_t>(put_decimal(scaled, decimals, keep_zeros, text) - text));
    return;
  }
  char digits[24];
  const auto magnitude = scaled < 0 ? 0 - static_cast<std::uint64_t>(scaled) : static_cast<std::uint64_t>(scaled);
  const char* end = std::to_chars(digits, digits + sizeof digits, magnitude).ptr;
  write_digits(scaled < 0, {digits, static_cast<std::size_t>(end - digits)}, decimals, keep_zeros, out);
}

void write_scaled(const BigInt& scaled, int decimals, bool keep_zeros, std::string& out) {
  write_digits(scaled.sign() < 0, number_detail::digits_of(BigInt(abs(scaled))), decimals, keep_zeros, out);
}

bool needs_exponent(const BigInt& num, const BigInt& den) { return abs(num) >= den * number_detail::pow10(21); }

// scaled / 10^decimals, which is not 0, as 1.5e21: all digits but the zeros at the end.
void write_with_exponent(const BigInt& scaled, int decimals, std::string& out) {
  const std::string digits = number_detail::digits_of(BigInt(abs(scaled)));
  const int behind = static_cast<int>(digits.size()) - 1;
  write_digits(scaled.sign() < 0, digits, behind, false, out);
  out += 'e';
  out += std::to_string(behind - decimals);
}

// Rounded to `decimals`, which may be negative.
void write_big(Number a, int decimals, Rounding mode, bool keep_zeros, std::string& out) {
  const BigView x(a);
  const BigInt scaled = number_detail::scale_big(x.num(), x.den(), decimals, mode);
  if (needs_exponent(x.num(), x.den()) && !scaled.is_zero()) return write_with_exponent(scaled, decimals, out);
  write_scaled(scaled, decimals, keep_zeros, out);
}

// The exponent if `den` is a power of ten, otherwise -1.
int power_of_ten(std::int64_t den) {
  const int guess = ((64 - __builtin_clzll(static_cast<std::uint64_t>(den))) * 1233) >> 12;
  if (guess <= kMostPowerOfTen && kPowersOfTen[guess] == den) return guess;
  return guess > 0 && kPowersOfTen[guess - 1] == den ? guess - 1 : -1;
}

// The number of decimals with which num / den (in lowest terms) terminates, or -1 if that exceeds `limit`.
int ending_decimals(const BigInt& den, int limit) {
  if (number_detail::bits(den) > static_cast<std::size_t>(limit) * 4) return -1;
  const auto twos = static_cast<int>(lsb(den));
  BigInt rest = den >> static_cast<unsigned>(twos);
  int fives = 0;
  for (; rest % 5 == 0; rest /= 5) ++fives;
  const int decimals = twos > fives ? twos : fives;
  return rest == 1 && decimals <= limit ? decimals : -1;
}

void write_missing(std::string& out) { out += "missing"; }

// Works in the integer width of the magnitude.
template <class Magnitude>
char* put_magnitude(Magnitude rest, int decimals, bool keep_zeros, char* out) {
  if (!keep_zeros) {
    for (; decimals > 0 && rest % 10 == 0; rest /= 10) --decimals;
  }
  int size = decimals + 1;  // digits
  for (Magnitude power = static_cast<Magnitude>(kPowersOfTen[decimals]); rest / 10 >= power; ++size) power *= 10;
  char* const end = out + size + (decimals > 0);
  char* p = end;
  for (int i = 0; i < decimals; ++i, rest /= 10) *--p = static_cast<char>('0' + rest % 10);
  if (decimals > 0) *--p = '.';
  for (; p != out; rest /= 10) *--p = static_cast<char>('0' + rest % 10);
  return end;
}

}  // namespace

char* number_detail::put_long_decimal(std::uint64_t magnitude, int decimals, bool keep_zeros, char* out) {
  if (decimals <= 9 && magnitude < 1'000'000'000u)
    return put_magnitude(static_cast<std::uint32_t>(magnitude), decimals, keep_zeros, out);
  return put_magnitude(magnitude, decimals, keep_zeros, out);
}

char* put_rounded(Number a, int decimals, char* out) {
  if (!a.small() || decimals < 0 || decimals > kMostPowerOfTen) return nullptr;
  const int exact = power_of_ten(a.den);
  if (exact >= 0 && exact <= decimals) return put_decimal(a.num, exact, false, out);
  std::int64_t scaled;
  if (!number_detail::scale_small(a, decimals, Rounding::half_away, scaled)) return nullptr;
  return put_decimal(scaled, decimals, false, out);
}

char* put_shortest(Number a, char* out) {
  const int decimals = a.small() ? power_of_ten(a.den) : -1;
  return decimals >= 0 ? put_decimal(a.num, decimals, false, out) : nullptr;
}

void write_fixed(Number a, int decimals, std::string& out) {
  if (a.missing()) return write_missing(out);
  decimals = std::min(std::max(decimals, -number_detail::kMaxDecimals), number_detail::kMaxDecimals);
  std::int64_t scaled;
  if (a.small() && number_detail::scale_small(a, decimals, Rounding::half_away, scaled)) {
    return write_scaled(scaled, decimals, true, out);
  }
  write_big(a, decimals, Rounding::half_away, true, out);
}

void write_rounded(Number a, int decimals, std::string& out) {
  if (a.missing()) return write_missing(out);
  decimals = std::min(std::max(decimals, -number_detail::kMaxDecimals), number_detail::kMaxDecimals);
  std::int64_t scaled;
  if (a.small() && number_detail::scale_small(a, decimals, Rounding::half_away, scaled)) {
    return write_scaled(scaled, decimals, false, out);
  }
  write_big(a, decimals, Rounding::half_away, false, out);
}

void write_significant(Number a, int digits, std::string& out) {
  if (a.missing()) return write_missing(out);
  if (sign(a) == 0) {
    out += '0';
    return;
  }
  digits = std::min(std::max(digits, 1), 1000);
  if (a.small()) {
    // The exponent of the leading digit, while 64 bits suffice.
    const std::int64_t magnitude = a.num < 0 ? -a.num : a.num;
    int exponent = 0;
    if (magnitude >= a.den) {
      for (std::int64_t left = magnitude / a.den; left >= 10; left /= 10) ++exponent;
    } else {
      for (std::int64_t left = magnitude; left < a.den && exponent > -kMostPowerOfTen; left *= 10) {
        --exponent;
        if (left > INT64_MAX / 10) break;
      }
    }
    const bool known =
        magnitude >= a.den || (exponent > -kMostPowerOfTen && magnitude <= INT64_MAX / kPowersOfTen[-exponent] &&
                               magnitude * kPowersOfTen[-exponent] >= a.den);
    std::int64_t scaled;
    if (known && number_detail::scale_small(a, digits - 1 - exponent, Rounding::half_away, scaled)) {
      return write_scaled(scaled, digits - 1 - exponent, false, out);
    }
  }
  const BigView x(a);
  const int decimals = digits - 1 - number_detail::decimal_exponent(x.num(), x.den());
  write_big(a, decimals, Rounding::half_away, false, out);
}

void write_shortest(Number a, std::string& out) {
  if (a.missing()) return write_missing(out);
  if (a.small()) {
    int decimals = power_of_ten(a.den);
    if (decimals >= 0) return write_scaled(a.num, decimals, false, out);
    number_detail::reduce(a.num, a.den);
    std::int64_t rest = a.den >> __builtin_ctzll(static_cast<std::uint64_t>(a.den));
    while (rest % 5 == 0) rest /= 5;
    if (rest != 1) return write_significant(a, kRoundedDigits, out);
  }
  const BigView x(a);
  const int decimals = ending_decimals(x.den(), kMaxShortestDecimals);
  if (decimals < 0) return write_significant(a, kRoundedDigits, out);
  write_big(a, decimals, Rounding::trunc, false, out);
}

void write_exact(Number a, std::string& out) {
  if (a.missing()) return write_missing(out);
  if (a.small()) number_detail::reduce(a.num, a.den);
  const BigView x(a);
  const int decimals = ending_decimals(x.den(), kMaxExactDecimals);
  if (decimals >= 0) {
    return write_scaled(number_detail::scale_big(x.num(), x.den(), decimals, Rounding::trunc), decimals, false, out);
  }
  out += x.num().str();
  out += '/';
  out += x.den().str();
}

// ---- reading

bool parse_decimal(std::string_view text, Number& result, NumberPool& pool, bool separators, std::size_t most) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  if (at == end || !is_digit(*at)) return false;
  if (*at == '0' && at + 1 != end && is_digit(at[1]) && !separators) return false;

  // One pass finds the parts and, while it fits, the value.
  const char* const first = at;
  std::uint64_t digits = 0;
  std::size_t count = 0;  // digits, without leading zeros
  std::size_t places = 0;
  bool fraction = false;
  for (; at != end; ++at) {
    if (is_digit(*at)) {
      if (count != 0 || *at != '0') ++count;
      if (count <= kMostPowerOfTen) digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
      places += fraction;
    } else if (*at == '_') {
      if (!separators || !is_digit(at[-1]) || at + 1 == end || !is_digit(at[1])) return false;
    } else if (*at == '.' && !fraction) {
      if (at + 1 == end || !is_digit(at[1])) return false;
      fraction = true;
    } else {
      break;
    }
  }
  const char* const last = at;
  int exponent = 0;
  if (at != end && (*at == 'e' || *at == 'E')) {
    ++at;
    const bool below = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    if (at == end) return false;
    for (; at != end && is_digit(*at); ++at) {
      exponent = exponent * 10 + (*at - '0');
      if (exponent > kMaxTextExponent) return false;
    }
    if (!is_digit(at[-1])) return false;
    if (below) exponent = -exponent;
  }
  if (at != end || count > most || places > most) return false;

  const auto decimals = static_cast<std::int64_t>(places) - exponent;
  if (count <= kMostPowerOfTen) {
    const auto value = negative ? -static_cast<std::int64_t>(digits) : static_cast<std::int64_t>(digits);
    std::int64_t whole_value;
    if (decimals >= 0 && decimals <= kMostPowerOfTen) {
      result = {value, kPowersOfTen[decimals]};
      return true;
    }
    if (decimals < 0 && decimals >= -kMostPowerOfTen &&
        !__builtin_mul_overflow(value, kPowersOfTen[-decimals], &whole_value)) {
      result = {whole_value, 1};
      return true;
    }
  }
  std::string all;
  all.reserve(count);
  for (const char* c = first; c != last; ++c) {
    if (is_digit(*c) && (*c != '0' || !all.empty())) all += *c;
  }
  BigInt num(all.empty() ? "0" : all.c_str());
  if (negative) num = -num;
  result = decimals < 0 ? number_detail::store(num * number_detail::pow10(static_cast<int>(-decimals)), 1, pool)
                        : number_detail::store_decimal(std::move(num), static_cast<int>(decimals), pool);
  return !result.missing();
}

bool parse_exact(std::string_view text, Number& result, NumberPool& pool) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return parse_decimal(text, result, pool);
  Number num;
  Number den;
  if (!parse_decimal(text.substr(0, slash), num, pool)) return false;
  if (!parse_decimal(text.substr(slash + 1), den, pool)) return false;
  if (!is_whole(num) || !is_whole(den) || sign(den) <= 0) return false;
  result = div(num, den, pool);
  return !result.missing();
}

// ---- integers

bool to_int64(Number a, std::int64_t& result) {
  if (a.missing() || !is_whole(a)) return false;
  if (a.small()) {
    result = a.num / a.den;
    return true;
  }
  const BigView x(a);
  using Limits = std::numeric_limits<std::int64_t>;
  if (x.num() > Limits::max() || x.num() < Limits::min()) return false;
  result = static_cast<std::int64_t>(x.num());
  return true;
}

std::string shortest_text(Number a) {
  std::string text;
  write_shortest(a, text);
  return text;
}

std::string exact_text(Number a) {
  std::string text;
  write_exact(a, text);
  return text;
}

}  // namespace assay
