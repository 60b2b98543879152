// The spelling of a field, input or output name in a rubric.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Whether the text is a valid name: letters, digits and '_', no digit first, and not a reserved word.
bool is_name(std::string_view text);
// The name itself, or in double quotes if it is not a valid name: "p50 ms", "missing".
std::string as_key(std::string_view name);

}  // namespace assay
