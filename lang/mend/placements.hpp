// Places for a bracket that is missing, of which each gives an expression another meaning.
#pragma once

#include "lang/mend/foreign/tokens.hpp"

#include <cstddef>
#include <vector>

namespace assay::mending {

// The tokens before `end` behind which the partner of a round bracket may stand as well as at the end: where the expression
// then says something else than with all of it in the bracket. Empty: it belongs at the end.
std::vector<std::size_t> closing_places(const Tokens& tokens, std::size_t open, std::size_t end);

// The tokens before which the partner of a closing bracket may stand, from the beginning of its expression on. Empty: the
// expression says the same without the bracket.
std::vector<std::size_t> opening_places(const Tokens& tokens, std::size_t begin, std::size_t close);

// Where the expression around a closing bracket without a partner begins.
std::size_t begin_of_value(const Tokens& tokens, std::size_t close);

}  // namespace assay::mending
