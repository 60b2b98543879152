// The code generator for vectors of rows; jit_vector.cpp explains the method. Its members are in jit_vector.cpp (the
// function, constants, masks), jit_vector_load.cpp (columns), jit_vector_compute.cpp (instructions) and
// jit_vector_store.cpp (results).
#pragma once

#include "runtime/jit/jit_asm.hpp"

#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace assay::jit {

namespace Id = asmjit::x86::Inst;
using asmjit::imm;
using asmjit::InstId;
using asmjit::Operand;
namespace x86 = asmjit::x86;

inline constexpr std::int64_t kMost = (std::int64_t{1} << 51) - 1;
inline constexpr double kMagic = 6755399441055744.0;  // 1.5 * 2^52: adding it moves an integer to the low bits

// Comparisons of doubles, as instructions encode them.
enum Predicate : std::uint32_t { eq = 0, lt = 0x11, le = 0x12, ne = 4, ge = 0x1d, gt = 0x1e, ordered = 7 };

class BlockWriter {
 public:
  BlockWriter(const JitRequest& request, const JitLayout& layout, AssembledCode& code, x86::Compiler& compiler,
              JitCode::Set set)
      : kernel_(*request.kernel),
        loads_(*request.loads),
        stores_(*request.stores),
        layout_(layout),
        code_(code),
        cc(compiler),
        avx512_(set == JitCode::Set::avx512),
        registers_(kernel_.registers + 1),
        fold_plan_(kernel_) {
    inputs_.loaded.assign(kernel_.inputs.size(), false);
    inputs_.of.assign(kernel_.registers + 1, -1);
  }

  bool possible();  // decides between doubles and integers
  void write();
  std::size_t width() const { return doubles_in_vector() * (integers_ ? 2u : 1u); }

 private:
  using Vec = x86::Vec;
  struct Mask {
    Operand reg;  // a mask register, or a vector with all bits set or clear
  };
  struct Held {
    enum class Kind : std::uint8_t { constant, number, mask } kind = Kind::constant;
    std::int64_t value = 0;
    Vec number;
    Mask mask;
    std::int64_t more = 0;  // constant to add to the number
  };
  struct Fold {  // state of an entry of fold_plan_
    const KernelInstruction* of = nullptr;
    bool begun = false;
    bool tells_nan = false;  // a NaN in it means that the kernel declines the row
    std::int64_t constant = 0;
    Vec sum;
    Mask mask;
  };
  struct ByWords {  // columns of doubles that are recognised by their words (DecimalWords)
    std::int64_t low, high;
    double unit;
    bool begun;
    Vec remainder, fraction, above;  // combined over all columns: each word is the worst one
  };
  struct Range {  // registers with the same bounds: their minimum and maximum
    RegisterBounds bounds;
    int inputs = 0;
    bool begun = false;
    Vec least, most;
  };

  // ---- instructions
  std::size_t doubles_in_vector() const { return avx512_ ? 8 : 4; }
  Vec vec() { return avx512_ ? Vec(cc.newZmm()) : Vec(cc.newYmm()); }
  Vec half() { return avx512_ ? Vec(cc.newYmm()) : Vec(cc.newXmm()); }
  Vec part_of(const Vec& v, std::int32_t part);  // a half of v
  template <class... Operands>
  void emit(InstId id, const Operands&... operands) {
    const Operand list[] = {operands...};
    cc.emitOpArray(id, list, sizeof...(operands));
  }
  Vec words() { return integers_ ? vec() : half(); }  // one 32-bit integer per row
  InstId either(InstId of_doubles, InstId of_integers) const { return integers_ ? of_integers : of_doubles; }
  x86::Mem full(const void* data, std::size_t size);  // a whole vector
  x86::Mem doubles(double v);
  x86::Mem dwords(std::int64_t v, bool halved);
  x86::Mem constant(std::int64_t v) {
    return integers_ ? dwords(std::clamp<std::int64_t>(v, -INT32_MAX, INT32_MAX), false)
                     : doubles(static_cast<double>(v));
  }
  Vec op(InstId id, const Vec& a, const Operand& b) {
    Vec r = vec();
    emit(id, r, a, b);
    return r;
  }
  // A double as an operand: in a register if it is kept in one.
  Operand shared(double v) {
    const auto at = kept_.find(v);
    return at == kept_.end() ? Operand(doubles(v)) : Operand(at->second);
  }
  void keep_constants();
  Vec loaded(const x86::Mem& constant_of) {
    Vec r = vec();
    if (!avx512_) emit(Id::kIdVmovupd, r, constant_of);
    else if (integers_) emit(Id::kIdVpbroadcastd, r, plain(constant_of, 4));
    else emit(Id::kIdVbroadcastsd, r, plain(constant_of, 8));
    return r;
  }
  static x86::Mem plain(x86::Mem m, std::uint32_t size) {
    m.resetBroadcast();
    m.setSize(size);
    return m;
  }
  Vec copy(const Vec& of) {
    Vec r = vec();
    emit(Id::kIdVmovapd, r, of);
    return r;
  }
  Vec multiply_add(const Vec& a, const Operand& b, const Operand& more) {  // a * b + more
    Vec r = vec();
    if (more.isMem()) r = loaded(more.as<x86::Mem>());
    else emit(Id::kIdVmovapd, r, more);
    emit(Id::kIdVfmadd231pd, r, a, b);
    return r;
  }
  Vec divided(const Vec& n, double unit);                           // n / unit as the nearest double
  Vec times(const Vec& a, std::int64_t factor, std::int64_t most);  // |a| <= most
  Vec rounded(const Vec& a, std::uint32_t how) {
    Vec r = vec();
    if (avx512_) emit(Id::kIdVrndscalepd, r, a, imm(how | 8));
    else emit(Id::kIdVroundpd, r, a, imm(how | 8));
    return r;
  }
  Vec shifted(InstId id, const Vec& a, std::uint32_t by) {
    Vec r = vec();
    emit(id, r, a, imm(by));
    return r;
  }

  // ---- masks
  Mask new_mask() { return avx512_ ? Mask{cc.newKw()} : Mask{vec()}; }
  Mask everything();
  Mask compared(const Vec& a, const Operand& b, Predicate p);
  Mask compared_doubles(const Vec& a, const Operand& b, Predicate p);
  Mask equal_words(const Vec& a, std::int64_t to);
  Mask words_above(const Vec& a, std::int64_t limit);  // as unsigned numbers
  void must_not_be_above(const Vec& a, std::int64_t limit) {
    accepted_.rows =
        avx512_ ? without(accepted_.rows, words_above(a, limit)) : both(accepted_.rows, words_within(a, limit));
  }
  Mask words_within(const Vec& a, std::int64_t limit);  // not above; for AVX2
  Mask from_words(const Vec& a);                        // a comparison of words → a mask of rows (AVX2)
  Mask logic(InstId of_masks, InstId of_vectors, const Mask& a, const Mask& b) {
    Mask r = new_mask();
    emit(avx512_ ? of_masks : of_vectors, r.reg, a.reg, b.reg);
    return r;
  }
  Mask both(const Mask& a, const Mask& b) { return logic(Id::kIdKandw, Id::kIdVandpd, a, b); }
  Mask one_of(const Mask& a, const Mask& b) { return logic(Id::kIdKorw, Id::kIdVorpd, a, b); }
  Mask differing(const Mask& a, const Mask& b) { return logic(Id::kIdKxorw, Id::kIdVxorpd, a, b); }
  Mask without(const Mask& a, const Mask& b) { return logic(Id::kIdKandnw, Id::kIdVandnpd, b, a); }  // a and not b
  Mask negated(const Mask& a) {
    if (!avx512_) return differing(a, everything());
    Mask r = new_mask();
    emit(Id::kIdKnotw, r.reg, a.reg);
    return r;
  }
  Vec chosen(const Mask& when, const Operand& a, const Vec& b);  // a where `when`, else b
  Mask chosen(const Mask& when, const Mask& a, const Mask& b) { return one_of(both(when, a), without(b, when)); }

  // ---- registers
  void hold(Register l, const Held& h);
  void hold(Register l, std::int64_t v) { hold(l, Held{Held::Kind::constant, v, {}, {}, 0}); }
  void hold(Register l, const Vec& v) { hold(l, Held{Held::Kind::number, 0, v, {}, 0}); }
  void hold(Register l, const Mask& m) { hold(l, Held{Held::Kind::mask, 0, {}, m, 0}); }
  Vec number(Register l);
  Operand operand(Register l) {
    return registers_[l].kind == Held::Kind::constant ? Operand(constant(registers_[l].value)) : Operand(number(l));
  }
  Vec masked(const Mask& m, std::int64_t v);
  Mask mask(const Held& h);
  Mask mask(Register l) { return mask(registers_[l]); }
  Mask mask(bool value) { return value ? everything() : differing(everything(), everything()); }
  void must(const Mask& m) { accepted_.rows = both(accepted_.rows, m); }
  // Bounds to compare an input with: for words, before the multiplication.
  RegisterBounds range_of(const RowLoad& l) const { return integers_ ? raw_bounds(l) : RegisterBounds{l.low, l.high}; }
  // The low words of doubles, packed in row order.
  Vec joined(const Vec& a, const Vec& b) { return in_order(words_of(a, b, false)); }
  // The same in another order, or the high words; in_order() puts them into row order.
  Vec words_of(const Vec& a, const Vec& b, bool high);
  Vec in_order(const Vec& of) {
    emit(Id::kIdVpermpd, of, of, imm(0xd8));
    return of;
  }

  // ---- parts
  x86::Mem at(const JitLayout::Place& place, std::size_t size);
  Vec raw_words(const KernelColumn& c, const JitLayout::Place& place);
  void load(std::size_t input);
  void load_double(std::size_t input);
  void load_double_as_words(std::size_t input);
  void load_double_by_words(std::size_t input);
  void finish_words();
  void load_integer(std::size_t input);
  void load_long(std::size_t input);
  void load_truth(std::size_t input);
  void load_code(std::size_t input);
  void within_bounds(const Vec& n, const RegisterBounds& b, bool may_be_nan = false);
  void must_lie(const RegisterBounds& b, const Vec& least, const Vec& most);
  void finish_ranges();
  void differ(const Vec& a, const Vec& b);
  static bool told_by_words(const RowLoad& l) { return !l.may_miss && DecimalWords(l.low, l.high, l.scale).possible; }
  bool doubles_as_words() const {
    return integers_ && std::any_of(loads_.begin(), loads_.end(), [](const RowLoad& l) {
             return l.kind == RowLoad::Kind::number_f64 && !told_by_words(l);
           });
  }
  void need(Register l) {
    if (l != kNoReg && inputs_.of[l] >= 0) load(static_cast<std::size_t>(inputs_.of[l]));
  }
  bool loadable(std::size_t input) const;
  bool storable(std::size_t result) const;
  bool computable(const KernelInstruction& i) const;
  std::int64_t magnitude(Register l) const {
    const RegisterBounds& b = kernel_.bounds[l];
    return b.low == INT64_MIN ? INT64_MAX : std::max(std::abs(b.low), std::abs(b.high));
  }
  void compute(const KernelInstruction& i);
  void add_term(Fold& fold, const Held& h, std::int64_t factor, std::int64_t most);
  void finish_fold(const KernelInstruction& i);
  void divide(const KernelInstruction& i);
  void divide_integers(const KernelInstruction& i);
  void below(const KernelInstruction& i);
  Vec below_in_pairs(const Vec& n, const KernelTerm* limits, std::size_t count);
  Vec below_in_words(const Vec& n, const KernelTerm* limits, std::size_t count);
  Vec picked(const Vec& index, const std::vector<std::int64_t>& table);
  void store(std::size_t result);
  void store_words(const x86::Mem& to, const Vec& v, std::size_t size);

  const Kernel& kernel_;
  const std::vector<RowLoad>& loads_;
  const std::vector<ResultStore>& stores_;
  const JitLayout& layout_;
  AssembledCode& code_;
  x86::Compiler& cc;
  bool avx512_;
  bool integers_ = false;
  std::vector<Held> registers_;
  struct {
    std::vector<bool> loaded;
    std::vector<int> of;  // by register; -1: none
    std::vector<Range> ranges;
    std::vector<ByWords> by_words;
  } inputs_;
  FoldPlan fold_plan_;
  std::vector<Fold> folds_;
  std::map<double, Vec> kept_;                                 // constants that stay in registers
  std::map<std::pair<std::uint32_t, ColumnType>, Vec> words_;  // columns of integers as they are
  std::map<std::vector<std::uint8_t>, x86::Mem> constants_;
  x86::Gp bases_, row_;
  std::vector<x86::Gp> kept_bases_;  // the first few, in registers
  struct {                           // what the kernel has not declined so far
    Mask rows;
    Mask parts[2];  // the same for doubles that become words, for each half of the rows
    Vec different;  // nonzero bits: the kernel declines the row
    bool differ_begun = false;
  } accepted_;
};

}  // namespace assay::jit
