// Truths of kernels: conjunctions and disjunctions are flattened, and an opposite is known where there is one.
#include "lang/kernel/kernel_builder.hpp"

#include <algorithm>

namespace assay {

// ---- truths

// The lanes that a conjunction (or a disjunction) is made of.
void LaneBuilder::parts_of(Lane lane, bool all, std::vector<LaneTerm>& out) {
  if (const LaneInstruction* i = made_by(lane, all ? LaneOp::and_ : LaneOp::or_)) {
    out.push_back({i->b, 1});
    out.push_back({i->c, 1});
  } else if (const LaneInstruction* but = all ? made_by(lane, LaneOp::and_not) : nullptr) {
    out.push_back({but->b, 1});
    out.push_back({negate({but->c}).lane, 1});  // the instruction `and_not` was made from; nothing new
  } else if (const LaneInstruction* list = made_by(lane, all ? LaneOp::all_of : LaneOp::any_of)) {
    out.insert(out.end(), terms.begin() + list->terms, terms.begin() + list->terms + list->count);
  } else {
    out.push_back({lane, 1});
  }
}

// The lane that holds the opposite of a truth, if there is one.
Truth LaneBuilder::denied(Lane lane) const {
  if (const LaneInstruction* i = made_by(lane, LaneOp::not_)) return {i->b};
  constexpr std::pair<LaneOp, LaneOp> kOpposites[] = {{LaneOp::ge_x, LaneOp::lt_x}, {LaneOp::ne_x, LaneOp::eq_x}};
  for (const auto& [op, opposite] : kOpposites) {
    const LaneInstruction* i = made_by(lane, op);
    if (i == nullptr) continue;
    for (const LaneInstruction& other : code) {
      if (other.op == opposite && other.b == i->b && other.x == i->x) return {other.a};
    }
  }
  return kNo;
}

// All (or any) of some truths, of which one decides when it is `not all` and another is its opposite.
Truth LaneBuilder::joined(const std::vector<Truth>& parts, bool all) {
  std::vector<LaneTerm> list;
  for (const Truth& part : parts) {
    if (part.constant()) {
      if (part.value != all) return {kNoLane, !all};
      continue;
    }
    if (list.size() < 64) parts_of(part.lane, all, list);
    else list.push_back({part.lane, 1});
  }
  std::sort(list.begin(), list.end(), [](const LaneTerm& x, const LaneTerm& y) { return x.lane < y.lane; });
  list.erase(
      std::unique(list.begin(), list.end(), [](const LaneTerm& x, const LaneTerm& y) { return x.lane == y.lane; }),
      list.end());
  const auto holds = [&](Lane lane) {
    return std::any_of(list.begin(), list.end(), [&](const LaneTerm& t) { return t.lane == lane; });
  };
  for (const LaneTerm& t : list) {
    const Truth opposite = denied(t.lane);
    if (!opposite.constant() && holds(opposite.lane)) return {kNoLane, !all};
  }
  if (list.empty()) return {kNoLane, all};
  if (list.size() == 1) return {list[0].lane};
  if (std::all_of(list.begin(), list.end(),
                  [&](const LaneTerm& t) { return made_by(t.lane, LaneOp::not_) != nullptr; })) {
    std::vector<Truth> denied;
    for (const LaneTerm& t : list) denied.push_back({made_by(t.lane, LaneOp::not_)->b});
    return negate(joined(denied, !all));
  }
  if (list.size() == 2) {
    for (const std::size_t k : {0u, 1u}) {
      const LaneInstruction* no = all ? made_by(list[k].lane, LaneOp::not_) : nullptr;
      if (no != nullptr) return {keep(emit(made(LaneOp::and_not, list[1 - k].lane, no->b)), 0, 1)};
    }
    return {keep(emit(made(all ? LaneOp::and_ : LaneOp::or_, list[0].lane, list[1].lane)), 0, 1)};
  }
  return {keep(emit(made(all ? LaneOp::all_of : LaneOp::any_of, 0), std::move(list)), 0, 1)};
}

Truth LaneBuilder::both(Truth a, Truth b) { return joined({a, b}, true); }
Truth LaneBuilder::either(Truth a, Truth b) { return joined({a, b}, false); }
Truth LaneBuilder::all_of(const std::vector<Truth>& parts) { return joined(parts, true); }
Truth LaneBuilder::any_of(const std::vector<Truth>& parts) { return joined(parts, false); }

Truth LaneBuilder::differ(Truth a, Truth b) {
  if (a.constant()) return a.value ? negate(b) : b;
  if (b.constant()) return b.value ? negate(a) : a;
  if (a.lane == b.lane) return kNo;
  return {keep(emit(made(LaneOp::xor_, std::min(a.lane, b.lane), std::max(a.lane, b.lane))), 0, 1)};
}

Truth LaneBuilder::negate(Truth a) {
  if (a.constant()) return {kNoLane, !a.value};
  if (const LaneInstruction* i = made_by(a.lane, LaneOp::not_)) return {i->b};
  // A comparison turns round.
  constexpr std::pair<LaneOp, LaneOp> kOpposites[] = {{LaneOp::lt_x, LaneOp::ge_x},
                                                      {LaneOp::ge_x, LaneOp::lt_x},
                                                      {LaneOp::eq_x, LaneOp::ne_x},
                                                      {LaneOp::ne_x, LaneOp::eq_x}};
  for (const auto& [op, opposite] : kOpposites) {
    if (const LaneInstruction* i = made_by(a.lane, op)) return {keep(emit(made(opposite, i->b, 0, 0, i->x)), 0, 1)};
  }
  return {keep(emit(made(LaneOp::not_, a.lane)), 0, 1)};
}

void LaneBuilder::refuse_when(Truth t) {
  if (t.never()) return;
  keep(emit(made(LaneOp::refuse, lane(t))), 0, 1);
}

}  // namespace assay
