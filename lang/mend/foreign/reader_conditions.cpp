// What words and values mean as conditions: the truth of a number, a comparison that is said of several numbers, words
// that deny what follows.
#include "lang/mend/foreign/reader.hpp"

#include "lang/text/bounds.hpp"

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

constexpr std::string_view kTruth = "truth";  // marks 'x != 0' where only 'x' is written

}  // namespace

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
  const auto compares = [](const Expr& e) {
    return e.is(Kind::binary) && e.names.empty() && !comparison_sign(e.text).empty() && e.parts[1].is_number();
  };
  const Expr& last = left.is(Kind::binary) && left.text == sign ? left.parts[1] : left;
  if (compares(right) && has_truth(left)) {
    const Expr& of = right;
    if (!share(left, of)) doubtful_ = true;
  } else if (compares(last) && has_truth(right)) {
    const Expr of = last;
    share(right, of);
    doubtful_ = true;
  }
  return binary(sign, std::move(left), std::move(right));
}

bool Reader::has_truth(const Expr& e) {
  const Expr& inner = bare(e);
  if (!inner.is(Kind::binary)) return false;
  if (among(inner.text, {"and", "or"})) return has_truth(inner.parts[0]) && has_truth(inner.parts[1]);
  return !inner.names.empty() && inner.names[0] == kTruth;
}

// The numbers whose truth would be asked for are compared, too; whether they certainly belong together: one declaration
// has them all.
bool Reader::share(Expr& e, const Expr& of) const {
  if (e.is(Kind::paren)) e = Expr(bare(e));
  if (among(e.text, {"and", "or"})) {
    const bool left = share(e.parts[0], of);
    return share(e.parts[1], of) && left;
  }
  e = binary(of.text, e.parts[0], of.parts[1]);
  const std::size_t input = tokens_.declaration({"input"}, e.parts[0].text);
  return input != kNone && input == tokens_.declaration({"input"}, of.parts[0].text);
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
  const bool compares = (!named || truth_value) && is_condition(inner, facts_);  // x > 5 or 6: another limit
  if (compares || ((other.is_text() || other.is_name()) && (known || is_condition(inner, facts_)))) return fail();
  return binary("default", std::move(e), std::move(other));
}

}  // namespace assay::mending
