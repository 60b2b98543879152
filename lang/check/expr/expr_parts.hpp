// The parts of the checker that check expressions: operators and names, type tests, calls, loops, and records built
// from a rubric's declarations. They need each other and those of table_parts.hpp and hints.hpp; expressions.hpp holds
// them all.
#pragma once

#include "lang/check/state/expr_builder.hpp"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay {

class AskedChecker;
class CallChecker;
class CsvReader;
class DoubtChecker;
class ExprChecker;
class Hints;
class LoopChecker;
class RecordBuilder;
class TableReader;
class TypeReader;
struct BuiltinRow;
struct Expressions;

// Every name that an expression uses from outside, without the variables of its own loops.
void names_in(const ast::Expr& e, std::set<std::string>& out);

bool is_counted_share(const ast::Expr& e);

// A part with references to all others that expressions need.
class ExprPart : public ExprBuilder {
 public:
  ExprPart(CheckState& state, Expressions& all);

 protected:
  ~ExprPart() = default;

  AskedChecker& asked_;
  CallChecker& calls_;
  CsvReader& csv_;
  DoubtChecker& doubts_;
  ExprChecker& exprs_;
  Hints& hints_;
  TypeReader& kinds_;
  LoopChecker& loops_;
  RecordBuilder& records_;
  TableReader& tables_;
};

// Names, fields, operators, texts and choices (check_expr.cpp, check_choice.cpp).
class ExprChecker : public ExprPart {
 public:
  using ExprPart::ExprPart;

  Expr* expr(const ast::Expr& e, Context& cx);
  Expr* text_expr(const ast::Text& text, Context& cx);
  Expr* body(const ast::Body& body, Context& cx);
  Expr* condition(const ast::Expr& e, Context& cx, const char* what, Asked asked);
  Expr* number_expr(const ast::Expr& e, Context& cx, const char* what);
  Expr* want(Expr* e, TypeKind kind, const std::string& what);
  Expr* access(Expr* record, const std::string& field, Span word, Context& cx);
  Expr* as_map(Expr* record, Context& cx);        // a record whose fields have one type, as a map
  void as_maps(Expr*& a, Expr*& b, Context& cx);  // where one of them is a map, and the other a record that can be one
  bool alike(Expr*& a, Expr*& b, TypeId& type, Context& cx);
  bool alike_items(Expr*& a, Expr*& b, TypeId& type, Context& cx);
  int find_value(RubricContext& rc, std::string_view name);
  std::vector<std::string_view> value_names(const RubricContext& rc, const Context& cx) const;

 private:
  Expr* expr_inside(const ast::Expr& e, Context& cx);
  Expr* name_expr(const ast::Expr& e, Context& cx);
  Expr* field_expr(const ast::Expr& e, Context& cx);
  Expr* field_of(const ast::Expr& base, const ast::Expr& e, const std::string& field, Span word, Context& cx);
  Expr* index_expr(const ast::Expr& e, Context& cx);
  Expr* list_expr(const ast::Expr& e, Context& cx);
  Expr* record_expr(const ast::Expr& e, Context& cx);
  bool common_shape(const std::vector<TypeId>& all, TypeId& type);
  bool common_record(const std::vector<TypeId>& all, TypeId& type);
  bool same_shape(TypeId a, TypeId b) const;
  Expr* as_shape(Expr* e, TypeId type, Context& cx);
  Expr* as_record(Expr* e, TypeId type, Context& cx);
  Expr* default_expr(const ast::Expr& e, Expr* a, Expr* b, Context& cx);
  Expr* in_expr(const ast::Expr& e, Expr* a, Expr* b, Context& cx);
  Expr* joined_expr(const ast::Expr& e, Expr* a, Expr* b, Context& cx);
  Expr* binary_expr(const ast::Expr& e, Context& cx);
  Expr* choice_expr(const ast::Expr& e, Context& cx);
  void never_one_of(const Expr* of, const Expr* value, Span span);
  Expr* compare_exprs(Op op, Expr* a, Expr* b, const ast::Expr& e);
  Expr* fields_as_map(Expr* e);
  bool stands_in_text(TypeId type) const;
};

// Values of several types: `x is number`, `x as number`, and the consequences of decided tests (check_asked.cpp).
class AskedChecker : public ExprPart {
 public:
  using ExprPart::ExprPart;

  TypeId either_of(const ast::Kind& node, int rubric);
  std::string ask_help(const Expr* e, AskedKind needed);
  Code asked_or_wrong(const std::string& help) const { return help.empty() ? Code::wrong_type : Code::ask_first; }
  Expr* kind_test(const ast::Expr& e, Context& cx);
  Expr* taken_as(const ast::Expr& e, Context& cx);
  Expr* as_kind(Expr* value, TypeId type, AskedKind asked, bool may_miss, Span span);
  static bool asks(const ast::Expr& e);
  void answered(const ast::Expr& e, bool holds, Context& cx);
  Expr* with_answers(const ast::Expr& e, Expr* value, Context& cx);
  AskedKind kind_word(TypeId type) const { return word_for(types_.kind(type)); }
  static AskedKind word_for(TypeKind kind);

 private:
  void never_kind(const Expr* a, AskedKind asked, Span span);
  std::string place_of(const ast::Expr& e, const Context& cx) const;

  std::unordered_map<const ast::Expr*, TypeId> asked_of_;  // `x is number`: the type of x there
};

// Calls of functions, hooks, rubrics and built-in functions (check_call.cpp, check_builtin.cpp).
class CallChecker : public ExprPart {
 public:
  using ExprPart::ExprPart;

  Expr* verdict_field(Expr* verdict, const std::string& field, Span word);
  Expr* call_expr(const ast::Expr& e, Context& cx);
  bool arity(const ast::Expr& e, std::size_t have, std::size_t least, std::size_t most, std::string_view signature,
             const Fix& certain = {});
  void declare_hook(const ast::Hook& node, DeclaredNames& names, int rubric, Span span);
  void check_unused_fns();
  void check_useless_defaults();
  static bool takes(const BuiltinRow& row, std::size_t arguments);  // whether a call of it may have so many
  Expr* call_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*> args, Context& cx);

 private:
  Expr* call_fn(int decl, const ast::Expr& e, std::vector<Expr*> args, Context& cx);
  int check_instance(int decl, const ast::Expr& e, const std::vector<TypeId>& types, const std::vector<bool>& optional);
  bool any_arguments(const Context& cx) const;  // in a function whose arguments have no declared types
  bool keeps_ranges(TypeId type, TypeId declared) const;
  bool stays_within(Expr& value, const Interval& range, const Context& cx);
  void leaves_range(const Expr& value, TypeId type, const std::string& what, TypeId declared);
  void keep_result(const FnDecl& fn, const Instance& in, Expr& call, const Context& cx);
  bool narrower(const std::vector<Expr*>& args, const std::vector<TypeId>& params) const;
  Expr* call_hook(int hook, const ast::Expr& e, std::vector<Expr*> args);
  Expr* call_rubric(int rubric, const ast::Expr& e, std::vector<Expr*> args);
  Expr* list_of(Expr* e, const std::string& what, Context& cx);  // a list, or the values of a map or uniform record
  Expr* numbers_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*>& args);
  Expr* clamp_builtin(const ast::Expr& e, std::vector<Expr*>& args);
  Expr* round_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*>& args);
  Expr* interpolate_builtin(const ast::Expr& e, std::vector<Expr*>& args);
  bool constant_points(const Expr* points, bool rows, const Interval& x, Interval& range);
  Expr* list_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*>& args);
  bool take_arguments(const ast::Expr& e, const std::vector<std::string_view>& kinds, std::vector<Expr*>& args,
                      Context& cx);
  Expr* written_result(Builtin id, std::string_view column, const ast::Expr& e, std::vector<Expr*>& args);
};

// Loops, aggregates and `where` (check_loop.cpp).
class LoopChecker : public ExprPart {
 public:
  using ExprPart::ExprPart;

  Expr* where(const std::vector<ast::Where>& where, Context& cx, const std::function<Expr*()>& inner);
  std::int64_t most_items(const Expr* list) const;  // -1: unknown
  std::int64_t most_values(TypeId id) const;
  Interval sum_range(const Interval& each, std::int64_t most, bool all);
  Expr* whole_numbers(std::vector<Expr*> ends, Span span);
  Expr* loop_expr(const ast::Loop& loop, const ast::Expr* key, const std::function<Expr*(Context&)>& value,
                  Collect collect, Context& cx, Span span, bool labels = false);
  bool orders(TypeId type) const;
  Expr* joined_maps(Expr* a, Expr* b, Context& cx, Span span);
  TypeId unbounded(TypeId id);
  TypeId unbounded(TypeId id, std::map<TypeId, TypeId>& known);
  Expr* list_loop(const ast::Expr& e, Context& cx);
  Expr* aggregate_loop(const ast::Expr& e, Context& cx, Builtin id);
  Expr* map_loop(const ast::Expr& e, Context& cx);

 private:
  Expr* counted(const ast::Expr& e, Context& cx);
  Expr* walked(const ast::Clause& clause, Context& cx);
  void next_state(const ast::Loop& loop, Expr* start, Loop& made, Context& cx);
  Expr* key_of(const ast::Expr& node, Collect collect, Context& cx);
  Expr* collected(std::unique_ptr<Loop> made, bool optional, Span span);
  std::int64_t most_turns(const Loop& loop) const;
  void given_from_here(const ast::Expr& condition, Context& cx, std::size_t first);
  bool holds_items_below(const Expr& e, const Context& cx) const;
};

// Records built from a rubric's declarations, and the outer names visible in a part of a cohort (check_records.cpp).
class RecordBuilder : public ExprPart {
 public:
  using ExprPart::ExprPart;

  void give(RubricContext& part, const std::string& name, TypeId type, bool optional, Span span, bool named);
  Expr* value_around(RubricContext& part, const std::string& name, Span span);
  Expr* own_input(RubricContext& each, const std::string& name, Span span);
  std::string second_pass_help(const std::string& name, const Context& cx);
  Expr* dimensions_record(RubricContext& rc, Span span);
  Expr* gates_record(RubricContext& rc, Span span);
  Expr* input_record(RubricContext& rc, Span span);
  Expr* weight_ref(RubricContext& rc, int weight, Span span);
  Expr* dimension_record(RubricContext& rc, DimensionItems& d, int depth, Span span);

 private:
  Expr* handed(RubricContext& each, int item, Span span);
  Expr* own_verdict(RubricContext& each, Span span);
};

}  // namespace assay
