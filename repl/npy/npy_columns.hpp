// Rows of a .npy file as columns of the library: each field of a block of rows is copied to memory of its own, values side
// by side, as vector instructions want them (and aligned, which members of packed records are not).
#pragma once

#include "repl/npy/npy_inputs.hpp"

#include <assay/assay.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::cli {

// How many rows of so many bytes are scored at once: their columns stay in the cache.
inline std::size_t npy_block_rows(std::size_t row_bytes) {
  return std::clamp<std::size_t>((std::size_t{1} << 17) / row_bytes, 1, 2048);
}

class NpyColumns {
 public:
  // Columns for blocks of at most `most` rows, each of `row_bytes`.
  NpyColumns(const std::vector<NpyInput>& inputs, std::size_t row_bytes, std::size_t most);
  NpyColumns(const NpyColumns&) = delete;
  NpyColumns& operator=(const NpyColumns&) = delete;

  // Binds all of them, to columns that are gone before this is. Returns what is wrong, or nothing.
  std::optional<InputError> bind(Columns& columns);

  // Takes rows apart. What texts refer to is in `rows`, which stays until they have been scored.
  void load(std::string_view rows);
  // Rows of the last load() with a value that no column holds; by row, one each.
  const std::vector<std::pair<std::size_t, InputError>>& faults() const { return faults_; }

 private:
  struct Field {
    NpyInput input;
    std::vector<char> values;  // of numbers and truths
    std::vector<std::string_view> texts;
    std::vector<std::int32_t> counts;  // of the texts of a list
    std::string converted;             // texts that were not UTF-8 in the file
  };

  void load_values(Field& field, const char* rows, std::size_t count);
  void load_texts(Field& field, const char* rows, std::size_t count);
  void refuse(std::size_t row, const Field& field, const char* code, const std::string& message);

  std::size_t row_bytes_;
  std::deque<Field> fields_;
  std::vector<std::pair<std::size_t, InputError>> faults_;
};

}  // namespace assay::cli
