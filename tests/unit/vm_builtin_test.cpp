// Every builtin through the VM. A row of builtins.def without a case here fails and is named.
#include "tests/unit/model_builder.hpp"

#include <set>

using namespace assay;
using assay::test::ModelBuilder;

namespace {

struct Builtins : ModelBuilder {
  std::set<Builtin> seen;

  std::string f(Builtin which, TypeId type, std::vector<Expr*> args) {
    seen.insert(which);
    return run(builtin(which, type, std::move(args)));
  }
  std::string number(Builtin which, std::vector<Expr*> args) { return f(which, kNumber, std::move(args)); }
  std::string boolean(Builtin which, std::vector<Expr*> args) { return f(which, kBool, std::move(args)); }
  Expr* h(const char* text) { return hide(n(text)); }
  Expr* s(const char* text) { return hide(t(text)); }
  Expr* bools(std::vector<int> values) {
    std::vector<Expr*> items;
    for (int v : values) items.push_back(hide(v < 0 ? missing(kBool) : b(v == 1)));
    return list(kBool, std::move(items));
  }
  Expr* holed() { return list(kNumber, {h("1"), missing(), n(3)}); }
};

}  // namespace

TEST_CASE("every builtin") {
  Builtins m;
  const TypeId numbers = m.types().list(kNumber), texts = m.types().list(kText);

  // ---- numbers
  CHECK(m.number(Builtin::abs, {m.h("-2")}) == "2");
  CHECK(m.number(Builtin::sign, {m.h("-0.000000000000000000000000000001")}) == "-1");
  CHECK(m.number(Builtin::sign, {m.h("0")}) == "0");
  CHECK(m.number(Builtin::sign, {m.h("123456789012345678901234567890.5")}) == "1");
  CHECK(m.number(Builtin::sign, {m.hide(m.missing())}) == "missing");
  CHECK(m.number(Builtin::min, {m.h("3"), m.h("2"), m.h("5")}) == "2");
  CHECK(m.number(Builtin::min, {m.numbers({3, 2})}) == "2");
  CHECK(m.number(Builtin::min, {m.numbers({})}) == "missing");
  CHECK(m.number(Builtin::min, {m.h("3"), m.hide(m.missing())}) == "missing");
  CHECK(m.number(Builtin::max, {m.h("3"), m.h("2")}) == "3");
  CHECK(m.number(Builtin::max, {m.numbers({3, 5})}) == "5");
  CHECK(m.number(Builtin::max, {m.holed()}) == "missing");
  CHECK(m.number(Builtin::clamp, {m.h("12"), m.range(m.n(0), m.n(10))}) == "10");
  CHECK(m.number(Builtin::clamp, {m.h("-1"), m.range(m.n(0), m.missing())}) == "0");
  CHECK(m.number(Builtin::round, {m.h("2.675"), m.n(2)}) == "2.68");
  CHECK(m.number(Builtin::round, {m.h("2.675"), m.h("2")}) == "2.68");
  CHECK(m.number(Builtin::round, {m.h("-2.5")}) == "-3");
  CHECK(m.number(Builtin::round, {m.h("1250"), m.n(-2)}) == "1300");
  CHECK(m.number(Builtin::floor, {m.h("-0.5")}) == "-1");
  CHECK(m.number(Builtin::ceil, {m.h("1.21"), m.n(1)}) == "1.3");
  CHECK(m.number(Builtin::trunc, {m.h("-2.9")}) == "-2");
  CHECK(m.number(Builtin::round_even, {m.h("2.5")}) == "2");
  CHECK(m.number(Builtin::mod, {m.h("-1"), m.n(3)}) == "2");
  CHECK(m.number(Builtin::sqrt, {m.h("2.25")}) == "1.5");
  CHECK(m.number(Builtin::sqrt, {m.h("-1")}) == "missing");
  CHECK(m.number(Builtin::ln, {m.h("1")}) == "0");
  CHECK(m.number(Builtin::log10, {m.h("1000")}) == "3");
  CHECK(m.number(Builtin::exp, {m.h("0")}) == "1");
  CHECK(m.number(Builtin::erf, {m.h("0")}) == "0");
  auto points = [&] { return m.list(numbers, {m.numbers({0, 0}), m.numbers({10, 100}), m.numbers({20, 0})}); };
  CHECK(m.number(Builtin::interpolate, {m.h("5"), points()}) == "50");
  CHECK(m.number(Builtin::interpolate, {m.h("20"), points()}) == "0");
  CHECK(m.number(Builtin::interpolate, {m.h("20.1"), points()}) == "missing");
  CHECK(m.number(Builtin::interpolate, {m.h("-1"), points()}) == "missing");
  const TypeId row = m.record_type({{"x", kNumber}, {"y", kNumber}});
  CHECK(m.number(Builtin::interpolate, {m.h("1"), m.list(row, {m.make(Op::make_record, row, {m.h("0"), m.h("1")}),
                                                               m.make(Op::make_record, row, {m.h("2"), m.h("5")})})}) ==
        "3");

  // ---- aggregates
  CHECK(m.number(Builtin::count, {m.numbers({1, 2, 3})}) == "3");
  CHECK(m.number(Builtin::count, {m.map(kNumber, {{"a", m.h("1")}})}) == "1");
  CHECK(m.number(Builtin::count, {m.s("naïve")}) == "5");
  CHECK(m.number(Builtin::sum, {m.numbers({1, 2, 3})}) == "6");
  CHECK(m.number(Builtin::sum, {m.holed()}) == "missing");
  CHECK(m.number(Builtin::product, {m.numbers({2, 3})}) == "6");
  CHECK(m.number(Builtin::mean, {m.numbers({1, 2})}) == "1.5");
  CHECK(m.number(Builtin::mean, {m.numbers({})}) == "missing");
  CHECK(m.number(Builtin::median, {m.numbers({1, 9, 2})}) == "2");
  CHECK(m.number(Builtin::median, {m.numbers({1, 9, 2, 4})}) == "3");
  CHECK(m.number(Builtin::geomean, {m.numbers({1, 4})}) == "2");
  CHECK(m.number(Builtin::geomean, {m.numbers({-1, 4})}) == "missing");
  CHECK(m.number(Builtin::harmonic, {m.numbers({1, 1})}) == "1");
  CHECK(m.number(Builtin::harmonic, {m.numbers({2, 4, 4})}) == "3");
  CHECK(m.number(Builtin::harmonic, {m.numbers({0, 1})}) == "missing");
  CHECK(m.number(Builtin::variance, {m.numbers({1, 3})}) == "2");
  CHECK(m.number(Builtin::variance, {m.numbers({1})}) == "missing");
  CHECK(m.number(Builtin::stdev, {m.numbers({2, 4, 4, 4, 5, 5, 7, 9, 5})}) == "2");
  CHECK(m.number(Builtin::slope, {m.numbers({1, 3, 5})}) == "2");
  CHECK(m.number(Builtin::slope, {m.numbers({1, 0, 5, 2})}) == "0.8");
  CHECK(m.number(Builtin::slope, {m.numbers({1})}) == "missing");
  CHECK(m.boolean(Builtin::any, {m.bools({0, 1, -1})}) == "true");
  CHECK(m.boolean(Builtin::any, {m.bools({0, -1})}) == "missing");
  CHECK(m.boolean(Builtin::any, {m.bools({})}) == "false");
  CHECK(m.boolean(Builtin::all, {m.bools({1, 1})}) == "true");
  CHECK(m.boolean(Builtin::all, {m.bools({1, -1, 0})}) == "false");

  // ---- lists and maps
  CHECK(m.number(Builtin::first, {m.numbers({7, 8})}) == "7");
  CHECK(m.number(Builtin::first, {m.numbers({})}) == "missing");
  CHECK(m.f(Builtin::first, numbers, {m.n(2), m.numbers({7, 8, 9})}) == "[7, 8]");
  CHECK(m.f(Builtin::first, numbers, {m.n(-2), m.numbers({7, 8, 9})}) == "[]");
  CHECK(m.number(Builtin::last, {m.numbers({7, 8})}) == "8");
  CHECK(m.f(Builtin::last, numbers, {m.n(2), m.numbers({7, 8, 9})}) == "[8, 9]");
  CHECK(m.f(Builtin::last, numbers, {m.n(9), m.numbers({7, 8, 9})}) == "[7, 8, 9]");
  CHECK(m.f(Builtin::distinct, numbers, {m.numbers({1, 2, 1})}) == "[1, 2]");
  CHECK(m.f(Builtin::distinct, numbers, {m.numbers({1, 2, 1, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5})}) ==
        "[1, 2, 3, 4, 5, 6, 7, 8, 9]");
  CHECK(m.f(Builtin::reverse, numbers, {m.numbers({1, 2})}) == "[2, 1]");
  CHECK(m.f(Builtin::whole_numbers, numbers, {m.n(-1), m.n(2)}) == "[-1, 0, 1, 2]");
  CHECK(m.f(Builtin::whole_numbers, numbers, {m.n(3), m.n(2)}) == "[]");
  CHECK(m.f(Builtin::whole_numbers, numbers, {m.h("36893488147419103232"), m.h("36893488147419103233")}) ==
        "[36893488147419103232, 36893488147419103233]");
  CHECK(m.f(Builtin::flatten, numbers, {m.list(numbers, {m.numbers({1}), m.numbers({}), m.numbers({2, 3})})}) ==
        "[1, 2, 3]");
  CHECK(m.number(Builtin::rank, {m.h("8"), m.numbers({9, 8, 8, 7})}) == "2");
  CHECK(m.number(Builtin::percentile, {m.h("50"), m.numbers({3, 1, 2})}) == "2");
  CHECK(m.number(Builtin::percentile, {m.h("90"), m.numbers({1, 2})}) == "1.9");
  CHECK(m.number(Builtin::percentile, {m.h("100"), m.numbers({1, 2})}) == "2");
  CHECK(m.number(Builtin::percentile, {m.h("101"), m.numbers({1, 2})}) == "missing");
  CHECK(m.f(Builtin::keys, texts, {m.map(kNumber, {{"a", m.h("1")}, {"b", m.n(2)}})}) == "[\"a\", \"b\"]");
  CHECK(m.f(Builtin::values, numbers, {m.map(kNumber, {{"a", m.h("1")}, {"b", m.n(2)}})}) == "[1, 2]");

  // ---- texts
  CHECK(m.f(Builtin::split, texts, {m.s("a/b/"), m.t("/")}) == "[\"a\", \"b\", \"\"]");
  CHECK(m.f(Builtin::words, texts, {m.s(" a \t b ")}) == "[\"a\", \"b\"]");
  CHECK(m.f(Builtin::words, texts, {m.s("  ")}) == "[]");
  CHECK(m.f(Builtin::characters, texts, {m.s("aö€")}) == "[\"a\", \"ö\", \"€\"]");
  CHECK(m.f(Builtin::characters, texts, {m.s("")}) == "[]");
  CHECK(m.f(Builtin::join, kText, {m.texts({"a", "b"}), m.t("-")}) == "\"a-b\"");
  CHECK(m.f(Builtin::trim, kText, {m.s(" a ")}) == "\"a\"");
  CHECK(m.f(Builtin::lowercase, kText, {m.s("AbÄ")}) == "\"abÄ\"");
  CHECK(m.number(Builtin::number, {m.s("2.50")}) == "2.5");
  CHECK(m.number(Builtin::number, {m.s(" 2")}) == "missing");
  const char* durations[][2] = {{"1h 30m", "5400"},       {"90s", "90"},
                                {"1:30:00", "5400"},      {"2.5 h", "9000"},
                                {"250ms", "0.25"},        {"PT1H30M", "5400"},
                                {"P1DT0.5S", "86400.5"},  {"1:05", "65"},
                                {"01:05:00.5", "3900.5"}, {"2 days 3 hours", "183600"},
                                {"", "missing"},          {"90", "missing"},
                                {"1:60", "missing"},      {"1x", "missing"},
                                {"30m 1h", "missing"},    {"PT", "missing"},
                                {"P1M", "missing"},       {"1.h", "missing"},
                                {"1::2", "missing"},      {"h", "missing"}};
  for (auto& d : durations) {
    INFO(d[0]);
    CHECK(m.number(Builtin::duration, {m.s(d[0])}) == d[1]);
  }
  CHECK(m.boolean(Builtin::starts_with, {m.s("abc"), m.t("ab")}) == "true");
  CHECK(m.boolean(Builtin::ends_with, {m.s("abc"), m.t("ab")}) == "false");
  CHECK(m.boolean(Builtin::contains, {m.s("abc"), m.t("b")}) == "true");
  struct Glob {
    const char *path, *pattern;
    bool fits;
  };
  const Glob globs[] = {{"a/b/c", "a/**", true},
                        {"a", "a/**", true},
                        {"x", "**/x", true},
                        {"a/x", "**/x", true},
                        {"ax", "**/x", false},
                        {"a/b", "a/*", true},
                        {"a/b/c", "a/*", false},
                        {"abc", "a*c", true},
                        {"ab/c", "a*c", false},
                        {"a/b/c/d", "a/**/d", true},
                        {"a/d", "a/**/d", true},
                        {"a/d/e", "a/**/d", false},
                        {"a/x/b/x/c", "a/**/x/c", true},
                        {"", "", true},
                        {"", "**", true},
                        {"a", "", false},
                        {"a/", "a", false},
                        {"a/", "a/*", true},
                        {"a.b", "a?b", false},
                        {"a/b/c", "**/**/c", true},
                        {"aXbXc", "a*b*c", true},
                        {"aXbXd", "a*b*c", false},
                        {"a/q/b", "**/b/**", true},
                        {"a**b", "a**b", true},
                        {"axxb", "a**b", true}};
  for (const Glob& g : globs) {
    INFO(g.path << " " << g.pattern);
    CHECK(m.boolean(Builtin::glob, {m.s(g.path), m.t(g.pattern)}) == (g.fits ? "true" : "false"));
  }
  CHECK(m.boolean(Builtin::glob, {m.s(std::string(20000, 'a').c_str()), m.t("*a*a*a*a*a*a*a*a*b")}) == "false");
  CHECK(m.f(Builtin::position, kWhole, {m.n("3"), m.numbers({1, 3, 3})}) == "1");
  CHECK(m.f(Builtin::position, kWhole, {m.n("2"), m.numbers({1, 3})}) == "missing");
  CHECK(m.f(Builtin::position, kWhole, {m.n("2"), m.list(kUnknown, {})}) == "missing");
  CHECK(m.boolean(Builtin::in_order, {m.numbers({1, 3}), m.numbers({1, 2, 3})}) == "true");
  CHECK(m.boolean(Builtin::in_order, {m.numbers({3, 1}), m.numbers({1, 2, 3})}) == "false");
  CHECK(m.boolean(Builtin::in_order, {m.list(kUnknown, {}), m.numbers({1})}) == "true");

#define ASSAY_BUILTIN(id, name, ...) \
  if (m.seen.count(Builtin::id) == 0) FAIL_CHECK("no case for " name);
#include "lang/model/builtins.def"
#undef ASSAY_BUILTIN
}
