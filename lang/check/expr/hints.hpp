// The parts of the checker that help the author: fix-it hints in the author's own words, and warnings about parts
// without effect or intention.
#pragma once

#include "lang/check/expr/expr_parts.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

// Hints for habits of other languages and of spreadsheets that the grammar accepts (check_hints.cpp).
class Hints : public ExprPart {
 public:
  using ExprPart::ExprPart;

  void no_record(const Expr* record, const std::string& field, Span word);
  void suggest_other_type(const Expr* e, TypeKind wanted, Diagnostic& d);
  void never_item(const ast::Expr& text, std::string_view value, TypeId type);
  void never_among(const ast::Expr& list, TypeId type);
  bool compared_with_null(const ast::Expr& e, Context& cx);
  bool unquoted(const ast::Expr& e, const Context& cx, const std::vector<std::string_view>& choices = {});
  // d.cost, where the loop 'for d in defects' was forgotten: reports it once for each declaration (check_records.cpp).
  bool forgotten_loop(const ast::Expr& name, const Context& cx);
  FixIt unknown_help(const ast::Expr& e, const std::vector<std::string_view>& names, const Context& cx);
  // A call of a table with keys, whose arguments are the values of the rubric that the keys are named like.
  FixIt call_of_table(const ast::Table& table, int rubric_index);
  FixIt exchanged_ends(const ast::Expr& low, const ast::Expr& high, bool certain) const;  // of a range
  FixIt near_or_quoted(std::string_view value, const std::vector<std::string_view>& choices,
                       const std::string& before) const;
  bool or_as_default(Expr* a, Expr* b, const ast::Expr& e);
  std::string truth_help(const Expr* a, const Expr* b, const ast::Expr& e) const;
  std::string order_help(TypeId a, TypeId b, std::string otherwise = {});
  std::string shape_help(TypeId from, TypeId to) const;
  std::string in_range_help(const ast::Expr& list) const;
  FixIt default_help(const Expr& value, TypeId to) const;
  static bool keys_renamed(const std::vector<ast::Name>& keys, const ast::Rows& rows, std::string_view name);
  static std::string columns_help(const std::vector<ast::Name>& keys, const ast::Rows& rows, std::string_view name,
                                  bool csv);
  Span path_of(Span field) const;
  // The field and its '.', if the path before it ends with the same name: t.t.kilos. Empty: it does not.
  Span said_twice(Span field) const;
  std::string as_bound(const ast::Expr& e, const std::string& key) const;
  static std::string hyphen_range(std::string_view s);
  static std::string meant_as_range(const LookupTable& table, std::size_t column);

 private:
  bool nothing_named(const ast::Expr& e, const Context& cx);
  bool field_without_item(const ast::Expr& name, const ast::Expr& value, const Context& cx);
  TypeId type_named(std::string_view name, const Context& cx);
  bool has_fields(TypeId record, const std::vector<std::string_view>& fields);
  std::vector<std::string> lists_of(const std::vector<std::string_view>& fields, const Context& cx);
  std::set<std::pair<const ast::Item*, std::string>> loops_forgotten_;  // reported
  std::string one_of_list(const std::string& list, const std::string& field, TypeId type) const;
};

// What is computed for a record: lets, outputs, gates, amounts, dimensions and their parts.
std::vector<const ast::Body*> bodies_of(const RubricContext& rc);
bool names_money(std::string_view name);  // whether a value of this name is likely an amount of money

struct Unit;
struct SaidBound;
struct SaidNumber;

// Collects written expressions for lang/proof/doubts.hpp, and reports doubts of its own (lang/check/doubts).
class DoubtChecker : public ExprPart {
 public:
  using ExprPart::ExprPart;

  void written(Asked asked, const ast::Expr& node, Expr* value, const Context& cx);
  void note_expr(const ast::Expr& node, Expr* value, const Context& cx);
  void doubt_cap(const ast::Cap& cap, const Expr* value, const Expr* at, int rubric);
  void doubt_amount(const AdjustmentRow& step, const ast::Expr& node, const Expr* amount, RubricContext& rc);
  void doubt_keys(const ast::Expr& e, const Type& record, const Type& key, const Context& cx);
  void doubt_map_key(const Expr* map, const std::string& field, Span word, int rubric);
  void doubt_bands(RubricContext& rc, const ast::Bands& node, const std::vector<Expr*>& keys);
  void doubt_unfiltered(const ast::Expr& loop, const Context& cx);
  void doubt_thousands(const ast::Expr& comparison, const Expr* value, const Context& cx);
  void doubt_text(const ast::Text& text, const ast::TextPart& part, const Expr* value, const Context& cx);
  void doubt_placeholders(const ast::Text& text, const std::vector<std::string_view>& names, const Context& cx);
  void doubt_percent(const ast::Expr& node, const Interval& range, const std::string& of, int rubric);
  void doubt_withheld(const ast::Rows& rows, const Expr* key, Span asked, int rubric);
  void doubt_percents(const ast::Rows& rows, std::size_t k, const Interval& range, const std::string& name, int rubric);
  // Notes a call that is missing for a part of what it is given (check_doubts_gaps.cpp).
  void note_outside(const ast::Expr& call, const ast::Expr& arg, const Interval& is, const Interval& known, int rubric);
  // Edits that read a value which nothing reads.
  std::vector<Fix> in_place_of(const RubricContext& rc, const ast::Let& let);
  void report_doubts(RubricContext* main);

 private:
  void doubt_group_caps(RubricContext& rc);
  void doubt_same_grade(RubricContext& rc, const ast::Bands& node);
  void doubt_finer(const ast::CellBound& bound, int decimals, int rubric);
  bool made_of_score(const Expr* e, RubricContext& rc, std::set<int>& seen);
  // Lists and loops (check_doubts_lists.cpp).
  void note_lists(const ast::Expr& node, const Expr* value, const Context& cx);
  void doubt_repeated_items(const ast::Expr& list, const Expr* compared, const Context& cx);
  void doubt_letter_case(const ast::Expr& node, const Context& cx);
  void doubt_position(const ast::Expr& node, const Context& cx);
  void doubt_exchanged(const ast::Expr& node, const Context& cx);
  void doubt_outer_name(const ast::Expr& node, const Expr* value, const Context& cx);
  void doubt_places(const ast::Expr& node, const Context& cx);
  void doubt_square_of_field(const ast::Expr& node, const Expr* value, const Context& cx);
  void doubt_text_order(const ast::Expr& node, const Expr* value, const Context& cx);
  Fix number_for(const ast::Expr& text, const std::vector<std::string>& choices, int rubric);
  void doubt_unread(RubricContext& rc);
  void doubt_lost_sums(RubricContext& rc);
  void doubt_repeated_terms(const RubricContext& rc, const ast::Expr& e, std::set<const ast::Expr*>& inner);
  void doubt_sums(RubricContext& rc);
  void doubt_keys(RubricContext& rc);
  void doubt_fixed_argument(RubricContext& rc, const ast::Fn& fn, const std::vector<const ast::Body*>& bodies);
  Fix filtered_for(const ast::Let& let, const std::vector<const ast::Expr*>& others);
  std::vector<Fix> in_place(const std::string& name, const ast::Expr& value,
                            const std::vector<const ast::Expr*>& others);
  // Units (check_doubts_units.cpp).
  void doubt_order_of_arguments(const ast::Expr& node, const std::vector<std::string>& names, const Context& cx);
  void note_units(const ast::Expr& node, const Context& cx);
  struct Linear {
    const ast::Expr* of = nullptr;
    Number factor, offset;
  };
  bool linear_of(const ast::Expr& e, Linear& out);
  void doubt_mixed_scales(const std::vector<const ast::Expr*>& added, const Context& cx);
  void doubt_open_choice(RubricContext& rc, const ast::Expr& side, const std::set<const ast::Expr*>& replaced);
  void doubt_percent_twice(const ast::Expr& node, const Context& cx);
  void doubt_conversion(const ast::Name& name, const ast::Expr& e, int rubric);
  void tell_unit(const ast::Expr& path, const Unit& is, const Unit& meant, const std::string& than, int rubric);
  void doubt_unit_of_sum(const ast::Name& name, const ast::Expr& e, int rubric);
  void doubt_conversions(const ast::Name& name, const ast::Body& body, int rubric);
  bool names_part(const ast::Expr& condition, const std::string& text) const;
  void doubt_hidden_caps(RubricContext& rc, Doubts& proofs);
  void doubt_hidden_reasons(RubricContext& rc, Doubts& proofs);
  void prove_examples(RubricContext& rc, Knowledge& knowledge, bool hopeless);
  void offer_unused(const RubricContext& rc, Doubt& d);
  void note_declarations(RubricContext& rc);
  // What the prose of a declaration is about: what passes, why something applies, a rule or its breach, or what is counted.
  enum class Stated : std::uint8_t { passes, applies, rule, names };
  void doubt_prose(const ast::Expr& condition, const ast::Text& prose, Stated stated, int rubric);
  bool commented_ = false;  // the prose is a sentence of a comment
  std::string source_says(const std::string& source, const ast::Text& prose) const;
  std::optional<SaidBound> stated_verdict(const ast::Expr& value, const std::string& prose, Stated stated, int rubric);
  void doubt_stated_range(const ast::Expr& condition, const ast::Text& prose, int rubric);
  void doubt_commented(const ast::Expr& condition, Span declaration, RubricContext& rc);
  void doubt_statements(RubricContext& rc);
  void doubt_list_as_range(const ast::Expr& node, const Expr* value, const Context& cx);
  void doubt_range_end(const ast::Expr& node, const Expr* value, const Context& cx);
  void doubt_sum_of_shares(const ast::Expr& node, const Expr* value, const Context& cx);
  void doubt_same_sides(const ast::Expr& node, const Expr* value, const Context& cx);
  bool doubt_counted_share(const ast::Expr& node, const Context& cx);
  Fix sign_slip(const ast::Expr& e);
  void doubt_defaulted(const ast::Expr& node, const Context& cx);
  bool doubt_constant(const ast::Expr& node, const Expr* value, const Context& cx);
  void doubt_same_parts(const ast::Expr& node, const Context& cx);
  void doubt_rounded_share(const ast::Expr& node, const Expr* value, const Context& cx);
  void doubt_interpolate(const ast::Expr& node, const Expr* value, const Context& cx);
  void doubt_outside(RubricContext& rc);
  void doubt_clamp(const ast::Expr& node, const Expr* value, const Context& cx);
  void doubt_default_of_side(const ast::Expr& node, const Context& cx);
  void doubt_percentile(const ast::Expr& node, const Context& cx);
  void doubt_share_of_amount(const ast::Expr& node, const Expr* value, const Context& cx);
  void doubt_sum_in_else(const ast::Expr& node, const Context& cx);
  void doubt_counted_condition(const ast::Expr& node, const Expr* value, const Context& cx);
  void doubt_squares(const RubricContext& rc);
  const ast::Let* let_named(const RubricContext& rc, std::string_view name);
  std::function<const ast::Expr*(std::string_view)> formulas_of(const RubricContext& rc);
  bool doubt_stated_noun(const ast::Expr& condition, const ast::Text& prose, int rubric);
  bool doubt_stated_unit(const ast::Expr& condition, const ast::Text& prose, int rubric);
  bool doubt_stated_none(const ast::Expr& condition, const ast::Text& prose, Stated stated, int rubric);
  bool doubt_stated_name(const ast::Expr& condition, const ast::Text& prose, Stated stated, int rubric);
  bool doubt_stated_too(const ast::Expr& condition, std::string_view text, bool name, bool applies, int rubric);
  bool of_other_base(const ast::Expr& value, Number number, const SaidNumber& said, const std::string& prose,
                     RubricContext& rc);
  Interval range_of_name(const ast::Expr& e, RubricContext& rc);
  const Unit* unit_of_value(const ast::Expr& e, const RubricContext& rc);
  void doubt_stated_between(const ast::Expr& condition, const ast::Text& prose, int rubric);
  void doubt_stated_difference(const ast::Expr& condition, const ast::Text& prose, int rubric);
  void doubt_stated_input(const ast::Input& input, int rubric);
  void doubt_stated_number(const ast::Expr& condition, const ast::Text& prose, int rubric);
  void doubt_stated_truth(const ast::Expr& condition, std::string_view declared, const ast::Text& prose, Stated stated,
                          int rubric);
  void doubt_coverage(const ast::Expr& condition, int rubric);
  std::map<const RubricContext*, std::map<std::string_view, const ast::Let*>> lets_;
  int placed_ = 0;  // edits that searched the whole rubric
  // Values that are compared with numbers of another size (check_doubts_ranges.cpp).
  struct Thresholds;
  std::map<std::string, Thresholds, std::less<>> thresholds(const RubricContext& rc);
  std::vector<Fix> in_other_units(const std::string& named, const ast::Expr& e, const Interval& range,
                                  const Number& lowest, const Number& highest);
  void doubt_computed_ranges(RubricContext& rc);
  void doubt_empty_text(const ast::Expr& node, const Expr* value, const Context& cx);
};

}  // namespace assay
