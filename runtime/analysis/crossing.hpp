// Where two scores change places while one weight moves and the others keep their proportions. Let t be the share of a
// weight declared as w, and x = |t - w| / (1 - w). The composite of a record is then a line in x: C + x (v - C)
// upwards, and C - x (v - C) downwards, where C is its declared composite and v its composite if this dimension had the
// whole weight. The later steps (deductions, bonuses, the scale, rounding) shift the line, limit it and turn it into
// steps. The first order change of two such staircases has a closed form, so no search is needed. All arithmetic uses
// fractions, except soonest(), a lower bound in doubles that excludes most pairs.
#pragma once

#include "lang/number/number.hpp"

namespace assay {

// A score before rounding: start + slope * x, limited by the bounds of the scale; a missing bound does not limit.
struct ScoreLine {
  Number start, slope, low, high;
};

// The same in doubles, each within one rounding of the fraction; bounds without effect are infinite. `size`: the sum of
// the absolute values from which start and slope were computed.
struct ScoreApproximation {
  double start, slope, low, high, size;
};

class Crossing {
 public:
  // `unit`: of the score's last place; missing: the score is not rounded. `decimals`: to which it is rounded.
  Crossing(Number unit, int decimals, NumberPool& pool);

  // 1: a is better, 0: tied, -1: worse. `tie`: negative if a is better when the scores are equal.
  int at_start(const ScoreLine& a, const ScoreLine& b, int tie) const;
  int beyond(const ScoreLine& a, const ScoreLine& b, int tie, Number x) const;  // just beyond x
  // The largest x below `end` up to which their order is the same as at the start; missing: the order holds up to
  // `end`.
  Number first(const ScoreLine& a, const ScoreLine& b, int tie, Number end) const;

 private:
  struct Piece {  // from some x on: at + slope * (x' - x)
    Number at, slope;
  };
  Piece piece(const ScoreLine& line, Number x) const;
  Number rounded(Number n) const;
  Number rounded_beyond(const Piece& p) const;
  Number edge_above(Number n, bool strictly) const;  // the next number at which the rounded value changes
  Number edge_below(Number n, bool strictly) const;
  int order(const Piece& a, const Piece& b, int tie) const;
  Number passes(const Piece& a, const Piece& b) const;       // from where b is rounded above a
  Number catches_up(const Piece& a, const Piece& b) const;   // from where b is no longer rounded below a
  Number steps_above(const Piece& a, const Piece& b) const;  // for passes(): b over an edge, or a below one
  Number meet(const Piece& a, const Piece& b, Number gap) const;

  Number unit_, half_;
  int decimals_;
  NumberPool& pool_;
};

// A lower bound of every x that Crossing::first() can return. `unit`: 0 if scores are not rounded.
double soonest(const ScoreApproximation& a, const ScoreApproximation& b, double unit);

}  // namespace assay
