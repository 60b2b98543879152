// The first order change of two staircases, in closed form. See crossing.hpp.
#include "runtime/analysis/crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {

namespace {

Number earlier(Number a, Number b) {
  if (a.missing()) return b;
  return b.missing() || compare(a, b) <= 0 ? a : b;
}

}  // namespace

Crossing::Crossing(Number unit, int decimals, NumberPool& pool)
    : unit_(unit), half_(unit.missing() ? whole(0) : div(unit, whole(2), pool)), decimals_(decimals), pool_(pool) {}

Number Crossing::rounded(Number n) const {
  return unit_.missing() ? n : round_to(n, decimals_, Rounding::half_away, pool_);
}

// A constant piece is replaced by its rounded value, which gives the same staircase and is never on an edge.
Crossing::Piece Crossing::piece(const ScoreLine& line, Number x) const {
  const Number at = add(line.start, mul(line.slope, x, pool_), pool_);
  const int direction = sign(line.slope);
  if (!line.low.missing()) {
    const int side = compare(at, line.low);
    if (side < 0 || (side == 0 && direction <= 0)) return {rounded(line.low), whole(0)};
  }
  if (!line.high.missing()) {
    const int side = compare(at, line.high);
    if (side > 0 || (side == 0 && direction >= 0)) return {rounded(line.high), whole(0)};
  }
  return direction == 0 ? Piece{rounded(at), whole(0)} : Piece{at, line.slope};
}

// Rounding edges are at odd halves of the unit.
Number Crossing::edge_above(Number n, bool strictly) const {
  const Number position = div(sub(n, half_, pool_), unit_, pool_);
  Number edge = round_to(position, 0, Rounding::ceil, pool_);
  if (strictly && compare(edge, position) == 0) edge = add(edge, whole(1), pool_);
  return add(mul(edge, unit_, pool_), half_, pool_);
}

Number Crossing::edge_below(Number n, bool strictly) const {
  const Number position = div(sub(n, half_, pool_), unit_, pool_);
  Number edge = round_to(position, 0, Rounding::floor, pool_);
  if (strictly && compare(edge, position) == 0) edge = sub(edge, whole(1), pool_);
  return add(mul(edge, unit_, pool_), half_, pool_);
}

Number Crossing::rounded_beyond(const Piece& p) const {
  const int direction = sign(p.slope);
  if (direction == 0) return p.at;
  return direction > 0 ? sub(edge_above(p.at, true), half_, pool_) : add(edge_below(p.at, true), half_, pool_);
}

int Crossing::at_start(const ScoreLine& a, const ScoreLine& b, int tie) const {
  const auto value = [&](const ScoreLine& line) {
    Number n = line.start;
    if (!line.low.missing()) n = max(n, line.low);
    if (!line.high.missing()) n = min(n, line.high);
    return rounded(n);
  };
  const int order = compare(value(a), value(b));
  return order != 0 ? order : -tie;
}

int Crossing::order(const Piece& a, const Piece& b, int tie) const {
  int order = 0;
  if (unit_.missing()) {
    order = compare(a.at, b.at);
    if (order == 0) order = compare(a.slope, b.slope);
  } else {
    order = compare(rounded_beyond(a), rounded_beyond(b));
  }
  return order != 0 ? order : -tie;
}

int Crossing::beyond(const ScoreLine& a, const ScoreLine& b, int tie, Number x) const {
  return order(piece(a, x), piece(b, x), tie);
}

// Where a - b has shrunk to `gap`; missing: nowhere.
Number Crossing::meet(const Piece& a, const Piece& b, Number gap) const {
  const Number closing = sub(b.slope, a.slope, pool_);
  if (sign(closing) <= 0) return kMissing;
  return div(sub(sub(a.at, b.at, pool_), gap, pool_), closing, pool_);
}

// From the same x, with b not below a: the first time that an edge lies between them. Either b rises over the edge
// above it, or a falls below the edge under it; if the gap closes again, only before that.
Number Crossing::steps_above(const Piece& a, const Piece& b) const {
  Number first = kMissing;
  // An edge on which both start can only separate them if they leave it in different directions.
  const bool strictly = sign(b.slope) <= 0 || sign(a.slope) >= 0;
  if (sign(b.slope) > 0) first = div(sub(edge_above(b.at, strictly), b.at, pool_), b.slope, pool_);
  if (sign(a.slope) < 0) first = earlier(first, div(sub(edge_below(a.at, strictly), a.at, pool_), a.slope, pool_));
  if (first.missing()) return first;
  const Number closes = meet(b, a, whole(0));
  return closes.missing() || compare(first, closes) < 0 ? first : kMissing;
}

Number Crossing::passes(const Piece& a, const Piece& b) const {
  const int above = compare(a.at, b.at);
  if (unit_.missing()) return above >= 0 ? meet(a, b, whole(0)) : kMissing;
  if (above <= 0) {
    if (above == 0 && compare(b.slope, a.slope) <= 0) return kMissing;
    return steps_above(a, b);
  }
  const Number level = meet(a, b, whole(0));
  if (level.missing()) return level;
  const Number at = add(a.at, mul(a.slope, level, pool_), pool_);
  const Number then = steps_above({at, a.slope}, {at, b.slope});
  return then.missing() ? then : add(level, then, pool_);
}

// a is rounded above b, so an edge is between them. That remains so while they are more than a unit apart. From then on
// at most one edge is between them, and the order changes when b rises over it or a falls below it, unless the other
// one has brought the next edge between them by then.
Number Crossing::catches_up(const Piece& a, const Piece& b) const {
  if (unit_.missing()) return meet(a, b, whole(0));
  Number from = whole(0);
  Piece top = a, bottom = b;
  if (compare(sub(a.at, b.at, pool_), unit_) > 0) {
    from = meet(a, b, unit_);
    if (from.missing()) return from;
    top.at = add(a.at, mul(a.slope, from, pool_), pool_);
    bottom.at = add(b.at, mul(b.slope, from, pool_), pool_);
  }
  const Number edge = edge_above(bottom.at, sign(bottom.slope) > 0);
  const int under = compare(edge, top.at);
  if (under > 0 || (under == 0 && sign(top.slope) <= 0)) return from;
  Number first = kMissing;
  if (sign(bottom.slope) > 0) {
    const Number when = div(sub(edge, bottom.at, pool_), bottom.slope, pool_);
    const Number other = add(top.at, mul(top.slope, when, pool_), pool_);
    if (compare(other, add(edge, unit_, pool_)) < 0) first = when;
  }
  if (sign(top.slope) < 0) {
    const Number when = div(sub(edge, top.at, pool_), top.slope, pool_);
    const Number other = add(bottom.at, mul(bottom.slope, when, pool_), pool_);
    if (compare(other, sub(edge, unit_, pool_)) > 0) first = earlier(first, when);
  }
  return first.missing() ? first : add(from, first, pool_);
}

Number Crossing::first(const ScoreLine& a, const ScoreLine& b, int tie, Number end) const {
  const int now = at_start(a, b, tie);
  Number x = whole(0);
  // A line has at most four pieces: a new one begins at each bound of the scale that it meets.
  for (int pieces = 0; pieces <= 4 && compare(x, end) < 0; ++pieces) {
    const Piece p = piece(a, x), q = piece(b, x);
    if (order(p, q, tie) != now) return x;
    Number next = end;
    for (const ScoreLine* line : {&a, &b}) {
      for (const Number bound : {line->low, line->high}) {
        if (bound.missing() || sign(line->slope) == 0) continue;
        const Number when = div(sub(bound, line->start, pool_), line->slope, pool_);
        if (compare(when, x) > 0) next = min(next, when);
      }
    }
    Number step = kMissing;
    if (now == 0) {
      step = earlier(passes(p, q), passes(q, p));
    } else {
      const Piece &top = now > 0 ? p : q, &bottom = now > 0 ? q : p;
      const bool wins_ties = now > 0 ? tie < 0 : tie > 0;
      step = wins_ties ? passes(top, bottom) : catches_up(top, bottom);
    }
    if (!step.missing()) {
      const Number when = add(x, step, pool_);
      if (compare(when, next) < 0) return when;
    }
    x = next;
  }
  return kMissing;
}

namespace {

// Relative error of a handful of double operations, with a large margin: 2^-53 is 1.1e-16.
constexpr double kErrorOfLine = 1e-14;
constexpr double kNever = std::numeric_limits<double>::infinity();

// The least distance in x after which a line has risen by `above` or fallen by `below`.
double takes(const ScoreApproximation& line, double below, double above, double error) {
  const double distance = std::abs(line.slope) <= error ? std::min(below, above) : line.slope > 0 ? above : below;
  return std::max(0.0, distance - error) / (std::abs(line.slope) + error);
}

// The distance before a bound of the scale starts or stops limiting the line; 0 if in doubt.
double until_cut(const ScoreApproximation& line, double error) {
  const double below = line.start - line.low, above = line.high - line.start;
  if (below <= error || above <= error) return 0;
  return std::isfinite(below) || std::isfinite(above) ? takes(line, below, above, error) : kNever;
}

// The distance before the rounded value of the line changes; 0 if in doubt.
double until_step(const ScoreApproximation& line, double unit, double error) {
  const double position = line.start / unit - 0.5;
  const double below = (position - std::floor(position)) * unit, above = (std::ceil(position) - position) * unit;
  return below <= error || above <= error ? 0 : takes(line, below, above, error);
}

}  // namespace

double soonest(const ScoreApproximation& a, const ScoreApproximation& b, double unit) {
  const double error = kErrorOfLine * (a.size + b.size + unit);
  double until = std::min(until_cut(a, error), until_cut(b, error));
  if (until <= 0) return 0;
  const double room = std::abs(a.start - b.start) - unit - error;
  if (room > 0) {
    const bool closes = (a.start > b.start) == (b.slope > a.slope);
    const double rate = (closes ? std::abs(a.slope - b.slope) : 0) + error;
    until = std::min(until, room / rate);
  } else if (unit > 0) {
    until = std::min(until, std::min(until_step(a, unit, error), until_step(b, unit, error)));
  } else {
    return 0;
  }
  return until * (1 - kErrorOfLine);
}

}  // namespace assay
