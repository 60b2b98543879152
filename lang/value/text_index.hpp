// Where a text stands in a list of texts: few are tried one after the other, many are found by hash. Made once with the
// list, which it does not hold.
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
  // The first place, or -1. `texts` are those that it was made for.
  std::int64_t find(const std::vector<std::string>& texts, std::string_view text) const;

 private:
  std::vector<std::uint32_t> slots_;  // open addressing by hash_text, position + 1; empty: there are few
};

}  // namespace assay
