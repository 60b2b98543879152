// What a call of a hook costs: two numbers in, one out, against a bare lua_pcall of the same function in the same run.
// BM_hook is the whole border: exact numbers in, metering, checks, an exact number out. Needs a build with Lua.
#include "runtime/hooks.hpp"
#include "runtime/lua_host.hpp"
#include "runtime/rubric_impl.hpp"

#include <benchmark/benchmark.h>
#include <lua.hpp>

namespace {

constexpr const char* kFunction = "return function(a, b) if b > a then a, b = b, a end return a * 2 - b end";

void BM_bare_pcall(benchmark::State& state) {
  lua_State* L = luaL_newstate();
  if (luaL_dostring(L, kFunction) != LUA_OK) return state.SkipWithError("Lua");
  double sum = 0;
  for (auto _ : state) {
    lua_pushvalue(L, -1);
    lua_pushinteger(L, 3);
    lua_pushinteger(L, 4);
    lua_pcall(L, 2, 1, 0);
    sum += lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  benchmark::DoNotOptimize(sum);
  lua_close(L);
}
BENCHMARK(BM_bare_pcall);

void hook(benchmark::State& state, const char* a, const char* b) {
  using namespace assay;
  const std::string rubric = std::string("rubric r { hook f(a: number, b: number): number lua \"\"\"") + kFunction + "\"\"\" output y = f(1, 2) }";
  const Compiled compiled = compile("bench.rubric", rubric);
  if (!compiled.rubric) return state.SkipWithError("rubric");
  const Rubric::Impl& impl = compiled.rubric->impl();
  Limits limits;
  limits.hook_steps = UINT64_MAX / 2;  // all calls are of one evaluation
  LuaHost host(impl.hooks->lua, limits, impl.model.get());
  Arena arena;
  Value args[2], result;
  parse_decimal(a, args[0].number, arena.numbers());
  parse_decimal(b, args[1].number, arena.numbers());
  RunError error;
  for (auto _ : state) {
    if (!host.call(*impl.model, 0, args, result, arena, error)) return state.SkipWithError(error.message.c_str());
    benchmark::DoNotOptimize(result);
  }
}

void BM_hook_whole_numbers(benchmark::State& state) { hook(state, "3", "4"); }
BENCHMARK(BM_hook_whole_numbers);

void BM_hook_fractions(benchmark::State& state) { hook(state, "0.25", "0.7"); }
BENCHMARK(BM_hook_fractions);

}  // namespace

BENCHMARK_MAIN();
