#include "repl/lsp/positions.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace assay::cli {

namespace {

std::size_t character_bytes(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return end - at;
}

// Converts to units of the encoding. Only characters beyond U+FFFF, of four bytes, are two units of UTF-16.
std::size_t units(std::size_t bytes, Encoding encoding) {
  return encoding == Encoding::utf8 ? bytes : bytes >= 4 ? 2 : 1;
}

bool all_ascii(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & kHighBits) != 0) return false;
  }
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

// Every edit needs the lines of the text anew, so this looks at several bytes at a time.
Lines::Lines(std::string_view text) : text_(text), begins_{0}, ascii_(all_ascii(text)) {
  const bool returns = text.find('\r') != text.npos;
  if (!returns) {
    for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) begins_.push_back(at + 1);
    return;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 >= text.size() || text[i + 1] != '\n'))) begins_.push_back(i + 1);
  }
}

std::size_t Lines::offset(Position position, Encoding encoding) const {
  if (position.line >= begins_.size()) return text_.size();
  std::size_t at = begins_[position.line];
  std::size_t end = position.line + 1 < begins_.size() ? begins_[position.line + 1] : text_.size();
  while (end > at && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  std::size_t left = position.character;
  if (ascii_) return at + std::min(left, end - at);
  while (at < end) {
    const std::size_t bytes = character_bytes(text_, at);
    const std::size_t size = units(bytes, encoding);
    if (left < size) break;
    left -= size;
    at += bytes;
  }
  return at;
}

Lines::Position Lines::position(std::size_t offset, Encoding encoding) const {
  offset = std::min(offset, text_.size());
  const auto within = [this, offset](std::size_t line) {
    return begins_[line] <= offset && (line + 1 == begins_.size() || offset < begins_[line + 1]);
  };
  if (!within(last_)) {
    if (last_ + 1 < begins_.size() && within(last_ + 1)) {
      ++last_;
    } else {
      const auto after = std::upper_bound(begins_.begin(), begins_.end(), offset);
      last_ = static_cast<std::size_t>(after - begins_.begin()) - 1;
    }
  }
  const std::size_t line = last_;
  std::size_t character = 0;
  if (ascii_) return {line, offset - begins_[line]};
  for (std::size_t at = begins_[line]; at < offset;) {
    const std::size_t bytes = character_bytes(text_, at);
    character += units(bytes, encoding);
    at += bytes;
  }
  return {line, character};
}

std::string name_of_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return std::string(uri);
  uri.remove_prefix(kScheme.size());
  uri.remove_prefix(std::min(uri.find('/'), uri.size()));  // removes the host
  std::string name;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size() && hex(uri[i + 1]) >= 0 && hex(uri[i + 2]) >= 0) {
      name += static_cast<char>(hex(uri[i + 1]) * 16 + hex(uri[i + 2]));
      i += 2;
    } else {
      name += uri[i];
    }
  }
  return name;
}

std::string uri_of_name(const std::string& name) {
  if (name.empty() || name.front() != '/') return name;
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=:@";
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += '%';
      uri += kHex[static_cast<unsigned char>(c) >> 4];
      uri += kHex[static_cast<unsigned char>(c) & 15];
    }
  }
  return uri;
}

}  // namespace assay::cli
