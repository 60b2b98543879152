// Columns → registers of one row: see jit_row.hpp.
#include "runtime/jit/jit_row.hpp"

#include <algorithm>

namespace assay::jit {

using namespace asmjit;

namespace {

// Reads an input with the interpreter's function.
std::uint32_t load_input(const RowLoad* load, std::size_t row, std::int64_t* registers) {
  return load_row(*load, row, registers) ? 1 : 0;
}

}  // namespace

void RowWriter::load(std::size_t input) {
  if (loaded_[input]) return;
  loaded_[input] = true;
  const RowLoad& l = loads_[input];
  switch (l.kind) {
    case RowLoad::Kind::fill:
      hold(l.reg, l.absent);
      hold(l.given, l.absent_given ? 1 : 0);
      break;
    case RowLoad::Kind::number_f64: load_double(input); break;
    case RowLoad::Kind::number_integer: load_integer(input); break;
    case RowLoad::Kind::byte:
    case RowLoad::Kind::truth: load_truth(input); break;
    case RowLoad::Kind::code: load_code(input); break;
    case RowLoad::Kind::codes: load_codes(input); break;
    case RowLoad::Kind::reg: take(l); break;
    default: break;  // called
  }
}

void RowWriter::hold_loaded(const RowLoad& l, const x86::Gp& value, const x86::Gp& given) {
  if (l.absent_given || !made(given)) hold(l.given, 1);
  else hold(l.given, given);
  hold(l.reg, value);  // last, because inputs that nobody reads share one register
}

void RowWriter::load_by_call(std::size_t input) {
  loaded_[input] = true;
  const RowLoad& l = loads_[input];
  x86::Gp which = cc.newUIntPtr(), good = cc.newUInt32();
  cc.lea(which, x86::ptr(arguments_[2], static_cast<std::int32_t>(input * sizeof(RowLoad))));
  InvokeNode* call = nullptr;
  cc.invoke(&call, imm(reinterpret_cast<std::uintptr_t>(&load_input)),
            FuncSignatureT<std::uint32_t, const void*, std::size_t, void*>());
  call->setArg(0, which);
  call->setArg(1, arguments_[1]);
  call->setArg(2, arguments_[3]);
  call->setRet(0, good);
  cc.test(good, good);
  cc.jz(slow_);
  take(l);
}

void RowWriter::take(const RowLoad& l) {
  for (const Register at : {l.given, l.reg}) {
    if (at == kernel_.registers) continue;  // nobody reads it
    x86::Gp r = fresh();
    cc.mov(r, in_memory(at));
    hold(at, r);
  }
}

// The register is the nearest whole number of units, if it is within bounds and the double nearest to it equals the
// value.
void RowWriter::load_double(std::size_t input) {
  const RowLoad& l = loads_[input];
  x86::Xmm value = cc.newXmm(), scaled = cc.newXmm();
  move(value, at(layout_.load(input)));
  x86::Gp n = fresh(), given, offset = fresh();
  if (l.scale != 1) emit(x86::Inst::kIdVmulsd, x86::Inst::kIdMulsd, scaled, value, double_constant(l.scale));
  emit(x86::Inst::kIdVcvtsd2si, x86::Inst::kIdCvtsd2si, n, l.scale == 1 ? value : scaled);
  if (l.may_miss) {  // the comparison below accepts NaN
    const x86::Gp absent = shared(l.absent);
    given = zeroed();
    compare_doubles(value, value);
    cc.setnp(given.r8());
    cc.cmovp(n, absent);
  }
  const std::int64_t width = l.high - l.low;  // no number in a double column exceeds 10^15
  if (l.low == 0) offset = n;
  else if (fits32(-l.low)) cc.lea(offset, x86::ptr(n, static_cast<std::int32_t>(-l.low)));
  else {
    cc.mov(offset, n);
    emit(x86::Inst::kIdSub, offset, operand(l.low));
  }
  compare(offset, operand(width));
  cc.ja(slow_);
  if (width < kFew) {
    const double*& table = decimals_[{l.low, l.high, l.scale}];
    if (table == nullptr) {
      std::vector<double>& all = code_.doubles.emplace_back();
      for (std::int64_t k = l.low; k <= l.high; ++k) all.push_back(static_cast<double>(k) / l.scale);
      table = all.data();
    }
    compare_doubles(value, x86::qword_ptr(shared(reinterpret_cast<std::intptr_t>(table)), offset, 3));
  } else {
    as_double(scaled, n);
    if (l.scale != 1) emit(x86::Inst::kIdVdivsd, x86::Inst::kIdDivsd, scaled, scaled, double_constant(l.scale));
    compare_doubles(scaled, value);
  }
  cc.jne(slow_);
  hold_loaded(l, n, given);
}

void RowWriter::load_integer(std::size_t input) {
  const RowLoad& l = loads_[input];
  const std::int64_t f = l.column.factor;
  const auto [low, high] = raw_bounds(l);  // checked before the multiplication, so that it cannot overflow
  if (high < low) {
    cc.jmp(slow_);
    hold_loaded(l, number(l.low), {});
    return;
  }
  x86::Gp v = raw(l.column, layout_.load(input));
  x86::Gp offset = low == 0 ? v : copy(v), given;
  if (low != 0) emit(x86::Inst::kIdSub, offset, operand(low));
  const bool sentinel = has_sentinel(l.column);
  const auto width = static_cast<std::int64_t>(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low));
  if (!sentinel || !l.may_miss) {
    if (sentinel) {
      compare(v, operand(l.column.missing));
      cc.je(slow_);
    }
    compare(offset, operand(width));
    cc.ja(slow_);
  } else {
    given = zeroed();
    x86::Gp outside = zeroed();
    compare(v, operand(l.column.missing));
    cc.setne(given.r8());
    compare(offset, operand(width));
    cc.seta(outside.r8());
    cc.test(outside.r8(), given.r8());
    cc.jnz(slow_);
  }
  x86::Gp n = v;
  if (f != 1) {
    n = fresh();
    if (fits32(f)) cc.imul(n, v, imm(f));
    else {
      cc.mov(n, f);
      cc.imul(n, v);
    }
  }
  if (made(given)) {
    x86::Gp absent = number(l.absent), r = copy(n);
    cc.test(given, given);
    cc.cmovz(r, absent);
    n = r;
  }
  hold_loaded(l, n, given);
}

void RowWriter::load_truth(std::size_t input) {
  const RowLoad& l = loads_[input];
  const bool sentinel = l.kind == RowLoad::Kind::truth && has_sentinel(l.column);
  if (size_of(l.column.type) == 1 && l.column.mask == 0 && !sentinel) {
    const x86::Mem from = at(layout_.load(input)).cloneResized(1);
    x86::Gp truth = zeroed();
    cc.cmp(from, imm(0));
    cc.setne(truth.r8());
    return hold_loaded(l, truth, {});
  }
  x86::Gp v = raw(l.column, layout_.load(input));
  x86::Gp truth = zeroed(), given;
  cc.test(v, v);
  cc.setne(truth.r8());
  if (sentinel) {
    if (!l.may_miss) {
      compare(v, operand(l.column.missing));
      cc.je(slow_);
    } else {
      x86::Gp absent = number(l.absent);
      given = zeroed();
      compare(v, operand(l.column.missing));
      cc.setne(given.r8());
      cc.cmove(truth, absent);
    }
  }
  hold_loaded(l, truth, given);
}

// One entry per code: register * 2 + given, or -1 if the kernel declines the row.
void RowWriter::load_code(std::size_t input) {
  const RowLoad& l = loads_[input];
  const KernelColumn& c = l.column;
  const bool byte = (c.type == ColumnType::i8 || c.type == ColumnType::u8) && c.map_size == 256;
  std::vector<std::int64_t>& table = code_.integers.emplace_back();
  const std::int64_t missing = l.may_miss ? l.absent * 2 + (l.absent_given ? 1 : 0) : -1;
  for (std::uint32_t k = 0; k < c.map_size; ++k) {
    const bool is_missing = c.map[k] == -1 || static_cast<std::int64_t>(k) == c.missing;
    table.push_back(is_missing ? missing : c.map[k] < 0 ? -1 : std::int64_t{c.map[k]} * 2 + 1);
  }
  table.push_back(-1);  // for all other codes
  x86::Gp v = raw(c, layout_.load(input)), entry = fresh(), first = cc.newUIntPtr();
  cc.mov(first, imm(reinterpret_cast<std::uintptr_t>(table.data())));
  if (byte) {
    if (c.type == ColumnType::i8) cc.movzx(v.r32(), v.r8());
    cc.mov(entry, x86::qword_ptr(first, v, 3));
  } else {
    x86::Gp index = number(c.map_size);
    compare(v, operand(static_cast<std::int64_t>(c.map_size)));
    cc.cmovb(index, v);
    cc.mov(entry, x86::qword_ptr(first, index, 3));
    if (has_sentinel(c) && (c.missing < 0 || c.missing >= static_cast<std::int64_t>(c.map_size))) {
      x86::Gp other = number(missing);
      compare(v, operand(c.missing));
      cc.cmove(entry, other);
    }
  }
  cc.test(entry, entry);
  cc.js(slow_);
  x86::Gp value = copy(entry), given;
  cc.shr(value, 1);
  if (l.given != kernel_.registers) {
    given = entry;
    cc.and_(given.r32(), 1);
  }
  hold_loaded(l, value, given);
}

// A list of codes in bytes: one bit for each code that occurs.
void RowWriter::load_codes(std::size_t input) {
  const RowLoad& l = loads_[input];
  const KernelColumn& c = l.items;
  const Label loop = cc.newLabel(), done = cc.newLabel();
  x86::Gp count = raw(l.column, layout_.load(input)), given;
  const x86::Mem items = at(layout_.items(input));  // before any jump, because other code may use its base
  x86::Gp result = fresh();
  const bool sentinel = has_sentinel(l.column);
  if (sentinel) {
    if (!l.may_miss) {
      compare(count, operand(l.column.missing));
      cc.je(slow_);
    } else {
      given = zeroed();
      cc.mov(result, l.absent);
      compare(count, operand(l.column.missing));
      cc.setne(given.r8());
      cc.je(done);
    }
  }
  compare(count, operand(l.high));
  cc.ja(slow_);
  bool straight = true;  // code k means text k
  for (std::uint32_t k = 0; k < c.map_size; ++k) straight = straight && c.map[k] == static_cast<std::int32_t>(k);
  x86::Gp item = cc.newUIntPtr(), end = cc.newUIntPtr(), seen = zeroed(), code = fresh(), map = cc.newUIntPtr();
  cc.lea(item, items);
  cc.lea(end, x86::ptr(item, count));
  if (!straight) {
    std::vector<std::int64_t>& table = code_.integers.emplace_back(c.map, c.map + c.map_size);
    cc.mov(map, imm(reinterpret_cast<std::uintptr_t>(table.data())));
  }
  const Label first = cc.newLabel();
  cc.jmp(first);
  cc.bind(loop);
  cc.movzx(code.r32(), x86::byte_ptr(item));
  cc.inc(item);
  compare(code, imm(c.map_size));
  cc.jae(slow_);
  if (!straight) {
    cc.mov(code, x86::qword_ptr(map, code, 3));
    cc.test(code, code);
    cc.js(slow_);
  }
  cc.bts(seen, code);
  cc.bind(first);
  cc.cmp(item, end);
  cc.jne(loop);
  if (l.distinct) cc.popcnt(result, seen);
  else cc.mov(result, count);
  cc.bind(done);
  hold_loaded(l, result, given);
}

}  // namespace assay::jit
