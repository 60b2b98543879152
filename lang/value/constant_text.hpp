// The text form of constant values, shared by the model's and the bytecode's: numbers exactly, texts quoted as JSON does.
#pragma once

#include "lang/value/type.hpp"

#include <assay/text.hpp>

#include <cstddef>
#include <string>

namespace assay {

void write_constant(const TypeTable& types, TypeId type, const Value& v, std::string& out);
void write_range(const RangeData& range, std::string& out);
// A value as an expression of the language that has exactly this value. False, and something in `out`, where there is
// none: of ranges, of what a record holds as it is, of texts that are not UTF-8, or beyond `limit` bytes.
bool write_literal(const TypeTable& types, TypeId type, const Value& v, std::string& out, std::size_t limit);

}  // namespace assay
