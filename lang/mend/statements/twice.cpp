// A name that is declared twice. What repeats the first declaration goes; another one gets the name that the rubric uses
// and nothing declares, or else a name from what it says.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/mend/statements/items.hpp"
#include "lang/model/builtin_rows.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace assay::mending {
namespace {

using Kind = Token::Kind;

Span declaration_at(const Tokens& tokens, std::size_t begin) {
  std::size_t i = begin + 1;
  while (i + 1 < tokens.size() && !tokens[i].starts &&
         !(tokens.closes(i) && (tokens[i].partner == kNone || tokens[i].partner < begin)))
    i = tokens.behind(i);
  return {begin, std::min(i, tokens.size() - 1)};
}

bool equal(const Tokens& tokens, Span one, Span other) {
  bool same = one.end - one.begin == other.end - other.begin;
  for (std::size_t i = 0; same && one.begin + i < one.end; ++i)
    same = tokens[one.begin + i].shown == tokens[other.begin + i].shown;
  return same;
}

// Whether its prose has a word of the name.
bool speaks_of(const Tokens& tokens, Span declaration, std::string_view name) {
  for (std::size_t i = declaration.begin; i < declaration.end; ++i) {
    if (!tokens[i].is_text()) continue;
    const std::string said = "_" + in_lower_case(as_name(without_quotes(tokens, i))) + "_";
    for (std::size_t from = 0; from < name.size();) {
      const std::size_t end = std::min(name.find('_', from), name.size());
      if (said.find("_" + in_lower_case(name.substr(from, end - from)) + "_") != said.npos) return true;
      from = end + 1;
    }
  }
  return false;
}

// Adds the keys of a record in braces, or of each in a list.
void keys_of(const Tokens& tokens, std::size_t open, std::vector<std::string_view>& keys) {
  if (!tokens.opens(open) || tokens[open].partner == kNone) return;
  const auto of_record = [&](std::size_t brace) {
    for (std::size_t k = brace + 1; k < tokens[brace].partner; k = tokens.behind(k)) {
      if (tokens[k].kind == Kind::word && tokens.is(k + 1, ":")) keys.push_back(tokens[k].shown);
    }
  };
  if (!tokens.is(open, "[")) return of_record(open);
  for (std::size_t k = open + 1; k < tokens[open].partner; k = tokens.behind(k)) {
    if (tokens.is(k, "{") && tokens[k].partner != kNone) of_record(k);
  }
}

// Names that the rubric uses, or that its examples give or expect, as something that this word declares, and that nothing
// declares.
std::vector<std::string_view> undeclared(const Tokens& tokens, std::string_view word) {
  const KnownNames known(tokens);
  const bool called = among(word, {"fn", "table", "hook"}), given = among(word, {"input", "dimension", "criterion"});
  std::vector<std::string_view> names;
  std::set<std::string_view> defined;  // also behind 'where'
  if (!called && !given && !among(word, {"let", "output"})) return names;
  for (std::size_t k = 1; k + 1 < tokens.size(); ++k) {
    const Token &before = tokens[k - 1], &token = tokens[k], &next = tokens[k + 1];
    if (next.shown == "=") defined.insert(token.shown);
    if ((given && token.shown == "given") || (word == "output" && token.shown == "expect"))
      keys_of(tokens, k + 1, names);
    const bool value =  // of which an output is rarely one
        word == "output" ? false
        : before.kind == Kind::sign
            ? !among(before.shown, {".", "|", "{", "}", ":"})
            : among(before.shown, {"and", "or", "xor", "not", "when", "else", "in", "default", "higher", "lower"});
    const bool ends = next.kind != Kind::word || next.first || is_reserved(next.shown) ||
                      among(next.shown, {"where", "decimals", "digits", "weight", "points"});
    const bool fits = next.shown == "(" ? called : !called && ends && !among(next.shown, {":", "=", ","});
    if (token.kind == Kind::word && !token.starts && value && fits) names.push_back(token.shown);
  }
  const auto declared = [&](std::string_view name) {
    const bool of_verdict = std::any_of(std::begin(kVerdictKeys), std::end(kVerdictKeys),
                                        [name](const auto& row) { return row.key == name; });
    return is_reserved(name) || defined.count(name) != 0 || known.declares(name) || known.bound.count(name) != 0 ||
           of_verdict || known.tables.count(name) != 0 || known.functions.count(name) != 0 ||
           find_builtin(name) != nullptr ||
           among(name, {"text",   "bool",    "list",     "set",   "one",      "id",         "history",
                        "input",  "records", "rejected", "place", "ranking",  "ineligible", "verdicts",
                        "cohort", "error",   "number",   "whole", "map",      "group",      "decimals",
                        "digits", "weight",  "points",   "skip",  "advisory", "exact"}) ||
           tokens.declaration({"bands", "rubric", "type", "context", "output"}, name) != kNone;
  };
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  names.erase(std::remove_if(names.begin(), names.end(), declared), names.end());
  return names;
}

// The first value in a declaration as its name, or else one from its prose; empty: it has neither.
std::string name_from(const Tokens& tokens, Span declaration) {
  std::string prose;
  const KnownNames known(tokens);
  for (std::size_t i = declaration.begin + 2; i < declaration.end; ++i) {
    const bool word = tokens[i].kind == Kind::word && !is_reserved(tokens[i].shown);
    if (word && known.bound.count(tokens[i].shown) != 0) return {};  // the item of a loop
    if (word && find_builtin(tokens[i].shown) == nullptr) return std::string(tokens[i].shown);
    if (tokens[i].is_text()) prose = name_of_text(without_quotes(tokens, i));
  }
  return prose;
}

}  // namespace

void declared_twice(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t name = window.at;
  if (window.problem.code != "E0306" || name == 0) return;
  const auto remove = [&](Span span, bool certain) {
    const std::size_t begin = tokens[span.begin - 1].end;
    const bool comment = tokens.text().substr(begin, tokens[span.begin].begin - begin).find('#') != std::string::npos;
    out.add(comment ? tokens[span.begin].begin : begin, tokens[span.end - 1].end, "", certain);
  };
  if (tokens.is(name - 1, ",")) {  // "a" or a field again
    const auto end = [&tokens](std::size_t i) {
      while (i + 1 < tokens.size() && !tokens.is(i, ",") && !tokens.closes(i)) i = tokens.behind(i);
      return i;
    };
    for (std::size_t k = name - 1; k-- > 0 && !tokens[k].starts;) {
      const bool again = tokens.is(k, tokens[name].shown) && (tokens.is(k - 1, ",") || tokens.opens(k - 1));
      if (again && equal(tokens, {k, end(k)}, {name, end(name)})) return remove({name - 1, end(name)}, true);
    }
  }
  const std::size_t begin = tokens[name].starts ? name : name - 1;
  if (!tokens[begin].starts) return;
  const Span second = declaration_at(tokens, begin);
  Span first;
  for (std::size_t k = 0; k < begin && first.empty(); ++k) {
    if (tokens[k].starts && tokens.is(k + name - begin, tokens[name].shown)) first = declaration_at(tokens, k);
  }
  const std::string_view word = tokens[begin].shown;
  const bool again = !first.empty() && equal(tokens, first, second);
  const std::vector<std::string_view> wanted =
      first.empty() || begin == name ? std::vector<std::string_view>() : undeclared(tokens, word);
  // What is copied and not renamed yet is another one, if the rubric uses its name.
  if (again && wanted.size() != 1) return remove(second, true);
  if (first.empty() || begin == name) return;
  // output x = x, beside 'let x'
  const bool shown = word == "output" && tokens.is(name + 1, "=") && tokens.is(name + 2, tokens[name].shown) &&
                     (name + 3 >= second.end || tokens[name + 3].is_text() || tokens.is(name + 3, "decimals"));
  if (shown && tokens.is(first.begin, "let")) return out.add(tokens[name].end, tokens[name + 2].end, "", true);
  const bool first_means_another =
      speaks_of(tokens, second, tokens[name].shown) && !speaks_of(tokens, first, tokens[name].shown);
  for (const bool other : {first_means_another, !first_means_another}) {
    const Token& renamed = tokens[other ? first.begin + 1 : name];
    for (const std::string_view better : wanted)
      out.add(renamed.begin, renamed.end, std::string(better), wanted.size() == 1 && other == first_means_another);
  }
  if (!wanted.empty() || among(word, {"input", "dimension", "criterion", "let", "fn", "table", "type"})) return;
  for (const Span& one : {second, first}) {
    const std::string own = name_from(tokens, one);
    const Token& renamed = tokens[one.begin + 1];
    if (!own.empty() && own != renamed.shown && tokens.declaration({word}, own) == kNone)
      out.add(renamed.begin, renamed.end, own, false);
  }
}

}  // namespace assay::mending
