// A typed view of an array of the C data interface: every length, offset, index and order of offsets is checked when
// the view is made, so reading needs no checks.
#pragma once

#include "runtime/arrow/arrow_type.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Reads a value at any address, aligned or not.
template <class T>
T load_at(const void* data, std::int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + index * static_cast<std::int64_t>(sizeof value), sizeof value);
  return value;
}

struct ArrowView {
  const ArrowType* type = nullptr;
  std::int64_t length = 0, offset = 0;
  const std::uint8_t* valid = nullptr;  // null: no nulls
  const void* data = nullptr;           // values; of texts: bytes; of lists and views: null
  const void* offsets = nullptr;        // texts, lists; of text views: the views
  const void* sizes = nullptr;          // list views; of text views: the sizes of `more`
  const void* const* more = nullptr;    // text views: their buffers
  std::vector<ArrowView> children;
  std::unique_ptr<ArrowView> dictionary;

  bool null(std::int64_t i) const {
    if (type->kind == ArrowKind::null) return true;
    const std::int64_t bit = offset + i;
    return valid != nullptr && (valid[bit >> 3] >> (bit & 7) & 1) == 0;
  }
  bool truth(std::int64_t i) const {
    const std::int64_t bit = offset + i;
    return (static_cast<const std::uint8_t*>(data)[bit >> 3] >> (bit & 7) & 1) != 0;
  }
  std::int64_t signed_at(std::int64_t i) const;
  std::uint64_t unsigned_at(std::int64_t i) const;
  // For texts; the view has data() even if it is empty.
  std::string_view text(std::int64_t i) const;
  // For lists and maps: the first item, and one past the last.
  void range(std::int64_t i, std::int64_t& first, std::int64_t& last) const;
};

// Examines only wanted columns. The array must not change.
std::optional<InputError> view_array(const ArrowType& type, const ArrowArray& array, ArrowView& view);

}  // namespace assay
