// A rubric scored by a kernel in every way there is, and by the VM. All of them have to agree: lines (KernelStream) and
// Columns, by the interpreter and by machine code, row by row and, with each instruction set of the machine, in vectors.
// What differs is handed back as text.
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

// An input and what a record may hold there, as JSON; an empty value: nothing. A path has at most one dot.
struct RigInput {
  std::string path;
  std::vector<std::string> values;
};
using RigRecord = std::vector<std::string>;  // a value for each input

// Records from the product of the values, or `most` of it spread evenly.
std::vector<RigRecord> product_of(const std::vector<RigInput>& inputs, std::size_t most);
std::string json_of(const std::vector<RigInput>& inputs, const RigRecord& record);

// Columns to bind: numbers as doubles, 64-bit or 32-bit integers; texts as codes or (longs) as views; truths as bytes or
// (longs) as bits of them.
enum class RigTypes { doubles, longs, words };

class KernelRig {
 public:
  // For these fields of the verdict; empty: all but the rubric's name and version.
  KernelRig(assay::Rubric rubric, std::vector<std::string> fields = {});
  ~KernelRig();
  KernelRig(KernelRig&&) noexcept;

  std::optional<assay::InputError> configure(const assay::Settings& settings);
  // Makes the kernel that a fast path makes after these records. False: there is none, why_not() says why.
  bool learn(const std::vector<std::string>& records);
  // The kernel of these shapes.
  bool make(const assay::InputBounds& shapes);
  const std::string& why_not() const;
  const assay::Kernel& kernel() const;
  const std::vector<std::string>& fields() const;

  // The first difference between lines, by each engine, and the VM. Adds to `taken` how many those are, to `scored` how many the VM scored.
  std::string compare_lines(const std::vector<std::string>& records, std::size_t& taken, std::size_t& scored);

  // The same for columns: every record a row, inputs bound to columns of the types asked for, fields that no
  // column holds left out. `slow`: rows that went to the VM in the last pass over all rows.
  struct ColumnsRun {
    std::string difference;
    std::size_t rows = 0, scored = 0, slow = 0, fields = 0;
    // Of the last pass: taken by machine code one by one, and in vectors of the processor's best instruction set.
    std::size_t jit_rows = 0, jit_vectors = 0;
  };
  ColumnsRun compare_columns(const std::vector<RigInput>& inputs, const std::vector<RigRecord>& records, RigTypes with);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay_tests
