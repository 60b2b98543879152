// Machine code for a kernel whose inputs and results are columns, or registers that a reader has filled: one function
// that reads a row (or a vector of rows of columns), computes and writes, all in registers. It computes the same as the
// interpreter (runtime/kernel/kernel_interpreter.hpp), for rubrics that score many rows: it is made after the first of
// them, when that repays a fraction of a millisecond. If it is not built in (ASSAY_JIT), not allowed
// (EvaluatorOptions::jit_threshold) or not possible on the machine, the interpreter does everything; verdicts are the
// same.
//
// The code contains the kernel, and the types, strides and tables of the columns, but not their addresses: a host that
// binds the next batch of columns of the same form reuses the code.
#pragma once

#include "runtime/kernel/kernel_row.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace assay {

// What to compile. Loads and stores belong to the caller and are only read while the code is made.
struct JitRequest {
  std::shared_ptr<const Kernel> kernel;
  const std::vector<RowLoad>* loads = nullptr;       // one for each input
  const std::vector<ResultStore>* stores = nullptr;  // refer to registers of the kernel
};

// Addresses in code: columns that are members of the same array of records share a base.
class JitLayout {
 public:
  struct Place {
    std::uint32_t base = 0;
    std::int32_t offset = 0;
  };
  explicit JitLayout(const JitRequest& request);
  const std::vector<const char*>& bases() const { return bases_; }
  const Place& load(std::size_t input) const { return loads_[input]; }
  const Place& items(std::size_t input) const { return items_[input]; }
  const Place& store(std::size_t result) const { return stores_[result]; }
  std::ptrdiff_t stride(std::uint32_t base) const { return strides_[base]; }
  // Everything that the code depends on except addresses: code fits all requests with the same form.
  const std::vector<std::int64_t>& form() const { return form_; }

 private:
  Place place(const char* data, std::ptrdiff_t stride);

  std::vector<const char*> bases_;
  std::vector<std::ptrdiff_t> strides_;
  std::vector<Place> loads_, items_, stores_;
  std::vector<std::int64_t> form_;
};

// One function in executable memory, which is freed with this object. Immutable; any thread may call it.
class JitCode {
 public:
  virtual ~JitCode() = default;

  // False: the kernel declines the row. `registers`: room for the registers of the kernel and one more.
  using Row = std::uint32_t (*)(const char* const* bases, std::size_t row, const RowLoad* loads,
                                std::int64_t* registers);
  // Scores rows in steps of `width`, at least one step: bit i of declined[k] is set if the kernel declines row first + k
  // * width + i. Returns whether it declines any. The results of all rows are written.
  using Block = std::uint32_t (*)(const char* const* bases, std::size_t first, std::size_t steps,
                                  std::uint16_t* declined);
  std::shared_ptr<const Kernel> kernel;
  Row row = nullptr;
  Block block = nullptr;
  std::size_t width = 1;

  static bool available();  // whether it is built in, and the machine can score rows with it
  // The instructions that code may use; `baseline` are those of every x86-64, and has no vectors of rows.
  enum class Set : std::uint8_t { baseline, avx2, avx512 };
  static Set best();  // the best set of this processor
  // Null: the code generator leaves something to the interpreter, or the processor lacks an instruction.
  static std::unique_ptr<JitCode> make_row(const JitRequest& request, const JitLayout& layout, Set set);
  static std::unique_ptr<JitCode> make_block(const JitRequest& request, const JitLayout& layout, Set set);
};

}  // namespace assay
