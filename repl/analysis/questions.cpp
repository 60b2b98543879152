// What the verbs that ask questions share. See questions.hpp.
#include "repl/analysis/questions.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

namespace assay::cli {

std::string id_of_record(std::string_view record) {
  std::vector<std::string> id = cells(record, {"id"});
  return id.empty() ? std::string() : std::move(id.front());
}

std::optional<Questioning> Questioning::open(const QuestionOptions& options, int& code) {
  code = kRefused;
  Questioning q;
  std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return std::nullopt;
  q.loading_ = std::make_unique<Loading>(std::move(*loading));
  const Limits& limits = q.loading_->limits();
  std::optional<Rubric> loaded = load_rubric(options.rubric, *q.loading_);
  if (!loaded) return std::nullopt;
  q.rubric_ = std::make_unique<Rubric>(std::move(*loaded));
  std::string problem;
  q.stream_ = std::make_unique<RecordStream>(*q.rubric_, options.files, options.evaluation, limits);
  if (!q.stream_->check(problem)) {
    refuse(problem);
    return std::nullopt;
  }
  q.evaluation_ = q.loading_->evaluator(options.evaluation.strict);
  q.evaluator_ = std::make_unique<Evaluator>(*q.rubric_, q.evaluation_);
  q.preparation_ = prepare(*q.rubric_, options.evaluation, limits);
  if (!q.preparation_ || !q.preparation_->apply(*q.evaluator_)) return std::nullopt;
  q.analysis_ = std::make_unique<Analysis>(*q.rubric_, q.evaluation_);
  q.analysis_->configure(q.preparation_->settings);
  if (!q.preparation_->history.empty()) q.analysis_->set_history(q.preparation_->history);
  code = kDone;
  return q;
}

Questioning Questioning::over(const Rubric& rubric, const EvaluatorOptions& options, Preparation preparation) {
  Questioning q;
  q.rubric_ = std::make_unique<Rubric>(rubric);
  q.evaluation_ = options;
  q.preparation_ = std::move(preparation);
  q.evaluator_ = std::make_unique<Evaluator>(*q.rubric_, options);
  (void)q.preparation_->apply(*q.evaluator_);  // they have been tried
  q.analysis_ = std::make_unique<Analysis>(*q.rubric_, options);
  q.analysis_->configure(q.preparation_->settings);
  if (!q.preparation_->history.empty()) q.analysis_->set_history(q.preparation_->history);
  return q;
}

bool Questioning::pick(const QuestionOptions& options, std::string& record, std::string& place, int& code,
                       std::vector<std::string>* all) {
  const bool by_id = !options.id.empty(), by_line = options.line > 0;
  const std::string label = printable(options.files.empty() ? std::string("standard input") : options.files.front());
  bool found = false;
  std::size_t count = 0;
  std::string unread;
  code = kRefused;
  while (true) {
    const RecordStream::Status status = stream_->next();
    if (status == RecordStream::Status::failed) return refuse(stream_->problem().message), false;
    if (status == RecordStream::Status::end) break;
    ++count;
    const bool here = by_line ? stream_->line() == options.line : !by_id && count == 1;
    if (status == RecordStream::Status::faulty) {
      const std::string message = place_message(stream_->place(), stream_->problem());
      if (here) unread = message;
      if (here && by_line) break;
      continue;
    }
    if (all != nullptr) all->emplace_back(stream_->json());
    if (!found && (here || (by_id && id_of_record(stream_->json()) == options.id))) {
      found = true;
      record = std::string(stream_->json());
      place = stream_->place();
      if (all == nullptr && (by_id || by_line)) break;
    } else if (!found && rubric_->serial()) {
      analysis_->pass(stream_->json());  // an earlier record of its series
    }
    if (!by_id && !by_line && count > 1) break;
  }
  if (!unread.empty() && !found) {
    say(unread);
    code = kRejected;
    return false;
  }
  if (!by_id && !by_line && count > 1)
    return refuse("'" + label + "' holds several records; choose one with --id or --line"), false;
  if (found) {
    stream_->note_misspelt();
    const Verdict& verdict = evaluator_->score(record);
    if (interrupted()) return false;
    if (const InputError* error = verdict.error()) {
      say(place_message(place, *error));
      code = kRejected;
      return false;
    }
    return true;
  }
  if (by_id) refuse("'" + label + "' holds no record with the id '" + printable(options.id) + "'");
  if (by_line && !by_id) refuse("in '" + label + "' no record begins in line " + std::to_string(options.line));
  if (!by_id && !by_line) refuse("'" + label + "' holds no record");
  return false;
}

bool Questioning::read_all(std::vector<std::string>& records, std::vector<std::string>& places, bool& rejected,
                           int& code) {
  while (true) {
    switch (stream_->next()) {
      case RecordStream::Status::record:
        records.emplace_back(stream_->json());
        places.push_back(stream_->place());
        break;
      case RecordStream::Status::faulty:
        rejected = true;
        say(place_message(stream_->place(), stream_->problem()));
        break;
      case RecordStream::Status::end: stream_->note_misspelt(); return true;
      case RecordStream::Status::failed: code = refuse(stream_->problem().message); return false;
    }
  }
}

bool open_run(const QuestionOptions& options, QuestionRun& run, int& code) {
  run.questioning = Questioning::open(options, code);
  if (!run.questioning || !run.questioning->read_all(run.records, run.places, run.rejected, code)) return false;
  if (run.records.empty()) code = refuse("there is no record");
  return !run.records.empty();
}

int write_answer(const QuestionOptions& options, const Document& document, const std::string& json, int code) {
  std::string problem;
  std::optional<Output> output = Output::open(options.output, problem);
  if (!output) return refuse(problem);
  output->write(options.to == "json" ? json + "\n" : document.as(options.to));
  return output->finish(code);
}

}  // namespace assay::cli
