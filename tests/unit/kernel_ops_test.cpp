// The kernel instructions one by one, by the interpreter and by machine code, against arithmetic in 128 bits, at the
// values where quotients change. Also checks that every instruction is used by a rubric of the table
// (tests/property/kernel_cases.hpp).
#include "runtime/dispatch/kernel_runner.hpp"
#include "tests/property/kernel_cases.hpp"
#include "tests/property/random.hpp"
#include "tests/property/register_pair.hpp"

#include "tests/unit/catch.hpp"

#include <assay/assay.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace assay;
using namespace assay_tests;

namespace {

__extension__ typedef __int128 Wide128;

std::int64_t expected_quotient(std::int64_t n, std::int64_t d, Rounding mode) {
  Wide128 q = n / d;
  const Wide128 rest = n % d;
  if (rest == 0) return static_cast<std::int64_t>(q);
  const bool negative = rest < 0;
  const Wide128 twice = (negative ? -rest : rest) * 2;
  bool away = false;
  switch (mode) {
    case Rounding::trunc: break;
    case Rounding::floor: away = negative; break;
    case Rounding::ceil: away = !negative; break;
    case Rounding::half_away: away = twice >= d; break;
    case Rounding::half_even: away = twice > d || (twice == d && q % 2 != 0); break;
  }
  if (away) q += negative ? -1 : 1;
  return static_cast<std::int64_t>(q);
}

// A kernel of one instruction over the registers 0 … inputs - 1.
std::shared_ptr<Kernel> kernel_of(KernelInstruction i, std::uint32_t inputs, std::int64_t most,
                                  std::vector<KernelTerm> terms = {}) {
  auto k = std::make_shared<Kernel>();
  for (std::uint32_t p = 0; p < inputs; ++p) {
    KernelInput input;
    input.path = {p};
    input.reg = p;
    input.low = -most;
    input.high = most;
    input.absent.push_back({true, false, 0});
    k->inputs.push_back(input);
  }
  i.a = inputs;
  i.count = static_cast<std::uint32_t>(terms.size());
  k->terms = std::move(terms);
  k->code.push_back(i);
  KernelResult r;
  r.kind = KernelResult::Kind::number;
  r.reg = inputs;
  k->results.push_back(r);
  k->registers = inputs + 1;
  return k;
}

using Rows = std::vector<std::vector<std::int64_t>>;  // a value for each input

std::string check_op(KernelInstruction i, std::uint32_t inputs, std::vector<KernelTerm> terms, const Rows& rows,
                     const std::vector<std::int64_t>& expected, bool narrow) {
  const std::int64_t most = narrow ? INT32_MAX / 2 : std::int64_t{1} << 61;
  std::shared_ptr<Kernel> kernel = kernel_of(i, inputs, most, std::move(terms));
  kernel->narrow = narrow;
  kernel->bounds.assign(inputs + 1, {INT64_MAX, INT64_MIN});
  const auto widen = [&](Register reg, std::int64_t v) {
    RegisterBounds& b = kernel->bounds[reg];
    b = {std::min(b.low, v), std::max(b.high, v)};
  };
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (Register l = 0; l < inputs; ++l) widen(l, rows[r][l]);
    widen(inputs, expected[r]);
  }
  for (const std::uint64_t jit_threshold : {EvaluatorOptions::kNever, std::uint64_t{0}}) {
    KernelRunner runner(std::make_shared<SharedKernel>(kernel), jit_threshold);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      std::copy(rows[r].begin(), rows[r].end(), runner.registers());
      const bool taken = runner.run();
      const std::int64_t got = runner.registers()[inputs];
      if (taken && got == expected[r]) continue;
      std::string row;
      for (const std::int64_t v : rows[r]) row += ' ' + std::to_string(v);
      return (runner.jitted() ? "machine code" : "interpreter") + row + ": " + std::to_string(got) + ", expected " +
             std::to_string(expected[r]);
    }
  }
  return {};
}

const Rounding kModes[] = {Rounding::half_away, Rounding::half_even, Rounding::floor, Rounding::ceil, Rounding::trunc};

std::vector<std::int64_t> divisors(bool narrow) {
  std::vector<std::int64_t> out = {1,
                                   2,
                                   3,
                                   4,
                                   5,
                                   7,
                                   10,
                                   100,
                                   1000,
                                   1024,
                                   65535,
                                   65536,
                                   99'999,
                                   1'000'000'000,
                                   (1 << 29) - 1,
                                   1 << 29,
                                   INT32_MAX / 2};
  if (narrow) return out;
  for (const int bit : {31, 32, 40, 52, 53, 60}) {
    for (const int by : {-1, 0, 1}) out.push_back((std::int64_t{1} << bit) + by);
  }
  out.push_back(999'999'999'999'999'999);
  out.push_back(1'000'000'000'000'000'000);
  out.push_back((std::int64_t{1} << 61) - 1);
  out.push_back(std::int64_t{1} << 61);
  return out;
}

// Around multiples and halves of d, around the limits, and at random.
std::vector<std::int64_t> numerators(std::int64_t d, std::int64_t most, Random& random) {
  std::vector<std::int64_t> out;
  const auto add = [&](Wide128 n) {
    if (n <= most && n >= -Wide128{most}) out.push_back(static_cast<std::int64_t>(n));
  };
  for (int round = 0; round < 60; ++round) {
    const std::int64_t size = most >> random.below(round < 30 ? 40 : 4);
    const Wide128 multiple = Wide128{random.within(-size, size) / d} * d;
    for (const Wide128 n : {multiple, multiple + d / 2, multiple + (d + 1) / 2}) {
      for (int by = -1; by <= 1; ++by) add(n + by);
    }
    add(random.within(-size, size));
  }
  for (int by = 0; by < 4; ++by) {
    add(Wide128{most} - by);
    add(by - Wide128{most});
    add(by);
    add(-by);
  }
  return out;
}

}  // namespace

TEST_CASE("quotients by constants in every mode") {
  Random random(5);
  for (const bool narrow : {true, false}) {
    const std::int64_t most = narrow ? INT32_MAX / 2 : std::int64_t{1} << 61;
    for (const std::int64_t d : divisors(narrow)) {
      for (const Rounding mode : kModes) {
        for (const bool signs : {true, false}) {
          Rows rows;
          std::vector<std::int64_t> expected;
          KernelInstruction i;
          i.op = KernelOp::div_x;
          i.mode = mode;
          i.x = d;
          i.signs = signs;
          for (const std::int64_t n : numerators(d, most, random)) {
            if (n < 0 && !signs) continue;
            rows.push_back({n});
            expected.push_back(expected_quotient(n, d, mode));
          }
          INFO(d << " mode " << static_cast<int>(mode) << (narrow ? " narrow" : " wide"));
          CHECK(check_op(i, 1, {}, rows, expected, narrow) == "");
        }
      }
    }
  }
}

TEST_CASE("quotients by registers in every mode") {
  Random random(6);
  for (const bool narrow : {true, false}) {
    const std::int64_t most = narrow ? INT32_MAX / 2 : std::int64_t{1} << 61;
    for (const Rounding mode : kModes) {
      for (const bool signs : {true, false}) {
        for (const bool large : {true, false}) {  // quotients of 2^50 and more have a loop of their own
          Rows rows;
          std::vector<std::int64_t> expected;
          for (const std::int64_t d : divisors(narrow)) {
            for (const std::int64_t n : numerators(d, most, random)) {
              const std::int64_t q = expected_quotient(n, d, mode);
              if ((n < 0 && !signs) || (!large && std::abs(q) >= std::int64_t{1} << 50)) continue;
              rows.push_back({n, d});
              expected.push_back(q);
            }
          }
          KernelInstruction i;
          i.op = KernelOp::div;
          i.mode = mode;
          i.b = 0;
          i.c = 1;
          i.signs = signs;
          INFO("mode " << static_cast<int>(mode) << (narrow ? " narrow" : " wide") << (large ? " large" : ""));
          CHECK(check_op(i, 2, {}, rows, expected, narrow) == "");
        }
      }
    }
  }
}

TEST_CASE("every other instruction at its limits") {
  Random random(7);
  for (const bool narrow : {true, false}) {
    const std::int64_t most = narrow ? INT32_MAX / 2 : std::int64_t{1} << 61;
    std::vector<std::int64_t> edges = {0, 1, -1, 2, -2, 3, 100, most, -most, most - 1, 1 - most, most / 2, -most / 3};
    for (int k = 0; k < 5; ++k) edges.push_back(random.within(-most, most));
    const std::vector<KernelTerm> ten = {{0, 1}, {1, -1}, {2, 2}, {0, 3}, {1, 5}, {2, -7}, {0, 0}, {1, 4}, {2, 9}};
    const auto check = [&](KernelOp op, const std::vector<std::int64_t>& from, std::int64_t x, std::int64_t y,
                           const std::vector<KernelTerm>& terms, auto&& value) {
      Rows rows;
      std::vector<std::int64_t> expected;
      for (const std::int64_t a : from) {
        for (const std::int64_t b : from) {
          for (const std::int64_t c : from) {
            const Wide128 v = value(Wide128{a}, Wide128{b}, Wide128{c});
            if (v > most || v < -Wide128{most}) continue;  // no kernel has that
            rows.push_back({a, b, c});
            expected.push_back(static_cast<std::int64_t>(v));
          }
        }
      }
      KernelInstruction i;
      i.op = op;
      i.b = 0;
      i.c = 1;
      i.d = 2;
      i.x = x;
      i.y = y;
      INFO("instruction " << static_cast<int>(op) << ' ' << x << (narrow ? " narrow" : " wide"));
      CHECK(!rows.empty());
      CHECK(check_op(i, 3, terms, rows, expected, narrow) == "");
    };
    const std::vector<std::int64_t> truths = {0, 1};
    for (const std::int64_t x : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-5}, most, -most}) {
      check(KernelOp::set, edges, x, 0, {}, [x](Wide128, Wide128, Wide128) { return Wide128{x}; });
      check(KernelOp::add_x, edges, x, 0, {}, [x](Wide128 a, Wide128, Wide128) { return a + x; });
      check(KernelOp::x_sub, edges, x, 0, {}, [x](Wide128 a, Wide128, Wide128) { return x - a; });
      check(KernelOp::mul_x, edges, x, 0, {}, [x](Wide128 a, Wide128, Wide128) { return a * x; });
      check(KernelOp::lt_x, edges, x, 0, {}, [x](Wide128 a, Wide128, Wide128) { return Wide128{a < x}; });
      check(KernelOp::ge_x, edges, x, 0, {}, [x](Wide128 a, Wide128, Wide128) { return Wide128{a >= x}; });
      check(KernelOp::eq_x, edges, x, 0, {}, [x](Wide128 a, Wide128, Wide128) { return Wide128{a == x}; });
      check(KernelOp::ne_x, edges, x, 0, {}, [x](Wide128 a, Wide128, Wide128) { return Wide128{a != x}; });
      check(KernelOp::clamp, edges, x, most, {}, [x](Wide128 a, Wide128, Wide128) { return a < x ? Wide128{x} : a; });
      check(KernelOp::clamp, edges, -INT64_MAX, x, {},
            [x](Wide128 a, Wide128, Wide128) { return a > x ? Wide128{x} : a; });
      check(KernelOp::clamp, edges, x, INT64_MAX, {},
            [x](Wide128 a, Wide128, Wide128) { return a < x ? Wide128{x} : a; });
      const std::vector<KernelTerm> weights = {{0, 1}, {1, -1}, {2, 2}, {0, -1}, {1, 3}};
      const std::int64_t small = x / 2;
      check(KernelOp::weighted, {0, 1, -1, 77, most / 8, -most / 8}, small, 0, weights,
            [small](Wide128, Wide128 b, Wide128 c) { return Wide128{small} + 2 * b + 2 * c; });
      check(KernelOp::first, truths, x, 0, ten, [x](Wide128 a, Wide128 b, Wide128 c) {
        return a != 0 ? Wide128{1} : b != 0 ? Wide128{-1} : c != 0 ? Wide128{2} : Wide128{x};
      });
    }
    check(KernelOp::add, edges, 0, 0, {}, [](Wide128 a, Wide128 b, Wide128) { return a + b; });
    check(KernelOp::sub, edges, 0, 0, {}, [](Wide128 a, Wide128 b, Wide128) { return a - b; });
    check(KernelOp::mul, edges, 0, 0, {}, [](Wide128 a, Wide128 b, Wide128) { return a * b; });
    check(KernelOp::min, edges, 0, 0, {}, [](Wide128 a, Wide128 b, Wide128) { return a < b ? a : b; });
    check(KernelOp::max, edges, 0, 0, {}, [](Wide128 a, Wide128 b, Wide128) { return a > b ? a : b; });
    check(KernelOp::lt, edges, 0, 0, {}, [](Wide128 a, Wide128 b, Wide128) { return Wide128{a < b}; });
    check(KernelOp::eq, edges, 0, 0, {}, [](Wide128 a, Wide128 b, Wide128) { return Wide128{a == b}; });
    check(KernelOp::and_, truths, 0, 0, {}, [](Wide128 a, Wide128 b, Wide128) { return a & b; });
    check(KernelOp::or_, truths, 0, 0, {}, [](Wide128 a, Wide128 b, Wide128) { return a | b; });
    check(KernelOp::xor_, truths, 0, 0, {}, [](Wide128 a, Wide128 b, Wide128) { return a ^ b; });
    check(KernelOp::and_not, truths, 0, 0, {}, [](Wide128 a, Wide128 b, Wide128) { return a & (b ^ 1); });
    check(KernelOp::not_, truths, 0, 0, {}, [](Wide128 a, Wide128, Wide128) { return a ^ 1; });
    check(KernelOp::all_of, truths, 0, 0, ten, [](Wide128 a, Wide128 b, Wide128 c) { return a & b & c; });
    check(KernelOp::any_of, truths, 0, 0, ten, [](Wide128 a, Wide128 b, Wide128 c) { return a | b | c; });
    check(KernelOp::select, edges, 0, 0, {}, [](Wide128 a, Wide128 b, Wide128 c) { return a != 0 ? b : c; });
    for (const std::int64_t far : {std::int64_t{3}, std::int64_t{5000}, most}) {
      const std::vector<KernelTerm> bounds = {{0, far}, {0, 2}, {0, 1}, {0, -2}, {0, -far}};
      check(KernelOp::below, edges, 0, 0, bounds, [&](Wide128 a, Wide128, Wide128) {
        return Wide128{std::count_if(bounds.begin(), bounds.end(), [a](const KernelTerm& t) { return a < t.factor; })};
      });
    }
    for (const std::size_t size : {3u, 9u, 12u}) {
      std::vector<KernelTerm> picks;
      std::vector<std::int64_t> rows;
      for (std::size_t k = 0; k < size; ++k) {
        picks.push_back({0, random.within(-most, most)});
        rows.push_back(static_cast<std::int64_t>(k));
      }
      check(KernelOp::pick, rows, 0, 0, picks,
            [&](Wide128 a, Wide128, Wide128) { return Wide128{picks[static_cast<std::size_t>(a)].factor}; });
    }
  }
}

TEST_CASE("every instruction is in a kernel of the table, in both widths") {
  std::set<KernelOp> seen[2];
  for (const KernelCase& one : kernel_cases()) {
    if (one.fix == KernelCase::Fix::none) continue;
    std::vector<RigInput> inputs;
    const std::string text = rubric_of(one, inputs);
    const Rubric rubric = known_rubric("case.rubric", text);
    std::vector<std::vector<std::string>> sets(1);  // each field alone, and all that have kernels
    for (const FieldInfo& field : rubric.fields()) {
      if (field.name == "rubric" || field.name == "version" || field.name == "scoring_hash" ||
          !KernelRig(rubric, {field.name}).make({}))
        continue;
      sets.push_back({field.name});
      sets[0].push_back(field.name);
    }
    for (const std::vector<std::string>& fields : sets) {
      KernelRig rig(rubric, fields);
      for (const NumberBounds shape :
           {NumberBounds{1, 32}, NumberBounds{4, std::int64_t{1} << 40}, NumberBounds{9, 1 << 20}}) {
        InputBounds shapes;
        for (std::uint32_t slot = 0; slot < 12; ++slot) shapes[{slot}] = shape;
        if (!rig.make(shapes)) continue;
        for (const KernelInstruction& i : rig.kernel().code) seen[rig.kernel().narrow ? 1 : 0].insert(i.op);
      }
    }
  }
  static constexpr std::pair<KernelOp, const char*> kOps[] = {
#define ASSAY_LANE_OP(id, name, reads, doc) {KernelOp::id, name},
#include "lang/kernel/kernel_ops.def"
#undef ASSAY_LANE_OP
  };
  for (const auto& [op, name] : kOps) {
    INFO(name);
    CHECK(seen[0].count(op) == 1);
    CHECK(seen[1].count(op) == 1);
  }
}

TEST_CASE("a double is a decimal only when it is the one next to it") {
  for (const int decimals : {0, 1, 2, 3, 6, 9}) {
    for (const std::int64_t most :
         {std::int64_t{4000}, std::int64_t{INT32_MAX / 2}, std::int64_t{999'999'999'999'999}}) {
      INFO(decimals << " decimals, up to " << most);
      const double scale = std::pow(10.0, decimals);
      RowLoad load;
      load.kind = RowLoad::Kind::number_f64;
      load.given = 1;
      load.low = -most;
      load.high = most;
      load.scale = scale;
      load.from = static_cast<double>(-most) - 0.5;
      load.to = static_cast<double>(most) + 0.5;
      std::vector<double> exact;
      if (most < 10'000) {
        for (std::int64_t n = -most; n <= most; ++n) exact.push_back(static_cast<double>(n) / scale);
        load.decimals = exact.data();
      }
      double value = 0;
      load.column.data = reinterpret_cast<const char*>(&value);
      std::int64_t wrong = 0;
      const auto check = [&](double v, bool decimal, std::int64_t n) {
        value = v;
        std::int64_t registers[2] = {};
        const bool taken = load_row(load, 0, registers);
        wrong += taken != decimal || (taken && (registers[0] != n || registers[1] != 1));
      };
      Random random(static_cast<std::uint64_t>(decimals));
      for (int k = 0; k < 3000; ++k) {
        const std::int64_t size = most >> random.below(30);
        const std::int64_t n = k < 4 ? k : random.within(-size, size);
        const double v = static_cast<double>(n) / scale;  // rounded once: the double next to it
        check(v, true, n);
        for (const double other : {std::nextafter(v, 1e300), std::nextafter(v, -1e300)}) {
          // Whole numbers of that size apart, a neighbour may be another decimal: only then is it one.
          const double x = other * scale;
          const bool decimal =
              std::abs(x) <= static_cast<double>(most) && static_cast<double>(std::llround(x)) / scale == other;
          check(other, decimal, decimal ? std::llround(x) : 0);
        }
      }
      check(std::numeric_limits<double>::quiet_NaN(), false, 0);
      check(std::numeric_limits<double>::infinity(), false, 0);
      check(-std::numeric_limits<double>::infinity(), false, 0);
      check(static_cast<double>(most) / scale * 4, false, 0);
      check(-0.0, true, 0);
      CHECK(wrong == 0);
    }
  }
}
