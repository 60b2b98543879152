// assay explain: how one record got its verdict, stage by stage, as text, Markdown, a page or a picture.
#include "repl/analysis/questions.hpp"
#include "repl/files/output.hpp"
#include "repl/pages/explain_page.hpp"
#include "repl/pages/page.hpp"
#include "repl/pages/record_view.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"

namespace assay::cli {

namespace {

// The verdict at the end of an explanation. Scoring the record again would make it a part of its own history.
std::string verdict_of(std::string_view explanation) {
  constexpr std::string_view kHeading = "\nVerdict\n  ";
  const std::size_t at = explanation.rfind(kHeading);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + kHeading.size();
  return std::string(explanation.substr(from, explanation.find('\n', from) - from));
}

// "score 7.5, B, rejected"
std::string outcome(const RecordView& view, const ViewFrame& frame) {
  std::string text = view.json("score") == "null" ? "" : "score " + view.score();
  text += (text.empty() ? "" : ", ") + view.band();
  if (!frame.band.empty() && view.text("status") != "eligible") text += ", " + view.text("status");
  return text;
}

// `verdict`: as JSON.
std::string picture_of(const Rubric& rubric, const std::string& verdict) {
  ViewFrame frame(rubric);
  frame.see(verdict);
  const RecordView view(frame, verdict);
  const std::string title = view.json("id") == "null" ? rubric.name() : view.text("id");
  return picture(title, outcome(view, frame), view.parts());
}

std::string page_of(const Rubric& rubric, const std::string& verdict, const std::string& explanation) {
  ViewFrame frame(rubric);
  frame.see(verdict);
  const RecordView view(frame, verdict);
  const std::string id = view.json("id") == "null" ? "a record" : view.text("id");
  std::string out = page_begin(id + ", by " + rubric.name());
  out += "<main><header><h1>" + escaped(id) + "</h1><p>" + escaped(rubric.name()) +
         (rubric.version().empty() ? "" : " " + escaped(rubric.version())) +
         (rubric.prose().empty() ? "" : ": " + escaped(rubric.prose())) + "</p><p><b>" + escaped(outcome(view, frame)) +
         "</b></p></header>\n";
  out += "<h2>At a glance</h2>" + view.html(true) + explanation_lists(explanation);
  return out + "</main>\n</body></html>\n";
}

}  // namespace

int explain(const ExplainOptions& options) {
  if (!explain_options_fit(options)) return kRefused;
  if (!options.versus.empty() && options.id.empty())
    return refuse("--versus compares two records: name the first with --id");
  if (asks_analysis(options)) {
    int code = kDone;
    std::optional<Questioning> q = Questioning::open(question_of(options), code);
    return q ? explain(*q, options) : code;
  }
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  const Limits& limits = loading->limits();
  const std::optional<Rubric> rubric = load_rubric(options.rubric, *loading);
  if (!rubric) return kRefused;
  std::string problem;
  RecordStream stream(*rubric, {options.file}, options.evaluation, limits);
  if (!stream.check(problem)) return refuse(problem);
  const EvaluatorOptions evaluation = loading->evaluator(options.evaluation.strict);
  Evaluator evaluator(*rubric, evaluation);
  const std::optional<Preparation> preparation = prepare(*rubric, options.evaluation, limits);
  if (!preparation || !preparation->apply(evaluator)) return kRefused;

  if (options.cohort && rubric->each_fields().empty())
    return refuse("rubric '" + rubric->name() + "' has no 'each output' in a cohort for --cohort");
  // Scores all records of the file, including this one.
  Evaluator whole(*rubric, evaluation);
  preparation->apply(whole);
  if (options.cohort) whole.start_cohort();
  const bool by_id = !options.id.empty();
  const bool by_line = options.line > 0;
  std::optional<std::string> record;
  std::string place;
  std::string unread;  // the error of a first record that could not be read
  std::size_t count = 0;
  NoSuchRecord none(options.id, options.line);
  for (bool more = true; more && !(record && by_line && !options.cohort);) {
    const RecordStream::Status status = stream.next();
    if (status == RecordStream::Status::failed) return refuse(stream.problem().message);
    if (status == RecordStream::Status::end) break;
    ++count;
    if (options.cohort && status == RecordStream::Status::record) whole.score(stream.json());
    if (options.cohort && status == RecordStream::Status::malformed) whole.reject(stream.problem());
    const std::string id = by_id && status == RecordStream::Status::record ? id_of_record(stream.json()) : "";
    const bool named = by_id && id == options.id;
    if (status == RecordStream::Status::record) none.see(id, stream.line());
    if (record && named) return refuse(two_of_one_id(options.id, place, stream.place()));
    if (record && (by_id || by_line)) continue;  // the rest of the run
    const bool wanted = by_line ? stream.line() == options.line : !by_id;
    if (status == RecordStream::Status::malformed) {
      if (unread.empty()) unread = place_message(stream.place(), stream.problem());
      if (!wanted) continue;
      say(place_message(stream.place(), stream.problem()));
      return kRejected;
    }
    if (wanted ? !record : named) {
      record = std::string(stream.json());
      place = stream.place();
    } else if (by_id || by_line) {
      evaluator.score(stream.json());  // with 'history by', later records of its series see it
    }
    more = count < 2 || by_id || by_line;
    if (interrupted()) return kRefused;
  }
  const std::string label = printable(file_label(options.file));
  if (!by_id && !by_line && count > 1) {
    return refuse("'" + label + "' holds several records; choose one with --id or --line");
  }
  if (!record) say(unread);
  if (!record && (by_id || by_line)) return refuse(none.message(label));
  if (!record) return refuse("'" + label + "' holds no record to explain");

  // Scoring with the other evaluator would make the record a part of its own history.
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
  return explain(*rubric, evaluator, options.cohort ? &whole : nullptr, *record, options);
}

int explain(const Rubric& rubric, Evaluator& evaluator, Evaluator* whole, const std::string& record,
            const ExplainOptions& options) {
  if (whole != nullptr) {
    InputError failed;
    const std::optional<FrozenCohort> frozen = whole->collected().freeze(failed, interrupt());
    if (interrupted()) return kRefused;
    if (!frozen) {
      say(place_message("cohort", failed));
      return kRejected;
    }
    evaluator.set_cohort(*frozen);
  }
  const bool picture = options.to == "svg", page = options.to == "html";  // a page folds by itself
  bool unknown = false;
  std::string text = evaluator.explain(
      record, options.name, page && options.open.empty() ? std::vector<std::string>{"all"} : options.open, &unknown);
  if (interrupted()) return kRefused;
  if (unknown) {
    const bool opened = text.starts_with("there is nothing to open");
    return refuse((opened ? "--open: " : "--why: ") + printable(text.substr(0, text.size() - 1)));
  }
  if (picture) {
    text = picture_of(rubric, verdict_of(text));
  } else if (page) {
    text = page_of(rubric, verdict_of(text), text);
  } else if (options.to == "markdown") {
    text = explanation_markdown(options.name.empty() ? text : options.name + "\n" + text);
  }
  return write_text(options.output, options.answer, text, kDone);
}

}  // namespace assay::cli
