/* The C interface of the library, for hosts in C and in languages that call C.
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
 * Ownership: an object made by assay_compile, assay_interrupt_new or a function ..._new is freed by the function
 * ..._free of its type; freeing NULL does nothing. Evaluators, batches and columns keep their rubric alive, so it may be
 * freed first. A returned assay_text belongs to the object that returned it and stays valid until the next call on that
 * object, except where a comment grants more.
 * Threads: any number of threads may use a rubric, its diagnostics and an interrupt at once; an evaluator with its
 * verdicts, a batch and a columns object serve one thread at a time.
 * Errors: a function that can fail returns an assay_status; nothing throws, prints, exits or calls longjmp. NULL in
 * place of an object gives ASSAY_INVALID_ARGUMENT or a missing value. Names (fields, paths, limits) end with NUL; texts
 * that may be long come with a size and need no NUL.
 * Options: set `size` of every options struct to its sizeof, and zero the other members for their defaults. A newer
 * library reads only the members that the host was compiled with. */
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
  ASSAY_INVALID_ARGUMENT = 3, /* the call is wrong: a NULL, an unknown name, or an impossible struct size */
  ASSAY_OUT_OF_MEMORY = 4,
  ASSAY_STOPPED = 5,     /* a write callback asked a batch to end */
  ASSAY_READ_FAILED = 6, /* a read callback of a batch failed */
  ASSAY_INTERNAL = 7,    /* a defect of the library */
  ASSAY_INTERRUPTED = 8  /* a batch was cancelled or ran out of time */
} assay_status;

typedef struct assay_text { /* UTF-8; `data` is not NULL and ends with NUL only where a comment says so */
  const char* data;
  size_t size; /* bytes */
} assay_text;

typedef struct assay_error { /* a problem with the data: docs/protocol.md lists the codes */
  assay_text path;           /* "components[2].severity"; empty: the problem concerns the record as a whole */
  assay_text code;           /* "range" */
  assay_text message;        /* one sentence */
} assay_error;

const char* assay_version(void);                    /* "0.1.0"; static */
int assay_abi_version(void);                        /* ASSAY_ABI_VERSION of the library */
const char* assay_status_text(assay_status status); /* "the rubric is invalid"; static */

/* ---- ending work early (assay/interrupt.hpp). Options refer to it; it must outlive the work that it controls. */

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

/* Gives the name of limit `index`, its meaning, default and largest value; returns 0 if there is no such index. Texts
 * are static and end with NUL. Any pointer may be NULL. */
int assay_limit_info(size_t index, assay_text* name, assay_text* meaning, uint64_t* value, uint64_t* most);

/* ---- compiling */

/* Reads a file that a rubric imports. `path` is what the rubric wrote, `from` the name of the importing file. Calls
 * assay_import_found once, or returns without calling it if there is no such file. The texts may be freed afterwards.
 * */
typedef struct assay_import assay_import;
typedef void (*assay_importer)(void* context, assay_text path, assay_text from, assay_import* import);
/* `name`: the name of the file in diagnostics and in its own imports. */
void assay_import_found(assay_import* import, const char* name, const char* text, size_t size);

/* A function of the host that implements a hook. `arguments` is a JSON array, with null for missing values. Calls
 * assay_hook_return once with a JSON value (null: missing), or assay_hook_fail with a message. Every evaluating thread
 * may call it. */
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

/* Diagnostics and relative imports use `name`. On ASSAY_OK *rubric is set. `options` and `diagnostics` may be NULL;
 * otherwise *diagnostics is set on ASSAY_OK (warnings) and on ASSAY_INVALID_RUBRIC. */
assay_status assay_compile(const char* name, const char* text, size_t size, const assay_compile_options* options,
                           assay_rubric** rubric, assay_diagnostics** diagnostics);

typedef struct assay_diagnostic { /* texts live as long as the diagnostics */
  int is_error;                   /* 0: a warning */
  assay_text code, message, label, help;
  assay_text file;
  int line, column, length; /* from 1; columns and lengths count characters; line 0: no location */
} assay_diagnostic;

size_t assay_diagnostics_count(const assay_diagnostics* diagnostics);
/* Returns 0 if there is no such index. */
int assay_diagnostics_at(const assay_diagnostics* diagnostics, size_t index, assay_diagnostic* diagnostic);
/* The text that the command prints, with carets; ends with a newline and NUL; lives as long as the diagnostics. */
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

/* A text computed by one call. It lives as long as the answer and ends with NUL. */
assay_text assay_answer_text(const assay_answer* answer);
void assay_answer_free(assay_answer* answer);
/* Runs the `example` blocks: [{"name", "passed", "file", "line", "differences": [...]}]. */
assay_status assay_rubric_test(const assay_rubric* rubric, assay_answer** answer);
/* The differences: [{"kind", "effect", "what", "part", "before", "after"}], as in assay/diff.hpp. */
assay_status assay_rubric_differences(const assay_rubric* before, const assay_rubric* after, assay_answer** answer);
/* The text form of a stage of the compilation, for comparing versions: "ast", "model", "bytecode" or "kernel". */
assay_status assay_rubric_show(const assay_rubric* rubric, const char* view, assay_answer** answer);

/* ---- evaluators */

typedef struct assay_evaluator_options {
  size_t size;
  const char* const* fields; /* top-level keys of the verdict to compute; NULL: all */
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

/* Sets the contexts and weights for later calls. After ASSAY_REJECTED the earlier settings stay in force. */
assay_status assay_evaluator_configure(assay_evaluator* evaluator, const char* const* contexts, size_t context_count,
                                       const assay_weight* weights, size_t weight_count);
/* Earlier records of the same subject, oldest first, each a JSON object; they are copied. */
assay_status assay_evaluator_set_history(assay_evaluator* evaluator, const assay_text* records, size_t count);

/* Scores one record, a JSON object. Returns NULL only for a NULL evaluator; assay_verdict_error tells whether the
 * record was rejected. Valid until the evaluator's next call. */
const assay_verdict* assay_evaluator_score(assay_evaluator* evaluator, const char* json, size_t size);

/* The error of the last call on the evaluator that returned ASSAY_REJECTED; empty texts if there was no such call. */
assay_error assay_evaluator_error(const assay_evaluator* evaluator);

/* A record given value by value (Inputs of assay/assay.hpp): values stay set until they are set again or reset. Look
 * the handles up once; a negative handle: no such input. An invalid value becomes the error of the next verdict; an
 * invalid handle gives ASSAY_INVALID_ARGUMENT. Texts must stay valid until the verdict has been read. */
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

/* The texts of these functions are valid until the evaluator's next call and end with NUL. */
/* {"ranking": [[ids], ...], "ineligible": [ids]}, best group first. Every record needs an id. */
assay_status assay_evaluator_rank(assay_evaluator* evaluator, const assay_text* records, size_t count,
                                  assay_text* ranking);
/* Answers one request of the protocol (docs/protocol.md) with one JSON text; errors are answers, too. */
assay_status assay_evaluator_answer(assay_evaluator* evaluator, const char* request, size_t size, assay_text* answer);
/* Explains in words where each number comes from. `name`: explains that value alone; NULL: all values. */
assay_status assay_evaluator_explain(assay_evaluator* evaluator, const char* record, size_t size, const char* name,
                                     assay_text* explanation);
/* Evaluates an expression over a record: {"value", "type"}. ASSAY_INVALID_RUBRIC: the expression is invalid, and the
 * text holds the diagnostics as the command prints them; ASSAY_REJECTED: the record is invalid. */
assay_status assay_evaluator_evaluate(assay_evaluator* evaluator, const char* expression, size_t expression_size,
                                      const char* record, size_t record_size, assay_text* value);
/* The cohort's outputs over all records scored since the start: a JSON object, or {"error": ...}. */
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

typedef struct assay_stream { /* the thread that calls assay_batch_run calls these functions */
  size_t size;
  void* context;
  assay_format format;
  /* Fills the buffer and returns the bytes read; 0 at the end, negative after a failure. */
  long (*read)(void* context, char* buffer, size_t size);
  /* Takes lines of verdicts; returns 0 to end the run. */
  int (*write)(void* context, const char* lines, size_t size);
  /* May be NULL. Receives the error of the record that begins at this line (from 1). */
  void (*rejected)(void* context, uint64_t line, const assay_error* error);
} assay_stream;

typedef struct assay_counts {
  uint64_t records; /* records with a verdict or an error */
  uint64_t rejected;
} assay_counts;

assay_status assay_batch_new(const assay_rubric* rubric, const assay_batch_options* options, assay_batch** batch);
assay_status assay_batch_configure(assay_batch* batch, const char* const* contexts, size_t context_count,
                                   const assay_weight* weights, size_t weight_count);
assay_error assay_batch_error(const assay_batch* batch);
/* ASSAY_OK: the stream has ended. `counts` may be NULL. */
assay_status assay_batch_run(assay_batch* batch, const assay_stream* stream, assay_counts* counts);
void assay_batch_free(assay_batch* batch);

/* ---- columns: rows in memory, scored without JSON (assay/columns.hpp explains each member) */

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
  const void* data; /* of row 0; only assay_columns_score reads it */
  assay_column_type type;
  ptrdiff_t stride; /* bytes from row to row; 0: the size of the type */
  int decimals;     /* of integers: 925 with 2 is 9.25 */
  int has_missing;  /* 1: integers that equal `missing` are missing; 0: those that equal INT64_MIN */
  int64_t missing;
  unsigned shift, bits;     /* u8, u16 and u32: use only `bits` bits from bit `shift`; 0: all */
  const char* const* names; /* integers that encode a text: k means names[k]; copied */
  size_t name_count;
} assay_column;

typedef struct assay_result_column {
  size_t size;
  void* data; /* of row 0; only assay_columns_score writes it */
  assay_column_type type;
  ptrdiff_t stride;
  int decimals;
  int has_missing; /* 0: missing is written as -1, the largest unsigned number, or NaN */
  int64_t missing;
} assay_result_column;

assay_status assay_columns_new(const assay_rubric* rubric, const assay_evaluator_options* options,
                               assay_columns** columns);
assay_status assay_columns_bind(assay_columns* columns, const char* path, const assay_column* column);
/* A list or set of texts: each row has a count and adjacent items; items' `stride` is the distance between rows. */
assay_status assay_columns_bind_list(assay_columns* columns, const char* path, const assay_column* count,
                                     const assay_column* items);
assay_status assay_columns_write(assay_columns* columns, const char* field, const assay_result_column* column);
assay_status assay_columns_configure(assay_columns* columns, const char* const* contexts, size_t context_count,
                                     const assay_weight* weights, size_t weight_count);
/* The texts that a field can have, as a JSON array; a result column holds positions in it. */
assay_status assay_columns_texts(assay_columns* columns, const char* field, assay_text* texts);
/* Scores the rows first ... last - 1. A rejected row gets missing results and an error; the others are scored. */
assay_status assay_columns_score(assay_columns* columns, size_t first, size_t last);
size_t assay_columns_rejected(const assay_columns* columns); /* in the last assay_columns_score */
/* The row and error of rejected row number `index`; returns 0 if there is no such index. */
int assay_columns_rejected_at(const assay_columns* columns, size_t index, size_t* row, assay_error* error);
assay_error assay_columns_error(const assay_columns* columns); /* of the last call that returned ASSAY_REJECTED */
void assay_columns_free(assay_columns* columns);

#ifdef __cplusplus
}
#endif

#endif /* ASSAY_ASSAY_H */
