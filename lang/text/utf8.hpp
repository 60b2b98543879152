// UTF-8 for code that looks at bytes or columns itself; what works on whole texts is in <assay/text.hpp>.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

// The length of the well-formed UTF-8 sequence at the beginning of `s`, or 0.
std::size_t utf8_length(std::string_view s);

// Whether a byte continues a character; all others begin one.
inline bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// As write_json_text, but bytes that are not UTF-8 stay as they are: whoever reads the result has to refuse them.
void write_json_bytes(std::string_view text, std::string& out);

// A line of a source as it can be shown: each character as it is, or U+FFFD in its place, so that columns stay the same.
// Tabs stay.
std::string displayable(std::string_view line);

}  // namespace assay
