// Calling hooks. Numbers and bools, the common case, go straight to the function and back; what needs memory (texts,
// lists, records) is converted within a protected call, because Lua reports a lack of memory by an error.
#include "runtime/hooks/lua/lua_runtime.hpp"

#include <algorithm>
#include <cstdio>

namespace assay {

namespace {

constexpr std::uint64_t kCallSteps = 20;                // of a call, besides its instructions
constexpr std::size_t kGarbage = std::size_t{1} << 20;  // bytes that may lie about before they are collected

struct Call {
  const Model* model;
  const HookModel* hook;
  const LuaRuntime::Entry* entry;
  const Value* args;
  Value* result;
  Arena* arena;
  bool good;
};

}  // namespace

namespace {

// What a call asks of the types, once.
void note_types(const Model& model, const HookModel& hook, LuaRuntime::Entry& entry) {
  const auto plain = [](TypeKind kind) { return kind == TypeKind::number || kind == TypeKind::boolean; };
  entry.kinds.clear();
  for (const Field& param : hook.params) entry.kinds.push_back(model.types.kind(param.type));
  entry.result_optional = hook.result_optional;
  entry.result_type = hook.result;
  entry.result = &model.types[hook.result];
  entry.simple = entry.kinds.size() < 40 && std::all_of(entry.kinds.begin(), entry.kinds.end(), plain) &&
                 (plain(entry.result->kind) || entry.result->kind == TypeKind::text);
}

// Reads what a hook returned, on top of the stack.
bool read_result(LuaRuntime& r, const TypeTable& types, const LuaRuntime::Entry& entry, Value& value, Arena& arena) {
  if (!entry.result_optional || !lua_isnil(r.L, -1)) return r.read(types, entry.result_type, -1, value, arena);
  value = missing_value();
  return true;
}

}  // namespace

int call_with_values(lua_State* L) {
  LuaRuntime& r = LuaRuntime::of(L);
  Call& call = *static_cast<Call*>(lua_touserdata(L, 1));
  const auto n = static_cast<int>(call.hook->params.size());
  luaL_checkstack(L, n + 20, "too many arguments");
  lua_pushvalue(L, lua_upvalueindex(1));
  for (int i = 0; i < n; ++i)
    r.push(call.model->types, call.hook->params[static_cast<std::size_t>(i)].type, call.args[i]);
  lua_call(L, n, 1);
  call.good = read_result(r, call.model->types, *call.entry, *call.result, *call.arena);
  return 0;
}

int note_place(lua_State* L) {
  LuaRuntime& r = LuaRuntime::of(L);
  r.where[0] = '\0';
  if (lua_type(L, 1) == LUA_TSTRING) return 1;
  lua_Debug at;
  for (int level = 0; level < 200 && lua_getstack(L, level, &at); ++level) {
    lua_getinfo(L, "Sl", &at);
    if (at.currentline <= 0) continue;
    std::snprintf(r.where, sizeof r.where, "%s:%d: ", at.short_src, at.currentline);
    break;
  }
  return 1;
}

PlainLocale::PlainLocale(const LuaRuntime& runtime) : before_(nullptr) {
#ifdef ASSAY_THREAD_LOCALE
  if (runtime.locale) before_ = uselocale(static_cast<locale_t>(runtime.locale));
#else
  (void)runtime;
#endif
}

PlainLocale::~PlainLocale() {
#ifdef ASSAY_THREAD_LOCALE
  if (before_) uselocale(static_cast<locale_t>(before_));
#endif
}

// Everything that a chunk's functions share is as it was when the chunk had been loaded.
void LuaRuntime::set_back(std::size_t chunk) {
  for (const Variable& variable : variables[chunk]) {
    lua_pushvalue(L, variable.value);
    lua_setupvalue(L, variable.function, variable.position);
  }
}

// ---- the host

LuaHost::LuaHost(std::shared_ptr<const LuaProgram> program, const Limits& limits, const Model* model)
    : runtime_(std::make_unique<LuaRuntime>(limits)) {
  LuaRuntime& r = *runtime_;
  r.shared = std::move(program);
  if (!r.problem.empty() || !r.load(*r.shared) || !model) return;
  r.model = model;
  for (std::size_t i = 0; i < r.hooks.size(); ++i) note_types(*model, model->hooks[i], r.hooks[i]);
}

LuaHost::~LuaHost() { end(); }

void LuaHost::begin() { runtime_->steps = 0; }
void LuaHost::end() { runtime_->plain.reset(); }
std::uint64_t LuaHost::steps() const { return runtime_->steps; }
std::size_t LuaHost::peak_memory() const { return runtime_->peak; }
void LuaHost::count_exactly(bool on) { runtime_->exact = on; }

namespace {

// Out of the way of the calls that succeed, which it would make save more registers.
[[gnu::noinline]] bool not_loaded(const LuaRuntime& r, const std::string& name, RunError& error) {
  error = {"", r.limited ? "limit" : "hook",
           "hook '" + name + "' is not loaded" + (r.problem.empty() ? "" : ": " + r.problem)};
  return false;
}

// Says why a call did not succeed; what there is to say about it is on top of the stack or in the runtime.
[[gnu::noinline]] void fail(LuaRuntime& r, const std::string& name, const LuaRuntime::Entry& entry, int status,
                            RunError& error) {
  lua_State* L = r.L;
  error = {"", "hook", {}};
  const bool by_stack =
      status == LUA_ERRERR || (lua_type(L, -1) == LUA_TSTRING &&
                               std::string_view(lua_tostring(L, -1)).find("stack overflow") != std::string_view::npos);
  if (status != LUA_OK && r.stopped == Meter::Stop::none && by_stack) r.stopped = Meter::Stop::depth;
  if (r.stopped != Meter::Stop::none) {
    error.code = "limit";
    error.message = "hook '" + name + "' stopped: " + r.where + r.message();
  } else if (status == LUA_OK) {
    error.message = "hook '" + name + "' (" + entry.where + ") returned " + r.problem;
  } else if (status == LUA_ERRMEM || status < 0) {
    error.code = "limit";
    error.message = "hook '" + name + "' stopped: there is not enough memory";
  } else if (lua_type(L, -1) == LUA_TSTRING) {
    error.message = "hook '" + name + "' failed: " + std::string(text_at(L, -1).substr(0, 500));
  } else {
    error.message = "hook '" + name + "' failed: " + r.where + "the error is a " + luaL_typename(L, -1) + " value";
  }
}

}  // namespace

bool LuaHost::call(const Model& model, int hook, const Value* args, Value& result, Arena& arena, RunError& error) {
  LuaRuntime& r = *runtime_;
  lua_State* L = r.L;
  LuaRuntime::Entry* entry =
      static_cast<std::size_t>(hook) < r.hooks.size() ? &r.hooks[static_cast<std::size_t>(hook)] : nullptr;
  if (!entry || !entry->function) return not_loaded(r, model.hooks[static_cast<std::size_t>(hook)].name, error);
  if (&model != r.model) {  // an expression of a console brings a model of its own
    note_types(model, model.hooks[static_cast<std::size_t>(hook)], *entry);
    r.model = nullptr;
  }
  if (!r.plain) r.plain.emplace(r);  // until end(): once for all calls of an evaluation
  r.numbers = &arena.numbers();
  r.where[0] = '\0';
  r.path.clear();
  r.longest = r.clean_longest;
  if (!r.variables[entry->chunk].empty()) r.set_back(entry->chunk);
  r.steps += kCallSteps;
  r.Meter::begin(L, entry->simple ? entry->straight : 0);
  bool good = false;
  int status;
  if (entry->simple) {
    r.outer_levels = 0;
    lua_pushvalue(L, entry->function);
    const TypeKind* kind = entry->kinds.data();
    const TypeKind* const end = kind + entry->kinds.size();
    for (const Value* arg = args; kind != end; ++kind, ++arg) {
      if (*kind == TypeKind::number) {
        r.push_number(arg->number);
      } else if (arg->missing()) {
        lua_pushnil(L);
      } else {
        lua_pushboolean(L, arg->boolean.truth != 0);
      }
    }
    status = lua_pcall(L, static_cast<int>(entry->kinds.size()), 1, 1);
    if (status == LUA_OK) {
      const bool number = entry->result->kind == TypeKind::number && lua_type(L, -1) == LUA_TNUMBER;
      good = number ? r.read_number(model.types, entry->result_type, *entry->result, -1, result)
                    : read_result(r, model.types, *entry, result, arena);
    }
  } else {
    Call call{&model, &model.hooks[static_cast<std::size_t>(hook)], entry, args, &result, &arena, false};
    r.outer_levels = 1;
    lua_pushvalue(L, entry->caller);
    lua_pushlightuserdata(L, &call);
    status = lua_pcall(L, 1, 0, 1);
    good = call.good;
  }
  good = good && status == LUA_OK && r.stopped == Meter::Stop::none;
  if (!good) fail(r, model.hooks[static_cast<std::size_t>(hook)].name, *entry, status, error);
  lua_settop(L, r.clean_top);
  if (!good || r.memory > r.clean_memory + kGarbage || r.stack_bytes > r.clean_stack) r.collect_garbage();
  return good;
}

}  // namespace assay
