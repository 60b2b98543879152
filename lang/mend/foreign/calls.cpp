// Functions and methods of other languages: the rows of calls.def, and those that take any number of arguments.
#include "lang/mend/foreign/reader.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace assay::mending {
namespace {

using Kind = Expr::Kind;
enum class How : std::uint8_t { function, method, property };

struct Row {
  How how;
  std::string_view arguments;
  Expr result;
};
using Rows = std::multimap<std::string_view, Row>;  // by name; rows of one name in their order

const Rows& rows() {
  static const Rows kRows = [] {
    Rows all;
    const auto add = [&all](How how, std::string_view names, std::string_view arguments, std::string_view result) {
      const Tokens tokens(result);
      KnownNames none(Tokens{std::string_view{}});
      none.plain = true;
      Reader reader(tokens, none, 0, tokens.size() - 1);
      const Expr e = reader.expression();
      while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        all.emplace(names.substr(0, end), Row{how, arguments, e});
        names.remove_prefix(std::min(end + 1, names.size()));
      }
    };
#define ASSAY_OTHERS(kind, names, arguments, result) add(How::kind, names, arguments, result);
#include "lang/mend/foreign/calls.def"
#undef ASSAY_OTHERS
    return all;
  }();
  return kRows;
}

bool fits(std::string_view wanted, const std::vector<Expr>& given) {
  if (wanted.size() != given.size()) return false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Expr& e = given[i];
    const bool function = e.is(Kind::lambda) && (e.names.size() == 1 || e.names.size() == 2);
    if (wanted[i] == 'l' ? !function : function) return false;
    if (wanted[i] == 'f' && !e.is_text() && !e.is_name()) return false;
  }
  return true;
}

// The variables of a loop take the names of the parameters of a function.
void rename_loops(Expr& e, const std::string& variable) {
  for (std::string& clause : e.names) {
    if (const std::size_t at = clause.find("_x"); at != clause.npos) clause.replace(at, 2, variable);
  }
  for (Expr& part : e.parts) rename_loops(part, variable);
}
void rename_field(Expr& e, std::string_view from, const std::string& to) {
  if (e.is(Kind::field) && e.text == from) e.text = to;
  for (Expr& part : e.parts) rename_field(part, from, to);
}

Expr filled(const Row& row, const Expr* receiver, const std::vector<Expr>& arguments) {
  Expr e = row.result;
  Expr body, variable;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Expr& a = arguments[i];
    if (row.arguments[i] == 'l') {
      // xs.map((x, i) => …): the position comes first in Assay
      const std::string names = a.names.size() == 2 ? a.names[1] + ", " + a.names[0] : a.names[0];
      rename_loops(e, names);
      body = a.parts.empty() ? Expr{} : a.parts[0];
      variable = atom(a.names[0]);
    } else if (row.arguments[i] == 'f') {
      rename_field(e, "_f", a.is_text() ? a.text.substr(1, a.text.size() - 2) : a.text);
    } else {
      substitute(e, "_" + std::to_string(i + 1), a);
      if (e.is_text()) e.text = "\"{" + write(a) + "}\"";
    }
  }
  if (receiver != nullptr) {
    substitute(e, "_0", *receiver);
    if (e.is_text() && e.text == "\"{_0}\"") e.text = "\"{" + write(*receiver) + "}\"";
  }
  substitute(e, "_x", variable);
  substitute(e, "_b", body);
  return e;
}

// name.startswith(("a", "b")): one of them. Of other calls nothing changes.
Expr of_any(Expr e) {
  const bool several = e.is(Kind::call) && among(e.text, {"contains", "starts_with", "ends_with"}) &&
                       e.parts.size() == 2 && e.parts[1].is(Kind::list) && !e.parts[1].parts.empty();
  if (!several) return e;
  Expr all;
  for (const Expr& one : e.parts[1].parts) {
    Expr next = call(e.text, {e.parts[0], one});
    all = all.is(Kind::none) ? std::move(next) : binary("or", std::move(all), std::move(next));
  }
  return all;
}

Expr by_rows(How how, std::string_view name, const Expr* receiver, const std::vector<Expr>& arguments) {
  const auto [begin, end] = rows().equal_range(name);
  for (auto it = begin; it != end; ++it) {
    if (it->second.how == how && fits(it->second.arguments, arguments))
      return of_any(in_one_case(filled(it->second, receiver, arguments)));
  }
  return {};
}

// Arguments in their order: names of arguments are dropped, those of the rubric's own functions say the order.
std::vector<Expr> in_order(std::string_view name, std::vector<Expr> arguments, const KnownNames& facts) {
  const auto known = facts.functions.find(name);
  if (known != facts.functions.end()) {
    std::vector<Expr> sorted(known->second.size());
    std::size_t next = 0;
    bool all = arguments.size() == sorted.size();
    for (Expr& a : arguments) {
      std::size_t place = next++;
      if (a.is(Kind::named)) {
        place = static_cast<std::size_t>(std::find(known->second.begin(), known->second.end(), a.text) -
                                         known->second.begin());
      }
      all = all && place < sorted.size() && sorted[place].is(Kind::none);
      if (all) sorted[place] = a.is(Kind::named) ? a.parts[0] : a;
    }
    if (all) return sorted;
  }
  for (Expr& a : arguments) {
    if (a.is(Kind::named)) a = Expr(a.parts[0]);
  }
  return arguments;
}

Expr folded(std::string_view sign, std::vector<Expr> arguments) {
  if (sign == "default") {
    Expr e = std::move(arguments.back());
    for (std::size_t i = arguments.size() - 1; i-- > 0;) e = binary(sign, std::move(arguments[i]), std::move(e));
    return e;
  }
  Expr e = std::move(arguments.front());
  for (std::size_t i = 1; i < arguments.size(); ++i) e = binary(sign, std::move(e), std::move(arguments[i]));
  return e;
}

std::string within_text(const Expr& e) {
  if (e.is_text()) return e.text.substr(1, e.text.size() - 2);
  const bool rounded = e.is(Kind::call) && e.text == "round" && e.parts.size() == 2 && e.parts[1].is_number();
  return "{" + (rounded ? write(e.parts[0]) + " decimals " + write(e.parts[1]) : write(e)) + "}";
}

// sorted(xs, key=lambda x: …, reverse=True), max(xs, key=…); kind none: another function, or no such names
bool is_list_name(const Expr& e, const KnownNames& facts) {
  return (e.is_name() || e.is(Kind::field)) && facts.shape(e.text) == Shape::list;
}

std::string inside(const Expr& text) { return text.text.substr(1, text.text.size() - 2); }  // of its quotes

// Whether an order looks each key of a map up in it: key=ages.get, key=lambda k: ages[k]
bool of_keys(const Expr& key, const std::string& map) {
  if (!key.is(Kind::lambda)) return write(key) == map + ".get";
  return key.names.size() == 1 && !key.parts.empty() && write(key.parts[0]) == map + "[" + key.names[0] + "]";
}

Expr ordered(std::string_view name, const Expr* receiver, const std::vector<Expr>& a, const KnownNames& facts) {
  const bool sorts = among(name, {"sorted", "sort", "SORT", "sort_values"}), most = among(name, {"max", "min"});
  if (!sorts && !most) return {};
  if (sorts && receiver != nullptr && a.size() == 1 && a[0].is(Kind::lambda) && a[0].names.size() == 2) {
    const Expr& body = bare(a[0].parts[0]);  // (a, b) => b.price - a.price
    if (!body.is(Kind::binary) || body.text != "-") return {};
    const bool falls = mentions(body.parts[0], a[0].names[1]);
    const std::string& variable = a[0].names[falls ? 1 : 0];
    Expr e = loop(atom(variable), variable, *receiver);
    e.names.emplace_back(falls ? "by higher" : "by lower");
    e.parts.push_back(body.parts[0]);
    return e;
  }
  const Expr *of = receiver, *key = nullptr;
  bool higher = name == "max", named = false;
  for (const Expr& e : a) {
    if (!e.is(Kind::named)) {
      if (of != nullptr) return {};
      of = &e;
      continue;
    }
    named = true;
    const Expr& value = e.parts[0];
    if (e.text == "key" || e.text == "by") key = &value;
    else if (e.text == "reverse" || e.text == "descending" || e.text == "decreasing") higher = value.text == "true";
    else if (e.text == "ascending") higher = value.text == "false";
    else if (!among(e.text, {"inplace", "ignore_index", "na_position", "kind", "stable"})) return {};
  }
  if (of == nullptr || !named || (most && key == nullptr)) return {};
  std::string variable = "x";
  Expr by = atom("x"), value;
  if (key != nullptr && of_keys(*key, write(*of))) {
    value = atom("k"), by = atom("v"), variable = "k, v";
  } else if (key != nullptr && key->is(Kind::lambda) && key->names.size() == 1) {
    variable = key->names[0];
    by = key->parts[0];
  } else if (key != nullptr && key->is_text()) {
    by = field(atom("x"), inside(*key));
  } else if (key != nullptr && key->is_name() && facts.has_field(of->text, key->text)) {
    by = field(atom("x"), key->text);
  } else if (key != nullptr && key->is_name()) {
    by = translate_call(key->text, {atom("x")}, KnownNames(Tokens{std::string_view{}}));
  } else if (key != nullptr) {
    return {};
  }
  Expr e = loop(value.is(Kind::none) ? atom(variable) : value, variable, *of);
  e.names.emplace_back(higher ? "by higher" : "by lower");
  e.parts.push_back(std::move(by));
  return most ? call("first", {std::move(e)}) : e;
}

// xs.reduce((a, b) => a + b.n, 0)
Expr reduced(const Expr& of, const Expr& f, const Expr* start) {
  if (!f.is(Kind::lambda) || f.names.size() != 2 || f.parts.empty()) return {};
  const std::string &state = f.names[0], &item = f.names[1];
  const Expr& body = bare(f.parts[0]);
  if (body.is(Kind::binary) && (body.text == "+" || body.text == "*")) {
    const bool left = bare(body.parts[0]).text == state && bare(body.parts[0]).is_name();
    const bool right = bare(body.parts[1]).text == state && bare(body.parts[1]).is_name();
    const Expr& each = left ? body.parts[1] : body.parts[0];
    const std::string neutral = body.text == "+" ? "0" : "1";
    if (left != right && !mentions(each, state) && (start == nullptr || start->text == neutral)) {
      const std::string_view name = body.text == "+" ? "sum" : "product";
      const Expr& inner = bare(each);
      if (name == "sum" && inner.is(Kind::choice) && inner.parts.size() == 3 && inner.parts[2].text == "0") {
        Expr e = loop(inner.parts[0], item, of);
        e.names.emplace_back("when"), e.parts.push_back(inner.parts[1]);
        return call("sum", {std::move(e)});
      }
      if (each.is_name() && each.text == item) return call(name, {of});
      return call(name, {loop(inner, item, of)});
    }
  }
  if (body.is(Kind::call) && (body.text == "max" || body.text == "min") && body.parts.size() == 2 &&
      body.parts[0].text == state && !mentions(body.parts[1], state) && start == nullptr)
    return call(body.text, {loop(body.parts[1], item, of)});
  if (start == nullptr) return {};
  Expr e = loop(atom(state), item, of);
  e.names.push_back("with " + state + " =");
  e.parts.push_back(*start);
  e.names.emplace_back("then");
  e.parts.push_back(body);
  return binary("default", call("last", {std::move(e)}), *start);
}

Expr of_pattern(const Expr& value, const Expr& pattern) {
  if (!pattern.is_text()) return {};
  return matches(value, std::string_view(pattern.text).substr(1, pattern.text.size() - 2));
}

// The sum of conditions: how many of them hold.
Expr counted(const Expr& of, const KnownNames& facts) {
  const bool conditions =
      of.is(Kind::list) && !of.parts.empty() &&
      std::all_of(of.parts.begin(), of.parts.end(), [&](const Expr& e) { return is_condition(e, facts); });
  if (conditions) {
    Expr e = loop(atom("x"), "x", of);
    e.names.emplace_back("when"), e.parts.push_back(atom("x"));
    return call("count", {std::move(e)});
  }
  return {};
}

// Arithmetic or a comparison of a whole list, in the argument of an aggregate: of each of its items.
// sum(lines.price * lines.qty) is sum(x.price * x.qty for x in lines).
Expr of_items(const Expr& e, const KnownNames& facts) {
  const Expr& inner = bare(e);
  if (!inner.is(Kind::binary) || inner.text == "default") return e;
  if (inner.text == "+" && (bare(inner.parts[0]).is(Kind::list) || bare(inner.parts[1]).is(Kind::list))) return e;
  const bool within = inner.text == "in" || inner.text == "not in";
  if (within && !inner.parts[1].is(Kind::list) && bare(inner.parts[1]).text != "..") return e;
  const auto column = [&facts](const Expr& side) {
    const Expr spread = of_items(side, facts);
    const Expr& one = bare(spread);
    if (one.is_name() && facts.shape(one.text) == Shape::list) return loop(atom("x"), "x", one);
    return one.parts.size() == 2 && one.over() == "for x in" ? one : Expr{};
  };
  const Expr left = column(inner.parts[0]), right = column(inner.parts[1]);
  if (left.is(Kind::none) && right.is(Kind::none)) return e;
  const Expr& of = left.is(Kind::none) ? right.parts[1] : left.parts[1];
  if (!left.is(Kind::none) && !right.is(Kind::none) && write(left.parts[1]) != write(right.parts[1])) return e;
  return loop(binary(inner.text, left.is(Kind::none) ? inner.parts[0] : left.parts[0],
                     right.is(Kind::none) ? inner.parts[1] : right.parts[0]),
              "x", of);
}

}  // namespace

bool is_condition(const Expr& e, const KnownNames& facts) {
  const Expr& inner = bare(e);
  if (inner.is(Kind::binary))
    return among(inner.text, {"==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or", "xor"});
  if (inner.is(Kind::unary)) return inner.text == "not";
  if (inner.is(Kind::test)) return inner.text.substr(0, 2) == "is";
  if (inner.is(Kind::call)) return among(inner.text, {"contains", "starts_with", "ends_with", "any", "all"});
  return (inner.is_name() || inner.is(Kind::field)) && facts.shape(inner.text) == Shape::condition;
}

bool is_text_like(const Expr& e, const KnownNames& facts) {
  if (e.is(Kind::call)) return among(e.text, {"lowercase", "uppercase", "trim"});
  return e.is_text() || ((e.is_name() || e.is(Kind::field)) && facts.shape(e.text) == Shape::text);
}

Expr test_given(Expr e, bool given) {
  const bool search = e.is(Kind::call) && among(e.text, {"contains", "starts_with", "ends_with"});
  if (search) return given ? e : negated(std::move(e));
  return test(std::move(e), given ? "is given" : "is missing");
}

Expr empty_text(const Expr& text, bool empty, const KnownNames& facts) {
  Expr e = binary(empty ? "==" : "!=", text, atom("\"\""));
  if (!(text.is_name() || text.is(Kind::field)) || !facts.may_be_missing(text.text)) return e;
  return empty ? binary("or", std::move(e), test(text, "is missing"))
               : binary("and", test(text, "is given"), std::move(e));
}

Expr in_one_case(Expr e) {
  const auto upper = [](const Expr& x) { return x.is(Kind::call) && x.text == "uppercase"; };
  const auto of_literal = [](const Expr& x) {
    return x.is(Kind::call) && x.text == "lowercase" && x.parts[0].is_text();
  };
  for (Expr& part : e.parts) {
    if (of_literal(part)) part = atom(in_lower_case(part.parts[0].text));  // "Anna".lower()
  }
  if (std::none_of(e.parts.begin(), e.parts.end(), upper)) return e;
  for (Expr& part : e.parts) {
    if (upper(part)) part.text = "lowercase";
    if (of_literal(part)) part = Expr(part.parts[0]);
    if (part.is_text()) part.text = in_lower_case(part.text);
    for (Expr& item : part.parts) {
      if (part.is(Kind::list) && item.is_text()) item.text = in_lower_case(item.text);
    }
  }
  return e;
}

namespace {
// first(xs, 3), percentile(xs, 95), join(", ", xs): the arguments in the order of Assay.
void turn_round(std::string_view lower, std::vector<Expr>& arguments) {
  if (among(lower, {"first", "last", "percentile", "head", "take", "top", "best", "bottom", "worst", "nlargest",
                    "nsmallest", "largest", "smallest", "highest", "lowest"}) &&
      arguments.size() == 2 && arguments[1].is_number() && !arguments[0].is_number() &&
      (lower != "percentile" || arguments[1].text.find("0.") != 0))
    std::swap(arguments[0], arguments[1]);
  if (lower == "join" && arguments.size() == 2 && arguments[0].is_text() && !arguments[1].is_text())
    std::swap(arguments[0], arguments[1]);
}

// Calls whose meaning is in their arguments, which are calls or loops already.
Expr of_results(std::string_view lower, std::vector<Expr>& arguments, const KnownNames& facts) {
  if (lower == "isnumber" && arguments.size() == 1 && arguments[0].is(Kind::call) &&
      among(arguments[0].text, {"SEARCH", "FIND"}) && arguments[0].parts.size() == 2) {
    Expr e = call("contains", {arguments[0].parts[1], arguments[0].parts[0]});
    return arguments[0].text == "SEARCH" ? in_any_case(std::move(e)) : e;
  }
  if (among(lower, {"range", "ptp"}) && arguments.size() == 1 && is_list_name(arguments[0], facts))
    return binary("-", call("max", {arguments[0]}), call("min", {arguments[0]}));
  if (lower == "any" && arguments.size() == 1 && arguments[0].is(Kind::call) && arguments[0].text == "any")
    return std::move(arguments[0]);
  if (arguments.size() == 2 && arguments[0].is(Kind::loop) && arguments[1].is_literal() &&
      among(lower, {"max", "min", "mean", "median"}))
    return binary("default", call(lower, {std::move(arguments[0])}), std::move(arguments[1]));
  return {};
}

}  // namespace

bool without_case_option(std::vector<Expr>& arguments) {
  const auto says = [](const Expr& e) {
    if (e.is(Kind::named)) {  // ignoreCase = true; case=False
      const std::string name = in_lower_case(e.text), value = e.parts.empty() ? "" : write(e.parts[0]);
      return (among(name, {"ignorecase", "ignore_case"}) && value == "true") || (name == "case" && value == "false");
    }
    if (!e.is(Kind::field)) return false;
    return e.text.find("IgnoreCase") != std::string::npos || e.text == "IGNORECASE" ||  // StringComparison, re
           (e.text == "I" && e.parts[0].text == "re") || (e.text == "case" && e.parts[0].text == "ignore");
  };
  const auto option = std::find_if(arguments.begin(), arguments.end(), says);
  if (option == arguments.end()) return false;
  arguments.erase(option);
  return true;
}

bool knows_function(std::string_view name) {
  return rows().count(name) != 0 || among(name, {"PERCENTILE", "QUARTILE", "RANK"});
}

Expr translate_call(std::string_view name, std::vector<Expr> arguments, const KnownNames& facts) {
  if (facts.plain) return call(name, std::move(arguments));
  if (Expr e = of_formats(name, arguments); !e.is(Kind::none)) return e;
  if (Expr e = ordered(name, nullptr, arguments, facts); !e.is(Kind::none) && facts.functions.count(name) == 0)
    return e;
  if ((name == "first" || name == "last") && arguments.size() == 2 && arguments[1].is(Kind::named))
    return {};  // by what?
  if (facts.functions.count(name) == 0 && std::any_of(arguments.begin(), arguments.end(), [](const Expr& e) {
        return e.is(Kind::named) && among(e.text, {"key", "reverse", "descending"});
      }))
    return {};  // without them it is another order
  arguments = in_order(name, std::move(arguments), facts);
  if (const auto table = facts.tables.find(name);
      table != facts.tables.end() && arguments.size() == table->second + 1 && arguments.back().is_text()) {
    const std::string column = inside(arguments.back());
    arguments.pop_back();  // fare(zone, "euro")
    return field(call(name, std::move(arguments)), column);
  }
  if (facts.functions.count(name) != 0 || facts.tables.count(name) != 0) return call(name, std::move(arguments));
  const std::string lower = in_lower_case(name);
  if (among(lower, {"mid", "substr", "substring"}) && arguments.size() == 3) {     // counts from 1, and a length
    Expr from = arguments[1].text == "0" ? arguments[1] : one_less(arguments[1]);  // or from 0
    Expr to = from.text == "0" ? arguments[2] : added(from, arguments[2]);
    return sliced(std::move(arguments[0]), std::move(from), std::move(to), facts);
  }
  if (among(lower, {"coalesce", "ifnull", "nvl", "iferror", "ifna", "isnull"}) && arguments.size() >= 2)
    return folded("default", std::move(arguments));
  if ((name == "AND" || name == "And") && !arguments.empty()) return folded("and", std::move(arguments));
  if ((name == "OR" || name == "Or") && !arguments.empty()) return folded("or", std::move(arguments));
  if (in_lower_case(name) == "xor" && arguments.size() > 1) return folded("xor", std::move(arguments));
  if (name == "c" && !arguments.empty() && facts.functions.count(name) == 0)
    return joined_lists(std::move(arguments), facts);
  if (among(lower, {"concat", "concatenate", "paste0", "paste"}) && !arguments.empty()) {
    std::string all;
    for (const Expr& a : arguments) all += (lower == "paste" && !all.empty() ? " " : "") + within_text(a);
    return atom("\"" + all + "\"");
  }
  if (Expr e = of_choices(name, arguments); !e.is(Kind::none)) return e;
  if (Expr e = of_spreadsheet(name, arguments, facts); !e.is(Kind::none)) return e;
  if (Expr e = clamped(name, arguments); !e.is(Kind::none)) return e;
  if (Expr e = limited(name, arguments); !e.is(Kind::none)) return e;
  if (among(lower, {"round", "floor", "ceil"}) && arguments.size() == 2 && arguments[1].is_number() &&
      arguments[1].text.find('.') != std::string::npos)  // to steps
    return binary("*", call(std::string(lower), {binary("/", arguments[0], arguments[1])}), arguments[1]);
  if (among(lower, {"int", "number", "float", "as_numeric", "double", "bool_to_int"}) && arguments.size() == 1 &&
      is_condition(arguments[0], facts))
    return choice(atom("1"), std::move(arguments[0]), atom("0"));
  if (among(lower, {"groupby", "group_by"}) && arguments.size() == 2) {
    Expr of = std::move(arguments[0]);
    if (Expr e = grouped(std::move(of), arguments[1], facts); !e.is(Kind::none)) return e;
  }
  if (Expr e = interpolated(lower, arguments); !e.is(Kind::none)) return e;
  if (lower == "lookup" && arguments.size() == 2 && arguments[0].is_name() &&
      facts.tables.count(arguments[0].text) != 0)
    std::swap(arguments[0], arguments[1]);
  if (among(lower, {"vlookup", "hlookup", "xlookup", "lookup"}) && arguments.size() >= 2 && arguments[1].is_name() &&
      facts.tables.count(arguments[1].text) != 0) {
    const auto columns = facts.columns.find(arguments[1].text);  // VLOOKUP(k, rates, 3, FALSE): its third column
    const bool number = arguments.size() > 2 && arguments[2].is_number() && arguments[2].text.size() == 1;
    const std::size_t place = number ? static_cast<std::size_t>(arguments[2].text[0] - '0') : 0;
    Expr e = call(arguments[1].text, {arguments[0]});
    if (columns != facts.columns.end() && columns->second.size() > 2 && place > 1 && place <= columns->second.size())
      return field(std::move(e), columns->second[place - 1]);
    return e;
  }
  if (among(lower, {"lookup", "get", "map"}) && arguments.size() >= 2 && arguments[1].is(Kind::record) &&
      !arguments[0].is(Kind::record))
    std::swap(arguments[0], arguments[1]);  // lookup(city, { Oslo: 1 })
  if (lower == "filter" && arguments.size() == 2) {
    if (Expr e = filled_items(arguments[1], arguments[0], facts); !e.is(Kind::none)) return e;
  }
  if (arguments.size() == 1 && is_text_like(arguments[0], facts)) {
    if (Expr e = duration_in(lower, arguments[0]); !e.is(Kind::none)) return e;
  }
  if (among(lower, {"reduce", "fold"}) && arguments.size() >= 2) {
    const bool first = arguments[0].is(Kind::lambda);
    return reduced(arguments[first ? 1 : 0], arguments[first ? 0 : 1], arguments.size() > 2 ? &arguments[2] : nullptr);
  }
  if (among(lower, {"grepl", "regexp_like", "regexmatch", "rlike", "str_detect", "regexp_matches", "preg_match"}) &&
      arguments.size() == 2) {
    const bool first = arguments[0].is_text();
    Expr& pattern = arguments[first ? 0 : 1];
    const std::size_t end = pattern.text.rfind(pattern.text.size() > 2 ? pattern.text[1] : '"');
    if (lower == "preg_match" && pattern.is_text() && end > 1) {  // "/^a/i", with its own signs around it
      const bool any_case = pattern.text.find('i', end) != std::string::npos;
      pattern.text = "\"" + std::string(any_case ? kAnyCase : "") + pattern.text.substr(2, end - 2) + "\"";
    }
    return of_pattern(arguments[first ? 1 : 0], pattern);
  }
  if (name == "contains" && arguments.size() == 2 && arguments[0].is_name()) {
    const Shape shape = facts.shape(arguments[0].text);
    if (shape == Shape::list || shape == Shape::map) return binary("in", arguments[1], arguments[0]);
  }
  const bool combines = arguments.size() >= 2 && among(lower, {"mean", "avg", "average", "median", "sum", "total",
                                                               "product", "stdev", "any", "all", "geomean"});
  if (combines && std::none_of(arguments.begin(), arguments.end(), [&](const Expr& e) {
        return e.is(Kind::lambda) || e.is(Kind::loop) || is_list_name(e, facts);
      }))
    arguments = {list(std::move(arguments))};  // of several numbers: a list of them
  if (lower == "filter" && arguments.size() == 2 && arguments[0].is(Kind::loop) && arguments[0].parts.size() == 2) {
    const Expr mask = of_items(arguments[1], facts);  // of a spreadsheet: FILTER(rows.hours, rows.paid = TRUE)
    if (mask.is(Kind::loop) && mask.parts.size() == 2 && write(mask.parts[1]) == write(arguments[0].parts[1])) {
      arguments[0].names.emplace_back("when");
      arguments[0].parts.push_back(mask.parts[0]);
      return arguments[0];
    }
  }
  if (arguments.size() == 1) arguments[0] = of_items(arguments[0], facts);
  if (lower == "count" && arguments.size() == 1 && arguments[0].is(Kind::loop) && arguments[0].names.size() == 1 &&
      arguments[0].text.empty() && arguments[0].names[0].find(',') == std::string::npos &&
      is_condition(arguments[0].parts[0], facts)) {  // count(children.ill): of those that are
    Expr& e = arguments[0];
    const std::string variable = e.names[0].substr(4, e.names[0].size() - 7);
    e.names.emplace_back("when"), e.parts.push_back(std::move(e.parts[0]));
    e.parts[0] = atom(variable);
  }
  if ((lower == "count" || lower == "sum") && arguments.size() == 1) {
    if (Expr e = counted(arguments[0], facts); !e.is(Kind::none)) return e;
  }
  if (among(lower, {"any", "some", "exists"}) && arguments.size() == 1 && arguments[0].is(Kind::loop)) {
    Expr& e = arguments[0];  // any(items where late)
    if (e.names.size() == 2 && e.names[1] == "when" && e.names[0] == "for " + e.parts[0].text + " in") {
      e.parts[0] = e.parts[2];
      e.parts.pop_back(), e.names.pop_back();
      return call("any", {std::move(e)});
    }
  }
  if (Expr e = of_results(lower, arguments, facts); !e.is(Kind::none)) return e;
  if (lower == "isinstance" && arguments.size() == 2) return of_kind(std::move(arguments[0]), arguments[1]);
  turn_round(lower, arguments);
  const bool ordered_ = arguments.size() == 2 && arguments[1].is(Kind::loop) && !arguments[1].names.empty() &&
                        arguments[1].names.back().starts_with("by ");
  if (ordered_ && among(lower, {"top", "best", "bottom", "worst"})) return call("first", std::move(arguments));
  if (among(lower, {"parseint", "parsefloat", "int", "integer"}) && !arguments.empty() &&
      is_text_like(arguments[0], facts)) {
    Expr e = call("number", {std::move(arguments[0])});
    return lower == "parsefloat" ? e : call("trunc", {std::move(e)});
  }
  if (Expr e = ranked(name, arguments); !e.is(Kind::none)) return e;
  if (Expr e = looked_up(lower, arguments, facts); !e.is(Kind::none)) return e;
  if (among(lower, {"empty", "is_empty", "isempty"}) && arguments.size() == 1 && is_text_like(arguments[0], facts))
    return empty_text(arguments[0], true, facts);
  if (among(lower, {"max", "min"}) && arguments.size() > 2 && arguments.size() < 8 &&
      std::none_of(arguments.begin(), arguments.end(), [](const Expr& e) { return e.is(Kind::lambda); }))
    return call(lower, {list(std::move(arguments))});
  if (Expr e = by_rows(How::function, name, nullptr, arguments); !e.is(Kind::none)) return e;
  for (const Expr& a : arguments) {
    if (a.is(Kind::lambda)) return {};
  }
  return call(name, std::move(arguments));
}

Expr translate_method(std::string_view name, Expr receiver, std::vector<Expr> arguments, const KnownNames& facts) {
  if (Expr e = ordered(name, &receiver, arguments, facts); !e.is(Kind::none)) return e;
  arguments = in_order("", std::move(arguments), facts);
  if (among(name, {"groupby", "group_by", "groupBy", "GroupBy", "groupingBy"}) && arguments.size() == 1)
    return grouped(std::move(receiver), arguments[0], facts);
  if (receiver.is(Kind::loop) && receiver.text == "group" && arguments.empty())
    return each_group(name, std::move(receiver), facts);
  // skills.filter(level >= 4): a condition of the fields
  if (const auto fields = facts.fields.find(receiver.text);
      fields != facts.fields.end() && arguments.size() == 1 && is_condition(arguments[0], facts) &&
      among(name, {"filter", "where", "any", "all", "some", "every", "exists", "count", "find"})) {
    Expr f{Kind::lambda};
    f.names.emplace_back("x");
    for (const std::string_view one : fields->second) substitute(arguments[0], one, field(atom("x"), one));
    f.parts.push_back(std::move(arguments[0]));
    arguments[0] = std::move(f);
  }
  if (arguments.size() == 2 && arguments[0].is_name() && !facts.declares(arguments[0].text) &&
      among(name, {"all", "exists", "any", "filter", "map"})) {  // xs.all(x, x > 3), of CEL
    Expr f{Kind::lambda};
    f.names.push_back(arguments[0].text);
    f.parts.push_back(std::move(arguments[1]));
    arguments.clear();
    arguments.push_back(std::move(f));
  }
  if (receiver.is_name() && facts.rubrics.count(receiver.text) != 0 && arguments.size() == 1 &&
      facts.bound.count(receiver.text) == 0) {  // essay.score(e), where essay is a rubric
    Expr e = call(receiver.text, std::move(arguments));
    return among(name, {"score", "composite", "status", "reason", "coverage"}) || facts.declares(name)
               ? field(std::move(e), name)
               : e;
  }
  if (among(name, {"reduce", "fold", "inject", "Aggregate", "foldLeft", "reduceRight"}) && !arguments.empty()) {
    const bool first = arguments[0].is(Kind::lambda);
    const Expr* start = arguments.size() > 1 ? &arguments[first ? 1 : 0] : nullptr;
    return reduced(receiver, arguments[first || arguments.size() == 1 ? 0 : 1], start);
  }
  if (receiver.is_name() && facts.tables.count(receiver.text) != 0 &&
      among(name, {"get", "lookup", "at", "fetch", "find"}) && !arguments.empty()) {
    Expr e = call(receiver.text, {arguments[0]});
    return arguments.size() == 2 ? binary("default", std::move(e), std::move(arguments[1])) : e;
  }
  if (receiver.is_name() && (receiver.text == "re" || receiver.text == "regex") && arguments.size() == 2) {
    const std::string pattern = arguments[0].is_text() ? arguments[0].text : std::string();
    if (pattern.size() < 2) return {};
    const std::string anchored = name == "match" || name == "fullmatch" ? "^" : "";
    std::string inside = pattern.substr(1, pattern.size() - 2);
    if (!anchored.empty() && inside.substr(0, 1) != "^") inside.insert(0, "^");
    if (name == "fullmatch" && inside.back() != '$') inside += '$';
    return matches(arguments[1], inside);
  }
  if (among(name, {"match", "matches", "test"}) && arguments.size() == 1)
    return receiver.is_text() ? of_pattern(arguments[0], receiver) : of_pattern(receiver, arguments[0]);
  if (among(name, {"includes", "contains", "has", "include", "Contains", "member"}) && arguments.size() == 1) {
    if (is_text_like(receiver, facts))
      return in_one_case(call("contains", {std::move(receiver), std::move(arguments[0])}));
    return binary("in", std::move(arguments[0]), Expr(bare(receiver)));
  }
  if (among(name, {"substring", "substr", "slice", "Substring", "subList"}) &&
      (arguments.size() == 1 || arguments.size() == 2)) {
    Expr to = arguments.size() == 2 ? arguments[1] : Expr{};
    if (among(name, {"substr", "Substring"}) && !to.is(Kind::none) && arguments[0].text != "0")
      to = added(arguments[0], to);  // a length
    return sliced(std::move(receiver), std::move(arguments[0]), std::move(to), facts);
  }
  if (Expr e = of_columns(name, receiver, arguments, facts); !e.is(Kind::none)) return e;
  if (arguments.size() > 1 && in_lower_case(name).find("with") != std::string::npos &&
      std::all_of(arguments.begin(), arguments.end(), [](const Expr& e) { return e.is_text(); }))
    arguments = {list(std::move(arguments))};  // name.start_with?("a", "b"), of Ruby
  if (is_text_like(receiver, facts) && arguments.empty() && among(name, {"isEmpty", "is_empty", "empty", "isNotEmpty"}))
    return empty_text(receiver, name != "isNotEmpty", facts);
  if (is_text_like(receiver, facts) && arguments.size() == 1 && name == "count")  // how often a text stands in it
    return binary("-", call("count", {call("split", {std::move(receiver), arguments[0]})}), atom("1"));
  if (receiver.is_text() && name == "join" && arguments.size() == 1) return call("join", {arguments[0], receiver});
  if (name == "map" && arguments.size() == 1 && arguments[0].is_name()) {
    const std::string_view f = arguments[0].text;
    return loop(call(f, {atom("x")}), "x", std::move(receiver));
  }
  if (among(name, {"filter", "Filter"}) && arguments.size() == 1) {
    if (Expr e = filled_items(receiver, arguments[0], facts); !e.is(Kind::none)) return e;
  }
  const bool own = among(name, {"median", "stdev", "variance", "slope", "geomean", "harmonic", "product", "flatten",
                                "keys", "values", "words", "number", "duration", "exp", "ln", "log10", "trunc"});
  if (own && arguments.empty()) return call(name, {std::move(receiver)});
  return by_rows(How::method, name, &receiver, arguments);
}

Expr translate_property(std::string_view name, const Expr& receiver, const KnownNames& facts) {
  const bool list_ = receiver.is(Kind::list) || receiver.is(Kind::loop) ||
                     (receiver.is_name() && facts.shape(receiver.text) == Shape::list);
  const bool counts = name == "count" && !facts.is_field(name);
  if (!facts.plain && list_ && (counts || among(name, {"max", "min", "sum", "mean", "median", "first", "last"})))
    return call(name, {receiver});
  if (!facts.plain && is_text_like(receiver, facts)) {
    if (Expr e = duration_in(name, receiver); !e.is(Kind::none)) return e;
  }
  const bool of_list = receiver.is(Kind::call) && among(receiver.text, {"split", "words", "characters", "keys",
                                                                        "values", "distinct", "reverse", "flatten"});
  if (facts.plain || (!of_list && (facts.shapes.count(name) != 0 || facts.declares(name)))) return {};
  const Shape shape = receiver.is_name() || receiver.is(Kind::field) ? facts.shape(receiver.text) : Shape::unknown;
  const bool single = shape == Shape::number || shape == Shape::text || shape == Shape::condition;
  if (single && among(name, {"present", "any"})) return test(receiver, "is given");
  return by_rows(How::property, name, &receiver, {});
}

}  // namespace assay::mending
