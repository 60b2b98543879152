// Irrational functions in 256 bits against the same with 120 digits: the same number for every argument, whether or not
// the fast path had a result, which it nearly always must have. NumberPool::set_force_big selects the slow path.
#include "tests/unit/catch.hpp"

#include "lang/number/fast_real.hpp"
#include "lang/number/number.hpp"

#include <random>
#include <string>

using namespace assay;

namespace {

class Arguments {
 public:
  explicit Arguments(std::uint64_t seed) : random_(seed) {}
  // Of every size between 10^-low and 10^high: decimals, fractions, and results of other functions.
  Number next(int low, int high, bool negative_too, NumberPool& pool) {
    std::string text;
    const int digits = 1 + static_cast<int>(random_() % (random_() % 4 == 0 ? 40 : 9));
    for (int i = 0; i < digits; ++i) text += static_cast<char>('0' + random_() % 10);
    const int exponent = static_cast<int>(random_() % static_cast<std::uint64_t>(low + high + 1)) - low - digits;
    text += "e" + std::to_string(exponent);
    Number n;
    REQUIRE(parse_decimal(text, n, pool, true));
    if (random_() % 3 == 0) n = div(n, whole(1 + static_cast<std::int64_t>(random_() % 1000)), pool);
    if (random_() % 8 == 0) n = sqrt(n, pool);
    if (random_() % 8 == 0) n = add(n, whole(1), pool);
    return negative_too && random_() % 2 == 0 ? neg(n, pool) : n;
  }
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

 private:
  std::mt19937_64 random_;
};

struct Function {
  const char* name;
  Number (*of)(Number, NumberPool&);
  int low, high;
  bool negative_too;
};

std::string shown(Number n) {
  std::string text;
  write_exact(n, text);
  return text;
}

bool same(Number a, Number b) { return a.missing() == b.missing() && (a.missing() || compare(a, b) == 0); }

}  // namespace

TEST_CASE("the fast way of irrational functions gives the forty digits of the slow one", "[number]") {
  Arguments arguments(7);
  NumberPool fast, slow;
  slow.set_force_big(true);
  const Function functions[] = {{"exp", exp, 12, 4, true}, {"exp", exp, 3, 2, true},        {"ln", ln, 300, 300, false},
                                {"ln", ln, 3, 3, false},   {"log10", log10, 40, 40, false}, {"erf", erf, 12, 1, true},
                                {"erf", erf, 1, 1, true}};
  for (const Function& f : functions) {
    for (std::size_t i = rounds(6'000); i-- > 0;) {
      fast.clear();
      slow.clear();
      const Number x = arguments.next(f.low, f.high, f.negative_too, fast);
      INFO(f.name << "(" << shown(x) << ")");
      REQUIRE(same(f.of(x, fast), f.of(x, slow)));
    }
  }
  for (std::size_t i = rounds(10'000); i-- > 0;) {
    fast.clear();
    slow.clear();
    const Number x = arguments.next(6, 6, false, fast);
    Number y = arguments.next(3, 2, true, fast);
    if (arguments.below(3) == 0) y = whole(static_cast<std::int64_t>(arguments.below(20'000)));
    INFO("(" << shown(x) << ") ^ (" << shown(y) << ")");
    REQUIRE(same(pow(x, y, fast), pow(x, y, slow)));
  }
}

TEST_CASE("roots that are rational are found whatever decides that they may be", "[number]") {
  NumberPool fast, slow;
  slow.set_force_big(true);
  for (std::int64_t base = 1; base <= 60; ++base) {
    for (int degree = 2; degree <= 10; ++degree) {
      const Number power = pow(whole(base), whole(degree), fast);
      for (const std::int64_t beside : {-1, 0, 1}) {
        const Number x = add(power, whole(beside), fast);
        const Number root = pow(x, Number{1, degree}, fast);
        REQUIRE(same(root, pow(x, Number{1, degree}, slow)));
        if (beside == 0) REQUIRE(same(root, whole(base)));
      }
    }
  }
}

TEST_CASE("the fast way is hardly ever in doubt, and says so where it has to be", "[number]") {
  using namespace number_detail;
  NumberPool pool;
  Arguments arguments(11);
  for (std::size_t i = rounds(20'000); i-- > 0;) {
    pool.clear();
    const Number x = arguments.next(6, 3, true, pool);
    if (sign(x) == 0) continue;
    const BigView view(x);
    const std::optional<Real> real = to_real(view.num(), view.den());
    REQUIRE(real);
    INFO(shown(x));
    REQUIRE(fast_exp(*real));
    if (compare(abs(x, pool), whole(10)) <= 0) REQUIRE(fast_erf(*real));
    const std::optional<Real> positive = to_real(abs(view.num()), view.den());
    if (abs(view.num()) != view.den()) REQUIRE(fast_ln(*positive));
  }
  // A tie that 256 bits cannot tell from what lies beside it: 1 + 5 * 10^-40, to which exp comes as near as you like.
  BigInt den = pow10(120);
  const std::optional<Real> near_tie = to_real(5 * pow10(80) - 125 * pow10(39) / 10, den);
  REQUIRE(near_tie);
  CHECK_FALSE(fast_exp(*near_tie));
  const std::optional<Real> huge = to_real(pow10(5000), 1);
  CHECK_FALSE(huge);
  CHECK_FALSE(fast_exp(*to_real(9211, 1)));
  CHECK_FALSE(fast_erf(*to_real(20, 1)));
}
