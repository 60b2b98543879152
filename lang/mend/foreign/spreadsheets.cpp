// Functions of spreadsheets, whose arguments are columns, conditions and formats: COUNTIFS, IFS, SWITCH, TEXT.
#include "lang/mend/foreign/reader.hpp"
#include "lang/text/ascii.hpp"

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

// ">=4" and "A*" of a spreadsheet as a condition of x; kind none: it cannot be written
Expr criterion(const Expr& value, const Expr& wanted) {
  if (!wanted.is_text()) {
    if (wanted.text == "true") return value;
    if (wanted.text == "false") return negated(value);
    if (wanted.is(Kind::binary) && wanted.parts[0].is(Kind::field)) return wanted;  // priority = "high"
    return binary("==", value, wanted);
  }
  std::string_view inside = std::string_view(wanted.text).substr(1, wanted.text.size() - 2);
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {{">=", ">="}, {"<=", "<="}, {"<>", "!="},
                                                                             {">", ">"},   {"<", "<"},   {"=", "=="}};
  for (const auto& [written, sign] : kSigns) {
    if (inside.substr(0, written.size()) != written) continue;
    inside.remove_prefix(written.size());
    const bool number = !inside.empty() && inside.find_first_not_of("0123456789.-%") == inside.npos;
    return binary(sign, value, number ? atom(inside) : atom("\"" + std::string(inside) + "\""));
  }
  return of_wildcards(value, inside, '*', '?');
}

// The list of a column and the value of one of its items: items.price is the loop [x.price for x in items].
struct Column {
  Expr of, item;
};
// The only field of the items of a list that is a number; empty: there is none, or several.
std::string only_number(const std::string& list, const KnownNames& facts) {
  const auto fields = facts.fields.find(list);
  if (fields == facts.fields.end()) return {};
  std::string found;
  for (const std::string_view one : fields->second) {
    if (facts.shape(one) != Shape::number) continue;
    if (!found.empty()) return {};
    found = one;
  }
  return found;
}

Column column_of(const Expr& e) {
  if (e.parts.size() == 2 && e.over() == "for x in") return {e.parts[1], e.parts[0]};
  if (e.is(Kind::field)) return {e.parts[0], field(atom("x"), e.text)};
  return {e, atom("x")};
}

}  // namespace

// clamp(x, 0, 1), clamp(0, 1, x), clamp(x, [0, 1]), clamp(x in 0..1); kind none: in the form of Assay
Expr limited(std::string_view name, const std::vector<Expr>& a) {
  if (!among(name, {"clamp", "clip", "bound", "limit", "constrain", "CLAMP"})) return {};
  const auto range = [](const Expr& e) { return bare(e).is(Kind::binary) && bare(e).text == ".."; };
  if (a.size() == 1 && a[0].is(Kind::binary) && a[0].text == "in" && range(a[0].parts[1]))
    return call("clamp", a[0].parts);
  if (a.size() == 2 && a[1].is(Kind::list) && a[1].parts.size() == 2)
    return call("clamp", {a[0], binary("..", a[1].parts[0], a[1].parts[1])});
  if (a.size() == 2 && range(a[0]) && !range(a[1])) return call("clamp", {a[1], a[0]});
  if (a.size() != 3) return {};
  std::vector<Expr> ends;
  const Expr* value = nullptr;
  for (const Expr& e : a) {
    if (e.is_number()) ends.push_back(e);
    else value = &e;
  }
  if (ends.size() == 2) return call("clamp", {*value, binary("..", ends[0], ends[1])});
  return call("clamp", {a[0], binary("..", a[1], a[2])});
}

// min(max(x, 0), 1)
Expr clamped(std::string_view name, const std::vector<Expr>& a) {
  if ((name != "min" && name != "max") || a.size() != 2) return {};
  const std::string_view inner = name == "min" ? "max" : "min";
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const Expr &within = a[i], &outer = a[1 - i];
    if (!within.is(Kind::call) || within.text != inner || within.parts.size() != 2 || !outer.is_number()) continue;
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      if (!within.parts[k].is_number() || within.parts[1 - k].is_number()) continue;
      const Expr &low = name == "min" ? within.parts[k] : outer, &high = name == "min" ? outer : within.parts[k];
      return call("clamp", {within.parts[1 - k], binary("..", low, high)});
    }
  }
  return {};
}

// RANK(x, xs, 1), of a spreadsheet, from the lowest up; Assay ranks from the highest down. Kind none: another function.
Expr ranked(std::string_view name, const std::vector<Expr>& a) {
  if (!among(name, {"RANK", "RANK.EQ", "rank"}) || a.size() != 3 || !a[2].is(Kind::atom)) return {};
  if (a[2].text == "0" || a[2].text == "false") return call("rank", {a[0], a[1]});
  if (a[2].text != "1" && a[2].text != "true") return {};
  const std::string item = mentions(a[0], "x") || mentions(a[1], "x") ? "v" : "x";
  return call("rank", {unary("-", a[0]), loop(unary("-", atom(item)), item, a[1])});
}

// COUNTIF(xs, ">3"), SUMIF(xs.a, ">3", xs.b), COUNTIFS(xs.a, 1, xs.b, 2); kind none: another function, or columns of
// different lists
Expr of_spreadsheet(std::string_view name, const std::vector<Expr>& a, const KnownNames& facts) {
  const std::string lower = in_lower_case(name);
  if ((lower == "quantile" || lower == "percentile_cont" || name == "PERCENTILE") && a.size() == 2) {  // 0.95, or 95
    const bool percents = a[1].is_number() && a[1].text[0] != '0' && a[1].text[0] != '.' && a[1].text != "1";
    const std::string digits = a[1].is_number() && a[1].text.starts_with("0.") ? a[1].text.substr(2) : std::string();
    if (digits.size() == 2 && digits[0] != '0') return call("percentile", {atom(digits), a[0]});
    return call("percentile", {percents ? a[1] : binary("*", atom("100"), a[1]), a[0]});
  }
  if (lower == "quartile" && a.size() == 2 && among(a[1].text, {"1", "2", "3"}))
    return call("percentile", {atom(a[1].text == "1" ? "25" : a[1].text == "2" ? "50" : "75"), a[0]});
  if ((name == "LARGE" || name == "SMALL") && a.size() == 2 && a[1].is_number()) {
    if (a[1].text == "1") return call(name == "LARGE" ? "max" : "min", {a[0]});
    Expr sorted = loop(atom("x"), "x", a[0]);
    sorted.names.emplace_back(name == "LARGE" ? "by higher" : "by lower"), sorted.parts.push_back(atom("x"));
    return index(std::move(sorted), one_less(a[1]));
  }
  if (lower != "countif" && lower != "countifs" && lower != "sumif" && lower != "averageif" && lower != "sumifs" &&
      lower != "averageifs" && lower != "count_if" && lower != "sum_if")
    return {};
  const bool counts = lower[0] == 'c', several = lower.back() == 's';
  std::size_t first = 0;
  Column values;
  if (!counts && several && !a.empty()) values = column_of(a[0]), first = 1;
  if (a.size() < first + 2) return {};
  Column asked = column_of(a[first]);
  if (!counts && !several) values = a.size() > 2 ? column_of(a[2]) : asked;
  if (!counts && !several && a.size() == 2 && asked.item.is(Kind::field) &&
      facts.shape(asked.item.text) == Shape::text) {  // of texts there is no sum: the only number beside them
    const std::string number = only_number(asked.of.text, facts);
    if (number.empty()) return {};
    values.item.text = number;
  }
  if (counts) values = {asked.of, atom("x")};
  if (write(values.of) != write(asked.of)) return {};
  Expr e = loop(values.item, "x", asked.of);
  const std::size_t pairs = several ? a.size() : first + 2;
  for (std::size_t i = first; i + 1 < pairs; i += 2) {
    const Column column = column_of(a[i]);
    const Expr condition = criterion(column.item, a[i + 1]);
    if (condition.is(Kind::none) || write(column.of) != write(asked.of)) return {};
    if (i == first) e.names.emplace_back("when"), e.parts.push_back(condition);
    else e.parts.back() = binary("and", e.parts.back(), condition);
  }
  return call(counts ? "count" : lower[0] == 's' ? "sum" : "mean", {std::move(e)});
}

// VLOOKUP(k, rows, 2, FALSE), XLOOKUP(k, rows.a, rows.b, 0), LOOKUP(k, rows.a, rows.b), INDEX(rows.b, MATCH(k, rows.a, 0)):
// the value beside a key, or beside the nearest one below it. Kind none: another function, or columns of different lists.
Expr looked_up(std::string_view lower, const std::vector<Expr>& a, const KnownNames& facts) {
  Expr wanted, otherwise;
  Column keys, values;
  std::string sign = "==";
  const auto mode = [&sign](const Expr& e) {
    const std::string said = write(e);
    sign = said == "0" || said == "false" ? "==" : said == "-1" ? "<=" : said == "1" || said == "true" ? ">=" : "";
  };
  if (lower == "xlookup" && a.size() >= 3 && a.size() <= 5) {
    wanted = a[0], keys = column_of(a[1]), values = column_of(a[2]);
    if (a.size() > 3) otherwise = a[3];
    if (a.size() > 4) mode(a[4]);
  } else if (lower == "lookup" && a.size() == 3) {
    wanted = a[0], keys = column_of(a[1]), values = column_of(a[2]), sign = "<=";
  } else if (lower == "vlookup" && (a.size() == 3 || a.size() == 4) && a[2].is_number()) {
    const auto fields = facts.fields.find(a[1].text);
    const std::size_t place = static_cast<std::size_t>(a[2].text[0] - '0');
    if (fields == facts.fields.end() || a[2].text.size() > 1 || place < 1 || place > fields->second.size()) return {};
    wanted = a[0];
    keys = {a[1], field(atom("x"), fields->second[0])};
    values = {a[1], field(atom("x"), fields->second[place - 1])};
    if (a.size() == 4) mode(a[3]);
    if (a.size() == 3 || sign == ">=") sign = "<=";
  } else if (lower == "index" && a.size() == 2 && a[1].is(Kind::call) && in_lower_case(a[1].text) == "match") {
    const std::vector<Expr>& of = a[1].parts;
    if (of.size() != 2 && of.size() != 3) return {};
    wanted = of[0], keys = column_of(of[1]), values = column_of(a[0]), sign = "<=";
    if (of.size() == 3 && write(of[2]) == "0") sign = "==";
    else if (of.size() == 3 && write(of[2]) != "1") return {};
  }
  if (wanted.is(Kind::none) || sign.empty() || write(keys.of) != write(values.of) || mentions(wanted, "x") ||
      !keys.item.is(Kind::field) || !values.item.is(Kind::field))
    return {};
  Expr e = loop(values.item, "x", keys.of);
  e.names.emplace_back("when"), e.parts.push_back(binary(sign, keys.item, wanted));
  if (sign != "==") e.names.emplace_back(sign == "<=" ? "by higher" : "by lower"), e.parts.push_back(keys.item);
  e = call("first", {std::move(e)});
  return otherwise.is(Kind::none) ? e : binary("default", std::move(e), std::move(otherwise));
}

// IF, IFS, SWITCH, CHOOSE
Expr of_choices(std::string_view name, const std::vector<Expr>& a) {
  const std::string lower = in_lower_case(name);
  if ((lower == "if" || lower == "iif" || lower == "ifelse" || lower == "if_else" || lower == "cond" ||
       lower == "where" || lower == "iff") &&
      (a.size() == 2 || a.size() == 3))
    return choice(a[1], a[0], a.size() == 3 ? a[2] : Expr{});
  if ((lower == "ifs" || lower == "case_when" || lower == "multiif") && a.size() >= 2) {
    Expr e = a.size() % 2 == 1 ? a.back() : Expr{};
    for (std::size_t i = a.size() / 2; i-- > 0;) {
      if (a[2 * i].text == "true") e = a[2 * i + 1];
      else e = choice(a[2 * i + 1], a[2 * i], std::move(e));
    }
    return e;
  }
  if ((lower == "switch" || lower == "decode") && a.size() >= 3) {
    Expr e = a.size() % 2 == 0 ? a.back() : Expr{};
    for (std::size_t i = (a.size() - 1) / 2; i-- > 0;)
      e = choice(a[2 * i + 2], binary("==", a[0], a[2 * i + 1]), std::move(e));
    return e;
  }
  if (lower == "choose" && a.size() >= 3) {
    Expr e;
    for (std::size_t i = a.size(); i-- > 1;)
      e = choice(a[i], binary("==", a[0], atom(std::to_string(i))), std::move(e));
    return e;
  }
  return {};
}

// TEXT(x, "0.00"), FORMAT(x, "0%"), switch(x, a = 1, b = 2, 3), of R; kind none: another function
Expr of_formats(std::string_view name, const std::vector<Expr>& a) {
  if (among(name, {"TEXT", "Text", "FORMAT", "Format", "number_format", "format"}) && a.size() == 2 && a[1].is_text() &&
      !a[0].is_text()) {
    std::string_view format = std::string_view(a[1].text).substr(1, a[1].text.size() - 2);
    const bool percent = !format.empty() && format.back() == '%';
    if (percent) format.remove_suffix(1);
    const std::size_t places = format.find('.') + 1;  // ".2f", of Python
    if (!percent && places > 0 && format.size() == places + 2 && format.back() == 'f' &&
        std::isdigit(static_cast<unsigned char>(format[places])) != 0)
      return atom("\"{" + write(a[0], 2) + " decimals " + std::string(1, format[places]) + "}\"");
    if (format.find_first_not_of("0#.,") != format.npos) return {};
    const std::size_t point = format.find('.');
    const std::string decimals = std::to_string(point == format.npos ? 0 : format.size() - point - 1);
    const Expr value = percent ? binary("*", atom("100"), a[0]) : a[0];
    return atom("\"{" + write(value, 2) + " decimals " + decimals + "}" + (percent ? "%" : "") + "\"");
  }
  if (name == "switch" && a.size() > 1 && a[1].is(Kind::named)) {
    Expr e = a.back().is(Kind::named) ? Expr{} : a.back();
    for (std::size_t i = a.size(); i-- > 1;) {
      if (a[i].is(Kind::named))
        e = choice(a[i].parts[0], binary("==", a[0], atom("\"" + a[i].text + "\"")), std::move(e));
    }
    return e;
  }
  return {};
}

// interp(x, [1, 5], [100, 0]), interpolate(x, (1, 100), (5, 0)), lerp(a, b, t): straight lines between points. Kind none:
// something else.
Expr interpolated(std::string_view name, std::vector<Expr>& arguments) {
  if (arguments.size() < 3) return {};
  if (among(name, {"lerp", "mix"}) && arguments.size() == 3) {
    Expr step = binary("-", arguments[1], arguments[0]);
    return binary("+", arguments[0], binary("*", Expr{Kind::paren, {}, {std::move(step)}, {}}, arguments[2]));
  }
  if (!among(name, {"interpolate", "interp", "interpolated", "linear", "piecewise", "approx", "scale"})) return {};
  const auto items = [](const Expr& e) { return bare(e).is(Kind::list) ? bare(e).parts : std::vector<Expr>{}; };
  const std::vector<Expr> xs = items(arguments[1]), ys = items(arguments[2]);
  Expr points = list({});
  // [1, 100], [5, 0] are two points, [20, 40], [100, 0] are columns: results go up to a full scale.
  const auto full = [](const Expr& e) { return e.text == "1" || e.text == "10" || e.text == "100"; };
  const bool two = xs.size() == 2 && ys.size() == 2 && !std::any_of(ys.begin(), ys.end(), full) && full(xs[1]);
  const bool columns =
      arguments.size() == 3 && xs.size() >= 2 && !two && xs.size() == ys.size() && arguments[1].text != "(";
  if (columns && !bare(xs[0]).is(Kind::list)) {
    for (std::size_t i = 0; i < xs.size(); ++i) points.parts.push_back(list({xs[i], ys[i]}));
  } else {
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      if (items(arguments[i]).size() != 2) return {};
      points.parts.push_back(arguments[i]);
    }
  }
  return call("interpolate", {std::move(arguments[0]), std::move(points)});
}

}  // namespace assay::mending
