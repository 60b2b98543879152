// Expressions. Conditions of a choice become jumps, never a bool in a register; a choice evaluates only the side it
// takes; arguments that are already in adjacent registers are used in place.
#include "lang/bytecode/compiler.hpp"

#include <algorithm>
#include <cassert>

namespace assay {

bool FunctionCompiler::in_place(const Expr* e, std::uint32_t& reg) {
  switch (e->op) {
    case Op::local: reg = locals_[e->index]; break;
    case Op::slot: reg = slots_[e->index]; break;
    case Op::weight: reg = weights_[e->index]; break;
    case Op::item: reg = items_[e->index]; break;
    case Op::raw_history: reg = history_; break;
    default: {
      Value value;
      if (!builder_.constant_value(*e, value)) return false;
      reg = constant(value, e->type);
    }
  }
  assert(reg != kNoRegister);
  return true;
}

std::uint32_t FunctionCompiler::expr(const Expr* e) {
  std::uint32_t reg = 0;
  if (in_place(e, reg)) return reg;
  if (e->op == Op::let_in) {  // the body may be in place, too
    let(e);
    return expr(e->args[1]);
  }
  reg = alloc();
  into(e, reg);
  return reg;
}

std::uint32_t FunctionCompiler::fresh_block(const std::vector<const Expr*>& args) {
  std::uint32_t base = alloc(static_cast<std::uint32_t>(args.size()));
  for (std::size_t i = 0; i < args.size(); ++i) into(args[i], base + static_cast<std::uint32_t>(i));
  return base;
}

std::uint32_t FunctionCompiler::block(const std::vector<const Expr*>& args) {
  if (args.empty()) return params_;  // no register is read
  if (args.size() == 1) return expr(args[0]);
  std::vector<Constant> constants;
  for (const Expr* arg : args) {
    Constant c;
    c.type = arg->type;
    if (!builder_.constant_value(*arg, c.value)) break;
    constants.push_back(c);
  }
  if (constants.size() == args.size()) return constant_block(constants);
  std::uint32_t base = 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    std::uint32_t reg = 0;
    if (args[i]->op == Op::constant || !in_place(args[i], reg)) return fresh_block(args);
    if (i == 0) base = reg;
    if (reg != base + i) return fresh_block(args);
  }
  return base;
}

void FunctionCompiler::let(const Expr* e) {
  const std::uint32_t reg = locals_[e->index] = expr(e->args[0]);
  if (!e->names.empty()) trace_local(e, e->names[0], e->args[0]->type, reg);
}

void FunctionCompiler::binary(Opcode op, const Expr* e, std::uint32_t d, std::uint32_t x) {
  std::uint32_t a = expr(e->args[0]);
  std::uint32_t b = expr(e->args[1]);
  emit(op, d, a, b, x);
}

void FunctionCompiler::unary(Opcode op, const Expr* e, std::uint32_t d) { emit(op, d, expr(e->args[0])); }

namespace {

// Whether a type leaves some inner type open, like that of an empty list.
bool vague(const TypeTable& types, TypeId type) {
  const Type& t = types[type];
  if (t.kind == TypeKind::unknown) return true;
  return (t.kind == TypeKind::list || t.kind == TypeKind::map) && vague(types, t.element);
}

}  // namespace

TypeId FunctionCompiler::common_type(const Expr* e) const {
  TypeId first = e->args[0]->type, second = e->args[1]->type;
  if (e->op == Op::in_list) second = model_.types[second].element;
  return vague(model_.types, first) ? second : first;
}

void FunctionCompiler::comparison(const Expr* e, std::uint32_t d) {
  const TypeId type = common_type(e);
  const TypeKind kind = model_.types.kind(type);
  std::uint32_t a = expr(e->args[0]), b = expr(e->args[1]);
  const bool text = kind == TypeKind::text;
  switch (e->op) {
    case Op::lt: emit(text ? Opcode::lt_text : Opcode::lt_number, d, a, b); return;
    case Op::le: emit(text ? Opcode::le_text : Opcode::le_number, d, a, b); return;
    case Op::gt: emit(text ? Opcode::lt_text : Opcode::lt_number, d, b, a); return;
    case Op::ge: emit(text ? Opcode::le_text : Opcode::le_number, d, b, a); return;
    default: break;
  }
  const bool eq = e->op == Op::eq;
  switch (kind) {
    case TypeKind::number: emit(eq ? Opcode::eq_number : Opcode::ne_number, d, a, b); return;
    case TypeKind::boolean: emit(eq ? Opcode::eq_bool : Opcode::ne_bool, d, a, b); return;
    case TypeKind::text:
    case TypeKind::any: emit(eq ? Opcode::eq_text : Opcode::ne_text, d, a, b); return;
    default: emit(eq ? Opcode::eq_deep : Opcode::ne_deep, d, a, b, builder_.type(type)); return;
  }
}

void FunctionCompiler::in_list(const Expr* e, std::uint32_t d) {
  const Expr* list = e->args[1];
  while (list && list->op == Op::item) list = model_.rubrics[static_cast<std::size_t>(rubric_)].items[list->index].body;
  std::uint32_t set = 0;
  if (list && builder_.set(common_type(e), *list, set)) {
    emit(Opcode::in_set, d, expr(e->args[0]), set);
  } else {
    binary(Opcode::in_list, e, d, builder_.type(common_type(e)));
  }
}

// A jump that is taken unless the comparison (or its opposite) holds. False: there is no such instruction.
bool FunctionCompiler::compare_jump(const Expr* e, bool negated, Label& label) {
  Op op = e->op;
  switch (op) {
    case Op::eq: op = negated ? Op::ne : op; break;
    case Op::ne: op = negated ? Op::eq : op; break;
    case Op::lt: op = negated ? Op::ge : op; break;
    case Op::le: op = negated ? Op::gt : op; break;
    case Op::gt: op = negated ? Op::le : op; break;
    case Op::ge: op = negated ? Op::lt : op; break;
    default: return false;
  }
  const TypeKind kind = model_.types.kind(common_type(e));
  const bool number = kind == TypeKind::number;
  const bool equality = op == Op::eq || op == Op::ne;
  if (!number && !((kind == TypeKind::text || kind == TypeKind::any) && equality)) return false;
  std::uint32_t mark = next_;
  std::uint32_t a = expr(e->args[0]), b = expr(e->args[1]);
  next_ = mark;
  switch (op) {
    case Op::eq: emit_jump(number ? Opcode::jump_unless_eq : Opcode::jump_unless_eq_text, a, b, label); break;
    case Op::ne: emit_jump(number ? Opcode::jump_unless_ne : Opcode::jump_unless_ne_text, a, b, label); break;
    case Op::lt: emit_jump(Opcode::jump_unless_lt, a, b, label); break;
    case Op::le: emit_jump(Opcode::jump_unless_le, a, b, label); break;
    case Op::gt: emit_jump(Opcode::jump_unless_lt, b, a, label); break;
    default: emit_jump(Opcode::jump_unless_le, b, a, label); break;
  }
  return true;
}

void FunctionCompiler::jump_unless(const Expr* e, Label& label) {
  std::uint32_t mark = next_;
  switch (e->op) {
    case Op::and_:
      jump_unless(e->args[0], label);
      jump_unless(e->args[1], label);
      return;
    case Op::or_: {
      Label yes;
      jump_when(e->args[0], yes);
      jump_unless(e->args[1], label);
      bind(yes);
      return;
    }
    case Op::is_missing: emit_jump(Opcode::jump_given, expr(e->args[0]), 0, label); break;
    case Op::not_:
      if (e->args[0]->op == Op::is_missing) {
        emit_jump(Opcode::jump_missing, expr(e->args[0]->args[0]), 0, label);
      } else if (!compare_jump(e->args[0], true, label)) {
        emit_jump(Opcode::jump_unless_false, expr(e->args[0]), 0, label);
      }
      break;
    default:
      if (!compare_jump(e, false, label)) emit_jump(Opcode::jump_unless, expr(e), 0, label);
  }
  next_ = mark;
}

void FunctionCompiler::jump_when(const Expr* e, Label& label) {
  std::uint32_t mark = next_;
  switch (e->op) {
    case Op::or_:
      jump_when(e->args[0], label);
      jump_when(e->args[1], label);
      return;
    case Op::and_: {
      Label no;
      jump_unless(e->args[0], no);
      jump_when(e->args[1], label);
      bind(no);
      return;
    }
    case Op::is_missing: emit_jump(Opcode::jump_missing, expr(e->args[0]), 0, label); break;
    case Op::not_:
      if (e->args[0]->op == Op::is_missing) {
        emit_jump(Opcode::jump_given, expr(e->args[0]->args[0]), 0, label);
      } else {
        emit_jump(Opcode::jump_when_false, expr(e->args[0]), 0, label);
      }
      break;
    default: emit_jump(Opcode::jump_when, expr(e), 0, label);
  }
  next_ = mark;
}

void FunctionCompiler::weights_into(int rubric, bool self, std::uint32_t base) {
  const RubricModel& r = model_.rubrics[static_cast<std::size_t>(rubric)];
  const std::uint32_t count = static_cast<std::uint32_t>(r.weighting.weights.size());
  if (count == 0) return;
  if (self && rubric == rubric_) {
    emit(Opcode::move_block, base, weights_[0], count);
    return;
  }
  std::vector<Constant> defaults;
  for (const WeightModel& w : r.weighting.weights) defaults.push_back({make_number(w.value), kNumber});
  emit(Opcode::move_block, base, constant_block(defaults), count);
}

void FunctionCompiler::call(const Expr* e, std::uint32_t d) {
  const int index = static_cast<int>(e->index);
  const FreeNames& free = builder_.free_names(index);
  const std::uint32_t count = static_cast<std::uint32_t>(e->args.size());
  std::uint32_t base = alloc(count + static_cast<std::uint32_t>(free.size()));
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t mark = next_;
    into(e->args[i], base + i);
    next_ = mark;
  }
  const Function& called = model_.functions[e->index];
  for (std::uint32_t i = 0; i < count && i < called.param_names.size(); ++i)
    trace_local(e, called.param_names[i], e->args[i]->type, base + i);
  std::uint32_t at = base + count;
  auto pass = [&](std::uint32_t reg) {
    assert(reg != kNoRegister);
    emit(Opcode::move, at++, reg);
  };
  for (int i : free.items) pass(items_[static_cast<std::size_t>(i)]);
  for (int i : free.slots) pass(slots_[static_cast<std::size_t>(i)]);
  for (int i : free.weights) pass(weights_[static_cast<std::size_t>(i)]);
  emit(Opcode::call, d, builder_.function(index), base);
}

void FunctionCompiler::apply(const Expr* e, std::uint32_t d) {
  const int index = static_cast<int>(e->index);
  const RubricModel& r = model_.rubrics[static_cast<std::size_t>(index)];
  const std::uint32_t slots = static_cast<std::uint32_t>(r.slots.size());
  std::uint32_t record = expr(e->args[0]);
  Label missing, end;
  emit_jump(Opcode::jump_missing, record, 0, missing);
  std::uint32_t base = alloc(slots + static_cast<std::uint32_t>(r.weighting.weights.size()));
  if (slots) emit(Opcode::spread, base, record, slots);
  weights_into(index, e->self, base + slots);
  emit(Opcode::call, d, builder_.rubric_function(index), base);
  emit_jump(Opcode::jump, 0, 0, end);
  bind(missing);
  emit(Opcode::load_missing, d);
  bind(end);
}

// Built-in functions of one or two numbers have their own instructions; the others are called by row number.
void FunctionCompiler::builtin(const Expr* e, std::uint32_t d) {
  const Builtin which = static_cast<Builtin>(e->index);
  const std::vector<Expr*>& args = e->args;
  auto rounding = [&](Rounding mode) {
    std::int64_t decimals = 0;
    if (args.size() > 1) {
      Value value;
      if (!builder_.constant_value(*args[1], value) || value.missing() || !to_int64(value.number, decimals))
        return false;
    }
    decimals = std::clamp<std::int64_t>(decimals, -4000, 4000);
    emit(Opcode::round, d, expr(args[0]), static_cast<std::uint32_t>(static_cast<std::int32_t>(decimals)),
         static_cast<std::uint32_t>(mode));
    return true;
  };
  const TypeKind kind = args.empty() ? TypeKind::unknown : model_.types.kind(args[0]->type);
  switch (which) {
    case Builtin::abs: unary(Opcode::abs, e, d); return;
    case Builtin::mod: binary(Opcode::mod, e, d); return;
    case Builtin::clamp: binary(Opcode::clamp, e, d); return;
    case Builtin::round:
      if (rounding(Rounding::half_away)) return;
      break;
    case Builtin::round_even:
      if (rounding(Rounding::half_even)) return;
      break;
    case Builtin::floor:
      if (rounding(Rounding::floor)) return;
      break;
    case Builtin::ceil:
      if (rounding(Rounding::ceil)) return;
      break;
    case Builtin::trunc:
      if (rounding(Rounding::trunc)) return;
      break;
    case Builtin::min:
    case Builtin::max: {
      if (kind == TypeKind::list || args.size() < 2) break;
      const Opcode op = which == Builtin::min ? Opcode::min : Opcode::max;
      std::uint32_t a = expr(args[0]);
      for (std::size_t i = 1; i < args.size(); ++i) {
        std::uint32_t b = expr(args[i]);
        emit(op, d, a, b);
        a = d;
      }
      return;
    }
    case Builtin::count:
      if (kind != TypeKind::list && kind != TypeKind::map) break;
      unary(Opcode::count_items, e, d);
      return;
    case Builtin::distinct:
      emit(Opcode::distinct, d, expr(args[0]), 0, builder_.type(model_.types[args[0]->type].element));
      return;
    default: break;
  }
  BuiltinCall call;
  call.builtin = which;
  call.result = e->type;
  for (const Expr* arg : args) call.types.push_back(arg->type);
  std::uint32_t base = block({args.begin(), args.end()});
  emit(Opcode::builtin, d, base, builder_.builtin_call(std::move(call)));
}

void FunctionCompiler::into(const Expr* e, std::uint32_t d) {
  std::uint32_t reg = 0;
  if (in_place(e, reg)) {
    if (reg != d) emit(Opcode::move, d, reg);
    return;
  }
  if (!builder_.traced() || !is_step(*e)) return compute(e, d);
  const std::uint32_t point = trace_begin({TracePoint::Kind::expr, e, -1, -1, "", e->type});
  compute(e, d);
  emit(Opcode::trace_value, d, point);
}

// The temporaries of `e` are free again once its value is in d.
void FunctionCompiler::compute(const Expr* e, std::uint32_t d) {
  std::uint32_t reg = 0;
  const std::uint32_t mark = next_;
  const std::vector<Expr*>& args = e->args;
  switch (e->op) {
    case Op::let_in:
      let(e);
      into(args[1], d);
      break;
    case Op::choice: {
      Value first, second;
      const bool constants = builder_.constant_value(*args[0], first) && builder_.constant_value(*args[2], second);
      if (constants && !builder_.traced()) {
        const std::uint32_t values = constant_block({{first, e->type}, {second, e->type}});
        emit(Opcode::choose, d, expr(args[1]), values);
        break;
      }
      Label otherwise, end;
      jump_unless(args[1], otherwise);
      trace_begin({TracePoint::Kind::taken, e, -1, -1, "", kUnknown});
      into(args[0], d);
      emit_jump(Opcode::jump, 0, 0, end);
      bind(otherwise);
      trace_begin({TracePoint::Kind::skipped, e, -1, -1, "", kUnknown});
      into(args[2], d);
      bind(end);
      break;
    }
    case Op::and_:
    case Op::or_:
    case Op::xor_:
      binary(e->op == Op::and_ ? Opcode::and_ : e->op == Op::or_ ? Opcode::or_ : Opcode::xor_, e, d);
      break;
    case Op::not_:
      if (args[0]->op == Op::is_missing) {
        unary(Opcode::is_given, args[0], d);
      } else {
        unary(Opcode::not_, e, d);
      }
      break;
    case Op::eq:
    case Op::ne:
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge: comparison(e, d); break;
    case Op::in_range: binary(Opcode::in_range, e, d); break;
    case Op::in_list: in_list(e, d); break;
    case Op::in_map: binary(Opcode::in_map, e, d); break;
    case Op::is_missing: unary(Opcode::is_missing, e, d); break;
    case Op::is_kind:
    case Op::as_kind:
      emit(e->op == Op::is_kind ? Opcode::is_kind : Opcode::as_kind, d, expr(args[0]), builder_.type(args[0]->type),
           e->index);
      break;
    case Op::retype: into(args[0], d); break;
    case Op::any_get:
      binary(Opcode::any_get, e, d, model_.types.kind(args[1]->type) == TypeKind::number ? 1 : 0);
      break;
    case Op::default_: {
      if (in_place(args[1], reg)) {
        emit(Opcode::coalesce, d, expr(args[0]), reg);
        break;
      }
      Label given;
      into(args[0], d);
      emit_jump(Opcode::jump_given, d, 0, given);
      into(args[1], d);
      bind(given);
      break;
    }
    case Op::add: binary(Opcode::add, e, d); break;
    case Op::sub: binary(Opcode::sub, e, d); break;
    case Op::mul: binary(Opcode::mul, e, d); break;
    case Op::div: binary(Opcode::div, e, d); break;
    case Op::pow: binary(Opcode::pow, e, d); break;
    case Op::neg: unary(Opcode::neg, e, d); break;
    case Op::concat:
      binary(Opcode::concat, e, d);
      if (model_.types[e->type].set) emit(Opcode::distinct, d, d, 0, builder_.type(model_.types[e->type].element));
      break;
    case Op::make_range: {
      std::uint32_t flags = e->index & 3;
      for (std::size_t i = 0; i < 2; ++i)
        if (args[i]->op == Op::constant && args[i]->value.missing()) flags |= 4u << i;
      binary(Opcode::make_range, e, d, flags);
      break;
    }
    case Op::make_record:
    case Op::make_list:
      emit(e->op == Op::make_list ? Opcode::make_list : Opcode::make_record, d, block({args.begin(), args.end()}),
           static_cast<std::uint32_t>(args.size()));
      break;
    case Op::make_map: {
      std::uint32_t base = block({args.begin(), args.end()});
      emit(Opcode::make_map, d, base, builder_.key_set(e->names));
      break;
    }
    case Op::field: emit(Opcode::field, d, expr(args[0]), e->index); break;
    case Op::map_get: binary(Opcode::map_get, e, d); break;
    case Op::list_get: binary(Opcode::list_get, e, d); break;
    case Op::call: call(e, d); break;
    case Op::builtin: builtin(e, d); break;
    case Op::apply: apply(e, d); break;
    case Op::hook: emit(Opcode::hook, d, block({args.begin(), args.end()}), e->index); break;
    case Op::loop: loop(e, d); break;
    case Op::lookup: {
      std::uint32_t keys = block({args.begin(), args.end()});
      std::uint32_t table = builder_.lookup(e->index);
      Opcode op = Opcode::lookup_scan;
      if (builder_.program().lookups[table].kind == Lookup::Kind::threshold) op = Opcode::lookup_threshold;
      if (builder_.program().lookups[table].kind == Lookup::Kind::index) op = Opcode::lookup_index;
      emit(op, d, keys, table);
      break;
    }
    case Op::pick: {
      const Value& column = args[1]->value;
      emit(Opcode::pick, d, expr(args[0]), builder_.pick(e->type, {column.list.items, column.list.size}));
      break;
    }
    case Op::join_text: {
      std::uint32_t base = block({args.begin(), args.end()});
      emit(Opcode::join_text, d, base, builder_.text(*e));
      break;
    }
    case Op::weighted_sum: {
      const std::size_t n = args.size() / 2;
      // In pieces whose size fits the operand.
      const std::size_t step = 0xffff;
      for (std::size_t from = 0; from < n; from += step) {
        const auto begin = args.begin() + static_cast<std::ptrdiff_t>(from);
        const auto size = static_cast<std::ptrdiff_t>(std::min(step, n - from));
        const auto weights = begin + static_cast<std::ptrdiff_t>(n);
        const std::uint32_t part = from == 0 ? d : alloc();
        std::uint32_t values = block({begin, begin + size});
        std::uint32_t factors = block({weights, weights + size});
        emit(Opcode::weighted_sum, part, values, factors, static_cast<std::uint32_t>(size));
        if (part != d) emit(Opcode::add, d, d, part);
      }
      break;
    }
    case Op::adjust: {
      std::uint32_t list = expr(args[0]);
      std::uint32_t cap = args.size() > 1 ? expr(args[1]) : constant(missing_value(), kNumber);
      emit(Opcode::adjust, d, list, cap);
      break;
    }
    case Op::compact: unary(Opcode::compact, e, d); break;
    default: break;  // no test: in_place() handles the others
  }
  next_ = mark;
}

}  // namespace assay
