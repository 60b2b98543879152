// What an expression is made of. See known.hpp.
#pragma once

#include "lang/model/model.hpp"

namespace assay {

inline bool joins(Op op) { return op == Op::and_ || op == Op::or_; }
inline bool compares(Op op) {
  return op == Op::eq || op == Op::ne || op == Op::lt || op == Op::le || op == Op::gt || op == Op::ge;
}
Op opposite(Op op);  // of a comparison that fails
inline bool has_order(TypeKind kind) { return kind == TypeKind::number || kind == TypeKind::text; }
inline bool is_constant(const Expr& e) { return e.op == Op::constant; }
inline bool is_builtin(const Expr& e, Builtin id) { return e.op == Op::builtin && static_cast<Builtin>(e.index) == id; }
inline bool is_sum(const Expr& e) { return e.op == Op::add || e.op == Op::sub || e.op == Op::mul || e.op == Op::neg; }
const std::vector<Expr*>* summed(
    const Expr& e);  // the numbers that are added up, or the lists that are counted; null: none
inline bool has_terms(const Expr& e) {
  return is_sum(e) || e.op == Op::div || e.op == Op::weighted_sum || summed(e) != nullptr;
}
const std::vector<Expr*>& numbers_of(const Expr& e);  // of which min, max or a mean is asked; empty: something else
bool counts(const Expr& e);
bool gathers(const Expr& e);                                                 // a number from a list
bool has_one_list(const Loop& loop);                                         // no loop within it
void parts_of_chain(const Expr& e, Op op, std::vector<const Expr*>& parts);  // of `a and b and c`

}  // namespace assay
