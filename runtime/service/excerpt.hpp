// The part of a text that a trial of a change needs. A trial compiles the text again, and somebody waits for it.
#pragma once

#include "runtime/service/service_impl.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

// The text with blanks in place of declarations that have nothing to do with those at `places`: what they use, what
// uses them and what this uses in turn remains, and so does what `written`, texts that a change writes, names. Offsets
// and lines stay as they are. Declarations without a name, and those of the score, always remain. A file in which one
// rubric may change another one is left whole.
std::string excerpt(const TextAnalysis& analysis, const std::vector<TextRange>& places,
                    const std::vector<std::string_view>& written);

}  // namespace assay
