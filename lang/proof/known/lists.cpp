// Knowledge: numbers gathered from lists, compared with each other: a part of a list has no more items than all of it,
// no larger sum of what is never below 0, and its mean lies between the smallest and the largest item. See known.hpp.
#include "lang/proof/known/known.hpp"
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
    case Builtin::reverse: return list.args[0];
    case Builtin::values:
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
  if (e.op == Op::list_get) return {How::between, collected(*e.args[0])};
  if (e.op == Op::local) {
    const auto list = found_.lists.find(same(e));
    return list == found_.lists.end() ? Gathered{} : Gathered{How::between, collected(*list->second)};
  }
  if (e.op != Op::builtin || e.args.empty()) return {};
  const auto id = static_cast<Builtin>(e.index);
  if (id == Builtin::count) return {How::counted, collected(*e.args[0])};
  const Expr& list = *e.args.back();
  if (model_.types.kind(list.type) != TypeKind::list || e.args.size() > (id == Builtin::percentile ? 2U : 1U))
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
  }
  alike = alike && next == b.clauses.size() && test();
  locals_ = std::move(outer);
  return alike;
}

// Whether each item of a is one of b, at most as often; `more`: a may lack some. Items that are only counted may differ.
bool Knowledge::part_of(Collected a, const Collected& b, bool counted, bool& more) {
  constexpr int kMostSteps = 8;
  const auto of_map = [counted](const Expr& list) -> const Expr& {
    const bool map = list.op == Op::builtin && static_cast<Builtin>(list.index) == Builtin::values;
    return counted && map ? *list.args[0] : list;
  };
  const Nesting nesting(budget_);
  for (int step = 0; step < kMostSteps; ++step) {
    budget_.step();
    bool asks_more = false;
    const bool found = a.list != nullptr && b.list != nullptr ? same(of_map(*a.list)) == same(of_map(*b.list))
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
  if (of.loop != nullptr) return eval(*of.loop->value).range;
  const TypeKind kind = model_.types.kind(of.list->type);
  if (kind != TypeKind::list && kind != TypeKind::map) return {};
  return model_.types[model_.types[of.list->type].element].range;
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

Interval Knowledge::quotient_of_lists(const Expr& part, const Expr& all, int rubric) {
  using How = Gathered::How;
  enter(rubric, nullptr);
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
  // sum(x.weight * x.mark for x in xs) / sum(x.weight for x in xs), a weighted mean
  const Expr &product = *x.from.loop->value, &weight = *y.from.loop->value;
  if (x.how != How::total || product.op != Op::mul || !never_below_0(eval(weight).range)) return range;
  loops_alike(*x.from.loop, *y.from.loop, more, [&] {
    for (const std::size_t by : {0U, 1U}) {
      if (!more && same(*product.args[by]) == same(weight)) range = common(range, eval(*product.args[1 - by]).range);
    }
    return true;
  });
  return range;
}

// What is assumed of every item of a list, for the item with this number.
void Knowledge::assume_each(const Expr& list, std::uint32_t number) {
  for (std::size_t i = 0; i < facts_.every.size(); ++i) {
    const Loop& loop = *facts_.every[i].condition->loop;
    if (same(*loop.clauses.front().expr) != same(list)) continue;
    const Outcome outcome = facts_.every[i].outcome;
    Locals outer = other_body();
    locals_.bound[static_cast<std::uint32_t>(loop.clauses.front().second)] = number;
    assume(*loop.value, outcome);
    locals_ = std::move(outer);
  }
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

// What the assumptions tell of each number of a list. Without ends: nothing.
Interval Knowledge::range_of_each(const Expr& list) {
  Interval range;
  if (facts_.known.empty() || model_.types.kind(list.type) != TypeKind::list) return range;
  if (!model_.types[list.type].gaps) {  // the largest is missing where any of them is
    if (const Known* most = fact_of(Builtin::max, list))
      range.high = most->range.high, range.high_open = most->range.high_open;
    if (const Known* least = fact_of(Builtin::min, list))
      range.low = least->range.low, range.low_open = least->range.low_open;
  }
  if (facts_.every.empty()) return range;
  constexpr std::uint64_t kItem = 1'003;  // no operation has this number
  const std::size_t at = mark();
  const std::vector<std::uint64_t> key = {kItem, same(list)};
  const auto fresh = static_cast<std::uint32_t>(numbering_.numbers.size());
  assume_each(list, numbering_.numbers.emplace(key, fresh).first->second);
  if (const Known* item = fact_of(key)) range = common(range, item->range);
  back_to(at);
  return range;
}

// Of each number of a list, from its type, its loop and the assumptions.
Interval Knowledge::range_of_numbers(const Expr& list) {
  return common(range_of_items(collected(list)), range_of_each(list));
}

// That an item of a list passes the conditions of the loops that the list was made by.
void Knowledge::assume_items(const Expr& list, int item) {
  const Nesting nesting(budget_);
  if (item < 0) return;
  const Collected from = collected(list);
  Expr local;
  local.op = Op::local;
  local.index = static_cast<std::uint32_t>(item);
  const auto alias = locals_.bound.find(local.index);
  const std::uint32_t number = alias != locals_.bound.end() ? alias->second : number_of(local);
  found_.lists[number] = &list;
  assume_each(list, number);
  if (from.loop == nullptr || !keeps_items(*from.loop)) return;
  Locals outer = other_body();
  const LoopClause& first = from.loop->clauses.front();
  locals_.bound[static_cast<std::uint32_t>(first.second)] = number;
  for (const LoopClause& clause : from.loop->clauses) {
    if (clause.kind == LoopClause::Kind::when) assume(*clause.expr, Outcome::holds);
    if (clause.kind == LoopClause::Kind::let) break;
  }
  assume_items(*first.expr, first.second);
  locals_ = std::move(outer);
}

}  // namespace assay
