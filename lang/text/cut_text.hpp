// The beginning of a text for a message, never cut within a character.
#pragma once

#include <cstddef>
#include <string_view>

namespace assay {

inline std::string_view cut_text(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace assay
