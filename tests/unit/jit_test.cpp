// Machine code (runtime/jit/jit.hpp) against the single-record interpreter: every kernel instruction with numbers of
// every size, in rows of columns and of registers and in vectors, and when two column forms are equal. Whole rubrics
// are compared in kernel_test.cpp.
#include "runtime/dispatch/kernel_runner.hpp"

#include "tests/unit/catch.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

using namespace assay;

namespace {

constexpr std::size_t kRows = 96;
constexpr Register kResult = 3;

// An instruction over three inputs, as in a kernel.
struct Trial {
  std::shared_ptr<Kernel> kernel = std::make_shared<Kernel>();
  std::vector<std::int64_t> inputs[3];
  std::vector<std::int32_t> words[3];
  std::vector<std::int64_t> expected, results;
  std::vector<RowLoad> loads;
  std::vector<ResultStore> stores;

  void prepare(const KernelInstruction& instruction, bool narrow) {
    kernel->registers = 4;
    kernel->narrow = narrow;
    kernel->code = {instruction};
    kernel->bounds.resize(4);
    loads.clear();
    for (Register l = 0; l < 3; ++l) {
      const auto [low, high] = std::minmax_element(inputs[l].begin(), inputs[l].end());
      KernelInput input;
      input.kind = KernelInput::Kind::number;
      input.reg = l;
      input.low = *low;
      input.high = *high;
      kernel->bounds[l] = {*low, *high};
      kernel->inputs.push_back(input);
      RowLoad load;
      load.kind = RowLoad::Kind::number_integer;
      load.reg = l;
      load.given = 4;  // nobody reads it
      load.low = *low;
      load.high = *high;
      words[l].assign(inputs[l].begin(), inputs[l].end());
      load.column.type = narrow ? ColumnType::i32 : ColumnType::i64;
      load.column.stride = narrow ? sizeof(std::int32_t) : sizeof(std::int64_t);
      load.column.data =
          narrow ? reinterpret_cast<const char*>(words[l].data()) : reinterpret_cast<const char*>(inputs[l].data());
      loads.push_back(load);
    }
    results.assign(kRows, 0);
    KernelResult result;
    result.kind = KernelResult::Kind::number;
    result.reg = kResult;
    kernel->results = {result};
    ResultStore store;
    store.reg = kResult;
    store.data = reinterpret_cast<char*>(results.data());
    store.stride = sizeof(std::int64_t);
    store.type = ColumnType::i64;
    stores = {store};
    KernelInterpreter machine(kernel);
    expected.clear();
    for (std::size_t row = 0; row < kRows; ++row) {
      for (Register l = 0; l < 3; ++l) machine.registers()[l] = inputs[l][row];
      REQUIRE(machine.run());
      expected.push_back(machine.registers()[kResult]);
    }
    const auto [low, high] = std::minmax_element(expected.begin(), expected.end());
    kernel->bounds[kResult] = {*low, *high};
  }
  // Returns the number of available ways: rows of columns and of registers, with SSE2 and with AVX, and vectors of AVX2
  // and of AVX-512. `vectors` counts the last two separately.
  int compare(std::map<JitCode::Set, int>& vectors) {
    int fixes = 0;
    const JitRequest request{kernel, &loads, &stores};
    const JitLayout layout(request);
    std::int64_t registers[8] = {};
    using Set = JitCode::Set;
    for (const Set set : {Set::baseline, Set::avx2}) {
      const auto code = JitCode::make_row(request, layout, set);
      if (!code) continue;
      ++fixes;
      results.assign(kRows, 0);
      for (std::size_t row = 0; row < kRows; ++row)
        REQUIRE(code->row(layout.bases().data(), row, loads.data(), registers) == 1);
      CHECK(results == expected);
    }
    KernelRunner runner(std::make_shared<SharedKernel>(kernel), 0);
    for (std::size_t row = 0; row < kRows; ++row) {
      for (Register l = 0; l < 3; ++l) runner.registers()[l] = inputs[l][row];
      REQUIRE(runner.run());
      results[row] = runner.registers()[kResult];
    }
    CHECK(runner.jitted());
    CHECK(results == expected);
    for (const Set set : {Set::avx2, Set::avx512}) {
      const auto code = JitCode::make_block(request, layout, set);
      if (!code) continue;
      ++fixes;
      ++vectors[set];
      results.assign(kRows, 0);
      std::uint16_t refused[kRows] = {};
      REQUIRE(code->block(layout.bases().data(), 0, kRows / code->width, refused) == 0);
      INFO(code->width);
      CHECK(results == expected);
    }
    return fixes;
  }
};

}  // namespace

TEST_CASE("machine code computes what registers compute") {
  if (!JitCode::available()) return;
  std::mt19937_64 random(7);
  const auto in = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  const std::vector<KernelOp> ops = {
#define ASSAY_LANE_OP(id, name, reads, doc) KernelOp::id,
#include "lang/kernel/kernel_ops.def"
#undef ASSAY_LANE_OP
  };
  std::map<KernelOp, int> fixes;
  std::map<JitCode::Set, int> vectors;
  for (const KernelOp op : ops) {
    if (op == KernelOp::refuse || op == KernelOp::set) continue;
    const bool divides = op == KernelOp::div || op == KernelOp::div_x;
    const bool truths = (makes_truth(op) && op >= KernelOp::and_);
    for (int round = 0; round < (divides ? 240 : 60); ++round) {
      Trial t;
      const int bits = 3 + round % 45;
      const bool narrow = bits < 14;
      std::int64_t most = std::int64_t{1} << bits;
      if (op == KernelOp::mul || op == KernelOp::mul_x || op == KernelOp::weighted)
        most = std::int64_t{1} << (bits / 2);
      const bool signs = round % 2 == 1;
      KernelInstruction i;
      i.op = op;
      i.mode = static_cast<Rounding>(round % 5);
      i.a = kResult;
      i.b = 0;
      i.c = 1;
      i.d = 2;
      i.x = in(-most, most);
      i.y = i.x + in(0, most);
      i.signs = signs;
      if (op == KernelOp::div_x) i.x = 1 + in(0, most) / (1 + round % 7 * round % 11);
      for (Register l = 0; l < 3; ++l) {
        for (std::size_t row = 0; row < kRows; ++row) {
          std::int64_t v = in(signs ? -most : 0, most);
          if (row < 12) v = row % 3 == 0 ? most : row % 3 == 1 ? (signs ? -most : 0) : most / 2;
          if (truths) v &= 1;
          if (l == 1 && op == KernelOp::div) v = 1 + std::abs(v) / (1 + round % 9);
          t.inputs[l].push_back(v);
        }
      }
      // Near and on the multiples, where quotients change.
      for (std::size_t row = 12; divides && row < 60; ++row) {
        const std::int64_t d = op == KernelOp::div ? t.inputs[1][row] : i.x;
        const std::int64_t half = row % 2 == 0 ? 0 : d / 2, k = in(0, std::max<std::int64_t>(most / d - 1, 0));
        t.inputs[0][row] = std::clamp<std::int64_t>(k * d + half + in(-1, 1), signs ? -most : 0, most);
        if (signs && row % 3 == 0) t.inputs[0][row] = -t.inputs[0][row];
      }
      if (op == KernelOp::select)
        for (std::int64_t& v : t.inputs[0]) v &= 1;
      switch (op) {
        case KernelOp::weighted:
        case KernelOp::all_of:
        case KernelOp::any_of:
        case KernelOp::first:
          i.count = static_cast<std::uint32_t>(1 + round % 3);
          for (std::uint32_t k = 0; k < i.count; ++k) t.kernel->terms.push_back({k, in(-most, most)});
          if (op == KernelOp::first)
            for (auto& column : t.inputs)
              for (std::int64_t& v : column) v &= 1;
          break;
        case KernelOp::below:
        case KernelOp::pick:
          i.count = static_cast<std::uint32_t>(1 + round % 40);
          for (std::uint32_t k = 0; k < i.count; ++k) t.kernel->terms.push_back({0, in(-most, most)});
          if (op == KernelOp::pick)
            for (std::int64_t& v : t.inputs[0]) v = std::abs(v) % i.count;
          break;
        default: break;
      }
      CAPTURE(static_cast<int>(op), round, bits, static_cast<int>(i.mode), i.x, i.y, signs);
      t.prepare(i, narrow);
      const int found = t.compare(vectors);
      CHECK(found >= 1);
      fixes[op] += found;
    }
    CHECK(fixes[op] > 60);
  }
  for (const auto& [set, count] : vectors) CHECK(count > 1000);
  CHECK(vectors.size() == static_cast<std::size_t>(JitCode::best()));
}

TEST_CASE("machine code fits columns of the same form") {
  struct Record {
    double a, b;
  };
  std::vector<Record> one(4), other(9);
  const auto layout = [](const char* a, const char* b, std::ptrdiff_t stride) {
    const auto kernel = std::shared_ptr<const Kernel>();
    std::vector<RowLoad> loads(2);
    loads[0].kind = loads[1].kind = RowLoad::Kind::number_f64;
    loads[0].column.data = a;
    loads[1].column.data = b;
    loads[0].column.stride = loads[1].column.stride = stride;
    const std::vector<ResultStore> stores;
    return JitLayout({kernel, &loads, &stores});
  };
  const auto at = [](const double& v) { return reinterpret_cast<const char*>(&v); };
  const JitLayout first = layout(at(one[0].a), at(one[0].b), sizeof(Record));
  CHECK(first.bases().size() == 1);  // members of one array
  const JitLayout second = layout(at(other[0].a), at(other[0].b), sizeof(Record));
  CHECK(first.form() == second.form());
  CHECK(first.bases() != second.bases());
  CHECK(first.form() != layout(at(other[0].b), at(other[0].a), sizeof(Record)).form());
  const std::vector<double> x(4), y(4);
  const JitLayout columns = layout(at(x[0]), at(y[0]), sizeof(double));
  CHECK(columns.bases().size() == 2);
  CHECK(columns.form() == layout(at(y[0]), at(x[0]), sizeof(double)).form());
  CHECK(columns.form() != first.form());
}
