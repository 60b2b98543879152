// Loops in their forms, the arguments of calls, and functions without a name.
#include "lang/mend/foreign/reader.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

// A1, of a spreadsheet.
bool is_cell(std::string_view word) {
  const std::size_t digits = word.find_first_of("0123456789");
  return digits != word.npos && digits > 0 && digits < 3 && word.find_first_not_of("0123456789", digits) == word.npos &&
         std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(digits),
                     [](char c) { return c >= 'A' && c <= 'Z'; });
}

// [m if m > 5 for m in marks]: the condition says which items count.
void ask_items(Expr& loop) {
  const Expr item = loop.parts[0];
  if (!item.is(Kind::choice) || item.parts.size() != 2 || item.text == "when") return;
  loop.names.emplace_back("when");
  loop.parts.push_back(item.parts[1]);
  loop.parts[0] = item.parts[0];
}

bool is_function_word(std::string_view word) { return among(word, {"lambda", "function", "func", "fn", "fun"}); }

}  // namespace

// ---- loops

Expr Reader::loop_behind(Expr value, std::string_view kind, std::string_view close) {
  Expr result{Kind::loop, std::string(kind)};
  result.parts.push_back(std::move(value));
  if (is("|")) {  // [v | x <- xs, c]
    ++at_;
    if (!is_word(at_) || !tokens_.is(at_ + 1, "<") || !tokens_.is(at_ + 2, "-")) return fail();
    const std::string variable(tokens_[at_].shown);
    at_ += 3;
    result.names.push_back("for " + variable + " in");
    result.parts.push_back(range());
    while (take(",")) {
      result.names.emplace_back("when");
      result.parts.push_back(condition());
    }
  } else if (!clauses(result, close)) {
    return fail();
  }
  if (failed_ || !is(close)) return fail();
  ++at_;
  ask_items(result);
  return join_loops(std::move(result));
}

// [for x in xs : v if c]: the value behind its clauses
Expr Reader::loop_first(std::string_view close) {
  Expr result{Kind::loop};
  result.parts.emplace_back();
  if (!clauses(result, close) || !take(":")) return fail();
  ++labels_;
  result.parts[0] = expression();
  --labels_;
  if (close == "}") {  // {for x in xs: x.id => x.cost}
    if (!take({"=>", ":", "->"})) return fail();
    Expr key = std::move(result.parts[0]);
    result.parts[0] = expression();
    if (failed_ || !take(close)) return fail();
    ask_items(result);
    result.text = "map";
    result = join_loops(std::move(result));
    result.parts.insert(result.parts.begin(), std::move(key));
    return result;
  }
  if (take({"if", "when"})) result.names.emplace_back("when"), result.parts.push_back(condition());
  if (failed_ || !(close.empty() || take(close))) return fail();
  return join_loops(std::move(result));
}

// for all records r; for step s in steps; for each step, of a list of steps. False, and nothing read: another loop.
bool Reader::items_of_loop(Expr& result, bool each) {
  if (!is_word(at_)) return false;
  const std::string_view noun = tokens_[at_].shown, next = tokens_[at_ + 1].shown;
  const bool named = is_word(at_ + 1) && !is_reserved(next) && !among(next, {"of", "from", "if", "where", "sorted"});
  if (named && among(tokens_[at_ + 2].shown, {"in", "of", "from"})) {  // step s in steps
    ++at_;
    return false;
  }
  for (const auto& [list, fields] : facts_.fields) {
    const bool many = list == noun && named,
               single = each && !named && KnownNames::singular(noun, list) && next != "in";
    if (!many && !single) continue;
    at_ += many ? 2 : 1;
    const std::string variable(many ? next : noun);
    result.names.push_back("for " + variable + " in");
    result.parts.push_back(atom(list));
    return true;
  }
  return false;
}

bool Reader::clauses(Expr& result, std::string_view close) {
  std::vector<std::pair<std::string, Expr>> zipped;  // names of items of a second list
  if (!all_clauses(result, close, zipped)) return false;
  for (const auto& [name, item] : zipped) {
    for (Expr& part : result.parts) substitute(part, name, item);
  }
  return true;
}

bool Reader::all_clauses(Expr& result, std::string_view close, std::vector<std::pair<std::string, Expr>>& zipped) {
  while (!failed_ && at_ < end_ && !is(close) && !is(":")) {
    if (take({"for", "foreach", "forall"})) {
      const bool each = one({"each", "every", "all"});
      take({"each", "every", "const", "let", "var", "all"});
      if (items_of_loop(result, each)) continue;
      const bool around = take("(");
      if (around) take({"const", "let", "var"});
      std::string names;
      const bool tuple = take("(");
      while (is_word(at_) && !one({"in", "of"})) {
        names += (names.empty() ? "" : ", ") + std::string(tokens_[at_++].shown);
        if (!take(",")) break;
      }
      if (tuple && !take(")")) return false;
      if (!take({"in", "of", "from", ":"})) return false;
      Expr of = range();
      if (failed_) return false;
      const bool pairs = names.find(',') != names.npos;
      const std::size_t comma = names.find(", ");
      if (pairs && of.is(Kind::call) && of.text == "enumerate" && of.parts.size() == 2) {  // places from 1 on
        const Expr& start = of.parts[1].is(Kind::named) ? of.parts[1].parts[0] : of.parts[1];
        if (start.text != "0") zipped.emplace_back(names.substr(0, comma), added(atom(names.substr(0, comma)), start));
      }
      if (pairs && of.is(Kind::call) && of.text == "enumerate" && !of.parts.empty()) of = Expr(of.parts[0]);
      if (is("<") && tokens_.is(at_ - 1, "..")) {  // 0..<3, of Swift
        ++at_;
        of = binary("..", std::move(of), one_less(sum()));
      }
      if (of.is(Kind::call) && of.text == "zip" && of.parts.size() == 2 && pairs) {
        const std::string place = names.substr(0, comma) == "i" ? "k" : "i";
        result.names.push_back("for " + place + ", " + names.substr(0, comma) + " in");
        result.parts.push_back(of.parts[0]);
        zipped.emplace_back(names.substr(comma + 2), index(of.parts[1], atom(place)));
        const auto list_of = [](const Expr& e) { return e.is(Kind::loop) && e.parts.size() == 2 ? e.parts[1] : e; };
        const Expr shorter = list_of(of.parts[1]);
        if (write(list_of(of.parts[0])) != write(shorter)) {  // up to the end of the shorter one
          result.names.emplace_back("when");
          result.parts.push_back(binary("<", atom(place), call("count", {shorter})));
        }
        continue;
      }
      if (of.is(Kind::call) && of.text == "range" && !of.parts.empty() && of.parts.size() <= 2) {
        const Expr low = of.parts.size() == 2 ? of.parts[0] : atom("0");
        of = binary("..", low, one_less(of.parts.back()));
      }
      result.names.push_back("for " + names + " in");
      result.parts.push_back(std::move(of));
      if (around && !take(")")) return false;
    } else if (take({"if", "when", "where"})) {
      if (tokens_.is(at_ - 1, "where") && is_word(at_) && tokens_.is(at_ + 1, "=")) {
        do {
          result.names.push_back((tokens_.is(at_ - 1, ",") ? ", " : "where ") + std::string(tokens_[at_].shown) + " =");
          at_ += 2;
          result.parts.push_back(disjunction());
        } while (is(",") && is_word(at_ + 1) && tokens_.is(at_ + 2, "=") && (++at_, true));
        continue;
      }
      const bool more = result.names.back() == "when";
      if (more) result.parts.back() = binary("and", std::move(result.parts.back()), condition());
      else result.names.emplace_back("when"), result.parts.push_back(condition());
    } else if (one({"while", "until"})) {
      const bool until = is("until");
      ++at_;
      Expr asked = condition();
      result.names.emplace_back("while");
      result.parts.push_back(until ? negated(std::move(asked)) : std::move(asked));
    } else if (is("with") && tokens_.is(at_ + 2, "=") && take("with")) {
      if (!is_word(at_)) return false;
      const std::size_t with = at_;
      result.names.push_back("with " + std::string(tokens_[at_].shown) + " =");
      at_ += 2;
      result.parts.push_back(disjunction());
      const std::size_t name = at_;
      if (!take({"then", "next", ",", ";", "->", "=>"})) return false;
      if (tokens_.is(name + 1, tokens_[with].shown) && tokens_.is(name + 2, "=")) at_ += 2;  // then n = n + 1
      result.names.emplace_back("then");
      result.parts.push_back(expression());
    } else if (one({"group", "grouped", "GROUP"}) && among(tokens_[at_ + 1].shown, {"by", "BY"})) {
      at_ += 2;
      result.names.emplace_back(kGroups);
      result.parts.push_back(operand());
    } else if ((is(",") && among(tokens_[at_ + 1].shown, {"sorted", "ordered", "order"}) && take(",")) ||
               one({"order", "sort", "sorted", "ordered", "ORDER", "orderby"}) ||
               (is("by") && !among(tokens_[at_ + 1].shown, {"higher", "lower"}))) {
      const bool bare = is("by");  // in which direction is not said
      if (take({"order", "sort", "sorted", "ordered", "ORDER"})) take({"by", "BY"});
      else ++at_;
      Expr key = disjunction();
      const bool higher = take({"desc", "DESC", "descending"});
      doubtful_ = (!take({"asc", "ASC", "ascending"}) && bare && !higher) || doubtful_;
      result.names.emplace_back(higher ? "by higher" : "by lower");
      result.parts.push_back(std::move(key));
    } else if (take("by")) {
      std::string before = "by ";
      do {
        if (!one({"higher", "lower"})) return false;
        result.names.push_back(before + std::string(tokens_[at_++].shown));
        result.parts.push_back(disjunction());
        before = ", ";
      } while (is(",") && among(tokens_[at_ + 1].shown, {"higher", "lower"}) && (++at_, true));
    } else if (one({",", "and", "such", "|", "with"})) {  // for x in xs, x > 3
      const std::size_t begin = at_++;
      if (without_missing() != kNone || (is("default") && tokens_.is(at_ + 1, "="))) return at_ = begin, is(",");
      take({"that"});
      Expr asked = condition();
      if (failed_) return false;
      if (!is_condition(asked, facts_)) {  // another argument
        at_ = begin;
        return is(",");
      }
      result.names.emplace_back("when");
      result.parts.push_back(std::move(asked));
    } else {
      return false;
    }
  }
  return !failed_;
}

// ---- calls and lambdas

// The '=' of a setting that leaves out what is missing, of R and pandas; kNone: none is here.
std::size_t Reader::without_missing() const {
  const bool r = is("na") && tokens_.is(at_ + 1, ".") && tokens_.is(at_ + 2, "rm");
  const std::size_t set = r ? at_ + 3 : one({"na_rm", "skipna", "dropna", "ignore_nulls"}) ? at_ + 1 : kNone;
  return set != kNone && tokens_.is(set, "=") ? set : kNone;
}

// Of a list, or a loop over one, only what is given.
Expr Reader::only_given(Expr e) const {
  const bool items = e.is_name() || e.is(Kind::field);
  const bool values = e.is(Kind::loop) && e.text.empty() && e.parts.size() == 2;
  if (!items && !values) return e;
  const std::string name = items ? e.text : e.parts[0].text;
  if (!facts_.may_be_missing(name)) return e;  // nothing to leave out
  if (items) e = loop(atom("x"), "x", std::move(e));
  e.names.emplace_back("when"), e.parts.push_back(test(e.parts[0], "is given"));
  return e;
}

// filter(samples, s.nitrate > 50), map(samples, nitrate * 2): the function of each item, without its head.
void Reader::of_each_item(std::vector<Expr>& arguments) const {
  if (arguments.size() != 2 || !is_list(arguments[0])) return;
  const Expr& each = bare(arguments[1]);
  const bool field_ = each.is_name() && facts_.has_field(arguments[0].text, each.text);
  if (!field_ && !each.is(Kind::field) && !each.is(Kind::binary) && !each.is(Kind::unary) && !each.is(Kind::test) &&
      !each.is(Kind::call))
    return;
  std::string variable;
  find_variable(arguments[1], arguments[0], variable, 0);
  const bool named = !variable.empty();
  if (!named) variable = "x";
  Expr body = arguments[1];
  of_variable(body, variable, arguments[0]);
  if (!named && !mentions(body, variable)) return;
  Expr f{Kind::lambda};
  f.names.push_back(variable);
  f.parts.push_back(std::move(body));
  arguments[1] = std::move(f);
}

// `callee`: its name; only the rubric's own functions may name a parameter like a value: f(price = 3).
bool Reader::arguments(std::vector<Expr>& result, std::string_view callee) {
  const std::size_t close = tokens_[at_].partner;
  if (close == kNone || close >= end_) return false;
  ++at_;
  if (is("for") || is("foreach")) {  // sum(for x in xs if c: v)
    Expr made = loop_first(")");
    if (failed_ || at_ != close + 1) return false;
    result.push_back(std::move(made));
    return true;
  }
  const bool compares = facts_.functions.count(callee) == 0 && !among(callee, {"dict", "record", "list", "switch"});
  while (!failed_ && at_ < close) {
    if (const std::size_t set = without_missing(); set != kNone) {  // mean(x, na.rm = TRUE)
      at_ = set + 2;
      const bool yes = among(tokens_[set + 1].shown, {"TRUE", "True", "true", "T", "1"});
      if (yes && result.size() == 1) result[0] = only_given(std::move(result[0]));
      if (at_ < close && !take(",")) return false;
      continue;
    }
    const bool known = compares && facts_.declares(tokens_[at_].shown);  // IF(late=TRUE, …)
    if (Expr pair = number_pair(); !pair.is(Kind::none)) {
      result.push_back(std::move(pair));
    } else if (callee == "switch" && tokens_[at_].is_text() && tokens_.is(at_ + 1, "=")) {  // switch(x, "a" = 1)
      const std::string quoted = as_text(tokens_[at_].shown);
      Expr named{Kind::named, quoted.substr(1, quoted.size() - 2)};
      at_ += 2;
      named.parts.push_back(expression());
      result.push_back(std::move(named));
    } else if (is_word(at_) && tokens_.is(at_ + 1, "=") && !known &&
               !(tokens_.is(at_ + 2, "=") && tokens_[at_ + 1].end == tokens_[at_ + 2].begin)) {
      const std::string_view name = tokens_[at_].shown;
      at_ += 2;
      Expr value = expression();
      const bool of_item = !result.empty() && facts_.is_field(name) && !facts_.declares(name) &&
                           among(in_lower_case(callee), {"countif", "count_if", "countifs", "filter"});
      if (of_item) {  // COUNTIF(tasks, priority = "high")
        result.push_back(binary("==", field(atom("x"), name), std::move(value)));
      } else {
        Expr named{Kind::named, std::string(name)};
        named.parts.push_back(std::move(value));
        result.push_back(std::move(named));
      }
    } else if (is_word(at_) && tokens_.is(at_ + 1, ":") && is_cell(tokens_[at_].shown)) {
      return fail(), false;  // A1:A10
    } else if (is_word(at_) && tokens_.is(at_ + 1, ":") && !tokens_.is(at_ + 2, ":") &&
               !among(callee, {"map", "group"})) {
      Expr named{Kind::named, std::string(tokens_[at_].shown)};
      at_ += 2;
      named.parts.push_back(expression());
      result.push_back(std::move(named));
    } else if (is("&") && tokens_.is(at_ + 1, ":") && is_word(at_ + 2)) {  // &:price
      at_ += 3;
      Expr f{Kind::lambda};
      f.names.emplace_back("x");
      f.parts.push_back(field(atom("x"), tokens_[at_ - 1].shown));
      result.push_back(std::move(f));
    } else {
      if (is("decimals") && tokens_[at_ + 1].kind == Token::Kind::number) ++at_;  // round(x, decimals 1)
      if (is("..") && tokens_.is(at_ + 1, ".")) at_ += 2;                         // ...xs
      else if (is("*") && touches(at_ + 1)) ++at_;
      const bool maps = among(callee, {"map", "group", "dict", "Map"});
      labels_ += maps ? 1 : 0;
      Expr e = expression();
      labels_ -= maps ? 1 : 0;
      if (!failed_ && one({"for"}) && result.empty()) {
        Expr made{Kind::loop};
        made.parts.push_back(std::move(e));
        if (!clauses(made, ")")) return fail(), false;
        result.push_back(join_loops(std::move(made)));
        if (take(",")) continue;  // max(x for x in xs, 0)
        if (at_ != close) return false;
        ++at_;
        return true;
      }
      // map(k: v for …), map(k => v for …)
      const bool arrow = maps && one({"=>", "->"});
      if (!failed_ && (is(":") || arrow) && result.empty() && tokens_.is(at_ - 1, ")") == false) {
        ++at_;
        Expr value = expression();
        Expr made = loop_behind(std::move(value), "map", ")");
        if (failed_) return false;
        made.parts.insert(made.parts.begin(), std::move(e));
        result.push_back(std::move(made));
        return true;
      }
      if (!failed_ && e.is_name() && is("by") && is_word(at_ + 1)) {  // max(items by score)
        Expr key{Kind::lambda};
        key.names.emplace_back("x");
        take("by");
        take({"higher", "lower", "highest", "lowest"});
        key.parts.push_back(field(atom("x"), tokens_[at_++].shown));
        result.push_back(std::move(e));
        e = Expr{Kind::named, "key"};
        e.parts.push_back(std::move(key));
      }
      if (!failed_ && e.is_name() && one({"where", "WHERE"})) e = loop(atom("x"), "x", std::move(e));
      const bool column = !failed_ && e.is(Kind::loop) && e.parts.size() == 2;
      if (column && take({"where", "WHERE", "when", "if"})) {  // mean(items.price where items.valid)
        const Expr of = e.parts[1];
        Expr asked = condition();
        of_each(asked, of);
        e.names.emplace_back("when");
        e.parts.push_back(std::move(asked));
      }
      result.push_back(std::move(e));
    }
    if (failed_) return false;
    if (at_ < close && !take({",", ";", "~"})) return false;  // case_when(a ~ 1, b ~ 2)
  }
  if (at_ != close) return false;
  ++at_;
  return true;
}

// Options of other libraries beside what is aggregated: those that change nothing go, sum(xs, start=0). False: one of them
// means something.
bool Reader::drop_options(std::string_view& name, std::string_view module, std::vector<Expr>& list) {
  const bool spread = among(name, {"std", "var", "stddev", "stdev", "variance"});
  bool sample = name == "stdev" || name == "variance", all = among(module, {"np", "numpy"});
  for (std::size_t i = 1; i < list.size();) {
    if (!list[i].is(Kind::named) || among(list[i].text, {"default", "key", "by", "reverse", "na"})) {
      ++i;
      continue;
    }
    const std::string value = list[i].parts.empty() ? std::string() : write(list[i].parts[0]);
    const bool idle = among(list[i].text, {"axis", "dtype", "keepdims", "numeric_only"}) ||
                      (among(list[i].text, {"start", "initial", "init"}) && value == "0");
    const bool freedom = spread && list[i].text == "ddof" && (value == "0" || value == "1");
    if (freedom) sample = value == "1", all = !sample;
    if (!idle && !freedom) return false;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
  }
  // np.std divides by n, where others divide by n - 1
  const bool square = name.starts_with("var");
  if (spread && all) name = square ? "pvariance" : "pstdev";
  else if (spread && sample) name = square ? "variance" : "stdev";
  else if (spread) doubtful_ = true;
  return true;
}

Expr Reader::called(std::string_view name, Expr receiver, bool method) {
  constexpr int kMostDepth = 24;
  if (failed_ || ++depth_ > kMostDepth) return fail();
  std::vector<Expr> list_;
  const std::string_view aggregate = method || facts_.plain ? std::string_view() : aggregate_name(name);
  if (is("(") && !aggregate.empty() && tokens_[at_].partner != kNone && tokens_[at_].partner < end_ &&
      facts_.functions.count(name) == 0) {
    const std::size_t open = at_, close = tokens_[at_].partner;
    ++at_;
    const int depth_before = depth_;
    const bool all = tokens_.is(at_, "*") && at_ + 1 == close;  // count(*) from xs where c
    if (all && among(tokens_[close + 1].shown, {"from", "FROM", "in"}) && aggregate == "count") {
      at_ = close + 2;
      Expr of = operand(), asked;
      if (take({"where", "WHERE", "when", "if"})) asked = condition();
      --depth_;
      return failed_ ? Expr{} : aggregate_over(aggregate, Expr{}, std::move(of), std::move(asked), {});
    }
    bool key = false;  // max(rooms, key=seats)
    for (std::size_t i = at_; i < close; i = tokens_.behind(i))
      key = key || (tokens_.is(i, ",") && tokens_.is(i + 2, tokens_.is(i + 1, "na") ? "." : "=") &&
                    (among(tokens_[i + 1].shown, {"key", "by", "default", "na", "start", "initial", "init", "axis",
                                                  "dtype", "keepdims", "numeric_only", "ddof"})));
    key = key || receiver.text == "np" || receiver.text == "numpy";
    if (Expr e = key ? Expr{} : incomplete_aggregate(aggregate, close); !e.is(Kind::none)) {
      at_ = close + 1;
      --depth_;
      if (Expr of_each_group = of_groups(e.text, e.parts); !of_each_group.is(Kind::none)) return of_each_group;
      return asked_of_items(std::move(e));
    }
    at_ = open, depth_ = depth_before;
  }
  if (is("(") && !arguments(list_, name)) return fail();
  if (method && block_lambda_begins()) list_.push_back(block_lambda());
  --depth_;
  const std::string module = method ? std::string() : receiver.text;  // np.var
  const bool spread = !method && among(name, {"var", "variance"});
  if (failed_ || ((!aggregate.empty() || spread) && !drop_options(name, module, list_))) return fail();
  const bool any_case = without_case_option(list_);
  if (among(module, {"np", "numpy"}) ? among(name, {"round", "around", "rint"}) : module == "Math" && name == "Round")
    name = "round_even";  // of halves, in NumPy and C#
  if (Expr e = method ? Expr{} : of_groups(name, list_); !e.is(Kind::none)) return e;
  if (!aggregate.empty() && list_.size() == 1 && one({"FROM", "from"}) && is_list(atom(tokens_[at_ + 1].shown))) {
    at_ += 2;  // SUM(n) FROM rows WHERE late
    Expr of = atom(tokens_[at_ - 1].shown), asked;
    if (take({"WHERE", "where"})) asked = condition();
    return failed_ ? Expr{} : aggregate_over(aggregate, std::move(list_[0]), std::move(of), std::move(asked), {});
  }
  if (!method && among(name, {"map", "Map"})) {
    if (Expr e = of_each_by_name(list_, facts_); !e.is(Kind::none)) return join_loops(std::move(e));
  }
  const bool own = facts_.functions.count(name) != 0 || facts_.tables.count(name) != 0;
  if (!method && !own &&
      among(name, {"filter", "Filter", "FILTER", "subset", "map", "Map", "select", "reject", "find", "transform",
                   "sortBy", "sorted", "sort_by", "maxBy", "minBy", "sumBy"}))
    of_each_item(list_);
  if (list_.size() > 1 && list_.back().is(Kind::named) && list_.back().text == "default" && !method) {
    Expr otherwise = list_.back().parts[0];  // max(xs, default=0)
    list_.pop_back();
    Expr e = translate_call(name, std::move(list_), facts_);
    return e.is(Kind::none) ? fail() : binary("default", join_loops(std::move(e)), std::move(otherwise));
  }
  const bool named =
      !list_.empty() && std::all_of(list_.begin(), list_.end(), [](const Expr& e) { return e.is(Kind::named); });
  if (named && !method && facts_.rubrics.count(name) != 0) {  // essay(words: 3): of a rubric, which takes a record
    Expr record{Kind::record};
    for (Expr& e : list_) record.names.push_back(e.text), record.parts.push_back(Expr(e.parts[0]));
    return call(name, {std::move(record)});
  }
  if (named && !method && among(name, {"dict", "Dict", "record", "struct", "object", "list"})) {
    Expr record{Kind::record};
    for (Expr& e : list_) record.names.push_back(e.text), record.parts.push_back(Expr(e.parts[0]));
    return record;
  }
  const bool pairs = !list_.empty() && !method && among(name, {"map", "dict", "hash", "Map", "object"}) &&
                     std::all_of(list_.begin(), list_.end(), [](const Expr& e) {
                       return e.is(Kind::lambda) && e.names.size() == 1 && e.parts.size() == 1;
                     });
  if (pairs) {  // map(a => 1, b => 2)
    Expr record{Kind::record};
    for (Expr& e : list_) record.names.push_back(e.names[0]), record.parts.push_back(Expr(e.parts[0]));
    return record;
  }
  // Loops with the words of Assay: map(k: v for …) and group(…)
  if (!method && list_.size() == 1 && list_[0].is(Kind::loop) && list_[0].text == "map") {
    if (name != "map" && name != "group") return fail();
    list_[0].text = name;
    return std::move(list_[0]);
  }
  if (!method && among(in_lower_case(name), {"sum", "total", "max", "maximum"})) {  // max(5 if late, 0)
    for (Expr& e : list_) {
      e = counted_or(std::move(e), "0");
      for (Expr& item : e.parts) item = e.is(Kind::list) ? counted_or(std::move(item), "0") : std::move(item);
    }
  }
  if (!method && among(name, {"any", "all"}) && list_.size() == 1) {  // any(late or ill), all(late and ill)
    const Expr& asked = bare(list_[0]);
    if (asked.is(Kind::binary) && among(asked.text, {"and", "or"})) {
      doubtful_ = doubtful_ || (asked.text == "or") != (name == "any");
      return Expr(asked);
    }
  }
  if (!method && is("OVER") && tokens_.is(at_ + 1, "(")) return over_records(name, list_);
  if (!aggregate.empty() && list_.size() == 1 && list_[0].is(Kind::loop) && list_[0].parts.size() == 2 &&
      filter_follows(list_[0].parts[1])) {  // SUM(sales.amount) WHERE NOT returned
    ++at_;
    Expr value = list_[0].parts[0], asked = condition();
    return failed_ ? Expr{} : aggregate_over(aggregate, std::move(value), list_[0].parts[1], std::move(asked), "x");
  }
  if (!aggregate.empty() && !own && list_.size() == 1 && bare(list_[0]).is(Kind::choice)) {
    bool doubt = false;
    if (Expr e = of_fields(aggregate, list_[0], doubt); !e.is(Kind::none)) return e;
    if (doubt) return fail();
  }
  doubt_function(name, module, list_);
  if (!method && among(name, {"bool", "Bool", "Boolean"}) && list_.size() == 1) {
    if (Expr e = truth(list_[0]); is_condition(e, facts_)) return e;
  }
  Expr e = method ? translate_method(name, std::move(receiver), std::move(list_), facts_)
                  : translate_call(name, std::move(list_), facts_);
  if (e.is(Kind::none)) return fail();
  if (any_case) e = in_any_case(std::move(e));
  return asked_of_items(join_loops(std::move(e)));
}

// Functions that other languages define in another way, at least for some arguments.
void Reader::doubt_function(std::string_view name, std::string_view module, const std::vector<Expr>& list) {
  if (list.empty()) return;
  // Of which numbers?
  if (among(in_lower_case(name), {"averageif", "sumif"}) && list.size() == 2 && list[0].is(Kind::loop) &&
      facts_.shape(list[0].parts[0].text) == Shape::text)
    doubtful_ = true;
  if (in_lower_case(name) == "vlookup" && list.size() == 3) doubtful_ = true;  // the nearest row below, or none other
  const bool negative = !never_negative(list[0]);
  if (name == "matches" && list[0].is_text() && !list[0].text.ends_with("$\"")) doubtful_ = true;  // all of it, in Java
  // Away from 0, which is up only from 0 on; down, of Basic.
  if ((in_lower_case(name) == "roundup" || name == "Int") && negative) doubtful_ = true;
  // Halves go up in JavaScript, in Assay away from 0.
  if (name == "log" && list.size() == 1 && module.empty()) doubtful_ = true;  // to the base 10, of a calculator
  if (name == "COUNTA" && list[0].is_name() && facts_.may_be_missing(list[0].text)) doubtful_ = true;  // of given ones
  if (name == "round" && module == "Math" && negative) doubtful_ = true;
  // From 0 or from 1, up to an end or a length: libraries differ.
  if (among(name, {"substring", "substr"}) && list.size() == 3 && list[1].text != "0") doubtful_ = true;
}

// A function in braces behind the name of a method: { x -> … }, { |x| … }, { it.x }
bool Reader::block_lambda_begins() const {
  if (!is("{") || tokens_[at_].partner == kNone || new_line(at_)) return false;
  if (tokens_.is(at_ + 1, "|") || tokens_.is(at_ + 2, "->")) return true;
  for (std::size_t i = at_ + 1; i < tokens_[at_].partner; ++i) {
    if (tokens_.is(i, "it")) return true;
  }
  return false;
}

bool Reader::lambda_begins() const {
  if (at_ >= end_) return false;
  if (is("|") && is_word(at_ + 1)) return tokens_.is(at_ + 2, "|") || tokens_.is(at_ + 2, ",");
  if (is("|") && (tokens_.is(at_ + 1, "&") || tokens_.is(at_ + 1, "("))) return true;
  if (is("\\") && tokens_.is(at_ + 1, "(")) return true;
  if (is_word(at_) && is_function_word(tokens_[at_].shown))
    return tokens_.is(at_ + 1, "(") || (is("lambda") && is_word(at_ + 1));
  if (is_word(at_) && tokens_.is(at_ + 1, "=>"))  // a => 3 of a name that the rubric has is '>='
    return !(facts_.declares(tokens_[at_].shown) &&
             (tokens_[at_ + 2].kind == Token::Kind::number || facts_.shape(tokens_[at_].shown) == Shape::condition));
  if (is_word(at_) && tokens_.is(at_ + 1, "->")) {  // owner->age
    const bool arrow = facts_.shapes.count(tokens_[at_].shown) != 0 && touches(at_ + 1) && touches(at_ + 2);
    return !arrow;
  }
  if (!is("(") || tokens_[at_].partner == kNone) return false;
  const std::size_t behind = tokens_[at_].partner + 1;
  const bool typed = tokens_.is(behind, ":") && tokens_.is(behind + 2, "=>");
  return typed || tokens_.is(behind, "=>") || tokens_.is(behind, "->");
}

Expr Reader::lambda() {
  Expr f{Kind::lambda};
  const bool bars = is("|");
  if (is_word(at_) && is_function_word(tokens_[at_].shown) && !tokens_.is(at_ + 1, "=>") && !tokens_.is(at_ + 1, "->"))
    ++at_;
  take("\\");
  const std::size_t close = is("(") ? tokens_[at_].partner : kNone;
  if (is("(") || bars) ++at_;
  const bool fields = is("{"), pair = is("[");  // ({ price }) => …, ([k, v]) => …
  bool type = false;
  while (at_ < end_ && !one({"=>", "->"}) && at_ != close && !(bars && is("|"))) {
    if (is(":") && close == kNone && !bars) break;
    if (is(":")) type = true;
    else if (is(",")) type = false;
    else if (is_word(at_) && !type) f.names.emplace_back(tokens_[at_].shown);
    else if (!one({"&", "(", ")", "=", "[", "]", "<", ">", "{", "}"}) && !type) return fail();
    ++at_;
  }
  if (at_ == close || bars) ++at_;
  if (is(":") && tokens_.is(at_ + 2, "=>")) at_ += 2;  // a type of the result
  take({"=>", "->", ":"});
  if (failed_ || f.names.empty() || f.names.size() > 3) return fail();
  std::vector<std::string> read;
  if (fields) read.swap(f.names), f.names.emplace_back("x");
  if (pair && f.names.size() == 2) std::swap(f.names[0], f.names[1]);
  const bool block = is("{") && tokens_[at_].partner != kNone;
  if (block) {
    const std::size_t end_of = tokens_[at_].partner, outer = end_;
    f.parts.push_back(body());
    narrow(outer);
    at_ = end_of + 1;
  } else {
    f.parts.push_back(expression());
  }
  if (failed_) return {};
  for (const std::string& name : read) substitute(f.parts[0], name, field(atom("x"), name));
  return f;
}

Expr Reader::block_lambda() {
  const std::size_t close = tokens_[at_].partner;
  if (close == kNone || close >= end_) return fail();
  ++at_;
  Expr f{Kind::lambda};
  if (is("|")) {
    for (++at_; at_ < close && !is("|"); ++at_) {
      if (is_word(at_)) f.names.emplace_back(tokens_[at_].shown);
    }
    ++at_;
  } else if (is_word(at_) && tokens_.is(at_ + 1, "->")) {
    f.names.emplace_back(tokens_[at_].shown);
    at_ += 2;
  } else {
    f.names.emplace_back("it");
  }
  f.parts.push_back(expression());
  if (failed_ || at_ != close || f.names.empty()) return fail();
  ++at_;
  return f;
}

}  // namespace assay::mending
