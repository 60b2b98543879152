// Checker: the cohort block. It becomes a pseudo-rubric over all verdicts of a run, computed once; its 'each output's
// become a second one over a single verdict, the cohort's values, and the place of the record in the ranking.
#include "lang/check/rubric/rubric_parts.hpp"
#include "lang/text/key.hpp"

#include <algorithm>

namespace assay {

int CohortChecker::new_part(RubricContext& rc, const std::string& name, Span span) {
  auto context = std::make_unique<RubricContext>();
  context->node = rc.node;
  context->index = static_cast<int>(model_.rubrics.size());
  context->cohort.parent = rc.index;
  context->progress.declared = context->progress.finished = true;
  const int index = context->index, digits = model(rc).scale.digits;
  declared_.rubrics.push_back(std::move(context));
  RubricModel& m = model_.rubrics.emplace_back();
  m.name = name;
  m.span = span;
  m.scale.digits = digits;
  return index;
}

// Copies functions of the rubric, to be checked with the names of the part: a name then has its meaning in the part.
void CohortChecker::copy_functions(RubricContext& part, const std::vector<const ast::Item*>& items) {
  for (const ast::Item* i : items) {
    const auto* f = std::get_if<ast::Fn>(&i->node);
    if (f == nullptr || part.names.fns.count(f->name.text)) continue;
    part.names.fns[f->name.text] = static_cast<int>(declared_.fns.size());
    FnDecl& decl = declared_.fns.emplace_back();
    decl.node = f;
    decl.rubric = part.index;
    decl.copy = true;
  }
}

TypeId CohortChecker::rejected_type(TypeId id) {
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
  return types_.record({field("id", id, Presence::optional), field("error", error, Presence::required),
                        field("errors", types_.list(error), Presence::required)});
}

void CohortChecker::finish_cohort(RubricContext& rc, const ast::Item& item) {
  const auto& node = std::get<ast::Cohort>(item.node);
  const int index = new_part(rc, rc.node->name.text + " cohort", item.word);
  RubricContext& c = rubric(index);
  model(rc).cohort.rubric = index;
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
    rubrics_.declare_file_item(i, c.names, c.index);
  }
  copy_functions(c, rc.items);
  records_.give(c, "records", types_.list(model(rc).verdict.type), false, item.word, true);
  rubrics_.declare_items(c);
  // A cohort that declares this name itself keeps its own.
  records_.give(c, "rejected", types_.list(rejected_type(model(rc).slots[0].type)), false, item.word,
                c.by_name.own.count("rejected") == 0);
  for (std::size_t i = 0; i < model(c).items.size(); ++i) ensure(c, static_cast<int>(i));
  const int plain = model(rc).scale.digits > 0 ? shown_digits(model(rc).scale.digits) : -2;
  for (const auto& [name, decimals, output] : c.verdict.outputs)
    model(c).verdict.fields.push_back({name, output, decimals == -1 ? plain : decimals, FieldRole::output});
  if (!each.empty()) finish_each(rc, c, each, item.word);
  // An unused slot would only change the scoring hash.
  const auto rejected = c.by_name.inputs.find("rejected");
  if (rejected != c.by_name.inputs.end() && c.pending[static_cast<std::size_t>(rejected->second)].used) return;
  model(c).slots.pop_back();
  if (rejected == c.by_name.inputs.end()) return;
  Item& unused = model(c).items[static_cast<std::size_t>(rejected->second)];
  unused.body = constant(missing_value(), unused.type, item.word);
}

void CohortChecker::finish_each(RubricContext& rc, RubricContext& cohort, const std::vector<const ast::Item*>& items,
                                Span span) {
  const int index = new_part(cohort, rc.node->name.text + " each", span);
  RubricContext& e = rubric(index);
  e.cohort.each = true;
  model(rc).cohort.each = index;
  records_.give(e, "", model(rc).verdict.type, false, span, false);
  records_.give(e, "place", types_.number({whole(1), kMissing, false, false}, true), true, span, false);
  std::set<std::string, std::less<>> keys;
  for (const VerdictField& field : model(rc).verdict.fields) keys.insert(field.name);
  for (const ast::Item* i : items) {
    const auto& output = std::get<ast::Output>(i->node);
    const std::string& name = output.name.text;
    if (keys.count(name) > 0) {
      error(Code::duplicate_name, output.name.span, "every verdict has its '" + name + "' already", "",
            "choose another name for what the whole run says of a record");
    } else if (output.body.expr && cohort.by_name.own.count(name) > 0) {
      error(Code::duplicate_name, output.name.span, "'" + name + "' is a value of the cohort already", "",
            "choose another name; each output " + as_key(name) + " alone shows that value in each verdict");
    } else {
      e.items.push_back(i);
    }
  }
  copy_functions(e, cohort.items);
  copy_functions(e, rc.items);
  rubrics_.declare_items(e);
  for (std::size_t i = 0; i < model(e).items.size(); ++i) ensure(e, static_cast<int>(i));
  const int plain = model(rc).scale.digits > 0 ? shown_digits(model(rc).scale.digits) : -2;
  for (const auto& [name, decimals, output] : e.verdict.outputs)
    model(e).verdict.fields.push_back({name, output, decimals == -1 ? plain : decimals, FieldRole::output});
}

}  // namespace assay
