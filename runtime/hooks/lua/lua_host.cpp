// Calls hooks. Numbers and bools, the common case, are passed directly; values that need memory (texts, lists, records)
// are converted within a protected call, because Lua reports a lack of memory by an error.
#include "runtime/hooks/lua/lua_runtime.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <cstdio>

namespace assay {

namespace {

constexpr std::uint64_t kCallSteps = 20;                // for a call, besides its instructions
constexpr std::size_t kGarbage = std::size_t{1} << 20;  // garbage allowed before a collection

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

// Looks up the types that a call needs, once.
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

// Reads the result of a hook, on top of the stack.
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
  if (r.over() && r.where[0] != '\0') return 1;  // ended inside; the end is passed on
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

// Resets all variables that the functions of a chunk and of its modules share to their values after loading.
void LuaRuntime::set_back(const Entry& hook) {
  for (const std::size_t chunk : chunks[hook.chunk].uses) {
    for (const Variable& variable : chunks[chunk].variables) {
      lua_pushvalue(L, variable.value);
      lua_setupvalue(L, variable.function, variable.position);
    }
  }
}

// ---- the host

LuaHost::LuaHost(std::shared_ptr<const LuaProgram> program, const Limits& limits, const Model* model,
                 const Interrupt* interrupt)
    : program_(std::move(program)), limits_(limits), model_(model), interrupt_(interrupt) {
  load();
}

void LuaHost::load() {
  runtime_ = std::make_unique<LuaRuntime>(limits_, interrupt_);
  LuaRuntime& r = *runtime_;
  r.ready = r.problem.empty() && r.load(*program_);
  r.steps = 0;
  if (!r.ready || !model_) return;
  r.model = model_;
  for (std::size_t i = 0; i < r.hooks.size(); ++i) note_types(*model_, model_->hooks[i], r.hooks[i]);
}

LuaHost::~LuaHost() { end(); }

void LuaHost::begin() { runtime_->steps = 0; }
void LuaHost::end() { runtime_->plain.reset(); }
std::uint64_t LuaHost::steps() const { return runtime_->steps; }
std::size_t LuaHost::peak_memory() const { return runtime_->peak; }
void LuaHost::count_exactly(bool on) { runtime_->exact = on; }

namespace {

// Kept out of line, because inlining would make successful calls save more registers.
[[gnu::noinline]] bool not_loaded(const LuaRuntime& r, const std::string& name, RunError& error) {
  error = {"", r.over() ? r.error_code() : "hook",
           "hook '" + name + "' is not loaded" + (r.problem.empty() ? "" : ": " + r.problem)};
  return false;
}

// Explains a failed call; the details are on top of the stack or in the runtime.
[[gnu::noinline]] void fail(LuaRuntime& r, const std::string& name, const LuaRuntime::Entry& entry, int status,
                            RunError& error) {
  lua_State* L = r.L;
  error = {"", "hook", {}};
  if (r.over()) {
    error.code = r.error_code();
    error.message = r.where + r.message("hook '" + name + "'");
  } else if (status == LUA_OK) {
    error.message = "hook '" + name + "' (" + entry.where + ") returned " + r.problem;
  } else if (status == LUA_ERRMEM || status < 0) {
    error.code = "limit";
    error.message = "hook '" + name + "' stopped: there is not enough memory";
  } else if (lua_type(L, -1) == LUA_TSTRING) {
    error.message = "hook '" + name + "' failed: " + shorten(text_at(L, -1), 500);
  } else {
    error.message = "hook '" + name + "' failed: " + r.where + "the error is a " + luaL_typename(L, -1) + " value";
  }
}

}  // namespace

bool LuaHost::call(const Model& model, int hook, const Value* args, Value& result, Arena& arena, RunError& error) {
  if (!runtime_->ready && (runtime_->stopped == Meter::Stop::cancelled || runtime_->stopped == Meter::Stop::timeout))
    load();  // load again, after an earlier interrupt
  LuaRuntime& r = *runtime_;
  lua_State* L = r.L;
  LuaRuntime::Entry* entry =
      static_cast<std::size_t>(hook) < r.hooks.size() ? &r.hooks[static_cast<std::size_t>(hook)] : nullptr;
  if (!r.ready || !entry || !entry->function)
    return not_loaded(r, model.hooks[static_cast<std::size_t>(hook)].name, error);
  if (&model != r.model) {  // an expression of a console has its own model
    note_types(model, model.hooks[static_cast<std::size_t>(hook)], *entry);
    r.model = nullptr;
  }
  if (!r.plain) r.plain.emplace(r);  // until end(): once for all calls of an evaluation
  r.numbers = &arena.numbers();
  r.where[0] = '\0';
  r.path.clear();
  r.texts = r.clean.texts;
  r.chained = r.clean.chained;
  if (entry->variables > 0) r.set_back(*entry);
  r.steps += kCallSteps + entry->variables * 2;
  r.Meter::begin(L, entry->simple ? entry->straight : 0);
  if (r.steps > r.watch && r.must_end()) {
    fail(r, model.hooks[static_cast<std::size_t>(hook)].name, *entry, LUA_OK, error);
    return false;
  }
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
  good = good && status == LUA_OK && !r.over();
  if (!good) fail(r, model.hooks[static_cast<std::size_t>(hook)].name, *entry, status, error);
  lua_settop(L, r.clean.top);
  r.limited = false;
  if (r.chained != r.clean.chained) forget_metatables(L);
  const bool anew = !good || r.blocks.stack_bytes > r.clean.stack_bytes;
  if (anew) r.steps += r.clean.memory / 256;  // of examining it; a call that ends well does not pay for that
  if (anew || r.memory > r.clean.memory + std::max(kGarbage, r.clean.memory / 4)) r.collect_garbage();
  return good;
}

}  // namespace assay
