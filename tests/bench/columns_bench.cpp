// Measures one record in memory and columns against the same three workloads written by hand (the yardstick, which must
// exist when this is built: -DASSAY_YARDSTICK=DIRECTORY). Prints ratios: medians of interleaved rounds of CPU time, so
// run it pinned to one core. Every result is compared with the one computed by hand.
#include "col.hpp"
#include "runtime/columns/columns_impl.hpp"
#include "tests/bench/workload.hpp"

#include <cmath>
#include <cstring>
#include <functional>

void k2_v512(const C2&, size_t, double*, uint8_t*);
void k3_v256(const C3&, size_t, double*, uint8_t*);

namespace {

using bench::must;

// Pairs of a computation by hand and by the engine, timed alternately.
struct Pair {
  std::string name;
  double rows;
  double target;
  std::function<void()> hand, engine;
  std::function<void()> ready;  // runs before the engine, not timed
  std::vector<double> hand_times, engine_times;
};
std::vector<Pair> pairs;

void add(std::string name, double rows, double target, std::function<void()> hand, std::function<void()> engine,
         std::function<void()> ready = {}) {
  pairs.push_back({std::move(name), rows, target, std::move(hand), std::move(engine), std::move(ready), {}, {}});
}

template <class T>
T* room(std::size_t n) {
  return static_cast<T*>(std::aligned_alloc(64, (n * sizeof(T) + 4096) / 64 * 64));
}

volatile std::uint64_t sink;
__attribute__((noinline)) S1 hand1(const R1& r) { return eval1(r); }
__attribute__((noinline)) S2 hand2(const R2& r) { return eval2(r); }
__attribute__((noinline)) S3 hand3(const R3& r) { return eval3(r); }
struct R1s {
  double d[7];
  uint8_t nf, nb;
  std::string_view f[6], b[6];
};
__attribute__((noinline)) S1 hand1s(const R1s& r) {
  int n = 0;
  for (int k = 0; k < 7; k++) n += WT1[k] * int(r.d[k] * 100 + .5);
  unsigned mf = 0, mb = 0;
  for (int k = 0; k < r.nf; k++) {
    int q = redtab.find(r.f[k]);
    if (q >= 0) mf |= 1u << q;
  }
  for (int k = 0; k < r.nb; k++) {
    int q = bontab.find(r.b[k]);
    if (q >= 0) mb |= 1u << q;
  }
  return fin1((n + 50) / 100, __builtin_popcount(mf), __builtin_popcount(mb));
}

using assay::Column;
using assay::ColumnType;
using assay::ListColumn;

template <class R>
Column member(const R* records, const void* of_first, ColumnType type) {
  Column c;
  c.data = of_first;
  c.type = type;
  c.stride = sizeof(*records);
  return c;
}

std::size_t wrong = 0;
template <class Expected>
void compare(const char* name, std::size_t rows, const double* scores, const std::uint8_t* grades,
             Expected&& expected) {
  std::size_t bad = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto [score, grade] = expected(i);
    bad += scores[i] != score || grades[i] != grade;
  }
  std::printf("  %-34s %zu wrong of %zu\n", name, bad, rows);
  wrong += bad;
}

}  // namespace

int main(int argc, char** argv) {
  static constexpr std::size_t N = 1'000'000, K = 4096, RB = 20000;
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 7;
  std::vector<R1> r1(N);
  std::vector<R2> r2(N);
  std::vector<R3> r3(N);
  std::vector<R1s> s1(RB);
  for (std::size_t i = 0; i < N; i++) {
    r1[i] = make1(i).r;
    r2[i] = make2(i).r;
    r3[i] = make3(i).r;
  }
  std::vector<std::string> red(RED, RED + 8), bon(BON, BON + 8);
  for (std::size_t i = 0; i < RB; i++) {
    std::memcpy(s1[i].d, r1[i].d, sizeof r1[i].d);
    s1[i].nf = r1[i].nf;
    s1[i].nb = r1[i].nb;
    for (int k = 0; k < 6; k++) {
      s1[i].f[k] = RED[r1[i].f[k]];
      s1[i].b[k] = BON[r1[i].b[k]];
    }
  }
  double* out = room<double>(N);
  std::uint8_t* grade = room<std::uint8_t>(N);

  // ---- one record
  const assay::Rubric judge = bench::workload("judge"), counts = bench::workload("judge_counts"),
                      skill = bench::workload("skill_counts"), patch = bench::workload("patch");
  const auto grades = [](assay::Columns& c, double* scores, std::uint8_t* codes) {
    must(c.write("score", {scores, ColumnType::f64}));
    assay::ResultColumn codes_of;
    codes_of.data = codes;
    codes_of.type = ColumnType::u8;
    must(c.write("grade", codes_of));
  };
  assay::Columns one1(judge), one1s(judge), one2(skill), one3(patch);
  for (int k = 0; k < 7; k++) {
    must(one1.bind(std::string("scores.") + DIM1[k], member(r1.data(), &r1[0].d[k], ColumnType::f64)));
    must(one1s.bind(std::string("scores.") + DIM1[k], member(s1.data(), &s1[0].d[k], ColumnType::f64)));
  }
  const auto lists = [&](assay::Columns& c, const char* name, Column count, Column items) {
    ListColumn list;
    list.count = std::move(count);
    list.items = std::move(items);
    must(c.bind_list(name, list));
  };
  Column codes = member(r1.data(), &r1[0].f[0], ColumnType::u8);
  codes.names = red;
  lists(one1, "red_flags", member(r1.data(), &r1[0].nf, ColumnType::u8), codes);
  codes = member(r1.data(), &r1[0].b[0], ColumnType::u8);
  codes.names = bon;
  lists(one1, "bonuses", member(r1.data(), &r1[0].nb, ColumnType::u8), codes);
  lists(one1s, "red_flags", member(s1.data(), &s1[0].nf, ColumnType::u8),
        member(s1.data(), &s1[0].f[0], ColumnType::text));
  lists(one1s, "bonuses", member(s1.data(), &s1[0].nb, ColumnType::u8),
        member(s1.data(), &s1[0].b[0], ColumnType::text));
  grades(one1, out, grade);
  grades(one1s, out, grade);

  const R2* const t2 = r2.data();
  const auto of2 = [&](const char* path, const void* at, ColumnType type) {
    must(one2.bind(path, member(t2, at, type)));
  };
  of2("tokens_used", &t2->tokens, ColumnType::f64);
  of2("output_size", &t2->osize, ColumnType::f64);
  of2("tool_calls", &t2->calls, ColumnType::f64);
  of2("files_changed", &t2->files, ColumnType::f64);
  of2("duration_ms", &t2->dur, ColumnType::f64);
  of2("requested_items", &t2->req, ColumnType::f64);
  of2("delivered_items", &t2->del, ColumnType::f64);
  of2("user_edit_ratio", &t2->edit, ColumnType::f64);
  of2("failed", &t2->nerr, ColumnType::u8);
  of2("recovered", &t2->recovered, ColumnType::u8);
  of2("partial_completion", &t2->partial, ColumnType::u8);
  of2("workaround_used", &t2->workaround, ColumnType::u8);
  of2("failure_explained", &t2->explained, ColumnType::u8);
  of2("output_validated", &t2->validated, ColumnType::u8);
  of2("code", &t2->code, ColumnType::u8);
  of2("linter_passed", &t2->lint, ColumnType::u8);
  of2("types_valid", &t2->types, ColumnType::u8);
  of2("tests_passed", &t2->tests, ColumnType::u8);
  of2("user_accepted", &t2->accepted, ColumnType::u8);
  of2("user_used_output", &t2->used, ColumnType::u8);
  of2("follow_ups_resolved", &t2->fures, ColumnType::u8);
  const std::vector<std::string> categories(CAT2, CAT2 + 5);
  Column c = member(t2, &t2->cat, ColumnType::u8);
  c.names = categories;
  must(one2.bind("skill_category", c));
  c = member(t2, &t2->feedback, ColumnType::i8);
  c.names = {"none", "partially", "mostly", "accurate"};
  c.missing = -1;
  must(one2.bind("feedback", c));
  c = member(t2, &t2->nfu, ColumnType::i8);
  c.names = {"none", "one", "more", "more"};
  c.missing = -1;
  must(one2.bind("follow_ups", c));
  grades(one2, out, grade);

  for (int k = 0; k < 12; k++)
    must(one3.bind(std::string("metrics.") + LEAF3[k], member(r3.data(), &r3[0].m[k], ColumnType::f64)));
  for (int k = 0; k < 5; k++)
    must(one3.bind(std::string("gates.") + GATE3[k], member(r3.data(), &r3[0].gate[k], ColumnType::u8)));
  must(one3.bind("has_tests", member(r3.data(), &r3[0].has_tests, ColumnType::u8)));
  grades(one3, out, grade);

#define ONE(name, target, records, by_hand, engine, member_of)                     \
  add(                                                                             \
      name, RB * 5.0, target,                                                      \
      [&] {                                                                        \
        std::uint64_t x = 0;                                                       \
        for (int q = 0; q < 5; q++)                                                \
          for (std::size_t i = 0; i < RB; i++) x += by_hand(records[i]).member_of; \
        sink = x;                                                                  \
      },                                                                           \
      [&] {                                                                        \
        for (int q = 0; q < 5; q++)                                                \
          for (std::size_t i = 0; i < RB; i++) must(engine.score(i, i + 1));       \
      })
  ONE("P1 W1 ids, one record", 2.0, r1, hand1, one1, cents);
  ONE("P1 W1 names, one record", 2.0, s1, hand1s, one1s, cents);
  ONE("P1 W2, one record", 2.5, r2, hand2, one2, score);
  ONE("P1 W3, one record", 2.5, r3, hand3, one3, cents);

  // ---- columns
  double* D[27];
  for (auto& d : D) d = room<double>(N);
  std::uint8_t* B[5];
  for (auto& b : B) b = room<std::uint8_t>(N);
  std::uint32_t* fl = room<std::uint32_t>(N);
  std::int16_t* Q[8];
  for (auto& q : Q) q = room<std::int16_t>(N);
  C1 k1;
  C2 k2;
  C3 k3;
  C1q kq;
  for (int k = 0; k < 7; k++) {
    k1.d[k] = D[k];
    kq.d[k] = Q[k];
  }
  const double** p2[8] = {&k2.tokens, &k2.osize, &k2.calls, &k2.files, &k2.dur, &k2.req, &k2.del, &k2.edit};
  for (int k = 0; k < 8; k++) *p2[k] = D[7 + k];
  for (int k = 0; k < 12; k++) k3.m[k] = D[15 + k];
  k1.nf = kq.nf = B[0];
  k1.nb = kq.nb = B[1];
  k2.cat = B[2];
  k2.fl = fl;
  k3.gates = B[3];
  k3.has_tests = B[4];
  for (std::size_t i = 0; i < N; i++) {
    for (int k = 0; k < 7; k++) {
      D[k][i] = r1[i].d[k];
      Q[k][i] = static_cast<std::int16_t>(r1[i].d[k] * 100 + .5);
    }
    unsigned mf = 0, mb = 0;
    for (int k = 0; k < r1[i].nf; k++) mf |= 1u << r1[i].f[k];
    for (int k = 0; k < r1[i].nb; k++) mb |= 1u << r1[i].b[k];
    B[0][i] = static_cast<std::uint8_t>(__builtin_popcount(mf));
    B[1][i] = static_cast<std::uint8_t>(__builtin_popcount(mb));
    const R2& q = r2[i];
    const double v[8] = {q.tokens, q.osize, q.calls, q.files, q.dur, q.req, q.del, q.edit};
    for (int k = 0; k < 8; k++) D[7 + k][i] = v[k];
    B[2][i] = q.cat;
    fl[i] = pack2(q);
    for (int k = 0; k < 12; k++) D[15 + k][i] = r3[i].m[k];
    unsigned g = 0;
    for (int k = 0; k < 5; k++) g |= static_cast<unsigned>(r3[i].gate[k]) << k;
    B[3][i] = static_cast<std::uint8_t>(g);
    B[4][i] = r3[i].has_tests;
  }
  assay::Columns c1(counts), cq(counts), c2(skill), c3(patch);
  for (int k = 0; k < 7; k++) {
    must(c1.bind(std::string("scores.") + DIM1[k], {D[k], ColumnType::f64}));
    Column q;
    q.data = Q[k];
    q.type = ColumnType::i16;
    q.decimals = 2;
    must(cq.bind(std::string("scores.") + DIM1[k], q));
  }
  for (assay::Columns* to : {&c1, &cq}) {
    must(to->bind("red_flags", {B[0], ColumnType::u8}));
    must(to->bind("bonus_marks", {B[1], ColumnType::u8}));
  }
  grades(c1, out, grade);
  assay::ResultColumn scaled;
  scaled.data = Q[7];
  scaled.type = ColumnType::i16;
  scaled.decimals = 2;
  must(cq.write("score", scaled));
  scaled.data = grade;
  scaled.type = ColumnType::u8;
  must(cq.write("grade", scaled));
  const char* numbers[8] = {"tokens_used", "output_size",     "tool_calls",      "files_changed",
                            "duration_ms", "requested_items", "delivered_items", "user_edit_ratio"};
  for (int k = 0; k < 8; k++) must(c2.bind(numbers[k], {D[7 + k], ColumnType::f64}));
  c = Column{};
  c.data = B[2];
  c.type = ColumnType::u8;
  c.names = categories;
  must(c2.bind("skill_category", c));
  const char* bits[12] = {
      "failed", "recovered",     "partial_completion", "workaround_used", "failure_explained", "output_validated",
      "code",   "linter_passed", "types_valid",        "tests_passed",    "user_accepted",     "user_used_output"};
  const auto bit = [&](unsigned shift, unsigned count) {
    Column b;
    b.data = fl;
    b.type = ColumnType::u32;
    b.shift = shift;
    b.bits = count;
    return b;
  };
  for (unsigned k = 0; k < 12; k++) must(c2.bind(bits[k], bit(k, 1)));
  c = bit(12, 3);
  c.names = {"", "none", "partially", "mostly", "accurate"};
  c.missing = 0;
  must(c2.bind("feedback", c));
  c = bit(16, 4);
  c.names = {"", "none", "one", "more", "more"};
  c.missing = 0;
  must(c2.bind("follow_ups", c));
  must(c2.bind("follow_ups_resolved", bit(20, 1)));
  grades(c2, out, grade);
  for (int k = 0; k < 12; k++) must(c3.bind(std::string("metrics.") + LEAF3[k], {D[15 + k], ColumnType::f64}));
  for (unsigned k = 0; k < 5; k++) {
    c = Column{};
    c.data = B[3];
    c.type = ColumnType::u8;
    c.shift = k;
    c.bits = 1;
    must(c3.bind(std::string("gates.") + GATE3[k], c));
  }
  must(c3.bind("has_tests", {B[4], ColumnType::u8}));
  grades(c3, out, grade);

  using Access = assay::ColumnsTestAccess;
  struct Set {
    const char* name;
    assay::JitCode::Set set;
    void (*k1e)(const C1&, size_t, double*, uint8_t*);
    void (*k1q)(const C1q&, size_t, int16_t*, uint8_t*);
    void (*k2)(const C2&, size_t, double*, uint8_t*);
    void (*k3)(const C3&, size_t, double*, uint8_t*);
  };
  const Set sets[] = {{"x86-64-v3", assay::JitCode::Set::avx2, avx2::k1e, avx2::k1q, avx2::k2, k3_v256},
                      {"x86-64-v4", assay::JitCode::Set::avx512, avx512::k1e, avx512::k1q, k2_v512, avx512::k3}};
  // Results are bound first. This also generates the kernels outside the timing.
  const std::string only = argc > 2 ? argv[2] : "";
  std::printf("results\n");
  const auto judged = [&](std::size_t i) {
    const S1 s = eval1(r1[i]);
    return std::pair<double, int>(s.cents / 100.0, s.grade);
  };
  const auto skilled = [&](std::size_t i) {
    const S2 s = eval2(r2[i]);
    return std::pair<double, int>(s.score, s.tier);
  };
  const auto patched = [&](std::size_t i) {
    const S3 s = eval3(r3[i]);
    return std::pair<double, int>(s.cents / 100.0, s.band);
  };
  // The patch grades have the order of the rules in the rubric.
  const std::vector<std::string> bands = c3.texts("grade");
  const auto patched_here = [&](std::size_t i) {
    const auto [s, b] = patched(i);
    return std::pair<double, int>(s, static_cast<int>(std::find(bands.begin(), bands.end(), BA3[b]) - bands.begin()));
  };
  const auto each = [](assay::Columns& columns, std::size_t rows) {
    for (std::size_t i = 0; i < rows; ++i) must(columns.score(i, i + 1));
  };
  const std::size_t checked = only.empty() ? N : 1000;
  each(one1, checked);
  compare("W1 ids, record by record", checked, out, grade, judged);
  each(one1s, std::min(checked, RB));
  compare("W1 names, record by record", std::min(checked, RB), out, grade, judged);
  each(one2, checked);
  compare("W2, record by record", checked, out, grade, skilled);
  each(one3, checked);
  compare("W3, record by record", checked, out, grade, patched_here);
  for (const Set& set : sets) {
    if (!Access::use(c1, set.set)) continue;
    for (assay::Columns* columns : {&cq, &c2, &c3}) Access::use(*columns, set.set);
    must(c1.score(0, checked));
    compare((std::string("W1 columns ") + set.name).c_str(), checked, out, grade, judged);
    must(cq.score(0, checked));
    for (std::size_t i = 0; i < checked; ++i) out[i] = Q[7][i] / 100.0;
    compare((std::string("W1 int16 ") + set.name).c_str(), checked, out, grade, judged);
    must(c2.score(0, checked));
    compare((std::string("W2 columns ") + set.name).c_str(), checked, out, grade, skilled);
    must(c3.score(0, checked));
    compare((std::string("W3 columns ") + set.name).c_str(), checked, out, grade, patched_here);
  }
  for (const Set& set : sets) {
    if (!Access::use(c1, set.set)) continue;
    const std::string on = std::string(" ") + set.name;
    // A host keeps its first instruction set, so the cost of changing it is not timed.
    const auto pick = [to = set.set](assay::Columns& columns) {
      Access::use(columns, to);
      must(columns.score(0, K));
    };
    const auto both = [&](const std::string& name, double small, double large, auto by_hand, assay::Columns& columns) {
      add(
          name + on + " 4K", static_cast<double>(K) * 50, small,
          [=] {
            for (int q = 0; q < 50; q++) by_hand(K);
          },
          [&columns] {
            for (int q = 0; q < 50; q++) must(columns.score(0, K));
          },
          [&columns, pick] { pick(columns); });
      add(
          name + on + " 1M", static_cast<double>(N), large, [=] { by_hand(N); },
          [&columns] { must(columns.score(0, N)); }, [&columns, pick] { pick(columns); });
    };
    both(
        "P2 W1", 1.5, 1.2, [&k1, out, grade, k = set.k1e](std::size_t n) { k(k1, n, out, grade); }, c1);
    both(
        "P2 W2", 2.5, 1.5, [&k2, out, grade, k = set.k2](std::size_t n) { k(k2, n, out, grade); }, c2);
    both(
        "P2 W3", 1.5, 1.2, [&k3, out, grade, k = set.k3](std::size_t n) { k(k3, n, out, grade); }, c3);
    both(
        "P3 W1 int16", 2.0, 2.0, [&kq, &Q, grade, k = set.k1q](std::size_t n) { k(kq, n, Q[7], grade); }, cq);
  }
  std::erase_if(pairs, [&](const Pair& p) { return p.name.find(only) == std::string::npos; });
  for (int r = 0; r < rounds; ++r) {
    for (Pair& p : pairs) {
      double start = bench::cpu_seconds();
      p.hand();
      p.hand_times.push_back((bench::cpu_seconds() - start) / p.rows * 1e9);
      if (p.ready) p.ready();
      start = bench::cpu_seconds();
      p.engine();
      p.engine_times.push_back((bench::cpu_seconds() - start) / p.rows * 1e9);
    }
  }
  std::printf("\n%-30s %10s %10s %8s %8s\n", "", "hand ns", "assay ns", "ratio", "target");
  std::size_t met = 0;
  for (const Pair& p : pairs) {
    const double hand = bench::median(p.hand_times), engine = bench::median(p.engine_times);
    const bool good = engine <= hand * p.target;
    met += good;
    std::printf("%-30s %10.2f %10.2f %7.2fx %7.2fx  %s\n", p.name.c_str(), hand, engine, engine / hand, p.target,
                good ? "met" : "not met");
  }
  std::printf("%zu of %zu met\n", met, pairs.size());
  return wrong == 0 ? 0 : 1;
}
