// See said_checker.hpp. Finds a copied line in which not every name was changed: one of several comparisons of the same form
// that reads its neighbour's value, one of several differences that is turned round.
#include "lang/check/sense/said/said_checker.hpp"

#include "lang/text/ascii.hpp"

#include <algorithm>
#include <iterator>

namespace assay {

namespace {

// What two paths have in common, and what each has before and behind it: tests.moisture and limits.moisture.
struct Form {
  std::string before[2], behind[2];
  std::string stem;
};

// The parts of the last name of a path between its '_', as places in its text.
std::vector<std::string_view> parts_of_path(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t at = path.rfind('.') + 1; at <= path.size();) {
    const std::size_t end = std::min(path.find('_', at), path.size());
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

Form form_of(std::string_view left, std::string_view right) {
  const std::vector<std::string_view> a = parts_of_path(left), b = parts_of_path(right);
  std::size_t from = 0, other = 0, most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      std::size_t n = 0;
      while (i + n < a.size() && k + n < b.size() && a[i + n] == b[k + n] && !a[i + n].empty()) ++n;
      if (n > most) from = i, other = k, most = n;
    }
  }
  Form form;
  if (most == 0) return form;
  const auto cut = [most](std::string_view path, const std::vector<std::string_view>& parts, std::size_t at, Form& out,
                          std::size_t side) {
    const auto begin = static_cast<std::size_t>(parts[at].data() - path.data());
    const auto end = static_cast<std::size_t>(parts[at + most - 1].data() - path.data()) + parts[at + most - 1].size();
    out.before[side] = path.substr(0, begin), out.behind[side] = path.substr(end);
    out.stem = path.substr(begin, end - begin);
  };
  cut(left, a, from, form, 0), cut(right, b, other, form, 1);
  return form;
}

// What stands in a path where others of this form have their stem; empty: it is of another form.
std::string stem_in(const std::string& path, const std::string& before, const std::string& behind) {
  const std::size_t around = before.size() + behind.size();
  if (path.size() <= around || !path.starts_with(before) || !path.ends_with(behind)) return {};
  std::string stem = path.substr(before.size(), path.size() - around);
  return stem.find('.') == stem.npos ? stem : std::string();
}

}  // namespace

// Whether a rubric has a value of this path: an input, a 'let', or a field of one whose fields are written out.
bool SaidChecker::has_path(const RubricContext& rc, const std::string& path) const {
  const std::size_t dot = path.find('.');
  const std::string name = path.substr(0, dot);
  const auto input = rc.last_inputs.find(name);
  if (dot == path.npos)
    return input != rc.last_inputs.end() || value_named(name) != nullptr || rc.dimensions.by_name.count(name) > 0;
  const std::string field = path.substr(dot + 1);
  if (input != rc.last_inputs.end() && input->second->kind) {
    const std::vector<ast::KindField>& fields = input->second->kind->fields;
    return std::any_of(fields.begin(), fields.end(), [&](const ast::KindField& f) { return f.name.text == field; });
  }
  const ast::Expr* value = value_named(name);
  return value != nullptr && value->kind == ast::ExprKind::record &&
         std::any_of(value->fields.begin(), value->fields.end(), [&](const ast::Name& f) { return f.text == field; });
}

// flag impurities when tests.moisture > limits.impurities, below tests.protein < limits.protein and tests.moisture >
// limits.moisture; let fouls = first.fouls + second.goals, below let goals = first.goals + second.goals
void SaidChecker::doubt_parallel(RubricContext& rc) {
  std::map<std::string, std::vector<Paired>> groups;
  std::size_t all = 0;
  constexpr std::size_t kMost = 200;
  for (const ast::Item* item : rc.items) {
    std::string name;
    if (const auto* let = std::get_if<ast::Let>(&item->node)) name = let->name.text;
    if (const auto* output = std::get_if<ast::Output>(&item->node)) name = output->name.text;
    for (const ast::Expr* whole : written_parts(*item).exprs) {
      each_expr(budget_, *whole, [&](const ast::Expr& e) {
        const bool compares = e.kind == ast::ExprKind::binary && has_word("< <= > >= == !=", e.text);
        if (e.kind != ast::ExprKind::binary || (!compares && !has_word("+ - * /", e.text))) return;
        if (!is_path(*e.args[0]) || !is_path(*e.args[1]) || ++all > kMost) return;
        groups[compares ? "<" : e.text].push_back(
            {{e.args[0].get(), e.args[1].get()}, {squeezed(e.args[0]->span), squeezed(e.args[1]->span)}, name});
      });
    }
  }
  if (all > kMost) return;
  for (const auto& [sign, paired] : groups) doubt_paired(rc, paired, sign == "<");
}

void SaidChecker::doubt_paired(RubricContext& rc, const std::vector<Paired>& all, bool compared) {
  struct Alike {
    Form form;
    std::map<std::string, const ast::Expr*> stems;  // and a side of its comparison
  };
  if (all.size() < 2) return;
  std::map<std::string, Alike> forms;
  for (const Paired& one : all) {
    Form form = form_of(one.paths[0], one.paths[1]);
    if (form.stem.empty() || one.paths[0] == one.paths[1]) continue;
    std::string key;
    for (const std::size_t side : {0U, 1U}) key += form.before[side] + "*" + form.behind[side] + " ";
    Alike& alike = forms[key];
    alike.stems.emplace(form.stem, one.sides[0]);
    alike.form = std::move(form);
  }
  for (const auto& [key, alike] : forms) {
    const Form& form = alike.form;
    for (const Paired& one : all) {
      const std::string stems[] = {stem_in(one.paths[0], form.before[0], form.behind[0]),
                                   stem_in(one.paths[1], form.before[1], form.behind[1])};
      if (stems[0].empty() || stems[1].empty() || stems[0] == stems[1]) continue;
      const bool known[] = {alike.stems.count(stems[0]) > 0, alike.stems.count(stems[1]) > 0};
      if (known[0] == known[1]) continue;
      const std::size_t side = known[0] ? 0 : 1;  // the copied one
      if (alike.stems.size() < 2 && one.name != stems[1 - side]) continue;
      const std::string meant = form.before[side] + stems[1 - side] + form.behind[side];
      const bool read = std::any_of(all.begin(), all.end(), [&meant](const Paired& other) {
        return other.paths[0] == meant || other.paths[1] == meant;
      });
      if (read || !has_path(rc, meant)) continue;
      const std::string own = form.before[1 - side] + stems[side] + form.behind[1 - side];
      tell(rc, Code::counted_twice, one.sides[side]->span,
           "'" + one.paths[side] + "' " + (compared ? "is compared" : "stands here") + " with '" + one.paths[1 - side] +
               (compared ? "' here, and with '" : "', and with '") + own + "' in line " +
               std::to_string(sources_.line_of(alike.stems.at(stems[side])->span)),
           "write " + meant, {{{one.sides[side]->span, meant}}});
    }
  }
}

// (top_tries - tops) + (zones - zone_tries), where checks need tops <= top_tries and zones <= zone_tries
void SaidChecker::doubt_turned_neighbour(RubricContext& rc) {
  const bool checks = std::any_of(rc.items.begin(), rc.items.end(),
                                  [](const ast::Item* item) { return std::holds_alternative<ast::Check>(item->node); });
  if (!checks) return;
  // 1: the difference is never below 0, -1: never above 0, 0: unknown.
  const auto way = [&](const ast::Expr& e) {
    if (!is_binary(e, "-") || !is_path(*e.args[0]) || !is_path(*e.args[1])) return 0;
    return never_above_by_check(rc, *e.args[0], *e.args[1])   ? -1
           : never_above_by_check(rc, *e.args[1], *e.args[0]) ? 1
                                                              : 0;
  };
  for (const ast::Item* item : rc.items) {
    for (const ast::Expr* whole : written_parts(*item).exprs) {
      each_expr(budget_, *whole, [&](const ast::Expr& e) {
        if (!is_binary(e, "+")) return;
        const int ways[] = {way(*e.args[0]), way(*e.args[1])};
        if (ways[0] * ways[1] >= 0) return;
        const ast::Expr &turned = *e.args[ways[0] < 0 ? 0 : 1], &other = *e.args[ways[0] < 0 ? 1 : 0];
        const std::string first = source_text(turned.args[0]->span), second = source_text(turned.args[1]->span);
        tell(rc, Code::exchanged_arguments, turned.span,
             "'" + first + " - " + second + "' is never above 0 by a check, and '" + source_text(other.args[0]->span) +
                 " - " + source_text(other.args[1]->span) + "', to which it is added, never below",
             "write " + second + " - " + first, {{{turned.args[0]->span, second}, {turned.args[1]->span, first}}});
      });
    }
  }
}

namespace {

// What is known of an expression where an example gives the inputs: numbers, and whether comparisons of them hold.
class Given {
 public:
  Given(const ast::Expr& record, NumberPool& pool, Budget& budget) : record_(record), pool_(pool), budget_(budget) {}

  const ast::Expr* field(std::string_view name) const {
    for (std::size_t i = 0; i < record_.fields.size() && i < record_.args.size(); ++i) {
      if (record_.fields[i].text == name) return record_.args[i].get();
    }
    return nullptr;
  }

  std::optional<Number> number(const ast::Expr& e) const {
    const Nesting nesting(budget_);
    Number n;
    if (e.kind == ast::ExprKind::number) {
      if (e.text.ends_with('%') || !parse_decimal(e.text, n, pool_, true)) return std::nullopt;
      return n;
    }
    if (e.kind == ast::ExprKind::unary && e.text == "-") {
      const std::optional<Number> of = number(*e.args[0]);
      return of ? std::optional(neg(*of, pool_)) : std::nullopt;
    }
    if (e.kind == ast::ExprKind::name) {
      const ast::Expr* value = field(e.text);
      const bool literal = value != nullptr && (value->kind == ast::ExprKind::number ||
                                                (value->kind == ast::ExprKind::unary && value->text == "-" &&
                                                 value->args[0]->kind == ast::ExprKind::number));
      return literal ? number(*value) : std::nullopt;
    }
    if (e.kind != ast::ExprKind::binary) return std::nullopt;
    const std::optional<Number> a = number(*e.args[0]), b = a ? number(*e.args[1]) : std::nullopt;
    if (!b) return std::nullopt;
    if (e.text == "+") return add(*a, *b, pool_);
    if (e.text == "-") return sub(*a, *b, pool_);
    if (e.text == "*") return mul(*a, *b, pool_);
    return std::nullopt;
  }

  std::optional<bool> holds(const ast::Expr& e) const {
    const Nesting nesting(budget_);
    if (e.kind != ast::ExprKind::binary) return std::nullopt;
    if (e.text == "and" || e.text == "or") {
      const std::optional<bool> a = holds(*e.args[0]), b = holds(*e.args[1]);
      const bool decides = e.text == "or";
      if ((a && *a == decides) || (b && *b == decides)) return decides;
      return a && b ? std::optional(!decides) : std::nullopt;
    }
    if (!has_word("< <= > >= == !=", e.text)) return std::nullopt;
    const std::optional<Number> a = number(*e.args[0]), b = a ? number(*e.args[1]) : std::nullopt;
    if (!b) return std::nullopt;
    const int order = compare(*a, *b);
    if (e.text == "==" || e.text == "!=") return (order == 0) == (e.text == "==");
    return e.text.ends_with('=') && order == 0 ? true : (order < 0) == (e.text[0] == '<') && order != 0;
  }

 private:
  const ast::Expr& record_;
  NumberPool& pool_;
  Budget& budget_;
};

}  // namespace

// example { given { people: 120, out: 125 } … }, where a check needs out <= people
void SaidChecker::doubt_refused_given(RubricContext& rc, const ast::Example& node) {
  if (!node.given || !node.expect || node.error || node.given->kind != ast::ExprKind::record) return;
  const Given given(*node.given, numbers(), budget_);
  for (const ast::Item* item : rc.items) {
    const auto* check = std::get_if<ast::Check>(&item->node);
    if (check == nullptr || check->loop || !check->condition || given.holds(*check->condition).value_or(true)) continue;
    const ast::Expr* at =
        check->path && check->path->kind == ast::ExprKind::name ? given.field(check->path->text) : nullptr;
    if (at == nullptr) continue;
    const std::string path = source_text(check->path->span);
    const std::string reason = check->prose.plain() && check->prose.given ? "\"" + check->prose.str() + '"'
                                                                          : short_text(check->condition->span);
    return tell(rc, Code::impossible_given, at->span,
                "a record with this would be rejected at '" + path +
                    "': " + (check->prose.plain() && check->prose.given ? reason : "a check needs " + reason),
                "give another value, or write 'error at " + path + "' if that is the example", {});
  }
}

}  // namespace assay
