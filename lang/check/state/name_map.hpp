// A map from names to numbers, found by a hash: the checker looks up names more often than it does anything else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay {

struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
};

class NameMap : public std::unordered_map<std::string, int, NameHash, std::equal_to<>> {
 public:
  // In alphabetical order, because that of the map differs between machines. They refer to this map.
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> names;
    names.reserve(size());
    for (const auto& entry : *this) names.push_back(entry.first);
    std::sort(names.begin(), names.end());
    return names;
  }
};

}  // namespace assay
