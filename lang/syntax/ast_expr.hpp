// The syntax of expressions: texts, loops, operators. Part of lang/syntax/ast.hpp.
#pragma once

#include "lang/text/source.hpp"

#include <memory>
#include <string>
#include <vector>

namespace assay::ast {

struct Name {
  std::string text;
  Span span;
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

// ---- text literals: "… {expr} … {expr decimals 2} …"
struct TextPart {
  std::string literal;  // used if expr is empty; with escapes resolved
  ExprPtr expr;
  int decimals = -1;  // -1: none given
  Span span;
};
struct Text {
  std::vector<TextPart> parts;  // adjacent literals are merged; an empty text has no parts
  Span span;
  bool given = false;  // false: there was no text
  bool plain() const { return parts.empty() || (parts.size() == 1 && !parts[0].expr); }
  std::string str() const { return parts.empty() ? std::string() : parts[0].literal; }  // when plain()
};

// ---- loops: for a[, b] in xs  {when c | while c | where d = x | for …}  [with s = start then next]  [by higher a, lower b]
enum class ClauseKind { for_in, when, while_, where };
struct Clause {
  ClauseKind kind;
  Name first, second;  // 'for x' fills first; 'for k, x' fills both; 'where d = …' first
  ExprPtr expr;        // the iterated value, the condition, or the named value
  Span span;
};
struct OrderKey {
  bool higher = true;
  ExprPtr expr;
  Span span;
};
struct Loop {
  std::vector<Clause> clauses;  // the first is a for_in
  Name state;                   // empty text: no 'with'
  ExprPtr start, next;
  std::vector<OrderKey> order;
  Span span;
};

enum class ExprKind {
  number,      // text: as written, "30_000", "10%", "0.50"
  text,        // literal
  boolean,     // flag
  missing,     // the word
  name,        // text
  field,       // args[0] . text
  index,       // args[0] [ args[1] ]
  call,        // text ( args… ): a function, table, hook, rubric or builtin; loop: a bare comprehension f(v for …)
  list,        // [ args… ]
  list_loop,   // [ args[0] loop ]
  record,      // { fields[i]: args[i] }; a shorthand { a } has args[i] = name a
  map_loop,    // call text "map" or "group" with k: v: args[0] = key, args[1] = value, loop
  unary,       // text: "-" or "not"; args[0]
  binary,      // text: the operator ("+", "and", "in", "not in", "default", "==" …); args[0], args[1]
  range,       // args[0] .. args[1]
  is_missing,  // args[0]
  is_given,    // args[0]
  is_kind,     // args[0]; text: "is number" …, of lang/value/asked_kinds.def
  as_kind,     // args[0]; text: "number" …
  choice,      // args[0] when args[1] [else args[2]]
};
struct Expr {
  ExprKind kind;
  Span span;
  std::string text;
  Span word;  // the span of `text` alone: the operator, the function's or field's name
  bool flag = false;
  Text literal;
  std::vector<Name> fields;
  std::vector<ExprPtr> args;
  std::unique_ptr<Loop> loop;
  int height = 1;  // levels of expressions from here down; parse limits it to kMaxSyntaxDepth
};

// body = expr [where name = expr {, name = expr}]
struct Where {
  Name name;
  ExprPtr expr;
};
struct Body {
  ExprPtr expr;
  std::vector<Where> where;

  Span span() const {  // of the whole body
    if (!expr) return {};
    return {expr->span.file, expr->span.begin, where.empty() ? expr->span.end : where.back().expr->span.end};
  }
};

}  // namespace assay::ast
