// The inputs of kernels: made when an expression needs a value, with the replacement for absent values.
#include "lang/kernel/kernel_compiler.hpp"

#include <algorithm>

namespace assay {

// ---- inputs

std::size_t KernelCompiler::input_index(KernelInput::Kind kind, const InputPath& path, const InputPath& inner) {
  for (std::size_t i = 0; i < kernel_->inputs.size(); ++i) {
    const KernelInput& p = kernel_->inputs[i];
    if (p.kind == kind && p.path == path && p.item == inner) return i;
  }
  KernelInput p;
  p.kind = kind;
  p.path = path;
  p.item = inner;
  kernel_->inputs.push_back(std::move(p));
  absent(kernel_->inputs.back(), path,
         kind == KernelInput::Kind::count || kind == KernelInput::Kind::all || kind == KernelInput::Kind::any);
  return kernel_->inputs.size() - 1;
}

// The replacements for an absent value, at each step of its path.
void KernelCompiler::absent(KernelInput& input, const InputPath& path, bool list) {
  const std::vector<Slot>& slots = rubric_.slots;
  const Slot& slot = slots[path[0]];
  std::vector<std::pair<Presence, Value>> steps{{slot.presence, slot.fallback}};
  TypeId type = slot.type;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Field& f = model_.types[type].fields[path[i]];
    steps.emplace_back(f.presence, f.fallback);
    type = f.type;
  }
  bool optional = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    KernelInput::Absent a;
    a.required = steps[i].first == Presence::required;
    Value v = steps[i].first == Presence::defaulted ? steps[i].second : missing_value();
    for (std::size_t k = i + 1; k < path.size() && !v.missing(); ++k)
      v = path[k] < v.record.size ? v.record.fields[path[k]] : missing_value();
    if (!a.required) {
      a.given = !v.missing();
      optional = optional || !a.given;
      if (a.given && list) {
        if (v.list.size > 0) a.required = true;  // a default with items is left to the VM
        a.value = input.kind == KernelInput::Kind::all ? 1 : 0;
      } else if (a.given && input.kind == KernelInput::Kind::truth) {
        a.value = v.boolean.truth;
      } else if (a.given && input.kind == KernelInput::Kind::symbol) {
        const std::string text(v.text.view());
        auto& names = input.names;
        if (std::find(names.begin(), names.end(), text) == names.end()) names.push_back(text);
        a.value = std::find(names.begin(), names.end(), text) - names.begin();
      }
    }
    input.absent.push_back(a);
  }
  // A required record around an absent field matters as well, so `given` is needed if any step may leave the value
  // missing.
  if (optional || input.kind == KernelInput::Kind::given) input.given = b_.in_register(b_.new_register(), 0, 1).reg;
}

AbstractValue KernelCompiler::input(TypeId type, InputPath path) {
  const Type& t = model_.types[type];
  AbstractValue k;
  k.type = type;
  k.path = path;
  switch (t.kind) {
    case TypeKind::boolean: {
      const std::size_t at = input_index(KernelInput::Kind::truth, path, {});
      KernelInput& p = kernel_->inputs[at];
      if (p.reg == kNoReg) p.reg = b_.in_register(b_.new_register(), 0, 1).reg;
      p.high = 1;
      return of(Truth{p.reg}, p.given == kNoReg ? kYes : Truth{p.given});
    }
    case TypeKind::number: {
      const std::size_t at = input_index(KernelInput::Kind::number, path, {});
      KernelInput& p = kernel_->inputs[at];
      if (p.reg == kNoReg) {
        NumberBounds bounds;
        const bool bounded = !t.range.low.missing() && !t.range.high.missing();
        if (bounded && !t.whole) bounds.decimals = 2;
        if (const auto found = request_.bounds.find(path); found != request_.bounds.end()) bounds = found->second;
        if (t.whole) bounds.decimals = 0;
        std::int64_t unit = 1;
        for (int i = 0; i < bounds.decimals; ++i) unit *= 10;
        p.decimals = bounds.decimals;
        const Wide most = Wide{bounds.limit} * unit;
        if (most > KernelBuilder::kMost) return {};
        p.low = static_cast<std::int64_t>(-most);
        p.high = static_cast<std::int64_t>(most);
        NumberPool pool;
        const auto bound = [&](Number end, Rounding mode, std::int64_t& to, bool open, int step) {
          if (end.missing()) return true;
          std::int64_t n = 0;
          const Number scaled = round_to(assay::mul(end, whole(unit), pool), 0, mode, pool);
          if (!scaled.small() || !to_int64(scaled, n) || n > KernelBuilder::kMost || n < -KernelBuilder::kMost)
            return false;
          if (open && assay::compare(scaled, assay::mul(end, whole(unit), pool)) == 0) n += step;
          if (step > 0 ? n > to : (bounded || n < to)) to = n;
          return true;
        };
        if (bounded) p.low = -KernelBuilder::kMost;
        if (!bound(t.range.low, Rounding::ceil, p.low, t.range.low_open, 1) ||
            !bound(t.range.high, Rounding::floor, p.high, t.range.high_open, -1))
          return {};
        if (p.low > p.high) return {};
        for (std::size_t i = 0; i < p.absent.size(); ++i) {  // defaults, in this unit
          if (p.absent[i].required || !p.absent[i].given) {
            p.absent[i].value = p.low;
            continue;
          }
          Value v = i == 0 ? rubric_.slots[path[0]].fallback : missing_value();
          TypeId at_type = rubric_.slots[path[0]].type;
          for (std::size_t s = 1; s <= i; ++s) {
            const Field& f = model_.types[at_type].fields[path[s]];
            if (s == i) v = f.fallback;
            at_type = f.type;
          }
          for (std::size_t s = i + 1; s < path.size(); ++s) v = v.record.fields[path[s]];
          const Wide scaled = v.number.small() ? Wide{v.number.num} * unit : 0;
          if (!v.number.small() || scaled % v.number.den != 0) {
            p.absent[i].required = true;  // not expressible in this unit
          } else {
            const Wide n = scaled / v.number.den;
            if (n < p.low || n > p.high) p.absent[i].required = true;
            else p.absent[i].value = static_cast<std::int64_t>(n);
          }
        }
        p.reg = b_.in_register(b_.new_register(), p.low, p.high).reg;
      }
      std::int64_t unit = 1;
      for (int i = 0; i < p.decimals; ++i) unit *= 10;
      return of(b_.in_register(p.reg, p.low, p.high, unit), p.given == kNoReg ? kYes : Truth{p.given});
    }
    case TypeKind::text:
    case TypeKind::list:
    case TypeKind::map:
    case TypeKind::record:
    case TypeKind::any: k.kind = Kind::input; return k;
    default: return {};
  }
}

AbstractValue KernelCompiler::as_text_register(const AbstractValue& k) {
  if (k.kind != Kind::input || model_.types.kind(k.type) != TypeKind::text) return k;
  const std::size_t at = input_index(KernelInput::Kind::symbol, k.path, {});
  KernelInput& p = kernel_->inputs[at];
  if (p.reg == kNoReg) p.reg = b_.in_register(b_.new_register(), 0, 1 << 20).reg;
  AbstractValue out;
  out.kind = Kind::text;
  out.reg = p.reg;
  out.input = static_cast<int>(at);
  out.given = p.given == kNoReg ? kYes : Truth{p.given};
  return out;
}

Truth KernelCompiler::given_of(const AbstractValue& k) {
  if (k.kind != Kind::input) return k.given;
  switch (model_.types.kind(k.type)) {
    case TypeKind::text: return as_text_register(k).given;
    case TypeKind::list: return count(k).given;
    default: {
      const std::size_t at = input_index(KernelInput::Kind::given, k.path, {});
      return Truth{kernel_->inputs[at].given};
    }
  }
}

// If an input is missing, its register may hold any value within its bounds; so it may as well hold the default that a
// rule uses instead, and nothing has to be chosen.
bool KernelCompiler::filled(const AbstractValue& known, const KernelNumber& by) {
  const KernelNumber& n = known.number;
  if (n.reg == kNoReg || n.den != kNoReg || !by.constant() || n.unit % by.unit != 0) return false;
  const Wide value = Wide{by.value} * (n.unit / by.unit);
  for (std::size_t i = 0; i < kernel_->inputs.size(); ++i) {
    KernelInput& p = kernel_->inputs[i];
    if (p.reg != n.reg || p.kind != KernelInput::Kind::number) continue;
    if (p.given != known.given.reg) return false;  // also missing for another reason: a condition may hide it
    if (value < p.low || value > p.high) return false;
    const auto fill = static_cast<std::int64_t>(value);
    if (const auto [at, added] = fills_.try_emplace(i, fill); !added) return at->second == fill;
    for (KernelInput::Absent& absent : p.absent) {
      if (!absent.required && !absent.given) absent.value = fill;
    }
    return true;
  }
  return false;
}

AbstractValue KernelCompiler::field(const AbstractValue& record, std::uint32_t index, TypeId type) {
  switch (record.kind) {
    case Kind::missing: return missing();
    case Kind::record: {
      if (index >= record.parts.size()) return missing();
      AbstractValue part = record.parts[index];
      if (record.given.always() || part.kind == Kind::unknown) return part;
      return choose(record.given, part, missing());
    }
    case Kind::input: {
      InputPath path = record.path;
      path.push_back(index);
      return input(type, std::move(path));
    }
    case Kind::item: {
      AbstractValue k = record;
      k.inner.push_back(index);
      k.type = type;
      return k;
    }
    default: return {};
  }
}

AbstractValue KernelCompiler::constant(TypeId type, const Value& v) {
  if (v.missing()) return missing();
  const Type& t = model_.types[type];
  AbstractValue k;
  switch (t.kind) {
    case TypeKind::number: return of(KernelBuilder::number(v.number));
    case TypeKind::boolean: return of(v.boolean.truth != 0 ? kYes : kNo);
    case TypeKind::text: return of_text(std::string(v.text.view()));
    case TypeKind::range:
      k.kind = Kind::range;
      k.range = *v.range.data;
      return k;
    case TypeKind::record:
      k.kind = Kind::record;
      for (std::uint32_t i = 0; i < v.record.size; ++i)
        k.parts.push_back(constant(t.fields[i].type, v.record.fields[i]));
      return k;
    case TypeKind::list:
      k.kind = Kind::list;
      for (std::uint32_t i = 0; i < v.list.size; ++i) k.parts.push_back(constant(t.element, v.list.items[i]));
      k.present.assign(k.parts.size(), kYes);
      return k;
    default: return {};
  }
}

}  // namespace assay
