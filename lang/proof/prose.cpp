// See prose.hpp. Only phrases that hardly mean anything else are read.
#include "lang/proof/prose.hpp"

#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace assay {

namespace {

// A word or a number of a text, in lower case.
struct Piece {
  std::string text;
  std::optional<SaidNumber> number;
};

// "three quarters" are 75%, "two thirds" no number that a decimal says, "three nines" none at all.
void make_part(Piece& piece, std::string_view behind, NumberPool& pool) {
  static constexpr std::pair<std::string_view, int> kParts[] = {
      {"half", 2},   {"halves", 2},  {"quarter", 4}, {"quarters", 4}, {"fifth", 5}, {"fifths", 5},
      {"tenth", 10}, {"tenths", 10}, {"third", 0},   {"thirds", 0},   {"nines", 0}};
  const auto* part =
      std::find_if(std::begin(kParts), std::end(kParts), [behind](const auto& row) { return row.first == behind; });
  if (part == std::end(kParts) || !piece.number) return;
  if (part->second == 0) return piece.number.reset();
  const Number share = div(whole(100), whole(part->second), pool);
  piece.number = SaidNumber{mul(piece.number->value, share, pool), true};
}

// The end of a number whose thousands are divided: "45,000", "45'000", "45 000"; its beginning: they are not. A blank may
// stand between two numbers: it divides only what ends in 000.
std::size_t end_of_thousands(std::string_view text, std::size_t at) {
  constexpr std::size_t kDigits = 3, kMostGroups = 5;
  static constexpr std::string_view kDividers[] = {",", "'", " ", "\u00a0", "\u2009", "\u202f", "\u2019"};
  const auto digits_from = [text](std::size_t from) {
    return std::min(text.find_first_not_of("0123456789", from), text.size()) - from;
  };
  std::size_t end = at + digits_from(at), groups = 0;
  const auto* divider = std::find_if(std::begin(kDividers), std::end(kDividers),
                                     [text, end](std::string_view sign) { return text.substr(end).starts_with(sign); });
  if (end - at > kDigits || text[at] == '0' || divider == std::end(kDividers)) return at;
  while (groups < kMostGroups && text.substr(end).starts_with(*divider) && digits_from(end + divider->size()) > 0) {
    if (digits_from(end + divider->size()) != kDigits) return at;
    end += divider->size() + kDigits, ++groups;
  }
  if (groups == 0) return at;
  const bool apart = *divider == " " && text.substr(end - kDigits, kDigits) != "000";
  if (apart || (end < text.size() && is_name_character(text[end]))) return at;
  const std::size_t fraction = text.substr(end, 1) == "." ? digits_from(end + 1) : 0;
  return fraction > 0 ? end + 1 + fraction : end;
}

// Whether a number is followed by a sign or a word for percent.
bool percent_behind(std::string_view text) {
  const std::size_t blank = text.starts_with(' ') ? 1 : 0;
  text.remove_prefix(blank);
  if (text.starts_with('%')) return true;
  for (const std::string_view word : {"percent", "per cent"}) {
    const bool ends =
        text.size() == word.size() || (text.size() > word.size() && !is_name_character(text[word.size()]));
    if (blank == 1 && text.starts_with(word) && ends) return true;
  }
  return false;
}

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
    const std::size_t grouped = digits ? end_of_thousands(text, at) : at;
    if (grouped > at) {
      end = grouped;
      piece.text = text.substr(at, end - at);
      std::erase_if(piece.text, [](char c) { return !is_digit(c) && c != '.'; });
    }
    Number n;
    if (const std::optional<int> said = number_said(piece.text)) piece.number = SaidNumber{whole(*said)};
    else if (digits && parse_decimal(piece.text, n, pool, true)) piece.number = SaidNumber{n};
    if (piece.number) piece.number->grouped = grouped > at;
    if (piece.number && percent_behind(std::string_view(text).substr(end))) piece.number->percent = true;
    if (!pieces.empty()) make_part(pieces.back(), piece.text, pool);
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

std::vector<std::pair<SaidNumber, std::string>> numbers_with_words(std::string_view prose, NumberPool& pool) {
  std::vector<std::pair<SaidNumber, std::string>> all;
  const std::vector<Piece> pieces = pieces_of(prose, pool);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].number) all.emplace_back(*pieces[i].number, i + 1 < pieces.size() ? pieces[i + 1].text : "");
  }
  return all;
}

std::optional<SaidBound> bound_said(std::string_view prose, NumberPool& pool, bool sentence) {
  const std::vector<Piece> pieces = pieces_of(prose, pool);
  const auto is_number = [](const Piece& piece) { return piece.number.has_value(); };
  const auto at = std::find_if(pieces.begin(), pieces.end(), is_number);
  if (at == pieces.end() || std::find_if(at + 1, pieces.end(), is_number) != pieces.end()) return std::nullopt;
  // "Four digits or more" is 1 000 or more.
  constexpr std::string_view kDigits[] = {"digit", "digits", "figure", "figures"};
  if (at + 1 != pieces.end() && std::find(std::begin(kDigits), std::end(kDigits), (at + 1)->text) != std::end(kDigits))
    return std::nullopt;
  const std::uint8_t readers = BoundWords::demands | BoundWords::states | (sentence ? BoundWords::sentences : 0);
  const auto words_from = [&pieces, readers](std::ptrdiff_t from, BoundWords::Place place) {
    return bound_words(readers, place, [&pieces, from](std::size_t k) {
      const std::size_t i = static_cast<std::size_t>(from) + k;
      return i < pieces.size() ? std::string_view(pieces[i].text) : std::string_view();
    });
  };
  const std::ptrdiff_t number = at - pieces.begin();
  constexpr std::ptrdiff_t kMostWords = 5,
                           kMostBetween = 3;  // in a phrase; before "or more": five (such things) or more
  const BoundWords* found = nullptr;
  std::ptrdiff_t end = number;  // of what may deny the bound
  for (std::ptrdiff_t from = std::max<std::ptrdiff_t>(0, number - kMostWords); from < number && found == nullptr;
       ++from) {
    const BoundWords* words = words_from(from, BoundWords::before);
    if (words != nullptr && from + static_cast<std::ptrdiff_t>(words->count()) == number) found = words, end = from;
  }
  for (std::ptrdiff_t from = number + 1; from <= number + 1 + kMostBetween && found == nullptr; ++from)
    found = words_from(from, BoundWords::behind);
  static constexpr std::string_view kDenials[] = {"not", "no",     "never",  "without", "isn't",
                                                  "nor", "unless", "nobody", "nothing", "none"};
  const auto denies = [](const Piece& piece) {
    return std::find(std::begin(kDenials), std::end(kDenials), piece.text) != std::end(kDenials);
  };
  const bool denied = std::any_of(pieces.begin(), pieces.begin() + end, denies);
  // "No fever above 38" is what has to hold.
  const bool none = denied && denies(pieces.front()) && pieces.front().text.starts_with("no") &&
                    pieces.front().text != "not" && end > 1 && found != nullptr &&
                    (found->readers & BoundWords::states) != 0 && found->place == BoundWords::before &&
                    std::none_of(pieces.begin() + 1, pieces.begin() + end, denies);
  if (found == nullptr || (denied && !none)) return std::nullopt;
  static constexpr std::string_view kRules[] = {"need",      "needs",    "needed",    "require",  "requires",
                                                "required",  "must",     "should",    "shall",    "allowed",
                                                "tolerated", "expected", "permitted", "accepted", "wanted"};
  const bool rules = std::any_of(pieces.begin(), pieces.end(), [](const Piece& piece) {
    return std::find(std::begin(kRules), std::end(kRules), piece.text) != std::end(kRules);
  });
  static constexpr std::string_view kMusts[] = {"need", "needs", "require", "requires", "must", "should", "shall"};
  const bool behind = found->place == BoundWords::behind && found->words.starts_with("must");  // "must have passed"
  const bool must = behind || std::any_of(pieces.begin(), at, [](const Piece& piece) {
                      return std::find(std::begin(kMusts), std::end(kMusts), piece.text) != std::end(kMusts);
                    });
  if (none) return SaidBound{opposite_of(found->op), *at->number, rules, true, must};
  return SaidBound{found->op, *at->number, rules, (found->readers & BoundWords::demands) != 0, must};
}

std::optional<SaidOf> bound_of_name(const std::vector<std::string>& words, bool passes,
                                    const std::function<int(std::string_view)>& side_of) {
  constexpr std::size_t kMostBetween = 2;  // "within the (maximum) budget"
  static constexpr std::string_view kDenials[] = {"not", "no", "never", "without", "nor", "unless", "cannot"};
  const auto denies = [](const std::string& word) {
    return std::find(std::begin(kDenials), std::end(kDenials), word) != std::end(kDenials) || word.ends_with("n't");
  };
  // What passes is told by what has to hold, and what applies by what is the case: a gate's "more than the budget" may say
  // why it fails.
  const std::uint8_t readers = passes ? BoundWords::demands : BoundWords::states;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const BoundWords* row = bound_words(readers, BoundWords::before, [&words, at](std::size_t k) {
      return at + k < words.size() ? std::string_view(words[at + k]) : std::string_view();
    });
    const bool within = passes && words[at] == "within";
    if ((row == nullptr && !within) ||
        std::any_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at), denies))
      continue;
    const std::size_t from = at + (row != nullptr ? row->count() : 1);
    for (std::size_t k = from; k < words.size() && k <= from + kMostBetween; ++k) {
      if (words[k][0] >= '0' && words[k][0] <= '9') break;  // "at most 400 lines" is about a number
      if (const int side = side_of(words[k]); side != 0) return SaidOf{row != nullptr ? row->op : "<=", side};
    }
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
