/* The verdicts of a run as a whole, in C: cohorts are collected in parts, merged, frozen and used for a second pass.
 * <assay/cohort.hpp> explains each function; statuses, texts and threads are as in <assay/assay.h>. */
#ifndef ASSAY_COHORT_H
#define ASSAY_COHORT_H

#include <assay/assay.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_cohort assay_cohort;               /* belongs to one thread */
typedef struct assay_frozen_cohort assay_frozen_cohort; /* immutable: any threads at once */

/* The position of records without one: verdicts are then ordered by id. */
#define ASSAY_UNORDERED UINT64_MAX

/* Makes an empty cohort. ASSAY_INVALID_ARGUMENT: an unknown limit. */
assay_status assay_cohort_new(const assay_rubric* rubric, const assay_limit* limits, size_t limit_count,
                              assay_cohort** cohort);
void assay_cohort_free(assay_cohort* cohort);
size_t assay_cohort_verdicts(const assay_cohort* cohort);
size_t assay_cohort_rejected(const assay_cohort* cohort);
/* Adds all that `other`, or a saved cohort, has kept. ASSAY_REJECTED: of another rubric, or damaged; nothing is added.
 * */
assay_status assay_cohort_merge(assay_cohort* cohort, const assay_cohort* other);
assay_status assay_cohort_merge_saved(assay_cohort* cohort, const char* bytes, size_t size);
/* Bytes, valid until the next call with this cohort. They do not depend on how the records were divided. */
assay_status assay_cohort_save(assay_cohort* cohort, assay_text* bytes);
/* Computes the cohort's values. ASSAY_REJECTED: they cannot be computed. `interrupt` may be NULL. */
assay_status assay_cohort_freeze(assay_cohort* cohort, const assay_interrupt* interrupt, assay_frozen_cohort** frozen);
/* the error of the last call that returned ASSAY_REJECTED */
assay_error assay_cohort_error(const assay_cohort* cohort);

/* Texts live as long as the frozen cohort. */
assay_text assay_frozen_cohort_outputs(const assay_frozen_cohort* frozen); /* JSON */
assay_text assay_frozen_cohort_hash(const assay_frozen_cohort* frozen);    /* 16 hex digits */
assay_text assay_frozen_cohort_save(const assay_frozen_cohort* frozen);    /* for assay_evaluator_set_saved_cohort */
void assay_frozen_cohort_free(assay_frozen_cohort* frozen);

/* As assay_evaluator_start_cohort, but gives the next record the position `first`. */
assay_status assay_evaluator_start_cohort_at(assay_evaluator* evaluator, uint64_t first);
/* Adds what the evaluator has kept since then to a cohort. ASSAY_REJECTED, told by the evaluator: the cohort is of
 * another rubric. */
assay_status assay_evaluator_collect(assay_evaluator* evaluator, assay_cohort* into);
/* Later verdicts also have the keys of the 'each output's. ASSAY_REJECTED: of another rubric, or damaged. */
assay_status assay_evaluator_set_cohort(assay_evaluator* evaluator, const assay_frozen_cohort* frozen);
assay_status assay_evaluator_set_saved_cohort(assay_evaluator* evaluator, const char* bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* ASSAY_COHORT_H */
