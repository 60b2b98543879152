// Aggregates whose loop is incomplete or in other words: sum(price for items), count(items, late), mean(price of items),
// number of items. What is certain (the list, its fields, the condition) gives the loop.
#include "lang/mend/foreign/reader.hpp"

#include <algorithm>

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

struct Aggregate {
  std::string_view words, name;
};
constexpr Aggregate kAggregates[] = {{"sum total Sum SUM add", "sum"},
                                     {"mean average avg Average AVERAGE AVG Mean", "mean"},
                                     {"count number Count COUNT len length size", "count"},
                                     {"max maximum highest largest biggest Max MAX", "max"},
                                     {"min minimum lowest smallest least Min MIN", "min"},
                                     {"any some exists Any ANY", "any"},
                                     {"all every each All ALL", "all"},
                                     {"none", "none"},
                                     {"median Median MEDIAN", "median"},
                                     {"product Product", "product"},
                                     {"stdev stddev std", "stdev"},
                                     {"first", "first"},
                                     {"last", "last"},
                                     {"distinct unique", "distinct"}};

std::string_view aggregate_of(std::string_view word) {
  for (const Aggregate& row : kAggregates) {
    std::string_view words = row.words;
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      if (words.substr(0, end) == word) return row.name;
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  }
  return {};
}

// Of several by their value: the best 6.
bool picked_high(std::string_view word) {
  return among(word, {"top", "best", "highest", "largest", "biggest", "greatest"});
}
bool picked_low(std::string_view word) {
  return among(word, {"bottom", "worst", "lowest", "smallest", "weakest", "least"});
}

// the lower of two: the aggregate that picks one; empty: the word is no such comparison.
std::string_view picked(std::string_view word) {
  if (among(word, {"lower", "lesser", "smaller", "least", "lowest", "smallest", "worse", "less", "fewer"}))
    return "min";
  if (among(word, {"higher", "greater", "larger", "bigger", "highest", "largest", "biggest", "better", "more"}))
    return "max";
  return {};
}

}  // namespace

bool Reader::is_list(const Expr& e) const {
  if (e.is(Kind::list)) return !e.parts.empty() && !e.parts[0].is_number();
  if (e.is(Kind::loop)) return e.text.empty();
  const Shape shape = e.is_name() || e.is(Kind::field) ? facts_.shape(e.text) : Shape::unknown;
  return shape == Shape::list || shape == Shape::records || shape == Shape::map ||
         (e.is_name() && facts_.fields.count(e.text) != 0);
}

namespace {

// The fields that an expression reads of a variable, by its name.
void add_fields_of(const Expr& e, const std::string& variable, std::set<std::string>& fields) {
  if (e.is(Kind::field) && e.parts[0].is_name() && e.parts[0].text == variable) fields.insert(e.text);
  for (const Expr& part : e.parts) add_fields_of(part, variable, fields);
}

}  // namespace

// Fields, the list's own name and its singular become those of the variable.
void Reader::of_variable(Expr& e, const std::string& variable, const Expr& of) const {
  std::set<std::string> written;
  add_fields_of(e, variable, written);
  of_variable(e, variable, of, written);
}

// `written`: the fields that the author reads of the variable, by its name. Where there are some, another name that the
// rubric declares, or one of those fields, means what it says: e.kind == kind.
void Reader::of_variable(Expr& e, const std::string& variable, const Expr& of,
                         const std::set<std::string>& written) const {
  if (e.is(Kind::loop) && e.parts.size() == 2 && write(e.parts[1]) == write(of)) {  // items.late: of all of them
    e = Expr(e.parts[0]);
    return of_variable(e, variable, of, written);
  }
  if (e.is(Kind::index) && write(e.parts[0]) == write(of)) return;  // of a map by its key
  if (e.is_name()) {
    if (e.text == variable) return;
    if (e.text == of.text || (KnownNames::singular(e.text, of.text) && !facts_.declares(e.text))) e.text = variable;
    else if (facts_.has_field(of.text, e.text) &&
             (written.empty() ||
              (written.count(e.text) == 0 && !facts_.declares(e.text) && facts_.bound.count(e.text) == 0)))
      e = field(atom(variable), e.text);
    return;
  }
  if (e.is(Kind::field)) {
    const Expr& owner = e.parts[0];
    const bool item = owner.is_name() && owner.text != variable &&
                      (write(owner) == write(of) || KnownNames::singular(owner.text, of.text) ||
                       (owner.text == "x" && !facts_.declares("x")));
    if (item) e.parts[0] = atom(variable);
    else of_variable(e.parts[0], variable, of, written);
    return;
  }
  for (Expr& part : e.parts) of_variable(part, variable, of, written);
}

// The name that is nothing else.
void Reader::find_variable(const Expr& e, const Expr& of, std::string& variable, int depth) const {
  if (depth > 8 || !variable.empty()) return;
  const Expr& owner = e.is(Kind::field) ? e.parts[0] : e;
  const bool free = owner.is_name() && !facts_.has_field(of.text, owner.text) && !facts_.declares(owner.text) &&
                    owner.text != of.text && facts_.functions.count(owner.text) == 0 &&
                    facts_.shapes.count(owner.text) == 0;
  // r.score, of records: whatever else is named r
  const bool item = e.is(Kind::field) && owner.is_name() && facts_.has_field(of.text, e.text) &&
                    owner.text != of.text && facts_.shape(owner.text) == Shape::unknown &&
                    facts_.values_of_record.count(owner.text) == 0;
  if ((free || item) && !KnownNames::singular(owner.text, of.text)) variable = owner.text;
  // verdict == merge: a text without its quotation marks
  const bool word = e.is(Kind::binary) && among(e.text, {"==", "!="}) && e.parts[0].is_name() &&
                    facts_.has_field(of.text, e.parts[0].text) && e.parts[1].is_name();
  for (const Expr& part : e.parts) {
    if (!word || &part == e.parts.data()) find_variable(part, of, variable, depth + 1);
  }
}

// From what is known of it: the value for each item (kind none: the item), the list, a condition (kind none: for all).
// `variable`: empty where nothing names it.
Expr Reader::aggregate_over(std::string_view name, Expr value, Expr of, Expr asked, std::string variable) const {
  find_variable(value, of, variable, 0);
  find_variable(asked, of, variable, 0);
  if (variable.empty()) variable = "x";
  std::set<std::string> written;
  add_fields_of(value, variable, written);
  add_fields_of(asked, variable, written);
  of_variable(value, variable, of, written);
  of_variable(asked, variable, of, written);
  if (name == "sum" && is_condition(value, facts_)) name = "count";  // how many of them hold
  const bool item = value.is(Kind::none) || (value.is_name() && value.text == variable);
  const bool quantifier = name == "any" || name == "all" || name == "none";
  if (item) value = atom(variable);
  if (quantifier && item && !asked.is(Kind::none)) value = std::move(asked), asked = Expr{};
  if (name == "count" && !item) {
    if (is_condition(value, facts_))
      asked = asked.is(Kind::none) ? std::move(value) : binary("and", std::move(asked), std::move(value));
    value = atom(variable);
  }
  if (name == "count" && asked.is(Kind::none)) return call("count", {std::move(of)});
  Expr e = loop(std::move(value), variable, std::move(of));
  if (!asked.is(Kind::none)) e.names.emplace_back("when"), e.parts.push_back(bare(asked));
  if (name == "none") return negated(call("any", {std::move(e)}));
  return call(name, {std::move(e)});
}

// x = "yes" in answers, "yes" in answers: what is asked of the items of the list at the end. False, and nothing read:
// another form.
bool Reader::compared_items(std::string_view name, std::size_t close, Expr& of, Expr& asked, std::string& variable) {
  const std::size_t begin = at_, in = close - 2;
  if (!among(name, {"count", "any", "all", "none"}) || close < begin + 3 || !tokens_.is(in, "in") ||
      tokens_.is(in - 2, "for") || !is_list(atom(tokens_[in + 1].shown)))
    return false;
  bool compares = name != "all" && in == begin + 1 && (tokens_[begin].is_text() || !is_word(begin));
  for (std::size_t i = begin; i < in; i = tokens_.behind(i)) {
    if (among(tokens_[i].shown, {"for", "and", "or", ","})) return false;
    compares = compares || (!tokens_[i].is_text() && !comparison_sign(tokens_[i].shown).empty());
  }
  if (!compares) return false;
  of = atom(tokens_[in + 1].shown);
  narrow(in);
  asked = disjunction();
  if (asked.is_literal()) asked = binary("==", atom("x"), std::move(asked));
  bool about = !failed_ && at_ == in && is_condition(asked, facts_);
  find_variable(asked, of, variable, 0);
  if (variable.empty()) variable = "x";
  of_variable(asked, variable, of);
  about = about && mentions(asked, variable);
  narrow(close);
  at_ = about ? close : begin;
  failed_ = false;
  if (!about) of = asked = Expr{}, variable.clear();
  return about;
}

// What the name before 'in' or 'of' a list is: its items (item in items), a field of them in the plural, or something
// that they are. Any other name may say which of them are meant: then it is doubtful. False: a value of the rubric.
bool Reader::named_item(Expr& value, const Expr& of, Expr& asked, std::string& variable) {
  const std::string word = value.text;
  if (facts_.has_field(of.text, word)) return true;
  if (const auto fields = facts_.fields.find(of.text); fields != facts_.fields.end()) {
    for (const std::string_view name : fields->second) {
      if (KnownNames::singular(name, word)) return value = atom(name), true;
    }
    if (Expr said = adjective(word, of.text); !said.is(Kind::none)) {
      value = Expr{}, asked = std::move(said);
      return true;
    }
  }
  if (facts_.values_of_record.count(word) != 0 && word != of.text) return false;
  const bool part = of.text.find(word) != std::string::npos || KnownNames::singular(word, of.text);
  const bool item = word.size() <= 2 || part ||
                    among(word, {"item", "items", "element", "elements", "entry", "entries", "record", "records",
                                 "value", "values", "row", "rows"});
  doubtful_ = doubtful_ || !item;
  variable = word;
  return true;
}

// The inside of an aggregate's brackets, or of its words up to `close`; kind none, and nothing read: another form.
Expr Reader::incomplete_aggregate(std::string_view name, std::size_t close) {
  const std::size_t begin = at_, outer = end_;
  const bool failed_before = failed_, doubtful_before = doubtful_;
  end_ = close;
  const auto back = [&] {
    at_ = begin, end_ = outer, failed_ = failed_before, doubtful_ = doubtful_before;
    return Expr{};
  };
  take({"for", "foreach", "the", "each", "every"});
  const bool all_of = is_word(at_) && is_list(atom(tokens_[at_].shown)) &&
                      among(tokens_[at_ + 1].shown, {"where", "when", "if", ",", "with", "|", "for", "whose", "such"});
  const bool each = is_word(at_) && is_list(atom(tokens_[at_].shown)) && among(name, {"any", "all", "none", "count"}) &&
                    among(tokens_[at_ + 1].shown, {">", ">=", "<", "<=", "==", "="});  // all scores > 0
  Expr value, of, asked;
  std::string variable;
  if (all_of || each) {
    of = atom(tokens_[at_].shown);
    ++at_;
  } else if (compared_items(name, close, of, asked, variable)) {
  } else {
    value = disjunction();
    if (failed_) return back();
    const Expr inner = bare(value);
    const bool loops = is("for") && tokens_.is(at_ + 2, "in");  // of its own: w in facilities for w in wanted
    const bool column = inner.parts.size() == 2 && inner.over() == "for x in";
    if (column && one({"when", "where", "if"})) {  // marks.mark when final
      of = inner.parts[1], value = inner.parts[0], variable = "x";
    } else if (!loops && inner.is(Kind::binary) && inner.text == "in" && is_list(inner.parts[1])) {  // price in items
      value = inner.parts[0], of = inner.parts[1];
      const bool quantified = value.is_literal() && among(name, {"any", "all", "none"});  // "yes" is no condition
      if (quantified || (value.is_name() && !named_item(value, of, asked, variable))) return back();
    } else if (take({"for", "of", "from", "in", "over", "across"})) {
      take({"each", "every", "all", "the"});
      if (is_word(at_) && among(tokens_[at_ + 1].shown, {"in", "of"})) {
        variable = tokens_[at_].shown;
        at_ += 2;
      }
      of = range();
      if (failed_ || !is_list(of)) return back();
      if (value.is_name() && variable.empty() && !named_item(value, of, asked, variable)) return back();
    } else if (name == "count" && in_cohort() && at_ == close && is_condition(value, facts_)) {
      of = atom("records");  // count(verdict == "merge")
    } else {
      return back();
    }
  }
  if (at_ < close) {
    if (!each && !take({"when", "where", "if", ",", "and", "with", "|", "whose", "for", "such", ";"})) return back();
    take({"that", "which"});
    const bool sign = one({">", "<", ">=", "<=", "==", "=", "!=", "is", "in", "between"});
    Expr also;
    if (lambda_begins()) return back();
    if (sign) {  // scores where > 3
      Expr left = atom("x"), result;
      if (!comparison_with(left, result)) return back();
      also = std::move(result);
    } else {
      also = disjunction();
    }
    if (failed_ || at_ != close) return back();
    asked = asked.is(Kind::none) ? std::move(also) : binary("and", std::move(asked), std::move(also));
    if (!is_condition(asked, facts_)) {  // sum(items, price)
      const bool plain = all_of && (asked.is_name() || asked.is_text());
      if (asked.is_name() && facts_.declares(asked.text) && !facts_.has_field(of.text, asked.text))
        return back();                                                                   // max(xs, a)
      if ((!plain && !(all_of && !is_list(asked))) || asked.is_number()) return back();  // first(xs, 3)
      const std::string inside = asked.is_text() ? asked.text.substr(1, asked.text.size() - 2) : std::string();
      if (asked.is_text() && !facts_.has_field(of.text, inside)) {  // count(results, ">5"), as in a spreadsheet
        Expr e = name == "count" ? of_spreadsheet("countif", {of, asked}, facts_) : Expr{};
        if (e.is(Kind::none)) return back();
        end_ = outer;
        return e;
      }
      value = asked.is_text() ? atom(inside) : std::move(asked);
      asked = Expr{};
    }
  }
  end_ = outer;
  return aggregate_over(name, std::move(value), std::move(of), std::move(asked), std::move(variable));
}

// a, b or c, in parentheses or none, as one list; kind none: there are not several.
Expr Reader::several_values() {
  const bool round = is("(") && tokens_[at_].partner < end_;
  bool comma = false;
  for (std::size_t i = at_ + 1; round && i < tokens_[at_].partner; i = tokens_.behind(i))
    comma = comma || tokens_.is(i, ",");
  if (comma) ++at_;
  std::vector<Expr> several;
  do {
    take({"and", "or"});
    several.push_back(sum());
  } while (!failed_ && !(is(",") && among(tokens_[at_ + 1].shown, {"rounded", "but", "capped", "limited", "never"})) &&
           take({",", "and", "or"}));
  if (failed_ || several.size() < 2 || (comma && !take(")"))) return {};
  return list(std::move(several));
}

Expr Reader::texts_in_a_row() {
  std::vector<Expr> texts;
  std::size_t i = at_;
  while (i < end_ && tokens_[i].is_text()) {
    texts.push_back(atom(as_text(tokens_[i++].shown)));
    const std::size_t sign = i;
    if (tokens_.is(i, ",")) ++i;
    if (tokens_.is(i, "and") || tokens_.is(i, "or")) ++i;
    if (i == sign) break;
  }
  if (texts.size() < 2 || !tokens_[i - 1].is_text() || (i < end_ && !new_line(i))) return {};
  at_ = i;
  return list(std::move(texts));
}

// whichever is lower, a or b; a or b, whichever is lower. Kind none: neither.
Expr Reader::whichever() {
  constexpr std::size_t kFar = 40;
  const std::size_t begin = at_;
  std::size_t word = at_;
  while (word < end_ && word < begin + kFar && !(word > begin && new_line(word)) && !tokens_.is(word, "whichever"))
    word = tokens_.is(word + 1, "whichever") ? word + 1 : tokens_.behind(word);
  if (word >= end_ || !tokens_.is(word, "whichever")) return {};
  std::size_t behind = word + 1;
  while (among(tokens_[behind].shown, {"is", "of", "are", "the"})) ++behind;
  const std::string_view name = picked(tokens_[behind++].shown);
  const bool first = word == begin;
  if (first) {
    at_ = behind;
    take({",", ":", "of", "from"});
    take({"of"});
  }
  const std::size_t outer = end_;
  if (!first) narrow(tokens_.is(word - 1, ",") || tokens_.is(word - 1, "(") ? word - 1 : word);
  Expr values = name.empty() ? Expr{} : several_values();
  const bool all = first || at_ == end_;
  narrow(outer);
  if (failed_ || values.is(Kind::none) || !all) {
    at_ = begin;
    return fail();
  }
  if (!first) at_ = behind + (tokens_.is(word - 1, "(") ? 1 : 0);
  return translate_call(name, std::move(values.parts), facts_);
}

// Behind the list: by price descending.
Expr Reader::sorted_in_words(const Expr& of) {
  Expr key = atom("x");
  if (take({"by", "on"})) key = operand();
  of_variable(key, "x", of);
  const bool higher = take({"descending", "desc", "reverse", "reversed"});
  take({"ascending", "asc"});
  Expr e = loop(atom("x"), "x", of);
  e.names.emplace_back(higher ? "by higher" : "by lower");
  e.parts.push_back(std::move(key));
  return e;
}

// sort xs by price, round x / y to 2 decimals, sqrt a; at_: behind the word. Kind none: no such words.
Expr Reader::function_in_words(std::string_view word) {
  // sort xs descending, sort xs by price
  if (among(word, {"sort", "sorted", "order"}) && is_word(at_) && is_list(atom(tokens_[at_].shown)))
    return sorted_in_words(operand());
  // top 3 parts by price, best 6 of quizzes
  const bool ends = among(word, {"first", "last"}), low = word == "last" || picked_low(word);
  if ((ends || low || picked_high(word)) && at_ + 1 < end_ && tokens_[at_].kind == Token::Kind::number) {
    const std::size_t begin = at_;
    const Expr amount = atom(tokens_[at_++].shown);
    while (take({"of", "the", "all"})) {}
    if (!is_word(at_) || !is_list(atom(tokens_[at_].shown))) return at_ = begin, Expr{};
    const Expr of = operand();
    take({"sorted", "ordered", "ranked"});
    const bool by = take({"by"});
    if (!by && ends) return call(word, {amount, of});
    Expr key = by ? operand() : atom("x");
    of_variable(key, "x", of);
    const bool rises = take({"ascending", "asc"});
    take({"descending", "desc"});
    Expr items = loop(atom("x"), "x", of);
    items.names.emplace_back(low || rises ? "by lower" : "by higher");
    items.parts.push_back(std::move(key));
    return call("first", {amount, std::move(items)});
  }
  if (word == "round" && is_word(at_) && !is_reserved(tokens_[at_].shown)) {  // round x / y to 2 decimals
    Expr e = sum();
    if (!take({"to"})) return call("round", {std::move(e)});
    Expr places = operand();
    take({"decimals", "decimal", "places", "digits"});
    take({"places"});
    return call("round", {std::move(e), std::move(places)});
  }
  const bool plain = among(word, {"sqrt", "abs", "round", "floor", "ceil", "ln", "exp", "trunc", "log10"});
  return plain && is_word(at_) && !is_reserved(tokens_[at_].shown) ? call(word, {operand()}) : Expr{};
}

bool Reader::in_cohort() const {
  const std::size_t cohort = tokens_.declaration({"cohort"}, "{");
  return cohort != kNone && at_ > cohort && tokens_[cohort + 1].partner != kNone && at_ < tokens_[cohort + 1].partner;
}

// In a cohort: median of score, mean of all scores, of the records. Kind none: something else.
Expr Reader::of_all_records(std::string_view name) {
  const auto verdict = facts_.fields.find("records");
  if (!in_cohort() || verdict == facts_.fields.end() || !is_word(at_) || tokens_.is(at_ + 1, ".")) return {};
  const std::string_view said = tokens_[at_].shown;
  const std::size_t own = tokens_.declaration({"let"}, said), cohort = tokens_.declaration({"cohort"}, "{");
  if (own != kNone && own > cohort) return {};  // of the cohort itself
  for (const std::string_view key : verdict->second) {
    if (key != said && !KnownNames::singular(key, said)) continue;
    ++at_;
    return call(name, {loop(field(atom("r"), key), "r", atom("records"))});
  }
  return {};
}

// sum of price in items, number of items, max of a and b; at_: behind the word. Kind none: no such words.
Expr Reader::aggregate_in_words(std::string_view word) {
  const std::string_view name = is("of") && aggregate_of(word).empty() ? picked(word) : aggregate_of(word);
  const std::size_t begin = at_;
  const bool counts = at_ < end_ && tokens_[at_].kind == Token::Kind::number;  // 'best 6': no name is in front of one
  if (((facts_.declares(word) || facts_.bound.count(word) != 0) && !counts) || at_ >= end_ || new_line(at_)) return {};
  if (is("of") && among(word, {"share", "proportion", "fraction", "percentage"})) {  // share of visits where late
    ++at_;
    Expr count = counted_in_words();
    if (!count.is(Kind::none) && count.parts[0].is(Kind::loop)) {
      Expr all = call("count", {count.parts[0].parts[1]});
      if (word == "percentage") count = binary("*", atom("100"), std::move(count));
      return binary("/", std::move(count), std::move(all));
    }
    at_ = begin, failed_ = false;
  }
  const bool ranked = tokens_[at_].kind == Token::Kind::number && tokens_.is(at_ + 2, "by");
  if (name.empty() || ranked) return function_in_words(word);
  if ((name == "first" || name == "last") && tokens_[at_].kind == Token::Kind::number && is_word(at_ + 1)) {
    Expr count = number();  // last 3 sales
    take({"of", "in"});
    Expr of = operand();
    return call(name, {std::move(count), std::move(of)});
  }
  const bool quantifier = name == "any" || name == "all" || name == "none";
  if (quantifier && is_word(at_) && tokens_.is(at_ + 1, "in") && is_word(at_ + 2) &&
      facts_.declares(tokens_[at_ + 2].shown) &&
      (facts_.bound.count(tokens_[at_].shown) == 0 || tokens_.is(at_ + 3, ":"))) {  // any item in items is late
    const std::string variable(tokens_[at_].shown);
    at_ += 2;
    Expr of = operand();
    take({"satisfies", "where", "that", ":", "with"});
    Expr asked, left = atom(variable);
    const bool field = facts_.has_field(of.text, tokens_[at_ + 1].shown);
    const bool verb = one({"is", "has", "was", "are"});
    if (verb && field) ++at_;
    if ((verb && field) || !comparison_with(left, asked)) asked = condition();
    of_variable(asked, variable, of);
    if (!failed_) {
      Expr e = call(name == "all" ? "all" : "any", {loop(std::move(asked), variable, std::move(of))});
      return name == "none" ? negated(std::move(e)) : e;
    }
    at_ = begin, failed_ = false;
  }
  if (name == "count") {  // number of serious faults
    if (Expr e = counted_in_words(); !e.is(Kind::none)) return e;
  }
  const bool of_words = take({"of", "over"});
  if (!quantifier) take({"the", "all", "every"});
  if (of_words && quantifier) {  // all of (a, b), none of tags in ["x"]
    Expr e = comparison();
    const Expr inner = bare(e);
    if (!failed_ && inner.is(Kind::list)) e = call(name == "none" ? "any" : name, {inner});
    else if (!failed_ && inner.is(Kind::call) && inner.text == "any") e.text = name == "all" ? "all" : "any";
    else failed_ = true;
    if (!failed_) return name == "none" ? negated(std::move(e)) : e;
    at_ = begin, failed_ = false;
    take({"of", "over"});
  }
  if (!of_words && !quantifier && is_word(at_) && !is_word(at_ + 1) && !facts_.declares(tokens_[at_].shown)) {
    for (const auto& [list, shape] : facts_.shapes) {  // average wait, of the waits
      if (shape == Shape::list && KnownNames::singular(tokens_[at_].shown, list)) {
        ++at_;
        return call(name, {atom(list)});
      }
    }
  }
  if (!of_words && (!is_word(at_) || is_reserved(tokens_[at_].shown) || tokens_[at_].starts)) return {};
  if (Expr e = quantifier ? Expr{} : of_all_records(name); !e.is(Kind::none)) return e;
  // up to the end of the line, or to what cannot belong to it
  const auto ends = [&](std::size_t i) {
    const std::string_view shown = tokens_[i].shown;
    return tokens_[i].first || tokens_.closes(i) || tokens_[i].is_text() ||
           among(shown, {"else", "default", "then", ",", "decimals", "exceeds", "exceed", "reaches", "is", "must",
                         "should", "shall", "may", "has"}) ||
           (quantifier ? among(shown, {"and", "or"}) : among(shown, {"+", "-", "*", "/", "<", ">", "<=", ">=", "=="}));
  };
  std::size_t stop = at_;
  while (stop < end_ && !ends(stop)) stop = tokens_.behind(stop);
  const std::size_t outer = end_;
  if (name == "count" || is_list(atom(tokens_[at_].shown))) {
    Expr of = operand();
    if (!failed_ && is_list(of) && at_ >= stop) return translate_call(name, {std::move(of)}, facts_);
    at_ = of_words ? begin + 1 : begin;
    failed_ = false;
  }
  const std::size_t inside = at_;
  if (stop > inside) {
    if (Expr e = incomplete_aggregate(name, stop); !e.is(Kind::none)) return e;
  }
  end_ = outer;
  if (of_words) {  // max of a and b
    const std::size_t values = at_;
    Expr several = several_values();
    if (!several.is(Kind::none)) {
      if (name == "max" || name == "min") return translate_call(name, std::move(several.parts), facts_);
      return call(name, {std::move(several)});
    }
    at_ = values, failed_ = false;
    Expr only = sum();
    const bool part = only.is(Kind::call) && (only.text == "first" || only.text == "last");  // mean of last 3 sales
    if (!failed_ && part) return translate_call(name, {std::move(only)}, facts_);
  }
  at_ = begin;
  failed_ = false;
  return {};
}

// e but at least 0, e capped at 10, e rounded to 2 decimals
Expr Reader::qualified(Expr e) {
  constexpr int kMost = 3;
  for (int round = 0; round < kMost && !failed_ && at_ < end_; ++round) {
    const std::size_t begin = at_;
    const bool around = is("(") && !touches(at_) && take("(");  // (max 20)
    const bool comma = take({","}) || around;
    take({"but", "and"});
    take({"is"});
    std::string_view function;
    if (one({"clamped", "clamp", "bounded", "kept", "limited", "restricted"})) {  // clamped to 0..100
      ++at_;
      const bool words = take({"between"});
      const bool led = words || take({"to", "within", "in"}) || tokens_[at_].kind == Token::Kind::number;
      Expr ends = led ? (words ? sum() : range()) : Expr{};
      if (words && take({"and"})) ends = binary("..", std::move(ends), sum());
      if (!failed_ && ends.is(Kind::binary) && ends.text == "..") {
        e = call("clamp", {std::move(e), std::move(ends)});
        continue;
      }
      at_ = begin + (comma ? 1 : 0), failed_ = false;
    }
    if (one({"capped", "limited", "floored", "never", "cap", "ceiling", "floor", "rounded"})) {
      const bool floor = one({"floored", "floor"}), never = is("never"), alone = one({"cap", "ceiling", "floor"});
      if (!alone || comma) function = is("rounded") ? "round" : floor ? "max" : "min";
      ++at_;
      if (never && !one({"below", "above", "more", "less"})) function = {};
      if (never && one({"below", "less"})) function = "max";
      if (never) take({"below", "above", "more", "less"}), take("than");
      else if (!take({"at", "to"}) && !alone) function = {};
      std::size_t head = begin;
      while (function == "round" && head > 0 && !tokens_[head].starts) --head;
      if (function == "round" && tokens_.is(head, "output")) function = {};  // an output shows decimals
    } else if (const BoundWords* bound = bound_at(at_, BoundWords::before, BoundWords::sentences)) {
      const bool extreme = one({"max", "maximum", "min", "minimum"}) && tokens_[at_ + 1].kind == Token::Kind::number;
      const bool alone = bound->count() == 1 && !comma && !extreme;
      function = alone ? "" : bound->op == ">=" ? "max" : bound->op == "<=" ? "min" : "";
      at_ += bound->count();
    }
    Expr limit;
    if (!function.empty()) {
      take({"a", "maximum", "minimum"});
      take({"of"});
      limit = operand();
      if (function == "round") take({"decimals", "decimal", "places", "digits"});
    }
    if (failed_ || function.empty() || (around && !take(")"))) {
      at_ = begin, failed_ = false;
      break;
    }
    e = call(function, {std::move(e), std::move(limit)});
  }
  return e;
}

std::string_view Reader::aggregate_name(std::string_view word) { return aggregate_of(word); }

namespace {
// Whether an expression contains a call of an aggregate that lacks its loop.
bool lacks_loop(const Expr& e) {
  const bool plain = e.is(Kind::call) && e.parts.size() == 1 && !aggregate_of(e.text).empty() &&
                     !bare(e.parts[0]).is(Kind::loop) && !bare(e.parts[0]).is(Kind::list);
  return plain || std::any_of(e.parts.begin(), e.parts.end(), lacks_loop);
}
}  // namespace

void Reader::fill_aggregates(Expr& e, const Expr& of, const Expr& asked, const std::string& variable, int depth) const {
  if (depth > 12) return;
  const std::string_view name = e.is(Kind::call) && e.parts.size() == 1 && lacks_loop(e) ? aggregate_of(e.text) : "";
  if (!name.empty()) {
    const Expr value = bare(e.parts[0]).text == of.text ? Expr{} : bare(e.parts[0]);
    e = aggregate_over(name, value, of, asked, variable);
    return;
  }
  for (Expr& part : e.parts) fill_aggregates(part, of, asked, variable, depth + 1);
}

// sum(m.a) / sum(m.b) for m in xs: the loop behind the expression is that of each aggregate in it.
Expr Reader::spread(Expr e) {
  if (failed_ || !is("for") || !lacks_loop(e)) return e;
  const std::size_t begin = at_++;
  take({"each", "every", "all"});
  std::string variable;
  if (is_word(at_) && among(tokens_[at_ + 1].shown, {"in", "of"})) {
    variable = tokens_[at_].shown;
    at_ += 2;
  }
  const Expr of = range();
  Expr asked;
  if (!failed_ && take({"when", "if", "where"})) asked = condition();
  if (failed_ || !is_list(of)) {
    at_ = begin, failed_ = false;
    return e;
  }
  fill_aggregates(e, of, asked, variable, 0);
  return e;
}

}  // namespace assay::mending
