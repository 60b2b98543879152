// Parses Python's literals by recursive descent.
#include "runtime/npy/python_literal.hpp"

#include <assay/text.hpp>

#include <charconv>

namespace assay {

namespace {

constexpr int kMostBrackets = 32;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool value(PythonValue& out, int depth = 0) {
    skip_space();
    if (at_ == text_.size() || depth > kMostBrackets) return false;
    const char c = text_[at_];
    if (c == '\'' || c == '"') return quoted(out);
    if (c >= '0' && c <= '9') return whole(out);
    if (c == '(') return items(out, PythonValue::Kind::tuple, ')', depth);
    if (c == '[') return items(out, PythonValue::Kind::list, ']', depth);
    if (c == '{') return items(out, PythonValue::Kind::dict, '}', depth);
    return word(out);
  }
  bool ended() {
    skip_space();
    return at_ == text_.size();
  }
  std::size_t at() const { return at_; }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool word(PythonValue& out) {
    const auto is = [this](std::string_view word) { return text_.substr(at_, word.size()) == word; };
    out.kind = is("None") ? PythonValue::Kind::none : PythonValue::Kind::truth;
    out.truth = is("True");
    if (!is("None") && !is("True") && !is("False")) return false;
    at_ += is("False") ? 5 : 4;
    return true;
  }

  bool whole(PythonValue& out) {
    const char* const end = text_.data() + text_.size();
    const auto [stop, status] = std::from_chars(text_.data() + at_, end, out.whole);
    if (status != std::errc()) return false;
    at_ = static_cast<std::size_t>(stop - text_.data());
    out.kind = PythonValue::Kind::whole;
    return true;
  }

  // The character after a backslash. Not supported: \N{…}, octal numbers, and line continuation.
  bool escape(std::string& out) {
    if (at_ == text_.size()) return false;
    constexpr std::string_view kNames = "\\'\"ntrabfv", kMeanings = "\\'\"\n\t\r\a\b\f\v";
    const char c = text_[at_++];
    if (const std::size_t name = kNames.find(c); name != std::string_view::npos) {
      out += kMeanings[name];
      return true;
    }
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    std::uint32_t character = 0;
    if (digits == 0 || text_.size() - at_ < digits) return false;
    const char* const first = text_.data() + at_;
    const auto [stop, status] = std::from_chars(first, first + digits, character, 16);
    if (status != std::errc() || stop != first + digits) return false;
    at_ += digits;
    append_utf8(out, character);
    return true;
  }

  bool quoted(PythonValue& out) {
    out.kind = PythonValue::Kind::text;
    for (const char quote = text_[at_++]; at_ < text_.size();) {
      const char c = text_[at_++];
      if (c == quote) return true;
      if (c == '\n') return false;
      if (c != '\\') out.text += c;
      else if (!escape(out.text)) return false;
    }
    return false;
  }

  // A comma may follow the last item. Parentheses without a comma contain just the item.
  bool items(PythonValue& out, PythonValue::Kind kind, char close, int depth) {
    out.kind = kind;
    ++at_;
    for (bool comma = true; !take(close);) {
      if (!comma || !value(out.items.emplace_back(), depth + 1)) return false;
      if (kind == PythonValue::Kind::dict && (!take(':') || !value(out.items.emplace_back(), depth + 1))) return false;
      comma = take(',');
      if (comma || kind != PythonValue::Kind::tuple || out.items.size() > 1) continue;
      if (!take(close)) return false;
      PythonValue only = std::move(out.items.front());
      out = std::move(only);
      return true;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const PythonValue* PythonValue::find(std::string_view key) const {
  for (std::size_t i = 0; kind == Kind::dict && i + 1 < items.size(); i += 2) {
    if (items[i].kind == Kind::text && items[i].text == key) return &items[i + 1];
  }
  return nullptr;
}

std::optional<PythonValue> parse_python(std::string_view text, std::size_t& at) {
  Parser parser(text);
  PythonValue result;
  const bool whole = parser.value(result) && parser.ended();
  at = parser.at();
  if (!whole) return std::nullopt;
  return result;
}

}  // namespace assay
