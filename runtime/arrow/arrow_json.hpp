// Writes a value of an array exactly as JSON, so that the evaluator reads an Arrow record like any other.
#pragma once

#include "runtime/arrow/arrow_view.hpp"

#include <cstdint>
#include <string>

namespace assay {

// Appends the value of row `i`: null and NaN as null, infinity as a text, which is not a number. A text that is not
// UTF-8 is written so that the reader of records rejects it. Writing stops after `limit` bytes.
void write_arrow_json(const ArrowView& view, std::int64_t i, std::size_t limit, std::string& out);

// Writes a decimal of up to 256 bits: `digits` is in two's complement with `bytes` bytes, `scale` digits are after the
// point.
void write_arrow_decimal(const void* digits, int bytes, int scale, std::string& out);

// The double to which the shortest decimal of a half-precision number reads back.
double half_to_double(std::uint16_t half);

}  // namespace assay
