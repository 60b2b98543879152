// Hooks: values in both directions, limits with values that just fit and that are one too large, state between calls,
// host hooks, and hosts that forbid Lua.
#include "tests/unit/catch.hpp"

#include <assay/assay.hpp>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace assay;

namespace {

std::string quoted(const std::string& lua) { return " lua \"\"\"" + lua + "\"\"\"\n"; }

Compiled compiled(const std::string& body, const CompileOptions& options = {}) {
  return compile("test.rubric", "rubric test {\n" + body + "\n}\n", options);
}

// What `output y = …` gives for a record, or "code: message".
std::string result(const std::string& body, const std::string& record = "{}", const Limits& limits = {}) {
  const Compiled c = compiled(body);
  if (!c.rubric) return render(c.diagnostics);
  EvaluatorOptions options;
  options.fields = {"y"};
  options.limits = limits;
  Evaluator evaluator(*c.rubric, options);
  const Verdict& verdict = evaluator.score(record);
  if (const InputError* error = verdict.error()) return error->code + ": " + error->message;
  return std::string(verdict.json("y"));
}

std::string hook(const std::string& type, const std::string& lua) {
  return "hook f(): " + type + quoted("function f() " + lua + " end") + "output y = f()";
}

}  // namespace

#if ASSAY_TEST_LUA

TEST_CASE("values come back as they are declared") {
  CHECK(result(hook("number", "return 3")) == "3");
  CHECK(result(hook("number", "return 0.1")) == "0.1");
  CHECK(result(hook("number", "return math.mininteger")) == "-9223372036854775808");
  CHECK(result(hook("number", "return 2^53")) == "9007199254740992");
  CHECK(result(hook("whole", "return 3.0")) == "3");
  CHECK(result(hook("bool", "return 1 < 2")) == "true");
  CHECK(result(hook("text", "return 'é'")) == "\"é\"");
  CHECK(result(hook("list of number", "return {1, 2, 3}")) == "[1,2,3]");
  CHECK(result(hook("set of text", "return {'a', 'b', 'a'}")) == "[\"a\",\"b\"]");
  CHECK(result(hook("map of number", "return {b = 1, a = 2}")) == "{\"a\":2,\"b\":1}");
  CHECK(result("type r = { a: number, b: text optional, c: list of r default [] }\n" +
               hook("r", "return {a = 1, c = {{a = 2}}}")) ==
        "{\"a\":1,\"b\":null,\"c\":[{\"a\":2,\"b\":null,\"c\":[]}]}");
}

TEST_CASE("what does not fit is an error of that record with the hook and its line") {
  const auto refused = [](const std::string& type, const std::string& lua, const std::string& found) {
    CHECK(result(hook(type, lua)) == "hook: hook 'f' (test.rubric:2) returned " + found);
  };
  refused("number", "return", "nil instead of number");
  refused("number", "return 0/0", "NaN instead of number");
  refused("number", "return 1/0", "inf instead of number");
  refused("number", "return '1'", "the text \"1\" instead of number");
  refused("number 0..1", "return 1.5", "1.5 instead of number 0..1");
  refused("whole", "return 1.5", "1.5 instead of whole");
  refused("text", "return 1", "1 instead of text");
  refused("text", "return '\\xff'", "a text that is not UTF-8 instead of text");
  refused("one of (\"a\", \"b\")", "return 'c'", "the text \"c\" instead of one of (\"a\", \"b\")");
  refused("bool", "return 1", "1 instead of bool");
  refused("list of number", "return {1, nil, 3}", "a table instead of list of number (its keys are not 1, 2, 3 …)");
  refused("list of number", "return {1, 'x'}", "the text \"x\" in [1] instead of number");
  refused("list of number", "return {a = 1}", "a table instead of list of number (its keys are not 1, 2, 3 …)");
  refused("{ a: number }", "return {}", "nil in a instead of number");
  refused("{ a: number }", "return {a = 1, b = 2}", "a table instead of { a: number } (it has other fields, too)");
  CHECK(result(hook("number", "error('no')")) == "hook: hook 'f' failed: test.rubric:2: no");
  CHECK(result("type r = { c: list of r default [] }\n" + hook("r", "local t = {} t.c = {t} return t"))
            .find("nested so deep") != std::string::npos);
}

TEST_CASE("arguments arrive by value, and a missing one is not passed at all") {
  const std::string body =
      "type r = { a: number, b: text optional }\n"
      "input n: number\ninput t: text\ninput l: list of number\ninput q: r\ninput o: number optional\n"
      "hook f(n: number, t: text, l: list of number, q: r): text" +
      quoted("return function(n, t, l, q) l[1] = 9 return math.type(n) .. t .. #l .. q.a .. tostring(q.b) end") +
      "hook g(o: number): number" + quoted("return function(o) return 1 end");
  const std::string record = R"("t": "x", "l": [1, 2], "q": {"a": 5}})";
  CHECK(result(body + "output y = f(n, t, l, q)", R"({"n": 2.0, )" + record) == "\"integerx25nil\"");
  CHECK(result(body + "output y = f(n, t, l, q)", R"({"n": 2.5, )" + record) == "\"floatx25nil\"");
  CHECK(result(body + "output y = g(o) default 7", R"({"n": 1, )" + record) == "7");
}

namespace {

// The smallest limit with which the hook runs; one less is an error with the code "limit".
template <class Set>
void exact_limit(const std::string& body, Set set, std::uint64_t low, std::uint64_t high) {
  const auto fits = [&](std::uint64_t n) {
    Limits limits;
    set(limits, n);
    const std::string y = result(body, "{}", limits);
    const bool good = y == "1";
    if (!good) CHECK(y.compare(0, 7, "limit: ") == 0);
    return good;
  };
  REQUIRE(fits(high));
  REQUIRE(!fits(low));
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (fits(middle) ? high : low) = middle;
  }
  CHECK(fits(high));
  CHECK(!fits(high - 1));
}

}  // namespace

TEST_CASE("each limit has a value that just fits") {
  exact_limit(
      hook("number", "local n = 0 for i = 1, 5000 do n = n + i end return 1"),
      [](Limits& l, std::uint64_t n) { l.hook_steps = n; }, 100, 100'000);
  exact_limit(
      hook("number", "local t = {} for i = 1, 1000 do t[i] = {} end return 1"),
      [](Limits& l, std::uint64_t n) { l.hook_memory_bytes = n; }, 1000, 1'000'000);
  const std::string deep =
      hook("number", "local function g(n) if n > 0 then return (g(n - 1)) end return 1 end return g(18)");
  exact_limit(
      deep, [](Limits& l, std::uint64_t n) { l.hook_depth = static_cast<std::uint32_t>(n); }, 1, 100);
  Limits limits;
  limits.hook_depth = 19;  // g(18) … g(0); f calls g instead of itself
  CHECK(result(deep, "{}", limits) == "1");
  limits.hook_depth = 18;
  CHECK(result(deep, "{}", limits).find("nests more than 18 calls") != std::string::npos);
}

TEST_CASE("a function that needs no counting keeps to the limits of one that does") {
  // Straight code, and code with a loop that runs once: the same results at every limit.
  const auto with = [](const std::string& function, std::uint64_t steps, std::uint32_t depth) {
    Limits limits;
    limits.hook_steps = steps;
    limits.hook_depth = depth;
    return result(
        "hook f(a: number): number" + quoted("return function(a) " + function + " end") + "output y = f(3) + f(4)",
        "{}", limits);
  };
  const std::string straight = "if a > 3 then a = a * 2 else a = a + 1 end return a / 2";
  const std::string counted = "for _ = 1, 1 do if a > 3 then a = a * 2 else a = a + 1 end end return a / 2";
  for (const std::string& function : {straight, counted}) {
    CHECK(with(function, 1000, 150) == "6");
    CHECK(with(function, 39, 150).find("more than 39 steps of Lua") != std::string::npos);  // 20 for each call
    CHECK(with(function, 41, 150).find("more than 41 steps of Lua") != std::string::npos);
    CHECK(with(function, 1000, 0).find("nests more than 0 calls") != std::string::npos);
  }
  CHECK(with("local b = a + nil return b", 1000, 150).find("attempt to perform arithmetic on a nil value") !=
        std::string::npos);
  // A counted function leaves no state behind for an uncounted one, and vice versa.
  CHECK(result("hook f(a: number): number" + quoted("return function(a) return a + 1 end") +
               "hook g(a: number): number" + quoted("return function(a) while a > 0 do a = a + 1 end return a end") +
               "output y = f(1) + g(0) + f(2) + g(-1)") == "4");
  CHECK(result("hook f(a: number): number" + quoted("return function(a) return a + 1 end") +
               "hook g(a: number): number" + quoted("return function(a) while a > 0 do a = a + 1 end return a end") +
               "output y = f(1) + g(1)")
            .compare(0, 6, "limit:") == 0);
}

TEST_CASE("nothing stays from one call to the next") {
  const std::string body =
      "hook f(): number" + quoted("local n = 0\nreturn function() n = n + 1 return n end") + "output y = f() + f()";
  CHECK(result(body) == "2");
  CHECK(result("hook f(): number" + quoted("local cache = {}\nreturn function() cache.x = 1 return 1 end") +
               "output y = f()")
            .find("constant") != std::string::npos);
}

TEST_CASE("an object made while the file is loaded works as one") {
  CHECK(result("hook f(): text" + quoted(R"(
    local Point = {} Point.__index = Point
    function Point.new(x, y) return setmetatable({x = x, y = y}, Point) end
    Point.__add = function(a, b) return Point.new(a.x + b.x, a.y + b.y) end
    Point.__tostring = function(p) return p.x .. "," .. p.y end
    local origin = Point.new(1, 2)
    local list = {3, 1, 2}
    local lazy = setmetatable({}, {__index = function(t, k) return k .. "!" end, __call = function(self, x) return x end})
    function f()
      local sum, n = origin + Point.new(1, 1), 0
      for i, v in ipairs(list) do n = n * 10 + v end
      for k, v in pairs(list) do n = n * 10 + k end
      return tostring(sum) .. " " .. n .. " " .. #list .. lazy.a .. lazy(4) .. tostring(getmetatable(origin) == Point) ..
        table.concat(list, "-") .. select("#", table.unpack(list)) .. tostring(rawget(list, 1)) .. tostring(next(list))
    end
  )") + "output y = f()") == "\"2,3 312123 3a!4true3-1-2331\"");
}

TEST_CASE("numeric loops refuse texts and count as in Lua") {
  CHECK(result(hook("number", "local n = 0 for i = 10, 1, -3 do n = n * 10 + i end return n")) == "10741");
  CHECK(result(hook("number",
                    "local n = 0 for i = (function() for j = 1, 2 do n = n + j end return 1 end)(), #{1, 2, (3)} --[[ "
                    ", do ]] do n = n + i end return n")) == "9");
  CHECK(result(hook("number", "for i = 1, '2' do end return 1")).find("arithmetic on a string value") !=
        std::string::npos);
  CHECK(result(hook("number",
                    "local n = 0 for _, v in ipairs({1, 2}) do for x = v, v do n = n + x end end return n")) == "3");
}

TEST_CASE("threads have a state each") {
  const Compiled c = compiled("input n: number\nhook f(n: number): number" +
                              quoted("return function(n) local s = 0 for i = 1, 100 do s = s + n end return s end") +
                              "output y = f(n)");
  REQUIRE(c.rubric);
  std::vector<int> good(4, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Evaluator evaluator(*c.rubric);
      for (int i = 0; i < 50; ++i) {
        good[static_cast<std::size_t>(t)] +=
            evaluator.score("{\"n\": " + std::to_string(t) + "}").number("y") == t * 100;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(good == std::vector<int>{50, 50, 50, 50});
}

TEST_CASE("the arguments of a hook of the host count by items and bytes") {
  CompileOptions options;
  options.hooks["h"] = [](const std::vector<HookValue>&) { return HookValue(1.0); };
  const Compiled c = compiled("input t: text\nhook h(t: text): number from \"host:h\"\noutput y = h(t)", options);
  REQUIRE(c.rubric);
  Evaluator evaluator(*c.rubric);
  const auto steps = [&](std::size_t size) {
    const std::uint64_t before = evaluator.statistics().steps;
    CHECK(evaluator.score("{\"t\":\"" + std::string(size, 'x') + "\"}").number("y") == 1);
    return evaluator.statistics().steps - before;
  };
  CHECK(steps(64'064) == steps(64) + 1000);
}

TEST_CASE("a file of Lua may require others, and the standard library") {
  CompileOptions options;
  options.importer = [](std::string_view path, std::string_view, std::string& name) -> std::optional<std::string> {
    name = path;
    if (path == "f.lua")
      return "local m = require 'm'\nfunction f() return m.twice(4) end\nfunction g() return m.twice(5) end";
    if (path == "m.lua") return "return { twice = function(n) return 2 * n end }";
    if (path == "bad.lua") return "require 'absent'";
    if (path == "self.lua") return "require 'self'";
    return std::nullopt;
  };
  const Compiled c =
      compiled("hook f(): number from \"f.lua\"\nhook g(): number from \"f.lua\"\noutput y = f() + g()", options);
  REQUIRE(c.rubric);
  Evaluator evaluator(*c.rubric);
  CHECK(evaluator.score("{}").number("y") == 18);
  CHECK(render(compiled("hook f(): number from \"bad.lua\"\noutput y = f()", options).diagnostics)
            .find("cannot read 'absent.lua'") != std::string::npos);
  CHECK(render(compiled("hook f(): number from \"self.lua\"\noutput y = f()", options).diagnostics)
            .find("requires itself") != std::string::npos);
}

TEST_CASE("a module is the same for all files that require it, whichever comes first") {
  CompileOptions options;
  options.importer = [](std::string_view path, std::string_view, std::string& name) -> std::optional<std::string> {
    name = path;
    if (path == "m.lua")
      return "local n = 0\nlocal t = {x = 1}\nreturn { t = t, count = function() n = n + 1 return n end }";
    if (path == "a.lua") {
      return "local m = require 'm'\nlocal good = pcall(function() m.t.x = 2 end)\nm.count() m.count()\n"
             "function f() return m.count() * 10 + m.t.x + (good and 100 or 0) end";
    }
    if (path == "b.lua") {
      return "local m = require 'm'\nlocal seen = m.count()\n"
             "function g() return m.count() * 10 + m.t.x + 1000 * seen end";
    }
    return std::nullopt;
  };
  const std::string a = "hook f(): number from \"a.lua\"\n", b = "hook g(): number from \"b.lua\"\n";
  for (const std::string& hooks : {a + b, b + a}) {
    const Compiled c = compiled(hooks + "output y = f() * 10000 + g()", options);
    REQUIRE(c.rubric);
    Evaluator evaluator(*c.rubric);
    CHECK(evaluator.score("{}").number("y") == 111011);
  }
}

TEST_CASE("what a limit ends is told by a state, not by a text") {
  CHECK(result(hook("number", "error('stack overflow')")).compare(0, 6, "hook: ") == 0);
  CHECK(result(hook("number", "return pcall(error, 'stack overflow') and 1 or 2")) == "2");
}

TEST_CASE("a result is bounded before it is copied") {
  Limits limits;
  limits.hook_memory_bytes = 8'000'000;
  CHECK(result(hook("list of text", "local t, s = {}, ('x'):rep(1000000) for i = 1, 3000 do t[i] = s end return t"),
               "{}", limits) ==
        "limit: hook 'f' takes more than 8000000 bytes (raise the limit 'hook_memory_bytes' to allow more)");
}

TEST_CASE("a call is cancelled, and the next one works") {
  const Compiled c =
      compiled("input n: number\nhook f(n: number): number" +
               quoted("return function(n) while n > 0 do pcall(error, 'x') end return 1 end") + "output y = f(n)");
  REQUIRE(c.rubric);
  Interrupt interrupt;
  EvaluatorOptions options;
  options.interrupt = &interrupt;
  options.limits.hook_steps = UINT64_MAX / 2;
  interrupt.cancel();
  Evaluator evaluator(*c.rubric, options);  // its hooks cannot be loaded yet
  for (int round = 0; round < 2; ++round) {
    interrupt.clear();
    CHECK(evaluator.score("{\"n\": 0}").number("y") == 1);
    interrupt.set_deadline(Interrupt::Clock::now() + std::chrono::milliseconds(5));
    const Verdict& late = evaluator.score("{\"n\": 1}");
    REQUIRE(late.error());
    CHECK(late.error()->code == "timeout");
  }
}

TEST_CASE("what Lua's compiler or its messages would take too long for is refused") {
  std::string row = "local x = {} x.a = x return x", jumps = "local n = 1\nif n == 0 then return 1\n";
  for (int i = 0; i < 100'000; ++i) row += ".a";
  for (int i = 0; i < 20'000; ++i) jumps += "elseif n == 2 then return 2\n";
  CHECK(result(hook("number", row + ".b.c")).find("more than 1000 fields in a row") != std::string::npos);
  CHECK(result(hook("number", jumps + "end return 1")).find("more than 10000 jumps") != std::string::npos);
}

TEST_CASE("a host may forbid Lua") {
  CompileOptions options;
  options.lua = false;
  const Compiled c = compiled(hook("number", "return 1"), options);
  CHECK(!c.rubric);
  CHECK(render(c.diagnostics).find("this host runs no Lua") != std::string::npos);
}

#else

TEST_CASE("a build without Lua says so") {
  CHECK(result(hook("number", "return 1"))
            .find("the hook 'f' is written in Lua, and this build of the library has no Lua") != std::string::npos);
  CHECK(result("hook f(): number from \"std/efficiency.lua\"\noutput y = f()").find("has no Lua") != std::string::npos);
  CHECK(result("output y = 1") == "1");
}

#endif

TEST_CASE("the host supplies hooks in C++") {
  CompileOptions options;
  options.lua = false;
  options.hooks["mine"] = [](const std::vector<HookValue>& args) {
    return HookValue(args[0].number + static_cast<double>(args[1].items.size()));
  };
  options.hooks["out"] = [](const std::vector<HookValue>&) { return HookValue(2.5); };
  options.hooks["bad"] = [](const std::vector<HookValue>&) { return HookValue::error("no luck"); };
  const std::string body =
      "input n: number\nhook mine(n: number, l: list of text): number from \"host:mine\"\n"
      "hook out(): number 0..1 from \"host:out\"\nhook bad(): number" +
      quoted("never compiled") + "output y = ";
  const auto run = [&](const std::string& expression) {
    const Compiled c = compiled(body + expression, options);
    REQUIRE(c.rubric);
    Evaluator evaluator(*c.rubric);
    const Verdict& verdict = evaluator.score(R"({"n": 0.5})");
    return verdict.error() ? verdict.error()->code + ": " + verdict.error()->message : std::string(verdict.json("y"));
  };
  CHECK(run("mine(n, [\"a\", \"b\"])") == "2.5");
  CHECK(run("out()") == "hook: hook 'out' (of the host) returned the number 2.5 instead of number 0..1");
  CHECK(run("bad()") == "hook: hook 'bad' failed: no luck");
  options.hooks["first"] = [](const std::vector<HookValue>& args) {
    return args[0].kind == HookValue::Kind::missing ? args[1] : args[0];
  };
  const std::string any_of =
      "input o: number optional\nhook first(a, b: number optional): number optional from \"host:first\"\n"
      "hook strict(a, b: number optional): number from \"host:first\"\noutput y = ";
  const auto chosen = [&](const std::string& expression) {
    const Compiled c = compiled(any_of + expression, options);
    REQUIRE(c.rubric);
    Evaluator evaluator(*c.rubric);
    const Verdict& verdict = evaluator.score("{}");
    return verdict.error() ? verdict.error()->code + ": " + verdict.error()->message : std::string(verdict.json("y"));
  };
  CHECK(chosen("first(o, 2)") == "2");
  CHECK(chosen("first(o, o)") == "null");
  CHECK(chosen("first(o, o) is missing") == "true");
  CHECK(chosen("strict(o, o)") == "hook: hook 'strict' (of the host) returned missing instead of number");
  CHECK(render(compiled("hook f(): number from \"host:other\"\noutput y = f()", options).diagnostics)
            .find("supplies no hook 'other'") != std::string::npos);
}
