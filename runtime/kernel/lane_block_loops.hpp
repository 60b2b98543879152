// The loops of lane_block.hpp, for one instruction set: included by one file for each, which defines ASSAY_LANES_SET (a
// namespace), ASSAY_LANES_NAME and ASSAY_LANES_FMA. Everything here has internal linkage and calls nothing of the
// standard library: a template instantiated here with wider instructions must not become the program's only copy.
#include "runtime/kernel/lane_block.hpp"

// The loop that follows writes nothing that it reads: registers of a block are apart, and columns are the host's.
#ifdef __clang__
#define ASSAY_LANES_INDEPENDENT  // it would warn of loops that it leaves as they are
#else
#define ASSAY_LANES_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace assay {
namespace {
namespace ASSAY_LANES_SET {

// Wrapping arithmetic: what overflows on the way comes back, because the result is known to fit.
template <class T>
struct Unsigned;
template <>
struct Unsigned<std::int32_t> {
  using type = std::uint32_t;
};
template <>
struct Unsigned<std::int64_t> {
  using type = std::uint64_t;
};

template <class T>
inline T limited(std::int64_t v) {
  constexpr std::int64_t most = sizeof(T) == 4 ? INT32_MAX : INT64_MAX;
  return static_cast<T>(v > most ? most : v < -most ? -most : v);
}

// ---- loads

// n / scale as the nearest double. With a fused multiplication by 1 / scale in two parts it is off by less than 2^-106
// of itself before it is rounded, and n / scale is no closer than 2^-84 to where rounding turns (n and scale are
// whole, scale at most 10^9), so it is the quotient that a division gives.
struct Decimal {
  double scale, high, low;
};
inline Decimal decimal(double scale) {
  const double high = 1 / scale;
  return {scale, high, __builtin_fma(-high, scale, 1.0) / scale};
}
inline double nearest(double n, const Decimal& d) {
#if ASSAY_LANES_FMA
  return __builtin_fma(n, d.high, n * d.low);
#else
  return n / d.scale;
#endif
}

// kCount columns of doubles, side by side in one loop. A value is for the kernel when it is the double next to n /
// scale for an n within the bounds; of kMissing columns NaN is missing.
template <class T, int kCount, bool kMissing, bool kSigned>
void load_doubles(const BlockStep* steps, const BlockRun& run, T* memory, T* __restrict refused) {
  const double* values[kCount];
  T *lanes[kCount], *givens[kCount];
  double low[kCount], high[kCount];
  T absent[kCount], there[kCount];
  Decimal by[kCount];
  for (int k = 0; k < kCount; ++k) {
    const BlockStep& s = steps[k];
    values[k] = reinterpret_cast<const double*>(run.columns[s.port].data) + run.first;
    lanes[k] = memory + static_cast<std::size_t>(s.a) * run.stride;
    givens[k] = memory + static_cast<std::size_t>(s.b) * run.stride;
    low[k] = static_cast<double>(s.low);
    high[k] = static_cast<double>(s.high);
    absent[k] = limited<T>(s.absent);
    there[k] = s.absent_given ? 1 : 0;
    by[k] = decimal(s.scale);
  }
  const std::uint32_t rows = run.rows;
  ASSAY_LANES_INDEPENDENT
  for (std::uint32_t i = 0; i < rows; ++i) {
    T bad = 0;
    for (int k = 0; k < kCount; ++k) {
      const double v = values[k][i];
      double x = v * by[k].scale;
      x = x > low[k] ? x : low[k];  // also of NaN
      x = x < high[k] ? x : high[k];
      const T n = static_cast<T>(kSigned ? x + (x < 0 ? -0.5 : 0.5) : x + 0.5);
      const bool same = nearest(static_cast<double>(n), by[k]) == v;
      if constexpr (kMissing) {
        const bool known = v == v;
        bad |= (known & !same) ? T{1} : T{0};
        lanes[k][i] = known ? n : absent[k];
        givens[k][i] = known ? T{1} : there[k];
      } else {
        bad |= same ? T{0} : T{1};
        lanes[k][i] = n;
      }
    }
    refused[i] |= bad;
  }
}

template <class T, int kCount>
void load_doubles(const BlockStep* steps, const BlockRun& run, T* memory, T* refused, bool missing, bool sign) {
  if (missing) {
    if (sign) load_doubles<T, kCount, true, true>(steps, run, memory, refused);
    else load_doubles<T, kCount, true, false>(steps, run, memory, refused);
  } else {
    if (sign) load_doubles<T, kCount, false, true>(steps, run, memory, refused);
    else load_doubles<T, kCount, false, false>(steps, run, memory, refused);
  }
}

template <class T>
void load_floats(const BlockStep& s, const LaneColumn& c, std::size_t first, std::uint32_t rows, T* __restrict a,
                 T* __restrict given, T* __restrict refused) {
  const char* const base = c.data + static_cast<std::ptrdiff_t>(first) * c.stride;
  const double low = static_cast<double>(s.low), high = static_cast<double>(s.high);
  const Decimal by = decimal(s.scale);
  for (std::uint32_t i = 0; i < rows; ++i) {
    double v;
    __builtin_memcpy(&v, base + static_cast<std::ptrdiff_t>(i) * c.stride, sizeof v);
    double x = v * s.scale;
    x = x > low ? x : low;
    x = x < high ? x : high;
    const T n = static_cast<T>(x + (x < 0 ? -0.5 : 0.5));
    const bool known = v == v, same = nearest(static_cast<double>(n), by) == v;
    if (given != nullptr) given[i] = known || s.absent_given;
    a[i] = known ? n : limited<T>(s.absent);
    refused[i] |= known ? !same : !s.may_miss;
  }
}

template <class T, class D, bool kAdjacent>
void load_integers(const BlockStep& s, const LaneColumn& c, std::size_t first, std::uint32_t rows, T* __restrict a,
                   T* __restrict given, T* __restrict refused) {
  const char* const base = c.data + static_cast<std::ptrdiff_t>(first) * c.stride;
  const D* const values = reinterpret_cast<const D*>(base);
  // Bounds before the multiplication, so that it cannot overflow.
  const std::int64_t f = c.factor;
  const std::int64_t low64 = s.low >= 0 ? (s.low + f - 1) / f : -((-s.low) / f);
  const std::int64_t high64 = s.high >= 0 ? s.high / f : -((-s.high + f - 1) / f);
  const T absent = limited<T>(s.absent);
  if constexpr (kAdjacent && sizeof(D) < sizeof(T)) {
    if (c.missing == INT64_MIN && c.mask == 0 && given == nullptr &&
        low64 <= high64) {  // what is not in the bounds is refused
      using U = typename Unsigned<T>::type;
      const T low = limited<T>(low64), factor = limited<T>(f);
      const U width = static_cast<U>(limited<T>(high64)) - static_cast<U>(low);
      if (f == 1) {
        for (std::uint32_t i = 0; i < rows; ++i) {
          const T v = values[i];
          a[i] = v;
          refused[i] |= static_cast<U>(v) - static_cast<U>(low) > width ? T{1} : T{0};
        }
        return;
      }
      for (std::uint32_t i = 0; i < rows; ++i) {
        const T v = values[i];
        const bool outside = static_cast<U>(v) - static_cast<U>(low) > width;
        a[i] = (outside ? low : v) * factor;
        refused[i] |= outside ? T{1} : T{0};
      }
      return;
    }
  }
  for (std::uint32_t i = 0; i < rows; ++i) {
    D raw;
    if constexpr (kAdjacent) raw = values[i];
    else __builtin_memcpy(&raw, base + static_cast<std::ptrdiff_t>(i) * c.stride, sizeof raw);
    std::int64_t v = static_cast<std::int64_t>(raw);
    if (c.mask != 0) v = static_cast<std::int64_t>((static_cast<std::uint64_t>(v) >> c.shift) & c.mask);
    const bool known = v != c.missing;
    const bool inside = v >= low64 && v <= high64;
    if (given != nullptr) given[i] = known || s.absent_given;
    a[i] = known ? static_cast<T>((inside ? v : low64) * f) : absent;
    refused[i] |= known ? !inside : !s.may_miss;
  }
}

template <class T, class D>
void load_truths(const BlockStep& s, const LaneColumn& c, std::size_t first, std::uint32_t rows, T* __restrict a,
                 T* __restrict given, T* __restrict refused) {
  const char* const base = c.data + static_cast<std::ptrdiff_t>(first) * c.stride;
  const std::uint64_t mask = c.mask == 0 ? ~std::uint64_t{0} : c.mask;
  const T absent = limited<T>(s.absent);
  const bool plain = c.missing == INT64_MIN && given == nullptr;
  if (plain && c.stride == static_cast<std::ptrdiff_t>(sizeof(D))) {
    const D* const values = reinterpret_cast<const D*>(base);
    const D bits = static_cast<D>(static_cast<D>(mask) << c.shift);
    for (std::uint32_t i = 0; i < rows; ++i) a[i] = (values[i] & bits) != 0;
    return;
  }
  for (std::uint32_t i = 0; i < rows; ++i) {
    D raw;
    __builtin_memcpy(&raw, base + static_cast<std::ptrdiff_t>(i) * c.stride, sizeof raw);
    const std::int64_t v = static_cast<std::int64_t>((static_cast<std::uint64_t>(raw) >> c.shift) & mask);
    const T known = (c.mask == 0 ? static_cast<std::int64_t>(raw) : v) != c.missing;
    if (given != nullptr) given[i] = known | (s.absent_given ? 1 : 0);
    a[i] = known != 0 ? static_cast<T>(v != 0) : absent;
    refused[i] |= (known ^ 1) & (s.may_miss ? 0 : 1);
  }
}

template <class T, class D>
void load_codes(const BlockStep& s, const LaneColumn& c, std::size_t first, std::uint32_t rows, T* __restrict a,
                T* __restrict given, T* __restrict refused) {
  const char* const base = c.data + static_cast<std::ptrdiff_t>(first) * c.stride;
  const std::uint64_t mask = c.mask == 0 ? ~std::uint64_t{0} : c.mask;
  const T absent = limited<T>(s.absent), there = s.absent_given ? 1 : 0, no = s.may_miss ? 0 : 1;
  const bool small = sizeof(D) == 1 || (c.mask != 0 && c.mask < 256);
  if (small && c.map_size == 256 && c.stride == static_cast<std::ptrdiff_t>(sizeof(D))) {  // every code has its entry
    const D* const values = reinterpret_cast<const D*>(base);
    const std::uint32_t bits = c.mask == 0 ? 255 : c.mask;
    const std::int32_t* const map = c.map;
    for (std::uint32_t i = 0; i < rows; ++i) {
      const T code = map[(static_cast<std::uint32_t>(values[i]) >> c.shift) & bits];
      a[i] = code >= 0 ? code : absent;
      refused[i] |= code == -2 ? T{1} : code == -1 ? no : T{0};
    }
    if (given == nullptr) return;
    for (std::uint32_t i = 0; i < rows; ++i) {
      const T code = map[(static_cast<std::uint32_t>(values[i]) >> c.shift) & bits];
      given[i] = code == -1 ? there : T{1};
    }
    return;
  }
  for (std::uint32_t i = 0; i < rows; ++i) {
    D raw;
    __builtin_memcpy(&raw, base + static_cast<std::ptrdiff_t>(i) * c.stride, sizeof raw);
    const std::uint64_t v = (static_cast<std::uint64_t>(static_cast<std::int64_t>(raw)) >> c.shift) & mask;
    const std::int32_t code = v < c.map_size ? c.map[v] : static_cast<std::int64_t>(v) == c.missing ? -1 : -2;
    const T known = code != -1;
    if (given != nullptr) given[i] = known | (s.absent_given ? 1 : 0);
    a[i] = code >= 0 ? static_cast<T>(code) : absent;
    refused[i] |= (known ^ 1) & (s.may_miss ? 0 : 1);
    refused[i] |= code == -2;
  }
}

template <class T, class D>
void load_of(const BlockStep& s, const LaneColumn& c, std::size_t first, std::uint32_t rows, T* __restrict a,
             T* __restrict given, T* __restrict refused) {
  if (s.kind == BlockStep::Kind::load_truth) return load_truths<T, D>(s, c, first, rows, a, given, refused);
  if (s.kind == BlockStep::Kind::load_code) return load_codes<T, D>(s, c, first, rows, a, given, refused);
  if (c.stride == static_cast<std::ptrdiff_t>(sizeof(D)))
    return load_integers<T, D, true>(s, c, first, rows, a, given, refused);
  return load_integers<T, D, false>(s, c, first, rows, a, given, refused);
}

template <class T>
void load(const BlockStep& s, const LaneColumn& c, std::size_t first, std::uint32_t rows, T* __restrict a,
          T* __restrict given, T* __restrict refused) {
  switch (c.type) {
    case ColumnType::f64: return load_floats<T>(s, c, first, rows, a, given, refused);
    case ColumnType::f32:
    case ColumnType::text: return;  // rows of these go through the machine of one record
    case ColumnType::i8: return load_of<T, std::int8_t>(s, c, first, rows, a, given, refused);
    case ColumnType::i16: return load_of<T, std::int16_t>(s, c, first, rows, a, given, refused);
    case ColumnType::i32: return load_of<T, std::int32_t>(s, c, first, rows, a, given, refused);
    case ColumnType::i64: return load_of<T, std::int64_t>(s, c, first, rows, a, given, refused);
    case ColumnType::u8: return load_of<T, std::uint8_t>(s, c, first, rows, a, given, refused);
    case ColumnType::u16: return load_of<T, std::uint16_t>(s, c, first, rows, a, given, refused);
    case ColumnType::u32: return load_of<T, std::uint32_t>(s, c, first, rows, a, given, refused);
  }
}

// ---- division of magnitudes

// floor(m / d) for 0 <= m < 2^31, 0 < d < 2^30: the quotient of doubles is never rounded up to a whole number that the
// exact one has not reached, because both fit 53 bits.
inline std::int32_t quotient(std::int32_t m, std::int32_t d) {
  return static_cast<std::int32_t>(static_cast<double>(m) / static_cast<double>(d));
}
// For quotients below 2^50: at most one off, which the rest tells.
inline std::int64_t quotient(std::int64_t m, std::int64_t d) {
  std::int64_t q = static_cast<std::int64_t>(static_cast<double>(m) / static_cast<double>(d));
  const std::int64_t rest = m - q * d;
  q -= rest < 0;
  q += rest >= d;
  return q;
}

// What is added to a magnitude before its floor is taken.
template <class T>
inline T bias(Rounding mode, T d, bool negative) {
  switch (mode) {
    case Rounding::half_away: return d / 2;
    case Rounding::floor: return negative ? d - 1 : 0;
    case Rounding::ceil: return negative ? 0 : d - 1;
    default: return 0;
  }
}

template <class T>
inline T exact_division(T n, T by, Rounding mode) {  // every mode, every size
  const T d = by > 0 ? by : 1;                       // of a refused row the lane may hold anything
  const T m = n < 0 ? -n : n;
  T q = 0;
  if (mode == Rounding::half_even) {
    q = m / d;
    const T rest = m - q * d;
    q += rest > d - rest || (rest == d - rest && q % 2 != 0);
  } else {
    q = (m + bias<T>(mode, d, n < 0)) / d;
  }
  return n < 0 ? -q : q;
}

template <class T>
void divide_lanes(const BlockStep& s, std::uint32_t rows, T* __restrict a, const T* b, const T* c) {
  if (s.wide || s.mode == Rounding::half_even) {
    for (std::uint32_t i = 0; i < rows; ++i) a[i] = exact_division<T>(b[i], c[i], s.mode);
    return;
  }
  switch (s.mode) {
    case Rounding::half_away:
      for (std::uint32_t i = 0; i < rows; ++i) {
        const T sign = b[i] < 0 ? -1 : 0, m = (b[i] ^ sign) - sign;
        const T q = quotient(m + c[i] / 2, c[i]);
        a[i] = (q ^ sign) - sign;
      }
      return;
    case Rounding::trunc:
      if (!s.signs) {
        for (std::uint32_t i = 0; i < rows; ++i) a[i] = quotient(b[i], c[i]);
        return;
      }
      for (std::uint32_t i = 0; i < rows; ++i) {
        const T sign = b[i] < 0 ? -1 : 0, m = (b[i] ^ sign) - sign;
        const T q = quotient(m, c[i]);
        a[i] = (q ^ sign) - sign;
      }
      return;
    default:
      for (std::uint32_t i = 0; i < rows; ++i) a[i] = exact_division<T>(b[i], c[i], s.mode);
  }
}

// floor(m / d) for 0 <= m < 2^31 as a multiplication by ceil(2^k / d), k = 31 + ceil(log2 d).
inline void divide_constant(const BlockStep& s, std::uint32_t rows, std::int32_t* __restrict a, const std::int32_t* b) {
  const std::int32_t d = static_cast<std::int32_t>(s.x);
  int k = 31;
  while ((std::int64_t{1} << (k - 31)) < d) ++k;
  // Below 2^32: both factors are 32 bits, which a vector multiplies in one step.
  const auto factor = static_cast<std::uint32_t>(((std::uint64_t{1} << k) + static_cast<std::uint64_t>(d) - 1) /
                                                 static_cast<std::uint64_t>(d));
  if (s.mode == Rounding::half_even) {
    for (std::uint32_t i = 0; i < rows; ++i) a[i] = exact_division<std::int32_t>(b[i], d, s.mode);
    return;
  }
  const std::int32_t up = bias<std::int32_t>(s.mode, d, false), down = bias<std::int32_t>(s.mode, d, true);
  if (!s.signs) {
    for (std::uint32_t i = 0; i < rows; ++i) {
      a[i] = static_cast<std::int32_t>(
          (static_cast<std::uint64_t>(static_cast<std::uint32_t>(b[i] + up)) * std::uint64_t{factor}) >> k);
    }
    return;
  }
  for (std::uint32_t i = 0; i < rows; ++i) {
    const std::int32_t sign = b[i] < 0 ? -1 : 0, m = ((b[i] ^ sign) - sign) + (b[i] < 0 ? down : up);
    const std::int32_t q = static_cast<std::int32_t>(
        (static_cast<std::uint64_t>(static_cast<std::uint32_t>(m)) * std::uint64_t{factor}) >> k);
    a[i] = (q ^ sign) - sign;
  }
}
inline void divide_constant(const BlockStep& s, std::uint32_t rows, std::int64_t* __restrict a, const std::int64_t* b) {
  const std::int64_t d = s.x;
  if (s.wide || s.mode == Rounding::half_even) {
    for (std::uint32_t i = 0; i < rows; ++i) a[i] = exact_division<std::int64_t>(b[i], d, s.mode);
    return;
  }
  const std::int64_t up = bias<std::int64_t>(s.mode, d, false), down = bias<std::int64_t>(s.mode, d, true);
  for (std::uint32_t i = 0; i < rows; ++i) {
    const std::int64_t sign = b[i] < 0 ? -1 : 0, m = ((b[i] ^ sign) - sign) + (b[i] < 0 ? down : up);
    const std::int64_t q = quotient(m, d);
    a[i] = (q ^ sign) - sign;
  }
}

// ---- instructions

// Terms in fours: one pass over the block for four of them. Apply: r, term values → r.
template <class T, class Start, class Apply>
inline void over_terms(const BlockRun& run, const BlockStep& s, T* memory, T* __restrict a, Start&& start,
                       Apply&& apply) {
  const LaneTerm* terms = run.terms + s.terms;
  const std::uint32_t rows = run.rows;
  const auto lane = [&](std::uint32_t t) { return memory + static_cast<std::size_t>(terms[t].lane) * run.stride; };
  const auto factor = [&](std::uint32_t t) { return limited<T>(terms[t].factor); };
  std::uint32_t t = 0;
  bool begun = false;
  for (; t + 4 <= s.count; t += 4) {
    const T *l0 = lane(t), *l1 = lane(t + 1), *l2 = lane(t + 2), *l3 = lane(t + 3);
    const T f0 = factor(t), f1 = factor(t + 1), f2 = factor(t + 2), f3 = factor(t + 3);
    if (!begun) {
      for (std::uint32_t i = 0; i < rows; ++i)
        a[i] = apply(apply(apply(apply(start(i), l0[i], f0), l1[i], f1), l2[i], f2), l3[i], f3);
    } else {
      for (std::uint32_t i = 0; i < rows; ++i)
        a[i] = apply(apply(apply(apply(a[i], l0[i], f0), l1[i], f1), l2[i], f2), l3[i], f3);
    }
    begun = true;
  }
  for (; t < s.count; ++t) {
    const T* l0 = lane(t);
    const T f0 = factor(t);
    if (!begun) {
      for (std::uint32_t i = 0; i < rows; ++i) a[i] = apply(start(i), l0[i], f0);
    } else {
      for (std::uint32_t i = 0; i < rows; ++i) a[i] = apply(a[i], l0[i], f0);
    }
    begun = true;
  }
}

template <class T>
void compute(const BlockRun& run, const BlockStep& s, T* memory, T* refused) {
  using U = typename Unsigned<T>::type;
  const std::uint32_t rows = run.rows;
  const auto lane = [&](std::uint32_t reg) { return memory + static_cast<std::size_t>(reg) * run.stride; };
  T* const __restrict a = lane(s.a);
  const T* const b = lane(s.b);
  const T* const c = lane(s.c);
  const T* const d = lane(s.d);
  const T x = limited<T>(s.x), y = limited<T>(s.y);
#define ASSAY_LANES(expression)                                 \
  for (std::uint32_t i = 0; i < rows; ++i) a[i] = (expression); \
  return
  switch (s.op) {
    case LaneOp::set: ASSAY_LANES(x);
    case LaneOp::add: ASSAY_LANES(static_cast<T>(static_cast<U>(b[i]) + static_cast<U>(c[i])));
    case LaneOp::add_x: ASSAY_LANES(static_cast<T>(static_cast<U>(b[i]) + static_cast<U>(x)));
    case LaneOp::sub: ASSAY_LANES(static_cast<T>(static_cast<U>(b[i]) - static_cast<U>(c[i])));
    case LaneOp::x_sub: ASSAY_LANES(static_cast<T>(static_cast<U>(x) - static_cast<U>(b[i])));
    case LaneOp::mul: ASSAY_LANES(static_cast<T>(static_cast<U>(b[i]) * static_cast<U>(c[i])));
    case LaneOp::mul_x: ASSAY_LANES(static_cast<T>(static_cast<U>(b[i]) * static_cast<U>(x)));
    case LaneOp::weighted:
      over_terms<T>(
          run, s, memory, a, [&](std::uint32_t) { return x; },
          [](T r, T l, T f) { return static_cast<T>(static_cast<U>(r) + static_cast<U>(l) * static_cast<U>(f)); });
      return;
    case LaneOp::min: ASSAY_LANES(b[i] < c[i] ? b[i] : c[i]);
    case LaneOp::max: ASSAY_LANES(b[i] > c[i] ? b[i] : c[i]);
    case LaneOp::clamp:
      for (std::uint32_t i = 0; i < rows; ++i) {
        const T low = b[i] > x ? b[i] : x;
        a[i] = low < y ? low : y;
      }
      return;
    case LaneOp::div_x: return divide_constant(s, rows, a, b);
    case LaneOp::div: return divide_lanes<T>(s, rows, a, b, c);
    case LaneOp::lt: ASSAY_LANES(b[i] < c[i]);
    case LaneOp::lt_x: ASSAY_LANES(b[i] < x);
    case LaneOp::ge_x: ASSAY_LANES(b[i] >= x);
    case LaneOp::eq: ASSAY_LANES(b[i] == c[i]);
    case LaneOp::eq_x: ASSAY_LANES(b[i] == x);
    case LaneOp::ne_x: ASSAY_LANES(b[i] != x);
    case LaneOp::and_: ASSAY_LANES(b[i] & c[i]);
    case LaneOp::or_: ASSAY_LANES(b[i] | c[i]);
    case LaneOp::xor_: ASSAY_LANES(b[i] ^ c[i]);
    case LaneOp::and_not: ASSAY_LANES(b[i] & (c[i] ^ 1));
    case LaneOp::not_: ASSAY_LANES(b[i] ^ 1);
    case LaneOp::all_of:
      over_terms<T>(
          run, s, memory, a, [](std::uint32_t) { return T{1}; }, [](T r, T l, T) { return static_cast<T>(r & l); });
      return;
    case LaneOp::any_of:
      over_terms<T>(
          run, s, memory, a, [](std::uint32_t) { return T{0}; }, [](T r, T l, T) { return static_cast<T>(r | l); });
      return;
    case LaneOp::select: ASSAY_LANES(b[i] != 0 ? c[i] : d[i]);
    case LaneOp::first:  // its terms are planned the last first
      over_terms<T>(
          run, s, memory, a, [&](std::uint32_t) { return x; }, [](T r, T l, T f) { return l != 0 ? f : r; });
      return;
    case LaneOp::below: {
      const LaneTerm* terms = run.terms + s.terms;
      std::uint32_t t = 0;
      for (std::uint32_t i = 0; i < rows; ++i) a[i] = 0;
      for (; t + 4 <= s.count; t += 4) {
        const T f0 = limited<T>(terms[t].factor), f1 = limited<T>(terms[t + 1].factor),
                f2 = limited<T>(terms[t + 2].factor), f3 = limited<T>(terms[t + 3].factor);
        for (std::uint32_t i = 0; i < rows; ++i) a[i] += (b[i] < f0) + (b[i] < f1) + (b[i] < f2) + (b[i] < f3);
      }
      for (; t < s.count; ++t) {
        const T f0 = limited<T>(terms[t].factor);
        for (std::uint32_t i = 0; i < rows; ++i) a[i] += b[i] < f0;
      }
      return;
    }
    case LaneOp::pick: {
      const LaneTerm* terms = run.terms + s.terms;
      if (s.count > 8) {
        const U end = static_cast<U>(s.count - 1);  // of a refused row the lane may hold anything
        for (std::uint32_t i = 0; i < rows; ++i)
          a[i] = static_cast<T>(terms[static_cast<U>(b[i]) < end ? static_cast<U>(b[i]) : end].factor);
        return;
      }
      const T f0 = limited<T>(terms[0].factor);
      for (std::uint32_t i = 0; i < rows; ++i) a[i] = f0;
      for (std::uint32_t t = 1; t < s.count; ++t) {
        const T f = limited<T>(terms[t].factor), at = static_cast<T>(t);
        for (std::uint32_t i = 0; i < rows; ++i) a[i] = b[i] == at ? f : a[i];
      }
      return;
    }
    case LaneOp::refuse:
      for (std::uint32_t i = 0; i < rows; ++i) refused[i] |= b[i];
      return;
  }
#undef ASSAY_LANES
}

template <class T>
bool run_block(const BlockRun& run) {
  T* const memory = static_cast<T*>(run.memory);
  T* const refused = static_cast<T*>(run.refused);
  const std::uint32_t rows = run.rows;  // loops keep it in a register: what they write might be the run otherwise
  __builtin_memset(refused, 0, rows * sizeof(T));
  for (std::size_t k = 0; k < run.step_count; ++k) {
    const BlockStep& s = run.steps[k];
    T* const a = memory + static_cast<std::size_t>(s.a) * run.stride;
    if (s.kind == BlockStep::Kind::compute) {
      compute<T>(run, s, memory, refused);
    } else if (s.kind == BlockStep::Kind::fill) {  // no column: absent from every row
      const T value = limited<T>(s.absent), there = s.absent_given ? 1 : 0, no = s.may_miss || s.absent_given ? 0 : 1;
      for (std::uint32_t i = 0; i < rows; ++i) a[i] = value;
      if (s.has_given) {
        T* const given = memory + static_cast<std::size_t>(s.b) * run.stride;
        for (std::uint32_t i = 0; i < rows; ++i) given[i] = there;
      }
      for (std::uint32_t i = 0; i < rows; ++i) refused[i] |= no;
    } else if (s.together > 0) {
      for (std::uint32_t left = s.together; left > 0;) {
        const BlockStep* const at = run.steps + k;
        const std::uint32_t count = left >= 4 ? 4 : left >= 2 ? 2 : 1;
        if (count == 4) load_doubles<T, 4>(at, run, memory, refused, s.has_given, s.signs);
        else if (count == 2) load_doubles<T, 2>(at, run, memory, refused, s.has_given, s.signs);
        else load_doubles<T, 1>(at, run, memory, refused, s.has_given, s.signs);
        k += count;
        left -= count;
      }
      --k;
    } else {
      T* const given = s.has_given ? memory + static_cast<std::size_t>(s.b) * run.stride : nullptr;
      load<T>(s, run.columns[s.port], run.first, rows, a, given, refused);
    }
  }
  T any = 0;
  for (std::uint32_t i = 0; i < rows; ++i) any |= refused[i];
  return any != 0;
}

// ---- stores

template <class T, class D>
void store_as(const BlockRun& run, const ResultStore& s, const T* lane, const T* given) {
  char* const base = s.data + static_cast<std::ptrdiff_t>(run.first) * s.stride;
  constexpr bool floating = static_cast<D>(0.5) != 0;
  const D missing = floating ? static_cast<D>(__builtin_nan("")) : static_cast<D>(s.missing);
  const std::uint32_t rows = run.rows;
  if (given == nullptr && s.map == nullptr && s.stride == static_cast<std::ptrdiff_t>(sizeof(D))) {
    D* const out = reinterpret_cast<D*>(base);
    if constexpr (floating) {
      for (std::uint32_t i = 0; i < rows; ++i) out[i] = static_cast<D>(static_cast<double>(lane[i]) / s.unit);
    } else {
      for (std::uint32_t i = 0; i < rows; ++i) out[i] = static_cast<D>(static_cast<std::int64_t>(lane[i]) * s.factor);
    }
    return;
  }
  for (std::uint32_t i = 0; i < rows; ++i) {
    D value;
    if constexpr (floating) {
      value = static_cast<D>(static_cast<double>(lane[i]) / s.unit);
    } else {
      value = s.map != nullptr ? static_cast<D>(s.map[static_cast<std::uint64_t>(lane[i]) < s.map_size ? lane[i] : 0])
                               : static_cast<D>(static_cast<std::int64_t>(lane[i]) * s.factor);
    }
    if (given != nullptr && given[i] == 0) value = missing;
    __builtin_memcpy(base + static_cast<std::ptrdiff_t>(i) * s.stride, &value, sizeof value);
  }
}

template <class T>
void store_block(const BlockRun& run, const ResultStore& s) {
  const T* const memory = static_cast<const T*>(run.memory);
  const T* const lane = memory + static_cast<std::size_t>(s.lane) * run.stride;
  const T* const given =
      s.given == kNoRegisterOfBlock ? nullptr : memory + static_cast<std::size_t>(s.given) * run.stride;
  switch (s.type) {
    case ColumnType::f64: return store_as<T, double>(run, s, lane, given);
    case ColumnType::f32: return store_as<T, float>(run, s, lane, given);
    case ColumnType::i8: return store_as<T, std::int8_t>(run, s, lane, given);
    case ColumnType::i16: return store_as<T, std::int16_t>(run, s, lane, given);
    case ColumnType::i32: return store_as<T, std::int32_t>(run, s, lane, given);
    case ColumnType::i64: return store_as<T, std::int64_t>(run, s, lane, given);
    case ColumnType::u8: return store_as<T, std::uint8_t>(run, s, lane, given);
    case ColumnType::u16: return store_as<T, std::uint16_t>(run, s, lane, given);
    case ColumnType::u32: return store_as<T, std::uint32_t>(run, s, lane, given);
    case ColumnType::text: return;
  }
}

}  // namespace ASSAY_LANES_SET
}  // namespace

extern const BlockLoops ASSAY_LANES_LOOPS;
const BlockLoops ASSAY_LANES_LOOPS = {
    ASSAY_LANES_NAME, ASSAY_LANES_SET::run_block<std::int32_t>, ASSAY_LANES_SET::run_block<std::int64_t>,
    ASSAY_LANES_SET::store_block<std::int32_t>, ASSAY_LANES_SET::store_block<std::int64_t>};

}  // namespace assay
