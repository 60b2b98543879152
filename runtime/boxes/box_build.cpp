// Boxes of lists, records, tables and amounts. See box.hpp.
#include "runtime/boxes/box.hpp"

#include <algorithm>

namespace assay {

namespace {

constexpr int kDeepestCall = 100;

}  // namespace

BoxRef BoxEvaluator::build(const Expr* e, Frame& frame) {
  auto box = std::make_shared<Box>();
  box->type = e->type;
  box->kind = model_.types.kind(e->type);
  box->known = true;
  if (e->op == Op::concat || e->op == Op::compact) {
    for (const Expr* arg : e->args) {
      const BoxRef part = eval(arg, frame);
      if (!part->known || part->may_miss) return top(e->type, true);
      for (const BoxItem& item : part->items) {
        if (e->op == Op::compact && !item.value->may_be) continue;
        box->items.push_back(item);
        if (e->op == Op::concat || !item.value->may_miss) continue;
        auto given = std::make_shared<Box>(*item.value);
        given->may_miss = false;
        box->items.back() = {given, true, item.key};
      }
    }
    return box;
  }
  if (e->op == Op::make_range) {
    Interval range;
    Number* const bounds[] = {&range.low, &range.high};
    for (std::size_t i = 0; i < 2; ++i) {
      const BoxRef bound = eval(e->args[i], frame);
      if (!bound->may_be) continue;
      if (!bound->point()) return top(e->type, true);
      *bounds[i] = bound->number.low;
    }
    range.low_open = (e->index & 1) != 0;
    range.high_open = (e->index & 2) != 0;
    box->number = range;
    return box;
  }
  for (std::size_t i = 0; i < e->args.size(); ++i) {
    const BoxRef value = eval(e->args[i], frame);
    box->items.push_back({value, false, i < e->names.size() ? e->names[i] : std::string()});
  }
  return box;
}

BoxRef BoxEvaluator::call(const Expr* e, Frame& frame) {
  const Function& f = model_.functions[e->index];
  if (depth_ > kDeepestCall || f.body == nullptr || (f.rubric >= 0 && f.rubric != index_)) return top(e->type, true);
  Frame inner(static_cast<std::size_t>(std::max(f.locals, static_cast<int>(e->args.size()))));
  for (std::size_t i = 0; i < e->args.size(); ++i) inner[i] = eval(e->args[i], frame);
  depth_ += 3;
  BoxRef result = eval(f.body, inner);
  depth_ -= 3;
  return result;
}

BoxRef BoxEvaluator::lookup(const Expr* e, Frame& frame) {
  const LookupTable& table = model_.tables[e->index];
  std::vector<BoxRef> keys;
  for (const Expr* arg : e->args) keys.push_back(eval(arg, frame));
  Interval rows;
  bool any = false, surely = false;
  for (std::size_t row = 0; row < table.rows.size() && !surely; ++row) {
    bool may = true, must = true;
    for (std::size_t k = 0; k < keys.size() && may; ++k) {
      const auto& cell = table.rows[row].cells[k];
      if (cell.empty()) continue;
      bool cell_may = false, cell_must = false;
      for (const CellTest& test : cell) {
        BoxRef fits;
        if (test.kind == CellTest::Kind::missing) {
          fits = truth_box(keys[k]->may_miss, keys[k]->may_be, false);
        } else if (test.kind == CellTest::Kind::value) {
          fits = equal_boxes(false, keys[k], of_value(table.keys[k].type, test.value));
        } else {
          const RangeData& r = test.range;
          const Interval range{r.low, r.high, r.low_open, r.high_open};
          if (!keys[k]->may_be || keys[k]->kind != TypeKind::number) {
            fits = truth_box(keys[k]->may_be, true, keys[k]->may_miss);
          } else {
            bool out = false;
            const auto beyond = [&](Number edge, Op op) {
              if (!edge.missing())
                out = out || !compare_boxes(op, keys[k], number(kNumber, exactly(edge), false), kBool)->may_true;
            };
            beyond(r.low, r.low_open ? Op::gt : Op::ge);
            beyond(r.high, r.high_open ? Op::lt : Op::le);
            fits = truth_box(!out, !inside(keys[k]->number, range), keys[k]->may_miss);
          }
        }
        cell_may = cell_may || (fits->may_be && fits->may_true);
        cell_must = cell_must || !fits->fails();
      }
      may = may && cell_may;
      must = must && cell_must;
    }
    if (!may) continue;
    const Number at = whole(static_cast<std::int64_t>(row));
    rows = any ? interval_hull(rows, exactly(at)) : exactly(at);
    any = true;
    surely = must;
  }
  if (!any) return missing_box(e->type, TypeKind::number);
  return number(e->type, rows, !surely);
}

BoxRef BoxEvaluator::pick(const Expr* e, Frame& frame) {
  const BoxRef row = eval(e->args[0], frame);
  const BoxRef column = eval(e->args[1], frame);
  if (!row->may_be) return missing_box(e->type, model_.types.kind(e->type));
  std::int64_t low = 0, high = 0;
  if (!column->known || !finite(row->number) || !to_int64(row->number.low, low) || !to_int64(row->number.high, high))
    return top(e->type, true);
  BoxRef result;
  for (std::int64_t i = std::max<std::int64_t>(low, 0); i <= high && static_cast<std::size_t>(i) < column->items.size();
       ++i) {
    const BoxRef& one = column->items[static_cast<std::size_t>(i)].value;
    result = result ? hull(result, one) : one;
  }
  if (!result) return missing_box(e->type, model_.types.kind(e->type));
  if (!row->may_miss) return result;
  auto copy = std::make_shared<Box>(*result);
  copy->may_miss = true;
  return copy;
}

BoxRef BoxEvaluator::join(const Expr* e, Frame& frame) {
  std::string text;
  for (const TextSegment& part : e->parts) {
    if (part.arg < 0) {
      text += part.literal;
      continue;
    }
    const BoxRef arg = eval(e->args[static_cast<std::size_t>(part.arg)], frame);
    if (!arg->may_be || arg->may_miss || arg->kind != TypeKind::text || !arg->one_text()) return top(e->type, true);
    text += arg->texts[0];
  }
  auto box = std::make_shared<Box>();
  box->type = e->type;
  box->kind = TypeKind::text;
  box->any_text = false;
  box->texts = {std::move(text)};
  return box;
}

BoxRef BoxEvaluator::weighted_sum(const Expr* e, Frame& frame) {
  const std::size_t n = e->args.size() / 2;
  Interval sum = exactly(whole(0));
  bool miss = false;
  for (std::size_t i = 0; i < n; ++i) {
    const BoxRef value = eval(e->args[i], frame), weight = eval(e->args[n + i], frame);
    if (!value->may_be || !weight->may_be) return missing_box(e->type, TypeKind::number);
    miss = miss || value->may_miss || weight->may_miss;
    sum = interval_add(sum, interval_mul(value->number, weight->number, pool_), pool_);
  }
  return number(e->type, sum, miss);
}

// Each name once, with amounts above 0, and the total limited by the cap. The amounts after the cap depend on each
// other, so their sum is kept separately.
BoxRef BoxEvaluator::adjust(const Expr* e, Frame& frame) {
  const BoxRef list = eval(e->args[0], frame), cap = eval(e->args[1], frame);
  if (!list->known || list->may_miss) return top(e->type, true);
  auto box = std::make_shared<Box>(*list);
  box->items.clear();
  box->type = e->type;
  std::vector<std::string> names;
  Interval total = exactly(whole(0));
  for (const BoxItem& item : list->items) {
    if (!item.value->may_be) continue;
    if (!item.value->known || item.value->items.size() < 2) return top(e->type, true);
    const Box& name = *item.value->items[0].value;
    const Box& amount = *item.value->items[1].value;
    if (!name.one_text()) return top(e->type, true);
    if (std::find(names.begin(), names.end(), name.texts[0]) != names.end()) {
      if (item.maybe || amount.may_miss) continue;  // one of this name counts, whichever is present
      continue;
    }
    if (!amount.may_be || (!amount.number.high.missing() && sign(amount.number.high) <= 0)) continue;
    // A second one of the same name may replace this one if it is absent: then nothing is certain.
    const bool sure = !item.maybe && !item.value->may_miss && !amount.may_miss && !amount.number.low.missing() &&
                      sign(amount.number.low) > 0;
    if (!sure) {
      const auto again = std::count_if(list->items.begin(), list->items.end(), [&](const BoxItem& other) {
        return other.value->may_be && other.value->known && !other.value->items.empty() &&
               other.value->items[0].value->one_text() && other.value->items[0].value->texts[0] == name.texts[0];
      });
      if (again > 1) return top(e->type, true);
    }
    names.push_back(name.texts[0]);
    Interval range = amount.number;
    if (!sure || range.low.missing() || sign(range.low) < 0) range.low = whole(0), range.low_open = false;
    total = interval_add(total, range, pool_);
    auto kept = std::make_shared<Box>(*item.value);
    kept->may_miss = false;
    auto changed = std::make_shared<Box>(amount);
    changed->may_miss = false;
    if (cap->may_be) changed->number.low = whole(0), changed->number.low_open = false;
    kept->items[1].value = changed;
    box->items.push_back({kept, !sure, {}});
  }
  if (cap->may_be && !cap->may_miss) {
    Interval most = cap->number;
    if (!most.low.missing() && sign(most.low) < 0) most.low = whole(0);
    total = interval_min(total, most);
  } else if (cap->may_be) {
    total.low = whole(0);
  }
  box->total = std::make_shared<const Interval>(total);
  return box;
}

}  // namespace assay
