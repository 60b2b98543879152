// assay explain --versus: why one record ranks before another; and explanations as JSON.
#include "repl/analysis/questions.hpp"
#include "repl/verbs/verbs.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

namespace assay::cli {

namespace {

int versus(Questioning& q, const QuestionOptions& question, const std::string& than) {
  int code = kDone;
  std::string record, place;
  std::vector<std::string> all;
  if (!q.pick(question, record, place, code, &all)) return code;
  const std::string* other = nullptr;
  for (const std::string& one : all) {
    if (id_of_record(one) == than) other = &one;
  }
  if (other == nullptr) return refuse("there is no record with the id '" + printable(than) + "'");
  Versus answer;
  const std::optional<InputError> error = q.analysis().versus(record, *other, answer);
  if (interrupted()) return kRefused;
  if (error) {
    say(place_message(place, *error));
    return kRejected;
  }
  Document document;
  document.heading(answer.p + " versus " + answer.q);
  if (answer.key.empty()) {
    document.line("They are level in every key: they share a place.");
  } else {
    document.line(answer.before + " stands before " + (answer.before == answer.p ? answer.q : answer.p) + ": " +
                  answer.key + ", " + bare(answer.p_key) + " against " + bare(answer.q_key) + ".");
  }
  TextTable table;
  table.header = {"stage", "name", answer.p, answer.q, "difference"};
  for (const VersusPart& part : answer.parts)
    table.rows.push_back({part.stage, part.name, bare(part.p), bare(part.q), shown_number(part.difference)});
  if (!table.rows.empty()) document.heading("What made the difference, largest first");
  if (!table.rows.empty()) document.table(std::move(table));
  return write_answer(question, document, answer.json(), kDone);
}

int explain_json(Questioning& q, const QuestionOptions& question) {
  int code = kDone;
  std::string record, place, json;
  if (!q.pick(question, record, place, code)) return code;
  const std::optional<InputError> error = q.analysis().explanation(record, json);
  if (interrupted()) return kRefused;
  if (error) {
    say(place_message(place, *error));
    return kRejected;
  }
  return write_answer(question, {}, json, kDone);
}

}  // namespace

bool explain_options_fit(const ExplainOptions& options) {
  const bool picture = options.to == "html" || options.to == "svg";
  std::string problem;
  if (!options.versus.empty() && picture) problem = "--to " + options.to + " is for one record: leave out --versus";
  if (!options.versus.empty() && (!options.name.empty() || !options.open.empty()))
    problem = "--versus compares two records: leave out " + std::string(options.name.empty() ? "--open" : "--why");
  if ((options.to == "json" || picture) && !options.name.empty())
    problem = "--why shows one value as text or Markdown: leave out --to " + options.to + ", which shows all";
  if (options.cohort && asks_analysis(options))
    problem = "--cohort goes with an explanation as text, a page or a picture: leave out " +
              std::string(options.versus.empty() ? "--to json" : "--versus");
  if (!problem.empty()) refuse(problem);
  return problem.empty();
}

bool asks_analysis(const ExplainOptions& options) { return !options.versus.empty() || options.to == "json"; }

QuestionOptions question_of(const ExplainOptions& options) {
  QuestionOptions question;
  question.load = options.load;
  question.rubric = options.rubric;
  question.files = {options.file};
  question.evaluation = options.evaluation;
  question.id = options.id;
  question.line = options.line;
  question.to = options.to;
  question.output = options.output;
  question.answer = options.answer;
  return question;
}

int explain(Questioning& q, const ExplainOptions& options) {
  const QuestionOptions question = question_of(options);
  return options.versus.empty() ? explain_json(q, question) : versus(q, question, options.versus);
}

}  // namespace assay::cli
