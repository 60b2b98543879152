// Conditions and numbers that stand side by side, without what joins them.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/statements/facts.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <string>

namespace assay::mending {
namespace {

// Whether the tokens from `begin` to `end` are one condition: a comparison, a test, a value that is true or false.
bool is_condition(const Tokens& tokens, const KnownNames& names, std::size_t begin, std::size_t end, int brackets = 8) {
  while (begin < end && tokens.is(begin, "not")) ++begin;
  if (begin == end) return false;
  if (tokens.is(begin, "(") && tokens[begin].partner + 1 == end) {
    if (brackets == 0) return false;
    for (std::size_t from = begin + 1, i = from; i < end; ++i) {
      if (i + 1 < end && !among(tokens[i].shown, {"and", "or", "xor"})) continue;
      if (!is_condition(tokens, names, from, i, brackets - 1)) return false;
      from = i + 1;
    }
    return true;
  }
  for (std::size_t i = begin + 1; i + 1 < end; i = tokens.behind(i)) {
    if (among(tokens[i].shown, {"<", "<=", ">", ">=", "==", "!=", "in", "is", "not"}))
      return tokens.operand_before(i - 1) == begin;
  }
  const std::string_view word = tokens[begin].shown;
  if (tokens.is(begin + 1, "(") && tokens[begin + 1].partner + 1 == end)
    return among(word, {"any", "all", "contains", "starts_with", "ends_with"});
  if (tokens.is(begin, "gates") && tokens.is(begin + 1, ".") && begin + 3 == end) return true;
  return begin + 1 == end && names.shape(word) == Shape::condition;
}

// Where a condition ends, or what joins two of them.
bool divides(const Tokens& tokens, std::size_t i) {
  return tokens[i].kind == Token::Kind::end || tokens[i].starts || tokens.closes(i) ||
         among(tokens[i].shown, {"=",   ",",  "when", "if", "unless",  "while",    "where",  "for", "with", "else",
                                 "and", "or", "xor",  "at", "default", "decimals", "digits", ":",   "->",   "|"});
}

}  // namespace

// when swims healthy, years > 5 not late: both of them, or one of them. The text says which, or the examples do; what a
// gate or a check requires holds together.
void conditions_side_by_side(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  if (!window.problem.code.starts_with("E01")) return;
  std::size_t gap = window.at;
  if (gap > 0 && tokens.is(gap - 1, "not")) --gap;
  if (gap == 0 || tokens[gap].first || tokens[gap].starts || !tokens.ends_value(gap - 1)) return;
  std::size_t from = gap;
  while (from > 0) {
    if (tokens.closes(from - 1) && tokens[from - 1].partner != kNone) from = tokens[from - 1].partner;
    else if (divides(tokens, from - 1) || tokens.opens(from - 1)) break;
    else --from;
  }
  if (from == 0 || !(among(tokens[from - 1].shown, {"=", "when", "if", "and", "or", "(", "check", "where", "["})))
    return;
  // The second one ends before its text, or a third one.
  std::size_t end = gap;
  const auto another = [&](std::size_t i) {
    return i > gap && tokens.ends_value(i - 1) && tokens[i].value() && !is_reserved(tokens[i].shown) &&
           !among(tokens[i].shown, {"is", "given"});
  };
  while (!tokens[end].first && !divides(tokens, end) && !another(end)) end = tokens.behind(end);
  const KnownNames names(tokens);
  if (!is_condition(tokens, names, from, gap) || !is_condition(tokens, names, gap, end)) return;
  std::string said;
  for (std::size_t i = end; !tokens[i].starts && tokens[i].kind != Token::Kind::end && i < end + 20; ++i) {
    if (tokens[i].is_text()) said += " " + in_lower_case(tokens[i].shown) + " ";
  }
  const bool one = said.find(" or ") != said.npos || said.find("either") != said.npos;
  const bool both = said.find(" and ") != said.npos || said.find("both") != said.npos;
  const std::size_t at = tokens[gap - 1].end;
  const bool requires_all = among(tokens[tokens.head(from)].shown, {"gate", "check"});
  if (!one && (both || requires_all)) return out.add(at, at, " and", true);
  out.add_choice(at, at, one ? " or" : " and");
  out.add_choice(at, at, one ? " and" : " or");
}

std::vector<Edit> conditions_with_commas(const Tokens& tokens, Span statement, const Proposals& out) {
  std::vector<Edit> edits;
  std::size_t part = statement.begin;  // its first token
  while (part < statement.end && !among(tokens[part].shown, {"=", "when", "if"})) ++part;
  while (++part < statement.end) {
    bool either = false;
    std::size_t stop = part;
    const auto ends = [&](std::size_t k) {  // at a comma, or the text of the declaration
      return k >= statement.end || tokens.is(k, ",") || (tokens[k].is_text() && tokens.ends_value(k - 1));
    };
    for (; !ends(stop); stop = tokens.behind(stop)) {
      either = either || among(tokens[stop].shown, {"or", "||"});
      if (!edits.empty() && among(tokens[stop].shown, {"=", ":", "when", "if"})) return {};
    }
    if (!edits.empty() && stop == part + 1 && tokens[part].kind == Token::Kind::number) return {};  // x in 1, 5
    const bool comma = stop < statement.end && tokens.is(stop, ",");
    if (either && (comma || !edits.empty())) {  // late or ill, n > 3
      edits.push_back(out.edit(tokens[part].begin, tokens[part].begin, "("));
      edits.push_back(out.edit(tokens[stop - 1].end, tokens[stop - 1].end, ")"));
    }
    if (!comma) break;
    edits.push_back(
        out.edit(tokens[stop].begin, tokens[stop].end, tokens[stop].end == tokens[stop + 1].begin ? " and " : " and"));
    part = stop;
  }
  return edits;
}

}  // namespace assay::mending
