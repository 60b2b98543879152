// How texts are shown: which characters can be, their width, and where a text may be cut. The only unit that uses
// libutf8proc. Widths apply to the characters that a reader sees: a cluster (a letter with its marks, an emoji of
// several code points) is as wide as its widest part, and two columns if it is an emoji by U+FE0F or a flag.
#include "lang/text/utf8.hpp"

#include <assay/text.hpp>

#include <utf8proc.h>

#include <algorithm>

namespace assay {
namespace {

struct CharacterRange {
  char32_t first, last;
};

// Characters that move their neighbours, break a line, or are invisible. The joiners U+200C and U+200D are not
// included: words of some languages and many emoji need them.
constexpr CharacterRange kHidden[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x00AD, 0x00AD},   {0x061C, 0x061C},   {0x180E, 0x180E},
    {0x200B, 0x200B}, {0x200E, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},   {0xFEFF, 0xFEFF},
    {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}, {0x1D173, 0x1D17A}, {0xE0000, 0xE007F},
};

bool hidden(char32_t c) {
  const auto* const found = std::find_if(std::begin(kHidden), std::end(kHidden),
                                         [c](const CharacterRange& range) { return c <= range.last; });
  return found != std::end(kHidden) && c >= found->first;
}

bool plain(char c) { return c >= 0x20 && c < 0x7F; }

void append_hex(std::string& out, char32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[(value >> shift) & 15];
}

void append_escape(std::string& out, char32_t c) {
  switch (c) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  out += c < 0x10000 ? "\\u" : "\\U";
  append_hex(out, c, c < 0x10000 ? 4 : 8);
}

std::string shown(std::string_view text, bool lines) {
  std::string out;
  out.reserve(text.size());
  const auto simple = [lines](char c) { return plain(c) || (lines && c == '\n'); };
  for (;;) {
    const auto* const other = std::find_if_not(text.begin(), text.end(), simple);
    out.append(text.begin(), other);
    text.remove_prefix(static_cast<std::size_t>(other - text.begin()));
    if (text.empty()) return out;
    char32_t c = 0;
    const std::size_t length = decode(text, c);
    if (c == 0xFFFD && length == 1) {
      out += "\\x";
      append_hex(out, static_cast<unsigned char>(text.front()), 2);
    } else if (hidden(c)) {
      append_escape(out, c);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
}

// Iterates over the characters that a reader sees: text, width and number of code points.
class Clusters {
 public:
  explicit Clusters(std::string_view text) : rest_(text) {
    if (!rest_.empty()) length_ = decode(rest_, next_);
  }

  bool next() {
    if (rest_.empty()) return false;
    size = characters = width = 0;
    utf8proc_int32_t state = 0;
    const bool flag = next_ >= 0x1F1E6 && next_ <= 0x1F1FF;
    for (;;) {
      const char32_t character = next_;
      const int columns = utf8proc_charwidth(static_cast<utf8proc_int32_t>(character));
      width = std::max(width, columns < 0 ? std::size_t{0} : static_cast<std::size_t>(columns));
      ++characters;
      if (character == 0xFE0F || (flag && characters == 2)) width = std::max(width, std::size_t{2});
      size += length_;
      rest_.remove_prefix(length_);
      if (rest_.empty()) return true;
      length_ = decode(rest_, next_);
      // ASCII characters never combine, except a line feed after a carriage return, which no line contains.
      if (character < 0x80 && next_ < 0x80) return true;
      if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(character),
                                           static_cast<utf8proc_int32_t>(next_), &state)) {
        return true;
      }
    }
  }

  std::size_t size = 0, characters = 0, width = 0;  // of the current one

 private:
  std::string_view rest_;
  char32_t next_ = 0;
  std::size_t length_ = 0;
};

}  // namespace

std::string printable(std::string_view text) { return shown(text, false); }
std::string printable_lines(std::string_view text) { return shown(text, true); }

std::string printable_json(std::string_view json) {
  if (std::all_of(json.begin(), json.end(), [](char c) { return plain(c) || c == '\n'; })) return std::string(json);
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    char32_t c = 0;
    const std::size_t length = decode(json, c);
    if (c < 0x7F || !hidden(c)) {
      out += json.substr(0, length);
    } else if (c < 0x10000) {
      append_hex(out += "\\u", c, 4);
    } else {
      append_hex(out += "\\u", 0xD800 + ((c - 0x10000) >> 10), 4);
      append_hex(out += "\\u", 0xDC00 + ((c - 0x10000) & 0x3FF), 4);
    }
    json.remove_prefix(length);
  }
  return out;
}

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter_or_digit(char c) { return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Whether Markdown gives a meaning to the character at this place, here or in the dialects that tables come from.
bool is_markup(std::string_view text, std::size_t at) {
  const auto around = [&](std::size_t i) { return i < text.size() ? text[i] : ' '; };
  const char before = at > 0 ? text[at - 1] : ' ', after = around(at + 1);
  switch (text[at]) {
    case '`':
    case '*':
    case '[':
    case '|':
    case '~': return true;
    case '_': return !letter_or_digit(before) || !letter_or_digit(after);
    case '<': return letter_or_digit(after) || after == '/' || after == '!' || after == '?';
    case '&': return letter_or_digit(after) || after == '#';
    case '\\': return !letter_or_digit(after);
    case '#':
    case '>': return at == 0;
    case '-':
    case '+': return at == 0 && (after == ' ' || after == text[at]);
    case '.':
    case ')':
      return after == ' ' && at > 0 && std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), digit);
    default: return false;
  }
}

}  // namespace

std::string plain_markdown(std::string_view text) {
  const std::string shown = printable(text);
  std::string out;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (is_markup(shown, i)) out += '\\';
    out += shown[i];
  }
  return out;
}

std::string code_span(std::string_view text) {
  const std::string shown = printable(text);
  std::size_t longest = 0, run = 0;
  for (const char c : shown) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const bool apart = shown.empty() || shown.front() == '`' || shown.back() == '`';
  const std::string fence(longest + 1, '`'), space(apart ? 1 : 0, ' ');
  return fence + space + shown + space + fence;
}

std::string displayable(std::string_view line) {
  std::string out;
  out.reserve(line.size());
  while (!line.empty()) {
    char32_t c = 0;
    const std::size_t length = decode(line, c);
    if (length > 1 ? !hidden(c) : c == '\t' || plain(line.front())) {
      out += line.substr(0, length);
    } else if (!continues_character(line.front())) {
      out += "\uFFFD";
    }
    line.remove_prefix(length);
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), plain)) return text.size();
  std::size_t width = 0;
  for (Clusters clusters(text); clusters.next();) width += clusters.width;
  return width;
}

std::size_t prefix_size(std::string_view text, std::size_t characters) {
  if (text.size() <= characters) return text.size();
  std::size_t size = 0, seen = 0;
  for (Clusters clusters(text); clusters.next();) {
    if (seen + clusters.characters > characters) {
      if (seen > 0) break;
      char32_t c = 0;  // a letter with more marks than fit
      for (; seen < characters; ++seen) size += decode(text.substr(size), c);
      break;
    }
    seen += clusters.characters;
    size += clusters.size;
    if (seen == characters) break;
  }
  return size;
}

std::string shorten(std::string_view text, std::size_t most) {
  if (prefix_size(text, most) == text.size()) return std::string(text);
  return std::string(text.substr(0, prefix_size(text, most - 3))) + "…";
}

Printable::Printable(std::string text) : text_(std::move(text)) {
  if (!std::all_of(text_.begin(), text_.end(), plain)) text_ = printable(text_);
  if (text_.size() <= kMostPrintable) return;
  const std::size_t whole = prefix_size(text_, kMostPrintable);
  if (whole == text_.size()) return;
  // The beginning and the end of a message describe the problem; the middle is usually a long quotation.
  constexpr std::size_t kEnd = kMostPrintable / 4;
  std::size_t end = text_.size(), kept = 0;
  for (; kept < kEnd && end > whole; ++kept) {
    do --end;
    while (end > whole && continues_character(text_[end]));
  }
  text_ = text_.substr(0, prefix_size(text_, kMostPrintable - kEnd - 3)) + " … " + text_.substr(end);
}

}  // namespace assay
