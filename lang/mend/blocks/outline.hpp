// A rubric in another notation: the keys of an outline of YAML, JSON or TOML as items, a document of Markdown as a tree of
// keys that is written as such an outline, and the rubric that an outline stands for.
#pragma once

#include "lang/mend/statements/items.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {

struct Entry {
  std::string key, value;  // as written, quotation marks included
  std::vector<Entry> children;
};

// Reads a table of Markdown by its header: dimensions, or bands if it has no weights. `called`: receives the header of the
// grades, unless it is there already.
bool read_table(const std::vector<std::string_view>& rows, bool& bands, std::vector<Entry>& out,
                std::string* called = nullptr);

// The entries as a block of keys in braces and brackets, as Tokens and read_block read it.
std::string as_block(const std::vector<Entry>& entries, int deep = 0);

// The word for the declarations in such a section: dimension for 'criteria'. Empty if there is none.
std::string_view word_of_section(std::string_view key);
// The same of a token, a word or a text, or else the declaration that it names, in the singular or the plural.
std::string_view section_of(const Token& token);

// The keys of the rubric that is all of a text, up to the token `last`: YAML, JSON, TOML, an object of JavaScript or Python;
// empty: it is something else. `name`: receives that of the object.
std::vector<BlockItem> items_of_document(const Tokens& tokens, std::size_t last, std::string& name);
// The fields of a schema of JSON, { "type": "object", "properties": …, "required": … }; of other items these themselves.
std::vector<BlockItem> fields_of_schema(const Tokens& tokens, std::vector<BlockItem> items);
// The rubric that a document of Markdown or of prose stands for; empty if it is none. `certain`: cleared if it says
// more than that.
std::string rubric_of_prose(const Tokens& tokens, bool& certain);
// Whether a text is an outline in which dimensions can be read.
bool is_outline(const Tokens& tokens);
// The rubric that an outline stands for; empty if it is none, or has keys that mean nothing. `certain`: cleared if a part of
// it is a guess.
std::string rubric_of_outline(const std::string& text, bool& certain);

}  // namespace assay::mending
