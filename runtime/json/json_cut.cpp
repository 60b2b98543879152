// The zeros after the document stop every loop, so no loop checks a bound.
#include "runtime/json/json_cut.hpp"

#include "lang/text/ascii.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/json/bytes.hpp"
#include "runtime/json/json_tree.hpp"

namespace assay {

namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
// Skips spaces; a line written for people often begins with many.
inline const char* behind_spaces(const char* p) {
  if constexpr (std::endian::native == std::endian::little) {
    for (;; p += sizeof(std::uint64_t)) {
      const std::uint64_t others = word_at(p) ^ repeated(' ');
      if (others != 0) return p + std::countr_zero(others) / 8;
    }
  }
  while (*p == ' ') ++p;
  return p;
}

class Cutter {
 public:
  Cutter(int nesting, const Interrupt* interrupt) : nesting_(nesting), interrupt_(interrupt) {}

  // Each reads from p and returns the position after the value, or null.
  const char* document(const char* p, std::vector<JsonItem>& items) {
    p = space(p);
    if (*p == '{') {
      while (*p == '{') {
        items.push_back({{p, 0}, line_});  // NOLINT(bugprone-string-constructor): its end is not known yet
        if ((items.size() & 0xff) == 0 && interrupted(interrupt_)) return nullptr;
        p = item(p, 0, items.back());
        if (p == nullptr) return nullptr;
        p = space(p);
      }
      return p;
    }
    if (*p == '[' && nesting_ > 0) {
      p = space(p + 1);
      if (*p == ']') return space(p + 1);
      for (;;) {
        items.push_back({{p, 0}, line_});  // NOLINT(bugprone-string-constructor): as above
        if ((items.size() & 0xff) == 0 && interrupted(interrupt_)) return nullptr;
        p = item(p, 1, items.back());
        if (p == nullptr) return nullptr;
        p = space(p);
        const char next = *p++;
        if (next == ']') break;
        if (next != ',') return nullptr;
        p = space(p);
      }
      return space(p);
    }
    return nullptr;
  }

 private:
  const char* item(const char* p, int depth, JsonItem& out) {
    const char* const end = value(p, depth);
    if (end != nullptr) out.text = {p, static_cast<std::size_t>(end - p)};
    return end;
  }

  const char* space(const char* p) { return static_cast<unsigned char>(*p) > ' ' ? p : some_space(p); }
  const char* some_space(const char* p) {
    while (is_space(*p)) {
      line_ += *p == '\n';
      p = behind_spaces(p + 1);
    }
    return p;
  }

  const char* value(const char* p, int depth) {
    switch (*p) {
      case '"': return text(p);
      case 't': return std::memcmp(p, "true", 4) == 0 ? p + 4 : nullptr;
      case 'f': return std::memcmp(p, "false", 5) == 0 ? p + 5 : nullptr;
      case 'n': return std::memcmp(p, "null", 4) == 0 ? p + 4 : nullptr;
      case '{': return depth < nesting_ ? parts<true>(p + 1, '}', depth + 1) : nullptr;
      case '[': return depth < nesting_ ? parts<false>(p + 1, ']', depth + 1) : nullptr;
      default: return number(p);
    }
  }

  template <bool kObject>
  const char* parts(const char* p, char close, int depth) {
    p = space(p);
    if (*p == close) return p + 1;
    constexpr unsigned kBetween = 1 << 15;  // parts between two looks at the interrupt
    for (unsigned left = kBetween;;) {
      if (--left == 0) {
        if (interrupted(interrupt_)) return nullptr;
        left = kBetween;
      }
      if constexpr (kObject) {
        if (*p != '"') return nullptr;
        p = text(p);
        if (p == nullptr) return nullptr;
        p = space(p);
        if (*p++ != ':') return nullptr;
        p = space(p);
      }
      p = *p == '"' ? text(p) : is_digit(*p) ? number(p) : value(p, depth);
      if (p == nullptr) return nullptr;
      p = space(p);
      const char next = *p++;
      if (next == close) return p;
      if (next != ',') return nullptr;
      p = space(p);
    }
  }

  static const char* number(const char* p) {
    if constexpr (std::endian::native == std::endian::little) {
      // Most numbers are short: the positions of the first two bytes that are not digits are enough, without a loop
      // whose end cannot be predicted.
      const std::uint64_t digits = word_at(p) ^ repeated('0');
      std::uint64_t others = ((digits + repeated(0x76)) | digits) & repeated(0x80);
      if (others != 0) {
        const auto whole = std::countr_zero(others) / 8;
        others &= others - 1;
        const auto size = p[whole] != '.' ? whole : others != 0 ? std::countr_zero(others) / 8 : 0;
        const bool good = whole != 0 && (whole == 1 || *p != '0') && size != whole + 1 && size != 0;
        if (good && (p[size] | 0x20) != 'e') return p + size;
      }
    }
    p += *p == '-';
    if (!is_digit(*p)) return nullptr;
    if (*p++ != '0') {
      while (is_digit(*p)) ++p;
    }
    if (*p == '.') {
      if (!is_digit(*++p)) return nullptr;
      while (is_digit(*p)) ++p;
    }
    if ((*p | 0x20) == 'e') {
      ++p;
      p += *p == '-' || *p == '+';
      if (!is_digit(*p)) return nullptr;
      while (is_digit(*p)) ++p;
    }
    return p;  // the caller rejects a byte that cannot follow a value
  }

  static const char* text(const char* p) {
    ++p;
    for (;;) {
      p = plain_end(p);
      if (*p == '"') return p + 1;
      std::size_t length = 0;
      if (*p == '\\') length = escape(p);
      else if (static_cast<unsigned char>(*p) >= 0x80) length = utf8_length({p, 4});
      if (length == 0) return nullptr;
      p += length;
    }
  }

  // Of \uXXXX; -1 if these are not four hexadecimal digits.
  static int code_unit(const char* p) {
    int unit = 0;
    for (int i = 2; i < 6; ++i) {
      const char low = static_cast<char>(p[i] | 0x20);
      if (!is_digit(p[i]) && (low < 'a' || low > 'f')) return -1;
      unit = unit * 16 + (is_digit(p[i]) ? p[i] - '0' : low - 'a' + 10);
    }
    return unit;
  }

  // The length of an escape, or of two that make one character; 0 for half of such a pair.
  static std::size_t escape(const char* p) {
    switch (p[1]) {
      case '"':
      case '\\':
      case '/':
      case 'b':
      case 'f':
      case 'n':
      case 'r':
      case 't': return 2;
      case 'u': break;
      default: return 0;
    }
    const int first = code_unit(p);
    if (first < 0 || (first & 0xf800) != 0xd800) return first < 0 ? 0 : 6;
    const bool pair = first < 0xdc00 && p[6] == '\\' && p[7] == 'u' && (code_unit(p + 6) & 0xfc00) == 0xdc00;
    return pair ? 12 : 0;
  }

  int nesting_;
  const Interrupt* interrupt_;
  std::uint64_t line_ = 1;
};

}  // namespace

bool cut_json(std::string_view text, int nesting, std::vector<JsonItem>& items, const Interrupt* interrupt) {
  const char* const end = text.data() + text.size();
  const char* const after = Cutter(nesting, interrupt).document(text.data(), items);
  return after != nullptr && after >= end;  // a zero inside the text stops it earlier
}

char* compact_json(std::string_view text, char* out) {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    // Finds the next space or quote: outside texts no other characters are below '#'.
    std::uint64_t marks = 0;
    if constexpr (std::endian::native == std::endian::little) {
      const std::uint64_t word = word_at(p);
      std::memcpy(out, &word, sizeof word);
      marks = (word - repeated('#')) & ~word & repeated(0x80);
      const std::ptrdiff_t plain = marks == 0 ? 8 : std::countr_zero(marks) / 8;
      p += plain;
      out += plain;
      if (marks == 0 || p == end) continue;  // a line feed or a zero is at the end
    } else if (*p != '"' && !is_space(*p)) {
      *out++ = *p++;
      continue;
    }
    if (*p != '"') {
      p = behind_spaces(p + 1);
      continue;
    }
    const char* const begin = p++;
    while (*(p = plain_end(p)) != '"') p += *p == '\\' ? 2 : 1;
    ++p;
    for (const char* from = begin; from < p; from += kBlock) std::memcpy(out + (from - begin), from, kBlock);
    out += p - begin;
  }
  return out;
}

}  // namespace assay
