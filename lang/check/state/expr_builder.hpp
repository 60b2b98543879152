// Builds typed expressions and the items of rubrics that hold them. Folds constants and computes ranges. An item is
// defined with a function that builds its body, which runs when the item is first needed.
#pragma once

#include "lang/check/state/check_base.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

class ExprBuilder : public CheckBase {
 public:
  using CheckBase::CheckBase;

 protected:
  ~ExprBuilder() = default;

  Expr* make(Op op, TypeId type, Span span, std::vector<Expr*> args = {});
  Expr* constant(Value value, TypeId type, Span span);
  Expr* number(Number n, Span span);
  Expr* text(std::string_view s, Span span);
  Expr* boolean(bool b, Span span);
  Expr* missing(Span span);
  Expr* broken(Span span);  // replaces an expression with a reported error
  Expr* choose(Expr* then, Expr* cond, Expr* otherwise, Span span);
  Expr* arithmetic(Op op, Expr* a, Expr* b, Span span);
  Expr* chain(Op op, TypeId type, Span span, std::vector<Expr*> parts);
  Expr* builtin(Builtin id, TypeId type, Span span, std::vector<Expr*> args);
  Expr* min_of(Expr* a, Expr* b, Span span);
  Expr* max_of(Expr* a, Expr* b, Span span);
  Expr* clamp_to(Expr* a, const Interval& range, Span span);
  Expr* retype(Expr* value, TypeId type);
  void narrow(Expr& e, int rubric);  // the range of a number, to what is known of all of it
  Expr* record_of(std::vector<std::pair<std::string, Expr*>>&& fields, Span span);
  Expr* list_of_exprs(std::vector<Expr*> items, TypeId element, Span span);
  std::optional<Value*> constants_of(const std::vector<Expr*>& parts);
  Expr* fold_list(Expr* list);
  Expr* fold_record(Expr* record);
  // Binds a value that is used more than once to a local, so that it is computed (and compiled) only once.
  Expr* once(Expr* value, Context& cx, const std::function<Expr*(Expr*)>& use);
  Expr* local_ref(const Local& local, Span span);
  Local& push_local(Context& cx, std::string name, TypeId type, bool optional);
  int add_local(Context& cx) { return cx.locals++; }
  std::string_view keep(std::string_view s);
  Value* values(std::size_t count);
  static const void* parts_of(TypeKind kind, const Value& value);  // its key in constant_sizes, or null

  // ---- check_items.cpp
  int define(RubricContext& rc, ItemKind kind, std::string name, Span span, Span source, std::string prose,
             Build build);
  void ensure(RubricContext& rc, int item, Span use = {});  // use: where its value is asked for
  Expr* item_ref(RubricContext& rc, int item, Span span);
  bool claim(RubricContext& rc, NameMap& space, const ast::Name& name, int item, const char* what);

 private:
  void report_cycle(RubricContext& rc, int item, Span use);
  std::size_t constant_size(const std::vector<Expr*>& parts) const;
  bool small_enough(const std::vector<Expr*>& parts) const;
  void remember_size(const void* data, const std::vector<Expr*>& parts);
};

}  // namespace assay
