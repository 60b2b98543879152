// The trace points of a program: the beginnings of steps that an explanation shows, their values, rounds of loops,
// sides of choices, and named values. Untraced programs have none of these instructions.
#include "lang/bytecode/compiler.hpp"

namespace assay {

std::uint32_t ProgramBuilder::point(TracePoint point) {
  program_->points.push_back(std::move(point));
  return static_cast<std::uint32_t>(program_->points.size() - 1);
}

// Arithmetic and comparisons are explained by their text and the values that they read.
bool FunctionCompiler::is_step(const Expr& e) const {
  switch (e.op) {
    case Op::call:
    case Op::apply:
    case Op::hook:
    case Op::loop:
    case Op::lookup:
    case Op::choice:
    case Op::builtin: return true;
    case Op::make_record: {  // an entry of the deductions or bonuses
      const std::vector<Field>& fields = model_.types[e.type].fields;
      return fields.size() == 3 && fields[0].name == "name" && fields[1].name == "amount" && fields[2].name == "reason";
    }
    default: return false;
  }
}

std::uint32_t FunctionCompiler::trace_begin(TracePoint point) {
  if (!builder_.traced()) return 0;
  const std::uint32_t at = builder_.point(std::move(point));
  emit(Opcode::trace_begin, at);
  return at;
}

void FunctionCompiler::trace_local(const Expr* e, const std::string& name, TypeId type, std::uint32_t reg) {
  if (builder_.traced())
    emit(Opcode::trace_value, reg, builder_.point({TracePoint::Kind::local, e, -1, -1, name, type}));
}

void FunctionCompiler::trace_round(const Expr* e, std::size_t index, const OpenLoop& open) {
  if (!builder_.traced()) return;
  const LoopClause& clause = e->loop->clauses[index];
  trace_begin({TracePoint::Kind::round, e, static_cast<int>(index), -1, "", kUnknown});
  const std::uint32_t first = open.map ? open.base + 2 : open.base + 1;
  const TypeId element = model_.types[clause.expr->type].element;
  if (!clause.first_name.empty()) trace_local(e, clause.first_name, open.map ? kText : kNumber, first);
  if (!clause.second_name.empty()) trace_local(e, clause.second_name, element, first + 1);
}

}  // namespace assay
