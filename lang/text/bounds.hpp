// Words for small numbers and for bounds ("at least", "no more than"), for readers of prose.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace assay {

// "zero" to "twelve", each at its own index.
inline constexpr std::pair<std::string_view, int> kNumberWords[] = {
    {"zero", 0},    {"one", 1},      {"two", 2},     {"three", 3},   {"four", 4},     {"five", 5},
    {"six", 6},     {"seven", 7},    {"eight", 8},   {"nine", 9},    {"ten", 10},     {"eleven", 11},
    {"twelve", 12}, {"fifteen", 15}, {"twenty", 20}, {"thirty", 30}, {"forty", 40},   {"fifty", 50},
    {"sixty", 60},  {"seventy", 70}, {"eighty", 80}, {"ninety", 90}, {"hundred", 100}};

// The number of a word in lower case; nothing for other words.
inline std::optional<int> number_said(std::string_view word) {
  for (const auto& [said, number] : kNumberWords) {
    if (said == word) return number;
  }
  return std::nullopt;
}

// A small count as a word, a larger one in digits.
inline std::string count_said(std::size_t count) {
  return count <= 12 ? std::string(kNumberWords[count].first) : std::to_string(count);
}

struct BoundWords {
  // The readers for which a row counts: see bounds.def.
  enum Reader : std::uint8_t { demands = 1, states = 2, sentences = 4, cells = 8 };
  enum Place : std::uint8_t { before, behind };

  std::string_view words, op;
  Place place;
  std::uint8_t readers;
  std::size_t count() const { return 1 + static_cast<std::size_t>(std::count(words.begin(), words.end(), ' ')); }
};

inline constexpr BoundWords kBoundWords[] = {
#define ASSAY_BOUND(words, op, place, readers)  \
  {words, op, BoundWords::place, [] {           \
     using enum BoundWords::Reader;             \
     return static_cast<std::uint8_t>(readers); \
   }()},
#include "lang/text/bounds.def"
#undef ASSAY_BOUND
};

// The longest bound with which the words begin, for one of the readers; null if there is none. `word(k)` is the k-th
// word in lower case.
template <typename Word>
const BoundWords* bound_words(std::uint8_t readers, BoundWords::Place place, Word&& word) {
  for (const BoundWords& row : kBoundWords) {
    if ((row.readers & readers) == 0 || row.place != place) continue;
    std::size_t k = 0;
    bool fits = true;
    for (std::string_view rest = row.words; fits && !rest.empty(); ++k) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      fits = word(k) == rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (fits) return &row;
  }
  return nullptr;
}

}  // namespace assay
