// Knowledge: numbers gathered from lists, compared with each other: a part of a list has no more items than all of it,
// no larger sum of what is never below 0, and its mean lies between the smallest and the largest item. See known.hpp.
#include "lang/proof/known/polynomial.hpp"
#include "lang/proof/known/scopes.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

bool has_one_list(const Loop& loop) {
  return std::count_if(loop.clauses.begin(), loop.clauses.end(),
                       [](const LoopClause& c) { return c.kind == LoopClause::Kind::for_in; }) == 1;
}

namespace {

bool never_below_0(const Interval& range) { return !range.low.missing() && sign(range.low) >= 0; }

// Over one list, with conditions and names only.
bool over_one_list(const Loop& loop) { return has_one_list(loop) && loop.state < 0; }

// [x for x in xs when …], whose items are some of the list.
bool keeps_items(const Loop& loop) {
  return loop.value->op == Op::local && static_cast<int>(loop.value->index) == loop.clauses.front().second;
}

// The list whose items a list has some of, or (`counted`) of which a list, a map or a text has at most as many.
const Expr* selected_from(const Expr& list, bool counted) {
  if (list.op == Op::compact) return list.args[0];
  if (list.op != Op::builtin) return nullptr;
  switch (static_cast<Builtin>(list.index)) {
    case Builtin::first:
    case Builtin::last: return list.args.size() == 2 ? list.args[1] : nullptr;
    case Builtin::distinct:
    case Builtin::reverse:
    case Builtin::values: return list.args[0];
    case Builtin::words: return counted ? list.args[0] : nullptr;
    default: return nullptr;
  }
}

}  // namespace

// What numbers are gathered from: a loop over one list, or all of a list.
struct Knowledge::Collected {
  const Loop* loop = nullptr;
  const Expr* list = nullptr;
};

// A number that is gathered, and how; `between`: it is never below the smallest item, nor above the largest one.
struct Knowledge::Gathered {
  enum class How : std::uint8_t { nothing, least, between, most, total, counted } how = How::nothing;
  Collected from;
};

const std::vector<Expr*>* summed(const Expr& e) {
  if (e.op != Op::builtin || e.args.size() != 1) return nullptr;
  const auto id = static_cast<Builtin>(e.index);
  const Expr& list = *e.args[0];
  const bool adds = (id == Builtin::sum || id == Builtin::mean) && list.op == Op::make_list;
  return adds || (id == Builtin::count && list.op == Op::concat) ? &list.args : nullptr;
}

bool counts(const Expr& e) {
  return e.op == Op::loop ? e.loop->collect == Collect::count
                          : e.op == Op::builtin && static_cast<Builtin>(e.index) == Builtin::count;
}

bool gathers(const Expr& e) {
  if (e.op == Op::loop) {
    const Collect collect = e.loop->collect;
    return collect == Collect::sum || collect == Collect::count || collect == Collect::min || collect == Collect::max ||
           collect == Collect::mean;
  }
  if (e.op != Op::builtin || e.args.empty()) return false;
  switch (static_cast<Builtin>(e.index)) {
    case Builtin::count:
    case Builtin::sum:
    case Builtin::min:
    case Builtin::max:
    case Builtin::first:
    case Builtin::last:
    case Builtin::mean:
    case Builtin::median:
    case Builtin::percentile: return true;
    default: return false;
  }
}

Knowledge::Collected Knowledge::collected(const Expr& named) {
  const Nesting nesting(budget_);
  const Expr& list = behind(named);
  const bool loop = list.op == Op::loop && over_one_list(*list.loop) &&
                    (list.loop->collect == Collect::list || list.loop->collect == Collect::map);
  if (!loop) return {nullptr, &list};
  const bool all = list.loop->clauses.size() == 1 && keeps_items(*list.loop);
  return all ? collected(*list.loop->clauses.front().expr) : Collected{list.loop.get(), nullptr};
}

Knowledge::Gathered Knowledge::gathered(const Expr& e) {
  using How = Gathered::How;
  if (e.op == Op::loop && over_one_list(*e.loop)) {
    switch (e.loop->collect) {
      case Collect::sum: return {How::total, {e.loop.get(), nullptr}};
      case Collect::count: return {How::counted, {e.loop.get(), nullptr}};
      case Collect::min: return {How::least, {e.loop.get(), nullptr}};
      case Collect::max: return {How::most, {e.loop.get(), nullptr}};
      case Collect::mean: return {How::between, {e.loop.get(), nullptr}};
      default: return {};
    }
  }
  if (e.op == Op::list_get || e.op == Op::map_get) return {How::between, collected(*e.args[0])};
  if (e.op == Op::div) {  // a mean
    const Expr &part = behind(*e.args[0]), &number_of = behind(*e.args[1]);
    if (part.op == Op::div || number_of.op == Op::div) return {};
    const Gathered all = gathered(part), number = gathered(number_of);
    bool more = false;
    const bool mean = all.how == How::total && number.how == How::counted && part_of(all.from, number.from, true, more);
    return mean && !more ? Gathered{How::between, all.from} : Gathered{};
  }
  if (e.op == Op::local) {
    const auto list = found_.lists.find(same(e));
    return list == found_.lists.end() ? Gathered{} : Gathered{How::between, collected(*list->second)};
  }
  if (e.op != Op::builtin || e.args.empty()) return {};
  const auto id = static_cast<Builtin>(e.index);
  if (id == Builtin::count) return {How::counted, collected(*e.args[0])};
  const Expr& list = *e.args.back();
  const TypeKind kind = model_.types.kind(list.type);
  if ((kind != TypeKind::list && kind != TypeKind::map) || e.args.size() > (id == Builtin::percentile ? 2U : 1U))
    return {};
  switch (id) {
    case Builtin::sum: return {How::total, collected(list)};
    case Builtin::min: return {How::least, collected(list)};
    case Builtin::max: return {How::most, collected(list)};
    case Builtin::first:
    case Builtin::last:
    case Builtin::mean:
    case Builtin::median:
    case Builtin::percentile: return {How::between, collected(list)};
    default: return {};
  }
}

// Goes through the clauses of both loops, with the items of b taken for those of a. Every combination that passes in a
// passes in b, too; `more`: a may ask for more. Inside, `test` compares the values.
template <class Test>
bool Knowledge::loops_alike(const Loop& a, const Loop& b, bool& more, const Test& test) {
  if (!part_of(collected(*a.clauses.front().expr), collected(*b.clauses.front().expr), false, more)) return false;
  if (more && (a.clauses.front().first >= 0 || b.clauses.front().first >= 0)) return false;  // places differ
  Locals outer = other_body();
  const auto pair = [this](int of_a, int of_b) {
    if (of_a < 0 || of_b < 0) return;
    constexpr std::uint64_t kItem = 1'002;  // no operation has this number
    const auto number = static_cast<std::uint32_t>(numbering_.numbers.size());
    numbering_.numbers.emplace(std::vector<std::uint64_t>{kItem, number}, number);
    locals_.bound[static_cast<std::uint32_t>(of_a)] = locals_.bound[static_cast<std::uint32_t>(of_b)] = number;
  };
  pair(a.clauses.front().first, b.clauses.front().first);
  pair(a.clauses.front().second, b.clauses.front().second);
  const std::size_t at = mark();
  if (a.clauses.front().second >= 0 && !facts_.known.empty())
    assume_each(*a.clauses.front().expr, locals_.bound[static_cast<std::uint32_t>(a.clauses.front().second)]);
  const auto ends = [](const LoopClause& c) { return c.kind == LoopClause::Kind::while_; };
  const bool b_ends = std::any_of(b.clauses.begin(), b.clauses.end(), ends);
  std::size_t next = 1;
  bool alike = true;
  for (std::size_t i = 1; i < a.clauses.size() && alike; ++i) {
    const LoopClause& clause = a.clauses[i];
    const bool both = next < b.clauses.size() && b.clauses[next].kind == clause.kind &&
                      same(*clause.expr) == same(*b.clauses[next].expr);
    if (both) {
      if (clause.kind == LoopClause::Kind::let) pair(clause.second, b.clauses[next].second), locals_.same.clear();
      ++next;
      continue;
    }
    more = true;
    alike = !b_ends && (clause.kind == LoopClause::Kind::when || ends(clause));
    if (!alike || next == b.clauses.size() || clause.expr->op != Op::and_) continue;
    // x.ok and x.good, of those for which x.ok holds
    const LoopClause& asked = b.clauses[next];
    std::vector<const Expr*> parts;
    parts_of_chain(*clause.expr, Op::and_, parts);
    if (asked.kind == LoopClause::Kind::when &&
        std::any_of(parts.begin(), parts.end(), [&](const Expr* part) { return same(*part) == same(*asked.expr); }))
      ++next;
  }
  alike = alike && next == b.clauses.size() && test();
  back_to(at);
  locals_ = std::move(outer);
  return alike;
}

// Whether each item of a is one of b, at most as often; `more`: a may lack some. Items that are only counted may differ.
bool Knowledge::part_of(Collected a, const Collected& b, bool counted, bool& more) {
  constexpr int kMostSteps = 8;
  const Nesting nesting(budget_);
  for (int step = 0; step < kMostSteps; ++step) {
    budget_.step();
    bool asks_more = false;
    const bool found = a.list != nullptr && b.list != nullptr ? same(*a.list) == same(*b.list)
                       : a.loop != nullptr && b.loop != nullptr
                           ? loops_alike(*a.loop, *b.loop, asks_more,
                                         [&] { return counted || same(*a.loop->value) == same(*b.loop->value); })
                           : false;
    more = more || asks_more;
    if (found) return true;
    const Expr* from = a.list != nullptr                 ? selected_from(*a.list, counted)
                       : counted || keeps_items(*a.loop) ? a.loop->clauses.front().expr
                                                         : nullptr;
    if (from == nullptr) return false;
    more = more || a.list != nullptr || a.loop->clauses.size() > 1;
    a = collected(*from);
  }
  return false;
}

Interval Knowledge::range_of_items(const Collected& of) {
  if (of.loop == nullptr) return range_of_numbers(*of.list);
  Locals outer = other_body();
  const Interval range = range_of_value(*of.loop);
  locals_ = std::move(outer);
  return range;
}

bool Knowledge::gathers_at_most(const Expr& a, const Expr& b) {
  using How = Gathered::How;
  const Gathered x = gathered(a), y = gathered(b);
  if (x.how == How::nothing || y.how == How::nothing) return false;
  bool more = false;
  if (x.how == How::counted || y.how == How::counted) return x.how == y.how && part_of(x.from, y.from, true, more);
  if (y.how == How::most) return x.how != How::total && part_of(x.from, y.from, false, more);
  if (x.how == How::least) {
    if (y.how != How::total && part_of(y.from, x.from, false, more)) return true;
  }
  if (y.how != How::total || !never_below_0(range_of_items(y.from))) return false;
  if (part_of(x.from, y.from, false, more)) return true;
  const auto below = [&] { return at_most(*x.from.loop->value, *y.from.loop->value); };  // item by item
  return x.from.loop != nullptr && y.from.loop != nullptr && loops_alike(*x.from.loop, *y.from.loop, more, below);
}

// Whether some item may be missing.
bool Knowledge::has_gaps(const Collected& of) const {
  return of.loop != nullptr ? of.loop->value->optional : model_.types[of.list->type].gaps;
}

// Whether the test holds for any item that a number is gathered from.
template <class Test>
bool Knowledge::each_item(const Collected& of, const Test& test) {
  const Nesting nesting(budget_);
  Locals outer = other_body();
  bool all = false;
  if (of.loop != nullptr) {
    const InLoop inside(*this, *of.loop);
    all = test(*of.loop->value);
  } else {
    constexpr std::uint64_t kItem = 1'003;      // see known_of_each()
    constexpr std::uint32_t kFirst = 1U << 30;  // no local has this number
    const std::size_t at = mark();
    const auto [item, first] = owned_.items.try_emplace(of.list);
    if (first) {
      item->second.op = Op::local;
      item->second.index = kFirst + static_cast<std::uint32_t>(owned_.items.size());
      item->second.type = model_.types[of.list->type].element;
      item->second.optional = true;
    }
    const auto fresh = static_cast<std::uint32_t>(numbering_.numbers.size());
    const std::uint32_t number =
        numbering_.numbers.emplace(std::vector<std::uint64_t>{kItem, same(*of.list)}, fresh).first->second;
    locals_.bound[item->second.index] = number;
    assume_each(*of.list, number);
    all = test(item->second);
    back_to(at);
  }
  locals_ = std::move(outer);
  return all;
}

// Whether a number that is gathered from a list is given because another one is, which needs an item of it.
bool Knowledge::given_beside(const Expr& e, const Expr& other) {
  using How = Gathered::How;
  const Gathered x = gathered(behind(e)), y = gathered(behind(other));
  if (x.how == How::nothing || y.how == How::nothing || y.how > How::most) return false;
  bool more = false;
  return !has_gaps(x.from) && part_of(y.from, x.from, true, more);
}

// A number that lies between the items of a list is never above what none of them is above; their sum is never above so
// many times that.
bool Knowledge::items_at_most(const Expr& a, const Expr& b) {
  using How = Gathered::How;
  const auto between = [](const Gathered& g) {
    return g.how == How::least || g.how == How::between || g.how == How::most;
  };
  const Gathered x = a.op == Op::local ? Gathered{} : gathered(a), y = b.op == Op::local ? Gathered{} : gathered(b);
  if (between(x) && fixed(b) && each_item(x.from, [&](const Expr& item) { return at_most(item, b); })) return true;
  if (between(y) && fixed(a) && each_item(y.from, [&](const Expr& item) { return at_most(a, item); })) return true;
  if (x.how != How::total || b.op != Op::mul) return false;
  return std::any_of(b.args.begin(), b.args.end(), [&](const Expr* times) {
    const Gathered number = gathered(behind(*b.args[times == b.args[0] ? 1 : 0]));
    bool more = false;
    return number.how == How::counted && part_of(x.from, number.from, true, more) && fixed(*times) &&
           never_below_0(eval(*times).range) &&
           each_item(x.from, [&](const Expr& item) { return at_most(item, *times); });
  });
}

Interval Knowledge::quotient_of_lists(const Expr& part, const Expr& all, int rubric) {
  enter(rubric, nullptr);
  ensured_.about.clear();
  if (ensures(rubric))
    for (const Rule& rule : ensured_.rules) ensured_.about.push_back(&rule);
  return quotient_of_gathered(part, all);
}

Interval Knowledge::quotient_of_gathered(const Expr& part, const Expr& all) {
  using How = Gathered::How;
  const Expr &a = behind(part), &b = behind(all);
  const Gathered x = gathered(a), y = gathered(b);
  if (x.how < How::total || y.how < How::total) return {};
  const OneQuestion question(*this);
  bool more = false;
  if (x.how == How::total && y.how == How::counted)  // a mean
    return part_of(x.from, y.from, true, more) && !more ? range_of_items(x.from) : Interval{};
  Interval range;
  const auto positive = [&](const Gathered& g) {
    return g.how == How::counted || never_below_0(range_of_items(g.from));
  };
  if (positive(x) && gathers_at_most(a, b)) range = {whole(0), whole(1), false, false};
  if (positive(y) && gathers_at_most(b, a)) range = common(range, {whole(1), Number(), false, false});
  if (x.how != y.how || x.from.loop == nullptr || y.from.loop == nullptr) return range;
  return x.how == How::total ? common(range, weighted(x, y, exactly(whole(1)))) : range;
}

// Of a loop with one list and conditions only.
void Knowledge::assume_every(Every every) {
  const std::vector<LoopClause>& clauses = every.loop->clauses;
  const bool plain = std::all_of(clauses.begin() + 1, clauses.end(),
                                 [](const LoopClause& c) { return c.kind == LoopClause::Kind::when; });
  if (plain && clauses.front().second >= 0 && every.loop->state < 0 && in_rubric()) facts_.every.push_back(every);
}

// What a number that is gathered tells of each of those that it is gathered from. It is missing if one of those is.
void Knowledge::learn_loop(const Expr& e, const Known& known) {
  const Loop& loop = *e.loop;
  Every every{&loop, loop.clauses.size(), loop.value, known.range, Outcome::holds, mark() - 1};
  Interval& each = *every.range;
  if (known.missing && loop.value->optional) return;
  switch (loop.collect) {
    case Collect::min: each.high = Number(), each.high_open = false; break;
    case Collect::max: each.low = Number(), each.low_open = false; break;
    case Collect::sum: {  // of what is never below 0, none is more than all together
      const Interval range = range_of_items({&loop, nullptr});
      if (range.low.missing() || sign(range.low) < 0) return;
      each.low = Number(), each.low_open = false;
      break;
    }
    case Collect::count:  // nothing passes
      if (loop.clauses.size() != 2 || each.high.missing() || compare(each.high, whole(1)) >= 0) return;
      every = {&loop, 1, loop.clauses.back().expr, {}, Outcome::does_not_hold, mark() - 1};
      break;
    default: return;
  }
  assume_every(every);
}

// What is known of every item of a list, for the item with this number.
void Knowledge::assume_each(const Expr& list, std::uint32_t number) {
  const Nesting nesting(budget_);
  constexpr int kMostWithin = 6;
  if (asking_.lists >= kMostWithin) return;
  ++asking_.lists;
  found_.lists[number] = &list;
  for (std::size_t i = 0; i < facts_.every.size(); ++i) {
    const Every every = facts_.every[i];
    const std::vector<LoopClause>& clauses = every.loop->clauses;
    if (same(*clauses.front().expr) != same(list)) continue;
    Locals outer = other_body();
    locals_.bound[static_cast<std::uint32_t>(clauses.front().second)] = number;
    const bool passes = std::all_of(clauses.begin() + 1, clauses.begin() + every.clauses, [this](const LoopClause& c) {
      const Known condition = eval(*c.expr);
      return !condition.missing && !condition.can_fail();
    });
    Known known;
    known.range = every.range.value_or(Interval{});
    if (passes && every.range) learn_part(*every.value, known);
    else if (passes) assume(*every.value, every.outcome);
    locals_ = std::move(outer);
  }
  if (items_asked() && model_.types.kind(model_.types[list.type].element) == TypeKind::number) {
    const Known each = known_of_item(list);
    if (!each.range.low.missing() || !each.range.high.missing()) learn(number, each);
  }
  assume_selected(behind(list), number);
  --asking_.lists;
}

// What the smallest and the largest number of a list and their sum tell of each. They are missing where any of them is.
Known Knowledge::known_of_item(const Expr& list) {
  Known each;
  if (model_.types[list.type].gaps) return each;
  if (const Known* most = fact_of(Builtin::max, list))
    each.range.high = most->range.high, each.range.high_open = most->range.high_open;
  if (const Known* least = fact_of(Builtin::min, list))
    each.range.low = least->range.low, each.range.low_open = least->range.low_open;
  const Known* sum = fact_of(Builtin::sum, list);
  if (sum != nullptr && !sum->range.high.missing() && !asking_.adding) {
    const Interval most{Number(), sum->range.high, false, sum->range.high_open};
    asking_.adding = true;  // whatever else is known of this one holds for some of them only
    if (never_below_0(range_of_numbers(list))) each.range = common(each.range, most);
    asking_.adding = false;
  }
  return each;
}

// Of a list that is made from others.
void Knowledge::assume_selected(const Expr& list, std::uint32_t number) {
  const bool numbers = items_asked() && model_.types.kind(model_.types[list.type].element) == TypeKind::number;
  const Expr* from = selected_from(list, false);
  if (from != nullptr) return assume_each(*from, number);
  if (list.op == Op::loop && over_one_list(*list.loop) &&
      (list.loop->collect == Collect::list || list.loop->collect == Collect::map)) {
    const LoopClause& first = list.loop->clauses.front();
    const bool keeps = keeps_items(*list.loop);
    if (!keeps && !numbers) return;
    Locals outer = other_body();
    if (keeps) {
      locals_.bound[static_cast<std::uint32_t>(first.second)] = number;
      for (const LoopClause& clause : list.loop->clauses) {
        if (clause.kind == LoopClause::Kind::when) assume(*clause.expr, Outcome::holds);
        if (clause.kind == LoopClause::Kind::let) break;
      }
      assume_each(*first.expr, number);
    } else {
      Known value;
      value.range = range_of_value(*list.loop);
      learn(number, value);
    }
    locals_ = std::move(outer);
    return;
  }
  std::vector<Known> all;
  if (list.op == Op::make_list && numbers) {
    for (const Expr* item : list.args) all.push_back(eval(*item));
  } else if (numbers && (list.op == Op::concat || list.op == Op::choice || list.op == Op::default_)) {
    for (const Expr* part : {list.args.front(), list.args.back()}) all.push_back(known_of_each(*part));
  }
  if (all.empty()) return;
  Known any = all[0];
  for (std::size_t i = 1; i < all.size(); ++i) any = join(std::move(any), all[i]);
  any.missing = any.given = true;
  learn(number, any);
}

// The fact about a number, by its key; null: there is none.
const Known* Knowledge::fact_of(const std::vector<std::uint64_t>& key) const {
  if (facts_.known.empty()) return nullptr;
  const auto number = numbering_.numbers.find(key);
  const auto fact = number == numbering_.numbers.end() ? facts_.known.end() : facts_.known.find(number->second);
  return fact == facts_.known.end() ? nullptr : &fact->second;
}

// The fact about count, min or max of a list.
const Known* Knowledge::fact_of(Builtin id, const Expr& list) {
  if (facts_.known.empty()) return nullptr;
  return fact_of({static_cast<std::uint64_t>(Op::builtin), static_cast<std::uint64_t>(id), same(list)});
}

// What the assumptions tell of each number of a list or a map.
Known Knowledge::known_of_each(const Expr& list) {
  const Nesting nesting(budget_);
  Known each;
  const TypeKind kind = model_.types.kind(list.type);
  if (facts_.known.empty() || (kind != TypeKind::list && kind != TypeKind::map)) return each;
  if (!items_asked()) return known_of_item(list);
  constexpr std::uint64_t kItem = 1'003;  // no operation has this number
  const std::size_t at = mark();
  const std::vector<std::uint64_t> key = {kItem, same(list)};
  const auto fresh = static_cast<std::uint32_t>(numbering_.numbers.size());
  assume_each(list, numbering_.numbers.emplace(key, fresh).first->second);
  if (const Known* item = fact_of(key)) each = *item;
  back_to(at);
  return each;
}

// Of each number of a list, from its type, its loop and the assumptions.
Interval Knowledge::range_of_numbers(const Expr& list) {
  const TypeKind kind = model_.types.kind(list.type);
  if (kind != TypeKind::list && kind != TypeKind::map) return {};
  return common(model_.types[model_.types[list.type].element].range, range_of_each(list));
}

// That an item of a list passes the conditions of the loops that the list was made by.
void Knowledge::assume_items(const Expr& list, int item) {
  if (item < 0) return;
  assume_each(list, number_of_item(item));
}

std::uint32_t Knowledge::number_of_item(int item) {
  Expr local;
  local.op = Op::local;
  local.index = static_cast<std::uint32_t>(item);
  const auto alias = locals_.bound.find(local.index);
  return alias != locals_.bound.end() ? alias->second : number_of(local);
}

const Expr& Knowledge::count_of(const Expr& list) {
  const auto [at, fresh] = owned_.counts.try_emplace(&list);
  if (fresh) {
    at->second.op = Op::builtin;
    at->second.index = static_cast<std::uint32_t>(Builtin::count);
    at->second.type = kWhole;
    at->second.args = {const_cast<Expr*>(&list)};
  }
  return at->second;
}

// Of a / b, where a adds up items of a list that has at most b of them. Without ends: nothing is known.
Interval Knowledge::mean_of_items(const Expr& part, const Expr& all) {
  const Nesting nesting(budget_);
  const Gathered x = gathered(behind(part));
  if (x.how != Gathered::How::total) return {};
  if (const Interval known = quotient_of_gathered(part, all); finite(known)) return known;
  Polynomial times;  // 5 * count(xs)
  if (behind(all).op == Op::mul && add_to(times, all, whole(1)) && times.terms.size() == 1) {
    const auto& [product, factor] = times.terms[0];
    const bool one = product.size() == 1 && sign(factor) > 0 && compare(factor, whole(1)) != 0;
    return one ? interval_div(mean_of_items(part, times.expr(product[0])), exactly(factor), pool_) : Interval{};
  }
  const Expr& count = count_of(x.from.loop != nullptr ? *x.from.loop->clauses.front().expr : *x.from.list);
  if (!at_most(count, all)) return {};
  const Interval each = range_of_items(x.from);
  const bool each_counts = x.from.loop == nullptr || x.from.loop->clauses.size() == 1;
  return each_counts && at_most(all, count) ? each : interval_hull(each, exactly(whole(0)));
}

// The range of a number that is gathered from a list, by others of the same items. Without ends: nothing is known.
Interval Knowledge::beside_gathered(const Expr& e) {
  using How = Gathered::How;
  Interval range;
  const auto& others = counts(e) ? facts_.counted : facts_.gathered;
  if (others.empty() || asking_.gathering) return range;
  const Gathered x = gathered(e);
  if (x.how == How::nothing) return range;
  asking_.gathering = true;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const Expr& other = *others[i].first;
    const auto fact = facts_.known.find(same(other));
    const Gathered y = gathered(behind(other));
    if (fact == facts_.known.end() || same(other) == same(e) || y.how == How::nothing) continue;
    const OneQuestion question(*this);
    const Known known = fact->second;
    const bool given = !known.missing || !eval(other).missing;
    // The largest of all, their sum and their number are given where those of a part are, if none of them is missing.
    if ((given || (y.how >= How::most && !has_gaps(y.from))) && !known.range.high.missing() &&
        gathers_at_most(e, behind(other)))
      range = common(range, {Number(), known.range.high, false, known.range.high_open});
    if (given && !known.range.low.missing() && gathers_at_most(behind(other), e))
      range = common(range, {known.range.low, Number(), known.range.low_open, false});
    if (x.how == How::total && y.how == How::total) range = common(range, weighted(x, y, known.range));
  }
  asking_.gathering = false;
  return range;
}

// sum(x.weight * x.mark for x in xs) beside sum(x.weight for x in xs): a mean of the marks, times all weights.
Interval Knowledge::weighted(const Gathered& x, const Gathered& y, const Interval& weights) {
  Interval range;
  if (x.from.loop == nullptr || y.from.loop == nullptr || x.from.loop->value->op != Op::mul) return range;
  const Expr &product = *x.from.loop->value, &weight = *y.from.loop->value;
  if (!never_below_0(range_of_items(y.from))) return range;
  bool more = false;
  loops_alike(*x.from.loop, *y.from.loop, more, [&] {
    for (const std::size_t by : {0U, 1U}) {
      if (!more && same(*product.args[by]) == same(weight))
        range = common(range, interval_mul(eval(*product.args[1 - by]).range, weights, pool_));
    }
    return true;
  });
  return range;
}

}  // namespace assay
