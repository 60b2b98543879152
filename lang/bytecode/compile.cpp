// Model → Program: the functions of a program, their parameters, and the functions for whole rubrics. Expressions are
// in compile_expr.cpp, loops in compile_loop.cpp, constants and tables in compile_table.cpp.
#include "lang/bytecode/compiler.hpp"

#include "lang/bytecode/walk.hpp"
#include "lang/value/equality.hpp"

#include <algorithm>
#include <cassert>

namespace assay {

std::shared_ptr<const Program> compile(std::shared_ptr<const Model> model, int rubric, const std::vector<int>& roots,
                                       bool checks, bool traced) {
  ProgramBuilder builder(std::move(model), rubric, traced);
  return builder.build(roots, checks);
}

// ---- the program

ProgramBuilder::ProgramBuilder(std::shared_ptr<const Model> model, int rubric, bool traced)
    : program_(std::make_shared<Program>()), traced_(traced) {
  program_->model = std::move(model);
  program_->rubric = rubric;
  rules_.assign(program_->model->rubrics.size(), -1);
  find_free_names();
}

// A fixpoint iteration, because functions may call themselves and each other.
void ProgramBuilder::find_free_names() {
  const Model& m = model();
  free_.resize(m.functions.size());
  std::vector<std::set<int>> callees(m.functions.size());
  for (std::size_t i = 0; i < m.functions.size(); ++i) {
    const Function& f = m.functions[i];
    FreeNames& free = free_[i];
    walk(f.body, [&](const Expr& e) {
      switch (e.op) {
        case Op::item: free.items.insert(static_cast<int>(e.index)); break;
        case Op::slot: free.slots.insert(static_cast<int>(e.index)); break;
        case Op::weight: free.weights.insert(static_cast<int>(e.index)); break;
        case Op::call: callees[i].insert(static_cast<int>(e.index)); break;
        default: break;  // the earlier records and their verdicts are items
      }
    });
  }
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < free_.size(); ++i)
      for (int callee : callees[i]) {
        const FreeNames& from = free_[static_cast<std::size_t>(callee)];
        FreeNames& to = free_[i];
        std::size_t before = to.size();
        to.items.insert(from.items.begin(), from.items.end());
        to.slots.insert(from.slots.begin(), from.slots.end());
        to.weights.insert(from.weights.begin(), from.weights.end());
        again = again || to.size() != before;
      }
  }
}

const FreeNames& ProgramBuilder::free_names(int function) { return free_[static_cast<std::size_t>(function)]; }

std::uint32_t ProgramBuilder::request(Work work, int index) {
  auto [at, added] = known_.try_emplace({work, index}, 0);
  if (added) {
    queue_.emplace_back(work, index);
    at->second = static_cast<std::uint32_t>(queue_.size());  // function 0 is the main one
  }
  return at->second;
}
std::uint32_t ProgramBuilder::function(int index) { return request(Work::function, index); }
std::uint32_t ProgramBuilder::rubric_function(int rubric) { return request(Work::rubric, rubric); }
std::uint32_t ProgramBuilder::rules_function(int rubric) { return request(Work::rules, rubric); }

bool ProgramBuilder::has_rules(int rubric) {
  int& known = rules_[static_cast<std::size_t>(rubric)];
  if (known >= 0) return known == 1;
  if (known == -2) return false;  // recursion: the other calls decide
  const RubricModel& r = model().rubrics[static_cast<std::size_t>(rubric)];
  known = -2;
  bool has = !r.required_when.empty() || !r.checks.empty();
  for (const Embedded& e : r.embedded) has = has || has_rules(e.rubric);
  rules_[static_cast<std::size_t>(rubric)] = has;
  return has;
}

std::shared_ptr<const Program> ProgramBuilder::build(const std::vector<int>& roots, bool checks) {
  Program& p = *program_;
  const RubricModel& r = model().rubrics[static_cast<std::size_t>(p.rubric)];
  p.slots = static_cast<std::uint32_t>(r.slots.size());
  for (const WeightModel& w : r.weighting.weights) p.weights.push_back(w.value);
  p.functions.emplace_back();
  {
    FunctionCompiler f(*this, p.rubric, r.name);
    f.rubric_parameters();
    f.set_history(f.parameter(), true);
    if (checks && has_rules(p.rubric)) {
      f.rules(f.text_constant(""));
      f.history_rules();
    }
    for (int root : roots) p.results.push_back(f.item(root));
    f.emit(Opcode::halt);
    p.functions[0] = f.finish(&p.results);
  }
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    auto [work, index] = queue_[i];
    p.functions.emplace_back();
    write(static_cast<std::uint32_t>(i) + 1, work, index);
  }
#ifndef NDEBUG
  std::string why;
  assert(verify(p, why));
#endif
  return program_;
}

void ProgramBuilder::write(std::uint32_t at, Work work, int index) {
  const Model& m = model();
  BytecodeFunction done;
  if (work == Work::function) {
    const Function& function = m.functions[static_cast<std::size_t>(index)];
    FunctionCompiler f(*this, function.rubric, function.name);
    f.function_parameters(function, free_names(index));
    f.emit(Opcode::ret, f.expr(function.body));
    done = f.finish();
  } else {
    const RubricModel& r = m.rubrics[static_cast<std::size_t>(index)];
    FunctionCompiler f(*this, index, work == Work::rubric ? r.name : "rules of " + r.name);
    f.rubric_parameters();
    if (work == Work::rubric) {
      f.set_history(f.empty_list());
      f.emit(Opcode::ret, f.make_verdict());
    } else {
      std::uint32_t prefix = f.parameter();
      f.set_history(f.empty_list());
      f.rules(prefix);
      f.emit(Opcode::ret, f.constant(missing_value(), kUnknown));
    }
    done = f.finish();
  }
  program_->functions[at] = std::move(done);
}

// ---- one function: registers and jumps

FunctionCompiler::FunctionCompiler(ProgramBuilder& builder, int rubric, std::string name)
    : builder_(builder), model_(builder.model()), rubric_(rubric) {
  out_.name = std::move(name);
}

void FunctionCompiler::rubric_parameters() {
  const RubricModel& r = model_.rubrics[static_cast<std::size_t>(rubric_)];
  slots_.resize(r.slots.size(), kNoRegister);
  weights_.resize(r.weighting.weights.size(), kNoRegister);
  items_.resize(r.items.size(), kNoRegister);
  for (std::uint32_t& reg : slots_) reg = parameter();
  for (std::uint32_t& reg : weights_) reg = parameter();
}

void FunctionCompiler::function_parameters(const Function& function, const FreeNames& free) {
  use_locals(std::max(function.locals, static_cast<int>(function.params.size())));
  for (std::size_t i = 0; i < function.params.size(); ++i) locals_[i] = parameter();
  // As long as the names that it uses need: most functions use none of a rubric's thousands.
  const auto take = [this](std::vector<std::uint32_t>& registers, int index) {
    const auto i = static_cast<std::size_t>(index);
    if (registers.size() <= i) registers.resize(i + 1, kNoRegister);
    registers[i] = parameter();
  };
  for (int i : free.items) take(items_, i);
  for (int i : free.slots) take(slots_, i);
  for (int i : free.weights) take(weights_, i);
}

std::uint32_t FunctionCompiler::alloc(std::uint32_t n) {
  std::uint32_t at = params_ + next_;
  next_ += n;
  top_ = std::max(top_, next_);
  return at;
}

std::uint32_t FunctionCompiler::emit(Opcode op, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t x) {
  if (op == Opcode::field && a != b && out_.code.size() > last_label_) {  // adjacent ones are combined
    Instruction& last = out_.code.back();
    const bool one = last.op == Opcode::field && last.c + 1 == c;
    const bool more = last.op == Opcode::spread && last.x + last.c == c;
    const std::uint32_t count = one ? 1 : last.c;
    if ((one || more) && last.b == b && last.a + count == a && last.a != b) {
      last = {Opcode::spread, static_cast<std::uint16_t>(one ? last.c : last.x), last.a, b, count + 1};
      return static_cast<std::uint32_t>(out_.code.size() - 1);
    }
  }
  Instruction i;
  i.op = op;
  i.x = static_cast<std::uint16_t>(x);
  i.a = a;
  i.b = b;
  i.c = c;
  out_.code.push_back(i);
  return static_cast<std::uint32_t>(out_.code.size() - 1);
}

std::uint32_t FunctionCompiler::emit_jump(Opcode op, std::uint32_t a, std::uint32_t b, Label& label, std::uint32_t x) {
  std::uint32_t at = emit(op, a, b, 0, x);
  label.uses.push_back(at);
  return at;
}

void FunctionCompiler::bind(Label& label) {
  last_label_ = out_.code.size();
  for (std::uint32_t use : label.uses) out_.code[use].c = static_cast<std::uint32_t>(out_.code.size());
  label.uses.clear();
}

std::uint32_t FunctionCompiler::constant(const Value& value, TypeId type) {
  std::uint64_t hash = deep_hash(model_.types, type, value) + type;
  std::vector<std::uint32_t>& same = constants_[hash];
  for (std::uint32_t i : same)
    if (out_.constant_types[i] == type && deep_equal(model_.types, type, out_.constants[i], value))
      return kConstantBit | i;
  std::uint32_t at = static_cast<std::uint32_t>(out_.constants.size());
  out_.constants.push_back(value);
  out_.constant_types.push_back(type);
  same.push_back(at);
  return kConstantBit | at;
}

std::uint32_t FunctionCompiler::constant_block(const std::vector<Constant>& values) {
  auto fits = [&](std::size_t at) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (out_.constant_types[at + i] != values[i].type ||
          !deep_equal(model_.types, values[i].type, out_.constants[at + i], values[i].value))
        return false;
    return true;
  };
  if (out_.constants.size() <= 256)
    for (std::size_t at = 0; at + values.size() <= out_.constants.size(); ++at)
      if (fits(at)) return kConstantBit | static_cast<std::uint32_t>(at);
  std::uint32_t at = static_cast<std::uint32_t>(out_.constants.size());
  for (const Constant& c : values) {
    constants_[deep_hash(model_.types, c.type, c.value) + c.type].push_back(
        static_cast<std::uint32_t>(out_.constants.size()));
    out_.constants.push_back(c.value);
    out_.constant_types.push_back(c.type);
  }
  return kConstantBit | at;
}

std::uint32_t FunctionCompiler::text_constant(const std::string& text) {
  return constant(make_text(builder_.program().arena.copy(text)), kText);
}

std::uint32_t FunctionCompiler::empty_list() { return constant(make_list(nullptr, 0), kUnknown); }

std::uint32_t FunctionCompiler::final_register(std::uint32_t r) const {
  std::uint32_t constants = static_cast<std::uint32_t>(out_.constants.size());
  if (r & kConstantBit) return params_ + (r & ~kConstantBit);
  return r < params_ ? r : r + constants;
}

// Constants are only counted now, so the first temporary register is only known now.
BytecodeFunction FunctionCompiler::finish(std::vector<std::uint32_t>* results) {
  auto is_register = [](char letter) {
    return letter == 'w' || letter == 'r' || letter == 'm' || letter == 'W' || letter == 'R' || letter == 'M';
  };
  for (Instruction& i : out_.code) {
    const char* letters = row(i.op).operands;
    if (is_register(letters[0])) i.a = final_register(i.a);
    if (is_register(letters[1])) i.b = final_register(i.b);
    if (is_register(letters[2])) i.c = final_register(i.c);
  }
  if (results)
    for (std::uint32_t& r : *results) r = final_register(r);
  out_.params = params_;
  out_.registers = params_ + static_cast<std::uint32_t>(out_.constants.size()) + top_;
  return std::move(out_);
}

// ---- items and rules

void FunctionCompiler::need(const Expr* e) {
  if (rubric_ >= 0) need_items(e);
}

void FunctionCompiler::need_items(const Expr* e) {
  walk(e, [&](const Expr& part) {
    if (part.op == Op::item) item(static_cast<int>(part.index));
    if (part.op == Op::call)
      for (int i : builder_.free_names(static_cast<int>(part.index)).items) item(i);
  });
}

std::uint32_t FunctionCompiler::item(int index) {
  std::size_t i = static_cast<std::size_t>(index);
  if (items_[i] != kNoRegister) return items_[i];
  const Item& item = model_.rubrics[static_cast<std::size_t>(rubric_)].items[i];
  if (std::uint32_t total = 0; !builder_.traced() && adjusted_total(item, total)) return items_[i] = total;
  need(item.body);
  use_locals(item.locals);
  const auto begin = static_cast<std::uint32_t>(out_.code.size());
  if (builder_.traced()) {
    const TracePoint point{TracePoint::Kind::item, item.body, index, rubric_, item.name, item.type};
    const std::uint32_t at = trace_begin(point);
    emit(Opcode::trace_value, items_[i] = expr(item.body), at);
  } else {
    items_[i] = expr(item.body);
  }
  out_.items.push_back({begin, static_cast<std::uint32_t>(out_.code.size()), index});
  return items_[i];
}

std::uint32_t FunctionCompiler::make_verdict() {
  const RubricModel& r = model_.rubrics[static_cast<std::size_t>(rubric_)];
  std::vector<std::uint32_t> fields;
  for (int i : r.verdict.items) fields.push_back(item(i));
  std::uint32_t d = alloc();
  std::uint32_t count = static_cast<std::uint32_t>(fields.size());
  std::uint32_t base = alloc(count);
  for (std::uint32_t i = 0; i < count; ++i) emit(Opcode::move, base + i, fields[i]);
  emit(Opcode::make_record, d, base, count);
  return d;
}

void FunctionCompiler::rules(std::uint32_t prefix) {
  const RubricModel& r = model_.rubrics[static_cast<std::size_t>(rubric_)];
  for (const RequiredWhen& rule : r.required_when) {
    need(rule.condition);
    use_locals(rule.locals);
    std::uint32_t mark = next_;
    const std::size_t slot = static_cast<std::size_t>(rule.slot);
    Label holds;
    emit_jump(Opcode::jump_given, slots_[slot], 0, holds);
    jump_unless(rule.condition, holds);
    std::uint32_t path = alloc();
    emit(Opcode::join_path, path, prefix, text_constant(r.slots[slot].name));
    emit(Opcode::refuse, path, builder_.message(rule.message), 0, 1);
    bind(holds);
    next_ = mark;
  }
  for (const Embedded& rule : r.embedded) {
    if (!builder_.has_rules(rule.rubric)) continue;
    const RubricModel& other = model_.rubrics[static_cast<std::size_t>(rule.rubric)];
    need(rule.body);
    use_locals(rule.locals);
    std::uint32_t mark = next_;
    const TypeId pair = model_.types[rule.body->type].element;
    const int path_field = model_.types.field(pair, "path"), record_field = model_.types.field(pair, "record");
    Label none;
    OpenLoop each;
    open_loop(each, expr(rule.body), false, none);
    std::uint32_t path = alloc(), record = alloc(), result = alloc();
    emit(Opcode::field, record, each.base + 2, static_cast<std::uint32_t>(record_field < 0 ? 1 : record_field));
    emit_jump(Opcode::jump_missing, record, 0, each.next);
    emit(Opcode::field, path, each.base + 2, static_cast<std::uint32_t>(path_field < 0 ? 0 : path_field));
    const std::uint32_t slots = static_cast<std::uint32_t>(other.slots.size());
    const std::uint32_t weights = static_cast<std::uint32_t>(other.weighting.weights.size());
    std::uint32_t base = alloc(slots + weights + 1);
    emit(Opcode::spread, base, record, slots);
    weights_into(rule.rubric, false, base + slots);
    emit(Opcode::join_path, base + slots + weights, prefix, path);
    emit(Opcode::call, result, builder_.rules_function(rule.rubric), base);
    close_loop(each);
    bind(none);
    next_ = mark;
  }
  for (const Check& rule : r.checks) {
    need(rule.body);
    use_locals(rule.locals);
    std::uint32_t mark = next_;
    emit(Opcode::refuse_paths, expr(rule.body), prefix);
    next_ = mark;
  }
}

// The same rules for each earlier record, once each: they do not depend on the record being scored.
void FunctionCompiler::history_rules() {
  const std::uint32_t slots = static_cast<std::uint32_t>(slots_.size());
  const std::uint32_t weights = static_cast<std::uint32_t>(weights_.size());
  std::uint32_t mark = next_;
  Label none, passed;
  OpenLoop each;
  open_earlier(each, true, none);
  std::uint32_t result = alloc();
  std::uint32_t base = alloc(slots + weights + 1);
  emit_jump(Opcode::jump_missing, each.base + 2, 0, passed);
  emit(Opcode::spread, base, each.base + 2, slots);
  weights_into(rubric_, true, base + slots);
  emit(Opcode::index_path, base + slots + weights, text_constant("history"), each.base + 1);
  emit(Opcode::call, result, builder_.rules_function(rubric_), base);
  bind(passed);
  emit(Opcode::keep_checked);
  close_loop(each);
  bind(none);
  next_ = mark;
}

}  // namespace assay
