// A block of any notation as items: what brackets, indentation, bullets, commas or the bars of a table divide. An item has
// a key where it begins with one, and items inside where its value is a block.
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
  std::string key;      // without quotation marks; empty: none
  bool quoted = false;  // the key
  Span all, value;      // value: what stands behind the key, without the items inside
  std::vector<BlockItem> inside;
};

// The items between these tokens, at most some thousands; `deep` counts the blocks around them.
std::vector<BlockItem> read_block(const Tokens& tokens, Span block, int deep = 0);

// Where the block of a head that ends before this token ends: at the partner of a bracket, or with the lines that stand
// deeper than `indent`. Empty: there is none.
struct Block {
  Span inside;           // without brackets
  std::size_t last = 0;  // its last token, a bracket included
  bool bracket = false;
};
Block block_behind(const Tokens& tokens, std::size_t at, std::size_t indent);

// Columns before the token in its line, and the blanks there.
std::size_t column_of(const Tokens& tokens, std::size_t i);
std::string indent_before(const Tokens& tokens, std::size_t i);
// The first token of the line of a token, and the last one.
std::size_t line_first(const Tokens& tokens, std::size_t i);
std::size_t line_last(const Tokens& tokens, std::size_t i);
// The first tokens of the line of a token and of the lines above it, upwards, of at most so many lines.
std::vector<std::size_t> lines_upwards(const Tokens& tokens, std::size_t i, std::size_t most);

// The declared value that a word stands for: of that name, or the only one whose name has the word as a part
// ('minute': late_minutes); empty: there is none.
std::string declared_like(const Tokens& tokens, std::string_view word);
// The same for several words: the value whose name has most of them ('missing sources': sources_missing).
std::string declared_like(const Tokens& tokens, const std::vector<std::string_view>& words);

// The first word of the type that an input declares, "bool", "list"; "number" of a dimension; empty: unknown.
std::string_view declared_kind(const Tokens& tokens, std::string_view name);

std::string raw(const Tokens& tokens, Span span);  // as written
std::string without_quotes(const Tokens& tokens, std::size_t i);

}  // namespace assay::mending
