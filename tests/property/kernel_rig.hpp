// Scores a rubric in every way that a kernel can run, and by the VM. All must agree: lines (KernelStream) and Columns,
// by the interpreter and by machine code, row by row and, with each instruction set of the machine, in vectors.
// Differences are returned as text.
#pragma once

#include "lang/kernel/kernel.hpp"
#include "runtime/stream/kernel_stream.hpp"

#include <assay/assay.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay_tests {

// An input and its possible values in a record, as JSON; an empty value: absent. A path has at most one dot.
struct RigInput {
  std::string path;
  std::vector<std::string> values;
};
using RigRecord = std::vector<std::string>;  // a value for each input

// Records from the product of the values, or `most` of them, evenly spread.
std::vector<RigRecord> product_of(const std::vector<RigInput>& inputs, std::size_t most);
std::string json_of(const std::vector<RigInput>& inputs, const RigRecord& record);

// Columns to bind: numbers as doubles, 64-bit or 32-bit integers; texts as codes or (longs) views; booleans as bytes or
// (longs) as bits of them.
enum class RigTypes { doubles, longs, words };

class KernelRig {
 public:
  // Tests these fields of the verdict; empty: all except the rubric's name and version.
  KernelRig(assay::Rubric rubric, std::vector<std::string> fields = {});
  ~KernelRig();
  KernelRig(KernelRig&&) noexcept;

  std::optional<assay::InputError> configure(const assay::Settings& settings);
  // Generates the kernel that a fast path would generate after these records. False: there is none; why_not() gives the
  // reason.
  bool learn(const std::vector<std::string>& records);
  // The kernel for these bounds.
  bool make(const assay::InputBounds& bounds);
  const std::string& why_not() const;
  const assay::Kernel& kernel() const;
  const std::vector<std::string>& fields() const;

  // The first difference between lines, by each engine, and the VM. Adds to `taken` how many those are, to `scored` how many the VM scored.
  std::string compare_lines(const std::vector<std::string>& records, std::size_t& taken, std::size_t& scored);

  // The same for columns: every record is a row, inputs are bound to columns of the given types, and fields that no
  // column can hold are left out. `slow`: rows that the VM scored in the last pass over all rows.
  struct ColumnsRun {
    std::string difference;
    std::size_t rows = 0, scored = 0, slow = 0, fields = 0;
    // In the last pass: rows scored by machine code one by one, and in vectors of the best instruction set of the
    // processor.
    std::size_t jit_rows = 0, jit_vectors = 0;
  };
  ColumnsRun compare_columns(const std::vector<RigInput>& inputs, const std::vector<RigRecord>& records, RigTypes with);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay_tests
