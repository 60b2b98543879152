// A map from places in texts to values, which grows and never shrinks. Every expression and every name of a text is
// entered, so entries have no allocation of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

template <typename Value>
class PlaceMap {
 public:
  // The value at the place, which is added if it is not there; valid until the next addition. No place is all ones.
  Value& at(std::uint64_t place, bool& added) {
    if (2 * (size_ + 1) > cells_.size()) grow(2 * cells_.size());
    Cell& cell = cells_[index(place)];
    added = cell.place == kNone;
    if (added) {
      cell.place = place;
      ++size_;
    }
    return cell.value;
  }
  const Value* find(std::uint64_t place) const {  // null: it is not there
    if (cells_.empty()) return nullptr;
    const Cell& cell = cells_[index(place)];
    return cell.place == kNone ? nullptr : &cell.value;
  }
  void reserve(std::size_t count) {
    std::size_t cells = kFirst;
    while (cells < 2 * count) cells *= 2;
    if (cells > cells_.size()) grow(cells);
  }
  template <typename Each>
  void each(const Each& each) const {  // each(place, value), in no useful order
    for (const Cell& cell : cells_) {
      if (cell.place != kNone) each(cell.place, cell.value);
    }
  }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::size_t kFirst = 64;
  struct Cell {
    std::uint64_t place = kNone;
    Value value{};
  };

  std::size_t index(std::uint64_t place) const {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    const std::size_t mask = cells_.size() - 1;
    std::size_t i = static_cast<std::size_t>((place * kOdd) >> 32) & mask;
    while (cells_[i].place != kNone && cells_[i].place != place) i = (i + 1) & mask;
    return i;
  }
  void grow(std::size_t count) {
    std::vector<Cell> before(count < kFirst ? kFirst : count);
    before.swap(cells_);
    for (const Cell& cell : before) {
      if (cell.place != kNone) cells_[index(cell.place)] = cell;
    }
  }

  std::vector<Cell> cells_;  // as many as a power of two
  std::size_t size_ = 0;
};

}  // namespace assay
