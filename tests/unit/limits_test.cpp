// Limits: each has a case that just fits and one that is one too large, and malicious rubrics end with a clear error.
// No test measures time; a case that does not end hangs the test.
#include <assay/assay.hpp>

#include "tests/unit/catch.hpp"

#include <functional>
#include <string>

using namespace assay;

namespace {

std::string repeat(std::string_view unit, std::size_t times) {
  std::string out;
  out.reserve(unit.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += unit;
  return out;
}

// "1,2,3" from f(0), f(1), f(2).
std::string listed(std::size_t count, const std::function<std::string(std::size_t)>& item) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += ',';
    out += item(i);
  }
  return out;
}

Rubric rubric_of(const std::string& items) {
  const Compiled compiled = compile("test.rubric", "rubric t { version \"1\"\n" + items + "\n}");
  INFO(items.substr(0, 2000));
  INFO(render(compiled.diagnostics).substr(0, 2000));
  REQUIRE(compiled.rubric);
  return *compiled.rubric;
}

// The verdict's JSON, or "code: message".
std::string answer(const Rubric& rubric, const std::string& record, const Limits& limits = {}) {
  Evaluator evaluator(rubric, {{}, limits});
  const Verdict& verdict = evaluator.score(record);
  if (const InputError* error = verdict.error()) return error->code + ": " + error->message;
  return std::string(verdict.json());
}

bool past_limit(const std::string& answer, std::string_view what) {
  return answer.starts_with("limit: ") && answer.find(what) != std::string::npos;
}

bool scored(const std::string& answer) { return answer.starts_with("{\"rubric\""); }

// This `limit` fits, and one less does not.
void check_bound(const Rubric& rubric, const std::string& record, std::size_t fits, std::string_view what,
                 const std::function<void(Limits&, std::size_t)>& set) {
  Limits limits;
  set(limits, fits);
  CHECK(scored(answer(rubric, record, limits)));
  set(limits, fits - 1);
  const std::string beyond = answer(rubric, record, limits);
  INFO(beyond);
  CHECK(past_limit(beyond, what));
}

}  // namespace

TEST_CASE("every limit can be found and set by name", "[limits]") {
  Limits limits;
  std::uint64_t value = 1;
  for (const LimitInfo& limit : limit_infos()) {
    INFO(limit.name);
    CHECK(find_limit(limit.name) == &limit);
    limit.set(limits, ++value);
    CHECK(limit.get(limits) == value);
  }
  CHECK(limit_infos().size() == 15);
  CHECK(limits.record_bytes == 2);
  CHECK(limits.source_bytes == 14);
  CHECK(find_limit("step") == nullptr);
}

TEST_CASE("limits of a record: just fits, one too many", "[limits]") {
  const Rubric rubric = rubric_of(
      "input xs: list of number default []  input t: text default \"\"  input m: map of number default {}\n"
      "input deep: any optional  output n = count(xs) + count(m) + count(t) + (1 when deep is given else 0)");
  const std::string plain = R"({"xs": [1, 2, 3], "t": "abc"})";
  check_bound(rubric, plain, plain.size(), "(raise the limit 'record_bytes' to allow more)",
              [](Limits& l, std::size_t n) { l.record_bytes = n; });
  check_bound(rubric, plain, 3, "xs has more than 2 items", [](Limits& l, std::size_t n) { l.list_items = n; });
  check_bound(rubric, R"({"m": {"a": 1, "b": 2}})", 2, "m has more than 1 entries",
              [](Limits& l, std::size_t n) { l.list_items = n; });
  check_bound(rubric, plain, 3, "t takes more than 2 bytes (raise the limit 'text_bytes' to allow more)",
              [](Limits& l, std::size_t n) { l.text_bytes = n; });
  for (const char* field : {"deep", "unknown"}) {  // the record itself is one level
    const std::string nested = std::string("{\"") + field + "\":" + repeat("[", 9) + repeat("]", 9) + "}";
    check_bound(rubric, nested, 10, "within each other",
                [](Limits& l, std::size_t n) { l.nesting = static_cast<int>(n); });
    Limits limits;  // a limit above the reader's maximum has the effect of the maximum
    limits.nesting = 1'000'000;
    const auto record = [&](std::size_t levels) {
      return std::string("{\"") + field + "\":" + repeat("[", levels - 1) + repeat("]", levels - 1) + "}";
    };
    CHECK(scored(answer(rubric, record(kMostNesting), limits)));
    CHECK(past_limit(answer(rubric, record(kMostNesting + 1), limits), "within each other"));
    CHECK(past_limit(answer(rubric, record(1'000'000), limits), "within each other"));
  }
}

TEST_CASE("limits of a history: just fits, one too many", "[limits]") {
  const Rubric rubric = rubric_of("input a: number  output n = count(history)");
  Limits limits;
  limits.list_items = 2;
  Evaluator evaluator(rubric, {{}, limits});
  evaluator.set_history({R"({"a":1})", R"({"a":1})"});
  CHECK(evaluator.score(R"({"a":1})").json("n") == "2");
  evaluator.set_history({R"({"a":1})", R"({"a":1})", R"({"a":1})"});
  REQUIRE(evaluator.score(R"({"a":1})").error() != nullptr);
  CHECK(evaluator.score(R"({"a":1})").error()->message ==
        "history has more than 2 records (raise the limit 'list_items' to allow more)");
}

TEST_CASE("limits of an evaluation: just fits, one too many", "[limits]") {
  const Rubric rubric = rubric_of(
      "input xs: list of number\n"
      "type node = { parts: list of node default [] }  input tree: node default {}\n"
      "fn depth(n: node) = 1 + (max(depth(p) for p in n.parts) default 0)\n"
      "output squares = [x * x for x in xs]  output levels = depth(tree)");
  const std::string record = "{\"xs\":[" + listed(1000, [](std::size_t i) { return std::to_string(i); }) + "]}";
  Evaluator evaluator(rubric);
  const std::string verdict(evaluator.score(record).json());
  check_bound(rubric, record, evaluator.statistics().steps, "steps (raise the limit 'steps' to allow more)",
              [](Limits& l, std::size_t n) { l.steps = n; });
  check_bound(rubric, record, verdict.size(), "the verdict takes more than",
              [](Limits& l, std::size_t n) { l.output_bytes = n; });
  std::size_t low = 0, high = Limits().memory_bytes;  // the smallest sufficient memory
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    Limits limits;
    limits.memory_bytes = middle;
    (scored(answer(rubric, record, limits)) ? high : low) = middle;
  }
  CHECK(high >= 1000 * 16);
  CHECK(high < 4 * 1000 * 16);
  check_bound(rubric, record, high, "output 'squares' takes more than",
              [](Limits& l, std::size_t n) { l.memory_bytes = n; });
  const std::string tree = "{\"xs\":[],\"tree\":" + repeat("{\"parts\":[", 20) + repeat("]}", 20) + "}";
  check_bound(rubric, tree, 20, "output 'levels' needs more than 19 calls within each other",
              [](Limits& l, std::size_t n) { l.depth = static_cast<std::uint32_t>(n); });
}

TEST_CASE("limits of a source: just fits, one too many", "[limits]") {
  const std::string text = "rubric t { version \"1\" output x = 1 }";
  CompileOptions options;
  options.limits.source_bytes = text.size();
  CHECK(compile("t.rubric", text, options).rubric);
  const Compiled longer = compile("t.rubric", text + " ", options);
  REQUIRE(longer.diagnostics.size() == 1);
  CHECK(longer.diagnostics[0].code == "E0601");

  // Imports do not bypass the limits.
  const std::string base = "rubric base { version \"1\" }";
  const std::string import = "import \"base.rubric\" rubric t extends base { version \"1\" output x = 1 }";
  std::string given = base;
  options.importer = [&](std::string_view path, std::string_view, std::string& name) -> std::optional<std::string> {
    name = path;
    return given;
  };
  options.limits.source_bytes = import.size();
  CHECK(compile("t.rubric", import, options).rubric);
  given = base + repeat(" ", import.size() - base.size());
  CHECK(compile("t.rubric", import, options).rubric);
  given += " ";
  const Compiled refused = compile("t.rubric", import, options);
  CHECK_FALSE(refused.rubric);
  REQUIRE_FALSE(refused.diagnostics.empty());
  CHECK(refused.diagnostics[0].code == "E0601");
}

TEST_CASE("rubrics that would take all time or memory end with an error", "[limits]") {
  struct Hostile {
    const char* title;
    std::string items;
    const char* what;  // in the message
  };
  const std::string doubled =  // a30 is small in memory and has 2^30 numbers to visit
      "let a0 = [x, x]  " + [] {
        std::string out;
        for (int i = 1; i <= 30; ++i) {
          const std::string before = "a" + std::to_string(i - 1);
          out += "let a" + std::to_string(i) + " = [" + before + ", " + before + "]  ";
        }
        return out;
      }();
  const std::string twin = [&] {
    std::string out = doubled;
    for (std::size_t at = 0; (at = out.find('a', at)) != std::string::npos; ++at) out[at] = 'b';
    return out;
  }();
  const std::vector<Hostile> rubrics{
      {"loop in a loop", "output n = count(1 for a in xs for b in xs for c in xs)", "raise the limit 'steps'"},
      {"a text that doubles", "output t = last([s for a in xs with s = \"ab\" then s + s])",
       "raise the limit 'memory_bytes'"},
      {"a text that doubles, joined", "output t = last([s for a in xs with s = \"ab\" then \"{s}{s}\"])",
       "raise the limit 'memory_bytes'"},
      {"a text of one text many times",
       "let t = join([\"{a}\" for a in xs], \"-\")  output u = join([\"{t}{t}{t}{t}\" for a in xs], \"\")",
       "raise the limit 'memory_bytes'"},
      {"join of one text many times",
       "let t = join([\"{a}\" for a in xs], \"-\")  let ts = [t for a in xs]  output u = join(ts, t)",
       "the verdict takes more"},
      {"a list that doubles", "output n = count(last([s for a in xs with s = [1] then s + s]))",
       "raise the limit 'memory_bytes'"},
      {"a number that squares itself", "output n = last([s for a in xs with s = x + 2 then s * s])", "200000 bits"},
      {"a product of everything", "output n = product(a + 0.37 + x for a in xs for b in xs)",
       "raise the limit 'steps'"},
      {"comparing long numbers",
       "let p = product(a + 1.5 for a in xs)  let q = p + 1 / p\n"
       "output n = count(1 for a in xs for b in xs for c in xs when p < q)",
       "raise the limit 'steps'"},
      {"many long numbers",
       "let p = product(a + 1.5 for a in first(40, xs))  output n = count([p + a / 7 + b / 11 for a in xs for b in "
       "xs])",
       "more"},
      {"comparing long texts",
       "let t = join([\"{a}\" for a in xs for b in first(100, xs)], \"\")  let u = join([\"{a}\" for a in xs for b in "
       "first(100, xs)], \"\")\n"
       "output n = count(1 for a in xs for b in xs when t == u)",
       "raise the limit 'steps'"},
      {"comparing what is shared", doubled + twin + "output n = a30 == b30", "raise the limit 'steps'"},
      {"writing what is shared", doubled + "output n = a30", "the verdict takes more"},
      {"distinct of what is shared",
       doubled + "output n = count(distinct([a30, a30, a30, a30, a30, a30, a30, a30, a30, a30, a30, a30, a30]))",
       "raise the limit 'steps'"},
      {"logarithms of everything", "output n = sum(ln(a + b / 7 + 2) for a in xs for b in xs for c in xs)", "more"},
  };
  const std::string record = "{\"x\":1,\"xs\":[" + listed(1000, [](std::size_t i) { return std::to_string(i); }) + "]}";
  Limits limits;
  limits.steps = 5'000'000;
  limits.memory_bytes = 16 << 20;
  limits.output_bytes = 1 << 20;
  for (const Hostile& hostile : rubrics) {
    INFO(hostile.title);
    const std::string found =
        answer(rubric_of("input x: number  input xs: list of number\n" + hostile.items), record, limits);
    INFO(found.substr(0, 300));
    CHECK(past_limit(found, hostile.what));
  }
}

TEST_CASE("powers beyond reason are missing", "[limits]") {
  const Rubric rubric = rubric_of(
      "input x: number\n"
      "output a = x^x^x^x^x  output b = (x / 3)^(0 - 10^9)  output c = 10^4001  output d = exp(10^6)  output e = "
      "2^0.5");
  const std::string found = answer(rubric, R"({"x": 9})");
  INFO(found);
  CHECK(scored(found));
  for (const char* name : {"a", "c", "d"}) CHECK(found.find(std::string("\"") + name + "\":null") != std::string::npos);
}

TEST_CASE("a tree 60 levels deep and 2,500 nodes wide is within the defaults", "[limits]") {
  const Rubric rubric = rubric_of(
      "type goal = { weight: number >= 0 default 1, met: bool optional, parts: list of goal default [] }  input tree: "
      "goal\n"
      "fn grade(g: goal) = (1 when g.met else 0) when count(g.parts) == 0\n"
      "  else sum(p.weight * grade(p) for p in g.parts) / sum(p.weight for p in g.parts) default 0\n"
      "output total = grade(tree)");
  const std::string wide =
      "{\"parts\":[" +
      listed(2500, [](std::size_t i) { return std::string(i % 2 ? "{\"met\":true}" : "{\"met\":false}"); }) + "]}";
  const std::string found = answer(rubric, "{\"tree\":" + repeat("{\"parts\":[", 47) + wide + repeat("]}", 47) + "}");
  CHECK(found.find("\"total\":0.5") != std::string::npos);
}

TEST_CASE("what is large, and has to stay linear", "[limits]") {
  const std::size_t many = 100'000;
  const auto numbered = [&](const std::function<std::string(std::string)>& one) {
    return listed(many, [&](std::size_t i) { return one(std::to_string(i)); });
  };
  SECTION("a map with 100,000 keys") {
    const Rubric rubric = rubric_of(
        "input m: map of number  output n = count(m)  output s = sum(v for k, v in m)  output last = m[\"k99999\"]");
    const std::string found =
        answer(rubric, "{\"m\":{" + numbered([](const std::string& i) { return "\"k" + i + "\":" + i; }) + "}}");
    CHECK(found.find("\"n\":100000,\"s\":4999950000,\"last\":99999") != std::string::npos);
  }
  SECTION("a set, groups and orders of 100,000 texts") {
    const Rubric rubric = rubric_of(
        "input xs: set of text  output n = count(xs)  output groups = count(group(x: x for x in xs))\n"
        "output d = count(distinct(xs + xs))  output least = first(x for x in xs by lower x)");
    const std::string found =
        answer(rubric, "{\"xs\":[" + numbered([](const std::string& i) { return "\"k" + i + "\""; }) + "]}");
    CHECK(found.find("\"n\":100000,\"groups\":100000,\"d\":100000,\"least\":\"k0\"") != std::string::npos);
  }
  SECTION("deductions by 100,000 names") {
    const Rubric rubric = rubric_of(
        "scale 0..10 decimals 2 dimension q weight 100%  input xs: list of text  deduction \"{x}\" = 0.5 for x in xs  "
        "cap deductions at 2");
    const std::string found =
        answer(rubric, "{\"q\":9,\"xs\":[" + numbered([](const std::string& i) { return "\"k" + i + "\""; }) + "]}");
    CHECK(found.find("\"score\":7") != std::string::npos);
  }
  SECTION("texts of a megabyte") {
    const Rubric rubric = rubric_of(
        "input t: text  output w = count(words(t))  output s = count(split(t, \"a\"))  output g = glob(t, "
        "\"**/*a*a*a*b\")\n"
        "output c = contains(t, \"aaab\")  output l = count(lowercase(trim(t)))");
    const std::string found = answer(rubric, "{\"t\":\"" + repeat("a", std::size_t{1} << 20) + "\"}");
    INFO(found.substr(0, 300));
    CHECK(found.find("\"w\":1,\"s\":1048577,\"g\":false,\"c\":false,\"l\":1048576") != std::string::npos);
  }
}

TEST_CASE("rubrics of 10,000 of everything", "[limits]") {
  const std::size_t many = 10'000;
  const auto each = [&](const std::function<std::string(std::string)>& one) {
    std::string out;
    for (std::size_t i = 0; i < many; ++i) out += one(std::to_string(i)) + "\n";
    return out;
  };
  SECTION("inputs") {
    const Rubric rubric = rubric_of(
        "input " + listed(many, [](std::size_t i) { return "a" + std::to_string(i); }) +
        ": number default 1\noutput s = " +
        listed(100, [](std::size_t i) { return "a" + std::to_string(i * 100); }).replace(0, 0, "sum([") + "])");
    CHECK(answer(rubric, R"({"a100": 3})").find("\"s\":102") != std::string::npos);
  }
  SECTION("dimensions") {
    const Rubric rubric = rubric_of("scale 0..10 decimals 2\n" +
                                    each([](const std::string& i) { return "dimension d" + i + " weight 0.01%"; }));
    std::string record = "{\"id\":\"x\"";
    for (std::size_t i = 0; i < many; ++i) record += ",\"d" + std::to_string(i) + "\":5";
    CHECK(answer(rubric, record + "}").find("\"score\":5") != std::string::npos);
  }
  SECTION("rows") {
    const Rubric rubric =
        rubric_of("input k: text  table t(k) { | k | v |\n" +
                  each([](const std::string& i) { return "| \"k" + i + "\" | " + i + " |"; }) + "}\noutput v = t(k)");
    CHECK(answer(rubric, R"({"k": "k9999"})").find("\"v\":9999") != std::string::npos);
  }
  SECTION("a chain of values, each made of the next") {
    const auto chain = [](std::size_t length, bool forwards) {
      std::string text;
      for (std::size_t i = 0; i < length; ++i) {
        const std::size_t at = forwards ? i : length - 1 - i;
        text += "let a" + std::to_string(at) + " = a" + std::to_string(at + 1) + " + 1\n";
      }
      return compile("chain.rubric", "rubric t { version \"1\" input x: number\n" + text + "let a" +
                                         std::to_string(length) + " = x + 0.5 output y = a0 }");
    };
    for (const bool forwards : {true, false}) {
      const Compiled fits = chain(240, forwards);
      REQUIRE(fits.rubric);
      CHECK(answer(*fits.rubric, R"({"x": 1})").find("\"y\":241.5") != std::string::npos);
      const Compiled beyond = chain(many, forwards);
      CHECK_FALSE(beyond.rubric);
      REQUIRE_FALSE(beyond.diagnostics.empty());
      CHECK(beyond.diagnostics[0].code == "E0111");
    }
  }
  SECTION("16 MB of source, and one byte more") {
    const std::string head = "rubric t { version \"1\" output x = 1 }\n#";
    const std::string text = head + repeat("x", Limits().source_bytes - head.size());
    CHECK(compile("t.rubric", text).rubric);
    CHECK_FALSE(compile("t.rubric", text + "x").rubric);
  }
}
