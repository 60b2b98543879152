// The parts of the checker for the declarations of a rubric, from its inputs to the steps of its score.
#pragma once

#include "lang/check/expr/expressions.hpp"

#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class BandsChecker;
class CapChecker;
class CohortChecker;
class DimensionChecker;
class InputChecker;
class PipelineChecker;
class RubricChecker;
struct RubricParts;

// A part with references to all others, including those for expressions.
class RubricPart : public ExprPart {
 public:
  RubricPart(CheckState& state, Expressions& expressions, RubricParts& all);

 protected:
  ~RubricPart() = default;

  BandsChecker& bands_;
  CapChecker& caps_;
  CohortChecker& cohorts_;
  DimensionChecker& dimensions_;
  InputChecker& inputs_;
  PipelineChecker& pipeline_;
  RubricChecker& rubrics_;
};

// A rubric as a whole: inherited declarations, and its own in any order (check_rubric.cpp).
class RubricChecker : public RubricPart {
 public:
  using RubricPart::RubricPart;

  bool declare_file_item(const ast::Item& item, DeclaredNames& names, int rubric);
  void declare(RubricContext& rc);
  void declare_items(RubricContext& rc);
  void finish(RubricContext& rc, bool main);
  void trust_rules(RubricContext& rc);

 private:
  void merge_items(RubricContext& rc, const ast::Rubric& rubric, std::vector<const ast::Rubric*>& chain);
  void show_value(RubricContext& rc, const ast::Output& node);
  void doubt_clause_above(RubricContext& rc, const ast::Item& above, const ast::Item& item);
  void warn_unused(RubricContext& rc);
  void list_dimensions(RubricContext& rc);
};

// Inputs, and declarations other than values: contexts, rules, embedded records, the ranking, examples
// (check_declare.cpp).
class InputChecker : public RubricPart {
 public:
  using RubricPart::RubricPart;

  void examples(RubricContext& rc);
  void in_part(const RubricContext& rc, const ast::Expr& expected, std::size_t i, Diagnostic& told);
  void declare_input(RubricContext& rc, const ast::Input& input);
  void declare_contexts(RubricContext& rc);
  void declare_rules(RubricContext& rc);
  void declare_embedded(RubricContext& rc);
  void declare_rank(RubricContext& rc);
  void doubt_order_of_items(RubricContext& rc, const ast::OrderKey& key, const Expr* value);

 private:
  void refuse_skip(const RubricContext& rc, const ast::Input& input);
  Expr* embedded_records(TypeId type, Expr* value, Expr* path, Context& cx, int& rubric);
  std::string json(const ast::Expr& expr);
  void doubt_total(RubricContext& rc, const ast::Context& node, const ContextModel& context);
};

// Dimensions (check_dimension.cpp), and proofs about weights, scale and bands (check_proof.cpp).
class DimensionChecker : public RubricPart {
 public:
  using RubricPart::RubricPart;

  void declare_dimensions(RubricContext& rc);
  Expr* dimension_before_caps(RubricContext& rc, DimensionItems& d, Context& cx);
  void leaves(std::vector<DimensionItems>& dims, std::vector<DimensionItems*>& out);
  void doubt_levels_of_whole(RubricContext& rc, const DimensionItems& d);
  DimensionModel describe(RubricContext& rc, DimensionItems& d);
  void prove_weights(RubricContext& rc);

 private:
  void declare_dimension(RubricContext& rc, const ast::Dimension& node, DimensionItems& d, const std::string& prefix,
                         const Number* share, int depth);
  Number weight_of(RubricContext& rc, const ast::Dimension& node, DimensionItems& d, Number& scale_parts);
  void declare_judged(RubricContext& rc, const DimensionItems& d, Number weight, const std::string& word);
  void define_items(RubricContext& rc, DimensionItems& d, Number weight, int depth);
  WeightSum weight_sum(const std::vector<ast::Dimension>& parts, int rubric);
  Expr* dimension_raw(RubricContext& rc, DimensionItems& d, Context& cx);
  Expr* dimension_value(RubricContext& rc, DimensionItems& d, Context& cx);
  Expr* parts_sum(RubricContext& rc, std::vector<DimensionItems>& parts, Span span, bool& skip);
  std::string converted(const ast::Expr& e, const Interval& range, const Interval& to);
  void doubt_composite(RubricContext& rc, const ast::Expr& body);
  Number points_for_scale(const RubricContext& rc, const DimensionItems& d);
  void suggest_in_range(const RubricContext& rc, const DimensionItems& d, const Interval& range,
                        const Interval& allowed, Diagnostic& diagnostic);
  void doubt_narrow(RubricContext& rc, const DimensionItems& d, const Interval& range, const Interval& fit);
  bool weighs_shares(const RubricContext& rc);
  void refuse_unbounded(const RubricContext& rc, const DimensionItems& dimension, bool shares);
  bool offer_without_percent(const RubricContext& rc, Number total, Diagnostic& d);
  const DimensionItems& odd_one(const RubricContext& rc, const DimensionItems& last) const;
  void suggest_weight(const RubricContext& rc, Number total, Diagnostic& d);
  void doubt_points(RubricContext& rc, Number total);
  void fit_scale(RubricContext& rc, Number total, const std::vector<Interval>& ranges);
  std::string help_with_total(const RubricModel& m, const DimensionItems& odd, Number total, const Interval& reach,
                              bool percentages);
  bool only_judged(RubricContext& rc, const DimensionItems& d);
};

// The steps from dimensions to a score (check_pipeline.cpp) and a verdict (check_verdict.cpp).
class PipelineChecker : public RubricPart {
 public:
  using RubricPart::RubricPart;

  void declare_pipeline(RubricContext& rc);
  Expr* adjustments(RubricContext& rc, const AdjustmentRow& step, bool reasons, bool with_cap, Context& cx);
  Expr* total_amount(Expr* list, Context& cx, Span span);
  Expr* score_before_caps(RubricContext& rc);
  void list_verdict(RubricContext& rc);

 private:
  bool always_empty(const Expr* body) const;
  enum class Labels : std::uint8_t { flags, flags_and_prose, advice };
  Expr* composite(RubricContext& rc, Context& cx);
  Expr* composite_before_caps(RubricContext& rc, Context& cx);
  bool declares(const RubricContext& rc, std::string_view words) const;
  Expr* score(RubricContext& rc, Context& cx);
  Expr* status(RubricContext& rc, Context& cx);
  Expr* reason(RubricContext& rc, Context& cx);
  Expr* why_incomplete(RubricContext& rc, Context& cx);
  Expr* total(RubricContext& rc, const AdjustmentRow& step, int amounts, Context& cx);
  Expr* incomplete(RubricContext& rc, Context& cx);
  Expr* history(RubricContext& rc, Context& cx);
  Expr* several(Expr* list, Span span);
  Expr* coverage(RubricContext& rc, Context& cx);
  Expr* degraded(RubricContext& rc, Context& cx);
  std::string told_apart(const ast::Loop& node, const Expr* loop);
  Expr* labels(RubricContext& rc, Labels which, Context& cx);
  Expr* kept_on_scale(RubricContext& rc, Expr* value);
  bool holds_verdict(TypeId type, std::set<TypeId>& seen) const;
  void warn_names_of_verdict(RubricContext& rc);
};

// Caps on dimensions, on the score, on bands and on all amounts of a kind (check_caps.cpp).
class CapChecker : public RubricPart {
 public:
  using RubricPart::RubricPart;

  Expr* capped(RubricContext& rc, std::string_view target, Expr* value, Context& cx);
  Expr* caps(RubricContext& rc, Context& cx);
  Expr* group_cap(RubricContext& rc, std::string_view group, Context& cx);
  Expr* capped_row(RubricContext& rc, const std::string& bands, TableDecl& decl, Expr* row, Context& cx);

 private:
  struct CappedValue;
  int capped_place(TableDecl& decl, Expr* at);
  Expr* caps_that_bind(const CappedValue& of, std::size_t first, Expr* value, std::vector<Expr*>& entries, Context& cx);
};

// Bands (check_bands.cpp).
class BandsChecker : public RubricPart {
 public:
  using RubricPart::RubricPart;

  void bands(RubricContext& rc, const ast::Bands& node, const ast::Item& item);

 private:
  Expr* bands_row(RubricContext& rc, const ast::Bands& node, TableDecl& decl, Context& cx);
  Expr* bands_within(RubricContext& rc, const ast::Bands& node, TableDecl& decl, int row_item, int margin_item,
                     Context& cx);
  Expr* points_of(const LookupTable& table, int decimals, Span span);

  std::deque<ast::Table> tables_of_bands_;  // with which bands are called
};

// The cohort block and its 'each output's (check_cohort.cpp).
class CohortChecker : public RubricPart {
 public:
  using RubricPart::RubricPart;

  void finish_cohort(RubricContext& rc, const ast::Item& item);

 private:
  void finish_each(RubricContext& rc, RubricContext& cohort, const std::vector<const ast::Item*>& items, Span span);
  int new_part(RubricContext& rc, const std::string& name, Span span);  // its index
  void copy_functions(RubricContext& part, const std::vector<const ast::Item*>& items);
  TypeId rejected_type(TypeId id);
};

struct RubricParts {
  RubricParts(CheckState& state, Expressions& expressions);

  BandsChecker bands;
  CapChecker caps;
  CohortChecker cohorts;
  DimensionChecker dimensions;
  InputChecker inputs;
  PipelineChecker pipeline;
  RubricChecker rubrics;
};

}  // namespace assay
