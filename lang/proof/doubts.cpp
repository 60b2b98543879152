// See doubts.hpp. Walks every body of the model once, assuming the conditions on the way, and determines the possible
// results of each written condition. A text with several meanings (in a function, in a rubric that others extend) is
// doubted only if all of them agree.
#include "lang/proof/doubts.hpp"

#include "lang/value/interval.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace assay {

namespace {

struct ConditionRow {
  const char* always;
  const char* never;
};
constexpr ConditionRow kConditions[] = {
#define ASSAY_CONDITION(role, always, never) {always, never},
#include "lang/proof/conditions.def"
};

// The expression whose name or field is at this place.
const ast::Expr* written_at(const ast::Expr& e, Span word) {
  const bool field = e.kind == ast::ExprKind::field && e.word.begin == word.begin && e.word.end == word.end;
  if (field || (e.span.begin == word.begin && e.span.end == word.end)) return &e;
  for (const ast::ExprPtr& arg : e.args) {
    if (!arg) continue;
    if (const ast::Expr* found = written_at(*arg, word)) return found;
  }
  return nullptr;
}

template <class Test>
bool any_part(const Expr& e, Budget& budget, const Test& test) {
  const Nesting nesting(budget);
  return test(e) ||
         std::any_of(e.args.begin(), e.args.end(), [&](const Expr* arg) { return any_part(*arg, budget, test); });
}

bool is_local(const Expr& e) { return e.op == Op::local || e.op == Op::loop; }
bool asks_for_value(const Expr& e) { return e.op == Op::is_missing; }

}  // namespace

std::string Doubts::words(Span span) const {
  std::string s;
  bool space = false;
  for (const char c : sources_.text(span)) {
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      space = !s.empty();
      continue;
    }
    if (space) s += ' ';
    space = false;
    s += c;
  }
  constexpr std::size_t kMost = 60;
  return s.size() <= kMost && s.find('#') == s.npos ? "'" + s + "'" : "this condition";
}

bool Doubts::is_condition(Asked asked) { return static_cast<std::size_t>(asked) < std::size(kConditions); }

const char* Doubts::effect(Asked asked, bool holds) {
  const ConditionRow& row = kConditions[static_cast<std::size_t>(asked)];
  return holds ? row.always : row.never;
}

bool Doubts::told(Span condition) const {
  return std::any_of(reported_.begin(), reported_.end(), [condition](Span at) {
    return at.file == condition.file && at.begin >= condition.begin && at.end <= condition.end;
  });
}

Diagnostic& Doubts::report(Code code, Span at, std::string message, FixIt help) {
  reported_.push_back(at);
  return diagnostics_.report(code, at, std::move(message), {}, std::move(help));
}

void Doubts::claims(const std::vector<Claim>& claims) {
  std::map<std::pair<const ast::Expr*, Asked>, std::size_t> known;
  for (const Claim& claim : claims) {
    const auto [at, fresh] = known.emplace(std::pair{claim.node, claim.asked}, seen_.size());
    if (fresh) {
      seen_.emplace_back();
      seen_.back().claim = claim;
    }
    budget_.take(sizeof(Seen));
    by_value_[claim.value].push_back(at->second);
    Seen& seen = seen_[at->second];
    seen.claim.any_arguments = seen.claim.any_arguments || claim.any_arguments;
    if (claim.value->op != Op::constant) continue;  // folded away, so never visited
    const Value& value = claim.value->value;
    const bool setting = settings_.count(claim.value) > 0 || value.missing();
    seen.met = true;
    seen.may_be_given = true;
    seen.missing = seen.missing || value.missing();
    if (model_.types.kind(claim.value->type) != TypeKind::boolean || setting) {
      seen.holds = seen.fails = seen.here_holds = true;
    } else {
      (value.boolean.truth != 0 ? seen.holds : seen.fails) = true;
      seen.here_holds = seen.here_holds || value.boolean.truth != 0;
    }
  }
  for (const RubricModel& rubric : model_.rubrics) {
    if (rubric.cohort.each >= 0) each_.insert(rubric.cohort.each);
  }
  for (std::size_t r = 0; r < model_.rubrics.size(); ++r) {
    for (const Slot& slot : model_.rubrics[r].slots) {
      if (each_.count(static_cast<int>(r)) == 0) reads(slot.type);
    }
  }
  for (std::size_t r = 0; r < model_.rubrics.size(); ++r) {
    const RubricModel& rubric = model_.rubrics[r];
    const auto root = [&](const Expr* body) {
      if (body == nullptr) return;
      rubric_ = static_cast<int>(r);
      function_ = nullptr;
      known_.enter(rubric_, nullptr);
      walk(*body);
    };
    for (const Item& item : rubric.items) {
      const WorkingOn working(budget_, item.span);
      root(item.body);
    }
    for (const Check& rule : rubric.checks) root(rule.body);
    for (const RequiredWhen& rule : rubric.required_when) root(rule.condition);
  }
  for (const Function& function : model_.functions) {
    if (function.body == nullptr) continue;
    rubric_ = function.rubric;
    function_ = &function;
    known_.enter(rubric_, function_);
    walk(*function.body);
  }
  // Of a condition and a comparison in it, only one is reported: the part that decides, or the whole if they are the
  // same.
  std::vector<Span> told = around_.told;
  const auto told_inside = [&told](Span span) {
    return std::any_of(told.begin(), told.end(), [span](Span part) {
      return part.file == span.file && part.begin >= span.begin && part.end <= span.end;
    });
  };
  std::set<const ast::Expr*> whole;
  for (const Seen& seen : seen_) {
    if (is_condition(seen.claim.asked)) whole.insert(seen.claim.node);
  }
  for (const Seen& seen : seen_) {
    if (seen.claim.asked == Asked::call && report_call(seen)) told.push_back(seen.claim.node->span);
    report_filter(seen);
    if (seen.claim.asked != Asked::part) continue;
    if (!around_.told.empty() && told_inside(seen.claim.node->span)) continue;
    const bool percent = report_percent(seen) || report_share(seen) || report_text_order(seen);
    if (percent || (whole.count(seen.claim.node) == 0 && report_part(seen))) told.push_back(seen.claim.node->span);
  }
  for (const Seen& seen : seen_) {
    if (!is_condition(seen.claim.asked)) continue;
    const Span span = seen.claim.node->span;
    budget_.step(1 + told.size() / 8);
    if (!told_inside(span)) report_condition(seen);
  }
}

// ---- the way through a body

void Doubts::walk(const Expr& e) {
  const Nesting nesting(budget_);
  take(e);
  const auto under = [this](const Expr& condition, Outcome outcome, const Expr& then) {
    const std::size_t mark = known_.mark();
    known_.assume(condition, outcome);
    if (known_.possible()) {
      walk(then);
    } else if (then.op == Op::choice && known_.always(condition).can_fail()) {  // behind those that take everything
      if (chained_.count(&then) == 0) first_.insert(then.args[1]);
      unreached_ = true;
      take(*then.args[1]);
      unreached_ = false;
    }
    known_.back_to(mark);
  };
  switch (e.op) {
    case Op::choice:
      if (chained_.count(&e) == 0) first_.insert(e.args[1]);
      chained_.insert(e.args[2]);
      walk(*e.args[1]);
      under(*e.args[1], Outcome::holds, *e.args[0]);
      under(*e.args[1], Outcome::does_not_hold, *e.args[2]);
      return;
    case Op::and_:
      walk(*e.args[0]);
      under(*e.args[0], Outcome::does_not_fail, *e.args[1]);
      return;
    case Op::or_:
      walk(*e.args[0]);
      under(*e.args[0], Outcome::does_not_hold, *e.args[1]);
      return;
    case Op::let_in:
      walk(*e.args[0]);
      known_.bind(e.index, *e.args[0]);
      walk(*e.args[1]);
      return;
    case Op::loop: walk_loop(e); return;
    default:
      for (const Expr* arg : e.args) walk(*arg);
  }
}

void Doubts::walk_loop(const Expr& e) {
  const std::size_t mark = known_.mark();
  const Loop& loop = *e.loop;
  const std::map<int, const LoopClause*> around = loop_locals_;
  if (loop.start != nullptr) walk(*loop.start);
  bool filtered = false;
  for (const LoopClause& clause : loop.clauses) {
    const bool filter = clause.kind == LoopClause::Kind::when || clause.kind == LoopClause::Kind::while_;
    const Expr* list = clause.kind == LoopClause::Kind::for_in ? behind(*clause.expr, rubric_) : nullptr;
    if (filter && !filtered) first_.insert(clause.expr);
    filtered = filtered || filter || (list != nullptr && list->op == Op::loop);
    walk(*clause.expr);
    const bool binds = clause.kind == LoopClause::Kind::for_in || clause.kind == LoopClause::Kind::let;
    if (binds) loop_locals_[clause.second] = &clause;
    if (clause.kind == LoopClause::Kind::for_in) known_.assume_items(*clause.expr, clause.second);
    if (!binds) known_.assume(*clause.expr, Outcome::holds);
  }
  if (known_.possible()) {
    for (const Expr* part : {loop.next, loop.key, loop.value}) {
      if (part != nullptr) walk(*part);
    }
    for (const LoopOrder& order : loop.order) walk(*order.expr);
    // [r.place for r in races when r.place is given]
    const bool list = loop.key == nullptr && loop.value != nullptr && loop.clauses.size() > 1;
    if (list && lost_in(*loop.value) == nullptr) proved_given_.insert(&e);
  }
  loop_locals_ = around;
  known_.back_to(mark);
}

void Doubts::take(const Expr& e) {
  const auto at = by_value_.find(&e);
  if (at == by_value_.end() || e.op == Op::constant) return;
  for (const std::size_t index : at->second) look(seen_[index], e);
}

void Doubts::look(Seen& seen, const Expr& e) {
  if (seen.claim.any_arguments && any_part(e, budget_, is_local)) {  // for any arguments of a call
    seen.met = seen.holds = seen.fails = seen.missing = seen.here_holds = seen.may_be_given = true;
    return;
  }
  const Known always = known_.always(e);
  seen.met = true;
  seen.may_be_given = seen.may_be_given || always.given;
  seen.holds = seen.holds || always.can_hold();
  seen.fails = seen.fails || always.can_fail();
  seen.missing = seen.missing || always.missing;
  if (seen.first == nullptr) {
    seen.first = &e;
    seen.rubric = rubric_;
    seen.function = function_;
  }
  if (is_condition(seen.claim.asked)) seen.here_holds = seen.here_holds || (!unreached_ && known_.here(e).can_hold());
  const bool lossy = seen.claim.asked == Asked::lossy_filter || seen.claim.asked == Asked::lossy_repeat;
  if (lossy && seen.lost == nullptr && known_.here(e).missing) {
    lost_list_ = nullptr;
    seen.lost = may_be_lost(e);
    seen.lost_list = lost_list_;
  }
  const Expr& part = without_not(e);
  if (seen.claim.asked == Asked::part && joins(part.op)) {
    for (const auto& [side, arg] : {std::pair{&seen.left, part.args[0]}, std::pair{&seen.right, part.args[1]}}) {
      const Known known = known_.always(*arg);
      const bool first = seen.first == &e;
      side->yes = known.can_hold() || (!first && side->yes);
      side->no = known.can_fail() || (!first && side->no);
    }
  }
  if (seen.claim.asked != Asked::call && (compares(part.op) || part.op == Op::in_range)) {
    const auto hull = [](const Known& a, const Known& b) {
      Known k = b;
      k.range = interval_hull(a.range, b.range);
      return k;
    };
    Known left = known_.always(*part.args[0]), right = known_.always(*part.args[1]);
    if (model_.types.kind(part.args[0]->type) == TypeKind::text) left.range = right.range = {};  // of places
    const bool first = seen.first == &e;
    seen.left = first ? left : hull(seen.left, left);
    seen.right = first ? right : hull(seen.right, right);
  }
}

void Doubts::reads(TypeId type) {
  const Nesting nesting(budget_);
  const Type& t = model_.types[type];
  if (!read_.insert(type).second) return;
  if (t.kind == TypeKind::list || t.kind == TypeKind::map) reads(t.element);
  for (const Field& field : t.fields) reads(field.type);
}

// ---- the warnings

std::string Doubts::why(const Seen& seen) const {
  const ast::Expr& node = *seen.claim.node;
  if (seen.first == nullptr || node.kind != ast::ExprKind::binary || node.args.size() != 2) return {};
  const Expr& e = without_not(*seen.first);
  if (!compares(e.op) && e.op != Op::in_range) return {};
  if (model_.types.kind(e.args[0]->type) != TypeKind::number) return {};
  const Known* other = nullptr;
  std::size_t side = 0;
  if (e.op == Op::in_range) {
    other = &seen.left;
  } else if (constant_side(seen.left, seen.right, other) != nullptr) {
    side = other == &seen.left ? 0 : 1;
  } else {
    return {};
  }
  if (other->range.low.missing() && other->range.high.missing()) return {};
  const Known& constant = other == &seen.left ? seen.right : seen.left;
  const Interval& range = other->range;
  const auto beyond = [&](Number end, int sign) {
    return end.missing() || compare(constant.range.low, end) * sign < 0;
  };
  if (e.op != Op::in_range && beyond(range.low, -1) && beyond(range.high, 1)) return {};  // the range is not why
  return ": " + words(node.args[side]->span) + " is always" +
         (other->whole && !constant.whole ? " a whole number" : "") + range_text(other->range);
}

bool Doubts::report_part(const Seen& seen) {
  if (!seen.met || seen.first == nullptr) return false;
  const ast::Expr& node = *seen.claim.node;
  const bool question = node.kind == ast::ExprKind::is_missing || node.kind == ast::ExprKind::is_given;
  if (question) {
    const bool never_missing = node.kind == ast::ExprKind::is_missing ? !seen.holds : !seen.fails;
    if (never_missing) report_never_missing(seen);
    return never_missing;
  }
  if (seen.holds == seen.fails) return false;
  const Expr& e = without_not(*seen.first);
  if (joins(e.op)) {  // each side may hold or fail, but together they decide
    const bool open = seen.left.yes && seen.left.no && seen.right.yes && seen.right.no;
    if (!open || (e.op == Op::or_ ? seen.fails || seen.missing : seen.holds)) return false;
    offer(diagnostics_,
          report(seen.holds ? Code::always_true : Code::always_false, node.span,
                 words(node.span) + (seen.holds ? " always holds" : " never holds"),
                 seen.holds ? "one of its sides holds whatever the other one does: 'and' asks for both"
                 : node.kind == ast::ExprKind::binary && about_one_value(node)
                     ? "its sides exclude each other: 'or' asks for one of them"
                     : "its sides exclude each other: correct one of them"),
          other_forms_of(seen));
    return true;
  }
  if (e.args.empty()) return false;  // of a loop
  if (e.op == Op::builtin) {
    if (seen.holds) return false;
    report(Code::beyond_range, node.span, words(node.span) + " never holds", "correct the text that it asks for");
    return true;
  }
  if (e.op == Op::in_map || model_.types.kind(e.args[0]->type) != TypeKind::number) return false;
  const bool both_constant = e.args[0]->op == Op::constant && e.args[1]->op == Op::constant;
  if (both_constant) return false;
  if (seen.holds) {
    // Repeating the end of a range, as in `score >= 0 and score < 50`, is harmless and clear.
    const Known* other = nullptr;
    const Known* constant = constant_side(seen.left, seen.right, other);
    const bool closed = e.op == Op::le || e.op == Op::ge || e.op == Op::in_range;
    if (constant == nullptr && e.op != Op::in_range) return false;
    if (e.op == Op::in_range) return false;
    const Number n = constant->range.low;
    const auto at = [n](Number bound) { return !bound.missing() && compare(bound, n) == 0; };
    if (closed && (at(other->range.low) || at(other->range.high))) return false;
  }
  std::string help = correction(seen);
  const bool unless_missing = seen.holds && seen.missing;
  if (help.empty())
    help = unless_missing ? "correct the number, or ask only for the value: 'is given'"
           : seen.holds   ? "leave it out, or correct the number"
                          : "correct the number, or leave it out";
  std::vector<Fix> fixes = other_forms_of(seen);
  if (unless_missing) ask_for_value(seen, fixes);
  offer(diagnostics_,
        report(Code::beyond_range, node.span,
               words(node.span) +
                   (unless_missing ? " holds whenever it is known"
                    : seen.holds   ? " always holds"
                                   : " never holds") +
                   why(seen),
               std::move(help)),
        fixes);
  return true;
}

// What a comparison that holds wherever it is known is good for.
void Doubts::ask_for_value(const Seen& seen, std::vector<Fix>& fixes) const {
  const ast::Expr& node = *seen.claim.node;
  const Expr& e = without_not(*seen.first);
  if (compares(e.op) && node.kind == ast::ExprKind::binary && e.args[0]->op != Op::constant)
    fixes.insert(fixes.begin(), {{node.span, std::string(sources_.text(node.args[0]->span)) + " is given"}});
}

void Doubts::report_never_missing(const Seen& seen) {
  const ast::Expr& node = *seen.claim.node;
  const Expr* of = seen.first;
  while (of->op == Op::not_ || of->op == Op::is_missing) of = of->args[0];
  const std::string name = words(node.args[0]->span);
  std::string message = name + " is never missing";
  std::string help = "leave the question out";
  std::vector<Fix> fixes;
  if (of->op == Op::slot && seen.rubric >= 0) {
    const Slot& slot = model_.rubrics[static_cast<std::size_t>(seen.rubric)].slots[of->index];
    if (slot.presence == Presence::required) {
      message += ": a record without it is rejected";
      help = "declare the input 'optional' if a record may lack it, or leave the question out";
    } else {
      message += ": it has a default";
      help = "declare the input 'optional' instead of giving it a default, or leave the question out";
    }
    const auto declared = around_.optional.find(slot.name);
    if (declared != around_.optional.end()) fixes.push_back(declared->second);
  }
  if (std::string_view input(sources_.text(node.args[0]->span)); around_.replaced.count(std::string(input)) > 0) {
    const bool asks_missing = node.kind == ast::ExprKind::is_missing;
    message = name + " is never missing: the input has a value for that";
    help = "the names of the inputs that a record lacks are in 'degraded'";
    fixes = {{{node.span, "\"" + std::string(input) + (asks_missing ? "\" in degraded" : "\" not in degraded")}}};
  }
  leave_out(node, fixes);
  offer(diagnostics_, report(Code::never_missing, node.span, std::move(message), std::move(help)), fixes);
}

void Doubts::report_condition(const Seen& seen) {
  if (!seen.met) return;
  const ast::Expr& node = *seen.claim.node;
  if (seen.first != nullptr && without_not(*seen.first).op == Op::is_missing && seen.holds != seen.fails) {
    const bool asks_missing = node.kind == ast::ExprKind::is_missing;
    if (asks_missing ? !seen.holds : node.kind == ast::ExprKind::is_given && !seen.fails) {
      const Expr* of = without_not(*seen.first).args[0];
      // For an item of a loop this test is a harmless habit.
      if (asks_missing || of->op == Op::slot || of->op == Op::item) report_never_missing(seen);
      return;
    }
  }
  const ConditionRow& row = kConditions[static_cast<std::size_t>(seen.claim.asked)];
  hopeless_ = hopeless_ || (seen.claim.asked == Asked::gate && !seen.holds);
  const bool rule = seen.claim.asked == Asked::rule;
  const std::string text = words(node.span);
  std::string help = correction(seen);
  if (seen.holds && !seen.fails && (rule || !seen.missing)) {
    // Stating what always holds for items is harmless, unless only its sides together do: x != "a" or x != "b".
    if (seen.claim.asked == Asked::filter || seen.claim.asked == Asked::repeat) {
      if (seen.first != nullptr && joins(without_not(*seen.first).op)) report_part(seen);
      return;
    }
    // a != "x" or a != "y"
    const auto differs = [](const ast::Expr& e) { return e.kind == ast::ExprKind::binary && e.text == "!="; };
    if (node.kind == ast::ExprKind::binary && node.text == "or" && differs(*node.args[0]) && differs(*node.args[1])) {
      help = "it differs from at least one of the two: 'and' asks for both";
    }
    if (help.empty()) help = "leave the condition out, or correct it";
    if (rule) help = "leave the check out, or correct its condition";
    // Cases behind it: it is their order that is wrong.
    const auto own = around_.cases.find(&node);
    const bool hides = seen.claim.asked == Asked::choice && own != around_.cases.end() &&
                       own->second->args.size() > 2 && own->second->args[2]->kind == ast::ExprKind::choice;
    if (hides) help = "the first condition that holds chooses: put the narrower ones first";
    std::vector<Fix> fixes = hides ? std::vector<Fix>() : other_forms_of(seen);
    if (rule) leave_out(node, fixes);
    offer(diagnostics_,
          report(Code::always_true, node.span, std::string(row.always) + ": " + text + " always holds" + why(seen),
                 std::move(help)),
          fixes);
    return;
  }
  if (seen.holds && !seen.fails && report_part(seen)) return;
  const bool decides = seen.claim.asked != Asked::filter && seen.claim.asked != Asked::repeat;
  if (seen.holds && !seen.fails && decides) {  // it holds wherever it is known
    std::vector<Fix> fixes = other_forms_of(seen);
    ask_for_value(seen, fixes);
    offer(diagnostics_,
          report(Code::always_true, node.span,
                 std::string(row.always) + " unless a value is missing: " + text + " holds whenever it is known" +
                     why(seen),
                 !help.empty() ? std::move(help)
                 : any_part(*seen.first, budget_, asks_for_value)
                     ? "correct the condition"
                     : "correct the condition, or ask only for the value: 'is given'"),
          fixes);
    return;
  }
  if (help.empty()) help = "correct the condition, or leave out what depends on it";
  if (!seen.holds && !seen.fails && seen.missing) {
    report(Code::never_known, node.span,
           std::string(rule ? "this check never rejects a record" : row.never) + ": " + text +
               " is never known, because something in it is always missing",
           "give what is missing a value with 'default', or correct it");
    return;
  }
  if (!seen.holds) {
    if (rule && seen.missing) return;
    std::vector<Fix> fixes = other_forms_of(seen);
    leave_out(node, fixes);
    offer(diagnostics_,
          report(Code::always_false, node.span, std::string(row.never) + ": " + text + " never holds" + why(seen),
                 std::move(help)),
          fixes);
    return;
  }
  if (!seen.here_holds && (seen.claim.asked == Asked::choice || seen.claim.asked == Asked::filter)) {
    const bool first = first_.count(seen.first) > 0, chain = seen.claim.asked == Asked::choice && !first;
    const char* reason = first   ? ": the conditions around it leave out"
                         : chain ? ": the cases before it take"
                                 : ": the filters before it drop";
    std::vector<Fix> fixes = chain ? other_cases(node) : std::vector<Fix>();
    for (Fix& fix : other_forms_of(seen)) fixes.push_back(std::move(fix));
    offer(diagnostics_,
          report(Code::always_false, node.span,
                 std::string(row.never) + reason + " every value for which " + text + " holds",
                 chain ? "the first condition that holds chooses: put the narrower ones first" : "correct one of them"),
          fixes);
  }
}

bool Doubts::report_call(const Seen& seen) {
  if (!seen.met || seen.first == nullptr || seen.may_be_given || seen.claim.any_arguments) return false;
  known_.enter(seen.rubric, seen.function);
  const ast::Expr& node = *seen.claim.node;
  const Expr& e = *seen.first;
  std::string help = "correct what it is given, or leave it out";
  std::string because;
  if (e.op == Op::list_get) {
    because = ": the list has no such place";
    help = "the first item is [0], and last(list) the last one";
  }
  if (e.op == Op::builtin && !e.args.empty()) {
    const Known first = known_.always(*e.args[0]);
    const std::string range =
        finite(first.range) || !first.range.low.missing() || !first.range.high.missing()
            ? words(node.args.empty() ? node.span : node.args[0]->span) + " is" + range_text(first.range)
            : std::string();
    const bool given = first.given && !range.empty();
    const auto id = static_cast<Builtin>(e.index);
    if (given && id == Builtin::percentile) because = ": " + range, help = "percentiles are counted 0..100";
    if (given && id == Builtin::interpolate) {
      because = ": " + range + ", and the points do not reach there";
      help = "bring both to the same scale, or say what holds outside of the points with 'default'";
    }
    if (given && id != Builtin::percentile && id != Builtin::interpolate) because = ": " + range;
    if (id == Builtin::mod && node.args.size() > 1 && first.given && known_.always(*e.args[1]).given) {
      because = ": " + words(node.args[1]->span) + " is always 0";
      help = "what is divided by 0 is missing; divide by something that can be another number";
    }
    if (first.given && model_.types.kind(e.args[0]->type) == TypeKind::list) {
      const bool spread = id == Builtin::stdev || id == Builtin::variance || id == Builtin::slope;
      because = spread ? ": it needs two numbers or more" : ": its list is always empty";
      help = "give it a longer list";
    }
  }
  report(Code::always_missing, node.span, words(node.span) + " is always missing" + because, std::move(help));
  return true;
}

void Doubts::report_filter(const Seen& seen) {
  if (seen.lost == nullptr || seen.claim.any_arguments || proved_given_.count(seen.lost_list) > 0) return;
  const std::string word(sources_.text(seen.lost->span));
  if (considered_.count(word) > 0) return;
  const ast::Expr* whole = written_at(*seen.claim.node, seen.lost->span);
  const std::string what(sources_.text(whole != nullptr ? whole->span : seen.lost->span));
  const Span span = seen.claim.node->span;
  const bool ends = seen.claim.asked == Asked::lossy_repeat;
  if (seen.lost->span.file != span.file || seen.lost->span.begin < span.begin || seen.lost->span.end > span.end) {
    const std::string condition = words(span), item = ends ? "ends the loop" : "leaves the item out";
    report(Code::lost_items, span,
           condition + " is unknown where '" + word + "' is missing, and then " +
               (ends ? "the loop ends in silence" : "the item is left out in silence"),
           "say what holds then: 'default true' behind it " + std::string(ends ? "goes on" : "keeps the item") +
               ", 'default false' " + item);
    return;
  }
  const bool plain = what.size() <= 40 && what.find('\n') == what.npos;
  const std::string name = plain ? what : word;
  Diagnostic& d =
      report(Code::lost_items, span,
             "'" + name + "' may be missing; then this condition is unknown, and " +
                 (ends ? "the loop ends in silence" : "the item is left out in silence"),
             "say what holds then: '" + name + " is missing or …' " + (ends ? "goes on" : "keeps the item") + ", '" +
                 name + " is given and …' " + (ends ? "ends the loop" : "leaves it out"));
  if (!plain) return;
  const bool chain = seen.claim.node->kind == ast::ExprKind::binary && seen.claim.node->text == "or";
  std::vector<Fix> fixes = {
      {{{span.file, span.begin, span.begin}, name + (chain ? " is given and (" : " is given and ")}},
      {{{span.file, span.begin, span.begin}, name + (chain ? " is missing or (" : " is missing or ")}}};
  for (Fix& fix : fixes) {
    if (chain) fix.push_back({{span.file, span.end, span.end}, ")"});
  }
  if (seen.lost->op == Op::map_get) {
    const std::string meant = "(" + std::string(sources_.text(seen.lost->span)) + " default 0)";
    d.help = "write " + meant + ", if a key that the map lacks stands for none of it";
    return offer(diagnostics_, d, {{{seen.lost->span, meant}}});
  }
  const std::string both = d.help.str();
  offer(diagnostics_, d, fixes);
  for (Suggestion& s : d.suggestions) s.title = both;
}

}  // namespace assay
