// UTF-8 by its definition (Unicode, table 3-7), and JSON strings, with fast paths for eight plain characters at a time.
#include "lang/text/utf8.hpp"

#include <assay/text.hpp>

#include <cstring>

namespace assay {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101u, kHigh = 0x80 * kOnes;
constexpr char kHex[] = "0123456789abcdef";

std::uint64_t word_of(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

// Whether a JSON string can contain these eight characters unescaped: ASCII without control characters, quotes and
// backslashes. The subtractions mark every other byte, and perhaps some bytes above the lowest such one.
bool plain(std::uint64_t word) {
  const std::uint64_t quote = word ^ (kOnes * '"'), escape = word ^ (kOnes * '\\');
  return ((word | (word - kOnes * 0x20) | ((quote - kOnes) & ~quote) | ((escape - kOnes) & ~escape)) & kHigh) == 0;
}

}  // namespace

std::size_t utf8_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!tail(1) || !tail(2)) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

std::size_t decode(std::string_view text, char32_t& character) {
  const std::size_t length = utf8_length(text);
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  switch (length) {
    case 0: character = 0xFFFD; return 1;
    case 1: character = byte(0); return 1;
    default: break;
  }
  character = byte(0) & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) character = (character << 6) | (byte(i) & 0x3F);
  return length;
}

void append_utf8(std::string& out, char32_t character) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | ((character >> shift) & 0x3F)); };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xC0 | (character >> 6));
    tail(0);
  } else if (character > 0x10FFFF || (character >= 0xD800 && character < 0xE000)) {
    out += '\xff';
  } else if (character < 0x10000) {
    out += static_cast<char>(0xE0 | (character >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (character >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

bool is_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (i + 8 <= text.size() && (word_of(text.data() + i) & kHigh) == 0) {
      i += 8;
      continue;
    }
    const std::size_t length = utf8_length(text.substr(i, 4));
    if (length == 0) return false;
    i += length;
  }
  return true;
}

namespace {

void write_json(std::string_view text, std::string& out, bool keep_bytes) {
  out.push_back('"');
  std::size_t begin = 0, i = 0;  // beginning of the run that needs no escape
  while (i < text.size()) {
    if (i + 8 <= text.size() && plain(word_of(text.data() + i))) {
      i += 8;
      continue;
    }
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text.substr(i, 4));
    if (c >= 0x20 && c != '"' && c != '\\' && (length > 0 || keep_bytes)) {
      i += length > 0 ? length : 1;
      continue;
    }
    out.append(text.data() + begin, i - begin);
    begin = ++i;
    switch (c) {
      case '"': out.append("\\\""); break;
      case '\\': out.append("\\\\"); break;
      case '\n': out.append("\\n"); break;
      case '\r': out.append("\\r"); break;
      case '\t': out.append("\\t"); break;
      case '\b': out.append("\\b"); break;
      case '\f': out.append("\\f"); break;
      default:
        if (length == 0) {
          out.append("\uFFFD");
        } else {
          out.append("\\u00");
          out.push_back(kHex[c >> 4]);
          out.push_back(kHex[c & 15]);
        }
    }
  }
  out.append(text.data() + begin, text.size() - begin);
  out.push_back('"');
}

}  // namespace

void write_json_text(std::string_view text, std::string& out) { write_json(text, out, false); }
void write_json_bytes(std::string_view text, std::string& out) { write_json(text, out, true); }

}  // namespace assay
