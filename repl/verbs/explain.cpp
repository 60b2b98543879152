// assay explain: how one record came to its verdict, stage by stage.
#include "repl/files/output.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"

namespace assay::cli {

namespace {

std::string id_of(std::string_view record) {
  std::vector<std::string> id = cells(record, {"id"});
  return id.empty() ? std::string() : std::move(id.front());
}

int refuse(std::string_view message) {
  if (!interrupted()) complain(message);
  return kRefused;
}

}  // namespace

int explain(const ExplainOptions& options) {
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  const Limits& limits = loading->limits();
  const std::optional<Rubric> rubric = load_rubric(options.rubric, *loading);
  if (!rubric) return kRefused;
  std::string problem;
  RecordStream stream(*rubric, {options.file}, options.evaluation, limits);
  if (!stream.check(problem)) return refuse(problem);
  EvaluatorOptions evaluation;
  evaluation.limits = limits;
  evaluation.interrupt = interrupt();
  evaluation.strict = options.evaluation.strict;
  Evaluator evaluator(*rubric, evaluation);
  const std::optional<Preparation> preparation = prepare(*rubric, options.evaluation, limits);
  if (!preparation || !preparation->apply(evaluator)) return kRefused;

  if (options.cohort && rubric->each_fields().empty())
    return refuse("rubric '" + rubric->name() + "' has no 'each output' in a cohort for --cohort");
  // Scores all records of the file, that one among them.
  Evaluator whole(*rubric, evaluation);
  preparation->apply(whole);
  if (options.cohort) whole.start_cohort();
  const bool by_id = !options.id.empty();
  const bool by_line = options.line > 0;
  std::optional<std::string> record;
  std::string place;
  std::string unread;  // what is wrong where the first record could not be read at all
  std::size_t count = 0;
  for (bool more = true; more && !(record && (by_id || by_line) && !options.cohort);) {
    const RecordStream::Status status = stream.next();
    if (status == RecordStream::Status::failed) return refuse(stream.problem().message);
    if (status == RecordStream::Status::end) break;
    ++count;
    if (options.cohort && status == RecordStream::Status::record) whole.score(stream.json());
    if (options.cohort && status == RecordStream::Status::faulty) whole.reject(stream.problem());
    if (record && (by_id || by_line)) continue;  // the rest of the run
    const bool wanted = by_line ? stream.line() == options.line : !by_id;
    if (status == RecordStream::Status::faulty) {
      if (unread.empty()) unread = place_message(stream.place(), stream.problem());
      if (!wanted) continue;
      say(place_message(stream.place(), stream.problem()));
      return kRejected;
    }
    if (wanted ? !record : by_id && id_of(stream.json()) == options.id) {
      record = std::string(stream.json());
      place = stream.place();
    } else if (by_id || by_line) {
      evaluator.score(stream.json());  // with 'history by', it is an earlier record of its series
    }
    more = count < 2 || by_id || by_line;
    if (interrupted()) return kRefused;
  }
  const std::string label = printable(file_label(options.file));
  if (!by_id && !by_line && count > 1) {
    return refuse("'" + label + "' holds several records; choose one with --id or --line");
  }
  if (!record) say(unread);
  if (!record && by_id) return refuse("'" + label + "' holds no record with the id '" + printable(options.id) + "'");
  if (!record && by_line) return refuse("in '" + label + "' no record begins in line " + std::to_string(options.line));
  if (!record) return refuse("'" + label + "' holds no record to explain");

  // Scoring with the other one would make the record a part of its own history.
  Evaluator checker(*rubric, evaluation);
  preparation->apply(checker);
  const InputError* const error = checker.score(*record).error();
  if (interrupted()) return kRefused;
  if (error != nullptr) {
    say(place_message(place, *error));
    stream.note_misspelt();
    return kRejected;
  }
  stream.note_misspelt();
  if (options.cohort) {
    InputError failed;
    const std::optional<FrozenCohort> frozen = whole.collected().freeze(failed, interrupt());
    if (interrupted()) return kRefused;
    if (!frozen) {
      say(place_message("cohort", failed));
      return kRejected;
    }
    evaluator.set_cohort(*frozen);
  }
  std::optional<Output> output = Output::open({}, problem);
  bool unknown = false;
  std::string text = evaluator.explain(*record, options.name, &unknown);
  if (interrupted()) return kRefused;
  if (unknown) return refuse("--why: " + printable(text.substr(0, text.size() - 1)));
  output->write(text);
  return output->finish(kDone);
}

}  // namespace assay::cli
