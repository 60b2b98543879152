// Checker: calls of the functions that the language brings, and what their results can be.
#include "lang/check/checker.hpp"
#include "lang/model/builtin_rows.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

Expr* Checker::call_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*> args, Context& cx) {
  const BuiltinRow* row = find_builtin(e.text);
  if (row->group == "numbers" && !((id == Builtin::min || id == Builtin::max) && args.size() == 1))
    return numbers_builtin(id, e, args);
  if (row->group == "text") return text_builtin(id, e, args, cx);
  if (id == Builtin::whole_numbers)
    return arity(e, args.size(), 2, 2, row->signature) ? whole_numbers(std::move(args), e.span) : broken(e.span);
  return list_builtin(id, e, args, cx);
}

Expr* Checker::numbers_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*>& args) {
  const BuiltinRow& row = *find_builtin(e.text);
  const std::string what = "an argument of '" + e.text + "'";
  std::size_t least = 1, most = 1;
  switch (id) {
    case Builtin::min:
    case Builtin::max:
      least = 2;
      most = 64;
      break;
    case Builtin::clamp:
    case Builtin::mod:
    case Builtin::interpolate: least = most = 2; break;
    case Builtin::round:
    case Builtin::floor:
    case Builtin::ceil:
    case Builtin::trunc:
    case Builtin::round_even: most = 2; break;
    default: break;
  }
  if (!arity(e, args.size(), least, most, row.signature)) return broken(e.span);
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (i == 1 && id == Builtin::clamp) {
      args[i] = want(args[i], TypeKind::range, "the second argument of 'clamp'");
    } else if (i == 1 && id == Builtin::interpolate) {
      args[i] = want(args[i], TypeKind::list, "the points");
    } else {
      args[i] = want(args[i], TypeKind::number, what);
    }
    if (kind_of(args[i]) == TypeKind::unknown) return broken(e.span);
  }
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
    case Builtin::abs: return builtin(id, types_.number(interval_abs(x, pool), x_whole), e.span, args);
    case Builtin::clamp: {
      Interval range;
      if (is_constant(args[1])) {
        const RangeData& r = *args[1]->value.range.data;
        range = {r.low, r.high, false, false};
        return builtin(id,
                       types_.number(interval_min(interval_max(x, exactly(r.low)), exactly(r.high)),
                                     x_whole && is_whole(r.low) && is_whole(r.high)),
                       e.span, args);
      }
      if (args[1]->op == Op::make_range) {
        const Interval lo = range_of(args[1]->args[0]), hi = range_of(args[1]->args[1]);
        range = interval_min(interval_max(x, lo), hi);
      }
      return builtin(id, types_.number(range, false), e.span, args);
    }
    case Builtin::round:
    case Builtin::floor:
    case Builtin::ceil:
    case Builtin::trunc:
    case Builtin::round_even: {
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
      return builtin(id, types_.number(interval_round(x, static_cast<int>(decimals), mode, pool), decimals <= 0),
                     e.span, args);
    }
    case Builtin::mod: {
      Interval range;
      const Interval y = range_of(args[1]);
      const bool wholes = x_whole && types_[args[1]->type].whole;
      if (!y.low.missing() && sign(y.low) >= 0) {  // below it, if it is not 0
        range.low = whole(0);
        range.high = y.high;
        const bool above_0 = !y.high.missing() && sign(y.high) > 0;
        if (wholes && above_0 && is_whole(y.high)) range.high = sub(y.high, whole(1), pool);
        else range.high_open = above_0;
      }
      Expr* r = builtin(id, types_.number(range, wholes), e.span, args);
      r->optional = r->optional || holds(y, whole(0));
      return r;
    }
    case Builtin::sqrt: {
      Interval range;
      range.low = whole(0);
      if (!x.high.missing() && sign(x.high) >= 0) range.high = sqrt(x.high, pool);
      Expr* r = builtin(id, types_.number(range, false), e.span, args);
      r->optional = r->optional || x.low.missing() || sign(x.low) < 0;
      return r;
    }
    case Builtin::exp: {
      Interval range;
      range.low = whole(0);
      Expr* r = builtin(id, types_.number(range, false), e.span, args);
      r->optional = true;
      return r;
    }
    case Builtin::erf: {
      Interval range;
      range.low = whole(-1);
      range.high = whole(1);
      return builtin(id, types_.number(range, false), e.span, args);
    }
    case Builtin::interpolate: {
      const Type& element = types_[types_[args[1]->type].element];
      const bool pairs = element.kind == TypeKind::list && types_.kind(element.element) == TypeKind::number;
      const bool rows = element.kind == TypeKind::record && element.fields.size() == 2 &&
                        types_.kind(element.fields[0].type) == TypeKind::number &&
                        types_.kind(element.fields[1].type) == TypeKind::number;
      if (!pairs && !rows) {
        error(Code::wrong_type, args[1]->span,
              "the points of 'interpolate' are [x, y] pairs or a table with two columns of numbers, this is " +
                  types_.say(args[1]->type));
        return broken(e.span);
      }
      Interval range;
      if (rows) range = types_[element.fields[1].type].range;
      Expr* r = builtin(id, types_.number(range, false), e.span, args);
      r->optional = true;
      return r;
    }
    default: {  // ln, log10
      Expr* r = builtin(id, kNumber, e.span, args);
      r->optional = true;
      return r;
    }
  }
}

Expr* Checker::list_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*>& args, Context& cx) {
  const BuiltinRow& row = *find_builtin(e.text);
  const bool two = id == Builtin::rank || id == Builtin::percentile;
  const bool one_or_two = id == Builtin::first || id == Builtin::last;
  if (!arity(e, args.size(), two ? 2 : 1, two || one_or_two ? 2 : 1, row.signature)) return broken(e.span);
  Expr*& list = args.back();
  if (kind_of(list) == TypeKind::unknown) return broken(e.span);
  Interval any_number;
  any_number.low = whole(0);
  if (id == Builtin::count && kind_of(list) == TypeKind::text)
    return builtin(id, types_.number(any_number, true), e.span, args);
  if (id == Builtin::keys || id == Builtin::values) {
    list = as_map(list, cx);
    if (kind_of(list) != TypeKind::map) {
      if (kind_of(list) != TypeKind::unknown)
        error(Code::wrong_type, e.span, "'" + e.text + "' needs a map, this is " + types_.say(list->type));
      return broken(e.span);
    }
    return builtin(id, id == Builtin::keys ? types_.list(kText) : types_.values(list->type), e.span, args);
  }
  if (id == Builtin::count && kind_of(list) == TypeKind::record && !types_[list->type].verdict) {
    return number(whole(static_cast<std::int64_t>(types_[list->type].fields.size())), e.span);
  }
  list = list_of(list, "'" + e.text + "'", cx);
  if (kind_of(list) == TypeKind::unknown) return broken(e.span);
  const TypeId element = types_[list->type].element;
  const TypeKind ek = types_.kind(element);
  const bool gaps = types_[list->type].gaps;
  const auto need = [&](TypeKind k, const char* name) {
    if (ek == k || ek == TypeKind::unknown) return true;
    error(Code::wrong_type, e.span, "'" + e.text + "' needs a list of " + name + ", this is " + types_.say(list->type),
          "", ek == TypeKind::record ? "name what to take: " + e.text + "(x.… for x in …)" : "");
    return false;
  };
  if (two || (one_or_two && args.size() == 2))
    args[0] = want(args[0], TypeKind::number, "the first argument of '" + e.text + "'");
  Interval r = ek == TypeKind::number ? types_[element].range : Interval{};
  TypeId type = kNumber;
  bool optional = true;
  switch (id) {
    case Builtin::count:
      if (const std::int64_t items = most_items(list); items >= 0) any_number.high = whole(items);
      type = types_.number(any_number, true);
      optional = false;
      break;
    case Builtin::any:
    case Builtin::all:
      if (!need(TypeKind::boolean, "conditions")) return broken(e.span);
      type = kBool;
      break;
    case Builtin::first:
    case Builtin::last:
      if (args.size() == 2) {
        type = types_.list(element, false, gaps);
        optional = false;
      } else {
        type = element;
      }
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
      if (ek != TypeKind::list && ek != TypeKind::unknown) {
        error(Code::wrong_type, e.span, "'flatten' needs a list of lists, this is " + types_.say(list->type));
        return broken(e.span);
      }
      type = ek == TypeKind::unknown ? types_.list(kUnknown, false, gaps)
                                     : types_.list(types_[element].element, false, types_[element].gaps);
      optional = gaps;
      break;
    case Builtin::sum:
    case Builtin::product: {
      if (!need(TypeKind::number, "numbers")) return broken(e.span);
      Interval s;
      if (id == Builtin::sum) s = sum_range(r, most_items(list), list->op == Op::make_list);
      else if (!r.low.missing() && sign(r.low) >= 0) s.low = whole(0);
      type = types_.number(s, ek == TypeKind::number && types_[element].whole);
      break;
    }
    case Builtin::min:
    case Builtin::max:
      if (!need(TypeKind::number, "numbers")) return broken(e.span);
      type = ek == TypeKind::number ? element : kNumber;
      break;
    case Builtin::mean:
    case Builtin::median:
    case Builtin::percentile:
    case Builtin::geomean:
    case Builtin::harmonic:
      if (!need(TypeKind::number, "numbers")) return broken(e.span);
      type = types_.number(r, false);
      break;
    case Builtin::stdev:
    case Builtin::variance: {
      if (!need(TypeKind::number, "numbers")) return broken(e.span);
      type = types_.number(any_number, false);
      break;
    }
    case Builtin::rank: {
      if (!need(TypeKind::number, "numbers")) return broken(e.span);
      Interval place;
      place.low = whole(1);
      type = types_.number(place, true);
      break;
    }
    default:
      if (!need(TypeKind::number, "numbers")) return broken(e.span);
      break;
  }
  Expr* result = builtin(id, type, e.span, args);
  result->optional = result->optional || optional;
  return result;
}

Expr* Checker::text_builtin(Builtin id, const ast::Expr& e, std::vector<Expr*>& args, Context& cx) {
  const BuiltinRow& row = *find_builtin(e.text);
  std::size_t n = 2;
  if (id == Builtin::words || id == Builtin::trim || id == Builtin::lowercase || id == Builtin::number ||
      id == Builtin::duration)
    n = 1;
  if (!arity(e, args.size(), n, n, row.signature)) return broken(e.span);
  if (id == Builtin::in_order) {
    TypeId type = kUnknown;
    for (Expr*& a : args) a = list_of(a, "'in_order'", cx);
    if (kind_of(args[0]) == TypeKind::unknown || kind_of(args[1]) == TypeKind::unknown) return broken(e.span);
    if (!types_.unify(args[0]->type, args[1]->type, type)) {
      error(Code::types_differ, e.span,
            "'in_order' compares two lists of one type, these are " + types_.say(args[0]->type) + " and " +
                types_.say(args[1]->type));
      return broken(e.span);
    }
    return builtin(id, kBool, e.span, args);
  }
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (id == Builtin::join && i == 0) {
      args[0] = list_of(args[0], "'join'", cx);
      if (kind_of(args[0]) == TypeKind::list) {
        const TypeKind ek = types_.kind(types_[args[0]->type].element);
        if (ek != TypeKind::text && ek != TypeKind::unknown) {
          error(Code::wrong_type, args[0]->span, "'join' needs a list of texts, this is " + types_.say(args[0]->type));
          return broken(e.span);
        }
      }
    } else {
      args[i] = want(args[i], TypeKind::text, "an argument of '" + e.text + "'");
    }
    if (kind_of(args[i]) == TypeKind::unknown) return broken(e.span);
  }
  TypeId type = kText;
  bool optional = false;
  switch (id) {
    case Builtin::split:
    case Builtin::words: type = types_.list(kText); break;
    case Builtin::number:
      type = kNumber;
      optional = true;
      break;
    case Builtin::duration: {
      Interval r;
      r.low = whole(0);
      type = types_.number(r, false);
      optional = true;
      break;
    }
    case Builtin::starts_with:
    case Builtin::ends_with:
    case Builtin::contains:
    case Builtin::glob: type = kBool; break;
    default: break;
  }
  Expr* r = builtin(id, type, e.span, args);
  r->optional = r->optional || optional;
  return r;
}

}  // namespace assay
