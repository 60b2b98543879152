// Kernels (lang/kernel/kernel.hpp) against the VM, which is the reference: small rubrics that together use every
// construct that a kernel can express, over the product of the critical values of each. Every way to run a kernel is
// compared. Where a kernel must exist, a missing one is a failure, so that no test passes without a comparison.
#include "runtime/jit/jit.hpp"
#include "runtime/rubric/rubric_impl.hpp"
#include "tests/property/kernel_cases.hpp"
#include "tests/property/register_pair.hpp"

#include "tests/unit/catch.hpp"

#include <algorithm>
#include <set>

using namespace assay;
using namespace assay_tests;

namespace {

using Fix = KernelCase::Fix;

// The fields that a case declares, which a kernel must compute.
std::vector<std::string> asked(const Rubric& rubric) {
  static const std::set<std::string> kNone = {"gates", "dimensions", "deductions", "bonuses", "reason", "degraded",
                                              "flags", "advice",     "rubric",     "version", "caps",   "scoring_hash"};
  std::vector<std::string> out;
  for (const FieldInfo& field : rubric.fields()) {
    if (kNone.count(field.name) == 0) out.push_back(field.name);
  }
  return out;
}

std::vector<std::string> lines_of(const std::vector<RigInput>& inputs, const std::vector<RigRecord>& records) {
  std::vector<std::string> lines;
  for (const RigRecord& record : records) lines.push_back(json_of(inputs, record));
  return lines;
}

// Whether a number is short, as a narrow kernel requires.
bool is_short(const std::string& value) {
  if (value.empty() || (value[0] != '-' && (value[0] < '0' || value[0] > '9'))) return true;
  const std::size_t dot = value.find('.');
  return value.size() < 5 && (dot == std::string::npos || value.size() - dot <= 2);
}

struct Compiled1 {
  std::vector<RigInput> inputs;
  std::optional<Rubric> rubric;
};
Compiled1 compiled(const KernelCase& one) {
  Compiled1 out;
  const std::string text = rubric_of(one, out.inputs);
  const Compiled result = compile("case.rubric", text);
  INFO(text);
  INFO(render(result.diagnostics));
  CHECK(result.rubric);
  out.rubric = result.rubric;
  return out;
}

}  // namespace

TEST_CASE("kernels of small rubrics say what the VM says") {
  for (const KernelCase& one : kernel_cases()) {
    INFO(one.name);
    const Compiled1 c = compiled(one);
    if (!c.rubric) continue;
    KernelRig rig(*c.rubric, asked(*c.rubric));
    const std::vector<RigRecord> records = product_of(c.inputs, 3000);
    const std::vector<std::string> lines = lines_of(c.inputs, records);
    const bool has = rig.learn(lines);
    INFO(rig.why_not());
    CHECK(has == (one.fix != Fix::none));
    if (!has) continue;
    std::size_t taken = 0, scored = 0;
    CHECK(rig.compare_lines(lines, taken, scored) == "");
    if (one.fix == Fix::all) CHECK(taken == scored);  // made for exactly these records
    CHECK(taken > 0);
    CHECK(scored > 0);
    // A narrower kernel, which accepts the short records and leaves the others.
    std::vector<std::string> brief;
    for (const RigRecord& record : records) {
      if (std::all_of(record.begin(), record.end(), is_short)) brief.push_back(json_of(c.inputs, record));
    }
    REQUIRE(rig.learn(brief));
    taken = scored = 0;
    CHECK(rig.compare_lines(lines, taken, scored) == "");
    CHECK(taken > 0);
  }
}

TEST_CASE("columns of small rubrics say what the VM says") {
  std::size_t compared = 0, in_rows = 0, in_vectors = 0;  // of those: by machine code
  for (const KernelCase& one : kernel_cases()) {
    INFO(one.name);
    const Compiled1 c = compiled(one);
    if (!c.rubric) continue;
    const std::vector<RigRecord> records = product_of(c.inputs, 700);
    KernelRig whole(*c.rubric, asked(*c.rubric));
    std::vector<std::string> moving;  // without those that are the same for every record, which vectors do not compute
    if (whole.learn(lines_of(c.inputs, records))) {
      for (std::size_t i = 0; i < whole.fields().size(); ++i) {
        if (whole.kernel().results[i].reg != kNoReg) moving.push_back(whole.fields()[i]);
      }
    }
    const auto compare = [&](KernelRig& rig) {
      for (const RigTypes types : {RigTypes::doubles, RigTypes::longs, RigTypes::words}) {
        INFO((types == RigTypes::doubles ? "doubles" : types == RigTypes::longs ? "longs" : "words"));
        const KernelRig::ColumnsRun run = rig.compare_columns(c.inputs, records, types);
        CHECK(run.difference == "");
        if (!run.difference.empty() || run.fields == 0 || one.fix == Fix::none) continue;
        CHECK(3 * (run.rows - run.slow) >= 2 * run.scored);  // all but a few with many decimals
        ++compared;
        in_rows += run.jit_rows > 0;
        in_vectors += run.jit_vectors > 0;
      }
    };
    compare(whole);
    if (moving.empty() || moving == whole.fields()) continue;
    KernelRig part(*c.rubric, moving);
    compare(part);
  }
  CHECK(compared > 200);
  CAPTURE(compared, in_rows, in_vectors);
  if (JitCode::available()) {
    CHECK(in_rows == compared);
    // Constant results, texts, and fewer rows than a vector has keep the others from it.
    CHECK(in_vectors >= (JitCode::best() == JitCode::Set::baseline ? 0 : 100));
  }
}

TEST_CASE("random shapes of inputs") {
  for (const KernelCase& one : kernel_cases()) {
    if (one.fix == Fix::none) continue;
    INFO(one.name);
    const Compiled1 c = compiled(one);
    if (!c.rubric) continue;
    KernelRig rig(*c.rubric, asked(*c.rubric));
    const std::vector<std::string> lines = lines_of(c.inputs, product_of(c.inputs, 400));
    for (const int decimals : {0, 1, 3, 6, 9}) {
      for (const int bits : {4, 16, 34, 50}) {
        InputBounds shapes;
        for (std::uint32_t slot = 0; slot < 8; ++slot) {
          shapes[{slot}] = {decimals, std::int64_t{1} << bits};
          for (std::uint32_t field = 0; field < 5; ++field) shapes[{slot, field}] = shapes[{slot}];
        }
        if (!rig.make(shapes)) continue;  // too wide
        INFO(decimals << " decimals, " << bits << " bits");
        std::size_t taken = 0, scored = 0;
        CHECK(rig.compare_lines(lines, taken, scored) == "");
      }
    }
  }
}

TEST_CASE("kernels at the limits of their registers") {
  // No kernel is generated for values that may exceed 2^61; below that, and on both sides of 2^30, the extremes are
  // exact.
  const auto rig_of = [](const std::string& body) {
    return KernelRig(known_rubric("limits.rubric", "rubric r {\n  version \"1\"\n" + body + "\n}\n"), {"o"});
  };
  const auto compare = [](KernelRig& rig, const std::vector<std::string>& values) {
    std::vector<std::string> lines;
    for (const std::string& x : values) {
      for (const std::string& y : values) lines.push_back("{\"x\":" + x + ",\"y\":" + y + "}");
    }
    std::size_t taken = 0, scored = 0;
    CHECK(rig.compare_lines(lines, taken, scored) == "");
    return taken == scored;
  };
  const std::string inputs = "input x: whole -1000000000..1000000000 input y: whole -1000000000..1000000000 ";
  const std::vector<std::string> ends = {"-1000000000", "-999999999", "-1", "0", "1", "999999999", "1000000000"};
  KernelRig fits = rig_of(inputs + "output o = 2 * x * y decimals 0");
  REQUIRE(fits.make({}));
  CHECK_FALSE(fits.kernel().narrow);
  CHECK(compare(fits, ends));
  for (const char* body : {"output o = 3 * x * y decimals 0", "output o = x * y * x decimals 0",
                           "output o = x * y / 7 decimals 9", "output o = x * y > 3 * y * x + y / 7"}) {
    INFO(body);
    KernelRig none = rig_of(inputs + body);
    CHECK_FALSE(none.make({}));
    CHECK_FALSE(none.why_not().empty());
  }
  for (const auto& [most, narrow] : {std::pair<const char*, bool>{"1073741823", true}, {"1073741824", false}}) {
    INFO(most);
    const std::string type = std::string("whole 0..") + most;
    KernelRig rig = rig_of("input x: " + type + " input y: " + type + " output o = max(x, y) decimals 0");
    REQUIRE(rig.make({}));
    CHECK(rig.kernel().narrow == narrow);
    CHECK(compare(rig, {"0", "1", "1073741822", "1073741823", most}));
    KernelRig product = rig_of(std::string("input x: whole 0..32767 input y: whole 0..") +
                               (narrow ? "32769" : "32770") + " output o = x * y decimals 0");
    REQUIRE(product.make({}));
    CHECK(product.kernel().narrow == narrow);
    CHECK(compare(product, {"0", "1", "32766", "32767"}));
  }
  // A number that exceeds 64 bits in the VM, too.
  KernelRig big = rig_of(inputs + "output o = x / 1000000007 + y / 998244353 decimals 9");
  if (big.make({})) CHECK(compare(big, ends));
}

TEST_CASE("why there is no kernel is said in the words of the language, with the line") {
  const auto reason_of = [](const std::string& body, Span& where, Compiled& compiled) {
    compiled = compile("why.rubric",
                       "rubric lap \"Lap\" { input seconds: number output points = seconds }\nrubric r \"Why\" {\n"
                       "  input x, y: number 0..10 input s, t: text input xs: list of number input m: map of number\n"
                       "  input parts: list of { size: number 0..10, kind: text } input far: number optional\n  " +
                           body + "\n}\n");
    INFO(render(compiled.diagnostics));
    REQUIRE(compiled.rubric);
    const Rubric::Impl& impl = compiled.rubric->impl();
    KernelRequest request;
    request.model = impl.model.get();
    request.rubric = impl.index();
    for (const VerdictField& field : impl.rubric().verdict.fields) {
      if (field.name != "o") continue;
      request.roots = {field.item};
      request.decimals = {field.decimals};
    }
    std::string why;
    CHECK_FALSE(compile_kernel(request, why, &where));
    return why;
  };
  const std::pair<const char*, const char*> kNeeds[] = {
      {"x ^ 0.5", "a power"},
      {"sqrt(x)", "the function 'sqrt'"},
      {"median([x, y])", "the function 'median'"},
      {"sum(xs)", "'sum' of a list of the record"},
      {"xs[0]", "an item of a list, by its place"},
      {"m.a", "a map"},
      {"\"a\" in m", "a map"},
      {"count(v for v in m)", "a loop over a map"},
      {"sum(v * 2 for v in xs)", "an item of a list of the record"},
      {"sum(v for v in xs)", "a loop over a list of the record"},
      {"first([v for v in xs by higher v])", "a loop in an order, 'by'"},
      {"last([n for v in xs with n = 0 then n + v])", "a loop 'with' a state"},
      {"count(v for v in xs while v > 1)", "a loop with 'while'"},
      {"count(v for p in parts for v in xs)", "a loop with a second 'for'"},
      {"all(p.size > 3 for p in parts)", "an item of a list of the record"},
      {"count(map(p.kind: p.size for p in parts))", "a map made by a loop"},
      {"\"{s}, {x}\"", "a text put together from values"},
      {"s == t", "a comparison of texts of the record"},
      {"s < t", "texts in their order"},
      {"s when x > y else t", "a choice between a text and another"},
      {"x in y..10", "a range whose ends are computed"},
      {"lap({ seconds: x }).points", "the rubric 'lap', applied to a record"},
      {"1 when sqrt(x) > 2 and y > 1 else 0", "the function 'sqrt'"},
      {"x * y + (x - sqrt(y)) * 2", "the function 'sqrt'"},
      {"far * far * far * far * far", "a number that may be too large"},
  };
  for (const auto& [expression, needs] : kNeeds) {
    INFO(expression);
    Span where;
    Compiled compiled;
    CHECK(reason_of(std::string("let a = x + 1\n  output o =\n    ") + expression, where, compiled) ==
          std::string("'o' needs ") + needs);
    CHECK(compiled.rubric->impl().sources.locate(where).line == 7);
  }
  // It is found through names, lists and records.
  Span where;
  Compiled compiled;
  CHECK(reason_of("let a = sqrt(x)\n  let b = { one: a, two: [1, a] }\n  output o = sum(b.two) + y", where, compiled) ==
        "'o' needs the function 'sqrt'");
  CHECK(compiled.rubric->impl().sources.locate(where).line == 5);
  CHECK(reason_of("check sqrt(x) < 4 at x \"Too much\"\n  output o = x", where, compiled) ==
        "a rule needs the function 'sqrt'");
  CHECK(compiled.rubric->impl().sources.locate(where).line == 5);
#if ASSAY_TEST_LUA
  CHECK(
      reason_of(
          "hook weigh(n: number): number 0..1 lua \"\"\"return function(n) return 0.5 end\"\"\"\n  output o = weigh(x)",
          where, compiled) == "'o' needs the hook 'weigh'");
  CHECK(compiled.rubric->impl().sources.locate(where).line == 6);
#endif
  const std::pair<const char*, const char*> kAre[] = {
      {"[x, y]", "a list"}, {"{ a: x, b: y }", "a record"}, {"map(s: x for v in xs)", "a map"}, {"xs", "a list"}};
  for (const auto& [expression, are] : kAre) {
    INFO(expression);
    Span none;
    CHECK(reason_of(std::string("output o = ") + expression, none, compiled) == std::string("'o' is ") + are);
    CHECK(none.begin == none.end);
  }
}

TEST_CASE("weights for which there is no kernel do not leave the kernel of others") {
  const Rubric rubric = known_rubric("weights.rubric",
                                     "rubric r {\n  version \"1\" scale 0..10 decimals 2 weights rescaled\n"
                                     "  dimension a weight 50% dimension b weight 30% dimension c weight 20%\n}\n");
  BatchOptions options;
  options.evaluator.fields = {"id", "score", "composite"};
  Batch batch(rubric, options);
  Evaluator evaluator(rubric, options.evaluator);
  const auto run = [&](const Settings& settings) {
    REQUIRE_FALSE(batch.configure(settings));
    REQUIRE_FALSE(evaluator.configure(settings));
    std::string text, expected, got;
    for (int i = 0; i < 200; ++i) {
      const std::string record = "{\"id\":\"r\",\"a\":" + std::to_string(i % 10) + ".5,\"b\":" + std::to_string(i % 7) +
                                 ",\"c\":" + std::to_string(i % 9) + "}";
      text += record + '\n';
      (expected += evaluator.score(record).json()) += '\n';
    }
    std::size_t at = 0;
    BatchInput input;
    input.read = [&](char* buffer, std::size_t size) {
      const std::size_t n = std::min(size, text.size() - at);
      std::copy_n(text.data() + at, n, buffer);
      at += n;
      return static_cast<long>(n);
    };
    BatchOutput output;
    output.write = [&](std::string_view block) {
      got += block;
      return true;
    };
    const std::uint64_t before = batch.statistics().kernel;
    batch.run(input, output);
    CHECK(got == expected);
    return batch.statistics().kernel - before;
  };
  Settings settings;
  CHECK(run(settings) > 100);
  settings.weights = {{"a", "0.7"}};
  CHECK(run(settings) > 100);
  settings.weights = {{"a", "0.123456789012345678"}};
  CHECK(run(settings) == 0);
  settings.weights = {{"a", "0.25"}};
  CHECK(run(settings) > 100);
  CHECK(run(Settings()) > 100);
}
