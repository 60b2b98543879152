// Interval arithmetic. See interval.hpp.
#include "lang/value/interval.hpp"

namespace assay {

namespace {

// A bound in extended arithmetic: infinite is -1 or 1, otherwise the number.
struct Bound {
  int infinite = 0;
  Number n;
};
Bound low(const Interval& a) { return a.low.missing() ? Bound{-1, {}} : Bound{0, a.low}; }
Bound high(const Interval& a) { return a.high.missing() ? Bound{1, {}} : Bound{0, a.high}; }
int sign_of(const Bound& b) { return b.infinite ? b.infinite : sign(b.n); }
int order(const Bound& a, const Bound& b) {
  if (a.infinite || b.infinite) return a.infinite < b.infinite ? -1 : a.infinite > b.infinite ? 1 : 0;
  return compare(a.n, b.n);
}
Bound times(const Bound& a, const Bound& b, NumberPool& pool) {
  const int s = sign_of(a) * sign_of(b);
  if (s == 0) return {0, whole(0)};  // 0 × ∞ is 0 here, because infinite bounds are never reached
  if (a.infinite || b.infinite) return {s, {}};
  const Number product = mul(a.n, b.n, pool);
  return product.missing() ? Bound{s, {}} : Bound{0, product};  // a number too long to keep: unbounded
}
Interval from(const Bound& l, const Bound& h, bool low_open = false, bool high_open = false) {
  Interval r;
  if (!l.infinite) r.low = l.n, r.low_open = low_open;
  if (!h.infinite) r.high = h.n, r.high_open = high_open;
  return r;
}

}  // namespace

Interval exactly(Number n) { return {n, n, false, false}; }

Interval interval_add(const Interval& a, const Interval& b, NumberPool& pool) {
  Interval r;
  if (!a.low.missing() && !b.low.missing()) r.low = add(a.low, b.low, pool), r.low_open = a.low_open || b.low_open;
  if (!a.high.missing() && !b.high.missing())
    r.high = add(a.high, b.high, pool), r.high_open = a.high_open || b.high_open;
  return r;
}

Interval interval_neg(const Interval& a, NumberPool& pool) {
  Interval r;
  if (!a.high.missing()) r.low = neg(a.high, pool), r.low_open = a.high_open;
  if (!a.low.missing()) r.high = neg(a.low, pool), r.high_open = a.low_open;
  return r;
}

Interval interval_mul(const Interval& a, const Interval& b, NumberPool& pool) {
  const Bound corners[] = {times(low(a), low(b), pool), times(low(a), high(b), pool), times(high(a), low(b), pool),
                           times(high(a), high(b), pool)};
  Bound least = corners[0], most = corners[0];
  for (const Bound& c : corners) {
    if (order(c, least) < 0) least = c;
    if (order(c, most) > 0) most = c;
  }
  return from(least, most);
}

Interval interval_div(const Interval& a, const Interval& b, NumberPool& pool) {
  // A quotient by an interval that contains or touches 0 is unbounded on that side; x / 0 itself is missing.
  const int l = sign_of(low(b)), h = sign_of(high(b));
  if (l < 0 && h > 0) return {};
  if (l == 0 && h == 0) return {};
  Bound inverse_low, inverse_high;
  const auto inverse = [&pool](const Bound& x, int when_zero) {
    if (x.infinite) return Bound{0, whole(0)};
    if (sign(x.n) == 0) return Bound{when_zero, {}};
    return Bound{0, div(whole(1), x.n, pool)};
  };
  inverse_low = inverse(high(b), -1);
  inverse_high = inverse(low(b), 1);
  return interval_mul(a, from(inverse_low, inverse_high), pool);
}

// Of equal bounds: reached if one of the two values reaches it, or only if both do.
Interval interval_min(const Interval& a, const Interval& b) {
  const int l = order(low(a), low(b)), h = order(high(a), high(b));
  return from(l <= 0 ? low(a) : low(b), h <= 0 ? high(a) : high(b),
              l < 0   ? a.low_open
              : l > 0 ? b.low_open
                      : a.low_open && b.low_open,
              h < 0   ? a.high_open
              : h > 0 ? b.high_open
                      : a.high_open || b.high_open);
}

Interval interval_max(const Interval& a, const Interval& b) {
  const int l = order(low(a), low(b)), h = order(high(a), high(b));
  return from(l >= 0 ? low(a) : low(b), h >= 0 ? high(a) : high(b),
              l > 0   ? a.low_open
              : l < 0 ? b.low_open
                      : a.low_open || b.low_open,
              h > 0   ? a.high_open
              : h < 0 ? b.high_open
                      : a.high_open && b.high_open);
}

Interval interval_abs(const Interval& a, NumberPool& pool) {
  if (sign_of(low(a)) >= 0) return a;
  const Interval n = interval_neg(a, pool);
  if (sign_of(high(a)) <= 0) return n;
  Interval r = interval_max(a, n);
  r.low = whole(0);
  r.low_open = false;
  return r;
}

Interval interval_pow(const Interval& a, const Interval& b, NumberPool& pool) {
  Interval r;
  std::int64_t power = 0;
  const bool constant = finite(b) && compare(b.low, b.high) == 0;
  constexpr std::int64_t kMostPower = 16;
  if (constant && to_int64(b.low, power) && power >= 0 && power % 2 == 0 && power <= kMostPower) {
    const Interval m = interval_abs(a, pool);
    if (!m.low.missing()) r.low = pow(m.low, b.low, pool);
    if (!m.high.missing()) r.high = pow(m.high, b.low, pool);
    return r;
  }
  if (sign_of(low(a)) < 0) return r;
  r.low = whole(0);
  if (constant && sign(b.low) > 0 && !a.high.missing()) r.high = pow(a.high, b.low, pool);
  // Of bases up to 1, and of those from 1; 0 to a power below 0 is missing.
  const bool to_1 = order(high(a), Bound{0, whole(1)}) <= 0, from_1 = order(low(a), Bound{0, whole(1)}) >= 0;
  const bool up = sign_of(low(b)) >= 0, down = sign_of(high(b)) <= 0;
  if ((from_1 && up) || (to_1 && down)) r.low = whole(1);
  if ((to_1 && up) || (from_1 && down)) r.high = r.high.missing() ? whole(1) : min(r.high, whole(1));
  return r;
}

Interval interval_exp(const Interval& a) {
  Interval r;
  r.low = whole(sign_of(low(a)) >= 0 ? 1 : 0);
  if (sign_of(high(a)) <= 0) r.high = whole(1);
  return r;
}

Interval interval_sqrt(const Interval& a, NumberPool& pool) {
  Interval r;
  r.low = whole(0);
  if (!a.high.missing() && sign(a.high) >= 0) r.high = sqrt(a.high, pool);
  return r;
}

Interval interval_mod(const Interval& b, bool wholes, NumberPool& pool) {
  Interval r;
  if (b.low.missing() || sign(b.low) < 0) return r;
  r.low = whole(0);
  r.high = b.high;
  const bool above_0 = !b.high.missing() && sign(b.high) > 0;
  if (wholes && above_0 && is_whole(b.high)) r.high = sub(b.high, whole(1), pool);
  else r.high_open = above_0;
  return r;
}

Interval interval_product(const Interval& each) {
  Interval r;
  const Bound one{0, whole(1)}, minus_one{0, whole(-1)};
  const bool to_1 = order(high(each), one) <= 0;
  if (sign_of(low(each)) >= 0) {
    r.low = whole(order(low(each), one) >= 0 ? 1 : 0);
    if (to_1) r.high = whole(1);
  } else if (to_1 && order(low(each), minus_one) >= 0) {
    r = {whole(-1), whole(1), false, false};
  }
  return r;
}

Interval interval_round(const Interval& a, int decimals, Rounding mode, NumberPool& pool) {
  Interval r;
  if (!a.low.missing()) r.low = round_to(a.low, decimals, mode, pool);
  if (!a.high.missing()) r.high = round_to(a.high, decimals, mode, pool);
  return r;
}

Interval interval_hull(const Interval& a, const Interval& b) {
  const int l = order(low(a), low(b)), h = order(high(a), high(b));
  return from(l <= 0 ? low(a) : low(b), h >= 0 ? high(a) : high(b),
              l < 0   ? a.low_open
              : l > 0 ? b.low_open
                      : a.low_open && b.low_open,
              h > 0   ? a.high_open
              : h < 0 ? b.high_open
                      : a.high_open && b.high_open);
}

bool holds(const Interval& range, Number n) {
  if (!range.low.missing()) {
    const int c = compare(n, range.low);
    if (c < 0 || (c == 0 && range.low_open)) return false;
  }
  if (!range.high.missing()) {
    const int c = compare(n, range.high);
    if (c > 0 || (c == 0 && range.high_open)) return false;
  }
  return true;
}

bool inside(const Interval& a, const Interval& outer) {
  const int l = order(low(a), low(outer)), h = order(high(a), high(outer));
  const bool low_fits = l > 0 || (l == 0 && (!outer.low_open || a.low_open || outer.low.missing()));
  const bool high_fits = h < 0 || (h == 0 && (!outer.high_open || a.high_open || outer.high.missing()));
  return low_fits && high_fits;
}

bool empty(const Interval& range) {
  if (range.low.missing() || range.high.missing()) return false;
  const int c = compare(range.low, range.high);
  return c > 0 || (c == 0 && (range.low_open || range.high_open));
}

bool finite(const Interval& range) { return !range.low.missing() && !range.high.missing(); }

}  // namespace assay
