// Whether a word may begin a declaration, for suggestions of another word.
#pragma once

#include "lang/parse/syntax.hpp"

namespace assay {

// Whether `word` would begin a declaration if it were spelled `meant`: the following tokens must fit that word.
bool would_begin(std::string_view text, const RoughToken& word, std::string_view meant);

}  // namespace assay
