// A rubric, or a part of one, as a tree of keys: what outlines of YAML, JSON and Markdown and blocks of keys have in
// common, and the declarations that such a tree stands for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {

struct Entry {
  std::string key, value;  // as written, quotation marks included
  std::vector<Entry> children;
};

// A table of Markdown, by the words of its header: dimensions, or bands where it has no weights.
bool read_table(const std::vector<std::string_view>& rows, bool& bands, std::vector<Entry>& out);

// The word of declarations that the entries of such a section are: 'criteria' → dimension; empty: none.
std::string_view word_of_section(std::string_view key);
// A declaration of this word, without its line's end; empty: the entry is none.
std::string write_declaration(std::string_view word, const Entry& entry);

}  // namespace assay::mending
