// Truths in kernels: flattens conjunctions and disjunctions, and reuses existing opposites.
#include "lang/kernel/kernel_builder.hpp"

#include <algorithm>

namespace assay {

// ---- truths

// The registers of a conjunction (or a disjunction).
void KernelBuilder::parts_of(Register reg, bool all, std::vector<KernelTerm>& out) {
  if (const KernelInstruction* i = made_by(reg, all ? KernelOp::and_ : KernelOp::or_)) {
    out.push_back({i->b, 1});
    out.push_back({i->c, 1});
  } else if (const KernelInstruction* but = all ? made_by(reg, KernelOp::and_not) : nullptr) {
    out.push_back({but->b, 1});
    out.push_back({negate({but->c}).reg, 1});  // the source of the `and_not` instruction; nothing new
  } else if (const KernelInstruction* list = made_by(reg, all ? KernelOp::all_of : KernelOp::any_of)) {
    out.insert(out.end(), terms.begin() + list->terms, terms.begin() + list->terms + list->count);
  } else {
    out.push_back({reg, 1});
  }
}

// The register that holds the opposite of a truth, if there is one.
Truth KernelBuilder::denied(Register reg) const {
  if (const KernelInstruction* i = made_by(reg, KernelOp::not_)) return {i->b};
  constexpr std::pair<KernelOp, KernelOp> kOpposites[] = {{KernelOp::ge_x, KernelOp::lt_x},
                                                          {KernelOp::ne_x, KernelOp::eq_x}};
  for (const auto& [op, opposite] : kOpposites) {
    const KernelInstruction* i = made_by(reg, op);
    if (i == nullptr) continue;
    for (const KernelInstruction& other : code) {
      if (other.op == opposite && other.b == i->b && other.x == i->x) return {other.a};
    }
  }
  return kNo;
}

// The conjunction (or disjunction) of some truths; one that equals `not all`, or an opposite pair, decides it.
Truth KernelBuilder::joined(const std::vector<Truth>& parts, bool all) {
  std::vector<KernelTerm> list;
  for (const Truth& part : parts) {
    if (part.constant()) {
      if (part.value != all) return {kNoReg, !all};
      continue;
    }
    if (list.size() < 64) parts_of(part.reg, all, list);
    else list.push_back({part.reg, 1});
  }
  std::sort(list.begin(), list.end(), [](const KernelTerm& x, const KernelTerm& y) { return x.reg < y.reg; });
  list.erase(
      std::unique(list.begin(), list.end(), [](const KernelTerm& x, const KernelTerm& y) { return x.reg == y.reg; }),
      list.end());
  const auto holds = [&](Register reg) {
    return std::any_of(list.begin(), list.end(), [&](const KernelTerm& t) { return t.reg == reg; });
  };
  for (const KernelTerm& t : list) {
    const Truth opposite = denied(t.reg);
    if (!opposite.constant() && holds(opposite.reg)) return {kNoReg, !all};
  }
  if (list.empty()) return {kNoReg, all};
  if (list.size() == 1) return {list[0].reg};
  if (std::all_of(list.begin(), list.end(),
                  [&](const KernelTerm& t) { return made_by(t.reg, KernelOp::not_) != nullptr; })) {
    std::vector<Truth> denied;
    for (const KernelTerm& t : list) denied.push_back({made_by(t.reg, KernelOp::not_)->b});
    return negate(joined(denied, !all));
  }
  if (list.size() == 2) {
    for (const std::size_t k : {0u, 1u}) {
      const KernelInstruction* no = all ? made_by(list[k].reg, KernelOp::not_) : nullptr;
      if (no != nullptr) return {keep(emit(made(KernelOp::and_not, list[1 - k].reg, no->b)), 0, 1)};
    }
    return {keep(emit(made(all ? KernelOp::and_ : KernelOp::or_, list[0].reg, list[1].reg)), 0, 1)};
  }
  return {keep(emit(made(all ? KernelOp::all_of : KernelOp::any_of, 0), std::move(list)), 0, 1)};
}

Truth KernelBuilder::both(Truth a, Truth b) { return joined({a, b}, true); }
Truth KernelBuilder::either(Truth a, Truth b) { return joined({a, b}, false); }
Truth KernelBuilder::all_of(const std::vector<Truth>& parts) { return joined(parts, true); }
Truth KernelBuilder::any_of(const std::vector<Truth>& parts) { return joined(parts, false); }

Truth KernelBuilder::differ(Truth a, Truth b) {
  if (a.constant()) return a.value ? negate(b) : b;
  if (b.constant()) return b.value ? negate(a) : a;
  if (a.reg == b.reg) return kNo;
  return {keep(emit(made(KernelOp::xor_, std::min(a.reg, b.reg), std::max(a.reg, b.reg))), 0, 1)};
}

Truth KernelBuilder::negate(Truth a) {
  if (a.constant()) return {kNoReg, !a.value};
  if (const KernelInstruction* i = made_by(a.reg, KernelOp::not_)) return {i->b};
  // A comparison is inverted.
  constexpr std::pair<KernelOp, KernelOp> kOpposites[] = {{KernelOp::lt_x, KernelOp::ge_x},
                                                          {KernelOp::ge_x, KernelOp::lt_x},
                                                          {KernelOp::eq_x, KernelOp::ne_x},
                                                          {KernelOp::ne_x, KernelOp::eq_x}};
  for (const auto& [op, opposite] : kOpposites) {
    if (const KernelInstruction* i = made_by(a.reg, op)) return {keep(emit(made(opposite, i->b, 0, 0, i->x)), 0, 1)};
  }
  return {keep(emit(made(KernelOp::not_, a.reg)), 0, 1)};
}

void KernelBuilder::refuse_when(Truth t) {
  if (t.never()) return;
  keep(emit(made(KernelOp::refuse, reg(t))), 0, 1);
}

}  // namespace assay
