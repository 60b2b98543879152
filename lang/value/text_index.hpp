// Finds a text in a list of texts: linearly if there are few, otherwise by hash. Made once for the list, which it does
// not hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class TextIndex {
 public:
  TextIndex() = default;
  explicit TextIndex(const std::vector<std::string>& texts);
  // The first position, or -1. `texts` must be the list for which it was made.
  std::int64_t find(const std::vector<std::string>& texts, std::string_view text) const;

 private:
  std::vector<std::uint32_t> slots_;  // open addressing by hash_text, position + 1; empty: linear search
};

}  // namespace assay
