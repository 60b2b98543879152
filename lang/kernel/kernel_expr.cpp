// Expressions of kernels: choices, comparisons, arithmetic, calls.
#include "lang/kernel/kernel_compiler.hpp"

#include <algorithm>
#include <utility>

namespace assay {

// ---- choices and comparisons

AbstractValue KernelCompiler::choose(Truth when, const AbstractValue& a, const AbstractValue& b) {
  if (when.constant()) return when.value ? a : b;
  if (a.kind == Kind::input && model_.types.kind(a.type) == TypeKind::text) return {};
  if (a.kind == Kind::missing && b.kind == Kind::missing) return missing();
  const Truth first = b_.both(when, a.given), second = b_.and_not(b.given, when);
  const Truth given = a.given.always() && b.given.always() ? kYes : b_.either(first, second);
  const Kind kind = a.kind == Kind::missing ? b.kind : a.kind;
  if (a.kind != b.kind && a.kind != Kind::missing && b.kind != Kind::missing) return {};
  switch (kind) {
    case Kind::number:
      if (a.kind == Kind::missing) return of(b.number, given);
      if (b.kind == Kind::missing) return of(a.number, given);
      return of(b_.choose(when, a.number, b.number), given);
    case Kind::truth: {
      const Truth left = a.kind == Kind::missing ? kNo : a.value, right = b.kind == Kind::missing ? kNo : b.value;
      if (left.always() && right.never()) return of(when, given);
      if (left.never() && right.always()) return of(b_.negate(when), given);
      return of(b_.either(b_.both(when, left), b_.and_not(right, when)), given);
    }
    case Kind::text: {
      if (a.input >= 0 || b.input >= 0) return {};
      AbstractValue k = a.kind == Kind::missing ? b : a;
      k.given = given;
      if (a.kind == Kind::missing || b.kind == Kind::missing) return k;
      if (a.reg == kNoReg && b.reg == kNoReg && a.texts == b.texts) return k;
      // A constant is appended to the texts of the other side, whose positions do not change.
      const bool behind = a.reg == kNoReg;
      k.texts = behind ? b.texts : a.texts;
      const auto shift = static_cast<std::int64_t>(k.texts.size());
      k.texts.insert(k.texts.end(), (behind ? a : b).texts.begin(), (behind ? a : b).texts.end());
      const auto position = [&](const AbstractValue& t, std::int64_t from) {
        if (t.reg == kNoReg) return KernelBuilder::number(from);
        const KernelNumber n = b_.in_register(t.reg, 0, static_cast<std::int64_t>(t.texts.size()) - 1);
        return b_.add(n, KernelBuilder::number(from));
      };
      k.reg = b_.reg(b_.choose(when, position(a, behind ? shift : 0), position(b, behind ? 0 : shift)));
      return k;
    }
    case Kind::record: {
      const std::size_t n = std::max(a.parts.size(), b.parts.size());
      AbstractValue k;
      k.kind = Kind::record;
      k.given = given;
      for (std::size_t i = 0; i < n; ++i) {
        if (a.kind == Kind::missing) k.parts.push_back(b.parts[i]);
        else if (b.kind == Kind::missing) k.parts.push_back(a.parts[i]);
        else k.parts.push_back(choose(when, a.parts[i], b.parts[i]));
      }
      return k;
    }
    case Kind::list: {
      if (!a.given.always() || !b.given.always()) return {};
      AbstractValue k;  // the items of both sides, each present if its side is chosen
      k.kind = Kind::list;
      for (const AbstractValue* list : {&a, &b}) {
        for (std::size_t i = 0; i < list->parts.size(); ++i) {
          k.parts.push_back(list->parts[i]);
          k.present.push_back(list == &a ? b_.both(when, list->present[i]) : b_.and_not(list->present[i], when));
        }
      }
      return k;
    }
    default: return {};
  }
}

Truth KernelCompiler::is_text(const AbstractValue& k, const std::string& text) {
  if (k.input >= 0) {
    std::vector<std::string>& names = kernel_->inputs[static_cast<std::size_t>(k.input)].names;
    auto at = std::find(names.begin(), names.end(), text);
    if (at == names.end()) at = names.insert(names.end(), text);
    const KernelNumber position = b_.in_register(k.reg, 0, 1 << 20);
    return b_.equal(position, KernelBuilder::number(at - names.begin()));  // a missing text equals none of the names
  }
  if (k.reg == kNoReg) return b_.both({kNoReg, k.texts[0] == text}, k.given);
  std::vector<Truth> found;
  for (std::size_t i = 0; i < k.texts.size(); ++i) {
    if (k.texts[i] != text) continue;
    const auto last = static_cast<std::int64_t>(k.texts.size()) - 1;
    found.push_back(b_.equal(b_.in_register(k.reg, 0, last), KernelBuilder::number(static_cast<std::int64_t>(i))));
  }
  return b_.both(b_.any_of(found), k.given);
}

AbstractValue KernelCompiler::equal(const AbstractValue& left, const AbstractValue& right) {
  if (left.kind == Kind::missing || right.kind == Kind::missing) return missing();
  const AbstractValue a = as_text_register(left), b = as_text_register(right);
  const Truth given = b_.both(a.given, b.given);
  if (a.kind == Kind::number && b.kind == Kind::number) return of(b_.both(b_.equal(a.number, b.number), given), given);
  if (a.kind == Kind::truth && b.kind == Kind::truth) return of(b_.and_not(given, b_.differ(a.value, b.value)), given);
  if (a.kind == Kind::text && b.kind == Kind::text) {
    const bool first = a.reg == kNoReg;
    if (!first && b.reg != kNoReg) return {};
    return of(b_.both(is_text(first ? b : a, (first ? a : b).texts[0]), given), given);
  }
  return {};
}

AbstractValue KernelCompiler::compare(const Expr* e) {
  const AbstractValue a = eval(e->args[0]), b = eval(e->args[1]);
  if (e->op == Op::eq || e->op == Op::ne) {
    AbstractValue k = equal(a, b);
    if (e->op == Op::ne && k.kind == Kind::truth) k.value = b_.and_not(k.given, k.value);
    return k;
  }
  if (a.kind == Kind::missing || b.kind == Kind::missing) return missing();
  if (a.kind != Kind::number || b.kind != Kind::number) return {};
  const Truth given = b_.both(a.given, b.given);
  Truth value;
  switch (e->op) {
    case Op::lt: value = b_.less(a.number, b.number); break;
    case Op::gt: value = b_.less(b.number, a.number); break;
    case Op::le: value = b_.negate(b_.less(b.number, a.number)); break;
    default: value = b_.negate(b_.less(a.number, b.number)); break;
  }
  return of(b_.both(value, given), given);
}

// ---- expressions

AbstractValue KernelCompiler::weighted_sum(const Expr* e) {
  const std::size_t n = e->args.size() / 2;
  std::vector<KernelNumber> values, factors;
  Truth given = kYes;
  for (std::size_t i = 0; i < n; ++i) {
    const AbstractValue value = eval(e->args[i]), factor = eval(e->args[n + i]);
    if (value.kind == Kind::missing || factor.kind == Kind::missing) return missing();
    if (value.kind != Kind::number || factor.kind != Kind::number) return {};
    given = b_.both(given, b_.both(value.given, factor.given));
    values.push_back(value.number);
    factors.push_back(factor.number);
  }
  return of(b_.weighted(values, factors), given);
}

AbstractValue KernelCompiler::call(const Expr* e) {
  if (depth_ >= kDepth) return {};
  const Function& f = model_.functions[e->index];
  if (f.rubric >= 0 && f.rubric != request_.rubric) return {};
  std::vector<AbstractValue> args;
  for (const Expr* arg : e->args) args.push_back(eval(arg));
  std::vector<AbstractValue> outer(static_cast<std::size_t>(std::max(f.locals, static_cast<int>(f.params.size()))));
  std::move(args.begin(), args.end(), outer.begin());
  std::swap(outer, locals_);
  ++depth_;
  AbstractValue result = eval(f.body);
  --depth_;
  std::swap(outer, locals_);
  return result;
}

AbstractValue KernelCompiler::builtin(const Expr* e) {
  const auto which = static_cast<Builtin>(e->index);
  std::vector<AbstractValue> args;
  if (e->args.empty()) return {};
  // For any other function the list is not taken apart, which may cost a table of many rows for each of its items. A loop
  // that no kernel has says more about why.
  const Expr& first = *e->args[0];
  const bool of_list = model_.types.kind(first.type) == TypeKind::list;
  if (of_list && !adds_up(which) && (first.op != Op::loop || is_plain(*first.loop))) return {};
  for (const Expr* arg : e->args) args.push_back(eval(arg));
  if (which == Builtin::count) return count(args[0]);
  Truth given = kYes;
  for (const AbstractValue& arg : args) {
    if (arg.kind == Kind::missing) return missing();
    if (arg.kind == Kind::unknown) return arg;
  }
  const bool list = args[0].kind == Kind::list;
  if (list && args.size() == 1) return aggregate(which, args[0]);
  for (const AbstractValue& arg : args) {
    if (arg.kind != Kind::number && arg.kind != Kind::range) return {};
    given = b_.both(given, arg.given);
  }
  if (args[0].kind != Kind::number) return {};
  KernelNumber n = args[0].number;
  const auto rounded = [&](Rounding mode) -> AbstractValue {
    std::int64_t decimals = 0;
    if (args.size() > 1) {
      if (!args[1].number.constant() || args[1].number.unit != 1) return {};
      decimals = args[1].number.value;
    }
    if (decimals > 9 || decimals < -9) return {};
    const Interval& range = model_.types[e->type].range;
    return of(b_.within(b_.round(n, static_cast<int>(decimals), mode), range), given);
  };
  switch (which) {
    case Builtin::abs: return of(b_.absolute(n), given);
    case Builtin::sign: {
      const KernelNumber zero = KernelBuilder::number(0), one = KernelBuilder::number(1);
      return of(b_.choose(b_.less(n, zero), KernelBuilder::number(-1), b_.choose(b_.less(zero, n), one, zero)), given);
    }
    case Builtin::min:
    case Builtin::max:
      for (std::size_t i = 1; i < args.size(); ++i) n = b_.lesser(n, args[i].number, which == Builtin::max);
      return of(n, given);
    case Builtin::clamp:
      return args.size() == 2 && args[1].kind == Kind::range ? of(b_.clamp(n, args[1].range), given) : AbstractValue{};
    case Builtin::round: return rounded(Rounding::half_away);
    case Builtin::round_even: return rounded(Rounding::half_even);
    case Builtin::floor: return rounded(Rounding::floor);
    case Builtin::ceil: return rounded(Rounding::ceil);
    case Builtin::trunc: return rounded(Rounding::trunc);
    default: return {};
  }
}

// The number of a value's parts, counted slightly beyond `most`.
static std::size_t size_of(const AbstractValue& known, std::size_t most) {
  std::size_t size = 1;
  for (const AbstractValue& part : known.parts) {
    if (size > most) break;
    size += size_of(part, most - size);
  }
  return size;
}

AbstractValue KernelCompiler::item(int index) {
  std::optional<AbstractValue>& known = items_[static_cast<std::size_t>(index)];
  if (known) return *known;
  known = AbstractValue{};  // an item that depends on itself, which the checker excludes
  std::vector<AbstractValue> outer(static_cast<std::size_t>(rubric_.items[static_cast<std::size_t>(index)].locals));
  std::swap(outer, locals_);
  known = eval(rubric_.items[static_cast<std::size_t>(index)].body);
  std::swap(outer, locals_);
  return *items_[static_cast<std::size_t>(index)];
}

AbstractValue KernelCompiler::eval(const Expr* e) {
  if (b_.code.size() > kInstructions || b_.broken || values_ > kValues) return {};
  if (nested_ >= kNested || ++looked_at_ > kExpressions) return {};
  const Reason outer = std::exchange(reason_, {});
  const int levels = e->loop ? 2 : 1;  // a loop uses twice as much of the stack
  nested_ += levels;
  AbstractValue k = evaluated(e);
  nested_ -= levels;
  values_ += size_of(k, kValues);
  if (values_ > kValues) k = {};
  if (k.kind == Kind::unknown) {
    if (k.reason.at == nullptr) k.reason = reason_.at != nullptr ? reason_ : Reason{e, k.reason.large};
    reason_ = outer.at != nullptr ? outer : k.reason;
  } else {
    reason_ = outer;
  }
  return k;
}

AbstractValue KernelCompiler::evaluated(const Expr* e) {
  const std::vector<Expr*>& args = e->args;
  switch (e->op) {
    case Op::constant: return constant(e->type, e->value);
    case Op::local: return e->index < locals_.size() ? locals_[e->index] : AbstractValue{};
    case Op::slot: return input(rubric_.slots[e->index].type, {e->index});
    case Op::weight: {
      const Number n =
          request_.weights != nullptr ? request_.weights[e->index] : rubric_.weighting.weights[e->index].value;
      return of(KernelBuilder::number(n));
    }
    case Op::raw_history: {  // empty wherever a kernel is used
      AbstractValue k;
      k.kind = Kind::list;
      return k;
    }
    case Op::item: return item(static_cast<int>(e->index));
    case Op::let_in: {
      AbstractValue value = eval(args[0]);
      if (locals_.size() <= e->index) locals_.resize(e->index + 1);
      locals_[e->index] = std::move(value);
      return eval(args[1]);
    }
    case Op::choice: {
      const AbstractValue when = eval(args[1]);
      if (when.kind == Kind::missing) return eval(args[2]);
      if (when.kind != Kind::truth) return {};
      if (when.value.constant()) return eval(args[when.value.value ? 0 : 2]);
      const AbstractValue a = eval(args[0]), b = eval(args[2]);
      if (a.kind == Kind::unknown || b.kind == Kind::unknown) return {};
      return choose(when.value, a, b);
    }
    case Op::and_:
    case Op::or_:
    case Op::xor_: {
      const AbstractValue a = eval(args[0]), b = eval(args[1]);
      if ((a.kind != Kind::truth && a.kind != Kind::missing) || (b.kind != Kind::truth && b.kind != Kind::missing))
        return {};
      const Truth both = b_.both(a.given, b.given);
      const Truth av = a.kind == Kind::missing ? kNo : a.value, bv = b.kind == Kind::missing ? kNo : b.value;
      if (e->op == Op::or_) {
        const Truth value = b_.either(av, bv);
        return of(value, b_.either(both, value));
      }
      if (e->op == Op::xor_) return of(b_.both(both, b_.differ(av, bv)), both);
      if (both.always()) return of(b_.both(av, bv));
      const Truth no = b_.either(b_.and_not(a.given, av), b_.and_not(b.given, bv));
      return of(b_.both(av, bv), b_.either(both, no));
    }
    case Op::not_: {
      const AbstractValue a = eval(args[0]);
      if (a.kind == Kind::missing) return missing();
      return a.kind == Kind::truth ? of(b_.and_not(a.given, a.value), a.given) : AbstractValue{};
    }
    case Op::eq:
    case Op::ne:
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge: return compare(e);
    case Op::in_range: {
      const AbstractValue n = eval(args[0]), range = eval(args[1]);
      if (n.kind == Kind::missing || range.kind == Kind::missing) return missing();
      if (n.kind != Kind::number || range.kind != Kind::range) return {};
      CellTest test;
      test.kind = CellTest::Kind::range;
      test.range = range.range;
      return of(fits(n, test), n.given);
    }
    case Op::in_list: {
      const AbstractValue one = as_text_register(eval(args[0])), list = eval(args[1]);
      if (one.kind == Kind::missing || list.kind == Kind::missing) return missing();
      if (list.kind != Kind::list || one.kind == Kind::unknown || list.parts.size() > kRows) return {};
      if (const AbstractValue k = one_of_texts(one, list); k.kind == Kind::truth) return k;
      std::vector<Truth> found;
      for (std::size_t i = 0; i < list.parts.size(); ++i) {
        if (!list.parts[i].given.always() || !list.present[i].always()) return {};
        const AbstractValue same = equal(one, list.parts[i]);
        if (same.kind != Kind::truth) return {};
        found.push_back(same.value);
      }
      return of(b_.any_of(found), one.given);
    }
    case Op::is_missing: {
      const AbstractValue a = eval(args[0]);
      return a.kind == Kind::unknown || a.kind == Kind::item ? AbstractValue{} : of(b_.negate(given_of(a)));
    }
    case Op::default_: {
      const AbstractValue a = eval(args[0]);
      if (a.kind == Kind::missing) return eval(args[1]);
      if (a.kind == Kind::unknown || a.kind == Kind::input) return {};
      if (a.given.always()) return a;
      const AbstractValue b = eval(args[1]);
      if (b.kind == Kind::unknown) return {};
      if (a.kind == Kind::number && b.kind == Kind::number && b.given.always() && filled(a, b.number))
        return of(a.number);
      return choose(a.given, a, b);
    }
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div: {
      const AbstractValue a = eval(args[0]), b = eval(args[1]);
      if (a.kind == Kind::missing || b.kind == Kind::missing) return missing();
      if (a.kind != Kind::number || b.kind != Kind::number) return {};
      Truth given = b_.both(a.given, b.given);
      switch (e->op) {
        case Op::add: return of(b_.add(a.number, b.number), given);
        case Op::sub: return of(b_.sub(a.number, b.number), given);
        case Op::mul: return of(b_.mul(a.number, b.number), given);
        default: {
          const KernelNumber n = b_.div(a.number, b.number, given);
          return of(n, given);
        }
      }
    }
    case Op::neg: {
      const AbstractValue a = eval(args[0]);
      if (a.kind != Kind::number) return a.kind == Kind::missing ? a : AbstractValue{};
      return of(b_.sub(KernelBuilder::number(0), a.number), a.given);
    }
    case Op::concat: {
      const AbstractValue a = eval(args[0]), b = eval(args[1]);
      if (a.kind == Kind::missing || b.kind == Kind::missing) return missing();
      if (a.kind == Kind::list && a.parts.empty()) return b;
      if (b.kind == Kind::list && b.parts.empty()) return a;
      if (a.kind != Kind::list || b.kind != Kind::list || model_.types[e->type].set) return {};
      AbstractValue k = a;
      k.given = b_.both(a.given, b.given);
      k.parts.insert(k.parts.end(), b.parts.begin(), b.parts.end());
      k.present.insert(k.present.end(), b.present.begin(), b.present.end());
      return k;
    }
    case Op::make_range: {
      const AbstractValue a = eval(args[0]), b = eval(args[1]);
      AbstractValue k;
      k.kind = Kind::range;
      k.range.low_open = (e->index & 1) != 0;
      k.range.high_open = (e->index & 2) != 0;
      const auto end = [](const AbstractValue& n, const Expr* from, Number& to) {
        if (n.kind == Kind::missing) return from->op == Op::constant;
        if (n.kind != Kind::number || !n.number.constant() || !n.given.always()) return false;
        to = {n.number.value, n.number.unit};
        return true;
      };
      return end(a, args[0], k.range.low) && end(b, args[1], k.range.high) ? k : AbstractValue{};
    }
    case Op::make_record:
    case Op::make_list: {
      AbstractValue k;
      k.kind = e->op == Op::make_list ? Kind::list : Kind::record;
      for (const Expr* arg : args) k.parts.push_back(eval(arg));
      k.present.assign(k.parts.size(), kYes);
      return k;
    }
    case Op::field: return field(eval(args[0]), e->index, e->type);
    case Op::call: return call(e);
    case Op::builtin: return builtin(e);
    case Op::loop: return loop(e);
    case Op::lookup: return lookup(e);
    case Op::pick: return pick(e);
    case Op::weighted_sum: return weighted_sum(e);
    case Op::adjust: return adjust(e);
    case Op::compact: {
      AbstractValue k = eval(args[0]);
      if (k.kind == Kind::missing) return k;
      if (k.kind != Kind::list) return {};
      for (std::size_t i = 0; i < k.parts.size(); ++i) {
        if (k.parts[i].kind == Kind::unknown) return k.parts[i];
        k.present[i] = b_.both(k.present[i], given_of(k.parts[i]));
      }
      return k;
    }
    case Op::join_text: {
      const bool whole =
          e->parts.size() == 1 && e->parts[0].arg == 0 && model_.types.kind(args[0]->type) == TypeKind::text;
      if (whole) return eval(args[0]);
      if (args.empty()) {
        std::string text;
        for (const TextSegment& part : e->parts) text += part.literal;
        return of_text(std::move(text));
      }
      return {};
    }
    default: return {};
  }
}

}  // namespace assay
