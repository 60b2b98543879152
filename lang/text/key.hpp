// How a rubric writes the name of a field, an input or an output.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Whether the text may stand as a name: letters, digits and '_', not a digit first, and no reserved word.
bool is_name(std::string_view text);
// The name itself, or in double quotes what is no name: "p50 ms", "missing".
std::string as_key(std::string_view name);

}  // namespace assay
