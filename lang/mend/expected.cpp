// A sign where the parser expects one word of the language, and words of inputs at dimensions.
#include "lang/mend/mend.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace assay::mending {
namespace {

// The only word of the language that may stand there; empty: there are several, or none.
std::string_view expected_word(std::string_view message) {
  const std::size_t end = std::min(message.find(", found"), message.size());
  const std::size_t open = message.find('\'');
  if (!message.starts_with("expected ") || open >= end) return {};
  const std::size_t close = message.find('\'', open + 1);
  if (close >= end || message.find('\'', close + 1) < end) return {};
  const std::string_view word = message.substr(open + 1, close - open - 1);
  return is_name_character(word[0]) ? word : std::string_view();
}

}  // namespace

void expected(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t at = window.at;
  if (!window.problem.code.starts_with("E01") || at == 0 || at + 1 >= tokens.size()) return;
  const Token& found = tokens[at];
  // What an input says of its source, at a dimension
  if (among(found.shown, {"judged", "measured", "computed", "required", "optional", "mandatory", "scored", "rated"}) &&
      at > 1 && among(tokens[at - 2].shown, {"dimension", "criterion"}))
    out.add(tokens[at - 1].end, found.end, "", true);
  // sum(f for f faults)
  if (window.problem.message.str().starts_with("expected 'in' ") && found.kind == Token::Kind::word)
    out.add(found.begin, found.begin, "in ", true);
  const std::string_view word = expected_word(window.problem.message.str());
  if (word.empty() || !among(found.shown, {",", ";", ":", "=", "->", "=>", "-", "–", "/"})) return;
  for (std::size_t k = at + 1; k + 1 < tokens.size() && !tokens[k].first; ++k) {
    if (tokens.is(k, word)) return;  // it is said further behind
  }
  out.add(tokens[at - 1].end, tokens[at + 1].begin, " " + std::string(word) + " ", true);
}

}  // namespace assay::mending
