// One Lua state with the hooks of a program; private to the units of the Lua host. C functions that Lua calls find it
// through the state, and keep their C++ objects in it, never in their own frames.
#pragma once

#include "runtime/hooks/lua/lua_host.hpp"
#include "runtime/hooks/lua/lua_meter.hpp"
#include "runtime/json/json_tree.hpp"

#include <optional>

#if defined(__unix__) || defined(__APPLE__)
#include <locale.h>
#define ASSAY_THREAD_LOCALE 1
#endif

namespace assay {

struct LuaRuntime;

// For lua_dump: adds the bytes of a compiled function to a std::string.
inline int append_code(lua_State*, const void* bytes, std::size_t size, void* to) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), size);
  return 0;
}

// While it exists, this thread uses the C locale: Lua formats and reads numbers by the locale.
class PlainLocale {
 public:
  explicit PlainLocale(const LuaRuntime& runtime);
  ~PlainLocale();
  PlainLocale(const PlainLocale&) = delete;
  PlainLocale& operator=(const PlainLocale&) = delete;

 private:
  void* before_;
};

struct LuaRuntime : Meter {
  LuaRuntime(const Limits& limits, const Interrupt* interrupt);
  ~LuaRuntime();
  LuaRuntime(const LuaRuntime&) = delete;
  LuaRuntime& operator=(const LuaRuntime&) = delete;
  static LuaRuntime& of(lua_State* L) { return static_cast<LuaRuntime&>(Meter::of(L)); }

  // Loads the program's chunks and finds the functions of its hooks. False: see `problem`, and `stopped` if a limit
  // ended it.
  bool load(const LuaProgram& program);
  void begin_load(const LuaProgram& program);
  bool load_hook(std::size_t hook);
  bool finish_load();
  void note_problem();  // records the error on top, of a failed protected call
  // Pushes an argument; may raise Lua errors if the value is not a number or a bool.
  void push(const TypeTable& types, TypeId type, const Value& value);
  // Reads a result. False: `problem` describes its error. May raise Lua errors if it is a table.
  bool read(const TypeTable& types, TypeId type, int index, Value& value, Arena& arena, int depth = 0);
  bool read_number(const TypeTable& types, TypeId type, const Type& t, int index, Value& value);
  bool read_list(const TypeTable& types, TypeId type, int index, Value& value, Arena& arena, int depth);
  bool read_map(const TypeTable& types, TypeId type, int index, Value& value, Arena& arena, int depth);
  TypeId alternative_at(const TypeTable& types, TypeId either, int index);
  bool read_record(const TypeTable& types, TypeId type, int index, Value& value, Arena& arena, int depth);
  bool enter_table(const TypeTable& types, TypeId type, int index, int depth);  // pushes it
  bool refuse(int index, const std::string& expected);
  void push_number(const Number& n);  // by reference: from two registers GCC would assemble it in memory, slowly
  void push_json(const JsonNode& node);
  void push_text(std::string_view text);
  void collect_garbage();

  struct Variable {
    int function, position, value;  // stack indices
  };
  struct Loaded {  // a chunk
    enum class State : std::uint8_t { unknown, running, good, failed } state = State::unknown;
    std::string problem;              // failed
    std::vector<std::size_t> uses;    // chunks that it has required, directly or not; when complete, also itself
    std::vector<Variable> variables;  // that its functions share
  };
  struct Growth {  // while the program is compiled: files named by `require` are added to it
    LuaProgram* program = nullptr;
    LuaRuntime* compiler = nullptr;
    const Importer* importer = nullptr;
    Sources* sources = nullptr;
    std::size_t source_bytes = 0;
  };
  struct Entry {                // of a hook
    int reference = LUA_NOREF;  // reference to its function, while the program is loaded
    std::size_t variables = 0;  // to reset before a call
    int function = 0;           // stack index; 0: none
    int caller = 0;             // stack index of the function that converts values and calls it
    std::size_t chunk = 0;
    std::string where;            // its place: "file.lua:3"
    std::vector<TypeKind> kinds;  // of the parameters
    bool result_optional = false;
    TypeId result_type = kUnknown;
    const Type* result = nullptr;  // null: not known yet
    bool simple = false;           // arguments are numbers and bools, the result is one of them or a text
    // the largest number of instructions, if such arguments need no metering; otherwise 0
    int straight = 0;
  };

  struct Clean {  // the state between two calls
    std::size_t memory = 0, stack_bytes = 0;
    Texts texts;
    std::uint32_t chained = 0;
    int top = 0;  // of the stack
  };

  void set_back(const Entry& hook);  // variables that its functions share

  lua_State* L = nullptr;
  void* locale = nullptr;
  std::optional<PlainLocale> plain;  // while hooks are called
  const LuaProgram* program = nullptr;
  const Model* model = nullptr;  // the model whose types the entries cache; null: look up at each call
  Growth growth;
  std::vector<Entry> hooks;
  std::vector<Loaded> chunks;
  std::vector<std::size_t> running;  // chunks, each required by the previous one
  std::vector<std::size_t> in_use;   // modules that the hook's chunk has required so far, directly or not
  LuaModule no_module{0, "there is no such module"};
  bool ready = false;
  Clean clean;

  std::string problem;               // what went wrong
  std::string path;                  // path in the value being read
  char where[LUA_IDSIZE + 32] = {};  // "file.lua:3: " of the last error that is not a text
  NumberPool* numbers = nullptr;
  JsonNode json;
};

// Argument: a Call (lua_host.cpp); upvalue: the hook's function.
int call_with_values(lua_State* L);

// Compiles a text in a state that runs nothing. `line`: its first line in the file. False: see `compiler.problem`.
bool compile_chunk(LuaRuntime& compiler, const std::string& name, std::string_view text, int line, LuaChunk& chunk);

// For the function on top: the largest number of instructions of a call with numbers and bools, if it is small and the
// function calls nothing (lua_straight.cpp); otherwise 0.
inline constexpr std::size_t kLongestStraight = 200;
int straight_length(lua_State* L);

// The handler of every protected call: records where an error that is not a text came from.
int note_place(lua_State* L);

}  // namespace assay
