// assay schema and assay prompt: texts for those who fill in records.
#include "repl/files/output.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"

#include <assay/authoring.hpp>

namespace assay::cli {
namespace {

int put_out(const std::string& text, const std::string& file) {
  std::string problem;
  std::optional<Output> output = Output::open_answer(file, problem);
  if (!output) return refuse(problem);
  output->write(text);
  return output->finish(kDone);
}

}  // namespace

int schema(const SchemaVerbOptions& options) {
  if (options.verdict && (options.judged_only || !options.judged.empty()))
    return refuse("--verdict is about verdicts, and --judged and --judged-only about records");
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  const std::optional<Rubric> rubric = load_rubric(options.rubric, *loading, false);
  if (!rubric) return kRefused;
  SchemaOptions wanted;
  wanted.of = options.verdict ? SchemaOptions::Of::verdict : SchemaOptions::Of::record;
  wanted.judged = options.judged_only;
  wanted.judged_too = options.judged;
  wanted.strict_subset = options.strict_subset;
  const Schema made = json_schema(*rubric, wanted);
  if (!made.problem.empty()) return refuse(made.problem);
  for (const Printable& sentence : made.not_expressed) note("the schema does not express: " + sentence.str());
  return put_out(made.json, options.output);
}

int prompt(const PromptVerbOptions& options) {
  if (options.show_frame) return put_out(prompt_frame(), options.output);
  if (options.rubric.empty()) return refuse("RUBRIC is required ('assay prompt --help' says more)");
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  const std::optional<Rubric> rubric = load_rubric(options.rubric, *loading, false);
  if (!rubric) return kRefused;
  PromptOptions wanted;
  wanted.dimension = options.dimension;
  wanted.contexts = options.contexts;
  wanted.judged_too = options.judged;
  if (!options.frame.empty()) {
    std::string problem;
    const std::optional<std::string> frame =
        read_rubric(options.frame, loading->roots, loading->limits().source_bytes, problem);
    if (!frame) return refuse(problem);
    wanted.frame = frame->empty() ? " " : *frame;
  }
  const Prompt made = judge_prompt(*rubric, wanted);
  if (!made.problem.empty()) return refuse(made.problem);
  return put_out(made.markdown, options.output);
}

}  // namespace assay::cli
