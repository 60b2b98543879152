// The word 'weight' or 'points' without its number, where the numbers of the other dimensions tell which one is missing.
#include "lang/mend/mend.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

namespace assay::mending {
namespace {

// In hundredths; -1: no such number.
std::int64_t hundredths(std::string_view number) {
  std::int64_t value = 0;
  int decimals = -1;
  for (const char c : number) {
    if (c == '.' && decimals < 0) decimals = 0;
    else if (c >= '0' && c <= '9' && value < 1'000'000'000) value = 10 * value + (c - '0'), decimals += decimals >= 0;
    else return -1;
    if (decimals > 2) return -1;
  }
  for (int i = std::max(decimals, 0); i < 2; ++i) value *= 10;
  return value;
}

std::string from_hundredths(std::int64_t value) {
  std::string rest = std::to_string(100 + value % 100).substr(1);
  while (!rest.empty() && rest.back() == '0') rest.pop_back();
  return std::to_string(value / 100) + (rest.empty() ? "" : "." + rest);
}

// What an author writes in place of a number that is still to be found.
bool stands_for_number(std::string_view shown) {
  return among(shown, {"%", "?", "??", "_", "__", "…", "..", "...", "TODO", "todo", "TBD", "tbd", "N", "n", "x", "xx",
                       "X", "XX"});
}

// The upper end of the scale, in hundredths; -1: there is none.
std::int64_t top_of_scale(const Tokens& tokens) {
  for (std::size_t i = 0; i + 4 < tokens.size(); ++i) {
    if (tokens[i].starts && tokens.is(i, "scale") && tokens.is(i + 2, "..") && tokens.is(i + 1, "0"))
      return hundredths(tokens[i + 3].shown);
  }
  return -1;
}

// What the other dimensions of the rubric leave of `whole`; -1: one of them has no number, or they leave nothing.
std::int64_t left_by_others(const Tokens& tokens, std::size_t own, std::string_view word, std::int64_t whole) {
  const std::size_t block = tokens.brace_around(own);
  if (block == kNone || whole < 0) return -1;
  std::int64_t rest = whole;
  int others = 0;
  for (std::size_t i = block + 1; i < tokens.size() && i != tokens[block].partner; i = tokens.behind(i)) {
    if (!tokens[i].starts || !tokens.is(i, "dimension") || i == own) continue;
    std::size_t at = i + 2;
    bool advisory = false;
    while (at + 1 < tokens.size() && !tokens[at].starts && !tokens.is(at, word) && !tokens.opens(at)) {
      advisory = advisory || tokens.is(at, "advisory");
      ++at;
    }
    if (advisory) continue;
    if (!tokens.is(at, word) || tokens[at + 1].kind != Token::Kind::number) return -1;
    std::string_view number = tokens[at + 1].shown;
    const bool percent = number.ends_with("%") || tokens.is(at + 2, "%");
    if (number.ends_with("%")) number.remove_suffix(1);
    const std::int64_t value = hundredths(number);
    if (value < 0 || percent != (word == "weight")) return -1;
    rest -= value;
    ++others;
  }
  return others > 0 ? rest : -1;
}

}  // namespace

void absent_weights(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const bool syntax = window.problem.code.starts_with("E01");
  if (!syntax && !among(window.problem.code, {"E0301", "E0401"})) return;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    if (!tokens[i].starts || !tokens.is(i, "dimension")) continue;
    std::size_t at = i + 2;
    while (at < window.end && !among(tokens[at].shown, {"weight", "points"}) && !tokens[at].starts &&
           !tokens[at].is_text() && !tokens.opens(at))
      ++at;
    const std::string word(tokens[at].shown);
    // What has been read as the number is not one: the text behind it, or TODO.
    if (!among(word, {"weight", "points"}) || (!syntax && window.at != at + 1)) continue;
    std::size_t end = at + 1;
    while (stands_for_number(tokens[end].shown) && !tokens[end].first) ++end;
    const bool stops = tokens[end].first || tokens[end].is_text() || tokens.opens(end) || tokens.closes(end) ||
                       among(tokens[end].shown, {"missing", "advisory"});
    if (!stops) continue;
    const bool weight = word == "weight";
    const std::int64_t rest = left_by_others(tokens, i, word, weight ? 10'000 : top_of_scale(tokens));
    if (rest > 0)
      out.add(tokens[at].begin, tokens[end - 1].end, word + " " + from_hundredths(rest) + (weight ? "%" : ""), true);
  }
}

}  // namespace assay::mending
