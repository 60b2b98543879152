// Readers that several files of this room use: branches, grades, examples, rankings, scales.
#pragma once

#include "lang/mend/mend.hpp"
#include "lang/mend/statements/items.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {

// The declarations in the branches or the loop that begin at a token; `last`: its last token. Empty if there are none.
std::string statements_at(const Tokens& tokens, std::size_t i, std::size_t& last);

// The rows of a table in bars as cells; false: the block is none.
bool read_bars(const Tokens& tokens, Span block, std::vector<std::vector<Span>>& rows);
// Proposals for the levels or criteria of a dimension below it by indentation, in brackets or in a table.
void parts_below(const Window& window, std::size_t i, Proposals& out);

// Grades as items in any notation as a table of bands; empty if they are no grades. `sure`: cleared if their limits can be
// read in two ways.
std::string bands_of(const Tokens& tokens, const std::vector<BlockItem>& items, std::string_view name,
                     std::string_view indent, bool& sure);
// The context that an item declares with its weights: { crust: 70% }; empty: it is none.
std::string context_of(const Tokens& tokens, const BlockItem& item, const std::string& indent);
// Whether a word is one of those that grades stand under: bands, medals, cutoffs.
bool heads_grades(std::string_view word);
// The examples in a list; empty if there are none.
std::string examples_of(const Tokens& tokens, const std::vector<BlockItem>& items, const std::string& indent);

// The keys of a ranking, separated by commas, lines, 'then' or 'and'. Clears `certain` if a direction is a guess.
// `sorts`: a key without a direction rises where others have one, as in SQL.
std::string ranking_of(const Tokens& tokens, Span span, bool& certain, bool sorts = false);
// A scale with its ends and decimals as a declaration; empty without two numbers.
std::string scale_of(const Tokens& tokens, Span span);

}  // namespace assay::mending
