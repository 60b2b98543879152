// Records built from a rubric's declarations, and the outer names visible in a part of a cohort.
#include "lang/check/expr/expressions.hpp"
#include "lang/text/key.hpp"

#include <algorithm>

namespace assay {

namespace {

// The first slots of the pseudo-rubric of 'each output's, before the cohort's values.
constexpr std::uint32_t kOwnVerdict = 0, kPlace = 1, kHanded = 2;

}  // namespace

Expr* RecordBuilder::weight_ref(RubricContext& rc, int weight, Span span) {
  const RubricModel& m = model(rc);
  if (weight < 0) return number(whole(0), span);
  const WeightModel& w = m.weighting.weights[static_cast<std::size_t>(weight)];
  if (m.weighting.policy == WeightPolicy::fixed && m.weighting.contexts.empty()) return number(w.value, span);
  Interval range{whole(0), m.weighting.total, false, false};
  Expr* e = make(Op::weight, types_.number(range, false), span);
  e->index = static_cast<std::uint32_t>(weight);
  return e;
}

Expr* RecordBuilder::gates_record(RubricContext& rc, Span span) {
  std::vector<std::pair<std::string, Expr*>> fields;
  for (const ast::Item* item : rc.items) {
    const auto* gate = std::get_if<ast::Gate>(&item->node);
    if (gate) fields.emplace_back(gate->name.text, item_ref(rc, rc.by_name.gates.at(gate->name.text), span));
  }
  return record_of(std::move(fields), span);
}

Expr* RecordBuilder::input_record(RubricContext& rc, Span span) {
  std::vector<std::pair<std::string, Expr*>> fields;
  for (const Slot& slot : model(rc).slots) {
    if (const auto it = rc.by_name.inputs.find(slot.name); it != rc.by_name.inputs.end())
      fields.emplace_back(slot.name, item_ref(rc, it->second, span));
  }
  return record_of(std::move(fields), span);
}

Expr* RecordBuilder::dimension_record(RubricContext& rc, DimensionItems& d, int depth, Span span) {
  const int levels = depth < 0 ? 0 : std::min(depth, rc.dimensions.levels);
  std::vector<std::pair<std::string, Expr*>> fields;
  fields.emplace_back("score", item_ref(rc, d.score, span));
  fields.emplace_back("weight", weight_ref(rc, d.weight, span));
  fields.emplace_back("contribution", item_ref(rc, d.contribution, span));
  for (auto& [name, e] : fields) {  // one type for all dimensions, so that loops can visit them
    if (kind_of(e) != TypeKind::number) continue;
    Expr* plain = make(e->op, kNumber, e->span, e->args);
    plain->index = e->index;
    plain->value = e->value;
    plain->optional = e->optional;
    e = plain;
  }
  if (levels > 0) {
    Expr* map = make(Op::make_map, kUnknown, span);
    TypeId element = kUnknown;
    for (DimensionItems& p : d.parts) {
      map->names.push_back(p.node->name.text);
      map->args.push_back(dimension_record(rc, p, levels - 1, span));
      types_.unify(element, map->args.back()->type, element);
    }
    if (d.parts.empty()) {  // the type of a part without parts
      std::vector<Field> fields_of_part;
      for (const char* name : {"score", "weight", "contribution"}) {
        Field f;
        f.name = name;
        f.type = kNumber;
        fields_of_part.push_back(std::move(f));
      }
      for (int level = 1; level < levels; ++level) {
        const TypeId inner = types_.record(fields_of_part);
        if (fields_of_part.size() > 3) fields_of_part.pop_back();
        Field f;
        f.name = "parts";
        f.type = types_.map(inner);
        fields_of_part.push_back(std::move(f));
      }
      element = types_.record(std::move(fields_of_part));
    }
    map->type = types_.map(element);
    fields.emplace_back("parts", map);
  }
  return record_of(std::move(fields), span);
}

Expr* RecordBuilder::dimensions_record(RubricContext& rc, Span span) {
  std::vector<std::pair<std::string, Expr*>> fields;
  for (DimensionItems& d : rc.dimensions.all) fields.emplace_back(d.node->name.text, dimension_record(rc, d, 8, span));
  return record_of(std::move(fields), span);
}

// Adds a value that the pseudo-rubric receives.
void RecordBuilder::give(RubricContext& part, const std::string& name, TypeId type, bool optional, Span span,
                         bool named) {
  RubricModel& m = model(part);
  const auto index = static_cast<std::uint32_t>(m.slots.size());
  Slot slot;
  slot.name = name;
  slot.type = type;
  slot.presence = optional ? Presence::optional : Presence::required;
  slot.span = span;
  m.slots.push_back(slot);
  if (!named) return;
  const int item = define(part, ItemKind::input, name, span, {}, "", [this, index, type, optional, span](Context&) {
    Expr* e = make(Op::slot, type, span);
    e->index = index;
    e->optional = optional;
    return e;
  });
  part.by_name.inputs[name] = item;
}

// A value of the cohort for one of its 'each output's: passed to all of them.
Expr* RecordBuilder::handed(RubricContext& each, int item, Span span) {
  RubricContext& cohort = rubric(each.cohort.parent);
  Expr* value = item_ref(cohort, item, span);
  if (is_constant(value) || kind_of(value) == TypeKind::unknown) return value;
  std::vector<int>& all = model(rubric(cohort.cohort.parent)).cohort.handed;
  const auto [slot, fresh] = each.cohort.handed.emplace(item, kHanded + static_cast<std::uint32_t>(all.size()));
  if (fresh) {
    give(each, model(cohort).items[static_cast<std::size_t>(item)].name, value->type, value->optional, span, false);
    all.push_back(item);
  }
  Expr* e = make(Op::slot, value->type, span);
  e->index = slot->second;
  e->optional = value->optional;
  return e;
}

Expr* RecordBuilder::own_verdict(RubricContext& each, Span span) {
  Expr* own = make(Op::slot, model(each).slots[kOwnVerdict].type, span);
  own->index = kOwnVerdict;
  return own;
}

// "input.name" in an 'each output'; null: there is no such input, or a dimension hides it.
Expr* RecordBuilder::own_input(RubricContext& each, const std::string& name, Span span) {
  RubricContext& rc = rubric(rubric(each.cohort.parent).cohort.parent);
  const auto input = rc.by_name.inputs.find(name);
  if (input == rc.by_name.inputs.end() || exprs_.find_value(rc, name) != input->second) return nullptr;
  Expr* p = item_ref(rc, input->second, span);
  return is_constant(p) ? p : calls_.verdict_field(own_verdict(each, span), name, span);
}

// The meaning of a name in a part of a cohort that does not declare it; null: none.
Expr* RecordBuilder::value_around(RubricContext& part, const std::string& name, Span span) {
  RubricContext& around = rubric(part.cohort.parent);
  if (!part.cohort.each) {  // a cohort sees the values of its rubric that need no record
    const int item = exprs_.find_value(around, name);
    if (item < 0) return nullptr;
    Expr* p = item_ref(around, item, span);
    if (is_constant(p)) return p;
    error(Code::unknown_name, span, "'" + name + "' belongs to one record; a cohort sees all of them", "",
          "write an aggregate over 'records', such as mean(r" +
              (as_key(name) == name ? "." + name : "[" + as_key(name) + "]") +
              " for r in records), or 'each output' for a value of each record");
    return broken(span);
  }
  if (const int item = exprs_.find_value(around, name); item >= 0) return handed(part, item, span);
  RubricContext& rc = rubric(around.cohort.parent);
  if (const int item = exprs_.find_value(rc, name); item >= 0) {
    Expr* p = item_ref(rc, item, span);
    return is_constant(p) ? p : calls_.verdict_field(own_verdict(part, span), name, span);
  }
  if (name != "place") return nullptr;
  if (model(rc).rank.empty()) {
    error(Code::unknown_name, span, "there is no place without a ranking", "",
          model(rc).scale.declared ? "add to the rubric: rank by higher score" : "add to the rubric: rank by higher …");
    return broken(span);
  }
  model(rc).cohort.places = true;
  Expr* place = make(Op::slot, model(part).slots[kPlace].type, span);
  place->index = kPlace;
  place->optional = true;
  return place;
}

// Why a name of the second pass has no meaning here; empty: it is not such a name.
std::string RecordBuilder::second_pass_help(const std::string& name, const Context& cx) {
  if (name == "place")
    return "a record's place is known when all records are scored: cohort { each output place }, with 'rank by …'";
  if (name == "rejected") return "'rejected', the rejected records of a run, is for cohorts only";
  if (cx.rubric < 0) return {};
  const RubricContext* rc = &rubric(cx.rubric);
  if (name == "input" && rc->cohort.parent >= 0)
    return rc->cohort.each ? "an 'each output' names what it needs itself: score, or an input"
                           : "take it from a verdict: r.name for r in records";
  while (rc->cohort.parent >= 0) rc = &rubric(rc->cohort.parent);
  for (const ast::Item* item : rc->items) {
    const auto* cohort = std::get_if<ast::Cohort>(&item->node);
    if (cohort == nullptr) continue;
    for (const ast::Item& inner : cohort->items) {
      const auto* output = std::get_if<ast::Output>(&inner.node);
      const auto* let = std::get_if<ast::Let>(&inner.node);
      if (output != nullptr && output->name.text == name && output->each)
        return "'" + name +
               "' is computed for each record when all are scored: only an 'each output' of the cohort can use it";
      if ((output != nullptr && output->name.text == name) || (let != nullptr && let->name.text == name))
        return "'" + name + "' is computed from all records of a run: an 'each output' of the cohort can use it";
    }
  }
  return {};
}

}  // namespace assay
