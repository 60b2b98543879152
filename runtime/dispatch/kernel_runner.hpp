// Runs a kernel over records. This is the only place that knows all engines and chooses one. The interpreter serves from
// the first record on; machine code for one row, and for vectors of rows where columns lie side by side, takes over when
// enough records were interpreted to repay its compilation.
//
// A record comes from a reader that fills registers(), where the results are left; or it is a row of columns, whose
// results go to columns. Belongs to one thread; threads share the SharedKernel.
#pragma once

#include "runtime/dispatch/shared_kernel.hpp"
#include "runtime/kernel/kernel_interpreter.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace assay {

class KernelRunner {
 public:
  // From registers to registers. `jit_threshold`: EvaluatorOptions::jit_threshold.
  KernelRunner(std::shared_ptr<SharedKernel> kernel, std::uint64_t jit_threshold);
  // From columns to columns: a load for each input, a store for each result. The memory that loads point to must
  // outlive the runner.
  KernelRunner(std::shared_ptr<SharedKernel> kernel, std::uint64_t jit_threshold, std::vector<RowLoad> loads,
               std::vector<ResultStore> stores, JitCode::Set set = JitCode::best());
  KernelRunner(const KernelRunner&) = delete;  // parts of it refer to each other
  KernelRunner& operator=(const KernelRunner&) = delete;

  const Kernel& kernel() const { return *shared_->kernel(); }
  std::int64_t* registers() { return machine_.registers(); }

  // Runs one record. False if the kernel declines it; the results are then undefined.
  bool run(std::size_t row = 0) {
    if (code_ != nullptr) [[likely]]
      return code_(bases_, row, loads_.data(), machine_.registers()) != 0;
    return interpret(row);
  }
  bool jitted() const { return code_ != nullptr; }  // machine code will run the next record

  // How many rows a vector has; 0: there are no vectors (yet).
  std::size_t width() const { return vectors_ == nullptr ? 0 : code_of_.vectors->width; }
  // Scores rows in vectors, as JitCode::Block does.
  bool run_vectors(std::size_t first, std::size_t steps, std::uint16_t* declined) const {
    return vectors_(bases_, first, steps, declined) != 0;
  }

 private:
  bool interpret(std::size_t row);
  void choose();

  std::shared_ptr<SharedKernel> shared_;
  std::uint64_t jit_threshold_;
  JitCode::Set set_;
  KernelInterpreter machine_;
  bool columns_ = false;
  bool chosen_ = false;  // machine code was requested, whether or not there is any
  std::vector<RowLoad> loads_;
  std::vector<ResultStore> stores_;
  std::optional<JitLayout> layout_;  // of machine code
  SharedKernel::Code code_of_;       // keeps the functions below alive
  JitCode::Row code_ = nullptr;
  JitCode::Block vectors_ = nullptr;
  const char* const* bases_ = nullptr;
};

}  // namespace assay
