// Lists in kernels: those that a rubric writes out are taken apart; for those of a record, kernels count items or test
// whether all are true.
#include "lang/kernel/kernel_compiler.hpp"

#include <algorithm>

namespace assay {

// ---- lists

// The functions of a list that have instructions.
bool KernelCompiler::adds_up(Builtin which) {
  switch (which) {
    case Builtin::count:
    case Builtin::sum:
    case Builtin::mean:
    case Builtin::min:
    case Builtin::max:
    case Builtin::any:
    case Builtin::all: return true;
    default: return false;
  }
}

// One 'for', and conditions behind it: what can be taken apart item by item.
bool KernelCompiler::is_plain(const Loop& l) {
  if (l.state >= 0 || !l.order.empty() || l.clauses.empty() || l.clauses[0].kind != LoopClause::Kind::for_in)
    return false;
  return std::all_of(l.clauses.begin() + 1, l.clauses.end(),
                     [](const LoopClause& clause) { return clause.kind == LoopClause::Kind::when; });
}

AbstractValue KernelCompiler::count(const AbstractValue& list) {
  switch (list.kind) {
    case Kind::missing: return missing();
    case Kind::list: {
      std::vector<KernelNumber> values, ones;
      for (const Truth& present : list.present) {
        values.push_back(b_.from_truth(present));
        ones.push_back(KernelBuilder::number(1));
      }
      return of(b_.weighted(values, ones), list.given);
    }
    case Kind::uniform:
    case Kind::input: {
      if (model_.types.kind(list.type) != TypeKind::list) return {};
      const std::size_t at = input_index(KernelInput::Kind::count, list.path, {});
      KernelInput& p = kernel_->inputs[at];
      if (p.reg == kNoReg) p.reg = b_.in_register(b_.new_register(), 0, kItems).reg;
      p.high = kItems;
      return of(b_.in_register(p.reg, 0, kItems), p.given == kNoReg ? kYes : Truth{p.given});
    }
    default: return {};
  }
}

AbstractValue KernelCompiler::aggregate(Builtin which, const AbstractValue& list) {
  if (list.kind == Kind::missing) return missing();
  if (which == Builtin::count) return count(list);
  if (list.kind != Kind::list) return {};
  for (const AbstractValue& part : list.parts) {
    if (part.kind == Kind::unknown) return part;
  }
  const bool fixed = std::all_of(list.present.begin(), list.present.end(), [](Truth t) { return t.always(); });
  // Missing if a present item is missing.
  Truth given = list.given;
  for (std::size_t i = 0; i < list.parts.size(); ++i)
    given = b_.both(given, b_.either(list.parts[i].given, b_.negate(list.present[i])));
  switch (which) {
    case Builtin::sum:
    case Builtin::mean: {
      std::vector<KernelNumber> values, ones;
      for (std::size_t i = 0; i < list.parts.size(); ++i) {
        if (list.parts[i].kind != Kind::number)
          return list.parts[i].kind == Kind::missing && fixed ? missing() : AbstractValue{};
        values.push_back(b_.choose(list.present[i], list.parts[i].number, KernelBuilder::number(0)));
        ones.push_back(KernelBuilder::number(1));
      }
      const KernelNumber total = b_.weighted(values, ones);
      if (which == Builtin::sum) return of(total, given);
      const AbstractValue n = count(list);
      if (n.kind != Kind::number) return {};
      const KernelNumber mean = b_.div(total, n.number, given);
      return of(mean, given);
    }
    case Builtin::min:
    case Builtin::max: {
      if (!fixed) return {};
      if (list.parts.empty()) return missing();
      KernelNumber n;
      for (std::size_t i = 0; i < list.parts.size(); ++i) {
        if (list.parts[i].kind != Kind::number)
          return list.parts[i].kind == Kind::missing ? missing() : AbstractValue{};
        n = i == 0 ? list.parts[0].number : b_.lesser(n, list.parts[i].number, which == Builtin::max);
      }
      return of(n, given);
    }
    case Builtin::any:
    case Builtin::all: {  // three-valued
      std::vector<Truth> values, decided;
      for (std::size_t i = 0; i < list.parts.size(); ++i) {
        const AbstractValue& part = list.parts[i];
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
    default: return {};  // no test: adds_up() knows no other
  }
}

// Only the sum of the amounts: the VM shows the adjustments themselves.
AbstractValue KernelCompiler::adjust(const Expr* e) {
  const AbstractValue list = eval(e->args[0]);
  const AbstractValue cap = e->args.size() > 1 ? eval(e->args[1]) : missing();
  if (list.kind == Kind::missing) return missing();
  KernelNumber total = KernelBuilder::number(0);
  if (list.kind == Kind::uniform) {
    const AbstractValue& one = list.parts[0];
    if (one.kind != Kind::record || one.parts.size() < 2 || one.parts[0].kind != Kind::item ||
        !one.parts[0].inner.empty())
      return {};
    if (!model_.types[list.type].set) return {};  // names may repeat
    const AbstractValue n = count(list);
    if (one.parts[1].kind != Kind::number || !one.parts[1].number.constant() || n.kind != Kind::number ||
        !n.given.always())
      return {};
    if (one.parts[1].number.value > 0) total = b_.mul(n.number, one.parts[1].number);
  } else if (list.kind == Kind::list) {
    std::vector<std::string> names;
    std::vector<KernelNumber> values, ones;
    for (std::size_t i = 0; i < list.parts.size(); ++i) {
      const AbstractValue& part = list.parts[i];
      if (part.kind == Kind::unknown) return part;
      if (part.kind != Kind::record || part.parts.size() < 2 || !part.given.always()) return {};
      const AbstractValue &name = part.parts[0], &amount = part.parts[1];
      if (name.kind == Kind::unknown) return name;
      if (name.kind != Kind::text || name.reg != kNoReg || !name.given.always()) return {};
      if (std::find(names.begin(), names.end(), name.texts[0]) != names.end()) return {};
      names.push_back(name.texts[0]);
      if (amount.kind == Kind::missing) continue;
      if (amount.kind == Kind::unknown) return amount;
      if (amount.kind != Kind::number) return {};
      const KernelNumber positive = b_.lesser(amount.number, KernelBuilder::number(0), true);
      values.push_back(b_.choose(b_.both(list.present[i], amount.given), positive, KernelBuilder::number(0)));
      ones.push_back(KernelBuilder::number(1));
    }
    total = b_.weighted(values, ones);
  } else {
    return {};
  }
  if (cap.kind == Kind::number) {
    if (!cap.given.always()) return {};
    total = b_.lesser(total, b_.lesser(cap.number, KernelBuilder::number(0), true));
  } else if (cap.kind != Kind::missing) {
    return {};
  }
  if (total.bad) return {};
  AbstractValue k;
  k.kind = Kind::total;
  k.number = total;
  return k;
}

AbstractValue KernelCompiler::loop(const Expr* e) {
  const Loop& l = *e->loop;
  if (!is_plain(l)) return {};
  const LoopClause& over = l.clauses[0];
  const AbstractValue source = eval(over.expr);
  if (source.kind == Kind::missing) return missing();
  const auto set = [&](int local, AbstractValue value) {
    if (local < 0) return;
    if (locals_.size() <= static_cast<std::size_t>(local)) locals_.resize(static_cast<std::size_t>(local) + 1);
    locals_[static_cast<std::size_t>(local)] = std::move(value);
  };
  if (source.kind == Kind::total) {  // the sum of the amounts
    const Expr* v = l.value;
    const bool amount = l.collect == Collect::sum && l.clauses.size() == 1 && v->op == Op::field && v->index == 1 &&
                        v->args[0]->op == Op::local && static_cast<int>(v->args[0]->index) == over.second;
    return amount ? of(source.number, source.given) : AbstractValue{};
  }
  if (source.kind == Kind::input && model_.types.kind(source.type) == TypeKind::list) {
    AbstractValue one;
    one.kind = Kind::item;
    one.path = source.path;
    one.type = model_.types[source.type].element;
    set(over.first, {});
    set(over.second, one);
    if (l.clauses.size() > 1) return {};
    const AbstractValue value = eval(l.value);
    if (l.collect == Collect::list && value.kind != Kind::unknown) {
      AbstractValue k;
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
    const std::size_t at = input_index(l.collect == Collect::all ? KernelInput::Kind::all : KernelInput::Kind::any,
                                       source.path, value.inner);
    KernelInput& p = kernel_->inputs[at];
    if (p.reg == kNoReg) p.reg = b_.in_register(b_.new_register(), 0, 1).reg;
    p.high = 1;
    const Truth given = p.given == kNoReg ? kYes : Truth{p.given};
    return of(b_.both(Truth{p.reg}, given), given);
  }
  if (source.kind != Kind::list) return {};
  AbstractValue k;
  k.kind = Kind::list;
  k.given = source.given;
  const bool counts = std::all_of(source.present.begin(), source.present.end(), [](Truth t) { return t.always(); });
  for (std::size_t i = 0; i < source.parts.size(); ++i) {
    set(over.first, counts ? of(KernelBuilder::number(static_cast<std::int64_t>(i))) : AbstractValue{});
    set(over.second, source.parts[i]);
    Truth present = source.present[i];
    for (std::size_t c = 1; c < l.clauses.size(); ++c) {
      const AbstractValue condition = eval(l.clauses[c].expr);
      if (condition.kind == Kind::missing) present = kNo;
      else if (condition.kind != Kind::truth) return {};
      else present = b_.both(present, condition.value);
    }
    if (present.never()) continue;
    k.parts.push_back(l.collect == Collect::count ? AbstractValue(of(KernelBuilder::number(1))) : eval(l.value));
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
