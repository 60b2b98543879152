// What a declaration says, part by part, and the readers that take it out of tokens.
#pragma once

#include "lang/mend/blocks/items.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::mending {

struct Facts {
  std::string name, text, type, value, when, weight, points, fallback, low, high, decimals, missing, path, loop;
  bool label = false;  // the name is written as a text
  bool optional = false, advisory = false, guessed = false;
  std::vector<std::pair<std::string, std::string>> levels;
  std::vector<std::string> parts;  // criteria
};

bool is_condition_word(std::string_view word);                           // when, if, unless
std::string text_of(const std::string& words);                           // in double quotes; of nothing: nothing
bool bracketed(const Tokens& tokens, Span span, std::string_view open);  // all of it is in one pair
// Takes the text out of a span that says something else as well: at its end or at its beginning, not as an operand.
std::string take_text(const Tokens& tokens, Span& span);
// A condition without the words that announce it.
std::string condition_in(const Tokens& tokens, Span span);

// What stands behind the name of such a declaration; false: something that it cannot say.
bool read_rest(const Tokens& tokens, std::string_view word, Span span, Facts& facts);
// The keys of an item that is itself a block.
bool read_keys(const Tokens& tokens, std::string_view word, const BlockItem& item, const std::string& indent,
               Facts& facts);

}  // namespace assay::mending
