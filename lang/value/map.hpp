// Maps: insertion order, and above 8 entries an index by open addressing. All code that makes or reads a map uses these
// functions, so that both agree on the hash. A map without an index is searched linearly.
#pragma once

#include "lang/value/value.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay {

inline constexpr std::uint32_t kMapIndexFrom = 9;

inline std::uint64_t mix_hash(std::uint64_t h) {
  h ^= h >> 32;
  h *= 0x9e3779b97f4a7c15u;
  return h ^ (h >> 29);
}

inline std::uint64_t hash_text(std::string_view s) {
  std::uint64_t h = 0x2545f4914f6cdd1du ^ s.size();
  const char* p = s.data();
  std::size_t n = s.size();
  for (; n >= 8; p += 8, n -= 8) {
    std::uint64_t w;
    std::memcpy(&w, p, 8);
    h = mix_hash(h ^ w) + w;
  }
  std::uint64_t w = 0;
  if (n) std::memcpy(&w, p, n);
  return mix_hash(h ^ w);
}

// The number of words of an index for this many entries: a power of two, at most half full.
inline std::uint32_t map_index_size(std::uint32_t entries) {
  std::uint32_t size = 16;
  while (size < entries * 2) size *= 2;
  return size;
}

inline void map_index_add(MapData& data, std::uint32_t position) {
  std::uint32_t slot = static_cast<std::uint32_t>(hash_text(data.keys[position].text.view())) & data.index_mask;
  while (data.index[slot]) slot = (slot + 1) & data.index_mask;
  data.index[slot] = position + 1;
}

// `index` has map_index_size(size) words.
inline void map_build_index(MapData& data, std::uint32_t size, std::uint32_t* index, std::uint32_t index_size) {
  std::memset(index, 0, index_size * sizeof(std::uint32_t));
  data.index = index;
  data.index_mask = index_size - 1;
  for (std::uint32_t i = 0; i < size; ++i) map_index_add(data, i);
}

// The position of a key, or -1.
inline std::int64_t map_find(const MapData& data, std::uint32_t size, std::string_view key) {
  if (!data.index) {
    for (std::uint32_t i = 0; i < size; ++i)
      if (data.keys[i].text.view() == key) return i;
    return -1;
  }
  std::uint32_t slot = static_cast<std::uint32_t>(hash_text(key)) & data.index_mask;
  while (std::uint32_t at = data.index[slot]) {
    if (data.keys[at - 1].text.view() == key) return at - 1;
    slot = (slot + 1) & data.index_mask;
  }
  return -1;
}

}  // namespace assay
