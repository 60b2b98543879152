// The C interface: cohorts.
#include "runtime/c/c_api.hpp"
#include "runtime/engine/evaluator.hpp"

#include <assay/cohort.h>

using namespace assay;
using namespace assay::c;

struct assay_cohort {
  Cohort cohort;
  InputError error;
  std::string saved;

  assay_status told(std::optional<InputError> problem) {
    if (!problem) return ASSAY_OK;
    error = std::move(*problem);
    return ASSAY_REJECTED;
  }
};

struct assay_frozen_cohort {
  FrozenCohort cohort;
};

extern "C" {

assay_status assay_cohort_new(const assay_rubric* rubric, const assay_limit* limits, size_t limit_count,
                              assay_cohort** cohort) {
  if (cohort == nullptr) return ASSAY_INVALID_ARGUMENT;
  *cohort = nullptr;
  if (rubric == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    Limits chosen;
    if (!set_limits(limits, limit_count, chosen)) return ASSAY_INVALID_ARGUMENT;
    *cohort = new assay_cohort{Cohort(rubric->rubric, chosen), {}, {}};
    return ASSAY_OK;
  });
}

void assay_cohort_free(assay_cohort* cohort) { delete cohort; }
size_t assay_cohort_verdicts(const assay_cohort* cohort) { return cohort == nullptr ? 0 : cohort->cohort.verdicts(); }
size_t assay_cohort_rejected(const assay_cohort* cohort) { return cohort == nullptr ? 0 : cohort->cohort.rejected(); }

assay_status assay_cohort_merge(assay_cohort* cohort, const assay_cohort* other) {
  if (cohort == nullptr || other == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] { return cohort->told(cohort->cohort.merge(other->cohort)); });
}

assay_status assay_cohort_merge_saved(assay_cohort* cohort, const char* bytes, size_t size) {
  if (cohort == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    const CohortStore& store = cohort->cohort.store();
    InputError error;
    const std::optional<Cohort> other = Cohort::load(store.owner(), text_of(bytes, size), error, store.limits());
    return other ? cohort->told(cohort->cohort.merge(*other)) : cohort->told(std::move(error));
  });
}

assay_status assay_cohort_save(assay_cohort* cohort, assay_text* bytes) {
  if (bytes != nullptr) *bytes = kNoText;
  if (cohort == nullptr || bytes == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    cohort->saved = cohort->cohort.save();
    *bytes = view(cohort->saved);
    return ASSAY_OK;
  });
}

assay_status assay_cohort_freeze(assay_cohort* cohort, const assay_interrupt* interrupt, assay_frozen_cohort** frozen) {
  if (frozen == nullptr) return ASSAY_INVALID_ARGUMENT;
  *frozen = nullptr;
  if (cohort == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    InputError error;
    std::optional<FrozenCohort> made = cohort->cohort.freeze(error, interrupt == nullptr ? nullptr : &interrupt->value);
    if (!made) return cohort->told(std::move(error));
    *frozen = new assay_frozen_cohort{std::move(*made)};
    return ASSAY_OK;
  });
}

assay_error assay_cohort_error(const assay_cohort* cohort) {
  return view(cohort == nullptr ? InputError() : cohort->error);
}

assay_text assay_frozen_cohort_outputs(const assay_frozen_cohort* frozen) {
  return frozen == nullptr ? kNoText : view(frozen->cohort.outputs());
}
assay_text assay_frozen_cohort_hash(const assay_frozen_cohort* frozen) {
  return frozen == nullptr ? kNoText : view(frozen->cohort.hash());
}
assay_text assay_frozen_cohort_save(const assay_frozen_cohort* frozen) {
  return frozen == nullptr ? kNoText : view(frozen->cohort.save());
}
void assay_frozen_cohort_free(assay_frozen_cohort* frozen) { delete frozen; }

assay_status assay_evaluator_start_cohort_at(assay_evaluator* evaluator, uint64_t first) {
  if (evaluator == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    evaluator->evaluator.start_cohort(first);
    return ASSAY_OK;
  });
}

assay_status assay_evaluator_collect(assay_evaluator* evaluator, assay_cohort* into) {
  if (evaluator == nullptr || into == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    std::optional<InputError> error = into->cohort.merge(evaluator->evaluator.collected());
    return error ? evaluator->rejected(std::move(*error)) : ASSAY_OK;
  });
}

assay_status assay_evaluator_set_cohort(assay_evaluator* evaluator, const assay_frozen_cohort* frozen) {
  if (evaluator == nullptr || frozen == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    std::optional<InputError> error = evaluator->evaluator.set_cohort(frozen->cohort);
    return error ? evaluator->rejected(std::move(*error)) : ASSAY_OK;
  });
}

assay_status assay_evaluator_set_saved_cohort(assay_evaluator* evaluator, const char* bytes, size_t size) {
  if (evaluator == nullptr) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    InputError error;
    const Rubric& rubric = EvaluatorAccess::of(evaluator->evaluator).owner;
    const std::optional<FrozenCohort> frozen = FrozenCohort::load(rubric, text_of(bytes, size), error);
    if (!frozen || evaluator->evaluator.set_cohort(*frozen)) return evaluator->rejected(std::move(error));
    return ASSAY_OK;
  });
}

}  // extern "C"
