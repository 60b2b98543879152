// Operators and choices, from the loosest to the tightest. Each function reads one level of Assay's table of operators,
// in the notations that other languages have for it.
#include "lang/mend/foreign/reader.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

const std::initializer_list<std::string_view> kNothing = {"null",      "None", "nil",  "NULL",    "Null",
                                                          "undefined", "NA",   "none", "missing", "Nothing"};
const std::initializer_list<std::string_view> kKinds = {"number", "whole", "bool", "text", "list", "map", "record"};

std::string_view comparison_sign(std::string_view shown) {
  struct Sign {
    std::string_view foreign, sign;
  };
  static constexpr Sign kSigns[] = {
      {"==", "=="},     {"=", "=="},  {"!=", "!="},  {"<>", "!="}, {"≠", "!="},  {"<", "<"},    {"<=", "<="},
      {"≤", "<="},      {">", ">"},   {">=", ">="},  {"≥", ">="},  {"eq", "=="}, {"ne", "!="},  {"neq", "!="},
      {"equals", "=="}, {"gt", ">"},  {"gte", ">="}, {"ge", ">="}, {"lt", "<"},  {"lte", "<="}, {"le", "<="},
      {"exceeds", ">"}, {"=>", ">="}, {"=<", "<="},  {"EQ", "=="}, {"NE", "!="}, {"GT", ">"},   {"GE", ">="},
      {"GTE", ">="},    {"LT", "<"},  {"LE", "<="},  {"LTE", "<="}};
  for (const Sign& row : kSigns) {
    if (row.foreign == shown) return row.sign;
  }
  return {};
}

}  // namespace

Expr Reader::fail() {
  failed_ = true;
  return {};
}

Expr Reader::expression() {
  constexpr int kMostDepth = 24;
  constexpr std::size_t kMostNodes = 400;
  if (failed_ || ++depth_ > kMostDepth || ++nodes_ > kMostNodes) return fail();
  Expr e = choice_of();
  --depth_;
  return failed_ ? Expr{} : e;
}

Expr Reader::condition() {
  constexpr int kMostDepth = 24;
  if (failed_ || ++depth_ > kMostDepth) return fail();
  ++conditions_;
  Expr e = truth(disjunction());
  --conditions_, --depth_;
  return failed_ ? Expr{} : e;
}

// 'if items', where only a condition can stand: for a name of known shape.
Expr Reader::truth(Expr e) const {
  const Expr& inner = bare(e);
  if (inner.is(Kind::unary) && inner.text == "not") {
    Expr positive = truth(inner.parts[0]);
    if (positive.is(Kind::binary) && positive.text == ">" && positive.parts[1].text == "0")
      return binary("==", positive.parts[0], positive.parts[1]);
    return negated(std::move(positive));
  }
  const std::string_view name =
      inner.is_name() || inner.is(Kind::field) ? std::string_view(inner.text) : std::string_view();
  if (name.empty()) return e;
  switch (facts_.shape(name)) {
    case Shape::list:
    case Shape::records:
    case Shape::map: return binary(">", call("count", {inner}), atom("0"));
    case Shape::number: return binary("!=", inner, atom("0"));
    case Shape::text: return binary("!=", inner, atom("\"\""));
    default: return e;
  }
}

// ---- choices

Expr Reader::choice_of() {
  if (lambda_begins()) return lambda();
  if (is("unless") && begins_value(at_ + 1)) {
    ++at_;
    Expr asked = condition();
    take({"then", ":", ","});
    Expr value = arm_value();
    const bool more = take({"else", "otherwise"});
    take({":"});
    return choice(std::move(value), negated(std::move(asked)), more ? expression() : Expr{});
  }
  if (is("let") && is_word(at_ + 1) && tokens_.is(at_ + 2, "=")) {  // let x = e in …
    const std::string name(tokens_[at_ + 1].shown);
    at_ += 3;
    Expr value = sum();
    if (!take({"in", ";"})) return fail();
    Expr e = expression();
    Expr by{Kind::paren};
    by.parts.push_back(std::move(value));
    substitute(e, name, by);
    return e;
  }
  if (one({"if", "IF", "If"})) {
    // IF(c, a, b) is a call, 'if (c) a else b' is not
    const std::size_t open = at_ + 1;
    bool several = false;
    if (tokens_.is(open, "(") && tokens_[open].partner != kNone) {
      for (std::size_t i = open + 1; i < tokens_[open].partner; i = tokens_.behind(i))
        several = several || tokens_.is(i, ",") || tokens_.is(i, ";");
    }
    if (!several) return choice_behind(prefix_if());
  }
  if (one({"case", "CASE", "Case", "switch", "match", "when", "cond"}) &&
      !(tokens_.is(at_ + 1, "(") && tokens_[at_ + 1].partner != kNone &&
        (one({"match", "cond"}) || (is("switch") && !tokens_.is(tokens_[at_ + 1].partner + 1, "{")))))
    return choice_behind(arms());
  return choice_behind(disjunction());
}

// v when c else w, v if c else w, c ? v : w
Expr Reader::choice_behind(Expr value) {
  if (failed_) return {};
  if (is("?") && at_ + 1 < end_ && begins_value(at_ + 1)) {
    ++at_;
    Expr then = expression();
    if (!take(":")) return fail();
    return choice(std::move(then), truth(std::move(value)), expression());
  }
  const bool unless = is("unless");
  if (!one({"when", "if", "unless"}) || (is("if") && new_line(at_))) return value;
  const std::size_t word = at_++;
  if (one({"given", "present", "known", "available", "there", "set"}) &&
      among(tokens_[at_ + 1].shown, {"else", "otherwise"}) && !unless) {  // x if given else 0
    at_ += 2;
    return binary("default", std::move(value), fallback());
  }
  Expr condition_ = condition();
  if (failed_) return {};
  if (tokens_.is(word, "when") && is(":")) ++at_;  // v when c: w
  else if (!take({"else", "otherwise", "ELSE", "Else"}) && !(unless && take({"then"})))
    return choice(std::move(value), unless ? negated(condition_) : condition_, {});
  take(":");
  Expr other = expression();
  if (other.is(Kind::paren) && bare(other).is(Kind::choice) && bare(other).parts.size() == 2 && take({"else"})) {
    Expr inner = bare(other);  // a when c else (b when d) else e
    inner.parts.push_back(expression());
    other = std::move(inner);
  }
  return choice(std::move(value), unless ? negated(std::move(condition_)) : std::move(condition_), std::move(other));
}

// if c then a else b; if c { a } else { b }; if c: a else: b; if (c) a else b
Expr Reader::prefix_if() {
  if (failed_) return {};
  ++at_;
  if (is("let") && is_word(at_ + 1) && tokens_.is(at_ + 2, "(") && is_word(at_ + 3)) {  // if let Some(x) = y { … }
    const std::string_view inner = tokens_[at_ + 3].shown;
    at_ += 5;
    if (!take("=")) return fail();
    Expr given = operand();
    Expr value = arm_value();
    substitute(value, inner, given);
    Expr other;
    if (take({"else"})) other = arm_value();
    return choice(std::move(value), test(std::move(given), "is given"), std::move(other));
  }
  Expr asked = condition();
  take({"then", "THEN", "Then", ":", ","});
  Expr value = arm_value();
  take({";", ","});
  Expr other;
  if (one({"elif", "elsif", "elseif", "ELSIF", "ELSEIF"})) {
    other = prefix_if();
  } else if (take({"else", "ELSE", "Else", "otherwise"})) {
    take(":");
    other = one({"if", "IF", "If"}) ? prefix_if() : arm_value();
  }
  take({"end", "END", "fi", "endif"});
  return choice(std::move(value), std::move(asked), std::move(other));
}

// What an arm gives: a value, or a block that returns one.
Expr Reader::arm_value() {
  if (is("{") && tokens_[at_].partner != kNone && tokens_[at_].partner < end_) {
    const std::size_t close = tokens_[at_].partner, outer = end_;
    const bool record = (is_word(at_ + 1) || tokens_[at_ + 1].is_text()) && tokens_.is(at_ + 2, ":");
    if (!record) {
      Expr e = body();
      narrow(outer);
      at_ = close + 1;
      return e;
    }
  }
  take({"return", "yield", "=", "RETURN"});
  Expr e = expression();
  take(";");
  return e;
}

// ---- logic

Expr Reader::disjunction() {
  Expr left = conjunction();
  while (!failed_) {
    const bool bars = is("|") && at_ > 0 && tokens_.is(at_ - 1, ")") && tokens_.is(at_ + 1, "(");
    if (one({"xor", "XOR", "^^"})) {
      ++at_;
      left = binary("xor", std::move(left), conjunction());
      continue;
    }
    if (!one({"or", "||", "OR", "Or", "∨"}) && !bars) break;
    const std::size_t sign = at_++;
    if (is("else")) ++at_;  // 'or else'
    const std::string_view compares = at_ < end_ ? comparison_sign(tokens_[at_].shown) : std::string_view();
    const Expr& before = bare(left);
    if (!compares.empty() && before.is(Kind::binary) && !comparison_sign(before.text).empty()) {
      ++at_;  // x < 1 or > 5
      Expr subject = before.parts[0];
      left = binary("or", std::move(left), binary(compares, std::move(subject), fallback()));
      continue;
    }
    Expr right = conjunction();
    if (failed_) return {};
    const auto value_of = [this](const Expr& e) {
      return e.is_number() || e.is_text() || (e.is_name() && facts_.shape(e.text) == Shape::number);
    };
    if (before.is(Kind::binary) && before.text == "and" && value_of(before.parts[1]) && value_of(right)) {
      left = choice(before.parts[1], before.parts[0], std::move(right));  // late and 5 or 0
      continue;
    }
    const bool equal = before.is(Kind::binary) && before.text == "==" && before.parts[1].is_literal();
    const bool unequal = before.is(Kind::binary) && before.text == "!=" && before.parts[1].is_literal();
    const bool outside = before.is(Kind::binary) && before.text == "not in" && before.parts[1].is(Kind::list);
    if (right.is_text() && unequal) {  // x is not "a" or "b"
      left = binary("not in", before.parts[0], list({before.parts[1], std::move(right)}));
    } else if (right.is_text() && outside) {
      Expr more = before;
      more.parts[1].parts.push_back(std::move(right));
      left = std::move(more);
    } else if (right.is_literal() && equal) {  // x == "a" or "b"
      left = binary("in", before.parts[0], list({before.parts[1], std::move(right)}));
    } else if (right.is_literal() && before.is(Kind::binary) && before.text == "in" && before.parts[1].is(Kind::list) &&
               before.parts[0].is_name()) {
      Expr more = before;
      more.parts[1].parts.push_back(std::move(right));
      left = std::move(more);
    } else if (right.is_text() && before.is(Kind::binary) && before.text == "in" && before.parts[0].is_text()) {
      left = binary("or", before, binary("in", std::move(right), before.parts[1]));  // tags contains "a" or "b"
    } else if (tokens_.is(sign, "||") &&
               (left.is_text() || (left.is(Kind::binary) && left.text == "+") || (right.is_text() && is("||")))) {
      left = binary("+", std::move(left), std::move(right));  // of SQL
    } else if (right.is_literal() && right.text != "true" && right.text != "false") {
      left = binary("default", std::move(left), std::move(right));
    } else {
      left = binary("or", truth(std::move(left)), truth(std::move(right)));
    }
  }
  return left;
}

Expr Reader::conjunction() {
  Expr left = negation();
  while (!failed_) {
    const bool ands = is("&") && !touches(at_);
    const bool limits = among(tokens_[at_ + 1].shown, {"at", "no", "never", "capped", "limited", "up"}) ||
                        (tokens_.is(at_ + 1, "not") && among(tokens_[at_ + 2].shown, {"more", "less"}));
    if (!one({"and", "&&", "AND", "And", "∧"}) && !ands && !(is("but") && !limits)) break;
    ++at_;
    const std::string_view compares = at_ < end_ ? comparison_sign(tokens_[at_].shown) : std::string_view();
    const Expr& before = bare(left);
    const Expr& last = before.is(Kind::binary) && before.text == "and" ? before.parts[1] : before;
    if (!compares.empty() && last.is(Kind::binary) && !comparison_sign(last.text).empty()) {
      ++at_;  // x > 1 and < 5
      Expr subject = last.parts[0];
      left = binary("and", std::move(left), binary(compares, std::move(subject), fallback()));
      continue;
    }
    Expr right = negation();
    if (left.is_text() && right.is(Kind::binary) && right.text == "in")  // "a" and "b" in tags
      left = binary("in", std::move(left), right.parts[1]);
    left = binary("and", truth(std::move(left)), truth(std::move(right)));
  }
  return left;
}

Expr Reader::negation() {
  const bool names = is_word(at_ + 1) && !new_line(at_ + 1) && facts_.declares(tokens_[at_ + 1].shown);
  if (names && one({"has", "given", "missing", "exists", "have"}) && !facts_.declares(tokens_[at_].shown)) {
    const bool missing = is("missing");  // has x, missing x
    ++at_;
    return test(operand(), missing ? "is missing" : "is given");
  }
  if (one({"not", "NOT", "Not", "!", "¬"}) && !(is("!") && tokens_.is(at_ + 1, "="))) {
    constexpr int kMostSigns = 8;
    if (depth_ > kMostSigns * 3) return fail();
    ++at_, ++depth_;
    const bool sign = tokens_.is(at_ - 1, "!");
    if (sign && is("!") && touches(at_)) {  // !!x
      ++at_, --depth_;
      return truth(operand());
    }
    Expr operand_ = sign ? truth(operand()) : negation();
    --depth_;
    if (failed_) return {};
    return negated(truth(std::move(operand_)));
  }
  return comparison();
}

// ---- comparisons

Expr Reader::comparison() {
  Expr left = fallback();
  Expr result;
  while (!failed_ && comparison_with(left, result)) {}
  return failed_ ? Expr{} : result.is(Kind::none) ? left : result;
}

// One more comparison: `left` becomes its right side, so that a chain continues; `result` all of them so far.
bool Reader::comparison_with(Expr& left, Expr& result) {
  if (at_ >= end_ || tokens_[at_].is_text()) return false;
  std::string_view sign = comparison_sign(tokens_[at_].shown);
  if (is("~") && tokens_.is(at_ + 1, "=") && touches(at_ + 1)) sign = "!=";
  if (is("=") && tokens_.is(at_ + 1, "!") && touches(at_ + 1) && !touches(at_ + 2)) ++at_, sign = "!=";  // =!
  if (sign.empty()) return compared_in_words(left, result);
  return compared(left, result, sign);
}

// Behind a sign of comparison.
bool Reader::compared(Expr& left, Expr& result, std::string_view sign) {
  const auto done = [&](Expr e) {
    result = result.is(Kind::none) ? std::move(e) : binary("and", std::move(result), std::move(e));
    return true;
  };
  if (is("=") && tokens_.is(at_ + 1, "~")) return false;
  ++at_;
  if (is("=") && (touches(at_) || among(sign, {"<", ">"}))) {  // ===, !==, > =
    if (sign == "<" || sign == ">") sign = sign == "<" ? "<=" : ">=";
    ++at_;
  } else if (tokens_.is(at_ - 1, "=") && touches(at_) && one({">", "<"})) {
    sign = is(">") ? ">=" : "<=";
    ++at_;
  }
  if (one(kNothing) && (sign == "==" || sign == "!=")) {
    ++at_;
    return done(test_given(left, sign != "=="));
  }
  Expr right = fallback();
  right = choice_value(left, std::move(right));
  if (left.is(Kind::call) && (left.text == "typeof" || left.text == "type") && left.parts.size() == 1) {
    Expr e = of_kind(left.parts[0], right);
    if (e.is(Kind::none)) return fail(), false;
    return done(sign == "==" ? std::move(e) : negated(std::move(e)));
  }
  if (left.is(Kind::call) && left.text == "position" && left.parts.size() == 2) {  // x.indexOf("a") >= 0
    const bool zero = right.text == "0", below = right.is(Kind::unary) && right.parts[0].text == "1";
    const bool found = (zero && sign == ">=") || (below && (sign == ">" || sign == "!="));
    const bool not_found = (zero && sign == "<") || (below && sign == "==");
    const Expr& in = left.parts[1];
    const bool text = (in.is_name() || in.is(Kind::field)) && facts_.shape(in.text) == Shape::text;
    Expr e = text ? call("contains", {in, left.parts[0]}) : binary("in", left.parts[0], in);
    if (found || not_found) return done(found ? std::move(e) : negated(std::move(e)));
  }
  const Expr& either = bare(right);
  if (right.is(Kind::paren) && either.is(Kind::binary) && among(either.text, {"default", "or"}) && sign == "==" &&
      either.parts[0].is_literal() && either.parts[1].is_literal())  // level == ("low" or "medium")
    return done(binary("in", left, list({either.parts[0], either.parts[1]})));
  const auto set = [](const Expr& e) { return e.is(Kind::call) && e.text == "distinct" && e.parts.size() == 1; };
  if (set(left) && set(right) && (sign == "<=" || sign == ">=")) {  // one set within another
    const Expr &part = sign == "<=" ? left.parts[0] : right.parts[0],
               &whole = sign == "<=" ? right.parts[0] : left.parts[0];
    return done(call("all", {loop(binary("in", atom("x"), whole), "x", part)}));
  }
  if (left.text == "missing" && (sign == "==" || sign == "!=")) return done(test_given(std::move(right), sign != "=="));
  // "18" for a number
  if (right.is_text() && !left.is_text()) {
    std::string inner = right.text.substr(1, right.text.size() - 2);
    inner.erase(std::remove(inner.begin(), inner.end(), ' '), inner.end());
    const std::size_t digits = inner.find_first_not_of("0123456789.");
    const bool number =
        !inner.empty() && (digits == inner.npos || (digits > 0 && digits + 1 == inner.size() && inner.back() == '%'));
    const bool computed = bare(left).is(Kind::binary) && among(bare(left).text, {"+", "-", "*", "/", "^"});
    const bool known = (left.is_name() || left.is(Kind::field)) && facts_.shape(left.text) == Shape::number;
    if (number && (computed || known)) right = atom(inner);
  }
  const bool asked = (left.is_name() || left.is(Kind::field)) && facts_.shape(left.text) == Shape::condition;
  if (asked && among(right.text, {"\"true\"", "\"yes\"", "\"True\"", "\"Yes\"", "\"y\"", "1"})) right = atom("true");
  if (asked && among(right.text, {"\"false\"", "\"no\"", "\"False\"", "\"No\"", "\"n\"", "0"})) right = atom("false");
  const bool truth_value = right.text == "true" || right.text == "false";
  if (truth_value && (sign == "==" || sign == "!=") && result.is(Kind::none))
    return done((right.text == "true") == (sign == "==") ? left : negated(left));
  Expr e = in_one_case(binary(sign, left, right));
  left = std::move(right);
  return done(std::move(e));
}

// A value of 'one of' in the letters that its type has: Low, 'LOW' and low are "low"; also those of a list.
Expr Reader::choice_value(const Expr& of, Expr value) const {
  const auto known = of.is_name() || of.is(Kind::field) ? facts_.values.find(of.text) : facts_.values.end();
  if (known == facts_.values.end()) return value;
  if (value.is(Kind::list)) {
    for (Expr& item : value.parts) item = choice_value(of, std::move(item));
    return value;
  }
  const bool name = value.is_name() && !facts_.declares(value.text) && facts_.bound.count(value.text) == 0;
  if (!name && !value.is_text()) return value;
  const std::string inner = name ? value.text : value.text.substr(1, value.text.size() - 2);
  for (const std::string_view one_of : known->second) {
    const std::string other(one_of.substr(1, one_of.size() - 2));
    if (in_lower_case(other) == in_lower_case(inner)) return atom("\"" + other + "\"");
  }
  return value;
}

// is, in, between, contains, like, matches, and what denies them.
bool Reader::compared_in_words(Expr& left, Expr& result) {
  const auto done = [&](Expr e) {
    result = result.is(Kind::none) ? std::move(e) : binary("and", std::move(result), std::move(e));
    return true;
  };
  if (one({"is", "IS", "Is"})) return done(is_test(left));
  const bool denied = one({"not", "NOT", "Not", "!"}) && !new_line(at_);
  const std::size_t word = denied ? at_ + 1 : at_;
  if (denied && word < end_ && among(tokens_[word].shown, {"<", "<=", ">", ">="})) {  // x not > 5
    at_ = word + 1;
    return done(negated(binary(tokens_[word].shown, left, fallback())));
  }
  const auto behind = [&](std::initializer_list<std::string_view> words) {
    if (word >= end_ || tokens_[word].is_text() || !among(tokens_[word].shown, words)) return false;
    at_ = word + 1;
    return true;
  };
  const auto maybe = [&](Expr e) { return done(denied ? negated(std::move(e)) : std::move(e)); };
  if (behind({"in", "IN", "In", "∈", "within"})) {
    const std::size_t open = at_;
    if ((is("[") || is("(")) && tokens_[at_].partner == kNone) {  // [0, 10)
      ++at_;
      Expr low = sum();
      if (!take(",")) return fail(), false;
      Expr high = sum();
      const bool strict = is(")");
      if (!take({")", "]"})) return fail(), false;
      return maybe(binary("and", binary(tokens_.is(open, "(") ? ">" : ">=", left, std::move(low)),
                          binary(strict ? "<" : "<=", left, std::move(high))));
    }
    Expr right;
    if (one({"range", "RANGE"}) && tokens_.is(at_ + 1, "(")) {
      std::vector<Expr> ends;
      ++at_;
      if (!arguments(ends) || ends.empty() || ends.size() > 2) return fail(), false;
      right = binary("..", ends.size() == 2 ? ends[0] : atom("0"), one_less(ends.back()));
    } else {
      take({"range", "the"});
      right = range();
      if (take({"to"})) right = binary("..", std::move(right), sum());
    }
    const Expr& inner = bare(right);
    if (inner.is(Kind::list) || right.is(Kind::paren) || inner.is(Kind::binary)) right = inner;
    const Shape shape = left.is_name() ? facts_.shape(left.text) : Shape::unknown;
    if (right.is_text() && (shape == Shape::list || shape == Shape::map))  // the other way round
      return maybe(binary("in", std::move(right), left));
    if (right.is_literal() && !right.is(Kind::list)) {
      right = list({std::move(right)});
      while (shape == Shape::text && is(",") && tokens_[at_ + 1].is_text()) {  // level in "low", "medium"
        ++at_;
        right.parts.push_back(fallback());
      }
    }
    if (shape == Shape::list && right.is(Kind::list) && !left.is_text())  // tags in ["a", "b"]
      return maybe(call("any", {loop(binary("in", atom("x"), std::move(right)), "x", left)}));
    const bool in_text = (right.is_name() || right.is(Kind::field)) && facts_.shape(right.text) == Shape::text;
    right = choice_value(left, std::move(right));
    if (in_text) return maybe(call("contains", {std::move(right), left}));
    return maybe(in_one_case(binary("in", left, std::move(right))));
  }
  if (is("%") && tokens_.is(at_ + 1, "in") && tokens_.is(at_ + 2, "%")) {
    at_ += 3;
    return maybe(binary("in", left, range()));
  }
  if (behind({"between", "BETWEEN", "Between"})) {
    const bool around = is("(") || is("[");  // between (1, 5)
    const std::size_t open = at_;
    bool two = false;
    for (std::size_t i = at_ + 1; around && tokens_[at_].partner != kNone && i < tokens_[at_].partner; ++i)
      two = two || among(tokens_[i].shown, {",", "and", "to"});
    if (two) ++at_;
    Expr low = sum();
    if (!take({"and", "AND", "to", "&", ",", "-"})) fail();
    Expr high = sum();
    if (two && at_ != tokens_[open].partner) return fail(), false;
    if (two) ++at_;
    return maybe(binary("in", left, binary("..", std::move(low), std::move(high))));
  }
  if (behind({"contains", "includes", "has", "CONTAINS", "include"})) {
    Expr right = sum();
    const bool text = (left.is_name() || left.is(Kind::field)) && facts_.shape(left.text) == Shape::text;
    return maybe(text ? call("contains", {left, std::move(right)}) : binary("in", std::move(right), left));
  }
  if (behind({"like", "LIKE", "ilike", "ILIKE"})) {
    Expr pattern = fallback();
    if (!pattern.is_text()) return fail(), false;
    std::string_view inside = std::string_view(pattern.text).substr(1, pattern.text.size() - 2);
    const bool open_begin = !inside.empty() && inside.front() == '%',
               open_end = inside.size() > 1 && inside.back() == '%';
    if (open_begin) inside.remove_prefix(1);
    if (open_end) inside.remove_suffix(1);
    if (inside.find_first_of("%_") != inside.npos) return fail(), false;
    const Expr piece = atom("\"" + std::string(inside) + "\"");
    if (!open_begin && !open_end) return maybe(binary("==", left, piece));
    return maybe(call(open_begin && open_end ? "contains" : open_end ? "starts_with" : "ends_with", {left, piece}));
  }
  const bool tilde = is("~") && tokens_[at_ + 1].is_text();  // of SQL
  if (is("=~") || tilde || behind({"matches", "rlike", "RLIKE", "REGEXP", "regexp"})) {
    take({"=~", "~"});
    std::string pattern;
    if (is("/")) {
      regular_expression(pattern);
    } else {
      const Expr literal = fallback();
      if (!literal.is_text()) return fail(), false;
      pattern = literal.text.substr(1, literal.text.size() - 2);
    }
    Expr e = matches(left, pattern);
    if (e.is(Kind::none)) return fail(), false;
    return maybe(std::move(e));
  }
  return false;
}

// After 'is'.
Expr Reader::is_test(Expr left) {
  ++at_;
  const bool denied = take({"not", "NOT", "Not"});
  const auto maybe = [denied](Expr e) { return denied ? negated(std::move(e)) : e; };
  if (take(kNothing)) return test_given(std::move(left), denied);
  if (take({"given", "set", "defined", "present", "known"})) return test_given(std::move(left), !denied);
  if (take({"empty", "blank", "EMPTY"})) {
    const Shape shape = left.is_name() || left.is(Kind::field) ? facts_.shape(left.text) : Shape::unknown;
    if (shape == Shape::text) return maybe(binary("==", std::move(left), atom("\"\"")));
    if (shape == Shape::list || shape == Shape::records || shape == Shape::map)
      return maybe(binary("==", call("count", {std::move(left)}), atom("0")));
    return maybe(test(std::move(left), "is missing"));
  }
  if (one({"even", "odd"})) {
    const Expr rest = atom(is("even") ? "0" : "1");
    ++at_;
    return maybe(binary("==", call("mod", {std::move(left), atom("2")}), rest));
  }
  for (const std::string_view kind : kKinds) {
    if (is(kind)) {
      ++at_;
      return maybe(test(std::move(left), "is " + std::string(kind)));
    }
  }
  if (one({"in", "IN", "between", "BETWEEN"})) {
    Expr result;
    if (!comparison_with(left, result)) return fail();
    return maybe(std::move(result));
  }
  Expr right = choice_value(left, fallback());
  if (right.text == "true") return maybe(std::move(left));
  if (right.text == "false") return denied ? left : negated(std::move(left));
  return binary(denied ? "!=" : "==", std::move(left), std::move(right));
}

// ---- arithmetic

Expr Reader::fallback() {
  Expr left = range();
  if (one({"as", "in"}) && among(tokens_[at_ + 1].shown, {"percent", "percentage", "%"})) {
    at_ += 2;
    left = binary("*", atom("100"), std::move(left));
  }
  const bool elvis = is("?") && tokens_.is(at_ + 1, ":") && tokens_[at_].end == tokens_[at_ + 1].begin;
  const bool worded = conditions_ == 0 && one({"otherwise", "fallback", "ifnull"}) && begins_value(at_ + 1) &&
                      !new_line(at_ + 1) && !left.is_literal();
  if (failed_ || (!one({"default", "??"}) && !elvis && !worded)) return left;
  constexpr int kMostDepth = 24;
  if (++depth_ > kMostDepth) return fail();
  at_ += elvis ? 2 : 1;
  take({"to"});
  Expr right = fallback();
  --depth_;
  return binary("default", std::move(left), std::move(right));
}

Expr Reader::range() {
  Expr low = sum();
  if (failed_ || !one({"..", "..."})) return low;
  ++at_;
  const bool open = take(".");  // a...b
  if (open && failed_) return {};
  take("=");  // of Rust
  Expr high = sum();
  if (low.is_text() || high.is_text() || (low.is(Kind::binary) && low.text == "+")) {  // texts are joined, in Lua
    low = binary("+", std::move(low), std::move(high));
    while (!failed_ && take("..")) low = binary("+", std::move(low), sum());
    return low;
  }
  return binary("..", std::move(low), std::move(high));
}

Expr Reader::sum() {
  Expr left = product();
  while (!failed_) {
    if (one({"+", "-", "−", "–"})) {
      if (new_line(at_) && tokens_[at_ + 1].begin == tokens_[at_].end) break;
      const bool plus = is("+");
      // x++ and x += are statements
      if (plus && touches(at_ + 1) && (tokens_.is(at_ + 1, "+") || tokens_.is(at_ + 1, "="))) break;
      if (!plus && touches(at_ + 1) && (tokens_.is(at_ + 1, "-") || tokens_.is(at_ + 1, "="))) break;
      ++at_;
      // price - 10 %: of the price
      const bool share = tokens_[at_].kind == Token::Kind::number && tokens_[at_].shown.back() != '%' &&
                         tokens_.is(at_ + 1, "%") && !left.is_number();
      Expr right = product();
      if (share && right.is_number() && right.text.back() == '%') {
        doubtful_ = true;
        Expr factor{Kind::paren};
        factor.parts.push_back(binary(plus ? "+" : "-", atom("1"), std::move(right)));
        left = binary("*", std::move(left), std::move(factor));
        continue;
      }
      left = binary(plus ? "+" : "-", counting(std::move(left)), counting(std::move(right)));
    } else if (one({"plus", "minus"}) && !facts_.declares(tokens_[at_].shown) && begins_value(at_ + 1) &&
               !new_line(at_)) {
      const bool plus = is("plus");
      ++at_;
      left = binary(plus ? "+" : "-", std::move(left), product());
    } else if (is("&") && comparison_sign(tokens_[std::min(tokens_.operand(at_ + 1), end_)].shown).empty() &&
               (left.is_text() || tokens_[at_ + 1].is_text() || (left.is(Kind::binary) && left.text == "+"))) {
      ++at_;
      left = binary("+", std::move(left), product());
    } else {
      break;
    }
  }
  return left;
}

Expr Reader::product() {
  Expr left = signed_value();
  while (!failed_) {
    const bool words = !facts_.declares("times") && !new_line(at_);
    const bool cross = is("x") && words && !facts_.declares("x") && facts_.bound.count("x") == 0;
    if (one({"*", "×", "·", "⋅"}) || (cross && begins_value(at_ + 1)) ||
        (words && is("times") && begins_value(at_ + 1))) {
      ++at_;
      left = binary("*", counting(std::move(left)), counting(signed_value()));
    } else if (one({"/", "÷"}) || (words && is("divided") && tokens_.is(at_ + 1, "by"))) {
      at_ += is("divided") ? 2 : 1;
      left = binary("/", std::move(left), signed_value());
    } else if (one({"//", "div", "DIV"}) || (is("%") && tokens_.is(at_ + 1, "/"))) {
      at_ += is("%") ? (tokens_.is(at_ + 2, "%") ? 3 : 2) : 1;
      left = call("floor", {binary("/", std::move(left), signed_value())});
    } else if ((one({"mod", "MOD", "rem"}) || is("%")) && at_ + 1 < end_ &&
               (begins_value(at_ + 1) || tokens_.is(at_ + 1, "%"))) {
      if (is("%") && tokens_.is(at_ + 1, "in")) break;
      at_ += tokens_.is(at_ + 1, "%") ? 2 : 1;
      left = call("mod", {std::move(left), signed_value()});
    } else if (is("of") && left.is_number() && left.text.back() == '%') {
      ++at_;
      left = binary("*", std::move(left), signed_value());
    } else if (left.is_number() && at_ < end_ && !new_line(at_) &&
               ((is("(") && touches(at_)) || (is_word(at_) && facts_.declares(tokens_[at_].shown)))) {
      left = binary("*", std::move(left), signed_value());  // 2(a + b), 0.5 width
    } else {
      break;
    }
  }
  return left;
}

// A condition as a number: 1 when it holds.
Expr Reader::counting(Expr e) const {
  const bool condition = (e.is_name() || e.is(Kind::field)) && facts_.shape(e.text) == Shape::condition;
  return condition ? choice(atom("1"), std::move(e), atom("0")) : e;
}

Expr Reader::signed_value() {
  constexpr int kMostDepth = 24;
  if (failed_ || ++depth_ > kMostDepth) return fail();
  Expr e;
  if (one({"-", "−", "–"})) {
    ++at_;
    e = unary("-", signed_value());
  } else if (is("+")) {
    ++at_;
    e = signed_value();
  } else {
    e = power();
  }
  --depth_;
  return e;
}

Expr Reader::power() {
  Expr base = operand();
  if (take("²") || (!facts_.declares("squared") && take("squared"))) return binary("^", std::move(base), atom("2"));
  if (take("³") || (!facts_.declares("cubed") && take("cubed"))) return binary("^", std::move(base), atom("3"));
  if (failed_ || !one({"^", "**"})) return base;
  ++at_;
  Expr exponent = signed_value();
  const auto condition_ = [this](const Expr& e) { return e.is_name() && facts_.shape(e.text) == Shape::condition; };
  if (condition_(base) && condition_(exponent)) return binary("xor", std::move(base), std::move(exponent));
  return binary("^", std::move(base), std::move(exponent));
}

}  // namespace assay::mending
