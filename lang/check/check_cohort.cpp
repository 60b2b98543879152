// Checker: the cohort block. It becomes a pseudo-rubric over all verdicts of a run, computed once; its 'each output's become
// a second one over one of those verdicts, what the cohort's values are, and the place of the record in the ranking.
#include "lang/check/checker.hpp"
#include "lang/text/key.hpp"

#include <algorithm>

namespace assay {

namespace {

// The first slots of the pseudo-rubric of 'each output's; the cohort's values come behind them.
constexpr std::uint32_t kOwnVerdict = 0, kPlace = 1, kHanded = 2;

}  // namespace

int Checker::new_part(RubricContext& rc, const std::string& name, Span span) {
  auto context = std::make_unique<RubricContext>();
  context->node = rc.node;
  context->index = static_cast<int>(model_.rubrics.size());
  context->parent = rc.index;
  context->declared = context->finished = true;
  const int index = context->index;
  rubrics_.push_back(std::move(context));
  RubricModel& m = model_.rubrics.emplace_back();
  m.name = name;
  m.span = span;
  return index;
}

// A value that the pseudo-rubric is given.
void Checker::give(RubricContext& part, const std::string& name, TypeId type, bool optional, Span span, bool named) {
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
  part.inputs[name] = item;
}

// Functions of the rubric, to be checked among the names of the part: a name means there what it means in the part.
void Checker::copy_functions(RubricContext& part, const std::vector<const ast::Item*>& items) {
  for (const ast::Item* i : items) {
    const auto* f = std::get_if<ast::Fn>(&i->node);
    if (f == nullptr || part.names.fns.count(f->name.text)) continue;
    part.names.fns[f->name.text] = static_cast<int>(fns_.size());
    FnDecl& decl = fns_.emplace_back();
    decl.node = f;
    decl.rubric = part.index;
    decl.copy = true;
  }
}

TypeId Checker::rejected_type(TypeId id) {
  const auto field = [](const char* name, TypeId type, Presence presence) {
    Field f;
    f.name = name;
    f.type = type;
    f.presence = presence;
    return f;
  };
  const TypeId error =
      types_.record({field("path", kText, Presence::required), field("code", kText, Presence::required),
                     field("message", kText, Presence::required)});
  return types_.record({field("id", id, Presence::optional), field("error", error, Presence::required)});
}

void Checker::finish_cohort(RubricContext& rc, const ast::Item& item) {
  const auto& node = std::get<ast::Cohort>(item.node);
  const int index = new_part(rc, rc.node->name.text + " cohort", item.word);
  RubricContext& c = rubric(index);
  model(rc).cohort = index;
  std::vector<const ast::Item*> each;
  for (const ast::Item& i : node.items) {
    if (row_of(i).inside != "cohort") {
      error(Code::misplaced, i.word, "'" + source_text(i.word) + "' cannot stand in a cohort", "",
            "a cohort holds let, fn, table, type, output and each output over 'records'");
      continue;
    }
    const auto* output = std::get_if<ast::Output>(&i.node);
    if (output != nullptr && output->each) {
      each.push_back(&i);
      continue;
    }
    c.items.push_back(&i);
    declare_file_item(i, c.names, c.index);
  }
  copy_functions(c, rc.items);
  give(c, "records", types_.list(model(rc).verdict_type), false, item.word, true);
  declare_items(c);
  // A cohort that has used the name for something of its own keeps it.
  give(c, "rejected", types_.list(rejected_type(model(rc).slots[0].type)), false, item.word,
       c.own.count("rejected") == 0);
  for (std::size_t i = 0; i < model(c).items.size(); ++i) ensure(c, static_cast<int>(i));
  for (const auto& [name, decimals, output] : c.outputs)
    model(c).verdict.push_back({name, output, decimals == -1 ? -2 : decimals, FieldRole::output});
  if (!each.empty()) finish_each(rc, c, each, item.word);
  // A slot that nothing asks for would only change the scoring hash.
  const auto rejected = c.inputs.find("rejected");
  if (rejected != c.inputs.end() && c.pending[static_cast<std::size_t>(rejected->second)].used) return;
  model(c).slots.pop_back();
  if (rejected == c.inputs.end()) return;
  Item& unused = model(c).items[static_cast<std::size_t>(rejected->second)];
  unused.body = constant(missing_value(), unused.type, item.word);
}

void Checker::finish_each(RubricContext& rc, RubricContext& cohort, const std::vector<const ast::Item*>& items,
                          Span span) {
  const int index = new_part(cohort, rc.node->name.text + " each", span);
  RubricContext& e = rubric(index);
  e.each = true;
  model(rc).each = index;
  give(e, "", model(rc).verdict_type, false, span, false);
  give(e, "place", types_.number({whole(1), kMissing, false, false}, true), true, span, false);
  std::set<std::string, std::less<>> keys;
  for (const VerdictField& field : model(rc).verdict) keys.insert(field.name);
  for (const ast::Item* i : items) {
    const auto& output = std::get<ast::Output>(i->node);
    const std::string& name = output.name.text;
    if (keys.count(name) > 0) {
      error(Code::duplicate_name, output.name.span, "every verdict has its '" + name + "' already", "",
            "choose another name for what the whole run says of a record");
    } else if (output.body.expr && cohort.own.count(name) > 0) {
      error(Code::duplicate_name, output.name.span, "'" + name + "' is a value of the cohort already", "",
            "choose another name; each output " + as_key(name) + " alone shows that value in each verdict");
    } else {
      e.items.push_back(i);
    }
  }
  copy_functions(e, cohort.items);
  copy_functions(e, rc.items);
  declare_items(e);
  for (std::size_t i = 0; i < model(e).items.size(); ++i) ensure(e, static_cast<int>(i));
  for (const auto& [name, decimals, output] : e.outputs)
    model(e).verdict.push_back({name, output, decimals == -1 ? -2 : decimals, FieldRole::output});
}

// A value of the cohort, as one of its 'each output's sees it: given to all of them.
Expr* Checker::handed(RubricContext& each, int item, Span span) {
  RubricContext& cohort = rubric(each.parent);
  Expr* value = item_ref(cohort, item, span);
  if (is_constant(value) || kind_of(value) == TypeKind::unknown) return value;
  std::vector<int>& all = model(rubric(cohort.parent)).handed;
  const auto [slot, fresh] = each.handed.emplace(item, kHanded + static_cast<std::uint32_t>(all.size()));
  if (fresh) {
    give(each, model(cohort).items[static_cast<std::size_t>(item)].name, value->type, value->optional, span, false);
    all.push_back(item);
  }
  Expr* e = make(Op::slot, value->type, span);
  e->index = slot->second;
  e->optional = value->optional;
  return e;
}

Expr* Checker::own_verdict(RubricContext& each, Span span) {
  Expr* own = make(Op::slot, model(each).slots[kOwnVerdict].type, span);
  own->index = kOwnVerdict;
  return own;
}

// What a name means in a part of a cohort when the part itself has no such value; null: nothing.
Expr* Checker::value_around(RubricContext& part, const std::string& name, Span span) {
  RubricContext& around = rubric(part.parent);
  if (!part.each) {  // a cohort sees what its rubric knows without a record
    const int item = find_value(around, name);
    if (item < 0) return nullptr;
    Expr* p = item_ref(around, item, span);
    if (is_constant(p)) return p;
    error(Code::unknown_name, span, "'" + name + "' belongs to one record; a cohort sees all of them", "",
          "write an aggregate over 'records', such as mean(r" +
              (as_key(name) == name ? "." + name : "[" + as_key(name) + "]") +
              " for r in records), or 'each output' for a value of each record");
    return broken(span);
  }
  if (const int item = find_value(around, name); item >= 0) return handed(part, item, span);
  RubricContext& rc = rubric(around.parent);
  if (const int item = find_value(rc, name); item >= 0) {
    Expr* p = item_ref(rc, item, span);
    return is_constant(p) ? p : verdict_field(own_verdict(part, span), name, span);
  }
  if (name != "place") return nullptr;
  if (model(rc).rank.empty()) {
    error(Code::unknown_name, span, "there is no place without a ranking", "",
          model(rc).has_scale ? "add to the rubric: rank by higher score" : "add to the rubric: rank by higher …");
    return broken(span);
  }
  model(rc).places = true;
  Expr* place = make(Op::slot, model(part).slots[kPlace].type, span);
  place->index = kPlace;
  place->optional = true;
  return place;
}

// Why a name of the second pass means nothing where it stands; empty: it is none.
std::string Checker::second_pass_help(const std::string& name, const Context& cx) {
  if (name == "place")
    return "a record's place is known when all records are scored: cohort { each output place }, with 'rank by …'";
  if (name == "rejected") return "'rejected', the refused records of a run, is for cohorts only";
  if (cx.rubric < 0) return {};
  const RubricContext* rc = &rubric(cx.rubric);
  if (name == "input" && rc->parent >= 0)
    return rc->each ? "an 'each output' names what it needs itself: score, or an input"
                    : "take it from a verdict: r.name for r in records";
  while (rc->parent >= 0) rc = &rubric(rc->parent);
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
