// Titles of suggestions, made from their edits.
#pragma once

#include <assay/diagnostic.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace assay::mending {

// `text`: of the file of the edits; `at`: the byte of the problem. The edits are sorted by place, at least one.
std::string title_of(const std::string& text, const std::vector<Edit>& edits, std::size_t at,
                     std::vector<Printable>& lines);

// Of the edits of a CSV table that a rubric names, with the keys that the rubric gives to it.
std::string table_title(const std::string& name, const std::string& text, const std::vector<Edit>& edits,
                        const std::vector<std::string>& keys);

}  // namespace assay::mending
