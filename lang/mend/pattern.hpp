// How a row of rewrites.def matches tokens. A pattern is a list of elements with blanks between them:
//
//   word         this token; "a|b": one of these; "so?": or nothing ("\\?" is the sign itself)
//   ^            nothing: what follows is the first token of a line or of a declaration
//   $e           an expression, as short as the rest of the pattern allows; at the end of a pattern as long as it goes
//   $c           the same without 'when', 'else' and 'if': a condition
//   $p  $o       a product; an operand: a name, a literal, a bracket, with its fields and calls
//   $n  $w  $t   a name; any word; a text in any quotation marks
//   $v           a name that no declaration begins with
//   $q  $l  $d   a text in other quotation marks than the language's; a name or a text; a number
//   $s           several operands, divided by commas or 'or'
//   $k           a type
//   $a           anything up to the bracket around it, commas and declarations included
//   $r           anything up to the end of the line, or nothing
//   ~            the tokens on both sides touch
//
// The words BAR and BARBAR stand for the signs '|' and '||'. If a pattern begins with $e, $c, $p or $o, the search
// looks for its second element, which must be a word or a sign. In a replacement, $1, $2 … are the matches of the
// elements with a '$' or with several words ("a|b"), in this order. $(1) adds parentheses unless the match is an
// operand, $!1 is the opposite of a condition, $"1 makes it a text in double quotes, $'1 a name; $~1 is the text between its quotation marks, $,1 its
// operands separated by commas.
#pragma once

#include "lang/mend/foreign/tokens.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::mending {

struct Match {
  std::size_t begin = 0, end = 0;                          // tokens
  std::vector<std::pair<std::size_t, std::size_t>> parts;  // tokens, the end exclusive
};

class Pattern {
 public:
  explicit Pattern(std::string_view text);
  // Whether it matches with its anchor, its first word or sign, at token i. `work` counts down the tokens that may
  // still be examined.
  bool match(const Tokens& tokens, std::size_t i, Match& result, std::size_t& work) const;
  // Whether the anchor may be this token: a quick test before match().
  bool may_begin(std::string_view shown) const;

 private:
  struct Element {
    enum class Kind : std::uint8_t { words, first, touch, part } kind;
    char part = 0;
    bool optional = false;
    std::vector<std::string_view> words;
  };
  struct State;
  bool match_from(State& state, std::size_t element, std::size_t token) const;
  bool match_part(State& state, std::size_t element, std::size_t token) const;
  bool match_before(State& state, std::size_t anchor) const;

  std::vector<Element> elements_;
  std::size_t anchor_ = 0;  // the element to search for
};

// The replacement, with the matched parts inserted; nothing where a part is not what the replacement makes of it.
std::optional<std::string> fill(std::string_view replacement, const Tokens& tokens, const Match& match);

// Makes a name from a name or a text: "Code quality" → code_quality.
std::string as_name(std::string_view written);

}  // namespace assay::mending
