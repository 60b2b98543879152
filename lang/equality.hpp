// Equality, order and hashes of values. Values carry no tag, so all of them take the type. Missing equals missing here:
// that comparisons of missing values are unknown is the business of the instructions, and holds at the top only.
#pragma once

#include "lang/type.hpp"

#include <cstdint>
#include <string_view>

namespace assay {

bool deep_equal(const TypeTable& types, TypeId type, const Value& a, const Value& b);

// Equal values have equal hashes, however a number is represented.
std::uint64_t deep_hash(const TypeTable& types, TypeId type, const Value& v);
std::uint64_t hash_number(Number n);

// By code point, which for UTF-8 is by byte: -1, 0, 1.
inline int compare_text(std::string_view a, std::string_view b) {
  int order = a.compare(b);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

}  // namespace assay
