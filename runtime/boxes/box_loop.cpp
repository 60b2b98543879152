// Boxes of loops and of built-in functions. See box.hpp.
#include "runtime/boxes/box.hpp"

#include "runtime/vm/builtins.hpp"

#include <algorithm>

namespace assay {

namespace {

constexpr std::size_t kMostPasses = 2000;

bool exact_text_box(const Box& box) { return box.may_be && !box.may_miss && !box.any_text && box.texts.size() == 1; }

// The single value of a box; false: it has several.
bool to_value(const TypeTable& types, const Box& box, Arena& arena, Value& value, int level = 0) {
  constexpr int kDeepestLoop = 20;
  if (level > kDeepestLoop || box.may_miss == box.may_be) return false;
  value = missing_value();
  if (!box.may_be) return true;
  switch (box.kind) {
    case TypeKind::number:
      if (!box.point()) return false;
      value = make_number(box.number.low);
      return true;
    case TypeKind::boolean:
      if (box.may_true == box.may_false) return false;
      value = make_bool(box.may_true);
      return true;
    case TypeKind::text:
      if (!exact_text_box(box)) return false;
      value = make_text(arena.copy(box.texts[0]));
      return true;
    case TypeKind::list: {
      if (!box.known) return false;
      const auto size = static_cast<std::uint32_t>(box.items.size());
      Value* const items = arena.array<Value>(box.items.size() + 1);
      for (std::uint32_t i = 0; i < size; ++i) {
        if (box.items[i].maybe || !to_value(types, *box.items[i].value, arena, items[i], level + 1)) return false;
      }
      value = make_list(items, size);
      return true;
    }
    case TypeKind::range: {
      if (!box.known) return false;
      auto* const range = static_cast<RangeData*>(arena.allocate(sizeof(RangeData)));
      *range = {box.number.low, box.number.high, box.number.low_open, box.number.high_open};
      value = make_range(range);
      return true;
    }
    default: return false;
  }
}

}  // namespace

struct BoxEvaluator::LoopRun {
  const Loop* loop = nullptr;
  struct Pass {
    BoxRef value, key;
    std::vector<BoxRef> order;
    bool maybe = false;
  };
  std::vector<Pass> passes;
  bool unknown = false;  // whether some items pass is not known
  bool miss = false;     // the list may be missing
  bool gone = false;     // … is missing
  BoxRef state;
  std::shared_ptr<const Interval> total;
};

bool BoxEvaluator::run_clause(LoopRun& run, std::size_t clause, bool maybe, Frame& frame) {
  constexpr int kMostClauses = 500;  // each is a level of this recursion, and a loop may have any number of them
  struct Running {
    explicit Running(int& levels) : count(levels) { ++count; }
    ~Running() { --count; }
    int& count;
  } const running(clauses_running_);
  const auto set = [&](int local, BoxRef box) {
    if (local < 0) return;
    if (frame.size() <= static_cast<std::size_t>(local)) frame.resize(static_cast<std::size_t>(local) + 1);
    frame[static_cast<std::size_t>(local)] = std::move(box);
  };
  if (run.unknown || run.passes.size() > kMostPasses || clauses_running_ > kMostClauses) {
    run.unknown = true;
    return false;
  }
  if (clause == run.loop->clauses.size()) {
    LoopRun::Pass pass;
    pass.maybe = maybe;
    if (run.loop->next != nullptr) {
      if (maybe) {
        run.unknown = true;
        return false;
      }
      run.state = eval(run.loop->next, frame);
      set(run.loop->state, run.state);
    }
    if (run.loop->key != nullptr) pass.key = eval(run.loop->key, frame);
    if (run.loop->value != nullptr) pass.value = eval(run.loop->value, frame);
    for (const LoopOrder& order : run.loop->order) pass.order.push_back(eval(order.expr, frame));
    run.passes.push_back(std::move(pass));
    return true;
  }
  const LoopClause& c = run.loop->clauses[clause];
  const BoxRef box = eval(c.expr, frame);
  if (c.kind == LoopClause::Kind::when) {
    if (!box->holds()) return true;
    return run_clause(run, clause + 1, maybe || box->fails(), frame);
  }
  if (c.kind == LoopClause::Kind::while_) {
    if (!box->holds()) return false;
    if (box->fails()) run.unknown = true;
    return !run.unknown && run_clause(run, clause + 1, maybe, frame);
  }
  if (!box->may_be) {
    run.gone = true;
    return false;
  }
  run.miss = run.miss || box->may_miss;
  if (!box->known) {
    run.unknown = true;
    return false;
  }
  if (run.loop->clauses.size() == 1) run.total = box->total;
  const bool index_known =
      c.first < 0 || std::none_of(box->items.begin(), box->items.end(), [](const BoxItem& i) { return i.maybe; });
  for (std::size_t i = 0; i < box->items.size(); ++i) {
    const BoxItem& item = box->items[i];
    if (c.first >= 0 && box->kind == TypeKind::map) {
      auto key = std::make_shared<Box>();
      key->type = kText;
      key->kind = TypeKind::text;
      key->any_text = false;
      key->texts = {item.key};
      set(c.first, key);
    } else if (c.first >= 0) {
      set(c.first,
          index_known ? number(kWhole, exactly(whole(static_cast<std::int64_t>(i))), false) : top(kNumber, false));
    }
    set(c.second, item.value);
    if (!run_clause(run, clause + 1, maybe || item.maybe, frame)) {
      if (run.unknown || run.gone) return false;
      if (clause + 1 < run.loop->clauses.size() && run.loop->clauses[clause + 1].kind == LoopClause::Kind::while_)
        break;
    }
  }
  return true;
}

BoxRef BoxEvaluator::loop(const Expr* e, Frame& frame) {
  LoopRun run;
  run.loop = e->loop.get();
  if (run.loop->start != nullptr) {
    run.state = eval(run.loop->start, frame);
    const auto at = static_cast<std::size_t>(std::max(run.loop->state, 0));
    if (frame.size() <= at) frame.resize(at + 1);
    frame[at] = run.state;
  }
  run_clause(run, 0, false, frame);
  if (run.gone) return missing_box(e->type, model_.types.kind(e->type));
  if (run.unknown) return top(e->type, true);
  return collect(run, e);
}

namespace {

struct Aggregate {
  std::vector<BoxItem> items;
  bool miss = false;    // an item may be missing
  bool absent = false;  // an item that is certainly present is certainly missing
  std::size_t sure = 0;
};

Aggregate aggregate_of(std::vector<BoxItem> items) {
  Aggregate a;
  a.items = std::move(items);
  for (const BoxItem& item : a.items) {
    a.miss = a.miss || item.value->may_miss;
    a.absent = a.absent || (!item.maybe && !item.value->may_be);
    a.sure += item.maybe ? 0 : 1;
  }
  return a;
}

Interval with_zero(Interval range) { return interval_hull(range, exactly(whole(0))); }

Interval sum_of(const Aggregate& a, NumberPool& pool) {
  Interval sum = exactly(whole(0));
  for (const BoxItem& item : a.items) {
    if (!item.value->may_be) continue;
    sum = interval_add(sum, item.maybe ? with_zero(item.value->number) : item.value->number, pool);
  }
  return sum;
}

// The bounds of the minimum or maximum.
Interval extreme_of(const Aggregate& a, bool greatest) {
  Interval range;
  bool first = true;
  for (const bool sure : {true, false}) {
    for (const BoxItem& item : a.items) {
      if (item.maybe == sure || !item.value->may_be) continue;
      const Interval& next = item.value->number;
      if (first) {
        range = next;
      } else if (!item.maybe) {
        range = greatest ? interval_max(range, next) : interval_min(range, next);
      } else {
        range = interval_hull(range, greatest ? interval_max(range, next) : interval_min(range, next));
      }
      first = false;
    }
  }
  if (a.sure == 0) {  // any of them may be the only one
    for (const BoxItem& item : a.items) {
      if (item.value->may_be) range = interval_hull(range, item.value->number);
    }
  }
  return range;
}

BoxRef any_of_boxes(const Aggregate& a) {
  bool may = false, must = false, miss = false;
  for (const BoxItem& item : a.items) {
    may = may || item.value->holds();
    must = must || (!item.maybe && !item.value->fails());
    miss = miss || item.value->may_miss;
  }
  return truth_box(may, !must, miss && !must);
}

BoxRef all_of_boxes(const Aggregate& a) {
  bool may = true, false_possible = false, miss = false, must_false = false;
  for (const BoxItem& item : a.items) {
    if (!item.maybe && !item.value->holds()) may = false;
    false_possible = false_possible || (item.value->may_be && item.value->may_false);
    must_false = must_false || (!item.maybe && item.value->may_be && !item.value->may_true && !item.value->may_miss);
    miss = miss || item.value->may_miss;
  }
  return truth_box(may, false_possible, miss && !must_false);
}

}  // namespace

BoxRef BoxEvaluator::collect(LoopRun& run, const Expr* e) {
  const Loop& loop = *run.loop;
  std::vector<LoopRun::Pass>& passes = run.passes;
  const auto also = [&](BoxRef box) -> BoxRef {
    if (!run.miss || box->may_miss) return box;
    auto copy = std::make_shared<Box>(*box);
    copy->may_miss = true;
    return copy;
  };
  const bool ordered = loop.collect == Collect::list || loop.collect == Collect::map || loop.collect == Collect::group;
  if (!loop.order.empty() && ordered && passes.size() > 1) {
    for (const LoopRun::Pass& pass : passes) {
      for (const BoxRef& key : pass.order) {
        if (!key->point() || key->kind != TypeKind::number) return top(e->type, true);
      }
    }
    std::stable_sort(passes.begin(), passes.end(), [&](const LoopRun::Pass& a, const LoopRun::Pass& b) {
      for (std::size_t k = 0; k < loop.order.size(); ++k) {
        const int order = compare(a.order[k]->number.low, b.order[k]->number.low);
        if (order != 0) return loop.order[k].higher ? order > 0 : order < 0;
      }
      return false;
    });
  }
  std::vector<BoxItem> items;
  for (const LoopRun::Pass& pass : passes) items.push_back({pass.value, pass.maybe, {}});
  if (loop.collect == Collect::list || loop.collect == Collect::map) {
    auto box = std::make_shared<Box>();
    box->type = e->type;
    box->kind = model_.types.kind(e->type);
    box->known = true;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (loop.collect == Collect::list) {
        box->items.push_back(items[i]);
        continue;
      }
      if (!exact_text_box(*passes[i].key)) return top(e->type, true);
      items[i].key = passes[i].key->texts[0];
      const auto same = std::find_if(box->items.begin(), box->items.end(),
                                     [&](const BoxItem& other) { return other.key == items[i].key; });
      if (same == box->items.end()) {
        box->items.push_back(items[i]);
      } else if (items[i].maybe || same->maybe) {
        return top(e->type, true);
      } else {
        same->value = items[i].value;
      }
    }
    return also(box);
  }
  if (loop.collect == Collect::count) {
    Aggregate a = aggregate_of(std::move(items));
    return also(number(
        e->type, {whole(static_cast<std::int64_t>(a.sure)), whole(static_cast<std::int64_t>(a.items.size()))}, false));
  }
  if (loop.collect == Collect::group) return top(e->type, true);
  const Aggregate a = aggregate_of(std::move(items));
  if (loop.collect == Collect::any) return also(any_of_boxes(a));
  if (loop.collect == Collect::all) return also(all_of_boxes(a));
  if (a.absent) return missing_box(e->type, TypeKind::number);
  const bool miss = a.miss || run.miss;
  switch (loop.collect) {
    case Collect::sum: {
      const Expr* const value = loop.value;
      const bool amounts = run.total && value->op == Op::field && value->index == 1 &&
                           value->args[0]->op == Op::local &&
                           static_cast<int>(value->args[0]->index) == loop.clauses[0].second;
      return number(e->type, amounts ? *run.total : sum_of(a, pool_), miss);
    }
    case Collect::mean: {
      if (a.items.empty()) return missing_box(e->type, TypeKind::number);
      if (a.sure == a.items.size()) {
        const Interval count = exactly(whole(static_cast<std::int64_t>(a.sure)));
        return number(e->type, interval_div(sum_of(a, pool_), count, pool_), miss);
      }
      Interval range = a.items.front().value->number;
      for (const BoxItem& item : a.items) range = interval_hull(range, item.value->number);
      return number(e->type, range, miss || a.sure == 0);
    }
    case Collect::min:
    case Collect::max:
      if (a.items.empty()) return missing_box(e->type, TypeKind::number);
      if (a.items.front().value->kind != TypeKind::number) return top(e->type, true);
      return number(e->type, extreme_of(a, loop.collect == Collect::max), miss || a.sure == 0);
    case Collect::product: {
      Interval product = exactly(whole(1));
      for (const BoxItem& item : a.items) {
        const Interval next = interval_mul(product, item.value->number, pool_);
        product = item.maybe ? interval_hull(product, next) : next;
      }
      return number(e->type, product, miss);
    }
    default: return top(e->type, true);
  }
}

// The engine's result if each argument has a single value; otherwise null.
BoxRef BoxEvaluator::builtin_of_values(const Expr* e, const std::vector<BoxRef>& args) {
  Arena& arena = scratch_;
  arena.reset();
  std::vector<Value> values(args.size() + 1);
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!to_value(model_.types, *args[i], arena, values[i])) return nullptr;
  }
  ExecutionContext m;
  VmLimits limits;
  RunError error;
  constexpr std::uint64_t kSteps = 100'000;
  m.types = &model_.types;
  m.arena = &arena;
  m.pool = &pool_;
  m.error = &error;
  m.step_limit = m.next_look = kSteps;
  m.limits = &limits;
  m.memory_limit = std::size_t{1} << 24;
  BuiltinCall call;
  call.builtin = static_cast<Builtin>(e->index);
  for (const Expr* arg : e->args) call.types.push_back(arg->type);
  call.result = e->type;
  try {
    const Value result = kBuiltins[e->index](m, call, values.data());
    return of_value(e->type, result);
  } catch (const Abort&) { return top(e->type, true); }
}

// If each argument has a single value, uses the engine; otherwise bounds, for functions with simple bounds.
BoxRef BoxEvaluator::builtin(const Expr* e, Frame& frame) {
  std::vector<BoxRef> args;
  bool miss = false;
  const TypeKind kind = model_.types.kind(e->type);
  for (const Expr* arg : e->args) {
    args.push_back(eval(arg, frame));
    if (!args.back()->may_be) return missing_box(e->type, kind);
    miss = miss || args.back()->may_miss;
  }
  if (!miss) {
    if (const BoxRef known = builtin_of_values(e, args)) return known;
  }
  const auto which = static_cast<Builtin>(e->index);
  const auto result = [&](Interval range, bool also_miss = false) { return number(e->type, range, miss || also_miss); };
  const bool numbers =
      std::all_of(args.begin(), args.end(), [](const BoxRef& a) { return a->kind == TypeKind::number; });
  const bool list = args.size() == 1 && args[0]->kind == TypeKind::list && args[0]->known;
  const auto monotone = [&](Number (*f)(Number, NumberPool&), bool positive) {
    Interval range = args[0]->number;
    if (positive && (range.low.missing() || sign(range.low) < 0)) return top(e->type, true);
    if (!range.low.missing()) range.low = f(range.low, pool_);
    if (!range.high.missing()) range.high = f(range.high, pool_);
    return result(range, positive);
  };
  switch (which) {
    case Builtin::abs: return result(interval_abs(args[0]->number, pool_));
    case Builtin::round:
    case Builtin::floor:
    case Builtin::ceil:
    case Builtin::trunc:
    case Builtin::round_even: {
      std::int64_t decimals = 0;
      if (args.size() > 1 && (!args[1]->point() || !to_int64(args[1]->number.low, decimals))) break;
      const Rounding mode = which == Builtin::round   ? Rounding::half_away
                            : which == Builtin::floor ? Rounding::floor
                            : which == Builtin::ceil  ? Rounding::ceil
                            : which == Builtin::trunc ? Rounding::trunc
                                                      : Rounding::half_even;
      Interval range = args[0]->number;
      range.low_open = range.high_open = false;
      return result(interval_round(range, static_cast<int>(decimals), mode, pool_));
    }
    case Builtin::clamp: {
      if (!args[1]->known) break;
      Interval range = args[0]->number;
      const Interval& to = args[1]->number;
      if (!to.low.missing()) range = interval_max(range, exactly(to.low));
      if (!to.high.missing()) range = interval_min(range, exactly(to.high));
      return result(range);
    }
    case Builtin::sqrt: return monotone(&assay::sqrt, true);
    case Builtin::exp: return top(e->type, true);
    case Builtin::min:
    case Builtin::max: {
      if (numbers && args.size() > 1) {
        Interval range = args[0]->number;
        for (std::size_t i = 1; i < args.size(); ++i)
          range = which == Builtin::max ? interval_max(range, args[i]->number) : interval_min(range, args[i]->number);
        return result(range);
      }
      if (!list || args[0]->items.empty() || args[0]->items.front().value->kind != TypeKind::number) break;
      const Aggregate a = aggregate_of(args[0]->items);
      return result(extreme_of(a, which == Builtin::max), a.miss || a.sure == 0);
    }
    case Builtin::count: {
      if (!list) break;
      const Aggregate a = aggregate_of(args[0]->items);
      return result({whole(static_cast<std::int64_t>(a.sure)), whole(static_cast<std::int64_t>(a.items.size()))});
    }
    case Builtin::sum: {
      if (!list) break;
      const Aggregate a = aggregate_of(args[0]->items);
      return result(sum_of(a, pool_), a.miss);
    }
    case Builtin::mean: {
      if (!list || args[0]->items.empty()) break;
      const Aggregate a = aggregate_of(args[0]->items);
      if (a.sure != a.items.size()) break;
      return result(interval_div(sum_of(a, pool_), exactly(whole(static_cast<std::int64_t>(a.sure))), pool_), a.miss);
    }
    case Builtin::any:
    case Builtin::all: {
      if (!list || miss) break;
      const Aggregate a = aggregate_of(args[0]->items);
      return which == Builtin::any ? any_of_boxes(a) : all_of_boxes(a);
    }
    default: break;
  }
  return top(e->type, true);
}

}  // namespace assay
