// Values of a text → registers: code that the readers of lines (register_reader.cpp) and of CSV cells
// (register_cells.cpp) share, compiled into the loops of both.
#pragma once

#include "runtime/input/plain_json.hpp"
#include "runtime/registers/register_reader.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace assay {

// Reads a truth at p, without a branch on its value, which could not be predicted.
ASSAY_INLINE bool truth_at(const char* p, std::int64_t& truth) {
  static constexpr char kWords[2][8] = {{'f', 'a', 'l', 's', 'e'}, {'t', 'r', 'u', 'e'}};
  truth = *p == 't';
  const std::uint64_t others = word_at(p) ^ word_at(kWords[truth]);
  return (others & low_bytes(static_cast<std::size_t>(5 - truth))) == 0;
}

// Masks for a word of digits with a point before its last n digits: the bytes of these n (the high ones), and those
// before the point.
struct PointMasks {
  std::uint64_t after[8] = {}, before[8] = {};
};
inline constexpr PointMasks kPoint = [] {
  PointMasks masks;
  for (unsigned n = 1; n < 8; ++n) {
    masks.after[n] = ~std::uint64_t{0} << (64 - 8 * n);
    masks.before[n] = (std::uint64_t{1} << (56 - 8 * n)) - 1;
  }
  return masks;
}();

// Reads a number of at most seven characters that fits the place, or returns null. The caller checks what follows it.
ASSAY_INLINE const char* short_number(const char* p, const FieldPlace& place, char* registers) {
  if constexpr (std::endian::native != std::endian::little) return nullptr;
  // Usually: a digit, a point and at most three more digits.
  std::uint16_t first;
  std::uint32_t rest;
  std::memcpy(&first, p, sizeof first);
  std::memcpy(&rest, p + 2, sizeof rest);
  if (const std::uint32_t whole = static_cast<std::uint16_t>(first - 0x2e30u); whole <= 9) [[likely]] {
    rest ^= 0x30303030u;
    const std::uint32_t others = ((rest + 0x76767676u) | rest) & 0x80808080u;
    const auto size = static_cast<std::uint32_t>(std::countr_zero(others)) & 0x38u;  // 8 times the number of digits
    if (size - 8 < place.fraction) [[likely]] {
      rest &= static_cast<std::uint32_t>((std::uint64_t{1} << size) - 1);
      // the digits, last one highest; combined first in pairs, then into one number
      std::uint32_t four = (rest << 8 | whole) << place.shift;
      four = four * 10 + (four >> 8);
      const std::uint64_t value = ((four & 0x00ff00ffu) * 0x640001u) >> 16;
      if (value - static_cast<std::uint64_t>(place.low) > place.span) return nullptr;
      put_register(registers, place.given_at, 1);
      put_register(registers, place.at, static_cast<std::int64_t>(value));
      return p + 2 + size / 8;
    }
  }
  const std::uint64_t digits = word_at(p) ^ repeated('0');
  // The high bits of the bytes that are not digits; valid up to the second such byte, which is enough.
  std::uint64_t others = ((digits + repeated(0x76)) | digits) & repeated(0x80);
  if (others == 0) return nullptr;
  const auto whole = static_cast<unsigned>(std::countr_zero(others)) / 8;  // digits before the point
  if (whole == 0 || (whole > 1 && (digits & 0xff) == 0)) return nullptr;   // no digits, or a leading zero
  unsigned size = whole, fraction = 0;
  std::uint64_t value;
  if (p[whole] == '.') {
    others &= others - 1;
    if (others == 0) return nullptr;
    size = static_cast<unsigned>(std::countr_zero(others)) / 8;
    fraction = size - whole - 1;
    if (fraction - 1u >= place.decimals) return nullptr;  // no digits, or more than the register allows
    value = digits << (64 - 8 * size);
    value = (value & kPoint.after[fraction]) | (value & kPoint.before[fraction]) << 8;
  } else {
    value = digits << (64 - 8 * size);
  }
  // Combines the digits, last one highest, in pairs, in fours, then into one number (Langdale and Lemire, Parsing
  // gigabytes of JSON per second).
  value = value * 10 + (value >> 8);
  value = ((value & 0x000000ff000000ffu) * 0x000f424000000064u +
           ((value >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u) >>
          32;
  value *= static_cast<std::uint64_t>(kPowersOfTen[place.decimals - fraction]);
  if (value - static_cast<std::uint64_t>(place.low) > place.span) return nullptr;
  put_register(registers, place.given_at, 1);
  put_register(registers, place.at, static_cast<std::int64_t>(value));
  return p + size;
}

// Encodes a text for the kernel. False: the text is not allowed.
ASSAY_INLINE bool RegisterReader::put_text(const char* begin, std::size_t size, const FieldPlace& place) {
  if (size > limits_.text_bytes) return false;
  if (!place.numbers) return true;
  std::int64_t number = place.numbers->find(begin, size);
  if (number == TextNumbers::kNone) number = place.otherwise;
  if (number == TextNumbers::kNone) return false;
  if (place.reg != kNoReg) put_register(registers_, place.at, number);
  return true;
}

// Adds one text of a list; `choices`: the allowed texts, or null.
ASSAY_INLINE bool RegisterReader::add_item(const char* begin, std::size_t size, const FieldPlace& place,
                                           const TextNumbers* choices, std::size_t& count) {
  if (size > limits_.text_bytes) return false;
  if (choices != nullptr && choices->find(begin, size) == TextNumbers::kNone) return false;
  if (place.set) {
    if (count == set_.size()) set_.resize(2 * count);
    const std::size_t eight = std::min<std::size_t>(size, 8);
    set_[count] = {word_at(begin) & low_bytes(eight), word_at(begin + size - eight) & low_bytes(eight), begin, size};
  }
  ++count;
  return true;
}

// Finishes a list of `count` texts.
ASSAY_INLINE bool RegisterReader::put_items(const FieldPlace& place, std::size_t count) {
  if (count > limits_.list_items) return false;
  if (place.set && count > 1) count = different(count);
  if (count > place.span) return false;
  if (place.reg != kNoReg) put_register(registers_, place.at, static_cast<std::int64_t>(count));
  for (const RegisterWrite& given : place.more_given) given.apply(registers_);
  return true;
}

}  // namespace assay
