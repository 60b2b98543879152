// The cost of compiling: rubrics that nest, grow or repeat without bound must end within the limits and on a small
// stack. Checked by steps and bytes, not by time; a rubric that does not end hangs the test.
#include <assay/assay.hpp>

#include "tests/unit/catch.hpp"

#include <functional>
#include <string>

using namespace assay;

namespace {

using Line = std::function<std::string(int)>;

std::string n(int i) { return std::to_string(i); }

std::string lines(int count, const Line& line) {
  std::string text;
  for (int i = 0; i < count; ++i) text += line(i) + "\n";
  return text;
}

std::string backwards(int count, const Line& line) {
  return lines(count, [&](int i) { return line(count - 1 - i); });
}

std::string rubric(const std::string& items) {
  return "rubric r {\n  input x: number 0..10\n  input texts: list of text default []\n" + items + "}\n";
}

// The code of the first error; empty: the rubric compiles, and so do its bytecode and its views.
std::string outcome(const std::string& text, const CompileOptions& options = {}) {
  INFO(text.substr(0, 300));
  const Compiled compiled = compile("r.rubric", text, options);
  CHECK(compiled.diagnostics.size() <= 202);
  CHECK(render(compiled.diagnostics).size() < 1'000'000);
  for (const Diagnostic& diagnostic : compiled.diagnostics) {
    if (diagnostic.severity == Severity::error) return diagnostic.code;
  }
  REQUIRE(compiled.rubric);
  for (const View view : {View::ast, View::model, View::bytecode, View::kernel})
    CHECK(!compiled.rubric->show(view).empty());
  Evaluator evaluator(*compiled.rubric);
  CHECK(!evaluator.score(R"({"x": 3})").json().empty());
  return {};
}

constexpr int kMany = 3000;
const std::string kTooDeep = "E0111";

}  // namespace

TEST_CASE("whatever is made of another one, and that of another one", "[limits]") {
  const Line let = [](int i) { return "let a" + n(i) + " = " + (i == 0 ? "x" : "a" + n(i - 1) + " + 1"); };
  const std::string last = n(kMany - 1);
  CHECK(outcome(rubric(lines(kMany, let) + "output o = a" + last + "\n")) == kTooDeep);
  CHECK(outcome(rubric(backwards(kMany, let) + "output o = a" + last + "\n")) == kTooDeep);
  CHECK(outcome(rubric(lines(200, let) + "output o = a199\n")).empty());
  CHECK(outcome(rubric(backwards(200, let) + "output o = a199\n")).empty());

  for (const char* made : {"list of ", "map of ", "", "{ a: number, b: "}) {
    const std::string open = made, close = open.starts_with("{") ? " }" : "";
    const Line type = [&](int i) {
      return "type t" + n(i) + " = " + (i == 0 ? "number" : open + "t" + n(i - 1) + close);
    };
    const std::string used = "input y: t" + last + " optional\noutput o = 1 when y is given else 0\n";
    CHECK(outcome(rubric(backwards(kMany, type) + used)) == kTooDeep);
    if (open == "list of " || open == "map of ") CHECK(outcome(rubric(lines(kMany, type) + used)) == kTooDeep);
  }

  const auto where = [](int count, bool reverse) {
    std::string parts;
    for (int i = 0; i < count; ++i) {
      const int k = reverse ? count - 1 - i : i;
      parts += (i == 0 ? "w" : ", w") + n(k) + " = " + (k == 0 ? "x" : "w" + n(k - 1) + " + 1");
    }
    return rubric("output o = w" + n(count - 1) + " where " + parts + "\n");
  };
  CHECK(outcome(where(kMany, false)) == kTooDeep);
  CHECK(outcome(where(kMany, true)) == kTooDeep);
  CHECK(outcome(where(200, false)).empty());

  const Line fn = [](int i) { return "fn f" + n(i) + "(a) = " + (i == 0 ? "a" : "f" + n(i - 1) + "(a) + 1"); };
  CHECK(outcome(rubric(lines(kMany, fn) + "output o = f" + last + "(x)\n")) == kTooDeep);

  const Line calling = [](int i) {
    const std::string before = i == 0 ? "x" : "r" + n(i - 1) + "({ x: x }).o";
    return "rubric r" + n(i) + " { input x: number 0..10 output o = " + before + " }";
  };
  const std::string user = "rubric all { input x: number 0..10 output o = r" + last + "({ x: x }).o }\n";
  CHECK(outcome(backwards(kMany, calling) + user) == kTooDeep);
  const Line extending = [](int i) {
    return i == 0 ? std::string("rubric r0 { input x: number 0..10 output o = x }")
                  : "rubric r" + n(i) + " extends r" + n(i - 1) + " { version \"1\" }";
  };
  CHECK(outcome(lines(kMany, extending)) == kTooDeep);

  const std::string capped = "scale 0..10\ndimension q weight 100%\n";
  CHECK(outcome(rubric(capped + lines(kMany, [](int i) {
                         return "cap score at " + n(i) + " / 4 when q > " + n(i % 10);
                       }))) == kTooDeep);
  std::string prefixes = "x";
  for (int i = 0; i < 190; ++i) prefixes = std::string(150, '-') + "(" + prefixes + ")";
  CHECK(outcome(rubric("output o = " + prefixes + "\n")) == kTooDeep);
  std::string loops;
  for (int i = 0; i < 20'000; ++i) loops += "[1 for a in ";
  CHECK(outcome(rubric("output o = " + loops + "texts" + std::string(20'000, ']') + "\n")) == kTooDeep);
  CHECK(outcome(rubric("output o = " + std::string(100'000, '(') + "x" + std::string(100'000, ')') + "\n")) ==
        kTooDeep);
}

TEST_CASE("what is flat stays flat, however much there is of it", "[limits]") {
  constexpr int kFlat = 2000;
  CHECK(outcome(rubric(lines(kFlat, [](int i) { return "gate g" + n(i) + " = x > " + n(i % 10); }) + "output o = x\n"))
            .empty());
  CHECK(
      outcome(rubric(lines(kFlat, [](int i) { return "flag \"{t}" + n(i) + "\" for t in texts"; }) + "output o = x\n"))
          .empty());
  CHECK(outcome(rubric("scale 0..10\ndimension q weight 100%\n" +
                       lines(kFlat, [](int i) { return "deduction \"{t}" + n(i) + "\" = 1 for t in texts"; })))
            .empty());
}

TEST_CASE("limits of compiling: just fits, one too many", "[limits]") {
  const std::string text = rubric(lines(50, [](int i) { return "output o" + n(i) + " = x + " + n(i); }));
  for (const char* name : {"compile_steps", "compile_memory_bytes"}) {
    const LimitInfo& limit = *find_limit(name);
    CompileOptions options;
    std::uint64_t low = 0, high = limit.get(options.limits);
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      limit.set(options.limits, middle);
      (compile("r.rubric", text, options).rubric ? high : low) = middle;
    }
    CHECK(high > 1000);
    CHECK(high < 1'000'000);
    limit.set(options.limits, high);
    CHECK(compile("r.rubric", text, options).rubric);
    limit.set(options.limits, high - 1);
    const Compiled beyond = compile("r.rubric", text, options);
    CHECK(!beyond.rubric);
    REQUIRE(!beyond.diagnostics.empty());
    CHECK(beyond.diagnostics.back().code == "E0801");
    for (const std::string& said : {std::string(name), std::to_string(high - 1)})
      CHECK(beyond.diagnostics.back().message.find(said) != std::string::npos);
  }
}

TEST_CASE("a compilation that is cancelled ends, and the next one is as if nothing had been", "[limits]") {
  Interrupt interrupt;
  CompileOptions options;
  options.interrupt = &interrupt;
  const std::string text = rubric(lines(2000, [](int i) { return "output o" + n(i) + " = x + " + n(i); }));
  interrupt.cancel();
  CHECK(outcome(text, options) == "E0802");
  interrupt.clear();
  interrupt.set_deadline(Interrupt::Clock::now());
  CHECK(outcome(text, options) == "E0802");
  interrupt.clear();
  CHECK(compile("r.rubric", text, options).rubric);
}

TEST_CASE("loops within the state of loops are looked at within the steps of compiling", "[limits]") {
  std::string inner = "{ a: 0 }";
  for (int i = 0; i < 60; ++i) {
    const std::string s = "s" + n(i);
    inner = "last([" + s + " for z" + n(i) + " in [1] with " + s + " = { a: 0 } then " + inner + "])";
  }
  CompileOptions options;
  options.limits.compile_steps = 1'000'000;
  const std::string code = outcome(rubric("output o = 1 when " + inner + " is given else 0\n"), options);
  INFO(code);
  CHECK((code.empty() || code == "E0801" || code == kTooDeep));
}

TEST_CASE("errors without end: the first are shown, briefly", "[limits]") {
  const std::string very_long(1'000'000, 'a');
  CHECK(outcome(rubric("output o = " + very_long + "\noutput p = \"" + very_long + "\" + 1\n")) == "E0301");
  CHECK(outcome(rubric(lines(5000, [](int i) { return "let a" + n(i) + " = nothing" + n(i); }))) == "E0301");
  CHECK(outcome(rubric(lines(5000, [](int i) { return "fn a" + n(i) + "(b) = nothing" + n(i) + "(b)"; }))) == "E0302");
  CHECK(outcome(rubric(lines(5000, [](int i) { return "lett a" + n(i) + " = 1"; }))) == "E0107");
  const Compiled many =
      compile("r.rubric", rubric(lines(1000, [](int i) { return "output a" + n(i) + " = b" + n(i); })));
  REQUIRE(many.diagnostics.size() == 101);
  CHECK(many.diagnostics.back().message == "… and 900 more");
}

TEST_CASE("defaults that double with each level", "[limits]") {
  const auto doubled = [](int levels) {
    return rubric("type t0 = { a: number default 1 }\n" +
                  lines(levels,
                        [](int i) {
                          const std::string before = "t" + n(i) + " default {}";
                          return "type t" + n(i + 1) + " = { a: " + before + ", b: " + before + " }";
                        }) +
                  "input y: t" + n(levels) + " default {}\noutput o = 1 when y is given else 0\n");
  };
  CHECK(outcome(doubled(8)).empty());
  CHECK(outcome(doubled(60)) == "E0407");
}

TEST_CASE("a table of many rows is charged before it is built", "[limits]") {
  std::string csv = "k,v\n";
  for (int i = 0; i < 20'000; ++i) csv += n(i) + "," + n(i) + "\n";
  CompileOptions options;
  options.importer = [&](std::string_view, std::string_view, std::string& name) -> std::optional<std::string> {
    name = "big.csv";
    return csv;
  };
  const std::string text = rubric("table t(k) from \"big.csv\"\noutput o = t(x)\n");
  CHECK(compile("r.rubric", text, options).rubric);
  options.limits.compile_memory_bytes = 2 << 20;
  CHECK(outcome(text, options) == "E0801");
}

// The smallest memory limit within which a rubric compiles with a file of this many rows.
static std::uint64_t least_memory(const std::string& items, const std::string& header, int rows, const Line& row) {
  const std::string csv = header + "\n" + lines(rows, row);
  CompileOptions options;
  options.importer = [&](std::string_view, std::string_view, std::string& name) -> std::optional<std::string> {
    name = "rows.csv";
    return csv;
  };
  const std::string text = rubric(items + "\n");
  const Compiled unlimited = compile("r.rubric", text, options);
  INFO(render(unlimited.diagnostics));
  REQUIRE(unlimited.rubric);
  std::uint64_t low = 0, high = options.limits.compile_memory_bytes;
  while (high - low > 1000) {
    options.limits.compile_memory_bytes = low + (high - low) / 2;
    (compile("r.rubric", text, options).rubric ? high : low) = options.limits.compile_memory_bytes;
  }
  return high;
}

TEST_CASE("a row of a CSV file costs little more than its values", "[limits]") {
  struct Shape {
    const char *items, *header;
    Line row;
  };
  const Shape shapes[] = {
      {"table t(k) from \"f\"\noutput o = t(x)", "k,v", [](int i) { return n(i) + "," + n(7 * i); }},
      {"table t(k) from \"f\"\noutput o = t(x)", "k,v", [](int i) { return "-" + n(i) + ".5,-0." + n(i); }},
      {"table t(k) from \"f\"\ninput k: text optional\noutput o = t(k)", "k,v",
       [](int i) { return "k" + n(i) + "," + n(i % 9); }},
      {"table t(k) from \"f\"\ninput k: text optional\noutput o = t(k)", "k,v",
       [](int i) { return "\"a \"\"k\"\" " + n(i) + "\",value"; }},
      {"table t(k) from \"f\"\ninput k: text optional\noutput o = t(k)", "k,v",
       [](int i) { return "0" + n(i) + "," + (i % 2 == 0 ? "true" : ""); }},
      {"table t(k) from \"f\"\noutput o = t(x)\noutput p = t(x + 1)\noutput q = t(x + 2)", "k,v",
       [](int i) { return n(i) + "," + n(i); }},
      {"table t(k) from \"f\"\noutput o = t(x)", "k,v", [](int i) { return n(2 * i) + ".." + n(2 * i + 1) + ",1"; }},
      {"table t(k) from \"f\"\noutput o = t(x)", "k,v", [](int i) { return ">= " + n(100'000 - i) + "," + n(i); }},
      {"table t from \"f\"\noutput o = count(t)", "k,v", [](int i) { return "k" + n(i % 9) + "," + n(i); }},
      {"table t(k) from \"f\"\ninput k: text optional\noutput o = t(k)", "k,v",
       [](int i) { return "k" + n(i) + ",value " + n(i); }},
  };
  for (const Shape& shape : shapes) {
    constexpr int kFew = 1000, kMore = 3000;
    INFO(shape.items << "\n" << shape.header << "\n" << shape.row(1));
    const std::uint64_t few = least_memory(shape.items, shape.header, kFew, shape.row);
    const std::uint64_t more = least_memory(shape.items, shape.header, kMore, shape.row);
    CHECK((more - few) / (kMore - kFew) < 300);
  }
}

TEST_CASE("a CSV file of many rows: the message names the row", "[limits]") {
  const auto message = [](const std::string& header, int rows, const Line& row) {
    CompileOptions options;
    const std::string csv = header + "\n" + lines(rows, row);
    options.importer = [&](std::string_view, std::string_view, std::string& name) -> std::optional<std::string> {
      name = "rows.csv";
      return csv;
    };
    const Compiled compiled = compile("r.rubric", rubric("table t(k) from \"f\"\noutput o = t(x)\n"), options);
    CHECK(!compiled.rubric);
    return render(compiled.diagnostics);
  };
  constexpr int kRows = 20'000, kOdd = 19'990;
  const auto odd = [](const std::string& instead) {
    return [instead](int i) { return i == kOdd ? instead : n(i) + "," + n(i); };
  };
  const std::string place = "rows.csv:" + n(kOdd + 2) + ":";
  CHECK(message("k,v", kRows, odd("a,1")).find(place + "1") != std::string::npos);
  CHECK(message("k,v", kRows, odd("19990,a")).find(place + "7") != std::string::npos);
  CHECK(message("k,v", kRows, odd("19990,1,2")).find(place + "1") != std::string::npos);
  CHECK(message("k,v", kRows, odd("< a,1")).find(place + "1") != std::string::npos);
  CHECK(message("k,v", kRows, odd("9..8,1")).find(place + "1") != std::string::npos);
  CHECK(message("k,v", kRows, odd("5,1")).find(place + "1") != std::string::npos);
}
