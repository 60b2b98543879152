// Inside of `compile`. ProgramBuilder collects what a whole program shares and decides which bytecode functions there
// are; FunctionCompiler writes one of them. Registers are given out like a stack, so a temporary costs nothing once its
// statement is over; items of a rubric are written first and keep theirs. What is already in a register (a slot, a
// local, a constant, an item) is used from there and never copied.
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
inline constexpr std::uint32_t kConstantBit = 0x80000000u;  // while a function is being written: its constant number …

// What a function's body uses of its rubric, itself or through calls: passed as further arguments, in this order.
struct FreeNames {
  std::set<int> items, slots, weights;
  bool history = false;
  std::size_t size() const { return items.size() + slots.size() + weights.size() + (history ? 1 : 0); }
};

class ProgramBuilder {
 public:
  ProgramBuilder(std::shared_ptr<const Model> model, int rubric, bool traced);
  std::shared_ptr<const Program> build(const std::vector<int>& roots, bool checks);

  const Model& model() const { return *program_->model; }
  Program& program() { return *program_; }
  bool traced() const { return traced_; }

  // Numbers of bytecode functions; what was asked for is written before `build` ends.
  std::uint32_t function(int index);
  std::uint32_t rubric_function(int rubric);  // slots, weights → the record of its verdict
  std::uint32_t rules_function(int rubric);   // slots, weights, path → missing, or ends the run
  bool has_rules(int rubric);
  const FreeNames& free_names(int function);

  // Numbers in the program's lists.
  std::uint32_t lookup(std::uint32_t table);
  std::uint32_t pick(TypeId type, std::span<const Value> values);
  // False: the list is not written in constants, or so short that they are better tried one after the other.
  bool set(TypeId element, const Expr& list, std::uint32_t& number);
  std::uint32_t text(const Expr& e);
  std::uint32_t key_set(const std::vector<std::string>& names);
  std::uint32_t sort(SortOrder order);
  std::uint32_t builtin_call(BuiltinCall call);
  std::uint16_t type(TypeId type);
  std::uint32_t message(const std::string& text);
  std::uint32_t point(TracePoint point);
  // The value of an expression that is written in constants only.
  bool constant_value(const Expr& e, Value& value);

 private:
  enum class Work : std::uint8_t { function, rubric, rules };
  std::uint32_t request(Work work, int index);
  void write(std::uint32_t at, Work work, int index);
  void find_free_names();

  std::shared_ptr<Program> program_;
  bool traced_;
  std::map<std::pair<Work, int>, std::uint32_t> known_;
  std::vector<std::pair<Work, int>> queue_;  // the work behind functions 1 …
  std::vector<FreeNames> free_;
  std::vector<int> rules_;  // per rubric: -1 not known yet, -2 being found out, 0, 1
  std::map<std::uint32_t, std::uint32_t> lookups_;
  std::map<std::pair<const Expr*, TypeId>, std::uint32_t> sets_;
  std::map<TypeId, std::uint16_t> types_;
  std::map<std::string, std::uint32_t> messages_;
};

struct Label {
  std::int64_t at = -1;
  std::vector<std::uint32_t> uses;
};

class FunctionCompiler {
 public:
  FunctionCompiler(ProgramBuilder& builder, int rubric, std::string name);

  // Each of these makes parameters; all of them come before anything else.
  std::uint32_t parameter() { return params_++; }
  void rubric_parameters();
  void function_parameters(const Function& function, const FreeNames& free);
  // `kept`: the records are those of the evaluation, whose verdicts and rules the VM keeps from run to run.
  void set_history(std::uint32_t reg, bool kept = false) {
    history_ = reg;
    keeps_history_ = kept;
  }

  void need(const Expr* e);                                 // writes the items that e uses, unless they are there
  bool adjusted_total(const Item& item, std::uint32_t& d);  // true: d holds the item, a total without its list
  std::uint32_t item(int index);                            // the register of an item, written when it is not there
  std::uint32_t expr(const Expr* e);                        // where its value is
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
  bool in_place(const Expr* e, std::uint32_t& reg);  // it has a register already
  void into(const Expr* e, std::uint32_t d);         // its value in register d
  void compute(const Expr* e, std::uint32_t d);      // … of one that is not in place
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
  bool earlier_verdicts(const Expr* e, std::uint32_t d);  // false: the loop is another one
  void open_loop(OpenLoop& open, std::uint32_t source, bool map, Label& missing);
  void begin_loop(OpenLoop& open, Opcode op, std::uint32_t source, Label& missing, std::uint32_t x = 0);
  void open_earlier(OpenLoop& open, bool rules, Label& missing);
  void close_loop(OpenLoop& open);
  void begin_collecting(const Loop& l, std::uint32_t acc);
  void collect_sorted(const Loop& l, std::uint32_t acc, std::uint32_t rows, std::uint32_t columns);
  void collect(const Loop& l, std::uint32_t acc, std::uint32_t key, std::uint32_t value);

  // ---- what a traced program tells: nothing is written otherwise
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
  std::size_t last_label_ = 0;        // where a jump may arrive: no instruction there is joined with the one before
  std::uint32_t next_ = 0, top_ = 0;  // temporaries in use, at most
  std::vector<std::uint32_t> locals_, slots_, weights_, items_;
  std::uint32_t history_ = kNoRegister;
  bool keeps_history_ = false;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> constants_;  // by hash
};

}  // namespace assay
