// Source text → ast::File. The only stage that uses PEGTL. Problems are reported and parsing resumes at the next
// declaration, so that one run finds several; the result contains every declaration that could be read.
#pragma once

#include "lang/parse/syntax.hpp"
#include "lang/syntax/ast.hpp"
#include "lang/text/budget.hpp"

#include <vector>

namespace assay {

// Limits the nesting of expressions and blocks; a deeper text is an error, not a crash.
inline constexpr int kMaxSyntaxDepth = Budget::kMostDepth / Budget::kSyntaxLevels;

ast::File parse(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics, Budget& budget);

// The nodes that the grammar finds in a text without errors (lang/parse/syntax.hpp), for callers that need its tokens;
// empty after reporting errors.
std::vector<Node> parse_nodes(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics, Budget& budget);

// A single expression (for the REPL); null if it does not parse.
ast::ExprPtr parse_expression(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics, Budget& budget);

}  // namespace assay
