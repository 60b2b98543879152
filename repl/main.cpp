// The `assay` command: the spelling of options, the help texts, and the dispatch to verbs. With questions.cpp and
// repl/analysis/flags.cpp the only unit that uses CLI11.
#include "repl/analysis/questions.hpp"
#include "repl/files/output.hpp"
#include "repl/help/command_table.hpp"
#include "repl/lsp/lsp.hpp"
#include "repl/options.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"
#include "repl/verdicts/formats.hpp"

#include <CLI/CLI.hpp>

#include <fcntl.h>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace assay::cli {

CLI::Validator line_number() {
  return {[](std::string& text) {
            const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            const bool good = digits && text.size() < 19 && text.find_first_not_of('0') != std::string::npos;
            return good ? std::string() : "'" + text + "' is not a valid line number";
          },
          ""};
}

void required_file(CLI::App* verb, const std::string& name, std::string& value, const std::string& meaning) {
  verb->add_option(name, value, meaning)->type_name("")->required();
}

void load_options(CLI::App* verb, LoadOptions& options) {
  repeatable(verb, "--limit", options.limits, "NAME=N", "Change a limit, such as steps=1000000 (repeatable)");
  repeatable(verb, "--root", options.roots, "DIR", "Let rubrics name files in this directory only (repeatable)");
  verb->add_flag("--no-lua", options.no_lua, "Refuse rubrics with hooks written in Lua");
}

void evaluation_options(CLI::App* verb, EvaluationOptions& options, bool history, bool sets) {
  repeatable(verb, "--context", options.contexts, "NAME",
             "A context the rubric declares, in force for this run (repeatable)");
  repeatable(verb, "--weight", options.weights, "NAME=WEIGHT",
             "Change a weight for this run: 25% or 0.25 (repeatable)");
  if (sets) repeatable(verb, "--set", options.sets, "FIELD=VALUE", "A field set in every record (repeatable)");
  if (history) single(verb, "--history", options.history, "FILE", "Earlier records of the same subject, oldest first");
  verb->add_option("--from", options.from, "The format of the records, if the file name does not tell")
      ->type_name("ndjson|json|csv|tsv|npy")
      ->check(CLI::IsMember({"ndjson", "jsonl", "json", "csv", "tsv", "npy"}).description(""));
}

void strict_option(CLI::App* verb, bool& strict) {
  verb->add_flag("--strict", strict, "Reject records with a key that the rubric does not name");
}

}  // namespace assay::cli

namespace {

namespace cli = assay::cli;
using cli::evaluation_options, cli::line_number, cli::load_options, cli::output_option, cli::repeatable,
    cli::required_file, cli::single, cli::strict_option;

constexpr int kMostThreads = 1024;

// The descriptor of a closed standard stream would be reused for the next opened file. This puts a descriptor there
// that refuses use.
void keep_standard_streams() {
  for (const int fd : {0, 1, 2}) {
    if (::fcntl(fd, F_GETFD) == -1) (void)::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
  }
}

CLI::Validator thread_count() {
  return {[](std::string& text) {
            const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            const bool good = digits && text.size() < 5 && std::stoi(text) <= kMostThreads;
            return good ? std::string()
                        : "'" + text + "' is not a valid thread count (0 to " + std::to_string(kMostThreads) + ")";
          },
          ""};
}

CLI::Validator seconds() {
  return {[](std::string& text) {
            double value = 0;
            const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool good =
                status == std::errc() && end == text.data() + text.size() && value >= 0.001 && value <= 1e9;
            return good ? std::string() : "'" + text + "' is not a number of seconds from 0.001 to 1000000000";
          },
          ""};
}

CLI::Validator share() {
  return {[](std::string& text) {
            double value = 0;
            const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool good = status == std::errc() && end == text.data() + text.size() && value >= 0 && value <= 100;
            if (good && value > 0 && value < 1) {  // a share
              char percent[32];
              std::snprintf(percent, sizeof percent, "%g", value * 100);
              return "'" + text + "' is less than one percent: write " + percent + " for " + percent + "%";
            }
            return good ? std::string() : "'" + text + "' is not a percentage, 0 to 100";
          },
          ""};
}

void shape_option(CLI::App* verb, std::string& to, std::string& output, const std::string& fallback, bool npy) {
  std::string shown;
  for (const std::string& name : assay::output_format_names(false, npy)) shown += (shown.empty() ? "" : "|") + name;
  verb->add_option("--to", to, "Output format (default: a table on a terminal, else " + fallback + ")")
      ->type_name(shown)
      ->check(CLI::IsMember(assay::output_format_names(true, npy)).description(""));
  output_option(verb, output);
}

struct Options {
  cli::CheckOptions check;
  cli::FmtOptions fmt;
  cli::NewOptions begin;
  cli::SchemaVerbOptions schema;
  cli::PromptVerbOptions prompt;
  cli::ScoreOptions score;
  cli::RankOptions rank;
  cli::EvalOptions eval;
  cli::TestOptions test;
  cli::ExplainOptions explain;
  cli::ShowOptions show;
  cli::DiffOptions diff;
  cli::ReplOptions repl;
  cli::LoadOptions lsp;
  bool lsp_stdio = true;  // the only transport
  double timeout = 0;     // seconds; 0: none
  bool quiet = false;
  std::string colour = "auto";
  std::string shell, page;
};

using Run = std::function<int()>;

// Verbs for those who write rubrics.
void add_authoring_verbs(const cli::AddVerb& verb, Options& options) {
  CLI::App* check = verb("check", "Check rubrics for mistakes",
                         "  assay check judge.rubric\n  assay check --strict rubrics/*.rubric\n"
                         "  assay check --fix judge.rubric\n  assay check --diff judge.rubric | patch -p1\n"
                         "  assay check --to sarif rubrics/*.rubric > assay.sarif",
                         [&] { return cli::check(options.check); });
  check->add_option("FILE", options.check.files, "Rubric files")->type_name("")->required();
  check->add_flag("--strict", options.check.strict, "Warnings count as errors");
  check->add_flag("--watch", options.check.watch, "Check again after each change of a file, until Ctrl-C");
  CLI::Option* fix =
      check->add_flag("--fix", options.check.fix, "Change the files: apply the suggestions that are certain");
  check
      ->add_flag("--diff", options.check.diff,
                 "Show what --fix would change, as a unified diff; exit code 1 when it would")
      ->excludes(fix);
  check->add_option("--to", options.check.to, "Output format (default: text)")
      ->type_name("text|json|sarif|github")
      ->check(CLI::IsMember({"text", "json", "sarif", "github"}).description(""));
  load_options(check, options.check.load);

  CLI::App* fmt = verb("fmt", "Format rubrics in the standard layout, in place",
                       "  assay fmt judge.rubric\n"
                       "  assay fmt --check rubrics/*.rubric\n"
                       "  assay fmt - < judge.rubric\n"
                       "Exit codes: 0 done; 1 with --check, some files are not formatted; 2 as for all verbs.",
                       [&] { return cli::fmt(options.fmt); });
  fmt->add_option("FILE", options.fmt.files, "Rubric files; -: standard input, to standard output")
      ->type_name("")
      ->required();
  fmt->add_flag("--check", options.fmt.check, "Change nothing; list the files that are not formatted, and exit with 1");
  fmt->add_flag("--diff", options.fmt.diff, "Change nothing; show what would change");
  load_options(fmt, options.fmt.load);

  CLI::App* begin = verb("new", "Begin a rubric, in the file NAME.rubric",
                         "  assay new essay\n  assay new release_check --like checklist\n"
                         "  assay new answers --like rag_answer",
                         [&] { return cli::begin_new(options.begin); });
  begin->add_option("NAME", options.begin.name, "The name of the rubric")->type_name("")->required();
  std::string kinds;
  for (const std::string& kind : cli::starter_names()) kinds += (kinds.empty() ? "" : "|") + kind;
  begin->add_option("--like", options.begin.like, "The kind of rubric (default: " + cli::starter_names().front() + ")")
      ->type_name(kinds)
      ->check(CLI::IsMember(cli::starter_names()).description(""));
}

// Verbs that evaluate rubrics: on records, requests or examples.
void add_record_verbs(const cli::AddVerb& verb, Options& options) {
  CLI::App* score =
      verb("score", "Score records, one verdict each",
           "  assay score judge.rubric records.ndjson\n"
           "  assay score judge.rubric records.csv --to markdown --fields id,score,grade\n"
           "  producer | assay score judge.rubric --weight safety=30% --weight correctness=5% > verdicts.ndjson\n"
           "  assay score judge.rubric big.ndjson --output verdicts.ndjson --stats\n"
           "  assay score judge.rubric frame.npy --output verdicts.npy",
           [&] { return cli::score(options.score); });
  required_file(score, "RUBRIC", options.score.rubric, "A rubric file");
  score
      ->add_option("FILE", options.score.files,
                   "Files of records (.ndjson .jsonl .json .csv .tsv .npy); none: standard input")
      ->type_name("");
  evaluation_options(score, options.score.evaluation, true);
  load_options(score, options.score.load);
  strict_option(score, options.score.evaluation.strict);
  shape_option(score, options.score.to, options.score.output, "ndjson", true);
  cli::names_option(score, "--fields", options.score.fields, "Only these parts of each verdict");
  score->add_option("--threads", options.score.threads, "Threads that score; 0, the default: one for each core")
      ->type_name("N")
      ->check(thread_count());
  score->add_flag("--cohort", options.score.cohort, "After all records, the outputs of the rubric's cohort block");
  score->add_flag("--stats", options.score.statistics, "Counts and speed, on standard error");

  CLI::App* rank = verb("rank", "Rank records, best first",
                        "  assay rank judge.rubric candidates.ndjson\n"
                        "  assay rank judge.rubric candidates.csv --to json | jq .ranking[0]",
                        [&] { return cli::rank(options.rank); });
  required_file(rank, "RUBRIC", options.rank.rubric, "A rubric file");
  rank->add_option("FILE", options.rank.files, "Files of records, each with an id; none: standard input")
      ->type_name("");
  evaluation_options(rank, options.rank.evaluation, false);
  load_options(rank, options.rank.load);
  strict_option(rank, options.rank.evaluation.strict);
  shape_option(rank, options.rank.to, options.rank.output, "json", false);

  CLI::App* eval = verb("eval", "Answer requests, one per line, each at once",
                        "  assay eval judge.rubric < requests.ndjson\n"
                        "  echo '{\"op\": \"score\", \"input\": {\"correctness\": 9}}' | assay eval judge.rubric",
                        [&] { return cli::eval(options.eval); });
  required_file(eval, "RUBRIC", options.eval.rubric, "A rubric file");
  eval->add_option("FILE", options.eval.file, "Requests; none: standard input")->type_name("");
  strict_option(eval, options.eval.strict);
  load_options(eval, options.eval.load);

  CLI::App* test = verb("test", "Run the examples in rubrics",
                        "  assay test judge.rubric\n  assay test rubrics/*.rubric --to junit > results.xml\n"
                        "  assay test judge.rubric --coverage --threshold 80\n  assay test judge.rubric --watch",
                        [&] { return cli::test(options.test); });
  test->add_option("FILE", options.test.files, "Rubric files")->type_name("")->required();
  test->add_flag("--coverage", options.test.coverage,
                 "List what no example exercises: rows, gates, caps, deductions, flags, cases, contexts");
  test->add_option("--threshold", options.test.threshold,
                   "Exit with 1 if a rubric's examples exercise less than this share")
      ->type_name("PERCENT")
      ->check(share());
  test->add_flag("--update", options.test.update,
                 "Rewrite the expectations of failing examples to their actual results");
  test->add_option("--to", options.test.to, "Output format (default: text)")
      ->type_name("text|json|junit")
      ->check(CLI::IsMember({"text", "json", "junit"}).description(""));
  test->add_flag("--watch", options.test.watch, "Run again after each change of a file, until Ctrl-C");
  load_options(test, options.test.load);

  CLI::App* explain = verb("explain", "Explain the verdict of one record",
                           "  assay explain judge.rubric record.json\n"
                           "  assay explain judge.rubric records.ndjson --id answer-7 --why score\n"
                           "  assay explain judge.rubric records.ndjson --id answer-7 --open all\n"
                           "  assay explain judge.rubric records.ndjson --id answer-7 --to html -o answer.html\n"
                           "  assay explain judge.rubric records.ndjson --id answer-7 --versus answer-3",
                           [&] { return cli::explain(options.explain); });
  required_file(explain, "RUBRIC", options.explain.rubric, "A rubric file");
  options.explain.file = "-";
  explain->add_option("FILE", options.explain.file, "A file of records; none: standard input")->type_name("");
  cli::question_flags(explain, options.explain);
  explain->add_option("--line", options.explain.line, "The record that begins in this line")
      ->type_name("N")
      ->check(line_number())
      ->excludes(explain->get_option("--id"));
  evaluation_options(explain, options.explain.evaluation, true);
  load_options(explain, options.explain.load);
  strict_option(explain, options.explain.evaluation.strict);
}

// Verbs that print what a rubric says, or how two differ.
void add_document_verbs(const cli::AddVerb& verb, Options& options) {
  CLI::App* schema = verb("schema", "Print the JSON Schema of a rubric's records or verdicts",
                          "  assay schema judge.rubric\n"
                          "  assay schema judge.rubric --strict-subset --judged-only --judged red_flags\n"
                          "  assay schema judge.rubric --verdict\n"
                          "What a schema cannot express is listed on standard error.",
                          [&] { return cli::schema(options.schema); });
  required_file(schema, "RUBRIC", options.schema.rubric, "A rubric file");
  schema->add_flag("--verdict", options.schema.verdict, "The schema of verdicts instead of records");
  schema->add_flag("--strict-subset", options.schema.strict_subset,
                   "In the subset that vendors of language models accept for structured output");
  schema->add_flag("--judged-only", options.schema.judged_only, "Only the part of a record that a judge provides");
  repeatable(schema, "--judged", options.schema.judged, "NAME", "Another input that a judge provides (repeatable)");
  load_options(schema, options.schema.load);
  output_option(schema, options.schema.output);

  CLI::App* prompt = verb("prompt", "Print the instructions for a judge, a person or a language model",
                          "  assay prompt judge.rubric --judged red_flags\n"
                          "  assay prompt code.rubric --dimension security --context security_critical\n"
                          "  assay prompt --show-frame > ours.json",
                          [&] { return cli::prompt(options.prompt); });
  prompt->add_option("RUBRIC", options.prompt.rubric, "A rubric file; not needed for --show-frame")->type_name("");
  single(prompt, "--dimension", options.prompt.dimension, "NAME", "Only this dimension or criterion");
  repeatable(prompt, "--context", options.prompt.contexts, "NAME", "A context in force (repeatable)");
  repeatable(prompt, "--judged", options.prompt.judged, "NAME", "Another input that a judge provides (repeatable)");
  single(prompt, "--frame", options.prompt.frame, "FILE", "Other sentences in place of our own, a JSON object");
  prompt->add_flag("--show-frame", options.prompt.show_frame, "Print our own sentences as such an object, and end");
  load_options(prompt, options.prompt.load);
  output_option(prompt, options.prompt.output);

  CLI::App* show =
      verb("show", "Sum up a rubric, or show a stage of its compilation",
           "  assay show judge.rubric\n  assay show judge.rubric --bytecode", [&] { return cli::show(options.show); });
  required_file(show, "RUBRIC", options.show.rubric, "A rubric file");
  show->add_flag("--ast", options.show.ast, "The syntax tree");
  show->add_flag("--model", options.show.model, "Names, types, ranges and weights, resolved");
  show->add_flag("--bytecode", options.show.bytecode, "The instructions");
  show->add_flag("--kernel", options.show.kernel, "Which fields are computed without the VM, and why others are not");
  load_options(show, options.show.load);

  CLI::App* diff = verb("diff", "Show the differences between two rubrics, and between their verdicts",
                        "  assay diff judge-1.rubric judge-2.rubric\n"
                        "  assay diff judge-1.rubric judge-2.rubric --on records.ndjson\n"
                        "Exit codes: 0 the same numbers, or with --on the same verdicts; 1 others; 2 as for all verbs.",
                        [&] { return cli::diff(options.diff); });
  required_file(diff, "OLD", options.diff.before, "A rubric file");
  required_file(diff, "NEW", options.diff.after, "Another one");
  repeatable(diff, "--on", options.diff.on, "FILE",
             "Records that both score (.ndjson .jsonl .json .csv .tsv; repeatable)");
  evaluation_options(diff, options.diff.evaluation, true);
  load_options(diff, options.diff.load);
  cli::names_option(diff, "--fields", options.diff.fields,
                    "With --on, the fields to compare (default: status, score, bands)");
  cli::format_option(diff, options.diff.to, "text|json|markdown");
  output_option(diff, options.diff.output);
}

// Verbs that go on until their caller ends them.
void add_sessions(const cli::AddVerb& verb, Options& options) {
  CLI::App* lsp = verb("lsp", "Serve editors by the Language Server Protocol, on standard input and output",
                       "  assay lsp\n  assay lsp --root ~/rubrics", [&] { return cli::lsp(options.lsp); });
  lsp->add_flag("--stdio", options.lsp_stdio, "Accepted because some editors pass it; has no effect");
  load_options(lsp, options.lsp);

  CLI::App* repl = verb("repl", "Try a rubric out: expressions, records, what-if",
                        "  assay repl judge.rubric records.ndjson\n  echo '1 + 2' | assay repl",
                        [&] { return cli::repl(options.repl); });
  repl->add_option("RUBRIC", options.repl.rubric, "A rubric file")->type_name("");
  repl->add_option("RECORDS", options.repl.records, "A file of records")->type_name("");
  load_options(repl, options.repl.load);
}

void add_verbs(CLI::App& app, Options& options, Run& run) {
  const auto verb = [&](const std::string& name, const std::string& meaning, const std::string& examples,
                        const Run& action) {
    CLI::App* added = app.add_subcommand(name, meaning);
    added->group("Verbs");
    added->footer("Examples:\n" + examples);
    added->add_option("--timeout", options.timeout, "Stop with an error after this many seconds: 2.5")
        ->type_name("SECONDS")
        ->check(seconds());
    added->add_flag("--quiet,-q", options.quiet, "No notes and no progress on standard error, only errors");
    added->add_option("--color", options.colour, "Colours; auto: on terminals, unless NO_COLOR is set")
        ->type_name("auto|always|never")
        ->check(CLI::IsMember({"auto", "always", "never"}).description(""));
    added->callback([&run, action] { run = action; });
    return added;
  };

  add_authoring_verbs(verb, options);
  add_record_verbs(verb, options);
  add_document_verbs(verb, options);
  cli::add_questions(verb);
  add_sessions(verb, options);
}

// Converts the parser's declarations to a table.
cli::CommandTable command_table(const CLI::App& app) {
  cli::CommandTable table{
      app.get_name(), "score records by rubrics, exactly", app.get_footer(), std::string(assay::version()), {}};
  for (const CLI::App* verb : app.get_subcommands({})) {
    cli::VerbRow row{verb->get_name(), verb->get_description(), verb->get_footer(), {}};
    if (row.examples.starts_with("Examples:\n")) row.examples.erase(0, 10);
    for (const CLI::Option* option : verb->get_options()) {
      cli::OptionRow one;
      one.operand = option->get_positional();
      one.meaning = option->get_description();
      one.required = option->get_required();
      one.repeats = option->get_expected_max() > 1;
      one.value = option->get_expected_max() == 0 ? "" : option->get_type_name();
      if (one.value.find('|') != std::string::npos) {
        for (std::size_t begin = 0; begin <= one.value.size();) {
          const std::size_t end = std::min(one.value.find('|', begin), one.value.size());
          one.choices.push_back(one.value.substr(begin, end - begin));
          begin = end + 1;
        }
      }
      if (one.operand) {
        one.name = option->get_single_name();
        if (one.choices.empty()) one.value.clear();
      } else {
        if (option->get_lnames().empty() || option->get_lnames()[0] == "help") continue;
        one.name = "--" + option->get_lnames()[0];
        if (!option->get_snames().empty()) one.letter = "-" + option->get_snames()[0];
      }
      row.options.push_back(std::move(one));
    }
    table.verbs.push_back(std::move(row));
  }
  return table;
}

int print(const std::string& text) {
  std::string problem;
  std::optional<cli::Output> output = cli::Output::open({}, problem);
  output->write(text);
  return output->finish(cli::kDone);
}

int misused(const std::string& message, const std::string& verb) {
  cli::complain(message + " ('assay " + (verb.empty() ? "" : verb + " ") + "--help' says more)");
  return cli::kRefused;
}

// Verbs about the command itself.
void add_help_verbs(CLI::App& app, Options& options, Run& run) {
  CLI::App* completion =
      app.add_subcommand("completion", "Write what a shell needs to complete the command, its verbs and their options");
  completion->group("Verbs");
  completion->footer(
      "Examples:\n  assay completion bash > ~/.local/share/bash-completion/completions/assay\n"
      "  assay completion fish > ~/.config/fish/completions/assay.fish");
  completion->add_option("SHELL", options.shell, "The shell")
      ->required()
      ->type_name("bash|zsh|fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""));
  completion->callback([&app, &options, &run] {
    run = [&app, &options] { return print(cli::completion_script(command_table(app), options.shell)); };
  });
  CLI::App* manual = app.add_subcommand("man", "Write a page of the manual: of the command, or of a verb");
  manual->group("Verbs");
  manual->footer("Examples:\n  assay man | man -l -\n  assay man score > assay-score.1");
  manual->add_option("VERB", options.page, "A verb; none: the command")->type_name("");
  manual->callback([&app, &options, &run] {
    run = [&app, &options] {
      const std::string page = cli::manual_page(command_table(app), options.page);
      return page.empty() ? misused("there is no verb '" + options.page + "'", "man") : print(page);
    };
  });
}

int explain_misuse(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& where = chosen.empty() ? app : *chosen.front();
  const std::string verb = chosen.empty() ? "" : where.get_name();
  return misused(cli::misuse_text(where, app.remaining(true), error), verb);
}

int run_command(int argc, char** argv) {
  CLI::App app("assay: scores records by rubrics, exactly.", "assay");
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.get_formatter()->label("REQUIRED", "(required)");
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", "assay " + std::string(assay::version()));
  app.footer(
      "'assay help VERB' explains a verb, with examples. Exit codes: 0 done; 1 some records, examples or "
      "rubrics are wrong;\n2 usage, a file that cannot be read or written, or a rubric with errors.");
  Options options;
  Run run;
  add_verbs(app, options, run);
  add_help_verbs(app, options, run);

  // 'assay help VERB' and 'assay version' are aliases of options.
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "version") {
    if (words.size() > 1) return misused("'" + words[1] + "' is one argument too many", {});
    words[0] = "--version";
  }
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    if (!words.empty() && words[0] == "help") words.erase(words.begin());
    words.insert(words.begin() + (words.empty() ? 0 : 1), "--help");
  }

  if (!words.empty() && words[0].substr(0, 1) != "-") {
    std::vector<std::string> verbs;
    for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
    const std::string word = words[0];
    if (std::find(verbs.begin(), verbs.end(), word) == verbs.end()) {
      const std::string near = cli::verb_meant(word, verbs);
      return misused("there is no verb '" + word + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"), {});
    }
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them in reverse order
  } catch (const CLI::CallForHelp&) { return print(app.help()); } catch (const CLI::CallForAllHelp&) {
    return print(app.help());
  } catch (const CLI::CallForVersion&) {
    return print("assay " + std::string(assay::version()) + "\n");
  } catch (const CLI::ParseError& error) { return explain_misuse(app, error); }
  if (!run) return misused("which verb?", {});
  cli::set_quiet(options.quiet);
  cli::set_colour(options.colour == "always"  ? cli::Colour::always
                  : options.colour == "never" ? cli::Colour::never
                                              : cli::Colour::automatic);
  cli::cancel_on_signal();
  if (options.timeout > 0) cli::end_after(options.timeout);
  return cli::finish_interrupted(run());
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding a file size limit is a failed write
  try {
    return run_command(argc, argv);
  } catch (const std::bad_alloc&) { cli::complain("out of memory"); } catch (const std::exception& error) {
    cli::complain(error.what());
  }
  return cli::kRefused;
}
