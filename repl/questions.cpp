// The verbs of analysis: their options and their help.
#include "repl/analysis/questions.hpp"
#include "repl/options.hpp"

#include <memory>

namespace assay::cli {

namespace {

// What all of them have besides their own flags. `one`: the question is about one record.
void question_options(CLI::App* verb, QuestionOptions& options, bool one, bool sets = true) {
  required_file(verb, "RUBRIC", options.rubric, "A rubric file");
  verb->add_option("FILE", options.files, "Files of records; none: standard input")->type_name("");
  if (one) {
    verb->add_option("--line", options.line, "The record that begins in this line")
        ->type_name("N")
        ->check(line_number())
        ->excludes(verb->get_option("--id"));
  }
  evaluation_options(verb, options.evaluation, true, sets);
  load_options(verb, options.load);
  strict_option(verb, options.evaluation.strict);
}

void add_what_if(const AddVerb& add) {
  const auto options = std::make_shared<WhatIfOptions>();
  CLI::App* verb = add("whatif", "Show how other values would change a record's verdict",
                       "  assay whatif judge.rubric answers.ndjson --id a7 --set correctness=9\n"
                       "  assay whatif judge.rubric answer.json --set correctness=9 --set safety=4 --to markdown",
                       [options] { return what_if(*options); });
  question_flags(verb, *options);
  question_options(verb, options->question, true, false);
}

void add_reach(const AddVerb& add) {
  const auto options = std::make_shared<ReachOptions>();
  CLI::App* verb = add("reach", "Find the smallest changes with which a record reaches a band, a score or a place",
                       "  assay reach judge.rubric answers.ndjson --id a7\n"
                       "  assay reach judge.rubric answers.ndjson --id a7 --to A --keep safety --cost correctness=2\n"
                       "  assay reach judge.rubric answers.ndjson --id a7 --to 'place 1' --to markdown",
                       [options] { return reach(*options); });
  question_flags(verb, *options);
  question_options(verb, options->question, true);
}

void add_sensitivity(const AddVerb& add) {
  const auto options = std::make_shared<SensitivityVerbOptions>();
  CLI::App* verb = add("sensitivity", "Show what the order, the winner and the bands of records depend on",
                       "  assay sensitivity judge.rubric answers.ndjson\n"
                       "  assay sensitivity judge.rubric answers.ndjson --noise 0.5 --to json | jq .margins[0]",
                       [options] { return sensitivity(*options); });
  question_flags(verb, *options);
  question_options(verb, options->question, false);
}

void add_calibrate(const AddVerb& add) {
  const auto options = std::make_shared<CalibrateOptions>();
  CLI::App* verb =
      add("calibrate", "Measure how well scores and bands agree with human ratings",
          "  assay calibrate judge.rubric gold.ndjson\n"
          "  assay calibrate judge.rubric gold.csv --records answers.ndjson --fail-under kappa=0.6\n"
          "A line of gold: {\"id\": \"a7\", …, \"judge\": \"j1\", \"gold\": {\"correctness\": 8, \"grade\": \"B\"}}",
          [options] { return calibrate_verb(*options); });
  question_flags(verb, *options);
  question_options(verb, options->question, false);
}

void add_report(const AddVerb& add) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* verb =
      add("report", "Write the verdicts of records as one page of HTML",
          "  assay report judge.rubric answers.ndjson -o report.html", [options] { return report(*options); });
  question_flags(verb, *options);
  question_options(verb, options->question, false);
}

}  // namespace

void add_questions(const AddVerb& add) {
  add_what_if(add);
  add_reach(add);
  add_sensitivity(add);
  add_calibrate(add);
  add_report(add);
}

}  // namespace assay::cli
