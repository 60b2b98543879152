// Limits and policies of types: ranges and bounds in signs and words, what is optional, defaults.
#include "lang/check/sense/units.hpp"
#include "lang/mend/types/types.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"

#include <assay/text.hpp>

#include <cctype>
#include <cstdlib>
#include <optional>

namespace assay::mending {

namespace {

// Words that limit a value, of which no unit is one.
bool says_limit(std::string_view word) {
  return among(in_lower_case(word),
               {"negative", "positive", "zero", "empty", "most", "least", "only", "maximum", "minimum", "strictly",
                "normally", "usually", "typically", "always", "never", "between"});
}

}  // namespace

// €5
void Type::currency() {
  if (one({"€", "$", "£"}) && tokens_[at_ + 1].kind == Token::Kind::number) unit_ = tokens_[at_++].shown;
}

bool Type::number(std::string& result) {
  currency();
  const bool minus = one({"-", "−"}) && tokens_[at_ + 1].kind == Token::Kind::number;
  if (!minus && (at_ >= end_ || tokens_[at_].kind != Token::Kind::number)) return false;
  if (minus) ++at_;
  result = (minus ? "-" : "") + std::string(tokens_[at_].shown);
  ++at_;
  return true;
}

// The same with a decimal comma, 3,5, or in words, twenty.
bool Type::decimal(std::string& result) {
  if (at_ < end_ && tokens_[at_].kind == Token::Kind::word) {
    const std::optional<int> said = number_said(in_lower_case(tokens_[at_].shown));
    if (said) result = std::to_string(*said), ++at_;
    return said.has_value();
  }
  if (!number(result)) return false;
  const auto digits = [this](std::size_t i) {
    return i < end_ && tokens_[i].kind == Token::Kind::number &&
           tokens_[i].shown.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const bool comma = is(",") && tokens_[at_ - 1].end == tokens_[at_].begin && digits(at_ - 1) && digits(at_ + 1) &&
                     tokens_[at_].end == tokens_[at_ + 1].begin;
  if (comma) result += "." + std::string(tokens_[at_ + 1].shown), at_ += 2;
  return true;
}

void Type::limit(std::string& which, bool& strict, bool is_strict) {
  take({"=", ":", "("});
  strict = is_strict;
  if (!decimal(which)) failed_ = true;
}

// 3,5 to 8,9: numbers with decimal commas, where something else divides them. False, and nothing read: another form.
bool Type::range_of_decimals() {
  const std::size_t begin = at_;
  std::string low, high;
  const bool read = decimal(low) && take({"..", "-", "to", "–", "and", "AND"}) && decimal(high);
  if (!read || low.find('.') == low.npos || high.find('.') == high.npos) return at_ = begin, false;
  low_ = low, high_ = high, above_ = below_ = false;
  return true;
}

// 0 <= number <= 10
void Type::limit_before() {
  const std::size_t begin = at_;
  std::string low;
  if (number(low) && one({"<", "<="})) {
    above_ = is("<");
    low_ = low;
    ++at_;
  } else {
    at_ = begin;
  }
}

// between, at least, up to, positive; false: another word
bool Type::limit_in_words() {
  if (is("strictly") && among(tokens_[at_ + 1].shown, {"positive", "above", "below", "more", "less"})) ++at_;
  if (one({"positive", "nonnegative"}) || (is("non") && tokens_.is(at_ + 2, "negative"))) {
    above_ = is("positive");
    low_ = "0";
    at_ += is("non") ? 3 : 1;
    return true;
  }
  const BoundWords* bound = bound_words(BoundWords::sentences, BoundWords::before, [this](std::size_t k) {
    return at_ + k < end_ && tokens_[at_ + k].kind == Token::Kind::word ? in_lower_case(tokens_[at_ + k].shown)
                                                                        : std::string();
  });
  if (bound != nullptr) {
    at_ += bound->count();
    if (bound->op[0] == '>') limit(low_, above_, bound->op == ">");
    else if (bound->op[0] == '<') limit(high_, below_, bound->op == "<");
    else failed_ = true;
    return true;
  }
  if (take({"between", "BETWEEN"})) {
    if (range_of_decimals()) return true;
    if (!number(low_)) failed_ = true;
    if (!take({"and", "to", "AND", ","})) failed_ = true;
    limit(high_, below_, false);
    return true;
  }
  return false;
}

// Behind 'not' and the like: what is denied has to be known, or the opposite would be written.
void Type::denied() {
  if (take({"required", "mandatory"})) return void(optional_ = true);
  if (take({"NULL", "null", "None", "missing", "absent", "optional", "nullable", "omitted", "unknown"})) return;
  if (is_number() && take({"negative"})) low_ = "0", above_ = false;
  else if (is_number() && take({"positive"})) high_ = "0", below_ = false;
  else failed_ = true;
}

void Type::add_unit(std::string_view word) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  if (!unit_.empty() && letter(unit_.back()) && letter(word[0])) unit_ += ' ';  // per week
  unit_ += word;
}

void Type::modifier() {
  if (is("of") && among(tokens_[at_ + 1].shown, {"at", "up", "between"})) ++at_;  // of at least 18
  if (at_ < end_ && tokens_[at_].kind == Token::Kind::word && tokens_[at_].shown == name_) return void(++at_);
  if (take({"description", "title", "label"})) {  // its text stays as the prose
    take({"=", ":", "("});
    if (at_ >= end_ || !tokens_[at_].is_text()) failed_ = true;
    else prose_ = as_text(tokens_[at_++].shown);
    return;
  }
  if (tokens_.is(at_ + 1, "by") && tokens_.is(at_ + 2, "default") && at_ + 2 < end_) {  // true by default
    default_ = tokens_[at_].is_text() ? as_text(tokens_[at_].shown) : in_lower_case(tokens_[at_].shown);
    return void(at_ += 3);
  }
  if (is("decimals") && tokens_[at_ + 1].kind == Token::Kind::number && is_number()) return void(at_ += 2);
  if (is("required") && tokens_.is(at_ + 1, "false")) return void(at_ += 2), void(optional_ = true);
  if (one({"not", "NOT", "no", "never"})) {
    if (!limit_in_words()) ++at_, denied();
    return;
  }
  if (is("[") && tokens_.is(at_ + 1, "]") && base_.substr(0, 4) == "list") {  // list of text []
    at_ += 2;
    return void(default_ = "[]");
  }
  if (is_number() && one({"list", "array", "lists"})) {  // number 1..5 list
    ++at_;
    base_ = "list of " + written();
    low_ = high_ = {};
    return;
  }
  if (take({"(", ")", "[", "]", "{", "}", ",", ";", ".", "Field", "and", "&", "range", "in", "from", "min_length",
            ">"})) {
    if (tokens_.is(at_ - 1, ">") && at_ < end_ && (tokens_[at_].kind == Token::Kind::number || is("-")))
      limit(low_, above_, true);
    return;
  }
  if (take({"may", "can", "might"})) {  // may be missing
    take({"be"});
    failed_ = failed_ || !take({"missing", "absent", "empty", "omitted", "null", "blank", "unknown"});
    return void(optional_ = true);
  }
  if (take({"must", "should", "be", "is", "are", "has", "have", "to", "value", "values", "with", "that", "which",
            "inclusive"}))
    return;
  if (is("of") && tokens_[at_ + 1].kind == Token::Kind::number) return void(++at_);
  if (is("if") && tokens_.is(at_ + 1, "any")) return void(at_ += 2), void(optional_ = true);
  if (range_of_decimals()) return;
  if (take({"above", "over", "exceeding", "greater", "more"})) return take({"than"}), limit(low_, above_, true);
  if (take({"below", "under", "less", "fewer"})) return take({"than"}), limit(high_, below_, true);
  if (take({"exclusive", "exclusively"})) return void((high_.empty() ? above_ : below_) = true);
  if (take({"?", "optional", "nullable", "maybe", "Optional", "nullish"})) return void(optional_ = true);
  if (take({"|", "or", "|| "})) {
    if (begins_type()) {  // number 0..10 | text
      base_ = written();
      low_ = high_ = {};
      base_ += " or " + kind(depth_ + 1);
      return;
    }
    if (!nothing()) return fallback();
    ++at_;
    return void(optional_ = true);
  }
  if (take({"required", "mandatory", "NULL", "null", "CHECK", "check", "int", "finite"})) {
    const std::string_view word = tokens_[at_ - 1].shown;
    if (word == "int") base_ = "whole";  // z.number().int()
    if (word == "required" && is("when")) failed_ = true;
    if (word == "NULL" || word == "null") optional_ = true;
    return;
  }
  if (limit_in_words()) return;
  if (take({"min", "minimum", "ge", "gte", ">=", "≥", "Min", "MIN", "low", "lower"})) return limit(low_, above_, false);
  if (take({"max", "maximum", "le", "lte", "<=", "≤", "Max", "MAX", "high", "upper"}))
    return limit(high_, below_, false);
  if (take({"gt"})) return limit(low_, above_, true);
  if (take({"lt", "<"})) return limit(high_, below_, true);
  const bool no_text = is_number() || base_ == "bool" || base_.starts_with("list") || base_.starts_with("map");
  if (one({"=", ":"}) && no_text && tokens_[at_ + 1].is_text() && at_ + 2 >= end_ &&
      tokens_[at_ + 1].shown.find(' ') != std::string_view::npos) {
    prose_ = as_text(tokens_[at_ + 1].shown);  // x: bool = "Is it so?"
    return void(at_ += 2);
  }
  if (take({"=", ":=", "default", "DEFAULT", "??", "default_value", "default_factory", "initial", "initially",
            "defaults"}))
    return fallback();
  if (at_ > 0 && take({"kg",    "g",    "km",    "m",       "cm",      "mm",     "s",   "ms",     "h", "min",
                       "bpm",   "%",    "€",     "$",       "USD",     "EUR",    "/",   "°C",     "l", "ml",
                       "years", "days", "hours", "minutes", "seconds", "points", "pts", "percent"})) {
    add_unit(tokens_[at_ - 1].shown);
    return;
  }
  // °C, mg/l, EUR/m2, mmol
  const bool degrees = is("°") && tokens_[at_ + 1].kind == Token::Kind::word;
  const Token& unit = tokens_[at_ + (degrees ? 1 : 0)];
  const bool short_word = unit.kind == Token::Kind::word && !is_reserved(unit.shown) &&
                          (unit.shown.size() <= 4 || assay::unit_of(in_lower_case(unit.shown)) != nullptr) &&
                          !among(unit.shown, {"list", "text", "map", "bool", "set", "any", "one"});
  // float celsius
  const bool last = unit.kind == Token::Kind::word && at_ + 1 >= end_ && unit.shown.size() > 4 &&
                    !is_reserved(unit.shown) && known_word(unit.shown).empty() && !begins_type() &&
                    nearest(unit.shown, {"judged", "measured", "optional", "required", "default", "missing"}).empty() &&
                    !says_limit(unit.shown);
  const bool part = unit.kind == Token::Kind::word && (tokens_.is(at_ + 1, "/") || tokens_.is(at_ - 1, "/"));
  if ((is_number() || (last && unit_.empty())) && depth_ == 0 && (degrees || short_word || part || last)) {
    at_ += degrees ? 2 : 1;
    add_unit((degrees ? "°" : "") + std::string(unit.shown));
    return;
  }
  std::string low;
  if (number(low)) {
    if (at_ >= end_ && low_.empty() && default_.empty()) {  // number 5
      doubtful_ = true;
      return void(default_ = low);
    }
    low_ = low, above_ = is("<");
    if (take({"+"})) return;  // 18+
    if (take({"<", "<="})) {  // 0 <= x <= 10
      if (at_ < end_ && tokens_[at_].kind == Token::Kind::word) ++at_;
      const bool strict = is("<");
      if (!take({"<", "<="})) return void(failed_ = true);
      return limit(high_, below_, strict);
    }
    if (is("up") && tokens_.is(at_ + 1, "to")) ++at_;
    if (!take({"..", "-", "to", "–", ","})) return void(failed_ = true);
    take({"."});
    return limit(high_, below_, false);
  }
  failed_ = true;
}

void Type::fallback() {
  take({"=", ":", "is", "to", "("});
  if (take({"Field", "field", "Column", "Query", "attr"})) {  // Field(0, ge=0), Field(default=0), Field(...)
    take({".", "field", "ib"});
    if (!take({"("})) failed_ = true;
    if (take({".."})) return void(take({"."}));
    const bool literal = at_ < end_ && (tokens_[at_].kind == Token::Kind::number || tokens_[at_].is_text() ||
                                        one({"None", "True", "False", "["}));
    return literal ? fallback() : void();
  }
  const bool many = base_.substr(0, 4) == "list" || base_.substr(0, 3) == "set" || base_.substr(0, 3) == "map";
  if (many && tokens_.is(at_ - 1, "(") && is(")")) {  // default ()
    default_ = "()";
    return void(++at_);
  }
  if (many && one({"none", "nothing", "empty"})) {
    default_ = base_.substr(0, 3) == "map" ? "{}" : "[]";
    return void(++at_);
  }
  if (nothing()) {
    ++at_;
    return void(optional_ = true);
  }
  if (one({"[", "{"}) && tokens_[at_].partner != kNone) {  // of literals
    const std::size_t close = tokens_[at_].partner;
    for (std::size_t i = at_ + 1; i < close; ++i)
      failed_ = failed_ || !(tokens_[i].is_text() || tokens_[i].kind == Token::Kind::number || tokens_.is(i, ","));
    default_ = std::string(tokens_.text(at_, close));
    return void(at_ = close + 1);
  }
  if (one({"True", "TRUE", "False", "FALSE"})) {
    default_ = in_lower_case(tokens_[at_++].shown);
    return;
  }
  if (number(default_)) return;
  if (at_ >= end_) return void(failed_ = true);
  if (tokens_[at_].is_text()) {
    default_ = as_text(tokens_[at_++].shown);
  } else if (tokens_[at_].kind == Token::Kind::word) {
    if (is("list") && tokens_.is(at_ + 1, ")")) default_ = "[]";  // default_factory=list
    else default_ = std::string(tokens_[at_].shown);
    ++at_;
    if (tokens_.is(at_, ".") || (tokens_.is(at_, "(") && tokens_[at_].begin == tokens_[at_ - 1].end)) failed_ = true;
  } else {
    failed_ = true;
  }
}

// With a range or a bound behind it, as in list<number 0..10>.
std::string Type::bounded(std::string base) {
  if (failed_ || (base != "number" && base != "whole")) return base;
  std::string low, high;
  const bool bracket = tokens_[at_ + 1].kind == Token::Kind::number && take({"("});  // float(1..5)
  const std::string sign = one({">=", "<=", "<", ">"}) && tokens_[at_ + 1].kind == Token::Kind::number
                               ? " " + std::string(tokens_[at_++].shown) + " "
                               : " ";
  if (!number(low)) return base;
  if (sign != " ") return base + sign + low;
  if (!take({"..", "-", "–", "to", ","}) || !number(high) || (bracket && !take({")"}))) return fail();
  return base + " " + low + ".." + high;
}

}  // namespace assay::mending
