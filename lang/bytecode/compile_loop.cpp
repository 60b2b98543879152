// Loops: nested clauses, then the use of each value. Aggregates keep one accumulator and never make a list. With an
// order, values and their sort keys first become rows of a list, which is sorted and then collected.
#include "lang/bytecode/compiler.hpp"

#include <algorithm>

namespace assay {

// A list loop owns three registers (list, position, item), a map loop four. The test is at the end of the loop.
void FunctionCompiler::open_loop(OpenLoop& open, std::uint32_t source, bool map, Label& missing) {
  begin_loop(open, map ? Opcode::each_entry : Opcode::each_item, source, missing);
}

void FunctionCompiler::begin_loop(OpenLoop& open, Opcode op, std::uint32_t source, Label& missing, std::uint32_t x) {
  open.map = op == Opcode::each_entry;
  open.base = alloc(open.map ? 4 : 3);
  emit_jump(op, open.base, source, missing, x);
  emit_jump(Opcode::jump, 0, 0, open.next);
  open.body = static_cast<std::uint32_t>(out_.code.size());
  last_label_ = open.body;
}

// Over the earlier records whose verdicts, or whose rules, the VM has not cached yet.
void FunctionCompiler::open_earlier(OpenLoop& open, bool rules, Label& missing) {
  begin_loop(open, Opcode::each_earlier, history_, missing, rules ? 1 : 0);
}

void FunctionCompiler::close_loop(OpenLoop& open) {
  bind(open.next);
  std::size_t cost = std::min<std::size_t>(out_.code.size() - open.body + 1, 0xffff);
  emit(open.map ? Opcode::next_entry : Opcode::next_item, open.base, 0, open.body, static_cast<std::uint32_t>(cost));
  bind(open.exit);
}

void FunctionCompiler::collect(const Loop& l, std::uint32_t acc, std::uint32_t key, std::uint32_t value) {
  switch (l.collect) {
    case Collect::list: emit(Opcode::list_push, acc, value); break;
    case Collect::map: emit(Opcode::map_put, acc, key, value); break;
    case Collect::group: {
      bool each = model_.types.kind(l.key->type) == TypeKind::list;
      emit(each ? Opcode::group_put_each : Opcode::group_put, acc, key, value);
      break;
    }
    case Collect::sum: emit(Opcode::add, acc, acc, value); break;
    case Collect::product: emit(Opcode::mul, acc, acc, value); break;
    case Collect::any: emit(Opcode::or_, acc, acc, value); break;
    case Collect::all: emit(Opcode::and_, acc, acc, value); break;
    case Collect::min: emit(Opcode::keep_min, acc, value); break;
    case Collect::max: emit(Opcode::keep_max, acc, value); break;
    case Collect::count: emit(Opcode::add, acc, acc, constant(make_number(whole(1)), kNumber)); break;
    case Collect::mean:
      emit(Opcode::add, acc, acc, value);
      emit(Opcode::add, acc + 1, acc + 1, constant(make_number(whole(1)), kNumber));
      break;
  }
}

// `history` is a loop that applies the rubric to each earlier record. In such a verdict the history is empty, so it
// depends only on that record and the weights: it is computed once and cached, and the cost of a record does not grow
// with its series.
bool FunctionCompiler::earlier_verdicts(const Expr* e, std::uint32_t d) {
  if (builder_.traced()) return false;  // each of them is traced
  const Loop& l = *e->loop;
  if (!keeps_history_ || l.collect != Collect::list || l.clauses.size() != 1 || !l.order.empty() || l.state >= 0)
    return false;
  const LoopClause& clause = l.clauses[0];
  const Expr& value = *l.value;
  if (clause.kind != LoopClause::Kind::for_in || clause.expr->op != Op::raw_history || clause.second < 0) return false;
  if (value.op != Op::apply || !value.self || static_cast<int>(value.index) != rubric_) return false;
  if (value.args[0]->op != Op::local || static_cast<int>(value.args[0]->index) != clause.second) return false;
  Label none;
  OpenLoop each;
  open_earlier(each, false, none);
  locals_[static_cast<std::size_t>(clause.second)] = each.base + 2;
  emit(Opcode::keep_verdict, expr(&value));
  close_loop(each);
  bind(none);
  emit(Opcode::earlier_verdicts, d);
  return true;
}

// Sets the two registers to the result for no items.
void FunctionCompiler::begin_collecting(const Loop& l, std::uint32_t acc) {
  auto number = [&](std::int64_t n) { return constant(make_number(whole(n)), kNumber); };
  switch (l.collect) {
    case Collect::list: break;
    case Collect::map:
    case Collect::group: emit(Opcode::map_new, acc); break;
    case Collect::sum:
    case Collect::count: emit(Opcode::move, acc, number(0)); break;
    case Collect::product: emit(Opcode::move, acc, number(1)); break;
    case Collect::any:
    case Collect::all: emit(Opcode::move, acc, constant(make_bool(l.collect == Collect::all), kBool)); break;
    case Collect::min:
    case Collect::max:
      emit(Opcode::load_missing, acc);
      emit(Opcode::move, acc + 1, number(0));
      break;
    case Collect::mean:
      emit(Opcode::move, acc, number(0));
      emit(Opcode::move, acc + 1, number(0));
      break;
  }
}

// Sorts the rows and collects their values, which are in the last column, after the key if there is one.
void FunctionCompiler::collect_sorted(const Loop& l, std::uint32_t acc, std::uint32_t rows, std::uint32_t columns) {
  const bool keyed = l.collect == Collect::map || l.collect == Collect::group;
  SortOrder order;
  order.stride = columns;
  for (const LoopOrder& o : l.order) order.keys.push_back({o.expr->type, o.higher});
  emit(Opcode::sort_rows, rows, rows, builder_.sort(std::move(order)));
  if (!keyed) emit(Opcode::list_new, acc, acc);
  const std::uint32_t base = alloc(2 + columns);
  Label next;
  emit(Opcode::each_row, base, rows);
  emit_jump(Opcode::jump, 0, 0, next);
  const std::uint32_t body = static_cast<std::uint32_t>(out_.code.size());
  last_label_ = body;
  const std::uint32_t last = base + 2 + columns - 1;
  collect(l, acc, keyed ? last - 1 : 0, last);
  bind(next);
  emit(Opcode::next_row, base, columns, body, 2);
}

void FunctionCompiler::loop(const Expr* e, std::uint32_t d) {
  if (earlier_verdicts(e, d)) return;
  const Loop& l = *e->loop;
  const bool keyed = l.collect == Collect::map || l.collect == Collect::group;
  const bool sorted = !l.order.empty() && (keyed || l.collect == Collect::list);
  const std::uint32_t acc = alloc(2);
  const std::uint32_t rows = sorted ? alloc(2) : acc;
  Label missing, end;

  if (l.start) {
    std::uint32_t state = alloc();
    into(l.start, state);
    locals_[static_cast<std::size_t>(l.state)] = state;
  }
  begin_collecting(l, acc);
  const bool makes_list = sorted || l.collect == Collect::list;
  const bool reserve =
      makes_list && !sorted && l.clauses.size() == 1 && model_.types.kind(l.clauses[0].expr->type) != TypeKind::map;
  if (makes_list && !reserve) emit(Opcode::list_new, rows, rows);

  std::vector<OpenLoop> open;
  open.reserve(l.clauses.size());
  for (const LoopClause& clause : l.clauses) {
    if (clause.kind == LoopClause::Kind::for_in) {
      const bool map = model_.types.kind(clause.expr->type) == TypeKind::map;
      std::uint32_t source = expr(clause.expr);
      open.emplace_back();
      OpenLoop& o = open.back();
      if (reserve) emit(Opcode::list_new, rows, source, 0, 1);
      open_loop(o, source, map, missing);
      const std::uint32_t first = map ? o.base + 2 : o.base + 1, second = map ? o.base + 3 : o.base + 2;
      if (clause.first >= 0) locals_[static_cast<std::size_t>(clause.first)] = first;
      if (clause.second >= 0) locals_[static_cast<std::size_t>(clause.second)] = second;
      trace_round(e, static_cast<std::size_t>(&clause - l.clauses.data()), o);
    } else if (clause.kind == LoopClause::Kind::let) {
      const std::uint32_t value = alloc();
      into(clause.expr, value);
      locals_[static_cast<std::size_t>(clause.second)] = value;
      trace_local(e, clause.second_name, clause.expr->type, value);
    } else if (clause.kind == LoopClause::Kind::when) {
      jump_unless(clause.expr, open.back().next);
    } else {
      jump_unless(clause.expr, open.back().exit);
    }
  }
  trace_begin({TracePoint::Kind::passed, e, -1, -1, "", kUnknown});
  if (l.next) {
    std::uint32_t mark = next_;
    std::uint32_t next = alloc();
    into(l.next, next);
    emit(Opcode::move, locals_[static_cast<std::size_t>(l.state)], next);
    trace_local(e, l.state_name, l.next->type, next);
    next_ = mark;
  }
  const std::uint32_t columns = static_cast<std::uint32_t>(l.order.size()) + (keyed ? 2 : 1);
  if (sorted) {
    std::vector<const Expr*> row;
    for (const LoopOrder& order : l.order) row.push_back(order.expr);
    if (keyed) row.push_back(l.key);
    row.push_back(l.value);
    const std::uint32_t values = block(row);
    trace_local(e, "", l.value->type, values + columns - 1);
    emit(Opcode::push_row, rows, values, columns);
  } else {
    std::uint32_t key = keyed ? expr(l.key) : 0;
    std::uint32_t value = l.collect == Collect::count ? 0 : expr(l.value);
    if (l.collect != Collect::count) trace_local(e, "", l.value->type, value);
    collect(l, acc, key, value);
  }
  while (!open.empty()) {
    // When an inner loop ends, the enclosing one continues with its next round.
    close_loop(open.back());
    open.pop_back();
  }

  if (sorted) collect_sorted(l, acc, rows, columns);
  if (l.collect == Collect::mean) {
    emit(Opcode::div, d, acc, acc + 1);
  } else {
    emit(Opcode::move, d, acc);
  }
  if (!missing.uses.empty()) {
    emit_jump(Opcode::jump, 0, 0, end);
    bind(missing);
    emit(Opcode::load_missing, d);
    bind(end);
  }
}

}  // namespace assay
