// Lists of kernels: those that a rubric writes out are taken apart, those of a record are asked how many or whether
// all.
#include "lang/kernel/kernel_compiler.hpp"

#include <algorithm>

namespace assay {

// ---- lists

Known KernelCompiler::count(const Known& list) {
  switch (list.kind) {
    case Kind::missing: return missing();
    case Kind::list: {
      std::vector<LaneNumber> values, ones;
      for (const Truth& present : list.present) {
        values.push_back(b_.from_truth(present));
        ones.push_back(LaneBuilder::number(1));
      }
      return of(b_.weighted(values, ones), list.given);
    }
    case Kind::uniform:
    case Kind::input: {
      if (model_.types.kind(list.type) != TypeKind::list) return {};
      const std::size_t at = port_index(Port::Kind::count, list.path, {});
      Port& p = kernel_->ports[at];
      if (p.lane == kNoLane) p.lane = b_.in_lane(b_.new_lane(), 0, kItems).lane;
      p.high = kItems;
      return of(b_.in_lane(p.lane, 0, kItems), p.given == kNoLane ? kYes : Truth{p.given});
    }
    default: return {};
  }
}

Known KernelCompiler::aggregate(Builtin which, const Known& list) {
  if (list.kind == Kind::missing) return missing();
  if (which == Builtin::count) return count(list);
  if (list.kind != Kind::list) return {};
  for (const Known& part : list.parts) {
    if (part.kind == Kind::unknown) return part;
  }
  const bool fixed = std::all_of(list.present.begin(), list.present.end(), [](Truth t) { return t.always(); });
  // Missing when an item that is there is missing.
  Truth given = list.given;
  for (std::size_t i = 0; i < list.parts.size(); ++i)
    given = b_.both(given, b_.either(list.parts[i].given, b_.negate(list.present[i])));
  switch (which) {
    case Builtin::sum:
    case Builtin::mean: {
      std::vector<LaneNumber> values, ones;
      for (std::size_t i = 0; i < list.parts.size(); ++i) {
        if (list.parts[i].kind != Kind::number)
          return list.parts[i].kind == Kind::missing && fixed ? missing() : Known{};
        values.push_back(b_.choose(list.present[i], list.parts[i].number, LaneBuilder::number(0)));
        ones.push_back(LaneBuilder::number(1));
      }
      const LaneNumber total = b_.weighted(values, ones);
      if (which == Builtin::sum) return of(total, given);
      const Known n = count(list);
      if (n.kind != Kind::number) return {};
      const LaneNumber mean = b_.div(total, n.number, given);
      return of(mean, given);
    }
    case Builtin::min:
    case Builtin::max: {
      if (!fixed) return {};
      if (list.parts.empty()) return missing();
      LaneNumber n;
      for (std::size_t i = 0; i < list.parts.size(); ++i) {
        if (list.parts[i].kind != Kind::number) return list.parts[i].kind == Kind::missing ? missing() : Known{};
        n = i == 0 ? list.parts[0].number : b_.lesser(n, list.parts[i].number, which == Builtin::max);
      }
      return of(n, given);
    }
    case Builtin::any:
    case Builtin::all: {  // three-valued
      std::vector<Truth> values, decided;
      for (std::size_t i = 0; i < list.parts.size(); ++i) {
        const Known& part = list.parts[i];
        if (part.kind != Kind::truth && part.kind != Kind::missing) return {};
        const Truth value = part.kind == Kind::missing ? kNo : part.value;
        if (which == Builtin::any) values.push_back(b_.both(value, list.present[i]));
        else {
          values.push_back(b_.either(value, b_.negate(list.present[i])));
          decided.push_back(b_.both(list.present[i], b_.and_not(part.given, value)));  // false
        }
      }
      if (which == Builtin::any) {
        const Truth value = b_.both(b_.any_of(values), list.given);
        return of(value, b_.either(given, value));
      }
      const Truth value = b_.both(b_.all_of(values), list.given);
      return of(value, b_.either(given, b_.both(list.given, b_.any_of(decided))));
    }
    default: return {};
  }
}

// Where the amounts add up: the adjustments themselves are shown by the VM only.
Known KernelCompiler::adjust(const Expr* e) {
  const Known list = eval(e->args[0]);
  const Known cap = e->args.size() > 1 ? eval(e->args[1]) : missing();
  if (list.kind == Kind::missing) return missing();
  LaneNumber total = LaneBuilder::number(0);
  if (list.kind == Kind::uniform) {
    const Known& one = list.parts[0];
    if (one.kind != Kind::record || one.parts.size() < 2 || one.parts[0].kind != Kind::item ||
        !one.parts[0].inner.empty())
      return {};
    if (!model_.types[list.type].set) return {};  // names may repeat
    const Known n = count(list);
    if (one.parts[1].kind != Kind::number || !one.parts[1].number.constant() || n.kind != Kind::number ||
        !n.given.always())
      return {};
    if (one.parts[1].number.value > 0) total = b_.mul(n.number, one.parts[1].number);
  } else if (list.kind == Kind::list) {
    std::vector<std::string> names;
    std::vector<LaneNumber> values, ones;
    for (std::size_t i = 0; i < list.parts.size(); ++i) {
      const Known& part = list.parts[i];
      if (part.kind == Kind::unknown) return part;
      if (part.kind != Kind::record || part.parts.size() < 2 || !part.given.always()) return {};
      const Known &name = part.parts[0], &amount = part.parts[1];
      if (name.kind == Kind::unknown) return name;
      if (name.kind != Kind::text || name.lane != kNoLane || !name.given.always()) return {};
      if (std::find(names.begin(), names.end(), name.texts[0]) != names.end()) return {};
      names.push_back(name.texts[0]);
      if (amount.kind == Kind::missing) continue;
      if (amount.kind == Kind::unknown) return amount;
      if (amount.kind != Kind::number) return {};
      const LaneNumber positive = b_.lesser(amount.number, LaneBuilder::number(0), true);
      values.push_back(b_.choose(b_.both(list.present[i], amount.given), positive, LaneBuilder::number(0)));
      ones.push_back(LaneBuilder::number(1));
    }
    total = b_.weighted(values, ones);
  } else {
    return {};
  }
  if (cap.kind == Kind::number) {
    if (!cap.given.always()) return {};
    total = b_.lesser(total, b_.lesser(cap.number, LaneBuilder::number(0), true));
  } else if (cap.kind != Kind::missing) {
    return {};
  }
  if (total.bad) return {};
  Known k;
  k.kind = Kind::total;
  k.number = total;
  return k;
}

Known KernelCompiler::loop(const Expr* e) {
  const Loop& l = *e->loop;
  if (l.state >= 0 || !l.order.empty() || l.clauses.empty() || l.clauses[0].kind != LoopClause::Kind::for_in) return {};
  for (std::size_t i = 1; i < l.clauses.size(); ++i) {
    if (l.clauses[i].kind != LoopClause::Kind::when) return {};
  }
  const LoopClause& over = l.clauses[0];
  const Known source = eval(over.expr);
  if (source.kind == Kind::missing) return missing();
  const auto set = [&](int local, Known value) {
    if (local < 0) return;
    if (locals_.size() <= static_cast<std::size_t>(local)) locals_.resize(static_cast<std::size_t>(local) + 1);
    locals_[static_cast<std::size_t>(local)] = std::move(value);
  };
  if (source.kind == Kind::total) {  // the sum of the amounts
    const Expr* v = l.value;
    const bool amount = l.collect == Collect::sum && l.clauses.size() == 1 && v->op == Op::field && v->index == 1 &&
                        v->args[0]->op == Op::local && static_cast<int>(v->args[0]->index) == over.second;
    return amount ? of(source.number, source.given) : Known{};
  }
  if (source.kind == Kind::input && model_.types.kind(source.type) == TypeKind::list) {
    Known one;
    one.kind = Kind::item;
    one.path = source.path;
    one.type = model_.types[source.type].element;
    set(over.first, {});
    set(over.second, one);
    if (l.clauses.size() > 1) return {};
    const Known value = eval(l.value);
    if (l.collect == Collect::list && value.kind != Kind::unknown) {
      Known k;
      k.kind = Kind::uniform;
      k.path = source.path;
      k.type = source.type;
      k.parts.push_back(value);
      k.given = given_of(source);
      return k;
    }
    if (l.collect == Collect::count && value.kind != Kind::unknown) return count(source);
    const bool truth = (l.collect == Collect::all || l.collect == Collect::any) && value.kind == Kind::item &&
                       model_.types.kind(value.type) == TypeKind::boolean && !l.value->optional;
    if (!truth) return {};
    const std::size_t at =
        port_index(l.collect == Collect::all ? Port::Kind::all : Port::Kind::any, source.path, value.inner);
    Port& p = kernel_->ports[at];
    if (p.lane == kNoLane) p.lane = b_.in_lane(b_.new_lane(), 0, 1).lane;
    p.high = 1;
    const Truth given = p.given == kNoLane ? kYes : Truth{p.given};
    return of(b_.both(Truth{p.lane}, given), given);
  }
  if (source.kind != Kind::list) return {};
  Known k;
  k.kind = Kind::list;
  k.given = source.given;
  const bool counts = std::all_of(source.present.begin(), source.present.end(), [](Truth t) { return t.always(); });
  for (std::size_t i = 0; i < source.parts.size(); ++i) {
    set(over.first, counts ? of(LaneBuilder::number(static_cast<std::int64_t>(i))) : Known{});
    set(over.second, source.parts[i]);
    Truth present = source.present[i];
    for (std::size_t c = 1; c < l.clauses.size(); ++c) {
      const Known condition = eval(l.clauses[c].expr);
      if (condition.kind == Kind::missing) present = kNo;
      else if (condition.kind != Kind::truth) return {};
      else present = b_.both(present, condition.value);
    }
    if (present.never()) continue;
    k.parts.push_back(l.collect == Collect::count ? Known(of(LaneBuilder::number(1))) : eval(l.value));
    k.present.push_back(present);
  }
  switch (l.collect) {
    case Collect::list: return k;
    case Collect::count: return count(k);
    case Collect::sum: return aggregate(Builtin::sum, k);
    case Collect::mean: return aggregate(Builtin::mean, k);
    case Collect::min: return aggregate(Builtin::min, k);
    case Collect::max: return aggregate(Builtin::max, k);
    case Collect::any: return aggregate(Builtin::any, k);
    case Collect::all: return aggregate(Builtin::all, k);
    default: return {};
  }
}

}  // namespace assay
