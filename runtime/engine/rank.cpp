// Many records at once: a ranking. Each record is read and run on its own; what is kept of it is its id, whether it is
// eligible and the values of the rubric's ranking keys, so that memory grows by the keys and not by the records.
#include "lang/value/limit_message.hpp"
#include "runtime/engine/evaluator.hpp"
#include "runtime/engine/rank_order.hpp"

#include "lang/value/equality.hpp"

#include <algorithm>
#include <set>

namespace assay {

int compare_keys(const TypeTable& types, TypeId type, const Value& a, const Value& b, bool higher) {
  if (a.missing() || b.missing()) return static_cast<int>(a.missing()) - static_cast<int>(b.missing());
  int order = 0;
  switch (types.kind(type)) {
    case TypeKind::list: {
      const std::uint32_t both = std::min(a.list.size, b.list.size);
      for (std::uint32_t i = 0; i < both; ++i) {
        order = compare_keys(types, types[type].element, a.list.items[i], b.list.items[i], higher);
        if (order != 0) return order;
      }
      return static_cast<int>(a.list.size < b.list.size) - static_cast<int>(b.list.size < a.list.size);
    }
    case TypeKind::either: {  // numbers, then conditions, then texts
      const TypeId left = types.actual(type, a), right = types.actual(type, b);
      if (left == right) return compare_keys(types, left, a, b, higher);
      order = types.kind(left) < types.kind(right) ? -1 : 1;
      break;
    }
    case TypeKind::number: order = compare(a.number, b.number); break;
    case TypeKind::boolean: order = static_cast<int>(a.boolean.truth) - static_cast<int>(b.boolean.truth); break;
    case TypeKind::text: order = compare_text(a.text.view(), b.text.view()); break;
    default: break;
  }
  return higher ? -order : order;
}

std::optional<InputError> Evaluator::Impl::cannot_rank() {
  if (rubric.rank.empty()) {
    return InputError{"op", "request", "the rubric '" + rubric.name + "' does not say how to rank ('rank by …')"};
  }
  if (!rank_plan.program) {
    for (const RankModel& key : rubric.rank) rank_plan.roots.push_back(key.item);
    if (rubric.status_item >= 0) rank_plan.roots.push_back(rubric.status_item);
    rank_plan.build(owner.impl().model, owner.impl().index());
  }
  return std::nullopt;
}

bool Evaluator::Impl::place(std::size_t i, std::string_view json, const std::vector<Number>& with, Arena& keep,
                            Placed& placed, InputError& error) {
  arena.reset();
  ++statistics.records;
  if (interrupted(error)) return false;
  error = {};
  bool ok = read(json, error);
  const bool was_read = ok;
  if (ok && slots[0].missing()) {
    error = {"id", "required", "id is missing: a ranking needs it"};
    ok = false;
  }
  ok = ok && run(rank_plan, with, {}, error);
  if (!ok) {
    ++statistics.rejected;
    if (interrupted(error)) return false;
    if (!was_read) tell_unread(error, json);
    else if (!slots[0].missing()) tell_refused(error, with, {});
    const std::string prefix = "inputs[" + std::to_string(i) + "]";
    put_before(prefix, error.path);
    for (InputFault& fault : error.others) put_before(prefix, fault.path);
    return false;
  }
  if (arena.numbers().used() > 0) ++statistics.exact_path;
  placed.input = i;
  std::string digits;
  placed.id = id_text(model.types, rubric.slots[0].type, slots[0], digits);
  const std::size_t count = rubric.rank.size();
  for (std::size_t k = 0; k < count; ++k) {
    const TypeId type = rubric.items[static_cast<std::size_t>(rubric.rank[k].item)].type;
    placed.keys.push_back(deep_copy(model.types, type, rank_plan.results[k], keep));
  }
  const auto status_of = [&] { return rank_plan.results[count].text.view(); };
  placed.eligible = rubric.status_item < 0 || status_of() == "eligible" || status_of() == "indeterminate";
  return true;
}

Ranking Evaluator::Impl::order(std::vector<Placed>& placed) {
  const auto compare_placed = [&](const Placed& a, const Placed& b) {
    for (std::size_t k = 0; k < rubric.rank.size(); ++k) {
      const TypeId type = rubric.items[static_cast<std::size_t>(rubric.rank[k].item)].type;
      const int order = compare_keys(model.types, type, a.keys[k], b.keys[k], rubric.rank[k].higher);
      if (order != 0) return order;
    }
    return 0;
  };
  Ranking ranking;
  std::vector<const Placed*> sorted;
  for (const Placed& one : placed) {
    if (one.eligible) {
      sorted.push_back(&one);
    } else {
      ranking.ineligible.push_back(one.id);
    }
  }
  std::uint32_t comparisons = 0;
  bool stopped = false;  // then the order is of no use, and all are equal
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Placed* a, const Placed* b) {
    stopped = stopped || ((++comparisons & 0xfff) == 0 && assay::interrupted(options.interrupt));
    return !stopped && compare_placed(*a, *b) < 0;
  });
  if (stopped) return {};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i == 0 || compare_placed(*sorted[i - 1], *sorted[i]) != 0) ranking.groups.emplace_back();
    ranking.groups.back().push_back(sorted[i]->id);
  }
  return ranking;
}

namespace {

InputError repeated(std::size_t i, const std::string& id) {
  return {"inputs[" + std::to_string(i) + "].id", "duplicate",
          "the id \"" + shorten(id, 200) + "\" was used by an earlier record"};
}

}  // namespace

std::optional<InputError> Evaluator::Impl::rank_all(const std::vector<std::string_view>& records,
                                                    const std::vector<Number>& with, Ranking& ranking) {
  if (auto error = cannot_rank()) return error;
  Arena keep;
  std::set<std::string> ids;
  std::vector<Placed> placed;
  InputError error;
  for (std::size_t i = 0; i < records.size(); ++i) {
    Placed one;
    if (!place(i, records[i], with, keep, one, error)) return error;
    if (!ids.insert(one.id).second) return repeated(i, one.id);
    placed.push_back(std::move(one));
  }
  ranking = order(placed);
  if (interrupted(error)) return error;
  return std::nullopt;
}

std::optional<InputError> Evaluator::rank(const std::vector<std::string_view>& records, Ranking& ranking) {
  return impl_->rank_all(records, impl_->weights, ranking);
}

Ranking Evaluator::rank_valid(const std::vector<std::string_view>& records,
                              std::vector<std::pair<std::size_t, InputError>>& errors) {
  errors.clear();
  if (auto error = impl_->cannot_rank()) {
    errors.emplace_back(0, *error);
    return {};
  }
  Arena keep;
  std::set<std::string> ids;
  std::vector<Impl::Placed> placed;
  for (std::size_t i = 0; i < records.size(); ++i) {
    Impl::Placed one;
    InputError error;
    if (impl_->interrupted(error)) break;
    if (!impl_->place(i, records[i], impl_->weights, keep, one, error)) {
      errors.emplace_back(i, std::move(error));
    } else if (!ids.insert(one.id).second) {
      errors.emplace_back(i, repeated(i, one.id));
    } else {
      placed.push_back(std::move(one));
    }
  }
  Ranking ranking = impl_->order(placed);
  InputError stopped;
  if (!impl_->interrupted(stopped)) return ranking;
  errors.assign(1,
                {placed.size(), std::move(stopped)});  // no ranking of some of the records: that is all there is to say
  return {};
}

std::string Ranking::json() const {
  std::string out = "{\"ranking\":[";
  const auto ids = [&out](const std::vector<std::string>& list) {
    out += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out += ',';
      write_json_text(list[i], out);
    }
    out += ']';
  };
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i > 0) out += ',';
    ids(groups[i]);
  }
  out += "],\"ineligible\":";
  ids(ineligible);
  return out + '}';
}

}  // namespace assay
