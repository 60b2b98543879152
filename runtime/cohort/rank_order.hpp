// The order of ranking keys: the only comparison for rankings and questions about them.
#pragma once

#include "lang/model/model.hpp"
#include "lang/value/type.hpp"
#include "lang/value/value.hpp"

namespace assay {

// Compares two key values: negative if a comes first. Missing values come last in either direction. An item that only
// one of two lists has counts as missing in the other.
int compare_keys(const TypeTable& types, TypeId type, const Value& a, const Value& b, bool higher);
// The same for all ranking keys of two records.
int compare_places(const TypeTable& types, const RubricModel& rubric, const Value* a, const Value* b);

}  // namespace assay
