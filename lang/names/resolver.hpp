// The implementation of resolve_names(): declarations (declare.cpp), and a walk over the syntax (resolve.cpp,
// keys.cpp).
#pragma once

#include "lang/names/names.hpp"
#include "lang/text/place_map.hpp"

#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace assay {

using NameSpace = std::unordered_map<std::string_view, int>;  // name, of the syntax tree → symbol

struct RubricNames {
  const ast::Rubric* node = nullptr;
  int index = -1;
  int symbol = -1;
  std::vector<int> bases;  // nearest first
  NameSpace values, inputs, gates, contexts, functions, types, dimensions;
  bool declared = false;
};

class Resolver {
 public:
  Resolver(const Sources& sources, const CheckNotes* notes, const Model* model)
      : sources_(sources), notes_(notes), model_(model) {}
  Names run(const ast::File& file, const std::deque<ast::File>& imported);

 private:
  struct Local {
    std::string_view name;
    int symbol;
  };

  // ---- declare.cpp
  int add(NameKind kind, const ast::Name& name, Span whole, int parent = -1);
  int declare(NameSpace RubricNames::*space, NameKind kind, const ast::Name& name, Span whole, int parent = -1);
  void declares(Span at, int symbol);
  void declare_file(const ast::File& file);
  void declare_rubric(RubricNames& rubric);
  void declare_items(const std::vector<ast::Item>& items);
  void declare_item(const ast::Item& item);
  void declare_dimension(const ast::Dimension& node, const ast::Item& item, int parent);
  void declare_kind(const ast::Kind& kind, int parent);
  void declare_rows(const ast::Rows& rows, std::size_t keys, int parent);
  int rubric_named(std::string_view name) const;

  // ---- resolve.cpp
  void use(Span at, int symbol, bool shorthand = false);
  int look(NameSpace RubricNames::*space, std::string_view name) const;
  int look_in(int rubric, NameSpace RubricNames::*space, std::string_view name) const;
  int value_named(std::string_view name) const;
  void visit_item(const ast::Item& item);
  void visit_dimension(const ast::Dimension& node);
  void visit_cohort(const ast::Cohort& node);
  void visit_kind(const ast::Kind* kind);
  void visit_policy(const ast::Policy& policy);
  void visit_text(const ast::Text& text);
  void visit_rows(const ast::Rows& rows, std::size_t keys);
  void visit_params(const std::vector<ast::Param>& params, Span scope, int parent);
  void visit_body(const ast::Body& body);
  void visit_loop(const ast::Loop* loop, Span scope, const std::function<void()>& inner);
  void visit(const ast::ExprPtr& e) {
    if (e) visit(*e);
  }
  void visit(const ast::Expr& e);
  void visit_part(const ast::ExprPtr& e) { visit(e); }
  void visit_part(const ast::Text& text) { visit_text(text); }
  void visit_part(const ast::Body& body) { visit_body(body); }
  void visit_part(const ast::KindPtr& kind) { visit_kind(kind.get()); }
  void visit_part(const ast::Policy& policy) { visit_policy(policy); }
  void visit_name(const ast::Expr& e);
  void visit_call(const ast::Expr& e);
  void visit_field(const ast::Expr& e);
  void visit_index(const ast::Expr& e);
  void visit_record(const ast::Expr& e);
  int push(std::string_view name, Span at, Span scope, NameKind kind, const ast::Expr* value = nullptr);

  // ---- keys.cpp: names in examples and in paths, and the fields of types
  void visit_example(const ast::Example& node);
  void visit_given(const ast::Expr* record);
  void visit_expected(const ast::Expr* record);
  void visit_keys_of_kind(const ast::Expr& value, const ast::Kind* kind, int depth);
  void visit_path_text(const ast::Text& text);
  const ast::Kind* record_kind(const ast::Kind* kind, int depth = 0) const;
  int input_of_record(std::string_view name) const;
  const ast::Kind* kind_of_symbol(int symbol) const;
  int field_of(TypeId type, std::string_view field);
  TypeId type_at(const ast::Expr& e) const;
  int declared_at(Span at) const;
  static std::uint64_t place(Span at) { return (std::uint64_t{at.file} << 32) | at.begin; }
  Span within_quotes(const ast::Text& text) const;

  const Sources& sources_;
  const CheckNotes* notes_;
  const Model* model_;
  Names names_;
  std::deque<RubricNames> rubrics_;
  RubricNames file_;                // outside rubrics
  RubricNames* current_ = nullptr;  // whose items are being declared or visited
  RubricNames* around_ = nullptr;   // for a cohort: its rubric
  std::vector<Local> scope_;
  PlaceMap<int> declared_;  // place → symbol
  PlaceMap<int> used_;      // place → index in uses
  std::unordered_map<TypeId, const ast::Kind*> kinds_;
  std::deque<RubricNames> cohorts_;
};

}  // namespace assay
