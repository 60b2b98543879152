// How the values of a ranking key are ordered: the one comparison of rankings and of what is asked about them.
#pragma once

#include "lang/value/type.hpp"
#include "lang/value/value.hpp"

namespace assay {

// Which of two key values comes first: negative when a does. Missing values come last in either direction. An item that only
// one of two lists has counts as missing in the other.
int compare_keys(const TypeTable& types, TypeId type, const Value& a, const Value& b, bool higher);

}  // namespace assay
