// Attacks on the sandbox of hooks: each tests/hooks/attacks/*.lua defines a function `attack` and says in its first
// line what has to come of it: "limit", "error" or "returns VALUE". Usage: assay-attacks FOLDER
//
// Each runs in a fresh state, twice, with a harmless hook before, between and after. What is checked: how it ends, the
// same way both times and at the same cost; that the harmless hook gives what it gave before; that memory stays within
// the limit, as a count of bytes; and that it takes no more than a generous multiple of what a plain loop takes that
// uses up the same steps, in the same run.
#include "runtime/hooks/hooks.hpp"
#include "runtime/hooks/lua/lua_host.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;
using namespace assay;

namespace {

constexpr double kRatio = 60;                         // maximum ratio to a plain loop, in processor time
constexpr std::size_t kState = std::size_t{4} << 20;  // bytes besides those of the limit: the state, and the file's own

constexpr const char* kRubric = R"(rubric attacked "Attacked" {
  hook attack(): number from "attack.lua"
  hook harmless(a: number): text lua """
    local state = {seen = {}}
    return function(a)
      local keys = {}
      for k, v in pairs({b = 1, a = 2, [1] = 3}) do keys[#keys + 1] = tostring(k) end
      return table.concat(keys, " ") .. ("%d %s"):format(math.floor(a), ("x"):upper():rep(3)) .. #state.seen .. tostring(leaked)
    end
  """
  output x = attack()
  output y = harmless(1)
}
)";

constexpr const char* kLoop = "-- : limit\nfunction attack() local n = 0 while true do n = n + 1 end end\n";

struct Outcome {
  std::string compile;  // diagnostics
  std::string first, second;
  std::string harmless[3];
  std::uint64_t steps[2] = {};
  double seconds = 0;
  std::size_t peak = 0;
};

Limits limits() {
  Limits result;
  result.hook_steps = 2'000'000;
  result.hook_memory_bytes = std::size_t{16} << 20;
  return result;
}

std::string show(const Model& model, int hook, bool good, const Value& value, const RunError& error) {
  if (!good) return error.code == "limit" ? "limit" : "error";
  std::string text = "returns ";
  if (model.types.kind(model.hooks[static_cast<std::size_t>(hook)].result) == TypeKind::text)
    return text.append(value.text.view());
  write_exact(value.number, text);
  return text;
}

Outcome attack(const std::string& source, std::string* message) {
  Outcome outcome;
  CompileOptions options;
  options.limits = limits();
  options.importer = [&](std::string_view path, std::string_view, std::string& name) -> std::optional<std::string> {
    name = path;
    return source;
  };
  const Compiled compiled = compile("attacked.rubric", kRubric, options);
  outcome.compile = render(compiled.diagnostics);
  if (!compiled.rubric) return outcome;
  const Model& model = *compiled.rubric->impl().model;
  LuaHost host(compiled.rubric->impl().hooks->lua, options.limits, &model);
  Arena arena;
  const auto call = [&](int hook) {
    Value argument = make_number(whole(1)), value;
    RunError error;
    host.begin();
    const bool good = host.call(model, hook, &argument, value, arena, error);
    if (message && hook == 0) *message = error.message;
    return show(model, hook, good, value, error);
  };
  const std::clock_t begin = std::clock();  // processor time: other processes do not matter
  outcome.harmless[0] = call(1);
  outcome.first = call(0);
  outcome.steps[0] = host.steps();
  outcome.harmless[1] = call(1);
  outcome.second = call(0);
  outcome.steps[1] = host.steps();
  outcome.harmless[2] = call(1);
  outcome.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  outcome.peak = host.peak_memory();
  return outcome;
}

bool expect(bool good, const fs::path& file, const std::string& what) {
  if (!good) std::printf("%s: %s\n", file.filename().c_str(), what.c_str());
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(argv[1])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  int failures = 0;
  double worst = 0;
  std::string worst_name;
  const double plain = attack(kLoop, nullptr).seconds;
  for (const fs::path& file : files) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    const std::string source = text.str();
    const std::string line = source.substr(0, source.find('\n'));
    const std::string expected = line.substr(line.rfind(": ") + 2);
    std::string message;
    const Outcome outcome = attack(source, &message);
    // What is over the bound is measured again beside the loop: a busy machine slows one of the two, not both each
    // time.
    double ratio = outcome.seconds / plain;
    for (int again = 0; again < 5 && ratio > kRatio; ++again) {
      const double loop = attack(kLoop, nullptr).seconds;
      ratio = std::min(ratio, attack(source, nullptr).seconds / loop);
    }
    bool good = expect(outcome.compile.empty(), file, outcome.compile);
    if (good) {
      good = expect(outcome.first == expected, file,
                    "gives '" + outcome.first + "' instead of '" + expected + "': " + message);
      good &=
          expect(outcome.second == outcome.first, file, "gives '" + outcome.second + "' the second time: " + message);
      good &= expect(outcome.steps[0] == outcome.steps[1], file,
                     "costs " + std::to_string(outcome.steps[0]) + " steps, then " + std::to_string(outcome.steps[1]));
      good &= expect(outcome.harmless[0] == "returns 1 a b1 XXX0nil", file, "before: " + outcome.harmless[0]);
      good &= expect(outcome.harmless[1] == outcome.harmless[0] && outcome.harmless[2] == outcome.harmless[0], file,
                     "changed the other hook: " + outcome.harmless[1] + ", " + outcome.harmless[2]);
      good &= expect(outcome.peak <= limits().hook_memory_bytes + kState, file,
                     "held " + std::to_string(outcome.peak) + " bytes");
      good &= expect(ratio <= kRatio, file, "took " + std::to_string(ratio) + " times as long as a plain loop");
    }
    if (ratio > worst) {
      worst = ratio;
      worst_name = file.filename();
    }
    if (!good) ++failures;
    std::fflush(stdout);
  }
  std::printf("%zu attacks, %d not contained; the slowest took %.1f times as long as a plain loop (%s)\n", files.size(),
              failures, worst, worst_name.c_str());
  return failures == 0 && files.size() >= 60 ? 0 : 1;
}
