// Describes what a failed commit point found and what it expected, and suggests a fix for known mistakes: the habits of
// other languages, quotation marks of word processors, forgotten brackets.
#include "lang/parse/syntax.hpp"

#include "lang/parse/begins.hpp"
#include "lang/parse/parse.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace assay {
namespace {

using Tag = RoughToken::Tag;

constexpr std::string_view kReserved[] = {"and",  "or",  "xor",     "not",     "in",        "is",   "when",
                                          "else", "for", "default", "missing", "otherwise", "true", "false"};

bool is_reserved(std::string_view word) {
  return std::find(std::begin(kReserved), std::end(kReserved), word) != std::end(kReserved);
}

std::string quoted(std::string_view s) {
  return s == "'" ? std::string("a single quotation mark") : "'" + std::string(s) + "'";
}

// An example of each declaration, shown if there is no better message.
struct Shape {
  Syn kind;
  const char* text;
};
constexpr Shape kShapes[] = {
#define ASSAY_DECLARATION(word, rule, node, follows, decides, order, replaces, inside, foreign, example, ...) \
  {Syn::item_##rule, example},
#define ASSAY_FRAME_WORD(word, rule, follows, decides, order, example, ...) {Syn::rule, example},
#include "lang/syntax/declarations.def"
};

bool is_declaration(Syn kind) { return is_item(kind) || kind == Syn::level; }

struct Found {
  RoughToken token;
  std::string_view shown;   // the token's text
  std::string_view before;  // the previous token, on the same or an earlier line
  RoughToken before_token;
  bool same_line = false;  // as the previous token
  bool of_value = false;   // the previous token is a field: x.f
};

// What helps where the next line begins behind this word or sign: without a last operator a declaration may be whole.
std::string unfinished(std::string_view last) {
  static constexpr std::string_view kOperators = "and or xor not else default + - * / ^ < <= > >= == != in";
  const std::string padded = " " + std::string(kOperators) + " ";
  const bool operates = !last.empty() && padded.find(" " + std::string(last) + " ") != padded.npos;
  return "finish this declaration, or " + (operates ? "remove " + quoted(last) : "take it out");
}

std::string describe(std::string_view text, const RoughToken& token) {
  const std::string_view s = text.substr(token.begin, token.end - token.begin);
  switch (token.tag) {
    case Tag::end: return "the end of the text";
    case Tag::number: return "the number " + std::string(s);
    case Tag::text:
      return s.size() == 1    ? std::string("the '\"' that ends the text")
             : s.size() <= 32 ? "the text " + std::string(s)
                              : std::string("a text");
    case Tag::word: return is_reserved(s) ? "the reserved word " + quoted(s) : quoted(s);
    default: return quoted(s);
  }
}

// A suggestion that depends only on the found token and the one before it.
struct Habit {
  std::string_view found;
  const char* help;
};
constexpr const char* kNoFloor =
    "a cap limits a value from above: for a least one write max(…, …) in its formula, or a gate";

constexpr Habit kHabits[] = {
    {"&&", "write 'and'"},
    {"&", "write 'and'"},
    {"||", "write 'or'"},
    {"!", "write 'not'"},
    {"**", "a power is written x ^ y"},
    {"<>", "write '!='"},
    {"=>", "'at least' is written '>='"},
    {"->", "a function is written fn name(x) = value"},
    {":=", "a definition is written with '='"},
    {"::", "a definition is written with '='"},
    {"=~", "there are no regular expressions: write starts_with(…), ends_with(…), contains(…) or glob(…)"},
    {"//", "a comment begins with '#'"},
    {"/*", "a comment begins with '#' and ends with its line"},
    {"?", "a choice is written: v when c else w"},
    {"??", "a value for what is missing is written: a default b"},
    {"?.", "a field of what is missing is missing: a.b"},
    {"$", "a number stands alone; its unit belongs in the text"},
    {"€", "a number stands alone; its unit belongs in the text"},
    {"£", "a number stands alone; its unit belongs in the text"},
    {"²", "a power is written x ^ y"},
    {"³", "a power is written x ^ y"},
    {";", "a declaration needs no sign at its end: remove the ';'"},
    {"“", "write texts in straight double quotes: \"…\""},
    {"”", "write texts in straight double quotes: \"…\""},
    {"„", "write texts in straight double quotes: \"…\""},
    {"‘", "write texts in straight double quotes: \"…\""},
    {"’", "write texts in straight double quotes: \"…\""},
    {"«", "write texts in straight double quotes: \"…\""},
    {"'", "write texts in double quotes: \"…\""},
    {"`", "write texts in double quotes: \"…\""},
    {"≥", "write '>='"},
    {"≤", "write '<='"},
    {"≠", "write '!='"},
    {"×", "write '*'"},
    {"÷", "write '/'"},
    {"−", "write the minus sign of the keyboard, '-'"},
    {"–", "write the minus sign of the keyboard, '-', or '..' for a range"},
    {"—", "write the minus sign of the keyboard, '-'"},
    {"…", "a range is written a..b"},
    {"\u200B", "an invisible sign (U+200B) stands here: remove it"},
    {"\u00A0", "a no-break space (U+00A0) stands here: write a plain space"},
    {"\uFEFF", "an invisible sign (U+FEFF) stands here: remove it"},
};

// `from`: the beginning of the enclosing braces in a text; 0: none.
Found look(std::string_view text, std::uint32_t at, std::uint32_t from) {
  Found found;
  found.token = rough_token(text, at);
  found.shown = text.substr(found.token.begin, found.token.end - found.token.begin);
  // The previous token: read forward from the beginning of its line.
  std::uint32_t line = found.token.begin;
  found.before_token = {Tag::end, 0, 0};
  for (int tries = 0; tries < 20 && found.before_token.tag == Tag::end && line > from; ++tries) {
    --line;
    while (line > from && text[line - 1] != '\n' && found.token.begin - line < 4000) --line;
    for (RoughToken t = rough_token(text, line); t.tag != Tag::end && t.begin < found.token.begin;
         t = rough_token(text, t.end)) {
      if (t.end > found.token.begin) {
        if (t.tag == Tag::sign) found.token = t;  // 'at' is the second half of '//'
        break;
      }
      found.before_token = t;
    }
  }
  found.shown = text.substr(found.token.begin, found.token.end - found.token.begin);
  if (found.before_token.tag != Tag::end) {
    found.before = text.substr(found.before_token.begin, found.before_token.end - found.before_token.begin);
    const std::string_view between = text.substr(found.before_token.end, found.token.begin - found.before_token.end);
    found.same_line = between.find('\n') == between.npos;
    found.of_value = found.before_token.begin > 0 && text[found.before_token.begin - 1] == '.';
  }
  return found;
}

std::string habit(const Found& found, const Expected& expected) {
  const bool value = expected.wanted == Wanted::expression || expected.wanted == Wanted::operand;
  if (value && found.shown == "=" &&
      (found.before == "=" || found.before == "==" || found.before == ">" || found.before == "<" ||
       found.before == "!=")) {
    return found.before == ">"    ? "'at least' is written '>='"
           : found.before == "<"  ? "'at most' is written '<='"
           : found.before == "!=" ? "write '!='"
                                  : "write '=='";
  }
  if (value && found.shown == "*" && found.before == "*") return "a power is written x ^ y";
  if (value && found.shown == "/" && found.before == "/") return "a comment begins with '#'";
  if (value && found.shown == ">" && found.before == "<") return "write '!='";
  if (value && (found.shown == ")" || found.shown == "]" || found.shown == "}") && found.before == ",")
    return "remove the ',' before " + quoted(found.shown);
  if (value && found.shown == ".") return "a number begins with a digit: 0.5";
  if (value && found.shown == "+") return "a number needs no '+' before it";
  if (value && found.shown == "|") return "write 'missing' or \"\" for a cell without a value";
  if (value && found.shown == "if") return "a choice is written: v when c else w";
  if (value && found.shown == "otherwise")
    return "'otherwise' is for the key cells of tables; in a choice write 'else'";
  if (value && (found.shown == "when" || found.shown == "else") && (found.before == "else" || found.before == "when"))
    return "a choice is written: a when c else b when d else e";
  if (found.shown == "%") {
    return found.before_token.tag == Tag::number
               ? "write the sign right behind the number: " + std::string(found.before) + "%"
               : "a remainder is written mod(x, y); a share is written 100 * x";
  }
  if (found.shown == "=" && !value) return "'=' defines; a comparison is written '=='";
  if (found.shown == "else")
    return "'else' belongs to a 'when' before it: v when c else w; within 'at', 'in', 'by', conditions and the 'where' "
           "of a loop a choice needs parentheses";
  if (found.before == "is" && found.shown == "not")
    return "the opposite of 'is missing' is 'is given', of 'x is number' it is 'not x is number'";
  for (const Habit& row : kHabits) {
    if (row.found == found.shown) return row.help;
  }
  if (found.before == "if" || found.before == "elif" || found.before == "elsif")
    return "a choice is written: v when c else w, and goes on with 'when' after 'else'";
  if (found.shown == "then") return "a choice is written: v when c else w";
  if (found.shown == "(" && found.before_token.tag == Tag::word && found.of_value)
    return "functions are called by name: f(x), not x.f()";
  return {};
}

// 1,5 and 1,000,000
std::string comma_in_number(std::string_view text, const RoughToken& first, RoughToken next) {
  std::string whole(text.substr(first.begin, first.end - first.begin));
  std::replace(whole.begin(), whole.end(), '.', '_');  // 1.000,50
  std::string thousands = whole, decimal = whole;
  int groups = 0;
  bool even = whole.size() <= 3;
  while (next.tag == Tag::number) {
    const std::string_view digits = text.substr(next.begin, next.end - next.begin);
    even = even && digits.size() == 3;
    thousands += "_" + std::string(digits), decimal += "." + std::string(digits);
    ++groups;
    const RoughToken comma = rough_token(text, next.end);
    if (comma.begin != next.end || text.substr(comma.begin, comma.end - comma.begin) != ",") break;
    next = rough_token(text, comma.end);
    if (next.begin != comma.end) break;
  }
  if (groups > 1 && even) return "thousands are written " + thousands;
  if (groups > 1) return "a decimal is written with a point, as 0.5";
  return "a decimal is written with a point: " + decimal + (even ? "; thousands are written " + thousands : "");
}

const char* block_name(Syn kind) {
  return kind == Syn::parts ? "the dimension" : kind == Syn::item_cohort ? "the cohort" : "the rubric";
}

bool is_bracket(Syn kind) {
  return kind == Syn::args || kind == Syn::paren || kind == Syn::list || kind == Syn::record || kind == Syn::index ||
         kind == Syn::rows || kind == Syn::params || kind == Syn::kind_record || kind == Syn::kind_one_of ||
         kind == Syn::item_context || kind == Syn::item_example || kind == Syn::interpolation;
}

// One failure: the unexpected token, and the problem that results.
struct Failure {
  std::string_view text;
  std::uint32_t file, at;
  const Expected& expected;
  const std::vector<Node>& nodes;
  std::vector<std::uint32_t> open;  // the enclosing nodes of the failure, outermost first
  std::uint32_t braces;             // the beginning of the enclosing braces in a text; 0: none
  Found found;
  Span here;
  Problem problem;

  void explain() {
    switch (expected.wanted) {
      case Wanted::depth:
        problem = {Code::syntax_too_deep, here,
                   "brackets and blocks are nested more than " + std::to_string(kMaxSyntaxDepth) + " deep",
                   "too deep from here on", "name the inner parts with 'let'"};
        break;
      case Wanted::number_end: number(); break;
      case Wanted::escape: escape(); break;
      case Wanted::text_end: open_text(); break;
      case Wanted::raw_end: open_source(); break;
      case Wanted::block_end: open_block(); break;
      case Wanted::closing:
      case Wanted::row_end: open_bracket(); break;
      case Wanted::expression:
      case Wanted::operand: value(); break;
      case Wanted::name: name(); break;
      case Wanted::equals: definition(); break;
      case Wanted::in_after_not: membership(); break;
      case Wanted::after_is: test(); break;
      case Wanted::when_:
        problem.message = "expected 'when' and a condition, found " + describe(text, found.token);
        break;
      case Wanted::declaration:
      case Wanted::part:
      case Wanted::top: outside(); break;
      case Wanted::end_of_text: problem.message = "the expression ends before " + describe(text, found.token); break;
      case Wanted::thing: thing(); break;
    }
  }

  // An example of the enclosing declaration.
  std::string example() const {
    if (expected.wanted == Wanted::declaration || expected.wanted == Wanted::part) return {};
    for (std::size_t i = open.size(); i-- > 0;) {
      const Syn kind = nodes[open[i]].kind;
      if (kind == Syn::item_hook && shown(text, found.token) == "lua")
        return "for example: hook name(a: text): number lua \"\"\"…\"\"\"";
      for (const Shape& shape : kShapes) {
        if (shape.kind == kind && *shape.text != '\0') return std::string("for example: ") + shape.text;
      }
      if (is_declaration(kind)) break;
    }
    return {};
  }

  // After a value on the same line, an operator would be possible, too.
  std::string continuation(std::string_view wanted) const {
    const bool outer = expected.wanted == Wanted::declaration || expected.wanted == Wanted::part;
    if (!outer || !found.same_line || found.before == "{" || found.before == "}")
      return std::string(outer && expected.wanted == Wanted::declaration ? "a declaration or '}'" : wanted);
    return "an operator or the next declaration";
  }

 private:
  template <typename Fits>
  const Node* innermost(const Fits& fits) const {
    for (std::size_t i = open.size(); i-- > 0;) {
      if (fits(nodes[open[i]].kind)) return &nodes[open[i]];
    }
    return nullptr;
  }
  Span bracket_place(const Node& node) const {
    std::uint32_t place = node.begin;
    if (node.kind == Syn::item_context || node.kind == Syn::item_example || node.kind == Syn::kind_one_of ||
        node.kind == Syn::rubric || node.kind == Syn::item_cohort) {
      for (RoughToken t = rough_token(text, place); t.tag != Tag::end && t.begin < at; t = rough_token(text, t.end)) {
        if (text[t.begin] == '{' || text[t.begin] == '(') {
          place = t.begin;
          break;
        }
      }
    }
    return Span{file, place, place + 1};
  }

  void number() {
    const Node* node = innermost([](Syn kind) { return kind == Syn::number || kind == Syn::integer; });
    const std::uint32_t begin = node ? node->begin : at;
    std::uint32_t end = at;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_' || text[end] == '.'))
      ++end;
    const std::string written(text.substr(begin, end - begin));
    problem = {Code::syntax_number, {file, begin, end}, quoted(std::string_view(written)) + " is not a number"};
    const char stop = text[at];
    problem.help = stop == '_'                                         ? "'_' stands between two digits: 30_000"
                   : stop == '.' && node && node->kind == Syn::integer ? "a whole number is expected here"
                   : stop == '.' ? "a number has one point, with digits on both sides: 0.50; a range is written 1..5"
                   : text[begin] == '0' && stop == 'x' ? "numbers are decimal"
                   : std::isdigit(static_cast<unsigned char>(stop))
                       ? "nothing follows a '%'; a remainder is written mod(x, y)"
                       : "a name does not begin with a digit; write a unit as prose, and a product with '*'";
  }
  void escape() {
    problem.code = Code::syntax_escape;
    problem.at = {file, at - 1, std::min<std::uint32_t>(at + 1, static_cast<std::uint32_t>(text.size()))};
    if (at > 0 && text[at - 1] == 'u') problem.at.begin = at - 2;
    problem.message = quoted(text.substr(problem.at.begin, problem.at.end - problem.at.begin)) + " is not an escape";
    problem.help = "escapes are \\\" \\\\ \\{ \\} \\n \\t and \\u{20AC}; write \\\\ for a backslash";
    while (problem.at.end > at && (static_cast<unsigned char>(text[problem.at.end - 1]) & 0x80)) --problem.at.end;
    if (problem.at.end == at) problem.message = "a backslash here is not an escape";
  }
  void open_text() {
    const Node* node = innermost([](Syn kind) { return kind == Syn::text; });
    problem = {Code::syntax_text_open,
               {file, node ? node->begin : at, at},
               "the text is not closed: its line ends before another '\"'",
               "the text begins here",
               "close it with '\"'; write \\n for a new line and \\\" for a quotation mark in the text"};
  }
  void open_source() {
    const Node* node = innermost([](Syn kind) { return kind == Syn::raw; });
    const std::uint32_t begin = node ? node->begin : at;
    problem = {Code::syntax_text_open,
               {file, begin, begin + 3},
               "the Lua source is not closed",
               "it begins here",
               "close it with \"\"\""};
  }
  void open_block() {
    const Node* node =
        innermost([](Syn kind) { return kind == Syn::rubric || kind == Syn::parts || kind == Syn::item_cohort; });
    const std::string block = block_name(node ? node->kind : Syn::root);
    problem.code = Code::syntax_unclosed;
    problem.message = "the block of " + block + " is not closed: expected '}', found " + describe(text, found.token);
    if (node) problem.note_at = bracket_place(*node), problem.note = "the block begins here";
  }
  void open_bracket() {
    const Node* node = innermost(is_bracket);
    const bool ends = found.token.tag == Tag::end || (!found.same_line && begins_declaration(text, found.token)) ||
                      ((found.shown == ")" || found.shown == "]" || found.shown == "}") &&
                       std::string_view(expected.text).find(found.shown) == std::string_view::npos);
    if (ends) problem.code = Code::syntax_unclosed;
    // The missing part belongs at the end of the previous line, not before the next token.
    const std::string_view wanted = expected.text;
    const bool of_value =
        wanted.size() == 3 || wanted.substr(0, 3) == "','";  // but not the rows of a table, or an example
    if (!found.same_line && found.before_token.tag != Tag::end && of_value) {
      problem.at = {file, found.before_token.begin, found.before_token.end};
      problem.message = "expected " + std::string(expected.text) + " after " +
                        (found.before_token.tag == Tag::sign || found.before_token.tag == Tag::word
                             ? quoted(found.before)
                             : describe(text, found.before_token)) +
                        ", found " + describe(text, found.token) + " in the next line";
    }
    if (node && problem.help.empty()) {
      problem.note_at = bracket_place(*node);
      if (problem.note_at.begin < text.size())
        problem.note = quoted(text.substr(problem.note_at.begin, 1)) + " is opened here";
    }
    if (node && node->kind == Syn::record && found.shown == ":")
      problem.help = "quote the name of a field that is not a plain name: { \"a b\": 1 }";
    if (found.shown == "{" && node && node->kind == Syn::interpolation) problem.help = "write \\{ for a brace";
  }
  void value() {
    problem.code = Code::syntax_value;
    if ((found.shown == "|" || found.shown == "}") && found.before == "|") {
      problem.code = Code::syntax_row;
      problem.message = "an empty cell, or a '|' too many";
      if (!found.same_line) problem.at = {file, found.before_token.begin, found.before_token.end};
      return;
    }
    if (expected.wanted == Wanted::operand && !found.before.empty()) {
      problem.message = "expected " + std::string(expected.text) + " after " + quoted(found.before) + ", found " +
                        describe(text, found.token);
    }
    if (!found.same_line && !found.before.empty() && begins_declaration(text, found.token)) {  // let weekly =
      problem.at = {file, found.before_token.begin, found.before_token.end};
      problem.message = "expected " + std::string(expected.text) + " after " + quoted(found.before) +
                        ", and the next line begins with " + describe(text, found.token);
      if (problem.help.empty()) problem.help = unfinished(found.before);
    }
    // "{}": a brace may be intended; after an operator a value is.
    if (problem.help.empty() && braces != 0 && expected.wanted != Wanted::operand)
      problem.help = "write \\{ for a brace in a text";
  }
  void name() {
    if (found.token.tag == Tag::word && is_reserved(found.shown)) {
      problem.code = Code::syntax_reserved;
      problem.message = quoted(found.shown) + " is a reserved word and cannot be a name";
      problem.help = found.before == "." ? "a field of that name is written [\"" + std::string(found.shown) + "\"]"
                                         : "choose another name, such as " + std::string(found.shown) + "_value";
    } else if (found.token.tag == Tag::text) {
      problem.help = "names are written without quotes";
    } else if (found.token.tag == Tag::number) {
      problem.help = found.before == "." && found.token.begin == found.before_token.end
                         ? "'." + std::string(found.shown) + "' is written 0." + std::string(found.shown) +
                               ", and an operator is missing before it"
                         : "a name begins with a letter or '_'";
    } else if (static_cast<unsigned char>(found.shown.empty() ? 'a' : found.shown[0]) >= 0x80) {
      problem.help = "names are made of the letters a to z, digits and '_'; other signs belong in the text behind";
    }
  }
  void definition() {
    if (found.shown == "==") problem.help = "a definition has a single '='";
    if (found.shown == "weight" || found.shown == "points") {
      if (const Node* node = innermost([](Syn kind) {
            return kind == Syn::item_gate || kind == Syn::item_adjustment || kind == Syn::item_output ||
                   kind == Syn::item_let;
          })) {
        problem.help =
            node->kind == Syn::item_gate ? "a gate decides eligibility and never moves the number, so it has no weight"
            : node->kind == Syn::item_adjustment ? "a deduction or bonus is an amount on the scale, so it has no weight"
                                                 : "weights and points belong to dimensions and criteria";
      }
    }
    if (found.shown == ":")
      problem.help = "a definition is written name = value; kinds are declared with 'input' and 'type'";
    if (found.shown == "-") problem.help = "names are made of letters, digits and '_'";
    if (!found.shown.empty() && static_cast<unsigned char>(found.shown[0]) >= 0x80 && problem.help.empty()) {
      problem.help = "names are made of the letters a to z, digits and '_'; other signs belong in the text behind";
    }
  }
  void membership() {
    problem.message = "expected 'in' after 'not', found " + describe(text, found.token);
    problem.help = "'not in' tests for members; 'not' for a condition stands before it: a and not b";
  }
  void test() {
    problem.message =
        "expected 'missing', 'given' or what a value may be, such as 'number' or 'text', after 'is', found " +
        describe(text, found.token);
    if (found.shown != "not") problem.help = "a comparison is written '=='";
  }
  // Where a declaration, or a part of one, should begin.
  void outside() {
    const bool word = found.token.tag == Tag::word;
    const auto& words = declaration_words();
    const bool known = word && std::find(words.begin(), words.end(), found.shown) != words.end();
    if (word && found.same_line && !known && !found.before.empty() && found.before != "{" && found.before != "}") {
      word_behind();
    } else if (!word) {
      no_word();
    } else if (expected.wanted == Wanted::top) {
      word_outside(known);
    } else {
      unknown_word(words);
    }
  }
  // After something on the same line.
  void word_behind() {
    const std::string guess = problem.help;
    const bool clause = found.shown == "weight" || found.shown == "points" || found.shown == "advisory";
    problem.message = is_reserved(found.shown)
                          ? "the reserved word " + quoted(found.shown) + " cannot follow " + quoted(found.before)
                          : quoted(found.shown) + " cannot follow " + quoted(found.before);
    problem.help = !guess.empty()          ? guess
                   : found.shown == "when" ? "a choice needs parentheses here: (v when c else w)"
                   : clause                ? quoted(found.shown) + " stands before the '=' or the block of a dimension"
                   : found.shown == "where" || found.shown == "decimals" || found.shown == "for"
                       ? quoted(found.shown) + " does not belong to this declaration, or stands in another place in it"
                       : "an operator is missing, or the name of the next declaration";
    if (found.shown == "otherwise")
      problem.help =
          "'otherwise' is for the key cells of tables; write 'else' in a choice and 'default' for a missing value";
    if (!is_reserved(found.shown) && guess.empty() && !clause && found.shown != "of") {
      const std::string_view near =
          nearest(found.shown,
                  {"and",    "or",     "xor",      "when",  "else",    "in",     "is",       "default",  "decimals",
                   "where",  "for",    "with",     "while", "by",      "then",   "optional", "required", "missing",
                   "weight", "points", "advisory", "from",  "extends", "judged", "measured"});
      if (!near.empty()) problem.help = "did you mean " + quoted(near) + "?";
      if (found.shown == "if") problem.help = "a choice is written: v when c else w";
    }
  }
  void word_outside(bool known) {
    problem.code = Code::syntax_declaration;
    problem.message = known ? quoted(found.shown) + " belongs inside a rubric"
                            : "expected " + std::string(expected.text) + ", found " + quoted(found.shown);
    const std::string_view near =
        known ? std::string_view() : nearest(found.shown, {"rubric", "import", "type", "fn", "table", "hook"});
    problem.help = known          ? "write rubric name \"…\" { … } around it; a '}' may stand too early"
                   : near.empty() ? "a file holds rubric name \"…\" { … }"
                                  : "did you mean " + quoted(near) + "?";
  }
  void unknown_word(const std::vector<std::string_view>& words) {
    problem.code = Code::syntax_declaration;
    // A short word resembles many others, so the following tokens must fit as well.
    constexpr std::size_t kShort = 5;
    std::vector<std::string_view> fitting;
    std::copy_if(words.begin(), words.end(), std::back_inserter(fitting), [&](std::string_view meant) {
      return found.shown.size() > kShort || would_begin(text, found.token, meant);
    });
    const std::string_view near = expected.wanted == Wanted::part
                                      ? nearest(found.shown, {"dimension", "criterion", "level"})
                                  : declaration_word_for(found.shown).empty() ? nearest(found.shown, fitting)
                                                                              : std::string_view();
    problem.message = expected.wanted == Wanted::part
                          ? "expected " + std::string(expected.text) + ", found " + quoted(found.shown)
                          : "no declaration begins with " + quoted(found.shown);
    problem.help = !problem.help.empty() ? problem.help
                   : found.shown == "score"
                       ? "'cap score at …' limits the score from above, and a gate asks for a least one"
                   : found.shown == "floor" ? kNoFloor
                   : !near.empty()          ? "did you mean " + quoted(near) + "?"
                   : found.shown == "level" ? "a level stands in the block of a dimension"
                   : found.shown == "when"  ? "'when' follows a value: v when c else w"
                                            : "declarations begin with a word such as dimension, input, let, output";
  }
  void no_word() {
    problem.message = "expected " + continuation(expected.text) + ", found " + describe(text, found.token);
    if (found.shown == "}" && expected.wanted == Wanted::top)
      problem.help = "this '}' closes nothing; the rubric may have been closed too early";
    if (found.shown == "{" && expected.wanted == Wanted::top)
      problem.help = "this looks like a record: a rubric begins with rubric name { … }, and commands name it first";
    if (found.before == "least") problem.help = kNoFloor;
    if (found.shown == "=" && found.same_line) problem.help = "'=' defines; a comparison is written '=='";
    const std::uint32_t begin = found.before_token.begin;
    if (found.token.tag == Tag::number && found.before_token.tag == Tag::number && found.same_line &&
        text.substr(begin >= 2 ? begin - 2 : 0, 2) != "..")
      problem.help =
          "two numbers stand side by side: keep " + std::string(found.before) + " or " + std::string(found.shown);
    if (found.token.tag == Tag::number && found.before_token.tag == Tag::word && found.same_line &&
        problem.help.empty())
      problem.help = "an operator is missing before " + std::string(found.shown) + ", such as '>=' or '*'";
    if (found.shown == ",") {
      const RoughToken next = rough_token(text, found.token.end);
      const bool decimal =
          found.before_token.tag == Tag::number && next.tag == Tag::number && next.begin == found.token.end;
      problem.help = decimal ? comma_in_number(text, found.before_token, next)
                             : std::string("a declaration needs no ',' at its end");
    }
    if (found.token.tag == Tag::text) {
      const std::size_t line = text.rfind('\n', found.token.begin) + 1;  // npos + 1 is 0
      const bool another =
          text.substr(line, found.token.begin - line).find('"') != text.npos || found.before_token.tag == Tag::text;
      problem.help = another ? "a declaration has one text, at its end; some have none"
                             : "no text can stand here: write it as a comment, # …";
    }
  }
  void thing() {
    if (found.token.tag == Tag::word && is_reserved(found.shown) &&
        std::string_view(expected.text).substr(0, 6) == "a name")
      problem.code = Code::syntax_reserved;
    const bool text_wanted = std::string_view(expected.text) == "a text in double quotes";
    const bool literal = text_wanted || std::string_view(expected.text) == "a whole number";
    if (literal && !found.same_line && found.before_token.tag != Tag::end) {  // it is missing where the line ends
      problem.at = {file, found.before_token.begin, found.before_token.end};
      problem.message = "expected " + std::string(expected.text) + " after " + quoted(found.before);
    } else if (text_wanted && found.token.tag != Tag::text && problem.help.empty() && found.token.tag != Tag::end &&
               found.same_line && !is_reserved(found.shown)) {
      problem.help = "write it as \"" + std::string(found.token.tag == Tag::sign ? "…" : found.shown) + "\"";
    }
  }
};

}  // namespace

// An unfinished declaration swallows the first words of the next one, and the failure is reported after them. Such a
// failure is moved to the beginning of the next declaration, where recovery begins.
bool Syntax::explain_swallowed(const Expected& expected, std::uint32_t at) {
  if (expected.wanted == Wanted::text_end || expected.wanted == Wanted::raw_end ||
      expected.wanted == Wanted::block_end || expected.wanted == Wanted::depth)
    return false;
  std::uint32_t begin = at;
  bool searching = true;
  for (std::uint32_t i = open_; searching && i != 0; i = nodes_[i].next) {
    const Syn kind = nodes_[i].kind;
    if (kind == Syn::raw || kind == Syn::rubric || kind == Syn::item_cohort) break;
    if (is_declaration(nodes_[i].kind)) begin = nodes_[i].begin, searching = false;
  }
  for (std::size_t i = nodes_.size(); searching && i-- > 0;) {
    if (is_declaration(nodes_[i].kind) || nodes_[i].kind == Syn::rubric) begin = nodes_[i].begin, searching = false;
  }
  // What lies before the place where the parser resumed has been told.
  if (searching || begin >= at || begin < quiet_until_ || text_.substr(begin, 6) == "rubric") return false;
  RoughToken last = rough_token(text_, begin);
  for (RoughToken t = rough_token(text_, last.end); t.tag != Tag::end && t.begin < at; t = rough_token(text_, t.end)) {
    if (first_in_line(text_, t.begin) && begins_declaration(text_, t) &&
        text_.substr(t.begin, t.end - t.begin) != "criterion" && text_.substr(t.begin, t.end - t.begin) != "level") {
      const Span here{file_, t.begin, t.end};
      const std::string next = quoted(text_.substr(t.begin, t.end - t.begin));
      const std::string before = quoted(text_.substr(last.begin, last.end - last.begin));
      const std::string rest = " after " + before + ", and the next line begins with " + next;
      Problem problem{Code::syntax_value, {file_, last.begin, last.end}, "expected a value" + rest, ""};
      problem.help =
          unfinished(last.begin == begin ? std::string_view() : text_.substr(last.begin, last.end - last.begin));
      problem.note_at = here;
      problem.note = "the next declaration begins here";
      if (last.begin == begin) {
        problem.code = Code::syntax_expected;
        problem.message = "expected the rest of the declaration" + rest;
      }
      for (std::uint32_t i = open_; i != 0; i = nodes_[i].next) {
        const Node& node = nodes_[i];
        if (is_declaration(node.kind)) break;
        if (!is_bracket(node.kind) || node.begin >= t.begin) continue;
        problem.code = Code::syntax_unclosed;
        problem.message = quoted(text_.substr(node.begin, 1)) + " is not closed before " + next;
        problem.label = "it is opened here";
        problem.at = {file_, node.begin, node.begin + 1};
        problem.help = "";
        break;
      }
      failed_at_ = t.begin;
      const std::uint32_t place = problem.at.begin;
      const bool again =
          std::any_of(problems_.begin(), problems_.end(), [place](const Problem& p) { return p.at.begin == place; });
      if (!again) problems_.push_back(std::move(problem));
      return true;
    }
    last = t;
  }
  return false;
}

// The beginning of the braces whose value is being read; 0: none.
std::uint32_t Syntax::braces_of_text() const {
  for (std::uint32_t i = open_; i != 0; i = nodes_[i].next) {
    const Node& node = nodes_[i];
    if (node.kind == Syn::interpolation) return node.begin + 1;
    if (node.kind == Syn::text) return 0;
  }
  return 0;
}

// A loop is the only argument of a call: no comma follows it, as it would follow other values.
static std::string_view without_comma(std::string_view expected, const Found& found) {
  constexpr std::string_view kComma = "',' or ";
  if (found.shown == "," && expected.substr(0, kComma.size()) == kComma) expected.remove_prefix(kComma.size());
  return expected;
}

void Syntax::explain(const Expected& expected, std::uint32_t at) {
  const std::uint32_t braces = braces_of_text();
  const Found found = look(text_, at, braces);
  const Span here{file_, found.token.begin,
                  std::max(found.token.end, found.token.begin + (found.token.tag == Tag::end ? 0U : 1U))};
  Failure failure{text_, file_, at, expected, nodes_, opened(), braces, found, here, {}};
  Problem& problem = failure.problem;
  problem = {
      Code::syntax_expected, here,
      "expected " + std::string(without_comma(expected.text, found)) + ", found " + describe(text_, found.token)};
  problem.help = habit(found, expected);
  failure.explain();
  const bool foreign = std::any_of(std::begin(kHabits), std::end(kHabits), [&](const Habit& row) {
    return row.found == found.shown && row.help == problem.help;
  });
  if (std::string better = fix_it(expected, found.token, found.before_token, problem); !better.empty()) {
    problem.help = std::move(better);
    if (expected.wanted == Wanted::closing) problem.note.clear();
  }
  if (foreign && problem.code != Code::syntax_foreign) {
    problem.code = Code::syntax_foreign;
    problem.message = quoted(found.shown) + " has no meaning here: expected " + failure.continuation(expected.text);
  }
  if (problem.help.empty() && problem.note.empty() && problem.code == Code::syntax_expected)
    problem.help = failure.example();
  problems_.push_back(std::move(problem));
}

}  // namespace assay
