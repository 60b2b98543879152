// See written_number.hpp. One reading for the cells of tables and for the values of records.
#include "lang/number/written_number.hpp"

#include "lang/text/ascii.hpp"

#include <algorithm>
#include <iterator>

namespace assay {

namespace {

bool is_letter(char c) { return is_name_character(c) && !is_digit(c) && c != '_'; }

void remove_all(std::string& text, std::string_view what) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at)) text.erase(at, what.size());
}

bool take_end(std::string& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.resize(text.size() - end.size());
  return true;
}

// Whether `mark` separates groups of three digits: 1,234,567.
bool groups_digits(std::string_view text, char mark) {
  const std::size_t first = text.find(mark), digits = text.find_first_of("0123456789");
  if (first == text.npos || digits >= first || first - digits > 3 || text[digits] == '0') return false;
  for (std::size_t at = first; at != text.npos; at = text.find(mark, at + 1)) {
    const std::size_t end = std::min(text.find_first_of(",.", at + 1), text.size());
    if (end - at != 4 || std::min(text.find_first_not_of("0123456789", at + 1), end) != end) return false;
  }
  return true;
}

// Whether blanks between digits stand before groups of three: 12 500, but not 3 4, which are two numbers.
bool blanks_group_digits(std::string_view text) {
  for (std::size_t at = text.find(' '); at != text.npos; at = text.find(' ', at + 1)) {
    if (at == 0 || !is_digit(text[at - 1]) || at + 1 == text.size() || !is_digit(text[at + 1])) continue;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
    const std::size_t before = text.find_last_not_of("0123456789", at - 1);
    if (end - at != 4 || at - (before == text.npos ? 0 : before + 1) > 3) return false;
  }
  return true;
}

bool is_decimal(std::string_view s) {
  const auto digits = [&s] {
    const std::size_t n = std::min(s.find_first_not_of("0123456789"), s.size());
    s.remove_prefix(n);
    return n > 0;
  };
  if (!s.empty() && s.front() == '-') s.remove_prefix(1);
  if (!digits()) return false;
  if (!s.empty() && s.front() == '.') {
    s.remove_prefix(1);
    if (!digits()) return false;
  }
  if (s.empty()) return true;
  if (s.front() != 'e' && s.front() != 'E') return false;
  s.remove_prefix(1);
  if (!s.empty() && (s.front() == '-' || s.front() == '+')) s.remove_prefix(1);
  return digits() && s.empty();
}

}  // namespace

namespace {

// Words behind a number that are a part of it, and letters that are read as digits: 3 million, 12 dozen, 50 cent, 1O.
bool changes_number(std::string_view unit, bool attached) {
  static constexpr std::string_view kFactors[] = {
      "k",   "K",        "m",    "M",       "b",       "B",        "G",     "T",        "hundred", "thousand",
      "tsd", "mio",      "mill", "million", "mn",      "mln",      "mrd",   "milliard", "bn",      "billion",
      "bio", "trillion", "lakh", "crore",   "dozen",   "dutzend",  "pair",  "score",    "cent",    "cents",
      "ct",  "pence",    "half", "halves",  "quarter", "quarters", "third", "thirds",   "permille"};
  if (attached && (unit == "O" || unit == "o" || unit == "l" || unit == "I" || unit == "S")) return true;
  std::string word = unit.size() == 1 ? std::string(unit) : in_lower_case(unit);
  if (word.size() > 3 && word.ends_with('s') && word != "cents" && word != "halves") word.pop_back();
  return std::find(std::begin(kFactors), std::end(kFactors), word) != std::end(kFactors);
}

}  // namespace

std::optional<WrittenNumber> written_number(std::string_view written) {
  static constexpr std::string_view kCurrencies[] = {"USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR",
                                                     "CAD", "AUD", "SEK", "NOK", "DKK", "PLN", "CZK"};
  WrittenNumber number;
  std::string text(written);
  for (const std::string_view blank : {"\xC2\xA0", "\xE2\x80\xAF"}) {
    for (std::size_t at = text.find(blank); at != text.npos; at = text.find(blank)) text.replace(at, blank.size(), " ");
  }
  if (!blanks_group_digits(text)) return std::nullopt;
  for (const std::string_view sign : {" ", "$", "€", "£", "¥", "°", "º", "'", "\"", "_"}) remove_all(text, sign);
  for (const std::string_view area : {"m²", "m³"}) {
    if (take_end(text, area)) text += "metres";
  }
  if (text.starts_with("−")) text.replace(0, std::string_view("−").size(), "-");
  for (const std::string_view currency : kCurrencies) {
    if (text.starts_with(currency)) text.erase(0, currency.size());
    if (take_end(text, currency)) number.unit = currency;
  }
  number.percent = take_end(text, "%");
  const std::size_t unit = text.size() - static_cast<std::size_t>(std::distance(
                                             text.rbegin(), std::find_if_not(text.rbegin(), text.rend(), is_letter)));
  if (unit < text.size()) {
    number.unit = text.substr(unit);
    const std::size_t letter = written.find(number.unit[0]);
    const bool attached = letter != written.npos && letter > 0 && is_digit(written[letter - 1]);
    if (changes_number(number.unit, attached) || unit == 0 || !is_digit(text[unit - 1])) return std::nullopt;
    text.resize(unit);
  }
  const auto commas = std::count(text.begin(), text.end(), ','), points = std::count(text.begin(), text.end(), '.');
  const auto drop = [&text](char mark) { text.erase(std::remove(text.begin(), text.end(), mark), text.end()); };
  if (commas > 0 && (points == 0 || text.rfind(',') < text.find('.')) && groups_digits(text, ',')) {
    number.certain = commas > 1 || points > 0;
    drop(',');
  } else if (commas == 1 && (points == 0 || (text.rfind('.') < text.find(',') && groups_digits(text, '.')))) {
    drop('.');
    std::replace(text.begin(), text.end(), ',', '.');
  } else if (commas == 0 && points > 1 && groups_digits(text, '.')) {
    drop('.');
  }
  if (text.starts_with('+')) text.erase(0, 1);
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  while (text.size() > sign + 1 && text[sign] == '0' && is_digit(text[sign + 1])) text.erase(sign, 1);
  if (text.size() > sign && text[sign] == '.') text.insert(sign, "0");
  if (text.size() > 1 && text.back() == '.') text.pop_back();
  if (!is_decimal(text)) return std::nullopt;
  number.text = std::move(text);
  return number;
}

bool says_unknown(std::string_view text) {
  static constexpr std::string_view kWords[] = {"",
                                                "-",
                                                "--",
                                                "–",
                                                "—",
                                                "?",
                                                ".",
                                                "n/a",
                                                "na",
                                                "nan",
                                                "none",
                                                "null",
                                                "nil",
                                                "inf",
                                                "+inf",
                                                "-inf",
                                                "∞",
                                                "#n/a",
                                                "tbd",
                                                "#n/v",
                                                "#ref!",
                                                "#num!",
                                                "#value!",
                                                "#div/0!",
                                                "#name?",
                                                "#null!",
                                                "missing",
                                                "k.a.",
                                                "n.a.",
                                                "unknown",
                                                "pending",
                                                "empty",
                                                "blank",
                                                "undefined",
                                                "not rated",
                                                "not available",
                                                "not applicable"};
  const std::string word = in_lower_case(text);
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace assay
