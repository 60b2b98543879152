// A value at run time: 16 bytes, trivially copyable. Its type is static (lang/value/type.hpp); the value itself only
// shows its kind, so that a value of one of several types is stored like any other. One rule holds for every kind: the
// second word is zero if the value is missing, so an all-zero Value is missing, whatever its type. Memory behind a
// value (items, fields, characters, big numbers) belongs to an Arena or to the program's constants, never to the value.
#pragma once

#include "lang/number/number.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay {

union Value;

// The upper half of the second word of values other than numbers. As a signed word it is below -1, whereas a number has
// its denominator there, which is positive or -1.
enum class ValueTag : std::uint32_t { boolean = 0x8000'0001U, text, list, record, map, range };

struct Bool {
  std::int64_t truth;  // 0 or 1
  std::uint64_t given;
};
struct TextValue {
  const char* data;
  std::uint32_t size;  // bytes of UTF-8
  std::uint32_t given;
  std::string_view view() const { return {data, size}; }
};
struct ListValue {
  Value* items;
  std::uint32_t size;
  std::uint32_t given;
};
struct RecordValue {
  Value* fields;  // in the order of the type's fields
  std::uint32_t size;
  std::uint32_t given;
};
struct MapData {
  Value* keys;  // texts, in insertion order, distinct
  Value* values;
  std::uint32_t* index;      // open addressing, slot → position + 1; null below 9 entries
  std::uint32_t index_mask;  // size of index - 1
};
struct MapValue {
  MapData* data;
  std::uint32_t size;
  std::uint32_t given;
};
struct RangeData {
  Number low, high;  // missing: unbounded
  bool low_open, high_open;
};
struct RangeValue {
  const RangeData* data;
  std::uint32_t unused;
  std::uint32_t given;
};

union Value {
  struct {
    std::uint64_t first, second;
  } words;
  Number number;
  Bool boolean;
  TextValue text;  // also `any`: the JSON text of the value
  ListValue list;
  RecordValue record;
  MapValue map;
  RangeValue range;

  Value() : words{0, 0} {}
  bool missing() const { return words.second == 0; }
  bool is_number() const { return number.den > 0 || number.den == -1; }
  ValueTag tag() const { return static_cast<ValueTag>(words.second >> 32); }  // not for numbers
};
static_assert(sizeof(Value) == 16);

inline Value missing_value() {
  Value v;
  v.words = {0, 0};
  return v;
}
inline Value make_number(Number n) {
  Value v;
  v.number = n;
  return v;
}
inline Value make_bool(bool b) {
  Value v;
  v.boolean = {b ? 1 : 0, static_cast<std::uint64_t>(ValueTag::boolean) << 32};
  return v;
}
inline Value make_text(std::string_view s) {  // a view: the characters must not move
  Value v;
  v.text = {s.data(), static_cast<std::uint32_t>(s.size()), static_cast<std::uint32_t>(ValueTag::text)};
  return v;
}
inline Value make_list(Value* items, std::uint32_t size) {
  Value v;
  v.list = {items, size, static_cast<std::uint32_t>(ValueTag::list)};
  return v;
}
inline Value make_record(Value* fields, std::uint32_t size) {
  Value v;
  v.record = {fields, size, static_cast<std::uint32_t>(ValueTag::record)};
  return v;
}
inline Value make_map(MapData* data, std::uint32_t size) {
  Value v;
  v.map = {data, size, static_cast<std::uint32_t>(ValueTag::map)};
  return v;
}
inline Value make_range(const RangeData* data) {
  Value v;
  v.range = {data, 0, static_cast<std::uint32_t>(ValueTag::range)};
  return v;
}

}  // namespace assay
