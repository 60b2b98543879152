// Interval arithmetic on ranges of numbers: the checker's knowledge of a value before a record is seen. A missing bound
// is infinite. Results contain every possible value; open bounds are kept where that is easy and closed otherwise,
// which only widens the range.
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
Interval interval_pow(const Interval& a, const Interval& b, NumberPool& pool);
Interval interval_exp(const Interval& a);
Interval interval_sqrt(const Interval& a, NumberPool& pool);
Interval interval_mod(const Interval& b, bool wholes, NumberPool& pool);  // of any a mod b; `wholes`: both are
Interval interval_product(const Interval& each);                          // of any number of factors
Interval interval_round(const Interval& a, int decimals, Rounding mode, NumberPool& pool);
Interval interval_hull(const Interval& a, const Interval& b);
bool inside(const Interval& a, const Interval& outer);  // every value of a is in outer
bool holds(const Interval& range, Number n);            // n is in the range
bool empty(const Interval& range);
bool finite(const Interval& range);

}  // namespace assay
