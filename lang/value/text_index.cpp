// See text_index.hpp.
#include "lang/value/text_index.hpp"

#include "lang/value/map.hpp"

#include <algorithm>

namespace assay {

namespace {

constexpr std::size_t kFew = 16;

}  // namespace

TextIndex::TextIndex(const std::vector<std::string>& texts) {
  if (texts.size() <= kFew) return;
  slots_.assign(map_index_size(static_cast<std::uint32_t>(texts.size())), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::size_t at = hash_text(texts[i]) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

std::int64_t TextIndex::find(const std::vector<std::string>& texts, std::string_view text) const {
  if (slots_.empty()) {
    const auto at = std::find(texts.begin(), texts.end(), text);
    return at == texts.end() ? -1 : at - texts.begin();
  }
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash_text(text) & mask; const std::uint32_t found = slots_[at]; at = (at + 1) & mask) {
    if (texts[found - 1] == text) return found - 1;
  }
  return -1;
}

}  // namespace assay
