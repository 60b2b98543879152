// Reads one expression in the notation of Assay, of a programming language, a spreadsheet or a query, and translates it
// to Assay: operators and their words, choices of all kinds, loops and lambdas, methods, templates of text, bodies of
// statements. Reading stops before the first token that cannot belong to the expression, and fails if a construct
// cannot be translated.
#pragma once

#include "lang/mend/foreign/expression.hpp"
#include "lang/mend/foreign/known_names.hpp"
#include "lang/mend/foreign/tokens.hpp"
#include "lang/text/bounds.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::mending {

inline const std::initializer_list<std::string_view> kAbsentWords = {
    "missing", "absent", "unknown", "unavailable", "unset", "empty", "blank", "none", "null", "undefined"};

class Reader {
 public:
  // Reads tokens before `end`. Both references must outlive it.
  Reader(const Tokens& tokens, const KnownNames& facts, std::size_t begin, std::size_t end)
      : at_(begin), tokens_(tokens), facts_(facts), end_(end) {}

  Expr expression();       // as long an expression as possible
  Expr relative_limit();   // '10% more than market', behind a bound; kind none: another form
  Expr spread(Expr e);     // moves a following loop into the aggregates of e
  Expr qualified(Expr e);  // applies following words: 'but at least 0', 'rounded to 2 decimals'
  Expr texts_in_a_row();   // "a", "b" and "c" as a list; kind `none` if it is something else
  Expr operand();
  Expr condition();  // an expression without a choice, in which values may be conditions: 'if items'
  bool failed() const { return failed_; }
  bool doubtful() const { return doubtful_; }  // another meaning is possible
  std::size_t at() const { return at_; }       // the first token that does not belong to it
  std::size_t end() const { return end_; }
  const Tokens& tokens() const { return tokens_; }
  const KnownNames& facts() const { return facts_; }
  void move(std::size_t at) { at_ = at; }
  void narrow(std::size_t end) { end_ = end; }
  void depth(int d) { depth_ = d; }
  // A condition is read that has to hold if `demanded`: 'a unless b' demands a, or else b.
  void asks(bool demanded) { asked_ = true, demanded_ = demanded; }
  Expr fail();

  // Reads the body of a function: an expression, or statements in braces, by indentation, or up to 'end'.
  Expr body();
  Expr guards();  // | c = v | otherwise = w
  // The values of variables after the remaining statements, from those before them: only of those that change. False: they
  // cannot be read.
  bool updated(std::map<std::string, Expr>& values);
  // Reads an anonymous function, from its parameters or its word: kind lambda.
  Expr lambda();
  bool lambda_begins() const;

 private:
  bool is(std::string_view word) const { return at_ < end_ && tokens_.is(at_, word); }
  bool one(std::initializer_list<std::string_view> words) const {
    return at_ < end_ && tokens_[at_].kind != Token::Kind::end && !tokens_[at_].is_text() &&
           among(tokens_[at_].shown, words);
  }
  bool take(std::string_view word) { return is(word) && (++at_, true); }
  bool take(std::initializer_list<std::string_view> words) { return one(words) && (++at_, true); }
  bool touches(std::size_t i) const { return i > 0 && i < end_ && tokens_[i - 1].end == tokens_[i].begin; }
  bool is_word(std::size_t i) const { return i < end_ && tokens_[i].kind == Token::Kind::word; }
  bool new_line(std::size_t i) const { return tokens_[i].first; }
  bool begins_value(std::size_t i) const;

  Expr first_filled(const Expr& left, const Expr& right, bool bars);
  Expr otherwise_value(Expr e, Expr other);
  Expr choice_of();
  Expr choice_behind(Expr value);
  Expr choice_without_word(const Expr& value);
  Expr prefix_if();
  Expr arms();  // case, switch, match
  Expr further_cases();
  bool arm_label(const Expr& subject, std::vector<Expr>& conditions, bool& otherwise);
  Expr arm_value();
  Expr disjunction();
  Expr conjunction();
  std::size_t denial() const;
  bool weak_denial(std::size_t i) const;
  bool excludes(std::size_t i) const;
  Expr both(std::string_view sign, Expr left, Expr right);
  static bool has_truth(const Expr& e);
  bool share(Expr& e, const Expr& of) const;
  static Expr opposite(Expr e);
  bool alternative(Expr& left);
  Expr numbers_in_a_row(const Expr& first);
  static bool another_value(Expr& left, Expr& right);
  static bool denied_value(Expr& left, Expr& right);
  static Expr asked_as(const Expr& other, Expr value);
  bool obligation(bool& denied);
  Expr negation();
  Expr comparison();
  bool comparison_with(Expr& left, Expr& result);
  bool compared(Expr& left, Expr& result, std::string_view sign);
  bool is_value_of(const Expr& of, std::size_t i) const;
  bool compared_in_words(Expr& left, Expr& result);
  Expr member_of(const Expr& left);
  Expr alternatives();
  Expr how_many();
  const BoundWords* bound_at(std::size_t i, BoundWords::Place place, std::uint8_t readers) const;
  Expr choice_value(const Expr& of, Expr value) const;
  Expr is_test(Expr left);
  Expr fallback();
  Expr range();
  Expr sum();
  bool behind_comparison(std::size_t i) const;
  bool names_again(std::size_t i) const;
  bool factor_beside() const;
  bool is_share(const Expr& e) const;
  bool multiplies(const Expr& left) const;
  Expr product();
  Expr signed_value();
  Expr power();
  Expr primary();
  std::string in_one_unit(const std::string& written, std::string_view unit);
  bool decimal_comma() const;
  Expr number();
  Expr word();
  Expr text(std::string_view prefix);
  Expr bracketed();
  Expr braces();
  Expr round();
  Expr cast(Expr value, std::string_view kind);
  Expr loop_behind(Expr value, std::string_view kind, std::string_view close);
  Expr loop_first(std::string_view close);
  bool clauses(Expr& loop, std::string_view close);
  bool all_clauses(Expr& loop, std::string_view close, std::vector<std::pair<std::string, Expr>>& zipped);
  bool items_of_loop(Expr& loop, bool each);
  Expr suffix(Expr of);
  Expr indexed(Expr of);
  Expr stepped(Expr of, Expr from, std::size_t close);
  void of_each(Expr& e, const Expr& of) const;
  bool is_list(const Expr& e) const;
  void of_variable(Expr& e, const std::string& variable, const Expr& of) const;
  void of_variable(Expr& e, const std::string& variable, const Expr& of, const std::set<std::string>& written) const;
  Expr aggregate_over(std::string_view name, Expr value, Expr of, Expr asked, std::string variable) const;
  void find_variable(const Expr& e, const Expr& of, std::string& variable, int depth) const;
  void fill_aggregates(Expr& e, const Expr& of, const Expr& asked, const std::string& variable, int depth) const;
  bool compared_items(std::string_view name, std::size_t close, Expr& of, Expr& asked, std::string& variable);
  bool named_item(Expr& value, const Expr& of, Expr& asked, std::string& variable);
  Expr incomplete_aggregate(std::string_view name, std::size_t close);
  Expr aggregate_in_words(std::string_view word);
  Expr function_in_words(std::string_view word);
  Expr of_all_records(std::string_view name);
  bool in_cohort() const;
  // ---- quantifiers.cpp
  Expr adjective(std::string_view word, std::string_view list) const;
  bool predicate_in_words(std::string_view list, std::size_t noun, Expr& predicate);
  bool items_in_words(Expr& of, Expr& adjectives, Expr& predicate);
  Expr quantified();
  Expr counted_in_words(bool all = false);
  Expr chosen_items();
  Expr sorted_in_words(const Expr& of);
  Expr number_pair();
  Expr whichever();
  Expr several_values();
  std::string_view unnamed_subject(std::size_t end);
  Expr without_subject();
  bool fallback_in_words(Expr& value);
  static std::string_view aggregate_name(
      std::string_view word);  // Assay's name of the aggregate; empty for other words
  // ---- queries.cpp
  Expr query();
  Expr filtered(Expr of);
  bool filter_follows(const Expr& of) const;
  Expr of_fields(std::string_view name, const Expr& value, bool& doubt) const;
  Expr over_records(std::string_view name, const std::vector<Expr>& list);
  Expr of_groups(std::string_view name, const std::vector<Expr>& arguments);
  bool drop_options(std::string_view& name, std::string_view module, std::vector<Expr>& list);
  void doubt_function(std::string_view name, std::string_view module, const std::vector<Expr>& list);
  Expr called(std::string_view name, Expr receiver, bool method);
  std::size_t without_missing() const;
  Expr only_given(Expr e) const;
  void of_each_item(std::vector<Expr>& arguments) const;
  bool arguments(std::vector<Expr>& list, std::string_view callee = {});
  bool block_lambda_begins() const;
  Expr block_lambda();  // { x -> … }, { |x| … }, { it.x }
  Expr regular_expression(std::string& pattern);
  Expr counting(Expr e) const;
  bool never_negative(const Expr& e) const;
  Expr truth(Expr e);  // a value as a condition
  Expr asked_of_items(Expr e);

  std::size_t at_;
  const Tokens& tokens_;
  const KnownNames& facts_;
  std::size_t end_;
  bool failed_ = false, doubtful_ = false, asked_ = false, demanded_ = false;
  int depth_ = 0, conditions_ = 0, labels_ = 0;  // labels: of arms, where '=>' ends a condition
  std::size_t nodes_ = 0, operand_ = kNone;      // a 'case' that is an operand
  Expr last_;                                    // the last operand of a conjunction, before it became a condition
};

// ---- queries.cpp
inline constexpr std::string_view kGroups = "group by";  // the last clause of a loop, in other languages
// The items of a list by a function, a field or its name in a text: kind loop, "group"; kind none: by something else.
Expr grouped(Expr of, const Expr& by, const KnownNames& facts);
// The items of a list, or the characters of a text, from one index up to but without another. Kind none: from the
// first, or to the last. Negative indices count from the end.
Expr sliced(Expr of, Expr from, Expr to, const KnownNames& facts);
Expr joined_lists(std::vector<Expr> parts, const KnownNames& facts);
Expr filled_items(const Expr& of, const Expr& by, const KnownNames& facts);
Expr duration_in(std::string_view name, const Expr& text);
// Whether the items of a loop are those of its list with a default, xs.fillna(0), and a field of such an item.
bool filled_item(const Expr& loop);
Expr field_of_item(Expr item, std::string_view name);
// fillna, isna and notna of a list: of each of its items; kind none: another method, or another value.
Expr of_columns(std::string_view name, const Expr& of, const std::vector<Expr>& arguments, const KnownNames& facts);
Expr of_each_by_name(const std::vector<Expr>& arguments, const KnownNames& facts);
// An aggregate of each group; kind none: the name is no aggregate.
Expr each_group(std::string_view name, Expr groups, const KnownNames& facts);

// ---- functions and methods of other languages, by calls.def; kind none if Assay has no equivalent
Expr translate_call(std::string_view name, std::vector<Expr> arguments, const KnownNames& facts);
Expr translate_method(std::string_view name, Expr receiver, std::vector<Expr> arguments, const KnownNames& facts);
bool knows_function(std::string_view name);  // a row of calls.def
// Takes an option out that says that capitals do not count; false: there is none.
bool without_case_option(std::vector<Expr>& arguments);
// Kind none if the function is another one.
Expr of_spreadsheet(std::string_view name, const std::vector<Expr>& arguments, const KnownNames& facts);
Expr limited(std::string_view name, const std::vector<Expr>& arguments);
Expr clamped(std::string_view name, const std::vector<Expr>& arguments);
Expr ranked(std::string_view name, const std::vector<Expr>& arguments);
Expr looked_up(std::string_view lower, const std::vector<Expr>& arguments, const KnownNames& facts);
Expr of_choices(std::string_view name, const std::vector<Expr>& arguments);
Expr interpolated(std::string_view name, std::vector<Expr>& arguments);
Expr of_formats(std::string_view name, const std::vector<Expr>& arguments);
// A property without parentheses, such as x.length; kind none if it is unknown.
Expr translate_property(std::string_view name, const Expr& receiver, const KnownNames& facts);
// A test for a type, by its name in another language; kind none if the type is unknown.
Expr of_kind(Expr value, const Expr& kind);
// A text against a pattern with wildcards for any text and for one character; kind none: it cannot be written.
Expr of_wildcards(const Expr& value, std::string_view pattern, char any, char one);
// Assay's operator for a comparison in signs or letters; empty if there is none.
std::string_view comparison_sign(std::string_view shown);
// Whether a comparison is one with a number or a range of numbers, no truth of a value: 'a, b > 3' says it of both.
bool limits(const Expr& e);
inline constexpr std::string_view kDenied = "denied";  // marks a comparison that is denied in itself: 'x not > 5'
// A comparison of texts in upper case as one in lower case: Assay has no function for upper case.
Expr in_one_case(Expr e);
// A comparison of texts that takes no notice of capitals.
Expr in_any_case(Expr e);
inline constexpr std::string_view kAnyCase = "(?i)";  // says so at the beginning of a regular expression
// Whether a text is empty, or `empty` is false and it is filled; one that may be missing is empty then, too.
Expr empty_text(const Expr& text, bool empty, const KnownNames& facts);
// `x is given` or `x is missing`; for a search in a text, whether it found anything.
Expr test_given(Expr e, bool given);
bool is_condition(const Expr& e, const KnownNames& facts);
bool is_text_like(const Expr& e, const KnownNames& facts);
// A test whether a text matches a simple regular expression; kind none if the expression is too complicated.
Expr matches(const Expr& value, std::string_view pattern);

// A text literal with its placeholders translated to Assay; `prefix`: the letters before it. Empty if it cannot be
// read.
std::string translated_text(std::string_view written, std::string_view prefix, const KnownNames& facts, int depth);

// The opposite of a condition, in its own form where it has one: 'a < b' → 'a >= b', else 'not (…)'.
std::string negated_text(const std::string& condition);

Expr join_loops(Expr e);  // merges a loop over a loop

}  // namespace assay::mending
