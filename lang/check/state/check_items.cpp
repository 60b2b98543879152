// Items of rubrics: defined with a function that builds the body, which runs when the item is first needed. An item
// that is needed while it is being built is a cycle.
#include "lang/check/state/expr_builder.hpp"

namespace assay {

int ExprBuilder::define(RubricContext& rc, ItemKind kind_of_item, std::string name, Span span, Span source,
                        std::string prose, Build build) {
  RubricModel& m = model(rc);
  Item item;
  item.kind = kind_of_item;
  item.name = std::move(name);
  item.span = span;
  item.source = source;
  item.prose = std::move(prose);
  m.items.push_back(std::move(item));
  rc.pending.push_back({std::move(build), PendingItem::State::waiting, false});
  return static_cast<int>(m.items.size() - 1);
}

namespace {

// What to ask instead of a value of the pipeline that a declaration asks for and decides.
FixIt instead_of(std::string_view value) {
  if (value == "score")
    return FixIt("'composite' is the score before caps, deductions and bonuses", "composite", false);
  if (value == "status" || value == "reason" || value == "gates")
    return FixIt("the conditions themselves can be asked: name them with 'let', and use the names in both places");
  return FixIt("repeat the condition, or name it with 'let' and use the name in both places");
}

}  // namespace

// The path from a value back to itself, in the author's own names: skips items that the checker made. What the pipeline
// computes has no declaration: the place is where it is asked for.
void ExprBuilder::report_cycle(RubricContext& rc, int index, Span use) {
  const auto closes = [&](const auto& one) { return one.rubric == rc.index && one.item == index; };
  const auto first = std::find_if(state_.building.begin(), state_.building.end(), closes);
  const bool several =
      std::any_of(first, state_.building.end(), [&](const auto& one) { return one.rubric != rc.index; });
  std::vector<std::string> names;
  const Item& item = model(rc).items[static_cast<std::size_t>(index)];
  const std::string own = item.name.substr(0, item.name.find(' '));  // "name raw" of a dimension
  Span place = item.span;
  FixIt fix;
  for (auto one = first; one != state_.building.end(); ++one) {
    const RubricModel& m = model_.rubrics[static_cast<std::size_t>(one->rubric)];
    const Item& part = m.items[static_cast<std::size_t>(one->item)];
    if (part.kind != ItemKind::hidden) names.push_back("'" + (several ? m.name + "." : "") + part.name + "'");
    const Span asked = one == first ? use : one->use;
    if (part.kind == ItemKind::pipeline && sources_.text(asked) == part.name && fix.empty())
      place = asked, fix = instead_of(part.name);
  }
  if (names.empty()) names.push_back("'" + own + "'");
  std::string path;
  for (const std::string& name : names) path += name + " needs ";
  const bool hides = names.size() == 1 && rc.by_name.inputs.count(own) > 0;
  const bool composed = std::find(names.begin(), names.end(), "'composite'") != names.end();
  if (composed) fix = FixIt();
  const bool banded = std::any_of(first, state_.building.end(), [&](const auto& one) {
    return model_.rubrics[static_cast<std::size_t>(one.rubric)].items[static_cast<std::size_t>(one.item)].kind ==
           ItemKind::band;
  });
  if (banded && fix.edits)
    fix = FixIt(
        "bands are of the final score: what decides it can ask 'composite', the score before caps, deductions and "
        "bonuses");
  if (hides) fix = FixIt("what the record said is written input." + own);
  if (fix.empty()) fix = FixIt("a value cannot be computed from itself");
  error(Code::cycle, place, path + names.front(), "", std::move(fix));
}

void ExprBuilder::ensure(RubricContext& rc, int index, Span use) {
  PendingItem& p = rc.pending[static_cast<std::size_t>(index)];
  if (p.state == PendingItem::State::built) return;
  if (p.state == PendingItem::State::building) {
    report_cycle(rc, index, use);
    return;
  }
  const WorkingOn working(budget_, model(rc).items[static_cast<std::size_t>(index)].span);
  const Nesting nesting(budget_, 2);
  p.state = PendingItem::State::building;
  state_.building.push_back({rc.index, index, use});
  Context cx;
  cx.rubric = rc.index;
  Expr* e = p.build(cx);
  state_.building.pop_back();
  Item& item = model(rc).items[static_cast<std::size_t>(index)];
  // Another name of a value is as wide as that: a check asks for the one and may be about the other.
  const bool alias = item.kind == ItemKind::let && e->op == Op::item;
  if (item.kind != ItemKind::pipeline && !alias) narrow(*e, rc.index);
  item.body = e;
  item.type = e->type;
  item.optional = e->optional;
  item.locals = cx.locals;
  rc.pending[static_cast<std::size_t>(index)].state = PendingItem::State::built;
}

Expr* ExprBuilder::item_ref(RubricContext& rc, int index, Span span) {
  rc.pending[static_cast<std::size_t>(index)].used = true;
  ensure(rc, index, span);
  const Item& item = model(rc).items[static_cast<std::size_t>(index)];
  if (!item.body) return broken(span);
  if (is_constant(item.body)) {
    Expr* e = constant(item.body->value, item.type, span);
    return e;
  }
  if (item.body->op == Op::slot) {
    Expr* e = make(Op::slot, item.type, span);
    e->index = item.body->index;
    e->optional = item.optional;
    return e;
  }
  Expr* e = make(Op::item, item.type, span);
  e->index = static_cast<std::uint32_t>(index);
  e->optional = item.optional;
  return e;
}

bool ExprBuilder::claim(RubricContext& rc, NameMap& space, const ast::Name& name, int item, const char* what) {
  static const std::set<std::string_view> reserved = {"input", "history"};
  if (reserved.count(name.text) && &space == &rc.by_name.own) {
    error(Code::reserved_name, name.span, "'" + name.text + "' has a meaning of its own in every rubric", "",
          "choose another name");
    return false;
  }
  const auto [it, fresh] = space.emplace(name.text, item);
  if (!fresh) {
    const Item& other = model(rc).items[static_cast<std::size_t>(it->second)];
    Diagnostic& d = error(Code::duplicate_name, name.span, "'" + name.text + "' is declared twice");
    d.label = std::string("the second, ") + (*what == 'i' || *what == 'o' ? "an " : "a ") + what;
    d.notes.push_back(diagnostics_->note(other.span, "the first one is here"));
    d.help = "keep one of them, or give one another name";
    const Item& second = model(rc).items[static_cast<std::size_t>(item)];
    if (other.kind == ItemKind::let && second.kind == ItemKind::output && source_text(second.source) == name.text)
      d.help = "an output may show a value that has a name: write output " + name.text + ", without '='";
  }
  return fresh;
}

}  // namespace assay
