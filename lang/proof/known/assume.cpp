// Knowledge: the consequences of an assumed result of a condition. See known.hpp.
#include "lang/proof/known/scopes.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

namespace {

Interval beside(Op op, const Interval& other) {  // numbers for which `x op other` may hold
  Interval r;
  if (op == Op::lt || op == Op::le) r.high = other.high, r.high_open = other.high_open || op == Op::lt;
  if (op == Op::gt || op == Op::ge) r.low = other.low, r.low_open = other.low_open || op == Op::gt;
  if (op == Op::eq) r = other;
  return r;
}

Op turned(Op op) {
  switch (op) {
    case Op::lt: return Op::gt;
    case Op::le: return Op::ge;
    case Op::gt: return Op::lt;
    case Op::ge: return Op::le;
    default: return op;
  }
}

}  // namespace

void Knowledge::back_to(std::size_t mark) {
  while (facts_.trail.size() > mark) {
    auto& [number, before] = facts_.trail.back();
    if (before) facts_.known[number] = std::move(*before);
    else facts_.known.erase(number);
    facts_.possible = facts_.was_possible.back();
    facts_.trail.pop_back();
    facts_.was_possible.pop_back();
  }
  while (!facts_.sums.empty() && facts_.sums.back().mark >= mark) facts_.sums.pop_back();
  while (!facts_.open.empty() && facts_.open.back().mark >= mark) facts_.open.pop_back();
  while (!facts_.every.empty() && facts_.every.back().mark >= mark) facts_.every.pop_back();
  for (auto* all : {&facts_.gathered, &facts_.counted})
    while (!all->empty() && all->back().second >= mark) all->pop_back();
}

void Knowledge::learn(std::uint32_t value, const Known& known) {
  budget_.step();
  const auto at = facts_.known.find(value);
  facts_.trail.emplace_back(value, at == facts_.known.end() ? std::nullopt : std::optional(at->second));
  facts_.was_possible.push_back(facts_.possible);
  Known k = at == facts_.known.end() ? known : meet(at->second, known, pool_);
  if (!k.given && !k.missing) facts_.possible = false;
  facts_.known[value] = std::move(k);
}

void Knowledge::bind(std::uint32_t local, const Expr& value) {
  const std::uint32_t number = same(value);
  locals_.bound[local] = number;
  locals_.same.clear();
  if (value.op == Op::lookup) found_.lookups[number] = &value;
}

void Knowledge::assume(const Expr& e, Outcome outcome) {
  const Nesting nesting(budget_);
  if (--asking_.left < -4 * kMostUnderAssumptions) return;
  Known own;
  own.missing = outcome >= Outcome::does_not_hold;
  own.given = outcome != Outcome::unknown;
  own.yes = outcome == Outcome::holds || outcome == Outcome::does_not_fail;
  own.no = outcome == Outcome::fails || outcome == Outcome::does_not_hold;
  const Known k = meet(eval(e), own, pool_);
  learn(e, k);
  if (!k.given && !k.missing) {
    facts_.possible = false;
    return;
  }
  if (!k.given) return assume_unknown(e);
  if (!k.missing) outcome = k.yes ? Outcome::holds : Outcome::fails;  // only one result is left
  const bool holds = outcome == Outcome::holds;
  switch (e.op) {
    case Op::not_: {
      constexpr Outcome kTurned[] = {Outcome::fails, Outcome::holds, Outcome::does_not_fail, Outcome::does_not_hold};
      assume(*e.args[0], kTurned[static_cast<std::size_t>(outcome)]);
      break;
    }
    case Op::and_:
      if (outcome == Outcome::holds || outcome == Outcome::does_not_fail) {
        assume(*e.args[0], outcome);
        assume(*e.args[1], outcome);
      } else if (outcome == Outcome::fails) {
        assume_outside(e);
        assume_rest(e, outcome);
      } else {
        assume_rest(e, outcome);
      }
      break;
    case Op::or_:
      if (outcome == Outcome::fails || outcome == Outcome::does_not_hold) {
        assume(*e.args[0], outcome);
        assume(*e.args[1], outcome);
      } else {
        assume_rest(e, outcome);
      }
      break;
    case Op::choice: assume_rest(e, outcome); break;
    case Op::loop: {
      const bool all = e.loop->collect == Collect::all && (holds || outcome == Outcome::does_not_fail);
      const bool none =
          e.loop->collect == Collect::any && (outcome == Outcome::fails || outcome == Outcome::does_not_hold);
      if (all || none) assume_every({e.loop.get(), e.loop->clauses.size(), e.loop->value, {}, outcome, mark() - 1});
      break;
    }
    case Op::is_missing: {
      if (k.missing) break;
      Known of;
      of.missing = holds;
      of.given = !holds;
      learn(*e.args[0], of);
      break;
    }
    case Op::eq:
    case Op::ne:
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge:
      if (asking_.keeping && !asking_.opening && in_rubric() && (depends(*e.args[0]) || depends(*e.args[1])))
        facts_.open.push_back({&e, outcome, mark() - 1});  // what it depends on may be known later
      if (!k.missing) assume_comparison(e, holds);
      else if (outcome == Outcome::does_not_hold || outcome == Outcome::does_not_fail)
        assume_if_given(e, outcome == Outcome::does_not_fail);
      break;
    case Op::in_range:
    case Op::in_list:
      if (!k.missing) assume_member(e, holds, false);
      else if (outcome == Outcome::does_not_hold || outcome == Outcome::does_not_fail)
        assume_member(e, outcome == Outcome::does_not_fail, true);
      break;
    case Op::builtin:
      if (!k.missing || outcome >= Outcome::does_not_hold)
        assume_beginning(e, holds || outcome == Outcome::does_not_fail, k.missing);
      break;
    case Op::call: in_call(e, [&](const Expr& body) { assume(body, outcome); }); break;
    case Op::let_in: {
      const Named name(*this, e);
      learn(*e.args[0], eval(*e.args[0]));
      assume(*e.args[1], outcome);
      break;
    }
    case Op::field:
      if (const Expr* part = part_behind(e)) assume(*part, outcome);
      break;
    case Op::item: {
      const Item* item = item_of(e);
      constexpr int kMostLooks = 8;
      const bool plain = item != nullptr && item->body != nullptr && item->body->args.size() <= kMostLooks &&
                         item->body->op != Op::let_in && item->body->op != Op::loop;
      if (plain && item->body->op != Op::default_ && item->body->op != Op::choice) assume(*item->body, outcome);
      break;
    }
    default: break;
  }
}

// What is missing where something is: the only value in it that may be.
void Knowledge::assume_unknown(const Expr& named) {
  const Nesting nesting(budget_);
  const Expr& e = behind(named);
  if (e.op == Op::and_ || e.op == Op::or_) {  // no side decides
    const Outcome open = e.op == Op::or_ ? Outcome::does_not_hold : Outcome::does_not_fail;
    for (const std::size_t side : {1U, 0U}) assume(*e.args[side], open);
  }
  const bool in_constant = e.op == Op::in_range && is_constant(*e.args[1]);
  if (!joins(e.op) && !compares(e.op) && !is_sum(e) && e.op != Op::not_ && !in_constant) return;
  const Expr* only = nullptr;
  for (const Expr* arg : e.args) {
    if (!eval(*arg).missing) continue;
    if (only != nullptr) return;
    only = arg;
  }
  if (only == nullptr) return;
  Known gone;
  gone.given = false;
  learn(*only, gone);
  assume_unknown(*only);
}

// A number that depends on others: a column of a table, or a choice.
bool Knowledge::depends(const Expr& e) const {
  constexpr int kMostNames = 8;
  const Expr* value = &e;
  for (int names = 0; names < kMostNames; ++names) {
    const Item* item = item_of(*value);
    if (item != nullptr && item->body != nullptr) value = item->body;
    else if (value->op == Op::let_in) value = value->args[1];
  }
  return value->op == Op::pick || value->op == Op::choice;
}

// That `a or b` holds: where a is known to fail, b does not; and what a choice takes. Nothing is known yet: it is kept
// for what is assumed later, as for the cases of a choice.
void Knowledge::assume_rest(const Expr& e, Outcome outcome) {
  if (e.op != Op::or_ && e.op != Op::and_ && e.op != Op::choice) return assume(e, outcome);
  if (e.op == Op::choice) {
    const Known condition = eval(*e.args[1]);
    if (!condition.missing && !condition.can_fail()) return assume(*e.args[0], outcome);
    if (!condition.can_hold()) return assume(*e.args[2], outcome);
  }
  const bool given = outcome == Outcome::holds || outcome == Outcome::fails;
  for (std::size_t side = 0; side < 2 && e.op != Op::choice; ++side) {
    const Known one = eval(*e.args[side]);
    const bool decides = e.op == Op::or_ ? one.can_hold() : one.can_fail();
    if (!decides && (given || !one.missing)) return assume(*e.args[1 - side], outcome);
  }
  if (!asking_.keeping || asking_.opening) return;
  if (in_rubric()) facts_.open.push_back({&e, outcome, mark() - 1});
  assume_either(e, outcome);
}

// What holds whichever side of `or` does, and whichever case of a choice is taken.
void Knowledge::assume_either(const Expr& e, Outcome outcome) {
  constexpr int kMostWithin = 2;
  std::vector<const Expr*> sides = {e.args[0], e.args.back()};
  if (e.op != Op::choice) sides.clear(), parts_of_chain(e, e.op, sides);
  if (sides.size() > kMostParts || asking_.either >= kMostWithin) return;
  ++asking_.either;
  std::optional<std::map<std::uint32_t, Known>> all;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const std::size_t at = mark();
    if (e.op == Op::choice) assume(*e.args[1], i == 0 ? Outcome::holds : Outcome::does_not_hold);
    assume(*sides[i], outcome);
    if (facts_.possible) {
      std::map<std::uint32_t, Known> here;
      for (std::size_t fact = at; fact < facts_.trail.size(); ++fact) {
        const std::uint32_t number = facts_.trail[fact].first;
        if (!all || all->count(number) > 0) here.emplace(number, facts_.known.at(number));
      }
      for (auto& [number, known] : here) {
        if (all) known = join(std::move(all->at(number)), known);
      }
      all = std::move(here);
    }
    back_to(at);
  }
  --asking_.either;
  if (!all) facts_.possible = false;
  else
    for (const auto& [number, known] : *all) learn(number, known);
}

// What follows from conditions that were open.
void Knowledge::assume_open() {
  if (facts_.open.empty() || asking_.opening || asking_.calls > 0) return;
  asking_.opening = true;
  for (std::size_t i = 0; i < facts_.open.size(); ++i) assume_rest(*facts_.open[i].condition, facts_.open[i].outcome);
  asking_.opening = false;
}

// Looks at the body of a function, with the values of the arguments in place of its parameters.
void Knowledge::in_call(const Expr& e, const std::function<void(const Expr&)>& look) {
  constexpr int kMostCalls = 3;  // within each other
  const Function& f = model_.functions[e.index];
  if (f.body == nullptr || asking_.calls >= kMostCalls) return;
  std::vector<std::uint32_t> numbers;
  for (const Expr* arg : e.args) {
    numbers.push_back(same(*arg));
    learn(numbers.back(), eval(*arg));
  }
  Locals outer = other_body();
  const Function* function = std::exchange(function_, &f);
  const int rubric = std::exchange(rubric_, f.rubric);
  ++asking_.calls;
  for (std::size_t i = 0; i < numbers.size() && i < f.params.size(); ++i)
    locals_.bound[static_cast<std::uint32_t>(i)] = numbers[i];
  look(*f.body);
  --asking_.calls;
  rubric_ = rubric;
  function_ = function;
  locals_ = std::move(outer);
}

// Of `a op b`, where something is known of several values together.
void Knowledge::assume_sum(const Expr& a, const Expr& b, Op op, bool missing) {
  const auto plain = [this](const Expr& one, const Expr& other) {
    return is_constant(one) && (is_constant(other) || !has_terms(behind(other)));
  };
  if (!plain(a, b) && !plain(b, a)) learn_sum(difference(a, b), beside(op, exactly(whole(0))), missing);
}

void Knowledge::assume_comparison(const Expr& e, bool holds) {
  const Op op = holds ? e.op : opposite(e.op);
  const Expr &left = *e.args[0], &right = *e.args[1];
  const Known a = eval(left), b = eval(right);
  Known x, y;
  x.missing = y.missing = false;
  const TypeKind kind = model_.types.kind(left.type);
  if (has_order(kind)) {
    x.range = beside(op, in_order(b, kind));
    y.range = beside(turned(op), in_order(a, kind));
    assume_sum(left, right, op, false);
  }
  if (kind == TypeKind::text) {
    keep_texts(x, a, op, b);
    keep_texts(y, b, turned(op), a);
  }
  if (!is_constant(left)) learn_all(left, x);
  if (!is_constant(right)) learn_all(right, y);
}

// A comparison does not hold: a side is missing, or they stand the other way; beside a value that is always given, the
// other side is missing, or outside.
void Knowledge::assume_if_given(const Expr& e, bool holds) {
  const Op op = holds ? e.op : opposite(e.op);
  const TypeKind kind = model_.types.kind(e.args[0]->type);
  if (!has_order(kind)) return;
  assume_sum(*e.args[0], *e.args[1], op, true);
  for (std::size_t side = 0; side < 2; ++side) {
    const Known other = eval(*e.args[1 - side]);
    if (other.missing || is_constant(*e.args[side])) continue;
    Known x;
    x.range = beside(side == 0 ? op : turned(op), in_order(other, kind));
    learn_all(*e.args[side], x);
  }
}

// x >= 3 and x < 5 fails: x is not in between.
void Knowledge::assume_outside(const Expr& both) {
  std::optional<Interval> between;
  std::optional<std::uint32_t> value;
  for (const Expr* side : both.args) {
    const bool comparison = side->op == Op::lt || side->op == Op::le || side->op == Op::gt || side->op == Op::ge;
    const TypeKind kind = comparison ? model_.types.kind(side->args[0]->type) : TypeKind::unknown;
    if (!has_order(kind)) return;
    const std::size_t constant = is_constant(*side->args[1]) ? 1 : 0;
    if (!is_constant(*side->args[constant]) || is_constant(*side->args[1 - constant])) return;
    const std::uint32_t of = same(*side->args[1 - constant]);
    if (value && *value != of) return;
    value = of;
    const Interval one =
        beside(constant == 1 ? side->op : turned(side->op), in_order(eval(*side->args[constant]), kind));
    between = between ? common(*between, one) : one;
  }
  if (!value || !between || empty(*between)) return;
  Known x;
  x.missing = false;
  x.hole = &owned_.holes.emplace_back(*between);
  learn(*value, x);
}

// The values in a list that is written; nothing: it is another one, or some value in it may be missing.
std::optional<Known> Knowledge::any_of(const Expr& list) {
  std::vector<Known> all;
  if (is_constant(list) && !list.value.missing() && list.value.list.size <= Known::kMostTexts) {
    const TypeKind kind = model_.types.kind(model_.types[list.type].element);
    for (std::uint32_t i = 0; i < list.value.list.size; ++i) all.push_back(constant(list.value.list.items[i], kind));
  } else if (list.op == Op::make_list) {
    for (const Expr* item : list.args) all.push_back(eval(*item));
  }
  if (all.empty() || std::any_of(all.begin(), all.end(), [](const Known& k) { return k.missing; })) return {};
  Known any = all[0];
  for (std::size_t i = 1; i < all.size(); ++i) any = join(std::move(any), all[i]);
  return any;
}

// `missing`: or the condition is unknown.
void Knowledge::assume_member(const Expr& e, bool holds, bool missing) {
  const Expr &value = *e.args[0], &set = *e.args[1];
  Known x;
  if (e.op == Op::in_range && is_constant(set) && !set.value.missing()) {
    const RangeData& data = *set.value.range.data;
    const Interval range{data.low, data.high, data.low_open, data.high_open};
    if (holds) x.range = range;
    else x.hole = &owned_.holes.emplace_back(range);
  } else if (set.op == Op::make_range && holds) {
    for (const std::size_t side : {0U, 1U}) {
      const Expr& end = *set.args[side];
      if (is_constant(end) && end.value.missing()) continue;  // no end
      const Known known = eval(end);
      if (missing && known.missing) return;
      const bool open = (set.index >> side & 1U) != 0;
      const Op op = side == 0 ? (open ? Op::gt : Op::ge) : (open ? Op::lt : Op::le);
      x.range = common(x.range, beside(op, known.range));
      assume_sum(value, end, op, missing);
    }
  } else if (const std::optional<Known> in = e.op == Op::in_list ? any_of(set) : std::nullopt) {
    if (holds) {
      x = *in;
    } else if (const Known a = eval(value); !a.any_text && !in->any_text) {
      x.any_text = false;
      for (const std::string_view t : a.texts) {
        if (!is_constant(set) || std::find(in->texts.begin(), in->texts.end(), t) == in->texts.end())
          x.texts.push_back(t);
      }
      if (x.texts.empty()) x.given = false;
    }
  }
  x.missing = missing;
  if (!is_constant(value)) learn_part(value, x);
}

void Knowledge::learn_part(const Expr& e, const Known& known) {
  if (has_terms(behind(e))) learn_sum({{&e, whole(1)}}, known.range, known.missing);
  learn_all(e, known);
}

// What a number is tells of the values that it is made of, if those are given.
void Knowledge::learn_all(const Expr& named, const Known& known) {
  const Nesting nesting(budget_);
  learn(named, known);
  if (known.range.low.missing() && known.range.high.missing()) return;
  const Expr& e = behind(named);
  Known part;
  part.missing = known.missing;
  part.range = known.range;
  if (asking_.keeping && gathers(e)) (counts(e) ? facts_.counted : facts_.gathered).emplace_back(&named, mark() - 1);
  if (e.op == Op::loop) return learn_loop(e, known);
  if (e.op == Op::div) return learn_quotient(e, known);
  const auto builtin = e.op == Op::builtin ? static_cast<Builtin>(e.index) : Builtin::sqrt;
  if (builtin == Builtin::abs) {
    if (part.range.high.missing()) return;
    part.range.low = neg(part.range.high, pool_);
    part.range.low_open = part.range.high_open;
    learn_part(*e.args[0], part);
  } else if ((builtin == Builtin::min || builtin == Builtin::max) && e.args.size() > 1) {
    (builtin == Builtin::min ? part.range.high : part.range.low) = Number();
    (builtin == Builtin::min ? part.range.high_open : part.range.low_open) = false;
    for (const Expr* arg : e.args) {  // beside one that is missing, nothing is known of it
      const auto may_be_missing = [&](const Expr* other) { return other != arg && eval(*other).missing; };
      const bool unsure = part.missing && std::any_of(e.args.begin(), e.args.end(), may_be_missing);
      if (!unsure && !is_constant(*arg)) learn_part(*arg, part);
    }
  } else if (e.op == Op::default_) {
    part.missing = true;
    learn_part(*e.args[0], part);
  } else if (e.op == Op::call) {
    in_call(e, [&](const Expr& body) { learn_all(body, part); });
  }
}

}  // namespace assay
