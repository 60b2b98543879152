// Whether a word may begin a declaration, for those who suggest another word for it.
#pragma once

#include "lang/parse/syntax.hpp"

namespace assay {

// Whether `word` would begin a declaration if it were `meant`, a word of declarations: what stands behind it has to fit.
bool would_begin(std::string_view text, const RoughToken& word, std::string_view meant);

}  // namespace assay
