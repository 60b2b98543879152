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

// The path from a value back to itself, in the author's own names: skips items that the checker made.
void ExprBuilder::report_cycle(RubricContext& rc, int index) {
  std::vector<std::string> names;
  bool within = false, several = false;
  for (const auto& [r, i] : state_.building) {
    within = within || (r == rc.index && i == index);
    several = several || (within && r != rc.index);
  }
  within = false;
  for (const auto& [r, i] : state_.building) {
    within = within || (r == rc.index && i == index);
    const RubricModel& m = model_.rubrics[static_cast<std::size_t>(r)];
    const Item& item = m.items[static_cast<std::size_t>(i)];
    if (within && item.kind != ItemKind::hidden) names.push_back("'" + (several ? m.name + "." : "") + item.name + "'");
  }
  const Item& item = model(rc).items[static_cast<std::size_t>(index)];
  const std::string own = item.name.substr(0, item.name.find(' '));  // "name raw" of a dimension
  if (names.empty()) names.push_back("'" + own + "'");
  std::string path;
  for (const std::string& name : names) path += name + " needs ";
  const bool hides = names.size() == 1 && rc.by_name.inputs.count(own) > 0;
  error(Code::cycle, item.span, path + names.front(), "",
        hides ? "what the record said is written input." + own : "a value cannot be computed from itself");
}

void ExprBuilder::ensure(RubricContext& rc, int index) {
  PendingItem& p = rc.pending[static_cast<std::size_t>(index)];
  if (p.state == PendingItem::State::built) return;
  if (p.state == PendingItem::State::building) {
    report_cycle(rc, index);
    return;
  }
  const WorkingOn working(budget_, model(rc).items[static_cast<std::size_t>(index)].span);
  const Nesting nesting(budget_, 2);
  p.state = PendingItem::State::building;
  state_.building.emplace_back(rc.index, index);
  Context cx;
  cx.rubric = rc.index;
  Expr* e = p.build(cx);
  state_.building.pop_back();
  Item& item = model(rc).items[static_cast<std::size_t>(index)];
  item.body = e;
  item.type = e->type;
  item.optional = e->optional;
  item.locals = cx.locals;
  rc.pending[static_cast<std::size_t>(index)].state = PendingItem::State::built;
}

Expr* ExprBuilder::item_ref(RubricContext& rc, int index, Span span) {
  rc.pending[static_cast<std::size_t>(index)].used = true;
  ensure(rc, index);
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
