// Rows of a .npy file as records: a line of NDJSON each, so that whatever reads records reads such files. Slower than
// columns (repl/npy/npy_columns), and without their limits: every field of a verdict can be asked for.
#pragma once

#include "repl/npy/npy_inputs.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

class NpyLines {
 public:
  explicit NpyLines(const std::vector<NpyInput>& inputs);

  // Appends the line of a row, with its newline. What is missing (NaN, an empty text, the least '<i8') is null. What no
  // JSON can say (an infinity, bytes that are no UTF-8) is written so that the reader of the record refuses it.
  void append(std::string& text, const char* row);
  std::size_t most_bytes() const { return most_; }  // bytes of a line, and some that do not count

 private:
  void plan(const std::vector<const NpyField*>& fields, std::size_t begin, std::string& before);

  struct Value {
    std::string before;  // what stands before it in the line, its first `before_size` bytes
    std::size_t before_size;
    NpyField field;
    std::uint8_t decimals;  // that its last number had
  };
  std::vector<Value> values_;
  std::string end_;
  std::size_t most_ = 0;
};

}  // namespace assay::cli
