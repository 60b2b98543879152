// The checker's own state, shared by the check_*.cpp units, one subject each: names and items (check.cpp), types
// (check_types.cpp), values of several types (check_asked.cpp), expressions (check_expr.cpp, check_choice.cpp), calls (check_call.cpp, check_builtin.cpp), loops (check_loop.cpp), tables
// (check_table.cpp, check_csv.cpp), bands and the proof about rows (check_bands.cpp), the scoring pipeline (check_pipeline.cpp),
// dimensions (check_dimension.cpp), proofs about weights, scale and bands (check_proof.cpp), declarations without
// values (check_declare.cpp), caps (check_caps.cpp), warnings about what makes no difference (check_doubts.cpp). What it knows meanwhile is in checker_state.hpp. Private to `check`.
//
// Values are resolved on demand: a name becomes an item when it is declared, an item gets its body and type when
// something first needs them, and an item needed while it is being built is a cycle.
#pragma once

#include "lang/check/check.hpp"
#include "lang/check/checker_state.hpp"
#include "lang/proof/doubts.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace assay {

// Every name that an expression takes from outside: not the variables of its own loops.
void names_in(const ast::Expr& e, std::set<std::string>& out);

class Checker {
 public:
  Checker(Sources& sources, const Importer& importer, Diagnostics& diagnostics, Budget& budget,
          std::size_t source_bytes, Model& model)
      : budget_(budget),
        sources_(sources),
        importer_(importer),
        source_bytes_(source_bytes),
        diagnostics_(&diagnostics),
        model_(model),
        types_(model.types) {
    types_.charge_to(&budget);
  }
  ~Checker() { types_.charge_to(nullptr); }
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  void take_notes(CheckNotes* notes) { notes_ = notes; }
  void run(const ast::File& file, const ast::Expr* expression, int* expression_item);
  std::deque<ast::File> take_imported() { return std::move(imported_); }  // when it has run

 private:
  // ---- check.cpp: files, names, items
  bool import_text(const ast::Text& from, std::string& shown, std::string& text);  // false after the error
  void load(const ast::File& file, int depth);
  bool declare_file_item(const ast::Item& item, DeclaredNames& names, int rubric);
  void merge_items(RubricContext& rc, const ast::Rubric& rubric, std::vector<const ast::Rubric*>& chain);
  void declare(RubricContext& rc);
  void declare_items(RubricContext& rc);
  void show_value(RubricContext& rc, const ast::Output& node);
  void finish(RubricContext& rc, bool main);
  int define(RubricContext& rc, ItemKind kind, std::string name, Span span, Span source, std::string prose,
             Build build);
  void ensure(RubricContext& rc, int item);
  void report_cycle(RubricContext& rc, int item);
  bool claim(RubricContext& rc, std::map<std::string, int, std::less<>>& space, const ast::Name& name, int item,
             const char* what);
  Expr* item_ref(RubricContext& rc, int item, Span span);
  void warn_unused(RubricContext& rc);
  void examples(RubricContext& rc);
  void list_dimensions(RubricContext& rc);

  // ---- check_cohort.cpp
  void finish_cohort(RubricContext& rc, const ast::Item& item);
  void finish_each(RubricContext& rc, RubricContext& cohort, const std::vector<const ast::Item*>& items, Span span);
  int new_part(RubricContext& rc, const std::string& name, Span span);  // its index
  void give(RubricContext& part, const std::string& name, TypeId type, bool optional, Span span, bool named);
  void copy_functions(RubricContext& part, const std::vector<const ast::Item*>& items);
  TypeId rejected_type(TypeId id);
  Expr* handed(RubricContext& each, int item, Span span);
  Expr* own_verdict(RubricContext& each, Span span);
  Expr* value_around(RubricContext& part, const std::string& name, Span span);
  std::string second_pass_help(const std::string& name, const Context& cx);

  // ---- check_declare.cpp
  void declare_input(RubricContext& rc, const ast::Input& input);
  void declare_contexts(RubricContext& rc);
  void declare_rules(RubricContext& rc);
  void declare_embedded(RubricContext& rc);
  void declare_rank(RubricContext& rc);
  Expr* embedded_records(TypeId type, Expr* value, Expr* path, Context& cx, int& rubric);
  std::string json(const ast::Expr& expr);

  // ---- check_types.cpp
  TypeId kind(const ast::Kind& kind, int rubric);
  TypeId declared_type(const ast::TypeDecl& node, int rubric, std::map<std::string, TypeId, std::less<>>& known,
                       std::set<std::string, std::less<>>& building);
  bool holds_itself(TypeId type, TypeId within, std::set<TypeId>& seen) const;
  TypeId named_type(const std::string& name, Span span, int rubric);
  void no_such_type(const std::string& name, Span span, int rubric);
  Interval interval(const ast::ExprPtr& low, const ast::ExprPtr& high,
                    const std::vector<std::pair<ast::Bound, ast::ExprPtr>>& bounds, int rubric);
  bool convert(const Expr& constant, TypeId to, Value& result, Span span);  // a default in the type of its input
  bool contains_value(const Type& type, const Value& value);
  template <class TypeOf>
  bool default_small_enough(const Value* parts, std::size_t count, Span span, const TypeOf& type_of);
  static const void* parts_of(TypeKind kind, const Value& value);  // by which constant_sizes_ knows it, or null

  // ---- check_expr.cpp
  Expr* expr(const ast::Expr& e, Context& cx);
  Expr* expr_inside(const ast::Expr& e, Context& cx);
  Expr* name_expr(const ast::Expr& e, Context& cx);
  Expr* field_expr(const ast::Expr& e, Context& cx);
  Expr* field_of(const ast::Expr& base, const ast::Expr& e, const std::string& field, Span word, Context& cx);
  Expr* index_expr(const ast::Expr& e, Context& cx);
  Expr* list_expr(const ast::Expr& e, Context& cx);
  Expr* record_expr(const ast::Expr& e, Context& cx);
  bool common_record(const std::vector<Expr*>& all, TypeId& type);
  Expr* as_record(Expr* e, TypeId type, Context& cx);
  Expr* binary_expr(const ast::Expr& e, Context& cx);
  Expr* choice_expr(const ast::Expr& e, Context& cx);
  Expr* text_expr(const ast::Text& text, Context& cx);
  Expr* body(const ast::Body& body, Context& cx);
  Expr* where(const std::vector<ast::Where>& where, Context& cx, const std::function<Expr*()>& inner);
  Expr* condition(const ast::Expr& e, Context& cx, const char* what, Asked asked);
  Expr* number_expr(const ast::Expr& e, Context& cx, const char* what);
  Expr* want(Expr* e, TypeKind kind, const std::string& what);
  Expr* access(Expr* record, const std::string& field, Span word, Context& cx);
  Span path_of(Span field) const;
  void no_record(const Expr* record, const std::string& field, Span word);
  void suggest_other_type(const Expr* e, TypeKind wanted, Diagnostic& d);
  void never_among(const ast::Expr& list, TypeId type);
  Expr* compare_exprs(Op op, Expr* a, Expr* b, const ast::Expr& e);
  Expr* as_map(Expr* record, Context& cx);  // a record whose fields have one type, as a map
  Expr* fields_as_map(Expr* e);
  // A value that is used more than once, bound to a local so that it is computed (and compiled) only once.
  Expr* once(Expr* value, Context& cx, const std::function<Expr*(Expr*)>& use);
  Expr* dimensions_record(RubricContext& rc, Span span);
  Expr* gates_record(RubricContext& rc, Span span);
  Expr* input_record(RubricContext& rc, Span span);
  Expr* verdict_field(Expr* verdict, const std::string& field, Span word);
  int find_value(RubricContext& rc, std::string_view name);
  bool stands_in_text(TypeId type) const;
  std::vector<std::string_view> value_names(const RubricContext& rc, const Context& cx) const;

  // ---- check_asked.cpp
  TypeId either_of(const ast::Kind& node, int rubric);
  std::string ask_help(const Expr* e, AskedKind needed);
  Code asked_or_wrong(const std::string& help) const { return help.empty() ? Code::wrong_type : Code::ask_first; }
  Expr* kind_test(const ast::Expr& e, Context& cx);
  Expr* taken_as(const ast::Expr& e, Context& cx);
  void never_kind(const Expr* a, AskedKind asked, Span span);
  Expr* as_kind(Expr* value, TypeId type, AskedKind asked, bool may_miss, Span span);
  Expr* retype(Expr* value, TypeId type);
  static bool asks(const ast::Expr& e);
  std::string place_of(const ast::Expr& e, const Context& cx) const;
  void answered(const ast::Expr& e, bool holds, Context& cx);
  Expr* with_answers(const ast::Expr& e, Expr* value, Context& cx);
  AskedKind kind_word(TypeId type) const { return word_for(types_.kind(type)); }
  static AskedKind word_for(TypeKind kind);

  // ---- check_call.cpp
  Expr* call_expr(const ast::Expr& e, Context& cx);
  Expr* call_fn(int decl, const ast::Expr& e, std::vector<Expr*> args, Context& cx);
  Expr* call_hook(int hook, const ast::Expr& e, std::vector<Expr*> args);
  Expr* call_rubric(int rubric, const ast::Expr& e, std::vector<Expr*> args);
  bool arity(const ast::Expr& e, std::size_t have, std::size_t least, std::size_t most, std::string_view signature);
  Expr* list_of(Expr* e, const std::string& what, Context& cx);  // a list, or the values of a map or uniform record
  void declare_hook(const ast::Hook& node, DeclaredNames& names, int rubric, Span span);
  void check_unused_fns();
  void check_useless_defaults();
  void check_table_keys();

  // ---- check_builtin.cpp
  Expr* call_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*> args, Context& cx);
  Expr* numbers_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*>& args);
  Expr* clamp_builtin(const ast::Expr& e, std::vector<Expr*>& args);
  Expr* round_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*>& args);
  Expr* interpolate_builtin(const ast::Expr& e, std::vector<Expr*>& args);
  Expr* list_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*>& args);
  bool take_arguments(const ast::Expr& e, const std::vector<std::string_view>& kinds, std::vector<Expr*>& args,
                      Context& cx);
  Expr* written_result(Builtin id, std::string_view column, const ast::Expr& e, std::vector<Expr*>& args);

  // ---- check_hints.cpp
  std::string short_text(Span span) const;
  bool compared_with_null(const ast::Expr& e, Context& cx);
  bool nothing_named(const ast::Expr& e, const Context& cx);
  bool unquoted(const ast::Expr& e, const Context& cx, const std::vector<std::string_view>& choices = {});
  WayOut unknown_help(const ast::Expr& e, const std::vector<std::string_view>& names, const Context& cx);
  WayOut near_or_quoted(std::string_view value, const std::vector<std::string_view>& choices,
                        const std::string& before) const;
  bool or_as_default(Expr* a, Expr* b, const ast::Expr& e);
  std::string truth_help(const Expr* a, const Expr* b, const ast::Expr& e) const;
  std::string order_help(TypeId a, TypeId b, std::string otherwise = {});
  std::string shape_help(TypeId from, TypeId to) const;
  std::string in_range_help(const ast::Expr& list) const;
  WayOut default_help(const Expr& value, TypeId to) const;
  static std::string columns_help(const std::vector<ast::Name>& keys, const ast::Rows& rows, bool csv);
  std::string as_bound(const ast::Expr& e, const std::string& key) const;
  static std::string hyphen_range(std::string_view s);
  static std::string meant_as_range(const LookupTable& table, std::size_t column);

  // ---- check_loop.cpp
  Expr* counted(const ast::Expr& e, Context& cx);
  std::int64_t most_items(const Expr* list) const;  // -1: not known
  std::int64_t most_turns(const Loop& loop) const;
  Interval sum_range(const Interval& each, std::int64_t most, bool all);
  Expr* whole_numbers(std::vector<Expr*> ends, Span span);
  Expr* loop_expr(const ast::Loop& loop, const ast::Expr* key, const std::function<Expr*(Context&)>& value,
                  Collect collect, Context& cx, Span span, bool labels = false);
  bool orders(TypeId type) const;
  Expr* joined_maps(Expr* a, Expr* b, Context& cx, Span span);
  void given_from_here(const ast::Expr& condition, Context& cx, std::size_t first);
  TypeId unbounded(TypeId id);
  TypeId unbounded(TypeId id, std::map<TypeId, TypeId>& known);
  Expr* list_loop(const ast::Expr& e, Context& cx);
  Expr* aggregate_loop(const ast::Expr& e, Context& cx, Builtin id);
  Expr* map_loop(const ast::Expr& e, Context& cx);

  // ---- check_table.cpp
  void build_table(int decl);
  bool declare_key_cells(const ast::Rows& rows, std::size_t keys, LookupTable& table, const std::vector<TypeId>& hints,
                         int rubric, std::vector<TypeId>& types);
  bool joins_keys(const std::vector<CellTest>& tests, TypeId before, TypeId& type);
  bool same_kinds(TypeId a, TypeId b) const;
  bool cell_test(const ast::CellPattern& pattern, int rubric, const std::string& key, std::vector<CellTest>& tests,
                 TypeId& type);
  Expr* table_call(int decl, const ast::Expr& e, std::vector<Expr*> args, Context& cx);
  Expr* table_value(int decl, Span span);
  void read_table(TableDecl& decl);
  Expr* table_row(TableDecl& decl, const std::vector<Expr*>& args, Context& cx, Span span);
  Expr* table_function(int decl, const ast::Expr& e, std::vector<Expr*> args, Context& cx);
  Expr* column_value(TableDecl& decl, std::size_t column, Expr* row, Context& cx, Span span);
  bool read_columns(TableDecl& decl, const ast::Rows& rows, std::size_t keys, int rubric);
  void prove_table(const LookupTable& table, const ast::Rows& rows, const std::vector<TypeId>& keys, bool bands,
                   int decimals, const std::string& name);
  void bands(RubricContext& rc, const ast::Bands& node, const ast::Item& item);
  Expr* bands_within(RubricContext& rc, const ast::Bands& node, TableDecl& decl, int row_item, Context& cx);
  Expr* points_of(const LookupTable& table, int decimals, Span span);

  // ---- check_csv.cpp
  bool rows_from_csv(const ast::Table& node, CsvRows& rows);
  CsvCell csv_cell(const CsvRows& rows, std::size_t row, std::size_t column, std::string& unescaped) const;
  TypeId csv_value(std::string_view text, bool as_text, Value& value);
  bool declare_csv_keys(TableDecl& decl, const CsvRows& rows, LookupTable& table);
  bool csv_key(const CsvCell& cell, bool as_text, const std::string& key, int rubric, std::vector<CellTest>& tests,
               TypeId& type);
  bool read_csv_columns(TableDecl& decl, const CsvRows& rows);
  Expr* list_of_csv_rows(TableDecl& decl, const CsvRows& rows);

  // ---- check_dimension.cpp
  void declare_dimensions(RubricContext& rc);
  void declare_dimension(RubricContext& rc, const ast::Dimension& node, DimensionItems& d, const std::string& prefix,
                         const Number* share, int depth);
  WeightSum weight_sum(const std::vector<ast::Dimension>& parts, int rubric);
  Expr* dimension_raw(RubricContext& rc, DimensionItems& d, Context& cx);
  Expr* dimension_value(RubricContext& rc, DimensionItems& d, Context& cx);
  Expr* dimension_before_caps(RubricContext& rc, DimensionItems& d, Context& cx);
  Expr* weight_ref(RubricContext& rc, int weight, Span span);
  Expr* parts_sum(RubricContext& rc, std::vector<DimensionItems>& parts, Span span, bool& skip);
  void leaves(std::vector<DimensionItems>& dims, std::vector<DimensionItems*>& out);
  Expr* dimension_record(RubricContext& rc, DimensionItems& d, int depth, Span span);
  DimensionModel describe(RubricContext& rc, DimensionItems& d);

  // ---- check_pipeline.cpp
  void declare_pipeline(RubricContext& rc);
  Expr* composite(RubricContext& rc, Context& cx);
  Expr* composite_before_caps(RubricContext& rc, Context& cx);
  Expr* adjustments(RubricContext& rc, const AdjustmentRow& step, bool reasons, bool with_cap, Context& cx);
  Expr* total_amount(Expr* list, Context& cx, Span span);
  bool declares(const RubricContext& rc, std::string_view words) const;
  Expr* score(RubricContext& rc, Context& cx);
  Expr* score_before_caps(RubricContext& rc);
  Expr* status(RubricContext& rc, Context& cx);
  Expr* reason(RubricContext& rc, Context& cx);
  Expr* why_incomplete(RubricContext& rc, Context& cx);
  Expr* several(Expr* list, Span span);
  Expr* coverage(RubricContext& rc, Context& cx);
  Expr* degraded(RubricContext& rc, Context& cx);
  enum class Labels : std::uint8_t { flags, flags_and_prose, advice };
  Expr* labels(RubricContext& rc, Labels which, Context& cx);
  Expr* kept_on_scale(RubricContext& rc, Expr* value);
  bool holds_verdict(TypeId type, std::set<TypeId>& seen) const;
  void warn_names_of_verdict(RubricContext& rc);
  void list_verdict(RubricContext& rc);

  // ---- check_caps.cpp
  struct CappedValue;
  Expr* capped(RubricContext& rc, std::string_view target, Expr* value, Context& cx);
  Expr* group_cap(RubricContext& rc, std::string_view group, Context& cx);
  Expr* capped_row(RubricContext& rc, const std::string& bands, TableDecl& decl, Expr* row, Context& cx);
  int capped_place(TableDecl& decl, Expr* at);
  Expr* caps(RubricContext& rc, Context& cx);
  Expr* caps_that_bind(const CappedValue& of, std::size_t first, Expr* value, std::vector<Expr*>& entries, Context& cx);

  // ---- check_doubts.cpp: what is written, for the proofs of lang/proof/doubts.hpp, and doubts that arise on the way
  void written(Asked asked, const ast::Expr& node, Expr* value, const Context& cx);
  void note_expr(const ast::Expr& node, Expr* value, const Context& cx);
  bool is_own(Span span, int rubric) const;
  void doubt_key(const TableDecl& decl, std::size_t k, const ast::Expr& call, const Expr* key, int rubric);
  void doubt(Code code, Span span, int rubric, std::string message, WayOut help);
  void doubt_cap(const ast::Cap& cap, const Expr* value, const Expr* at, int rubric);
  void doubt_amount(const AdjustmentRow& step, const ast::Expr& node, const Expr* amount, RubricContext& rc);
  void doubt_percent(const ast::Expr& node, const Interval& range, const std::string& of, int rubric);
  void doubt_bands(RubricContext& rc, const ast::Bands& node, const std::vector<Expr*>& keys);
  void doubt_group_caps(RubricContext& rc);
  void doubt_text(const ast::Text& text, const ast::TextPart& part, const Expr* value, const Context& cx);
  bool made_of_score(const Expr* e, RubricContext& rc, std::set<int>& seen);
  void prove_examples(RubricContext& rc, Knowledge& knowledge);
  void report_doubts(RubricContext* main);

  // ---- check_proof.cpp
  void prove_weights(RubricContext& rc);
  std::string converted(const ast::Expr& e, const Interval& range, const Interval& to);
  void suggest_in_range(const DimensionItems& d, const Interval& range, const Interval& allowed,
                        Diagnostic& diagnostic);
  bool only_judged(RubricContext& rc, const DimensionItems& d);

  // ---- building expressions
  Expr* make(Op op, TypeId type, Span span, std::vector<Expr*> args = {});
  Expr* constant(Value value, TypeId type, Span span);
  Expr* number(Number n, Span span);
  Expr* text(std::string_view s, Span span);
  Expr* boolean(bool b, Span span);
  Expr* missing(Span span);
  Expr* broken(Span span);  // stands for an expression that was reported
  Expr* choose(Expr* then, Expr* cond, Expr* otherwise, Span span);
  Expr* arithmetic(Op op, Expr* a, Expr* b, Span span);
  Expr* chain(Op op, TypeId type, Span span, std::vector<Expr*> parts);
  Expr* builtin(Builtin id, TypeId type, Span span, std::vector<Expr*> args);
  Expr* min_of(Expr* a, Expr* b, Span span);
  Expr* max_of(Expr* a, Expr* b, Span span);
  Expr* clamp_to(Expr* a, const Interval& range, Span span);
  Expr* record_of(std::vector<std::pair<std::string, Expr*>> fields, Span span);
  Expr* list_of_exprs(std::vector<Expr*> items, TypeId element, Span span);
  std::size_t constant_size(const std::vector<Expr*>& parts) const;
  bool small_enough(const std::vector<Expr*>& parts) const;
  void remember_size(const void* data, const std::vector<Expr*>& parts);
  Expr* fold_list(Expr* list);
  Expr* fold_record(Expr* record);
  Expr* local_ref(const Local& local, Span span);
  Local& push_local(Context& cx, std::string name, TypeId type, bool optional);
  bool holds_items_below(const Expr& e, const Context& cx) const;
  int add_local(Context& cx) { return cx.locals++; }
  const Interval& range_of(const Expr* e) const { return types_[e->type].range; }
  TypeKind kind_of(const Expr* e) const { return types_.kind(e->type); }
  bool is_constant(const Expr* e) const { return e->op == Op::constant; }
  bool same_value(TypeId type, const Value& a, const Value& b) const;
  Number constant_number(const ast::Expr& e, int rubric, const char* what);
  NumberPool& numbers() { return model_.constants.numbers(); }
  std::string_view keep(std::string_view s);
  Value* values(std::size_t count);
  // Whether it is in a file that is no rubric, and how a type is named there: nothing of such a file is shown.
  bool is_foreign(Span span) const { return !sources_.file(span.file).rubric; }
  std::string say_of(TypeId type, Span span) const {
    return is_foreign(span) ? types_.say_kind(type) : types_.say(type);
  }
  std::string source_text(Span span) const { return std::string(sources_.text(span)); }
  Diagnostic& error(Code code, Span span, std::string message, std::string label = {}, WayOut way = {});
  bool follows_from_syntax(Code code, Span span) const;
  bool is_unread(Span span) const;
  void note_unread();
  WayOut near_or_all(std::string_view name,
                     const std::vector<std::string_view>& candidates) const;  // or what there is
  WayOut did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates) const;
  WayOut field_meant(std::string_view name, const Type& record) const;
  RubricContext& rubric(int index) { return *rubrics_[static_cast<std::size_t>(index)]; }
  RubricModel& model(const RubricContext& rc) { return model_.rubrics[static_cast<std::size_t>(rc.index)]; }
  // Declared outside values, found from a rubric outwards.
  int find(std::string_view name, std::map<std::string, int, std::less<>> DeclaredNames::*space, int rubric);
  int find_rubric(std::string_view name);

  Budget& budget_;
  Sources& sources_;
  const Importer& importer_;
  const std::size_t source_bytes_;
  Diagnostics* diagnostics_;
  Model& model_;
  TypeTable& types_;
  CheckNotes* notes_ = nullptr;  // not owned; null: nobody asks
  std::deque<ast::File> imported_;
  std::set<std::string> loaded_;
  std::deque<ast::Expr> synthetic_;
  std::deque<ast::Table> tables_of_bands_;  // by which bands are called
  std::vector<const ast::Rubric*> rubric_nodes_;
  std::map<std::string, const ast::Rubric*, std::less<>> rubric_by_name_;
  std::vector<std::unique_ptr<RubricContext>> rubrics_;
  std::map<std::string, int, std::less<>> rubric_index_;
  DeclaredNames file_names_;
  std::map<std::string, TypeId, std::less<>> file_types_;
  std::set<std::string, std::less<>> file_types_building_;
  std::deque<FnDecl> fns_;
  std::deque<TableDecl> tables_;
  std::unordered_map<const void*, std::size_t> constant_sizes_;          // by their fields or items
  std::map<std::pair<std::uint32_t, std::uint32_t>, Default> defaults_;  // by file and place
  std::deque<Instance> instances_;
  std::deque<TableInstance> table_instances_;
  std::size_t proof_work_ = 50'000'000;               // rows of tables that may be looked at to prove something of them
  std::vector<std::pair<int, int>> building_;         // rubric, item: the path of a cycle
  std::vector<std::pair<Span, std::string>> calls_;   // functions being checked: where each is called, and with what
  std::set<std::pair<std::uint64_t, int>> reported_;  // place, code: functions are checked more than once
  std::vector<Claim> claims_;
  std::unordered_set<const Expr*> settings_;  // constants of conditions that come of a name: `let strict = false`
  std::set<const ast::Expr*> answered_;       // what has a default
  std::unordered_map<const ast::Expr*, TypeId> asked_of_;  // `x is number`: the type that x has there
  std::set<std::string> considered_;  // names of which something says what holds when they are missing
  std::vector<Doubt> doubts_;         // told when there is no error
  std::uint32_t main_file_ = 0;
  bool partial_ = false;                             // parts of the text could not be read:
  std::vector<std::pair<std::string, int>> unread_;  // on these lines
  std::set<std::string, std::less<>> unread_words_;  // and these words stand in declarations around them
  bool unread_import_ = false;                       // which may declare anything
  Diagnostic swallowed_;
};

}  // namespace assay
