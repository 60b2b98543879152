// An explanation as Markdown and as a page: the indentation of its text makes it a tree.
#pragma once

#include <string>
#include <string_view>

namespace assay::cli {

std::string explanation_markdown(std::string_view text);
// As lists that can be opened and closed, without the line with the rubric's name.
std::string explanation_lists(std::string_view text);

}  // namespace assay::cli
