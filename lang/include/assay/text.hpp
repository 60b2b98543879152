// Text functions for the library, the command and hosts: UTF-8, display width, cutting, escaping, printable forms, and
// the nearest of several names.
//
// Texts of authors, records and hooks may hold anything: invalid UTF-8, control characters, characters that change the
// direction of a line. A message that repeats such a text must not break the stream or terminal that shows it. So
// messages have the type Printable, which can only hold printable UTF-8.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

// A message repeats at most this many characters of a text from a record or an author.
inline constexpr std::size_t kMostQuoted = 60;
// A longer Printable loses its middle.
inline constexpr std::size_t kMostPrintable = 2000;

// ---- UTF-8

// Decodes the first character of `text` (not empty); returns its size in bytes. Invalid UTF-8 yields U+FFFD, one byte
// at a time.
std::size_t decode(std::string_view text, char32_t& character);

// Appends the character. A value that is not a character (a surrogate, a number above U+10FFFF) becomes a byte that is
// never valid UTF-8, so that is_utf8() is false.
void append_utf8(std::string& out, char32_t character);

bool is_utf8(std::string_view text);

// ---- showing

// The text on one line, as a message or table cell shows it: control characters, invisible characters, characters that
// change the direction of a line, and invalid bytes become escapes: \n, \u001b, \u202e, \xff.
std::string printable(std::string_view text);
// The same for a text of several lines: line feeds are kept.
std::string printable_lines(std::string_view text);
// JSON whose texts hold no such characters either: they are written as \u escapes, so that it has the same value.
std::string printable_json(std::string_view json);
// The text, printable, as a part of a line of Markdown that shows exactly it: no markup, link, HTML or cell of a table.
std::string plain_markdown(std::string_view text);
// The same as a code span, with as many backticks as it takes.
std::string code_span(std::string_view text);

// The number of terminal columns that the text takes: wide East Asian characters and emoji take two, combining marks
// none.
std::size_t display_width(std::string_view text);

// The size in bytes of the longest prefix with at most `characters` characters (code points). The prefix never splits a
// character, nor a letter from its combining marks.
std::size_t prefix_size(std::string_view text, std::size_t characters);

// The text when it has at most `most` characters; otherwise the first most - 3 of them and "…".
std::string shorten(std::string_view text, std::size_t most);

// Appends the text as a JSON string, with its quotes. The result is valid UTF-8: other bytes become U+FFFD.
void write_json_text(std::string_view text, std::string& out);

// ---- names

// The candidate that `name` probably meant, by edit distance; empty if none is similar enough to suggest.
std::string_view nearest(std::string_view name, const std::vector<std::string_view>& candidates);

// ---- the text of a message

class Printable;
template <class T>
concept TextLike = std::convertible_to<const T&, std::string_view> && !std::same_as<T, Printable>;

// One line of printable UTF-8, whatever it was made from; see printable(). Reads like a std::string.
class Printable {
 public:
  Printable() = default;
  Printable(std::string text);
  Printable(std::string_view text) : Printable(std::string(text)) {}
  Printable(const char* text) : Printable(std::string(text)) {}

  const std::string& str() const { return text_; }
  operator const std::string&() const { return text_; }
  operator std::string_view() const { return text_; }

  bool empty() const { return text_.empty(); }
  std::size_t size() const { return text_.size(); }
  const char* c_str() const { return text_.c_str(); }
  const char* data() const { return text_.data(); }
  char operator[](std::size_t at) const { return text_[at]; }
  char front() const { return text_.front(); }
  char back() const { return text_.back(); }
  std::string::const_iterator begin() const { return text_.begin(); }
  std::string::const_iterator end() const { return text_.end(); }
  std::size_t find(std::string_view what, std::size_t from = 0) const { return text_.find(what, from); }
  std::size_t find(char what, std::size_t from = 0) const { return text_.find(what, from); }
  std::size_t rfind(std::string_view what, std::size_t from = std::string::npos) const {
    return text_.rfind(what, from);
  }
  std::string substr(std::size_t at, std::size_t size = std::string::npos) const { return text_.substr(at, size); }
  bool starts_with(std::string_view what) const { return text_.starts_with(what); }
  bool ends_with(std::string_view what) const { return text_.ends_with(what); }

  void clear() { text_.clear(); }
  Printable& operator+=(std::string_view more) { return *this = Printable(text_ + std::string(more)); }

  friend bool operator==(const Printable& a, const Printable& b) { return a.text_ == b.text_; }
  template <TextLike T>
  friend bool operator==(const Printable& a, const T& b) {
    return a.text_ == std::string_view(b);
  }
  friend std::string operator+(const Printable& a, const Printable& b) { return a.text_ + b.text_; }
  template <TextLike T>
  friend std::string operator+(const Printable& a, const T& b) {
    return a.text_ + std::string(std::string_view(b));
  }
  template <TextLike T>
  friend std::string operator+(const T& a, const Printable& b) {
    return std::string(std::string_view(a)) + b.text_;
  }
  template <class Traits>
  friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Printable& text) {
    return out << text.text_;
  }

 private:
  std::string text_;
};

// The differences between two texts in the format of `diff -u`, `patch` and `git apply`: "--- a/NAME", "+++ b/NAME" and
// hunks with three lines of context. Empty if the texts are equal. More than 2,000 differing lines are shown as one
// hunk. Any thread.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace assay
