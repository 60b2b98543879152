// assay explain --versus: why one record stands before another; and the explanation of one as JSON.
#include "repl/analysis/questions.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

namespace assay::cli {

int versus(const VersusOptions& options) {
  int code = kDone;
  std::optional<Questioning> q = Questioning::open(options.question, code);
  if (!q) return code;
  std::string record, place;
  std::vector<std::string> all;
  if (options.question.id.empty()) return refuse("--versus compares two records: name the first with --id");
  if (!q->pick(options.question, record, place, code, &all)) return code;
  const std::string* other = nullptr;
  for (const std::string& one : all) {
    if (id_of_record(one) == options.versus) other = &one;
  }
  if (other == nullptr) return refuse("there is no record with the id '" + printable(options.versus) + "'");
  Versus answer;
  const std::optional<InputError> error = q->analysis().versus(record, *other, answer);
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
  return write_answer(options.question, document, answer.json(), kDone);
}

int explain_json(const QuestionOptions& options) {
  int code = kDone;
  std::optional<Questioning> q = Questioning::open(options, code);
  if (!q) return code;
  std::string record, place, json;
  if (!q->pick(options, record, place, code)) return code;
  const std::optional<InputError> error = q->analysis().explanation(record, json);
  if (interrupted()) return kRefused;
  if (error) {
    say(place_message(place, *error));
    return kRejected;
  }
  return write_answer(options, {}, json, kDone);
}

}  // namespace assay::cli
