// Register arithmetic while a kernel is being made: see kernel_builder.hpp.
#include "lang/kernel/kernel_builder.hpp"
#include "lang/number/powers_of_ten.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace assay {

namespace {

bool fits(Wide v) { return v <= KernelBuilder::kMost && v >= -Wide{KernelBuilder::kMost}; }

// Rounds like the instructions: exact for every n and d > 0 within the bounds of registers.
std::int64_t divided(std::int64_t n, std::int64_t d, Rounding mode) {
  std::int64_t q = n / d, r = n % d;
  if (r < 0) {
    r += d;
    --q;
  }
  switch (mode) {  // q is the floor, r the remainder
    case Rounding::floor: return q;
    case Rounding::ceil: return q + (r != 0);
    case Rounding::trunc: return q + (n < 0 && r != 0);
    case Rounding::half_away: return q + (r > d - r || (r == d - r && n >= 0));
    case Rounding::half_even: break;
  }
  return q + (r > d - r || (r == d - r && q % 2 != 0));
}

Wide floor_of(Wide n, Wide d) { return n / d - (n % d < 0); }

struct Span64 {
  Wide low, high;
};
Span64 product(std::int64_t al, std::int64_t ah, std::int64_t bl, std::int64_t bh) {
  const Wide p[] = {Wide{al} * bl, Wide{al} * bh, Wide{ah} * bl, Wide{ah} * bh};
  return {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
}

}  // namespace

// ---- instructions

Register KernelBuilder::emit(KernelInstruction i, std::vector<KernelTerm> list) {
  std::vector<std::int64_t> key{
      static_cast<std::int64_t>(i.op), static_cast<std::int64_t>(i.mode), i.b, i.c, i.d, i.x, i.y};
  for (const KernelTerm& term : list) {
    key.push_back(term.reg);
    key.push_back(term.factor);
  }
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  i.a = new_register();
  i.terms = static_cast<std::uint32_t>(terms.size());
  i.count = static_cast<std::uint32_t>(list.size());
  terms.insert(terms.end(), list.begin(), list.end());
  by_register_[i.a] = code.size();
  code.push_back(i);
  known_.emplace(std::move(key), i.a);
  return i.a;
}

const KernelInstruction* KernelBuilder::made_by(Register reg, KernelOp op) const {
  const auto found = by_register_.find(reg);
  if (found == by_register_.end() || code[found->second].op != op) return nullptr;
  return &code[found->second];
}

Register KernelBuilder::keep(Register reg, std::int64_t low, std::int64_t high) {
  bounds[reg] = {low, high};
  return reg;
}

Register KernelBuilder::reg(const KernelNumber& n) {
  if (n.reg != kNoReg) return n.reg;
  KernelInstruction i;
  i.op = KernelOp::set;
  i.x = n.value;
  return keep(emit(i), n.value, n.value);
}

Register KernelBuilder::reg(Truth t) {
  if (!t.constant()) return t.reg;
  return reg(number(t.value ? 1 : 0));  // no test: whether a record breaks a rule depends on it
}

// ---- numbers

KernelNumber KernelBuilder::bad() {
  KernelNumber n;
  n.bad = true;
  return n;
}

KernelNumber KernelBuilder::number(std::int64_t value, std::int64_t unit) {
  KernelNumber n;
  const std::int64_t common = std::gcd(value, unit);
  n.value = n.low = n.high = common > 1 ? value / common : value;
  n.unit = common > 1 ? unit / common : unit;
  if (!fits(value)) n.bad = true;
  return n;
}

KernelNumber KernelBuilder::number(Number n) { return n.small() ? number(n.num, n.den) : bad(); }

KernelNumber KernelBuilder::in_register(Register reg, std::int64_t low, std::int64_t high, std::int64_t unit) {
  KernelNumber n;
  n.reg = keep(reg, low, high);
  n.low = low;
  n.high = high;
  n.unit = unit;
  return n;
}

KernelNumber KernelBuilder::from_truth(Truth t) {
  return t.constant() ? number(t.value ? 1 : 0) : in_register(t.reg, 0, 1);
}

KernelNumber KernelBuilder::scaled(const KernelNumber& n, std::int64_t factor) {
  if (n.bad || factor == 1) return n;
  const Span64 p = product(n.low, n.high, factor, factor);
  if (!fits(p.low) || !fits(p.high)) return bad();
  KernelNumber r = n;
  r.low = static_cast<std::int64_t>(p.low);
  r.high = static_cast<std::int64_t>(p.high);
  if (n.reg == kNoReg) {
    r.value = r.low;
  } else {
    r.reg = keep(emit(made(KernelOp::mul_x, n.reg, 0, 0, factor)), r.low, r.high);
  }
  return r;
}

KernelNumber KernelBuilder::times(const KernelNumber& n, const KernelNumber& of) {
  if (n.bad || of.den == kNoReg) return n;
  const Span64 p = product(n.low, n.high, of.den_low, of.den_high);
  if (!fits(p.low) || !fits(p.high)) return bad();
  KernelNumber r = n;
  if (n.reg == kNoReg && n.value == 0) return r;
  r.low = static_cast<std::int64_t>(p.low);
  r.high = static_cast<std::int64_t>(p.high);
  r.reg = n.reg == kNoReg ? (n.value == 1 ? of.den : emit(made(KernelOp::mul_x, of.den, 0, 0, n.value)))
                          : emit(made(KernelOp::mul, std::min(n.reg, of.den), std::max(n.reg, of.den)));
  keep(r.reg, r.low, r.high);
  return r;
}

bool KernelBuilder::align(KernelNumber& a, KernelNumber& b) {
  if (a.bad || b.bad) return false;
  if (a.unit != b.unit) {
    const Wide common = Wide{a.unit} / std::gcd(a.unit, b.unit) * b.unit;
    if (!fits(common)) return false;
    const std::int64_t unit = static_cast<std::int64_t>(common);
    const std::int64_t fa = unit / a.unit, fb = unit / b.unit;
    a = scaled(a, fa);
    b = scaled(b, fb);
    a.unit = b.unit = unit;
  }
  if (a.den != b.den) {
    const KernelNumber first = a, second = b;
    a = times(first, second);
    b = times(second, first);
    if (a.bad || b.bad) return false;
    KernelNumber den;  // the product of both denominators
    if (first.den != kNoReg && second.den != kNoReg) {
      const Wide high = Wide{first.den_high} * second.den_high;
      if (!fits(high)) return false;
      den.den_low = first.den_low * second.den_low;
      den.den_high = static_cast<std::int64_t>(high);
      den.den = keep(emit(made(KernelOp::mul, std::min(first.den, second.den), std::max(first.den, second.den))),
                     den.den_low, den.den_high);
    } else {
      den = first.den != kNoReg ? first : second;
    }
    for (KernelNumber* n : {&a, &b}) {
      n->den = den.den;
      n->den_low = den.den_low;
      n->den_high = den.den_high;
    }
  }
  return !a.bad && !b.bad;
}

// Expresses a register as a sum of others, if it was made in that way.
void KernelBuilder::linear(Register reg, std::int64_t factor, std::int64_t& x, std::vector<KernelTerm>& out) const {
  const auto product_of = [&](std::int64_t a, std::int64_t b) { return a * b; };  // within the bounds of a register
  if (const KernelInstruction* i = made_by(reg, KernelOp::weighted)) {
    x += factor * i->x;
    for (std::uint32_t k = 0; k < i->count; ++k)
      out.push_back({terms[i->terms + k].reg, product_of(factor, terms[i->terms + k].factor)});
  } else if (const KernelInstruction* m = made_by(reg, KernelOp::mul_x)) {
    out.push_back({m->b, product_of(factor, m->x)});
  } else if (const KernelInstruction* a = made_by(reg, KernelOp::add_x)) {
    x += factor * a->x;
    out.push_back({a->b, factor});
  } else if (const KernelInstruction* n = made_by(reg, KernelOp::not_)) {
    x += factor;
    out.push_back({n->b, -factor});
  } else if (const KernelInstruction* f = made_by(reg, KernelOp::first); f != nullptr && f->count == 1) {
    x += factor * f->x;
    out.push_back({terms[f->terms].reg, product_of(factor, terms[f->terms].factor - f->x)});
  } else {
    out.push_back({reg, factor});
  }
}

// a + sign * b as one sum of registers; kNoReg if that saves nothing.
Register KernelBuilder::sum_of(Register a, Register b, std::int64_t sign) {
  constexpr std::size_t kTerms = 24;
  std::int64_t x = 0;
  std::vector<KernelTerm> list;
  linear(a, 1, x, list);
  linear(b, sign, x, list);
  if (list.size() > kTerms) return kNoReg;
  Wide most = x < 0 ? -Wide{x} : Wide{x};  // bound of every partial sum
  for (const KernelTerm& term : list) {
    const auto range = bounds[term.reg];
    const Span64 p = product(range.first, range.second, term.factor, term.factor);
    most += std::max(p.high < 0 ? -p.high : p.high, p.low < 0 ? -p.low : p.low);
  }
  if (!fits(most)) return kNoReg;
  if (list.size() == 2 && x == 0 && list[0].factor == 1 && list[1].factor == sign) return kNoReg;
  return emit(made(KernelOp::weighted, 0, 0, 0, x), std::move(list));
}

KernelNumber KernelBuilder::add(const KernelNumber& left, const KernelNumber& right) {
  KernelNumber a = left, b = right;
  if (!align(a, b)) return bad();
  KernelNumber r = a;
  r.low = a.low + b.low;
  r.high = a.high + b.high;
  if (!fits(r.low) || !fits(r.high)) return bad();
  if (a.reg == kNoReg && b.reg == kNoReg) {
    r.value = r.low;
  } else if (a.reg == kNoReg || b.reg == kNoReg) {
    const KernelNumber& moving = a.reg == kNoReg ? b : a;
    const std::int64_t x = a.reg == kNoReg ? a.value : b.value;
    r.reg = x == 0 ? moving.reg : emit(made(KernelOp::add_x, moving.reg, 0, 0, x));
  } else {
    r.reg = sum_of(a.reg, b.reg, 1);
    if (r.reg == kNoReg) r.reg = emit(made(KernelOp::add, std::min(a.reg, b.reg), std::max(a.reg, b.reg)));
  }
  if (r.reg != kNoReg) keep(r.reg, r.low, r.high);
  return r;
}

KernelNumber KernelBuilder::sub(const KernelNumber& left, const KernelNumber& right) {
  KernelNumber a = left, b = right;
  if (!align(a, b)) return bad();
  if (b.reg == kNoReg) {
    b.value = -b.value;
    b.low = b.high = b.value;
    return add(a, b);
  }
  KernelNumber r = a;
  r.low = a.low - b.high;
  r.high = a.high - b.low;
  if (!fits(r.low) || !fits(r.high)) return bad();
  if (a.reg == kNoReg) {
    r.reg = emit(made(KernelOp::x_sub, b.reg, 0, 0, a.value));
  } else {
    r.reg = sum_of(a.reg, b.reg, -1);
    if (r.reg == kNoReg) r.reg = emit(made(KernelOp::sub, a.reg, b.reg));
  }
  keep(r.reg, r.low, r.high);
  return r;
}

KernelNumber KernelBuilder::mul(const KernelNumber& a, const KernelNumber& b) {
  if (a.bad || b.bad) return bad();
  if (a.reg == kNoReg && a.den == kNoReg && b.reg == kNoReg && b.den == kNoReg) {
    const Wide value = Wide{a.value} * b.value, unit = Wide{a.unit} * b.unit;
    return fits(value) && fits(unit) ? number(static_cast<std::int64_t>(value), static_cast<std::int64_t>(unit))
                                     : bad();
  }
  if (b.constant() && b.value == 0) return number(0);
  if (b.constant()) {
    const std::int64_t common = std::gcd(b.value, a.unit);
    KernelNumber r = scaled(a, common > 1 ? b.value / common : b.value);
    const Wide unit = Wide{a.unit / std::max<std::int64_t>(common, 1)} * b.unit;
    if (r.bad || !fits(unit)) return bad();
    r.unit = static_cast<std::int64_t>(unit);
    return r;
  }
  if (a.constant() || (a.reg == kNoReg && b.reg != kNoReg)) return mul(b, a);
  const Wide unit = Wide{a.unit} * b.unit, den = Wide{a.den_high} * b.den_high;
  const Span64 p = product(a.low, a.high, b.low, b.high);
  if (!fits(unit) || !fits(den) || !fits(p.low) || !fits(p.high)) return bad();
  KernelNumber r;
  r.low = static_cast<std::int64_t>(p.low);
  r.high = static_cast<std::int64_t>(p.high);
  if (b.reg == kNoReg) {
    const KernelNumber top = scaled(a, b.value);
    r.reg = top.reg;
    r.value = top.value;
  } else {
    r.reg = keep(emit(made(KernelOp::mul, std::min(a.reg, b.reg), std::max(a.reg, b.reg))), r.low, r.high);
  }
  r.unit = static_cast<std::int64_t>(unit);
  if (a.den != kNoReg || b.den != kNoReg) {
    r.den_low = a.den_low * b.den_low;
    r.den_high = static_cast<std::int64_t>(den);
    r.den = a.den == kNoReg   ? b.den
            : b.den == kNoReg ? a.den
                              : emit(made(KernelOp::mul, std::min(a.den, b.den), std::max(a.den, b.den)));
    keep(r.den, r.den_low, r.den_high);
  }
  return r;
}

KernelNumber KernelBuilder::div(const KernelNumber& a, const KernelNumber& b, Truth& given) {
  if (a.bad || b.bad) return bad();
  if (b.constant()) {
    if (b.value == 0) {
      given = kNo;
      return number(0);
    }
    if (b.value == std::numeric_limits<std::int64_t>::min()) return bad();
    const std::int64_t n = b.value < 0 ? -b.unit : b.unit;
    return mul(a, number(n, b.value < 0 ? -b.value : b.value));
  }
  if (b.low < 0) return bad();  // the denominator may change its sign
  KernelNumber by = b;          // its numerator becomes a denominator
  if (by.low == 0) {
    given = both(given, negate({keep(emit(made(KernelOp::eq_x, by.reg, 0, 0, 0)), 0, 1)}));
    by = lesser(in_register(by.reg, by.low, by.high), number(1), true);
    by.unit = b.unit;
    by.den = b.den;
    by.den_low = b.den_low;
    by.den_high = b.den_high;
  }
  // a / (au * ad) * (bu * bd) / b
  KernelNumber inverse = number(by.unit);
  inverse = times(inverse, by);
  if (inverse.bad) return bad();
  inverse.den = by.reg == kNoReg ? reg(by) : by.reg;
  inverse.den_low = std::max<std::int64_t>(by.low, 1);
  inverse.den_high = by.high;
  return mul(inverse, a);
}

KernelNumber KernelBuilder::lesser(const KernelNumber& left, const KernelNumber& right, bool greater) {
  KernelNumber a = left, b = right;
  if (!align(a, b)) return bad();
  KernelNumber r = a;
  r.low = greater ? std::max(a.low, b.low) : std::min(a.low, b.low);
  r.high = greater ? std::max(a.high, b.high) : std::min(a.high, b.high);
  if (a.low >= b.high) return greater ? a : b;  // decided by the bounds
  if (b.low >= a.high) return greater ? b : a;
  if (a.reg == kNoReg) std::swap(a, b);
  if (b.reg == kNoReg) {
    constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
    r.reg = emit(made(KernelOp::clamp, a.reg, 0, 0, greater ? b.value : -kEnd, greater ? kEnd : b.value));
  } else {
    r.reg = emit(made(greater ? KernelOp::max : KernelOp::min, std::min(a.reg, b.reg), std::max(a.reg, b.reg)));
  }
  keep(r.reg, r.low, r.high);
  return r;
}

KernelNumber KernelBuilder::clamp(const KernelNumber& n, const RangeData& range) {
  KernelNumber r = n;
  if (!range.low.missing()) r = lesser(r, number(range.low), true);
  if (!range.high.missing()) r = lesser(r, number(range.high), false);
  // Two successive limits of one register become one instruction.
  if (r.bad || code.size() < 2) return r;
  const KernelInstruction &last = code[code.size() - 1], &first = code[code.size() - 2];
  if (last.op != KernelOp::clamp || first.op != KernelOp::clamp || last.b != first.a || last.a != r.reg ||
      first.b == first.a)
    return r;
  KernelInstruction joined = made(KernelOp::clamp, first.b, 0, 0, std::max(first.x, last.x), std::min(first.y, last.y));
  if (joined.x > joined.y) return r;
  r.reg = keep(emit(joined), r.low, r.high);  // the two are unused now
  return r;
}

KernelNumber KernelBuilder::weighted(const std::vector<KernelNumber>& values,
                                     const std::vector<KernelNumber>& factors) {
  // One instruction if the values are registers over constant units and the factors are constants.
  Wide unit = 1;
  bool plain = values.size() > 2;
  for (std::size_t i = 0; i < values.size() && plain; ++i) {
    plain = !values[i].bad && values[i].den == kNoReg && factors[i].constant();
    if (!plain) break;
    const std::int64_t common = std::gcd(factors[i].value, values[i].unit);
    const Wide own = Wide{values[i].unit / std::max<std::int64_t>(common, 1)} * factors[i].unit;
    if (!fits(own)) return bad();
    unit = unit / std::gcd(static_cast<std::int64_t>(unit), static_cast<std::int64_t>(own)) * own;
    if (!fits(unit)) return bad();
  }
  if (!plain) {
    KernelNumber total = number(0);
    for (std::size_t i = 0; i < values.size(); ++i) total = add(total, mul(values[i], factors[i]));
    return total;
  }
  std::vector<KernelTerm> list;
  Wide x = 0, low = 0, high = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Wide own = Wide{values[i].unit} * factors[i].unit;
    const Wide factor = unit * factors[i].value / own;  // exact: own divides unit * value
    if (!fits(own) || !fits(factor) || factor * own != unit * factors[i].value) return bad();
    const Span64 p =
        product(values[i].low, values[i].high, static_cast<std::int64_t>(factor), static_cast<std::int64_t>(factor));
    if (!fits(p.low) || !fits(p.high)) return bad();
    low += p.low;
    high += p.high;
    if (values[i].reg == kNoReg) {
      x += p.low;
    } else if (const KernelInstruction* no = made_by(values[i].reg, KernelOp::not_)) {  // 1 - the truth that it negates
      x += factor;
      list.push_back({no->b, -static_cast<std::int64_t>(factor)});
    } else if (factor != 0) {
      list.push_back({values[i].reg, static_cast<std::int64_t>(factor)});
    }
    if (!fits(low) || !fits(high)) return bad();
  }
  if (list.empty()) return number(static_cast<std::int64_t>(x), static_cast<std::int64_t>(unit));
  const Register a = emit(made(KernelOp::weighted, 0, 0, 0, static_cast<std::int64_t>(x)), std::move(list));
  return in_register(a, static_cast<std::int64_t>(low), static_cast<std::int64_t>(high),
                     static_cast<std::int64_t>(unit));
}

KernelNumber KernelBuilder::round(const KernelNumber& n, int decimals, Rounding mode) {
  if (n.bad || decimals > 9 || decimals < -9) return bad();
  KernelNumber r = n;
  std::int64_t unit = 1;
  if (decimals >= 0) {
    unit = kPowersOfTen[decimals];
    const std::int64_t common = std::gcd(unit, n.unit);
    r = scaled(r, unit / common);
    r.unit = n.unit / common;
  } else {
    const Wide coarser = Wide{n.unit} * kPowersOfTen[-decimals];
    if (!fits(coarser)) return bad();
    r.unit = static_cast<std::int64_t>(coarser);
  }
  if (r.bad) return bad();
  if (r.constant()) {
    r.value = r.low = r.high = divided(r.value, r.unit, mode);
  } else if (r.den == kNoReg) {
    if (r.unit > 1) {
      KernelInstruction i = made(KernelOp::div_x, r.reg, 0, 0, r.unit);
      i.mode = mode;
      i.signs = r.low < 0;
      r.low = divided(r.low, r.unit, mode);
      r.high = divided(r.high, r.unit, mode);
      r.reg = keep(emit(i), r.low, r.high);
    }
  } else {
    const Wide high = Wide{r.den_high} * r.unit;
    if (!fits(high)) return bad();
    Register den = r.den;
    if (r.unit > 1)
      den = keep(emit(made(KernelOp::mul_x, r.den, 0, 0, r.unit)), r.den_low * r.unit, static_cast<std::int64_t>(high));
    KernelInstruction i = made(KernelOp::div, reg(r), den);
    i.mode = mode;
    i.signs = r.low < 0;
    const std::int64_t least = r.den_low * r.unit, most = static_cast<std::int64_t>(high);
    r.low = std::min(divided(r.low, least, mode), divided(r.low, most, mode));
    r.high = std::max(divided(r.high, least, mode), divided(r.high, most, mode));
    r.reg = keep(emit(i), r.low, r.high);
    r.den = kNoReg;
    r.den_low = r.den_high = 1;
  }
  r.unit = 1;
  if (decimals >= 0) {
    r.unit = unit;
    return r;
  }
  return scaled(r, kPowersOfTen[-decimals]);
}

KernelNumber KernelBuilder::within(const KernelNumber& n, const Interval& range) {
  if (n.bad || n.den != kNoReg || n.reg == kNoReg || range.low.missing() || range.high.missing()) return n;
  if (!range.low.small() || !range.high.small()) return n;
  const Wide low = Wide{range.low.num} * n.unit, high = Wide{range.high.num} * n.unit;
  if (low % range.low.den != 0 || high % range.high.den != 0) return n;
  const Wide least = low / range.low.den, most = high / range.high.den;
  if (least <= n.low && most >= n.high) return n;
  RangeData cut{range.low, range.high, false, false};
  return clamp(n, cut);
}

KernelNumber KernelBuilder::absolute(const KernelNumber& n) {
  if (n.bad || n.low >= 0) return n;
  KernelNumber negative = n;
  negative = sub(number(0), n);
  return lesser(n, negative, true);
}

KernelNumber KernelBuilder::choose(Truth t, const KernelNumber& left, const KernelNumber& right) {
  if (t.constant()) return t.value ? left : right;
  if (const KernelInstruction* no = made_by(t.reg, KernelOp::not_);
      no != nullptr && right.reg != kNoReg && left.reg != kNoReg) {
    return choose({no->b}, right, left);
  }
  KernelNumber a = left, b = right;
  if (!align(a, b)) return bad();
  KernelNumber r = a;
  r.low = std::min(a.low, b.low);
  r.high = std::max(a.high, b.high);
  if (a.reg == b.reg && a.value == b.value) return a;
  if (a.reg == kNoReg && b.reg == kNoReg) {
    if (a.value == 1 && b.value == 0) return in_register_like(r, t.reg);
    if (a.value == 0 && b.value == 1) return in_register_like(r, negate(t).reg);
    r.reg = emit(made(KernelOp::first, 0, 0, 0, b.value), {{t.reg, a.value}});
  } else if (const KernelInstruction* i = a.reg == kNoReg ? made_by(b.reg, KernelOp::first) : nullptr;
             i != nullptr && i->count < 64) {
    // 'v when a else w when b else x' is one instruction.
    std::vector<KernelTerm> list{{t.reg, a.value}};
    list.insert(list.end(), terms.begin() + i->terms, terms.begin() + i->terms + i->count);
    r.reg = emit(made(KernelOp::first, 0, 0, 0, i->x), std::move(list));
  } else if (a.reg == kNoReg && b.low == 0 && b.high == 1) {
    r.reg = emit(made(KernelOp::first, 0), {{t.reg, a.value}, {b.reg, 1}});
  } else {
    r.reg = emit(made(KernelOp::select, t.reg, reg(a), reg(b)));
  }
  keep(r.reg, r.low, r.high);
  return r;
}

KernelNumber KernelBuilder::in_register_like(KernelNumber n, Register reg) {
  n.reg = keep(reg, 0, 1);
  n.value = 0;
  return n;
}

Truth KernelBuilder::less(const KernelNumber& left, const KernelNumber& right) {
  KernelNumber a = left, b = right;
  // n / unit < v means n < ceil(v * unit), and v < n / unit means not n < floor(v * unit) + 1.
  if (b.constant() && a.reg != kNoReg && a.den == kNoReg) {
    const Wide top = Wide{b.value} * a.unit;
    const Wide bound = floor_of(top + b.unit - 1, b.unit);
    if (bound > a.high) return kYes;
    if (bound <= a.low) return kNo;
    return {keep(emit(made(KernelOp::lt_x, a.reg, 0, 0, static_cast<std::int64_t>(bound))), 0, 1)};
  }
  if (a.constant() && b.reg != kNoReg && b.den == kNoReg) {
    const Wide bound = floor_of(Wide{a.value} * b.unit, a.unit) + 1;
    if (bound > b.high) return kNo;
    if (bound <= b.low) return kYes;
    return negate({keep(emit(made(KernelOp::lt_x, b.reg, 0, 0, static_cast<std::int64_t>(bound))), 0, 1)});
  }
  if (!align(a, b)) {
    broken = true;
    return kNo;
  }
  if (a.high < b.low) return kYes;
  if (a.low >= b.high) return kNo;
  if (b.reg == kNoReg) return {keep(emit(made(KernelOp::lt_x, a.reg, 0, 0, b.value)), 0, 1)};
  if (a.reg == kNoReg) return negate({keep(emit(made(KernelOp::lt_x, b.reg, 0, 0, a.value + 1)), 0, 1)});
  return {keep(emit(made(KernelOp::lt, a.reg, b.reg)), 0, 1)};
}

Truth KernelBuilder::equal(const KernelNumber& left, const KernelNumber& right) {
  KernelNumber a = left, b = right;
  if (a.constant()) std::swap(a, b);
  if (b.constant() && a.reg != kNoReg && a.den == kNoReg && a.unit != b.unit) {
    const Wide top = Wide{b.value} * a.unit;
    if (top % b.unit != 0) return kNo;
    const Wide value = top / b.unit;
    if (value < a.low || value > a.high) return kNo;
    b = number(static_cast<std::int64_t>(value));
    a.unit = 1;
  }
  if (!align(a, b)) {
    broken = true;
    return kNo;
  }
  if (a.high < b.low || a.low > b.high) return kNo;
  if (a.reg == kNoReg && b.reg == kNoReg) return {kNoReg, a.value == b.value};
  if (a.reg == kNoReg) std::swap(a, b);
  if (b.reg == kNoReg) {
    if (a.low == 0 && a.high == 1) return b.value == 1 ? Truth{a.reg} : negate({a.reg});
    if (const KernelInstruction* i = made_by(a.reg, KernelOp::first); i != nullptr && i->count == 1) {
      const KernelTerm term = terms[i->terms];
      if (term.factor == b.value) return i->x == b.value ? kYes : Truth{term.reg};
      return i->x == b.value ? negate({term.reg}) : kNo;
    }
    // A sum of truths is 0 if none of them holds.
    if (const KernelInstruction* i = made_by(a.reg, KernelOp::weighted); i != nullptr && b.value == a.low) {
      std::vector<Truth> any;
      std::int64_t least = i->x;
      bool truths = true;
      for (std::uint32_t k = 0; k < i->count; ++k) {
        const KernelTerm term = terms[i->terms + k];
        const auto range = bounds[term.reg];
        truths = truths && range.first == 0 && range.second == 1 && term.factor != 0;
        least += std::min<std::int64_t>(term.factor, 0);
        any.push_back(term.factor > 0 ? Truth{term.reg} : negate({term.reg}));
      }
      if (truths && least == b.value) return negate(any_of(any));
    }
    return {keep(emit(made(KernelOp::eq_x, a.reg, 0, 0, b.value)), 0, 1)};
  }
  if (a.reg == b.reg) return kYes;
  return {keep(emit(made(KernelOp::eq, std::min(a.reg, b.reg), std::max(a.reg, b.reg))), 0, 1)};
}

KernelNumber KernelBuilder::decimal(const KernelNumber& n, int decimals) {
  return round(n, decimals, Rounding::half_away);
}

}  // namespace assay
