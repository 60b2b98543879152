// Exact numbers: the fast paths agree with big numbers on everything, rounding and text are exact at ties and limits,
// and irrational results have the digits that other software (Python's decimal) computes.
#include "tests/unit/catch.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "lang/number/number.hpp"

using namespace assay;

namespace {

Number parse(std::string_view text, NumberPool& pool) {
  Number result = kMissing;
  INFO("number " << text);
  REQUIRE(parse_exact(text, result, pool));
  return result;
}

std::string rounded(Number a, int decimals) {
  std::string text;
  write_rounded(a, decimals, text);
  return text;
}

std::string fixed(Number a, int decimals) {
  std::string text;
  write_fixed(a, decimals, text);
  return text;
}

std::string significant(Number a, int digits) {
  std::string text;
  write_significant(a, digits, text);
  return text;
}

bool reads(std::string_view text, bool separators = false) {
  NumberPool pool;
  Number result;
  return parse_decimal(text, result, pool, separators);
}

constexpr Rounding kModes[] = {Rounding::half_away, Rounding::half_even, Rounding::floor, Rounding::ceil,
                               Rounding::trunc};

// Numbers of all sizes: few digits, negative powers of ten, and the limits of 64 bits.
Number random_number(std::mt19937_64& random) {
  const auto edge = [&]() -> std::int64_t {
    switch (random() % 6) {
      case 0: return static_cast<std::int64_t>(random() % 10);
      case 1: return static_cast<std::int64_t>(random() % 10'000);
      case 2: return static_cast<std::int64_t>(random() % 4'000'000'000);
      case 3: return INT64_MAX - static_cast<std::int64_t>(random() % 4);
      case 4: return (std::int64_t{1} << (random() % 63)) + static_cast<std::int64_t>(random() % 2);
      default: return static_cast<std::int64_t>(random() >> 1);
    }
  };
  constexpr std::int64_t kTens[] = {1, 10, 100, 1000, 10'000, 1'000'000'000'000'000'000};
  const std::int64_t num = (random() & 1) != 0 ? edge() : -edge();
  std::int64_t den = random() % 3 != 0 ? kTens[random() % 6] : edge();
  if (den == 0) den = 1;
  return {num, den};
}

}  // namespace

TEST_CASE("small sums, products and quotients", "[number]") {
  NumberPool pool;
  CHECK(exact_text(add(parse("0.1", pool), parse("0.2", pool), pool)) == "0.3");
  CHECK(exact_text(sub(parse("0.1", pool), parse("0.3", pool), pool)) == "-0.2");
  CHECK(exact_text(mul(parse("0.25", pool), parse("8.5", pool), pool)) == "2.125");
  CHECK(exact_text(div(whole(1), whole(3), pool)) == "1/3");
  CHECK(exact_text(div(whole(-1), whole(-3), pool)) == "1/3");
  CHECK(exact_text(div(whole(1), whole(-8), pool)) == "-0.125");
  CHECK(exact_text(add(div(whole(1), whole(3), pool), div(whole(1), whole(6), pool), pool)) == "0.5");
  CHECK(exact_text(neg(whole(0), pool)) == "0");
  CHECK(exact_text(abs(whole(-7), pool)) == "7");
  const Number quarter = parse("0.25", pool);
  CHECK(quarter.num == 25);
  CHECK(quarter.den == 100);
  CHECK(pool.total() == 0);
}

TEST_CASE("missing numbers spread", "[number]") {
  NumberPool pool;
  CHECK(div(whole(1), whole(0), pool).missing());
  CHECK(mod(whole(1), whole(0), pool).missing());
  const Number one = whole(1);
  for (const bool big : {false, true}) {
    pool.set_force_big(big);
    CHECK(add(kMissing, one, pool).missing());
    CHECK(add(one, kMissing, pool).missing());
    CHECK(add(kMissing, kMissing, pool).missing());
    CHECK(sub(one, kMissing, pool).missing());
    CHECK(mul(kMissing, one, pool).missing());
    CHECK(div(kMissing, one, pool).missing());
    CHECK(neg(kMissing, pool).missing());
    CHECK(abs(kMissing, pool).missing());
    CHECK(round_to(kMissing, 2, Rounding::half_away, pool).missing());
  }
  CHECK(min(one, kMissing).missing());
  CHECK(max(kMissing, one).missing());
  CHECK(sqrt(whole(-1), pool).missing());
  CHECK(ln(whole(0), pool).missing());
  CHECK(log10(whole(-1), pool).missing());
  CHECK(pow(whole(0), whole(-1), pool).missing());
  CHECK(pow(whole(-8), div(one, whole(3), pool), pool).missing());
  CHECK(std::isnan(to_double(kMissing)));
  CHECK(from_double(std::nan(""), pool).missing());
  CHECK(from_double(HUGE_VAL, pool).missing());
  CHECK(shortest_text(kMissing) == "missing");
}

TEST_CASE("mod takes the sign of the divisor", "[number]") {
  NumberPool pool;
  CHECK(exact_text(mod(whole(7), whole(3), pool)) == "1");
  CHECK(exact_text(mod(whole(-7), whole(3), pool)) == "2");
  CHECK(exact_text(mod(whole(7), whole(-3), pool)) == "-2");
  CHECK(exact_text(mod(whole(-7), whole(-3), pool)) == "-1");
  CHECK(exact_text(mod(parse("5.5", pool), whole(2), pool)) == "1.5");
  CHECK(exact_text(mod(parse("-0.5", pool), parse("0.3", pool), pool)) == "0.1");
  CHECK(exact_text(mod(whole(6), whole(-3), pool)) == "0");
}

TEST_CASE("64 bits overflow into big numbers and back", "[number]") {
  NumberPool pool;
  const Number most = whole(INT64_MAX);
  const Number more = add(most, whole(1), pool);
  CHECK_FALSE(more.small());
  CHECK(pool.used() == 1);
  CHECK(exact_text(more) == "9223372036854775808");
  CHECK(sub(more, whole(1), pool).small());
  CHECK(compare(more, most) == 1);
  CHECK(compare(most, more) == -1);
  CHECK(compare(more, add(most, whole(1), pool)) == 0);
  CHECK(max(most, more).num == more.num);
  CHECK(exact_text(neg(more, pool)) == "-9223372036854775808");
  CHECK(exact_text(sub(whole(-INT64_MAX), whole(1), pool)) == "-9223372036854775808");
  CHECK_FALSE(sub(whole(-INT64_MAX), whole(1), pool).small());
  CHECK(exact_text(mul(most, most, pool)) == "85070591730234615847396907784232501249");
  CHECK(div(mul(most, most, pool), most, pool).num == INT64_MAX);
  CHECK(div(mul(most, most, pool), most, pool).small());
  // The cross product does not fit, but the lowest terms do.
  const Number x{INT64_MAX - 1, 1'000'000'000'000'000'000};
  CHECK(mul(x, div(whole(1), x, pool), pool).small());
  CHECK(exact_text(mul(x, div(whole(1), x, pool), pool)) == "1");
  std::int64_t n = 0;
  CHECK(to_int64(neg(more, pool), n));
  CHECK(n == INT64_MIN);
  CHECK_FALSE(to_int64(more, n));
  CHECK_FALSE(to_int64(parse("0.5", pool), n));
  CHECK(to_int64(Number{500, 100}, n));
  CHECK(n == 5);

  NumberPool other;
  const Number copy = adopt(more, other);
  pool.clear();
  CHECK(pool.used() == 0);
  CHECK(exact_text(copy) == "9223372036854775808");
  NumberPool moved(std::move(other));
  CHECK(exact_text(copy) == "9223372036854775808");
}

TEST_CASE("a number beyond 200,000 bits is missing and says so", "[number]") {
  NumberPool pool;
  Number a = parse("1e400", pool);
  for (int i = 0; i < 7; ++i) a = mul(a, a, pool);  // 10^51200
  CHECK_FALSE(a.missing());
  CHECK_FALSE(pool.overflowed());
  CHECK(mul(a, a, pool).missing());
  CHECK(pool.overflowed());
  CHECK(pool.work() > 100'000);
  pool.clear();
  CHECK_FALSE(pool.overflowed());
}

TEST_CASE("the big way agrees with the small one", "[number]") {
  std::mt19937_64 random(20240229);
  NumberPool small;
  NumberPool big;
  big.set_force_big(true);
  int different = 0;
  std::string left;
  std::string right;
  for (int i = 0; i < 40'000; ++i) {
    const Number a = random_number(random);
    const Number b = random_number(random);
    const int decimals = static_cast<int>(random() % 40) - 20;
    const Rounding mode = kModes[random() % 5];
    const Number x[] = {add(a, b, small), sub(a, b, small), mul(a, b, small), div(a, b, small),
                        round_to(a, decimals, mode, small)};
    const Number y[] = {add(a, b, big), sub(a, b, big), mul(a, b, big), div(a, b, big),
                        round_to(a, decimals, mode, big)};
    for (int k = 0; k < 5; ++k) {
      if (x[k].missing() || y[k].missing()) {
        different += x[k].missing() != y[k].missing();
        continue;
      }
      different += y[k].small();
      different += compare(x[k], y[k]) != 0 || compare(y[k], x[k]) != 0 || sign(x[k]) != sign(y[k]);
      different += is_whole(x[k]) != is_whole(y[k]);
      const double u = to_double(x[k]);
      different += u != to_double(y[k]);
      left.clear();
      right.clear();
      write_shortest(x[k], left), left += ' ';
      write_fixed(x[k], decimals, left), left += ' ';
      write_rounded(x[k], decimals, left), left += ' ';
      write_significant(x[k], 1 + i % 20, left), left += ' ';
      write_shortest(y[k], right), right += ' ';
      write_fixed(y[k], decimals, right), right += ' ';
      write_rounded(y[k], decimals, right), right += ' ';
      write_significant(y[k], 1 + i % 20, right), right += ' ';
      if (left != right) FAIL_CHECK(left << "\n" << right);
    }
    if (sign(b) != 0) {
      const Number rest = mod(a, b, small);
      different += compare(rest, mod(a, b, big)) != 0;
      different += sign(rest) != 0 && sign(rest) != sign(b);
      different += compare(abs(rest, small), abs(b, small)) >= 0;
      // (a / b) * b, a + b - b, (a - b) + b
      different += compare(mul(x[3], b, small), a) != 0;
    }
    different += compare(sub(x[0], b, small), a) != 0;
    different += compare(add(x[1], b, small), a) != 0;
    different += compare(a, b) != sign(x[1]);
    different += compare(min(a, b), max(a, b)) > 0;
    REQUIRE(different == 0);
    small.clear();
    big.clear();
  }
  CHECK(small.total() > 0);
}

TEST_CASE("rounding ties and modes", "[number]") {
  NumberPool pool;
  struct Row {
    const char* number;
    int decimals;
    const char* results[5];  // half_away half_even floor ceil trunc
  };
  const Row rows[] = {
      {"2.5", 0, {"3", "2", "2", "3", "2"}},
      {"3.5", 0, {"4", "4", "3", "4", "3"}},
      {"-2.5", 0, {"-3", "-2", "-3", "-2", "-2"}},
      {"-0.5", 0, {"-1", "0", "-1", "0", "0"}},
      {"1.005", 2, {"1.01", "1", "1", "1.01", "1"}},
      {"2.675", 2, {"2.68", "2.68", "2.67", "2.68", "2.67"}},
      {"2.6749999999999999", 2, {"2.67", "2.67", "2.67", "2.68", "2.67"}},
      {"8.25", 1, {"8.3", "8.2", "8.2", "8.3", "8.2"}},
      {"25", -1, {"30", "20", "20", "30", "20"}},
      {"-1250", -2, {"-1300", "-1200", "-1300", "-1200", "-1200"}},
      {"1/3", 4, {"0.3333", "0.3333", "0.3333", "0.3334", "0.3333"}},
      {"-2/3", 2, {"-0.67", "-0.67", "-0.67", "-0.66", "-0.66"}},
      {"7", 30, {"7", "7", "7", "7", "7"}},
      {"123456789012345678901234567890.5",
       0,
       {"123456789012345678901234567891", "123456789012345678901234567890", "123456789012345678901234567890",
        "123456789012345678901234567891", "123456789012345678901234567890"}},
      {"-0.00000000000000000000005", 22, {"-0.0000000000000000000001", "0", "-0.0000000000000000000001", "0", "0"}},
      {"9223372036854775807",
       -18,
       {"9000000000000000000", "9000000000000000000", "9000000000000000000", "10000000000000000000",
        "9000000000000000000"}},
      {"4", -20, {"0", "0", "0", "100000000000000000000", "0"}},
  };
  for (const bool big : {false, true}) {
    pool.set_force_big(big);
    for (const Row& row : rows) {
      for (int mode = 0; mode < 5; ++mode) {
        INFO(row.number << " to " << row.decimals << " mode " << mode);
        CHECK(exact_text(round_to(parse(row.number, pool), row.decimals, kModes[mode], pool)) == row.results[mode]);
      }
    }
  }
}

TEST_CASE("decimals are read as JSON writes them", "[number]") {
  for (const char* good : {"0", "-0", "7", "-12", "0.5", "-0.50", "1e3", "1E+3", "75e-1", "0e5", "1e400", "1e-400",
                           "123456789012345678901234567890.000000001", "0.00000000000000000000000000001"}) {
    INFO(good);
    CHECK(reads(good));
  }
  for (const char* bad :
       {"",       "-",  "+1", "01",    "-01",  "00",    ".5",    "1.",  "1.e3", "1e",       "1e+", "1e401",
        "1e-401", " 1", "1 ", "1_000", "0x10", "1.2.3", "1e2.5", "--1", "NaN",  "Infinity", "1,5", "1e99999999999"}) {
    INFO(bad);
    CHECK_FALSE(reads(bad));
  }
  for (const char* good : {"1_000", "30_000.25", "1_2_3", "0.000_1", "1_000e3"}) CHECK(reads(good, true));
  for (const char* bad : {"_1", "1_", "1__0", "1_.5", "1._5", "1e1_0", "-_1", "1.5_", "1_e3"}) {
    INFO(bad);
    CHECK_FALSE(reads(bad, true));
  }
  CHECK_FALSE(reads(std::string(60'001, '9')));
  CHECK(reads(std::string(10'000, '9')));
  CHECK_FALSE(reads(std::string(10'001, '9')));
  NumberPool pool;
  CHECK(exact_text(parse("-0", pool)) == "0");
  CHECK(exact_text(parse("-0.00", pool)) == "0");
  CHECK(exact_text(parse("75e-1", pool)) == "7.5");
  CHECK(exact_text(parse("1e20", pool)) == "100000000000000000000");
  CHECK(exact_text(parse("0.1234567890123456789012345", pool)) == "0.1234567890123456789012345");
  CHECK(exact_text(parse("1.0000000000000000000000000", pool)) == "1");
  Number result;
  REQUIRE(parse_decimal("1_234.5_0", result, pool, true));
  CHECK(exact_text(result) == "1234.5");
  CHECK_FALSE(parse_exact("1/0", result, pool));
  CHECK_FALSE(parse_exact("1/-3", result, pool));
  CHECK_FALSE(parse_exact("1/", result, pool));
  CHECK_FALSE(parse_exact("0.5/3", result, pool));
}

TEST_CASE("numbers are written", "[number]") {
  NumberPool pool;
  CHECK(shortest_text(whole(0)) == "0");
  CHECK(shortest_text(parse("8.50", pool)) == "8.5");
  CHECK(shortest_text(parse("-0.050", pool)) == "-0.05");
  CHECK(shortest_text(parse("1/3", pool)) == "0.333333333333");
  CHECK(shortest_text(parse("-200/3", pool)) == "-66.6666666667");
  CHECK(shortest_text(parse("1/8", pool)) == "0.125");
  CHECK(shortest_text(parse("3/30", pool)) == "0.1");
  CHECK(shortest_text(whole(INT64_MAX)) == "9223372036854775807");
  CHECK(shortest_text(parse("999999999999999999999", pool)) == "999999999999999999999");
  CHECK(shortest_text(parse("1e21", pool)) == "1e21");
  CHECK(shortest_text(parse("-1.5e21", pool)) == "-1.5e21");
  CHECK(shortest_text(parse("123456789012345678901234567890", pool)) == "1.2345678901234567890123456789e29");
  CHECK(shortest_text(parse("1234567890123456789012345678901", pool)) == "1.234567890123456789012345678901e30");
  CHECK(shortest_text(parse("9999999999999999999999999999999", pool)) == "9.999999999999999999999999999999e30");
  CHECK(shortest_text(parse("0.000000000000000000000000000001", pool)) == "0.000000000000000000000000000001");
  CHECK(shortest_text(parse("0.0000000000000000000000000000012345678901234", pool)) ==
        "0.00000000000000000000000000000123456789012");
  CHECK(fixed(parse("8.5", pool), 2) == "8.50");
  CHECK(fixed(parse("8.505", pool), 2) == "8.51");
  CHECK(fixed(parse("-0.001", pool), 2) == "0.00");
  CHECK(fixed(whole(9), 0) == "9");
  CHECK(fixed(whole(1250), -2) == "1300");
  CHECK(fixed(whole(12), -2) == "0");
  CHECK(fixed(parse("1/3", pool), 25) == "0.3333333333333333333333333");
  CHECK(rounded(parse("8.50", pool), 2) == "8.5");
  CHECK(rounded(parse("9.001", pool), 2) == "9");
  CHECK(rounded(parse("-0.001", pool), 2) == "0");
  CHECK(rounded(parse("0.1", pool), 4) == "0.1");
  CHECK(rounded(whole(100), 2) == "100");
  CHECK(significant(parse("2/3", pool), 4) == "0.6667");
  CHECK(significant(parse("123456", pool), 2) == "120000");
  CHECK(significant(parse("0.00012345", pool), 3) == "0.000123");
  CHECK(significant(parse("99.96", pool), 3) == "100");
  CHECK(significant(whole(0), 3) == "0");
  CHECK(significant(parse("1e-400", pool), 1) == "0." + std::string(399, '0') + "1");
  CHECK(exact_text(parse("-10/4", pool)) == "-2.5");
  CHECK(exact_text(parse("-10/14", pool)) == "-5/7");
}

TEST_CASE("written numbers read back", "[number]") {
  std::mt19937_64 random(7);
  NumberPool pool;
  for (int i = 0; i < 20'000; ++i) {
    const Number a = mul(random_number(random), random_number(random), pool);
    Number b;
    REQUIRE(parse_exact(exact_text(a), b, pool));
    REQUIRE(compare(a, b) == 0);
    REQUIRE(exact_text(a) == exact_text(b));
    const std::string text = shortest_text(a);
    REQUIRE(parse_decimal(text, b, pool));
    if (text.size() < 12) REQUIRE(shortest_text(b) == text);
    pool.clear();
  }
}

TEST_CASE("doubles become the decimal that was meant", "[number]") {
  NumberPool pool;
  CHECK(exact_text(from_double(0.1, pool)) == "0.1");
  CHECK(exact_text(from_double(-0.0, pool)) == "0");
  CHECK(exact_text(from_double(8.25, pool)) == "8.25");
  CHECK(exact_text(from_double(9007199254740991.0, pool)) == "9007199254740991");
  CHECK(exact_text(from_double(1e22, pool)) == "10000000000000000000000");
  CHECK(compare(from_double(5e-324, pool), parse("5e-324", pool)) == 0);
  CHECK(exact_text(from_double(0.30000000000000004, pool)) == "0.30000000000000004");
  std::mt19937_64 random(99);
  const auto agrees = [&](double value) {
    char text[40];
    const char* end = std::to_chars(text, text + sizeof text, value).ptr;
    const Number expected = parse({text, static_cast<std::size_t>(end - text)}, pool);
    const Number actual = from_double(value, pool);
    INFO(std::string_view(text, static_cast<std::size_t>(end - text)));
    REQUIRE(compare(actual, expected) == 0);
    REQUIRE(to_double(actual) == value);
    pool.clear();
  };
  for (int i = 0; i < 40'000; ++i) {
    const auto shorter = static_cast<std::uint64_t>(std::pow(10, random() % 15));
    const auto digits = static_cast<double>(random() % 1'000'000'000'000'000 / shorter);
    agrees((random() % 2 != 0 ? digits : -digits) / std::pow(10, random() % 16));
  }
  for (int i = 0; i < 20'000; ++i) {  // any double within the range of exponents that is read
    const std::uint64_t pattern = random();
    double value;
    static_assert(sizeof value == sizeof pattern);
    std::memcpy(&value, &pattern, sizeof value);
    if (std::isfinite(value)) agrees(value);
  }
  agrees(std::numeric_limits<double>::max());
  agrees(std::numeric_limits<double>::min());
  agrees(std::numeric_limits<double>::denorm_min());
  agrees(9007199254740993.0);
  agrees(1e15 + 0.5);
}

TEST_CASE("a double becomes what the text of its shortest decimal is read as", "[number]") {
  // std::to_chars finds it another way. The same fraction, too, where it is small: not only the same value.
  std::mt19937_64 random(2024);
  NumberPool pool;
  const auto agrees = [&](double value) {
    if (!std::isfinite(value)) return;
    for (const double v : {value, -value}) {
      char text[40];
      const char* end = std::to_chars(text, text + sizeof text, v).ptr;
      const Number expected = parse({text, static_cast<std::size_t>(end - text)}, pool);
      const Number actual = from_double(v, pool);
      INFO(std::string_view(text, static_cast<std::size_t>(end - text)));
      REQUIRE(actual.small() == expected.small());
      if (actual.small() && !(std::fabs(v) > 9007199254740991.0)) {
        REQUIRE(actual.num == expected.num);
        REQUIRE(actual.den == expected.den);
      }
      REQUIRE(compare(actual, expected) == 0);
      REQUIRE(to_double(actual) == v);
      pool.clear();
    }
  };
  const auto pattern = [](std::uint64_t bits) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  };
  for (int i = 0; i < 4'000; ++i) {
    const std::uint64_t bits = random();
    agrees(pattern((bits >> 12) | (933 + random() % 150) << 52));  // where all digits are in 128 bits, and around
    agrees(std::ldexp(static_cast<double>(bits >> (11 + random() % 52)),
                      -static_cast<int>(random() % 90)));  // ends in zeros
    const double decimal = static_cast<double>(bits >> (7 + random() % 50)) / std::pow(10, random() % 23);
    for (const double near : {decimal, std::nextafter(decimal, 0.0), std::nextafter(decimal, HUGE_VAL)}) agrees(near);
    agrees(static_cast<double>(random() % 1000 + 1) / static_cast<double>(random() % 1000 + 1));
    agrees(pattern(bits >> (12 + random() % 52)));  // below the smallest normal one
  }
  for (int exponent = -1074; exponent < 1024; ++exponent) {  // the distance to the next double changes there
    const double power = std::ldexp(1.0, exponent);
    for (const double near : {power, std::nextafter(power, 0.0), std::nextafter(power, HUGE_VAL)}) agrees(near);
  }
}

TEST_CASE("fractions of 64 bits have the nearest double that big ones have", "[number]") {
  std::mt19937_64 random(17);
  NumberPool pool;
  for (int i = 0; i < 20'000; ++i) {
    Number a{static_cast<std::int64_t>(random() >> (1 + random() % 62)),
             static_cast<std::int64_t>(random() >> (1 + random() % 62)) | 1};
    if (i % 3 == 0) a.den = static_cast<std::int64_t>(std::pow(10, random() % 19));
    if (i % 5 == 0)
      a = {static_cast<std::int64_t>(random() >> 10 | 1) << (random() % 9),
           std::int64_t{1} << (random() % 62)};  // ties
    if (random() % 2 != 0) a.num = -a.num;
    pool.set_force_big(true);
    const Number big = mul(a, whole(1), pool);
    pool.set_force_big(false);
    REQUIRE(!big.small());
    INFO(a.num << " / " << a.den);
    REQUIRE(to_double(a) == to_double(big));
    pool.clear();
  }
}

TEST_CASE("the nearest double", "[number]") {
  NumberPool pool;
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; ++i) {
    // strtod rounds correctly, too.
    std::string text = std::to_string(random());
    text.insert(1, ".");
    text += std::to_string(random());
    text += "e" + std::to_string(static_cast<int>(random() % 640) - 330);
    INFO(text);
    REQUIRE(to_double(parse(text, pool)) == std::strtod(text.c_str(), nullptr));
    pool.clear();
  }
  CHECK(to_double(parse("9007199254740993", pool)) == 9007199254740992.0);  // tie to even
  CHECK(to_double(parse("9007199254740995", pool)) == 9007199254740996.0);
  CHECK(to_double(parse("9007199254740993.0000000000000000000000001", pool)) == 9007199254740994.0);
  CHECK(to_double(parse("2e-324", pool)) == 0);
  CHECK(to_double(parse("3e-324", pool)) == std::numeric_limits<double>::denorm_min());
  CHECK(to_double(parse("1e309", pool)) == std::numeric_limits<double>::infinity());
  CHECK(to_double(parse("-1e400", pool)) == -std::numeric_limits<double>::infinity());
  CHECK(to_double(parse("1e-400", pool)) == 0);
}

TEST_CASE("roots and powers that are rational are exact", "[number]") {
  NumberPool pool;
  CHECK(exact_text(sqrt(whole(0), pool)) == "0");
  CHECK(exact_text(sqrt(parse("6.25", pool), pool)) == "2.5");
  CHECK(exact_text(sqrt(parse("18/50", pool), pool)) == "0.6");
  CHECK(exact_text(sqrt(parse("4/9", pool), pool)) == "2/3");
  CHECK(exact_text(sqrt(parse("1e400", pool), pool)) == "1" + std::string(200, '0'));
  for (std::int64_t n = 1; n < 3'000'000'000; n = n * 3 / 2 + 1) {
    std::int64_t back = 0;
    REQUIRE(to_int64(sqrt(whole(n * n), pool), back));
    REQUIRE(back == n);
    REQUIRE_FALSE(is_whole(sqrt(whole(n * n + 1), pool)));
  }
  const auto power = [&](const char* base, const char* exponent) {
    return exact_text(pow(parse(base, pool), parse(exponent, pool), pool));
  };
  CHECK(power("0", "0") == "1");
  CHECK(power("0", "2.5") == "0");
  CHECK(power("-3", "3") == "-27");
  CHECK(power("-3", "2") == "9");
  CHECK(power("2", "-3") == "0.125");
  CHECK(power("-2", "-3") == "-0.125");
  CHECK(power("2/3", "-2") == "2.25");
  CHECK(power("8", "1/3") == "2");
  CHECK(power("32", "0.2") == "2");
  CHECK(power("0.25", "1.5") == "0.125");
  CHECK(power("4/9", "-0.5") == "1.5");
  CHECK(power("1", "12345678901234567890123.5") == "1");
  CHECK(power("-1", "12345678901234567890123") == "-1");
  CHECK(power("-1", "12345678901234567890122") == "1");
  CHECK(power("10", "4000") == "1" + std::string(4000, '0'));
  CHECK(power("10", "4001") == "missing");
  CHECK(power("10", "-4001") == "missing");
  CHECK(power("2", "12345678901234567890123") == "missing");
  CHECK(power("10", "999999999999.5") == "missing");
  CHECK(power("7", "9223372036854775807") == "missing");
  CHECK(exact_text(log10(parse("1e-7", pool), pool)) == "-7");
  CHECK(exact_text(log10(parse("1e400", pool), pool)) == "400");
  CHECK(exact_text(log10(whole(1), pool)) == "0");
  CHECK(exact_text(ln(parse("10/10", pool), pool)) == "0");
  CHECK(exact_text(exp(whole(0), pool)) == "1");
  CHECK(exact_text(erf(whole(0), pool)) == "0");
  CHECK(exact_text(erf(parse("-1e300", pool), pool)) == "-1");
  CHECK(exp(parse("1e300", pool), pool).missing());
  CHECK(exp(whole(9211), pool).missing());
  CHECK_FALSE(exp(whole(9210), pool).missing());
  CHECK(exact_text(exp(parse("-1e300", pool), pool)) == "0");
  CHECK_FALSE(exp(parse("1e-400", pool), pool).missing());
  CHECK_FALSE(erf(parse("1e-400", pool), pool).missing());
  CHECK_FALSE(ln(parse("1e-400", pool), pool).missing());
}

TEST_CASE("irrational results have 40 correct digits", "[number]") {
  NumberPool pool;
  struct Row {
    Number (*function)(Number, NumberPool&);
    const char* argument;
    const char* result;
  };
  const Row rows[] = {
      {sqrt, "2", "1.41421356237309504880168872420969807857"},
      {sqrt, "3", "1.732050807568877293527446341505872366943"},
      {sqrt, "0.5", "0.7071067811865475244008443621048490392848"},
      {sqrt, "10", "3.16227766016837933199889354443271853372"},
      {sqrt, "123456789.123", "11111.11106609055546434728617210443999098"},
      {sqrt, "0.000001234", "0.001110855526159905278255972911272117971559"},
      {sqrt, "1e30", "1000000000000000"},
      {sqrt, "7e-31", "0.0000000000000008366600265340755479781720257851874893928"},
      {ln, "2", "0.6931471805599453094172321214581765680755"},
      {ln, "10", "2.302585092994045684017991454684364207601"},
      {ln, "0.5", "-0.6931471805599453094172321214581765680755"},
      {ln, "1.0000000000001", "0.00000000000009999999999999500000000000033333333333331"},
      {ln, "0.99999999999999999", "-0.00000000000000001000000000000000005000000000000000033333"},
      {ln, "1.00001", "0.000009999950000333330833353333166668095225595"},
      {ln, "123456789", "18.63140176616801803319393334796320420971"},
      {ln, "1e-300", "-690.7755278982137052053974364053092622803"},
      {exp, "1", "2.718281828459045235360287471352662497757"},
      {exp, "-1", "0.3678794411714423215955237701614608674458"},
      {exp, "0.5", "1.648721270700128146848650787814163571654"},
      {exp, "100", "26881171418161354484126255515800135873610000"},
      {exp, "-100", "0.00000000000000000000000000000000000000000003720075976020835962959695803863118337359"},
      {exp, "1e-10", "1.000000000100000000005000000000166666667"},
      {exp, "0.001", "1.001000500166708341668055753993058311563"},
      {exp, "7.25", "1408.10484820469557502008632701363782242"},
      {log10, "2", "0.3010299956639811952137388947244930267682"},
      {log10, "3", "0.4771212547196624372950279032551153092001"},
      {log10, "0.5", "-0.3010299956639811952137388947244930267682"},
      {log10, "1234.5", "3.091491094267951081848996765130173937561"},
      {log10, "1.0000000000001", "0.00000000000004342944819032301129270337577728707988592"},
      {erf, "1", "0.8427007929497148693412206350826092592961"},
      {erf, "0.5", "0.5204998778130465376827466538919645287365"},
      {erf, "-1", "-0.8427007929497148693412206350826092592961"},
      {erf, "2", "0.9953222650189527341620692563672529286109"},
      {erf, "3.3", "0.9999969422902035618385381965973129179515"},
      {erf, "0.000001", "0.000001128379167095136447507127178434829828245"},
      {erf, "5", "0.9999999999984625402055719651498116565146"},
  };
  for (const bool big : {false, true}) {
    pool.set_force_big(big);
    for (const Row& row : rows) {
      INFO(row.argument);
      CHECK(exact_text(row.function(parse(row.argument, pool), pool)) == row.result);
    }
  }
  const char* powers[][3] = {
      {"2", "0.5", "1.41421356237309504880168872420969807857"},
      {"10", "0.3", "1.995262314968879601352455396739535557986"},
      {"1.5", "2.25", "2.490034319325723582919778115240746209246"},
      {"0.001", "1.7", "0.00000794328234724281502065918282836387932589"},
      {"1.0005", "3650", "6.199966581936792067338759459978465096423"},
      {"-1.0005", "3651", "-6.203066565227760463372428839708454328971"},
      {"3", "-0.1", "0.8959584598407621945273070245756476816937"},
      {"1.00000000000001", "0.5", "1.0000000000000049999999999999875"},
  };
  for (const auto& row : powers) {
    INFO(row[0] << "^" << row[1]);
    CHECK(exact_text(pow(parse(row[0], pool), parse(row[1], pool), pool)) == row[2]);
  }
}

TEST_CASE("a cleared pool uses its memory again", "[number]") {
  NumberPool pool;
  const Number first = add(whole(INT64_MAX), whole(1), pool);
  const Number second = add(whole(INT64_MAX), whole(2), pool);
  pool.clear();
  CHECK(add(whole(INT64_MAX), whole(3), pool).num == first.num);
  CHECK(add(whole(INT64_MAX), whole(4), pool).num == second.num);
  CHECK(pool.used() == 2);
  CHECK(pool.total() == 4);
}
