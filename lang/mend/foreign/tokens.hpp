// The tokens of a text that may be in another language: those of rough_token(), and texts in other quotation marks.
// Each bracket knows its partner.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

struct Token {
  enum class Kind : std::uint8_t { word, number, text, quoted, sign, end } kind;  // quoted: 'so' or “so”
  std::size_t begin, end;                                                         // bytes
  std::string_view shown;                                                         // of the text, not owned
  bool first = false;                                                             // in its line
  bool starts = false;                                                            // a declaration
  std::size_t partner = kNone;                                                    // of a bracket
  bool value() const { return kind != Kind::sign && kind != Kind::end; }
  bool is_text() const { return kind == Kind::text || kind == Kind::quoted; }
};

template <std::size_t N>
bool among(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
inline bool among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class Tokens {
 public:
  explicit Tokens(std::string_view text);  // which must outlive this
  explicit Tokens(std::string&& text) = delete;
  std::size_t size() const { return tokens_.size(); }  // the last one is the end
  const Token& operator[](std::size_t i) const { return tokens_[i < tokens_.size() ? i : tokens_.size() - 1]; }
  std::string_view text() const { return text_; }
  std::string_view text(std::size_t first,
                        std::size_t last) const;  // from the first token to the end of the last one
  bool is(std::size_t i, std::string_view word) const { return i < tokens_.size() && tokens_[i].shown == word; }
  std::size_t at(std::size_t offset) const;  // the first token that ends after this byte

  bool opens(std::size_t i) const;
  bool closes(std::size_t i) const;
  bool ends_value(std::size_t i) const;     // whether a value may end with this token
  std::size_t behind(std::size_t i) const;  // for a bracket: after its partner; otherwise i + 1

  std::size_t head(std::size_t i) const;  // of the declaration that holds this token; 0 if none does

  // The token after an interval of mathematics that begins at i, [0, 100) or ]0, 1]; kNone: none does.
  std::size_t behind_interval(std::size_t i) const;

  // The token after the operand that begins at i (a name, a literal, a bracket, with its fields and calls); i if there
  // is none.
  std::size_t operand(std::size_t i) const;
  // The first token of the operand that ends with token `last`; last + 1 if there is none.
  std::size_t operand_before(std::size_t last) const;

  // The innermost pair of braces that holds this token, or begins with it: its first token; kNone if there is none.
  // Takes linear time.
  std::size_t brace_around(std::size_t i) const;

  // The token where one of these words declares this name; kNone if none does. Takes linear time.
  std::size_t declaration(std::initializer_list<std::string_view> words, std::string_view name) const;

 private:
  void pair_brackets();
  bool item_of_closure(std::string_view text, std::size_t at) const;
  std::string_view text_;
  std::vector<Token> tokens_;
};

bool is_reserved(std::string_view word);
// A word that begins declarations: the word itself, or Assay's word for one of another language; empty for other words.
std::string_view known_word(std::string_view word);

// How many tokens from `i` on say that what follows must not hold: unless, except when, but not if, without; 0: none.
std::size_t negative_words(const Tokens& tokens, std::size_t i);

// Rewrites a text in any quotation marks with double quotes.
std::string as_text(std::string_view written);

// The number before a unit, in the unit of the name before token `at`: 'minutes > 2 h' is 120. The number itself where that
// name has no unit, or the same.
std::string in_unit_before(const Tokens& tokens, std::size_t at, const std::string& number, std::string_view unit);

// Whether other numbers stand with another unit of the same measure, 10 minutes and 2 h, and no name before token `at` says
// which one counts: dropping both would compare different things.
bool mixed_units(const Tokens& tokens, std::size_t at, std::string_view unit);

// Whether a declared name that touches the number at a token says its unit: kg <= 5kg, | <= 5kg |; in n > 3m it is a factor.
bool is_unit_of_name(const Tokens& tokens, std::size_t at, std::string_view name);

// Whether it is a word for the score: total, result.
bool is_score(std::string_view word);

}  // namespace assay::mending
