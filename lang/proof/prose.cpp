// See prose.hpp. Only phrases that hardly mean anything else are read.
#include "lang/proof/prose.hpp"

#include "lang/text/ascii.hpp"

#include <algorithm>
#include <iterator>

namespace assay {

namespace {

constexpr std::string_view kWords[] = {"zero",  "one",   "two",  "three", "four",   "five",  "six",
                                       "seven", "eight", "nine", "ten",   "eleven", "twelve"};

struct Phrase {
  std::string_view words, op;
  bool before, demands;
};
// Longer phrases first: "no more than" holds "more than".
constexpr Phrase kPhrases[] = {
    {"no less than", ">=", true, true},   {"not less than", ">=", true, true}, {"no fewer than", ">=", true, true},
    {"not fewer than", ">=", true, true}, {"no more than", "<=", true, true},  {"not more than", "<=", true, true},
    {"at least", ">=", true, true},       {"a minimum of", ">=", true, true},  {"minimum of", ">=", true, true},
    {"at most", "<=", true, true},        {"a maximum of", "<=", true, true},  {"maximum of", "<=", true, true},
    {"more than", ">", true, false},      {"greater than", ">", true, false},  {"higher than", ">", true, false},
    {"larger than", ">", true, false},    {"less than", "<", true, false},     {"fewer than", "<", true, false},
    {"lower than", "<", true, false},     {"smaller than", "<", true, false},  {"longer than", ">", true, false},
    {"shorter than", "<", true, false},   {"older than", ">", true, false},    {"younger than", "<", true, false},
    {"better than", ">", true, false},    {"heavier than", ">", true, false},  {"later than", ">", true, false},
    {"earlier than", "<", true, false},   {"below", "<", true, false},         {"above", ">", true, false},
    {"or more", ">=", false, false},      {"or higher", ">=", false, false},   {"or above", ">=", false, false},
    {"or less", "<=", false, false},      {"or fewer", "<=", false, false},    {"or lower", "<=", false, false},
    {"or below", "<=", false, false}};

// A word or a number of a text, in lower case.
struct Piece {
  std::string text;
  std::optional<SaidNumber> number;
};

std::vector<Piece> pieces_of(std::string_view prose, NumberPool& pool) {
  std::vector<Piece> pieces;
  const std::string text = in_lower_case(prose);
  for (std::size_t at = 0; at < text.size();) {
    if (!is_name_character(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    const bool digits = is_digit(text[at]);
    while (end < text.size() && (is_name_character(text[end]) || text[end] == '\'' ||
                                 (digits && text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]))))
      ++end;
    Piece piece{text.substr(at, end - at), std::nullopt};
    Number n;
    const auto* word = std::find(std::begin(kWords), std::end(kWords), piece.text);
    if (word != std::end(kWords)) piece.number = SaidNumber{whole(word - std::begin(kWords))};
    else if (digits && parse_decimal(piece.text, n, pool, true)) piece.number = SaidNumber{n};
    if (piece.number && text.substr(end, 1) == "%") piece.number->percent = true;
    pieces.push_back(std::move(piece));
    at = end;
  }
  return pieces;
}

}  // namespace

std::vector<SaidNumber> numbers_said(std::string_view prose, NumberPool& pool) {
  std::vector<SaidNumber> numbers;
  for (const Piece& piece : pieces_of(prose, pool)) {
    if (piece.number) numbers.push_back(*piece.number);
  }
  return numbers;
}

std::optional<SaidBound> bound_said(std::string_view prose, NumberPool& pool) {
  const std::vector<Piece> pieces = pieces_of(prose, pool);
  const auto is_number = [](const Piece& piece) { return piece.number.has_value(); };
  const auto at = std::find_if(pieces.begin(), pieces.end(), is_number);
  if (at == pieces.end() || std::find_if(at + 1, pieces.end(), is_number) != pieces.end()) return std::nullopt;
  std::string before, behind = " ";  // with a blank at their open ends
  for (auto piece = pieces.begin(); piece != at; ++piece) before += ' ' + piece->text;
  for (auto piece = at + 1; piece != pieces.end(); ++piece) behind += piece->text + ' ';
  for (const Phrase& phrase : kPhrases) {
    const std::string words = phrase.before ? ' ' + std::string(phrase.words) : ' ' + std::string(phrase.words) + ' ';
    if (phrase.before && !before.ends_with(words)) continue;
    if (!phrase.before) {  // five (or six such things) or more
      const std::size_t from = behind.find(words);
      constexpr std::size_t kMostBetween = 3;  // words
      if (from == behind.npos || std::count(behind.begin(), behind.begin() + static_cast<std::ptrdiff_t>(from), ' ') >
                                     static_cast<std::ptrdiff_t>(kMostBetween))
        continue;
    }
    const std::string rest = (phrase.before ? before.substr(0, before.size() - words.size()) : before) + ' ';
    for (const std::string_view denial : {" not ", " no ", " never ", " without ", " isn't ", " nor ", " unless "}) {
      if (rest.find(denial) != rest.npos) return std::nullopt;
    }
    return SaidBound{phrase.op, *at->number, phrase.demands};
  }
  return std::nullopt;
}

std::string_view opposite_of(std::string_view op) {
  return op == ">=" ? "<" : op == ">" ? "<=" : op == "<=" ? ">" : op == "<" ? ">=" : "";
}

std::string_view turned(std::string_view op) {
  return op == ">=" ? "<=" : op == ">" ? "<" : op == "<=" ? ">=" : op == "<" ? ">" : op;
}

}  // namespace assay
