// Characters to UTF-8, and whether a text is UTF-8: what texts in files of bytes and of 32-bit characters need.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::cli {

// Appends the character; what is none (a surrogate, a number beyond U+10FFFF) as a byte that no UTF-8 text has, so that
// is_utf8() is false.
void append_utf8(std::string& out, std::uint32_t character);

bool is_utf8(std::string_view text);

}  // namespace assay::cli
