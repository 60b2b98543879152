// See known.hpp.
#include "lang/proof/known/known.hpp"
#include "lang/proof/known/scopes.hpp"

#include "lang/value/interval.hpp"

#include <algorithm>
#include <optional>

namespace assay {

namespace {

constexpr std::size_t kMostTexts = Known::kMostTexts;

void close_whole(Known& k, NumberPool& pool) {  // whole numbers: bounds that are reached
  if (!k.whole) return;
  Interval& r = k.range;
  if (!r.low.missing()) {
    const bool next = r.low_open && is_whole(r.low);
    r.low = round_to(r.low, 0, Rounding::ceil, pool);
    if (next) r.low = add(r.low, whole(1), pool);
    r.low_open = false;
  }
  if (!r.high.missing()) {
    const bool before = r.high_open && is_whole(r.high);
    r.high = round_to(r.high, 0, Rounding::floor, pool);
    if (before) r.high = sub(r.high, whole(1), pool);
    r.high_open = false;
  }
}

// Whether some number of a is below one of b; with `equal`, or equal to it.
bool may_be_below(const Interval& a, const Interval& b, bool equal) {
  if (a.low.missing() || b.high.missing()) return true;
  const int order = compare(a.low, b.high);
  return order < 0 || (equal && order == 0 && !a.low_open && !b.high_open);
}

}  // namespace

Op opposite(Op op) {
  switch (op) {
    case Op::lt: return Op::ge;
    case Op::le: return Op::gt;
    case Op::gt: return Op::le;
    case Op::ge: return Op::lt;
    case Op::eq: return Op::ne;
    default: return Op::eq;
  }
}

void intersect_texts(Known& a, const Known& b) {
  if (b.any_text) return;
  if (a.any_text) {
    a.any_text = false;
    a.texts = b.texts;
    return;
  }
  const auto elsewhere = [&b](std::string_view t) {
    return std::find(b.texts.begin(), b.texts.end(), t) == b.texts.end();
  };
  a.texts.erase(std::remove_if(a.texts.begin(), a.texts.end(), elsewhere), a.texts.end());
}

// Shortens a range by numbers at one of its ends; all of it: the range becomes empty.
void leave_out(Interval& range, const Interval& taken) {
  const Interval both = common(range, taken);
  if (empty(both)) return;
  const auto same = [](Number a, bool a_open, Number b, bool b_open) {
    return a.missing() ? b.missing() : !b.missing() && a_open == b_open && compare(a, b) == 0;
  };
  const bool low = same(both.low, both.low_open, range.low, range.low_open);
  const bool high = same(both.high, both.high_open, range.high, range.high_open);
  if (low && !both.high.missing()) range.low = both.high, range.low_open = !both.high_open;
  else if (high && !both.low.missing()) range.high = both.low, range.high_open = !both.low_open;
}

// Few numbers: the first and the last of them within the range.
void close_only(Known& k) {
  const Interval range = k.range;
  bool any = false;
  for (const Number n : *k.only) {
    if (!holds(range, n)) continue;
    if (!any) k.range.low = n;
    k.range.high = n;
    any = true;
  }
  if (any) k.range.low_open = k.range.high_open = false;
  else k.given = false;
}

Known meet(Known a, const Known& b, NumberPool& pool) {
  a.missing = a.missing && b.missing;
  a.given = a.given && b.given;
  a.yes = a.yes && b.yes;
  a.no = a.no && b.no;
  a.whole = a.whole || b.whole;
  a.range = common(a.range, b.range);
  if (b.hole && (!a.hole || inside(*a.hole, *b.hole))) a.hole = b.hole;
  if (a.hole) leave_out(a.range, *a.hole);
  close_whole(a, pool);
  if (a.only == nullptr || (b.only != nullptr && b.only->size() < a.only->size())) a.only = b.only;
  if (a.only != nullptr) close_only(a);
  intersect_texts(a, b);
  if (empty(a.range) || (!a.yes && !a.no) || (!a.any_text && a.texts.empty())) a.given = false;
  return a;
}

Interval common(const Interval& a, const Interval& b) {
  Interval r = a;
  if (!b.low.missing()) {
    const int order = r.low.missing() ? -1 : compare(r.low, b.low);
    if (order < 0) r.low = b.low, r.low_open = b.low_open;
    if (order == 0) r.low_open = r.low_open || b.low_open;
  }
  if (!b.high.missing()) {
    const int order = r.high.missing() ? 1 : compare(r.high, b.high);
    if (order > 0) r.high = b.high, r.high_open = b.high_open;
    if (order == 0) r.high_open = r.high_open || b.high_open;
  }
  return r;
}

// Either of two values.
Known Knowledge::join(Known a, const Known& b) {
  if (!b.given) {
    a.missing = a.missing || b.missing;
    return a;
  }
  if (!a.given) {
    Known r = b;
    r.missing = a.missing || b.missing;
    return r;
  }
  a.missing = a.missing || b.missing;
  a.yes = a.yes || b.yes;
  a.no = a.no || b.no;
  a.only = either(a, b);
  if (a.hole != b.hole) a.hole = nullptr;
  a.range = interval_hull(a.range, b.range);
  a.whole = a.whole && b.whole;
  a.any_text = a.any_text || b.any_text;
  if (a.any_text) {
    a.texts.clear();
  } else {
    for (const std::string_view t : b.texts) {
      if (std::find(a.texts.begin(), a.texts.end(), t) == a.texts.end()) a.texts.push_back(t);
    }
    if (a.texts.size() > kMostTexts) a.texts.clear(), a.any_text = true;
  }
  return a;
}

// The numbers that two values may have, if they are few.
const std::vector<Number>* Knowledge::either(const Known& a, const Known& b) {
  constexpr std::size_t kMostNumbers = 16;
  std::vector<Number> all;
  for (const Known* k : {&a, &b}) {
    if (k->only != nullptr) all.insert(all.end(), k->only->begin(), k->only->end());
    else if (single(k->range)) all.push_back(k->range.low);
    else return nullptr;
  }
  const auto less = [](Number x, Number y) { return compare(x, y) < 0; };
  std::sort(all.begin(), all.end(), less);
  all.erase(std::unique(all.begin(), all.end(), [](Number x, Number y) { return compare(x, y) == 0; }), all.end());
  if (all.size() > kMostNumbers) return nullptr;
  budget_.take(all.size() * sizeof(Number));
  return &owned_.numbers.emplace_back(std::move(all));
}

void Knowledge::enter(int rubric, const Function* function) {
  rubric_ = rubric;
  function_ = function;
  facts_ = {};
  asking_.left = kMostUnderAssumptions;
  locals_ = {++numbering_.bodies, {}, {}};
}

const Item* Knowledge::item_of(const Expr& e) const {
  if (e.op != Op::item || rubric_ < 0) return nullptr;
  return &model_.rubrics[static_cast<std::size_t>(rubric_)].items[e.index];
}

// ---- questions

Known Knowledge::always(const Expr& e) {
  if (const auto known = always_.find(&e); known != always_.end()) return known->second;
  Facts aside;
  std::swap(aside, facts_);
  const int left = std::exchange(asking_.left, kMostUnderAssumptions);
  Known k = eval(e);
  asking_.left = left;
  std::swap(aside, facts_);
  return k;
}

Known Knowledge::here(const Expr& e) {
  asking_.left = kMostUnderAssumptions;
  return eval(e);
}

Known Knowledge::eval(const Expr& e) {
  const Nesting nesting(budget_);
  const bool inside = asking_.summing;
  if (!is_sum(e)) asking_.summing = false;
  Known k = looked_up(e);
  asking_.summing = inside;
  return k;
}

Known Knowledge::looked_up(const Expr& e) {
  if (facts_.known.empty() && locals_.bound.empty()) {
    if (const auto known = always_.find(&e); known != always_.end()) return known->second;
    const Known k = compute(e);
    budget_.take(sizeof(Known));
    always_.emplace(&e, k);
    return k;
  }
  if (--asking_.left < 0) return of_type(e);
  Known k = compute(e);
  if (asking_.closely && gathers(e)) k.range = common(k.range, beside_gathered(e));
  const auto fact = facts_.known.find(same(e));
  return fact == facts_.known.end() ? k : meet(std::move(k), fact->second, pool_);
}

Known Knowledge::of_type(const Expr& e) const {
  Known k;
  const Type& type = model_.types[e.type];
  k.missing = e.optional || type.kind == TypeKind::unknown;
  if (type.kind == TypeKind::number) k.range = type.range, k.whole = type.whole;
  if (type.kind == TypeKind::text && !type.choices.empty() && type.choices.size() <= kMostTexts) {
    k.any_text = false;
    k.texts.assign(type.choices.begin(), type.choices.end());
  }
  return k;
}

Known Knowledge::constant(const Value& value, TypeKind kind) {
  Known k;
  k.missing = value.missing();
  k.given = !k.missing;
  if (k.missing) return k;
  if (kind == TypeKind::boolean) {
    k.yes = value.boolean.truth != 0;
    k.no = !k.yes;
  }
  if (kind == TypeKind::number) k.range = exactly(value.number), k.whole = is_whole(value.number);
  if (kind == TypeKind::text) k.any_text = false, k.texts = {value.text.view()};
  return k;
}

Known Knowledge::compute(const Expr& e) {
  Known k = of_type(e);
  switch (e.op) {
    case Op::constant:
      k = constant(e.value, model_.types.kind(e.type));
      if (settings_.count(&e) > 0) k.yes = k.no = true;
      return k;
    case Op::local:
      if (function_ != nullptr && e.index < function_->params.size()) k.missing = true;
      return k;
    case Op::item: return item(e);
    case Op::let_in: {
      const Named name(*this, e);
      const std::size_t at = mark();
      learn(*e.args[0], eval(*e.args[0]));
      k = eval(*e.args[1]);
      back_to(at);
      return k;
    }
    case Op::choice: return choice(e);
    case Op::pick: return pick(e);
    case Op::and_:
    case Op::or_:
    case Op::xor_:
    case Op::not_: return connective(e);
    case Op::eq:
    case Op::ne:
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge: return comparison(e);
    case Op::in_range:
    case Op::in_list: return membership(e);
    case Op::is_missing: {
      const Known of = eval(*e.args[0]);
      k.missing = false;
      k.yes = of.missing;
      k.no = of.given;
      return k;
    }
    case Op::is_kind: k.missing = false; return k;
    case Op::default_: {
      Known a = eval(*e.args[0]);
      if (!a.missing) return a;
      a.missing = false;
      return join(std::move(a), eval(*e.args[1]));
    }
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::pow:
    case Op::neg: return arithmetic(e);
    case Op::field: {
      if (const Expr* part = part_behind(e)) return meet(std::move(k), eval(*part), pool_);
      const Known of = eval(*e.args[0]);
      k.given = of.given;
      return k;
    }
    case Op::list_get: {
      const Known place = eval(*e.args[1]);
      const std::size_t items = most_items(*e.args[0]);
      if (items != SIZE_MAX && !place.range.low.missing() &&
          compare(place.range.low, whole(static_cast<std::int64_t>(items))) >= 0)
        k.given = false;
      const Expr& at = *e.args[1];  // xs[count(xs)], behind the last
      const bool counts = at.op == Op::builtin && static_cast<Builtin>(at.index) == Builtin::count;
      if (counts && same(*at.args[0]) == same(*e.args[0])) k.given = false;
      k.range = common(k.range, range_of_each(*e.args[0]));
      return k;
    }
    case Op::map_get: k.range = common(k.range, range_of_each(*e.args[0])); return k;
    case Op::builtin: return builtin(e);
    case Op::call: return call(e);
    case Op::loop: return loop(e);
    default: return k;
  }
}

// What is kept of an item is what its own body tells: the type of one place may follow from a check, which is asked as
// well.
Known Knowledge::item(const Expr& e) {
  const Known here = of_type(e);
  const Item* item = item_of(e);
  if (item == nullptr || item->body == nullptr) return here;
  Known k = of_type(*item->body);
  const std::pair<int, std::uint32_t> key{rubric_, e.index};
  if (const auto known = items_.find(key); known != items_.end()) {
    constexpr int kMostItems = 4;  // behind each other
    if (facts_.known.empty() || asking_.items >= kMostItems) return meet(here, known->second, pool_);
    k = meet(here, known->second, pool_);
    Locals outer = other_body();
    const Function* function = std::exchange(function_, nullptr);
    ++asking_.items;
    k = meet(std::move(k), eval(*item->body), pool_);  // what the assumptions make of it
    --asking_.items;
    function_ = function;
    locals_ = std::move(outer);
    return k;
  }
  items_.emplace(key, k);  // for a model that refers to itself
  Facts aside;
  std::swap(aside, facts_);
  Locals outer = other_body();
  const Function* function = std::exchange(function_, nullptr);
  const int left = std::exchange(asking_.left, kMostUnderAssumptions);
  k = meet(std::move(k), eval(*item->body), pool_);
  asking_.left = left;
  function_ = function;
  locals_ = std::move(outer);
  std::swap(aside, facts_);
  items_[key] = k;
  return meet(std::move(k), here, pool_);
}

Known Knowledge::choice(const Expr& e) {
  const Known cond = eval(*e.args[1]);
  Known result;
  bool any = false;
  const auto branch = [&](const Expr& value, Outcome outcome) {
    const std::size_t at = mark();
    assume(*e.args[1], outcome);
    assume_open();
    if (facts_.possible) {
      const Known k = eval(value);
      result = any ? join(std::move(result), k) : k;
      any = true;
    }
    back_to(at);
  };
  if (cond.can_hold()) branch(*e.args[0], Outcome::holds);
  if (cond.missing || cond.can_fail()) branch(*e.args[2], Outcome::does_not_hold);
  return any ? result : of_type(e);
}

// The parts of `a and b and c`, whose sides are parts, too.
void parts_of_chain(const Expr& e, Op op, std::vector<const Expr*>& parts) {
  for (const Expr* side : e.args) {
    if (side->op == op && parts.size() < Knowledge::kMostParts) parts_of_chain(*side, op, parts);
    else parts.push_back(side);
  }
}

// Whether all parts may hold (of `or`: fail) together, as far as each one knows of those behind it.
bool Knowledge::together(const Expr& chain) {
  std::vector<const Expr*> parts;
  parts_of_chain(chain, chain.op, parts);
  if (parts.size() > kMostParts) return true;
  const Outcome wanted = chain.op == Op::and_ ? Outcome::holds : Outcome::fails;
  const std::size_t at = mark();
  for (std::size_t i = parts.size(); i-- > 0 && facts_.possible;) assume(*parts[i], wanted);
  const bool possible = facts_.possible;
  back_to(at);
  return possible;
}

Known Knowledge::connective(const Expr& e) {
  Known k;
  const Op outer = std::exchange(asking_.chain, e.op);
  const Known a = eval(*e.args[0]);
  if (e.op == Op::not_) {
    k = a;
    std::swap(k.yes, k.no);
    asking_.chain = outer;
    return k;
  }
  const Known b = eval(*e.args[1]);
  if (e.op == Op::xor_) {
    k.missing = a.missing || b.missing;
    k.yes = (a.can_hold() && b.can_fail()) || (a.can_fail() && b.can_hold());
    k.no = (a.can_hold() && b.can_hold()) || (a.can_fail() && b.can_fail());
    k.given = k.yes || k.no;
    asking_.chain = outer;
    return k;
  }
  const bool both = e.op == Op::and_;  // otherwise the same with true and false exchanged
  const std::size_t at = mark();
  assume(*e.args[0], both ? Outcome::holds : Outcome::fails);
  const bool possible = facts_.possible;
  const Known then = possible ? eval(*e.args[1]) : b;
  back_to(at);
  const auto decides_not = [both](const Known& x) { return both ? x.can_hold() : x.can_fail(); };
  const auto decides = [both](const Known& x) { return both ? x.can_fail() : x.can_hold(); };
  // A part knows of those before it, and all of the chain of those behind them.
  const bool neutral = decides_not(a) && possible && decides_not(then) && (outer == e.op || together(e));
  const bool decided = decides(a) || decides(b);
  k.yes = both ? neutral : decided;
  k.no = both ? decided : neutral;
  k.given = k.yes || k.no;
  k.missing = decides_not(a) && possible && then.missing;
  if (!k.missing && a.missing && (b.missing || decides_not(b))) {  // the other side may say what holds then
    assume(*e.args[0], Outcome::unknown);
    if (facts_.possible) {
      const Known beside = eval(*e.args[1]);
      k.missing = beside.missing || decides_not(beside);
    }
    back_to(at);
  }
  asking_.chain = outer;
  return k;
}

Known Knowledge::comparison(const Expr& e) {
  Known k;
  const Expr &left = *e.args[0], &right = *e.args[1];
  const Known a = eval(left), b = eval(right);
  k.missing = a.missing || b.missing;
  k.given = a.given && b.given;
  if (!k.given) {
    k.missing = true;
    return k;
  }
  if (is_constant(left) && is_constant(right)) return k;  // the author's setting
  const TypeKind kind = model_.types.kind(left.type);
  if (same(left) == same(right)) {
    k.yes = e.op == Op::eq || e.op == Op::le || e.op == Op::ge;
    k.no = !k.yes;
    return k;
  }
  const bool texts = kind == TypeKind::text && model_.types.kind(right.type) == kind;
  if (texts && !a.any_text && !b.any_text) {
    k.yes = k.no = false;
    for (const std::string_view t : a.texts) {
      k.yes = k.yes || may_compare(t, e.op, b);
      k.no = k.no || may_compare(t, opposite(e.op), b);
    }
    return k;
  }
  if (!texts && (kind != TypeKind::number || model_.types.kind(right.type) != kind)) return k;
  const Interval x = in_order(a, kind), y = in_order(b, kind);
  bool below = may_be_below(x, y, false), above = may_be_below(y, x, false);
  bool equal = !empty(common(x, y));
  for (const Known* few : {&a, &b}) {
    if (few->only == nullptr || !equal) continue;
    equal = std::any_of(few->only->begin(), few->only->end(), [&](Number n) { return holds(x, n) && holds(y, n); });
  }
  if (equal && a.whole != b.whole && single(a.whole ? y : x)) equal = is_whole(a.whole ? y.low : x.low);
  if (texts && ((without_capitals(left) && !may_be_small(b)) || (without_capitals(right) && !may_be_small(a))))
    equal = false;
  const bool several = !is_constant(left) && !is_constant(right);
  for (const Interval& d : {several ? sum_known(difference(left, right)) : Interval{},
                            texts ? Interval{} : without_quotient(left, right)}) {
    if (d.low.missing() && d.high.missing()) continue;
    below = below && may_be_below(d, exactly(whole(0)), false);
    above = above && may_be_below(exactly(whole(0)), d, false);
    equal = equal && holds(d, whole(0));
  }
  // 5 is compared with a sum; other values have their ranges.
  const auto of_several = [this](const Expr& one, const Expr& other) {
    return !is_constant(one) || is_sum(behind(other));
  };
  if (below && above && of_several(left, right) && of_several(right, left)) {
    const OneQuestion question(*this);
    above = !at_most(left, right);
    below = !at_most(right, left);
  }
  switch (e.op) {
    case Op::lt: k.yes = below, k.no = above || equal; break;
    case Op::le: k.yes = below || equal, k.no = above; break;
    case Op::gt: k.yes = above, k.no = below || equal; break;
    case Op::ge: k.yes = above || equal, k.no = below; break;
    case Op::eq: k.yes = equal, k.no = below || above; break;
    default: k.yes = below || above, k.no = equal; break;
  }
  k.given = k.yes || k.no;  // neither: the assumptions contradict each other
  return k;
}

Known Knowledge::membership(const Expr& e) {
  Known k = of_type(e);
  const Expr& set = *e.args[1];
  const Known a = eval(*e.args[0]);
  const Known in = eval(set);
  k.missing = a.missing || in.missing;
  k.given = a.given && in.given;
  if (!k.given) {
    k.missing = true;
    return k;
  }
  if (is_constant(*e.args[0]) && is_constant(set)) return k;
  if (e.op == Op::in_range && is_constant(set) && !set.value.missing()) {
    const RangeData& data = *set.value.range.data;
    const Interval range{data.low, data.high, data.low_open, data.high_open};
    Known inner = a;
    inner.range = common(a.range, range);
    close_whole(inner, pool_);
    k.yes = !empty(inner.range) && !(a.hole && inside(inner.range, *a.hole));
    k.no = !inside(a.range, range);
  }
  if (e.op == Op::in_list && is_constant(set) && !set.value.missing()) {
    const ListValue list = set.value.list;
    budget_.step(1 + list.size / 8);
    const TypeKind kind = model_.types.kind(model_.types[set.type].element);
    if (kind == TypeKind::text && !a.any_text && list.size <= 4 * kMostTexts) {
      std::size_t found = 0;
      for (const std::string_view t : a.texts) {
        bool there = false;
        for (std::uint32_t i = 0; i < list.size; ++i)
          there = there || (!list.items[i].missing() && list.items[i].text.view() == t);
        found += there;
      }
      k.yes = found > 0;
      k.no = found < a.texts.size();
    } else if (kind == TypeKind::number) {
      bool found = false;
      for (std::uint32_t i = 0; i < list.size && !found; ++i)
        found = !list.items[i].missing() && holds(a.range, list.items[i].number);
      k.yes = found;
    }
    for (std::uint32_t i = 0; i < list.size; ++i) k.missing = k.missing || list.items[i].missing();
  }
  k.given = k.yes || k.no;
  return k;
}

Known Knowledge::arithmetic(const Expr& e) {
  Known k = of_type(e);
  const bool sums = is_sum(e), inside = std::exchange(asking_.summing, sums);
  const Known a = eval(*e.args[0]);
  const Known b = e.args.size() > 1 ? eval(*e.args[1]) : Known{a};
  asking_.summing = inside;
  k.given = a.given && b.given;
  k.missing = k.missing && (a.missing || b.missing || e.op == Op::div || e.op == Op::pow);
  Interval range;
  switch (e.op) {
    case Op::add: range = interval_add(a.range, b.range, pool_); break;
    case Op::sub: range = interval_add(a.range, interval_neg(b.range, pool_), pool_); break;
    case Op::mul: range = interval_mul(a.range, b.range, pool_); break;
    case Op::neg: range = interval_neg(a.range, pool_); break;
    case Op::pow: range = interval_pow(a.range, b.range, pool_); break;
    default:
      range = interval_div(a.range, b.range, pool_);
      if (!holds(b.range, whole(0))) k.missing = k.missing && (a.missing || b.missing);
      if (single(b.range) && sign(b.range.low) == 0) k.given = false;
      if (asking_.closely) range = common(range, quotient(e));
      break;
  }
  if (sums) range = common(range, sum_known(e));
  if (asking_.closely && sums && e.op != Op::neg && !inside) range = common(range, sum_range(e));
  // x - x, x / x
  if ((e.op == Op::sub || e.op == Op::div) && !is_constant(*e.args[0]) && same(*e.args[0]) == same(*e.args[1]))
    range = exactly(whole(e.op == Op::div ? 1 : 0));
  k.range = common(k.range, range);
  close_whole(k, pool_);
  if (!k.given) k.missing = true;
  return k;
}

}  // namespace assay
