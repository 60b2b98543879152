// What is known about an expression of a model before a record is seen: whether it may be missing, and its possible
// numbers, texts and truths. Sound: every possible result is included. With `assume`, a condition is taken to have a
// certain result, which restricts later answers: after `x > 5`, x is above 5.
//
// Work is charged to the budget, and knowledge without assumptions is computed once for each expression.
#pragma once

#include "lang/model/model.hpp"
#include "lang/proof/known/parts.hpp"
#include "lang/text/budget.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace assay {

struct Known {
  static constexpr std::size_t kMostTexts = 64;  // with more, any text is possible

  // In this order it is small: proofs nest deeply, with several of these in each frame.
  bool missing = true, given = true;          // possible
  bool yes = true, no = true;                 // for a condition that is given: possible results
  bool whole = false;                         // for a number that is given: it is an integer …
  bool any_text = true;                       // for a text that is given; false: it is one of `texts`
  Interval range;                             // … within this range (a text: of places, see place_of()) …
  const Interval* hole = nullptr;             // … without what an earlier case has taken; owned by Knowledge
  const std::vector<Number>* only = nullptr;  // … and it is one of these, in ascending order; owned by Knowledge
  std::vector<std::string_view> texts;        // owned by the model

  bool can_hold() const { return given && yes; }
  bool can_fail() const { return given && no; }
};

// The third and fourth: or it is unknown.
enum class Outcome : std::uint8_t { holds, fails, does_not_hold, does_not_fail, unknown };

class Knowledge {
 public:
  // `settings`: constant conditions that represent an author's choice, as in `let strict = false`: both results count
  // as possible.
  Knowledge(const Model& model, Budget& budget, const std::unordered_set<const Expr*>& settings)
      : model_(model), budget_(budget), settings_(settings) {
    pool_.charge_to(&budget);
  }

  // The body whose expressions are examined: it owns the locals, and its rubric (-1: none) the items. Arguments of a
  // function may always be missing. Forgets all assumptions.
  void enter(int rubric, const Function* function);
  Known always(const Expr& e);  // regardless of assumptions
  Known here(const Expr& e);    // under the current assumptions
  bool possible() const { return facts_.possible; }
  void assume(const Expr& condition, Outcome outcome);
  void assume_items(const Expr& list, int item);      // that an item passes the loops that the list was made by
  void bind(std::uint32_t local, const Expr& value);  // a local that is an alias of a value
  // ---- order.cpp
  // What is known of a number of a rubric's body, also of several values together, which takes longer. Nothing: its
  // range follows from those of its parts, each for itself.
  std::optional<Known> closely(const Expr& e, int rubric);
  // The range of a quotient of two numbers that are gathered from lists; without ends: nothing is known. See
  // lists.cpp.
  Interval quotient_of_lists(const Expr& part, const Expr& all, int rubric);
  // Conditions that hold or are unknown in every record that is not rejected: closely() assumes them for this rubric.
  // With a loop: for each of its items that passes.
  void ensured(int rubric, std::vector<std::pair<const Expr*, const Loop*>> conditions);
  bool ensures(int rubric) const { return rubric == ensured_.rubric && !ensured_.rules.empty(); }
  // Expressions with the same number have the same value in every record.
  std::uint32_t same(const Expr& e);
  std::uint32_t number_of(const Expr& e);
  bool number_of_loop(const Loop& loop,
                      std::vector<std::uint64_t>& key);     // false: it is like no other  // see same(), which keeps it
  bool about_the_same(const Expr& a, const Expr& b) const;  // whether both name the same values of a record
  // Looks at the body of a function while its parameters are known to be the arguments of a call.
  void with_arguments(const Expr& call, const std::function<void(const Expr& body)>& look);
  // Forgets the assumptions made after a mark.
  std::size_t mark() const { return facts_.trail.size(); }
  void back_to(std::size_t mark);

  static constexpr std::size_t kMostParts = 12;  // of a condition that are looked at together

 private:
  struct Linear {  // a sum: products of values, times factors
    struct Term {
      std::vector<std::uint32_t> product;  // numbers of same(), in order
      Number factor;
      Interval range;  // of the product; it is true wherever the sum is looked at
      bool missing, whole;
      const Expr* value;  // of which the product consists; null: of several
    };
    std::vector<Term> terms;  // in order
    Number constant;
    bool lost;             // some value is in no term, as y in x + y - y
    std::uint32_t number;  // of a fact about it …
    std::size_t mark;      // … made after this one
  };
  struct Assumed {
    const Expr* condition;
    Outcome outcome;
    std::size_t mark;  // it goes with what was learned after this one
  };
  struct Every {  // known of each item for which the conditions of a loop hold, up to one of its clauses
    const Loop* loop;
    std::size_t clauses;
    const Expr* value;
    std::optional<Interval> range;  // of a number; nothing: it is a condition with this outcome
    Outcome outcome;
    std::size_t mark;
  };
  struct Facts {
    std::unordered_map<std::uint32_t, Known> known;  // by `same`
    std::vector<Linear> sums;                        // of which there are facts, without constants
    std::vector<Assumed> open;                       // see assume_rest()
    std::vector<Every> every;
    std::vector<std::pair<const Expr*, std::size_t>> gathered, counted;  // from lists, each with its mark
    std::vector<std::pair<std::uint32_t, std::optional<Known>>> trail;
    std::vector<bool> was_possible;
    bool possible = true;
  };
  Known eval(const Expr& e);
  Known looked_up(const Expr& e);
  Known compute(const Expr& e);
  Known of_type(const Expr& e) const;
  static Known constant(const Value& value, TypeKind kind);
  Known join(Known a, const Known& b);
  const std::vector<Number>* either(const Known& a, const Known& b);
  Known arithmetic(const Expr& e);
  Known comparison(const Expr& e);
  // ---- texts.cpp: texts in their order
  Number place_of(std::string_view text);
  Interval in_order(const Known& value, TypeKind kind);
  Interval beginning_with(std::string_view text);
  bool may_compare(std::string_view text, Op op, const Known& other);
  void keep_texts(Known& kept, const Known& value, Op op, const Known& other);
  Known text_search(const Expr& e, Known k, const Known& text, const Known& part);
  void assume_beginning(const Expr& e, bool holds, bool missing);
  Known membership(const Expr& e);
  Known connective(const Expr& e);
  bool together(const Expr& chain);
  Known choice(const Expr& e);
  Known pick(const Expr& e);
  enum class Fits : std::uint8_t { never, maybe, always };
  static Fits fits(const Known& key, const std::vector<CellTest>& cell, TypeKind kind);
  const Expr* lookup_behind(const Expr& row);
  void in_call(const Expr& e, const std::function<void(const Expr&)>& look);
  void assume_rest(const Expr& e, Outcome outcome);
  void assume_either(const Expr& e, Outcome outcome);
  void assume_open();
  void assume_unknown(const Expr& e);
  bool depends(const Expr& e) const;
  void assume_every(Every every);
  bool in_rubric() const { return asking_.calls == 0 && function_ == nullptr && locals_.bound.empty(); }
  Known builtin(const Expr& e);
  Interval least_or_most(const Expr& e, const std::vector<Known>& args);
  Interval rounded(const Expr& e, const Interval& x);
  Interval clamped(const Expr& within, const Interval& x);
  std::size_t most_items(const Expr& list);
  std::size_t most_items_made(const Expr& list);
  std::optional<Number> most_amount(const Expr& list, const Expr& value);
  Known call(const Expr& e);
  bool without_capitals(const Expr& text) const;
  bool may_be_small(const Known& part) const;
  Known item(const Expr& e);
  Known loop(const Expr& e);
  void assume_clauses(const Loop& loop);
  Interval range_of_value(const Loop& loop);
  void learn_loop(const Expr& e, const Known& known);
  void learn(std::uint32_t value, const Known& known);
  void learn(const Expr& e, const Known& known) { learn(same(e), known); }
  // ---- order.cpp: several values together
  struct Polynomial;
  bool add_to(Polynomial& sum, const Expr& e, Number factor);
  Interval range_of(const Polynomial& sum);
  const Expr& behind(const Expr& e) const;     // the body of an item
  bool at_most(const Expr& a, const Expr& b);  // a is never above b, where both are given
  const Expr& negated(const Expr& e);
  Interval apart_by(const Expr& a, const Expr& b);
  Interval range_by_pairs(const Polynomial& sum);
  bool repeats(const Expr& e) const;  // it may name a value more than once
  enum class Behind : std::uint8_t { nothing, lists, several, all };
  template <class Test>
  bool walk_names(const Expr& e, Behind behind, const Test& test) const;
  bool by_a_check(const Expr& a, const Expr& b);
  Interval sum_range(const Expr& e);  // of +, - and *, whose values may occur more than once
  void conditions_in(const Expr& e, std::map<std::uint32_t, std::vector<const Expr*>>& by_value);
  Interval by_cases(const Expr& e, const std::vector<const Expr*>& conditions, std::size_t from);
  Interval quotient(const Expr& e);
  Interval mean_of(const Polynomial& product, const Polynomial& weights);
  Interval weighted_by(const Polynomial& sum, const Linear& weights);
  // ---- linear.cpp: facts about sums
  using Parts = std::vector<std::pair<const Expr*, Number>>;  // values and their factors, which are added up
  static Parts difference(const Expr& a, const Expr& b) { return {{&a, whole(1)}, {&b, whole(-1)}}; }
  std::optional<Linear> linear(const Parts& parts);
  void learn_sum(const Parts& parts, const Interval& range, bool missing);
  bool add_linear(Linear& sum, const Linear& other, Number factor);
  Interval range_of(const Linear& sum, int sums);
  Interval sum_known(const Parts& parts);
  Interval sum_known(const Expr& e) { return sum_known(Parts{{&e, whole(1)}}); }
  Interval quotient_known(const Expr& e);
  int side_of_0(const Interval& range, bool missing);
  void learn_quotient(const Expr& e, const Known& known);
  Interval without_quotient(const Expr& left, const Expr& right);
  // ---- lists.cpp: numbers gathered from lists
  struct Collected;
  struct Gathered;
  void assume_each(const Expr& list, std::uint32_t number);
  void assume_selected(const Expr& list, std::uint32_t number);
  Known known_of_each(const Expr& list);
  Interval beside_gathered(const Expr& e);
  Interval mean_of_items(const Expr& part, const Expr& all);
  Interval weighted(const Gathered& x, const Gathered& y, const Interval& weights);
  Known known_of_item(const Expr& list);
  std::uint32_t number_of_item(int local);
  const Expr& count_of(const Expr& list);
  const Known* fact_of(const std::vector<std::uint64_t>& key) const;
  const Known* fact_of(Builtin id, const Expr& list);
  Interval range_of_each(const Expr& list) { return known_of_each(list).range; }
  Interval range_of_numbers(const Expr& list);
  Collected collected(const Expr& list);
  Gathered gathered(const Expr& e);
  template <class Test>
  bool loops_alike(const Loop& a, const Loop& b, bool& more, const Test& test);
  bool part_of(Collected a, const Collected& b, bool counted, bool& more);
  Interval range_of_items(const Collected& of);
  bool gathers_at_most(const Expr& a, const Expr& b);
  template <class Test>
  bool each_item(const Collected& of, const Test& test);
  bool has_gaps(const Collected& of) const;
  bool given_beside(const Expr& e, const Expr& other);
  bool items_at_most(const Expr& a, const Expr& b);
  Interval quotient_of_gathered(const Expr& part, const Expr& all);
  bool lists_known() const { return !facts_.every.empty() || !facts_.gathered.empty(); }
  bool items_asked() const { return lists_known() || (asking_.closely && !facts_.known.empty()); }
  void assume_comparison(const Expr& e, bool holds);
  void assume_if_given(const Expr& e, bool holds);
  void assume_sum(const Expr& a, const Expr& b, Op op, bool missing);
  std::optional<Known> any_of(const Expr& list);
  void assume_member(const Expr& e, bool holds, bool missing);
  void learn_all(const Expr& e, const Known& known);
  void learn_part(const Expr& e, const Known& known);
  void assume_outside(const Expr& both);
  const Expr* part_behind(const Expr& field) const;
  const Item* item_of(const Expr& e) const;

  // ---- what one question is about, and how much of it is left
  struct Asking {
    bool closely = false;
    bool following = false;   // a check
    bool summing = false;     // inside +, - or *, whose range is that of all of it
    bool splitting = false;   // into cases
    bool keeping = false;     // conditions that are open, and
    bool opening = false;     // looking at them again
    Op chain = Op::constant;  // of which the expression that is looked at is a part
    int looks = 0;            // at pairs of values, that may still be taken
    int rests = 0;            // of sums without a fact, that may still be looked at
    int calls = 0;            // of functions, within each other
    int either = 0;           // conditions of which only one holds, within each other
    int items = 0;            // within each other
    int lists = 0;            // within each other
    bool adding = false;      // looking at the items of a list that are added up
    bool gathering = false;   // looking at what lists have to do with each other
    int left = 0;             // expressions that may still be visited under assumptions
  };
  struct OneQuestion;  // see scopes.hpp
  struct Named;
  struct InLoop;
  static constexpr int kMostUnderAssumptions = 400;
  // ---- the conditions of checks
  struct Rule {
    const Expr* condition;
    const Loop* loop;                  // null: it has none
    std::vector<std::uint64_t> names;  // see walk_names()
  };
  struct Ensured {
    int rubric = -1;
    std::vector<Rule> rules;
    std::vector<std::uint64_t> names;  // of all of them, in order
    std::vector<const Rule*> about;    // those that bear on the question
  };
  std::vector<const Rule*> rules_about(const Expr& e) const;
  // ---- equal expressions
  struct Locals {  // of the body that is looked at: others have the same numbers
    std::uint64_t body = 0;
    std::map<std::uint32_t, std::uint32_t> bound;              // the values that they are aliases of
    std::unordered_map<const Expr*, std::uint32_t> same = {};  // of what mentions one
    std::uint64_t loops = 0, lets = 0;                         // around what is numbered
    std::set<std::uint32_t> items = {};                        // of those: their items and names
  };
  struct KeyHash {
    std::size_t operator()(const std::vector<std::uint64_t>& key) const;
  };
  bool fixed(const Expr& e);  // it mentions no local
  static constexpr unsigned kLocal = 1, kItemOfLoop = 2;
  struct Numbering {
    std::unordered_map<const Expr*, std::uint32_t> same;
    std::unordered_map<std::vector<std::uint64_t>, std::uint32_t, KeyHash> numbers;
    std::map<std::string, std::uint64_t, std::less<>> texts;
    std::uint64_t bodies = 0;
    unsigned mentions = 0;  // what was numbered last: kLocal, kItemOfLoop
  };
  void leave_items();
  Locals other_body() { return std::exchange(locals_, Locals{++numbering_.bodies, {}, {}}); }
  // ---- by `same`: the lists that the items of loops are items of, and the rows of tables that have a name
  struct Found {
    std::unordered_map<std::uint32_t, const Expr*> lists, lookups;
  };
  struct Owned {  // what a Known points to
    std::deque<Interval> holes;
    std::deque<std::vector<Number>> numbers;
    std::unordered_map<const Expr*, Expr> counts, opposites;  // of lists, of numbers
    std::unordered_map<const Expr*, Expr> items;              // any one, of lists
    std::map<std::string, Number, std::less<>> places;        // of texts
  };

  const Model& model_;
  Budget& budget_;
  const std::unordered_set<const Expr*>& settings_;
  NumberPool pool_;
  Owned owned_;
  Ensured ensured_;
  Asking asking_;
  Facts facts_;
  int rubric_ = -1;
  const Function* function_ = nullptr;
  Locals locals_;
  Numbering numbering_;
  Found found_;
  std::unordered_map<const Expr*, Known> always_;
  std::map<std::pair<int, std::uint32_t>, Known> items_;  // by rubric and item
};

bool single(const Interval& a);                         // one number
Interval common(const Interval& a, const Interval& b);  // may be empty
Known meet(Known a, const Known& b, NumberPool& pool);  // the intersection; if empty, the value cannot be given
void intersect_texts(Known& a, const Known& b);         // only their texts

}  // namespace assay
