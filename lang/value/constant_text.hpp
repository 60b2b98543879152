// The text form of constant values, for models and bytecode: numbers exactly, texts quoted as in JSON.
#pragma once

#include "lang/value/type.hpp"

#include <assay/text.hpp>

#include <cstddef>
#include <string>

namespace assay {

void write_constant(const TypeTable& types, TypeId type, const Value& v, std::string& out);
void write_range(const RangeData& range, std::string& out);
// Writes a value as an expression of the language with exactly this value. False, with arbitrary contents of `out`, if
// there is none: for ranges, for `any` values of a record, for texts that are not UTF-8, or beyond `limit` bytes.
bool write_literal(const TypeTable& types, TypeId type, const Value& v, std::string& out, std::size_t limit);

}  // namespace assay
