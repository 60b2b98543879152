// Quantiles of the normal, the beta and Student's distribution, by Newton's method on logarithms. As in
// number_math.cpp, software floating point with far more digits than are kept gives the same kept digits on every
// platform. Boost's own functions for these distributions compute tables at program start, even in a program that never
// calls them.
#include "lang/number/big_rational.hpp"
#include "lang/number/number.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <ios>

namespace assay {

namespace {

namespace mp = boost::multiprecision;
using Float = mp::number<mp::cpp_bin_float<50>, mp::et_off>;

constexpr int kDigits = 25;               // of a result; its error is far smaller
constexpr std::uint64_t kTermWork = 200;  // steps per term of a series: some ten microseconds
// for a shape or degrees of freedom: the number of terms grows with its root
constexpr std::int64_t kMostFreedom = 10'000'000;
constexpr int kMostTerms = 200'000, kMostRounds = 200;

Float to_float(Number a) {
  const number_detail::BigView view(a);
  return Float(view.num()) / Float(view.den());
}

const Float& tiny() {
  static const Float value = ldexp(Float(1), -150);  // relative: 45 digits
  return value;
}

const Float& two_pi() {
  static const Float value("6.28318530717958647692528676655900576839433879875021164194988918461563281");
  return value;
}

Number rounded(const Float& value, NumberPool& pool) {
  Number n;
  if (!isfinite(value) || !parse_decimal(value.str(kDigits - 1, std::ios_base::scientific), n, pool)) return kMissing;
  return n;
}

bool is_share(Number p) { return !p.missing() && compare(p, whole(0)) > 0 && compare(p, whole(1)) < 0; }
bool is_shape(Number a) { return !a.missing() && sign(a) > 0 && compare(a, whole(kMostFreedom)) <= 0; }

// The logarithm of the gamma function for positive x: Stirling's series, applied far enough from 0.
Float ln_gamma(Float x) {
  struct Fraction {
    std::int64_t num, den;
  };
  static constexpr Fraction kBernoulli[] = {{1, 6},
                                            {-1, 30},
                                            {1, 42},
                                            {-1, 30},
                                            {5, 66},
                                            {-691, 2730},
                                            {7, 6},
                                            {-3617, 510},
                                            {43867, 798},
                                            {-174611, 330},
                                            {854513, 138},
                                            {-236364091, 2730},
                                            {8553103, 6},
                                            {-23749461029, 870},
                                            {8615841276005, 14322},
                                            {-7709321041217, 510},
                                            {2577687858367, 6}};
  Float product = 1;
  for (; x < 60; ++x) product *= x;
  const Float square = x * x;
  Float sum = 0, power = x;
  int k = 2;
  for (const Fraction& b : kBernoulli) {
    sum += Float(b.num) / (Float(b.den) * (k * (k - 1)) * power);
    power *= square;
    k += 2;
  }
  const Float half_ln_two_pi = log(two_pi()) / 2;
  return (x - Float(0.5)) * log(x) - x + half_ln_two_pi + sum - log(product);
}

// The incomplete beta function of one pair of shapes.
class Beta {
 public:
  Beta(Float a, Float b, NumberPool& pool)
      : a_(std::move(a)), b_(std::move(b)), ln_beta_(ln_gamma(a_) + ln_gamma(b_) - ln_gamma(a_ + b_)), pool_(pool) {}

  // Logarithm of x^a (1 - x)^b / B(a, b): the density times x (1 - x).
  Float ln_front(const Float& x) const { return a_ * log(x) + b_ * log1p_minus(x) - ln_beta_; }

  // I_x(a, b), 0 < x < 1: a continued fraction, on the side where it converges fast.
  Float share_below(const Float& x) {
    const bool near = x * (a_ + b_ + 2) <= a_ + 1;
    const Float front = exp(ln_front(x));
    if (near) return front * fraction(a_, b_, x) / a_;
    return 1 - front * fraction(b_, a_, 1 - x) / b_;
  }

  // The x with I_x(a, b) = p, for x of at most about a / (a + b).
  Float quantile_below(const Float& p) {
    const Float ln_p = log(p);
    Float low = -1, high = 0;  // of ln x
    while (!pool_.overflowed() && share_below(exp(low)) > p) low *= 2;
    Float u = (ln_p + log(a_) + ln_beta_) / a_;
    for (int round = 0; round < kMostRounds && !pool_.overflowed(); ++round) {
      if (!(u > low && u < high)) u = (low + high) / 2;
      const Float x = exp(u);
      const Float share = share_below(x);
      (share > p ? high : low) = u;
      const Float step = (log(share) - ln_p) * share * (1 - x) / exp(ln_front(x));
      u -= step;
      if (abs(step) < tiny()) break;
    }
    return exp(u);
  }

  const Float& a() const { return a_; }

 private:
  static Float log1p_minus(const Float& x) {
    if (x > Float(0.0001)) return log(1 - x);
    Float sum = 0, power = x;
    for (int k = 1; k < 14; ++k) {
      sum -= power / k;
      power *= x;
    }
    return sum;
  }

  Float fraction(const Float& a, const Float& b, const Float& x) {  // Lentz's algorithm
    Float c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / d;
    Float result = d;
    for (int m = 1; m < kMostTerms && !pool_.overflowed(); ++m) {
      pool_.add_work(kTermWork);
      const Float even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / (1 + even * d);
      c = 1 + even / c;
      result *= c * d;
      const Float odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / (1 + odd * d);
      c = 1 + odd / c;
      const Float change = c * d;
      result *= change;
      if (abs(change - 1) < tiny()) break;
    }
    return result;
  }

  Float a_, b_, ln_beta_;
  NumberPool& pool_;
};

// The quantile x of p, and 1 - x, each with full precision. `q` is 1 - p.
void solve_beta(Number a, Number b, Number p, Number q, Float& x, Float& y, NumberPool& pool) {
  Beta beta(to_float(a), to_float(b), pool), mirrored(to_float(b), to_float(a), pool);
  const Float share = to_float(p);
  if (share <= beta.share_below(beta.a() / (beta.a() + mirrored.a()))) {
    x = beta.quantile_below(share);
    y = 1 - x;
  } else {
    y = mirrored.quantile_below(to_float(q));
    x = 1 - y;
  }
}

// The upper tail of the standard normal distribution, for z > 0.
Float normal_tail(const Float& z, const Float& density, NumberPool& pool) {
  if (z < 5) {
    Float term = z, sum = z;
    for (int k = 3; term > sum * tiny() / 1'000'000'000; k += 2) {
      pool.add_work(kTermWork / 4);
      term *= z * z / k;
      sum += term;
    }
    return Float(0.5) - density * sum;
  }
  Float fraction = z;
  for (int k = 400; k > 0; --k) fraction = z + k / fraction;
  pool.add_work(400 * kTermWork / 4);
  return density / fraction;
}

}  // namespace

Number normal_quantile(Number p, NumberPool& pool) {
  if (!is_share(p)) return kMissing;
  const int side = compare(p, {1, 2});
  if (side == 0) return whole(0);
  const Float tail = to_float(side < 0 ? p : sub(whole(1), p, pool)), ln_tail = log(tail);
  const Float root_two_pi = mp::sqrt(two_pi());
  // ln of the tail is concave, so steps from the right end of a bracket never pass the root.
  Float z = mp::sqrt(-2 * ln_tail);
  for (int round = 0; round < kMostRounds && !pool.overflowed(); ++round) {
    const Float density = exp(-z * z / 2) / root_two_pi;
    const Float above = normal_tail(z, density, pool);
    const Float step = (log(above) - ln_tail) * above / density;
    z += step;
    if (z <= 0) z = ldexp(Float(1), -100);
    if (abs(step) < tiny() * z) break;
  }
  return rounded(side < 0 ? Float(-z) : z, pool);
}

Number beta_quantile(Number p, Number a, Number b, NumberPool& pool) {
  if (!is_share(p) || !is_shape(a) || !is_shape(b)) return kMissing;
  Float x, y;
  solve_beta(a, b, p, sub(whole(1), p, pool), x, y, pool);
  return rounded(x, pool);
}

Number student_quantile(Number p, Number freedom, NumberPool& pool) {
  if (!is_share(p) || !is_shape(freedom)) return kMissing;
  const int side = compare(p, {1, 2});
  if (side == 0) return whole(0);
  // P(|T| > t) = I_x(n / 2, 1 / 2) with x = n / (n + t²).
  const Number tails = mul(whole(2), side < 0 ? p : sub(whole(1), p, pool), pool);
  Float x, y;
  solve_beta(div(freedom, whole(2), pool), {1, 2}, tails, sub(whole(1), tails, pool), x, y, pool);
  const Float t = mp::sqrt(to_float(freedom) * y / x);
  return rounded(side < 0 ? Float(-t) : t, pool);
}

}  // namespace assay
