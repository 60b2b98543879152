// Conditions in words: 'hours must be at least 8'. A phrase is words that announce a comparison, which say nothing by
// themselves, and the comparison.
#include "lang/mend/blocks/declare.hpp"
#include "lang/mend/foreign/reader.hpp"
#include "lang/text/ascii.hpp"

#include <utility>

#include <array>

namespace assay::mending {
namespace {

struct Phrase {
  std::string_view sign;
  std::array<std::string_view, 5> words;
};
constexpr Phrase kPhrases[] = {
    {">=", {"greater", "than", "or", "equal", "to"}},
    {">=", {"more", "than", "or", "equal", "to"}},
    {"<=", {"less", "than", "or", "equal", "to"}},
    {"<=", {"fewer", "than", "or", "equal", "to"}},
    {">=", {"no", "less", "than"}},
    {">=", {"not", "less", "than"}},
    {">=", {"no", "fewer", "than"}},
    {"<=", {"no", "more", "than"}},
    {"<=", {"not", "more", "than"}},
    {"<=", {"no", "higher", "than"}},
    {"<=", {"not", "exceed"}},
    {">=", {"at", "least"}},
    {"<=", {"at", "most"}},
    {">=", {"minimum", "of"}},
    {"<=", {"maximum", "of"}},
    {"<=", {"up", "to"}},
    {">=", {"not", "below"}},
    {">=", {"not", "under"}},
    {"<=", {"not", "above"}},
    {"<=", {"not", "over"}},
    {"!=", {"not", "equal", "to"}},
    {"!=", {"different", "from"}},
    {"==", {"equal", "to"}},
    {"==", {"the", "same", "as"}},
    {">", {"more", "than"}},
    {">", {"greater", "than"}},
    {">", {"higher", "than"}},
    {">", {"larger", "than"}},
    {">", {"longer", "than"}},
    {">", {"bigger", "than"}},
    {">", {"older", "than"}},
    {"<", {"less", "than"}},
    {"<", {"fewer", "than"}},
    {"<", {"lower", "than"}},
    {"<", {"smaller", "than"}},
    {"<", {"shorter", "than"}},
    {"<", {"younger", "than"}},
    {">", {"exceeds"}},
    {">", {"exceed"}},
    {">", {"above"}},
    {">", {"over"}},
    {">", {"beyond"}},
    {"<", {"below"}},
    {"<", {"under"}},
    {"==", {"equals"}},
};

// Words before a comparison: 'must be', 'has to be', 'is'.
bool announces(std::string_view word) {
  return among(in_lower_case(word),
               {"must", "should", "shall", "has", "have", "needs", "need",   "to",   "be",    "is", "are",
                "was",  "were",   "does",  "do",  "may",  "can",   "cannot", "stay", "stays", "of"});
}

}  // namespace

static std::string without_phrases(std::string_view written) {
  const Tokens tokens(written);
  std::string result;
  std::size_t done = 0;  // bytes
  // 'no more than 60 singers'
  for (const Phrase& phrase : kPhrases) {
    std::size_t at = 0;
    bool fits = true;
    for (const std::string_view word : phrase.words) {
      if (word.empty() || !fits) break;
      fits = in_lower_case(tokens[at].shown) == word;
      ++at;
    }
    if (!fits || tokens[at].kind != Token::Kind::number || tokens[at + 1].kind != Token::Kind::word ||
        tokens[at + 2].kind != Token::Kind::end)
      continue;
    return std::string(tokens[at + 1].shown) + " " + std::string(phrase.sign) + " " + std::string(tokens[at].shown);
  }
  for (std::size_t i = 0; i + 1 < tokens.size();) {
    std::size_t at = i;
    bool cannot = false;
    while (at < i + 4 && announces(tokens[at].shown)) cannot = cannot || tokens.is(at, "cannot"), ++at;
    const Phrase* found = nullptr;
    std::size_t behind = at;
    if (i > 0) {
      for (const Phrase& phrase : kPhrases) {
        behind = at;
        bool fits = true;
        for (const std::string_view word : phrase.words) {
          if (word.empty() || !fits) break;
          const bool negated = cannot && behind == at && word == "not";
          if (negated) continue;
          fits = in_lower_case(tokens[behind].shown) == word;
          ++behind;
        }
        if (fits && tokens.operand(behind) > behind) {
          found = &phrase;
          break;
        }
      }
    }
    // 'is between 1 and 5', 'must be true'
    const bool between = found == nullptr && i > 0 && tokens.is(at, "between");
    const std::size_t low = between ? tokens.operand(at + 1) : at;
    const bool range =
        between && low > at + 1 && (tokens.is(low, "and") || tokens.is(low, "to")) && tokens.operand(low + 1) > low + 1;
    const bool must = found == nullptr && at > i && among(tokens[i].shown, {"must", "should", "shall"}) && i > 0;
    const bool sign = must && among(tokens[at].shown, {">=", "<=", ">", "<", "==", "!=", "in"});
    const bool holds = must && among(in_lower_case(tokens[at].shown), {"true", "yes", "met", "set"});
    if (found == nullptr && !range && !sign && !holds) {
      ++i;
      continue;
    }
    result += written.substr(done, tokens[i].begin - done);
    if (found != nullptr) result += std::string(found->sign) + " ";
    else if (range)
      result += "in " + raw(tokens, {at + 1, low}) + ".." + raw(tokens, {low + 1, tokens.operand(low + 1)});
    if (holds && !result.empty() && result.back() == ' ') result.pop_back();
    i = found != nullptr ? behind : range ? tokens.operand(low + 1) : sign ? at : at + 1;
    done = range || holds ? tokens[i - 1].end : tokens[i].begin;
  }
  result += written.substr(done);
  // The signs of other languages: !late, a && b, a <> b
  const bool foreign = result.find_first_of("!&|") != result.npos || result.find("<>") != result.npos ||
                       result.find("===") != result.npos || result.find(" = ") != result.npos;
  if (!foreign) return result;
  const Tokens own(result);
  const KnownNames names(own);
  Reader reader(own, names, 0, own.size() - 1);
  const Expr condition = reader.condition();
  return reader.failed() || reader.at() + 1 < own.size() ? result : write(condition);
}

std::string plain_condition(std::string_view written) {
  // there is no wifi; a loop, because a line may say so any number of times
  std::string signs;
  for (bool found = true; found;) {
    found = false;
    for (const auto& [words, sign] : {std::pair<std::string_view, std::string_view>{"there is no ", "not "},
                                      {"there are no ", "not "},
                                      {"there is a ", ""},
                                      {"there is ", ""}}) {
      if (!written.starts_with(words)) continue;
      signs += sign;
      written.remove_prefix(words.size());
      found = true;
      break;
    }
  }
  return signs + without_phrases(written);
}

}  // namespace assay::mending
