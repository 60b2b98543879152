// Runs a kernel (lang/kernel/kernel.hpp) over one record: registers are 64-bit integers in an array, and a reader fills
// the kernel's inputs. Divisions by constants become multiplications, prepared once.
#pragma once

#include "lang/kernel/kernel.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace assay {

// Division of n in 0 … 2^62 by a constant d in 1 … 2^61 as a multiplication by 2^shift / d, rounded up; exact (Granlund
// and Montgomery, Division by Invariant Integers using Multiplication, PLDI 1994, theorem 4.2).
struct Divisor {
  std::uint64_t factor = 0;
  int shift = 0;
};
Divisor divisor(std::int64_t d);
inline std::int64_t divide(std::int64_t n, Divisor d) {
  __extension__ typedef unsigned __int128 Product;
  return static_cast<std::int64_t>((static_cast<Product>(static_cast<std::uint64_t>(n)) * d.factor) >> d.shift);
}

class KernelInterpreter {
 public:
  explicit KernelInterpreter(std::shared_ptr<const Kernel> kernel);
  const Kernel& kernel() const { return *kernel_; }
  // One per register of the kernel: inputs are written here, results read.
  std::int64_t* registers() { return registers_.data(); }
  // False: the kernel declines the record (a rule of the rubric rejects it).
  bool run();

 private:
  struct Step {
    KernelOp op = KernelOp::set;
    Rounding mode = Rounding::half_away;
    std::uint32_t count = 0;
    Register a = 0, b = 0, c = 0, d = 0;
    std::int64_t x = 0, y = 0;
    std::uint32_t terms = 0;
    Divisor divisor;
    const std::uint8_t* rows = nullptr;  // below: table for x, x + 1, …
  };
  void prepare_terms(Step& step, const KernelInstruction& instruction);
  void prepare_rows(Step& step, const KernelInstruction& instruction);

  std::shared_ptr<const Kernel> kernel_;
  std::vector<std::int64_t> registers_;
  std::vector<Step> steps_;
  std::vector<KernelTerm> terms_;
  std::deque<std::vector<std::uint8_t>> rows_;
};

}  // namespace assay
