// An explanation as Markdown and as a page: its text is a tree, by its indentation.
#pragma once

#include <string>
#include <string_view>

namespace assay::cli {

std::string explanation_markdown(std::string_view text);
// As lists that open and close, without the line of the rubric's name.
std::string explanation_lists(std::string_view text);

}  // namespace assay::cli
