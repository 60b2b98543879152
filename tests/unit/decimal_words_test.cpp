// Columns of doubles whose words show whether they are short decimals (DecimalWords in runtime/jit/jit_asm.hpp):
// machine code accepts exactly the rows with such values, for any bits of the others.
#include "runtime/columns/columns_impl.hpp"
#include "tests/property/random.hpp"
#include "tests/unit/catch.hpp"

#include <assay/assay.hpp>
#include <assay/columns.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace assay;

namespace {

struct Ratings {
  const char* low;
  const char* high;
  std::int64_t least, most;  // in units
  int decimals;
};

// 1..10 and similar types are recognised by their words. The last two are not, for different reasons, and must also
// give correct results.
constexpr Ratings kRatings[] = {
    {"1", "10", 100, 1000, 2}, {"1", "5", 1, 5, 0},          {"1", "100", 10, 1000, 1}, {"0.5", "2", 50, 200, 2},
    {"3", "4", 3000, 4000, 3}, {"2", "16", 200, 1600, 2},    {"1", "1", 100, 100, 2},   {"0.01", "0.15", 1, 15, 2},
    {"0", "10", 0, 1000, 2},   {"1", "100", 100, 10'000, 2},
};

std::string text_of(const Ratings& r) {
  const std::string range = "number " + std::string(r.low) + ".." + r.high, places = std::to_string(r.decimals);
  return "rubric r \"Ratings\" { scale 0..200 decimals 4 input a, b: " + range +
         " dimension d weight 100% = (a + b) / 2 output short = a == round(a, " + places + ") and b == round(b, " +
         places + ") }";
}

class Values {
 public:
  explicit Values(const Ratings& of) : of_(of), unit_(std::pow(10.0, of.decimals)) {}
  bool decimal(double v) const {
    if (!(v > -1e6 && v < 1e6)) return false;
    return std::round(v * unit_) / unit_ == v;
  }
  bool within(double v) const { return v >= of_.least / unit_ && v <= of_.most / unit_; }
  double good() {
    return static_cast<double>(of_.least +
                               static_cast<std::int64_t>(below(static_cast<std::uint64_t>(of_.most - of_.least + 1)))) /
           unit_;
  }
  double any() {
    const double v = good();
    auto bits = std::bit_cast<std::uint64_t>(v);
    switch (below(12)) {
      case 0: return std::bit_cast<double>(bits + 1 + below(3));
      case 1: return std::bit_cast<double>(bits - 1 - below(3));
      case 2: return std::bit_cast<double>(bits + (std::uint64_t{1} << below(45)));
      case 3: return std::bit_cast<double>(bits - (std::uint64_t{1} << below(45)));
      case 4: {  // a low word that is almost 0 after the multiplication
        const auto unit = static_cast<std::uint64_t>(unit_);
        const std::uint64_t low = ((below(unit) << 32) + below(2 * unit + 1)) / unit;
        return std::bit_cast<double>((bits >> 32) << 32 | (low & 0xffffffff));
      }
      case 5: return std::bit_cast<double>(bits ^ below(std::uint64_t{1} << 32));
      case 6: return std::bit_cast<double>((bits ^ below(std::uint64_t{1} << 20) << 32));
      case 7: return v + (below(2) == 0 ? 4294967296.0 : -4294967296.0) / unit_;  // the same low word of its units
      case 8: return static_cast<double>(below(2) == 0 ? of_.most + 1 : of_.least - 1) / unit_;
      case 9: {
        static constexpr double kOthers[] = {0.0, -0.0, 1e-300, 5e-324, 1e300, std::numeric_limits<double>::infinity(),
                                             -1.0};
        return kOthers[below(std::size(kOthers))];
      }
      case 10: return std::numeric_limits<double>::quiet_NaN();
      default: return -v;
    }
  }

 private:
  std::uint64_t below(std::uint64_t count) { return random_.below(count); }
  const Ratings& of_;
  double unit_;
  assay_tests::Random random_{11};
};

}  // namespace

TEST_CASE("short decimals are told from all other doubles") {
  for (const Ratings& ratings : kRatings) {
    const Compiled compiled = compile("ratings", text_of(ratings));
    REQUIRE(compiled.rubric);
    for (const auto set : {JitCode::Set::baseline, JitCode::Set::avx2, JitCode::Set::avx512}) {
      CAPTURE(ratings.low, ratings.high, ratings.decimals, static_cast<int>(set));
      EvaluatorOptions options;
      options.jit_threshold = 0;
      Columns columns(*compiled.rubric, options);
      if (!ColumnsTestAccess::use(columns, set)) continue;
      constexpr std::size_t kRows = 60'000, kFirst = 2048;
      Values values(ratings);
      std::vector<double> a(kRows), b(kRows), score(kRows);
      std::vector<std::int8_t> is_short(kRows);
      for (std::size_t i = 0; i < kRows; ++i) {
        a[i] = values.good();
        b[i] = values.good();
        // So few that no kernel is generated for their shape.
        if (i >= kFirst && i % 32 == 0) a[i] = values.any();
        if (i >= kFirst && i % 32 == 17) b[i] = values.any();
      }
      REQUIRE(!columns.bind("a", {a.data(), ColumnType::f64}));
      REQUIRE(!columns.bind("b", {b.data(), ColumnType::f64}));
      REQUIRE(!columns.write("score", {score.data(), ColumnType::f64}));
      REQUIRE(!columns.write("short", {is_short.data(), ColumnType::i8}));
      REQUIRE(!columns.score(0, kFirst));
      const std::uint64_t before = columns.statistics().jit_rows;
      REQUIRE(!columns.score(kFirst, kRows));
      std::uint64_t taken = 0, wrong = 0;
      for (std::size_t i = kFirst; i < kRows; ++i) {
        const bool within = values.within(a[i]) && values.within(b[i]);
        const bool decimal = values.decimal(a[i]) && values.decimal(b[i]);
        taken += within && decimal ? 1 : 0;
        const int expected = !within ? -1 : decimal ? 1 : 0;
        if (is_short[i] == expected && std::isnan(score[i]) == !within) continue;
        ++wrong;
        UNSCOPED_INFO("row " << i << ": " << std::hexfloat << a[i] << " and " << b[i] << ": " << int{is_short[i]});
      }
      CHECK(wrong == 0);
      if (JitCode::available()) CHECK(columns.statistics().jit_rows - before == taken);
    }
  }
}
