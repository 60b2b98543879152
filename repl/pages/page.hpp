// The frame of an HTML page and its escaped texts. Every text from a rubric or a record passes through escaped(), so
// that ids and prose cannot be more than text. The page allows only the style and the script written here, by their
// hashes, so that nothing else runs and no request leaves it.
#pragma once

#include <string>
#include <string_view>

namespace assay::cli {

// The text for an element or attribute value: characters that change the direction of a line become escapes, and texts
// of more than `most` characters are cut.
std::string escaped(std::string_view text, std::size_t most = 300);

std::string page_begin(std::string_view title);
std::string page_end();

}  // namespace assay::cli
