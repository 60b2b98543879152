// Equality, order and hashes of values. Values carry no tag, so all of them take the type. Missing equals missing here:
// that comparisons of missing values are unknown is the business of the instructions, and holds at the top only.
#pragma once

#include "lang/value/type.hpp"

#include <cstdint>
#include <string_view>

namespace assay {

// What comparing and hashing may still cost: a step for each value visited and for each 64 bytes or words of it. Values
// share their parts, so that a small one in memory can be a giant to walk over. At 0 the answer is worthless.
inline constexpr int kMostValueNesting = 2'000;

// Ends at once when the interrupt asks for it, and for values nested deeper than the call stack should follow.
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
