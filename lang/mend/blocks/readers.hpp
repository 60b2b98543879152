// The parts of a document that a file of this room reads for others: branches, grades, examples, rankings, scales.
#pragma once

#include "lang/mend/statements/items.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {

// The declarations of the branches or the loop that begin at a token, and the last token of these; empty: there are none.
std::string statements_at(const Tokens& tokens, std::size_t i, std::size_t& last);

// Grades in any form as a table of bands; empty: the tokens are none.
std::string bands_of(const Tokens& tokens, Span block, std::string_view name, std::string_view of,
                     std::string_view indent);
// The examples of a list; empty: it has none.
std::string examples_of(const Tokens& tokens, const std::vector<BlockItem>& items, const std::string& indent);

// The keys of a ranking, divided by commas, lines, 'then' or 'and'; false in `certain`: a direction is a guess.
std::string ranking_of(const Tokens& tokens, Span span, bool& certain);
// The ends of a scale, and its decimals, as a declaration; empty: there are not two numbers.
std::string scale_of(const Tokens& tokens, Span span);

}  // namespace assay::mending
