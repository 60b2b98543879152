// Words for bounds, "at least" and "no more than", for whoever reads a bound that is said instead of written with signs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay {

struct BoundWords {
  // Who reads them: see bounds.def.
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

// The bound that one of the readers takes the words from here on for, the longest; null: none. `word(k)` is the k-th of
// them in lower case.
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
