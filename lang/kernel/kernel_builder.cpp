// Lane arithmetic at the time a kernel is made: see kernel_builder.hpp.
#include "lang/kernel/kernel_builder.hpp"
#include "lang/number/powers_of_ten.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace assay {

namespace {

bool fits(Wide v) { return v <= LaneBuilder::kMost && v >= -Wide{LaneBuilder::kMost}; }

// As the instructions round: exact for every n and d > 0 within the bounds of lanes.
std::int64_t divided(std::int64_t n, std::int64_t d, Rounding mode) {
  std::int64_t q = n / d, r = n % d;
  if (r < 0) {
    r += d;
    --q;
  }
  switch (mode) {  // q is the floor, r the rest
    case Rounding::floor: return q;
    case Rounding::ceil: return q + (r != 0);
    case Rounding::trunc: return q + (n < 0 && r != 0);
    case Rounding::half_away: return q + (r > d - r || (r == d - r && n >= 0));
    case Rounding::half_even: return q + (r > d - r || (r == d - r && q % 2 != 0));
  }
  return q;
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

Lane LaneBuilder::emit(LaneInstruction i, std::vector<LaneTerm> list) {
  std::vector<std::int64_t> key{
      static_cast<std::int64_t>(i.op), static_cast<std::int64_t>(i.mode), i.b, i.c, i.d, i.x, i.y};
  for (const LaneTerm& term : list) {
    key.push_back(term.lane);
    key.push_back(term.factor);
  }
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  i.a = new_lane();
  i.terms = static_cast<std::uint32_t>(terms.size());
  i.count = static_cast<std::uint32_t>(list.size());
  terms.insert(terms.end(), list.begin(), list.end());
  by_lane_[i.a] = code.size();
  code.push_back(i);
  known_.emplace(std::move(key), i.a);
  return i.a;
}

const LaneInstruction* LaneBuilder::made_by(Lane lane, LaneOp op) const {
  const auto found = by_lane_.find(lane);
  if (found == by_lane_.end() || code[found->second].op != op) return nullptr;
  return &code[found->second];
}

Lane LaneBuilder::keep(Lane lane, std::int64_t low, std::int64_t high) {
  bounds[lane] = {low, high};
  return lane;
}

Lane LaneBuilder::lane(const LaneNumber& n) {
  if (n.lane != kNoLane) return n.lane;
  LaneInstruction i;
  i.op = LaneOp::set;
  i.x = n.value;
  return keep(emit(i), n.value, n.value);
}

Lane LaneBuilder::lane(Truth t) {
  if (!t.constant()) return t.lane;
  return lane(number(t.value ? 1 : 0));
}

// ---- numbers

LaneNumber LaneBuilder::bad() {
  LaneNumber n;
  n.bad = true;
  return n;
}

LaneNumber LaneBuilder::number(std::int64_t value, std::int64_t unit) {
  LaneNumber n;
  const std::int64_t common = std::gcd(value, unit);
  n.value = n.low = n.high = common > 1 ? value / common : value;
  n.unit = common > 1 ? unit / common : unit;
  if (!fits(value)) n.bad = true;
  return n;
}

LaneNumber LaneBuilder::number(Number n) { return n.small() ? number(n.num, n.den) : bad(); }

LaneNumber LaneBuilder::in_lane(Lane lane, std::int64_t low, std::int64_t high, std::int64_t unit) {
  LaneNumber n;
  n.lane = keep(lane, low, high);
  n.low = low;
  n.high = high;
  n.unit = unit;
  return n;
}

LaneNumber LaneBuilder::from_truth(Truth t) { return t.constant() ? number(t.value ? 1 : 0) : in_lane(t.lane, 0, 1); }

LaneNumber LaneBuilder::scaled(const LaneNumber& n, std::int64_t factor) {
  if (n.bad || factor == 1) return n;
  const Span64 p = product(n.low, n.high, factor, factor);
  if (!fits(p.low) || !fits(p.high)) return bad();
  LaneNumber r = n;
  r.low = static_cast<std::int64_t>(p.low);
  r.high = static_cast<std::int64_t>(p.high);
  if (n.lane == kNoLane) {
    r.value = r.low;
  } else {
    r.lane = keep(emit(made(LaneOp::mul_x, n.lane, 0, 0, factor)), r.low, r.high);
  }
  return r;
}

LaneNumber LaneBuilder::times(const LaneNumber& n, const LaneNumber& of) {
  if (n.bad || of.den == kNoLane) return n;
  const Span64 p = product(n.low, n.high, of.den_low, of.den_high);
  if (!fits(p.low) || !fits(p.high)) return bad();
  LaneNumber r = n;
  if (n.lane == kNoLane && n.value == 0) return r;
  r.low = static_cast<std::int64_t>(p.low);
  r.high = static_cast<std::int64_t>(p.high);
  r.lane = n.lane == kNoLane ? (n.value == 1 ? of.den : emit(made(LaneOp::mul_x, of.den, 0, 0, n.value)))
                             : emit(made(LaneOp::mul, std::min(n.lane, of.den), std::max(n.lane, of.den)));
  keep(r.lane, r.low, r.high);
  return r;
}

bool LaneBuilder::align(LaneNumber& a, LaneNumber& b) {
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
    const LaneNumber first = a, second = b;
    a = times(first, second);
    b = times(second, first);
    if (a.bad || b.bad) return false;
    LaneNumber den;  // the product of both denominators
    if (first.den != kNoLane && second.den != kNoLane) {
      const Wide high = Wide{first.den_high} * second.den_high;
      if (!fits(high)) return false;
      den.den_low = first.den_low * second.den_low;
      den.den_high = static_cast<std::int64_t>(high);
      den.den = keep(emit(made(LaneOp::mul, std::min(first.den, second.den), std::max(first.den, second.den))),
                     den.den_low, den.den_high);
    } else {
      den = first.den != kNoLane ? first : second;
    }
    for (LaneNumber* n : {&a, &b}) {
      n->den = den.den;
      n->den_low = den.den_low;
      n->den_high = den.den_high;
    }
  }
  return !a.bad && !b.bad;
}

// A lane as a sum of others, where that is how it was made.
void LaneBuilder::linear(Lane lane, std::int64_t factor, std::int64_t& x, std::vector<LaneTerm>& out) const {
  const auto product_of = [&](std::int64_t a, std::int64_t b) { return a * b; };  // within the bounds of a lane
  if (const LaneInstruction* i = made_by(lane, LaneOp::weighted)) {
    x += factor * i->x;
    for (std::uint32_t k = 0; k < i->count; ++k)
      out.push_back({terms[i->terms + k].lane, product_of(factor, terms[i->terms + k].factor)});
  } else if (const LaneInstruction* m = made_by(lane, LaneOp::mul_x)) {
    out.push_back({m->b, product_of(factor, m->x)});
  } else if (const LaneInstruction* a = made_by(lane, LaneOp::add_x)) {
    x += factor * a->x;
    out.push_back({a->b, factor});
  } else if (const LaneInstruction* n = made_by(lane, LaneOp::not_)) {
    x += factor;
    out.push_back({n->b, -factor});
  } else if (const LaneInstruction* f = made_by(lane, LaneOp::first); f != nullptr && f->count == 1) {
    x += factor * f->x;
    out.push_back({terms[f->terms].lane, product_of(factor, terms[f->terms].factor - f->x)});
  } else {
    out.push_back({lane, factor});
  }
}

// a + sign * b as one sum of lanes; kNoLane when that is no gain.
Lane LaneBuilder::sum_of(Lane a, Lane b, std::int64_t sign) {
  constexpr std::size_t kTerms = 24;
  std::int64_t x = 0;
  std::vector<LaneTerm> list;
  linear(a, 1, x, list);
  linear(b, sign, x, list);
  if (list.size() > kTerms) return kNoLane;
  Wide most = x < 0 ? -Wide{x} : Wide{x};  // of any part of the sum
  for (const LaneTerm& term : list) {
    const auto range = bounds[term.lane];
    const Span64 p = product(range.first, range.second, term.factor, term.factor);
    most += std::max(p.high < 0 ? -p.high : p.high, p.low < 0 ? -p.low : p.low);
  }
  if (!fits(most)) return kNoLane;
  if (list.size() == 2 && x == 0 && list[0].factor == 1 && list[1].factor == sign) return kNoLane;
  return emit(made(LaneOp::weighted, 0, 0, 0, x), std::move(list));
}

LaneNumber LaneBuilder::add(const LaneNumber& left, const LaneNumber& right) {
  LaneNumber a = left, b = right;
  if (!align(a, b)) return bad();
  LaneNumber r = a;
  r.low = a.low + b.low;
  r.high = a.high + b.high;
  if (!fits(r.low) || !fits(r.high)) return bad();
  if (a.lane == kNoLane && b.lane == kNoLane) {
    r.value = r.low;
  } else if (a.lane == kNoLane || b.lane == kNoLane) {
    const LaneNumber& moving = a.lane == kNoLane ? b : a;
    const std::int64_t x = a.lane == kNoLane ? a.value : b.value;
    r.lane = x == 0 ? moving.lane : emit(made(LaneOp::add_x, moving.lane, 0, 0, x));
  } else {
    r.lane = sum_of(a.lane, b.lane, 1);
    if (r.lane == kNoLane) r.lane = emit(made(LaneOp::add, std::min(a.lane, b.lane), std::max(a.lane, b.lane)));
  }
  if (r.lane != kNoLane) keep(r.lane, r.low, r.high);
  return r;
}

LaneNumber LaneBuilder::sub(const LaneNumber& left, const LaneNumber& right) {
  LaneNumber a = left, b = right;
  if (!align(a, b)) return bad();
  if (b.lane == kNoLane) {
    b.value = -b.value;
    b.low = b.high = b.value;
    return add(a, b);
  }
  LaneNumber r = a;
  r.low = a.low - b.high;
  r.high = a.high - b.low;
  if (!fits(r.low) || !fits(r.high)) return bad();
  if (a.lane == kNoLane) {
    r.lane = emit(made(LaneOp::x_sub, b.lane, 0, 0, a.value));
  } else {
    r.lane = sum_of(a.lane, b.lane, -1);
    if (r.lane == kNoLane) r.lane = emit(made(LaneOp::sub, a.lane, b.lane));
  }
  keep(r.lane, r.low, r.high);
  return r;
}

LaneNumber LaneBuilder::mul(const LaneNumber& a, const LaneNumber& b) {
  if (a.bad || b.bad) return bad();
  if (a.lane == kNoLane && a.den == kNoLane && b.lane == kNoLane && b.den == kNoLane) {
    const Wide value = Wide{a.value} * b.value, unit = Wide{a.unit} * b.unit;
    return fits(value) && fits(unit) ? number(static_cast<std::int64_t>(value), static_cast<std::int64_t>(unit))
                                     : bad();
  }
  if (b.constant() && b.value == 0) return number(0);
  if (b.constant()) {
    const std::int64_t common = std::gcd(b.value, a.unit);
    LaneNumber r = scaled(a, common > 1 ? b.value / common : b.value);
    const Wide unit = Wide{a.unit / std::max<std::int64_t>(common, 1)} * b.unit;
    if (r.bad || !fits(unit)) return bad();
    r.unit = static_cast<std::int64_t>(unit);
    return r;
  }
  if (a.constant() || (a.lane == kNoLane && b.lane != kNoLane)) return mul(b, a);
  const Wide unit = Wide{a.unit} * b.unit, den = Wide{a.den_high} * b.den_high;
  const Span64 p = product(a.low, a.high, b.low, b.high);
  if (!fits(unit) || !fits(den) || !fits(p.low) || !fits(p.high)) return bad();
  LaneNumber r;
  r.low = static_cast<std::int64_t>(p.low);
  r.high = static_cast<std::int64_t>(p.high);
  if (b.lane == kNoLane) {
    const LaneNumber top = scaled(a, b.value);
    r.lane = top.lane;
    r.value = top.value;
  } else {
    r.lane = keep(emit(made(LaneOp::mul, std::min(a.lane, b.lane), std::max(a.lane, b.lane))), r.low, r.high);
  }
  r.unit = static_cast<std::int64_t>(unit);
  if (a.den != kNoLane || b.den != kNoLane) {
    r.den_low = a.den_low * b.den_low;
    r.den_high = static_cast<std::int64_t>(den);
    r.den = a.den == kNoLane   ? b.den
            : b.den == kNoLane ? a.den
                               : emit(made(LaneOp::mul, std::min(a.den, b.den), std::max(a.den, b.den)));
    keep(r.den, r.den_low, r.den_high);
  }
  return r;
}

LaneNumber LaneBuilder::div(const LaneNumber& a, const LaneNumber& b, Truth& given) {
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
  if (b.low < 0) return bad();  // a denominator that changes its sign
  LaneNumber by = b;            // its numerator becomes a denominator
  if (by.low == 0) {
    given = both(given, negate({keep(emit(made(LaneOp::eq_x, by.lane, 0, 0, 0)), 0, 1)}));
    by = lesser(in_lane(by.lane, by.low, by.high), number(1), true);
    by.unit = b.unit;
    by.den = b.den;
    by.den_low = b.den_low;
    by.den_high = b.den_high;
  }
  // a / (au * ad) * (bu * bd) / b
  LaneNumber inverse = number(by.unit);
  inverse = times(inverse, by);
  if (inverse.bad) return bad();
  inverse.den = by.lane == kNoLane ? lane(by) : by.lane;
  inverse.den_low = std::max<std::int64_t>(by.low, 1);
  inverse.den_high = by.high;
  return mul(inverse, a);
}

LaneNumber LaneBuilder::lesser(const LaneNumber& left, const LaneNumber& right, bool greater) {
  LaneNumber a = left, b = right;
  if (!align(a, b)) return bad();
  LaneNumber r = a;
  r.low = greater ? std::max(a.low, b.low) : std::min(a.low, b.low);
  r.high = greater ? std::max(a.high, b.high) : std::min(a.high, b.high);
  if (a.low >= b.high) return greater ? a : b;  // decided by the bounds
  if (b.low >= a.high) return greater ? b : a;
  if (a.lane == kNoLane) std::swap(a, b);
  if (b.lane == kNoLane) {
    constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
    r.lane = emit(made(LaneOp::clamp, a.lane, 0, 0, greater ? b.value : -kEnd, greater ? kEnd : b.value));
  } else {
    r.lane = emit(made(greater ? LaneOp::max : LaneOp::min, std::min(a.lane, b.lane), std::max(a.lane, b.lane)));
  }
  keep(r.lane, r.low, r.high);
  return r;
}

LaneNumber LaneBuilder::clamp(const LaneNumber& n, const RangeData& range) {
  LaneNumber r = n;
  if (!range.low.missing()) r = lesser(r, number(range.low), true);
  if (!range.high.missing()) r = lesser(r, number(range.high), false);
  // Two cuts of one lane are one instruction.
  if (r.bad || code.size() < 2) return r;
  const LaneInstruction &last = code[code.size() - 1], &first = code[code.size() - 2];
  if (last.op != LaneOp::clamp || first.op != LaneOp::clamp || last.b != first.a || last.a != r.lane ||
      first.b == first.a)
    return r;
  LaneInstruction joined = made(LaneOp::clamp, first.b, 0, 0, std::max(first.x, last.x), std::min(first.y, last.y));
  if (joined.x > joined.y) return r;
  r.lane = keep(emit(joined), r.low, r.high);  // the two are dead now
  return r;
}

LaneNumber LaneBuilder::weighted(const std::vector<LaneNumber>& values, const std::vector<LaneNumber>& factors) {
  // One instruction when the values are lanes over constant units and the factors are constants.
  Wide unit = 1;
  bool plain = values.size() > 2;
  for (std::size_t i = 0; i < values.size() && plain; ++i) {
    plain = !values[i].bad && values[i].den == kNoLane && factors[i].constant();
    if (!plain) break;
    const std::int64_t common = std::gcd(factors[i].value, values[i].unit);
    const Wide own = Wide{values[i].unit / std::max<std::int64_t>(common, 1)} * factors[i].unit;
    if (!fits(own)) return bad();
    unit = unit / std::gcd(static_cast<std::int64_t>(unit), static_cast<std::int64_t>(own)) * own;
    if (!fits(unit)) return bad();
  }
  if (!plain) {
    LaneNumber total = number(0);
    for (std::size_t i = 0; i < values.size(); ++i) total = add(total, mul(values[i], factors[i]));
    return total;
  }
  std::vector<LaneTerm> list;
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
    if (values[i].lane == kNoLane) {
      x += p.low;
    } else if (const LaneInstruction* no = made_by(values[i].lane, LaneOp::not_)) {  // 1 - what it denies
      x += factor;
      list.push_back({no->b, -static_cast<std::int64_t>(factor)});
    } else if (factor != 0) {
      list.push_back({values[i].lane, static_cast<std::int64_t>(factor)});
    }
    if (!fits(low) || !fits(high)) return bad();
  }
  if (list.empty()) return number(static_cast<std::int64_t>(x), static_cast<std::int64_t>(unit));
  const Lane a = emit(made(LaneOp::weighted, 0, 0, 0, static_cast<std::int64_t>(x)), std::move(list));
  return in_lane(a, static_cast<std::int64_t>(low), static_cast<std::int64_t>(high), static_cast<std::int64_t>(unit));
}

LaneNumber LaneBuilder::round(const LaneNumber& n, int decimals, Rounding mode) {
  if (n.bad || decimals > 9 || decimals < -9) return bad();
  LaneNumber r = n;
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
  } else if (r.den == kNoLane) {
    if (r.unit > 1) {
      LaneInstruction i = made(LaneOp::div_x, r.lane, 0, 0, r.unit);
      i.mode = mode;
      i.signs = r.low < 0;
      r.low = divided(r.low, r.unit, mode);
      r.high = divided(r.high, r.unit, mode);
      r.lane = keep(emit(i), r.low, r.high);
    }
  } else {
    const Wide high = Wide{r.den_high} * r.unit;
    if (!fits(high)) return bad();
    Lane den = r.den;
    if (r.unit > 1)
      den = keep(emit(made(LaneOp::mul_x, r.den, 0, 0, r.unit)), r.den_low * r.unit, static_cast<std::int64_t>(high));
    LaneInstruction i = made(LaneOp::div, lane(r), den);
    i.mode = mode;
    i.signs = r.low < 0;
    const std::int64_t least = r.den_low * r.unit, most = static_cast<std::int64_t>(high);
    r.low = std::min(divided(r.low, least, mode), divided(r.low, most, mode));
    r.high = std::max(divided(r.high, least, mode), divided(r.high, most, mode));
    r.lane = keep(emit(i), r.low, r.high);
    r.den = kNoLane;
    r.den_low = r.den_high = 1;
  }
  r.unit = 1;
  if (decimals >= 0) {
    r.unit = unit;
    return r;
  }
  return scaled(r, kPowersOfTen[-decimals]);
}

LaneNumber LaneBuilder::within(const LaneNumber& n, const Interval& range) {
  if (n.bad || n.den != kNoLane || n.lane == kNoLane || range.low.missing() || range.high.missing()) return n;
  if (!range.low.small() || !range.high.small()) return n;
  const Wide low = Wide{range.low.num} * n.unit, high = Wide{range.high.num} * n.unit;
  if (low % range.low.den != 0 || high % range.high.den != 0) return n;
  const Wide least = low / range.low.den, most = high / range.high.den;
  if (least <= n.low && most >= n.high) return n;
  RangeData cut{range.low, range.high, false, false};
  return clamp(n, cut);
}

LaneNumber LaneBuilder::absolute(const LaneNumber& n) {
  if (n.bad || n.low >= 0) return n;
  LaneNumber negative = n;
  negative = sub(number(0), n);
  return lesser(n, negative, true);
}

LaneNumber LaneBuilder::choose(Truth t, const LaneNumber& left, const LaneNumber& right) {
  if (t.constant()) return t.value ? left : right;
  if (const LaneInstruction* no = made_by(t.lane, LaneOp::not_);
      no != nullptr && right.lane != kNoLane && left.lane != kNoLane) {
    return choose({no->b}, right, left);
  }
  LaneNumber a = left, b = right;
  if (!align(a, b)) return bad();
  LaneNumber r = a;
  r.low = std::min(a.low, b.low);
  r.high = std::max(a.high, b.high);
  if (a.lane == b.lane && a.value == b.value) return a;
  if (a.lane == kNoLane && b.lane == kNoLane) {
    if (a.value == 1 && b.value == 0) return in_lane_like(r, t.lane);
    if (a.value == 0 && b.value == 1) return in_lane_like(r, negate(t).lane);
    r.lane = emit(made(LaneOp::first, 0, 0, 0, b.value), {{t.lane, a.value}});
  } else if (const LaneInstruction* i = a.lane == kNoLane ? made_by(b.lane, LaneOp::first) : nullptr;
             i != nullptr && i->count < 64) {
    // 'v when a else w when b else x' is one instruction.
    std::vector<LaneTerm> list{{t.lane, a.value}};
    list.insert(list.end(), terms.begin() + i->terms, terms.begin() + i->terms + i->count);
    r.lane = emit(made(LaneOp::first, 0, 0, 0, i->x), std::move(list));
  } else if (a.lane == kNoLane && b.low == 0 && b.high == 1) {
    r.lane = emit(made(LaneOp::first, 0), {{t.lane, a.value}, {b.lane, 1}});
  } else {
    r.lane = emit(made(LaneOp::select, t.lane, lane(a), lane(b)));
  }
  keep(r.lane, r.low, r.high);
  return r;
}

LaneNumber LaneBuilder::in_lane_like(LaneNumber n, Lane lane) {
  n.lane = keep(lane, 0, 1);
  n.value = 0;
  return n;
}

Truth LaneBuilder::less(const LaneNumber& left, const LaneNumber& right) {
  LaneNumber a = left, b = right;
  // n / unit < v is n < ceil(v * unit), and v < n / unit is not n < floor(v * unit) + 1.
  if (b.constant() && a.lane != kNoLane && a.den == kNoLane) {
    const Wide top = Wide{b.value} * a.unit;
    const Wide bound = floor_of(top + b.unit - 1, b.unit);
    if (bound > a.high) return kYes;
    if (bound <= a.low) return kNo;
    return {keep(emit(made(LaneOp::lt_x, a.lane, 0, 0, static_cast<std::int64_t>(bound))), 0, 1)};
  }
  if (a.constant() && b.lane != kNoLane && b.den == kNoLane) {
    const Wide bound = floor_of(Wide{a.value} * b.unit, a.unit) + 1;
    if (bound > b.high) return kNo;
    if (bound <= b.low) return kYes;
    return negate({keep(emit(made(LaneOp::lt_x, b.lane, 0, 0, static_cast<std::int64_t>(bound))), 0, 1)});
  }
  if (!align(a, b)) {
    broken = true;
    return kNo;
  }
  if (a.high < b.low) return kYes;
  if (a.low >= b.high) return kNo;
  if (b.lane == kNoLane) return {keep(emit(made(LaneOp::lt_x, a.lane, 0, 0, b.value)), 0, 1)};
  if (a.lane == kNoLane) return negate({keep(emit(made(LaneOp::lt_x, b.lane, 0, 0, a.value + 1)), 0, 1)});
  return {keep(emit(made(LaneOp::lt, a.lane, b.lane)), 0, 1)};
}

Truth LaneBuilder::equal(const LaneNumber& left, const LaneNumber& right) {
  LaneNumber a = left, b = right;
  if (a.constant()) std::swap(a, b);
  if (b.constant() && a.lane != kNoLane && a.den == kNoLane && a.unit != b.unit) {
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
  if (a.lane == kNoLane && b.lane == kNoLane) return {kNoLane, a.value == b.value};
  if (a.lane == kNoLane) std::swap(a, b);
  if (b.lane == kNoLane) {
    if (a.low == 0 && a.high == 1) return b.value == 1 ? Truth{a.lane} : negate({a.lane});
    if (const LaneInstruction* i = made_by(a.lane, LaneOp::first); i != nullptr && i->count == 1) {
      const LaneTerm term = terms[i->terms];
      if (term.factor == b.value) return i->x == b.value ? kYes : Truth{term.lane};
      return i->x == b.value ? negate({term.lane}) : kNo;
    }
    // The sum of truths is 0 when none of them holds.
    if (const LaneInstruction* i = made_by(a.lane, LaneOp::weighted); i != nullptr && b.value == a.low) {
      std::vector<Truth> any;
      std::int64_t least = i->x;
      bool truths = true;
      for (std::uint32_t k = 0; k < i->count; ++k) {
        const LaneTerm term = terms[i->terms + k];
        const auto range = bounds[term.lane];
        truths = truths && range.first == 0 && range.second == 1 && term.factor != 0;
        least += std::min<std::int64_t>(term.factor, 0);
        any.push_back(term.factor > 0 ? Truth{term.lane} : negate({term.lane}));
      }
      if (truths && least == b.value) return negate(any_of(any));
    }
    return {keep(emit(made(LaneOp::eq_x, a.lane, 0, 0, b.value)), 0, 1)};
  }
  if (a.lane == b.lane) return kYes;
  return {keep(emit(made(LaneOp::eq, std::min(a.lane, b.lane), std::max(a.lane, b.lane))), 0, 1)};
}

LaneNumber LaneBuilder::decimal(const LaneNumber& n, int decimals) { return round(n, decimals, Rounding::half_away); }

}  // namespace assay
