// What is known of calls of functions, of lists and of loops.
#include "lang/proof/known/known.hpp"
#include "lang/proof/known/scopes.hpp"

#include "lang/value/interval.hpp"

#include <algorithm>
#include <utility>

namespace assay {

namespace {

Interval up_to(std::size_t most) { return {whole(0), whole(static_cast<std::int64_t>(most)), false, false}; }

// Of at most this many numbers, each within the range.
Interval sum_of(std::size_t most, const Interval& each, NumberPool& pool) {
  Interval all;
  const bool limited = most != SIZE_MAX;
  const Number zero = whole(0), count = whole(limited ? static_cast<std::int64_t>(most) : 0);
  if (!each.low.missing() && sign(each.low) >= 0) all.low = zero;
  else if (limited && !each.low.missing()) all.low = mul(each.low, count, pool);
  if (!each.high.missing() && sign(each.high) <= 0) all.high = zero;
  else if (limited && !each.high.missing()) all.high = mul(each.high, count, pool);
  return all;
}

}  // namespace

bool single(const Interval& a) { return finite(a) && compare(a.low, a.high) == 0; }

Known Knowledge::call(const Expr& e) {
  Known k = of_type(e);
  const auto look = [&](const Expr& body) { k = meet(std::move(k), eval(body), pool_); };
  with_arguments(e, look);
  if (!asking_.closely || facts_.known.empty()) return k;
  const std::size_t at = mark();
  in_call(e, look);  // with what the arguments have to do with each other
  back_to(at);
  return k;
}

void Knowledge::with_arguments(const Expr& e, const std::function<void(const Expr&)>& look) {
  constexpr int kMostCalls = 3;                // within each other
  constexpr std::uint64_t kParameter = 1'001;  // no operation has this number
  const Function& f = model_.functions[e.index];
  if (f.body == nullptr || asking_.calls >= kMostCalls) return;
  std::vector<Known> args;
  for (const Expr* arg : e.args) args.push_back(eval(*arg));
  Facts aside;
  std::swap(aside, facts_);
  Locals outer = other_body();
  const Function* function = std::exchange(function_, &f);
  const int rubric = std::exchange(rubric_, f.rubric), left = asking_.left;
  if (aside.known.empty()) asking_.left = kMostUnderAssumptions;
  ++asking_.calls;
  for (std::size_t i = 0; i < args.size() && i < f.params.size(); ++i) {
    const std::vector<std::uint64_t> key = {kParameter, e.index, i};
    const auto at = numbering_.numbers.emplace(key, static_cast<std::uint32_t>(numbering_.numbers.size())).first;
    locals_.bound[static_cast<std::uint32_t>(i)] = at->second;
    learn(at->second, args[i]);
  }
  look(*f.body);
  --asking_.calls;
  if (aside.known.empty()) asking_.left = left;
  rubric_ = rubric;
  function_ = function;
  locals_ = std::move(outer);
  std::swap(aside, facts_);
}

Knowledge::Fits Knowledge::fits(const Known& key, const std::vector<CellTest>& cell, TypeKind kind) {
  if (cell.empty()) return Fits::always;
  bool maybe = false, all = false;
  std::size_t texts = 0;
  for (const CellTest& test : cell) {
    if (test.kind == CellTest::Kind::missing) {
      maybe = maybe || key.missing;
      all = all || !key.given;
    } else if (!key.given) {
      continue;
    } else if (kind == TypeKind::text) {
      const bool here =
          key.any_text || std::find(key.texts.begin(), key.texts.end(), test.value.text.view()) != key.texts.end();
      maybe = maybe || here;
      texts += !key.any_text && here;
    } else if (kind == TypeKind::boolean) {
      const bool yes = test.value.boolean.truth != 0;
      maybe = maybe || (yes ? key.yes : key.no);
      all = all || (yes ? !key.no : !key.yes);
    } else {
      const bool range = test.kind == CellTest::Kind::range;
      const Interval fit = range ? Interval{test.range.low, test.range.high, test.range.low_open, test.range.high_open}
                                 : exactly(test.value.number);
      const auto within = [&](Number n) { return holds(key.range, n) && holds(fit, n); };
      const bool some = key.only != nullptr ? std::any_of(key.only->begin(), key.only->end(), within)
                                            : !empty(common(key.range, fit));
      maybe = maybe || some;
      all = all || inside(key.range, fit);
    }
  }
  all = (all || (texts > 0 && texts >= key.texts.size())) && !(key.missing && key.given);
  return all && maybe ? Fits::always : maybe ? Fits::maybe : Fits::never;
}

// The test of a table that finds this row; null: not known.
const Expr* Knowledge::lookup_behind(const Expr& row) {
  const Expr& e = behind(row);
  if (e.op == Op::choice && is_constant(*e.args[2]) && e.args[2]->value.missing()) return lookup_behind(*e.args[0]);
  if (e.op == Op::lookup) return &e;
  if (e.op != Op::local) return nullptr;
  const auto named = found_.lookups.find(same(e));
  return named == found_.lookups.end() ? nullptr : named->second;
}

// A column of a table: the cells of the rows that may be found.
Known Knowledge::pick(const Expr& e) {
  const Nesting nesting(budget_);
  constexpr std::uint32_t kMostRows = 64;
  Known k = of_type(e);
  const Value& cells = e.args[1]->value;
  const Expr* lookup = lookup_behind(*e.args[0]);
  if (lookup == nullptr || !is_constant(*e.args[1]) || cells.missing()) return k;
  const LookupTable& table = model_.tables[lookup->index];
  if (table.rows.size() > kMostRows || table.rows.size() != cells.list.size) return k;
  std::vector<Known> keys;
  for (const Expr* key : lookup->args) keys.push_back(eval(*key));
  std::optional<Known> all;
  bool found = false;                // for any key
  std::set<std::string_view> texts;  // that no row has
  if (keys.size() == 1 && !keys[0].any_text && !keys[0].missing)
    texts.insert(keys[0].texts.begin(), keys[0].texts.end());
  const bool few = !texts.empty();
  for (std::uint32_t r = 0; r < cells.list.size && !found; ++r) {
    budget_.step(1 + keys.size());
    Fits row = Fits::always;
    for (std::size_t i = 0; i < keys.size(); ++i)
      row = std::min(row, fits(keys[i], table.rows[r].cells[i], model_.types.kind(table.keys[i].type)));
    if (row == Fits::never) continue;
    const Known cell = constant(cells.list.items[r], model_.types.kind(e.type));
    all = all ? join(std::move(*all), cell) : cell;
    if (few)
      for (const CellTest& test : table.rows[r].cells[0]) {
        if (test.kind == CellTest::Kind::value) texts.erase(test.value.text.view());
      }
    found = row == Fits::always || (few && texts.empty());
  }
  if (!all) {
    k.given = false;
    k.missing = true;
    return k;
  }
  all->missing = all->missing || !found || behind(*e.args[0]).op == Op::choice;
  return meet(std::move(k), *all, pool_);
}

std::size_t Knowledge::most_items(const Expr& list) {
  const Nesting nesting(budget_);
  const std::size_t made = most_items_made(list);
  const Known* counted = fact_of(Builtin::count, list);
  std::int64_t most = 0;
  if (counted == nullptr || counted->range.high.missing() ||
      !to_int64(round_to(counted->range.high, 0, Rounding::floor, pool_), most))
    return made;
  return std::min(made, static_cast<std::size_t>(std::max<std::int64_t>(most, 0)));
}

// Of a list that is written out, or of the first or last n of one.
std::size_t Knowledge::most_items_made(const Expr& list) {
  constexpr std::size_t kUnlimited = SIZE_MAX;
  if (model_.types.kind(list.type) != TypeKind::list) return kUnlimited;
  const Type& type = model_.types[list.type];  // of a set of choices, each stands there once
  if (type.set && !model_.types[type.element].choices.empty()) return model_.types[type.element].choices.size();
  if (list.op == Op::make_list) return list.args.size();
  if (list.op == Op::adjust || list.op == Op::compact) return most_items(*list.args[0]);
  if (list.op == Op::concat) {
    const std::size_t a = most_items(*list.args[0]), b = most_items(*list.args[1]);
    return a > kUnlimited - b ? kUnlimited : a + b;
  }
  if (is_constant(list)) return list.value.missing() ? kUnlimited : list.value.list.size;
  const auto id = static_cast<Builtin>(list.index);
  if (list.op == Op::loop && list.loop->collect == Collect::list) {
    return has_one_list(*list.loop) ? most_items(*list.loop->clauses.front().expr) : kUnlimited;
  }
  if (list.op == Op::item) {
    const Item* item = item_of(list);
    return item != nullptr && item->body != nullptr && item->body->op != Op::item ? most_items(*item->body)
                                                                                  : kUnlimited;
  }
  if (list.op == Op::builtin && (id == Builtin::distinct || id == Builtin::reverse)) return most_items(*list.args[0]);
  if (list.op != Op::builtin || (id != Builtin::first && id != Builtin::last) || list.args.size() != 2)
    return kUnlimited;
  const Interval n = eval(*list.args[0]).range;
  std::int64_t most = 0;
  if (n.high.missing() || !to_int64(round_to(n.high, 0, Rounding::floor, pool_), most)) return kUnlimited;
  return std::min(most_items(*list.args[1]), static_cast<std::size_t>(std::max<std::int64_t>(most, 0)));
}

// Of min or max of several numbers. The largest of them is never below their mean, of which a sum may be known.
Interval Knowledge::least_or_most(const Expr& e, const std::vector<Known>& args) {
  const bool least = is_builtin(e, Builtin::min);
  Interval range = args[0].range;
  for (std::size_t i = 1; i < args.size(); ++i)
    range = least ? interval_min(range, args[i].range) : interval_max(range, args[i].range);
  if (facts_.sums.empty()) return range;
  Parts mean;
  for (const Expr* part : e.args)
    mean.emplace_back(part, div(whole(1), whole(static_cast<std::int64_t>(args.size())), pool_));
  const Interval of_all = sum_known(mean);
  return common(range, least ? Interval{Number(), of_all.high, false, of_all.high_open}
                             : Interval{of_all.low, Number(), of_all.low_open, false});
}

Known Knowledge::builtin(const Expr& e) {
  Known k = of_type(e);
  const auto id = static_cast<Builtin>(e.index);
  std::vector<Known> args;
  for (const Expr* arg : e.args) args.push_back(eval(*arg));
  for (const Known& a : args) k.given = k.given && a.given;
  const auto never = [&] { k.given = false; };
  const Interval x = args.empty() ? Interval{} : args[0].range;
  const auto below = [](const Interval& range, Number n) {
    return !range.high.missing() && compare(range.high, n) < 0;
  };
  const auto above = [](const Interval& range, Number n) { return !range.low.missing() && compare(range.low, n) > 0; };
  switch (id) {
    case Builtin::sqrt:
      if (below(x, whole(0))) never();
      k.range = common(k.range, interval_sqrt(x, pool_));
      break;
    case Builtin::ln:
    case Builtin::log10:
      if (!x.high.missing() && sign(x.high) <= 0) never();
      break;
    case Builtin::percentile:
      if (below(x, whole(0)) || above(x, whole(100))) never();
      k.range = common(k.range, range_of_each(*e.args.back()));
      break;
    case Builtin::mod:
      if (args.size() > 1 && single(args[1].range) && sign(args[1].range.low) == 0) never();
      if (args.size() > 1)
        k.range = common(k.range, interval_mod(args[1].range, args[0].whole && args[1].whole, pool_));
      break;
    case Builtin::interpolate: {
      const Expr& points = *e.args[1];
      if (!is_constant(points) || points.value.missing() || points.value.list.size == 0) break;
      const ListValue list = points.value.list;
      const bool rows = model_.types.kind(model_.types[points.type].element) == TypeKind::record;
      const auto x_of = [&](const Value& point) {
        if (point.missing()) return missing_value();
        if (rows) return point.record.fields[0];
        return point.list.size > 0 ? point.list.items[0] : missing_value();
      };
      const Value first = x_of(list.items[0]), last = x_of(list.items[list.size - 1]);
      if (first.missing() || last.missing()) break;
      if (below(x, first.number) || above(x, last.number)) never();
      break;
    }
    case Builtin::stdev:
    case Builtin::variance:
    case Builtin::slope:
      if (most_items(*e.args[0]) < 2) never();
      break;
    case Builtin::first:
    case Builtin::last:
    case Builtin::mean:
    case Builtin::median:
      if (summed(e) != nullptr) k.range = common(k.range, sum_known(e));
      if (args.size() == 1 && most_items(*e.args[0]) < 1) never();
      if (args.size() == 1) k.range = common(k.range, range_of_each(*e.args[0]));
      break;
    case Builtin::min:
    case Builtin::max:
      if (args.size() == 1 && most_items(*e.args[0]) < 1) never();
      if (args.size() == 1) k.range = common(k.range, range_of_each(*e.args[0]));
      if (args.size() > 1) k.range = common(k.range, least_or_most(e, args));
      break;
    case Builtin::sum:
      k.missing = k.missing && (args[0].missing || model_.types[e.args[0]->type].gaps);
      if (const std::vector<Expr*>* parts = summed(e)) {
        Interval all = exactly(whole(0));
        for (const Expr* part : *parts) all = interval_add(all, eval(*part).range, pool_);
        k.range = common(k.range, common(all, sum_known(e)));
      } else if (const std::size_t most = most_items(*e.args[0]); most != SIZE_MAX || lists_known()) {
        k.range = common(k.range, sum_of(most, range_of_numbers(*e.args[0]), pool_));
      }
      break;
    case Builtin::count:
      k.range = common(k.range, {whole(0), Number(), false, false});
      if (summed(e) != nullptr) k.range = common(k.range, sum_known(e));
      if (const std::size_t most = most_items(*e.args[0]); most != SIZE_MAX) k.range = common(k.range, up_to(most));
      if (model_.types.kind(e.args[0]->type) == TypeKind::text && !args[0].any_text) {
        std::int64_t longest = 0;  // in bytes, of which a character has at least one
        for (const std::string_view text : args[0].texts)
          longest = std::max(longest, static_cast<std::int64_t>(text.size()));
        k.range = common(k.range, {whole(0), whole(longest), false, false});
      }
      break;
    case Builtin::number:
    case Builtin::duration:
      if (!args[0].any_text && std::none_of(args[0].texts.begin(), args[0].texts.end(), [](std::string_view text) {
            return text.find_first_of("0123456789") != text.npos;
          }))
        never();
      break;
    case Builtin::starts_with:
    case Builtin::ends_with:
    case Builtin::contains: k = text_search(e, std::move(k), args[0], args[1]); break;
    case Builtin::abs: k.range = common(k.range, interval_abs(x, pool_)); break;
    case Builtin::erf:  // of the sign of its number
      if (!x.low.missing() && sign(x.low) >= 0) k.range = common(k.range, {whole(0), whole(1), false, false});
      if (!x.high.missing() && sign(x.high) <= 0) k.range = common(k.range, {whole(-1), whole(0), false, false});
      break;
    case Builtin::exp: k.range = common(k.range, interval_exp(x)); break;
    case Builtin::round:
    case Builtin::floor:
    case Builtin::ceil:
    case Builtin::trunc:
    case Builtin::round_even: k.range = common(k.range, rounded(e, x)); break;
    case Builtin::clamp: k.range = common(k.range, clamped(*e.args[1], x)); break;
    default: break;
  }
  if (!k.given) k.missing = true;
  return k;
}

Interval Knowledge::rounded(const Expr& e, const Interval& x) {
  const auto id = static_cast<Builtin>(e.index);
  std::int64_t decimals = 0;
  const bool known = e.args.size() < 2 || (is_constant(*e.args[1]) && !e.args[1]->value.missing() &&
                                           to_int64(e.args[1]->value.number, decimals));
  if (!known || decimals < -40 || decimals > 40) return {};
  const Rounding mode = id == Builtin::round   ? Rounding::half_away
                        : id == Builtin::floor ? Rounding::floor
                        : id == Builtin::ceil  ? Rounding::ceil
                        : id == Builtin::trunc ? Rounding::trunc
                                               : Rounding::half_even;
  return interval_round(x, static_cast<int>(decimals), mode, pool_);
}

Interval Knowledge::clamped(const Expr& within, const Interval& x) {
  Interval low, high;
  if (is_constant(within) && !within.value.missing()) {
    low = within.value.range.data->low.missing() ? Interval{} : exactly(within.value.range.data->low);
    high = within.value.range.data->high.missing() ? Interval{} : exactly(within.value.range.data->high);
  } else if (within.op == Op::make_range) {
    low = eval(*within.args[0]).range;
    high = eval(*within.args[1]).range;
  } else {
    return {};
  }
  if (single(low) && single(high) && compare(low.low, high.low) > 0) return {};
  Interval r = x;
  if (single(low)) r = interval_max(r, low);
  if (single(high)) r = interval_min(r, high);
  return r;
}

// The most that this field of all deductions, or all bonuses, adds up to: each counts once, and only above 0. Nothing:
// another list, or no limit.
std::optional<Number> Knowledge::most_amount(const Expr& list, const Expr& value) {
  const Item* item = item_of(list);
  if (item == nullptr || item->body == nullptr || item->body->op != Op::adjust || value.op != Op::field ||
      value.args[0]->op != Op::local)
    return {};
  const Expr& all = *item->body->args[0];
  if (all.op != Op::make_list) return {};
  Number most = whole(0);
  for (const Expr* one : all.args) {
    if (one->op != Op::make_record) return {};
    const Interval range = eval(*one->args[value.index]).range;
    if (range.high.missing()) return {};
    most = add(most, max(range.high, whole(0)), pool_);
  }
  return most;
}

// That an item passes the clauses of a loop.
void Knowledge::assume_clauses(const Loop& loop) {
  for (const LoopClause& clause : loop.clauses) {
    if (clause.kind == LoopClause::Kind::for_in) {
      assume_items(*clause.expr, clause.second);
      // Bodies behind this one have other locals with this number.
      if (asking_.closely && clause.second >= 0)
        locals_.bound.emplace(static_cast<std::uint32_t>(clause.second), number_of_item(clause.second));
    } else if (clause.kind != LoopClause::Kind::let) assume(*clause.expr, Outcome::holds);
  }
}

// Of the numbers that a loop gathers.
Interval Knowledge::range_of_value(const Loop& loop) {
  if (!lists_known()) return eval(*loop.value).range;
  const InLoop inside(*this, loop);
  return eval(*loop.value).range;
}

Known Knowledge::loop(const Expr& e) {
  Known k = of_type(e);
  if (e.loop->clauses.empty()) return k;  // map(key: value), a single entry
  const Collect collect = e.loop->collect;
  if (collect == Collect::mean || collect == Collect::min || collect == Collect::max) {
    if (most_items(*e.loop->clauses.front().expr) == 0) k.given = false, k.missing = true;
    if (lists_known()) k.range = common(k.range, range_of_value(*e.loop));
    return k;
  }
  const Expr& list = *e.loop->clauses.front().expr;
  if (collect == Collect::count || collect == Collect::sum) {
    const std::size_t most = has_one_list(*e.loop) ? most_items(list) : SIZE_MAX;
    if (most != SIZE_MAX && collect == Collect::count) k.range = common(k.range, up_to(most));
    if (collect == Collect::sum && (most != SIZE_MAX || lists_known()))
      k.range = common(k.range, sum_of(most, range_of_value(*e.loop), pool_));
  }
  if (collect == Collect::sum && e.loop->clauses.size() == 1) {
    if (const auto most = most_amount(*e.loop->clauses.front().expr, *e.loop->value))
      k.range = common(k.range, {whole(0), *most, false, false});
    return k;
  }
  if (collect != Collect::any && collect != Collect::all) return k;
  const Known alone = always(*e.loop->value);
  if (collect == Collect::any ? !alone.can_hold() : !alone.can_fail()) {
    (collect == Collect::any ? k.yes : k.no) = false;
    return k;
  }
  const InLoop inside(*this, *e.loop);
  const bool possible = facts_.possible;  // some item passes
  const Known value = possible && mark() != inside.at ? eval(*e.loop->value) : alone;
  if (collect == Collect::any) k.yes = possible && value.can_hold();
  else k.no = possible && value.can_fail();
  return k;
}

}  // namespace assay
