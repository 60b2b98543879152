// Units of measurement in names and prose, from the rows of units.def.
#pragma once

#include "lang/number/number.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace assay {

enum class Quantity : std::uint8_t {
  time,
  months,
  money,
  weight,
  length,
  volume,
  data,
  power,
  pressure,
  energy,
  speed
};

struct Unit {
  std::string_view words;
  Quantity of;
  std::int64_t size;
};

const Unit* unit_of(std::string_view word);       // null: none
const Unit* unit_of_name(std::string_view name);  // "load_ms", "km_per_hour"; null: none, several, or another quotient
const Unit* unit_of_prose(
    std::string_view prose);  // of an input: "Seconds since noon", "Weight in grams"; null: as above
std::vector<const Unit*> units_of(Quantity of);
bool relate(const Unit& a, const Unit& b);  // of one quantity; weeks and months are both times

// The words of the unit that a word names, also of one that is not converted: "feet", "fahrenheit". Empty: none.
std::string_view unit_named(std::string_view word);
// The same of a name, "t_f", and of the number in a text, "Above 30 degrees Celsius"; empty: none, or several.
std::string_view unit_in_name(std::string_view name);
std::string_view unit_in_text(std::string_view prose, NumberPool& pool);

// A number with a unit in a text that holds a single one: "95 of 100 answers come within 500 ms".
struct SaidMeasure {
  Number value;
  const Unit* unit;
};
std::optional<SaidMeasure> measure_said(std::string_view prose, NumberPool& pool);

bool says_clock_time(std::string_view prose);  // "Open until 3 p.m.", "Before ten o'clock"

// The unit of a name beside a value of another one: "ms" are metres per second beside a speed, and milliseconds elsewhere.
const Unit* unit_beside(const Unit* unit, const Unit* other);

}  // namespace assay
