// Warnings about what a rubric means: values that move in the wrong direction, orders and grades that begin with the
// worst, and anything that is counted twice.
#pragma once

#include "lang/check/sense/slope.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/check/words/comments.hpp"
#include "lang/check/words/rates.hpp"
#include "lang/check/words/units.hpp"
#include "lang/check/words/words.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// All texts of a declaration, and its expressions but those in texts. Dimensions keep those of their parts.
struct WrittenParts {
  std::vector<const ast::Text*> texts;
  std::vector<const ast::Expr*> exprs;
  const ast::Expr* when = nullptr;  // one of them, under which the declaration applies; null: there is none
};
WrittenParts written_parts(const ast::Item& item);

// The formula of a name, where it has one of its own; null: it has none.
using FormulaOf = std::function<const ast::Expr*(std::string_view)>;
// The path whose unit a value has: times_ms of median(times_ms), also behind a 'let'; null: none.
const ast::Expr* measured_by(const ast::Expr& e, const FormulaOf& formula, int level = 0);
// The unit of a value, by its name or by the prose of an input: "Seconds since noon", "Weight in grams".
const Unit* unit_of_value(const RubricContext& rc, const ast::Expr& e, const FormulaOf& formula);

class SenseChecker : public CheckBase {
 public:
  explicit SenseChecker(CheckState& state) : CheckBase(state), slope_(state) {}

  void look(RubricContext& rc);

 protected:
  struct Adjusts;  // a deduction or bonus, and how it moves
  // A declaration of a value, with what the author calls it.
  struct Named {
    std::string_view kind;
    std::string name, said;  // said: the name and the prose, also those of an output that shows it
    const ast::Expr* e = nullptr;
    std::vector<std::string> shown_as;  // names of outputs
    std::string prose;                  // its own
  };
  static std::vector<Named> named_values(const RubricContext& rc);
  void tell(RubricContext& rc, Code code, Span at, std::string message, FixIt help, std::vector<Fix> fixes);

  // What the words say (sense_checker.cpp).
  int end_by_words(RubricContext& rc);
  bool high_is_better(const RubricContext& rc) const;
  NameSense sense_of_path(RubricContext& rc, const std::string& path, const Lean& lean);
  Leans without_shares(RubricContext& rc, Leans leans);
  static NameSense sense_of_dimension(const ast::Dimension& node);
  void doubt_dimension(RubricContext& rc, const DimensionItems& d);
  void doubt_adjustment(RubricContext& rc, const ast::Item& item, const ast::Adjustment& node);
  void doubt_cap(RubricContext& rc, const ast::Cap& node);
  void doubt_done(RubricContext& rc, const ast::Adjustment& node);
  bool doubt_none_done(RubricContext& rc, const ast::Expr& e);
  void doubt_gate(RubricContext& rc, const ast::Gate& node);
  Fix turned_value(RubricContext& rc, const ast::Expr& e, const Interval& range);
  Fix turned_condition(const ast::Expr& e);

  // Orders and grades (sense_orders.cpp).
  bool of_school(const RubricContext& rc) const;
  int end_by_grades(const RubricContext& rc);
  static int end_said(std::string_view prose);
  static int low_end_said(std::string_view prose);
  bool ranked_low(const RubricContext& rc, const std::string& path) const;
  int end_by_prose(const RubricContext& rc) const;
  int end_by_levels(RubricContext& rc);
  void doubt_rank(RubricContext& rc);
  void doubt_best_of(RubricContext& rc, const Named& value);
  bool ordered_by_need(const RubricContext& rc) const;
  bool worst_first_meant(const RubricContext& rc, const ast::Rank& rank) const;
  void doubt_key(RubricContext& rc, const ast::Rank& rank, const ast::OrderKey& key);
  int wanted(RubricContext& rc, const std::string& name, std::string& because, bool& gate_only);
  bool moves_with(RubricContext& rc, const std::string& input, int good);
  void doubt_labels(RubricContext& rc, const ast::Bands& bands);
  void doubt_degrees(RubricContext& rc, const ast::Rows& rows);
  void doubt_grades(RubricContext& rc, std::string_view name, const std::vector<ast::Name>& params,
                    const ast::Rows& rows);

  // What prose says of amounts (sense_stated.cpp).
  void doubt_stated(RubricContext& rc);
  void doubt_number(RubricContext& rc, const ast::Expr& e, const Number& said, bool percent, const ast::Text& prose);
  void doubt_amounts(RubricContext& rc, const ast::Item& item);
  void doubt_weight(RubricContext& rc, const ast::Dimension& node);
  void doubt_weight_of(RubricContext& rc, const ast::Dimension& node);
  void doubt_said_in_rows(RubricContext& rc, const ast::Rows& rows, std::size_t keys);
  void doubt_reductions(RubricContext& rc);
  void doubt_short_points(RubricContext& rc);
  void doubt_hundredfold(RubricContext& rc, const Named& value);
  void doubt_idle_weights(RubricContext& rc);
  void doubt_excess(RubricContext& rc);
  void doubt_how_many(RubricContext& rc, const ast::Expr& e, const ast::Text& prose, bool passes);
  void doubt_line(RubricContext& rc, const ast::Rows& rows);
  void doubt_trend(RubricContext& rc, const ast::Expr& condition, std::string_view name, std::string_view prose);

  // How often an amount counts, and what a cap leaves (sense_amounts.cpp).
  void doubt_once(RubricContext& rc, const ast::Adjustment& node);
  void doubt_turned_difference(RubricContext& rc, const ast::Adjustment& node);
  void doubt_counted_again(RubricContext& rc, const ast::Adjustment& node);
  void doubt_graded_cap(RubricContext& rc, const ast::Cap& node);
  void doubt_named_example(RubricContext& rc, const ast::Example& node);
  void doubt_named_truth(RubricContext& rc, const ast::Example& node);
  void doubt_run(RubricContext& rc, const Named& value);
  void doubt_words(RubricContext& rc, const Named& value);
  void doubt_last_of_key(RubricContext& rc, const Named& value);
  void doubt_taken_first(RubricContext& rc, const Named& value);
  void doubt_how_many_named(RubricContext& rc, const Named& value);
  void doubt_turned(RubricContext& rc, const ast::Expr& list);
  void doubt_itself(RubricContext& rc, const ast::Expr& e);
  struct Term;  // of a sum: a number of times something that is counted or measured
  const Unit* unit_of_path(const RubricContext& rc, const ast::Expr& path) const;
  void terms_of(const RubricContext& rc, const ast::Expr& e, Term term, const SaidAmount& of, std::vector<Term>& all);
  void doubt_said_rates(RubricContext& rc, const Named& value, const std::string& text, bool comment);

  // What is computed otherwise than its name says (sense_named.cpp).
  void doubt_names(RubricContext& rc);
  void doubt_chosen_grades(RubricContext& rc, const Named& value);
  void doubt_extreme(RubricContext& rc, const Named& value);
  struct Chosen;  // one of several values
  void choices_in(const ast::Expr& e, std::vector<Chosen>& all) const;
  bool better_if_high(RubricContext& rc, const Chosen& one);
  int comparative(RubricContext& rc, const Chosen& one, const std::string& word);
  void doubt_comparative(RubricContext& rc, const Named& value);
  void doubt_quotient(RubricContext& rc, const Named& value);
  void doubt_condition(RubricContext& rc, const Named& value);
  void doubt_counted(RubricContext& rc, const Named& value);
  void doubt_named_call(RubricContext& rc, const Named& value);
  void doubt_linear(RubricContext& rc, const Named& value);
  void doubt_rounding(RubricContext& rc, const Named& value);
  bool holds_marks(const RubricContext& rc, const ast::Expr& call, const ast::Expr& of);
  bool good_is_low(const RubricContext& rc, const std::string& path);
  static constexpr std::string_view kPlaces =
      "place places rank ranks position positions league leagues seed seeds tier tiers priority priorities class "
      "classes division divisions";
  bool names_low_end(RubricContext& rc, const Named& value, const std::string& name, const ast::Expr& of);

  // What is taken from lists otherwise than words say (sense_lists.cpp).
  void doubt_difference(RubricContext& rc, const Named& value);
  int order_in_time(const RubricContext& rc, const ast::Expr& list, int level) const;
  void doubt_recent(RubricContext& rc, const Named& value);
  void doubt_distinct(RubricContext& rc, const Named& value);
  bool holds_numbers(const RubricContext& rc, const ast::Expr& list);
  void doubt_unordered(RubricContext& rc, const Named& value);
  bool in_some_order(const RubricContext& rc, const ast::Expr& list) const;
  void doubt_deviation(RubricContext& rc, const Named& value);
  void doubt_struck(RubricContext& rc, const ast::Expr& e);
  void doubt_mean_of_means(RubricContext& rc, const Named& value);
  void doubt_overdue(RubricContext& rc, const Named& value);
  void doubt_deciding(RubricContext& rc, const Named& value);
  void doubt_weakest_part(RubricContext& rc, const ast::Composite& node);
  void doubt_lists(RubricContext& rc);

  // What words say of groups, periods, rates and differences (sense_computed.cpp).
  const Type* item_type(const RubricContext& rc, const ast::Expr& list);
  void doubt_computed(RubricContext& rc);
  void doubt_group(RubricContext& rc, const Named& value);
  void doubt_equal_amounts(RubricContext& rc, const ast::Expr& e);
  void doubt_rate(RubricContext& rc, const Named& value);
  void doubt_turned_rate(RubricContext& rc, const Named& value);
  void doubt_seconds(RubricContext& rc, const Named& value);
  void doubt_period(RubricContext& rc, const Named& value);
  void doubt_heads(RubricContext& rc, const Named& value);
  std::string comment_at(Span at) const;
  void doubt_left_best(RubricContext& rc, const Named& value);
  void doubt_attempt(RubricContext& rc, const Named& value);
  void doubt_newest_first(RubricContext& rc, const ast::Expr& e);
  void doubt_tolerance(RubricContext& rc, const Named& value);
  void doubt_significant(RubricContext& rc, const Named& value);
  void doubt_beyond(RubricContext& rc, const ast::Adjustment& node);
  void doubt_loop_names(RubricContext& rc);
  void doubt_matrix(RubricContext& rc, std::size_t keys, const ast::Rows& rows);

  // What texts and names say of percent, shares and rates (sense_shown.cpp).
  void doubt_turned_change(RubricContext& rc, const Named& value);
  void doubt_base_of_change(RubricContext& rc, const Named& value);
  void doubt_per_power(RubricContext& rc, const Named& value);
  void doubt_share_of_others(RubricContext& rc, const Named& value);
  const ast::Expr* value_named(std::string_view name) const;  // the formula of a 'let'; null: there is none
  const ast::Expr& formula_of(const ast::Expr& of) const;
  const ast::Expr& meant_by(const ast::Expr& of) const { return core_of(formula_of(of)); }
  bool is_share(RubricContext& rc, const ast::Expr& e, int level);
  using Compared = std::map<std::string, std::vector<Number>>;  // by name, the numbers that it is compared with
  void doubt_percent_of_one(RubricContext& rc, const Compared& compared);
  void doubt_percents_shown(RubricContext& rc);
  void doubt_percent_counted(RubricContext& rc, const ast::Expr& e);

  // Steps that overlap, or leave a gap (sense_groups.cpp).
  struct Step;
  std::map<std::string, std::vector<Step>> steps_of(const RubricContext& rc);
  void doubt_touching(RubricContext& rc, const std::vector<Step>& steps);
  void doubt_in_both(RubricContext& rc, const std::vector<Step>& steps);
  void doubt_nothing_between(RubricContext& rc, const ast::Fn& fn);
  void doubt_open_step(RubricContext& rc, const Step& step, const std::vector<Step>& all);
  void doubt_shared_text(RubricContext& rc, const std::vector<Step>& steps);
  void doubt_severities(RubricContext& rc);
  void doubt_band_of_name(RubricContext& rc);
  void doubt_named_number(RubricContext& rc, const Named& constant);
  void doubt_steps(RubricContext& rc);

  // What levels and contexts say (sense_levels.cpp).
  void doubt_levels(RubricContext& rc, const ast::Dimension& node);
  void doubt_context(RubricContext& rc, const ast::Context& node);
  bool doubt_context_share(RubricContext& rc, const ast::ContextWeight& changed, const std::vector<std::string>& words,
                           const std::string& prose);
  void doubt_missing_as(RubricContext& rc, const ast::Dimension& node);
  void doubt_most_important(RubricContext& rc, const DimensionItems& d);
  void doubt_described(RubricContext& rc);

  // Levels and rows that are out of order (sense_levels.cpp).
  struct Numbered;  // a text with an amount
  bool read_numbered(std::string_view text, Numbered& all);
  using Pair = std::pair<std::size_t, std::size_t>;
  static std::optional<Pair> out_of_order(const std::vector<Number>& values);
  static bool comparable(const std::vector<Numbered>& all);
  void doubt_numbered_levels(RubricContext& rc, const ast::Dimension& node);
  void doubt_numbered_rows(RubricContext& rc, const ast::Rows& rows);
  std::vector<Number> column_of(RubricContext& rc, const ast::Rows& rows, std::size_t column);
  void doubt_ordered_rows(RubricContext& rc, const ast::Table& table);
  void doubt_proportion(RubricContext& rc, std::size_t keys, const ast::Rows& rows);

  // What is read in the place of something else (sense_read.cpp).
  enum class Without : std::uint8_t { known, empty, missing };
  bool of_history(const ast::Expr& e, int level) const;
  Without without_history(const ast::Expr& e, int level) const;
  void doubt_history_of_history(RubricContext& rc, const ast::Expr& e);
  void doubt_share_of(RubricContext& rc, const Named& value);
  std::string prose_of(const RubricContext& rc, std::string_view name) const;
  void doubt_included(RubricContext& rc, const ast::Expr& e);
  void doubt_rejected(RubricContext& rc, const ast::Cohort& node);
  void doubt_positions(RubricContext& rc);
  void doubt_proof(RubricContext& rc, const ast::Gate& node);
  void doubt_start_counted(RubricContext& rc, const Named& value);
  void doubt_share_of_group(RubricContext& rc, const ast::Cohort& node);
  void doubt_divided_or(RubricContext& rc);
  void doubt_read(RubricContext& rc);

  // What is used the wrong way round (sense_uses.cpp).
  void doubt_name_of_kind(RubricContext& rc, const ast::Adjustment& node);
  void doubt_extremes_turned(RubricContext& rc, const ast::Expr& e);
  void doubt_first_of_rising(RubricContext& rc, const ast::Expr& e);
  void doubt_replaced_entries(RubricContext& rc, const ast::Expr& e);
  void doubt_per_hundred(RubricContext& rc, const Named& value);
  void doubt_full_marks(RubricContext& rc, const ast::Expr& e);
  void doubt_required_when(RubricContext& rc, const ast::Input& input);
  void doubt_stated_sides(RubricContext& rc, const ast::Expr& e, const ast::Text& prose, bool applies, bool rejects);
  void doubt_too_much(RubricContext& rc, const ast::Adjustment& node);
  void doubt_bonus_at_top(RubricContext& rc, const ast::Adjustment& node);
  void doubt_negative_rows(RubricContext& rc, const ast::Adjustment& node);
  void doubt_unique_key(RubricContext& rc, const ast::Rank& node);
  void doubt_missing_last(RubricContext& rc, const Named& value, const ast::Expr& e);
  void doubt_counted_as_nothing(RubricContext& rc, const Named& value, const ast::Expr& e);
  void doubt_least(RubricContext& rc, const Named& value);
  void doubt_ordinal(RubricContext& rc, const Named& value);
  void doubt_window(RubricContext& rc);
  void doubt_uses(RubricContext& rc);

  // What words say the opposite of (sense_contrary.cpp).
  void doubt_denied(RubricContext& rc, const ast::Expr& e, const std::string& name, const ast::Text& prose,
                    bool passes);
  void doubt_none_named(RubricContext& rc, const ast::Expr& e, const std::string& name);
  void doubt_needed(RubricContext& rc, const ast::Expr& e, const ast::Text& prose);
  void doubt_complaint(RubricContext& rc, const ast::Check& node);
  void doubt_limit_as_amount(RubricContext& rc, const ast::Item& item, const ast::Adjustment& node);
  void doubt_advised(RubricContext& rc, const ast::Advice& node);
  void doubt_named_grade(RubricContext& rc, const ast::Cap& node);
  void doubt_counts_most(RubricContext& rc, const ast::Context& node);
  void doubt_aggregate(RubricContext& rc, const Named& value);
  void doubt_total(RubricContext& rc, const Named& value);
  void doubt_tax_with_base(RubricContext& rc, const Named& value);
  void doubt_same_quotient(RubricContext& rc, const ast::Expr& e);
  void doubt_mixed_percent(RubricContext& rc, const ast::Expr& all);
  void doubt_enough(RubricContext& rc, const Named& value);
  void doubt_other_choice(RubricContext& rc);
  void doubt_example_amount(RubricContext& rc, const ast::Example& node);
  void doubt_contrary(RubricContext& rc);

  // What texts speak of, where something else is read (sense_spoken.cpp).
  void doubt_spoken_input(RubricContext& rc);
  void doubt_before_steps(RubricContext& rc);
  void doubt_said_weights(RubricContext& rc);
  void doubt_rounded_all(RubricContext& rc);
  void doubt_unknown_passes(RubricContext& rc);
  struct Described;  // a declaration, and the words about it
  std::optional<Described> described(const RubricContext& rc, std::size_t kind, const std::string& name,
                                     const ast::Expr* e, const ast::Text& prose);
  void doubt_exchanged(RubricContext& rc);
  void doubt_cap_of_other(RubricContext& rc);
  void doubt_always_given(RubricContext& rc, const ast::Expr& e, const std::string& label, const ast::Text& prose);
  void doubt_said_small(RubricContext& rc, const ast::Dimension& node);
  void doubt_said_order(RubricContext& rc, const ast::Rank& rank);
  void doubt_spoken(RubricContext& rc);

  // What counts twice (sense_twice.cpp).
  Doubt* told_at(Span span);
  void doubt_left_out(RubricContext& rc, const ast::Composite& node);
  void doubt_twins(RubricContext& rc);
  void doubt_same_formula(RubricContext& rc);
  void doubt_subtotals(RubricContext& rc);
  void doubt_taken_twice(RubricContext& rc);
  void doubt_twice(RubricContext& rc);
  void doubt_loops(RubricContext& rc, const ast::Item& item, const ast::Adjustment& node,
                   std::map<std::string, const ast::Adjustment*>& loops);
  Fix without_item(const ast::Item& item) const;
  void doubt_examples(RubricContext& rc);
  void doubt_copies(RubricContext& rc);
  void doubt_copied_advice(RubricContext& rc);
  std::string squeezed(Span span) const;
  static const ast::Body& behind_names(const RubricContext& rc, const ast::Body& body);

  Slope slope_;
  std::vector<Named> named_;
  // The good end of the score: 1 the high end, -1 the low end, 0 unknown. Grades of bands, or prose that names both ends,
  // say it outright; names of dimensions only where nothing does.
  int by_words_ = 0, by_grades_ = 0;
  bool all_bad_ = false;                 // every dimension is named after something bad
  bool some_bad_ = false;                // some name or prose is about something bad
  bool some_marks_ = false;              // a dimension rises with what receives marks
  int end_ = 0, end_before_levels_ = 0;  // from all of them together, and without the texts of levels
};

// All dimensions, with their parts.
void each_dimension(const std::vector<DimensionItems>& dimensions, std::vector<const DimensionItems*>& all);

}  // namespace assay
