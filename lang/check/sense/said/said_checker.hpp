// Warnings about texts and comments that speak of several things together: the two ends of an order, amounts of several
// declarations, the values that a condition holds for.
#pragma once

#include "lang/check/sense/sense_checker.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

class SaidChecker : public SenseChecker {
 public:
  using SenseChecker::SenseChecker;

  void look(RubricContext& rc);

 private:
  // Opposite words at the ends of an order (said_poles.cpp).
  bool doubt_pole_levels(RubricContext& rc, const ast::Dimension& node, bool tell_it);
  void doubt_all_levels(RubricContext& rc);
  bool gives_marks(RubricContext& rc, const ast::Table& table, std::size_t column);
  void doubt_pole_rows(RubricContext& rc, const ast::Table& table);
  struct Step;  // a label, and where it stands
  static bool classifies(std::string_view name, std::string_view key);
  void doubt_measured_steps(RubricContext& rc, std::string_view key, std::vector<Step> steps);
  void doubt_measured_rows(RubricContext& rc, std::string_view name, std::string_view key, const ast::Rows& rows);
  void doubt_measured_choice(RubricContext& rc, const Named& value);

  // Numbers that a comment gives to names (said_pairs.cpp).
  struct Entry;   // a number of a declaration, and the words that it goes by
  struct Clause;  // a part of a comment with a single number
  void add_entries(RubricContext& rc, const ast::Item& item, std::vector<Entry>& all);
  void add_rows(const ast::Rows& rows, std::vector<Entry>& all);
  std::vector<Clause> clauses_of(std::string_view comment);
  Number said_for(RubricContext& rc, const Clause& clause, const Entry& entry);
  void doubt_pairs(RubricContext& rc, const std::string& comment, const std::vector<Entry>& entries);
  void doubt_paragraphs(RubricContext& rc);
  void doubt_order_of_weights(RubricContext& rc);
  void doubt_sides_of_bounds(RubricContext& rc, const std::string& said, bool comment, const ast::Rows& rows);

  // What single values hold, and what their texts say of them (said_values.cpp).
  void doubt_listed_values(RubricContext& rc, const Named& value);
  void doubt_given(RubricContext& rc, const Named& value);
  void doubt_more_for_less(RubricContext& rc, const Named& value);
  void doubt_said_field(RubricContext& rc, const Named& value);
  void doubt_ages(RubricContext& rc, const ast::Example& node);
  void doubt_best_of_order(RubricContext& rc, const Named& value);
  void doubt_count_of_lengths(RubricContext& rc, const ast::Output& node);

  // Copied lines, and examples that a check rejects (said_copies.cpp).
  bool has_path(const RubricContext& rc, const std::string& path) const;
  struct Paired {  // two paths that an operator joins
    const ast::Expr* sides[2];
    std::string paths[2];
    std::string name;  // of the value that it belongs to
  };
  void doubt_parallel(RubricContext& rc);
  void doubt_paired(RubricContext& rc, const std::vector<Paired>& all, bool compared);
  void doubt_turned_neighbour(RubricContext& rc);
  void doubt_refused_given(RubricContext& rc, const ast::Example& node);

  // Texts beside what is computed (said_slips.cpp).
  void doubt_any_or_all(RubricContext& rc, const ast::Expr& e, const ast::Text& prose, bool passes);
  void doubt_said_once(RubricContext& rc, const ast::Adjustment& node);
  void doubt_divisor(RubricContext& rc, const Named& value);
  void doubt_exchanged_texts(RubricContext& rc);
  void doubt_said_fraction(RubricContext& rc, const ast::Expr& e, const ast::Text& prose);
  void doubt_said_call(RubricContext& rc, const Named& value);
  void doubt_added_discount(RubricContext& rc, const Named& value);
  void doubt_matters_most(RubricContext& rc);
  void doubt_missing_number(RubricContext& rc, const ast::Dimension& node);
  void doubt_named_input(RubricContext& rc, const ast::Adjustment& node);
  void doubt_said_winner(RubricContext& rc, const ast::Rank& rank);
  void doubt_said_base(RubricContext& rc, const Named& value);
  bool never_above_by_check(const RubricContext& rc, const ast::Expr& less, const ast::Expr& more) const;
  void doubt_slips(RubricContext& rc);
};

}  // namespace assay
