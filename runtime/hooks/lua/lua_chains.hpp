// The hash parts of large tables, as the allocator sees them. Keys of a table that share a place form a chain, and each
// access to one of them walks it; numbers can be chosen so that all of them share a place (texts cannot: their hash has
// a secret seed). So this finds long chains: it samples the arrays of nodes at each tick, and looks through a full array
// before Lua moves its nodes into a larger one, which is a single instruction and may take the square of their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace assay {

class Chains {
 public:
  // ---- arrays that the allocator makes and frees; others than those of nodes are ignored
  void add(void* block, std::size_t bytes) noexcept;
  void remove(void* block, std::size_t bytes) noexcept;
  // Before an array of so many bytes is made: the work of moving the nodes of any full array into it.
  std::uint64_t work_of_moving(std::size_t bytes) noexcept;

  // At the beginning of a call: samples are the same in each.
  void begin() noexcept;
  // Looks at a few nodes; returns the work of that.
  std::uint64_t sample() noexcept;
  // What each instruction weighs more for the longest chain seen.
  std::uint64_t weight() const { return longest_ > 48 ? longest_ / 8 : 0; }

 private:
  struct Array {
    const unsigned char* nodes;  // null: it was freed
    std::size_t count;
  };
  void compact() noexcept;

  std::vector<Array> arrays_;  // in the order in which they were made
  std::unordered_map<const void*, std::size_t> index_;
  std::size_t freed_ = 0, next_ = 0;
  std::size_t longest_ = 0;
  std::uint32_t random_ = 1;
};

}  // namespace assay
