// Quantiles of the normal, the beta and Student's distribution. As in number_math.cpp, in software floating point with far
// more digits than are kept, so that the digits that are kept are the same on every platform.
#include "lang/number/big_rational.hpp"
#include "lang/number/number.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <string>

namespace assay {

namespace {

namespace mp = boost::multiprecision;
namespace bm = boost::math;
using Float = mp::number<mp::cpp_bin_float<50>, mp::et_off>;
using Quiet = bm::policies::policy<
    bm::policies::domain_error<bm::policies::ignore_error>, bm::policies::pole_error<bm::policies::ignore_error>,
    bm::policies::overflow_error<bm::policies::ignore_error>, bm::policies::underflow_error<bm::policies::ignore_error>,
    bm::policies::evaluation_error<bm::policies::ignore_error>, bm::policies::promote_double<false>>;

constexpr int kDigits = 25;                       // of a result; its error is far below
constexpr std::uint64_t kQuantileWork = 100'000;  // some milliseconds
constexpr std::int64_t kMostFreedom =
    1'000'000'000;  // of a shape or of degrees of freedom: beyond, nothing is promised

Float to_float(Number a) {
  const number_detail::BigView view(a);
  return Float(view.num()) / Float(view.den());
}

Number rounded(const Float& value, NumberPool& pool) {
  if (!isfinite(value)) return kMissing;
  Number n;
  if (!parse_decimal(value.str(kDigits, std::ios_base::scientific), n, pool)) return kMissing;
  return n;
}

bool is_share(Number p) { return !p.missing() && compare(p, whole(0)) > 0 && compare(p, whole(1)) < 0; }
bool is_shape(Number a) { return !a.missing() && sign(a) > 0 && compare(a, whole(kMostFreedom)) <= 0; }

}  // namespace

Number normal_quantile(Number p, NumberPool& pool) {
  if (!is_share(p)) return kMissing;
  if (compare(p, {1, 2}) == 0) return whole(0);
  pool.add_work(kQuantileWork);
  // From the nearer end, where nothing cancels.
  const bool low = compare(p, {1, 2}) < 0;
  const Number tail = low ? p : sub(whole(1), p, pool);
  const Float z = mp::sqrt(Float(2)) * bm::erfc_inv(Float(2) * to_float(tail), Quiet());
  return rounded(low ? Float(-z) : z, pool);
}

Number beta_quantile(Number p, Number a, Number b, NumberPool& pool) {
  if (!is_share(p) || !is_shape(a) || !is_shape(b)) return kMissing;
  pool.add_work(2 * kQuantileWork);
  return rounded(bm::ibeta_inv(to_float(a), to_float(b), to_float(p), Quiet()), pool);
}

Number student_quantile(Number p, Number freedom, NumberPool& pool) {
  if (!is_share(p) || !is_shape(freedom)) return kMissing;
  if (compare(p, {1, 2}) == 0) return whole(0);
  pool.add_work(2 * kQuantileWork);
  const bool low = compare(p, {1, 2}) < 0;
  const Float tail = to_float(low ? p : sub(whole(1), p, pool)), n = to_float(freedom);
  // P(|T| > t) = I_x(n / 2, 1 / 2) with x = n / (n + t²); y = 1 - x keeps its digits.
  Float y;
  const Float x = bm::ibeta_inv(Float(n / 2), Float(0.5), Float(2 * tail), &y, Quiet());
  const Float t = mp::sqrt(n * y / x);
  return rounded(low ? Float(-t) : t, pool);
}

}  // namespace assay
