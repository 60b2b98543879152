// Finds the name that was probably meant: nearest() of <assay/text.hpp>, and a stricter version.
#pragma once

#include <assay/text.hpp>

#include <string_view>

namespace assay {

// Whether `name` is almost certainly a misspelling of `known`, for unsolicited notes: they are equal except for
// capitals and separators ("editRatio", "edit_ratio"), or for one letter of a long word, or two of a very long one.
// Different digits, first letters or short words make different names: "score_2", "min_price".
bool misspelt(std::string_view name, std::string_view known);

}  // namespace assay
