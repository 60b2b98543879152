// The parts that expressions need, each referring to all others.
#include "lang/check/expr/expressions.hpp"

namespace assay {

ExprPart::ExprPart(CheckState& state, Expressions& all)
    : ExprBuilder(state),
      asked_(all.asked),
      calls_(all.calls),
      csv_(all.csv),
      doubts_(all.doubts),
      exprs_(all.exprs),
      hints_(all.hints),
      kinds_(all.kinds),
      loops_(all.loops),
      records_(all.records),
      tables_(all.tables) {}

Expressions::Expressions(CheckState& state)
    : asked(state, *this),
      calls(state, *this),
      csv(state, *this),
      doubts(state, *this),
      exprs(state, *this),
      hints(state, *this),
      kinds(state, *this),
      loops(state, *this),
      records(state, *this),
      tables(state, *this) {}

}  // namespace assay
