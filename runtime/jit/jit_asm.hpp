// Common parts of the generators of machine code: executable memory, and constants and tables that live as long as the
// code. Only jit_*.cpp include this header, and with it the assembler.
#pragma once

#include "runtime/jit/jit.hpp"

#include <asmjit/x86.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

namespace assay {

class AssembledCode final : public JitCode {
 public:
  AssembledCode() : runtime_(&parameters()) {}
  // Calls write(compiler), which writes one function, and makes it executable. False: `write` returned false, or the
  // assembler rejected an instruction.
  template <class Function, class Write>
  bool assemble(Function& function, Write&& write) {
    struct Errors final : asmjit::ErrorHandler {
      bool any = false;
      void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { any = true; }
    } errors;
    asmjit::CodeHolder holder;
    if (holder.init(runtime_.environment()) != asmjit::kErrorOk) return false;
    holder.setErrorHandler(&errors);
    asmjit::x86::Compiler compiler(&holder);
    compiler.addDiagnosticOptions(asmjit::DiagnosticOptions::kValidateAssembler);
    if (!write(compiler) || compiler.finalize() != asmjit::kErrorOk || errors.any) return false;
    return runtime_.add(&function, &holder) == asmjit::kErrorOk && !errors.any;
  }
  // Tables that the code reads.
  std::deque<std::vector<double>> doubles;
  std::deque<std::vector<std::int64_t>> integers;
  std::deque<std::vector<std::uint8_t>> bytes;

 private:
  // No page is writable and executable at the same address: hardened systems refuse such pages.
  static const asmjit::JitAllocator::CreateParams& parameters() {
    static const asmjit::JitAllocator::CreateParams p = [] {
      asmjit::JitAllocator::CreateParams q;
      q.options = asmjit::JitAllocatorOptions::kUseDualMapping;
      return q;
    }();
    return p;
  }
  asmjit::JitRuntime runtime_;  // releases the code
};

// Plans sums, all_of and any_of: a term is added as soon as its register is computed, which is then usually free again,
// so that long lists do not exhaust the machine registers. Tells which instructions those are, and the terms of each
// register.
struct FoldPlan {
  struct Term {
    std::size_t fold;
    std::int64_t factor;
  };
  std::vector<const KernelInstruction*> folds;
  std::vector<std::vector<Term>> terms_of;  // for each register
  explicit FoldPlan(const Kernel& kernel) : terms_of(kernel.registers + 1) {
    for (const KernelInstruction& i : kernel.code) {
      if (i.op != KernelOp::weighted && i.op != KernelOp::all_of && i.op != KernelOp::any_of) continue;
      for (std::uint32_t t = 0; t < i.count; ++t) {
        const KernelTerm& term = kernel.terms[i.terms + t];
        terms_of[term.reg].push_back({folds.size(), term.factor});
      }
      folds.push_back(&i);
    }
  }
  std::size_t of(const KernelInstruction& i) const {
    return static_cast<std::size_t>(std::find(folds.begin(), folds.end(), &i) - folds.begin());
  }
};

// Whether the column marks missing values among its integers.
inline bool has_sentinel(const KernelColumn& c) { return c.missing != INT64_MIN || c.type == ColumnType::i64; }

// Bounds of the value read, such that its product with the factor is within the bounds of the register.
inline RegisterBounds raw_bounds(const RowLoad& l) {
  const std::int64_t f = l.column.factor;
  return {l.low >= 0 ? (l.low + f - 1) / f : -((-l.low) / f), l.high >= 0 ? l.high / f : -((-l.high + f - 1) / f)};
}

// n / unit as the nearest double, computed as n * high + n * low with a fused multiplication, for units up to 10^9. 1 /
// unit in two parts has a relative error below 2^-106, and n / unit is at least 2^-84 away from every rounding boundary
// (n and unit are integers), so the sum rounds to the same double as a division.
struct UnitParts {
  double high, low;
  explicit UnitParts(double unit) : high(1 / unit), low(__builtin_fma(-high, unit, 1.0) / unit) {}
};

// Recognises the decimals low / unit … high / unit among all doubles by their words, without a division.
//
// A double is M / 2^s for an M of 53 bits. It is the double nearest to n / unit if x = unit * M - n * 2^s is at most
// unit / 2 in magnitude. (Ties cannot occur: x would be an odd multiple of a common divisor of both its parts. Powers
// of two, whose lower neighbours are closer, need no care: such a double is n / unit itself, or far from it.) Here s is
// at least 32, so the low word of M alone determines x modulo 2^32; and since `fraction` bits of unit * M / 2^s after
// the point are 0, x is less than 2^31 in magnitude: that determines all of x. The low word of unit times the double
// plus `magic` contains n and these bits. Bounds apply to the high words, which grow with the numbers and differ
// between neighbouring decimals where it matters.
struct DecimalWords {
  bool possible = false;
  int fraction = 0;
  double magic = 0;
  std::uint32_t least = 0, most = 0;  // high words
  DecimalWords(std::int64_t low, std::int64_t high, double unit) {
    const auto high_word = [unit](std::int64_t n) {
      return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(static_cast<double>(n) / unit) >> 32);
    };
    if (low < 1 || high < low || high > INT32_MAX || unit > 1e6) return;
    fraction =
        21 - std::ilogb(static_cast<double>(low) / unit);  // s is 52 minus the exponent; 31 bits are known otherwise
    if (fraction < 1 || fraction > 30 || high >> (32 - fraction) != 0) return;
    magic = std::ldexp(1.5, 52 - fraction);
    least = high_word(low);
    most = high_word(high);
    possible = high_word(low - 1) < least && most < high_word(high + 1);
  }
};

}  // namespace assay
