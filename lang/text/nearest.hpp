// Which of some names was probably meant: nearest() of <assay/text.hpp>, and its stricter sister.
#pragma once

#include <assay/text.hpp>

#include <string_view>

namespace assay {

// Whether `name` is hardly anything but `known` with a slip in it, for remarks that nobody has asked for: the same but
// for capitals and separators ("editRatio", "edit_ratio"), or but for a letter of one long word, two of a very long
// one. Digits and first letters make another name, and so do short words: "score_2", "min_price".
bool misspelt(std::string_view name, std::string_view known);

}  // namespace assay
