// The `assay` command: how options are spelled, what help says, and which verb runs. With
// questions.cpp the only unit that knows CLI11.
#include "repl/analysis/questions.hpp"
#include "repl/files/output.hpp"
#include "repl/options.hpp"
#include "repl/terminal/formats.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"

#include <CLI/CLI.hpp>

#include <fcntl.h>
#include <charconv>
#include <csignal>
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
            return good ? std::string() : "'" + text + "' is no line number";
          },
          ""};
}

static CLI::Validator some_name() {
  return {[](std::string& text) { return text.empty() ? "the name of a file is empty" : std::string(); }, ""};
}

void repeatable(CLI::App* verb, const std::string& name, std::vector<std::string>& values,
                const std::string& value_name, const std::string& meaning) {
  verb->add_option(name, values, meaning)->type_name(value_name)->allow_extra_args(false);
}

void single(CLI::App* verb, const std::string& name, std::string& value, const std::string& value_name,
            const std::string& meaning) {
  verb->add_option(name, value, meaning)->type_name(value_name);
}

void required_file(CLI::App* verb, const std::string& name, std::string& value, const std::string& meaning) {
  verb->add_option(name, value, meaning)->type_name("")->required();
}

void load_options(CLI::App* verb, LoadOptions& options) {
  repeatable(verb, "--limit", options.limits, "NAME=N", "Another limit, such as steps=1000000 (repeatable)");
  repeatable(verb, "--root", options.roots, "DIR", "Rubrics may name files in this directory only (repeatable)");
  verb->add_flag("--no-lua", options.no_lua, "A rubric with hooks written in Lua is an error");
}

void evaluation_options(CLI::App* verb, EvaluationOptions& options, bool history, bool sets) {
  repeatable(verb, "--context", options.contexts, "NAME",
             "A context the rubric declares, in force for this run (repeatable)");
  repeatable(verb, "--weight", options.weights, "NAME=WEIGHT", "Another weight for this run: 25% or 0.25 (repeatable)");
  if (sets) repeatable(verb, "--set", options.sets, "FIELD=VALUE", "A field set in every record (repeatable)");
  if (history) single(verb, "--history", options.history, "FILE", "Earlier records of the same subject, oldest first");
  verb->add_option("--from", options.from, "How records are written, where the file's name does not say it")
      ->type_name("ndjson|json|csv|tsv|npy")
      ->check(CLI::IsMember({"ndjson", "jsonl", "json", "csv", "tsv", "npy"}).description(""));
}

void strict_option(CLI::App* verb, bool& strict) {
  verb->add_flag("--strict", strict, "A key that the rubric does not name is an error of its record");
}

void output_option(CLI::App* verb, std::string& output) {
  verb->add_option("--output,-o", output, "Write this file instead: whole, or not at all")
      ->type_name("FILE")
      ->check(some_name());
}

}  // namespace assay::cli

namespace {

namespace cli = assay::cli;
using cli::evaluation_options, cli::line_number, cli::load_options, cli::output_option, cli::repeatable,
    cli::required_file, cli::single, cli::strict_option;

constexpr int kMostThreads = 1024;

// A closed standard stream would give its number to the next file opened. Something that refuses to be used takes it.
void keep_standard_streams() {
  for (const int fd : {0, 1, 2}) {
    if (::fcntl(fd, F_GETFD) == -1) (void)::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
  }
}

CLI::Validator thread_count() {
  return {[](std::string& text) {
            const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            const bool good = digits && text.size() < 5 && std::stoi(text) <= kMostThreads;
            return good ? std::string() : "'" + text + "' is no number of threads, 0.." + std::to_string(kMostThreads);
          },
          ""};
}

CLI::Validator seconds() {
  return {[](std::string& text) {
            double value = 0;
            const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool good = status == std::errc() && end == text.data() + text.size() && value > 0 && value <= 1e9;
            return good ? std::string() : "'" + text + "' is not a number of seconds above 0";
          },
          ""};
}

void shape_option(CLI::App* verb, std::string& to, std::string& output, const std::string& fallback, bool npy) {
  std::string shown;
  for (const std::string& name : cli::format_names(false, npy)) shown += (shown.empty() ? "" : "|") + name;
  verb->add_option("--to", to, "How to write (otherwise: a table on a terminal, else " + fallback + ")")
      ->type_name(shown)
      ->check(CLI::IsMember(cli::format_names(true, npy)).description(""));
  output_option(verb, output);
}

struct Options {
  cli::CheckOptions check;
  cli::ScoreOptions score;
  cli::RankOptions rank;
  cli::EvalOptions eval;
  cli::TestOptions test;
  cli::ExplainOptions explain;
  cli::VersusOptions versus;
  cli::ShowOptions show;
  cli::DiffOptions diff;
  cli::ReplOptions repl;
  double timeout = 0;  // seconds; 0: none
};

using Run = std::function<int()>;

void add_verbs(CLI::App& app, Options& options, Run& run) {
  const auto verb = [&](const std::string& name, const std::string& meaning, const std::string& examples, Run action) {
    CLI::App* added = app.add_subcommand(name, meaning);
    added->group("Verbs");
    added->footer("Examples:\n" + examples);
    added->add_option("--timeout", options.timeout, "End after so long with an error, whatever is being done: 2.5")
        ->type_name("SECONDS")
        ->check(seconds());
    added->callback([&run, action] { run = action; });
    return added;
  };

  CLI::App* check = verb("check", "Find what is wrong with rubrics",
                         "  assay check judge.rubric\n  assay check --strict rubrics/*.rubric",
                         [&] { return cli::check(options.check); });
  check->add_option("FILE", options.check.files, "Rubric files")->type_name("")->required();
  check->add_flag("--strict", options.check.strict, "Warnings count as errors");
  load_options(check, options.check.load);

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
  single(score, "--fields", options.score.fields, "NAME,NAME", "Only these parts of each verdict");
  score->add_option("--threads", options.score.threads, "Threads that score; 0, the default: one for each core")
      ->type_name("N")
      ->check(thread_count());
  score->add_flag("--cohort", options.score.cohort, "After all records, what the rubric's cohort block says of them");
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

  CLI::App* eval = verb("eval", "Answer requests, one a line, each at once",
                        "  assay eval judge.rubric < requests.ndjson\n"
                        "  echo '{\"op\": \"score\", \"input\": {\"correctness\": 9}}' | assay eval judge.rubric",
                        [&] { return cli::eval(options.eval); });
  required_file(eval, "RUBRIC", options.eval.rubric, "A rubric file");
  eval->add_option("FILE", options.eval.file, "Requests; none: standard input")->type_name("");
  strict_option(eval, options.eval.strict);
  load_options(eval, options.eval.load);

  CLI::App* test =
      verb("test", "Run the examples in rubrics", "  assay test judge.rubric\n  assay test rubrics/*.rubric",
           [&] { return cli::test(options.test); });
  test->add_option("FILE", options.test.files, "Rubric files")->type_name("")->required();
  load_options(test, options.test.load);

  CLI::App* explain =
      verb("explain", "Show how one record came to its verdict",
           "  assay explain judge.rubric record.json\n"
           "  assay explain judge.rubric records.ndjson --id answer-7 --why score\n"
           "  assay explain judge.rubric records.ndjson --id answer-7 --versus answer-3",
           [&] {
             cli::VersusOptions& asked = options.versus;
             const cli::ExplainOptions& one = options.explain;
             asked.question.load = one.load;
             asked.question.rubric = one.rubric;
             asked.question.files = {one.file};
             asked.question.evaluation = one.evaluation;
             asked.question.id = one.id;
             asked.question.line = one.line;
             if (!asked.versus.empty()) return cli::versus(asked);
             if (asked.question.to == "markdown")
               return cli::refuse_question("--to markdown is for two records: name the other with --versus");
             if (asked.question.to == "json" && !one.name.empty())
               return cli::refuse_question("--why shows one value as text: leave out --to json, which shows all");
             if (asked.question.to == "json") return cli::explain_json(asked.question);
             return cli::explain(one);
           });
  required_file(explain, "RUBRIC", options.explain.rubric, "A rubric file");
  options.explain.file = "-";
  explain->add_option("FILE", options.explain.file, "A file of records; none: standard input")->type_name("");
  CLI::Option* id = explain->add_option("--id", options.explain.id, "The record with this id")->type_name("ID");
  explain->add_option("--line", options.explain.line, "The record that begins in this line")
      ->type_name("N")
      ->check(line_number())
      ->excludes(id);
  single(explain, "--versus", options.versus.versus, "ID",
         "Why the record of --id stands before this one, or behind it");
  explain->add_option("--to", options.versus.question.to, "How to write (otherwise: text)")
      ->type_name("text|json|markdown")
      ->check(CLI::IsMember({"text", "json", "markdown"}).description(""));
  single(explain, "--why", options.explain.name, "NAME", "This value alone, and what it was made of");
  evaluation_options(explain, options.explain.evaluation, true);
  load_options(explain, options.explain.load);
  strict_option(explain, options.explain.evaluation.strict);

  CLI::App* show =
      verb("show", "Sum up a rubric, or show a stage of its compilation",
           "  assay show judge.rubric\n  assay show judge.rubric --bytecode", [&] { return cli::show(options.show); });
  required_file(show, "RUBRIC", options.show.rubric, "A rubric file");
  show->add_flag("--ast", options.show.ast, "The syntax tree");
  show->add_flag("--model", options.show.model, "Names, types, ranges and weights, resolved");
  show->add_flag("--bytecode", options.show.bytecode, "The instructions");
  show->add_flag("--kernel", options.show.kernel, "Which fields are computed without the VM, and why others are not");
  load_options(show, options.show.load);

  CLI::App* diff = verb("diff", "Tell what differs between two rubrics, and which verdicts do",
                        "  assay diff judge-1.rubric judge-2.rubric\n"
                        "  assay diff judge-1.rubric judge-2.rubric --on records.ndjson\n"
                        "Exit codes: 0 the same numbers, or with --on the same verdicts; 1 others; 2 as of all verbs.",
                        [&] { return cli::diff(options.diff); });
  required_file(diff, "OLD", options.diff.before, "A rubric file");
  required_file(diff, "NEW", options.diff.after, "Another one");
  repeatable(diff, "--on", options.diff.on, "FILE",
             "Records that both score (.ndjson .jsonl .json .csv .tsv; repeatable)");
  evaluation_options(diff, options.diff.evaluation, true);
  load_options(diff, options.diff.load);
  single(diff, "--fields", options.diff.fields, "NAME,NAME",
         "With --on, what is compared of each verdict (otherwise: status, score, bands)");
  diff->add_option("--to", options.diff.to, "How to write (otherwise: text)")
      ->type_name("text|json")
      ->check(CLI::IsMember({"text", "json"}).description(""));
  output_option(diff, options.diff.output);

  cli::add_questions(verb);

  CLI::App* repl = verb("repl", "Try a rubric out: expressions, records, what-if",
                        "  assay repl judge.rubric records.ndjson\n  echo '1 + 2' | assay repl",
                        [&] { return cli::repl(options.repl); });
  repl->add_option("RUBRIC", options.repl.rubric, "A rubric file")->type_name("");
  repl->add_option("RECORDS", options.repl.records, "A file of records")->type_name("");
  load_options(repl, options.repl.load);
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

// One sentence for what CLI11 refused: an unknown flag is named, with the nearest known one.
int explain_misuse(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& where = chosen.empty() ? app : *chosen.front();
  const std::string verb = chosen.empty() ? "" : where.get_name();
  for (const std::string& rest : app.remaining(true)) {
    if (rest.size() < 2 || rest.front() != '-') continue;
    std::vector<std::string> known;
    for (const CLI::Option* option : where.get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
    const std::string flag = rest.substr(0, rest.find('='));
    const std::string near = cli::nearest(flag, known);
    return misused("there is no option '" + flag + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"), verb);
  }
  const std::vector<std::string> rest = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !rest.empty()) {
    return misused("'" + rest.front() + "' is one argument too many", verb);
  }
  // CLI11 counts where a sentence is wanted: "--to: At Most 1 required but received 2", "--weight: 1 required NAME
  // missing".
  const std::string message = error.what();
  const std::string option = message.substr(0, message.find(':'));
  if (message.find("At Most 1 required") != std::string::npos)
    return misused(option + " is given more than once", verb);
  const std::size_t required = message.find(": 1 required ");
  if (required == option.size() && message.ends_with(" missing")) {
    const std::size_t begin = required + std::string_view(": 1 required ").size();
    return misused(option + " needs a value: " + message.substr(begin, message.rfind(' ') - begin), verb);
  }
  return misused(message, verb);
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

  // 'assay help VERB' and 'assay version' are other words for options.
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "version") words[0] = "--version";
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.insert(words.begin() + (words.empty() ? 0 : 1), "--help");
  }

  if (!words.empty() && words[0].substr(0, 1) != "-") {
    std::vector<std::string> verbs;
    for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
    const std::string word = words[0];
    if (std::find(verbs.begin(), verbs.end(), word) == verbs.end()) {
      const std::string near = cli::nearest(word, verbs);
      return misused("there is no verb '" + word + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"), {});
    }
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the end
  } catch (const CLI::CallForHelp&) { return print(app.help()); } catch (const CLI::CallForAllHelp&) {
    return print(app.help());
  } catch (const CLI::CallForVersion&) {
    return print("assay " + std::string(assay::version()) + "\n");
  } catch (const CLI::ParseError& error) { return explain_misuse(app, error); }
  if (!run) return misused("which verb?", {});
  cli::cancel_on_signal();
  if (options.timeout > 0) cli::end_after(options.timeout);
  return cli::finish_interrupted(run());
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow further is a failed write
  try {
    return run_command(argc, argv);
  } catch (const std::bad_alloc&) { cli::complain("out of memory"); } catch (const std::exception& error) {
    cli::complain(error.what());
  }
  return cli::kRefused;
}
