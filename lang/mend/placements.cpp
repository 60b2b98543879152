// Where a bracket that is missing may stand: a place is as good as another one if both say the same.
#include "lang/mend/placements.hpp"

#include <algorithm>

namespace assay::mending {
namespace {

// How tightly the operator at a token binds; 0: the parts of a choice, -1: it is none.
int rank_of(const Tokens& tokens, std::size_t i) {
  const std::string_view sign = tokens[i].shown;
  if (tokens[i].is_text()) return -1;
  if (among(sign, {"when", "else", "default", "for"})) return 0;
  if (among(sign, {"or", "xor"})) return 1;
  if (sign == "and") return 2;
  if (sign == "not") return 3;
  if (among(sign, {"<", "<=", ">", ">=", "==", "!=", "in", "is"})) return 4;
  const bool operand = i > 0 && tokens.ends_value(i - 1);
  if (among(sign, {"+", "-"})) return operand ? 5 : -1;
  if (among(sign, {"*", "/", "%"})) return 6;
  return sign == "^" ? 7 : -1;
}

bool is_call(const Tokens& tokens, std::size_t open) {
  return open > 0 && tokens[open - 1].kind == Token::Kind::word && tokens[open - 1].end == tokens[open].begin &&
         !is_reserved(tokens[open - 1].shown);
}

}  // namespace

std::vector<std::size_t> closing_places(const Tokens& tokens, std::size_t open, std::size_t end) {
  std::vector<std::size_t> places;
  const bool call = is_call(tokens, open);
  const int outer = open > 0 ? rank_of(tokens, open - 1) : -1;
  std::size_t last_comma = open, free = open + 1;  // free: behind the last use of a variable of a loop
  for (std::size_t i = open + 1; i < end; i = tokens.behind(i)) {
    if (tokens.is(i, ",")) last_comma = i;
    if (!tokens.is(i, "for")) continue;
    free = i + 4;  // for x in xs
    for (std::size_t k = i + 2; k < end; ++k) {
      if (tokens.is(k, tokens[i + 1].shown)) free = std::max(free, k + 1);
    }
  }
  bool named = !call;
  for (std::size_t i = open + 1; i <= last_comma; ++i) named = named || tokens[i].kind == Token::Kind::word;
  int lowest = -1;  // inside
  std::size_t operators = 0;
  for (std::size_t i = last_comma + 1; i < end; i = tokens.behind(i)) {
    const int rank = rank_of(tokens, i);
    if (rank < 0) {
      named = named || tokens[i].kind == Token::Kind::word || tokens.opens(i);
      continue;
    }
    if (rank != 3 && i >= free && i > last_comma + 1) {
      const bool typed = !(rank == 4 && lowest >= 0 && lowest < 3);  // (a or b) > 2
      bool other = call && named;                                    // it says something else than the last place
      if (!call && operators > 0 && typed) {
        other = lowest < rank;
        for (std::size_t k = i; k < end && outer >= 0; k = tokens.behind(k))
          other = other || (rank_of(tokens, k) >= 0 && rank_of(tokens, k) <= outer);
      }
      if (other) places.push_back(i - 1);
    }
    lowest = lowest < 0 ? rank : std::min(lowest, rank);
    ++operators;
  }
  return places;
}

std::vector<std::size_t> opening_places(const Tokens& tokens, std::size_t begin, std::size_t close) {
  std::vector<std::size_t> places, operators;
  for (std::size_t i = begin; i < close; i = tokens.behind(i)) {
    if (rank_of(tokens, i) >= 0) operators.push_back(i);
  }
  if (operators.empty()) return places;
  int lowest = rank_of(tokens, operators[0]);
  bool same = true;
  for (const std::size_t i : operators) {
    lowest = std::min(lowest, rank_of(tokens, i));
    same = same && tokens[i].shown == tokens[operators[0]].shown;
  }
  same = operators.size() == 1 || (same && among(tokens[operators[0]].shown, {"+", "*", "and", "or"}));
  const int next = tokens[close + 1].first ? -1 : rank_of(tokens, close + 1);
  if (same && next <= lowest) return places;
  places.push_back(begin);
  for (const std::size_t i : operators) {
    if (i != operators.back() && rank_of(tokens, i) != 3) places.push_back(i + 1);
  }
  return places;
}

std::size_t begin_of_value(const Tokens& tokens, std::size_t close) {
  std::size_t i = close;
  while (i > 0 && !tokens[i].first) {
    const Token& before = tokens[i - 1];
    if (tokens.opens(i - 1) || before.starts || among(before.shown, {"=", ",", "at", "where"})) break;
    if (among(before.shown, {"when", "if"}) && i > 2 && tokens[i - 3].starts) break;  // flag f when …
    i = tokens.closes(i - 1) && before.partner != kNone ? before.partner : i - 1;
  }
  return i;
}

}  // namespace assay::mending
