// Prepares the source of a chunk before Lua compiles it: rewrites the bounds of loops, and refuses what would take
// Lua's compiler or its messages too long.
#include "runtime/hooks/lua/lua_source.hpp"

#include "runtime/hooks/lua/lua_meter.hpp"

#include <algorithm>
#include <cctype>

namespace assay {

namespace {

// Lua follows a chain of fields (a.b.c.d) recursively when an index fails, to name it in the message; and for each jump
// (elseif, break, goto) it searches all earlier jumps of the same kind.
constexpr std::size_t kFields = 1000, kJumps = 10'000;

// The bounds of a numeric `for` are the only place where Lua itself converts a text to a number, of any length and
// unmetered. `for i = a, b do` is compiled as `for i = -(-(a)), -(-(b)) do`, which refuses a text and changes no
// number.
class Rewriter {
 public:
  Rewriter(std::string_view text, Meter& meter) : text_(text), meter_(meter) {}
  LuaSource inspect() {
    while (next() && result_.problem.empty()) {}
    return std::move(result_);
  }
  LuaSource rewrite() {
    while (next()) {
      if (word_ == "for") numeric_loop();
    }
    result_.text.append(text_.substr(copied_));
    return std::move(result_);
  }

 private:
  std::size_t long_bracket(std::size_t at) const {  // its level + 1 at '[', or 0
    std::size_t level = at + 1;
    while (level < text_.size() && text_[level] == '=') ++level;
    return level < text_.size() && text_[level] == '[' ? level - at : 0;
  }
  void skip_long(std::size_t level) {
    const std::string close = "]" + std::string(level - 1, '=') + "]";
    const std::size_t end = text_.find(close, at_);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }
  // The next token: begin_ is its first character, word_ its text if it is a word or a sign; texts have an empty word_.
  bool next() {
    constexpr std::size_t kBetweenLooks = std::size_t{1} << 16;  // bytes
    if (at_ >= look_at_) {
      look_at_ = at_ + kBetweenLooks;
      if (meter_.must_end()) return false;
    }
    for (;;) {
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
      if (at_ >= text_.size()) return false;
      if (text_.substr(at_, 2) != "--") break;
      at_ += 2;
      const std::size_t level = at_ < text_.size() && text_[at_] == '[' ? long_bracket(at_) : 0;
      if (level) {
        skip_long(level);
      } else {
        while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
      }
    }
    begin_ = at_;
    const char c = text_[at_];
    word_ = {};
    if (c == '"' || c == '\'') {
      for (++at_; at_ < text_.size() && text_[at_] != c; ++at_) {
        if (text_[at_] == '\\') ++at_;
      }
      ++at_;
      count_zeros();
    } else if (c == '[' && long_bracket(at_)) {
      skip_long(long_bracket(at_));
      count_zeros();
    } else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
      word_ = text_.substr(begin_, at_ - begin_);
    } else if (text_.substr(at_, 2) == "..") {
      while (at_ < text_.size() && text_[at_] == '.') ++at_;
      word_ = text_.substr(begin_, 2);
    } else {
      word_ = text_.substr(at_++, 1);
    }
    look();
    return true;
  }
  // Counts the NULs in a text, literal or by escapes; an estimate from above.
  void count_zeros() {
    const std::string_view token = text_.substr(begin_, std::min(at_, text_.size()) - begin_);
    std::size_t count = 0;
    for (std::size_t i = 0; i < token.size(); ++i) {
      if (token[i] == '\0') ++count;
      if (token[i] != '\\' || ++i == token.size()) continue;
      const std::string_view escape = token.substr(i, 3);
      if (escape[0] == '0' || escape == "x00" || escape == "u{0" || escape[0] == '\0') ++count;
    }
    result_.zeros = std::max(result_.zeros, count);
  }
  void look() {
    if (word_ == "." || word_ == ":" || word_ == "[") {
      if (++fields_ > kFields) refuse("there are more than 1000 fields in a row");
    } else if (fields_ > 0 && ends_row(word_)) {
      fields_ = 0;
    }
    if (word_ == "elseif" || word_ == "break" || word_ == "goto" || (word_ == ":" && text_.substr(at_, 1) == ":")) {
      if (++jumps_ > kJumps) refuse("there are more than 10000 jumps in one file");
    }
  }
  // A token after which a chain of fields cannot continue.
  static bool ends_row(std::string_view word) {
    static constexpr std::string_view kEnds[] = {
        "..", "=",   ",",  ";",     "+",        "-",    "*",  "/",    "%",     "^",      "<",
        ">",  "~",   "(",  "{",     "}",        "then", "do", "end",  "local", "return", "and",
        "or", "not", "if", "while", "function", "for",  "in", "else", "until", "repeat"};
    return std::find(std::begin(kEnds), std::end(kEnds), word) != std::end(kEnds);
  }
  void refuse(const char* why) {
    if (!result_.problem.empty()) return;
    result_.problem = why;
    result_.line =
        1 + static_cast<int>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(begin_), '\n'));
  }
  void copy_to(std::size_t end, const char* then) {
    result_.text.append(text_.substr(copied_, end - copied_)).append(then);
    copied_ = end;
  }
  // After `for`: name, then '=' for a numeric loop.
  void numeric_loop() {
    if (!next() || !next() || word_ != "=") return;
    copy_to(at_, " -(-(");
    int depth = 0;  // of brackets and blocks within a bound
    while (next()) {
      if (depth == 0 && word_ == ",") {
        copy_to(begin_, "))");
        copy_to(at_, " -(-(");
      } else if (depth == 0 && word_ == "do") {
        copy_to(begin_, ")) ");
        return;
      } else if (word_ == "(" || word_ == "{" || word_ == "[" || word_ == "function" || word_ == "if" ||
                 word_ == "repeat" || word_ == "do") {
        ++depth;
      } else if (word_ == ")" || word_ == "}" || word_ == "]" || word_ == "end" || word_ == "until") {
        --depth;
      } else if (word_ == "for") {  // in a function within the bound
        const int inner = depth;
        numeric_loop();
        depth = inner;
        if (word_ == "do") ++depth;
      }
    }
  }

  std::string_view text_;
  Meter& meter_;
  std::size_t at_ = 0, begin_ = 0, copied_ = 0, look_at_ = 0;
  std::string_view word_;
  std::size_t fields_ = 0, jumps_ = 0;
  LuaSource result_;
};

}  // namespace

LuaSource inspect_source(std::string_view text, Meter& meter) { return Rewriter(text, meter).inspect(); }
LuaSource rewrite_source(std::string_view text, Meter& meter) { return Rewriter(text, meter).rewrite(); }

}  // namespace assay
