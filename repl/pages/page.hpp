// The frame of a page of HTML and its escaped texts. Everything that comes from a rubric or a record passes through escaped(),
// so that no id and no prose can be more than a text; and the page allows nothing but the style and the script written here,
// by their hashes, so that nothing else runs and no request leaves it.
#pragma once

#include <string>
#include <string_view>

namespace assay::cli {

// As a text or the value of an attribute; characters that change the direction of a line are shown as escapes, texts of
// more than `most` characters are cut.
std::string escaped(std::string_view text, std::size_t most = 300);

std::string page_begin(std::string_view title);
std::string page_end();

}  // namespace assay::cli
