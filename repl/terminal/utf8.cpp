// UTF-8 by its definition, with a short cut for ASCII.
#include "repl/terminal/utf8.hpp"

#include <cstring>

namespace assay::cli {

namespace {

// Mostly texts are: looked at eight bytes at a time, the last eight of them perhaps twice.
bool is_ascii(std::string_view text) {
  std::uint64_t bits = 0, eight = 0;
  if (text.size() < sizeof eight) {
    for (const char c : text) bits |= static_cast<unsigned char>(c);
    return bits < 0x80;
  }
  const char* const last = text.data() + text.size() - sizeof eight;
  for (const char* p = text.data(); p < last; p += sizeof eight) {
    std::memcpy(&eight, p, sizeof eight);
    bits |= eight;
  }
  std::memcpy(&eight, last, sizeof eight);
  return ((bits | eight) & 0x8080808080808080U) == 0;
}

}  // namespace

std::size_t decode(std::string_view text, char32_t& character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    character = first;
    return 1;
  }
  character = 0xfffd;
  const std::size_t length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length == 0 || first >= 0xf5 || text.size() < length) return 1;
  char32_t value = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 1;
    value = (value << 6) | (byte(i) & 0x3fU);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  if (overlong || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return 1;
  character = value;
  return length;
}

void append_utf8(std::string& out, std::uint32_t character) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | ((character >> shift) & 0x3fU)); };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xc0U | (character >> 6U));
    tail(0);
  } else if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000)) {
    out += '\xff';
  } else if (character < 0x10000) {
    out += static_cast<char>(0xe0U | (character >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0U | (character >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

bool is_utf8(std::string_view text) {
  if (is_ascii(text)) return true;
  while (!text.empty()) {
    char32_t character = 0;
    const std::size_t length = decode(text, character);
    if (character == 0xfffd && length == 1) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace assay::cli
