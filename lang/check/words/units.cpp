// See units.hpp.
#include "lang/check/words/units.hpp"

#include "lang/check/words/words.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <iterator>

namespace assay {

namespace {

constexpr Unit kUnits[] = {
#define ASSAY_UNIT(words, of, size) {words, Quantity::of, size},
#include "lang/check/words/units.def"
#undef ASSAY_UNIT
};

}  // namespace

const Unit* unit_of(std::string_view word) {
  const auto* row =
      std::find_if(std::begin(kUnits), std::end(kUnits), [word](const Unit& u) { return has_word(u.words, word); });
  return row == std::end(kUnits) ? nullptr : row;
}

namespace {

// "km_per_hour", "metres_per_second", "wind_m_s"
const Unit* speed_of_name(const std::vector<std::string>& words) {
  struct Row {
    std::string_view of, per, unit;
  };
  static constexpr Row kRows[] = {{"km kilometre kilometres kilometer kilometers", "h hour", "kmh"},
                                  {"m metre metres meter meters", "s sec second", "mps"},
                                  {"mile miles", "h hour", "mph"}};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::size_t behind = words[i + 1] == "per" ? i + 2 : i + 1;
    if (behind + 1 != words.size() || (behind == i + 1 && words[behind].size() > 1)) continue;
    for (const Row& row : kRows) {
      if (has_word(row.of, words[i]) && has_word(row.per, words[behind])) return unit_of(row.unit);
    }
  }
  return nullptr;
}

}  // namespace

const Unit* unit_of_name(std::string_view name) {
  const Unit* found = nullptr;
  const std::vector<std::string> words = words_of(name);
  if (const Unit* speed = speed_of_name(words)) return speed;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Unit* unit = unit_of(words[i]);
    const bool brief = words[i].size() == 1 || words[i] == "min";  // "min_price", "t_test"
    if (brief && (i + 1 < words.size() || i == 0)) continue;
    if (words[i] == "per" || (unit != nullptr && found != nullptr && unit != found)) return nullptr;
    if (unit != nullptr) found = unit;
  }
  return found;
}

const Unit* unit_of_prose(std::string_view prose) {
  const std::vector<std::string> words = words_of(prose);
  const Unit* unit = nullptr;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Unit* said = unit_of(words[i]);
    const bool here = i == 0 || (words[i - 1] == "in" && i + 1 == words.size());
    if (words[i] == "per" || (said != nullptr && unit != nullptr && said != unit)) return nullptr;
    if (said != nullptr && here && words[i].size() > 2 && words[i] != "second") unit = said;
  }
  return unit;
}

std::vector<const Unit*> units_of(Quantity of) {
  std::vector<const Unit*> units;
  for (const Unit& unit : kUnits) {
    if (unit.of == of) units.push_back(&unit);
  }
  return units;
}

bool relate(const Unit& a, const Unit& b) {
  const auto of_time = [](const Unit& u) { return u.of == Quantity::time || u.of == Quantity::months; };
  return a.of == b.of || (of_time(a) && of_time(b));
}

std::optional<SaidMeasure> measure_said(std::string_view prose, NumberPool& pool) {
  std::optional<SaidMeasure> found;
  const std::vector<std::string> words = words_of(prose);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {  // "More than an hour", but not "five points a day"
    const bool bound =
        i == 0 || has_word("than over above within least most under below exceeds after before", words[i - 1]);
    const bool more = i + 2 < words.size() && (words[i + 2] == "and" || words[i + 2] == "ago");
    if (bound && !more && (words[i] == "a" || words[i] == "an") && words[i + 1].size() > 2 && unit_of(words[i + 1]))
      found = SaidMeasure{whole(1), unit_of(words[i + 1])};
  }
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {  // "half a second"
    const bool half = words[i] == "half" && (words[i + 1] == "a" || words[i + 1] == "an");
    if (half && (i == 0 || words[i - 1] != "and") && unit_of(words[i + 2]))
      found = SaidMeasure{div(whole(1), whole(2), pool), unit_of(words[i + 2])};
  }
  for (const auto& [number, behind] : numbers_with_words(prose, pool)) {
    const Unit* unit = unit_of(behind);
    if (unit == nullptr || number.percent) continue;
    if (found) return std::nullopt;
    found = SaidMeasure{number.value, unit};
  }
  return found;
}

// Units that are not converted, and those that share a row of units.def without being one: a dollar is no euro.
std::string_view unit_named(std::string_view word) {
  static constexpr std::string_view kOthers[] = {"inch inches",
                                                 "foot feet ft",
                                                 "yard yards yd",
                                                 "mile miles",
                                                 "oz ounce ounces",
                                                 "stone stones",
                                                 "hundredweight cwt",
                                                 "gallon gallons",
                                                 "pint pints",
                                                 "acre acres",
                                                 "hectare hectares ha",
                                                 "m2 sqm",
                                                 "km2",
                                                 "kcal calorie calories",
                                                 "kj kilojoule kilojoules",
                                                 "joule joules",
                                                 "hp horsepower",
                                                 "celsius c",
                                                 "fahrenheit f",
                                                 "kelvin k",
                                                 "mmol",
                                                 "psi",
                                                 "dozen dozens",
                                                 "pair pairs",
                                                 "fortnight fortnights",
                                                 "decade decades",
                                                 "dollar dollars usd",
                                                 "euro euros eur",
                                                 "pound pounds lb lbs gbp"};
  const auto* other = std::find_if(std::begin(kOthers), std::end(kOthers),
                                   [word](std::string_view row) { return has_word(row, word); });
  if (other != std::end(kOthers)) return *other;
  const Unit* unit = unit_of(word);
  return unit == nullptr ? std::string_view() : unit->words;
}

std::string_view unit_in_name(std::string_view name) {
  std::string_view found;
  const std::vector<std::string> words = words_of(name);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view unit = unit_named(words[i]);
    const bool brief = (words[i].size() == 1 || words[i] == "min") && (i + 1 < words.size() || i == 0);
    if (unit.empty() || brief) continue;
    if (!found.empty() && unit != found) return {};
    found = unit;
  }
  return found;
}

std::string_view unit_in_text(std::string_view prose, NumberPool& pool) {
  const std::vector<std::string> words = words_of(prose);
  const auto said = numbers_with_words(prose, pool);
  if (said.size() != 1) return {};
  auto word = std::find(words.begin(), words.end(), said[0].second);
  while (word != words.end() && has_word("degree degrees square cubic", *word)) ++word;
  return word == words.end() ? std::string_view() : unit_named(*word);
}

bool says_clock_time(std::string_view prose) {
  const std::string text = in_lower_case(prose);
  const std::vector<std::string> words = words_of(text);
  if (has_word("clock", words) && has_word("o", words)) return true;
  for (std::size_t i = 1; i < words.size(); ++i) {  // "3 pm", "3 p.m.", "3pm"
    const bool half =
        has_word("am pm", words[i]) || (has_word("a p", words[i]) && i + 1 < words.size() && words[i + 1] == "m");
    if (half && is_digit(words[i - 1].back())) return true;
  }
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return is_digit(word[0]) && (word.ends_with("am") || word.ends_with("pm"));
  });
}

const Unit* unit_beside(const Unit* unit, const Unit* other) {
  const bool metres = unit != nullptr && other != nullptr && other->of == Quantity::speed && unit == unit_of("ms");
  return metres ? unit_of("mps") : unit;
}

}  // namespace assay
