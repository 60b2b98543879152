// From Lua texts to loaded hooks: compiling chunks, running each once, `require`, and making constant what they made.
#include "runtime/hooks/lua/lua_runtime.hpp"

#include <algorithm>
#include <cctype>

namespace assay {

namespace {

char kLibrary, kAlone, kChunks;  // keys in the registry

// ---- numeric loops
//
// The bounds of a numeric `for` are the one place where Lua itself reads a number from a text, of any length and
// uncounted. `for i = a, b do` is compiled as `for i = -(-(a)), -(-(b)) do`, which refuses a text and changes no
// number.
class LoopBounds {
 public:
  explicit LoopBounds(std::string_view text) : text_(text) {}
  std::string rewrite() {
    while (next()) {
      if (word_ == "for") numeric_loop();
    }
    out_.append(text_.substr(copied_));
    return std::move(out_);
  }

 private:
  std::size_t long_bracket(std::size_t at) const {  // its level + 1 at '[', or 0
    std::size_t level = at + 1;
    while (level < text_.size() && text_[level] == '=') ++level;
    return level < text_.size() && text_[level] == '[' ? level - at : 0;
  }
  void skip_long(std::size_t level) {
    const std::string close = "]" + std::string(level - 1, '=') + "]";
    const std::size_t end = text_.find(close, at_);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }
  // The next token: its first character in begin_, its text in word_ when it is a word or a sign; texts are empty
  // words.
  bool next() {
    for (;;) {
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
      if (at_ >= text_.size()) return false;
      if (text_.substr(at_, 2) != "--") break;
      at_ += 2;
      const std::size_t level = at_ < text_.size() && text_[at_] == '[' ? long_bracket(at_) : 0;
      if (level) {
        skip_long(level);
      } else {
        while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
      }
    }
    begin_ = at_;
    const char c = text_[at_];
    word_ = {};
    if (c == '"' || c == '\'') {
      for (++at_; at_ < text_.size() && text_[at_] != c; ++at_) {
        if (text_[at_] == '\\') ++at_;
      }
      ++at_;
    } else if (c == '[' && long_bracket(at_)) {
      skip_long(long_bracket(at_));
    } else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
      word_ = text_.substr(begin_, at_ - begin_);
    } else {
      word_ = text_.substr(at_++, 1);
    }
    return true;
  }
  void copy_to(std::size_t end, const char* then) {
    out_.append(text_.substr(copied_, end - copied_)).append(then);
    copied_ = end;
  }
  // After `for`: name, then '=' for a numeric loop.
  void numeric_loop() {
    if (!next() || !next() || word_ != "=") return;
    copy_to(at_, " -(-(");
    int depth = 0;  // of brackets and blocks within a bound
    while (next()) {
      if (depth == 0 && word_ == ",") {
        copy_to(begin_, "))");
        copy_to(at_, " -(-(");
      } else if (depth == 0 && word_ == "do") {
        copy_to(begin_, ")) ");
        return;
      } else if (word_ == "(" || word_ == "{" || word_ == "[" || word_ == "function" || word_ == "if" ||
                 word_ == "repeat" || word_ == "do") {
        ++depth;
      } else if (word_ == ")" || word_ == "}" || word_ == "]" || word_ == "end" || word_ == "until") {
        --depth;
      } else if (word_ == "for") {  // in a function within the bound
        const int inner = depth;
        numeric_loop();
        depth = inner;
        if (word_ == "do") ++depth;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0, begin_ = 0, copied_ = 0;
  std::string_view word_;
  std::string out_;
};

int append(lua_State*, const void* bytes, std::size_t size, void* out) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), size);
  return 0;
}

// ---- loading, within a protected call

void push_chunk(lua_State* L, std::size_t index);

// Runs a chunk in an environment of its own. Puts {result, environment} into the list of chunks.
void run_chunk(lua_State* L, std::size_t index) {
  LuaRuntime& r = LuaRuntime::of(L);
  const LuaChunk& chunk = r.program->chunks[index];
  if (luaL_loadbufferx(L, chunk.code.data(), chunk.code.size(), chunk.name.c_str(), "b") != LUA_OK) lua_error(L);
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
  r.loaded[index] = true;
  lua_createtable(L, 2, 0);
  lua_insert(L, -3);
  lua_rawseti(L, -3, 1);
  lua_rawseti(L, -2, 2);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kChunks);
  lua_insert(L, -2);
  lua_rawseti(L, -2, static_cast<lua_Integer>(index + 1));
  lua_pop(L, 1);
}

// {result, environment} of a chunk, run when it was not yet.
void push_chunk(lua_State* L, std::size_t index) {
  LuaRuntime& r = LuaRuntime::of(L);
  if (r.loaded.size() < r.program->chunks.size()) r.loaded.resize(r.program->chunks.size(), false);
  if (!r.loaded[index]) {
    for (const std::size_t other : r.loading_chunks) {
      if (other == index) luaL_error(L, "'%s' requires itself", r.program->chunks[index].name.c_str() + 1);
    }
    r.loading_chunks.push_back(index);
    luaL_checkstack(L, 20, "require");
    run_chunk(L, index);
    r.loading_chunks.pop_back();
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kChunks);
  lua_rawgeti(L, -1, static_cast<lua_Integer>(index + 1));
  lua_remove(L, -2);
}

int load_library(lua_State* L) {
  push_library(L);
  lua_newtable(L);
  lua_pushvalue(L, 1);
  lua_rawseti(L, 2, 1);
  lua_pushvalue(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kLibrary);
  lua_pushcfunction(L, freeze);
  lua_pushvalue(L, 2);
  lua_call(L, 1, 2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kAlone);
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kChunks);
  return 0;
}

int load_chunk(lua_State* L) {
  push_chunk(L, static_cast<std::size_t>(lua_tointeger(L, 1)));
  return 1;
}

int freeze_chunk(lua_State* L) {  // argument: a chunk; result: the list of its shared variables
  lua_pushcfunction(L, freeze);
  lua_insert(L, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kAlone);
  lua_call(L, 2, 1);
  return 1;
}

// The function of a hook: arguments chunk, name. A field of the table that the chunk returns, a global function of the
// chunk, or the function that it returns; else nil.
int find_function(lua_State* L) {
  lua_rawgeti(L, 1, 1);
  lua_rawgeti(L, 1, 2);
  for (const int from : {3, 4}) {
    if (!lua_istable(L, from)) continue;
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

// Finds or compiles what `require name` means in the chunk being loaded: its index, or -1 with `problem`.
std::ptrdiff_t resolve(LuaRuntime& r, const char* name) {
  const std::string from = r.program->chunks[r.loading_chunks.back()].name.substr(1);
  const auto known = r.program->modules.find({from, name});
  if (known != r.program->modules.end()) return static_cast<std::ptrdiff_t>(known->second);
  r.problem = "there is no module '" + std::string(name) + "'";
  if (!r.growing) return -1;
  std::string shown;
  const std::string file = std::string(name) + ".lua";
  std::optional<std::string> text;
  if (*r.importer) text = (*r.importer)(file, from, shown);
  if (!text) {
    r.problem = "cannot read \"" + file + "\"";
    return -1;
  }
  if (shown.empty()) shown = file;
  std::size_t index = 0;
  auto& chunks = r.growing->chunks;
  while (index < chunks.size() && chunks[index].name != "=" + shown) ++index;
  if (index == chunks.size()) {
    LuaChunk chunk{"=" + shown, {}};
    r.sources->add(shown, *text, false);
    if (!compile_chunk(r, chunk.name, *text, 1, chunk.code)) return -1;
    chunks.push_back(std::move(chunk));
  }
  r.growing->modules[{from, name}] = index;
  return static_cast<std::ptrdiff_t>(index);
}

}  // namespace

int require_module(lua_State* L) {
  LuaRuntime& r = LuaRuntime::of(L);
  luaL_checktype(L, 1, LUA_TSTRING);
  if (!r.loading) return luaL_error(L, "'require' works while a file is loaded, not in a hook");
  const std::ptrdiff_t index = resolve(r, lua_tostring(L, 1));
  if (index < 0) {
    lua_pushlstring(L, r.problem.data(), r.problem.size());
    return luaL_error(L, "%s", lua_tostring(L, -1));
  }
  push_chunk(L, static_cast<std::size_t>(index));
  lua_rawgeti(L, -1, 1);
  if (lua_isnil(L, -1)) lua_rawgeti(L, -2, 2);  // a file of global functions
  return 1;
}

bool compile_chunk(LuaRuntime& r, const std::string& name, std::string_view text, int line, std::string& code) {
  lua_State* L = r.L;
  const int top = lua_gettop(L);
  const std::string lines(static_cast<std::size_t>(line - 1), '\n');
  const std::string source = lines + std::string(text);
  bool good = luaL_loadbufferx(L, source.data(), source.size(), name.c_str(), "t") == LUA_OK;
  if (good) {
    lua_settop(L, top);
    const std::string rewritten = LoopBounds(source).rewrite();
    good = luaL_loadbufferx(L, rewritten.data(), rewritten.size(), name.c_str(), "t") == LUA_OK &&
           lua_dump(L, append, &code, 0) == 0;
  }
  if (!good) r.problem = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "not enough memory to compile it";
  lua_settop(L, top);
  return good;
}

bool LuaRuntime::load(const LuaProgram& the_program) {
  program = &the_program;
  hooks.resize(program->chunk_of.size());
  const PlainLocale while_loading(*this);
  loading = true;
  outer_levels = 1;
  steps = 0;
  Meter::begin(L);
  const auto fail = [&] {
    if (stopped != Stop::none) {
      problem = where + message();
      limited = true;
    } else {
      problem = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1)
                                               : std::string(where) + "the error is a " + luaL_typename(L, -1);
    }
    return false;
  };
  const auto run = [&](lua_CFunction function, int results) {  // with what is above the handler
    lua_pushcfunction(L, function);
    const int arguments = lua_gettop(L) - 2;
    lua_insert(L, 2);
    return lua_pcall(L, arguments, results, 1) == LUA_OK;
  };
  lua_settop(L, 0);
  lua_pushcfunction(L, note_place);
  for (std::size_t hook = 0; hook < hooks.size(); ++hook) {
    if (program->chunk_of[hook] < 0) continue;
    lua_settop(L, 1);
    lua_pushinteger(L, program->chunk_of[hook]);
    if (!run(load_chunk, 1)) return fail();
  }
  // The stack keeps what calls need: the handler, functions, shared variables.
  loading = false;
  stopped = Stop::none;
  budget = SIZE_MAX;
  lua_sethook(L, nullptr, 0, 0);
  lua_settop(L, 1);
  std::vector<int> references(hooks.size(), LUA_NOREF), lists(program->chunks.size(), LUA_NOREF);
  for (std::size_t hook = 0; hook < hooks.size(); ++hook) {
    if (program->chunk_of[hook] < 0) continue;
    hooks[hook].chunk = static_cast<std::size_t>(program->chunk_of[hook]);
    lua_pushinteger(L, program->chunk_of[hook]);
    if (!run(load_chunk, 1)) return fail();
    const std::string& name = program->names[hook];
    lua_pushlstring(L, name.data(), name.size());
    if (!run(find_function, 1)) return fail();
    if (!lua_isfunction(L, -1) || lua_iscfunction(L, -1)) {
      problem = "it makes no function of that name; write function " + name + "(…) … end, or return function(…) … end";
      return false;
    }
    references[hook] = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  for (std::size_t hook = 0; hook < hooks.size(); ++hook) {
    if (references[hook] == LUA_NOREF || lists[hooks[hook].chunk] != LUA_NOREF) continue;
    lua_pushinteger(L, program->chunk_of[hook]);
    if (!run(load_chunk, 1) || !run(freeze_chunk, 1)) return fail();
    lists[hooks[hook].chunk] = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  variables.resize(program->chunks.size());
  for (std::size_t chunk = 0; chunk < lists.size(); ++chunk) {
    if (lists[chunk] == LUA_NOREF) continue;
    lua_rawgeti(L, LUA_REGISTRYINDEX, lists[chunk]);
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
      variables[chunk].push_back({lua_gettop(L) - 1, position, lua_gettop(L)});
    }
  }
  for (std::size_t hook = 0; hook < hooks.size(); ++hook) {
    if (references[hook] == LUA_NOREF) continue;
    lua_checkstack(L, 64);
    lua_rawgeti(L, LUA_REGISTRYINDEX, references[hook]);
    hooks[hook].function = lua_gettop(L);
    hooks[hook].straight = straight_length(L);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, call_with_values, 1);
    hooks[hook].caller = lua_gettop(L);
    lua_pushvalue(L, -2);
    lua_Debug at;
    lua_getinfo(L, ">S", &at);
    hooks[hook].where = std::string(at.short_src) + ":" + std::to_string(at.linedefined);
  }
  lua_checkstack(L, 64);
  lua_pushcfunction(L, grow_stack);  // so that it shrinks to the size that it shrinks to after any call
  lua_pcall(L, 0, 0, 0);
  collect_garbage();
  clean_memory = memory;
  clean_stack = stack_bytes;
  clean_longest = longest;
  clean_top = lua_gettop(L);
  return true;
}

// ---- the state

LuaRuntime::LuaRuntime(const Limits& limits) {
  step_limit = limits.hook_steps;
  memory_limit = limits.hook_memory_bytes;
#ifdef ASSAY_THREAD_LOCALE
  locale = newlocale(LC_ALL_MASK, "C", static_cast<locale_t>(nullptr));
#endif
  depth_limit = static_cast<int>(std::min<std::uint32_t>(limits.hook_depth, 1'000'000));
  L = lua_newstate(allocate, static_cast<Meter*>(this));
  if (!L) {
    problem = "there is not enough memory for a Lua state";
    return;
  }
  *static_cast<Meter**>(lua_getextraspace(L)) = this;
  lua_gc(L, LUA_GCSTOP);
  watched = nullptr;
  lua_pushcfunction(L, grow_stack);
  if (lua_pcall(L, 0, 0, 0) == LUA_OK) {  // the array that has been made or moved is the stack
    stack = watched;
    stack_bytes = watched_bytes;
  }
  lua_pushcfunction(L, load_library);
  if (lua_pcall(L, 0, 0, 0) != LUA_OK) problem = "Lua's library could not be loaded";
}

LuaRuntime::~LuaRuntime() {
  if (L) lua_close(L);
#ifdef ASSAY_THREAD_LOCALE
  if (locale) freelocale(static_cast<locale_t>(locale));
#endif
}

void LuaRuntime::collect_garbage() {
  budget = SIZE_MAX;
  stopped = Stop::none;
  lua_gc(L, LUA_GCCOLLECT);
}

// ---- compiling

namespace {

// "file.lua:3: what" → the place in that file; the token that Lua quotes is marked.
void report(const Model& model, int hook, Sources& sources, const std::string& problem, Diagnostics& diagnostics) {
  const HookModel& h = model.hooks[static_cast<std::size_t>(hook)];
  Span at = h.span;
  std::string message = problem;
  for (std::size_t file = sources.size(); file-- > 0;) {
    const SourceFile& source = sources.file(static_cast<std::uint32_t>(file));
    const std::string prefix = source.name.substr(0, LUA_IDSIZE - 1) + ":";  // as Lua cuts it
    if (problem.compare(0, prefix.size(), prefix) != 0) continue;
    std::size_t end = prefix.size();
    int line = 0;
    while (end < problem.size() && std::isdigit(static_cast<unsigned char>(problem[end])) && line < 100'000'000)
      line = line * 10 + (problem[end++] - '0');
    if (end + 2 > problem.size() || problem[end] != ':' || line == 0) continue;
    std::size_t begin = 0;
    for (int i = 1; i < line && begin != std::string::npos; ++i)
      begin =
          source.text.find('\n', begin) == std::string::npos ? std::string::npos : source.text.find('\n', begin) + 1;
    if (begin == std::string::npos) continue;
    message = problem.substr(end + 2);
    std::size_t stop = std::min(source.text.find('\n', begin), source.text.size());
    while (begin < stop && (source.text[begin] == ' ' || source.text[begin] == '\t')) ++begin;
    if (const std::size_t near = message.rfind(" near '"); near != std::string::npos && message.back() == '\'') {
      const std::string token = message.substr(near + 7, message.size() - near - 8);
      const std::size_t found = source.text.substr(begin, stop - begin).rfind(token);
      if (!token.empty() && found != std::string::npos) {
        begin += found;
        stop = begin + token.size();
      }
      if (!source.rubric) message.resize(near);  // of other files nothing is shown
    }
    at = {static_cast<std::uint32_t>(file), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(stop)};
    break;
  }
  diagnostics.report(Code::bad_lua, at, "the Lua of hook '" + h.name + "' does not work: " + message);
}

}  // namespace

std::shared_ptr<const LuaProgram> compile_lua(const Model& model, const std::vector<bool>& wanted, Sources& sources,
                                              const Importer& importer, const Limits& limits,
                                              Diagnostics& diagnostics) {
  auto program = std::make_shared<LuaProgram>();
  program->chunk_of.assign(model.hooks.size(), -1);
  LuaRuntime runtime(limits);
  runtime.program = runtime.growing = program.get();
  runtime.importer = &importer;
  runtime.sources = &sources;
  std::map<std::string, int> files;  // → chunk; -1: wrong, and reported
  const std::size_t errors = diagnostics.errors();
  for (std::size_t i = 0; i < model.hooks.size(); ++i) {
    const HookModel& hook = model.hooks[i];
    program->names.push_back(hook.name);
    if (!wanted[i]) continue;
    const bool in_file = !hook.path.empty();
    if (in_file) {
      const auto known = files.find(hook.path);
      if (known != files.end()) {
        program->chunk_of[i] = known->second;
        continue;
      }
      sources.add(hook.path, hook.source, false);
      files[hook.path] = -1;
    }
    const Location at = sources.locate(hook.source_span);
    LuaChunk chunk{"=" + (in_file ? hook.path : at.file), {}};
    if (!runtime.problem.empty() ||
        !compile_chunk(runtime, chunk.name, hook.source, in_file ? 1 : at.line, chunk.code)) {
      report(model, static_cast<int>(i), sources, runtime.problem, diagnostics);
      runtime.problem.clear();
      continue;
    }
    program->chunk_of[i] = static_cast<int>(program->chunks.size());
    if (in_file) files[hook.path] = program->chunk_of[i];
    program->chunks.push_back(std::move(chunk));
  }
  if (diagnostics.errors() > errors) return nullptr;
  // Each hook is loaded alone first, so that what is wrong is reported with its hook.
  for (std::size_t i = 0; i < model.hooks.size(); ++i) {
    if (!wanted[i]) continue;
    LuaProgram one = *program;
    for (std::size_t other = 0; other < one.chunk_of.size(); ++other) {
      if (other != i) one.chunk_of[other] = -1;
    }
    LuaRuntime alone(limits);
    alone.growing = &one;
    alone.importer = &importer;
    alone.sources = &sources;
    const bool good = alone.problem.empty() && alone.load(one);
    program->chunks = one.chunks;
    program->modules = one.modules;
    if (!good) report(model, static_cast<int>(i), sources, alone.problem, diagnostics);
  }
  if (diagnostics.errors() > errors) return nullptr;
  return program;
}

}  // namespace assay
