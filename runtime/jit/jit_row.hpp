// The code generator for one row; jit_row.cpp explains the method. Its members are in jit_row.cpp (the function,
// results), jit_row_load.cpp (columns) and jit_row_compute.cpp (instructions).
#pragma once

#include "runtime/jit/jit_asm.hpp"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace assay::jit {

using asmjit::imm;
using asmjit::InstId;
using asmjit::Label;
using asmjit::Operand;
namespace x86 = asmjit::x86;

inline constexpr std::int64_t kFew = 4096;  // up to this many numbers, a table is worth its memory

inline bool made(const x86::Gp& r) { return Operand::isVirtId(r.id()); }
inline bool fits32(std::int64_t v) { return v >= INT32_MIN && v <= INT32_MAX; }

class RowWriter {
 public:
  RowWriter(const JitRequest& request, const JitLayout& layout, AssembledCode& code, x86::Compiler& compiler, bool avx)
      : kernel_(*request.kernel),
        loads_(*request.loads),
        stores_(*request.stores),
        layout_(layout),
        code_(code),
        cc(compiler),
        avx_(avx),
        registers_(kernel_.registers + 1),
        loaded_(kernel_.inputs.size(), false),
        input_of_(kernel_.registers + 1, -1),
        fold_plan_(kernel_) {}

  bool write();

 private:
  struct Held {
    bool constant = true;
    std::int64_t value = 0;
    x86::Gp reg;
  };

  struct Fold {  // state of an entry of fold_plan_
    const KernelInstruction* of = nullptr;
    bool begun = false;
    std::int64_t constant = 0;  // all_of, any_of: the value of the constant terms
    x86::Gp reg;
  };

  // ---- registers
  x86::Gp fresh() { return cc.newInt64(); }
  x86::Gp number(std::int64_t v) {
    x86::Gp r = fresh();
    if (v == 0) cc.xor_(r.r32(), r.r32());
    else cc.mov(r, v);
    return r;
  }
  x86::Gp copy(const x86::Gp& of) {
    x86::Gp r = fresh();
    cc.mov(r, of);
    return r;
  }
  // ---- doubles
  void emit(InstId with_avx, InstId without, const Operand& a, const Operand& b) {
    cc.emit(avx_ ? with_avx : without, a, b);
  }
  // r = a op b
  void emit(InstId with_avx, InstId without, const x86::Xmm& r, const x86::Xmm& a, const Operand& b) {
    if (avx_) {
      cc.emit(with_avx, r, a, b);
      return;
    }
    if (r != a) cc.movaps(r, a);
    cc.emit(without, r, b);
  }
  void move(const Operand& to, const Operand& from) { emit(x86::Inst::kIdVmovsd, x86::Inst::kIdMovsd, to, from); }
  void compare_doubles(const x86::Xmm& a, const Operand& b) {
    emit(x86::Inst::kIdVucomisd, x86::Inst::kIdUcomisd, a, b);
  }
  void as_double(const x86::Xmm& r, const x86::Gp& n) {
    emit(x86::Inst::kIdVxorps, x86::Inst::kIdXorps, r, r, r);  // otherwise it depends on the old value
    emit(x86::Inst::kIdVcvtsi2sd, x86::Inst::kIdCvtsi2sd, r, r, n);
  }
  x86::Mem double_constant(double v) { return cc.newDoubleConst(asmjit::ConstPoolScope::kLocal, v); }
  // A number or an address that several inputs need, kept in one register.
  x86::Gp shared(std::int64_t v) {
    x86::Gp& r = shared_[v];
    if (!made(r)) r = number(v);
    return r;
  }
  x86::Gp reg(Register l) { return registers_[l].constant ? number(registers_[l].value) : registers_[l].reg; }
  void hold(Register l, const Held& h) {
    registers_[l] = h;
    for (const FoldPlan::Term& term : fold_plan_.terms_of[l]) add_term(folds_[term.fold], h, term.factor);
  }
  void hold(Register l, const x86::Gp& r) { hold(l, Held{false, 0, r}); }
  void hold(Register l, std::int64_t v) { hold(l, Held{true, v, {}}); }
  // A constant as the operand of an instruction that takes 32-bit immediates.
  Operand operand(std::int64_t v) { return fits32(v) ? Operand(imm(v)) : Operand(number(v)); }
  Operand operand(Register l) {
    return registers_[l].constant ? operand(registers_[l].value) : Operand(registers_[l].reg);
  }
  void emit(InstId id, const x86::Gp& a, const Operand& b) { cc.emit(id, a, b); }
  void compare(const x86::Gp& a, const Operand& b) { cc.emit(x86::Inst::kIdCmp, a, b); }
  void compare(Register a, const Operand& b) { compare(reg(a), b); }
  // Whether the flags satisfy the condition, as 0 or 1. `zeroed` was made before the flags were set.
  x86::Gp zeroed() {
    x86::Gp r = fresh();
    cc.xor_(r.r32(), r.r32());
    return r;
  }
  template <class Set>
  x86::Gp test(const x86::Gp& a, const Operand& b, Set&& set) {
    x86::Gp r = zeroed();
    compare(a, b);
    set(r.r8());
    return r;
  }

  // ---- places
  x86::Gp base(std::uint32_t k);
  x86::Mem at(const JitLayout::Place& place) { return x86::ptr(base(place.base), place.offset); }

  void load(std::size_t input);
  void load_double(std::size_t input);
  void load_integer(std::size_t input);
  void load_truth(std::size_t input);
  void load_code(std::size_t input);
  void load_codes(std::size_t input);
  void load_by_call(std::size_t input);
  x86::Mem in_memory(Register l) const {
    return x86::qword_ptr(arguments_[3], static_cast<std::int32_t>(l * sizeof(std::int64_t)));
  }
  void take(const RowLoad& l);  // loads the value from memory
  x86::Gp raw(const KernelColumn& column, const JitLayout::Place& place);
  void hold_loaded(const RowLoad& l, const x86::Gp& value, const x86::Gp& given);
  void need(Register l) {
    if (l != kNoReg && input_of_[l] >= 0) load(static_cast<std::size_t>(input_of_[l]));
  }

  void compute(const KernelInstruction& i);
  void compare_registers(const KernelInstruction& i);
  void add_term(Fold& fold, const Held& h, std::int64_t factor);
  void finish_fold(const KernelInstruction& i);
  void divide(const KernelInstruction& i);
  x86::Gp quotient(const x86::Gp& m, std::int64_t most, std::int64_t d);
  void below(const KernelInstruction& i);
  void store(std::size_t result);
  void leave(Register l);

  const Kernel& kernel_;
  const std::vector<RowLoad>& loads_;
  const std::vector<ResultStore>& stores_;
  const JitLayout& layout_;
  AssembledCode& code_;
  x86::Compiler& cc;
  bool avx_;  // with three operands
  std::vector<Held> registers_;
  std::vector<bool> loaded_;
  std::vector<int> input_of_;
  FoldPlan fold_plan_;
  std::vector<Fold> folds_;
  std::vector<x86::Gp> bases_;
  std::vector<std::pair<std::ptrdiff_t, x86::Gp>> offsets_;  // row * stride
  std::map<std::tuple<std::int64_t, std::int64_t, double>, const double*> decimals_;
  std::map<std::int64_t, x86::Gp> shared_;
  x86::Gp arguments_[4];
  Label slow_;
};

}  // namespace assay::jit
