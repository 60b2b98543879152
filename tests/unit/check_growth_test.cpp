// The size of a program is about the size of its rubric: values, functions, tables and caps that use each other twice
// on every level must not double with each level. Measured by the length of the bytecode, not by time.
#include <assay/assay.hpp>

#include "lang/value/type.hpp"
#include "tests/property/random.hpp"
#include "tests/unit/catch.hpp"

#include <functional>
#include <string>
#include <vector>

namespace {

using Line = std::function<std::string(int)>;

std::string n(int i) { return std::to_string(i); }

std::string rubric(int levels, const std::string& before, const Line& line, const std::string& after) {
  std::string text =
      "rubric grown {\n  input x: number 0..10\n  input t: text optional\n  input late: bool default false\n" + before;
  for (int i = 0; i < levels; ++i) text += "  " + line(i) + "\n";
  return text + after + "}\n";
}

std::string lets(const std::string& first, const std::function<std::string(const std::string&)>& next) {
  return rubric(
      200, "  let a0 = " + first + "\n", [&](int i) { return "let a" + n(i + 1) + " = " + next("a" + n(i)); },
      "  output given = 1 when a200 is given else 0\n");
}

void check_length(const std::string& source, std::size_t most) {
  INFO(source.substr(0, 400));
  const auto compiled = assay::compile("grown.rubric", source);
  INFO(assay::render(compiled.diagnostics));
  REQUIRE(compiled.rubric);
  CHECK(compiled.rubric->show(assay::View::bytecode).size() < most);
  assay::Evaluator evaluator(*compiled.rubric);
  CHECK(!evaluator.score(R"({"x": 3, "t": "q", "late": true, "quality": 4})").json().empty());
}

constexpr std::size_t kShort = 400'000;

}  // namespace

TEST_CASE("200 values, each using the one before twice") {
  for (const char* next : {"P + P", "P * P", "max(P, P + 1)", "P when late else P + 1", "{ x: P, y: P }", "[P, P]"}) {
    check_length(lets("x",
                      [next](const std::string& before) {
                        std::string text = next;
                        for (std::size_t at = text.find('P'); at != std::string::npos; at = text.find('P'))
                          text.replace(at, 1, before);
                        return text;
                      }),
                 kShort);
  }
  check_length(lets("t", [](const std::string& before) { return before + " + " + before; }), kShort);
  check_length(lets("3", [](const std::string& before) { return before + " * " + before; }), kShort);
}

TEST_CASE("60 functions and tables, each using the next twice") {
  check_length(rubric(
                   60, "", [](int i) { return "fn f" + n(i) + "(a) = f" + n(i + 1) + "(a) + f" + n(i + 1) + "(a)"; },
                   "  fn f60(a) = a\n  output given = 1 when f0(x) is given else 0\n"),
               kShort);
  check_length(rubric(
                   60, "",
                   [](int i) {
                     const std::string next = "f" + n(i + 1) + "(a)";
                     return "table f" + n(i) + "(a) { | a | v |\n| >= 5 | " + next + " + 1 |\n| >= 0 | " + next +
                            " | }";
                   },
                   "  table f60(a) { | a | v |\n| >= 0 | 2 | }\n  output result = f0(x)\n"),
               kShort);
}

TEST_CASE("a sum of 60 texts, 60 parts of a definition, 60 joined records") {
  std::string sum = "t", parts = "a0 = x", records = "r(x)";
  for (int i = 1; i < 60; ++i) {
    sum += " + t";
    parts += ", a" + n(i) + " = a" + n(i - 1) + " + a" + n(i - 1);
    records = "(" + records + " when late else r(x)) + r(x)";
    if (i > 30) continue;
  }
  check_length(rubric(0, "", nullptr, "  output whole = " + sum + "\n"), kShort);
  check_length(rubric(0, "", nullptr, "  output whole = a59 where " + parts + "\n"), kShort);
  check_length(
      rubric(0, "", nullptr, "  fn r(x) = { a: x, b: x + 1, c: x + 2 } when x > 1\n  output whole = " + records + "\n"),
      kShort);
}

TEST_CASE("30 caps on each target") {
  check_length(rubric(
                   30,
                   "  scale 0..10 decimals 1\n  dimension quality weight 100%\n  deduction d = 1 when late else 0\n  "
                   "bonus b = 1 when late else 0\n"
                   "  bands grade(score) { | score | grade |\n| >= 5 | \"A\" |\n| >= 0 | \"B\" | }\n",
                   [](int i) {
                     std::string text;
                     for (const char* target : {"quality", "score", "composite", "deductions", "bonuses"})
                       text += "cap " + std::string(target) + " at " + n(i) + " / 4 when x > " + n(i) + "\n";
                     return text + "cap grade at \"B\" when x > " + n(i);
                   },
                   ""),
               kShort);
}

TEST_CASE("types that share their parts are compared and named once") {
  std::string text = "  let a0 = x\n  let b0 = t\n  let c0 = x + 1\n";
  for (int i = 1; i <= 60; ++i) {
    for (const char* name : {"a", "b", "c"}) {
      const std::string before = name + n(i - 1);
      text += "  let " + std::string(name) + n(i) + " = { x: " + before + ", y: " + before + " }\n";
    }
  }
  check_length(rubric(0, text, nullptr, "  output both = count([a60, c60])\n"), kShort);
  const auto wrong = assay::compile(
      "grown.rubric",
      rubric(0, text, nullptr, "  output a = a60 + 1\n  output b = [a60, b60]\n  output c = a60 == b60\n"));
  REQUIRE(wrong.diagnostics.size() == 2);  // a list of the two is one of several types
  for (const assay::Diagnostic& d : wrong.diagnostics) CHECK(d.message.size() < 300);
}

// ---- what grows with the square of a count need not be long to be slow: these count what is made, or ask for what would
// have been given up

TEST_CASE("the choices of ten thousand texts are not copied for each of them") {
  assay::TypeTable types;
  std::vector<assay::TypeId> texts;
  for (int i = 0; i < 10'000; ++i) texts.push_back(types.text({"t" + n(i)}));
  assay::TypeId all = assay::kUnknown;
  REQUIRE(types.unify_all(texts, all) == texts.size());
  CHECK(types[all].choices.size() == texts.size());
  CHECK(types[all].choices.front() == "t0");
  CHECK(types[all].choices.back() == "t9999");
  std::size_t copies = 0;
  for (std::size_t i = 0; i < types.size(); ++i) copies += types[static_cast<assay::TypeId>(i)].choices.size();
  CHECK(copies < 20 * texts.size());

  texts[7'000] = assay::kNumber;
  CHECK(types.unify_all(texts, all) == 7'000);
  CHECK(types[all].choices.size() == 7'000);
}

namespace {

std::string diagnostics(const std::string& items) {
  std::string all;
  for (const assay::Diagnostic& d : assay::compile("grown.rubric", "rubric grown {\n" + items + "}\n").diagnostics) {
    all += d.code + " " + n(d.at.line) + " " + d.message + "\n";
  }
  return all;
}

struct Box {
  int low[3], high[3];  // in thousandths
};

// [0, 100)³ divided into this many boxes, almost all at different positions.
std::vector<Box> boxes(std::size_t count) {
  assay_tests::Random random(5);
  std::vector<Box> all{{{0, 0, 0}, {100'000, 100'000, 100'000}}};
  while (all.size() < count) {
    const std::size_t side = random.below(3);
    Box& box = all[random.below(all.size())];
    if (box.high[side] - box.low[side] < 2) continue;
    Box other = box;
    const int cut = static_cast<int>(random.within(box.low[side] + 1, box.high[side] - 1));
    box.high[side] = other.low[side] = cut;
    all.push_back(other);
  }
  return all;
}

std::string thousandths(int i) {
  const std::string digits = n(1000 + i % 1000);
  return n(i / 1000) + "." + digits.substr(1);
}

std::string row(const Box& box, const std::string& name) {
  std::string text = "    |";
  for (int k = 0; k < 3; ++k) text += " >= " + thousandths(box.low[k]) + " < " + thousandths(box.high[k]) + " |";
  return text + " \"" + name + "\" |\n";
}

}  // namespace

TEST_CASE("rows over several keys are looked at, however many combinations of keys there are") {
  const std::vector<Box> all = boxes(600);
  const auto bands = [&](std::size_t without, const std::string& more) {
    std::string text = "  input x, y, z: number 0..99.999\n  bands region(x, y, z) {\n    | x | y | z | region |\n";
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i != without) text += row(all[i], "r" + n(static_cast<int>(i)));
    return diagnostics(text + more + "  }\n");
  };
  CHECK(bands(all.size(), "") == "");
  for (const std::size_t without : {std::size_t{0}, std::size_t{123}, std::size_t{599}}) {
    const Box& box = all[without];
    INFO(bands(without, ""));
    CHECK(bands(without, "").find("E0208 3 the bands 'region' have no row for x = ") == 0);
    CHECK(bands(without, row(box, "found")) == "");
  }
  const Box part = {{all[77].low[0], all[77].low[1], all[77].low[2]},
                    {all[77].high[0], all[77].high[1], all[77].low[2] + 1}};
  CHECK(bands(all.size(), row(part, "again")).find("E0210 605 this row of 'region' is never reached") == 0);
  CHECK(bands(all.size(), row({{0, 0, 0}, {100'000, 100'000, 100'000}}, "all")).find("E0210 605") == 0);

  // Rows that all overlap widely.
  std::string text = "  input x, y: number 0..1000\n  table t(x, y) {\n    | x | y | v |\n";
  for (int i = 0; i < 1000; ++i) text += "    | >= " + n(i) + " | <= " + n((i + 3) % 1000) + " | " + n(i) + " |\n";
  CHECK(diagnostics(text + "  }\n  output v = t(x, y)\n").substr(0, 5) == "E0210");
}

TEST_CASE("all rows of a long table or of many bands are looked at") {
  const auto bands = [&](int without, const std::string& more) {
    std::string text =
        "  scale 0..100 decimals 2\n  dimension d weight 100%\n  bands grade(score) {\n    | score | grade |\n";
    for (int i = 9'999; i >= 0; i -= 5) {
      if (i / 5 == without) continue;
      const std::string low = n((i - 4) / 100) + "." + (((i - 4) % 100) < 10 ? "0" : "") + n((i - 4) % 100);
      const std::string high = n(i / 100) + "." + ((i % 100) < 10 ? "0" : "") + n(i % 100);
      text += "    | " + low + ".." + high + " | \"g" + n(i) + "\" |\n";
    }
    return text + more + "  }\n";
  };
  CHECK(diagnostics(bands(-1, "    | 100 | \"top\" |\n")) == "");
  CHECK(diagnostics(bands(-1, "")).find("have no row for score = 100") != std::string::npos);
  CHECK(diagnostics(bands(1'234, "    | 100 | \"top\" |\n")).find("have no row for score = 61.7") != std::string::npos);
  CHECK(diagnostics(bands(-1, "    | 99.99..100 | \"top\" |\n"))
            .find("E0209 2006 this row of 'grade' overlaps an earlier one at 99.99") == 0);
  CHECK(diagnostics(bands(-1, "    | 100 | \"top\" |\n    | 7..8 | \"no\" |\n")).find("E0210 2007") == 0);

  for (const bool twice : {false, true}) {
    std::string text = "  input k: text\n  input x: number\n  table t(k) {\n    | k | v |\n";
    for (int i = 0; i < 5'000; ++i) text += "    | \"k" + n(twice && i == 4'999 ? 17 : i) + "\" | " + n(i) + " |\n";
    text += "  }\n  output v = t(k)\n  table u(x) {\n    | x | v |\n";
    for (int i = 0; i < 5'000; ++i)
      text += "    | > " + n(twice && i == 4'999 ? 20 : 10'000 - 2 * i) + " | " + n(i) + " |\n";
    CHECK(diagnostics(text + "  }\n  output w = u(x)\n").substr(0, 10) == (twice ? "E0210 5005" : ""));
  }
}
