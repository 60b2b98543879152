// An expression on its way from another language to Assay: a tree that can be written in Assay's notation. Reading
// translates every construct that Assay lacks, and fails if it cannot.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::mending {

struct Expr {
  enum class Kind : std::uint8_t {
    none,
    atom,    // text: a name, a number or a text, as written
    unary,   // text: "not", "-"
    binary,  // text: an operator of Assay
    choice,  // value, condition, and the value otherwise; text: "when" in the form of Assay
    call,    // text: the function
    field,   // text: its name
    index,   // of, at
    list,    // text: "(" where it was written as a tuple
    record,  // names: keys
    loop,    // text: "", "map" or "group"; first the value, then the clauses; names: what stands before each clause
    test,    // text: "is missing", "as number"
    paren,
    lambda,  // names: parameters; the body. Only an argument
    named,   // text: the name of an argument. Only an argument
  };
  Kind kind = Kind::none;
  std::string text = {};
  std::vector<Expr> parts = {};
  std::vector<std::string> names = {};

  bool is(Kind k) const { return kind == k; }
  bool is_name() const;
  bool is_text() const { return kind == Kind::atom && !text.empty() && text[0] == '"'; }
  bool is_number() const;
  bool is_literal() const;
  // "for x in": what a loop goes over first. Empty: it is no loop, or map(key: value), a single entry.
  std::string_view over() const { return kind == Kind::loop && !names.empty() ? names[0] : std::string_view(); }
};

Expr atom(std::string_view text);
Expr unary(std::string_view sign, Expr operand);
Expr binary(std::string_view sign, Expr left, Expr right);
Expr choice(Expr value, Expr condition, Expr otherwise);  // `otherwise` of kind none: without 'else'
Expr call(std::string_view name, std::vector<Expr> arguments);
Expr field(Expr of, std::string_view name);
Expr index(Expr of, Expr at);
Expr list(std::vector<Expr> items);
Expr test(Expr value, std::string_view which);
Expr loop(Expr value, std::string_view variable, Expr of);  // [value for variable in of]
Expr negated(Expr condition);
Expr one_less(const Expr& e);  // e - 1: the last number of range(e)
Expr one_more(const Expr& e);
Expr added(const Expr& e, const Expr& to);  // e + to; two constants become one
// A choice without 'else' as a term, where it counts as nothing; 'v when c', as Assay has it, only if `all`.
Expr counted_or(Expr e, std::string_view nothing, bool all = false);
const Expr& bare(const Expr& e);  // without parentheses around it

// Replaces a name by an expression, except where a loop binds it.
void substitute(Expr& e, std::string_view name, const Expr& by);
bool mentions(const Expr& e, std::string_view name);

// The notation of Assay; operators of `level` and above (lang/syntax/operators.def) are written without parentheses.
std::string write(const Expr& e, int level = 1);

}  // namespace assay::mending
