// See lua_chains.hpp. The layout of a node is that of lobject.h in Lua 5.4, the hash of numbers that of its ltable.c.
#include "runtime/hooks/lua/lua_chains.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

namespace assay {

namespace {

constexpr std::size_t kNode = 24;     // bytes
constexpr std::size_t kLarge = 256;   // nodes: chains of smaller tables are short
constexpr std::size_t kMoved = 8192;  // nodes: moving fewer takes a few milliseconds at most
constexpr int kSamples = 4;           // nodes examined per tick
constexpr unsigned char kInteger = 0x03, kFloat = 0x13;

std::size_t nodes_in(std::size_t bytes) {
  const std::size_t count = bytes / kNode;
  return bytes % kNode == 0 && count >= kLarge && (count & (count - 1)) == 0 ? count : 0;
}

bool has_value(const unsigned char* node) { return (node[8] & 0x0F) != 0; }
unsigned char key_type(const unsigned char* node) { return node[9]; }
std::ptrdiff_t next_of(const unsigned char* node) {
  int next = 0;
  std::memcpy(&next, node + 12, sizeof next);
  return next;
}

// The number whose remainder Lua computes for a numeric key.
std::uint64_t hash_of(const unsigned char* node) {
  if (key_type(node) == kInteger) {
    std::uint64_t key = 0;
    std::memcpy(&key, node + 16, sizeof key);
    return key;
  }
  double key = 0;
  std::memcpy(&key, node + 16, sizeof key);
  int power = 0;
  const double fraction = std::frexp(key, &power) * -static_cast<double>(INT_MIN);
  if (!(std::fabs(fraction) < 0x1p62)) return 0;
  const auto mixed =
      static_cast<std::uint32_t>(power) + static_cast<std::uint32_t>(static_cast<std::int64_t>(fraction));
  return mixed <= static_cast<std::uint32_t>(INT_MAX) ? mixed : ~mixed;
}

}  // namespace

void Chains::add(void* block, std::size_t bytes) noexcept {
  const std::size_t count = nodes_in(bytes);
  if (count == 0) return;
  try {
    arrays_.push_back({static_cast<const unsigned char*>(block), count});
    index_[block] = arrays_.size() - 1;
  } catch (const std::bad_alloc&) {
    longest_ = std::max(longest_, count);  // this table cannot be watched
  }
}

void Chains::remove(void* block, std::size_t bytes) noexcept {
  if (nodes_in(bytes) == 0) return;
  const auto found = index_.find(block);
  if (found == index_.end()) return;
  arrays_[found->second].nodes = nullptr;
  index_.erase(found);
  if (++freed_ > 64 && freed_ > arrays_.size() / 2) compact();
}

void Chains::compact() noexcept {
  arrays_.erase(std::remove_if(arrays_.begin(), arrays_.end(), [](const Array& a) { return !a.nodes; }), arrays_.end());
  for (std::size_t i = 0; i < arrays_.size(); ++i) index_.find(arrays_[i].nodes)->second = i;
  freed_ = 0;
}

void Chains::begin() noexcept {
  if (freed_ > 0) compact();
  longest_ = 0;
  next_ = 0;
  random_ = 1;
}

std::uint64_t Chains::work_of_moving(std::size_t bytes) noexcept {
  const std::size_t places = nodes_in(bytes);
  if (places < kMoved) return 0;
  std::uint64_t work = 0;
  std::vector<std::uint32_t> chains;
  for (const Array& array : arrays_) {
    if (!array.nodes || array.count < kMoved / 2 || array.count > 2 * places) continue;
    const unsigned char* const end = array.nodes + array.count * kNode;
    const unsigned char* node = array.nodes;
    while (node != end && key_type(node) != 0) node += kNode;
    if (node != end) continue;  // the array is not full
    try {
      chains.assign(places, 0);
    } catch (const std::bad_alloc&) { return std::numeric_limits<std::uint64_t>::max() / 2; }
    work += (array.count + places) / 16;
    std::uint64_t walked = 0;
    for (node = array.nodes; node != end; node += kNode) {
      if (!has_value(node) || (key_type(node) != kInteger && key_type(node) != kFloat)) continue;
      std::uint32_t& chain = chains[hash_of(node) % (places - 1)];
      walked += chain++;
      if (chain > longest_) longest_ = chain;
    }
    work += walked / 8;
  }
  return work;
}

std::uint64_t Chains::sample() noexcept {
  if (arrays_.size() == freed_) return 0;
  do {
    if (++next_ >= arrays_.size()) next_ = 0;
  } while (!arrays_[next_].nodes);
  const Array array = arrays_[next_];
  std::size_t walked = 0;
  for (int i = 0; i < kSamples; ++i) {
    random_ = random_ * 1664525 + 1013904223;
    std::size_t at = (random_ >> 8) & (array.count - 1), length = 1;
    for (std::ptrdiff_t next = 0; (next = next_of(array.nodes + at * kNode)) != 0; ++length) {
      const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(at) + next;
      // An unrelated array of the same size.
      if (to < 0 || to >= static_cast<std::ptrdiff_t>(array.count) || length > array.count) {
        remove(const_cast<unsigned char*>(array.nodes), array.count * kNode);
        return 0;
      }
      at = static_cast<std::size_t>(to);
    }
    longest_ = std::max(longest_, length);
    walked += length;
  }
  return walked > 256 ? walked / 8 : 0;
}

}  // namespace assay
