// Examines several bytes of a text at once: blocks of 16 with SSE2, which every x86-64 has, otherwise words of 8. All
// functions read a little beyond their argument: two blocks after the end of a text must be readable.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace assay {

inline constexpr std::size_t kBlock = 16;

inline std::uint64_t word_at(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

constexpr std::uint64_t repeated(unsigned char c) { return 0x0101010101010101u * c; }

// One bit per byte: the bytes at p that equal those at `expected`.
inline std::uint32_t equal_block(const char* p, const char* expected) {
#if defined(__SSE2__)
  const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(expected));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(a, b)));
#else
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < kBlock; ++i) bits |= static_cast<std::uint32_t>(p[i] == expected[i]) << i;
  return bits;
#endif
}

// The first byte from p on that is special in a JSON text: a quote, a backslash, a control character or a byte of a
// non-ASCII character. There must be one. kBlocks: how many blocks are examined together; use two where one is often
// not enough but that cannot be predicted, as for names in no order.
template <int kBlocks = 1>
inline const char* plain_end(const char* p) {
#if defined(__SSE2__)
  const auto marks = [](const char* at) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i signs =
        _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')), _mm_cmpeq_epi8(block, _mm_set1_epi8('\\')));
    // signed: also finds bytes from 0x80 on
    const __m128i found = _mm_or_si128(signs, _mm_cmplt_epi8(block, _mm_set1_epi8(0x20)));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(found));
  };
  for (;; p += kBlocks * kBlock) {
    std::uint32_t bits = marks(p);
    if constexpr (kBlocks == 2) bits |= marks(p + kBlock) << kBlock;
    if (bits != 0) return p + std::countr_zero(bits);
  }
#else
  for (;;) {
    if constexpr (std::endian::native == std::endian::little) {
      // Eight characters at once: the lowest marked byte is the first special one.
      const std::uint64_t word = word_at(p), quote = word ^ repeated('"'), escape = word ^ repeated('\\');
      const std::uint64_t controls = (word - repeated(0x20)) & ~word, quotes = (quote - repeated(1)) & ~quote;
      const std::uint64_t escapes = (escape - repeated(1)) & ~escape;
      const std::uint64_t marks = (controls | quotes | escapes | word) & repeated(0x80);
      if (marks != 0) return p + std::countr_zero(marks) / 8;
      p += sizeof word;
    } else {
      const auto c = static_cast<unsigned char>(*p);
      if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\') return p;
      ++p;
    }
  }
#endif
}

// The same for a text that also ends at one of two characters, such as a cell of a table.
inline const char* plain_end(const char* p, char one, char other) {
#if defined(__SSE2__)
  const __m128i ones = _mm_set1_epi8(one), others = _mm_set1_epi8(other);
  for (;; p += kBlock) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i signs =
        _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')), _mm_cmpeq_epi8(block, _mm_set1_epi8('\\')));
    const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(block, ones), _mm_cmpeq_epi8(block, others));
    const __m128i found = _mm_or_si128(_mm_or_si128(signs, ends), _mm_cmplt_epi8(block, _mm_set1_epi8(0x20)));
    const auto bits = static_cast<std::uint32_t>(_mm_movemask_epi8(found));
    if (bits != 0) return p + std::countr_zero(bits);
  }
#else
  for (;; ++p) {
    const auto c = static_cast<unsigned char>(*p);
    if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\' || *p == one || *p == other) return p;
  }
#endif
}

// A mask of the first bytes of a word in memory; at most eight.
inline std::uint64_t low_bytes(std::size_t count) {
  static constexpr std::uint64_t kMasks[9] = {
      0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff, 0xffffffffffffffff};
  if constexpr (std::endian::native == std::endian::little) return kMasks[count];
  return ~kMasks[8 - count];
}

// A number that is likely to differ for different texts. Reads eight bytes from p on, and none before.
inline std::uint64_t fingerprint(const char* p, std::size_t size) {
  const std::uint64_t mask = low_bytes(size > 8 ? 8 : size);
  const std::uint64_t first = word_at(p) & mask, last = word_at(p + (size > 8 ? size - 8 : 0)) & mask;
  const std::uint64_t mixed = (first ^ std::rotl(last, 29) ^ (size << 56)) * 0x9e3779b97f4a7c15u;
  return mixed ^ (mixed >> 32);
}

// Whether two texts of equal size are equal.
inline bool same_bytes(const char* a, const char* b, std::size_t size) {
  for (; size > kBlock; size -= kBlock, a += kBlock, b += kBlock) {
    if (equal_block(a, b) != 0xffff) return false;
  }
  const auto wanted = static_cast<std::uint32_t>((std::uint64_t{1} << size) - 1);
  return (equal_block(a, b) & wanted) == wanted;
}

}  // namespace assay
