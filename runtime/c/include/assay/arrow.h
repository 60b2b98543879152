/* Records and verdicts as Arrow arrays, for C: <assay/arrow.hpp> describes the types and the checks.
 *
 *   assay_arrow* arrow = NULL;
 *   assay_arrow_new(rubric, NULL, &arrow);
 *   if (assay_arrow_bind(arrow, &records_schema, &verdicts_schema) == ASSAY_OK)
 *     assay_arrow_score(arrow, &records, &verdicts);     // for each batch
 *
 * The conventions are those of <assay/assay.h>. */
#ifndef ASSAY_ARROW_H
#define ASSAY_ARROW_H

#include <assay/arrow_abi.h>
#include <assay/assay.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_arrow assay_arrow;

typedef enum assay_arrow_result {
  ASSAY_ARROW_COLUMNS = 0,  /* a column for each field, and `error` */
  ASSAY_ARROW_VERDICTS = 1, /* whole verdicts, nested */
  ASSAY_ARROW_JSON = 2      /* one column `verdict` of JSON texts */
} assay_arrow_result;

typedef struct assay_arrow_options {
  size_t size;
  assay_evaluator_options evaluator; /* its own `size` set, too */
  assay_arrow_result result;
  int decimals;     /* 1: numbers that a rule rounds are decimal128 */
  unsigned threads; /* 0: as many as the machine runs at once */
} assay_arrow_options;

/* `options` may be NULL: columns of doubles, on one thread. ASSAY_INVALID_ARGUMENT: an unknown field or limit. */
assay_status assay_arrow_new(const assay_rubric* rubric, const assay_arrow_options* options, assay_arrow** arrow);
assay_status assay_arrow_configure(assay_arrow* arrow, const char* const* contexts, size_t context_count,
                                   const assay_weight* weights, size_t weight_count);
/* Sets the schema of the records, which is not kept, and returns that of their verdicts, which the caller releases; the
 * latter may be NULL. ASSAY_REJECTED: a column is missing or of a type that its input cannot hold. */
assay_status assay_arrow_bind(assay_arrow* arrow, const struct ArrowSchema* records, struct ArrowSchema* verdicts);
/* Scores a batch and takes `records` over. ASSAY_REJECTED: the array contradicts itself; there are no verdicts then. */
assay_status assay_arrow_score(assay_arrow* arrow, struct ArrowArray* records, struct ArrowArray* verdicts);
/* Scores a stream and takes `records` over. Afterwards `arrow` can only be freed, at any time. */
assay_status assay_arrow_score_stream(assay_arrow* arrow, struct ArrowArrayStream* records,
                                      struct ArrowArrayStream* verdicts);
uint64_t assay_arrow_rejected(const assay_arrow* arrow); /* records rejected so far */
assay_error assay_arrow_error(const assay_arrow* arrow); /* the error of the last call that returned ASSAY_REJECTED */
void assay_arrow_free(assay_arrow* arrow);

#ifdef __cplusplus
}
#endif

#endif /* ASSAY_ARROW_H */
