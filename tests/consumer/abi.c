/* Prints the layout of the structs of <assay/assay.h>: what a host that was compiled with this header relies on. */
#include <assay/arrow.h>
#include <assay/assay.h>
#include <assay/authoring.h>
#include <assay/cohort.h>

#include <stdio.h>

#define STRUCT(name) printf("%s: %zu bytes\n", #name, sizeof(name))
#define MEMBER(type, member) printf("%s.%s at %zu\n", #type, #member, offsetof(type, member))

int main(void) {
  printf("version %d\n", ASSAY_ABI_VERSION);
  STRUCT(assay_text);
  MEMBER(assay_text, data);
  MEMBER(assay_text, size);
  STRUCT(assay_error);
  MEMBER(assay_error, path);
  MEMBER(assay_error, code);
  MEMBER(assay_error, message);
  STRUCT(assay_limit);
  MEMBER(assay_limit, name);
  MEMBER(assay_limit, value);
  STRUCT(assay_hook);
  MEMBER(assay_hook, name);
  MEMBER(assay_hook, function);
  MEMBER(assay_hook, context);
  STRUCT(assay_compile_options);
  MEMBER(assay_compile_options, importer);
  MEMBER(assay_compile_options, importer_context);
  MEMBER(assay_compile_options, limits);
  MEMBER(assay_compile_options, limit_count);
  MEMBER(assay_compile_options, without_lua);
  MEMBER(assay_compile_options, hooks);
  MEMBER(assay_compile_options, hook_count);
  MEMBER(assay_compile_options, interrupt);
  STRUCT(assay_diagnostic);
  MEMBER(assay_diagnostic, is_error);
  MEMBER(assay_diagnostic, code);
  MEMBER(assay_diagnostic, message);
  MEMBER(assay_diagnostic, label);
  MEMBER(assay_diagnostic, help);
  MEMBER(assay_diagnostic, file);
  MEMBER(assay_diagnostic, line);
  MEMBER(assay_diagnostic, column);
  MEMBER(assay_diagnostic, length);
  STRUCT(assay_evaluator_options);
  MEMBER(assay_evaluator_options, fields);
  MEMBER(assay_evaluator_options, field_count);
  MEMBER(assay_evaluator_options, limits);
  MEMBER(assay_evaluator_options, limit_count);
  MEMBER(assay_evaluator_options, without_machine_code);
  MEMBER(assay_evaluator_options, strict);
  MEMBER(assay_evaluator_options, interrupt);
  STRUCT(assay_weight);
  MEMBER(assay_weight, name);
  MEMBER(assay_weight, value);
  STRUCT(assay_batch_options);
  MEMBER(assay_batch_options, evaluator);
  MEMBER(assay_batch_options, threads);
  STRUCT(assay_stream);
  MEMBER(assay_stream, context);
  MEMBER(assay_stream, format);
  MEMBER(assay_stream, read);
  MEMBER(assay_stream, write);
  MEMBER(assay_stream, rejected);
  STRUCT(assay_counts);
  MEMBER(assay_counts, records);
  MEMBER(assay_counts, rejected);
  STRUCT(assay_column);
  MEMBER(assay_column, data);
  MEMBER(assay_column, type);
  MEMBER(assay_column, stride);
  MEMBER(assay_column, decimals);
  MEMBER(assay_column, has_missing);
  MEMBER(assay_column, missing);
  MEMBER(assay_column, shift);
  MEMBER(assay_column, bits);
  MEMBER(assay_column, names);
  MEMBER(assay_column, name_count);
  STRUCT(assay_result_column);
  MEMBER(assay_result_column, data);
  MEMBER(assay_result_column, type);
  MEMBER(assay_result_column, stride);
  MEMBER(assay_result_column, decimals);
  MEMBER(assay_result_column, has_missing);
  MEMBER(assay_result_column, missing);
  STRUCT(assay_arrow_options);
  MEMBER(assay_arrow_options, evaluator);
  MEMBER(assay_arrow_options, result);
  MEMBER(assay_arrow_options, decimals);
  MEMBER(assay_arrow_options, threads);
  STRUCT(assay_schema_options);
  MEMBER(assay_schema_options, verdict);
  MEMBER(assay_schema_options, judged);
  MEMBER(assay_schema_options, judged_too);
  MEMBER(assay_schema_options, judged_too_count);
  MEMBER(assay_schema_options, only);
  MEMBER(assay_schema_options, only_count);
  MEMBER(assay_schema_options, strict_subset);
  STRUCT(assay_prompt_options);
  MEMBER(assay_prompt_options, dimension);
  MEMBER(assay_prompt_options, contexts);
  MEMBER(assay_prompt_options, context_count);
  MEMBER(assay_prompt_options, judged_too);
  MEMBER(assay_prompt_options, judged_too_count);
  MEMBER(assay_prompt_options, frame);
  return 0;
}
