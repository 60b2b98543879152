// Kernel → machine code for one row: registers are 64-bit integers in general-purpose registers, so everything that a
// kernel computes can be compiled, without branches. Inputs come from columns, or from the registers in memory that a
// reader of records has filled; in the latter case results stay in their registers, for a writer of verdicts. Texts and
// lists of texts are read by calling the function that the interpreter uses.
#include "runtime/jit/jit_row.hpp"

#include <cstdlib>
#include <cstring>
#include <limits>

namespace assay::jit {

using namespace asmjit;

bool RowWriter::write() {
  FuncNode* const function = cc.addFunc(FuncSignatureT<std::uint32_t, const void*, std::size_t, const void*, void*>());
  for (std::uint32_t k = 0; k < 4; ++k) {
    arguments_[k] = cc.newUInt64();
    function->setArg(k, arguments_[k]);
  }
  if (avx_) function->frame().setAvxEnabled();
  slow_ = cc.newLabel();
  for (std::size_t p = 0; p < kernel_.inputs.size(); ++p) {
    for (const Register l : {kernel_.inputs[p].reg, kernel_.inputs[p].given}) {
      if (l != kNoReg) input_of_[l] = static_cast<int>(p);
    }
    const RowLoad& l = loads_[p];
    if (l.kind == RowLoad::Kind::fill && !l.may_miss && !l.absent_given) return false;
    if (l.kind != RowLoad::Kind::fill && l.high < l.low) return false;
  }
  for (const KernelInstruction* i : fold_plan_.folds)
    folds_.push_back({i, false, i->op == KernelOp::weighted ? i->x : i->op == KernelOp::all_of ? 1 : 0, {}});
  // Calls come first, because they clobber registers.
  for (std::size_t p = 0; p < kernel_.inputs.size(); ++p) {
    const RowLoad& l = loads_[p];
    const bool inlined = l.kind != RowLoad::Kind::text && l.kind != RowLoad::Kind::texts &&
                         l.kind != RowLoad::Kind::number_f32 &&
                         (l.kind != RowLoad::Kind::codes || (l.items.type == ColumnType::u8 && l.items.mask == 0));
    const bool absent_outside = l.may_miss && (l.absent < l.low || l.absent > l.high);
    if (!inlined || (absent_outside && l.kind == RowLoad::Kind::number_f64)) load_by_call(p);
  }
  for (std::size_t p = 0; p < kernel_.inputs.size(); ++p) {
    if (loads_[p].kind == RowLoad::Kind::codes) load(p);
  }
  for (const KernelInstruction& i : kernel_.code) {
    for_each_read(i, kernel_.terms, [&](Register l) { need(l); });
    compute(i);
  }
  for (std::size_t p = 0; p < kernel_.inputs.size(); ++p) {  // inputs that nobody reads must still be valid
    if (loads_[p].kind != RowLoad::Kind::reg) load(p);
  }
  for (std::size_t r = 0; r < stores_.size(); ++r) store(r);
  x86::Gp one = cc.newUInt32();
  cc.mov(one, 1);
  cc.ret(one);
  cc.bind(slow_);
  x86::Gp none = cc.newUInt32();
  cc.xor_(none, none);
  cc.ret(none);
  cc.endFunc();
  return true;
}

// ---- places

x86::Gp RowWriter::base(std::uint32_t k) {
  if (bases_.size() <= k) bases_.resize(layout_.bases().size());
  if (made(bases_[k])) return bases_[k];
  const std::ptrdiff_t stride = layout_.stride(k);
  x86::Gp r = cc.newUIntPtr();
  cc.mov(r, x86::ptr(arguments_[0], static_cast<std::int32_t>(k * sizeof(const char*))));
  if (stride == 1 || stride == 2 || stride == 4 || stride == 8) {
    cc.lea(r, x86::ptr(r, arguments_[1], stride == 1 ? 0u : stride == 2 ? 1u : stride == 4 ? 2u : 3u));
  } else {
    auto known = offsets_.begin();
    while (known != offsets_.end() && known->first != stride) ++known;
    if (known == offsets_.end()) {
      x86::Gp offset = fresh();
      if (fits32(stride)) {
        cc.imul(offset, arguments_[1], imm(stride));
      } else {
        cc.mov(offset, stride);
        cc.imul(offset, arguments_[1]);
      }
      offsets_.emplace_back(stride, offset);
      known = offsets_.end() - 1;
    }
    cc.add(r, known->second);
  }
  bases_[k] = r;
  return r;
}

// Reads an integer of a column, sign-extended, with its bits extracted.
x86::Gp RowWriter::raw(const KernelColumn& column, const JitLayout::Place& place) {
  x86::Gp r = fresh();
  x86::Mem m = at(place);
  const auto sized = [&m](std::uint32_t bytes) {
    m.setSize(bytes);
    return m;
  };
  switch (column.type) {
    case ColumnType::i8: cc.movsx(r, sized(1)); break;
    case ColumnType::i16: cc.movsx(r, sized(2)); break;
    case ColumnType::i32: cc.movsxd(r, sized(4)); break;
    case ColumnType::u8: cc.movzx(r.r32(), sized(1)); break;
    case ColumnType::u16: cc.movzx(r.r32(), sized(2)); break;
    case ColumnType::u32: cc.mov(r.r32(), sized(4)); break;
    default: cc.mov(r, sized(8)); break;
  }
  if (column.mask != 0) {
    if (column.shift != 0) cc.shr(r.r32(), imm(column.shift));
    cc.and_(r.r32(), imm(column.mask));
  }
  return r;
}

// ---- results

// Stores a register in the array for its readers; the reader of records has put its inputs there already.
void RowWriter::leave(Register l) {
  if (l == kNoReg || input_of_[l] >= 0) return;
  x86::Gp value = reg(l);
  cc.mov(in_memory(l), value);
}

void RowWriter::store(std::size_t result) {
  const ResultStore& s = stores_[result];
  if (s.kind == ResultStore::Kind::reg) {
    leave(s.reg);
    leave(s.given);
    return;
  }
  const x86::Mem to = at(layout_.store(result));
  const bool may_miss = s.given != kNoReg && !registers_[s.given].constant;
  const bool never = s.given != kNoReg && registers_[s.given].constant && registers_[s.given].value == 0;
  if (s.type == ColumnType::f64 || s.type == ColumnType::f32) {
    constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
    x86::Xmm value = cc.newXmm();
    if (never || s.unit != s.unit) {
      move(value, double_constant(kMissing));
    } else {
      x86::Gp n = s.reg == kNoReg ? number(s.x) : reg(s.reg);
      as_double(value, n);
      if (s.unit != 1) emit(x86::Inst::kIdVdivsd, x86::Inst::kIdDivsd, value, value, double_constant(s.unit));
      if (may_miss) {
        std::int64_t bits = 0;
        std::memcpy(&bits, &kMissing, sizeof bits);
        x86::Gp as_bits = fresh(), other = number(bits), given = reg(s.given);
        emit(x86::Inst::kIdVmovq, x86::Inst::kIdMovq, as_bits, value);
        cc.test(given, given);
        cc.cmovz(as_bits, other);
        emit(x86::Inst::kIdVmovq, x86::Inst::kIdMovq, value, as_bits);
      }
    }
    if (s.type == ColumnType::f64) {
      move(to, value);
    } else {
      x86::Xmm narrow = cc.newXmm();
      emit(x86::Inst::kIdVxorps, x86::Inst::kIdXorps, narrow, narrow, narrow);
      emit(x86::Inst::kIdVcvtsd2ss, x86::Inst::kIdCvtsd2ss, narrow, narrow, value);
      emit(x86::Inst::kIdVmovss, x86::Inst::kIdMovss, to, narrow);
    }
    return;
  }
  x86::Gp value;
  if (never) {
    value = number(s.missing);
  } else if (s.map != nullptr) {
    std::vector<std::int64_t>& table = code_.integers.emplace_back(s.map, s.map + s.map_size);
    x86::Gp first = cc.newUIntPtr();
    value = fresh();
    cc.mov(first, imm(reinterpret_cast<std::uintptr_t>(table.data())));
    cc.mov(value, x86::qword_ptr(first, s.reg == kNoReg ? number(s.x) : reg(s.reg), 3));
  } else {
    value = s.reg == kNoReg ? number(s.x) : reg(s.reg);
    if (s.factor != 1) {
      x86::Gp r = number(s.factor);
      cc.imul(r, value);
      value = r;
    }
  }
  if (may_miss) {
    x86::Gp r = copy(value), other = number(s.missing), given = reg(s.given);
    cc.test(given, given);
    cc.cmovz(r, other);
    value = r;
  }
  switch (s.type) {
    case ColumnType::i8:
    case ColumnType::u8: cc.mov(to, value.r8()); break;
    case ColumnType::i16:
    case ColumnType::u16: cc.mov(to, value.r16()); break;
    case ColumnType::i32:
    case ColumnType::u32: cc.mov(to, value.r32()); break;
    default: cc.mov(to, value); break;
  }
}

}  // namespace assay::jit

namespace assay {

bool JitCode::available() { return asmjit::CpuInfo::host().features().x86().hasPOPCNT(); }

JitCode::Set JitCode::best() {
  const auto& has = asmjit::CpuInfo::host().features().x86();
  if (!has.hasAVX2() || !has.hasFMA()) return Set::baseline;
  const bool all = has.hasAVX512_F() && has.hasAVX512_BW() && has.hasAVX512_DQ() && has.hasAVX512_VL();
  return all ? Set::avx512 : Set::avx2;
}

std::unique_ptr<JitCode> JitCode::make_row(const JitRequest& request, const JitLayout& layout, Set set) {
  if (!available() || set > best()) return nullptr;
  auto code = std::make_unique<AssembledCode>();
  const bool made = code->assemble(code->row, [&](asmjit::x86::Compiler& compiler) {
    return jit::RowWriter(request, layout, *code, compiler, set != Set::baseline).write();
  });
  if (!made) return nullptr;
  code->kernel = request.kernel;
  return code;
}

}  // namespace assay

// asmjit's error reporting functions, without its printing. They are in a unit that every program with machine code
// links, so that the linker skips those of libasmjit.a: Debian's refer to `stderr` in a way that no shared library can
// be linked with.
ASMJIT_BEGIN_NAMESPACE
namespace DebugUtils {

const char* errorAsString(Error) noexcept { return "asmjit refused an instruction"; }
void debugOutput(const char*) noexcept {}
// Called only by builds of asmjit with assertions, which Debian's is not.
void assertionFailed(const char*, int, const char*) noexcept { std::abort(); }

}  // namespace DebugUtils
ASMJIT_END_NAMESPACE
