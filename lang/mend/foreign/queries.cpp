// Parts of a list: by place, by a query, and in groups with an aggregate of each: mean(v for x in xs group by k),
// sum(xs.price) per kind, xs.groupby("kind").price.mean(), SELECT kind, SUM(price) FROM xs GROUP BY kind.
#include "lang/mend/foreign/reader.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

}  // namespace

bool filled_item(const Expr& e) {
  return e.parts[0].is(Kind::binary) && e.parts[0].text == "default" && e.parts[0].parts[0].is_name() &&
         !e.names.empty() && e.names[0] == "for " + e.parts[0].parts[0].text + " in";
}

Expr field_of_item(Expr item, std::string_view name) {
  if (!item.is(Kind::binary) || item.text != "default") return field(std::move(item), name);
  return binary("default", field(Expr(item.parts[0]), name), Expr(item.parts[1]));
}

Expr grouped(Expr of, const Expr& by, const KnownNames& facts) {
  std::string variable = "x";
  Expr key;
  if (by.is(Kind::lambda) && by.names.size() == 1) {
    variable = by.names[0];
    key = by.parts[0];
  } else if (by.is_text() || (by.is_name() && facts.is_field(by.text))) {
    key = field(atom("x"), by.is_text() ? by.text.substr(1, by.text.size() - 2) : by.text);
  } else {
    return {};
  }
  Expr value = atom(variable);
  if (of.is(Kind::loop) && of.text.empty() && of.parts.size() == 2 && filled_item(of)) {  // xs.fillna(0).groupby("k")
    value = binary("default", std::move(value), of.parts[0].parts[1]);
    of = Expr(of.parts[1]);
  }
  Expr e = loop(std::move(value), variable, std::move(of));
  e.text = "group";
  e.parts.insert(e.parts.begin(), std::move(key));
  return e;
}

// xs.filter(Boolean), filter(None, xs): the items that are given and, of texts and numbers, no "" and no 0.
Expr filled_items(const Expr& of, const Expr& by, const KnownNames& facts) {
  const bool any = among(by.text, {"Boolean", "bool", "Bool", "missing"}) && by.is(Kind::atom);
  if (!any || facts.declares(by.text) || !of.is_name()) return {};
  const auto known = facts.items.find(of.text);
  const Shape shape = known == facts.items.end() ? Shape::unknown : known->second;
  Expr asked = atom("x");
  if (facts.may_be_missing(of.text)) asked = test(atom("x"), "is given");
  else if (shape == Shape::number) asked = binary("!=", atom("x"), atom("0"));
  else if (shape == Shape::text) asked = binary("!=", atom("x"), atom("\"\""));
  else if (shape != Shape::condition) return {};
  Expr e = loop(atom("x"), "x", of);
  e.names.emplace_back("when"), e.parts.push_back(std::move(asked));
  return e;
}

// response.hours, hours(response), total_seconds: of a text such as "1h 30m", in a unit; kind none: something else
Expr duration_in(std::string_view name, const Expr& text) {
  if (name.starts_with("total_")) name.remove_prefix(6);
  const std::string seconds = name == "seconds"                                ? "1"
                              : among(name, {"minutes", "in_minutes", "mins"}) ? "60"
                              : among(name, {"hours", "in_hours"})             ? "3600"
                              : among(name, {"days", "in_days"})               ? "86400"
                                                                               : "";
  if (seconds.empty()) return {};
  Expr e = call("duration", {text});
  return seconds == "1" ? e : binary("/", std::move(e), atom(seconds));
}

Expr of_columns(std::string_view name, const Expr& of, const std::vector<Expr>& arguments, const KnownNames& facts) {
  const bool column = of.is(Kind::loop) && of.text.empty();
  const bool items = of.is_name() && facts.shape(of.text) == Shape::list;
  const bool records = of.is_name() && facts.shape(of.text) == Shape::records && among(name, {"fillna"});
  if (!column && !items && !records) return {};
  Expr e = column ? of : loop(atom("x"), "x", of);
  Expr item = e.parts[0];
  if (name == "fillna" && arguments.size() == 1) e.parts[0] = binary("default", std::move(item), arguments[0]);
  else if (among(name, {"isna", "isnull"}) && arguments.empty()) e.parts[0] = test(std::move(item), "is missing");
  else if (among(name, {"notna", "notnull"}) && arguments.empty()) e.parts[0] = test(std::move(item), "is given");
  else if (among(name, {"dropna", "compact", "drop_nulls", "filterNotNull"}) && arguments.empty())
    e.names.emplace_back("when"), e.parts.push_back(test(std::move(item), "is given"));
  else return {};
  return e;
}

// The condition behind a list, sales WHERE NOT returned: of its items, as a loop over them.
Expr Reader::filtered(Expr of) {
  ++at_;
  const std::string table = of.text;
  Expr asked = condition();
  if (failed_) return {};
  of_variable(asked, "x", of);
  Expr e = loop(atom("x"), "x", std::move(of));
  e.names.emplace_back("when"), e.parts.push_back(std::move(asked));
  return e;
}

// Whether a list, or a loop over one, stands before WHERE or, in small letters, before a 'where' that names no value.
bool Reader::filter_follows(const Expr& of) const {
  if (at_ >= end_ || new_line(at_) || facts_.plain || !one({"WHERE", "Where", "where"})) return false;
  // In small letters only behind '=': elsewhere it belongs to a loop, or names a value.
  if (is("where") && (tokens_.is(at_ + 2, "=") || tokens_.is(at_ + 1, "{") || at_ < 2 || !tokens_.is(at_ - 2, "=")))
    return false;
  return of.is_name() && facts_.shape(of.text) == Shape::records;
}

namespace {

// The names in an expression that nothing declares and no loop binds.
void add_free_names(const Expr& e, const KnownNames& facts, std::vector<std::string>& names) {
  if (e.is_name() && !facts.declares(e.text) && facts.bound.count(e.text) == 0) names.push_back(e.text);
  for (const Expr& part : e.parts) add_free_names(part, facts, names);
}

}  // namespace

// sum(0 when returned else amount), of fields that only the items of one list of the record have: of those items. Kind none:
// it reads values. `doubt`: set if several lists have them.
Expr Reader::of_fields(std::string_view name, const Expr& value, bool& doubt) const {
  std::vector<std::string> names;
  add_free_names(value, facts_, names);
  std::vector<std::string_view> lists, inputs;
  for (const auto& [one, fields] : facts_.fields) {
    const bool has = std::all_of(names.begin(), names.end(), [&fields = fields](const std::string& n) {
      return std::find(fields.begin(), fields.end(), n) != fields.end();
    });
    if (!has || names.empty() || !facts_.declares(one)) continue;
    lists.push_back(one);
    if (tokens_.declaration({"input"}, one) != kNone) inputs.push_back(one);
  }
  if (inputs.size() == 1) lists = inputs;
  doubt = lists.size() > 1;
  return lists.size() == 1 ? aggregate_over(name, value, atom(lists[0]), Expr{}, "x") : Expr{};
}

// AVG(x) OVER (PARTITION BY k), RANK() OVER (ORDER BY score DESC), in a cohort: of all records, or of those with the same
// key. Kind none: it is something else.
Expr Reader::over_records(std::string_view name, const std::vector<Expr>& list) {
  const std::size_t close = tokens_[at_ + 1].partner;
  const auto verdict = facts_.fields.find("records");
  if (close == kNone || close >= end_ || !in_cohort() || verdict == facts_.fields.end()) return fail();
  at_ += 2;
  const auto of_record = [&](const Expr& e) { return e.is_name() ? field(atom("r"), e.text) : Expr{}; };
  Expr by, key;
  bool falls = false;
  if (take({"PARTITION", "partition"})) take({"BY", "by"}), by = operand();
  if (take({"ORDER", "order"})) {
    take({"BY", "by"});
    key = operand();
    falls = take({"DESC", "desc"});
    take({"ASC", "asc"});
  }
  if (failed_ || at_ != close) return fail();
  ++at_;
  const bool ranks = list.empty() && in_lower_case(name) == "rank";
  if (ranks != !key.is(Kind::none) || (!ranks && list.size() != 1)) return fail();
  const Expr value = ranks ? key : list[0];
  Expr e = loop(of_record(value), "r", atom("records"));
  if (e.parts[0].is(Kind::none)) return fail();
  if (ranks && !falls) e.parts[0] = unary("-", std::move(e.parts[0]));
  if (!by.is(Kind::none)) {
    if (!by.is_name()) return fail();
    e.names.emplace_back("when"), e.parts.push_back(binary("==", of_record(by), by));
  }
  if (ranks) return call("rank", {falls ? value : unary("-", value), std::move(e)});
  const std::string_view aggregate = aggregate_name(name);
  return aggregate.empty() ? fail() : call(aggregate, {std::move(e)});
}

// map(len, files), of a function by its name; kind none: something else
Expr of_each_by_name(const std::vector<Expr>& arguments, const KnownNames& facts) {
  const auto function = [&facts](const Expr& e) {
    return e.is_name() && (facts.functions.count(e.text) != 0 || facts.tables.count(e.text) != 0);
  };
  if (arguments.size() == 2 && function(arguments[1]) && !function(arguments[0]))
    return loop(call(arguments[1].text, {atom("x")}), "x", arguments[0]);
  const bool named = arguments.size() == 2 && arguments[0].is_name() &&
                     (function(arguments[0]) || !facts.declares(arguments[0].text)) &&
                     (arguments[1].is_name() || arguments[1].is(Kind::field) || arguments[1].is(Kind::loop));
  if (!named || facts.bound.count(arguments[0].text) != 0) return {};
  Expr each = translate_call(arguments[0].text, {atom("x")}, facts);
  return each.is(Kind::none) ? Expr{} : loop(std::move(each), "x", arguments[1]);
}

// map(k: mean(items) for k, items in group(…))
Expr each_group(std::string_view name, Expr groups, const KnownNames& facts) {
  if (among(name, {"size", "len", "length"})) name = "count";
  if (among(name, {"avg", "average"})) name = "mean";
  if (!among(name, {"count", "sum", "mean", "max", "min", "median", "first", "last", "product", "stdev", "any", "all"}))
    return {};
  const auto free = [&](std::string one) {
    while (facts.declares(one) || mentions(groups, one)) one += "_";
    return one;
  };
  const std::string key = free(groups.parts[0].is(Kind::field) ? groups.parts[0].text : "key"), items = free("items");
  Expr e{Kind::loop, "map"};
  e.names.push_back("for " + key + ", " + items + " in");
  e.parts = {atom(key), call(name, {atom(items)}), std::move(groups)};
  return e;
}

// Behind the brackets of an aggregate, or as the last clause within: 'group by k', 'per k'. Kind none, and nothing read: no
// groups.
Expr Reader::of_groups(std::string_view name, const std::vector<Expr>& arguments) {
  if (arguments.size() != 1) return {};
  const std::string_view aggregate = aggregate_name(name);
  Expr e = arguments[0];
  if (is_list(e) && !e.is(Kind::loop)) e = loop(atom("x"), "x", std::move(e));
  if (aggregate.empty() || e.over().empty() || !e.text.empty() || e.names[0].find(',') != std::string::npos) return {};
  Expr by;
  if (e.names.back() == kGroups) {
    by = std::move(e.parts.back());
    e.parts.pop_back(), e.names.pop_back();
  } else {
    const std::size_t begin = at_;
    if (one({"group", "grouped", "GROUP"}) && among(tokens_[at_ + 1].shown, {"by", "BY"})) at_ += 2;
    else if (one({"per", "by"}) && !new_line(at_)) at_ += 1;
    else return {};
    take({"each"});
    by = operand();
    if (failed_) return at_ = begin, failed_ = false, Expr{};
  }
  const std::string variable = e.names[0].substr(4, e.names[0].size() - 7);
  of_variable(by, variable, e.parts[1]);
  if (!mentions(by, variable)) return fail();
  e.text = "group";
  e.parts.insert(e.parts.begin(), std::move(by));
  return each_group(aggregate, std::move(e), facts_);
}

Expr sliced(Expr of, Expr from, Expr to, const KnownNames& facts) {
  const bool text = is_text_like(of, facts);
  const Expr items = text ? call("characters", {of}) : of;
  const auto negative = [](const Expr& e) { return e.is(Kind::unary) && e.text == "-"; };
  const auto before_end = [&of](const Expr& e) { return binary("-", call("count", {of}), e); };
  const bool whole = from.is(Kind::none) || from.text == "0";
  Expr e;
  if (whole && to.is(Kind::none)) return of;
  if (whole) {
    e = call("first", {negative(to) ? before_end(to.parts[0]) : std::move(to), items});
  } else if (to.is(Kind::none)) {
    e = call("last", {negative(from) ? from.parts[0] : before_end(from), items});
  } else {
    const std::string item = mentions(of, "x") ? "y" : "x", place = mentions(of, "i") ? "k" : "i";
    if (negative(from)) from = before_end(from.parts[0]);
    if (negative(to)) to = before_end(to.parts[0]);
    e = loop(atom(item), place + ", " + item, items);
    e.names.emplace_back("when");
    e.parts.push_back(binary("in", atom(place), binary("..", std::move(from), one_less(to))));
  }
  return text ? call("join", {std::move(e), atom("\"\"")}) : e;
}

// SELECT SUM(price) FROM items WHERE qty > 1
Expr Reader::query() {
  std::string_view key;  // SELECT kind, SUM(price) …
  if (tokens_.is(at_ + 1, ",") && is_word(at_ + 2)) {
    key = tokens_[at_].shown;
    at_ += 2;
  }
  const bool calls = tokens_.is(at_ + 1, "(");  // otherwise: SELECT price FROM items
  const std::string_view word = tokens_[at_].shown;
  if (calls) at_ += 2;
  Expr value;
  const bool distinct = take({"DISTINCT", "distinct"});
  if (!take("*")) value = operand();
  if (failed_ || (calls && !take(")")) || !take({"FROM", "from", "From"}) || !is_word(at_)) return fail();
  const std::string_view table = tokens_[at_++].shown;
  take({"AS", "as"});
  std::string_view alias = table;
  if (is_word(at_) && !one({"WHERE", "where", "Where", "ORDER", "order", "LIMIT", "limit", "GROUP", "group"}) &&
      !is_reserved(tokens_[at_].shown) && !tokens_[at_].starts && !new_line(at_))
    alias = tokens_[at_++].shown;
  // select s from steps: the row itself
  if (value.is_name() && alias == table && !facts_.has_field(table, value.text) && !facts_.declares(value.text)) {
    const Expr row = std::move(value);
    value = Expr{};
    Expr asked_of_row;
    if (take({"WHERE", "where", "Where"})) asked_of_row = condition();
    if (failed_ || calls) return fail();
    Expr e = loop(row, row.text, atom(table));
    if (!asked_of_row.is(Kind::none)) e.names.emplace_back("when"), e.parts.push_back(std::move(asked_of_row));
    return e;
  }
  Expr asked;
  if (take({"WHERE", "where", "Where"})) asked = condition();
  if (failed_) return {};
  const auto of_row = [&](Expr& e) {
    of_each(e, atom(table));
    if (const auto columns = facts_.fields.find(table); columns != facts_.fields.end()) {
      for (const std::string_view name : columns->second) substitute(e, name, field(atom("x"), name));
    }
    substitute(e, alias, atom("x"));
    substitute(e, table, atom("x"));
  };
  of_row(asked);
  const bool all = value.is(Kind::none);
  if (all) value = atom("x");
  else of_row(value);
  Expr e = loop(std::move(value), "x", atom(table));
  if (!asked.is(Kind::none)) e.names.emplace_back("when"), e.parts.push_back(std::move(asked));
  if (one({"ORDER", "order"}) && among(tokens_[at_ + 1].shown, {"BY", "by"})) {
    at_ += 2;
    Expr place = operand();
    of_row(place);
    e.names.emplace_back(take({"DESC", "desc"}) ? "by higher" : "by lower"), e.parts.push_back(std::move(place));
    take({"ASC", "asc"});
  }
  if (distinct) e = call("distinct", {std::move(e)});
  if (take({"LIMIT", "limit"}) && !failed_) {
    Expr most = number();
    if (calls) return translate_call(word, {std::move(e)}, facts_);  // it is a single row
    return most.text == "1" ? call("first", {std::move(e)}) : call("first", {std::move(most), std::move(e)});
  }
  if (one({"GROUP", "group"}) && among(tokens_[at_ + 1].shown, {"BY", "by"})) {
    at_ += 2;
    if (!is_word(at_) || (!key.empty() && !is(key)) || !calls) return fail();
    Expr by = operand();
    of_row(by);
    if (distinct) return fail();
    e.names.emplace_back(kGroups), e.parts.push_back(std::move(by));
    return of_groups(word, {std::move(e)});
  }
  if (!key.empty()) return fail();
  if (!calls) return e;
  if (all && e.parts.size() == 2) return call("count", {atom(table)});
  return translate_call(word, {std::move(e)}, facts_);
}

// [a for x in [y for y in ys when c]] is [a for x in ys when c].
Expr join_loops(Expr e) {
  if (e.is(Kind::call) && e.parts.size() == 1) {
    Expr& only = e.parts[0];
    if (only.is(Kind::paren) && bare(only).is(Kind::loop)) only = Expr(bare(only));
    only = join_loops(std::move(only));
    return e;
  }
  if (!e.is(Kind::loop) || e.parts.size() < 2 || !e.text.empty() || e.names.empty()) return e;
  const Expr inner = bare(e.parts[1]);
  if (!inner.is(Kind::loop) || inner.names.empty() || inner.parts.size() < 2 || !inner.text.empty()) return e;
  // over the pairs of a map twice: for k, v in [v for k, v in m when c]
  if (inner.names[0] == e.names[0] && inner.parts.size() == 3 && inner.names.size() == 2 && inner.names[1] == "when" &&
      inner.parts[0].is_name() && e.names.size() == 1) {
    Expr result = inner;
    result.parts[0] = e.parts[0];
    return result;
  }
  const bool filters =
      inner.names[0].find(',') == std::string::npos && e.names[0].find(',') == std::string::npos &&
      std::all_of(inner.names.begin() + 1, inner.names.end(), [](const std::string& n) { return n == "when"; });
  if (!filters) return e;
  const auto variable = [](const std::string& clause) { return clause.substr(4, clause.size() - 7); };
  const std::string outer = variable(e.names[0]), within = variable(inner.names[0]);
  const bool same = inner.parts[0].is_name() && inner.parts[0].text == within;
  if (!same && outer != within && mentions(e.parts[0], within)) return e;
  Expr result = e;
  result.parts[1] = inner.parts[1];
  std::vector<Expr> conditions(inner.parts.begin() + 2, inner.parts.end());
  if (same) {
    for (Expr& c : conditions) substitute(c, within, atom(outer));
  } else {  // the outer value of the inner one
    result.names[0] = inner.names[0];
    for (std::size_t i = 0; i < result.parts.size(); ++i) {
      if (i != 1) substitute(result.parts[i], outer, inner.parts[0]);
    }
  }
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    result.parts.insert(result.parts.begin() + 2 + static_cast<std::ptrdiff_t>(i), conditions[i]);
    result.names.insert(result.names.begin() + 1 + static_cast<std::ptrdiff_t>(i), "when");
  }
  // One condition: 'when a when b' is 'when a and b'
  for (std::size_t i = 1; i + 1 < result.names.size();) {
    if (result.names[i] == "when" && result.names[i + 1] == "when") {
      result.parts[i + 1] = binary("and", result.parts[i + 1], result.parts[i + 2]);
      result.parts.erase(result.parts.begin() + static_cast<std::ptrdiff_t>(i) + 2);
      result.names.erase(result.names.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    } else {
      ++i;
    }
  }
  return result;
}

// c(a, b, 5) of R: the items of the lists, and those beside them.
Expr joined_lists(std::vector<Expr> parts, const KnownNames& facts) {
  Expr all;
  bool open = false;  // the last part of the sum is a list of single items
  for (Expr& part : parts) {
    const Shape shape = part.is_name() ? facts.shape(part.text) : Shape::unknown;
    const bool whole = shape == Shape::list || shape == Shape::records || part.is(Expr::Kind::list);
    Expr& last = all.is(Expr::Kind::binary) ? all.parts[1] : all;
    if (!whole && open) {
      last.parts.push_back(std::move(part));
      continue;
    }
    open = !whole;
    Expr next = whole ? std::move(part) : list({std::move(part)});
    all = all.is(Expr::Kind::none) ? std::move(next) : binary("+", std::move(all), std::move(next));
  }
  return all;
}

}  // namespace assay::mending
