// The total of deductions or bonuses if nothing needs their list: computed without making its records. If each name
// comes from a set of texts and counts the same, the total is a product.
#include "lang/bytecode/compiler.hpp"

namespace assay {

namespace {

// If `body` sums the amounts of an item that adjusts a list: that item, otherwise -1.
int summed_item(const Expr& body) {
  if (body.op != Op::loop) return -1;
  const Loop& l = *body.loop;
  if (l.collect != Collect::sum || l.start || l.next || !l.order.empty() || l.clauses.size() != 1) return -1;
  const LoopClause& clause = l.clauses[0];
  const Expr& amount = *l.value;
  const bool of_entry = amount.op == Op::field && amount.index == 1 && amount.args[0]->op == Op::local &&
                        static_cast<int>(amount.args[0]->index) == clause.second;
  return of_entry && clause.expr->op == Op::item ? static_cast<int>(clause.expr->index) : -1;
}

// If `list` has an entry for each text of a set in a slot, named by the text: the amount of the entries, otherwise
// null.
const Expr* amount_per_text(const Expr& list, const TypeTable& types) {
  if (list.op != Op::loop) return nullptr;
  const Loop& l = *list.loop;
  if (l.collect != Collect::list || l.start || l.next || !l.order.empty() || l.clauses.size() != 1) return nullptr;
  const LoopClause& clause = l.clauses[0];
  if (clause.expr->op != Op::slot || l.value->op != Op::make_record) return nullptr;
  const Type& source = types[clause.expr->type];
  if (!source.set || types.kind(source.element) != TypeKind::text) return nullptr;
  const Expr& name = *l.value->args[0];
  const bool itself = name.op == Op::local && static_cast<int>(name.index) == clause.second;
  return itself ? l.value->args[1] : nullptr;
}

}  // namespace

bool FunctionCompiler::adjusted_total(const Item& item, std::uint32_t& d) {
  const int at = summed_item(*item.body);
  if (at < 0 || items_[static_cast<std::size_t>(at)] != kNoRegister) return false;
  const Item& list = model_.rubrics[static_cast<std::size_t>(rubric_)].items[static_cast<std::size_t>(at)];
  if (list.body->op != Op::adjust) return false;
  const Expr& entries = *list.body->args[0];
  const Expr& cap = *list.body->args[1];
  need(list.body);
  use_locals(list.locals);
  d = alloc();

  Value amount, limit;
  const Expr* each = amount_per_text(entries, model_.types);
  if (each && builder_.constant_value(*each, amount) && !amount.missing() && sign(amount.number) > 0 &&
      builder_.constant_value(cap, limit) && (limit.missing() || sign(limit.number) >= 0)) {
    emit(Opcode::count_items, d, expr(entries.loop->clauses[0].expr));
    emit(Opcode::mul, d, d, constant(amount, kNumber));
    if (!limit.missing()) emit(Opcode::min, d, d, constant(limit, kNumber));
    return true;
  }
  const std::uint32_t mark = next_;
  const std::uint32_t made = expr(&entries);
  emit(Opcode::adjust_total, d, made, expr(&cap));
  next_ = mark;
  return true;
}

}  // namespace assay
