// Every kind of expression and every builtin, from a Model built by hand to the value that the VM computes.
#include "tests/unit/model_builder.hpp"

#include <set>

using namespace assay;
using assay::test::ModelBuilder;

TEST_CASE("arithmetic is exact and missing spreads") {
  ModelBuilder m;
  auto two = [&](Op op, Expr* a, Expr* b) { return m.run(m.make(op, kNumber, {m.hide(a), m.hide(b)})); };
  CHECK(two(Op::add, m.n("0.1"), m.n("0.2")) == "0.3");
  CHECK(two(Op::sub, m.n(1), m.n("0.9")) == "0.1");
  CHECK(two(Op::mul, m.n("2.5"), m.n(4)) == "10");
  CHECK(two(Op::div, m.n(1), m.n(3)) == "1/3");
  CHECK(two(Op::div, m.n(1), m.n(0)) == "missing");
  CHECK(two(Op::pow, m.n(2), m.n(10)) == "1024");
  CHECK(two(Op::add, m.n(1), m.missing()) == "missing");
  CHECK(m.run(m.make(Op::neg, kNumber, {m.hide(m.n(3))})) == "-3");
  CHECK(m.run(m.make(Op::neg, kNumber, {m.n(3)})) == "-3");
}

TEST_CASE("logic is three-valued") {
  ModelBuilder m;
  auto value = [&](int v) { return m.hide(v < 0 ? m.missing(kBool) : m.b(v == 1)); };
  const char* names[] = {"missing", "false", "true"};
  for (int a = -1; a <= 1; ++a) {
    for (int b = -1; b <= 1; ++b) {
      int both = a == 0 || b == 0 ? 0 : a < 0 || b < 0 ? -1 : 1;
      int either = a == 1 || b == 1 ? 1 : a < 0 || b < 0 ? -1 : 0;
      int one = a < 0 || b < 0 ? -1 : a != b;
      CHECK(m.run(m.make(Op::and_, kBool, {value(a), value(b)})) == names[both + 1]);
      CHECK(m.run(m.make(Op::or_, kBool, {value(a), value(b)})) == names[either + 1]);
      CHECK(m.run(m.make(Op::xor_, kBool, {value(a), value(b)})) == names[one + 1]);
      // The same as conditions, which are compiled to jumps.
      auto chosen = [&](Expr* c) { return m.run(m.make(Op::choice, kNumber, {m.n(1), c, m.n(0)})); };
      CHECK(chosen(m.make(Op::and_, kBool, {value(a), value(b)})) == (both == 1 ? "1" : "0"));
      CHECK(chosen(m.make(Op::or_, kBool, {value(a), value(b)})) == (either == 1 ? "1" : "0"));
      CHECK(chosen(m.make(Op::not_, kBool, {m.make(Op::or_, kBool, {value(a), value(b)})})) ==
            (either == 0 ? "1" : "0"));
      CHECK(chosen(m.make(Op::or_, kBool,
                          {m.make(Op::and_, kBool, {value(a), value(b)}), m.make(Op::not_, kBool, {value(a)})})) ==
            (both == 1 || a == 0 ? "1" : "0"));
    }
    CHECK(m.run(m.make(Op::not_, kBool, {value(a)})) == names[(a < 0 ? -1 : 1 - a) + 1]);
    CHECK(m.run(m.make(Op::is_missing, kBool, {value(a)})) == (a < 0 ? "true" : "false"));
    CHECK(m.run(m.make(Op::default_, kBool, {value(a), m.b(true)})) == (a == 0 ? "false" : "true"));
    CHECK(m.run(m.make(Op::default_, kBool, {value(a), value(1)})) == (a == 0 ? "false" : "true"));
  }
}

TEST_CASE("comparisons as values and as conditions") {
  ModelBuilder m;
  struct Row {
    Op op;
    bool less, equal, greater;
  };
  const Row rows[] = {{Op::eq, false, true, false}, {Op::ne, true, false, true},  {Op::lt, true, false, false},
                      {Op::le, true, true, false},  {Op::gt, false, false, true}, {Op::ge, false, true, true}};
  for (const Row& row : rows) {
    const bool expected[] = {row.less, row.equal, row.greater};
    for (int right = 0; right < 3; ++right) {
      auto check = [&](Expr* a, Expr* b) {
        Expr* e = m.make(row.op, kBool, {m.hide(a), m.hide(b)});
        const bool want = expected[2 - right];
        CHECK(m.run(e) == (want ? "true" : "false"));
        CHECK(m.run(m.make(Op::choice, kNumber, {m.n(1), e, m.n(0)})) == (want ? "1" : "0"));
        CHECK(m.run(m.make(Op::choice, kNumber, {m.n(1), m.make(Op::not_, kBool, {e}), m.n(0)})) == (want ? "0" : "1"));
      };
      check(m.n(1), m.n(right));
      check(m.t("b"), m.t(right == 0 ? "a" : right == 1 ? "b" : "bc"));
    }
    Expr* unknown = m.make(row.op, kBool, {m.hide(m.n(1)), m.hide(m.missing())});
    CHECK(m.run(unknown) == "missing");
    CHECK(m.run(m.make(Op::choice, kNumber, {m.n(1), unknown, m.n(0)})) == "0");
    CHECK(m.run(m.make(Op::choice, kNumber, {m.n(1), m.make(Op::not_, kBool, {unknown}), m.n(0)})) == "0");
  }
  auto eq = [&](Expr* a, Expr* b) { return m.run(m.make(Op::eq, kBool, {a, b})); };
  CHECK(eq(m.hide(m.b(true)), m.b(true)) == "true");
  CHECK(eq(m.numbers({1, 2}), m.numbers({1, 2})) == "true");
  CHECK(eq(m.numbers({1, 2}), m.numbers({2, 1})) == "false");
  CHECK(eq(m.list(kUnknown, {}), m.numbers({1})) == "false");
  CHECK(eq(m.map(kNumber, {{"a", m.hide(m.n(1))}, {"b", m.n(2)}}),
           m.map(kNumber, {{"b", m.hide(m.n(2))}, {"a", m.n(1)}})) == "true");
  CHECK(eq(m.hide(m.n("0.5")), m.make(Op::div, kNumber, {m.hide(m.n(2)), m.n(4)})) == "true");
}

TEST_CASE("membership and ranges") {
  ModelBuilder m;
  auto in = [&](const char* x, Expr* range) { return m.run(m.make(Op::in_range, kBool, {m.hide(m.n(x)), range})); };
  CHECK(in("1", m.range(m.n(1), m.n(5))) == "true");
  CHECK(in("1", m.range(m.n(1), m.n(5), 1)) == "false");
  CHECK(in("5", m.range(m.hide(m.n(1)), m.n(5), 2)) == "false");
  CHECK(in("99", m.range(m.hide(m.n(1)), m.missing())) == "true");
  CHECK(in("-99", m.range(m.missing(), m.n(1))) == "true");
  CHECK(in("1", m.range(m.hide(m.missing()), m.n(5))) == "missing");
  CHECK(m.run(m.make(Op::in_list, kBool, {m.t("b"), m.texts({"a", "b"})})) == "true");
  CHECK(m.run(m.make(Op::in_list, kBool, {m.n(3), m.list(kUnknown, {})})) == "false");
  // Many constants become a set.
  Expr* letters = m.texts({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "a"});
  for (const char* one : {"a", "j", "e"}) CHECK(m.run(m.make(Op::in_list, kBool, {m.t(one), letters})) == "true");
  for (const char* one : {"", "k", "aa"}) CHECK(m.run(m.make(Op::in_list, kBool, {m.t(one), letters})) == "false");
  CHECK(m.run(m.make(Op::in_list, kBool, {m.missing(kText), letters})) == "missing");
  std::vector<Expr*> numbers;
  for (int i = 0; i < 12; ++i) numbers.push_back(m.n(i * 3));
  Expr* threes = m.list(kNumber, numbers);
  CHECK(m.run(m.make(Op::in_list, kBool, {m.n(33), threes})) == "true");
  CHECK(m.run(m.make(Op::in_list, kBool, {m.make(Op::div, kNumber, {m.n(27), m.n(3)}), threes})) == "true");
  CHECK(m.run(m.make(Op::in_list, kBool, {m.make(Op::div, kNumber, {m.n(28), m.n(3)}), threes})) == "false");
  numbers[5] = m.missing(kNumber);
  Expr* one_missing = m.list(kNumber, numbers);
  CHECK(m.run(m.make(Op::in_list, kBool, {m.n(33), one_missing})) == "true");
  CHECK(m.run(m.make(Op::in_list, kBool, {m.n(34), one_missing})) == "missing");
  CHECK(m.run(m.make(Op::in_map, kBool, {m.t("b"), m.map(kNumber, {{"b", m.n(1)}})})) == "true");
  CHECK(m.run(m.make(Op::in_map, kBool, {m.t("c"), m.map(kNumber, {{"b", m.hide(m.n(1))}})})) == "false");
}

TEST_CASE("values made of values") {
  ModelBuilder m;
  const TypeId pair = m.record_type({{"x", kNumber}, {"y", kText}});
  Expr* record = m.make(Op::make_record, pair, {m.hide(m.n(1)), m.t("q\"")});
  CHECK(m.run(record) == "{x: 1, y: \"q\\\"\"}");
  CHECK(m.run(m.make(Op::field, kText, {record}, 1)) == "\"q\\\"\"");
  CHECK(m.run(m.make(Op::field, kText, {m.hide(m.missing(pair))}, 1)) == "missing");
  CHECK(m.run(m.make(Op::list_get, kNumber, {m.numbers({7, 8}), m.hide(m.n(1))})) == "8");
  CHECK(m.run(m.make(Op::list_get, kNumber, {m.numbers({7, 8}), m.hide(m.n(2))})) == "missing");
  CHECK(m.run(m.make(Op::list_get, kNumber, {m.numbers({7, 8}), m.hide(m.n(-1))})) == "missing");
  std::vector<std::pair<std::string, Expr*>> many;
  for (int i = 0; i < 40; ++i) many.emplace_back("k" + std::to_string(i), m.hide(m.n(i)));
  CHECK(m.run(m.make(Op::map_get, kNumber, {m.map(kNumber, many), m.hide(m.t("k33"))})) == "33");
  CHECK(m.run(m.make(Op::map_get, kNumber, {m.map(kNumber, many), m.hide(m.t("k40"))})) == "missing");
  CHECK(m.run(m.make(Op::concat, m.types().list(kNumber), {m.numbers({1}), m.numbers({2, 3})})) == "[1, 2, 3]");
  CHECK(m.run(m.make(Op::concat, m.types().list(kText, true), {m.texts({"a", "b"}), m.texts({"b", "c"})})) ==
        "[\"a\", \"b\", \"c\"]");
  CHECK(m.run(m.make(Op::compact, m.types().list(kNumber),
                     {m.list(kNumber, {m.hide(m.missing()), m.n(1), m.missing()})})) == "[1]");
  CHECK(m.run(m.list(kNumber, {m.n(1), m.n(2)})) == "[1, 2]");
  CHECK(m.run(m.make(Op::let_in, kNumber,
                     {m.hide(m.n(4)), m.make(Op::mul, kNumber, {m.local(3, kNumber), m.local(3, kNumber)})}, 3)) ==
        "16");
  Expr* text = m.make(Op::join_text, kText,
                      {m.hide(m.n("2.5")), m.hide(m.b(true)), m.texts({"a", "b"}), m.hide(m.missing()), m.t("x")});
  text->parts = {{"<", -1, -1}, {"", 0, 2},  {" ", -1, -1}, {"", 0, -1}, {" ", -1, -1}, {"", 1, -1},
                 {" ", -1, -1}, {"", 2, -1}, {" ", -1, -1}, {"", 3, -1}, {"", 4, -1},   {">", -1, -1}};
  CHECK(m.run(text) == "\"<2.50 2.5 true a, b –x>\"");
}

TEST_CASE("weighted sums") {
  ModelBuilder m;
  m.rubric().weighting.weights.resize(2);
  m.rubric().weighting.weights[0].value = Number{1, 4};
  m.rubric().weighting.weights[1].value = Number{3, 4};
  Expr* a = m.slot("a", kNumber);
  Expr* b = m.slot("b", kNumber);
  int sum = m.item(m.make(Op::weighted_sum, kNumber,
                          {a, b, m.make(Op::weight, kNumber, {}, 0), m.make(Op::weight, kNumber, {}, 1)}));
  CHECK(m.run(sum, {m.decimal("8.5"), m.decimal("9")}) == "8.875");
  CHECK(m.run(sum, {m.decimal("8.5"), m.decimal("9")}, {whole(1), whole(0)}) == "8.5");
  CHECK(m.run(sum, {m.decimal("8.5"), missing_value()}) == "missing");
  CHECK(m.run(sum, {make_number({1, 3}), make_number({1, 7})}) == "4/21");
  CHECK(m.run(sum, {m.decimal("1e30"), m.decimal("1")}) == "250000000000000000000000000000.75");
  int fixed = m.item(m.make(Op::weighted_sum, kNumber, {b, a, m.n("0.3"), m.n("0.7")}));
  CHECK(m.run(fixed, {m.decimal("10"), m.decimal("1")}) == "7.3");
}

TEST_CASE("adjustments: once per name, positive, cut to the cap from the end") {
  ModelBuilder m;
  const TypeId entry = m.record_type({{"name", kText}, {"amount", kNumber}, {"reason", kText}});
  auto e = [&](const char* name, Expr* amount) {
    return m.make(Op::make_record, entry, {m.t(name), m.hide(amount), m.t("")});
  };
  auto adjust = [&](std::vector<Expr*> list, Expr* cap) {
    return m.run(m.make(Op::adjust, m.types().list(entry), {m.list(entry, std::move(list)), cap}));
  };
  auto some = [&] {
    return std::vector<Expr*>{e("a", m.n(1)), e("b", m.n(0)), e("a", m.n(9)), e("c", m.missing()),
                              e("d", m.n(2)), e("b", m.n(5)), e("z", m.n(-1))};
  };
  CHECK(adjust(some(), m.missing()) ==
        "[{name: \"a\", amount: 1, reason: \"\"}, {name: \"d\", amount: 2, reason: \"\"}]");
  CHECK(adjust(some(), m.n("2.5")) ==
        "[{name: \"a\", amount: 1, reason: \"\"}, {name: \"d\", amount: 1.5, reason: \"\"}]");
  // An adjustment that the cap cuts to nothing is kept, with 0.
  CHECK(adjust(some(), m.n(1)) == "[{name: \"a\", amount: 1, reason: \"\"}, {name: \"d\", amount: 0, reason: \"\"}]");
  CHECK(adjust(some(), m.n(0)) == "[{name: \"a\", amount: 0, reason: \"\"}, {name: \"d\", amount: 0, reason: \"\"}]");
  std::vector<Expr*> many;
  for (int i = 0; i < 30; ++i) many.push_back(e(i % 2 ? "odd" : "even", m.n(1)));
  CHECK(adjust(many, m.missing()) ==
        "[{name: \"even\", amount: 1, reason: \"\"}, {name: \"odd\", amount: 1, reason: \"\"}]");
}

namespace {

std::vector<CellTest> cell() { return {}; }
std::vector<CellTest> cell(Value v) {
  CellTest t;
  t.value = v;
  return {t};
}
std::vector<CellTest> cell(Number low, Number high, bool low_open = false, bool high_open = false) {
  CellTest t;
  t.kind = CellTest::Kind::range;
  t.range = {low, high, low_open, high_open};
  return {t};
}
std::vector<CellTest> cell_missing() {
  CellTest t;
  t.kind = CellTest::Kind::missing;
  return {t};
}

}  // namespace

TEST_CASE("tables find the first row that fits, however they are searched") {
  ModelBuilder m;
  auto table = [&](std::vector<TypeId> keys, std::vector<std::vector<std::vector<CellTest>>> rows) {
    LookupTable t;
    t.name = "t";
    for (TypeId k : keys) t.keys.push_back({k});
    for (auto& r : rows) t.rows.push_back({r, {}});
    m.model->tables.push_back(t);
    return static_cast<std::uint32_t>(m.model->tables.size() - 1);
  };
  auto find = [&](std::uint32_t t, std::vector<Expr*> keys) {
    return m.run(m.make(Op::lookup, kNumber, std::move(keys), t));
  };
  auto kind = [&](std::uint32_t t) {
    auto p = m.program(static_cast<int>(m.rubric().items.size()) - 1);
    (void)t;
    return p->lookups[0].kind;
  };
  SECTION("lower bounds") {
    auto t = table({kNumber},
                   {{cell({19, 2}, kMissing)}, {cell(whole(9), kMissing)}, {cell(whole(1), {9, 1}, false, true)}});
    const char* probes[][2] = {{"10", "0"},   {"9.5", "0"}, {"9.49", "1"},      {"9", "1"},
                               {"8.99", "2"}, {"1", "2"},   {"0.99", "missing"}};
    for (auto& p : probes) CHECK(find(t, {m.hide(m.n(p[0]))}) == p[1]);
    CHECK(kind(t) == Lookup::Kind::threshold);
    CHECK(find(t, {m.hide(m.missing())}) == "missing");
  }
  SECTION("upper bounds, open, with a last row") {
    auto t = table(
        {kNumber},
        {{cell(kMissing, whole(1), false, true)}, {cell(kMissing, whole(1))}, {cell(kMissing, whole(5))}, {cell()}});
    const char* probes[][2] = {{"0", "0"}, {"1", "1"}, {"1.01", "2"}, {"5", "2"}, {"6", "3"}};
    for (auto& p : probes) CHECK(find(t, {m.hide(m.n(p[0]))}) == p[1]);
    CHECK(kind(t) == Lookup::Kind::threshold);
    CHECK(find(t, {m.hide(m.missing())}) == "3");
  }
  SECTION("values, missing and everything else") {
    auto t = table({kText}, {{cell(m.chars("a"))}, {cell_missing()}, {cell(m.chars("b"))}, {cell()}});
    CHECK(find(t, {m.hide(m.t("b"))}) == "2");
    CHECK(find(t, {m.hide(m.missing(kText))}) == "1");
    CHECK(find(t, {m.hide(m.t("z"))}) == "3");
    CHECK(kind(t) == Lookup::Kind::scan);
  }
  SECTION("many rows by two keys") {
    std::vector<std::vector<std::vector<CellTest>>> rows;
    for (int i = 0; i < 300; ++i)
      rows.push_back({cell(m.chars("k" + std::to_string(i / 2))), cell(whole(i % 2 * 10), kMissing)});
    rows[150][0] = cell();  // one that fits every first key, from 0 on
    auto t = table({kText, kNumber}, rows);
    CHECK(find(t, {m.hide(m.t("k3")), m.hide(m.n(20))}) == "6");
    CHECK(find(t, {m.hide(m.t("k140")), m.hide(m.n(20))}) == "150");
    CHECK(find(t, {m.hide(m.t("zz")), m.hide(m.n(20))}) == "150");
    CHECK(find(t, {m.hide(m.missing(kText)), m.hide(m.n(20))}) == "150");
    CHECK(find(t, {m.hide(m.t("zz")), m.hide(m.n(-1))}) == "missing");
    CHECK(kind(t) == Lookup::Kind::index);
  }
  SECTION("many numbers, written in different ways") {
    std::vector<std::vector<std::vector<CellTest>>> rows;
    for (int i = 0; i < 100; ++i) rows.push_back({cell(make_number({i * 5, 10}))});
    auto t = table({kNumber}, rows);
    CHECK(find(t, {m.hide(m.n("1.5"))}) == "3");
    CHECK(find(t, {m.hide(m.n("49.5"))}) == "99");
    CHECK(find(t, {m.hide(m.n("49.6"))}) == "missing");
    CHECK(kind(t) == Lookup::Kind::index);
  }
  SECTION("pick") {
    Value cells[] = {m.chars("x"), missing_value(), m.chars("z")};
    Expr* const column = m.constant(m.types().list(kText), make_list(cells, 3));
    auto pick = [&](Expr* row) { return m.run(m.make(Op::pick, kText, {row, column})); };
    CHECK(pick(m.hide(m.n(0))) == "\"x\"");
    CHECK(pick(m.hide(m.n(1))) == "missing");
    CHECK(pick(m.hide(m.missing())) == "missing");
  }
}

TEST_CASE("loops collect") {
  ModelBuilder m;
  const TypeId numbers = m.types().list(kNumber);
  auto x = [&] { return m.local(1, kNumber); };
  auto over = [&](Collect c, TypeId type, std::vector<int> values) {
    return m.run(m.loop(c, type, m.numbers(std::move(values)), x()));
  };
  CHECK(over(Collect::list, numbers, {3, 1, 2}) == "[3, 1, 2]");
  CHECK(over(Collect::sum, kNumber, {3, 1, 2}) == "6");
  CHECK(over(Collect::sum, kNumber, {}) == "0");
  CHECK(over(Collect::count, kNumber, {3, 1, 2}) == "3");
  CHECK(over(Collect::product, kNumber, {3, 1, 2}) == "6");
  CHECK(over(Collect::product, kNumber, {}) == "1");
  CHECK(over(Collect::min, kNumber, {3, 1, 2}) == "1");
  CHECK(over(Collect::max, kNumber, {3, 1, 2}) == "3");
  CHECK(over(Collect::max, kNumber, {}) == "missing");
  CHECK(over(Collect::mean, kNumber, {3, 1, 2}) == "2");
  CHECK(over(Collect::mean, kNumber, {}) == "missing");
  auto positive = [&](int bound) { return m.make(Op::gt, kBool, {x(), m.n(bound)}); };
  CHECK(m.run(m.loop(Collect::any, kBool, m.numbers({1, 2}), positive(1))) == "true");
  CHECK(m.run(m.loop(Collect::all, kBool, m.numbers({1, 2}), positive(1))) == "false");
  CHECK(m.run(m.loop(Collect::any, kBool, m.numbers({}), positive(1))) == "false");
  CHECK(m.run(m.loop(Collect::all, kBool, m.numbers({}), positive(1))) == "true");
  for (Collect c : {Collect::sum, Collect::count, Collect::list, Collect::min, Collect::any})
    CHECK(m.run(m.loop(c, c == Collect::list ? numbers : kNumber, m.hide(m.missing(numbers)), x())) == "missing");
  auto with_hole = [&](Collect c) {
    return m.run(m.loop(c, kNumber, m.list(kNumber, {m.hide(m.n(1)), m.missing(), m.n(0)}), x()));
  };
  CHECK(with_hole(Collect::sum) == "missing");
  CHECK(with_hole(Collect::min) == "missing");
  CHECK(with_hole(Collect::mean) == "missing");
  CHECK(with_hole(Collect::count) == "3");
}

TEST_CASE("clauses, state and nested loops") {
  ModelBuilder m;
  const TypeId numbers = m.types().list(kNumber);
  auto x = [&] { return m.local(1, kNumber); };
  Expr* filtered = m.loop(Collect::list, numbers, m.numbers({5, 1, 6, 2, 7}), x());
  ModelBuilder::clause(filtered, LoopClause::Kind::when, m.make(Op::gt, kBool, {x(), m.n(2)}));
  CHECK(m.run(filtered) == "[5, 6, 7]");
  Expr* taken = m.loop(Collect::list, numbers, m.numbers({5, 1, 6}), x());
  ModelBuilder::clause(taken, LoopClause::Kind::while_, m.make(Op::gt, kBool, {x(), m.n(2)}));
  CHECK(m.run(taken) == "[5]");
  Expr* indexed = m.loop(Collect::list, numbers, m.numbers({5, 1, 6}), m.local(0, kWhole));
  CHECK(m.run(indexed) == "[0, 1, 2]");
  Expr* nested = m.loop(Collect::list, numbers, m.numbers({1, 2, 3}),
                        m.make(Op::add, kNumber, {m.make(Op::mul, kNumber, {x(), m.n(10)}), m.local(2, kNumber)}));
  ModelBuilder::clause(nested, LoopClause::Kind::for_in, m.numbers({4, 5, 6}), -1, 2);
  ModelBuilder::clause(nested, LoopClause::Kind::while_, m.make(Op::lt, kBool, {m.local(2, kNumber), m.n(6)}));
  ModelBuilder::clause(nested, LoopClause::Kind::when, m.make(Op::ne, kBool, {x(), m.n(2)}));
  CHECK(m.run(nested) == "[14, 15, 34, 35]");
  Expr* running = m.loop(Collect::list, numbers, m.numbers({1, 2, 3}), m.local(4, kNumber));
  running->loop->state = 4;
  running->loop->start = m.n(100);
  running->loop->next = m.make(Op::add, kNumber, {m.local(4, kNumber), x()});
  CHECK(m.run(running) == "[101, 103, 106]");
  Expr* entries = m.loop(Collect::list, m.types().list(kText), m.map(kNumber, {{"a", m.hide(m.n(1))}, {"b", m.n(2)}}),
                         m.local(0, kText));
  ModelBuilder::clause(entries, LoopClause::Kind::when, m.make(Op::gt, kBool, {x(), m.n(1)}));
  CHECK(m.run(entries) == "[\"b\"]");
  Expr* inner = m.loop(Collect::sum, kNumber, m.local(1, numbers),
                       m.make(Op::mul, kNumber, {m.local(3, kNumber), m.local(3, kNumber)}));
  inner->loop->clauses[0].second = 3;
  Expr* outer = m.loop(Collect::list, numbers, m.list(numbers, {m.numbers({1, 2}), m.numbers({3})}), inner);
  CHECK(m.run(outer) == "[5, 9]");
}

TEST_CASE("maps, groups and orders") {
  ModelBuilder m;
  const TypeId numbers = m.types().list(kNumber);
  Expr* mapped = m.loop(Collect::map, m.types().map(kWhole), m.texts({"b", "a", "b"}), m.local(0, kWhole));
  mapped->loop->key = m.local(1, kText);
  CHECK(m.run(mapped) == "{\"b\": 2, \"a\": 1}");
  Expr* grouped =
      m.loop(Collect::group, m.types().map(numbers), m.texts({"b", "a", "b", "b", "b", "b", "b"}), m.local(0, kWhole));
  grouped->loop->key = m.local(1, kText);
  CHECK(m.run(grouped) == "{\"b\": [0, 2, 3, 4, 5, 6], \"a\": [1]}");
  const TypeId texts = m.types().list(kText);
  Expr* several =
      m.loop(Collect::group, m.types().map(numbers),
             m.list(texts, {m.texts({"x", "y"}), m.texts({"y"}), m.hide(m.missing(texts))}), m.local(0, kWhole));
  several->loop->key = m.local(1, texts);
  CHECK(m.run(several) == "{\"x\": [0], \"y\": [0, 1]}");

  Expr* sorted = m.loop(Collect::list, numbers, m.list(kNumber, {m.hide(m.n(2)), m.missing(), m.n(3), m.n(1)}),
                        m.local(1, kNumber));
  sorted->loop->order.push_back({true, m.local(1, kNumber)});
  CHECK(m.run(sorted) == "[3, 2, 1, missing]");
  sorted->loop->order[0].higher = false;
  CHECK(m.run(sorted) == "[1, 2, 3, missing]");
  Expr* stable = m.loop(Collect::list, m.types().list(kWhole), m.texts({"b", "a", "b", "a"}), m.local(0, kWhole));
  stable->loop->order.push_back({false, m.local(1, kText)});
  CHECK(m.run(stable) == "[1, 3, 0, 2]");
  stable->loop->order[0].higher = true;
  stable->loop->order.push_back({true, m.local(0, kWhole)});
  CHECK(m.run(stable) == "[2, 0, 3, 1]");
  Expr* by_bool = m.loop(Collect::map, m.types().map(kWhole), m.texts({"p", "q", "r"}), m.local(0, kWhole));
  by_bool->loop->key = m.local(1, kText);
  by_bool->loop->order.push_back({true, m.make(Op::eq, kBool, {m.local(1, kText), m.t("q")})});
  CHECK(m.run(by_bool) == "{\"q\": 1, \"p\": 0, \"r\": 2}");

  Expr* source = m.slot("xs", numbers);
  std::vector<Value> items;
  for (int i = 0; i < 5000; ++i) items.push_back(make_number(whole(i * 7919 % 5000)));
  Expr* large = m.loop(Collect::map, m.types().map(kNumber), source, m.local(1, kNumber));
  Expr* key = m.make(Op::join_text, kText, {m.local(1, kNumber)});
  key->parts = {{"k", -1, -1}, {"", 0, -1}};
  large->loop->key = key;
  Value list = make_list(items.data(), 5000);
  CHECK(m.run(m.make(Op::map_get, kNumber, {large, m.t("k4321")}), {list}) == "4321");
  CHECK(m.run(m.builtin(Builtin::count, kNumber, {large}), {list}) == "5000");
}

TEST_CASE("functions see their rubric and may call themselves") {
  ModelBuilder m;
  m.rubric().weighting.weights.resize(1);
  m.rubric().weighting.weights[0].value = whole(3);
  Expr* a = m.slot("a", kNumber);
  int doubled = m.item(m.make(Op::mul, kNumber, {a, m.n(2)}));
  int inner = m.function({kNumber}, kNumber);
  m.model->functions[0].body =
      m.make(Op::add, kNumber,
             {m.local(0, kNumber), m.make(Op::mul, kNumber, {m.use(doubled), m.make(Op::weight, kNumber, {}, 0)})});
  int outer = m.function({kNumber}, kNumber);
  m.model->functions[1].body = m.call(inner, {m.make(Op::add, kNumber, {m.local(0, kNumber), a})});
  CHECK(m.run(m.call(outer, {m.n(1)}), {m.decimal("10")}) == "71");

  int down = m.function({kNumber}, kNumber);
  Expr* n = m.local(0, kNumber);
  m.model->functions[2].body =
      m.make(Op::choice, kNumber,
             {m.n(0), m.make(Op::le, kBool, {n, m.n(0)}),
              m.make(Op::add, kNumber, {a, m.call(down, {m.make(Op::sub, kNumber, {n, m.n(1)})})})});
  CHECK(m.run(m.call(down, {m.n(100)}), {m.decimal("2")}) == "200");
  CHECK(m.run(m.call(down, {m.n(500)}), {m.decimal("2")}) ==
        "limit at '': value 'item3' needs more than 200 calls within each other (raise the limit 'depth' to allow "
        "more)");
}

TEST_CASE("a rubric applied to a record, to earlier records, and its rules") {
  ModelBuilder m;
  m.model->rubrics.emplace_back();
  RubricModel& part = m.rubric(1);
  part.name = "part";
  Slot s;
  s.name = "v";
  s.type = kNumber;
  part.slots.push_back(s);
  part.weighting.weights.resize(1);
  part.weighting.weights[0].value = whole(5);
  part.input_type = m.record_type({{"v", kNumber}});
  Expr* v = m.make(Op::slot, kNumber, {}, 0);
  part.verdict.items = {m.item(m.make(Op::mul, kNumber, {v, m.make(Op::weight, kNumber, {}, 0)}), 1)};
  part.verdict.type = m.record_type({{"score", kNumber}});
  Check positive;
  const TypeId refusal = m.record_type({{"path", kText}, {"message", kText}});
  Expr* broken = m.make(Op::make_record, refusal, {m.t("v"), m.t("below zero")});
  positive.body = m.make(Op::choice, m.types().list(refusal),
                         {m.list(refusal, {broken}), m.make(Op::lt, kBool, {v, m.n(0)}), m.list(refusal, {})});
  positive.locals = 4;
  part.checks.push_back(positive);

  const TypeId parts = m.types().list(part.input_type);
  Expr* list = m.slot("parts", parts);
  m.slot("note", kText);
  Expr* applied = m.make(Op::apply, part.verdict.type, {m.local(1, part.input_type)}, 1);
  int scores = m.item(m.loop(Collect::list, m.types().list(kNumber), list, m.make(Op::field, kNumber, {applied}, 0)));

  const TypeId pair = m.record_type({{"path", kText}, {"record", part.input_type}});
  Expr* path = m.make(Op::join_text, kText, {m.local(0, kWhole)});
  path->parts = {{"parts[", -1, -1}, {"", 0, -1}, {"]", -1, -1}};
  Embedded embedded;
  embedded.rubric = 1;
  embedded.locals = 4;
  embedded.body = m.loop(Collect::list, m.types().list(pair), list,
                         m.make(Op::make_record, pair, {path, m.local(1, part.input_type)}));
  m.rubric().embedded.push_back(embedded);
  RequiredWhen required;
  required.slot = 1;
  required.condition = m.make(Op::gt, kBool, {m.builtin(Builtin::count, kNumber, {list}), m.n(1)});
  required.message = "needs a note";
  m.rubric().required_when.push_back(required);

  auto record = [&](int value) {
    Value* field = m.model->constants.array<Value>(1);
    field[0] = make_number(whole(value));
    return make_record(field, 1);
  };
  std::vector<Value> good{record(2), record(3)}, bad{record(2), record(-3)};
  auto input = [&](std::vector<Value>& items, bool note) {
    return std::vector<Value>{make_list(items.data(), static_cast<std::uint32_t>(items.size())),
                              note ? m.chars("n") : missing_value()};
  };
  CHECK(m.run(scores, input(good, true)) == "[10, 15]");
  CHECK(m.run(scores, input(bad, true)) == "rule at 'parts[1].v': below zero");
  CHECK(m.run(scores, input(good, false)) == "required at 'note': needs a note");

  m.rubric().history.used = true;
  std::vector<Value> first = input(good, true), second = input(bad, true);
  std::vector<Value> earlier{make_record(first.data(), 2), make_record(second.data(), 2)};
  m.history = make_list(earlier.data(), 2);
  CHECK(m.run(scores, input(good, true)) == "rule at 'history[1].parts[1].v': below zero");
  m.history = make_list(earlier.data(), 1);
  CHECK(m.run(scores, input(good, true)) == "[10, 15]");
  m.rubric().input_type = m.record_type({{"parts", parts}, {"note", kText}});
  m.rubric().verdict.items = {scores};
  m.rubric().verdict.type = m.record_type({{"scores", m.types().list(kNumber)}});
  Expr* past = m.make(Op::raw_history, m.types().list(m.rubric().input_type));
  Expr* self = m.make(Op::apply, m.rubric().verdict.type, {m.local(1, m.rubric().input_type)}, 0);
  self->self = true;
  int seen = m.item(m.loop(Collect::list, m.types().list(m.types().list(kNumber)), past,
                           m.make(Op::field, m.types().list(kNumber), {self}, 0)));
  CHECK(m.run(seen, input(good, true)) == "[[10, 15]]");
  CHECK(!dump(*m.model).empty());
}

TEST_CASE("hooks go to the host") {
  struct Host : HookHost {
    bool call(const Model&, int, const Value* args, Value& result, Arena& arena, RunError& error) override {
      error = {"", "hook", "no"};
      result = make_number(add(args[0].number, whole(1), arena.numbers()));
      return sign(args[0].number) >= 0;
    }
  } host;
  ModelBuilder m;
  HookModel h;
  h.name = "next";
  h.params.emplace_back();
  h.result = kNumber;
  m.model->hooks.push_back(h);
  auto next = [&](int n) { return m.run(m.make(Op::hook, kNumber, {m.n(n)}, 0)); };
  CHECK(next(1) == "hook at '': the rubric calls the hook 'next', but this host runs no hooks");
  m.vm.hooks = &host;
  CHECK(next(1) == "2");
  CHECK(next(-1) == "hook at '': no");
}

TEST_CASE("limits of steps and memory") {
  ModelBuilder m;
  const TypeId numbers = m.types().list(kNumber);
  Expr* xs = m.slot("xs", numbers);
  std::vector<Value> items(1000, make_number(whole(1)));
  Value list = make_list(items.data(), 1000);
  Expr* triple = m.loop(Collect::count, kNumber, xs, nullptr);
  ModelBuilder::clause(triple, LoopClause::Kind::for_in, xs, -1, -1);
  ModelBuilder::clause(triple, LoopClause::Kind::for_in, xs, -1, -1);
  m.vm.limits.steps = 100'000;
  CHECK(m.run(triple, {list}) ==
        "limit at '': value 'item0' takes more than 100000 steps (raise the limit 'steps' to allow more)");
  m.vm.limits = VmLimits();
  m.vm.limits.memory = 1 << 20;
  Expr* growing = m.loop(Collect::list, m.types().list(numbers), xs, m.local(4, numbers));
  growing->loop->state = 4;
  growing->loop->start = xs;
  growing->loop->next = m.make(Op::concat, numbers, {m.local(4, numbers), m.local(4, numbers)});
  CHECK(m.run(growing, {list}) ==
        "limit at '': value 'item1' takes more than 1048576 bytes of memory (raise the limit 'memory_bytes' to allow "
        "more)");
  Expr* squares = m.loop(Collect::list, numbers, xs, m.local(4, kNumber));
  squares->loop->state = 4;
  squares->loop->start = m.n(3);
  squares->loop->next = m.make(Op::mul, kNumber, {m.local(4, kNumber), m.local(4, kNumber)});
  CHECK(m.run(squares, {list}).substr(0, 10) == "limit at '");
}

TEST_CASE("verify refuses broken programs") {
  ModelBuilder m;
  Expr* e = m.make(Op::add, kNumber, {m.hide(m.n(1)), m.n(2)});
  auto p = std::make_shared<Program>();
  auto made = m.program(m.item(e));
  std::string why;
  auto broken = [&](auto change) {
    Program copy;
    copy.model = made->model;
    copy.functions = made->functions;
    copy.results = made->results;
    copy.slots = made->slots;
    change(copy);
    return !verify(copy, why);
  };
  CHECK_FALSE(broken([](Program&) {}));
  CHECK(broken([](Program& c) { c.functions[0].code.pop_back(); }));
  CHECK(broken([](Program& c) { c.functions[0].code[0].c = 999; }));
  CHECK(broken([](Program& c) { c.results[0] = 999; }));
  CHECK(broken([](Program& c) { c.slots += 1; }));
  CHECK(broken([](Program& c) { c.functions[0].code[1].a = c.functions[0].params; }));
  CHECK(broken([](Program& c) { c.functions[0].code.back().op = Opcode::ret; }));
}
