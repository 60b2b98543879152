// The tokens of a rubric in order, each with the comments and line ends before it, and with what the style says of the
// gap before it. Every stage of the formatter adds to these; none adds, drops or moves a token.
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
  std::uint32_t begin, end;  // without blanks at its end
  bool own_line;             // false: it stands behind the token before it
  bool blank_before;         // an empty line
};

// Where a line goes that begins at a token: at the column of a token (kNone: at the indent of the statement) plus `delta`;
// or, in a bracket, where the bracket's contents go.
struct Anchor {
  enum class From : std::uint8_t { statement, token, bracket } from = From::statement;
  std::int8_t delta = 2;
  std::uint32_t token = kNone;
};

// What begins at a token, when statements below each other are aligned there.
enum class Cell : std::uint8_t {
  none,
  value,  // of `version`, `scale`, `weights`, `history`; the label of an adjustment
  kind,
  equals,
  option,  // weight, points, advisory, missing; the number of each is a cell of its own
  number,
  when,
  at,
  from,
  decimals,
  lead,   // prose before '=' or a block
  prose,  // at the end of the statement
  brace,
};

struct Token {
  enum class Tag : std::uint8_t { word, number, text, sign, rule, end };
  std::uint32_t begin = 0, end = 0;
  std::uint32_t first_comment = 0, comments = 0;  // in the gap before it
  std::uint32_t width = 0;                        // columns; of a text of several lines, those of its last line
  Tag tag = Tag::sign;
  bool newline = false;    // the author began a line here
  bool blank = false;      // below an empty line
  bool multiline = false;  // a text that goes over lines
  // ---- the style of the gap before it
  std::uint8_t space = 1;
  bool breakable = false;    // a line may begin here
  bool only_author = false;  // … where the author began one, and nowhere else
  bool value = false;        // the value of a declaration, behind its =
  bool statement = false;    // a declaration, or a part of one that has a line of its own in a block
  bool row = false;          // a statement that is a row of a table
  Cell cell = Cell::none;
  std::uint8_t family = 0;  // of a statement: what it can be aligned with
  std::uint16_t rank = 0;   // lower: further outside, and broken first
  Anchor anchor = {};
  std::uint32_t partner = kNone;  // of an opening bracket: its closing one, and the reverse
  std::uint32_t last = 0;         // of the first token of a statement: its last one
  std::uint32_t written = kNone;  // index in Tokens::written; kNone: as it stands in the text
  bool block = false;             // of a bracket: it holds statements
  bool single = false;            // of such a bracket: no more than one of them, on one line
  // ---- the layout
  bool hard = false;                 // a line always begins here
  bool forced = false;               // a line begins here, because of the author or of a comment
  std::uint32_t whole = 0;           // of a number: columns before its decimal point
  std::uint32_t pad = 0;             // spaces before it, for what is aligned
  std::uint32_t comment_column = 0;  // of the comment behind the token before it
};

struct Tokens {
  std::string_view text;
  std::vector<Token> list;  // the last one is the end of the text
  std::vector<Comment> comments;
  std::vector<std::string> written;  // of tokens that are not written as they stand in the text

  std::string_view shown(const Token& token) const { return text.substr(token.begin, token.end - token.begin); }
  std::string_view shown(std::uint32_t token) const { return shown(list[token]); }
  std::string_view shown(const Comment& comment) const {
    return text.substr(comment.begin, comment.end - comment.begin);
  }
};

// The tokens of a text with these nodes (Syntax::nodes). A text in quotes is one token, with all that stands in its braces.
Tokens tokens_of(std::string_view text, const std::vector<Node>& nodes, Budget& budget);

// Whether both have the same tokens, and the same comments in the same gaps.
bool same(const Tokens& a, const Tokens& b);

// A choice with 'else', a 'where' with several parts, and the fields of a record. Of the first two, either all parts begin
// lines, or none does.
struct Series {
  std::uint32_t begin = 0, end = 0;    // of all of it, in tokens
  std::vector<std::uint32_t> parts;    // the tokens that begin a line together
  std::vector<std::uint32_t> aligned;  // tokens, one in a part at most, that are aligned below each other when they do
};

struct Style {
  std::vector<Series> choices, wheres, records;
  std::vector<std::uint32_t> choice_at, where_at, record_at;  // by token: its index + 1; 0: none begins there
  std::vector<std::uint32_t> tables;                          // the opening braces of rows
};

// Reads the syntax into the tokens.
Style style_of(Tokens& tokens, const std::vector<Node>& nodes, Budget& budget);

// Where a token stands in the formatted text; columns count from 0.
struct Place {
  std::uint32_t line = 0, column = 0;
  bool begins_line = false;
};

// Chooses the lines; fills in what the layout says of the tokens.
std::vector<Place> lay_out(Tokens& tokens, Style& style, Budget& budget);

// ---- parts of the layout

// The columns that the tokens begin..end take on one line, without the blanks before the first.
class Widths {
 public:
  explicit Widths(const Tokens& tokens);
  std::uint32_t of(std::uint32_t begin, std::uint32_t end) const {
    return begin >= end ? 0 : static_cast<std::uint32_t>(sums_[end] - sums_[begin] - (*tokens_)[begin].space);
  }

 private:
  const std::vector<Token>* tokens_;
  std::vector<std::uint64_t> sums_;
};

struct Line {  // a statement that takes one line
  std::uint32_t begin, end;
  std::uint32_t indent;
};
// Pads the cells of statements that stand below each other.
void align(std::vector<Token>& tokens, const Widths& widths, const std::vector<Line>& run);
// Pads the cells of a table whose rows have lines of their own.
void align_table(Tokens& tokens, const Widths& widths, std::uint32_t open);

// The rule under the header of a table: which of its cells have colons, and how it is written.
struct RuleCell {
  bool left, right;
};
std::vector<RuleCell> rule_cells(std::string_view rule);
std::string rule_text(const std::vector<RuleCell>& cells, const std::vector<std::uint32_t>& widths);

// The columns before and from the decimal point of a number.
struct NumberWidths {
  std::uint32_t whole, rest;
};
NumberWidths number_widths(std::string_view number);

// Whether the gap has comments of which the first stands behind the token before.
bool has_trailing_comment(const Tokens& tokens, std::uint32_t token);

}  // namespace assay::format
