// Misspelt words of the language: 'wieght', and 'ta' where only 'at' can stand.
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"
#include "lang/parse/begins.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {
namespace {

// Whether a keystroke makes one of two words of the other, no letter of which is replaced.
bool among_slips(std::string_view typed, std::string_view meant) {
  const Slip slip = slip_of(typed, meant);
  return slip == Slip::exchanged || slip == Slip::lost || slip == Slip::added;
}

// nto, nott, n0t
bool is_slip_of_not(std::string_view word) {
  std::string letters = in_lower_case(word);
  std::replace(letters.begin(), letters.end(), '0', 'o');
  std::sort(letters.begin(), letters.end());
  const std::size_t doubled =
      static_cast<std::size_t>(std::adjacent_find(letters.begin(), letters.end()) - letters.begin());
  if (doubled < letters.size()) letters.erase(doubled, 1);
  return letters == "not" && !among(word, {"not", "ton"});
}

// A misspelled word of the language, at the problem or directly before it.
void words_of_the_language(const Window& window, Proposals& out) {
  static const std::vector<std::string_view> kWords = {
      "and",       "or",         "not",       "when",  "else",     "default",  "missing",  "otherwise", "decimals",
      "where",     "with",       "while",     "then",  "optional", "required", "weight",   "points",    "advisory",
      "from",      "extends",    "higher",    "lower", "given",    "expect",   "error",    "number",    "whole",
      "text",      "bool",       "list",      "level", "skip",     "exact",    "rescaled", "open",      "rubric",
      "import",    "dimension",  "criterion", "input", "output",   "let",      "gate",     "flag",      "advice",
      "bands",     "table",      "deduction", "bonus", "cap",      "check",    "example",  "cohort",    "context",
      "composite", "incomplete", "version",   "scale", "weights",  "history",  "rank",     "type",      "hook"};
  const Tokens& tokens = window.tokens;
  const KnownNames names(tokens);
  for (std::size_t i = window.at > 1 ? window.at - 2 : 0; i <= window.at + 1 && i < window.end; ++i) {
    const Token& token = tokens[i];
    if (names.is_field(token.shown) || names.bound.count(token.shown) != 0) continue;  // a word of the author's
    if (token.kind != Token::Kind::word || is_reserved(token.shown) || token.shown.size() < 3) continue;
    // What a declaration names is the author's word.
    static constexpr std::string_view kNames[] = {"dimension", "criterion", "input", "let",  "output",
                                                  "gate",      "deduction", "bonus", "flag", "bands",
                                                  "context",   "table",     "fn",    "type", "cap"};
    if (i > 0 && tokens[i - 1].starts &&
        std::find(std::begin(kNames), std::end(kNames), tokens[i - 1].shown) != std::end(kNames))
      continue;
    // 'late submissions lose 2 points', of an input 'late'
    if (tokens.declaration({"input", "let", "dimension"}, token.shown) != kNone) continue;
    if (names.is_item(token.shown)) continue;  // 'fault', of 'faults'
    const bool known = std::find(kWords.begin(), kWords.end(), token.shown) != kWords.end();
    const bool generic = tokens[i + 1].begin == token.end && (tokens.is(i + 1, "[") || tokens.is(i + 1, "<"));
    if (generic) continue;  // List[text]: the whole type is written another way
    if (known ||
        among(token.shown,
              {"score", "first", "last", "count", "words", "least", "most", "both", "map", "set", "record"}) ||
        is_filler(token.shown) || !known_word(token.shown).empty() || token.shown == "typeof")
      continue;  // it says what it says
    const std::string_view near = nearest(token.shown, kWords);
    const RoughToken word{RoughToken::Tag::word, static_cast<std::uint32_t>(token.begin),
                          static_cast<std::uint32_t>(token.end)};
    // A word is near to many: what stands behind it has to fit, too.
    const bool begins = find_declaration(near) != nullptr;
    if (begins && (token.first ? !would_begin(tokens.text(), word, near) : tokens[i - 1].kind == Token::Kind::word))
      continue;
    const bool goes_on =
        among(near, {"default", "otherwise", "decimals", "where"}) && i > 0 && tokens.ends_value(i - 1);
    if (i == window.at && window.problem.code == "E0107" && !begins && !goes_on) continue;
    const bool joins = among(near, {"and", "or", "when", "else", "default", "where", "with", "while", "then"});
    if (joins && (i == 0 || !tokens.ends_value(i - 1))) continue;  // share of the votes
    if (near == "import" && tokens.text().substr(0, token.begin).find('{') != std::string_view::npos) continue;
    // A first letter that is replaced is more often another word: 'height' is no 'weight'.
    const bool first = !near.empty() && std::tolower(static_cast<unsigned char>(near[0])) ==
                                            std::tolower(static_cast<unsigned char>(token.shown[0]));
    const bool alike = first || among_slips(token.shown, near);
    if (is_slip_of_not(token.shown) && tokens[i + 1].value() && !tokens[i + 1].first)
      out.add(token.begin, token.end, "not", true);
    else if (!near.empty() && near.size() + 2 >= token.shown.size())
      out.add(token.begin, token.end, std::string(near),
              (token.shown.size() > 3 && alike) ||
                  (near == "when" && window.problem.message.str().starts_with("expected 'when'")));
  }
}

// The words that the message of a problem says were expected: "expected 'given', 'expect' or '}', found 'igven'".
std::vector<std::string_view> expected_words(std::string_view message) {
  std::vector<std::string_view> words;
  if (!message.starts_with("expected ")) return words;
  message = message.substr(0, message.find(", found "));
  for (std::size_t at = message.find('\''); at != message.npos; at = message.find('\'', at)) {
    const std::size_t end = message.find('\'', at + 1);
    if (end == message.npos) break;
    const std::string_view word = message.substr(at + 1, message.find_first_of(" '", at + 1) - at - 1);
    if (!word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) != 0) words.push_back(word);
    at = end + 1;
  }
  return words;
}

// cap tone ta 6, igven { … }, et cost = 3: a keystroke beside one of the words that can stand here.
void words_that_fit(const Window& window, Proposals& out) {
  const Token& token = window.tokens[window.at];
  if (token.kind != Token::Kind::word) return;
  std::vector<std::string_view> words = expected_words(window.problem.message.str());
  const bool declares = window.problem.code == "E0107" && token.first;
  if (declares) words = declaration_words();
  if (window.problem.code == "E0301" && window.at > 0 && window.tokens.is(window.at - 1, "missing")) words = {"skip"};
  const RoughToken rough{RoughToken::Tag::word, static_cast<std::uint32_t>(token.begin),
                         static_cast<std::uint32_t>(token.end)};
  for (const std::string_view word : words) {
    if (!among_slips(token.shown, word) || (declares && !would_begin(window.tokens.text(), rough, word))) continue;
    out.add_choice(token.begin, token.end, std::string(word));
  }
}

}  // namespace

void spelling(const Window& window, Proposals& out) {
  words_that_fit(window, out);
  // Elsewhere words are the author's names.
  if (window.problem.code.starts_with("E01")) words_of_the_language(window, out);
}

}  // namespace assay::mending
