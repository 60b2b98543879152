// Rows of columns through machine code (runtime/jit/native.hpp): when it is made, and what it leaves to the evaluator.
#include "runtime/columns/columns_impl.hpp"

#include <algorithm>

namespace assay {

// Looks for machine code for the columns as they are bound now: what was made for other addresses will do.
void Columns::Impl::use_native() {
  const NativeRequest request{fast->machine_kernel(), &loads.all(), &stores};
  layout.emplace(request);
  if (layout->form() != native_form) {
    native_form = layout->form();
    using Vectors = NativeCode::Vectors;
    const Vectors set = loops == sets.back()                        ? Vectors::sse4
                        : loops == sets.front() && sets.size() == 3 ? Vectors::avx512
                                                                    : Vectors::avx2;
    native_row = NativeCode::make_row(request, *layout, set != Vectors::sse4);
    native_block = in_blocks ? NativeCode::make_block(request, *layout, set) : nullptr;
  }
  row_in_use = native_row != nullptr;
  if (row_in_use && unread.empty())
    one_row = {native_row->row, layout->bases().data(), loads.all().data(), fast->machine()->lanes()};
  block_in_use = native_block != nullptr;
}

void Columns::Impl::score_vectors(std::size_t first, std::size_t steps) {
  const std::size_t width = native_block->width, rows = steps * width;
  const bool any = native_block->block(layout->bases().data(), first, steps, refused_bits) != 0;
  std::size_t left = 0;
  if (any || !unread.empty()) {
    slow.clear();
    for (std::size_t i = 0; i < rows; ++i) {
      const bool is = (refused_bits[i / width] >> (i % width) & 1) != 0;
      if (is || (!unread.empty() && !acceptable(first + i))) slow.push_back(first + i);
    }
    left = slow.size();
    for (const std::size_t row : slow) score_slowly(row);
  }
  fast->record(rows - left);
  statistics.records += rows - left;
  statistics.kernel += rows - left;
  statistics.native += rows - left;
}

// Up to the first that is not for the kernel, and that one. Returns the next.
std::size_t Columns::Impl::score_native_rows(std::size_t first, std::size_t last) {
  const NativeCode::Row run = native_row->row;
  const char* const* const bases = layout->bases().data();
  const RowLoad* const ports = loads.all().data();
  std::int64_t* const lanes = fast->machine()->lanes();
  std::size_t row = first;
  while (row < last && run(bases, row, ports, lanes) != 0) ++row;
  native_rows += row - first;
  count_native_rows();
  if (row < last) score_slowly(row++);
  return row;
}

void Columns::Impl::count_native_rows() {
  fast->record(native_rows);
  statistics.records += native_rows;
  statistics.kernel += native_rows;
  statistics.native += native_rows;
  native_rows = 0;
}

}  // namespace assay
