// What is known of an expression of a model before a record is seen: whether it may be missing, which numbers, texts and
// truths it can be. Sound: what a record can make of the expression is always among what is said here. With `assume`, a
// condition is taken to have come out in some way, so that what follows can be asked: behind `x > 5`, x is above 5.
//
// Costs are charged to the budget, and what is known without assumptions is worked out once for each expression.
#pragma once

#include "lang/model/model.hpp"
#include "lang/text/budget.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace assay {

struct Known {
  static constexpr std::size_t kMostTexts = 64;  // more are any text

  bool missing = true, given = true;    // it may be
  bool yes = true, no = true;           // a condition that is given may be true, false
  Interval range;                       // of a number that is given …
  bool whole = false;                   // … and whether it has no fraction
  bool any_text = true;                 // of a text that is given; false: it is one of `texts`
  std::vector<std::string_view> texts;  // of the model

  bool can_hold() const { return given && yes; }
  bool can_fail() const { return given && no; }
};

enum class Outcome : std::uint8_t { holds, fails, does_not_hold, does_not_fail };  // the last two: or it is unknown

class Knowledge {
 public:
  // `settings`: constants of conditions that stand for a choice of the author's, as in `let strict = false`: either way.
  Knowledge(const Model& model, Budget& budget, const std::unordered_set<const Expr*>& settings)
      : model_(model), budget_(budget), settings_(settings) {}

  // The body whose expressions are asked about: locals belong to it, and items to its rubric (-1: none). What is handed
  // to a function may always be missing. Forgets all assumptions.
  void enter(int rubric, const Function* function);
  Known always(const Expr& e);  // whatever has been assumed
  Known here(const Expr& e);    // where everything assumed is so
  bool possible() const { return facts_.possible; }
  void assume(const Expr& condition, Outcome outcome);
  void bind(std::uint32_t local, const Expr& value);  // a local that is another name for a value
  // Expressions of one number have one value in a record.
  std::uint32_t same(const Expr& e);
  // Forgets what is assumed behind a mark.
  std::size_t mark() const { return facts_.trail.size(); }
  void back_to(std::size_t mark);

 private:
  struct Facts {
    std::unordered_map<std::uint32_t, Known> known;  // by `same`
    std::vector<std::pair<std::uint32_t, std::optional<Known>>> trail;
    std::vector<bool> was_possible;
    bool possible = true;
  };
  Known eval(const Expr& e);
  Known compute(const Expr& e);
  Known of_type(const Expr& e) const;
  Known constant(const Expr& e) const;
  Known arithmetic(const Expr& e);
  Known comparison(const Expr& e);
  Known membership(const Expr& e);
  Known connective(const Expr& e);
  Known choice(const Expr& e);
  Known builtin(const Expr& e);
  Known item(const Expr& e);
  Known loop(const Expr& e);
  void learn(std::uint32_t value, const Known& known);
  void learn(const Expr& e, const Known& known) { learn(same(e), known); }
  void assume_comparison(const Expr& e, bool holds);
  void assume_if_given(const Expr& e, bool holds);
  void assume_member(const Expr& e, bool holds);
  std::optional<std::pair<std::uint32_t, bool>> difference(const Expr& a, const Expr& b);  // and whether it is b - a
  const Item* item_of(const Expr& e) const;

  const Model& model_;
  Budget& budget_;
  const std::unordered_set<const Expr*>& settings_;
  NumberPool pool_;
  Facts facts_;
  int rubric_ = -1;
  std::uint64_t frame_ = 0;
  const Function* function_ = nullptr;
  static constexpr int kMostUnderAssumptions = 400;
  int left_ = 0;  // expressions that may be looked at under assumptions for one question
  std::map<std::uint32_t, std::uint32_t> bound_;  // locals of this body: what they are another name for
  std::unordered_map<const Expr*, Known> always_;
  std::unordered_map<const Expr*, std::uint32_t> same_;
  std::map<std::vector<std::uint64_t>, std::uint32_t> numbers_;
  std::map<std::string, std::uint64_t, std::less<>> texts_;
  std::map<std::pair<int, std::uint32_t>, Known> items_;  // by rubric and item
};

inline bool is_constant(const Expr& e) { return e.op == Op::constant; }
Interval common(const Interval& a, const Interval& b);  // may be empty
Known meet(Known a, const Known& b, NumberPool& pool);  // what both say; nothing is given when they disagree
void intersect_texts(Known& a, const Known& b);         // of their texts alone

}  // namespace assay
