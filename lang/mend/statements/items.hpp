// A block in any notation as items, which brackets, indentation, bullets, commas or the bars of a table separate. An
// item may have a key, and items of its own if its value is a block.
#pragma once

#include "lang/mend/foreign/tokens.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {

struct Span {  // of tokens
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin >= end; }
};

struct BlockItem {
  std::string key;              // without quotation marks; may be empty
  bool quoted = false;          // the key
  bool may_be_missing = false;  // of an input that is not among those which a schema requires
  Span all, value;              // value: the tokens after the key, without the inner items
  std::vector<BlockItem> inside;
};

// The items between these tokens, at most some thousands; `deep`: the number of enclosing blocks.
std::vector<BlockItem> read_block(const Tokens& tokens, Span block, int deep = 0);

// The block after a head that ends before this token: up to the partner of a bracket, or all lines that are indented
// more than `indent`. Empty if there is none.
struct Block {
  Span inside;           // without brackets
  std::size_t last = 0;  // its last token, a bracket included
  bool bracket = false;
};
Block block_behind(const Tokens& tokens, std::size_t at, std::size_t indent);

// The column of a token in its line, and the blanks before it.
std::size_t column_of(const Tokens& tokens, std::size_t i);
std::string indent_before(const Tokens& tokens, std::size_t i);
// The first token of the line of a token, and the last one.
std::size_t line_first(const Tokens& tokens, std::size_t i);
std::size_t line_last(const Tokens& tokens, std::size_t i);
// The first tokens of a token's line and of the lines above it, upwards, for at most `most` lines.
std::vector<std::size_t> lines_upwards(const Tokens& tokens, std::size_t i, std::size_t most);

// The declared value that a word means: the one of that name, or the only one whose name contains the word
// (late_minutes for 'minute'); empty if there is none.
std::string declared_like(const Tokens& tokens, std::string_view word);
// The same for several words: the value whose name contains most of them (sources_missing for 'missing sources').
std::string declared_like(const Tokens& tokens, const std::vector<std::string_view>& words);
// Whether a word, in the singular or the plural, is one of those that a name consists of.
bool is_part_of_name(std::string_view word, std::string_view name);

// The first word of an input's type ("bool", "list"), "number" for a dimension; empty if unknown.
std::string_view declared_kind(const Tokens& tokens, std::string_view name);

// Whether a bracket or a text in it is not closed: where it ends is to be found first.
bool is_open(const Tokens& tokens, Span span);

// Whether a declaration that was read part by part lacks a value of the record that stands in it: 'a' of 'gate g = a at x'.
bool loses_name(const Tokens& tokens, Span span, const std::string& made);

// How a part that declares something begins: what its name is, and what stands behind that. Empty: it has no name.
std::string form_of_part(const Tokens& tokens, std::size_t begin, std::size_t end);

// Whether a list holds a name, as a word or as a text.
bool lists(const Tokens& tokens, const BlockItem& list, std::string_view name);

std::string raw(const Tokens& tokens, Span span);  // as written
std::string without_quotes(const Tokens& tokens, std::size_t i);

}  // namespace assay::mending
