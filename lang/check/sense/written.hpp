// Questions about written expressions and texts that several readers of meaning ask.
#pragma once

#include "lang/syntax/ast.hpp"
#include "lang/text/budget.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

inline std::string plain_words(const ast::Text& text) { return text.plain() ? text.str() : std::string(); }

inline bool is_path(const ast::Expr& e) { return e.kind == ast::ExprKind::name || e.kind == ast::ExprKind::field; }

inline bool is_binary(const ast::Expr& e, std::string_view sign) {
  return e.kind == ast::ExprKind::binary && e.text == sign;
}

// A call with one argument.
inline bool is_call(const ast::Expr& e, std::string_view name) {
  return e.kind == ast::ExprKind::call && e.text == name && !e.loop && e.args.size() == 1;
}

// Without what keeps a value in its range, rounds it, or replaces a missing one.
inline const ast::Expr& core_of(const ast::Expr& e) {
  const ast::Expr* of = &e;
  while (true) {
    const bool other = of->kind == ast::ExprKind::binary && of->text == "default";
    const bool call = of->kind == ast::ExprKind::call && !of->loop && !of->args.empty() && of->args[0];
    const bool keeps =
        call && (of->text == "clamp" || of->text == "round" || of->text == "floor" || of->text == "ceil");
    if (!other && !keeps) return *of;
    of = of->args[0].get();
  }
}

// An expression and all its parts, those of its loops and texts as well.
template <typename Look>
void each_expr(Budget& budget, const ast::Expr& e, const Look& look) {
  const Nesting nesting(budget);
  look(e);
  for (const ast::ExprPtr& arg : e.args) {
    if (arg) each_expr(budget, *arg, look);
  }
  for (const ast::TextPart& part : e.literal.parts) {
    if (part.expr) each_expr(budget, *part.expr, look);
  }
  if (!e.loop) return;
  for (const ast::Clause& clause : e.loop->clauses) {
    if (clause.expr) each_expr(budget, *clause.expr, look);
  }
  for (const ast::ExprPtr* state : {&e.loop->start, &e.loop->next}) {
    if (*state) each_expr(budget, **state, look);
  }
  for (const ast::OrderKey& key : e.loop->order) each_expr(budget, *key.expr, look);
}

// Pairs of which the first is never above the second, where a condition holds: held, attended of attended >= held.
inline void never_above(const ast::Expr& condition, std::vector<std::pair<const ast::Expr*, const ast::Expr*>>& pairs) {
  std::vector<const ast::Expr*> open = {&condition};
  while (!open.empty()) {
    const ast::Expr& e = *open.back();
    open.pop_back();
    if (is_binary(e, "and")) {
      for (const ast::ExprPtr& side : e.args) open.push_back(side.get());
    }
    if (is_binary(e, "<") || is_binary(e, "<=")) pairs.emplace_back(e.args[0].get(), e.args[1].get());
    if (is_binary(e, ">") || is_binary(e, ">=")) pairs.emplace_back(e.args[1].get(), e.args[0].get());
  }
}

// 1: the first is larger where the score has risen, -1: where it has fallen.
inline int trend_of(Budget& budget, const ast::Expr& left, const ast::Expr& right) {
  const auto reads_history = [&budget](const ast::Expr& e) {
    bool found = false;
    each_expr(budget, e, [&found](const ast::Expr& part) {
      found = found || (part.kind == ast::ExprKind::name && part.text == "history");
    });
    return found;
  };
  const auto is_score = [](const ast::Expr& e) { return e.kind == ast::ExprKind::name && e.text == "score"; };
  return is_score(left) && reads_history(right) ? 1 : is_score(right) && reads_history(left) ? -1 : 0;
}

}  // namespace assay
