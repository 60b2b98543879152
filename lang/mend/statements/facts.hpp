// The parts of a declaration, and the functions that read them from tokens.
#pragma once

#include "lang/mend/statements/items.hpp"

#include <assay/diagnostic.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::mending {

class Proposals;

struct Facts {
  std::string name, text, type, value, when, weight, points, fallback, low, high, decimals, missing, path, loop;
  bool above = false, below = false;  // low and high are no values of it
  std::string choices, items;         // of an input: the texts that it may be, and the type of what it lists
  std::string more;                   // another declaration that it needs
  bool label = false;                 // the name is written as a text
  bool optional = false, advisory = false, guessed = false;
  std::vector<std::pair<std::string, std::string>> levels;
  std::vector<std::string> parts;  // criteria
};

bool is_points(std::string_view word);
// Words between the name of a deduction and its amount: deduction smells cost 2.
bool costs(std::string_view word);
Span stripped(const Tokens& tokens, Span span);   // without separators at either end
bool is_condition_word(std::string_view word);    // when, if, unless
bool says_when(const Tokens& tokens, Span part);  // whether such a word is in it
std::string text_of(const std::string& words);    // in double quotes; empty stays empty
// Words, or several texts, as one text: "Fair" - "You see trees" becomes "Fair: You see trees".
std::string joined_text(const Tokens& tokens, Span span);
bool bracketed(const Tokens& tokens, Span span,
               std::string_view open);  // whether one pair of brackets encloses all of it
// Removes a text from the end or the beginning of a span, unless it is an operand.
std::string take_text(const Tokens& tokens, Span& span);
// A condition without its introducing words.
std::string condition_in(const Tokens& tokens, Span span);

// 'AMOUNT when CONDITION', 'if CONDITION: AMOUNT', or AMOUNT alone.
void split_condition(const Tokens& tokens, Span span, Facts& facts, Span& amount);
// The amount of a deduction or bonus, its condition and its text.
void read_adjustment(const Tokens& tokens, Span span, Facts& facts);
// The same for a sentence that says whether points are lost or won: 'late drafts lose 2 points', '+1 per source'.
// Returns "deduction" or "bonus"; empty for other sentences.
std::string_view read_change(const Tokens& tokens, Span span, Facts& facts);

// Reads the tokens after the name of such a declaration; false if they do not fit it.
bool read_rest(const Tokens& tokens, std::string_view word, Span span, Facts& facts);
// The keys of an item that is itself a block. `unread`: receives those that mean nothing here; without it reading fails.
bool read_keys(const Tokens& tokens, std::string_view word, const BlockItem& item, const std::string& indent,
               Facts& facts, std::vector<Span>* unread = nullptr);
// The type that the facts about an input say, with its policy; empty: they do not go together.
std::string type_of(const Facts& facts);
// Whether a word says that what follows must not be: veto moldy.
bool denies(std::string_view said);
// gate "Nobody answered" when count(replies) == 0: a gate says what has to be, and its words tell whether this does.
// `said`: the word of the declaration, of which only 'gate' leaves it open.
void settle_gate(std::string_view said, Facts& facts);
// check when late, check unless paid: a check says what has to be, too. Of 'if' only its words tell which is meant.
void settle_check(std::string_view begins, Facts& facts);
// Writes the declaration, inventing a name if there is none; empty if a required part is missing.
std::string written_declaration(std::string_view word, Facts facts, const std::string& indent);

// 'flag busy when cpu > 90, mem > 90': edits that join the conditions of a declaration, none of which has a name.
std::vector<Edit> conditions_with_commas(const Tokens& tokens, Span statement, const Proposals& out);

}  // namespace assay::mending
