// Limits and policies of types: ranges and bounds in signs and words, what is optional, defaults.
#include "lang/check/words/units.hpp"
#include "lang/mend/types/types.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"

#include <assay/text.hpp>

#include <algorithm>

#include <cctype>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>

namespace assay::mending {

bool says_rule(const Tokens& tokens, std::size_t begin, std::size_t end) {
  static constexpr std::array<std::string_view, 90> kWords = {
      "not",       "no",        "never",  "non",      "nonzero",  "without",  "except",    "cannot",    "unless",
      "but",       "neither",   "nor",    "if",       "when",     "where",    "whenever",  "only",      "or",
      "either",    "choice",    "one",    "optional", "required", "default",  "missing",   "mandatory", "empty",
      "blank",     "null",      "absent", "unknown",  "judged",   "measured", "normally",  "usually",   "mostly",
      "typically", "generally", "always", "negative", "positive", "strictly", "even",      "odd",       "multiple",
      "than",      "least",     "most",   "more",     "less",     "fewer",    "above",     "below",     "over",
      "under",     "beyond",    "within", "between",  "exceed",   "exceeds",  "exceeding", "minimum",   "maximum",
      "min",       "max",       "up",     "until",    "exactly",  "equal",    "equals",    "limited",   "restricted",
      "must",      "should",    "shall",  "may",      "can",      "might",    "unique",    "distinct",  "sorted",
      "integer",   "whole",     "none",   "nothing",  "nobody",   "given",    "present",   "provided",  "known"};
  for (std::size_t i = begin; i < end; ++i) {
    const std::string words = in_lower_case(tokens[i].shown);
    if (tokens[i].kind == Token::Kind::number || among(words, {"<", ">", "<=", ">=", "≤", "≥", "=", "|", ".."}))
      return true;
    for (std::size_t at = 0; at < words.size(); at = std::min(words.find('_', at), words.size()) + 1) {  // non_negative
      const std::string word = words.substr(at, words.find('_', at) - at);
      if (among(word, kWords) || number_said(word)) return true;
    }
  }
  return false;
}

// €5
void Type::currency() {
  const bool sign = among(tokens_[at_ + 1].shown, {">", ">=", "<", "<="}) && at_ + 2 < end_;  // €> 0
  if (one({"€", "$", "£"}) && (sign || tokens_[at_ + 1].kind == Token::Kind::number)) unit_ = tokens_[at_++].shown;
}

bool Type::number(std::string& result) {
  currency();
  const bool minus = one({"-", "−"}) && tokens_[at_ + 1].kind == Token::Kind::number;
  if (!minus && (at_ >= end_ || tokens_[at_].kind != Token::Kind::number)) return false;
  if (minus) ++at_;
  result = (minus ? "-" : "") + std::string(tokens_[at_].shown);
  ++at_;
  // between 3,5 and 8,9; but number(0,5) and number 0,5 may have two ends
  const auto digits = [this](std::size_t i) {
    return i < end_ && tokens_[i].kind == Token::Kind::number &&
           tokens_[i].shown.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const bool comma = is(",") && digits(at_ - 1) && digits(at_ + 1) && tokens_[at_ - 1].end == tokens_[at_].begin &&
                     tokens_[at_].end == tokens_[at_ + 1].begin;
  const auto between = [this](std::size_t i) {
    return among(tokens_[i].shown,
                 {"between", "and", "from", "to", "until", "..", "-", "–", "least", "most", "than", "up"});
  };
  const std::size_t before = at_ - (minus ? 3 : 2);
  if (comma && ((at_ > 2 && between(before)) || (at_ + 2 < end_ && between(at_ + 2)))) {
    result += "." + std::string(tokens_[at_ + 1].shown);
    at_ += 2;
  }
  return true;
}

// A number in digits or as a word: at most twenty.
bool Type::limit_value(std::string& result) {
  if (number(result)) return true;
  if (at_ >= end_ || tokens_[at_].kind != Token::Kind::word) return false;
  const std::optional<int> said = number_said(in_lower_case(tokens_[at_].shown));
  if (!said || (at_ + 1 < end_ && number_said(in_lower_case(tokens_[at_ + 1].shown)))) return false;  // twenty five
  result = std::to_string(*said);
  ++at_;
  return true;
}

void Type::limit(std::string_view op) {
  take({"=", ":", "("});
  std::string value;
  if (!limit_value(value) || !limit(op, value)) failed_ = true;
}

// Of several limits on one side the narrowest holds. False: the comparison is none that a type can state.
bool Type::limit(std::string_view op, const std::string& value) {
  const bool lower = op == ">=" || op == ">", is_strict = op == ">" || op == "<";
  if (!lower && !is_strict && op != "<=") return false;
  std::string& which = lower ? low_ : high_;
  bool& strict = lower ? above_ : below_;
  const double now = std::strtod(value.c_str(), nullptr), before = std::strtod(which.c_str(), nullptr);
  const bool narrower = which.empty() || (lower ? now > before : now < before);
  if (now == before && !which.empty()) strict = strict || is_strict;
  else if (narrower) which = value, strict = is_strict;
  return true;
}

// 0 <= number <= 10
void Type::limit_before() {
  const std::size_t begin = at_;
  std::string low;
  if (number(low) && one({"<", "<="})) {
    limit(is("<") ? ">" : ">=", low);
    ++at_;
  } else {
    at_ = begin;
  }
}

// Behind the lower end of a range: the upper one, or that there is none.
void Type::range(const std::string& low) {
  const BoundWords* behind =
      bound_words(BoundWords::sentences | BoundWords::cells, BoundWords::behind,
                  [this](std::size_t k) { return at_ + k < end_ ? tokens_[at_ + k].shown : std::string_view(); });
  if (behind != nullptr) {  // 5 or more
    at_ += behind->count();
    return void(limit(behind->op, low));
  }
  const bool strict = is("<");
  limit(strict ? ">" : ">=", low);
  if (take({"+"})) return;  // 18+
  if (take({"<", "<="})) {  // 0 <= x <= 10
    if (at_ < end_ && tokens_[at_].kind == Token::Kind::word) ++at_;
    const bool below = is("<");
    if (!take({"<", "<="})) return void(failed_ = true);
    return limit(below ? "<" : "<=");
  }
  const bool until = is("until");
  if (open_end()) above_ = true;  // 0 exclusive to 10
  if (!take({"..", "-", "to", "–", ",", "until"})) return void(failed_ = true);
  doubtful_ = doubtful_ || until;  // with its end in prose, without it in Kotlin
  take({"."});
  const bool below = take({"<"});  // 0..<10
  const std::string_view op = below ? "<" : bound();
  if (!op.empty() && op != "<" && op != "<=") return void(failed_ = true);
  limit(op.empty() ? until ? "<" : "<=" : op);
  if (open_end()) below_ = true;
}

// Behind an end of a range: whether it is left out, as in '10 (exclusive)'.
bool Type::open_end() {
  const std::size_t word = is("(") && tokens_.is(at_ + 2, ")") ? at_ + 1 : at_;
  if (word >= end_ || !among(tokens_[word].shown, {"exclusive", "exclusively", "excluded", "inclusive", "included"}))
    return false;
  at_ = word > at_ ? word + 2 : word + 1;
  return tokens_[word].shown.starts_with("ex");
}

// [0, 100), ]0, 1], (0, ∞): an interval, whose round brackets, and square ones that are turned, leave their end out.
// number(0, 10) names two ends, as the arguments of a function. False, and nothing read: something else.
bool Type::interval() {
  const std::size_t begin = at_, behind = tokens_.behind_interval(at_);
  if (behind == kNone || behind > end_) return false;
  const bool strict_low = !is("["), turned = is("]"),
             called = is("(") && begin > 0 && tokens_[begin - 1].end == tokens_[begin].begin;
  ++at_;
  const auto endless = [this] {
    const std::size_t sign = at_;
    take({"-", "−", "+"});
    if (take({"∞", "inf", "Inf", "infinity", "Infinity", "INF"})) return true;
    at_ = sign;
    return one({")", "]", "[", ",", ";"});
  };
  std::string low, high;
  const bool open_low = endless();
  bool read = open_low || number(low);
  const bool dots = is("..");
  read = read && take({",", ";", ".."});
  const bool open_high = read && endless();
  read = read && (open_high || number(high));
  const bool strict_high = is(")") || is("["), round = tokens_.is(begin, "(") && is(")");
  if (!read || !take({")", "]", "["}) || (open_low && open_high) ||
      ((dots || called) && (round || !(strict_low || strict_high)))) {
    at_ = begin;
    return false;
  }
  doubtful_ = doubtful_ || (round && !open_low && !open_high) || (turned && tokens_.is(at_ - 1, ")"));
  if (!open_low) limit(strict_low ? ">" : ">=", low);
  if (!open_high) limit(strict_high ? "<" : "<=", high);
  return true;
}

// Takes the words of a bound: its comparison; empty: they are none.
std::string_view Type::bound() {
  const BoundWords* row =
      bound_words(BoundWords::sentences | BoundWords::cells, BoundWords::before,
                  [this](std::size_t k) { return at_ + k < end_ ? tokens_[at_ + k].shown : std::string_view(); });
  if (row != nullptr && row->words != "from") {
    at_ += row->count();
    return row->op;
  }
  if (take({"above", "over", "exceeding", "greater", "more"})) return take({"than"}), ">";
  if (take({"below", "under", "less", "fewer"})) return take({"than"}), "<";
  return {};
}

// between, at least, up to, positive; false: another word
bool Type::limit_in_words() {
  const bool non = is("non") && (tokens_.is(at_ + 1, "negative") || tokens_.is(at_ + 2, "negative"));
  if (non || one({"positive", "nonnegative"})) {
    limit(is("positive") ? ">" : ">=", "0");
    at_ += !non ? 1 : tokens_.is(at_ + 1, "negative") ? 2 : 3;
    return true;
  }
  if (take({"negative"})) return limit("<", "0");
  if (is("strictly") && among(tokens_[at_ + 1].shown,
                              {"positive", "negative", "above", "below", "over", "under", "more", "less", "greater"})) {
    ++at_;
    return limit_in_words();
  }
  if (take({"between", "BETWEEN"})) {
    limit(">=");
    if (open_end()) above_ = true;
    if (!take({"and", "to", "AND", ","})) failed_ = true;
    limit("<=");
    if (open_end()) above_ = below_ = true;
    return true;
  }
  if (one({"from"}) && at_ + 1 < end_) {  // from 1, from 1 to 5, from now on
    ++at_;
    std::string low;
    if (!limit_value(low)) return failed_ = true;
    limit(">=", low);
    if (open_end()) above_ = true;
    if (!one({"..", "-", "to", "–", "until"})) return true;
    doubtful_ = doubtful_ || is("until");
    ++at_;
    const std::string_view op = bound();
    limit(op == "<" ? "<" : "<=");
    if (open_end()) below_ = true;
    return true;
  }
  if (const std::string_view op = bound(); !op.empty()) {
    limit(op);
    return true;
  }
  return false;
}

// What follows 'not' and its like: the opposite of a bound or of a policy. Of other words nobody knows it.
void Type::deny() {
  take({"be", "a"});
  static constexpr std::pair<std::string_view, std::string_view> kOpposites[] = {
      {">=", "<"}, {"<=", ">"}, {">", "<="}, {"<", ">="}};
  if (take({"required", "mandatory", "necessary", "needed", "compulsory"})) return void(optional_ = true);
  if (take({"null", "NULL", "optional", "missing", "absent", "omitted", "nullable", "unknown"})) return;
  if (is_number() && take({"empty", "blank"})) return;
  if (one({"judged", "measured"})) {
    source_ = is("judged") ? "measured" : "judged";
    return void(++at_);
  }
  if (one({"negative", "positive"})) {
    limit(is("negative") ? ">=" : "<=", "0");
    return void(++at_);
  }
  const std::string_view op = bound();
  const auto* opposite =
      std::find_if(std::begin(kOpposites), std::end(kOpposites), [op](const auto& pair) { return pair.first == op; });
  if (opposite == std::end(kOpposites)) return void(failed_ = true);
  limit(opposite->second);
}

// may be missing, must not be negative, cannot exceed 10; false: another word
bool Type::may_be() {
  const bool may = one({"may", "can", "might"});
  if (!may && !one({"must", "should", "shall", "will", "cannot", "need", "needs"})) return false;
  const bool cannot = is("cannot");
  ++at_;
  if (cannot || take({"not", "never"})) return deny(), true;
  if (!may) {
    take({"be"});
    take({"given", "present", "provided", "known", "filled"});
    return true;
  }
  take({"be"});
  const bool list = base_.starts_with("list") || base_.starts_with("set") || base_.starts_with("map");
  if (one({"empty", "blank"}) && !is_number()) {  // a list may be so anyway, and a text may have no letters
    doubtful_ = doubtful_ || !list;
    optional_ = optional_ || !list;
    return ++at_, true;
  }
  failed_ = failed_ || !take({"missing", "absent", "empty", "omitted", "null", "blank", "unknown"});
  return optional_ = true;
}

// 'if any', 'where known', 'normally low'; false: another word
bool Type::known_by_chance() {
  if (take({"normally", "usually", "mostly", "typically", "generally"})) {
    doubtful_ = true;
    fallback();
    return true;
  }
  if (!take({"if", "when", "where"})) return false;
  take({"it", "there"});
  take({"is", "are"});
  failed_ = failed_ || !take({"any", "known", "given", "available", "applicable", "present", "there", "provided"});
  failed_ = failed_ || !(at_ >= end_ || one({",", ")", ";"}) || tokens_[at_].is_text());
  return optional_ = true;
}

void Type::add_unit(std::string_view word) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  if (!unit_.empty() && letter(unit_.back()) && letter(word[0])) unit_ += ' ';  // per week
  unit_ += word;
}

// A unit or a word that says what a number counts.
bool Type::unit_here() {
  if (says_rule(tokens_, at_, at_ + 1)) return false;
  if (at_ > 0 && take({"kg",    "g",    "km",    "m",       "cm",      "mm",     "s",   "ms",     "h", "min",
                       "bpm",   "%",    "€",     "$",       "USD",     "EUR",    "/",   "°C",     "l", "ml",
                       "years", "days", "hours", "minutes", "seconds", "points", "pts", "percent"})) {
    add_unit(tokens_[at_ - 1].shown);
    return true;
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
                    nearest(unit.shown, {"judged", "measured", "optional", "required", "default", "missing"}).empty();
  const bool part = unit.kind == Token::Kind::word && (tokens_.is(at_ + 1, "/") || tokens_.is(at_ - 1, "/"));
  const bool counts = base_.find("text") == base_.npos;  // 'text pattern "[a-z]+"' would lose its rule
  if ((is_number() || (last && unit_.empty() && counts)) && depth_ == 0 && (degrees || short_word || part || last)) {
    at_ += degrees ? 2 : 1;
    add_unit((degrees ? "°" : "") + std::string(unit.shown));
    return true;
  }
  return false;
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
    if (is("not") && base_ != "bool") failed_ = true;
    else if (is("not")) default_ = "false";
    else default_ = tokens_[at_].is_text() ? as_text(tokens_[at_].shown) : in_lower_case(tokens_[at_].shown);
    return void(at_ += 3);
  }
  if (is("decimals") && tokens_[at_ + 1].kind == Token::Kind::number && is_number()) return void(at_ += 2);
  if (is("required") && tokens_.is(at_ + 1, "false")) {
    at_ += 2;
    return void(optional_ = true);
  }
  doubtful_ = doubtful_ || (is("range") && tokens_.is(at_ + 1, "("));  // without its end, in Python
  if (limit_in_words() || (is_number() && low_.empty() && high_.empty() && interval())) return;
  if (take({"not", "NOT", "never", "no", "non"})) return deny();
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
  if (take({"(", ")", "[", "]", "{", "}", ",", ";", ".", "Field", "and", "but", "&", "range", "in", "min_length",
            ">"})) {
    if (tokens_.is(at_ - 1, ">") && at_ < end_ &&
        (tokens_[at_].kind == Token::Kind::number || one({"-", "€", "$", "£"})))
      limit(">");
    return;
  }
  if (may_be() || known_by_chance()) return;
  if (take({"it", "be", "is", "are", "has", "have", "to", "value", "values", "with", "that", "which", "inclusive"}))
    return;
  if (is("of") && tokens_[at_ + 1].kind == Token::Kind::number) return void(++at_);
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
  if (take({"ge", "gte", ">=", "≥", "Min", "MIN", "low", "lower"})) return limit(">=");
  if (take({"le", "lte", "<=", "≤", "Max", "MAX", "high", "upper"})) return limit("<=");
  if (take({"gt"})) return limit(">");
  if (take({"lt", "<"})) return limit("<");
  const bool no_text = is_number() || base_ == "bool" || base_.starts_with("list") || base_.starts_with("map");
  if (one({"=", ":"}) && no_text && tokens_[at_ + 1].is_text() && at_ + 2 >= end_ &&
      tokens_[at_ + 1].shown.find(' ') != std::string_view::npos) {
    prose_ = as_text(tokens_[at_ + 1].shown);  // x: bool = "Is it so?"
    return void(at_ += 2);
  }
  if (take({"=", ":=", "default", "DEFAULT", "??", "default_value", "default_factory", "initial", "initially",
            "defaults"}))
    return fallback();
  if (unit_here()) return;
  std::string low;
  if (number(low)) {
    if (at_ >= end_ && low_.empty() && default_.empty()) {  // number 5
      doubtful_ = true;
      return void(default_ = low);
    }
    return range(low);
  }
  const bool said = at_ < end_ && number_said(in_lower_case(tokens_[at_].shown)).has_value();
  if (said && tokens_.is(at_ + 1, "to") && limit_value(low)) return range(low);  // one to five
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
    else if (one({"not", "never"})) failed_ = true;
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
