// Loads a program into a state: runs each chunk once and makes its results constant before any other chunk can see
// them. So a module is the same for all files that require it, whichever comes first, and no file can change another's
// data. All of this happens within one budget of steps and memory. The same functions load a rubric when it is compiled
// (lua_compile.cpp) and in each evaluating thread.
#include "runtime/hooks/lua/lua_runtime.hpp"

#include "lang/value/hook_depth.hpp"
#include "lang/value/limit_message.hpp"

#include <algorithm>

namespace assay {

namespace {

char kLibrary, kChunks;  // keys in the registry

// A chunk in the list kChunks: its result, its environment, its variables (as listed by `freeze`).
constexpr lua_Integer kResult = 1, kEnvironment = 2, kVariables = 3;

// ---- within a protected call

void push_field_of_chunk(lua_State* L, std::size_t index, lua_Integer field) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kChunks);
  lua_rawgeti(L, -1, static_cast<lua_Integer>(index + 1));
  lua_rawgeti(L, -1, field);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

// Resets the variables of the modules in use to their values after loading: one file never sees what another did with a
// module.
void set_back_modules(lua_State* L) {
  LuaRuntime& r = LuaRuntime::of(L);
  luaL_checkstack(L, 10, "require");
  for (const std::size_t index : r.in_use) {
    push_field_of_chunk(L, index, kVariables);
    const int list = lua_gettop(L);
    const auto size = static_cast<lua_Integer>(lua_rawlen(L, list));
    r.charge(L, static_cast<std::uint64_t>(size) * 2);
    for (lua_Integer i = 1; i + 2 <= size; i += 3) {
      lua_rawgeti(L, list, i);
      lua_rawgeti(L, list, i + 1);
      lua_rawgeti(L, list, i + 2);
      if (lua_rawequal(L, -1, list)) {
        lua_pop(L, 1);
        lua_pushnil(L);
      }
      lua_setupvalue(L, list + 1, static_cast<int>(lua_tointeger(L, list + 2)));
      lua_settop(L, list);
    }
    lua_pop(L, 1);
  }
}

// Argument: the index of a chunk. Runs it in an environment of its own, makes its results constant and adds it to the
// list of chunks.
int run_chunk(lua_State* L) {
  LuaRuntime& r = LuaRuntime::of(L);
  const auto index = static_cast<std::size_t>(lua_tointeger(L, 1));
  const LuaChunk& chunk = r.program->chunks[index];
  r.code = std::max(r.code, chunk.code.size());
  r.charge(L, 10 + chunk.code.size() / 16);
  r.texts.zeros = false;  // while its constants are read: they are incomplete when their memory is allocated
  if (luaL_loadbufferx(L, chunk.code.data(), chunk.code.size(), chunk.name.c_str(), "b") != LUA_OK) lua_error(L);
  r.texts.most_zeros = std::max(r.texts.most_zeros, chunk.zeros);
  r.texts.zeros = r.texts.most_zeros > 0;
  lua_newtable(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kLibrary);
  to_hidden(L, -1);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -5);
  }
  lua_pop(L, 1);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "_G");
  lua_pushvalue(L, -1);
  const char* variable = lua_setupvalue(L, -3, 1);
  if (!variable) lua_pop(L, 1);
  lua_insert(L, -2);
  lua_call(L, 0, 1);
  lua_createtable(L, 3, 0);
  lua_insert(L, -3);
  lua_rawseti(L, -3, kResult);
  lua_rawseti(L, -2, kEnvironment);
  set_back_modules(L);
  lua_pushcfunction(L, freeze);
  lua_pushvalue(L, -2);
  lua_call(L, 1, 1);
  lua_rawseti(L, -2, kVariables);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kChunks);
  lua_insert(L, -2);
  lua_rawseti(L, -2, static_cast<lua_Integer>(index + 1));
  return 0;
}

void add(std::vector<std::size_t>& set, std::size_t index) {
  if (std::find(set.begin(), set.end(), index) == set.end()) set.push_back(index);
}

// Runs a chunk that has not run yet. If it fails, the error is a text, the same each time.
void need_chunk(lua_State* L, std::size_t index) {
  LuaRuntime& r = LuaRuntime::of(L);
  LuaRuntime::Loaded& chunk = r.chunks[index];
  if (chunk.state == LuaRuntime::Loaded::State::running)
    luaL_error(L, "'%s' requires itself", r.program->chunks[index].name.c_str() + 1);
  if (chunk.state == LuaRuntime::Loaded::State::unknown) {
    luaL_checkstack(L, 20, "require");
    r.descend(L);
    chunk.state = LuaRuntime::Loaded::State::running;
    r.running.push_back(index);
    lua_pushcfunction(L, note_place);
    lua_pushcfunction(L, run_chunk);
    lua_pushinteger(L, static_cast<lua_Integer>(index));
    const int status = lua_pcall(L, 1, 0, -3);
    r.running.pop_back();
    if (status == LUA_OK) {
      r.chunks[index].state = LuaRuntime::Loaded::State::good;
      lua_pop(L, 1);
    } else {
      r.chunks[index].state = LuaRuntime::Loaded::State::failed;
      r.pass_on(L);
      r.note_problem();
      r.chunks[index].problem = r.problem;
      lua_pop(L, 2);
    }
  }
  if (r.chunks[index].state == LuaRuntime::Loaded::State::failed) {
    lua_pushlstring(L, r.chunks[index].problem.data(), r.chunks[index].problem.size());
    lua_error(L);
  }
}

int load_library(lua_State* L) {
  if (!layout_is_known(L)) return luaL_error(L, "this Lua is not a known 5.4: its tables have another layout");
  push_library(L);
  lua_newtable(L);
  lua_pushvalue(L, 1);
  lua_rawseti(L, 2, 1);
  lua_pushvalue(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kLibrary);
  lua_pushcfunction(L, freeze);
  lua_pushvalue(L, 2);
  lua_call(L, 1, 0);
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kChunks);
  return 0;
}

// The function of a hook; arguments: chunk, name. It is a field of the table that the chunk returns, a global function
// of the chunk, or the function that it returns; otherwise nil.
int find_function(lua_State* L) {
  const auto index = static_cast<std::size_t>(lua_tointeger(L, 1));
  need_chunk(L, index);
  push_field_of_chunk(L, index, kResult);
  push_field_of_chunk(L, index, kEnvironment);
  for (const int from : {3, 4}) {
    if (!lua_istable(L, from)) continue;
    to_hidden(L, from);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, from) == LUA_TFUNCTION) return 1;
    lua_pop(L, 1);
  }
  if (!lua_isfunction(L, 3)) lua_pushnil(L);
  lua_settop(L, lua_isfunction(L, 3) ? 3 : lua_gettop(L));
  return 1;
}

int grow_stack(lua_State* L) {
  lua_checkstack(L, 4000);
  return 0;
}

// The meaning of `require name` in the running chunk. Determined when the program is compiled, and kept for every
// thread, whether it succeeds or not. `work`: the steps of reading it.
const LuaModule& resolve(LuaRuntime& r, const std::string& name, std::uint64_t& work) {
  constexpr std::uint64_t kOpening = 1000, kBytesOfStep = 8;
  const std::string from = r.program->chunks[r.running.back()].name.substr(1);
  const auto known = r.program->modules.find({from, name});
  if (known != r.program->modules.end()) return known->second;
  if (!r.growth.program) return r.no_module;
  LuaModule& module = r.growth.program->modules[{from, name}];
  std::string shown;
  const std::string file = name + ".lua";
  std::optional<std::string> text;
  if (*r.growth.importer) text = (*r.growth.importer)(file, from, shown);
  work = kOpening + (text ? text->size() / kBytesOfStep : 0);
  if (!text) {
    module.problem = "cannot read '" + file + "'";
    return module;
  }
  if (shown.empty()) shown = file;
  if (text->size() > r.growth.source_bytes) {
    module.problem = limit_message("'" + shown + "' has", r.growth.source_bytes, "bytes", "source_bytes");
    return module;
  }
  auto& chunks = r.growth.program->chunks;
  while (module.chunk < chunks.size() && chunks[module.chunk].name != "=" + shown) ++module.chunk;
  if (module.chunk == chunks.size()) {
    LuaChunk chunk;
    r.growth.sources->add(shown, *text, false);
    if (!compile_chunk(*r.growth.compiler, "=" + shown, *text, 1, chunk)) {
      module.problem = r.growth.compiler->problem;
      r.growth.compiler->problem.clear();
      return module;
    }
    chunks.push_back(std::move(chunk));
    r.chunks.resize(chunks.size());
  }
  return module;
}

}  // namespace

int require_module(lua_State* L) {
  LuaRuntime& r = LuaRuntime::of(L);
  luaL_checktype(L, 1, LUA_TSTRING);
  if (!r.loading) return luaL_error(L, "'require' works while a file is loaded, not in a hook");
  r.charge(L, 20 + lua_rawlen(L, 1));
  std::uint64_t work = 0;
  const LuaModule& module = resolve(r, std::string(text_at(L, 1)), work);
  r.charge(L, work);
  if (!module.problem.empty()) {
    lua_pushlstring(L, module.problem.data(), module.problem.size());
    return luaL_error(L, "%s", lua_tostring(L, -1));
  }
  const std::size_t index = module.chunk;
  set_back_modules(L);
  need_chunk(L, index);
  for (const std::size_t used : r.chunks[index].uses) {
    add(r.chunks[r.running.back()].uses, used);
    add(r.in_use, used);
  }
  add(r.chunks[r.running.back()].uses, index);
  add(r.in_use, index);
  push_field_of_chunk(L, index, kResult);
  if (lua_isnil(L, -1)) push_field_of_chunk(L, index, kEnvironment);  // a file of global functions
  return 1;
}

// ---- from outside

void LuaRuntime::note_problem() {
  if (over()) {
    problem = where + message("loading it");
  } else if (lua_type(L, -1) == LUA_TSTRING) {
    problem = text_at(L, -1);
  } else {
    problem = std::string(where) + "the error is a " + luaL_typename(L, -1) + " value";
  }
}

void LuaRuntime::begin_load(const LuaProgram& the_program) {
  program = &the_program;
  hooks.resize(program->chunk_of.size());
  chunks.resize(program->chunks.size());
  loading = true;
  outer_levels = 1;
  steps = 0;
  Meter::begin(L);
  // Keeps what calls need on the stack: the handler, functions, shared variables.
  lua_settop(L, 0);
  lua_pushcfunction(L, note_place);
}

bool LuaRuntime::load_hook(std::size_t hook) {
  const PlainLocale while_loading(*this);
  const std::string& name = program->names[hook];
  hooks[hook].chunk = static_cast<std::size_t>(program->chunk_of[hook]);
  in_use.clear();
  where[0] = '\0';
  problem.clear();
  lua_settop(L, 1);
  lua_pushcfunction(L, find_function);
  lua_pushinteger(L, program->chunk_of[hook]);
  lua_pushlstring(L, name.data(), name.size());
  if (lua_pcall(L, 2, 1, 1) != LUA_OK) {
    note_problem();
  } else if (!lua_isfunction(L, -1) || lua_iscfunction(L, -1)) {
    problem = "it makes no function of that name; write function " + name + "(…) … end, or return function(…) … end";
  } else {
    hooks[hook].reference = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  lua_settop(L, 1);
  return problem.empty();
}

bool LuaRuntime::finish_load() {
  loading = limited = false;
  lua_sethook(L, nullptr, 0, 0);
  counting = false;
  lua_settop(L, 1);
  for (std::size_t index = 0; index < chunks.size(); ++index) {
    if (chunks[index].state != Loaded::State::good) continue;
    add(chunks[index].uses, index);
    push_field_of_chunk(L, index, kVariables);
    const int list = lua_gettop(L);
    const auto size = static_cast<lua_Integer>(lua_rawlen(L, list));
    if (!lua_checkstack(L, static_cast<int>(size) + 64)) {
      problem = "its functions share too many variables";
      return false;
    }
    for (lua_Integer i = 1; i + 2 <= size; i += 3) {
      lua_rawgeti(L, list, i);
      lua_rawgeti(L, list, i + 1);
      const int position = static_cast<int>(lua_tointeger(L, -1));
      lua_pop(L, 1);
      lua_rawgeti(L, list, i + 2);
      if (lua_rawequal(L, -1, list)) {
        lua_pop(L, 1);
        lua_pushnil(L);
      }
      chunks[index].variables.push_back({lua_gettop(L) - 1, position, lua_gettop(L)});
    }
  }
  for (Entry& hook : hooks) {
    if (hook.reference == LUA_NOREF) continue;
    for (const std::size_t used : chunks[hook.chunk].uses) hook.variables += chunks[used].variables.size();
    lua_checkstack(L, 64);
    lua_rawgeti(L, LUA_REGISTRYINDEX, hook.reference);
    hook.function = lua_gettop(L);
    hook.straight = straight_length(L);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, call_with_values, 1);
    hook.caller = lua_gettop(L);
    lua_pushvalue(L, -2);
    lua_Debug at;
    lua_getinfo(L, ">S", &at);
    hook.where = std::string(at.short_src) + ":" + std::to_string(at.linedefined);
  }
  lua_checkstack(L, 64);
  lua_pushcfunction(L, grow_stack);  // so that the stack shrinks to its size after any call
  lua_pcall(L, 0, 0, 0);
  forget_metatables(L);
  collect_garbage();
  texts.zeros = texts.most_zeros > 0;
  clean = {memory, blocks.stack_bytes, texts, chained, lua_gettop(L)};
  clean.texts.fresh = nullptr;
  return true;
}

bool LuaRuntime::load(const LuaProgram& the_program) {
  begin_load(the_program);
  for (std::size_t hook = 0; hook < hooks.size(); ++hook) {
    if (program->chunk_of[hook] >= 0 && !load_hook(hook)) return false;
  }
  return finish_load();
}

// ---- the state

LuaRuntime::LuaRuntime(const Limits& limits, const Interrupt* the_interrupt) {
  bounds.steps = limits.hook_steps;
  bounds.memory = limits.hook_memory_bytes;
  bounds.interrupt = the_interrupt;
#ifdef ASSAY_THREAD_LOCALE
  locale = newlocale(LC_ALL_MASK, "C", static_cast<locale_t>(nullptr));
#endif
  bounds.depth = static_cast<int>(std::min(limits.hook_depth, kMostHookDepth));
  L = state = lua_newstate(allocate, static_cast<Meter*>(this));
  if (!L) {
    problem = "there is not enough memory for a Lua state";
    return;
  }
  *static_cast<Meter**>(lua_getextraspace(L)) = this;
  lua_gc(L, LUA_GCSTOP);
  blocks.watched = nullptr;
  lua_pushcfunction(L, grow_stack);
  if (lua_pcall(L, 0, 0, 0) == LUA_OK) {  // the array that was made or moved is the stack
    blocks.stack = blocks.watched;
    blocks.stack_bytes = blocks.watched_bytes;
  }
  lua_pushcfunction(L, load_library);
  watch = UINT64_MAX;
  if (lua_pcall(L, 0, 0, 0) != LUA_OK)
    problem = std::string("Lua's library could not be loaded: ") + lua_tostring(L, -1);
  chained = 0;
}

LuaRuntime::~LuaRuntime() {
  limited = false;
  if (L) lua_close(L);
#ifdef ASSAY_THREAD_LOCALE
  if (locale) freelocale(static_cast<locale_t>(locale));
#endif
}

void LuaRuntime::collect_garbage() {
  budget = SIZE_MAX;
  limited = false;
  texts.fresh = nullptr;
  stopped = Stop::none;
  lua_gc(L, LUA_GCCOLLECT);
}

}  // namespace assay
