// A value of an array as JSON: exactly what it holds, so that the evaluator reads an Arrow record as any other.
#pragma once

#include "runtime/arrow/arrow_view.hpp"

#include <cstdint>
#include <string>

namespace assay {

// Appends the value of row `i`; null and NaN as null, infinity as a text, which no number is. A text that is not UTF-8
// is written so that the reader of records refuses it. After `limit` bytes nothing more is written.
void write_arrow_json(const ArrowView& view, std::int64_t i, std::size_t limit, std::string& out);

// A decimal of up to 256 bits: its digits, in two's complement of `bytes` bytes, with `scale` of them behind the point.
void write_arrow_decimal(const void* digits, int bytes, int scale, std::string& out);

// The double that the shortest decimal of a half-precision number reads as.
double half_to_double(std::uint16_t half);

}  // namespace assay
