// The cohort of an evaluator: while records are scored, the values of each verdict that the block needs are copied; its
// outputs are computed at the end; with a frozen cohort, each verdict gets its second pass.
#include "runtime/engine/evaluator.hpp"

namespace assay {

// Determines which of its plan's results the cohort needs, besides those of the verdict.
void Evaluator::Impl::plan_cohort() {
  cohort.roots.clear();
  cohort.keys.clear();
  if (!cohort.collecting && !second_pass()) return;
  for (const int item : rubric.verdict.items) cohort.roots.push_back(plans.score.add(item));
  if (!rubric.cohort.places) return;
  for (const RankModel& key : rubric.rank) cohort.keys.push_back(plans.score.add(key.item));
}

void Evaluator::Impl::take_cohort_values() {
  const auto take = [this](const std::vector<int>& roots, std::vector<Value>& values) {
    values.resize(roots.size());
    for (std::size_t i = 0; i < roots.size(); ++i) values[i] = plans.score.results[static_cast<std::size_t>(roots[i])];
  };
  take(cohort.roots, cohort.own);
  take(cohort.keys, cohort.ranked);
}

void Evaluator::Impl::reject(const InputError& error) {
  if (!cohort.collecting || error.code == "cancelled" || error.code == "timeout") return;
  cohort.store->reject(cohort.take_position(), error);
}

// Adds the record just scored to the cohort, or to its rejected records.
void Evaluator::Impl::collect() {
  if (!cohort.collecting) return;
  if (!result.state.failed) {
    take_cohort_values();
    const bool placed =
        rubric.verdict.status < 0 || ranked_status(plans.score.results[static_cast<std::size_t>(plans.status)]);
    if (cohort.store->add(cohort.next, slots[0], cohort.own.data(), cohort.ranked.data(), placed, result.state.error)) {
      cohort.take_position();
      return;
    }
    fail_verdict();
  }
  reject(result.state.error);
}

// Adds the second pass to the verdict of the record just scored. False: `error`.
bool Evaluator::Impl::add_second_pass(InputError& error) {
  take_cohort_values();
  const bool placed =
      rubric.verdict.status < 0 || ranked_status(plans.score.results[static_cast<std::size_t>(plans.status)]);
  const bool good = cohort.each->run(cohort.own.data(), cohort.ranked.data(), placed, arena, error);
  statistics.steps += cohort.each->steps();
  return good;
}

// The same for a verdict whose JSON was written in the first pass.
bool Evaluator::Impl::complete(const KeptVerdict& kept, std::string& json, InputError& error) {
  arena.reset();
  const bool good = cohort.each->run(kept.fields.record.fields, kept.keys, kept.eligible, arena, error);
  statistics.steps += cohort.each->steps();
  if (good && cohort.each->add_to(json, options.limits.output_bytes, error)) return true;
  error.id = id_json(kept.id);
  return false;
}

std::string Evaluator::Impl::id_json(const Value& id) const {
  std::string json, digits;
  if (id.missing()) return json;
  const std::string_view text = id_text(model.types, rubric.slots[0].type, id, digits);
  if (model.types.kind(rubric.slots[0].type) == TypeKind::number) json = text;
  else write_json_text(text, json);
  return json;
}

void Evaluator::Impl::use(std::shared_ptr<const FrozenCohort::Impl> frozen) {
  if (rubric.cohort.each < 0) return;
  const bool planned = second_pass();
  if (!cohort.each)
    cohort.each = std::make_unique<EachRunner>(owner, options.fields, options.limits, options.interrupt);
  cohort.each->use(std::move(frozen));
  if (!planned) plan_score();
}

void Evaluator::start_cohort(std::uint64_t first) {
  Impl& impl = *impl_;
  impl.cohort.store = std::make_unique<CohortStore>(impl.owner, impl.options.limits);
  impl.cohort.next = first;
  impl.cohort.frozen.reset();
  impl.cohort.error.reset();
  if (impl.rubric.cohort.rubric < 0 || impl.cohort.collecting) return;
  impl.cohort.collecting = true;
  impl.plan_score();  // fields of the verdict that the cohort uses become roots, too
}

void Evaluator::reject(const InputError& error) { impl_->reject(error); }

Cohort Evaluator::collected() const {
  Cohort result(impl_->owner, impl_->options.limits);
  if (impl_->cohort.store) result.store().append(*impl_->cohort.store);
  return result;
}

bool Evaluator::Impl::freeze_cohort() {
  CohortRun run;
  run.limits = options.limits;
  run.interrupt = options.interrupt;
  InputError error;
  cohort.error.reset();
  cohort.frozen = freeze(*cohort.store, run, error);
  statistics.steps += run.steps;
  if (!cohort.frozen) cohort.error = std::move(error);
  return cohort.frozen != nullptr;
}

std::string_view Evaluator::cohort() {
  Impl& impl = *impl_;
  if (!impl.cohort.collecting) return "{}";
  if (impl.freeze_cohort()) {
    impl.answer = impl.cohort.frozen->outputs;
  } else {
    impl.answer_error(*impl.cohort.error);
  }
  return impl.answer;
}

const InputError* Evaluator::cohort_error() const { return impl_->cohort.error ? &*impl_->cohort.error : nullptr; }

std::optional<InputError> Evaluator::set_cohort(const FrozenCohort& frozen) {
  if (&frozen.impl().owner.impl() == &impl_->owner.impl()) {
    impl_->use(std::shared_ptr<const FrozenCohort::Impl>(frozen.shared()));
    return std::nullopt;
  }
  // The rubric was compiled a second time: its values refer to another table of types.
  InputError error;
  const std::optional<FrozenCohort> same = FrozenCohort::load(impl_->owner, frozen.save(), error);
  if (!same) return error;
  impl_->use(same->shared());
  return std::nullopt;
}

}  // namespace assay
