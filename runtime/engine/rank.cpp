// A ranking of many records. Each record is read and run on its own; only its id, its eligibility and the values of the
// rubric's ranking keys are kept, so memory grows with the keys, not with the records.
#include "lang/value/limit_message.hpp"
#include "runtime/cohort/rank_order.hpp"
#include "runtime/engine/evaluator.hpp"

#include "lang/value/equality.hpp"

#include <algorithm>
#include <set>

namespace assay {

std::optional<InputError> Evaluator::Impl::cannot_rank() {
  if (rubric.rank.empty()) {
    return InputError{"op", "request", "the rubric '" + rubric.name + "' does not say how to rank ('rank by …')"};
  }
  if (!plans.rank.program) {
    for (const RankModel& key : rubric.rank) plans.rank.roots.push_back(key.item);
    if (rubric.verdict.status >= 0) plans.rank.roots.push_back(rubric.verdict.status);
    plans.rank.build(owner.impl().model, owner.impl().index());
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
  ok = ok && run(plans.rank, with, {}, error);
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
    placed.keys.push_back(deep_copy(model.types, type, plans.rank.results[k], keep));
  }
  placed.eligible = rubric.verdict.status < 0 || ranked_status(plans.rank.results[count]);
  return true;
}

Ranking Evaluator::Impl::order(std::vector<Placed>& placed) {
  const auto compare_placed = [&](const Placed& a, const Placed& b) {
    return compare_places(model.types, rubric, a.keys.data(), b.keys.data());
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
  bool stopped = false;  // then the order does not matter, and all compare as equal
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
  return impl_->rank_all(records, impl_->weights.values, ranking);
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
    if (!impl_->place(i, records[i], impl_->weights.values, keep, one, error)) {
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
  errors.assign(1, {placed.size(), std::move(stopped)});  // a ranking of only some records would be useless
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
