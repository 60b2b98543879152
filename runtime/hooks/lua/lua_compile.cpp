// From the Lua of a rubric to a LuaProgram: each text is compiled to bytecode in a state that runs nothing, and loaded
// in another state exactly as an evaluating thread will load it, so that errors of loading appear here.
#include "runtime/hooks/lua/lua_runtime.hpp"
#include "runtime/hooks/lua/lua_source.hpp"

#include <algorithm>
#include <cctype>

namespace assay {

namespace {

// Converts "file.lua:3: problem" to a place in that file, and marks the token that Lua quotes.
void report(const Model& model, int hook, Sources& sources, const std::string& problem, Diagnostics& diagnostics) {
  const HookModel& h = model.hooks[static_cast<std::size_t>(hook)];
  Span at = h.span;
  std::string message = problem;
  for (std::size_t file = sources.size(); file-- > 0;) {
    const SourceFile& source = sources.file(static_cast<std::uint32_t>(file));
    const std::string prefix = source.name.substr(0, LUA_IDSIZE - 1) + ":";  // shortened as Lua does
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
      if (!source.rubric) message.resize(near);  // other files are not quoted
    }
    at = {static_cast<std::uint32_t>(file), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(stop)};
    break;
  }
  diagnostics.report(Code::bad_lua, at, "the Lua of hook '" + h.name + "' does not work: " + message);
}

}  // namespace

namespace {

// A source that Lua's parser reads in pieces, with a look at the limits before each.
struct SourceReader {
  Meter& meter;
  std::string_view rest;
  static const char* next(lua_State*, void* data, std::size_t* size) {
    constexpr std::size_t kPiece = std::size_t{1} << 16;
    auto& reader = *static_cast<SourceReader*>(data);
    const std::string_view piece = reader.rest.substr(0, kPiece);
    reader.rest.remove_prefix(piece.size());
    *size = reader.meter.must_end() ? 0 : piece.size();
    return piece.data();
  }
};

bool load_source(LuaRuntime& r, std::string_view source, const char* name) {
  SourceReader reader{r, source};
  return lua_load(r.L, SourceReader::next, &reader, name, "t") == LUA_OK;
}

}  // namespace

bool compile_chunk(LuaRuntime& r, const std::string& name, std::string_view text, int line, LuaChunk& chunk) {
  lua_State* L = r.L;
  const int top = lua_gettop(L);
  chunk.name = name;
  const std::string source = std::string(static_cast<std::size_t>(line - 1), '\n') + std::string(text);
  r.collect_garbage();
  r.begin(L);
  const LuaSource seen = inspect_source(source, r);
  if (!seen.problem.empty()) {
    r.problem = name.substr(1) + ":" + std::to_string(seen.line) + ": " + seen.problem;
    return false;
  }
  chunk.zeros = seen.zeros;
  bool good = load_source(r, source, name.c_str());
  if (good) {
    lua_settop(L, top);
    const std::string rewritten = rewrite_source(source, r).text;
    good = load_source(r, rewritten, name.c_str()) && lua_dump(L, append_code, &chunk.code, 0) == 0;
  }
  if (r.over()) {
    r.problem = r.message("compiling it");
  } else if (!good) {
    r.problem =
        lua_type(L, -1) == LUA_TSTRING ? std::string(text_at(L, -1)) : "there is not enough memory to compile it";
  }
  good = good && !r.over();
  lua_settop(L, top);
  return good;
}

std::shared_ptr<const LuaProgram> compile_lua(const Model& model, const std::vector<bool>& wanted, Sources& sources,
                                              const Importer& importer, const Limits& limits,
                                              const Interrupt* interrupt, Diagnostics& diagnostics) {
  auto program = std::make_shared<LuaProgram>();
  program->chunk_of.assign(model.hooks.size(), -1);
  LuaRuntime compiler(limits, interrupt);
  std::map<std::string, int> files;  // → chunk; -1: invalid, and reported
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
    LuaChunk chunk;
    if (!compiler.problem.empty() || !compile_chunk(compiler, "=" + (in_file ? hook.path : at.file.str()), hook.source,
                                                    in_file ? 1 : at.line, chunk)) {
      report(model, static_cast<int>(i), sources, compiler.problem, diagnostics);
      if (compiler.over()) return nullptr;
      compiler.problem.clear();
      continue;
    }
    program->chunk_of[i] = static_cast<int>(program->chunks.size());
    if (in_file) files[hook.path] = program->chunk_of[i];
    program->chunks.push_back(std::move(chunk));
  }
  if (diagnostics.errors() > errors) return nullptr;
  LuaRuntime runtime(limits, interrupt);
  runtime.growth = LuaRuntime::Growth{program.get(), &compiler, &importer, &sources, limits.source_bytes};
  runtime.begin_load(*program);
  int first = -1;
  for (std::size_t i = 0; i < model.hooks.size(); ++i) {
    if (!wanted[i]) continue;
    if (first < 0) first = static_cast<int>(i);
    if (runtime.load_hook(i)) continue;
    report(model, static_cast<int>(i), sources, runtime.problem, diagnostics);
    if (runtime.over()) return nullptr;
  }
  if (diagnostics.errors() > errors) return nullptr;
  if (!runtime.finish_load()) report(model, first, sources, runtime.problem, diagnostics);
  return program;
}

}  // namespace assay
