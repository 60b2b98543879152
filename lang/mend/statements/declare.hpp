// Makes one declaration of the parts that can be recognized (its word, a name, amounts, a condition, a text), in any
// order and with any signs between them. The caller tries the result like any other proposal.
#pragma once

#include "lang/mend/statements/items.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {

struct Declared {
  std::string text;     // empty if the tokens are no such declaration
  bool certain = true;  // false if words were taken for prose
};

// An item of a block of such declarations: 'crust (40%)' in 'dimensions:'. `unread`: receives the keys that mean nothing
// in it; without it an item with such a key is no declaration.
Declared declare(const Tokens& tokens, std::string_view word, const BlockItem& item, const std::string& indent,
                 std::vector<Span>* unread = nullptr);
// A statement that begins with a word for a declaration: 'deduct 5 points if late'.
Declared declare_statement(const Tokens& tokens, Span statement, const std::string& indent);
// A sentence about points, without any such word: 'late drafts lose 2 points'. Empty for other sentences.
Declared declare_change(const Tokens& tokens, Span sentence, const std::string& indent);
// A statement inside a block with a condition, and perhaps inside a loop ('x in xs'); these may be empty.
Declared declare_statement(const Tokens& tokens, Span statement, const std::string& indent,
                           const std::string& condition, const std::string& loop = {});

// The word for a declaration with which a statement begins, in any language or mood; empty if there is none.
std::string_view word_of_statement(std::string_view written);

// A choice by an input, from its texts as keys: 'gas: 0', 'wood: 15'. Empty if the keys are not the texts of an input.
std::string choice_by_input(const Tokens& tokens, const std::vector<BlockItem>& items);

// A condition with operators for its phrases: 'hours must be at least 8' → 'hours >= 8'.
std::string plain_condition(std::string_view written);

// A name made of the words of a text.
std::string name_of_text(std::string_view text);

// Whether it says what a declaration has, as 'weight' does, and is no name.
bool is_key(std::string_view word);

}  // namespace assay::mending
