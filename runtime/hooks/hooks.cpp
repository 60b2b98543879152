// Decides which hooks are the host's, which are written in Lua and which belong to the library, and dispatches calls.
#include "runtime/hooks/hooks.hpp"

#include <assay/text.hpp>

#include "runtime/input/record_plan.hpp"
#include "runtime/library/library.hpp"
#include "runtime/output/report.hpp"

#include <algorithm>

#if ASSAY_LUA
#include "runtime/hooks/lua/lua_host.hpp"
#endif

namespace assay {

#if !ASSAY_LUA
struct LuaProgram {};
class LuaHost {};
#endif

namespace {

// The function of a library hook; null after reporting an error. Only authors of modules see these errors, because
// modules declare the hooks.
NativeFunction library_function(const Model& model, const HookModel& hook, Diagnostics& diagnostics) {
  const LibraryRow* row = find_library_function(std::string_view(hook.path).substr(kLibraryPrefix.size()));
  if (!row) {
    diagnostics.report(Code::bad_lua, hook.span, "the standard library has no function '" + hook.path + "'");
    return nullptr;
  }
  const std::string signature = library_signature(model.types, hook);
  if (signature == row->signature) return row->function;
  diagnostics.report(Code::bad_lua, hook.span,
                     "the function '" + hook.path + "' has other types than this hook: " + std::string(row->signature) +
                         ", not " + signature);
  return nullptr;
}

}  // namespace

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
    hooks->native.push_back(nullptr);
    hooks->needed = hooks->needed || hook.used || !is_library_path(hook.path);
    if (hooks->host.back()) continue;
    if (is_library_path(hook.path)) {
      hooks->native.back() = library_function(model, hook, diagnostics);
      continue;
    }
    if (by_host) {
      diagnostics.report(
          Code::bad_lua, hook.span, "this host supplies no hook '" + name + "'", {},
          "it would be a function of the program that runs the rubric; a file of Lua is named \"" + name + ".lua\"");
      continue;
    }
#if ASSAY_LUA
    const char* reason = options.lua ? nullptr : "and this host runs no Lua";
#else
    const char* reason = "and this build of the library has no Lua";
#endif
    if (reason)
      diagnostics.report(Code::bad_lua, hook.span, "the hook '" + hook.name + "' is written in Lua, " + reason);
    in_lua[i] = reason == nullptr;
    any_lua = any_lua || in_lua[i];
  }
#if ASSAY_LUA
  if (any_lua)
    hooks->lua = compile_lua(model, in_lua, sources, importer, options.limits, options.interrupt, diagnostics);
#else
  (void)sources;
  (void)importer;
#endif
  return hooks;
}

namespace {

// Whether the type excludes some value of its kind. Values of declared types were checked when they were read.
bool narrow(const TypeTable& types, TypeId type) {
  const Type& t = types[type];
  switch (t.kind) {
    case TypeKind::number: return t.whole || !t.range.low.missing() || !t.range.high.missing();
    case TypeKind::text: return !t.choices.empty();
    case TypeKind::list:
    case TypeKind::map: return narrow(types, t.element);
    case TypeKind::record:
      return t.name.empty() && t.rubric < 0 &&
             std::any_of(t.fields.begin(), t.fields.end(), [&](const Field& f) { return narrow(types, f.type); });
    case TypeKind::either:
      return std::any_of(t.alternatives.begin(), t.alternatives.end(), [&](TypeId one) { return narrow(types, one); });
    default: return false;
  }
}

struct Part {
  std::string path;
  TypeId type = kUnknown;
  Value value;
};

// Whether a value of the type's kind belongs to the type; otherwise `part` is the part that does not.
bool within(const TypeTable& types, TypeId type, const Value& value, Part& part) {
  if (value.missing()) return true;
  type = types.actual(type, value);
  const Type& t = types[type];
  part.type = type;
  part.value = value;
  switch (t.kind) {
    case TypeKind::number: return (!t.whole || is_whole(value.number)) && inside(value.number, t.range);
    case TypeKind::text: return t.allows(value.text.view());
    case TypeKind::list:
      if (!narrow(types, t.element)) return true;
      for (std::uint32_t i = 0; i < value.list.size; ++i) {
        if (within(types, t.element, value.list.items[i], part)) continue;
        part.path.insert(0, "[" + std::to_string(i) + "]");
        return false;
      }
      return true;
    case TypeKind::map:
      if (!narrow(types, t.element)) return true;
      for (std::uint32_t i = 0; i < value.map.size; ++i) {
        if (within(types, t.element, value.map.data->values[i], part)) continue;
        part.path.insert(0, "." + shorten(value.map.data->keys[i].text.view(), kMostQuoted));
        return false;
      }
      return true;
    case TypeKind::record:
      if (!narrow(types, type)) return true;
      for (std::uint32_t i = 0; i < value.record.size && i < t.fields.size(); ++i) {
        if (within(types, t.fields[i].type, value.record.fields[i], part)) continue;
        part.path.insert(0, "." + t.fields[i].name);
        return false;
      }
      return true;
    default: return true;
  }
}

// The checker compares kinds; this compares ranges and choices.
bool take_arguments(const TypeTable& types, const HookModel& hook, const Value* args, RunError& error) {
  for (std::size_t i = 0; i < hook.params.size(); ++i) {
    Part part;
    if (within(types, hook.params[i].type, args[i], part)) continue;
    error = {"", "hook",
             "hook '" + hook.name + "' takes " + types.str(part.type) + " as " + hook.params[i].name + part.path +
                 ", and was given "};
    ValueWriter(types).write(part.type, part.value, kSignificant, error.message);
    return false;
  }
  return true;
}

}  // namespace

HookRunner::HookRunner(std::shared_ptr<const Hooks> hooks, const Limits& limits, const Model& model,
                       const Interrupt* interrupt)
    : hooks_(std::move(hooks)) {
#if ASSAY_LUA
  if (hooks_->lua) lua_ = std::make_unique<LuaHost>(hooks_->lua, limits, &model, interrupt);
#else
  (void)limits;
  (void)model;
  (void)interrupt;
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

bool HookRunner::accepts(const Model& model, int hook, const Value* args, RunError& error) {
  return take_arguments(model.types, model.hooks[static_cast<std::size_t>(hook)], args, error);
}

std::uint64_t HookRunner::passing_work(const Model& model, int hook, const Value* args) {
  const auto index = static_cast<std::size_t>(hook);
  if (index >= hooks_->host.size() || !hooks_->host[index]) return 0;  // written in Lua, whose meter counts the work
  return copying_work(model, model.hooks[index], args);
}

bool HookRunner::call(const Model& model, int hook, const Value* args, Value& result, Arena& arena, RunError& error) {
  const HookModel& h = model.hooks[static_cast<std::size_t>(hook)];
  const HookFunction* function =
      static_cast<std::size_t>(hook) < hooks_->host.size() ? &hooks_->host[static_cast<std::size_t>(hook)] : nullptr;
  if (!take_arguments(model.types, h, args, error)) return false;
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
  if (good) called(model, hook, args, result, steps);
  return good;
}

void HookRunner::called(const Model& model, int hook, const Value* args, const Value& result, std::uint64_t steps) {
  if (!calls_) return;
  const HookModel& h = model.hooks[static_cast<std::size_t>(hook)];
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
}

}  // namespace assay
