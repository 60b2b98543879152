// Columns → registers, many rows at a time: see jit_vector.hpp.
#include "runtime/jit/jit_vector.hpp"

#include <algorithm>

namespace assay::jit {

using namespace asmjit;

BlockWriter::Vec BlockWriter::raw_words(const KernelColumn& c, const JitLayout::Place& place) {
  Vec& v = words_[{place.base, c.type}];
  if (!Operand::isVirtId(v.id())) {
    v = words();
    const x86::Mem m = at(place, size_of(c.type));
    switch (c.type) {
      case ColumnType::i8: emit(Id::kIdVpmovsxbd, v, m); break;
      case ColumnType::u8: emit(Id::kIdVpmovzxbd, v, m); break;
      case ColumnType::i16: emit(Id::kIdVpmovsxwd, v, m); break;
      case ColumnType::u16: emit(Id::kIdVpmovzxwd, v, m); break;
      default: emit(avx512_ ? Id::kIdVmovdqu32 : Id::kIdVmovdqu, v, m); break;
    }
  }
  return v;
}

void BlockWriter::load(std::size_t input) {
  if (inputs_.loaded[input]) return;
  inputs_.loaded[input] = true;
  const RowLoad& l = loads_[input];
  switch (l.kind) {
    case RowLoad::Kind::fill:
      hold(l.given, l.absent_given ? 1 : 0);
      hold(l.reg, l.absent);
      break;
    case RowLoad::Kind::number_f64: load_double(input); break;
    case RowLoad::Kind::number_integer:
      if (l.column.type == ColumnType::i64) load_long(input);
      else load_integer(input);
      break;
    case RowLoad::Kind::code: load_code(input); break;
    default: load_truth(input); break;
  }
}

// NaN may occur: the minimum and maximum of NaN and a number return the second operand.
void BlockWriter::within_bounds(const Vec& n, const RegisterBounds& b, bool may_be_nan) {
  Range& r = *std::find_if(inputs_.ranges.begin(), inputs_.ranges.end(),
                           [&](const Range& x) { return x.bounds.low == b.low && x.bounds.high == b.high; });
  if (may_be_nan && !r.begun) {
    r.least = loaded(constant(b.high));
    r.most = loaded(constant(b.low));
    r.begun = true;
  }
  if (r.inputs == 1 && !may_be_nan) {
    must_lie(b, n, n);
  } else if (!r.begun) {
    r.least = r.most = n;
    r.begun = true;
  } else {
    r.least = op(either(Id::kIdVminpd, Id::kIdVpminsd), n, r.least);
    r.most = op(either(Id::kIdVmaxpd, Id::kIdVpmaxsd), n, r.most);
  }
}

void BlockWriter::must_lie(const RegisterBounds& b, const Vec& least, const Vec& most) {
  if (integers_ && !avx512_) {  // AVX2 only has an instruction for "greater"
    accepted_.rows = without(accepted_.rows, compared(least, constant(b.low), lt));
    accepted_.rows = without(accepted_.rows, compared(most, constant(b.high), gt));
    return;
  }
  must(compared(least, constant(b.low), ge));
  must(compared(most, constant(b.high), le));
}

void BlockWriter::finish_ranges() {
  if (accepted_.differ_begun) {
    Mask same = new_mask();
    if (avx512_) {
      emit(Id::kIdVptestnmq, same.reg, accepted_.different, accepted_.different);
    } else {
      Vec zero = vec();
      emit(Id::kIdVxorpd, zero, zero, zero);
      emit(Id::kIdVpcmpeqq, same.reg, accepted_.different, zero);
    }
    must(same);
  }
  finish_words();
  if (doubles_as_words()) must({joined(accepted_.parts[0].reg.as<Vec>(), accepted_.parts[1].reg.as<Vec>())});
  for (const Range& r : inputs_.ranges) {
    if (r.begun) must_lie(r.bounds, r.least, r.most);
  }
}

// Requires the same bits in both; otherwise the kernel declines the row.
void BlockWriter::differ(const Vec& a, const Vec& b) {
  if (!accepted_.differ_begun) {
    accepted_.different = op(Id::kIdVxorpd, a, b);
  } else if (avx512_) {
    accepted_.different = copy(accepted_.different);
    emit(Id::kIdVpternlogq, accepted_.different, a, b, imm(0xf6));  // different or (a xor b)
  } else {
    accepted_.different = op(Id::kIdVorpd, accepted_.different, op(Id::kIdVxorpd, a, b));
  }
  accepted_.differ_begun = true;
}

// The register is the nearest whole number of units, if it is within bounds and the double nearest to it equals the
// value. A row with NaN, an infinity or a number beyond 2^51 fails one of these tests.
void BlockWriter::load_double(std::size_t input) {
  if (integers_) return load_double_as_words(input);
  const RowLoad& l = loads_[input];
  Vec v = vec();
  emit(Id::kIdVmovupd, v, at(layout_.load(input), 8));
  Vec units;  // kMagic plus the nearest whole number of units
  Vec n;
  Vec q;
  if (l.scale == 1) {
    units = op(Id::kIdVaddpd, v, shared(kMagic));
    q = n = op(Id::kIdVsubpd, units, shared(kMagic));
  } else {
    units = multiply_add(v, shared(l.scale), shared(kMagic));
    n = op(Id::kIdVsubpd, units, shared(kMagic));
    q = divided(n, l.scale);
  }
  // Different doubles have different bits, except that NaN equals itself: the sum that NaN poisons reveals it.
  bool told = l.may_miss;
  for (const FoldPlan::Term& term : fold_plan_.terms_of[l.reg]) {
    Fold& fold = folds_[term.fold];
    if (fold.of->op == KernelOp::weighted) fold.tells_nan = told = true;
  }
  if (told) differ(q, v);
  else must(compared(q, v, eq));
  within_bounds(n, range_of(l), l.may_miss);
  if (!l.may_miss) {
    hold(l.given, 1);
    return hold(l.reg, n);
  }
  // Up to here a missing value is NaN. It is stored as the difference from the default: 0 if missing, which takes one
  // instruction; sums add the default to their constant.
  const Mask known = compared(v, v, ordered);
  const Operand default_units = shared(kMagic + static_cast<double>(l.absent));
  Held held{Held::Kind::number, 0, vec(), {}, l.absent};
  if (avx512_) {
    cc.k(known.reg.as<x86::KReg>()).z();
    emit(Id::kIdVsubpd, held.number, units, default_units);
  } else {
    held.number = op(Id::kIdVandpd, op(Id::kIdVsubpd, units, default_units), known.reg);
  }
  if (l.absent_given) hold(l.given, 1);
  else hold(l.given, known);
  hold(l.reg, held);
}

// The same with words, which are the low bits of the units of two vectors. A value out of bounds differs from the
// nearest number in bounds.
void BlockWriter::load_double_as_words(std::size_t input) {
  const RowLoad& l = loads_[input];
  if (told_by_words(l)) return load_double_by_words(input);
  const x86::Mem from = at(layout_.load(input), 8);
  Vec units[2];
  Mask known_of[2];
  for (std::int32_t part = 0; part < 2; ++part) {
    Vec v = vec();
    emit(Id::kIdVmovupd, v, from.cloneAdjusted(part * static_cast<std::int32_t>(8 * doubles_in_vector())));
    units[part] =
        l.scale == 1 ? op(Id::kIdVaddpd, v, shared(kMagic)) : multiply_add(v, shared(l.scale), shared(kMagic));
    Vec q = op(Id::kIdVsubpd, units[part], shared(kMagic));
    q = op(Id::kIdVmaxpd, q, shared(static_cast<double>(l.low)));
    q = op(Id::kIdVminpd, q, shared(static_cast<double>(l.high)));
    if (l.scale != 1) q = divided(q, l.scale);
    Mask& good = accepted_.parts[part];
    if (!l.may_miss) {
      good = both(compared_doubles(q, v, eq), good);
    } else {
      known_of[part] = compared_doubles(v, v, ordered);
      good = without(good, both(compared_doubles(q, v, ne), known_of[part]));
    }
  }
  Vec n = joined(units[0], units[1]);
  if (!l.may_miss) {
    hold(l.given, 1);
    return hold(l.reg, Held{Held::Kind::number, 0, n, {}, 0});
  }
  const Mask known{joined(known_of[0].reg.as<Vec>(), known_of[1].reg.as<Vec>())};
  if (l.absent != 0) n = op(Id::kIdVpsubd, n, constant(l.absent));
  const Held held{Held::Kind::number, 0, op(Id::kIdVandpd, n, known.reg), {}, l.absent};
  if (l.absent_given) hold(l.given, 1);
  else hold(l.given, known);
  hold(l.reg, held);
}

// The same if the words of the doubles themselves decide everything.
void BlockWriter::load_double_by_words(std::size_t input) {
  const RowLoad& l = loads_[input];
  const DecimalWords decimal(l.low, l.high, l.scale);
  const auto unit = static_cast<std::int64_t>(l.scale);
  const x86::Mem from = at(layout_.load(input), 8);
  Vec v[2];
  for (std::int32_t part = 0; part < 2; ++part) {
    v[part] = vec();
    emit(Id::kIdVmovupd, v[part], from.cloneAdjusted(part * static_cast<std::int32_t>(8 * doubles_in_vector())));
  }
  const auto same = [&](const ByWords& w) { return w.low == l.low && w.high == l.high && w.unit == l.scale; };
  auto all = std::find_if(inputs_.by_words.begin(), inputs_.by_words.end(), same);
  if (all == inputs_.by_words.end()) all = inputs_.by_words.insert(all, {l.low, l.high, l.scale, false, {}, {}, {}});
  const auto worst = [&](InstId id, Vec& of_all, const Vec& of_this) {
    of_all = all->begun ? op(id, of_all, of_this) : of_this;
  };
  worst(Id::kIdVpmaxud, all->above, op(Id::kIdVpsubd, words_of(v[0], v[1], true), dwords(decimal.least, false)));
  Vec remainder = words_of(v[0], v[1], false);
  if (unit != 1) {
    remainder = op(Id::kIdVpmulld, remainder, dwords(unit, false));
    remainder = op(Id::kIdVpaddd, remainder, dwords(unit / 2, false));
  }
  worst(Id::kIdVpmaxud, all->remainder, remainder);
  for (Vec& part : v) part = multiply_add(part, shared(l.scale), shared(decimal.magic));
  const Vec sums = joined(v[0], v[1]);
  worst(Id::kIdVpor, all->fraction, sums);
  all->begun = true;
  hold(l.given, 1);
  const Vec n = op(Id::kIdVpsrld, sums, imm(decimal.fraction));
  hold(l.reg, Held{Held::Kind::number, 0, n, {}, 0});
}

void BlockWriter::finish_words() {
  for (const ByWords& w : inputs_.by_words) {
    const DecimalWords decimal(w.low, w.high, w.unit);
    const std::int64_t half = static_cast<std::int64_t>(w.unit) / 2;
    const Mask good = both(words_within(w.remainder, 2 * half), words_within(w.above, decimal.most - decimal.least));
    must({in_order(good.reg.as<Vec>())});
    must(equal_words(op(Id::kIdVpslld, w.fraction, imm(32 - decimal.fraction)), 0));
  }
}

void BlockWriter::load_integer(std::size_t input) {
  const RowLoad& l = loads_[input];
  const KernelColumn& c = l.column;
  Vec v = raw_words(c, layout_.load(input));
  if (c.mask != 0) {
    Vec cut = words();
    if (c.shift != 0) {
      emit(Id::kIdVpsrld, cut, v, imm(c.shift));
      v = cut;
      cut = words();
    }
    emit(avx512_ ? Id::kIdVpandd : Id::kIdVpand, cut, v, dwords(c.mask, !integers_));
    v = cut;
  }
  const bool sentinel = c.missing != INT64_MIN;
  Mask known;
  if (sentinel) {
    known = negated(equal_words(v, c.missing));
    if (!l.may_miss) must(known);
  }
  Vec n = v;
  if (!integers_) {
    n = vec();
    emit(Id::kIdVcvtdq2pd, n, v);
  }
  const bool may_miss = sentinel && l.may_miss;
  const auto multiplied = [&](const Vec& a) {
    return c.factor == 1 ? a : times(a, c.factor, std::max(std::abs(raw_bounds(l).low), std::abs(raw_bounds(l).high)));
  };
  if (integers_) {  // bounds first: the product may not fit
    const RegisterBounds raw = raw_bounds(l);
    if (may_miss) n = chosen(known, n, loaded(constant(raw.low)));
    within_bounds(n, range_of(l));
    n = multiplied(n);
    if (may_miss) n = chosen(known, n, loaded(constant(l.absent)));
  } else {
    n = multiplied(n);
    if (may_miss) n = chosen(known, n, loaded(constant(l.absent)));
    within_bounds(n, range_of(l));
  }
  if (may_miss && !l.absent_given) hold(l.given, known);
  else hold(l.given, 1);
  hold(l.reg, n);
}

// 64 bits: numbers within bounds go into the low bits of a double.
void BlockWriter::load_long(std::size_t input) {
  const RowLoad& l = loads_[input];
  const RegisterBounds raw = raw_bounds(l);
  Vec v = vec();
  emit(avx512_ ? Id::kIdVmovdqu64 : Id::kIdVmovdqu, v, at(layout_.load(input), 8));
  const auto longs = [&](std::int64_t x) {
    const std::int64_t four[4] = {x, x, x, x};
    return avx512_ ? full(four, sizeof x)._1to8() : full(four, sizeof x * doubles_in_vector());
  };
  const auto beside = [&](const Operand& a, const Operand& b, bool equal) {  // a == b, or a > b
    Mask r = new_mask();
    if (avx512_) emit(Id::kIdVpcmpq, r.reg, a, b, imm(equal ? 0 : 6));
    else emit(equal ? Id::kIdVpcmpeqq : Id::kIdVpcmpgtq, r.reg, a, b);
    return r;
  };
  const auto all = [&](std::int64_t x) {
    Vec r = vec();
    if (avx512_) emit(Id::kIdVpbroadcastq, r, plain(longs(x), 8));
    else emit(Id::kIdVmovupd, r, longs(x));
    return r;
  };
  Mask known;
  known = negated(beside(v, longs(l.column.missing), true));
  if (l.may_miss) v = chosen(known, v, all(raw.low));
  else must(known);
  accepted_.rows = without(accepted_.rows, beside(v, longs(raw.high), false));
  accepted_.rows = without(accepted_.rows, beside(all(raw.low), v, false));
  std::int64_t bits = 0;
  std::memcpy(&bits, &kMagic, sizeof bits);
  Vec n = op(Id::kIdVsubpd, op(Id::kIdVpaddq, v, longs(bits)), doubles(kMagic));
  if (l.column.factor != 1) n = op(Id::kIdVmulpd, n, constant(l.column.factor));
  if (l.may_miss) n = chosen(known, n, loaded(constant(l.absent)));
  if (l.may_miss && !l.absent_given) hold(l.given, known);
  else hold(l.given, 1);
  hold(l.reg, n);
}

void BlockWriter::load_truth(std::size_t input) {
  const RowLoad& l = loads_[input];
  const KernelColumn& c = l.column;
  const Vec v = raw_words(c, layout_.load(input));
  Mask truth;
  if (avx512_) {
    truth = new_mask();
    if (c.mask != 0) emit(Id::kIdVptestmd, truth.reg, v, dwords(std::int64_t{c.mask} << c.shift, !integers_));
    else emit(Id::kIdVptestmd, truth.reg, v, v);
  } else {
    Vec cut = v;
    if (c.mask != 0) {
      cut = words();
      emit(Id::kIdVpand, cut, v, dwords(std::int64_t{c.mask} << c.shift, !integers_));
    }
    truth = negated(equal_words(cut, 0));
  }
  const bool sentinel = l.kind == RowLoad::Kind::truth && c.missing != INT64_MIN;
  if (!sentinel) {
    hold(l.given, 1);
    return hold(l.reg, truth);
  }
  Vec cut = v;
  if (c.mask != 0) {
    Vec moved = words();
    cut = words();
    emit(Id::kIdVpsrld, moved, v, imm(c.shift));
    emit(avx512_ ? Id::kIdVpandd : Id::kIdVpand, cut, moved, dwords(c.mask, !integers_));
  }
  const Mask known = negated(equal_words(cut, c.missing));
  if (!l.may_miss) {
    must(known);
    hold(l.given, 1);
    return hold(l.reg, truth);
  }
  truth = l.absent != 0 ? one_of(truth, negated(known)) : both(truth, known);
  if (l.absent_given) hold(l.given, 1);
  else hold(l.given, known);
  hold(l.reg, truth);
}

void BlockWriter::load_code(std::size_t input) {
  const RowLoad& l = loads_[input];
  const KernelColumn& c = l.column;
  Vec v = raw_words(c, layout_.load(input));
  if (c.mask != 0) {
    Vec moved = words(), cut = words();
    emit(Id::kIdVpsrld, moved, v, imm(c.shift));
    emit(avx512_ ? Id::kIdVpandd : Id::kIdVpand, cut, moved, dwords(c.mask, !integers_));
    v = cut;
  }
  std::uint32_t end = c.map_size;
  while (end > 0 && c.map[end - 1] < 0) --end;
  const bool sentinel = c.missing != INT64_MIN;
  Mask absent;
  if (sentinel) absent = equal_words(v, c.missing);
  if (sentinel && l.may_miss) accepted_.rows = without(accepted_.rows, without(words_above(v, end - 1), absent));
  else must_not_be_above(v, end - 1);
  if (sentinel && !l.may_miss) accepted_.rows = without(accepted_.rows, absent);
  Vec index = v;
  if (!integers_) {
    index = vec();
    emit(Id::kIdVcvtdq2pd, index, v);
  }
  std::vector<std::int64_t> table;
  bool straight = true;
  for (std::uint32_t k = 0; k < end; ++k) {
    table.push_back(std::max(c.map[k], 0));
    straight = straight && table.back() == k;
  }
  Vec n = straight ? index : picked(index, table);
  if (sentinel && l.may_miss) n = chosen(absent, loaded(constant(l.absent)), n);
  if (sentinel && l.may_miss && !l.absent_given) hold(l.given, negated(absent));
  else hold(l.given, 1);
  hold(l.reg, n);
}

}  // namespace assay::jit
