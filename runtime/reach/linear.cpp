// Expresses the goal as a weighted sum of levers, if it has that form. See goal.hpp.
#include "runtime/reach/goal.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace assay {

namespace {

// A number as a function of the levers over their ranges: how it moves with each, and its weighted sum, if it is one.
struct Form {
  bool sum = true;
  std::map<std::size_t, Number> gains;
  std::map<std::size_t, int> moves;  // 1: non-decreasing, -1: non-increasing, 2: either
};

class Forms {
 public:
  Forms(const RubricModel& rubric, BoxEvaluator& boxes, const Levers& levers, NumberPool& pool)
      : rubric_(rubric), boxes_(boxes), levers_(levers), pool_(pool) {}

  // Nothing: its direction is unknown for some lever.
  std::optional<Form> of(const Expr* e, int level = 0) {
    constexpr int kDeepest = 60;
    if (level > kDeepest) return in_the_way(e);
    if (e->op == Op::local) {  // replaced by the value that a 'let' has named
      const auto named = locals_.find(e->index);
      return named == locals_.end() ? in_the_way(e) : of(named->second, level + 1);
    }
    if (!depends(e)) return Form();
    if (e->op == Op::let_in) return of_let(e, level);
    switch (e->op) {
      case Op::slot: return of_slot(static_cast<int>(e->index));
      case Op::item: {  // an item has its own names
        std::map<std::uint32_t, const Expr*> outer;
        outer.swap(locals_);
        std::optional<Form> form = of(rubric_.items[e->index].body, level + 1);
        outer.swap(locals_);
        return form;
      }
      case Op::add:
      case Op::sub: {
        std::optional<Form> a = of(e->args[0], level + 1), b = of(e->args[1], level + 1);
        if (!a || !b) return std::nullopt;
        if (may_miss(e)) return in_the_way(e);
        return joined(*a, scaled(*b, whole(e->op == Op::add ? 1 : -1)));
      }
      case Op::neg: {
        std::optional<Form> a = of(e->args[0], level + 1);
        if (!a) return std::nullopt;
        return scaled(*a, whole(-1));
      }
      case Op::mul:
      case Op::div: {
        const bool left = depends(e->args[0]);
        if (left && depends(e->args[1])) return in_the_way(e);
        if (e->op == Op::div && !left) return in_the_way(e);
        const BoxRef factor = boxes_.value(e->args[left ? 1 : 0]);
        std::optional<Form> a = of(e->args[left ? 0 : 1], level + 1);
        if (!a || !factor->point() || (e->op == Op::div && sign(factor->number.low) == 0)) return in_the_way(e);
        return scaled(*a, e->op == Op::mul ? factor->number.low : div(whole(1), factor->number.low, pool_));
      }
      case Op::weighted_sum: {
        Form sum;
        const std::size_t n = e->args.size() / 2;
        for (std::size_t i = 0; i < n; ++i) {
          const BoxRef weight = boxes_.value(e->args[n + i]);
          std::optional<Form> value = of(e->args[i], level + 1);
          if (!value) return std::nullopt;
          if (!weight->point()) return in_the_way(e);
          sum = joined(sum, scaled(*value, weight->number.low));
        }
        return sum;
      }
      case Op::default_:
        if (!boxes_.value(e->args[0])->may_be) return of(e->args[1], level + 1);
        if (boxes_.value(e->args[0])->may_miss) return in_the_way(e->args[0]);
        return of(e->args[0], level + 1);
      case Op::choice: {
        if (depends(e->args[1])) return in_the_way(e->args[1]);
        const BoxRef when = boxes_.value(e->args[1]);
        if (when->holds() == when->fails()) return in_the_way(e->args[1]);
        return of(e->args[when->holds() ? 0 : 2], level + 1);
      }
      case Op::builtin: return of_builtin(e, level);
      default: return in_the_way(e);
    }
  }

  // Whether it has more than one value in the box.
  bool depends(const Expr* e) {
    const BoxRef box = boxes_.value(e);
    if (box->kind == TypeKind::number) return !(box->point() || !box->may_be);
    if (box->kind == TypeKind::boolean) return box->holds() == box->fails();
    if (box->kind == TypeKind::range) return !box->known;
    return true;
  }
  // Blames the slots that an expression reads.
  std::nullopt_t in_the_way(const Expr* e) {
    std::set<int> seen;
    blame_slots(e, seen, 0);
    return std::nullopt;
  }
  std::set<int> blamed;
  BoxRef value(const Expr* e) { return boxes_.value(e); }

 private:
  void blame_slots(const Expr* e, std::set<int>& seen, int level) {
    constexpr int kDeepest = 60;
    if (e == nullptr || level > kDeepest) return;
    if (e->op == Op::slot) blamed.insert(static_cast<int>(e->index));
    if (e->op == Op::local && locals_.count(e->index) > 0) {
      const Expr* const named = locals_[e->index];
      locals_.erase(e->index);  // its definition may use that index for a name of its own
      blame_slots(named, seen, level + 1);
      locals_[e->index] = named;
    }
    if (e->op == Op::item && seen.insert(static_cast<int>(e->index)).second)
      blame_slots(rubric_.items[e->index].body, seen, level + 1);
    if (e->op == Op::call) {
      for (std::size_t i = 0; i < rubric_.slots.size(); ++i) blamed.insert(static_cast<int>(i));
    }
    for (const Expr* arg : e->args) blame_slots(arg, seen, level + 1);
    if (!e->loop) return;
    for (const LoopClause& clause : e->loop->clauses) blame_slots(clause.expr, seen, level + 1);
    for (const Expr* part : {e->loop->start, e->loop->next, e->loop->key, e->loop->value})
      blame_slots(part, seen, level + 1);
  }
  std::optional<Form> of_let(const Expr* e, int level) {
    const auto named = locals_.find(e->index);
    const Expr* const outer = named == locals_.end() ? nullptr : named->second;
    locals_[e->index] = e->args[0];
    std::optional<Form> form = of(e->args[1], level + 1);
    if (outer != nullptr) {
      locals_[e->index] = outer;
    } else {
      locals_.erase(e->index);
    }
    return form;
  }
  bool may_miss(const Expr* e) { return boxes_.value(e)->may_miss; }

  std::optional<Form> of_slot(int slot) {
    Form form;
    for (std::size_t i = 0; i < levers_.size(); ++i) {
      const Lever& lever = levers_[i];
      if (lever.slot != slot || !lever.steps.empty()) continue;
      if (lever.kind != Lever::Kind::number) return std::nullopt;
      form.gains[i] = whole(1);
      form.moves[i] = 1;
      return form;
    }
    return std::nullopt;
  }

  Form scaled(Form form, Number by) {
    const int s = sign(by);
    if (s == 0) return Form();
    for (auto& [lever, gain] : form.gains) gain = mul(gain, by, pool_);
    for (auto& [lever, move] : form.moves) move = move == 2 ? 2 : move * s;
    return form;
  }
  Form joined(Form a, const Form& b) {
    a.sum = a.sum && b.sum;
    for (const auto& [lever, gain] : b.gains) {
      const auto [at, fresh] = a.gains.emplace(lever, gain);
      if (!fresh) at->second = add(at->second, gain, pool_);
    }
    for (const auto& [lever, move] : b.moves) {
      const auto at = a.moves.find(lever);
      if (at == a.moves.end()) {
        a.moves[lever] = move;
      } else if (at->second != move) {
        at->second = 2;
      }
    }
    return a;
  }

  std::optional<Form> of_builtin(const Expr* e, int level) {
    const auto which = static_cast<Builtin>(e->index);
    std::optional<Form> form = of(e->args[0], level + 1);
    if (!form) return std::nullopt;
    if (may_miss(e)) return in_the_way(e);
    switch (which) {
      case Builtin::round:
      case Builtin::floor:
      case Builtin::ceil:
      case Builtin::trunc:
      case Builtin::round_even:
        if (e->args.size() > 1 && depends(e->args[1])) return in_the_way(e);
        form->sum = false;
        in_the_way(e);
        return form;
      case Builtin::clamp: {
        if (depends(e->args[1])) return in_the_way(e);
        const BoxRef range = boxes_.value(e->args[1]), x = boxes_.value(e->args[0]);
        if (!range->known) return in_the_way(e);
        if (!inside(x->number, range->number)) {
          form->sum = false;
          in_the_way(e);
        }
        return form;
      }
      case Builtin::min:
      case Builtin::max:
        for (std::size_t i = 1; i < e->args.size(); ++i) {
          const std::optional<Form> other = of(e->args[i], level + 1);
          if (!other) return std::nullopt;
          form = joined(*form, *other);
        }
        if (e->args.size() < 2) return in_the_way(e);
        form->sum = false;
        in_the_way(e);
        return form;
      default: return in_the_way(e);
    }
  }

  const RubricModel& rubric_;
  BoxEvaluator& boxes_;
  const Levers& levers_;
  NumberPool& pool_;
  std::map<std::uint32_t, const Expr*> locals_;
};

// The inner expression that must reach a number, after undoing the operations around it.
struct Need {
  const Expr* e = nullptr;
  Number at;
  bool always = false, never = false, known = true;
};

Need peel(Forms& forms, const RubricModel& rubric, Need need, NumberPool& pool) {
  constexpr int kDeepest = 60;
  for (int level = 0; level < kDeepest && need.known && !need.always && !need.never; ++level) {
    const Expr* const e = need.e;
    if (!forms.depends(e)) {
      const BoxRef value = forms.value(e);
      if (!value->point()) return need.known = false, need;
      (compare(value->number.low, need.at) >= 0 ? need.always : need.never) = true;
      return need;
    }
    if (e->op == Op::item) {
      need.e = rubric.items[e->index].body;
      continue;
    }
    if (e->op == Op::choice) {
      if (forms.depends(e->args[1])) return need;
      const BoxRef when = forms.value(e->args[1]);
      if (when->holds() == when->fails()) return need;
      need.e = e->args[when->holds() ? 0 : 2];
      continue;
    }
    if (e->op == Op::add || e->op == Op::sub) {
      const bool left = forms.depends(e->args[0]);
      if (left && forms.depends(e->args[1])) return need;
      if (!left && e->op == Op::sub) return need;
      const BoxRef other = forms.value(e->args[left ? 1 : 0]);
      if (!other->point()) return need;
      need.at = e->op == Op::add ? sub(need.at, other->number.low, pool) : add(need.at, other->number.low, pool);
      need.e = e->args[left ? 0 : 1];
      continue;
    }
    if (e->op != Op::builtin) return need;
    const auto which = static_cast<Builtin>(e->index);
    if (which == Builtin::round) {
      std::int64_t decimals = 0;
      if (e->args.size() > 1) {
        const BoxRef d = forms.value(e->args[1]);
        if (!d->point() || !to_int64(d->number.low, decimals)) return need;
      }
      // The least acceptable rounded number, and the least number that rounds to it: half away from zero.
      const Number rounded = round_to(need.at, static_cast<int>(decimals), Rounding::ceil, pool);
      if (sign(rounded) <= 0) return need;
      Number half = div(whole(1), whole(2), pool);
      for (std::int64_t i = 0; i < decimals; ++i) half = div(half, whole(10), pool);
      for (std::int64_t i = 0; i > decimals; --i) half = mul(half, whole(10), pool);
      need.at = sub(rounded, half, pool);
      need.e = e->args[0];
      continue;
    }
    if (which == Builtin::clamp) {
      const BoxRef range = forms.value(e->args[1]);
      if (forms.depends(e->args[1]) || !range->known) return need;
      const Interval& r = range->number;
      if (!r.low.missing() && compare(need.at, r.low) <= 0) need.always = true;
      if (!r.high.missing() && compare(need.at, r.high) > 0) need.never = true;
      need.e = e->args[0];
      continue;
    }
    if (which == Builtin::min && e->args.size() == 2) {
      const bool left = forms.depends(e->args[0]);
      if (left && forms.depends(e->args[1])) return need;
      const BoxRef other = forms.value(e->args[left ? 1 : 0]);
      if (!other->point()) return need;
      if (compare(other->number.low, need.at) < 0) need.never = true;
      need.e = e->args[left ? 0 : 1];
      continue;
    }
    return need;
  }
  return need;
}

// The number that decides a band, and its least value in the acceptable rows. False: the band is decided in another
// way.
bool needed_of_band(const Goal& goal, const RubricModel& rubric, Forms& forms, Need& need) {
  const Expr* e = rubric.items[static_cast<std::size_t>(goal.ladder.row_item)].body;
  constexpr int kDeepest = 8;
  for (int level = 0; level < kDeepest && e->op != Op::lookup; ++level) {
    if (e->op == Op::item) {
      e = rubric.items[e->index].body;
    } else if (e->op == Op::choice) {
      // The row of a score that may be missing, and capped rows: accepted if constant in the whole box.
      const BoxRef when = forms.value(e->args[1]);
      if (when->holds() == when->fails()) {
        forms.in_the_way(e->args[1]);
        return false;
      }
      e = e->args[when->holds() ? 0 : 2];
    } else {
      return false;
    }
  }
  if (e->op != Op::lookup || e->args.size() != 1 || !goal.ladder.ordered || goal.ladder.thresholds.empty())
    return false;
  // Thresholds must descend, and the acceptable rows must be the first ones.
  std::size_t last = 0;
  for (std::size_t i = 0; i < goal.rows.size(); ++i) {
    if (goal.rows[i]) last = i;
  }
  for (std::size_t i = 0; i <= last; ++i) {
    const Number edge = goal.ladder.thresholds[i];
    if (!goal.rows[i] || edge.missing() || goal.ladder.open[i]) return false;
    if (i > 0 && compare(goal.ladder.thresholds[i - 1], edge) <= 0) return false;
  }
  need.e = e->args[0];
  need.at = goal.ladder.thresholds[last];
  return true;
}

}  // namespace

std::optional<Linear> linear_form(const Goal& goal, const RubricModel& rubric, BoxEvaluator& boxes,
                                  const Levers& levers, const Ranges& box, const LeverSettings& start, NumberPool& pool,
                                  std::vector<std::size_t>& blame) {
  blame.clear();
  if (goal.kind != Goal::Kind::band && goal.kind != Goal::Kind::score) return std::nullopt;
  levers.set_slots(boxes, box);
  boxes.begin();
  Forms forms(rubric, boxes, levers, pool);
  const auto not_so = [&]() -> std::optional<Linear> {
    for (std::size_t i = 0; i < levers.size(); ++i) {
      if (forms.blamed.count(levers[i].slot) > 0) blame.push_back(i);
    }
    return std::nullopt;
  };
  if (goal.eligible && goal.status_item >= 0) {
    const BoxRef status = boxes.item(goal.status_item);
    if (status->may_miss || status->any_text || status->texts.size() != 1 || status->texts[0] != "eligible") {
      forms.in_the_way(rubric.items[static_cast<std::size_t>(goal.status_item)].body);
      return not_so();
    }
  }
  Need need;
  if (goal.kind == Goal::Kind::score) {
    need.e = rubric.items[static_cast<std::size_t>(goal.score_item)].body;
    need.at = goal.score;
  } else if (!needed_of_band(goal, rubric, forms, need)) {
    return not_so();
  }
  need = peel(forms, rubric, need, pool);
  if (!need.known) return not_so();
  Linear linear;
  linear.reached = need.always;
  linear.impossible = need.never;
  if (need.always || need.never) return linear;
  // First its direction for each lever; then its weighted sum while each moves towards the goal.
  const std::optional<Form> all = forms.of(need.e);
  if (!all) return not_so();
  Ranges towards = box, point = box;
  for (std::size_t i = 0; i < levers.size(); ++i) {
    if (levers[i].kind == Lever::Kind::number) towards[i].numbers = point[i].numbers = exactly(start[i].number);
  }
  for (const auto& [lever, move] : all->moves) {
    if (move == 2) {
      blame = {lever};
      return std::nullopt;
    }
    towards[lever].numbers = box[lever].numbers;
    Interval& range = towards[lever].numbers;
    if (move > 0) {
      range.low = start[lever].number, range.low_open = false;
    } else {
      range.high = start[lever].number, range.high_open = false;
    }
  }
  levers.set_slots(boxes, towards);
  boxes.begin();
  forms.blamed.clear();
  const std::optional<Form> sum = forms.of(need.e);
  if (!sum || !sum->sum) return not_so();
  levers.set_slots(boxes, point);
  boxes.begin();
  const BoxRef now = boxes.value(need.e);
  if (!now->point()) return std::nullopt;
  linear.need = sub(need.at, now->number.low, pool);
  linear.reached = sign(linear.need) <= 0;
  for (const auto& [lever, gain] : sum->gains) {
    if (sign(gain) != 0) linear.terms.push_back({lever, gain});
  }
  return linear;
}

}  // namespace assay
