// The steps inside a value: function calls, loops with their rounds, branches of choices, table rows. A folded step is
// a line; an opened one is followed by its own steps.
#include "runtime/explain/explanation.hpp"

namespace assay {

namespace {

using Kind = TracePoint::Kind;

// Steps without a line of their own: only the steps inside them are informative.
bool transparent(const TraceNode& n) { return n.point->expr->op == Op::choice || n.point->expr->op == Op::builtin; }

std::string counted(std::uint32_t n, const char* word) { return std::to_string(n) + " " + word + (n == 1 ? "" : "s"); }

}  // namespace

// The unnamed items that the checker made from an item; their steps belong to it.
void ExplanationText::hidden_items(const Expr* e, std::vector<int>& found) const {
  if (e == nullptr) return;
  if (e->op == Op::item) {
    const Item& it = rubric_.items[e->index];
    const bool hidden = it.kind == ItemKind::hidden || it.name.empty();
    for (const int other : found) {
      if (other == static_cast<int>(e->index)) return;
    }
    if (!hidden) return;
    found.push_back(static_cast<int>(e->index));
    hidden_items(it.body, found);
  }
  for (const Expr* arg : e->args) hidden_items(arg, found);
}

void ExplanationText::steps(int index, int depth) {
  std::vector<int> items{index};
  hidden_items(item(index).body, items);
  for (const int one : items) {
    const std::uint32_t top = what_.trace.item(one);
    if (top == 0) continue;
    const bool open = opens(item(index).name);
    steps_below(top, depth, open);
    if (!open && !what_.open.empty()) opened_calls(top, depth);
  }
}

// Function calls and tables to open, inside steps that are not opened.
void ExplanationText::opened_calls(std::uint32_t parent, int depth) {
  const Trace& trace = what_.trace;
  std::uint32_t at = trace[parent].first;
  while (at != 0 && !full()) {
    const TraceNode& n = trace[at];
    bool inside = n.first != 0;
    const bool seen = n.parent == parent && n.point->kind == Kind::expr && !transparent(n);  // it has its own line
    if (n.point->kind == Kind::expr && n.point->expr->op == Op::call &&
        opens(model_.functions[n.point->expr->index].name)) {
      if (!seen) call(at, depth, true);
      inside = false;
    }
    if (inside) {
      at = n.first;
      continue;
    }
    while (at != parent && trace[at].next == 0) at = trace[at].parent;
    at = at == parent ? 0 : trace[at].next;
  }
}

bool ExplanationText::has_steps(std::uint32_t at) const {
  for (std::uint32_t i = what_.trace[at].first; i != 0; i = what_.trace[i].next) {
    const TraceNode& n = what_.trace[i];
    if (n.point->kind != Kind::local && n.point->kind != Kind::round) return true;
    if (n.point->kind == Kind::local && n.point->expr->op == Op::let_in) return true;
    if (n.point->kind == Kind::round) return true;
  }
  return what_.trace[at].dropped > 0;
}

void ExplanationText::steps_below(std::uint32_t parent, int depth, bool open) {
  for (std::uint32_t at = what_.trace[parent].first; at != 0 && !full(); at = what_.trace[at].next)
    step(at, depth, open);
  if (open && what_.trace[parent].dropped > 0)
    line(depth, "and " + counted(what_.trace[parent].dropped, "more step") + " that are not kept");
}

void ExplanationText::step(std::uint32_t at, int depth, bool open) {
  const TraceNode& n = what_.trace[at];
  if (n.point->kind == Kind::local) {
    if (n.point->expr->op == Op::let_in && open)
      line(depth, n.point->name + " = " + shown(n.point->type, n.value, n.point->name));
    return;
  }
  if (n.point->kind == Kind::round) return round(at, depth);
  if (n.point->kind == Kind::item) {  // of another rubric
    line(depth, n.point->name + " = " + shown(n.point->type, n.value, n.point->name));
    if (open) steps_below(at, depth + 1, true);
    return;
  }
  const Expr& e = *n.point->expr;
  switch (e.op) {
    case Op::call: return call(at, depth, open || opens(model_.functions[e.index].name));
    case Op::loop: return loop(at, depth, open);
    case Op::lookup: return row(at, depth, open);
    case Op::choice: condition(at, depth); return steps_below(at, depth, open);
    case Op::hook: {
      if (!open) return;  // the section of hooks lists them all
      line(depth, model_.hooks[e.index].name + "(…) = " + shown(e.type, n.value, model_.hooks[e.index].name));
      return steps_below(at, depth + 1, open);
    }
    case Op::apply: {
      const std::string& name = model_.rubrics[e.index].name;
      const bool opened = open || opens(name);
      line(depth, "the verdict of " + name + " = " + shown(e.type, n.value, name));
      if (opened) {
        steps_below(at, depth + 1, true);
      } else {
        folded_.insert(name);
      }
      return;
    }
    case Op::builtin:
      if (const std::string text = open ? part_of(e.span) : std::string(); !text.empty())
        line(depth, text + " = " + shown(e.type, n.value, {}));
      return steps_below(at, depth, open);
    default: return steps_below(at, depth, open);
  }
}

void ExplanationText::condition(std::uint32_t at, int depth) {
  const TraceNode& n = what_.trace[at];
  const Expr& asked = *n.point->expr->args[1];
  const std::string text = part_of(asked.span);
  // An expression made by the checker, such as the choice of a table row with formulas, and all its parts have the same
  // place.
  const auto same = [&](const Expr* part) {
    return part->span.begin == asked.span.begin && part->span.end == asked.span.end;
  };
  const bool made = asked.args.size() == 2 && same(asked.args[0]) && same(asked.args[1]);
  const bool written = !made && !text.empty() && asked.op != Op::is_missing && asked.op != Op::constant &&
                       !(asked.op == Op::not_ && asked.args[0]->op == Op::is_missing) && !same(n.point->expr);
  if (written && n.side >= 0) line(depth, "condition " + text + ": " + (n.side == 1 ? "met" : "not met"));
}

void ExplanationText::call(std::uint32_t at, int depth, bool open) {
  const TraceNode& n = what_.trace[at];
  const Expr& e = *n.point->expr;
  const Function& f = model_.functions[e.index];
  std::string arguments;
  for (std::uint32_t i = n.first; i != 0; i = what_.trace[i].next) {
    const TraceNode& local = what_.trace[i];
    if (local.point->kind != Kind::local || local.point->expr != &e) continue;
    arguments += (arguments.empty() ? "" : ", ") + local.point->name + " = " +
                 shown(local.point->type, local.value, open ? std::string_view() : std::string_view(f.name));
  }
  line(depth, f.name + "(" + arguments + ") = " + shown(e.type, n.value, f.name));
  if (!has_steps(at)) return;
  if (!open) {
    folded_.insert(f.name);
    return;
  }
  if (const std::string text = text_of(f.body->span); shown_functions_.insert(f.body).second && !text.empty())
    line(depth + 1, "as: " + text);
  steps_below(at, depth + 1, true);
}

void ExplanationText::loop(std::uint32_t at, int depth, bool open) {
  const TraceNode& n = what_.trace[at];
  const Expr& e = *n.point->expr;
  std::string text;
  for (const LoopClause& clause : e.loop->clauses) {
    const std::string of = part_of(clause.expr->span);
    switch (clause.kind) {
      case LoopClause::Kind::for_in: {
        if (clause.second_name.empty()) break;
        const std::string first = clause.first_name.empty() ? "" : clause.first_name + ", ";
        text += (text.empty() ? "" : " ") + ("for " + first + clause.second_name) + " in " + of;
        break;
      }
      case LoopClause::Kind::when: text += " when " + of; break;
      case LoopClause::Kind::while_: text += " while " + of; break;
      case LoopClause::Kind::let: text += " where " + clause.second_name + " = " + of; break;
    }
  }
  if (text.empty()) {  // no 'for' is written: a joined map, or a map of one entry
    line(depth, part_of(e.span) + " = " + shown(e.type, n.value, {}));
    if (e.loop->clauses.empty()) steps_below(at, depth + 1, open);
    return;
  }
  const std::string rounds = n.passed == n.rounds
                                 ? counted(n.rounds, "round")
                                 : std::to_string(n.passed) + " of " + counted(n.rounds, "round") + " pass";
  line(depth, text + ": " + rounds + (e.loop->collect == Collect::list ? "" : ", = " + shown(e.type, n.value, {})));
  if (open) {
    steps_below(at, depth + 1, true);
  } else if (n.rounds > 0) {
    std::uint32_t top = at;
    while (what_.trace[top].parent != 0) top = what_.trace[top].parent;
    const TracePoint& point = *what_.trace[top].point;
    if (point.kind == Kind::item && item(point.index).kind != ItemKind::hidden) folded_.insert(point.name);
  }
}

void ExplanationText::round(std::uint32_t at, int depth) {
  const TraceNode& n = what_.trace[at];
  const Expr* const loop = n.point->expr;
  std::string names, result;
  bool inner = false;
  for (std::uint32_t i = n.first; i != 0; i = what_.trace[i].next) {
    const TraceNode& local = what_.trace[i];
    if (local.point->kind == Kind::round && local.point->expr == loop) inner = true;
    if (local.point->kind != Kind::local || local.point->expr != loop) continue;
    if (local.point->name.empty()) {
      result = ": " + shown(local.point->type, local.value, {});
    } else {
      names += (names.empty() ? "" : ", ") + local.point->name + " = " +
               shown(local.point->type, local.value, local.point->name);
    }
  }
  line(depth, (names.empty() ? "round" : names) + (inner ? "" : n.passed > 0 ? result : ": passed over"));
  for (std::uint32_t i = n.first; i != 0 && !full(); i = what_.trace[i].next) {
    const TraceNode& child = what_.trace[i];
    if (child.point->kind != Kind::local || child.point->expr != loop) step(i, depth + 1, true);
  }
}

void ExplanationText::row(std::uint32_t at, int depth, bool open) {
  const TraceNode& n = what_.trace[at];
  const LookupTable& table = model_.tables[n.point->expr->index];
  std::int64_t row = 0;
  std::string text = "table " + table.name + ": ";
  if (n.value.missing() || !to_int64(n.value.number, row) || row < 0 ||
      static_cast<std::size_t>(row) >= table.rows.size()) {
    text += "no row of " + std::to_string(table.rows.size()) + " fits";
  } else {
    text += "row " + std::to_string(row + 1) + " of " + std::to_string(table.rows.size()) +
            ", the first that fits: " + part_of(table.rows[static_cast<std::size_t>(row)].span);
  }
  line(depth, text);
  steps_below(at, depth + 1, open);
}

}  // namespace assay
