// Boxes of values, and expressions without loops. See box.hpp.
#include "runtime/boxes/box.hpp"

#include "lang/value/limit_message.hpp"
#include "runtime/engine/references.hpp"

#include <algorithm>

namespace assay {

namespace {

constexpr int kDeepest = 24;                  // nested function calls
constexpr std::uint64_t kMostWork = 200'000;  // expressions per evaluation

}  // namespace

BoxRef truth_box(bool may_true, bool may_false, bool may_miss) {
  auto box = std::make_shared<Box>();
  box->type = kBool;
  box->kind = TypeKind::boolean;
  box->may_true = may_true;
  box->may_false = may_false;
  box->may_be = may_true || may_false;
  box->may_miss = may_miss;
  return box;
}

BoxRef missing_box(TypeId type, TypeKind kind) {
  auto box = std::make_shared<Box>();
  box->type = type;
  box->kind = kind;
  box->may_miss = true;
  box->may_be = false;
  box->any_text = false;
  box->known = true;
  return box;
}

BoxEvaluator::BoxEvaluator(const Model& model, int rubric)
    : model_(model), index_(rubric), rubric_(model.rubrics[static_cast<std::size_t>(rubric)]) {
  for (const Item& item : rubric_.items) find_thresholds(item.body);
  for (const Function& f : model_.functions) find_thresholds(f.body);
  for (const LookupTable& table : model_.tables) {
    for (const TableRow& row : table.rows) {
      for (const auto& cell : row.cells) {
        for (const CellTest& test : cell) {
          if (test.kind != CellTest::Kind::range) continue;
          for (const Number n : {test.range.low, test.range.high}) {
            if (!n.missing()) thresholds_.push_back(n);
          }
        }
      }
    }
  }
  std::sort(thresholds_.begin(), thresholds_.end(), [](Number a, Number b) { return compare(a, b) < 0; });
  const auto same = [](Number a, Number b) { return compare(a, b) == 0; };
  thresholds_.erase(std::unique(thresholds_.begin(), thresholds_.end(), same), thresholds_.end());
}

void BoxEvaluator::find_thresholds(const Expr* e) {
  if (e == nullptr) return;
  if (e->op == Op::constant && !e->value.missing()) {
    const TypeKind kind = model_.types.kind(e->type);
    if (kind == TypeKind::number) thresholds_.push_back(e->value.number);
    if (kind == TypeKind::range) {
      for (const Number n : {e->value.range.data->low, e->value.range.data->high}) {
        if (!n.missing()) thresholds_.push_back(n);
      }
    }
  }
  for (const Expr* arg : e->args) find_thresholds(arg);
  if (!e->loop) return;
  for (const LoopClause& clause : e->loop->clauses) find_thresholds(clause.expr);
  find_thresholds(e->loop->value);
}

void BoxEvaluator::rebase(const Value* slots, const Value* items, const std::vector<Number>& weights,
                          std::vector<bool> varied) {
  record_.slots = slots;
  record_.items = items;
  record_.weights = weights;
  changed_.all = true;
  changed_.slots.clear();
  ++generation_;
  record_.varied = std::move(varied);
  slot_boxes_.assign(rubric_.slots.size(), nullptr);
  still_.assign(rubric_.slots.size(), nullptr);
  memo_.assign(rubric_.items.size(), nullptr);
  fixed_.assign(rubric_.items.size(), nullptr);
  constant_.assign(rubric_.items.size(), nullptr);
  depends_.assign(rubric_.items.size(), -1);
}

void BoxEvaluator::set_slot(int slot, BoxRef box) {
  slot_boxes_[static_cast<std::size_t>(slot)] = std::move(box);
  changed_.slots.push_back(slot);
}

void BoxEvaluator::fix_item(int item, BoxRef box) {
  fixed_[static_cast<std::size_t>(item)] = std::move(box);
  changed_.all = true;
  depends_.assign(rubric_.items.size(), -1);
  constant_.assign(rubric_.items.size(), nullptr);
}

void BoxEvaluator::begin() {
  constexpr std::size_t kMostNumbers = 20'000;  // large numbers, to which kept boxes may refer
  if (changed_.all || pool_.used() > kMostNumbers || pool_.overflowed()) {
    std::fill(memo_.begin(), memo_.end(), nullptr);
    pool_.clear();
  } else {
    for (std::size_t i = 0; i < memo_.size(); ++i) {
      if (!memo_[i]) continue;
      const std::vector<bool>& slots = reads(static_cast<int>(i));
      for (const int slot : changed_.slots) {
        if (!slots[static_cast<std::size_t>(slot)]) continue;
        memo_[i] = nullptr;
        break;
      }
    }
  }
  changed_.all = false;
  changed_.slots.clear();
  work_ = 0;
  depth_ = 0;
  ++evaluations;
}

const std::vector<bool>& BoxEvaluator::reads(int item) {
  if (reads_.empty()) reads_.resize(rubric_.items.size());
  std::vector<bool>& known = reads_[static_cast<std::size_t>(item)];
  if (!known.empty() || rubric_.slots.empty()) return known;
  known.assign(rubric_.slots.size(), false);  // cycles are impossible: the checker has excluded them
  std::vector<bool> slots = known;
  find_reads(rubric_.items[static_cast<std::size_t>(item)].body, 0, slots);
  return reads_[static_cast<std::size_t>(item)] = std::move(slots);
}

void BoxEvaluator::find_reads(const Expr* e, int level, std::vector<bool>& slots) {
  if (e == nullptr) return;
  const auto add_item = [&](int item) {
    const std::vector<bool>& its = reads(item);
    for (std::size_t i = 0; i < its.size(); ++i) slots[i] = slots[i] || its[i];
  };
  constexpr int kDeepestRead = 400, kDeepestCall = 100;
  if (level > kDeepestRead || (e->op == Op::call && level >= kDeepestCall)) {  // too deep, so assume that it depends
    slots.assign(slots.size(), true);
    return;
  }
  if (e->op == Op::slot) slots[e->index] = true;
  if (e->op == Op::item) add_item(static_cast<int>(e->index));
  if (e->op == Op::call) {
    const References refs = references_of(model_, index_, e);
    for (const int slot : refs.slots) slots[static_cast<std::size_t>(slot)] = true;
    for (const int other : refs.items) add_item(other);
  }
  for (const Expr* arg : e->args) find_reads(arg, level + 1, slots);
  if (!e->loop) return;
  for (const LoopClause& clause : e->loop->clauses) find_reads(clause.expr, level + 1, slots);
  for (const Expr* part : {e->loop->start, e->loop->next, e->loop->key, e->loop->value})
    find_reads(part, level + 1, slots);
  for (const LoopOrder& order : e->loop->order) find_reads(order.expr, level + 1, slots);
}

bool BoxEvaluator::depends(int item) {
  signed char& known = depends_[static_cast<std::size_t>(item)];
  if (known >= 0) return known != 0;
  known = 2;  // cycles are impossible: the checker has excluded them
  if (fixed_[static_cast<std::size_t>(item)]) return known = 1, true;
  // Includes hidden items: references_of() follows them only to named values.
  bool found = false;
  const std::function<void(const Expr*, int)> look = [&](const Expr* e, int level) {
    if (e == nullptr || found) return;
    if (level > 400) {
      found = true;  // too deep, so assume that it depends
      return;
    }
    if (e->op == Op::slot && record_.varied[e->index]) found = true;
    if (e->op == Op::item && depends(static_cast<int>(e->index))) found = true;
    if (e->op == Op::call && level < 100) {
      const References refs = references_of(model_, index_, e);
      for (const int slot : refs.slots) found = found || record_.varied[static_cast<std::size_t>(slot)];
      for (const int other : refs.items) found = found || depends(other);
    }
    for (const Expr* arg : e->args) look(arg, level + 1);
    if (!e->loop) return;
    for (const LoopClause& clause : e->loop->clauses) look(clause.expr, level + 1);
    for (const Expr* part : {e->loop->start, e->loop->next, e->loop->key, e->loop->value}) look(part, level + 1);
    for (const LoopOrder& order : e->loop->order) look(order.expr, level + 1);
  };
  look(rubric_.items[static_cast<std::size_t>(item)].body, 0);
  depends_[static_cast<std::size_t>(item)] = found ? 1 : 0;
  return found;
}

BoxRef BoxEvaluator::number(TypeId type, Interval range, bool may_miss) const {
  auto box = std::make_shared<Box>();
  box->type = type;
  box->kind = TypeKind::number;
  box->number = range;
  box->may_miss = may_miss;
  return box;
}

BoxRef BoxEvaluator::top(TypeId type, bool may_miss) const {
  const Type& t = model_.types[type];
  auto box = std::make_shared<Box>();
  box->type = type;
  box->kind = t.kind;
  box->may_miss = may_miss;
  if (t.kind == TypeKind::number) box->number = t.range;
  if (t.kind == TypeKind::text && !t.choices.empty()) {
    box->any_text = false;
    box->texts = t.choices;
  }
  return box;
}

BoxRef BoxEvaluator::of_value(TypeId type, const Value& v) const {
  const Type& t = model_.types[type];
  if (v.missing()) return missing_box(type, t.kind);
  auto box = std::make_shared<Box>();
  box->type = type;
  box->kind = t.kind;
  switch (t.kind) {
    case TypeKind::number: box->number = exactly(v.number); break;
    case TypeKind::boolean:
      box->may_true = v.boolean.truth != 0;
      box->may_false = !box->may_true;
      break;
    case TypeKind::text:
      box->any_text = false;
      box->texts = {std::string(v.text.view())};
      break;
    case TypeKind::list:
      if (constexpr std::uint32_t kMost = 512; v.list.size > kMost) break;
      box->known = true;
      for (std::uint32_t i = 0; i < v.list.size; ++i)
        box->items.push_back({of_value(t.element, v.list.items[i]), false, {}});
      break;
    case TypeKind::map:
      if (constexpr std::uint32_t kMost = 512; v.map.size > kMost) break;
      box->known = true;
      for (std::uint32_t i = 0; i < v.map.size; ++i) {
        box->items.push_back(
            {of_value(t.element, v.map.data->values[i]), false, std::string(v.map.data->keys[i].text.view())});
      }
      break;
    case TypeKind::record:
      box->known = true;
      for (std::size_t i = 0; i < t.fields.size(); ++i)
        box->items.push_back({of_value(t.fields[i].type, v.record.fields[i]), false, {}});
      break;
    case TypeKind::range:
      box->known = true;
      box->number = {v.range.data->low, v.range.data->high, v.range.data->low_open, v.range.data->high_open};
      break;
    default: break;
  }
  return box;
}

BoxRef BoxEvaluator::hull(const BoxRef& a, const BoxRef& b) const {
  if (!a->may_be && a->may_miss && b->may_miss) return b;
  if (!b->may_be && b->may_miss && a->may_miss) return a;
  if (!a->may_be && !a->may_miss) return b;
  if (!b->may_be && !b->may_miss) return a;
  const BoxRef& shape = a->may_be ? a : b;
  auto box = std::make_shared<Box>(*shape);
  box->total = nullptr;
  box->may_miss = a->may_miss || b->may_miss;
  box->may_be = a->may_be || b->may_be;
  if (!a->may_be || !b->may_be) return box;
  if (a->kind != b->kind) {  // of several types: only whether it is missing is known
    auto either = std::make_shared<Box>();
    either->type = box->type;
    either->kind = TypeKind::either;
    either->may_miss = box->may_miss;
    return either;
  }
  switch (box->kind) {
    case TypeKind::number: box->number = interval_hull(a->number, b->number); break;
    case TypeKind::boolean:
      box->may_true = a->may_true || b->may_true;
      box->may_false = a->may_false || b->may_false;
      break;
    case TypeKind::text:
      box->any_text = a->any_text || b->any_text;
      if (box->any_text) box->texts.clear();
      if (box->any_text) break;
      for (const std::string& text : b->texts) {
        if (std::find(box->texts.begin(), box->texts.end(), text) == box->texts.end()) box->texts.push_back(text);
      }
      break;
    case TypeKind::record:
      if (!a->known || !b->known || a->items.size() != b->items.size()) {
        box->known = false;
        box->items.clear();
        break;
      }
      for (std::size_t i = 0; i < box->items.size(); ++i)
        box->items[i].value = hull(a->items[i].value, b->items[i].value);
      break;
    default:
      box->known = false;
      box->items.clear();
      box->number = {};
  }
  return box;
}

bool BoxEvaluator::constant_item(int index) { return record_.items != nullptr && !depends(index); }

BoxRef BoxEvaluator::item(int index) {
  const auto i = static_cast<std::size_t>(index);
  if (fixed_[i]) return fixed_[i];
  if (memo_[i]) return memo_[i];
  const Item& it = rubric_.items[i];
  if (constant_item(index)) {
    if (!constant_[i]) constant_[i] = of_value(it.type, record_.items[i]);
    return memo_[i] = constant_[i];
  }
  if (it.body == nullptr) return memo_[i] = top(it.type, true);
  Frame frame(static_cast<std::size_t>(it.locals));
  return memo_[i] = eval(it.body, frame);
}

BoxRef BoxEvaluator::value(const Expr* e) {
  constexpr std::size_t kLocals = 64;
  Frame frame(kLocals);
  return eval(e, frame);
}

BoxRef BoxEvaluator::eval(const Expr* e, Frame& frame) {
  constexpr std::uint64_t kBetweenLooks = 2048;
  if (++work_ % kBetweenLooks == 0 && interrupted(interrupt_)) work_ = kMostWork;
  if (work_ > kMostWork || depth_ > 8 * kDeepest) return top(e->type, true);
  struct Level {
    int& depth;
    explicit Level(int& d) : depth(d) { ++depth; }
    ~Level() { --depth; }
  } level(depth_);
  switch (e->op) {
    case Op::constant: {
      BoxRef& known = constants_[e];
      if (!known) known = of_value(e->type, e->value);
      return known;
    }
    case Op::local: return e->index < frame.size() && frame[e->index] ? frame[e->index] : top(e->type, true);
    case Op::slot: {
      const std::size_t i = e->index;
      if (slot_boxes_[i]) return slot_boxes_[i];
      if (record_.slots == nullptr) return top(e->type, true);
      if (!still_[i]) still_[i] = of_value(rubric_.slots[i].type, record_.slots[i]);
      return still_[i];
    }
    case Op::weight:
      return e->index < record_.weights.size() ? number(e->type, exactly(record_.weights[e->index]), false)
                                               : top(e->type, false);
    case Op::item: return item(static_cast<int>(e->index));
    case Op::let_in: {
      const BoxRef bound = eval(e->args[0], frame);
      if (frame.size() <= e->index) frame.resize(e->index + 1);
      frame[e->index] = bound;
      return eval(e->args[1], frame);
    }
    case Op::choice: {
      const BoxRef when = eval(e->args[1], frame);
      if (!when->holds()) return eval(e->args[2], frame);
      if (!when->fails()) return eval(e->args[0], frame);
      return hull(eval(e->args[0], frame), eval(e->args[2], frame));
    }
    case Op::and_:
    case Op::or_:
    case Op::xor_:
    case Op::not_:
    case Op::eq:
    case Op::ne:
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge:
    case Op::in_range:
    case Op::in_list:
    case Op::in_map:
    case Op::is_missing: return eval_condition(e, frame);
    case Op::default_: {
      const BoxRef first = eval(e->args[0], frame);
      if (!first->may_miss) return first;
      const BoxRef other = eval(e->args[1], frame);
      if (!first->may_be) return other;
      auto given = std::make_shared<Box>(*first);
      given->may_miss = false;
      return hull(given, other);
    }
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::pow:
    case Op::neg: return arithmetic(e, frame);
    case Op::field:
    case Op::map_get:
    case Op::list_get: return access(e, frame);
    case Op::make_range:
    case Op::make_record:
    case Op::make_list:
    case Op::make_map:
    case Op::concat:
    case Op::compact: return build(e, frame);
    case Op::call: return call(e, frame);
    case Op::builtin: return builtin(e, frame);
    case Op::loop: return loop(e, frame);
    case Op::lookup: return lookup(e, frame);
    case Op::pick: return pick(e, frame);
    case Op::join_text: return join(e, frame);
    case Op::weighted_sum: return weighted_sum(e, frame);
    case Op::adjust: return adjust(e, frame);
    case Op::is_kind: return top(e->type, false);
    case Op::retype: return eval(e->args[0], frame);
    case Op::as_kind:
    case Op::any_get:
    case Op::raw_history:
    case Op::apply:
    case Op::hook: break;
  }
  return top(e->type, true);
}

BoxRef BoxEvaluator::compare_boxes(Op op, const BoxRef& a, const BoxRef& b, TypeId) {
  const bool miss = a->may_miss || b->may_miss;
  if (!a->may_be || !b->may_be) return truth_box(false, false, true);
  if (a->kind == TypeKind::text && b->kind == TypeKind::text && a->one_text() && b->one_text()) {
    const int order = a->texts[0].compare(b->texts[0]);
    const bool holds = op == Op::lt ? order < 0 : op == Op::le ? order <= 0 : op == Op::gt ? order > 0 : order >= 0;
    return truth_box(holds, !holds, miss);
  }
  if (a->kind != TypeKind::number || b->kind != TypeKind::number) return truth_box(true, true, miss);
  // a < b always, and never; the other comparisons swap the sides or the answer.
  const auto always_below = [](const Interval& x, const Interval& y, bool equal) {  // every x < y (or <=)
    if (x.high.missing() || y.low.missing()) return false;
    const int order = compare(x.high, y.low);
    return order < 0 || (order == 0 && (equal || x.high_open || y.low_open));
  };
  const bool turned = op == Op::gt || op == Op::ge, equal = op == Op::le || op == Op::ge;
  const Interval &x = turned ? b->number : a->number, &y = turned ? a->number : b->number;
  const bool always = always_below(x, y, equal), never = always_below(y, x, !equal);
  return truth_box(!never, !always, miss);
}

BoxRef BoxEvaluator::equal_boxes(bool negate, const BoxRef& a, const BoxRef& b) {
  const bool miss = a->may_miss || b->may_miss;
  if (!a->may_be || !b->may_be) return truth_box(false, false, true);
  bool may_equal = true, may_differ = true;
  if (a->kind == TypeKind::number && b->kind == TypeKind::number) {
    const BoxRef below = compare_boxes(Op::lt, a, b, kBool), above = compare_boxes(Op::gt, a, b, kBool);
    may_equal = below->may_false && above->may_false;
    const auto fixed = [](const Interval& i) {
      return !i.low.missing() && !i.high.missing() && compare(i.low, i.high) == 0;
    };
    may_differ = !(fixed(a->number) && fixed(b->number) && may_equal);
  } else if (a->kind == TypeKind::boolean && b->kind == TypeKind::boolean) {
    may_equal = (a->may_true && b->may_true) || (a->may_false && b->may_false);
    may_differ = (a->may_true && b->may_false) || (a->may_false && b->may_true);
  } else if (a->kind == TypeKind::text && b->kind == TypeKind::text && !a->any_text && !b->any_text) {
    may_equal = std::any_of(a->texts.begin(), a->texts.end(), [&](const std::string& text) {
      return std::find(b->texts.begin(), b->texts.end(), text) != b->texts.end();
    });
    may_differ = !(a->one_text() && b->one_text() && may_equal);
  }
  return negate ? truth_box(may_differ, may_equal, miss) : truth_box(may_equal, may_differ, miss);
}

namespace {

// Three-valued logic on sets of outcomes.
struct Outcomes {
  bool t, f, m;
};
Outcomes outcomes(const Box& box) { return {box.may_be && box.may_true, box.may_be && box.may_false, box.may_miss}; }

}  // namespace

BoxRef BoxEvaluator::eval_condition(const Expr* e, Frame& frame) {
  const BoxRef left = eval(e->args[0], frame);
  if (e->op == Op::is_missing) return truth_box(left->may_miss, left->may_be, false);
  const Outcomes a = outcomes(*left);
  if (e->op == Op::not_) return truth_box(a.f, a.t, a.m);
  const BoxRef right = eval(e->args[1], frame);
  const Outcomes b = outcomes(*right);
  switch (e->op) {
    case Op::and_: return truth_box(a.t && b.t, a.f || b.f, (a.m && (b.t || b.m)) || (b.m && (a.t || a.m)));
    case Op::or_: return truth_box(a.t || b.t, a.f && b.f, (a.m && (b.f || b.m)) || (b.m && (a.f || a.m)));
    case Op::xor_: return truth_box((a.t && b.f) || (a.f && b.t), (a.t && b.t) || (a.f && b.f), a.m || b.m);
    case Op::eq: return equal_boxes(false, left, right);
    case Op::ne: return equal_boxes(true, left, right);
    case Op::in_range: {
      if (!right->known || !left->may_be)
        return truth_box(left->may_be, left->may_be, left->may_miss || right->may_miss);
      const Interval& r = right->number;
      bool outside = false, within = inside(left->number, r);
      if (!r.low.missing()) {
        const BoxRef edge = number(kNumber, exactly(r.low), false);
        outside = outside || !compare_boxes(r.low_open ? Op::gt : Op::ge, left, edge, kBool)->may_true;
      }
      if (!r.high.missing()) {
        const BoxRef edge = number(kNumber, exactly(r.high), false);
        outside = outside || !compare_boxes(r.high_open ? Op::lt : Op::le, left, edge, kBool)->may_true;
      }
      return truth_box(!outside, !within, left->may_miss || right->may_miss);
    }
    case Op::in_list: {
      const bool miss = left->may_miss || right->may_miss;
      if (!right->known || !left->may_be) return truth_box(true, true, true);
      bool may = false, must = false;
      for (const BoxItem& item : right->items) {
        const BoxRef same = equal_boxes(false, left, item.value);
        may = may || same->may_true;
        must = must || (!item.maybe && !same->may_false && !same->may_miss);
      }
      return truth_box(may, !must, miss);
    }
    case Op::in_map: {
      const bool miss = left->may_miss || right->may_miss;
      if (!right->known || !left->one_text()) return truth_box(true, true, miss);
      for (const BoxItem& item : right->items) {
        if (item.key == left->texts[0]) return truth_box(true, item.maybe, miss);
      }
      return truth_box(false, true, miss);
    }
    default: return compare_boxes(e->op, left, right, e->type);
  }
}

BoxRef BoxEvaluator::arithmetic(const Expr* e, Frame& frame) {
  const BoxRef a = eval(e->args[0], frame);
  if (a->kind != TypeKind::number && a->may_be) return top(e->type, true);
  if (e->op == Op::neg) {
    if (!a->may_be) return missing_box(e->type, TypeKind::number);
    return number(e->type, interval_neg(a->number, pool_), a->may_miss);
  }
  const BoxRef b = eval(e->args[1], frame);
  if (b->kind != TypeKind::number && b->may_be) return top(e->type, true);
  if (!a->may_be || !b->may_be) return missing_box(e->type, TypeKind::number);
  bool miss = a->may_miss || b->may_miss;
  const Interval &x = a->number, &y = b->number;
  switch (e->op) {
    case Op::add: return number(e->type, interval_add(x, y, pool_), miss);
    case Op::sub: return number(e->type, interval_add(x, interval_neg(y, pool_), pool_), miss);
    case Op::mul: return number(e->type, interval_mul(x, y, pool_), miss);
    case Op::div: {
      if (assay::holds(y, whole(0))) {
        if (b->number.low.missing() || b->number.high.missing() || compare(y.low, y.high) != 0)
          return number(e->type, interval_div(x, y, pool_), true);
        return missing_box(e->type, TypeKind::number);
      }
      return number(e->type, interval_div(x, y, pool_), miss);
    }
    default: break;
  }
  // Powers: of points, and with a fixed exponent of a non-negative base, where they are monotone.
  const bool fixed = !y.low.missing() && !y.high.missing() && compare(y.low, y.high) == 0;
  if (fixed && !x.low.missing() && sign(x.low) >= 0 && sign(y.low) > 0) {
    Interval range;
    range.low = assay::pow(x.low, y.low, pool_);
    if (!x.high.missing()) range.high = assay::pow(x.high, y.low, pool_);
    if (!range.low.missing() && (x.high.missing() || !range.high.missing())) return number(e->type, range, miss);
  }
  if (fixed && is_whole(y.low) && sign(y.low) > 0 && finite(x) && compare(x.low, x.high) == 0) {
    const Number power = assay::pow(x.low, y.low, pool_);
    if (!power.missing()) return number(e->type, exactly(power), miss);
  }
  const Type& t = model_.types[e->type];
  return number(e->type, t.kind == TypeKind::number ? t.range : Interval{}, true);
}

BoxRef BoxEvaluator::access(const Expr* e, Frame& frame) {
  const BoxRef from = eval(e->args[0], frame);
  const TypeKind kind = model_.types.kind(e->type);
  if (!from->may_be) return missing_box(e->type, kind);
  const auto also_missing = [&](const BoxRef& box, bool miss) -> BoxRef {
    if (!miss || box->may_miss) return box;
    auto copy = std::make_shared<Box>(*box);
    copy->may_miss = true;
    return copy;
  };
  if (e->op == Op::field) {
    if (!from->known || e->index >= from->items.size()) return top(e->type, true);
    return also_missing(from->items[e->index].value, from->may_miss);
  }
  const BoxRef key = eval(e->args[1], frame);
  if (!key->may_be) return missing_box(e->type, kind);
  const bool miss = from->may_miss || key->may_miss;
  if (!from->known) return top(e->type, true);
  if (e->op == Op::map_get) {
    if (key->any_text) return top(e->type, true);
    BoxRef found;
    for (const std::string& text : key->texts) {
      const auto at =
          std::find_if(from->items.begin(), from->items.end(), [&](const BoxItem& item) { return item.key == text; });
      const BoxRef one = at == from->items.end() ? missing_box(e->type, kind) : also_missing(at->value, at->maybe);
      found = found ? hull(found, one) : one;
    }
    return found ? also_missing(found, miss) : missing_box(e->type, kind);
  }
  const bool sure = std::none_of(from->items.begin(), from->items.end(), [](const BoxItem& i) { return i.maybe; });
  std::int64_t at = 0;
  if (!sure || !key->point() || !to_int64(key->number.low, at)) return top(e->type, true);
  if (at < 0 || static_cast<std::size_t>(at) >= from->items.size()) return missing_box(e->type, kind);
  return also_missing(from->items[static_cast<std::size_t>(at)].value, miss);
}

}  // namespace assay
