// A rubric, or a part of one, as a tree of keys, which Markdown and TOML have in common; such a tree as a block; and the
// rubric that a block, or an outline of YAML or JSON, stands for.
#pragma once

#include "lang/mend/foreign/tokens.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {

struct Entry {
  std::string key, value;  // as written, quotation marks included
  std::vector<Entry> children;
};

// Reads a table of Markdown by its header: dimensions, or bands if it has no weights.
bool read_table(const std::vector<std::string_view>& rows, bool& bands, std::vector<Entry>& out);

// The entries as a block of keys in braces and brackets, as Tokens and read_block read it.
std::string as_block(const std::vector<Entry>& entries, int deep = 0);

// The word for the declarations in such a section: dimension for 'criteria'. Empty if there is none.
std::string_view word_of_section(std::string_view key);
// The same of a token, a word or a text, or else the declaration that it names, in the singular or the plural.
std::string_view section_of(const Token& token);
// The rubric that a document of nested keys stands for; empty if it is none.
std::string rubric_of_document(const Tokens& tokens);

}  // namespace assay::mending
