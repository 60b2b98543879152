// Syntax nodes → ast. Problems that the grammar accepts (chained comparisons, trees too deep, texts that must be plain)
// are added to those of the syntax; a declaration that is too deep is left out.
#pragma once

#include "lang/parse/parse.hpp"
#include "lang/parse/syntax.hpp"
#include "lang/syntax/ast.hpp"

#include <utility>

namespace assay {

ast::File build_file(Syntax& syntax);
ast::ExprPtr build_expression(Syntax& syntax);  // the one expression of the text

namespace build {

struct TooDeep {};  // leaves a declaration out; the problem has been added

// Iterates over the children of a node, skipping marks.
class Children {
 public:
  Children(const std::vector<Node>& nodes, std::uint32_t parent)
      : nodes_(&nodes), at_(parent + 1), end_(nodes[parent].next) {
    pass_marks();
  }
  bool done() const { return at_ >= end_; }
  bool is(Syn kind) const { return !done() && (*nodes_)[at_].kind == kind; }
  Syn kind() const { return done() ? Syn::root : (*nodes_)[at_].kind; }
  std::uint32_t take() {
    const std::uint32_t result = at_;
    at_ = (*nodes_)[at_].next;
    pass_marks();
    return result;
  }

 private:
  void pass_marks() {
    while (at_ < end_ && (*nodes_)[at_].kind == Syn::mark) at_ = (*nodes_)[at_].next;
  }
  const std::vector<Node>* nodes_;
  std::uint32_t at_, end_;
};

// Expressions, texts and loops (lang/parse/parse_expr.cpp).
class ExprBuilder {
 public:
  explicit ExprBuilder(Syntax& syntax) : syntax_(syntax) {}

  ast::ExprPtr expr(std::uint32_t node);  // a choice, run or sum
  ast::Text text(std::uint32_t node);
  ast::Text plain_text(std::uint32_t node, const char* what);
  ast::Loop loop(std::uint32_t node);
  ast::Body body(std::uint32_t node);
  std::vector<ast::OrderKey> order(std::uint32_t node);
  ast::ExprPtr range(std::uint32_t node, ast::ExprPtr& low);  // a literal_range: its upper limit
  ast::ExprPtr path(std::uint32_t node);
  int decimals(std::uint32_t node);
  ast::Name name(std::uint32_t node) const { return {source(node), span(node)}; }

  Children children(std::uint32_t node) const { return Children(syntax_.nodes(), node); }
  const Node& at(std::uint32_t node) const { return syntax_.nodes()[node]; }
  Span span(std::uint32_t node) const { return {syntax_.file(), at(node).begin, at(node).end}; }
  std::string source(std::uint32_t node) const {
    return std::string(syntax_.text().substr(at(node).begin, at(node).end - at(node).begin));
  }
  std::string_view syntax_text() const { return syntax_.text(); }
  Budget& budget() { return syntax_.budget(); }
  void problem(Problem problem) { syntax_.problems().push_back(std::move(problem)); }

 protected:
  Budget& one_level_more(std::uint32_t node);  // throws too_deep if the limit is reached

 private:
  struct Operator;
  class Climber;
  ast::ExprPtr make(ast::ExprKind kind, Span span) const;
  ast::ExprPtr seal(ast::ExprPtr expr);
  [[noreturn]] void too_deep(Span at);
  ast::ExprPtr choice(std::uint32_t node);
  ast::ExprPtr flat(std::uint32_t node);
  ast::ExprPtr operand(std::uint32_t node);
  ast::ExprPtr based(std::uint32_t node);
  ast::ExprPtr reference(std::uint32_t node);
  ast::ExprPtr record(std::uint32_t node);
  bool has_default(std::uint32_t run) const;

  Syntax& syntax_;
};

}  // namespace build
}  // namespace assay
