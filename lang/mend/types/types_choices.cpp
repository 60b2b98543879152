// Types: texts of which a value is one, in any notation, and numbers that are listed one by one.
#include "lang/mend/types/types.hpp"
#include "lang/text/ascii.hpp"

#include <cstdlib>

namespace assay::mending {

// The end of a choice of several words that begins here: 'heat pump'; `begin` itself: there is none.
std::size_t Type::words_of_choice(std::size_t begin, bool inside) const {
  constexpr std::size_t kMost = 3;
  std::size_t at = begin;
  while (at < end_ && at < begin + kMost && tokens_[at].kind == Token::Kind::word && (inside || free_name(at)) &&
         !among(tokens_[at].shown, {"or", "and"}))
    ++at;
  const bool ends = at >= end_ || tokens_[at].is_text() || tokens_.closes(at) ||
                    among(tokens_[at].shown, {",", "|", "/", "or", ";", "default", "optional", "=", "?"});
  // 'the kind of dog' is no choice but says what the choices are about, 'low if late' when one of them holds.
  static constexpr std::array<std::string_view, 23> kOthers = {
      "the",   "their",   "its",     "this",   "that",    "which", "is",       "are",    "as",   "by", "per",   "when",
      "where", "without", "usually", "mostly", "exactly", "least", "normally", "except", "only", "if", "unless"};
  for (std::size_t i = begin; i < at; ++i) {
    if (at > begin + 1 && among(in_lower_case(tokens_[i].shown), kOthers)) return begin;
  }
  return ends ? at : begin;
}

// Texts, or names that stand for them, up to a bracket; `close` empty: as far as they go.
std::string Type::choices(std::string_view close) {
  if (tokens_[at_].kind == Token::Kind::number) return numbers(close);
  std::string all;
  bool sign = true;  // before the next one
  std::size_t divided = at_;
  while (!failed_ && at_ < end_ && !is(close)) {
    const Token& t = tokens_[at_];
    if (take({",", "|", "/", "or", ";"})) {
      if (!sign) divided = at_ - 1;
      sign = true;
      continue;
    }
    constexpr std::size_t kMost = 4000;  // bytes
    if (all.size() > kMost || (is("n") && tokens_.is(at_ + 1, "/") && tokens_.is(at_ + 2, "a"))) return fail();
    if (close.empty() && (!sign || (!t.is_text() && !free_name(at_)))) break;
    if (!t.is_text() && t.kind != Token::Kind::word) return fail();
    const std::size_t last = t.is_text() ? at_ + 1 : words_of_choice(at_, !close.empty());
    if (close.empty() && !all.empty() && last == at_) {  // 'low, high, if known': a policy follows
      at_ = divided;
      break;
    }
    const bool comma = t.is_text() && tokens_[at_ - 1].is_text() && !close.empty();  // is missing: "a" "b"
    if ((!sign && !comma) || last == at_) return fail();
    const std::string text =
        as_text(t.is_text() ? std::string(t.shown) : "'" + std::string(tokens_.text(at_, last - 1)) + "'");
    if (all.find(text) != all.npos) return fail();
    all += (all.empty() ? "" : ", ") + text;
    sign = false;
    at_ = last;
  }
  if (!close.empty() && !take({close})) failed_ = true;
  return all.empty() ? fail() : "one of (" + all + ")";
}

// Behind a text type: 'text, one of "A" or "B"', 'text, a little, enough or too much'; empty: something else follows.
std::string Type::choices_of_text(int depth) {
  const std::size_t begin = at_;
  if (take({","}) && (one({"one", "either"}))) return of_word(depth + 1);
  bool divided = false;
  std::size_t commas = 0;
  for (std::size_t i = at_; at_ > begin && i < end_; ++i) {
    divided = divided || among(tokens_[i].shown, {"or", "|", "/"});
    commas += tokens_.is(i, ",") ? 1 : 0;
  }
  if (divided && depth == 0 && free_name(at_)) {
    const bool doubtful = doubtful_;
    std::string result = choices("");
    if (!failed_ && (at_ >= end_ || tokens_[at_].is_text())) {
      doubtful_ = doubtful_ || commas == 0;  // 'text, name or number' may say what it holds
      return result;
    }
    failed_ = false, doubtful_ = doubtful;
  }
  at_ = begin;
  return {};
}

// 1 | 2 | 3 as a range; one with gaps is only its ends.
std::string Type::numbers(std::string_view close) {
  long last = 0;
  std::size_t count = 0;
  while (at_ < end_ && tokens_[at_].kind == Token::Kind::number) {
    const std::string shown(tokens_[at_].shown);
    if (shown.find_first_not_of("0123456789") != shown.npos || shown.size() > 9) return fail();
    const long value = std::atol(shown.c_str());
    if (count > 0 && value <= last) return fail();
    if (count > 0 && value != last + 1) doubtful_ = true;
    if (count++ == 0) low_ = shown;
    high_ = shown, last = value;
    ++at_;
    if (!take({",", "|", "/", "or", ";"})) break;
  }
  if (!close.empty() && !take({close})) failed_ = true;
  return count < 2 ? fail() : "whole";
}

}  // namespace assay::mending
