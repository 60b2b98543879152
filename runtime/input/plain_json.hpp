// Common parts of the fast readers of records (runtime/input/plain_reader.hpp, runtime/registers/register_reader.hpp): they
// skip plain pieces of JSON byte by byte and stop at the first byte that is not plain. Every loop stops at the byte
// after the text, a zero or a line feed, so no loop checks a bound.
#pragma once

#include "runtime/input/record_plan.hpp"
#include "runtime/json/bytes.hpp"
#include "runtime/json/json_tree.hpp"

#if defined(__GNUC__)
#define ASSAY_INLINE __attribute__((always_inline)) inline
#else
#define ASSAY_INLINE inline
#endif

namespace assay {

// kLines: whether a record may contain line feeds; a record that is a line cannot.
template <bool kLines>
ASSAY_INLINE bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || (kLines && c == '\n');
}
template <bool kLines>
ASSAY_INLINE const char* skip_space(const char* p) {
  while (is_space<kLines>(*p)) ++p;
  return p;
}

ASSAY_INLINE unsigned digit(char c) { return static_cast<unsigned>(static_cast<unsigned char>(c)) - '0'; }

ASSAY_INLINE bool starts(const char* p, const char (&word)[5]) { return std::memcmp(p, word, 4) == 0; }

// From the first character of a text to its closing quote; null if there is an escape, a control character or invalid
// UTF-8.
[[gnu::noinline]] inline const char* beyond_ascii(const char* p) {
  for (;;) {
    const auto c = static_cast<unsigned char>(*p);
    if (c < 0x80) {
      p = plain_end(p);
      if (*p == '"') return p;
      if (static_cast<unsigned char>(*p) < 0x80) return nullptr;
    }
    const std::size_t length = utf8_length({p, 4});
    if (length == 0) return nullptr;
    p += length;
  }
}
ASSAY_INLINE const char* text_end(const char* p) {
  p = plain_end(p);
  return *p == '"' ? p : beyond_ascii(p);
}

// n / 10^decimals, with `whole` digits before the point.
struct PlainNumber {
  std::int64_t n = 0;
  std::size_t decimals = 0;
  std::ptrdiff_t whole = 0;
};

// Reads a number of at most kPlainDigits characters without an exponent; returns the position after it, or null.
inline const char* plain_number(const char* p, PlainNumber& out) {
  const bool negative = *p == '-';
  p += negative;
  const char* const first = p;
  unsigned d = digit(*p);
  if (d > 9) return nullptr;
  std::uint64_t value = d;
  while ((d = digit(*++p)) <= 9) value = value * 10 + d;
  out.whole = p - first;
  if (*first == '0' && out.whole > 1) return nullptr;
  out.decimals = 0;
  if (*p == '.') {
    const char* const point = p + 1;
    while ((d = digit(*++p)) <= 9) value = value * 10 + d;
    if (p == point) return nullptr;
    out.decimals = static_cast<std::size_t>(p - point);
  }
  // A value that has overflowed also has too many digits.
  if (p - first > kPlainDigits || (*p | 0x20) == 'e') return nullptr;
  out.n = negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  return p;
}

// Skips a value that nobody needs and checks that it is well-formed: returns the position after it, or null. Allows at
// most `nesting` levels of lists and objects, `depth` of them around this value.
template <bool kLines>
const char* skip_value(const char* p, int depth, int nesting) {
  switch (*p) {
    case '"': p = text_end(p + 1); return p == nullptr ? nullptr : p + 1;
    case 't': return starts(p, "true") ? p + 4 : nullptr;
    case 'f': return starts(p, "fals") && p[4] == 'e' ? p + 5 : nullptr;
    case 'n': return starts(p, "null") ? p + 4 : nullptr;
    case '{':
    case '[': {
      if (depth >= nesting) return nullptr;
      const bool object = *p == '{';
      const char close = object ? '}' : ']';
      p = skip_space<kLines>(p + 1);
      if (*p == close) return p + 1;
      for (;;) {
        if (object) {
          if (*p != '"') return nullptr;
          p = text_end(p + 1);
          if (p == nullptr) return nullptr;
          p = skip_space<kLines>(p + 1);
          if (*p != ':') return nullptr;
          p = skip_space<kLines>(p + 1);
        }
        p = skip_value<kLines>(p, depth + 1, nesting);
        if (p == nullptr) return nullptr;
        p = skip_space<kLines>(p);
        const char next = *p++;
        if (next == close) return p;
        if (next != ',') return nullptr;
        p = skip_space<kLines>(p);
      }
    }
    default: {
      const auto belongs = [](char c) {
        return digit(c) <= 9 || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
      };
      const char* end = p;
      while (belongs(*end)) ++end;
      return is_json_number({p, static_cast<std::size_t>(end - p)}) ? end : nullptr;
    }
  }
}

}  // namespace assay
