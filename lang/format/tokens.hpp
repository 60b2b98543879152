// The tokens of a rubric in order, each with the comments and line ends before it, and with the style of the gap before
// it. Every stage of the formatter adds information; none adds, drops or moves a token.
#pragma once

#include "lang/parse/syntax.hpp"
#include "lang/text/budget.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::format {

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

struct Comment {
  std::uint32_t begin, end;  // without trailing blanks
  bool own_line;             // false: it follows a token on the same line
  bool blank_before;         // an empty line precedes it
};

// The column of a line that begins at a token: that of another token (kNone: the indent of the statement) plus `delta`;
// or, in a bracket, that of the bracket's contents.
struct Anchor {
  enum class From : std::uint8_t { statement, token, bracket } from = From::statement;
  std::int8_t delta = 2;
  std::uint32_t token = kNone;
};

// The kind of cell that begins at a token, for aligning consecutive statements.
enum class Cell : std::uint8_t {
  none,
  value,  // of `version`, `scale`, `weights`, `history`; the label of an adjustment
  kind,
  equals,
  option,  // weight, points, advisory, missing; the number of each is a separate cell
  number,
  when,
  at,
  from,
  decimals,
  lead,   // prose before '=' or a block
  prose,  // at the end of the statement
  brace,
};

// The style of the gap before a token.
struct Gap {
  std::uint8_t space = 1;
  bool breakable = false;    // a line may begin here
  bool only_author = false;  // … but only if the author began one
  bool value = false;        // the value of a declaration, after its =
  std::uint16_t rank = 0;    // lower: further outside, and broken first
  Anchor anchor = {};
};

// What became of that gap.
struct Placing {
  bool hard = false;                 // a line always begins here
  bool forced = false;               // a line begins here because of the author or a comment
  std::uint32_t pad = 0;             // spaces before it, for alignment
  std::uint32_t comment_column = 0;  // of the comment after the previous token
};

struct Token {
  enum class Tag : std::uint8_t { word, number, text, sign, rule, end };
  std::uint32_t begin = 0, end = 0;
  std::uint32_t first_comment = 0, comments = 0;  // in the gap before it
  std::uint32_t width = 0;                        // columns; for a text of several lines, those of its last line
  Tag tag = Tag::sign;
  bool newline = false;    // the author began a line here
  bool blank = false;      // an empty line precedes it
  bool multiline = false;  // a text of several lines
  bool statement = false;  // a declaration, or a part of one with its own line in a block
  bool row = false;        // a statement that is a row of a table
  Cell cell = Cell::none;
  std::uint8_t family = 0;        // for a statement: which statements it can be aligned with
  std::uint32_t partner = kNone;  // for an opening bracket: its closing one, and vice versa
  std::uint32_t last = 0;         // for the first token of a statement: its last one
  std::uint32_t written = kNone;  // index in Tokens::written; kNone: unchanged
  bool block = false;             // for a bracket: it contains statements
  bool single = false;            // for such a bracket: at most one statement, on one line
  std::uint32_t whole = 0;        // for a number: columns before its decimal point
  Gap gap;
  Placing placing;
};

struct Tokens {
  std::string_view text;
  std::vector<Token> list;  // the last one is the end of the text
  std::vector<Comment> comments;
  std::vector<std::string> written;  // of tokens whose text is changed

  std::string_view shown(const Token& token) const { return text.substr(token.begin, token.end - token.begin); }
  std::string_view shown(std::uint32_t token) const { return shown(list[token]); }
  std::string_view shown(const Comment& comment) const {
    return text.substr(comment.begin, comment.end - comment.begin);
  }
};

// The tokens of a text with these nodes (Syntax::nodes). A quoted text is one token, including its braces.
Tokens tokens_of(std::string_view text, const std::vector<Node>& nodes, Budget& budget);

// Whether both have the same tokens, and the same comments in the same gaps.
bool same(const Tokens& a, const Tokens& b);

// A choice with 'else', a 'where' with several parts, or the fields of a record. In the first two, either all parts
// begin lines, or none does.
struct Series {
  std::uint32_t begin = 0, end = 0;    // its tokens
  std::vector<std::uint32_t> parts;    // the tokens that begin lines together
  std::vector<std::uint32_t> aligned;  // at most one token per part, aligned if the parts begin lines
};

struct Style {
  std::vector<Series> choices, wheres, records;
  std::vector<std::uint32_t> choice_at, where_at, record_at;  // by token: its index + 1; 0: none begins there
  std::vector<std::uint32_t> tables;                          // the opening braces of rows
};

// Derives the style from the syntax, and adds it to the tokens.
Style style_of(Tokens& tokens, const std::vector<Node>& nodes, Budget& budget);

// The place of a token in the formatted text; columns count from 0.
struct Place {
  std::uint32_t line = 0, column = 0;
  bool begins_line = false;
};

// Chooses the lines, and adds the layout to the tokens.
std::vector<Place> lay_out(Tokens& tokens, Style& style, Budget& budget);

// ---- parts of the layout

// The width in columns of the tokens begin..end on one line, without the blanks before the first.
class Widths {
 public:
  explicit Widths(const Tokens& tokens);
  std::uint32_t of(std::uint32_t begin, std::uint32_t end) const {
    return begin >= end ? 0 : static_cast<std::uint32_t>(sums_[end] - sums_[begin] - (*tokens_)[begin].gap.space);
  }

 private:
  const std::vector<Token>* tokens_;
  std::vector<std::uint64_t> sums_;
};

struct Line {  // a statement that takes one line
  std::uint32_t begin, end;
  std::uint32_t indent;
};
// Pads the cells of consecutive statements.
void align(std::vector<Token>& tokens, const Widths& widths, const std::vector<Line>& run);
// Pads the cells of a table whose rows are separate lines.
void align_table(Tokens& tokens, const Widths& widths, std::uint32_t open);

// A cell of the rule under a table header: whether it has colons, and its text.
struct RuleCell {
  bool left, right;
};
std::vector<RuleCell> rule_cells(std::string_view rule);
std::string rule_text(const std::vector<RuleCell>& cells, const std::vector<std::uint32_t>& widths);

// The columns of a number before and from its decimal point.
struct NumberWidths {
  std::uint32_t whole, rest;
};
NumberWidths number_widths(std::string_view number);

// Whether the gap begins with a comment on the line of the previous token.
bool has_trailing_comment(const Tokens& tokens, std::uint32_t token);

}  // namespace assay::format
