// Hooks written in Lua. A LuaProgram is the compiled form of a rubric's hooks: bytecode, made once and shared by all
// threads. A LuaHost is one thread's Lua state with that program loaded; it calls hooks with values of the declared
// types and checks their results. docs/hooks.md says what a hook may do; lua_library.cpp and lua_meter.cpp enforce it.
#pragma once

#include "lang/model/model.hpp"
#include "lang/text/source.hpp"
#include "runtime/vm/vm.hpp"

#include <assay/importer.hpp>
#include <assay/interrupt.hpp>
#include <assay/limits.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace assay {

struct LuaChunk {         // one file or inline block
  std::string name;       // the name of its file in messages
  std::string code;       // bytecode
  std::size_t zeros = 0;  // the largest number of NULs in one of its texts
};

struct LuaModule {  // the result of `require` for a name
  std::size_t chunk = 0;
  std::string problem;  // empty: the chunk exists
};

struct LuaProgram {
  std::vector<LuaChunk> chunks;
  std::map<std::pair<std::string, std::string>, LuaModule> modules;  // by the requiring file and the name
  std::vector<int> chunk_of;                                         // by hook of the model; -1: not written in Lua
  std::vector<std::string> names;                                    // by hook
};

// Compiles and loads every hook for which `wanted` is true. Errors are reported in the file that has them.
std::shared_ptr<const LuaProgram> compile_lua(const Model& model, const std::vector<bool>& wanted, Sources& sources,
                                              const Importer& importer, const Limits& limits,
                                              const Interrupt* interrupt, Diagnostics& diagnostics);

struct LuaRuntime;

class LuaHost {
 public:
  // `model`: the model whose hooks are called most, which outlives the host; null: none. `interrupt`: may be null.
  LuaHost(std::shared_ptr<const LuaProgram> program, const Limits& limits, const Model* model,
          const Interrupt* interrupt = nullptr);
  ~LuaHost();
  LuaHost(const LuaHost&) = delete;
  LuaHost& operator=(const LuaHost&) = delete;

  void begin();  // starts an evaluation with fresh limits
  void end();    // ends it, also before code of the host is called: restores this thread's locale
  bool call(const Model& model, int hook, const Value* args, Value& result, Arena& arena, RunError& error);
  std::uint64_t steps() const;      // since begin()
  std::size_t peak_memory() const;  // the largest number of bytes that the state has held
  void count_exactly(bool on);      // slow: for explanations

 private:
  void load();

  std::shared_ptr<const LuaProgram> program_;
  Limits limits_;
  const Model* model_;
  const Interrupt* interrupt_;
  std::unique_ptr<LuaRuntime> runtime_;
};

}  // namespace assay
