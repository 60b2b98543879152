// Parts of a list: by place, by a query, and in groups with an aggregate of each: mean(v for x in xs group by k),
// sum(xs.price) per kind, xs.groupby("kind").price.mean(), SELECT kind, SUM(price) FROM xs GROUP BY kind.
#include "lang/mend/foreign/reader.hpp"

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

}  // namespace

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
  Expr e = loop(atom(variable), variable, std::move(of));
  e.text = "group";
  e.parts.insert(e.parts.begin(), std::move(key));
  return e;
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
  if (aggregate.empty() || !e.is(Kind::loop) || !e.text.empty() || e.names[0].find(',') != std::string::npos) return {};
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
  if (is_word(at_) && !one({"WHERE", "where", "Where", "ORDER", "order", "LIMIT", "limit"}) &&
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

}  // namespace assay::mending
