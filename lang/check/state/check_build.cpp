// Checker: builds typed expressions. Constants are folded here, so that tables, weights and defaults may be
// expressions, and arithmetic computes ranges.
#include "lang/check/state/expr_builder.hpp"
#include "lang/value/interval.hpp"

#include <cassert>

namespace assay {

Expr* ExprBuilder::make(Op op, TypeId type, Span span, std::vector<Expr*> args) {
  budget_.step();
  budget_.take(sizeof(Expr) + args.size() * sizeof(void*));
  Expr& e = model_.expressions.emplace_back();
  e.op = op;
  e.type = type;
  e.span = span;
  e.args = std::move(args);
  return &e;
}

// For constants; the number is limited before they are allocated.
Value* ExprBuilder::values(std::size_t count) {
  budget_.step(count);
  budget_.take(count * sizeof(Value));
  return model_.constants.array<Value>(count);
}

std::string_view ExprBuilder::keep(std::string_view s) {
  budget_.take(s.size());
  return model_.constants.copy(s);
}

Expr* ExprBuilder::constant(Value value, TypeId type, Span span) {
  Expr* e = make(Op::constant, type, span);
  e->value = value;
  e->optional = value.missing();
  return e;
}

Expr* ExprBuilder::number(Number n, Span span) {
  return constant(make_number(n), types_.number(exactly(n), !n.missing() && is_whole(n)), span);
}
Expr* ExprBuilder::text(std::string_view s, Span span) {
  return constant(make_text(keep(s)), types_.text({std::string(s)}), span);
}
Expr* ExprBuilder::boolean(bool b, Span span) { return constant(make_bool(b), kBool, span); }
Expr* ExprBuilder::missing(Span span) { return constant(missing_value(), kUnknown, span); }
Expr* ExprBuilder::broken(Span span) { return missing(span); }

Expr* ExprBuilder::choose(Expr* then, Expr* cond, Expr* otherwise, Span span) {
  if (is_constant(cond)) return !cond->value.missing() && cond->value.boolean.truth ? then : otherwise;
  TypeId type = kUnknown;
  [[maybe_unused]] const bool joined = types_.join(then->type, otherwise->type, type);
  assert(joined);
  Expr* e = make(Op::choice, type, span, {then, cond, otherwise});
  e->optional = then->optional || otherwise->optional;
  return e;
}

namespace {

// Whether a number of this range to this power may be beyond 10^4000, or not 0 and below 10^-4000: it is missing then
// (see pow). Numbers of records reach 10^400.
bool may_leave_numbers(const Interval& base, bool whole_base, Number power, NumberPool& pool) {
  constexpr std::int64_t kAnyBase = 10;
  if (power.missing() || compare(power, whole(kAnyBase)) <= 0) return false;
  const Interval size = interval_abs(base, pool);
  if (size.high.missing() || pow(size.high, power, pool).missing()) return true;
  const bool from_zero = size.low.missing() || sign(size.low) == 0;
  return from_zero ? !whole_base : pow(size.low, power, pool).missing();
}

}  // namespace

Expr* ExprBuilder::arithmetic(Op op, Expr* a, Expr* b, Span span) {
  NumberPool& pool = numbers();
  const bool known = !a->value.missing() && !b->value.missing();
  // A value of unknown type has no range; otherwise an unknown name would be reported a second time for it.
  if ((kind_of(a) == TypeKind::unknown || kind_of(b) == TypeKind::unknown) && diagnostics_->has_errors())
    return broken(span);
  if (is_constant(a) && is_constant(b) && known && kind_of(a) == TypeKind::number && kind_of(b) == TypeKind::number) {
    const Number x = a->value.number, y = b->value.number;
    switch (op) {
      case Op::add: return number(add(x, y, pool), span);
      case Op::sub: return number(sub(x, y, pool), span);
      case Op::mul: return number(mul(x, y, pool), span);
      case Op::div: return number(div(x, y, pool), span);
      case Op::pow: {
        const Number p = pow(x, y, pool);
        if (!p.missing()) return number(p, span);
        break;
      }
      default: break;
    }
  }
  Interval range;
  bool optional = a->optional || b->optional;
  bool integral = false;
  if (kind_of(a) == TypeKind::number && kind_of(b) == TypeKind::number) {
    const Interval x = range_of(a), y = range_of(b);
    const bool wholes = types_[a->type].whole && types_[b->type].whole;
    switch (op) {
      case Op::add:
        range = interval_add(x, y, pool);
        integral = wholes;
        break;
      case Op::sub:
        range = interval_add(x, interval_neg(y, pool), pool);
        integral = wholes;
        break;
      case Op::mul:
        range = interval_mul(x, y, pool);
        integral = wholes;
        break;
      case Op::div:
        range = interval_div(x, y, pool);
        optional = optional || holds(y, whole(0));
        break;
      case Op::pow: {
        std::int64_t power = 0;
        const bool even = is_constant(b) && to_int64(b->value.number, power) && power >= 0 && power % 2 == 0;
        constexpr std::int64_t kMostPower = 16;
        range = interval_pow(x, y, pool);
        integral = even && power <= kMostPower && types_[a->type].whole;
        const bool from_zero = !x.low.missing() && sign(x.low) >= 0;
        if (!even || power > kMostPower)
          optional = optional || !from_zero || !is_constant(b) || sign(b->value.number) < 0;
        optional = optional || may_leave_numbers(x, types_[a->type].whole, b->value.number, pool);
        break;
      }
      default: break;  // no test: the operations of numbers are above
    }
  } else {
    optional = true;
  }
  Expr* e = make(op, types_.number(range, integral), span, {a, b});
  e->optional = optional;
  return e;
}

// Joins all of them by an associative operation: one after another if they are few, otherwise pairwise, so that the
// depth stays logarithmic.
Expr* ExprBuilder::chain(Op op, TypeId type, Span span, std::vector<Expr*> parts) {
  constexpr std::size_t kFew = 64;
  while (parts.size() > kFew) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < parts.size(); i += 2)
      parts[n++] = i + 1 < parts.size() ? make(op, type, span, {parts[i], parts[i + 1]}) : parts[i];
    parts.resize(n);
  }
  Expr* all = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) all = make(op, type, span, {all, parts[i]});
  return all;
}

Expr* ExprBuilder::builtin(Builtin id, TypeId type, Span span, std::vector<Expr*> args) {
  Expr* e = make(Op::builtin, type, span, std::move(args));
  e->index = static_cast<std::uint32_t>(id);
  for (const Expr* a : e->args) e->optional = e->optional || a->optional;
  return e;
}

Expr* ExprBuilder::min_of(Expr* a, Expr* b, Span span) {
  if (is_constant(a) && is_constant(b) && !a->value.missing() && !b->value.missing()) {
    return number(assay::min(a->value.number, b->value.number), span);
  }
  return builtin(Builtin::min,
                 types_.number(interval_min(range_of(a), range_of(b)), types_[a->type].whole && types_[b->type].whole),
                 span, {a, b});
}

Expr* ExprBuilder::max_of(Expr* a, Expr* b, Span span) {
  if (is_constant(a) && is_constant(b) && !a->value.missing() && !b->value.missing()) {
    return number(assay::max(a->value.number, b->value.number), span);
  }
  return builtin(Builtin::max,
                 types_.number(interval_max(range_of(a), range_of(b)), types_[a->type].whole && types_[b->type].whole),
                 span, {a, b});
}

Expr* ExprBuilder::clamp_to(Expr* a, const Interval& range, Span span) {
  if (!is_constant(a) && inside(range_of(a), range)) return a;
  auto* data = static_cast<RangeData*>(model_.constants.allocate(sizeof(RangeData)));
  *data = {range.low, range.high, false, false};
  Expr* r = constant(make_range(data), kRange, span);
  Interval result = range_of(a);
  if (!range.low.missing()) result = interval_max(result, exactly(range.low));
  if (!range.high.missing()) result = interval_min(result, exactly(range.high));
  return builtin(Builtin::clamp, types_.number(result, false), span, {a, r});
}

Expr* ExprBuilder::once(Expr* value, Context& cx, const std::function<Expr*(Expr*)>& use) {
  switch (value->op) {
    case Op::constant:
    case Op::slot:
    case Op::item:
    case Op::local:
    case Op::weight:
    case Op::make_record: return use(value);
    default: break;
  }
  Local local;
  local.type = value->type;
  local.optional = value->optional;
  local.id = add_local(cx);
  Expr* result = use(local_ref(local, value->span));
  Expr* let = make(Op::let_in, result->type, result->span, {value, result});
  let->index = static_cast<std::uint32_t>(local.id);
  let->optional = result->optional;
  return let;
}

Expr* ExprBuilder::record_of(std::vector<std::pair<std::string, Expr*>>&& fields, Span span) {
  std::vector<Field> types;
  std::vector<Expr*> args;
  for (auto& [name, e] : fields) {
    Field f;
    f.name = std::move(name);
    f.type = e->type;
    f.presence = e->optional ? Presence::optional : Presence::required;
    types.push_back(std::move(f));
    args.push_back(e);
  }
  return fold_record(make(Op::make_record, types_.record(std::move(types)), span, std::move(args)));
}

const void* ExprBuilder::parts_of(TypeKind kind, const Value& value) {
  if (value.missing()) return nullptr;
  if (kind == TypeKind::record) return value.record.fields;
  if (kind == TypeKind::map) return value.map.data->values;
  return kind == TypeKind::list ? static_cast<const void*>(value.list.items) : nullptr;
}

// How many values a constant has when written out. Constants share their parts; programs and verdicts do not.
std::size_t ExprBuilder::constant_size(const std::vector<Expr*>& parts) const {
  std::size_t size = 1;
  for (const Expr* e : parts) {
    const auto known = state_.constant_sizes.find(parts_of(kind_of(e), e->value));
    size += known == state_.constant_sizes.end() ? 1 : known->second;
  }
  return size;
}

bool ExprBuilder::small_enough(const std::vector<Expr*>& parts) const {
  constexpr std::size_t kShared = 1 << 14, kMost = 1 << 22;
  const std::size_t size = constant_size(parts);
  if (size <= kShared) return true;
  std::set<const void*> seen;
  for (const Expr* e : parts) {
    const void* data = parts_of(kind_of(e), e->value);
    if (data && state_.constant_sizes.count(data) && !seen.insert(data).second) return false;
  }
  return size <= kMost;
}

void ExprBuilder::remember_size(const void* data, const std::vector<Expr*>& parts) {
  if (data && !parts.empty()) state_.constant_sizes[data] = constant_size(parts);
}

// The values of arguments, if all are constants and small enough to be kept.
std::optional<Value*> ExprBuilder::constants_of(const std::vector<Expr*>& parts) {
  if (!std::all_of(parts.begin(), parts.end(), [](const Expr* part) { return part->op == Op::constant; }))
    return std::nullopt;
  if (!small_enough(parts)) return std::nullopt;
  Value* all = values(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) all[i] = parts[i]->value;
  remember_size(all, parts);
  return all;
}

Expr* ExprBuilder::fold_record(Expr* record) {
  const std::optional<Value*> fields = constants_of(record->args);
  if (!fields) return record;
  return constant(make_record(*fields, static_cast<std::uint32_t>(record->args.size())), record->type, record->span);
}

Expr* ExprBuilder::list_of_exprs(std::vector<Expr*> items, TypeId element, Span span) {
  const bool gaps = std::any_of(items.begin(), items.end(), [](const Expr* item) { return item->optional; });
  return fold_list(make(Op::make_list, types_.list(element, false, gaps), span, std::move(items)));
}

Expr* ExprBuilder::fold_list(Expr* list) {
  const std::optional<Value*> items = constants_of(list->args);
  if (!items) return list;
  return constant(make_list(*items, static_cast<std::uint32_t>(list->args.size())), list->type, list->span);
}

Expr* ExprBuilder::local_ref(const Local& local, Span span) {
  if (local.constant) return local.constant;
  Expr* e = make(Op::local, local.type, span);
  e->index = static_cast<std::uint32_t>(local.id);
  e->optional = local.optional;
  return e;
}

Local& ExprBuilder::push_local(Context& cx, std::string name, TypeId type, bool optional) {
  Local local;
  local.name = std::move(name);
  local.type = type;
  local.optional = optional;
  local.id = cx.locals++;
  cx.scope.push_back(std::move(local));
  return cx.scope.back();
}

// The same value as another type, which it is known to have.
Expr* ExprBuilder::retype(Expr* value, TypeId type) {
  if (value->type == type) return value;
  if (is_constant(value)) return constant(value->value, type, value->span);
  Expr* r = make(Op::retype, type, value->span, {value});
  r->optional = value->optional;
  return r;
}

void ExprBuilder::narrow(Expr& e, int rubric) {
  if (kind_of(&e) != TypeKind::number || is_constant(&e) || e.op == Op::weighted_sum) return;
  const Expr* otherwise = &e;  // 2 when … else 1 when … else 0 has the range of its numbers
  while (otherwise->op == Op::choice && is_constant(otherwise->args[0])) otherwise = otherwise->args[2];
  if (is_constant(otherwise)) return;
  const std::optional<Known> known = state_.ranges.closely(e, rubric);
  if (!known || !known->given) return;
  const Interval range = common(range_of(&e), known->range);
  const auto kept = [](Number end) { return end.missing() || end.small(); };  // without the numbers of the proof
  // A value that a check leaves nothing above 0 is turned around, and other warnings say so.
  const Number high = range_of(&e).high;
  const bool turned = state_.ranges.ensures(rubric) && !range.high.missing() && sign(range.high) <= 0;
  if (turned && (high.missing() || sign(high) > 0)) return;
  if (empty(range) || !kept(range.low) || !kept(range.high)) return;
  e.type = types_.number(range, types_[e.type].whole);
}

}  // namespace assay
