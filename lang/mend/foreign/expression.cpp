// Building expressions, and writing them with as few parentheses as the levels of the operators need.
#include "lang/mend/foreign/expression.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

struct Level {
  std::string_view sign;
  int level;
};
constexpr std::array<Level, 18> kLevels = {{{"or", 2},
                                            {"xor", 2},
                                            {"and", 3},
                                            {"==", 5},
                                            {"!=", 5},
                                            {"<", 5},
                                            {"<=", 5},
                                            {">", 5},
                                            {">=", 5},
                                            {"in", 5},
                                            {"not in", 5},
                                            {"default", 6},
                                            {"..", 7},
                                            {"+", 8},
                                            {"-", 8},
                                            {"*", 9},
                                            {"/", 9},
                                            {"^", 11}}};
constexpr int kPrimary = 12;

int level_of(const Expr& e) {
  switch (e.kind) {
    case Kind::choice: return 1;
    case Kind::unary: return e.text == "not" ? 4 : 10;
    case Kind::test: return e.text.substr(0, 3) == "as " ? kPrimary : 5;
    case Kind::binary: {
      const auto* row = std::find_if(kLevels.begin(), kLevels.end(), [&](const Level& l) { return l.sign == e.text; });
      return row == kLevels.end() ? 1 : row->level;
    }
    case Kind::lambda: return 1;
    default: return kPrimary;
  }
}

std::string joined(const std::vector<Expr>& parts) {
  std::string result;
  for (const Expr& part : parts) result += (result.empty() ? "" : ", ") + write(bare(part));
  return result;
}

std::string written_binary(const Expr& e) {
  const int level = level_of(e);
  const bool right = e.text == "default" || e.text == "^";
  const bool neither = level == 5 || level == 7;
  const int beside = level == 5 ? 7 : level + 1;  // a 'default' beside a comparison is in parentheses, for readers
  const std::string left = write(e.parts[0], right || neither ? beside : level);
  const std::string after = write(e.parts[1], right ? level : beside);
  return e.text == ".." ? left + ".." + after : left + " " + e.text + " " + after;
}

// A loop without its brackets.
std::string written_loop(const Expr& e) {
  std::string result;
  std::size_t first = 1;
  if (!e.text.empty()) {
    result = write(e.parts[0]) + ": " + write(e.parts[1]);
    first = 2;
  } else {
    result = write(e.parts[0]);
  }
  for (std::size_t i = first; i < e.parts.size(); ++i)
    result += (e.names[i - first].starts_with(',') ? "" : " ") + e.names[i - first] + " " +
              write(e.names[i - first] == "when" ? bare(e.parts[i]) : e.parts[i], 2);
  return result;
}

std::string written(const Expr& e) {
  switch (e.kind) {
    case Kind::atom: return e.text;
    case Kind::unary: return e.text == "not" ? "not " + write(e.parts[0], 4) : e.text + write(e.parts[0], 11);
    case Kind::binary: return written_binary(e);
    case Kind::choice: {
      std::string result = write(e.parts[0], 2) + " when " + write(bare(e.parts[1]), 2);
      if (e.parts.size() > 2 && !e.parts[2].is(Kind::none)) result += " else " + write(e.parts[2]);
      return result;
    }
    case Kind::call:
      if (e.parts.size() == 1 && e.parts[0].is(Kind::loop) && e.parts[0].text.empty())
        return e.text + "(" + written_loop(e.parts[0]) + ")";
      return e.text + "(" + joined(e.parts) + ")";
    case Kind::field: return write(e.parts[0], kPrimary) + "." + e.text;
    case Kind::index: return write(e.parts[0], kPrimary) + "[" + write(e.parts[1]) + "]";
    case Kind::list: return "[" + joined(e.parts) + "]";
    case Kind::record: {
      std::string result;
      for (std::size_t i = 0; i < e.parts.size(); ++i)
        result += (i == 0 ? "" : ", ") + e.names[i] + ": " + write(e.parts[i]);
      return result.empty() ? "{}" : "{ " + result + " }";
    }
    case Kind::loop: return !e.text.empty() ? e.text + "(" + written_loop(e) + ")" : "[" + written_loop(e) + "]";
    case Kind::test: return write(e.parts[0], e.text.substr(0, 3) == "as " ? kPrimary : 7) + " " + e.text;
    case Kind::paren: return "(" + write(e.parts[0]) + ")";
    case Kind::lambda:
    case Kind::none: return e.parts.empty() ? std::string() : write(e.parts[0]);
    case Kind::named: return write(e.parts[0]);
  }
  return {};  // no test: what could not be read is not written
}

bool binds(const Expr& e, std::string_view name) {
  if (e.is(Kind::lambda)) return std::find(e.names.begin(), e.names.end(), name) != e.names.end();
  if (!e.is(Kind::loop)) return false;
  return std::any_of(e.names.begin(), e.names.end(), [name](const std::string& clause) {
    for (std::size_t at = clause.find(name); at != clause.npos; at = clause.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if (at > 0 && clause[at - 1] == ' ' && (end == clause.size() || clause[end] == ' ' || clause[end] == ','))
        return true;
    }
    return false;
  });
}

}  // namespace

bool Expr::is_name() const {
  return kind == Kind::atom && !text.empty() &&
         (std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_') && text != "true" &&
         text != "false" && text != "missing";
}
bool Expr::is_number() const {
  if (kind == Kind::unary && text == "-") return parts[0].is_number();
  return kind == Kind::atom && !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0;
}
bool Expr::is_literal() const {
  return is_text() || is_number() || (kind == Kind::list && parts.empty()) || text == "true" || text == "false";
}

Expr atom(std::string_view text) { return {Kind::atom, std::string(text)}; }
Expr unary(std::string_view sign, Expr operand) {
  Expr e{Kind::unary, std::string(sign)};
  e.parts.push_back(std::move(operand));
  return e;
}
Expr binary(std::string_view sign, Expr left, Expr right) {
  Expr e{Kind::binary, std::string(sign)};
  e.parts.push_back(std::move(left));
  e.parts.push_back(std::move(right));
  return e;
}
Expr choice(Expr value, Expr condition, Expr otherwise) {
  Expr e{Kind::choice};
  e.parts.push_back(std::move(value));
  e.parts.push_back(std::move(condition));
  if (!otherwise.is(Kind::none)) e.parts.push_back(std::move(otherwise));
  return e;
}
Expr call(std::string_view name, std::vector<Expr> arguments) {
  return {Kind::call, std::string(name), std::move(arguments)};
}
Expr field(Expr of, std::string_view name) {
  Expr e{Kind::field, std::string(name)};
  e.parts.push_back(std::move(of));
  return e;
}
Expr index(Expr of, Expr at) {
  Expr e{Kind::index};
  e.parts.push_back(std::move(of));
  e.parts.push_back(std::move(at));
  return e;
}
Expr list(std::vector<Expr> items) { return {Kind::list, {}, std::move(items)}; }
Expr test(Expr value, std::string_view which) {
  Expr e{Kind::test, std::string(which)};
  e.parts.push_back(std::move(value));
  return e;
}
Expr loop(Expr value, std::string_view variable, Expr of) {
  Expr e{Kind::loop};
  e.parts.push_back(std::move(value));
  e.parts.push_back(std::move(of));
  e.names.push_back("for " + std::string(variable) + " in");
  return e;
}
const Expr& bare(const Expr& e) {
  const Expr* inner = &e;
  while (inner->is(Kind::paren)) inner = &inner->parts[0];
  return *inner;
}
namespace {
// e + 1 or e - 1, without a second constant where there is one
Expr shifted(const Expr& e, int by) {
  const Expr& inner = bare(e);
  const auto constant = [](const Expr& x) {
    const bool whole = x.is(Kind::atom) && !x.text.empty() && x.text.size() < 9 &&
                       x.text.find_first_not_of("0123456789") == std::string::npos;
    return whole ? std::stoi(x.text) : -1;
  };
  if (const int value = constant(inner); value >= 0 && value + by >= 0) return atom(std::to_string(value + by));
  if (inner.is(Kind::binary) && (inner.text == "+" || inner.text == "-") && constant(inner.parts[1]) >= 0) {
    const int sum = (inner.text == "+" ? 1 : -1) * constant(inner.parts[1]) + by;
    if (sum == 0) return inner.parts[0];
    return binary(sum > 0 ? "+" : "-", inner.parts[0], atom(std::to_string(sum > 0 ? sum : -sum)));
  }
  return binary(by > 0 ? "+" : "-", inner, atom(std::to_string(by > 0 ? by : -by)));
}
}  // namespace
Expr one_less(const Expr& e) { return shifted(e, -1); }
Expr one_more(const Expr& e) { return shifted(e, 1); }
Expr counted_or(Expr e, std::string_view nothing, bool all) {
  if (e.is(Kind::paren)) e.parts[0] = counted_or(std::move(e.parts[0]), nothing, all);
  if (!e.is(Kind::choice)) return e;
  if (e.parts.size() > 2) e.parts[2] = counted_or(std::move(e.parts[2]), nothing, all);
  else if (all || e.text != "when")
    e.parts.push_back(e.parts[0].is_text() ? atom("\"\"") : e.parts[0].is(Kind::list) ? list({}) : atom(nothing));
  return e;
}
Expr added(const Expr& e, const Expr& to) {
  const bool constant = to.is(Kind::atom) && !to.text.empty() && to.text.size() < 6 &&
                        to.text.find_first_not_of("0123456789") == std::string::npos;
  return constant ? shifted(e, std::stoi(to.text)) : binary("+", e, to);
}
Expr negated(Expr condition) {
  const Expr& inner = bare(condition);
  if (inner.is(Kind::unary) && inner.text == "not") return Expr(inner.parts[0]);
  static constexpr std::pair<std::string_view, std::string_view> kOpposites[] = {
      {"in", "not in"},           {"not in", "in"}, {"==", "!="}, {"!=", "=="}, {"is missing", "is given"},
      {"is given", "is missing"}, {"<", ">="},      {"<=", ">"},  {">", "<="},  {">=", "<"}};
  const bool some = inner.is(Kind::binary) && inner.text == ">" && inner.parts[0].is(Kind::call) &&
                    inner.parts[0].text == "count" && inner.parts[1].text == "0";
  if (some) return binary("==", inner.parts[0], inner.parts[1]);
  const bool none = inner.is(Kind::binary) && inner.text == "==" && inner.parts[0].is(Kind::call) &&
                    inner.parts[0].text == "count" && inner.parts[1].text == "0";
  if (none) return binary(">", inner.parts[0], inner.parts[1]);
  if (inner.is(Kind::binary) || inner.is(Kind::test)) {
    for (const auto& [sign, opposite] : kOpposites) {
      if (inner.text != sign) continue;
      Expr other = inner;
      other.text = opposite;
      return other;
    }
  }
  return unary("not", std::move(condition));
}

void substitute(Expr& e, std::string_view name, const Expr& by) {
  if (e.is(Kind::atom)) {
    if (e.text == name) e = by;
    return;
  }
  if (binds(e, name)) return;
  for (Expr& part : e.parts) substitute(part, name, by);
}
bool mentions(const Expr& e, std::string_view name) {
  if (e.is(Kind::atom) && e.text == name) return true;
  return std::any_of(e.parts.begin(), e.parts.end(), [name](const Expr& part) { return mentions(part, name); });
}

std::string write(const Expr& e, int level) { return level_of(e) < level ? "(" + written(e) + ")" : written(e); }

}  // namespace assay::mending
