// The implementation of `compile`. ProgramBuilder collects the shared parts of a program and decides which bytecode
// functions exist; FunctionCompiler writes one of them. Registers are allocated like a stack, so a temporary is free
// after its statement; items of a rubric are written first and keep theirs. A value that is already in a register (a
// slot, a local, a constant, an item) is used there and never copied.
#pragma once

#include "lang/bytecode/compile.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace assay {

inline constexpr std::uint32_t kNoRegister = 0xffffffffu;
// while a function is being written: marks a constant number …
inline constexpr std::uint32_t kConstantBit = 0x80000000u;

// The parts of its rubric that a function's body uses, directly or through calls: passed as further arguments, in this
// order.
struct FreeNames {
  std::set<int> items, slots, weights;
  std::size_t size() const { return items.size() + slots.size() + weights.size(); }
};

class ProgramBuilder {
 public:
  ProgramBuilder(std::shared_ptr<const Model> model, int rubric, bool traced);
  std::shared_ptr<const Program> build(const std::vector<int>& roots, bool checks);

  const Model& model() const { return *program_->model; }
  Program& program() { return *program_; }
  bool traced() const { return traced_; }

  // The number of a bytecode function; it is written before `build` ends.
  std::uint32_t function(int index);
  std::uint32_t rubric_function(int rubric);  // slots, weights → the record of its verdict
  std::uint32_t rules_function(int rubric);   // slots, weights, path → missing, or aborts the run
  bool has_rules(int rubric);
  const FreeNames& free_names(int function);

  // Numbers in the program's lists.
  std::uint32_t lookup(std::uint32_t table);
  std::uint32_t pick(TypeId type, std::span<const Value> values);
  // False: the list does not consist of constants, or is so short that a linear search is faster.
  bool set(TypeId element, const Expr& list, std::uint32_t& number);
  std::uint32_t text(const Expr& e);
  std::uint32_t key_set(const std::vector<std::string>& names);
  std::uint32_t sort(SortOrder order);
  std::uint32_t builtin_call(BuiltinCall call);
  std::uint16_t type(TypeId type);
  std::uint32_t message(const std::string& text);
  std::uint32_t point(TracePoint point);
  // The value of an expression that consists of constants only.
  bool constant_value(const Expr& e, Value& value);

 private:
  enum class Work : std::uint8_t { function, rubric, rules };
  std::uint32_t request(Work work, int index);
  void write(std::uint32_t at, Work work, int index);
  void find_free_names();

  std::shared_ptr<Program> program_;
  bool traced_;
  std::map<std::pair<Work, int>, std::uint32_t> known_;
  std::vector<std::pair<Work, int>> queue_;  // the pending functions, from 1 on
  std::vector<FreeNames> free_;
  std::vector<int> rules_;  // per rubric: -1 unknown, -2 being determined, 0, 1
  std::map<std::uint32_t, std::uint32_t> lookups_;
  std::map<TypeId, std::uint16_t> types_;
  std::map<std::string, std::uint32_t> messages_;
};

struct Label {  // an instruction that follows its jumps
  std::vector<std::uint32_t> uses;
};

class FunctionCompiler {
 public:
  FunctionCompiler(ProgramBuilder& builder, int rubric, std::string name);

  // These make parameters; call them before anything else.
  std::uint32_t parameter() { return params_++; }
  void rubric_parameters();
  void function_parameters(const Function& function, const FreeNames& free);
  // `kept`: the records are those of the evaluation, whose verdicts and rules the VM caches between runs.
  void set_history(std::uint32_t reg, bool kept = false) {
    history_ = reg;
    keeps_history_ = kept;
  }

  // writes the items that e uses, unless they are written already
  void need(const Expr* e);
  bool adjusted_total(const Item& item, std::uint32_t& d);  // true: d holds the item, a total computed without its list
  std::uint32_t item(int index);                            // the register of an item, which is written if necessary
  std::uint32_t expr(const Expr* e);                        // the register of its value
  void rules(std::uint32_t prefix);
  void history_rules();
  std::uint32_t constant(const Value& value, TypeId type);
  std::uint32_t text_constant(const std::string& text);
  std::uint32_t empty_list();
  std::uint32_t make_verdict();
  std::uint32_t emit(Opcode op, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0, std::uint32_t x = 0);
  void use_locals(int count) { locals_.assign(static_cast<std::size_t>(count), kNoRegister); }
  BytecodeFunction finish(std::vector<std::uint32_t>* results = nullptr);

 private:
  // ---- registers and jumps
  std::uint32_t alloc(std::uint32_t n = 1);
  std::uint32_t constant_block(const std::vector<Constant>& values);
  std::uint32_t emit_jump(Opcode op, std::uint32_t a, std::uint32_t b, Label& label, std::uint32_t x = 0);
  void bind(Label& label);
  std::uint32_t final_register(std::uint32_t r) const;

  // ---- expressions
  bool in_place(const Expr* e, std::uint32_t& reg);  // whether it has a register already
  void into(const Expr* e, std::uint32_t d);         // computes it into register d
  void compute(const Expr* e, std::uint32_t d);      // … for an expression that is not in place
  void let(const Expr* e);
  std::uint32_t block(const std::vector<const Expr*>& args);        // in adjacent registers
  std::uint32_t fresh_block(const std::vector<const Expr*>& args);  // … at the top of the stack
  void jump_unless(const Expr* e, Label& label);
  void jump_when(const Expr* e, Label& label);
  bool compare_jump(const Expr* e, bool negated, Label& label);
  void comparison(const Expr* e, std::uint32_t d);
  void binary(Opcode op, const Expr* e, std::uint32_t d, std::uint32_t x = 0);
  void unary(Opcode op, const Expr* e, std::uint32_t d);
  void call(const Expr* e, std::uint32_t d);
  void apply(const Expr* e, std::uint32_t d);
  void builtin(const Expr* e, std::uint32_t d);
  void weights_into(int rubric, bool self, std::uint32_t base);
  TypeId common_type(const Expr* e) const;
  void in_list(const Expr* e, std::uint32_t d);

  // ---- loops
  struct OpenLoop {
    std::uint32_t base = 0, body = 0;
    bool map = false;
    Label next, exit;
  };
  void loop(const Expr* e, std::uint32_t d);
  bool earlier_verdicts(const Expr* e, std::uint32_t d);  // false: the loop has another form
  void open_loop(OpenLoop& open, std::uint32_t source, bool map, Label& missing);
  void begin_loop(OpenLoop& open, Opcode op, std::uint32_t source, Label& missing, std::uint32_t x = 0);
  void open_earlier(OpenLoop& open, bool rules, Label& missing);
  void close_loop(OpenLoop& open);
  void begin_collecting(const Loop& l, std::uint32_t acc);
  void collect_sorted(const Loop& l, std::uint32_t acc, std::uint32_t rows, std::uint32_t columns);
  void collect(const Loop& l, std::uint32_t acc, std::uint32_t key, std::uint32_t value);

  // ---- trace points: written only for traced programs
  bool is_step(const Expr& e) const;
  std::uint32_t trace_begin(TracePoint point);
  void trace_local(const Expr* e, const std::string& name, TypeId type, std::uint32_t reg);
  void trace_round(const Expr* e, std::size_t index, const OpenLoop& open);

  void need_items(const Expr* e);

  ProgramBuilder& builder_;
  const Model& model_;
  int rubric_;
  BytecodeFunction out_;
  std::uint32_t params_ = 0;
  std::size_t last_label_ = 0;        // where a jump may arrive: an instruction there is not merged with the one before
  std::uint32_t next_ = 0, top_ = 0;  // temporaries in use, and their maximum
  std::vector<std::uint32_t> locals_, slots_, weights_, items_;
  std::uint32_t history_ = kNoRegister;
  bool keeps_history_ = false;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> constants_;  // by hash
};

}  // namespace assay
