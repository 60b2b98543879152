// Operators and choices, from the loosest to the tightest. Each function reads one level of Assay's table of operators,
// in the notations that other languages have for it.
#include "lang/mend/foreign/reader.hpp"

#include <algorithm>
#include <cctype>

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

bool one_word(const Expr& text) {
  return std::all_of(text.text.begin() + 1, text.text.end() - 1,
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
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
  Expr e = chosen_items();
  if (e.is(Kind::none)) e = choice_of();
  --depth_;
  return failed_ ? Expr{} : e;
}

Expr Reader::condition() {
  constexpr int kMostDepth = 24;
  if (failed_ || ++depth_ > kMostDepth) return fail();
  ++conditions_;
  Expr e = truth(disjunction());
  for (std::size_t words = denial(); words > 0 && !failed_; words = denial()) {  // late unless ill
    const std::size_t begin = at_;
    at_ += words;
    Expr never = truth(disjunction());
    if (failed_ || (weak_denial(begin) && !is_condition(never, facts_))) {
      at_ = begin, failed_ = false;
      break;
    }
    const bool exempts = demanded_ && conditions_ == 1 && !excludes(begin);  // who is ill need not be early
    e = exempts ? binary("or", std::move(e), std::move(never)) : binary("and", std::move(e), negated(std::move(never)));
  }
  --conditions_, --depth_;
  return failed_ ? Expr{} : e;
}

// ---- choices

Expr Reader::choice_of() {
  if (lambda_begins()) return lambda();
  if (Expr e = whichever(); !e.is(Kind::none) || failed_) return e;
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
        (one({"match", "cond"}) || (is("switch") && !tokens_.is(tokens_[at_ + 1].partner + 1, "{"))))) {
    const std::size_t begin = at_;
    Expr chosen = begin == operand_ ? Expr{} : arms();
    const bool more = one({"+", "-", "*", "/", "<", ">", "<=", ">=", "==", "!="}) && !new_line(at_);
    const bool closed = among(tokens_[at_ - 1].shown, {"end", "END", "End"});
    if (failed_ || (begin != operand_ && !(more && closed))) return choice_behind(std::move(chosen));
    at_ = operand_ = begin;  // CASE … END + 1
  }
  Expr e = choice_behind(disjunction());
  const bool outermost = depth_ == 1 && !failed_ && !e.is(Kind::choice) && !e.is_literal();
  if (outermost && is("else") && !new_line(at_)) {  // max(xs) else 0
    ++at_;
    return otherwise_value(std::move(e), fallback());
  }
  return e;
}

// v when c else w, v if c else w, c ? v : w
Expr Reader::choice_behind(Expr value) {
  if (failed_) return {};
  if (is("?") && at_ + 1 < end_ && begins_value(at_ + 1)) {
    ++at_;
    Expr then = expression();
    if (!take(":")) return fail();
    const Expr& last = value.is(Kind::binary) ? bare(value.parts[1]) : value;
    if (value.is(Kind::binary) && among(value.text, {"+", "-", "*"}) && last.is(Kind::choice) &&
        last.parts.size() == 3 && last.parts[0].text == "1" &&
        last.parts[2].text == "0") {  // 1 + late ? 2 : 0, which is meant as 1 + (late ? 2 : 0)
      doubtful_ = true;
      Expr chosen = choice(std::move(then), last.parts[1], expression());
      return binary(value.text, value.parts[0], Expr{Kind::paren, {}, {std::move(chosen)}, {}});
    }
    return choice(std::move(then), truth(std::move(value)), expression());
  }
  if (Expr made = choice_without_word(value); !made.is(Kind::none)) return made;
  const std::size_t denies = denial();
  const bool unless = denies > 0;
  if ((!unless && !one({"when", "if"})) || (is("if") && new_line(at_))) return value;
  const std::size_t word = at_;
  at_ += unless ? denies : 1;
  if (one({"given", "present", "known", "available", "there", "set"}) && !facts_.declares(tokens_[at_].shown) &&
      among(tokens_[at_ + 1].shown, {"else", "otherwise"}) && !unless) {  // x if given else 0
    at_ += 2;
    return binary("default", std::move(value), fallback());
  }
  if (unless && one(kAbsentWords)) {  // x unless missing, then 0
    ++at_;
    take({",", ";"});
    if (!take({"then", "else", "otherwise"})) return fail();
    return binary("default", std::move(value), fallback());
  }
  Expr condition_ = condition();
  if (is("or") && tokens_.is(at_ + 1, "else")) ++at_;
  if (unless && weak_denial(word) && (failed_ || !is_condition(condition_, facts_))) {
    at_ = word, failed_ = false;
    return value;
  }
  if (failed_) return {};
  if (unless && excludes(word) && is_condition(value, facts_))  // late but not ill
    return binary("and", std::move(value), negated(std::move(condition_)));
  if (condition_.is_text() && is_condition(value, facts_)) std::swap(condition_, value);  // c when "many" else "few"
  if (is(",") && among(tokens_[at_ + 1].shown, {"else", "otherwise"})) ++at_;             // 0 if late, otherwise 3
  const bool absent = condition_.is(Kind::test) && condition_.text == "is missing";
  if (absent && tokens_.is(word, "if") && value.text == "0" && !one({"else", "otherwise", "elif", "elsif"}))
    return binary("default", std::move(condition_.parts[0]), std::move(value));  // 0 if x is missing
  if (one({"elif", "elsif", "elseif"}))  // a if c elif b if d else e; a if c elif d b else e
    return choice(std::move(value), std::move(condition_), further_cases());
  const bool another = at_ + 1 < end_ && !new_line(at_) && among(tokens_[at_ + 1].shown, {"when", "if"}) &&
                       (tokens_[at_].kind == Token::Kind::number || tokens_[at_].is_text());
  if (tokens_.is(word, "when") && is(":")) ++at_;  // v when c: w
  else if (another) {
  }  // v when c w when d
  else if (!take({"else", "otherwise", "ELSE", "Else"}) && !(unless && take({"then"}))) {
    Expr made = choice(std::move(value), unless ? negated(condition_) : condition_, {});
    if (tokens_.is(word, "when")) made.text = "when";
    return made;
  }
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
    const bool bars = is("|") && at_ > 0 && !new_line(at_) && begins_value(at_ + 1) &&
                      ((tokens_.is(at_ - 1, ")") && tokens_.is(at_ + 1, "(")) || is_condition(left, facts_));
    if (one({"xor", "XOR", "^^"})) {
      ++at_;
      left = binary("xor", std::move(left), conjunction());
      continue;
    }
    if (!one({"or", "||", "OR", "Or", "∨"}) && !bars) break;
    if (conditions_ > 0 && tokens_.is(at_ + 1, "else")) break;  // 1 when late or else 0
    const std::size_t sign = at_++;
    if (is("else")) ++at_;  // 'or else'
    if (conditions_ > 0 && one({"when", "if"}) && begins_value(at_ + 1)) ++at_;
    if (alternative(left)) continue;
    const Expr& before = bare(left);
    if (is("is") && before.is(Kind::binary) && !comparison_sign(before.text).empty()) {  // x is "a" or is "b"
      Expr subject = before.parts[0];
      left = binary("or", std::move(left), is_test(std::move(subject)));
      continue;
    }
    const bool ands = before.is(Kind::binary) && before.text == "and";
    const Expr chosen = ands ? std::move(last_) : Expr{};
    Expr right = conjunction();
    if (failed_) return {};
    const Expr& asked = ands ? before.parts[1] : before;  // tel == "" or null, tel is missing or ""
    const bool equals_text = asked.is(Kind::binary) && asked.text == "==" && right.text == "missing";
    const bool absent_text = asked.is(Kind::test) && asked.text == "is missing" && right.is_text();
    if (equals_text || absent_text) {
      Expr of = asked.parts[0];
      Expr other = equals_text ? test(std::move(of), "is missing") : binary("==", std::move(of), std::move(right));
      left = binary("or", std::move(left), std::move(other));
      continue;
    }
    const auto value = [this](const Expr& e) {
      return !is_condition(e, facts_) && !among(e.text, {"true", "false"}) &&
             !(e.is_name() && facts_.shape(e.text) == Shape::unknown);
    };
    const bool of_values = right.is_number() || right.is_text() || (right.is_name() && value(right));
    if (ands && of_values && value(chosen)) {
      left = choice(chosen, before.parts[0], std::move(right));  // late and 5 or 0
      continue;
    }
    const auto gives = [this](const Expr& e) {  // c and "x", where no condition is the value
      return e.is(Kind::binary) && e.text == "and" && last_.is_literal() && last_.text != "true" &&
             last_.text != "false";
    };
    if (ands && chosen.is_literal() && value(chosen) && gives(right)) {  // c and "x" or d and "y" or "z"
      std::vector<std::pair<Expr, Expr>> cases{{before.parts[0], chosen}, {right.parts[0], last_}};
      Expr other;
      while (!failed_ && other.is(Kind::none) && take({"or", "||", "OR"})) {
        Expr next = conjunction();
        if (gives(next)) cases.emplace_back(next.parts[0], last_);
        else other = std::move(next);
      }
      for (std::size_t i = cases.size(); i-- > 0;)
        other = choice(std::move(cases[i].second), std::move(cases[i].first), std::move(other));
      left = std::move(other);
      continue;
    }
    if (left.is_text() && right.is_text()) {  // in ["a" or "b"]
      left = list({std::move(left), std::move(right)});
      left.text = "or";
      continue;
    }
    if (left.is(Kind::list) && left.text == "or" && right.is_text()) {
      left.parts.push_back(std::move(right));
      continue;
    }
    if (another_value(left, right)) continue;
    if (tokens_.is(sign, "||") && !(left.is_text() && right.is_text() && is(")")) &&
        (left.is_text() || (right.is_text() && is_text_like(left, facts_) && !facts_.may_be_missing(left.text)) ||
         (left.is(Kind::binary) && left.text == "+") || (right.is_text() && is("||")))) {
      const bool joins = !right.is_text() || left.is_text() || is("||") || left.is(Kind::binary) || !one_word(right);
      doubtful_ = doubtful_ || !joins;                        // name || "none" may be the first one that is not empty
      left = binary("+", std::move(left), std::move(right));  // of SQL
    } else if (Expr first = first_filled(left, right, tokens_.is(sign, "||")); !first.is(Kind::none)) {
      left = std::move(first);
    } else if (right.is_literal() && right.text != "true" && (right.text != "false" || tokens_.is(sign, "||"))) {
      left = otherwise_value(std::move(left), std::move(right));
    } else {
      left = both("or", truth(std::move(left)), truth(std::move(right)));
    }
  }
  // late => excused: what follows from what
  const std::size_t arrow = at_;
  if (labels_ == 0 && is_condition(left, facts_) && take({"=>", "implies"})) {
    Expr right = truth(disjunction());
    if (!failed_ && is_condition(right, facts_)) return binary("or", negated(std::move(left)), std::move(right));
    at_ = arrow, failed_ = false;
  }
  return left;
}

Expr Reader::conjunction() {
  Expr left = negation();
  while (!failed_) {
    const bool ands = is("&") && !touches(at_);
    const bool limits = among(tokens_[at_ + 1].shown, {"at", "no", "never", "capped", "limited", "up"}) ||
                        (tokens_.is(at_ + 1, "not") && among(tokens_[at_ + 2].shown, {"more", "less"}));
    if (one({"nor", "NOR"})) {  // not a nor b
      ++at_;
      const Expr& first = bare(left);
      const bool denies = (first.is(Kind::unary) && first.text == "not") || among(first.text, {"!=", "not in", "and"});
      if (!denies) left = negated(truth(std::move(left))), doubtful_ = true;
      left = binary("and", std::move(left), negated(truth(negation())));
      continue;
    }
    const bool but = is("but") && !limits && negative_words(tokens_, at_) < 3;
    if (!one({"and", "&&", "AND", "And", "∧"}) && !ands && !but) break;
    ++at_;
    if (const std::size_t denies = is("without") ? 0 : negative_words(tokens_, at_);
        denies > 0) {  // late and unless ill
      at_ += denies;
      left = binary("and", truth(std::move(left)), negated(truth(negation())));
      continue;
    }
    const std::string_view compares = at_ < end_ ? comparison_sign(tokens_[at_].shown) : std::string_view();
    const Expr& before = bare(left);
    const Expr& last = before.is(Kind::binary) && before.text == "and" ? before.parts[1] : before;
    if (!compares.empty() && last.is(Kind::binary) && !comparison_sign(last.text).empty()) {
      ++at_;  // x > 1 and < 5
      Expr subject = last.parts[0];
      left = binary("and", std::move(left), binary(compares, std::move(subject), fallback()));
      continue;
    }
    const BoundWords* bound = bound_at(at_, BoundWords::before, BoundWords::sentences);
    if (bound != nullptr && last.is(Kind::binary) && !comparison_sign(last.text).empty() &&
        tokens_[at_ + bound->count()].kind == Token::Kind::number) {
      at_ += bound->count();  // x >= 1 and at most 5
      Expr subject = last.parts[0];
      left = binary("and", std::move(left), binary(bound->op, std::move(subject), fallback()));
      continue;
    }
    Expr right = negation();
    if (right.is(Kind::unary) && right.text == "not" && right.parts[0].is_literal() && last.is(Kind::binary) &&
        among(last.text, {"!=", "not in"}))
      right = Expr(right.parts[0]);  // x not "a" and not "b"
    if (&last == &before && denied_value(left, right)) continue;
    if (left.is_text()) left = asked_as(right, std::move(left));  // "a" and "b" in tags
    last_ = right;
    left = both("and", truth(std::move(left)), truth(std::move(right)));
  }
  return left;
}

// the bidder shall have …, and must be …: who has to is no value of the record. False, and nothing read: something else.
bool Reader::obligation(bool& denied) {
  constexpr std::size_t kMostWords = 2;  // of the subject
  std::size_t i = at_;
  if (among(tokens_[i].shown, {"the", "a", "an", "every", "each", "all", "any", "The", "A", "An", "Each"})) ++i;
  const auto modal = [this](std::size_t k) {
    return k < end_ && among(tokens_[k].shown, {"shall", "must", "should", "will", "has", "have", "needs", "need"});
  };
  for (const std::size_t first = i; i < first + kMostWords && is_word(i) && !modal(i); ++i) {
    const std::string_view shown = tokens_[i].shown;
    if (facts_.declares(shown) || facts_.bound.count(shown) != 0 || facts_.is_item(shown) || is_reserved(shown))
      return false;
  }
  if (!modal(i)) return false;
  const bool to = among(tokens_[i].shown, {"has", "have", "needs", "need"});
  if (to && !tokens_.is(i + 1, "to")) {  // the bidder has fewer than 2 references
    if (i == at_ || bound_at(i + 1, BoundWords::before, BoundWords::sentences) == nullptr) return false;
    at_ = i + 1;
    return true;
  }
  i += to ? 2 : 1;
  denied = tokens_.is(i, "not");
  if (denied) ++i;
  if (!among(tokens_[i].shown, {"be", "have", "provide", "show", "submit", "hold", "present", "possess", "contain",
                                "include", "supply", "offer", "own", "list", "name", "reach", "earn"}))
    return false;
  at_ = i + 1;
  return at_ < end_;
}

Expr Reader::negation() {
  if (bool denied = false; is_word(at_) && obligation(denied)) {
    Expr e = truth(negation());
    return denied && !failed_ ? negated(std::move(e)) : e;
  }
  if (Expr e = quantified(); !e.is(Kind::none)) return e;
  const bool names = is_word(at_ + 1) && !new_line(at_ + 1) && facts_.declares(tokens_[at_ + 1].shown);
  if (names && one({"has", "given", "missing", "exists", "have", "no", "without"}) &&
      !facts_.declares(tokens_[at_].shown)) {
    const bool missing = one({"missing", "no", "without"}), no = !is("missing");  // has x, missing x, no x
    ++at_;
    Expr e = operand();
    const bool counted = is_list(e) || (e.is_name() && facts_.shape(e.text) == Shape::condition);
    if (missing && no && counted) return negated(truth(std::move(e)));
    return test(std::move(e), missing ? "is missing" : "is given");
  }
  const bool bound = is_word(at_) && bound_at(at_, BoundWords::before, BoundWords::sentences) != nullptr;
  if (bound || one({"<", "<=", ">", ">=", "≥", "≤", "between"})) {
    const std::size_t begin = at_;
    if (Expr e = bound ? how_many() : without_subject(); !e.is(Kind::none) || failed_) return e;
    at_ = begin;
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
    Expr denied = sign ? truth(operand()) : negation();
    --depth_;
    if (bare(denied).is(Kind::list)) {  // not (late, ill): neither, or not both
      doubtful_ = true;
      return negated(call("any", {Expr(bare(denied))}));
    }
    return failed_ ? Expr{} : opposite(truth(std::move(denied)));
  }
  return comparison();
}

// ---- arithmetic

Expr Reader::fallback() {
  Expr left = range();
  if (!failed_ && fallback_in_words(left)) return left;
  if (one({"as", "in"}) && among(tokens_[at_ + 1].shown, {"percent", "percentage", "%"})) {
    at_ += 2;
    doubtful_ = doubtful_ || !is_share(left);
    left = binary("*", atom("100"), std::move(left));
  }
  const bool elvis = is("?") && tokens_.is(at_ + 1, ":") && tokens_[at_].end == tokens_[at_ + 1].begin;
  const bool worded = conditions_ == 0 && one({"otherwise", "fallback", "ifnull"}) && begins_value(at_ + 1) &&
                      !new_line(at_ + 1) && !left.is_literal();
  if (failed_ || (!one({"default", "??"}) && !elvis && !worded)) return left;
  constexpr int kMostDepth = 24;
  if (++depth_ > kMostDepth) return fail();
  const bool sign = !is("default");
  at_ += elvis ? 2 : 1;
  take({"to"});
  Expr right = fallback();
  // x ?? 0 + y: x or 0 is meant, and y added to both
  doubtful_ = doubtful_ || (sign && right.is(Kind::binary) && right.parts[0].is_literal());
  --depth_;
  return binary("default", std::move(left), std::move(right));
}

Expr Reader::range() {
  Expr low = sum();
  const bool dash = is("–") && low.is_number();  // see sum
  if (failed_ || (!one({"..", "..."}) && !dash)) return low;
  ++at_;
  if (is("<") && facts_.plain == false && low.is_number()) return low;  // see member_of
  // a...b: with its end in Swift, without it in Ruby
  if (tokens_.is(at_ - 1, "...") || take(".")) doubtful_ = true;
  take("=");  // of Rust
  Expr high = sum();
  if (low.is_text() || high.is_text() || (low.is(Kind::binary) && low.text == "+")) {  // texts are joined, in Lua
    if (low.is_text() && high.is_text() && low.text.size() == 3 && high.text.size() == 3) return fail();  // "A".."C"
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
      if (is("–") && left.is_number() && touches(at_) && touches(at_ + 1)) break;  // 0–10: a range
      const bool plus = is("+");
      // x++ and x += are statements
      const bool twice = plus && touches(at_ + 1) && tokens_.is(at_ + 1, "+");
      // a ++ b joins lists in other languages
      const bool joins = twice && !touches(at_ + 2) && begins_value(at_ + 2) && !new_line(at_ + 2);
      if (joins) ++at_;
      if (plus && !joins && (twice || (touches(at_ + 1) && tokens_.is(at_ + 1, "=")))) break;
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
      left = binary(plus ? "+" : "-", counted_or(counting(std::move(left)), "0"),
                    counted_or(counting(std::move(right)), "0"));
    } else if (is("&") && tokens_[at_ + 1].kind == Token::Kind::number && left.is_name()) {  // n & 1: whether n is odd
      if (facts_.shape(left.text) != Shape::number || !tokens_.is(at_ + 1, "1")) return fail();
      at_ += 2;
      left = call("mod", {std::move(left), atom("2")});
    } else if (one({"plus", "minus"}) && !facts_.declares(tokens_[at_].shown) && begins_value(at_ + 1) &&
               !new_line(at_)) {
      const bool plus = is("plus");
      ++at_;
      left = binary(plus ? "+" : "-", std::move(left), product());
    } else if (is("&") && comparison_sign(tokens_[std::min(tokens_.operand(at_ + 1), end_)].shown).empty() &&
               (is_text_like(left, facts_) || tokens_[at_ + 1].is_text() ||
                (left.is(Kind::binary) && left.text == "+"))) {
      ++at_;
      left = binary("+", std::move(left), product());
    } else {
      break;
    }
  }
  return left;
}

// Whether the word at a token stands before it on the same line.
bool Reader::names_again(std::size_t i) const {
  for (std::size_t k = i; is_word(i) && k-- > 0 && !new_line(k + 1);) {
    if (tokens_.is(k, tokens_[i].shown)) return true;
  }
  return false;
}

Expr Reader::product() {
  Expr left = signed_value();
  while (!failed_) {
    if (left.is_number() && left.text.back() == '%' && is_word(at_) && touches(at_) &&
        facts_.declares(tokens_[at_].shown)) {  // 100%n
      left.text.pop_back();
      left = call("mod", {std::move(left), signed_value()});
      continue;
    }
    const bool words = !facts_.declares("times") && !new_line(at_);
    const bool cross = is("x") && words && !facts_.declares("x") && facts_.bound.count("x") == 0;
    if (one({"*", "×", "·", "⋅"}) || (cross && begins_value(at_ + 1)) ||
        (words && is("times") && begins_value(at_ + 1))) {
      ++at_;
      left = binary("*", counting(std::move(left)), counting(signed_value()));
    } else if (one({"/", "÷"}) || (words && is("divided") && tokens_.is(at_ + 1, "by"))) {
      at_ += is("divided") ? 2 : 1;
      Expr by = signed_value();
      doubtful_ = doubtful_ || (tokens_.is(at_ - 1, "%") && !touches(at_ - 1));  // n / 10 %: as a percentage, or by it
      left = binary("/", std::move(left), std::move(by));
    } else if (is("//") && remark_behind(tokens_, at_)) {
      break;  // a comment
    } else if (one({"//", "div", "DIV"}) || (is("%") && tokens_.is(at_ + 1, "/"))) {
      doubtful_ =
          doubtful_ || (is("//") && is_word(at_ + 1) && (at_ + 2 >= end_ || new_line(at_ + 2)));  // or a comment
      doubtful_ = doubtful_ || (one({"div", "DIV"}) && !never_negative(left));                    // towards 0, in SQL
      at_ += is("%") ? (tokens_.is(at_ + 2, "%") ? 3 : 2) : 1;
      left = call("floor", {binary("/", std::move(left), signed_value())});
    } else if ((one({"mod", "MOD", "rem"}) || is("%")) && at_ + 1 < end_ &&
               (begins_value(at_ + 1) || tokens_.is(at_ + 1, "%"))) {
      if (is("%") && tokens_.is(at_ + 1, "in")) break;
      const bool sign = is("%") && !tokens_.is(at_ + 1, "%");
      at_ += tokens_.is(at_ + 1, "%") ? 2 : 1;
      Expr by = signed_value();
      const bool to_zero = one({"==", "===", "!=", "!==", "=", "<>"}) && tokens_.is(at_ + 1, "0");
      doubtful_ = doubtful_ || (sign && !to_zero && !never_negative(left));  // the rest of -7 is -1, in C and its like
      left = call("mod", {std::move(left), std::move(by)});
    } else if (is("of") && left.is_number() && left.text.back() == '%') {
      ++at_;
      left = binary("*", std::move(left), signed_value());
    } else if (left.is_number() && at_ < end_ && !new_line(at_) && factor_beside()) {
      doubtful_ = doubtful_ || behind_comparison(at_ - 1);
      left = binary("*", std::move(left), signed_value());  // 2(a + b), 0.5 width
    } else if (multiplies(left)) {
      left = binary("*", std::move(left), signed_value());  // (a + 1) (b + 1), 3 (a + b)
    } else if (bare(left).is(Kind::binary) && among(bare(left).text, {"*", "^"}) && is_word(at_) && !new_line(at_) &&
               facts_.declares(tokens_[at_].shown) && facts_.shape(tokens_[at_].shown) != Shape::condition) {
      left = binary("*", std::move(left), signed_value());  // 3.14 r² h
    } else {
      break;
    }
  }
  return left;
}

// Whether a bracket behind a number, or behind another bracket, is a factor: it holds numbers and names of them alone.
bool Reader::multiplies(const Expr& left) const {
  const std::size_t close = is("(") ? tokens_[at_].partner : kNone;
  const std::size_t open = at_ > 0 && tokens_.is(at_ - 1, ")") ? tokens_[at_ - 1].partner : kNone;
  const bool call = open != kNone && (open == 0 || (touches(open) && is_word(open - 1)));
  if (close == kNone || new_line(at_) || call || (open == kNone && (!left.is_number() || behind_comparison(at_ - 1))))
    return false;
  bool named = false;
  for (std::size_t i = at_ + 1; i < close; ++i) {
    const Token& t = tokens_[i];
    const bool number = t.kind == Token::Kind::number || (is_word(i) && facts_.shape(t.shown) == Shape::number);
    if (!number && !among(t.shown, {"+", "-", "*", "/", "^", "(", ")"})) return false;
    named = named || is_word(i);
  }
  return named;
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
  if (is("-") && tokens_.is(at_ + 1, "-") && touches(at_ + 1)) {  // a comment of SQL
    fail();
  } else if (one({"-", "−", "–"})) {
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
  // 300 m², m^2: of a unit
  if (base.is_number() && at_ > 0 && tokens_[at_ - 1].kind == Token::Kind::word && at_ < end_ && touches(at_)) {
    const std::size_t signs = one({"²", "³"})                                                     ? 1
                              : is("^") && (tokens_.is(at_ + 1, "2") || tokens_.is(at_ + 1, "3")) ? 2
                                                                                                  : 0;
    at_ += signs;
    if (signs > 0) return base;
  }
  if (take("²") || (!facts_.declares("squared") && take("squared"))) return binary("^", std::move(base), atom("2"));
  if (take("³") || (!facts_.declares("cubed") && take("cubed"))) return binary("^", std::move(base), atom("3"));
  if (failed_ || !one({"^", "**"})) return base;
  ++at_;
  if (is("^") && touches(at_)) ++at_;  // ^^
  Expr exponent = signed_value();
  const auto condition_ = [this](const Expr& e) { return e.is_name() && facts_.shape(e.text) == Shape::condition; };
  if (condition_(base) && condition_(exponent)) return binary("xor", std::move(base), std::move(exponent));
  return binary("^", std::move(base), std::move(exponent));
}

}  // namespace assay::mending
