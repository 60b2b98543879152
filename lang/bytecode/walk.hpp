// Walks an expression of the model.
#pragma once

#include "lang/model/model.hpp"

namespace assay {

// Calls visit(e) for an expression and all its parts.
template <class Visit>
void walk(const Expr* e, Visit&& visit) {
  if (!e) return;
  visit(*e);
  for (const Expr* arg : e->args) walk(arg, visit);
  if (!e->loop) return;
  const Loop& l = *e->loop;
  for (const LoopClause& clause : l.clauses) walk(clause.expr, visit);
  for (const Expr* part : {l.start, l.next, l.key, l.value}) walk(part, visit);
  for (const LoopOrder& order : l.order) walk(order.expr, visit);
}

}  // namespace assay
