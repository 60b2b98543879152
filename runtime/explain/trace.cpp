// Records a trace. See trace.hpp.
#include "runtime/explain/trace.hpp"

namespace assay {

Trace::Trace(const RubricModel& rubric, TraceLimits limits) : limits_(limits), items_(rubric.items.size(), 0) {
  nodes_.emplace_back();
  for (auto& side : sides_) side.resize(rubric.items.size());
}

bool Trace::reached(int item, const Expr& e, int side) const {
  return item >= 0 && sides_[side][static_cast<std::size_t>(item)].count(&e) > 0;
}

std::uint32_t Trace::push(const TracePoint& point) {
  if (nodes_.size() >= limits_.nodes || item_nodes_ >= limits_.item || nodes_[current_].depth >= limits_.depth) {
    ++nodes_[0].dropped;
    if (current_ != 0) ++nodes_[current_].dropped;
    return 0;
  }
  ++item_nodes_;
  const auto at = static_cast<std::uint32_t>(nodes_.size());
  TraceNode node;
  node.point = &point;
  node.parent = current_;
  node.depth = nodes_[current_].depth + 1;
  nodes_.push_back(node);
  TraceNode& parent = nodes_[current_];
  (parent.last != 0 ? nodes_[parent.last].next : parent.first) = at;
  nodes_[current_].last = at;
  return at;
}

void Trace::begin(const TracePoint& point) {
  using Kind = TracePoint::Kind;
  switch (point.kind) {
    case Kind::item:
      if (nested_++ == 0) {
        top_item_ = point.index;
        item_nodes_ = 0;
      }
      [[fallthrough]];
    case Kind::expr:
      if (skipped_ > 0) {
        ++skipped_;
      } else if (const std::uint32_t at = push(point)) {
        if (point.kind == Kind::item && nested_ == 1) items_[static_cast<std::size_t>(point.index)] = at;
        current_ = at;
      } else {
        skipped_ = 1;
      }
      return;
    case Kind::round: {
      if (skipped_ > 0) return;
      // The rounds of this clause and of inner clauses have ended.
      const auto over = [&](const TraceNode& n) {
        return n.point->kind == Kind::round && n.point->expr == point.expr && n.point->index >= point.index;
      };
      while (current_ != 0 && over(nodes_[current_])) pop();
      std::uint32_t loop = current_;
      while (loop != 0 && (nodes_[loop].point->kind != Kind::expr || nodes_[loop].point->expr != point.expr))
        loop = nodes_[loop].parent;
      const std::vector<LoopClause>& clauses = point.expr->loop->clauses;
      std::size_t last = clauses.size();
      while (last > 0 && clauses[last - 1].kind != LoopClause::Kind::for_in) --last;
      if (static_cast<std::size_t>(point.index) + 1 == last) ++nodes_[loop].rounds;
      if (const std::uint32_t at = push(point)) current_ = at;
      return;
    }
    case Kind::passed: {
      if (top_item_ >= 0) sides_[1][static_cast<std::size_t>(top_item_)].insert(point.expr);
      if (skipped_ > 0) return;
      for (std::uint32_t at = current_; at != 0; at = nodes_[at].parent) {
        TraceNode& node = nodes_[at];
        if (node.point->expr != point.expr) break;
        ++node.passed;
        if (node.point->kind == Kind::expr) break;
      }
      return;
    }
    case Kind::taken:
    case Kind::skipped: {
      const int side = point.kind == Kind::taken ? 1 : 0;
      if (top_item_ >= 0) sides_[side][static_cast<std::size_t>(top_item_)].insert(point.expr);
      if (skipped_ == 0 && nodes_[current_].point != nullptr && nodes_[current_].point->expr == point.expr)
        nodes_[current_].side = static_cast<std::int8_t>(side);
      return;
    }
    case Kind::local: return;
  }
}

void Trace::value(const TracePoint& point, const Value& value) {
  using Kind = TracePoint::Kind;
  if (point.kind == Kind::local) {
    if (skipped_ > 0) return;
    if (const std::uint32_t at = push(point)) nodes_[at].value = value;
    return;
  }
  if (point.kind == Kind::item) --nested_;
  if (skipped_ > 0) {
    --skipped_;
    return;
  }
  while (current_ != 0 && nodes_[current_].point != &point) pop();  // rounds that have ended
  if (current_ == 0) return;
  nodes_[current_].value = value;
  pop();
}

bool run_traced(EvaluatorAccess::Inside& inside, Trace& trace, std::vector<Value>& items, InputError& error) {
  Plan plan;
  std::vector<std::size_t> places;  // items by root
  for (std::size_t i = 0; i < inside.rubric.items.size(); ++i) {
    if (inside.rubric.items[i].body == nullptr) continue;
    plan.roots.push_back(static_cast<int>(i));
    places.push_back(i);
  }
  plan.build(inside.owner.impl().model, inside.owner.impl().index(), true, true);
  trace.keep(plan.program);
  // No cached facts about earlier records are used, so that their computation is traced, too.
  const Earlier earlier{inside.history.or_series(inside.history.earlier(), inside.slots.data()).records, nullptr};
  // Tracing should not exhaust the rubric's limit: there is at most one tracing instruction for each other.
  constexpr std::uint64_t kMore = 3;
  const std::uint64_t steps = inside.vm.limits.steps;
  inside.vm.limits.steps = steps > UINT64_MAX / kMore ? UINT64_MAX : steps * kMore;
  inside.vm.tracer = &trace;
  const bool good = inside.run(plan, inside.weights.values, earlier, error);
  inside.vm.tracer = nullptr;
  inside.vm.limits.steps = steps;
  items.assign(inside.rubric.items.size(), missing_value());
  if (!good) return false;
  for (std::size_t i = 0; i < places.size(); ++i) items[places[i]] = plan.results[i];
  return true;
}

}  // namespace assay
