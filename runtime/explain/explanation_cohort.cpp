// The second pass for a record: its outputs, with what they were made of.
#include "runtime/explain/explanation.hpp"

#include <assay/text.hpp>

namespace assay {

// The fields of the verdict that an expression of the second pass reads, by position in the kept data.
void ExplanationText::own_fields(const Expr* e, std::set<std::size_t>& found) const {
  if (e == nullptr) return;
  if (e->op == Op::field && e->args[0]->op == Op::slot && e->args[0]->index == 0) found.insert(e->index);
  for (const Expr* arg : e->args) own_fields(arg, found);
  if (!e->loop) return;
  for (const LoopClause& clause : e->loop->clauses) own_fields(clause.expr, found);
  for (const Expr* part : {e->loop->start, e->loop->next, e->loop->key, e->loop->value}) own_fields(part, found);
  for (const LoopOrder& order : e->loop->order) own_fields(order.expr, found);
}

// All of it, or only the value `only`. False: there is no such value.
bool ExplanationText::second_pass(std::string_view only) {
  if (what_.each == nullptr) return false;
  const RubricModel& each = each_rubric();
  bool any = false;
  for (std::size_t i = 0; i < what_.each->fields().size(); ++i) {
    const VerdictField& field = what_.each->fields()[i];
    if (!only.empty() && field.name != only) continue;
    if (!any && only.empty())
      title("Of the whole run, " + std::to_string(what_.each->frozen()->verdicts) + " verdicts");
    any = true;
    const Item& it = each.items[static_cast<std::size_t>(field.item)];
    line(0, field.name + " = " + shown(it.type, what_.each->results()[i], field.name) +
                (it.prose.empty() ? std::string() : "  (" + it.prose + ")"));
    if (it.source.begin != it.source.end) line(1, "as: " + text_of(it.source));
    std::string with;
    const auto add = [&with](const std::string& text) { with += (with.empty() ? "" : ", ") + text; };
    std::set<std::size_t> own;
    own_fields(it.body, own);
    for (const std::size_t at : own) {
      const int of = rubric_.verdict.items[at];
      add(model_.types[rubric_.verdict.type].fields[at].name + " = " + shown(of));
    }
    const References refs = references_of(model_, what_.each->rubric(), it.body, field.item);
    for (const int slot : refs.slots) {
      const auto s = static_cast<std::size_t>(slot);
      if (slot == 0 || each.slots[s].name == field.name) continue;
      add(each.slots[s].name + " = " + shown(each.slots[s].type, what_.each->slots()[s], each.slots[s].name) +
          (slot == 1 ? "" : " (of the cohort)"));
    }
    for (const int other : refs.items) {
      for (std::size_t k = 0; k < what_.each->fields().size(); ++k) {
        const Item& named = each.items[static_cast<std::size_t>(other)];
        if (what_.each->fields()[k].item == other)
          add(named.name + " = " + shown(named.type, what_.each->results()[k], named.name));
      }
    }
    if (!with.empty()) line(1, "with: " + with);
  }
  return any;
}

}  // namespace assay
