// Equality, order and hashes of values. Values have no tag, so all functions take the type. Missing equals missing
// here: the instructions make comparisons of missing values unknown, at the top level only.
#pragma once

#include "lang/value/type.hpp"

#include <cstdint>
#include <string_view>

namespace assay {

// The remaining cost of comparing and hashing: a step for each value visited and for each 64 bytes or words of it.
// Values share their parts, so a value that is small in memory can be huge to walk. At 0 the result is meaningless.
inline constexpr int kMostValueNesting = 2'000;

// Ends at once if the interrupt is due, and for values nested deeper than the call stack should follow.
struct Effort {
  std::uint64_t left = UINT64_MAX;
  const Interrupt* interrupt = nullptr;
  int depth = 0;
  bool too_deep = false;
};

bool deep_equal(const TypeTable& types, TypeId type, const Value& a, const Value& b, Effort& effort);
inline bool deep_equal(const TypeTable& types, TypeId type, const Value& a, const Value& b) {
  Effort unlimited;
  return deep_equal(types, type, a, b, unlimited);
}

// Equal values have equal hashes, however a number is represented.
std::uint64_t deep_hash(const TypeTable& types, TypeId type, const Value& v, Effort& effort);
inline std::uint64_t deep_hash(const TypeTable& types, TypeId type, const Value& v) {
  Effort unlimited;
  return deep_hash(types, type, v, unlimited);
}
std::uint64_t hash_number(Number n);

// By code point, which for UTF-8 is by byte: -1, 0, 1.
inline int compare_text(std::string_view a, std::string_view b) {
  int order = a.compare(b);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

}  // namespace assay
