// Where two scores change places while one weight moves and the others keep their proportions. With t the share of a weight
// that is declared as w, and x = |t - w| / (1 - w), the composite of a record is a line in x: C + x (v - C) upwards, and
// C - x (v - C) downwards, where C is its declared composite and v what the whole weight on that dimension would give. What
// follows the composite (deductions, bonuses, the scale, rounding) shifts the line, cuts it and turns it into steps. The
// first change of two such staircases has a closed form, so nothing is stepped through. Fractions throughout, but for
// soonest(), a lower bound in doubles that rules most pairs out.
#pragma once

#include "lang/number/number.hpp"

namespace assay {

// A score before rounding: start + slope * x, and then the bounds of the scale; a missing bound does not cut.
struct ScoreLine {
  Number start, slope, low, high;
};

// The same in doubles, each of them at most one rounding away from the fraction; bounds that do not cut are infinite.
// `size`: the sum of the absolute values that start and slope were computed from.
struct ScoreApproximation {
  double start, slope, low, high, size;
};

class Crossing {
 public:
  // `unit`: of the last place of the score; missing: the score is not rounded. `decimals`: of that rounding.
  Crossing(Number unit, int decimals, NumberPool& pool);

  // 1: a stands before b, 0: they are level, -1: behind. `tie`: negative when a stands before b where scores are equal.
  int at_start(const ScoreLine& a, const ScoreLine& b, int tie) const;
  int beyond(const ScoreLine& a, const ScoreLine& b, int tie, Number x) const;  // just beyond x
  // The largest x below `end` up to which they stand as at the start; missing: they do up to `end`.
  Number first(const ScoreLine& a, const ScoreLine& b, int tie, Number end) const;

 private:
  struct Piece {  // from some x on: at + slope * (x' - x)
    Number at, slope;
  };
  Piece piece(const ScoreLine& line, Number x) const;
  Number rounded(Number n) const;
  Number rounded_beyond(const Piece& p) const;
  Number edge_above(Number n, bool strictly) const;  // the next number at which rounding steps
  Number edge_below(Number n, bool strictly) const;
  int order(const Piece& a, const Piece& b, int tie) const;
  Number passes(const Piece& a, const Piece& b) const;       // from where on b is rounded above a
  Number catches_up(const Piece& a, const Piece& b) const;   // from where on b is not rounded below a
  Number steps_above(const Piece& a, const Piece& b) const;  // of passes(): b over an edge, or a under one
  Number meet(const Piece& a, const Piece& b, Number gap) const;

  Number unit_, half_;
  int decimals_;
  NumberPool& pool_;
};

// A lower bound of every x that Crossing::first() can give. `unit`: 0 when scores are not rounded.
double soonest(const ScoreApproximation& a, const ScoreApproximation& b, double unit);

}  // namespace assay
