// Interval arithmetic on ranges of numbers: what the checker knows of a value before a record is seen. A bound that is
// missing is infinite. Results contain every possible value; open bounds are kept where that is easy and closed
// otherwise, which only makes the range wider.
#pragma once

#include "lang/value/type.hpp"

namespace assay {

Interval exactly(Number n);
Interval interval_add(const Interval& a, const Interval& b, NumberPool& pool);
Interval interval_neg(const Interval& a, NumberPool& pool);
Interval interval_mul(const Interval& a, const Interval& b, NumberPool& pool);
Interval interval_div(const Interval& a, const Interval& b, NumberPool& pool);
Interval interval_min(const Interval& a, const Interval& b);
Interval interval_max(const Interval& a, const Interval& b);
Interval interval_abs(const Interval& a, NumberPool& pool);
Interval interval_round(const Interval& a, int decimals, Rounding mode, NumberPool& pool);
Interval interval_hull(const Interval& a, const Interval& b);
bool inside(const Interval& a, const Interval& outer);  // every value of a is one of outer
bool holds(const Interval& range, Number n);            // n lies within
bool empty(const Interval& range);
bool finite(const Interval& range);

}  // namespace assay
