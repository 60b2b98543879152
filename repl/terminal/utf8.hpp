// Characters from UTF-8 and to it, and whether a text is UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::cli {

// The first character of `text` (not empty); returns its bytes. Broken UTF-8 is U+FFFD, one byte at a time.
std::size_t decode(std::string_view text, char32_t& character);

// Appends the character; what is none (a surrogate, a number beyond U+10FFFF) as a byte that no UTF-8 text has, so that
// is_utf8() is false.
void append_utf8(std::string& out, std::uint32_t character);

bool is_utf8(std::string_view text);

}  // namespace assay::cli
