// The text form of constant values, shared by the model's and the bytecode's: numbers exactly, texts quoted as JSON does.
#pragma once

#include "lang/value/type.hpp"

#include <assay/text.hpp>

#include <string>

namespace assay {

void write_constant(const TypeTable& types, TypeId type, const Value& v, std::string& out);
void write_range(const RangeData& range, std::string& out);

}  // namespace assay
