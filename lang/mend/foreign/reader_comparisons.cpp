// Comparisons: signs and words, what is in what, what is given.
#include "lang/mend/foreign/reader.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

const std::initializer_list<std::string_view> kNothing = {"null",      "None", "nil",  "NULL",    "Null",
                                                          "undefined", "NA",   "none", "missing", "Nothing"};
const std::initializer_list<std::string_view> kKinds = {"number", "whole", "bool", "text", "list", "map", "record"};

}  // namespace

std::string_view comparison_sign(std::string_view shown) {
  struct Sign {
    std::string_view foreign, sign;
  };
  static constexpr Sign kSigns[] = {
      {"==", "=="},     {"=", "=="},    {"!=", "!="},    {"<>", "!="}, {"≠", "!="},  {"<", "<"},    {"<=", "<="},
      {"≤", "<="},      {">", ">"},     {">=", ">="},    {"≥", ">="},  {"eq", "=="}, {"ne", "!="},  {"neq", "!="},
      {"equals", "=="}, {"gt", ">"},    {"gte", ">="},   {"ge", ">="}, {"lt", "<"},  {"lte", "<="}, {"le", "<="},
      {"exceeds", ">"}, {"after", ">"}, {"before", "<"}, {"=>", ">="}, {"EQ", "=="}, {"NE", "!="},  {"GT", ">"},
      {"GE", ">="},     {"GTE", ">="},  {"LT", "<"},     {"LE", "<="}, {"LTE", "<="}};
  for (const Sign& row : kSigns) {
    if (row.foreign == shown) return row.sign;
  }
  return {};
}

Expr Reader::comparison() {
  const std::size_t begin = at_;
  Expr left = fallback();
  Expr result;
  while (!failed_ && comparison_with(left, result)) {}
  if (failed_ || result.is(Kind::none)) return failed_ ? Expr{} : left;
  for (std::size_t i = begin; i < at_ && result.is(Kind::binary) && result.names.empty(); i = tokens_.behind(i)) {
    if (among(tokens_[i].shown, {"not", "NOT", "Not"})) result.names.emplace_back(kDenied);
  }
  return result;
}

// One more comparison: `left` becomes its right side, so that a chain continues; `result` all of them so far.
bool Reader::comparison_with(Expr& left, Expr& result) {
  if (at_ >= end_ || tokens_[at_].is_text() || (is("=>") && (labels_ > 0 || is_condition(left, facts_)))) return false;
  const bool time =
      one({"after", "before"}) && left.is_number() && is_word(at_ + 1);  // 5 after day 10: see choice_behind
  std::string_view sign = time ? std::string_view() : comparison_sign(tokens_[at_].shown);
  if (is("~") && tokens_.is(at_ + 1, "=") && touches(at_ + 1)) sign = "!=";
  if (is("=") && tokens_.is(at_ + 1, "!") && touches(at_ + 1) && !touches(at_ + 2)) ++at_, sign = "!=";  // =!
  if (sign.empty()) return compared_in_words(left, result);
  return compared(left, result, sign);
}

// Behind a sign of comparison.
bool Reader::compared(Expr& left, Expr& result, std::string_view sign) {
  const auto done = [&](Expr e) {
    const bool chain = result.is(Kind::binary) && e.is(Kind::binary) && result.text == e.text &&
                       among(e.text, {"<=", ">="}) && write(result.parts[1]) == write(e.parts[0]);
    if (chain) {  // 1 <= x <= 5
      const std::size_t low = e.text == "<=" ? 0 : 1;
      Expr range = binary("..", low == 0 ? result.parts[0] : e.parts[1], low == 0 ? e.parts[1] : result.parts[0]);
      result = binary("in", e.parts[0], std::move(range));
    } else {
      const bool bounds = result.is(Kind::binary) && result.text == ">=" && e.text == "<=" && e.is(Kind::binary) &&
                          write(result.parts[0]) == write(e.parts[0]);
      if (bounds) result = binary("in", e.parts[0], binary("..", result.parts[1], e.parts[1]));  // x >= 1 <= 5
      else {
        const bool sum = result.is(Kind::binary) && !result.parts[0].is_number() && e.is(Kind::binary) &&
                         e.parts[0].is(Kind::binary);
        doubtful_ = doubtful_ || sum;  // n > 3 + m > 4: the sign may stand for a word
        result = result.is(Kind::none) ? std::move(e) : binary("and", std::move(result), std::move(e));
      }
    }
    return true;
  };
  if (is("=") && tokens_.is(at_ + 1, "~")) return false;
  ++at_;
  if (is("=") && (touches(at_) || among(sign, {"<", ">"}))) {  // ===, !==, > =
    if (sign == "<" || sign == ">") sign = sign == "<" ? "<=" : ">=";
    ++at_;
  } else if (tokens_.is(at_ - 1, "=") && ((touches(at_) && is("<")) || is(">"))) {  // =<, = >
    sign = is("<") ? "<=" : ">=";
    ++at_;
  }
  if (one(kNothing) && (sign == "==" || sign == "!=")) {
    ++at_;
    return done(test_given(left, sign != "=="));
  }
  const bool more = tokens_.is(at_ - 1, "exceeds");
  Expr right = fallback();
  if (more && take("by")) right = binary("+", std::move(right), sum());  // n exceeds m by 2
  if (right.is(Kind::binary) && right.text == "^" && right.parts[0].is_number() && right.parts[1].is_name() &&
      result.is(Kind::none) && at_ < end_ && !comparison_sign(tokens_[at_].shown).empty()) {  // a > 5 ^ b > 5
    Expr other = right.parts[1], second;
    if (!comparison_with(other, second)) return false;
    return done(binary("xor", binary(sign, left, right.parts[0]), std::move(second)));
  }
  const Expr& numbers = bare(left);  // (a, b) >= 5, (a and b) >= 5
  const bool all = numbers.is(Kind::list) && numbers.parts.size() > 1 && numbers.parts.size() < 5 &&
                   std::all_of(numbers.parts.begin(), numbers.parts.end(),
                               [this](const Expr& e) { return e.is_name() && facts_.shape(e.text) == Shape::number; });
  if (right.is_number() && result.is(Kind::none) && (all || has_truth(left))) {
    Expr e = numbers;
    if (!all) share(e, binary(sign, left, right));
    for (std::size_t i = 0; all && i < numbers.parts.size(); ++i) {
      Expr one_of = binary(sign, numbers.parts[i], right);
      e = i == 0 ? std::move(one_of) : binary("and", std::move(e), std::move(one_of));
    }
    return done(std::move(e));
  }
  if (right.is_text() && result.is(Kind::binary) && result.parts[1].is_number())
    return fail(), false;  // n > 5 = "many"
  right = choice_value(left, std::move(right));
  if (bare(right).is(Kind::binary) && bare(right).text == ".." && (sign == "==" || sign == "!="))  // age = 6..17
    return done(binary(sign == "==" ? "in" : "not in", left, Expr(bare(right))));
  if (depth_ <= 2 && right.is_text() && (sign == "==" || sign == "!=") && is(",") && is_value_of(left, at_ + 1)) {
    Expr several = list({std::move(right)});  // subject == "physics", "chemistry"
    while (is(",") && is_value_of(left, at_ + 1)) {
      several.parts.push_back(choice_value(left, atom(as_text(tokens_[at_ + 1].shown))));
      at_ += 2;
    }
    return done(binary(sign == "==" ? "in" : "not in", left, std::move(several)));
  }
  if (Expr several = depth_ <= 2 && among(sign, {"==", "!="}) ? numbers_in_a_row(right) : Expr{};
      !several.is(Kind::none))
    return done(binary(sign == "==" ? "in" : "not in", left, std::move(several)));
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
  if (either.is(Kind::list) && either.text == "or" && (sign == "==" || sign == "!="))
    return done(binary(sign == "==" ? "in" : "not in", left, Expr(either)));
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
  if (!right.is_number() || left.is_number()) left = std::move(right);  // x >= 1 <= 5: both of x
  return done(std::move(e));
}

// Whether a number is what something is compared with: the 400 of 'lines <= 400 failed < 3', where an 'and' is missing.
bool Reader::behind_comparison(std::size_t i) const {
  return i > 0 && among(tokens_[i - 1].shown, {"<", ">", "<=", ">=", "==", "!=", "≤", "≥", "than", "least", "most"});
}

// Whether a text at this token is another value of the name, not prose: one word in small letters, or one of its texts.
bool Reader::is_value_of(const Expr& of, std::size_t i) const {
  if (i >= end_ || !tokens_[i].is_text() || !(of.is_name() || of.is(Kind::field))) return false;
  const std::string text = as_text(tokens_[i].shown);
  const auto known = facts_.values.find(of.text);
  if (known != facts_.values.end())
    return std::find(known->second.begin(), known->second.end(), text) != known->second.end();
  return std::all_of(text.begin() + 1, text.end() - 1,
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; });
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

const BoundWords* Reader::bound_at(std::size_t i, BoundWords::Place place, std::uint8_t readers) const {
  return bound_words(readers, place, [this, i](std::size_t k) {
    const Token& t = tokens_[i + k];
    return i + k < end_ && t.kind == Token::Kind::word ? in_lower_case(t.shown) : std::string();
  });
}

// What a comparison is about that does not say so: the one declared number that the words beside it mean (older than 18),
// or those of the declaration, or else what the comparison before it is about, or the only number that there is. `end`:
// behind the comparison.
std::string_view Reader::unnamed_subject(std::size_t end) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kMeasures = {
      {{"older younger old young aged adult", "age"},
       {"longer shorter long short", "length duration size"},
       {"later late earlier early", "late delay"},
       {"heavier lighter heavy", "weight mass"},
       {"taller tall", "height"},
       {"cheaper cheap expensive", "price cost"},
       {"faster slower fast slow", "speed"},
       {"small big large tiny huge smaller bigger larger", "size area"},
       {"warmer colder hotter cooler warm cold hot cool", "temperature"}}};
  const auto within = [](std::string_view all, std::string_view word) {
    return !word.empty() && (" " + std::string(all) + " ").find(" " + std::string(word) + " ") != std::string::npos;
  };
  std::size_t head = at_;
  while (head > 0 && !tokens_[head].starts) --head;
  const bool of_value = !among(tokens_[head].shown, {"deduction", "bonus", "gate", "flag"});
  const std::string_view declared = of_value ? tokens_[head + 1].shown : std::string_view();
  const auto number = [&](std::string_view name) {
    return (facts_.shape(name) == Shape::number || facts_.shape(name) == Shape::unknown) && name != declared;
  };
  // The one name of which a part is among the words; empty: none, or several.
  const auto meant = [&](std::string said) {
    for (const auto& [measuring, measured] : kMeasures) {
      for (std::size_t from = 0; from < measuring.size();) {
        const std::size_t stop = std::min(measuring.find(' ', from), measuring.size());
        if (within(said, measuring.substr(from, stop - from))) said += " " + std::string(measured);
        from = stop + 1;
      }
    }
    std::string_view subject;
    std::size_t count = 0;
    for (const std::string_view name : facts_.values_of_record) {
      bool found = within(said, name);
      for (std::size_t from = 0; from <= name.size() && !found;) {
        const std::size_t stop = std::min(name.find('_', from), name.size());
        found = within(said, name.substr(from, stop - from));
        from = stop + 1;
      }
      if (found && number(name)) subject = name, ++count;
    }
    return count == 1 ? subject : std::string_view();
  };
  const auto words = [&](std::size_t from, std::size_t to) {
    std::string said;
    for (std::size_t i = from; i < to; ++i) {
      for (const char c : in_lower_case(tokens_[i].shown))
        said += c == '_' || c == '"' || c == ',' || c == '.' ? ' ' : c;
      said += ' ';
    }
    return said;
  };
  if (const std::string_view beside = meant(words(at_, end)); !beside.empty()) return beside;
  std::size_t behind = end;
  while (behind < tokens_.size() && !tokens_[behind].starts && !tokens_[behind].is_text()) ++behind;
  const std::string prose = tokens_[behind].is_text() ? words(behind, behind + 1) : std::string();
  for (const std::string& said : {words(head + 1, head + 2), prose}) {
    if (const std::string_view named = meant(said); !named.empty()) return named;
  }
  doubtful_ = true;
  const auto compared = [&](std::size_t i) {
    return facts_.values_of_record.count(tokens_[i].shown) != 0 && number(tokens_[i].shown) &&
           !comparison_sign(tokens_[i + 1].shown).empty() && tokens_[i + 2].kind == Token::Kind::number;
  };
  for (std::size_t i = at_; i-- > 0;) {
    if (compared(i)) return tokens_[i].shown;
  }
  std::string_view only;
  for (const std::string_view name : facts_.values_of_record) {
    if (!number(name)) continue;
    if (!only.empty()) return {};
    only = name;
  }
  return only;
}

// older than 18, at least 65 years old, >= 10, between 3 and 5; kind none: nothing says of what.
Expr Reader::without_subject() {
  const std::size_t begin = at_;
  const BoundWords* bound = bound_at(at_, BoundWords::before, BoundWords::sentences);
  const std::size_t number = bound != nullptr ? at_ + bound->count() : at_ + 1;
  const std::string_view op = bound != nullptr ? bound->op : comparison_sign(tokens_[at_].shown);
  if (tokens_[number].kind == Token::Kind::number && is_word(number + 1) &&
      facts_.values_of_record.count(tokens_[number + 1].shown) != 0 && !op.empty()) {  // over 10 smells
    at_ = number + 2;
    return binary(op, atom(tokens_[number + 1].shown), atom(tokens_[number].shown));
  }
  Expr left = atom("x"), result;
  if (conditions_++; !comparison_with(left, result) || failed_) result = {};
  --conditions_;
  if (result.is(Kind::none)) return at_ = begin, Expr{};
  std::size_t behind = at_;  // of words that belong to it: years old
  for (; behind < at_ + 2 && is_word(behind) && !new_line(behind) && !is_reserved(tokens_[behind].shown); ++behind) {}
  at_ = begin;
  const std::string_view subject = unnamed_subject(behind);
  if (subject.empty()) return {};
  at_ = behind;
  substitute(result, "x", atom(subject));
  return result;
}

// at least 2 marks >= 4, more than 3 of the tags; kind none: another form.
Expr Reader::how_many() {
  const BoundWords* words = bound_at(at_, BoundWords::before, BoundWords::sentences);
  std::size_t number = words != nullptr ? at_ + words->count() : at_;
  if (words == nullptr || tokens_[number].kind != Token::Kind::number) return {};
  std::size_t of = number + 1;
  while (among(tokens_[of].shown, {"of", "the", "all"})) ++of;
  const std::string_view written = tokens_[number].shown;
  if (!is_word(of) || !is_list(atom(tokens_[of].shown))) return without_subject();
  at_ = of;
  Expr list_ = operand(), asked;
  take({"that", "which", "who"});
  const bool joined = take({"with", "where", "whose", "when", "having", "have", "for"});
  Expr left = atom("x");
  if (!comparison_with(left, asked) && !failed_ && (joined || (begins_value(at_) && !tokens_[at_].is_text())) &&
      !one({"and", "or"}) && !new_line(at_))  // a text is the reason
    asked = condition();
  if (failed_) return {};
  if (written.ends_with('%')) {  // more than 50% of votes
    if (asked.is(Kind::none)) asked = atom("x");
    Expr part = aggregate_over("count", Expr{}, list_, std::move(asked), {});
    return binary(words->op, binary("/", std::move(part), call("count", {std::move(list_)})), atom(written));
  }
  return binary(words->op, aggregate_over("count", Expr{}, std::move(list_), std::move(asked), {}), atom(written));
}

// 10% more than market, 20 percent below the mean: 110% * market.
Expr Reader::relative_limit() {
  std::size_t behind = at_ + 1;
  std::string share(tokens_[at_].shown);
  if (share.ends_with('%')) share.pop_back();
  else if (among(tokens_[behind].shown, {"percent", "%"})) ++behind;
  else return {};
  const bool more = among(tokens_[behind].shown, {"more", "higher", "above", "over", "greater", "larger", "longer"});
  const bool less = among(tokens_[behind].shown, {"less", "lower", "below", "under", "fewer", "smaller", "shorter"});
  if (tokens_[at_].kind != Token::Kind::number || behind >= end_ || (!more && !less)) return {};
  at_ = behind + 1;
  take({"than"});
  take({"the"});
  const Expr of = fallback();
  if (failed_ || of.is_literal()) return fail();
  const bool whole = share.size() < 4 && share.find_first_not_of("0123456789") == share.npos;
  if (whole) share = std::to_string(100 + (more ? 1 : -1) * std::stoi(share)) + "%";
  Expr factor = whole ? atom(share) : Expr();
  if (!whole) factor = Expr{Kind::paren, {}, {binary(more ? "+" : "-", atom("100%"), atom(share + "%"))}, {}};
  return binary("*", std::move(factor), of);
}

// "a", "b" or "c", in any brackets or none; a name of a list alone.
Expr Reader::alternatives() {
  const std::size_t close = one({"(", "[", "{"}) ? tokens_[at_].partner : kNone;
  if (close != kNone) ++at_;
  Expr items = list({});
  do {
    take({"or", "either"});
    items.parts.push_back(sum());
  } while (!failed_ && (close == kNone || at_ < close) && take({",", ";", "|", "or", "||", "nor"}));
  if (failed_ || (close != kNone && at_++ != close)) return fail();
  const Expr& only = items.parts[0];
  return items.parts.size() == 1 && !only.is_literal() && is_list(only) ? Expr(only) : items;
}

// Behind 'in': a range, a list, a text; kind none: it cannot be read.
Expr Reader::member_of(const Expr& left) {
  const std::size_t open = at_;
  if ((is("[") || is("(")) && tokens_[at_].partner == kNone) {  // [0, 10)
    ++at_;
    Expr low = sum();
    if (!take({",", ".."})) return fail();
    Expr high = sum();
    const bool strict = is(")");
    if (!take({")", "]"})) return fail();
    if (low.is_text() && high.is_text())  // ("a", "b"]
      return binary("in", left, list({std::move(low), std::move(high)}));
    return binary("and", binary(tokens_.is(open, "(") ? ">" : ">=", left, std::move(low)),
                  binary(strict ? "<" : "<=", left, std::move(high)));
  }
  Expr right;
  if (one({"range", "RANGE"}) && tokens_.is(at_ + 1, "(")) {
    std::vector<Expr> ends;
    ++at_;
    if (!arguments(ends) || ends.empty() || ends.size() > 2) return fail();
    right = binary("..", ends.size() == 2 ? ends[0] : atom("0"), one_less(ends.back()));
    const bool named = left.is_name() || left.is(Kind::field);
    doubtful_ = doubtful_ || (named && facts_.shape(left.text) == Shape::number && facts_.whole.count(left.text) == 0);
  } else {
    take({"range", "the"});
    right = range();
    if (is("<") && tokens_.is(at_ - 1, "..")) {  // 2..<5, of Swift
      ++at_;
      return binary("and", binary(">=", left, std::move(right)), binary("<", left, sum()));
    }
    if (take({"to"})) right = binary("..", std::move(right), sum());
  }
  if (right.is(Kind::list) && left.is_name() && facts_.shape(left.text) == Shape::number) {  // n in ["1", "2"]
    for (Expr& item : right.parts) {
      const std::string digits = item.is_text() ? item.text.substr(1, item.text.size() - 2) : std::string();
      if (!digits.empty() && digits.find_first_not_of("0123456789.") == digits.npos) item = atom(digits);
    }
  }
  if (right.is(Kind::list) && right.parts.size() > 1 && !facts_.plain) {  // tel in ["", null]
    const auto absent = std::remove_if(right.parts.begin(), right.parts.end(),
                                       [](const Expr& item) { return item.text == "missing" && item.is(Kind::atom); });
    if (absent != right.parts.end()) {
      right.parts.erase(absent, right.parts.end());
      Expr given = right.parts.size() == 1 ? binary("==", left, right.parts[0]) : binary("in", left, std::move(right));
      if (left.is_name() && facts_.shape(left.text) != Shape::unknown && !facts_.may_be_missing(left.text))
        return given;
      return binary("or", std::move(given), test(left, "is missing"));
    }
  }
  const Expr& inner = bare(right);
  if (inner.is(Kind::list) || right.is(Kind::paren) || inner.is(Kind::binary)) right = Expr(inner);
  const Shape shape = left.is_name() ? facts_.shape(left.text) : Shape::unknown;
  if (right.is_text() && (shape == Shape::list || shape == Shape::map))  // the other way round
    return binary("in", std::move(right), left);
  // 10.20, for 10..20: a list of one number is never meant.
  if (const std::size_t point = right.is_number() ? right.text.find('.') : right.text.npos; point != right.text.npos) {
    const std::string low = right.text.substr(0, point), high = right.text.substr(point + 1);
    constexpr std::size_t kDigits = 9;
    if (low.empty() || low.size() > kDigits || high.size() > kDigits || high.empty() || high[0] == '0' ||
        high.find_first_not_of("0123456789") != high.npos || std::stoi(low) >= std::stoi(high))
      return fail();
    return binary("in", left, binary("..", atom(low), atom(high)));
  }
  // in 1, 5 and in (1, 5): two values, or the ends of a range
  const bool pair = right.is_number() && !is_text_like(left, facts_) && is(",") && !new_line(at_) &&
                    tokens_[at_ + 1].kind == Token::Kind::number;
  if (pair) {
    right = list({std::move(right)});
    while (take(",")) right.parts.push_back(sum());
  }
  if (right.is(Kind::list) && right.parts.size() == 2 && (pair || tokens_.is(open, "(")) && right.parts[0].is_number())
    doubtful_ = true;
  if (right.is_text() && shape == Shape::text && facts_.values.count(left.text) == 0 && !is(",")) {  // s in "bus stop"
    doubtful_ = true;
    return call("contains", {std::move(right), left});
  }
  if (right.is_literal() && !right.is(Kind::list)) {
    right = list({std::move(right)});
    const auto more = [&] {  // level in "low", "medium"; n in 1, 2, 5
      return is(",") && ((shape == Shape::text && tokens_[at_ + 1].is_text()) ||
                         (shape == Shape::number && tokens_[at_ + 1].kind == Token::Kind::number && !is_word(at_ + 2)));
    };
    while (more()) {
      ++at_;
      right.parts.push_back(fallback());
    }
  }
  if (right.is(Kind::list) && right.parts.size() == 2 && !tokens_.is(open, "[") && shape == Shape::number &&
      right.parts[0].is_number() && right.parts[1].is_number() && facts_.whole.count(left.text) == 0)
    doubtful_ = true;                                                   // x in (1, 5): one of both, or between them
  if (shape == Shape::list && right.is(Kind::list) && !left.is_text())  // tags in ["a", "b"]
    return call("any", {loop(binary("in", atom("x"), std::move(right)), "x", left)});
  const bool in_text = !right.is_text() && is_text_like(right, facts_);
  right = choice_value(left, std::move(right));
  if (in_text) return call("contains", {std::move(right), left});
  return in_one_case(binary("in", left, std::move(right)));
}

// is, in, between, contains, like, matches, and what denies them.
bool Reader::compared_in_words(Expr& left, Expr& result) {
  const auto done = [&](Expr e) {
    result = result.is(Kind::none) ? std::move(e) : binary("and", std::move(result), std::move(e));
    return true;
  };
  // x is at least 4, x must not be below 4
  std::size_t said = at_;
  while (said < end_ &&
         (among(tokens_[said].shown, {"is", "are", "was", "be", "must", "should", "shall", "has", "have", "needs"}) ||
          (said > at_ && tokens_.is(said, "to"))))
    ++said;
  const BoundWords* bound =
      said > at_ || conditions_ > 0 ? bound_at(said, BoundWords::before, BoundWords::sentences) : nullptr;
  if (bound != nullptr && begins_value(said + bound->count()) && !facts_.declares(tokens_[said].shown)) {
    at_ = said + bound->count();
    if (Expr limit = relative_limit(); !limit.is(Kind::none)) return done(binary(bound->op, left, std::move(limit)));
    return done(binary(bound->op, left, choice_value(left, fallback())));
  }
  if (said > at_ && said < end_ && one({"must", "should", "shall", "has", "needs"}) && !tokens_[said].is_text() &&
      !comparison_sign(tokens_[said].shown).empty()) {  // to must be after from
    at_ = said;
    return compared(left, result, comparison_sign(tokens_[said].shown));
  }
  if (one({"is", "IS", "Is"})) return done(is_test(left));
  const bool denied = one({"not", "NOT", "Not", "!"}) && !new_line(at_);
  const std::size_t word = denied ? at_ + 1 : at_;
  if (denied && word < end_ && among(tokens_[word].shown, {"<", "<=", ">", ">="})) {  // x not > 5
    at_ = word + 1;
    return done(negated(binary(tokens_[word].shown, left, fallback())));
  }
  if (denied && word < end_ && tokens_[word].is_text() && !is("!")) {  // x not "a"
    at_ = word;
    return done(binary("!=", left, choice_value(left, fallback())));
  }
  const auto behind = [&](std::initializer_list<std::string_view> words) {
    if (word >= end_ || tokens_[word].is_text() || !among(tokens_[word].shown, words)) return false;
    at_ = word + 1;
    return true;
  };
  const auto maybe = [&](Expr e) { return done(denied ? negated(std::move(e)) : std::move(e)); };
  if (tokens_.is(word, "within") && tokens_[word + 1].kind == Token::Kind::number && tokens_.is(word + 2, "of")) {
    at_ = word + 3;  // n within 2 of m
    Expr apart = call("abs", {binary("-", left, sum())});
    return maybe(binary("<=", std::move(apart), atom(tokens_[word + 1].shown)));
  }
  if (behind({"in", "IN", "In", "∈", "within"})) {
    Expr e = member_of(left);
    return failed_ ? false : maybe(std::move(e));
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
      two = two || among(tokens_[i].shown, {",", "and", "AND", "to"});
    if (two) ++at_;
    Expr low = sum();
    if (!take({"and", "AND", "to", "&", ",", "-", ".."})) fail();
    Expr high = sum();
    take({"inclusive", "included"});
    if (two && at_ != tokens_[open].partner) return fail(), false;
    if (two) ++at_;
    const auto end = [](const Expr& e) { return std::strtod(write(e).c_str(), nullptr); };
    if (low.is_number() && high.is_number() && end(low) > end(high)) {  // between 5 and 1
      doubtful_ = true;
      std::swap(low, high);
    }
    return maybe(binary("in", left, binary("..", std::move(low), std::move(high))));
  }
  if (behind({"contains", "includes", "has", "CONTAINS", "include"})) {
    if (is_list(left) && take({"no", "none", "nothing"})) {  // tags has no entries
      if (is_word(at_) && !facts_.declares(tokens_[at_].shown) && !is_reserved(tokens_[at_].shown)) ++at_;
      return maybe(binary("==", call("count", {left}), atom("0")));
    }
    Expr right = sum();
    const bool text = (left.is_name() || left.is(Kind::field)) && facts_.shape(left.text) == Shape::text;
    return maybe(text ? call("contains", {left, std::move(right)}) : binary("in", std::move(right), left));
  }
  if (behind({"like", "LIKE", "ilike", "ILIKE"})) {
    const bool any_case = in_lower_case(tokens_[at_ - 1].shown) == "ilike";
    Expr pattern = fallback();
    if (!pattern.is_text()) return fail(), false;
    const std::string_view inside = std::string_view(pattern.text).substr(1, pattern.text.size() - 2);
    const bool stars = inside.find('%') == inside.npos && inside.find_first_of("*?") != inside.npos;
    Expr e = of_wildcards(left, inside, stars ? '*' : '%', stars ? '?' : '_');
    return e.is(Kind::none) ? (fail(), false) : maybe(any_case ? in_any_case(std::move(e)) : in_one_case(std::move(e)));
  }
  const bool any_case = is("~") && tokens_.is(at_ + 1, "*") && tokens_[at_ + 2].is_text();  // of SQL
  const bool tilde = is("~") && (any_case || tokens_[at_ + 1].is_text());
  if (is("=~") || tilde || behind({"matches", "rlike", "RLIKE", "REGEXP", "regexp"})) {
    take({"=~", "~"});
    if (any_case) take("*");
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
    return maybe(any_case ? in_any_case(std::move(e)) : std::move(e));
  }
  return false;
}

// After 'is'.
Expr Reader::is_test(Expr left) {
  if (left.is_text() && tokens_[at_ + 1].is_text()) return fail();  // "n "is" {n}": one text
  ++at_;
  const bool denied = take({"not", "NOT", "Not"});
  if (denied && is("true") && left.is_name() && facts_.may_be_missing(left.text)) {  // of SQL: or missing
    ++at_;
    return negated(Expr{Kind::paren, {}, {binary("default", std::move(left), atom("false"))}, {}});
  }
  const auto maybe = [denied](Expr e) { return denied ? negated(std::move(e)) : e; };
  if (!denied && take({"neither"})) {  // x is neither "a" nor "b"
    Expr of = choice_value(left, alternatives());
    if (failed_ || !of.is(Kind::list)) return fail();
    return binary("not in", std::move(left), std::move(of));
  }
  const bool none_of = tokens_.is(at_ + 1, "of");
  if (!none_of && is_list(left) && take({"none", "nothing"}))
    return maybe(binary("==", call("count", {std::move(left)}), atom("0")));
  if (!none_of && take(kNothing)) return test_given(std::move(left), denied);
  if (take({"given", "set", "defined", "present", "known"})) return test_given(std::move(left), !denied);
  if (take({"empty", "blank", "EMPTY"})) {
    const Shape shape = left.is_name() || left.is(Kind::field) ? facts_.shape(left.text) : Shape::unknown;
    if (shape == Shape::text) return empty_text(left, !denied, facts_);
    if (shape == Shape::list || shape == Shape::records || shape == Shape::map)
      return maybe(binary("==", call("count", {std::move(left)}), atom("0")));
    return maybe(test(std::move(left), "is missing"));
  }
  if (one({"even", "odd"})) {
    const Expr rest = atom(is("even") ? "0" : "1");
    ++at_;
    return maybe(binary("==", call("mod", {std::move(left), atom("2")}), rest));
  }
  if (is("{") && tokens_[at_].partner != kNone && tokens_[at_].partner < end_) {  // a record with these fields
    at_ = tokens_[at_].partner + 1;
    return maybe(test(std::move(left), "is record"));
  }
  Expr kinds;
  while (one(kKinds)) {  // is text, is list of number, is text or number
    Expr one_kind = test(left, "is " + std::string(tokens_[at_++].shown));
    while (take("of")) at_ = tokens_.behind(at_);
    kinds = kinds.is(Kind::none) ? std::move(one_kind) : binary("or", std::move(kinds), std::move(one_kind));
    if (!is("or") || !among(tokens_[at_ + 1].shown, kKinds)) break;
    ++at_;
  }
  if (!kinds.is(Kind::none)) return maybe(std::move(kinds));
  const bool none = is("none") && tokens_.is(at_ + 1, "of");
  if (none || one({"one", "any", "either", "among"})) {
    if (tokens_.is(at_ + 1, "of")) ++at_;
    ++at_;
    Expr of = choice_value(left, alternatives());
    if (failed_) return {};
    return in_one_case(binary(denied || none ? "not in" : "in", std::move(left), std::move(of)));
  }
  if (one({"in", "IN", "between", "BETWEEN"})) {
    Expr result;
    if (!comparison_with(left, result)) return fail();
    return maybe(std::move(result));
  }
  Expr right = choice_value(left, fallback());
  if (const BoundWords* words = bound_at(at_, BoundWords::behind, BoundWords::sentences); words && right.is_number()) {
    at_ += words->count();  // x is 5 or more
    return maybe(binary(words->op, std::move(left), std::move(right)));
  }
  if (Expr several = numbers_in_a_row(right); !several.is(Kind::none))
    return binary(denied ? "not in" : "in", std::move(left), std::move(several));
  if (right.text == "true") return maybe(std::move(left));
  if (right.text == "false") return denied ? left : negated(std::move(left));
  return binary(denied ? "!=" : "==", std::move(left), std::move(right));
}

Expr of_kind(Expr value, const Expr& kind) {
  struct KindName {
    std::string_view words, kind;
  };
  static constexpr KindName kKindNames[] = {
      {" int integer Int Integer ", "whole"}, {" float number Number double decimal complex ", "number"},
      {" str string String text ", "text"},   {" bool boolean Boolean ", "bool"},
      {" list tuple array Array ", "list"},   {" dict object Object map ", "map"},
      {" undefined null ", "missing"}};
  const Expr& inner = bare(kind);
  const Expr& first = inner.is(Kind::list) && !inner.parts.empty() ? inner.parts[0] : inner;
  const std::string name = first.is_text() ? first.text.substr(1, first.text.size() - 2) : first.text;
  for (const KindName& row : kKindNames) {
    if (row.words.find(" " + name + " ") != row.words.npos)
      return test(std::move(value), "is " + std::string(row.kind));
  }
  return {};
}

}  // namespace assay::mending
