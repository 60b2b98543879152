// Translates a type with its policy from other languages: a base type, its limits, whether it may be missing, a
// default. `List[str] = []`, `number (min=0, max=5)?`, `VARCHAR(20) NOT NULL DEFAULT 'x'`.
#pragma once

#include "lang/mend/foreign/tokens.hpp"

#include <string>
#include <string_view>

namespace assay::mending {

class Type {
 public:
  // Reads the tokens from `at` to `end`. `name`: the declared name, which limits may repeat: CHECK (name >= 0).
  Type(const Tokens& tokens, std::string_view name, std::size_t at, std::size_t end, int depth = 0)
      : tokens_(tokens), name_(name), at_(at), end_(end), depth_(depth) {}

  bool read();  // false if a part of it is unknown
  std::size_t at() const { return at_; }
  std::string written() const;
  bool doubtful() const { return doubtful_; }  // another meaning is possible
  bool says_prose() const { return !prose_.empty(); }

  // The type that a text says, "number >= 0"; empty: it says none, or may be a value.
  static std::string in_quotes(const Tokens& tokens, std::size_t i);

 private:
  bool is(std::string_view word) const { return at_ < end_ && tokens_.is(at_, word); }
  bool one(std::initializer_list<std::string_view> words) const {
    return at_ < end_ && !tokens_[at_].is_text() && among(tokens_[at_].shown, words);
  }
  bool take(std::initializer_list<std::string_view> words) { return one(words) && (++at_, true); }
  bool is_number() const { return base_ == "number" || base_ == "whole"; }
  bool nothing() const;
  bool begins_type() const;
  std::string fail() { return failed_ = true, std::string(); }

  std::string limits() const;
  std::string fitting() const;
  std::string kind(int depth);
  std::string simple(int depth);
  std::string of_word(int depth);
  std::string inside(int depth);
  std::string bounded(std::string base);
  std::size_t words_of_choice(std::size_t begin, bool inside) const;
  std::string choices(std::string_view close);
  std::string choices_of_text(int depth);
  std::string choices_in_words();
  std::string numbers(std::string_view close);
  std::string united(int depth);
  std::string collection(std::string_view head, int depth);
  std::string mapping(int depth);
  std::string record(int depth);
  std::string fields(std::size_t begin, std::size_t close, bool& same);
  bool names_fields(std::size_t& at) const;
  std::string record_in_words(std::size_t begin);
  std::string described();
  std::string plural(int depth);
  std::string named();
  std::string literal();
  std::string_view plain_key(std::size_t i) const;
  bool free_name(std::size_t i) const;
  std::size_t names_in(std::size_t begin, std::size_t end) const;
  void currency();
  bool number(std::string& result);
  bool limit_value(std::string& result);
  void limit(std::string_view op);
  bool limit(std::string_view op, const std::string& value);
  void limit_before();
  void range(const std::string& low);
  bool interval();
  bool open_end();
  std::string_view bound();
  bool limit_in_words();
  void deny();
  bool may_be();
  bool known_by_chance();
  void modifier();
  bool word_of_other_language();
  bool unit_here();
  void add_unit(std::string_view word);
  void fallback();

  const Tokens& tokens_;
  std::string_view name_;
  std::size_t at_, end_;
  int depth_;
  bool failed_ = false, doubtful_ = false;
  std::string base_, low_, high_, default_, prose_, unit_;
  std::string_view source_;  // judged, measured
  bool above_ = false, below_ = false, optional_ = false;
  bool share_ = false;  // a percentage without limits so far
};

// Whether words say more than what a value means: a bound, a policy, a number, a choice, or that something does not hold.
bool says_rule(const Tokens& tokens, std::size_t begin, std::size_t end);
// Whether a name and its type begin here: 'fee: number', 'fee number'.
bool declares_value(const Tokens& tokens, std::size_t i);

}  // namespace assay::mending
