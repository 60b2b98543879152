// Instructions over many rows at a time: see jit_vector.hpp.
#include "runtime/jit/jit_vector.hpp"

#include <algorithm>

namespace assay::jit {

using namespace asmjit;

// In declined rows the index may have any value.
BlockWriter::Vec BlockWriter::picked(const Vec& index, const std::vector<std::int64_t>& table) {
  const std::size_t size = table.size();
  const std::size_t few = integers_ ? (avx512_ ? 16 : 8) : avx512_ ? 8 : 0;
  if (size <= 3 || (size <= 4 && few == 0)) {
    Vec r = loaded(constant(table[0]));
    for (std::size_t k = 1; k < size; ++k)
      r = chosen(compared(index, constant(static_cast<std::int64_t>(k)), eq), constant(table[k]), r);
    return r;
  }
  if (size <= few && integers_) {
    std::int32_t entries[16] = {};
    for (std::size_t k = 0; k < size; ++k) entries[k] = static_cast<std::int32_t>(table[k]);
    Vec r = vec();
    emit(Id::kIdVpermd, r, index, full(entries, few * sizeof entries[0]));
    return r;
  }
  if (size <= few) {
    double entries[8] = {};
    for (std::size_t k = 0; k < size; ++k) entries[k] = static_cast<double>(table[k]);
    const Vec bits = op(Id::kIdVaddpd, index, doubles(kMagic));
    Vec r = vec();
    emit(Id::kIdVpermpd, r, bits, full(entries, sizeof entries));
    return r;
  }
  Vec at = words();
  if (integers_) emit(Id::kIdVmovapd, at, index);
  else emit(Id::kIdVcvttpd2dq, at, index);
  Vec kept = words();
  emit(Id::kIdVpminud, kept, at, dwords(static_cast<std::int64_t>(size) - 1, !integers_));
  x86::Gp first = cc.newUIntPtr();
  if (integers_) {
    std::vector<std::int64_t>& entries = code_.integers.emplace_back((size + 1) / 2);
    for (std::size_t k = 0; k < size; ++k) {
      const auto entry = static_cast<std::int32_t>(table[k]);
      std::memcpy(reinterpret_cast<char*>(entries.data()) + k * sizeof entry, &entry, sizeof entry);
    }
    cc.mov(first, imm(reinterpret_cast<std::uintptr_t>(entries.data())));
  } else {
    std::vector<double>& entries = code_.doubles.emplace_back(table.begin(), table.end());
    cc.mov(first, imm(reinterpret_cast<std::uintptr_t>(entries.data())));
  }
  Vec r = vec();
  emit(Id::kIdVxorps, r, r, r);
  const Mask all = everything();
  const x86::Mem from = x86::ptr(first, kept, integers_ ? 2 : 3);
  if (avx512_) {
    cc.k(all.reg.as<x86::KReg>());
    emit(either(Id::kIdVgatherdpd, Id::kIdVpgatherdd), r, from);
  } else {
    emit(either(Id::kIdVgatherdpd, Id::kIdVpgatherdd), r, from, all.reg);
  }
  return r;
}

void BlockWriter::hold(Register l, const Held& h) {
  registers_[l] = h;
  for (const FoldPlan::Term& term : fold_plan_.terms_of[l]) {
    const std::int64_t most = magnitude(l);
    add_term(folds_[term.fold], h, term.factor, h.more == 0 ? most : most + std::abs(h.more));
  }
}

void BlockWriter::add_term(Fold& fold, const Held& h, std::int64_t factor, std::int64_t most) {
  const bool begun = fold.begun;
  if (fold.of->op != KernelOp::weighted) {
    const Mask m = mask(h);
    fold.begun = true;
    fold.mask = !begun ? m : fold.of->op == KernelOp::all_of ? both(fold.mask, m) : one_of(fold.mask, m);
    return;
  }
  if (h.kind == Held::Kind::constant) {
    fold.constant = static_cast<std::int64_t>(static_cast<std::uint64_t>(fold.constant) +
                                              static_cast<std::uint64_t>(factor) * static_cast<std::uint64_t>(h.value));
    return;
  }
  fold.begun = true;
  fold.constant += factor * h.more;  // stays within the range of the sum (computable())
  const InstId add = either(Id::kIdVaddpd, Id::kIdVpaddd);
  if (h.kind == Held::Kind::mask) {
    if (!begun) {
      fold.sum = masked(h.mask, factor);
    } else if (avx512_) {
      const Vec sum = copy(fold.sum);
      cc.k(h.mask.reg.as<x86::KReg>());
      emit(add, sum, sum, constant(factor));
      fold.sum = sum;
    } else {
      fold.sum = op(add, masked(h.mask, factor), fold.sum);
    }
  } else if (factor == 1) {
    fold.sum = begun ? op(add, fold.sum, h.number) : h.number;
  } else if (!begun) {
    fold.sum = times(h.number, factor, most);
  } else if (integers_) {
    fold.sum = op(add, times(h.number, factor, most), fold.sum);
  } else {
    fold.sum = multiply_add(h.number, constant(factor), fold.sum);
  }
}

void BlockWriter::finish_fold(const KernelInstruction& i) {
  const Fold& fold = folds_[fold_plan_.of(i)];
  if (i.op != KernelOp::weighted) return hold(i.a, fold.mask);
  if (!fold.begun) return hold(i.a, fold.constant);
  if (fold.tells_nan) must(compared(fold.sum, fold.sum, ordered));
  if (fold.constant == 0) return hold(i.a, fold.sum);
  if (integers_)
    // the sum fits, in whatever order it is computed
    hold(i.a, op(Id::kIdVpaddd, fold.sum, dwords(fold.constant, false)));
  else hold(i.a, op(Id::kIdVaddpd, fold.sum, constant(fold.constant)));
}

// A quotient of doubles never rounds up to an integer (or half) that the exact quotient has not reached, because the
// exact one is at least 1 / 2d away from it, and numerators and divisors are below 2^49. For constant divisors:
// floor((n + 1/2) / d) equals floor(n / d), and the half keeps the product with 1 / d away from integers.
void BlockWriter::divide(const KernelInstruction& i) {
  if (integers_) return divide_integers(i);
  enum : std::uint32_t { nearest = 0, down = 1, toward_zero = 3 };
  const Vec n = number(i.b);
  const bool by_constant = i.op == KernelOp::div_x;
  const double d = static_cast<double>(i.x), inverse = by_constant ? 1 / d : 0;
  const bool by_magnitude = i.signs && (i.mode == Rounding::half_away || i.mode == Rounding::trunc);
  Vec m = n, sign;
  if (by_magnitude) {
    sign = op(Id::kIdVandpd, n, doubles(-0.0));
    m = op(Id::kIdVxorpd, n, sign);
  }
  Vec q;
  if (i.mode == Rounding::half_even) {
    q = rounded(op(Id::kIdVdivpd, m, by_constant ? Operand(doubles(d)) : operand(i.c)), nearest);
  } else if (by_constant) {
    const std::int64_t half = i.x / 2;
    const double more = i.mode == Rounding::half_away ? static_cast<double>(half)
                        : i.mode == Rounding::ceil    ? d - 1
                                                      : 0;
    q = rounded(multiply_add(m, doubles(inverse), doubles((more + 0.5) * inverse)), down);
  } else {
    const Vec by = number(i.c);
    if (i.mode == Rounding::half_away) {
      m = op(Id::kIdVaddpd, m, rounded(op(Id::kIdVmulpd, by, doubles(0.5)), down));
    } else if (i.mode == Rounding::ceil) {
      m = op(Id::kIdVaddpd, m, op(Id::kIdVsubpd, by, doubles(1)));
    }
    q = rounded(op(Id::kIdVdivpd, m, by), i.mode == Rounding::trunc ? toward_zero : down);
  }
  if (by_magnitude) q = op(Id::kIdVorpd, q, sign);
  hold(i.a, q);
}

// Divides integers by a constant with a multiplication (see kernel_interpreter.hpp): in 32 bits if the product fits,
// otherwise in 64.
void BlockWriter::divide_integers(const KernelInstruction& i) {
  const std::int64_t d = i.x;
  Vec m = number(i.b), sign;
  if (i.signs) {
    sign = shifted(Id::kIdVpsrad, m, 31);
    m = op(Id::kIdVpsubd, op(Id::kIdVxorps, m, sign), sign);
  }
  std::int64_t more = 0;
  if (i.mode == Rounding::half_away) {
    more = d / 2;
    m = op(Id::kIdVpaddd, m, constant(more));
  } else if (i.mode == Rounding::floor && i.signs) {
    more = d - 1;
    m = op(Id::kIdVpaddd, m, op(Id::kIdVandps, sign, constant(more)));
  } else if (i.mode == Rounding::ceil) {
    more = d - 1;
    m = op(Id::kIdVpaddd, m, i.signs ? Operand(op(Id::kIdVandnps, sign, constant(more))) : Operand(constant(more)));
  }
  const std::int64_t most = std::min<std::int64_t>(magnitude(i.b), INT32_MAX) + more;
  Vec q;
  bool done = false;
  if ((d & (d - 1)) == 0) {
    q = d == 1 ? m
               : shifted(Id::kIdVpsrld, m, static_cast<std::uint32_t>(__builtin_ctzll(static_cast<std::uint64_t>(d))));
    done = true;
  }
  for (std::uint32_t shift = 1; shift < 32 && !done; ++shift) {
    const std::int64_t power = std::int64_t{1} << shift, factor = (power + d - 1) / d, error = factor * d - power;
    if (error * most >= power) continue;
    if (factor * most > UINT32_MAX || factor > INT32_MAX) break;
    q = shifted(Id::kIdVpsrld, op(Id::kIdVpmulld, m, constant(factor)), static_cast<std::uint32_t>(shift));
    done = true;
  }
  if (!done) {
    std::uint32_t k = 31;
    while ((std::int64_t{1} << (k - 31)) < d) ++k;
    ++k;  // m may have 32 bits
    const std::uint64_t factor =
        ((std::uint64_t{1} << k) + static_cast<std::uint64_t>(d) - 1) / static_cast<std::uint64_t>(d);
    // The factor has at most 33 bits: its low 32 bits are multiplied, its top bit is an addition of m.
    const auto low = static_cast<std::int32_t>(static_cast<std::uint32_t>(factor));
    const bool top = factor >> 32 != 0;
    const auto quotients = [&](const Vec& part) {  // for the low half of each 64 bits
      Vec product = op(Id::kIdVpmuludq, part, dwords(low, false));
      if (top) {
        const Vec high = shifted(Id::kIdVpsllq, part, 32);
        product = op(Id::kIdVpaddq, shifted(Id::kIdVpsrlq, product, 1), shifted(Id::kIdVpsrlq, high, 1));
        return shifted(Id::kIdVpsrlq, product, k - 1);
      }
      return shifted(Id::kIdVpsrlq, product, k);
    };
    const Vec even = quotients(m);
    const Vec odd = shifted(Id::kIdVpsllq, quotients(shifted(Id::kIdVpsrlq, m, 32)), 32);
    q = op(Id::kIdVorps, even, odd);
  }
  if (i.signs) q = op(Id::kIdVpsubd, op(Id::kIdVxorps, q, sign), sign);
  hold(i.a, q);
}

// Small numbers without vector masks: four limits at once, in the four words of the double.
BlockWriter::Vec BlockWriter::below_in_words(const Vec& n, const KernelTerm* limits, std::size_t count) {
  static constexpr std::uint8_t kLowWord[32] = {0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9,
                                                0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9};
  const Vec words_of =
      op(Id::kIdVpshufb, op(Id::kIdVaddpd, n, doubles(kMagic)), full(kLowWord, 8 * doubles_in_vector()));
  Vec zero = vec();
  emit(Id::kIdVpxor, zero, zero, zero);
  Vec counts = zero;
  for (std::size_t t = 0; t < count; t += 4) {
    std::int16_t four[16];
    for (std::size_t k = 0; k < 16; ++k) {
      const std::size_t at = t + k % 4;
      four[k] = at < count
                    ? static_cast<std::int16_t>(std::clamp<std::int64_t>(limits[at].factor, INT16_MIN, INT16_MAX))
                    : std::int16_t{INT16_MIN};  // no number is below it
    }
    counts = op(Id::kIdVpsubw, counts, op(Id::kIdVpcmpgtw, loaded(full(four, 8 * doubles_in_vector())), words_of));
  }
  std::int64_t bits = 0;
  std::memcpy(&bits, &kMagic, sizeof bits);
  const std::int64_t magic[4] = {bits, bits, bits, bits};
  const Vec sum = op(Id::kIdVpor, op(Id::kIdVpsadbw, counts, zero), full(magic, 8 * doubles_in_vector()));
  return op(Id::kIdVsubpd, sum, doubles(kMagic));
}

// Words that fit 16 bits: two limits at once. A limit counts (as -1) if the number is not below it.
BlockWriter::Vec BlockWriter::below_in_pairs(const Vec& n, const KernelTerm* limits, std::size_t count) {
  static constexpr std::uint8_t kTwice[32] = {0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13,
                                              0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13};
  const std::size_t size = 8 * doubles_in_vector();
  const Vec twice = op(Id::kIdVpshufb, n, full(kTwice, size));
  Vec counts;
  for (std::size_t t = 0; t < count; t += 2) {
    std::int16_t two[16];
    for (std::size_t k = 0; k < 16; ++k) {
      const std::size_t at = t + k % 2;
      two[k] = at < count
                   ? static_cast<std::int16_t>(std::clamp<std::int64_t>(limits[at].factor - 1, INT16_MIN, INT16_MAX))
                   : std::int16_t{INT16_MAX};  // every number is below it
    }
    const Vec is = op(Id::kIdVpcmpgtw, twice, full(two, size));
    counts = t == 0 ? is : op(Id::kIdVpaddw, is, counts);
  }
  const Vec sum = op(Id::kIdVpmaddwd, counts, dwords(0x00010001, false));
  return op(Id::kIdVpaddd, sum, constant(static_cast<std::int64_t>(count)));
}

// Counts in the low bits of a double, where a mask is -1.
void BlockWriter::below(const KernelInstruction& i) {
  const Vec n = number(i.b);
  const bool in_low_bits = !avx512_ && !integers_;
  const RegisterBounds& b = kernel_.bounds[i.b];
  const bool short_number = !avx512_ && b.low > INT16_MIN && b.high < INT16_MAX;
  if (in_low_bits && short_number && i.count > 3 && i.count < 4 * 255)
    return hold(i.a, below_in_words(n, &kernel_.terms[i.terms], i.count));
  if (integers_ && short_number && i.count > 1 && i.count < INT16_MAX)
    return hold(i.a, below_in_pairs(n, &kernel_.terms[i.terms], i.count));
  Vec r = loaded(in_low_bits ? doubles(kMagic) : constant(0));
  for (std::uint32_t t = 0; t < i.count; ++t) {
    const Mask is = compared(n, constant(kernel_.terms[i.terms + t].factor), lt);
    if (avx512_) {
      r = copy(r);
      cc.k(is.reg.as<x86::KReg>());
      emit(either(Id::kIdVaddpd, Id::kIdVpaddd), r, r, constant(1));
    } else {
      r = op(either(Id::kIdVpsubq, Id::kIdVpsubd), r, is.reg);
    }
  }
  hold(i.a, in_low_bits ? op(Id::kIdVsubpd, r, doubles(kMagic)) : r);
}

void BlockWriter::compute(const KernelInstruction& i) {
  const auto binary = [&](InstId of_doubles, InstId of_integers, const Operand& with) {
    hold(i.a, op(either(of_doubles, of_integers), number(i.b), with));
  };
  switch (i.op) {
    case KernelOp::set: return hold(i.a, i.x);
    case KernelOp::add: return binary(Id::kIdVaddpd, Id::kIdVpaddd, operand(i.c));
    case KernelOp::add_x: return binary(Id::kIdVaddpd, Id::kIdVpaddd, constant(i.x));
    case KernelOp::sub: return binary(Id::kIdVsubpd, Id::kIdVpsubd, operand(i.c));
    case KernelOp::x_sub:
      return hold(i.a, op(either(Id::kIdVsubpd, Id::kIdVpsubd), loaded(constant(i.x)), number(i.b)));
    case KernelOp::mul: return binary(Id::kIdVmulpd, Id::kIdVpmulld, operand(i.c));
    case KernelOp::mul_x: return hold(i.a, times(number(i.b), i.x, magnitude(i.b)));
    case KernelOp::min: return binary(Id::kIdVminpd, Id::kIdVpminsd, operand(i.c));
    case KernelOp::max: return binary(Id::kIdVmaxpd, Id::kIdVpmaxsd, operand(i.c));
    case KernelOp::clamp: {
      Vec r = number(i.b);
      if (i.x > -INT64_MAX && i.x > kernel_.bounds[i.b].low)
        r = op(either(Id::kIdVmaxpd, Id::kIdVpmaxsd), r, constant(i.x));
      if (i.y < INT64_MAX && i.y < kernel_.bounds[i.b].high)
        r = op(either(Id::kIdVminpd, Id::kIdVpminsd), r, constant(i.y));
      return hold(i.a, r);
    }
    case KernelOp::div_x:
    case KernelOp::div: return divide(i);
    case KernelOp::lt: return hold(i.a, compared(number(i.b), operand(i.c), lt));
    case KernelOp::lt_x: return hold(i.a, compared(number(i.b), constant(i.x), lt));
    case KernelOp::ge_x: return hold(i.a, compared(number(i.b), constant(i.x), ge));
    case KernelOp::eq: return hold(i.a, compared(number(i.b), operand(i.c), eq));
    case KernelOp::eq_x: return hold(i.a, compared(number(i.b), constant(i.x), eq));
    case KernelOp::ne_x: return hold(i.a, compared(number(i.b), constant(i.x), ne));
    case KernelOp::and_: return hold(i.a, both(mask(i.b), mask(i.c)));
    case KernelOp::or_: return hold(i.a, one_of(mask(i.b), mask(i.c)));
    case KernelOp::xor_: return hold(i.a, differing(mask(i.b), mask(i.c)));
    case KernelOp::and_not: return hold(i.a, without(mask(i.b), mask(i.c)));
    case KernelOp::not_: return hold(i.a, negated(mask(i.b)));
    case KernelOp::weighted:
    case KernelOp::all_of:
    case KernelOp::any_of: return finish_fold(i);
    case KernelOp::select: {
      const Mask when = mask(i.b);
      const bool truths = registers_[i.c].kind == Held::Kind::mask && registers_[i.d].kind == Held::Kind::mask;
      if (truths) return hold(i.a, chosen(when, mask(i.c), mask(i.d)));
      return hold(i.a, chosen(when, operand(i.c), number(i.d)));
    }
    case KernelOp::first: {
      Vec r = loaded(constant(i.x));
      for (std::uint32_t t = i.count; t-- > 0;) {
        const KernelTerm& term = kernel_.terms[i.terms + t];
        r = chosen(mask(term.reg), constant(term.factor), r);
      }
      return hold(i.a, r);
    }
    case KernelOp::below: return below(i);
    case KernelOp::pick: {
      std::vector<std::int64_t> table;
      for (std::uint32_t t = 0; t < i.count; ++t) table.push_back(kernel_.terms[i.terms + t].factor);
      return hold(i.a, picked(number(i.b), table));
    }
    case KernelOp::refuse: accepted_.rows = without(accepted_.rows, mask(i.b)); return;
  }
}

}  // namespace assay::jit
