// Makes the plans of records: one for each type reachable from the slots of the rubric.
#include "runtime/input/record_plan.hpp"

#include <algorithm>
#include <string>

namespace assay {

KeyPattern::KeyPattern(std::string_view name) {
  std::string text = '"' + std::string(name) + "\":";
  size_ = text.size();
  const std::size_t rest = (size_ - 1) % 8 + 1;  // bytes in the last word
  text.append(8, '\0');
  const auto word = [&](std::size_t at) {
    std::uint64_t value;
    std::memcpy(&value, text.data() + at, sizeof value);
    return value;
  };
  for (std::size_t at = 0; at + rest < size_; at += 8) words_.push_back(word(at));
  std::memset(&mask_, 0xff, rest);
  last_ = word(size_ - rest) & mask_;
}

namespace {

// The integers n for which n / 10^decimals is in the range; both ends fit 18 digits.
ValuePlan::Bounds scaled(const Interval& range, int decimals) {
  ValuePlan::Bounds result;
  NumberPool pool;
  const Number power = whole(kPowersOfTen[decimals]);
  const auto end = [&](Number bound, bool open, bool low, std::int64_t& out) {
    if (bound.missing()) return;
    const Number exact = mul(bound, power, pool);
    Number n = round_to(exact, 0, low ? Rounding::ceil : Rounding::floor, pool);
    if (open && compare(n, exact) == 0) n = low ? add(n, whole(1), pool) : sub(n, whole(1), pool);
    if (!to_int64(n, out)) out = sign(n) > 0 ? INT64_MAX : INT64_MIN;
  };
  end(range.low, range.low_open, true, result.low);
  end(range.high, range.high_open, false, result.high);
  return result;
}

}  // namespace

void RecordPlan::index() {
  const std::uint32_t size = map_index_size(static_cast<std::uint32_t>(fields.size()));
  table.assign(size, 0);
  mask = size - 1;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::uint32_t at = static_cast<std::uint32_t>(hash_text(fields[i].name)) & mask;
    while (table[at] != 0) at = (at + 1) & mask;
    table[at] = static_cast<std::uint32_t>(i + 1);
  }
  after.resize(fields.size() + 1);
  for (std::size_t i = 0; i < after.size(); ++i) { after[i] = static_cast<std::uint32_t>(i < fields.size() ? i : 0); }
}

RecordPlans::RecordPlans(const Model& model, int rubric) {
  values_.resize(model.types.size());
  records_.resize(model.types.size());
  for (const Slot& slot : model.rubrics[static_cast<std::size_t>(rubric)].slots) {
    top_.fields.push_back(
        {slot.name, slot.type, slot.presence, slot.fallback, plan(model, slot.type), KeyPattern(slot.name)});
  }
  plan_parts(model);
  top_.index();
}

namespace {

bool begins(TypeKind kind, char first) {
  switch (kind) {
    case TypeKind::number: return first == '-' || (first >= '0' && first <= '9');
    case TypeKind::boolean: return first == 't' || first == 'f';
    case TypeKind::text: return first == '"';
    case TypeKind::list: return first == '[';
    case TypeKind::map:
    case TypeKind::record: return first == '{';
    default: return false;
  }
}

}  // namespace

TypeId alternative_of(const TypeTable& types, TypeId either, char first_of_json) {
  for (const TypeId one : types[either].alternatives) {
    if (begins(types.kind(one), first_of_json)) return one;
  }
  return kUnknown;
}

const ValuePlan* ValuePlan::alternative(TypeKind wanted) const {
  if (kind == wanted) return this;
  for (const ValuePlan* one : alternatives) {
    if (one->kind == wanted) return one;
  }
  return nullptr;
}

const ValuePlan* ValuePlan::alternative_of(char first_of_json) const {
  for (const ValuePlan* one : alternatives) {
    if (begins(one->kind, first_of_json)) return one;
  }
  return nullptr;
}

const ValuePlan* RecordPlans::plan(const Model& model, TypeId id) {
  if (values_[id]) return values_[id].get();
  values_[id] = std::make_unique<ValuePlan>();
  ValuePlan& value = *values_[id];
  value.id = id;
  value.type = &model.types[id];
  value.kind = value.type->kind;
  pending_.push_back(&value);
  return &value;
}

// Types may contain themselves and each other in long chains, so their parts are planned iteratively, not recursively.
void RecordPlans::plan_parts(const Model& model) {
  while (!pending_.empty()) {
    ValuePlan& value = *pending_.back();
    pending_.pop_back();
    const Type& type = *value.type;
    for (int i = 0; type.kind == TypeKind::number && i <= kPlainDigits; ++i) value.bounds[i] = scaled(type.range, i);
    if (type.kind == TypeKind::list || type.kind == TypeKind::map) {
      value.element = plan(model, type.element);
      value.text_set = type.set && value.element->kind == TypeKind::text;
      has_maps_ = has_maps_ || type.kind == TypeKind::map;
    } else if (type.kind == TypeKind::either) {
      for (const TypeId one : type.alternatives) value.alternatives.push_back(plan(model, one));
    } else if (type.kind == TypeKind::record) {
      records_[value.id] = std::make_unique<RecordPlan>();
      value.record = records_[value.id].get();
      for (const Field& field : type.fields) {
        value.record->fields.push_back(
            {field.name, field.type, field.presence, field.fallback, plan(model, field.type), KeyPattern(field.name)});
      }
      value.record->index();
    }
  }
}

Value make_items(const Value* items, std::size_t count, bool text_set, Arena& arena) {
  Value* list = arena.array<Value>(count);
  if (!text_set || count < 2) {
    std::copy_n(items, count, list);
    return make_list(list, static_cast<std::uint32_t>(count));
  }
  std::uint32_t kept = 0;
  MapData known{list, nullptr, nullptr, 0};
  if (count >= kMapIndexFrom) {
    const std::uint32_t size = map_index_size(static_cast<std::uint32_t>(count));
    map_build_index(known, 0, arena.array<std::uint32_t>(size), size);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (map_find(known, kept, items[i].text.view()) >= 0) continue;
    list[kept] = items[i];
    if (known.index != nullptr) map_index_add(known, kept);
    ++kept;
  }
  return make_list(list, kept);
}

}  // namespace assay
