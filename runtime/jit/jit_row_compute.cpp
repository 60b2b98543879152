// Instructions over the registers of one row: see jit_row.hpp.
#include "runtime/jit/jit_row.hpp"

#include "runtime/kernel/kernel_interpreter.hpp"

#include <algorithm>

namespace assay::jit {

using namespace asmjit;

void RowWriter::add_term(Fold& fold, const Held& h, std::int64_t factor) {
  const KernelOp op = fold.of->op;
  if (h.constant) {
    if (op == KernelOp::all_of) fold.constant &= h.value;
    else if (op == KernelOp::any_of) fold.constant |= h.value;
    else
      fold.constant =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(fold.constant) +
                                    static_cast<std::uint64_t>(factor) * static_cast<std::uint64_t>(h.value));
    return;
  }
  const bool begun = fold.begun;
  fold.begun = true;
  if (op != KernelOp::weighted) {
    if (!begun) fold.reg = copy(h.reg);
    else emit(op == KernelOp::all_of ? x86::Inst::kIdAnd : x86::Inst::kIdOr, fold.reg, h.reg);
    return;
  }
  if (factor == 1 || (begun && factor == -1)) {
    if (!begun) fold.reg = copy(h.reg);
    else emit(factor == 1 ? x86::Inst::kIdAdd : x86::Inst::kIdSub, fold.reg, h.reg);
    return;
  }
  x86::Gp product = fresh();
  if (fits32(factor)) {
    cc.imul(product, h.reg, imm(factor));
  } else {
    cc.mov(product, factor);
    cc.imul(product, h.reg);
  }
  if (begun) cc.add(fold.reg, product);
  else fold.reg = product;
}

void RowWriter::finish_fold(const KernelInstruction& i) {
  const Fold& fold = folds_[fold_plan_.of(i)];
  if (!fold.begun) return hold(i.a, fold.constant);
  if (i.op == KernelOp::weighted) {
    if (fold.constant != 0) emit(x86::Inst::kIdAdd, fold.reg, operand(fold.constant));
  } else if (fold.constant != (i.op == KernelOp::all_of ? 1 : 0)) {
    return hold(i.a, fold.constant);  // the constant decides the result
  }
  hold(i.a, fold.reg);
}

// m / d for 0 <= m <= most as a multiplication (Granlund and Montgomery, see kernel_interpreter.hpp); for small
// numbers, in one word.
x86::Gp RowWriter::quotient(const x86::Gp& m, std::int64_t most, std::int64_t d) {
  x86::Gp q = fresh();
  if ((d & (d - 1)) == 0) {
    cc.mov(q, m);
    if (d > 1) cc.shr(q, imm(__builtin_ctzll(static_cast<std::uint64_t>(d))));
    return q;
  }
  __extension__ typedef unsigned __int128 Product;
  const auto limit = static_cast<Product>(INT64_MAX), n = static_cast<Product>(most), by = static_cast<Product>(d);
  for (int shift = 1; shift < 63; ++shift) {
    const Product power = static_cast<Product>(1) << shift, factor = (power + by - 1) / by, error = factor * by - power;
    if (error * n >= power) continue;
    if (factor * (n + 1) > limit) break;
    if (fits32(static_cast<std::int64_t>(factor))) {
      cc.imul(q, m, imm(static_cast<std::int64_t>(factor)));
    } else {
      cc.mov(q, static_cast<std::int64_t>(factor));
      cc.imul(q, m);
    }
    cc.shr(q, imm(shift));
    return q;
  }
  const Divisor parts = divisor(d);
  x86::Gp high = fresh(), factor = fresh();
  cc.mov(q, m);
  cc.mov(factor, imm(parts.factor));
  cc.mul(high, q, factor);
  if (parts.shift >= 64) {
    if (parts.shift > 64) cc.shr(high, imm(parts.shift - 64));
    return high;
  }
  cc.shrd(q, high, imm(parts.shift));
  return q;
}

// Divides the magnitude, after adding what the rounding mode requires before the floor.
void RowWriter::divide(const KernelInstruction& i) {
  const bool by_constant = i.op == KernelOp::div_x;
  const RegisterBounds bounds = kernel_.bounds[i.b];
  const std::int64_t d = i.x;
  x86::Gp by = by_constant ? x86::Gp() : reg(i.c);
  x86::Gp n = reg(i.b), m = copy(n), sign;
  if (i.signs) {
    sign = copy(n);
    cc.sar(sign, 63);
    cc.xor_(m, sign);
    cc.sub(m, sign);
  }
  std::int64_t more = 0;
  const auto add_divisor_less_one = [&](const x86::Gp& when) {  // where all bits of `when` are set
    x86::Gp t = fresh();
    if (by_constant) cc.mov(t, d - 1);
    else cc.lea(t, x86::ptr(by, -1));
    if (made(when)) cc.and_(t, when);
    cc.add(m, t);
    more = d - 1;
  };
  switch (i.mode) {
    case Rounding::half_away:
      if (by_constant) {
        if (d > 1) emit(x86::Inst::kIdAdd, m, operand(d / 2));
        more = d / 2;
      } else {
        x86::Gp half = copy(by);
        cc.shr(half, 1);
        cc.add(m, half);
      }
      break;
    case Rounding::floor:
      if (i.signs) add_divisor_less_one(sign);
      break;
    case Rounding::ceil: {
      x86::Gp when;
      if (i.signs) {
        when = copy(sign);
        cc.not_(when);
      }
      add_divisor_less_one(when);
      break;
    }
    case Rounding::trunc:
    case Rounding::half_even: break;
  }
  x86::Gp q;
  if (by_constant) {
    constexpr std::int64_t kUnknown = INT64_MAX / 2;
    const bool known = bounds.low > -kUnknown && bounds.high < kUnknown && more < kUnknown;
    q = quotient(m, known ? std::max(bounds.high, -bounds.low) + more : kUnknown, d);
  } else {
    x86::Gp high = zeroed();
    q = copy(m);
    if (kernel_.narrow) cc.div(high.r32(), q.r32(), by.r32());
    else cc.div(high, q, by);
  }
  // rounds up if twice the remainder, plus one for odd quotients, exceeds the divisor
  if (i.mode == Rounding::half_even) {
    x86::Gp rest = fresh(), odd = copy(q), up = zeroed();
    if (by_constant) {
      cc.mov(rest, d);
      cc.imul(rest, q);
    } else {
      cc.mov(rest, by);
      cc.imul(rest, q);
    }
    cc.sub(m, rest);
    cc.and_(odd.r32(), 1);
    cc.lea(m, x86::ptr(odd, m, 1));
    if (by_constant) compare(m, operand(d));
    else cc.cmp(m, by);
    cc.setg(up.r8());
    cc.add(q, up);
  }
  if (i.signs) {
    cc.xor_(q, sign);
    cc.sub(q, sign);
  }
  hold(i.a, q);
}

void RowWriter::below(const KernelInstruction& i) {
  const KernelTerm* const terms = kernel_.terms.data() + i.terms;
  std::int64_t low = INT64_MAX, high = INT64_MIN;
  for (std::uint32_t t = 0; t < i.count; ++t) {
    low = std::min(low, terms[t].factor);
    high = std::max(high, terms[t].factor);
  }
  const RegisterBounds bounds = kernel_.bounds[i.b];
  if (i.count > 2 && i.count < 256 && high - low < kFew) {
    std::vector<std::uint8_t>& rows = code_.bytes.emplace_back();
    std::int64_t from = low - 1, to = high;  // beyond these limits the result is constant
    const bool inside = bounds.low >= -kFew && bounds.high <= 4 * kFew;
    if (inside) {
      from = bounds.low;
      to = bounds.high;
    }
    for (std::int64_t n = from; n <= to; ++n) {
      std::uint8_t count = 0;
      for (std::uint32_t t = 0; t < i.count; ++t) count = static_cast<std::uint8_t>(count + (n < terms[t].factor));
      rows.push_back(count);
    }
    x86::Gp n = reg(i.b), first = cc.newUIntPtr(), r = fresh();
    if (!inside) {
      n = copy(n);
      x86::Gp t = number(from), u = number(to);
      cc.cmp(n, t);
      cc.cmovl(n, t);
      cc.cmp(n, u);
      cc.cmovg(n, u);
    }
    cc.mov(first, imm(reinterpret_cast<std::uintptr_t>(rows.data()) - static_cast<std::uintptr_t>(from)));
    cc.movzx(r.r32(), x86::byte_ptr(first, n));
    return hold(i.a, r);
  }
  x86::Gp n = reg(i.b), r = zeroed(), one = zeroed();
  for (std::uint32_t t = 0; t < i.count; ++t) {
    compare(n, operand(terms[t].factor));
    cc.setl(one.r8());
    cc.add(r, one);
  }
  hold(i.a, r);
}

void RowWriter::compare_registers(const KernelInstruction& i) {
  const auto set = [&](const Operand& with, auto&& how) { hold(i.a, test(reg(i.b), with, how)); };
  switch (i.op) {
    case KernelOp::lt: return set(operand(i.c), [&](const x86::Gp& r) { cc.setl(r); });
    case KernelOp::lt_x: return set(operand(i.x), [&](const x86::Gp& r) { cc.setl(r); });
    case KernelOp::ge_x: return set(operand(i.x), [&](const x86::Gp& r) { cc.setge(r); });
    case KernelOp::eq: return set(operand(i.c), [&](const x86::Gp& r) { cc.sete(r); });
    case KernelOp::eq_x: return set(operand(i.x), [&](const x86::Gp& r) { cc.sete(r); });
    default: return set(operand(i.x), [&](const x86::Gp& r) { cc.setne(r); });
  }
}

void RowWriter::compute(const KernelInstruction& i) {
  const auto binary = [&](InstId id, const Operand& with) {
    x86::Gp r = copy(reg(i.b));
    emit(id, r, with);
    hold(i.a, r);
    return r;
  };
  const auto lesser = [&](auto&& move) {
    x86::Gp r = copy(reg(i.b)), other = reg(i.c);
    cc.cmp(other, r);
    move(r, other);
    hold(i.a, r);
  };
  switch (i.op) {
    case KernelOp::set: return hold(i.a, i.x);
    case KernelOp::add: binary(x86::Inst::kIdAdd, operand(i.c)); return;
    case KernelOp::add_x: binary(x86::Inst::kIdAdd, operand(i.x)); return;
    case KernelOp::sub: binary(x86::Inst::kIdSub, operand(i.c)); return;
    case KernelOp::x_sub: {
      x86::Gp r = number(i.x);
      emit(x86::Inst::kIdSub, r, operand(i.b));
      return hold(i.a, r);
    }
    case KernelOp::mul: {
      x86::Gp r = copy(reg(i.b));
      cc.imul(r, reg(i.c));
      return hold(i.a, r);
    }
    case KernelOp::mul_x: {
      x86::Gp r = fresh();
      if (fits32(i.x)) {
        cc.imul(r, reg(i.b), imm(i.x));
      } else {
        cc.mov(r, i.x);
        cc.imul(r, reg(i.b));
      }
      return hold(i.a, r);
    }
    case KernelOp::min: return lesser([&](const x86::Gp& r, const x86::Gp& other) { cc.cmovl(r, other); });
    case KernelOp::max: return lesser([&](const x86::Gp& r, const x86::Gp& other) { cc.cmovg(r, other); });
    case KernelOp::clamp: {
      x86::Gp r = copy(reg(i.b));
      if (i.x > -INT64_MAX && i.x > kernel_.bounds[i.b].low) {
        x86::Gp least = number(i.x);
        cc.cmp(r, least);
        cc.cmovl(r, least);
      }
      if (i.y < INT64_MAX && i.y < kernel_.bounds[i.b].high) {
        x86::Gp most = number(i.y);
        cc.cmp(r, most);
        cc.cmovg(r, most);
      }
      return hold(i.a, r);
    }
    case KernelOp::div_x:
    case KernelOp::div: return divide(i);
    case KernelOp::lt:
    case KernelOp::lt_x:
    case KernelOp::ge_x:
    case KernelOp::eq:
    case KernelOp::eq_x:
    case KernelOp::ne_x: return compare_registers(i);
    case KernelOp::and_: binary(x86::Inst::kIdAnd, operand(i.c)); return;
    case KernelOp::or_: binary(x86::Inst::kIdOr, operand(i.c)); return;
    case KernelOp::xor_: binary(x86::Inst::kIdXor, operand(i.c)); return;
    case KernelOp::and_not: {
      x86::Gp r = copy(reg(i.c));
      cc.xor_(r, 1);
      emit(x86::Inst::kIdAnd, r, operand(i.b));
      return hold(i.a, r);
    }
    case KernelOp::not_: binary(x86::Inst::kIdXor, imm(1)); return;
    case KernelOp::weighted:
    case KernelOp::all_of:
    case KernelOp::any_of: return finish_fold(i);
    case KernelOp::select: {
      x86::Gp r = copy(reg(i.d)), other = reg(i.c), when = reg(i.b);
      cc.test(when, when);
      cc.cmovnz(r, other);
      return hold(i.a, r);
    }
    case KernelOp::first: {
      x86::Gp r = number(i.x);
      for (std::uint32_t t = i.count; t-- > 0;) {
        const KernelTerm& term = kernel_.terms[i.terms + t];
        x86::Gp factor = number(term.factor), when = reg(term.reg);
        cc.test(when, when);
        cc.cmovnz(r, factor);
      }
      return hold(i.a, r);
    }
    case KernelOp::below: return below(i);
    case KernelOp::pick: {
      std::vector<std::int64_t>& table = code_.integers.emplace_back();
      for (std::uint32_t t = 0; t < i.count; ++t) table.push_back(kernel_.terms[i.terms + t].factor);
      x86::Gp first = cc.newUIntPtr(), r = fresh();
      cc.mov(first, imm(reinterpret_cast<std::uintptr_t>(table.data())));
      cc.mov(r, x86::qword_ptr(first, reg(i.b), 3));
      return hold(i.a, r);
    }
    case KernelOp::refuse: {
      x86::Gp when = reg(i.b);
      cc.test(when, when);
      cc.jnz(slow_);
      return;
    }
  }
}

}  // namespace assay::jit
