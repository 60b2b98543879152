/* What a rubric says to those who fill in its records, for C: <assay/authoring.hpp> says what each member means.
 *
 *   assay_answer* schema = NULL;
 *   if (assay_rubric_schema(rubric, NULL, &schema, NULL) == ASSAY_OK) puts(assay_answer_text(schema).data);
 *   assay_answer_free(schema);
 *
 * The conventions are those of <assay/assay.h>. */
#ifndef ASSAY_AUTHORING_H
#define ASSAY_AUTHORING_H

#include <assay/assay.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_schema_options {
  size_t size;
  int verdict;                   /* 1: of a verdict, not of a record */
  int judged;                    /* 1: of a record, only what is judged, and `judged_too` */
  const char* const* judged_too; /* inputs */
  size_t judged_too_count;
  const char* const* only; /* of what is judged, these dimensions and criteria; NULL: all */
  size_t only_count;
  int strict_subset; /* 1: the subset that vendors of language models accept for structured output */
} assay_schema_options;

typedef struct assay_prompt_options {
  size_t size;
  const char* dimension; /* only this judged dimension or criterion; NULL: all */
  const char* const* contexts;
  size_t context_count;
  const char* const* judged_too;
  size_t judged_too_count;
  const char* frame; /* sentences in place of our own, a JSON object; NULL: our own */
} assay_prompt_options;

/* *schema: JSON Schema 2020-12. *not_expressed: a JSON array of sentences, what the rubric checks beyond it; may be NULL.
 * ASSAY_REJECTED: there is no such schema, and *schema is a sentence that says why (*not_expressed is not made). `options`
 * may be NULL: of a record, all of it. Free both with assay_answer_free. */
assay_status assay_rubric_schema(const assay_rubric* rubric, const assay_schema_options* options, assay_answer** schema,
                                 assay_answer** not_expressed);
/* *prompt: the instructions for a judge, Markdown. ASSAY_REJECTED: there are none, and *prompt says why. `options` may be
 * NULL: for all that is judged. */
assay_status assay_rubric_prompt(const assay_rubric* rubric, const assay_prompt_options* options,
                                 assay_answer** prompt);
/* Our own sentences, as such a JSON object. */
assay_status assay_prompt_frame(assay_answer** frame);

#ifdef __cplusplus
}
#endif

#endif /* ASSAY_AUTHORING_H */
