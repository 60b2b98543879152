// Converts Arrow columns, a block of rows at a time, to columns that a kernel reads: nulls become the values that mean
// missing, texts become views, decimals integers.
#pragma once

#include "runtime/arrow/arrow_records.hpp"
#include "runtime/arrow/arrow_view.hpp"

#include <assay/columns.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace assay {

// Rows of a block. Blocks begin at a multiple of it, so that threads write to different bytes of a bitmap.
inline constexpr std::int64_t kArrowBlock = 4096;

class ArrowColumns {
 public:
  // Binds its own memory to the columns. Returns an error if these columns cannot be read in this way.
  std::optional<InputError> bind(const ArrowType& records, const std::vector<ArrowLeaf>& leaves, Columns& columns);
  // Fills rows 0 … count - 1 of the memory from rows first … of the records; count is at most kArrowBlock. Appends rows
  // with values that the memory cannot hold to `others` (0 is `first`), possibly twice.
  void load(const ArrowView& records, std::int64_t first, std::int64_t count, std::vector<std::uint32_t>& others);

  // Binds the memory of the records themselves; row numbers stay the same. bind() must have been called before, for
  // another Columns. False: a column contains nulls, or has a type that no kernel reads directly.
  bool bind_records(const ArrowView& records, const std::vector<ArrowLeaf>& leaves, Columns& columns);
  // After bind_records(), for rows first …: appends rows with a value that a kernel would take for missing, like
  // load().
  void check(std::int64_t first, std::int64_t count, std::vector<std::uint32_t>& others) const;

 private:
  enum class Conversion : std::uint8_t { f64, f32, half, integer, decimal, truth, text, texts };
  struct Source {
    Conversion conversion = Conversion::f64;
    std::vector<std::size_t> steps;
    std::vector<std::byte> values;  // of a list: its counts
    std::vector<std::string_view> items;
  };
  static Conversion conversion_of(const ArrowType& type);
  void load_numbers(Source& source, const ArrowView& view, std::int64_t first, std::int64_t count,
                    std::vector<std::uint32_t>& others);
  void load_texts(Source& source, const ArrowView& view, std::int64_t first, std::int64_t count,
                  std::vector<std::uint32_t>& others);
  void load_lists(Source& source, const ArrowView& view, std::int64_t first, std::int64_t count,
                  std::vector<std::uint32_t>& others);
  std::vector<Source> sources_;
  std::vector<const std::int64_t*> wide_;  // bound columns in which INT64_MIN is a number
};

}  // namespace assay
