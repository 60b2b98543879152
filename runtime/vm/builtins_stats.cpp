// Built-in functions that compute one number from a list. All are exact if the result is rational; a missing item makes
// the result missing.
#include "runtime/vm/builtins.hpp"

#include <algorithm>

namespace assay::builtins {

namespace {

bool complete(ExecutionContext& m, const ListValue& list) {
  m.charge(list.size / 2);
  for (std::uint32_t i = 0; i < list.size; ++i)
    if (list.items[i].missing()) return false;
  return true;
}

Number sum(ExecutionContext& m, const ListValue& list) {
  Number total = whole(0);
  for (std::uint32_t i = 0; i < list.size; ++i) total = add(total, list.items[i].number, *m.pool);
  return total;
}

// Puts the sorted numbers into m.numbers.
void sort_numbers(ExecutionContext& m, const ListValue& list) {
  m.charge(std::uint64_t{list.size} * 2);
  m.numbers.clear();
  for (std::uint32_t i = 0; i < list.size; ++i) m.numbers.push_back(list.items[i].number);
  std::sort(m.numbers.begin(), m.numbers.end(), [&](Number a, Number b) { return m.compare(a, b) < 0; });
}

// Sum of squares about the mean, over n - 1.
Number variance(ExecutionContext& m, const ListValue& list) {
  if (list.size < 2 || !complete(m, list)) return kMissing;
  NumberPool& pool = *m.pool;
  const Number n = whole(list.size);
  Number squares = whole(0);
  for (std::uint32_t i = 0; i < list.size; ++i) {
    const Number x = list.items[i].number;
    squares = add(squares, mul(x, x, pool), pool);
  }
  const Number total = sum(m, list);
  return div(sub(squares, div(mul(total, total, pool), n, pool), pool), whole(std::int64_t{list.size} - 1), pool);
}

}  // namespace

Value sum_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  m.charge(args[0].list.size / 4);
  return make_number(sum(m, args[0].list));
}

Value product_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  const ListValue& list = args[0].list;
  m.charge(list.size / 4);
  Number total = whole(1);
  for (std::uint32_t i = 0; i < list.size; ++i) total = mul(total, list.items[i].number, *m.pool);
  return make_number(total);
}

Value mean_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  const ListValue& list = args[0].list;
  m.charge(list.size / 4);
  return make_number(div(sum(m, list), whole(list.size), *m.pool));
}

Value median_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  const ListValue& list = args[0].list;
  if (list.size == 0 || !complete(m, list)) return missing_value();
  sort_numbers(m, list);
  const std::size_t middle = list.size / 2;
  if (list.size % 2) return make_number(m.numbers[middle]);
  return make_number(div(add(m.numbers[middle - 1], m.numbers[middle], *m.pool), whole(2), *m.pool));
}

// The root of the product; for very long lists, whose product would be huge, the exponential of the mean logarithm.
Value geomean_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  const ListValue& list = args[0].list;
  if (list.size == 0 || !complete(m, list)) return missing_value();
  NumberPool& pool = *m.pool;
  bool zero = false;
  for (std::uint32_t i = 0; i < list.size; ++i) {
    const int s = sign(list.items[i].number);
    if (s < 0) return missing_value();
    zero = zero || s == 0;
  }
  if (zero) return make_number(whole(0));
  const bool logarithms = list.size > 4096;
  Number total = whole(logarithms ? 0 : 1);
  for (std::uint32_t i = 0; i < list.size; ++i) {
    const Number x = list.items[i].number;
    total = logarithms ? add(total, ln(x, pool), pool) : mul(total, x, pool);
    if (logarithms) m.charge(16);
  }
  if (logarithms) return make_number(exp(div(total, whole(list.size), pool), pool));
  return make_number(pow(total, Number{1, list.size}, pool));
}

Value harmonic_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  const ListValue& list = args[0].list;
  if (list.size == 0 || !complete(m, list)) return missing_value();
  Number total = whole(0);
  for (std::uint32_t i = 0; i < list.size; ++i) {
    if (sign(list.items[i].number) <= 0) return missing_value();
    total = add(total, div(whole(1), list.items[i].number, *m.pool), *m.pool);
    m.charge(1);
  }
  return make_number(div(whole(list.size), total, *m.pool));
}

Value variance_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  return make_number(variance(m, args[0].list));
}
Value stdev_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  return make_number(assay::sqrt(variance(m, args[0].list), *m.pool));
}

// 12 Σ (i - (n - 1) / 2) x / (n (n² - 1))
Value slope_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  const ListValue& list = args[0].list;
  if (list.size < 2 || !complete(m, list)) return missing_value();
  NumberPool& pool = *m.pool;
  const std::int64_t n = list.size;
  Number total = whole(0);
  for (std::int64_t i = 0; i < n; ++i) total = add(total, mul(whole(2 * i - n + 1), list.items[i].number, pool), pool);
  const Number divisor = mul(whole(n), sub(mul(whole(n), whole(n), pool), whole(1), pool), pool);
  return make_number(div(mul(whole(6), total, pool), divisor, pool));
}

Value percentile_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  const Number p = args[0].number;
  const ListValue& list = args[1].list;
  if (list.size == 0 || compare(p, whole(0)) < 0 || compare(p, whole(100)) > 0 || !complete(m, list))
    return missing_value();
  sort_numbers(m, list);
  NumberPool& pool = *m.pool;
  const Number position = div(mul(p, whole(std::int64_t{list.size} - 1), pool), whole(100), pool);
  const Number below = round_to(position, 0, Rounding::floor, pool);
  std::int64_t at = 0;
  if (!to_int64(below, at)) return missing_value();
  const Number low = m.numbers[static_cast<std::size_t>(at)];
  if (at + 1 >= list.size) return make_number(low);
  const Number high = m.numbers[static_cast<std::size_t>(at) + 1];
  return make_number(add(low, mul(sub(position, below, pool), sub(high, low, pool), pool), pool));
}

}  // namespace assay::builtins
