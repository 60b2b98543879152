/* A host in C. `host RUBRIC` tries every part of <assay/assay.h> with the judge rubric; `host eval RUBRIC` answers the
 * requests on standard input, one a line, as the command does. */
#include <assay/assay.h>
#include <assay/authoring.h>
#include <assay/cohort.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

static char* read_all(FILE* file, size_t* size) {
  size_t room = 1 << 16;
  char* text = malloc(room);
  *size = 0;
  while (text != NULL) {
    *size += fread(text + *size, 1, room - *size, file);
    if (*size < room) return text;
    room *= 2;
    char* more = realloc(text, room);
    if (more == NULL) free(text);
    text = more;
  }
  fputs("out of memory\n", stderr);
  exit(2);
}

static char* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return NULL;
  char* text = read_all(file, size);
  fclose(file);
  return text;
}

/* Files beside the one that names them. */
static void import_file(void* context, assay_text path, assay_text from, assay_import* import) {
  char name[4096];
  size_t folder = from.size;
  (void)context;
  while (folder > 0 && from.data[folder - 1] != '/') --folder;
  if (folder + path.size >= sizeof name) return;
  memcpy(name, from.data, folder);
  memcpy(name + folder, path.data, path.size);
  name[folder + path.size] = 0;
  size_t size = 0;
  char* text = read_file(name, &size);
  if (text == NULL) return;
  assay_import_found(import, name, text, size);
  free(text);
}

static assay_rubric* compile_file(const char* path) {
  size_t size = 0;
  char* text = read_file(path, &size);
  if (text == NULL) {
    fprintf(stderr, "%s cannot be read\n", path);
    exit(2);
  }
  assay_compile_options options = {0};
  options.size = sizeof options;
  options.importer = import_file;
  assay_rubric* rubric = NULL;
  assay_diagnostics* diagnostics = NULL;
  const assay_status status = assay_compile(path, text, size, &options, &rubric, &diagnostics);
  free(text);
  if (status != ASSAY_OK) {
    fputs(assay_diagnostics_render(diagnostics).data, stderr);
    exit(1);
  }
  assay_diagnostics_free(diagnostics);
  return rubric;
}

static int answer_requests(const char* path) {
  assay_rubric* rubric = compile_file(path);
  assay_evaluator* evaluator = NULL;
  CHECK(assay_evaluator_new(rubric, NULL, &evaluator) == ASSAY_OK);
  assay_rubric_free(rubric);
  size_t size = 0;
  char* requests = read_all(stdin, &size);
  for (char* line = requests; line < requests + size;) {
    char* end = memchr(line, '\n', (size_t)(requests + size - line));
    if (end == NULL) end = requests + size;
    assay_text answer;
    CHECK(assay_evaluator_answer(evaluator, line, (size_t)(end - line), &answer) == ASSAY_OK);
    fwrite(answer.data, 1, answer.size, stdout);
    putchar('\n');
    line = end + 1;
  }
  free(requests);
  assay_evaluator_free(evaluator);
  return 0;
}

static int same(assay_text text, const char* expected) {
  return text.size == strlen(expected) && memcmp(text.data, expected, text.size) == 0;
}

#define NINES                                                                                            \
  "\"correctness\": 9, \"completeness\": 9, \"adherence\": 9, \"actionability\": 9, \"efficiency\": 9, " \
  "\"safety\": 9, \"consistency\": 9}"
static const char kGood[] = "{\"id\": \"a\", " NINES;
static const char kBad[] = "{\"id\": \"b\", \"correctness\": 11}";

static void try_texts(assay_rubric* rubric) {
  CHECK(same(assay_rubric_name(rubric), "judge"));
  CHECK(assay_rubric_scoring_hash(rubric).size == 16);
  CHECK(strstr(assay_rubric_describe(rubric).data, "\"name\":\"correctness\"") != NULL);
  assay_answer* answer = NULL;
  CHECK(assay_rubric_test(rubric, &answer) == ASSAY_OK);
  CHECK(strstr(assay_answer_text(answer).data, "\"passed\":false") == NULL);
  assay_answer_free(answer);
  CHECK(assay_rubric_differences(rubric, rubric, &answer) == ASSAY_OK && same(assay_answer_text(answer), "[]"));
  assay_answer_free(answer);
  CHECK(assay_rubric_show(rubric, "bytecode", &answer) == ASSAY_OK && assay_answer_text(answer).size > 0);
  assay_answer_free(answer);
  CHECK(assay_rubric_show(rubric, "nothing", &answer) == ASSAY_INVALID_ARGUMENT);
}

static void try_authoring(const assay_rubric* rubric) {
  assay_answer *answer = NULL, *missing = NULL;
  CHECK(assay_rubric_schema(rubric, NULL, &answer, &missing) == ASSAY_OK);
  CHECK(strstr(assay_answer_text(answer).data, "\"red_flags\": {") != NULL);
  CHECK(assay_answer_text(missing).data[0] == '[');
  assay_answer_free(answer);
  assay_answer_free(missing);
  const char* const only[] = {"correctness"};
  assay_schema_options options = {0};
  options.size = sizeof options;
  options.judged = options.strict_subset = 1;
  options.only = only;
  options.only_count = 1;
  CHECK(assay_rubric_schema(rubric, &options, &answer, NULL) == ASSAY_OK);
  CHECK(strstr(assay_answer_text(answer).data, "\"correctness\"") != NULL);
  CHECK(strstr(assay_answer_text(answer).data, "\"safety\"") == NULL);
  assay_answer_free(answer);
  const char* const unknown[] = {"nothing"};
  options.judged_too = unknown;
  options.judged_too_count = 1;
  CHECK(assay_rubric_schema(rubric, &options, &answer, &missing) == ASSAY_REJECTED && missing == NULL);
  CHECK(strstr(assay_answer_text(answer).data, "'nothing'") != NULL);
  assay_answer_free(answer);
  options.judged_too = NULL;
  CHECK(assay_rubric_schema(rubric, &options, &answer, NULL) == ASSAY_INVALID_ARGUMENT && answer == NULL);

  assay_prompt_options prompt = {0};
  prompt.size = sizeof prompt;
  prompt.dimension = "safety";
  CHECK(assay_rubric_prompt(rubric, &prompt, &answer) == ASSAY_OK);
  CHECK(strstr(assay_answer_text(answer).data, "### safety") != NULL);
  CHECK(strstr(assay_answer_text(answer).data, "### correctness") == NULL);
  assay_answer_free(answer);
  prompt.dimension = NULL;
  prompt.frame = "{\"no_such_sentence\": \"x\"}";
  CHECK(assay_rubric_prompt(rubric, &prompt, &answer) == ASSAY_REJECTED);
  CHECK(strstr(assay_answer_text(answer).data, "no_such_sentence") != NULL);
  assay_answer_free(answer);
  CHECK(assay_prompt_frame(&answer) == ASSAY_OK && assay_answer_text(answer).data[0] == '{');
  assay_answer_free(answer);
}

static void try_records(const assay_rubric* rubric) {
  assay_evaluator* evaluator = NULL;
  CHECK(assay_evaluator_new(rubric, NULL, &evaluator) == ASSAY_OK);
  const assay_verdict* verdict = assay_evaluator_score(evaluator, kGood, strlen(kGood));
  assay_error error;
  double score = 0;
  assay_text grade;
  int truth = 0;
  CHECK(!assay_verdict_error(verdict, &error) && assay_verdict_eligible(verdict));
  CHECK(same(assay_verdict_id(verdict), "a"));
  CHECK(assay_verdict_number(verdict, "score", &score) && score == 9);
  CHECK(assay_verdict_text(verdict, "grade", &grade) && same(grade, "A"));
  CHECK(!assay_verdict_number(verdict, "grade", &score) && !assay_verdict_boolean(verdict, "nothing", &truth));
  CHECK(assay_verdict_json(verdict).size > 0);

  verdict = assay_evaluator_score(evaluator, kBad, strlen(kBad));
  CHECK(assay_verdict_error(verdict, &error) && same(error.path, "correctness") && same(error.code, "range"));
  CHECK(!assay_verdict_number(verdict, "score", &score));

  const char* names[] = {"correctness", "completeness", "adherence",  "actionability",
                         "efficiency",  "safety",       "consistency"};
  CHECK(assay_evaluator_input(evaluator, "nothing") < 0);
  CHECK(assay_evaluator_set_number(evaluator, 0, 1) == ASSAY_INVALID_ARGUMENT); /* no handle was found yet */
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const int32_t input = assay_evaluator_input(evaluator, names[i]);
    CHECK(input >= 0 && assay_evaluator_set_decimal(evaluator, input, 85, 1) == ASSAY_OK);
  }
  verdict = assay_evaluator_score_inputs(evaluator);
  CHECK(assay_verdict_number(verdict, "score", &score) && score == 8.5);

  const assay_text records[] = {{kGood, sizeof kGood - 1}, {"{\"id\": \"c\", " NINES, sizeof kGood - 1}};
  assay_text text;
  CHECK(assay_evaluator_rank(evaluator, records, 2, &text) == ASSAY_OK && strstr(text.data, "\"a\"") != NULL);
  CHECK(assay_evaluator_explain(evaluator, kGood, strlen(kGood), NULL, &text) == ASSAY_OK && text.size > 0);
  CHECK(assay_evaluator_explain(evaluator, kGood, strlen(kGood), "nothing", &text) == ASSAY_REJECTED);
  CHECK(assay_evaluator_evaluate(evaluator, "correctness / 4", 15, kGood, strlen(kGood), &text) == ASSAY_OK);
  CHECK(strstr(text.data, "2.25") != NULL);
  CHECK(assay_evaluator_evaluate(evaluator, "correctness +", 13, kGood, strlen(kGood), &text) == ASSAY_INVALID_RUBRIC);
  const assay_weight weight = {"nothing", "1"};
  CHECK(assay_evaluator_configure(evaluator, NULL, 0, &weight, 1) == ASSAY_REJECTED);
  CHECK(assay_evaluator_error(evaluator).message.size > 0);
  CHECK(assay_evaluator_score(NULL, "", 0) == NULL && assay_verdict_error(NULL, NULL) == 1);
  assay_evaluator_free(evaluator);

  const char* fields[] = {"nothing"};
  assay_evaluator_options options = {0};
  options.size = sizeof options;
  options.fields = fields;
  options.field_count = 1;
  CHECK(assay_evaluator_new(rubric, &options, &evaluator) == ASSAY_INVALID_ARGUMENT && evaluator == NULL);
  options.size = 1;
  CHECK(assay_evaluator_new(rubric, &options, &evaluator) == ASSAY_INVALID_ARGUMENT);
}

static assay_evaluator* interruptible(const assay_rubric* rubric, assay_interrupt* interrupt) {
  assay_evaluator_options options = {0};
  options.size = sizeof options;
  options.interrupt = interrupt;
  assay_evaluator* evaluator = NULL;
  CHECK(assay_evaluator_new(rubric, &options, &evaluator) == ASSAY_OK);
  return evaluator;
}

/* A hook that cancels the evaluation that calls it. */
static void cancel_from_within(void* context, assay_text arguments, assay_hook_call* call) {
  (void)arguments;
  assay_interrupt_cancel(context);
  assay_hook_return(call, "1", 1);
}

static void try_cancellation_within(void) {
  static const char kLong[] =
      "rubric r { hook f(x: number): number from \"host:f\"\n"
      "  output n = f(1) + count(1 for a in 1..7000 for b in 1..7000) }";
  assay_interrupt* interrupt = assay_interrupt_new();
  const assay_hook hook = {"f", cancel_from_within, interrupt};
  assay_compile_options compiling = {0};
  compiling.size = sizeof compiling;
  compiling.hooks = &hook;
  compiling.hook_count = 1;
  assay_rubric* rubric = NULL;
  CHECK(assay_compile("long.rubric", kLong, strlen(kLong), &compiling, &rubric, NULL) == ASSAY_OK);
  assay_evaluator* evaluator = interruptible(rubric, interrupt);
  assay_error error;
  CHECK(assay_verdict_error(assay_evaluator_score(evaluator, "{}", 2), &error));
  CHECK(same(error.code, "cancelled")); /* and not "limit", which its loop would reach */
  assay_evaluator_free(evaluator);
  assay_rubric_free(rubric);
  assay_interrupt_free(interrupt);
}

static void try_interrupt(const assay_rubric* rubric) {
  assay_interrupt* interrupt = assay_interrupt_new();
  assay_evaluator* evaluator = interruptible(rubric, interrupt);
  assay_error error;
  assay_interrupt_cancel(interrupt);
  CHECK(assay_verdict_error(assay_evaluator_score(evaluator, kGood, strlen(kGood)), &error));
  CHECK(same(error.code, "cancelled"));
  assay_interrupt_clear(interrupt);
  assay_interrupt_set_timeout(interrupt, -1);
  CHECK(assay_verdict_error(assay_evaluator_score(evaluator, kGood, strlen(kGood)), &error));
  CHECK(same(error.code, "timeout"));
  assay_interrupt_clear(interrupt);
  CHECK(!assay_verdict_error(assay_evaluator_score(evaluator, kGood, strlen(kGood)), &error));
  assay_evaluator_free(evaluator);
  assay_interrupt_free(interrupt);
}

/* A stream in memory. */
struct memory {
  const char* text;
  size_t at, size;
  char written[4096];
  size_t length;
  uint64_t rejected_line;
};

static long read_memory(void* context, char* buffer, size_t size) {
  struct memory* memory = context;
  const size_t left = memory->size - memory->at;
  const size_t count = left < size ? left : size;
  memcpy(buffer, memory->text + memory->at, count);
  memory->at += count;
  return (long)count;
}

static int write_memory(void* context, const char* lines, size_t size) {
  struct memory* memory = context;
  if (memory->length + size > sizeof memory->written) return 0;
  memcpy(memory->written + memory->length, lines, size);
  memory->length += size;
  return 1;
}

static void rejected(void* context, uint64_t line, const assay_error* error) {
  struct memory* memory = context;
  memory->rejected_line = line;
  CHECK(same(error->path, "correctness"));
}

static void try_stream(const assay_rubric* rubric) {
  const char* fields[] = {"id", "score"};
  char text[1024];
  snprintf(text, sizeof text, "%s\n%s\n%s\n", kGood, kBad, kGood);
  struct memory memory = {0};
  memory.text = text;
  memory.size = strlen(text);
  assay_batch_options options = {0};
  options.size = sizeof options;
  options.evaluator.size = sizeof options.evaluator;
  options.evaluator.fields = fields;
  options.evaluator.field_count = 2;
  assay_batch* batch = NULL;
  CHECK(assay_batch_new(rubric, &options, &batch) == ASSAY_OK);
  assay_stream stream = {0};
  stream.size = sizeof stream;
  stream.context = &memory;
  stream.read = read_memory;
  stream.write = write_memory;
  stream.rejected = rejected;
  assay_counts counts;
  CHECK(assay_batch_run(batch, &stream, &counts) == ASSAY_OK);
  CHECK(counts.records == 3 && counts.rejected == 1 && memory.rejected_line == 2);
  CHECK(strncmp(memory.written, "{\"id\":\"a\",\"score\":9}\n{\"error\":", 30) == 0);
  stream.read = NULL;
  CHECK(assay_batch_run(batch, &stream, &counts) == ASSAY_INVALID_ARGUMENT);
  assay_batch_free(batch);
}

static void try_columns(const assay_rubric* rubric) {
  enum { kRows = 3 };
  const char* names[] = {"correctness", "completeness", "adherence",  "actionability",
                         "efficiency",  "safety",       "consistency"};
  const double ratings[kRows] = {9, 11, 8.5};
  assay_text flags[kRows][2] = {{{"x", 1}, {"y", 1}}, {{NULL, 0}, {NULL, 0}}, {{NULL, 0}, {NULL, 0}}};
  const uint8_t flag_counts[kRows] = {0, 0, 0};
  double scores[kRows] = {0};
  assay_columns* columns = NULL;
  CHECK(assay_columns_new(rubric, NULL, &columns) == ASSAY_OK);
  assay_column column = {0};
  column.size = sizeof column;
  column.data = ratings;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    CHECK(assay_columns_bind(columns, names[i], &column) == ASSAY_OK);
  CHECK(assay_columns_bind(columns, "nothing", &column) == ASSAY_REJECTED &&
        assay_columns_error(columns).message.size > 0);
  assay_column count = {0}, items = {0};
  count.size = sizeof count;
  count.data = flag_counts;
  count.type = ASSAY_U8;
  items.size = sizeof items;
  items.data = flags;
  items.type = ASSAY_TEXT;
  items.stride = sizeof flags[0];
  CHECK(assay_columns_bind_list(columns, "red_flags", &count, &items) == ASSAY_OK);
  assay_result_column result = {0};
  result.size = sizeof result;
  result.data = scores;
  CHECK(assay_columns_write(columns, "score", &result) == ASSAY_OK);
  CHECK(assay_columns_score(columns, 0, kRows) == ASSAY_OK);
  CHECK(scores[0] == 9 && scores[1] != scores[1] && scores[2] == 8.5);
  size_t row = 0;
  assay_error error;
  CHECK(assay_columns_rejected(columns) == 1 && assay_columns_rejected_at(columns, 0, &row, &error) && row == 1);
  CHECK(!assay_columns_rejected_at(columns, 1, &row, &error));
  assay_text texts;
  CHECK(assay_columns_texts(columns, "grade", &texts) == ASSAY_OK && strstr(texts.data, "\"A\"") != NULL);
  assay_columns_free(columns);
}

static void twice(void* context, assay_text arguments, assay_hook_call* call) {
  CHECK(*(int*)context == 7);
  if (same(arguments, "[2]")) assay_hook_return(call, "4", 1);
  else assay_hook_fail(call, "not two");
}

static void try_hooks_and_limits(void) {
  static const char kRubric[] =
      "rubric hooked \"Hooked\" {\n  input a: number\n  hook twice(x: number): number from \"host:twice\"\n"
      "  output b = twice(a)\n}\n";
  int seven = 7;
  const assay_hook hook = {"twice", twice, &seven};
  assay_limit limit = {"steps", 1000};
  assay_compile_options options = {0};
  options.size = sizeof options;
  options.hooks = &hook;
  options.hook_count = 1;
  options.limits = &limit;
  options.limit_count = 1;
  assay_rubric* rubric = NULL;
  assay_diagnostics* diagnostics = NULL;
  CHECK(assay_compile("hooked.rubric", kRubric, sizeof kRubric - 1, &options, &rubric, &diagnostics) == ASSAY_OK);
  assay_diagnostics_free(diagnostics);
  assay_evaluator* evaluator = NULL;
  CHECK(assay_evaluator_new(rubric, NULL, &evaluator) == ASSAY_OK);
  double b = 0;
  assay_error error;
  CHECK(assay_verdict_number(assay_evaluator_score(evaluator, "{\"a\": 2}", 8), "b", &b) && b == 4);
  CHECK(assay_verdict_error(assay_evaluator_score(evaluator, "{\"a\": 3}", 8), &error) && same(error.code, "hook"));
  assay_evaluator_free(evaluator);
  assay_rubric_free(rubric);

  limit.name = "nothing";
  CHECK(assay_compile("hooked.rubric", kRubric, sizeof kRubric - 1, &options, &rubric, NULL) == ASSAY_INVALID_ARGUMENT);
  CHECK(assay_compile("x", "rubric {", 8, NULL, &rubric, &diagnostics) == ASSAY_INVALID_RUBRIC && rubric == NULL);
  assay_diagnostic diagnostic;
  CHECK(assay_diagnostics_count(diagnostics) > 0 && assay_diagnostics_at(diagnostics, 0, &diagnostic));
  CHECK(diagnostic.is_error && diagnostic.line == 1 && diagnostic.code.data[0] == 'E');
  assay_diagnostics_free(diagnostics);
  assay_text name;
  uint64_t value = 0;
  CHECK(assay_limit_info(0, &name, NULL, &value, NULL) && value > 0 &&
        !assay_limit_info(1000, &name, NULL, NULL, NULL));
}

static assay_cohort* part_of(const assay_rubric* rubric, const char* const* records, size_t count) {
  assay_evaluator* evaluator = NULL;
  assay_cohort* cohort = NULL;
  CHECK(assay_evaluator_new(rubric, NULL, &evaluator) == ASSAY_OK);
  CHECK(assay_evaluator_start_cohort_at(evaluator, ASSAY_UNORDERED) == ASSAY_OK);
  for (size_t i = 0; i < count; ++i) assay_evaluator_score(evaluator, records[i], strlen(records[i]));
  CHECK(assay_cohort_new(rubric, NULL, 0, &cohort) == ASSAY_OK);
  CHECK(assay_evaluator_collect(evaluator, cohort) == ASSAY_OK);
  assay_evaluator_free(evaluator);
  return cohort;
}

static void try_cohorts(void) {
  static const char kRubric[] =
      "rubric run { input x: number output y = x rank by higher y\n"
      "  cohort { output most = max(r.y for r in records) each output place each output share = y / most } }\n";
  static const char* const kRecords[] = {"{\"id\": \"a\", \"x\": 4}", "{\"id\": \"b\"}", "{\"id\": \"c\", \"x\": 1}"};
  assay_rubric* rubric = NULL;
  CHECK(assay_compile("run.rubric", kRubric, sizeof kRubric - 1, NULL, &rubric, NULL) == ASSAY_OK);
  assay_cohort* whole = part_of(rubric, kRecords, 3);
  assay_cohort* last = part_of(rubric, kRecords + 2, 1);
  assay_cohort* first = part_of(rubric, kRecords, 2);
  assay_text expected, bytes;
  CHECK(assay_cohort_save(first, &bytes) == ASSAY_OK);
  CHECK(assay_cohort_merge_saved(last, bytes.data, bytes.size) == ASSAY_OK);
  CHECK(assay_cohort_verdicts(last) == 2 && assay_cohort_rejected(last) == 1);
  CHECK(assay_cohort_save(whole, &expected) == ASSAY_OK && assay_cohort_save(last, &bytes) == ASSAY_OK);
  CHECK(expected.size == bytes.size && memcmp(expected.data, bytes.data, bytes.size) == 0);
  CHECK(assay_cohort_merge_saved(last, "nothing", 7) == ASSAY_REJECTED && assay_cohort_error(last).message.size > 0);
  assay_frozen_cohort* frozen = NULL;
  CHECK(assay_cohort_freeze(last, NULL, &frozen) == ASSAY_OK);
  CHECK(same(assay_frozen_cohort_outputs(frozen), "{\"most\":4}") && assay_frozen_cohort_hash(frozen).size == 16);
  assay_evaluator* evaluator = NULL;
  CHECK(assay_evaluator_new(rubric, NULL, &evaluator) == ASSAY_OK);
  const assay_text saved = assay_frozen_cohort_save(frozen);
  CHECK(assay_evaluator_set_saved_cohort(evaluator, saved.data, saved.size) == ASSAY_OK);
  CHECK(assay_evaluator_set_cohort(evaluator, frozen) == ASSAY_OK);
  CHECK(assay_evaluator_set_saved_cohort(evaluator, saved.data, saved.size / 2) == ASSAY_REJECTED);
  double place = 0, share = 0;
  const assay_verdict* verdict = assay_evaluator_score(evaluator, kRecords[2], strlen(kRecords[2]));
  CHECK(assay_verdict_number(verdict, "place", &place) && place == 2);
  CHECK(assay_verdict_number(verdict, "share", &share) && share == 0.25);
  assay_evaluator_free(evaluator);
  assay_frozen_cohort_free(frozen);
  assay_cohort_free(first);
  assay_cohort_free(last);
  assay_cohort_free(whole);
  assay_rubric_free(rubric);
}

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "eval") == 0) return answer_requests(argv[2]);
  if (argc != 2) return 2;
  CHECK(assay_abi_version() == ASSAY_ABI_VERSION);
  assay_rubric* rubric = compile_file(argv[1]);
  try_texts(rubric);
  try_authoring(rubric);
  try_records(rubric);
  try_interrupt(rubric);
  try_cancellation_within();
  try_stream(rubric);
  try_columns(rubric);
  try_hooks_and_limits();
  try_cohorts();
  assay_rubric* shared = assay_rubric_share(rubric);
  assay_rubric_free(rubric);
  printf("assay %s: %s, in C\n", assay_version(), assay_rubric_name(shared).data);
  assay_rubric_free(shared);
  return 0;
}
