// Shared parts of the verbs of analysis. See questions.hpp.
#include "repl/analysis/questions.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

namespace assay::cli {

std::string id_of_record(std::string_view record) {
  std::vector<std::string> id = cells(record, {"id"});
  return id.empty() ? std::string() : std::move(id.front());
}

void NoSuchRecord::see(const std::string& id, std::uint64_t line) {
  if (near_.empty() && !id_.empty() && !id.empty()) near_ = nearest(id_, {id});
  if (line < line_) before_ = line;
  if (line > line_ && behind_ == 0) behind_ = line;
}

std::string NoSuchRecord::message(const std::string& label) const {
  if (!id_.empty())
    return (label.empty() ? "there is" : "'" + label + "' holds") + " no record with the id '" + printable(id_) + "'" +
           (near_.empty() ? "" : "; did you mean '" + printable(near_) + "'?");
  return "in '" + label + "' no record begins in line " + std::to_string(line_) +
         (behind_ > 0   ? "; the next one begins in line " + std::to_string(behind_)
          : before_ > 0 ? "; the last one begins in line " + std::to_string(before_)
                        : "");
}

std::string two_of_one_id(const std::string& id, const std::string& first, const std::string& second) {
  return "two records have the id '" + printable(id) + "': " + printable(first) + " and " + printable(second) +
         "; choose one with --line";
}

bool keep_by_id(RecordsById& records, std::string_view record, const std::string& place) {
  std::string id = id_of_record(record);
  if (id.empty() || records.emplace(id, record).second) return true;
  refuse(place + ": another record before it has the id '" + printable(id) + "', so gold of that id may mean either");
  return false;
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

Questioning Questioning::over(const Rubric& rubric, const EvaluatorOptions& options, Preparation preparation,
                              std::vector<std::string> records, std::size_t here) {
  Questioning q;
  q.records_ = std::move(records);
  q.here_ = here;
  q.rubric_ = std::make_unique<Rubric>(rubric);
  q.evaluation_ = options;
  q.preparation_ = std::move(preparation);
  q.evaluator_ = std::make_unique<Evaluator>(*q.rubric_, options);
  (void)q.preparation_->apply(*q.evaluator_);  // checked before
  q.analysis_ = std::make_unique<Analysis>(*q.rubric_, options);
  q.analysis_->configure(q.preparation_->settings);
  if (!q.preparation_->history.empty()) q.analysis_->set_history(q.preparation_->history);
  return q;
}

bool Questioning::scores(const std::string& record, const std::string& place, int& code) {
  const Verdict& verdict = evaluator_->score(record);
  code = kRefused;
  if (interrupted()) return false;
  const InputError* const error = verdict.error();
  if (error == nullptr) return true;
  say(place_message(place, *error));
  code = kRejected;
  return false;
}

bool Questioning::pick_in_memory(const QuestionOptions& options, std::string& record, std::string& place, int& code,
                                 std::vector<std::string>* all) {
  code = kRefused;
  std::size_t at = here_;
  if (!options.id.empty()) {
    at = 0;
    while (at < records_.size() && id_of_record(records_[at]) != options.id) ++at;
    if (at == records_.size()) {
      NoSuchRecord none(options.id, 0);
      for (const std::string& one : records_) none.see(id_of_record(one), 0);
      return refuse(none.message({})), false;
    }
    for (std::size_t i = at + 1; i < records_.size(); ++i) {
      if (id_of_record(records_[i]) != options.id) continue;
      return refuse("records " + std::to_string(at + 1) + " and " + std::to_string(i + 1) + " both have the id '" +
                    printable(options.id) + "'"),
             false;
    }
  }
  record = records_[at];
  place = "record " + std::to_string(at + 1);
  if (all != nullptr) *all = records_;
  return scores(record, place, code);
}

bool Questioning::pick(const QuestionOptions& options, std::string& record, std::string& place, int& code,
                       std::vector<std::string>* all) {
  if (stream_ == nullptr) return pick_in_memory(options, record, place, code, all);
  const bool by_id = !options.id.empty(), by_line = options.line > 0;
  const std::string label = printable(options.files.empty() ? std::string("standard input") : options.files.front());
  bool found = false;
  std::size_t count = 0;
  NoSuchRecord none(options.id, options.line);
  std::string unread;
  code = kRefused;
  while (true) {
    const RecordStream::Status status = stream_->next();
    if (status == RecordStream::Status::failed) return refuse(stream_->problem().message), false;
    if (status == RecordStream::Status::end) break;
    ++count;
    const bool here = by_line ? stream_->line() == options.line : !by_id && count == 1;
    if (status == RecordStream::Status::malformed) {
      const std::string message = place_message(stream_->place(), stream_->problem());
      if (here) unread = message;
      if (here && by_line) break;
      continue;
    }
    if (all != nullptr) all->emplace_back(stream_->json());
    const std::string id = by_id ? id_of_record(stream_->json()) : std::string();
    none.see(id, stream_->line());
    const bool named = by_id && id == options.id;
    if (found && named) return refuse(two_of_one_id(options.id, place, stream_->place())), false;
    if (!found && (here || named)) {
      found = true;
      record = std::string(stream_->json());
      place = stream_->place();
      if (all == nullptr && by_line) break;
    } else if (!found && rubric_->serial()) {
      analysis_->pass(stream_->json());  // later records of its series see it
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
    return scores(record, place, code);
  }
  refuse(by_id || by_line ? none.message(label) : "'" + label + "' holds no record");
  return false;
}

bool Questioning::read_all(std::vector<std::string>& records, std::vector<std::string>& places, bool& rejected,
                           int& code) {
  if (stream_ == nullptr) {
    records = records_;
    for (std::size_t i = 0; i < records.size(); ++i) places.push_back("record " + std::to_string(i + 1));
    return true;
  }
  while (true) {
    switch (stream_->next()) {
      case RecordStream::Status::record:
        records.emplace_back(stream_->json());
        places.push_back(stream_->place());
        break;
      case RecordStream::Status::malformed:
        rejected = true;
        say(place_message(stream_->place(), stream_->problem()));
        break;
      case RecordStream::Status::end:
        stream_->note_misspelt();
        stream_->note_odd_values();
        return true;
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

int write_text(const std::string& path, std::string* answer, std::string_view text, int code) {
  if (answer != nullptr && (path.empty() || path == "-")) {
    *answer += text;
    return code;
  }
  std::string problem;
  std::optional<Output> output = Output::open_answer(path, problem);
  if (!output) return refuse(problem);
  output->write(text);
  return output->finish(code);
}

int write_answer(const QuestionOptions& options, const Document& document, const std::string& json, int code) {
  return write_text(options.output, options.answer, options.to == "json" ? json + "\n" : document.as(options.to), code);
}

}  // namespace assay::cli
