// Bump allocation for the values of one record. reset() forgets everything and keeps the memory, so that after warm-up
// scoring a record allocates nothing. Holds only trivially destructible values; big numbers are in its pool.
#pragma once

#include "lang/number/number.hpp"
#include "lang/value/value.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace assay {

class Arena {
 public:
  Arena() = default;
  explicit Arena(std::size_t first) : first_(first) {}  // bytes of the first block
  void* allocate(std::size_t bytes) {
    bytes = (bytes + 15) & ~std::size_t{15};
    if (bytes > left_) grow(bytes);
    char* p = next_;
    next_ += bytes;
    left_ -= bytes;
    used_ += bytes;
    return p;
  }
  // The same, but null if more memory is needed or `used` would exceed the limit.
  void* allocate_at_once(std::size_t bytes, std::size_t limit) {
    bytes = (bytes + 15) & ~std::size_t{15};
    if (bytes > left_ || used_ + bytes > limit) return nullptr;
    char* p = next_;
    next_ += bytes;
    left_ -= bytes;
    used_ += bytes;
    return p;
  }
  template <class T>
  T* array(std::size_t n) {
    return static_cast<T*>(allocate(n * sizeof(T)));
  }
  std::string_view copy(std::string_view s) {
    char* p = array<char>(s.size() + 1);
    if (!s.empty()) std::memcpy(p, s.data(), s.size());
    p[s.size()] = 0;
    return {p, s.size()};
  }
  void reset() {
    pool_.clear();
    used_ = 0;
    block_ = 0;
    if (blocks_.empty()) return;
    next_ = blocks_[0].data.get();
    left_ = blocks_[0].size;
  }
  std::size_t used() const { return used_; }  // bytes handed out since the last reset
  NumberPool& numbers() { return pool_; }

 private:
  struct Block {
    std::unique_ptr<char[]> data;
    std::size_t size;
  };
  void grow(std::size_t bytes) {
    while (block_ + 1 < blocks_.size()) {  // reuse the memory of earlier records
      ++block_;
      if (blocks_[block_].size >= bytes) {
        next_ = blocks_[block_].data.get();
        left_ = blocks_[block_].size;
        return;
      }
    }
    std::size_t size = blocks_.empty() ? first_ : blocks_.back().size * 2;
    if (size > (std::size_t{1} << 22)) size = std::size_t{1} << 22;
    if (size < bytes) size = bytes;
    blocks_.push_back({std::make_unique<char[]>(size), size});
    block_ = blocks_.size() - 1;
    next_ = blocks_.back().data.get();
    left_ = size;
  }

  std::size_t first_ = std::size_t{16} << 10;
  std::vector<Block> blocks_;
  std::size_t block_ = 0;
  char* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t used_ = 0;
  NumberPool pool_;
};

}  // namespace assay
