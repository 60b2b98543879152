// The verbs of analysis: their options and their help.
#include "repl/analysis/questions.hpp"
#include "repl/options.hpp"

#include <memory>

namespace assay::cli {

namespace {

// Options of all of them. `one`: the question concerns one record.
void question_options(CLI::App* verb, QuestionOptions& options, bool one, bool sets = true, bool formats = true) {
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
  if (formats) {
    verb->add_option("--to", options.to, "How to write (otherwise: text)")
        ->type_name("text|json|markdown")
        ->check(CLI::IsMember({"text", "json", "markdown"}).description(""));
  }
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

void add_reach(const AddVerb& add) {
  const auto options = std::make_shared<ReachOptions>();
  CLI::App* verb = add("reach", "Find the smallest changes of a record that get it to a band, a score or a place",
                       "  assay reach judge.rubric answers.ndjson --id a7\n"
                       "  assay reach judge.rubric answers.ndjson --id a7 --to A --keep safety --cost correctness=2\n"
                       "  assay reach judge.rubric answers.ndjson --id a7 --to 'place 1' --to markdown",
                       [options] { return reach(*options); });
  question_options(verb, options->question, true, true, false);
  repeatable(verb, "--to", options->to, "TARGET|FORMAT",
             "What to reach (none: the next better band), and how to write: text, json or markdown");
  single(verb, "--target", options->target, "TARGET",
         "A band (A), a score (8.5), 'eligible' or 'place N', whatever its name");
  repeatable(verb, "--cost", options->costs, "FIELD=COST",
             "What a point of this field costs; otherwise 1 (repeatable)");
  repeatable(verb, "--keep", options->keep, "FIELD", "A field that stays as it is (repeatable)");
  single(verb, "--grid", options->grid, "STEP", "Steps of numbers; otherwise the last place of the scale");
  verb->add_option("--nodes", options->nodes, "Boxes of records looked at for each measure")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000'000).description(""));
}

void add_sensitivity(const AddVerb& add) {
  const auto options = std::make_shared<SensitivityVerbOptions>();
  CLI::App* verb = add("sensitivity", "Show what the order, the winner and the bands of records depend on",
                       "  assay sensitivity judge.rubric answers.ndjson\n"
                       "  assay sensitivity judge.rubric answers.ndjson --noise 0.5 --to json | jq .margins[0]",
                       [options] { return sensitivity(*options); });
  question_options(verb, options->question, false);
  single(verb, "--noise", options->noise, "N",
         "Standard deviation of a judged dimension: how often bands flip under it");
  verb->add_option("--samples", options->samples, "Samples of weights; 9604, the default, estimate a share within 0.01")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000'000).description(""));
  verb->add_option("--seed", options->seed, "Of the samples")->type_name("N");
}

void add_calibrate(const AddVerb& add) {
  const auto options = std::make_shared<CalibrateOptions>();
  CLI::App* verb =
      add("calibrate", "Measure how far scores and bands agree with what people say",
          "  assay calibrate judge.rubric gold.ndjson\n"
          "  assay calibrate judge.rubric gold.csv --records answers.ndjson --fail-under kappa=0.6\n"
          "A line of gold: {\"id\": \"a7\", …, \"judge\": \"j1\", \"gold\": {\"correctness\": 8, \"grade\": \"B\"}}",
          [options] { return calibrate_verb(*options); });
  question_options(verb, options->question, false);
  repeatable(verb, "--records", options->records, "FILE", "Records that gold is joined with by id (repeatable)");
  repeatable(verb, "--fail-under", options->fail_under, "FIGURE=N",
             "Exit with 1 when a figure is under this, of every measure or of one: grade.kappa=0.6 (repeatable)");
  verb->add_option("--floor", options->floor, "Pairs below which nothing is concluded; otherwise 10")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000).description(""));
  verb->add_option("--seed", options->seed, "Of the samples that intervals come from")->type_name("N");
}

void add_report(const AddVerb& add) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* verb =
      add("report", "Write the verdicts of records as one page of HTML",
          "  assay report judge.rubric answers.ndjson -o report.html", [options] { return report(*options); });
  question_options(verb, options->question, false, true, false);
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
