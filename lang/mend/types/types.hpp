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
  bool limited_text() const { return !is_number() && !(low_.empty() && high_.empty()); }
  bool doubtful() const { return doubtful_; }  // another meaning is possible

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

  std::string fitting() const;
  std::string kind(int depth);
  std::string simple(int depth);
  std::string of_word(int depth);
  std::string inside(int depth);
  std::string bounded(std::string base);
  std::string choices(std::string_view close);
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
  void limit(std::string& which, bool& strict, bool is_strict);
  void limit_before();
  void modifier();
  void add_unit(std::string_view word);
  bool limit_in_words();
  void denied();
  bool decimal(std::string& result);
  bool range_of_decimals();
  void fallback();

  const Tokens& tokens_;
  std::string_view name_;
  std::size_t at_, end_;
  int depth_;
  bool failed_ = false, doubtful_ = false;
  std::string base_, low_, high_, default_, prose_, unit_;
  bool above_ = false, below_ = false, optional_ = false;
  bool share_ = false;  // a percentage without limits so far
};

}  // namespace assay::mending
