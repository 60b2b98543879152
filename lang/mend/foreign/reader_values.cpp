// Values: names and literals, brackets of all kinds, loops, lambdas, fields, calls and indices.
#include "lang/mend/foreign/reader.hpp"
#include "lang/model/builtin_rows.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

// Where other languages keep what the record holds.
const std::initializer_list<std::string_view> kRoots = {
    "inputs", "this",   "self",   "record",  "data", "row",  "params", "ctx",   "context",
    "args",   "fields", "values", "request", "req",  "body", "event",  "state", "props",
    "obj",    "object", "item",   "rec",     "r",    "var",  "local",  "each"};
const std::initializer_list<std::string_view> kQuestions = {"empty",    "nil",        "any",      "none", "zero",
                                                            "blank",    "present",    "include",  "all",  "positive",
                                                            "negative", "start_with", "end_with", "key",  "one"};

}  // namespace

bool Reader::begins_value(std::size_t i) const {
  if (i >= end_) return false;
  const Token& t = tokens_[i];
  if (t.kind == Token::Kind::sign) return among(t.shown, {"(", "[", "{", "-", "!", "$", ".", "€", "£", "+"});
  if (t.kind == Token::Kind::end) return false;
  return !among(t.shown, {"and", "or", "when", "else", "for", "in", "is", "default", "then", "if"});
}

// ---- operands

Expr Reader::operand() {
  const std::size_t begin = at_;
  Expr e = primary();
  if (e.is(Kind::record) && e.parts.size() == 1 && at_ == begin + 3) {  // {x} > 3, as in a text
    const auto computes = [this](std::size_t i) {
      return among(tokens_[i].shown, {"<", ">", "<=", ">=", "==", "!=", "=", "+", "-", "*", "/"});
    };
    if (computes(at_) || (begin > 0 && computes(begin - 1) && !tokens_.is(begin - 1, "="))) e = Expr(e.parts[0]);
  }
  while (!failed_) {
    const std::size_t before = at_;
    e = suffix(std::move(e));
    if (at_ == before) break;
  }
  return e;
}

Expr Reader::suffix(Expr of) {
  if (failed_ || at_ >= end_) return of;
  const bool number = of.is_number();
  const bool safe = is("?") && touches(at_) && tokens_.is(at_ + 1, ".") && touches(at_ + 1);
  if (safe) ++at_;
  if (is("?") && touches(at_) && !number && (at_ + 1 >= end_ || new_line(at_ + 1) || !begins_value(at_ + 1)) &&
      !tokens_.is(at_ + 1, ".") && !tokens_.is(at_ + 1, "?") && !tokens_.is(at_ + 1, ":") &&
      !tokens_.is(at_ + 1, "[")) {
    ++at_;
    return test(std::move(of), "is given");  // name?
  }
  if (is("!") && touches(at_) &&
      (at_ + 1 >= end_ || new_line(at_ + 1) || tokens_.is(at_ + 1, ".") || tokens_.is(at_ + 1, "[") ||
       tokens_.is(at_ + 1, ")"))) {
    ++at_;
    return of;
  }
  if ((is("?.") || is("&")) && tokens_.is(at_ + 1, is("&") ? "." : "[")) {  // a&.b, a?.[0]
    ++at_;
    return of;
  }
  const bool arrow = is("->") && touches(at_) && touches(at_ + 1) && !of.is(Kind::paren);  // rate(kind)->percent
  if ((is(".") || is("?.") || arrow) && !number && is_word(at_ + 1) &&
      (touches(at_) || new_line(at_) || tokens_[at_ + 1].begin == tokens_[at_].end)) {
    at_ += 2;
    const std::string_view name = tokens_[at_ - 1].shown;
    const bool question =
        is("?") && touches(at_) && (among(name, kQuestions) || (tokens_.is(at_ + 1, "(") && touches(at_ + 1)));
    if (question) ++at_;
    const bool lambda_follows = block_lambda_begins();
    const bool nothing = of.is_name() && !facts_.declares(of.text) && facts_.bound.count(of.text) == 0 &&
                         !facts_.plain && facts_.shapes.count(of.text) == 0 && facts_.rubrics.count(of.text) == 0;
    if (nothing && is("(") && touches(at_) && !among(of.text, {"re", "regex", "history", "records", "it", "_"}))
      return fail();  // which.max(xs): a function of its own
    if ((is("(") && touches(at_)) || lambda_follows) return called(name, std::move(of), true);
    // fee.near, of a table with that key
    const auto table = of.is_name() ? facts_.tables.find(of.text) : facts_.tables.end();
    const std::string row = "\"" + std::string(name) + "\"";
    if (table != facts_.tables.end() && table->second == 1 && tokens_.text().find("| " + row) != std::string_view::npos)
      return call(of.text, {atom(row)});
    Expr e = translate_property(name, of, facts_);
    if (!e.is(Kind::none)) return e;
    if (question) return fail();
    if (of.is(Kind::loop) && of.text == "group") {  // of all in each group
      of.parts[1] = field_of_item(std::move(of.parts[1]), name);
      return of;
    }
    if (of.is_name() && facts_.shape(of.text) == Shape::records) {  // items.price: of all of them
      return loop(field(atom("x"), name), "x", std::move(of));
    }
    const bool items = of.is(Kind::loop) && of.text.empty() && !of.names.empty() &&
                       (of.names[0] == "for " + of.parts[0].text + " in" || filled_item(of));
    if (items) {  // items[price > 5].qty
      of.parts[0] = field_of_item(std::move(of.parts[0]), name);
      return of;
    }
    return field(std::move(of), name);
  }
  const bool pipe = is("%") && tokens_.is(at_ + 1, ">") && tokens_.is(at_ + 2, "%");
  if ((pipe || (is("|") && tokens_.is(at_ + 1, ">") && touches(at_ + 1))) && is_word(at_ + (pipe ? 3 : 2))) {
    at_ += pipe ? 3 : 2;
    const std::string_view name = tokens_[at_++].shown;
    std::vector<Expr> list_;
    if (is("(") && !arguments(list_)) return fail();
    list_.insert(list_.begin(), std::move(of));
    Expr e = translate_call(name, std::move(list_), facts_);
    return e.is(Kind::none) ? fail() : join_loops(std::move(e));
  }
  if (is("[") && touches(at_) && !number) return indexed(std::move(of));
  if (is("::") && is_word(at_ + 1)) {
    at_ += 2;
    return cast(std::move(of), in_lower_case(tokens_[at_ - 1].shown));
  }
  if (is("as") && is_word(at_ + 1) &&
      among(tokens_[at_ + 1].shown, {"number", "whole", "bool", "text", "list", "map", "record"})) {
    at_ += 2;
    return test(std::move(of), "as " + std::string(tokens_[at_ - 1].shown));
  }
  return of;
}

// x[::2], x[1::2], x[::-1]
Expr Reader::stepped(Expr of, Expr from, std::size_t close) {
  ++at_;
  const Expr step = signed_value();
  if (failed_ || at_ != close) return fail();
  at_ = close + 1;
  const bool back = step.is(Kind::unary) && step.text == "-";
  if (back && (step.parts[0].text != "1" || !from.is(Kind::none))) return fail();
  if (back) return call("reverse", {std::move(of)});
  if (!step.is_number() || (!from.is(Kind::none) && !from.is_number())) return fail();
  Expr e = loop(atom("x"), "x", std::move(of));
  e.names[0] = "for i, x in";
  Expr place = from.is(Kind::none) ? atom("i") : binary("-", atom("i"), Expr(from));
  Expr asked = binary("==", call("mod", {std::move(place), Expr(step)}), atom("0"));
  if (!from.is(Kind::none)) asked = binary("and", binary(">=", atom("i"), std::move(from)), std::move(asked));
  e.names.emplace_back("when");
  e.parts.push_back(std::move(asked));
  return e;
}

// x[i], x[-1], x[-3:], x[:3], x["k"], a table as a function
Expr Reader::indexed(Expr of) {
  const std::size_t close = tokens_[at_].partner;
  if (close == kNone || close >= end_) return fail();
  ++at_;
  const bool filters = take("?");
  Expr first_;
  if (!is(":") && !is("::")) first_ = expression();
  if (!failed_ && is("::")) return stepped(std::move(of), std::move(first_), close);
  if (!failed_ && at_ == close && first_.is(Kind::binary) && first_.text == ".." && !facts_.plain) {  // [a..b], with b
    at_ = close + 1;
    Expr to = one_more(first_.parts[1]);
    return sliced(std::move(of), Expr(first_.parts[0]), std::move(to), facts_);
  }
  if (is(",") && of.is_name() && facts_.tables.count(of.text) != 0) {  // t[a, b]
    std::vector<Expr> keys{std::move(first_)};
    while (!failed_ && take(",")) keys.push_back(expression());
    if (failed_ || at_ != close) return fail();
    at_ = close + 1;
    return call(of.text, std::move(keys));
  }
  if (!failed_ && at_ == close && tokens_.is(close + 1, "[") && of.is_name() && facts_.tables.count(of.text) != 0) {
    std::vector<Expr> keys{std::move(first_)};  // t[a][b]
    while (!failed_ && tokens_.is(at_ + 1, "[") && keys.size() < facts_.tables.at(of.text)) {
      at_ += 2;
      keys.push_back(expression());
      if (!is("]")) return fail();
    }
    ++at_;
    return call(of.text, std::move(keys));
  }
  if (!failed_ && (is(":") || is(".."))) {  // [a:b], without b; [a..b] with it
    const bool included = is("..");
    ++at_;
    if (included && !take("<")) take({"=", "."});
    const bool without = tokens_.is(at_ - 1, "<") || !included;
    Expr to;
    if (at_ != close) to = expression();
    if (!failed_ && !without && !to.is(Kind::none)) to = one_more(to);
    if (failed_ || at_ != close) return fail();
    at_ = close + 1;
    return sliced(std::move(of), std::move(first_), std::move(to), facts_);
  }
  const bool negative = first_.is(Kind::unary) && first_.text == "-" && first_.is_number();
  if (negative) first_ = Expr(first_.parts[0]);
  if (is_text_like(of, facts_)) of = call("characters", {std::move(of)});
  if (failed_ || at_ != close) return fail();
  at_ = close + 1;
  const bool compares = bare(first_).is(Kind::binary) &&
                        among(bare(first_).text, {"==", "!=", "<", "<=", ">", ">=", "and", "or", "in", "not in"});
  const Expr& mask = bare(first_);
  if (is_condition(mask, facts_)) {  // [0, 5][late], {true: 5, false: 0}[late]
    if (of.is(Kind::list) && of.parts.size() == 2) return choice(of.parts[1], mask, of.parts[0]);
    const auto key = [&of](std::string_view name) {
      return static_cast<std::size_t>(std::find(of.names.begin(), of.names.end(), name) - of.names.begin());
    };
    const std::size_t yes = key("\"true\""), no = key("\"false\"");
    if (of.is(Kind::record) && of.parts.size() == 2 && yes + no == 1) return choice(of.parts[yes], mask, of.parts[no]);
  }
  const bool masks = mask.is(Kind::loop) && mask.parts.size() == 2 && write(mask.parts[1]) == write(of);
  if (filters || compares || masks) {  // items[price > 5], items[items.price > 5]
    of_each(first_, of);
    Expr e = loop(atom("x"), "x", std::move(of));
    e.names.emplace_back("when");
    e.parts.push_back(bare(first_));
    return e;
  }
  if (negative && first_.text == "1") return call("last", {std::move(of)});
  if (negative) return index(of, binary("-", call("count", {of}), std::move(first_)));
  const Expr& count = first_.is(Kind::binary) && first_.text == "-" ? bare(first_.parts[0]) : first_;
  if (&count != &first_ && count.is(Kind::call) && count.text == "count" && first_.parts[1].text == "1" &&
      write(count.parts[0]) == write(of))
    return call("last", {std::move(of)});
  const bool filled = first_.is_text() && of.is(Kind::loop) && of.text.empty() && filled_item(of);
  if (filled || (first_.is_text() && of.is(Kind::loop) && of.text == "group")) {
    Expr& item = of.parts[filled ? 0 : 1];
    item = field_of_item(std::move(item), first_.text.substr(1, first_.text.size() - 2));
    return of;
  }
  const bool column = first_.is_text() || (first_.is_name() && facts_.has_field(of.text, first_.text));
  if (column && of.is_name() && facts_.shape(of.text) == Shape::records) {  // lines["price"], lines[price]
    const std::string name = first_.is_text() ? first_.text.substr(1, first_.text.size() - 2) : first_.text;
    return loop(field(atom("x"), name), "x", std::move(of));
  }
  if (of.is_name() && facts_.tables.count(of.text) != 0) return call(of.text, {std::move(first_)});
  return index(std::move(of), std::move(first_));
}

// In a condition about the items of a list: their fields, by name or as columns of the list, are those of x.
void Reader::of_each(Expr& e, const Expr& of) const {
  if (e.parts.size() == 2 && e.over() == "for x in" && write(e.parts[1]) == write(of)) {
    e = Expr(e.parts[0]);
    return;
  }
  if (e.is_name() && facts_.shapes.count(e.text) != 0 && !facts_.declares(e.text)) {
    e = field(atom("x"), e.text);
    return;
  }
  if (e.is(Kind::field) && write(e.parts[0]) == write(of)) {
    e.parts[0] = atom("x");
    return;
  }
  for (Expr& part : e.parts) of_each(part, of);
}

// ---- the beginnings

Expr Reader::primary() {
  if (failed_ || at_ >= end_ || ++nodes_ > 400) return fail();
  const Token& t = tokens_[at_];
  switch (t.kind) {
    case Token::Kind::number: return number();
    case Token::Kind::text:
    case Token::Kind::quoted:
      if (t.shown[0] == '`' && facts_.declares(t.shown.substr(1, t.shown.size() - 2))) {  // a name of SQL
        ++at_;
        return atom(t.shown.substr(1, t.shown.size() - 2));
      }
      return text({});
    case Token::Kind::word: return word();
    case Token::Kind::sign:
    case Token::Kind::end: break;
  }
  if (t.shown == "." && tokens_[at_ + 1].kind == Token::Kind::number) {
    at_ += 2;
    return atom("0." + std::string(tokens_[at_ - 1].shown));
  }
  if (among(t.shown, {"€", "$", "£"}) && tokens_[at_ + 1].kind == Token::Kind::number) {
    ++at_;
    return number();
  }
  if (t.shown == "$" && tokens_[at_ + 1].is_text()) {
    ++at_;
    return text("$");
  }
  if (among(t.shown, {"$", "@", "#", ":"}) && is_word(at_ + 1) && tokens_[at_ + 1].begin == t.end && t.shown != ":") {
    ++at_;
    return word();
  }
  if (t.shown == "$" && tokens_.is(at_ + 1, "{") && tokens_[at_ + 1].partner != kNone) {
    ++at_;
    const std::size_t close = tokens_[at_].partner;
    ++at_;
    Expr e = expression();
    if (at_ != close) return fail();
    ++at_;
    return e;
  }
  static constexpr std::pair<std::string_view, std::string_view> kFractions[] = {
      {"½", "0.5"}, {"¼", "0.25"}, {"¾", "0.75"}, {"⅓", "(1 / 3)"}, {"⅔", "(2 / 3)"}};
  for (const auto& [sign, value] : kFractions) {
    if (t.shown != sign) continue;
    ++at_;
    return atom(value);
  }
  if (t.shown == "&" && is_word(at_ + 1) && tokens_[at_ + 1].begin == t.end) {  // a reference
    ++at_;
    return word();
  }
  if (t.shown == "/") {
    std::string pattern;
    regular_expression(pattern);
    return failed_ || pattern.find('"') != pattern.npos ? fail() : atom("\"" + pattern + "\"");
  }
  if (t.shown == "√") {
    ++at_;
    return call("sqrt", {operand()});
  }
  if (t.shown == "{") return braces();
  if (t.shown == "[") return bracketed();
  if (t.shown == "(") return round();
  return fail();
}

Expr Reader::word() {
  const std::string_view shown = tokens_[at_].shown;
  if (tokens_[at_ + 1].is_text() && tokens_[at_ + 1].begin == tokens_[at_].end &&
      among(shown, {"f", "F", "r", "b", "u", "s", "rf", "fr"})) {
    ++at_;
    return text(shown);
  }
  ++at_;
  const bool own = facts_.declares(shown) || facts_.bound.count(shown) != 0;  // a name of the rubric
  constexpr std::size_t kMostWords = 4;
  std::string joined(shown);  // late payments, of late_payments
  for (std::size_t i = at_; !own && i < at_ + kMostWords && is_word(i) && !new_line(i); ++i) {
    joined += "_" + std::string(tokens_[i].shown);
    if (!facts_.declares(joined)) continue;
    at_ = i + 1;
    return atom(joined);
  }
  // 'yes' of a record, and a "yes" within a text, are no condition
  const Token* const before = at_ >= 2 ? &tokens_[at_ - 2] : nullptr;
  const bool said = facts_.shapes.count(shown) != 0 ||
                    (before != nullptr && before->is_text() && before->end == tokens_[at_ - 1].begin);
  if (!own && among(shown, {"true", "True", "TRUE"})) return atom("true");
  if (!own && !said && among(shown, {"yes", "YES", "Yes"})) return atom("true");
  const bool prose = is_word(at_) && !new_line(at_) && !is_reserved(tokens_[at_].shown);  // No distance
  if (!own && (among(shown, {"false", "False", "FALSE"}) || (!prose && !said && among(shown, {"no", "NO", "No"}))))
    return atom("false");
  if (shown == "none" && is("(") && touches(at_)) return called(shown, {}, false);
  if (shown == "none" && is("of")) return aggregate_in_words(shown);
  if (among(shown, {"null", "None", "nil", "NULL", "undefined", "NA", "missing", "none"})) return atom("missing");
  if (shown == "is" && is(".") && touches(at_) && tokens_.is(at_ + 2, "(")) {  // is.na(x), of R
    at_ += 2;
    return called("is_" + std::string(tokens_[at_ - 1].shown), {}, false);
  }
  if (is_reserved(shown)) return fail();
  const bool operand_of_case = one({"WHEN", "when", "When"}) || at_ == operand_ + 1;
  if (!own && among(shown, {"CASE", "case", "Case"}) && operand_of_case) {  // 1 + CASE WHEN c THEN v END
    --at_;
    return arms();
  }
  if (!own && among(shown, {"difference", "distance", "gap"}) && one({"between", "from", "of"})) {
    ++at_;  // the difference between a and b
    Expr from = sum();
    if (!take({"and", "to"})) return fail();
    return call("abs", {binary("-", std::move(from), product())});
  }
  if (shown == "typeof" && !is("(")) {
    Expr of = operand();
    return one({"==", "===", "!=", "!==", "is"}) ? call("typeof", {std::move(of)}) : fail();
  }
  // record.x, where the record is only a way to say where x comes from
  const bool root = among(shown, kRoots) && !facts_.declares(shown) && facts_.bound.count(shown) == 0;
  if (root && (is(".") || is("?.")) && is_word(at_ + 1) && facts_.declares(tokens_[at_ + 1].shown)) {
    ++at_;
    return word();
  }
  if ((root || shown == "input") && is("[") && touches(at_) && tokens_[at_ + 1].is_text() && tokens_.is(at_ + 2, "]")) {
    const std::string quoted = as_text(tokens_[at_ + 1].shown);
    const std::string inner = quoted.substr(1, quoted.size() - 2);
    if (facts_.declares(inner)) {
      at_ += 3;
      return atom(inner);
    }
  }
  if (among(shown, {"Math", "math", "np", "numpy", "statistics", "stats", "pd", "_", "lodash", "stat", "fn", "std", "R",
                    "Object", "Array", "Number", "String"}) &&
      (is(".") || is("::")) && is_word(at_ + 1) && !facts_.declares(shown)) {
    ++at_;
    const std::string_view name = tokens_[at_].shown;
    ++at_;
    if (is("(")) {
      Expr e = called(name, atom(shown), false);
      const bool known = !e.is(Kind::call) || e.text != name || find_builtin(name) != nullptr || facts_.plain;
      return known ? e : fail();  // stats.mode(xs)
    }
    if (among(name, {"pi", "PI"})) return atom("3.141592653589793");
    if (among(name, {"e", "E"})) return atom("2.718281828459045");
    return fail();
  }
  if (!own && is(".") && tokens_.is(at_ + 2, "(") && in_lower_case(shown) != shown) {  // STDEV.P, RANK.EQ
    const std::string_view form = tokens_[at_ + 1].shown;
    const bool plain = among(form, {"S", "INC", "EQ", "SNGL", "MATH", "PRECISE"});
    const std::string whole = std::string(shown) + (plain ? "" : "P");
    if ((plain || form == "P") && knows_function(whole)) return at_ += 2, called(whole, {}, false);
    if (plain || among(form, {"P", "EXC", "AVG", "MULT"})) return fail();
  }
  if (among(shown, {"SELECT", "select", "Select"}) && (is_word(at_) || is("*"))) return query();
  if (among(shown, {"pi", "PI", "π"}) && !facts_.declares(shown) && facts_.bound.count(shown) == 0 && !is("("))
    return atom("3.141592653589793");
  if (shown == "PI" && is("(") && tokens_.is(at_ + 1, ")")) {  // of a spreadsheet
    at_ += 2;
    return atom("3.141592653589793");
  }
  if (among(shown, {"CAST", "cast", "TRY_CAST"}) && is("(") && tokens_[at_].partner != kNone) {  // CAST(x AS INT)
    const std::size_t close = tokens_[at_].partner;
    ++at_;
    Expr value = expression();
    if (failed_ || !take({"AS", "as"}) || !is_word(at_)) return fail();
    const std::string kind = in_lower_case(tokens_[at_].shown);
    const bool to_text = among(kind, {"text", "varchar", "char", "string"});
    at_ = close + 1;
    if (to_text) return is_text_like(value, facts_) ? value : atom("\"{" + write(value, 2) + "}\"");
    return cast(std::move(value), kind);
  }
  if (is("(") && touches(at_)) return called(shown, {}, false);
  if (Expr e = aggregate_in_words(shown); !e.is(Kind::none)) return e;
  if (is_word(at_) && !new_line(at_) && !is_reserved(tokens_[at_].shown)) {
    // r stars: a field without its point; lap l: a call without its brackets
    const bool field_ = facts_.bound.count(shown) != 0 && facts_.is_field(tokens_[at_].shown);
    if (field_) return field(atom(shown), tokens_[at_++].shown);
    const bool called_ = !own && facts_.bound.count(tokens_[at_].shown) != 0 &&
                         tokens_.declaration({"fn", "table", "rubric"}, shown) != kNone;
    if (called_) return call(shown, {operand()});
  }
  if (filter_follows(atom(shown))) return filtered(atom(shown));
  if (shown == "the" && !own && is_word(at_) && !is("the") && !new_line(at_)) return word();  // the lower of a and b
  return atom(shown);
}

Expr Reader::text(std::string_view prefix) {
  const Token& token = tokens_[at_];
  ++at_;
  std::string result = translated_text(token.shown, prefix, facts_, depth_);
  if (result.empty()) return fail();
  if (is("%") && !new_line(at_)) return fail();  // "%s" % x: texts.cpp
  return atom(result);
}

// ---- brackets

Expr Reader::round() {
  const std::size_t close = tokens_[at_].partner;
  if (close == kNone || close >= end_) return fail();
  if (among(tokens_[at_ + 1].shown, {"float", "int", "double", "string", "decimal"}) && close == at_ + 2) {
    const std::string_view kind = tokens_[at_ + 1].shown;
    at_ = close + 1;  // a cast
    Expr e = operand();
    if (kind == "string") return is_text_like(e, facts_) ? e : atom("\"{" + write(e, 2) + "}\"");
    if (kind == "int" && !is_text_like(e, facts_)) return call("trunc", {std::move(e)});
    return cast(std::move(e), kind);
  }
  ++at_;
  Expr e = expression();
  if (failed_) return {};
  if (at_ < close && one({"for"})) return loop_behind(std::move(e), "", ")");
  if (is(",")) {
    std::vector<Expr> items{std::move(e)};
    while (take(",") && at_ < close) items.push_back(expression());
    if (failed_ || at_ != close) return fail();
    ++at_;
    Expr tuple = list(std::move(items));
    tuple.text = "(";
    return tuple;
  }
  if (at_ != close) return fail();
  ++at_;
  if (bare(e).is(Kind::atom)) return bare(e);
  Expr result{Kind::paren};
  result.parts.push_back(std::move(e));
  return result;
}

Expr Reader::bracketed() {
  const std::size_t close = tokens_[at_].partner;
  if (close == kNone || close >= end_) return fail();
  ++at_;
  std::vector<Expr> items;
  Expr before;  // [a, ...xs, b] is [a] + xs + [b]
  const auto joined = [](Expr left, Expr right) {
    return left.is(Kind::none) ? right : binary("+", std::move(left), std::move(right));
  };
  if (one({"for", "foreach"})) return loop_first("]");
  while (!failed_ && at_ < close) {
    if (is("..") && touches(at_ + 1)) {
      at_ += tokens_.is(at_ + 1, ".") ? 2 : 1;
      if (!items.empty()) before = joined(std::move(before), list(std::exchange(items, {})));
      before = joined(std::move(before), expression());
      take(",");
      continue;
    }
    items.push_back(expression());
    if (failed_) return {};
    const bool chosen = items[0].is(Kind::choice) && items[0].parts.size() == 2;  // [x in xs when c]
    const Expr within = chosen ? items[0].parts[0] : items[0];
    if (items.size() == 1 && (chosen || one({"where"})) && within.is(Kind::binary) && within.text == "in" &&
        within.parts[0].is_name() && !facts_.declares(within.parts[0].text)) {
      Expr made = loop(within.parts[0], within.parts[0].text, within.parts[1]);
      if (chosen) made.names.emplace_back("when"), made.parts.push_back(items[0].parts[1]);
      if (!clauses(made, "]") || !take("]")) return fail();
      return made;
    }
    if (items.size() == 1 && (one({"for"}) || is("|"))) return loop_behind(std::move(items[0]), "", "]");
    if (at_ < close && !take({",", ";"})) return fail();
  }
  if (failed_ || at_ != close) return fail();
  ++at_;
  if (items.empty() && !before.is(Kind::none)) return before;
  if (items.size() == 1 && items[0].is(Kind::list) && items[0].text == "or") items = std::move(items[0].parts);
  return joined(std::move(before), list(std::move(items)));
}

// 1: 100, 5 -> 0: two numbers that belong together, as a list. Kind none, and nothing read: something else.
Expr Reader::number_pair() {
  if (tokens_[at_].kind != Token::Kind::number || !among(tokens_[at_ + 1].shown, {":", "->", "=>"})) return {};
  Expr first_ = number();
  ++at_;
  return list({std::move(first_), expression()});
}

// A record, a set, a map of a loop, {{name}}
Expr Reader::braces() {
  const std::size_t close = tokens_[at_].partner;
  if (close == kNone || close >= end_) return fail();
  if (tokens_.is(at_ + 1, "{") && tokens_[at_ + 1].partner == close - 1) {
    at_ += 2;
    Expr e = expression();
    if (at_ != close - 1) return fail();
    at_ = close + 1;
    return e;
  }
  if (among(tokens_[at_ + 1].shown, {"let", "const", "var", "val", "return"}) && is_word(at_ + 2)) return arm_value();
  ++at_;
  if (one({"for", "foreach"})) return loop_first("}");
  Expr record{Kind::record}, before;  // before: what '...x' adds, and the fields before it
  std::vector<Expr> items;
  const auto fields = [&] {  // { a, b: 1 }: names alone are fields, too
    const bool names = std::all_of(items.begin(), items.end(), [](const Expr& e) { return e.is_name(); });
    for (std::size_t k = 0; names && k < items.size(); ++k)
      record.names.push_back(items[k].text), record.parts.push_back(items[k]);
    if (names) items.clear();
  };
  std::vector<std::pair<Expr, Expr>> arms_;  // { c: v, d: w, else: u }
  while (!failed_ && at_ < close) {
    if (!arms_.empty() && one({"else", "default", "otherwise", "_", "true", "True"})) {
      ++at_;
      take({":"});
      Expr result = expression();
      take(",");
      if (failed_ || at_ != close) return fail();
      ++at_;
      for (std::size_t i = arms_.size(); i-- > 0;)
        result = choice(std::move(arms_[i].second), std::move(arms_[i].first), std::move(result));
      return result;
    }
    if (is("..") || is("**")) {  // { a: 1, ...x }
      fields();
      ++at_;
      take(".");
      Expr all = operand();
      if (!record.parts.empty()) before = before.is(Kind::none) ? record : binary("+", std::move(before), record);
      before = before.is(Kind::none) ? std::move(all) : binary("+", std::move(before), std::move(all));
      record = Expr{Kind::record};
      if (at_ < close && !take({",", ";"})) return fail();
      continue;
    }
    if (Expr pair = tokens_.is(close + 1, "[") ? Expr{} : number_pair(); !pair.is(Kind::none)) {  // points of a curve
      items.push_back(std::move(pair));
      if (at_ < close && !take({",", ";"})) return fail();
      continue;
    }
    const bool named = (is_word(at_) || tokens_[at_].is_text()) &&
                       (tokens_.is(at_ + 1, ":") || tokens_.is(at_ + 1, "=") || tokens_.is(at_ + 1, "=>"));
    if (named && !tokens_.is(at_ + 1, "==")) {
      std::string key = is_word(at_) ? std::string(tokens_[at_].shown) : as_text(tokens_[at_].shown);
      const std::string inner = key[0] == '"' ? key.substr(1, key.size() - 2) : key;
      const bool plain = !inner.empty() && is_name_character(inner[0]) && !is_digit(inner[0]) && !is_reserved(inner) &&
                         std::all_of(inner.begin(), inner.end(), is_name_character);
      fields();
      const std::size_t key_at = at_;
      at_ += 2;
      Expr value = expression();
      if (one({"for"}) && record.parts.empty()) {  // {k: v for x in xs}
        Expr map = loop_behind(std::move(value), "map", "}");
        if (failed_) return {};
        map.parts.insert(map.parts.begin(), atom(tokens_[key_at].is_text() ? key : tokens_[key_at].shown));
        return map;
      }
      record.names.push_back(plain ? inner : "\"" + inner + "\"");
      record.parts.push_back(std::move(value));
    } else {
      ++labels_;
      items.push_back(expression());
      --labels_;
      if (failed_) return {};
      if (items.size() == 1 && one({":", "=>"})) {
        ++at_;
        Expr value = expression();
        const Expr& key = bare(items[0]);
        if (!one({"for"}) && record.parts.empty() &&
            (key.is(Kind::test) || (key.is(Kind::binary) && key.text != ".."))) {
          arms_.emplace_back(std::move(items[0]), std::move(value));
          items.clear();
          if (!take({",", ";"})) return fail();
          continue;
        }
        if (!one({"for"})) return fail();
        Expr map = loop_behind(std::move(value), "map", "}");
        if (failed_) return {};
        map.parts.insert(map.parts.begin(), std::move(items[0]));
        return map;
      }
      const Expr& arm = items.back();  // { "a" if c; "b" if d; else "c" }
      if (items.size() == 1 && arm.is(Kind::choice) && arm.parts.size() == 2 && one({",", ";"}) &&
          record.parts.empty()) {
        arms_.emplace_back(arm.parts[1], arm.parts[0]);
        items.clear();
        ++at_;
        continue;
      }
      if (items.size() == 1 && one({"for"})) return call("distinct", {loop_behind(std::move(items[0]), "", "}")});
    }
    if (at_ < close && !take({",", ";"})) return fail();
  }
  if (!record.parts.empty() || !before.is(Kind::none)) fields();
  if (failed_ || at_ != close || (!items.empty() && !record.parts.empty())) return fail();
  ++at_;
  if (!before.is(Kind::none) && !items.empty()) return fail();
  if (!before.is(Kind::none)) return record.parts.empty() ? before : binary("+", std::move(before), std::move(record));
  if (!arms_.empty()) {  // { 100 if a; 50 if b; 0 }: the last one is what is left
    if (items.size() > 1 || !record.parts.empty()) return fail();
    Expr result = items.empty() ? Expr{} : std::move(items[0]);
    for (std::size_t i = arms_.size(); i-- > 0;)
      result = choice(std::move(arms_[i].second), std::move(arms_[i].first), std::move(result));
    return result;
  }
  if (items.empty()) return record;
  fields();
  const Expr& only = items.empty() ? record : bare(items[0]);
  const bool maps = items.size() == 1 && only.is(Kind::binary) && only.text == "+" && only.parts[0].is_name() &&
                    facts_.shape(only.parts[0].text) == Shape::map;
  if (maps) return std::move(items[0]);                    // { m + n }
  return items.empty() ? record : list(std::move(items));  // a set
}

}  // namespace assay::mending
