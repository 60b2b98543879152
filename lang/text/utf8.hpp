// UTF-8 for code that handles bytes or columns; functions on whole texts are in <assay/text.hpp>.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

// The length of the well-formed UTF-8 sequence at the beginning of `s`, or 0.
std::size_t utf8_length(std::string_view s);

// Whether a byte continues a character; all others begin one.
inline bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Like write_json_text, but keeps invalid bytes: a reader of the result must reject them.
void write_json_bytes(std::string_view text, std::string& out);

// A source line for display: each character unchanged or replaced by U+FFFD, so that columns stay the same. Keeps tabs.
std::string displayable(std::string_view line);

}  // namespace assay
