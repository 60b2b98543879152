// What words and values mean as conditions: the truth of a number, a comparison that is said of several numbers, words
// that deny what follows.
#include "lang/mend/foreign/reader.hpp"

#include "lang/text/bounds.hpp"

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

constexpr std::string_view kTruth = "truth";       // marks 'x != 0' where only 'x' is written
constexpr std::string_view kUntrue = "untrue";     // and 'x == 0' where 'not x' is
constexpr std::string_view kOpposite = "against";  // and 'x <= 5' where 'not x > 5' is

bool marked(const Expr& e, std::string_view mark) {
  return e.is(Kind::binary) && !e.names.empty() && e.names[0] == mark;
}

Expr& first_of(Expr& e) {
  Expr* first = &e;
  while (first->is(Kind::binary) && first->text == "and") first = &first->parts[0];
  return *first;
}

// The last of the conditions that 'and' and 'or' join outside of brackets.
Expr& last_of(Expr& e, std::initializer_list<std::string_view> joints) {
  Expr* last = &e;
  while (last->is(Kind::binary) && among(last->text, joints)) last = &last->parts[1];
  return *last;
}

}  // namespace

bool limits(const Expr& e) {
  if (!e.is(Kind::binary) || marked(e, kTruth) || marked(e, kUntrue)) return false;
  const Expr& of = bare(e.parts[1]);
  if (among(e.text, {"in", "not in"}))
    return of.is(Kind::binary) && of.text == ".." && of.parts[0].is_number() && of.parts[1].is_number();
  return !comparison_sign(e.text).empty() && of.is_number();
}

// 'if items', where only a condition can stand: for a name of known shape.
Expr Reader::truth(Expr e) {
  const Expr& inner = bare(e);
  if (inner.is(Kind::unary) && inner.text == "not") return negated(truth(inner.parts[0]));
  const std::string_view name =
      inner.is_name() || inner.is(Kind::field) ? std::string_view(inner.text) : std::string_view();
  if (name.empty()) return e;
  const bool own = inner.is_name() || (facts_.is_field(name) && !facts_.declares(name));
  const bool optional = facts_.may_be_missing(name) && own;
  doubtful_ = doubtful_ || (optional && facts_.shape(name) == Shape::number);  // 0 is no truth, in other languages
  if (optional && (facts_.shape(name) == Shape::number || facts_.shape(name) == Shape::text))
    return test(inner, "is given");  // !note, of one that may be missing
  switch (facts_.shape(name)) {
    case Shape::list:
    case Shape::records:
    case Shape::map: return binary(">", call("count", {inner}), atom("0"));
    case Shape::number: {
      Expr made = binary("!=", inner, atom("0"));
      made.names.emplace_back(kTruth);
      return made;
    }
    case Shape::text: return binary("!=", inner, atom("\"\""));
    default: return e;
  }
}

// any(r.text for r in reviews), where the text of a review is no condition.
Expr Reader::asked_of_items(Expr e) {
  const bool asks = !facts_.plain && e.is(Kind::call) && among(e.text, {"any", "all"}) && e.parts.size() == 1 &&
                    e.parts[0].is(Kind::loop) && e.parts[0].text.empty();
  if (asks) e.parts[0].parts[0] = truth(std::move(e.parts[0].parts[0]));
  return e;
}

// The words that deny what follows, with a comma before them: unless, except when; 0: there are none.
std::size_t Reader::denial() const {
  if (failed_ || at_ >= end_ || new_line(at_)) return 0;
  const std::size_t word = is(",") ? at_ + 1 : at_;
  const std::size_t behind = word + negative_words(tokens_, word);
  const bool limits = tokens_.is(word, "but") && bound_at(behind, BoundWords::before, BoundWords::sentences) != nullptr;
  return behind == word || behind >= end_ || limits || facts_.declares(tokens_[word].shown) ? 0 : behind - at_;
}

// Whether only a condition behind them shows that the words at a token deny it: without x, except x, but not x.
bool Reader::weak_denial(std::size_t i) const {
  const std::size_t word = tokens_.is(i, ",") ? i + 1 : i;
  const std::size_t last = word + negative_words(tokens_, word) - 1;
  return !tokens_.is(word, "unless") && !among(tokens_[last].shown, {"when", "if", "where"});
}

// Whether the words at a token leave out what they name: 'late but not ill' is both, where 'unless' and 'except' exempt.
bool Reader::excludes(std::size_t i) const {
  return among(tokens_[tokens_.is(i, ",") ? i + 1 : i].shown, {"but", "without"});
}

// Whether a value stands directly behind a number: 2(a + b), 0.5 width. Behind a comparison it may belong to another one.
bool Reader::factor_beside() const {
  if (is("(")) return touches(at_) && !behind_comparison(at_ - 1);
  if (!is_word(at_) || !facts_.declares(tokens_[at_].shown) || facts_.shape(tokens_[at_].shown) == Shape::condition)
    return false;
  return !behind_comparison(at_ - 1) ||
         (facts_.shape(tokens_[at_].shown) == Shape::number && comparison_sign(tokens_[at_ + 1].shown).empty());
}

// Whether it is an input of 0 to 1.
bool Reader::is_share(const Expr& e) const {
  const std::size_t input = e.is_name() ? tokens_.declaration({"input"}, e.text) : kNone;
  if (input == kNone) return false;
  std::size_t i = input;
  while (i + 1 < tokens_.size() && !tokens_.is(i, "..") && !tokens_[i + 1].starts) ++i;
  return tokens_.is(i - 1, "0") && tokens_.is(i, "..") && tokens_.is(i + 1, "1");
}

// Two conditions together. 'maths and german >= 50' is said of both numbers.
Expr Reader::both(std::string_view sign, Expr left, Expr right) {
  Expr& last = last_of(left, {sign});
  if (marked(last, kUntrue) && limits(right)) {  // not n or m > 5: 'not' is said of both, too
    doubtful_ = true;
    Expr first = std::move(last);
    share(first, right);
    last = negated(binary(sign, std::move(first), std::move(right)));
    return left;
  }
  Expr& first = sign == "or" && right.is(Kind::binary) && right.text == "and" ? first_of(right) : right;
  Expr& end = sign == "or" && left.is(Kind::binary) && left.text == "and" ? last_of(left, {"and"}) : last;
  if (limits(first) && has_truth(left)) {
    const bool one = share(left, first), open = sign == "or" && among(first.text, {"!=", "not in"});
    doubtful_ = doubtful_ || !one || open || &first != &right || marked(right, kOpposite) || left.text == "and";
    if (&first == &right) return binary(sign, std::move(left), std::move(right));
    first = binary("or", std::move(left), std::move(first));  // n or m > 5 and late
    return right;
  }
  if (limits(right) && &end != &last && has_truth(end)) {  // late and n or m > 5
    doubtful_ = true;
    share(end, right);
    end = binary("or", std::move(end), std::move(right));
    return left;
  }
  if (limits(last) && has_truth(right)) {
    share(right, last);
    doubtful_ = true;
  }
  return binary(sign, std::move(left), std::move(right));
}

bool Reader::has_truth(const Expr& e) {
  const Expr& inner = bare(e);
  if (!inner.is(Kind::binary)) return false;
  if (among(inner.text, {"and", "or"})) return has_truth(inner.parts[0]) && has_truth(inner.parts[1]);
  return marked(inner, kTruth);
}

// not x, marked for what is said of several values.
Expr Reader::opposite(Expr e) {
  Expr made = negated(std::move(e));
  if (made.is(Kind::binary)) made.names = {std::string(marked(made, kTruth) ? kUntrue : kOpposite)};
  return made;
}

// The numbers whose truth would be asked for are compared, too; whether they certainly belong together: one declaration
// has them all.
bool Reader::share(Expr& e, const Expr& of) const {
  if (e.is(Kind::paren)) e = Expr(bare(e));
  if (among(e.text, {"and", "or"})) {
    const bool left = share(e.parts[0], of);
    return share(e.parts[1], of) && left;
  }
  e = binary(marked(of, kOpposite) ? negated(of).text : of.text, e.parts[0], of.parts[1]);
  const std::size_t input = tokens_.declaration({"input"}, e.parts[0].text);
  return input != kNone && input == tokens_.declaration({"input"}, of.parts[0].text);
}

// Behind 'or': another limit of what the comparison before it is about, x < 1 or > 5. What that denies is denied of both:
// x is not below 1 or above 5. False, and nothing read: something else.
bool Reader::alternative(Expr& left) {
  Expr& last = last_of(left, {"or"});
  const Expr before = bare(last);
  if (at_ >= end_ || !before.is(Kind::binary) ||
      (comparison_sign(before.text).empty() && !among(before.text, {"in", "not in"})))
    return false;
  std::string_view sign = comparison_sign(tokens_[at_].shown);
  std::size_t words = 1;
  if (const BoundWords* bound = bound_at(at_, BoundWords::before, BoundWords::sentences); sign.empty() && bound) {
    words = bound->count();
    const std::size_t number = at_ + words;
    if (tokens_[number].kind == Token::Kind::number &&
        !(is_word(number + 1) && facts_.declares(tokens_[number + 1].shown)))
      sign = bound->op;
  }
  if (sign.empty()) return false;
  at_ += words;
  Expr other = binary(sign, before.parts[0], fallback());
  doubtful_ = doubtful_ || before.text == "not in";
  if (marked(before, kDenied)) last = binary("and", before, negated(std::move(other)));
  else left = binary("or", std::move(left), std::move(other));
  return true;
}

// Behind 'or': another value of the comparison before it. x == "a" or "b", late and x in [1, 2] or 3, "a" in tags or "b",
// and "a" or "b" in tags.
bool Reader::another_value(Expr& left, Expr& right) {
  if (left.is_text() && !right.is_literal()) {
    Expr asked = asked_as(right, left);
    if (asked.is_text()) return false;
    left = binary("or", std::move(asked), std::move(right));
    return true;
  }
  Expr& last = last_of(left, {"and", "or"});
  Expr before = bare(last);
  if (!right.is_literal() || among(right.text, {"true", "false"}) || !before.is(Kind::binary)) return false;
  const bool literal = before.parts[1].is_literal();
  if (before.text == "in" && before.parts[0].is_text() && right.is_text()) {
    last = binary("or", before, binary("in", std::move(right), before.parts[1]));
  } else if (among(before.text, {"in", "not in"}) && before.parts[1].is(Kind::list) &&
             (before.parts[0].is_name() || before.text == "not in")) {
    before.parts[1].parts.push_back(std::move(right));
    last = std::move(before);
  } else if ((literal || right.is_number()) && (before.text == "==" || (before.text == "!=" && literal))) {
    last = binary(before.text == "==" ? "in" : "not in", before.parts[0], list({before.parts[1], std::move(right)}));
  } else {
    return false;
  }
  return true;
}

// n == 1, 2 or m, up to the end of the line: a list; kind none, and nothing read: something else follows.
Expr Reader::numbers_in_a_row(const Expr& first) {
  const auto number = [this](std::size_t i) {
    return tokens_[i].kind == Token::Kind::number || (is_word(i) && facts_.shape(tokens_[i].shown) == Shape::number);
  };
  const bool known = first.is_number() || (first.is_name() && facts_.shape(first.text) == Shape::number);
  // Behind '1 when n == 1, 2 when n == 2' a number may be another value.
  if (!known || (conditions_ > 0 && !asked_) || !is(",") || tokens_[at_ + 1].begin == tokens_[at_].end) return {};
  std::vector<Expr> items{first};
  std::size_t i = at_;
  for (bool last = false; !last && among(tokens_[i].shown, {",", "or"});) {
    last = tokens_.is(i, "or") || tokens_.is(i + 1, "or");
    i += tokens_.is(i, ",") && tokens_.is(i + 1, "or") ? 2 : 1;
    if (!number(i)) return {};
    items.push_back(atom(tokens_[i++].shown));
  }
  const Token& behind = tokens_[i];
  if (!behind.first && !behind.is_text() && behind.kind != Token::Kind::end) return {};
  at_ = i;
  return list(std::move(items));
}

// Behind 'and': x != "a" and "b".
bool Reader::denied_value(Expr& left, Expr& right) {
  const Expr before = bare(left);
  if (!right.is_literal() || among(right.text, {"true", "false"}) || !before.is(Kind::binary)) return false;
  if (before.text == "!=" && before.parts[1].is_literal()) {
    left = binary("not in", before.parts[0], list({before.parts[1], std::move(right)}));
  } else if (before.text == "not in" && before.parts[1].is(Kind::list)) {
    left = before;
    left.parts[1].parts.push_back(std::move(right));
  } else {
    return false;
  }
  return true;
}

// A text that is asked for as another one is: of "a" or "b" in tags; the text itself: no other one is asked for.
Expr Reader::asked_as(const Expr& other, Expr value) {
  const bool within = other.is(Kind::binary) && other.text == "in" && other.parts[0].is_text();
  if (within) return binary("in", std::move(value), other.parts[1]);
  const bool contains = other.is(Kind::call) && other.text == "contains" && other.parts[1].is_text();
  return contains ? call("contains", {other.parts[0], std::move(value)}) : std::move(value);
}

bool Reader::never_negative(const Expr& e) const {
  const Expr& inner = bare(e);
  if (inner.is(Kind::binary) && among(inner.text, {"+", "*", "/"}))
    return never_negative(inner.parts[0]) && never_negative(inner.parts[1]);
  if (inner.is(Kind::call) && among(inner.text, {"sum", "mean", "max", "min"}) && inner.parts.size() == 1)
    return never_negative(inner.parts[0]);
  if (inner.is(Kind::call)) return inner.text == "count";
  if (inner.is(Kind::loop)) return never_negative(inner.parts[0]);
  return inner.is_number() ? !inner.is(Kind::unary) : facts_.never_negative.count(inner.text) != 0;
}

// Behind a condition and its value: elif d: b elif e: c else f, or elif b if d else f.
Expr Reader::further_cases() {
  std::vector<std::pair<Expr, Expr>> read;  // each with its condition
  Expr last;
  while (!failed_ && take({"elif", "elsif", "elseif"})) {
    Expr next = expression();
    if (failed_ || !is_condition(next, facts_)) {
      last = std::move(next);
      break;
    }
    take({"then", ":"});
    read.emplace_back(operand(), std::move(next));
    take({",", ";"});
  }
  if (last.is(Kind::none) && take({"else", "otherwise"})) {
    take(":");
    last = expression();
  }
  if (failed_) return {};
  for (std::size_t i = read.size(); i-- > 0;)
    last = choice(std::move(read[i].first), std::move(read[i].second), std::move(last));
  return last;
}

// "many" n > 5 else "few"; 5 after day 10: a choice whose 'when' is another word, or missing. Kind none, and nothing read:
// none of these.
Expr Reader::choice_without_word(const Expr& value) {
  const std::size_t begin = at_;
  if (at_ >= end_ || new_line(at_) || (!value.is_text() && !value.is_number())) return {};
  static constexpr std::pair<std::string_view, std::string_view> kTimes[] = {
      {"after", ">"}, {"until", "<="}, {"before", "<"}, {"from", ">="}, {"since", ">="}};
  for (const auto& [word, sign] : kTimes) {
    if (!is(word) || !is_word(at_ + 1) || tokens_[at_ + 2].kind != Token::Kind::number ||
        facts_.shape(tokens_[at_ + 1].shown) != Shape::number)
      continue;
    at_ += 2;
    Expr of = atom(tokens_[at_ - 1].shown);
    Expr asked = binary(sign, std::move(of), number());
    take({"on", "onwards"});
    return choice(value, std::move(asked), take({"else", "otherwise"}) ? expression() : Expr{});
  }
  if (!value.is_text() || !is_word(at_) || !facts_.declares(tokens_[at_].shown)) return {};
  Expr asked = condition();
  if (!failed_ && is_condition(asked, facts_) && take({"else", "otherwise"}))
    return choice(value, std::move(asked), expression());
  at_ = begin, failed_ = false;
  return {};
}

// x or 0 if missing, x (0 if absent), x, defaulting to 0: the value with what stands for it; false: nothing of this kind.
bool Reader::fallback_in_words(Expr& value) {
  const std::size_t begin = at_;
  const auto drops = [this] { return one({"skip", "ignore", "skipped", "ignored"}); };  // of a dimension: no value
  if (value.is_literal() || new_line(at_)) return false;
  if (one({"if", "when"}) && among(tokens_[at_ + 1].shown, kAbsentWords) &&
      !tokens_.is(at_ + 2, "else")) {  // x if missing 0
    at_ += 2;
    take({"then", "use", ":", ","});
    if (at_ < end_ && begins_value(at_) && !new_line(at_) && !tokens_[at_].is_text() && !drops()) {
      value = binary("default", std::move(value), operand());
      return true;
    }
    at_ = begin;
  }
  if (conditions_ > 0) return false;
  const bool round = is("(") && !touches(at_);
  const bool comma = is(",");
  if (round || comma) ++at_;
  const bool leads =
      (one({"defaulting", "defaults", "falling", "fallback"}) || (comma && is("otherwise"))) && (++at_, true);
  if (!leads) take({"or", "else", "otherwise", "but"});
  take({"back"}), take({"to"}), take({"use"});
  Expr other;
  bool said = at_ < end_ && begins_value(at_) && !new_line(at_) && !one({"if", "when"}) && !drops();
  if (said) other = operand();
  if (said && !failed_ && take({"if", "when", "where"})) {
    while (one({"it", "is", "value", "the", "there", "are"}) ||
           (is_word(at_) && at_ + 1 < end_ && value.text == tokens_[at_].shown))
      ++at_;
    const bool denied = take("not");
    said = denied ? take({"given", "available", "known", "present", "provided", "there"})
                  : take(kAbsentWords) || take("none");
  } else {
    said = said && leads;
  }
  if (said && !failed_ && (!round || take(")"))) {
    value = binary("default", std::move(value), std::move(other));
    return true;
  }
  at_ = begin, failed_ = false;
  return false;
}

std::string negated_text(const std::string& condition) {
  const Tokens tokens(condition);
  const KnownNames names(tokens);
  Reader reader(tokens, names, 0, tokens.size() - 1);
  const Expr e = reader.condition();
  const auto plain = [](std::string text) {
    std::erase(text, ' ');
    return text;
  };
  const bool read = !reader.failed() && plain(write(e)) == plain(condition);  // otherwise it still is to be translated
  return read ? write(negated(e)) : "not (" + condition + ")";
}

// name || city, x or 5, where a value is asked for: SQL joins two texts, other languages take the first one that is
// filled. Kind none: they are conditions.
Expr Reader::first_filled(const Expr& left, const Expr& right, bool bars) {
  const auto shape = [this](const Expr& e) {
    if (e.is_number() || e.is_text()) return e.is_text() ? Shape::text : Shape::number;
    if (e.is(Kind::call) && e.text == "count") return Shape::number;
    const bool value = e.is_name() || e.is(Kind::field);
    return value ? facts_.shape(e.text) : Shape::unknown;
  };
  if (left.is(Kind::choice) && left.parts.size() == 3 && left.parts[1].text == "!=") {  // x || y || 5
    Expr rest = first_filled(left.parts[2], right, bars);
    return rest.is(Kind::none) ? rest : choice(left.parts[0], left.parts[1], std::move(rest));
  }
  const Shape of = shape(left);
  if (asked_ || conditions_ > 0 || is("?") || left.is_literal() || shape(right) != of ||
      (of != Shape::text && of != Shape::number) || (of == Shape::text && right.is_text()))
    return {};
  if (facts_.may_be_missing(left.text)) return binary("default", left, right);
  if (right.text == "0") return left;
  doubtful_ = true;
  if (of == Shape::text && bars) return binary("+", left, right);
  return choice(left, binary("!=", left, atom(of == Shape::text ? "\"\"" : "0")), right);
}

// 'x or "none"', 'x else 0': the value where x is missing. Fails where x is a condition, or never missing: a default
// would say nothing.
Expr Reader::otherwise_value(Expr e, Expr other) {
  const Expr& inner = bare(e);
  const bool named = inner.is_name() || inner.is(Kind::field);
  const bool known = named && facts_.shape(inner.text) != Shape::unknown && !facts_.may_be_missing(inner.text);
  const bool truth_value = known && facts_.shape(inner.text) == Shape::condition;
  if (inner.is_number()) return fail();                                          // 6 or 4: one of them
  const bool compares = (!named || truth_value) && is_condition(inner, facts_);  // x > 5 or 6: another limit
  if (compares || ((other.is_text() || other.is_name()) && (known || is_condition(inner, facts_)))) return fail();
  return binary("default", std::move(e), std::move(other));
}

}  // namespace assay::mending
