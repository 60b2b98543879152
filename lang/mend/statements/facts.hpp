// What a declaration says, part by part, and the readers that take it out of tokens.
#pragma once

#include "lang/mend/statements/items.hpp"

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

bool is_points(std::string_view word);
Span stripped(const Tokens& tokens, Span span);                          // without separators at both ends
bool is_condition_word(std::string_view word);                           // when, if, unless
std::string text_of(const std::string& words);                           // in double quotes; of nothing: nothing
bool bracketed(const Tokens& tokens, Span span, std::string_view open);  // all of it is in one pair
// Takes the text out of a span that says something else as well: at its end or at its beginning, not as an operand.
std::string take_text(const Tokens& tokens, Span& span);
// A condition without the words that announce it.
std::string condition_in(const Tokens& tokens, Span span);

// 'AMOUNT when CONDITION', 'if CONDITION: AMOUNT', or AMOUNT alone.
void split_condition(const Tokens& tokens, Span span, Facts& facts, Span& amount);
// The amount of a deduction or bonus, its condition and its text.
void read_adjustment(const Tokens& tokens, Span span, Facts& facts);
// The same of a sentence that says itself whether points are lost or won: 'late drafts lose 2 points', '+1 per source',
// of which it returns the word, "deduction" or "bonus"; empty: it says something else.
std::string_view read_change(const Tokens& tokens, Span span, Facts& facts);

// What stands behind the name of such a declaration; false: something that it cannot say.
bool read_rest(const Tokens& tokens, std::string_view word, Span span, Facts& facts);
// The keys of an item that is itself a block.
bool read_keys(const Tokens& tokens, std::string_view word, const BlockItem& item, const std::string& indent,
               Facts& facts);
// The declaration that these are, with a name where none is said; empty: it lacks something.
std::string written_declaration(std::string_view word, Facts facts, const std::string& indent);

}  // namespace assay::mending
