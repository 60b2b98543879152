// A kernel with its machine code, shared by all threads that score with it. Code is made for a form of columns
// (JitLayout::form), or for registers that a reader fills, on the first request; later requests for the same form get
// the same code.
#pragma once

#include "runtime/jit/jit.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace assay {

class SharedKernel {
 public:
  explicit SharedKernel(std::shared_ptr<const Kernel> kernel) : kernel_(std::move(kernel)) {}

  const std::shared_ptr<const Kernel>& kernel() const { return kernel_; }

  // Counts an interpreted row. Returns the total over all threads.
  std::uint64_t interpreted() { return rows_.fetch_add(1, std::memory_order_relaxed) + 1; }
  std::uint64_t rows() const { return rows_.load(std::memory_order_relaxed); }

  // For single rows, and for vectors of rows; null if there is none.
  struct Code {
    std::shared_ptr<const JitCode> row, vectors;
  };
  Code code(const std::vector<RowLoad>& loads, const std::vector<ResultStore>& stores, const JitLayout& layout,
            JitCode::Set set);

 private:
  struct Made {
    std::vector<std::int64_t> form;
    JitCode::Set set;
    Code code;
  };
  static constexpr std::size_t kForms = 8;  // how many forms are kept, the most recently used ones

  std::shared_ptr<const Kernel> kernel_;
  std::atomic<std::uint64_t> rows_{0};
  std::mutex mutex_;  // guards made_, and prevents two threads from making the same code
  std::vector<Made> made_;
};

}  // namespace assay
