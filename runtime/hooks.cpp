// Which hook is the host's and which is written in Lua, and where each call goes.
#include "runtime/hooks.hpp"

#include "runtime/report.hpp"

#if ASSAY_LUA
#include "runtime/lua_host.hpp"
#endif

namespace assay {

#if !ASSAY_LUA
struct LuaProgram {};
class LuaHost {};
#endif

std::shared_ptr<const Hooks> prepare_hooks(const Model& model, Sources& sources, const CompileOptions& options,
                                           const Importer& importer, Diagnostics& diagnostics) {
  auto hooks = std::make_shared<Hooks>();
  std::vector<bool> in_lua(model.hooks.size(), false);
  bool any_lua = false;
  for (std::size_t i = 0; i < model.hooks.size(); ++i) {
    const HookModel& hook = model.hooks[i];
    const bool by_host = hook.path.compare(0, kHostPrefix.size(), kHostPrefix) == 0;
    const std::string name = by_host ? hook.path.substr(kHostPrefix.size()) : hook.name;
    const auto found = options.hooks.find(name);
    hooks->host.push_back(found == options.hooks.end() ? HookFunction() : found->second);
    if (hooks->host.back()) continue;
    if (by_host) {
      diagnostics.report(Code::bad_lua, hook.span, "this host supplies no hook '" + name + "'", {},
                         "it would be a function of the program that runs the rubric; a file of Lua is named \"" + name + ".lua\"");
      continue;
    }
#if ASSAY_LUA
    const char* reason = options.lua ? nullptr : "and this host runs no Lua";
#else
    const char* reason = "and this build of the library has no Lua";
#endif
    if (reason) diagnostics.report(Code::bad_lua, hook.span, "the hook '" + hook.name + "' is written in Lua, " + reason);
    in_lua[i] = reason == nullptr;
    any_lua = any_lua || in_lua[i];
  }
#if ASSAY_LUA
  if (any_lua) hooks->lua = compile_lua(model, in_lua, sources, importer, options.limits, diagnostics);
#else
  (void)sources;
  (void)importer;
#endif
  return hooks;
}

HookRunner::HookRunner(std::shared_ptr<const Hooks> hooks, const Limits& limits, const Model& model) : hooks_(std::move(hooks)) {
#if ASSAY_LUA
  if (hooks_->lua) lua_ = std::make_unique<LuaHost>(hooks_->lua, limits, &model);
#else
  (void)limits;
  (void)model;
#endif
}

HookRunner::~HookRunner() = default;

void HookRunner::begin() {
#if ASSAY_LUA
  if (lua_) lua_->begin();
#endif
}

void HookRunner::end() {
#if ASSAY_LUA
  if (lua_) lua_->end();
#endif
}

void HookRunner::trace(std::vector<HookCall>* calls) {
  calls_ = calls;
#if ASSAY_LUA
  if (lua_) lua_->count_exactly(calls != nullptr);
#endif
}

bool HookRunner::call(const Model& model, int hook, const Value* args, Value& result, Arena& arena, RunError& error) {
  const HookModel& h = model.hooks[static_cast<std::size_t>(hook)];
  const HookFunction* function = static_cast<std::size_t>(hook) < hooks_->host.size() ? &hooks_->host[static_cast<std::size_t>(hook)] : nullptr;
  bool good = false;
  std::uint64_t steps = 0;
  if (function && *function) {
    end();
    good = call_host_hook(*function, model, h, args, result, arena, error);
#if ASSAY_LUA
  } else if (lua_) {
    const std::uint64_t before = lua_->steps();
    good = lua_->call(model, hook, args, result, arena, error);
    steps = lua_->steps() - before;
#endif
  } else {
    error = {"", "hook", "there is nothing to run the hook '" + h.name + "' with"};
  }
  if (!calls_ || !good) return good;
  HookCall& call = calls_->emplace_back();
  call.hook = hook;
  call.steps = steps;
  ValueWriter writer(model.types);
  const auto write = [&](TypeId type, const Value& value, std::string& out) {
    if (value.missing()) {
      out += "missing";
    } else {
      writer.write(type, value, kSignificant, out);
    }
  };
  for (std::size_t i = 0; i < h.params.size(); ++i) {
    if (i > 0) call.arguments += ", ";
    write(h.params[i].type, args[i], call.arguments);
  }
  write(h.result, result, call.result);
  return true;
}

}  // namespace assay
