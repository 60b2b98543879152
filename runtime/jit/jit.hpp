// Machine code for a kernel whose inputs and results are columns, or registers that a reader has filled: one function that
// reads a row (or a vector of rows of columns), computes and writes, all in registers. It does what the interpreter
// (runtime/kernel/kernel_interpreter.hpp) does, for rubrics that score many rows: made after the first of them, when it is worth
// its fraction of a millisecond. Where it is not built in (ASSAY_JIT), not allowed (EvaluatorOptions::jit_threshold) or
// not possible on the machine, the interpreter does all; verdicts are the same.
//
// The code has the kernel, the types, the strides and the tables of the columns in it, but not their addresses: a host
// that binds the next batch of columns of the same form goes on with the same code.
#pragma once

#include "runtime/kernel/kernel_row.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace assay {

// What to make code of. Loads and stores are the caller's and are read while the code is made only.
struct JitRequest {
  std::shared_ptr<const Kernel> kernel;
  const std::vector<RowLoad>* loads = nullptr;       // one for each input
  const std::vector<ResultStore>* stores = nullptr;  // with registers of the kernel
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
  // Everything that code depends on but the addresses: code fits all requests with the same form.
  const std::vector<std::int64_t>& form() const { return form_; }

 private:
  Place place(const char* data, std::ptrdiff_t stride);

  std::vector<const char*> bases_;
  std::vector<std::ptrdiff_t> strides_;
  std::vector<Place> loads_, items_, stores_;
  std::vector<std::int64_t> form_;
};

// One function in executable memory, freed with it. Immutable; any thread may call it.
class JitCode {
 public:
  virtual ~JitCode() = default;

  // False: the row is not for the kernel. `registers`: room for the registers of the kernel and one more.
  using Row = std::uint32_t (*)(const char* const* bases, std::size_t row, const RowLoad* loads,
                                std::int64_t* registers);
  // Rows in steps of `width`, at least one: bit i of refused[k] is set when row first + k * width + i is not for the
  // kernel. Returns whether there is such a row. The results of all rows are written.
  using Block = std::uint32_t (*)(const char* const* bases, std::size_t first, std::size_t steps,
                                  std::uint16_t* refused);
  std::shared_ptr<const Kernel> kernel;
  Row row = nullptr;
  Block block = nullptr;
  std::size_t width = 1;

  static bool available();  // built in, and the machine can score rows so
  // The instructions that code may use; what every x86-64 has are those of `baseline`, which has no vectors of rows.
  enum class Set : std::uint8_t { baseline, avx2, avx512 };
  static Set best();  // that this processor has
  // Null: there is something that the code generator leaves to the interpreter, or that the processor cannot.
  static std::unique_ptr<JitCode> make_row(const JitRequest& request, const JitLayout& layout, Set set);
  static std::unique_ptr<JitCode> make_block(const JitRequest& request, const JitLayout& layout, Set set);
};

}  // namespace assay
