// Numbers as people write them: with units, with separators of thousands, as words of a scale; and dates.
#include "lang/check/words/units.hpp"
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/mend.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace assay::mending {
namespace {

struct Unit {
  std::string_view word;
  enum class Means { nothing, percent, thousand, million } means;
};
// Units that change what a number is, and those that say nothing.
constexpr std::array kUnits = {
    Unit{"percent", Unit::Means::percent}, Unit{"pct", Unit::Means::percent},  Unit{"pc", Unit::Means::percent},
    Unit{"k", Unit::Means::thousand},      Unit{"K", Unit::Means::thousand},   Unit{"thousand", Unit::Means::thousand},
    Unit{"M", Unit::Means::million},       Unit{"mio", Unit::Means::million},  Unit{"million", Unit::Means::million},
    Unit{"x", Unit::Means::nothing},       Unit{"X", Unit::Means::nothing},    Unit{"f", Unit::Means::nothing},
    Unit{"d", Unit::Means::nothing},       Unit{"L", Unit::Means::nothing},    Unit{"p", Unit::Means::nothing},
    Unit{"pt", Unit::Means::nothing},      Unit{"pts", Unit::Means::nothing},  Unit{"point", Unit::Means::nothing},
    Unit{"points", Unit::Means::nothing},  Unit{"mark", Unit::Means::nothing}, Unit{"marks", Unit::Means::nothing},
    Unit{"times", Unit::Means::nothing},   Unit{"stars", Unit::Means::nothing}};

std::string times(std::string_view digits, Unit::Means means) {
  if (means == Unit::Means::percent) return std::string(digits) + "%";
  if (means == Unit::Means::nothing) return std::string(digits);
  std::size_t zeros = means == Unit::Means::thousand ? 3 : 6;
  std::string whole(digits.substr(0, digits.find('.'))), rest;
  if (const std::size_t point = digits.find('.'); point != digits.npos) rest = digits.substr(point + 1);
  while (zeros-- > 0) {
    whole += rest.empty() ? '0' : rest[0];
    if (!rest.empty()) rest.erase(0, 1);
  }
  while (whole.size() > 1 && whole[0] == '0') whole.erase(0, 1);
  return whole + (rest.empty() ? "" : "." + rest);
}

// Words behind a number that belong to the language.
bool goes_on(std::string_view word) {
  static constexpr std::array<std::string_view, 22> kWords = {
      "and",  "or",   "xor", "not",   "in", "is",       "when",   "else",     "for",     "default", "where",
      "with", "then", "by",  "while", "at", "decimals", "digits", "optional", "missing", "weight",  "points"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end() || is_reserved(word);
}

// 10MB, 2x, 5k; 5 points, 3 days
void units(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const KnownNames names(tokens);
  const auto unit_of = [](std::string_view word) {
    return std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& unit) { return unit.word == word; });
  };
  for (std::size_t i = window.begin; i < window.end; ++i) {
    const Token& token = tokens[i];
    if (token.kind != Token::Kind::number) continue;
    if (tokens.is(i + 1, "°") && (tokens[i + 2].first || tokens[i + 2].kind != Token::Kind::word))  // 5°
      out.add(tokens[i + 1].begin, tokens[i + 1].end, "", true);
    std::size_t end = 0;
    while (end < token.shown.size() && (is_digit(token.shown[end]) || token.shown[end] == '.')) ++end;
    const std::string_view digits = token.shown.substr(0, end), unit = token.shown.substr(end);
    const bool hexadecimal = digits == "0" && !unit.empty() && (unit[0] == 'x' || unit[0] == 'X') && unit.size() > 1 &&
                             unit.size() < 9 &&
                             unit.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string_view::npos;
    if (hexadecimal) {
      const std::string plain(unit.substr(1));
      out.add(token.begin, token.end, std::to_string(std::strtoul(plain.c_str(), nullptr, 16)), true);
      continue;
    }
    const bool exponent = unit.size() > 1 && (unit[0] == 'e' || unit[0] == 'E') && is_digit(unit[1]);
    if (!unit.empty() && unit != "%" && unit[0] != '_' && !exponent) {
      if (names.declares(unit) && !is_unit_of_name(tokens, i, unit)) {  // 2x of a value x, not a unit of that name
        const bool condition = names.shape(unit) == Shape::condition;
        out.add(token.begin, token.end, std::string(digits) + (condition ? " and " : " * ") + std::string(unit),
                !condition);
        continue;
      }
      const auto* known = unit_of(unit);
      const bool there = known != kUnits.end();
      const std::size_t sign = i > 0 && among(tokens[i - 1].shown, {"<=", "<", ">=", ">"}) ? i - 1 : i;
      const bool key = sign > 0 && tokens.is(sign - 1, "|");  // | <= 5kg |
      if (key && !there) out.add(token.begin, token.end, std::string(digits), true);
      // '2side' of a side that there is
      for (std::size_t k = 0; !there && !key && k < tokens.size(); ++k) {
        if (tokens[k].shown != unit) continue;
        out.add(token.begin, token.end, std::string(digits) + " * " + std::string(unit), true);
        break;
      }
      const std::string plain = there ? times(digits, known->means) : std::string(digits);
      const std::string converted = in_unit_before(tokens, i, plain, unit);
      if ((!key || there) && !(converted == plain && mixed_units(tokens, i, unit)))
        out.add(token.begin, token.end, converted, there || converted != plain);
    }
    const Token& next = tokens[i + 1];
    // temp > 39°C
    if (next.shown == "°" && next.begin == token.end && !tokens[i + 1].first) {
      const bool letter = among(tokens[i + 2].shown, {"C", "F", "K"}) && tokens[i + 2].begin == next.end;
      out.add(token.end, tokens[letter ? i + 2 : i + 1].end, "", true);
      continue;
    }
    if (!unit.empty() || next.kind != Token::Kind::word || next.first || goes_on(next.shown)) {
      // '= 5 points when …': behind an amount 'points' is a unit, too
      const bool amount = unit.empty() && !next.first && tokens.is(i + 1, "points") && i > 0 &&
                          tokens[i - 1].kind == Token::Kind::sign && tokens[i + 2].kind != Token::Kind::number;
      if (amount) out.add(token.end, next.end, "", true);
      continue;
    }
    if (names.declares(next.shown) || names.bound.count(next.shown) != 0) continue;  // 3.14 r: a factor
    const auto* known = unit_of(next.shown);
    const bool there = known != kUnits.end();
    // scale 0..100 percent
    if (i > 2 && tokens.is(i - 3, "scale") && there && known->means == Unit::Means::percent) {
      out.add(token.end, next.end, "", true);
      continue;
    }
    const std::string plain = there ? times(token.shown, known->means) : std::string(token.shown);
    const std::string converted = in_unit_before(tokens, i, plain, next.shown);
    if (converted != plain || !mixed_units(tokens, i, next.shown))
      out.add(token.begin, next.end, converted, there || converted != plain);
  }
}

// response <= 4h, of a text such as "1h 30m": its duration, in seconds.
void durations(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const KnownNames names(tokens);
  for (std::size_t i = std::max<std::size_t>(window.begin, 2); i < window.end; ++i) {
    if (tokens[i].kind != Token::Kind::number || !among(tokens[i - 1].shown, {"<", "<=", ">", ">="})) continue;
    const std::string_view shown = tokens[i].shown;
    const std::size_t digits = std::min(shown.find_first_not_of("0123456789."), shown.size());
    const bool apart = digits == shown.size();  // 4 h
    const std::size_t last = apart ? i + 1 : i;
    if (apart && (tokens[last].kind != Token::Kind::word || tokens[last].first)) continue;
    std::string unit = in_lower_case(apart ? tokens[last].shown : shown.substr(digits));
    if (unit == "d") unit = "days";
    if (unit == "m") unit = "minutes";
    const assay::Unit *of = assay::unit_of(unit), *second = assay::unit_of("seconds");
    const std::size_t begin = tokens.operand_before(i - 2);
    if (of == nullptr || of->of != second->of || begin > i - 2 || names.shape(tokens[i - 2].shown) != Shape::text)
      continue;
    NumberPool pool;
    Number n;
    if (!parse_decimal(shown.substr(0, digits), n, pool, true)) continue;
    const Number seconds = div(mul(n, Number{of->size, 1}, pool), Number{second->size, 1}, pool);
    out.add(tokens[begin].begin, tokens[last].end,
            "duration(" + std::string(tokens.text(begin, i - 2)) + ") " + std::string(tokens[i - 1].shown) + " " +
                shortest_text(seconds),
            true);
  }
}

// A part of the whole in per cent; 0: the word is none.
int share_said(std::string_view word) {
  return word == "half" ? 50 : word == "quarter" ? 25 : word == "third" ? 33 : 0;
}

// So much per cent of the scale, which begins at 0; empty: there is none, or it does not come out.
std::string part_of_scale(const Tokens& tokens, int percent) {
  constexpr int kMost = 1000;
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    if (!tokens[i].starts || !tokens.is(i, "scale") || !tokens.is(i + 1, "0") || !tokens.is(i + 2, "..")) continue;
    const int top = std::atoi(std::string(tokens[i + 3].shown).c_str());
    if (top <= 0 || top > kMost || top * percent % 50 != 0) return {};
    return std::to_string(top * percent / 100) + (top * percent % 100 == 50 ? ".5" : "");
  }
  return {};
}

// 'thirty percent', 'weight half'
void words(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    const int share = share_said(tokens[i].shown);
    const int said = share != 0 ? share : number_said(tokens[i].shown).value_or(0);
    if (said == 0 || i == 0) continue;
    const bool percent = tokens.is(i + 1, "percent") || tokens.is(i + 1, "pct") || tokens.is(i + 1, "%");
    const bool counts = percent || share != 0 || tokens.is(i - 1, "weight") || tokens.is(i - 1, "points") ||
                        tokens[i - 1].kind == Token::Kind::sign || tokens.is(i + 1, "points");
    if (!counts) continue;
    if (share != 0 && tokens.is(i - 1, "at")) {  // cap score at half: of the scale
      if (const std::string part = part_of_scale(tokens, share); !part.empty())
        out.add(tokens[i].begin, tokens[i].end, part, false);
      continue;
    }
    const std::string text = share == 33 ? "1/3" : std::to_string(said) + (percent || share != 0 ? "%" : "");
    out.add(tokens[i].begin, percent ? tokens[i + 1].end : tokens[i].end, text, percent);
  }
}

// Weights that are not percentages: shares of their sum, words, 'the rest'.
void weights(const Window& window, Proposals& out) {
  static constexpr std::pair<std::string_view, int> kWords[] = {
      {"critical", 4}, {"essential", 4}, {"highest", 4},  {"high", 3}, {"major", 3}, {"important", 3}, {"medium", 2},
      {"normal", 2},   {"moderate", 2},  {"standard", 2}, {"low", 1},  {"minor", 1}, {"lowest", 1}};
  static constexpr std::string_view kRest[] = {"rest", "remaining", "remainder", "others", "auto", "balance"};
  const Tokens& tokens = window.tokens;
  std::vector<Edit> shares;
  double sum = 0, percents = 0;
  bool worded = false, mixed = false;
  std::size_t rest = 0, rest_end = 0;
  std::vector<std::pair<std::size_t, int>> parts;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens.is(i, "weight")) continue;
    const std::size_t at = tokens.is(i + 1, "the") ? i + 2 : i + 1;
    if (tokens[at].kind == Token::Kind::number) {
      const std::string number(tokens[at].shown);
      const double value = std::strtod(number.c_str(), nullptr);
      const bool whole = number.find_first_not_of("0123456789") == number.npos;
      const bool times = number.size() > 1 && (number.back() == 'x' || number.back() == 'X');
      if (number.back() == '%') percents += value;
      mixed = mixed || (!whole && !times);
      sum += value;
      parts.emplace_back(at, static_cast<int>(std::min(value, 1000.0)));
    } else if (std::find(std::begin(kRest), std::end(kRest), tokens[at].shown) != std::end(kRest)) {
      rest = i + 1, rest_end = at;
    } else {
      const auto* word = std::find_if(std::begin(kWords), std::end(kWords),
                                      [&](const auto& r) { return r.first == tokens[at].shown; });
      if (word == std::end(kWords)) {
        mixed = true;
        continue;
      }
      worded = true;
      sum += word->second;
      parts.emplace_back(at, word->second);
    }
  }
  constexpr double kFewest = 20;  // more than that are percentages without their sign
  if (!mixed && sum > 1 && sum < kFewest && parts.size() > 1) {
    const int total = static_cast<int>(sum);
    const bool percent =
        std::all_of(parts.begin(), parts.end(), [&](const auto& p) { return 100 * p.second % total == 0; });
    for (const auto& [at, part] : parts) {
      const std::string share =
          percent ? std::to_string(100 * part / total) + "%" : std::to_string(part) + "/" + std::to_string(total);
      shares.push_back(out.edit(tokens[at].begin, tokens[at].end, share));
    }
    out.add(std::move(shares), !worded);
  }
  if (rest != 0 && percents > 0 && percents < 100 && percents == sum) {
    std::string left = std::to_string(100 - percents);
    while (left.back() == '0') left.pop_back();
    if (left.back() == '.') left.pop_back();
    out.add(tokens[rest].begin, tokens[rest_end].end, left + "%", true);
  }
}

// Whether other numbers of the text have a decimal comma: 0,5.
bool has_decimal_commas(const Tokens& tokens) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const std::string_view behind = tokens[i + 2].shown;
    const bool one = tokens[i].kind == Token::Kind::number && tokens.is(i + 1, ",") &&
                     tokens[i + 2].kind == Token::Kind::number && tokens[i].end == tokens[i + 1].begin &&
                     tokens[i + 1].end == tokens[i + 2].begin;
    const bool list = i > 0 && (tokens.is(i - 1, ",") || tokens.is(i + 3, ",") || tokens.is(i - 1, "["));
    if (one && !list && std::min(behind.find_first_not_of("0123456789"), behind.size()) != 3) return true;
  }
  return false;
}

// Whether thousands can be meant where points of the scale stand: cap score at 7,500.
bool fits_scale(const Tokens& tokens, std::size_t i) {
  constexpr std::size_t kThousand = 4;  // digits
  if (i < 2 || !tokens.is(i - 1, "at") || !is_score(tokens[i - 2].shown)) return true;
  for (std::size_t k = 0; k + 3 < tokens.size(); ++k) {
    if (tokens[k].starts && tokens.is(k, "scale") && tokens.is(k + 2, ".."))
      return tokens[k + 3].shown.size() >= kThousand;
  }
  return true;
}

// 1,000,000 and 1'000 and 1.000.000; 0,5
void separators(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  // A spreadsheet of much of Europe divides arguments by ';'.
  std::vector<Edit> commas;
  for (std::size_t i = window.begin, depth = 0; i < window.end; ++i) {
    if (tokens.is(i, "(")) ++depth;
    if (tokens.is(i, ")") && depth > 0) --depth;
    if (depth > 0 && tokens.is(i, ";")) commas.push_back(out.edit(tokens[i].begin, tokens[i].end, ","));
  }
  if (!commas.empty()) out.add(std::move(commas), true);
  const auto digits = [&tokens](std::size_t i) {
    const std::string_view s = tokens[i].shown;
    return tokens[i].kind == Token::Kind::number && std::all_of(s.begin(), s.end(), is_digit);
  };
  for (std::size_t i = window.begin; i + 1 < window.end; ++i) {
    if (tokens[i].kind != Token::Kind::number) continue;
    const std::string_view first = tokens[i].shown;
    if (std::count(first.begin(), first.end(), '.') > 1) {  // 1.000.000
      std::string plain(first);
      std::replace(plain.begin(), plain.end(), '.', '_');
      bool threes = first.find('.') <= 3;
      for (std::size_t k = first.find('.'); threes && k != first.npos; k = first.find('.', k + 1))
        threes = std::min(first.find('.', k + 1), first.size()) == k + 4;
      if (threes) out.add(tokens[i].begin, tokens[i].end, plain, true);
    }
    const bool grouped = first.size() < 8 && first.find('.') + 4 == first.size();  // 1.000,50
    if ((!digits(i) && !grouped) || tokens[i + 1].begin != tokens[i].end) continue;
    const std::string_view sign = tokens[i + 1].shown.substr(0, 1);
    if (sign == "'" && tokens[i + 1].kind == Token::Kind::sign && digits(i + 2)) {
      std::string all(first);
      std::size_t last = i;
      while (tokens.is(last + 1, "'") && digits(last + 2) && tokens[last + 2].begin == tokens[last + 1].end) {
        all += "_" + std::string(tokens[last + 2].shown);
        last += 2;
      }
      out.add(tokens[i].begin, tokens[last].end, all, true);
      continue;
    }
    if (!tokens.is(i + 1, ",")) continue;
    std::size_t last = i;
    std::string thousands(first);
    bool even = first.size() <= 3 && first[0] != '0';
    while (tokens.is(last + 1, ",") && tokens[last + 1].begin == tokens[last].end &&
           tokens[last + 2].kind == Token::Kind::number && tokens[last + 2].begin == tokens[last + 1].end) {
      const std::string_view group = tokens[last + 2].shown;
      const std::size_t size = std::min(group.find_first_not_of("0123456789"), group.size());
      even = even && size == 3;
      thousands += "_" + std::string(group);
      last += 2;
    }
    if (last == i) continue;
    const std::string_view behind = tokens[i + 2].shown;
    if (even && !grouped)
      out.add(tokens[i].begin, tokens[last].end, thousands, !has_decimal_commas(tokens) && fits_scale(tokens, i));
    // '1,500' is one thousand and five hundred, or one and a half: the author has to say.
    std::string whole(first);
    std::erase(whole, '.');
    if (last == i + 2) out.add(tokens[i].begin, tokens[i + 2].end, whole + "." + std::string(behind), grouped || !even);
  }
}

// '.5', but not 'v1.5'
void points(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i + 1 < window.end; ++i) {
    const bool point = tokens.is(i, ".") && tokens[i + 1].kind == Token::Kind::number &&
                       tokens[i + 1].begin == tokens[i].end &&
                       (i == 0 || !tokens.ends_value(i - 1) || tokens[i - 1].end < tokens[i].begin);
    const bool range =
        i > 0 && tokens.is(i, ".") && tokens.is(i - 1, "..") && tokens[i - 1].end == tokens[i].begin;  // 0...10
    if (range) out.add(tokens[i].begin, tokens[i].end, "", true);
    else if (point) out.add(tokens[i].begin, tokens[i].begin, "0", true);
  }
}

// A date as people write it, from token i: 31.03.2025, 31/03/2025, 2025/03/31, 31 March 2025, March 31, 2025.
struct Date {
  std::size_t last = 0;  // its last token
  int year = 0, month = 0, day = 0;
  bool certain = true;  // which number is the month
};

int month_said(std::string_view word) {
  static constexpr std::string_view kMonths = "janfebmaraprmayjunjulaugsepoctnovdec";
  static constexpr std::string_view kNames[] = {"january", "february", "march",     "april",   "may",      "june",
                                                "july",    "august",   "september", "october", "november", "december"};
  const std::string lower = in_lower_case(word);
  const std::size_t at = lower.size() < 3 ? kMonths.npos : kMonths.find(lower.substr(0, 3));
  if (at == kMonths.npos || at % 3 != 0) return 0;
  const bool whole = lower.size() == 3 || lower == kNames[at / 3] || lower == "sept";
  return whole ? static_cast<int>(at / 3) + 1 : 0;
}

Date date_at(const Tokens& tokens, std::size_t i) {
  const auto number = [&tokens](std::size_t k) {
    std::string_view s = tokens[k].shown;
    for (const std::string_view ending : {"st", "nd", "rd", "th"}) {
      if (s.size() > 2 && s.ends_with(ending)) s.remove_suffix(2);
    }
    const bool digits = !s.empty() && s.size() <= 4 && std::all_of(s.begin(), s.end(), is_digit);
    return digits ? std::atoi(std::string(s).c_str()) : 0;
  };
  Date date;
  if (tokens[i].kind == Token::Kind::number && std::count(tokens[i].shown.begin(), tokens[i].shown.end(), '.') == 2) {
    const std::string dotted(tokens[i].shown);
    date.last = i;
    const bool read = std::sscanf(dotted.c_str(), "%2d.%2d.%4d", &date.day, &date.month, &date.year) == 3;
    return read ? date : Date{};
  }
  if (const int month = month_said(tokens[i].shown); month != 0) {  // March 31, 2025
    date.last = tokens.is(i + 2, ",") ? i + 3 : i + 2;
    date.month = month, date.day = number(i + 1), date.year = number(date.last);
    return date;
  }
  if (const int month = month_said(tokens[i + 1].shown); month != 0) {  // 31 March 2025
    date.last = i + 2;
    date.month = month, date.day = number(i), date.year = number(i + 2);
    return date;
  }
  const bool sign =
      (tokens.is(i + 1, "-") && tokens.is(i + 3, "-")) || (tokens.is(i + 1, "/") && tokens.is(i + 3, "/"));
  for (std::size_t k = i; k < i + 4; ++k) {
    if (!sign || tokens[k].end != tokens[k + 1].begin) return {};
  }
  date.last = i + 4;
  const int first = number(i), second = number(i + 2), third = number(i + 4);
  if (tokens[i].shown.size() == 4) {
    date.year = first, date.month = second, date.day = third;
  } else {  // the day first, as in most of the world, unless it cannot be
    date.year = third, date.month = second > 12 ? first : second, date.day = second > 12 ? second : first;
    date.certain = first > 12 || second > 12 || first == second;
  }
  return date;
}

// Dates compare as texts, from the year to the day.
void dates(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    const Date date = date_at(tokens, i);
    const bool real = date.year > 1000 && date.month > 0 && date.month <= 12 && date.day > 0 && date.day <= 31;
    if (!real) continue;
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "\"%04d-%02d-%02d\"", date.year, date.month, date.day);
    out.add(tokens[i].begin, tokens[date.last].end, text.data(), date.certain);
  }
}

}  // namespace

// decimals without their number, of which the examples may decide
static void decimals(const Window& window, Proposals& out) {
  if (window.problem.code.substr(0, 3) != "E01") return;
  const std::string_view text = window.tokens.text();
  for (const std::string_view word : {"decimals", "digits"}) {
    std::size_t end = std::min<std::size_t>(window.problem.at.offset, text.size());
    if (text.substr(end).starts_with(word)) end += word.size();
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\n')) --end;
    if (!text.substr(0, end).ends_with(word)) continue;
    const std::size_t next = text.find_first_not_of(' ', end);
    if (next != text.npos && (text[next] == '-' || is_name_character(text[next]))) continue;  // something else is meant
    for (const std::string_view number : {" 2", " 1", " 0", " 3"}) out.add(end, end, std::string(number), false);
  }
}

// 'digits 5' or 'decimals: 2' for a whole rubric: behind its scale; without one, behind the outputs that say neither.
static void shown_numbers(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t at = window.at;
  const std::string_view key = tokens[at].shown;
  if (window.problem.code.substr(0, 3) != "E01" ||
      !among(key, {"digits", "decimals", "precision", "rounding", "round"}))
    return;
  std::size_t number = at + 1;
  while (among(tokens[number].shown, {":", "=", "to"})) ++number;
  const std::string_view count = tokens[number].shown;
  if (tokens[number].kind != Token::Kind::number || count.find_first_not_of("0123456789") != count.npos) return;
  std::size_t behind = number + 1;
  while (among(tokens[behind].shown, {"significant", "decimal", "decimals", "digits", "places"})) ++behind;
  const bool significant = key == "digits" || tokens.is(number + 1, "significant");
  if (!tokens[behind].first && !tokens[behind].starts && !tokens.closes(behind) && !tokens.is(behind, "{")) return;
  const std::string_view word = significant ? "digits" : "decimals";
  const std::string clause = " " + std::string(word) + " " + std::string(count);

  // The block around it, or behind it.
  std::size_t open = tokens.brace_around(at);
  if (open == kNone) {
    for (open = at; open + 1 < tokens.size() && !tokens.is(open, "{");) ++open;
    if (tokens[open].partner == kNone) return;
  }
  const std::size_t close = tokens[open].partner;
  std::vector<Edit> scale, outputs;
  for (std::size_t i = open + 1; i < close; ++i) {
    const bool is_scale = tokens[i].starts && tokens.is(i, "scale") && i + 1 != at;
    if (!is_scale && !tokens.is(i, "output")) continue;
    std::size_t end = i + 1, other = 0;
    bool condition = false, chosen = false;
    for (; end < close && end != at && !tokens[end].starts && !tokens.closes(end); end = tokens.behind(end)) {
      if (tokens.is(end, word) || (!is_scale && among(tokens[end].shown, {"decimals", "digits"}))) other = end;
      condition = condition || among(tokens[end].shown, {"<", ">", "<=", ">=", "==", "!=", "and", "or", "not", "is"});
      chosen = chosen || tokens.is(end, "when");
    }
    if (is_scale && other != 0) return;  // which number is meant?
    // It has one, or its value is a text or a condition.
    const bool prose = !is_scale && tokens[end - 1].is_text();
    if (other != 0 || (!is_scale && condition && !chosen) || (prose && !tokens.ends_value(end - 2))) continue;
    std::size_t last = prose ? end - 2 : end - 1;
    if (is_scale && !significant) {
      for (std::size_t k = i; k < end; ++k) {
        if (tokens.is(k, "digits")) last = std::min(last, k - 1);
      }
    }
    (is_scale ? scale : outputs).push_back(out.edit(tokens[last].end, tokens[last].end, clause));
    i = end - 1;
  }
  std::vector<Edit> edits = scale.empty() ? std::move(outputs) : std::move(scale);
  if (edits.empty()) return;
  const std::string_view text = tokens.text();
  const std::size_t first = at > 0 && tokens.is(at - 1, "scale") ? at - 1 : at;
  std::size_t begin = tokens[first].begin, end = tokens[behind - 1].end;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  if (begin == 0 && text.substr(end, 1) == "\n") ++end;
  if (begin > 0 && tokens[first].first) --begin;  // with its line
  edits.push_back(out.edit(begin, end, ""));
  out.add(std::move(edits), among(key, {"digits", "decimals"}) || behind > number + 1);
}

// 3.5 % in the cells of a table: all of them.
static void percent_cells(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  for (std::size_t i = window.begin; i + 2 < window.end; ++i) {
    const bool cell =
        tokens[i].kind == Token::Kind::number && tokens.is(i + 1, "%") && tokens.is(i + 2, "|") && !tokens[i + 1].first;
    if (cell) edits.push_back(out.edit(tokens[i].end, tokens[i + 1].begin, ""));
    // <= 100,000 beside them, which would be two keys
    const bool thousands = tokens.is(i + 1, ",") && tokens.is(i + 2, "000") && tokens.is(i + 3, "|") &&
                           tokens[i].end == tokens[i + 1].begin && tokens[i + 1].end == tokens[i + 2].begin;
    if (tokens[i].kind == Token::Kind::number && thousands)
      edits.push_back(out.edit(tokens[i + 1].begin, tokens[i + 1].end, "_"));
  }
  if (edits.size() > 1) out.add(std::move(edits), true);
}

void numbers(const Window& window, Proposals& out) {
  percent_cells(window, out);
  decimals(window, out);
  shown_numbers(window, out);
  weights(window, out);
  words(window, out);
  durations(window, out);
  units(window, out);
  separators(window, out);
  points(window, out);
  dates(window, out);
}

}  // namespace assay::mending
