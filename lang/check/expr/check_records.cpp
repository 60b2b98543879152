// Records built from a rubric's declarations, the outer names visible in a part of a cohort, and loops over the records of
// a list that an author forgot.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/sense/sense_checker.hpp"
#include "lang/model/builtin_rows.hpp"
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

namespace {

// Whether a built-in function takes a list as this one of its arguments.
bool takes_list(const BuiltinRow& call, std::size_t argument, std::size_t arguments) {
  if (call.id == Builtin::min || call.id == Builtin::max) return arguments == 1;
  std::vector<std::string_view> kinds;
  for (std::string_view rest = call.parameters; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    kinds.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  for (std::size_t i = 0; i < kinds.size() && kinds.size() > arguments;)  // first(list), of first(n, list)
    kinds[i].ends_with('?') ? void(kinds.erase(kinds.begin() + static_cast<std::ptrdiff_t>(i))) : void(++i);
  static constexpr std::string_view kLists[] = {"list", "lists", "numbers", "conditions", "texts", "countable"};
  return argument < kinds.size() &&
         std::find(std::begin(kLists), std::end(kLists), kinds[argument]) != std::end(kLists);
}

// How a declaration uses a name that nothing declares.
struct Uses {
  std::vector<std::string_view> fields;  // that it reads of it
  bool in_label = false;                 // also in a text that stands for each item
  bool in_prose = false;                 // also in another text
  const ast::Expr* around = nullptr;     // the innermost list, or call with a list, around one of its places
  const ast::Expr* list = nullptr;       // in it, what stands for the items
};
Uses uses_of(Budget& budget, const ast::Item& item, const ast::Expr& place) {
  Uses uses;
  std::size_t times = 0;
  const auto look = [&](const ast::Expr& e) {
    times += e.kind == ast::ExprKind::name && e.text == place.text ? 1 : 0;
    const bool of_name =
        e.kind == ast::ExprKind::field && e.args[0]->kind == ast::ExprKind::name && e.args[0]->text == place.text;
    if (of_name && std::find(uses.fields.begin(), uses.fields.end(), e.text) == uses.fields.end())
      uses.fields.push_back(e.text);
    const BuiltinRow* call = e.kind == ast::ExprKind::call ? find_builtin(e.text) : nullptr;
    for (std::size_t i = 0; i < e.args.size() && !e.loop; ++i) {
      const bool items =
          e.kind == ast::ExprKind::list ? e.args.size() == 1 : call != nullptr && takes_list(*call, i, e.args.size());
      if (items && e.args[i]->span.begin <= place.span.begin && place.span.end <= e.args[i]->span.end)
        uses.around = &e, uses.list = e.args[i].get();
    }
  };
  const WrittenParts parts = written_parts(item);
  for (const ast::Expr* e : parts.exprs) each_expr(budget, *e, look);
  const bool advice = std::holds_alternative<ast::Advice>(item.node);
  for (const ast::Text* text : parts.texts) {
    const std::size_t before = times;
    for (const ast::TextPart& part : text->parts) {
      if (part.expr) each_expr(budget, *part.expr, look);
    }
    const bool label = advice || text != parts.texts.front();  // the first one is the prose
    (label ? uses.in_label : uses.in_prose) |= times > before;
  }
  return uses;
}

// Whether a loop over this list has items of this name: part of parts or of history.parts, d of defects.
bool names_item(std::string_view list, std::string_view name) {
  if (const std::size_t dot = list.rfind('.'); dot != list.npos) list = list.substr(dot + 1);
  static constexpr std::string_view kAny[] = {"item",  "each",   "this",    "it",  "row",
                                              "entry", "record", "element", "elem"};
  constexpr std::size_t kLetters = 2;
  if (name.size() <= kLetters || std::find(std::begin(kAny), std::end(kAny), name) != std::end(kAny)) return true;
  const std::string many(name);
  return list.ends_with(many + "s") || list.ends_with(many + "es") ||
         (name.ends_with('y') && list.ends_with(many.substr(0, many.size() - 1) + "ies"));
}

}  // namespace

TypeId Hints::type_named(std::string_view name, const Context& cx) {
  for (auto it = cx.scope.rbegin(); it != cx.scope.rend(); ++it) {
    if (it->name == name) return it->type;
  }
  if (cx.rubric < 0) return kUnknown;
  RubricContext& rc = rubric(cx.rubric);
  const int item = exprs_.find_value(rc, name);
  if (item < 0) return kUnknown;
  // An input depends on nothing, so that its type can be asked for at any time; neither do earlier records.
  const bool input = rc.by_name.inputs.count(std::string(name)) > 0 || name == "history";
  return input ? item_ref(rc, item, {})->type : model(rc).items[static_cast<std::size_t>(item)].type;
}

bool Hints::has_fields(TypeId record, const std::vector<std::string_view>& fields) {
  if (types_.kind(record) != TypeKind::record) return false;
  const Type& type = types_[record];
  RubricContext* of = type.verdict ? declared_.rubrics[static_cast<std::size_t>(type.rubric)].get() : nullptr;
  return std::all_of(fields.begin(), fields.end(), [&](std::string_view field) {
    return types_.field(record, std::string(field)) >= 0 || (of != nullptr && exprs_.find_value(*of, field) >= 0);
  });
}

// The lists whose items have these fields.
std::vector<std::string> Hints::lists_of(const std::vector<std::string_view>& fields, const Context& cx) {
  std::vector<std::string> found;
  const auto fits = [&](TypeId type) {
    return types_.kind(type) == TypeKind::list && has_fields(types_[type].element, fields);
  };
  for (const Local& local : cx.scope) {
    if (types_.kind(local.type) != TypeKind::record) continue;
    for (const Field& field : types_[local.type].fields) {
      if (fits(field.type)) found.push_back(local.name + "." + field.name);
    }
  }
  for (const std::string_view name : exprs_.value_names(rubric(cx.rubric), cx)) {
    if (fits(type_named(name, cx)) && std::find(found.begin(), found.end(), name) == found.end())
      found.emplace_back(name);
  }
  return found;
}

// sum(cost), where each of the defects has a 'cost'
bool Hints::field_without_item(const ast::Expr& name, const ast::Expr& value, const Context& cx) {
  std::vector<std::string> lists = lists_of({name.text}, cx);
  std::erase(lists, "history");
  const std::vector<std::string_view> known = exprs_.value_names(rubric(cx.rubric), cx);
  if (lists.size() != 1 || &value != &name || !did_you_mean(name.text, known).empty()) return false;
  Diagnostic& d = error(Code::unknown_name, name.span, "nothing is named '" + name.text + "'",
                        "each item of '" + lists[0] + "' has it");
  offer(*diagnostics_, d, {{{name.span, "x." + name.text + " for x in " + lists[0]}}});
  return true;
}

bool Hints::forgotten_loop(const ast::Expr& name, const Context& cx) {
  if (cx.rubric < 0 || diagnostics_->full()) return false;
  RubricContext& rc = rubric(cx.rubric);
  const auto holds = [&name](const ast::Item* i) {
    return i->span.file == name.span.file && i->span.begin <= name.span.begin && name.span.end <= i->span.end;
  };
  const auto at = std::find_if(rc.items.begin(), rc.items.end(), holds);
  if (at == rc.items.end()) return false;
  const ast::Item& item = **at;
  if (loops_forgotten_.count({&item, name.text}) > 0) return true;
  const Uses uses = uses_of(budget_, item, name);
  const bool in_cohort = rc.cohort.parent >= 0;  // where many words mean its records
  if (uses.fields.empty()) return uses.list != nullptr && !in_cohort && field_without_item(name, *uses.list, cx);
  for (const std::string_view known : exprs_.value_names(rc, cx)) {  // a record that is only misspelt
    if (has_fields(type_named(known, cx), uses.fields) && !did_you_mean(name.text, {known}).empty()) return false;
  }
  std::vector<std::string> lists = lists_of(uses.fields, cx);
  // Of the history any output is a field: it has to be meant.
  static constexpr std::string_view kEarlier[] = {"earlier", "previous", "past", "prior", "verdict", "old"};
  if (name.text.size() > 2 && name.text != model(rc).name &&
      std::find(std::begin(kEarlier), std::end(kEarlier), name.text) == std::end(kEarlier))
    std::erase(lists, "history");
  const auto of_another = [&name](const std::string& list) { return !names_item(list, name.text); };
  if (lists.size() > 1 && !std::all_of(lists.begin(), lists.end(), of_another)) std::erase_if(lists, of_another);
  if (lists.empty()) return false;
  if (lists.size() > 1) {
    loops_forgotten_.insert({&item, name.text});
    error(Code::unknown_name, name.span, "nothing is named '" + name.text + "'", "",
          "the items of several lists have '" + std::string(uses.fields[0]) + "': say which one with 'for " +
              name.text + " in " + lists[0] + "', or in " + lists[1]);
    return true;
  }
  const std::string &list = lists[0], loop = " for " + name.text + " in " + list;
  bool certain = names_item(list, name.text);
  if (in_cohort && !certain) return false;
  const auto behind = [](Span span) { return Span{span.file, span.end, span.end}; };
  Fix fix;
  // The loop in a call that makes one value of all items.
  const auto wrap = [&](const ast::Expr* value, const char* call) {
    if (value == nullptr) return;
    const bool count = std::string_view(call) == "[";
    fix = {{{value->span.file, value->span.begin, value->span.begin}, call},
           {behind(value->span), loop + (count ? "]" : ")")}};
    certain = false;
  };
  const auto beside = [&](const ast::Expr& value) {  // before its condition, which chooses items
    const bool chosen = value.kind == ast::ExprKind::choice && value.args.size() == 2;
    fix = {{behind(chosen ? value.args[0]->span : value.span), loop}};
  };
  if (uses.around != nullptr) {
    const ast::Expr& value = *uses.list;
    if (uses.around->args.size() > 1)
      fix = {{{value.span.file, value.span.begin, value.span.begin}, "["}, {behind(value.span), loop + "]"}};
    else if (uses.around->text == "count" && value.kind != ast::ExprKind::choice)
      fix = {{value.span, name.text + loop + " when " + source_text(value.span)}};
    else beside(value);
  } else if (const auto* flag = std::get_if<ast::Flag>(&item.node); flag != nullptr && !flag->loop) {
    if (uses.in_label) fix = {{behind(flag->label.span), loop}};
    else wrap(flag->when.get(), "any(");
  } else if (const auto* advice = std::get_if<ast::Advice>(&item.node); advice != nullptr && !advice->loop) {
    if (uses.in_label) fix = {{behind(advice->text.span), loop}};
    else wrap(advice->when.get(), "any(");
  } else if (const auto* amount = std::get_if<ast::Adjustment>(&item.node); amount != nullptr && !amount->loop) {
    if (uses.in_label && amount->body.where.empty()) beside(*amount->body.expr);
    else wrap(amount->body.expr.get(), "sum(");
  } else if (const auto* check = std::get_if<ast::Check>(&item.node); check != nullptr && !check->loop) {
    const ast::Expr* root = check->path.get();
    while (root->kind == ast::ExprKind::field || root->kind == ast::ExprKind::index) root = root->args[0].get();
    const bool of_item = root->kind == ast::ExprKind::name && root->text == name.text;
    const std::string place = name.text == "i" ? "k" : "i";
    const std::size_t word = source_text({item.span.file, item.span.begin, check->path->span.begin}).rfind("at");
    const auto before = static_cast<std::uint32_t>(item.span.begin + word);
    fix = {{{item.span.file, before, before},
            of_item ? "for " + place + ", " + name.text + " in " + list + " " : loop.substr(1) + " "}};
    if (of_item) fix.push_back({root->span, list + "[" + place + "]"});
  } else if (const auto* gate = std::get_if<ast::Gate>(&item.node)) {
    wrap(gate->body.expr.get(), "all(");
  } else if (const auto* incomplete = std::get_if<ast::Incomplete>(&item.node)) {
    wrap(incomplete->when.get(), "any(");
  } else if (const auto* cap = std::get_if<ast::Cap>(&item.node)) {
    if (cap->when && cap->when->span.begin <= name.span.begin) wrap(cap->when.get(), "any(");
  } else if (const auto* let = std::get_if<ast::Let>(&item.node)) {
    wrap(let->body.expr.get(), "[");
  } else if (const auto* output = std::get_if<ast::Output>(&item.node)) {
    wrap(output->body.expr.get(), "[");
  }
  if (fix.empty()) return false;
  loops_forgotten_.insert({&item, name.text});
  std::string fields;
  for (std::size_t i = 0; i < uses.fields.size(); ++i)
    fields += (i == 0 ? "'" : i + 1 == uses.fields.size() ? " and '" : ", '") + std::string(uses.fields[i]) + "'";
  Diagnostic& d =
      error(Code::unknown_name, name.span, "nothing is named '" + name.text + "'",
            "each item of '" + list + "' has " + fields, "it is an item of '" + list + "' in a loop:" + loop);
  const bool whole = uses.in_prose && !uses.in_label;  // no single call holds all of it
  if (!whole || uses.around != nullptr || std::holds_alternative<ast::Check>(item.node))
    offer(*diagnostics_, d, {fix}, certain);
  return true;
}

}  // namespace assay
