// Warnings about what a rubric means: values that move in the wrong direction, orders and grades that begin with the
// worst, and anything that is counted twice.
#pragma once

#include "lang/check/sense/slope.hpp"
#include "lang/check/sense/words.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

class SenseChecker : public CheckBase {
 public:
  explicit SenseChecker(CheckState& state) : CheckBase(state), slope_(state) {}

  void look(RubricContext& rc);

 private:
  struct Adjusts;  // a deduction or bonus, and how it moves

  // What the words say (sense_checker.cpp).
  int end_by_words(RubricContext& rc);
  NameSense sense_of_path(RubricContext& rc, const std::string& path, const Lean& lean);
  Leans without_shares(RubricContext& rc, Leans leans);
  static NameSense sense_of_dimension(const ast::Dimension& node);
  void doubt_dimension(RubricContext& rc, const DimensionItems& d);
  void doubt_adjustment(RubricContext& rc, const ast::Item& item, const ast::Adjustment& node);
  void doubt_cap(RubricContext& rc, const ast::Cap& node);
  void doubt_gate(RubricContext& rc, const ast::Gate& node);
  Way turned_value(RubricContext& rc, const ast::Expr& e, const Interval& range);
  Way turned_condition(const ast::Expr& e);

  // Orders and grades (sense_orders.cpp).
  int end_by_grades(const RubricContext& rc);
  void doubt_rank(RubricContext& rc);
  void doubt_key(RubricContext& rc, const ast::OrderKey& key, bool first);
  void doubt_grades(RubricContext& rc, std::string_view name, const std::vector<ast::Name>& params,
                    const ast::Rows& rows);

  // What prose says of amounts (sense_stated.cpp).
  void doubt_stated(RubricContext& rc);
  void doubt_number(RubricContext& rc, const ast::Expr& e, const Number& said, bool percent, const ast::Text& prose);
  void doubt_amounts(RubricContext& rc, const ast::Item& item);
  void doubt_weight(RubricContext& rc, const ast::Dimension& node);
  void doubt_how_many(RubricContext& rc, const ast::Gate& node);
  void doubt_line(RubricContext& rc, const ast::Rows& rows);

  // What counts twice (sense_twice.cpp).
  void doubt_twice(RubricContext& rc);
  void doubt_examples(RubricContext& rc);
  void doubt_copies(RubricContext& rc);
  std::string squeezed(Span span) const;
  static const ast::Body& behind_names(const RubricContext& rc, const ast::Body& body);

  Slope slope_;
  int by_words_ = 0, by_grades_ = 0;  // the good end of the score: 1 the high end, -1 the low end, 0 unknown
  bool all_bad_ = false;              // every dimension is named after something bad
  int end_ = 0;                       // the same, from words and grades together
};

// All dimensions, with their parts.
void each_dimension(const std::vector<DimensionItems>& dimensions, std::vector<const DimensionItems*>& all);

}  // namespace assay
