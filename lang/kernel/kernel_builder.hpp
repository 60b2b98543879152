// Part of `compile_kernel`: arithmetic and logic on registers while the instructions are being written. Constants are
// folded, equal instructions are written once, and each number has bounds that prove that nothing overflows; a result
// that might overflow is a `bad` number, and everything that needs it has no kernel.
#pragma once

#include "lang/kernel/kernel.hpp"

#include <map>
#include <tuple>
#include <vector>

namespace assay {

struct Truth {  // two-valued
  Register reg = kNoReg;
  bool value = false;  // if there is no register
  bool constant() const { return reg == kNoReg; }
  bool always() const { return constant() && value; }
  bool never() const { return constant() && !value; }
};
inline constexpr Truth kYes{kNoReg, true};
inline constexpr Truth kNo{kNoReg, false};

// (register or value) / (unit * den); den is a register > 0, or 1 if absent. The bounds of a register also hold where
// the number is missing.
struct KernelNumber {
  Register reg = kNoReg;
  std::int64_t value = 0;  // if there is no register; low == high == value
  std::int64_t low = 0, high = 0;
  std::int64_t unit = 1;
  Register den = kNoReg;
  std::int64_t den_low = 1, den_high = 1;
  bool bad = false;
  bool constant() const { return reg == kNoReg && den == kNoReg && !bad; }
};

inline KernelInstruction made(KernelOp op, Register b, Register c = 0, Register d = 0, std::int64_t x = 0,
                              std::int64_t y = 0) {
  KernelInstruction i;
  i.op = op;
  i.b = b;
  i.c = c;
  i.d = d;
  i.x = x;
  i.y = y;
  return i;
}

class KernelBuilder {
 public:
  // Limits all bounds of registers, so that sums of two do not overflow.
  static constexpr std::int64_t kMost = std::int64_t{1} << 61;

  Register new_register() { return registers_++; }
  Register emit(KernelInstruction i, std::vector<KernelTerm> terms = {});
  Register reg(const KernelNumber& n);  // of its numerator
  Register reg(Truth t);
  std::uint32_t registers() const { return registers_; }
  std::vector<KernelInstruction> code;
  std::vector<KernelTerm> terms;
  std::map<Register, std::pair<std::int64_t, std::int64_t>> bounds;  // of every register
  bool broken = false;  // a comparison whose sides have no common denominator: no kernel is possible

  // ---- truths
  Truth both(Truth a, Truth b);
  Truth either(Truth a, Truth b);
  Truth differ(Truth a, Truth b);
  Truth negate(Truth a);
  Truth and_not(Truth a, Truth b) { return both(a, negate(b)); }
  Truth all_of(const std::vector<Truth>& parts);
  Truth any_of(const std::vector<Truth>& parts);
  void refuse_when(Truth t);

  // ---- numbers
  static KernelNumber bad();
  static KernelNumber number(std::int64_t value, std::int64_t unit = 1);
  static KernelNumber number(Number n);
  KernelNumber in_register(Register reg, std::int64_t low, std::int64_t high, std::int64_t unit = 1);
  KernelNumber from_truth(Truth t);
  KernelNumber add(const KernelNumber& a, const KernelNumber& b);
  KernelNumber sub(const KernelNumber& a, const KernelNumber& b);
  KernelNumber mul(const KernelNumber& a, const KernelNumber& b);
  KernelNumber div(const KernelNumber& a, const KernelNumber& b, Truth& given);  // given: cleared where b is 0
  KernelNumber lesser(const KernelNumber& a, const KernelNumber& b, bool greater = false);
  KernelNumber clamp(const KernelNumber& n, const RangeData& range);
  KernelNumber weighted(const std::vector<KernelNumber>& values, const std::vector<KernelNumber>& factors);
  KernelNumber round(const KernelNumber& n, int decimals, Rounding mode);
  // limited to the range of its type, where that is smaller
  KernelNumber within(const KernelNumber& n, const Interval& range);
  KernelNumber absolute(const KernelNumber& n);
  KernelNumber choose(Truth t, const KernelNumber& a, const KernelNumber& b);
  Truth less(const KernelNumber& a, const KernelNumber& b);  // a < b
  Truth equal(const KernelNumber& a, const KernelNumber& b);
  // With a unit of 10^decimals and no other denominator, as a result requires.
  KernelNumber decimal(const KernelNumber& n, int decimals);

 private:
  // Brings both to the same denominator.
  bool align(KernelNumber& a, KernelNumber& b);
  KernelNumber scaled(const KernelNumber& n, std::int64_t factor);  // its numerator times factor, with the same unit
  KernelNumber times(const KernelNumber& n, const KernelNumber& den_of);  // its numerator times that denominator
  KernelNumber in_register_like(KernelNumber n, Register reg);  // n with that register, a truth, as its numerator
  Register keep(Register reg, std::int64_t low, std::int64_t high);
  const KernelInstruction* made_by(Register reg, KernelOp op) const;  // null: another instruction made it
  void parts_of(Register reg, bool all, std::vector<KernelTerm>& out);
  void linear(Register reg, std::int64_t factor, std::int64_t& x, std::vector<KernelTerm>& out) const;
  Register sum_of(Register a, Register b, std::int64_t sign);
  Truth denied(Register reg) const;
  Truth joined(const std::vector<Truth>& parts, bool all);

  std::map<Register, std::size_t> by_register_;  // position in code
  std::uint32_t registers_ = 0;
  std::map<std::vector<std::int64_t>, Register> known_;
};

}  // namespace assay
