/* The C face of the library, for hosts in C and in languages that call C.
 *
 *   assay_rubric* rubric = NULL;
 *   assay_diagnostics* diagnostics = NULL;
 *   if (assay_compile("judge.rubric", text, size, NULL, &rubric, &diagnostics) != ASSAY_OK)
 *     fprintf(stderr, "%s", assay_diagnostics_render(diagnostics).data);
 *   assay_evaluator* evaluator = NULL;
 *   assay_evaluator_new(rubric, NULL, &evaluator);                  // one for each thread
 *   const assay_verdict* verdict = assay_evaluator_score(evaluator, record, record_size);
 *   double score;
 *   if (assay_verdict_number(verdict, "score", &score)) ...
 *
 * Ownership: what a function named ..._new, assay_compile or assay_interrupt_new makes is freed by the function
 * ..._free of its type; freeing NULL does nothing. Evaluators, batches and columns keep their rubric alive, so it may be freed first. A
 * returned assay_text belongs to the object that it was asked of and stays valid until the next call on that object,
 * except where a comment says longer.
 * Threads: a rubric, its diagnostics and an interrupt may be used by any number of threads at once; an evaluator and its
 * verdicts, a batch and a columns object by one at a time.
 * Errors: a function that can fail returns an assay_status; nothing throws, prints, exits or calls longjmp. A NULL where
 * an object is needed is ASSAY_INVALID_ARGUMENT, or a missing value. Names (fields, paths, limits) end with NUL; texts
 * that may be long come with a size and need no NUL.
 * Options: set `size` of every struct of options to sizeof the struct, and all other members to zero where you
 * want the default; a library that is newer than its host reads only the members that the host knows. */
#ifndef ASSAY_ASSAY_H
#define ASSAY_ASSAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when a function or a member changes its meaning; new functions and new members at the end do not raise it. */
#define ASSAY_ABI_VERSION 1

typedef struct assay_interrupt assay_interrupt;
typedef struct assay_rubric assay_rubric;
typedef struct assay_diagnostics assay_diagnostics;
typedef struct assay_evaluator assay_evaluator;
typedef struct assay_verdict assay_verdict;
typedef struct assay_batch assay_batch;
typedef struct assay_columns assay_columns;
typedef struct assay_answer assay_answer;

typedef enum assay_status {
  ASSAY_OK = 0,
  ASSAY_INVALID_RUBRIC = 1,   /* its diagnostics say why */
  ASSAY_REJECTED = 2,         /* a record, a setting or a request is wrong: the assay_error of the object says why */
  ASSAY_INVALID_ARGUMENT = 3, /* the call is wrong: a NULL, an unknown name, a size that is no size of the struct */
  ASSAY_OUT_OF_MEMORY = 4,
  ASSAY_STOPPED = 5,     /* a write callback asked a batch to end */
  ASSAY_READ_FAILED = 6, /* a read callback of a batch failed */
  ASSAY_INTERNAL = 7,    /* a fault of the library */
  ASSAY_INTERRUPTED = 8  /* a batch: cancelled, or out of time */
} assay_status;

typedef struct assay_text { /* UTF-8; `data` is not NULL and ends with NUL only where a comment says so */
  const char* data;
  size_t size; /* bytes */
} assay_text;

typedef struct assay_error { /* what is wrong with the data: docs/protocol.md lists the codes */
  assay_text path;           /* "components[2].severity"; empty: the record as a whole */
  assay_text code;           /* "range" */
  assay_text message;        /* one sentence */
} assay_error;

const char* assay_version(void);                    /* "0.1.0"; static */
int assay_abi_version(void);                        /* ASSAY_ABI_VERSION of the library */
const char* assay_status_text(assay_status status); /* "the rubric is invalid"; static */

/* ---- ending work early (assay/interrupt.hpp). Named in options; must outlive what works under it. */

assay_interrupt* assay_interrupt_new(void); /* NULL: out of memory */
void assay_interrupt_free(assay_interrupt* interrupt);
void assay_interrupt_cancel(assay_interrupt* interrupt); /* any thread, also a signal handler */
void assay_interrupt_set_timeout(assay_interrupt* interrupt,
                                 double seconds); /* from now on; negative or NaN: at once */
void assay_interrupt_clear(assay_interrupt* interrupt);

/* ---- limits (docs/security.md), by name */

typedef struct assay_limit {
  const char* name; /* "steps" */
  uint64_t value;
} assay_limit;

/* The name of limit `index`, its meaning, default and largest value; 0 when there is no such index. Texts are static
 * and end with NUL. Any pointer may be NULL. */
int assay_limit_info(size_t index, assay_text* name, assay_text* meaning, uint64_t* value, uint64_t* most);

/* ---- compiling */

/* Reads what a rubric names. `path` as the rubric wrote it, `from` the name of the file that holds it. Calls
 * assay_import_found once, or returns without it when there is no such file. Any texts may be freed afterwards. */
typedef struct assay_import assay_import;
typedef void (*assay_importer)(void* context, assay_text path, assay_text from, assay_import* import);
/* `name`: how diagnostics and further imports call the file. */
void assay_import_found(assay_import* import, const char* name, const char* text, size_t size);

/* A hook of the host. `arguments` is a JSON array, null for a missing one. Calls assay_hook_return once with a JSON
 * value (null: missing) or assay_hook_fail with a message. Called by every thread that evaluates. */
typedef struct assay_hook_call assay_hook_call;
typedef void (*assay_hook_function)(void* context, assay_text arguments, assay_hook_call* call);
void assay_hook_return(assay_hook_call* call, const char* json, size_t size);
void assay_hook_fail(assay_hook_call* call, const char* message);
typedef struct assay_hook {
  const char* name; /* as in `from "host:name"` */
  assay_hook_function function;
  void* context;
} assay_hook;

typedef struct assay_compile_options {
  size_t size;
  assay_importer importer; /* NULL: only the standard library can be imported */
  void* importer_context;
  const assay_limit* limits;
  size_t limit_count;
  int without_lua; /* 1: a rubric with Lua hooks does not compile */
  const assay_hook* hooks;
  size_t hook_count;
  const assay_interrupt* interrupt;
} assay_compile_options;

/* `name` is used in diagnostics and as the base of imports. ASSAY_OK: *rubric is made. `options` and `diagnostics` may
 * be NULL; otherwise *diagnostics is made whenever the result is ASSAY_OK (warnings) or ASSAY_INVALID_RUBRIC. */
assay_status assay_compile(const char* name, const char* text, size_t size, const assay_compile_options* options,
                           assay_rubric** rubric, assay_diagnostics** diagnostics);

typedef struct assay_diagnostic { /* texts live as long as the diagnostics */
  int is_error;                   /* 0: a warning */
  assay_text code, message, label, help;
  assay_text file;
  int line, column, length; /* from 1; columns and lengths count characters; line 0: no place */
} assay_diagnostic;

size_t assay_diagnostics_count(const assay_diagnostics* diagnostics);
/* 0: there is no such index. */
int assay_diagnostics_at(const assay_diagnostics* diagnostics, size_t index, assay_diagnostic* diagnostic);
/* As the command shows them, with carets; ends with a newline and NUL; lives as long as the diagnostics. */
assay_text assay_diagnostics_render(const assay_diagnostics* diagnostics);
void assay_diagnostics_free(assay_diagnostics* diagnostics);

/* ---- rubrics. Texts live as long as the rubric and end with NUL. */

assay_text assay_rubric_name(const assay_rubric* rubric);
assay_text assay_rubric_version(const assay_rubric* rubric);
assay_text assay_rubric_scoring_hash(const assay_rubric* rubric);
/* {"name", "version", "prose", "scoring_hash", "ranked", "cohort", "serial", "scored", "inputs": [{"name", "type",
 * "presence", "prose"}], "fields": [{"name", "type", "decimals"?}], "dimensions": [{"name", "prose", "weight"?,
 * "parts"?}], "contexts": [{"name", "prose"}]} */
assay_text assay_rubric_describe(const assay_rubric* rubric);
/* Another owner of the same rubric; NULL: out of memory. */
assay_rubric* assay_rubric_share(const assay_rubric* rubric);
void assay_rubric_free(assay_rubric* rubric);

/* Texts that are made for one question. They live as long as the answer and end with NUL. */
assay_text assay_answer_text(const assay_answer* answer);
void assay_answer_free(assay_answer* answer);
/* The `example` blocks, run: [{"name", "passed", "file", "line", "differences": [...]}]. */
assay_status assay_rubric_test(const assay_rubric* rubric, assay_answer** answer);
/* What differs: [{"kind", "effect", "what", "part", "before", "after"}], as of assay/diff.hpp. */
assay_status assay_rubric_differences(const assay_rubric* before, const assay_rubric* after, assay_answer** answer);
/* A stage of the compilation, made for diffing: "ast", "model", "bytecode" or "kernel". */
assay_status assay_rubric_show(const assay_rubric* rubric, const char* view, assay_answer** answer);

/* ---- evaluators */

typedef struct assay_evaluator_options {
  size_t size;
  const char* const* fields; /* top-level keys of the verdict; NULL: all. Only these are computed. */
  size_t field_count;
  const assay_limit* limits;
  size_t limit_count;
  int without_machine_code; /* 1: no executable memory is made; verdicts are the same */
  int strict;               /* 1: a key that the rubric does not name is an error of its record */
  const assay_interrupt* interrupt;
} assay_evaluator_options;

/* ASSAY_INVALID_ARGUMENT: an unknown field or limit. */
assay_status assay_evaluator_new(const assay_rubric* rubric, const assay_evaluator_options* options,
                                 assay_evaluator** evaluator);
void assay_evaluator_free(assay_evaluator* evaluator);

typedef struct assay_weight {
  const char* name;
  const char* value; /* "0.25" or "25%" */
} assay_weight;

/* The contexts and weights in force from now on. ASSAY_REJECTED leaves them as they were. */
assay_status assay_evaluator_configure(assay_evaluator* evaluator, const char* const* contexts, size_t context_count,
                                       const assay_weight* weights, size_t weight_count);
/* Earlier records of the same subject, oldest first, each a JSON object; they are copied. */
assay_status assay_evaluator_set_history(assay_evaluator* evaluator, const assay_text* records, size_t count);

/* One record, a JSON object. Never NULL but for a NULL evaluator; an error belongs to the record: assay_verdict_error.
 * Valid until the evaluator's next call. */
const assay_verdict* assay_evaluator_score(assay_evaluator* evaluator, const char* json, size_t size);

/* Of the last call on the evaluator that returned ASSAY_REJECTED; empty texts when there was none. */
assay_error assay_evaluator_error(const assay_evaluator* evaluator);

/* The record without JSON (Inputs of assay/assay.hpp): values stay until they are set again or reset. Handles are found
 * once; negative: there is no such input. A value that does not fit is the error of the next verdict;
 * ASSAY_INVALID_ARGUMENT: no handle that was found. Texts have to stay where they are until the verdict has been read. */
int32_t assay_evaluator_input(assay_evaluator* evaluator, const char* path);
assay_status assay_evaluator_set_number(assay_evaluator* evaluator, int32_t input, double value);
assay_status assay_evaluator_set_decimal(assay_evaluator* evaluator, int32_t input, int64_t digits, int decimals);
assay_status assay_evaluator_set_text(assay_evaluator* evaluator, int32_t input, const char* text, size_t size);
assay_status assay_evaluator_set_bool(assay_evaluator* evaluator, int32_t input, int truth);
assay_status assay_evaluator_set_texts(assay_evaluator* evaluator, int32_t input, const assay_text* texts,
                                       size_t count);
assay_status assay_evaluator_set_missing(assay_evaluator* evaluator, int32_t input);
assay_status assay_evaluator_reset_inputs(assay_evaluator* evaluator);
const assay_verdict* assay_evaluator_score_inputs(assay_evaluator* evaluator);

/* Texts of the following are valid until the evaluator's next call and end with NUL. */

/* {"ranking": [[ids], ...], "ineligible": [ids]}, best group first. Every record needs an id. */
assay_status assay_evaluator_rank(assay_evaluator* evaluator, const assay_text* records, size_t count,
                                  assay_text* ranking);
/* One request of the protocol (docs/protocol.md), answered by one JSON text, errors among them. */
assay_status assay_evaluator_answer(assay_evaluator* evaluator, const char* request, size_t size, assay_text* answer);
/* In words, each number with where it came from. `name`: that value alone; NULL: all. */
assay_status assay_evaluator_explain(assay_evaluator* evaluator, const char* record, size_t size, const char* name,
                                     assay_text* explanation);
/* An expression over a record: {"value", "type"}; ASSAY_INVALID_RUBRIC: the expression is wrong, and the text holds the
 * diagnostics as the command shows them; ASSAY_REJECTED: the record is. */
assay_status assay_evaluator_evaluate(assay_evaluator* evaluator, const char* expression, size_t expression_size,
                                      const char* record, size_t record_size, assay_text* value);
/* The cohort's outputs over all records scored since the start, a JSON object, or {"error": ...}. */
assay_status assay_evaluator_start_cohort(assay_evaluator* evaluator);
assay_status assay_evaluator_cohort(assay_evaluator* evaluator, assay_text* outputs);

/* ---- verdicts: 1 when the field has such a value, 0 when it is missing, of another kind, or the record was rejected */

int assay_verdict_error(const assay_verdict* verdict, assay_error* error); /* 1: the record was rejected */
int assay_verdict_eligible(const assay_verdict* verdict);
assay_text assay_verdict_id(const assay_verdict* verdict);
assay_text assay_verdict_json(const assay_verdict* verdict); /* the whole verdict, or {"error": ...}; one line */
int assay_verdict_number(const assay_verdict* verdict, const char* field, double* number);
int assay_verdict_boolean(const assay_verdict* verdict, const char* field, int* truth);
int assay_verdict_text(const assay_verdict* verdict, const char* field, assay_text* text);
int assay_verdict_field(const assay_verdict* verdict, const char* field, assay_text* json); /* any field, as JSON */

/* ---- batches: a stream of records, scored on several threads, verdicts in the order of the records */

typedef enum assay_format {
  ASSAY_NDJSON = 0,
  ASSAY_JSON = 1,
  ASSAY_CSV = 2,
  ASSAY_TSV = 3,
  ASSAY_NPY = 4
} assay_format;

typedef struct assay_batch_options {
  size_t size;
  assay_evaluator_options evaluator; /* its own `size` set, too */
  unsigned threads;                  /* 0: as many as the machine runs at once */
} assay_batch_options;

typedef struct assay_stream { /* the callbacks are called by the thread that calls assay_batch_run */
  size_t size;
  void* context;
  assay_format format;
  /* Fills the buffer; the bytes read, 0 at the end, negative for a failure. */
  long (*read)(void* context, char* buffer, size_t size);
  /* Lines of verdicts; 0: nobody wants more. */
  int (*write)(void* context, const char* lines, size_t size);
  /* May be NULL. What is wrong with the record that begins at this line (from 1). */
  void (*rejected)(void* context, uint64_t line, const assay_error* error);
} assay_stream;

typedef struct assay_counts {
  uint64_t records; /* written, rejected ones included */
  uint64_t rejected;
} assay_counts;

assay_status assay_batch_new(const assay_rubric* rubric, const assay_batch_options* options, assay_batch** batch);
assay_status assay_batch_configure(assay_batch* batch, const char* const* contexts, size_t context_count,
                                   const assay_weight* weights, size_t weight_count);
assay_error assay_batch_error(const assay_batch* batch);
/* ASSAY_OK: the stream has ended. `counts` may be NULL. */
assay_status assay_batch_run(assay_batch* batch, const assay_stream* stream, assay_counts* counts);
void assay_batch_free(assay_batch* batch);

/* ---- columns: rows in memory, scored without JSON (assay/columns.hpp says what each member means) */

typedef enum assay_column_type {
  ASSAY_F64 = 0,
  ASSAY_F32 = 1,
  ASSAY_I8 = 2,
  ASSAY_I16 = 3,
  ASSAY_I32 = 4,
  ASSAY_I64 = 5,
  ASSAY_U8 = 6,
  ASSAY_U16 = 7,
  ASSAY_U32 = 8,
  ASSAY_TEXT = 9 /* assay_text */
} assay_column_type;

typedef struct assay_column {
  size_t size;
  const void* data; /* of row 0; read by assay_columns_score only */
  assay_column_type type;
  ptrdiff_t stride; /* bytes from row to row; 0: the size of the type */
  int decimals;     /* of integers: 925 with 2 is 9.25 */
  int has_missing;  /* 1: integers that equal `missing` are missing; 0: those that equal INT64_MIN */
  int64_t missing;
  unsigned shift, bits;     /* of u8, u16 and u32 only `bits` bits from bit `shift`; 0: all */
  const char* const* names; /* integers of a text: k is names[k]; copied */
  size_t name_count;
} assay_column;

typedef struct assay_result_column {
  size_t size;
  void* data; /* of row 0; written by assay_columns_score only */
  assay_column_type type;
  ptrdiff_t stride;
  int decimals;
  int has_missing; /* 0: missing is -1, the largest number of an unsigned type, or NaN */
  int64_t missing;
} assay_result_column;

assay_status assay_columns_new(const assay_rubric* rubric, const assay_evaluator_options* options,
                               assay_columns** columns);
assay_status assay_columns_bind(assay_columns* columns, const char* path, const assay_column* column);
/* A list or set of texts: of each row a count and the items, side by side; items' `stride` is from row to row. */
assay_status assay_columns_bind_list(assay_columns* columns, const char* path, const assay_column* count,
                                     const assay_column* items);
assay_status assay_columns_write(assay_columns* columns, const char* field, const assay_result_column* column);
assay_status assay_columns_configure(assay_columns* columns, const char* const* contexts, size_t context_count,
                                     const assay_weight* weights, size_t weight_count);
/* The texts that a field can have, as a JSON array in the order of the numbers that stand for them. */
assay_status assay_columns_texts(assay_columns* columns, const char* field, assay_text* texts);
/* Rows first ... last - 1. A rejected row gets missing results and an error; the others are scored. */
assay_status assay_columns_score(assay_columns* columns, size_t first, size_t last);
size_t assay_columns_rejected(const assay_columns* columns); /* of the last score */
/* The row and the error of rejected row `index`; 0: there is no such index. */
int assay_columns_rejected_at(const assay_columns* columns, size_t index, size_t* row, assay_error* error);
assay_error assay_columns_error(const assay_columns* columns); /* of the last call that returned ASSAY_REJECTED */
void assay_columns_free(assay_columns* columns);

#ifdef __cplusplus
}
#endif

#endif /* ASSAY_ASSAY_H */
