// Kernel → machine code for contiguous columns in vectors, AVX-512 or AVX2, in one loop that keeps all values in
// registers.
//
// A number is a double that holds an integer: below 2^51, additions, products and quotients of such numbers are exact,
// or their error is proved too small to matter (with the argument at each place), and a processor has more and faster
// instructions for doubles than for 64-bit integers. If everything fits 32 bits, numbers are 32-bit integers instead,
// twice as many in a vector (with AVX-512 only if no column has doubles). Truths are masks. Kernels with larger
// numbers, columns that are members of records, and types that vectors cannot load have no code here.
#include "runtime/jit/jit_vector.hpp"

#include <algorithm>
#include <cmath>

namespace assay::jit {

using namespace asmjit;

// ---- which kernels are supported

bool BlockWriter::loadable(std::size_t input) const {
  const RowLoad& l = loads_[input];
  const KernelColumn& c = l.column;
  if (l.kind == RowLoad::Kind::fill) return l.may_miss || l.absent_given;
  if (c.stride != static_cast<std::ptrdiff_t>(size_of(c.type))) return false;
  const bool absent_inside = !l.may_miss || (l.absent >= l.low && l.absent <= l.high);
  switch (l.kind) {
    case RowLoad::Kind::number_f64:
      if (l.low > l.high || !absent_inside || l.low < -kMost / 2 || l.high > kMost / 2) return false;
      return !integers_ || (!avx512_ && l.low >= -INT32_MAX / 2 && l.high <= INT32_MAX / 2);
    case RowLoad::Kind::number_integer: {
      const RegisterBounds raw = raw_bounds(l);
      if (raw.high < raw.low || !absent_inside) return false;
      if (c.type == ColumnType::i64) return !integers_;
      const bool sentinel = c.missing != INT64_MIN;
      if (sentinel && (c.missing < INT32_MIN || c.missing > INT32_MAX)) return false;
      if (l.low < -kMost || l.high > kMost) return false;
      if (c.mask > INT32_MAX) return false;
      return c.type != ColumnType::u32 || c.mask != 0 || (raw.low >= 0 && raw.high <= INT32_MAX && !sentinel);
    }
    case RowLoad::Kind::byte:
    case RowLoad::Kind::truth:
      return size_of(c.type) <= 4 && (c.missing == INT64_MIN || (c.missing >= INT32_MIN && c.missing <= INT32_MAX));
    case RowLoad::Kind::code: {
      if (size_of(c.type) > 4 || c.map_size == 0 || c.mask > INT32_MAX) return false;
      if (c.type == ColumnType::u32 && c.mask == 0 && c.map_size > INT32_MAX) return false;
      std::uint32_t end = c.map_size;
      while (end > 0 && c.map[end - 1] < 0) --end;
      for (std::uint32_t k = 0; k < end; ++k) {
        if (c.map[k] < 0 && static_cast<std::int64_t>(k) != c.missing) return false;
      }
      return end > 0 && (c.missing == INT64_MIN || (c.missing >= INT32_MIN && c.missing <= INT32_MAX));
    }
    default: return false;
  }
}

bool BlockWriter::storable(std::size_t result) const {
  const ResultStore& s = stores_[result];
  if (s.stride != static_cast<std::ptrdiff_t>(size_of(s.type)) || s.type == ColumnType::text) return false;
  if (s.reg == kNoReg) return false;  // a constant: not worth the speed
  if (s.unit != s.unit || s.unit > 1e9) return false;
  if (s.type == ColumnType::f64 || s.type == ColumnType::f32) return true;
  if (s.type == ColumnType::u32 && s.missing < -1) return false;
  const std::int64_t most = integers_ ? INT32_MAX : s.type == ColumnType::u32 && !avx512_ ? INT32_MAX : kMost;
  return magnitude(s.reg) <= most / s.factor && s.missing >= -most && s.missing <= most;
}

bool BlockWriter::computable(const KernelInstruction& i) const {
  if (integers_) {
    if (i.op == KernelOp::div) return false;
    if (i.op == KernelOp::div_x) return i.mode != Rounding::half_even && i.x < INT32_MAX / 2;
    return true;
  }
  if (i.op != KernelOp::refuse && magnitude(i.a) > kMost) return false;
  if (i.op == KernelOp::weighted) {
    __extension__ typedef __int128 Sum;
    Sum sum = i.x < 0 ? -static_cast<Sum>(i.x) : static_cast<Sum>(i.x);
    for (std::uint32_t t = 0; t < i.count; ++t) {
      const KernelTerm& term = kernel_.terms[i.terms + t];
      sum += static_cast<Sum>(magnitude(term.reg)) * (term.factor < 0 ? -static_cast<Sum>(term.factor) : term.factor);
    }
    return sum <= kMost;
  }
  const std::int64_t n = magnitude(i.b);
  if (i.op == KernelOp::div_x) return n <= kMost / 8 && i.x <= kMost / 8 - n / 4;
  if (i.op == KernelOp::div) return n <= kMost / 4 && magnitude(i.c) <= kMost / 4;
  return true;
}

bool BlockWriter::possible() {
  for (std::size_t p = 0; p < kernel_.inputs.size(); ++p) {
    for (const Register l : {kernel_.inputs[p].reg, kernel_.inputs[p].given}) {
      if (l != kNoReg) inputs_.of[l] = static_cast<int>(p);
    }
  }
  const auto all = [&] {
    for (std::size_t p = 0; p < kernel_.inputs.size(); ++p) {
      if (!loadable(p)) return false;
    }
    for (std::size_t r = 0; r < stores_.size(); ++r) {
      if (!storable(r)) return false;
    }
    return std::all_of(kernel_.code.begin(), kernel_.code.end(),
                       [&](const KernelInstruction& i) { return computable(i); });
  };
  integers_ = kernel_.narrow;
  if (integers_ && all()) return true;
  integers_ = false;
  return all();
}

// ---- constants

x86::Mem BlockWriter::full(const void* data, std::size_t size) {
  std::vector<std::uint8_t> key(static_cast<const std::uint8_t*>(data), static_cast<const std::uint8_t*>(data) + size);
  const auto [at, added] = constants_.try_emplace(key);
  if (added) at->second = cc.newConst(ConstPoolScope::kLocal, data, size);
  return at->second;
}

x86::Mem BlockWriter::doubles(double v) {
  const double four[4] = {v, v, v, v};
  return avx512_ ? full(four, sizeof v)._1to8() : full(four, sizeof v * doubles_in_vector());
}

// A constant of words: `halved` if there are half as many as a vector holds.
x86::Mem BlockWriter::dwords(std::int64_t value, bool halved) {
  const auto v = static_cast<std::int32_t>(value);
  const std::int32_t eight[8] = {v, v, v, v, v, v, v, v};
  if (avx512_) {
    const x86::Mem m = full(eight, sizeof v);
    return halved ? m._1to8() : m._1to16();
  }
  return full(eight, halved ? sizeof eight / 2 : sizeof eight);
}

// ---- masks

// Keeps constants that reading several columns of doubles needs repeatedly, as far as registers allow.
void BlockWriter::keep_constants() {
  std::map<double, int> uses;
  for (const RowLoad& l : loads_) {
    if (l.kind != RowLoad::Kind::number_f64) continue;
    if (integers_ && told_by_words(l)) {
      ++uses[l.scale];
      ++uses[DecimalWords(l.low, l.high, l.scale).magic];
      continue;
    }
    uses[kMagic] += 2;
    if (l.scale != 1) {
      const UnitParts parts(l.scale);
      for (const double v : {l.scale, parts.low, parts.high}) ++uses[v];
    }
    if (l.may_miss && !integers_) ++uses[kMagic + static_cast<double>(l.absent)];
  }
  std::vector<std::pair<int, double>> most;
  for (const auto& [v, count] : uses) {
    if (count > 1) most.emplace_back(count, v);
  }
  std::sort(most.rbegin(), most.rend());
  most.resize(std::min<std::size_t>(most.size(), avx512_ ? 10 : 4));
  for (const auto& [count, v] : most) kept_.emplace(v, loaded(doubles(v)));
}

BlockWriter::Mask BlockWriter::everything() {
  Mask r = new_mask();
  if (avx512_) emit(Id::kIdKxnorw, r.reg, r.reg, r.reg);
  else emit(Id::kIdVpcmpeqd, r.reg, r.reg, r.reg);
  return r;
}

BlockWriter::Mask BlockWriter::compared_doubles(const Vec& a, const Operand& b, Predicate p) {
  Mask r = new_mask();
  emit(Id::kIdVcmppd, r.reg, a, b, imm(p));
  return r;
}

BlockWriter::Mask BlockWriter::compared(const Vec& a, const Operand& b, Predicate p) {
  if (!integers_) return compared_doubles(a, b, p);
  Mask r = new_mask();
  if (avx512_) {
    emit(Id::kIdVpcmpd, r.reg, a, b, imm(p == lt ? 1 : p == le ? 2 : p == ge ? 5 : p == gt ? 6 : p == ne ? 4 : 0));
    return r;
  }
  if (p == eq || p == ne) {
    emit(Id::kIdVpcmpeqd, r.reg, a, b);
  } else if (p == gt || p == le) {
    emit(Id::kIdVpcmpgtd, r.reg, a, b);
  } else {
    const Vec other = b.isMem() ? loaded(b.as<x86::Mem>()) : b.as<Vec>();
    emit(Id::kIdVpcmpgtd, r.reg, other, a);
  }
  return p == ne || p == le || p == ge ? negated(r) : r;
}

BlockWriter::Mask BlockWriter::from_words(const Vec& a) {
  if (integers_) return {a};
  Mask r = new_mask();
  emit(Id::kIdVpmovsxdq, r.reg, a);
  return r;
}

BlockWriter::Mask BlockWriter::equal_words(const Vec& a, std::int64_t to) {
  const x86::Mem other = dwords(to, !integers_);
  if (avx512_) {
    Mask r = new_mask();
    emit(Id::kIdVpcmpd, r.reg, a, other, imm(0));
    return r;
  }
  Vec r = words();
  emit(Id::kIdVpcmpeqd, r, a, other);
  return from_words(r);
}

BlockWriter::Mask BlockWriter::words_above(const Vec& a, std::int64_t limit) {
  if (!avx512_) return negated(words_within(a, limit));
  Mask r = new_mask();
  emit(Id::kIdVpcmpud, r.reg, a, dwords(limit, !integers_), imm(6));
  return r;
}

BlockWriter::Mask BlockWriter::words_within(const Vec& a, std::int64_t limit) {
  Vec r = words();
  emit(Id::kIdVpminud, r, a, dwords(limit, !integers_));
  emit(Id::kIdVpcmpeqd, r, r, a);
  return from_words(r);
}

BlockWriter::Vec BlockWriter::part_of(const Vec& v, std::int32_t part) {
  Vec r = half();
  emit(avx512_ ? Id::kIdVextracti64x4 : Id::kIdVextracti128, r, v, imm(part));
  return r;
}

BlockWriter::Vec BlockWriter::words_of(const Vec& a, const Vec& b, bool high) {
  Vec r = vec();
  emit(Id::kIdVshufps, r, a, b, imm(high ? 0xdd : 0x88));
  return r;
}

BlockWriter::Vec BlockWriter::divided(const Vec& n, double unit) {
  const UnitParts parts(unit);
  const Vec r = op(Id::kIdVmulpd, n, shared(parts.low));
  emit(Id::kIdVfmadd231pd, r, n, shared(parts.high));
  return r;
}

// Uses the instruction for pairs of 16-bit integers if both fit, because it is faster.
BlockWriter::Vec BlockWriter::times(const Vec& a, std::int64_t factor, std::int64_t most) {
  if (!integers_) return op(Id::kIdVmulpd, a, constant(factor));
  if (most > INT16_MAX || std::abs(factor) > INT16_MAX) return op(Id::kIdVpmulld, a, constant(factor));
  const x86::Mem pairs = dwords(static_cast<std::uint16_t>(factor), false);
  // this instruction cannot broadcast
  return op(Id::kIdVpmaddwd, a, avx512_ ? Operand(loaded(pairs)) : Operand(pairs));
}

BlockWriter::Vec BlockWriter::chosen(const Mask& when, const Operand& a, const Vec& b) {
  if (!avx512_) {
    Vec r = vec();
    emit(either(Id::kIdVblendvpd, Id::kIdVblendvps), r, b, a, when.reg);
    return r;
  }
  Vec r = copy(b);  // merged into: the assembler assumes that a blend reads its destination
  cc.k(when.reg.as<x86::KReg>());
  if (!a.isMem()) emit(either(Id::kIdVmovapd, Id::kIdVmovdqa32), r, a);
  else emit(either(Id::kIdVbroadcastsd, Id::kIdVpbroadcastd), r, plain(a.as<x86::Mem>(), integers_ ? 4 : 8));
  return r;
}

// ---- registers

// v where the mask holds, else 0.
BlockWriter::Vec BlockWriter::masked(const Mask& m, std::int64_t v) {
  if (!avx512_) return op(Id::kIdVandpd, m.reg.as<Vec>(), constant(v));
  const x86::Mem from = plain(constant(v), integers_ ? 4 : 8);
  Vec r = vec();
  cc.k(m.reg.as<x86::KReg>()).z();
  emit(either(Id::kIdVbroadcastsd, Id::kIdVpbroadcastd), r, from);
  return r;
}

BlockWriter::Vec BlockWriter::number(Register l) {
  Held& h = registers_[l];
  if (h.kind == Held::Kind::number && h.more != 0) {
    h.number = op(either(Id::kIdVaddpd, Id::kIdVpaddd), h.number, constant(h.more));
    h.more = 0;
  }
  if (h.kind == Held::Kind::number) return h.number;
  return h.kind == Held::Kind::constant ? loaded(constant(h.value)) : masked(h.mask, 1);
}

BlockWriter::Mask BlockWriter::mask(const Held& h) {
  if (h.kind == Held::Kind::mask) return h.mask;
  if (h.kind == Held::Kind::constant) return mask(h.value != 0);
  return compared(h.number, constant(-h.more), ne);
}

// ---- the function

void BlockWriter::write() {
  FuncNode* const function = cc.addFunc(FuncSignatureT<std::uint32_t, const void*, std::size_t, std::size_t, void*>());
  function->frame().setAvxEnabled();
  if (avx512_) function->frame().setAvx512Enabled();
  function->frame().setAvxCleanup();
  x86::Gp steps = cc.newUIntPtr(), declined = cc.newUIntPtr(), any = cc.newUInt32();
  bases_ = cc.newUIntPtr();
  row_ = cc.newUIntPtr();
  function->setArg(0, bases_);
  function->setArg(1, row_);
  function->setArg(2, steps);
  function->setArg(3, declined);
  const Label loop = cc.newLabel();
  cc.xor_(any, any);
  keep_constants();
  kept_bases_.resize(std::min<std::size_t>(layout_.bases().size(), 7));
  for (std::size_t k = 0; k < kept_bases_.size(); ++k) {
    kept_bases_[k] = cc.newUIntPtr();
    cc.mov(kept_bases_[k], x86::ptr(bases_, static_cast<std::int32_t>(k * sizeof(const char*))));
  }
  for (const KernelInstruction* i : fold_plan_.folds)
    folds_.push_back({i, false, false, i->op == KernelOp::weighted ? i->x : 0, {}, {}});
  cc.bind(loop);
  accepted_.rows = everything();
  if (doubles_as_words()) accepted_.parts[0] = accepted_.parts[1] = accepted_.rows;
  for (std::size_t p = 0; p < kernel_.inputs.size(); ++p) {
    const RowLoad& l = loads_[p];
    const bool compared_so = l.kind == RowLoad::Kind::number_integer
                                 ? l.column.type != ColumnType::i64
                                 : l.kind == RowLoad::Kind::number_f64 && !integers_;
    if (!compared_so) continue;
    const RegisterBounds b = range_of(l);
    auto range = std::find_if(inputs_.ranges.begin(), inputs_.ranges.end(),
                              [&](const Range& r) { return r.bounds.low == b.low && r.bounds.high == b.high; });
    if (range == inputs_.ranges.end()) range = inputs_.ranges.insert(range, Range{b, 0, false, {}, {}});
    ++range->inputs;
  }
  for (const KernelInstruction& i : kernel_.code) {
    for_each_read(i, kernel_.terms, [&](Register l) { need(l); });
    compute(i);
  }
  for (std::size_t p = 0; p < kernel_.inputs.size(); ++p) load(p);  // inputs that nobody reads must still be valid
  finish_ranges();
  for (std::size_t r = 0; r < stores_.size(); ++r) store(r);
  x86::Gp bits = cc.newUInt32();
  if (avx512_) {
    const Mask bad =
        negated(accepted_.rows);  // must be in a register: there is no such instruction with a memory operand
    emit(Id::kIdKmovw, bits, bad.reg);
    if (width() == 8) cc.movzx(bits, bits.r8());
  } else {
    emit(integers_ ? Id::kIdVmovmskps : Id::kIdVmovmskpd, bits, accepted_.rows.reg);
    cc.xor_(bits, imm((1u << width()) - 1));
  }
  cc.mov(x86::word_ptr(declined), bits.r16());
  cc.or_(any, bits);
  cc.add(row_, imm(width()));
  cc.add(declined, 2);
  cc.dec(steps);
  cc.jnz(loop);
  cc.ret(any);
  cc.endFunc();
}

x86::Mem BlockWriter::at(const JitLayout::Place& place, std::size_t size) {
  const std::uint32_t shift = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
  if (place.base < kept_bases_.size()) return x86::ptr(kept_bases_[place.base], row_, shift, place.offset);
  x86::Gp base = cc.newUIntPtr();
  cc.mov(base, x86::ptr(bases_, static_cast<std::int32_t>(place.base * sizeof(const char*))));
  return x86::ptr(base, row_, shift, place.offset);
}

}  // namespace assay::jit

namespace assay {

std::unique_ptr<JitCode> JitCode::make_block(const JitRequest& request, const JitLayout& layout, Set set) {
  if (set == Set::baseline || set > best()) return nullptr;
  auto code = std::make_unique<AssembledCode>();
  const bool made = code->assemble(code->block, [&](asmjit::x86::Compiler& compiler) {
    jit::BlockWriter writer(request, layout, *code, compiler, set);
    if (!writer.possible()) return false;
    writer.write();
    code->width = writer.width();
    return true;
  });
  if (!made) return nullptr;
  code->kernel = request.kernel;
  return code;
}

}  // namespace assay
