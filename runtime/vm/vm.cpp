// The interpreter loop. The registers of all active functions are in one array that is kept from run to run; the window
// of a call begins at its arguments, so passing them copies nothing. Dispatch is by computed goto if the compiler
// supports it, otherwise by switch, with the same instruction bodies.
#include "runtime/vm/vm.hpp"

#include "lang/value/equality.hpp"
#include "runtime/vm/builtins.hpp"
#include "runtime/vm/execution_context.hpp"

#include <new>

namespace assay {

namespace {

struct Frame {
  const BytecodeFunction* function;
  const Instruction* resume;
  std::uint32_t base;
  std::uint32_t result;  // register of the caller
};

inline bool is_true(const Value& v) { return v.boolean.given != 0 && v.boolean.truth != 0; }
inline bool is_false(const Value& v) { return v.boolean.given != 0 && v.boolean.truth == 0; }
inline bool either_missing(const Value& a, const Value& b) { return a.missing() || b.missing(); }
inline bool same_text(ExecutionContext& m, const Value& a, const Value& b) {
  if (a.text.size != b.text.size) return false;
  if (a.text.size >= 256) m.charge(a.text.size / 256);
  return a.text.size == 0 || std::memcmp(a.text.data, b.text.data, a.text.size) == 0;
}
inline bool same_number(ExecutionContext& m, Number a, Number b) {
  if (a.den == b.den && a.den > 0) return a.num == b.num;
  return m.compare(a, b) == 0;
}

inline Number lesser(ExecutionContext& m, Number a, Number b) {
  if (a.missing() || b.missing()) return kMissing;
  return m.compare(b, a) < 0 ? b : a;
}
inline Number greater(ExecutionContext& m, Number a, Number b) {
  if (a.missing() || b.missing()) return kMissing;
  return m.compare(b, a) > 0 ? b : a;
}

// Outside the loop, where nothing may need a destructor: a computed goto would skip it.
Value call_hook(Vm& vm, ExecutionContext& m, std::uint32_t index, const Value* args) {
  const Model& model = *m.program->model;
  m.charge(100);
  if (!vm.hooks)
    m.stop("", "hook", "the rubric calls the hook '" + model.hooks[index].name + "', but this host runs no hooks");
  Value result = missing_value();
  const std::vector<Field>& params = model.hooks[index].params;
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (args[i].missing() && params[i].presence == Presence::required) return result;
  }
  if (const NativeFunction native = vm.hooks->native(static_cast<int>(index))) {
    if (!vm.hooks->accepts(model, static_cast<int>(index), args, *m.error)) throw Abort{};
    const std::uint64_t before = m.steps + m.pool->work();
    result = native(m, args);
    m.charge(0);
    vm.hooks->called(model, static_cast<int>(index), args, result, m.steps + m.pool->work() - before);
    return result;
  }
  m.charge(vm.hooks->passing_work(model, static_cast<int>(index), args));
  if (!vm.hooks->call(model, static_cast<int>(index), args, result, *m.arena, *m.error)) throw Abort{};
  m.take(0);
  return result;
}

// The item to which an instruction of the main function belongs: "output 'x'"; empty: none.
std::string told(const Program& program, std::uint32_t instruction) {
  if (program.rubric < 0) return {};
  const std::vector<Item>& items = program.model->rubrics[static_cast<std::size_t>(program.rubric)].items;
  for (const ItemCode& code : program.functions[0].items) {
    if (instruction < code.begin || instruction >= code.end) continue;
    const Item& item = items[static_cast<std::size_t>(code.item)];
    const std::string name = "'" + item.name + "'";
    constexpr std::string_view kRaw = " raw";  // a dimension's value before its scale
    if (item.kind == ItemKind::hidden && item.name.ends_with(kRaw))
      return "dimension '" + item.name.substr(0, item.name.size() - kRaw.size()) + "'";
    switch (item.kind) {
      case ItemKind::let: return "value " + name;
      case ItemKind::output: return "output " + name;
      case ItemKind::gate: return "gate " + name;
      default: return "the evaluation of " + name;
    }
  }
  return {};
}

}  // namespace

struct Vm::State {
  ExecutionContext machine;
  std::unique_ptr<Value[]> registers;
  std::size_t capacity = 0;
  std::vector<Frame> frames;
  // The program whose constants are in the window of the main function, which nothing overwrites, and whether its
  // default weights are. Held, so that no other program can get its address.
  std::shared_ptr<const Program> resident;
  bool default_weights = false;

  void reserve(std::size_t size) {
    if (size <= capacity) return;
    std::size_t grown = capacity ? capacity * 2 : 1024;
    while (grown < size) grown *= 2;
    std::unique_ptr<Value[]> bigger(new Value[grown]);
    if (capacity) std::memcpy(static_cast<void*>(bigger.get()), registers.get(), capacity * sizeof(Value));
    registers = std::move(bigger);
    capacity = grown;
  }
  void enter(const BytecodeFunction& f, std::size_t base) {
    reserve(base + f.registers);
    if (!f.constants.empty())
      std::memcpy(static_cast<void*>(registers.get() + base + f.params), f.constants.data(),
                  f.constants.size() * sizeof(Value));
  }
  void execute(Vm& vm, const Program& program);
};

Vm::Vm() : state_(std::make_unique<State>()) {}
Vm::~Vm() = default;

std::uint64_t Vm::steps() const { return state_->machine.steps; }

void Vm::refuse(ExecutionContext& machine, std::string_view path, const char* code, std::string_view message) {
  if (refusals == nullptr) machine.stop(std::string(path), code, std::string(message));
  machine.charge(1);
  refusals->push_back({std::string(path), code, std::string(message)});
  if (refusals->size() >= most_refusals) machine.stop(std::string(path), code, std::string(message));
}

bool Vm::run(const Program& program, const VmInputs& inputs, Arena& arena, Value* results, RunError& error) {
  State& s = *state_;
  ExecutionContext& m = s.machine;
  m.program = &program;
  m.types = &program.model->types;
  m.arena = &arena;
  m.pool = &arena.numbers();
  m.error = &error;
  m.kept = inputs.kept;
  m.not_kept.clear();
  m.steps = 0;
  m.limits = &limits;
  m.passed = ExecutionContext::Passed::none;
  m.where.clear();
  m.step_limit = limits.steps + m.pool->work();
  if (m.step_limit < limits.steps) m.step_limit = UINT64_MAX;
  m.next_look = limits.interrupt == nullptr ? m.step_limit : 0;
  m.pool->watch(limits.interrupt);
  m.memory_limit = arena.used() + limits.memory;
  if (m.memory_limit < limits.memory) m.memory_limit = SIZE_MAX;
  const std::size_t big = m.pool->bytes() + limits.memory;
  m.pool->allow(m.step_limit, big < limits.memory ? SIZE_MAX : big);
  const std::uint64_t work_before = m.pool->work();
  bool done = false;
  try {
    const BytecodeFunction& main = program.functions[0];
    if (s.resident.get() != &program) {
      s.enter(main, 0);
      s.resident = program.weak_from_this().lock();
      s.default_weights = false;
    }
    Value* r = s.registers.get();
    if (program.slots) std::memcpy(static_cast<void*>(r), inputs.slots, program.slots * sizeof(Value));
    if (inputs.weights || !s.default_weights) {
      const Number* weights = inputs.weights ? inputs.weights : program.weights.data();
      for (std::size_t i = 0; i < program.weights.size(); ++i) r[program.slots + i].number = weights[i];
      s.default_weights = !inputs.weights;
    }
    r[program.slots + program.weights.size()] = inputs.history.missing() ? make_list(nullptr, 0) : inputs.history;
    s.execute(*this, program);
    if (m.pool->overflowed()) m.overflow();
    r = s.registers.get();
    for (std::size_t i = 0; i < program.results.size(); ++i) results[i] = r[program.results[i]];
    done = true;
  } catch (const Abort&) {
    if (m.passed != ExecutionContext::Passed::none) error = m.limit_error();
  } catch (const std::bad_alloc&) { error = {"", "limit", "there is not enough memory for this evaluation"}; }
  m.pool->watch(nullptr);
  m.steps += m.pool->work() - work_before;
  return done;
}

#if defined(__GNUC__) && !defined(ASSAY_SWITCH_DISPATCH)
#define ASSAY_COMPUTED_GOTO 1
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

#ifdef ASSAY_COMPUTED_GOTO
#define OP(id) op_##id:
#define NEXT()                                         \
  do {                                                 \
    ++ip;                                              \
    goto* targets[static_cast<std::uint16_t>(ip->op)]; \
  } while (0)
#define GO() goto* targets[static_cast<std::uint16_t>(ip->op)]
#else
#define OP(id) case Opcode::id:
#define NEXT()  \
  do {          \
    ++ip;       \
    goto again; \
  } while (0)
#define GO() goto again
#endif

#define A r[ip->a]
#define B r[ip->b]
#define C r[ip->c]
#define JUMP()                          \
  do {                                  \
    ip = function->code.data() + ip->c; \
    GO();                               \
  } while (0)
#define JUMP_IF(condition) \
  do {                     \
    if (condition) JUMP(); \
    NEXT();                \
  } while (0)
#define SET(v) \
  do {         \
    A = (v);   \
    NEXT();    \
  } while (0)
#define NUMBER(v)   \
  do {              \
    A.number = (v); \
    NEXT();         \
  } while (0)
#define TRUTH(condition)                                               \
  do {                                                                 \
    A = either_missing(B, C) ? missing_value() : make_bool(condition); \
    NEXT();                                                            \
  } while (0)

void Vm::State::execute(Vm& vm, const Program& program) {
  ExecutionContext& m = machine;
  NumberPool& pool = *m.pool;
  const BytecodeFunction* function = &program.functions[0];
  const Instruction* ip = function->code.data();
  std::uint32_t base = 0;
  Value* r = registers.get();
  frames.clear();
  try {
    m.charge(function->code.size());

#ifdef ASSAY_COMPUTED_GOTO
    static const void* const targets[] = {
#define ASSAY_OPCODE(id, name, operands, doc) &&op_##id,
#include "lang/bytecode/opcodes.def"
#undef ASSAY_OPCODE
    };
    GO();
#else
  again:
    switch (ip->op) {
#endif

    // ---- moves and control
    OP(move) SET(B);
    OP(move_block) {
      std::memmove(static_cast<void*>(&A), &B, ip->c * sizeof(Value));
      NEXT();
    }
    OP(load_missing) SET(missing_value());
    OP(jump) JUMP();
    OP(jump_unless) JUMP_IF(!is_true(A));
    OP(jump_when) JUMP_IF(is_true(A));
    OP(jump_when_false) JUMP_IF(is_false(A));
    OP(jump_unless_false) JUMP_IF(!is_false(A));
    OP(jump_missing) JUMP_IF(A.missing());
    OP(jump_given) JUMP_IF(!A.missing());
    OP(jump_unless_lt) JUMP_IF(either_missing(A, B) || m.compare(A.number, B.number) >= 0);
    OP(jump_unless_le) JUMP_IF(either_missing(A, B) || m.compare(A.number, B.number) > 0);
    OP(jump_unless_eq) JUMP_IF(either_missing(A, B) || !same_number(m, A.number, B.number));
    OP(jump_unless_ne) JUMP_IF(either_missing(A, B) || same_number(m, A.number, B.number));
    OP(jump_unless_eq_text) JUMP_IF(either_missing(A, B) || !same_text(m, A, B));
    OP(jump_unless_ne_text) JUMP_IF(either_missing(A, B) || same_text(m, A, B));
    OP(call) {
      if (frames.size() >= vm.limits.depth) m.stop_at(ExecutionContext::Passed::depth);
      frames.push_back({function, ip + 1, base, ip->a});
      function = &program.functions[ip->b];
      base += ip->c;
      m.charge(function->code.size());
      enter(*function, base);
      r = registers.get() + base;
      ip = function->code.data();
      GO();
    }
    OP(ret) {
      const Value result = A;
      const Frame& frame = frames.back();
      function = frame.function;
      ip = frame.resume;
      base = frame.base;
      r = registers.get() + base;
      r[frame.result] = result;
      frames.pop_back();
      GO();
    }
    OP(halt) return;

    // ---- rules
    OP(join_path) SET(join_path(m, B, C));
    OP(index_path) {
      m.scratch.assign(B.text.view());
      m.scratch += '[';
      write_shortest(C.number, m.scratch);
      m.scratch += ']';
      SET(m.text(m.scratch));
    }
    OP(refuse) {
      vm.refuse(m, A.text.view(), ip->x ? "required" : "rule", program.messages[ip->b]);
      NEXT();
    }
    OP(refuse_paths) {
      if (A.missing()) NEXT();
      for (std::uint32_t i = 0; i < A.list.size; ++i) {
        const Value* const refusal = A.list.items[i].record.fields;  // path, message
        vm.refuse(m, join_path(m, B, refusal[0]).text.view(), "rule", refusal[1].text.view());
      }
      NEXT();
    }

    // ---- numbers
    OP(add) NUMBER(assay::add(B.number, C.number, pool));
    OP(sub) NUMBER(assay::sub(B.number, C.number, pool));
    OP(mul) NUMBER(assay::mul(B.number, C.number, pool));
    OP(div) NUMBER(assay::div(B.number, C.number, pool));
    OP(pow) {
      m.charge(16 + words(B.number) + words(C.number));
      NUMBER(assay::pow(B.number, C.number, pool));
    }
    OP(neg) NUMBER(assay::neg(B.number, pool));
    OP(abs) NUMBER(assay::abs(B.number, pool));
    OP(mod) NUMBER(assay::mod(B.number, C.number, pool));
    OP(min) NUMBER(lesser(m, B.number, C.number));
    OP(max) NUMBER(greater(m, B.number, C.number));
    OP(clamp) {
      if (either_missing(B, C)) SET(missing_value());
      const RangeData& range = *C.range.data;
      Number n = B.number;
      if (!range.low.missing() && m.compare(n, range.low) < 0) n = range.low;
      if (!range.high.missing() && m.compare(n, range.high) > 0) n = range.high;
      NUMBER(n);
    }
    OP(round) {
      const int decimals = static_cast<std::int32_t>(ip->c);
      if (B.number.den == 1 && decimals >= 0) SET(B);
      NUMBER(round_to(B.number, decimals, static_cast<Rounding>(ip->x), pool));
    }
    OP(weighted_sum) NUMBER(weighted_sum(&B, &C, ip->x, pool));

    // ---- comparisons and logic
    OP(lt_number) TRUTH(m.compare(B.number, C.number) < 0);
    OP(le_number) TRUTH(m.compare(B.number, C.number) <= 0);
    OP(eq_number) TRUTH(same_number(m, B.number, C.number));
    OP(ne_number) TRUTH(!same_number(m, B.number, C.number));
    OP(lt_text) TRUTH(m.compare_text(B.text.view(), C.text.view()) < 0);
    OP(le_text) TRUTH(m.compare_text(B.text.view(), C.text.view()) <= 0);
    OP(eq_text) TRUTH(same_text(m, B, C));
    OP(ne_text) TRUTH(!same_text(m, B, C));
    OP(eq_bool) TRUTH(B.boolean.truth == C.boolean.truth);
    OP(ne_bool) TRUTH(B.boolean.truth != C.boolean.truth);
    OP(eq_deep) TRUTH(m.equal(program.types[ip->x], B, C));
    OP(ne_deep) TRUTH(!m.equal(program.types[ip->x], B, C));
    OP(and_) {
      if (is_false(B) || is_false(C)) SET(make_bool(false));
      TRUTH(true);
    }
    OP(or_) {
      if (is_true(B) || is_true(C)) SET(make_bool(true));
      TRUTH(false);
    }
    OP(xor_) TRUTH(B.boolean.truth != C.boolean.truth);
    OP(not_) SET(B.missing() ? missing_value() : make_bool(B.boolean.truth == 0));
    OP(is_missing) SET(make_bool(B.missing()));
    OP(is_given) SET(make_bool(!B.missing()));
    OP(is_kind) SET(make_bool(is_kind(m, program.types[ip->c], B, static_cast<AskedKind>(ip->x))));
    OP(as_kind) SET(as_kind(m, program.types[ip->c], B, static_cast<AskedKind>(ip->x)));
    OP(choose) SET(*(&C + !is_true(B)));
    OP(coalesce) SET(B.missing() ? C : B);
    OP(in_range) TRUTH(within(m, B.number, *C.range.data));
    OP(in_list) SET(in_list(m, program.types[ip->x], B, C));
    OP(in_set) SET(in_set(m, program.sets[ip->c], B));
    OP(in_map) TRUTH(map_find(*C.map.data, C.map.size, B.text.view()) >= 0);

    // ---- values made of values
    OP(make_range) {
      if ((B.missing() && !(ip->x & 4)) || (C.missing() && !(ip->x & 8))) SET(missing_value());
      RangeData* range = m.array<RangeData>(1);
      *range = {B.number, C.number, (ip->x & 1) != 0, (ip->x & 2) != 0};
      SET(make_range(range));
    }
    OP(make_record) {
      Value* fields = m.array<Value>(ip->c);
      if (ip->c) std::memcpy(static_cast<void*>(fields), &B, ip->c * sizeof(Value));
      SET(make_record(fields, ip->c));
    }
    OP(make_list) {
      Value* items = m.array<Value>(ip->c);
      if (ip->c) std::memcpy(static_cast<void*>(items), &B, ip->c * sizeof(Value));
      SET(make_list(items, ip->c));
    }
    OP(make_map) SET(make_map_from(m, program.key_sets[ip->c], &B));
    OP(field) SET(ip->c < B.record.size && !B.missing() ? B.record.fields[ip->c] : missing_value());
    OP(spread) {
      const RecordValue record = B.record;
      const std::uint32_t first = ip->x;
      if (record.given && first + ip->c <= record.size) {
        std::memcpy(static_cast<void*>(&A), record.fields + first, ip->c * sizeof(Value));
        NEXT();
      }
      for (std::uint32_t i = 0; i < ip->c; ++i)
        r[ip->a + i] = record.given && first + i < record.size ? record.fields[first + i] : missing_value();
      NEXT();
    }
    OP(map_get) {
      if (either_missing(B, C)) SET(missing_value());
      const std::int64_t at = map_find(*B.map.data, B.map.size, C.text.view());
      SET(at < 0 ? missing_value() : B.map.data->values[at]);
    }
    OP(any_get) SET(any_get(m, B, C, ip->x != 0));
    OP(list_get) {
      std::int64_t at = 0;
      if (either_missing(B, C) || !to_int64(C.number, at) || at < 0 || at >= B.list.size) SET(missing_value());
      SET(B.list.items[at]);
    }
    OP(concat) SET(concat(m, B, C));
    OP(compact) SET(compact(m, B));
    OP(distinct) SET(distinct(m, program.types[ip->x], B));
    OP(adjust) SET(adjust(m, B, C));
    OP(adjust_total) NUMBER(adjust_total(m, B, C));
    OP(count_items) NUMBER(B.missing() ? kMissing : whole(B.list.size));
    OP(join_text) {
      if (program.texts[ip->c].whole && !B.missing()) SET(B);
      SET(join_text(m, program.texts[ip->c], &B));
    }

    // ---- tables, builtins, hooks
    OP(lookup_threshold) SET(lookup_threshold(m, program.lookups[ip->c], B));
    OP(lookup_index) SET(lookup_index(m, program.lookups[ip->c], &B));
    OP(lookup_scan) SET(lookup_scan(m, program.lookups[ip->c], &B));
    OP(pick) {
      const std::span<const Value> column = program.picks[ip->c].values;
      std::int64_t at = B.number.num;
      if (B.number.den != 1 && !to_int64(B.number, at)) SET(missing_value());  // 1 may be 100/100
      if (at < 0 || at >= static_cast<std::int64_t>(column.size())) SET(missing_value());
      SET(column[static_cast<std::size_t>(at)]);
    }
    OP(builtin) {
      const BuiltinCall& call = program.calls[ip->c];
      const Value* args = &B;
      bool given = true;
      for (std::size_t i = 0; i < call.types.size(); ++i) given = given && !args[i].missing();
      m.charge(2);
      SET(given ? kBuiltins[static_cast<std::size_t>(call.builtin)](m, call, args) : missing_value());
    }
    OP(hook) SET(call_hook(vm, m, ip->c, &B));

    // ---- reports of a traced program
    OP(trace_begin) {
      if (vm.tracer) vm.tracer->begin(program.points[ip->a]);
      NEXT();
    }
    OP(trace_value) {
      if (vm.tracer) vm.tracer->value(program.points[ip->b], A);
      NEXT();
    }

    // ---- loops
    OP(each_item) {
      if (B.missing()) JUMP();
      Value* loop = &A;
      loop[0] = B;
      loop[1] = make_number(whole(-1));
      NEXT();
    }
    OP(each_earlier) {
      if (B.missing()) JUMP();
      Value* loop = &A;
      const std::size_t verdicts = m.not_kept.size() + (m.kept ? m.kept->verdicts.size() : 0);
      const std::size_t known = ip->x ? (m.kept ? m.kept->checked : 0) : verdicts;
      loop[0] = B;
      loop[1] = make_number(whole(static_cast<std::int64_t>(known) - 1));
      NEXT();
    }
    OP(keep_verdict) {
      keep_verdict(m, A);
      NEXT();
    }
    OP(keep_checked) {
      if (m.kept) ++m.kept->checked;
      NEXT();
    }
    OP(earlier_verdicts) SET(earlier_verdicts(m));
    OP(next_item) {
      Value* loop = &A;
      m.charge(ip->x);
      const std::int64_t at = ++loop[1].number.num;
      if (at >= loop[0].list.size) NEXT();
      loop[2] = loop[0].list.items[at];
      JUMP();
    }
    OP(each_entry) {
      if (B.missing()) JUMP();
      Value* loop = &A;
      loop[0] = B;
      loop[1] = make_number(whole(-1));
      NEXT();
    }
    OP(next_entry) {
      Value* loop = &A;
      m.charge(ip->x);
      const std::int64_t at = ++loop[1].number.num;
      if (at >= loop[0].map.size) NEXT();
      loop[2] = loop[0].map.data->keys[at];
      loop[3] = loop[0].map.data->values[at];
      JUMP();
    }
    OP(each_row) {
      Value* loop = &A;
      loop[0] = B;
      loop[1] = make_number(whole(-1));
      NEXT();
    }
    OP(next_row) {
      Value* loop = &A;
      m.charge(ip->x);
      const std::int64_t at = ++loop[1].number.num * ip->b;
      if (at >= loop[0].list.size) NEXT();
      std::memcpy(static_cast<void*>(loop + 2), loop[0].list.items + at, ip->b * sizeof(Value));
      JUMP();
    }
    OP(list_new) {
      const std::uint32_t room = ip->x && !B.missing() ? B.list.size : 0;
      Value* list = &A;
      list[0] = room ? make_list(m.array<Value>(room), 0) : make_list(nullptr, 0);
      list[1] = missing_value();
      list[1].words.first = room;
      NEXT();
    }
    OP(list_push) {
      list_push(m, &A, B);
      NEXT();
    }
    OP(push_row) {
      push_row(m, &A, &B, ip->c);
      NEXT();
    }
    OP(sort_rows) SET(sort_rows(m, B, program.sorts[ip->c]));
    OP(map_new) SET(new_map(m));
    OP(map_put) {
      if (!B.missing()) map_slot(m, A, B) = C;
      NEXT();
    }
    OP(group_put) {
      group_put(m, A, B, C);
      NEXT();
    }
    OP(group_put_each) {
      if (!B.missing())
        for (std::uint32_t i = 0; i < B.list.size; ++i) group_put(m, A, B.list.items[i], C);
      NEXT();
    }
    OP(keep_min) {
      Value* acc = &A;
      acc[0].number = acc[1].number.num++ == 0 ? B.number : lesser(m, acc[0].number, B.number);
      NEXT();
    }
    OP(keep_max) {
      Value* acc = &A;
      acc[0].number = acc[1].number.num++ == 0 ? B.number : greater(m, acc[0].number, B.number);
      NEXT();
    }
#ifndef ASSAY_COMPUTED_GOTO
  }
#endif
}
catch (const Abort&) {
  const Instruction* const at = frames.empty() ? ip : frames.front().resume - 1;
  m.where = told(program, static_cast<std::uint32_t>(at - program.functions[0].code.data()));
  throw;
}
}

}  // namespace assay
