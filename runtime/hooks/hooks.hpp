// Hooks at run time: functions of the host (<assay/hook.hpp>), functions in Lua (lua_host.hpp, not in every build) and
// functions of the standard library in C++ (runtime/library). prepare_hooks runs once per rubric; a HookRunner belongs
// to one thread.
#pragma once

#include "lang/model/model.hpp"
#include "lang/text/source.hpp"
#include "runtime/vm/vm.hpp"

#include <assay/assay.hpp>

#include <memory>
#include <string>
#include <vector>

namespace assay {

struct LuaProgram;
class LuaHost;

struct Hooks {
  std::vector<HookFunction> host;         // by hook of the model; empty: not a hook of the host
  std::vector<NativeFunction> native;     // by hook of the model; null: not a library hook
  std::shared_ptr<const LuaProgram> lua;  // null: no hook is in Lua
  bool needed = false;  // scoring needs hooks: false if all belong to the library and the rubric calls none of them
};

// Reports errors; after one the result must not be used.
std::shared_ptr<const Hooks> prepare_hooks(const Model& model, Sources& sources, const CompileOptions& options,
                                           const Importer& importer, Diagnostics& diagnostics);

// A rubric names hooks of the host in this way, in place of a file: from "host:similarity".
inline constexpr std::string_view kHostPrefix = "host:";

struct HookCall {  // for explanations
  int hook = 0;
  std::string arguments, result;  // as JSON
  std::uint64_t steps = 0;
};

class HookRunner : public HookHost {
 public:
  // `interrupt`: may be null.
  HookRunner(std::shared_ptr<const Hooks> hooks, const Limits& limits, const Model& model, const Interrupt* interrupt);
  ~HookRunner() override;
  void begin();  // starts an evaluation
  void end();
  std::uint64_t passing_work(const Model& model, int hook, const Value* args) override;
  bool call(const Model& model, int hook, const Value* args, Value& result, Arena& arena, RunError& error) override;
  NativeFunction native(int hook) const override { return hooks_->native[static_cast<std::size_t>(hook)]; }
  bool accepts(const Model& model, int hook, const Value* args, RunError& error) override;
  void called(const Model& model, int hook, const Value* args, const Value& result, std::uint64_t steps) override;
  void trace(std::vector<HookCall>* calls);  // null: stops tracing

 private:
  std::shared_ptr<const Hooks> hooks_;
  std::unique_ptr<LuaHost> lua_;
  std::vector<HookCall>* calls_ = nullptr;
};

// Steps for copying the arguments of a hook of the host: four per item, and one per 64 bytes.
std::uint64_t copying_work(const Model& model, const HookModel& hook, const Value* args);

// Calls a hook of the host with values of the declared types and checks its result (host_hooks.cpp).
bool call_host_hook(const HookFunction& function, const Model& model, const HookModel& hook, const Value* args,
                    Value& result, Arena& arena, RunError& error);

}  // namespace assay
