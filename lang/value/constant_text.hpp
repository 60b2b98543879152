// The text form of constant values, shared by the model's and the bytecode's: numbers exactly, texts quoted.
#pragma once

#include "lang/value/type.hpp"

#include <string>
#include <string_view>

namespace assay {

void write_constant(const TypeTable& types, TypeId type, const Value& v, std::string& out);
void write_quoted(std::string_view s, std::string& out);
void write_json_quoted(std::string_view s, std::string& out);  // as JSON escapes it
void write_range(const RangeData& range, std::string& out);

}  // namespace assay
