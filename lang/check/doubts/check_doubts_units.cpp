// Checker: warnings about values of another unit, as their names say: weight_g where a table expects kg, kmh that are metres
// a second divided by 3.6.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/sense/units.hpp"
#include "lang/check/sense/written.hpp"

#include <algorithm>

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

}  // namespace

// let kmh = metres / seconds / 3.6; let hours = minutes * 60
void DoubtChecker::doubt_conversion(const ast::Name& name, const ast::Expr& e, int rubric_index) {
  const Measure named = measure_of_name(name.text);
  if (named.of == nullptr) return;
  std::vector<const ast::Expr*> steps;  // joints with a number on their right
  const ast::Expr* rest = &e;
  Number factor = whole(1);
  while (rest->kind == ast::ExprKind::binary && (rest->text == "*" || rest->text == "/") &&
         rest->args[1]->kind == ast::ExprKind::number) {
    Number n;
    if (!parse_decimal(rest->args[1]->text, n, numbers(), true) || sign(n) <= 0) return;
    factor = rest->text == "*" ? mul(factor, n, numbers()) : div(factor, n, numbers());
    steps.push_back(rest);
    rest = rest->args[0].get();
  }
  const auto unit_of_path = [&](const ast::Expr& path) {
    return is_path(path) ? unit_of_value(path, rubric(rubric_index)) : nullptr;
  };
  Measure is{unit_of_path(*rest), nullptr};
  if (rest->kind == ast::ExprKind::binary && rest->text == "/")
    is = {unit_of_path(*rest->args[0]), unit_of_path(*rest->args[1])};
  const bool comparable = is.of != nullptr && is.of->of == named.of->of &&
                          (is.per != nullptr) == (named.per != nullptr) &&
                          (is.per == nullptr || is.per->of == named.per->of);
  if (!comparable || steps.empty()) return;
  Number right = div(whole(is.of->size), whole(named.of->size), numbers());
  if (is.per != nullptr) right = div(mul(right, whole(named.per->size), numbers()), whole(is.per->size), numbers());
  const bool inverse = compare(mul(right, factor, numbers()), whole(1)) == 0 && compare(factor, right) != 0;
  if (!inverse) return;
  Way way;
  for (const ast::Expr* step : steps) way.push_back({step->word, step->text == "*" ? "/" : "*"});
  const ast::Expr& last = *steps.front();
  doubt(Code::other_unit, e.span, rubric_index,
        "'" + name.text + "' is converted the wrong way round: " + short_text(rest->span) +
            (compare(right, whole(1)) < 0 ? " divided by " + shortest_text(factor) : " times " + shortest_text(right)) +
            " is in the unit of its name",
        "write '" + way.front().text + " " + last.args[1]->text + "'");
  if (is_own(e.span, rubric_index)) state_.noted.doubts.back().ways = {std::move(way)};
}

// room(height, width), for fn room(width, height)
void DoubtChecker::doubt_order_of_arguments(const ast::Expr& node, const std::vector<std::string>& names,
                                            const Context& cx) {
  std::set<std::string> expected(names.begin(), names.end()), given;
  Way way;
  for (std::size_t i = 0; i < node.args.size() && i < names.size(); ++i) {
    const ast::Expr& arg = *node.args[i];
    if (!is_path(arg) || (arg.kind == ast::ExprKind::name && rubric(cx.rubric).by_name.inputs.count(arg.text) == 0))
      return;
    given.insert(arg.text);
    if (arg.text == names[i]) continue;
    const auto right =
        std::find_if(node.args.begin(), node.args.end(), [&](const auto& a) { return a->text == names[i]; });
    if (right == node.args.end()) return;
    way.push_back({arg.span, source_text((*right)->span)});
  }
  if (way.size() < 2 || given != expected) return;
  // fits(width, height) or fits(height, width): it is meant both ways.
  const std::string text(sources_.file(node.span.file).text);
  std::string call = node.text + "(";
  for (std::size_t i = 0; i < names.size(); ++i) call += (i > 0 ? ", " : "") + names[i];
  if (text.find(call + ")", text.find(call + ")") + 1) != text.npos) return;
  doubt(Code::exchanged_arguments, node.span, cx.rubric,
        "'" + node.text + "' expects '" + names[0] + "' first, and gets '" + node.args[0]->text + "'",
        "give the arguments in the order of '" + call + ")'");
  state_.noted.doubts.back().ways = {std::move(way)};
}

// fee(weight_g), for table fee(kg); load_ms > limit_s
void DoubtChecker::note_units(const ast::Expr& node, const Context& cx) {
  if (!is_own(node.span, cx.rubric) || cx.rubric < 0) return;
  const auto unit_of_path = [&](const ast::Expr& path) {
    return is_path(path) ? unit_of_value(path, rubric(cx.rubric)) : nullptr;
  };
  const auto told = [&](const ast::Expr& path, const Unit* is, const Unit* meant, const std::string& what) {
    const bool smaller = is->size < meant->size;
    const Number factor =
        div(whole(std::max(is->size, meant->size)), whole(std::min(is->size, meant->size)), numbers());
    const std::string text = source_text(path.span) + (smaller ? " / " : " * ") + shortest_text(factor);
    doubt(Code::other_unit, path.span, cx.rubric, "'" + short_text(path.span) + "' is in another unit than " + what,
          "write " + text);
    state_.noted.doubts.back().ways = {{{path.span, text}}};
  };
  if (node.kind == ast::ExprKind::binary) {
    static constexpr std::string_view kSameUnit[] = {"+", "-", "<", "<=", ">", ">=", "==", "!="};
    const bool same = std::find(std::begin(kSameUnit), std::end(kSameUnit), node.text) != std::end(kSameUnit);
    const Unit *left = unit_of_path(*node.args[0]), *right = same ? unit_of_path(*node.args[1]) : nullptr;
    if (other_size(left, right)) told(*node.args[1], right, left, "'" + short_text(node.args[0]->span) + "'");
  }
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
    const Unit *is = unit_of_path(*node.args[i]), *meant = unit_of_name(names[i]);
    if (other_size(is, meant)) told(*node.args[i], is, meant, "'" + node.text + "' expects: '" + names[i] + "'");
  }
}

}  // namespace assay
