// One declaration from what an author certainly said: its word, its name, amounts, a condition, a text, in whatever order
// and with whatever signs between them. The result is tried by the caller like any other proposal.
#pragma once

#include "lang/mend/statements/items.hpp"

#include <string>
#include <string_view>

namespace assay::mending {

struct Declared {
  std::string text;     // empty: the tokens are no such declaration
  bool certain = true;  // false: words were taken for prose
};

// An item of a block of such declarations: 'crust (40%)' in 'dimensions:'.
Declared declare(const Tokens& tokens, std::string_view word, const BlockItem& item, const std::string& indent);
// A statement that begins with a word for a declaration: 'deduct 5 points if late'.
Declared declare_statement(const Tokens& tokens, Span statement, const std::string& indent);
// A sentence about points, without any such word: 'late drafts lose 2 points'; empty: it is none.
Declared declare_change(const Tokens& tokens, Span sentence, const std::string& indent);
// A statement under a condition of the block around it, and in a loop around it ('x in xs'); empty: there is none.
Declared declare_statement(const Tokens& tokens, Span statement, const std::string& indent,
                           const std::string& condition, const std::string& loop = {});

// The word of declarations that a statement begins with, in any language or mood; empty: none.
std::string_view word_of_statement(std::string_view written);

// 'gas: 0' and 'wood: 15', of the texts of an input that is one of them: a choice by this input; empty: there is none.
std::string choice_by_input(const Tokens& tokens, const std::vector<BlockItem>& items);

// A condition with its phrases as signs: 'hours must be at least 8' → 'hours >= 8'.
std::string plain_condition(std::string_view written);

// A name that no declaration has: of the words of a text.
std::string name_of_text(std::string_view text);

}  // namespace assay::mending
