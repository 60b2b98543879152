// Why there is no kernel, in the words of the language: what the author of a rubric would have to avoid.
#include "lang/kernel/kernel_compiler.hpp"
#include "lang/model/builtin_rows.hpp"
#include "lang/syntax/declarations.hpp"

namespace assay {

namespace {

std::string a_value_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::text: return "a text";
    case TypeKind::list: return "a list";
    case TypeKind::map: return "a map";
    case TypeKind::record: return "a record";
    case TypeKind::range: return "a range";
    case TypeKind::either: return "a value of one of several types";
    default: return "";
  }
}

std::string of_loop(const Model& model, const Loop& loop) {
  if (loop.state >= 0) return "a loop 'with' a state";
  if (!loop.order.empty()) return "a loop in an order, 'by'";
  if (loop.collect == Collect::map || loop.collect == Collect::group) return "a map made by a loop";
  for (std::size_t i = 0; i < loop.clauses.size(); ++i) {
    const LoopClause& clause = loop.clauses[i];
    if (clause.kind == LoopClause::Kind::while_) return "a loop with 'while'";
    if (clause.kind == LoopClause::Kind::let) return "a loop with 'where'";
    if (clause.kind != LoopClause::Kind::for_in) continue;
    if (i > 0) return "a loop with a second 'for'";
    if (model.types.kind(clause.expr->type) == TypeKind::map) return "a loop over a map";
  }
  return "a loop over a list of the record";
}

}  // namespace

std::string KernelCompiler::construct(const Reason& reason) const {
  if (reason.large) return "a number that may be too large";
  const Expr& e = *reason.at;
  const std::string value = a_value_of(model_.types.kind(e.type));
  const std::string operand = e.args.empty() ? "" : a_value_of(model_.types.kind(e.args[0]->type));
  switch (e.op) {
    case Op::hook: return "the hook '" + model_.hooks[e.index].name + "'";
    case Op::apply: return "the rubric '" + model_.rubrics[e.index].name + "', applied to a record";
    case Op::pow: return "a power";
    case Op::builtin: {
      const std::string name = std::string("'").append(kBuiltinRows[e.index].name) + "'";
      return operand == "a list" && adds_up(static_cast<Builtin>(e.index)) ? name + " of a list of the record"
                                                                           : "the function " + name;
    }
    case Op::call: return "the function '" + model_.functions[e.index].name + "'";
    case Op::is_kind:
    case Op::as_kind:
    case Op::retype: return "a value of one of several types";
    case Op::any_get: return "a part of a value of any type";
    case Op::make_map:
    case Op::map_get:
    case Op::in_map: return "a map";
    case Op::list_get: return "an item of a list, by its place";
    case Op::loop: return of_loop(model_, *e.loop);
    case Op::join_text: return "a text put together from values";
    case Op::lookup: {
      const bool large = model_.tables[e.index].rows.size() > kRows;
      return large ? "a table of more than " + std::to_string(kRows) + " rows"
                   : "a table looked up by an item of a list of the record";
    }
    case Op::eq:
    case Op::ne:
    case Op::in_list:
      if (e.op == Op::in_list &&
          (e.args[1]->op == Op::constant ? e.args[1]->value.list.size : e.args[1]->args.size()) > kRows)
        return "a search among more than " + std::to_string(kRows) + " values";
      return operand == "a text" ? "a comparison of texts of the record" : "a comparison of lists or records";
    case Op::choice:
    case Op::default_:
      return value.empty() ? "a choice between values of the record" : "a choice between " + value + " and another";
    case Op::make_range:
    case Op::in_range: return "a range whose ends are computed";
    case Op::concat: return "a list put together from others";
    case Op::adjust: return adjustment_lists() + " with names that the record gives";
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge:
      if (operand == "a text") return "texts in their order";
      [[fallthrough]];
    default: return value.empty() ? "an item of a list of the record" : value;
  }
}

void KernelCompiler::refuse(const std::string& who, const Reason& reason) {
  why_ = who + " needs " + (reason.at == nullptr ? "what a kernel has no instruction for" : construct(reason));
  if (reason.at != nullptr) where_ = reason.at->span;
}

// Whether a verdict shows all of it: kernels only have numbers, truths and texts.
bool KernelCompiler::shows_whole(const Item& item) {
  const std::string value = a_value_of(model_.types.kind(item.type));
  if (value.empty() || value == "a text") return true;
  why_ = "'" + item.name + "' is " + value;
  return false;
}

}  // namespace assay
