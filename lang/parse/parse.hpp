// Source text → ast::File. The only stage that uses PEGTL. Problems are reported and parsing resumes at the next
// declaration, so that one run finds several; the result contains every declaration that could be read.
#pragma once

#include "lang/parse/syntax.hpp"
#include "lang/syntax/ast.hpp"
#include "lang/text/budget.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

// Limits the nesting of expressions and blocks; a deeper text is an error, not a crash.
inline constexpr int kMaxSyntaxDepth = Budget::kMostDepth / Budget::kSyntaxLevels;

// What a parse without problems found. While somebody types, the next text mostly differs from it in one declaration,
// and parse() then matches only that one again: its result and its steps are those of a parse of the whole text.
struct ParsedText {
  std::string text;
  std::vector<Node> nodes;       // empty: nothing has been parsed
  std::vector<ItemNodes> items;  // in order, none inside another one
  std::uint64_t steps = 0;       // of matching
};

// `before`: an earlier parse of a similar text; null: none. `now`: set to this parse if it finds no problem; may be
// the same object as `before`; null: not wanted.
ast::File parse(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics, Budget& budget,
                const ParsedText* before = nullptr, ParsedText* now = nullptr);

// The nodes that the grammar finds in a text without errors (lang/parse/syntax.hpp), for callers that need its tokens;
// empty after reporting errors.
std::vector<Node> parse_nodes(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics, Budget& budget);

// A single expression (for the REPL); null if it does not parse.
ast::ExprPtr parse_expression(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics, Budget& budget);

}  // namespace assay
