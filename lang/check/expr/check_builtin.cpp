// Checker: calls of built-in functions. The parameters and the result of a function are in its row of
// lang/model/builtins.def; results that depend on the arguments are computed here.
#include "lang/check/expr/expressions.hpp"
#include "lang/model/builtin_rows.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <charconv>

namespace assay {

namespace {

struct Parameter {
  std::string_view kind;
  bool left_out = false;  // it may be omitted
};

constexpr std::size_t kMostArguments = 64;

// The next word of a row's column.
std::string_view next_word(std::string_view& words) {
  const std::size_t end = std::min(words.find(' '), words.size());
  const std::string_view word = words.substr(0, end);
  words.remove_prefix(std::min(end + 1, words.size()));
  return word;
}

struct Parameters {
  std::vector<Parameter> all;
  std::size_t least = 0, most = 0;

  explicit Parameters(std::string_view column) {
    while (!column.empty()) {
      std::string_view kind = next_word(column);
      const bool repeated = kind.ends_with('*'), left_out = kind.ends_with('?');
      if (repeated || left_out) kind.remove_suffix(1);
      if (repeated) {
        most = kMostArguments;
        break;  // the same kind as the one before
      }
      all.push_back({kind, left_out});
      least += !left_out;
      ++most;
    }
  }

  // The kinds for a call with `count` arguments.
  std::vector<std::string_view> of(std::size_t count) const {
    std::vector<std::string_view> kinds;
    std::size_t more = count - std::min(count, least);
    for (const Parameter& p : all) {
      if (p.left_out && more == 0) continue;
      more -= p.left_out;
      kinds.push_back(p.kind);
    }
    kinds.resize(count, all.back().kind);
    return kinds;
  }
};

struct ItemsOf {
  std::string_view kind;
  TypeKind items;
  const char* name;
};
constexpr ItemsOf kLists[] = {
    {"list", TypeKind::unknown, ""},          {"lists", TypeKind::list, "lists"},
    {"numbers", TypeKind::number, "numbers"}, {"conditions", TypeKind::boolean, "conditions"},
    {"texts", TypeKind::text, "texts"},
};
const ItemsOf* list_kind(std::string_view kind) {
  const auto* row =
      std::find_if(std::begin(kLists), std::end(kLists), [&](const ItemsOf& l) { return l.kind == kind; });
  return row == std::end(kLists) ? nullptr : row;
}

// "-1..1", "0.."
Interval written_interval(std::string_view column) {
  const auto end = [](std::string_view digits) {
    std::int64_t n = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), n);
    return digits.empty() ? kMissing : whole(n);
  };
  const std::size_t dots = column.find("..");
  if (dots == column.npos) return {};
  return {end(column.substr(0, dots)), end(column.substr(dots + 2)), false, false};
}

}  // namespace

bool CallChecker::takes(const BuiltinRow& row, std::size_t arguments) {
  const bool least_of_list = (row.id == Builtin::min || row.id == Builtin::max) && arguments == 1;
  const Parameters parameters(row.parameters);
  return least_of_list || (arguments >= parameters.least && arguments <= parameters.most);
}

Expr* CallChecker::call_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*> args, Context& cx) {
  const BuiltinRow& row = *find_builtin(e.text);
  const bool least_of_list = (id == Builtin::min || id == Builtin::max) && args.size() == 1;
  const Parameters parameters(least_of_list ? "numbers" : row.parameters);
  if (!arity(e, args.size(), parameters.least, parameters.most, row.signature)) return broken(e.span);
  if (id == Builtin::whole_numbers) return loops_.whole_numbers(std::move(args), e.span);
  if (!take_arguments(e, parameters.of(args.size()), args, cx)) return broken(e.span);
  if (row.result != "computed") return written_result(id, row.result, e, args);
  return row.group == "numbers" && !least_of_list ? numbers_builtin(id, e, args) : list_builtin(id, e, args);
}

// Converts the arguments to the kinds of the parameters; false after an error.
bool CallChecker::take_arguments(const ast::Expr& e, const std::vector<std::string_view>& kinds,
                                 std::vector<Expr*>& args, Context& cx) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (kinds[i] == "map") {
      args[i] = exprs_.as_map(args[i], cx);
      if (kind_of(args[i]) != TypeKind::map && kind_of(args[i]) != TypeKind::unknown) {
        const std::string help = asked_.ask_help(args[i], AskedKind::map);
        error(asked_.asked_or_wrong(help), e.span, "'" + e.text + "' needs a map, this is " + types_.say(args[i]->type),
              "", help);
      }
      if (kind_of(args[i]) != TypeKind::map) return false;
    } else if (kinds[i] == "countable") {
      const bool record = kind_of(args[i]) == TypeKind::record && !types_[args[i]->type].verdict;
      if (kind_of(args[i]) != TypeKind::text && !record) args[i] = list_of(args[i], "'" + e.text + "'", cx);
    } else if (list_kind(kinds[i])) {
      args[i] = list_of(args[i], "'" + e.text + "'", cx);
    }
    if (kind_of(args[i]) == TypeKind::unknown) return false;
  }
  if (e.text == "contains" && args.size() == 2 && e.args.size() == 2 && !e.loop) {  // of a list, in either order
    for (const std::size_t i : {0U, 1U}) {
      if (kind_of(args[i]) != TypeKind::list && kind_of(args[i]) != TypeKind::map) continue;
      const std::string in = source_text(e.args[1 - i]->span) + " in " + source_text(e.args[i]->span);
      Diagnostic& d = error(Code::wrong_type, e.span,
                            "'contains' looks for a text in a text, and '" + short_text(e.args[i]->span) + "' is " +
                                types_.say(args[i]->type),
                            "", "write " + in);
      offer(*diagnostics_, d, {{{e.span, in}}, {{e.span, "(" + in + ")"}}});
      return false;
    }
  }
  const std::string one = "an argument of '" + e.text + "'";
  const bool with_list = list_kind(kinds.back()) != nullptr;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (kinds[i] == "number")
      args[i] = exprs_.want(args[i], TypeKind::number, with_list ? "the first argument of '" + e.text + "'" : one);
    if (kinds[i] == "text") args[i] = exprs_.want(args[i], TypeKind::text, one);
    if (kinds[i] == "range") args[i] = exprs_.want(args[i], TypeKind::range, "the second argument of '" + e.text + "'");
    if (kinds[i] == "points") args[i] = exprs_.want(args[i], TypeKind::list, "the points");
    if (kind_of(args[i]) == TypeKind::unknown) return false;
  }
  for (std::size_t i = 0; i < args.size(); ++i) {
    const ItemsOf* list = list_kind(kinds[i]);
    if (!list || list->items == TypeKind::unknown) continue;
    const TypeKind items = types_.kind(types_[args[i]->type].element);
    if (items == list->items || items == TypeKind::unknown) continue;
    const bool field = items == TypeKind::record && args.size() == i + 1 && list->items != TypeKind::list;
    const TypeId element = types_[args[i]->type].element;
    const bool several = items == TypeKind::either || items == TypeKind::any;
    const AskedKind needed = asked_.word_for(list->items);
    std::string help = field ? "name what to take: " + e.text + "(x.… for x in …)" : "";
    if (several && types_.asked(element, needed) != kUnknown)
      help = "leave out the others: [v for v in " + short_text(args[i]->span) + " when v is " +
             std::string(word_of(needed)) + "]";
    FixIt fix(help);
    if (field && list->items != TypeKind::text) {  // the only field that fits, or the score of a verdict
      const Type& record = types_[element];
      std::string only = record.verdict && list->items == TypeKind::number ? "score" : "";
      bool alone = true;
      for (const Field& f : record.fields) {
        if (record.verdict || types_.kind(f.type) != list->items) continue;
        alone = only.empty();
        if (alone) only = f.name;
        else break;
      }
      const std::string meant = e.text + "(x." + only + " for x in " + source_text(e.args[i]->span) + ")";
      if (alone && !only.empty() && args.size() == 1 && e.args[i]->text != "x")
        fix = FixIt("write " + meant, meant, false);
    }
    const bool truths = items == TypeKind::boolean && list->items == TypeKind::number && args.size() == 1;
    if (truths && (e.text == "sum" || e.text == "mean")) {  // how many, or what share of them hold
      const std::string of = source_text(e.args[i]->span);
      std::string meant = "count(x for x in " + of + " when x)";
      if (e.text == "mean") meant += " / count(" + of + ")";
      fix = FixIt("write " + meant, meant, false);
    }
    error(several && !help.empty() ? Code::ask_first : Code::wrong_type,
          list->items == TypeKind::text ? args[i]->span : e.span,
          "'" + e.text + "' needs a list of " + list->name + ", this is " + types_.say(args[i]->type), "",
          std::move(fix));
    return false;
  }
  TypeId type = kUnknown;
  if (kinds[0] == "item" && !types_.unify(args[0]->type, types_[args[1]->type].element, type)) {
    error(Code::types_differ, e.span, types_.say(args[0]->type) + " is never in " + types_.say(args[1]->type));
    return false;
  }
  if (kinds[0] == "item" && types_[type].mixed) {
    args[0] = retype(args[0], type);
    args[1] = retype(args[1], types_.list(type, false, types_[args[1]->type].gaps));
  }
  if (kinds.size() != 2 || kinds[0] != "list" || kinds[1] != "list") return true;
  if (types_.unify(args[0]->type, args[1]->type, type)) {
    for (Expr*& a : args) a = types_[type].mixed ? retype(a, type) : a;
    return true;
  }
  error(Code::types_differ, e.span,
        "'" + e.text + "' compares two lists of one type, these are " + types_.say(args[0]->type) + " and " +
            types_.say(args[1]->type));
  return false;
}

// A result given by the row.
Expr* CallChecker::written_result(Builtin id, std::string_view column, const ast::Expr& e, std::vector<Expr*>& args) {
  std::string_view name = next_word(column);
  const bool optional = name.ends_with('?');
  if (optional) name.remove_suffix(1);
  const Interval range = written_interval(column);
  TypeId type = kText;
  if (name == "number" || name == "whole") type = types_.number(range, name == "whole");
  if (id == Builtin::exp) type = types_.number(interval_exp(range_of(args[0])), false);
  if (name == "bool") type = kBool;
  if (name == "texts") type = types_.list(kText);
  if (name == "between") {
    const TypeId element = types_[args.back()->type].element;
    type = types_.number(types_.kind(element) == TypeKind::number ? types_[element].range : Interval{}, false);
  }
  Expr* result = builtin(id, type, e.span, args);
  result->optional = result->optional || optional;
  return result;
}

Expr* CallChecker::numbers_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*>& args) {
  const Interval x = range_of(args[0]);
  const bool x_whole = types_[args[0]->type].whole;
  NumberPool& pool = numbers();
  switch (id) {
    case Builtin::min:
    case Builtin::max: {
      Expr* r = args[0];
      if (args.size() == 2) return id == Builtin::min ? min_of(r, args[1], e.span) : max_of(r, args[1], e.span);
      Interval range = x;
      bool wholes = x_whole;
      for (std::size_t i = 1; i < args.size(); ++i) {
        range = id == Builtin::min ? interval_min(range, range_of(args[i])) : interval_max(range, range_of(args[i]));
        wholes = wholes && types_[args[i]->type].whole;
      }
      return builtin(id, types_.number(range, wholes), e.span, args);
    }
    case Builtin::clamp: return clamp_builtin(e, args);
    case Builtin::abs: return builtin(id, types_.number(interval_abs(x, pool), x_whole), e.span, args);
    case Builtin::round:
    case Builtin::floor:
    case Builtin::ceil:
    case Builtin::trunc:
    case Builtin::round_even: return round_builtin(id, e, args);
    case Builtin::mod: {
      const Interval y = range_of(args[1]);
      const bool wholes = x_whole && types_[args[1]->type].whole;
      const Interval range = interval_mod(y, wholes, pool);
      Expr* r = builtin(id, types_.number(range, wholes), e.span, args);
      r->optional = r->optional || holds(y, whole(0));
      return r;
    }
    case Builtin::sqrt: {
      Expr* r = builtin(id, types_.number(interval_sqrt(x, pool), false), e.span, args);
      r->optional = r->optional || x.low.missing() || sign(x.low) < 0;
      return r;
    }
    default: return interpolate_builtin(e, args);
  }
}

Expr* CallChecker::clamp_builtin(const ast::Expr& e, std::vector<Expr*>& args) {
  const Interval x = range_of(args[0]);
  const bool x_whole = types_[args[0]->type].whole;
  Interval range;
  if (is_constant(args[1])) {
    const RangeData& r = *args[1]->value.range.data;
    range = {r.low, r.high, false, false};
    return builtin(Builtin::clamp,
                   types_.number(interval_min(interval_max(x, exactly(r.low)), exactly(r.high)),
                                 x_whole && is_whole(r.low) && is_whole(r.high)),
                   e.span, args);
  }
  if (args[1]->op == Op::make_range) {
    const Interval lo = range_of(args[1]->args[0]), hi = range_of(args[1]->args[1]);
    range = interval_min(interval_max(x, lo), hi);
  }
  return builtin(Builtin::clamp, types_.number(range, false), e.span, args);
}

Expr* CallChecker::round_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*>& args) {
  const Interval x = range_of(args[0]);
  NumberPool& pool = numbers();
  const Rounding mode = id == Builtin::round   ? Rounding::half_away
                        : id == Builtin::floor ? Rounding::floor
                        : id == Builtin::ceil  ? Rounding::ceil
                        : id == Builtin::trunc ? Rounding::trunc
                                               : Rounding::half_even;
  std::int64_t decimals = 0;
  const bool known = args.size() < 2 || (is_constant(args[1]) && to_int64(args[1]->value.number, decimals));
  if (args.size() > 1 && is_constant(args[1]) && (!known || decimals > 40 || decimals < -40)) {
    error(Code::bad_number, args[1]->span, "the number of decimals is a whole number -40..40");
    return broken(e.span);
  }
  if (!known) return builtin(id, kNumber, e.span, args);
  if (is_constant(args[0]))
    return number(round_to(args[0]->value.number, static_cast<int>(decimals), mode, pool), e.span);
  return builtin(id, types_.number(interval_round(x, static_cast<int>(decimals), mode, pool), decimals <= 0), e.span,
                 args);
}

Expr* CallChecker::interpolate_builtin(const ast::Expr& e, std::vector<Expr*>& args) {
  const Type& element = types_[types_[args[1]->type].element];
  const bool pairs = element.kind == TypeKind::list && types_.kind(element.element) == TypeKind::number;
  const bool rows = element.kind == TypeKind::record && element.fields.size() == 2 &&
                    types_.kind(element.fields[0].type) == TypeKind::number &&
                    types_.kind(element.fields[1].type) == TypeKind::number;
  if (!pairs && !rows) {
    error(Code::wrong_type, args[1]->span,
          "the points of 'interpolate' are [x, y] pairs or a table with two columns of numbers, this is " +
              (types_.kind(types_[args[1]->type].element) == TypeKind::unknown ? "an empty list"
                                                                               : types_.say(args[1]->type)));
    return broken(e.span);
  }
  Interval range;
  if (rows) range = types_[element.fields[1].type].range;
  const bool reaches_all = constant_points(args[1], rows, range_of(args[0]), range);
  Expr* r = builtin(Builtin::interpolate, types_.number(range, false), e.span, args);
  r->optional = r->optional || !reaches_all;
  return r;
}

// Whether constant points lie in order and reach all of `x`; then `range` is that of their results.
bool CallChecker::constant_points(const Expr* points, bool rows, const Interval& x, Interval& range) {
  if (!is_constant(points) || points->value.missing() || points->value.list.size == 0) return false;
  const ListValue all = points->value.list;
  budget_.step(1 + all.size / 8);
  Interval reach, results;
  for (std::uint32_t i = 0; i < all.size; ++i) {
    const Value& p = all.items[i];
    if (p.missing() || (rows ? p.record.size : p.list.size) != 2) return false;
    const Value* pair = rows ? p.record.fields : p.list.items;
    if (pair[0].missing() || pair[1].missing()) return false;
    const Number at = pair[0].number;
    if (i > 0 && compare(reach.high, at) >= 0) return false;
    reach = {i == 0 ? at : reach.low, at, false, false};
    results = i == 0 ? exactly(pair[1].number) : interval_hull(results, exactly(pair[1].number));
  }
  range = results;
  return inside(x, reach);
}

Expr* CallChecker::list_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*>& args) {
  Expr* list = args.back();
  Interval any_number;
  any_number.low = whole(0);
  if (kind_of(list) == TypeKind::text) return builtin(id, types_.number(any_number, true), e.span, args);
  if (id == Builtin::values) return builtin(id, types_.values(list->type), e.span, args);
  if (kind_of(list) == TypeKind::record)
    return number(whole(static_cast<std::int64_t>(types_[list->type].fields.size())), e.span);
  const TypeId element = types_[list->type].element;
  const bool numbers = types_.kind(element) == TypeKind::number;
  const bool gaps = types_[list->type].gaps;
  const Interval r = numbers ? types_[element].range : Interval{};
  TypeId type = kNumber;
  bool optional = true;
  switch (id) {
    case Builtin::count:
      if (const std::int64_t items = loops_.most_items(list); items >= 0) any_number.high = whole(items);
      type = types_.number(any_number, true);
      optional = false;
      break;
    case Builtin::first:
    case Builtin::last:
      type = args.size() == 2 ? types_.list(element, false, gaps) : element;
      optional = args.size() == 1;
      break;
    case Builtin::reverse:
      type = types_.list(element, false, gaps);
      optional = false;
      break;
    case Builtin::distinct:
      type = list->type;
      optional = false;
      break;
    case Builtin::flatten:
      type = types_.kind(element) == TypeKind::unknown
                 ? types_.list(kUnknown, false, gaps)
                 : types_.list(types_[element].element, false, types_[element].gaps);
      optional = gaps;
      break;
    case Builtin::sum:
    case Builtin::product: {
      Interval s;
      if (id == Builtin::sum) s = loops_.sum_range(r, loops_.most_items(list), list->op == Op::make_list);
      else s = interval_product(r);
      type = types_.number(s, numbers && types_[element].whole);
      break;
    }
    default:  // min, max
      if (numbers) type = element;
      break;
  }
  Expr* result = builtin(id, type, e.span, args);
  result->optional = result->optional || optional;
  return result;
}

}  // namespace assay
