// The zeros after the document stop every loop, so no loop checks a bound.
#include "runtime/json/json_cut.hpp"

#include "lang/text/ascii.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/json/bytes.hpp"
#include "runtime/json/json_tree.hpp"

#include <algorithm>
#include <string>

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

// Where a malformed item ends, and the next one can begin.
class Resumption {
 public:
  Resumption(std::string_view document, bool list)
      : begin_(document.data()), end_(begin_ + document.size()), list_(list) {}

  // After the bracket that closes the item; at the next line that begins as the item does, if its other lines are
  // indented; in a list also at the comma or bracket after it. Null: none of these is in the document.
  const char* end_of(const char* const item) {
    find_margin(item);
    open_.clear();
    lists_ = 0;
    bool text = false;  // a line feed ends it: JSON has none in texts
    for (const char* p = item; p < end_; ++p) {
      if (*p == '\n') {
        text = false;
        if (begins_item(p + 1)) return p + 1 + margin_.size();
      } else if (text) {
        if (*p == '\\' && p[1] != '\n') ++p;
        else text = *p != '"';
      } else if (*p == '"') {
        text = true;
      } else if (list_ && open_.empty() && (*p == ',' || *p == ']')) {
        return p;
      } else if (*p == '{' || *p == '[') {
        open_ += *p;
        lists_ += *p == '[';
      } else if (*p == '}' || *p == ']') {
        if (list_ && *p == ']' && lists_ == 0 && behind_space(p + 1) == end_) return p;
        if (close(*p == '}' ? '{' : '[')) return p + 1;
      }
    }
    return nullptr;
  }

  // The next line that begins with an object.
  const char* next_object(const char* p) const {
    while ((p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end_ - p)))) != nullptr) {
      if (++p == end_) return nullptr;
      if (*p == '{') return p;
    }
    return nullptr;
  }

 private:
  const char* behind_space(const char* p) const {
    while (p < end_ && is_space(*p)) ++p;
    return p;
  }

  bool begins_item(const char* p) const {
    const auto left = static_cast<std::size_t>(end_ - p);
    return aligned_ && left > margin_.size() && p[margin_.size()] == '{' &&
           std::memcmp(p, margin_.data(), margin_.size()) == 0;
  }

  // The white space before an item that begins a line. Other items are aligned with it if the item's second line is
  // indented further, or if it ends with its first line.
  void find_margin(const char* item) {
    const char* from = item;
    while (from > begin_ && (from[-1] == ' ' || from[-1] == '\t')) --from;
    margin_ = {from, static_cast<std::size_t>(item - from)};
    aligned_ = *item == '{' && (from == begin_ || from[-1] == '\n');
    if (!aligned_) return;
    const auto* const line = static_cast<const char*>(std::memchr(item, '\n', static_cast<std::size_t>(end_ - item)));
    if (line == nullptr) return;
    const char* second = behind_space(line);
    while (second > line && second[-1] != '\n') --second;
    if (begins_item(second)) {
      const char* last = line;
      while (is_space(last[-1]) || (list_ && last[-1] == ',')) --last;
      aligned_ = last[-1] == '}';
    } else {
      aligned_ = behind_space(second) - second > static_cast<std::ptrdiff_t>(margin_.size());
    }
  }

  // Closes the innermost bracket of this kind, and what is open within it. True: nothing is open any more.
  bool close(char bracket) {
    if ((bracket == '[' ? lists_ : open_.size() - lists_) == 0) return false;
    for (;;) {
      const char one = open_.back();
      open_.pop_back();
      lists_ -= one == '[';
      if (one == bracket) return open_.empty();
    }
  }

  const char* begin_;
  const char* end_;
  bool list_;
  std::string_view margin_;
  bool aligned_ = false;
  std::string open_;       // brackets
  std::size_t lists_ = 0;  // of these are '['
};

class Cutter {
 public:
  Cutter(std::string_view text, int nesting, std::vector<JsonItem>& items, const Interrupt* interrupt)
      : text_(text), end_(text.data() + text.size()), nesting_(nesting), items_(items), interrupt_(interrupt) {}

  bool document() {
    const char* const p = next(text_.data());
    if (*p == '{') return objects(p);
    return *p == '[' && nesting_ > 0 && list(next(p + 1));
  }

 private:
  using Fault = JsonItem::Fault;

  // False: the interrupt is due.
  bool objects(const char* p) {
    Resumption resumption(text_, false);
    while (p < end_) {
      if ((items_.size() & 0xff) == 0 && interrupted(interrupt_)) return false;
      const char* const begin = p;
      items_.push_back({{}, line_});
      if (*p != '{') p = faulty(begin, Fault::after, *p == ',' ? nullptr : resumption.next_object(p));
      else if ((p = value(p, 0)) == nullptr) p = faulty(begin, Fault::malformed, resumption.end_of(begin));
      else items_.back().text = {begin, static_cast<std::size_t>(p - begin)};
      p = next(p);
    }
    return true;
  }

  bool list(const char* p) {
    Resumption resumption(text_, true);
    for (bool over = *p == ']'; !over;) {
      if ((items_.size() & 0xff) == 0 && interrupted(interrupt_)) return false;
      const char* const begin = p;
      items_.push_back({{}, line_});
      if ((p = value(p, 1)) == nullptr) p = faulty(begin, Fault::malformed, resumption.end_of(begin));
      else items_.back().text = {begin, static_cast<std::size_t>(p - begin)};
      p = next(p);
      if ((items_.back().fault == Fault::none && *p != ',' && *p != ']') || (p == end_ && !items_.back().last)) {
        items_.push_back({{}, line_});
        const char* const record = p == end_ || *p == '{' ? p : next(p + 1);  // a ';' may stand before it
        p = next(faulty(p, Fault::no_comma, *record == '{' ? record : resumption.end_of(p)));
      }
      if (items_.back().last) return true;
      over = *p == ']';
      if (*p == ',') p = next(p + 1);
    }
    p = next(p + 1);
    if (p == end_) return true;
    items_.push_back({{}, line_});
    faulty(p, Fault::after, nullptr);
    return true;
  }

  // The next part of the document, or its end, which a line feed follows.
  const char* next(const char* p) {
    p = space(p);
    if (p <= end_) return p;
    --line_;
    return end_;
  }

  // The last item lies between these positions; null: nothing shows where it ends. Returns the end.
  const char* faulty(const char* begin, Fault fault, const char* end) {
    JsonItem& item = items_.back();
    item.fault = fault;
    item.last = end == nullptr;
    if (item.last) end = end_;
    item.text = {begin, static_cast<std::size_t>(end - begin)};
    line_ = item.line + static_cast<std::uint64_t>(std::count(begin, end, '\n'));
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

  std::string_view text_;
  const char* end_;
  int nesting_;
  std::vector<JsonItem>& items_;
  const Interrupt* interrupt_;
  std::uint64_t line_ = 1;
};

}  // namespace

bool cut_json(std::string_view text, int nesting, std::vector<JsonItem>& items, const Interrupt* interrupt) {
  return Cutter(text, nesting, items, interrupt).document();
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
