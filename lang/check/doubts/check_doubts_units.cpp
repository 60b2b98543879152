// Checker: warnings about values of another unit, as their names say: weight_g where a table expects kg, kmh that are metres
// a second divided by 3.6.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/check/words/units.hpp"
#include "lang/check/words/words.hpp"
#include "lang/proof/prose.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace assay {

namespace {

// Of one quantity that has units of different sizes.
bool other_size(const Unit* a, const Unit* b) {
  return a != nullptr && b != nullptr && a->of == b->of && a->size != b->size;
}

// A unit, or one per another, as a number of the smallest units: km per hour are 1'000'000 mm in 3'600'000'000 us.
struct Measure {
  const Unit *of = nullptr, *per = nullptr;
};

Measure measure_of_name(std::string_view name) {
  struct Speed {
    std::string_view names, of, per;
  };
  static constexpr Speed kSpeeds[] = {{"kmh kph km_h km_per_h km_per_hour", "km", "h"},
                                      {"mps m_s m_per_s metres_per_second", "m", "s"}};
  for (const Speed& speed : kSpeeds) {
    for (std::string_view rest = speed.names; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      const std::string_view one = rest.substr(0, end);
      if (name == one || name.ends_with("_" + std::string(one))) return {unit_of(speed.of), unit_of(speed.per)};
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return {unit_of_name(name), nullptr};
}

// sum(t.kg for t in trees) is in the unit of its items.
bool is_measured(const ast::Expr& e) {
  const bool call = e.kind == ast::ExprKind::call && e.args.size() == 1 && e.args[0] && is_path(*e.args[0]);
  return call && has_word("sum mean median min max first last", e.text);
}

// 10_080 - up_minutes is in the unit of what is subtracted.
bool is_rest(const ast::Expr& e) {
  return is_binary(e, "-") && e.args[0]->kind == ast::ExprKind::number &&
         (is_path(*e.args[1]) || is_measured(*e.args[1]));
}

}  // namespace

// A value as factor * of + offset, where `of` is a path or a quotient of two. False: it has another form.
bool DoubtChecker::linear_of(const ast::Expr& e, Linear& out) {
  const auto number = [this](const ast::Expr& part, Number& n) {
    return part.kind == ast::ExprKind::number && parse_decimal(part.text, n, numbers(), true);
  };
  const bool quotient = e.kind == ast::ExprKind::binary && e.text == "/" && is_path(*e.args[0]) && is_path(*e.args[1]);
  if (is_path(e) || quotient || is_measured(e) || is_rest(e)) {
    out = {&e, whole(1), whole(0)};
    return true;
  }
  Number n;
  if (e.kind != ast::ExprKind::binary || e.args.size() != 2) return false;
  const bool left = number(*e.args[0], n);
  if (!left && !number(*e.args[1], n)) return false;
  if (!Nesting::fits(budget_, 2)) return false;
  const Nesting nesting(budget_);
  if (!linear_of(*e.args[left ? 1 : 0], out) || (left && (e.text == "/" || e.text == "-"))) return false;
  NumberPool& pool = numbers();
  if (e.text == "+") out.offset = add(out.offset, n, pool);
  else if (e.text == "-") out.offset = sub(out.offset, n, pool);
  else if (e.text == "*") out.factor = mul(out.factor, n, pool), out.offset = mul(out.offset, n, pool);
  else if (e.text == "/" && sign(n) != 0) out.factor = div(out.factor, n, pool), out.offset = div(out.offset, n, pool);
  else return false;
  return sign(out.factor) > 0;
}

// let kmh = metres / seconds / 3.6; let hours = 60 * minutes; let kelvin = celsius - 273.15
void DoubtChecker::doubt_conversion(const ast::Name& name, const ast::Expr& e, int rubric_index) {
  Linear is;
  NumberPool& pool = numbers();
  if (!linear_of(e, is) || is.of == &e) return;
  const std::string of = source_text(is.of->span);
  Number factor, offset = whole(0);  // of the right conversion
  std::string meant;
  struct Scale {
    std::string_view from, to;
    Number factor, offset;
    std::string_view before, behind;
  };
  const Number kelvin = div(whole(27'315), whole(100), pool), degrees = div(whole(9), whole(5), pool);
  const Number hundred = whole(100), hundredth = div(whole(1), hundred, pool), none = whole(0);
  const Scale kScales[] = {{"share", "percent", hundred, none, "", " * 100"},
                           {"ratio", "percent", hundred, none, "", " * 100"},
                           {"fraction", "percent", hundred, none, "", " * 100"},
                           {"percent", "share", hundredth, none, "", " / 100"},
                           {"percent", "fraction", hundredth, none, "", " / 100"},
                           {"celsius", "kelvin", whole(1), kelvin, "", " + 273.15"},
                           {"kelvin", "celsius", whole(1), neg(kelvin, pool), "", " - 273.15"},
                           {"celsius", "fahrenheit", degrees, whole(32), "", " * 1.8 + 32"},
                           {"fahrenheit", "celsius", div(whole(1), degrees, pool),
                            neg(div(whole(32), degrees, pool), pool), "(", " - 32) / 1.8"}};
  for (const Scale& scale : kScales) {
    const std::vector<std::string> from = words_of(is.of->text), to = words_of(name.text);
    if (std::find(from.begin(), from.end(), scale.from) == from.end() ||
        std::find(to.begin(), to.end(), scale.to) == to.end())
      continue;
    factor = scale.factor, offset = scale.offset;
    meant = std::string(scale.before) + of + std::string(scale.behind);
  }
  const bool scaled = !meant.empty();
  if (!scaled) {
    const auto unit_of_path = [&](const ast::Expr& path) {
      const ast::Expr& value = is_rest(path) ? *path.args[1] : path;
      return is_path(value) || is_measured(value) ? unit_of_value(value, rubric(rubric_index)) : nullptr;
    };
    const bool quotient = is_binary(*is.of, "/");
    Measure named = measure_of_name(name.text);
    const Measure from = quotient ? Measure{unit_of_path(*is.of->args[0]), unit_of_path(*is.of->args[1])}
                                  : Measure{unit_of_path(*is.of), nullptr};
    if (!quotient && from.of != nullptr && from.of->of == Quantity::speed)
      named = {unit_beside(unit_of_name(name.text), from.of), nullptr};
    const bool comparable = named.of != nullptr && from.of != nullptr && from.of->of == named.of->of &&
                            (from.per != nullptr) == (named.per != nullptr) && quotient == (from.per != nullptr) &&
                            (from.per == nullptr || from.per->of == named.per->of);
    if (!comparable) return;
    factor = div(whole(from.of->size), whole(named.of->size), pool);
    if (from.per != nullptr) factor = div(mul(factor, whole(named.per->size), pool), whole(from.per->size), pool);
    const bool more = compare(factor, whole(1)) > 0;
    meant = of + (more ? " * " : " / ") + shortest_text(more ? factor : div(whole(1), factor, pool));
  }
  // The inverse of it: x is factor * y + offset where y is x / factor - offset / factor.
  const bool inverse = compare(mul(is.factor, factor, pool), whole(1)) == 0 &&
                       compare(mul(is.offset, factor, pool), neg(offset, pool)) == 0;
  const bool right = compare(is.factor, factor) == 0 && compare(is.offset, offset) == 0;
  // minutes / 100 for hours: a hundred for sixty, or a point at another place; minutes / 24: the factor of other units.
  static constexpr std::int64_t kOthers[] = {7, 12, 24, 30, 60, 365, 1'440, 3'600};
  const Number off = div(is.factor, factor, pool);
  const bool of_others =
      !scaled && !is_binary(*is.of, "/") && sign(offset) == 0 && sign(is.offset) == 0 &&
      compare(factor, whole(1)) != 0 && std::any_of(std::begin(kOthers), std::end(kOthers), [&](std::int64_t n) {
        return compare(is.factor, whole(n)) == 0 || compare(mul(is.factor, whole(n), pool), whole(1)) == 0;
      });
  const Number slips[] = {div(whole(60), whole(100), pool), whole(10), whole(100), whole(1'000)};
  const bool other_point =
      !scaled && compare(is.offset, offset) == 0 && std::any_of(std::begin(slips), std::end(slips), [&](Number n) {
        return compare(off, n) == 0 || compare(mul(off, n, pool), whole(1)) == 0;
      });
  const bool slipped = of_others || other_point;
  if ((!inverse && !slipped) || right) return;
  doubt(Code::other_unit, e.span, rubric_index,
        "'" + name.text + "' is converted " + (inverse ? "the wrong way round" : "by another factor than its unit has"),
        "write " + meant);
  if (is_own(e.span, rubric_index)) state_.noted.doubts.back().fixes = {{{e.span, meant}}};
}

namespace {

// "Fewer than one reading a day", "two a term", "25 beats in a quarter of a minute": so many for each of something.
bool says_rate(const std::vector<std::string>& words, NumberPool& pool) {
  static constexpr std::string_view kEach = "a an per each every";
  static constexpr std::string_view kOther = "with in of for on at by as from and or to than";
  constexpr std::size_t kMostNouns = 2;
  const auto number = std::find_if(words.begin(), words.end(),
                                   [&pool](const std::string& word) { return !numbers_said(word, pool).empty(); });
  const auto from = static_cast<std::size_t>(number - words.begin()) + 1;
  for (std::size_t i = from; i + 1 < words.size() && i <= from + kMostNouns; ++i) {
    if (has_word(kEach, words[i])) return true;
    if (words[i] == "in") return has_word("a an one half quarter", words[i + 1]);
    if (has_word(kOther, words[i])) return false;
  }
  return false;
}

}  // namespace

// Whether the number of a text may be the amount of a condition on another base: in another unit that is not converted here,
// a share of a total that is not declared, or so many for each of something of which the condition counts several.
bool DoubtChecker::of_other_base(const ast::Expr& value, Number number, const SaidNumber& said,
                                 const std::string& prose, RubricContext& rc) {
  const ast::Expr* measured = measured_by(value, formulas_of(rc));
  const std::string name = measured == nullptr ? std::string() : measured->text;
  const auto input = rc.last_inputs.find(name);
  const std::string about = input == rc.last_inputs.end() ? std::string() : plain_words(input->second->prose);
  const std::vector<std::string> own = words_of(name + " " + about);
  if (said.percent) {
    const bool share = has_word("percent percentage pct share fraction ratio rate quota", own);
    const Number total =
        sign(said.value) > 0 ? div(mul(number, whole(100), numbers()), said.value, numbers()) : whole(0);
    return !share && range_of_name(value, rc).high.missing() && is_whole(total) && compare(total, number) > 0 &&
           compare(total, whole(100)) != 0;
  }
  const std::string_view text_unit = unit_in_text(prose, numbers());
  std::string_view own_unit = unit_in_name(name);
  const std::vector<std::string> described = words_of(about);
  for (std::size_t i = 0; own_unit.empty() && i < described.size(); ++i) {
    if (described[i].size() > 2 || i + 1 == described.size()) own_unit = unit_named(described[i]);
  }
  if (!text_unit.empty() && !own_unit.empty() && text_unit != own_unit) {
    const auto unit = [](std::string_view of) { return unit_of(of.substr(0, of.find(' '))); };
    const Unit *a = unit(text_unit), *b = unit(own_unit);
    if (a == nullptr || b == nullptr || !relate(*a, *b) || a->words != text_unit || b->words != own_unit) return true;
  }
  if (!says_rate(words_of(prose), numbers()) || has_word("per daily weekly monthly yearly hourly rate", own))
    return false;
  if (sign(number) <= 0 || sign(said.value) <= 0) return false;
  // In "45,000 a year" a digit is missed more easily than a period of ten.
  const Number more = div(number, said.value, numbers()), less = div(said.value, number, numbers());
  const bool digits = said.grouped && (compare(more, whole(10)) == 0 || compare(less, whole(10)) == 0);
  return !digits && (is_whole(more) || is_whole(less));
}

// The same of parts that have names of their own: { kmh: v } for p in passes where v = p.metres / p.seconds / 3.6
void DoubtChecker::doubt_conversions(const ast::Name& name, const ast::Body& body, int rubric_index) {
  std::map<std::string_view, const ast::Expr*> named;
  const auto named_value = [&](const ast::Name& own, const ast::Expr& e) {
    doubt_conversion(own, e, rubric_index);
    doubt_unit_of_sum(own, e, rubric_index);
  };
  const auto part = [&](const ast::Name& own, const ast::Expr& e) {
    named.emplace(own.text, &e);
    named_value(own, e);
  };
  named_value(name, *body.expr);
  for (const ast::Where& w : body.where) part(w.name, *w.expr);
  each_expr(budget_, *body.expr, [&](const ast::Expr& e) {
    for (std::size_t i = 0; e.loop && i < e.loop->clauses.size(); ++i) {
      const ast::Clause& clause = e.loop->clauses[i];
      if (clause.kind == ast::ClauseKind::where && clause.expr) part(clause.first, *clause.expr);
    }
  });
  each_expr(budget_, *body.expr, [&](const ast::Expr& e) {
    for (std::size_t i = 0; e.kind == ast::ExprKind::record && i < e.fields.size() && i < e.args.size(); ++i) {
      const ast::Expr& value = *e.args[i];
      const auto at = value.kind == ast::ExprKind::name ? named.find(value.text) : named.end();
      if (at == named.end() || value.text != e.fields[i].text)
        named_value(e.fields[i], at == named.end() ? value : *at->second);
    }
  });
}

// clamp(100 * percent, 0..100), where percent = 100 * part / all
void DoubtChecker::doubt_percent_twice(const ast::Expr& node, const Context& cx) {
  if (node.kind != ast::ExprKind::binary || node.text != "*") return;
  const std::size_t side = node.args[0]->kind == ast::ExprKind::number ? 1 : 0;
  const ast::Expr &of = *node.args[side], &literal = *node.args[1 - side];
  if (literal.kind != ast::ExprKind::number || literal.text != "100" || of.kind != ast::ExprKind::name) return;
  const ast::Let* let = let_named(rubric(cx.rubric), of.text);
  const ast::Expr* body = let != nullptr && let->body.expr ? &core_of(*let->body.expr) : nullptr;
  const auto product = [](const ast::Expr& e) {
    return e.kind == ast::ExprKind::binary && e.text == "*" && (e.args[0]->text == "100" || e.args[1]->text == "100");
  };
  if (body == nullptr || body->kind != ast::ExprKind::binary || body->text != "/" || !product(*body->args[0])) return;
  doubt(Code::percent_of_points, node.span, cx.rubric, "'" + of.text + "' counts percent already",
        FixIt("write " + of.text, of.text, false));
}

// room(height, width), for fn room(width, height)
void DoubtChecker::doubt_order_of_arguments(const ast::Expr& node, const std::vector<std::string>& names,
                                            const Context& cx) {
  std::set<std::string> expected(names.begin(), names.end()), given;
  Fix fix;
  for (std::size_t i = 0; i < node.args.size() && i < names.size(); ++i) {
    const ast::Expr& arg = *node.args[i];
    if (!is_path(arg) || (arg.kind == ast::ExprKind::name && rubric(cx.rubric).by_name.inputs.count(arg.text) == 0))
      return;
    given.insert(arg.text);
    if (arg.text == names[i]) continue;
    const auto right =
        std::find_if(node.args.begin(), node.args.end(), [&](const auto& a) { return a->text == names[i]; });
    if (right == node.args.end()) return;
    fix.push_back({arg.span, source_text((*right)->span)});
  }
  if (fix.size() < 2 || given != expected) return;
  // fits(width, height) or fits(height, width): it is meant both ways.
  const std::string text(sources_.file(node.span.file).text);
  std::string call = node.text + "(";
  for (std::size_t i = 0; i < names.size(); ++i) call += (i > 0 ? ", " : "") + names[i];
  if (text.find(call + ")", text.find(call + ")") + 1) != text.npos) return;
  doubt(Code::exchanged_arguments, node.span, cx.rubric,
        "'" + node.text + "' expects '" + names[0] + "' first, and gets '" + node.args[0]->text + "'",
        "give the arguments in the order of '" + call + ")'");
  state_.noted.doubts.back().fixes = {std::move(fix)};
}

void DoubtChecker::tell_unit(const ast::Expr& path, const Unit& is, const Unit& meant, const std::string& than,
                             int rubric_index) {
  const Number factor = div(whole(std::max(is.size, meant.size)), whole(std::min(is.size, meant.size)), numbers());
  const std::string text = source_text(path.span) + (is.size < meant.size ? " / " : " * ") + shortest_text(factor);
  doubt(Code::other_unit, path.span, rubric_index, "'" + short_text(path.span) + "' is in another unit than " + than,
        "write " + text);
  state_.noted.doubts.back().fixes = {{{path.span, text}}};
}

// due_euros = late_cents + lost_euros: the name of the whole says which of the two is to be converted.
void DoubtChecker::doubt_unit_of_sum(const ast::Name& name, const ast::Expr& e, int rubric_index) {
  if (!Nesting::fits(budget_, 2)) return;
  const Nesting nesting(budget_);
  const bool sum = is_binary(e, "+") || is_binary(e, "-");
  const bool keeps = e.kind == ast::ExprKind::call && !e.loop && has_word("min max clamp round floor ceil abs", e.text);
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    const bool result = sum || keeps || is_binary(e, "default") || (e.kind == ast::ExprKind::choice && i != 1);
    if (result && e.args[i]) doubt_unit_of_sum(name, *e.args[i], rubric_index);
  }
  if (!sum || !is_path(*e.args[0]) || !is_path(*e.args[1])) return;
  const Unit *is = unit_of_value(*e.args[0], rubric(rubric_index)), *meant = unit_of_name(name.text);
  const Span second = e.args[1]->span;
  const auto told = std::find_if(state_.noted.doubts.begin(), state_.noted.doubts.end(), [&second](const Doubt& d) {
    return d.code == Code::other_unit && d.span.file == second.file && d.span.begin == second.begin;
  });
  if (told == state_.noted.doubts.end() || unit_of_value(*e.args[1], rubric(rubric_index)) != meant ||
      !other_size(is, meant))
    return;
  state_.noted.doubts.erase(told);
  tell_unit(*e.args[0], *is, *meant, "'" + name.text + "'", rubric_index);
}

// fee(weight_g), for table fee(kg); load_ms > limit_s
void DoubtChecker::note_units(const ast::Expr& node, const Context& cx) {
  if (!is_own(node.span, cx.rubric) || cx.rubric < 0) return;
  const auto unit_of_path = [&](const ast::Expr& path) {
    return is_path(path) ? unit_of_value(path, rubric(cx.rubric)) : nullptr;
  };
  if (node.kind == ast::ExprKind::binary) {
    static constexpr std::string_view kSameUnit[] = {"+", "-", "<", "<=", ">", ">=", "==", "!="};
    const bool same = std::find(std::begin(kSameUnit), std::end(kSameUnit), node.text) != std::end(kSameUnit);
    const Unit *left = unit_of_path(*node.args[0]), *right = same ? unit_of_path(*node.args[1]) : nullptr;
    const Unit *of = unit_beside(left, right), *with = unit_beside(right, left);
    if (other_size(of, with))
      tell_unit(*node.args[1], *with, *of, "'" + short_text(node.args[0]->span) + "'", cx.rubric);
  }
  if (node.kind == ast::ExprKind::binary && node.text == "+") {  // hours * 100 + minutes
    for (const std::size_t side : {0U, 1U}) {
      Linear term;
      const ast::Expr& product = *node.args[side];
      const Unit* to = unit_of_path(*node.args[1 - side]);
      if (to == nullptr || product.kind != ast::ExprKind::binary || product.text != "*" || !linear_of(product, term))
        continue;
      const Unit* from = unit_of_path(*term.of);
      const std::size_t literal = product.args[0]->kind == ast::ExprKind::number ? 0 : 1;
      if (!other_size(from, to) || !is_path(*product.args[1 - literal])) continue;
      const Number right = div(whole(from->size), whole(to->size), numbers());
      // Other factors may count points: 10 for each week.
      static constexpr std::int64_t kConversions[] = {12, 24, 30, 60, 100, 365, 1'000, 3'600};
      const bool converts = std::any_of(std::begin(kConversions), std::end(kConversions),
                                        [&term](std::int64_t n) { return compare(term.factor, whole(n)) == 0; });
      if (!converts || compare(right, term.factor) == 0) continue;
      const std::string meant = shortest_text(right);
      doubt(Code::other_unit, product.args[literal]->span, cx.rubric,
            "'" + short_text(term.of->span) + "' times " + product.args[literal]->text + " is not in the unit of '" +
                short_text(node.args[1 - side]->span) + "'",
            FixIt("write " + meant, meant, false));
    }
  }
  doubt_percent_twice(node, cx);
  if (node.kind != ast::ExprKind::call || node.loop) return;
  std::vector<std::string> names;
  if (const int fn = find(node.text, &DeclaredNames::fns, cx.rubric); fn >= 0) {
    for (const ast::Param& p : declared_.fns[static_cast<std::size_t>(fn)].node->params) names.push_back(p.name.text);
  } else if (const int table = find(node.text, &DeclaredNames::tables, cx.rubric); table >= 0) {
    for (const ast::Name& key : declared_.tables[static_cast<std::size_t>(table)].node->params)
      names.push_back(key.text);
  }
  doubt_order_of_arguments(node, names, cx);
  for (std::size_t i = 0; i < names.size() && i < node.args.size(); ++i) {
    const Unit *own = unit_of_path(*node.args[i]), *named = unit_of_name(names[i]);
    const Unit *is = unit_beside(own, named), *meant = unit_beside(named, own);
    if (other_size(is, meant))
      tell_unit(*node.args[i], *is, *meant, "'" + node.text + "' expects: '" + names[i] + "'", cx.rubric);
  }
}

}  // namespace assay
