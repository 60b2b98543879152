// Conditions in words: 'hours must be at least 8'. A phrase consists of introducing words without a meaning of their
// own ('must be') and a comparison ('at least').
#include "lang/mend/foreign/reader.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace assay::mending {
namespace {

constexpr BoundWords kAtLeast{"+", ">=", BoundWords::behind, BoundWords::sentences};

// The words of a bound from a token on; null: there are none.
const BoundWords* bound_at(const Tokens& tokens, std::size_t i, BoundWords::Place place) {
  return bound_words(BoundWords::sentences, place,
                     [&tokens, i](std::size_t k) { return in_lower_case(tokens[i + k].shown); });
}

// What a demand says of the value before it: 'must be true', 'may not be empty'.
struct State {
  std::string_view words, before, behind, denied_before, denied_behind;
};
constexpr State kStates[] = {{" true yes met set on fulfilled satisfied done ", "", "", "not ", ""},
                             {" false no off ", "not ", "", "", ""},
                             {" given present provided filled known stated ", "", " is given", "", " is missing"},
                             {" missing absent unknown blank unset null none ", "", " is missing", "", " is given"},
                             {" empty ", "count(", ") == 0", "count(", ") > 0"}};

const State* state_of(std::string_view word) {
  const std::string key = " " + in_lower_case(word) + " ";
  const auto* found = std::find_if(std::begin(kStates), std::end(kStates),
                                   [&key](const State& s) { return s.words.find(key) != s.words.npos; });
  return found == std::end(kStates) ? nullptr : found;
}

// Words before a comparison: 'must be', 'has to be', 'is'.
bool announces(std::string_view word) {
  return among(in_lower_case(word),
               {"must", "should", "shall", "has", "have", "needs", "need",   "to",   "be",    "is", "are",
                "was",  "were",   "does",  "do",  "may",  "can",   "cannot", "stay", "stays", "of"});
}

bool demands(std::string_view word) {
  return among(in_lower_case(word), {"must", "should", "shall", "may", "can", "cannot", "has", "have", "needs"});
}

}  // namespace

static std::string without_phrases(std::string_view written) {
  const Tokens tokens(written);
  std::string result;
  std::size_t done = 0;  // bytes
  // 'no more than 60 singers', '60 singers or more'
  const BoundWords* head = bound_at(tokens, 0, BoundWords::before);
  const std::size_t number = head == nullptr ? 0 : head->count();
  if (head == nullptr) head = bound_at(tokens, 2, BoundWords::behind);
  const std::size_t end = number + 2 + (head != nullptr && head->place == BoundWords::behind ? head->count() : 0);
  if (head != nullptr && tokens[number].kind == Token::Kind::number && tokens[number + 1].kind == Token::Kind::word &&
      tokens[end].kind == Token::Kind::end)
    return std::string(tokens[number + 1].shown) + " " + std::string(head->op) + " " +
           std::string(tokens[number].shown);
  for (std::size_t i = 0; i + 1 < tokens.size();) {
    std::size_t at = i;
    bool negated = false;
    for (; at < i + 4 && announces(tokens[at].shown); ++at) negated = negated || tokens.is(at, "cannot");
    const BoundWords* found = nullptr;
    std::size_t value = at, behind = at;  // the number, and what follows the words
    if (i > 0) {
      // 'cannot exceed' is 'not exceed'
      found = bound_words(BoundWords::sentences, BoundWords::before, [&](std::size_t k) {
        return negated ? (k == 0 ? "not" : in_lower_case(tokens[at + k - 1].shown))
                       : in_lower_case(tokens[at + k].shown);
      });
      value = behind = found == nullptr ? at : at + found->count() - (negated ? 1 : 0);
      if (found != nullptr && tokens.operand(value) == value) found = nullptr;
      // 'is 300 or more', 'has to be 40+'
      if (found == nullptr && at > i && tokens[at].kind == Token::Kind::number) {
        std::size_t words = at + 1;
        while (words < at + 3 && bound_at(tokens, words, BoundWords::behind) == nullptr) ++words;
        found = bound_at(tokens, words, BoundWords::behind);
        value = at;
        behind = found == nullptr ? at : words + found->count();
        if (found == nullptr && tokens.is(at + 1, "+") && tokens.operand(at + 2) == at + 2) {
          found = &kAtLeast;
          behind = at + 2;
        }
      }
    }
    // 'is between 1 and 5', 'must be true'
    const bool between = found == nullptr && i > 0 && tokens.is(at, "between");
    const std::size_t low = between ? tokens.operand(at + 1) : at;
    const bool range =
        between && low > at + 1 && (tokens.is(low, "and") || tokens.is(low, "to")) && tokens.operand(low + 1) > low + 1;
    const bool must = found == nullptr && at > i && i > 0 && demands(tokens[i].shown);
    const bool sign = must && among(tokens[at].shown, {">=", "<=", ">", "<", "==", "!=", "in"});
    std::size_t word = at;
    bool denied = negated;
    for (; must && (tokens.is(word, "not") || announces(tokens[word].shown)); ++word)
      denied = denied || tokens.is(word, "not");
    // 'team missing', 'team not given'
    const std::size_t alone = tokens.is(i, "not") && found == nullptr ? i + 1 : i;
    const bool bare =
        found == nullptr && i > 0 && tokens[i - 1].kind == Token::Kind::word && tokens.ends_value(i - 1) &&
        among(in_lower_case(tokens[alone].shown), {"missing", "given", "absent", "present", "provided"}) &&
        !is_reserved(tokens[i - 1].shown);
    if (bare) word = alone, denied = alone > i;
    const State* state = must || bare ? state_of(tokens[word].shown) : nullptr;
    // 'the draft must not be late': late is what has to be false
    const std::size_t subject = state != nullptr ? tokens.operand_before(i - 1) : i;
    if (found == nullptr && !range && !sign && (state == nullptr || subject >= i || tokens[subject].begin < done)) {
      ++i;
      continue;
    }
    result += written.substr(done, tokens[state != nullptr ? subject : i].begin - done);
    if (found != nullptr && tokens[value].kind == Token::Kind::number) {  // at least 10% more than market
      const KnownNames names(tokens);
      Reader reader(tokens, names, value, tokens.size() - 1);
      if (const Expr limit = reader.relative_limit(); !limit.is(Expr::Kind::none)) {
        result += std::string(found->op) + " " + write(limit);
        i = reader.at();
        done = tokens[i - 1].end;
        continue;
      }
    }
    if (found != nullptr)
      result += std::string(found->op) + " " + (behind > value ? raw(tokens, {value, value + 1}) + " " : "");
    else if (range)
      result += "in " + raw(tokens, {at + 1, low}) + ".." + raw(tokens, {low + 1, tokens.operand(low + 1)});
    else if (state != nullptr)
      result += std::string(denied ? state->denied_before : state->before) + raw(tokens, {subject, i}) +
                std::string(denied ? state->denied_behind : state->behind);
    i = found != nullptr ? behind : range ? tokens.operand(low + 1) : sign ? at : word + 1;
    done = range || state != nullptr ? tokens[i - 1].end : tokens[i].begin;
  }
  result += written.substr(std::min(done, written.size()));
  while (!result.empty() && result.back() == ' ') result.pop_back();
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
