// The hash parts of large tables, as the allocator sees them. Colliding keys of a table form a chain, and each access
// to one of them walks it. Numeric keys can be chosen so that all of them collide (texts cannot: their hash has a
// secret seed). So this class finds long chains: it samples the arrays of nodes at each tick, and examines a full array
// before Lua moves its nodes to a larger one, which is a single instruction and may take quadratic time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace assay {

class Chains {
 public:
  // ---- arrays that the allocator makes and frees; arrays without nodes are ignored
  void add(void* block, std::size_t bytes) noexcept;
  void remove(void* block, std::size_t bytes) noexcept;
  // Call before an array of this size is made. Returns the work of moving the nodes of any full array into it.
  std::uint64_t work_of_moving(std::size_t bytes) noexcept;

  // Starts a call: samples are the same in each call.
  void begin() noexcept;
  // Examines a few nodes; returns the work of doing so.
  std::uint64_t sample() noexcept;
  // The additional weight of each instruction, for the longest chain seen.
  std::uint64_t weight() const { return longest_ > 48 ? longest_ / 8 : 0; }

 private:
  struct Array {
    const unsigned char* nodes;  // null: it was freed
    std::size_t count;
  };
  void compact() noexcept;

  std::vector<Array> arrays_;  // in order of creation
  std::unordered_map<const void*, std::size_t> index_;
  std::size_t freed_ = 0, next_ = 0;
  std::size_t longest_ = 0;
  std::uint32_t random_ = 1;
};

}  // namespace assay
