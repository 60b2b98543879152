// An expression between the notation of another language and that of Assay: a tree that can be written. Everything that
// Assay has no form for is gone when the tree is complete; what could not be translated makes reading fail.
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
    choice,  // value, condition, and what else
    call,    // text: the function
    field,   // text: its name
    index,   // of, at
    list,
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
};

Expr atom(std::string_view text);
Expr unary(std::string_view sign, Expr operand);
Expr binary(std::string_view sign, Expr left, Expr right);
Expr choice(Expr value, Expr condition, Expr otherwise);  // of kind none: without 'else'
Expr call(std::string_view name, std::vector<Expr> arguments);
Expr field(Expr of, std::string_view name);
Expr index(Expr of, Expr at);
Expr list(std::vector<Expr> items);
Expr test(Expr value, std::string_view which);
Expr loop(Expr value, std::string_view variable, Expr of);  // [value for variable in of]
Expr negated(Expr condition);
Expr one_less(const Expr& e);  // the last number of range(e), which ends before e
Expr one_more(const Expr& e);
Expr added(const Expr& e, const Expr& to);  // e + to; constants as one
const Expr& bare(const Expr& e);            // without parentheses around it

// The name replaced by an expression, except where a loop gives it another meaning.
void substitute(Expr& e, std::string_view name, const Expr& by);
bool mentions(const Expr& e, std::string_view name);

// In Assay; `level` of the table of operators and above needs no parentheses.
std::string write(const Expr& e, int level = 1);

}  // namespace assay::mending
