// The verbs that ask questions: their options and their help.
#include "repl/analysis/questions.hpp"
#include "repl/options.hpp"

#include <memory>

namespace assay::cli {

namespace {

// What all of them have. `one`: the question is about one record.
void question_options(CLI::App* verb, QuestionOptions& options, bool one, bool sets = true) {
  required_file(verb, "RUBRIC", options.rubric, "A rubric file");
  verb->add_option("FILE", options.files, "Files of records; none: standard input")->type_name("");
  if (one) {
    CLI::Option* id = verb->add_option("--id", options.id, "The record with this id")->type_name("ID");
    verb->add_option("--line", options.line, "The record that begins in this line")
        ->type_name("N")
        ->check(line_number())
        ->excludes(id);
  }
  evaluation_options(verb, options.evaluation, true, sets);
  load_options(verb, options.load);
  strict_option(verb, options.evaluation.strict);
  verb->add_option("--to", options.to, "How to write (otherwise: text)")
      ->type_name("text|json|markdown")
      ->check(CLI::IsMember({"text", "json", "markdown"}).description(""));
  output_option(verb, options.output);
}

void add_what_if(const AddVerb& add) {
  const auto options = std::make_shared<WhatIfOptions>();
  CLI::App* verb = add("whatif", "Show what changes when a record has other values",
                       "  assay whatif judge.rubric answers.ndjson --id a7 --set correctness=9\n"
                       "  assay whatif judge.rubric answer.json --set correctness=9 --set safety=4 --to markdown",
                       [options] { return what_if(*options); });
  question_options(verb, options->question, true, false);
  repeatable(verb, "--set", options->sets, "FIELD=VALUE", "A field that changes, by its path (repeatable)");
}

}  // namespace

void add_questions(const AddVerb& add) { add_what_if(add); }

}  // namespace assay::cli
