/* Texts for those who fill in records, for C: <assay/authoring.hpp> explains each member.
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
  int verdict;                   /* 1: the schema of a verdict, not of a record */
  int judged;                    /* 1: only the judged inputs of a record, and `judged_too` */
  const char* const* judged_too; /* inputs */
  size_t judged_too_count;
  const char* const* only; /* of the judged ones, only these dimensions and criteria; NULL: all */
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
  const char* frame; /* replacements for the built-in sentences, a JSON object; NULL: the built-in sentences */
} assay_prompt_options;

/* *schema: JSON Schema 2020-12. *not_expressed: a JSON array of sentences, the rubric's checks that the schema cannot
 * express; may be NULL. ASSAY_REJECTED: no such schema can be made, and *schema is a sentence that says why
 * (*not_expressed is not set). `options` may be NULL: the schema of a whole record. Free both with assay_answer_free.
 * */
assay_status assay_rubric_schema(const assay_rubric* rubric, const assay_schema_options* options, assay_answer** schema,
                                 assay_answer** not_expressed);
/* *prompt: the instructions for a judge, as Markdown. ASSAY_REJECTED: there can be none, and *prompt says why.
 * `options` may be NULL: everything that is judged. */
assay_status assay_rubric_prompt(const assay_rubric* rubric, const assay_prompt_options* options,
                                 assay_answer** prompt);
/* The built-in sentences, as such a JSON object. */
assay_status assay_prompt_frame(assay_answer** frame);

#ifdef __cplusplus
}
#endif

#endif /* ASSAY_AUTHORING_H */
