// One Lua state with the hooks of a program: private to the units of the Lua host. C functions that Lua calls find it
// through the state, keep their C++ objects in it and none in their own frames.
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

// While it lives, this thread's C locale is in force: Lua formats and reads numbers by the locale.
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

  // Loads the program's chunks and finds the functions of its hooks. False: `problem`, and `stopped` when it was an end.
  bool load(const LuaProgram& program);
  void begin_load(const LuaProgram& program);
  bool load_hook(std::size_t hook);
  bool finish_load();
  void note_problem();  // of a protected call that failed, its error on top
  // Pushes an argument; may raise Lua's errors when the value is not a number or a bool.
  void push(const TypeTable& types, TypeId type, const Value& value);
  // Reads a result. False: `problem` says what is wrong with it. May raise Lua's errors when it is a table.
  bool read(const TypeTable& types, TypeId type, int index, Value& value, Arena& arena, int depth = 0);
  bool read_number(const TypeTable& types, TypeId type, const Type& t, int index, Value& value);
  bool read_list(const TypeTable& types, TypeId type, int index, Value& value, Arena& arena, int depth);
  bool read_map(const TypeTable& types, TypeId type, int index, Value& value, Arena& arena, int depth);
  TypeId alternative_at(const TypeTable& types, TypeId either, int index);
  bool read_record(const TypeTable& types, TypeId type, int index, Value& value, Arena& arena, int depth);
  bool enter_table(const TypeTable& types, TypeId type, int index, int depth);  // pushes it
  bool refuse(int index, const std::string& expected);
  void push_number(const Number& n);  // by reference: from two registers GCC puts it together in memory, slowly
  void push_json(const JsonNode& node);
  void push_text(std::string_view text);
  void collect_garbage();

  struct Variable {
    int function, position, value;  // places on the stack
  };
  struct Loaded {  // a chunk
    enum class State : std::uint8_t { unknown, running, good, failed } state = State::unknown;
    std::string problem;              // failed
    std::vector<std::size_t> uses;    // chunks that it has required, and those that they have; when complete, itself
    std::vector<Variable> variables;  // that its functions share
  };
  struct Growth {  // while the program is being compiled: what `require` names is added to it
    LuaProgram* program = nullptr;
    LuaRuntime* compiler = nullptr;
    const Importer* importer = nullptr;
    Sources* sources = nullptr;
    std::size_t source_bytes = 0;
  };
  struct Entry {                // of a hook
    int reference = LUA_NOREF;  // to its function, while the program is loaded
    std::size_t variables = 0;  // to be set back before a call
    int function = 0;           // place on the stack; 0: none
    int caller = 0;             // the same within what converts values
    std::size_t chunk = 0;
    std::string where;            // "file.lua:3"
    std::vector<TypeKind> kinds;  // of the parameters
    bool result_optional = false;
    TypeId result_type = kUnknown;
    const Type* result = nullptr;  // null: not yet known
    bool simple = false;           // numbers and bools in, one of them or a text out
    int straight = 0;              // instructions at most, when it needs no counting with such arguments; else 0
  };

  void set_back(const Entry& hook);  // variables that its functions share

  lua_State* L = nullptr;
  void* locale = nullptr;
  std::optional<PlainLocale> plain;  // while hooks are called
  const LuaProgram* program = nullptr;
  const Model* model = nullptr;  // whose types the entries know; null: ask at each call
  Growth growth;
  std::vector<Entry> hooks;
  std::vector<Loaded> chunks;
  std::vector<std::size_t> running;  // chunks, each required by the one before
  std::vector<std::size_t> in_use;   // modules that the hook's chunk has required so far, in whatever way
  LuaModule no_module{0, "there is no such module"};
  bool ready = false;
  std::size_t clean_memory = 0, clean_stack = 0, clean_longest = 0, clean_zeros = 0;
  std::uint32_t clean_chained = 0;
  int clean_top = 0;  // of the stack

  std::string problem;               // what went wrong
  std::string path;                  // in a value that is being read
  char where[LUA_IDSIZE + 32] = {};  // "file.lua:3: " of the last error that is not a text
  NumberPool* numbers = nullptr;
  JsonNode json;
};

// Argument: a Call (lua_host.cpp); upvalue: the hook's function.
int call_with_values(lua_State* L);

// Compiles a text in a state that runs nothing. `line`: of the file, where it begins. False: `compiler.problem`.
bool compile_chunk(LuaRuntime& compiler, const std::string& name, std::string_view text, int line, LuaChunk& chunk);

// Of the function on top: how many instructions a call executes at most, when that is known to be few and to call
// nothing, given numbers and bools (lua_straight.cpp); else 0.
inline constexpr std::size_t kLongestStraight = 200;
int straight_length(lua_State* L);

// The handler of every protected call: remembers where an error that is not a text came from.
int note_place(lua_State* L);

}  // namespace assay
