// Measures the cost of a hook call with two numbers in and one out, as a ratio to a bare lua_pcall of the same function
// with the same numbers in the same run. The hook includes the whole boundary: exact numbers in, metering, checks, an
// exact number out. The first function needs no step counting, as its bytecode shows
// (runtime/hooks/lua/lua_straight.cpp); the last two are counted. Both are measured alternately in many short rounds.
// The ratio is that of the medians, so that a busy machine, which slows both, hardly changes it. Needs a build with
// Lua. docs/performance.md has the figures.
#include "runtime/hooks/hooks.hpp"
#include "runtime/hooks/lua/lua_host.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <lua.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr const char* kFunction = "return function(a, b) if b > a then a, b = b, a end return a * 2 - b end";
constexpr const char* kCalling = "return function(a, b) return math.max(a, b) * 2 - math.min(a, b) end";
constexpr const char* kLooping = "return function(a, b) for i = 1, 20 do a = a * 0.5 + b end return a end";
constexpr int kRounds = 401;
constexpr int kCalls = 2000;

[[noreturn]] void fail(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(2);
}

class Bare {
 public:
  explicit Bare(const char* function) : L_(luaL_newstate()) {
    luaL_openlibs(L_);
    if (luaL_dostring(L_, function) != LUA_OK) fail(lua_tostring(L_, -1));
  }
  ~Bare() { lua_close(L_); }
  Bare(const Bare&) = delete;
  Bare& operator=(const Bare&) = delete;

  double call(double a, double b, bool whole) {
    lua_pushvalue(L_, 1);
    if (whole) {
      lua_pushinteger(L_, static_cast<lua_Integer>(a));
      lua_pushinteger(L_, static_cast<lua_Integer>(b));
    } else {
      lua_pushnumber(L_, a);
      lua_pushnumber(L_, b);
    }
    if (lua_pcall(L_, 2, 1, 0) != LUA_OK) fail("the function failed");
    const double result = lua_tonumber(L_, -1);
    lua_pop(L_, 1);
    return result;
  }

 private:
  lua_State* L_;
};

class Hook {
 public:
  explicit Hook(const std::string& function) {
    const std::string rubric =
        R"(rubric r { hook f(a: number, b: number): number lua """)" + function + R"(""" output y = f(1, 2) })";
    compiled_ = assay::compile("bench.rubric", rubric);
    if (!compiled_.rubric) fail(assay::render(compiled_.diagnostics));
    assay::Limits limits;
    limits.hook_steps = UINT64_MAX / 2;  // all calls belong to one evaluation
    host_ = std::make_unique<assay::LuaHost>(impl().hooks->lua, limits, impl().model.get());
  }

  assay::Number call(const assay::Value* args) {
    assay::Value result;
    assay::RunError error;
    if (!host_->call(*impl().model, 0, args, result, arena_, error)) fail(error.message);
    return result.number;
  }
  assay::NumberPool& numbers() { return arena_.numbers(); }

 private:
  const assay::Rubric::Impl& impl() const { return compiled_.rubric->impl(); }
  assay::Compiled compiled_;
  assay::Arena arena_;
  std::unique_ptr<assay::LuaHost> host_;
};

template <class Call>
double nanoseconds(Call call) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) call();
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
  return time.count() / kCalls;
}

double median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void measure(const char* what, const char* function, const char* a, const char* b) {
  Bare bare(function);
  Hook hook(function);
  assay::Value args[2];
  assay::parse_decimal(a, args[0].number, hook.numbers());
  assay::parse_decimal(b, args[1].number, hook.numbers());
  const double x = assay::to_double(args[0].number), y = assay::to_double(args[1].number);
  const bool whole = assay::is_whole(args[0].number) && assay::is_whole(args[1].number);
  if (assay::to_double(hook.call(args)) != bare.call(x, y, whole)) fail("the two ways disagree");
  volatile double seen = 0;
  std::vector<double> bare_times, hook_times;
  for (int round = 0; round < kRounds; ++round) {
    bare_times.push_back(nanoseconds([&] { seen = bare.call(x, y, whole); }));
    hook_times.push_back(nanoseconds([&] { seen = static_cast<double>(hook.call(args).num); }));
  }
  const double bare_time = median(bare_times), hook_time = median(hook_times);
  const double ratio = hook_time / bare_time;
  std::printf("%-16s bare lua_pcall %6.1f ns   hook %6.1f ns   ratio %.2f\n", what, bare_time, hook_time, ratio);
}

}  // namespace

int main() {
  measure("whole numbers", kFunction, "3", "4");
  measure("short fractions", kFunction, "0.25", "0.7");
  measure("16 digits", kFunction, "0.3183098861837907", "0.6931471805599453");
  measure("17 digits", kFunction, "0.36787944117144233", "0.57721566490153286");
  measure("with two calls", kCalling, "3", "4");
  measure("with a loop", kLooping, "0.25", "0.7");
  return 0;
}
