// Records without JSON: values set by handle score as the same record in JSON, and errors name their place. Also: after
// the first records, scoring allocates no memory, in both ways.
#include <assay/assay.hpp>

#include "tests/unit/catch.hpp"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#if ASSAY_TEST_SANITIZE
// From the sanitizer's <sanitizer/allocator_interface.h>, which Debian's GCC does not include.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void*, std::size_t),
                                                         void (*freed)(const volatile void*));
#endif

namespace {

std::atomic<std::size_t> allocations{0};

}  // namespace

// Counts every allocation of the process. The address sanitizer replaces these operators itself and has a hook instead.
#if ASSAY_TEST_SANITIZE
namespace {
[[maybe_unused]] const int hooked = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++allocations; }, [](const volatile void*) {});
}
#else
// Not inlined, because GCC would match malloc with delete and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
#endif

using namespace assay;

namespace {

std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Rubric rubric_at(const std::string& path) {
  CompileOptions options;
  options.importer = [](std::string_view wanted, std::string_view from,
                        std::string& name) -> std::optional<std::string> {
    name = (std::filesystem::path(from).parent_path() / std::filesystem::path(wanted)).lexically_normal().string();
    if (!std::filesystem::exists(name)) return std::nullopt;
    return file_text(name);
  };
  Compiled compiled = compile(path, file_text(path), options);
  INFO(render(compiled.diagnostics));
  REQUIRE(compiled.rubric);
  return *compiled.rubric;
}

Rubric workload(const std::string& name) {
  return rubric_at(std::string(ASSAY_SOURCE_DIR) + "/tests/bench/workloads/" + name + ".rubric");
}

InputHandle input(Evaluator& evaluator, std::string_view path) {
  const std::optional<InputHandle> found = evaluator.inputs().find(path);
  INFO(path);
  REQUIRE(found);
  return *found;
}

}  // namespace

TEST_CASE("bound inputs score as the same record in JSON") {
  Evaluator evaluator(workload("judge"));
  Inputs& inputs = evaluator.inputs();
  const char* const names[] = {"correctness", "completeness", "adherence",  "actionability",
                               "efficiency",  "safety",       "consistency"};
  const double values[] = {9.25, 8, 7.5, 6.75, 9.99, 10, 1};
  const std::string_view flags[] = {"a", "b", "a"};
  std::string scores;
  for (std::size_t i = 0; i < 7; ++i) {
    const InputHandle handle = input(evaluator, std::string("scores.") + names[i]);
    if (i % 2 == 0) {
      inputs.set_number(handle, values[i]);
    } else {
      inputs.set_number(handle, static_cast<std::int64_t>(values[i] * 100 + 0.5), 2);
    }
    scores += (i > 0 ? ",\"" : "\"") + std::string(names[i]) + "\":" + nlohmann::json(values[i]).dump();
  }
  inputs.set_text(input(evaluator, "id"), "x");
  inputs.set_texts(input(evaluator, "red_flags"), flags, 3);
  const std::string bound(evaluator.score_inputs().json());
  const Verdict& verdict = evaluator.score_inputs();
  CHECK(verdict.number(*evaluator.field("score")) == verdict.number("score"));
  CHECK(verdict.scaled(*evaluator.field("score"), 2) == std::llround(*verdict.number("score") * 100));
  CHECK(verdict.text(*evaluator.field("grade")) == verdict.text("grade"));
  CHECK(verdict.eligible());
  CHECK(bound == evaluator.score(R"({"id":"x","scores":{)" + scores + R"(},"red_flags":["a","b","a"]})").json());
}

TEST_CASE("bound inputs: what is missing, out of range or of another type") {
  Evaluator evaluator(workload("patch"));
  Inputs& inputs = evaluator.inputs();
  CHECK_FALSE(inputs.find("metrics.unknown"));
  CHECK_FALSE(inputs.find("has_tests.deeper"));
  CHECK_FALSE(evaluator.field("unknown"));
  const auto error = [&] {
    const InputError* problem = evaluator.score_inputs().error();
    return problem == nullptr ? std::string() : problem->path + ": " + problem->code;
  };
  CHECK(error() == "gates: required");
  for (const char* gate : {"applies_cleanly", "paths_allowed", "no_destructive_git", "security_clean"}) {
    inputs.set_bool(input(evaluator, std::string("gates.") + gate), true);
  }
  inputs.set_bool(input(evaluator, "has_tests"), true);
  CHECK(error() == "gates.functional_viable: required");
  inputs.set_bool(input(evaluator, "gates.functional_viable"), true);
  CHECK(error().empty());
  const InputHandle runtime = input(evaluator, "metrics.runtime");
  inputs.set_number(runtime, 1.5);
  CHECK(error() == "metrics.runtime: range");
  CHECK(error().empty());  // reported once; the input is absent
  inputs.set_number(runtime, 15, 1);
  CHECK(error() == "metrics.runtime: range");
  inputs.set_text(runtime, "fast");
  CHECK(error() == "metrics.runtime: type");
  inputs.set_number(runtime, 0.1 + 0.2);  // seventeen digits
  CHECK(error().empty());
  CHECK(evaluator.score_inputs().json("degraded").find("runtime") == std::string_view::npos);
  inputs.set_missing(runtime);
  CHECK(evaluator.score_inputs().json("degraded").find("runtime") != std::string_view::npos);
  inputs.reset();
  CHECK(error() == "gates: required");
}

TEST_CASE("after the first records nothing is allocated") {
  for (const char* name : {"judge", "patch", "plan", "skill_gates", "code"}) {
    const std::string root = ASSAY_SOURCE_DIR;
    Evaluator evaluator(rubric_at(root + "/rubrics/" + name + "/" + name + ".rubric"));
    std::vector<std::string> records;
    std::ifstream cases(root + "/tests/conformance/" + name + "/cases.ndjson");
    for (std::string line; std::getline(cases, line) && records.size() < 40;) {
      const nlohmann::json one = nlohmann::json::parse(line);
      if (one.value("op", "") != "score" || !one.contains("input") || one.contains("history")) continue;
      const std::string record = one["input"].dump();
      if (evaluator.score(record).error() == nullptr) records.push_back(record);
    }
    REQUIRE(records.size() > 3);
    for (const std::string& record : records) evaluator.score(record);
    const std::size_t before = allocations;
    for (const std::string& record : records) evaluator.score(record);
    INFO(name);
    CHECK(allocations - before == 0);
  }
}

TEST_CASE("bound inputs allocate nothing after the first record") {
  Evaluator evaluator(workload("judge"), {{"id", "score", "grade"}, {}});
  Inputs& inputs = evaluator.inputs();
  std::vector<InputHandle> scores;
  for (const char* name :
       {"correctness", "completeness", "adherence", "actionability", "efficiency", "safety", "consistency"}) {
    scores.push_back(input(evaluator, std::string("scores.") + name));
  }
  const InputHandle flags = input(evaluator, "red_flags");
  const FieldHandle score = *evaluator.field("score"), grade = *evaluator.field("grade");
  const std::string_view names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "a"};
  const auto once = [&](int i) {
    for (const InputHandle handle : scores) inputs.set_number(handle, 1 + (i % 900) / 100.0);
    inputs.set_texts(flags, names, static_cast<std::size_t>(i) % std::size(names));
    const Verdict& verdict = evaluator.score_inputs();
    return verdict.number(score).value_or(0) + static_cast<double>(verdict.text(grade).size());
  };
  double total = 0;
  for (int i = 0; i < 20; ++i) total += once(i);
  const std::size_t before = allocations;
  for (int i = 0; i < 1000; ++i) total += once(i);
  CHECK(allocations - before == 0);
  CHECK(total > 0);
}

TEST_CASE("columns allocate nothing after the first rows") {
  constexpr std::size_t kRows = 500, kFlags = 4;
  std::vector<double> scores(kRows), out(kRows);
  std::vector<std::int32_t> counts(kRows);
  std::vector<std::string_view> flags(kRows * kFlags, "a flag");
  std::vector<std::uint8_t> grades(kRows);
  for (std::size_t k = 0; k < kRows; ++k) {
    scores[k] = 1 + static_cast<double>(k * 7 % 900) / 100;
    counts[k] = static_cast<std::int32_t>(k % kFlags);
  }
  scores[77] = 0.1 + 0.2 + 3;  // left to the evaluator
  for (const bool lists : {false, true}) {
    Columns columns(workload("judge"));
    Column column;
    column.data = scores.data();
    for (const char* name :
         {"correctness", "completeness", "adherence", "actionability", "efficiency", "safety", "consistency"}) {
      REQUIRE_FALSE(columns.bind(std::string("scores.") + name, column));
    }
    ListColumn list;
    list.count.data = counts.data();
    list.count.type = ColumnType::i32;
    list.items.data = flags.data();
    list.items.type = ColumnType::text;
    list.items.stride = kFlags * sizeof(std::string_view);
    if (lists) REQUIRE_FALSE(columns.bind_list("red_flags", list));
    REQUIRE_FALSE(columns.write("score", ResultColumn{out.data(), ColumnType::f64}));
    REQUIRE_FALSE(columns.write("grade", ResultColumn{grades.data(), ColumnType::u8}));
    for (int pass = 0; pass < 3; ++pass) REQUIRE_FALSE(columns.score(0, kRows));
    const std::size_t before = allocations;
    bool failed = columns.score(0, kRows).has_value();
    for (std::size_t k = 0; k < kRows; ++k) failed = failed || columns.score(k, k + 1);
    CHECK(allocations - before == 0);
    CHECK_FALSE(failed);
    CHECK(columns.errors().empty());
    CHECK(columns.statistics().kernel > 4 * (kRows - 50));
  }
}

TEST_CASE("a number by handle is the number by name, as it is shown") {
  const Compiled compiled =
      compile("shown.rubric",
              "rubric shown \"Shown\" {\n  input x, y: number\n  output third = x / 3\n"
              "  output rounded = x / 7 decimals 2\n  output coarse = x * 7 decimals 0\n"
              "  output root = sqrt(y)\n  output large = x * 1000000007 / 3\n  output same = x\n}\n");
  INFO(render(compiled.diagnostics));
  REQUIRE(compiled.rubric);
  Evaluator evaluator(*compiled.rubric);
  for (const char* record :
       {R"({"id":"r","x":1,"y":2})", R"({"id":"r","x":-2.5,"y":0.25})", R"({"id":"r","x":1e-15,"y":1e30})",
        R"({"id":"r","x":123456789.123456789,"y":-1})", R"({"id":"r","x":0.1234567890123456789,"y":3})"}) {
    INFO(record);
    const Verdict& verdict = evaluator.score(record);
    REQUIRE(verdict.error() == nullptr);
    for (const char* field : {"third", "rounded", "coarse", "root", "large", "same"}) {
      INFO(field);
      CHECK(verdict.number(*evaluator.field(field)) == verdict.number(field));
    }
  }
  const Verdict& verdict = evaluator.score(R"({"id":"r","x":1,"y":4})");
  CHECK(verdict.number(*evaluator.field("third")) == 0.333333333333);
  CHECK(verdict.scaled(*evaluator.field("third"), 12) == 333333333333);
  CHECK_FALSE(verdict.scaled(*evaluator.field("third"), 11));
  CHECK(verdict.scaled(*evaluator.field("root"), 3) == 2000);
}

TEST_CASE("a field alone is what it is in the whole verdict") {
  for (const char* name : {"judge", "patch", "plan", "code", "skill"}) {
    const std::string root = ASSAY_SOURCE_DIR;
    const Rubric rubric = rubric_at(root + "/rubrics/" + name + "/" + name + ".rubric");
    Evaluator whole(rubric);
    std::vector<std::string> records;
    std::ifstream cases(root + "/tests/conformance/" + name + "/cases.ndjson");
    for (std::string line; std::getline(cases, line) && records.size() < 60;) {
      const nlohmann::json one = nlohmann::json::parse(line);
      if (one.contains("input")) records.push_back(one["input"].dump());
    }
    for (const FieldInfo& field : rubric.fields()) {
      if (field.name == "rubric" || field.name == "version" || field.name == "scoring_hash") continue;
      Evaluator alone(rubric, {{field.name}, {}});
      REQUIRE_FALSE(alone.error());
      for (const std::string& record : records) {
        if (whole.score(record).error() != nullptr) continue;
        const std::string expected(whole.score(record).json(field.name));
        const std::string got(alone.score(record).json(field.name));
        if (got == expected) continue;
        INFO(name << ' ' << field.name << ' ' << record);
        CHECK(got == expected);
      }
    }
  }
}

TEST_CASE("a text among many choices is found, and no other") {
  std::string choices;
  for (int i = 0; i < 300; ++i) choices += (i > 0 ? ", \"t" : "\"t") + std::to_string(i * i) + "\"";
  const assay::Compiled compiled =
      assay::compile("many.rubric", "rubric many { input k: one of (" + choices + ")\n input ks: set of one of (" +
                                        choices + ") default []\n output same = k\n output several = count(ks) }");
  INFO(assay::render(compiled.diagnostics));
  REQUIRE(compiled.rubric);
  assay::Evaluator evaluator(*compiled.rubric);
  assay::Inputs& inputs = evaluator.inputs();
  const assay::InputHandle k = *inputs.find("k"), ks = *inputs.find("ks");
  for (int i = 0; i < 600; ++i) {
    const int root = i * i % 1000;
    const std::string text = "t" + std::to_string(root);
    bool known = false;
    for (int j = 0; j < 300; ++j) known = known || j * j == root;
    for (const char* spelled : {"t", "\\u0074"}) {  // the reader of plain records, and the complete one
      const assay::Verdict& verdict =
          evaluator.score("{\"k\":\"" + (spelled + text.substr(1)) + "\",\"ks\":[\"" + text + "\",\"t4\"]}");
      REQUIRE((verdict.error() == nullptr) == known);
      if (known) CHECK(verdict.text("same") == text);
    }
    inputs.set_text(k, text);
    inputs.set_texts(ks, nullptr, 0);
    REQUIRE((evaluator.score_inputs().error() == nullptr) == known);
    const std::string_view both[] = {"t0", text};
    inputs.set_text(k, "t1");
    inputs.set_texts(ks, both, 2);
    REQUIRE((evaluator.score_inputs().error() == nullptr) == known);
  }
}

TEST_CASE("what is wrong with a bound input is said as for the same record in JSON") {
  const Compiled compiled = compile(
      "b.rubric",
      R"(rubric b { input x: number 0..10 optional input s: one of ("u", "v") optional output y = x output t = s })");
  REQUIRE(compiled.rubric);
  Evaluator evaluator(*compiled.rubric);
  const auto message = [](const Verdict& verdict) {
    REQUIRE(verdict.error());
    return verdict.error()->message;
  };
  const auto same = [&](const char* json) {
    const std::string bound = message(evaluator.score_inputs());
    CHECK(bound == message(evaluator.score(json)));
    evaluator.inputs().reset();
  };
  const InputHandle x = input(evaluator, "x"), s = input(evaluator, "s");
  evaluator.inputs().set_number(x, -3, 0);
  same(R"({"x": -3})");
  evaluator.inputs().set_number(x, 1050, 2);
  same(R"({"x": 10.5})");
  evaluator.inputs().set_number(x, INT64_MAX, 1);
  same(R"({"x": 922337203685477580.7})");
  evaluator.inputs().set_number(x, 10.25);
  same(R"({"x": 10.25})");
  evaluator.inputs().set_text(s, "hello");
  same(R"({"s": "hello"})");
}
